"""How answers are written: bounded, and with what others wrote marked as data.

What an application was asked and what it answered was written by strangers, and a coding agent reads it. So it stands
between two lines with a number that is drawn anew for each answer, which nobody can have written into a trace before.
"""

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gnomon.report.text.drawing import clean, shortened

NAME = 80
"""The longest name that is shown whole."""
_DIFF_WORDS = 400
"""Comparing texts word by word takes time that grows with the square of their length."""
_LAST_LINE = 200
"""Bytes that are kept for the line which says what was left out."""
_BREAK = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_NEWLINE = "\n"
_LINE = re.compile("\n(?!\n|$)")
_HIDDEN = re.compile("\ufffd+")


def short(text: str) -> str:
    """A name from outside, on one line."""
    return shortened(clean(text), NAME)


def written(value: Any) -> str:
    """A value as text without characters that are not to be seen, such as control characters and invisible tags."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    lines = _BREAK.sub("\n", text).replace("\t", " ").split("\n")
    return _HIDDEN.sub("\ufffd", "\n".join(map(_visible, lines)))


def _visible(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "\ufffd" for letter in line)


def cut(text: str, most: int) -> str:
    """The beginning of a text, so many bytes of it, and how much is left out."""
    kept = text[:most].encode()[:most].decode(errors="ignore")
    return text if len(kept) == len(text) else f"{kept} … ({len(text) - len(kept):,} characters more)"


def fenced(mark: str, fields: Mapping[str, Any], most: int) -> str:
    """What others wrote, a field per line. The lines of a longer text are indented, so that none passes for a field."""
    texts = {label: _LINE.sub("\n  ", written(value)) for label, value in fields.items()}
    lines = [f"{label}:{'' if text.startswith(_NEWLINE) else ' '}{cut(text, most)}" for label, text in texts.items()]
    return "\n".join([f"<data-{mark}>", *lines, f"</data-{mark}>"])


def difference(before: Any, after: Any, most: int) -> str | None:
    """What changed between two texts: by line where there are several, else by word. None where both are the same."""
    old, new = _lines(before, most), _lines(after, most)
    if old == new:
        return None
    if len(old) > 1 or len(new) > 1:
        changes = difflib.unified_diff(old, new, lineterm="", n=1)
        return "\n" + "\n".join(line for line in changes if not line.startswith(("---", "+++")))
    return _by_word(old[0].split(), new[0].split())


def _lines(value: Any, most: int) -> list[str]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
    return written(text)[: 4 * most].split("\n")


def _by_word(old: list[str], new: list[str]) -> str:
    """As `git diff --word-diff` writes it: [-gone-] {+new+}."""
    old, new = old[:_DIFF_WORDS], new[:_DIFF_WORDS]
    words: list[str] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            words += old[a:b] if b - a <= 8 else [*old[a : a + 3], "…", *old[b - 3 : b]]
        else:
            words += [f"[-{' '.join(old[a:b])}-]"] if b > a else []
            words += [f"{{+{' '.join(new[c:d])}+}}"] if d > c else []
    return " ".join(words)


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
