"""Findings of the linter, for people: one line each, the worst first."""

from typing import TYPE_CHECKING

from gnomon.cli.show.pen import line
from gnomon.report.text.drawing import clean
from gnomon.shorten import counted

if TYPE_CHECKING:
    from gnomon.service.analysis.lint import Lint, LintFinding


def linted(lint: "Lint") -> None:
    for finding in lint.findings:
        line(f"{finding.severity}: {_location(finding, lint.unit)}{clean(finding.message)}")
    counts = [
        sum(lint_finding.severity == severity for lint_finding in lint.findings)
        for severity in ("error", "warning", "note")
    ]
    summary = ", ".join(counted(count, word) for count, word in zip(counts, ("error", "warning", "note"), strict=True))
    line(f"{clean(lint.source)}: {counted(lint.rows, 'row')}, {summary}")


def _location(finding: "LintFinding", unit: str) -> str:
    """Where it is. What has no line names its agents itself."""
    agents = [clean(finding.agent)] if finding.agent is not None else []
    where = [f"{unit} {finding.line}"] if finding.line is not None else []
    return f"{', '.join(agents + where)}: " if finding.line is not None else ""
