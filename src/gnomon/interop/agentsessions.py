"""Sessions of Claude Code and Codex with their texts, one run per session file.

What the agents write down, and what they write down twice, is known to agentlogs; this file adds the words. A
sub-agent's side-chain is a run of its own, marked `sidechain`, with the run that started it. A session names no
task, so its scenario is the session itself.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.agentlogs.claude import SYNTHETIC
from gnomon.agentlogs.events import AnswerTokens, Event, text
from gnomon.agentlogs.reading import read_whole, session_in_name
from gnomon.errors import Refused
from gnomon.interop import messages
from gnomon.interop.conversation import CODE, ConversationBuilder, refused
from gnomon.model.jsonvalue import MAX_DEPTH, depth
from gnomon.model.transcript import Transcript

CLAUDE = "claude-code"
CODEX = "codex"
_CODEX_LINES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
# What Codex tells the model in a user's name before the user has said anything.
_CONTEXT = ("<environment_context>", "<user_instructions>", "<permissions instructions>", "# AGENTS.md instructions")
_BROKEN = {"turn_aborted": "reason", "error": "message", "stream_error": "message"}


def kind_of(line: Any) -> str | None:
    """Which of the two agents writes such lines, if one of them does."""
    if not isinstance(line, dict):
        return None
    if isinstance(line.get("payload"), dict) and line.get("type") in _CODEX_LINES:
        return CODEX
    if line.get("type") in ("user", "assistant") and isinstance(line.get("message"), dict):
        return CLAUDE
    return None


def read(path: Path) -> list[Transcript]:
    """The session and its side-chains, in the order in which they began."""
    problems: list[str] = []
    claude, codex, too_deep = _Claude(path), _Codex(path), 0
    try:
        for record, event in read_whole(path, on_problem=problems.append):
            if depth(record) > MAX_DEPTH:
                too_deep += 1
            elif kind_of(record) == CODEX:
                codex.add(record, event)
            elif kind_of(record) == CLAUDE:
                claude.add(record, event)
    except OSError as bad:
        raise Refused(f"{path}: {bad.strerror or bad}; name a file that can be read", code=CODE) from None
    if too_deep:
        problems.append(f"lines nested deeper than {MAX_DEPTH} levels and left out: {too_deep}")
    runs = [*claude.runs(problems), *codex.runs(problems)]
    if not runs:
        raise refused(path, "holds no message of Claude Code or Codex; name a session file")
    return runs


class _Chain:
    """One line of conversation: the main one, or a side-chain's."""

    def __init__(self) -> None:
        self.conversation = ConversationBuilder()
        self.session: str | None = None
        self.cwd: str | None = None
        self.models: dict[str, None] = {}
        self._used: dict[str, tuple[int, AnswerTokens]] = {}

    def counted(self, event: Event | None) -> None:
        """An answer's usage is written with each of its lines; the largest is the answer's."""
        if event is None:
            return
        self.session = self.session or event.session_id
        self.cwd = self.cwd or event.cwd
        if event.model and event.model != SYNTHETIC:
            self.models[event.model] = None
        if event.usage is not None and event.usage.total:
            key = event.message_id or f"line {len(self._used)}"
            step, known = self._used.get(key, (self.conversation.step, event.usage))
            self._used[key] = step, max(known, event.usage, key=lambda usage: usage.total)

    def run(self, source: str, scenario: str, run: str, **metadata: Any) -> Transcript:
        for step, usage in self._used.values():
            self.conversation.used(step, usage.input + usage.cache_read + usage.cache_creation, usage.output)
        about = {"cwd": self.cwd, "models": list(self.models), **metadata}
        return self.conversation.transcript(
            scenario, run, source, model=next(iter(self.models), None),
            metadata={key: value for key, value in about.items() if value},
        )  # fmt: skip


