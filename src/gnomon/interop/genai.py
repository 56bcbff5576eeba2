"""What an agent did, read from spans that instrumentations made.

Spans of model calls (OpenTelemetry's `gen_ai.*`, OpenInference's `llm.*`, or messages as plain input and output) and
spans of tools. A model call repeats the conversation so far; each message counts once. A tool's span belongs to the
call that a model asked for; where no model did, it is a call by itself. Other spans only hold these together.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from gnomon.interop import messages
from gnomon.interop.conversation import Conversation
from gnomon.model import moment
from gnomon.model.jsonvalue import canonical, dump
from gnomon.model.toolcalls import AskedCall, asked, asked_in, blocks_of
from gnomon.model.trace import Span

CALL_ID = "gen_ai.tool.call.id"
TOOL_NAME = "gen_ai.tool.name"
OPERATION = "gen_ai.operation.name"
EXECUTES_TOOL = "execute_tool"
_MODEL_CALLS = ("chat", "text_completion", "generate_content", "completion", "responses")
_OLDER = {"input": "gen_ai.prompt.", "output": "gen_ai.completion."}
_DEEPEST_KEY = 20


def add_spans(conversation: Conversation, spans: Sequence[Span], root: Span) -> None:
    """Tell the conversation what the spans say, in order of time."""
    reader = _Reader(conversation, spans)
    if any(map(_is_model_call, spans)):
        for span in spans:
            reader.add(span)
    else:
        reader.add_plain(root)


class _Reader:
    def __init__(self, conversation: Conversation, spans: Sequence[Span]) -> None:
        self._conversation = conversation
        self._tools = [span for span in spans if _is_tool(span)]
        self._returned = {str(about(span).get(CALL_ID)) for span in self._tools}
        self._returned_without_id = {_tool_call(span).name for span in self._tools if not about(span).get(CALL_ID)}
        self._said: Counter[str] = Counter()
        self._names: dict[str | None, str] = {}
        self._asked: Counter[str] = Counter()
        self._asked_without_id: Counter[str] = Counter()

    def add(self, span: Span) -> None:
        if _is_tool(span):
            self._tool(span)
        elif _is_model_call(span):
            self._model_call(span)

    def add_plain(self, root: Span) -> None:
        """A trace without model calls: what the root was given and gave, and the tools below it."""
        self._conversation.heard(_words(root.input), moment.iso(root.start_time))
        for span in self._tools:
            if span is not root:
                self._tool(span)
        self._conversation.said(_words(root.output))
        if root.error:
            self._conversation.broke(root.error.message)

    def _model_call(self, span: Span) -> None:
        here: Counter[str] = Counter()
        for message in _messages(span, "input"):
            here[key := _key(message)] += 1
            if here[key] > self._said[key] and not self._has_span(message):
                self._add(message, key, moment.iso(span.start_time))
        for message in _messages(span, "output"):
            said = {"role": "assistant", **message}
            self._add(said, _key(said), moment.iso(span.end_time or span.start_time))
        if self._conversation.has_begun and (span.tokens_input is not None or span.tokens_output is not None):
            self._conversation.used(self._conversation.beat, span.tokens_input, span.tokens_output)
        if span.error:
            self._conversation.broke(span.error.message)

    def _add(self, message: dict[str, Any], key: str, at: str) -> None:
        self._said[key] += 1
        for call in asked_in(message):
            if call.id:
                self._names[call.id] = call.name
            self._asked[call.name] += 1
            self._asked_without_id[call.name] += call.id is None
        messages.add(self._conversation, message, at=at)

    def _has_span(self, message: dict[str, Any]) -> bool:
        """Whether this is a tool's result whose span says the same, with its time and its error."""
        if message.get("role") not in ("tool", "function"):
            return False
        inside = [block.get("id") for block in blocks_of(message)]
        ids = [str(id) for id in [message.get("tool_call_id"), *inside] if id]
        known = (id in self._returned or self._names.get(id) in self._returned_without_id for id in ids)
        return all(known) if ids else bool(self._tools)

    def _tool(self, span: Span) -> None:
        call = _tool_call(span)
        if not self._was_asked(call):
            parent = f"tools of {span.parent_span_id}"
            self._conversation.said(None, [call], at=moment.iso(span.start_time), answer=parent)
        failed = span.error.message if span.error else None
        self._conversation.returned(
            span.output if span.output is not None else failed,
            id=call.id, name=call.name, ok=failed is None, duration_ms=span.duration_ms,
        )  # fmt: skip

    def _was_asked(self, call: AskedCall) -> bool:
        if call.id in self._names:
            return True
        waiting = self._asked_without_id if call.id else self._asked
        waiting[call.name] -= 1
        return waiting[call.name] >= 0


