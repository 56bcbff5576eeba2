"""Instrumentations that come with the development dependencies. Each function is run in a process of its own.

`opentelemetry-instrumentation-openai-v2` works with `opentelemetry-util-genai<1` only.
"""

import os
from collections.abc import Callable
from typing import Any

from capture import Capture
from conversation import MODEL, QUESTION, SYSTEM, TOOL, converse, get_weather


def openai_v2(capture: Capture) -> None:
    """Messages as attributes of the span: the current conventions."""
    os.environ |= {
        "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY",
    }
    _openai_v2()


def openai_v2_details(capture: Capture) -> None:
    """Messages as one log event per span: `gen_ai.client.inference.operation.details`."""
    os.environ |= {
        "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "EVENT_ONLY",
        "OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT": "true",
    }
    _openai_v2()


def openai_v2_events(capture: Capture) -> None:
    """Messages as one log event each: the conventions before 1.37, which still are the default."""
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "true"
    _openai_v2()


def _openai_v2() -> None:
    from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

    OpenAIInstrumentor().instrument()
    _ask_openai()


def openinference_openai(capture: Capture) -> None:
    from openinference.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument()
    _ask_openai()


def openllmetry_openai(capture: Capture) -> None:
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument()
    _ask_openai()


def _ask_openai() -> None:
    from openai import OpenAI

    converse(OpenAI().chat.completions.create)


def pydantic_ai(capture: Capture) -> None:
    _pydantic_ai(None)


def pydantic_ai_2(capture: Capture) -> None:
    """The oldest format that this version of Pydantic AI still writes."""
    _pydantic_ai(2)


def _pydantic_ai(version: Any) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.models.instrumented import InstrumentationSettings
    from pydantic_ai.models.openai import OpenAIChatModel

    settings = InstrumentationSettings(version=version) if version else InstrumentationSettings()
    model = OpenAIChatModel(MODEL)
    Agent.instrument_all(settings)
    Agent(model, system_prompt=SYSTEM, name="weather", tools=[get_weather]).run_sync(QUESTION)


def langchain(capture: Capture) -> None:
    from langchain_core.messages import HumanMessage, SystemMessage
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument()
    weather = tool(get_weather)
    model = ChatOpenAI(model=MODEL).bind_tools([TOOL])
    messages: list[Any] = [SystemMessage(SYSTEM), HumanMessage(QUESTION)]
    messages.append(model.invoke(messages))
    messages.append(weather.invoke(messages[-1].tool_calls[0]))
    model.invoke(messages)


RECORDERS: dict[str, Callable[[Capture], None]] = {
    "openai-v2": openai_v2,
    "openai-v2-details": openai_v2_details,
    "openai-v2-events": openai_v2_events,
    "openinference-openai": openinference_openai,
    "openllmetry-openai": openllmetry_openai,
    "pydantic-ai": pydantic_ai,
    "pydantic-ai-2": pydantic_ai_2,
    "openinference-langchain": langchain,
}
