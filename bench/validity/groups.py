"""Two groups of clustered scores: how often the interval of their difference holds the truth, and what it decides.

    python -m bench.validity.groups [--repeats N] [--write]

Sessions have one to six iterations. A session's level is drawn from a Beta distribution around the group's mean; the
intraclass correlation (ICC) says how unlike sessions are. Scores are 0 or 1 with that chance, or spread around that
level. In the hardest case one session in twenty fails altogether, and the others score near 0.9. `--write` renews
docs/concepts/groups.json and the tables of docs/concepts/groups.md.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from bench.validity.command import Study, run
from bench.validity.draw import seeded
from bench.validity.table import Table
from scipy import special

from gnomon.stats.unpaired import UNSEEN_CLUSTERS, unpaired_difference

PAGE, FIGURES, REPEATS = "groups.md", "groups.json", 4_000
SIZES = ((2, 2), (3, 3), (3, 20), (5, 5), (5, 30), (10, 10), (30, 30), (100, 100))
SHIFTS = (0.0, 0.05, 0.1, 0.2, 0.3)
LARGEST = 6
"""Iterations of one session."""
METHODS = ("ours", "no unseen half", "iterations as independent")


@dataclass(frozen=True)
class Scores:
    """`concentration` is a + b of the Beta distribution around a session's level; None for scores of 0 and 1."""

    name: str
    mean: float
    icc: float
    concentration: float | None = None
    failing: float = 0.0
    """The share of sessions in which all scores are 0; the mean is that of the others."""

    @property
    def truth(self) -> float:
        return self.mean * (1 - self.failing)

    def drawn(self, random: np.random.Generator, repeats: int, clusters: int) -> "Drawn":
        counts = random.integers(1, LARGEST + 1, (repeats, clusters))
        k = (1 - self.icc) / self.icc
        level = random.beta(self.mean * k, (1 - self.mean) * k, (repeats, clusters))
        level = np.clip(level, 1e-9, 1 - 1e-9)[:, :, None]
        shape = (repeats, clusters, LARGEST)
        if self.concentration is None:
            values = (random.random(shape) < level).astype(float)
        else:
            values = random.beta(level * self.concentration, (1 - level) * self.concentration, shape)
        values *= (random.random((repeats, clusters)) >= self.failing)[:, :, None]
        return Drawn(values * (np.arange(LARGEST) < counts[:, :, None]), counts)


