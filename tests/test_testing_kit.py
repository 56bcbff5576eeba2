"""The test kit that users get: the loopback model keeps its word, and the simulated judges their rates."""

import asyncio
import itertools
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from contract.caller import LOOPBACK
from gnomon.testing import (
    Asked,
    ClientError,
    CutConnection,
    FullAnswer,
    LoopbackModel,
    NoChoices,
    NotJson,
    RateLimited,
    ServerError,
    SimulatedJudge,
    Slow,
    mark,
    marked_items,
    read_mark,
)


def post(model: LoopbackModel, prompt: str = "How good?", **more: Any) -> httpx2.Response:
    body = {"model": "m", "messages": [{"role": "user", "content": prompt}], **more}
    return httpx2.post(f"{model.base_url}/chat/completions", json=body, timeout=600, **LOOPBACK)


def said(model: LoopbackModel, prompt: str = "How good?") -> Any:
    return post(model, prompt).json()["choices"][0]["message"]["content"]


# Scripts.


def test_a_constant_is_said_every_time() -> None:
    with LoopbackModel("0.8") as model:
        assert [said(model), said(model)] == ["0.8", "0.8"]
        assert model.calls == 2


def test_a_list_is_said_in_order_and_then_refused() -> None:
    with LoopbackModel(["a", 0.5, True, {"score": 1}, None]) as model:
        assert [said(model) for _ in range(5)] == ["a", "0.5", "true", '{"score": 1}', None]
        after = post(model)
        assert (after.status_code, after.json()["error"]["message"]) == (
            400,
            "the script is used up: this is request 6",
        )


def test_an_endless_iterable_is_never_used_up() -> None:
    with LoopbackModel(itertools.cycle(["a", "b"])) as model:
        assert [said(model) for _ in range(5)] == ["a", "b", "a", "b", "a"]


def test_a_function_answers_by_the_request() -> None:
    with LoopbackModel(lambda asked: f"{asked.number} {asked.model} {asked.prompt}") as model:
        assert said(model, "x") == "1 m x"


def test_a_function_may_wait_for_other_requests() -> None:
    both = asyncio.Barrier(2)

    async def together(asked: Asked) -> str:
        await both.wait()
        return asked.prompt

    with LoopbackModel(together) as model, ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda prompt: said(model, prompt), ["a", "b"])) == ["a", "b"]
        assert model.peak_concurrency == 2


def test_a_function_that_raises_is_reported_where_the_block_ends() -> None:
    with (
        pytest.raises(RuntimeError, match="the script of the loopback model raised") as found,
        LoopbackModel(lambda asked: asked.body["no such field"]) as model,
    ):
        assert post(model).status_code == 400
    assert isinstance(found.value.__cause__, KeyError)


# What is kept of the requests.


def test_requests_are_kept_with_their_bodies_and_headers() -> None:
    with LoopbackModel() as model:
        post(model, "héllo", temperature=0.5)
        [asked] = model.requests
    assert (asked.number, asked.prompt, asked.system, asked.body["temperature"]) == (1, "héllo", None, 0.5)
    assert asked.headers["content-type"] == "application/json"


def test_what_is_asked_is_read_from_any_form_of_messages() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image_url"}, {"type": "text", "text": "b"}]
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": parts}, {"role": "assistant"}]
    asked = Asked(1, {"messages": messages}, {})
    assert (asked.prompt, asked.system) == ("ab", "s")
    assert (Asked(1, {}, {}).prompt, Asked(1, {}, {}).system) == ("", None)


def test_requests_from_many_threads_are_all_kept_and_numbered_once() -> None:
    with LoopbackModel() as model, ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda number: post(model, str(number)), range(200)))
        assert sorted(int(asked.prompt) for asked in model.requests) == list(range(200))
        assert [asked.number for asked in model.requests] == list(range(1, 201))


def test_the_same_script_answers_the_same_bytes_twice() -> None:
    def bodies() -> list[bytes]:
        with LoopbackModel(["a", {"b": 1}]) as model:
            return [post(model).content, post(model).content]

    assert bodies() == bodies()


# The protocol.


