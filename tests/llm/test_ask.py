"""The real LiteLLM and the real Instructor, asked over real HTTP; only the model's words are made up."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from gnomon.llm.ask import Answer, Trouble, ask, ask_structured
from gnomon.testing import (
    Asked,
    CutConnection,
    LoopbackModel,
    NoChoices,
    NotJson,
    RateLimited,
    Refused,
    Reply,
    Said,
    ServerError,
    Slow,
)

pytestmark = [
    pytest.mark.xdist_group("llm"),
    pytest.mark.filterwarnings("ignore:Pydantic serializer warnings"),  # as `load` does, which pytest undoes
]

Run = Callable[..., Any]
Provider = Callable[..., LoopbackModel]
KNOWN, UNKNOWN = "openai/gpt-4o-mini", "openai/loopback-1"
ENORMOUS = "no number here " * 200_000


class Grade(BaseModel):
    reasoning: str
    score: float = Field(ge=0, le=10)


def trouble(run: Run, question: Any) -> Trouble:
    with pytest.raises(Trouble) as found:
        run(question)
    return found.value


# What the model says comes back as it was said.


@pytest.mark.parametrize(
    "said", ["0.8", "The answer is 7 of 10.\n\nGood.", "", "💥 \x00 \u2028 {{output}}", ENORMOUS], ids=lambda s: s[:9]
)
def test_an_answer_comes_back_letter_by_letter(said: str, run: Run, provider: Provider) -> None:
    provider(said)
    assert run(ask(KNOWN, "How good?")).text == said


def test_the_prompt_goes_out_letter_by_letter_with_the_system_prompt_before_it(run: Run, provider: Provider) -> None:
    model = provider()
    run(ask(KNOWN, "línea 1\r\nlínea 2 {{output}}\t", system="You judge.", temperature=0.0))
    [asked] = model.requests
    assert asked.body["messages"] == [
        {"role": "system", "content": "You judge."},
        {"role": "user", "content": "línea 1\r\nlínea 2 {{output}}\t"},
    ]
    assert asked.body["temperature"] == 0.0
    assert asked.body["model"] == "gpt-4o-mini"


def test_a_temperature_that_is_not_given_is_not_sent(run: Run, provider: Provider) -> None:
    model = provider()
    run(ask(KNOWN, "How good?"))
    assert set(model.requests[0].body) <= {"model", "messages", "stream", "max_retries"}


@pytest.mark.parametrize("model", ["gpt-4o-mini", "claude-3-5-haiku", "openai/meta-llama/Llama-3.1-8B"])
def test_with_a_base_url_names_without_a_provider_go_there(model: str, run: Run, provider: Provider) -> None:
    asked_at = provider()
    run(ask(model, "How good?"))
    assert asked_at.requests[0].model == model.removeprefix("openai/")


def test_a_server_of_ones_own_needs_no_key(run: Run, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    model = provider()
    monkeypatch.delenv("OPENAI_API_KEY")
    assert run(ask("local", "How good?")).text == "1"
    assert model.requests[0].headers["authorization"] == "Bearer none"


# What it took.


def test_tokens_are_the_providers_and_cost_is_theirs_by_the_price_table(run: Run, provider: Provider) -> None:
    provider(Said("7", usage={"prompt_tokens": 1_000_000, "completion_tokens": 2_000_000, "total_tokens": 3_000_000}))
    answer = run(ask(KNOWN, "How good?"))
    assert (answer.tokens_input, answer.tokens_output) == (1_000_000, 2_000_000)
    assert answer.cost_usd == pytest.approx(0.15 + 2 * 0.60)
    assert answer.model == "gpt-4o-mini"
    assert 0 < answer.latency_ms < 600_000


def test_a_model_without_a_price_has_tokens_and_no_cost(run: Run, provider: Provider) -> None:
    provider(Said("7", usage={"prompt_tokens": 11, "completion_tokens": 2, "total_tokens": 13}))
    answer = run(ask(UNKNOWN, "How good?"))
    assert (answer.tokens_input, answer.tokens_output, answer.cost_usd) == (11, 2, None)


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": -5, "completion_tokens": 3, "total_tokens": -2}], ids=str
)
def test_a_usage_that_is_absent_or_nonsense_is_not_known(usage: Any, run: Run, provider: Provider) -> None:
    provider(Said("7", usage=usage))
    answer = run(ask(KNOWN, "How good?"))
    assert (answer.text, answer.tokens_input, answer.tokens_output, answer.cost_usd) == ("7", None, None, None)


# What goes wrong has a kind.


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (RateLimited(), "rate_limited"),
        (RateLimited(code="insufficient_quota"), "refused"),
        (ServerError(500), "overloaded"),
        (ServerError(502), "overloaded"),
        (ServerError(503), "overloaded"),
        (ServerError(529), "overloaded"),
        (Refused(409), "overloaded"),
        (Refused(408), "timeout"),
        (Slow(60), "timeout"),
        (CutConnection(), "connection"),
        (CutConnection(mid_body=True), "connection"),
        (Refused(400), "refused"),
        (Refused(401), "refused"),
        (Refused(403), "refused"),
        (Refused(404), "refused"),
        (Refused(413), "refused"),
        (Refused(422), "refused"),
        (NotJson(), "unreadable"),
        (NotJson('{"choices": [', "application/json"), "unreadable"),
        (NotJson("[1]", "application/json"), "unreadable"),
        (NotJson("null", "application/json"), "unreadable"),
        (NotJson("", "application/json"), "unreadable"),
        (NoChoices(), "unreadable"),
        (NoChoices(missing=True), "unreadable"),
        (None, "unreadable"),
        (Said(None, refusal="I cannot help with that."), "unreadable"),
        (Said("7", usage={"prompt_tokens": "many"}), "unreadable"),
        (Said("7", usage=17), "unreadable"),
    ],
    ids=repr,
)
def test_every_fault_has_one_kind_and_is_not_tried_again(
    fault: Reply, kind: str, run: Run, provider: Provider, capfd: pytest.CaptureFixture[str]
) -> None:
    model = provider(lambda _: fault)
    found = trouble(run, ask(KNOWN, "How good?", timeout=1.0 if isinstance(fault, Slow) else 60))
    assert found.kind == kind
    assert found.retryable is (kind != "refused")
    assert "\n" not in found.message
    assert 10 < len(found.message) <= 300
    assert model.calls == 1
    assert capfd.readouterr() == ("", "")


def test_nobody_listening_is_a_connection_that_failed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackModel() as gone:
        pass
    for name, value in gone.environment().items():
        monkeypatch.setenv(name, value)
    assert trouble(run, ask(KNOWN, "How good?")).kind == "connection"


def test_the_providers_words_are_in_the_message_and_what_to_set(run: Run, provider: Provider) -> None:
    provider(Refused(401, "That key is not ours."))
    message = trouble(run, ask(KNOWN, "How good?")).message
    remedy = "(check OPENAI_API_KEY and OPENAI_BASE_URL in the server's environment)"
    assert message == f"openai answered 401: That key is not ours. {remedy}"


@pytest.mark.parametrize(
    "said", ["bad key sk-loopback-0123456789", "Incorrect API key provided: sk-loop****6789.", "x\n" * 900]
)
def test_a_message_holds_no_key_and_is_one_short_line(said: str, run: Run, provider: Provider) -> None:
    provider(Refused(401, said))
    message = trouble(run, ask(KNOWN, "How good?")).message
    assert "sk-" not in message
    assert "6789" not in message
    assert len(message.splitlines()) == 1
    assert len(message) <= 300


@pytest.mark.parametrize(("header", "seconds"), [(7, 7.0), ("0.25", 0.25), (None, None), ("soon", None), ("nan", None)])
def test_retry_after_is_read_in_seconds(header: Any, seconds: float | None, run: Run, provider: Provider) -> None:
    provider(RateLimited(header))
    assert trouble(run, ask(KNOWN, "How good?")).retry_after == seconds


def test_retry_after_is_read_as_a_moment(run: Run, provider: Provider) -> None:
    provider([RateLimited(datetime.now(UTC) + timedelta(hours=1)), RateLimited("Wed, 21 Oct 2015 07:28:00 GMT")])
    wait = trouble(run, ask(KNOWN, "How good?")).retry_after
    assert wait is not None
    assert 3000 < wait <= 3600
    assert trouble(run, ask(KNOWN, "How good?")).retry_after == 0


def test_what_a_declined_answer_took_is_kept(run: Run, provider: Provider) -> None:
    provider(Said(None, refusal="I cannot.", usage={"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}))
    found = trouble(run, ask(KNOWN, "How good?"))
    assert found.evidence == "I cannot."
    assert found.spent is not None
    assert (found.spent.tokens_input, found.spent.tokens_output) == (10, 5)


def test_trouble_met_while_handling_other_trouble_keeps_its_own_kind(run: Run, provider: Provider) -> None:
    async def twice() -> Answer:
        try:
            return await ask(KNOWN, "How good?")
        except Trouble:
            return await ask(KNOWN, "And now?")

    provider([RateLimited(9), NotJson()])
    assert trouble(run, twice()).kind == "unreadable"


def test_after_a_timeout_the_next_question_is_answered(run: Run, provider: Provider) -> None:
    provider([Slow(60), "7"])
    assert trouble(run, ask(KNOWN, "How good?", timeout=0.5)).kind == "timeout"
    assert run(ask(KNOWN, "How good?")).text == "7"


def test_a_name_that_would_choose_a_host_is_refused_before_anything_is_sent(run: Run, provider: Provider) -> None:
    model = provider()
    assert trouble(run, ask("openai/http://127.0.0.1:9/v1", "How good?")).kind == "refused"
    assert model.calls == 0


# Answers of a shape.


def test_a_shaped_answer_is_asked_for_with_its_schema_and_checked(run: Run, provider: Provider) -> None:
    model = provider({"reasoning": "clear", "score": 8})
    grade, answer = run(ask_structured(KNOWN, "How good?", Grade, system="You judge.", temperature=0.5))
    assert grade == Grade(reasoning="clear", score=8)
    assert type(grade) is Grade
    assert (answer.text, model.calls) == ('{"reasoning": "clear", "score": 8}', 1)
    sent = model.requests[0].body
    assert sent["response_format"]["type"] == "json_schema"
    assert set(sent["response_format"]["json_schema"]["schema"]["properties"]) == {"reasoning", "score"}
    assert (sent["temperature"], model.requests[0].prompt) == (0.5, "How good?")


def test_an_answer_that_does_not_fit_is_sent_back_once_and_both_are_paid(run: Run, provider: Provider) -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    model = provider([Said({"score": 11}, usage), Said({"reasoning": "clear", "score": 8}, usage)])
    grade, answer = run(ask_structured(KNOWN, "How good?", Grade))
    assert grade.score == 8
    assert (model.calls, answer.tokens_input, answer.tokens_output) == (2, 200, 20)
    assert answer.cost_usd == pytest.approx(2 * (100 * 0.15 + 10 * 0.60) / 1e6)


@pytest.mark.parametrize("said", ["about eight", '{"score": 8', "", '{"reasoning": "x", "score": 99}'])
def test_an_answer_that_never_fits_is_unreadable_with_its_text(
    said: str, run: Run, provider: Provider, capfd: pytest.CaptureFixture[str]
) -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    model = provider(lambda _: Said(said, usage))
    found = trouble(run, ask_structured(KNOWN, "How good?", Grade))
    assert (found.kind, found.evidence, model.calls) == ("unreadable", said, 2)
    assert found.spent is not None
    assert found.spent.tokens_input == 200
    assert "Grade" in found.message
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("fault", [RateLimited(3), ServerError(), CutConnection(), Refused(401), NoChoices()], ids=repr)
def test_faults_are_the_same_when_a_shape_is_asked_for(fault: Reply, run: Run, provider: Provider) -> None:
    model = provider(lambda _: fault)
    plain, shaped = (trouble(run, asked) for asked in (ask(KNOWN, "?"), ask_structured(KNOWN, "?", Grade)))
    assert (shaped.kind, shaped.message, shaped.retry_after) == (plain.kind, plain.message, plain.retry_after)
    assert model.calls == 2


def test_trouble_at_the_second_try_keeps_what_the_first_took(run: Run, provider: Provider) -> None:
    provider([Said("x", {"prompt_tokens": 100, "completion_tokens": 1, "total_tokens": 101}), ServerError()])
    found = trouble(run, ask_structured(KNOWN, "How good?", Grade))
    assert found.kind == "overloaded"
    assert found.spent is not None
    assert found.spent.tokens_input == 100


# Many at once, and nobody else.


def test_thirty_two_questions_are_in_flight_together(run: Run, provider: Provider) -> None:
    everyone = asyncio.Barrier(32)

    async def answer_when_all_have_asked(asked: Asked) -> Reply:
        await everyone.wait()
        return asked.prompt

    async def all_of_them() -> list[Answer]:
        return await asyncio.gather(*(ask(KNOWN, f"question {number}") for number in range(32)))

    model = provider(answer_when_all_have_asked, latency=0.5)
    answers = run(all_of_them())
    assert [answer.text for answer in answers] == [f"question {number}" for number in range(32)]
    assert model.peak_concurrency == 32


def test_nothing_but_the_base_url_is_contacted(run: Run, provider: Provider) -> None:
    addresses: list[Any] = []

    def listen(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.connect" and listening:
            addresses.append(arguments[1])
        elif event == "socket.getaddrinfo" and listening:
            addresses.append(arguments[:2])

    listening = True
    sys.addaudithook(listen)
    model = provider(["7", {"reasoning": "clear", "score": 8}, ServerError()])
    port = int(model.base_url.split(":")[2].split("/")[0])
    run(ask(KNOWN, "How good?"))
    run(ask_structured(KNOWN, "How good?", Grade))
    trouble(run, ask(KNOWN, "How good?"))
    listening = False
    assert {tuple(address[:2]) for address in addresses} == {("127.0.0.1", port)}


ALONE = """
import asyncio, sys
from gnomon.llm.ask import ask, close
print("litellm" in sys.modules, "instructor" in sys.modules)
async def main():
    await ask("gpt-4o-mini", "How good?")
    answer = await ask("gpt-4o-mini", "And now that LiteLLM is loaded?")
    print(answer.text, answer.tokens_input, answer.cost_usd is not None)
    await close()
