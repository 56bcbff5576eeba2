"""Asking a model: one prompt out, one answer back, whichever provider it is.

LiteLLM speaks to the providers, Instructor fits answers to a shape. Both take seconds to load, so they are
loaded by the first question, in the process that asks (`load` does it sooner). This room asks once: when to
ask again, how many at a time and for how much money is for its caller to decide, who learns the kind of
trouble and how long the provider wants to be left alone.
"""

import asyncio
import functools
import gc
import importlib
import logging
import math
import os
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel

from gnomon.llm.answer import Answer, Kind, Trouble, together, trouble_of
from gnomon.llm.providers import BASE_URL, family, resolve, why_not

__all__ = ["Answer", "Kind", "Trouble", "ask", "ask_structured", "close", "family", "load", "why_not"]

NO_KEY = "none"
"""Sent to a server of one's own that wants no key: the client insists on one."""
NO_LIMIT = 3600.0
"""Seconds for the client's own limits. Ours holds; theirs would make a new connection pool for each value."""
SHAPE_RETRIES = 1

Shape = TypeVar("Shape", bound=BaseModel)

_asking: ContextVar[bool] = ContextVar("asking", default=False)
"""Whether what is sent now is a question of ours."""
_loading = threading.Lock()
_loaded = threading.Event()


async def ask(
    model: str, prompt: str, *, system: str | None = None, temperature: float | None = None, timeout: float = 60.0
) -> Answer:
    """What the model says to this prompt, within so many seconds; raises `Trouble` when there is no answer."""
    _, answer = await _complete(_request(model, prompt, system, temperature), timeout)
    return answer


async def ask_structured(
    model: str,
    prompt: str,
    shape: type[Shape],
    *,
    system: str | None = None,
    temperature: float | None = None,
    timeout: float = 60.0,
) -> tuple[Shape, Answer]:
    """As `ask`, for an answer of a shape. One that does not fit is sent back to the model once; both are counted.

    The limit of time holds for each of the two tries.
    """
    request = _request(model, prompt, system, temperature)
    await ready()
    instructor: Any = importlib.import_module("instructor")
    answers: list[Answer] = []
    troubles: list[Trouble] = []

    async def complete(**given: Any) -> Any:
        try:
            response, answer = await _complete(given, timeout)
        except Trouble as trouble:
            troubles.append(trouble)
            raise
        answers.append(answer)
        return response

    client = instructor.from_litellm(complete, mode=instructor.Mode.JSON_SCHEMA, async_client=True)
    try:
        value = await client.chat.completions.create(response_model=shape, max_retries=SHAPE_RETRIES, **request)
    except Exception as error:
        if troubles:
            troubles[0].spent = together([*answers, *filter(None, [troubles[0].spent])])
            raise troubles[0] from None
        if not answers:
            raise
        message = f"the answer does not have the shape {shape.__name__}: {_first_fault(error)}"
        raise Trouble("unreadable", message, evidence=answers[-1].text, spent=together(answers)) from None
    total = together(answers)
    assert total is not None
    # Instructor's own subclass of the shape carries the whole response along; callers get what they asked for.
    return shape.model_validate(value.model_dump(by_alias=True, include=set(shape.model_fields))), total


