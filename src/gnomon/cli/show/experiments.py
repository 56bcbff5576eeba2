"""Experiments for people: summaries, comparisons, gates, and scores of a file."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.pen import line, parts
from gnomon.report.text.drawing import clean
from gnomon.shorten import counted

if TYPE_CHECKING:
    from gnomon.model.experiment import ExperimentComparison, ScorerSummary, Summary
    from gnomon.model.gates import GateResult
    from gnomon.report.evaluation import EvalReport
    from gnomon.report.gate import Gate

_SHOWN_SKIPS = 5


def summary(scores: "Summary", url: str | None = None) -> None:
    from gnomon.report.text import experiments as text

    parts(text.summary(scores))
    page(url)


def comparison(
    experiment_comparison: "ExperimentComparison", base_name: str, other_name: str, url: str | None = None
) -> None:
    from gnomon.report.text import experiments as text

    parts(text.comparison(experiment_comparison, base_name, other_name))
    page(url)


def decision(gate: "Gate", url: str | None = None) -> None:
    from gnomon.report.text import experiments as text

    line(text.decision(gate))
    page(url)


def gates(results: "Iterable[GateResult]", url: str | None = None) -> None:
    """A line per gate."""
    from gnomon.report.text import experiments as text

    for result in results:
        line(text.gate(result))
    page(url)


def file_notes(notes: Mapping[str, Sequence[str]]) -> None:
    """How files were read, on stderr, since results go to stdout."""
    import click

    for source, file_notes in notes.items():
        for note in file_notes:
            click.echo(f"gnomon: {clean(source)}: {clean(note)}", err=True)


def page(url: str | None) -> None:
    """Where a browser shows the same, as the last line; nothing without a server."""
    if url is not None:
        line(url)


def shared_link(report: "EvalReport") -> None:
    """The link that `--share` made."""
    if report.link is not None:
        line(f"shared, {report.link.words}: {report.link.url}")


def file_scores(report: Mapping[str, Any], scorers: "Sequence[ScorerSummary]") -> None:
    """What a file's scores say, and which lines could not be read."""
    from gnomon.report.text import experiments as text

    skipped = f", {counted(report['skipped'], 'line')} skipped" if report["skipped"] else ""
    line(f"{clean(report['file'])}: {counted(report['rows'], 'row')}{skipped}")
    parts(text.scorers(scorers))
    for why in report["skips"][:_SHOWN_SKIPS]:
        line(f"skipped: {clean(why)}")
    if len(report["skips"]) > _SHOWN_SKIPS:
        line(f"… and {report['skipped'] - _SHOWN_SKIPS:,} more")
    if report["out"]:
        line(f"scores are in {clean(report['out'])}")
