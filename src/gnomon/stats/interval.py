"""95 % confidence intervals of a mean score.

Every interval here lies inside [0, 1], contains the mean and has a width: data that agree with themselves are
not certain. `mean_interval` chooses the method, or takes the one that a caller names.

| scores | method |
|---|---|
| 0 or 1, one per item | Wilson |
| everything else: real scores, several trials per item | Beta from two moments over items (bounded.py) |
| one item | Wilson as if it were one score; flagged `one_item`, or `single_run` if it is one |

Between the first two there is no step: scores that are nearly 0 or 1 get ends between both, see `_BRIDGE`.

`interval_over` does the same for scores at hand, `equal_weight_interval` where every item counts the same
however many scores it has, `items_fixed_interval` for what the same items would give if tried again.
Differences between two experiments are in paired.py.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from statistics import NormalDist

from gnomon.errors import InvalidInput
from gnomon.stats.bounded import mean_ends
from gnomon.stats.describe import ClusterTotals, ItemSums, ScoreSums
from gnomon.stats.ends import Interval, MeanMethod, Method
from gnomon.stats.resample import RESAMPLED_UP_TO, bca_ends, bca_ends_from
from gnomon.stats.sequence import betting_mixture
from gnomon.stats.tails import beta_quantile, poisson_quantile, t_critical

Items = Iterable[tuple[float, int]]
"""Each item's sum of scores and how many they are."""

_FOR_YES_OR_NO: frozenset[MeanMethod] = frozenset({"wilson", "cluster_wilson", "clopper_pearson", "jeffreys"})
_FOR_ONE_SCORE_EACH: frozenset[MeanMethod] = frozenset({"wilson", "clopper_pearson", "jeffreys"})
Z95 = NormalDist().inv_cdf(0.975)
SMALL_N = 15
"""Below this many real-valued scores the interval is wide and stands on little: worth a word to the reader."""
_BRIDGE = 0.1
"""Scores whose inner spread is 0 are yes or no and get Wilson's ends; from here on they get the Beta's, and in
between a mixture. So changing one score a little never moves an end by much."""


def mean_interval(
    sums: ScoreSums, items: Callable[[], Items] | None = None, method: MeanMethod | None = None
) -> Interval:
    """The interval of the mean over all scores, from one row of sums, by the table above or by name.

    A named method that does not fit these scores (Wilson for real ones) gives way to the default, flagged
    `other_method`. `items` is asked only by `bca`, which resamples them where they are not too many, and by
    `betting_mixture`, which needs them.
    """
    if method is None or (method in _FOR_YES_OR_NO and not sums.all_binary):
        return _flagged(bounded(sums), method)
    if method in _FOR_ONE_SCORE_EACH and sums.scores != sums.clusters:
        return _flagged(bounded(sums), method)
    return _by_name(sums, items, method)


def interval_over(clusters: Sequence[Sequence[float]], method: MeanMethod | None = None) -> Interval:
    """The interval of the mean of all scores, clustered by item (or conversation, …)."""
    items = [(math.fsum(scores), len(scores)) for scores in clusters if len(scores)]
    return mean_interval(ScoreSums.of_clusters(clusters), lambda: items, method)


def equal_weight_interval(clusters: Sequence[Sequence[float]], method: MeanMethod | None = None) -> Interval:
    """The interval of the mean of the items' means, so that every item has one vote whatever its trials."""
    scored = [scores for scores in clusters if len(scores)]
    if len({len(scores) for scores in scored}) <= 1:
        return interval_over(scored, method)
    return interval_over([[math.fsum(scores) / len(scores)] for scores in scored], method)


def share_interval(ones: Sequence[int], counts: Sequence[int], method: MeanMethod | None = None) -> Interval:
    """The interval of a share, from how many of how many it is in each item."""
    rows = list(zip(ones, counts, strict=True))
    sums = ScoreSums.of_items(
        ItemSums(n, ones_of_item, ones_of_item, float(ones_of_item == n), float(ones_of_item > 0))
        for ones_of_item, n in rows
    )
    return mean_interval(sums, lambda: rows, method)


def bounded(totals: ScoreSums) -> Interval:
    """The default: Wilson for yes and no, Beta from two moments for everything else, and no step between them."""
    mean, flags = totals.mean, _flags(totals)
    if totals.clusters == 1:
        return _wilson_at(mean, 1, flags=flags)
    exact = _wilson_at(mean, totals.effective_clusters, flags=flags)
    share = min(1.0, totals.inner_spread / _BRIDGE)
    if share == 0:
        return exact
    low, high = mean_ends(totals)
    low, high = exact.low + share * (low - exact.low), exact.high + share * (high - exact.high)
    return Interval(min(low, mean), max(high, mean), "beta_moments", flags)


