"""An agent that calls tools: is each request solved, with the right tools, and every time?

Run: python examples/agent_with_tools.py
It asks the model MODEL at OPENAI_BASE_URL, any server that speaks OpenAI's protocol with tools (or OpenAI itself, with
OPENAI_API_KEY alone). Without either, a stand-in on this machine answers, so that the example runs as it is.
Results are stored in ~/.gnomon, or where GNOMON_HOME says.
"""

import json
import os
from collections import Counter
from functools import cache

import httpx2

import gnomon as gn
from gnomon.scorers import Sample, build
from gnomon.testing import Asked, FullAnswer, LoopbackModel

MODEL = os.environ.get("MODEL", "gpt-4o-mini")
ORDERS = {"A1": ("lamp", "on its way"), "B2": ("desk", "delivered"), "C3": ("chair", "on its way")}
MOST_STEPS = 6


@gn.trace
def order_status(order: str) -> str:
    item, status = ORDERS[order]
    return f"{item}: {status}"


@gn.trace
def cancel_order(order: str) -> str:
    return f"order {order} is cancelled"


TOOLS = {tool.__name__: tool for tool in (order_status, cancel_order)}
ORDER = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
OFFERED = [{"type": "function", "function": {"name": name, "parameters": ORDER}} for name in TOOLS]
SYSTEM = "You help customers of a shop. Look an order up before you cancel it, and cancel only what is on its way."

DATA = [
    {"input": "Where is order A1?", "expected_output": "on its way", "tools": ["order_status"]},
    {"input": "Where is order B2?", "expected_output": "delivered", "tools": ["order_status"]},
    {"input": "Please cancel order A1.", "expected_output": "cancelled", "tools": ["order_status", "cancel_order"]},
    {"input": "Please cancel order B2.", "expected_output": "delivered", "tools": ["order_status"]},
    {"input": "Please cancel order C3.", "expected_output": "cancelled", "tools": ["order_status", "cancel_order"]},
    {"input": "What do you sell?", "expected_output": "lamps", "tools": []},
]


def agent(request: str) -> str:
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": request}]
    for _ in range(MOST_STEPS):
        message = ask(messages)
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for call in message["tool_calls"]:
            arguments = json.loads(call["function"]["arguments"])
            result = TOOLS[call["function"]["name"]](**arguments)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    raise RuntimeError(f"no answer after {MOST_STEPS} steps")


@cache
def http() -> httpx2.Client:
    return httpx2.Client(timeout=60)


def ask(messages: list[dict]) -> dict:
    base = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    headers = {"Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}
    body = {"model": MODEL, "messages": messages, "tools": OFFERED}
    with gn.span("ask the model", input=messages) as span:
        answer = http().post(f"{base}/chat/completions", headers=headers, json=body).raise_for_status()
        told = answer.json()
        span.set_model(MODEL)
        span.set_tokens(input=told["usage"]["prompt_tokens"], output=told["usage"]["completion_tokens"])
        span.set_output(told["choices"][0]["message"])
    return told["choices"][0]["message"]


@gn.scorer
def right_tools(trace, metadata):
    """The built-in rule `tool_calls` over the tools that the trace of the run shows, with their arguments."""
    made = [{"name": span.name, "args": span.input} for span in trace.spans if span.name in TOOLS]
    expected = [{"name": name} for name in metadata["tools"]]
    return build("tool_calls", {"expected": expected, "mode": "exact", "args": "ignore"}).score(Sample(output=made))


def main() -> None:
    scorers = [gn.contains(case_sensitive=False, name="solved"), right_tools]
    result = gn.evaluate(agent, DATA, scorers, trials=4, name="shop-agent", dataset="shop-requests", progress=False)
    print(result)
    for failure in result.failures[:1]:
        print(f"failed: {failure.input} {failure.message}")


times_asked: Counter[str] = Counter()


def stand_in(asked: Asked) -> FullAnswer:
    """Answers as a careless model might: every fourth time it cancels without looking the order up."""
    request, done = asked.prompt, [message["content"] for message in asked.messages if message["role"] == "tool"]
    if "order" not in request:
        return FullAnswer("We sell lamps, desks and chairs.")
    order = request.rstrip("?.").split()[-1]
    if not done:
        times_asked[request] += 1
        careless = "cancel" in request and times_asked[request] % 4 == 0
        return FullAnswer(tool_calls=[("cancel_order" if careless else "order_status", {"order": order})])
    if "cancel" in request and "on its way" in done[-1]:
        return FullAnswer(tool_calls=[("cancel_order", {"order": order})])
    return FullAnswer(f"{order} – {done[-1]}")


if __name__ == "__main__":
    if "OPENAI_API_KEY" in os.environ:
        main()
    else:
        with LoopbackModel(stand_in) as model:
            os.environ.update(model.environment())
            main()
