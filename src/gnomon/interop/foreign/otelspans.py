"""Spans that follow OpenTelemetry, whichever tool wrote them down: attributes, events and a status."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from gnomon.interop import otel
from gnomon.interop.foreign.assembling import COST, Assembler, ToldSpan, error_of, number_of
from gnomon.interop.foreign.chat import answer_of_model, asked_of_model
from gnomon.interop.foreign.exports import decoded
from gnomon.interop.foreign.scores import score_of
from gnomon.model.trace import SpanError

Attributes = dict[str, Any]
Event = Mapping[str, Any]
"""{name, attributes}"""

_HEX = re.compile(r"[0-9a-fA-F]+")
_BYTES = {32: 16, 16: 8}
_KIND = ("openinference.span.kind", "mlflow.spanType", "gen_ai.operation.name", "traceloop.span.kind")
_KINDS: dict[str, Any] = {
    "llm": "model", "chat": "model", "chat_model": "model", "text_completion": "model", "generate_content": "model",
    "completion": "model", "tool": "tool", "execute_tool": "tool", "embedding": "embedding", "embeddings": "embedding",
}  # fmt: skip
_MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "mlflow.llm.model")
_INPUT = ("gen_ai.input.messages", "gnomon.input", "input.value", "mlflow.spanInputs", "gen_ai.tool.call.arguments")
_OUTPUT = ("gen_ai.output.messages", "gnomon.output", "output.value", "mlflow.spanOutputs", "gen_ai.tool.call.result")
_TOKENS_INPUT = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
_TOKENS_OUTPUT = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
_COSTS = ("llm.cost.total", "gen_ai.usage.cost")


def hex_id(told: Any, digits: int) -> str | None:
    """An id as OpenTelemetry shows it: lower-case hex, also where it was written as base64; None for none."""
    if not isinstance(told, str) or not told.strip("0"):
        return None
    if len(told) == digits and _HEX.fullmatch(told):
        return told.lower()
    try:
        content = base64.b64decode(told, validate=True)
    except (binascii.Error, ValueError):
        return told
    return content.hex() if len(content) == _BYTES[digits] else told


def span_of(
    trace: str,
    id: str,
    parent: str | None,
    name: Any,
    times: tuple[datetime | None, datetime | None],
    attributes: Attributes,
    events: Sequence[Event] = (),
    status: tuple[Any, Any] = (None, None),
) -> ToldSpan:
    """The span with the view of it that its attributes give."""
    about = dict(attributes)
    kind = _KINDS.get(str(_first(about, _KIND)).strip('"').lower())
    span = ToldSpan(trace, id, parent, name, *times, kind=kind, error=_error(status, events))
    given, came_out = _side(about, "input"), _side(about, "output")
    if kind == "model":
        span.input, beside = asked_of_model(given)
        span.output = answer_of_model(came_out)
        about |= {f"input.{key}": value for key, value in beside.items()}
    else:
        span.input, span.output = given, came_out
    span.model = _popped(about, _MODEL)
    if kind in ("model", "embedding"):
        usage = decoded(about.get("mlflow.chat.tokenUsage"))
        usage = usage if isinstance(usage, dict) else {}
        span.tokens_input = _popped(about, _TOKENS_INPUT) or usage.get("input_tokens")
        span.tokens_output = _popped(about, _TOKENS_OUTPUT) or usage.get("output_tokens")
    cost = _first(about, _COSTS)
    about[COST] = number_of(cost)
    span.metadata = about
    return span


def add_scores(assembler: Assembler, trace: str, span: str, events: Sequence[Event]) -> None:
    """Evaluation results that stand on the span as events."""
    for event in events:
        about = event.get("attributes")
        if event.get("name") == otel.SCORE and isinstance(about, Mapping):
            add_score(assembler, trace, span, about)


def add_score(assembler: Assembler, trace: str, span: str | None, about: Mapping[str, Any]) -> None:
    name, label = about.get(otel.SCORE_NAME), about.get(otel.SCORE_LABEL)
    value, rationale = about.get(otel.SCORE_VALUE), about.get(otel.SCORE_RATIONALE)
    if isinstance(name, str) and name:
        beside = {"label": label} if value is not None and label else None
        more = {"rationale": rationale if isinstance(rationale, str) else None, "metadata": beside}
        assembler.score(trace, span, score_of(name, label if value is None else value, **more))


def plain_attributes(listed: Any) -> Attributes:
    """OTLP's list of {key, value} as an object."""
    pairs = listed if isinstance(listed, list) else []
    return {
        one["key"]: plain_value(one.get("value"))
        for one in pairs
        if isinstance(one, dict) and isinstance(one.get("key"), str)
    }


