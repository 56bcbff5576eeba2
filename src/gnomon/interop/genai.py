"""What an agent did, read from spans that instrumentations made.

Spans of model calls and of tools count, in the form in which `conventions` shows them. Traces that were stored before
it did have more attributes as metadata, which are read the same way. A model call repeats the conversation so far;
each message counts once. A tool's span belongs to the call that a model asked for; where no model did, it is a call by
itself. Other spans only hold these together.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from gnomon.interop import messages
from gnomon.interop.conventions import view
from gnomon.interop.conventions.bodies import input_messages, output_messages
from gnomon.interop.conventions.genai import CALL_ID, EXECUTES_TOOL, TOOL_NAME
from gnomon.interop.conventions.values import decoded
from gnomon.interop.conversation import ConversationBuilder
from gnomon.model import moment
from gnomon.model.jsonvalue import canonical, dump
from gnomon.model.toolcalls import AskedCall, asked_in, blocks_of, read_call
from gnomon.model.trace import Span

_TOOL_NAMES = (TOOL_NAME, "tool.name", "ai.toolCall.name")
_CALL_IDS = (CALL_ID, "ai.toolCall.id")


def add_spans(conversation: ConversationBuilder, spans: Sequence[Span], root: Span) -> None:
    """Tell the conversation what the spans say, in order of time."""
    steps = _without_repeats([_SpanStep(span) for span in spans])
    reader = _SpanReader(conversation, steps)
    if any(step.is_model_call for step in steps):
        for step in steps:
            reader.add(step)
    else:
        reader.add_plain(root)


def _without_repeats(steps: list["_SpanStep"]) -> list["_SpanStep"]:
    """The spans without model calls that repeat another one, as frameworks and clients nest them.

    One inside another that has tokens, itself without input and output, is the same call. One whose input is an
    object, where others have messages, is a function around the call.
    """
    calls = {step.span.id: step for step in steps if step.is_model_call}
    have_messages = any(step.has_messages for step in calls.values())

    def is_repeat(step: "_SpanStep") -> bool:
        if not step.is_model_call or step.has_messages:
            return False
        around = calls.get(step.span.parent_span_id or "")
        is_empty = step.span.input is None and step.span.output is None
        if around is not None and around.span.tokens_input is not None and is_empty:
            return True
        return have_messages and isinstance(step.span.input, dict)

    return [step for step in steps if not is_repeat(step)]


def about(span: Span) -> dict[str, Any]:
    return span.metadata or {}


class _SpanStep:
    """A span, with what its metadata says about it."""

    def __init__(self, span: Span) -> None:
        seen = view(span.name, "", about(span))
        self.span, self._seen = span, seen
        self.is_tool = seen.operation == "tool"
        self.is_model_call = seen.operation == "model_call" or (seen.operation is None and span.model is not None)

    @property
    def call(self) -> AskedCall:
        """The call that a tool's span is."""
        metadata, span = about(self.span), self.span
        name = next(
            (metadata[key] for key in _TOOL_NAMES if metadata.get(key)), span.name.removeprefix(f"{EXECUTES_TOOL} ")
        )
        id = next((metadata[key] for key in _CALL_IDS if metadata.get(key)), None)
        value = span.input if span.input is not None else self._seen.input
        return read_call({"name": str(name), "arguments": value, "id": id})

    @property
    def result(self) -> Any:
        return self.span.output if self.span.output is not None else self._seen.output

    @cached_property
    def _input_value(self) -> Any:
        return input_messages(decoded(self._seen.input if self._seen.input is not None else self.span.input))

    @property
    def has_messages(self) -> bool:
        """Whether what went into a model call is messages."""
        return isinstance(self._input_value, list) and all(map(messages.is_message, self._input_value))

    def input_messages(self) -> list[dict[str, Any]]:
        """What went into a model call, as messages."""
        return _messages(self._input_value, "user")

    def output_messages(self) -> list[dict[str, Any]]:
        """What came out of it: of several answers the first, with which the conversation goes on."""
        value = self._seen.output if self._seen.output is not None else self.span.output
        messages = _messages(output_messages(decoded(value)), "assistant")
        return messages[:1] if all(message.get("role") == "assistant" for message in messages) else messages


