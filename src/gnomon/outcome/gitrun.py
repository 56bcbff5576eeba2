"""The one place that starts git, such that a repository can be read without trusting it.

A repository's settings and attributes can name programs: for fetching what is missing, for showing differences and
signatures, for pages, hooks and filters. Only commands that read the object store and the refs are let through,
nothing is ever fetched, and what those commands could run is turned off. The user's own settings (`~/.gitconfig`) still
count, since `safe.directory` is there.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile

from gnomon.errors import Refused

_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")
READING: Mapping[str, tuple[str, ...]] = {
    "cat-file": (),
    "config": (),
    "diff-index": (*_NO_PROGRAMS, "--cached"),
    "diff-tree": _NO_PROGRAMS,
    "for-each-ref": (),
    "ls-files": ("--stage",),
    "log": (*_NO_PROGRAMS, "--no-show-signature"),
    "patch-id": (),
    "rev-list": (),
    "rev-parse": (),
    "show": (*_NO_PROGRAMS, "--no-show-signature"),
    "worktree": (),
}
"""Git's commands that may be used, each with flags that come last and so win. None of them looks into the work tree,
where filters and the file system monitor run."""

_SETTINGS = {
    # nothing is run, also where a future git should ask for it
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.editor": "false",
    "core.sshCommand": "false",
    "core.alternateRefsCommand": "false",
    "credential.helper": "",
    "gpg.program": "false",
    "gpg.openpgp.program": "false",
    "gpg.x509.program": "false",
    "gpg.ssh.program": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
    # nothing is fetched
    "protocol.allow": "never",
    # a folder of a clone that looks like a repository is none
    "safe.bareRepository": "explicit",
    # packs are mapped in parts: a whole one of a large repository would count as memory of this process
    "core.packedGitWindowSize": "16m",
    "core.packedGitLimit": "128m",
    # one answer, whatever the reader's taste
    "color.ui": "false",
    "core.attributesFile": os.devnull,
    "core.quotepath": "false",
    "diff.orderFile": os.devnull,
    "diff.relative": "false",
    "log.mailmap": "false",
    "log.showRoot": "true",
    "log.showSignature": "false",
}

_VARIABLES = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",  # over every protocol.*.allow of the repository
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PROTOCOL_FROM_USER": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_PIECE = 2**18
_PROGRAMS = {"PAGER", "EDITOR", "VISUAL", "SSH_ASKPASS"}


class GitFailed(Exception):
    """A git command failed. The message is its first line."""


def run_git(root: Path, subcommand: str, *arguments: str, feed: bytes = b"", seconds: float | None = None) -> bytes:
    """What git prints. Raises `GitFailed` when it says no or takes longer, `Refused` when there is no git."""
    command = _command(root, subcommand, arguments)
    try:
        done = subprocess.run(
            command, input=feed, capture_output=True, env=_environment(), check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git {subcommand} took longer than {seconds:g} seconds") from None
    except FileNotFoundError:
        raise _no_git() from None
    if done.returncode != 0:
        raise _failure(done.stderr, done.returncode)
    return done.stdout


def stream_git(root: Path, subcommand: str, *arguments: str, feed: bytes = b"") -> Iterator[bytes]:
    """What git prints, piece by piece as it comes, so that a long history is never in memory as a whole."""
    with TemporaryFile() as stdin, TemporaryFile() as trouble:
        stdin.write(feed)
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                _command(root, subcommand, arguments), stdin=stdin, stdout=subprocess.PIPE, stderr=trouble,
                env=_environment(),
            )  # fmt: skip
        except FileNotFoundError:
            raise _no_git() from None
        with process:
            assert process.stdout is not None
            try:
                while piece := process.stdout.read(_PIECE):
                    yield piece
            except GeneratorExit:
                process.kill()
                raise
        if process.returncode != 0:
            trouble.seek(0)
            raise _failure(trouble.read(), process.returncode)


def pipe_git(root: Path, first: Sequence[str], second: Sequence[str], feed: bytes) -> bytes:
    """What a second git prints about what the first one prints; that itself is never held."""
    with TemporaryFile() as stdin, TemporaryFile() as trouble:
        stdin.write(feed)
        stdin.seek(0)
        try:
            with subprocess.Popen(
                _command(root, first[0], first[1:]), stdin=stdin, stdout=subprocess.PIPE, stderr=trouble,
                env=_environment(),
            ) as giving:  # fmt: skip
                done = subprocess.run(
                    _command(root, second[0], second[1:]), stdin=giving.stdout, capture_output=True,
                    env=_environment(), check=False,
                )  # fmt: skip
                if giving.stdout:
                    giving.stdout.close()
        except FileNotFoundError:
            raise _no_git() from None
        if giving.returncode != 0:
            trouble.seek(0)
            raise _failure(trouble.read(), giving.returncode)
    if done.returncode != 0:
        raise _failure(done.stderr, done.returncode)
    return done.stdout


def is_bare(root: Path) -> bool:
    """Whether a folder is itself a repository without a work tree. One inside of another repository is not taken."""
    looks = all((root / name).exists() for name in ("HEAD", "objects", "refs"))
    folder_itself = root.resolve() if looks else root
    return (
        looks
        and folder_itself.name != ".git"
        and not any((folder / ".git").exists() for folder in (folder_itself, *folder_itself.parents))
    )


def _command(root: Path, subcommand: str, arguments: Sequence[str]) -> list[str]:
    if subcommand not in READING:
        raise AssertionError(f"git {subcommand} is not one of those that only read: {', '.join(READING)}")
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    where = ["--git-dir", str(root), "--bare"] if is_bare(root) else ["-C", str(root)]
    return ["git", "--no-pager", *where, *settings, subcommand, *arguments, *READING[subcommand]]


def _failure(trouble: bytes, code: int) -> GitFailed:
    lines = trouble.decode(errors="replace").strip().splitlines()
    return GitFailed(lines[0].removeprefix("fatal: ") if lines else f"git ended with {code}")


def _no_git() -> Refused:
    return Refused("git is not installed, or not on the PATH")


def _environment() -> dict[str, str]:
    """The environment without git's variables: a hook's would choose the repository, and some name programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") and name not in _PROGRAMS}
    return {**kept, **_VARIABLES}
