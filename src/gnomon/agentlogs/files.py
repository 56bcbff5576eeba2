"""Which files are session files, and which of them can say something about a stretch of time."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from gnomon.agentlogs.events import instant
from gnomon.agentlogs.lines import shown
from gnomon.agentlogs.reading import OnProblem, first_cwd

SUFFIX = ".jsonl"
SAMPLE = 64 * 1024
DAY = 86_400_000_000
TIMESTAMP = re.compile(rb'"timestamp"\s*:\s*"([^"\\]{20,40})"')

ByteWindow = tuple[int | None, int]


def session_files(directories: Iterable[Path | str], *, recursive: bool = True, on_problem: OnProblem) -> list[Path]:
    """The session files under these folders, sorted, each real file once. A folder that is not there has none."""
    paths: dict[tuple[int, int], Path] = {}
    folders_seen: set[tuple[int, int]] = set()
    for directory in directories:
        if str(directory):
            for path in _walk(Path(directory), recursive, folders_seen, on_problem):
                identity = _identity(path, on_problem)
                if identity and (identity not in paths or path < paths[identity]):
                    paths[identity] = path
    return sorted(paths.values())


def _walk(folder: Path, recursive: bool, seen: set[tuple[int, int]], on_problem: OnProblem) -> Iterator[Path]:
    try:
        where = folder.stat()
        if (where.st_dev, where.st_ino) in seen:  # a link back up, or the same folder named twice
            return
        seen.add((where.st_dev, where.st_ino))
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError as why:
        on_problem(f"{shown(folder)}: cannot be listed ({why.strerror or why}); its session files are missing")
        return
    for entry in entries:
        path = Path(entry.path)
        if path.is_dir():
            if entry.name.endswith(SUFFIX):
                on_problem(f"{shown(path)}: is a folder, although it is named like a session file")
            if recursive:
                yield from _walk(path, recursive, seen, on_problem)
        elif entry.name.endswith(SUFFIX):
            yield path


def _identity(path: Path, on_problem: OnProblem) -> tuple[int, int] | None:
    try:
        if not path.is_file():
            on_problem(f"{shown(path)}: is not a file that can be read (a broken link, a pipe or a device)")
            return None
        stat = path.stat()
    except OSError as why:
        on_problem(f"{shown(path)}: cannot be read ({why.strerror or why})")
        return None
    if not os.access(path, os.R_OK):
        on_problem(f"{shown(path)}: cannot be read (permission denied)")
        return None
    return stat.st_dev, stat.st_ino


class FileEnds(Struct, frozen=True, array_like=True):
    """A look at the two ends of a file, and where its session began. Valid for exactly that content."""

    size: int
    changed: int
    inode: int
    first: int | None
    last: int
    cwd: str | None

    def describes(self, stat: os.stat_result) -> bool:
        return (self.size, self.changed, self.inode) == (stat.st_size, stat.st_mtime_ns, stat.st_ino)

    def may_touch(self, window: ByteWindow) -> bool:
        """Whether the file can hold an event of the window. In doubt, yes."""
        start, end = window
        if self.first is not None and self.first - DAY > end:
            return False
        return start is None or self.last + DAY > start


def ends_of(path: Path) -> FileEnds:
    with path.open("rb") as file:
        head = file.read(SAMPLE)
        first = min(_instants(head), default=None)
        stat = os.fstat(file.fileno())
        file.seek(max(0, stat.st_size - SAMPLE))
        last = max([stat.st_mtime_ns // 1000, *_instants(file.read(SAMPLE))])
    return FileEnds(stat.st_size, stat.st_mtime_ns, stat.st_ino, first, last, first_cwd(path, head))


def _instants(piece: bytes) -> list[int]:
    times = (instant(value.decode("ascii", "replace")) for value in TIMESTAMP.findall(piece))
    return [at for at in times if at is not None]
