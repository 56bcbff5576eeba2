"""A judge's mean, corrected by what people said of some of the targets.

`labelled` are pairs (judge, human), `judge_only` the judge's scores of targets without a label; all scores lie in
[0, 1]. `prediction_powered_mean` takes any numbers, `corrected_share` scores of 0 and 1. Both stand on labelled
targets that are a random part of all: `labels_not_random` looks for signs that they are not.

Which of them to use, and what a score is about, is the caller's work.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gnomon.errors import InvalidInput
from gnomon.stats.agreement import NO_PAIRS, Estimate
from gnomon.stats.describe import SAME
from gnomon.stats.interval import Z95, wilson
from gnomon.stats.paired import SIGNIFICANT, paired_difference, tango

ScorePair = tuple[float, float]

ENOUGH_LABELS = 100
ENOUGH_OF_A_CLASS = 10

_NO_FIT = "the judge's other scores do not fit what it did on the labelled targets, which are hardly a random part"


@dataclass(frozen=True, slots=True)
class Check:
    """A judge of 0 and 1 held against people: how many of those with a human 1 (0) it gave a 1 (0) too."""

    true_positives: int
    positives: int
    true_negatives: int
    negatives: int

    @classmethod
    def of(cls, labelled: Iterable[ScorePair]) -> "Check":
        seen = Counter(labelled)
        for pair in seen:
            if not set(pair) <= {0, 1}:
                raise InvalidInput.of("labelled", f"scores {pair[0]} and {pair[1]} are not both 0 or 1")
        ones, zeros = seen[1, 1] + seen[0, 1], seen[0, 0] + seen[1, 0]
        return cls(seen[1, 1], ones, seen[0, 0], zeros)

    @property
    def true_positive_rate(self) -> float:
        return self.true_positives / self.positives

    @property
    def true_negative_rate(self) -> float:
        return self.true_negatives / self.negatives


def prediction_powered_mean(
    labelled: Sequence[ScorePair], judge_only: Sequence[float], power: float | None = None
) -> Estimate:
    """The mean that people would have given, by PPI++ (Angelopoulos, Duchi and Zrnic 2023).

    `power` says how far the judge is relied on: 0 not at all, 1 as in plain prediction-powered inference; by
    default it is tuned to the narrowest interval. Honest also when the judge is wrong: it then helps less.
    """
    _check_scores(labelled, judge_only)
    n, more = len(labelled), len(judge_only)
    if n < 2:
        return Estimate(None, reason=NO_PAIRS if not n else "only one target is rated by both")
    if power is None:
        power = _tuned_power(labelled, judge_only)
    if not more:
        power = 0.0
    rest = [human - power * judge for judge, human in labelled]
    value = _mean(rest) + power * (_mean(judge_only) if more else 0.0)
    error = math.sqrt(_variance(rest) / n + (power**2 * _variance(judge_only) / more if more else 0.0))
    flags = _few_labels([human for _, human in labelled])
    if error * Z95 <= SAME:
        return _of_labels_alone(labelled, flags)
    return _clipped(value, value - Z95 * error, value + Z95 * error, "ppi", error, flags)


def rogan_gladen(judge_rate: float, true_positive_rate: float, true_negative_rate: float) -> float | None:
    """The share of ones behind a judge's share of ones (Rogan and Gladen 1978), not clipped.

    None for a judge that is no better than chance: then its scores say nothing of the share.
    """
    skill = true_positive_rate + true_negative_rate - 1
    return (judge_rate + true_negative_rate - 1) / skill if skill > 0 else None


def rogan_gladen_mean(judged_ones: int, judged: int, check: Check) -> Estimate:
    """The same with its standard error, for a judge that was checked on other targets than those it judged.

    The standard error is the delta method's. The interval is the adjusted one of Lang and Reiczigel (2014), which
    also covers with few labels or a judge that seems perfect.
    """
    if judged < 1 or not 0 <= judged_ones <= judged:
        raise InvalidInput.of("judged_ones", f"judged_ones is {judged_ones} of {judged}; give a count of the judged")
    reason = _no_correction(check)
    if reason is not None:
        return Estimate(None, reason=reason)
    value, error = _rogan_gladen_with_error(judged_ones, judged, check)
    low, high = _lang_reiczigel(judged_ones, judged, check)
    flags = _few(check.positives + check.negatives, min(check.positives, check.negatives))
    return _clipped(value, min(low, value), max(high, value), "lang_reiczigel", error, flags)


def corrected_share(labelled: Sequence[ScorePair], judge_only: Sequence[float]) -> Estimate:
    """Rogan–Gladen with the judge's share over all targets, for labels that are a random part of these."""
    other = next((score for score in judge_only if score not in (0, 1)), None)
    if other is not None:
        raise InvalidInput.of("judge_only", f"score {other} is neither 0 nor 1; use prediction_powered_mean")
    return corrected_share_from(Check.of(labelled), round(math.fsum(judge_only)), len(judge_only))


