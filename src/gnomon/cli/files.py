"""Files that commands write where a flag tells them to."""

import os
from pathlib import Path

from gnomon.atomicfile import open_atomically
from gnomon.errors import InvalidInput


def write_text(path: Path, text: str, flag: str = "--html", *, append: bool = False) -> None:
    """Write the whole file or nothing; with `append`, and for a pipe or a device, add to what is there."""
    try:
        if append or (path.exists() and not path.is_file()):
            with path.open("a", encoding="utf-8") as file:
                file.write(text)
        else:
            with open_atomically(Path(os.path.realpath(path))) as whole:  # a link stays a link
                whole.write(text.encode())
    except OSError as bad:
        raise InvalidInput.of(flag[2:], f"{flag} {path}: {bad.strerror or bad}; name another file") from None
