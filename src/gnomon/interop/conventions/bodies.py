"""Whole requests and responses of model APIs, which many instrumentations write down as they are.

A value that is none of these stays what it is: these readers only look at the inputs and outputs of model calls.
"""

from typing import Any

from gnomon.interop.conventions import chat, values
from gnomon.interop.conventions.chat import Message

_SYSTEM = ("system", "instructions", "systemInstruction", "system_instruction")
_ASKED = ("messages", "input", "contents", "prompt")
_SAID = ("choices", "output", "candidates", "generations", "message", "new_messages")


def request(value: Any, is_model_call: bool) -> Any:
    """The messages of a request to a model; the value itself where there are none, and of other spans."""
    value = values.decoded(value)
    return input_messages(value) if is_model_call else value


def request_json(value: Any, is_model_call: bool) -> Any:
    """The messages of a request to a model, or another value, as JSON text."""
    value = values.json(value)
    return input_messages(value) if is_model_call else value


def response(value: Any, is_model_call: bool) -> Any:
    """What a model said in a response; the value itself where that is unclear, and for other spans."""
    value = values.decoded(value)
    return output_messages(value) if is_model_call else value


def response_json(value: Any, is_model_call: bool) -> Any:
    """What a model said in a response, or another value, as JSON text."""
    value = values.json(value)
    return output_messages(value) if is_model_call else value


def messages(value: Any, _is_model_call: bool) -> Any:
    """Messages, whatever the span does."""
    return chat.messages(value)


def answer(value: Any, _is_model_call: bool) -> Any:
    """The answer in the messages, for a span of any kind. Tool calls whose results follow are left out."""
    messages = chat.messages(value)
    return chat.answer(_without_steps(messages) or messages)


def _without_steps(messages: list[Message] | None) -> list[Message]:
    done = {message.get("tool_call_id") for message in messages or () if message["role"] == "tool"}
    if not done:
        return messages or []
    left = []
    for message in messages or ():
        calls = [call for call in message.get("tool_calls", ()) if call.get("id") not in done]
        kept = {key: value for key, value in message.items() if key != "tool_calls"}
        left += [] if message["role"] == "tool" else [{**kept, "tool_calls": calls} if calls else kept]
    return [message for message in left if len(message) > 1]


def numbered_messages(value: Any, _is_model_call: bool) -> Any:
    """Messages, made up of numbered attributes; None where they tell nothing but roles."""
    return chat.telling(chat.read(value))


def numbered_answer(value: Any, _is_model_call: bool) -> Any:
    """The answer of messages, made up of numbered attributes."""
    return chat.answer(chat.read(value))


def as_is(value: Any, _is_model_call: bool) -> Any:
    """What the attribute says, an object or a list where it plainly is JSON."""
    return values.decoded(value)


def result(value: Any, _is_model_call: bool) -> Any:
    """The value read as JSON where it plainly is JSON, including a text in quotes."""
    is_quoted = type(value) is str and len(value) > 1 and value[0] == value[-1] == '"'
    return values.json(value) if is_quoted else values.decoded(value)


def json(value: Any, _is_model_call: bool) -> Any:
    """What the attribute's JSON text says."""
    return values.json(value)


def state(value: Any) -> list[Message] | None:
    """The messages of a state that is nothing else, as LangGraph's agents have it."""
    return _messages(value["messages"]) if type(value) is dict and value.keys() == {"messages"} else None


def input_messages(value: Any) -> Any:
    """The messages of a request's value, or the value itself."""
    if type(value) is dict and "role" in value:
        value = [value]
    if type(value) is list:
        return _messages(value) or value
    if type(value) is not dict:
        return value
    prompt = next((value[key] for key in _ASKED if value.get(key)), None)
    messages = [{"role": "user", "content": prompt}] if type(prompt) is str else _messages(prompt)
    if messages is None:
        return value
    instructions = next((value[key] for key in _SYSTEM if value.get(key)), None)
    return with_system(chat.read({"role": "system", "content": instructions}), messages)


def with_system(system: list[Message] | None, messages: list[Message]) -> list[Message]:
    """The messages with the instructions before them, unless they hold them already."""
    if not system or len(system[0]) < 2 or messages[0] == system[0]:
        return messages
    return [*system, *messages]


def output_messages(value: Any) -> Any:
    """The answer in a response's value (see `chat.answer`), or the value itself."""
    if type(value) is dict:
        inner = next((value[key] for key in _SAID if value.get(key)), None)
        if inner is None and not ("role" in value and "content" in value):
            return value
        value, whole = (value, value) if inner is None else (inner, value)
    else:
        whole = value
    if type(value) is dict:
        value = [value]
    messages = _messages(value) if type(value) is list else None
    return whole if messages is None else chat.answer(messages)


def _messages(value: Any) -> list[Message] | None:
    """Messages, where every entry is one: a list of texts or of documents is none."""
    if type(value) is not list or not value or not all(type(element) in (dict, list) for element in value):
        return None
    messages = chat.read(value)
    return messages if messages is not None and len(messages) >= len(value) else None
