"""Iterations of one agent session together. An iteration without a score does not vote."""

from collections.abc import Sequence

from gnomon.errors import InvalidInput
from gnomon.model.outcome import BAND_UNSCORED, OutcomeScore, SessionIterRef, SessionScore
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.rubric import Rubric
from gnomon.outcome.signals import plain_mean


def aggregate_sessions(
    rubric: Rubric, records: Sequence[IterationRecord], scores: Sequence[OutcomeScore]
) -> list[SessionScore]:
    """One aggregate per session, by session id. `records` and `scores` belong together, one by one.

    A session carries the version of its scores, and all of them must have the same.
    """
    if len(records) != len(scores):
        return []
    members: dict[str, list[OutcomeScore]] = {}
    for record, score in zip(records, scores, strict=True):
        if record.agent.session_id:
            members.setdefault(record.agent.session_id, []).append(score)
    return [_session(rubric, id, of_session) for id, of_session in sorted(members.items())]


def _session(rubric: Rubric, id: str, scores: Sequence[OutcomeScore]) -> SessionScore:
    values = [score.value for score in scores if score.scored]
    versions = sorted({score.rubric_version for score in scores})
    if len(versions) > 1:
        words = f"session {id!r} has scores by {' and '.join(versions)}; score all of its iterations by one"
        raise InvalidInput.of("scores", words)
    value = plain_mean(values) if values else 0.0
    return SessionScore(
        session_id=id,
        rubric_version=versions[0],
        iterations=[score.iteration for score in scores],
        scored=bool(values),
        value=value,
        band=rubric.band(value) if values else BAND_UNSCORED,
        per_iteration=[
            SessionIterRef(
                iteration=score.iteration, scored=score.scored, value=score.value, band=score.band,
                provisional=score.scored and score.provisional,
            )
            for score in scores
        ],
    )  # fmt: skip
