"""A model on loopback in a process of its own, so that what is measured beside it is not the model's work."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

_SERVER = """
import json, sys, time
from gnomon.testing import LoopbackModel
came = []
def script(asked):
    came.append(time.monotonic())
    return sys.argv[2]
with LoopbackModel(script, latency=float(sys.argv[1])) as model:
    print(json.dumps(model.environment()), flush=True)
    for _ in sys.stdin:
        print(json.dumps(came), flush=True)
        came.clear()
"""


@dataclass(frozen=True)
class Model:
    environment: dict[str, str]
    process: subprocess.Popen[str]

    @property
    def base_url(self) -> str:
        return self.environment["OPENAI_BASE_URL"]

    def calls(self) -> list[float]:
        """When each call since the last look came, in seconds of the monotonic clock."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return sorted(json.loads(self.process.stdout.readline()))


@contextlib.contextmanager
def model(says: str, latency: float = 0.0) -> Iterator[Model]:
    """A model that says one thing, so many seconds after it was asked; this process's environment leads to it."""
    command = [sys.executable, "-c", _SERVER, str(latency), says]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    before = dict(os.environ)
    try:
        found = Model(json.loads(process.stdout.readline()), process)
        os.environ.update(found.environment)
        yield found
    finally:
        os.environ.clear()
        os.environ.update(before)
        process.stdin.close()
        process.wait(timeout=60)
