"""Correct a judge's mean by human labels of some of its targets.

`labelled` are pairs (judge, human), `judge_only` the judge's scores of targets without a label; all scores lie in
[0, 1]. `prediction_powered_mean` takes any numbers, `corrected_share` scores of 0 and 1. Both need labelled targets
that are a random part of all: `labels_not_random` looks for signs that they are not.

Both intervals are Beta distributions with two matched moments, as in bounded.py: an error that no label has shown yet
is not ruled out, so each end is computed with a part of a unit imagined at the far end. They are defined from the
first label on, lie inside [0, 1], contain the estimate and have a width.

Which of them to use, and what a score is about, is the caller's work.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gnomon.errors import InvalidInput
from gnomon.stats.agreement import NO_PAIRS, AgreementEstimate
from gnomon.stats.bounded import UNSEEN, Ends, quantile
from gnomon.stats.describe import SAME
from gnomon.stats.interval import Z95, interval_over, wilson
from gnomon.stats.paired import SIGNIFICANT, paired_difference, tango

ScorePair = tuple[float, float]
PoweredInterval = Literal["beta", "normal"]

ENOUGH_LABELS = 100
ENOUGH_OF_A_CLASS = 10
UNSEEN_BY_RATING = 0.6
"""Of a label imagined among those that the judge gave a 1, and of one among those that it gave a 0. The least that
covered 93 % and more in every case that was tried (docs/review/judges-and-people.md)."""

_NO_FIT = "the judge's other scores do not fit what it did on the labelled targets, which are hardly a random part"


@dataclass(frozen=True, slots=True)
class Check:
    """A judge of 0 and 1 compared with people: how many of those with a human 1 (0) it gave a 1 (0) too."""

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
    def labels(self) -> int:
        return self.positives + self.negatives

    @property
    def judged_ones(self) -> int:
        return self.true_positives + self.negatives - self.true_negatives

    @property
    def true_positive_rate(self) -> float:
        return self.true_positives / self.positives

    @property
    def true_negative_rate(self) -> float:
        return self.true_negatives / self.negatives


@dataclass(frozen=True, slots=True)
class PairedMoments:
    """The sums that PPI++ needs. Variances divide by n, not by n − 1."""

    labels: int
    others: int
    human_mean: float
    judge_mean: float
    """Over the labelled"""
    human_variance: float
    judge_variance: float
    covariance: float
    others_mean: float = 0.0
    others_variance: float = 0.0

    @classmethod
    def of(cls, labelled: Sequence[ScorePair], judge_only: Sequence[float]) -> "PairedMoments":
        judges, humans = [judge for judge, _ in labelled], [human for _, human in labelled]
        middle, human_middle = _mean(judges), _mean(humans)
        together = math.fsum((judge - middle) * (human - human_middle) for judge, human in labelled) / len(labelled)
        others = (_mean(judge_only), _variance(judge_only)) if judge_only else (0.0, 0.0)
        spreads = _variance(humans), _variance(judges), together
        return cls(len(labelled), len(judge_only), human_middle, middle, *spreads, *others)

    @property
    def tuned_power(self) -> float:
        """That of the smallest variance (Angelopoulos, Duchi and Zrnic 2023), kept in [0, 1]."""
        n, more = self.labels, self.others
        if not more:
            return 0.0
        between = n * more / (n + more) * (self.judge_mean - self.others_mean) ** 2
        spread = (n * self.judge_variance + more * self.others_variance + between) / (n + more - 1)
        return min(max(self.covariance / (spread * (1 + n / more)), 0.0), 1.0) if spread > 0 else 0.0

    def corrected(self, power: float) -> float:
        return self.human_mean + power * (self.others_mean - self.judge_mean)

    def rest_variance(self, power: float) -> float:
        """The variance of human − power · judge."""
        return max(0.0, self.human_variance - 2 * power * self.covariance + power**2 * self.judge_variance)

    def ends(self, power: float) -> Ends:
        """Pseudo-observations human − power · (judge − the judge's mean elsewhere) average to the corrected mean.
        Imagined among them: a target that people gave a 0 and the judge a 1 (low end), or the reverse (high end)."""
        value = min(max(self.corrected(power), 0.0), 1.0)
        low = self._end(0.025, value, power, -power * (1 - self.others_mean))
        high = self._end(0.975, value, power, 1 + power * self.others_mean)
        return min(low, value), max(high, value)

    def _end(self, share: float, value: float, power: float, imagined: float) -> float:
        n, units = self.labels, self.labels + UNSEEN
        mean = (n * value + UNSEEN * imagined) / units
        squares = n * (self.rest_variance(power) + (value - mean) ** 2) + UNSEEN * (imagined - mean) ** 2
        elsewhere = power**2 * self.others_variance / self.others if self.others else 0.0
        return quantile(share, mean, squares / (units * (units + 1)) + elsewhere)


def prediction_powered_mean(
    labelled: Sequence[ScorePair],
    judge_only: Sequence[float],
    power: float | None = None,
    interval: PoweredInterval = "beta",
) -> AgreementEstimate:
    """The mean that people would have given, by PPI++ (Angelopoulos, Duchi and Zrnic 2023).

    `power` says how far the judge is relied on: 0 not at all, 1 as in plain prediction-powered inference; by
    default it is tuned to the smallest variance. Honest also when the judge is wrong: it then helps less.

    `interval="normal"` is the published interval, ± 1.96 standard errors. It assumes many labels: with 20 of them it
    covers as little as 69 % of the time, and Student's t in its place 70 %, since labels of a skewed score often show
    no error of the judge at all. So the default is the Beta interval of `Moments.ends`.
    """
    _check_scores(labelled, judge_only)
    if not labelled:
        return AgreementEstimate(None, reason=NO_PAIRS)
    humans = [human for _, human in labelled]
    moments, flags = PairedMoments.of(labelled, judge_only), _few_labels(humans)
    if interval == "normal":
        return _published(moments, power, flags) or _of_labels_alone(humans, flags)
    if not judge_only:
        return _of_labels_alone(humans, flags)
    power = moments.tuned_power if power is None else power
    value = moments.corrected(power)
    inside = min(max(value, 0.0), 1.0)
    clipped = () if value == inside else ("clipped",)
    return AgreementEstimate(inside, moments.ends(power), "ppi_beta", flags=(*flags, *clipped))


def _published(moments: PairedMoments, power: float | None, flags: tuple[str, ...]) -> AgreementEstimate | None:
    """None where the standard error is 0."""
    power = 0.0 if not moments.others else moments.tuned_power if power is None else power
    elsewhere = power**2 * moments.others_variance / moments.others if moments.others else 0.0
    error, value = math.sqrt(moments.rest_variance(power) / moments.labels + elsewhere), moments.corrected(power)
    reach = Z95 * error
    return _clipped(value, value - reach, value + reach, "ppi_normal", error, flags) if reach > SAME else None


def rogan_gladen_mean(judged_ones: int, judged: int, check: Check) -> AgreementEstimate:
    """The same with its standard error, for a judge that was checked on other targets than those it judged.

    The standard error is the delta method's. The interval is the adjusted one of Lang and Reiczigel (2014), which
    also covers with few labels or a judge that seems perfect.
    """
    if judged < 1 or not 0 <= judged_ones <= judged:
        raise InvalidInput.of("judged_ones", f"judged_ones is {judged_ones} of {judged}; give a count of the judged")
    reason = _no_correction(check)
    if reason is not None:
        return AgreementEstimate(None, reason=reason)
    value, error = _rogan_gladen_with_error(judged_ones, judged, check)
    low, high = _lang_reiczigel(judged_ones, judged, check)
    flags = _few(check.positives + check.negatives, min(check.positives, check.negatives))
    return _clipped(value, min(low, value), max(high, value), "lang_reiczigel", error, flags)


def corrected_share(labelled: Sequence[ScorePair], judge_only: Sequence[float]) -> AgreementEstimate:
    """The share of ones that people would have given, for labels that are a random part of all targets."""
    other = next((score for score in judge_only if score not in (0, 1)), None)
    if other is not None:
        raise InvalidInput.of("judge_only", f"score {other} is neither 0 nor 1; use prediction_powered_mean")
    return corrected_share_from(Check.of(labelled), round(math.fsum(judge_only)), len(judge_only))


def corrected_share_from(check: Check, judged_ones: int, judged: int) -> AgreementEstimate:
    """The same from counts: the labelled targets, and how many of the others the judge gave a 1.

    This is the maximum-likelihood estimate for double sampling (Tenenbein 1970): people's share of ones among what
    the judge gave a 1, and among what it gave a 0, weighted by how often the judge gave each to all targets. It
    equals Rogan and Gladen's with the judge's rates estimated from all targets (Begg and Greenes 1983), but divides
    by no difference of rates, so it exists for every judge.
    """
    if not check.labels:
        return AgreementEstimate(None, reason=NO_PAIRS)
    flags = _few(check.labels, min(check.positives, check.negatives))
    seen = check.positives / check.labels
    if not judged:
        alone = wilson(check.positives, check.labels)
        return AgreementEstimate(seen, (alone.low, alone.high), "wilson", flags=flags)
    ones, total = check.judged_ones + judged_ones, check.labels + judged
    missed = check.positives - check.true_positives
    groups = ((check.true_positives, check.judged_ones), (missed, check.labels - check.judged_ones))
    among_ones, among_zeros = (passed / labels if labels else seen for passed, labels in groups)
    value = min(1.0, (ones * among_ones + (total - ones) * among_zeros) / total)
    low = quantile(0.025, *_double_sampling_moments(groups, ones, total, at_zero=UNSEEN_BY_RATING, at_one=0.0))
    high = quantile(0.975, *_double_sampling_moments(groups, ones, total, at_zero=0.0, at_one=UNSEEN_BY_RATING))
    return AgreementEstimate(value, (min(low, value), max(high, value)), "double_sampling", flags=flags)


def _double_sampling_moments(
    groups: tuple[tuple[int, int], tuple[int, int]], ones: int, total: int, at_zero: float, at_one: float
) -> tuple[float, float]:
    """Mean and variance of q · a + (1 − q) · b, with independent Beta distributions of the judge's share of ones q
    and of people's shares among its ones and zeros, a and b; each of these two with imagined labels at one end."""
    judge, judge_variance = _beta_moments(ones + 0.5, total - ones + 0.5)
    (a, a_variance), (b, b_variance) = (
        _beta_moments(passed + at_one, labels - passed + at_zero) for passed, labels in groups
    )
    variance = (
        (judge_variance + judge**2) * a_variance
        + (judge_variance + (1 - judge) ** 2) * b_variance
        + judge_variance * (a - b) ** 2
    )
    return judge * a + (1 - judge) * b, variance


def _beta_moments(a: float, b: float) -> tuple[float, float]:
    mean = a / (a + b)
    return mean, mean * (1 - mean) / (a + b + 1)


def judge_bias(labelled: Sequence[ScorePair]) -> AgreementEstimate:
    """Mean of judge − human over the labelled targets, with the paired interval: Tango's for 0 and 1, else t."""
    _check_scores(labelled, ())
    if not labelled:
        return AgreementEstimate(None, reason=NO_PAIRS)
    if all(set(pair) <= {0, 1} for pair in labelled) or all(abs(judge - human) <= SAME for judge, human in labelled):
        over = sum(judge - human > SAME for judge, human in labelled)
        under = sum(human - judge > SAME for judge, human in labelled)
        interval = tango(over, under, len(labelled))
        return AgreementEstimate((over - under) / len(labelled), (interval.low, interval.high), "tango")
    paired = paired_difference([judge - human for judge, human in labelled])
    if paired.interval is None:
        return AgreementEstimate(paired.delta, reason=paired.reason)
    return AgreementEstimate(paired.delta, (paired.interval.low, paired.interval.high), paired.interval.method)


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
            return (
                f"people gave no labelled target a {rating}, so how the judge treats those is not known; "
                f"label until {ENOUGH_OF_A_CLASS} of them are seen"
            )
    chance = no_better_than_chance(check)
    return None if chance is None else f"{chance}; {_remedy(check)}"


def no_better_than_chance(check: Check) -> str | None:
    """The sentence for a judge whose 1 tells nothing about people's; None while it may tell, or a class is missing."""
    if not check.positives or not check.negatives:
        return None
    caught, cleared = check.true_positive_rate, check.true_negative_rate
    if caught + cleared > 1:
        return None
    return (
        f"the judge is no better than chance: it finds {caught:.0%} of the ones and {cleared:.0%} of the zeros, "
        "and these would have to add up to more than 100 %"
    )


def _remedy(check: Check) -> str:
    ones, zeros = (max(0, ENOUGH_OF_A_CLASS - count) for count in (check.positives, check.negatives))
    if ones or zeros:
        return f"label {ones} more targets that people give a 1 and {zeros} that they give a 0 to be sure of it"
    return "more labels will hardly change that: use people's labels alone, or another judge"


def labels_until_enough(labels: int, rarer: int) -> int:
    """How many more, drawn at random, until `few_labels` is expected to go away."""
    rate = (rarer + 0.5) / (labels + 1)
    return max(ENOUGH_LABELS - labels, math.ceil((ENOUGH_OF_A_CLASS - rarer) / rate), 0)


def _of_labels_alone(humans: Sequence[float], flags: tuple[str, ...]) -> AgreementEstimate:
    """The mean of the human labels with its interval, for when the judge's scores cannot be used."""
    interval = interval_over([[human] for human in sorted(humans)])
    return AgreementEstimate(_mean(humans), (interval.low, interval.high), interval.method, flags=flags)


def _clipped(
    value: float, low: float, high: float, method: str, error: float, flags: tuple[str, ...]
) -> AgreementEstimate:
    inside = min(max(value, 0.0), 1.0)
    ends = max(0.0, min(low, 1.0)), min(1.0, max(high, 0.0))
    if ends[0] == ends[1]:
        return AgreementEstimate(None, reason=_NO_FIT, flags=flags)
    if value != inside or ends != (low, high):
        flags = (*flags, "clipped")
    return AgreementEstimate(inside, (min(ends[0], inside), max(ends[1], inside)), method, None, error, flags)


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
    """The variance of these values as a population (n, not n − 1)."""
    middle = _mean(values)
    return math.fsum((value - middle) ** 2 for value in values) / len(values)
