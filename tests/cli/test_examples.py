"""Examples with a model that the reader names, and the notebook. All of them run twice in `docs/test_new_user.py`."""

import os
import re
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest

import preloaded
from gnomon.testing import LoopbackModel

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
FOREIGN = ("GNOMON_", "OPENAI_", "ANTHROPIC_")


def run(name: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN)}
    return subprocess.run(
        preloaded.command(EXAMPLES / name), env={**known, **environment}, capture_output=True, text=True
    )


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
