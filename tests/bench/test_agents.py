"""Everybody who can be an agent, for real: Python objects, a server on loopback, child processes. Models are in
tests/llm/test_chat.py, where LiteLLM is loaded."""

import asyncio
import contextlib
import json
import os
import re
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.small import small_package
from gnomon.bench.agents import agent_id, check, make, parse_spec
from gnomon.bench.foreign import LARGEST_ANSWER, PASSED_ON
from gnomon.bench.noticing.family import DayScenario
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.protocol import Agent, AgentFailed, AskedCall, Reply
from gnomon.bench.replies import parse_reply, read_reply
from gnomon.errors import InvalidInput

pytestmark = pytest.mark.slow

MESSAGES = [{"role": "system", "content": "You are Atlas."}, {"role": "user", "content": "# Update 1"}]
TOOLS = [{"type": "function", "function": {"name": "make_call", "parameters": {"type": "object"}}}]
CALLS = '{"text": "I call.", "tool_calls": [{"name": "make_call", "args": {"number": "911"}, "id": "a"}]}'
CALLED = Reply("I call.", (AskedCall("make_call", {"number": "911"}, "a"),))


async def turns(agent: Agent, count: int) -> list[Reply]:
    try:
        return [await agent.answer(MESSAGES, TOOLS) for _ in range(count)]
    finally:
        await agent.close()


def turn(spec: str, timeout: float = 30.0) -> Reply:
    return asyncio.run(turns(make(parse_spec(spec), 1, timeout=timeout), 1))[0]


def failure(spec: str, timeout: float = 30.0) -> str:
    with pytest.raises(AgentFailed) as found:
        turn(spec, timeout)
    assert len(found.value.reason.splitlines()) == 1
    assert len(found.value.reason) < 700
    return found.value.reason


# Specifications.


@pytest.mark.parametrize(
    ("spec", "kind", "target"),
    [
        ("openai/gpt-4o", "model", "openai/gpt-4o"),
        ("ollama/llama3:8b", "model", "ollama/llama3:8b"),
        (" gpt-4o ", "model", "gpt-4o"),
        ("reference:late-by-2", "reference", "late-by-2"),
        ("reference:flaky:0.5", "reference", "flaky:0.5"),
        ("python:my.agents:Careful", "python", "my.agents:Careful"),
        ("http://127.0.0.1:9000/turn", "http", "http://127.0.0.1:9000/turn"),
        ("https://agents.example/v1?team=a", "http", "https://agents.example/v1?team=a"),
        ("cmd:python agent.py --quiet", "cmd", "python agent.py --quiet"),
    ],
)
def test_a_specification_says_which_kind_of_agent_it_is(spec: str, kind: str, target: str) -> None:
    found = parse_spec(spec)
    assert (found.text, found.kind, found.target) == (spec.strip(), kind, target)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("", "is not an agent"),
        ("two words", "is not an agent"),
        ("x" * 300, "is not an agent"),
        ("reference:", "names no reference agent"),
        ("reference:../../octopus", "names no reference agent"),
        ("python:module", "write python:module:attribute"),
        ("python:os;x:y", "write python:module:attribute"),
        ("cmd:", "names no command"),
        ("cmd:python 'open", "cannot be split into words"),
        ("http://", "is not an address"),
        ("http://[bad", "is not an address"),
        ("http://host:port/", "is not an address"),
        ("https://me:secret@agents.example/", "has a password"),
    ],
)
def test_what_is_no_agent_is_refused_in_one_sentence(spec: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(says)) as found:
        parse_spec(spec)
    assert "\n" not in found.value.message
    assert "secret" not in found.value.message


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("reference:octopus", "does not exist; there are never-acts"),
        ("reference:late-by-", "does not exist"),
        ("reference:flaky:1.5", "P from 0 to 1"),
        ("reference:flaky:nan", "P from 0 to 1"),
    ],
)
def test_which_reference_agents_there_are_is_for_the_scenario_to_say(spec: str, says: str) -> None:
    scenario = DayScenario(DayPackage(None, small_package()))
    with pytest.raises(InvalidInput, match=re.escape(says)):
        make(parse_spec(spec), 1, scenario)
    with pytest.raises(InvalidInput, match="belongs to a scenario"):
        make(parse_spec(spec), 1)


