"""One turn of a model with tools, and a model as an agent: over real HTTP, only the words made up."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.small import small_package
from gnomon.bench import agents
from gnomon.bench.agents import ModelAgent, parse_spec
from gnomon.bench.batch import plans, run_many
from gnomon.bench.noticing.family import DayScenario
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.protocol import AgentFailed, AskedCall
from gnomon.bench.transcripts import read_transcript
from gnomon.errors import InvalidInput
from gnomon.llm.answer import Trouble
from gnomon.llm.chat import SETTINGS, chat
from gnomon.llm.session import AskingSession
from gnomon.model.transcript import RunConfig
from gnomon.testing import (
    Asked,
    ClientError,
    CutConnection,
    FullAnswer,
    LoopbackModel,
    NoChoices,
    NotJson,
    RateLimited,
    Reply,
    ServerError,
    Slow,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore:Pydantic serializer warnings"),  # as `load` does, which pytest undoes
]

Run = Callable[..., Any]
Provider = Callable[..., LoopbackModel]
KNOWN = "openai/gpt-4o-mini"
MESSAGES = [{"role": "system", "content": "You are Atlas."}, {"role": "user", "content": "# Update 1"}]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "make_call",
            "description": "Place a phone call",
            "parameters": {"type": "object", "properties": {"number": {"type": "string"}}, "required": ["number"]},
        },
    }
]
USAGE = {"prompt_tokens": 1_000_000, "completion_tokens": 2_000_000, "total_tokens": 3_000_000}


def calling(*calls: tuple[str, str], content: str | None = None, **more: Any) -> NotJson:
    """A completion with tool calls whose arguments are any text."""
    asked = [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": content, "tool_calls": asked}
    whole = {"id": "x", "object": "chat.completion", "created": 1, "model": "gpt-4o-mini", "usage": USAGE, **more}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return NotJson(json.dumps({**whole, "choices": [choice]}), "application/json")


def one_turn(**params: Any) -> Any:
    return chat(KNOWN, MESSAGES, TOOLS, params=params, timeout=600)


def test_words_calls_and_what_they_took_come_back(run: Run, provider: Provider) -> None:
    provider(calling(("make_call", '{"number": "911"}'), ("get_contacts", ""), content="I call."))
    answer = run(one_turn())
    assert answer.text == "I call."
    first, second = answer.tool_calls
    assert first == AskedCall("make_call", {"number": "911"}, "call_0")
    assert second == AskedCall("get_contacts", {}, "call_1")
    assert (answer.tokens_input, answer.tokens_output) == (1_000_000, 2_000_000)
    assert answer.cost_usd == pytest.approx(0.15 + 2 * 0.60)
    assert answer.model == "gpt-4o-mini"
    assert answer.latency_ms > 0


@pytest.mark.parametrize("name", ["gpt-4o-mini", "loopback-1"])
def test_messages_tools_and_settings_go_out_as_they_are_and_nothing_else(
    name: str, run: Run, provider: Provider
) -> None:
    model = provider({"number": "911"})
    params = {"temperature": 0.5, "seed": 7, "max_tokens": 100, "tool_choice": "required", "parallel_tool_calls": False}
    answer = run(chat(f"openai/{name}", MESSAGES, TOOLS, params=params, timeout=600))
    assert answer.tool_calls == (AskedCall("make_call", {"number": "911"}, "call_1"),)
    sent = {key: value for key, value in model.requests[0].body.items() if key not in ("stream", "max_retries")}
    assert sent == {"model": name, "messages": MESSAGES, "tools": TOOLS, **params}


@pytest.mark.parametrize("way", ["openai", "litellm"])
def test_reasoning_models_know_the_longest_answer_by_another_name(
    way: str, run: Run, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = provider("7")
    monkeypatch.setenv("GNOMON_JUDGE_TRANSPORT", way)
    run(chat("openai/o3-mini", MESSAGES, [], params={"max_tokens": 100}, timeout=600))
    sent = model.requests[0].body
    assert (sent.get("max_completion_tokens"), sent.get("max_tokens")) == (100, None)


def test_a_turn_without_tools_offers_none(run: Run, provider: Provider) -> None:
    model = provider("Done.")
    run(chat(KNOWN, MESSAGES, [], params={}, timeout=600))
    assert "tools" not in model.requests[0].body


@pytest.mark.parametrize(
    "name",
    ["api_base", "api_key", "base_url", "headers", "extra_headers", "extra_body", "custom_llm_provider", "model",
     "messages", "tools", "api_version", "organization", "client", "mock_response", "fallbacks", "timeout", "n"],
)  # fmt: skip
def test_a_setting_that_is_none_of_an_answer_is_refused_before_anything_is_sent(
    name: str, run: Run, provider: Provider
) -> None:
    model = provider("7")
    with pytest.raises(Trouble, match=f"model_params.{name} is not a setting of an answer") as found:
        run(one_turn(**{name: "http://evil.example/v1"}))
    assert (found.value.kind, model.calls) == ("refused", 0)
    assert name not in SETTINGS
    with pytest.raises(InvalidInput, match=name):
        agents.make(parse_spec(KNOWN), 1, params={name: 1})


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ('{"number": "91', "not JSON"),
        ("call 911", "not JSON"),
        ("[1, 2]", "not a JSON object"),
        ('"911"', "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"number": "\\u0000"}', "not JSON"),
    ],
    ids=lambda text: text[:12],
)
def test_arguments_that_cannot_be_read_are_a_fault_of_their_call_alone(
    arguments: str, fault: str, run: Run, provider: Provider
) -> None:
    provider(calling(("make_call", arguments), ("make_call", '{"number": "911"}')))
    broken, whole = run(one_turn()).tool_calls
    assert (broken.name, broken.args, broken.id) == ("make_call", {}, "call_0")
    assert fault in broken.fault
    assert len(broken.fault) < 120
    assert whole == AskedCall("make_call", {"number": "911"}, "call_1")


def test_a_turn_may_be_silent(run: Run, provider: Provider) -> None:
    provider(None)
    answer = run(one_turn())
    assert (answer.text, answer.tool_calls) == (None, ())


def test_what_a_model_declines_with_is_what_it_says(run: Run, provider: Provider) -> None:
    provider(FullAnswer(None, refusal="I cannot help with that."))
    assert run(one_turn()).text == "I cannot help with that."


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (RateLimited(3), "rate_limited"),
        (ServerError(503), "overloaded"),
        (ClientError(400), "refused"),
        (CutConnection(), "connection"),
        (NotJson(), "unreadable"),
        (NoChoices(), "unreadable"),
        (Slow(60), "timeout"),
    ],
    ids=repr,
)
def test_trouble_has_the_kinds_of_any_question(fault: Reply, kind: str, run: Run, provider: Provider) -> None:
    model = provider(lambda _: fault)
    with pytest.raises(Trouble) as found:
        run(chat(KNOWN, MESSAGES, TOOLS, params={}, timeout=0.5 if isinstance(fault, Slow) else 600))
    assert (found.value.kind, model.calls) == (kind, 1)
    assert found.value.retry_after == (3.0 if kind == "rate_limited" else None)


# A model as an agent.


def agent(timeout: float = 600.0) -> ModelAgent:
    return ModelAgent(KNOWN, {}, timeout, session())


def session() -> AskingSession:
    return AskingSession(replace(agents.RETRY, first_pause=0.01, longest_pause=0.1))


def test_an_agents_calls_are_the_models(run: Run, provider: Provider) -> None:
    provider(calling(("make_call", '{"number": "911"}'), ("make_call", "{"), content="I call."))
    reply = run(agent().answer(MESSAGES, TOOLS))
    assert reply.text == "I call."
    assert reply.tool_calls[0] == AskedCall("make_call", {"number": "911"}, "call_0")
    assert "not JSON" in (reply.tool_calls[1].fault or "")
    assert reply.cost_usd == pytest.approx(0.15 + 2 * 0.60)
    assert reply.model == "gpt-4o-mini"


def test_trouble_that_may_pass_is_asked_again_and_what_it_took_is_counted(run: Run, provider: Provider) -> None:
    declined = NotJson(json.dumps({"choices": [], "usage": USAGE, "model": "gpt-4o-mini"}), "application/json")
    model = provider([ServerError(), CutConnection(), declined, FullAnswer("Done.", usage=USAGE)])
    reply = run(agent().answer(MESSAGES, TOOLS))
    assert (reply.text, model.calls) == ("Done.", 4)
    assert (reply.tokens_input, reply.tokens_output) == (2_000_000, 4_000_000)


def test_after_six_faults_a_turn_is_given_up(run: Run, provider: Provider) -> None:
    model = provider(lambda _: ServerError(message="Broken."))
    with pytest.raises(AgentFailed, match=r"^overloaded: openai answered 500: Broken. \(6 attempts\)$"):
        run(agent().answer(MESSAGES, TOOLS))
    assert model.calls == 6


def test_what_is_refused_is_asked_once(run: Run, provider: Provider) -> None:
    model = provider(lambda _: ClientError(400, "Too long."))
    with pytest.raises(AgentFailed, match=r"^refused: openai answered 400: Too long.$"):
        run(agent().answer(MESSAGES, TOOLS))
    assert model.calls == 1


def test_too_many_requests_are_no_fault_and_hold_everybody_back_as_long_as_the_model_says(
    run: Run, provider: Provider
) -> None:
    came: list[float] = []

    def script(asked: Asked) -> Reply:
        came.append(time.monotonic())
        return RateLimited(0.6) if asked.number == 1 else "Done."

    provider(script)
    shared = session()
    first, second = (ModelAgent(KNOWN, {}, 600.0, shared) for _ in range(2))

    async def both() -> list[Any]:
        one = await first.answer(MESSAGES, TOOLS)
        return [one, await second.answer(MESSAGES, TOOLS)]

    assert [reply.text for reply in run(both())] == ["Done.", "Done."]
    assert came[1] - came[0] >= 0.59
    assert came[2] - came[1] > 0.1, "the other agent is still slowed down"


@pytest.mark.parametrize("model", ["bedrock/claude", "octopus"])
def test_a_model_that_cannot_be_asked_here_is_refused_before_any_run(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(InvalidInput, match="model '"):
        agents.make(parse_spec(model), 1)


def test_a_whole_run_of_a_model_is_on_disk_with_what_it_cost(run: Run, provider: Provider, tmp_path: Path) -> None:
    def script(asked: Asked) -> Reply:
        if asked.messages[-1]["role"] == "tool" or '"heart_rate": 0' not in asked.prompt:
            return FullAnswer("Noted.", usage={"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010})
        return calling(("make_call", '{"number": "911"}'))

    model = provider(script)
    config = RunConfig(agent_model="-", user_sim_model="none", judge_model="none", model_params={"temperature": 0})
    todo = plans(tmp_path, [parse_spec(KNOWN)], [DayScenario(DayPackage(None, small_package()))], 1, config)
    [outcome] = run(run_many(todo))
    assert (outcome.state, outcome.steps, outcome.unpriced) == ("finished", 10, 0)
    transcript = read_transcript(outcome.plan.folder / "transcript.jsonl")
    called = [step.step_id for step in transcript.steps if any(turn.tool_calls for turn in step.turns)]
    assert called == [4, 5, 6, 7, 8, 9]
    assert transcript.end is not None
    assert transcript.end.cost_usd == pytest.approx(outcome.cost_usd)
    assert outcome.cost_usd == pytest.approx(6 * (0.15 + 1.20) + 10 * (1000 * 0.15 + 10 * 0.60) / 1e6)
    assert model.requests[0].body["temperature"] == 0
    assert run(run_many(todo))[0].steps == 0, "a run that has ended is left as it is"
