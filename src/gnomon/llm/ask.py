"""Asking a model: one prompt out, one answer back, whichever provider it is.

Two transports lie below: endpoints that speak OpenAI's protocol are asked directly (`openai_transport.py`), all others
through LiteLLM (`litellm_transport.py`). This module asks once: when to ask again, how many at a time and for how much
money is for its caller to decide, who learns the kind of trouble and how long the provider wants to be left alone.
"""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from gnomon.llm import litellm_transport, openai_transport
from gnomon.llm.answer import Answer, Trouble, TroubleKind, together
from gnomon.llm.prices import OwnPrices, Tokens, cost_of, price_of
from gnomon.llm.providers import family, resolve, transport_name, why_not
from gnomon.llm.transport import Completion, ModelRequest, Transport

__all__ = [
    "Answer",
    "Embeddings",
    "Trouble",
    "TroubleKind",
    "ask",
    "ask_structured",
    "close",
    "embed",
    "family",
    "load",
    "silence",
    "why_not",
]  # fmt: skip

AnswerModel = TypeVar("AnswerModel", bound=BaseModel)
"""A project's own prices, by model: they go before the price table's."""


@dataclass(frozen=True, slots=True)
class Embeddings:
    """A vector per text, and the usage. Tokens and cost are None where they are not reported."""

    vectors: list[list[float]]
    model: str
    tokens_input: int | None
    cost_usd: float | None
    latency_ms: float


async def ask(
    model: str,
    prompt: str,
    *,
    system: str | None = None,
    temperature: float | None = None,
    timeout: float = 60.0,
    prices: OwnPrices | None = None,
) -> Answer:
    """What the model says to this prompt, within this many seconds; raises `Trouble` when there is no answer."""
    request = addressed(model, _messages(prompt, system), _settings(temperature))
    _, answer = await _complete_with_text(model, request, timeout, prices)
    return answer


async def ask_structured(
    model: str,
    prompt: str,
    shape: type[AnswerModel],
    *,
    system: str | None = None,
    temperature: float | None = None,
    timeout: float = 60.0,
    prices: OwnPrices | None = None,
) -> tuple[AnswerModel, Answer]:
    """Ask for an answer of a given shape. One that does not fit is sent back to the model once; both are counted.

    The limit of time holds for each of the two tries.
    """
    request = addressed(model, _messages(prompt, system), _settings(temperature))
    answers: list[Answer] = []
    troubles: list[Trouble] = []

    async def once(messages: Sequence[Mapping[str, Any]], settings: Mapping[str, Any]) -> Completion:
        try:
            model_request = replace(request, messages=messages, settings=settings)
            completion, answer = await _complete_with_text(model, model_request, timeout, prices)
        except Trouble as trouble:
            troubles.append(trouble)
            raise
        answers.append(answer)
        return completion

    fit = litellm_transport.fitted if _is_litellm(request.provider) else _fitted
    try:
        value = await fit(once, shape, request.messages, request.settings)
    except Exception as error:
        if troubles:
            troubles[0].spent = together([*answers, *filter(None, [troubles[0].spent])])
            raise troubles[0] from None
        if not answers:
            raise
        message = f"the answer does not have the shape {shape.__name__}: {_fault(shape, answers[-1].text, error)}"
        raise Trouble("unreadable", message, evidence=answers[-1].text, spent=together(answers)) from None
    total = together(answers)
    assert total is not None
    return value, total


async def embed(
    model: str, texts: Sequence[str], *, timeout: float = 60.0, prices: OwnPrices | None = None
) -> Embeddings:
    """A vector for each of these texts, within this many seconds; raises `Trouble` when there are none."""
    provider, name = _address(model)
    if not texts:
        return Embeddings([], name, 0, 0.0, 0.0)
    transport = _transport(provider)
    await transport.ready()
    began = time.perf_counter()
    read = await transport.embed(provider, name, texts, timeout)
    latency = round((time.perf_counter() - began) * 1000, 3)
    tokens = read.tokens
    return Embeddings(
        read.vectors, read.model, tokens.input if tokens else None, _cost(model, tokens, None, prices), latency
    )


def load(models: Iterable[str] = ()) -> None:
    """Load what it takes to ask these models, which may take seconds; without it the first question does."""
    resolved = filter(None, (resolve(model, os.environ) for model in models))
    for name in {transport_name(provider, os.environ) for provider, _ in resolved}:
        if name == "litellm":
            litellm_transport.load()
        else:
            openai_transport.load()


