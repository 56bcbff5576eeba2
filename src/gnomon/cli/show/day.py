"""A scenario's day for people: a small line for every field, the onset marked, and what came in below."""

import shutil
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import line
from gnomon.report.text.drawing import any_letter, clean
from gnomon.shorten import list_some, shorten

if TYPE_CHECKING:
    from gnomon.model.day import DaySeries, DayView

_PIPED_WIDTH = 120
_NARROWEST, _WIDEST = 16, 96
_NAME, _NUMBER = 30, 9
_EVENTS = 15
_LEVELS = 4


def day(view: "DayView", page: Path | None = None) -> None:
    for words in _headline(view):
        line(words)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _PIPED_WIDTH
    name = min(_NAME, max((len(series.field) for series in view.series), default=0)) + 2
    columns = max(_NARROWEST, min(_WIDEST, len(view.beats), width - name - 2 * _NUMBER - 3))
    bins = _bins(len(view.beats), view.onset, columns)
    line()
    line(f"{'':{name}}{'least':>{_NUMBER}} {_ruler(view, bins)} {'greatest':<{_NUMBER}}".rstrip())
    for series in view.series:
        _series(view, series, bins, name, width)
    _missing(view)
    _events(view, width)
    for note in view.notes:
        line(f"note: {clean(note)}")
    if page is not None:
        line(f"the page is in {clean(str(page))}")


def _headline(view: "DayView") -> list[str]:
    reach = f", {view.clock(0)} to {view.clock(len(view.beats) - 1)}" if view.beats else ""
    about = f"{clean(view.scenario_id)}: {clean(view.kind)}, tier {view.noise_tier}, {len(view.beats)} beats{reach}"
    if view.onset is None:
        star = "; fields marked * are what the day is about" if view.affected else ""
        return [about, f"nothing calls for action{star}" if view.control else "the anomaly begins after the last beat"]
    star = "; fields marked * are changed by it" if view.affected else ""
    return [about, f"the anomaly begins at {view.clock(view.onset)}, beat {view.beats[view.onset]}{star}"]


# --- lines -----


def _bins(beats: int, onset: int | None, columns: int) -> list[range]:
    """Which beats share a column. No column has beats from both sides of the onset."""
    ends = {round(beats * index / columns) for index in range(columns + 1)}
    return [range(*both) for both in pairwise(sorted(ends if onset is None else ends | {onset}))]


def _ruler(view: "DayView", bins: Sequence[range]) -> str:
    """The axis: when the day begins and ends, and at which column the anomaly does."""
    cells = [" "] * (len(bins) + (view.onset is not None))
    mark = len(cells) if view.onset is None else _split(view.onset, bins)
    first, last = (view.clock(0), view.clock(len(view.beats) - 1)) if view.beats else ("", "")
    if len(first) < mark and len(first) + len(last) < len(cells):
        cells[: len(first)] = first
    if len(last) < len(cells) - mark or view.onset is None:
        cells[len(cells) - len(last) :] = last
    if view.onset is not None:
        cells[mark] = "▼" if any_letter() else "v"
    return "".join(cells)


def _split(onset: int, bins: Sequence[range]) -> int:
    return next(index for index, column in enumerate(bins) if column.start >= onset)


def _series(view: "DayView", series: "DaySeries", bins: Sequence[range], name: int, width: int) -> None:
    label = f"{'*' if series.affected else ' '}{shorten(clean(series.field), name - 2)}"
    if not series.numeric or series.low == series.high:
        line(shorten(f"{label:{name}}{_in_words(view, series)}", width))
        return
    columns = _sparkline(series, bins)
    if view.onset is not None:
        columns.insert(_split(view.onset, bins), "│" if any_letter() else "|")
    line(f"{label:{name}}{_number(series.low):>{_NUMBER}} {''.join(columns)} {_number(series.high)}")


def _sparkline(series: "DaySeries", bins: Sequence[range]) -> list[str]:
    """A letter a column: the value that is farthest from the day's middle, for a glitch must not be averaged away."""
    heights = "▁▂▃▄▅▆▇█" if any_letter() else "_.-=+*%#"
    numbers = series.numbers()
    every = [value for value in numbers if value is not None]
    low, middle, high = min(every), median(every), max(every)
    drawn = []
    for indexes in bins:
        known = [value for value in (numbers[index] for index in indexes) if value is not None]
        if not known:
            drawn.append(" ")
            continue
        value = max(known, key=lambda value: abs(value - middle))
        drawn.append(heights[min(int((value - low) / (high - low) * len(heights)), len(heights) - 1)])
    return drawn


def _in_words(view: "DayView", series: "DaySeries") -> str:
    known = {value for value in series.values if value is not None}
    if len(known) == 1:
        (value,) = known
        return f"{_number(value) if isinstance(value, float) else clean(value)} throughout"
    if view.onset is None:
        return _tally(series.values)
    before, after = _tally(series.values[: view.onset]), _tally(series.values[view.onset :])
    return f"{before} {'│' if any_letter() else '|'} {after}"


def _tally(values: "Sequence[float | str | None]") -> str:
    known = [clean(str(value)) for value in values if value is not None]
    levels = sorted(set(known), key=lambda level: (-known.count(level), level))
    return list_some((f"{shorten(level, 28)} ({known.count(level)})" for level in levels), _LEVELS) or "nothing"


# --- the rest -----


def _missing(view: "DayView") -> None:
    by_module: dict[str, list[str]] = {}
    for gap in view.gaps:
        first, last = view.beats[gap.first], view.beats[gap.last]
        by_module.setdefault(gap.module, []).append(str(first) if first == last else f"{first} to {last}")
    for module, stretches in by_module.items():
        line(f" {clean(module)} is missing in beats {', '.join(stretches)}")


def _events(view: "DayView", width: int) -> None:
    if not view.events:
        return
    # What comes after the onset matters most, then what comes just before it.
    at = len(view.beats) if view.onset is None else view.onset
    shown = sorted(view.events, key=lambda event: (event.beat < at, abs(event.beat - at)))[:_EVENTS]
    line()
    for event in sorted(shown, key=lambda event: event.beat):
        words = f"{view.clock(event.beat)}  {event.kind:<14}  {clean(event.words)}"
        line(f"{'*' if view.onset is not None and event.beat >= view.onset else ' '}{shorten(words, width - 1)}")
    if len(view.events) > _EVENTS:
        line(f" … and {len(view.events) - _EVENTS} more events; --json and the page have all of them")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.6g}"