@pytest.mark.parametrize(
    ("spec", "id"),
    [
        ("reference:late-by-2", "reference-late-by-2"),
        ("reference:flaky:0.5", "reference-flaky-0.5"),
        ("gpt-4o", "gpt-4o"),
        ("openai/gpt-4o", "openai-gpt-4o-abb375db"),
    ],
)
def test_an_id_is_readable(spec: str, id: str) -> None:
    assert agent_id(spec) == id


ALIKE = [
    "a/b",
    "a-b",
    "a:b",
    "A-b",
    "a_b",
    "a--b",
    "a/b/",
    "reference-never-acts",
    "reference:never-acts",
    "cmd:a",
    "cmd:a ",
]
names = st.sampled_from(ALIKE) | st.text(min_size=1, max_size=90).filter(lambda text: text.strip() == text)


@given(names, names)
def test_two_specifications_never_share_an_id_and_every_id_is_a_folders_name(one: str, other: str) -> None:
    found = []
    for spec in (one, other):
        try:
            found.append((parse_spec(spec), agent_id(spec)))
        except InvalidInput:
            return
    for _, id in found:
        assert re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,79}", id)
    assert (found[0][0] == found[1][0]) == (found[0][1] == found[1][1])


def test_an_id_is_never_that_of_another_with_its_hash() -> None:
    hashed = agent_id("openai/gpt-4o")
    assert agent_id(hashed) != hashed


# What an agent may say.


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ({}, Reply()),
        ({"text": None, "tool_calls": None}, Reply()),
        ({"text": "Hm.", "tool_calls": []}, Reply("Hm.")),
        ({"tool_calls": [{"name": "x", "arguments": '{"a": 1}'}]}, Reply(None, (AskedCall("x", {"a": 1}),))),
        ({"tool_calls": [{"name": "x"}]}, Reply(None, (AskedCall("x", {}),))),
        ({"tool_calls": ({"name": "x", "args": None},)}, Reply(None, (AskedCall("x", {}),))),
        ({"tokens_input": 3, "tokens_output": 4.0, "cost_usd": 0, "model": "m"}, Reply(None, (), 3, 4, 0.0, "m")),
        (CALLED, CALLED),
        (Reply(None, (AskedCall("x", {}, fault="unread"),)), Reply(None, (AskedCall("x", {}, fault="unread"),))),
    ],
)  # fmt: skip
def test_a_turn_is_read(said: Any, reply: Reply) -> None:
    assert read_reply(said) == reply


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (None, "the answer is missing, not an object"),
        ("911", "the answer is a string ('911')"),
        ([], "the answer is a list"),
        ({"toolcalls": []}, "has the key 'toolcalls'; known are text, tool_calls"),
        ({"text": 7}, "text is a number (7)"),
        ({"model": {}}, "model is an object"),
        ({"tool_calls": {}}, "tool_calls is an object ({}); it has to be a list"),
        ({"tool_calls": ["make_call"]}, "tool_calls[0] is a string"),
        ({"tool_calls": [{"name": "x"}, {"tool": "x"}]}, "tool_calls[1] has the key 'tool'"),
        ({"tool_calls": [{}]}, "tool_calls[0].name is missing"),
        ({"tool_calls": [{"name": 5}]}, "tool_calls[0].name is a number"),
        ({"tool_calls": [{"name": "x", "id": 5}]}, "tool_calls[0].id is a number"),
        ({"tool_calls": [{"name": "x", "args": {}, "arguments": {}}]}, "has both args and arguments"),
        ({"cost_usd": -1}, "cost_usd is a number (-1); it has to be a number that is not negative"),
        ({"cost_usd": float("nan")}, "cost_usd is a number (nan)"),
        ({"tokens_input": 1.5}, "tokens_input is a number (1.5)"),
        ({"tokens_output": True}, "tokens_output is true or false (True)"),
    ],
)
def test_what_is_no_turn_is_told_in_one_line(said: Any, says: str) -> None:
    with pytest.raises(AgentFailed, match=re.escape(says)):
        read_reply(said)


