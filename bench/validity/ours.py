"""Gnomon's own intervals for many data sets at once, one per row of a table of scores.

The package computes one interval at a time from sums. Here the same formulas run over columns, which is some hundred
times as fast; `agrees_with_the_package` compares the first rows of what was drawn, so that the two cannot drift apart.
"""

import numpy as np
from scipy import special

from gnomon.stats.bounded import UNSEEN, UNSEEN_DIFFERENCE
from gnomon.stats.interval import Z95, interval_over
from gnomon.stats.paired import paired_difference
from gnomon.stats.tails import t_critical

BRIDGE = 0.1
"""How much inner spread it takes until nothing of Wilson's interval is left: `_BRIDGE` in interval.py."""


def default_ends(values: np.ndarray) -> np.ndarray:
    """The default interval of each row: of scores, or of the means of items that were tried equally often."""
    n, mean = values.shape[1], values.mean(axis=1)
    share = np.minimum(1.0, np.maximum((values * (1 - values)).sum(axis=1), 0.0) / BRIDGE)[:, None]
    ends = (1 - share) * wilson_ends(mean, n) + share * beta_ends(values)
    return around(ends, mean)


def beta_ends(values: np.ndarray, unseen: float = UNSEEN) -> np.ndarray:
    """The Beta interval from two moments, without the bridge to Wilson's."""
    return ends_from_sums(values.shape[1], values.sum(axis=1), (values**2).sum(axis=1), unseen)


def ends_from_sums(n: int, total: np.ndarray, squares: np.ndarray, unseen: float) -> np.ndarray:
    """The same from Σx and Σx². The high end is one minus the low end of the mirrored scores 1 − x."""
    low = _beta_quantile(0.025, *_moments(n + unseen, total, squares))
    high = 1 - _beta_quantile(0.025, *_moments(n + unseen, n - total, n - 2 * total + squares))
    return around(np.stack([low, high], axis=1), total / n)


def difference_ends(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Intervals and p-values of the mean difference of each row."""
    n = differences.shape[1]
    scores = (differences + 1) / 2
    total, squares = scores.sum(axis=1), (scores**2).sum(axis=1)
    return differences_from_sums(n, total, squares)


def differences_from_sums(n: int, total: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same from Σx and Σx² of the differences moved to [0, 1]."""
    a = UNSEEN_DIFFERENCE
    mean, variance = _moments(n + 2 * a, total + a, squares + a)
    low, high = (2 * _beta_quantile(share, mean, variance) - 1 for share in (0.025, 0.975))
    weight = mean * (1 - mean) / variance - 1
    below = special.betainc(mean * weight, (1 - mean) * weight, 0.5)
    ends = np.clip(np.stack([low, high], axis=1), -1, 1)
    return ends, np.minimum(1.0, 2 * np.minimum(below, 1 - below))


def wilson_ends(mean: np.ndarray, n: np.ndarray | float, critical: float = Z95) -> np.ndarray:
    pull = critical**2 / n
    center = (mean + pull / 2) / (1 + pull)
    reach = np.sqrt(pull * mean * (1 - mean) + pull**2 / 4) / (1 + pull)
    return around(np.stack([center - reach, center + reach], axis=1), mean)


def cluster_wilson_ends(passed: np.ndarray, trials: int) -> np.ndarray:
    """From how often each item passed: Wilson with as many scores as would pin the mean down as well."""
    items = passed.shape[1]
    means = passed / trials
    mean, variance = means.mean(axis=1), means.var(axis=1, ddof=1) / items
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(variance > 1e-15, mean * (1 - mean) / variance, items)
    return wilson_ends(mean, np.minimum(effective, items * trials), t_critical(items - 1))


def student_ends(values: np.ndarray, low: float = 0.0) -> np.ndarray:
    """Student's t, clipped to what is possible; of no width where all values are equal."""
    n, mean = values.shape[1], values.mean(axis=1)
    reach = t_critical(n - 1) * values.std(axis=1, ddof=1) / np.sqrt(n)
    answer: np.ndarray = np.clip(np.stack([mean - reach, mean + reach], axis=1), low, 1)
    return answer


def around(ends: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Inside [0, 1], with the mean between the ends."""
    return np.stack([np.clip(ends[:, 0], 0, mean), np.clip(ends[:, 1], mean, 1)], axis=1)


def agrees_with_the_package(values: np.ndarray, rows: int = 3) -> np.ndarray:
    """`default_ends`, after the first rows were compared with what the package says."""
    ends = default_ends(values)
    for row, scores in enumerate(values[:rows].tolist()):
        interval = interval_over([[score] for score in scores])
        np.testing.assert_allclose(ends[row], (interval.low, interval.high), atol=1e-7)
    return ends


def agreed_differences(differences: np.ndarray, rows: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """`difference_ends`, after the first rows were compared with what the package says."""
    ends, p_values = difference_ends(differences)
    for row, values in enumerate(differences[:rows].tolist()):
        known = paired_difference(values)
        assert known.interval is not None
        assert known.p_value is not None
        np.testing.assert_allclose(ends[row], (known.interval.low, known.interval.high), atol=1e-7)
        np.testing.assert_allclose(p_values[row], known.p_value, atol=1e-7)
    return ends, p_values


def _moments(units: float, total: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean = total / units
    return mean, np.maximum(squares / units - mean**2, 0.0) / (units + 1)


def _beta_quantile(share: float, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    proper = (mean > 1e-12) & (mean < 1 - 1e-12) & (variance > 1e-15)
    weight = np.where(proper, mean * (1 - mean) / np.where(proper, variance, 1.0) - 1, 1.0)
    a, b = np.where(proper, mean * weight, 1.0), np.where(proper, (1 - mean) * weight, 1.0)
    return np.where(proper, special.betaincinv(a, b, share), mean)
