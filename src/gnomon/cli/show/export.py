"""What an export wrote or sent, and its progress."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from gnomon.cli.show.pen import line
from gnomon.cli.show.progress import ProgressReport, progress
from gnomon.report.text.drawing import clean
from gnomon.shorten import counted

_ONE = {"batches": "batch"}


def exporting(total: int | None, *, quiet: bool = False) -> AbstractContextManager[ProgressReport]:
    return progress("exporting", total, quiet=quiet)


def exported(report: Mapping[str, Any]) -> None:
    line(f"{_listed(report['counts']) or 'nothing'} written to {report['path']}")


def sent(report: Mapping[str, Any]) -> None:
    batches = _listed({"batches": report["batches"]})
    line(f"{_listed(report['counts']) or 'nothing'} sent to {report['url']} in {batches}")
    if report["rejected"]:
        line(f"not taken there: {_listed(report['rejected'])}")
    for message in report["messages"]:
        line(f"it says: {clean(message)}")


def _listed(counts: Mapping[str, int]) -> str:
    """`1 experiment, 12 runs`."""
    return ", ".join(counted(count, _ONE.get(name, name.removesuffix("s")), name) for name, count in counts.items())
