"""What a commit's message says that it takes back: commits by id, pull requests by number, changes by their subject.

Only a statement counts. "Do not revert abc1234" and "partially reverts #12" undo nothing, or not all.
"""

import re
from dataclasses import dataclass

_SHA = r"[0-9a-f]{7,64}"
_NUMBER = r"(?:[\w.-]+/[\w.-]+)?#\d+|https?://[\w.-]+/[\w.-]+/[\w.-]+/pull/\d+"
_AND = r"(?:,?\s+and\s+|,\s*|\s+)"
_START = r"(?:^|[.!?:]\s)[\s*>-]*"
_VERB = r"(?:this\s+(?:commit\s+|pr\s+|change\s+)?)?(?:also\s+|temporarily\s+)?revert(?:s|ed)"
_BY_ID = re.compile(
    rf"{_START}{_VERB}\s+(?:commits?:?\s+)?({_SHA}(?:(?:,?\s+and\s+|,\s*){_SHA})*)\b", re.IGNORECASE | re.MULTILINE
)
_BY_NUMBER = re.compile(
    rf"{_START}{_VERB}\s+(?:prs?\s+|pull\s+requests?\s+)?((?:{_NUMBER})(?:{_AND}(?:{_NUMBER}))*)",
    re.IGNORECASE | re.MULTILINE,
)
# What may stand before "Revert" in a subject: a scope, a kind of change, a ticket.
_TAGS = r"(?:\[[^\]]{1,40}\]\s*|\w[\w-]{0,15}(?:\([^)]{0,40}\))?!?:\s+|(?:fixed|refs)\s+#\d+\s+--\s+)*"
_SUBJECT_ID = re.compile(
    rf"\s*{_TAGS}revert(?:s|ed|ing)?:?\s+(?:commits?\s+)?({_SHA}(?:{_AND}{_SHA})*)\b", re.IGNORECASE
)
_SUBJECT_NUMBER = re.compile(
    rf"\s*{_TAGS}revert(?:s|ed|ing)?:?\s+(?:prs?\s+|pull\s+requests?\s+)?((?:{_NUMBER})(?:{_AND}(?:{_NUMBER}))*)",
    re.IGNORECASE,
)
_QUOTED = re.compile(rf"\s*{_TAGS}(revert(?:s|ed|ing)?|reapply|re-?land):?\s*[\"“`'](.+)", re.IGNORECASE | re.DOTALL)
_UNQUOTED = re.compile(rf"\s*{_TAGS}revert(?:\([^)]{{0,40}}\))?!?:?\s+(.+)", re.IGNORECASE | re.DOTALL)
_PULL_REQUEST = re.compile(r"\s*\(#(\d+)\)\s*$")
_ANY_NUMBER = re.compile(r"\s*\(#\d+\)")
_MERGE = re.compile(r"Merge pull request #(\d+) from |Merged in \S+ \(pull request #(\d+)\)")
_HEX_RUN = re.compile(_SHA)
_DIGITS = re.compile(r"(?:#|/pull/)(\d+)")
_CUT = ("…", "...")


@dataclass(frozen=True, slots=True)
class Statement:
    """What a message says is taken back. `brings_back`: the subject's own revert is, by a reapplied change."""

    ids: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    subject: str = ""
    cut: bool = False
    """The subject was cut off, and only its beginning is known."""
    brings_back: bool = False


def stated(subject: str, message: str) -> Statement | None:
    """The statement of a message; None where it makes none."""
    lower = message.lower()
    if "revert" not in lower and "reapply" not in lower and "reland" not in lower and "re-land" not in lower:
        return None
    own = _without_numbers(subject)
    named = [*_BY_ID.findall(message), *(match[1] for match in [_SUBJECT_ID.match(own)] if match)]
    ids = _HEX_RUN.findall(" ".join(named).lower())
    quoted, cut, brings_back = _quoted(own)
    number_texts = [*_BY_NUMBER.findall(message), *(match[1] for match in [_SUBJECT_NUMBER.match(own)] if match)]
    numbers = [int(number) for number in _DIGITS.findall(" ".join(number_texts))]
    inner = _PULL_REQUEST.search(quoted) if not brings_back else None
    if inner and not numbers:
        numbers = [int(inner[1])]
    statement = Statement(
        tuple(dict.fromkeys(ids)), tuple(dict.fromkeys(numbers)), plain_subject(quoted), cut, brings_back
    )
    return statement if statement.ids or statement.numbers or statement.subject else None


def _quoted(subject: str) -> tuple[str, bool, bool]:
    """(what is quoted, whether it was cut off, whether it is brought back)."""
    match = _QUOTED.match(subject)
    if match is None:
        plain = _UNQUOTED.match(subject)
        return (plain[1].strip(), False, False) if plain else ("", False, False)
    inner = match[2].rstrip()
    cut = inner.endswith(_CUT)
    inner = re.sub(r"\s*\(#?\d*$", "", inner.rstrip("….")) if cut else re.sub(r"[\"”`']\s*\.?$", "", inner)
    return inner.strip(), cut, not match[1].lower().startswith("revert")


def _without_numbers(subject: str) -> str:
    """A subject without the numbers of its own pull request, of which a merge may have added several."""
    while (shorter := _PULL_REQUEST.sub("", subject)) != subject:
        subject = shorter
    return subject.strip()


def plain_subject(subject: str) -> str:
    """A subject as it is compared: without the numbers of pull requests, also those inside of quotes."""
    return _ANY_NUMBER.sub("", subject).strip().lower()


def pull_request(subject: str) -> int | None:
    """The number of the pull request that a commit on the trunk came from, as its subject says."""
    match = _PULL_REQUEST.search(subject)
    if match:
        return int(match[1])
    merged = _MERGE.match(subject)
    return int(merged[1] or merged[2]) if merged else None
