"""Scores of other tools as scores of ours, and what an import counts."""

from collections import Counter
from typing import Any, Literal, Protocol

from gnomon.interop.foreign.bundle import ForeignScore
from gnomon.interop.jsontext import storable
from gnomon.model.fields import NAME_LIMIT, REASON_LIMIT
from gnomon.model.score import InlineScoreDraft
from gnomon.shorten import shorten

TargetAddress = tuple[str, str]
"""A span: the ids of its trace and its own."""
_LONGEST_RATIONALE = 100_000
_NO_REASON = "the file does not say why"


class CountsLike(Protocol):
    added: Counter[str]
    there: Counter[str]
    not_understood: Counter[str]


def score_draft(score: ForeignScore) -> InlineScoreDraft:
    """A foreign score as one of ours; what it was made of is in its metadata."""
    return InlineScoreDraft(**score_fields(score))


def score_fields(score: ForeignScore) -> dict[str, Any]:
    details = {"raw": score.raw, "low": score.low, "high": score.high, "direction": score.direction}
    metadata = {**(score.metadata or {}), **{key: value for key, value in details.items() if value is not None}}
    fields: dict[str, Any] = {"scorer_name": str(storable(score.name)).strip()[:NAME_LIMIT] or "score"}
    if score.value is not None:
        fields["value"] = storable(score.value)
    elif score.failed is not None:
        fields["failed"] = _reason(score.failed)
    else:
        fields["absent"] = _reason(score.absent)
    if score.rationale is not None:
        fields["rationale"] = str(storable(score.rationale))[:_LONGEST_RATIONALE]
    if metadata or score.metadata is not None:
        fields["metadata"] = storable(metadata)
    if score.source is not None:
        fields["source"] = score.source
    return fields


def _reason(text: str | None) -> str:
    text = str(storable(text or ""))
    return shorten(text if text.strip() else _NO_REASON, REASON_LIMIT)


def kind_of(score: ForeignScore | InlineScoreDraft) -> Literal["scores", "absent_scores"]:
    """The kind of result that a score is counted as."""
    return "scores" if score.value is not None else "absent_scores"
