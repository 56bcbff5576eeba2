"""The known name that a misspelt one was probably meant to be."""

import difflib
from collections.abc import Collection

_SHOWN_KNOWN = 12
_LONGEST_NAME = 100  # looking for a near name takes time that grows with the square of the length


def nearest(name: str, known: Collection[str]) -> str | None:
    """The known name that was probably meant."""
    close = difflib.get_close_matches(name[:_LONGEST_NAME], sorted(known), n=1)
    return close[0] if close else None


def not_a_field(name: str, known: Collection[str]) -> str:
    """What is wrong and what to do, to stand behind the field's name."""
    near = nearest(name, known)
    if near is not None:
        return f"is not a field here; did you mean '{near}'?"
    listed = sorted(known)
    more = ", …" if len(listed) > _SHOWN_KNOWN else ""
    return f"is not a field here; known are {', '.join(listed[:_SHOWN_KNOWN])}{more}"
