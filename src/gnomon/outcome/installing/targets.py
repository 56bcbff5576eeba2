"""The files that hooks are put into: which they are, how they change, and how the change is taken back."""

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gnomon.errors import Refused
from gnomon.outcome.installing import githook
from gnomon.outcome.installing.jsontext import BadJsonText, with_item, without_items
from gnomon.outcome.iterlog import DEFAULT_LOG
from gnomon.outcome.worktree import WorkTree

Target = Literal["claude-code", "codex", "git", "ci"]
TARGETS: tuple[Target, ...] = ("claude-code", "codex", "git", "ci")
SECONDS = 60
"""How long agents wait for the hook at most."""
CLAUDE_EVENTS = ("Stop", "SessionEnd")  # SessionEnd does not come after Ctrl-C, Stop comes after each answer
CODEX_EVENTS = ("Stop",)
_OURS = re.compile(r"gnomon\b.*\boutcome record (?:claude-code|codex)\b", re.DOTALL)
CI_FILE = ".github/workflows/gnomon-outcome.yml"
_CI_MARK = b"# Written by `gnomon outcome install ci`."


@dataclass(frozen=True, slots=True)
class HookFile:
    """One file to be changed. `change` makes its new content from the present one (None: there is none); `clean` takes
    ours out of it (None: nothing of it is left)."""

    target: Target
    path: Path
    change: Callable[[bytes | None], bytes]
    clean: Callable[[bytes], bytes | None]
    executable: bool = False
    note: str = ""


# ── agents ──────────────────────────────────────────────────────────────────────────────────────────────────────


def settings_file(target: Target, folder: Path, *, local: bool) -> Path:
    """The settings file to write. A symbolic link is followed, so that it stays a link."""
    name = ".codex/hooks.json" if target == "codex" else f".claude/settings{'.local' if local else ''}.json"
    path = folder / name
    return path.resolve() if path.is_symlink() else path


def agent_hooks(target: Target, path: Path, command: str) -> HookFile:
    events = CLAUDE_EVENTS if target == "claude-code" else CODEX_EVENTS
    item = {"hooks": [{"type": "command", "command": command, "timeout": SECONDS}]}

    def change(content: bytes | None) -> bytes:
        text = _text(path, content or b"")
        try:
            for event in events:
                if not _has_only(text, event, item):
                    rest = without_items(text, ("hooks", event), _is_ours) if text.strip() else text
                    text = with_item(rest, ("hooks", event), item)
        except BadJsonText as bad:
            raise Refused(f"{path}: {bad}; fix the file first, nothing is changed") from None
        return text.encode("utf-8", "surrogatepass")

    note = "Codex asks once whether to trust it: answer in /hooks" if target == "codex" else ""
    return HookFile(target, path, change, lambda content: clean_settings(path, content), note=note)


def clean_settings(path: Path, content: bytes) -> bytes | None:
    """Settings without our hooks; None when nothing else is in the file."""
    text = _text(path, content)
    try:
        for event in CLAUDE_EVENTS:
            text = without_items(text, ("hooks", event), _is_ours)
    except BadJsonText as bad:
        raise Refused(f"{path}: {bad}; take `gnomon outcome record` out of it by hand") from None
    empty = re.fullmatch(r"\ufeff?\s*\{\s*\}\s*", text) is not None and text.encode() != content
    return None if empty else text.encode("utf-8", "surrogatepass")


def _has_only(text: str, event: str, item: Any) -> bool:
    """Whether our hook is there already, as it should be and once."""
    try:
        listed = json.loads(text.removeprefix("\ufeff"))["hooks"][event]
        return [hook for hook in listed if _is_ours(hook)] == [item]
    except (ValueError, KeyError, TypeError):
        return False


