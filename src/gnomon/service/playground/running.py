"""A worker asks the candidates of playground runs, many at a time, and has every answer stored as it comes.

When it dies, another one asks what has no run yet: what was on its way is asked twice, nothing is stored twice.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Protocol, TypeVar

from gnomon.errors import GnomonError, InvalidInput, StoreTrouble
from gnomon.llm.answer import Trouble
from gnomon.llm.ask import load
from gnomon.llm.chat import ChatAnswer, chat
from gnomon.llm.prices import OwnPrices
from gnomon.llm.retry import AskingPolicy
from gnomon.llm.session import AskingSession
from gnomon.model.experiment import RunError
from gnomon.scorers.judgeanswers import storable
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.jobs.workerstore import WorkerStore
from gnomon.service.judges import budgets, judging
from gnomon.service.playground import answers
from gnomon.service.playground.accepting import KIND, filled
from gnomon.service.playground.answers import CandidateAnswer, PlaygroundRun, WantedAnswer
from gnomon.service.scoring import measuring
from gnomon.service.scoring.measuring import KnownMeasurements
from gnomon.store import jobs as store
from gnomon.store.engine import Store, Transaction
from gnomon.store.rows import JobRow

log = logging.getLogger("gnomon.playground")

T = TypeVar("T")

JOBS_TOGETHER = 4
STORED_TOGETHER = 50
_ATTEMPTS, _LONGEST_PAUSE = 4, 15.0


class AskCandidate(Protocol):
    """One call to a candidate's model; `prices` are the project's own, which go before the price table's."""

    def __call__(
        self, model: str, messages: Sequence[Any], params: dict[str, Any], prices: OwnPrices, /
    ) -> Awaitable[ChatAnswer]: ...


async def ask_candidate(
    model: str, messages: Sequence[Any], params: dict[str, Any], prices: OwnPrices, /, *, timeout: float = 60.0
) -> ChatAnswer:
    return await chat(model, messages, [], params=params, timeout=timeout, prices=prices)


