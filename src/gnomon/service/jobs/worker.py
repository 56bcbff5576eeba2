"""A worker: takes jobs from the table until it is stopped. Any number may run, on any machine.

Rules are scored in a thread (jobs.py). Judges are asked here, many at a time, in one event loop: what was taken
waits in a small buffer, what was answered is written down in batches, and every job that is held is renewed
before its lease runs out. When this process dies, others go on after the lease; what was in hand, on its way or
answered and not yet written down, is asked twice, and that is never more than `concurrency` jobs.
"""

import asyncio
import contextlib
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from gnomon.errors import StoreTrouble
from gnomon.llm.answer import Answer, Trouble
from gnomon.llm.limits import Limit, Recently
from gnomon.llm.retry import AskingPolicy, GiveUp, TryAgain
from gnomon.llm.session import AskingSession
from gnomon.llm.spent import Spent
from gnomon.scorers import Failed
from gnomon.scorers.asking import JudgedValue, Verdict
from gnomon.scorers.judgeanswers import storable
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.jobs.failures import failure_line
from gnomon.service.jobs.jobs import Worker
from gnomon.service.jobs.probeloop import ProbeLoop
from gnomon.service.jobs.workerstore import WorkerStore
from gnomon.service.judges import judging
from gnomon.service.judges.judging import Postponed, ReadyJob, Settled
from gnomon.service.judges.modelcalls import Ask
from gnomon.service.playground.running import AskCandidate, PlaygroundLoop, ask_candidate
from gnomon.store import jobs as store
from gnomon.store import models
from gnomon.store.engine import Store
from gnomon.store.jobs import JudgeJob

log = logging.getLogger("gnomon.worker")


_BREAK_OFF_SECONDS = 5.0
_RETRY = AskingPolicy(attempts=store.MAX_ATTEMPTS)


@dataclass(frozen=True, slots=True)
class Pace:
    """How many at a time, and how long things take."""

    concurrency: int = 16
    poll_seconds: float = 1.0
    lease_seconds: float = 30.0
    retry: AskingPolicy = _RETRY
    grace_seconds: float = 20.0
    """How long calls that are on their way may take when the worker is to stop."""


