"""Item response: how hard each item of a benchmark is, and how well it tells good agents from weak ones.

The two-parameter logistic model: an agent of ability t solves an item with probability 1 / (1 + exp(-(a t + c))). `a`
is the item's discrimination, the ability at which half solve it, -c / a, its difficulty (Birnbaum 1968; py-irt,
metabench and tinyBenchmarks fit the same model). Abilities have mean 0 and standard deviation 1 by convention.

A benchmark has many items and few agents. So abilities are known well and items badly, and what matters is an honest
interval for an item. Hence each item's posterior is computed on a grid of (a, c), under weak priors, and averaged over
draws of the abilities; abilities are found by turns with the items (mean field). `a` may be below 0, which other fits
rule out: an item that weak agents solve and strong ones miss is probably mislabelled, and that is worth knowing.

`bench/validity/items.py` checks the intervals on simulated truth.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from gnomon.stats.resample import seeded
from gnomon.stats.tails import numpy

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Floats = NDArray[float64]

FEWEST_AGENTS = 5
"""With fewer, a discrimination is nearly all prior."""
SURE_OF_SIGN = 0.95
"""Probability from which an item is said to rank against the rest."""
_SLOPES, _SLOPE_PRIOR = (-3.0, 6.0, 37), (1.0, 1.0)
_OFFSETS, _OFFSET_PRIOR = (-8.0, 8.0, 49), (0.0, 2.5)
"""Ends and number of the grid's points; mean and standard deviation of the normal prior."""
_ABILITIES = (-4.0, 4.0, 81)
_TURNS, _DRAWS = 60, 24
_SETTLED = 1e-4
_BLOCK = 64
"""Items whose posteriors are computed at once."""
_MOST_SHARE = 0.975


@dataclass(frozen=True, slots=True)
class ItemResponse:
    """One item. `difficulty` is None where the item may not discriminate at all: then half of no ability solve it."""

    discrimination: float
    discrimination_interval: tuple[float, float]
    difficulty: float | None
    difficulty_interval: tuple[float, float] | None
    ranks_against: bool
    """Weak agents solve it and strong ones miss it, with a probability of at least 95 %."""
    information: float
    """Fisher information about an agent's ability, mean over the agents."""


@dataclass(frozen=True)
class ResponseFit:
    """A benchmark's items and its agents' abilities, in the order of the table."""

    abilities: "Floats"
    weights: "Floats"
    """Posterior of each item over the grid's points: one column per item."""

    @cached_property
    def items(self) -> list[ItemResponse]:
        """One per column; computed when asked for, as a search for few items needs the weights only."""
        return _grid().items(self.weights, self.abilities)


def fit(solved: "Floats", trials: "Floats") -> ResponseFit:
    """Items from counts: one row per agent, one column per item; `trials` is 0 where an agent has not tried an item."""
    np = numpy()
    grid = _grid()
    columns = _Columns(solved, trials)
    ability_weights = grid.first_abilities(solved, trials)
    abilities = ability_weights @ grid.abilities
    for _ in range(_TURNS):
        ability_weights = grid.ability_weights(abilities, columns)
        before, abilities = abilities, _standard(ability_weights @ grid.abilities)
        if np.abs(abilities - before).max() < _SETTLED:
            break
    weights = grid.averaged_weights(abilities, ability_weights, columns)
    return ResponseFit(abilities, weights[:, columns.column_of])


class ItemPredictor:
    """The probability with which an agent solves each item, judging by those of them that it has tried."""

    def __init__(self, weights: "Floats") -> None:
        """`weights` is a fit's, on other agents."""
        np, grid = numpy(), _grid()
        self._solves: Floats = weights.T @ grid.solves
        self._slopes: Floats = grid.slopes @ weights
        self._offsets: Floats = grid.offsets @ weights
        self._chances: Floats = weights.T @ np.exp(grid.solves)
        self._abilities, self._prior = grid.abilities, grid.ability_prior

    def chances(self, solved: "Floats", trials: "Floats") -> "Floats":
        """One probability per item, from one count per item."""
        missed = trials - solved
        logits = (missed @ self._slopes) * self._abilities + missed @ self._offsets
        log_likelihood = trials @ self._solves - logits
        chances: Floats = self._chances @ _normalised(self._prior + log_likelihood, axis=0)
        return chances


