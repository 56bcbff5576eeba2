"""A worker: takes jobs from the table until it is told to stop. Any number may run, on any machine.

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
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from gnomon.llm.ask import Answer, Trouble, ask, ask_structured
from gnomon.llm.limits import Limit, back_off
from gnomon.model.access import Principal
from gnomon.model.jsonvalue import canonical
from gnomon.scorers import Failed, ModelScorer
from gnomon.scorers.asking import JudgedValue, Prompt, Verdict
from gnomon.service import judging
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.jobs import Worker
from gnomon.service.judging import Postponed, Question, Settled
from gnomon.service.throttle import ThrottledLine
from gnomon.store import jobs as store
from gnomon.store import models
from gnomon.store.engine import Store

log = logging.getLogger("gnomon.worker")

T = TypeVar("T")
Ask = Callable[[ModelScorer, Prompt], Awaitable[Answer]]
_RATE_WINDOW = 10.0
_LONGEST_WAIT = 300.0
_BREAK_OFF_SECONDS = 5.0
_APART = 0.5
"""Calls begin this far apart, as a part of the even pace. Begun at once they would be answered at once, and read and
begun again all together: a model of half a second then stands idle for up to a fifth of the time."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How many at a time, and how long things take."""

    concurrency: int = 16
    poll_seconds: float = 1.0
    lease_seconds: float = 30.0
    back_off_seconds: float = 1.0
    longest_back_off: float = 60.0
    grace_seconds: float = 20.0
    """How long calls that are on their way may take when the worker is to stop."""