def _first_fault(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def _request(model: str, prompt: str, system: str | None, temperature: float | None) -> dict[str, Any]:
    told = [{"role": "system", "content": system}] if system is not None else []
    request = addressed(model) | {"messages": [*told, {"role": "user", "content": prompt}]}
    if temperature is not None:
        request["temperature"] = temperature
    return request


def addressed(model: str) -> dict[str, Any]:
    """Whom LiteLLM is to ask. Where that goes is settled here, from the environment; nothing else may say."""
    if reason := why_not(model, os.environ):
        raise Trouble("refused", reason)
    found = resolve(model, os.environ)
    assert found is not None
    provider, name = found
    request: dict[str, Any] = {"model": f"{provider}/{name}"}
    if provider == "openai" and (base_url := os.environ.get(BASE_URL)):
        request |= {"api_base": base_url, "api_key": os.environ.get("OPENAI_API_KEY") or NO_KEY}
    return request


async def _complete(request: Mapping[str, Any], timeout: float) -> tuple[Any, Answer]:
    response, answer = await complete(request, timeout)
    message = response.choices[0].message
    if not isinstance(message.content, str):
        provider, refusal = provider_of(request), declined(message)
        why = f"the model declined: {refusal}" if refusal else f"{provider} sent a message without content"
        raise Trouble("unreadable", why, evidence=refusal, spent=answer)
    return response, replace(answer, text=message.content)


async def complete(request: Mapping[str, Any], timeout: float) -> tuple[Any, Answer]:
    """One call and no retries: LiteLLM's response, which has a choice, and what it took, without its text."""
    litellm = await ready()
    provider = provider_of(request)
    handled, began = sys.exception(), time.perf_counter()
    ours = _asking.set(True)
    try:
        async with asyncio.timeout(timeout):
            response = await litellm.acompletion(**request, num_retries=0, max_retries=0, timeout=NO_LIMIT)
    except Exception as error:
        raise trouble_of(error, provider, handled=handled) from None
    finally:
        _asking.reset(ours)
    spent = _spent(response, (time.perf_counter() - began) * 1000)
    if not response.choices:
        raise Trouble("unreadable", f"{provider} sent an answer without choices", spent=spent)
    return response, spent


def provider_of(request: Mapping[str, Any]) -> str:
    return str(request["model"]).partition("/")[0]


def declined(message: Any) -> str | None:
    """Why the model would not answer, where it says so."""
    refusal = (getattr(message, "provider_specific_fields", None) or {}).get("refusal")
    return refusal if isinstance(refusal, str) and refusal else None


def _spent(response: Any, latency_ms: float) -> Answer:
    usage = getattr(response, "usage", None)
    tokens_input = _count(getattr(usage, "prompt_tokens", None))
    # LiteLLM fills a usage that is not there with zeros, and no prompt has none.
    known = bool(tokens_input)
    return Answer(
        text="",
        model=str(response.model),
        tokens_input=tokens_input if known else None,
        tokens_output=_count(getattr(usage, "completion_tokens", None)) if known else None,
        cost_usd=_price(response) if known else None,
        latency_ms=round(latency_ms, 3),
    )


def _count(tokens: Any) -> int | None:
    return tokens if isinstance(tokens, int) and tokens >= 0 else None


def _price(response: Any) -> float | None:
    """US dollars by LiteLLM's own table of prices; None for a model that is not in it."""
    cost = response._hidden_params.get("response_cost")
    return float(cost) if isinstance(cost, int | float) and math.isfinite(cost) and cost >= 0 else None


async def ready() -> Any:
    """LiteLLM, loaded beside the running loop the first time, so that leases are kept alive meanwhile."""
    return await asyncio.to_thread(load) if not _loaded.is_set() else load()


def load() -> Any:
    """LiteLLM, set up to do as it is told: no downloads, no settings from files, no callbacks, no words of its own."""
    with _loading:
        if not _loaded.is_set():
            _first_load()
            _loaded.set()
    return importlib.import_module("litellm")


def _first_load() -> None:
    # Read at import: prices come with the package instead of from the network, and a `.env` in the
    # current folder must not say whom to ask.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    try:
        with _nothing_to_collect():
            importlib.import_module("instructor")
            litellm: Any = importlib.import_module("litellm")
    except ImportError as missing:
        message = f"{missing.name} is not installed; install gnomon[judge] to ask models"
        raise Trouble("refused", message) from None
    _follow_no_redirects()
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = False
    litellm.callbacks = []
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "instructor", "httpx", "openai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings")


def _follow_no_redirects() -> None:
    """Only the operator says where prompts and keys go; a model's server may not send them on.

    LiteLLM makes its clients in many places, all of them to follow redirects, and has no setting for it. So the one
    call that all of them come through is told not to, for our questions only: this may be a user's own program.
    """
    import httpx

    def kept_here(send: Any) -> Any:
        @functools.wraps(send)
        def wrapped(client: Any, request: Any, **how: Any) -> Any:
            return send(client, request, **(how | {"follow_redirects": False} if _asking.get() else how))

        return wrapped

    for client in (httpx.Client, httpx.AsyncClient):
        client.send = kept_here(client.send)  # type: ignore[method-assign]


@contextmanager
def _nothing_to_collect() -> Iterator[None]:
    """What is made meanwhile stays as long as the process: the garbage collector need not walk through it, ever.

    That is a quarter of the time that loading takes, the walk at the end of the process included.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collecting:
            gc.enable()


async def close() -> None:
    """Close the connections that are kept open for the next question."""
    if _loaded.is_set():
        await load().close_litellm_async_clients()
