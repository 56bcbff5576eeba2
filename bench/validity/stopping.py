"""How often an evaluation that stops when it is decided is decided wrongly, and how many runs it saves.

    python -m bench.validity.stopping [--repeats N] [--write]

Scores are drawn with a known mean and looked at after every block. `--write` renews docs/concepts/stopping.json and the
tables of docs/concepts/stopping.md.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bench.validity.command import Study, run
from bench.validity.draw import seeded
from bench.validity.table import Cell, Table
from scipy import special

from gnomon.stats.interval import wilson
from gnomon.stats.sequence import REJECTED, bernstein_looks, log_average, log_stakes

PAGE, FIGURES = "stopping.md", "stopping.json"
REPEATS = 2_000
BLOCKS = (1, 10, 50)
LONGEST = 500
BLOCK = 10
MOST = (100, 300, 1000)
EFFECTS = (0.0, 0.05, 0.1, 0.2)
RIVALS = ("betting mixture", "hedged betting", "empirical Bernstein")
RIVALS_EFFECT, RIVALS_MOST, ORDERS = 0.1, 300, 8
OTHERS_EFFECT, OTHERS_MOST, SHARES = 0.1, 300, (1.0, 0.9, 0.5, 0.0)
AT_THE_END = ("ordinary interval", "the sequence's")
BAR = math.log(REJECTED)


@dataclass(frozen=True)
class Source:
    """Scores in [0, 1] with these chances, so the mean is known exactly. Differences d are drawn as (1 + d) / 2."""

    name: str
    values: np.ndarray
    chances: np.ndarray

    @property
    def mean(self) -> float:
        return float(self.values @ self.chances)

    def draw(self, random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
        """Positions in `values`."""
        return random.choice(len(self.values), size=shape, p=self.chances)


def _source(name: str, chances: Mapping[float, float]) -> Source:
    return Source(name, np.array(list(chances), float), np.array(list(chances.values()), float))


def _beta(name: str, a: float, b: float) -> Source:
    """Rounded to hundredths."""
    steps = np.linspace(0, 1, 101)
    edges = np.concatenate([[0.0], (steps[1:] + steps[:-1]) / 2, [1.0]])
    chances = np.diff(special.betainc(a, b, edges))
    return Source(name, steps, chances / chances.sum())


def _trials(name: str, a: float, b: float, trials: int = 3) -> Source:
    """Shares of passed trials of items whose chances differ as a Beta."""
    k = np.arange(trials + 1)
    chances = special.comb(trials, k) * special.beta(k + a, trials - k + b) / special.beta(a, b)
    return Source(name, k / trials, chances)


GATES = (
    _source("0 or 1, mean .5", {0: 0.5, 1: 0.5}),
    _source("0 or 1, mean .9", {0: 0.1, 1: 0.9}),
    _trials("three trials, mean .8", 1.6, 0.4),
    _beta("Beta(8, 2)", 8, 2),
    _beta("Beta(9, .5)", 9, 0.5),
    _source("96 % at .98, the rest 0", {0: 0.04, 0.98: 0.96}),
)


def _differences(name: str, chances: Mapping[float, float]) -> Source:
    return _source(name, {(1 + value) / 2: chance for value, chance in chances.items()})


def _changing(share: float, effect: float) -> Source:
    """Scores of 0 and 1, of which this share changes."""
    better, worse = (share + effect) / 2, (share - effect) / 2
    return _differences(f"0 or 1, {100 * share:.0f} % change", {-1: worse, 0: 1 - share, 1: better})


def _bell(spread: float, effect: float) -> Source:
    steps = np.linspace(-0.75, 0.75, 31)
    weights = np.exp(-0.5 * (steps / spread) ** 2)
    chances = dict(zip((steps + effect).tolist(), (weights / weights.sum()).tolist(), strict=True))
    return _differences(f"real, sd {spread}", chances)


def _rarely_lost(effect: float) -> Source:
    return _differences("95 % gain .05, 5 % lose .95", {-0.95 + effect: 0.05, 0.05 + effect: 0.95})


def pairs(effect: float) -> tuple[Source, ...]:
    """Differences whose mean is this effect."""
    return (_changing(0.2, effect), _changing(0.4, effect), _bell(0.1, effect), _bell(0.25, effect),
            _rarely_lost(effect))  # fmt: skip


# --- one stream -----


def stakes_at_looks(source: Source, drawn: np.ndarray, mean: float, block: int) -> np.ndarray:
    """The logarithm of every bet's stake against this mean after each whole block: looks × bets."""
    stakes = log_stakes(source.values, mean)[drawn]
    return np.cumsum(stakes.reshape(-1, block, stakes.shape[-1]).sum(axis=1), axis=0)


@dataclass(frozen=True)
class Ended:
    items: int
    how: str