@pytest.mark.parametrize(
    "args", ["{", "[1]", [1], 7, True, {"a": object()}, '{"a": "\\u0000"}', "[" * 100_000, {"a": "\ud800"}],
    ids=lambda args: repr(args)[:12],
)  # fmt: skip
def test_arguments_that_cannot_be_read_are_a_fault_of_their_call(args: Any) -> None:
    [call] = read_reply({"tool_calls": [{"name": "x", "args": args}]}).tool_calls
    assert (call.name, call.args) == ("x", {})
    assert call.fault is not None
    assert len(call.fault.splitlines()) == 1
    assert len(call.fault) < 120


def is_a_turn_or_one_line(read: Callable[[Any], Any], said: Any) -> bool:
    try:
        return isinstance(read(said), Reply)
    except AgentFailed as failed:
        return len(failed.reason.splitlines()) == 1


@given(st.binary(max_size=200) | st.text(max_size=50).map(str.encode))
def test_whatever_bytes_come_back_they_are_a_turn_or_one_line(body: bytes) -> None:
    assert is_a_turn_or_one_line(parse_reply, body)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "tool_calls", "name", "args", "cost_usd", "id"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(json_values)
def test_whatever_json_comes_back_it_is_a_turn_or_one_line(said: Any) -> None:
    assert is_a_turn_or_one_line(read_reply, said)


# Python.

OWN = """
import asyncio, threading, time
from gnomon.bench.protocol import AskedCall, Reply

CALLED = {"text": "I call.", "tool_calls": [{"name": "make_call", "args": {"number": "911"}, "id": "a"}]}
loops, go, closed = [], threading.Event(), []

def plain(messages, tools): return CALLED
async def waiting(messages, tools):
    await asyncio.sleep(0)
    return CALLED
def later(messages, tools): return waiting(messages, tools)
def blocking(messages, tools):
    assert go.wait(600)
    return CALLED
def never(messages, tools): threading.Event().wait()
async def asleep(messages, tools): await asyncio.sleep(1000)
def broken(messages, tools): raise ValueError("no\\nluck")
def quits(messages, tools): raise SystemExit(3)
async def quits_too(messages, tools): raise SystemExit(3)
def ends(messages, tools): raise StopIteration
def wrong(messages, tools): return 17
def enormous(messages, tools): return {"text": "x" * 5_000_000}
def meddles(messages, tools):
    messages.append("x"); messages[0]["content"] = "x"; tools[0]["function"]["name"] = "x"
    return CALLED
def tells(messages, tools): return {"text": f"{len(messages)} {tools[0]['function']['name']}"}

class Own:
    def __init__(self): self.turns = 0
    def answer(self, messages, tools):
        self.turns += 1
        return Reply(f"turn {self.turns}")
    def close(self): closed.append(self.turns)

class Numbered:
    def __init__(self, run_number): self.number = run_number
    async def answer(self, messages, tools): return Reply(f"run {self.number}")
    async def close(self): raise RuntimeError("too late to matter")

class Box:
    inner = Own()

instance = Own()
def factory(): return Own()
def numbered_factory(*, run_number): return Numbered(run_number)
class Fails:
    def __init__(self): raise KeyError("data")
class NoAgent: pass
def makes_none(): return None
def three(a, b, c): pass
number = 5
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A module in the current folder, as a user has it."""
    (tmp_path / "own_agents.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    sys.modules.pop("own_agents", None)
    make(parse_spec("python:own_agents:plain"), 1)
    yield sys.modules["own_agents"]
    sys.modules.pop("own_agents", None)


@pytest.mark.parametrize("name", ["plain", "waiting", "later"])
def test_a_function_of_messages_and_tools_is_an_agent_async_or_not(name: str, own: Any) -> None:
    assert turn(f"python:own_agents:{name}") == CALLED


@pytest.mark.parametrize("name", ["Own", "instance", "factory", "Box.inner"])
def test_so_is_a_class_an_object_and_a_factory(name: str, own: Any) -> None:
    agent = make(parse_spec(f"python:own_agents:{name}"), 1)
    assert [reply.text for reply in asyncio.run(turns(agent, 2))] == ["turn 1", "turn 2"]
    assert own.closed == [2]


@pytest.mark.parametrize("name", ["Numbered", "numbered_factory"])
def test_who_asks_for_the_runs_number_gets_it_and_trouble_at_the_end_is_nobodys(name: str, own: Any) -> None:
    agent = make(parse_spec(f"python:own_agents:{name}"), 7)
    assert asyncio.run(turns(agent, 1)) == [Reply("run 7")]


def test_code_that_blocks_holds_up_nobody(own: Any) -> None:
    async def both() -> Reply:
        waiting = asyncio.create_task(make(parse_spec("python:own_agents:blocking"), 1).answer(MESSAGES, TOOLS))
        await make(parse_spec("python:own_agents:plain"), 1).answer(MESSAGES, TOOLS)
        assert not waiting.done()
        own.go.set()
        return await waiting

    assert asyncio.run(both()) == CALLED


def test_an_agent_cannot_change_what_the_runner_holds(own: Any) -> None:
    before = json.dumps([MESSAGES, TOOLS])
    assert turn("python:own_agents:meddles") == CALLED
    assert json.dumps([MESSAGES, TOOLS]) == before
    assert turn("python:own_agents:tells").text == "2 make_call"


@pytest.mark.parametrize("name", ["never", "asleep"])
def test_code_that_never_answers_is_given_up(name: str, own: Any) -> None:
    assert (
        failure(f"python:own_agents:{name}", timeout=0.05) == f"python:own_agents:{name} did not answer within 0.05 s"
    )


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("broken", "raised ValueError: no luck"),
        ("quits", "raised SystemExit: 3"),
        ("quits_too", "raised SystemExit: 3"),
        ("ends", "raised RuntimeError: StopIteration"),
        ("wrong", "the answer is a number (17)"),
    ],
)
def test_code_that_fails_fails_its_turn_alone(name: str, says: str, own: Any) -> None:
    assert says in failure(f"python:own_agents:{name}")


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("no_such_module_xyz:agent", "cannot be imported: ModuleNotFoundError"),
        ("own_agents:nobody", "cannot be imported: AttributeError"),
        ("own_agents:three", "is not an agent"),
        ("own_agents:number", "is not an agent"),
        ("own_agents:Fails", "could not be made: KeyError: 'data'"),
        ("own_agents:NoAgent", "makes a NoAgent, which has no answer"),
        ("own_agents:makes_none", "makes a NoneType"),
    ],
)
def test_what_cannot_be_imported_or_made_is_refused(target: str, says: str, own: Any) -> None:
    with pytest.raises(InvalidInput, match=re.escape(says)):
        make(parse_spec(f"python:{target}"), 1)


