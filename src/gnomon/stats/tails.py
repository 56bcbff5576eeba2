"""Quantiles and tail areas: Student's t and the fair coin.

The one place in this room that loads SciPy, and only when asked: most summaries need no more than the
standard library. `scipy.special` has the same digits as `scipy.stats` and loads in a third of the time.
"""

from typing import Any

from gnomon.errors import NotAvailable


def t_critical(degrees: int) -> float:
    """How many standard errors a two-sided 95 % interval reaches to each side."""
    return float(_special().stdtrit(degrees, 0.975))


def t_p_value(statistic: float, degrees: int) -> float:
    """Two-sided."""
    return float(2 * _special().stdtr(degrees, -abs(statistic)))


def fair_coin_p_value(heads: int, tails: int) -> float:
    """Two-sided exact binomial test of one half; 1 for a coin never tossed.

    The tail is a regularised incomplete beta function, not a sum: a million tosses cost what ten do.
    """
    if heads == tails:
        return 1.0
    return min(1.0, float(2 * _special().bdtr(min(heads, tails), heads + tails, 0.5)))


def _special() -> Any:
    try:
        from scipy import special
    except ImportError as missing:
        message = "this number needs SciPy, which is not installed; run: pip install 'gnomon[stats]'"
        raise NotAvailable(message) from missing
    return special
