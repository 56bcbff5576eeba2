"""Two experiments over the same items: coverage of the difference, its width, false alarms and power.

Scores of 0 and 1 with one trial have few outcomes (how many items got better, how many worse), so those are counted
exactly. Real scores and several trials are drawn, except where an item either falls by a set amount or stays.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from bench.validity.cases import Case, binomial
from bench.validity.draw import means_to_try, seeded
from bench.validity.ours import agreed_differences, student_ends
from bench.validity.table import Rows, Table
from scipy import special

from gnomon.stats.paired import SIGNIFICANT, mcnemar_exact, paired_binary
from gnomon.stats.tails import t_critical

SIZES = (5, 10, 20, 50, 100)
BINARY_SIZES = (5, 10, 20, 50, 200)
TRIALS = 5
SHARED = 0.6
"""How much of an item's chance to pass the second experiment has from the first."""
HARD = {"2 % up, 10 % down": (0.02, 0.1), "2 % down": (0.0, 0.02), "5 % down": (0.0, 0.05),
        "5 % up, 5 % down": (0.05, 0.05), "20 % up, 10 % down": (0.2, 0.1)}  # fmt: skip
"""Binary pairs by the share of items that pass only now, and only before."""

Draw = Callable[[np.random.Generator, int, int], np.ndarray]


def spread(mean: float, deviation: float) -> tuple[Draw, float]:
    """Differences of any size around a mean: a Beta distribution stretched over [−1, 1]."""
    m, variance = (mean + 1) / 2, deviation**2 / 4
    k = m * (1 - m) / variance - 1
    return lambda random, rows, n: 2 * random.beta(m * k, (1 - m) * k, (rows, n)) - 1, mean


def tenths(mean: float) -> tuple[Draw, float]:
    """A judge's whole points, divided by ten: mostly no change, up to two points either way."""
    steps, chances = np.array([-0.2, -0.1, 0.0, 0.1, 0.2]), np.array([0.05, 0.15, 0.6, 0.15, 0.05])
    chances = chances + mean / 0.5 * np.array([-0.5, -1, 0, 1, 0.5]) * 5 / 6
    return lambda random, rows, n: random.choice(steps, (rows, n), p=chances), float(steps @ chances)


def falls(share: float, by: float, noise: float) -> tuple[Draw, float]:
    """A share of the items falls by much, the others move a little."""

    def draw(random: np.random.Generator, rows: int, n: int) -> np.ndarray:
        return np.where(random.random((rows, n)) < share, -by, random.uniform(-noise, noise, (rows, n)))

    return draw, -by * share


def both_ways(share: float, by: float) -> tuple[Draw, float]:
    """The same share of items falls and rises by much."""

    def draw(random: np.random.Generator, rows: int, n: int) -> np.ndarray:
        chance = random.random((rows, n))
        return by * ((chance < share / 2) * 1.0 - (chance > 1 - share / 2))

    return draw, 0.0


def five_trials(base: float, other: float) -> tuple[Draw, float]:
    """Item means of five trials of 0 and 1 in both experiments, whose items' chances are alike."""

    def draw(random: np.random.Generator, rows: int, n: int) -> np.ndarray:
        chance, own = (random.beta(2 * mean, 2 * (1 - mean), (rows, n)) for mean in (base, other))
        later = SHARED * chance + (1 - SHARED) * own
        return (random.binomial(TRIALS, later) - random.binomial(TRIALS, chance)) / TRIALS

    return draw, (1 - SHARED) * (other - base)