def _flags(totals: ScoreSums) -> tuple[str, ...]:
    if totals.scores == 1:
        return ("single_run",)
    if totals.clusters == 1:
        return ("one_item",)
    return ("small_n",) if totals.clusters < SMALL_N and not totals.all_binary else ()


def _by_name(sums: ScoreSums, items: Callable[[], Items] | None, method: MeanMethod) -> Interval:
    if method == "beta_moments":
        return Interval(*mean_ends(sums), "beta_moments", _flags(sums))
    if method == "t_clipped":
        error = sums.standard_error
        return t_clipped(sums.mean, None if error is None else error * math.sqrt(sums.clusters), sums.clusters)
    if method == "bca":
        return _bca_over(sums, items)
    if method == "betting_mixture":
        return _sequence_over(sums, items)
    if method == "cluster_wilson":
        return cluster_wilson_from(sums)
    passed = round(sums.total)
    if method == "wilson":
        return wilson(passed, sums.scores)
    return clopper_pearson(passed, sums.scores) if method == "clopper_pearson" else jeffreys(passed, sums.scores)


def _flagged(interval: Interval, method: MeanMethod | None) -> Interval:
    fits = method is None or method == interval.method
    return interval if fits else replace(interval, flags=(*interval.flags, "other_method"))


def _bca_over(sums: ScoreSums, items: Callable[[], Items] | None) -> Interval:
    error = sums.standard_error
    if not error:
        return _wilson_at(sums.mean, sums.clusters, flags=_flags(sums))
    if items is not None and sums.clusters <= RESAMPLED_UP_TO:
        ends = bca_ends(*zip(*items(), strict=True))
    else:
        plain_error = error * math.sqrt((sums.clusters - 1) / sums.clusters)
        ends = bca_ends_from(sums.mean, plain_error, sums.skewness, sums.clusters)
    return kept_inside(ends, sums.mean, sums.clusters)


def _sequence_over(sums: ScoreSums, items: Callable[[], Items] | None) -> Interval:
    """Every item has one vote; widened to the mean over all scores, which may lie elsewhere and is what is shown."""
    if items is None:
        raise InvalidInput.of("items", "betting_mixture needs the scores of each item")
    sequence = betting_mixture([min(1.0, total / n) for total, n in items()])
    return replace(sequence, low=min(sequence.low, sums.mean), high=max(sequence.high, sums.mean))


def items_fixed_interval(mean: float, error: float, degrees: int) -> Interval:
    """Where the mean would fall if these very items were tried again, flagged `items_fixed`.

    Only the spread within items counts (`describe.within_item_error`), so it says nothing about other items
    and is narrower for that. `degrees` is the number of scores less the number of items.
    """
    reach = t_critical(degrees) * error
    low, high = max(0.0, mean - reach), min(1.0, mean + reach)
    if low < high:
        return Interval(low, high, "t_clipped", ("items_fixed",))
    return _wilson_at(mean, degrees + 1, flags=("items_fixed",))


def clopper_pearson(passed: int, n: int) -> Interval:
    """The exact interval (Clopper and Pearson 1934): never covers less than 95 %, mostly more."""
    _check_share(passed, n)
    low = beta_quantile(0.025, passed, n - passed + 1) if passed else 0.0
    high = beta_quantile(0.975, passed + 1, n - passed) if passed < n else 1.0
    return Interval(low, high, "clopper_pearson")


def poisson_mean(events: int, runs: int) -> Interval:
    """The exact interval of a mean count per run, for events that happen independently (Garwood 1936).

    It needs no spread between runs, so it also holds where all have the same count: no event in 10 runs leaves a mean
    of up to 0.37 open (the "rule of three" for both ends together).

    >>> round(poisson_mean(0, 10).high, 3)
    0.369
    """
    if runs < 1:
        raise InvalidInput.of("runs", f"runs is {runs}; give at least one")
    if events < 0:
        raise InvalidInput.of("events", f"events is {events}; a count is 0 or more")
    low = poisson_quantile(0.025, events - 1) / runs if events else 0.0
    return Interval(low, poisson_quantile(0.975, events) / runs, "poisson")


