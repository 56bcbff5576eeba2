"""A scenario's day as one page: a small plot for every field with the onset marked, and what came in below.

Everything is in the file and nothing runs in it. It shows what an agent must find out by itself, so it is for
those who make and check scenarios. What belongs on it is decided elsewhere; here it is only drawn.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from gnomon.model.day import DayGap, DaySeries, DayView
from gnomon.report.policy import POLICY_TAG

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2127; --dim: #5f6b76; --grid: #dfe4e9; --paper: #fff; --card: #f6f8fa;
  --line: #55708c; --mark: #c2410c; --gap: #e9ecf0;
  --level-0: #b9cbe0; --level-1: #f2b98f; --level-2: #a9d8b4; --level-3: #d3bdf0; --level-4: #f3b5cf;
  --level-5: #a3d6d1; --level-6: #e6d28c; --level-7: #c5ccd4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --dim: #98a4b0; --grid: #333b44; --paper: #14181c;
  --card: #1b2026; --line: #9fb6cd; --mark: #fb923c; --gap: #2a313a;
  --level-0: #34506e; --level-1: #8a4a1f; --level-2: #2a5c38; --level-3: #553a7d; --level-4: #7a2f52;
  --level-5: #22605b; --level-6: #6b5a1a; --level-7: #465260; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 72rem; margin: 2rem auto; padding: 0 1.25rem 3rem; }
h1 { margin: 0 0 .2rem; overflow-wrap: anywhere; } h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
p { margin: .2rem 0 .6rem; } .dim { color: var(--dim); } .onset-words { color: var(--mark); font-weight: 600; }
h2 small { font-weight: 400; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: .8rem; }
figure { margin: 0; padding: .5rem .7rem .3rem; background: var(--card); border-radius: 6px; min-width: 0; }
figure.affected { outline: 2px solid var(--mark); }
figcaption { display: flex; justify-content: space-between; gap: .6rem; font-size: .87rem; white-space: nowrap; }
figcaption b { font-weight: 600; overflow: hidden; text-overflow: ellipsis; }
figcaption span { color: var(--dim); font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; font: 10px system-ui, sans-serif; }
svg text { fill: var(--dim); } .middle { text-anchor: middle; } .end { text-anchor: end; }
.path { fill: none; stroke: var(--line); stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
.affected .path { stroke: var(--mark); } .onset { stroke: var(--mark); stroke-dasharray: 3 3; fill: none; }
.grid { stroke: var(--grid); fill: none; } .gap { fill: var(--gap); } .event { fill: var(--line); }
.late { fill: var(--mark); }
.levels { list-style: none; margin: .1rem 0 .3rem; padding: 0; font-size: .8rem; color: var(--dim);
  display: flex; flex-wrap: wrap; gap: 0 .8rem; }
.levels i { display: inline-block; width: .7rem; height: .7rem; border-radius: 2px; margin-right: .3rem; }
.levels li { overflow: hidden; text-overflow: ellipsis; max-width: 100%; white-space: nowrap; }
.wide { overflow-x: auto; } .wide svg { min-width: 44rem; } summary { cursor: pointer; margin: .6rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; border-bottom: 1px solid var(--grid); }
td, th { padding: .15rem 1rem .15rem 0; vertical-align: top; } td:nth-child(-n+3) { white-space: nowrap; }
td:last-child { overflow-wrap: anywhere; min-width: 16rem; } tr.late { color: var(--mark); }
"""
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 320, 96, 4, 316, 6, 78
_STRIP_TOP, _STRIP_BOTTOM = 30, 60
_LANES_WIDTH, _LANE, _LANES_LEFT, _LANES_RIGHT = 1000, 24, 110, 990
_LEVELS = 8
_NAMED_LEVELS = 4


def page(day: DayView) -> str:
    """The whole page."""
    title = f"The day of {day.scenario_id}"
    parts = [_head(day), *_panels(day), _events(day), _notes(day)]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{POLICY_TAG}<title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body><main><h1>{escape(day.scenario_id)}</h1>{''.join(parts)}</main></body></html>\n"
    )


def _head(day: DayView) -> str:
    reach = f", from {day.clock(0)} to {day.clock(len(day.beats) - 1)}" if day.beats else ""
    about = f"{day.kind}, tier {day.noise_tier}: a day of {day.person} in {len(day.beats)} beats{reach}."
    if day.onset is None:
        begins = "Nothing on this day calls for action." if day.control else "The anomaly begins after the last beat."
        return f'<p class="dim">{escape(about)}</p><p>{begins}</p>'
    begins = f"┊ The anomaly begins at {day.clock(day.onset)}, beat {day.beats[day.onset]}."
    return f'<p class="dim">{escape(about)}</p><p class="onset-words">{escape(begins)}</p>'


