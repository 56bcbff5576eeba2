"""Findings of the linter, for people: one line each, the worst first."""

from typing import TYPE_CHECKING

from gnomon.cli.show.pen import line
from gnomon.report.text.drawing import clean

if TYPE_CHECKING:
    from gnomon.service.lint import Finding, Lint


def linted(found: "Lint") -> None:
    for one in found.findings:
        line(f"{one.severity}: {_place(one, found.unit)}{clean(one.message)}")
    counts = [sum(one.severity == severity for one in found.findings) for severity in ("error", "warning", "note")]
    told = ", ".join(_counted(count, word) for count, word in zip(counts, ("error", "warning", "note"), strict=True))
    line(f"{clean(found.source)}: {_counted(found.rows, 'row')}, {told}")


def _place(one: "Finding", unit: str) -> str:
    """Where it is. What has no line names its agents itself."""
    who = [clean(one.agent)] if one.agent is not None else []
    where = [f"{unit} {one.line}"] if one.line is not None else []
    return f"{', '.join(who + where)}: " if one.line is not None else ""


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"