@dataclass(frozen=True)
class Drawn:
    """One data set per row: its clusters' scores (0 where there is none) and their numbers."""

    values: np.ndarray
    counts: np.ndarray

    def ends(self, unseen: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mean and ends, as `mean_ends` of the package has them."""
        return _ends(self.values.sum(axis=2), self.counts, unseen)

    def ends_of_scores(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As if every iteration were a session of its own: empty places are clusters without a score."""
        present = (np.arange(LARGEST) < self.counts[:, :, None]).reshape(len(self.values), -1)
        return _ends(self.values.reshape(len(self.values), -1), present.astype(int), UNSEEN_CLUSTERS)

    def clusters(self, row: int, name: str) -> dict[Hashable, Sequence[float]]:
        return {
            f"{name}{at}": self.values[row, at, :count].tolist() for at, count in enumerate(self.counts[row].tolist())
        }


CASES = (
    *(Scores(f"0 or 1, mean {mean}", mean, icc) for mean in (0.5, 0.8, 0.95) for icc in (0.05, 0.4)),
    *(Scores(f"spread, mean {mean}", mean, icc, 8.0) for mean in (0.5, 0.8, 0.95) for icc in (0.05, 0.4)),
    *(Scores(f"narrow, mean {mean}", mean, icc, 40.0) for mean in (0.7, 0.95) for icc in (0.05, 0.4)),
    Scores("1 in 20 sessions fails", 0.9, 0.02, 20.0, failing=0.05),
)
USUAL = Scores("spread, mean 0.6", 0.6, 0.3, 8.0)


def tables(repeats: int, seed: int) -> Iterator[Table]:
    yield _coverage(repeats, seed)
    yield _decisions(repeats, seed)


def _coverage(repeats: int, seed: int) -> Table:
    rows: list[tuple[str | int | float, ...]] = []
    for sizes in SIZES:
        found = [_covered(case, sizes, repeats, seed) for case in CASES]
        lowest, mean = np.min(found, axis=0), np.mean(found, axis=0)
        rows.append((f"{sizes[0]} and {sizes[1]}", *map(float, lowest[:3]), float(mean[0]), *map(float, mean[3:])))
    columns = (
        "sessions",
        *(f"lowest, {method}" for method in METHODS),
        "mean, ours",
        "width, ours",
        "width, no unseen half",
    )
    return Table("groups", columns, rows, ours=("lowest, ours", "mean, ours"), lengths=columns[-2:])


def _covered(case: Scores, sizes: tuple[int, int], repeats: int, seed: int) -> list[float]:
    """Coverage by each method, and the widths of the first two. Both groups have the same mean."""
    a, b = (case.drawn(seeded(seed, CASES.index(case), side, size), repeats, size) for side, size in enumerate(sizes))
    differences = [_difference(a.ends(unseen), b.ends(unseen)) for unseen in (UNSEEN_CLUSTERS, 0.0)]
    _agree(a, b, differences[0])
    differences.append(_difference(a.ends_of_scores(), b.ends_of_scores()))
    widths = [float((high - low).mean()) for low, high in differences[:2]]
    return [*(float(((low <= 1e-9) & (high >= -1e-9)).mean()) for low, high in differences), *widths]


def _decisions(repeats: int, seed: int) -> Table:
    """How often the second group is called better, by how much better it is."""
    rows: list[tuple[str | int | float, ...]] = []
    for sessions in (5, 10, 20, 50, 100):
        shares = []
        for shift in SHIFTS:
            other = Scores(USUAL.name, USUAL.mean + shift, USUAL.icc, USUAL.concentration)
            a = USUAL.drawn(seeded(seed, sessions, shift, 0), repeats, sessions)
            b = other.drawn(seeded(seed, sessions, shift, 1), repeats, sessions)
            low, _ = _difference(a.ends(UNSEEN_CLUSTERS), b.ends(UNSEEN_CLUSTERS))
            shares.append(float((low > 0).mean()))
        rows.append((sessions, *shares))
    columns = ("sessions in each group", *(f"better by {shift:g}" for shift in SHIFTS))
    return Table("groups_decided", columns, rows, rates=columns[1:])


def _difference(a: tuple[np.ndarray, ...], b: tuple[np.ndarray, ...]) -> tuple[np.ndarray, np.ndarray]:
    (a_mean, a_low, a_high), (b_mean, b_low, b_high) = a, b
    delta = b_mean - a_mean
    return delta - np.hypot(b_mean - b_low, a_high - a_mean), delta + np.hypot(b_high - b_mean, a_mean - a_low)


def _ends(sums: np.ndarray, counts: np.ndarray, unseen: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    clusters, scores = (counts > 0).sum(axis=1), counts.sum(axis=1)
    size, total = scores / clusters, sums.sum(axis=1)
    mean, units = total / scores, clusters + unseen

    def quantile(share: float, at_one: float) -> np.ndarray:
        center = (total / size + at_one) / units
        squares = ((sums - counts * center[:, None]) ** 2).sum(axis=1) / size**2
        squares += (unseen - at_one) * center**2 + at_one * (1 - center) ** 2
        return _beta_quantile(share, center, squares / (units * (units + 1)))

    return mean, np.minimum(quantile(0.025, 0.0), mean), np.maximum(quantile(0.975, unseen), mean)


def _beta_quantile(share: float, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    proper = (mean > 1e-12) & (mean < 1 - 1e-12) & (variance > 1e-15)
    weight = np.where(proper, mean * (1 - mean) / np.where(proper, variance, 1.0) - 1, 1.0)
    known = proper & (weight > 0)
    a, b = np.where(known, mean * weight, 1.0), np.where(known, (1 - mean) * weight, 1.0)
    ends = np.where(known, special.betaincinv(a, b, share), float(share > 0.5))
    return np.where(proper, ends, mean)


def _agree(a: Drawn, b: Drawn, ends: tuple[np.ndarray, np.ndarray], rows: int = 3) -> None:
    """The package says the same of the first rows."""
    for row in range(rows):
        found = unpaired_difference(a.clusters(row, "a"), b.clusters(row, "b"))
        assert found.interval is not None
        known = (found.interval.low, found.interval.high)
        np.testing.assert_allclose((ends[0][row], ends[1][row]), known, atol=1e-7)


if __name__ == "__main__":
    run(Study(tables, PAGE, FIGURES, REPEATS, "data sets drawn for a cell"), __doc__)
