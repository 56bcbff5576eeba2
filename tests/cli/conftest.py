"""Commands as a person runs them: real arguments, real files, a real server; what they print and how they end."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO

import httpx2
import pytest

import preloaded
from conftest import START_SECONDS
from contract.caller import LOOPBACK
from databases import copy_of_demo
from gnomon.cli.main import main


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own, and nothing else of Gnomon in the environment.

    Commands that evaluate use the SDK's connection, which belongs to the process: one that a test before left open,
    or that its tracing opened again after it, would store in another home.
    """
    for name in list(os.environ):
        if name.startswith("GNOMON_"):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    monkeypatch.setenv("GNOMON_HOME", str(home))
    _leave_connection()
    yield home
    _leave_connection()


def _leave_connection() -> None:
    if (connection := sys.modules.get("gnomon.sdk.connection")) is not None:
        connection.configure()


@pytest.fixture
def gnomon(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process: `gnomon("summary", "answers-v2")`.

    It does not say how far it is, as it would after some seconds: a slow machine would add lines.
    """
    monkeypatch.setattr(import_module("gnomon.cli.show.progress"), "SILENT_SECONDS", 3600)

    def run(*arguments: object) -> Done:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        told = capfd.readouterr()
        return Done(int(ended.value.code or 0), told.out, told.err)

    return run


@pytest.fixture
def demo_db(tmp_path: Path) -> Path:
    """A copy of the demo's database, to read and to spoil."""
    return copy_of_demo(tmp_path)


@dataclass(frozen=True)
class Running:
    process: subprocess.Popen[str]
    url: str
    said: str
    """What it wrote to stdout until it listened."""
    out: IO[str]
    err: IO[str]


@contextmanager
def running(*arguments: str, **environment: str) -> Iterator[Running]:
    """`gnomon …` as a process that serves, from the line that says where until it is stopped."""
    command = preloaded.command("-m", "gnomon", *arguments, "--port", "0")
    # Its log goes to a file: a pipe that nobody reads is full after some hundred requests, and the server stands still.
    with tempfile.NamedTemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            command, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=log, text=True
        )
        try:
            with open(log.name, encoding="utf-8") as written:
                yield _once_it_answers(process, written)
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate()


def _once_it_answers(process: subprocess.Popen[str], log: IO[str]) -> Running:
    assert process.stdout is not None
    said, match = "", None
    while match is None:
        line = process.stdout.readline()
        assert line, f"it ended before it listened: {log.read()}"
        said += line
        match = re.search(r"http://127\.0\.0\.1:\d+", said)
    url = match.group()
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            assert httpx2.get(f"{url}/healthz", **LOOPBACK).status_code == 200
            return Running(process, url, said, process.stdout, log)
        except httpx2.TransportError:
            assert time.monotonic() < deadline, "it never answered"
            time.sleep(0.02)
