"""The replies that a script of the loopback model may contain, and their form in HTTP.

A reply is a value: text, a number, JSON for a structured answer, None for a message without content,
or one of the faults below. Everything that is sent follows from the request and the reply alone.
Sockets and waiting are the server's work.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from enum import Enum
from functools import cached_property
from typing import Any

from pydantic import BaseModel

CREATED = 1_700_000_000
"""When every answer claims to be made: a clock would make two runs differ."""


class ReportedUsage(Enum):
    """What `FullAnswer.usage` can be besides the JSON to send."""

    WORDS = "words counted as tokens"


@dataclass(frozen=True)
class Asked:
    """One request to the model as it came in. Header names are in lower case."""

    number: int
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @cached_property
    def prompt(self) -> str:
        """The text of the last message from the user."""
        return next((_content(message) for message in reversed(self.messages) if message.get("role") == "user"), "")

    @property
    def system(self) -> str | None:
        return next((_content(message) for message in self.messages if message.get("role") == "system"), None)

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        messages = self.body.get("messages")
        return messages if isinstance(messages, list) else []

    @property
    def texts(self) -> list[str]:
        """What is to be embedded, in a request for embeddings."""
        texts = self.body.get("input")
        return [texts] if isinstance(texts, str) else [str(text) for text in texts or ()]

    @property
    def tool(self) -> str | None:
        """The name of the first tool that the request offers, when it offers any."""
        tools = self.body.get("tools")
        return str(tools[0]["function"]["name"]) if tools else None


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in content)


@dataclass(frozen=True)
class FullAnswer:
    """An answer in full. `usage` None leaves the field out; any other JSON is sent as it is, right or wrong.

    `tool_calls` are (name, arguments) of the tools that the model asks for, as an agent's model does.
    """

    content: Any = None
    usage: Any = ReportedUsage.WORDS
    finish_reason: str = "stop"
    model: str | None = None
    refusal: str | None = None
    tool_calls: Sequence[tuple[str, Any]] = ()


@dataclass(frozen=True)
class RateLimited:
    """429. `retry_after` in seconds, as a moment (sent as an HTTP date) or as a raw header."""

    retry_after: float | datetime | str | None = None
    message: str = "Rate limit reached."
    code: str = "rate_limit_exceeded"


@dataclass(frozen=True)
class ServerError:
    status: int = 500
    message: str = "The server had an error."


@dataclass(frozen=True)
class ClientError:
    """A request that will not be answered however often it is sent."""

    status: int = 400
    message: str = "The request was refused."
    code: str | None = None


@dataclass(frozen=True)
class NotJson:
    """200, with a body that is not JSON: what a proxy's error page looks like."""

    text: str = "<html><body>Please sign in</body></html>"
    content_type: str = "text/html"


@dataclass(frozen=True)
class NoChoices:
    """200, and JSON, and no answer in it: `choices` is an empty list, or with `missing` not there at all."""

    missing: bool = False


@dataclass(frozen=True)
class Redirect:
    """Somewhere else is to be asked."""

    location: str
    status: int = 307


@dataclass(frozen=True)
class CutConnection:
    """The connection ends: before anything is sent, or in the middle of an answer's body."""

    mid_body: bool = False


@dataclass(frozen=True)
class Slow:
    """Wait, then reply."""

    seconds: float
    then: "Reply" = "1"


Fault = RateLimited | ServerError | ClientError | NotJson | NoChoices | Redirect | CutConnection
Reply = str | int | float | Mapping[str, Any] | Sequence[Any] | BaseModel | None | FullAnswer | Fault | Slow
Script = Reply | Iterable[Reply] | Callable[[Asked], Reply | Awaitable[Reply]]


