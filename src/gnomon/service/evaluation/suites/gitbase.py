"""Which experiment `git:main` means: the newest clean one of a suite at the branch's tip, else at the nearest commit
before it, along first parents.
"""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from gnomon.errors import GnomonError, InvalidInput, NotFound
from gnomon.model.backend import Backend
from gnomon.model.experiment import Experiment
from gnomon.outcome.gitrun import GitFailed, run_git
from gnomon.shorten import counted

PREFIX = "git:"
_MOST_COMMITS = 10_000
_MOST_EXPERIMENTS = 5_000
_SECONDS = 20.0


def git_base(
    backend: Backend, suite: str, reference: str, folder: Path, project_id: str, other_than: str | None = None
) -> Experiment:
    """Find the experiment that `git:BRANCH` means for this suite. `NotFound` says how to make one."""
    branch = reference.removeprefix(PREFIX).strip()
    if not branch or branch.startswith("-"):
        raise InvalidInput.of("against", f"against {reference!r} names no branch; write git:main")
    commits = _first_parents(folder, branch, reference)
    by_commit = _clean_by_commit(backend, suite, project_id, other_than)
    for commit in commits:
        if commit in by_commit:
            return by_commit[commit]
    shallow = _is_shallow(folder)
    searched = counted(len(commits), "commit")
    if shallow:
        words = f"this is a shallow clone that knows {searched} of {branch}"
        remedy = "fetch all of it: git fetch --unshallow, or fetch-depth: 0 in a GitHub workflow"
    else:
        words = f"looked at {searched} of {branch}"
        remedy = f"run gnomon eval on {branch}, without local changes, into the same database"
    raise NotFound(f"no clean experiment of {suite!r} is recorded at {reference} ({words}); {remedy}")


def _clean_by_commit(backend: Backend, suite: str, project_id: str, other_than: str | None) -> dict[str, Experiment]:
    """Commit → the newest complete experiment of the suite that was made there without local changes."""
    by_commit: dict[str, Experiment] = {}
    for experiment in islice(_newest_first(backend, suite, project_id), _MOST_EXPERIMENTS):
        origin = _origin(experiment)
        git = origin.get("git")
        if experiment.id == other_than or not isinstance(git, dict) or git.get("dirty") is not False:
            continue
        if experiment.status == "completed" and experiment.run_count and not origin.get("selection"):
            by_commit.setdefault(str(git.get("commit")), experiment)
    return by_commit


def _newest_first(backend: Backend, suite: str, project_id: str) -> Iterable[Experiment]:
    return (
        experiment
        for experiment in backend.experiments(project_id, name=suite)
        if _origin(experiment).get("suite", suite) == suite
    )


def _origin(experiment: Experiment) -> dict[str, Any]:
    origin = (experiment.metadata or {}).get("gnomon")
    return origin if isinstance(origin, dict) else {}


def _first_parents(folder: Path, branch: str, reference: str) -> list[str]:
    """The branch's commits along first parents, its tip first. A branch that is only known remotely counts too."""
    reason = ""
    for name in (branch, f"origin/{branch}"):
        try:
            options = ("--first-parent", f"--max-count={_MOST_COMMITS}", "--end-of-options", f"{name}^{{commit}}")
            return run_git(folder, "rev-list", *options, seconds=_SECONDS).decode().split()
        except (GitFailed, OSError) as bad:
            reason = str(bad)
        except GnomonError as bad:
            reason = bad.message
            break
    if "not a git repository" in reason or "not installed" in reason:
        raise NotFound(f"against {reference!r} needs a git repository, and this folder is in none ({reason})")
    raise NotFound(f"there is no branch {branch!r} here; fetch it: git fetch origin {branch}:{branch}")


def _is_shallow(folder: Path) -> bool:
    try:
        return run_git(folder, "rev-parse", "--is-shallow-repository", seconds=_SECONDS).strip() == b"true"
    except (GitFailed, GnomonError, OSError):
        return False
