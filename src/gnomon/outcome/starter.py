"""The first entry of a new iteration log, from git and the newest session, with words that explain each field."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gnomon.agentlogs import WindowFacts, read_events, timeline
from gnomon.atomicfile import write_atomically
from gnomon.errors import Conflict, Refused
from gnomon.outcome.fromgit import title
from gnomon.outcome.gitfacts import Commit, Repository
from gnomon.outcome.gitrun import GitFailed
from gnomon.outcome.hooks import newest_iteration
from gnomon.outcome.yamlout import flow_free


@dataclass(frozen=True, slots=True)
class Starter:
    """The text of an entry, where it belongs, and what it was made from."""

    path: Path
    text: str
    made_from: list[str]

    def write(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as bad:
            raise Refused(
                f"cannot make the log {self.path.parent}: {bad.strerror or bad}; name one with --log"
            ) from None
        write_atomically(self.path, self.text)


def first_entry(log: Path, repo: Path, sessions: Sequence[Path], now: datetime) -> Starter:
    """Compose `iter-1.yaml`. Refuses where a log exists already: that one goes on by itself."""
    if log.exists() and not log.is_dir():
        raise Refused(f"{log} is a file, and a log is a folder; name another with --log")
    known = newest_iteration(log) if log.is_dir() else None
    if known is not None:
        raise Conflict(f"{log} has entries already, up to iter-{known}; score them with `gnomon outcome score`")
    made_from: list[str] = []
    git = _from_git(repo, made_from)
    session = _newest_session(sessions, repo, made_from)
    return Starter(log / "iter-1.yaml", _text(git, session, now), made_from)


def _from_git(repo: Path, made_from: list[str]) -> dict[str, object]:
    repository = Repository(repo)
    try:
        head = repository.resolve(["HEAD"])[0]
        if head is None:
            raise Refused(f"{repo} has no commits yet; commit something first")
        message = repository.run("show", "-s", "--format=%B", head).decode(errors="replace")
        counts = repository.run("show", "--format=", "--numstat", "-z", "--no-renames", head).split(b"\0")
    except GitFailed as bad:
        raise Refused(f"{repo}: {bad}") from None
    rows = [row.split(b"\t") for row in counts if row.count(b"\t") >= 2]
    made_from.append(f"commit {head[:12]}")
    return {
        "commit": head,
        "files_changed": len(rows),
        "lines_added": sum(int(row[0]) for row in rows if row[0].strip().isdigit()),
        "lines_removed": sum(int(row[1]) for row in rows if row[1].isdigit()),
        "summary": title(Commit(head, (), 0, message, ())),
    }


def _newest_session(sessions: Sequence[Path], repo: Path, made_from: list[str]) -> WindowFacts | None:
    """The newest one that began in this repository. Codex keeps those of all projects in one folder."""
    for path in sorted(sessions, key=_written, reverse=True):
        began = next((event.cwd for event in read_events(path, on_problem=_unheard) if event.cwd), None)
        if began is None or any(Path(began).is_relative_to(folder) for folder in (repo, repo.resolve())):
            facts = timeline([path], on_problem=_unheard).window(None, 2**62)
            if facts.covered:
                made_from.append(f"session {path.name}")
                return facts
    return None


def _unheard(problem: str) -> None:
    """`gnomon outcome score` tells what is wrong with a session; a first entry is made from what can be read."""


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _text(git: dict[str, object], session: WindowFacts | None, now: datetime) -> str:
    moment = now.astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")
    about = {"date": moment[:10], "wave": "", "task_id": "", "commit": git["commit"], "checkpoint_at": moment}
    counts = {name: git[name] for name in ("files_changed", "lines_added", "lines_removed")}
    parts = [
        "# One iteration of a coding agent. Write such a file, iter-N.yaml, whenever the agent ends a piece of work.\n",
        flow_free({"schema_version": 2, "iteration": 1}),
        "# wave: the plan; task_id: the task in it. .agents/workflow/plans/<wave>/TASKS.yaml may give a write_scope.\n",
        "# commit and checkpoint_at say which work is meant: the commits since the entry before, up to this one.\n",
        flow_free({**about, **counts}),
        *_session_text(session),
        "# What the implementer says. Claims count only where no fact is known, and are held against the facts.\n",
        "# scope_note: on-target, partial or scope-breach. What nobody counted or checked stays null.\n",
        flow_free({"impl": {"summary": git["summary"], "scope_note": "", "retries": None, "focused_tests_pass": None}}),
        "# One entry a gate that verified it: {type: unit, status: pass|fail|partial|unknown, tests_total_pass: …}.\n",
        "verifiers: []\n",
        "# accept, reject or escalate.\n",
        flow_free({"review": {"overall_decision": ""}}),
    ]
    return "".join(parts)


def _session_text(session: WindowFacts | None) -> list[str]:
    if session is None:
        return []
    agent = {
        "session_id": next(iter(sorted(session.sessions)), ""),
        "harness": next(iter(sorted(session.harnesses)), ""),
        "model": next(iter(sorted(session.models)), ""),
    }
    usage = session.usage
    tokens = {
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_read_tokens": usage.cache_read,
        "cache_creation_tokens": usage.cache_creation,
    }
    words = "# Which session it was: its transcript shows tokens, tool errors and test runs.\n"
    return [words, flow_free({"agent": agent, "session_tokens": tokens})]
