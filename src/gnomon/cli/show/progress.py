"""How far a long command is: in a terminal a bar with the time that is left, elsewhere one line per tenth."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import click

SILENT_SECONDS = 5.0
"""A log gets no line about what took less."""


class ProgressReport(Protocol):
    """Called with how much is done, and of how much; `details` stand behind the figures."""

    def __call__(self, done: int, total: int | None = None, details: str = "") -> None: ...


@contextmanager
def progress(
    title: str, total: int | None = None, *, in_bytes: bool = False, quiet: bool = False
) -> Iterator[ProgressReport]:
    """Show how far it is while the block runs; call the value it yields at every step.

    Without a total, as long as nobody knows it, the time so far stands for the time left.
    """
    if quiet:
        yield lambda done, total=None, details="": None
    elif not sys.stderr.isatty():
        yield TenthLines(title, total, lambda text: click.echo(text, err=True), in_bytes=in_bytes)
    else:
        with _bar(title, total, in_bytes) as report:
            yield report


@contextmanager
def _bar(title: str, total: int | None, in_bytes: bool) -> Iterator[ProgressReport]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn() if in_bytes else
        MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
        TextColumn("{task.fields[details]}", markup=False),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total, details="")

        def report(done: int, total: int | None = None, details: str = "") -> None:
            bar.update(task, total=total, completed=done, details=details)  # a total of None leaves the former one

        yield report


class TenthLines:
    """For logs: a line at every tenth, with the time that is left. Nothing about what takes a few seconds."""

    def __init__(
        self, title: str, total: int | None, write: Callable[[str], object], *, in_bytes: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._title, self._total, self._write, self._in_bytes, self._clock = title, total, write, in_bytes, clock
        self._began = clock()
        self._tenths = 0

    def __call__(self, done: int, total: int | None = None, details: str = "") -> None:
        self._total = total if total is not None else self._total
        if not self._total:
            return
        tenths, seconds = min(10, 10 * done // self._total), self._clock() - self._began
        if tenths <= self._tenths:
            return
        self._tenths = tenths
        if seconds >= SILENT_SECONDS and tenths < 10:
            left = in_words(seconds * (self._total - done) / done)
            amount = f"{self._amount(done)} of {self._amount(self._total)}"
            self._write(", ".join(filter(None, [f"{self._title}: {10 * tenths} % ({amount}), {left} left", details])))

    def _amount(self, count: int) -> str:
        return f"{count / 1e6:,.1f} MB" if self._in_bytes else f"{count:,}"


def in_words(seconds: float) -> str:
    """A time as one would say it.

    >>> in_words(41.7), in_words(150), in_words(9000)
    ('about 42 s', 'about 3 min', 'about 2.5 h')
    """
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {round(seconds / 60)} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
