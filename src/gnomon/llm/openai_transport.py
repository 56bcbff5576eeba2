"""Asks an endpoint that speaks OpenAI's protocol directly: one HTTP request, one answer, nothing in between.

Where a request goes and with which key is settled by `providers.endpoint`, from the operator's environment. Redirects
are not followed. Connections are kept open for the next question, for each event loop its own.
"""

import asyncio
import contextlib
import json
import os
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import msgspec

from gnomon._version import __version__
from gnomon.extras import install_command
from gnomon.llm.answer import Trouble, by_status
from gnomon.llm.providers import ModelEndpoint, endpoint
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
from gnomon.loops import PerLoop

IDLE_SECONDS = 30.0
"""For so long an unused connection is kept open."""

_encode = msgspec.json.Encoder().encode


class _Message(msgspec.Struct):
    content: Any = None
    refusal: Any = None
    tool_calls: Any = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    finish_reason: Any = None


class _Body(msgspec.Struct):
    """What is read of an answer. Only `choices` must have its form; all else may be missing or nonsense."""

    choices: list[_Choice]
    usage: Any = None
    model: Any = None
    service_tier: Any = None


class _Embedded(msgspec.Struct):
    data: Any
    usage: Any = None
    model: Any = None


class _Failure(msgspec.Struct):
    error: Any = None
    message: Any = None
    code: Any = None


async def complete(request: ModelRequest, timeout: float) -> Completion:
    sent: dict[str, Any] = {**_settings(request), "model": request.name, "messages": request.messages}
    if request.tools:
        sent["tools"] = request.tools
    body = _read_as(_Body, await _post(request.provider, "/chat/completions", sent, timeout), request.provider)
    answered = Completion(
        model=body.model if isinstance(body.model, str) else request.name,
        tokens=tokens_of(body.usage),
        service=body.service_tier if isinstance(body.service_tier, str) else None,
        has_choice=bool(body.choices),
    )
    if not body.choices:
        return answered
    choice = body.choices[0]
    message = choice.message or _Message()
    return replace(
        answered,
        content=message.content if isinstance(message.content, str) else None,
        refusal=message.refusal if isinstance(message.refusal, str) and message.refusal else None,
        calls=_calls(message.tool_calls),
        finish=choice.finish_reason if isinstance(choice.finish_reason, str) else None,
    )


def _settings(request: ModelRequest) -> Mapping[str, Any]:
    """OpenAI's reasoning models know the longest answer by another name only."""
    settings = request.settings
    if "max_tokens" in settings and request.name.startswith(("o1", "o3", "o4", "gpt-5")):
        return {"max_completion_tokens": settings["max_tokens"]} | {
            name: value for name, value in settings.items() if name != "max_tokens"
        }
    return settings


def _calls(value: Any) -> tuple[RawCall, ...]:
    calls = [call for call in value if isinstance(call, dict)] if isinstance(value, list) else []
    functions = [call["function"] if isinstance(call.get("function"), dict) else {} for call in calls]
    return tuple(
        RawCall(call.get("id"), function.get("name"), function.get("arguments"))
        for call, function in zip(calls, functions, strict=True)
    )


async def embed(provider: str, name: str, texts: Sequence[str], timeout: float) -> Vectors:
    sent = {"model": name, "input": texts, "encoding_format": "float"}
    body = _read_as(_Embedded, await _post(provider, "/embeddings", sent, timeout), provider)
    vectors = vectors_of(body.data, texts, provider)
    model = body.model if isinstance(body.model, str) else name
    return Vectors(vectors, model, tokens_of(body.usage, needs_output=False))


async def close() -> None:
    """Close this loop's connections."""
    await _clients.close()


async def ready() -> None:
    load()


def load() -> Any:
    """The HTTP client, which takes a quarter of a second to load."""
    try:
        return import_module("aiohttp")
    except ImportError:
        raise Trouble("refused", f"asking models needs aiohttp; run: {install_command('judge')}") from None


# --- one request -----


