"""Messages as model APIs and instrumentations write them down, read into one form.

`{"role", "content", "tool_calls": [{"id", "name", "arguments"}], "tool_call_id"}`, each key only where it says
something. Known are OpenTelemetry's messages in parts, OpenAI's messages and response items, Anthropic's blocks,
OpenInference's wrapped messages, and those of Vercel's AI SDK, LangChain, LlamaIndex and Gemini.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from gnomon.interop.conventions.values import decoded, typed
from gnomon.model.jsonvalue import dump

ROLES = {
    "system": "system", "developer": "system", "user": "user", "human": "user",
    "assistant": "assistant", "ai": "assistant", "model": "assistant", "tool": "tool", "function": "tool",
}  # fmt: skip
_TEXT = frozenset({"text", "input_text", "output_text"})
_CALL = frozenset({"tool_call", "tool_use", "tool-call", "function_call"})
_RESULT = frozenset({"tool_call_response", "tool_result", "tool-result", "function_call_output"})
_REASONING = frozenset({"reasoning", "thinking"})
_CALL_IDS = ("call_id", "id", "toolCallId", "tool_call_id", "tool_use_id")
_RESULT_IDS = ("tool_call_id", "tool_use_id", "call_id", "toolCallId", "id")
_CALL_NAMES = ("name", "toolName", "tool_name")
_ARGUMENTS = ("arguments", "input", "args", "tool_kwargs")
_RESULTS = ("response", "result", "content", "output")
_BLOCKS = ("parts", "contents", "blocks")
_VERCELS_RESULT = frozenset({"type", "value"})
_MESSAGE_KEYS = frozenset({"content", "tool_calls", "function_call", *_BLOCKS})

Message = dict[str, Any]


def messages(value: Any) -> list[Message] | None:
    """The messages of a list, or of JSON text of one; None where there are none."""
    if type(value) is str and (sent := typed(value, _decode_in_parts)) and (of_parts := _of_parts(sent)):
        return of_parts
    return read(decoded(value))


def read(value: Any) -> list[Message] | None:
    """Like `messages`, for a value that can be stored as it is."""
    if type(value) is dict:
        value = [value]
    if type(value) is not list:
        return None
    messages: list[Message] = []
    for message in value:
        if type(message) is dict:
            _add(messages, message)
        elif type(message) is list:  # a batch of conversations, as LangChain has it
            messages += read(message) or ()
    return messages or None


def telling(messages: list[Message] | None) -> list[Message] | None:
    """The messages, unless they tell nothing but roles: an instrumentation may leave out what was said."""
    return messages if any(len(message) > 1 for message in messages or ()) else None


def answer(messages: list[Message] | None) -> Any:
    """What a model said: the text where it said nothing else, a message, or a list of these."""
    answers = [_answer(message) for message in messages or () if len(message) > 1]
    return answers[0] if len(answers) == 1 else answers or None


def _answer(message: Message) -> Any:
    if len(message) == 2 and message["role"] == "assistant" and type(content := message.get("content")) is str:
        return content
    return message


def _add(messages: list[Message], raw: Message) -> None:
    """Read one message; a message with the results of several tools becomes as many messages."""
    raw = _unwrapped(raw)
    role, content = _role(raw), raw.get("content")
    if type(content) is str and len(raw) == 2 and role is not None and content[:1] != "[":
        messages.append({"role": role, "content": content} if content else {"role": role})
    elif role is None and _kind(raw) in _ITEMS:
        _add_item(messages, raw)
    elif role is not None or not _MESSAGE_KEYS.isdisjoint(raw):
        messages += _MessageReader(role or "assistant").read(raw)


# Messages of OpenTelemetry's whose parts are only texts, calls and results, as most are. Read so, they take a third of
# the time that `_MessageReader` needs to read the same.


class _Text(msgspec.Struct, tag_field="type", tag="text", forbid_unknown_fields=True, gc=False):
    content: str


class _ToolCallPart(msgspec.Struct, tag_field="type", tag="tool_call", forbid_unknown_fields=True):
    id: str
    name: str
    arguments: dict[str, Any]


class _Result(msgspec.Struct, tag_field="type", tag="tool_call_response", forbid_unknown_fields=True):
    id: str
    response: str | dict[str, Any]


class _InParts(msgspec.Struct, forbid_unknown_fields=True):
    role: str
    parts: list[_Text | _ToolCallPart | _Result]
    finish_reason: Any = None
    name: None = None


_decode_in_parts = msgspec.json.Decoder(list[_InParts]).decode


def _of_parts(sent: list[_InParts]) -> list[Message] | None:
    """The message of simple parts (texts and at most one call, or one tool result); None for others."""
    messages = []
    for message in sent:
        role, parts = message.role, message.parts
        role = ROLES.get(role) or ROLES.get(role.lower(), role)
        simple = _of_result(parts) if role == "tool" else _of_texts_and_call(role, parts)
        if simple is None:
            return None
        messages.append(simple)
    return messages


def _of_texts_and_call(role: str, parts: list[_Text | _ToolCallPart | _Result]) -> Message | None:
    if len(parts) == 1 and type(part := parts[0]) is _Text and part.content and role:  # as most are
        return {"role": role, "content": part.content}
    texts: list[str] = []
    calls: list[Message] = []
    for part in parts:
        if type(part) is _Text:
            texts.append(part.content)
        elif type(part) is _ToolCallPart and not calls:  # of the same call twice, one counts
            calls.append({"id": part.id, "name": part.name, "arguments": part.arguments})
        else:
            return None
    message: Message = {"role": role}
    if content := "\n".join(texts):
        message["content"] = content
    if calls:
        message["tool_calls"] = calls
    return message if role and len(message) > 1 else None


def _of_result(parts: list[_Text | _ToolCallPart | _Result]) -> Message | None:
    part = parts[0] if len(parts) == 1 else None
    if type(part) is not _Result:
        return None
    content = part.response
    if type(content) is dict and content.keys() != _VERCELS_RESULT:
        content = dump(content)
    return {"role": "tool", "content": content, "tool_call_id": part.id} if type(content) is str and content else None


def _role(raw: Message) -> str | None:
    """LangChain has it as the type."""
    role = raw.get("role")
    if type(role) is str and role:
        return ROLES.get(role.lower(), role)
    kind = raw.get("type")
    return ROLES.get(kind.lower()) if type(kind) is str else None


def _unwrapped(raw: Message) -> Message:
    """OpenInference and OpenAI's choices put a message into `message`, LangChain into `kwargs` or `data`."""
    for key in ("message", "kwargs", "data"):
        inner = raw.get(key)
        if type(inner) is dict and "role" not in raw:
            return inner
    return raw


