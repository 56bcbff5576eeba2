"""Which labels of people tell most about a judge's mean, and how many it takes for an interval of a given reach.

Two ways to choose what is labelled next:

* **By lot** from all targets. Then the corrections of correct.py hold, and one target is worth as much as another.
* **By strata**: targets are put together by what the judge said of them, and labels go where they help most, by
  lot within the stratum. With W_s the share of all targets that stratum s has, and n_s labels of variance σ_s² in
  it, the mean over strata Σ W_s · mean_s has the variance Σ W_s² σ_s² / n_s, whatever the n_s are. One label more
  in s takes W_s² σ_s² / (n_s (n_s + 1)) from it; always taking the largest leads to n_s in proportion to W_s σ_s,
  the allocation of Neyman (1934). Labels chosen so are no random part of all targets: sensitivity and specificity
  seen on them are not the judge's own (Begg and Greenes 1983), so the corrections of correct.py do not hold for
  them, and the mean over strata takes their place.

All scores lie in [0, 1]; a reach is half the width of a 95 % interval. Who is asked to label is not known here.
"""

import bisect
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gnomon.stats.agreement import AgreementEstimate, Rating
from gnomon.stats.card import mean_over
from gnomon.stats.correct import Check, PairedMoments, ScorePair, corrected_share_from
from gnomon.stats.describe import SAME
from gnomon.stats.interval import Z95, wilson

PILOT = 30
"""Labels before which the judge's errors are unknown, and so is how many more it takes."""
MOST_RANGES, MOST_LABELS = 5, 20
OTHER = "another label"
FEWEST_IN_A_STRATUM = 2
_LARGEST_VARIANCE = 0.25
"""Of numbers in [0, 1]: half of them 0, half 1."""
_DOUBT = 2
"""As many labels of the largest variance are imagined in every stratum: three that agree are not certain."""


# --- strata -----


@dataclass(frozen=True, slots=True)
class Stratum:
    """Targets of which the judge said much the same; `labels` are people's scores of some of them."""

    name: str
    targets: int
    labels: tuple[float, ...] = ()

    @property
    def left(self) -> int:
        return self.targets - len(self.labels)

    @property
    def mean(self) -> float:
        return math.fsum(self.labels) / len(self.labels)

    @property
    def doubtful_variance(self) -> float:
        """That of the labels, drawn towards the largest possible as long as there are few."""
        n = len(self.labels)
        squares = math.fsum((label - self.mean) ** 2 for label in self.labels) if n else 0.0
        return (squares + _DOUBT * _LARGEST_VARIANCE) / (n + _DOUBT)


