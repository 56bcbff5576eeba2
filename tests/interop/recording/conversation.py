"""The conversation that every instrumentation records, and the loopback model that plays its part in it."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from gnomon.testing import Asked, FullAnswer, LoopbackModel

MODEL = "loopback-1"
SYSTEM = "You are a weather assistant. Use the tool."
QUESTION = "What is the weather in Paris?"
ARGUMENTS = {"city": "Paris"}
WEATHER = "18 degrees and sunny"
ANSWER = "It is 18 degrees and sunny in Paris."
CALL_ID = "call_1"
TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
ASKING = {"input": 30, "output": 12, "cached": 8, "reasoning": 4}
ANSWERING = {"input": 50, "output": 9, "cached": 16, "reasoning": 0}
"""What the two model calls used; cached tokens are among the input tokens, reasoning tokens among the output ones."""


def get_weather(city: str) -> str:
    """The weather in a city."""
    return WEATHER if city == "Paris" else f"nothing is known of {city}"


def loopback() -> LoopbackModel:
    """Asks for the tool first, and answers once a tool's result is in the messages."""
    return LoopbackModel(_reply, models=(MODEL,))


def _reply(asked: Asked) -> FullAnswer:
    if any(message.get("role") == "tool" for message in asked.messages):
        return FullAnswer(ANSWER, usage=_usage(ANSWERING))
    return FullAnswer(usage=_usage(ASKING), tool_calls=[("get_weather", ARGUMENTS)])


def _usage(tokens: Mapping[str, int]) -> dict[str, Any]:
    return {
        "prompt_tokens": tokens["input"],
        "completion_tokens": tokens["output"],
        "total_tokens": tokens["input"] + tokens["output"],
        "prompt_tokens_details": {"cached_tokens": tokens["cached"]},
        "completion_tokens_details": {"reasoning_tokens": tokens["reasoning"]},
    }


def converse(ask: Callable[..., Any]) -> None:
    """The conversation through OpenAI's client: `ask` is its `chat.completions.create`."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]
    message = ask(model=MODEL, messages=messages, tools=[TOOL]).choices[0].message
    (call,) = message.tool_calls
    function = {"name": call.function.name, "arguments": call.function.arguments}
    messages.append({
        "role": "assistant", "content": message.content,
        "tool_calls": [{"id": call.id, "type": "function", "function": function}],
    })  # fmt: skip
    result = get_weather(**json.loads(call.function.arguments))
    messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    assert ask(model=MODEL, messages=messages, tools=[TOOL]).choices[0].message.content == ANSWER