def _notes(day: DayView) -> str:
    listed = "".join(f"<li>{escape(note)}</li>" for note in day.notes)
    return f"<h2>Good to know</h2><ul>{listed}</ul>" if listed else ""


# --- one plot a field -----


def _panels(day: DayView) -> Iterator[str]:
    affected = [one for one in day.series if one.affected]
    if affected:
        drawn = "".join(_panel(day, one) for one in affected)
        title = "What the day is about" if day.control else "Changed by the anomaly"
        yield f'<h2>{title}</h2><div class="panels">{drawn}</div>'
    others = [one for one in day.series if not one.affected]
    for module, series in groupby(others, key=lambda one: one.field.partition(".")[0]):
        gaps = [gap for gap in day.gaps if gap.module == module]
        missing = sum(gap.last - gap.first + 1 for gap in gaps)
        words = f' <small class="dim">missing in {_count(missing, "beat")}</small>' if missing else ""
        every = list(series)
        drawn = "".join(_panel(day, one) for one in every if not _is_constant(one))
        same = "; ".join(f"{_name(one)} {_said(one)}" for one in every if _is_constant(one))
        rest = f'<p class="dim">The same all day: {escape(same)}.</p>' if same else ""
        yield f'<h2>{escape(module)}{words}</h2><div class="panels">{drawn}</div>{rest}'


def _is_constant(one: DaySeries) -> bool:
    return len({value for value in one.values if value is not None}) == 1


def _said(one: DaySeries) -> str:
    value = next(value for value in one.values if value is not None)
    return f"{value:.6g}" if isinstance(value, float) else value


def _name(one: DaySeries) -> str:
    return one.field.partition(".")[2]


def _panel(day: DayView, one: DaySeries) -> str:
    module = one.field.partition(".")[0]
    name = one.field if one.affected else _name(one)
    gaps = [gap for gap in day.gaps if gap.module == module]
    inside = [_gap(day, gap) for gap in gaps] + [_curve(one) if one.numeric else _strip(one)]
    drawn = "".join([*inside, _onset(day), *_hours(day)])
    svg = f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(_in_words(day, one))}">{drawn}</svg>'
    reach = _range(one.low, one.high) if one.numeric else _count(len(_levels(one)), "value")
    kind = ' class="affected"' if one.affected else ""
    named = f'<b title="{escape(one.field)}">{escape(name)}</b><span>{escape(reach)}</span>'
    return f"<figure{kind}><figcaption>{named}</figcaption>{svg}{'' if one.numeric else _legend(one)}</figure>"


def _curve(one: DaySeries) -> str:
    """A line through the numbers, broken where there are none."""
    low, high = one.low or 0.0, one.high or 0.0
    drawn, pen = "", "M"
    for place, value in enumerate(one.numbers()):
        if value is None:
            pen = "M"
            continue
        share = 0.5 if high == low else (value - low) / (high - low)
        at = f"{_across(place, len(one.values)):.1f} {_BOTTOM - share * (_BOTTOM - _TOP):.1f}"
        # The point that nothing follows is a line of no length, which round ends make a dot.
        drawn += f"{pen}{at}h0" if pen == "M" else f"L{at}"
        pen = "L"
    return f'<path class="path" d="{drawn}"/>'


def _strip(one: DaySeries) -> str:
    """Words as stretches of colour."""
    colors = {level: place % _LEVELS for place, level in enumerate(_levels(one))}
    step = (_RIGHT - _LEFT) / len(one.values)
    drawn = ""
    for value, stretch in groupby(enumerate(one.values), key=lambda pair: pair[1]):
        places = [place for place, _ in stretch]
        if value is not None:
            x, width = _LEFT + places[0] * step, len(places) * step
            drawn += (
                f'<rect style="fill:var(--level-{colors[str(value)]})" x="{x:.1f}" y="{_STRIP_TOP}" '
                f'width="{width:.1f}" height="{_STRIP_BOTTOM - _STRIP_TOP}"><title>{escape(str(value))}</title></rect>'
            )
    return drawn


def _legend(one: DaySeries) -> str:
    levels = _levels(one)
    listed = "".join(
        f'<li title="{escape(level)}"><i style="background:var(--level-{place % _LEVELS})"></i>'
        f"{escape(level)} ({one.values.count(level)})</li>"
        for place, level in enumerate(levels[:_NAMED_LEVELS])
    )
    more = f"<li>… and {len(levels) - _NAMED_LEVELS} more</li>" if len(levels) > _NAMED_LEVELS else ""
    return f'<ul class="levels">{listed}{more}</ul>'


def _levels(one: DaySeries) -> list[str]:
    return list(dict.fromkeys(str(value) for value in one.values if value is not None))


