"""Runs of pytest in several processes (`tests/processes.py`) report what one process would have reported."""

import os
import re
import subprocess
from pathlib import Path

import pytest

import preloaded

MIXED = """
import subprocess, sys, warnings
import pytest

def test_that_passes(held, tmp_path):
    assert list(tmp_path.iterdir()) == []

ERRORS = sys.stderr

def test_that_fails(held):
    print("said before")
    subprocess.run(["echo", "said by another"], stdout=ERRORS)
    assert [1, 2] == [1, 3]

def test_that_warns():
    warnings.warn("careful")

@pytest.mark.skip(reason="not here")
def test_that_is_skipped(): ...

def test_without_its_fixture(missing): ...
"""


SHARED = """
import os
import pytest

@pytest.fixture(scope="session")
def held():
    yield
    with open("taken-down.txt", "a") as file:
        file.write(f"{os.getpid()}\\n")
"""


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Four files of tests that share a fixture."""
    (tmp_path / "conftest.py").write_text(SHARED)
    for letter in "abcd":
        (tmp_path / f"test_{letter}.py").write_text(MIXED)
    return tmp_path


def run(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What pytest says about the tests of the folder, in three processes."""
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -ra -p no:cacheprovider\n")
    environment = {**os.environ, **more, "PYTHONPATH": str(Path(__file__).parent)}
    environment.pop("CI", None)  # where it is set, pytest says every failure twice
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", preloaded.RUN_VARIABLE: str(folder)}
    command = preloaded.command("-m", "pytest", "-p", "processes", "--processes", "3", *arguments)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_they_count_and_print_as_one(mixed: Path) -> None:
    done = run(mixed)
    assert done.returncode == 1
    # A library may add a warning of its own.
    assert re.search(r"4 failed, 8 passed, 4 skipped, \d+ warnings, 4 errors", done.stdout)
    for words in ("said before", "said by another", "fixture 'missing' not found", "not here", "UserWarning: careful"):
        assert words in done.stdout
    assert done.stdout.count("At index 1 diff: 2 != 3") == 4


def test_every_process_takes_down_its_fixtures_once(mixed: Path) -> None:
    run(mixed)
    ended = (mixed / "taken-down.txt").read_text().split()
    assert 1 <= len(ended) <= 3
    assert len(set(ended)) == len(ended)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import os; os._exit(7)", "ended with exit code 7 at test_a.py::test_it"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended with exit code -9 at test_a.py::test_it"),
    ],
)
def test_a_process_that_dies_fails_the_run_and_names_its_test(tmp_path: Path, body: str, words: str) -> None:
    (tmp_path / "test_a.py").write_text(f"def test_it():\n    {body}\n")
    (tmp_path / "test_b.py").write_text("def test_other(): ...\n")
    done = run(tmp_path)
    assert done.returncode != 0
    assert words in done.stdout + done.stderr


def test_only_folders_of_failed_tests_stay(tmp_path: Path) -> None:
    body = "def test_it(tmp_path):\n    (tmp_path / 'made.txt').touch()\n"
    (tmp_path / "test_a.py").write_text(body + "    assert False\n")
    (tmp_path / "test_b.py").write_text(body)
    (tmp_path / "temp").mkdir()
    run(tmp_path, "-o", "tmp_path_retention_policy=failed", TMPDIR=str(tmp_path / "temp"))
    assert len(list((tmp_path / "temp").rglob("made.txt"))) == 1


def test_a_first_failure_can_end_all(tmp_path: Path) -> None:
    """The other test would wait for ever."""
    (tmp_path / "test_a.py").write_text("def test_that_waits():\n    import signal\n    signal.pause()\n")
    (tmp_path / "test_b.py").write_text("def test_that_fails():\n    assert False\n")
    done = run(tmp_path, "-x")
    assert done.returncode == 1
    assert "stopping after 1 failures" in done.stdout


def test_what_cannot_be_collected_runs_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("import nowhere\n")
    (tmp_path / "test_b.py").write_text("def test_other(): ...\n")
    done = run(tmp_path)
    assert done.returncode == 2
    assert "1 error" in done.stdout
    assert "passed" not in done.stdout
