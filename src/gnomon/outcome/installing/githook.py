"""Our block in git's post-commit hook, beside whatever is there.

In a shell script the block comes right after its first line, so that an `exit` or `exec` further down does not keep it
from running. It runs in a shell of its own, prints nothing and always succeeds. During a rebase it does nothing, since
git calls the hook for each commit that is made anew. A hook in another language, a link, or one that is switched off is
moved aside, and called by ours if it was on.
"""

import os
import re
from pathlib import Path

BEGIN = "# >>> gnomon outcome >>> written by `gnomon outcome install`; `gnomon outcome uninstall` removes it"
END = "# <<< gnomon outcome <<<"
ASIDE = ".before-gnomon"
_UNLESS_REBASING = '[ -d "$(git rev-parse --git-path rebase-merge)" ]'
_BLOCK = re.compile(re.escape("# >>> gnomon outcome >>>") + r"[^\n]*\n.*?" + re.escape(END) + r"\r?\n?", re.DOTALL)
_SHELL = re.compile(rb"#!.*\b(?:sh|bash|dash|ash|zsh|ksh)\b")


def block(command: str) -> str:
    return f"{BEGIN}\n( {_UNLESS_REBASING} || {command} ) </dev/null >/dev/null 2>&1 || :\n{END}\n"


def is_shell(content: bytes, *, without_first_line: bool = False) -> bool:
    """Whether a hook is a shell script. husky's need no first line that says so."""
    return bool(_SHELL.match(content)) or (without_first_line and not content.startswith(b"#!"))


def with_block(content: bytes, command: str) -> bytes:
    """A shell script with our block after its first line; an empty file becomes a script."""
    text = _without(content.decode("utf-8", "surrogateescape"))
    if not text:
        return f"#!/bin/sh\n{block(command)}".encode()
    first, newline, rest = text.partition("\n")
    if first.startswith("#!"):
        text = first + (newline or "\n") + block(command) + rest
    else:
        text = block(command) + text
    return text.encode("utf-8", "surrogateescape")


def without_block(content: bytes) -> bytes:
    return _without(content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def has_block(content: bytes) -> bool:
    return b"# >>> gnomon outcome >>>" in content


def wrapper(command: str, aside: Path, *, called: bool) -> bytes:
    """A hook that runs ours, then the one that was moved aside."""
    more = f'exec "$(dirname "$0")/{aside.name}" "$@"\n' if called else ""
    return f"#!/bin/sh\n{block(command)}{more}".encode()


def is_only_ours(content: bytes) -> bool:
    """Whether nothing is left but the line that makes it a script."""
    rest = without_block(content).decode("utf-8", "replace").strip()
    return rest in ("", "#!/bin/sh")


def runs(path: Path) -> bool:
    """Whether git runs it. On Windows there is no such mark."""
    return os.name == "nt" or os.access(path, os.X_OK)


def _without(text: str) -> str:
    return _BLOCK.sub("", text)
