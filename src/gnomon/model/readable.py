"""What a person reads of an input or an output: the one definition for the review queue, commands and judges.

A list of messages is shown as the last message that is meant: the user's of an input, the assistant's of an output.
Any other JSON is shown as lines of `key: value`, and what is inside it as indented ones.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from gnomon.model.jsonvalue import JsonValue, dump

TextFormat = Literal["text", "chat", "json"]
_USER = ("user", "human")
_ASSISTANT = ("assistant", "ai", "model")
_HOLDS = frozenset({"content", "parts", "tool_calls"})
_CALLS = frozenset({"tool_call", "tool_use"})
_DEEPEST = 4
"""Levels of objects and arrays that are shown as lines."""
_SHORT_LIST, _SHORT_WORD = 10, 30


class Readable(NamedTuple):
    text: str
    format: TextFormat


def question(value: JsonValue) -> Readable | None:
    """An input; None when there is none."""
    return _readable(value, _USER)


def answer(value: JsonValue) -> Readable | None:
    """An output; None when there is none."""
    return _readable(value, _ASSISTANT)


def messages_of(value: JsonValue) -> list[dict[str, Any]] | None:
    """The messages of a chat: a list of them, one by itself, or `{"messages": […]}`. None where it is not a chat."""
    if isinstance(value, dict):
        if _is_message(value):
            return [value]
        value = value.get("messages")
    if isinstance(value, list) and value and all(_is_message(message) for message in value):
        return value
    return None


def chat(value: JsonValue) -> list[tuple[str, str]]:
    """All messages of a chat in their order, each as role and text; none where it is not a chat."""
    return [(message["role"], _message_text(message)) for message in messages_of(value) or []]


def _last(messages: list[dict[str, Any]], roles: tuple[str, ...]) -> dict[str, Any]:
    """The last message of such a role; of messages without one, the last of all."""
    return next((message for message in reversed(messages) if message["role"] in roles), messages[-1])


def _readable(value: JsonValue, roles: tuple[str, ...]) -> Readable | None:
    if value is None:
        return None
    if isinstance(value, str):
        return Readable(value, "text")
    messages = messages_of(value)
    if messages is not None:
        return Readable(_message_text(_last(messages, roles)), "chat")
    if isinstance(value, dict) and len(value) == 1 and isinstance(only := next(iter(value.values())), str):
        return Readable(only, "text")  # such as {"question": "…"}
    return Readable(_lines(value), "json")


def _is_message(value: JsonValue) -> bool:
    return isinstance(value, dict) and isinstance(value.get("role"), str) and not _HOLDS.isdisjoint(value)


def _held(message: dict[str, Any]) -> JsonValue:
    """What a message holds: `content`, or `parts` as OpenTelemetry names them."""
    content = message.get("content")
    return message.get("parts") if content is None else content


def _message_text(message: dict[str, Any]) -> str:
    """What a message says, and which tools it calls."""
    calls = message.get("tool_calls")
    called = map(_called, calls if isinstance(calls, list) else [])
    return "\n".join(text for text in (_content(_held(message)), *called) if text)


def _called(call: JsonValue) -> str:
    """`[calls find_order]`, from OpenAI's form or a plain name. The arguments are in the trace."""
    inner = call.get("function", call) if isinstance(call, dict) else None
    name = inner.get("name") if isinstance(inner, dict) else None
    return f"[calls {name if isinstance(name, str) else 'a tool'}]"


def _content(value: JsonValue) -> str:
    """A message's content: a text, or a list of parts of which those with a text are read."""
    if isinstance(value, list):
        texts = [part if isinstance(part, str) else _part(part) for part in value]
        return "\n".join(text for text in texts if text)
    return value if isinstance(value, str) else "" if value is None else _lines(value)


def _part(part: JsonValue) -> str:
    if not isinstance(part, dict):
        return dump(part)
    if part.get("type") in _CALLS:
        return _called(part)
    text = part.get("text", part.get("content"))
    return text if isinstance(text, str) else f"[{part.get('type', 'part')}]"


def _lines(value: JsonValue) -> str:
    return "\n".join(_indented(value, _DEEPEST))


def _indented(value: JsonValue, depth: int) -> Iterator[str]:
    """Lines of an object or an array; what lies deeper than so many of them stays JSON, in its line."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _entry(f"{key}:", inner, depth)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from _entry("-", inner, depth)
    elif not isinstance(value, (dict, list)):
        yield _inline(value)


def _entry(name: str, value: JsonValue, depth: int) -> Iterator[str]:
    if depth <= 1 or not isinstance(value, (dict, list)) or not value or _is_flat(value):
        yield from f"{name} {_inline(value)}".split("\n")
        return
    lines = _indented(value, depth - 1)
    yield f"- {next(lines)}" if name == "-" else name
    for line in lines:
        yield f"  {line}"


def _inline(value: JsonValue) -> str:
    """On one line: a short list of texts and numbers with commas, other objects and arrays as JSON."""
    if isinstance(value, list) and value and _is_flat(value):
        return ", ".join(_inline(inner) for inner in value)
    return value if isinstance(value, str) else dump(value)


def _is_flat(value: JsonValue) -> bool:
    """Whether a list holds only numbers and short words, so that it reads well on one line."""
    return (
        isinstance(value, list)
        and len(value) <= _SHORT_LIST
        and all(not isinstance(each, (dict, list)) and _is_short(str(each)) for each in value)
    )


def _is_short(text: str) -> bool:
    return len(text) <= _SHORT_WORD and "\n" not in text
