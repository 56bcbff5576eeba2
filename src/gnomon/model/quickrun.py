"""Batches of runs and of scores, decoded in one step, as `quickspan.py` decodes spans.

Whatever is wrong, or only unusual, is answered with None: then the drafts in `experiment.py` and `score.py` look at it,
and say what is wrong. A property test holds the two to the same answers.
"""

from typing import Annotated, Any

import msgspec

from gnomon.model import jsonvalue
from gnomon.model.experiment import MAX_RUNS, MAX_TRIALS, RunDraft, RunError
from gnomon.model.fields import ID_LIMIT, NAME_LIMIT, REASON_LIMIT
from gnomon.model.quickspan import ProjectText
from gnomon.model.score import MAX_SCORES, InlineScoreDraft, ScoreDraft, Source, TargetType

_Id = Annotated[str, msgspec.Meta(min_length=1, max_length=ID_LIMIT)]
_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_LIMIT)]
_Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=REASON_LIMIT)]


class QuickScore(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A score inside a run, as `InlineScoreDraft` has it."""

    scorer_name: _Name
    scorer: _Name | None = None
    config: dict[str, Any] | None = None
    value: float | str | None = None
    absent: _Reason | None = None
    failed: _Reason | None = None
    rationale: str | None = None
    metadata: dict[str, Any] | None = None
    source: Source | None = None

    @property
    def is_computed(self) -> bool:
        return self.value is None and self.absent is None and self.failed is None

    def part(self, name: str) -> "QuickScore":
        return msgspec.structs.replace(self, scorer_name=name, config=None)


class QuickRun(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A run as `RunDraft` has it."""

    dataset_item_id: Annotated[str, msgspec.Meta(min_length=1)]
    trial: Annotated[int, msgspec.Meta(ge=0, le=MAX_TRIALS)] = 0
    output: Any = None
    error: Any = None
    trace_id: _Id | None = None
    scores: list[QuickScore] | None = None


class QuickRuns(msgspec.Struct, forbid_unknown_fields=True):
    """A batch as `RunsDraft` has it."""

    runs: Annotated[list[QuickRun], msgspec.Meta(min_length=1, max_length=MAX_RUNS)]
    replace_failed: bool = False


class QuickTargetScore(QuickScore, forbid_unknown_fields=True, kw_only=True, gc=False):
    """A score with what it is attached to, as `ScoreDraft` has it."""

    target_id: Annotated[str, msgspec.Meta(min_length=1)]
    target_type: TargetType
    trace_id: _Id | None = None
    project_id: ProjectText | None = None


class QuickScores(msgspec.Struct, forbid_unknown_fields=True):
    """A batch as `ScoreBatchDraft` has it."""

    scores: Annotated[list[QuickTargetScore], msgspec.Meta(min_length=1, max_length=MAX_SCORES)]


ArrivedScore = InlineScoreDraft | QuickScore
ArrivedTargetScore = ScoreDraft | QuickTargetScore
ArrivedRun = RunDraft | QuickRun
"""What came in, decoded either way."""

_decode_runs = msgspec.json.Decoder(QuickRuns).decode
_decode_scores = msgspec.json.Decoder(QuickScores).decode


def decode(body: bytes) -> QuickRuns | None:
    """The runs, or None when the drafts should look at them."""
    if jsonvalue.is_suspicious(body):
        return None
    try:
        batch = _decode_runs(body)
        for run in batch.runs:
            _settle(run)
    except (ValueError, RecursionError):  # msgspec's errors and pydantic's are ValueErrors
        return None
    return batch


def decode_scores(body: bytes) -> QuickScores | None:
    """The scores, or None when the drafts should look at them."""
    if jsonvalue.is_suspicious(body):
        return None
    try:
        batch = _decode_scores(body)
        for score in batch.scores:
            _settle_id(score.trace_id)
            _settle_score(score)
    except (ValueError, RecursionError):
        return None
    return batch


def _settle_id(id: str | None) -> None:
    if id is not None and (not id.isprintable() or "/" in id):
        raise ValueError("not an id")


def _settle(run: QuickRun) -> None:
    """What a type cannot say; raises ValueError where the drafts have to decide."""
    if (run.output is None) == (run.error is None):
        raise ValueError("neither or both of output and error")
    _settle_id(run.trace_id)
    jsonvalue.not_too_deep(run.output)
    if run.error is not None:
        run.error = RunError.model_validate(run.error)
    for score in run.scores or ():
        _settle_score(score)


def _settle_score(score: QuickScore) -> None:
    value = score.value
    if score.scorer_name.isspace() or value == "" or (type(value) is float and not 0 <= value <= 1):
        raise ValueError("no name, no label, or out of range")
    if score.scorer is not None and score.scorer.isspace():
        raise ValueError("no name")
    if score.absent is not None or score.failed is not None:
        reasons = [reason for reason in (score.absent, score.failed) if reason is not None]
        if value is not None or len(reasons) > 1 or reasons[0].isspace():
            raise ValueError("several results, or no reason")
    if score.config is not None:
        jsonvalue.not_too_deep(score.config)
    if score.metadata is not None:
        jsonvalue.not_too_deep(score.metadata)
