"""Lines of a session file as bytes, and JSON that tolerates what agents really write.

Files may be written to while they are read, cut by a crash, or hold a line larger than memory allows.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

LARGEST_LINE = 16 * 1024 * 1024
BUFFER = 1024 * 1024
PADDING = b" \t\r\n\0\xef\xbb\xbf"  # a byte-order mark at the start, zero bytes where a crash lost a block
LineShape = TypeVar("LineShape")

# Output cut in the middle of an emoji leaves half a surrogate pair, which strict JSON readers refuse.
HALF_PAIR = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


def lines(path: Path, on_long: Callable[[int], None]) -> Iterator[tuple[int, bytes]]:
    """(line number, line) of every line that is not blank. Too long a line is reported by number and skipped."""
    with path.open("rb", buffering=BUFFER) as file:
        number = 0
        while line := file.readline(LARGEST_LINE + 1):
            number += 1
            if len(line) > LARGEST_LINE and not line.endswith(b"\n"):
                on_long(number)
                _pass_over(file)
            elif line := line.strip(PADDING):
                yield number, line


def _pass_over(file: BinaryIO) -> None:
    while (piece := file.readline(BUFFER)) and not piece.endswith(b"\n"):
        pass


def shown(path: Path) -> str:
    """The path as text that can be printed and stored, whatever bytes its name is made of."""
    return os.fsencode(path).decode("utf-8", "replace")


def roughly(piece: bytes | memoryview) -> str:
    """An approximate decoding of a piece of JSON text, good enough to recognise known phrases in it."""
    text = bytes(piece).decode("utf-8", "ignore").rpartition('"text":"')[2].strip('"]} ')
    return text.replace("\\n", "\n").replace("\\t", "\t")


def decode(decoder: msgspec.json.Decoder[LineShape], line: bytes) -> LineShape | None:
    """The line as that shape; None when it is not JSON or not of that shape."""
    try:
        return decoder.decode(line)
    except (ValueError, RecursionError):
        pass
    mended = HALF_PAIR.sub(rb"\\ufffd", line.decode("utf-8", "replace").encode())
    if mended == line:
        return None
    try:
        return decoder.decode(mended)
    except (ValueError, RecursionError):
        return None
