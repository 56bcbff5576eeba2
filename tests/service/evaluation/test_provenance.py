"""Where an experiment comes from: commit, branch, dirty or not, CI job and hashes; never a reason to fail."""

import os
import subprocess
from pathlib import Path

import pytest

from gnomon._version import __version__
from gnomon.service.evaluation import provenance as provenance_module
from gnomon.service.evaluation.identity import Identity
from gnomon.service.evaluation.provenance import Identities, ci_job, git_state, provenance

IDENTITIES = Identities(Identity("t", ("task f: a note",)), Identity("d"), {"b": Identity("2"), "a": Identity("1")})


def git(folder: Path, *words: str) -> str:
    settings = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(["git", *settings, *words], cwd=folder, env=environ, capture_output=True, check=True)
    return done.stdout.decode().strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "with space ü"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "app.py").write_text("one\n", encoding="utf-8")
    (root / "sub").mkdir()
    (root / "sub" / "ä\n.txt").write_text("two\n", encoding="utf-8")
    (root / "link").symlink_to("app.py")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def is_dirty(root: Path) -> object:
    state = git_state(root, {})
    assert state is not None
    return state["dirty"]


def test_the_commit_and_the_branch_are_those_of_git(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    assert git_state(repository, {}) == {"commit": commit, "branch": "main", "dirty": False}
    assert git_state(repository / "sub", {}) == {"commit": commit, "branch": "main", "dirty": False}


def test_a_changed_tracked_file_is_dirty_and_the_same_content_written_again_is_not(repository: Path) -> None:
    app = repository / "app.py"
    app.write_text("two\n", encoding="utf-8")
    assert is_dirty(repository) is True
    app.write_text("one\n", encoding="utf-8")
    os.utime(app, (1, 1))
    assert is_dirty(repository) is False


def test_staged_deleted_and_replaced_files_are_dirty_and_untracked_ones_are_not(repository: Path) -> None:
    (repository / "new.txt").write_text("new", encoding="utf-8")
    assert is_dirty(repository) is False
    git(repository, "add", "new.txt")
    assert is_dirty(repository) is True
    git(repository, "reset", "-q")
    assert is_dirty(repository) is False
    (repository / "app.py").unlink()
    assert is_dirty(repository) is True
    (repository / "app.py").mkdir()
    assert is_dirty(repository) is True
    (repository / "app.py").rmdir()
    git(repository, "checkout", "-q", "-f", "main")
    assert is_dirty(repository) is False
    (repository / "sub").rename(repository / "other")
    (repository / "sub").touch()
    assert is_dirty(repository) is True
    git(repository, "checkout", "-q", "-f", "main")
    (repository / "link").unlink()
    (repository / "link").symlink_to("elsewhere")
    assert is_dirty(repository) is True


def test_files_left_out_of_a_sparse_checkout_are_no_change(repository: Path) -> None:
    git(repository, "update-index", "--skip-worktree", "app.py")
    (repository / "app.py").unlink()
    assert is_dirty(repository) is False


@pytest.mark.parametrize("limit", ["_MOST_FILES", "_MOST_BYTES"])
def test_where_there_is_too_much_to_look_at_it_is_not_known_whether_files_changed(
    repository: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    (repository / "app.py").write_text("two\n", encoding="utf-8")
    monkeypatch.setattr(provenance_module, limit, 2)
    assert is_dirty(repository) is None


def test_a_repository_with_the_longer_hashes_is_read_too(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    (tmp_path / "app.py").write_text("one\n", encoding="utf-8")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    os.utime(tmp_path / "app.py", (1, 1))
    assert is_dirty(tmp_path) is False


def test_without_a_branch_the_ci_service_names_it(repository: Path) -> None:
    git(repository, "checkout", "-q", "--detach")
    on_github = {"GITHUB_ACTIONS": "true", "GITHUB_HEAD_REF": "", "GITHUB_REF_NAME": "topic"}
    assert (git_state(repository, on_github) or {})["branch"] == "topic"
    assert (git_state(repository, {}) or {})["branch"] is None


def test_outside_of_a_repository_and_before_the_first_commit_there_is_no_commit(tmp_path: Path) -> None:
    assert git_state(tmp_path, {}) is None
    assert git_state(tmp_path / "none", {}) is None
    git(tmp_path, "init", "-q")
    assert git_state(tmp_path, {}) is None


def test_without_git_there_is_no_commit(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert git_state(repository, {}) is None


@pytest.mark.parametrize(
    ("environ", "job"),
    [
        ({}, None),
        ({"CI": "false"}, None),
        ({"CI": "true"}, {"name": "other", "job": None, "url": None}),
        (
            {"CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_JOB": "test", "GITHUB_SERVER_URL": "https://git.example",
             "GITHUB_REPOSITORY": "a/b", "GITHUB_RUN_ID": "7"},
            {"name": "github", "job": "test", "url": "https://git.example/a/b/actions/runs/7"},
        ),
        (
            {"CI": "true", "GITLAB_CI": "true", "CI_JOB_NAME": "eval", "CI_JOB_URL": "https://git.example/jobs/1"},
            {"name": "gitlab", "job": "eval", "url": "https://git.example/jobs/1"},
        ),
        ({"JENKINS_URL": "x", "JOB_NAME": "\udcff" + "x" * 999},
         {"name": "jenkins", "job": "?" + "x" * 499, "url": None}),
    ],
)  # fmt: skip
def test_the_ci_job_is_read_from_the_environment(environ: dict[str, str], job: object) -> None:
    assert ci_job(environ) == job


def test_an_experiment_records_git_ci_and_hashes(repository: Path) -> None:
    """Experiments record `metadata.gnomon`: git, ci, task, data and scorer hashes."""
    recorded = provenance(IDENTITIES, repository, {})
    assert recorded == {
        "version": __version__,
        "git": git_state(repository, {}),
        "ci": None,
        "task": "t",
        "data": "d",
        "scorers": {"a": "1", "b": "2"},
        "notes": ["task f: a note"],
    }
    assert list(recorded["scorers"]) == ["a", "b"]
