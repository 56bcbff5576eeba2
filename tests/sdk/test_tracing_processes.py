"""Tracing in processes of their own: how they end, fork, bring their own OpenTelemetry, and lose their server.

Each program is a script in a Python that nothing else has used. Where it sends its spans is a database or a server.
"""

import os
import shutil
import socket
import socketserver
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import gnomon as gn
import preloaded
from conftest import Server, free_port
from contract.caller import fresh_project
from gnomon.client import Client
from gnomon.model.backend import Backend
from gnomon.model.trace import Span
from gnomon.sdk import connection
from gnomon.service.embedded import Embedded

SECONDS = 600
"""How long a script may take on a machine that is busy with other things."""


@dataclass(frozen=True)
class Place:
    """Where scripts send their spans, and how a test reads them."""

    environment: dict[str, str]
    project: str
    open: Callable[[], Backend]

    def spans(self) -> list[Span]:
        backend = self.open()
        try:
            return [one for row in backend.traces(self.project) for one in backend.trace(row.id, self.project).spans]
        finally:
            backend.close()

    def names(self) -> list[str]:
        return sorted(span.name for span in self.spans())


@pytest.fixture(params=["embedded", "http"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    project = fresh_project()
    if request.param == "embedded":
        url = f"sqlite:///{tmp_path}/gnomon.db"
        return Place({"GNOMON_HOME": str(tmp_path), "GNOMON_PROJECT": project}, project, lambda: Embedded(url))
    server: Server = request.getfixturevalue("server_on")("sqlite")
    environment = {"GNOMON_URL": server.url, "GNOMON_API_KEY": server.admin_key, "GNOMON_PROJECT": project}
    return Place(environment, project, lambda: Client(server.url, server.admin_key))


def run(script: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    foreign = ("GNOMON_", "OTEL_")
    own = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    done = subprocess.run(
        preloaded.command("-c", "import gnomon as gn\n" + script),
        env=own | environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done


def test_a_program_that_ends_without_a_flush_loses_nothing(place: Place) -> None:
    done = run("for n in range(700):\n    with gn.span(f'span {n}', input=n):\n        pass", place.environment)
    assert len(place.names()) == 700
    assert done.stderr == ""


def test_a_program_that_ends_by_an_exception_or_an_exit_keeps_its_last_span(place: Place) -> None:
    run("import sys\n@gn.trace\ndef last():\n    sys.exit(0)\nlast()", place.environment)
    (span,) = place.spans()
    assert span.error is not None
    assert span.error.type == "SystemExit"


FORKS = """
import os, sys
with gn.span("before"):
    pass
with gn.span("around"):
    child = os.fork()
    if not child:
        with gn.span("in the child"):
            pass
if not child:
    sys.exit(0)
os.waitpid(child, 0)
with gn.span("after"):
    pass
"""


def test_a_forked_child_sends_its_own_spans_and_not_its_parent_s(place: Place) -> None:
    """What the parent had waiting, or open, when it forked is stored once, by the parent."""
    done = run(FORKS, place.environment)
    assert place.names() == ["after", "around", "before", "in the child"]
    by_name = {span.name: span for span in place.spans()}
    assert by_name["in the child"].parent_span_id == by_name["around"].id
    assert done.stderr == ""


WORKERS = """
import multiprocessing
@gn.trace
def work(number):
    return number
if __name__ == "__main__":
    with gn.span("parent"):
        pass
    gn.flush()
    workers = [multiprocessing.get_context("fork").Process(target=work, args=(n,)) for n in range(2)]
    [one.start() for one in workers], [one.join() for one in workers]
"""


def test_worker_processes_send_their_spans_before_they_end(place: Place) -> None:
    run(WORKERS, place.environment)
    assert place.names() == ["parent", "work", "work"]


OWN_PROVIDER = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
own, exporter = TracerProvider(shutdown_on_exit=False), InMemorySpanExporter()
own.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(own)
with trace.get_tracer("app").start_as_current_span("before gnomon"):
    with gn.span("ours", input={"q": 1}):
        with trace.get_tracer("app").start_as_current_span("theirs"):
            pass
gn.span("second").__enter__()
gn.instrument()
assert trace.get_tracer_provider() is own
print(*sorted(span.name for span in exporter.get_finished_spans()), sep=",")
print([span.attributes["gnomon.input"] for span in exporter.get_finished_spans() if span.name == "ours"])
"""


def test_a_program_s_own_provider_stays_and_both_get_the_spans(place: Place) -> None:
    done = run(OWN_PROVIDER, place.environment)
    assert done.stdout.splitlines() == ["before gnomon,ours,theirs", "['{\"q\":1}']"]
    assert place.names() == ["before gnomon", "ours", "theirs"]


def test_a_score_is_enough_to_have_the_spans_of_others_stored(place: Place) -> None:
    done = run(
        "from opentelemetry import trace\nfrom opentelemetry.sdk.trace import TracerProvider\n"
        "trace.set_tracer_provider(TracerProvider())\n"
        "with trace.get_tracer('app').start_as_current_span('theirs'):\n    gn.score('helpful', 1)",
        place.environment,
    )
    assert done.stderr == ""
    assert place.names() == ["theirs"]


def test_a_provider_that_is_set_after_the_first_span_is_told_that_it_is_too_late(place: Place) -> None:
    done = run(
        "with gn.span('first'): pass\n"
        "from opentelemetry import trace\nfrom opentelemetry.sdk.trace import TracerProvider\n"
        "trace.set_tracer_provider(TracerProvider())\n"
        "with trace.get_tracer('app').start_as_current_span('later'): pass",
        place.environment,
    )
    assert "Overriding of current TracerProvider is not allowed" in done.stderr
    assert place.names() == ["first", "later"]


def test_sampling_and_switching_off_are_the_program_s_to_decide(place: Place) -> None:
    script = "with gn.span('a'):\n    gn.score('x', 1)\n@gn.trace\ndef f(): return 1\nassert f() == 1"
    run(script, place.environment | {"OTEL_TRACES_SAMPLER": "always_off"})
    run(script, place.environment | {"OTEL_SDK_DISABLED": "true"})
    run("gn.configure()\nfrom gnomon.sdk.connection import connection\nconnection()", place.environment)
    assert place.names() == []


# --- no server -----

MANY = """
import time
@gn.trace
def work(number):
    return number
for number in range(2000):
    assert work(number) == number
print("done")
"""


def test_without_a_server_a_program_goes_on_and_ends_with_one_warning() -> None:
    environment = {"GNOMON_URL": f"http://127.0.0.1:{free_port()}", "GNOMON_API_KEY": "key"}
    done = run(MANY, environment)
    assert done.stdout == "done\n"
    (line,) = done.stderr.splitlines()
    assert line.startswith("Gnomon cannot store spans: cannot reach http://127.0.0.1:")


def test_a_server_that_never_answers_does_not_hold_up_the_end() -> None:
    """The drain at the end has a deadline of a few seconds and says so; the connection itself would wait for a minute,
    and the program would then say that the server cannot be reached."""
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen(100)
        environment = {"GNOMON_URL": f"http://127.0.0.1:{mute.getsockname()[1]}", "GNOMON_API_KEY": "key"}
        done = run(MANY, environment)
        assert (done.stdout, done.stderr) == (
            "done\n",
            "Gnomon gave up 2000 spans: they could not be stored in time\n",
        )


def test_a_server_that_never_answers_holds_up_no_other_place(tmp_path: Path) -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen(100)
        gn.configure(url=f"http://127.0.0.1:{mute.getsockname()[1]}", api_key="key", project="p")
        with gn.span("lost"):
            pass
        gn.configure(database=str(tmp_path / "gnomon.db"), project="p")
        with gn.span("kept"):
            pass
        assert gn.flush(SECONDS)
        assert [row.name for row in connection.connection().backend.traces("p")] == ["kept"]
        gn.configure()


def test_a_wrong_configuration_costs_one_warning_and_not_the_program(tmp_path: Path) -> None:
    done = run(MANY, {"GNOMON_URL": "http://127.0.0.1:9"})
    assert done.stdout == "done\n"
    (line,) = done.stderr.splitlines()
    assert "set GNOMON_API_KEY" in line


class Relay(socketserver.ThreadingTCPServer):
    """Passes connections on to a server, as long as it is there; so a server can be away and come back."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, port: int, target: int) -> None:
        self.target = target
        self.lines: list[socket.socket] = []
        super().__init__(("127.0.0.1", port), _Passing)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def stop(self) -> None:
        self.shutdown()
        self.server_close()
        for line in self.lines:
            line.close()


class _Passing(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Relay)
        with socket.create_connection(("127.0.0.1", self.server.target)) as there:
            self.server.lines += [self.request, there]
            back = threading.Thread(target=_pass, args=(there, self.request), daemon=True)
            back.start()
            _pass(self.request, there)
            back.join()


def _pass(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        return


@pytest.fixture
def relay(server_on: Callable[[str], Server]) -> Iterator[Callable[[], Relay]]:
    target, port = int(server_on("sqlite").url.rpartition(":")[2]), free_port()
    started: list[Relay] = []

    def start() -> Relay:
        started.append(Relay(port, target))
        return started[-1]

    yield start
    for one in started:
        one.stop()


def test_a_server_that_comes_back_gets_what_was_waiting(
    relay: Callable[[], Relay], server_on: Callable[[str], Server], caplog: pytest.LogCaptureFixture
) -> None:
    project, server, way = fresh_project(), server_on("sqlite"), relay()
    gn.configure(url=f"http://127.0.0.1:{way.server_address[1]}", api_key=server.admin_key, project=project)
    with gn.span("there"):
        pass
    assert gn.flush(SECONDS)
    way.stop()
    with gn.span("away"):
        pass
    assert not gn.flush(SECONDS), "no server answers"
    with gn.span("still away"):
        pass
    assert not gn.flush(SECONDS)
    relay()
    assert gn.flush(SECONDS)
    rows = list(connection.connection().backend.traces(project))
    assert sorted(str(row.name) for row in rows) == ["away", "still away", "there"]
    first, last = [record.message for record in caplog.records if record.name == "gnomon.tracing"]
    assert first.startswith("Gnomon cannot store spans: cannot reach http://127.0.0.1:")
    assert last == "Gnomon can store spans again"
    gn.configure()


def test_a_database_that_is_gone_costs_one_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    home = tmp_path / "home"
    gn.configure(database=str(home / "gnomon.db"), project="p")
    with gn.span("kept"):
        pass
    assert gn.flush(SECONDS)
    shutil.rmtree(home)
    for _ in range(2):
        with gn.span("lost"):
            pass
        assert not gn.flush(SECONDS)
    gn.configure(database=str(tmp_path / "other.db"), project="p")
    assert len([record for record in caplog.records if record.name == "gnomon.tracing"]) == 1
    with gn.span("elsewhere"):
        pass
    assert gn.flush(SECONDS)
    assert [row.name for row in connection.connection().backend.traces("p")] == ["elsewhere"]
    gn.configure()
