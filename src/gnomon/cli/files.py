"""Files that commands write where a flag tells them to."""

from pathlib import Path

from gnomon.errors import InvalidInput


def write_text(path: Path, text: str, flag: str = "--html", *, append: bool = False) -> None:
    try:
        with path.open("a" if append else "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as bad:
        raise InvalidInput.of(flag[2:], f"{flag} {path}: {bad.strerror or bad}; name another file") from None
