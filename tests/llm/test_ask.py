"""Questions over real HTTP; only the model's words are made up. What replies mean is in `test_behaviours.py`."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from gnomon.extras import install_command
from gnomon.llm.ask import Answer, Trouble, ask, ask_structured
from gnomon.testing import (
    Asked,
    ClientError,
    LoopbackModel,
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
KNOWN, UNKNOWN = "openai/gpt-4o-mini", "openai/loopback-1"
ENORMOUS = "no number here " * 200_000


class Grade(BaseModel):
    reasoning: str
    score: float = Field(ge=0, le=10)


def trouble(run: Run, question: Any) -> Trouble:
    with pytest.raises(Trouble) as found:
        run(question)
    return found.value


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


# What goes wrong has a kind.


def test_the_providers_words_are_in_the_message_and_what_to_set(run: Run, provider: Provider) -> None:
    provider(ClientError(401, "That key is not ours."))
    message = trouble(run, ask(KNOWN, "How good?")).message
    remedy = "(check OPENAI_API_KEY and OPENAI_BASE_URL in the server's environment)"
    assert message == f"openai answered 401: That key is not ours. {remedy}"


@pytest.mark.parametrize(
    "said", ["bad key sk-loopback-0123456789", "Incorrect API key provided: sk-loop****6789.", "x\n" * 900]
)
def test_a_message_holds_no_key_and_is_one_short_line(said: str, run: Run, provider: Provider) -> None:
    provider(ClientError(401, said))
    message = trouble(run, ask(KNOWN, "How good?")).message
    assert "sk-" not in message
    assert "6789" not in message
    assert len(message.splitlines()) == 1
    assert len(message) <= 300


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


@pytest.mark.parametrize("way", ["openai", "litellm"])
def test_nothing_but_the_base_url_is_contacted(
    way: str, run: Run, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GNOMON_JUDGE_TRANSPORT", way)
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
    answer = await ask("gpt-4o-mini", "And now that all is loaded?")
    print(answer.text, answer.tokens_input, answer.cost_usd is not None)
    await close()
asyncio.run(main())
print("litellm" in sys.modules)
"""


@pytest.mark.parametrize("way", ["openai", "litellm"])
def test_a_process_of_its_own_loads_late_obeys_no_file_and_says_nothing(way: str, tmp_path: Path) -> None:
    """Every proxy leads nowhere, and a `.env` in the folder holds keys that nobody gave this process.

    The direct transport never loads LiteLLM, which takes seconds and 150 MB.
    """
    (tmp_path / ".env").write_text("OPENAI_API_KEY=of-the-file\nANTHROPIC_API_KEY=of-the-file\n", encoding="utf-8")
    dead = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"), "http://127.0.0.1:9")
    with LoopbackModel("7") as model:
        environment = os.environ | dead | model.environment() | {"GNOMON_JUDGE_TRANSPORT": way}
        environment.pop("OPENAI_API_KEY")
        done = subprocess.run(
            [sys.executable, "-c", ALONE], env=environment, cwd=tmp_path, capture_output=True, text=True
        )
        assert (done.stdout, done.stderr) == (f"False False\n7 6 True\n{way == 'litellm'}\n", "")
        assert [asked.headers["authorization"] for asked in model.requests] == ["Bearer none"] * 2


@pytest.mark.parametrize(("way", "missing"), [("openai", "aiohttp"), ("litellm", "litellm")])
def test_without_the_extra_it_says_what_to_install(way: str, missing: str) -> None:
    code = (
        f"import sys, asyncio\nsys.modules[{missing!r}] = None\nfrom gnomon.llm.ask import Trouble, ask\n"
        "try:\n    asyncio.run(ask('openai/x', 'y'))\nexcept Trouble as found:\n    print(found.kind, found.message)"
    )
    environment = os.environ | {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "GNOMON_JUDGE_TRANSPORT": way}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout == f"refused asking models needs {missing}; run: {install_command('judge')}\n", done.stderr


UNTOUCHED = """
import asyncio, gc, logging, os, signal, sys, warnings
import httpx
for name in ("httpx", "openai", "asyncio", "uvicorn.access", "a.users.own"):
    logging.getLogger(name)
logging.getLogger("httpx").setLevel(logging.INFO)
logging.getLogger().addHandler(logging.NullHandler())
warnings.filterwarnings("error", message="of the user")
from gnomon.llm.ask import ask, close, load

def of_the_class(kind):
    return {name: value for name, value in vars(kind).items() if callable(value)}

def state():
    loggers = {
        name: (logger.level, list(logger.handlers), list(logger.filters), logger.disabled, logger.propagate)
        for name in [*before_loading, ""]
        for logger in [logging.getLogger(name)]
    }
    return {
        "environment": dict(os.environ), "loggers": loggers, "warnings": list(warnings.filters),
        "frozen": gc.get_freeze_count(), "collecting": gc.isenabled(), "hook": sys.excepthook,
        "signals": [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)],
        "client": of_the_class(httpx.Client), "async client": of_the_class(httpx.AsyncClient),
        "folder": os.getcwd(), "threads' trace": sys.gettrace(), "recursion": sys.getrecursionlimit(),
    }

before_loading = list(logging.Logger.manager.loggerDict)
before = state()
load(["openai/gpt-4o-mini", "anthropic/claude"])
async def main():
    print((await ask("gpt-4o-mini", "How good?")).text, os.environ["GNOMON_JUDGE_TRANSPORT"] == "litellm")
    await close()
asyncio.run(main())
after = state()
print([name for name in before if before[name] != after[name]])
"""


@pytest.mark.parametrize("way", ["openai", "litellm"])
def test_loading_and_asking_leave_a_users_process_as_it_was(way: str, tmp_path: Path) -> None:
    """Loading the model library changes nothing in a user's process."""
    with LoopbackModel("7") as model:
        environment = os.environ | model.environment() | {"GNOMON_JUDGE_TRANSPORT": way, "ANTHROPIC_API_KEY": "k"}
        for changed in ("LITELLM_LOCAL_MODEL_COST_MAP", "LITELLM_MODE"):
            environment.pop(changed, None)
        done = subprocess.run(
            [sys.executable, "-c", UNTOUCHED],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
    assert (done.stdout, done.stderr) == (f"7 {way == 'litellm'}\n[]\n", "")


def test_a_transport_that_is_none_is_refused(run: Run, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    model = provider()
    monkeypatch.setenv("GNOMON_JUDGE_TRANSPORT", "pigeon")
    found = trouble(run, ask(KNOWN, "How good?"))
    assert found.message == "GNOMON_JUDGE_TRANSPORT is 'pigeon'; it is auto, openai or litellm"
    assert (found.kind, model.calls) == ("refused", 0)