def silence() -> None:
    """For a process that is one of our own commands: no logs and warnings of the libraries that ask."""
    litellm_transport.silence()


async def close() -> None:
    """Close the connections that are kept open for the next question."""
    await openai_transport.close()
    await litellm_transport.close()


# --- one question -----


async def complete(
    model: str, request: ModelRequest, timeout: float, prices: OwnPrices | None = None
) -> tuple[Completion, Answer]:
    """One call and no retries: an answer that has a choice, and what it took, without its text."""
    transport = _transport(request.provider)
    await transport.ready()
    began = time.perf_counter()
    completion = await transport.complete(request, timeout)
    tokens = completion.tokens
    spent = Answer(
        text="",
        model=completion.model,
        tokens_input=tokens.input if tokens else None,
        tokens_output=tokens.output if tokens else None,
        cost_usd=_cost(model, tokens, completion.service, prices),
        latency_ms=round((time.perf_counter() - began) * 1000, 3),
    )
    if not completion.has_choice:
        raise Trouble("unreadable", f"{request.provider} sent an answer without choices", spent=spent)
    return completion, spent


async def _complete_with_text(
    model: str, request: ModelRequest, timeout: float, prices: OwnPrices | None
) -> tuple[Completion, Answer]:
    """Like `complete`, but an answer without text is trouble."""
    completion, answer = await complete(model, request, timeout, prices)
    if completion.content is None:
        refusal = completion.refusal
        why = f"the model declined: {refusal}" if refusal else f"{request.provider} sent a message without content"
        raise Trouble("unreadable", why, evidence=refusal, spent=answer)
    return completion, replace(answer, text=completion.content)


def addressed(model: str, messages: Sequence[Mapping[str, Any]], settings: Mapping[str, Any]) -> ModelRequest:
    """The request to the endpoint of this model name; raises `Trouble` if the model may not be called."""
    return ModelRequest(*_address(model), messages, settings)


def _address(model: str) -> tuple[str, str]:
    if reason := why_not(model, os.environ):
        raise Trouble("refused", reason)
    address = resolve(model, os.environ)
    assert address is not None
    return address


def _messages(prompt: str, system: str | None) -> list[Mapping[str, Any]]:
    before: list[Mapping[str, Any]] = [{"role": "system", "content": system}] if system is not None else []
    return [*before, {"role": "user", "content": prompt}]


def _settings(temperature: float | None) -> dict[str, Any]:
    return {} if temperature is None else {"temperature": temperature}


def _is_litellm(provider: str) -> bool:
    return transport_name(provider, os.environ) == "litellm"


def _transport(provider: str) -> Transport:
    return litellm_transport if _is_litellm(provider) else openai_transport


def _cost(model: str, tokens: Tokens | None, service: str | None, own: OwnPrices | None) -> float | None:
    """US dollars by the price of the model that was asked; None where tokens or price are not known."""
    return None if tokens is None else cost_of(tokens, price_of(model, own), service)


# --- answers of a shape -----


async def _fitted(
    once: Any, shape: type[BaseModel], messages: Sequence[Mapping[str, Any]], settings: Mapping[str, Any]
) -> Any:
    """The first answer that has the shape, of two."""
    settings = {**settings, "response_format": _format(shape)}
    completion = await once(messages, settings)
    try:
        return _read_as(shape, completion)
    except ValidationError as fault:
        mend = f"This answer does not fit the JSON schema: {fault}\nAnswer again, with the corrected JSON alone."
        exchange = [{"role": "assistant", "content": completion.content}, {"role": "user", "content": mend}]
        return _read_as(shape, await once([*messages, *exchange], settings))


def _read_as(shape: type[BaseModel], completion: Completion) -> BaseModel:
    if completion.finish == "length":
        raise ValueError("it was cut off at the longest length of an answer")
    return shape.model_validate_json(completion.content or "", strict=True)


@lru_cache(maxsize=64)
def _format(shape: type[BaseModel]) -> Mapping[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": shape.__name__, "schema": shape.model_json_schema()}}


def _fault(shape: type[BaseModel], text: str, error: BaseException) -> str:
    """The first fault of an answer, in a line."""
    try:
        shape.model_validate_json(text, strict=True)
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"{where}: {first['msg']}" if where else first["msg"]
    return str(error).strip().partition("\n")[0] or type(error).__name__
