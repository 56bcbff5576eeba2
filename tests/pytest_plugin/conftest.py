"""Real runs of pytest in folders of their own, each with a store of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import preloaded


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str

    @property
    def last(self) -> str:
        """The counts, without the time."""
        return self.out.strip().splitlines()[-1].strip("= ").partition(" in ")[0]


RunPytest = Callable[..., Outcome]


@pytest.fixture
def run_pytest(tmp_path: Path) -> RunPytest:
    """Write `test_app.py` and run pytest in the folder: `run_pytest("-k", "Paris")`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GNOMON_", "PYTEST_"))}
    environment |= {"GNOMON_HOME": str(tmp_path / "home"), "PYTHONPATH": str(tmp_path)}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # those of other packages take longer to load than a test runs
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:cacheprovider\n")

    def run(*arguments: str, cache: bool = False, from_nothing: bool = False) -> Outcome:
        if cache:
            (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
        plugins = ["-p", "gnomon.pytest_plugin", *(["-p", "xdist"] if "-n" in arguments else [])]
        command = [sys.executable] if from_nothing else preloaded.command()
        done = subprocess.run(
            [*command, "-m", "pytest", *plugins, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        return Outcome(done.returncode, done.stdout + done.stderr)

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Data of 24 items and a test file whose task is right about all but one of them."""
    rows = [{"id": f"n{n}", "input": str(n), "expected_output": str(n)} for n in range(24)]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "app.py").write_text("def answer(text):\n    return 'x' if text == '7' else text\n")
    write_test(tmp_path)
    return tmp_path


def write_test(
    folder: Path,
    arguments: str = 'data="cases.jsonl", scorers=["exact_match"], gate="exact_match >= 0.7"',
    body: str = 'def test_answers(item):\n    return answer(item["input"])\n',
) -> None:
    (folder / "test_app.py").write_text(
        f"import pytest\n\nfrom app import answer\n\n\n@pytest.mark.gnomon({arguments})\n{body}"
    )