class JudgeLoop:
    """Asks models, as many at a time as `pace` says."""

    def __init__(
        self, database: Store, clock: Clock, owner: str, pace: Pace, ask: Ask, get_ready: Callable[[], Any] = bool
    ) -> None:
        self._database, self._clock, self._owner, self._pace, self._ask = database, clock, owner, pace, ask
        self._get_ready: Callable[[], Any] | None = get_ready
        self._lease = timedelta(seconds=pace.lease_seconds)
        self._buffer: deque[Question] = deque()
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._in_hand: set[str] = set()
        self._done: list[Settled | Postponed] = []
        self._held: set[str] = set()
        self._started: deque[float] = deque()
        self._latencies: deque[float] = deque([0.0], maxlen=pace.concurrency)
        self._next_start = 0.0
        self._unreadable = ThrottledLine(partial(log.warning, "a judge's answer could not be read as a score"))
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
                self._unreadable.flush(time.monotonic())
                if not taken or len(self._in_hand) >= self._pace.concurrency:
                    await _either(self._wake, self._pace.poll_seconds)
        finally:
            await self._wind_down()
            renewing.cancel()
            writing.cancel()

    async def _fill_buffer(self) -> int:
        """Take more jobs when fewer wait here than may start; how many were taken."""
        room = self._pace.concurrency - len(self._buffer)
        if room * 2 < self._pace.concurrency or self._stopping:
            return 0
        try:
            if not await self._read(lambda call: store.something_due(call.db, call.clock.now(), (judging.KIND,))):
                if await self._read(lambda call: store.waiting_parents(call.db)):
                    await self._write(lambda call: store.finish_parents(call.db, call.clock.now()))
                return 0
            await self._readied()
            questions, ended = await self._write(lambda call: judging.take(call, self._owner, room, self._lease))
        except Exception:  # the database may be away; the next round tells
            log.exception("the worker could not reach its jobs")
            return 0
        for one in ended:
            self._finish(Settled(one.job, one.target, one.planned, one.found))
        self._buffer.extend(questions)
        self._held.update(one.job.id for one in questions)
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

    async def _turn(self) -> None:
        """Wait until this call is far enough from the one before."""
        now = time.monotonic()
        start = max(now, self._next_start)
        self._next_start = start + self._quickest() / self._pace.concurrency * _APART
        if start > now:
            await asyncio.sleep(start - now)

    async def _asked(self, question: Question) -> Answer:
        await self._turn()
        self._started.append(time.monotonic())
        answer = await self._ask(question.judge, question.prompt)
        self._latencies.append(answer.latency_ms / 1000)
        return answer

    def _quickest(self) -> float:
        """How long an answer takes at the least, lately."""
        return min(self._latencies)

    async def _work(self, question: Question) -> None:
        new = _Votes()
        try:
            for vote in question.open_votes:
                try:
                    new.answers[vote] = await self._asked(question)
                except Trouble as trouble:
                    new.note(vote, trouble)
                    if trouble.evidence is None:  # else it did answer, and was asked to mend its answer
                        self._finish(await self._troubled(question, trouble, new))
                        return
            settled = _settled(question, new)
            self._finish(settled)
            if isinstance(settled.found, Failed):
                self._unreadable.note(_about(question.job, settled.found), time.monotonic())
        except asyncio.CancelledError:
            raise
        except Exception as fault:  # one odd job must not take the others with it
            log.exception("job %s crashed", question.job.id)
            found = Failed(f"crashed: {type(fault).__name__}")
            self._finish(Settled(question.job, question.target, question.planned, found))

    async def _troubled(self, question: Question, trouble: Trouble, new: "_Votes") -> Settled | Postponed:
        job, paid = question.job, new.paid(question)
        await self._note_trouble(job.model, trouble)
        now = self._clock.now()
        waits = trouble.kind == "rate_limited" and trouble.retry_after is not None
        impatient = job.patient_until is not None and now >= job.patient_until
        if trouble.retryable and waits and not impatient:
            seconds = min(trouble.retry_after or 0.0, _LONGEST_WAIT)
            return Postponed(job, seconds, counts_as_attempt=False, **paid)
        if trouble.retryable and job.attempts < judging.MAX_ATTEMPTS and not impatient:
            pause = back_off(job.attempts, self._pace.back_off_seconds, self._pace.longest_back_off)
            return Postponed(job, pause, counts_as_attempt=True, **paid)
        tries = f" ({job.attempts} attempts)" if trouble.retryable else ""
        found = Failed(f"{trouble.kind}: {trouble.message}{tries}")
        return Settled(job, question.target, question.planned, found, **paid)

    async def _note_trouble(self, model: str, trouble: Trouble) -> None:
        """Let all workers know: slower, or not at all for a while."""
        if trouble.kind not in ("rate_limited", "overloaded", "timeout", "connection"):
            return
        seen = self._calls_a_second()

        def note(call: Call) -> None:
            now = call.clock.now()
            limit = _limit(models.limit_to_change(call.db, model, Limit.none(now)))
            if trouble.kind == "rate_limited":
                limit = limit.after_refusal(now, seen, trouble.retry_after)
            else:
                limit = limit.after_fault(now)
            models.set_limit(call.db, model, limit)

        await self._write(note)

    def _calls_a_second(self) -> float:
        horizon = time.monotonic() - _RATE_WINDOW
        while self._started and self._started[0] < horizon:
            self._started.popleft()
        return len(self._started) / _RATE_WINDOW

    def _finish(self, found: Settled | Postponed) -> None:
        self._held.add(found.job.id)
        self._done.append(found)
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
            await self._write(lambda call: self._settled(call, done))
        except Exception:
            log.exception("%d jobs could not be written down; their leases run out", len(done))
        ids = {one.job.id for one in done}
        self._held -= ids
        self._in_hand -= ids
        for one in done:
            if isinstance(one, Postponed):  # sooner than the next poll
                asyncio.get_running_loop().call_later(one.seconds, self._wake.set)
        self._start()
        self._wake.set()

    def _settled(self, call: Call, done: list[Settled | Postponed]) -> None:
        judging.settle(call, self._owner, done)
        healthy = {one.job.model for one in done if isinstance(one, Settled) and one.answers}
        limits = models.limits_to_change(call.db, healthy) if healthy else {}
        for model in sorted(healthy & limits.keys()):
            before = _limit(limits[model])
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
                lost = await self._write(partial(self._renewed, held))
            except Exception:
                log.exception("leases could not be renewed")
                continue
            for id in lost:  # cancelled, or another's by now: no need to ask any further
                self._held.discard(id)
                self._in_hand.discard(id)
                if id in self._asking:
                    self._asking[id].cancel()
            self._buffer = deque(one for one in self._buffer if one.job.id not in lost)

    def _renewed(self, held: list[str], call: Call) -> set[str]:
        return store.renew(call.db, held, self._owner, call.clock.now(), self._lease)

    async def _wind_down(self) -> None:
        """Finish what is on its way, give back what has not begun."""
        waiting = [one.job.id for one in self._buffer]
        self._buffer.clear()
        if self._asking:
            await asyncio.wait(self._asking.values(), timeout=self._pace.grace_seconds)
        waiting += list(self._asking)
        for task in list(self._asking.values()):
            task.cancel()
        done, self._done = self._done, []
        if done:
            await self._settle(done)
        self._unreadable.flush(math.inf)
        await self._write(lambda call: _release(call, waiting, self._owner))

    async def _read(self, work: Callable[[Call], T]) -> T:
        return await asyncio.to_thread(self._database.read, lambda db: work(self._call(db)))

    async def _write(self, work: Callable[[Call], T]) -> T:
        return await asyncio.to_thread(self._database.write, lambda db: work(self._call(db)))

    def _call(self, db: Any) -> Call:
        return Call(db, Principal("worker", "admin"), self._clock)