class JudgeLoop:
    """Asks models, as many at a time as `pace` says."""

    def __init__(
        self, database: Store, clock: Clock, owner: str, pace: Pace, ask: Ask, get_ready: Callable[[], Any] = bool
    ) -> None:
        self._store, self._owner, self._pace, self._ask = WorkerStore(database, clock), owner, pace, ask
        self._get_ready: Callable[[], Any] | None = get_ready
        self._lease = timedelta(seconds=pace.lease_seconds)
        self._buffer: deque[ReadyJob] = deque()
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._in_hand: set[str] = set()
        self._done: list[Settled | Postponed] = []
        self._held: set[str] = set()
        limits = StoredLimits(database, clock)
        self._session = AskingSession(pace.retry, concurrency=pace.concurrency, limits=limits)
        self._failures = failure_line(log)
        self._more = False
        """Whether the last take was full, so that there is no need to look first whether there is more."""
        self._wake, self._written = asyncio.Event(), asyncio.Event()
        self._stopping = False

    def wake(self) -> None:
        """There may be work."""
        self._wake.set()

    def stop(self) -> None:
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        writing, renewing = asyncio.create_task(self._write_down()), asyncio.create_task(self._renew())
        try:
            while not self._stopping:
                self._wake.clear()
                taken = await self._fill_buffer()
                self._start()
                self._failures.flush(time.monotonic())
                if not taken or len(self._in_hand) >= self._pace.concurrency:
                    await _either(self._wake, self._pace.poll_seconds)
        finally:
            await self._wind_down()
            renewing.cancel()
            writing.cancel()

    async def _fill_buffer(self) -> int:
        """Take more jobs when fewer wait here than may start; how many were taken."""
        free_slots = self._pace.concurrency - len(self._buffer)
        if free_slots * 2 < self._pace.concurrency or self._stopping:
            return 0
        try:
            if not self._more and not await self._store.read(_something_due):
                if await self._store.read(lambda call: store.waiting_parents(call.db)):
                    await self._store.write(lambda call: store.finish_parents(call.db, call.clock.now()))
                return 0
            await self._readied()
            questions, ended = await self._store.write(
                lambda call: judging.take(call, self._owner, free_slots, self._lease)
            )
            self._more = len(questions) + len(ended) >= free_slots
        except Exception:  # the database may be away; the next round tells
            log.exception("the worker could not reach its jobs")
            return 0
        for job in ended:
            self._finish(Settled(job.job, job.target, job.planned, job.verdict))
        self._buffer.extend(questions)
        self._held.update(question.job.id for question in questions)
        return len(questions) + len(ended)

    async def _readied(self) -> None:
        """Load what is needed to ask, which takes seconds, before the first jobs are taken and their leases run."""
        if self._get_ready is not None:
            with contextlib.suppress(Trouble):  # each job is to fail with this reason
                await asyncio.to_thread(self._get_ready)
            self._get_ready = None

    def _start(self) -> None:
        while self._buffer and len(self._in_hand) < self._pace.concurrency and not self._stopping:
            question = self._buffer.popleft()
            self._in_hand.add(question.job.id)
            task = asyncio.create_task(self._work(question))
            self._asking[question.job.id] = task
            task.add_done_callback(partial(self._ended, question.job.id))

    def _ended(self, id: str, _: Any) -> None:
        self._asking.pop(id, None)
        self._wake.set()

    async def _work(self, question: ReadyJob) -> None:
        judge, votes = question.judge, Votes(question)
        call = partial(self._ask, judge, question.prompt, question.prices)
        try:
            for key in question.keys:
                try:
                    await self._session.answer(judge.model, call, key, votes)
                except Trouble as trouble:
                    votes.note(key, trouble)
                    if not trouble.was_answered:
                        self._finish(self._after(question, trouble, votes))
                        return
            self._finish(settled(question, votes))
        except Exception as fault:  # one odd job must not take the others with it
            log.exception("job %s crashed", question.job.id)
            self._finish(_crashed(question, fault))

    def _after(self, question: ReadyJob, trouble: Trouble, votes: "Votes") -> Settled | Postponed:
        """What becomes of a job after trouble: other callers sleep, a job is put back for later."""
        job, paid = question.job, votes.paid()
        waited = 0.0
        if job.patient_until is not None:
            waited = (self._store.clock.now() - job.patient_until + judging.WAITS_FOR).total_seconds()
        decision = self._session.policy.after(trouble, job.attempts, waited)
        if isinstance(decision, GiveUp):
            return Settled(job, question.target, question.planned, Failed(decision.reason), **paid)
        counts = isinstance(decision, TryAgain)
        return Postponed(job, decision.seconds, counts, question.target, question.planned, **paid)

    def _finish(self, result: Settled | Postponed) -> None:
        if isinstance(result, Settled) and isinstance(result.verdict, Failed):
            self._failures.note(_about(result.job, result.verdict), time.monotonic())
        self._held.add(result.job.id)
        self._done.append(result)
        self._written.set()

    async def _write_down(self) -> None:
        """All that is done, in one transaction after the other."""
        while True:
            await self._written.wait()
            self._written.clear()
            if self._done:
                done, self._done = self._done, []
                await self._settle(done)

    async def _settle(self, done: list[Settled | Postponed]) -> None:
        try:
            await self._store.write(lambda call: self._settled(call, done))
        except StoreTrouble:
            log.exception("%d jobs could not be written down; their leases run out", len(done))
        except Exception:  # one of them cannot be stored: it must not take the others with it
            log.exception("%d jobs could not be written down together; each by itself now", len(done))
            for result in done:
                await self._settle_alone(result)
        ids = {ended.job.id for ended in done}
        self._held -= ids
        self._in_hand -= ids
        for result in done:
            if isinstance(result, Postponed):  # sooner than the next poll
                asyncio.get_running_loop().call_later(result.seconds, self._wake.set)
        self._start()
        self._wake.set()

    async def _settle_alone(self, result: Settled | Postponed) -> None:
        """Store the result of one job. If that fails, end the job as failed: asking again would not help."""
        try:
            await self._store.write(lambda call: self._settled(call, [result]))
        except StoreTrouble:
            log.exception("job %s could not be written down; its lease runs out", result.job.id)
        except Exception as fault:
            log.exception("job %s could not be written down", result.job.id)
            reason = f"its result could not be stored: {type(fault).__name__}"
            try:
                await self._store.write(lambda call: self._failed(call, result, reason))
            except Exception:
                log.exception("job %s could not be ended; its lease runs out", result.job.id)

    def _failed(self, call: Call, result: Settled | Postponed, reason: str) -> None:
        judging.settle(call, self._owner, [Settled(result.job, result.target, result.planned, Failed(reason))])

    def _settled(self, call: Call, done: list[Settled | Postponed]) -> None:
        judging.settle(call, self._owner, done)
        healthy = {result.job.model for result in done if isinstance(result, Settled) and result.answers}
        limits = models.limits_to_change(call.db, healthy) if healthy else {}
        for model in sorted(healthy & limits.keys()):
            before = judging.limit_of(limits[model])
            after = before.after_success()
            if after != before:
                models.set_limit(call.db, model, after)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._pace.lease_seconds / 3)
            held = list(self._held)
            if not held:
                continue
            try:
                lost = await self._store.write(partial(self._renewed, held))
            except Exception:
                log.exception("leases could not be renewed")
                continue
            for id in lost:  # cancelled, or another's by now: no need to ask any further
                self._held.discard(id)
                self._in_hand.discard(id)
                if id in self._asking:
                    self._asking[id].cancel()
            self._buffer = deque(job for job in self._buffer if job.job.id not in lost)

    def _renewed(self, held: list[str], call: Call) -> set[str]:
        return store.renew(call.db, held, self._owner, call.clock.now(), self._lease)

    async def _wind_down(self) -> None:
        """Finish what is on its way, give back what has not begun."""
        not_begun = [job.job.id for job in self._buffer]
        self._buffer.clear()
        if self._asking:
            await asyncio.wait(self._asking.values(), timeout=self._pace.grace_seconds)
        broken_off = list(self._asking)
        for task in list(self._asking.values()):
            task.cancel()
        done, self._done = self._done, []
        if done:
            await self._settle(done)
        self._failures.flush(math.inf)
        await self._store.write(lambda call: store.release_uncounted(call.db, not_begun, self._owner))
        await self._store.write(lambda call: store.release(call.db, broken_off, self._owner))


