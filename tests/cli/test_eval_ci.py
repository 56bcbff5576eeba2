"""Evaluations in CI: what `git:main` means, the commands of the CI page, and the action, in real repositories."""

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

import preloaded
from pages.walk import at_the

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "compare" / "ci.md"
RIGHT = "def answer(input):\n    return input\n"
WORSE = "def answer(input):\n    return 'wrong' if int(input) % 2 else input\n"
A_LITTLE_WORSE = "def answer(input):\n    return 'wrong' if input == '7' else input\n"


class Repository:
    """A repository with a suite of 40 items, and commands in it. Every commit is an hour after the one before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._hour = itertools.count()
        evals = folder / "evals"
        evals.mkdir(parents=True)
        rows = [{"id": str(n), "input": str(n), "expected_output": str(n)} for n in range(40)]
        (evals / "numbers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        self.write_suite()
        (folder / ".gitignore").write_text("__pycache__/\ncomment.md\n*junit.xml\n")
        self.git("init", "-q", "-b", "main")
        self.commit(RIGHT)

    def write_suite(self, *gates: str) -> None:
        suite = {"data": "numbers.jsonl", "task": "app.py:answer", "scorers": ["exact_match"], "gates": list(gates)}
        (self.folder / "evals" / "numbers.yaml").write_text(yaml.safe_dump(suite))

    def commit(self, app: str) -> str:
        (self.folder / "evals" / "app.py").write_text(app)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD").strip()

    def git(self, *arguments: str) -> str:
        environment = os.environ | at_the(next(self._hour))
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    def eval(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.shell(f"gnomon eval --quiet {' '.join(arguments)}")

    def shell(self, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """As a CI service runs it: bash, which ends with the first command that fails."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        own = os.environ | {"PATH": path, "GNOMON_PYTHON": sys.executable} | environment
        command = shlex.join(preloaded.command("-m", "gnomon"))
        script = f'gnomon() {{ {command} "$@"; }}\n{script}'
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script], cwd=self.folder, env=own, capture_output=True, text=True
        )


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def test_git_main_is_the_newest_clean_experiment_at_its_tip_or_before(repository: Repository) -> None:
    without = repository.eval("evals", "--against git:main")
    assert without.returncode == 4
    remedy = "run gnomon eval on main, without local changes, into the same database"
    # the experiment itself is made at main's tip, and is no base of its own
    assert "no clean experiment of 'numbers' is recorded at git:main (looked at 1 commit of main); " + remedy in (
        without.stdout
    )
    first = repository.git("rev-parse", "HEAD").strip()
    (repository.folder / "evals" / "app.py").write_text(A_LITTLE_WORSE)
    assert repository.eval("evals").returncode == 0  # with local changes: not for git:main
    repository.git("checkout", "-q", "--", ".")
    assert repository.eval("evals --limit 3").returncode == 0  # nor a part of the items
    repository.commit(RIGHT)  # nothing is recorded at the tip
    repository.git("checkout", "-q", "-b", "change")
    repository.commit(WORSE)
    done = repository.eval("evals", "--against git:main --json")
    assert done.returncode == 1, done.stdout + done.stderr
    (told,) = json.loads(done.stdout)["evaluations"]
    assert told["gates"][0]["decision"] == "fail"
    assert told["comparison"]["scorer_comparisons"][0]["verdict"] == "regressed"
    assert told["summary"]["metadata"]["gnomon"]["git"]["branch"] == "change"
    base = repository.shell(f"gnomon summary {told['against_id']} --json")
    git = json.loads(base.stdout)["metadata"]["gnomon"]["git"]
    assert (git["commit"], git["dirty"], git["branch"]) == (first, False, "main")


def test_what_is_missing_is_named(repository: Repository, tmp_path: Path) -> None:
    missing = repository.eval("evals", "--against git:trunk")
    assert missing.returncode == 4
    assert "there is no branch 'trunk' here; fetch it: git fetch origin trunk:trunk" in missing.stdout
    repository.commit(RIGHT)
    shallow = Repository.__new__(Repository)
    shallow.folder = tmp_path / "shallow"
    shallow._hour = itertools.count()
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{repository.folder}", str(shallow.folder)],
        check=True, capture_output=True,
    )  # fmt: skip
    done = shallow.eval("evals", "--against git:main")
    assert done.returncode == 4
    assert "this is a shallow clone that knows 1 commit of main); fetch all of it: git fetch --unshallow" in done.stdout
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("numbers.jsonl", "numbers.yaml", "app.py"):
        (outside / name).write_text((repository.folder / "evals" / name).read_text())
    shallow.folder = outside
    done = shallow.eval("numbers.yaml", "--against git:main")
    assert done.returncode == 4
    assert "needs a git repository, and this folder is in none" in done.stdout


