"""What files were like before hooks were put into them, kept in the clone and in no commit.

A file that is as it was left is put back byte for byte; one that somebody changed since only loses what is ours.
"""

import base64
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from gnomon.atomicfile import write_atomically
from gnomon.errors import Refused

_FORMAT = 1
_NAME = "outcome-install.json"


@dataclass(frozen=True, slots=True)
class FileBefore:
    """`content` is None for a file that was not there. `after` is the digest of what was written; `folders` were made
    for it, the innermost first."""

    content: bytes | None
    mode: int | None
    after: str
    folders: tuple[str, ...] = ()


class Ledger:
    def __init__(self, folder: Path) -> None:
        self.path = folder / _NAME
        self.files = self._read()

    def keep(self) -> None:
        """Write it, or remove it once nothing is installed."""
        if not self.files:
            remove(self.path)
            with suppress(OSError):
                self.path.parent.rmdir()
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as bad:
            raise Refused(f"cannot make {self.path.parent}: {bad.strerror or bad}") from None
        rows = {str(path): _row(before) for path, before in self.files.items()}
        write_atomically(self.path, json.dumps({"format": _FORMAT, "files": rows}, indent=2) + "\n")

    def _read(self) -> dict[Path, FileBefore]:
        try:
            content = json.loads(self.path.read_bytes())
            rows = content["files"] if content.get("format") == _FORMAT else {}
            return {Path(path): _before(row) for path, row in rows.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}


def content_of(path: Path) -> bytes | None:
    """The file as it is; None where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as bad:
        raise Refused(f"cannot read {path}: {bad.strerror or bad}") from None


def digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()


def missing_folders(path: Path) -> tuple[str, ...]:
    """The folders that will have to be made for a file, the innermost first."""
    return tuple(str(folder) for folder in path.parents if not folder.exists())


def remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as bad:
        raise Refused(f"cannot remove {path}: {bad.strerror or bad}") from None


def move(path: Path, to: Path) -> None:
    try:
        path.rename(to)
    except OSError as bad:
        raise Refused(f"cannot move {path} to {to.name}: {bad.strerror or bad}") from None


def put(path: Path, content: bytes, mode: int | None = None) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as bad:
        raise Refused(f"cannot make the folder {path.parent}: {bad.strerror or bad}") from None
    write_atomically(path, content)
    if mode is not None and os.name != "nt":
        path.chmod(mode)


def put_back(path: Path, before: FileBefore) -> None:
    """The file as it was, and no folder that was made for it, unless something else is in it by now."""
    if before.content is not None:
        put(path, before.content, before.mode)
        return
    remove(path)
    for folder in before.folders:
        try:
            Path(folder).rmdir()
        except OSError:
            return


def _row(before: FileBefore) -> dict[str, Any]:
    content = None if before.content is None else base64.b64encode(before.content).decode()
    return {"before": content, "mode": before.mode, "after": before.after, "folders": list(before.folders)}


def _before(row: Mapping[str, Any]) -> FileBefore:
    content = None if row["before"] is None else base64.b64decode(row["before"])
    return FileBefore(content, row["mode"], row["after"], tuple(row["folders"]))