class StoredLimits:
    """Limits as rows in the database: what one worker learns of a model holds for all of them.

    Jobs are claimed within their model's limit (`judging.take`), and answers are noted where jobs are settled.
    """

    def __init__(self, database: Store, clock: Clock) -> None:
        self._database, self._clock = database, clock
        self._recent = Recently()

    async def turn(self, model: str) -> None:
        self._recent.add(self._clock.now())

    async def note_trouble(self, model: str, trouble: Trouble) -> None:
        now = self._clock.now()
        first = Limit.none(now)
        if first.after(trouble, now, 0.0) == first:
            return
        try:
            await asyncio.to_thread(self._database.write, partial(self._noted, model, trouble, now))
        except StoreTrouble:  # the next fault tells the same, and this one must not end a job
            log.exception("the limit of %s could not be written down", model)

    def _noted(self, model: str, trouble: Trouble, now: datetime, db: Any) -> None:
        limit = judging.limit_of(models.limit_to_change(db, model, Limit.none(now)))
        models.set_limit(db, model, limit.after(trouble, now, self._recent.per_second(now)))

    def note_answer(self, model: str) -> None:
        """Many at a time, when their jobs are settled."""


class Votes:
    """The answers of one job by their keys: those known from earlier, those that came now, and those of no use."""

    def __init__(self, question: ReadyJob) -> None:
        self._question = question
        self.new: dict[str, Answer] = {}
        self.lost: dict[str, Failed] = {}

    def get(self, key: str) -> Answer | None:
        return self._question.known.get(key)

    def keep(self, key: str, answer: Answer) -> None:
        self.new[key] = answer

    def note(self, key: str, trouble: Trouble) -> None:
        """What a fault has cost is paid all the same."""
        if trouble.evidence is not None or trouble.spent is not None:
            spent = trouble.spent or Answer("", "", None, None, None, 0.0)
            self.new[key] = replace(spent, text=trouble.evidence or "")
            self.lost[key] = Failed(f"{trouble.kind}: {trouble.message}", trouble.evidence)

    def all(self) -> list[Answer]:
        return [(self._question.known | self.new)[key] for key in self._question.keys]

    def paid(self, unread: Iterable[str] = ()) -> dict[str, Any]:
        """What was paid for: every new answer under its key, and the keys of answers that are not worth keeping."""
        return {"answers": self.new, "unreadable": frozenset({*self.lost, *unread})}


