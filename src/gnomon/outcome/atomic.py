"""Files that are whole or not there: written aside, then renamed over the old ones."""

import os
import secrets
from pathlib import Path

from gnomon.errors import Refused


def write_whole(path: Path, content: str | bytes, *, private: bool = False) -> Path:
    """Replace a file at once. Whoever reads at the same moment sees the old one or the new one.

    It keeps its mode; a new one has the usual one, or with `private` can be read by its owner only.
    """
    data = content.encode() if isinstance(content, str) else content
    aside = path.with_name(f".{path.name[:60]}-{secrets.token_hex(6)}.tmp")
    try:
        handle = os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if private else 0o666)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                if not private and (mode := _mode(path)) is not None:
                    os.fchmod(file.fileno(), mode)
            os.replace(aside, path)
        except BaseException:
            os.unlink(aside)
            raise
    except OSError as bad:
        raise Refused(f"cannot write {path}: {bad.strerror or bad}") from None
    return path


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return None