def plain_value(value: Any, depth: int = 0) -> Any:
    """OTLP's AnyValue; some write its keys in snake case, and those that are not set as null."""
    if not isinstance(value, dict) or depth > 50:
        return None
    for key, inner in value.items():
        kind = key.replace("_", "").lower()
        if inner is None:
            continue
        if kind == "intvalue":
            return int(inner) if isinstance(inner, int | str) and str(inner).lstrip("-").isdigit() else inner
        if kind in ("arrayvalue", "kvlistvalue"):
            values = inner.get("values") if isinstance(inner, dict) else None
            if kind == "kvlistvalue":
                return plain_attributes_at(values, depth + 1)
            return [plain_value(one, depth + 1) for one in values] if isinstance(values, list) else []
        if kind in ("stringvalue", "boolvalue", "doublevalue", "bytesvalue"):
            return inner
    return None


def plain_attributes_at(listed: Any, depth: int) -> Attributes:
    pairs = listed if isinstance(listed, list) else []
    return {str(one.get("key")): plain_value(one.get("value"), depth) for one in pairs if isinstance(one, dict)}


def _side(about: Attributes, side: str) -> Any:
    """What went in or came out: numbered attributes of messages, or one attribute."""
    messages = list(_numbered(about, f"llm.{side}_messages."))
    for key in _INPUT if side == "input" else _OUTPUT:
        if messages:
            break
        if (value := about.get(key)) is not None:
            del about[key]
            return _json(value)
    return messages or None


def _numbered(about: Attributes, prefix: str) -> Iterator[dict[str, Any]]:
    """OpenInference's messages: `llm.input_messages.0.message.role` and so on."""
    tree: dict[str, Any] = {}
    for key in [key for key in about if key.startswith(prefix)]:
        *path, last = key.removeprefix(prefix).split(".")[:20]
        at, value = tree, about.pop(key)
        for step in path:
            inner = at.setdefault(step, {})
            at = inner if isinstance(inner, dict) else {}
        at[last] = value
    for number in sorted(tree, key=lambda key: int(key) if key.isdecimal() else 0):
        message = tree[number].get("message") if isinstance(tree[number], dict) else None
        if isinstance(message, dict):
            yield _message(message)


def _message(told: dict[str, Any]) -> dict[str, Any]:
    message = {key: value for key, value in told.items() if key not in ("tool_calls", "contents")}
    calls = told.get("tool_calls")
    if isinstance(calls, dict):
        found = [call.get("tool_call") for call in calls.values() if isinstance(call, dict)]
        message["tool_calls"] = [call for call in found if isinstance(call, dict)]
    contents = told.get("contents")
    if isinstance(contents, dict):
        parts = [one.get("message_content") for one in contents.values() if isinstance(one, dict)]
        message["content"] = [part for part in parts if isinstance(part, dict)]
    return message


def _json(value: Any) -> Any:
    """The value of a JSON text; MLflow writes plain texts as JSON too."""
    if isinstance(value, str) and value[:1] == '"' == value[-1:] and len(value) > 1:
        inner = decoded(f"[{value}]")
        return inner[0] if isinstance(inner, list) and len(inner) == 1 else value
    return decoded(value)


def _error(status: tuple[Any, Any], events: Sequence[Event]) -> SpanError | None:
    code, message = status
    is_error = code == 2 or (isinstance(code, str) and code.upper().endswith("ERROR"))
    is_ok = code == 1 or (isinstance(code, str) and code.upper().endswith("OK"))
    thrown = next((event for event in reversed(events) if event.get("name") == "exception"), None)
    if is_ok or (not is_error and thrown is None):
        return None
    about = thrown.get("attributes") if thrown else None
    about = about if isinstance(about, Mapping) else {}
    told = {
        "message": about.get("exception.message") or message or about.get("exception.type") or "error",
        "type": about.get("exception.type"),
        "stack": about.get("exception.stacktrace"),
    }
    return error_of(told)


def _first(about: Attributes, names: tuple[str, ...]) -> Any:
    return next((about[name] for name in names if about.get(name) is not None), None)


def _popped(about: Attributes, names: tuple[str, ...]) -> Any:
    name = next((name for name in names if about.get(name) is not None), None)
    return None if name is None else _json(about.pop(name))
