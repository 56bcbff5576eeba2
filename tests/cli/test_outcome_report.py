"""`gnomon outcome report`, and the flags that choose and group plain history."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.test_outcome import answer, nobody
from outcome.conftest import Repo
from outcome.team import team_repo
from report.pages import check_self_contained

__all__ = ["nobody"]


@pytest.fixture(scope="module")
def _team(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return team_repo(tmp_path_factory.mktemp("team") / "team", sessions=2)


@pytest.fixture
def team(_team: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = _team.copied(tmp_path / "team")
    monkeypatch.chdir(repo.root)
    return repo


def test_a_log_is_reported_on(gnomon: Run, team: Repo):
    done = gnomon("outcome", "report", "--since", "all", "--by", "agent")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Work on team\n8 changes on main until ")
    assert "8 landed, 1 undone since" in done.out
    assert "BY AGENT" in done.out
    assert not list(team.log.glob("*.score.yaml")), "a report writes nothing beside the log"


def test_a_repository_without_a_log_is_reported_on_from_its_history(gnomon: Run, team: Repo):
    plain = gnomon("outcome", "report", "--since", "all", "--from-git").out
    for path in team.log.iterdir():
        path.unlink()
    team.log.rmdir()
    assert gnomon("outcome", "report", "--since", "all").out == plain
    assert "This is plain history" in plain


def test_the_report_is_written_as_markdown_and_as_a_page(gnomon: Run, team: Repo, tmp_path: Path):
    files = {name: tmp_path / f"report.{name}" for name in ("markdown", "html")}
    flags = [flag for name, path in files.items() for flag in (f"--{name}", path)]
    assert gnomon("outcome", "report", "--since", "2026-05-01", *flags).code == 0
    assert files["markdown"].read_text().startswith("## Work on team\n")
    check_self_contained(files["html"].read_text())
    done = gnomon("outcome", "report", "--since", "2026-05-01", "--markdown", "-")
    assert done.out.startswith("## Work on team\n")


def test_the_time_is_an_age_or_a_date(gnomon: Run, team: Repo):
    def numbers(*flags: str) -> list[int]:
        found = answer(gnomon("outcome", "report", *flags, "--json"))
        return [change["iteration"] for change in found["changes"]]

    assert numbers() == [], "the default is a week"
    assert numbers("--since", "2026-05-04", "--until", "2026-05-05") == [8, 7, 6, 5, 4, 3, 2, 1]
    assert numbers("--since", "7d", "--until", "2026-05-05") == [8, 7, 6, 5, 4, 3, 2, 1]
    assert numbers("--since", "2026-05-04T08:08:00Z", "--until", "2026-05-04T08:10:00Z") == [7, 6, 5]
    assert numbers("--since", "1h", "--until", "2026-05-04T23:00:00Z") == []


def test_plain_history_is_narrowed_and_grouped(gnomon: Run, team: Repo):
    found = answer(gnomon("outcome", "from-git", "--only", "reverted", "--by", "path", "--json"))
    assert [one["breakdown"][0]["sub_score"] for one in found["iterations"]] == [0.0]
    assert [(group["name"], group["n"], group["n_undone"]) for group in found["groups"]] == [
        ("docs/", 1, 1), ("src/", 1, 1),
    ]  # fmt: skip
    out = gnomon("outcome", "from-git", "--by", "author").out
    assert out.splitlines()[-2].startswith("author  changes  landed")
    assert "groups" not in answer(gnomon("outcome", "from-git", "--json"))
    assert len(answer(gnomon("outcome", "from-git", "--since", "2026-05-04T08:10:00Z", "--json"))["iterations"]) < 11


def test_changes_are_grouped_by_model(gnomon: Run, team: Repo):
    found = answer(gnomon("outcome", "report", "--since", "all", "--by", "model", "--json"))
    groups = [(group["name"], group["n"], group["n_landed"], group["n_undone"]) for group in found["groups"]]
    assert groups == [("large", 4, 4, 0), ("small", 4, 4, 1)]
    plain = gnomon("outcome", "from-git", "--by", "model").out
    assert "no model named" in plain
    assert "a change counts in each of its own" not in plain


def test_a_path_that_no_commit_touches_is_told(gnomon: Run, team: Repo):
    done = gnomon("outcome", "from-git", "--path", "nowhere")
    assert done.out == (
        "0 iterations by rubric 2.1.0+gnomon.3\n"
        "note: git: no commit of main touches nowhere; give --path from the repository's top\n"
    )


def test_nobody_is_named_unless_authors_are_asked_for(gnomon: Run, team: Repo):
    team.git("-c", "user.name=Pat", "commit", "--quiet", "--allow-empty", "-m", "x", "--author=Pat Example <p@e.org>")
    for command in (["report", "--since", "all"], ["report", "--since", "all", "--from-git"], ["from-git"]):
        assert "Pat Example" not in json.dumps(answer(gnomon("outcome", *command, "--json")))
    assert "Pat Example" in gnomon("outcome", "report", "--since", "all", "--from-git", "--by", "author").out


@pytest.mark.parametrize(
    ("flags", "code", "words"),
    [
        (
            ["report", "--since", "soon"],
            2,
            "--since 'soon' is neither an age nor a date; write 7d, 36h, 2w or 2026-01-31",
        ),
        (["report", "--until", "99999999d"], 2, "--until '99999999d' is neither an age nor a date"),
        (["report", "--until", "999999w"], 2, "--until '999999w' is neither an age nor a date"),
        (["report", "--since", "2026-06-01", "--until", "2026-05-01"], 2, "is after --until"),
        (["report", "--profile", "compat"], 2, "report knows the gnomon profile only"),
        (["report", "--json", "--markdown", "-"], 2, "both write to stdout"),
        (["report", "--html", "nowhere/page.html"], 2, "there is no folder nowhere"),
        (["report", "--trunk", "nope", "--from-git"], 3, "has no branch 'nope'"),
        (["from-git", "--since", "soon"], 2, "--since 'soon' is neither an age nor a date"),
        (["from-git", "--only", "reverted", "--out", "x"], 2, "leave out --only"),
    ],
)
def test_what_cannot_be_reported_is_refused_in_a_line(gnomon: Run, team: Repo, flags: list[str], code: int, words: str):
    done = gnomon("outcome", *flags)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert len(done.err.splitlines()) == 1


def test_outside_of_a_repository_the_report_says_what_it_needs(
    gnomon: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    done = gnomon("outcome", "report")
    assert (done.code, done.out) == (3, "")
    assert "git repository" in done.err
