"""Jobs: accepted now, finished later, whatever dies in between."""

import logging
import math
import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from math import fsum
from types import MappingProxyType
from typing import Any

from gnomon.collector import collector_paused
from gnomon.errors import GnomonError, InvalidInput, Refused
from gnomon.model.experiment import ScoreExperimentDraft
from gnomon.model.job import Job, JobAccepted, JobKindSummary, JobsSummary, JobStatus
from gnomon.model.moment import to_ms
from gnomon.scorers import ModelScorer
from gnomon.service.call import Call, Listing, listing, project_in_scope, visible
from gnomon.service.clock import Clock
from gnomon.service.experiments import experiments
from gnomon.service.jobs import runpieces
from gnomon.service.jobs.failures import failure_line
from gnomon.service.jobs.pieces import Piece
from gnomon.service.jobs.runpieces import RunPiece
from gnomon.service.jobs.workerstore import WorkerStore
from gnomon.service.judges import judging
from gnomon.service.scoring import measuring, spanjobs
from gnomon.service.scoring.measuring import KnownMeasurements, Measured, ScoreToCompute
from gnomon.service.scoring.scoring import Planned
from gnomon.service.traces import metadata, rules, textsearch
from gnomon.service.upkeep import removing, retention
from gnomon.stats.describe import round_shown
from gnomon.store import jobs as store
from gnomon.store import quiet, removals, scores
from gnomon.store import retention as retention_store
from gnomon.store.engine import Store, Transaction
from gnomon.store.pages import Slice
from gnomon.store.rows import JobRow

log = logging.getLogger("gnomon.jobs")

SCORE_EXPERIMENT = "score_experiment"
KINDS = (SCORE_EXPERIMENT, spanjobs.KIND, metadata.KIND, textsearch.KIND)
STATUSES: tuple[JobStatus, ...] = ("queued", "running", "done", "failed", "cancelled")
MOST_TOGETHER = 500
LEAST_TOGETHER = 4
"""A piece is as many targets as are scored in about a second, so that a costly job lets others have their turn."""
PIECE_SECONDS = 1.0
SHRINK, GROW = 0.5, 16.0
"""How far the number of targets in a piece may change from one piece to the next, to come nearer to that time."""
POLL_SECONDS = 1.0


def work_is_open(database: Store) -> bool:
    """Whether any job is not ended, whoever holds it, something will be due once it is quiet, enough traces wait
    to be indexed, or something is to be removed."""
    now = Clock().now()
    return database.read(
        lambda db: (
            store.any_open(db)
            or removals.any_left(db)
            or retention_store.any_due(db, now)
            or quiet.any_waiting(db)
            or database.spans.texts_are_pending(db, textsearch.WORTH_A_WORKER)
        )
    )


def score_experiment(
    call: Call, experiment_id: str, draft: ScoreExperimentDraft, plans: Sequence[Planned] | None = None
) -> JobAccepted:
    """Accept a list of built-in scorers to run over an experiment's runs."""
    plans = plans or spanjobs.plan_all(draft.scorers)
    row = experiments.row(call, experiment_id)
    judging.refuse_unavailable(plans)
    id, now = call.clock.new_id(), call.clock.now()
    payload = {
        "scorers": [spec.model_dump() for spec in draft.scorers],
        "only_missing": draft.only_missing,
        "no_cache": draft.no_cache,
    }
    job = store.NewJob(
        id=id, project_id=row.project_id, kind=SCORE_EXPERIMENT, payload=payload, total=row.run_count * len(plans),
        created_at=now, experiment_id=experiment_id,
    )  # fmt: skip
    store.add(call.db, [job])
    return JobAccepted(job_id=id)


def get(call: Call, id: str) -> Job:
    row = visible(call.principal, store.get(call.db, id), f"job {id!r}")
    return _noun(row, {} if row.kind == judging.KIND else store.children(call.db, id))


