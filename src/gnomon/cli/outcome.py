"""`gnomon outcome`: what a coding agent's iterations were worth, from its log, git, sessions and hooks."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags, refusal_of_flags
from gnomon.cli.flags import as_json
from gnomon.cli.groups import CommandGroup
from gnomon.cli.outcome_evidence import evidence_flags, log_flag, now, own_sessions
from gnomon.cli.outcome_groups import compare, gate
from gnomon.cli.outcome_install import install, uninstall
from gnomon.cli.outcome_people import hook_outcome, label
from gnomon.cli.outcome_record import add, record
from gnomon.cli.outcome_report import by_flag, card, moment_since, report, since_flag
from gnomon.cli.outcome_trend import trend
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.model.outcome import IterationDraft, IterationsAccepted
    from gnomon.outcome import Rubric, ScorePlan


@click.group(cls=CommandGroup)
def outcome() -> None:
    """Score the iterations of a coding agent, and show the evidence."""


outcome.add_command(label)
outcome.add_command(hook_outcome)
outcome.add_command(install)
outcome.add_command(uninstall)
outcome.add_command(add)
outcome.add_command(record)
outcome.add_command(compare)
outcome.add_command(gate)
outcome.add_command(report)
outcome.add_command(card)
outcome.add_command(trend)


@outcome.command(short_help="Score a log, and write the scores beside it.")
@log_flag
@evidence_flags
@click.option("--iteration", type=click.IntRange(min=1), help="Score only this iteration and its session.")
@click.option("--no-write", is_flag=True, help="Show the scores; write no files.")
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
        scored_log = scorelog.score(plan, now(), write=not no_write, on_progress=progress)
    if as_json:
        show.json_members(scorelog.json_parts(scored_log.report))
    else:
        show_scored(scored_log, plan)


@outcome.command("show", short_help="Explain one score.")
@click.argument("iteration", type=click.IntRange(min=1))
@log_flag
@evidence_flags
@as_json
def show_one(plan: "ScorePlan", iteration: int, as_json: bool) -> None:
    """Explain the score of one ITERATION: what each signal adds, claims beside facts, and what is missing."""
    from dataclasses import replace

    from gnomon.cli.show.outcome import explained
    from gnomon.outcome import scorelog

    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        iteration_score = scorelog.shown(replace(plan, iteration=iteration), progress)
    show.json(scorelog.shown_json(iteration_score)) if as_json else explained(iteration_score)


@outcome.command(short_help="Summarise the iterations of each session.")
@log_flag
@evidence_flags
@as_json
def sessions(plan: "ScorePlan", as_json: bool) -> None:
    """Summarise the iterations of each agent session: means with their intervals."""
    from gnomon.cli.show.outcome import sessions as show_sessions
    from gnomon.outcome import scorelog

    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        report = scorelog.score(plan, now(), write=False, on_progress=progress).report
    parts = scorelog.json_parts(report)
    kept = {name: parts[name] for name in ("rubric_version", "profile", "sessions", "diagnostics")}
    show.json(kept) if as_json else show_sessions(kept["sessions"], report.diagnostics)


@outcome.command(short_help="Compare claims with facts, per role.")
@log_flag
@evidence_flags
@as_json
def integrity(plan: "ScorePlan", as_json: bool) -> None:
    """Measure how often each role's claims agree with the facts, with intervals."""
    from gnomon.cli.show.outcome import honesty
    from gnomon.outcome import scorelog

    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        report = scorelog.score(plan, now(), write=False, on_progress=progress).report
    profile = scorelog.profile_of(report)
    diagnostics = [diagnostic.as_json() for diagnostic in report.diagnostics]
    show.json({**profile.model_dump(mode="json"), "diagnostics": diagnostics}) if as_json else honesty(
        profile, report.diagnostics
    )


@outcome.command(short_help="Compare all scores under two rubrics.")
@log_flag
@evidence_flags
@click.option("--against", default="2.1.0", show_default=True, help="Rubric to compare with.")
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
        before = scorelog.score(replace(plan, rubric=other), now(), write=False, on_progress=progress)
        after = scorelog.score(plan, now(), write=write)
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


