"""Inputs and outputs as text that is safe to show: visible, cut, and what changed between two of them."""

import difflib
import json
import re
from typing import Any

_DIFF_WORDS = 400
"""Comparing texts word by word takes time that grows with the square of their length."""
_BREAK = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_HIDDEN = re.compile("\ufffd+")


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


def difference(before: Any, after: Any, most: int) -> str | None:
    """What changed between two texts: by line where there are several, else by word. None where both are the same."""
    old, new = _lines(before, most), _lines(after, most)
    if old == new:
        return None
    if len(old) > 1 or len(new) > 1:
        return "\n" + _by_line(old, new)
    return _by_word(old[0].split(), new[0].split())


def line_difference(before: Any, after: Any, most: int) -> str | None:
    """What changed between two texts, line by line. None where both are the same."""
    old, new = _lines(before, most), _lines(after, most)
    if old == new:
        return None
    return _by_line(old, new) if len(old) > 1 or len(new) > 1 else f"-{old[0]}\n+{new[0]}"


def _by_line(old: list[str], new: list[str]) -> str:
    changes = list(difflib.unified_diff(old, new, lineterm="", n=1))
    return "\n".join(changes[2:])  # without the names of two files


def _lines(value: Any, most: int) -> list[str]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
    return written(text)[: 4 * most].split("\n")


def _by_word(old: list[str], new: list[str]) -> str:
    """The difference as `git diff --word-diff` writes it: [-gone-] {+new+}."""
    old, new = old[:_DIFF_WORDS], new[:_DIFF_WORDS]
    words: list[str] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            words += old[a:b] if b - a <= 8 else [*old[a : a + 3], "…", *old[b - 3 : b]]
        else:
            words += [f"[-{' '.join(old[a:b])}-]"] if b > a else []
            words += [f"{{+{' '.join(new[c:d])}+}}"] if d > c else []
    return " ".join(words)
