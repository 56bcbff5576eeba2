"""Where an experiment comes from, kept as its `metadata.gnomon`: commit, CI job, versions and hashes.

Nothing here fails an evaluation: what cannot be found out is null. The repository is read by the commands that run
nothing of it (`outcome/gitrun.py`), so whether files have changed is found out here, from git's index and the files.
"""

import hashlib
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from gnomon._version import __version__
from gnomon.errors import GnomonError
from gnomon.outcome.gitrun import GitFailed, run_git
from gnomon.service.evaluation.identity import Identity

_GIT_SECONDS = 2.0  # a repository on a dead network drive must not hold up an evaluation
_MOST_FILES = 12_000  # looking at so many takes a tenth of a second
_MOST_BYTES = 32 << 20
_LONGEST = 500
_ENTRY = re.compile(
    rb"(\d{6}) ([0-9a-f]{40,64}) \d\t([^\0]*)\0  ctime: \d+:\d+\n  mtime: (\d+):(\d+)\n[^\n]*\n[^\n]*\n"
    rb"  size: (\d+)\tflags: ([0-9a-f]+)\n"
)
_NOT_LOOKED_AT = 0x40000000 | 0x8000  # git's flags: not checked out here; the user says that it is unchanged
_SUBMODULE, _LINK = b"160000", b"120000"


class _Service(NamedTuple):
    """The environment variables of a CI service; for the branch several, in order of preference."""

    name: str
    known_by: str
    job: str
    url: str
    branch: tuple[str, ...]


