"""What the simulations share: seeded numbers, true values to try, and counting hits."""

import numpy as np
from bench.validity.shares import HIGH, LOW


def seeded(seed: int, *cell: float) -> np.random.Generator:
    """Each cell of a table has its own stream, so leaving one out moves no other."""
    return np.random.default_rng([seed, *(round(1000 * part) for part in cell)])


def means_to_try(repeats: int, random: np.random.Generator) -> np.ndarray:
    return random.uniform(LOW, HIGH, repeats)


def correct(ends: np.ndarray, truth: np.ndarray) -> float:
    return float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean())