def settled(question: ReadyJob, votes: Votes) -> Settled:
    """Read every vote, and make one verdict of them."""
    answers = votes.all()
    lost = {index: votes.lost[key] for index, key in enumerate(question.keys) if key in votes.lost}
    verdict = question.judge.conclude(question.target.sample, [answer.text for answer in answers], lost)
    paid = votes.paid(question.keys[index] for index in verdict.unread)
    if isinstance(verdict.overall, Failed):
        return Settled(question.job, question.target, question.planned, verdict.overall, **paid)
    overall, parts = _explained(question, verdict.overall, verdict, answers, cached=not votes.new)
    return Settled(question.job, question.target, question.planned, overall, parts, **paid)


def _crashed(question: ReadyJob, fault: Exception) -> Settled:
    return Settled(question.job, question.target, question.planned, Failed(f"crashed: {type(fault).__name__}"))


def _about(job: JudgeJob, failed: Failed) -> dict[str, str | None]:
    """What a log may hold of a failed job: after its first word a reason may quote the answer, or the provider."""
    return {"job_id": job.id, "model": job.model, "reason": failed.reason.partition(":")[0]}


def _explained(
    question: ReadyJob, overall: JudgedValue, verdict: Verdict, answers: list[Answer], *, cached: bool
) -> tuple[JudgedValue, dict[str, JudgedValue]]:
    """The scores with their prompts. Tokens and cost are stored once, with the score of the whole."""
    judge, spent = question.judge, Spent.of(answers)
    model = storable(next((answer.model for answer in answers if answer.model), judge.model))
    metadata = {"temperature": judge.temperature, "prompt_hash": question.prompt.fingerprint, "cached": cached}
    took = {
        "tokens_input": spent.tokens_input,
        "tokens_output": spent.tokens_output,
        "cost_usd": spent.cost_usd,
        "latency_ms": max(answer.latency_ms for answer in answers),
    }
    parts = {
        part: replace(
            score, metadata={"model": model, "part_of": question.job.scorer_name, **metadata, **score.metadata}
        )
        for part, score in verdict.parts.items()
    }
    return replace(overall, metadata={"model": model, **took, **metadata, **overall.metadata}), parts


def _something_due(call: Call) -> bool:
    return store.something_due(call.db, call.clock.now(), (judging.KIND,))


async def _either(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


async def work(
    database: Store, clock: Clock, pace: Pace, ask: Ask, stop: asyncio.Event, wake: asyncio.Event,
    get_ready: Callable[[], Any] = bool, ask_candidate: AskCandidate = ask_candidate,
) -> None:  # fmt: skip
    """Rules in a thread, judges, their probes and playground runs here, until `stop`."""
    rules = Worker(database, clock)
    thread = threading.Thread(target=rules.serve, name="gnomon-rules", daemon=True)
    loop = JudgeLoop(database, clock, rules.owner, pace, ask, get_ready)
    probes = ProbeLoop(
        database, clock, rules.owner, ask, concurrency=pace.concurrency, poll_seconds=pace.poll_seconds,
        lease_seconds=pace.lease_seconds, get_ready=get_ready,
    )  # fmt: skip
    thread.start()
    playground = PlaygroundLoop(
        database, clock, rules.owner, ask_candidate, concurrency=pace.concurrency, lease_seconds=pace.lease_seconds,
        poll_seconds=pace.poll_seconds, first_pause=pace.retry.first_pause, grace_seconds=pace.grace_seconds,
    )  # fmt: skip
    asking = [asyncio.create_task(task.run()) for task in (loop, probes, playground)]

    async def pass_on() -> None:
        while True:
            await wake.wait()
            wake.clear()
            rules.wake()
            loop.wake()
            probes.wake()
            playground.wake()

    passing = asyncio.create_task(pass_on())
    await stop.wait()
    passing.cancel()
    rules.stop()
    loop.stop()
    probes.stop()
    playground.stop()
    await asyncio.gather(*asking)
    await asyncio.to_thread(thread.join, _BREAK_OFF_SECONDS)  # a daemon: what cannot be broken off ends with us