def all_of(call: Call, project_id: str | None, status: str | None, page: Slice) -> Listing[Job]:
    if status is not None and status not in STATUSES:
        raise InvalidInput.of("status", f"status is {status!r}; it is one of {', '.join(STATUSES)}")
    rows = store.page(call.db, project_in_scope(call.principal, project_id), status, page)
    parts = store.children_of(call.db, [row.id for row in rows if row.kind != judging.KIND])
    return listing(rows, page, lambda row: _noun(row, parts.get(row.id, {})), lambda row: (row.id,))


def summary(call: Call, project_id: str | None) -> JobsSummary:
    """How many jobs there are by status, altogether and by kind, and what they cost."""
    project_id = project_in_scope(call.principal, project_id)
    by_kind: dict[str, list[store.JobGroup]] = {}
    for group in store.groups(call.db, project_id):
        by_kind.setdefault(group.kind, []).append(group)
    return JobsSummary(
        project_id=project_id, **_sums([group for groups in by_kind.values() for group in groups]),
        by_kind=[JobKindSummary(kind=kind, **_sums(groups)) for kind, groups in sorted(by_kind.items())],
    )  # fmt: skip


def _sums(groups: Sequence[store.JobGroup]) -> dict[str, Any]:
    counts = dict.fromkeys(STATUSES, 0)
    for group in groups:
        counts[group.status] += group.jobs
    cost = fsum(group.cost_usd or 0.0 for group in groups)
    return {"counts": counts, "cost_usd": round_shown(cost), "unpriced_count": sum(int(g.unpriced) for g in groups)}


def retry(call: Call, id: str) -> Job:
    """Queue a failed or cancelled job again."""
    row = visible(call.principal, store.get(call.db, id, lock=True), f"job {id!r}")
    if row.status not in ("failed", "cancelled"):
        raise Refused(
            f"job {id!r} is {row.status}; only a failed or cancelled one can be retried", code="JOB_NOT_RETRYABLE"
        )
    now = call.clock.now()
    store.requeue(call.db, id, now)
    store.requeue_children(call.db, id, now)
    scores.requeue_states(call.db, id, to_ms(now))
    return get(call, id)


def cancel(call: Call, id: str) -> Job:
    """Stop an open job; what it has stored already stays."""
    row = visible(call.principal, store.get(call.db, id, lock=True), f"job {id!r}")
    if row.status not in ("queued", "running"):
        raise Refused(f"job {id!r} is {row.status}; there is nothing left to cancel", code="JOB_NOT_CANCELLABLE")
    now = call.clock.now()
    store.finish(call.db, id, now, "cancelled")
    store.end_children(call.db, id, now)
    scores.cancel_states(call.db, id, to_ms(now))
    return get(call, id)