async def ask_judge(judge: ModelScorer, prompt: Prompt, *, timeout: float = 60.0) -> Answer:
    """Ask the judge's model: for text, or for the fields of a structured answer, which are kept as JSON."""
    how: dict[str, Any] = {"system": prompt.system, "temperature": judge.temperature, "timeout": timeout}
    if judge.shape is None:
        return await ask(judge.model, prompt.text, **how)
    given, answer = await ask_structured(judge.model, prompt.text, judge.shape, **how)
    return replace(answer, text=canonical(given.model_dump(mode="json")))


@dataclass(slots=True)
class _Votes:
    """What came of asking: answers by vote, and which of them have no shape that could be read."""

    answers: dict[int, Answer] = field(default_factory=dict)
    lost: dict[int, Failed] = field(default_factory=dict)

    def note(self, vote: int, trouble: Trouble) -> None:
        """What a fault has cost is paid all the same."""
        if trouble.evidence is not None or trouble.spent is not None:
            spent = trouble.spent or Answer("", "", None, None, None, 0.0)
            self.answers[vote] = replace(spent, text=trouble.evidence or "")
            self.lost[vote] = Failed(f"{trouble.kind}: {trouble.message}", trouble.evidence)

    def paid(self, question: Question, unread: Iterable[int] = ()) -> dict[str, Any]:
        """For the books: every answer under its key, and the keys of those that are not worth keeping."""
        return {
            "answers": {question.keys[vote]: answer for vote, answer in self.answers.items()},
            "unreadable": frozenset(question.keys[vote] for vote in {*self.lost, *unread}),
        }


def _settled(question: Question, new: _Votes) -> Settled:
    """Read every vote, and make one verdict of them."""
    answers = [(question.known | new.answers)[vote] for vote in range(question.judge.samples)]
    verdict = question.judge.conclude(question.target.sample, [answer.text for answer in answers], new.lost)
    paid = new.paid(question, verdict.unread & new.answers.keys())
    if isinstance(verdict.overall, Failed):
        return Settled(question.job, question.target, question.planned, verdict.overall, **paid)
    overall, parts = _explained(question, verdict.overall, verdict, answers, cached=not new.answers)
    return Settled(question.job, question.target, question.planned, overall, parts, **paid)


def _about(job: Any, failed: Failed) -> dict[str, Any]:
    """What a log may hold of an answer that has no score in it: after its first word a reason may quote the answer."""
    return {"job_id": job.id, "model": job.model, "reason": failed.reason.partition(":")[0]}


def _explained(
    question: Question, overall: JudgedValue, verdict: Verdict, answers: list[Answer], *, cached: bool
) -> tuple[JudgedValue, dict[str, JudgedValue]]:
    """The scores with what was asked. What the calls took is said once, with the score of the whole."""
    judge = question.judge
    model = next((answer.model for answer in answers if answer.model), judge.model)
    asked = {"temperature": judge.temperature, "prompt_hash": question.prompt.fingerprint, "cached": cached}
    parts = {
        part: replace(score, metadata={"model": model, "part_of": question.job.scorer_name, **asked, **score.metadata})
        for part, score in verdict.parts.items()
    }
    whole = {"model": model, **_taken(answers), **asked, **overall.metadata}
    return replace(overall, metadata=whole), parts


def _taken(answers: list[Answer]) -> dict[str, Any]:
    def total(values: list[Any]) -> Any:
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    return {
        "tokens_input": total([answer.tokens_input for answer in answers]),
        "tokens_output": total([answer.tokens_output for answer in answers]),
        "cost_usd": total([answer.cost_usd for answer in answers]),
        "latency_ms": max(answer.latency_ms for answer in answers),
    }


def _release(call: Call, ids: list[str], owner: str) -> None:
    for id in ids:
        store.release(call.db, id, owner)


def _limit(row: Any) -> Limit:
    return Limit(row.per_second, row.permits, row.failures, row.open_until, row.updated_at)


async def _either(event: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


async def work(
    database: Store, clock: Clock, pace: Pace, ask: Ask, stop: asyncio.Event, wake: asyncio.Event,
    get_ready: Callable[[], Any] = bool,
) -> None:  # fmt: skip
    """Rules in a thread, judges here, until `stop`."""
    rules = Worker(database, clock)
    thread = threading.Thread(target=rules.serve, name="gnomon-rules", daemon=True)
    loop = JudgeLoop(database, clock, rules.owner, pace, ask, get_ready)
    thread.start()
    judging_task = asyncio.create_task(loop.run())

    async def pass_on() -> None:
        while True:
            await wake.wait()
            wake.clear()
            rules.wake()
            loop.wake()

    passing = asyncio.create_task(pass_on())
    await stop.wait()
    passing.cancel()
    rules.stop()
    loop.stop()
    await judging_task
    await asyncio.to_thread(thread.join, _BREAK_OFF_SECONDS)  # a daemon: what cannot be broken off ends with us
