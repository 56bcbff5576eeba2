"""`gnomon outcome`: what a coding agent's iterations were worth, from its log, git, sessions and hooks."""

import functools
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags, refusal_of_flags, with_backend
from gnomon.cli.flags import as_json
from gnomon.cli.groups import CommandGroup
from gnomon.cli.outcome_groups import compare, gate
from gnomon.cli.outcome_people import hook_outcome, label
from gnomon.errors import InvalidInput, NotFound
from gnomon.settings import from_environment

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.model.outcome import IterationDraft, IterationsAccepted
    from gnomon.outcome import Rubric, ScorePlan

_NO_LOG = ".git/no-iteration-log"


@click.group(cls=CommandGroup)
def outcome() -> None:
    """What a coding agent's iterations were worth, and why."""


outcome.add_command(label)
outcome.add_command(hook_outcome)
outcome.add_command(compare)
outcome.add_command(gate)


_log = click.option(
    "--log", type=click.Path(path_type=Path), help="The iteration log (default: .agents/active/iteration-log)."
)


def _evidence_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where the evidence lies and how it is read; the command gets all of it as one plan."""

    @click.option("--repo", type=click.Path(path_type=Path), help="The git repository (default: the one around here).")
    @click.option(
        "--transcripts",
        type=click.Path(path_type=Path),
        multiple=True,
        help="A folder of agents' sessions, with all in it; several may be given (default: this repository's).",
    )
    @click.option("--no-transcripts", is_flag=True, help="Read no sessions.")
    @click.option("--trunk", help="The branch that work lands on (default: origin/HEAD, main or master).")
    @click.option(
        "--path", multiple=True, help="Count only commits that touch this folder, file or glob; may be repeated."
    )
    @click.option("--rubric", help="2.1.0 (default), 3.0.0, or a YAML file of your own.")
    @click.option(
        "--profile",
        type=click.Choice(["gnomon", "compat"]),
        default="gnomon",
        show_default=True,
        help="The best evidence, or the original's rules to the last digit.",
    )
    @click.option(
        "--ci",
        type=click.Path(path_type=Path),
        multiple=True,
        help="A folder of JUnit files with commit ids in their paths.",
    )
    @click.option("--test-runner", multiple=True, help="A command that runs tests here, such as 'just test'.")
    @click.option("--no-cache", is_flag=True, help="Read everything anew.")
    @functools.wraps(command)
    def run(
        repo: Path | None, transcripts: tuple[Path, ...], no_transcripts: bool, trunk: str | None,
        rubric: str | None, profile: Any, ci: tuple[Path, ...], test_runner: tuple[str, ...], no_cache: bool,
        path: tuple[str, ...], log: Path | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        from gnomon.outcome import ScorePlan
        from gnomon.outcome.scorelog import log_around, repository_around

        if transcripts and no_transcripts:
            raise InvalidInput.of("transcripts", "--transcripts and --no-transcripts contradict each other; give one")
        for folder in ci:
            if not folder.is_dir():
                raise InvalidInput.of("ci", f"--ci {folder} is not a folder; give one with JUnit files in it")
        start = repo or Path.cwd()
        top = repository_around(start, None if repo else log)
        own = () if no_transcripts or profile == "compat" else _own_sessions(top)
        plan = ScorePlan(
            log=log or log_around(start, top),
            repo=repo or top,
            transcripts=transcripts or own,
            profile=profile,
            rubric=rubric,
            trunk=trunk,
            cache=None if no_cache else from_environment().home / "cache" / "outcome",
            ci=ci,
            runners=test_runner,
            as_of=_now(),
            paths=_parts(path),
        )
        return command(plan, **options)

    return run  # fmt: skip


def _parts(paths: tuple[str, ...]) -> tuple[str, ...]:
    from gnomon.outcome.plans import leaves_repository

    for path in paths:
        if not path.strip() or leaves_repository(path):
            words = (
                f"--path {path!r} is outside of the repository; give it from the repository's top, such as services/api"
            )
            raise InvalidInput.of("path", words)
    return paths


def _own_sessions(top: Path) -> tuple[Path, ...]:
    """Where agents keep the sessions of this repository, if they do."""
    claude = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    codex = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(top))
    return tuple(folder for folder in (claude / "projects" / slug, codex / "sessions") if folder.is_dir())


def _now() -> datetime:
    return datetime.now(UTC)


@outcome.command(short_help="Score a log, and write the scores beside it.")
@_log
@_evidence_flags
@click.option("--iteration", type=click.IntRange(min=1), help="Score this one only, and its session with it.")
@click.option("--no-write", is_flag=True, help="Show, and write nothing beside the log.")
@as_json
def score(plan: "ScorePlan", iteration: int | None, no_write: bool, as_json: bool) -> None:
    """Score the iterations of a log, and write each score beside its entry.

    \b
    gnomon outcome score --transcripts ~/.claude/projects
    gnomon outcome score --iteration 12 --no-write --json
    """
    from dataclasses import replace

    from gnomon.cli.show.outcome import scored as show_scored
    from gnomon.outcome import scorelog

    plan = replace(plan, iteration=iteration)
    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        scored_log = scorelog.score(plan, _now(), write=not no_write, on_progress=progress)
    if as_json:
        show.json(scorelog.as_json(scored_log.report))
    else:
        show_scored(scored_log, plan)


@outcome.command("show", short_help="How one score comes about.")
@click.argument("iteration", type=click.IntRange(min=1))
@_log
@_evidence_flags
@as_json
def show_one(plan: "ScorePlan", iteration: int, as_json: bool) -> None:
    """How the score of one ITERATION comes about: bars that add up, claims beside facts, and what is missing."""
    from dataclasses import replace

    from gnomon.cli.show.outcome import explained
    from gnomon.outcome import scorelog

    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        iteration_score = scorelog.shown(replace(plan, iteration=iteration), progress)
    show.json(scorelog.shown_json(iteration_score)) if as_json else explained(iteration_score)


@outcome.command(short_help="Iterations of one session together.")
@_log
@_evidence_flags
@as_json
def sessions(plan: "ScorePlan", as_json: bool) -> None:
    """Iterations of one agent session together, each mean with its interval."""
    from gnomon.cli.show.outcome import sessions as show_sessions
    from gnomon.outcome import scorelog

    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        report = scorelog.score(plan, _now(), write=False, on_progress=progress).report
    report_json = scorelog.as_json(report)
    kept = {name: report_json[name] for name in ("rubric_version", "profile", "sessions", "diagnostics")}
    show.json(kept) if as_json else show_sessions(report_json["sessions"], report.diagnostics)


@outcome.command(short_help="Claims held against facts, by role.")
@_log
@_evidence_flags
@as_json
def integrity(plan: "ScorePlan", as_json: bool) -> None:
    """How far each role's claims are borne out by what was observed, with intervals."""
    from gnomon.cli.show.outcome import honesty
    from gnomon.outcome import scorelog

    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        report = scorelog.score(plan, _now(), write=False, on_progress=progress).report
    profile = scorelog.profile_of(report)
    diagnostics = [diagnostic.as_json() for diagnostic in report.diagnostics]
    show.json({**profile.model_dump(mode="json"), "diagnostics": diagnostics}) if as_json else honesty(
        profile, report.diagnostics
    )