def test_an_answer_has_the_fields_of_a_chat_completion_and_counts_words_as_tokens() -> None:
    with LoopbackModel("two words") as model:
        told = post(model, "a prompt of five words").json()
    assert (told["object"], told["model"]) == ("chat.completion", "m")
    assert told["usage"] == {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
    assert told["choices"][0]["finish_reason"] == "stop"


def test_a_model_can_ask_for_several_tools_by_name() -> None:
    with LoopbackModel([FullAnswer(tool_calls=[("look_up", {"id": 7}), ("refund", {})]), "done"]) as model:
        choice = post(model).json()["choices"][0]
        calls = [(call["id"], call["function"]) for call in choice["message"]["tool_calls"]]
        assert calls == [
            ("call_1", {"name": "look_up", "arguments": '{"id": 7}'}),
            ("call_2", {"name": "refund", "arguments": "{}"}),
        ]
        assert (choice["finish_reason"], choice["message"]["content"]) == ("tool_calls", None)
        assert said(model) == "done"


def test_where_tools_are_offered_json_comes_as_a_call_of_the_first() -> None:
    class Grade(BaseModel):
        score: int

    tools = [{"type": "function", "function": {"name": "grade", "parameters": {}}}]
    with LoopbackModel([Grade(score=3), "no call"]) as model:
        [call] = post(model, tools=tools).json()["choices"][0]["message"]["tool_calls"]
        assert call["function"] == {"name": "grade", "arguments": '{"score":3}'}
        assert post(model, tools=tools).json()["choices"][0]["message"]["content"] == "no call"


def test_models_are_listed_and_other_paths_are_not_spoken() -> None:
    with LoopbackModel(models=["a", "b"]) as model:
        listed = httpx2.get(f"{model.base_url}/models", **LOOPBACK).json()
        assert [entry["id"] for entry in listed["data"]] == ["a", "b"]
        assert httpx2.get(f"{model.base_url}/embeddings", **LOOPBACK).status_code == 404
        assert model.calls == 0


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b'{"stream": true}'])
def test_a_request_that_cannot_be_answered_is_refused_and_not_counted(body: bytes) -> None:
    with LoopbackModel() as model:
        answer = httpx2.post(f"{model.base_url}/chat/completions", content=body, **LOOPBACK)
        assert answer.status_code == 400
        assert model.calls == 0


@pytest.mark.parametrize("line", [b"\r\n\r\n", b"nonsense\r\n\r\n", b"POST /v1 HTTP/1.1\r\nContent-Length: x\r\n\r\n"])
def test_what_is_not_http_ends_its_own_connection_only(line: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with LoopbackModel("1") as model:
        with socket.create_connection(("127.0.0.1", httpx2.URL(model.base_url).port), timeout=600) as odd:
            odd.sendall(line)
            assert odd.recv(100) == b""
        assert said(model) == "1"
    assert not [record for record in caplog.records if record.name == "asyncio"]


# Faults.


@pytest.mark.parametrize(
    ("fault", "status", "contains"),
    [
        (RateLimited(7), 429, "Rate limit"),
        (ServerError(503, "down"), 503, "down"),
        (ClientError(401, "who?"), 401, "who?"),
        (NotJson("<p>"), 200, "<p>"),
        (Slow(0, Slow(0, "late")), 200, "late"),
        (FullAnswer("7", usage={"prompt_tokens": "many"}), 200, '"many"'),
        (FullAnswer("7", model="other", finish_reason="length"), 200, '"other"'),
    ],
    ids=repr,
)
def test_faults_look_as_they_do_in_the_wild(fault: Any, status: int, contains: str) -> None:
    with LoopbackModel([fault]) as model:
        answer = post(model)
    assert answer.status_code == status
    assert contains in answer.text


def test_a_rate_limit_says_how_long_to_wait_when_it_is_told_to() -> None:
    with LoopbackModel([RateLimited(2.5), RateLimited()]) as model:
        assert [post(model).headers.get("retry-after") for _ in range(2)] == ["2.5", None]


@pytest.mark.parametrize(("missing", "keys"), [(False, True), (True, False)])
def test_an_answer_can_be_without_choices(missing: bool, keys: bool) -> None:
    with LoopbackModel(NoChoices(missing)) as model:
        assert ("choices" in post(model).json()) is keys


@pytest.mark.parametrize("mid_body", [False, True])
def test_a_connection_can_be_cut(mid_body: bool) -> None:
    with LoopbackModel(CutConnection(mid_body)) as model:
        with pytest.raises(httpx2.RemoteProtocolError):
            post(model)
        assert model.calls == 1


def test_two_hundred_requests_wait_at_the_same_time() -> None:
    """Over plain sockets: what is tested is the server, not a client."""
    everyone = asyncio.Barrier(200)

    async def when_all_are_there(_: Asked) -> str:
        await everyone.wait()
        return "1"

    body = json.dumps({"messages": []}).encode()
    request = f"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    with LoopbackModel(when_all_are_there, latency=0.01) as model:
        port = httpx2.URL(model.base_url).port
        lines = [socket.create_connection(("127.0.0.1", port), timeout=600) for _ in range(200)]
        for line in lines:
            line.sendall(request)
        assert all(line.recv(4096).startswith(b"HTTP/1.1 200") for line in lines)
        for line in lines:
            line.close()
        assert model.peak_concurrency == 200


def test_leaving_the_block_ends_the_thread_also_with_requests_in_flight() -> None:
    before = set(threading.enumerate())
    with ThreadPoolExecutor(1) as pool:
        with LoopbackModel(Slow(600)) as model:
            waiting = pool.submit(post, model)
            while not model.calls:
                threading.Event().wait(0.005)
        assert isinstance(waiting.exception(timeout=600), httpx2.TransportError)
    assert "loopback-model" not in {thread.name for thread in set(threading.enumerate()) - before}


def test_the_environment_leads_a_process_of_its_own_here() -> None:
    code = (
        "import os, httpx2\n"
        "url = os.environ['OPENAI_BASE_URL'] + '/chat/completions'\n"
        "key = {'Authorization': 'Bearer ' + os.environ['OPENAI_API_KEY']}\n"
        "told = httpx2.post(url, json={'messages': []}, headers=key).json()\n"
        "print(told['choices'][0]['message']['content'])"
    )
    with LoopbackModel("from here") as model:
        dead = {"HTTP_PROXY": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}
        environment = os.environ | dead | model.environment()
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout == "from here\n", done.stderr


@pytest.mark.parametrize("mode", ["JSON_SCHEMA", "TOOLS"])
def test_the_openai_client_and_instructor_understand_it(mode: str) -> None:
    openai, instructor = pytest.importorskip("openai"), pytest.importorskip("instructor")

    class Grade(BaseModel):
        score: int

    with LoopbackModel([{"score": "x"}, {"score": 3}]) as model:
        client = openai.OpenAI(base_url=model.base_url, api_key="k", max_retries=0)
        assert [entry.id for entry in client.models.list()] == ["loopback"]
        shaped = instructor.from_openai(client, mode=instructor.Mode[mode])
        messages = [{"role": "user", "content": "How good?"}]
        grade = shaped.chat.completions.create(model="m", response_model=Grade, messages=messages, max_retries=1)
        client.close()
    assert grade.score == 3


# Simulated judges.


def share_of_ones(judge: SimulatedJudge, good: bool, count: int = 4000) -> float:
    return sum(judge.answer(mark(f"item-{number}", good)) == "1" for number in range(count)) / count


@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.9, 0.7), (0.5, 0.5), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
def test_a_simulated_judge_errs_at_its_rates(sensitivity: float, specificity: float) -> None:
    judge = SimulatedJudge(sensitivity, specificity, seed=1)
    assert share_of_ones(judge, good=True) == pytest.approx(sensitivity, abs=0.03)
    assert share_of_ones(judge, good=False) == pytest.approx(1 - specificity, abs=0.03)


