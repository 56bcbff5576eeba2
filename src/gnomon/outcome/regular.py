"""Files that other people's tools left behind, read only where they are plain files inside their folder.

A link that leads out, a pipe that nobody writes to, a device, a file beyond any sense: each is an OSError with
its reason, and nothing of it is read.
"""

import os
import stat
from pathlib import Path


def read_regular(path: Path, largest: int, *, within: Path) -> bytes:
    if not lies_inside(path, within):
        raise OSError(None, f"is a link that leads out of {within.name or within}")
    # Without O_NONBLOCK, opening a pipe waits for somebody to write to it.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(None, "is a directory" if stat.S_ISDIR(status.st_mode) else "is not a regular file")
        if status.st_size > largest:
            raise OSError(None, f"has {status.st_size} bytes, more than {largest}")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def lies_inside(path: Path, folder: Path) -> bool:
    """Whether a path is still inside the folder once all links are followed."""
    inner, outer = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath([inner, outer]) == outer
