"""Scores that went missing: coverage under each policy. Exact: passed, failed and missing can be counted.

Three ways to lose scores: none; one run in five, whatever it would have scored; failures more easily than
passes, as when a crashed run would have failed.
"""

import numpy as np
from bench.validity.draw import means_to_try, seeded
from bench.validity.pairs import chances
from bench.validity.table import Rows, Table

from gnomon.stats.interval import wilson

RUNS = 50
LOST = {
    "nothing": (0.0, 0.0),
    "1 in 5, at random": (0.2, 0.2),
    "1 in 10 failures": (0.0, 0.1),
    "3 in 10 failures": (0.0, 0.3),
    "3 in 10 passes": (0.3, 0.0),
}
"""What goes missing → the chance of a pass to, and of a failure."""
POLICIES = ("drop", "zero", "bracket")


def tables(repeats: int, seed: int) -> list[Table]:
    p = means_to_try(min(repeats, 1000), seeded(seed, 11))
    outcomes = np.array([(passed, lost) for passed in range(RUNS + 1) for lost in range(RUNS + 1 - passed)])
    ends = np.array([_policies(passed, lost) for passed, lost in outcomes.tolist()])
    rows: Rows = [(what, *_coverage(p, outcomes, ends, *lost)) for what, lost in LOST.items()]
    return [Table("missing", ("what goes missing", *POLICIES), rows)]


def _policies(passed: int, lost: int) -> list[tuple[float, float]]:
    """What each policy shows; with every score missing, dropping them leaves nothing to show and nothing wrong."""
    scored = wilson(passed, RUNS - lost) if lost < RUNS else None
    lowest, highest = wilson(passed, RUNS), wilson(passed + lost, RUNS)
    dropped = (scored.low, scored.high) if scored else (0.0, 1.0)
    return [dropped, (lowest.low, lowest.high), (lowest.low, highest.high)]


def _coverage(p: np.ndarray, outcomes: np.ndarray, ends: np.ndarray, passes: float, failures: float) -> list[float]:
    total = np.zeros(len(POLICIES))
    for share in p.tolist():
        lost = share * passes + (1 - share) * failures
        chance = chances(RUNS, outcomes, share * (1 - passes), lost)
        inside = (ends[..., 0] <= share) & (share <= ends[..., 1])
        total += (chance[:, None] * inside).sum(axis=0)
    return [float(found) for found in total / len(p)]
