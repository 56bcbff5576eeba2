"""Real repositories with fixed dates, their logs, plans and transcripts: what the outcome wing reads.

A commit is a minute later than the one before. Nothing here knows how a score is computed.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from gnomon.model.outcome import SignalValue
from gnomon.outcome import (
    OutcomeReport,
    ScoredIteration,
    ScorePlan,
    SignalSet,
    assemble_signal_set,
    backfill_iterations,
    extract_git_signals,
    extract_hook_outcomes_signal,
    extract_human_label_signal,
    extract_iteration_objectives,
    extract_iterlog_signals,
    iteration_windows,
    load_iteration_log,
    score_log,
)

DAWN = datetime(2026, 5, 4, 8, 0, tzinfo=UTC)
LOG = ".agents/active/iteration-log"
PLANS = ".agents/workflow/plans"


def moment(minutes: float) -> str:
    """A time, in minutes after the first commit of a repository."""
    return (DAWN + timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def git_environment(minutes: int = 0) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    date = f"{int(DAWN.timestamp()) + 60 * minutes} +0000"
    return own | {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_COMMITTER_NAME": "C",
        "GIT_COMMITTER_EMAIL": "c@example.com",
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_DATE": date,
        "GIT_EDITOR": "true",
        "GIT_SEQUENCE_EDITOR": "true",
    }


@dataclass
class Repo:
    """A work tree with a log in it."""

    root: Path
    minutes: int = 0
    log: Path = field(init=False)

    def __post_init__(self) -> None:
        self.log = self.root / LOG

    def copied(self, root: Path) -> "Repo":
        shutil.copytree(self.root, root, symlinks=True)
        return Repo(root, self.minutes)

    def git(self, *arguments: str, feed: bytes | None = None) -> str:
        command = ["git", "-C", str(self.root), "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(command, input=feed, capture_output=True, env=git_environment(self.minutes), check=False)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr.decode(errors='replace')}"
        return done.stdout.decode(errors="replace").strip()

    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """None removes a file."""
        for name, content in files.items():
            path = self.root / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, message: str, files: Mapping[str, str | bytes | None] | None = None) -> str:
        self.minutes += 1
        self.write(files or {})
        if files:
            self.git("add", "--all", "--", *files)
        self.git("commit", "--quiet", "--allow-empty", "--allow-empty-message", "--no-verify", "-m", message)
        return self.head()

    def switch(self, branch: str, start: str = "") -> None:
        self.git("switch", "--quiet", *(["--create", branch, start] if start else [branch]))

    def later(self, *arguments: str) -> str:
        """A git command that makes a commit, a minute after the last one; the commit that is HEAD afterwards."""
        self.minutes += 1
        self.git(*arguments)
        return self.head()

    def merge(self, branch: str) -> str:
        return self.later("merge", "--quiet", "--no-ff", "-m", f"Merge branch '{branch}'", branch)

    def squash(self, branch: str, message: str) -> str:
        self.git("merge", "--quiet", "--squash", branch)
        return self.later("commit", "--quiet", "-m", message)

    def revert(self, sha: str) -> str:
        return self.later("revert", "--no-edit", sha)

    # ── what stands beside the code ─────────────────────────────────────────────────────────────────────────

    def entry(self, iteration: int, name: str = "", **fields: Any) -> Path:
        """An entry of schema 2; `impl` and the like are given whole."""
        self.log.mkdir(parents=True, exist_ok=True)
        content = {"schema_version": 2, "iteration": iteration, **fields}
        path = self.log / (name or f"iter-{iteration}.yaml")
        path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
        return path

    def plan(self, name: str, tasks: Mapping[str, Sequence[str]], folder: str = PLANS) -> str:
        """A plan's file in the work tree; its path, for a commit."""
        listed = [{"id": id, "write_scope": list(scope)} for id, scope in tasks.items()]
        path = f"{folder}/{name}/TASKS.yaml"
        self.write({path: yaml.safe_dump({"tasks": listed}, allow_unicode=True)})
        return path

    def planned(self, *scope: str, plan: str = "p", task: str = "t") -> None:
        """A plan that is committed before the work."""
        self.git("add", "--", self.plan(plan, {task: scope}))
        self.commit("A plan")

    def score(self, **more: Any) -> OutcomeReport:
        return score_log(ScorePlan(**{"log": self.log, "repo": self.root, **more}))

    def one(self, iteration: int = 1, **more: Any) -> ScoredIteration:
        return next(one for one in self.score(**more).iterations if one.iteration == iteration)

    def landed(self, commit: str, **more: Any) -> SignalValue:
        """The landed signal of a log whose only entry names this commit."""
        self.only_entry(commit=commit, **{name: more.pop(name) for name in ("impl", "task_id") if name in more})
        return self.one(**more).signals.landed

    def only_entry(self, **fields: Any) -> None:
        for path in self.log.glob("*") if self.log.is_dir() else []:
            path.unlink()
        self.entry(1, **fields)


MakeRepo = Callable[..., Repo]


