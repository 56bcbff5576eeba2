"""`gnomon outcome report`: what a team reads of a week of agents' work."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from gnomon.cli import show
from gnomon.cli.files import write_text
from gnomon.cli.flags import as_json
from gnomon.cli.outcome_evidence import evidence_flags, log_flag
from gnomon.cli.reports import STDOUT, check_reports
from gnomon.errors import InvalidInput, NotFound
from gnomon.model.workreport import ReportBy

if TYPE_CHECKING:
    from gnomon.model.workreport import WorkReport
    from gnomon.outcome import ScorePlan

_AGE = re.compile(r"(\d{1,6})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 168}
_file = click.Path(path_type=Path, dir_okay=False)

since_flag = click.option("--since", metavar="AGE|DATE", help="Only what landed since then: 7d, 36h, 2w, 2026-01-31.")
by_flag = click.option(
    "--by",
    type=click.Choice(get_args(ReportBy)),
    help="Also group the changes. Names of authors are shown with `author` only.",
)


def moment_since(flag: str, text: str | None, before: datetime) -> datetime | None:
    """The moment that an age or a date names; None without one."""
    if text is None:
        return None
    age = _AGE.fullmatch(text.strip())
    try:
        if age:
            return before - timedelta(hours=int(age[1]) * _HOURS[age[2]])
        moment = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        words = f"--{flag} {text!r} is neither an age nor a date; write 7d, 36h, 2w or 2026-01-31"
        raise InvalidInput.of(flag, words) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@click.command(short_help="Report what landed, what was undone, and what it cost.")
@click.option("--since", default="7d", show_default=True, metavar="AGE|DATE",
              help="What landed since then: 7d, 36h, 2w, 2026-01-31, or `all`.")  # fmt: skip
@click.option("--until", metavar="AGE|DATE", help="Look at the repository as of then (default: now).")
@click.option("--from-git", "plain", is_flag=True, help="Report on plain history, also where there is a log.")
@by_flag
@click.option("--markdown", "markdown_file", type=_file, metavar="FILE",
              help="Write it as Markdown; - writes it to stdout, instead of the text.")  # fmt: skip
@click.option("--html", "html_file", type=_file, metavar="FILE", help="Write it as a page.")
@log_flag
@evidence_flags
@as_json
def report(
    plan: "ScorePlan", since: str, until: str | None, plain: bool, by: ReportBy | None, markdown_file: Path | None,
    html_file: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Report what landed, what was undone and why, what a landed change cost, which claims did not hold, and what is
    worth a look.

    The report covers the log, or, without one, plain history: each commit on the trunk's own line is a change.
    What counts is when work landed, not when it was written.

    \b
    gnomon outcome report --since 7d
    gnomon outcome report --since 2026-01-01 --by agent --html report.html
    """
    from gnomon.report.text.workreport import lines

    check_reports(markdown_file, html_file, as_json=as_json)
    work = _work_report(plan, since, until, by, plain=plain, quiet=as_json or markdown_file == STDOUT)
    _write(work, markdown_file, html_file)
    if as_json:
        show.json(work)
    elif markdown_file != STDOUT:
        show.parts(lines(work))


def _work_report(
    plan: "ScorePlan", since: str, until: str | None, by: ReportBy | None, *, plain: bool, quiet: bool
) -> "WorkReport":
    from dataclasses import replace

    from gnomon.outcome.pipeline import NO_LOG, score_history, score_log
    from gnomon.outcome.scorelog import source_name
    from gnomon.outcome.workreport import ReportFrame, work_report

    if plan.profile == "compat":
        raise InvalidInput.of("profile", "--profile compat knows no landings; report knows the gnomon profile only")
    assert plan.as_of is not None
    as_of = moment_since("until", until, plan.as_of) or plan.as_of
    start = None if since == "all" else moment_since("since", since, as_of)
    if start is not None and start > as_of:
        raise InvalidInput.of("since", f"--since {since} is after --until; swap the two")
    plain = plain or not plan.log.is_dir()
    plan = replace(plan, as_of=as_of, fates=True, authors=by == "author")
    with show.progress("reading sessions", in_bytes=True, quiet=quiet) as progress:
        if plain:
            scored = score_history(replace(plan, log=plan.repo / NO_LOG, since=start), on_progress=progress)
        else:
            scored = score_log(plan, on_progress=progress)
    if not scored.fates and scored.iterations:
        raise NotFound(f"{plan.repo} is not a git repository, so it is unknown what landed; name one with --repo")
    return work_report(scored, ReportFrame(source_name(plan.repo), start, as_of, plain, by))


def _write(work: "WorkReport", markdown_file: Path | None, html_file: Path | None) -> None:
    from gnomon.report.workreport import markdown, page

    if markdown_file == STDOUT:
        click.echo(markdown(work), nl=False)
    elif markdown_file is not None:
        write_text(markdown_file, markdown(work), "--markdown")
    if html_file is not None:
        write_text(html_file, page(work))


@click.command(short_help="Print an iteration's card for a pull request.")
@click.argument("iterations", metavar="ITERATION...", type=click.IntRange(min=1), nargs=-1)
@click.option("--range", "range_", metavar="BASE..HEAD", help="The iterations whose commits HEAD has and BASE has not.")
@click.option("--markdown", "markdown_file", type=_file, metavar="FILE",
              help="Write it here (default: print it).")  # fmt: skip
@log_flag
@evidence_flags
def card(
    plan: "ScorePlan", iterations: tuple[int, ...], range_: str | None, markdown_file: Path | None
) -> None:  # fmt: skip
    """Print the cards of iterations as Markdown: the score, where it comes from, broken claims, and the cost.

    With --range, the iterations of a pull request; if the log has none of its commits, they count as one iteration. No
    files are written. The GitHub step `actions/outcome-card` posts the card as a comment on the pull request.

    \b
    gnomon outcome card 12
    gnomon outcome card --range origin/main..HEAD --markdown card.md
    """
    from gnomon.outcome.cards import cards_between, cards_of
    from gnomon.report.iterationcard import markdown

    if bool(iterations) == bool(range_):
        raise InvalidInput.of("range", "name iterations or give --range BASE..HEAD, not both")
    check_reports(markdown_file)
    with show.progress("reading sessions", in_bytes=True, quiet=True) as progress:
        cards = cards_between(plan, *_ends(range_), progress) if range_ else cards_of(plan, iterations, progress)
    text = markdown(cards, f"{range_} has no commit.")
    if markdown_file in (None, STDOUT):
        click.echo(text, nl=False)
    else:
        write_text(markdown_file, text, "--markdown")


def _ends(text: str) -> tuple[str, str]:
    base, dots, head = text.partition("..")
    if not (base and dots and head) or head.startswith("."):
        raise InvalidInput.of("range", f"--range {text!r} is not a range; write BASE..HEAD, such as origin/main..HEAD")
    return base, head
