"""Tool calls as others write them down, read into one shape.

Known are OpenAI's chat messages (also the older `function_call`) and response items, Anthropic's blocks, Inspect's
and OpenTelemetry's messages, and plain {name, args}. Only what a model asked for is read here; what came back is for
the readers of whole conversations. Nothing is left out: a call that cannot be read is a call with a fault.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

RAW = "_raw"
"""The one argument of a call whose arguments are not a JSON object: what was written instead."""

_NAMES = ("name", "tool", "tool_name")
_ARGUMENTS = ("arguments", "args", "kwargs", "input", "parameters")
_IDS = ("call_id", "id", "tool_call_id")  # an OpenAI item has both of the first two; results name the first


@dataclass(frozen=True, slots=True)
class AskedCall:
    """One call that a model asked for. `fault` says what could not be read of it."""

    name: str
    args: dict[str, Any]
    id: str | None = None
    fault: str | None = None
    names_arguments: bool = True
    """False when arguments are not given, which differs from having none."""


def read_call(written: Any) -> AskedCall:
    """The call that this value stands for; without a name when there is none to be found."""
    if not isinstance(written, dict):
        return AskedCall("", {RAW: as_written(written)}, fault="is not an object")
    function = written.get("function")
    inner = function if isinstance(function, dict) else {}
    named: list[Any] = [function, inner.get("name"), *(written.get(key) for key in _NAMES)]
    kind = written.get("type")
    if isinstance(kind, str) and kind.endswith("_call") and kind not in ("tool_call", "function_call"):
        named.append(kind.removesuffix("_call"))  # hosted tools are named by their kind alone
    name: str = next((value for value in named if isinstance(value, str) and value), "")
    arguments = next((at[key] for at in (inner, written) for key in _ARGUMENTS if at.get(key) is not None), None)
    if arguments is None and name and isinstance(written.get("action"), dict):
        arguments = written["action"]
    if kind == "custom_tool_call" and isinstance(arguments, str):
        arguments = {"input": arguments}  # a tool that takes text, not an object
    args, fault = _arguments(arguments)
    return AskedCall(name, args, _id(written), fault if name else "has no name", arguments is not None)


def asked_in(message: dict[str, Any]) -> list[AskedCall]:
    """The calls of one message or item, in order, each once."""
    if is_call(message) and "role" not in message:
        return [read_call(message)]
    calls = list(map(read_call, _listed(message.get("tool_calls"))))
    if message.get("function_call") is not None:
        calls.append(read_call(message["function_call"]))
    known = {call.id for call in calls if call.id}
    # Some write a call both ways, as a block and in the list.
    blocks = (read_call(block) for block in blocks_of(message) if is_call(block))
    return calls + [call for call in blocks if call.id not in known]


def blocks_of(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What a message's content consists of, as far as it is in parts."""
    for key in ("content", "parts"):
        yield from (block for block in _listed(message.get(key)) if isinstance(block, dict))


def is_call(block: dict[str, Any]) -> bool:
    kind = block.get("type")
    return isinstance(kind, str) and kind.endswith(("tool_use", "_call"))


def as_written(value: Any) -> str:
    """A JSON value as text: a string as it is."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list | tuple) else [value]  # type: ignore[return-value]


def _arguments(value: Any) -> tuple[dict[str, Any], str | None]:
    read = value
    if isinstance(value, str):
        try:
            read = msgspec.json.decode(value) if value.strip() else None
        except (ValueError, RecursionError):
            read = value
    if isinstance(read, dict):
        return read, None
    return ({}, None) if read is None else ({RAW: as_written(value)}, "has arguments that are not a JSON object")


def _id(written: dict[str, Any]) -> str | None:
    id = next((written[key] for key in _IDS if written.get(key) not in (None, "")), None)
    return None if id is None or isinstance(id, dict | list) else str(id)
