"""Preferences: of two candidates shown side by side, which was better. Strengths, ranks, and how sure.

Bradley and Terry's model (1952): a beats b with probability 1 / (1 + exp(b − a)), where the letters stand for
log strengths; a tie counts half to each. The most likely strengths exist only when everyone can be reached from
everyone by a chain of wins (Ford 1957). Where they do not, nothing infinite is shown: scores are then the shares
of comparisons that were won, differences are those of direct meetings, and `why_no_strengths` says what is missing.

Items (the questions that were judged) are what varies: resampled whole, as in rank.py. Resamples are fitted with
a weak prior, for a candidate that wins everything in one of them would else be infinitely strong there.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from gnomon.errors import InvalidInput
from gnomon.shorten import list_some
from gnomon.stats.ends import Interval
from gnomon.stats.interval import SMALL_N, equal_weight_interval, kept_inside
from gnomon.stats.paired import PairedDifference, paired_difference
from gnomon.stats.rank import (
    RESAMPLES,
    AgentPair,
    Standing,
    count_ranks,
    ends_of_ranks,
    indistinguishable,
    judged_pairs,
    placed,
    reachable,
    resampled_items,
)
from gnomon.stats.resample import bca_of
from gnomon.stats.tails import numpy, t_critical, t_p_value

Winner = Literal["a", "b", "tie"]
Game = tuple[str, str, str, Winner]
"""a, b, item, and who won."""

ELO = 400 / math.log(10)
"""Elo points a unit of log strength."""
_PRIOR = 0.01
"""Precision of the prior around 0, for resamples only: a win against an equal weighs 25 times as much."""
_STEPS = 100
_LARGEST_STEP = 2.0
_FITTED_AT_ONCE = 2_000_000
_EQUAL = 1e-5
"""Resampled strengths closer than this are equal."""
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Contest:
    """Candidates by score. `strengths` are log strengths around 0; empty where they do not exist."""

    standings: list[Standing]
    pairs: list[AgentPair]
    groups: list[list[str]]
    strengths: dict[str, float]
    strength_intervals: dict[str, tuple[float, float]]
    why_no_strengths: list[str] = field(default_factory=list)


def contest(games: Sequence[Game], min_effect: float | None = None, resamples: int = RESAMPLES) -> Contest:
    """Rank candidates by pairwise comparisons. The order of the games does not matter."""
    table = _GameTable(games)
    reasons = _unlinked(table.names, table.wins)
    strengths = None if reasons else bradley_terry(table.wins)
    drawn, best, worst = _resampled(table, resamples)
    if strengths is None:
        standings = [_share_won(table, index) for index in range(len(table.names))]
        differences = _direct(table)
    else:
        standings = _expected(table, strengths, drawn)
        differences = _modelled(table, strengths, drawn)
    order = sorted(range(len(standings)), key=lambda index: (-(standings[index].mean or 0), table.names[index]))
    names = [table.names[index] for index in order]
    listed = {
        (a, b): _turned(differences, order[a], order[b]) for a in range(len(order)) for b in range(a + 1, len(order))
    }
    pairs = judged_pairs(names, listed, min_effect)
    possible = dict(zip(table.names, ends_of_ranks(best, worst), strict=True))
    return Contest(
        placed([standings[index] for index in order], pairs, possible),
        pairs,
        indistinguishable(names, pairs),
        *_named_strengths(table, strengths, drawn),
        reasons,
    )


def bradley_terry(wins: Any) -> Any:
    """The most likely log strengths, centred on 0. `wins[i][j]` is how often i beat j, ties half to each.

    Newton's method on a concave likelihood. Refused where no finite strengths exist.
    """
    np = numpy()
    table = np.array(wins, dtype=float)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not np.isfinite(table).all() or (table < 0).any():
        raise InvalidInput.of("wins", "wins is not a square table of counts of 0 or more; give one row per candidate")
    reasons = _unlinked([str(index) for index in range(len(table))], table)
    if reasons:
        raise InvalidInput.of("wins", reasons[0])
    return _fitted(table[None], prior=0.0)[0]


class _GameTable:
    """The games as columns, sorted by the cell (winner, loser) they count for; a game counts for two, each way."""

    def __init__(self, games: Sequence[Game]) -> None:
        if not games:
            raise InvalidInput.of("games", "there are no comparisons to rank; give at least one")
        np = numpy()
        self.names = sorted({name for a, b, _, _ in games for name in (a, b)})
        self.items = sorted({item for _, _, item, _ in games})
        row, number_of = ({name: at for at, name in enumerate(names)} for names in (self.items, self.names))
        halves = []
        for a, b, item, winner in games:
            if a == b:
                raise InvalidInput.of("games", f"{a!r} is compared with itself on item {item!r}; leave that out")
            for_a = {"a": 1.0, "b": 0.0, "tie": 0.5}[winner]
            halves.append((number_of[a], number_of[b], row[item], for_a))
            halves.append((number_of[b], number_of[a], row[item], 1 - for_a))
        first, second, item_of, won = (np.array(column) for column in zip(*sorted(halves), strict=True))
        self.first, self.second, self.item_of, self.won = first, second, item_of, won
        self.cells, self.starts = np.unique(first * len(self.names) + second, return_index=True)
        self.wins = self.totals(np.ones((1, len(self.items))))[0]
        self.met = self.wins + self.wins.T > 0

    def totals(self, weights: Any) -> Any:
        """`wins[i, j]`, how often i beat j, for every row of item weights."""
        np = numpy()
        size = len(self.names)
        value = np.zeros((len(weights), size * size))
        value[:, self.cells] = np.add.reduceat(weights[:, self.item_of] * self.won, self.starts, axis=1)
        return value.reshape(-1, size, size)

    def by_item(self, mask: Any, values: Any) -> tuple[Any, Any]:
        """Sums of values over the games under the mask, and how many there are, item by item."""
        np = numpy()
        items, of = len(self.items), self.item_of[mask]
        return np.bincount(of, values[mask], minlength=items), np.bincount(of, minlength=items)


# --- the model -----


def _chances(strengths: Any) -> Any:
    """The chances of the first (row) to beat the second (column)."""
    return 1 / (1 + numpy().exp(strengths[..., None, :] - strengths[..., :, None]))


def _curvature(played: Any, chance: Any, prior: float) -> Any:
    """Minus the likelihood's second derivative, with what it leaves open (the mean) pinned to 0."""
    np = numpy()
    size = played.shape[-1]
    weight = played * chance * (1 - chance)
    bend = 1.0 / size - weight
    diagonal = np.arange(size)
    bend[..., diagonal, diagonal] += weight.sum(axis=-1) + prior
    return bend


