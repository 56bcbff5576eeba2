"""What a call costs: tokens times a price, which is data and never code.

A project's own prices come first, then the price table that comes with LiteLLM. The table is read as a file, because
importing LiteLLM takes seconds. A price that nobody states is unknown (None), which is not the same as 0.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from gnomon.llm.providers import resolve

TABLE = "model_prices_and_context_window_backup.json"
MOST_TOKENS = 1_000_000_000
"""No call has more tokens than this; a count beyond it is taken to be unknown."""
MOST_USD_PER_TOKEN = 1.0
"""A price beyond it is a mistake in the table, and taken to be unknown."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """How many tokens a call took. The cached and written ones are among the input, reasoning among the output."""

    input: int
    output: int = 0
    cached: int = 0
    written: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars per token. None: as any other token of input, or of output."""

    input: float
    output: float
    cached: float | None = None
    written: float | None = None
    reasoning: float | None = None

    def cost(self, tokens: Tokens) -> float:
        cached = min(tokens.cached, tokens.input)
        written = min(tokens.written, tokens.input - cached)
        reasoning = min(tokens.reasoning, tokens.output)
        return (
            (tokens.input - cached - written) * self.input
            + cached * (self.input if self.cached is None else self.cached)
            + written * (self.input if self.written is None else self.written)
            + (tokens.output - reasoning) * self.output
            + reasoning * (self.output if self.reasoning is None else self.reasoning)
        )


@dataclass(frozen=True, slots=True)
class Price:
    """What a model's tokens cost. `long` has other rates for the whole of a call whose input is above a length."""

    rates: Rates
    long: tuple[tuple[int, Rates], ...] = ()
    services: tuple[tuple[str, "Price"], ...] = ()
    """Prices of named service tiers (`flex`, `priority`), where they are not the usual ones."""

    @classmethod
    def per_million(cls, input: float, output: float, cached_input: float | None = None) -> "Price":
        return cls(Rates(input / 1e6, output / 1e6, None if cached_input is None else cached_input / 1e6))

    def cost(self, tokens: Tokens, service: str | None = None) -> float:
        """US dollars for a call that was served at this tier."""
        return self.rates_at(tokens.input, service).cost(tokens)

    def rates_at(self, input_tokens: float, service: str | None = None) -> Rates:
        """What a call with so much input is charged."""
        price = dict(self.services).get(service or "", self)
        rates = price.rates
        for above, higher in price.long:  # the shortest first
            if input_tokens > above:
                rates = higher
        return rates


def price_of(model: str, own: Mapping[str, Price] | None = None) -> Price | None:
    """The price of a model as it is named to be asked: a project's own, or the table's; None when neither has one."""
    address = resolve(model, os.environ)
    if own and (found := _own_price(model, address, own)):
        return found
    return None if address is None else _listed_price(*address)


def _own_price(model: str, address: tuple[str, str] | None, own: Mapping[str, Price]) -> Price | None:
    if model in own:
        return own[model]
    if address is None:
        return None
    provider, name = address
    # The same model may be written with its provider and without.
    same = (other for other in (f"{provider}/{name}", name) if resolve(other, os.environ) == address)
    return next((own[other] for other in same if other in own), None)


# --- the table -----

_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")
_FINE_TUNED = re.compile(r"^(ft:[^:]+)(?::[^:]*){3}$")
_ABOVE = re.compile(r"input_cost_per_token_above_(\d+)(k?)_tokens")
_SERVICES = {"flex": "_flex", "priority": "_priority", "fast": "_priority"}
_LISTED_AS = {"vertex_ai": "vertex_ai-", "fireworks_ai": "fireworks_ai-", "bedrock": "bedrock_", "cohere": "cohere_"}
"""How the table begins the names of providers that it lists under several."""
_CACHED_SHARE = {"fireworks_ai": 0.5}
"""What cached input costs as a share of other input, where a provider says so once for all its models."""
_INCLUSIVE = frozenset({"xai"})
"""Who charges the higher rates from that length on, and not only above it."""


