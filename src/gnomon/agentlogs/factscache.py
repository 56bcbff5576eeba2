"""A cache of the facts of session files in a folder, so that each file is read only once.

One small file for each session file, valid for exactly that content: path, size, time of change and inode. A
file that is broken, of another version or about other content is ignored and replaced. A folder that cannot be
written to costs time, never an answer.
"""

import os
import sys
from hashlib import blake2b
from pathlib import Path

import msgspec

from gnomon.agentlogs.facts import FileFacts
from gnomon.agentlogs.files import FileEnds, ends_of
from gnomon.agentlogs.lines import shown
from gnomon.agentlogs.reading import OnProblem
from gnomon.atomicfile import open_atomically

# Facts hold packed numbers and follow from the rules that made them: bump it when either changes.
FORMAT = f"gnomon.agentlogs/1 {sys.byteorder}"


class Kept(msgspec.Struct, array_like=True):
    format: str
    source: tuple[str, int, int, int]
    runners: tuple[str, ...]
    facts: FileFacts


KEPT = msgspec.msgpack.Decoder(Kept)
ENDS = msgspec.msgpack.Decoder(tuple[str, dict[str, FileEnds]])


class FactsCache:
    """`folder` None: nothing is kept."""

    def __init__(self, folder: Path | None, runners: tuple[str, ...], on_problem: OnProblem) -> None:
        self.folder = folder
        self.runners = runners
        self.on_problem = on_problem

    def get(self, path: Path, stat: os.stat_result) -> FileFacts | None:
        if self.folder is None:
            return None
        try:
            kept = KEPT.decode(self._file(path).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        fits = (kept.format, kept.source, kept.runners) == (FORMAT, _source(path, stat), self.runners)
        return kept.facts if fits else None

    def put(self, path: Path, stat: os.stat_result, facts: FileFacts) -> None:
        """`found` must be from before the file was read: what was appended since makes the entry stale, not wrong."""
        if self.folder is None:
            return
        try:
            written = msgspec.msgpack.encode(Kept(FORMAT, _source(path, stat), self.runners, facts))
            self.folder.mkdir(parents=True, exist_ok=True)
            with open_atomically(self._file(path), private=True) as file:
                file.write(written)
        except (OSError, ValueError) as why:
            self.on_problem(
                f"{shown(self.folder)}: facts about session files cannot be kept ({why}); reading goes on without"
            )
            self.folder = None

    def _file(self, path: Path) -> Path:
        assert self.folder is not None
        return self.folder / f"{blake2b(os.fsencode(os.path.realpath(path)), digest_size=16).hexdigest()}.facts"


class KnownEnds:
    """The ends of all files in one place: which files touch a window is asked of every file there is."""

    def __init__(self, folder: Path | None) -> None:
        self.file = folder / "ends" if folder else None
        self.kept: dict[str, FileEnds] = {}
        self.used: dict[str, FileEnds] = {}
        if self.file is not None:
            try:
                format, self.kept = ENDS.decode(self.file.read_bytes())
                self.kept = self.kept if format == FORMAT else {}
            except (OSError, ValueError, RecursionError):
                self.kept = {}

    def of(self, path: Path, stat: os.stat_result) -> FileEnds:
        name = shown(path)
        known = self.used.get(name) or self.kept.get(name)
        if known is None or not known.describes(stat):
            known = ends_of(path)
        self.used[name] = known
        return known

    def keep(self) -> None:
        """Where nothing new was learnt, nothing is written."""
        if self.file is None or all(self.kept.get(name) is ends for name, ends in self.used.items()):
            return
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with open_atomically(self.file, private=True) as file:
                file.write(msgspec.msgpack.encode((FORMAT, self.kept | self.used)))
        except (OSError, ValueError):
            self.file = None  # it costs time, and whoever keeps the facts tells


def _source(path: Path, stat: os.stat_result) -> tuple[str, int, int, int]:
    return shown(Path(os.path.realpath(path))), stat.st_size, stat.st_mtime_ns, stat.st_ino
