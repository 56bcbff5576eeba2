"""Two experiments over the same dataset, item by item."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import truediv
from typing import Protocol

from gnomon.errors import Refused
from gnomon.model.aggregate import IntervalMethod, MissingPolicy
from gnomon.model.comparison import Change, PerItem
from gnomon.model.experiment import ExperimentComparison, ItemComparison, ScorerComparison, Verdict
from gnomon.model.stopping import Stopping
from gnomon.service.analysis.aggregate import shown
from gnomon.service.call import Call
from gnomon.service.experiments import experiments
from gnomon.shorten import counted
from gnomon.stats.describe import ScoreSums, round_shown
from gnomon.stats.ends import MeanMethod
from gnomon.stats.interval import mean_interval
from gnomon.stats.paired import (
    DIFFERENCE_METHODS,
    FEW_ITEMS,
    Difference,
    DifferenceMethod,
    PairedDifference,
    bracketed,
    evidence_of_regression,
    holm,
    more_items,
    paired_binary,
    paired_difference,
    sign_flip,
    verdict,
)
from gnomon.store import aggregates
from gnomon.store.rows import ExperimentTableRow

SAME = 1e-9
"""Two scores this close are unchanged."""
_FAR_OFF = 1_000_000


def compare(
    call: Call, base_id: str, compare_id: str, min_effect: float | None = None, missing: MissingPolicy = "drop",
    interval: IntervalMethod | None = None, items: PerItem = "all",
) -> ExperimentComparison:  # fmt: skip
    base, other = _comparable(call, base_id, compare_id)
    names = sorted({*aggregates.scorer_names(call.db, base_id), *aggregates.scorer_names(call.db, compare_id)})
    pairs = [_paired(call, base, other, name, missing, interval) for name in names]
    adjusted = holm([pair.difference.p_value for pair in pairs])
    ranked = sorted(zip(pairs, adjusted, strict=True), key=lambda pair: evidence_of_regression(pair[0].difference))
    return ExperimentComparison.model_construct(
        base_experiment_id=base_id,
        base_name=base.name,
        compare_experiment_id=compare_id,
        compare_name=other.name,
        missing_policy=missing,
        scorer_comparisons=[pair.noun(p, min_effect) for pair, p in ranked],
        per_item_results=[result for pair in pairs for result in pair.items] if items == "all" else [],
    )


def one_scorer(call: Call, base_id: str, compare_id: str, name: str, missing: MissingPolicy) -> "PairedScorer":
    """One scorer of two experiments, item by item. A bracket is about the difference, not about single items."""
    base, other = _comparable(call, base_id, compare_id)
    return _paired(call, base, other, name, "drop" if missing == "bracket" else missing, None)


def _comparable(call: Call, base_id: str, compare_id: str) -> tuple[ExperimentTableRow, ExperimentTableRow]:
    base, other = experiments.row(call, base_id), experiments.row(call, compare_id)
    if base.dataset_id != other.dataset_id or base.project_id != other.project_id:
        raise Refused("the two experiments run over different datasets", code="INCOMPATIBLE_EXPERIMENTS")
    return base, other


def _paired(
    call: Call, base: ExperimentTableRow, other: ExperimentTableRow, name: str, missing: MissingPolicy,
    method: IntervalMethod | None,
) -> "PairedScorer":  # fmt: skip
    before, after = _side(call, base, name), _side(call, other, name)
    if missing == "drop" or not (before.numbers.items and after.numbers.items):
        return PairedScorer(name, before, after, method)
    if missing == "zero":
        return PairedScorer(name, before.filled(0.0), after.filled(0.0), method)
    pair = PairedScorer(name, before, after, method)
    worst = PairedScorer(name, before.filled(1.0), after.filled(0.0), method)
    best = PairedScorer(name, before.filled(0.0), after.filled(1.0), method)
    pair.difference = bracketed(pair.difference, worst.difference, best.difference)
    return pair


def _side(call: Call, experiment: ExperimentTableRow, name: str) -> "_Side":
    repeated = name in (experiment.repeated_scorers or ())
    numbers = aggregates.item_columns(call.db, experiment.id, name, trials=experiment.trials, repeated=repeated)
    labels = {} if numbers.items else _majority(aggregates.item_labels(call.db, experiment.id, name))
    stopping = experiments.stopping(experiment)
    return _Side(numbers, labels, stopping, lambda: aggregates.item_gaps(call.db, experiment.id, name))


@dataclass(frozen=True)
class _Side:
    """One scorer in one experiment: each item's numbers, or its majority label where there are none."""

    numbers: aggregates.ItemColumns
    labels: dict[str, str]
    stopping: Stopping | None
    gaps: Callable[[], dict[str, int]]
    """Item → runs without a score."""

    def filled(self, value: float) -> "_Side":
        """The side as if every run without a score had this one."""
        known = self.numbers
        position = {item: at for at, item in enumerate(known.items)}
        items, counts = list(known.items), list(known.counts)
        totals, squares = list(known.totals), list(known.squares)
        for item, runs in self.gaps().items():
            at = position.get(item)
            if at is None:
                at = len(items)
                items.append(item)
                counts.append(0)
                totals.append(0.0)
                squares.append(0.0)
            counts[at] += runs
            totals[at] += runs * value
            squares[at] += runs * value * value
        return replace(self, numbers=aggregates.ItemColumns(items, counts, totals, squares, known.labelled))

    @cached_property
    def scores(self) -> Mapping[str, float | str]:
        means = map(truediv, self.numbers.totals, self.numbers.counts)
        return dict(zip(self.numbers.items, means, strict=True)) or self.labels

    @property
    def mixed(self) -> bool:
        return bool(self.numbers.items) and self.numbers.labelled

    @property
    def one_bit_each(self) -> bool:
        """One score of 0 or 1 an item: then items are counted instead of averaged."""
        return set(self.numbers.counts) == {1} and set(self.numbers.totals) <= {0.0, 1.0}

    def mean_and_interval(self, method: IntervalMethod | None) -> tuple[float | None, tuple[float, float] | None]:
        counts, totals = self.numbers.counts, self.numbers.totals
        if not counts:
            return None, None
        sums = ScoreSums.of_columns(counts, totals, self.numbers.squares)
        chosen: MeanMethod | None = "betting_mixture" if self.stopping else method
        return sums.mean, shown(mean_interval(sums, lambda: zip(totals, counts, strict=True), chosen))


