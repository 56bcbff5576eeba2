"""The words that a text search goes by: one rule for both databases.

A word is a run of letters and digits; everything else separates words. Upper and lower case are the same, and so are
other ways to write a character (NFKC, case folding). Words are compared by their first 64 characters. Of a trace the
root span is searched: its name, and the JSON texts of its input and output, of each the first 4,096 characters. An
escape in a JSON text (`\\n`, `\\u001f`) separates words.

Stored entries are taken out of SQLite's index by naming the same words again. Whoever changes the rule adds a migration
that empties `trace_texts`, `pending_texts` and `trace_words` and has projects indexed anew.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

MOST_TEXT = 4_096
"""Characters of a name, an input or an output that are searched."""
LONGEST_WORD = 64
MOST_TERMS = 16
SHORTEST_START = 2
"""Characters before the `*` of a term."""
_SEPARATORS = bytes(code if chr(code).isalnum() or code > 127 else ord(" ") for code in bytes(range(256)).lower())
"""ASCII's letters and digits in lower case, and a blank for all else in it; other bytes are parts of characters."""
_OTHER_SEPARATORS = re.compile(r"[^\w\x00-\x7f]+")
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")


class SearchTerm(NamedTuple):
    """A word that is looked for, or the beginning of one."""

    word: str
    is_start: bool


class NotSearchable(ValueError):
    """A query that no text can be searched by; says why."""


def words(text: str) -> list[str]:
    """The words of a text, in its order."""
    return [_cut(word) for word in _spaced(text).split()]


def _spaced(text: str) -> bytes:
    """The words as UTF-8 with blanks between them. Translating bytes takes a fraction of what finding words takes."""
    if not text.isascii():
        text = _OTHER_SEPARATORS.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    return text.encode().translate(_SEPARATORS)


def _cut(word: bytes) -> str:
    return word.decode()[:LONGEST_WORD]


def words_of(name: str, *values: str | None) -> str:
    """The words of a span, of its name and of values as JSON text, with blanks between them."""
    texts = [name[:MOST_TEXT]]
    for value in values:
        if value is not None:
            start = value[:MOST_TEXT]
            texts.append(_ESCAPE.sub(" ", start) if "\\" in start else start)
    spaced = _spaced(" ".join(texts))
    return " ".join(map(_cut, spaced.split())) if _has_long_word(spaced) else spaced.decode()


def _has_long_word(spaced: bytes) -> bool:
    """Whether some word may have to be cut, by steps from blank to blank."""
    at = 0
    while len(spaced) - at > LONGEST_WORD:
        blank = spaced.rfind(b" ", at, at + LONGEST_WORD + 1)
        if blank < 0:
            return True
        at = blank + 1
    return False


def holds(spaced: str, terms: Sequence[SearchTerm]) -> bool:
    """Whether words with blanks between them are all that is asked for, as the databases' indexes decide it."""
    if not all(term.word in spaced for term in terms):  # as most are: no need to take them apart
        return False
    there = set(spaced.split(" "))
    return all(
        any(word.startswith(term.word) for word in there) if term.is_start else term.word in there for term in terms
    )


def terms(query: str) -> list[SearchTerm]:
    """What a query asks for: all of its words, the last one of a part that ends in `*` as the beginning of words."""
    terms_seen: dict[SearchTerm, None] = {}
    for part in query.split():
        parts = words(part)
        for at, word in enumerate(parts):
            is_start = part.endswith("*") and at == len(parts) - 1
            if is_start and len(word) < SHORTEST_START:
                raise NotSearchable(f"{word}* is too short; write at least {SHORTEST_START} characters before the *")
            terms_seen[SearchTerm(word, is_start)] = None
    if not terms_seen:
        raise NotSearchable("there is no word in it; write letters or digits")
    if len(terms_seen) > MOST_TERMS:
        raise NotSearchable(f"it has {len(terms_seen)} words; leave at most {MOST_TERMS}")
    return list(terms_seen)
