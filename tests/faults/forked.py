"""`gnomon …` in a process of its own that need not load anything first.

A test that kills and starts servers again and again would spend most of its time on imports. Here they are made once,
in a process that does nothing else but fork; what it forks has its own session, environment and log, and runs the
command to its exit code. Servers that start from nothing are in test_start.py, and wherever else a server is used.
"""

import gc
import multiprocessing
import os
from pathlib import Path
from typing import Any

_LOADED = [
    "gnomon.cli.main", "gnomon.cli.serve", "gnomon.server.app", "gnomon.server.logs", "psycopg", "uvloop",
    "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.auto",
]  # fmt: skip


def start(arguments: list[str], environment: dict[str, str], log: Path) -> Any:
    """The process, as `multiprocessing` knows it."""
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(_LOADED)
    process = forks.Process(target=_run, args=(arguments, environment, log))
    process.start()
    return process


def _run(arguments: list[str], environment: dict[str, str], log: Path) -> None:
    gc.freeze()  # a walk through what was loaded would copy every page of it
    os.setsid()
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(written, stream)
    os.close(written)
    os.environ.clear()
    os.environ.update(environment)
    from gnomon.cli.main import main

    main(arguments)
