"""OpenTelemetry's semantic conventions for generative AI, with the older names that instrumentations still write.

By the conventions `gen_ai.usage.input_tokens` counts cached tokens in. Messages may also come as events, of the span
or of logs: see `events.py`.
"""

from typing import Any

from gnomon.interop.conventions import chat
from gnomon.interop.conventions.bodies import (
    answer,
    as_is,
    messages,
    numbered_answer,
    numbered_messages,
    request,
    response,
    result,
)
from gnomon.interop.conventions.convention import Convention, Operation, Row, count, ids, model

MODEL = "gen_ai.request.model"
TOKENS_INPUT, TOKENS_OUTPUT = "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"
OPERATION, EXECUTES_TOOL = "gen_ai.operation.name", "execute_tool"
TOOL_NAME, CALL_ID = "gen_ai.tool.name", "gen_ai.tool.call.id"
CONVERSATION_ID = "gen_ai.conversation.id"
INPUT_MESSAGES, OUTPUT_MESSAGES = "gen_ai.input.messages", "gen_ai.output.messages"
SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions"

OPERATIONS: dict[str, Operation] = {
    "chat": "model_call",
    "text_completion": "model_call",
    "generate_content": "model_call",
    "completion": "model_call",
    "responses": "model_call",
    "embeddings": "embedding",
    EXECUTES_TOOL: "tool",
    "invoke_agent": "agent",
    "create_agent": "agent",
    "invoke_workflow": "chain",
    "retrieval": "retrieval",
}


def instructions(value: Any, _is_model_call: bool) -> Any:
    """The system prompt: a text, or the parts of a message."""
    return chat.read([{"role": "system", "content": as_is(value, False)}])


CONVENTION = Convention(
    title="GenAI semantic conventions",
    source="https://opentelemetry.io/docs/specs/semconv/gen-ai/",
    rows=(
        Row(INPUT_MESSAGES, "input", messages),
        Row("gen_ai.prompt.", "input", numbered_messages),
        Row("gen_ai.prompt", "input", request),
        Row("gen_ai.tool.call.arguments", "input", as_is),
        Row("gen_ai.retrieval.query.text", "input", as_is),
        Row(SYSTEM_INSTRUCTIONS, "system", instructions),
        Row(OUTPUT_MESSAGES, "output", answer),
        Row("gen_ai.completion.", "output", numbered_answer),
        Row("gen_ai.completion", "output", response),
        Row("gen_ai.tool.call.result", "output", result),
        Row("gen_ai.retrieval.documents", "output", as_is),
        *model(MODEL, "gen_ai.response.model"),
        *count("tokens_input", TOKENS_INPUT, "gen_ai.usage.prompt_tokens"),
        *count("tokens_output", TOKENS_OUTPUT, "gen_ai.usage.completion_tokens"),
        *count(
            "tokens_cached",
            "gen_ai.usage.cache_read.input_tokens",
            "gen_ai.usage.cache_read_input_tokens",
            "gen_ai.usage.details.cache_read_tokens",
        ),
        *count(
            "tokens_written",
            "gen_ai.usage.cache_creation.input_tokens",
            "gen_ai.usage.cache_write.input_tokens",
            "gen_ai.usage.cache_creation_input_tokens",
            "gen_ai.usage.details.cache_write_tokens",
        ),
        *count(
            "tokens_reasoning",
            "gen_ai.usage.reasoning.output_tokens",
            "gen_ai.usage.reasoning_tokens",
            "gen_ai.usage.details.reasoning_tokens",
        ),
        *count("tokens_total", "gen_ai.usage.total_tokens"),
        *ids("conversation_id", CONVERSATION_ID),
    ),
    operations={OPERATION: OPERATIONS},
    signs={TOOL_NAME: "tool"},
)
