"""What a model's answers cost: tokens times the price of that model on that day.

The prices are list prices per token. Whoever pays a subscription pays something else, and these figures still compare
one way of working with another. A model whose price is not known makes the whole unknown, never cheaper.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from gnomon.agentlogs import ModelAnswer
from gnomon.llm.rates import TokenPrice, Tokens
from gnomon.llm.reported import price_of_reported
from gnomon.model.iterationfacts import ModelTokens
from gnomon.outcome.record import TokenUsage


def spent(answers: Iterable[ModelAnswer]) -> tuple[ModelTokens, ...]:
    """What each model took and cost, the one that wrote most first. Each answer is priced alone: long ones cost more
    per token with some models."""
    sums: dict[str, list[int]] = {}
    costs: dict[str, float | None] = {}
    for answer in answers:
        counts = sums.setdefault(answer.model, [0, 0, 0, 0])
        added = (answer.input, answer.output, answer.cache_read, answer.cache_creation)
        sums[answer.model] = [total + other for total, other in zip(counts, added, strict=True)]
        price = _price(answer.model, datetime.fromtimestamp(answer.at / 1e6, UTC))
        before = costs.setdefault(answer.model, 0.0)
        whole = answer.input + answer.cache_read + answer.cache_creation
        tokens = Tokens(whole, answer.output, answer.cache_read, answer.cache_creation)
        costs[answer.model] = None if price is None or before is None else before + price.cost(tokens)
    ordered = sorted(sums.items(), key=lambda row: (-row[1][1], row[0]))
    return tuple(
        ModelTokens(model, input, output, read, written, _rounded(costs[model]))
        for model, (input, output, read, written) in ordered
    )


def of_entry(model: str, usage: TokenUsage, cached_inside: bool, at: datetime | None) -> ModelTokens:
    """What an entry's own counters come to. Codex counts cached input inside of the input, others beside it."""
    uncached = max(0, usage.input_tokens - usage.cache_read_tokens) if cached_inside else usage.input_tokens
    whole = uncached + usage.cache_read_tokens + usage.cache_creation_tokens
    price = _price(model, at)
    tokens = Tokens(whole, usage.output_tokens, usage.cache_read_tokens, usage.cache_creation_tokens)
    return ModelTokens(
        model,
        uncached,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_creation_tokens,
        _rounded(None if price is None else price.cost(tokens)),
    )


def total(models: Sequence[ModelTokens]) -> tuple[float | None, str]:
    """The sum, or None with the reason."""
    if not models:
        return None, "no tokens were counted"
    unpriced = [used.model or "a model without a name" for used in models if used.cost_usd is None]
    if unpriced:
        return None, f"no price is known for {', '.join(unpriced)}"
    return _rounded(sum(used.cost_usd or 0.0 for used in models)), ""


def _price(model: str, at: datetime | None) -> TokenPrice | None:
    return price_of_reported(model, None, at=at) if model else None


def _rounded(cost: float | None) -> float | None:
    """The amount to a millionth of a dollar, so that the order of a sum does not matter."""
    return None if cost is None else round(cost, 6)