_SERVICES = (
    _Service("github", "GITHUB_ACTIONS", "GITHUB_JOB", "", ("GITHUB_HEAD_REF", "GITHUB_REF_NAME")),
    _Service("gitlab", "GITLAB_CI", "CI_JOB_NAME", "CI_JOB_URL",
             ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_BRANCH", "CI_COMMIT_REF_NAME")),
    _Service("buildkite", "BUILDKITE", "BUILDKITE_LABEL", "BUILDKITE_BUILD_URL", ("BUILDKITE_BRANCH",)),
    _Service("circleci", "CIRCLECI", "CIRCLE_JOB", "CIRCLE_BUILD_URL", ("CIRCLE_BRANCH",)),
    _Service("jenkins", "JENKINS_URL", "JOB_NAME", "BUILD_URL", ("CHANGE_BRANCH", "BRANCH_NAME")),
    _Service("azure", "TF_BUILD", "SYSTEM_JOBDISPLAYNAME", "",
             ("SYSTEM_PULLREQUEST_SOURCEBRANCH", "BUILD_SOURCEBRANCHNAME")),
    _Service("other", "CI", "", "", ()),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Identities:
    """What was evaluated, by what, on what."""

    task: Identity
    data: Identity
    scorers: Mapping[str, Identity]

    @property
    def notes(self) -> list[str]:
        return [note for identity in (self.task, self.data, *self.scorers.values()) for note in identity.notes]


def provenance(identities: Identities, folder: Path, environ: Mapping[str, str]) -> dict[str, Any]:
    """The value of `metadata.gnomon` for an evaluation that is started in this folder and environment."""
    return {
        "version": __version__,
        "git": git_state(folder, environ),
        "ci": ci_job(environ),
        "task": identities.task.hash,
        "data": identities.data.hash,
        "scorers": {name: identity.hash for name, identity in sorted(identities.scorers.items())},
        **({"notes": identities.notes} if identities.notes else {}),
    }


# CI


def ci_job(environ: Mapping[str, str]) -> dict[str, str | None] | None:
    """The job that runs this; None outside of CI."""
    service = _service(environ)
    if service is None:
        return None
    return {"name": service.name, "job": _variable(environ, service.job), "url": _job_url(service, environ)}


def _service(environ: Mapping[str, str]) -> _Service | None:
    services = (service for service in _SERVICES if environ.get(service.known_by, "").lower() not in ("", "0", "false"))
    return next(services, None)


def _job_url(service: _Service, environ: Mapping[str, str]) -> str | None:
    if service.name == "github":
        parts = [_variable(environ, f"GITHUB_{part}") for part in ("SERVER_URL", "REPOSITORY", "RUN_ID")]
        server, repository, run = parts
        return f"{server}/{repository}/actions/runs/{run}" if all(parts) else None
    return _variable(environ, service.url)


def _variable(environ: Mapping[str, str], name: str) -> str | None:
    """The variable as text that can be stored."""
    text = environ.get(name, "") if name else ""
    return text.encode(errors="replace").decode()[:_LONGEST] or None


# Git


def git_state(folder: Path, environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Commit, branch, and whether tracked files differ from it (null: not known). None outside of a repository."""
    try:
        answer = run_git(
            folder, "rev-parse", "--show-toplevel", "HEAD", "--abbrev-ref", "HEAD", seconds=_GIT_SECONDS
        )  # fmt: skip
        top, commit, branch = answer.decode(errors="replace").splitlines()
    except (GitFailed, GnomonError, OSError, ValueError):
        return None
    if branch == "HEAD":  # nothing is checked out by name, as CI services do it
        branch = _ci_branch(environ) or ""
    return {"commit": commit, "branch": branch or None, "dirty": _is_dirty(Path(top))}


def _ci_branch(environ: Mapping[str, str]) -> str | None:
    service = _service(environ)
    names = service.branch if service is not None else ()
    return next(filter(None, (_variable(environ, name) for name in names)), None)


def _is_dirty(top: Path) -> bool | None:
    """Whether tracked files differ from the commit, as `git describe --dirty` says; untracked ones do not count."""
    try:
        if run_git(top, "diff-index", "--name-only", "-z", "HEAD", seconds=_GIT_SECONDS):
            return True
        return _files_differ(top, run_git(top, "ls-files", "-z", "--debug", seconds=_GIT_SECONDS))
    except (GitFailed, GnomonError, OSError, ValueError):
        return None


def _files_differ(top: Path, listed: bytes) -> bool | None:
    """None when there is too much to look at."""
    if listed.count(b"\0") > _MOST_FILES:
        return None
    end, left, folder = 0, _MOST_BYTES, os.fsencode(top) + b"/"
    for entry in _ENTRY.finditer(listed):
        if entry.start() != end:
            break
        end = entry.end()
        mode, sha, path, seconds, nanoseconds, size, flags = entry.groups()
        if mode == _SUBMODULE or (flags != b"0" and int(flags, 16) & _NOT_LOOKED_AT):
            continue
        try:
            status = os.lstat(folder + path)
        except (FileNotFoundError, NotADirectoryError):
            return True
        if _looks_unchanged(status, int(seconds), int(nanoseconds), int(size)):
            continue
        left -= status.st_size
        if left < 0:
            return None
        if _blob_hash(folder + path, status, mode == _LINK, sha.decode()) != sha.decode():
            return True
    return False if end == len(listed) else None  # else git lists its files in another way


def _looks_unchanged(status: os.stat_result, seconds: int, nanoseconds: int, size: int) -> bool:
    """Whether the file looks unchanged by size and time, as git decides. Git writes size 0 where time is unreliable."""
    if status.st_size & 0xFFFFFFFF != size:
        return False
    modified = status.st_mtime_ns
    return modified == seconds * 1_000_000_000 + nanoseconds or (
        not nanoseconds and modified // 1_000_000_000 == seconds
    )


def _blob_hash(path: bytes, status: os.stat_result, is_link: bool, like: str) -> str | None:
    """The name that git would give to the file's content; None when it has become another kind of file."""
    if is_link:
        content = os.readlink(path) if stat.S_ISLNK(status.st_mode) else None
    else:
        content = Path(os.fsdecode(path)).read_bytes() if stat.S_ISREG(status.st_mode) else None
    if content is None:
        return None
    digest = hashlib.sha256() if len(like) == 64 else hashlib.sha1(usedforsecurity=False)
    digest.update(b"blob %d\0" % len(content) + content)
    return digest.hexdigest()
