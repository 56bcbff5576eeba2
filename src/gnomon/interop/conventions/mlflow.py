"""MLflow. Every value is JSON text, also single words.

Counts are those of the model's API: of Anthropic's, cached tokens stand beside `input_tokens`.
"""

from typing import Any

from gnomon.interop.conventions import values
from gnomon.interop.conventions.bodies import request_json, response_json
from gnomon.interop.conventions.convention import Convention, Row
from gnomon.interop.conventions.usage import usage


def word(value: Any, _is_model_call: bool) -> Any:
    """A JSON text of a text."""
    return values.text(values.json(value))


def identifier(value: Any, _is_model_call: bool) -> Any:
    """A JSON text of an id."""
    return values.identifier(values.json(value))


CONVENTION = Convention(
    title="MLflow",
    source="https://mlflow.org/docs/latest/genai/tracing/",
    rows=(
        Row("mlflow.spanInputs", "input", request_json),
        Row("mlflow.spanOutputs", "output", response_json),
        Row("mlflow.llm.model", "model", word),
        Row("mlflow.chat.tokenUsage", "tokens", usage),
        Row("mlflow.trace.session", "session_id", identifier),
        Row("mlflow.trace.user", "user_id", identifier),
    ),
    operations={
        "mlflow.spanType": {
            "LLM": "model_call",
            "CHAT_MODEL": "model_call",
            "EMBEDDING": "embedding",
            "TOOL": "tool",
            "AGENT": "agent",
            "RETRIEVER": "retrieval",
            "RERANKER": "retrieval",
            "CHAIN": "chain",
            "PARSER": "chain",
            "WORKFLOW": "chain",
            "TASK": "chain",
            "GUARDRAIL": "chain",
            "EVALUATOR": "chain",
            "MEMORY": "chain",
        }
    },
)
