"""OpenLLMetry, the instrumentations of Traceloop: GenAI's attributes, and its own for workflows and tasks.

For Anthropic it adds the cached tokens to `gen_ai.usage.input_tokens`, as the GenAI conventions want it.
"""

from gnomon.interop.conventions.bodies import request, response
from gnomon.interop.conventions.convention import Convention, Row, count, ids

CONVENTION = Convention(
    title="OpenLLMetry (Traceloop)",
    source="https://github.com/traceloop/openllmetry/tree/main/packages/opentelemetry-semantic-conventions-ai",
    rows=(
        Row("traceloop.entity.input", "input", request),
        Row("traceloop.entity.output", "output", response),
        *count("tokens_input", "llm.usage.prompt_tokens"),
        *count("tokens_output", "llm.usage.completion_tokens"),
        *count("tokens_cached", "llm.usage.cache_read_input_tokens"),
        *count("tokens_written", "llm.usage.cache_creation_input_tokens"),
        *count("tokens_reasoning", "llm.usage.reasoning_tokens"),
        *count("tokens_total", "llm.usage.total_tokens"),
        *ids("conversation_id", "traceloop.association.properties.conversation_id"),
        *ids(
            "session_id",
            "traceloop.association.properties.session_id",
            "traceloop.association.properties.thread_id",
        ),
        *ids("user_id", "traceloop.association.properties.user_id", "gen_ai.user", "llm.user"),
    ),
    operations={
        "traceloop.span.kind": {"workflow": "chain", "task": "chain", "agent": "agent", "tool": "tool"},
        "llm.request.type": {
            "chat": "model_call", "completion": "model_call", "embedding": "embedding", "rerank": "retrieval",
        },
    },
)  # fmt: skip
