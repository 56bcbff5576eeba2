"""Renews the price table of the package from LiteLLM's: `python docs/make_prices.py --date DAY`.

DAY is the day on which the installed LiteLLM was released, which package indexes tell. Rates that have changed are kept
as the past of their model, until that day. `--table FILE --version V --date DAY` reads the table of another LiteLLM
instead; older ones must be read before newer ones. The format is described in `gnomon/llm/pricetable.py`.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from gnomon.llm.pricetable import FILE, ModelRow, PastRow, PriceRow, PriceTable, RatesRow, group_of
from gnomon.llm.rates import MOST_USD_PER_TOKEN, Rates, TokenPrice

SOURCE = "LiteLLM, model_prices_and_context_window_backup.json"
UNIT = "US dollars per million tokens"
MODES = ("chat", "completion", "embedding", "responses")
"""What is paid for by the token alone. Others have prices per image, second or query as well."""
LOCAL = frozenset({"ollama", "lemonade"})
"""Who runs models on one's own machine. Elsewhere a price of 0 means that LiteLLM does not know it, or a trial."""

_ABOVE = re.compile(r"input_cost_per_token_above_(\d+)(k?)_tokens")
_SERVICES = {"flex": "_flex", "priority": "_priority"}
_CACHED_SHARE = {"fireworks_ai": 0.5}
"""What cached input costs as a share of other input, where a provider says so once for all its models."""
_INCLUSIVE = frozenset({"xai"})
"""Who charges the higher rates from that length on, and not only above it."""

Prices = dict[tuple[str, str], TokenPrice]
"""Provider and model → price."""
Rows = dict[tuple[str, str], ModelRow]


# --- LiteLLM's table -----


def litellm_table() -> dict[str, Any]:
    """That of the installed LiteLLM, which is read as a file: importing it takes seconds."""
    package = find_spec("litellm")
    folder = next(iter(package.submodule_search_locations or ())) if package is not None else None
    if folder is None:
        sys.exit("LiteLLM is not installed; run: pip install litellm, or give --table")
    return read_table(Path(folder) / SOURCE.partition(", ")[2])


def read_table(path: Path) -> dict[str, Any]:
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])


def prices(table: Mapping[str, Any]) -> Prices:
    """Every price per token that LiteLLM's table states."""
    found: dict[tuple[str, str], TokenPrice | None] = {}
    for key, entry in sorted(table.items(), key=lambda item: "/" in item[0]):
        # A name with its provider comes later, and so replaces the bare name.
        by = str(entry.get("litellm_provider"))
        provider = group_of(by)
        found[provider, key.removeprefix(f"{by}/").removeprefix(f"{provider}/")] = _price_by_token(entry, provider)
    return {address: price for address, price in found.items() if price is not None}


def _price_by_token(entry: Mapping[str, Any], provider: str) -> TokenPrice | None:
    if entry.get("mode") not in MODES or "output_cost_per_audio_token" in entry:
        return None
    price = read(entry, provider)
    return price if price and (provider in LOCAL or price.rates.input or price.rates.output) else None


def read(entry: Mapping[str, Any], provider: str) -> TokenPrice | None:
    if tiers := entry.get("tiered_pricing"):
        return _tiered(tiers, entry)
    price = _price(entry, provider, "")
    if price is None:
        return None
    services = {service: _price(entry, provider, suffix) for service, suffix in _SERVICES.items()}
    others = ((service, other) for service, other in services.items() if other is not None and other != price)
    return TokenPrice(price.rates, price.long, tuple(others))


def _price(entry: Mapping[str, Any], provider: str, suffix: str) -> TokenPrice | None:
    """The price at one service tier. What the tier has no rate for costs what it usually does."""

    def rate(name: str) -> float | None:
        usual = _number(entry.get(name))
        return usual if not suffix else _first(_number(entry.get(f"{name}{suffix}")), usual)

    rates = _rates(rate)
    if rates is None:
        return None
    if rates.cached is None and provider in _CACHED_SHARE:
        rates = replace(rates, cached=rates.input * _CACHED_SHARE[provider])
    long: list[tuple[int, Rates]] = []
    below = rates
    for tokens, above in _lengths(entry):
        below = Rates(
            _first(rate(f"input_cost_per_token{above}"), below.input) or 0.0,
            _first(rate(f"output_cost_per_token{above}"), below.output) or 0.0,
            _first(rate(f"cache_read_input_token_cost{above}"), below.cached),
            _first(rate(f"cache_creation_input_token_cost{above}"), below.written),
            _first(rate(f"output_cost_per_reasoning_token{above}"), below.reasoning),
        )
        long.append((tokens - (provider in _INCLUSIVE), below))
    return TokenPrice(rates, tuple(long))


