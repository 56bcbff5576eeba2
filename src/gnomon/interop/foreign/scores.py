"""Scores of other tools as numbers in [0, 1] or labels. Nothing is guessed: what has no range that is known is absent.

The value as the tool wrote it stays beside the one that was made of it.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal

from gnomon.interop.foreign.bundle import Bundle, ForeignScore
from gnomon.shorten import shorten_repr

BetterDirection = Literal["higher", "lower"]
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
        return ForeignScore(name, absent=_unknown_range(name, raw), raw=raw, **more)
    if isinstance(raw, str):
        return label_of(name, raw, **more)
    return ForeignScore(name, absent=f"the value is {_kind(raw)}, not a number or a label", raw=raw, **more)


def label_of(name: str, raw: str, **more: Any) -> ForeignScore:
    if not raw.strip():
        return ForeignScore(name, absent="the label is empty", **more)
    if len(raw) > LONGEST_LABEL:
        return ForeignScore(name, absent=f"a text of {len(raw):,} characters is not a label", raw=raw, **more)
    return ForeignScore(name, raw, **more)


def scaled(
    name: str, raw: float, low: float, high: float, direction: BetterDirection = "higher", **more: Any
) -> ForeignScore:
    """A score on a scale that the tool or the importer defines."""
    kept: dict[str, Any] = {"raw": raw, "low": low, "high": high, "direction": direction, **more}
    if not (math.isfinite(raw) and low <= raw <= high):
        return ForeignScore(name, absent=f"{shown(raw)} is outside its range [{shown(low)}, {shown(high)}]", **kept)
    share = (raw - low) / (high - low)
    return ForeignScore(name, min(1.0, max(0.0, share if direction == "higher" else 1 - share)), **kept)


def settle(bundle: Bundle) -> Bundle:
    """Take no value of a score that is outside [0, 1] anywhere: a 1 among ratings up to 5 is not a full mark."""
    unknown = {score.name for score in _every_score(bundle) if _is_outside(score)}
    if not unknown:
        return bundle

    def settled(score: ForeignScore) -> ForeignScore:
        if score.name not in unknown or score.low is not None or isinstance(score.raw, bool | str):
            return score
        if not isinstance(score.value, float):
            return score
        return replace(score, value=None, absent=_unknown_range(score.name, score.value), raw=score.value)

    return with_scores(bundle, settled)


def with_scores(bundle: Bundle, change: Callable[[ForeignScore], ForeignScore]) -> Bundle:
    """The bundle with each score changed."""
    bundle.experiments = [
        replace(experiment, runs=[replace(run, scores=list(map(change, run.scores))) for run in experiment.runs])
        for experiment in bundle.experiments
    ]
    bundle.span_scores = [replace(span_score, score=change(span_score.score)) for span_score in bundle.span_scores]
    return bundle


def _every_score(bundle: Bundle) -> Iterator[ForeignScore]:
    for experiment in bundle.experiments:
        for run in experiment.runs:
            yield from run.scores
    yield from (span_score.score for span_score in bundle.span_scores)


def _is_outside(score: ForeignScore) -> bool:
    is_number = isinstance(score.raw, int | float) and not isinstance(score.raw, bool)
    return score.value is None and score.low is None and is_number


def _unknown_range(name: str, raw: float) -> str:
    return f"{shown(raw)} is on a scale that the file does not say; `gnomon import --range {name}=WORST..BEST` says it"


def shown(number: float) -> str:
    return shorten_repr(number, 30)


def _kind(value: Any) -> str:
    return "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else type(value).__name__
