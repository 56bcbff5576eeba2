"""How often a stream that never changed raises an alarm in a year of daily looks, and how soon a change raises one.

    python -m bench.validity.drift [--repeats N] [--write]

Scores are drawn with a known mean, the first days are the reference, and 365 days follow. `--write` renews
docs/concepts/drift.json and the tables of docs/concepts/drift.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from bench.validity.command import Study, run
from bench.validity.draw import seeded
from bench.validity.table import Rows, Table

from gnomon.stats.drift import REFERENCE_DAYS, DaySums, Watched, watch

PAGE, FIGURES = "drift.md", "drift.json"
REPEATS = 1_000
YEAR, CHANGE_AFTER = 365, 30
PER_DAY = (5, 50, 500)
SHIFTS = (0.02, 0.05, 0.1, 0.2)
NOISES = (0.0, 0.003, 0.01)
LONG_REFERENCE = 28


@dataclass(frozen=True)
class Source:
    """Scores with a known mean. `concentration` is a + b of their Beta distribution, None for scores of 0 and 1."""

    name: str
    mean: float
    concentration: float | None = None

    def days(self, random: np.random.Generator, means: np.ndarray, n: int) -> list[DaySums]:
        if self.concentration is None:
            passed = random.binomial(n, means)
            return [DaySums(n, float(k), float(k)) for k in passed]
        a = means * self.concentration
        values = random.beta(a[:, None], (self.concentration - a)[:, None], (len(means), n))
        return [DaySums(n, float(row.sum()), float((row * row).sum())) for row in values]


SOURCES = (
    Source("0 or 1, mean .5", 0.5),
    Source("0 or 1, mean .9", 0.9),
    Source("0 or 1, mean .99", 0.99),
    Source("Beta(9, .5)", 9 / 9.5, 9.5),
)


def stream(
    source: Source, n: int, random: np.random.Generator, *, noise: float = 0.0, shift: float = 0.0,
    reference: int = REFERENCE_DAYS,
) -> Watched:  # fmt: skip
    """A year after the reference. `noise` is the share of a score's variance that a whole day has in common."""
    means = np.full(reference + YEAR, source.mean)
    if shift:
        means[reference + CHANGE_AFTER :] -= shift
    if noise:
        weight = (1 + (source.concentration or 0)) / noise - 1
        means = random.beta(means * weight, (1 - means) * weight)
        # A mean of exactly 0 or 1 is what rounding makes of a very small distance.
        means = np.clip(means, 1e-9, 1 - 1e-9)
    days = source.days(random, means, n)
    return watch(days[:reference], days[reference:])


def tables(repeats: int, seed: int = 0) -> list[Table]:
    columns = ("independent", *(f"day share {noise}" for noise in NOISES[1:]))
    alarms = list(_false_alarms(repeats, seed))
    delays = [_delays(max(10, repeats // 5), seed, reference) for reference in (REFERENCE_DAYS, LONG_REFERENCE)]
    return [Table("drift_false_alarms", ("scores", "per day", *columns), alarms, rates=columns), *delays]


def _false_alarms(repeats: int, seed: int) -> Iterator[tuple[str | int | float, ...]]:
    for index, source in enumerate(SOURCES):
        for n in PER_DAY:
            shares = []
            for noise in NOISES:
                random = seeded(seed, 20, index, n, noise)
                found = [stream(source, n, random, noise=noise).status == "alarm" for _ in range(repeats)]
                shares.append(sum(found) / repeats)
            yield (source.name, n, *shares)


def _delays(repeats: int, seed: int, reference: int) -> Table:
    rows: Rows = []
    for index, source in enumerate(SOURCES):
        for n in PER_DAY:
            cells = []
            for shift in SHIFTS:
                random = seeded(seed, 21, index, n, shift, reference)
                cells.append(_told([stream(source, n, random, shift=shift, reference=reference)
                                    for _ in range(repeats)]))  # fmt: skip
            rows.append((source.name, n, *cells))
    return Table(f"drift_delay_{reference}", ("scores", "per day", *(f"−{shift}" for shift in SHIFTS)), rows)


def _told(found: list[Watched]) -> str:
    """Median days from the change to the alarm, and how often the year saw one after the change."""
    delays = [w.alarm_at - CHANGE_AFTER + 1 for w in found if w.alarm_at is not None and w.alarm_at >= CHANGE_AFTER]
    noticed = len(delays) / len(found)
    if noticed <= 0.5:
        return f"({100 * noticed:.0f} %)"
    middle = sorted(delays + [YEAR] * (len(found) - len(delays)))[len(found) // 2]
    return f"{middle}" if noticed > 0.995 else f"{middle} ({100 * noticed:.0f} %)"


if __name__ == "__main__":
    run(Study(tables, PAGE, FIGURES, REPEATS, "streams drawn per cell (a fifth for delays)"), __doc__)
