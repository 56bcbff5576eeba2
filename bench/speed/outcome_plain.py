"""The plain way to what an iteration's history and session files say, for the outcome benchmark to compare with.

It is what one writes first: a git process for each question, and every session file read and parsed for each
iteration. It is no slower than that: a file is read once for all that is wanted, and YAML by the C parser. It knows
the simple rules alone (the profile `compat`): no squashes, no side-chains, no second thoughts about a revert.
"""

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from bench.speed.outcome_world import World, files, git


@dataclass
class Facts:
    """What one iteration's history and session files say. None where they say nothing."""

    landed: float | None = None
    scope: float | None = None
    token_efficiency: float | None = None
    correction_pressure: float | None = None
    objectives: dict[str, float | None] = field(default_factory=dict)


@dataclass
class Counted:
    """What is found in one window of time in all session files."""

    turns: int = 0
    read: int = 0
    created: int = 0
    calls: int = 0
    errors: int = 0
    covered: bool = False
    ran_cli_command: bool = False
    committed_after_tests: bool = False
    read_loop_state: bool = False


RUNNERS = ("go test", "pytest", "npm test", "yarn test", "make test", "cargo test", "rspec", "phpunit")


def plain_facts(world: World, number: int) -> Facts:
    entry = _yaml(world.log / f"iter-{number}.yaml")
    assert _git(world, "rev-parse", "--is-inside-work-tree")
    window = _window(world, number, entry)
    counted = _scan(world, *window) if window else Counted()
    return Facts(
        landed=_landed(world, entry),
        scope=_scope(world, entry),
        token_efficiency=_tokens(entry, counted) if window else None,
        correction_pressure=_pressure(world, entry, counted),
        objectives={
            name: float(getattr(counted, name)) if counted.covered else None
            for name in ("ran_cli_command", "committed_after_tests", "read_loop_state")
        },
    )


def _yaml(path: Path) -> dict[str, Any]:
    # Everything stays text, as a commit of digits only has to.
    loaded: dict[str, Any] = yaml.load(path.read_bytes(), Loader=yaml.CBaseLoader)
    return loaded


def _git(world: World, *arguments: str) -> str | None:
    """What git says, or None where it says no."""
    try:
        return git(world.repo, *arguments)
    except subprocess.CalledProcessError:
        return None


def _resolve(world: World, entry: Mapping[str, Any]) -> str:
    said = entry["commit"].strip()
    return (_git(world, "rev-parse", "--verify", "--quiet", f"{said}^{{commit}}") or "").strip() if said else ""


def _landed(world: World, entry: Mapping[str, Any]) -> float | None:
    if not entry["commit"].strip():
        return None
    commit = _resolve(world, entry)
    if not commit:
        summary = (entry.get("impl") or entry).get("summary", "").strip().lower()
        subjects = (_git(world, "log", "main", "--format=%H %s") or "").splitlines()
        matching = [line.partition(" ")[0] for line in subjects if line.partition(" ")[2].strip().lower() == summary]
        return 0.0 if matching and _reverted(world, matching[0]) else 1.0 if matching else None
    if _git(world, "merge-base", "--is-ancestor", commit, "main") is None:
        return 0.0
    return 0.0 if _reverted(world, commit) else 1.0


def _reverted(world: World, commit: str) -> bool:
    for told in (_git(world, "log", "main", "--format=%H%n%B%x00") or "").split("\0\n"):
        id, _, body = told.partition("\n")
        if id == commit:
            return False
        named = re.findall(r"[0-9a-f]{7,40}", body.lower()) if "revert" in body.lower() else []
        if any(commit.startswith(run) for run in named):
            return True
    return False


def _scope(world: World, entry: Mapping[str, Any]) -> float | None:
    commit = _resolve(world, entry)
    scope = next((task["write_scope"] for task in _tasks(world) if task["id"] == entry["task_id"]), None)
    changed = _git(world, "show", "--name-only", "--format=", commit) if commit else None
    if not scope or changed is None:
        return None
    paths = [line.strip() for line in changed.splitlines() if line.strip()]
    inside = [path for path in paths if any(_within(path, part) for part in scope)]
    return len(inside) / len(paths) if paths else 1.0


def _tasks(world: World) -> Iterator[dict[str, Any]]:
    for path in sorted(world.repo.glob(".agents/workflow/plans/*/TASKS.yaml")):
        yield from _yaml(path)["tasks"]


def _within(path: str, part: str) -> bool:
    return path.startswith(part) if part.endswith("/") else path == part


def _window(world: World, number: int, entry: Mapping[str, Any]) -> tuple[float, float] | None:
    """From the time of the nearest iteration before that has one to this one's."""
    ended = _time(world, entry)
    if ended is None:
        return None
    for earlier in range(number - 1, 0, -1):
        began = _time(world, _yaml(world.log / f"iter-{earlier}.yaml"))
        if began is not None:
            return began, ended
    return 0.0, ended


def _time(world: World, entry: Mapping[str, Any]) -> float | None:
    said = entry["commit"].strip()
    told = _git(world, "show", "-s", "--format=%cI", f"{said}^{{commit}}") if said else None
    return datetime.fromisoformat(told.strip()).timestamp() if told else None


def _tokens(entry: Mapping[str, Any], counted: Counted) -> float | None:
    if "session_tokens" in entry:
        return float(entry["session_tokens"].get("cache_hit_rate", 0))
    if not counted.turns:
        return None
    return counted.read / (counted.read + counted.created) if counted.read + counted.created else 0.0


def _pressure(world: World, entry: Mapping[str, Any], counted: Counted) -> float:
    times = int((entry.get("impl") or entry).get("retries", 0))
    times += sum(int(verifier.get("retries", 0)) for verifier in entry.get("verifiers", ()))
    decision = world.repo / entry.get("review", {}).get("decision_artifact", "")
    if decision.is_file():
        after = _yaml(decision).get("post_invocation", {})
        times += len(after.get("user_corrections", ())) + int(after.get("retries_in_loop", 0))
    return 1 / (1 + times + (2 * counted.errors / counted.calls if counted.calls else 0))


def _scan(world: World, began: float, ended: float) -> Counted:
    counted = Counted()
    for path in files(world):
        with path.open("rb") as lines:
            for line in lines:
                record = json.loads(line)
                if "timestamp" in record and began < datetime.fromisoformat(record["timestamp"]).timestamp() <= ended:
                    counted.covered = True
                    _count(counted, record)
    return counted


def _count(counted: Counted, said: dict[str, Any]) -> None:
    if "payload" in said:
        usage = (said["payload"].get("info") or {}).get("last_token_usage")
        if usage:
            counted.turns += 1
            counted.read += usage["cached_input_tokens"]
            counted.created += max(0, usage["input_tokens"] - usage["cached_input_tokens"])
        return
    message = said.get("message", {})
    if not isinstance(message.get("content"), list):
        return
    if usage := message.get("usage"):
        counted.turns += 1
        counted.read += usage["cache_read_input_tokens"]
        counted.created += usage["cache_creation_input_tokens"]
    for part in message["content"]:
        if part["type"] == "tool_result":
            counted.calls += 1
            counted.errors += part.get("is_error", False)
        elif part["type"] == "tool_use":
            _count_call(counted, part["name"], part["input"])


def _count_call(counted: Counted, name: str, asked: dict[str, Any]) -> None:
    if name == "Bash":
        counted.ran_cli_command = True
        counted.committed_after_tests |= any(runner in asked["command"] for runner in RUNNERS)
    elif name == "Read":
        counted.read_loop_state |= asked["file_path"].endswith("loop-state.md")
