"""The one place that starts git, such that a repository can be read without trusting it.

A repository's settings and attributes can name programs: for fetching what is missing, for showing differences and
signatures, for pages, hooks and filters. Only commands that read the object store and the refs are let through,
nothing is ever fetched, and what those commands could run is turned off. The user's own settings (`~/.gitconfig`) still
count, since `safe.directory` is there.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

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
_PROGRAMS = {"PAGER", "EDITOR", "VISUAL", "SSH_ASKPASS"}


class GitFailed(Exception):
    """Git said no. The message is its first line."""


def run_git(root: Path, subcommand: str, *arguments: str, feed: bytes = b"", seconds: float | None = None) -> bytes:
    """What git prints. Raises `GitFailed` when it says no or takes longer, `Refused` when there is no git."""
    if subcommand not in READING:
        raise AssertionError(f"git {subcommand} is not one of those that only read: {', '.join(READING)}")
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    command = ["git", "--no-pager", "-C", str(root), *settings, subcommand, *arguments, *READING[subcommand]]
    try:
        done = subprocess.run(
            command, input=feed, capture_output=True, env=_environment(), check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git {subcommand} took longer than {seconds:g} seconds") from None
    except FileNotFoundError:
        raise Refused("git is not installed, or not on the PATH") from None
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise GitFailed(lines[0].removeprefix("fatal: ") if lines else f"git ended with {done.returncode}")
    return done.stdout


def _environment() -> dict[str, str]:
    """Without git's own variables: those of a hook would say which repository is read, and some name programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") and name not in _PROGRAMS}
    return {**kept, **_VARIABLES}
