"""Tokens, and what they cost: the nouns that price tables and sums are made of."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

MOST_TOKENS = 1_000_000_000
"""No call has more tokens than this; a count beyond it is taken to be unknown."""
MOST_USD_PER_TOKEN = 1.0
"""A price beyond it is a mistake in the table, and taken to be unknown."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a call. Cached and written ones are part of the input, reasoning is part of the output."""

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
        if not (tokens.cached or tokens.written or tokens.reasoning):
            return tokens.input * self.input + tokens.output * self.output
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
class TokenPrice:
    """What a model's tokens cost. `long` has other rates for the whole of a call whose input is above a length."""

    rates: Rates
    long: tuple[tuple[int, Rates], ...] = ()
    services: tuple[tuple[str, "TokenPrice"], ...] = ()
    """Prices of named service tiers (`flex`, `priority`), where they are not the usual ones."""

    @classmethod
    def per_million(cls, input: float, output: float, cached_input: float | None = None) -> "TokenPrice":
        return cls(Rates(input / 1e6, output / 1e6, None if cached_input is None else cached_input / 1e6))

    def cost(self, tokens: Tokens, service: str | None = None) -> float:
        """US dollars for a call that was served at this tier."""
        return self.rates_at(tokens.input, service).cost(tokens)

    def rates_at(self, input_tokens: float, service: str | None = None) -> Rates:
        """What a call with so much input is charged."""
        price = dict(self.services).get(service, self) if service and self.services else self
        rates = price.rates
        for above, higher in price.long:  # the shortest first
            if input_tokens > above:
                rates = higher
        return rates


@dataclass(frozen=True, slots=True)
class DatedPrices:
    """Prices of one model, one after another. The first holds until `days[0]`, the next from that day on (UTC).

    None among them: during that time the price is not known.
    """

    prices: tuple[TokenPrice | None, ...]
    days: tuple[datetime, ...] = ()

    @classmethod
    def since(cls, rows: Iterable[tuple[date | None, TokenPrice | None]]) -> "DatedPrices":
        """Rates from each price and the day on which it began (None: it always held). Each day is there once."""
        ordered = sorted(rows, key=lambda row: row[0] or date.min)
        if not ordered or ordered[0][0] is not None:
            ordered.insert(0, (None, None))
        days = tuple(datetime.combine(day, time(), UTC) for day, _ in ordered if day is not None)
        return cls(tuple(price for _, price in ordered), days)

    def at(self, moment: datetime | None = None) -> TokenPrice | None:
        """The price that held at a moment, or holds now. A moment without a time zone is one of UTC."""
        if not self.days:
            return self.prices[0]
        if moment is None:
            moment = datetime.now(UTC)
        elif moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return self.prices[bisect_right(self.days, moment)]


def cost_of(tokens: Tokens | None, price: TokenPrice | None, service: str | None = None) -> float | None:
    """US dollars for a call; None where its tokens or its price are not known."""
    return None if tokens is None or price is None else price.cost(tokens, service)