async def _post(provider: str, path: str, sent: Mapping[str, Any], timeout: float) -> bytes:
    """The body of an answer with status 200."""
    target = endpoint(provider, os.environ)
    assert target is not None, f"{provider} has no endpoint that speaks OpenAI's protocol"
    aiohttp = load()
    try:
        content = _encode(sent)
    except (TypeError, ValueError, RecursionError, msgspec.EncodeError) as fault:
        raise Trouble("refused", f"the question cannot be written as JSON: {fault}") from None
    client = await _clients.get()
    try:
        async with asyncio.timeout(timeout):
            async with client.session.post(
                target.base_url + path,
                data=content,
                headers=_headers(target),
                allow_redirects=False,
                **client.options_for(target.base_url, aiohttp),
            ) as response:
                body = await _limited(response, provider)
                status, headers = response.status, response.headers
    except TimeoutError:
        raise Trouble("timeout", f"{provider} did not answer in time") from None
    except (aiohttp.ClientError, OSError, ValueError) as fault:
        why = fault.os_error if isinstance(fault, aiohttp.ClientConnectorError) else fault
        raise Trouble("connection", f"the connection to {provider} failed: {type(fault).__name__} {why}") from None
    if status == 200:
        return body
    raise by_status(status, headers, *_problem(body), provider)


async def _limited(response: Any, provider: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > LONGEST_BODY:
            raise too_long(provider)
    return b"".join(parts)


def _headers(target: ModelEndpoint) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {target.key}",
        "Content-Type": "application/json",
        "Accept": "application/json",
        "User-Agent": f"gnomon/{__version__}",
        **target.headers,
    }


def _problem(body: bytes) -> tuple[str, str | None]:
    """The provider's own message and its code, from the body that most of them send."""
    try:
        failure = msgspec.json.decode(body, type=_Failure)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return body[:1000].decode("utf-8", "replace").strip() or "nothing more", None
    problem = failure.error if isinstance(failure.error, dict) else {"message": failure.message, "code": failure.code}
    message, code = problem.get("message"), problem.get("code")
    shown = message if isinstance(message, str) else body[:1000].decode("utf-8", "replace")
    return shown, code if isinstance(code, str) else None


def _read_as(kind: type[Any], body: bytes, provider: str) -> Any:
    try:
        try:
            return msgspec.json.decode(body, type=kind)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:  # NaN and lone surrogates are not JSON, but servers send them
            return msgspec.convert(json.loads(body), type=kind)
    except (ValueError, RecursionError) as fault:
        raise not_an_answer(provider, str(fault) or type(fault).__name__) from None


# --- connections -----


class _Client(NamedTuple):
    session: Any
    options: dict[str, dict[str, Any]]

    def options_for(self, base_url: str, aiohttp: Any) -> dict[str, Any]:
        """Proxy and certificates for this address, looked up once: doing it per call takes longer than the call."""
        if base_url not in self.options:
            trusted = {"ssl": _trusted()} if base_url.startswith("https:") else {}
            self.options[base_url] = _proxy(base_url, aiohttp) | trusted
        return self.options[base_url]


def _client() -> _Client:
    aiohttp = load()
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_SECONDS)
    session = aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
    )
    return _Client(session, {})


async def _close(client: _Client) -> None:
    await client.session.close()


_clients = PerLoop(_client, _close)


def _proxy(base_url: str, aiohttp: Any) -> dict[str, Any]:
    address = urlsplit(base_url)
    proxies = getproxies()
    proxy = proxies.get(address.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(address.netloc):
        return {}
    url = import_module("yarl").URL(proxy if "://" in proxy else f"http://{proxy}")
    return {"proxy": url.with_user(None), "proxy_auth": aiohttp.BasicAuth.from_url(url)}


def _trusted() -> ssl.SSLContext:
    """The system's certificates and, if installed, certifi's: small containers have no others."""
    context = ssl.create_default_context()
    if "SSL_CERT_FILE" not in os.environ:
        with contextlib.suppress(ImportError, OSError):
            context.load_verify_locations(import_module("certifi").where())
    return context
