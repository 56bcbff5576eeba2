"""Two experiments over the same items: what got better or worse, and assertions about it for tests."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, cast

from gnomon.errors import InvalidInput, Refused
from gnomon.model.aggregate import MissingPolicy
from gnomon.model.experiment import Experiment, ExperimentComparison, ItemComparison, Run, ScorerComparison, Verdict
from gnomon.model.nearest import did_you_mean
from gnomon.report import notebook
from gnomon.report.text import experiments as text
from gnomon.report.text.drawing import as_text, clean, interval, number
from gnomon.sdk.connection import SdkConnection, connection
from gnomon.sdk.finding import Identified, find
from gnomon.shorten import counted, shorten

_SHOWN_ITEMS = 3
_SHOWN_VALUE = 80
_TIME = "%Y-%m-%d %H:%M:%S"


@dataclass(frozen=True, slots=True)
class RegressedItem:
    """An item that one scorer scores lower than before."""

    item_id: str
    scorer_name: str
    base_score: float
    """The mean over the item's trials."""
    other_score: float
    delta: float
    input: Any
    expected_output: Any
    base_output: Any
    """With several trials: of the best scored one."""
    other_output: Any
    """With several trials: of the worst scored one."""


class ComparisonResult:
    """How one experiment differs from another, paired item by item. Print it, or show it in a notebook.

    >>> data = [{"input": n, "expected_output": str(n)} for n in range(20)]
    >>> for name, task in (("odd-v1", lambda n: str(n) if n % 2 else "?"), ("odd-v2", str)):
    ...     result = gn.evaluate(task, data, [gn.exact_match()], name=name, progress=False)
    >>> comparison = result.compare("odd-v1")
    >>> comparison.verdict("exact_match"), comparison.score("exact_match").paired_delta
    ('improved', 0.5)
    >>> comparison.assert_no_regression()
    """

    def __init__(
        self, connection: SdkConnection, base: Experiment, other: Experiment, comparison: ExperimentComparison
    ) -> None:
        self._connection = connection
        self.base = base
        self.other = other
        self.comparison = comparison

    def verdict(self, scorer_name: str) -> Verdict:
        """`improved`, `regressed`, `equivalent`, or `inconclusive` where the items are too few to tell."""
        return self.score(scorer_name).verdict

    def score(self, scorer_name: str) -> ScorerComparison:
        """One scorer's difference with its interval."""
        known = {
            scorer_comparison.scorer_name: scorer_comparison for scorer_comparison in self.comparison.scorer_comparisons
        }
        if scorer_name not in known:
            hint = did_you_mean(scorer_name, known, f"the scorers are {', '.join(known) or 'none'}")
            raise InvalidInput.of("scorer_name", f"neither experiment has scores of {scorer_name!r}; {hint}")
        return known[scorer_name]

    def assert_no_regression(self, *scorers: str, by: float = 0.0) -> None:
        """Raise AssertionError if a scorer (any, when none is named) is significantly worse.

        With `by`, only if it is worse by more than that: the whole interval of the difference lies below -`by`. What
        cannot be told with these items passes; `print` says what remains possible. A scorer that has no item in
        common with the base cannot be compared at all, which is refused.
        """
        if not 0 <= by <= 1:
            raise InvalidInput.of("by", f"by is {by!r}; give how much worse is acceptable, from 0 to 1")
        worse = [comparison for comparison in self._comparable(scorers) if _is_worse(comparison, by)]
        if worse:
            raise AssertionError("\n".join(self._accusation(worse)))

    def assert_improved(self, *scorers: str) -> None:
        """Raise AssertionError unless each of the scorers (all, when none is named) is significantly better."""
        short = [comparison for comparison in self._comparable(scorers) if comparison.verdict != "improved"]
        if short:
            sentences = [
                f"{clean(comparison.scorer_name)} did not improve: {clean(comparison.words)}" for comparison in short
            ]
            raise AssertionError("\n".join([self._headline(), *sentences]))

    def regressions(self, n: int = 5, *, scorer_name: str | None = None) -> list[RegressedItem]:
        """The `n` items that lost most, worst first, with their inputs and both outputs."""
        if scorer_name is not None:
            self.score(scorer_name)
        lost = [
            comparison
            for comparison in self.comparison.per_item_results
            if comparison["delta"] is not None
            and comparison["delta"] < 0
            and scorer_name in (None, comparison["scorer_name"])
        ]
        lost = sorted(lost, key=lambda comparison: (comparison["delta"] or 0.0, comparison["dataset_item_id"]))[
            : max(n, 0)
        ]
        before = self._runs(self.base, lost)
        after = self._runs(self.other, lost)
        return [_regression(comparison, before, after) for comparison in lost]

    def __str__(self) -> str:
        return as_text(text.comparison(self.comparison, *self._names()))

    def __repr__(self) -> str:
        verdicts = ", ".join(
            f"{clean(scorer_comparison.scorer_name)} {scorer_comparison.verdict}"
            for scorer_comparison in self.comparison.scorer_comparisons
        )
        return f"<ComparisonResult {self._headline()}: {verdicts or 'no scores'}>"

    def _repr_html_(self) -> str:
        return notebook.comparison(self.comparison, *self._names())

    def _comparable(self, scorers: Sequence[str]) -> list[ScorerComparison]:
        """The comparisons of these scorers, or of all. One that says nothing must not look like a success."""
        chosen = [self.score(name) for name in scorers] or self.comparison.scorer_comparisons
        if not chosen:
            raise Refused(f"{self._headline()}: neither has scores, so nothing can be asserted")
        if scorers or not any(scorer_comparison.paired_count for scorer_comparison in chosen):
            for comparison in chosen:
                if not comparison.paired_count:
                    words = f"no item has a score of {comparison.scorer_name!r} in both, so nothing can be asserted"
                    raise Refused(f"{self._headline()}: {words}")
        return chosen

    def _headline(self) -> str:
        return " → ".join(map(clean, self._names()))

    def _names(self) -> tuple[str, str]:
        """The experiments' names, with their times where both have the same name."""
        base, other = self.base, self.other
        if base.name != other.name or base.id == other.id:
            return base.name, other.name
        return f"{base.name} of {base.created_at:{_TIME}}", f"{other.name} of {other.created_at:{_TIME}}"

    def _accusation(self, worse: Iterable[ScorerComparison]) -> Iterator[str]:
        yield self._headline()
        for comparison in worse:
            yield f"{clean(comparison.scorer_name)} got worse: {_loss(comparison)}"
            for item in self.regressions(_SHOWN_ITEMS, scorer_name=comparison.scorer_name):
                outputs = f"{_shown(item.base_output)} → {_shown(item.other_output)}"
                yield f"  {item.base_score:.3g} → {item.other_score:.3g}  {_shown(item.input)}: {outputs}"

    def _runs(self, experiment: Experiment, lost: Sequence[ItemComparison]) -> dict[str, list[Run]]:
        """The runs of these items, read only as far as needed."""
        runs: dict[str, list[Run]] = {comparison["dataset_item_id"]: [] for comparison in lost}
        missing = len(runs) * experiment.trials
        for run in self._connection.opened().runs(experiment.id, sort="created_at") if missing else ():
            if run.dataset_item_id in runs:
                runs[run.dataset_item_id].append(run)
                missing -= 1
            if not missing:
                break
        return runs


