"""Runs probes of judges: one job at a time, its questions many at a time.

What was answered is written down in batches, each in one transaction with its cost. When this process dies, another
worker goes on after the lease: what was on its way, or answered and not yet written down, is asked once more.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from gnomon.errors import GnomonError, StoreTrouble
from gnomon.llm.answer import Answer, Trouble
from gnomon.llm.session import AskingSession
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.jobs.workerstore import WorkerStore
from gnomon.service.judges import judging, probejobs
from gnomon.service.judges.modelcalls import Ask
from gnomon.service.judges.probejobs import ReadyProbe
from gnomon.service.judges.probing import Probed, probe
from gnomon.store import jobs as store
from gnomon.store.engine import Store
from gnomon.store.rows import JobRow

log = logging.getLogger("gnomon.worker")


class ProbeLoop:
    """Takes jobs that probe a judge until it is stopped."""

    def __init__(
        self, database: Store, clock: Clock, owner: str, ask: Ask, *, concurrency: int, poll_seconds: float,
        lease_seconds: float, get_ready: Callable[[], Any] = bool,
    ) -> None:  # fmt: skip
        self._store, self._owner, self._ask = WorkerStore(database, clock), owner, ask
        self._concurrency, self._poll_seconds, self._get_ready = concurrency, poll_seconds, get_ready
        self._lease = timedelta(seconds=lease_seconds)
        self._wake = asyncio.Event()
        self._stopping = False
        self._running: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """There may be work."""
        self._wake.set()

    def stop(self) -> None:
        self._stopping = True
        self._wake.set()
        if self._running is not None:
            self._running.cancel()

    async def run(self) -> None:
        while not self._stopping:
            self._wake.clear()
            try:
                worked = await self._run_one()
            except Exception:  # the database may be away; the next round tells
                log.exception("the worker could not reach its probes")
                worked = False
            if not worked and not self._stopping:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), self._poll_seconds)

    async def _run_one(self) -> bool:
        """Claim one probe and finish it. False when none was due."""
        if not await self._store.read(_something_due):
            return False
        with contextlib.suppress(Trouble):  # the probe is to fail with this reason
            await asyncio.to_thread(self._get_ready)
        job = await self._store.write(self._claim)
        if job is None:
            return True  # another worker's by now, or ended because its attempts are used up
        self._running = asyncio.create_task(self._work(job))
        try:
            await self._running
        except asyncio.CancelledError:
            if asyncio.current_task().cancelling():  # type: ignore[union-attr]
                raise
        finally:
            self._running = None
        return True

    def _claim(self, call: Call) -> JobRow | None:
        now = call.clock.now()
        job = store.claim(call.db, self._owner, now, (probejobs.KIND,), lease=self._lease)
        if job is None and (id := store.claim_used_up(call.db, self._owner, now, (probejobs.KIND,))) is not None:
            store.finish(call.db, id, now, "failed", judging.USED_UP, owner=self._owner)
        return job

    async def _work(self, job: JobRow) -> None:
        try:
            ready = await self._store.read(lambda call: probejobs.take(call, job))
            await _Probing(self, ready).run()
        except asyncio.CancelledError:
            if self._stopping:
                await self._store.write(lambda call: store.release_uncounted(call.db, [job.id], self._owner))
            raise
        except StoreTrouble:
            log.exception("probe %s could not be written down; its lease runs out", job.id)
        except GnomonError as refusal:
            await self._fail(job.id, refusal.message)
        except Exception as fault:
            log.exception("probe %s crashed", job.id)
            await self._fail(job.id, f"crashed: {type(fault).__name__}")

    async def _fail(self, id: str, reason: str) -> None:
        log.warning("probe %s failed: %s", id, reason.partition(":")[0])
        await self._store.write(
            lambda call: store.finish(call.db, id, call.clock.now(), "failed", reason, owner=self._owner)
        )


class _Probing:
    """One probe while it is asked. It remembers answers for `probe`, and writes them down as they come."""

    def __init__(self, loop: ProbeLoop, ready: ReadyProbe) -> None:
        self._loop, self._ready = loop, ready
        self._new: dict[str, Answer] = {}
        self._counts: dict[str, int] = {}
        self._changed, self._asked_all = asyncio.Event(), False
        self._session = AskingSession(concurrency=loop._concurrency, budget=ready.refuse_more)
        self._session.spent = replace(ready.spent)

    def get(self, key: str) -> Answer | None:
        return self._ready.known.get(key)

    def keep(self, key: str, answer: Answer) -> None:
        self._new[key] = answer

    def _progress(self, answered: int, unanswered: int, total: int) -> None:
        self._counts = {"answered": answered, "failed": unanswered}
        self._changed.set()

    async def run(self) -> None:
        asking = asyncio.create_task(self._ask())
        writing, renewing = asyncio.create_task(self._write_down()), asyncio.create_task(self._renew())
        try:
            await asyncio.wait([asking, writing, renewing], return_when=asyncio.FIRST_COMPLETED)
            lost = not asking.done()
        finally:  # also when the worker stops: what was answered is written down before the job is given back
            for task in (asking, renewing):
                task.cancel()
            await asyncio.gather(asking, renewing, return_exceptions=True)
            self._asked_all = True
            self._changed.set()
            held = await writing
        if lost or not held:
            log.info("probe %s was cancelled or is another worker's by now", self._ready.job.id)
            return
        await self._end(asking.result())

    async def _ask(self) -> Probed:
        questions, now = self._ready.questions, self._loop._store.clock.now()
        return await probe(
            questions.judge, questions.samples, self._loop._ask, now=now, seed=self._ready.seed,
            session=self._session, own=questions.prices, answers=self, progress=self._progress,
        )  # fmt: skip

    async def _write_down(self) -> bool:
        """All that was answered, in one transaction after the other, until nothing more is asked or the job is lost.

        Whether it is still held.
        """
        while True:
            await self._changed.wait()
            self._changed.clear()
            last = self._asked_all
            held = await self._write()
            if last or not held:
                return held

    async def _write(self) -> bool:
        answers, self._new = self._new, {}
        spent, counts = replace(self._session.spent), dict(self._counts)
        owner, ready = self._loop._owner, self._ready

        def work(call: Call) -> tuple[bool, tuple[float | None, int | None]]:
            held = probejobs.write_down(call, owner, ready, answers, spent, counts)
            return held, probejobs.left_now(call, ready.job.project_id)

        held, (ready.left_usd, ready.left_tokens) = await self._loop._store.write(work)
        ready.spent = spent
        return held

    async def _renew(self) -> None:
        """Hold the job. It ends when the job is lost."""
        while True:
            await asyncio.sleep(self._loop._lease.total_seconds() / 3)
            lost = await self._loop._store.write(self._renewed)
            if lost:
                return

    def _renewed(self, call: Call) -> set[str]:
        return store.renew(call.db, [self._ready.job.id], self._loop._owner, call.clock.now(), self._loop._lease)

    async def _end(self, probed: Probed) -> None:
        counts = {name: n for name, n in self._counts.items() if n}
        ready, owner = self._ready, self._loop._owner
        if not await self._loop._store.write(lambda call: probejobs.finish(call, owner, ready, probed, counts)):
            log.info("probe %s was cancelled or is another worker's by now", ready.job.id)


def _something_due(call: Call) -> bool:
    return store.something_due(call.db, call.clock.now(), (probejobs.KIND,))