def informative_order(result: ResponseFit, most: int) -> list[int]:
    """Items that together tell most about all agents' abilities, each next one the best beside those before it.

    What counts is the sum of the logarithms of the information per agent: many items for the same ability are worth
    less than some for each."""
    np = numpy()
    information = _grid().information(result.weights, result.abilities)
    gathered, chosen = np.ones(len(result.abilities)), []
    is_free = np.ones(information.shape[1], dtype=bool)
    for _ in range(min(most, information.shape[1])):
        gain = np.log(gathered[:, None] + information).sum(axis=0)
        best = int(np.where(is_free, gain, -np.inf).argmax())
        is_free[best] = False
        chosen.append(best)
        gathered = gathered + information[:, best]
    return chosen


class _ResponseGrid:
    """The points at which posteriors are computed."""

    def __init__(self) -> None:
        np = numpy()
        slopes, offsets = np.linspace(*_SLOPES), np.linspace(*_OFFSETS)
        self.slopes: Floats = np.repeat(slopes, len(offsets))
        self.offsets: Floats = np.tile(offsets, len(slopes))
        self.abilities: Floats = np.linspace(*_ABILITIES)
        self.prior: Floats = _log_normal(self.slopes, *_SLOPE_PRIOR) + _log_normal(self.offsets, *_OFFSET_PRIOR)
        self.ability_prior: Floats = _log_normal(self.abilities, 0.0, 1.0)
        self.solves: Floats = self.log_chances(self.abilities)
        self._slope_levels = _Levels(self.slopes)
        self._is_positive: Floats = self.slopes > 0
        self._difficulty_levels = _Levels(-self.offsets[self._is_positive] / self.slopes[self._is_positive])

    def first_abilities(self, solved: "Floats", trials: "Floats") -> "Floats":
        """Start where an agent's share of solved items puts it: a narrow weight there."""
        np = numpy()
        share = solved.sum(axis=1) / np.maximum(trials.sum(axis=1), 1)
        start = _standard(share)
        return _normalised(_log_normal(self.abilities[None, :], start[:, None], 0.3), axis=1)

    def log_chances(self, abilities: "Floats") -> "Floats":
        """Logarithms of the probabilities to solve: one row per grid point, one column per ability."""
        np = numpy()
        logits = self.slopes[:, None] * abilities[None, :] + self.offsets[:, None]
        # log(1 + exp(-x)) that neither overflows nor loses small values; as quick as one exponential.
        log_chances: Floats = np.minimum(logits, 0) - np.log1p(np.exp(-np.abs(logits)))
        return log_chances

    def chances(self, abilities: "Floats") -> "Floats":
        np = numpy()
        chances: Floats = np.exp(self.log_chances(abilities))
        return chances

    def item_weights(self, abilities: "Floats", columns: "_Columns") -> Iterator[tuple[slice, "Floats"]]:
        """Posteriors of a few items at a time, with the columns that they are of."""
        design = self._design(abilities)
        for block in columns.blocks():
            yield block, _normalised(design @ columns.design(abilities, block), axis=0)

    def _design(self, abilities: "Floats") -> "Floats":
        # To miss is to solve less the logit, and logits are a t + c: so posteriors are one product with the counts.
        np = numpy()
        design: Floats = np.column_stack([self.log_chances(abilities), -self.slopes, -self.offsets, self.prior])
        return design

    def ability_weights(self, abilities: "Floats", columns: "_Columns") -> "Floats":
        """Posterior of each agent over the grid's abilities, one row per agent, given the items at these abilities."""
        np = numpy()
        tried: Floats = np.zeros((len(abilities), len(self.prior)))
        slopes, offsets = np.zeros(len(abilities)), np.zeros(len(abilities))
        for block, weights in self.item_weights(abilities, columns):
            tried += columns.trials[:, block] @ weights.T
            missed = columns.missed[:, block]
            slopes += missed @ (self.slopes @ weights)
            offsets += missed @ (self.offsets @ weights)
        log_likelihood = tried @ self.solves - slopes[:, None] * self.abilities - offsets[:, None]
        return _normalised(self.ability_prior + log_likelihood, axis=1)

    def averaged_weights(self, abilities: "Floats", ability_weights: "Floats", columns: "_Columns") -> "Floats":
        """The items' posteriors over draws of the abilities, which are not known exactly."""
        np = numpy()
        random = seeded()
        centre = ability_weights @ self.abilities
        total: Floats = np.zeros((len(self.prior), columns.count))
        ends = np.cumsum(ability_weights, axis=1)
        for _ in range(_DRAWS):
            at = (ends < random.random(len(abilities))[:, None]).sum(axis=1).clip(0, len(self.abilities) - 1)
            for block, weights in self.item_weights(abilities + self.abilities[at] - centre, columns):
                total[:, block] += weights
        total /= _DRAWS
        return total

    def information(self, weights: "Floats", abilities: "Floats") -> "Floats":
        """Fisher information per agent (row) and item (column), mean over the items' posteriors."""
        chances = self.chances(abilities)
        information: Floats = ((self.slopes**2)[:, None] * chances * (1 - chances)).T @ weights
        return information

    def items(self, weights: "Floats", abilities: "Floats") -> list[ItemResponse]:
        information = self.information(weights, abilities).mean(axis=0)
        return [self._item(weights[:, at], float(information[at])) for at in range(weights.shape[1])]

    def _item(self, weights: "Floats", information: float) -> ItemResponse:
        np = numpy()
        low, middle, high = self._slope_levels.quantiles(weights)
        against = float(weights[self.slopes < 0].sum())
        difficulty = ends = None
        positive = weights[self._is_positive]
        if float(positive.sum()) >= _MOST_SHARE:
            at_low, difficulty, at_high = self._difficulty_levels.quantiles(positive)
            ends = (at_low, at_high)
        return ItemResponse(
            middle, (low, high), difficulty, ends, bool(np.greater_equal(against, SURE_OF_SIGN)), information
        )