@dataclass(frozen=True)
class HttpReply:
    """A reply as HTTP. `cut` is how many bytes go out before the connection ends; None is all, and it stays open."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    cut: int | None = None

    def wire(self) -> bytes:
        head = [f"HTTP/1.1 {self.status} Scripted", f"Content-Length: {len(self.body)}"]
        if not any(name.lower() == "content-type" for name, _ in self.headers):
            head.append("Content-Type: application/json")
        head += [f"{name}: {value}" for name, value in self.headers]
        whole = "\r\n".join([*head, "", ""]).encode("latin-1", "replace") + self.body
        return whole if self.cut is None else whole[: self.cut]


def sent(request: Asked, reply: Reply) -> HttpReply:
    """The bytes that say this reply to that request."""
    match reply:
        case RateLimited():
            return _error(429, reply.message, reply.code, _retry_after(reply.retry_after))
        case ServerError():
            return _error(reply.status, reply.message, "server_error")
        case ClientError():
            return _error(reply.status, reply.message, reply.code)
        case NotJson():
            return HttpReply(200, reply.text.encode(), (("Content-Type", reply.content_type),))
        case NoChoices():
            return _answer({**_envelope(request), **({} if reply.missing else {"choices": []})})
        case Redirect():
            return HttpReply(reply.status, b"", (("Location", reply.location),))
        case CutConnection(mid_body=False):
            return HttpReply(200, b"", cut=0)
        case CutConnection():
            whole = _completion(request, FullAnswer("an answer that nobody will read to its end"))
            return HttpReply(whole.status, whole.body, cut=len(whole.wire()) - len(whole.body) // 2)
        case FullAnswer():
            return _embedded(request, reply) if request.texts else _completion(request, reply)
        case Slow():
            return sent(request, reply.then)
        case _:
            return sent(request, FullAnswer(reply))


def _retry_after(when: float | datetime | str | None) -> tuple[tuple[str, str], ...]:
    if when is None:
        return ()
    shown = format_datetime(when, usegmt=True) if isinstance(when, datetime) else f"{when}"
    return (("Retry-After", shown),)


def _error(status: int, message: str, code: str | None, headers: tuple[tuple[str, str], ...] = ()) -> HttpReply:
    body = {"error": {"message": message, "type": "scripted", "param": None, "code": code}}
    return HttpReply(status, json.dumps(body).encode(), headers)


def _answer(body: Mapping[str, Any]) -> HttpReply:
    return HttpReply(200, json.dumps(body).encode())


def _envelope(request: Asked) -> dict[str, Any]:
    return {"id": f"loopback-{request.number}", "object": "chat.completion", "created": CREATED, "model": request.model}


def _completion(request: Asked, answer: FullAnswer) -> HttpReply:
    text = as_content(answer.content)
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": answer.refusal}
    finish = answer.finish_reason
    if answer.tool_calls:
        message["tool_calls"] = [_call(number, *call) for number, call in enumerate(answer.tool_calls, 1)]
        finish = "tool_calls"
    elif request.tool is not None and not isinstance(answer.content, str | None):
        message |= {"content": None, "tool_calls": [_call(1, request.tool, answer.content)]}
        finish = "tool_calls"
    body = _envelope(request) | {
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}]
    }
    if answer.model is not None:
        body["model"] = answer.model
    if answer.usage is not None:
        body["usage"] = _counted(request, text) if answer.usage is ReportedUsage.WORDS else answer.usage
    return _answer(body)


def _call(number: int, name: str, arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": as_content(arguments)}
    return {"id": f"call_{number}", "type": "function", "function": function}


def _embedded(request: Asked, answer: FullAnswer) -> HttpReply:
    """The vectors that the script says, or else one number per text: how long it is."""
    vectors = answer.content if isinstance(answer.content, list) else [[float(len(text))] for text in request.texts]
    data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
    body: dict[str, Any] = {"object": "list", "data": data, "model": answer.model or request.model}
    if answer.usage is ReportedUsage.WORDS:
        words = sum(len(text.split()) for text in request.texts)
        body["usage"] = {"prompt_tokens": words, "total_tokens": words}
    elif answer.usage is not None:
        body["usage"] = answer.usage
    return _answer(body)


def as_content(value: Any) -> str | None:
    """The text that a model would have written: strings as they are, everything else as JSON."""
    if value is None or isinstance(value, str):
        return value
    return value.model_dump_json() if isinstance(value, BaseModel) else json.dumps(value)


def _counted(request: Asked, text: str | None) -> dict[str, int]:
    prompt_words = sum(len(_content(message).split()) for message in request.messages)
    completion_words = len((text or "").split())
    return {
        "prompt_tokens": prompt_words,
        "completion_tokens": completion_words,
        "total_tokens": prompt_words + completion_words,
    }
