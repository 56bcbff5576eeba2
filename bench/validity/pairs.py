"""Two experiments over the same items: coverage of the difference, and false alarms where there is none.

Scores of 0 and 1 with one trial have few outcomes (how many items got better, how many worse), so those are
counted exactly at drawn true shares. Several trials are drawn.
"""

from functools import cache

import numpy as np
from bench.validity.draw import correct, means_to_try, seeded
from bench.validity.table import Table
from scipy import special

from gnomon.stats.interval import Z95
from gnomon.stats.paired import SIGNIFICANT, mcnemar_exact, paired_binary, paired_difference, tango
from gnomon.stats.tails import t_critical

SIZES = (5, 10, 20, 50, 200)
TRIALS = 5
SHARED = 0.6
"""How much of an item's chance to pass the second experiment has from the first."""


def tables(repeats: int, seed: int, largest: int = SIZES[-1]) -> list[Table]:
    sizes = [n for n in SIZES if n <= largest]
    columns = ("as shown", "Tango", "t", "false alarms, exact McNemar", "false alarms, z")
    binary = [(n, *_counted(n, min(repeats, 400), seed)) for n in sizes]
    drawn = [(n, *_drawn(n, repeats, seed)) for n in SIZES]
    ours, widths, alarms = ("paired t",), ("width, paired t", "width, two means apart"), ("false alarms",)
    return [
        Table("pairs_binary", ("items", *columns), binary, ours=("as shown", "Tango"), rates=columns[3:]),
        Table("pairs_trials", ("items", *ours, "two means apart", *widths, *alarms), drawn, ours=ours,
              lengths=widths, rates=alarms),
    ]  # fmt: skip


def _counted(n: int, points: int, seed: int) -> list[float]:
    """Coverage of what is shown ([0, 0] where nothing changed), of Tango's interval alone and of t."""
    random = seeded(seed, n, 7)
    changed, better = means_to_try(points, random), means_to_try(points, random)
    up, down, truth = changed * better, changed * (1 - better), changed * (2 * better - 1)
    outcomes = np.array([(u, d) for u in range(n + 1) for d in range(n + 1 - u)])
    shares = np.zeros(3)
    for here in range(points):
        chance = chances(n, outcomes, up[here], down[here])
        for place, ends in enumerate(_all_ends(n)):
            shares[place] += chance[(ends[:, 0] <= truth[here]) & (truth[here] <= ends[:, 1])].sum() / points
    alarms = _false_alarms(n, outcomes, changed)
    return [*map(float, shares), *alarms]


@cache
def _all_ends(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    outcomes = [(u, d) for u in range(n + 1) for d in range(n + 1 - u)]
    shown = [paired_binary(*outcome, n).interval for outcome in outcomes]
    alone = [tango(*outcome, n) for outcome in outcomes]
    return (
        np.array([(one.low, one.high) for one in shown if one]),
        np.array([(one.low, one.high) for one in alone]),
        np.array([_student(*outcome, n) for outcome in outcomes]),
    )


def _student(up: int, down: int, n: int) -> tuple[float, float]:
    mean = (up - down) / n
    reach = t_critical(n - 1) * np.sqrt(max(0.0, (up + down) / n - mean * mean) / (n - 1))
    return mean - reach, mean + reach


def chances(n: int, outcomes: np.ndarray, up: float, down: float) -> np.ndarray:
    """Of each (ups, downs) among n, where a single one goes up or down with these chances."""
    ups, downs = outcomes.T
    same = n - ups - downs
    ways = special.gammaln(n + 1) - sum(special.gammaln(part + 1) for part in (ups, downs, same))
    powers = special.xlogy(ups, up) + special.xlogy(downs, down) + special.xlogy(same, max(0.0, 1 - up - down))
    return np.exp(ways + powers)


def _false_alarms(n: int, outcomes: np.ndarray, changed: np.ndarray) -> list[float]:
    """How often a difference is claimed where as many items get better as worse, by the exact test and by z."""
    exact = np.array([mcnemar_exact(*outcome) < SIGNIFICANT for outcome in outcomes.tolist()])
    ups, downs = outcomes.T
    rough = np.abs(ups - downs) > Z95 * np.sqrt(ups + downs)
    likely = [chances(n, outcomes, share / 2, share / 2) for share in changed]
    return [float(np.mean([chance[alarm].sum() for chance in likely])) for alarm in (exact, rough)]


def _drawn(n: int, repeats: int, seed: int) -> list[float]:
    """Coverage of paired t and of two separate means, their widths; then false alarms of the paired test."""
    random = seeded(seed, n, 8)
    base, other = means_to_try(repeats, random), means_to_try(repeats, random)
    truth = (1 - SHARED) * (other - base)
    first, second = _two_experiments(n, base, other, random)
    apart = second.mean(axis=1) - first.mean(axis=1)
    reach = t_critical(2 * n - 2) * np.sqrt((first.var(axis=1, ddof=1) + second.var(axis=1, ddof=1)) / n)
    alike = [paired_difference(row) for row in np.subtract(*_two_experiments(n, base, base, random)).tolist()]
    alarms = float(np.mean([one.p_value is not None and one.p_value < SIGNIFICANT for one in alike]))
    paired, separate = _paired(second - first), np.stack([apart - reach, apart + reach], axis=1)
    widths = [float(np.diff(np.clip(ends, -1, 1)).mean()) for ends in (paired, separate)]
    return [correct(paired, truth), correct(separate, truth), *widths, alarms]


def _two_experiments(n: int, base: np.ndarray, other: np.ndarray, random: np.random.Generator):
    """Item means of both, from TRIALS runs each; the items' chances are correlated."""
    size = 2.0
    chance = random.beta((base * size)[:, None], ((1 - base) * size)[:, None], (len(base), n))
    own = random.beta((other * size)[:, None], ((1 - other) * size)[:, None], (len(base), n))
    later = SHARED * chance + (1 - SHARED) * own
    return random.binomial(TRIALS, chance) / TRIALS, random.binomial(TRIALS, later) / TRIALS


def _paired(differences: np.ndarray) -> np.ndarray:
    found = [paired_difference(row).interval for row in differences.tolist()]
    return np.array([(one.low, one.high) for one in found if one])
