"""Judges of an evaluation are jobs, as everywhere. A server's worker runs them; without a server, one in this process.

So cache, budget, limits and retries are the worker's own, and a judge that was not finished is finished by whoever
works on the database next.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from gnomon.llm.ask import load
from gnomon.llm.retry import AskingPolicy
from gnomon.model.backend import Backend
from gnomon.model.experiment import Summary
from gnomon.model.score import ScorerSpec
from gnomon.scorers import ModelScorer, build
from gnomon.service.clock import Clock
from gnomon.service.embedded import Embedded
from gnomon.service.jobs.jobs import Worker
from gnomon.service.jobs.worker import Pace, work
from gnomon.service.judges.modelcalls import ask_judge
from gnomon.settings import Settings
from gnomon.store.engine import Store

_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0


def models_of(specs: Sequence[ScorerSpec]) -> set[str]:
    """The models that these scorers ask."""
    built = [build(spec.scorer or spec.scorer_name, spec.config) for spec in specs]
    return {scorer.model for scorer in built if isinstance(scorer, ModelScorer)}


@contextlib.contextmanager
def working(backend: Backend, settings: Settings, models: set[str]) -> Iterator[threading.Event]:
    """Run jobs while the block is open: by a worker in this process, unless a server has one.

    The event is set when that worker has nothing to do. Whoever waits for a job looks then, and now and then: another
    process may have taken it.
    """
    idle = threading.Event()
    if not isinstance(backend, Embedded):
        yield idle
        return
    worker: _Worker | Worker
    if models:
        worker = _Worker(settings, models)
        thread = threading.Thread(target=worker.run, args=(backend.store,), name="gnomon-worker", daemon=True)
    else:  # nothing that asks models is needed
        worker = Worker(backend.store, Clock(), on_idle=idle.set)
        thread = threading.Thread(target=worker.serve, name="gnomon-rules", daemon=True)
    thread.start()
    try:
        yield idle
    finally:
        worker.stop()
        thread.join(settings.judge_timeout)


class _Worker:
    """A worker in a thread of its own, with its own event loop."""

    def __init__(self, settings: Settings, models: set[str]) -> None:
        self._settings, self._models = settings, models
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None

    def run(self, store: Store) -> None:
        asyncio.run(self._work(store))

    def stop(self) -> None:
        self._ready.wait(5.0)
        if self._loop is not None and self._stopping is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)

    async def _work(self, store: Store) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        self._ready.set()
        settings = self._settings
        pace = Pace(
            concurrency=settings.judge_concurrency, lease_seconds=settings.lease_seconds,
            retry=AskingPolicy(first_pause=settings.back_off_seconds),
        )  # fmt: skip
        ask = partial(ask_judge, timeout=settings.judge_timeout)
        await work(
            store, Clock(), pace, ask, self._stopping, asyncio.Event(), get_ready=partial(load, self._models)
        )  # fmt: skip


def wait(
    backend: Backend, experiment_id: str, on_progress: Callable[[int, int], None], stop: threading.Event
) -> Summary:
    """Wait until every requested score is there or has a reason why not."""
    pause = _FIRST_PAUSE
    while True:
        summary = backend.summary(experiment_id)
        pending = sum(scorer_summary.n_pending for scorer_summary in summary.scores_by_scorer.values())
        total = sum(scorer_summary.n_total for scorer_summary in summary.scores_by_scorer.values())
        on_progress(total - pending, total)
        if not pending or stop.is_set():
            return summary
        time.sleep(pause)
        pause = min(_LONGEST_PAUSE, pause * 1.5)