class PlaygroundLoop:
    """Takes playground jobs, a few at a time, and asks with the concurrency of the worker."""

    def __init__(
        self, database: Store, clock: Clock, owner: str, ask: AskCandidate, *, concurrency: int, lease_seconds: float,
        poll_seconds: float, first_pause: float, grace_seconds: float,
    ) -> None:  # fmt: skip
        self._store, self._owner, self._ask = WorkerStore(database, clock), owner, ask
        self._lease, self._poll, self._grace = timedelta(seconds=lease_seconds), poll_seconds, grace_seconds
        policy = AskingPolicy(_ATTEMPTS, first_pause, max(first_pause, _LONGEST_PAUSE), gives_up_on_longer_waits=True)
        self._session = AskingSession(policy, concurrency=concurrency)
        self._running: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self._stopping = False

    def wake(self) -> None:
        """There may be work."""
        self._wake.set()

    def stop(self) -> None:
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        while not self._stopping:
            self._wake.clear()
            if len(self._running) < JOBS_TOGETHER and await self._take():
                continue
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self._poll)
        if self._running:
            await asyncio.wait(self._running)

    async def _take(self) -> bool:
        try:
            if not await self._store.read(lambda call: store.something_due(call.db, call.clock.now(), (KIND,))):
                return False
            job = await self._write(self._claimed)
        except Exception:  # the database may be away; the next round tells
            log.exception("the worker could not reach its playground jobs")
            return False
        if job is not None:
            task = asyncio.create_task(self._work(job))
            self._running.add(task)
            task.add_done_callback(self._ended)
        return job is not None

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._wake.set()

    def _claimed(self, call: Call) -> JobRow | None:
        """The next job. One whose attempts are used up ends here."""
        now = call.clock.now()
        job = store.claim(call.db, self._owner, now, (KIND,))
        if job is not None:
            store.renew(call.db, [job.id], self._owner, now, self._lease)
        elif (id := store.claim_used_up(call.db, self._owner, now, (KIND,))) is not None:
            store.finish(call.db, id, now, "failed", judging.USED_UP, owner=self._owner)
        return job

    async def _work(self, job: JobRow) -> None:
        renewing = asyncio.create_task(self._renew(job.id))
        try:
            run = await self._store.read(partial(answers.prepare, job=job))
            with contextlib.suppress(Trouble):  # each run is to fail with this reason
                await asyncio.to_thread(load, {candidate.model for candidate in run.candidates})
            await self._ask_all(run, renewing)
        except answers.NotHeld:
            log.info("playground job %s was cancelled or is another worker's by now", job.id)
        except StoreTrouble:
            log.exception("playground job %s could not be written down; its lease runs out", job.id)
        except GnomonError as refusal:
            await self._fail(job, refusal.message)
        except Exception as fault:
            log.exception("playground job %s crashed", job.id)
            await self._fail(job, f"crashed: {type(fault).__name__}")
        finally:
            renewing.cancel()

    async def _ask_all(self, run: PlaygroundRun, renewing: asyncio.Task[None]) -> None:
        """Ask what is open, and store what was answered: all that waits in one transaction after the other."""
        asking = {asyncio.create_task(self._answer(run, question)) for question in run.open}
        try:
            while asking:
                timeout = self._grace if self._stopping else self._poll
                done, asking = await asyncio.wait(
                    {*asking, renewing}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED
                )
                asking.discard(renewing)
                await self._keep(run)
                if renewing.done():
                    raise answers.NotHeld
                if self._stopping and not done:
                    break  # what is still on its way takes too long
            await self._write(partial(answers.close, run=run, owner=self._owner))
        finally:
            for task in asking:
                task.cancel()

    async def _keep(self, run: PlaygroundRun) -> None:
        while run.to_store:
            some = run.to_store[:STORED_TOGETHER]
            await self._write(partial(answers.keep, run=run, owner=self._owner, answered=some))
            del run.to_store[: len(some)]
            run.stored += len(some)

    async def _answer(self, run: PlaygroundRun, question: WantedAnswer) -> None:
        """One answer, or why there is none, to be stored. Nothing where no call may be made any more."""
        candidate, began = run.candidates[question.candidate], self._store.clock.now()
        try:
            messages = filled(candidate.messages, question.item)
        except InvalidInput as bad:
            error = RunError(message=bad.message, type="prompt")
            run.to_store.append(CandidateAnswer(question, [], None, error, began, began))
            return

        async def call() -> tuple[ChatAnswer, ChatAnswer]:
            nonlocal began
            await self._refuse_halted(run, candidate.model)
            began = self._store.clock.now()
            answer = await self._ask(candidate.model, messages, dict(candidate.params or {}), run.prices)
            return answer, answer

        try:
            result = await self._session.ask(candidate.model, call)
        except _Halted:
            return
        except Exception as fault:  # one odd answer must not take the others with it
            log.exception("a question of playground job %s crashed", run.job.id)
            error = RunError(message=f"crashed: {type(fault).__name__}", type="crashed")
            run.to_store.append(CandidateAnswer(question, messages, None, error, began, self._store.clock.now()))
            return
        text, failure = None if result.answer is None else result.answer.text, None
        if result.trouble is not None:
            failure = RunError(message=storable(result.gave_up), type=result.trouble.kind)
        elif text is None:
            failure = RunError(message=f"{candidate.model} answered without a text", type="unreadable")
        answer = None if failure is not None or text is None else storable(text)
        ended = self._store.clock.now()
        run.to_store.append(CandidateAnswer(question, messages, answer, failure, began, ended, result.took))

    async def _refuse_halted(self, run: PlaygroundRun, model: str) -> None:
        """Before each call: whether it may be made at all."""
        if run.halted is None and not self._stopping:
            run.halted = await self._store.read(
                lambda call: budgets.refusal(call, run.job.project_id, model, run.prices)
            )
        if run.halted is not None or self._stopping:
            raise _Halted

    async def _fail(self, job: JobRow, reason: str) -> None:
        def work(call: Call) -> None:
            store.finish(call.db, job.id, call.clock.now(), "failed", reason, owner=self._owner)

        with contextlib.suppress(GnomonError):  # the database is away; the lease runs out
            await self._write(work)

    async def _renew(self, id: str) -> None:
        """Renew the lease on the job until another process holds it."""
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            try:
                if await self._write(partial(self._renewed, id)):
                    return
            except Exception:
                log.exception("the lease of playground job %s could not be renewed", id)

    def _renewed(self, id: str, call: Call) -> set[str]:
        return store.renew(call.db, [id], self._owner, call.clock.now(), self._lease)

    async def _write(self, work: Callable[[Call], T]) -> T:
        def measured(db: Transaction, known: KnownMeasurements) -> T:
            return work(self._store.call(db, known))

        return await asyncio.to_thread(measuring.write, self._store.database, measured, measuring.at_once)


class _Halted(Exception):
    """Raised when no further call may be made: the budget is spent, or the worker stops."""
