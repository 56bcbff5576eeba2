"""Is the SQLite file under its name still the one that was opened?

SQLite goes on writing to a file that was deleted or replaced under it, and what it writes is gone when the process
ends. So nothing is read or acknowledged before a look at the names: a few calls of `stat`, against an fsync.
"""

import os
import struct
import threading
from pathlib import Path

from gnomon.errors import StoreTrouble

_REMEDY = "nothing is stored until it is put back, or the server is started again"
_WAL_HEADER, _FRAME_HEADER = 32, 24
_PAGE_SIZE_AND_FRAMES = struct.Struct("=HI")  # at byte 14 of the wal-index, in the machine's own byte order

_Identity = tuple[int, int]


class Watch:
    """One database file with its write-ahead log and the log's index."""

    def __init__(self, path: Path) -> None:
        self._path = path
        beside = os.path.realpath(path)  # SQLite keeps the log beside the file that a link leads to
        self._log, self._index = Path(f"{beside}-wal"), Path(f"{beside}-shm")
        self._opened: _Identity | None = None
        self._length = self._log_length = 0
        self._beside: dict[Path, _Identity] = {}
        self._looking = threading.Lock()  # or an older look would take a newer one's length for a cut

    def begin(self) -> None:
        """The file is open now, and it is the one to keep to."""
        if self._opened is None:
            self._opened = _identity(self._stat(self._path))

    def begin_log(self) -> None:
        """The writer holds the log open now, so that it stays the same file."""
        with self._looking:
            for path in (self._log, self._index):
                if path.exists():  # there are file systems without a write-ahead log
                    self._beside[path] = _identity(self._stat(path))

    def end_log(self) -> None:
        """The writer has let go of the log; its last user deletes it."""
        with self._looking:
            self._beside, self._log_length = {}, 0

    def look(self) -> None:
        """Raise when the file or its log was removed, replaced or cut. What has not been opened yet is fine."""
        with self._looking:
            if self._opened is not None:
                self._look_at_file()
            for path in self._beside:
                self._look_beside(path)

    def _look_at_file(self) -> None:
        now = self._stat(self._path)
        if _identity(now) != self._opened:
            raise StoreTrouble(f"{self._path} was replaced by another file while it was in use; {_REMEDY}")
        if now.st_size < self._length:
            raise StoreTrouble(
                f"{self._path} was cut from {self._length:,} to {now.st_size:,} bytes while it was in use; {_REMEDY}"
            )
        self._length = now.st_size

    def _look_beside(self, path: Path) -> None:
        """The log is where transactions are until they are copied into the file."""
        now = self._stat(path)
        if _identity(now) != self._beside[path]:
            raise StoreTrouble(f"{path} was replaced by another file while it was in use; {_REMEDY}")
        if path == self._log:
            if now.st_size < self._log_length and self._length_by_index() > (size := self._stat(path).st_size):
                raise StoreTrouble(f"{path} was cut to {size:,} bytes while it was in use; {_REMEDY}")
            self._log_length = now.st_size

    def _length_by_index(self) -> int:
        """How long the log must be at least. SQLite itself makes it shorter too, and says so in the index first."""
        with self._index.open("rb") as index:
            page_size, frames = _PAGE_SIZE_AND_FRAMES.unpack(index.read(20)[14:])
        page_size = 65536 if page_size == 1 else page_size
        return _WAL_HEADER + frames * (_FRAME_HEADER + page_size) if frames else 0

    def _stat(self, path: Path) -> os.stat_result:
        try:
            return os.stat(path)
        except OSError as fault:
            raise StoreTrouble(f"{path} is gone from under the server ({fault.strerror}); {_REMEDY}") from None


def _identity(found: os.stat_result) -> _Identity:
    return found.st_dev, found.st_ino
