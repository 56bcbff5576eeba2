"""Asks every other provider: LiteLLM speaks to it, Instructor fits answers to a shape.

Both take seconds and 150 MB to load, so they are loaded by the first question that needs them (`load` does it sooner).
This may be a user's own program: loading leaves its environment, loggers, warnings and signal handlers as they were,
and what our questions need of the process is changed only while one of them is in flight.
"""

import asyncio
import functools
import gc
import json
import logging
import os
import re
import sys
import threading
import warnings
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from pydantic import BaseModel

from gnomon.extras import install_command
from gnomon.llm.answer import Trouble, by_status
from gnomon.llm.providers import BASE_URL, NO_KEY
from gnomon.llm.transport import (
    LONGEST_BODY,
    Completion,
    ModelRequest,
    RawCall,
    Vectors,
    not_an_answer,
    tokens_of,
    too_long,
    vectors_of,
)

NO_LIMIT = 3600.0
"""Seconds for the client's own limits. Ours holds; theirs would make a new connection pool for each value."""
SHAPE_RETRIES = 1
OWN_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
NOISY_LOGGERS = (*OWN_LOGGERS, "instructor", "httpx", "openai")
_WARNINGS = ("Pydantic serializer warnings", ".*`ReadOnly` qualifier.*")
"""What LiteLLM's classes make pydantic say."""
_PACKS_VECTORS = ("openai", "azure", "hosted_vllm")
"""Whose embeddings come as base64 unless they are asked for as numbers."""
_ABOUT_TOOLS = ("tool_choice", "parallel_tool_calls")

_asking: ContextVar[bool] = ContextVar("asking", default=False)
"""Whether what is sent now is a question of ours."""
_loading = threading.Lock()
_loaded = threading.Event()


async def complete(request: ModelRequest, timeout: float) -> Completion:
    litellm = load()
    sent = {**request.settings, **_addressed(request.provider, request.name), "messages": list(request.messages)}
    if request.tools:
        sent = _offering(litellm, sent, list(request.tools))
    response = await _called(litellm.acompletion(**sent, **_once(), max_retries=0), request.provider, timeout)
    service = getattr(response, "service_tier", None)
    answered = Completion(
        model=str(response.model),
        tokens=tokens_of(_plain_usage(response)),
        service=service if isinstance(service, str) else None,
        has_choice=bool(response.choices),
        raw=response,
    )
    if not response.choices:
        return answered
    message, finish = response.choices[0].message, response.choices[0].finish_reason
    if isinstance(message.content, str) and len(message.content) > LONGEST_BODY:
        raise too_long(request.provider)
    return replace(
        answered,
        content=message.content if isinstance(message.content, str) else None,
        refusal=_refusal(message),
        calls=tuple(
            RawCall(call.id, call.function.name, call.function.arguments)
            for call in getattr(message, "tool_calls", None) or ()
        ),
        finish=finish if isinstance(finish, str) else None,
    )


async def embed(provider: str, name: str, texts: Sequence[str], timeout: float) -> Vectors:
    litellm = load()
    sent = _addressed(provider, name) | {"input": list(texts)}
    if provider in _PACKS_VECTORS:
        sent["encoding_format"] = "float"
    response = await _called(litellm.aembedding(**sent, **_once(), max_retries=_NoRetries()), provider, timeout)
    vectors = vectors_of(response.data, texts, provider)
    return Vectors(vectors, str(response.model), tokens_of(_plain_usage(response), needs_output=False))


async def fitted(
    ask_once: Callable[[Sequence[Mapping[str, Any]], Mapping[str, Any]], Awaitable[Completion]],
    shape: type[BaseModel],
    messages: Sequence[Mapping[str, Any]],
    settings: Mapping[str, Any],
) -> Any:
    """An answer of a shape, by Instructor: one that does not fit is sent back to the model once."""
    await ready()
    instructor: Any = import_module("instructor")

    async def create(**arguments: Any) -> Any:
        arguments.pop("model", None)
        messages = arguments.pop("messages")
        return (await ask_once(messages, arguments)).raw

    client = instructor.from_litellm(create, mode=instructor.Mode.JSON_SCHEMA, async_client=True)
    value = await client.chat.completions.create(
        model="-", messages=list(messages), response_model=shape, max_retries=SHAPE_RETRIES, **settings
    )
    # Instructor's own subclass of the shape carries the whole response along; callers get what they asked for.
    return shape.model_validate(value.model_dump(by_alias=True, include=set(shape.model_fields)))


async def close() -> None:
    """Close the connections that are kept open for the next question."""
    if _loaded.is_set():
        await load().close_litellm_async_clients()


# --- one call -----


def _addressed(provider: str, name: str) -> dict[str, Any]:
    """Whom LiteLLM is to ask. Where that goes is settled here, from the environment; nothing else may say."""
    sent: dict[str, Any] = {"model": f"{provider}/{name}"}
    if provider == "openai" and (base_url := os.environ.get(BASE_URL)):
        sent |= {"api_base": base_url, "api_key": os.environ.get("OPENAI_API_KEY") or NO_KEY}
    return sent