def corrected_share_from(check: Check, judged_ones: int, judged: int) -> Estimate:
    """The same from counts: the labelled targets, and how many of the others the judge gave a 1.

    The estimate is the mean of two independent parts, weighted by their number of targets: what people said of
    the labelled, and Rogan–Gladen for the others. Their intervals (Wilson; Lang and Reiczigel) are joined as Zou
    and Donner (2008) do. In simulation this covers as well as Lang and Reiczigel's, and is narrower.
    """
    n = check.positives + check.negatives
    if not n:
        return Estimate(None, reason=NO_PAIRS)
    flags, seen, of_seen = (
        _few(n, min(check.positives, check.negatives)),
        check.positives / n,
        wilson(check.positives, n),
    )
    if not judged:
        return Estimate(seen, (of_seen.low, of_seen.high), "wilson", flags=flags)
    reason = _no_correction(check)
    if reason is not None:
        return Estimate(None, reason=reason, flags=flags)
    rest, error = _rogan_gladen_with_error(judged_ones, judged, check)
    low, high = _lang_reiczigel(judged_ones, judged, check)
    part = n / (n + judged)
    value = part * seen + (1 - part) * rest
    down = math.hypot(part * (seen - of_seen.low), (1 - part) * max(rest - low, 0.0))
    up = math.hypot(part * (of_seen.high - seen), (1 - part) * max(high - rest, 0.0))
    together = math.hypot(part * math.sqrt(seen * (1 - seen) / n), (1 - part) * error)
    return _clipped(value, value - down, value + up, "rogan_gladen", together, flags)


def judge_bias(labelled: Sequence[ScorePair]) -> Estimate:
    """Mean of judge − human over the labelled targets, with the paired interval: Tango's for 0 and 1, else t."""
    _check_scores(labelled, ())
    if not labelled:
        return Estimate(None, reason=NO_PAIRS)
    if all(set(pair) <= {0, 1} for pair in labelled) or all(abs(judge - human) <= SAME for judge, human in labelled):
        over = sum(judge - human > SAME for judge, human in labelled)
        under = sum(human - judge > SAME for judge, human in labelled)
        found = tango(over, under, len(labelled))
        return Estimate((over - under) / len(labelled), (found.low, found.high), "tango")
    paired = paired_difference([judge - human for judge, human in labelled])
    if paired.interval is None:
        return Estimate(paired.delta, reason=paired.reason)
    return Estimate(paired.delta, (paired.interval.low, paired.interval.high), paired.interval.method)


def labels_not_random(labelled: Sequence[ScorePair], judge_only: Sequence[float]) -> float | None:
    """The p-value of the Mann–Whitney test that the judge scores labelled and other targets alike, when below 0.05.

    Normal approximation with ties; of scores of 0 and 1 it compares the two shares. None is no proof of chance.
    """
    first = [judge for judge, _ in labelled]
    n, more = len(first), len(judge_only)
    total = n + more
    if not n or not more:
        return None
    counts = Counter(first)
    everything = counts + Counter(judge_only)
    below, rank_sum, ties = 0, 0.0, 0
    for score in sorted(everything):
        rank_sum += counts[score] * (below + (everything[score] + 1) / 2)
        ties += everything[score] ** 3 - everything[score]
        below += everything[score]
    variance = n * more / 12 * (total + 1 - ties / (total * (total - 1)))
    if variance <= 0:
        return None
    distance = abs(rank_sum - n * (total + 1) / 2) / math.sqrt(variance)
    p_value = math.erfc(distance / math.sqrt(2))
    return p_value if p_value < SIGNIFICANT else None


