"""Pydantic AI and Logfire: GenAI's attributes, and names of their own, some of which other programs use as well.

An agent's span holds the whole conversation; its input is what stood before the agent began to work, its output the
result. Input tokens count cached ones in.
"""

from typing import Any

from gnomon.interop.conventions import chat, values
from gnomon.interop.conventions.bodies import as_is, request, response
from gnomon.interop.conventions.convention import Convention, Row, model
from gnomon.interop.conventions.events import from_events


def messages_asked(value: Any, _is_model_call: bool) -> Any:
    """The messages up to the user's last one."""
    return _until_last_question(chat.messages(value) or [])


def _until_last_question(messages: list[chat.Message]) -> list[chat.Message] | None:
    users = [index for index, message in enumerate(messages) if message["role"] == "user"]
    return messages[: users[-1] + 1] if users else messages or None


def last_answer(value: Any, _is_model_call: bool) -> Any:
    """What the assistant said last."""
    messages = chat.messages(value) or []
    return chat.answer([message for message in messages if message["role"] == "assistant"][-1:])


def events_input(value: Any, is_model_call: bool) -> Any:
    """The messages of a list of events; of an agent's, those up to the user's last one."""
    messages = from_events(_pairs(value))[0]
    return messages if is_model_call else _until_last_question(messages or [])


def events_output(value: Any, _is_model_call: bool) -> Any:
    """The answer of a list of events."""
    return from_events(_pairs(value))[1]


def _pairs(value: Any) -> list[tuple[str, Any]]:
    listed = values.decoded(value)
    events = [event for event in listed if isinstance(event, dict)] if isinstance(listed, list) else []
    return [(str(event.get("event.name")), event) for event in events]


CONVENTION = Convention(
    title="Pydantic AI and Logfire",
    source="https://ai.pydantic.dev/logfire/",
    rows=(
        Row("pydantic_ai.all_messages", "input", messages_asked),
        Row("all_messages_events", "input", events_input),
        Row("events", "input", events_input),
        Row("tool_arguments", "input", as_is),
        Row("request_data", "input", request),
        Row("final_result", "output", as_is),
        Row("pydantic_ai.all_messages", "output", last_answer),
        Row("all_messages_events", "output", events_output),
        Row("events", "output", events_output),
        Row("tool_response", "output", as_is),
        Row("response_data", "output", response),
        *model("model_name"),
    ),
    signs={"agent_name": "agent"},
    scopes=("pydantic-ai", "logfire"),
)
