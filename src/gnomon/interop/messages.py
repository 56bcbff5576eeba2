"""Message lists, as chat APIs exchange them: OpenAI's messages and response items, Anthropic's blocks, and kin.

A file holds one list of messages, or {messages: […]} with ids beside it, or many of either: in a list, or one a
line. A file with one message per line is one conversation. Pictures and reasoning have no place in a transcript; how
many were left out is in its notes.
"""

import codecs
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from gnomon.agentlogs.lines import HALF_PAIR
from gnomon.errors import Refused
from gnomon.interop.conversation import CODE, ConversationBuilder, name_of, named_apart, refused
from gnomon.model.jsonvalue import MAX_DEPTH, depth
from gnomon.model.toolcalls import as_written, asked_in, blocks_of, is_call
from gnomon.model.transcript import Transcript
from gnomon.shorten import shorten

SOURCE = "messages"
LARGEST = 256 << 20
_SYSTEM = ("system", "developer")
_AGENT = ("assistant", "model", "ai")
_TOOL = ("tool", "function")
_TEXT_PARTS = (None, "text", "input_text", "output_text", "summary_text")
_SCENARIO_KEYS = ("scenario_id", "task_id", "sample_id", "item_id", "id")
_TRIAL_KEYS = ("trial", "epoch", "run_number", "attempt")


def read(path: Path) -> list[Transcript]:
    """Every conversation of a file."""
    content = content_of(path)
    try:
        value = parsed(path, content)
    except Refused as bad:
        return _from_lines(path, content, bad)
    return from_value(value, path)


def from_value(value: Any, path: Path) -> list[Transcript]:
    """The conversations that a JSON value holds. `path` names them where nothing else does."""
    if is_message(value):
        value = [value]
    if is_conversation(value):
        return [_transcript(value, path.stem)]
    if isinstance(value, list) and value and all(map(is_conversation, value)):
        return named_apart([_transcript(entry, f"{path.stem}:{number}") for number, entry in enumerate(value, 1)])
    raise refused(path, "holds no list of messages; write [{role, content}, …] or {messages: […]}")


def from_messages(
    messages: Sequence[Any],
    scenario_id: str,
    run_id: str,
    *,
    model: str | None = None,
    metadata: dict[str, Any] | None = None,
) -> Transcript:
    """One conversation."""
    conversation = ConversationBuilder()
    add_all(conversation, messages)
    return conversation.transcript(scenario_id, run_id, SOURCE, model=model, metadata=metadata)


def is_message(value: Any) -> bool:
    return isinstance(value, dict) and (isinstance(value.get("role"), str) or is_call(value) or _is_output(value))


def is_conversation(value: Any) -> bool:
    if isinstance(value, dict):
        value = value.get("messages")
    return isinstance(value, list) and bool(value) and any(map(is_message, value))


def add_all(conversation: ConversationBuilder, messages: Sequence[Any]) -> None:
    answers = Answers()
    for message in messages:
        add(conversation, message, answer=answers.of(message))


class Answers:
    """Which answer of the model an item belongs to: items follow each other, and what comes between ends the answer."""

    def __init__(self) -> None:
        self._count = 0

    def of(self, message: Any) -> str | None:
        kind = message.get("type") if isinstance(message, dict) else None
        if kind == "reasoning":
            return None
        is_speech = kind is not None and (is_call(message) or kind == "message")
        if is_speech and message.get("role", "assistant") in _AGENT:
            return f"item {self._count}"
        self._count += 1
        return None


