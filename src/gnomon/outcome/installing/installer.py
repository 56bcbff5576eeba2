"""Install hooks, and take them out again.

Everything is worked out before anything is written: where one file cannot be changed, none is. What a file was like
is kept before the file is changed, so that an install that was cut off can be taken back, too.
"""

import os
import shlex
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gnomon.agentlogs.homes import claude_home, codex_home
from gnomon.errors import Refused
from gnomon.outcome.installing import githook
from gnomon.outcome.installing.ledger import (
    FileBefore,
    Ledger,
    content_of,
    digest_of,
    missing_folders,
    move,
    put,
    put_back,
)
from gnomon.outcome.installing.program import HookProgram
from gnomon.outcome.installing.targets import (
    CI_FILE,
    TARGETS,
    HookFile,
    HookLocation,
    Target,
    agent_hooks,
    aside_of,
    ci_workflow,
    clean_hook,
    clean_settings,
    clean_workflow,
    git_hook,
    hook_files_to_clean,
    needs_aside,
    post_commit,
    settings_file,
)
from gnomon.outcome.worktree import WorkTree


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """`folder`: where the agent is started, from the repository's top; empty for the top itself."""

    targets: tuple[Target, ...] = ()
    folder: str = ""
    local: bool = False
    prompts: bool = False
    every_commit: bool = False

    def flags(self, target: Target) -> str:
        words = [*(["--prompts"] if self.prompts and target != "ci" else [])]
        words += ["--every-commit"] if self.every_commit and target in ("git", "ci") else []
        words += ["--folder", shlex.quote(self.folder)] if self.folder else []
        return "".join(f" {word}" for word in words)


@dataclass(frozen=True, slots=True)
class FileChange:
    """What is done with one file: `install`, `keep` (it is as it should be), `restore`, `remove`
    (nothing was there before) or `clean`."""

    target: Target
    path: Path
    action: str
    note: str = ""

    def as_json(self, top: Path) -> dict[str, Any]:
        return {"target": self.target, "path": shown(self.path, top), "action": self.action, "note": self.note}


