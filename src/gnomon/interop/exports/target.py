"""The output file of an export: written bit by bit, and complete or not there."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gnomon.atomicfile import open_atomically
from gnomon.errors import InvalidInput, Refused


@contextmanager
def whole_file(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """A file to write to that takes its name when it is complete. Only its owner can read it.

    After any exception, also Ctrl-C, there is no file, or the one that was there before. A pipe or a device is
    written directly.
    """
    if path.is_dir():
        raise InvalidInput.of("out", f"--out {path} is a folder; name a file in it")
    if path.exists() and not path.is_file():
        try:
            with path.open("wb") as device:
                yield device
        except BrokenPipeError:
            raise
        except OSError as fault:
            raise Refused(f"cannot write {path}: {fault.strerror or fault}") from None
        return
    _refuse_existing(path, force)
    is_open = False
    try:
        with open_atomically(Path(os.path.realpath(path)), private=True) as file:  # a link stays a link
            is_open = True
            yield file
            _refuse_existing(path, force)
    except OSError as fault:
        if is_open:
            raise Refused(f"cannot write {path}: {fault.strerror or fault}; the partial file was removed") from None
        raise _cannot_open(path, fault) from None


def _cannot_open(path: Path, fault: OSError) -> InvalidInput:
    if isinstance(fault, FileNotFoundError):
        remedy = f"the folder {path.parent} does not exist; make it, or name another file"
        return InvalidInput.of("out", f"--out {path}: {remedy}")
    return InvalidInput.of("out", f"--out {path}: {fault.strerror or fault}; name another file")


def _refuse_existing(path: Path, force: bool) -> None:
    if path.exists() and not force:
        raise InvalidInput.of("out", f"--out {path} exists already; name another file, or overwrite it with --force")