def add(
    conversation: ConversationBuilder,
    message: Any,
    *,
    at: str | None = None,
    answer: str | None = None,
    ok: bool | None = None,
) -> None:
    """One message or item, whichever API wrote it. `ok` is how a tool ended, where the caller knows better."""
    if not isinstance(message, dict):
        conversation.notes.append(f"{_shown(message)} stands where a message should, and is left out")
        return
    role = message.get("role")
    role = role.lower() if isinstance(role, str) else None
    if role is None and _is_output(message):
        _returned(conversation, message, at, ok)
    elif role is None and not is_call(message):
        conversation.left_out[str(message.get("type") or "message without a role")] += 1
    elif role in _TOOL:
        for result in [block for block in blocks_of(message) if _is_output(block)] or [message]:
            _returned(conversation, result, at, ok)
    elif role is None or role in _AGENT:
        conversation.agent_turn(text_of(message, conversation), asked_in(message), at=at, answer=answer)
        _answered_at_once(conversation, message, at)
    elif role in _SYSTEM and not conversation.has_begun:
        conversation.instructed(text_of(message, conversation))
    else:
        _user_message(conversation, message, role, at)


def _user_message(conversation: ConversationBuilder, message: dict[str, Any], role: str, at: str | None) -> None:
    """A user's message; with results in it, the text is a message only where there is some."""
    results = [block for block in blocks_of(message) if _is_output(block)]
    for block in results:
        _returned(conversation, block, at, None)
    text = text_of(message, conversation)
    if text is None and results:
        return
    conversation.user_message(text, at)
    if role not in ("user", "human"):
        conversation.notes.append(f"step {conversation.step} begins with a {_shown(role)} message")
    if calls := asked_in(message):
        # A user who has tools of their own: kept, because a call is never lost.
        conversation.notes.append(f"step {conversation.step} has calls in a {role} message")
        conversation.agent_turn(None, calls, at=at)


def _is_output(block: dict[str, Any]) -> bool:
    kind = block.get("type")
    return isinstance(kind, str) and kind.endswith(("tool_result", "_call_output", "tool_call_response"))


def _returned(conversation: ConversationBuilder, message: dict[str, Any], at: str | None, ok: bool | None) -> None:
    id = next((message[key] for key in ("tool_call_id", "tool_use_id", "call_id", "id") if message.get(key)), None)
    if message.get("role") is not None and id == message.get("id") and "tool_call_id" in message:
        id = None  # the message's own id, not the call's
    content = next((message[key] for key in ("content", "output", "response", "result") if key in message), None)
    failed = message.get("is_error") is True or message.get("error") not in (None, False, "")
    if failed and content in (None, "", []):
        content = message.get("error")
    if ok is None:
        says_so = str(message.get("type")).endswith("tool_result")  # Anthropic's results are good unless marked
        ok = False if failed else True if says_so or message.get("is_error") is False else None
    if isinstance(content, list) and all(isinstance(part, str) or _part_text(part) is not None for part in content):
        content = "\n".join(part if isinstance(part, str) else _part_text(part) or "" for part in content)
    name = next((message[key] for key in ("name", "function") if isinstance(message.get(key), str)), None)
    conversation.returned(content, id=None if id is None else as_written(id), name=name, ok=ok, at=at)


def _answered_at_once(conversation: ConversationBuilder, message: dict[str, Any], at: str | None) -> None:
    """Tools that ran where the model runs: what came back is in the same message, or in the call itself."""
    for block in [message, *blocks_of(message)]:
        output = next((block[key] for key in ("output", "result") if block.get(key) is not None), None)
        id = block.get("call_id") or block.get("id")
        if _is_output(block):
            _returned(conversation, block, at, None)
        elif is_call(block) and output is not None and isinstance(id, str):
            conversation.returned(output, id=id, ok=False if block.get("error") else None, at=at)


def text_of(message: dict[str, Any], conversation: ConversationBuilder) -> str | None:
    """The message's words; kinds of content that are not words are counted as left out."""
    texts: list[str] = []
    for key in ("content", "parts", "refusal"):
        content = message.get(key)
        for part in content if isinstance(content, list) else [content]:
            if part is None:
                continue
            if not isinstance(part, dict):
                texts.append(as_written(part))
            elif (text := _part_text(part)) is not None:
                texts.append(text)
            elif not (is_call(part) or _is_output(part)):
                conversation.left_out[_shown(part.get("type") or "content without a type")] += 1
    return "\n".join(texts) if texts else None