@outcome.command(short_help="Every score by two rubrics, side by side.")
@_log
@_evidence_flags
@click.option("--against", default="2.1.0", show_default=True, help="The rubric to compare with.")
@click.option("--write/--no-write", default=False, help="Write the new scores beside the log.")
@as_json
def backfill(plan: "ScorePlan", against: str, write: bool, as_json: bool) -> None:
    """Compute all scores under another rubric, side by side with those under the present one.

    \b
    gnomon outcome backfill --rubric 3.0.0
    """
    from dataclasses import replace

    from gnomon.cli.show.outcome import recomputed as show_recomputed
    from gnomon.outcome import scorelog

    other = _other_rubric(against, plan.rubric)
    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        before = scorelog.score(replace(plan, rubric=other), _now(), write=False, on_progress=progress)
        after = scorelog.score(plan, _now(), write=write)
    recomputed = scorelog.recomputed(before.report, after.report)
    show.json(scorelog.recomputed_json(recomputed)) if as_json else show_recomputed(recomputed, after.written)


def _other_rubric(against: str, rubric: Any) -> "Rubric":
    from gnomon.outcome import load_rubric

    try:
        other = load_rubric(against)
    except InvalidInput as bad:
        raise InvalidInput.of("against", bad.message.replace("--rubric ", "--against ", 1)) from None
    if load_rubric(rubric or against) == other:
        words = f"--rubric and --against are both {against}; name another rubric, such as --rubric 3.0.0"
        raise InvalidInput.of("rubric", words)
    return other


