"""What else could have been the interval of a mean of scores in [0, 1]: other people's methods, for comparison only.

Each takes a table of scores, one data set per row, and gives both ends of a 95 % interval per row. They are written
from the papers that are named; none is part of the package except Student's t and BCa.
"""

import math
from statistics import NormalDist

import numpy as np
from bench.validity.ours import around, student_ends
from scipy import special

from gnomon.stats.resample import bca_of
from gnomon.stats.resample import seeded as seeded_for_resampling

RESAMPLES = 999
DIRICHLET_DRAWS = 999
PERMUTATIONS = 8
BLOCK = 500
_NORMAL = NormalDist()
_Z95 = _NORMAL.inv_cdf(0.975)
_SAME = 1e-12


def student_with_pseudo_scores(values: np.ndarray) -> np.ndarray:
    """Student's t after one score of 0 and one of 1 were added (the idea of Agresti and Coull 1998)."""
    rows = len(values)
    return student_ends(np.hstack([values, np.zeros((rows, 1)), np.ones((rows, 1))]))


def empirical_likelihood(values: np.ndarray) -> np.ndarray:
    """Owen 1988, with the F distribution's quantile (Owen 2001, 3.3): means whose best weights are likely enough.

    The weights that raise the mean most at a given likelihood are proportional to 1 / (θ − x) with θ above the
    greatest score, so each end is one equation in θ. It never leaves the range of the scores.
    """
    n = values.shape[1]
    allowed = -float(special.fdtri(1, n - 1, 0.95)) / 2
    return np.stack([1 - _likely_high_end(1 - values, allowed), _likely_high_end(values, allowed)], axis=1)


def _likely_high_end(values: np.ndarray, allowed: float) -> np.ndarray:
    n, highest = values.shape[1], values.max(axis=1)
    spread = np.maximum(highest - values.min(axis=1), _SAME)
    short = (highest[:, None] - values) / spread[:, None]
    low, high = np.full(len(values), -60.0), np.full(len(values), 25.0)
    for _ in range(36):  # the larger θ (here its logarithm), the more even the weights and the more likely
        middle = (low + high) / 2
        distance = short + np.exp(middle)[:, None]
        log_ratio = n * math.log(n) - np.log(distance).sum(axis=1) - n * np.log((1 / distance).sum(axis=1))
        low, high = np.where(log_ratio < allowed, middle, low), np.where(log_ratio < allowed, high, middle)
    weights = 1 / (short + np.exp(high)[:, None])
    answer: np.ndarray = (weights * values).sum(axis=1) / weights.sum(axis=1)
    return answer


def betting(values: np.ndarray) -> np.ndarray:
    """The hedged capital interval (Waudby-Smith and Ramdas 2023, theorem 3 with their λ for a fixed n).

    A gambler bets that the mean is higher than m, another that it is lower; m is refuted once either has made 1 into
    40. Bets follow the order of the scores, which must not matter to us: capital is averaged over seeded permutations
    of the sorted scores, which keeps its promise.
    """
    return np.stack([_refuted_below(values), 1 - _refuted_below(1 - values)], axis=1)


def _refuted_below(values: np.ndarray) -> np.ndarray:
    rows, n = values.shape
    random = np.random.default_rng(0)
    orders = np.stack([random.permutation(n) for _ in range(PERMUTATIONS)])
    ordered = np.sort(values, axis=1)[:, orders]  # rows × permutations × n
    seen = np.arange(1, n + 1)
    mean = (0.5 + np.cumsum(ordered, axis=2)) / (seen + 1)
    variance = (0.25 + np.cumsum((ordered - mean) ** 2, axis=2)) / (seen + 1)
    before = np.concatenate([np.full((rows, PERMUTATIONS, 1), 0.25), variance[:, :, :-1]], axis=2)
    bets = np.sqrt(2 * math.log(2 / 0.05) / (before * n))
    low, high = np.zeros(rows), values.mean(axis=1)
    for _ in range(18):
        middle = (low + high) / 2
        m = np.maximum(middle, 1e-9)[:, None, None]
        logs = np.log1p(np.minimum(bets, 0.5 / m) * (ordered - m)).sum(axis=2)
        refuted = special.logsumexp(logs, axis=1) - math.log(PERMUTATIONS) >= math.log(2 / 0.05)
        low, high = np.where(refuted, middle, low), np.where(refuted, high, middle)
    return low


