"""Is the SQLite file under its name still the one that was opened?

SQLite goes on writing to a file that was deleted or replaced under it, and what it writes is gone when the process
ends. So nothing is read or acknowledged before a look at the names: a few calls of `stat`, against an fsync.

A file may become shorter: SQLite gives free pages back when old traces were removed. It writes how many pages there
are into the file's header before it cuts the file, so a file that is shorter than its header says was cut by others.
"""

import os
import struct
import sys
import threading
from pathlib import Path

from gnomon.errors import StoreTrouble

_REMEDY = "nothing is stored until it is put back, or the server is started again"
_WAL_HEADER, _FRAME_HEADER = 32, 24
_PAGE_SIZE_AND_FRAMES = struct.Struct("=HI")  # at byte 14 of the wal-index, in the machine's own byte order

_PAGE_SIZE_AT, _PAGE_COUNT_AT = 16, 28  # in the file's header, in network byte order

_Identity = tuple[int, int]
_open_files: dict[_Identity, tuple[int, int]] = {}
"""Of each file that is watched, a descriptor to read its header by and how many watch it. A file is closed only with
the last: the first close of any descriptor lets go of all locks that this process holds on the file."""
_opening = threading.Lock()


class Watch:
    """One database file with its write-ahead log and the log's index."""

    def __init__(self, path: Path) -> None:
        self._path = path
        beside = os.path.realpath(path)  # SQLite keeps the log beside the file that a link leads to
        self._log, self._index = Path(f"{beside}-wal"), Path(f"{beside}-shm")
        self._opened: _Identity | None = None
        self._length = self._log_length = 0
        self._beside: dict[Path, _Identity] = {}
        self._kept_indexes: list[_Identity] = []
        self._looking = threading.Lock()  # or an older look would take a newer one's length for a cut

    def begin(self) -> None:
        """The file is open now, and it is the one to keep to."""
        with self._looking:
            if self._opened is None:
                self._opened = _identity(self._stat(self._path))
                _keep_open(self._path, self._opened)

    def close(self) -> None:
        """The file is not used any more: SQLite has closed it already."""
        with self._looking:
            if self._opened is not None:
                for identity in (self._opened, *self._kept_indexes):
                    _let_go(identity)
                self._opened, self._kept_indexes = None, []

    def begin_log(self) -> None:
        """Note the log's identity, now that the writer holds it open."""
        with self._looking:
            for path in (self._log, self._index):
                if path.exists():  # there are file systems without a write-ahead log
                    self._beside[path] = _identity(self._stat(path))
            index = self._beside.get(self._index)
            if self._opened is not None and index is not None and index not in self._kept_indexes:
                _keep_open(self._index, index)
                self._kept_indexes.append(index)

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
        if now.st_size < self._length and self._length_by_header() > self._stat(self._path).st_size:
            raise StoreTrouble(
                f"{self._path} was cut from {self._length:,} to {now.st_size:,} bytes while it was in use; {_REMEDY}"
            )
        self._length = now.st_size

    def _length_by_header(self) -> int:
        """How long the file must be. Without a header, longer than any."""
        assert self._opened is not None
        handle, _ = _open_files[self._opened]
        header = os.pread(handle, 100, 0) if handle >= 0 else b""
        if len(header) < 100:
            return sys.maxsize
        page_size = int.from_bytes(header[_PAGE_SIZE_AT : _PAGE_SIZE_AT + 2])
        page_count = int.from_bytes(header[_PAGE_COUNT_AT : _PAGE_COUNT_AT + 4])
        return page_count * (65536 if page_size == 1 else page_size)

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
        handle, _ = _open_files.get(self._beside.get(self._index, (0, 0)), (-1, 0))
        header = os.pread(handle, 20, 0) if handle >= 0 else b""
        if len(header) < 20:
            return 0
        page_size, frames = _PAGE_SIZE_AND_FRAMES.unpack(header[14:])
        page_size = 65536 if page_size == 1 else page_size
        return _WAL_HEADER + frames * (_FRAME_HEADER + page_size) if frames else 0

    def _stat(self, path: Path) -> os.stat_result:
        try:
            return os.stat(path)
        except OSError as fault:
            raise StoreTrouble(f"{path} was removed while the server used it ({fault.strerror}); {_REMEDY}") from None


def _keep_open(path: Path, identity: _Identity) -> None:
    with _opening:
        handle, users = _open_files.get(identity, (-1, 0))
        if users == 0 and os.name == "posix":
            handle = os.open(path, os.O_RDONLY)
        _open_files[identity] = (handle, users + 1)


def _let_go(identity: _Identity) -> None:
    with _opening:
        handle, users = _open_files[identity]
        if users > 1:
            _open_files[identity] = (handle, users - 1)
            return
        del _open_files[identity]
        if handle >= 0:
            os.close(handle)


def _identity(stat: os.stat_result) -> _Identity:
    return stat.st_dev, stat.st_ino
