"""What the tests of the `compat` profile are made of: signals, entries, session files and small git repositories."""

import json
import os
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gnomon import outcome
from gnomon.agentlogs import instant
from gnomon.outcome import (
    ImplBlock,
    IterationRecord,
    IterationWindow,
    ReviewBlock,
    Rubric,
    SelfAssessment,
    SignalSet,
    SignalValue,
    VerifierRecord,
    present_signal,
)
from gnomon.outcome.rubric import parse_rubric

# Every stage as this profile runs it.
assemble_signal_set = partial(outcome.assemble_signal_set, profile="compat")
backfill_iterations = partial(outcome.backfill_iterations, profile="compat")
derive_linked_traces_to_outcomes = partial(outcome.derive_linked_traces_to_outcomes, profile="compat")
extract_git_signals = partial(outcome.extract_git_signals, profile="compat")
extract_iteration_objectives = partial(outcome.extract_iteration_objectives, profile="compat")
extract_iterlog_signals = partial(outcome.extract_iterlog_signals, profile="compat")
load_iteration_log = partial(outcome.load_iteration_log, profile="compat")
parse_iteration_record = partial(outcome.parse_iteration_record, profile="compat")

NO_SUCH_COMMIT = "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef"


def found(value: SignalValue) -> float | None:
    """The sub-score of a signal that is present; None for an absent one, which must say why."""
    assert value.present or value.detail, "absence travels with its reason"
    return value.sub_score if value.present else None


def near(number: float | None) -> Any:
    return None if number is None else pytest.approx(number, abs=1e-9)


def signals(iteration: int = 1, **sub_scores: float) -> SignalSet:
    present: dict[str, Any] = {name: present_signal(number) for name, number in sub_scores.items()}
    return SignalSet(iteration, profile="compat", **present)


def rubric_2_0() -> Rubric:
    """The rubric before hook outcomes were a signal, written down as one's own."""
    weights = {
        "landed": 0.22, "verifier": 0.20, "tests": 0.18, "correction_pressure": 0.15, "scope": 0.15,
        "token_efficiency": 0.10,
    }  # fmt: skip
    rows = "".join(f"  - {{id: {id}, weight: {weight}}}\n" for id, weight in weights.items())
    bands = "bands:\n  - {name: excellent, min: 0.85}\n  - {name: good, min: 0.7}\n  - {name: fair, min: 0.5}\n"
    text = f"version: 2.0.2\ncombination: weighted_mean_renormalized\nsignals:\n{rows}{bands}  - {{name: poor, min: 0}}"
    own = parse_rubric(text.encode(), "2.0.2")
    own.validate()
    return own


# ── records and logs ────────────────────────────────────────────────────────────────────────────────────────────


def record(
    *verifiers: VerifierRecord,
    iteration: int = 1,
    commit: str = "",
    task: str = "",
    schema: int = 2,
    said: SelfAssessment | None = None,
    review: ReviewBlock | None = None,
    **impl: Any,
) -> IterationRecord:
    """A record as the loader would make it; what is not named stays unset."""
    block = ImplBlock(**impl) if said is None else ImplBlock(self_assessment=said, **impl)
    return IterationRecord(
        schema_version=schema,
        iteration=iteration,
        commit=commit,
        task_id=task,
        impl=block,
        verifiers=verifiers,
        review=review or ReviewBlock(),
    )


def flat(**fields: str) -> IterationRecord:
    """A record of schema 1, from the text of its fields."""
    return parse_iteration_record("schema_version: 1\n" + "".join(f"{key}: {text}\n" for key, text in fields.items()))


def write_log(folder: Path, *entries: str) -> Path:
    """A log directory with these entries; each is named by its `iteration`."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        number = parse_iteration_record(entry).iteration
        (folder / f"iter-{number}.yaml").write_text(entry)
    return folder


# ── git ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Repo:
    """A throw-away repository whose commits are an hour apart, the first at midnight of 2026-05-01."""

    root: Path
    hours: int = 0

    @classmethod
    def new(cls, root: Path, branch: str = "master") -> "Repo":
        root.mkdir(parents=True, exist_ok=True)
        repo = cls(root)
        repo.git("init", "--quiet", f"--initial-branch={branch}")
        return repo

    def git(self, *arguments: str, when: str = "2026-05-01T00:00:00+00:00") -> str:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        own = {
            "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }  # fmt: skip
        command = ["git", "-C", str(self.root), "-c", "user.name=Tester", "-c", "user.email=tester@example.org"]
        done = subprocess.run(
            [*command, "-c", "commit.gpgsign=false", *arguments], env=kept | own, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit(self, message: str, *paths: str, when: str | None = None) -> str:
        """A commit that changes these files (none: an empty one). Its id."""
        when = when or f"2026-05-{1 + self.hours // 24:02}T{self.hours % 24:02}:00:00+00:00"
        self.hours += 1
        for path in paths:
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{message}\n")
            self.git("add", "--", path)
        self.git("commit", "--quiet", "--allow-empty", "--message", message, when=when)
        return self.git("rev-parse", "HEAD")

    def plan(self, name: str, text: str) -> None:
        path = self.root / ".agents/workflow/plans" / name / "TASKS.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(text)


# ── session files ───────────────────────────────────────────────────────────────────────────────────────────────


def micros(time: str) -> int:
    at = instant(time)
    assert at is not None, time
    return at


def window(start: str | None, end: str) -> IterationWindow:
    return IterationWindow(1, None if start is None else micros(start), micros(end))


def utc(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1_000_000, UTC)


def write_session(folder: Path, *lines: dict[str, Any] | str, name: str = "session.jsonl") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / name).write_text("".join(f"{text}\n" for text in texts))
    return folder


def turn(time: str, read: int, created: int, given: int = 0, answered: int = 0) -> dict[str, Any]:
    """One answer of a Claude model, with its four token counters."""
    usage = {
        "input_tokens": given,
        "output_tokens": answered,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": created,
    }
    return {"type": "assistant", "timestamp": time, "message": {"usage": usage}}


def results(time: str, *errors: bool | None) -> dict[str, Any]:
    """What came back from tools; None leaves the flag out."""
    content = [{"type": "tool_result"} | ({} if bad is None else {"is_error": bad}) for bad in errors]
    return {"type": "user", "timestamp": time, "message": {"content": content}}


def use(time: str, tool: str, **given: str) -> dict[str, Any]:
    content = [{"type": "tool_use", "name": tool, "input": given}]
    return {"type": "assistant", "timestamp": time, "message": {"content": content}}


def rollout(time: str, given: int, cached: int, answered: int) -> dict[str, Any]:
    """One count of a Codex session."""
    last = {"input_tokens": given, "cached_input_tokens": cached, "output_tokens": answered}
    return {"timestamp": time, "payload": {"type": "token_count", "info": {"last_token_usage": last}}}