def _blocks() -> list[dict]:
    found = re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [yaml.safe_load(block) for block in found]


def _github_script() -> str:
    workflow = next(block for block in _blocks() if isinstance(block, dict) and "jobs" in block)
    (job,) = workflow["jobs"].values()
    assert job["steps"][0]["with"]["fetch-depth"] == 0
    (step,) = [step for step in job["steps"] if step.get("name") == "Evaluate"]
    return step["run"]


def _gitlab_script() -> str:
    job = next(block["evaluate"] for block in _blocks() if isinstance(block, dict) and "evaluate" in block)
    assert job["allow_failure"]["exit_codes"] == [4]
    installing, fetching, *commands = job["script"]
    assert installing == "pip install gnomon"
    assert fetching.startswith("git fetch")
    return "\n".join(commands)


@pytest.mark.parametrize("script", [_github_script, _gitlab_script])
def test_the_commands_of_the_page_see_a_regression_and_what_cannot_be_told(
    repository: Repository, script: Callable[[], str]
) -> None:
    assert repository.shell("gnomon eval evals --quiet").returncode == 0  # as the job on main does
    repository.git("checkout", "-q", "-b", "worse")
    repository.commit(WORSE)
    done = repository.shell(script())
    assert done.returncode == 1, done.stdout + done.stderr
    comment = (repository.folder / "comment.md").read_text()
    assert comment.startswith("### numbers: ✗ failed")
    assert "**Worse**: exact_match 1.000 → 0.500" in comment
    assert comment.count("#### exact_match 1.000 → 0.000") == 5
    assert "\n+wrong\n" in comment
    assert ElementTree.parse(repository.folder / "junit.xml").getroot().get("failures") == "1"
    repository.git("checkout", "-q", "main")
    repository.git("checkout", "-q", "-b", "cannot-tell")
    repository.write_suite("exact_match not worse than git:main by 0.01")
    repository.commit(A_LITTLE_WORSE)
    done = repository.shell(script())
    allowed = 0 if script is _github_script else 4
    assert done.returncode == allowed, done.stdout + done.stderr
    comment = (repository.folder / "comment.md").read_text()
    assert comment.startswith("### numbers: ? undecided")
    assert "**Cannot be told**: exact_match 1.000 → 0.975" in comment
    assert ElementTree.parse(repository.folder / "junit.xml").getroot().get("skipped") == "1"


@pytest.mark.parametrize(("undecided", "code"), [("pass", 0), ("fail", 4)])
def test_the_action_evaluates_and_says_how_it_ended(
    repository: Repository, tmp_path: Path, undecided: str, code: int
) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    steps = {step["name"]: step for step in action["runs"]["steps"]}
    assert all(step["shell"] == "bash" for step in steps.values())
    inputs = {name: field.get("default", "") for name, field in action["inputs"].items()}
    inputs |= {"suite": "evals", "undecided": undecided}
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: inputs[match[1]], value)
        for name, value in steps["Evaluate"]["env"].items()
    }
    environment |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "output")}
    done = repository.shell(steps["Evaluate"]["run"], **environment)
    assert done.returncode == code, done.stdout + done.stderr
    assert (tmp_path / "output").read_text() == "exit-code=4\n"
    assert (tmp_path / "gnomon.md").read_text().startswith("### numbers: ? undecided")
    assert (repository.folder / "gnomon-junit.xml").exists()
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text("utf-8")))
    assert used == set(action["inputs"])
    for step in steps.values():
        assert "${{" not in step["run"], "what others wrote reaches the shell as variables only"
        assert subprocess.run(["bash", "-n", "-c", step["run"]], check=False).returncode == 0
    script = "$GITHUB_ACTION_PATH/actions/comment.sh"
    assert script in steps["Comment"]["run"]
    assert (ROOT / script.partition("/")[2]).exists()
