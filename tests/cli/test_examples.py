"""Every example runs as it is, and says what it should."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gnomon.testing import LoopbackModel

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SAYS_WITH_A_SERVER = {
    "capitals.py": ["prompt-v1 → prompt-v2", "/projects/examples-capitals/experiments/"],
    "compare_agents.py": ["watchful-140e5831: succeeds on 75% of the days", "never-acts: succeeds on 50% of the days"],
    "many_at_once.py": ["squares: 20 items, their sum is 2470"],
    "score_a_file.py": ["capitals: mean 0.67, 95 % interval 0.21 to 0.94", "3 of 4 scored"],
    "send_a_trace.py": ["accepted 2 spans", "answer: 2 spans, 19 tokens, error: False"],
    "two_prompts.py": ["careful is improved", "gate: passed"],
}
SAYS_WITHOUT = {
    "agent_with_tools.py": ["right_tools  0.875", "solved       0.958", "pass^4 0.500 (0.188 to 0.812)"],
    "capitals.py": ["exact_match: better, by 0.373 to 0.982", "contains: cannot tell: -0.404 to +0.205"],
    "rag_chatbot.py": [
        "exact_match: better, by 0.263 to 0.862",
        "to_the_point: judged by openai/gpt-4o-mini, 0.0% of its answers unreadable",
        "passed: found_passage >= 0.6",
    ],
}
FOREIGN = ("GNOMON_", "OPENAI_", "ANTHROPIC_")


def run(name: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN)}
    return subprocess.run(
        [sys.executable, EXAMPLES / name], env={**known, **environment}, capture_output=True, text=True
    )


def test_every_example_is_listed_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == SAYS_WITH_A_SERVER.keys() | SAYS_WITHOUT.keys()


@pytest.mark.parametrize("name", SAYS_WITH_A_SERVER)
def test_an_example_runs_with_a_server(name: str, server_on: Any) -> None:
    server = server_on("sqlite")
    project = f"examples-{Path(name).stem}"
    done = run(name, GNOMON_URL=server.url, GNOMON_API_KEY=server.admin_key, GNOMON_PROJECT=project)
    assert done.returncode == 0, done.stderr
    for words in SAYS_WITH_A_SERVER[name]:
        assert words in done.stdout


@pytest.mark.parametrize("name", SAYS_WITHOUT)
def test_an_example_runs_without_a_server_and_without_a_model(name: str, tmp_path: Path) -> None:
    done = run(name, GNOMON_HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    for words in SAYS_WITHOUT[name]:
        assert words in done.stdout


def test_the_chatbot_asks_the_model_that_the_environment_names(tmp_path: Path) -> None:
    """It works against any server that speaks OpenAI's protocol."""
    with LoopbackModel(lambda asked: "7") as model:
        done = run("rag_chatbot.py", GNOMON_HOME=str(tmp_path), MODEL="llama-3", **model.environment())
        assert done.returncode == 0, done.stderr
        asked = [(one.model, one.prompt) for one in model.requests]
    assert {name for name, _ in asked} == {"llama-3"}
    # 12 questions by two prompts; the judge is asked once about the same question and answer.
    assert len([prompt for _, prompt in asked if "How brief" not in prompt]) == 24
    assert len([prompt for _, prompt in asked if "How brief" in prompt]) == 12


def test_the_outputs_in_the_notebook_are_those_of_its_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cells run in order in one namespace inside a running event loop, as in Jupyter."""
    for name in ("GNOMON_URL", "GNOMON_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GNOMON_HOME", str(tmp_path))
    maker = runpy.run_path(str(ROOT / "docs" / "make_notebook.py"))
    written = maker["read"]()["cells"]
    assert steady(maker["executed"](written)) == steady(written), "run: python docs/make_notebook.py"


def steady(value: Any) -> Any:
    """Without ids and durations, which differ from run to run."""
    if isinstance(value, dict):
        return {key: steady(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [steady(inner) for inner in value]
    return re.sub(r"in [\d.]+ s|id [0-9a-f-]{36}", "…", value) if isinstance(value, str) else value