def composed(
    log: Path, repo: Path, folders: Sequence[Path] = (), *, trunk: str | None = None, **profile: Any
) -> list[SignalSet]:
    """Every set of signals of a log, by hand: stage after stage, as the pipeline does."""
    records = load_iteration_log(log, **profile)
    windows = iteration_windows(records, repo, **profile)
    backfills = backfill_iterations(records, repo, *folders, **profile)
    return [
        assemble_signal_set(
            record,
            extract_iterlog_signals(record, repo, **profile),
            extract_git_signals(record, repo, records=records, trunk=trunk, **profile),
            backfill,
            extract_iteration_objectives(record, windows[record.iteration], *folders, repo_dir=repo, **profile),
            extract_hook_outcomes_signal(log, record.iteration),
            extract_human_label_signal(log, record.iteration),
            **profile,
        )
        for record, backfill in zip(records, backfills, strict=True)
    ]


@pytest.fixture(scope="session")
def make_repo(tmp_path_factory: pytest.TempPathFactory) -> MakeRepo:
    """A repository in a folder of its own. A copy of one that was made before is quicker than git."""
    made: dict[tuple[object, ...], Repo] = {}

    def make(name: str = "repo", *, branch: str = "main", first: str | None = "Start", **flags: str) -> Repo:
        kind = (branch, first, *flags.items())
        if kind not in made:
            root = tmp_path_factory.mktemp("kind")
            repo = Repo(root)
            more = (f"--{flag}={to}" for flag, to in flags.items())
            repo.git("init", "--quiet", "--template=", f"--initial-branch={branch}", *more)
            if first is not None:
                repo.commit(first, {"README.md": "start\n"})
            made[kind] = repo
        return made[kind].copied(tmp_path_factory.mktemp("at") / name)

    return make


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo()


# ── transcripts ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Claude:
    """A Claude Code session, line by line."""

    session: str = "s-1"
    cwd: str = ""
    lines: list[dict[str, Any]] = field(default_factory=list)

    def _line(self, minutes: float, type: str, message: dict[str, Any], **more: Any) -> None:
        about = {"type": type, "timestamp": moment(minutes), "sessionId": self.session}
        about |= {"cwd": self.cwd} if self.cwd else {}
        self.lines.append({**about, "message": message, **more})

    def answer(self, minutes: float, id: str, *, read: int = 0, made: int = 0, fresh: int = 0, lines: int = 1) -> None:
        usage = {"input_tokens": fresh, "output_tokens": 5}
        usage |= {"cache_read_input_tokens": read, "cache_creation_input_tokens": made}
        for _ in range(lines):
            message = {"id": id, "model": "m", "usage": usage, "content": [{"type": "text", "text": "…"}]}
            self._line(minutes, "assistant", message, requestId=f"r-{id}")

    def tool(self, minutes: float, id: str, name: str, given: dict[str, Any], *, failed: bool = False) -> None:
        use = {"type": "tool_use", "id": id, "name": name, "input": given}
        self._line(minutes, "assistant", {"id": f"m-{id}", "content": [use]})
        said = {"type": "tool_result", "tool_use_id": id, "content": "Exit code 1" if failed else "done"}
        self._line(minutes + 0.01, "user", {"content": [{**said, "is_error": failed}]})

    def bash(self, minutes: float, id: str, command: str, *, failed: bool = False) -> None:
        self.tool(minutes, id, "Bash", {"command": command}, failed=failed)


@dataclass
class Codex:
    """A Codex session, line by line."""

    session: str = "c-1"
    cwd: str = ""
    lines: list[dict[str, Any]] = field(default_factory=list)
    total: int = 0

    def __post_init__(self) -> None:
        self._line(0, "session_meta", {"id": self.session, "cwd": self.cwd or None})

    def _line(self, minutes: float, type: str, payload: dict[str, Any]) -> None:
        self.lines.append({"timestamp": moment(minutes), "type": type, "payload": payload})

    def answer(self, minutes: float, *, given: int, cached: int) -> None:
        self.total += given
        last = {"input_tokens": given, "cached_input_tokens": cached, "output_tokens": 5}
        whole = {**last, "input_tokens": self.total}
        info = {"last_token_usage": last, "total_token_usage": whole}
        self._line(minutes, "event_msg", {"type": "token_count", "info": info})

    def shell(self, minutes: float, id: str, command: str, *, code: int = 0) -> None:
        asked = json.dumps({"command": ["bash", "-lc", command]})
        call = {"type": "function_call", "name": "shell", "arguments": asked, "call_id": id}
        self._line(minutes, "response_item", call)
        said = json.dumps({"output": "…", "metadata": {"exit_code": code}})
        self._line(minutes + 0.01, "response_item", {"type": "function_call_output", "call_id": id, "output": said})


def written(folder: Path, *sessions: Claude | Codex) -> Path:
    """The sessions as files, a folder down as agents keep them; the folder to be read."""
    for session in sessions:
        path = folder / "project" / f"{session.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in session.lines), encoding="utf-8")
    return folder
