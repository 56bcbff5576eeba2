"""Running a command, without a shell, in a process group of its own that is ended together."""

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gnomon.calling import CallFailed, CallTimedOut, in_one_line
from gnomon.model.nearest import nearest

LONGEST_ERRORS = 2_000
"""Bytes that are kept of what a process writes to its stderr, from the end."""
_SHOWN_ERRORS = 300
_GRACE = 1.0
"""Seconds that a process's children may go on writing after it ended, and that a killed one may take to end."""


def split(command: str) -> list[str]:
    """The words of a command as a shell would split them; raises ValueError."""
    return shlex.split(command)


def why_not_runnable(program: str, *, folder: Path = Path(), search_path: str | None = None) -> str | None:
    """Why there is no such program, with the remedy; None when it can be run."""
    if not program:
        return "the program's name is empty"
    if os.sep not in program:
        if shutil.which(program, path=search_path) is not None:
            return None
        suggestion = f"./{program}" if (folder / program).is_file() else nearest(program, set(_on_path(search_path)))
        return f"there is no program {program!r} on PATH{_meant(suggestion)}"
    file = folder / program
    if not file.is_file():
        near = nearest(file.name, [path.name for path in _files(file.parent)])
        return f"there is no program {program!r}{_meant(near and program[: -len(file.name)] + near)}"
    if not os.access(file, os.X_OK):
        return f"{program!r} is not executable; run chmod +x {program}, or name its interpreter first"
    return None


def _meant(near: str | None) -> str:
    return f"; did you mean {near}?" if near else "; check its name, or install it"


def _on_path(search_path: str | None) -> Iterator[str]:
    for folder in (os.environ.get("PATH", os.defpath) if search_path is None else search_path).split(os.pathsep):
        yield from (file.name for file in _files(Path(folder)))


def _files(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


async def run(
    words: Sequence[str],
    stdin: bytes,
    *,
    most_bytes: int,
    timeout: float | None = None,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """What the command writes to its stdout; raises `CallFailed` also when its exit code is not 0.

    When it is over, in whatever way, no process of its group is left that holds its output.
    """
    loop = asyncio.get_running_loop()
    pipe = asyncio.subprocess.PIPE
    try:
        transport, output = await loop.subprocess_exec(
            lambda: _Output(loop, most_bytes), *words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True,
            cwd=folder, env=environment,
        )  # fmt: skip
    except (OSError, ValueError) as bad:  # ValueError: a word holds the character NUL
        raise CallFailed(f"{words[0]} cannot be run: {getattr(bad, 'strerror', None) or bad}") from None
    try:
        async with asyncio.timeout(timeout):
            await _until_it_ended(transport, output, stdin)
    except TimeoutError:
        raise CallTimedOut(f"{words[0]} did not end within {timeout:g} s{last_words(output.errors)}") from None
    finally:
        await _ended_together(transport, output)
    if output.is_too_long:
        raise CallFailed(f"{words[0]} wrote more than {most_bytes >> 20} MiB to its stdout")
    if code := transport.get_returncode():
        raise CallFailed(f"{words[0]} ended with {ending(code)}{last_words(output.errors)}")
    return bytes(output.text)


class _Output(asyncio.SubprocessProtocol):
    """Collects what a process writes. Its end and the end of its output are two events: a child may hold the pipes."""

    def __init__(self, loop: asyncio.AbstractEventLoop, most_bytes: int) -> None:
        self.text, self.errors = bytearray(), b""
        self.is_over: asyncio.Future[None] = loop.create_future()
        """It ended, or wrote too much."""
        self.exited, self.closed = asyncio.Event(), asyncio.Event()
        self._most_bytes = most_bytes

    @property
    def is_too_long(self) -> bool:
        return len(self.text) > self._most_bytes

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.errors = (self.errors + data)[-LONGEST_ERRORS:]
        elif not self.is_too_long:
            self.text += data
            if self.is_too_long:
                self._over()

    def process_exited(self) -> None:
        self.exited.set()
        self._over()

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set()

    def _over(self) -> None:
        if not self.is_over.done():
            self.is_over.set_result(None)


async def _until_it_ended(transport: asyncio.SubprocessTransport, output: _Output, stdin: bytes) -> None:
    into: Any = transport.get_pipe_transport(0)
    if into is not None:  # None once it has ended
        into.write(stdin)
        into.close()  # after what was written
    await output.is_over
    if not output.is_too_long:
        await _at_most(_GRACE, output.closed)


async def _ended_together(transport: asyncio.SubprocessTransport, output: _Output) -> None:
    try:
        if not output.closed.is_set():
            end_group(transport.get_pid())
            await _at_most(_GRACE, output.exited)
    finally:
        transport.close()


async def _at_most(seconds: float, event: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


def end_group(pid: int) -> None:
    """End a process that began a session, and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def ending(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {-code}"


def last_words(errors: bytes) -> str:
    """The end of a process's stderr, to stand behind what happened."""
    words = in_one_line(errors.decode("utf-8", "replace")[-_SHOWN_ERRORS:])
    return f"; its last words: {words}" if words else ""
