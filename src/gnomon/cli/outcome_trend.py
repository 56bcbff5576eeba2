"""`gnomon outcome trend`: a log over time, of this machine or of what was pushed."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gnomon.cli import show
from gnomon.cli.backend import backend_flags, one_project, open_backend
from gnomon.cli.files import write_text
from gnomon.cli.flags import as_json
from gnomon.cli.outcome_evidence import evidence_flags, log_flag, now
from gnomon.cli.outcome_record import hook_errors, hooks_log
from gnomon.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.outcome import ScorePlan

_OF_PUSHED = ("project", "source", "rubric_version", "url", "key", "db")
_OF_LOG = ("log", "repo")


@click.command(short_help="Show scores over time, of a log or of pushed scores.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page with plots here.")
@click.option("--source", help="With pushed scores: their repository (default: the last one).")
@click.option("--rubric-version", help="With pushed scores: their rubric (default: the last one).")
@click.option("--project", help="With pushed scores: their project (needed only where there are several).")
@backend_flags
@log_flag
@evidence_flags
@as_json
@click.pass_context
def trend(
    ctx: click.Context, plan: "ScorePlan", html: Path | None, source: str | None, rubric_version: str | None,
    project: str | None, url: str | None, key: str | None, db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Show iterations over time: how many there were, their scores, what landed, and what they cost.

    In a repository with a log, that log is scored and shown; no server is needed and nothing is written. With
    --project, --source, --rubric-version, --url or --db it draws pushed scores instead, which needs --html.

    \b
    gnomon outcome trend
    gnomon outcome trend --html trend.html
    """
    if _is_local(ctx, plan):
        _local(plan, html, as_json)
        return
    if html is None:
        words = f"{plan.log} is not a log; begin one with `gnomon outcome install`, or draw what was pushed by --html"
        raise InvalidInput.of("html", words)
    with open_backend(url, key, db) as backend:
        _pushed(backend, html, source, rubric_version, project, as_json)


def _is_local(ctx: click.Context, plan: "ScorePlan") -> bool:
    """Whether a log is shown: one that is named, or the one around here unless something says what was pushed."""
    pushed = [name for name in _OF_PUSHED if ctx.params.get(name) is not None]
    local = [name for name in _OF_LOG if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    if pushed and local:
        flags = [f"--{name.replace('_', '-')}" for name in (pushed[0], local[0])]
        words = f"{flags[0]} is about what was pushed, {flags[1]} about a log on this machine; give one of them"
        raise InvalidInput.of(pushed[0], words)
    return bool(local) or (not pushed and plan.log.is_dir())


def _local(plan: "ScorePlan", html: Path | None, as_json: bool) -> None:
    from gnomon.cli.show.outcome_trend import trended, troubled
    from gnomon.outcome import scorelog

    with show.progress("reading sessions", in_bytes=True, quiet=as_json) as progress:
        report = scorelog.score(plan, now(), write=False, on_progress=progress).report
    if not report.iterations:
        words = "has no iterations yet; `gnomon outcome add --past 30d` writes those of past sessions"
        raise NotFound(f"{plan.log} {words}")
    from gnomon.service.outcome.localtrend import local_changes, local_page, local_periods

    top = scorelog.repository_around(plan.repo)
    source = scorelog.source_name(top)
    periods, changes, errors = local_periods(report), local_changes(report), hook_errors(top, plan.log)
    if html is not None:
        write_text(html, local_page(report, source, now()))
    if as_json:
        diagnostics = [diagnostic.as_json() for diagnostic in report.diagnostics]
        known: dict[str, Any] = {"source": source, "rubric_version": report.rubric.version}
        known |= {"iterations": len(report.iterations), "page": None if html is None else str(html)}
        known |= {"periods": [asdict(period) for period in periods]}
        known |= {"evidence_changes": [asdict(change) for change in changes]}
        show.json({**known, "hook_errors": errors, "diagnostics": diagnostics})
    else:
        trended(report, periods, changes, source, html)
        troubled(errors, hooks_log())


def _pushed(
    backend: "Backend", html: Path, source: str | None, rubric_version: str | None, project: str | None, as_json: bool
) -> None:
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
    wanted = (last.source, last.rubric_version)
    one_kind = [iteration for iteration in known if (iteration.source, iteration.rubric_version) == wanted]
    kept = (project, *wanted)
    ordered = sorted(one_kind, key=lambda iteration: iteration.iteration)
    write_text(html, page(ordered, list(backend.outcome_sessions(*kept)), backend.honesty(*kept)))
    result = {"page": str(html), "source": wanted[0], "rubric_version": wanted[1], "iterations": len(one_kind)}
    show.json(result) if as_json else drawn(len(one_kind), last.source, html)