@dataclass(slots=True)
class Installer:
    tree: WorkTree
    program: HookProgram
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.tree.own_folder)

    # ── install ─────────────────────────────────────────────────────────────────────────────────────────────

    def detected(self) -> tuple[Target, ...]:
        """git, where its hooks are this repository's own, and the agents that are on this machine or used here."""
        top = self.tree.top
        claude = (top / ".claude").is_dir() or claude_home().is_dir() or shutil.which("claude")
        codex = (top / ".codex").is_dir() or codex_home().is_dir() or shutil.which("codex")
        present = {"claude-code": claude, "codex": codex, "git": self.why_no_git() is None}
        return tuple(target for target in TARGETS if present.get(target))

    def why_no_git(self) -> str | None:
        """Why git's hooks are not ours to change; None where they are."""
        try:
            post_commit(self.tree)
        except Refused as bad:
            return bad.message
        return None

    def install(self, plan: InstallPlan, *, write: bool = True) -> list[FileChange]:
        files = [file for target in plan.targets for file in self._files(target, plan)]
        for file in files if write else ():
            self._put_aside_back(file.target, file.path)  # an install was cut off before it wrote its own
        ready = [(file, present := self._present(file), file.change(present)) for file in files]
        same = [
            present == wanted and (not file.executable or githook.runs(file.path)) for file, present, wanted in ready
        ]
        if write:
            self._write_all([each for each, is_same in zip(ready, same, strict=True) if not is_same])
        return [
            FileChange(file.target, file.path, "keep" if is_same else "install", file.note)
            for (file, _, _), is_same in zip(ready, same, strict=True)
        ]

    def _write_all(self, ready: Sequence[tuple[HookFile, bytes | None, bytes]]) -> None:
        """Write all files. Where one cannot be written, those before it are as they were."""
        written: list[tuple[HookFile, bytes | None, FileBefore | None]] = []
        try:
            for file, present, wanted in ready:
                written.append((file, present, self.ledger.files.get(file.path)))
                self._write(file, present, wanted)
        except Refused:
            for each in reversed(written):
                with suppress(Refused):
                    self._take_back(*each)
            with suppress(Refused):
                self.ledger.keep()
            raise

    def _take_back(self, file: HookFile, present: bytes | None, kept: FileBefore | None) -> None:
        """Undo what this run did to a file: it may have been installed before, with other flags."""
        if kept is None:
            self._undo(file.target, file.path, write=True)
            self.ledger.files.pop(file.path, None)
            return
        if present is not None and content_of(file.path) != present:
            put(file.path, present)
        self.ledger.files[file.path] = kept

    def _files(self, target: Target, plan: InstallPlan) -> list[HookFile]:
        folder = self.tree.top / plan.folder
        flags = plan.flags(target)
        if target == "ci":
            trunk = self.tree.repository.trunk()
            return [ci_workflow(self.tree.top, trunk.name if trunk else "main", plan.folder.rstrip("/"), flags)]
        if target == "git":
            hook = post_commit(self.tree)
            return [git_hook(hook, self.program.call("git", flags, shared=hook.shared))]
        path = settings_file(target, folder, local=plan.local)
        shared = not (plan.local and target == "claude-code")
        return [agent_hooks(target, path, self.program.call(target, flags, shared=shared))]

    def _present(self, file: HookFile) -> bytes | None:
        return content_of(file.path) if file.path.exists() else None

    def _write(self, file: HookFile, present: bytes | None, wanted: bytes) -> None:
        aside = file.target == "git" and needs_aside(HookLocation(file.path, plain_shell=not file.executable))
        before = FileBefore(None, None, "") if aside else self._before(file, present)
        mode = (before.mode or 0o644) | 0o111 if file.executable else before.mode
        self.ledger.files[file.path] = FileBefore(before.content, before.mode, digest_of(wanted), before.folders)
        self.ledger.keep()
        if aside:
            move(file.path, aside_of(file.path))
        put(file.path, wanted, mode)

    def _before(self, file: HookFile, present: bytes | None) -> FileBefore:
        """What the file was like without us: as it was kept, unless somebody changed it since."""
        kept = self.ledger.files.get(file.path)
        if kept is not None and present is not None and digest_of(present) == kept.after:
            return kept
        if present is None:
            return FileBefore(None, None, "", missing_folders(file.path))
        content = _cleaned(file.target, file.path, present)
        return FileBefore(content, file.path.stat().st_mode & 0o777 if content is not None else None, "")

    # ── uninstall ───────────────────────────────────────────────────────────────────────────────────────────

    def uninstall(self, targets: Sequence[Target], folder: str = "", *, write: bool = True) -> list[FileChange]:
        """Put back what was there; of files that were changed since, take out what is ours."""
        changes = []
        try:
            for target, path in self._targets_at(targets or TARGETS, folder):
                change = self._undo(target, path, write)
                changes += [change] if change else []
        finally:
            if write:
                self.ledger.keep()
        return changes

    def _targets_at(self, targets: Sequence[Target], folder: str) -> list[tuple[Target, Path]]:
        """Where hooks may be: the usual files, and those that were written from here."""
        start = self.tree.top / folder
        target_at: dict[Path, Target] = {}
        for target in targets:
            if target == "ci":
                target_at[self.tree.top / CI_FILE] = target
            elif target == "git":
                with suppress(Refused):
                    target_at.update(dict.fromkeys(hook_files_to_clean(post_commit(self.tree)), target))
                default = self.tree.own_hooks / "post-commit"  # hooks may be managed elsewhere by now
                target_at.update(dict.fromkeys(hook_files_to_clean(HookLocation(default)), target))
            else:
                names = {settings_file(target, start, local=local) for local in (True, False)}
                target_at.update(dict.fromkeys(sorted(names), target))
        for path in self.ledger.files:
            if (target := _target_of(path)) in targets:
                target_at.setdefault(path, target)
        return [(target, path) for path, target in target_at.items()]

    def _undo(self, target: Target, path: Path, write: bool) -> FileChange | None:
        content, before = content_of(path) if path.is_file() else None, self.ledger.files.get(path)
        if content is None:
            if write:
                self._forget(target, path)
            return None
        if before is not None and digest_of(content) == before.after:
            was_there = before.content is not None or (target == "git" and os.path.lexists(aside_of(path)))
            if write:
                put_back(path, before)
                self._put_aside_back(target, path)
                del self.ledger.files[path]
            return FileChange(target, path, "restore" if was_there else "remove")
        cleaned = _cleaned(target, path, content)
        if cleaned == content:
            if write:
                self._forget(target, path)
            return None
        if write:
            self._write_cleaned(target, path, cleaned, before)
        return FileChange(target, path, "clean", "it was changed since; only the hook is taken out")

    def _forget(self, target: Target, path: Path) -> None:
        """Of a file that has nothing of ours: what was kept goes, and a hook that was moved aside comes back."""
        self._put_aside_back(target, path)
        self.ledger.files.pop(path, None)

    def _write_cleaned(self, target: Target, path: Path, cleaned: bytes | None, before: FileBefore | None) -> None:
        if cleaned is None and (before is None or before.content is None):
            put_back(path, before or FileBefore(None, None, ""))
            self._put_aside_back(target, path)
        else:
            put(path, b"{}\n" if cleaned is None else cleaned)
        self.ledger.files.pop(path, None)

    def _put_aside_back(self, target: Target, path: Path) -> None:
        aside = aside_of(path)
        if target == "git" and os.path.lexists(aside) and not path.exists():
            move(aside, path)


def _cleaned(target: Target, path: Path, content: bytes) -> bytes | None:
    if target == "git":
        return clean_hook(content) if githook.has_block(content) else content
    if target == "ci":
        return clean_workflow(content)
    return clean_settings(path, content) if b"outcome record" in content else content


def _target_of(path: Path) -> Target:
    if path.parent.name == ".claude":
        return "claude-code"
    if path.parent.name == ".codex":
        return "codex"
    return "ci" if path.suffix in (".yml", ".yaml") else "git"


def shown(path: Path, top: Path) -> str:
    return str(path.relative_to(top)) if path.is_relative_to(top) else str(path)