def _fitted(wins: Any, prior: float, start: Any = 0.0, close: float = 1e-12) -> Any:
    """Log strengths for a stack of win tables at once, by Newton steps that are kept short."""
    np = numpy()
    played, won = wins + wins.transpose(0, 2, 1), wins.sum(axis=2)
    strengths = np.zeros(won.shape) + start
    for _ in range(_STEPS):
        chance = _chances(strengths)
        slope = won - (played * chance).sum(axis=2) - prior * strengths
        step = np.linalg.solve(_curvature(played, chance, prior), slope[..., None])[..., 0]
        step = step.clip(-_LARGEST_STEP, _LARGEST_STEP)
        strengths += step - step.mean(axis=1, keepdims=True)
        if abs(step).max() < close:
            break
    return strengths


def _expected_wins(strengths: Any) -> Any:
    """Each candidate's chance of beating another one, averaged over the others."""
    np = numpy()
    size = strengths.shape[-1]
    # One opponent at a time: all of them at once would be a table as large as all resamples' win tables.
    wins = sum(1 / (1 + np.exp(strengths[..., [other]] - strengths)) for other in range(size))
    return (wins - 0.5) / (size - 1)


def _resampled(table: _GameTable, resamples: int) -> tuple[Any, Any, Any]:
    """Strengths in every resample, and the ranks counted. Across unlinked groups both orders are possible."""
    np = numpy()
    size, items = len(table.names), len(table.items)
    apart = ~reachable(table.met | np.eye(size, dtype=bool)) if items > 1 else ~np.eye(size, dtype=bool)
    around = _fitted(table.wins[None], _PRIOR)
    drawn: list[Any] = []
    best, worst = np.zeros((2, size, size + 1), dtype=int)
    step = max(1, _FITTED_AT_ONCE // max(size * size, len(table.won)))
    for weights in resampled_items(items, resamples):
        for at in range(0, len(weights), step):
            # A Newton step squares the error, so after one below 1e-3 what is left is below what is counted.
            strengths = _fitted(table.totals(weights[at : at + step]), _PRIOR, around, close=1e-3)
            better = strengths[:, None, :] - strengths[:, :, None] > _EQUAL
            count_ranks(best, 1 + (better & ~apart).sum(axis=2))
            count_ranks(worst, 1 + (better | apart).sum(axis=2))
            drawn.append(strengths)
    return np.concatenate(drawn), best, worst


def _left_out(table: _GameTable, strengths: Any) -> Any:
    """Strengths without each of the items in turn, to first order: one system of equations for all of them."""
    np = numpy()
    chance = _chances(strengths)
    residuals = table.won - chance[table.first, table.second]
    cells = table.item_of * len(table.names) + table.first
    pulls = np.bincount(cells, residuals, minlength=len(table.items) * len(table.names))
    bend = _curvature(table.wins + table.wins.T, chance, prior=0.0)
    return strengths - np.linalg.solve(bend, pulls.reshape(len(table.items), -1).T).T


def _expected(table: _GameTable, strengths: Any, drawn: Any) -> list[Standing]:
    """Scores from the model: the chance to beat the field, independent of the opponents met."""
    np = numpy()
    scores, resampled = _expected_wins(strengths), _expected_wins(drawn)
    left_out = _expected_wins(_left_out(table, strengths))
    items = len(table.items)
    standings = []
    for index in range(len(table.names)):
        score = float(scores[index])
        if items < _FEWEST:
            standings.append(_share_won(table, index))
            continue
        # Pseudo-values around the score: their mean is the score, and without one of them it is what was left.
        pseudo = score + (items - 1) * (left_out[:, index].mean() - left_out[:, index])
        interval = kept_inside(bca_of(resampled[:, index], pseudo, np.ones(items)), score, items)
        flags = ("small_n",) if items < SMALL_N else ()
        standings.append(_standing(table, index, score, Interval(interval.low, interval.high, interval.method, flags)))
    return standings


def _modelled(table: _GameTable, strengths: Any, drawn: Any) -> dict[tuple[int, int], PairedDifference]:
    """Chance that a wins less chance that b does, with a t test on the log strengths."""
    differences = {}
    degrees = len(table.items) - 1
    for a in range(len(strengths)):
        for b in range(a + 1, len(strengths)):
            direct = _direct_difference(table, a, b)
            gap, error = float(strengths[a] - strengths[b]), float((drawn[:, a] - drawn[:, b]).std(ddof=1))
            if degrees < 1 or error <= _EQUAL:
                differences[a, b] = direct
                continue
            reach = t_critical(degrees) * error
            interval = Interval(math.tanh((gap - reach) / 2), math.tanh((gap + reach) / 2), "t_clipped")
            p_value = t_p_value(gap / error, degrees)
            differences[a, b] = PairedDifference(direct.items, math.tanh(gap / 2), interval, p_value)
    return differences


# --- without the model -----


def _share_won(table: _GameTable, index: int) -> Standing:
    """The share of its comparisons that a candidate won, items with one vote each."""
    won, played = table.by_item(table.first == index, table.won)
    shares = (won[played > 0] / played[played > 0]).tolist()
    interval = equal_weight_interval([[share] for share in shares])
    return _standing(table, index, math.fsum(shares) / len(shares), interval)


def _standing(table: _GameTable, index: int, score: float, interval: Interval) -> Standing:
    games = table.item_of[table.first == index]
    return Standing(
        table.names[index], items=len(set(games.tolist())), scored=len(games), missing=0, mean=score,
        interval=interval, standard_deviation=None, missing_bracket=None,
    )  # fmt: skip


def _direct(table: _GameTable) -> dict[tuple[int, int], PairedDifference]:
    size = len(table.names)
    return {(a, b): _direct_difference(table, a, b) for a in range(size) for b in range(a + 1, size)}


def _direct_difference(table: _GameTable, a: int, b: int) -> PairedDifference:
    """Over the items where the two met: share that a won less share that b won."""
    mask = (table.first == a) & (table.second == b)
    won, played = table.by_item(mask, table.won)
    difference = paired_difference((2 * won[played > 0] / played[played > 0] - 1).tolist())
    return difference if difference.items else replace(difference, reason="the two never met")


def _turned(differences: Mapping[tuple[int, int], PairedDifference], a: int, b: int) -> PairedDifference:
    """The difference a − b, also where it is kept as b − a."""
    if (a, b) in differences:
        return differences[a, b]
    difference = differences[b, a]
    if difference.delta is None:
        return difference
    ends = difference.interval
    mirrored = None if ends is None else Interval(0.0 - ends.high, 0.0 - ends.low, ends.method, ends.flags)
    return PairedDifference(difference.items, 0.0 - difference.delta, mirrored, difference.p_value, difference.reason)


def _named_strengths(
    table: _GameTable, strengths: Any, drawn: Any
) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    if strengths is None:
        return {}, {}
    low, high = numpy().quantile(drawn, [0.025, 0.975], axis=0)
    by_name = {name: float(strengths[index]) for index, name in enumerate(table.names)}
    ends = {
        name: (min(float(low[index]), by_name[name]), max(float(high[index]), by_name[name]))
        for index, name in enumerate(table.names)
        if high[index] - low[index] > _EQUAL  # one item alone, drawn again and again, shows no spread
    }
    return by_name, ends


# --- who can be reached from whom -----


def _unlinked(names: Sequence[str], wins: Any) -> list[str]:
    """Why there are no finite strengths, in words; empty when there are."""
    beats = reachable((wins > 0) | numpy().eye(len(wins), dtype=bool))
    if beats.all():
        return []
    linked = reachable((wins > 0) | (wins > 0).T | numpy().eye(len(wins), dtype=bool))
    if not linked.all():
        first, rest = _split(names, linked[0])
        return [f"none of {first} was compared with any of {rest}; compare some of them"]
    reasons = []
    for index, name in enumerate(names):
        if not wins[:, index].any() or not wins[index].any():
            won = not wins[:, index].any()
            did, end, needs = ("won", "upper", "a loss") if won else ("lost", "lower", "a win")
            because = f"{name!r} {did} all its comparisons, so its strength has no {end} limit"
            reasons.append(f"{because}; {needs} or a tie would set one")
    if not reasons:
        top = min(range(len(names)), key=lambda index: int(beats[:, index].sum()))
        first, rest = _split(names, beats[:, top])
        reasons.append(f"none of {rest} ever beat or tied with any of {first}; one such result is missing")
    return reasons


def _split(names: Sequence[str], inside: Any) -> tuple[str, str]:
    def names_of(is_inside: bool) -> str:
        listed = [name for name, is_in in zip(names, inside, strict=True) if bool(is_in) == is_inside]
        return list_some(map(repr, listed), 5)

    return names_of(True), names_of(False)
