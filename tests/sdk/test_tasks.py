"""Tasks that are not Python functions: a model on loopback, a real HTTP server, real processes."""

import asyncio
import contextlib
import gzip
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import gnomon as gn
from gnomon.calling import CallFailed, CallTimedOut
from gnomon.errors import InvalidInput
from gnomon.llm.retry import AskingPolicy
from gnomon.service.evaluation.binding import bind_task
from gnomon.service.evaluation.data import EvaluationItem
from gnomon.service.evaluation.identity import task_identity
from gnomon.service.evaluation.tasks import LARGEST_ANSWER, ModelTask
from gnomon.testing import Asked, ClientError, FullAnswer, LoopbackModel, RateLimited, Slow

ROME = EvaluationItem("a", "Rome", "Italy", {"tier": 3})
NO_PAUSES = AskingPolicy(attempts=2, first_pause=0.0, longest_pause=0.0)


def output(task: Any, item: EvaluationItem = ROME) -> Any:
    """What the engine gets: the task bound by name, called, and awaited."""
    bound = bind_task(task)
    assert bound.kind == "async"
    return asyncio.run(bound.call(item))


def failure(task: Any, item: EvaluationItem = ROME) -> str:
    with pytest.raises(CallFailed) as failed:
        output(task, item)
    assert len(str(failed.value).splitlines()) == 1
    return str(failed.value)


def together(*calls: Awaitable[Any]) -> list[Any]:
    async def gathered() -> list[Any]:
        return await asyncio.gather(*calls)

    return asyncio.run(gathered())


# --- a model with a prompt -----


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., LoopbackModel]]:
    with contextlib.ExitStack() as stack:

        def started(script: Any = "1", **options: Any) -> LoopbackModel:
            loopback = stack.enter_context(LoopbackModel(script, **options))
            for name, value in loopback.environment().items():
                monkeypatch.setenv(name, value)
            return loopback

        yield started


def test_a_model_is_asked_the_prompt_and_answers_the_output(model: Callable[..., LoopbackModel]) -> None:
    loopback = model("Italy.")
    task = gn.model(
        "openai/loopback", "Where is {{input}}? ({{metadata.tier}})", system="Answer {{input}}.", max_tokens=9,
        temperature=0.5,
    )  # fmt: skip
    assert output(task) == "Italy."
    [asked] = loopback.requests
    assert (asked.system, asked.prompt) == ("Answer Rome.", "Where is Rome? (3)")
    assert (asked.body["max_tokens"], asked.body["temperature"]) == (9, 0.5)


def test_what_is_not_set_is_left_to_the_model(model: Callable[..., LoopbackModel]) -> None:
    loopback = model("Italy.")
    output(gn.model("openai/loopback", "{{input}}"))
    assert loopback.requests[0].body.keys() == {"model", "messages"}