COVERED: dict[str, tuple[Draw, float]] = {
    "many small changes (sd 0.1)": spread(0.02, 0.1),
    "changes of all sizes (sd 0.3)": spread(0.1, 0.3),
    "judge, tenths": tenths(0.02),
    "small, and 3 % fall by 0.9": falls(0.03, 0.9, 0.05),
    "5 % change by 0.9, either way": both_ways(0.05, 0.9),
    "five trials": five_trials(0.5, 0.7),
}
LISTED = {"2 % fall by 0.9": (0.02, 0.9), "5 % fall by 0.9": (0.05, 0.9), "5 % fall by 0.5": (0.05, 0.5)}
NO_CHANGE: dict[str, tuple[Draw, float]] = {
    "many small changes (sd 0.1)": spread(0, 0.1),
    "changes of all sizes (sd 0.3)": spread(0, 0.3),
    "judge, tenths": tenths(0),
    "5 % change by 0.9, either way": both_ways(0.05, 0.9),
    "five trials": five_trials(0.5, 0.5),
}
POWER: dict[str, tuple[Draw, float]] = {
    "sd 0.1, true difference 0.05": spread(0.05, 0.1),
    "sd 0.3, true difference 0.1": spread(0.1, 0.3),
    "judge, tenths, true difference 0.05": tenths(0.05),
    "five trials, true difference 0.1": five_trials(0.5, 0.75),
    "5 % fall by 0.9, the others a little": falls(0.05, 0.9, 0.05),
}


def tables(repeats: int, seed: int, largest: int = BINARY_SIZES[-1]) -> list[Table]:
    sizes = [n for n in BINARY_SIZES if n <= largest]
    return [_binary(sizes, repeats, seed), _binary_hard(sizes), _real(repeats, seed), _alarms(repeats, seed),
            _power(repeats, seed)]  # fmt: skip


def pair_case(kind: tuple[Draw, float], n: int, repeats: int, seed: int, *cell: float) -> Case:
    draw, truth = kind
    random = seeded(seed, n, 8, *cell)
    return Case(draw(random, repeats, n), np.full(repeats, 1 / repeats), truth, listed=False)


def listed_case(share: float, by: float, n: int) -> Case:
    values = np.where(np.arange(n) < np.arange(n + 1)[:, None], -by, 0.0)
    return Case(values, binomial(n, share), -by * share, listed=True)


def _real(repeats: int, seed: int) -> Table:
    names = ("default", "t", "width, default", "width, t")
    rows: Rows = []
    for index, what in enumerate((*COVERED, *LISTED)):
        for n in SIZES:
            if what in LISTED:
                data = listed_case(*LISTED[what], n)
            else:
                data = pair_case(COVERED[what], n, repeats, seed, index)
            ends = agreed_differences(data.values)[0], student_ends(data.values, -1.0)
            rows.append((what, n, *map(data.coverage, ends), *map(data.width, ends)))
    return Table("pairs", ("differences", "items", *names), rows, ours=names[:1], lengths=names[2:], labels=2)


def _alarms(repeats: int, seed: int) -> Table:
    columns = tuple(f"{method}, {n} items" for n in SIZES for method in ("default", "t"))
    rows: Rows = [
        (what, *(share for n in SIZES for share in _claims(pair_case(kind, n, repeats, seed, 50 + index))))
        for index, (what, kind) in enumerate(NO_CHANGE.items())
    ]
    return Table("pairs_alarms", ("differences", *columns), rows, rates=columns)


def _power(repeats: int, seed: int) -> Table:
    columns = tuple(f"{method}, {n} items" for n in SIZES for method in ("default", "t"))
    rows: Rows = [
        (what, *(share for n in SIZES for share in _claims(pair_case(kind, n, repeats, seed, 80 + index))))
        for index, (what, kind) in enumerate(POWER.items())
    ]
    counted = [share for n in SIZES for share in _counted(n, *HARD["20 % up, 10 % down"])[5:]]
    rows.append(("0 or 1, one trial: 20 % up, 10 % down", *counted))
    return Table("pairs_power", ("differences", *columns), rows, rates=columns)


def _claims(data: Case) -> tuple[float, float]:
    """How often a difference is claimed: p < 0.05 by the default, by t."""
    _, p_values = agreed_differences(data.values)
    plain = student_ends(data.values, -1.0)
    return float((p_values < SIGNIFICANT).mean()), float(((plain[:, 0] > 0) | (plain[:, 1] < 0)).mean())


