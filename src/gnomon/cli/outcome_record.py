"""`gnomon outcome add` and `gnomon outcome record`: an entry by hand, and the entries that hooks write."""

import json
import sys
import traceback
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json
from gnomon.cli.outcome_evidence import log_flag, now
from gnomon.cli.outcome_report import moment_since
from gnomon.errors import GnomonError, InvalidInput, Refused
from gnomon.settings import from_environment

if TYPE_CHECKING:
    from gnomon.outcome.entries import Recording
    from gnomon.outcome.recording import Recorder

_LARGEST_LOG = 2**20
_PATIENCE_SECONDS = 10
"""So long a hook waits for another one to end. A commit must not hang because a process was stopped."""
PROMPTS = click.option(
    "--prompts", is_flag=True, help="Keep the first line of each prompt, at most 200 characters. They may be private."
)
EVERY_COMMIT = click.option("--every-commit", is_flag=True, help="Record commits that name no agent, too.")


@click.command(short_help="Write an entry of a session or a commit by hand.")
@click.option(
    "--session", type=click.Path(path_type=Path), help="A session file (default: the newest of this work tree)."
)
@click.option("--commit", "only_commit", is_flag=True, help="The newest commit alone, without a session.")
@click.option("--past", "past", help="Write entries of all sessions since then instead: 30d, 36h, 2w or a date.")
@click.option("--task", help="The task's id; its plan may declare a write_scope.")
@click.option("--wave", help="The plan that the task belongs to.")
@click.option("--summary", help="What was done (default: the newest commit's subject).")
@click.option(
    "--scope-note", type=click.Choice(["on-target", "partial", "scope-breach"]), help="Did the work keep to its task?"
)
@click.option("--retries", type=click.IntRange(min=0), help="Number of retries that the work took.")
@click.option("--tests-pass/--tests-fail", default=None, help="Whether the tests of this work pass.")
@click.option("--decision", type=click.Choice(["accept", "reject", "escalate"]), help="What the review decided.")
@PROMPTS
@log_flag
@as_json
def add(
    session: Path | None, only_commit: bool, past: str | None, log: Path | None, prompts: bool, as_json: bool,
    **flags: Any,
) -> None:  # fmt: skip
    """Write or update the entry of a session, with the commits that were made during it.

    Without flags: the last session that worked here. Values of flags are written as they are; everything else is
    looked up: tokens, dollars, model, commits, rules files.

    \b
    gnomon outcome add
    gnomon outcome add --task cart --scope-note on-target --tests-pass
    gnomon outcome add --past 30d
    """
    if sum([session is not None, only_commit, past is not None]) > 1:
        raise InvalidInput.of("session", "--session, --commit and --past exclude each other; give one of them")
    if session is not None and not session.is_file():
        raise InvalidInput.of("session", f"--session {session}: there is no such file; name an agent's session file")
    from gnomon.outcome.loglock import writing_alone

    since = None if past is None else moment_before("past", past)
    recorder = recorder_for(Path.cwd(), log, prompts=prompts, every_commit=True, flags=flags)
    with writing_alone(recorder.plan.log):
        if since is not None:
            recordings = recorder.past(since)
        elif only_commit:
            recordings = [recorder.newest_commit()]
        else:
            recordings = [recorder.session(session or recorder.newest())]
    if session is not None and recordings[0].state == "nothing":
        raise Refused(f"--session {session}: {recordings[0].words}; nothing is written")
    if as_json:
        show.json([recording.as_json() for recording in recordings] if past is not None else recordings[0].as_json())
    else:
        from gnomon.cli.show.recordings import recorded

        recorded(recordings)


@click.command(short_help="Write the entry of a session or a commit; hooks call it.")
@click.argument("event", type=click.Choice(["claude-code", "codex", "git", "ci"]))
@click.option("--since", help="For ci: record the commits after this one.")
@PROMPTS
@EVERY_COMMIT
@click.option("--folder", help="Folder that the entry is about, relative to the repository's root.")
@log_flag
@click.option("--strict", is_flag=True, help="Fail when something is wrong, instead of writing it into the hooks' log.")
@as_json
def record(
    event: str, since: str | None, prompts: bool, every_commit: bool, folder: str | None, log: Path | None,
    strict: bool, as_json: bool,
) -> None:  # fmt: skip
    """Write or update the entry of a session or a commit. Hooks call this command.

    It never fails and never blocks: errors go to GNOMON_HOME/outcome-hooks.log, and the exit code is 0.
    """
    try:
        own_log = log or log_of(Path.cwd(), folder)
        recorder_in = partial(recorder_for, log=own_log, prompts=prompts, every_commit=every_commit)
        recordings = _recorded(event, since, folder, recorder_in, patience=None if strict else _PATIENCE_SECONDS)
    except Exception as bad:
        if strict:
            raise
        _note(event, bad)
        return
    if as_json:
        show.json([recording.as_json() for recording in recordings])


