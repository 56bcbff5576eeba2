"""Plots as inline SVG: text in, text out, no script and nothing fetched.

Colours are CSS variables of the page (`--ink`, `--dim`, `--grid`, `--mark`, `--good`, `--bad` …), so that light and
dark need no second drawing. Names come from outside and are escaped here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from gnomon.shorten import shorten_middle

ROW = 26
LABEL = 200
"""Names longer than this are cut, and whole when pointed at."""
WIDTH = 900
_LETTER = 7.2
_TOP = 26
_SLANT = 0.71


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its ends, on one line; None where there is none. `words` are read beside it."""

    label: str
    value: float | None
    ends: tuple[float, float] | None
    words: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One square of a matrix: a sign, a class for its colour, and what it says when pointed at."""

    sign: str
    kind: str
    words: str


def whiskers(bars: Sequence[Bar], start: float, end: float, ticks: Sequence[float], title: str) -> str:
    """A line for each: a dot between its ends, to scale."""
    right = 12 + max((len(bar.words) for bar in bars), default=0) * _LETTER
    left = names_width([bar.label for bar in bars])
    scale = Scale(start, end, left + 14, WIDTH - right - 12)
    height = _TOP + ROW * len(bars) + 8
    drawn = [_grid_line(scale.at(tick), _TOP - 6, height - 4, f"{tick:g}") for tick in ticks]
    for index, bar in enumerate(bars):
        y = _TOP + ROW * index + ROW / 2
        drawn.append(label(bar.label, left, y))
        drawn.append(text(WIDTH - 4, y + 4, bar.words, "number"))
        drawn.append(whisker_mark(scale, y, bar.value, bar.ends))
    return svg(WIDTH, height, title, drawn)


def whisker_mark(
    scale: "Scale", y: float, value: float | None, ends: tuple[float, float] | None, is_small: bool = False
) -> str:
    """A dot between its ends, to scale; hollow if it is based on few values."""
    drawn = ""
    if ends is not None:
        low, high = scale.at(ends[0]), scale.at(ends[1])
        drawn = f'<path class="whisker" d="M{low:.1f} {y}H{high:.1f}M{low:.1f} {y - 5}v10M{high:.1f} {y - 5}v10"/>'
    return drawn if value is None else drawn + dot(scale.at(value), y, is_small)


def dot(x: float, y: float, is_small: bool = False) -> str:
    kind = "hollow" if is_small else "dot"
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:g}" r="4.5"/>'


def whisker(value: float | None, ends: tuple[float, float] | None, start: float, end: float, title: str) -> str:
    """One line of `whiskers` for a cell of a table: its ends of the scale, and its zero if that is inside."""
    width, middle = 180, 9
    scale = Scale(start, end, 6, width - 6)
    ticks = [start, 0.0, end] if start < 0 < end else [start, end]
    drawn = [f'<path class="grid" d="M{scale.at(tick):.1f} 2v14"/>' for tick in ticks]
    drawn.append(f'<path class="grid" d="M6 {middle}H{width - 6}"/>')
    if ends is not None:
        low, high = scale.at(ends[0]), scale.at(ends[1])
        drawn.append(f'<path class="whisker" d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} 4v10M{high:.1f} 4v10"/>')
    if value is not None:
        drawn.append(f'<circle class="dot" cx="{scale.at(value):.1f}" cy="{middle}" r="4"/>')
    return svg(width, 18, title, drawn)


def matrix(names: Sequence[str], cells: Mapping[tuple[int, int], Cell], title: str) -> str:
    """A square for every pair (row, column); columns are numbered as the rows are."""
    size = 26 if len(names) <= 25 else 16
    names_end = names_width(names)
    left = names_end + 34
    drawn = []
    for index, name in enumerate(names):
        middle = _TOP + size * (index + 0.5)
        drawn.append(label(name, names_end, middle))
        drawn.append(text(names_end + 26, middle + 4, str(index + 1), "number dim"))
        drawn.append(text(left + size * (index + 0.5), _TOP - 8, str(index + 1), "middle dim small"))
    for (row, column), cell in sorted(cells.items()):
        x, y = left + size * column, _TOP + size * row
        square = (
            f'<rect class="{escape(cell.kind)}" x="{x + 1}" y="{y + 1}" width="{size - 2}" height="{size - 2}" rx="3"/>'
        )
        sign = text(x + size / 2, y + size / 2 + 4, cell.sign, "middle sign")
        drawn.append(f"<g>{tooltip(cell.words)}{square}{sign}</g>")
    return svg(left + size * len(names) + 4, _TOP + size * len(names) + 6, title, drawn)


def heat(names: Sequence[str], columns: Sequence[str], shares: Mapping[tuple[int, int], tuple[float, str]],
         title: str) -> str:  # fmt: skip
    """A share from 0 to 1 for every row and column: the more, the darker. Columns are named aslant, above."""
    wide, most = 46, 30
    left = names_width(names) + 10
    heads = [shorten_middle(name, most) for name in columns]
    longest = max(map(len, heads), default=0) * _LETTER
    top = 14 + longest * _SLANT
    drawn = []
    for index, (head, whole) in enumerate(zip(heads, columns, strict=True)):
        at = f"{left + wide * (index + 0.5):.1f} {top - 6:.1f}"
        drawn.append(f'<text transform="translate({at}) rotate(-45)">{tooltip(whole)}{escape(head)}</text>')
    for index, name in enumerate(names):
        drawn.append(label(name, left - 10, top + ROW * (index + 0.5)))
    for (row, column), (share, words) in sorted(shares.items()):
        x, y = left + wide * column, top + ROW * row
        square = (
            f'<rect class="heat" style="fill-opacity:{0.06 + 0.54 * share:.3f}" x="{x + 1:.1f}" y="{y + 1:.1f}" '
            f'width="{wide - 2}" height="{ROW - 2}" rx="3"/>'
        )
        kind = "middle small" if share else "middle small dim"
        number = text(x + wide / 2, y + ROW / 2 + 4, f"{100 * share:.0f}", kind)
        drawn.append(f"<g>{tooltip(words)}{square}{number}</g>")
    width = left + wide * len(columns) + max(0.0, longest * _SLANT - wide / 2) + 4
    return svg(round(width), round(top + ROW * len(names) + 6), title, drawn)


@dataclass(frozen=True, slots=True)
class Scale:
    """A map from values to coordinates on the page."""

    start: float
    end: float
    first: float
    last: float

    def at(self, value: float) -> float:
        inside = min(max(value, self.start), self.end)
        return self.first + (inside - self.start) / (self.end - self.start) * (self.last - self.first)


def svg(width: float, height: float, title: str, drawn: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" '
        f'aria-label="{escape(title)}">{"".join(drawn)}</svg>'
    )


def _grid_line(x: float, top: float, bottom: float, words: str) -> str:
    return f'<path class="grid" d="M{x:.1f} {top}V{bottom}"/>{text(x, top - 5, words, "middle dim small")}'


def names_width(names: Sequence[str]) -> float:
    return min(LABEL, 12 + max(map(len, names), default=0) * _LETTER)


def label(name: str, x: float, y: float, kind: str = "number") -> str:
    """A name that ends at `x`, or begins there with the kind `start`."""
    shown = shorten_middle(name, int((LABEL - 12) / _LETTER))
    return f'<text class="{kind}" x="{x:.1f}" y="{y + 4:g}">{tooltip(name)}{escape(shown)}</text>'


def text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def tooltip(words: str) -> str:
    return f"<title>{escape(words)}</title>"


def points(coordinates: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in coordinates)