class _Columns:
    """The counts of a table, equal columns once: items that the same agents solve have the same posterior."""

    def __init__(self, solved: "Floats", trials: "Floats") -> None:
        np = numpy()
        both, inverse, occurrences = np.unique(
            np.vstack([solved, trials]), axis=1, return_inverse=True, return_counts=True
        )
        self.column_of = inverse.reshape(-1)
        one_solved, one_trials = np.vsplit(both, 2)
        self._trials: Floats = one_trials
        self._missed: Floats = one_trials - one_solved
        self.trials: Floats = one_trials * occurrences
        self.missed: Floats = self._missed * occurrences
        """Of all items with such a column."""
        self.count = len(occurrences)

    def blocks(self) -> Iterator[slice]:
        """A few columns at a time: their posteriors fit into a processor's cache."""
        for start in range(0, self.count, _BLOCK):
            yield slice(start, min(start + _BLOCK, self.count))

    def design(self, abilities: "Floats", block: slice) -> "Floats":
        """What the grid's design is multiplied by, for these columns."""
        np = numpy()
        missed = self._missed[:, block]
        ones = np.ones(missed.shape[1])
        design: Floats = np.vstack([self._trials[:, block], abilities @ missed, missed.sum(axis=0), ones])
        return design


@lru_cache(maxsize=1)
def _grid() -> _ResponseGrid:
    return _ResponseGrid()


class _Levels:
    """Values in order, each once: made once for the grid, and used for every item."""

    def __init__(self, values: "Floats") -> None:
        self._levels, self._level_of = numpy().unique(values, return_inverse=True)

    def quantiles(self, weights: "Floats") -> Sequence[float]:
        """2.5 %, the median and 97.5 % of the weighted values, between two of them in proportion."""
        np = numpy()
        shares = np.bincount(self._level_of, weights)
        middles = (np.cumsum(shares) - shares / 2) / shares.sum()
        return [float(value) for value in np.interp((1 - _MOST_SHARE, 0.5, _MOST_SHARE), middles, self._levels)]


def _standard(values: "Floats") -> "Floats":
    """Mean 0 and standard deviation 1, unless all are alike."""
    np = numpy()
    centred = values - values.mean()
    spread = float(np.sqrt((centred**2).mean()))
    standard: Floats = centred / spread if spread > _SETTLED else centred
    return standard


def _log_normal(values: "Floats", mean: "Floats | float", deviation: float) -> "Floats":
    return -0.5 * ((values - mean) / deviation) ** 2


def _normalised(logarithms: "Floats", axis: int) -> "Floats":
    """Shares that add up to 1, in the place of their logarithms."""
    np = numpy()
    logarithms -= logarithms.max(axis=axis, keepdims=True)
    np.exp(logarithms, out=logarithms)
    logarithms /= logarithms.sum(axis=axis, keepdims=True)
    return logarithms