def _messages(value: Any, role: str) -> list[dict[str, Any]]:
    if value is None:
        return []
    listed = value if isinstance(value, list) else [value]
    if listed and all(map(messages.is_message, listed)):
        return listed
    if listed and all(isinstance(entry, str) or messages.is_message(entry) for entry in listed) and role == "assistant":
        return [entry if isinstance(entry, dict) else {"role": role, "content": entry} for entry in listed]
    return [{"role": role, "content": _words(value)}]


class _SpanReader:
    def __init__(self, conversation: ConversationBuilder, steps: Sequence[_SpanStep]) -> None:
        self._conversation = conversation
        self._tools = [step for step in steps if step.is_tool]
        calls = [step.call for step in self._tools]
        self._returned = {call.id for call in calls if call.id}
        self._returned_without_id = {call.name for call in calls if not call.id}
        self._spoken: Counter[str] = Counter()
        self._names: dict[str | None, str] = {}
        self._calls_by_name: Counter[str] = Counter()
        self._calls_without_id: Counter[str] = Counter()

    def add(self, step: _SpanStep) -> None:
        if step.is_tool:
            self._tool(step)
        elif step.is_model_call:
            self._model_call(step)

    def add_plain(self, root: Span) -> None:
        """A trace without model calls: what the root was given and gave, and the tools below it."""
        self._conversation.user_message(_words(root.input), moment.iso(root.start_time))
        for step in self._tools:
            if step.span is not root:
                self._tool(step)
        self._conversation.agent_turn(_words(root.output))
        if root.error:
            self._conversation.broke(root.error.message)

    def _model_call(self, step: _SpanStep) -> None:
        span = step.span
        counts: Counter[str] = Counter()
        for message in step.input_messages():
            counts[key := _key(message)] += 1
            if counts[key] > self._spoken[key] and not self._has_span(message):
                self._add(message, key, moment.iso(span.start_time))
        for message in step.output_messages():
            with_role = {"role": "assistant", **message}
            self._add(with_role, _key(with_role), moment.iso(span.end_time or span.start_time))
        if self._conversation.has_begun and (span.tokens_input is not None or span.tokens_output is not None):
            self._conversation.used(self._conversation.step, span.tokens_input, span.tokens_output)
        if span.error:
            self._conversation.broke(span.error.message)

    def _add(self, message: dict[str, Any], key: str, at: str) -> None:
        self._spoken[key] += 1
        for call in asked_in(message):
            if call.id:
                self._names[call.id] = call.name
            self._calls_by_name[call.name] += 1
            self._calls_without_id[call.name] += call.id is None
        messages.add(self._conversation, message, at=at)

    def _has_span(self, message: dict[str, Any]) -> bool:
        """Whether this is a tool's result whose span says the same, with its time and its error."""
        if message.get("role") not in ("tool", "function"):
            return False
        inside = [block.get("id") for block in blocks_of(message)]
        ids = [str(id) for id in [message.get("tool_call_id"), *inside] if id]
        known = (id in self._returned or self._names.get(id) in self._returned_without_id for id in ids)
        return all(known) if ids else bool(self._tools)

    def _tool(self, step: _SpanStep) -> None:
        span, call, result = step.span, step.call, step.result
        if not self._was_asked(call):
            parent = f"tools of {span.parent_span_id}"
            self._conversation.agent_turn(None, [call], at=moment.iso(span.start_time), answer=parent)
        failed = span.error.message if span.error else None
        self._conversation.returned(
            result if result is not None else failed,
            id=call.id, name=call.name, ok=failed is None, duration_ms=span.duration_ms,
        )  # fmt: skip

    def _was_asked(self, call: AskedCall) -> bool:
        if call.id in self._names:
            return True
        waiting = self._calls_without_id if call.id else self._calls_by_name
        waiting[call.name] -= 1
        return waiting[call.name] >= 0


def _key(message: dict[str, Any]) -> str:
    """What tells messages apart: who said which words, asked for which calls and answered which."""
    calls = [[call.name, call.args] for call in asked_in(message)]
    answered = [message.get("tool_call_id"), [block.get("id") for block in blocks_of(message)]]
    return canonical([message.get("role"), messages.text_of(message, ConversationBuilder()), calls, answered])


def _words(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else dump(value)
