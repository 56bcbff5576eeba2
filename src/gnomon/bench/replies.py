"""What an agent says, as JSON, read into a turn: {"text", "tool_calls": [{"name", "args", "id"}]}.

Whatever is not a turn is told in one line. Arguments that cannot be read are a fault of their call alone, which the
agent then hears of.
"""

from collections.abc import Mapping
from typing import Any

from gnomon.bench.protocol import AgentFailed, AskedCall, Reply
from gnomon.errors import GnomonError
from gnomon.llm.answer import one_line
from gnomon.llm.chat import arguments_of
from gnomon.model import jsonvalue
from gnomon.shorten import shorten

_KEYS = ("text", "tool_calls", "tokens_input", "tokens_output", "cost_usd", "model")
_CALL_KEYS = ("name", "args", "arguments", "id")


def read_reply(reply: Any) -> Reply:
    """A turn from what was parsed or made in Python; raises `AgentFailed` when it is none."""
    if isinstance(reply, Reply):
        reply = {key: getattr(reply, key) for key in _KEYS}
    if not isinstance(reply, dict):
        raise AgentFailed(f"the answer is {_named(reply)}, not an object with text and tool_calls")
    for key in reply:
        if key not in _KEYS:
            raise AgentFailed(f"the answer has the key {one_line(str(key))[:60]!r}; known are {', '.join(_KEYS)}")
    text, model = reply.get("text"), reply.get("model")
    if not isinstance(text, str | None):
        raise AgentFailed(f"text is {_named(text)}; it has to be a string or null")
    if not isinstance(model, str | None):
        raise AgentFailed(f"model is {_named(model)}; it has to be a string or null")
    calls = reply.get("tool_calls")
    if not isinstance(calls, list | tuple | None):
        raise AgentFailed(f"tool_calls is {_named(calls)}; it has to be a list")
    return Reply(
        text,
        tuple(_read_call(call, number) for number, call in enumerate(calls or ())),
        _amount(reply, "tokens_input", int),
        _amount(reply, "tokens_output", int),
        _amount(reply, "cost_usd", float),
        model,
    )


def _read_call(call: Any, number: int) -> AskedCall:
    if isinstance(call, AskedCall):
        if call.fault is not None:
            return call
        call = {"name": call.name, "args": call.args, "id": call.id}
    where = f"tool_calls[{number}]"
    if not isinstance(call, dict):
        raise AgentFailed(f"{where} is {_named(call)}; it has to be an object with name and args")
    for key in call:
        if key not in _CALL_KEYS:
            raise AgentFailed(f"{where} has the key {one_line(str(key))[:60]!r}; known are {', '.join(_CALL_KEYS)}")
    name, id = call.get("name"), call.get("id")
    if not isinstance(name, str) or not name:
        raise AgentFailed(f"{where}.name is {_named(name)}; it has to be the name of a tool")
    if not isinstance(id, str | None):
        raise AgentFailed(f"{where}.id is {_named(id)}; it has to be a string or null")
    if "args" in call and "arguments" in call:
        raise AgentFailed(f"{where} has both args and arguments; give one of them")
    arguments, fault = arguments_of(call.get("args", call.get("arguments")))
    return AskedCall(name, arguments, id, fault)


def _amount(reply: Mapping[str, Any], key: str, kind: type[Any]) -> Any:
    value = reply.get(key)
    if value is None:
        return None
    right = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e15
    if not right or (kind is int and value != int(value)):
        raise AgentFailed(f"{key} is {_named(value)}; it has to be a number that is not negative")
    return kind(value)


def _named(value: Any) -> str:
    if value is None:
        return "missing"
    kinds = {
        dict: "an object",
        list: "a list",
        str: "a string",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return f"{kinds.get(type(value), type(value).__name__)} ({shorten(one_line(repr(value)), 60)})"


def parse_reply(body: bytes) -> Reply:
    """A turn from its JSON text."""
    try:
        parsed = jsonvalue.read(body)
    except GnomonError as bad:
        shown = one_line(body[:200].decode("utf-8", "replace"))[:60]
        why = bad.message.rpartition("can take: ")[2]
        raise AgentFailed(f"the answer is not JSON ({one_line(why)[:100]}): {shown!r}") from None
    return read_reply(parsed)
