"""`gnomon worker`: scores by rules and judges, taken from the job table. Any number may run, on any machine."""

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json, of_database
from gnomon.settings import Settings, from_environment
from gnomon.shorten import counted

_BEHIND = 5
"""Niceness of a worker that a server started: requests must not wait for judges."""


@click.command()
@of_database
@click.option("--concurrency", type=click.IntRange(1, 1000), help="Number of concurrent model calls (default: 16).")
@click.option(
    "--child", is_flag=True, hidden=True, help="Run as a child process: wake up on lines on stdin, stop at its end."
)
@as_json
def worker(db: str | None, concurrency: int | None, child: bool, as_json: bool) -> None:
    """Run scoring jobs until stopped (SIGTERM or Ctrl-C): calls in flight are finished, other jobs are requeued."""
    settings = from_environment().with_database(db)
    calls = concurrency or settings.judge_concurrency

    def greet() -> None:
        if as_json:
            show.json_line({"pid": os.getpid(), "concurrency": calls})
        elif not child:
            show.line(f"worker {os.getpid()} takes jobs, {counted(calls, 'call')} at a time")

    run(settings, calls, greet, child=child)


def run(settings: Settings, concurrency: int, greet: Callable[[], None], *, child: bool) -> None:
    from gnomon.llm.retry import AskingPolicy
    from gnomon.server import logs
    from gnomon.service.clock import Clock
    from gnomon.service.jobs.worker import Pace
    from gnomon.service.upkeep.maintenance import refuse_missing
    from gnomon.store.engine import Connecting, open_store

    refuse_missing(settings.database_url)
    logs.set_up(settings.log_level)
    connecting = Connecting(settings.database_pool, settings.database_prepare)
    store = open_store(settings.database_url, connecting=connecting)
    greet()
    pace = Pace(
        concurrency=concurrency,
        lease_seconds=settings.lease_seconds,
        retry=AskingPolicy(first_pause=settings.back_off_seconds),
    )
    try:
        asyncio.run(_work(store, Clock(), pace, settings.judge_timeout, child))
    finally:
        store.close()


async def _work(store: Any, clock: Any, pace: Any, timeout: float, child: bool) -> None:
    from gnomon.llm.ask import silence
    from gnomon.service.jobs.worker import work
    from gnomon.service.judges.modelcalls import ask_judge
    from gnomon.service.playground.running import ask_candidate

    silence()

    loop, stop, wake = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if child:
        os.nice(_BEHIND)
        threading.Thread(target=_listen, args=(loop, stop, wake), daemon=True).start()
    await work(
        store, clock, pace, partial(ask_judge, timeout=timeout), stop, wake,
        get_ready=partial(_get_ready, store, clock), ask_candidate=partial(ask_candidate, timeout=timeout),
    )  # fmt: skip


def _get_ready(store: Any, clock: Any) -> None:
    """Load what the jobs that are due need. It stays, so the garbage collector need not walk through it, ever."""
    from gnomon.llm.ask import load
    from gnomon.store.jobs import models_due

    try:
        load(store.read(lambda db: models_due(db, clock.now())))
    finally:
        gc.freeze()


def _listen(loop: asyncio.AbstractEventLoop, stop: asyncio.Event, wake: asyncio.Event) -> None:
    """Listen on stdin: a line means that there may be work, its end that the parent process is gone."""
    while os.read(sys.stdin.fileno(), 4096):
        loop.call_soon_threadsafe(wake.set)
    loop.call_soon_threadsafe(stop.set)
