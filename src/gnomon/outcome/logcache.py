"""Parsed log entries, kept by file identity, so that scoring one iteration need not parse a thousand."""

import os
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import msgspec

from gnomon.atomicfile import write_atomically
from gnomon.errors import Refused
from gnomon.model.outcome import Profile
from gnomon.outcome.record import IterationRecord

_FORMAT = 3  # goes up when an entry is read in another way
_SETTLED = 2_000_000_000  # nanoseconds: two changes that follow faster may carry the same time
Identity = tuple[int, int, int]  # size, time of the last change, file number


class _Kept(msgspec.Struct, array_like=True):
    format: int
    entries: dict[str, tuple[Identity, list[IterationRecord]]]


class Remembered:
    """Entries of one log directory. A cache that cannot be read or written costs time and nothing else."""

    def __init__(self, cache: Path | None, directory: Path, profile: Profile) -> None:
        name = sha256(os.fsencode(os.path.realpath(directory))).hexdigest()[:20]
        self.path = cache / f"log-{profile}-{name}.msgpack" if cache else None
        self.known = self._recalled()
        self.used: dict[str, tuple[Identity, list[IterationRecord]]] = {}
        self.changed = False

    def records(self, path: Path, parse: Callable[[], list[IterationRecord]]) -> list[IterationRecord]:
        if self.path is None or path.is_symlink():
            return parse()
        status = path.stat()
        identity = (status.st_size, status.st_mtime_ns, status.st_ino)
        known = self.known.get(path.name)
        if known is not None and known[0] == identity:
            self.used[path.name] = known
            return known[1]
        records = parse()
        if time.time_ns() - status.st_mtime_ns > _SETTLED:
            self.used[path.name] = (identity, records)
            self.changed = True
        return records

    def keep(self) -> None:
        if self.path is None or not (self.changed or len(self.used) < len(self.known)):
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, msgspec.msgpack.encode(_Kept(_FORMAT, self.used)), private=True)
        except (OSError, Refused, UnicodeEncodeError):
            return

    def _recalled(self) -> dict[str, tuple[Identity, list[IterationRecord]]]:
        try:
            kept = msgspec.msgpack.decode(self.path.read_bytes(), type=_Kept) if self.path else None
        except (OSError, msgspec.MsgspecError, ValueError):
            return {}
        return kept.entries if kept and kept.format == _FORMAT else {}
