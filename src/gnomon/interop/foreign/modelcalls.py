"""What went into a model call and what came out, for tools that write it in fields of their own."""

from typing import Any

from gnomon.interop.conventions import bodies
from gnomon.interop.conventions.usage import counted
from gnomon.interop.conventions.usage import usage as counts_in
from gnomon.interop.conventions.values import decoded
from gnomon.interop.foreign.assembling import ForeignSpan

_SHOWN = ("messages", "input", "contents", "prompt", "system", "instructions", "systemInstruction")


def add_values(span: ForeignSpan, input: Any, came_out: Any) -> None:
    """Input and output: a model call's as messages; what stood beside them (tools, settings) becomes metadata."""
    if span.kind != "model":
        is_tool = span.kind == "tool"  # whose arguments and result are objects, also where a tool wrote them as text
        span.input, span.output = (decoded(value) if is_tool else value for value in (input, came_out))
        return
    span.input, span.output = bodies.input_messages(input), bodies.output_messages(came_out)
    if isinstance(input, dict) and span.input is not input:
        span.metadata |= {f"input.{key}": value for key, value in input.items() if key not in _SHOWN}


def add_tokens(span: ForeignSpan, usage: Any) -> None:
    """A call's tokens, from an object of counts. Other spans repeat what the calls below them say."""
    counts = counts_in(usage)
    if counts is not None and span.kind in ("model", "embedding"):
        tokens = counted(counts)
        span.tokens_input, span.tokens_output = tokens.input, tokens.output
