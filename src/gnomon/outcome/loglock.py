"""One process at a time writes entries into a log: hooks of an agent and of git may start at the same moment."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from gnomon.errors import Busy
from gnomon.settings import from_environment

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PRIVATE = 0o600
_BETWEEN_LOOKS = 0.05


@contextmanager
def writing_alone(log: Path, *, seconds: float | None = None) -> Iterator[None]:
    """Wait until no other process writes into this log, and keep others out until the block ends.

    With `seconds` it gives up after so long (`Busy`): a process that was stopped keeps the lock. Whoever comes later
    reads what the one before it wrote. The system lets go of the lock with the process. The file of the lock is in
    GNOMON_HOME, since logs are committed. Where it cannot be made, and on Windows, nobody waits.
    """
    file = _opened(log)
    try:
        if file is not None:
            _wait_for(file, log, seconds)
        yield
    finally:
        if file is not None:
            os.close(file)


def _wait_for(file: int, log: Path, seconds: float | None) -> None:
    if fcntl is None:
        return
    with suppress(OSError):  # a file system without locks
        if seconds is None:
            fcntl.flock(file, fcntl.LOCK_EX)
            return
        until = time.monotonic() + seconds
        while not _is_locked(file):
            if time.monotonic() >= until:
                raise Busy(f"another process has been writing into {log} for {seconds:g} seconds; nothing is written")
            time.sleep(_BETWEEN_LOOKS)


def _is_locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _opened(log: Path) -> int | None:
    name = sha256(os.fsencode(log.resolve())).hexdigest()[:16]
    folder = from_environment().home / "locks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return os.open(folder / f"outcome-log-{name}", os.O_RDWR | os.O_CREAT, _PRIVATE)
    except OSError:
        return None
