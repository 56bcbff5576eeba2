"""A scenario's day as one page: a small plot for every field with the onset marked, and what came in below.

Everything is in the file and nothing runs in it. It shows what an agent must find out by itself, so it is for
those who make and check scenarios. What belongs on it is decided elsewhere; here it is only drawn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from gnomon.model.day import DayEvent, DayGap, DaySeries, DayView
from gnomon.report.rendering import render
from gnomon.shorten import counted

_LEVELS = 8
_NAMED_LEVELS = 4
_LANES_WIDTH, _LANE, _LANES_LEFT, _LANES_RIGHT = 1000, 24, 110, 990


@dataclass(frozen=True, slots=True)
class _Size:
    """The coordinates of a field's plot."""

    width: int = 320
    height: int = 96
    left: int = 4
    right: int = 316
    top: int = 6
    bottom: int = 78
    strip_top: int = 30
    strip_bottom: int = 60


_SIZE = _Size()


@dataclass(frozen=True, slots=True)
class _TimeLabel:
    """A time below a plot."""

    x: float
    words: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Some beats in a row: with the same value, or without any."""

    x: float
    width: float
    words: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class _WordLevel:
    color: int
    words: str


@dataclass(frozen=True, slots=True)
class _Panel:
    """One field: a line through numbers, or a strip of words."""

    name: str
    range: str
    words: str
    is_affected: bool
    gaps: Sequence[_Stretch]
    line: str = ""
    stretches: Sequence[_Stretch] = ()
    levels: Sequence[_WordLevel] = ()
    more_levels: int = 0


@dataclass(frozen=True, slots=True)
class _PanelGroup:
    """The fields of one module."""

    name: str
    panels: Sequence[_Panel]
    missing: str = ""
    constant: str = ""


@dataclass(frozen=True, slots=True)
class _Dot:
    x: float
    words: str
    is_late: bool


@dataclass(frozen=True, slots=True)
class _Lane:
    kind: str
    y: float
    dots: Sequence[_Dot]


@dataclass(frozen=True, slots=True)
class _EventRow:
    time: str
    beat: int
    kind: str
    words: str
    is_late: bool


@dataclass(frozen=True, slots=True)
class _Events:
    """What came in, one lane per kind, and the same as rows."""

    words: str
    height: int
    onset_x: float | None
    lanes: Sequence[_Lane]
    hours: Sequence[_TimeLabel]
    rows: Sequence[_EventRow]
    width: int = _LANES_WIDTH
    left: int = _LANES_LEFT
    right: int = _LANES_RIGHT


def page(day: DayView) -> str:
    """The whole page."""
    return render(
        "day.html",
        title=f"The day of {day.scenario_id}",
        scenario_id=day.scenario_id,
        about=_about(day),
        begins=_begins(day),
        has_onset=day.onset is not None,
        size=_SIZE,
        onset_x=_onset(day),
        hours=list(_hours(day)),
        groups=list(_groups(day)),
        events=_events(day) if day.events else None,
        notes=day.notes,
    )


def _about(day: DayView) -> str:
    reach = f", from {day.clock(0)} to {day.clock(len(day.beats) - 1)}" if day.beats else ""
    return f"{day.kind}, tier {day.noise_tier}: a day of {day.person} in {len(day.beats)} beats{reach}."


def _begins(day: DayView) -> str:
    if day.onset is not None:
        return f"┊ The anomaly begins at {day.clock(day.onset)}, beat {day.beats[day.onset]}."
    return "Nothing on this day calls for action." if day.control else "The anomaly begins after the last beat."


# --- one plot per field -----


def _groups(day: DayView) -> Iterator[_PanelGroup]:
    if affected := [series for series in day.series if series.affected]:
        title = "What the day is about" if day.control else "Changed by the anomaly"
        yield _PanelGroup(title, [_panel(day, series) for series in affected])
    others = [series for series in day.series if not series.affected]
    for module, grouped in groupby(others, key=lambda series: series.field.partition(".")[0]):
        every = list(grouped)
        missing = sum(gap.last - gap.first + 1 for gap in day.gaps if gap.module == module)
        yield _PanelGroup(
            name=module,
            panels=[_panel(day, series) for series in every if not _is_constant(series)],
            missing=counted(missing, "beat") if missing else "",
            constant="; ".join(f"{_name(series)} {_only_value(series)}" for series in every if _is_constant(series)),
        )


def _is_constant(series: DaySeries) -> bool:
    return len({value for value in series.values if value is not None}) == 1


def _only_value(series: DaySeries) -> str:
    value = next(value for value in series.values if value is not None)
    return f"{value:z.6g}" if isinstance(value, float) else value


def _name(series: DaySeries) -> str:
    return series.field.partition(".")[2]


def _panel(day: DayView, series: DaySeries) -> _Panel:
    module = series.field.partition(".")[0]
    gaps = [_gap(day, gap) for gap in day.gaps if gap.module == module]
    name = series.field if series.affected else _name(series)
    words = _in_words(day, series)
    if series.numeric:
        return _Panel(name, _range(series.low, series.high), words, series.affected, gaps, line=_line(series))
    levels = _levels(series)
    return _Panel(
        name, counted(len(levels), "value"), words, series.affected, gaps, stretches=list(_strip(series)),
        levels=[
            _WordLevel(index % _LEVELS, f"{level} ({series.values.count(level)})")
            for index, level in enumerate(levels[:_NAMED_LEVELS])
        ],
        more_levels=max(0, len(levels) - _NAMED_LEVELS),
    )  # fmt: skip


def _line(series: DaySeries) -> str:
    """A line through the numbers, broken where there are none."""
    low, high = series.low or 0.0, series.high or 0.0
    drawn, pen = "", "M"
    for index, value in enumerate(series.numbers()):
        if value is None:
            pen = "M"
            continue
        share = 0.5 if high == low else (value - low) / (high - low)
        y = _SIZE.bottom - share * (_SIZE.bottom - _SIZE.top)
        point = f"{_across(index, len(series.values)):.1f} {y:.1f}"
        # The point that nothing follows is a line of no length, which round ends make a dot.
        drawn += f"{pen}{point}h0" if pen == "M" else f"L{point}"
        pen = "L"
    return drawn


def _strip(series: DaySeries) -> Iterator[_Stretch]:
    """Words as stretches of colour."""
    colors = {level: index % _LEVELS for index, level in enumerate(_levels(series))}
    step = (_SIZE.right - _SIZE.left) / len(series.values)
    for value, grouped in groupby(enumerate(series.values), key=lambda pair: pair[1]):
        indexes = [index for index, _ in grouped]
        if value is not None:
            yield _Stretch(_SIZE.left + indexes[0] * step, len(indexes) * step, str(value), colors[str(value)])


def _levels(series: DaySeries) -> list[str]:
    return list(dict.fromkeys(str(value) for value in series.values if value is not None))


def _gap(day: DayView, gap: DayGap) -> _Stretch:
    step = (_SIZE.right - _SIZE.left) / len(day.beats)
    words = f"no {gap.module} from {day.clock(gap.first)} to {day.clock(gap.last)}"
    return _Stretch(_SIZE.left + gap.first * step, (gap.last - gap.first + 1) * step, words)


def _onset(day: DayView) -> float | None:
    return None if day.onset is None else _SIZE.left + day.onset * (_SIZE.right - _SIZE.left) / len(day.beats)


def _hours(day: DayView) -> Iterator[_TimeLabel]:
    """The first, the middle and the last time, as far as there are so many."""
    last = len(day.beats) - 1
    if last >= 0:
        yield _TimeLabel(_SIZE.left, day.clock(0), "start")
    if last // 2 > 0:
        yield _TimeLabel(_across(last // 2, len(day.beats)), day.clock(last // 2))
    if last > 0:
        yield _TimeLabel(_SIZE.right, day.clock(last), "end")


def _across(index: int, beats: int) -> float:
    return _SIZE.left + (index + 0.5) * (_SIZE.right - _SIZE.left) / beats


def _in_words(day: DayView, series: DaySeries) -> str:
    onset = day.onset
    if not series.numeric:
        return f"{series.field}: {', '.join(_levels(series)[:_NAMED_LEVELS])}"
    if onset is None:
        return f"{series.field}: {_range(series.low, series.high)}"
    parts = (series.numbers()[:onset], series.numbers()[onset:])
    known = [[value for value in values if value is not None] for values in parts]
    before, after = (_range(min(part), max(part)) if part else "nothing" for part in known)
    return f"{series.field}: {before} before the onset, {after} from it on"


# --- what came in -----


def _events(day: DayView) -> _Events:
    kinds = list(dict.fromkeys(event.kind for event in day.events))
    step = (_LANES_RIGHT - _LANES_LEFT) / len(day.beats)
    last = len(day.beats) - 1
    return _Events(
        words=f"{counted(len(day.events), 'event')} over the day",
        height=_LANE * len(kinds) + 22,
        onset_x=None if day.onset is None else _LANES_LEFT + day.onset * step,
        lanes=[_lane(day, kind, _LANE * (index + 0.5), step) for index, kind in enumerate(kinds)],
        hours=[
            _TimeLabel(_LANES_LEFT + (index + 0.5) * step, day.clock(index))
            for index in sorted({0, last // 4, last // 2, 3 * last // 4, last})
        ],
        rows=[
            _EventRow(day.clock(event.beat), day.beats[event.beat], event.kind, event.words, _is_late(day, event))
            for event in day.events
        ],
    )


def _lane(day: DayView, kind: str, y: float, step: float) -> _Lane:
    dots = [
        _Dot(_LANES_LEFT + (event.beat + 0.5) * step, f"{day.clock(event.beat)} {event.words}", _is_late(day, event))
        for event in day.events
        if event.kind == kind
    ]
    return _Lane(kind, y, dots)


def _is_late(day: DayView, event: DayEvent) -> bool:
    return day.onset is not None and event.beat >= day.onset


def _range(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "–"
    return f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}"