@given(st.text(), st.booleans(), st.integers(), st.text(alphabet=st.characters(exclude_characters="[]|"), min_size=1))
def test_a_steady_judge_says_the_same_of_an_item_whatever_surrounds_it(around, good, seed, item) -> None:
    judge = SimulatedJudge(0.5, 0.5, seed=seed)
    assert judge.answer(mark(item, good)) == judge.answer(f"<<fence {mark(item, good)} {around}")


def test_another_seed_is_another_judge() -> None:
    first, second = (
        [SimulatedJudge(0.5, 0.5, seed).answer(mark(str(number), True)) for number in range(64)] for seed in (1, 2)
    )
    assert first != second


def test_a_judge_that_is_not_steady_draws_anew_and_repeats_itself_from_the_start() -> None:
    def ten() -> list[str]:
        judge = SimulatedJudge(0.5, 0.5, steady=False)
        return [judge.answer(mark("a", True)) for _ in range(20)]

    assert set(ten()) == {"0", "1"}
    assert ten() == ten()


def test_a_prompt_without_a_mark_gets_prose_without_a_number() -> None:
    answer = SimulatedJudge(1, 1).answer("How good is this?")
    assert not any(letter.isdigit() for letter in answer)


def test_a_reader_of_ones_own_says_what_is_true() -> None:
    judge = SimulatedJudge(1, 1, read=lambda prompt: (prompt, "Paris" in prompt))
    assert [judge.answer("Paris"), judge.answer("Rome")] == ["1", "0"]


@pytest.mark.parametrize("make", [lambda: SimulatedJudge(1.2, 0.5), lambda: SimulatedJudge(0.5, -0.1)])
def test_a_rate_that_is_not_a_chance_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="give a number from 0 to 1"):
        make()


def test_marked_items_carry_their_truth_to_a_judge_that_is_asked_over_http() -> None:
    items = marked_items(20, good=0.5, seed=3)
    with LoopbackModel(SimulatedJudge(1, 1)) as model:
        assert [said(model, item.output) for item in items] == ["1" if item.good else "0" for item in items]
    assert {item.good for item in items} == {True, False}
    assert [read_mark(item.output) for item in items] == [(item.item, item.good) for item in items]
    assert items == marked_items(20, good=0.5, seed=3)
