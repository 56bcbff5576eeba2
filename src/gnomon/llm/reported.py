"""The price of a model as a trace names it: by instrumentations, gateways and frameworks, each in its own way.

A trace comes from anywhere, so nothing here depends on the environment of the process that reads it. A name that may
mean two models with different prices has none.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from gnomon.llm import pricetable
from gnomon.llm.names import variants
from gnomon.llm.prices import OwnPrices, held
from gnomon.llm.providers import LONGEST_NAME, resolve
from gnomon.llm.rates import DatedPrices, TokenPrice

_PROVIDERS: dict[str, tuple[str, ...]] = {
    "anthropic": ("anthropic",), "claude": ("anthropic",),
    "aws": ("bedrock",), "aws_bedrock": ("bedrock",), "amazon_bedrock": ("bedrock",), "bedrock": ("bedrock",),
    "azure": ("azure", "azure_ai"), "azure_openai": ("azure",),
    "azure_ai_openai": ("azure",), "az_ai_openai": ("azure",),
    "azure_ai_inference": ("azure_ai", "azure"), "az_ai_inference": ("azure_ai", "azure"),
    "cohere": ("cohere",), "deepseek": ("deepseek",), "groq": ("groq",), "ollama": ("ollama",),
    "fireworks": ("fireworks_ai",), "fireworks_ai": ("fireworks_ai",),
    "gcp_gemini": ("gemini",), "gemini": ("gemini",), "google_generative_ai": ("gemini",), "google_gla": ("gemini",),
    "gcp_vertex_ai": ("vertex_ai",), "google_vertex": ("vertex_ai",), "google_vertexai": ("vertex_ai",),
    "vertexai": ("vertex_ai",), "vertex_ai": ("vertex_ai",),
    "gcp": ("gemini", "vertex_ai"), "gcp_gen_ai": ("gemini", "vertex_ai"), "google": ("gemini", "vertex_ai"),
    "google_genai": ("gemini", "vertex_ai"),
    "ibm_watsonx_ai": ("watsonx",), "watsonx": ("watsonx",),
    "mistral": ("mistral",), "mistral_ai": ("mistral",), "mistralai": ("mistral",),
    "moonshot_ai": ("moonshot",), "moonshotai": ("moonshot",),
    "openai": ("openai", "text-completion-openai"),
    "perplexity": ("perplexity",),
    "together": ("together_ai",), "togetherai": ("together_ai",), "together_ai": ("together_ai",),
    "x_ai": ("xai",), "xai": ("xai",),
}  # fmt: skip
"""How `gen_ai.provider.name`, `gen_ai.system`, `llm.provider` and the like name a provider → where the table has it.

The names are those of OpenTelemetry's semantic conventions, OpenInference, OpenLLMetry, the Vercel AI SDK, LangChain
and Pydantic AI.
"""
_NO_PROVIDER = frozenset(
    {"", "_other", "other", "unknown", "langchain", "litellm", "llamaindex", "llama_index", "pydantic_ai"}
)
"""What says nothing about who is paid."""
_PATH = re.compile(
    r"^(?:models/|publishers/[^/]+/models/|projects/.+/models/|arn:aws[^/]*:(?:foundation-model|inference-profile)/)"
)
_BEDROCK = re.compile(
    r"(?:(?:us|eu|apac|jp|au|ca|sa|global|us-gov)\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen|writer)\."
)
"""How Bedrock's own names begin."""
_FIREWORKS = "accounts/fireworks/"


def price_of_reported(
    model: str, provider: str | None = None, own: OwnPrices | None = None, at: datetime | None = None
) -> TokenPrice | None:
    """The price of a model as a span names it, with the provider that the span names, at a moment (None: now).

    A project's own prices come first, then the table. None when neither has one, or when it cannot be told which holds.
    It may be asked for every span: what was asked before takes less than a microsecond.
    """
    if len(model) > LONGEST_NAME or (provider is not None and len(provider) > LONGEST_NAME):
        return None  # no model's name, and not to be kept in the cache
    if own and not own.keys().isdisjoint(names := _own_names(model, provider)):
        price = held(own, names, at)
        if price is not None:
            return price
    listed = _listed(model, provider)
    if len(listed) == 1:
        return listed[0].at(at)
    prices = [entry.at(at) for entry in listed]
    return prices[0] if len({_charges(price) for price in prices}) == 1 else None


@lru_cache(maxsize=4096)
def _listed(model: str, provider: str | None) -> tuple[DatedPrices, ...]:
    """The table's prices, one per provider that the name may mean."""
    name, providers = _address(model, provider)
    return tuple(listed for provider in providers if (listed := pricetable.listed(provider, name)) is not None)


def _charges(price: TokenPrice | None) -> tuple[tuple[int, float, float], ...]:
    """What decides whether two providers are paid the same."""
    rates = () if price is None else ((0, price.rates), *price.long)
    return tuple((above, rate.input, rate.output) for above, rate in rates)


@lru_cache(maxsize=4096)
def _own_names(model: str, provider: str | None) -> tuple[str, ...]:
    """How a project may have written this model among its own prices, the most exact first."""
    return tuple(dict.fromkeys(_written(model, provider)))


def _written(model: str, provider: str | None) -> Iterator[str]:
    name, providers = _address(model, provider)
    for variant in variants(name):
        yield from (f"{prefix}/{variant}" for prefix in (*([provider] if provider else []), *providers))
        owner = resolve(variant, {})
        if owner is None or not providers or owner[0] in providers or "/" in variant:
            yield variant
    if model != name:
        yield model


def _address(model: str, provider: str | None) -> tuple[str, tuple[str, ...]]:
    """The model's name at its provider, and the providers of the table that may be meant."""
    name = _PATH.sub("", model)
    providers = _providers_named(provider)
    if providers is None:
        return _guessed(name)
    for prefix in providers:  # gateways write it twice
        name = name.removeprefix(f"{prefix}/")
    return name, providers


def _providers_named(provider: str | None) -> tuple[str, ...] | None:
    """The providers that a name means; None when it means none."""
    words = re.sub(r"[^a-z0-9]+", "_", (provider or "").lower().strip()) if provider else ""
    if words in _NO_PROVIDER:
        return None
    known = words
    while known:  # openai.chat, anthropic.messages, google.vertex.chat
        if known in _PROVIDERS:
            return _PROVIDERS[known]
        known = known.rpartition("_")[0]
    return (words,)


def _guessed(name: str) -> tuple[str, tuple[str, ...]]:
    """Guess the provider of a reported model name: its name in the price table, and the providers it may be of."""
    if _BEDROCK.match(name.lower()):
        return name, ("bedrock",)
    if name.startswith(_FIREWORKS):
        return name, ("fireworks_ai",)
    head, slash, rest = name.partition("/")
    if slash:
        return rest, _providers_named(head) or ()
    address = resolve(name, {})
    if address is None:
        return name, ()
    return name, _PROVIDERS.get(address[0], (address[0],))