# HTTP.

Answer = Callable[[dict[str, Any]], tuple[int, bytes]]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Answer], str]]:
    """Starts a server whose answers a function of the request gives, and tells its address."""
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    servers: list[ThreadingHTTPServer] = []

    def start(answer: Answer) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, said = answer(json.loads(body))
                self.send_response(status)
                self.send_header("Content-Length", str(len(said)))
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                self.end_headers()
                with contextlib.suppress(OSError):  # whoever asked has had enough
                    self.wfile.write(said)

            def log_message(self, *_: Any) -> None:
                """Not to the tests' output."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/turn"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_an_endpoint_is_given_messages_and_tools_and_answers_with_a_turn(endpoint: Callable[[Answer], str]) -> None:
    asked: list[dict[str, Any]] = []

    def answer(body: dict[str, Any]) -> tuple[int, bytes]:
        asked.append(body)
        return 200, CALLS.encode()

    assert turn(endpoint(answer)) == CALLED
    assert asked == [{"messages": MESSAGES, "tools": TOOLS}]


@pytest.mark.parametrize(
    ("status", "said", "says"),
    [
        (500, b"it\nbroke", "answered 500: it broke"),
        (429, b"", "answered 429: nothing"),
        (302, b"", "answered 302"),
        (200, b"", "the answer is not JSON"),
        (200, b"<html>", "the answer is not JSON"),
        (200, b'"911"', "the answer is a string ('911')"),
        (200, b'{"tool_calls": 5}', "tool_calls is a number (5)"),
        (200, b'{"text": "' + b"x" * (LARGEST_ANSWER + 1) + b'"}', "answered with more than 4 MiB"),
        (200, b"\xff\xfe\x00", "the answer is not JSON"),
    ],
    ids=str,
)
def test_an_endpoints_fault_is_one_line(status: int, said: bytes, says: str, endpoint: Callable[[Answer], str]) -> None:
    assert says in failure(endpoint(lambda _: (status, said)))


def test_an_endpoint_that_never_answers_is_given_up(endpoint: Callable[[Answer], str]) -> None:
    done = threading.Event()

    def answer(_: dict[str, Any]) -> tuple[int, bytes]:
        done.wait(600)
        return 200, b"{}"

    assert "did not answer within 0.2 s" in failure(endpoint(answer), timeout=0.2)
    done.set()


def test_nobody_listening_is_a_connection_that_failed(endpoint: Callable[[Answer], str]) -> None:
    assert "the connection to http://127.0.0.1:1/ failed" in failure("http://127.0.0.1:1/")


# Commands.

SAYS = """
import json, os, subprocess, sys, time
mode, turns = sys.argv[1], 0
for line in sys.stdin:
    asked = json.loads(line)
    turns += 1
    if mode == "call": print(CALLS, flush=True)
    if mode == "count": print(json.dumps({"text": f"{os.getpid()} {turns} {len(asked['messages'])}"}), flush=True)
    if mode == "crash": print("x" * 10_000 + " out of\\nluck", file=sys.stderr, flush=True); sys.exit(7)
    if mode == "crash second" and turns == 2: os.kill(os.getpid(), 9)
    if mode == "crash second": print(json.dumps({"text": str(os.getpid())}), flush=True)
    if mode == "silent": time.sleep(1000)
    if mode == "words": print("I would call.", flush=True)
    if mode == "endless": sys.stdout.write("x" * 6_000_000); sys.stdout.flush(); time.sleep(1000)
    if mode == "stderr": sys.stderr.write("y" * 1_000_000); sys.stderr.flush(); print("{}", flush=True)
    if mode == "family":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        print(json.dumps({"text": f"{os.getpid()} {child.pid}"}), flush=True)
        time.sleep(1000)