@outcome.command(short_help="Send written scores to a server.")
@click.option(
    "--log", type=click.Path(path_type=Path), help="The iteration log (default: .agents/active/iteration-log)."
)
@click.option("--source", help="What to call this repository there (default: its remote's name).")
@click.option("--label", "labels", multiple=True, help="Give these iterations a label to compare by; may be repeated.")
@click.option("--project", help="The project to put it in (not needed with a project's own key).")
@backend_flags
@as_json
def push(
    log: Path | None, source: str | None, labels: tuple[str, ...], project: str | None, url: str | None,
    key: str | None, db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Send the scores that were written to a server, or into a database. Sending them again changes nothing.

    What is sent replaces what is there of these iterations, with its labels. Scores that people or judges attached to
    them stay.

    \b
    gnomon outcome score && gnomon outcome push --project my-app
    """
    from gnomon.cli.backend import open_backend
    from gnomon.cli.show.outcome import pushed
    from gnomon.outcome import scorelog

    top = scorelog.repository_around(log or Path.cwd(), Path.cwd())
    ready = scorelog.from_sidecars(log or scorelog.log_around(Path.cwd(), top), labels)
    named = source or _remote_name(top) or top.name
    with open_backend(url, key, db) as backend, show.progress("sending", quiet=as_json) as progress:
        sent = scorelog.send(ready, lambda batch: _pushed(backend, project, named, batch), progress)
    if as_json:
        diagnostics = [diagnostic.as_json() for diagnostic in sent.diagnostics]
        show.json({"source": named, **sent.accepted.model_dump(), "diagnostics": diagnostics})
    else:
        pushed(named, sent)


def _pushed(
    backend: "Backend", project: str | None, source: str, batch: "list[IterationDraft]"
) -> "IterationsAccepted":
    from gnomon.model.outcome import IterationBatchDraft

    try:
        return backend.push_iterations(IterationBatchDraft(project_id=project, source=source, iterations=batch))
    except InvalidInput as bad:
        if bad.code == "PROJECT_REQUIRED":
            raise InvalidInput.of("project", "iterations belong to a project; name it with --project") from None
        raise refusal_of_flags(bad, project_id=("project", project), source=("source", source)) from None


@outcome.command(short_help="A page of what was pushed.")
@click.option("--html", type=click.Path(path_type=Path), required=True, help="Write the page here.")
@click.option("--source", help="Which repository (default: the one that was pushed last).")
@click.option("--rubric-version", help="Scores of this rubric (default: of the one that was pushed last).")
@click.option("--project", help="Its project (not needed when there is one only).")
@with_backend
@as_json
def trend(
    backend: "Backend", html: Path, source: str | None, rubric_version: str | None, project: str | None, as_json: bool
) -> None:
    """A page of what was pushed: scores over time, sessions, and claims against facts."""
    from gnomon.cli.backend import one_project
    from gnomon.cli.files import write_text
    from gnomon.cli.show.outcome import drawn
    from gnomon.report.outcomes import page

    project = one_project(backend, project, "iterations belong to a project")
    known = list(backend.iterations(project, source, rubric_version))
    if not known:
        filters = {"source": source, "rubric version": rubric_version}
        of = [f"{name} {value!r}" for name, value in filters.items() if value]
        words = f"the project {project} has no iterations{' of ' + ' and '.join(of) if of else ' yet'}"
        raise NotFound(f"{words}; `gnomon outcome push` sends them")
    last = max(known, key=lambda iteration: (iteration.updated_at, iteration.iteration))
    one_kind = [
        iteration
        for iteration in known
        if (iteration.source, iteration.rubric_version) == (last.source, last.rubric_version)
    ]
    kept = (project, last.source, last.rubric_version)
    text = page(
        sorted(one_kind, key=lambda iteration: iteration.iteration),
        list(backend.outcome_sessions(*kept)),
        backend.honesty(*kept),
    )
    write_text(html, text)
    result = {
        "page": str(html),
        "source": last.source,
        "rubric_version": last.rubric_version,
        "iterations": len(one_kind),
    }
    show.json(result) if as_json else drawn(len(one_kind), last.source, html)


def _remote_name(top: Path) -> str | None:
    from gnomon.errors import Refused
    from gnomon.outcome.gitfacts import Repository

    try:
        return Repository(top).remote_name()
    except Refused:
        return None


@outcome.command("from-git", short_help="Score plain history, without a log.")
@_evidence_flags
@click.option("--last", type=click.IntRange(min=1), help="Show so many of the newest (JSON has all).")
@click.option("--out", type=click.Path(path_type=Path), help="Write entries, scores and evidence into this folder.")
@as_json
def from_git(plan: "ScorePlan", last: int | None, out: Path | None, as_json: bool) -> None:
    """Score a repository that keeps no log: each commit on the trunk's own line is one iteration.

    A merge stands for its branch. What git alone shows is little, and is said to be: add --transcripts and --ci.
    """
    from dataclasses import replace

    from gnomon.cli.show.outcome import history
    from gnomon.outcome import scorelog
    from gnomon.outcome.pipeline import score_history

    if plan.profile == "compat":
        raise InvalidInput.of("profile", "--profile compat needs a log; from-git knows the gnomon profile only")
    # A log in this repository counts otherwise: the sidecars of its iteration 7 say nothing of the seventh commit.
    plan = replace(plan, log=out or plan.repo / _NO_LOG)
    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        report = score_history(plan, on_progress=progress)
    if out is not None:
        scorelog.write_history(out, report, _now())
    show.json(scorelog.as_json(report)) if as_json else history(report, last, out)


@outcome.command(short_help="Begin an iteration log.")
@click.option(
    "--log", type=click.Path(path_type=Path), help="Where to begin it (default: .agents/active/iteration-log)."
)
@click.option("--repo", type=click.Path(path_type=Path), help="The git repository (default: the one around here).")
@click.option("--transcripts", type=click.Path(path_type=Path), multiple=True, help="A folder of agents' sessions.")
@click.option("--no-write", is_flag=True, help="Show the entry and write nothing.")
@as_json
def init(log: Path | None, repo: Path | None, transcripts: tuple[Path, ...], no_write: bool, as_json: bool) -> None:
    """Begin an iteration log: its first entry from git and the newest session, with words that explain it."""
    from gnomon.agentlogs import session_files
    from gnomon.cli.show.outcome import begun
    from gnomon.outcome.scorelog import log_around, repository_around
    from gnomon.outcome.starter import first_entry

    start = repo or Path.cwd()
    top = repository_around(start)
    for folder in transcripts:
        if not folder.is_dir():
            raise InvalidInput.of(
                "transcripts", f"--transcripts {folder} is not a folder; give one with sessions in it"
            )
    sessions = session_files(transcripts or _own_sessions(top), on_problem=show.problem)
    starter = first_entry(log or log_around(start, top), top, sessions, _now())
    if not no_write:
        starter.write()
    if as_json:
        show.json(
            {"path": str(starter.path), "written": not no_write, "made_from": starter.made_from, "entry": starter.text}
        )
    else:
        begun(starter, written=not no_write)