def _once() -> dict[str, Any]:
    """No retries, no limit of time but ours, and no setting left out because a provider does not know it."""
    return {"num_retries": 0, "timeout": NO_LIMIT, "drop_params": False}


class _NoRetries(int):
    """0, which LiteLLM's embeddings take for "not given" where it is false: they would ask three times."""

    def __bool__(self) -> bool:
        return True


async def _called(question: Awaitable[Any], provider: str, timeout: float) -> Any:
    handled = sys.exception()
    token = _asking.set(True)
    try:
        with _while_asking():
            async with asyncio.timeout(timeout):
                return await question
    except Exception as error:
        raise trouble_of(error, provider, handled=handled) from None
    finally:
        _asking.reset(token)


def _plain_usage(response: Any) -> Any:
    usage = getattr(response, "usage", None)
    return usage.model_dump() if isinstance(usage, BaseModel) else usage


def _refusal(message: Any) -> str | None:
    refusal = (getattr(message, "provider_specific_fields", None) or {}).get("refusal")
    return refusal if isinstance(refusal, str) and refusal else None


def _offering(litellm: Any, sent: dict[str, Any], tools: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The request with its tools.

    A server of one's own gets them as they are, if its model is none that LiteLLM knows to want them otherwise: LiteLLM
    and the client under it would walk through every tool of every call, which is a third of what a call takes.
    """
    if "api_base" not in sent or sent["model"].partition("/")[2] in litellm.model_cost:
        return {**sent, "tools": tools, **_plain(litellm)}
    about_tools = {name: sent[name] for name in _ABOUT_TOOLS if name in sent}
    rest = {name: value for name, value in sent.items() if name not in about_tools}
    return {**rest, "extra_body": {"tools": tools, **about_tools}}


@cache
def _plain(litellm: Any) -> dict[str, bool]:
    """These tools are the caller's own: a LiteLLM that would look for servers of tools first, and for a package that
    speaks with them, is told not to."""
    looks_for_servers = Path(litellm.__file__).parent / "responses" / "mcp" / "chat_completions_handler.py"
    return {"_skip_mcp_handler": True} if looks_for_servers.exists() else {}


# --- what went wrong -----


def trouble_of(error: BaseException, provider: str, *, handled: BaseException | None = None) -> Trouble:
    """An exception of LiteLLM as trouble. `handled` is an exception from before the call, to be ignored."""
    import httpx

    for link in _causes(error, handled):
        if isinstance(link, Trouble):
            return link
        if isinstance(link, httpx.HTTPStatusError):
            return by_status(
                link.response.status_code, link.response.headers, *_message_and_code(link.response, error), provider
            )
        if isinstance(link, TimeoutError | httpx.TimeoutException):
            return Trouble("timeout", f"{provider} did not answer in time")
        if isinstance(link, httpx.TransportError | ConnectionError):
            return Trouble("connection", f"the connection to {provider} failed: {type(link).__name__} {link}")
    status = getattr(error, "status_code", None)
    # Without a response behind it, a 500 is the library's own word for an answer that it cannot read.
    if isinstance(status, int) and 400 <= status < 600 and status != 500:
        return by_status(status, {}, _own_words(error), None, provider)
    return not_an_answer(provider, _own_words(error))


def _causes(error: BaseException | None, until: BaseException | None = None) -> Iterator[BaseException]:
    """An error, what caused it, and so on down."""
    seen: set[int] = set()
    while error is not None and error is not until and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _message_and_code(response: Any, error: BaseException) -> tuple[str, str | None]:
    """The provider's own message and its code, from the body that most of them send."""
    try:
        body = response.json()
        problem = body["error"] if isinstance(body.get("error"), dict) else body
        message, code = problem.get("message"), problem.get("code")
    except Exception:  # a body that was not read, is not JSON, or has no such fields
        return _own_words(error), None
    return (message if isinstance(message, str) else _own_words(error)), (code if isinstance(code, str) else None)


def _own_words(error: BaseException) -> str:
    """A library's message without its own prefixes and tracebacks."""
    text = str(getattr(error, "message", None) or error).partition("Traceback (most recent")[0]
    return re.sub(r"^(?:[\w.]*(?:Error|Exception|Timeout)\b[\s:-]*)+", "", text).strip() or type(error).__name__


# --- while a question is in flight -----

_in_flight = 0
_undo = ExitStack()
_counting = threading.Lock()


@contextmanager
def _while_asking() -> Iterator[None]:
    """The first question in flight changes what our questions need, and the last one changes it back."""
    global _in_flight
    with _counting:
        _in_flight += 1
        if _in_flight == 1:
            _undo.enter_context(_no_redirects())
            _undo.enter_context(_no_words())
    try:
        yield
    finally:
        with _counting:
            _in_flight -= 1
            if _in_flight == 0:
                _undo.close()


@contextmanager
def _no_redirects() -> Iterator[None]:
    """Only the operator says where prompts and keys go; a model's server may not send them on.

    LiteLLM makes its clients in many places, all of them to follow redirects, and has no setting for it. So the one
    call that all of them go through is changed to follow none, for our own questions only.
    """
    import httpx

    kinds: list[tuple[Any, Any]] = [(httpx.Client, _kept_here), (httpx.AsyncClient, _kept_here_async)]
    changed = []
    for kind, wrapper in kinds:
        before = kind.send
        kind.send = wrapped = wrapper(before)
        changed.append((kind, before, wrapped))
    try:
        yield
    finally:
        for kind, before, wrapped in changed:
            if kind.send is wrapped:  # else somebody has wrapped it meanwhile, and ours does nothing any more
                kind.send = before


def _kept_here(send: Any) -> Any:
    @functools.wraps(send)
    def wrapped(client: Any, request: Any, **how: Any) -> Any:
        return send(client, request, **(how | {"follow_redirects": False} if _asking.get() else how))

    return wrapped


def _kept_here_async(send: Any) -> Any:
    @functools.wraps(send)
    async def wrapped(client: Any, request: Any, **how: Any) -> Any:
        if not _asking.get():
            return await send(client, request, **how)
        return await _with_sane_usage(await send(client, request, **(how | {"follow_redirects": False})))

    return wrapped


async def _with_sane_usage(response: Any) -> Any:
    """The answer without a `usage` that LiteLLM would read wrongly or fail at: to us it is unknown, not an error."""
    import httpx

    content = await response.aread()
    if response.status_code != 200 or b'"usage"' not in content:
        return response
    try:
        body = json.loads(content)
        usage = body["usage"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return response
    if isinstance(usage, dict):
        is_openais = "prompt_tokens" in usage or "completion_tokens" in usage
        if not is_openais or tokens_of(usage, needs_output="data" not in body):
            return response
    del body["usage"]
    headers = [(name, value) for name, value in response.headers.items() if not name.startswith("content-")]
    kept = [*headers, ("content-type", "application/json")]
    return httpx.Response(200, headers=kept, content=msgspec.json.encode(body), request=response.request)


@contextmanager
def _no_words() -> Iterator[None]:
    """LiteLLM prints and logs what goes wrong; our callers get a `Trouble`."""
    litellm: Any = import_module("litellm")
    printed, litellm.suppress_debug_info = litellm.suppress_debug_info, True
    ignored = [_ignore(message) for message in _WARNINGS]
    loggers = [logging.getLogger(name) for name in OWN_LOGGERS]
    for logger in loggers:
        logger.addFilter(_not_ours)
    try:
        yield
    finally:
        litellm.suppress_debug_info = printed
        for ignore in ignored:
            if ignore in warnings.filters:
                warnings.filters.remove(ignore)  # type: ignore[attr-defined]
        for logger in loggers:
            logger.removeFilter(_not_ours)


def _ignore(message: str) -> Any:
    """A filter for warnings, as it stands in the list of them."""
    warnings.filterwarnings("ignore", message=message)
    return warnings.filters[0]


def _not_ours(_: logging.LogRecord) -> bool:
    return not _asking.get()


# --- loading -----


async def ready() -> None:
    """Load LiteLLM beside the running loop the first time, so that leases are kept alive meanwhile."""
    if not _loaded.is_set():
        await asyncio.to_thread(load)


def load() -> Any:
    """LiteLLM, with nothing else in this process changed."""
    with _loading:
        if not _loaded.is_set():
            _first_load()
            _loaded.set()
    return import_module("litellm")


def _first_load() -> None:
    try:
        with _as_before(), _no_collection():
            # Read at import: prices come with the package instead of from the network, and a `.env` in the
            # current folder must not say whom to ask.
            os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
            os.environ["LITELLM_MODE"] = "PRODUCTION"
            import_module("instructor")
            litellm: Any = import_module("litellm")
            assert litellm.model_cost
    except ImportError as missing:
        message = f"asking models needs {missing.name}; run: {install_command('judge')}"
        raise Trouble("refused", message) from None


@contextmanager
def _as_before() -> Iterator[None]:
    """Environment, warning filters, hooks and other libraries' loggers are afterwards what they were."""
    environ, hook = dict(os.environ), sys.excepthook
    loggers = {name: _state(logging.getLogger(name)) for name in [*logging.Logger.manager.loggerDict, ""]}
    with warnings.catch_warnings():
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(environ)
            sys.excepthook = hook
            for name in [*logging.Logger.manager.loggerDict, ""]:
                if name not in OWN_LOGGERS:
                    _set_state(logging.getLogger(name), *loggers.get(name, (logging.NOTSET, [], [])))


def _state(logger: logging.Logger) -> tuple[int, list[Any], list[Any]]:
    return logger.level, list(logger.handlers), list(logger.filters)


def _set_state(logger: logging.Logger, level: int, handlers: list[Any], filters: list[Any]) -> None:
    if logger.level != level:
        logger.setLevel(level)
    logger.handlers[:], logger.filters[:] = handlers, filters


@contextmanager
def _no_collection() -> Iterator[None]:
    """Hundreds of thousands of objects are made that all stay: walking through them takes a quarter of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def silence() -> None:
    """No words of these libraries in this process, for one that is our own command."""
    for name in NOISY_LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    for message in _WARNINGS:
        warnings.filterwarnings("ignore", message=message)
