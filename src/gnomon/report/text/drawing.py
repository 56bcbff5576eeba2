"""How tables, whiskers and numbers are written as text."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, Union

from gnomon.shorten import shorten

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Part: TypeAlias = Union[str, "Table"]
"""What a text is made of: a line, or a table."""

_PIPED_WIDTH = 160
_ENDLESS = 100_000
_WHISKER = 25
_LONGEST = 200


def table(*columns: str, right: Sequence[str] = (), headed: bool = True) -> "Table":
    from rich.table import Table

    table = Table(box=None, show_header=headed, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in columns:
        no_wrap = _is_axis(name) or name in right  # a whisker that is cut says something wrong
        table.add_column(name, justify="right" if name in right else "left", no_wrap=no_wrap)
    return table


def table_lines(table: "Table", *, styled: bool = False) -> list[str]:
    """The table's lines, as wide as the terminal; wide when piped, so that no line is broken. Names are never markup.

    `styled` lets a terminal show the header bold; otherwise the text holds no codes, wherever it goes.
    """
    console = _console(_width(), "auto" if styled else None)
    with console.capture() as drawn:
        console.print(table)
    return [row.rstrip() for row in drawn.get().splitlines()]


def as_text(parts: Iterable[Part]) -> str:
    """What `print` shows of lines and tables."""
    lines = [row for part in parts for row in ([part] if isinstance(part, str) else table_lines(part))]
    return writable("\n".join(lines))


def plain_lines(parts: Iterable[Part]) -> Iterator[str]:
    """Lines and tables without whiskers, as wide as they need to be: for a reader who has no terminal."""
    for part in parts:
        yield from [part] if isinstance(part, str) else _plain_rows(part)


def _plain_rows(table: "Table") -> Iterator[str]:
    columns = [column for column in table.columns if not _is_axis(str(column.header))]
    cells = [[str(column.header), *map(str, column.cells)] for column in columns]
    widths = [max(map(len, column)) for column in cells]
    for row in zip(*cells, strict=True):
        padded = (
            cell.rjust(width) if column.justify == "right" else cell.ljust(width)
            for cell, width, column in zip(row, widths, columns, strict=True)
        )  # fmt: skip
        yield "  ".join(padded).rstrip()


def _is_axis(name: str) -> bool:
    """Whether this is the head of a column of whiskers."""
    return name.startswith(("0 ", "0.", "-"))


def fitting_table(build: "Callable[[bool], Table]") -> "Table":
    """`build(True)`, the table with its whiskers; in a narrow terminal the one without, so that figures stay whole."""
    whole = build(True)
    return whole if _console(_ENDLESS).measure(whole).maximum <= _console(_width()).width else build(False)


def _console(width: int | None, colors: 'Literal["auto"] | None' = None) -> "Console":
    """Never as in a notebook, where rich would show what we only want as text."""
    from rich.console import Console

    return Console(
        markup=False, emoji=False, highlight=False, width=width, color_system=colors, force_jupyter=False
    )  # fmt: skip


def _width() -> int | None:
    """None for that of the terminal."""
    return None if sys.stdout.isatty() else _PIPED_WIDTH


def any_letter() -> bool:
    """Whether stdout can write what is not ASCII."""
    return "utf" in (sys.stdout.encoding or "").lower()


def writable(text: str) -> str:
    """The text with a question mark for each letter that stdout lacks, so that printing it never fails."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, errors="replace").decode(encoding)


def axis(start: str, end: str) -> str:
    return start + " " * (_WHISKER - len(start) - len(end)) + end


def reach(intervals: Iterable[tuple[float, float] | None]) -> float:
    """How far an axis of differences must go to both sides of zero."""
    farthest = max((abs(end) for ends in intervals for end in ends or ()), default=0)
    return next(reach for reach in (0.05, 0.1, 0.2, 0.5, 1.0) if farthest <= reach)


def whisker(value: float | None, ends: "tuple[float, float] | None", start: float, end: float) -> str:
    """An interval drawn to scale: ├──●──┤, with a mark at zero when the axis has one inside."""
    if value is None or ends is None:
        return ""
    dot, left, middle, right, mean, zero = "·├─┤●│" if any_letter() else ".[-]o|"

    def column_of(x: float) -> int:
        return round((min(max(x, start), end) - start) / (end - start) * (_WHISKER - 1))

    cells = [dot] * _WHISKER
    if start < 0 < end:
        cells[column_of(0)] = zero
    low, high = column_of(ends[0]), column_of(ends[1])
    cells[low : high + 1] = [middle] * (high - low + 1)
    cells[low], cells[high] = left, right
    cells[column_of(value)] = mean
    return "".join(cells)


def number(value: float | None, sign: str = "") -> str:
    return "–" if value is None else f"{value:{sign}z.3f}"


def interval(ends: "tuple[float, float] | None") -> str:
    return "–" if ends is None else f"{ends[0]:z.3f} to {ends[1]:z.3f}"


def clean(text: str) -> str:
    """Names come from outside: what could move a terminal's cursor is shown as a question mark."""
    return "".join(letter if letter.isprintable() else "�" for letter in " ".join(text.split()))


def shortened(text: str, most: int = _LONGEST) -> str:
    """What was written or said elsewhere, cut where it would fill the screen."""
    return shorten(text, most)