def _rogan_gladen_with_error(ones: int, judged: int, check: Check) -> tuple[float, float]:
    rate, caught, cleared = ones / judged, check.true_positive_rate, check.true_negative_rate
    skill = caught + cleared - 1
    value = (rate + cleared - 1) / skill
    variance = (
        rate * (1 - rate) / judged
        + value**2 * caught * (1 - caught) / check.positives
        + (1 - value) ** 2 * cleared * (1 - cleared) / check.negatives
    )
    return value, math.sqrt(variance) / skill


def _lang_reiczigel(ones: int, judged: int, check: Check) -> tuple[float, float]:
    """Not clipped. All of [0, 1] when the adjusted rates are no better than chance."""
    size, positives, negatives = judged + Z95**2, check.positives + 2, check.negatives + 2
    rate = (ones + Z95**2 / 2) / size
    caught, cleared = (check.true_positives + 1) / positives, (check.true_negatives + 1) / negatives
    skill = caught + cleared - 1
    if skill <= SAME:
        return 0.0, 1.0
    center = (rate + cleared - 1) / skill
    doubt, other_doubt = caught * (1 - caught) / positives, cleared * (1 - cleared) / negatives
    shift = 2 * Z95**2 * (center * doubt - (1 - center) * other_doubt)
    variance = rate * (1 - rate) / size + center**2 * doubt + (1 - center) ** 2 * other_doubt
    reach = Z95 * math.sqrt(variance) / skill
    return center + shift - reach, center + shift + reach


def _no_correction(check: Check) -> str | None:
    for count, rating in ((check.positives, 1), (check.negatives, 0)):
        if not count:
            return f"people gave no labelled target a {rating}, so how the judge treats those is not known"
    caught, cleared = check.true_positive_rate, check.true_negative_rate
    if caught + cleared <= 1:
        return (
            f"the judge is no better than chance: it finds {caught:.0%} of the ones and {cleared:.0%} of the zeros, "
            "and these would have to add up to more than 100 %"
        )
    return None


def _tuned_power(labelled: Sequence[ScorePair], judge_only: Sequence[float]) -> float:
    n, more = len(labelled), len(judge_only)
    judges = [judge for judge, _ in labelled]
    spread = _variance([*judges, *judge_only]) * (n + more) / (n + more - 1)
    if not more or spread <= 0:
        return 0.0
    middle, human_middle = _mean(judges), _mean([human for _, human in labelled])
    together = math.fsum((judge - middle) * (human - human_middle) for judge, human in labelled) / n
    return min(max(together / (spread * (1 + n / more)), 0.0), 1.0)


def _of_labels_alone(labelled: Sequence[ScorePair], flags: tuple[str, ...]) -> Estimate:
    """Where the judge's scores add nothing, or nothing varies: people's mean, as if it were a share."""
    mean = _mean([human for _, human in labelled])
    found = wilson(mean * len(labelled), len(labelled))
    return Estimate(mean, (found.low, found.high), "wilson", flags=flags)


def _clipped(value: float, low: float, high: float, method: str, error: float, flags: tuple[str, ...]) -> Estimate:
    inside = min(max(value, 0.0), 1.0)
    ends = max(0.0, min(low, 1.0)), min(1.0, max(high, 0.0))
    if ends[0] == ends[1]:
        return Estimate(None, reason=_NO_FIT, flags=flags)
    if value != inside or ends != (low, high):
        flags = (*flags, "clipped")
    return Estimate(inside, (min(ends[0], inside), max(ends[1], inside)), method, None, error, flags)


def _few_labels(humans: Sequence[float]) -> tuple[str, ...]:
    binary = set(humans) <= {0, 1}
    ones = sum(human == 1 for human in humans)
    return _few(len(humans), min(ones, len(humans) - ones) if binary else ENOUGH_OF_A_CLASS)


def _few(labels: int, rarer: int) -> tuple[str, ...]:
    return ("few_labels",) if labels < ENOUGH_LABELS or rarer < ENOUGH_OF_A_CLASS else ()


def _check_scores(labelled: Sequence[ScorePair], judge_only: Sequence[float]) -> None:
    for name, scores in (("labelled", [score for pair in labelled for score in pair]), ("judge_only", judge_only)):
        wrong = next((score for score in scores if not 0 <= score <= 1), None)
        if wrong is not None:
            raise InvalidInput.of(name, f"score {wrong} is outside [0, 1]; divide by your scale first")


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    """Of these values as a whole (n, not n − 1)."""
    middle = _mean(values)
    return math.fsum((value - middle) ** 2 for value in values) / len(values)
