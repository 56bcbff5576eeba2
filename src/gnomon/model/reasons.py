"""Why scores are missing, counted, for people: `40 unreadable answers, 2 timeouts (and 3 more reasons)`."""

from collections import Counter
from collections.abc import Iterator, Mapping

from gnomon.shorten import shorten

_LONGEST_DETAIL = 120
COUNTED: Mapping[str, tuple[str, str]] = {
    "unparsable": ("unreadable answer", "unreadable answers"),
    "unreadable": ("garbled reply of the provider", "garbled replies of the provider"),
    "empty": ("empty answer", "empty answers"),
    "no_label": ("answer without a label", "answers without a label"),
    "ambiguous_label": ("answer with several labels", "answers with several labels"),
    "label_too_long": ("answer with too long a label", "answers with too long a label"),
    "out_of_range": ("answer outside the scale", "answers outside the scale"),
    "dimensions": ("answer that lacks dimensions", "answers that lack dimensions"),
    "tie": ("tied vote", "tied votes"),
    "too_few_votes": ("verdict with too few readable votes", "verdicts with too few readable votes"),
    "timeout": ("timeout", "timeouts"),
    "rate_limited": ("call over the rate limit", "calls over the rate limit"),
    "overloaded": ("call to an overloaded provider", "calls to an overloaded provider"),
    "connection": ("failed connection", "failed connections"),
    "refused": ("refused call", "refused calls"),
    "budget": ("call over the budget", "calls over the budget"),
    "crashed": ("crashed job", "crashed jobs"),
}
"""Code with which a reason begins → what it is called, once and several times. Other reasons are words already."""


def counted_reasons(reasons: Mapping[str, int], most: int = 3) -> str:
    """The reasons with how often each occurred, the most frequent first.

    >>> counted_reasons({"unparsable": 40, "timeout: no answer in 60 s": 1})
    '40 unreadable answers, 1 timeout (no answer in 60 s)'
    """
    listed = list(each_counted(reasons))
    left = len(listed) - most
    more = f" (and {left:,} more reason{'' if left == 1 else 's'})" if left > 0 else ""
    return ", ".join(listed[:most]) + more


def each_counted(reasons: Mapping[str, int]) -> Iterator[str]:
    """One text per kind of reason; where a code has details, the most frequent one stands for all."""
    kinds: dict[str, Counter[str]] = {}
    for reason, count in reasons.items():
        code, colon, detail = reason.partition(":")
        kind, detail_text = (code, detail.strip()) if code in COUNTED and (colon or reason == code) else (reason, "")
        kinds.setdefault(kind, Counter())[detail_text] += count
    for kind, details in sorted(kinds.items(), key=lambda pair: -pair[1].total()):
        count = details.total()
        singular, plural = COUNTED.get(kind, (kind, kind))
        detail = min(details, key=lambda detail_text: (-details[detail_text], detail_text))
        tail = f" ({shorten(detail, _LONGEST_DETAIL)})" if detail else ""
        yield f"{count:,} {singular if count == 1 else plural}{tail}"
