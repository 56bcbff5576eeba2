"""A judge's report card for people, and what to label next."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import parts

if TYPE_CHECKING:
    from gnomon.model.card import JudgeCard, ProbePlan, ToLabel


@contextmanager
def probing(calls: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar over the calls of a probe. Silent unless it is shown in a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda ended: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("asking", total=calls)
        yield lambda ended: bar.update(task, completed=ended)


def probe_plan(plan: "ProbePlan") -> None:
    from gnomon.report.text import card as text

    parts(text.probe_plan(plan))


def card(judge_card: "JudgeCard", label_next: str) -> None:
    from gnomon.report.text import card as text

    parts(text.card(judge_card, label_next))


def to_label(labelling: "ToLabel") -> None:
    from gnomon.report.text import card as text

    parts(text.to_label(labelling))
