"""What a small change of the scores does to the interval: no jumps, and mostly no surprises.

An interval should not jump when one score moves a little (40 scores of 1.0, then one of 0.99), and an end should not
fall when a score rises. The closed formula keeps the first and breaks the second a little; both are shown.
"""

from collections.abc import Callable

import numpy as np
from bench.validity import rivals
from bench.validity.draw import seeded
from bench.validity.ours import beta_ends, default_ends, student_ends
from bench.validity.table import Cell, Table

from gnomon.stats.ends import MeanMethod
from gnomon.stats.interval import interval_over

NEARLY = {
    "40 × 0.9": [0.9] * 40,
    "39 × 0.9 and 0.8": [0.9] * 39 + [0.8],
    "40 × 1.0": [1.0] * 40,
    "39 × 1.0 and 0.99": [1.0] * 39 + [0.99],
    "39 × 1.0 and 0": [1.0] * 39 + [0.0],
    "39 × 1.0 and 0.01": [1.0] * 39 + [0.01],
}
LARGEST = 50
SMALLEST_FALL = 1e-9


def tables(repeats: int, seed: int) -> list[Table]:
    return [_nearly_constant(), _monotone(2 * repeats, seed)]


def _nearly_constant() -> Table:
    rows = [
        (what, *(_shown(scores, method) for method in ("t_clipped", "bca", None))) for what, scores in NEARLY.items()
    ]
    return Table("steps", ("scores", "t", "BCa", "now"), rows)


def _shown(scores: list[float], method: MeanMethod | None) -> str:
    """As it would be shown. What the former default had for equal scores, and for 0 and 1, was Wilson's."""
    interval = interval_over([[score] for score in scores], method)
    return f"{interval.low:.4f} to {interval.high:.4f}"


def _monotone(repeats: int, seed: int) -> Table:
    methods: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "default": default_ends,
        "Beta moments, 0.9": beta_ends,
        "Dirichlet weights, 0.9, drawn": lambda values: rivals.drawn_weights(values, 0.9),
        "t": student_ends,
    }
    falls: dict[str, list[np.ndarray]] = {method: [] for method in methods}
    for n in (5, 10, 20, LARGEST):
        before, after = _one_score_raised(n, repeats // 4, seeded(seed, n, 21))
        for method, ends_of in methods.items():
            falls[method].append((ends_of(before) - ends_of(after)).max(axis=1))
    return Table(
        "monotone",
        ("method", "moves that lowered an end", "by 0.001 or more", "largest fall"),
        [(method, *_fall(np.concatenate(each))) for method, each in falls.items()],
        lengths=("largest fall",), rates=("moves that lowered an end", "by 0.001 or more"),
    )  # fmt: skip


def _fall(falls: np.ndarray) -> tuple[Cell, ...]:
    return float((falls > SMALLEST_FALL).mean()), float((falls >= 0.001).mean()), float(max(falls.max(), 0.0))


def _one_score_raised(n: int, repeats: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Data sets of any shape, and the same with one score moved up by some part of the way to 1."""
    a, b = np.exp(random.uniform(-1.5, 3, (2, repeats, 1)))
    before = random.beta(a, b, (repeats, n))
    after, rows, place = before.copy(), np.arange(repeats), random.integers(0, n, repeats)
    after[rows, place] += random.random(repeats) * (1 - after[rows, place])
    return before, after
