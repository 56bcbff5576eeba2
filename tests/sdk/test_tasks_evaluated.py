"""Models, endpoints and commands as tasks of `evaluate`, without a server and with one."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import gnomon as gn
from gnomon.testing import LoopbackModel

DATA = [
    {"id": "a", "input": {"city": "Rome"}, "expected_output": "ROME"},
    {"id": "b", "input": {"city": "Oslo"}, "expected_output": "OSLO"},
    {"id": "c", "input": {"town": "Nowhere"}, "expected_output": "NOWHERE"},
]
UPPER = "import json, sys; print(json.load(sys.stdin)['city'].upper())"


class Upper(BaseHTTPRequestHandler):
    """Answers with the city in capitals; 422 where there is none."""

    def do_POST(self) -> None:
        city = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"].get("city")
        body = json.dumps({"answer": city and city.upper()}).encode()
        self.send_response(200 if city else 422)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Not to the tests' output."""


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Upper)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/upper"
    server.shutdown()
    server.server_close()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackModel]:
    with LoopbackModel(lambda asked: asked.prompt.removeprefix("Shout: ").upper()) as loopback:
        for name, value in loopback.environment().items():
            monkeypatch.setenv(name, value)
        yield loopback


@pytest.mark.parametrize("kind", ["model", "http", "command"])
def test_each_is_a_task_whose_outputs_are_scored_and_whose_faults_fail_their_run(
    kind: str, place: str, url: str, model: LoopbackModel
) -> None:
    """Spec: a model name with a prompt, an HTTP endpoint and a command are tasks of an evaluation too."""
    task = {
        "model": lambda: gn.model("openai/gpt-4o-mini", "Shout: {{input.city}}"),
        "http": lambda: gn.http(url, output="answer"),
        "command": lambda: gn.command([sys.executable, "-c", UPPER]),
    }[kind]()
    result = gn.evaluate(task, DATA, [gn.exact_match()], progress=False)
    runs = list(result.runs)
    assert sorted(run.output for run in runs if run.error is None) == ["OSLO", "ROME"]
    [failed] = [run for run in runs if run.error is not None]
    assert failed.input == {"town": "Nowhere"}
    assert failed.error is not None
    assert failed.error.type == ("InvalidInput" if kind == "model" else "CallFailed")
    assert result.summary.scores_by_scorer["exact_match"].mean == 1.0


def test_outputs_are_kept_until_the_script_changes(home: Path) -> None:
    def outputs() -> tuple[list[Any], int]:
        task = gn.command([sys.executable, "app.py"])
        result = gn.evaluate(task, [{"input": "Rome"}], name="app", cache=True, progress=False)
        return [run.output for run in result.runs], result.cached

    Path("app.py").write_text("print(input())", encoding="utf-8")
    assert outputs() == (["Rome"], 0)
    assert outputs() == (["Rome"], 1)
    Path("app.py").write_text("print(input().upper())", encoding="utf-8")
    assert outputs() == (["ROME"], 0)