def ended(stakes: np.ndarray, up: np.ndarray, down: np.ndarray, block: int, most: int) -> Ended:
    """When an evaluation of at most so many items ends: decided, or certain to stay undecided.

    `stakes` at all looks; `up` and `down` are what a score of 1 and of 0 adds to them.
    """
    looks = most // block
    items = block * np.arange(1, looks + 1)
    left = (most - items)[:, None]
    now = log_average(stakes[:looks])
    hope = np.maximum(log_average(stakes[:looks] + left * up), log_average(stakes[:looks] + left * down))
    over = np.flatnonzero((now >= BAR) | (hope < BAR) | (items == most))
    first = int(over[0])
    return Ended(int(items[first]), "decided" if now[first] >= BAR else "cannot_be_decided")


# --- tables -----


def tables(repeats: int, seed: int = 0) -> list[Table]:
    blocks = tuple(f"blocks of {block}" for block in BLOCKS)
    effects = tuple(f"{effect:g}" for effect in EFFECTS)
    return [
        Table("stopping_errors", ("scores", *blocks), list(_errors(repeats, seed)), rates=blocks),
        Table("stopping_saved_gate", ("scores", "at most", *effects), list(_saved_gates(repeats // 2, seed))),
        Table("stopping_saved_pairs", ("differences", "at most", *effects), list(_saved_pairs(repeats // 2, seed))),
        Table("stopping_methods", ("scores", *RIVALS), list(_methods(max(10, repeats // 4), seed))),
        Table(
            "stopping_others", ("scores", "the same on", *AT_THE_END), list(_others(repeats, seed)), rates=AT_THE_END
        ),
    ]


def _errors(repeats: int, seed: int) -> Iterator[tuple[Cell, ...]]:
    """The mean is at the bar: whatever is decided is wrong."""
    at_bar = [(f"gate: {source.name}", source, source.mean) for source in GATES]
    at_bar += [(f"difference: {source.name}", source, 0.5) for source in pairs(0.0)]
    at_bar += [(f"margin .05: {source.name}", source, 0.475) for source in pairs(-0.05)[1:4:2]]
    for index, (name, source, mean) in enumerate(at_bar):
        drawn = source.draw(seeded(seed, 30, index), (repeats, LONGEST))
        yield (name, *_ever_decided(source, drawn, mean))
    half = np.tile([0, 1], LONGEST // 2)
    drawn = seeded(seed, 31).permuted(np.tile(half, (repeats, 1)), axis=1)
    yield (f"gate: a dataset of {LONGEST}, half pass", *_ever_decided(GATES[0], drawn, 0.5))


def _ever_decided(source: Source, drawn: np.ndarray, mean: float) -> list[float]:
    evidence = np.array([log_average(stakes_at_looks(source, row, mean, 1)) for row in drawn])
    return [float((evidence[:, block - 1 :: block] >= BAR).any(axis=1).mean()) for block in BLOCKS]


def _saved_gates(repeats: int, seed: int) -> Iterator[tuple[Cell, ...]]:
    for index, source in enumerate(GATES):
        rows = [_ends(source, source.mean - effect, repeats, (seed, 32, index, effect)) for effect in EFFECTS]
        yield from _saved_rows(source.name, rows)


def _saved_pairs(repeats: int, seed: int) -> Iterator[tuple[Cell, ...]]:
    for index, source in enumerate(pairs(0.0)):
        rows = [_ends(pairs(effect)[index], 0.5, repeats, (seed, 33, index, effect)) for effect in EFFECTS]
        yield from _saved_rows(source.name, rows)


def _saved_rows(name: str, by_effect: Sequence[Mapping[int, Sequence[Ended]]]) -> Iterator[tuple[Cell, ...]]:
    for most in MOST:
        yield (name, most, *(_saved(ends[most], most) for ends in by_effect))


def _ends(source: Source, mean: float, repeats: int, cell: tuple[float, ...]) -> dict[int, list[Ended]]:
    """By the most items that may be run; the same streams for all."""
    found: dict[int, list[Ended]] = {most: [] for most in MOST}
    up, down = log_stakes(np.array([1.0, 0.0]), mean)
    for row in source.draw(seeded(int(cell[0]), *cell[1:]), (repeats, max(MOST))):
        stakes = stakes_at_looks(source, row, mean, BLOCK)
        for most in MOST:
            found[most].append(ended(stakes, up, down, BLOCK, most))
    return found


def _saved(ends: Sequence[Ended], most: int) -> str:
    """Mean share of runs saved, and how many evaluations were decided."""
    saved = 1 - sum(end.items for end in ends) / (most * len(ends))
    decided = sum(end.how == "decided" for end in ends) / len(ends)
    return f"{100 * saved:.0f} % ({100 * decided:.0f} %)"


# --- scorers that were not looked at -----


def _others(repeats: int, seed: int) -> Iterator[tuple[Cell, ...]]:
    """One scorer's gate ends the evaluation: how often an interval then leaves out the true mean of another scorer."""
    for index, source in enumerate(GATES[:2]):
        for share in SHARES:
            random = seeded(seed, 35, index, share)
            looked_at, apart = (source.draw(random, (repeats, OTHERS_MOST)) for _ in range(2))
            other = np.where(random.random(looked_at.shape) < share, looked_at, apart)
            wrong = [_wrong_at_the_end(source, *rows) for rows in zip(looked_at, other, strict=True)]
            yield (source.name, f"{100 * share:.0f} % of items", *np.mean(wrong, axis=0).tolist())


def _wrong_at_the_end(source: Source, looked_at: np.ndarray, other: np.ndarray) -> tuple[bool, bool]:
    """Of the other scorer: by Wilson's interval, and by the sequence."""
    bar = source.mean - OTHERS_EFFECT
    up, down = log_stakes(np.array([1.0, 0.0]), bar)
    end = ended(stakes_at_looks(source, looked_at, bar, BLOCK), up, down, BLOCK, OTHERS_MOST).items
    ordinary = wilson(float(source.values[other[:end]].sum()), end)
    evidence = float(log_average(stakes_at_looks(source, other[:end], source.mean, end))[0])
    return not ordinary.low <= source.mean <= ordinary.high, evidence >= BAR


# --- other sequences, for comparison -----


def _methods(repeats: int, seed: int) -> Iterator[tuple[Cell, ...]]:
    """Decided by the sequence alone, without the rule about what cannot be decided any more."""
    cases = [(f"gate: {source.name}", source, source.mean - RIVALS_EFFECT) for source in GATES]
    cases += [(f"difference: {source.name}", source, 0.5) for source in pairs(RIVALS_EFFECT)]
    for index, (name, source, mean) in enumerate(cases):
        random = seeded(seed, 34, index)
        drawn = source.draw(random, (repeats, RIVALS_MOST))
        mixture = np.array([log_average(stakes_at_looks(source, row, mean, BLOCK)) >= BAR for row in drawn])
        values = source.values[drawn]
        hedged = hedged_evidence(values, mean, BLOCK, random) >= BAR
        bernstein = np.array([_bernstein(row, mean) for row in values.tolist()])
        yield (name, *(_saved(_first(decided), RIVALS_MOST) for decided in (mixture, hedged, bernstein)))


def _first(decided: np.ndarray) -> list[Ended]:
    is_decided = np.logical_or.reduce(decided, axis=1)
    first = np.where(is_decided, decided.argmax(axis=1) + 1, decided.shape[1]) * BLOCK
    return [Ended(int(n), "decided" if ever else "") for n, ever in zip(first, is_decided, strict=True)]


def _bernstein(values: Sequence[float], mean: float) -> list[bool]:
    looks = list(bernstein_looks(values))[BLOCK - 1 :: BLOCK]
    return [not low <= mean <= high for low, high in looks]


def hedged_evidence(values: np.ndarray, mean: float, block: int, random: np.random.Generator) -> np.ndarray:
    """Hedged capital (Waudby-Smith and Ramdas 2023) after each block, as a logarithm; order in a block averaged out.

    The capital of a block is the average over random orders of the block, each with bets from what came before: by that
    it stays a fair game from block to block, which averaging over orders of all scores would not.
    """
    total, squares, seen = np.full(len(values), 0.5), np.full(len(values), 0.25), 1
    sides = np.zeros((2, len(values)))
    results = []
    for start in range(0, values.shape[1], block):
        part = np.stack([random.permuted(values[:, start : start + block], axis=1) for _ in range(ORDERS)])
        gains, total_after, squares_after = _one_block(part, mean, total, squares, seen)
        sides += np.logaddexp.reduce(gains, axis=1) - math.log(ORDERS)
        total, squares, seen = total_after.mean(axis=0), squares_after.mean(axis=0), seen + block
        results.append(sides.max(axis=0) - math.log(2))
    return np.array(results).T


def _one_block(part: np.ndarray, mean: float, total: np.ndarray, squares: np.ndarray, seen: int) -> Any:
    """Gains (up and down × orders × repeats), and the sums after the block."""
    orders, repeats, block = part.shape
    total, squares = np.tile(total, (orders, 1)), np.tile(squares, (orders, 1))
    gains = np.zeros((2, orders, repeats))
    for index in range(block):
        value, at = part[:, :, index], seen + index
        bet = np.sqrt(2 * math.log(2 * REJECTED) / (squares / at * at * math.log1p(at)))
        gains[0] += np.log1p(np.minimum(bet, 0.5 / mean) * (value - mean))
        gains[1] += np.log1p(-np.minimum(bet, 0.5 / (1 - mean)) * (value - mean))
        total += value
        squares += (value - total / (at + 1)) ** 2
    return gains, total, squares


if __name__ == "__main__":
    run(Study(tables, PAGE, FIGURES, REPEATS, "evaluations per cell (half as many for savings)"), __doc__)
