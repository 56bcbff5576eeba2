"""One process at a time writes entries into a log: hooks of an agent and of git may start at the same moment."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from gnomon.settings import from_environment

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PRIVATE = 0o600


@contextmanager
def writing_alone(log: Path) -> Iterator[None]:
    """Wait until no other process writes into this log, and keep others out until the block ends.

    Whoever comes later reads what the one before it wrote. The system lets go of the lock with the process. The file
    of the lock is in GNOMON_HOME, since logs are committed. Where it cannot be made, and on Windows, nobody waits.
    """
    file = _opened(log)
    try:
        if file is not None and fcntl is not None:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        if file is not None:
            os.close(file)


def _opened(log: Path) -> int | None:
    name = sha256(os.fsencode(log.resolve())).hexdigest()[:16]
    folder = from_environment().home / "locks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return os.open(folder / f"outcome-log-{name}", os.O_RDWR | os.O_CREAT, _PRIVATE)
    except OSError:
        return None
