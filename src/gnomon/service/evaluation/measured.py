"""What a scorer function returned, read into measurements. Nothing that it returns or raises ends an evaluation.

A dict is several scores: the key `tone` of the scorer `style` is the score `style.tone`, as the dimensions of a rubric
are named, so that two scorers cannot write over each other's scores.
"""

import math
from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any

from gnomon.model.fields import NAME_LIMIT
from gnomon.scorers.protocol import Absent, Failed, Measurement, Scored
from gnomon.shorten import shorten

_LONGEST_VALUE = 60
_LONGEST_MESSAGE = 300
NOTHING = Absent("the scorer returned None")
_PLAIN = (float, bool, int)
_NO_KEYS = Absent("the scorer returned no scores")
_REMEDY = "return a number in [0, 1], a bool, a label, Scored(...), a dict of these, or None"


def measured(scorer_name: str, returned: Any) -> list[tuple[str, Measurement]]:
    """The scores, each under its name. Never raises, and no value is NaN."""
    if type(returned) in _PLAIN and 0 <= returned <= 1:  # nearly always, and three times as fast
        return [(scorer_name, Scored(float(returned) + 0.0))]
    try:
        if isinstance(returned, Mapping):
            return _several(scorer_name, dict(returned))
        return [(scorer_name, _single(returned))]
    except Exception as bad:  # a value's own methods may do anything
        return [(scorer_name, raised(bad))]


def raised(error: BaseException) -> Failed:
    """What an exception in a scorer says."""
    message = " ".join(shown_by(str, error).split())
    kind = type(error).__name__
    message = shorten(message, _LONGEST_MESSAGE)
    return Failed(storable(f"{kind}: {message}" if message else kind))


def _several(scorer_name: str, returned: Mapping[Any, Any]) -> list[tuple[str, Measurement]]:
    if not returned:
        return [(scorer_name, _NO_KEYS)]
    scores: dict[str, Measurement] = {}
    for key, value in returned.items():
        name = f"{scorer_name}.{key}" if isinstance(key, str) else ""
        if not isinstance(key, str) or not key.strip() or len(name) > NAME_LIMIT or not _is_storable(name):
            message = f"the scorer returned the key {_shown(key)}; name each score by 1 to {NAME_LIMIT} characters"
            scores[scorer_name] = Failed(message)
        else:
            scores[name] = _part(value)
    return list(scores.items())


def _part(value: Any) -> Measurement:
    try:
        return _single(value)
    except Exception as bad:
        return raised(bad)


def _single(returned: Any) -> Measurement:
    if returned is None:
        return NOTHING
    if isinstance(returned, Absent):
        return Absent(_reason(returned.reason))
    if isinstance(returned, Failed):
        return Failed(_reason(returned.reason), _rationale(returned.evidence))
    if isinstance(returned, Scored):
        inner = _value(returned.value)
        return inner if isinstance(inner, Failed) else Scored(inner, _rationale(returned.rationale))
    value = _value(returned)
    return value if isinstance(value, Failed) else Scored(value)


def _value(value: Any) -> float | str | Failed:
    if isinstance(value, str):
        return _label(value)
    number = _number(value)
    if number is None:
        return Failed(f"the scorer returned {_shown(value)} of type {type(value).__name__}; {_REMEDY}")
    if math.isnan(number):
        return Failed("the scorer returned NaN; return None where there is nothing to score")
    if not 0 <= number <= 1:
        return Failed(f"the scorer returned {_shown(value)}, which is outside [0, 1]; divide by your scale first")
    return number + 0.0  # -0.0 becomes 0.0


def _label(value: str) -> str | Failed:
    if not value:
        return Failed("the scorer returned an empty label; name it, or return None")
    if not _is_storable(value):
        return Failed(
            f"the scorer returned the label {_shown(value)}, which cannot be stored; remove NUL or surrogates"
        )
    return str(value)


def _number(value: Any) -> float | None:
    """Python's numbers, and whatever has no dimensions in NumPy, PyTorch and others."""
    if getattr(value, "shape", None) == () and callable(getattr(value, "item", None)):
        value = value.item()
    if not isinstance(value, Real | Decimal):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _reason(text: Any) -> str:
    return storable(shown_by(str, text)).strip() or "the scorer gave no reason"


def _rationale(text: Any) -> str | None:
    return None if text is None else storable(shown_by(str, text))


def _shown(value: Any) -> str:
    return shorten(storable(shown_by(repr, value)), _LONGEST_VALUE)


def shown_by(how: Any, value: Any) -> str:
    """The value in words; its own methods may fail."""
    try:
        return str(how(value))
    except Exception:
        return f"a {type(value).__name__} that cannot be shown"


def _is_storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def storable(text: str) -> str:
    """The text without what no database takes."""
    return text if _is_storable(text) else text.replace("\0", "�").encode(errors="replace").decode()
