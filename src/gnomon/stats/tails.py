"""Quantiles and tail areas: Student's t, the beta distribution and the fair coin.

The only module of this package that loads NumPy and SciPy, and only when asked: most summaries need no more than
the standard library. `scipy.special` has the same digits as `scipy.stats` and loads in a third of the time.
"""

from typing import Any


def t_critical(degrees: int, alpha: float = 0.05) -> float:
    """How many standard errors a two-sided interval reaches to each side; 95 % unless stated otherwise."""
    return float(special().stdtrit(degrees, 1 - alpha / 2))


def t_p_value(statistic: float, degrees: int) -> float:
    """Two-sided."""
    return float(2 * special().stdtr(degrees, -abs(statistic)))


def fair_coin_p_value(heads: int, tails: int) -> float:
    """Two-sided exact binomial test of one half; 1 for a coin never tossed.

    The tail is a regularised incomplete beta function, not a sum: a million tosses cost what ten do.
    """
    if heads == tails:
        return 1.0
    return min(1.0, float(2 * special().bdtr(min(heads, tails), heads + tails, 0.5)))


def beta_quantile(share: float, a: float, b: float) -> float:
    """Below which value that share of a Beta(a, b) lies."""
    return float(special().betaincinv(a, b, share))


def beta_share_below(value: float, a: float, b: float) -> float:
    """Which share of a Beta(a, b) lies below the value."""
    return float(special().betainc(a, b, value))


def poisson_quantile(share: float, events: int) -> float:
    """The mean at which that share of Poisson counts is above `events`."""
    return float(special().gammaincinv(events + 1, share))


def special() -> Any:
    from scipy import special

    return special


def numpy() -> Any:
    import numpy

    return numpy
