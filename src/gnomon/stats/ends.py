"""What an interval is, and the names of the methods that make one."""

from dataclasses import dataclass
from typing import Literal

MeanMethod = Literal[
    "wilson", "beta_moments", "cluster_wilson", "clopper_pearson", "jeffreys", "t_clipped", "bca", "betting_mixture",
]  # fmt: skip
"""What may be asked for by name. `betting_mixture` is for scores that were looked at while they came in."""
Method = MeanMethod | Literal["tango", "mover", "beta_mixture", "empirical_bernstein", "poisson"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % confidence interval, how it was made, and what a reader should know before trusting it."""

    low: float
    high: float
    method: Method
    flags: tuple[str, ...] = ()