# Items of OpenAI's responses: calls, their results and reasoning stand beside the messages


def _add_item(messages: list[Message], raw: Message) -> None:
    read = _MessageReader("assistant").read({"role": "assistant", "content": [raw]})
    last = messages[-1] if messages else {}
    for message in read:
        if message.get("tool_calls") and last.get("role") == "assistant":
            last["tool_calls"] = [*last.get("tool_calls", ()), *message["tool_calls"]]
        else:
            messages.append(message)


_ITEMS = _CALL | _RESULT | _REASONING


class _MessageReader:
    """One message, taken apart."""

    def __init__(self, role: str) -> None:
        self._role = role
        self._parts: list[Any] = []
        self._calls: list[Message] = []
        self._results: list[Message] = []

    def read(self, raw: Message) -> list[Message]:
        content = raw.get("content")
        if (
            type(content) is str
            and content[:1] == "["
            and type(listed := decoded(content)) is list
            and _are_parts(listed)
        ):
            content = listed
        for block in content if type(content) is list else () if content in (None, "") else (content,):
            self._block(block)
        part_count = len(self._parts)
        for key in _BLOCKS:
            for block in raw[key] if type(raw.get(key)) is list else ():
                self._block(block)
        if type(content) is str and _joined(self._parts[part_count:]) == content:
            # OpenInference has a text of OpenAI's responses both in `content` and in `contents`.
            del self._parts[:part_count]
        if type(raw.get("tool_calls")) is list:
            for call in raw["tool_calls"]:
                self._call(call)
        if type(raw.get("function_call")) is dict:
            self._call(raw["function_call"])
        return self._messages(raw)

    def _messages(self, raw: Message) -> list[Message]:
        if self._role == "tool" and not self._results:
            result = {"role": "tool", "content": _joined(self._parts), "tool_call_id": _first(raw, _RESULT_IDS)}
            return [_without_none(result)]
        name = raw.get("name")
        message = _without_none({
            "role": "assistant" if self._role == "tool" else self._role,
            "content": _joined(self._parts),
            "tool_calls": self._calls or None,
            "name": name if type(name) is str and name else None,
        })  # fmt: skip
        return [*self._results, message] if len(message) > 1 or not self._results else self._results

    def _block(self, block: Any) -> None:
        if type(block) is not dict:
            self._parts.append(_text_part(block if type(block) is str else dump(block)))
            return
        inner = block.get("message_content")
        if type(inner) is dict:  # OpenInference; a call stands beside it
            block = {**block, **inner}
        if type(block.get("tool_call")) is dict:
            self._call(block["tool_call"])
            return
        read = _BLOCK_KINDS.get(_kind(block))
        if read is not None:
            read(self, block)
        elif type(block.get("functionCall")) is dict:
            self._call(block["functionCall"])
        elif block.keys() >= _TOOL_KEYS:  # LlamaIndex
            self._call(block)
        else:
            self._parts.append(block)

    def _text(self, block: Message) -> None:
        written = block["text"] if "text" in block else block.get("content")
        if written is not None:
            self._parts.append(_text_part(written if type(written) is str else dump(written)))

    def _reasoning(self, block: Message) -> None:
        written = _first(block, ("content", "text", "thinking", "summary"))
        if type(written) is list:
            written = _joined(
                [_text_part(str(_first(piece, ("text",)) if type(piece) is dict else piece)) for piece in written]
            )
        if written:
            self._parts.append({"type": "reasoning", "text": written if type(written) is str else dump(written)})

    def _call(self, raw: Any) -> None:
        if type(raw) is not dict:
            return
        raw = raw["tool_call"] if type(raw.get("tool_call")) is dict else raw
        inner = raw["function"] if type(raw.get("function")) is dict else raw
        call = _without_none({
            "id": _first(raw, _CALL_IDS),
            "name": _first(inner, _CALL_NAMES),
            "arguments": decoded(_first(inner, _ARGUMENTS)),
        })  # fmt: skip
        if call and call not in self._calls:  # some write a call both as a block and in a list
            self._calls.append(call)

    def _result(self, raw: Message) -> None:
        content = _first(raw, _RESULTS)
        if type(content) is dict and content.keys() == _VERCELS_RESULT:
            content = content["value"]
        if type(content) is list and _are_parts(content):
            inner = _MessageReader("user").read({"content": content})
            content = inner[0].get("content")
        elif content is not None and type(content) is not str:
            content = dump(content)
        self._results.append(
            _without_none({"role": "tool", "content": content, "tool_call_id": _first(raw, _RESULT_IDS)})
        )


_BLOCK_KINDS: dict[str | None, Callable[[_MessageReader, Message], None]] = {
    **dict.fromkeys(_TEXT, _MessageReader._text),
    **dict.fromkeys(_CALL, _MessageReader._call),
    **dict.fromkeys(_RESULT, _MessageReader._result),
    **dict.fromkeys(_REASONING, _MessageReader._reasoning),
}
_TOOL_KEYS = {"tool_name", "tool_kwargs"}


def _kind(block: Message) -> str | None:
    kind = block.get("type")
    return kind if type(kind) is str else None


def _text_part(written: str) -> Message:
    return {"type": "text", "text": written}


def _are_parts(blocks: list[Any]) -> bool:
    return all(type(block) is dict and "type" in block for block in blocks)


def _joined(parts: list[Any]) -> Any:
    """Text where the parts are only text, else the parts; None for none."""
    if all(part.get("type") == "text" and len(part) == 2 for part in parts):
        return "\n".join(part["text"] for part in parts) or None
    return parts


def _first(raw: Message, keys: tuple[str, ...]) -> Any:
    for key in keys:
        if (value := raw.get(key)) is not None:
            return value
    return None


def _without_none(message: Message) -> Message:
    return {key: value for key, value in message.items() if value is not None}
