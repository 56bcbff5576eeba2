"""How answers are written: bounded, and with what others wrote marked as data.

What an application was asked and what it answered was written by strangers, and a coding agent reads it. So it stands
between two lines with a number that is drawn anew for each answer, which nobody can have written into a trace before.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gnomon.report.text.values import cut, written

_LAST_LINE = 200
"""Bytes that are kept for the line which says what was left out."""
_NEWLINE = "\n"
_LINE = re.compile("\n(?!\n|$)")


def fenced(mark: str, fields: Mapping[str, Any], most: int) -> str:
    """What others wrote, a field per line. The lines of a longer text are indented, so that none passes for a field."""
    texts = {label: _LINE.sub("\n  ", written(value)) for label, value in fields.items()}
    lines = [f"{label}:{'' if text.startswith(_NEWLINE) else ' '}{cut(text, most)}" for label, text in texts.items()]
    return "\n".join([f"<data-{mark}>", *lines, f"</data-{mark}>"])


def bounded(pieces: Iterable[str], most: int) -> str:
    """The pieces that fit into so many bytes, and how many did not. A piece is shown whole or not at all."""
    shown: list[str] = []
    size, left_out = _LAST_LINE, 0
    for piece in pieces:
        takes = len(piece.encode()) + 1
        if left_out or size + takes > most:
            left_out += 1
        else:
            shown.append(piece)
            size += takes
    return "\n".join([*shown, *_left_out(left_out, most)])


def _left_out(count: int, most: int) -> Iterator[str]:
    if count:
        parts = "1 part" if count == 1 else f"{count:,} parts"
        yield (
            f"… {parts} more, over {most:,} bytes (ask with a smaller limit, or for one scorer or span; "
            "or start `gnomon mcp` with a larger --max-bytes)"
        )