def test_what_many_calls_at_once_took_is_summed_up(model: Callable[..., LoopbackModel]) -> None:
    def answer(asked: Asked) -> Any:
        return FullAnswer("x", usage={"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12})

    loopback = model(answer, latency=0.05)
    task = gn.model("openai/gpt-4o-mini", "{{input}}")
    together(*(task({"input": str(number)}) for number in range(20)))
    assert loopback.peak_concurrency > 1
    assert (task.spent.calls, task.spent.tokens_input, task.spent.tokens_output) == (20, 200, 40)
    assert task.spent.cost_usd is not None
    assert task.spent.cost_usd > 0


def test_the_sums_go_on_over_several_event_loops(model: Callable[..., LoopbackModel]) -> None:
    model("x")
    task = gn.model("openai/loopback", "{{input}}")
    threads = [threading.Thread(target=asyncio.run, args=(task({"input": "a"}),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert task.spent.calls == 8


def test_a_model_that_is_busy_is_asked_again(model: Callable[..., LoopbackModel]) -> None:
    loopback = model([RateLimited(retry_after=0), "Italy."])
    task = gn.model("openai/loopback", "{{input}}")
    assert output(task) == "Italy."
    assert (loopback.calls, task.spent.calls) == (2, 2)


def test_a_refusal_is_the_runs_error(model: Callable[..., LoopbackModel]) -> None:
    model(ClientError(401, "Wrong key sk-abcdefghijk."))
    said = failure(gn.model("openai/loopback", "{{input}}"))
    assert "openai answered 401: Wrong key [key]" in said
    assert "sk-abc" not in said


def test_a_model_that_never_answers_is_an_error_named_so(model: Callable[..., LoopbackModel]) -> None:
    model(Slow(60))
    with pytest.raises(CallTimedOut, match="did not answer in time"):
        output(ModelTask("openai/loopback", "{{input}}", None, {}, 0.1, NO_PAUSES))


def test_an_answer_without_text_is_an_error(model: Callable[..., LoopbackModel]) -> None:
    model(FullAnswer(None))
    assert failure(gn.model("openai/gpt-4o", "{{input}}")) == "openai/gpt-4o answered without a text"


def test_a_model_that_declines_in_words_has_said_so(model: Callable[..., LoopbackModel]) -> None:
    model(FullAnswer(None, refusal="I would rather not."))
    assert output(gn.model("openai/loopback", "{{input}}")) == "I would rather not."


def test_an_item_without_the_key_fails_alone_and_asks_nobody(model: Callable[..., LoopbackModel]) -> None:
    loopback = model("x")
    task = gn.model("openai/loopback", "{{input.city}}")
    with pytest.raises(InvalidInput, match="input has no key 'city', only town"):
        output(task, EvaluationItem("b", {"town": "Rome"}))
    assert output(task, EvaluationItem("c", {"city": "Rome"})) == "x"
    assert loopback.calls == 1


@pytest.mark.parametrize(
    ("arguments", "field", "says"),
    [
        (("openai/loopback", "{{inptu}}"), "prompt", "did you mean {{input}}?"),
        (("openai/loopback", "{{input}} {{expected_output}}"), "prompt", "allow_expected_output=True"),
        (("openai/loopback", "{{input}}", {"system": "{{expected_output}}"}), "system", "allow_expected_output=True"),
        (("openai/loopback", "Say hello."), "prompt", "is the same for every item; write {{input}} in it"),
        (("openai/loopback", " "), "prompt", "give a text"),
        (("openai/loopback", None), "prompt", "give a text"),
        (("anthropic/claude", "{{input}}"), "name", "set ANTHROPIC_API_KEY"),
        (("http://127.0.0.1/v1", "{{input}}"), "name", "is not the name of a model"),
        (("openai/loopback", "{{input}}", {"temperature": -1}), "temperature", "give a number from 0"),
        (("openai/loopback", "{{input}}", {"temperature": float("nan")}), "temperature", "give a number from 0"),
        (("openai/loopback", "{{input}}", {"max_tokens": 0}), "max_tokens", "give a whole number from 1"),
        (("openai/loopback", "{{input}}", {"timeout": 0}), "timeout", "give seconds above 0"),
        (("openai/loopback", "{{input}}", {"timeout": "60"}), "timeout", "give seconds above 0"),
    ],
)
def test_a_model_that_could_not_be_asked_is_refused_at_once(
    arguments: Sequence[Any],
    field: str,
    says: str,
    model: Callable[..., LoopbackModel],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("GNOMON_JUDGE_PROVIDERS", raising=False)
    loopback = model("x")
    *positional, options = arguments if len(arguments) == 3 else (*arguments, {})
    with pytest.raises(InvalidInput) as refused:
        gn.model(*positional, **options)
    assert says in refused.value.message
    assert [problem.field for problem in refused.value.problems] == [field]
    assert loopback.calls == 0


def test_the_expected_output_may_be_shown_on_purpose(model: Callable[..., LoopbackModel]) -> None:
    loopback = model("x")
    output(gn.model("openai/loopback", "{{input}}: {{expected_output}}", allow_expected_output=True))
    assert loopback.requests[0].prompt == "Rome: Italy"


def test_the_function_is_there_before_and_after_the_package_of_the_same_name_is_loaded() -> None:
    code = """
import gnomon as gn
before = gn.model("openai/x", "{{input}}")
import gnomon.model.score
import gnomon.model as package
after = gn.model("openai/x", "{{input}}")
print(type(before) is type(after), package.score.ScorerSpec.__name__, gnomon.model is package)
from gnomon import model
model("openai/x", "{{input}}")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"},
    )  # fmt: skip
    assert done.stdout == "True ScorerSpec True\n"


# --- an HTTP endpoint -----


class Received:
    """One request as the endpoint got it."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        self.method, self.path, self.headers, self.body = handler.command, handler.path, handler.headers, body
        self.connection = handler.client_address

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Reply = tuple[int, dict[str, str], bytes]
Answering = Callable[[Received], Reply]


class Server(ThreadingHTTPServer):
    request_queue_size = 256  # calls that come at once wait, and are not turned away


class Endpoint:
    """A server on loopback whose answers a function gives; keeps what it received."""

    def __init__(self, answer: Answering) -> None:
        received = self.received = list[Received]()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                request = Received(self, self.rfile.read(int(self.headers["Content-Length"] or 0)))
                received.append(request)
                status, headers, body = answer(request)
                with contextlib.suppress(OSError):  # whoever asked has had enough
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def do_POST(self) -> None:
                self.answer()

            def do_PUT(self) -> None:
                self.answer()

            def do_GET(self) -> None:
                self.answer()

            def log_message(self, *_: Any) -> None:
                """Not to the tests' output."""

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/ask"


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Answering | Reply], Endpoint]]:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    servers: list[Endpoint] = []

    def start(answer: Answering | Reply) -> Endpoint:
        servers.append(Endpoint(answer if callable(answer) else lambda _: answer))
        return servers[-1]

    yield start
    for one in servers:
        one.server.shutdown()
        one.server.server_close()


Start = Callable[[Answering | Reply], Endpoint]
JSON = {"Content-Type": "application/json; charset=utf-8"}
TEXT = {"Content-Type": "text/plain; charset=latin-1"}


def test_an_endpoint_gets_the_input_as_json_and_its_json_is_the_output(endpoint: Start) -> None:
    server = endpoint((200, JSON, b'{"answer": ["Italy"]}'))
    assert output(gn.http(server.url)) == {"answer": ["Italy"]}
    [received] = server.received
    assert (received.method, received.path, received.json) == ("POST", "/ask", {"input": "Rome"})
    assert received.headers["Content-Type"] == "application/json"


def test_text_is_read_in_its_charset(endpoint: Start) -> None:
    assert output(gn.http(endpoint((200, TEXT, "Köln\n".encode("latin-1"))).url)) == "Köln\n"
    assert output(gn.http(endpoint((200, {"Content-Type": "text/plain; charset=klingon"}, b"qo'")).url)) == "qo'"
    assert output(gn.http(endpoint((201, {}, b'{"a": 1}')).url)) == '{"a": 1}'


def test_a_body_of_ones_own_and_a_part_of_the_answer(endpoint: Start) -> None:
    server = endpoint((200, {}, b'{"choices": [{"text": "Italy"}]}'))
    task = gn.http(
        server.url,
        method="PUT",
        headers={"Authorization": "Bearer of-good-news", "content-type": "application/vnd.ask+json"},
        body={"question": "Where is {{input.city}}?", "years": "{{input.years}}", "top": 3},
        output="choices.0.text",
    )
    assert output(task, EvaluationItem(None, {"city": "Rome", "years": [753]})) == "Italy"
    [received] = server.received
    assert (received.method, received.json) == ("PUT", {"question": "Where is Rome?", "years": [753], "top": 3})
    assert received.headers["Authorization"] == "Bearer of-good-news"
    assert received.headers.get_all("Content-Type") == ["application/vnd.ask+json"]


def test_with_get_the_fields_go_into_the_query(endpoint: Start) -> None:
    server = endpoint((200, TEXT, b"Italy"))
    task = gn.http(server.url + "?team=a#top", method="GET", body={"q": "{{input}} & more", "n": "{{metadata.tier}}"})
    assert output(task) == "Italy"
    [received] = server.received
    assert parse_qs(urlsplit(received.path).query) == {"team": ["a"], "q": ["Rome & more"], "n": ["3"]}
    assert received.body == b""


@pytest.mark.parametrize(
    ("reply", "path", "says"),
    [
        ((500, {}, b"it\nbroke"), None, "/ask answered 500: it broke"),
        ((404, {}, b""), None, "/ask answered 404: nothing"),
        ((302, {"Location": "http://127.0.0.1:9/elsewhere"}, b""), None, "/ask answered 302: nothing"),
        ((200, JSON, b"<html>"), None, "/ask answered what is not JSON"),
        ((200, JSON, b""), None, "/ask answered what is not JSON"),
        ((200, TEXT, b"Italy"), "answer", "/ask answered what is not JSON"),
        ((200, JSON, b'{"a": {"b": 1}}'), "a.c", "/ask answered without a.c: the answer.a has no key 'c', only b"),
        ((200, JSON, b'{"error": "no"}'), "answer.text", "the answer has no key 'answer', only error"),
        ((200, JSON, b'"Italy"'), "answer", "the answer has no key 'answer': it is 'Italy'"),
    ],
    ids=str,
)
def test_what_is_no_answer_is_the_runs_error_in_one_line(
    reply: Reply, path: str | None, says: str, endpoint: Start
) -> None:
    assert says in failure(gn.http(endpoint(reply).url, output=path))


def test_the_first_300_characters_of_an_error_are_told_and_no_secret_is(endpoint: Start) -> None:
    def echo(received: Received) -> Reply:
        return 400, {}, f"bad key {received.headers['X-Api-Key']} in {'x' * 1000}".encode()

    said = failure(gn.http(endpoint(echo).url + "?token=in-the-query", headers={"X-Api-Key": "very-private"}))
    assert "answered 400: bad key [key] in xxx" in said
    assert "very-private" not in said
    assert "in-the-query" not in said
    assert said.count("x") == 300 - len("bad key very-private in ")


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_that_is_too_long_is_broken_off(packed: bool, endpoint: Start) -> None:
    text = b"x" * (LARGEST_ANSWER + 1)
    reply = (200, TEXT | {"Content-Encoding": "gzip"}, gzip.compress(text)) if packed else (200, TEXT, text)
    assert "answered with more than 16 MiB" in failure(gn.http(endpoint(reply).url))


def test_an_endpoint_that_never_answers_is_an_error_named_so(endpoint: Start) -> None:
    done = threading.Event()

    def waits(_: Received) -> Reply:
        done.wait(600)
        return 200, {}, b""

    server = endpoint(waits)
    with pytest.raises(CallTimedOut, match=r"/ask did not answer within 0\.2 s"):
        output(gn.http(server.url, timeout=0.2))
    done.set()


def test_nobody_listening_is_a_connection_that_failed(endpoint: Start) -> None:
    server = endpoint((200, {}, b""))
    server.server.shutdown()
    server.server.server_close()
    assert f"the connection to {server.url} failed" in failure(gn.http(server.url))


def test_connections_are_used_again_and_cookies_are_not(endpoint: Start) -> None:
    server = endpoint((200, {"Set-Cookie": "session=1; Path=/"}, b"x"))
    one, other = gn.http(server.url), gn.http(server.url, method="PUT")

    async def calls() -> None:
        for number in range(6):
            await (one if number % 2 else other)({"input": number})

    asyncio.run(calls())
    assert len({received.connection for received in server.received}) == 1
    assert [received.headers["Cookie"] for received in server.received] == [None] * 6


def test_hundreds_of_calls_are_under_way_at_once(endpoint: Start) -> None:
    """All of them are waiting at the same moment, or none would ever be answered."""
    everyone = threading.Barrier(150)

    def waits(_: Received) -> Reply:
        everyone.wait(600)
        return 200, TEXT, b"x"

    task = gn.http(endpoint(waits).url)
    assert together(*(task({"input": number}) for number in range(150))) == ["x"] * 150


@pytest.mark.parametrize(
    ("url", "options", "field", "says"),
    [
        ("ftp://host/", {}, "url", "is not an address; write it like http://"),
        ("file:///etc/passwd", {}, "url", "is not an address"),
        ("127.0.0.1:8000", {}, "url", "is not an address"),
        ("http://", {}, "url", "is not an address"),
        ("http://host:port/", {}, "url", "is not an address"),
        ("http://host/a b", {}, "url", "is not an address"),
        (None, {}, "url", "is not an address"),
        ("https://me:secret@host/", {}, "url", 'send headers={"Authorization": …} instead'),
        ("http://host/", {"method": "TRACE"}, "method", "it is one of POST, PUT, PATCH, GET"),
        ("http://host/", {"body": {"a": "{{inptu}}"}}, "body", "did you mean {{input}}?"),
        ("http://host/", {"body": "{{expected_output}}"}, "body", "allow_expected_output=True"),
        ("http://host/", {"body": {"a": object()}}, "body", "is not a JSON value"),
        ("http://host/", {"method": "GET", "body": "{{input}}"}, "body", "with GET give an object"),
        ("http://host/", {"output": "a..b"}, "output", "give a path such as answer.text"),
        ("http://host/", {"headers": {"a b": "c"}}, "headers", "not a valid header name"),
        ("http://host/", {"headers": {"Token": "secret\r\nHost: x"}}, "headers", "the value of header Token"),
        ("http://host/", {"headers": ["Token"]}, "headers", "give an object"),
        ("http://host/", {"timeout": -1}, "timeout", "give seconds above 0"),
    ],
)
def test_an_endpoint_that_could_not_be_called_is_refused_at_once(
    url: Any, options: dict[str, Any], field: str, says: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        gn.http(url, **options)
    assert says in refused.value.message
    assert "secret" not in refused.value.message
    assert [problem.field for problem in refused.value.problems] == [field]


# --- a command -----


def python(code: str, **options: Any) -> Any:
    return gn.command([sys.executable, "-c", code], **options)


READ = "import sys; sys.stdout.write(repr(sys.stdin.read()))"


def test_a_command_reads_text_as_it_is_and_anything_else_as_json() -> None:
    assert output(python(READ)) == "'Rome'"
    assert output(python(READ), EvaluationItem(None, {"city": "Köln"})) == """'{"city":"Köln"}'"""
    assert output(python(READ, input="stdin-json")) == "'\"Rome\"'"
    assert output(python(READ, input="none")) == "''"


def test_the_input_can_be_the_last_argument_and_fill_words() -> None:
    show = "import sys; print(sys.argv[1:], repr(sys.stdin.read()))"
    argument = gn.command([sys.executable, "-c", show, "--", "{{metadata.tier}}"], input="argument")
    assert output(argument, EvaluationItem(None, "-a; rm", None, {"tier": 3})) == "['--', '3', '-a; rm'] ''"
    assert output(gn.command([sys.executable, "-c", show, "in {{input}}"])) == "['in Rome'] 'Rome'"


def test_no_shell_reads_a_command(tmp_path: Path) -> None:
    task = gn.command(f"{sys.executable} -c 'import sys; print(sys.argv[1:])' $HOME '*' ; ls")
    assert output(task) == "['$HOME', '*', ';', 'ls']"


@pytest.mark.parametrize(
    ("written", "how", "read"),
    [
        (b"a\nb\n\n", "text", "a\nb\n"),
        (b"a\r\n", "text", "a"),
        (b"", "text", ""),
        (b"\xffa", "text", "�a"),
        (b"thinking\nItaly\n \n", "last-line", "Italy"),
        (b'{"a": [1]}\n', "json", {"a": [1]}),
    ],
)
def test_the_output_is_read_as_was_asked_for(written: bytes, how: Any, read: Any) -> None:
    assert output(python(f"import sys; sys.stdout.buffer.write({written!r})", output=how)) == read


@pytest.mark.parametrize(
    ("code", "options", "says"),
    [
        ("import sys; print('a\\nb', file=sys.stderr); sys.exit(3)", {}, "ended with exit code 3; its last words: a b"),
        ("import sys; sys.exit(3)", {}, "ended with exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", {}, "ended with signal 9"),
        ("print('Italy')", {"output": "json"}, "wrote what is not JSON"),
        ("print()", {"output": "last-line"}, "wrote no line to its stdout"),
        ("import sys; sys.stderr.write('y' * 5000 + 'end'); sys.exit(1)", {}, "yyyend"),
        (f"print('x' * {LARGEST_ANSWER + 1})", {}, "wrote more than 16 MiB to its stdout"),
        ("while True: print('x' * 1000000)", {}, "wrote more than 16 MiB to its stdout"),
    ],
)
def test_what_a_command_does_wrong_is_the_runs_error_in_one_line(code: str, options: Any, says: str) -> None:
    said = failure(python(code, **options))
    assert says in said
    assert len(said) < 600


def test_a_secret_of_the_environment_is_in_no_error() -> None:
    code = "import os, sys; print(os.environ['MY_TOKEN'], os.environ['PLACE'], file=sys.stderr); sys.exit(1)"
    said = failure(python(code, env={"MY_TOKEN": "very-private", "PLACE": "Rome-and-more"}))
    assert said.endswith("[key] Rome-and-more")


def test_env_is_added_and_cwd_is_where_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THIS_PROCESS", "a")
    code = "import os; print(os.environ['OF_THIS_PROCESS'], os.environ['MORE'], os.getcwd())"
    assert output(python(code, env={"MORE": "b"}, cwd=tmp_path)) == f"a b {tmp_path.resolve()}"


def test_a_program_is_looked_for_where_it_will_run(tmp_path: Path) -> None:
    script = tmp_path / "app"
    script.write_text("#!/bin/sh\necho from $0\n", encoding="utf-8")
    script.chmod(0o755)
    assert output(gn.command("./app", cwd=tmp_path)) == "from ./app"
    assert output(gn.command(script)) == f"from {script}"
    assert output(gn.command("app", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})).startswith("from ")


def test_a_large_input_that_nobody_reads_is_no_error() -> None:
    item = EvaluationItem(None, "x" * 5_000_000)
    assert output(python("print('done')"), item) == "done"
    assert output(python("import sys; print(len(sys.stdin.read()))"), item) == "5000000"


def test_an_argument_that_no_process_can_have_is_the_runs_error() -> None:
    assert "cannot be run: Argument list too long" in failure(
        python("", input="argument"), EvaluationItem(None, "x" * 5_000_000)
    )


@pytest.mark.parametrize(
    ("command", "options", "field", "says"),
    [
        ("", {}, "command", "names no program"),
        ([], {}, "command", "names no program"),
        ("app 'open", {}, "command", "cannot be split into words"),
        (7, {}, "command", "give a text or a list of words"),
        (["ls", 7], {}, "command", "give a text or a list of words"),
        ("sotr -r", {}, "command", "there is no program 'sotr' on PATH; did you mean sort?"),
        ("zzqqxxyyww", {}, "command", "there is no program 'zzqqxxyyww' on PATH; check its name, or install it"),
        ("script.py", {}, "command", "did you mean ./script.py?"),
        ("./script2.py", {}, "command", "there is no program './script2.py'; did you mean ./script.py?"),
        ("./script.py", {}, "command", "run chmod +x ./script.py, or name its interpreter first"),
        ("./folder", {}, "command", "there is no program './folder'"),
        ("ls {{inptu}}", {}, "command", "did you mean {{input}}?"),
        ("ls {{expected_output}}", {}, "command", "allow_expected_output=True"),
        ("ls", {"input": "stdin_json"}, "input", "did you mean stdin-json?"),
        ("ls", {"output": "xml"}, "output", "it is one of text, json, last-line"),
        ("ls", {"cwd": "nowhere"}, "cwd", "is not a folder"),
        ("ls", {"env": {"A=B": "c"}}, "env", "not a valid variable name"),
        ("ls", {"env": {"A": 1}}, "env", "the value of A in env is not text"),
        ("ls", {"env": "A=1"}, "env", "give an object"),
        ("ls", {"timeout": 0}, "timeout", "give seconds above 0"),
    ],
)
def test_a_command_that_could_not_be_run_is_refused_at_once(
    command: Any, options: dict[str, Any], field: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.py").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(InvalidInput) as refused:
        gn.command(command, **options)
    assert says in refused.value.message
    assert [problem.field for problem in refused.value.problems] == [field]


# A process that starts another one, tells both of their numbers, and goes on for ever.
FAMILY = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
with open("pids.new", "w") as file: file.write(f"{os.getpid()} {child.pid}")
os.rename("pids.new", "pids")
time.sleep(1000)
"""


def is_gone(pid: int) -> bool:
    """Whether it has ended; who waits for it is another matter."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def assert_gone(pids: Sequence[int]) -> None:
    deadline = time.monotonic() + 600
    while not all(map(is_gone, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert all(map(is_gone, pids))


async def pids_in(file: Path) -> list[int]:
    while not file.exists():
        await asyncio.sleep(0.01)
    return [int(pid) for pid in file.read_text().split()]


def test_a_command_that_is_cancelled_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    async def broken_off() -> list[int]:
        running = asyncio.ensure_future(python(FAMILY, cwd=tmp_path)({"input": "x"}))
        pids = await asyncio.wait_for(pids_in(tmp_path / "pids"), 600)
        assert not any(map(is_gone, pids))
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return pids

    assert_gone(asyncio.run(broken_off()))


def test_a_command_that_never_ends_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    """The limit of time is as long as its children need to be there."""
    timeout = 0.5
    while not (tmp_path / "pids").exists():
        with pytest.raises(CallTimedOut, match="did not end within"):
            output(python(FAMILY, cwd=tmp_path, timeout=timeout))
        timeout *= 2
    assert_gone([int(pid) for pid in (tmp_path / "pids").read_text().split()])


def test_a_child_that_holds_the_output_open_holds_up_nobody(tmp_path: Path) -> None:
    code = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
print(child.pid)
"""
    pid = int(output(python(code, cwd=tmp_path)))
    assert_gone([pid])


def test_many_commands_run_at_once(tmp_path: Path) -> None:
    """Each waits until it sees the files of all others, so that one after the other would never end."""
    code = """
import os, sys, time
open(sys.argv[1], "w").close()
while len(os.listdir()) < 8: time.sleep(0.01)
print(sys.argv[1])
"""
    task = python(code, cwd=tmp_path, input="argument", timeout=600)
    assert together(*(task({"input": str(number)}) for number in range(8))) == [str(number) for number in range(8)]


def test_a_command_runs_in_an_event_loop_of_another_thread() -> None:
    """So it is in a notebook, where the main thread has a loop of its own."""
    outputs: list[Any] = []
    thread = threading.Thread(target=lambda: outputs.append(output(python("print('x')"))))
    thread.start()
    thread.join()
    assert outputs == ["x"]


# --- which task it is -----

SAME: list[tuple[str, str]] = [
    ('gn.model("openai/x", "{{input}}")', 'gn.model("openai/x", "{{input}}", timeout=9)'),
    ('gn.http("http://h/a")', 'gn.http("http://h/a", body={"input": "{{input}}"}, timeout=9)'),
    ('gn.http("http://h/a", headers={"A": "1", "B": "2"})', 'gn.http("http://h/a", headers={"b": "2", "a": "1"})'),
    ('gn.http("http://h/a", headers={"X-Api-Key": "1"})', 'gn.http("http://h/a", headers={"X-Api-Key": "2"})'),
    ('gn.command("sort -r")', 'gn.command(["sort", "-r"], timeout=9)'),
    ('gn.command("sort", env={"MY_TOKEN": "1"})', 'gn.command("sort", env={"MY_TOKEN": "2"})'),
]
DIFFERENT = [
    'gn.model("openai/x", "{{input}}")',
    'gn.model("openai/y", "{{input}}")',
    'gn.model("openai/x", "{{input}}!")',
    'gn.model("openai/x", "{{input}}", system="a")',
    'gn.model("openai/x", "{{input}}", temperature=0)',
    'gn.model("openai/x", "{{input}}", max_tokens=5)',
    'gn.http("http://h/a")',
    'gn.http("http://h/b")',
    'gn.http("http://h/a?b=1")',
    'gn.http("http://h/a", method="PUT")',
    'gn.http("http://h/a", headers={"X-Model": "1"})',
    'gn.http("http://h/a", headers={"X-Model": "2"})',
    'gn.http("http://h/a", headers={"Authorization": "1"})',
    'gn.http("http://h/a", body={"q": "{{input}}"})',
    'gn.http("http://h/a", output="answer")',
    'gn.command("sort")',
    'gn.command("sort -r")',
    'gn.command("cat")',
    'gn.command("sort", input="argument")',
    'gn.command("sort", output="json")',
    'gn.command("sort", cwd="/")',
    'gn.command("sort", env={"LC_ALL": "C"})',
]


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")

    def of(expression: str) -> str:
        identity = task_identity(eval(expression, {"gn": gn}))
        assert identity.notes == ()
        return identity.hash

    return of


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equal_configurations_are_one_task_and_so_are_renewed_keys_and_other_timeouts(
    one: str, other: str, hashed: Callable[[str], str]
) -> None:
    assert hashed(one) == hashed(other)


def test_other_configurations_are_other_tasks(hashed: Callable[[str], str]) -> None:
    assert len(set(map(hashed, DIFFERENT))) == len(DIFFERENT)


def test_the_hashes_are_the_same_in_another_process(hashed: Callable[[str], str]) -> None:
    code = (
        "import gnomon as gn\nfrom gnomon.service.evaluation.identity import task_identity\n"
        f"print(*(task_identity(eval(one)).hash for one in {DIFFERENT!r}))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "17"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == [*map(hashed, DIFFERENT)]


def test_a_task_is_the_same_after_it_was_called(endpoint: Start) -> None:
    task = gn.http(endpoint((200, TEXT, b"x")).url)
    before = task_identity(task)
    output(task)
    assert task_identity(task) == before


def test_a_changed_script_is_another_task(tmp_path: Path) -> None:
    script = tmp_path / "app.py"
    script.write_text("print(1)", encoding="utf-8")
    before = [
        task_identity(gn.command([sys.executable, *words], cwd=tmp_path)) for words in (["app.py"], [str(script)])
    ]
    script.write_text("print(2)", encoding="utf-8")
    after = [task_identity(gn.command([sys.executable, *words], cwd=tmp_path)) for words in (["app.py"], [str(script)])]
    assert not set(before) & set(after)


def test_a_function_that_uses_such_a_task_changes_with_it() -> None:
    def using(inner: Any) -> Any:
        async def task(item: Any) -> Any:
            return await inner(item)

        return task

    one, same, other = (using(gn.command(words)) for words in ("sort", "sort", "sort -r"))
    assert task_identity(one) == task_identity(same)
    assert task_identity(one).hash != task_identity(other).hash


def test_a_task_tells_its_name_and_no_secret() -> None:
    task = gn.http("http://127.0.0.1:8000/ask/?key=private", headers={"Authorization": "Bearer private"})
    assert bind_task(task).name == "127.0.0.1:8000/ask"
    assert "private" not in repr(task) + json.dumps(task.configuration()["headers"])
    assert bind_task(gn.command([sys.executable, "-V"])).name == Path(sys.executable).name