def _majority(counted: Iterable[tuple[str, str, int]]) -> dict[str, str]:
    """Item → its most frequent label; of equally frequent ones the first in the alphabet."""
    by_item: dict[str, Counter[str]] = {}
    for item, label, count in counted:
        by_item.setdefault(item, Counter())[label] += count
    return {item: min(labels, key=lambda label: (-labels[label], label)) for item, labels in by_item.items()}


def _change(was: float | str | None, became: float | str | None, delta: float | None) -> Change:
    if delta is not None:
        return "improved" if delta > SAME else "regressed" if delta < -SAME else "unchanged"
    if was is None or became is None:
        return "only_other" if was is None else "only_base"
    return "unchanged" if was == became else "changed"


class PairedScorer:
    """Both sides of one scorer, paired by item."""

    def __init__(self, name: str, base: _Side, other: _Side, method: IntervalMethod | None) -> None:
        self.name, self.base, self.other, self.method = name, base, other, method
        before, after = base.scores, other.scores
        self.items: list[ItemComparison] = []
        self.changes: list[Change] = []
        """What became of each item."""
        self._differences: list[float] = []
        for item in sorted(before.keys() | after.keys()):
            was, became = before.get(item), after.get(item)
            delta = None
            if isinstance(was, float) and isinstance(became, float):
                delta = became - was
                self._differences.append(delta)
            self.changes.append(_change(was, became, delta))
            self.items.append(
                {
                    "dataset_item_id": item,
                    "scorer_name": name,
                    "base_score": _rounded(was) if isinstance(was, float) else was,
                    "compare_score": _rounded(became) if isinstance(became, float) else became,
                    "delta": None if delta is None else _rounded(delta),
                }
            )
        counts = Counter(self.changes)
        self.improved, self.regressed = counts["improved"], counts["regressed"]
        self.unchanged, self.changed = counts["unchanged"], counts["changed"]
        self.only_in_base, self.only_in_compare = counts["only_base"], counts["only_other"]
        self.paired_count = self.improved + self.regressed + self.unchanged + self.changed
        self.stopping = [side.stopping for side in (base, other) if side.stopping]

    @cached_property
    def permutation_p(self) -> float | None:
        # Flipping signs says how likely this difference is after so many items, and not at every look before.
        checked = 1 < len(self._differences) < FEW_ITEMS and not self.stopping
        return sign_flip(self._differences) if checked else None

    @cached_property
    def difference(self) -> PairedDifference:
        differences = self._differences
        named: DifferenceMethod | None = self.method if self.method in DIFFERENCE_METHODS else None
        if self.stopping:
            named = "betting_mixture"
        if self.base.one_bit_each and self.other.one_bit_each:
            return paired_binary(self.improved, self.regressed, len(differences), named)
        return paired_difference(differences, named)

    def noun(self, adjusted_p: float | None, min_effect: float | None) -> ScorerComparison:
        paired, interval = self.difference, self.difference.interval
        before, before_ci = self.base.mean_and_interval(self.method)
        after, after_ci = self.other.mean_and_interval(self.method)
        decided = verdict(paired, adjusted_p, min_effect)
        more = more_items(paired, adjusted_p, min_effect) if decided == "inconclusive" else None
        return ScorerComparison(
            scorer_name=self.name,
            base_mean=round_shown(before),
            base_ci_95=before_ci,
            compare_mean=round_shown(after),
            compare_ci_95=after_ci,
            delta=None if before is None or after is None else round_shown(after - before),
            paired_delta=round_shown(paired.delta),
            delta_ci_95=None if interval is None else shown(interval),
            ci_method=None if interval is None else interval.method,
            p_value=round_shown(paired.p_value),
            p_value_adjusted=round_shown(adjusted_p),
            permutation_p_value=round_shown(self.permutation_p),
            verdict=decided,
            words=self._words(decided, more),
            more_items=more,
            flags=self._flags(),
            improved_count=self.improved,
            regressed_count=self.regressed,
            unchanged_count=self.unchanged,
            changed_count=self.changed,
            paired_count=self.paired_count,
            only_in_base=self.only_in_base,
            only_in_compare=self.only_in_compare,
            mixed=self.base.mixed or self.other.mixed,
        )

    def _flags(self) -> list[str]:
        p, check = self.difference.p_value, self.permutation_p
        flags = list(self.difference.interval.flags) if self.difference.interval else []
        flags += sorted({stopping.flag for stopping in self.stopping}, reverse=True)
        if self.stopping and self.method is not None:
            flags.append("other_method")
        if p is not None and check is not None and (p < 0.05) != (check < 0.05):
            flags.append("tests_disagree")
        return flags

    def _words(self, decided: Verdict, more: int | None) -> str:
        interval = self.difference.interval
        if interval is not None and not (self.improved or self.regressed):
            ends = f"{interval.low:+z.3f} to {interval.high:+z.3f}"
            good = "as good: " if decided == "equivalent" else ""
            return f"{good}no difference on {_these(self.paired_count)}; over others {ends} is possible"
        if self.base.numbers.items or self.other.numbers.items:
            return words(decided, self.difference, more)
        pairs = counted(self.paired_count, "label")
        return f"{self.changed} of {pairs} changed" if self.paired_count else "no item in both"


