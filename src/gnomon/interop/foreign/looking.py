"""A first look at a file: enough to tell which tool wrote it, without reading it whole.

Only the first bytes are read. `keys` are the paths of the keys that begin there, such as `eval.task` or
`results[].task_id`: a list adds `[]`, and a file of JSON lines looks like the first of them.
"""

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from gnomon.errors import Refused
from gnomon.interop.conversation import CODE

LOOKED_AT = 128 << 10
_DEEPEST = 6
_TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*)"\s*(:?)|[\[\]{}]')
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Look:
    """What the beginning of a file shows."""

    suffix: str
    """In small letters, with its dot."""
    head: bytes
    keys: frozenset[str]

    @property
    def is_zip(self) -> bool:
        return self.head.startswith(b"PK")

    def has(self, *keys: str) -> bool:
        """Whether all of these keys begin in the first bytes."""
        return self.keys.issuperset(keys)

    @property
    def first_line(self) -> bytes:
        return self.head.partition(b"\n")[0].strip()


def look(path: Path) -> Look:
    """What is seen of this file; of a folder nothing."""
    try:
        if path.is_dir():
            return Look("", b"", frozenset())
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise Refused(f"{path} is not a regular file; name one that can be read twice", code=CODE)
        return _look(path, about.st_size, about.st_mtime_ns)
    except OSError as bad:
        raise Refused(f"{path}: {bad.strerror or bad}; name a file that can be read", code=CODE) from None


@lru_cache(maxsize=8)
def _look(path: Path, _size: int, _changed: int) -> Look:
    """Every reader asks for the same file, one after the other."""
    with path.open("rb") as file:
        head = file.read(LOOKED_AT).removeprefix(_BOM)
    is_json = head.lstrip()[:1] in (b"{", b"[")
    return Look(path.suffix.lower(), head, frozenset(_keys(head)) if is_json else frozenset())


def _keys(head: bytes) -> Iterator[str]:
    """The paths of the keys, down to a few levels."""
    paths: list[str] = []
    path = name = ""
    for token in _TOKEN.finditer(head):
        text = token[0][:1]
        if text == b'"':
            if token[2] and len(paths) <= _DEEPEST:
                name = token[1].decode("utf-8", "replace")
                yield f"{path}.{name}" if path else name
        elif text in (b"{", b"["):
            paths.append(path)
            if len(paths) <= _DEEPEST:  # a path as long as the file is deep would fill the memory
                path = f"{path}.{name}" if name and path else name or path
                path = f"{path}[]" if text == b"[" else path
            name = ""
        else:
            if not paths:
                return
            path, name = paths.pop(), ""
            if not paths:
                return  # the first value is over: what follows are more lines
