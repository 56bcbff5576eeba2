"""Files that are whole or not there: written aside, then renamed over the old ones."""

import os
import tempfile
from pathlib import Path

from gnomon.errors import Refused


def write_whole(path: Path, content: str | bytes) -> Path:
    """Replace a file at once. Whoever reads at the same moment sees the old one or the new one."""
    data = content.encode() if isinstance(content, str) else content
    try:
        aside, name = tempfile.mkstemp(prefix=f".{path.name[:60]}-", suffix=".tmp", dir=path.parent)
        try:
            with os.fdopen(aside, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                os.fchmod(file.fileno(), _mode(path))
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as bad:
        raise Refused(f"cannot write {path}: {bad.strerror or bad}") from None
    return path


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return 0o644