""".replace("CALLS", repr(CALLS))


@pytest.fixture
def command(tmp_path: Path) -> Callable[[str], str]:
    script = tmp_path / "an agent.py"
    script.write_text(SAYS, encoding="utf-8")
    return lambda mode: f"cmd:{sys.executable} {shlex.quote(str(script))} {shlex.quote(mode)}"


def is_gone(pid: int) -> bool:
    """Whether it has ended; who waits for it is another matter."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def assert_gone(pids: Sequence[int]) -> None:
    deadline = time.monotonic() + 600
    while not all(map(is_gone, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert all(map(is_gone, pids))


def test_a_command_reads_a_line_and_writes_a_line(command: Callable[[str], str]) -> None:
    assert turn(command("call")) == CALLED


def test_a_command_is_one_process_for_a_whole_run_and_ends_with_it(command: Callable[[str], str]) -> None:
    agent = make(parse_spec(command("count")), 1)
    told = [(reply.text or "").split() for reply in asyncio.run(turns(agent, 3))]
    assert [(turns, messages) for _, turns, messages in told] == [("1", "2"), ("2", "2"), ("3", "2")]
    assert len({pid for pid, _, _ in told}) == 1
    assert_gone([int(told[0][0])])


def test_a_command_that_ends_tells_its_exit_code_and_last_words(command: Callable[[str], str]) -> None:
    said = failure(command("crash"))
    assert "ended (exit code 7) without an answer; its last words: " in said
    assert said.endswith("xxx out of luck")


def test_after_a_fault_the_next_turn_has_a_new_process(command: Callable[[str], str]) -> None:
    async def three() -> list[str]:
        agent = make(parse_spec(command("crash second")), 1)
        told = []
        for _ in range(3):
            try:
                told.append((await agent.answer(MESSAGES, TOOLS)).text or "")
            except AgentFailed as failed:
                told.append(failed.reason)
        await agent.close()
        return told

    first, second, third = asyncio.run(three())
    assert "ended (signal 9)" in second
    assert first != third
    assert_gone([int(first), int(third)])


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("silent", "did not answer within 1 s"),
        ("endless", "answered with more than 4 MiB"),
        ("words", "the answer is not JSON"),
    ],
)
def test_a_commands_fault_is_one_line(mode: str, says: str, command: Callable[[str], str]) -> None:
    assert says in failure(command(mode), timeout=1.0 if mode == "silent" else 600)


