"""`gnomon outcome card`, and the GitHub step that comments it: the YAML, and its shell with a local stand-in for gh."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from cli.conftest import Run
from cli.test_outcome import nobody
from gnomon.report.iterationcard import MARKER
from outcome.conftest import Repo
from outcome.team import team_repo
from report.pages import HOSTILE

__all__ = ["nobody"]

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "actions" / "outcome-card" / "action.yml"
GH = """\
import json, os, pathlib, sys

arguments, store = sys.argv[1:], pathlib.Path(os.environ["COMMENTS"])
comments = json.loads(store.read_text()) if store.exists() else []
fields = [argument.partition("=")[2] for argument in arguments if argument.startswith("body=")]
body = pathlib.Path(fields[0].removeprefix("@")).read_text() if fields else None
if "PATCH" in arguments:
    (address,) = [argument for argument in arguments if argument.startswith("repos/")]
    next(comment for comment in comments if str(comment["id"]) == address.rpartition("/")[2])["body"] = body
elif "POST" in arguments:
    comments.append({"id": 100 + len(comments), "user": {"type": "Bot"}, "body": body})
else:
    assert arguments[:2] == ["api", "--paginate"], arguments
    marker = json.loads('"' + arguments[-1].partition('startswith("')[2].partition('")')[0] + '"')
    mine = [comment for comment in comments if comment["user"]["type"] == "Bot" and comment["body"].startswith(marker)]
    print("\\n".join(str(comment["id"]) for comment in mine))
