"""Instrumentations that are not among the development dependencies: install the packages named here to record them."""

import asyncio
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from capture import Capture
from conversation import ARGUMENTS, CALL_ID, MODEL, QUESTION, SYSTEM, TOOL, WEATHER, converse, get_weather


def genai_openai(capture: Capture) -> None:
    """opentelemetry-instrumentation-genai-openai: what follows opentelemetry-instrumentation-openai-v2."""
    from openai import OpenAI
    from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor

    os.environ |= {
        "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY",
    }
    OpenAIInstrumentor().instrument()
    converse(OpenAI().chat.completions.create)


def openinference_anthropic(capture: Capture) -> None:
    """openinference-instrumentation-anthropic, anthropic"""
    from anthropic import Anthropic
    from openinference.instrumentation.anthropic import AnthropicInstrumentor

    AnthropicInstrumentor().instrument()
    function = TOOL["function"]
    tool = {"name": function["name"], "description": function["description"], "input_schema": function["parameters"]}
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    ask = Anthropic().messages.create
    asked: dict[str, Any] = {"model": MODEL, "system": SYSTEM, "tools": [tool], "max_tokens": 100}
    ask(messages=messages, **asked)
    messages += [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": CALL_ID, "name": "get_weather", "input": ARGUMENTS}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": CALL_ID, "content": WEATHER}]},
    ]
    ask(messages=messages, **asked)


def llama_index(capture: Capture) -> None:
    """openinference-instrumentation-llama-index, llama-index-core, llama-index-llms-openai-like"""
    from llama_index.core.agent.workflow import FunctionAgent
    from llama_index.core.tools import FunctionTool
    from llama_index.llms.openai_like import OpenAILike
    from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

    LlamaIndexInstrumentor().instrument()
    model = OpenAILike(
        model=MODEL, api_base=os.environ["OPENAI_BASE_URL"], is_chat_model=True, is_function_calling_model=True
    )
    tool = FunctionTool.from_defaults(get_weather)
    agent = FunctionAgent(tools=[tool], llm=model, system_prompt=SYSTEM, streaming=False)

    async def run() -> None:
        await agent.run(QUESTION)

    asyncio.run(run())


def openai_agents(capture: Capture) -> None:
    """openinference-instrumentation-openai-agents, openai-agents"""
    from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_trace_processors
    from openai import AsyncOpenAI
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    set_trace_processors([])  # OpenAI's own would send spans away
    OpenAIAgentsInstrumentor().instrument()
    model = OpenAIChatCompletionsModel(MODEL, AsyncOpenAI())
    agent = Agent(name="weather", instructions=SYSTEM, model=model, tools=[function_tool(get_weather)])
    Runner.run_sync(agent, QUESTION)


def mlflow_openai(capture: Capture) -> None:
    """mlflow-tracing, openai"""
    os.environ |= {
        "MLFLOW_USE_DEFAULT_TRACER_PROVIDER": "false",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1/v1/traces",  # spans as OTLP; nobody listens there
        "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf",
    }
    import mlflow
    from openai import OpenAI

    mlflow.openai.autolog()
    ask = OpenAI().chat.completions.create

    @mlflow.trace(name="weather", span_type="AGENT")
    def answer(question: str) -> str:
        converse(ask)
        return question

    answer(QUESTION)


def langfuse_openai(capture: Capture) -> None:
    """langfuse, openai"""
    from langfuse import Langfuse, propagate_attributes
    from langfuse.openai import OpenAI

    keys = {"public_key": "pk", "secret_key": "sk", "host": "http://127.0.0.1:1"}
    client = Langfuse(**keys, tracer_provider=capture.provider, flush_at=1000, timeout=1)
    ask = OpenAI().chat.completions.create
    with client.start_as_current_observation(name="weather", as_type="agent", input=QUESTION) as root:
        with propagate_attributes(session_id="session-1", user_id="user-1"):
            converse(ask)
            with client.start_as_current_observation(name="get_weather", as_type="tool", input=ARGUMENTS) as tool:
                tool.update(output=WEATHER)
        root.update(output="done")


def litellm(capture: Capture) -> None:
    """litellm"""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else the prices are asked for over the network
    import litellm as library
    from litellm.integrations.opentelemetry import OpenTelemetry, OpenTelemetryConfig

    config = OpenTelemetryConfig(exporter="console")
    library.callbacks = [OpenTelemetry(config=config, tracer_provider=capture.provider)]
    converse(lambda **request: library.completion(**{**request, "model": f"openai/{MODEL}"}))
    library.utils.executor.shutdown(wait=True)


def vercel(capture: Capture) -> None:
    """npm: ai, @ai-sdk/openai-compatible, @opentelemetry/sdk-trace-node, zod; the folder is in NODE_PACKAGES"""
    told = {"url": os.environ["OPENAI_BASE_URL"], "model": MODEL, "system": SYSTEM, "question": QUESTION}
    program = [
        "node",
        str(Path(__file__).with_name("vercel.mjs").resolve()),
        json.dumps({**told, "weather": WEATHER}),
    ]
    printed = subprocess.run(program, cwd=os.environ["NODE_PACKAGES"], check=True, capture_output=True, text=True)
    capture.foreign_spans = json.loads(printed.stdout)


RECORDERS: dict[str, Callable[[Capture], None]] = {
    "genai-openai": genai_openai,
    "openinference-anthropic": openinference_anthropic,
    "openinference-llama-index": llama_index,
    "openinference-openai-agents": openai_agents,
    "mlflow-openai": mlflow_openai,
    "langfuse-openai": langfuse_openai,
    "litellm": litellm,
    "vercel-ai": vercel,
}
