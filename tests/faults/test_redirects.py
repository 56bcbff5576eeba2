"""A model's server that points to another one: prompt and key stay where the operator sent them."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from conftest import Server, start_server
from contract.caller import Api, Refusal, fresh_project
from gnomon.testing import LoopbackModel

TEMPLATE = "{{input}} {{output}}"


class Redirecting(ThreadingHTTPServer):
    """Answers every request by pointing to the same path at another port."""

    def __init__(self, status: int, elsewhere: str) -> None:
        super().__init__(("127.0.0.1", 0), _Redirect)
        self.status, self.elsewhere, self.asked = status, elsewhere, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Redirect(BaseHTTPRequestHandler):
    server: Redirecting

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked += 1
        self.send_response(self.server.status)
        self.send_header("Location", f"{self.server.elsewhere}/chat/completions")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quietly."""


@pytest.fixture
def elsewhere() -> Iterator[LoopbackModel]:
    with LoopbackModel("1") as model:
        yield model


@pytest.fixture(params=[302, 307, 308])
def redirecting(request: pytest.FixtureRequest, elsewhere: LoopbackModel) -> Iterator[Redirecting]:
    server = Redirecting(request.param, elsewhere.base_url)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def server(redirecting: Redirecting, elsewhere: LoopbackModel, tmp_path: Path) -> Iterator[Server]:
    environment = elsewhere.environment() | {"OPENAI_BASE_URL": redirecting.url}
    started = start_server(f"sqlite:///{tmp_path / 'gnomon.db'}", tmp_path, **environment)
    yield started
    started.stop()


def test_no_redirect_of_a_models_server_is_followed(
    server: Server, redirecting: Redirecting, elsewhere: LoopbackModel
) -> None:
    api = Api(server.http, server.admin_key, fresh_project()).with_key("admin")
    run = api.answer("an output")
    asked = api.score(run.id, "llm_judge", config={"model": "judge", "prompt_template": TEMPLATE})
    job = api.finished(asked.json()["job_id"])
    assert job["status"] == "failed"
    assert job["reason"].startswith(f"refused: openai answered {redirecting.status} and points to {elsewhere.base_url}")
    assert "no redirect is followed" in job["reason"]
    assert (redirecting.asked, elsewhere.calls) == (1, 0)


def test_a_name_with_another_provider_is_refused_and_sent_nowhere(server: Server, redirecting: Redirecting) -> None:
    api = Api(server.http, server.admin_key, fresh_project()).with_key("admin")
    run = api.answer("an output")
    for model in ("nonsense/x", "bedrock/claude", "anthropic/claude-3", "meta-llama/Llama-3"):
        refused = Refusal.of(api.score(run.id, "llm_judge", config={"model": model, "prompt_template": TEMPLATE}))
        assert refused.said == (400, "INVALID_SCORER_CONFIG")
        assert f"write openai/{model} for a model of this name at OPENAI_BASE_URL" in refused.message
    assert redirecting.asked == 0
