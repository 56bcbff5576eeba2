"""Messages that come as events, of a span or of logs: GenAI's older way, and its newest for those who want it apart."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gnomon.interop.conventions import chat, values
from gnomon.interop.conventions.bodies import input_messages, output_messages
from gnomon.interop.conventions.genai import INPUT_MESSAGES, OUTPUT_MESSAGES, SYSTEM_INSTRUCTIONS

DETAILS = "gen_ai.client.inference.operation.details"
"""One event with the messages as a span would have them as attributes."""
DETAILED = (INPUT_MESSAGES, OUTPUT_MESSAGES, SYSTEM_INSTRUCTIONS)
MESSAGES = {f"gen_ai.{role}.message": role for role in ("system", "user", "assistant", "tool")}
CHOICE = "gen_ai.choice"
PROMPT, COMPLETION = "gen_ai.content.prompt", "gen_ai.content.completion"
TOOL_OUTPUT, RESPONSE = "tool.output", "assistant_response"
"""Claude Code's: what a tool gave, and what was answered in the end. The latter is a log record, known by its body."""
NAMES = frozenset({DETAILS, CHOICE, PROMPT, COMPLETION, TOOL_OUTPUT, RESPONSE, *MESSAGES})
_RESPONSE_BODY = "claude_code.assistant_response"
_TOOL_OUTPUTS = ("output", "diff", "content")
_BODY = ("gen_ai.event.content", "body")
_STRUCTURED = ("message", "tool_calls")
_INDEX = "gen_ai.message.index"

Event = tuple[str, Mapping[str, Any]]


def log_event(name: str, attributes: Mapping[str, Any], body: Any) -> Event:
    """A log record of a span as an event of it: what its body says stands beside its attributes."""
    if isinstance(body, Mapping):
        return name, {**attributes, **body}
    return name, attributes if body is None else {**attributes, "content": body}


def _with_body(about: Mapping[str, Any]) -> Mapping[str, Any]:
    """A log record that was written down as an event, as an export does, has its body as an attribute."""
    body = about.get("body")
    if body is None or (isinstance(values.decoded(body), dict) and not isinstance(body, Mapping)):
        return about  # an instrumentation that writes its event's body as JSON
    return log_event("", {key: value for key, value in about.items() if key != "body"}, body)[1]


def details(events: Iterable[Event]) -> dict[str, Any]:
    """The messages that an event holds as attributes."""
    details: dict[str, Any] = {}
    for name, about in events:
        if name == DETAILS:
            attributes = _with_body(about)
            details |= {key: attributes[key] for key in DETAILED if key in attributes}
    return details


def from_events(events: Sequence[Event]) -> tuple[Any, Any]:
    """Input and output as a span's events tell them; None where they do not."""
    inputs: list[Any] = []
    answers: list[Any] = []
    input = output = None
    for name, written in events:
        about = _with_body(written) if "body" in written else written
        if name in MESSAGES:
            inputs.append({"role": MESSAGES[name], **_body(about)})
        elif name == CHOICE:
            answers.append(_choice(_body(about)))
        elif name == PROMPT:
            input = input_messages(values.decoded(about.get("gen_ai.prompt")))
        elif name == COMPLETION:
            output = output_messages(values.decoded(about.get("gen_ai.completion")))
        elif name == TOOL_OUTPUT:
            output = next((values.settled(about[key]) for key in _TOOL_OUTPUTS if key in about), output)
        elif name == RESPONSE and about.get("content") == _RESPONSE_BODY:
            output = values.settled(about.get("response"))
    messages = chat.telling(chat.read(_in_parts(inputs))) if inputs else input
    return messages, chat.answer(chat.read(answers)) if answers else output


def _body(about: Mapping[str, Any]) -> dict[str, Any]:
    written = next((values.decoded(about[key]) for key in _BODY if key in about), None)
    parts = {
        key: values.decoded(value) if key in _STRUCTURED else values.settled(value)
        for key, value in about.items()
        if not key.startswith(("gen_ai.", "event."))
    }
    message = {**parts, **written} if isinstance(written, dict) else parts
    return {**message, _INDEX: about[_INDEX]} if _INDEX in about else message


def _choice(body: dict[str, Any]) -> dict[str, Any]:
    message = body.get("message")
    if isinstance(message, str):
        message = {"content": message}
    known = message if isinstance(message, dict) else body
    return {**{key: body[key] for key in ("tool_calls",) if key in body}, **known, "role": "assistant"}


def _in_parts(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events with one number belong to one message, as Pydantic AI writes an answer's text and its calls."""
    messages: list[dict[str, Any]] = []
    for message in events:
        index = message.pop(_INDEX, None)
        last = messages[-1] if messages else {}
        if index is not None and index == last.get(_INDEX) and message.get("role") == last.get("role") == "assistant":
            last |= {key: value for key, value in message.items() if value is not None}
        else:
            messages.append({**message, _INDEX: index})
    return [{key: value for key, value in message.items() if key != _INDEX} for message in messages]
