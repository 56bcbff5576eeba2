"""What an export wrote or sent, and its progress."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from gnomon.cli.show.pen import line, steps
from gnomon.report.text.drawing import clean

_ONE = {"batches": "batch"}


def exporting(total: int | None, *, quiet: bool = False) -> AbstractContextManager[Callable[[int], None]]:
    return steps("exporting", total, quiet=quiet)


def exported(report: Mapping[str, Any]) -> None:
    line(f"{counted(report['counts']) or 'nothing'} written to {report['path']}")


def sent(report: Mapping[str, Any]) -> None:
    batches = counted({"batches": report["batches"]})
    line(f"{counted(report['counts']) or 'nothing'} sent to {report['url']} in {batches}")
    if report["rejected"]:
        line(f"not taken there: {counted(report['rejected'])}")
    for message in report["messages"]:
        line(f"it says: {clean(message)}")


def counted(counts: Mapping[str, int]) -> str:
    """`1 experiment, 12 runs`."""
    return ", ".join(
        f"{count:,} {name if count != 1 else _ONE.get(name, name.removesuffix('s'))}" for name, count in counts.items()
    )
