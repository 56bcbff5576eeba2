"""Files that commands write where a flag tells them to."""

from pathlib import Path

from gnomon.errors import InvalidInput


def write_text(path: Path, text: str, flag: str = "--html") -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as bad:
        raise InvalidInput.of(flag[2:], f"{flag} {path}: {bad.strerror or bad}; name another file") from None