# --- 0 or 1, one trial: counted ---------------------------------------------------


def _binary(sizes: list[int], repeats: int, seed: int) -> Table:
    """Averaged over how many items change, and how many of those get better."""
    shares, widths = ("Tango (default)", "[0, 0] if nothing changed", "t"), ("width, Tango", "width, t")
    alarms = ("false alarms, exact McNemar", "false alarms, t")
    rows = []
    for n in sizes:
        random = seeded(seed, n, 7)
        changed, better = (means_to_try(min(repeats, 300), random) for _ in range(2))
        up, down = changed * better, changed * (1 - better)
        true = np.mean([_counted(n, *pair) for pair in zip(up, down, strict=True)], axis=0)
        null = np.mean([_counted(n, share / 2, share / 2)[5:] for share in changed], axis=0)
        rows.append((n, *map(float, true[:5]), *map(float, null)))
    return Table("pairs_binary", ("items", *shares, *widths, *alarms), rows, ours=shares[:1], lengths=widths,
                 rates=alarms)  # fmt: skip


def _binary_hard(sizes: list[int]) -> Table:
    columns = tuple(f"{method}, {n} items" for n in sizes for method in ("Tango", "t"))
    rows: Rows = [
        (what, *(_counted(n, *shares)[place] for n in sizes for place in (0, 2))) for what, shares in HARD.items()
    ]
    return Table("pairs_binary_hard", ("items that change", *columns), rows, ours=columns[::2])


def _counted(n: int, up: float, down: float) -> tuple[float, ...]:
    """Coverage of Tango, of the former rule and of t; widths of Tango and t; claims by McNemar and by t."""
    chance, truth = chances(n, _outcomes(n), up, down), up - down
    ends, claimed = _all_ends(n)
    inside = [chance[(end[:, 0] <= truth + 1e-9) & (truth - 1e-9 <= end[:, 1])].sum() for end in ends]
    widths = [(chance * (each[:, 1] - each[:, 0])).sum() for each in (ends[0], ends[2])]
    plain = (ends[2][:, 0] > 0) | (ends[2][:, 1] < 0)
    return tuple(map(float, (*inside, *widths, chance[claimed].sum(), chance[plain].sum())))


@cache
def _outcomes(n: int) -> np.ndarray:
    return np.array([(up, down) for up in range(n + 1) for down in range(n + 1 - up)])


@cache
def _all_ends(n: int) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    """For every outcome: the default, the same with [0, 0] where nothing changed, and t; and what McNemar claims."""
    outcomes = _outcomes(n).tolist()
    shown = [paired_binary(up, down, n).interval for up, down in outcomes]
    default = np.array([(interval.low, interval.high) for interval in shown if interval])
    former = np.where((_outcomes(n) == 0).all(axis=1)[:, None], 0.0, default)
    plain = np.array([_student(up, down, n) for up, down in outcomes])
    claimed = np.array([mcnemar_exact(*outcome) < SIGNIFICANT for outcome in outcomes])
    return (default, former, plain), claimed


def _student(up: int, down: int, n: int) -> tuple[float, float]:
    mean = (up - down) / n
    reach = t_critical(n - 1) * np.sqrt(max(0.0, (up + down) / n - mean * mean) / (n - 1))
    return max(-1.0, mean - reach), min(1.0, mean + reach)


def chances(n: int, outcomes: np.ndarray, up: float, down: float) -> np.ndarray:
    """Of each (ups, downs) among n, where a single one goes up or down with these chances."""
    ups, downs = outcomes.T
    same = n - ups - downs
    ways = special.gammaln(n + 1) - sum(special.gammaln(part + 1) for part in (ups, downs, same))
    powers = special.xlogy(ups, up) + special.xlogy(downs, down) + special.xlogy(same, max(0.0, 1 - up - down))
    answer: np.ndarray = np.exp(ways + powers)
    return answer
