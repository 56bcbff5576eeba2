"""Scores together: the numbers that a summary, a file's scores and a list of values share.

`aggregate` is for values at hand; summarize.py and bulk.py bring sums that were made elsewhere.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from gnomon.errors import InvalidInput
from gnomon.model.aggregate import Aggregate, IntervalMethod, LabelShare, MissingPolicy
from gnomon.shorten import counted
from gnomon.stats.describe import NO_SCORES, ItemSums, ScoreSums, round_shown
from gnomon.stats.ends import Interval, MeanMethod
from gnomon.stats.interval import items_fixed_interval, mean_interval, share_interval, wilson
from gnomon.stats.missing import Rows, bracket_interval, filled_interval, missing_bracket
from gnomon.stats.passk import pass_curves

_NO_NUMBERS = (
    "mean", "min", "max", "standard_deviation", "standard_error", "confidence_interval_95", "ci_method", "clusters",
)  # fmt: skip


def aggregate(
    values: Sequence[float | None], items: Sequence[Hashable] | None = None, *, missing: MissingPolicy = "drop",
    interval: IntervalMethod | None = None,
) -> Aggregate:  # fmt: skip
    """What these scores say together. None is a score that is missing.

    `items` names for each value what it belongs to (a dataset item, a conversation, a repository): values of
    one item are not independent, and the interval knows. Without it every value is an item of its own. `interval`
    names a method other than the default; where it does not fit the scores, a flag says so.

    >>> three_items = gn.aggregate([1, 0, 1, 1, 0, 1], items=["a", "a", "b", "b", "c", "c"])
    >>> f"{three_items.mean:.3f}", [f"{end:.3f}" for end in three_items.confidence_interval_95]
    ('0.667', ['0.199', '0.930'])
    """
    if items is not None and len(items) != len(values):
        message = f"there are {len(values)} values and {counted(len(items), 'item')}; name an item for each value"
        raise InvalidInput.of("items", message)
    by_item: dict[Hashable, list[float | None]] = {}
    for index, value in enumerate(values):
        by_item.setdefault(index if items is None else items[index], []).append(_checked(value))
    scored = [[value for value in trials if value is not None] for trials in by_item.values()]
    gaps = [trials.count(None) for trials in by_item.values()]
    rows = [(ItemSums.of(scores) if scores else NO_SCORES, gap) for scores, gap in zip(scored, gaps, strict=True)]
    absent = sum(gaps)
    tries = [(len(scores) + (gap if missing == "zero" else 0), sum(value >= 1 for value in scores))
             for scores, gap in zip(scored, gaps, strict=True)]  # fmt: skip
    several = any(runs > 1 for runs, _ in tries)
    return Aggregate(
        n_total=len(values), n_scored=len(values) - absent, n_absent=absent, n_failed=0, n_pending=0,
        reasons={"the value is missing": absent} if absent else {},
        **numbers(
            ScoreSums.of_items(row for row, _ in rows) if any(scored) else None, lambda: rows, absent, missing, interval
        ),
        **curves(Counter(kind for kind in tries if kind[0]) if several else {}, interval),
    )  # fmt: skip


def _checked(value: float | None) -> float | None:
    if value is None:
        return None
    if not 0 <= value <= 1:
        raise InvalidInput.of("values", f"score {value} is outside [0, 1]; divide by your scale first")
    return float(value)


def numbers(
    sums: ScoreSums | None, rows: Callable[[], Rows], missing: int, policy: MissingPolicy,
    method: MeanMethod | None = None,
) -> dict[str, object]:  # fmt: skip
    """Mean, spread and interval under a policy. `rows` is asked for the items only where they are needed."""
    between = missing_bracket(sums.total, sums.scores, missing) if sums else missing_bracket(0, 0, missing)
    fields = {"missing_policy": policy, "missing_bracket": shown_ends(between)}
    interval = None
    if policy == "zero" and missing:
        filled = filled_interval(rows(), 0.0, method)
        sums, interval = filled if filled else (None, None)
    elif policy == "bracket" and missing and sums is not None:
        interval = bracket_interval(rows, method)
    if sums is None:
        return {**fields, **dict.fromkeys(_NO_NUMBERS), "flags": []}
    interval = interval or mean_interval(sums, lambda: ((row.total, row.n) for row, _ in rows() if row.n), method)
    return {
        **fields,
        "mean": round_shown(sums.mean),
        "min": round_shown(sums.minimum),
        "max": round_shown(sums.maximum),
        "standard_deviation": round_shown(sums.standard_deviation),
        "standard_error": round_shown(sums.standard_error),
        "confidence_interval_95": shown(interval),
        "ci_method": interval.method,
        "clusters": sums.clusters if sums.clusters < sums.scores else None,
        "flags": list(interval.flags),
        **(_items_fixed(sums) if method != "betting_mixture" else {}),  # it does not hold at every look
    }


def _items_fixed(sums: ScoreSums) -> dict[str, object]:
    error = sums.within_item_error
    if error is None:
        return {}
    again = items_fixed_interval(sums.mean, error, sums.scores - sums.clusters)
    return {"items_fixed_standard_error": round_shown(error), "items_fixed_ci_95": shown(again)}


def label_shares(
    labels: Mapping[str, int], by_item: Iterable[tuple[str, str, int]] | None, method: MeanMethod | None = None,
    only: str | None = None,
) -> dict[str, LabelShare] | None:  # fmt: skip
    """Each label's share of all labels, or `only` one; with several labels per item, items are what varies."""
    if not labels:
        return None
    total = sum(labels.values())
    items: dict[str, Counter[str]] = {}
    for item, label, count in by_item or ():
        items.setdefault(item, Counter())[label] += count
    sizes = [labels.total() for labels in items.values()]

    def interval(label: str) -> Interval:
        if not items:
            return wilson(labels[label], total)
        return share_interval([labels[label] for labels in items.values()], sizes, method)

    return {
        label: LabelShare(count=count, share=round_shown(count / total), confidence_interval_95=shown(interval(label)))
        for label, count in labels.items()
        if only in (None, label)
    }


def curves(passes: Mapping[tuple[int, int], int], method: MeanMethod | None = None) -> dict[str, object]:
    """pass@k and pass^k with intervals, from how many items had (runs, passed)."""
    if not passes:
        return {}
    result = pass_curves(passes, method)
    return {
        "pass_at_k": {str(k): round_shown(value) for k, value in result.pass_at_k.items()},
        "pass_pow_k": {str(k): round_shown(value) for k, value in result.pass_pow_k.items()},
        "pass_at_k_ci_95": {str(k): shown(interval) for k, interval in result.pass_at_k_intervals.items()},
        "pass_pow_k_ci_95": {str(k): shown(interval) for k, interval in result.pass_pow_k_intervals.items()},
    }


def shown(interval: Interval) -> tuple[float, float]:
    return round_shown(interval.low), round_shown(interval.high)


def shown_ends(ends: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if ends is None else (round_shown(ends[0]), round_shown(ends[1]))
