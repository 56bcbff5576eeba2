"""What a convention is: a table of attributes, each with the field that it fills and how its value is read."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from gnomon.interop.conventions import values

Operation = Literal["model_call", "embedding", "tool", "agent", "retrieval", "chain"]
Field = Literal[
    "input", "system", "output", "tool_calls", "model",
    "tokens", "tokens_input", "tokens_uncached", "tokens_output", "tokens_cached", "tokens_written", "tokens_reasoning",
    "tokens_total",
    "conversation_id", "session_id", "user_id",
]  # fmt: skip
"""`system` and `tool_calls` are parts of input and output that some conventions tell apart; `tokens` are all counts,
`tokens_uncached` the input tokens beside those that were read from a cache or written to it."""
Reader = Callable[[Any, bool], Any]
"""An attribute's value, and whether the span is a model call, to the field's value; None where it says nothing."""


class Row(NamedTuple):
    """One attribute. A name that ends in a dot stands for all that begin with it: together they make up a list."""

    attribute: str
    field: Field
    read: Reader
    type_in: str | None = None
    """The attribute that names the value's media type."""


class Convention(NamedTuple):
    """A mapping table. Of two rows for a field the earlier one wins, where it says something."""

    title: str
    source: str
    rows: tuple[Row, ...]
    operations: Mapping[str, Mapping[str, Operation]] = {}
    """Attribute → its values → what the span does."""
    signs: Mapping[str, Operation] = {}
    """Attributes whose presence alone says what the span does."""
    scopes: tuple[str, ...] = ()
    """Where given, how the names of the scopes begin whose spans are read so: other programs use the same names."""


def model(*names: str) -> tuple[Row, ...]:
    return tuple(Row(name, "model", values.text) for name in names)


def count(field: Field, *names: str) -> tuple[Row, ...]:
    return tuple(Row(name, field, values.count) for name in names)


def ids(field: Field, *names: str) -> tuple[Row, ...]:
    return tuple(Row(name, field, values.identifier) for name in names)
