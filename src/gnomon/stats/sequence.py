"""Confidence sequences: intervals of a mean that stay right however often one looks.

A 95 % interval for a fixed number of scores is wrong far more often than 5 % when it is drawn after every
score and the first agreeable one is kept. These are wrong at *any* look, ever, with a chance of at most 5 %,
so a gate may stop as soon as it can tell. The price is width. Scores must come in the order in which they
arrived and be independent: several trials of one item go in as their mean.

`beta_mixture` is for scores of 0 and 1, `empirical_bernstein` for any in [0, 1], `sequence_over` chooses.
`betting_mixture` takes any in [0, 1] in any order and is what stopping.py decides by. When the number of scores was
settled beforehand, the narrower ones of interval.py are right.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.stats.ends import Interval
from gnomon.stats.tails import numpy

REJECTED = 20.0
"""1 / 0.05: evidence this strong against a true value ever turns up with a chance of at most 5 % (Ville 1939)."""

_LARGEST_BET = 0.5
_BETS = 128
"""They average exactly up to 255 scores. From some thousand scores on, more bets would be a little sharper."""
_HALVINGS = 30
_AT_ONCE = 500
"""Different scores whose stakes are held in memory together."""
_LEAST = 1e-300
"""What a mean is taken for that is nearer to its end: a stake stays a number, and the evidence only gets weaker."""


def sequence_over(values: Sequence[float]) -> Interval:
    """Choose by the scores: Beta mixture when all are 0 or 1, else empirical Bernstein.

    Scores that are whole for a while and then not have been judged by both, which doubles the 5 %.
    """
    if values and all(value in (0, 1) for value in values):
        return beta_mixture(int(sum(values)), len(values))
    return empirical_bernstein(values)


def beta_mixture(passed: int, n: int) -> Interval:
    """Every share that `passed` of `n` is not strong evidence against (Robbins 1970, with a uniform mixture).

    >>> beta_mixture(8, 10).low
    0.35304219207569304
    """
    if n < 1:
        raise InvalidInput.of("n", f"n is {n}; an interval needs at least one score")
    _check_counts(passed, n - passed)
    return Interval(_least_share(passed, n), 1.0 - _least_share(n - passed, n), "beta_mixture")


def beta_mixture_e_value(passed: int, failed: int, p: float) -> float:
    """How many times likelier the counts are under a uniformly drawn share than under the share p.

    >>> round(beta_mixture_e_value(9, 1, 0.5), 6)
    9.309091
    """
    _check_counts(passed, failed)
    if not 0 <= p <= 1:
        raise InvalidInput.of("p", f"p is {p}; a share lies between 0 and 1")
    evidence = _log_e_value(passed, failed, p)
    return math.exp(evidence) if evidence < 709 else math.inf


def empirical_bernstein(values: Sequence[float]) -> Interval:
    """The predictable plug-in interval (Waudby-Smith and Ramdas 2023, theorem 2), cut with all earlier looks.

    It contains the plain mean, which is what is shown beside it: widening costs no coverage. A look that shares
    nothing with those before says that the mean moved on the way: it starts anew, flagged `drifting`.
    """
    _check_scores(values)
    low, high, drifting = 0.0, 1.0, False
    for look_low, look_high in bernstein_looks(values):
        met = max(low, look_low) < min(high, look_high)
        drifting = drifting or not met
        low, high = (max(low, look_low), min(high, look_high)) if met else (look_low, look_high)
    mean = min(max(math.fsum(values) / len(values), min(values)), max(values))
    return Interval(min(low, mean), max(high, mean), "empirical_bernstein", ("drifting",) if drifting else ())


def bernstein_looks(values: Iterable[float]) -> Iterator[tuple[float, float]]:
    """What each look alone says, after every score: each score is weighed by a bet made before it was seen."""
    doubt = math.log(2 * REJECTED)
    total, squares, bets, weighed, spread = 0.5, 0.25, 0.0, 0.0, doubt
    for seen, value in enumerate(values, start=1):
        mean_before, variance_before = total / seen, squares / seen
        bet = min(math.sqrt(2 * doubt / (variance_before * seen * math.log1p(seen))), _LARGEST_BET)
        bets += bet
        weighed += bet * value
        spread -= (value - mean_before) ** 2 * (math.log1p(-bet) + bet)
        total += value
        squares += (value - total / (seen + 1)) ** 2
        yield max(0.0, (weighed - spread) / bets), min(1.0, (weighed + spread) / bets)


def betting_mixture(values: Sequence[float]) -> Interval:
    """Every mean that these scores are not strong evidence against, by a mixture of fixed bets. Order does not matter.

    A gambler who doubts that the mean is m bets on every score and multiplies the stake by
    x · q/m + (1 − x) · (1 − q)/(1 − m), which is 1 on average if m is the mean. The evidence against m is the average
    stake over q from 0 to 1, a universal portfolio (Cover 1991; Orabona and Jun 2024). As the bets are fixed, the
    evidence is the same in any order. For scores of 0 and 1 it is that of `beta_mixture`.

    The evidence is convex in m and at most 1 at the plain mean, so what is left is an interval around it.

    >>> betting_mixture([0.7, 0.9, 0.8, 0.75] * 10).low > 0.6
    True
    """
    _check_scores(values)
    scores = CountedScores(values)
    mean = min(max(math.fsum(values) / len(values), min(values)), max(values))
    return Interval(_furthest(scores, mean, 0.0), _furthest(scores, mean, 1.0), "betting_mixture")


class CountedScores:
    """Scores in [0, 1], each different one with how often it occurs: what the evidence of fixed bets depends on."""

    def __init__(self, values: Sequence[float]) -> None:
        self._values, self._counts = numpy().unique(numpy().asarray(values, dtype=float), return_counts=True)

    def log_evidence(self, mean: float, ones: int = 0, zeros: int = 0) -> float:
        """Against this mean, after so many further scores of 1 and of 0."""
        np = numpy()
        values, counts = np.append(self._values, [1.0, 0.0]), np.append(self._counts, [ones, zeros])
        values, counts = values[counts > 0], counts[counts > 0]
        if (mean == 0 and values.any()) or (mean == 1 and (values < 1).any()):
            return math.inf
        parts = [slice(start, start + _AT_ONCE) for start in range(0, len(values), _AT_ONCE)]
        grown = sum((counts[part] @ log_stakes(values[part], mean) for part in parts), np.zeros(_BETS))
        return float(log_average(grown))


def log_stakes(values: Any, mean: float) -> Any:
    """The factor by which each bet (last axis) multiplies its stake on each score (other axes), as a logarithm."""
    np, (bets, _) = numpy(), _bets()
    up, down = bets / max(mean, _LEAST), (1 - bets) / max(1 - mean, _LEAST)
    return np.log(np.multiply.outer(values, up) + np.multiply.outer(1 - values, down))


def log_average(log_stakes: Any) -> Any:
    """Over the bets, which are the last axis."""
    np, (_, weights) = numpy(), _bets()
    highest = log_stakes.max(axis=-1)
    return highest + np.log(np.exp(log_stakes - highest[..., None]) @ weights)


@cache
def _bets() -> tuple[Any, Any]:
    """Gauss and Legendre's nodes in [0, 1] and their weights, whose sum is 1."""
    nodes, weights = numpy().polynomial.legendre.leggauss(_BETS)
    return (nodes + 1) / 2, weights / weights.sum()


