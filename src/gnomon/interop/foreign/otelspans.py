"""Spans that follow OpenTelemetry, whichever tool wrote them down: attributes, events and a status."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from gnomon.interop.conventions import Event, error_of, view
from gnomon.interop.conventions.signals import SCORE_LABEL, SCORE_NAME, SCORE_RATIONALE, SCORE_VALUE
from gnomon.interop.foreign.assembling import COST, SESSION, TAGS, USER, ForeignSpan, StepKind, number_of
from gnomon.interop.foreign.bundle import ForeignScore
from gnomon.interop.foreign.scores import score_of

Attributes = dict[str, Any]

OPENINFERENCE_TAGS = "tag.tags"
CONVERSATION = "gen_ai.conversation.id"
_HEX = re.compile(r"[0-9a-fA-F]+")
_BYTES = {32: 16, 16: 8}
_KINDS: dict[str | None, StepKind] = {"model_call": "model", "tool": "tool", "embedding": "embedding"}
_CODES = {0: "UNSET", 1: "OK", 2: "ERROR"}
_COSTS = ("llm.cost.total", "gen_ai.usage.cost")
_DEEPEST = 50


def hex_id(value: Any, digits: int) -> str | None:
    """An id as OpenTelemetry shows it: lower-case hex, also where it was written as base64; None for none."""
    if not isinstance(value, str) or not value.strip("0"):
        return None
    if len(value) == digits and _HEX.fullmatch(value):
        return value.lower()
    try:
        content = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return value
    return content.hex() if len(content) == _BYTES[digits] else value


def span_of(
    trace: str,
    id: str,
    parent: str | None,
    name: Any,
    times: tuple[datetime | None, datetime | None],
    attributes: Attributes,
    events: Sequence[Event] = (),
    status: tuple[Any, Any] = (None, None),
    scope: str = "",
) -> ForeignSpan:
    """The span with the view of it that its attributes give."""
    seen = view(name if isinstance(name, str) else "", scope, attributes, events)
    cost = next((attributes[key] for key in _COSTS if attributes.get(key) is not None), None)
    shown = {key: value for key, value in seen.metadata.items() if key != OPENINFERENCE_TAGS}
    more = {
        USER: seen.user_id, SESSION: seen.session_id, CONVERSATION: attributes.get(CONVERSATION),
        TAGS: attributes.get(OPENINFERENCE_TAGS), COST: number_of(cost),
    }  # fmt: skip
    shown |= {key: value for key, value in more.items() if value is not None}
    return ForeignSpan(
        trace, id, parent, name, *times, kind=_KINDS.get(seen.operation), input=seen.input, output=seen.output,
        model=seen.model, tokens_input=seen.tokens.input, tokens_output=seen.tokens.output,
        error=_error(status, events), metadata=shown,
    )  # fmt: skip


def events_of(value: Any) -> list[Event]:
    """Events as the tools' own JSON has them: {name, attributes}."""
    events = [event for event in value if isinstance(event, dict)] if isinstance(value, list) else []
    return [(str(event.get("name")), _object(event.get("attributes"))) for event in events]


def evaluation_score(about: Mapping[str, Any]) -> ForeignScore | None:
    """The score in an evaluation result; None where it has no name."""
    name, label = about.get(SCORE_NAME), about.get(SCORE_LABEL)
    value, rationale = about.get(SCORE_VALUE), about.get(SCORE_RATIONALE)
    if not isinstance(name, str) or not name:
        return None
    beside = {"label": label} if value is not None and label else None
    more = {"rationale": rationale if isinstance(rationale, str) else None, "metadata": beside}
    return score_of(name, label if value is None else value, **more)


def plain_attributes(listed: Any, depth: int = 0) -> Attributes:
    """OTLP's list of {key, value} as an object."""
    return {key: _plain_value(value, depth) for key, value in _pairs(listed)}


def _pairs(listed: Any) -> Iterator[tuple[str, Any]]:
    for value in listed if isinstance(listed, list) else ():
        if isinstance(value, dict) and isinstance(value.get("key"), str):
            yield value["key"], value.get("value")


def _plain_value(value: Any, depth: int) -> Any:
    """OTLP's AnyValue; Phoenix writes its keys in snake case, and those that are not set as null."""
    if depth > _DEEPEST:
        return f"nested deeper than {_DEEPEST} levels"
    for key, inner in _object(value).items():
        kind = key.replace("_", "").lower()
        if inner is None:
            continue
        if kind == "intvalue":
            return int(inner) if str(inner).lstrip("-").isdecimal() else inner
        if kind == "kvlistvalue":
            return plain_attributes(_object(inner).get("values"), depth + 1)
        if kind == "arrayvalue":
            values = _object(inner).get("values")
            return [_plain_value(element, depth + 1) for element in values] if isinstance(values, list) else []
        return inner
    return None


def _error(status: tuple[Any, Any], events: Sequence[Event]) -> Any:
    code, message = status
    words = _CODES.get(code, "UNSET") if isinstance(code, int) else str(code or "UNSET")
    return error_of(words.upper().removeprefix("STATUS_CODE_"), message if isinstance(message, str) else None, events)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