asyncio.run(main())
print("litellm" in sys.modules)
"""


def test_a_process_of_its_own_loads_late_obeys_no_file_and_says_nothing(tmp_path: Path) -> None:
    """Every proxy leads nowhere, and a `.env` in the folder holds keys that nobody gave this process."""
    (tmp_path / ".env").write_text("OPENAI_API_KEY=of-the-file\nANTHROPIC_API_KEY=of-the-file\n", encoding="utf-8")
    dead = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"), "http://127.0.0.1:9")
    with LoopbackModel("7") as model:
        environment = os.environ | dead | model.environment()
        environment.pop("OPENAI_API_KEY")
        done = subprocess.run(
            [sys.executable, "-c", ALONE], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120
        )
        assert (done.stdout, done.stderr) == ("False False\n7 6 True\nTrue\n", "")
        assert [asked.headers["authorization"] for asked in model.requests] == ["Bearer none"] * 2


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys, asyncio\nsys.modules['litellm'] = None\nfrom gnomon.llm.ask import Trouble, ask\n"
        "try:\n    asyncio.run(ask('openai/x', 'y'))\nexcept Trouble as found:\n    print(found.kind, found.message)"
    )
    environment = os.environ | {"OPENAI_API_KEY": "k"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout == "refused litellm is not installed; install gnomon[judge] to ask models\n", done.stderr
