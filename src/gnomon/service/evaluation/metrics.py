"""Experiment scorers: functions of all runs, for numbers that are no mean, such as corpus BLEU or calibration error.

Each number gets an interval by resampling items: the function is called again with items drawn with replacement, and
the middle 95 % of its values are the interval. It takes at most a few seconds; where it would take more, there is none.
"""

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.interop.rows import short
from gnomon.model.experiment import Run
from gnomon.model.metrics import MetricDraft
from gnomon.service.evaluation.binding import FunctionScorer, callable_name, check_scorer_name
from gnomon.service.evaluation.measured import raised
from gnomon.shorten import counted
from gnomon.stats.describe import all_equal

MetricFunction = Callable[[list[Run]], Any]

_FEWEST_ITEMS = 10
_RESAMPLES = 400
_SECONDS = 5.0
_METHOD = "percentile_bootstrap"


def bind(functions: Any) -> dict[str, MetricFunction]:
    """The functions by their names; what cannot be called is refused before anything runs."""
    if not isinstance(functions, list | tuple):
        raise InvalidInput.of(
            "experiment_scorers", f"experiment_scorers is {short(functions)}; give a list of functions"
        )
    bound: dict[str, MetricFunction] = {}
    for function in functions:
        if not callable(function):
            raise InvalidInput.of(
                "experiment_scorers", f"{short(function)} cannot be called; give a function of all runs"
            )
        name = function.name if isinstance(function, FunctionScorer) else callable_name(function)
        check_scorer_name(name)
        if name in bound:
            words = f"two experiment scorers are named {name!r}; give one another name with scorer(name=…)"
            raise InvalidInput.of("experiment_scorers", words)
        bound[name] = function
    return bound


def measure(functions: Mapping[str, MetricFunction], runs: Sequence[Run]) -> dict[str, MetricDraft]:
    """Each function's value over all runs, or why there is none."""
    return {name: _measure(function, list(runs)) for name, function in functions.items()}


def _measure(function: MetricFunction, runs: list[Run]) -> MetricDraft:
    if not runs:
        return MetricDraft(reason="there are no runs")
    started = time.monotonic()
    try:
        value = _value(function(runs))
    except Exception as bad:
        return MetricDraft(reason=raised(bad).reason)
    if not isinstance(value, float):
        return MetricDraft(value=value, reason=None if value else "the function returned None", n=len(runs))
    interval = _interval(function, runs, time.monotonic() - started)
    if isinstance(interval, str):
        return MetricDraft(value=value, reason=f"no interval: {interval}", n=len(runs))
    return MetricDraft(value=value, confidence_interval_95=interval, ci_method=_METHOD, n=len(runs))


def _value(returned: Any) -> float | str | None:
    if returned is None or (isinstance(returned, str) and returned):
        return returned
    if getattr(returned, "shape", None) == () and callable(getattr(returned, "item", None)):
        returned = returned.item()  # NumPy's numbers
    if not isinstance(returned, int | float) or not math.isfinite(returned):
        raise InvalidInput(f"the function returned {short(returned)}; return a finite number, a label, or None")
    return float(returned)


def _interval(function: MetricFunction, runs: Sequence[Run], seconds: float) -> tuple[float, float] | str:
    """The interval, or why there is none. Runs of one item are drawn together: they are not independent."""
    by_item: dict[str, list[Run]] = {}
    for run in runs:
        by_item.setdefault(run.dataset_item_id, []).append(run)
    items = list(by_item.values())
    if len(items) < _FEWEST_ITEMS:
        return f"{counted(len(items), 'item')} to resample, and {_FEWEST_ITEMS} are the least"
    if seconds * _RESAMPLES > _SECONDS:
        return f"the function takes {seconds:.2g} s, too long to call it {_RESAMPLES} times"
    draw = random.Random(0)
    values = []
    for _ in range(_RESAMPLES):
        drawn = [run for item in draw.choices(items, k=len(items)) for run in item]
        try:
            value = _value(function(drawn))
        except Exception as bad:
            return f"on resampled runs the function failed with {raised(bad).reason}"
        if not isinstance(value, float):
            return f"on resampled runs the function returned {short(value)}"
        values.append(value)
    values.sort()
    edge = round(_RESAMPLES * 0.025)
    low, high = values[edge], values[-edge - 1]
    if all_equal(low, high):
        return "resampled runs give the same value, so there is no spread to make one from"
    return low, high
