"""The runs of an experiment that a job scores, a piece at a time.

A piece is read first, and its rules are computed while nothing is locked. The transaction that stores it only looks
whether the piece is still the same: of runs, only those that failed can change, by being replaced.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from gnomon.scorers import ModelScorer, RuleScorer, Sample
from gnomon.service.call import Call
from gnomon.service.jobs.pieces import Piece
from gnomon.service.scoring import attach, scoring
from gnomon.service.scoring.measuring import Measured, ScoreToCompute
from gnomon.service.scoring.scoring import Planned
from gnomon.service.scoring.spanjobs import became
from gnomon.service.scoring.targets import Target
from gnomon.store import experiments, jobs, scores
from gnomon.store.experiments import RunTexts
from gnomon.store.rows import JobRow

MOST_TOGETHER = 4000
"""Runs of a piece, where they are only computed on; a judge's are written as jobs, which takes longer."""
MOST_CHARACTERS = 32_000_000
_READ_TOGETHER = 500


class Changed(Exception):
    """A piece is not what it was when it was read: it has to be read and measured again."""


@dataclass(frozen=True, slots=True)
class RunPiece:
    """The next runs of a job, as they were read."""

    after: str
    """Where the job stood."""
    targets: Sequence[Target]
    known: Sequence[set[str]]
    """Of each scorer, the ids of the runs that need no score by it."""
    is_last: bool

    @property
    def last_id(self) -> str:
        return self.targets[-1].id if self.targets else self.after

    def questions(self, at: int, planned: Planned) -> list[ScoreToCompute]:
        """What the scorer at this place of the job's list is to look at; nothing where it is a judge."""
        rule, known = planned.scorer, self.known[at]
        if not isinstance(rule, RuleScorer):
            return []
        return [ScoreToCompute(rule, target.sample, target.error) for target in self.targets if target.id not in known]


def read(call: Call, job: JobRow, plans: Sequence[Planned], most: int) -> RunPiece:
    """The next runs of a job, at most so many."""
    after = job.position or ""
    rows, is_last = _rows(call, job.experiment_id or "", after, most)
    decode = msgspec.json.decode
    targets = []
    for id, project_id, item_id, output, error, item_input, expected in rows:
        sample = Sample(
            None if item_input is None else decode(item_input),
            None if output is None else decode(output),
            None if expected is None else decode(expected),
        )
        failed = None if error is None else str(decode(error)["message"])
        targets.append(Target(project_id, "run", id, sample, None, job.experiment_id, item_id, failed))
    ids = [target.id for target in targets]
    known = [_known(call, job, planned, ids) if _may_be_known(job, planned) else set() for planned in plans]
    return RunPiece(after, targets, known, is_last)


def _may_be_known(job: JobRow, planned: Planned) -> bool:
    """Whether to check for existing scores before runs are measured.

    While none had one, the next have none either, and a rule is measured sooner than looked up; `store` looks anyway.
    """
    return not job.position or job.counts.get("skipped", 0) > 0 or isinstance(planned.scorer, ModelScorer)


def _rows(call: Call, experiment_id: str, after: str, most: int) -> tuple[list[RunTexts], bool]:
    """Runs, as many as are allowed and fit in memory, and whether they are the last."""
    rows: list[RunTexts] = []
    characters = 0
    while len(rows) < most and characters < MOST_CHARACTERS:
        limit = min(_READ_TOGETHER, most - len(rows))
        part = experiments.run_texts_after(call.db, experiment_id, rows[-1].id if rows else after, limit)
        rows += part
        if len(part) < limit:
            return rows, True
        characters += sum(len(row.output or "") + len(row.input or "") + len(row.expected_output or "") for row in part)
    return rows, False


def _known(call: Call, job: JobRow, planned: Planned, ids: Sequence[str]) -> set[str]:
    """The runs that need no score: they have one of that name, or a judge is about to give it."""
    if not job.payload["only_missing"]:
        return set()
    name = planned.draft.scorer_name
    known = scores.runs_scored_by(call.db, name, ids)
    if isinstance(planned.scorer, ModelScorer):
        known |= jobs.open_targets(call.db, name, planned.config_hash or "", ids)
    return known


def store(
    call: Call, job: JobRow, plans: Sequence[Planned], piece: RunPiece, measured: Sequence[Sequence[Measured]]
) -> Piece:
    """Store the results of a piece. Raises `Changed` where it no longer holds."""
    _refuse_changed(call, job, piece)
    counts: Counter[str] = Counter()
    ids = [target.id for target in piece.targets]
    for planned, known, values in zip(plans, piece.known, measured, strict=True):
        known_now = _known(call, job, planned, ids)
        if not known <= known_now:
            raise Changed
        targets = [target for target in piece.targets if target.id not in known]
        results = _keep(call, job, planned, targets, values, known_now - known)
        counts.update(map(became, results))
        counts["skipped"] += len(ids) - len(results)
        counts.pop("queued", None)  # those are counted as the jobs that they are
    return Piece(counts, piece.last_id, piece.is_last)


def _refuse_changed(call: Call, job: JobRow, piece: RunPiece) -> None:
    failed = {target.id: target.error for target in piece.targets if target.error is not None}
    # Held until the end of the transaction, so that nobody replaces them meanwhile.
    held = experiments.runs_by_id(call.db, failed) if failed else []
    unchanged = all(row.error is not None and str(row.error["message"]) == failed[row.id] for row in held)
    count = experiments.count_runs(call.db, job.experiment_id or "", piece.after, piece.last_id)
    if not unchanged or (job.position or "") != piece.after or count != len(piece.targets):
        raise Changed


def _keep(
    call: Call, job: JobRow, planned: Planned, targets: Sequence[Target], values: Sequence[Measured], gained: set[str]
) -> Sequence[attach.ScoreOutcome]:
    """Store the scores of one scorer but for runs that gained one since they were read."""
    work = [(target, planned) for target in targets]
    if isinstance(planned.scorer, ModelScorer):
        unscored = [pair for pair in work if pair[0].id not in gained]
        return attach.carry_out(call, unscored, job_id=job.id, no_cache=job.payload.get("no_cache", False))
    if gained:
        kept = [(pair, value) for pair, value in zip(work, values, strict=True) if pair[0].id not in gained]
        work, values = [pair for pair, _ in kept], [value for _, value in kept]
    return scoring.keep(call, work, values, job_id=job.id, unscored=job.payload["only_missing"])