class Worker:
    """Takes jobs from the table until it is stopped. Any number may run, in any process."""

    def __init__(
        self,
        database: Store,
        clock: Clock,
        arrived: threading.Event | None = None,
        on_idle: Callable[[], object] = bool,
    ) -> None:
        self._database, self._clock, self._on_idle = database, clock, on_idle
        self._new_call = WorkerStore(database, clock).call
        self._arrived = arrived or threading.Event()
        self._stopping = False
        self._failures = failure_line(log)
        self._together = LEAST_TOGETHER
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{clock.new_id()}"

    def serve(self) -> None:
        """Work, and wait for work: woken by `arrived`, or by the poll for jobs of other processes."""
        while not self._stopping:
            self._arrived.clear()
            try:
                worked = self.run_one()
            except Exception:  # the database may be away; the next round tells
                log.exception("the worker could not reach its jobs")
                worked = False
            self._failures.flush(time.monotonic())
            if not worked and not self._stopping:
                self._on_idle()
                self._arrived.wait(POLL_SECONDS)
        self._failures.flush(math.inf)

    def wake(self) -> None:
        self._arrived.set()

    def stop(self) -> None:
        self._stopping = True
        self._arrived.set()

    def run_one(self) -> bool:
        """Claim one job and finish it. False when nothing was due."""
        self._index_pending()
        self._remove_some()
        if self._database.read(lambda db: quiet.any_due(db, self._clock.now())):
            self._database.write(lambda db: rules.release_quiet(self._new_call(db)))
        if not self._database.read(lambda db: store.something_due(db, self._clock.now(), KINDS)):
            return False
        job = self._database.write(self._claim)
        if job is None or isinstance(job, str):
            if job is not None:
                self._fail(job, judging.USED_UP)
            return job is not None
        try:
            plans = spanjobs.plans_of(job)
            while self._score_piece(job, plans):
                if self._stopping or self._others_wait():
                    self._make_way(job.id)
                    break
        except _Stopped:
            self._make_way(job.id)
        except _LeaseLost:
            log.info("job %s was cancelled or is another worker's by now", job.id)
        except GnomonError as refusal:
            self._fail(job.id, refusal.message)
        except Exception as fault:
            log.exception("job %s crashed", job.id)
            self._fail(job.id, f"crashed: {type(fault).__name__}")
        return True

    def _index_pending(self) -> None:
        """Index the traces that arrived for the text search."""
        spans, most = self._database.spans, textsearch.PENDING_TOGETHER
        while not self._stopping and self._database.read(spans.texts_are_pending):
            if self._database.write(lambda db: spans.fold_texts(db, most)) < most:
                return

    def _remove_some(self) -> None:
        """Remove what was deleted and what is too old, for about a second: scoring goes on between two such turns."""
        until = time.monotonic() + PIECE_SECONDS
        while not self._stopping and time.monotonic() < until and self._database.read(self._something_to_remove):
            began = time.monotonic()
            if self._database.write(lambda db: removals.next_batch(db, self._database.spans)) is None:
                self._database.write(lambda db: retention.next_piece(self._new_call(db)))
            removing.make_room(time.monotonic() - began)

    def _something_to_remove(self, db: Transaction) -> bool:
        return removals.any_left(db) or retention_store.any_due(db, self._clock.now())

    def _claim(self, db: Transaction) -> JobRow | str | None:
        """The next job, or the id of one whose attempts are used up."""
        now = self._clock.now()
        return store.claim(db, self.owner, now, KINDS) or store.claim_used_up(db, self.owner, now, KINDS)

    def _others_wait(self) -> bool:
        return self._database.read(lambda db: store.something_due(db, self._clock.now(), KINDS))

    def _make_way(self, id: str) -> None:
        """Put the job at the end of the queue: a long job must not hold up spans that come in meanwhile."""
        self._database.write(lambda db: store.release_uncounted(db, [id], self.owner, due_at=self._clock.now()))

    def _fail(self, id: str, reason: str) -> None:
        self._database.write(lambda db: store.finish(db, id, self._clock.now(), "failed", reason, owner=self.owner))
        self._failures.note({"job_id": id, "reason": reason}, time.monotonic())

    def _score_piece(self, job: JobRow, plans: Sequence[Planned]) -> bool:
        """Score the next targets of a job, and choose how many the next ones are by how long these took."""
        began = time.monotonic()
        with self._lease_kept(job.id):
            more = self._next_piece(job, plans)
        fits = PIECE_SECONDS / max(time.monotonic() - began, 0.001)
        more_or_fewer = int(self._together * min(max(fits, SHRINK), GROW))
        self._together = min(max(more_or_fewer, LEAST_TOGETHER), runpieces.MOST_TOGETHER)
        return more

    def _next_piece(self, job: JobRow, plans: Sequence[Planned]) -> bool:
        if job.kind == metadata.KIND:
            return self._database.write(partial(self._index_piece, job.id))
        if job.kind == textsearch.KIND:
            return self._database.write(partial(self._text_piece, job.id))
        return self._spans_piece(job.id, plans) if job.kind == spanjobs.KIND else self._runs_piece(job.id, plans)

    def _index_piece(self, id: str, db: Transaction) -> bool:
        job = self._held(db, id)
        return self._advance(db, job, metadata.index_next(self._new_call(db), job, runpieces.MOST_TOGETHER))

    def _text_piece(self, id: str, db: Transaction) -> bool:
        job = self._held(db, id)
        return self._advance(db, job, textsearch.next_piece(self._new_call(db), job))

    def _spans_piece(self, id: str, plans: Sequence[Planned]) -> bool:
        def work(db: Transaction, measured: KnownMeasurements) -> bool:
            job, call = self._held(db, id), self._new_call(db, measured)
            return self._advance(db, job, spanjobs.next_piece(call, job, plans, min(self._together, MOST_TOGETHER)))

        return measuring.write(self._database, work, self._measure)

    def _runs_piece(self, id: str, plans: Sequence[Planned]) -> bool:
        most = self._together
        if any(isinstance(planned.scorer, ModelScorer) for planned in plans):
            most = min(most, MOST_TOGETHER)
        while True:
            with collector_paused():
                piece = self._database.read(
                    lambda db: runpieces.read(self._new_call(db), self._held(db, id), plans, most)
                )
                results = [self._measure(piece.questions(at, planned)) for at, planned in enumerate(plans)]
                try:
                    return self._database.write(partial(self._store_runs, id, plans, piece, results))
                except runpieces.Changed:
                    log.info("runs of job %s changed while they were scored; they are scored again", id)

    def _store_runs(
        self, id: str, plans: Sequence[Planned], piece: RunPiece, results: Sequence[Sequence[Measured]], db: Transaction
    ) -> bool:
        job = self._held(db, id)
        return self._advance(db, job, runpieces.store(self._new_call(db), job, plans, piece, results))

    def _measure(self, questions: Sequence[ScoreToCompute]) -> list[Measured]:
        def look(_: int) -> None:
            if self._stopping:
                raise _Stopped("the worker is stopping")

        return measuring.at_once(questions, look)

    @contextmanager
    def _lease_kept(self, id: str) -> Iterator[None]:
        """However long the scorers take, the job stays ours."""
        done = threading.Event()

        def renew() -> None:
            while not done.wait(store.LEASE.total_seconds() / 3):
                with suppress(GnomonError):  # the database is away; the piece will tell
                    self._database.write(lambda db: store.renew(db, [id], self.owner, self._clock.now()))

        renewing = threading.Thread(target=renew, name="gnomon-lease", daemon=True)
        renewing.start()
        try:
            yield
        finally:
            done.set()
            renewing.join()

    def _held(self, db: Transaction, id: str) -> JobRow:
        job = store.get(db, id)
        if job is None:
            raise _LeaseLost
        return job

    def _advance(self, db: Transaction, job: JobRow, piece: Piece) -> bool:
        """Write down how far a job came, in the transaction that stores the piece. Whether there is more."""
        counts = Counter(job.counts)
        counts.update(piece.counts)
        if not store.advance(db, job.id, self.owner, self._clock.now(), position=piece.position, counts=dict(counts)):
            raise _LeaseLost
        if piece.is_last:
            store.end_or_wait(db, job.id, self._clock.now(), counts.total())
        return not piece.is_last


class _LeaseLost(Exception):
    """This worker lost the job: its piece is rolled back, and the holder goes on."""


class _Stopped(GnomonError):
    """A piece is aborted because its worker stops; the next worker computes it again."""


def _noun(row: JobRow, children: Mapping[str, int] = MappingProxyType({})) -> Job:
    counts = Counter(row.counts)
    counts.update(children)
    return Job(
        id=row.id, project_id=row.project_id, kind=row.kind, status=row.status, experiment_id=row.experiment_id,
        score_id=row.score_id, reason=row.reason, attempts=row.attempts, total=row.total, counts=dict(counts),
        parent_id=row.parent_id, target_type=row.target_type, target_id=row.target_id, trace_id=row.trace_id,
        scorer_name=row.scorer_name, model=row.model, cost_usd=row.cost_usd, evidence=row.evidence,
        created_at=row.created_at, updated_at=row.updated_at,
    )  # fmt: skip
