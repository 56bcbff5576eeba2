"""Kinds of repositories: bare ones, partial clones, many projects in one, and long histories in little memory."""

import subprocess
from pathlib import Path

import pytest

from gnomon.outcome import ScorePlan
from gnomon.outcome.gitfacts import Repository
from gnomon.outcome.pipeline import score_history
from outcome.conftest import Repo, git_environment


def cloned(origin: Repo, to: Path, *flags: str) -> Path:
    origin.git("config", "uploadpack.allowFilter", "true")
    command = ["git", "-c", "protocol.file.allow=always", "clone", "--quiet", *flags, origin.root.as_uri(), str(to)]
    subprocess.run(command, check=True, env=git_environment(), capture_output=True)
    return to


@pytest.fixture
def worked(repo: Repo) -> Repo:
    """Two changes in two parts, of which one is undone without a word."""
    repo.commit("Add api (#1)", {"services/api/a.py": "1\n"})
    repo.commit("Add web (#2)", {"services/web/w.py": "1\n"})
    repo.commit("Without it", {"services/api/a.py": None})
    return repo


def scores(repo: Path, **more: object) -> list[tuple[int, float | None]]:
    report = score_history(ScorePlan(log=repo / "nowhere", repo=repo, **more))
    return [(one.iteration, one.signals.landed.sub_score if one.signals.landed.present else None)
            for one in report.iterations]  # fmt: skip


ALL = [(1, 1.0), (2, 0.0), (3, 1.0), (4, None)]


def test_a_bare_repository_is_read_as_a_work_tree_is(worked: Repo, tmp_path: Path):
    assert scores(worked.root) == ALL
    bare = cloned(worked, tmp_path / "bare.git", "--bare")
    assert scores(bare) == ALL
    assert Repository(bare).top == bare
    worked.only_entry(commit=worked.git("rev-parse", "HEAD~1"))
    assert worked.one(repo=bare).signals.landed.sub_score == 1.0


def test_a_bare_repository_inside_of_another_one_is_not_taken_for_one(worked: Repo):
    cloned(worked, worked.root / "fixtures" / "evil.git", "--bare")
    report = worked.score(repo=worked.root / "fixtures" / "evil.git")
    assert any(one.where == "git" for one in report.diagnostics)


@pytest.mark.parametrize("filter", ["blob:none", "tree:0"])
def test_a_partial_clone_is_scored_and_nothing_is_fetched(worked: Repo, tmp_path: Path, filter: str):
    partial = cloned(worked, tmp_path / "partial", "--no-checkout", f"--filter={filter}")
    objects = sorted(path.name for path in (partial / ".git" / "objects").rglob("*"))
    found = scores(partial)
    assert sorted(path.name for path in (partial / ".git" / "objects").rglob("*")) == objects
    assert Repository(partial).partial
    # Without trees nobody knows what a commit changes; the ids of files are enough to see what was undone.
    assert found == (ALL if filter == "blob:none" else [(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0)])


def test_a_part_of_a_repository_is_scored_by_itself_under_the_numbers_of_the_whole(worked: Repo):
    assert scores(worked.root, paths=("services/web",)) == [(3, 1.0)]
    assert scores(worked.root, paths=("services/api/",)) == [(2, 0.0), (4, None)]
    assert scores(worked.root, paths=("nowhere",)) == []


def test_of_an_iteration_s_commits_only_those_in_the_part_count(worked: Repo):
    first = worked.git("rev-list", "--max-parents=0", "HEAD")
    worked.entry(1, commit=first)
    worked.entry(2, commit=worked.head())
    whole, part = worked.one(2), worked.one(2, paths=("services/web",))
    assert "3 commits since iteration 1" in whole.inputs["commits_how"]
    assert (len(part.inputs["commits"]), part.signals.landed.sub_score) == (1, 1.0)


def test_a_linked_work_tree_gives_what_the_main_one_gives(worked: Repo, tmp_path: Path):
    worked.git("worktree", "add", "--quiet", str(tmp_path / "beside"), "-b", "side")
    assert scores(tmp_path / "beside") == scores(worked.root)