def _gap(day: DayView, gap: DayGap) -> str:
    step = (_RIGHT - _LEFT) / len(day.beats)
    x, width = _LEFT + gap.first * step, (gap.last - gap.first + 1) * step
    words = f"no {gap.module} from {day.clock(gap.first)} to {day.clock(gap.last)}"
    return (
        f'<rect class="gap" x="{x:.1f}" y="{_TOP}" width="{width:.1f}" height="{_BOTTOM - _TOP}">'
        f"<title>{escape(words)}</title></rect>"
    )


def _onset(day: DayView) -> str:
    if day.onset is None:
        return ""
    x = _LEFT + day.onset * (_RIGHT - _LEFT) / len(day.beats)
    return f'<path class="onset" d="M{x:.1f} {_TOP - 4}V{_BOTTOM + 4}"/>'


def _hours(day: DayView) -> Iterator[str]:
    yield f'<path class="grid" d="M{_LEFT} {_BOTTOM + 4}H{_RIGHT}"/>'
    last = len(day.beats) - 1
    for place, kind in ((0, ""), (last // 2, "middle"), (last, "end")):
        if place or not kind:
            x = {"": _LEFT, "end": _RIGHT}.get(kind, _across(place, len(day.beats)))
            yield f'<text class="{kind}" x="{x:.1f}" y="{_HEIGHT - 3}">{escape(day.clock(place))}</text>'


def _across(place: int, beats: int) -> float:
    return _LEFT + (place + 0.5) * (_RIGHT - _LEFT) / beats


def _in_words(day: DayView, one: DaySeries) -> str:
    at = day.onset
    if not one.numeric:
        return f"{one.field}: {', '.join(_levels(one)[:_NAMED_LEVELS])}"
    if at is None:
        return f"{one.field}: {_range(one.low, one.high)}"
    parts = [[value for value in values if value is not None] for values in (one.numbers()[:at], one.numbers()[at:])]
    before, after = (_range(min(part), max(part)) if part else "nothing" for part in parts)
    return f"{one.field}: {before} before the onset, {after} from it on"


# --- what came in -----


def _events(day: DayView) -> str:
    if not day.events:
        return ""
    kinds = list(dict.fromkeys(one.kind for one in day.events))
    body = "".join(
        f"<tr{' class=late' if _is_late(day, one.beat) else ''}><td>{escape(day.clock(one.beat))}</td>"
        f"<td>{day.beats[one.beat]}</td><td>{escape(one.kind)}</td><td>{escape(one.words)}</td></tr>"
        for one in day.events
    )
    table = (
        "<table><thead><tr><th>time</th><th>beat</th><th>kind</th><th>what</th></tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )
    opened = " open" if len(day.events) <= 20 else ""
    return (
        f'<h2>What came in and what was planned</h2><div class="wide">{_lanes(day, kinds)}</div>'
        f"<details{opened}><summary>All {len(day.events)} in order</summary>{table}</details>"
    )


def _is_late(day: DayView, place: int) -> bool:
    return day.onset is not None and place >= day.onset


def _lanes(day: DayView, kinds: Sequence[str]) -> str:
    step = (_LANES_RIGHT - _LANES_LEFT) / len(day.beats)
    height = _LANE * len(kinds) + 22
    drawn = []
    for lane, kind in enumerate(kinds):
        y = _LANE * (lane + 0.5)
        drawn.append(f'<path class="grid" d="M{_LANES_LEFT} {y}H{_LANES_RIGHT}"/>')
        drawn.append(f'<text class="end" x="{_LANES_LEFT - 10}" y="{y + 4}">{escape(kind)}</text>')
        for one in day.events:
            if one.kind == kind:
                x = _LANES_LEFT + (one.beat + 0.5) * step
                words = f"<title>{escape(f'{day.clock(one.beat)} {one.words}')}</title>"
                late = " late" if _is_late(day, one.beat) else ""
                drawn.append(f'<circle class="event{late}" cx="{x:.1f}" cy="{y}" r="4">{words}</circle>')
    if day.onset is not None:
        drawn.append(f'<path class="onset" d="M{_LANES_LEFT + day.onset * step:.1f} 0V{height - 18}"/>')
    last = len(day.beats) - 1
    for place in sorted({0, last // 4, last // 2, 3 * last // 4, last}):
        x = _LANES_LEFT + (place + 0.5) * step
        drawn.append(f'<text class="middle" x="{x:.1f}" y="{height - 4}">{escape(day.clock(place))}</text>')
    about = f"{_count(len(day.events), 'event')} over the day"
    return f'<svg viewBox="0 0 {_LANES_WIDTH} {height}" role="img" aria-label="{about}">{"".join(drawn)}</svg>'


def _range(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "–"
    return f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
