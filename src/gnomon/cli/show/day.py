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
from gnomon.shorten import shorten

if TYPE_CHECKING:
    from gnomon.model.day import DaySeries, DayView

_PIPED_WIDTH = 120
_NARROWEST, _WIDEST = 16, 96
_NAME, _NUMBER = 30, 9
_EVENTS = 15
_LEVELS = 4


def day(found: "DayView", page: Path | None = None) -> None:
    for words in _headline(found):
        line(words)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _PIPED_WIDTH
    name = min(_NAME, max((len(one.field) for one in found.series), default=0)) + 2
    room = max(_NARROWEST, min(_WIDEST, len(found.beats), width - name - 2 * _NUMBER - 3))
    bins = _bins(len(found.beats), found.onset, room)
    line()
    line(f"{'':{name}}{'least':>{_NUMBER}} {_ruler(found, bins)} {'greatest':<{_NUMBER}}".rstrip())
    for one in found.series:
        _series(found, one, bins, name, width)
    _missing(found)
    _events(found, width)
    for note in found.notes:
        line(f"note: {clean(note)}")
    if page is not None:
        line(f"the page is in {clean(str(page))}")


def _headline(found: "DayView") -> list[str]:
    reach = f", {found.clock(0)} to {found.clock(len(found.beats) - 1)}" if found.beats else ""
    about = f"{clean(found.scenario_id)}: {clean(found.kind)}, tier {found.noise_tier}, {len(found.beats)} beats{reach}"
    if found.onset is None:
        star = "; fields marked * are what the day is about" if found.affected else ""
        return [about, f"nothing calls for action{star}" if found.control else "the anomaly begins after the last beat"]
    star = "; fields marked * are changed by it" if found.affected else ""
    return [about, f"the anomaly begins at {found.clock(found.onset)}, beat {found.beats[found.onset]}{star}"]


# --- lines -----


def _bins(beats: int, onset: int | None, room: int) -> list[range]:
    """Which beats share a column. No column has beats from both sides of the onset."""
    ends = {round(beats * place / room) for place in range(room + 1)}
    return [range(*both) for both in pairwise(sorted(ends if onset is None else ends | {onset}))]


def _ruler(found: "DayView", bins: Sequence[range]) -> str:
    """The axis: when the day begins and ends, and at which column the anomaly does."""
    cells = [" "] * (len(bins) + (found.onset is not None))
    mark = len(cells) if found.onset is None else _split(found.onset, bins)
    first, last = (found.clock(0), found.clock(len(found.beats) - 1)) if found.beats else ("", "")
    if len(first) < mark and len(first) + len(last) < len(cells):
        cells[: len(first)] = first
    if len(last) < len(cells) - mark or found.onset is None:
        cells[len(cells) - len(last) :] = last
    if found.onset is not None:
        cells[mark] = "▼" if any_letter() else "v"
    return "".join(cells)


def _split(onset: int, bins: Sequence[range]) -> int:
    return next(place for place, one in enumerate(bins) if one.start >= onset)


def _series(found: "DayView", one: "DaySeries", bins: Sequence[range], name: int, width: int) -> None:
    label = f"{'*' if one.affected else ' '}{shorten(clean(one.field), name - 2)}"
    if not one.numeric or one.low == one.high:
        line(shorten(f"{label:{name}}{_in_words(found, one)}", width))
        return
    columns = _sparkline(one, bins)
    if found.onset is not None:
        columns.insert(_split(found.onset, bins), "│" if any_letter() else "|")
    line(f"{label:{name}}{_number(one.low):>{_NUMBER}} {''.join(columns)} {_number(one.high)}")


def _sparkline(one: "DaySeries", bins: Sequence[range]) -> list[str]:
    """A letter a column: the value that is farthest from the day's middle, for a glitch must not be averaged away."""
    heights = "▁▂▃▄▅▆▇█" if any_letter() else "_.-=+*%#"
    numbers = one.numbers()
    every = [value for value in numbers if value is not None]
    low, middle, high = min(every), median(every), max(every)
    drawn = []
    for places in bins:
        known = [value for value in (numbers[place] for place in places) if value is not None]
        if not known:
            drawn.append(" ")
            continue
        value = max(known, key=lambda value: abs(value - middle))
        drawn.append(heights[min(int((value - low) / (high - low) * len(heights)), len(heights) - 1)])
    return drawn


def _in_words(found: "DayView", one: "DaySeries") -> str:
    known = {value for value in one.values if value is not None}
    if len(known) == 1:
        (value,) = known
        return f"{_number(value) if isinstance(value, float) else clean(value)} throughout"
    if found.onset is None:
        return _tally(one.values)
    before, after = _tally(one.values[: found.onset]), _tally(one.values[found.onset :])
    return f"{before} {'│' if any_letter() else '|'} {after}"


def _tally(values: "Sequence[float | str | None]") -> str:
    known = [clean(str(value)) for value in values if value is not None]
    levels = sorted(set(known), key=lambda level: (-known.count(level), level))
    told = ", ".join(f"{shorten(level, 28)} ({known.count(level)})" for level in levels[:_LEVELS])
    more = f" and {len(levels) - _LEVELS} more" if len(levels) > _LEVELS else ""
    return f"{told}{more}" or "nothing"


# --- the rest -----


def _missing(found: "DayView") -> None:
    by_module: dict[str, list[str]] = {}
    for gap in found.gaps:
        first, last = found.beats[gap.first], found.beats[gap.last]
        by_module.setdefault(gap.module, []).append(str(first) if first == last else f"{first} to {last}")
    for module, stretches in by_module.items():
        line(f" {clean(module)} is missing in beats {', '.join(stretches)}")


def _events(found: "DayView", width: int) -> None:
    if not found.events:
        return
    # What comes after the onset matters most, then what comes just before it.
    at = len(found.beats) if found.onset is None else found.onset
    shown = sorted(found.events, key=lambda one: (one.beat < at, abs(one.beat - at)))[:_EVENTS]
    line()
    for one in sorted(shown, key=lambda one: one.beat):
        words = f"{found.clock(one.beat)}  {one.kind:<14}  {clean(one.words)}"
        line(f"{'*' if found.onset is not None and one.beat >= found.onset else ' '}{shorten(words, width - 1)}")
    if len(found.events) > _EVENTS:
        line(f" … and {len(found.events) - _EVENTS} more events; --json and the page have all of them")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.6g}"