def _part_text(part: Any) -> str | None:
    if not isinstance(part, dict):
        return None
    kind = part.get("type")
    if kind == "refusal" and isinstance(part.get("refusal"), str):
        return str(part["refusal"])
    if kind not in _TEXT_PARTS:
        return None
    return next((part[key] for key in ("text", "content") if isinstance(part.get(key), str)), None)


def _transcript(value: Any, name: str) -> Transcript:
    record = value if isinstance(value, dict) else {"messages": value}
    scenario = next((known_name for key in _SCENARIO_KEYS if (known_name := name_of(record.get(key)))), name)
    trial = next((known_name for key in _TRIAL_KEYS if (known_name := name_of(record.get(key)))), None)
    run = name_of(record.get("run_id")) or (f"{scenario}.{trial}" if trial is not None else name_of(record.get("id")))
    beside = {key: element for key, element in record.items() if key not in ("messages", "metadata")}
    metadata, model = record.get("metadata"), record.get("model")
    return from_messages(
        record["messages"], scenario, run or f"{scenario}.1", model=model if isinstance(model, str) else None,
        metadata={**beside, **(metadata if isinstance(metadata, dict) else {})},
    )  # fmt: skip


def _from_lines(path: Path, content: bytes, as_one: Refused) -> list[Transcript]:
    """One conversation per line, or one message per line. `as_one` says why the file is not a single JSON value."""
    records, cut = _records(path, content, as_one)
    if all(map(is_message, records)):
        transcripts = [_transcript(records, path.stem)]
    else:
        for number, record in enumerate(records, 1):
            if not is_conversation(record):
                raise refused(path, f"record {number} holds no list of messages; write one conversation per line")
        transcripts = [_transcript(record, f"{path.stem}:{number}") for number, record in enumerate(records, 1)]
    if cut:
        transcripts[-1].metadata.setdefault("notes", []).append("the file's last line is cut and left out")
    return named_apart(transcripts)


def _records(path: Path, content: bytes, as_one: Refused) -> tuple[list[Any], bool]:
    """Parse the lines; also return whether the last one is cut."""
    lines = content.split(b"\n")
    records: list[Any] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                records.append(parsed(path, line))
            except Refused as bad:
                if not records:
                    raise as_one from None
                if number == len(lines):
                    return records, True
                problem = bad.message.removeprefix(f"{path.name}: ")
                raise refused(path, f"line {number} {problem}") from None
    if not records:
        raise as_one
    return records, False


# JSON as others write it


def content_of(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST:
            raise refused(path, f"is larger than {LARGEST >> 20} MiB; split it up")
        return path.read_bytes()
    except OSError as bad:
        raise Refused(f"{path}: {bad.strerror or bad}; name a file that can be read", code=CODE) from None


def parsed(path: Path, content: bytes) -> Any:
    """A JSON value, also with halves of characters in it, and with NaN, which becomes null."""
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        value = msgspec.json.decode(content)
    except RecursionError:
        raise _too_deep(path) from None
    except ValueError as bad:
        value = _mended(path, content, bad)
    if depth(value) > MAX_DEPTH:
        raise _too_deep(path)
    return value


def _mended(path: Path, content: bytes, why: Exception) -> Any:
    text = HALF_PAIR.sub(rb"\\ufffd", content.decode("utf-8", "replace").encode()).decode()
    try:
        return json.loads(text, parse_constant=lambda _: None, parse_float=_finite)
    except RecursionError:
        raise _too_deep(path) from None
    except ValueError:
        reason = str(why).partition(":")[0] if "malformed" not in str(why) else str(why).removeprefix("JSON is ")
        raise refused(path, f"is not JSON, or cut ({reason}); name a whole JSON file") from None


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _too_deep(path: Path) -> Refused:
    return refused(path, f"is nested deeper than {MAX_DEPTH} levels; flatten it")


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return shorten(text, 40)