class ReasonedDifference(Difference, Protocol):
    """A difference that says why it has no interval."""

    @property
    def reason(self) -> str | None: ...


def words(
    decided: Verdict, difference: ReasonedDifference, more: int | None, unit: str = "item", where: str = ""
) -> str:
    """What a comparison says, for people. `more` units would decide what is open, in so many of which groups."""
    interval = difference.interval
    if interval is None:
        return f"cannot tell: {difference.reason or 'too few items in both'}"
    if decided == "improved":
        return f"better, by {interval.low:z.3f} to {interval.high:z.3f}"
    if decided == "regressed":
        return f"worse, by {-interval.high:z.3f} to {-interval.low:z.3f}"
    ends = f"{interval.low:+z.3f} to {interval.high:+z.3f}"
    if decided == "equivalent":
        return f"as good: {ends}"
    return f"cannot tell: {ends}{_cost(more, unit, where)}"


def _these(items: int) -> str:
    return "this one item" if items == 1 else f"these {items:,} items"


def _cost(more: int | None, unit: str, where: str) -> str:
    if more is None:
        return ""
    if more > _FAR_OFF:
        return f"; if there is a difference, it is too small for any number of {unit}s to show"
    return f"; about {more:,} more {unit}{'' if more == 1 else 's'}{where} would probably decide it"


@lru_cache(maxsize=65_536)  # scores repeat, and rounding ten thousands of them is what would take the time
def _rounded(score: float) -> float:
    return round_shown(score)
