"""Whether a text says a phrase: whole words, in any case, however it is spaced. `5.50` is not said by `15.50`."""

import re
from collections.abc import Iterable
from functools import lru_cache


def says(text: str, phrase: str) -> bool:
    return _pattern(phrase).search(text) is not None


def first_said(text: str, phrases: Iterable[str]) -> str | None:
    """The first of the phrases that a text says."""
    return next((phrase for phrase in phrases if says(text, phrase)), None)


@lru_cache(maxsize=1024)
def _pattern(phrase: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, phrase.split()))
    before = r"(?<!\w)(?<!\d[.,])" if phrase[:1].isalnum() else ""
    after = r"(?!\w)(?![.,]\d)" if phrase[-1:].isalnum() else ""
    return re.compile(f"{before}{words}{after}", re.IGNORECASE)