def compare(
    base: str | Identified,
    other: str | Identified,
    *,
    min_effect: float | None = None,
    missing: MissingPolicy | None = None,
    at: str | None = None,
) -> ComparisonResult:
    """How `other` differs from `base`, item by item. Both are names, ids or results over one dataset.

    A name means the newest experiment of that name with runs; the same name twice, its newest two. `at` chooses another
    `base`: `~1` the one before the newest, or 7 or more hex digits of a commit. `min_effect` is the smallest difference
    that matters, and `missing` what a missing score counts as (`drop`, `zero` or `bracket`).

    >>> data = [{"input": n, "expected_output": n} for n in range(30)]
    >>> old = gn.evaluate(lambda n: n, data, [gn.exact_match()], name="old", progress=False)
    >>> new = gn.evaluate(lambda n: n // 2, data, [gn.exact_match()], name="new", progress=False)
    >>> gn.compare("old", "new").verdict("exact_match")
    'regressed'
    >>> new.compare(old).regressions(1)[0].input
    1
    """
    sdk = connection()
    return compare_with(sdk, base, find(sdk, other), min_effect=min_effect, missing=missing, at=at)


def compare_with(
    sdk: SdkConnection,
    base: str | Identified,
    other: Experiment,
    *,
    min_effect: float | None,
    missing: MissingPolicy | None,
    at: str | None,
) -> ComparisonResult:
    """`compare`, with the other experiment at hand."""
    before = find(sdk, base, at=at, other_than=other)
    comparison = sdk.opened().compare(before.id, other.id, min_effect, missing)
    return ComparisonResult(sdk, before, other, comparison)


def _loss(comparison: ScorerComparison) -> str:
    loss = f"{number(comparison.paired_delta, '+')} (95 % interval {interval(comparison.delta_ci_95)})"
    means = f"mean {number(comparison.base_mean)} → {number(comparison.compare_mean)}"
    return f"{loss}, {means}; {comparison.regressed_count:,} of {counted(comparison.paired_count, 'item')} are worse"


def _is_worse(comparison: ScorerComparison, by: float) -> bool:
    if comparison.verdict != "regressed":
        return False
    return by == 0 or (comparison.delta_ci_95 is not None and comparison.delta_ci_95[1] < -by)


def _regression(comparison: ItemComparison, before: dict[str, list[Run]], after: dict[str, list[Run]]) -> RegressedItem:
    item_id, scorer_name = comparison["dataset_item_id"], comparison["scorer_name"]
    best = max(before[item_id], key=lambda run: _value(run, scorer_name, missing=-1.0), default=None)
    worst = min(after[item_id], key=lambda run: _value(run, scorer_name, missing=2.0), default=None)
    item = worst or best
    return RegressedItem(
        item_id=item_id,
        scorer_name=scorer_name,
        base_score=cast(float, comparison["base_score"]),  # there is a difference, so both are numbers
        other_score=cast(float, comparison["compare_score"]),
        delta=cast(float, comparison["delta"]),
        input=item and item.input,
        expected_output=item and item.expected_output,
        base_output=best and best.output,
        other_output=worst and worst.output,
    )


def _value(run: Run, scorer_name: str, missing: float) -> float:
    values = [score.value for score in run.scores if score.scorer_name == scorer_name]
    numbers = [value for value in values if isinstance(value, float)]
    return fmean(numbers) if numbers else missing


def _shown(value: Any) -> str:
    return shorten(clean(json.dumps(value, ensure_ascii=False)), _SHOWN_VALUE)