@lru_cache(maxsize=512)
def _listed_price(provider: str, name: str) -> Price | None:
    for key in _keys(provider, name):
        entry = _entry(key)
        if entry is not None and _is_of(entry.get("litellm_provider"), provider):
            return _read(entry, provider)
    return None


def _keys(provider: str, name: str) -> Iterator[str]:
    """Under which names a model may stand; a dated or fine-tuned one costs what its base does, if it is not listed."""
    base = _FINE_TUNED.sub(r"\1", _DATED.sub("", name))
    for each in dict.fromkeys((name, base)):
        yield f"{provider}/{each}"
        yield each


def _is_of(listed: Any, provider: str) -> bool:
    return listed == provider or (isinstance(listed, str) and listed.startswith(_LISTED_AS.get(provider, "\0")))


def _entry(key: str) -> dict[str, Any] | None:
    """One row of the table; None when there is none that can be read."""
    raw = _table().get(key)
    if raw is None and (exact := _without_case().get(key.lower())) is not None:
        raw = _table()[exact]
    try:
        return None if raw is None else msgspec.json.decode(raw, type=dict[str, Any])
    except msgspec.DecodeError:
        return None


@cache
def _table() -> dict[str, msgspec.Raw]:
    """Rows stay bytes until a model is asked for: the few that are in use are read, and a bad one harms no other."""
    package = find_spec("litellm")
    for folder in (package.submodule_search_locations if package is not None else None) or ():
        try:
            return msgspec.json.decode((Path(folder) / TABLE).read_bytes(), type=dict[str, msgspec.Raw])
        except (OSError, msgspec.DecodeError):
            continue
    return {}


@cache
def _without_case() -> dict[str, str]:
    return {key.lower(): key for key in _table()}


def _read(entry: dict[str, Any], provider: str) -> Price | None:
    if tiers := entry.get("tiered_pricing"):
        return _tiered(tiers, entry)
    price = _price(entry, provider, "")
    if price is None:
        return None
    services = {service: _price(entry, provider, suffix) for service, suffix in _SERVICES.items()}
    others = ((service, other) for service, other in services.items() if other is not None and other != price)
    return Price(price.rates, price.long, tuple(others))


def _price(entry: dict[str, Any], provider: str, suffix: str) -> Price | None:
    """The price at one service tier. What the tier has no rate for costs what it usually does."""

    def rate(name: str) -> float | None:
        usual = _number(entry.get(name))
        return usual if not suffix else _first(_number(entry.get(f"{name}{suffix}")), usual)

    rates = _rates(rate)
    if rates is None:
        return None
    if rates.cached is None and provider in _CACHED_SHARE:
        rates = replace(rates, cached=rates.input * _CACHED_SHARE[provider])
    lengths = sorted(
        {int(at[1]) * (1000 if at[2] else 1): f"_above_{at[1]}{at[2]}_tokens" for at in map(_ABOVE.match, entry) if at}
        .items()
    )  # fmt: skip
    long: list[tuple[int, Rates]] = []
    below = rates
    for tokens, above in lengths:
        below = Rates(
            _first(rate(f"input_cost_per_token{above}"), below.input) or 0.0,
            _first(rate(f"output_cost_per_token{above}"), below.output) or 0.0,
            _first(rate(f"cache_read_input_token_cost{above}"), below.cached),
            _first(rate(f"cache_creation_input_token_cost{above}"), below.written),
            _first(rate(f"output_cost_per_reasoning_token{above}"), below.reasoning),
        )
        long.append((tokens - (provider in _INCLUSIVE), below))
    return Price(rates, tuple(long))


def _tiered(tiers: Any, entry: dict[str, Any]) -> Price | None:
    """Rates by the length of the input, as a list of ranges."""
    try:
        ranges = sorted((int(tier["range"][0]), tier) for tier in tiers)
    except (TypeError, KeyError, IndexError, ValueError):
        return None
    read: list[tuple[int, Rates]] = []
    for start, tier in ranges:
        rates = _rates(_reader({"output_cost_per_token": entry.get("output_cost_per_token"), **tier}))
        if rates is None:
            return None
        read.append((start, rates))
    return Price(read[0][1], tuple(read[1:])) if read else None


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
