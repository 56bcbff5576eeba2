"""The price table that is shipped with Gnomon, `pricetable.json`: LiteLLM's, as `docs/make_prices.py` wrote it.

The file is JSON, one model per line:

    {"source": "…", "version": "1.106.2", "date": "2026-10-21", "unit": "US dollars per million tokens", "providers": {
    "openai": {
    "gpt-4o": {"rates": [2.5, 10, 1.25], "services": {"priority": {"rates": [4.25, 17, 2.125]}}},
    "o3": {"rates": [2, 8, 0.5], "past": [{"until": "2025-06-12", "rates": [10, 40, 2.5]}]},
    "text-embedding-3-small": [0.02, 0]}}}

- A row is a price, or only its `rates` where it has nothing else. `rates` are those of input, output, cached input,
  input written to a cache, and reasoning; those at the end that are not stated are left out, others are null.
- `long` is a list of [length, rates]: what all tokens of a call cost whose input is longer than that.
- `services` has the prices at other service tiers, where they differ.
- `past` has the prices that held before, each until the day (UTC, exclusive) on which LiteLLM released another.
- `listed_until` is the day since which LiteLLM no longer lists the model. What it costs is still its last price.

Before the day of the oldest table that was read, a model costs what that table said.
"""

import re
from datetime import date
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from gnomon.llm.names import variants
from gnomon.llm.rates import DatedPrices, Rates, TokenPrice

FILE = Path(__file__).with_name("pricetable.json")
SERVICES = {"fast": "priority"}
"""Tiers that cost what another does."""
_GROUPS = re.compile(r"(?<=^vertex_ai)-.*|(?<=^fireworks_ai)-.*|(?<=^bedrock)_converse$|(?<=^cohere)_chat$")
"""What LiteLLM appends to the names of providers that it lists under several."""

RatesRow = list[float | None]


class PriceRow(msgspec.Struct, omit_defaults=True, frozen=True):
    """One price, as the file has it."""

    rates: RatesRow
    long: list[tuple[int, RatesRow]] = []
    services: dict[str, "PriceRow"] = {}


class PastRow(PriceRow, omit_defaults=True, frozen=True, kw_only=True):
    until: date


class ModelRow(PriceRow, omit_defaults=True, frozen=True):
    past: list[PastRow] = []
    listed_until: date | None = None


class PriceTable(msgspec.Struct, frozen=True):
    source: str
    version: str
    date: date
    unit: str
    providers: dict[str, dict[str, msgspec.Raw]]
    """Rows stay bytes until a model is asked for: only the few that are in use are read."""


@cache
def table() -> PriceTable:
    return msgspec.json.decode(FILE.read_bytes(), type=PriceTable)


@lru_cache(maxsize=4096)
def listed(provider: str, name: str) -> DatedPrices | None:
    """The prices of a provider's model. A dated or fine-tuned one costs what its base does, if it is not listed."""
    group = group_of(provider)
    rows = table().providers.get(group)
    if rows is None:
        return None
    for variant in variants(name):
        if (raw := rows.get(variant) or rows.get(_without_case(group).get(variant.lower(), ""))) is not None:
            return _read(msgspec.json.decode(raw, type=RatesRow | ModelRow))
    return None


def group_of(provider: str) -> str:
    """Under which provider's name the file has a provider of LiteLLM's."""
    return _GROUPS.sub("", provider)


@cache
def _without_case(group: str) -> dict[str, str]:
    return {name.lower(): name for name in table().providers[group]}


def _read(row: RatesRow | ModelRow) -> DatedPrices:
    if isinstance(row, list):
        return DatedPrices((TokenPrice(_rates(row)),))
    prices = [_price(past) for past in row.past]
    days = DatedPrices.since((past.until, None) for past in row.past).days
    return DatedPrices((*prices, _price(row)), days)


def _price(row: PriceRow) -> TokenPrice:
    services = {name: _price(other) for name, other in row.services.items()}
    services |= {name: services[same] for name, same in SERVICES.items() if same in services}
    long = tuple((above, _rates(rates)) for above, rates in row.long)
    return TokenPrice(_rates(row.rates), long, tuple(services.items()))


def _rates(row: RatesRow) -> Rates:
    input, output, *others = (None if rate is None else _per_token(rate) for rate in row)
    return Rates(input or 0.0, output or 0.0, *others)


def _per_token(rate: float) -> float:
    """The number that is nearest to a millionth, as the source wrote it; a division is off in the last place."""
    return float(f"{rate}e-6")
