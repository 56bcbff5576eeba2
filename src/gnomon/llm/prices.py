"""What a call costs: tokens times a price, which is data and never code.

A project's own prices come first, then the table that is shipped with Gnomon (`pricetable.py`). Prices have dates: a
call is priced by what held on its day. A price that is not in the table is unknown (None), which is not the same as 0.
"""

import os
from collections.abc import Iterable, Mapping
from datetime import datetime

from gnomon.llm import pricetable
from gnomon.llm.providers import resolve
from gnomon.llm.rates import MOST_TOKENS, MOST_USD_PER_TOKEN, DatedPrices, Rates, TokenPrice, Tokens, cost_of

__all__ = [
    "MOST_TOKENS",
    "MOST_USD_PER_TOKEN",
    "DatedPrices",
    "OwnPrices",
    "Rates",
    "TokenPrice",
    "Tokens",
    "cost_of",
    "price_of",
]  # fmt: skip

OwnPrices = Mapping[str, TokenPrice | DatedPrices]
"""A project's own prices: the name of a model, with its provider or without → its price, or its prices in time."""


def price_of(model: str, own: OwnPrices | None = None, at: datetime | None = None) -> TokenPrice | None:
    """The price of a model as it is named to be asked: a project's own, or the table's; None when neither has one.

    `at` is when the call was made; None: now.
    """
    address = resolve(model, os.environ)
    if own and (price := held(own, _same_names(model, address), at)):
        return price
    listed = None if address is None else pricetable.listed(*address)
    return None if listed is None else listed.at(at)


def held(own: OwnPrices, names: Iterable[str], at: datetime | None) -> TokenPrice | None:
    """The price that the first of these names has of its own, at that moment."""
    for name in names:
        if (stated := own.get(name)) is not None:
            price = stated if isinstance(stated, TokenPrice) else stated.at(at)
            if price is not None:
                return price
    return None


def _same_names(model: str, address: tuple[str, str] | None) -> Iterable[str]:
    """How the same model may be written: as it is, with its provider, and without."""
    yield model
    if address is not None:
        provider, name = address
        yield from (other for other in (f"{provider}/{name}", name) if resolve(other, os.environ) == address)
