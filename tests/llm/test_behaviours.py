"""One table of behaviours for both transports: the same reply of a model means the same to whoever asked.

A model or its server may answer anything. What a caller learns of it (text, tokens, cost, kind of trouble, how long to
wait, whether another try may help) does not depend on the way by which it was asked.
"""

import asyncio
import contextlib
import gc
import json
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from gnomon.llm.answer import Trouble
from gnomon.llm.ask import ask, ask_structured, close, embed
from gnomon.llm.chat import chat
from gnomon.llm.prices import MOST_TOKENS, TokenPrice, Tokens
from gnomon.llm.transport import tokens_of
from gnomon.testing import (
    Asked,
    ClientError,
    CutConnection,
    FullAnswer,
    LoopbackModel,
    NoChoices,
    NotJson,
    RateLimited,
    Redirect,
    Reply,
    ServerError,
    Slow,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore:Pydantic serializer warnings"),
]

Run = Callable[..., Any]
Provider = Callable[..., LoopbackModel]
KNOWN, UNKNOWN = "openai/gpt-4o-mini", "openai/loopback-1"
DAY = timedelta(days=1)  # long enough that a slow run of the tests does not matter
USAGE = {"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200}
COST = (1000 * 0.15 + 200 * 0.60) / 1e6
"""Of that usage at gpt-4o-mini's price."""
TOOLS = [{"type": "function", "function": {"name": "ring", "parameters": {"type": "object", "properties": {}}}}]


class Grade(BaseModel):
    reasoning: str
    score: float = Field(ge=0, le=10)


GOOD, BAD = {"reasoning": "clear", "score": 8}, {"reasoning": "clear", "score": 11}


def plain(model: str, timeout: float) -> Any:
    return ask(model, "How good?", timeout=timeout)


def shaped(model: str, timeout: float) -> Any:
    return ask_structured(model, "How good?", Grade, timeout=timeout)


def turn(model: str, timeout: float) -> Any:
    return chat(model, [{"role": "user", "content": "How good?"}], TOOLS, params={}, timeout=timeout)


def vectors(model: str, timeout: float) -> Any:
    return embed(model, ["one", "three"], timeout=timeout)


@dataclass(frozen=True)
class Row:
    """What a model replies and what is learnt of it. `tokens` and `cost` are what the answer, or trouble, took."""

    reply: Any
    kind: str | None = None
    text: str | None = None
    tokens: tuple[int | None, int | None] = (None, None)
    cost: float | None = None
    wait: float | None = None
    message: str = ""
    """How the message begins."""
    calls: int = 1
    by: Callable[[str, float], Any] = plain
    model: str = KNOWN
    timeout: float = 30.0
    more: dict[str, Any] = field(default_factory=dict)


def said(text: Any = "7", usage: Any = USAGE, **more: Any) -> FullAnswer:
    return FullAnswer(text, usage, **more)


def body(**more: Any) -> NotJson:
    """An answer of any form."""
    return NotJson(json.dumps({"model": "gpt-4o-mini", "usage": USAGE, **more}), "application/json")


def calling(name: Any, arguments: Any) -> NotJson:
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return body(choices=[{"index": 0, "message": message, "finish_reason": "tool_calls"}])


PAID: dict[str, Any] = {"tokens": (1000, 200), "cost": pytest.approx(COST)}
TWICE: dict[str, Any] = {"tokens": (2000, 400), "cost": pytest.approx(2 * COST), "calls": 2}
CACHED = {**USAGE, "prompt_tokens_details": {"cached_tokens": 600}}
REASONED = {**USAGE, "completion_tokens_details": {"reasoning_tokens": 150}}

ROWS = {
    # answers
    "text": Row(said("The answer is 7.\n\nGood."), text="The answer is 7.\n\nGood.", **PAID),
    "an empty text": Row(said(""), text="", **PAID),
    "unicode": Row(said("💥 é \x00 \u2028 {{output}}"), text="💥 é \x00 \u2028 {{output}}", **PAID),
    "an enormous text": Row(said("no number " * 300_000), text="no number " * 300_000, **PAID),
    "a number": Row(said(7), text="7", **PAID),
    "a model without a price": Row(said("7"), text="7", tokens=(1000, 200), model=UNKNOWN),
    "another model's name": Row(said("7", model="gpt-4o-mini-2024-07-18"), text="7", **PAID),
    "cached input": Row(
        said("7", CACHED), text="7", tokens=(1000, 200),
        cost=pytest.approx((400 * 0.15 + 600 * 0.075 + 200 * 0.60) / 1e6),
    ),
    "reasoning": Row(said("7", REASONED), text="7", **PAID),
    # what it took, when nobody says or nobody can
    "no usage": Row(said("7", None), text="7"),
    "an empty usage": Row(said("7", {}), text="7"),
    "a usage that is a number": Row(said("7", 17), text="7"),
    "a usage that is a list": Row(said("7", [1, 2]), text="7"),
    "half a usage": Row(said("7", {"prompt_tokens": 10}), text="7"),
    "no tokens of input": Row(said("7", {"prompt_tokens": 0, "completion_tokens": 3, "total_tokens": 3}), text="7"),
    **{
        f"{name} tokens": Row(said("7", {**USAGE, "prompt_tokens": count}), text="7")
        for name, count in {
            "negative": -5, "too many": 10**20, "true": True, "half": 1.5, "whole but written as a float": 2.0,
            "words for": "many", "a text of": "17", "NaN": float("nan"), "infinitely many": float("inf"), "null": None,
        }.items()
    },
    "too many tokens of output": Row(said("7", {**USAGE, "completion_tokens": 10**9 + 1}), text="7"),
    "more cached than there are": Row(
        said("7", {**USAGE, "prompt_tokens_details": {"cached_tokens": 10**20}}), text="7", **PAID
    ),
    # statuses
    "400": Row(ClientError(400, "Too odd."), "refused", message="openai answered 400: Too odd."),
    "401": Row(ClientError(401, "No."), "refused", message="openai answered 401: No. (check OPENAI_API_KEY and"),
    "403": Row(ClientError(403, "No."), "refused", message="openai answered 403: No. (check OPENAI_API_KEY and"),
    "404": Row(ClientError(404, "No."), "refused", message="openai answered 404: No. (check the name of the model"),
    "408": Row(ClientError(408, "Late."), "timeout", message="openai answered 408: Late."),
    "409": Row(ClientError(409, "Busy."), "overloaded", message="openai answered 409: Busy."),
    "413": Row(ClientError(413, "Long."), "refused", message="openai answered 413: Long."),
    "422": Row(ClientError(422, "Odd."), "refused", message="openai answered 422: Odd."),
    "429": Row(RateLimited(), "rate_limited", message="openai answered 429: Rate limit reached."),
    "429 with seconds": Row(RateLimited(7), "rate_limited", wait=7.0),
    "429 with parts of a second": Row(RateLimited("0.25"), "rate_limited", wait=0.25),
    "429 with a moment": Row(
        RateLimited(datetime.now(UTC) + DAY), "rate_limited", wait=pytest.approx(84_600, abs=2_000)
    ),
    "429 with a moment that is over": Row(RateLimited("Wed, 21 Oct 2015 07:28:00 GMT"), "rate_limited", wait=0.0),
    "429 with words": Row(RateLimited("soon"), "rate_limited"),
    "429 with NaN": Row(RateLimited("nan"), "rate_limited"),
    "429 without money": Row(RateLimited(code="insufficient_quota"), "refused"),
    "500": Row(ServerError(500, "Oh."), "overloaded", message="openai answered 500: Oh."),
    "502": Row(ServerError(502, "Oh."), "overloaded", message="openai answered 502: Oh."),
    "503": Row(ServerError(503, "Oh."), "overloaded", message="openai answered 503: Oh."),
    "529": Row(ServerError(529, "Oh."), "overloaded", message="openai answered 529: Oh."),
    "too long a prompt": Row(
        ClientError(400, "This model's maximum context length is 10 tokens.", "context_length_exceeded"), "refused",
        message="openai answered 400: This model's maximum context length is 10 tokens.",
    ),
    "a forbidden prompt": Row(
        ClientError(400, "Your request was rejected by our safety system.", "content_policy_violation"), "refused",
        message="openai answered 400: Your request was rejected by our safety system.",
    ),
    "a redirect": Row(
        Redirect("http://127.0.0.1:9/v1/chat/completions"), "refused",
        message="openai answered 307 and points to http://127.0.0.1:9/v1/chat/completions; no redirect is followed",
    ),
    "a redirect that would change the method": Row(Redirect("http://127.0.0.1:9/", 302), "refused"),
    # connections
    "too slow": Row(Slow(60), "timeout", message="openai did not answer in time", timeout=1.0),
    "cut": Row(CutConnection(), "connection", message="the connection to openai failed: "),
    "cut in the middle": Row(CutConnection(mid_body=True), "connection", message="the connection to openai failed: "),
    # no answers
    "a page": Row(NotJson(), "unreadable", message="openai sent something that is not an answer: "),
    "half of JSON": Row(NotJson('{"choices": [', "application/json"), "unreadable"),
    "a list": Row(NotJson("[1]", "application/json"), "unreadable"),
    "null": Row(NotJson("null", "application/json"), "unreadable"),
    "nothing": Row(NotJson("", "application/json"), "unreadable"),
    "no choices": Row(
        body(choices=[]), "unreadable", message="openai sent an answer without choices", **PAID
    ),
    "no choices at all": Row(NoChoices(missing=True), "unreadable"),
    "no content": Row(said(None), "unreadable", message="openai sent a message without content", **PAID),
    "a refusal": Row(
        said(None, refusal="I cannot."), "unreadable", message="the model declined: I cannot.", **PAID
    ),
    # answers of a shape
    "a shape": Row(said(GOOD), text=json.dumps(GOOD), by=shaped, more={"value": GOOD}, **PAID),
    "a shape with more in it": Row(said({**GOOD, "x": 1}), text=json.dumps({**GOOD, "x": 1}), by=shaped, **PAID),
    "a shape at the second try": Row([said(BAD), said(GOOD)], text=json.dumps(GOOD), by=shaped, **TWICE),
    "never a shape": Row(
        [said(BAD)] * 2, "unreadable", by=shaped,
        message="the answer does not have the shape Grade: score: Input should be less than or equal to 10", **TWICE,
    ),
    "words instead of a shape": Row(
        [said("about eight")] * 2, "unreadable", by=shaped,
        message="the answer does not have the shape Grade: Invalid JSON: expected value", **TWICE,
    ),
    "a shape with a number as text": Row([said({**GOOD, "score": "8"})] * 2, "unreadable", by=shaped, **TWICE),
    "a shape in words": Row([said(f"Here: {json.dumps(GOOD)}")] * 2, "unreadable", by=shaped, **TWICE),
    "a shape that was cut off": Row([said(GOOD, finish_reason="length")] * 2, "unreadable", by=shaped, **PAID),
    "trouble at the second try": Row(
        [said(BAD), ServerError(503, "Oh.")], "overloaded", by=shaped, calls=2, message="openai answered 503: Oh.",
        **PAID,
    ),
    "trouble instead of a shape": Row(RateLimited(3), "rate_limited", wait=3.0, by=shaped),
    "a refusal instead of a shape": Row(
        said(None, refusal="I cannot."), "unreadable", by=shaped, message="the model declined: I cannot.", **PAID
    ),
    # turns with tools
    "a call": Row(calling("ring", '{"bell": 2}'), by=turn, more={"calls": [("ring", {"bell": 2}, "call_1")]}, **PAID),
    "a call with broken arguments": Row(
        calling("ring", '{"bell'), by=turn, more={"calls": [("ring", {}, "call_1")]}, **PAID
    ),
    "a silent turn": Row(said(None), by=turn, more={"calls": []}, **PAID),
    "a turn that declines": Row(said(None, refusal="I cannot."), text="I cannot.", by=turn, **PAID),
    "a turn in trouble": Row(ServerError(503), "overloaded", by=turn),
    # embeddings
    "embeddings": Row(
        said([[0.5, 1], [0, -2]], {"prompt_tokens": 1000, "total_tokens": 1000}), by=vectors,
        model="openai/text-embedding-3-small", tokens=(1000, None), cost=pytest.approx(1000 * 0.02 / 1e6),
        more={"vectors": [[0.5, 1.0], [0.0, -2.0]]},
    ),
    "embeddings without a usage": Row(said([[1], [2]], None), by=vectors, more={"vectors": [[1.0], [2.0]]}),
    "too few embeddings": Row(
        said([[1]]), "unreadable", by=vectors, message="openai sent something that is not an answer: 1 embeddings for 2"
    ),
    "embeddings in trouble": Row(RateLimited(2), "rate_limited", wait=2.0, by=vectors),
}  # fmt: skip


@pytest.fixture(params=["openai", "litellm"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """By which transport."""
    monkeypatch.setenv("GNOMON_JUDGE_TRANSPORT", request.param)
    return str(request.param)


@pytest.mark.parametrize("name", ROWS)
def test_the_same_reply_means_the_same_by_both_ways(
    name: str, way: str, run: Run, provider: Provider, capfd: pytest.CaptureFixture[str]
) -> None:
    row = ROWS[name]
    model = provider(row.reply if isinstance(row.reply, list) else (lambda _: row.reply))
    learnt: Any
    try:
        learnt = run(row.by(row.model, row.timeout))
    except Trouble as trouble:
        check_trouble(trouble, row)
    else:
        assert row.kind is None
        check_answer(learnt, row)
    # Instructor does not ask again after an answer that was cut off, and neither do we.
    assert model.calls == (1 if name == "a shape that was cut off" else row.calls)
    assert capfd.readouterr() == ("", "")


def check_trouble(trouble: Trouble, row: Row) -> None:
    assert (trouble.kind, trouble.retry_after) == (row.kind, row.wait), trouble.message
    assert trouble.retryable is (row.kind != "refused")
    assert trouble.message.startswith(row.message)
    assert "\n" not in trouble.message
    assert 10 < len(trouble.message) <= 300
    spent = trouble.spent
    taken = (None, None, None) if spent is None else (spent.tokens_input, spent.tokens_output, spent.cost_usd)
    assert taken == (*row.tokens, row.cost)


def check_answer(learnt: Any, row: Row) -> None:
    value, answer = learnt if isinstance(learnt, tuple) else (None, learnt)
    if "value" in row.more:
        assert (type(value), value.model_dump()) == (Grade, row.more["value"])
    if "calls" in row.more:
        assert [(call.name, call.args, call.id) for call in answer.tool_calls] == row.more["calls"]
    if "vectors" in row.more:
        assert answer.vectors == row.more["vectors"]
    else:
        assert answer.text == row.text
    assert (answer.tokens_input, getattr(answer, "tokens_output", None), answer.cost_usd) == (*row.tokens, row.cost)
    assert 0 < answer.latency_ms < 600_000


def test_a_connection_that_is_refused_is_one_that_failed(way: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackModel() as gone:
        pass
    for name, value in gone.environment().items():
        monkeypatch.setenv(name, value)
    with pytest.raises(Trouble, match=r"^the connection to openai failed: ") as found:
        run(ask(KNOWN, "How good?"))
    assert found.value.kind == "connection"


def test_a_server_that_does_not_speak_tls_is_a_connection_that_failed(
    way: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer_in_clear() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    with connection:
                        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer_in_clear, daemon=True).start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"https://127.0.0.1:{listening.getsockname()[1]}/v1")
        with pytest.raises(Trouble, match=r"^the connection to openai failed: ") as found:
            run(ask(KNOWN, "How good?"))
        listening.shutdown(socket.SHUT_RDWR)
    assert found.value.kind == "connection"


def test_a_proxy_of_the_environment_is_used(
    way: str, run: Run, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = provider()  # it speaks no proxy's language, and repeats what it was asked for
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://{way}.model.invalid/v1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, proxy.base_url.removesuffix("/v1"))
    with pytest.raises(
        Trouble, match=r"^openai answered 404: POST http://\w+.model.invalid/v1/chat/completions is not"
    ):
        run(ask(KNOWN, "How good?"))


def test_a_body_that_is_far_too_long_is_no_answer(
    way: str, run: Run, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"gnomon.llm.{way}_transport.LONGEST_BODY", 100_000)
    provider("word " * 30_000)
    with pytest.raises(Trouble, match=r"^openai sent more than ") as found:
        run(ask(KNOWN, "How good?"))
    assert found.value.kind == "unreadable"


def test_a_price_of_ones_own_goes_before_the_table(way: str, run: Run, provider: Provider) -> None:
    provider(lambda _: said("7"))
    own = {"loopback-1": TokenPrice.per_million(1000.0, 2000.0), "gpt-4o-mini": TokenPrice.per_million(0.0, 0.0)}
    assert run(ask(UNKNOWN, "?", prices=own)).cost_usd == pytest.approx(1.4)
    assert run(ask(KNOWN, "?", prices=own)).cost_usd == 0.0


def test_an_event_loop_of_its_own_for_each_question_needs_no_close(
    provider: Provider, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    provider("7")
    assert [asyncio.run(ask(KNOWN, "?")).text for _ in range(3)] == ["7"] * 3
    gc.collect()
    assert capfd.readouterr() == ("", "")
    assert [str(one.message) for one in recwarn if issubclass(one.category, ResourceWarning)] == []


def test_loops_in_several_threads_ask_at_once(provider: Provider) -> None:
    async def asked(number: int) -> str:
        answer = await ask(KNOWN, f"question {number}")
        await close()
        return answer.text

    provider(lambda seen: seen.prompt)
    with ThreadPoolExecutor(4) as threads:
        told = list(threads.map(lambda number: asyncio.run(asked(number)), range(8)))
    assert told == [f"question {number}" for number in range(8)]


def test_a_users_own_requests_follow_redirects_while_we_ask(
    way: str, run: Run, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what our questions send is kept from following redirects; nobody else's requests are."""
    began, done = asyncio.Event(), threading.Event()

    async def slow(_: Asked) -> Reply:
        loop.call_soon_threadsafe(began.set)
        while not done.is_set():
            await asyncio.sleep(0.01)
        return "7"

    async def both(target: str) -> tuple[str, int]:
        question = asyncio.create_task(ask(KNOWN, "How good?"))
        await began.wait()
        async with httpx.AsyncClient(follow_redirects=True) as client:
            response = await client.post(target, json={"messages": []})
        done.set()
        return (await question).text, response.status_code

    async def this_loop() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    loop = run(this_loop())
    with LoopbackModel("here") as there, LoopbackModel(Redirect(f"{there.base_url}/chat/completions")) as first:
        provider(slow)
        assert run(both(f"{first.base_url}/chat/completions")) == ("7", 200)
        assert (first.calls, there.calls) == (1, 1)


def test_connections_are_used_again(run: Run, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    model = provider("7")
    for _ in range(5):
        run(ask(KNOWN, "?"))
    assert (model.calls, model.connections) == (5, 1)


# Whatever a model says of its tokens.

_json_leaves = (
    st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.floats() | st.text(max_size=5)
    | st.lists(st.integers(), max_size=2)
)  # fmt: skip
_counts = _json_leaves | st.integers(0, 2 * MOST_TOKENS)
_details = _json_leaves | st.dictionaries(st.sampled_from(["cached_tokens", "reasoning_tokens"]), _counts)
_usages = _json_leaves | st.fixed_dictionaries(
    {},
    optional={
        "prompt_tokens": _counts, "completion_tokens": _counts, "total_tokens": _counts,
        "prompt_tokens_details": _details, "completion_tokens_details": _details,
    },
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(_usages)
def test_token_counts_are_bounded_whatever_a_usage_says(usage: Any) -> None:
    """Token counts are bounded before they leave: a count that cannot be one is unknown, never stored."""
    tokens = tokens_of(usage)
    if tokens is None:
        return
    for number in (tokens.input, tokens.output, tokens.cached, tokens.written, tokens.reasoning):
        assert type(number) is int
        assert 0 <= number <= MOST_TOKENS
    assert tokens.input == usage["prompt_tokens"]
    assert tokens.output == usage["completion_tokens"]


def test_the_bound_itself_is_a_count() -> None:
    usage = {"prompt_tokens": MOST_TOKENS, "completion_tokens": MOST_TOKENS}
    assert tokens_of(usage) == Tokens(MOST_TOKENS, MOST_TOKENS)