def test_a_command_may_write_as_much_to_its_stderr_as_it_likes(command: Callable[[str], str]) -> None:
    assert turn(command("stderr")) == Reply()


def test_what_a_command_has_started_ends_with_it(command: Callable[[str], str]) -> None:
    pids = [int(pid) for pid in (turn(command("family")).text or "").split()]
    assert len(pids) == 2
    assert_gone(pids)


def test_no_shell_reads_a_command(tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    said = failure(f"cmd:{sys.executable} -c 'import sys; print(sys.argv[1:])' ; touch {witness}")
    assert not witness.exists()
    assert "touch" in said


def test_a_program_that_is_not_there_is_refused_before_any_run_and_fails_its_turn() -> None:
    spec = parse_spec("cmd:/no/such/program --now")
    with pytest.raises(InvalidInput, match="there is no program '/no/such/program'"):
        check(spec, {})
    assert "/no/such/program cannot be run: No such file" in failure(spec.text)


TELLS = """import json, os
for _ in iter(input, ""): print(json.dumps({"text": json.dumps(dict(os.environ))}), flush=True)
"""


def seen_by_a_command(tmp_path: Path, **more: Any) -> dict[str, str]:
    """The environment that a command agent prints."""
    script = tmp_path / "tells.py"
    script.write_text(TELLS, encoding="utf-8")
    agent = make(parse_spec(f"cmd:{sys.executable} {shlex.quote(str(script))}"), 1, **more)
    [reply] = asyncio.run(turns(agent, 1))
    seen: dict[str, str] = json.loads(reply.text or "")
    return seen


SECRETS = ("OPENAI_API_KEY", "GNOMON_ADMIN_KEY", "GNOMON_DATABASE_URL", "HTTPS_PROXY", "GH", "PYTHON_API_TOKEN")


def test_a_command_sees_no_secret_of_ours_unless_it_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in SECRETS:
        monkeypatch.setenv(name, "hush")
    monkeypatch.setenv("LC_TIME", "C.UTF-8")
    seen = seen_by_a_command(tmp_path)
    assert "hush" not in seen.values()
    assert (seen["PATH"], seen["LC_TIME"]) == (os.environ["PATH"], "C.UTF-8")
    kept = {name for name in seen if not name.startswith(("LC_", "PYTHON"))}
    assert kept <= PASSED_ON
    seen = seen_by_a_command(tmp_path, agent_env={"OPENAI_API_KEY": "hush", "MODE": "fast"})
    assert (seen["OPENAI_API_KEY"], seen["MODE"]) == ("hush", "fast")
    assert sorted(name for name, value in seen.items() if value == "hush") == ["OPENAI_API_KEY"]


def test_an_endpoint_gets_no_secret_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login somebody password hush\n", encoding="utf-8")
    for name in SECRETS:
        monkeypatch.setenv(name, "http://hush/" if name == "HTTPS_PROXY" else "hush")
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(str(self.headers))
            asked.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: Any) -> None:
            """Not to the tests' output."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        turn(f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()
    assert len(asked) == 2
    assert "hush" not in "".join(asked)
    assert "authorization" not in asked[0].lower()
    assert "cookie" not in asked[0].lower()


def test_nothing_of_a_process_is_left_open(command: Callable[[str], str]) -> None:
    before = len(os.listdir("/proc/self/fd"))
    turn(command("call"))
    failure(command("crash"))
    assert len(os.listdir("/proc/self/fd")) <= before


def test_a_program_that_answers_without_reading_is_heard() -> None:
    said = f"""cmd:{sys.executable} -c 'import os; os.close(0); print("{{\\"text\\": \\"ok\\"}}")'"""
    assert turn(said).text == "ok"
