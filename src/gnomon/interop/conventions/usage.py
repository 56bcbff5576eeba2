"""Counts of tokens: objects of counts as model APIs write them, and one way of counting.

`input` includes tokens that were read from the cache and written to it, `output` those of reasoning. Where a
convention or an API counts them beside each other, they are added; the reported total decides which it is.
"""

from typing import Any, NamedTuple

from gnomon.interop.conventions import values

_NAMES = {
    "tokens_input": ("input", "input_tokens", "prompt_tokens", "promptTokens", "inputTokens", "prompt"),
    "tokens_output": ("output", "output_tokens", "completion_tokens", "completionTokens", "outputTokens", "completion"),
    "tokens_cached": (
        "input_cached_tokens", "cache_read_input_tokens", "cached_tokens", "input_cache_read", "cache_read_tokens",
    ),
    "tokens_written": (
        "cache_creation_input_tokens", "input_cache_creation", "cache_write_tokens", "cache_write_input_tokens",
    ),
    "tokens_reasoning": ("output_reasoning_tokens", "reasoning_tokens", "output_reasoning"),
    "tokens_total": ("total", "total_tokens", "totalTokens"),
}  # fmt: skip
_DETAILS = (
    "prompt_tokens_details", "completion_tokens_details", "input_tokens_details", "output_tokens_details",
)  # fmt: skip


class TokenCounts(NamedTuple):
    """None where nothing is reported; that is not 0. `cached` and `written` are in `input`, `reasoning` in `output`."""

    input: int | None
    output: int | None
    cached: int | None
    written: int | None
    reasoning: int | None


NO_TOKENS = TokenCounts(None, None, None, None, None)


def usage(value: Any, _is_model_call: bool = True) -> dict[str, int] | None:
    """The counts of an object of counts, or of JSON text of one."""
    counts = values.decoded(value)
    if not isinstance(counts, dict):
        return None
    for name in _DETAILS:
        if isinstance(counts.get(name), dict):
            counts = {**counts[name], **counts}
    tokens: dict[str, int] = {}
    for field, names in _NAMES.items():
        known = (values.count(counts[name]) for name in names if name in counts)
        if (count := next((count for count in known if count is not None), None)) is not None:
            tokens[field] = count
    return tokens or None


def counted(counts: dict[str, Any]) -> TokenCounts:
    """The counts with cached tokens among the input's."""
    get = counts.get
    input, output, cached, written = (
        get("tokens_input"),
        get("tokens_output"),
        get("tokens_cached"),
        get("tokens_written"),
    )
    reasoning, total = get("tokens_reasoning"), get("tokens_total")
    beside = (cached or 0) + (written or 0)
    if input is None and "tokens_uncached" in counts:
        input = counts["tokens_uncached"] + beside
    elif input is not None and beside:
        apart = total is not None and output is not None and total >= input + output + beside
        if apart or beside > input:
            input += beside
    if output is not None and reasoning and reasoning > output:
        output += reasoning
    return TokenCounts(input, output, cached, written, reasoning)
