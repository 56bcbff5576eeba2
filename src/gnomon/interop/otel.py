"""OpenTelemetry's spans as spans of ours: Gnomon's own, and those that instrumentations make.

Our own spans carry input, output and scores under the names below. Attributes that have a field of ours become it; all
others become metadata, which is flat: lists and maps travel as JSON text.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from gnomon.errors import GnomonError
from gnomon.interop.values import LONGEST_VALUE, cut, json_text, shown, storable
from gnomon.model import moment
from gnomon.model.fields import LARGEST_COUNT
from gnomon.model.jsonvalue import MAX_DEPTH, depth
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import SpanDraft, SpanError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import Event, ReadableSpan

INPUT, OUTPUT = "gnomon.input", "gnomon.output"
"""JSON text."""
MODEL = "gen_ai.request.model"
TOKENS_INPUT, TOKENS_OUTPUT = "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"
SCORE = "gen_ai.evaluation.result"
"""The event that is a score of its span."""
SCORE_NAME = "gen_ai.evaluation.name"
SCORE_VALUE, SCORE_LABEL = "gen_ai.evaluation.score.value", "gen_ai.evaluation.score.label"
SCORE_RATIONALE = "gen_ai.evaluation.explanation"
SCORE_ABSENT, SCORE_FAILED, SCORE_METADATA = "gnomon.absent", "gnomon.failed", "gnomon.metadata"

_MODEL = (MODEL, "gen_ai.response.model", "llm.model_name")
_TOKENS_INPUT = (TOKENS_INPUT, "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
_TOKENS_OUTPUT = (TOKENS_OUTPUT, "gen_ai.usage.completion_tokens", "llm.token_count.completion")
_INPUT_TEXT, _OUTPUT_TEXT = "input.value", "output.value"
_LONGEST_METADATA = 100_000
_NANOSECONDS = 1_000_000


def span_draft(span: "ReadableSpan") -> SpanDraft:
    """The span as native ingest takes it: where a clock was set back meanwhile, it ends when it started."""
    attributes, events = _attributes(span), span.events
    context, parent = span.get_span_context(), span.parent
    start, end = span.start_time or 0, span.end_time
    if context is None:
        raise ValueError("the span has no ids")
    fields: dict[str, Any] = {
        "input": _value(attributes, INPUT, _INPUT_TEXT),
        "output": _value(attributes, OUTPUT, _OUTPUT_TEXT),
        "model": _model(attributes),
        "tokens_input": _tokens(attributes, _TOKENS_INPUT),
        "tokens_output": _tokens(attributes, _TOKENS_OUTPUT),
        "error": _error(span, events),
        "scores": _scores(events) or None,
    }
    if end is not None:
        end = max(start, end)
        fields |= {"end_time": moment.from_ms(end // _NANOSECONDS), "duration_ms": (end - start) / _NANOSECONDS}
    if attributes:
        fields["metadata"] = {str(storable(key)): _flat(value) for key, value in attributes.items()}
    return SpanDraft(
        id=format(context.span_id, "016x"),
        trace_id=format(context.trace_id, "032x"),
        parent_span_id=None if parent is None else format(parent.span_id, "016x"),
        name=str(storable(span.name)) or "unnamed",
        start_time=moment.from_ms(start // _NANOSECONDS),
        **{name: value for name, value in fields.items() if value is not None},
    )


def _attributes(span: "ReadableSpan") -> dict[str, Any]:
    """A copy. The mapping's own method is many times as fast as `dict`, which asks for every key."""
    attributes = span.attributes or {}
    return dict(attributes.copy() if isinstance(attributes, MappingProxyType) else attributes)


def _value(attributes: dict[str, Any], own: str, foreign: str) -> Any:
    """Input or output: ours is JSON text; a provider with a limit on attributes may have cut it."""
    text = attributes.pop(own, None)
    if text is None:
        other = attributes.pop(foreign, None)
        return None if other is None else _flat(other, LONGEST_VALUE)
    try:
        value = msgspec.json.decode(text)
    except (ValueError, TypeError, RecursionError):
        return _flat(text, LONGEST_VALUE)
    return value if depth(value) <= MAX_DEPTH else cut(shown(value), LONGEST_VALUE)


def _model(attributes: dict[str, Any]) -> str | None:
    for name in _MODEL:
        if isinstance(attributes.get(name), str):
            return str(storable(attributes.pop(name)))
    return None


def _tokens(attributes: dict[str, Any], names: tuple[str, ...]) -> int | None:
    """A count that cannot be one stays metadata."""
    for name in names:
        count = attributes.get(name)
        if type(count) is int and 0 <= count <= LARGEST_COUNT:
            return int(attributes.pop(name))
    return None


def _flat(value: Any, longest: int = _LONGEST_METADATA) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str | int | float):
        clean = storable(value)
        return cut(clean, longest) if isinstance(clean, str) else clean
    return cut(json_text(value), longest)


# Errors


def _error(span: "ReadableSpan", events: Sequence["Event"]) -> SpanError | None:
    """What went wrong: the exception that was recorded last, or what the status says."""
    status = span.status.status_code.name
    thrown = next((event for event in reversed(events) if event.name == "exception"), None)
    if status == "OK" or (status == "UNSET" and thrown is None):
        return None
    about = _about(thrown)
    message = about.get("exception.message") or span.status.description or about.get("exception.type") or "error"
    return SpanError(
        message=str(_flat(message)),
        type=_text(about.get("exception.type")),
        stack=_text(about.get("exception.stacktrace")),
    )


def _about(event: "Event | None") -> Mapping[str, Any]:
    return (event.attributes if event is not None else None) or {}


def _text(value: Any) -> str | None:
    return str(_flat(value)) if value else None


# Scores


def _scores(events: Sequence["Event"]) -> list[InlineScoreDraft]:
    """The scores that travel with the span; of two with one name the later one."""
    drafts = (_score(_about(event)) for event in events if event.name == SCORE)
    return list({draft.scorer_name: draft for draft in drafts if draft is not None}.values())


def _score(about: Mapping[str, Any]) -> InlineScoreDraft | None:
    """None for an event that is no score of ours: other programs have other scales, which is not for us to guess."""
    name, value = about.get(SCORE_NAME), about.get(SCORE_VALUE, about.get(SCORE_LABEL))
    result = {"value": value, "absent": about.get(SCORE_ABSENT), "failed": about.get(SCORE_FAILED)}
    given = {name: one for name, one in result.items() if one is not None}
    metadata = about.get(SCORE_METADATA)
    if not isinstance(name, str) or not given:
        return None
    try:
        return InlineScoreDraft(
            scorer_name=name,
            **given,
            rationale=_text(about.get(SCORE_RATIONALE)),
            metadata=None if metadata is None else msgspec.json.decode(metadata),
        )
    except (ValueError, TypeError, GnomonError):
        return None