def _furthest(scores: CountedScores, mean: float, end: float) -> float:
    """By bisection: the mean nearest to the observed one, in this direction, that is rejected; the end if none is."""
    if scores.log_evidence(end) < math.log(REJECTED):
        return end
    rejected, kept = end, mean
    for _ in range(_HALVINGS):
        middle = (rejected + kept) / 2
        if scores.log_evidence(middle) >= math.log(REJECTED):
            rejected = middle
        else:
            kept = middle
    return rejected


def _least_share(passed: int, n: int) -> float:
    """By bisection: below the observed share the evidence only grows."""
    rejected, kept = 0.0, passed / n
    for _ in range(60):
        middle = (rejected + kept) / 2
        if _log_e_value(passed, n - passed, middle) >= math.log(REJECTED):
            rejected = middle
        else:
            kept = middle
    return rejected


def _log_e_value(passed: int, failed: int, p: float) -> float:
    if (passed and p == 0) or (failed and p == 1):
        return math.inf
    mixed = math.lgamma(passed + 1) + math.lgamma(failed + 1) - math.lgamma(passed + failed + 2)
    return mixed - (passed * math.log(p) if passed else 0.0) - (failed * math.log1p(-p) if failed else 0.0)


def _check_counts(passed: int, failed: int) -> None:
    if passed < 0 or failed < 0:
        message = f"passed is {passed} and failed is {failed}; counts are 0 or more, and passed is at most n"
        raise InvalidInput.of("passed", message)


def _check_scores(values: Sequence[float]) -> None:
    if not values:
        raise InvalidInput.of("values", "there is no score; an interval needs at least one")
    for value in values:
        if not 0 <= value <= 1:
            raise InvalidInput.of("values", f"score {value} is outside [0, 1]; divide by your scale first")
