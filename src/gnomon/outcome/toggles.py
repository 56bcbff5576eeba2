"""Changes that set a version or a pin and nothing else. When one toggles back, no work was undone."""

import re
from collections import Counter

_VERSION = re.compile(r"v?\d+(?:\.\d+)+(?:[-+.]?[0-9A-Za-z]+)*|\b[0-9a-f]{7,64}\b", re.IGNORECASE)
_OPERATOR = re.compile(r"\s*(?:[<>=!~^]=?|===)\s*(?=\0)")
_PIN = re.compile(r"[\s\"'-]*[\w.\[\]@/-]+\s*(?:[<>=!~^]=?|===|@|:)\s*\0?[\s\"',;]*(?:#.*)?")
_REQUIREMENTS = re.compile(r"requirements?[\w./-]*\.(?:txt|in)$|constraints?[\w./-]*\.txt$|\.lock$|lock\.json$")
_SWITCHED_OFF = re.compile(r"\b(?:disabl|skip|jail|mut|mark|comment)\w*", re.IGNORECASE)
_SWITCHED_ON = re.compile(r"\bre-?enabl\w*|\bun-?(?:skip|jail|mut|mark)\w*", re.IGNORECASE)
_PASSING = re.compile(r"\btemporar(?:y|ily)\b|\bfor now\b|\buntil\b|\bcomment(?:ed)? out\b", re.IGNORECASE)
_PINNING = re.compile(r"\b(?:un)?pin(?:s|ned|ning)?\b", re.IGNORECASE)


def is_passing(target: str, by: str) -> bool:
    """Whether subjects say that a change was meant for a time: a pin, or a test that was switched off."""
    if _PASSING.search(target) or _PINNING.search(target) or _PINNING.search(by):
        return True
    return bool(_SWITCHED_OFF.search(target) and _SWITCHED_ON.search(by))


def is_toggle(patch: str) -> bool:
    """Whether a patch changes versions and pins only: without them, its removed and its added lines are the same."""
    removed, added = Counter[str](), Counter[str]()
    versions = pins_only = 0
    name = ""
    for line in patch.splitlines():
        if line.startswith(("+++ ", "--- ")):
            name = line[4:].strip() if line[4:].strip() != "/dev/null" else name
            continue
        if not line.startswith(("+", "-")) or not line[1:].strip():
            continue
        bare, n_versions = _VERSION.subn("\0", line[1:])
        versions += n_versions
        pin = bool(n_versions and _REQUIREMENTS.search(name) and _PIN.fullmatch(bare))
        pins_only += not pin
        side = added if line.startswith("+") else removed
        side[re.sub(r"[\s,]+", "", _OPERATOR.sub("", bare).replace("\0", ""))] += 1
    if not versions:
        return False
    return removed == added or not pins_only