def _recorded(
    event: str,
    since: str | None,
    part: str | None,
    recorder_in: "Callable[[Path], Recorder]",
    *,
    patience: float | None,
) -> "list[Recording]":
    from gnomon.outcome.loglock import writing_alone

    is_agent = event in ("claude-code", "codex")
    payload = _payload() if is_agent else {}
    recorder = recorder_in(_part(Path(payload.get("cwd") or Path.cwd()), part))
    with writing_alone(recorder.plan.log, seconds=patience):
        if event == "git":
            return [recorder.commit()]
        if not is_agent:
            return recorder.since(since)
        path = payload.get("transcript_path")
        return [recorder.session(Path(path).expanduser() if path else recorder.newest(payload.get("session_id") or ""))]


def _part(folder: Path, part: str | None) -> Path:
    """The part of a repository that a hook was installed for, or the folder itself."""
    from gnomon.outcome.scorelog import repository_around

    return repository_around(folder) / part if part else folder


def log_of(folder: Path, part: str | None) -> Path | None:
    """The log of a part of a repository; None where the usual one is meant."""
    from gnomon.outcome.iterlog import DEFAULT_LOG

    return _part(folder, part) / DEFAULT_LOG if part else None


def _payload() -> dict[str, Any]:
    """What an agent writes to a hook's standard input."""
    text = "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.read()
    payload = json.loads(text) if text.strip() else {}
    if not isinstance(payload, dict):
        raise InvalidInput.of("stdin", "standard input is not a JSON object, as agents give it to their hooks")
    return payload


def recorder_for(
    folder: Path, log: Path | None, *, prompts: bool, every_commit: bool, flags: dict[str, Any] | None = None
) -> "Recorder":
    from gnomon.outcome.recording import Recorder, RecordingPlan
    from gnomon.outcome.scorelog import log_around

    impl, more = _by_hand(flags or {})
    plan = RecordingPlan(folder, log or log_around(folder), prompts, every_commit, impl, more)
    return Recorder(plan)


def _by_hand(flags: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of an entry that flags say."""
    impl = {
        "summary": flags.get("summary"),
        "scope_note": flags.get("scope_note"),
        "retries": flags.get("retries"),
        "focused_tests_pass": flags.get("tests_pass"),
    }
    decision = flags.get("decision")
    more = {
        "wave": flags.get("wave"),
        "task_id": flags.get("task"),
        "review": {"overall_decision": decision} if decision else None,
    }
    return (
        {name: value for name, value in impl.items() if value is not None},
        {name: value for name, value in more.items() if value is not None},
    )


def moment_before(flag: str, text: str) -> int:
    """A moment in seconds, from an age or a date."""
    moment = moment_since(flag, text, now())
    assert moment is not None
    return int(moment.timestamp())


def _note(event: str, bad: Exception) -> None:
    """One line in the hooks' log. Where even that cannot be written, nothing is."""
    where = traceback.extract_tb(bad.__traceback__)[-1] if bad.__traceback__ else None
    words = bad.message if isinstance(bad, GnomonError) else f"{type(bad).__name__}: {bad}"
    at = "" if isinstance(bad, GnomonError) or where is None else f" ({Path(where.filename).name}:{where.lineno})"
    line = f"{now().isoformat(timespec='microseconds')} {event} in {Path.cwd()}: {' '.join(words.split())}{at}\n"
    try:
        path = hooks_log()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > _LARGEST_LOG:
            path.replace(path.with_suffix(".log.1"))
        with path.open("a", encoding="utf-8", errors="replace") as file:
            file.write(line)
    except OSError:
        return


def hooks_log() -> Path:
    return from_environment().home / "outcome-hooks.log"


def hook_errors(top: Path, log: Path) -> list[str]:
    """What hooks could not do in this repository since an entry was last written, the oldest first."""
    try:
        lines = hooks_log().read_text("utf-8", errors="replace").splitlines()
        written = max((path.stat().st_mtime for path in log.glob("iter-*.yaml")), default=0.0)
    except OSError:
        return []
    here = [line for line in lines if any(f" in {top}{end}" in line for end in (":", "/"))]
    return [line for line in here if _moment_of(line) > written]


def _moment_of(line: str) -> float:
    try:
        return datetime.fromisoformat(line.partition(" ")[0]).timestamp()
    except ValueError:
        return 0.0