@dataclass(frozen=True, slots=True)
class Cuts:
    """How targets are put together by the judge's rating: each frequent one alone, or ranges of numbers."""

    ratings: tuple[Rating, ...]
    edges: tuple[float, ...] = ()
    """Where each range but the first begins"""

    @classmethod
    def of(cls, ratings: Iterable[Rating]) -> "Cuts":
        """Ratings that are few stand alone; many numbers are cut into ranges with as many targets each."""
        counted = Counter(ratings)
        if len(counted) <= MOST_RANGES or any(isinstance(rating, str) for rating in counted):
            frequent = sorted(counted, key=lambda rating: (-counted[rating], rating))
            return cls(tuple(sorted(frequent[:MOST_LABELS])))
        ordered, different = sorted(counted.elements()), sorted(counted)
        indexes = (len(ordered) * part // MOST_RANGES for part in range(1, MOST_RANGES))
        edges = sorted({float(ordered[index]) for index in indexes} - {float(different[0])})
        return cls((different[0], different[-1]), tuple(edges))

    def name(self, rating: Rating) -> str:
        if isinstance(rating, str):
            return rating if rating in self.ratings else OTHER
        if not self.edges:
            return _shown(rating)
        at = bisect.bisect_right(self.edges, rating)
        lowest, highest = float(self.ratings[0]), float(self.ratings[1])
        low = lowest if at == 0 else self.edges[at - 1]
        if at == len(self.edges) and low == highest:
            return _shown(low)
        end = f"below {_shown(self.edges[at])}" if at < len(self.edges) else f"up to {_shown(highest)}"
        return f"{_shown(low)} and {end}"


def _shown(rating: Rating) -> str:
    return rating if isinstance(rating, str) else f"{round(rating, 3):g}"


def stratified_mean(strata: Sequence[Stratum]) -> AgreementEstimate:
    """Σ W_s · mean_s. The strata's own intervals are joined as Zou and Donner (2008) do, with what varies because
    other targets would have fallen into the strata in other shares."""
    strata = [group for group in strata if group.targets]
    total = sum(group.targets for group in strata)
    thin = next((group for group in strata if len(group.labels) < min(FEWEST_IN_A_STRATUM, group.targets)), None)
    if not total or thin is not None:
        named = "" if thin is None else f" ({thin.name} has {len(thin.labels)})"
        return AgreementEstimate(None, reason=f"every stratum needs {FEWEST_IN_A_STRATUM} labels{named}")
    shares = [group.targets / total for group in strata]
    value = math.fsum(share * group.mean for share, group in zip(shares, strata, strict=True))
    between = _between(strata, shares, value) / total
    down = up = Z95**2 * between
    for share, stratum in zip(shares, strata, strict=True):
        ends = mean_over([[label] for label in stratum.labels], "").interval
        assert ends is not None  # there are labels
        down += (share * (stratum.mean - ends[0])) ** 2
        up += (share * (ends[1] - stratum.mean)) ** 2
    interval = max(0.0, value - math.sqrt(down)), min(1.0, value + math.sqrt(up))
    return AgreementEstimate(value, interval, "stratified")


def _between(strata: Sequence[Stratum], shares: Sequence[float], value: float) -> float:
    return math.fsum(share * (stratum.mean - value) ** 2 for share, stratum in zip(shares, strata, strict=True))


class _Allocation:
    """Labels given out one by one, each to the stratum where it takes most from the variance."""

    def __init__(self, strata: Sequence[Stratum]) -> None:
        self._left = [stratum.left for stratum in strata]
        self._n = [len(stratum.labels) for stratum in strata]
        total = max(1, sum(stratum.targets for stratum in strata))
        self._weights = [(stratum.targets / total) ** 2 * stratum.doubtful_variance for stratum in strata]
        self.labels_given = 0

    def gain(self, at: int) -> float:
        n = self._n[at]
        if not self._left[at]:
            return 0.0
        return self._weights[at] / (n * (n + 1)) if n else math.inf

    def next(self) -> int | None:
        """The stratum that the next label goes to; None when there is nothing left to label."""
        at = max(range(len(self._n)), key=self.gain, default=None)
        if at is None or not self._left[at]:
            return None
        self._left[at] -= 1
        self._n[at] += 1
        self.labels_given += 1
        return at

    def variance(self) -> float:
        """Within strata."""
        return math.fsum(
            weight / n if n else math.inf for weight, n in zip(self._weights, self._n, strict=True) if weight
        )


def best_order(strata: Sequence[Stratum], count: int) -> list[int]:
    """The stratum of each of the next labels, as indexes of `strata`. Any beginning of the list is as good."""
    plan = _Allocation(strata)
    order: list[int] = []
    while len(order) < count and (at := plan.next()) is not None:
        order.append(at)
    return order


def gain_of_one(strata: Sequence[Stratum]) -> list[float | None]:
    """How much one more label per stratum would shorten the reach; None while a stratum has none."""
    plan = _Allocation(strata)
    variance = plan.variance() + _between_so_far(strata)
    if not math.isfinite(variance):
        return [None if not stratum.labels else 0.0 for stratum in strata]
    after = (max(0.0, variance - plan.gain(at)) for at in range(len(strata)))
    return [Z95 * (math.sqrt(variance) - math.sqrt(lower)) for lower in after]


def more_by_strata(strata: Sequence[Stratum], reach: float) -> int | None:
    """How many more labels, given out as `best_order` does, until the interval of the mean over strata is ± `reach`.

    None when all labels together would not do.
    """
    now, labels = reach_of(stratified_mean(strata)), sum(len(stratum.labels) for stratum in strata)
    if now is not None and now <= reach:
        return 0
    if labels < PILOT:
        return min(PILOT - labels, sum(stratum.left for stratum in strata)) or None
    plan, between = _Allocation(strata), _between_so_far(strata)
    while plan.next() is not None:
        if Z95 * math.sqrt(plan.variance() + between) <= reach:
            return plan.labels_given
    return None


def _between_so_far(strata: Sequence[Stratum]) -> float:
    """What varies between strata, from those that have labels, over all targets."""
    seen = [stratum for stratum in strata if stratum.labels]
    total = sum(stratum.targets for stratum in seen)
    if not total:
        return 0.0
    shares = [stratum.targets / total for stratum in seen]
    value = math.fsum(share * stratum.mean for share, stratum in zip(shares, seen, strict=True))
    return _between(seen, shares, value) / sum(stratum.targets for stratum in strata)


# --- at random -----


def more_by_lot(
    labelled: Sequence[ScorePair], judge_only: Sequence[float], now: AgreementEstimate, reach: float
) -> int | None:
    """How many more random labels until the interval of the corrected mean `now` is ± `reach`, if the estimates hold.

    What the interval will be is computed as it will be then: double sampling's from the same rates with more
    labels, PPI++'s from the same moments. None when all labels together would not do.
    """
    return _fewest_more(len(labelled), len(judge_only), _forecast(labelled, judge_only, now), now, reach)


def more_for_share(share: AgreementEstimate, labelled: int, left: int, reach: float) -> int | None:
    """The same for a plain share over the labelled, such as how often judge and people say the same."""
    return _fewest_more(labelled, left, _Forecast(share=share.value or 0.0), share, reach)


def reach_of(estimate: AgreementEstimate) -> float | None:
    return None if estimate.interval is None else (estimate.interval[1] - estimate.interval[0]) / 2


@dataclass(frozen=True, slots=True)
class _Forecast:
    """What decides an interval's width, apart from the number of labels."""

    share: float = 0.0
    check: Check | None = None
    judge_rate: float = 0.0
    moments: PairedMoments | None = None

    def reach(self, labels: int, others: int) -> float:
        if self.check is not None and others:
            return self._double_sampling(self.check, labels, others)
        if self.moments is not None:
            return self._prediction_powered(self.moments, labels, others)
        interval = wilson(self.share * labels, labels)
        return (interval.high - interval.low) / 2

    def _double_sampling(self, check: Check, labels: int, others: int) -> float:
        grown = labels / check.labels
        counts = (check.true_positives, check.positives, check.true_negatives, check.negatives)
        as_if = Check(*(round(count * grown) for count in counts))
        reach = reach_of(corrected_share_from(as_if, round(self.judge_rate * others), others))
        return 1.0 if reach is None else reach

    @staticmethod
    def _prediction_powered(moments: PairedMoments, labels: int, others: int) -> float:
        then = replace(moments, labels=labels, others=others)
        low, high = then.ends(then.tuned_power)
        return (high - low) / 2


def _forecast(labelled: Sequence[ScorePair], judge_only: Sequence[float], now: AgreementEstimate) -> _Forecast:
    humans = [human for _, human in labelled]
    share = math.fsum(humans) / len(humans) if humans else 0.5
    if now.method == "double_sampling":
        return _Forecast(share, Check.of(labelled), math.fsum(judge_only) / max(1, len(judge_only)))
    if now.method == "ppi_beta":
        return _Forecast(share, moments=PairedMoments.of(labelled, judge_only))
    return _Forecast(share)


def _fewest_more(labels: int, others: int, forecast: _Forecast, now: AgreementEstimate, reach: float) -> int | None:
    current = reach_of(now)
    if current is not None and current <= reach:
        return 0
    if labels < PILOT:
        return min(PILOT - labels, others) or None
    if not others or forecast.reach(labels + others, 0) > reach + SAME:
        return None
    low, high = 1, others
    while low < high:
        middle = (low + high) // 2
        if forecast.reach(labels + middle, others - middle) <= reach:
            high = middle
        else:
            low = middle + 1
    return low
