"""Outcome scores as one page: values over time, how much evidence they stand on, sessions, claims against facts.

Everything is in the file and nothing runs in it. What the numbers mean is decided elsewhere; here they are only
drawn, and every drawn value is also in a table.
"""

from collections.abc import Iterator, Sequence
from html import escape

from gnomon.model.outcome import PROVISIONAL_BELOW, Honesty, Iteration, OutcomeSession
from gnomon.report.policy import POLICY_TAG, served_policy

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2127; --dim: #5f6b76; --grid: #dfe4e9; --paper: #fff; --bar: #8fa3b8;
  --excellent: #15803d; --good: #0b62b8; --fair: #b45309; --poor: #b91c1c;
  --other-0: #7e22ce; --other-1: #0f766e; --other-2: #be185d; --other-3: #475569; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --dim: #98a4b0; --grid: #333b44; --paper: #14181c;
  --bar: #5d7186; --excellent: #4ade80; --good: #5aa9ff; --fair: #fbbf24; --poor: #f87171;
  --other-0: #c084fc; --other-1: #2dd4bf; --other-2: #f472b6; --other-3: #94a3b8; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1.25rem 3rem; }
h1 { margin: 0 0 .2rem; } h2 { margin: 2.2rem 0 .3rem; font-size: 1.15rem; } p { margin: .2rem 0 .6rem; }
.notes { margin: .2rem 0; padding-left: 1.1rem; }
.dim, caption { color: var(--dim); } .wide { overflow-x: auto; } figure { margin: 0; }
caption { text-align: left; padding-bottom: .3rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
thead th { border-bottom: 1px solid var(--grid); } th { font-weight: 600; }
td, th { padding: .2rem 1rem .2rem 0; text-align: right; } .name { text-align: left; }
td.name, tbody th { max-width: 22rem; overflow: hidden; text-overflow: ellipsis; font-weight: 400; }
summary { cursor: pointer; margin: .6rem 0; } code { font: .9em/1.5 ui-monospace, monospace; }
svg { display: block; font: 12px system-ui, sans-serif; max-width: 100%; min-width: 40rem; height: auto; }
svg text { fill: var(--dim); } svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
.grid { stroke: var(--grid); fill: none; } .path { stroke: var(--dim); opacity: .45; fill: none; }
.bar { fill: var(--bar); } .cross { stroke: var(--dim); stroke-width: 1.5; fill: none; }
.least { stroke: var(--dim); stroke-dasharray: 3 3; fill: none; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: .4rem 0; }
.legend svg { display: inline-block; min-width: 0; vertical-align: -2px; margin-right: .4rem; }
"""
POLICY = served_policy(_STYLE, with_attributes=True)
_KNOWN = ("excellent", "good", "fair", "poor")
_OTHERS = 4
_WIDTH, _LEFT, _RIGHT = 900, 64, 12
_TOP, _BOTTOM, _LANE, _STRIP_TOP, _STRIP_BOTTOM, _HEIGHT = 12, 212, 230, 252, 302, 324
_WIDEST_STEP = 44
_LABELS = 12


def page(
    iterations: Sequence[Iteration],
    sessions: Sequence[OutcomeSession],
    honesty: Honesty,
    notes: Sequence[str] = (),
    title: str = "Outcomes",
) -> str:
    """The whole page. Iterations are of one source by one rubric version, ascending."""
    if iterations:
        parts = [_head(iterations), _notes(notes), _trend(iterations), _sessions(sessions), _honesty(honesty)]
    else:
        parts = [_notes(notes), _empty()]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{POLICY_TAG}<title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body><main><h1>{escape(title)}</h1>{''.join(parts)}</main></body></html>\n"
    )


def _empty() -> str:
    return (
        "<p>There is no iteration to show yet.</p>"
        "<p>Run <code>gnomon outcome push</code> in a repository, with <code>GNOMON_URL</code> and "
        "<code>GNOMON_API_KEY</code> set, or send scored iterations to <code>POST /v1/iterations</code>.</p>"
    )


def _head(iterations: Sequence[Iteration]) -> str:
    first = iterations[0]
    what = f"{first.source}, rubric {first.rubric_version}: {_tally(iterations)}."
    return f'<p class="dim">{escape(what)} Every interval is a 95 % interval.</p>'


def _tally(iterations: Sequence[Iteration]) -> str:
    scored = sum(one.value is not None for one in iterations)
    provisional = sum(one.value is not None and one.provisional for one in iterations)
    told = f"{len(iterations):,} iteration{'' if len(iterations) == 1 else 's'}, {scored:,} scored"
    return f"{told}, {provisional:,} of them provisional" if provisional else told


# --- values over time -----


def _trend(iterations: Sequence[Iteration]) -> str:
    colors = _colors(iterations)
    about = (
        f"A ring is provisional: under {_percent(PROVISIONAL_BELOW)} of the rubric's weight had evidence. A cross has "
        "no score. Below, the share of the rubric's weight that had evidence."
    )
    return (
        f'<h2>Value by iteration</h2><p class="dim">{escape(about)}</p>{_legend(colors)}'
        f'<figure class="wide">{_plot(iterations, colors)}</figure>'
        f"<details><summary>The same as a table</summary>{_every_iteration(iterations)}</details>"
    )


def _colors(iterations: Sequence[Iteration]) -> dict[str, str]:
    """Band → colour: the usual names have their own, others take turns."""
    used = {one.band for one in iterations if one.value is not None}
    others = sorted(used - set(_KNOWN))
    own = {name: f"var(--{name})" for name in _KNOWN if name in used}
    return {**own, **{name: f"var(--other-{at % _OTHERS})" for at, name in enumerate(others)}}


def _legend(colors: dict[str, str]) -> str:
    marks = [
        f'<li><svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">'
        f'<circle style="fill:{color}" cx="6" cy="6" r="5"/></svg>{escape(band)}</li>'
        for band, color in colors.items()
    ]
    return f'<ul class="legend">{"".join(marks)}</ul>'


def _plot(iterations: Sequence[Iteration], colors: dict[str, str]) -> str:
    step = min(_WIDEST_STEP, (_WIDTH - _LEFT - _RIGHT) / len(iterations))
    drawn = [*_axes(iterations, step), _path(iterations, step)]
    for at, one in enumerate(iterations):
        x = _across(at, step)
        high = _strip_up(one.coverage)
        width = max(1.0, step * 0.7)
        bar = f'<rect class="bar" x="{x - width / 2:.1f}" y="{high:.1f}" width="{width:.1f}" '
        bar += f'height="{_STRIP_BOTTOM - high:.1f}"/>'
        drawn.append(f"<g><title>{escape(_words(one))}</title>{_mark(one, x, step, colors)}{bar}</g>")
    drawn.append(f'<path class="least" d="M{_LEFT} {_strip_up(PROVISIONAL_BELOW):.1f}H{_WIDTH - _RIGHT}"/>')
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'aria-labelledby="trend-title trend-words"><title id="trend-title">Value by iteration</title>'
        f'<desc id="trend-words">{escape(_in_words(iterations))}</desc>{"".join(drawn)}</svg>'
    )


def _axes(iterations: Sequence[Iteration], step: float) -> Iterator[str]:
    for share in (0, 0.25, 0.5, 0.75, 1):
        yield _level(_up(share), f"{share:g}")
    if any(one.value is None for one in iterations):
        yield _text(_LEFT - 8, _LANE + 4, "no score", "end")
    for share in (0, 1):
        yield _level(_strip_up(share), _percent(share))
    yield _text(_LEFT - 8, (_STRIP_TOP + _STRIP_BOTTOM) / 2 + 4, "coverage", "end")
    every = -(-len(iterations) // _LABELS)
    for at in range(0, len(iterations), every):
        yield _text(_across(at, step), _HEIGHT - 6, str(iterations[at].iteration), "middle")


def _path(iterations: Sequence[Iteration], step: float) -> str:
    """A line through the values, broken where there is none."""
    drawn, pen = "", "M"
    for at, one in enumerate(iterations):
        drawn += "" if one.value is None else f"{pen}{_across(at, step):.1f} {_up(one.value):.1f}"
        pen = "M" if one.value is None else "L"
    return f'<path class="path" d="{drawn}"/>' if drawn else ""


def _mark(one: Iteration, x: float, step: float, colors: dict[str, str]) -> str:
    size = max(2.0, min(5.0, step * 0.4))
    if one.value is None:
        left, right, top, bottom = (f"{place:.1f}" for place in (x - size, x + size, _LANE - size, _LANE + size))
        return f'<path class="cross" d="M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}"/>'
    color = colors[one.band]
    inside = "var(--paper)" if one.provisional else color
    kind = "provisional" if one.provisional else "firm"
    return (
        f'<circle class="{kind}" style="fill:{inside};stroke:{color};stroke-width:1.8" cx="{x:.1f}" '
        f'cy="{_up(one.value):.1f}" r="{size:.1f}"/>'
    )


def _across(at: int, step: float) -> float:
    return _LEFT + (at + 0.5) * step


def _up(value: float) -> float:
    return _BOTTOM - min(1.0, value) * (_BOTTOM - _TOP)


def _strip_up(share: float) -> float:
    return _STRIP_BOTTOM - min(1.0, share) * (_STRIP_BOTTOM - _STRIP_TOP)


def _level(y: float, words: str) -> str:
    return f'<path class="grid" d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"/>{_text(_LEFT - 8, y + 4, words, "end")}'


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def _words(one: Iteration) -> str:
    about = f"Iteration {one.iteration}" + (f", {one.date}" if one.date else "")
    if one.value is None:
        return f"{about}: not scored, no signal had evidence"
    firm = ", provisional" if one.provisional else ""
    return f"{about}: {one.value:.3f}, {one.band}{firm}, on {_percent(one.coverage)} of the evidence"


def _in_words(iterations: Sequence[Iteration]) -> str:
    values = [one.value for one in iterations if one.value is not None]
    reach = f" Values reach from {min(values):.3f} to {max(values):.3f}." if values else ""
    return f"{_tally(iterations)}.{reach} The last is: {_words(iterations[-1])}. The table below has every value."


# --- tables -----


def _every_iteration(iterations: Sequence[Iteration]) -> str:
    names = ["iteration", "date", "task", "session", "value", "band", "evidence"]
    rows = []
    for one in reversed(iterations):
        firm = " (provisional)" if one.provisional and one.value is not None else ""
        about = [one.date or "–", one.task_id or "–", one.session_id or "–"]
        rows.append([str(one.iteration), *about, _number(one.value), one.band + firm, _percent(one.coverage)])
    return _table("Every iteration, the newest first", names, rows, {"date", "task", "session", "band"})


def _sessions(sessions: Sequence[OutcomeSession]) -> str:
    if not sessions:
        return '<h2>Sessions</h2><p class="dim">No iteration names a session.</p>'
    names = ["session", "iterations", "scored", "provisional", "mean", "interval", "band"]
    rows = []
    for one in sessions:
        firm = " (provisional)" if one.n_scored and one.n_provisional == one.n_scored else ""
        counts = [str(len(one.iterations)), str(one.n_scored), str(one.n_provisional)]
        sure = _interval(one.confidence_interval_95, one.ci_reason)
        rows.append([one.session_id, *counts, _number(one.value), sure, (one.band or "–") + firm])
    caption = "Mean of each session's scored iterations, the newest session first"
    return f"<h2>Sessions</h2>{_table(caption, names, rows, {'session', 'interval', 'band'})}"


def _honesty(found: Honesty) -> str:
    if not found.roles:
        return '<h2>Claims against facts</h2><p class="dim">No iteration holds a claim against a fact.</p>'
    names = ["role", "signal", "both known", "claim only", "fact only", "observed − claimed", "claimed too much"]
    rows = []
    for one in found.roles:
        counts = [str(one.n), str(one.n_claimed_only), str(one.n_observed_only)]
        sure = _interval(one.confidence_interval_95, one.ci_reason, signed=True)
        delta = sure if one.mean_delta is None else f"{one.mean_delta:+z.3f} ({sure})"
        share = _interval(one.overclaim_share_ci_95, "–")
        too_much = share if not one.n else f"{one.overclaimed} of {one.n}: {_number(one.overclaim_share)} ({share})"
        rows.append([one.role, one.signal, *counts, delta, too_much])
    caption = "By role and signal, means and shares with their intervals; below zero, more was claimed than is true"
    words = {"role", "signal", "observed − claimed", "claimed too much"}
    return f"<h2>Claims against facts</h2>{_table(caption, names, rows, words)}"


def _notes(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    listed = "".join(f"<li>{escape(note[:1].upper() + note[1:])}.</li>" for note in notes)
    return f'<ul class="dim notes">{listed}</ul>'


def _table(caption: str, names: Sequence[str], rows: Sequence[Sequence[str]], words: set[str]) -> str:
    """A table whose columns `words` hold text, all others numbers. The first cell names its row."""
    kinds = [' class="name"' if name in words else "" for name in names]
    head = "".join(f'<th scope="col"{kind}>{escape(name)}</th>' for kind, name in zip(kinds, names, strict=True))
    body = ""
    for cells in rows:
        first, *others = (f"{kind}>{escape(text)}" for kind, text in zip(kinds, cells, strict=True))
        body += f'<tr><th scope="row"{first}</th>' + "".join(f"<td{cell}</td>" for cell in others) + "</tr>"
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(ends: tuple[float, float] | None, reason: str | None, signed: bool = False) -> str:
    if ends is None:
        return reason or "–"
    sign = "+" if signed else ""
    return f"{ends[0]:{sign}.3f} to {ends[1]:{sign}.3f}"