def jeffreys(passed: int, n: int) -> Interval:
    """The middle 95 % of the posterior under Jeffreys' prior, Beta(½, ½). At 0 and n it leaves the mean out."""
    _check_share(passed, n)
    a, b = passed + 0.5, n - passed + 0.5
    return Interval(beta_quantile(0.025, a, b), beta_quantile(0.975, a, b), "jeffreys")


def wilson(successes: float, n: float, critical: float = Z95) -> Interval:
    """Wilson's score interval (1927) of successes / n. Neither needs to be whole.

    >>> wilson(8, 10).low
    0.49016247153664183
    """
    _check_share(successes, n)
    return _wilson_at(successes / n, n, critical)


def cluster_wilson(sums: Sequence[float], counts: Sequence[int]) -> Interval:
    """The interval of clustered scores of 0 and 1, from each cluster's number of ones and of scores."""
    for ones, scores in zip(sums, counts, strict=False):
        if not (0 <= ones <= scores and ones == int(ones)):
            message = f"{ones} ones among {scores} scores: impossible; use t_clipped unless all are 0 or 1"
            raise InvalidInput.of("sums", message)
    return cluster_wilson_from(ClusterTotals.of(sums, counts))


def cluster_wilson_from(totals: ClusterTotals) -> Interval:
    """The same from sums that a database made. Plain Wilson when every cluster is a single score."""
    if totals.scores == totals.clusters:
        return _wilson_at(totals.mean, totals.scores, flags=("single_run",) if totals.scores == 1 else ())
    if totals.clusters == 1:
        return _wilson_at(totals.mean, 1, flags=("one_item",))
    critical = t_critical(totals.clusters - 1)
    return _wilson_at(totals.mean, effective_n(totals), critical, method="cluster_wilson")


def effective_n(totals: ClusterTotals) -> float:
    """How many independent scores of 0 or 1 would pin the mean down as well (Korn and Graubard 1998).

    Never more than there are. Clusters that all have the same mean show no variance to judge by: then each
    counts as one score, the most cautious reading.
    """
    variance = totals.variance_of_mean
    if not variance:
        return float(totals.clusters)
    mean = totals.exact_mean
    return min(float(mean * (1 - mean) / variance), float(totals.scores))


def t_clipped(mean: float, standard_deviation: float | None, n: int) -> Interval:
    """Student's t interval of n real values in [0, 1] (or of n item means), clipped to [0, 1]."""
    if n < 1:
        raise InvalidInput.of("n", f"n is {n}; an interval needs at least one score")
    if not 0 <= mean <= 1:
        raise InvalidInput.of("mean", f"mean is {mean}, outside [0, 1]; divide by your scale first")
    if n == 1:
        return _wilson_at(mean, 1, flags=("single_run",))
    if standard_deviation is None or not (math.isfinite(standard_deviation) and standard_deviation >= 0):
        message = f"standard_deviation is {standard_deviation} with n = {n}; give a number of 0 or more"
        raise InvalidInput.of("standard_deviation", message)
    flags = ("small_n",) if n < SMALL_N else ()
    reach = t_critical(n - 1) * standard_deviation / math.sqrt(n)
    low, high = max(0.0, mean - reach), min(1.0, mean + reach)
    return Interval(low, high, "t_clipped", flags) if low < high else _wilson_at(mean, n, flags=flags)


def kept_inside(ends: tuple[float, float], mean: float, n: int) -> Interval:
    """Resampled ends as an interval: inside [0, 1], around the mean, never without a width."""
    low, high = max(0.0, min(ends[0], mean)), min(1.0, max(ends[1], mean))
    return Interval(low, high, "bca") if low < high else _wilson_at(mean, n)


def _check_share(successes: float, n: float) -> None:
    if not (math.isfinite(n) and n > 0):
        raise InvalidInput.of("n", f"n is {n}; an interval needs at least one score")
    if not 0 <= successes <= n:
        raise InvalidInput.of("successes", f"successes is {successes} of {n}; it must lie between 0 and n")


def _wilson_at(
    mean: float, n: float, critical: float = Z95, method: Method = "wilson", flags: tuple[str, ...] = ()
) -> Interval:
    pull = critical * critical / n
    center = (mean + pull / 2) / (1 + pull)
    reach = math.sqrt(pull * mean * (1 - mean) + pull * pull / 4) / (1 + pull)
    # At 0 and 1 one end is the mean itself, which rounding can miss by an ulp.
    low, high = max(0.0, min(center - reach, mean)), min(1.0, max(center + reach, mean))
    return Interval(low, high, method, flags)
