"""OpenInference: messages one attribute per value, and `input.value` and `output.value` on every span.

`llm.token_count.prompt` counts cached tokens in, also for Anthropic.
"""

from typing import Any

from gnomon.interop.conventions import chat
from gnomon.interop.conventions.bodies import as_is, numbered_answer, numbered_messages, request, response, state
from gnomon.interop.conventions.convention import Convention, Operation, Row, count, ids, model

KIND = "openinference.span.kind"
SESSION_ID, USER_ID = "session.id", "user.id"
KINDS: dict[str, Operation] = {
    "LLM": "model_call",
    "EMBEDDING": "embedding",
    "TOOL": "tool",
    "AGENT": "agent",
    "RETRIEVER": "retrieval",
    "RERANKER": "retrieval",
    "CHAIN": "chain",
    "GUARDRAIL": "chain",
    "EVALUATOR": "chain",
    "PROMPT": "chain",
    "DECISION": "chain",
}


def documents(value: Any, _is_model_call: bool) -> Any:
    """The documents that were found, each without the object around it."""
    return [entry.get("document", entry) if isinstance(entry, dict) else entry for entry in value]


def input_value(value: Any, is_model_call: bool) -> Any:
    """The messages of a request to a model or of an agent's state; another value as it is."""
    content = request(value, is_model_call)
    return state(content) or content


def output_value(value: Any, is_model_call: bool) -> Any:
    """What a model said in a response, the last message of an agent's state, what a tool gave, or another value."""
    content = response(value, is_model_call)
    if messages := state(content):
        return chat.answer(messages[-1:])
    if isinstance(content, dict) and content.get("type") == "tool" and isinstance(content.get("data"), dict):
        return as_is(content["data"].get("content"), False)  # the message that LangChain makes of it
    return content


CONVENTION = Convention(
    title="OpenInference",
    source="https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md",
    rows=(
        Row("llm.input_messages.", "input", numbered_messages),
        Row("input.value", "input", input_value, type_in="input.mime_type"),
        Row("llm.output_messages.", "output", numbered_answer),
        Row("retrieval.documents.", "output", documents),
        Row("reranker.output_documents.", "output", documents),
        Row("output.value", "output", output_value, type_in="output.mime_type"),
        *model("llm.model_name", "llm.request.model_name", "llm.response.model_name"),
        *model("embedding.model_name", "reranker.model_name"),
        *count("tokens_input", "llm.token_count.prompt"),
        *count("tokens_output", "llm.token_count.completion"),
        *count(
            "tokens_cached",
            "llm.token_count.prompt_details.cache_read",
            "llm.token_count.prompt_details.cache_input",
        ),
        *count("tokens_written", "llm.token_count.prompt_details.cache_write"),
        *count("tokens_reasoning", "llm.token_count.completion_details.reasoning"),
        *count("tokens_total", "llm.token_count.total"),
        *ids("session_id", SESSION_ID),
        *ids("user_id", USER_ID, "enduser.id"),
    ),
    operations={KIND: KINDS},
)
