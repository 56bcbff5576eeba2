"""Two experiments over the same dataset, item by item."""

from collections import Counter
from functools import lru_cache
from math import fsum
from typing import Any

from gnomon.errors import Refused
from gnomon.model.experiment import ExperimentComparison, ItemComparison, ScorerComparison
from gnomon.service import experiments
from gnomon.service.call import Call
from gnomon.stats.describe import round_shown
from gnomon.stats.paired import PairedDifference, holm, paired_binary, paired_difference, verdict
from gnomon.store import aggregates

SAME = 1e-9
"""Two scores this close are unchanged."""


def compare(call: Call, base_id: str, compare_id: str, min_effect: float | None = None) -> ExperimentComparison:
    base, other = experiments.row(call, base_id), experiments.row(call, compare_id)
    if base.dataset_id != other.dataset_id or base.project_id != other.project_id:
        raise Refused("the two experiments run over different datasets", code="INCOMPATIBLE_EXPERIMENTS")
    names = sorted({*aggregates.scorer_names(call.db, base_id), *aggregates.scorer_names(call.db, compare_id)})
    sides = [(_Side(call, base, name), _Side(call, other, name)) for name in names]
    pairs = [_Pair(name, *side) for name, side in zip(names, sides, strict=True)]
    adjusted = holm([pair.difference.p_value for pair in pairs])
    return ExperimentComparison.model_construct(
        base_experiment_id=base_id,
        compare_experiment_id=compare_id,
        scorer_comparisons=[pair.noun(p, min_effect) for pair, p in zip(pairs, adjusted, strict=True)],
        per_item_results=[result for pair in pairs for result in pair.items],
    )


class _Side:
    """One scorer in one experiment: each item's mean, or its majority label where it has no numbers."""

    def __init__(self, call: Call, row: Any, name: str) -> None:
        repeated = name in (row.repeated_scorers or ())
        items = aggregates.item_sums(call.db, row.id, name, trials=row.trials, repeated=repeated)
        numbers = [(item, count, total) for item, count, total, _ in items if count]
        self.scores: dict[str, Any] = {item: total / count for item, count, total in numbers}
        self.mean = fsum(total for _, _, total in numbers) / sum(n for _, n, _ in numbers) if numbers else None
        # One score of 0 or 1 an item: then items are counted instead of averaged.
        self.one_bit_each = all(count == 1 and total in (0, 1) for _, count, total in numbers) and bool(numbers)
        labelled = any(everything > count for _, count, _, everything in items)
        self.mixed = bool(numbers) and labelled
        if not numbers:
            self.scores = _majority(aggregates.item_labels(call.db, row.id, name))


def _majority(counted: Any) -> dict[str, str]:
    """Item → its most frequent label; of equally frequent ones the first in the alphabet."""
    by_item: dict[str, Counter[str]] = {}
    for item, label, count in counted:
        by_item.setdefault(item, Counter())[label] += count
    return {item: min(labels, key=lambda label: (-labels[label], label)) for item, labels in by_item.items()}


class _Pair:
    """Both sides of one scorer, paired by item."""

    def __init__(self, name: str, base: _Side, other: _Side) -> None:
        self.name, self.base, self.other = name, base, other
        before, after = base.scores, other.scores
        self.only_in_base = len(before.keys() - after.keys())
        self.only_in_compare = len(after.keys() - before.keys())
        self.items: list[ItemComparison] = []
        differences: list[float] = []
        self.unchanged = self.changed = 0
        for item in sorted(before.keys() | after.keys()):
            was, became = before.get(item), after.get(item)
            delta = None
            if isinstance(was, float) and isinstance(became, float):
                delta = became - was
                differences.append(delta)
            elif was is not None and became is not None:
                self.unchanged += was == became
                self.changed += was != became
            self.items.append(
                {
                    "dataset_item_id": item,
                    "scorer_name": name,
                    "base_score": _shown(was),
                    "compare_score": _shown(became),
                    "delta": _shown(delta),
                }
            )
        self.improved = sum(delta > SAME for delta in differences)
        self.regressed = sum(delta < -SAME for delta in differences)
        self.unchanged += len(differences) - self.improved - self.regressed
        self.paired_count = self.improved + self.regressed + self.unchanged + self.changed
        self.difference = self._difference(differences)

    def _difference(self, differences: list[float]) -> PairedDifference:
        if self.base.one_bit_each and self.other.one_bit_each:
            return paired_binary(self.improved, self.regressed, len(differences))
        return paired_difference(differences)

    def noun(self, adjusted_p: float | None, min_effect: float | None) -> ScorerComparison:
        before, after, found = self.base.mean, self.other.mean, self.difference
        interval = found.interval
        return ScorerComparison(
            scorer_name=self.name,
            base_mean=round_shown(before),
            compare_mean=round_shown(after),
            delta=None if before is None or after is None else round_shown(after - before),
            paired_delta=round_shown(found.delta),
            delta_ci_95=None if interval is None else (round_shown(interval.low), round_shown(interval.high)),
            p_value=round_shown(found.p_value),
            p_value_adjusted=round_shown(adjusted_p),
            verdict=verdict(found, adjusted_p, min_effect),
            improved_count=self.improved,
            regressed_count=self.regressed,
            unchanged_count=self.unchanged,
            changed_count=self.changed,
            paired_count=self.paired_count,
            only_in_base=self.only_in_base,
            only_in_compare=self.only_in_compare,
            mixed=self.base.mixed or self.other.mixed,
        )


@lru_cache(maxsize=65_536)  # scores repeat, and rounding ten thousands of them is what would take the time
def _shown(score: Any) -> Any:
    return round_shown(score) if isinstance(score, float) else score
