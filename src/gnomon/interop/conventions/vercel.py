"""Vercel's AI SDK. An outer span such as `ai.generateText` repeats what its model calls used; only theirs counts.

`ai.usage.inputTokens` counts cached tokens in.
"""

from typing import Any

from gnomon.interop.conventions import bodies, chat, values
from gnomon.interop.conventions.convention import Convention, Operation, Row, count, ids, model


def prompt(value: Any, _is_model_call: bool) -> Any:
    """`{"system", "prompt"}` or `{"system", "messages"}`, as messages."""
    return bodies.input_messages(values.json(value))


def calls(value: Any, _is_model_call: bool) -> Any:
    """The tool calls of an answer; its text is in another attribute."""
    messages = chat.read([{"role": "assistant", "tool_calls": values.decoded(value)}])
    return messages[0].get("tool_calls") if messages else None


_WRAPPERS = ("generateText", "streamText", "generateObject", "streamObject")
_OPERATIONS: dict[str, Operation] = {
    **{f"ai.{name}": "chain" for name in (*_WRAPPERS, "embed", "embedMany", "rerank")},
    **{f"ai.{name}.doGenerate": "model_call" for name in _WRAPPERS},
    **{f"ai.{name}.doStream": "model_call" for name in _WRAPPERS},
    "ai.embed.doEmbed": "embedding",
    "ai.embedMany.doEmbed": "embedding",
    "ai.rerank.doRerank": "retrieval",
    "ai.toolCall": "tool",
}  # fmt: skip

CONVENTION = Convention(
    title="Vercel AI SDK",
    source="https://ai-sdk.dev/docs/ai-sdk-core/telemetry",
    rows=(
        Row("ai.prompt.messages", "input", bodies.messages),
        Row("ai.prompt", "input", prompt),
        Row("ai.toolCall.args", "input", bodies.json),
        Row("ai.value", "input", bodies.json),
        Row("ai.values", "input", bodies.json),
        Row("ai.response.object", "output", bodies.json),
        Row("ai.response.text", "output", values.text),
        Row("ai.response.toolCalls", "tool_calls", calls),
        Row("ai.result.object", "output", bodies.json),
        Row("ai.result.text", "output", values.text),
        Row("ai.result.toolCalls", "tool_calls", calls),
        Row("ai.toolCall.result", "output", bodies.json),
        *model("ai.model.id", "ai.response.model"),
        *count("tokens_input", "ai.usage.inputTokens", "ai.usage.promptTokens", "ai.usage.tokens"),
        *count("tokens_output", "ai.usage.outputTokens", "ai.usage.completionTokens"),
        *count("tokens_cached", "ai.usage.inputTokenDetails.cacheReadTokens", "ai.usage.cachedInputTokens"),
        *count("tokens_written", "ai.usage.inputTokenDetails.cacheWriteTokens"),
        *count("tokens_reasoning", "ai.usage.outputTokenDetails.reasoningTokens", "ai.usage.reasoningTokens"),
        *count("tokens_total", "ai.usage.totalTokens"),
        *ids("session_id", "ai.telemetry.metadata.sessionId"),
        *ids("user_id", "ai.telemetry.metadata.userId"),
    ),
    operations={"ai.operationId": _OPERATIONS},
)
