"""Judges in an evaluation: in this process without a server, as jobs with one; the same scores."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import gnomon as gn
from conftest import Server, start_server
from gnomon.errors import GnomonError
from gnomon.sdk import connection
from gnomon.testing import LoopbackModel
from sdk.conftest import forget_the_environment

DATA = [{"input": name, "expected_output": name.upper()} for name in ("ann", "bob", "cyd")]
JUDGE = gn.llm_judge("openai/judge", "How good is {{output}} for {{input}}? 0 to 1.", name="good")
RUBRIC = {
    "version": "1",
    "name": "tone",
    "instructions": "Judge the tone.",
    "dimensions": [{"name": "polite", "description": "Is it polite?"}],
}


def shout(input: str) -> str:
    if input == "bob":
        raise RuntimeError("no voice")
    return input.upper()


@pytest.fixture(params=["embedded", "server"])
def model(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackModel]:
    """A model on loopback, known to whoever runs the jobs."""
    forget_the_environment(monkeypatch, tmp_path)
    with LoopbackModel(["0.75"] * 10) as asked:
        for name, value in asked.environment().items():
            monkeypatch.setenv(name, value)
        server: Server | None = None
        if request.param == "server":
            server = start_server(f"sqlite:///{tmp_path / 'server.db'}", tmp_path / "server", **asked.environment())
            connection.configure(url=server.url, api_key=server.admin_key)
        else:
            connection.configure()
        yield asked
        connection.configure()
        if server is not None:
            server.stop()


def test_evaluate_waits_for_its_judges_and_asks_the_same_question_once(model: LoopbackModel) -> None:
    result = gn.evaluate(shout, DATA, [JUDGE, gn.exact_match()], progress=False)
    good = result.score("good")
    assert (good.mean, good.n_scored, good.n_failed, good.n_pending) == (0.75, 2, 1, 0)
    assert model.calls == 2
    gn.evaluate(shout, DATA, [JUDGE], progress=False)
    assert model.calls == 2


def test_rescore_asks_a_judge_about_stored_outputs(model: LoopbackModel) -> None:
    gn.evaluate(shout, DATA, [], name="before", progress=False)
    result = gn.rescore("before", [JUDGE], progress=False)
    assert result.score("good").n_scored == 2


def test_a_judge_that_nobody_can_ask_is_refused_before_the_task_runs(model: LoopbackModel) -> None:
    def never(input: str) -> str:
        raise AssertionError("it must not run")

    judge = gn.llm_judge("nobody/knows-this", "{{input}} {{output}}")
    with pytest.raises(GnomonError) as refused:
        gn.evaluate(never, DATA, [judge], progress=False, on_error="raise")
    assert "nobody" in refused.value.message
    assert "\n" not in refused.value.message