@outcome.command(short_help="Push written scores to a server.")
@log_flag
@click.option("--source", help="Name of this repository on the server (default: its remote's name).")
@click.option("--label", "labels", multiple=True, help="Label these iterations, for later comparisons; repeatable.")
@click.option("--project", help="Project to store in (not needed with a project's own key).")
@backend_flags
@as_json
def push(
    log: Path | None, source: str | None, labels: tuple[str, ...], project: str | None, url: str | None,
    key: str | None, db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Push written scores to a server or a database. Pushing them again changes nothing.

    Pushed scores replace those stored for these iterations, and their labels. Scores that people or judges attached to
    them stay.

    \b
    gnomon outcome score && gnomon outcome push --project my-app
    """
    from gnomon.cli.backend import open_backend
    from gnomon.cli.show.outcome import pushed
    from gnomon.outcome import scorelog

    top = scorelog.repository_around(log or Path.cwd(), Path.cwd())
    ready = scorelog.from_sidecars(log or scorelog.log_around(Path.cwd(), top), labels)
    named, address = source or scorelog.source_name(top), scorelog.web_address(top)
    with open_backend(url, key, db) as backend, show.progress("sending", quiet=as_json) as progress:
        sent = scorelog.send(ready, lambda batch: _pushed(backend, project, (named, address), batch), progress)
    if as_json:
        diagnostics = [diagnostic.as_json() for diagnostic in sent.diagnostics]
        show.json({"source": named, **sent.accepted.model_dump(), "diagnostics": diagnostics})
    else:
        pushed(named, sent)


def _pushed(
    backend: "Backend", project: str | None, repository: tuple[str, str | None], batch: "list[IterationDraft]"
) -> "IterationsAccepted":
    from gnomon.model.outcome import IterationBatchDraft

    source, repository_url = repository
    try:
        draft = IterationBatchDraft(
            project_id=project, source=source, repository_url=repository_url, iterations=batch
        )  # fmt: skip
        return backend.push_iterations(draft)
    except InvalidInput as bad:
        if bad.code == "PROJECT_REQUIRED":
            raise InvalidInput.of("project", "iterations belong to a project; name it with --project") from None
        raise refusal_of_flags(bad, project_id=("project", project), source=("source", source)) from None


@outcome.command("from-git", short_help="Score a git history without a log.")
@evidence_flags
@since_flag
@click.option(
    "--only",
    type=click.Choice(["interesting", "reverted"]),
    help="Show only changes that stand out (undone, tests failed, poor, …), or only undone ones.",
)
@by_flag
@click.option("--last", type=click.IntRange(min=1), help="Show only the N newest iterations (JSON has all).")
@click.option("--out", type=click.Path(path_type=Path), help="Write entries, scores and evidence into this folder.")
@as_json
def from_git(
    plan: "ScorePlan", since: str | None, only: Any, by: Any, last: int | None, out: Path | None, as_json: bool
) -> None:
    """Score a repository that keeps no log: each commit on the trunk's own line is one iteration.

    A merge stands for its branch. Git alone is little evidence, and scores say so: add --transcripts and --ci.

    \b
    gnomon outcome from-git --since 2w --only interesting
    gnomon outcome from-git --by path
    """
    from dataclasses import replace

    from gnomon.cli.show.outcome import grouped, history
    from gnomon.outcome import scorelog
    from gnomon.outcome.pipeline import NO_LOG, score_history
    from gnomon.outcome.workreport import groups_of, narrowed

    if plan.profile == "compat":
        raise InvalidInput.of("profile", "--profile compat needs a log; from-git knows the gnomon profile only")
    if only and out is not None:
        raise InvalidInput.of("only", "--out writes all iterations; leave out --only")
    # A log in this repository counts otherwise: the sidecars of its iteration 7 say nothing of the seventh commit.
    plan = replace(
        plan, log=out or plan.repo / NO_LOG, since=moment_since("since", since, plan.as_of or now()),
        fates=bool(only or by), authors=by == "author",
    )  # fmt: skip
    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        report = score_history(plan, on_progress=progress)
    if out is not None:
        scorelog.write_history(out, report, now())
    shown = narrowed(report, only)
    groups = groups_of(shown, by) if by else []
    if as_json:
        more = {"groups": [group.model_dump(mode="json") for group in groups]} if by else {}
        show.json_members({**scorelog.json_parts(shown), **more})
    else:
        history(shown, last, out)
        grouped(groups, by)


@outcome.command(short_help="Start an iteration log.")
@click.option(
    "--log", type=click.Path(path_type=Path), help="Folder for the log (default: .agents/active/iteration-log)."
)
@click.option("--repo", type=click.Path(path_type=Path), help="The git repository (default: the one of this folder).")
@click.option(
    "--transcripts",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Folder with agents' session files; repeatable.",
)
@click.option("--no-write", is_flag=True, help="Show the entry and write nothing.")
@as_json
def init(log: Path | None, repo: Path | None, transcripts: tuple[Path, ...], no_write: bool, as_json: bool) -> None:
    """Start an iteration log: write a first entry from git and the newest session, with comments that explain it."""
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
    sessions = session_files(transcripts or own_sessions(top), on_problem=show.problem)
    starter = first_entry(log or log_around(start, top), top, sessions, now())
    if not no_write:
        starter.write()
    if as_json:
        show.json(
            {"path": str(starter.path), "written": not no_write, "made_from": starter.made_from, "entry": starter.text}
        )
    else:
        begun(starter, written=not no_write)
