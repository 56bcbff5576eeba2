"""What a span's status and events say: its error, and scores that travel with it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from gnomon.errors import GnomonError
from gnomon.interop.conventions.events import Event
from gnomon.interop.conventions.values import flat
from gnomon.interop.jsontext import storable
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import SpanError

SCORE = "gen_ai.evaluation.result"
"""The event that is a score of its span."""
SCORE_NAME = "gen_ai.evaluation.name"
SCORE_VALUE, SCORE_LABEL = "gen_ai.evaluation.score.value", "gen_ai.evaluation.score.label"
SCORE_RATIONALE = "gen_ai.evaluation.explanation"
SCORE_ABSENT, SCORE_FAILED, SCORE_METADATA = "gnomon.absent", "gnomon.failed", "gnomon.metadata"
EXCEPTION = "exception"


def error_of(status_code: str, status_message: str | None, events: Sequence[Event]) -> SpanError | None:
    """What went wrong: the exception that was recorded last, or what the status (UNSET, OK or ERROR) says."""
    status = status_code.upper().removeprefix("STATUS_CODE_")  # as OTLP spells it
    thrown = next((about for name, about in reversed(events) if name == EXCEPTION), None)
    if status == "OK" or (status != "ERROR" and thrown is None):
        return None
    about = thrown or {}
    message = about.get("exception.message") or status_message or about.get("exception.type") or "error"
    return SpanError(
        message=str(flat(message)),
        type=_text(about.get("exception.type")),
        stack=_text(about.get("exception.stacktrace")),
    )


class Scores(NamedTuple):
    """`left_out` counts the results that are none of ours, such as those on another scale."""

    taken: list[InlineScoreDraft]
    left_out: int


def scores_of(events: Sequence[Event]) -> Scores:
    """The scores that travel with the span; of two with one name the later one."""
    drafts = [_score(about) for name, about in events if name == SCORE]
    taken = {draft.scorer_name: draft for draft in drafts if draft is not None}
    return Scores(list(taken.values()), drafts.count(None))


def _score(about: Mapping[str, Any]) -> InlineScoreDraft | None:
    """None for an event that is not a score of ours: other programs have other scales, which is not for us to guess."""
    name, value = about.get(SCORE_NAME), about.get(SCORE_VALUE, about.get(SCORE_LABEL))
    result = {"value": value, "absent": about.get(SCORE_ABSENT), "failed": about.get(SCORE_FAILED)}
    fields = {
        field: flat(content) if isinstance(content, str) else content
        for field, content in result.items()
        if content is not None
    }
    metadata = about.get(SCORE_METADATA)
    if not isinstance(name, str) or not fields:
        return None
    try:
        return InlineScoreDraft(
            scorer_name=flat(name),
            **fields,
            rationale=_text(about.get(SCORE_RATIONALE)),
            metadata=None if metadata is None else storable(msgspec.json.decode(metadata)),
        )
    except (ValueError, TypeError, GnomonError):
        return None


def _text(value: Any) -> str | None:
    return str(flat(value)) if value else None
