"""Scores of other tools as numbers in [0, 1] or labels. Nothing is guessed: what has no range that is known is absent.

The value as the tool wrote it stays beside the one that was made of it.
"""

import math
from typing import Any, Literal

from gnomon.interop.foreign.bundle import ForeignScore

Direction = Literal["higher", "lower"]
LONGEST_LABEL = 200
NO_VALUE = "the file has no value"


def score_of(name: str, raw: Any, **more: Any) -> ForeignScore:
    """A score whose range the tool does not say: booleans, numbers in [0, 1] and labels are taken as they are."""
    if raw is None or (isinstance(raw, float) and not math.isfinite(raw)):
        return ForeignScore(name, absent=NO_VALUE if raw is None else f"the value is {raw}", **more)
    if isinstance(raw, bool):
        return ForeignScore(name, float(raw), raw=raw, **more)
    if isinstance(raw, int | float):
        if 0 <= raw <= 1:
            return ForeignScore(name, float(raw), **more)
        reason = (
            f"{shown(raw)} is outside [0, 1], and its range is not known; import it with --range {name}=WORST..BEST"
        )
        return ForeignScore(name, absent=reason, raw=raw, **more)
    if isinstance(raw, str):
        return label_of(name, raw, **more)
    return ForeignScore(name, absent=f"the value is {_kind(raw)}, not a number or a label", raw=raw, **more)


def label_of(name: str, raw: str, **more: Any) -> ForeignScore:
    if not raw.strip():
        return ForeignScore(name, absent="the label is empty", **more)
    if len(raw) > LONGEST_LABEL:
        return ForeignScore(name, absent=f"a text of {len(raw):,} characters is no label", raw=raw, **more)
    return ForeignScore(name, raw, **more)


def scaled(
    name: str, raw: float, low: float, high: float, direction: Direction = "higher", **more: Any
) -> ForeignScore:
    """A score on a scale that the tool, or whoever imports, defines."""
    kept: dict[str, Any] = {"raw": raw, "low": low, "high": high, "direction": direction, **more}
    if not (math.isfinite(raw) and low <= raw <= high):
        return ForeignScore(name, absent=f"{shown(raw)} is outside its range [{shown(low)}, {shown(high)}]", **kept)
    share = (raw - low) / (high - low)
    return ForeignScore(name, min(1.0, max(0.0, share if direction == "higher" else 1 - share)), **kept)


def shown(number: float) -> str:
    text = repr(number)
    return text if len(text) <= 30 else f"{text[:29]}…"


def _kind(value: Any) -> str:
    return "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else type(value).__name__
