"""Human scores of annotations: each has its author, and follows that author's newest annotation.

An annotation keeps what it scores. Of one person and one target the newest annotation holds, scorer by scorer, so that
undoing an annotation brings back what the one before it said.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from gnomon.service.call import Call
from gnomon.service.clock import created_ms
from gnomon.service.scoring.targets import Target
from gnomon.store import experiments, score_days, scores
from gnomon.store.rows import StoredScore
from gnomon.store.score_days import NewScore


class AuthoredScore(NamedTuple):
    """What an annotation scores, under the id that the score has while it holds."""

    score_id: str
    scorer_name: str
    value: float | None
    label: str | None
    rationale: str | None


def settle(
    call: Call, target: Target, author: str, annotations: Sequence[Sequence[AuthoredScore]], gone: Collection[str] = ()
) -> None:
    """Make the author's scores of a target what these annotations, the oldest first, say.

    `gone` are ids of scores that an annotation said before it was undone or corrected.
    """
    holding = {score.scorer_name: score for annotation in annotations for score in annotation}
    by_id = {score.score_id: score for score in holding.values()}
    known = {*gone, *(score.score_id for annotation in annotations for score in annotation)}
    stored = scores.by_ids(call.db, target.id, known)
    outdated = [row for row in stored if row.id not in by_id]
    scores.delete(call.db, outdated)
    score_days.take_out(
        call.db, [_number(target, row.scorer_name, row.value) for row in outdated if _counts(target, row.value)]
    )
    stored_ids = {row.id for row in stored}
    new = [score for id, score in by_id.items() if id not in stored_ids]
    _note_repeats(call, target, new)
    scores.add(call.db, [_row(target, author, score) for score in new])
    score_days.add(
        call.db, [_number(target, score.scorer_name, score.value) for score in new if _counts(target, score.value)]
    )


def _note_repeats(call: Call, target: Target, new: Sequence[AuthoredScore]) -> None:
    """An experiment remembers which scorers have several scores on one run."""
    if target.experiment_id is None or not new:
        return
    pairs = scores.already_scored(call.db, [(target.id, score.scorer_name) for score in new])
    if pairs:
        experiments.note_repeated(call.db, target.experiment_id, {name for _, name in pairs})


def _counts(target: Target, value: float | None) -> bool:
    """The daily sums take the numbers of spans."""
    return target.started_ms is not None and value is not None


def _number(target: Target, scorer_name: str, value: float | None) -> NewScore:
    return NewScore(target.project_id, scorer_name, None, target.model, target.started_ms or 0, value or 0.0)


def _row(target: Target, author: str, score: AuthoredScore) -> StoredScore:
    return StoredScore(
        id=score.score_id, project_id=target.project_id, target_type=target.type, target_id=target.id,
        trace_id=target.trace_id, experiment_id=target.experiment_id, dataset_item_id=target.dataset_item_id,
        scorer_name=score.scorer_name, value=score.value, label=score.label, rationale=score.rationale, source="human",
        scorer=None, config=None, config_hash=None, metadata=None, created_at=created_ms(score.score_id),
        author=author,
    )  # fmt: skip
