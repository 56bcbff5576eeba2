"""A file that is written bit by bit, and is whole or not there."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gnomon.errors import InvalidInput, Refused


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """A file beside the one that is wanted, which becomes it at the end. Only its owner can read it.

    After any exception, also Ctrl-C, there is no file, or the one that was there before. A pipe or a device is
    written directly.
    """
    if path.is_dir():
        raise InvalidInput.of("out", f"--out {path} is a folder; name a file in it")
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            yield device
        return
    _refuse_existing(path, force)
    place = Path(os.path.realpath(path))  # a link stays a link
    part = place.with_name(f".{place.name[:60]}-{secrets.token_hex(6)}.part")
    try:
        handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileNotFoundError:
        words = f"--out {path}: the folder {path.parent} does not exist; make it, or name another file"
        raise InvalidInput.of("out", words) from None
    except OSError as bad:
        raise InvalidInput.of("out", f"--out {path}: {bad.strerror or bad}; name another file") from None
    try:
        with os.fdopen(handle, "wb", buffering=1 << 20) as file:
            yield file
            file.flush()
            os.fsync(handle)
        _refuse_existing(path, force)
        os.replace(part, place)
    except BaseException as fault:
        part.unlink(missing_ok=True)
        if isinstance(fault, OSError):
            raise Refused(f"cannot write {path}: {fault.strerror or fault}; nothing of it was kept") from None
        raise


def _refuse_existing(path: Path, force: bool) -> None:
    if path.exists() and not force:
        raise InvalidInput.of("out", f"--out {path} exists already; name another file, or overwrite it with --force")
