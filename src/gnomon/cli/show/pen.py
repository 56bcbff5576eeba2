"""How anything is written: lines, JSON, tables, progress.

Results go to stdout; problems and progress to stderr. Which words and columns a noun gets is for the other
files of this room, and for `report/text` where `print` in Python shows the same.
"""

import json as _json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from gnomon.report.text.drawing import any_letter, clean, table_lines

if TYPE_CHECKING:
    from rich.table import Table

    from gnomon.report.text.drawing import Part

_CONTROLS = re.compile("[\x7f-\x9f]")


def prepare() -> None:
    """A terminal that lacks a letter gets a question mark for it, not a crash."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def line(text: str = "") -> None:
    click.echo(text)


def parts(written: "Iterable[Part]") -> None:
    """Lines and tables, one after the other."""
    for part in written:
        line(part) if isinstance(part, str) else draw(part)


def problem(text: str) -> None:
    """What went wrong, on one line of stderr."""
    click.echo(f"gnomon: {clean(text)}", err=True)


def json(found: Any) -> None:
    """A noun, or a list of them, as the HTTP contract writes it."""
    click.echo(_written(found, indent=2))


def json_line(found: Any) -> None:
    click.echo(_written(found))


def _written(found: Any, indent: int | None = None) -> str:
    """JSON, with every letter as it is but those that a terminal obeys."""
    text = _json.dumps(_plain(found), indent=indent, ensure_ascii=not any_letter())
    return _CONTROLS.sub(lambda control: f"\\u{ord(control[0]):04x}", text)


@contextmanager
def progress(title: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """A bar with an estimate, told how many bytes of how many are done. Silent unless a person watches."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(title), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def steps(title: str, total: int | None, *, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar that is told how many are done. Silent unless a person watches."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)


def _plain(found: Any) -> Any:
    if is_dataclass(found) and not isinstance(found, type):
        return asdict(found)
    if isinstance(found, list):
        return [_plain(one) for one in found]
    return found.model_dump(mode="json") if hasattr(found, "model_dump") else found


def draw(table: "Table") -> None:
    """Print a table; its header is bold in a terminal."""
    for row in table_lines(table, styled=True):
        line(row)
