"""What the simulations share: seeded numbers, true values to try, and counting hits."""

import numpy as np
from bench.validity.shares import HIGH, LOW

from gnomon.stats.tails import t_critical


def seeded(seed: int, *cell: float) -> np.random.Generator:
    """Each cell of a table has its own stream, so leaving one out moves no other."""
    return np.random.default_rng([seed, *(round(1000 * part) for part in cell)])


def means_to_try(repeats: int, random: np.random.Generator) -> np.ndarray:
    return random.uniform(LOW, HIGH, repeats)


def covered(ends: np.ndarray, truth: np.ndarray) -> np.ndarray:
    return (ends[:, 0] <= truth) & (truth <= ends[:, 1])


def correct(ends: np.ndarray, truth: np.ndarray) -> float:
    return float(covered(ends, truth).mean())


def lowest_tenth(inside: np.ndarray, mean: np.ndarray) -> float:
    """Coverage in that tenth of the range of true means where it is lowest."""
    tenth = np.minimum(((mean - LOW) / (HIGH - LOW) * 10).astype(int), 9)
    return min(float(inside[tenth == number].mean()) for number in range(10) if (tenth == number).any())


def student(values: np.ndarray) -> np.ndarray:
    """Plain t intervals, one for each row: not clipped, of no width where all values are equal."""
    n = values.shape[1]
    mean = values.mean(axis=1)
    reach = t_critical(n - 1) * values.std(axis=1, ddof=1) / np.sqrt(n)
    return np.stack([mean - reach, mean + reach], axis=1)