def about(span: Span) -> dict[str, Any]:
    return span.metadata or {}


def decoded(value: Any) -> Any:
    """A JSON text's value; attributes are flat, so lists travel as text."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return msgspec.json.decode(value)
    except (ValueError, RecursionError):
        return value


def _is_tool(span: Span) -> bool:
    told = about(span)
    return TOOL_NAME in told or told.get(OPERATION) == EXECUTES_TOOL or told.get("openinference.span.kind") == "TOOL"


def _is_model_call(span: Span) -> bool:
    told = about(span)
    if _is_tool(span):
        return False
    operation, kind = told.get(OPERATION), told.get("openinference.span.kind")
    if operation is not None or kind is not None:
        return operation in _MODEL_CALLS or kind == "LLM"
    return "gen_ai.request.model" in told or span.model is not None


def _tool_call(span: Span) -> AskedCall:
    told = about(span)
    given = span.input if span.input is not None else told.get("gen_ai.tool.call.arguments")
    name = told.get(TOOL_NAME) or told.get("tool.name") or span.name.removeprefix(f"{EXECUTES_TOOL} ")
    return asked({"name": str(name), "arguments": given, "id": told.get(CALL_ID)})


def _messages(span: Span, side: str) -> list[dict[str, Any]]:
    """What went into a model call or came out of it, as messages."""
    told = about(span)
    found: list[Any] = []
    if side == "input" and "gen_ai.system_instructions" in told:
        found.append({"role": "system", "content": decoded(told["gen_ai.system_instructions"])})
    written = decoded(told.get(f"gen_ai.{side}.messages"))
    numbered = _nested(told, f"llm.{side}_messages.") or _nested(told, _OLDER[side])
    if isinstance(written, list):
        found += written
    elif numbered:
        found += [one.get("message", one) for one in numbered if isinstance(one, dict)]
    else:
        found += _plain_messages(decoded(getattr(span, side)), side)
    return [_unwrapped(message) for message in found if isinstance(message, dict)]


def _plain_messages(value: Any, side: str) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, dict) and isinstance(value.get("choices"), list):  # a whole response of the chat API
        return [one.get("message") for one in value["choices"][:1] if isinstance(one, dict)]
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        value = value["messages"]
    if messages.is_message(value):
        return [value]
    if isinstance(value, list) and value and all(map(messages.is_message, value)):
        return value
    return [{"role": "user" if side == "input" else "assistant", "content": _words(value)}]


def _unwrapped(message: dict[str, Any]) -> dict[str, Any]:
    """OpenInference puts each call into an object of its own."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return message
    return {**message, "tool_calls": [one.get("tool_call", one) if isinstance(one, dict) else one for one in calls]}


def _nested(told: dict[str, Any], prefix: str) -> list[Any]:
    """The list that keys like `prefix0.role` were made of."""
    tree: dict[str, Any] = {}
    for key, value in told.items():
        if key.startswith(prefix):
            *path, last = key.removeprefix(prefix).split(".")[:_DEEPEST_KEY]
            at = tree
            for step in path:
                inner = at.setdefault(step, {})
                at = inner if isinstance(inner, dict) else {}
            at[last] = value
    found = _relisted(tree)
    return found if isinstance(found, list) else []


def _relisted(tree: Any) -> Any:
    if not isinstance(tree, dict) or not tree:
        return tree
    inner = {key: _relisted(value) for key, value in tree.items()}
    if all(key.isascii() and key.isdecimal() and len(key) < 10 for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def _key(message: dict[str, Any]) -> str:
    """What tells messages apart: who said which words, asked for which calls and answered which."""
    calls = [[call.name, call.args] for call in asked_in(message)]
    answered = [message.get("tool_call_id"), [block.get("id") for block in blocks_of(message)]]
    return canonical([message.get("role"), messages.text_of(message, Conversation()), calls, answered])


def _words(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else dump(value)
