"""One turn of a model that may call tools: messages and tools out, words and calls back.

Messages and tools are OpenAI's; LiteLLM turns them into each other provider's own. Whom to ask is settled as for any
other question (`ask.py`); settings may shape the answer and never the way it takes. Running the tools, and when
to ask again after trouble, is for the caller.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from gnomon.errors import InvalidInput
from gnomon.llm.answer import Trouble
from gnomon.llm.ask import addressed, complete
from gnomon.llm.prices import OwnPrices
from gnomon.llm.transport import RawCall
from gnomon.model import jsonvalue
from gnomon.model.toolcalls import AskedCall
from gnomon.shorten import shorten

SETTINGS = frozenset({
    "temperature", "top_p", "top_k", "min_p", "max_tokens", "max_completion_tokens", "seed", "stop",
    "frequency_penalty", "presence_penalty", "repetition_penalty", "logit_bias", "reasoning_effort", "thinking",
    "verbosity", "tool_choice", "parallel_tool_calls", "chat_template_kwargs", "service_tier",
})  # fmt: skip
"""What may be set. A list of what may not would have to know every way in which a client can be led elsewhere."""
LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """A turn and its usage. Tokens and cost are None where they are not reported."""

    text: str | None
    tool_calls: tuple[AskedCall, ...]
    tokens_input: int | None
    tokens_output: int | None
    cost_usd: float | None
    model: str
    latency_ms: float


async def chat(
    model: str,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]],
    *,
    params: Mapping[str, Any],
    timeout: float,
    prices: OwnPrices | None = None,
) -> ChatAnswer:
    """The model's next turn, within this many seconds; raises `Trouble` when there is none."""
    if reason := why_not_params(params):
        raise Trouble("refused", reason)
    request = replace(addressed(model, messages, params), tools=tools)
    completion, spent = await complete(model, request, timeout, prices)
    text = completion.content if completion.content is not None else completion.refusal
    calls = tuple(_called(call) for call in completion.calls)
    return ChatAnswer(
        text, calls, spent.tokens_input, spent.tokens_output, spent.cost_usd, spent.model, spent.latency_ms
    )


def why_not_params(params: Mapping[str, Any]) -> str | None:
    """Why a model cannot be asked with these settings, in a sentence; None when it can."""
    for name in params:
        if name not in SETTINGS:
            return f"model_params.{name} is not a setting of an answer; there are {', '.join(sorted(SETTINGS))}"
    return None


def _called(call: RawCall) -> AskedCall:
    name = str(call.name or "")
    arguments, fault = arguments_of(call.arguments)
    id = call.id if isinstance(call.id, str) and call.id else None
    return AskedCall(name, arguments, id, fault)


def arguments_of(value: Any) -> tuple[dict[str, Any], str | None]:
    """A call's arguments, an object or the JSON text of one; or none, and why they could not be read."""
    if value is None or value == "":
        return {}, None
    try:
        # An object goes through JSON too, so that what a transcript could not hold is refused here.
        read = jsonvalue.read(value if isinstance(value, str) else msgspec.json.encode(value))
    except (InvalidInput, TypeError, ValueError, RecursionError):
        return {}, f"the arguments are not JSON: {_shown(value)}"
    if not isinstance(read, dict):
        return {}, f"the arguments are not a JSON object: {_shown(value)}"
    return read, None


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    line = " ".join(text[: 4 * LONGEST_SHOWN].encode("utf-8", "replace").decode().split())
    return shorten(line, LONGEST_SHOWN)
