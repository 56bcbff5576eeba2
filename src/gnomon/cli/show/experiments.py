"""Experiments for people: summaries, comparisons, gates, and scores of a file."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.pen import line, parts
from gnomon.report.text.drawing import clean

if TYPE_CHECKING:
    from gnomon.model.experiment import ExperimentComparison, ScorerSummary, Summary
    from gnomon.report.gate import Gate
    from gnomon.service.gates import GateResults

_SHOWN_SKIPS = 5


def summary(found: "Summary", url: str | None = None) -> None:
    from gnomon.report.text import experiments as text

    parts(text.summary(found))
    _page(url)


def comparison(found: "ExperimentComparison", base_name: str, other_name: str, url: str | None = None) -> None:
    from gnomon.report.text import experiments as text

    parts(text.comparison(found, base_name, other_name))
    _page(url)


def decision(found: "Gate", url: str | None = None) -> None:
    from gnomon.report.text import experiments as text

    line(text.decision(found))
    _page(url)


def gates(found: "GateResults", url: str | None = None) -> None:
    """A line per gate."""
    from gnomon.report.text import experiments as text

    for result in found:
        line(text.gate(result))
    _page(url)


def _page(url: str | None) -> None:
    """Where a browser shows the same, as the last line; nothing without a server."""
    if url is not None:
        line(url)


def file_scores(told: Mapping[str, Any], scorers: "Sequence[ScorerSummary]") -> None:
    """What a file's scores say, and which lines could not be read."""
    from gnomon.report.text import experiments as text

    skipped = f", {told['skipped']} lines skipped" if told["skipped"] else ""
    line(f"{clean(told['file'])}: {told['rows']:,} rows{skipped}")
    parts(text.scorers(scorers))
    for why in told["skips"][:_SHOWN_SKIPS]:
        line(f"skipped: {clean(why)}")
    if len(told["skips"]) > _SHOWN_SKIPS:
        line(f"… and {told['skipped'] - _SHOWN_SKIPS:,} more")
    if told["out"]:
        line(f"scores are in {clean(told['out'])}")
