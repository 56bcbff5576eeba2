"""The known name that a misspelt one was probably meant to be."""

import difflib
from collections.abc import Collection

from gnomon.shorten import list_some

_SHOWN_KNOWN = 12
_LONGEST_NAME = 100  # looking for a near name takes time that grows with the square of the length
_SHORTEST_BEGINNING = 3


def nearest(name: str, known: Collection[str]) -> str | None:
    """The known name that was probably meant, in capitals or not; else one that begins with the name.

    >>> nearest("exact_mach", ["contains", "exact_match"]), nearest("nightly", ["nightly-2026-11-18-on-main"])
    ('exact_match', 'nightly-2026-11-18-on-main')
    """
    by_letters = {candidate.casefold(): candidate for candidate in sorted(known, reverse=True)}
    letters = name[:_LONGEST_NAME].casefold()
    for close in difflib.get_close_matches(letters, sorted(by_letters), n=1):
        return by_letters[close]
    if len(letters) < _SHORTEST_BEGINNING:
        return None
    return next((by_letters[other] for other in sorted(by_letters) if other.startswith(letters)), None)


def did_you_mean(name: str, known: Collection[str], otherwise: str = "") -> str:
    """The question that ends a refusal, or what to say where no known name is near.

    >>> did_you_mean("exact_mach", ["contains", "exact_match"])
    "did you mean 'exact_match'?"
    >>> did_you_mean("bleu", ["contains", "exact_match"], "there are contains and exact_match")
    'there are contains and exact_match'
    """
    near = nearest(name, known)
    return otherwise if near is None else f"did you mean {near!r}?"


def not_a_field(name: str, known: Collection[str]) -> str:
    """What is wrong and what to do, to stand behind the field's name."""
    others = f"known are {list_some(sorted(known), _SHOWN_KNOWN)}"
    return f"is not a field here; {did_you_mean(name, known, others)}"
