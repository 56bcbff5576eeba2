"""Langfuse's own attributes. Counts are one JSON object, in Langfuse's words or in those of the model's API.

In Langfuse's words (`input`, `input_cached_tokens`, …) the kinds are added up, so that cached tokens stand beside
`input`; its total says so.
"""

from gnomon.interop.conventions.bodies import request, response
from gnomon.interop.conventions.convention import Convention, Row, ids, model
from gnomon.interop.conventions.usage import usage

CONVENTION = Convention(
    title="Langfuse",
    source="https://langfuse.com/integrations/native/opentelemetry",
    rows=(
        Row("langfuse.observation.input", "input", request),
        Row("langfuse.trace.input", "input", request),
        Row("langfuse.observation.output", "output", response),
        Row("langfuse.trace.output", "output", response),
        *model("langfuse.observation.model.name"),
        Row("langfuse.observation.usage_details", "tokens", usage),
        *ids("session_id", "langfuse.session.id"),
        *ids("user_id", "langfuse.user.id"),
    ),
    operations={
        "langfuse.observation.type": {
            "generation": "model_call",
            "embedding": "embedding",
            "tool": "tool",
            "agent": "agent",
            "retriever": "retrieval",
            "chain": "chain",
            "span": "chain",
            "event": "chain",
            "evaluator": "chain",
            "guardrail": "chain",
        }
    },
)