class _Claude:
    def __init__(self, path: Path) -> None:
        self._stem = path.stem
        self._chains: dict[str, _Chain] = {}
        self._chain_of: dict[str, str] = {}
        self._seen: set[str] = set()

    def add(self, line: dict[str, Any], event: Event | None) -> None:
        uuid = text(line.get("uuid"))
        if uuid in self._seen:  # a resumed session repeats what came before
            return
        self._seen |= {uuid} if uuid else set()
        chain = self._chains.setdefault(self._chain(line, uuid), _Chain())
        message, at = line["message"], text(line.get("timestamp"))
        if message.get("model") == SYNTHETIC:
            chain.conversation.broke(messages.text_of(message, chain.conversation) or "the harness broke off")
        elif (content := self._once(message)) or not message.get("content"):
            with_role = {**message, "role": message.get("role") or line["type"], "content": content}
            answer = text(message.get("id")) if line["type"] == "assistant" else None
            messages.add(chain.conversation, with_role, at=at, answer=answer)
        chain.session = chain.session or text(line.get("sessionId"))
        chain.counted(event)

    def _chain(self, line: dict[str, Any], uuid: str | None) -> str:
        """The name of the line's chain; the main one's is empty."""
        if line.get("isSidechain") is not True:
            return ""
        parent = text(line.get("parentUuid")) or ""
        name = text(line.get("agentId")) or self._chain_of.get(parent) or f"sidechain-{uuid or 1}"
        if uuid:
            self._chain_of[uuid] = name
        return name

    def _once(self, message: dict[str, Any]) -> Any:
        """The content without calls and results that were there before."""
        content = message.get("content")
        return [block for block in content if self._is_new(block)] if isinstance(content, list) else content

    def _is_new(self, block: Any) -> bool:
        if not isinstance(block, dict):
            return True
        id = block.get("id") if block.get("type") == "tool_use" else block.get("tool_use_id")
        key = f"{block.get('type')} {id}" if isinstance(id, str) and id else None
        known = key in self._seen
        self._seen |= {key} if key else set()
        return not known

    def runs(self, problems: list[str]) -> Iterator[Transcript]:
        session = next((chain.session for chain in self._chains.values() if chain.session), self._stem)
        for name, chain in self._chains.items():
            chain.conversation.notes += problems
            subagent = {"sidechain": True, "parent_run_id": session} if name else {}
            yield chain.run(CLAUDE, session, f"{session}.{name}" if name else session, **subagent)


class _Codex:
    def __init__(self, path: Path) -> None:
        self._name = session_in_name(path) or path.stem
        self._chain = _Chain()
        self._answers = messages.Answers()
        self._meta: dict[str, Any] | None = None
        self._compacted = 0

    def add(self, line: dict[str, Any], event: Event | None) -> None:
        payload, kind = line["payload"], line["type"]
        conversation = self._chain.conversation
        if kind == "session_meta" and self._meta is None:
            self._meta = payload
            instructions = payload.get("base_instructions") or payload.get("instructions")
            conversation.instructed(
                text(instructions.get("text")) if isinstance(instructions, dict) else text(instructions)
            )
        elif kind == "turn_context" and text(payload.get("model")):
            self._chain.models[payload["model"]] = None
        elif kind == "response_item":
            self._item(payload, text(line.get("timestamp")), event)
        elif kind == "compacted":
            self._compacted += 1
        elif kind == "event_msg" and text(payload.get("type")) in _BROKEN:
            conversation.broke(text(payload.get(_BROKEN[payload["type"]])) or payload["type"])
        self._chain.counted(event)

    def _item(self, item: dict[str, Any], at: str | None, event: Event | None) -> None:
        conversation = self._chain.conversation
        text = messages.text_of(item, ConversationBuilder()) if item.get("role") == "user" else None
        if text is not None and text.startswith(_CONTEXT):
            conversation.instructed(text)
            return
        ok = None
        if event is not None and event.results:
            (result,) = event.results
            ok = False if result.is_error else True if result.state == "done" else None
        messages.add(conversation, item, at=at, answer=self._answers.of(item), ok=ok)

    def runs(self, problems: list[str]) -> Iterator[Transcript]:
        if not self._chain.conversation.has_begun:
            return
        meta = self._meta or {}
        self._chain.conversation.notes += problems
        if self._compacted:
            self._chain.conversation.notes.append(f"times that the agent shortened its history: {self._compacted}")
        session = text(meta.get("id")) or self._name
        parent, forked = _parent(meta), text(meta.get("forked_from_id"))
        session_facts = {"forked_from": forked, "sidechain": parent is not None, "parent_run_id": parent}
        yield self._chain.run(CODEX, session, session, **session_facts)


def _parent(meta: dict[str, Any]) -> str | None:
    """The session that started this one as its sub-agent."""
    node: Any = meta.get("source")
    for key in ("subagent", "thread_spawn", "parent_thread_id"):
        node = node.get(key) if isinstance(node, dict) else None
    return text(node)
