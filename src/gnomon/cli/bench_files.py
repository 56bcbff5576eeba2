"""Files that `gnomon bench` writes where it is told to."""

from pathlib import Path

from gnomon.errors import InvalidInput


def write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as bad:
        raise InvalidInput(f"cannot write {path}: {bad.strerror or bad}; choose another place") from None