def drawn_weights(values: np.ndarray, unseen: float) -> np.ndarray:
    """Quantiles of the mean under drawn Dirichlet weights, with so much of a unit at the far end.

    With a whole unit it is Gaffke's bound (2005), which is also that of Learned-Miller and Thomas (2020).
    """
    n = values.shape[1]
    weights = np.random.default_rng(0).standard_gamma([1.0] * n + [unseen], (DIRICHLET_DRAWS, n + 1))
    weights /= weights.sum(axis=1, keepdims=True)
    ordered = np.sort(values, axis=1)
    low = _quantile_rows(ordered @ weights[:, :n].T)
    high = 1 - _quantile_rows((1 - ordered) @ weights[:, :n].T)
    return np.stack([low, high], axis=1)


def _quantile_rows(drawn: np.ndarray) -> np.ndarray:
    answer: np.ndarray = np.quantile(drawn, 0.025, axis=1)
    return answer


def bootstraps(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Percentile and BCa intervals (Efron 1979, 1987) of each row, from the same resamples.

    All rows share one product with a table of how often each place was drawn. Rows of equal scores have no width.
    """
    rows, n = values.shape
    values = np.sort(values, axis=1)
    drawn = seeded_for_resampling().integers(0, n, (RESAMPLES, n))
    weights = np.stack([(drawn == index).sum(axis=1) for index in range(n)], axis=1) / n
    percentile, corrected = np.empty((rows, 2)), np.empty((rows, 2))
    for start in range(0, rows, BLOCK):
        block = values[start : start + BLOCK]
        resampled = np.sort(block @ weights.T, axis=1)
        percentile[start : start + BLOCK] = _at_shares(resampled, np.tile([0.025, 0.975], (len(block), 1)))
        corrected[start : start + BLOCK] = around(
            _at_shares(resampled, _bca_shares(block, resampled)), block.mean(axis=1)
        )
    if len(np.unique(values[0])) > 1:
        expected = bca_of(values[0] @ weights.T, values[0], np.ones(n))
        np.testing.assert_allclose(corrected[0], np.clip(expected, 0, 1), atol=1e-6)
    return percentile, corrected


def _bca_shares(values: np.ndarray, resampled: np.ndarray) -> np.ndarray:
    """Which quantiles of the resampled means are the ends."""
    mean = values.mean(axis=1, keepdims=True)
    below = ((resampled < mean - _SAME).sum(axis=1) + (resampled <= mean + _SAME).sum(axis=1)) / 2
    bias = special.ndtri(np.clip(below, 0.5, RESAMPLES - 0.5) / RESAMPLES)
    off = values - mean
    spread = np.maximum(np.sqrt((off**2).mean(axis=1)), 1e-9)
    acceleration = ((off / spread[:, None]) ** 3).mean(axis=1) / (6 * math.sqrt(values.shape[1]))
    shares = []
    for z in (-_Z95, _Z95):
        stretch = 1 - acceleration * (bias + z)
        inside = special.ndtr(bias + (bias + z) / np.where(stretch > 0, stretch, 1.0))
        shares.append(np.where(stretch > 0, inside, 0.0 if z < 0 else 1.0))
    return np.stack(shares, axis=1)


def _at_shares(ordered: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Quantiles of sorted rows, other ones for each row."""
    place = shares * (ordered.shape[1] - 1)
    low = np.floor(place).astype(int)
    high = np.minimum(low + 1, ordered.shape[1] - 1)
    rows = np.arange(len(ordered))[:, None]
    answer: np.ndarray = ordered[rows, low] + (place - low) * (ordered[rows, high] - ordered[rows, low])
    return answer
