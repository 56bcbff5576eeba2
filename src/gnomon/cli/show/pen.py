"""How anything is written: lines, JSON, tables, whiskers, progress.

Results go to stdout; problems and progress to stderr. Which words and columns a noun gets is for the other
files of this room.
"""

import json as _json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.table import Table

_PIPED_WIDTH = 160
_WHISKER = 25
_CONTROLS = re.compile("[\x7f-\x9f]")


def prepare() -> None:
    """A terminal that lacks a letter gets a question mark for it, not a crash."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def line(text: str = "") -> None:
    click.echo(text)


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


def table(*columns: str, right: Sequence[str] = (), headed: bool = True) -> "Table":
    from rich.table import Table

    table = Table(box=None, show_header=headed, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in columns:
        drawn = name.startswith(("0 ", "0.", "-"))  # an axis: a whisker that is cut says something wrong
        table.add_column(name, justify="right" if name in right else "left", no_wrap=drawn or name in right)
    return table


def draw(table: "Table") -> None:
    """Full width in a terminal; wide when piped, so that no line is broken. Names are never markup."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    console = Console(markup=False, emoji=False, highlight=False, width=width)
    with console.capture() as drawn:
        console.print(table)
    for row in drawn.get().splitlines():
        line(row.rstrip())


def any_letter() -> bool:
    """Whether stdout can write what is not ASCII."""
    return "utf" in (sys.stdout.encoding or "").lower()


def axis(start: str, end: str) -> str:
    return start + " " * (_WHISKER - len(start) - len(end)) + end


def whisker(value: float | None, ends: "tuple[float, float] | None", start: float, end: float) -> str:
    """An interval drawn to scale: ├──●──┤, with a mark at zero when the axis has one inside."""
    if value is None or ends is None:
        return ""
    dot, left, middle, right, mean, zero = "·├─┤●│" if any_letter() else ".[-]o|"

    def place(x: float) -> int:
        return round((min(max(x, start), end) - start) / (end - start) * (_WHISKER - 1))

    cells = [dot] * _WHISKER
    if start < 0 < end:
        cells[place(0)] = zero
    low, high = place(ends[0]), place(ends[1])
    cells[low : high + 1] = [middle] * (high - low + 1)
    cells[low], cells[high] = left, right
    cells[place(value)] = mean
    return "".join(cells)


def number(value: float | None, sign: str = "") -> str:
    return "–" if value is None else f"{value:{sign}z.3f}"


def interval(ends: "tuple[float, float] | None") -> str:
    return "–" if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"


def clean(text: str) -> str:
    """Names come from outside: what could move a terminal's cursor is shown as a question mark."""
    return "".join(letter if letter.isprintable() else "�" for letter in " ".join(text.split()))