def _text(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8 text; nothing is changed") from None


def _is_ours(item: Any) -> bool:
    hooks = item.get("hooks") if isinstance(item, dict) else None
    commands = [hook.get("command") for hook in hooks if isinstance(hook, dict)] if isinstance(hooks, list) else []
    return bool(commands) and all(isinstance(command, str) and _OURS.search(command) for command in commands)


# ── git ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HookLocation:
    """Where git, or what manages its hooks, looks for post-commit. `shared`: the file is in commits."""

    path: Path
    shared: bool = False
    plain_shell: bool = False


def post_commit(tree: WorkTree) -> HookLocation:
    """Refuses a folder of hooks that is not the repository's own: other repositories run them too."""
    configured = tree.hooks_path
    if configured is None:
        return HookLocation(tree.own_hooks / "post-commit")
    folder = Path(os.path.normpath(tree.top / configured))
    if folder.name == "_" and folder.parent.name == ".husky":  # husky 9 writes that folder anew at each install
        return HookLocation(folder.parent / "post-commit", shared=True, plain_shell=True)
    inside = any(folder.is_relative_to(parent) for parent in (tree.top, tree.top.resolve(), tree.own_folder.parent))
    if not inside:
        words = f"core.hooksPath is {configured}, outside of this repository, where others may run the hooks too"
        raise Refused(f"{words}; add `gnomon outcome record git || true` to its post-commit yourself")
    return HookLocation(folder / "post-commit", shared=True)


def git_hook(hook: HookLocation, command: str) -> HookFile:
    def change(content: bytes | None) -> bytes:
        if needs_aside(hook):
            return githook.wrapper(command, aside_of(hook.path), called=githook.runs(hook.path))
        if hook.plain_shell and not content:
            return githook.block(command).encode()
        return githook.with_block(content or b"", command)

    return HookFile("git", hook.path, change, clean_hook, executable=not hook.plain_shell)


def aside_of(path: Path) -> Path:
    return path.with_name(path.name + githook.ASIDE)


def needs_aside(hook: HookLocation) -> bool:
    """Whether the hook that is there cannot take a block: a link, another language, or one that is switched off."""
    path = hook.path
    if not path.exists() and not path.is_symlink():
        return False
    content = path.read_bytes() if path.is_file() else b""
    if githook.has_block(content):
        return False
    shell = githook.is_shell(content, without_first_line=hook.plain_shell)
    return path.is_symlink() or not shell or not (hook.plain_shell or githook.runs(path))


def clean_hook(content: bytes) -> bytes | None:
    return None if githook.is_only_ours(content) else githook.without_block(content)


def hook_files_to_clean(hook: HookLocation) -> Sequence[Path]:
    """The hook, and where pre-commit moves a hook that was there before its own."""
    return (hook.path, hook.path.with_name(hook.path.name + ".legacy"))


# ── CI ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_WORKFLOW = """\
# Written by `gnomon outcome install ci`. `gnomon outcome uninstall ci` removes it.
name: Agent outcomes
on:
  push:
    branches: [{trunk}]
permissions:
  contents: read
jobs:
  outcome:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - name: Install Gnomon
        run: python -m pip install --quiet gnomon
      - name: Record what was pushed
        env:
          BEFORE: ${{{{ github.event.before }}}}
        run: |
          gnomon outcome record ci --strict --since "$BEFORE"{flags}
      - name: Score it
        working-directory: {folder}
        run: gnomon outcome score
      - name: Send it to a server, where one is configured
        working-directory: {folder}
        env:
          GNOMON_URL: ${{{{ vars.GNOMON_URL }}}}
          GNOMON_API_KEY: ${{{{ secrets.GNOMON_API_KEY }}}}
        run: |
          scores=$(find .agents/active/iteration-log -name 'iter-*.score.yaml' 2>/dev/null || true)
          if [ -n "$GNOMON_URL" ] && [ -n "$scores" ]; then gnomon outcome push; fi
      - uses: actions/upload-artifact@v4
        with:
          name: agent-outcomes
          path: {log}
          include-hidden-files: true
          if-no-files-found: ignore
"""


def ci_workflow(top: Path, trunk: str, folder: str, flags: str) -> HookFile:
    path = top / CI_FILE
    log = json.dumps(f"{folder}/{DEFAULT_LOG}" if folder else str(DEFAULT_LOG))
    text = _WORKFLOW.format(trunk=json.dumps(trunk), folder=json.dumps(folder or "."), log=log, flags=flags)

    def change(content: bytes | None) -> bytes:
        if content is not None and not content.startswith(_CI_MARK):
            raise Refused(f"{path} exists already and is not ours; move it first, nothing is changed")
        return text.encode()

    return HookFile("ci", path, change, clean_workflow)


def clean_workflow(content: bytes) -> bytes | None:
    """A workflow that we wrote goes as a whole, also where somebody has changed a line of it."""
    return None if content.startswith(_CI_MARK) else content
