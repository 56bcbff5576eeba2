"""Requests and completions: the same for both transports, so that callers need not know which is used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gnomon.llm.answer import Trouble
from gnomon.llm.prices import MOST_TOKENS, Tokens

LONGEST_BODY = 32_000_000
"""Bytes of an answer. A model that sends more than this is not answering a question of ours."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A question to one endpoint. Messages and settings are OpenAI's."""

    provider: str
    name: str
    messages: Sequence[Mapping[str, Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)
    tools: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class RawCall:
    """A tool call as the model wrote it."""

    id: Any
    name: Any
    arguments: Any


@dataclass(frozen=True, slots=True)
class Completion:
    """What an endpoint answered. Without a choice there is only what it took."""

    model: str
    tokens: Tokens | None
    service: str | None = None
    has_choice: bool = True
    content: str | None = None
    refusal: str | None = None
    calls: tuple[RawCall, ...] = ()
    finish: str | None = None
    raw: Any = None
    """The library's own object, for a library that wants it back."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """What an embedding endpoint answered, in the order of the texts."""

    vectors: list[list[float]]
    model: str
    tokens: Tokens | None


class Transport(Protocol):
    """One call and no retries; raises `Trouble` when nothing came back that could be read."""

    async def ready(self) -> None:
        """Load what it takes, so that loading is no part of a call."""

    async def complete(self, request: ModelRequest, timeout: float) -> Completion: ...

    async def embed(self, provider: str, name: str, texts: Sequence[str], timeout: float) -> Vectors: ...


def too_long(provider: str) -> Trouble:
    return Trouble("unreadable", f"{provider} sent more than {LONGEST_BODY // 1_000_000} MB; that is not an answer")


def not_an_answer(provider: str, why: str) -> Trouble:
    return Trouble("unreadable", f"{provider} sent something that is not an answer: {why}")


def count(value: Any) -> int | None:
    """A number of tokens; None for what cannot be one, whatever a model says."""
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS
    return value if known else None


def tokens_of(usage: Any, *, needs_output: bool = True) -> Tokens | None:
    """The tokens of OpenAI's `usage`, known whole or not at all: half of a cost is no cost. No prompt has none."""
    if not isinstance(usage, Mapping):
        return None
    input, output = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    if not input or (output is None and needs_output):
        return None
    of_input, of_output = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    return Tokens(
        input,
        output or 0,
        cached=_part(of_input, "cached_tokens"),
        written=_part(of_input, "cache_creation_tokens") or _part(of_input, "cache_write_tokens"),
        reasoning=_part(of_output, "reasoning_tokens"),
    )


def _part(details: Any, name: str) -> int:
    return (count(details.get(name)) or 0) if isinstance(details, Mapping) else 0


def vectors_of(data: Any, texts: Sequence[str], provider: str) -> list[list[float]]:
    """One vector per text, by the index that each row states."""
    try:
        rows = sorted(data, key=lambda row: int(row["index"]))
        vectors = [[float(value) for value in row["embedding"]] for row in rows]
    except (TypeError, KeyError, ValueError):
        raise not_an_answer(provider, "embeddings that cannot be read") from None
    if [int(row["index"]) for row in rows] != list(range(len(texts))):
        raise not_an_answer(provider, f"{len(vectors)} embeddings for {len(texts)} texts")
    return vectors
