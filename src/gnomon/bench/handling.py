"""Answer a tool call of an agent: read and check the arguments, measure the time, raise nothing."""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import msgspec

from gnomon.bench.protocol import AskedCall
from gnomon.bench.toolbox import Args, BadArgument, Response, error
from gnomon.errors import InvalidInput
from gnomon.model import jsonvalue
from gnomon.model.transcript import ToolCall

NOBODY = "none"
"""What answered a call of a tool that does not exist."""
Respond = Callable[[str, Args, str | None], Awaitable[tuple[Response, str]]]
"""(tool, arguments, why they are not to be used) → the response, and the name of what gave it."""


class Handler(Protocol):
    """Answers some tools. May raise `BadArgument`."""

    def can_handle(self, tool: str) -> bool: ...

    async def handle(self, tool: str, args: Args) -> Response: ...


class Router:
    """Finds the first handler that can answer a call."""

    def __init__(self, handlers: Sequence[Handler]) -> None:
        self._handlers = handlers

    def handler_of(self, tool: str) -> Handler | None:
        return next((handler for handler in self._handlers if handler.can_handle(tool)), None)

    async def route(self, tool: str, args: Args) -> tuple[Response, str]:
        """The response, and the class of the handler that gave it."""
        handler = self.handler_of(tool)
        if handler is None:
            return error("Unknown tool"), NOBODY
        try:
            return await handler.handle(tool, args), type(handler).__name__
        except BadArgument as bad:
            return error(str(bad)), type(handler).__name__


async def answered(asked_call: AskedCall, tool: str, respond: Respond, refusal: str | None = None) -> ToolCall:
    """The call as a transcript records it. A response that has the status `error` is not ok."""
    started = time.perf_counter()
    args, fault = json_arguments(asked_call)
    response, routed_to = await respond(tool, args, fault or refusal)
    return ToolCall(
        tool=tool, args=args, result=response, routed_to=routed_to, id=asked_call.id,
        ok=response.get("status") != "error", duration_ms=round((time.perf_counter() - started) * 1000, 3),
    )  # fmt: skip


def readable(text: str) -> str:
    """The text with every character replaced that cannot be stored: NUL and halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def json_arguments(asked_call: AskedCall) -> tuple[dict[str, Any], str | None]:
    """Arguments as they can be recorded, or none and why not."""
    if asked_call.fault is not None:
        return {}, f"The arguments could not be read: {readable(asked_call.fault)[:200]}"
    try:
        args = jsonvalue.read(msgspec.json.encode(asked_call.args))
        if not isinstance(args, dict):
            return {}, "The arguments are not a JSON object"
        jsonvalue.not_too_deep(args)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError, InvalidInput):
        return {}, "The arguments are not JSON that can be kept: no NUL, no half characters, no endless nesting"
    return args, None