def _lengths(entry: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Above how many tokens of input there are other rates, and how their fields end; the shortest first."""
    found = [name for name in map(_ABOVE.match, entry) if name]
    return sorted({(int(at[1]) * (1000 if at[2] else 1), f"_above_{at[1]}{at[2]}_tokens") for at in found})


def _tiered(tiers: Any, entry: Mapping[str, Any]) -> TokenPrice | None:
    """Rates by the length of the input, as a list of ranges."""
    try:
        ranges = sorted((int(tier["range"][0]), tier) for tier in tiers)
    except (TypeError, KeyError, IndexError, ValueError):
        return None
    found: list[tuple[int, Rates]] = []
    for start, tier in ranges:
        rates = _rates(_reader({"output_cost_per_token": entry.get("output_cost_per_token"), **tier}))
        if rates is None:
            return None
        found.append((start, rates))
    return TokenPrice(found[0][1], tuple(found[1:])) if found else None


def _reader(row: Mapping[str, Any]) -> Callable[[str], float | None]:
    return lambda name: _number(row.get(name))


def _rates(rate: Callable[[str], float | None]) -> Rates | None:
    input, output = rate("input_cost_per_token"), rate("output_cost_per_token")
    if input is None:
        return None
    return Rates(
        input,
        output or 0.0,
        _first(rate("cache_read_input_token_cost"), rate("input_cost_per_token_cache_hit")),
        rate("cache_creation_input_token_cost"),
        rate("output_cost_per_reasoning_token"),
    )


def _first(one: float | None, other: float | None) -> float | None:
    return other if one is None else one


def _number(value: Any) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_USD_PER_TOKEN
    return float(value) if known else None


# --- our rows -----


def row(price: TokenPrice) -> ModelRow:
    """A price as the file has it."""
    services = {name: _price_row(other) for name, other in price.services}
    return ModelRow(_rates_row(price.rates), _long_rows(price), services)


def _price_row(price: TokenPrice) -> PriceRow:
    return PriceRow(_rates_row(price.rates), _long_rows(price))


def _long_rows(price: TokenPrice) -> list[tuple[int, RatesRow]]:
    return [(above, _rates_row(rates)) for above, rates in price.long]


def _rates_row(rates: Rates) -> RatesRow:
    found = [rates.input, rates.output, rates.cached, rates.written, rates.reasoning]
    while found[-1] is None:
        found.pop()
    return [None if rate is None else per_million(rate) for rate in found]


def per_million(rate: float) -> float:
    # What LiteLLM divided by a million itself has errors in the last place.
    return float(f"{Decimal(repr(rate)).scaleb(6):.12g}")


# --- the past -----


def merged(rows: Rows, new: Prices, day: date) -> Rows:
    """The rows after a table of that day: where it has other prices, those of the rows are past."""
    return {key: _merged(rows.get(key), new.get(key), day) for key in sorted(rows.keys() | new.keys())}


def _merged(old: ModelRow | None, new: TokenPrice | None, day: date) -> ModelRow:
    if new is None:
        assert old is not None
        return old if old.listed_until else msgspec.structs.replace(old, listed_until=day)
    now = row(new)
    if old is None:
        return now
    past = [] if _is_same(now, old) else [PastRow(old.rates, old.long, old.services, until=day)]
    return msgspec.structs.replace(now, past=[*old.past, *past])


def _is_same(now: PriceRow, old: PriceRow) -> bool:
    """Whether a row has the older one's price, states what that left out, or mends a slip of the decimal point.

    What it says then is taken to have held before, too.
    """
    if any(_is_slip(one, other) for one, other in zip(old.rates[:2], now.rates, strict=False)):
        return True
    alike = all(before is None or before == rate for before, rate in zip(old.rates, now.rates, strict=False))
    longer = len(old.rates) <= len(now.rates) and all(each in now.long for each in old.long)
    services = all(name in now.services and _is_same(now.services[name], one) for name, one in old.services.items())
    return alike and longer and services


def _is_slip(one: float | None, other: float | None) -> bool:
    """No provider has changed a price so much."""
    return bool(one and other) and max(one, other) >= 50 * min(one, other)


# --- the file -----


def read_rows(path: Path) -> Rows:
    if not path.exists():
        return {}
    table = msgspec.json.decode(path.read_bytes(), type=PriceTable)
    return {
        (provider, name): found if isinstance(found, ModelRow) else ModelRow(found)
        for provider, models in table.providers.items()
        for name, raw in models.items()
        for found in [msgspec.json.decode(raw, type=RatesRow | ModelRow)]
    }


def text(rows: Rows, version: str, day: date) -> str:
    """The file: one model per line, so that a change is easily read."""
    head = f'{{"source": {_json(SOURCE)}, "version": {_json(version)}, "date": "{day}", "unit": {_json(UNIT)}, '
    return f'{head}"providers": {{\n' + ",\n".join(_providers(rows)) + "}}\n"


def _providers(rows: Rows) -> Iterator[str]:
    for provider in sorted({provider for provider, _ in rows}):
        lines = (f"{_json(name)}: {_line(one)}" for (of, name), one in sorted(rows.items(), key=_key) if of == provider)
        yield f"{_json(provider)}: {{\n" + ",\n".join(lines) + "}"


def _key(item: tuple[tuple[str, str], ModelRow]) -> tuple[str, str]:
    return item[0]


def _line(one: ModelRow) -> str:
    plain = not (one.long or one.services or one.past or one.listed_until)
    return re.sub(r"\.0(?=[,\]])", "", _json(one.rates if plain else one))


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def main() -> None:
    parser = argparse.ArgumentParser(description="Renew gnomon/llm/pricetable.json from LiteLLM's price table.")
    parser.add_argument("--date", type=date.fromisoformat, required=True, help="day on which that LiteLLM was released")
    parser.add_argument("--table", type=Path, help="price table of another LiteLLM than the installed one")
    parser.add_argument("--version", help="version of the LiteLLM that --table is of")
    options = parser.parse_args()
    if (options.table is None) != (options.version is None):
        parser.error("--table and --version belong together")
    before = msgspec.json.decode(FILE.read_bytes(), type=PriceTable).date if FILE.exists() else date.min
    if options.date < before:
        parser.error(f"--date {options.date} is before the table's, {before}; older tables must be read first")
    new = prices(read_table(options.table) if options.table else litellm_table())
    rows = merged(read_rows(FILE), new, options.date)
    FILE.write_text(text(rows, options.version or version("litellm"), options.date), "utf-8")
    print(f"{len(new):,} models are listed, {sum(bool(one.past) for one in rows.values()):,} had other prices before")


if __name__ == "__main__":
    main()