store.write_text(json.dumps(comments))
"""


@pytest.fixture(scope="module")
def _team(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return team_repo(tmp_path_factory.mktemp("team") / "team", sessions=1)


@pytest.fixture
def team(_team: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = _team.copied(tmp_path / "team")
    monkeypatch.chdir(repo.root)
    return repo


def pull_request(repo: Repo, title: str = "Say more") -> str:
    """A branch with one commit beside the trunk, checked out; its commit."""
    repo.switch("more", "main")
    return repo.commit(title, {"src/more.py": "1\n", "web/x.js": "1\n"})


def test_a_card_shows_where_the_score_comes_from(gnomon: Run, team: Repo):
    done = gnomon("outcome", "card", 2)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{MARKER}\n### Iteration 2: Work 2\n")
    assert "| Landed on master | 1.000 |" in done.out
    assert re.search(r"^\| \*\*sum\*\* \| \| \| \*\*0\.\d{3}\*\* \| \|$", done.out, re.MULTILINE)
    assert "- impl: scope claimed 1.00, observed 0." in done.out
    assert "1 commit · claude-code small · cost not known · AGENTS.md&#64;" in done.out
    assert not list(team.log.glob("*.score.yaml"))


def test_several_cards_stand_below_each_other(gnomon: Run, team: Repo):
    out = gnomon("outcome", "card", 1, 3).out
    assert re.findall(r"### Iteration (\d+)", out) == ["1", "3"]
    assert out.count(MARKER) == 1


def test_a_range_means_the_iterations_of_its_commits(gnomon: Run, team: Repo):
    sha = pull_request(team)
    team.entry(5, commit=sha, task_id="t1", wave="team", impl={"summary": "Say more", "retries": 0})
    out = gnomon("outcome", "card", "--range", "main..HEAD").out
    assert re.findall(r"### Iteration (\d+)", out) == ["5"]
    assert "abandoned on branch more" in out, "the branch of this test is months old"


def test_commits_that_no_log_has_are_one_iteration(gnomon: Run, team: Repo):
    pull_request(team)
    team.commit("And more", {"src/and.py": "1\n"})
    out = gnomon("outcome", "card", "--range", "main..HEAD").out
    assert "### These commits: 2 commits, last&#58; And more" in out
    assert "2 commits" in out
    out = gnomon("outcome", "card", "--range", "HEAD..main").out
    assert out.startswith(f"{MARKER}\n### No iteration\n")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_words_from_outside_stay_words(gnomon: Run, team: Repo, hostile: str):
    pull_request(team, title=f"Add {hostile} | a cart")
    out = gnomon("outcome", "card", "--range", "main..HEAD").out
    assert "<script" not in out
    assert "<img" not in out
    assert out.count("<!--") == 1


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], "name iterations or give --range BASE..HEAD"),
        (["2", "--range", "main..HEAD"], ", not both"),
        (["--range", "main"], "--range 'main' is not a range; write BASE..HEAD"),
        (["--range", "main...HEAD"], "is not a range"),
        (["--range", "nope..HEAD"], "names 'nope', which is not a commit here; fetch the whole history"),
        (["--range", "--all..HEAD"], "names '--all', which is not a commit here"),
        (["1", "99"], "iter-99 is not in the log"),
    ],
)
def test_what_has_no_card_is_refused_in_a_line(gnomon: Run, team: Repo, flags: list[str], words: str):
    done = gnomon("outcome", "card", *flags)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert len(done.err.splitlines()) == 1


# --- the GitHub step -----


@pytest.fixture
def steps() -> dict[str, Any]:
    action = yaml.safe_load(ACTION.read_text("utf-8"))
    steps = {step["name"]: step for step in action["runs"]["steps"]}
    assert all(step["shell"] == "bash" for step in steps.values())
    used = set(re.findall(r"inputs\.([\w-]+)", ACTION.read_text("utf-8")))
    assert used == set(action["inputs"])
    return steps


def tool(folder: Path, name: str, *command: str) -> None:
    path = folder / name
    path.write_text(f'#!/bin/sh\nexec {" ".join(command)} "$@"\n')
    path.chmod(0o755)


def test_the_step_comments_once_and_then_brings_its_comment_up_to_date(
    team: Repo, tmp_path: Path, steps: dict[str, Any]
):
    base, head = team.head(), pull_request(team)
    tools, comments = tmp_path / "tools", tmp_path / "comments.json"
    tools.mkdir()
    (tools / "gh.py").write_text(GH)
    tool(tools, "gh", sys.executable, str(tools / "gh.py"))
    tool(tools, "gnomon", sys.executable, "-m", "gnomon")
    comments.write_text(json.dumps([{"id": 1, "user": {"type": "User"}, "body": f"{MARKER} quoted by a person"}]))
    own = {
        "PATH": f"{tools}:{os.environ['PATH']}", "RUNNER_TEMP": str(tmp_path), "COMMENTS": str(comments),
        "GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "REPOSITORY": "team/shop", "NUMBER": "7", "BASE": base, "CI_FOLDER": "",
        "GITHUB_ACTION_PATH": str(ACTION.parent),
    }  # fmt: skip

    def run(head: str) -> None:
        for name in ("Card", "Comment"):
            environment = {**os.environ, **own, "HEAD": head, "CARD": str(tmp_path / "gnomon-outcome-card.md")}
            script = ["bash", "-e", "-o", "pipefail", "-c", steps[name]["run"]]
            done = subprocess.run(script, cwd=team.root, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr

    run(head)
    first = json.loads(comments.read_text())
    assert len(first) == 2
    assert first[1]["body"].startswith(f"{MARKER}\n### These commits: Say more")
    assert (tmp_path / "output").read_text() == f"card={tmp_path}/gnomon-outcome-card.md\n"
    assert MARKER in (tmp_path / "summary").read_text()
    run(team.commit("And more", {"src/and.py": "1\n"}))
    second = json.loads(comments.read_text())
    assert [comment["id"] for comment in second] == [comment["id"] for comment in first]
    assert second[0] == first[0], "a person's comment is left alone"
    assert "2 commits, last&#58; And more" in second[1]["body"]


def test_where_the_token_may_not_write_the_job_warns_and_goes_on(tmp_path: Path):
    """As on a pull request from a fork."""
    tool(tmp_path, "gh", "sh", "-c", "'echo Resource not accessible by integration >&2; exit 1'")
    (tmp_path / "card.md").write_text(f"{MARKER}\n### Iteration 1\n")
    done = commented(tmp_path, MARKER, "card.md")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("::warning::not commented: the token needs pull-requests: write")
    assert "not accessible" in done.stderr


def test_two_steps_on_one_pull_request_have_a_comment_each(tmp_path: Path):
    (tmp_path / "gh.py").write_text(GH)
    tool(tmp_path, "gh", sys.executable, str(tmp_path / "gh.py"))
    (tmp_path / "card.md").write_text(f"{MARKER}\n### Iteration 1\n")
    (tmp_path / "gates.md").write_text("### numbers: passed\n")
    gates = "<!-- gnomon evaluations -->"
    for marker, file in ((MARKER, "card.md"), (gates, "gates.md"), (gates, "gates.md"), (MARKER, "card.md")):
        assert commented(tmp_path, marker, file).returncode == 0
    comments = json.loads((tmp_path / "comments.json").read_text())
    assert [comment["body"] for comment in comments] == [
        f"{MARKER}\n### Iteration 1\n", f"{gates}\n### numbers: passed\n",
    ]  # fmt: skip


def commented(folder: Path, marker: str, file: str) -> "subprocess.CompletedProcess[str]":
    own = {
        "PATH": f"{folder}:{os.environ['PATH']}", "RUNNER_TEMP": str(folder), "REPOSITORY": "team/shop",
        "NUMBER": "7", "COMMENTS": str(folder / "comments.json"),
    }  # fmt: skip
    script = ["bash", str(ROOT / "actions/comment.sh"), marker, str(folder / file)]
    return subprocess.run(script, env={**os.environ, **own}, capture_output=True, text=True, check=False)


def test_the_step_asks_for_no_more_than_it_says(steps: dict[str, Any]):
    assert steps["Comment"]["if"] == "inputs.comment == 'true' && github.event_name == 'pull_request'"
    for step in steps.values():
        assert "${{" not in step["run"], "what others wrote reaches the shell as variables only"
        assert subprocess.run(["bash", "-n", "-c", step["run"]], check=False).returncode == 0
