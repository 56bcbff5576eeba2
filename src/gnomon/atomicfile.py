"""Replace a file in one step: a reader sees the old content or the new one, never a part."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gnomon.errors import Refused

_PRIVATE = 0o600
_USUAL = 0o666


@contextmanager
def replacement(path: Path, *, private: bool = False) -> Iterator[Path]:
    """The path of an empty file beside `path`, which replaces it when the block ends.

    After an exception, also Ctrl-C, it is deleted and `path` is as it was. The caller writes and syncs the content.
    """
    temporary = path.with_name(f".{path.name[:60]}-{secrets.token_hex(6)}.tmp")
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE if private else _USUAL))
    try:
        yield temporary
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def open_atomically(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A binary file to write to, which replaces `path` when the block ends. Raises `OSError`.

    The file keeps its mode; a new one has the usual one. With `private` only its owner can read it.
    """
    with replacement(path, private=private) as temporary, temporary.open("wb", buffering=1 << 20) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
        if not private and (mode := _mode(path)) is not None:
            os.fchmod(file.fileno(), mode)


def write_atomically(path: Path, content: str | bytes, *, private: bool = False) -> Path:
    """Replace the file's content; `Refused` says why it cannot be written."""
    try:
        with open_atomically(path, private=private) as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as fault:
        raise Refused(f"cannot write {path}: {fault.strerror or fault}") from None
    return path


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return None
