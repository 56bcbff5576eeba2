"""Outcome scores as one page: values over time, how much evidence they stand on, sessions, claims against facts.

Everything is in the file and nothing runs in it. What the numbers mean is decided elsewhere; here they are only
drawn, and every drawn value is also in a table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gnomon.model.outcome import (
    BAND_PROVISIONAL,
    PROVISIONAL_BELOW,
    Honesty,
    Iteration,
    OutcomeSession,
    evidence_changes,
    observed_signals,
)
from gnomon.report.rendering import Table, columns, render
from gnomon.shorten import counted

_BAND_COLORS = {"excellent": "good", "good": "mark", "fair": "warm", "poor": "bad"}
_OTHER_COLORS = ("line-3", "line-5", "line-4", "line-7")
_WIDTH, _LEFT, _RIGHT = 900, 64, 888
_TOP, _BOTTOM, _LANE, _STRIP_TOP, _STRIP_BOTTOM, _HEIGHT = 12, 212, 230, 252, 302, 324
_WIDEST_STEP = 44
_LABELS = 12
_LEAST_MOMENT = 10**9


@dataclass(frozen=True, slots=True)
class _BandLine:
    """A line across the plot."""

    y: float
    words: str


@dataclass(frozen=True, slots=True)
class _AxisLabel:
    x: float
    y: float
    words: str
    anchor: str


@dataclass(frozen=True, slots=True)
class _Mark:
    """One iteration: a disc, a ring or a cross, and below it the bar of its coverage."""

    words: str
    x: float
    y: float | None
    """None: there is no score, and a cross is drawn."""
    size: float
    kind: str
    color: str
    fill: str
    bar_top: float

    @property
    def cross(self) -> tuple[float, float, float, float]:
        return self.x - self.size, self.x + self.size, _LANE - self.size, _LANE + self.size


@dataclass(frozen=True, slots=True)
class _Trend:
    """The plot of values over time, in its own coordinates."""

    words: str
    colors: dict[str, str]
    levels: Sequence[_BandLine]
    labels: Sequence[_AxisLabel]
    line: str
    marks: Sequence[_Mark]
    changes: Sequence[_AxisLabel]
    """Where the kind of evidence changes: values on both sides are not alike."""
    bar_width: float
    least_y: float
    top: int = _TOP
    bottom: int = _BOTTOM
    width: int = _WIDTH
    height: int = _HEIGHT
    left: int = _LEFT
    right: int = _RIGHT
    bar_bottom: int = _STRIP_BOTTOM


def page(
    iterations: Sequence[Iteration],
    sessions: Sequence[OutcomeSession],
    honesty: Honesty,
    notes: Sequence[str] = (),
    title: str = "Outcomes",
) -> str:
    """The whole page. Iterations are of one source by one rubric version, ascending."""
    return render(
        "outcomes.html",
        title=title,
        notes=notes,
        about=_about(iterations) if iterations else "",
        least_coverage=_percent(PROVISIONAL_BELOW),
        trend=_trend(iterations) if iterations else None,
        iterations=_iteration_table(iterations),
        sessions=_session_table(sessions) if sessions else None,
        honesty=_honesty_table(honesty) if honesty.roles else None,
    )


def _about(iterations: Sequence[Iteration]) -> str:
    first = iterations[0]
    firm = [iteration.value for iteration in iterations if iteration.value is not None and not iteration.provisional]
    little = [iteration.value for iteration in iterations if iteration.value is not None and iteration.provisional]
    words = f" Mean {sum(firm) / len(firm):.3f} over {len(firm):,} that are a verdict." if firm else ""
    words += f" Provisional ones stand apart: {sum(little) / len(little):.3f} on average." if little else ""
    return f"{first.source}, rubric {first.rubric_version}: {_tally(iterations)}.{words}"


def _tally(iterations: Sequence[Iteration]) -> str:
    scored = sum(iteration.value is not None for iteration in iterations)
    provisional = sum(iteration.value is not None and iteration.provisional for iteration in iterations)
    words = f"{counted(len(iterations), 'iteration')}, {scored:,} scored"
    return f"{words}, {provisional:,} of them provisional" if provisional else words


# --- values over time -----


def _trend(iterations: Sequence[Iteration]) -> _Trend:
    step = min(_WIDEST_STEP, (_RIGHT - _LEFT) / len(iterations))
    colors = _colors(iterations)
    return _Trend(
        words=_in_words(iterations),
        colors=colors,
        levels=[*(_BandLine(_up(share), f"{share:g}") for share in (0, 0.25, 0.5, 0.75, 1)),
                *(_BandLine(_strip_up(share), _percent(share)) for share in (0, 1))],
        labels=list(_labels(iterations, step)),
        line=_line(iterations, step),
        marks=[_mark(iteration, _across(index, step), step, colors) for index, iteration in enumerate(iterations)],
        changes=list(_changes(iterations, step)),
        bar_width=max(1.0, step * 0.7),
        least_y=_strip_up(PROVISIONAL_BELOW),
    )  # fmt: skip


def _colors(iterations: Sequence[Iteration]) -> dict[str, str]:
    """Band → colour: the usual names have their own, others take turns."""
    used = {iteration.band for iteration in iterations if iteration.value is not None}
    usual = {band: f"var(--{color})" for band, color in _BAND_COLORS.items() if band in used}
    others = sorted(used - set(_BAND_COLORS))
    return {
        **usual,
        **{band: f"var(--{_OTHER_COLORS[index % len(_OTHER_COLORS)]})" for index, band in enumerate(others)},
    }


def _labels(iterations: Sequence[Iteration], step: float) -> Iterator[_AxisLabel]:
    if any(iteration.value is None for iteration in iterations):
        yield _AxisLabel(_LEFT - 8, _LANE + 4, "no score", "end")
    yield _AxisLabel(_LEFT - 8, (_STRIP_TOP + _STRIP_BOTTOM) / 2 + 4, "coverage", "end")
    every = -(-len(iterations) // _LABELS)
    for index in range(0, len(iterations), every):
        yield _AxisLabel(_across(index, step), _HEIGHT - 6, _place_words(iterations[index]), "middle")


def _place_words(iteration: Iteration) -> str:
    """An iteration's number; where that is a moment, as in entries that hooks write, its day is shorter to read."""
    by_moment = iteration.iteration >= _LEAST_MOMENT and iteration.date
    return (iteration.date or "")[5:10] if by_moment else str(iteration.iteration)


def _changes(iterations: Sequence[Iteration], step: float) -> Iterator[_AxisLabel]:
    """A mark before every iteration that stands on other facts than the one before it."""
    index_of = {iteration.iteration: index for index, iteration in enumerate(iterations)}
    scored = [(iteration.iteration, iteration.breakdown) for iteration in iterations if iteration.value is not None]
    for change in evidence_changes(scored):
        yield _AxisLabel(_LEFT + index_of[change.iteration] * step, _TOP, change.words, "middle")


def _line(iterations: Sequence[Iteration], step: float) -> str:
    """A line through the values, broken where there is none and where the evidence changes."""
    drawn, pen, before = "", "M", list[str]()
    for index, iteration in enumerate(iterations):
        now = observed_signals(iteration.breakdown)
        pen = pen if now == before else "M"
        drawn += "" if iteration.value is None else f"{pen}{_across(index, step):.1f} {_up(iteration.value):.1f}"
        pen = "M" if iteration.value is None else "L"
        before = now
    return drawn


def _mark(iteration: Iteration, x: float, step: float, colors: dict[str, str]) -> _Mark:
    color = "" if iteration.value is None else colors[iteration.band]
    return _Mark(
        words=_words(iteration),
        x=x,
        y=None if iteration.value is None else _up(iteration.value),
        size=max(2.0, min(5.0, step * 0.4)),
        kind="provisional" if iteration.provisional else "firm",
        color=color,
        fill="var(--paper)" if iteration.provisional else color,
        bar_top=_strip_up(iteration.coverage),
    )


def _across(index: int, step: float) -> float:
    return _LEFT + (index + 0.5) * step


def _up(value: float) -> float:
    return _BOTTOM - min(1.0, value) * (_BOTTOM - _TOP)


def _strip_up(share: float) -> float:
    return _STRIP_BOTTOM - min(1.0, share) * (_STRIP_BOTTOM - _STRIP_TOP)


def _words(iteration: Iteration) -> str:
    about = f"Iteration {iteration.iteration}" + (f", {iteration.date}" if iteration.date else "")
    if iteration.value is None:
        return f"{about}: not scored, no signal had evidence"
    firm = ", provisional" if iteration.provisional else ""
    return f"{about}: {iteration.value:.3f}, {iteration.band}{firm}, on {_percent(iteration.coverage)} of the evidence"


def _in_words(iterations: Sequence[Iteration]) -> str:
    values = [iteration.value for iteration in iterations if iteration.value is not None]
    reach = f" Values reach from {min(values):.3f} to {max(values):.3f}." if values else ""
    return f"{_tally(iterations)}.{reach} The last is: {_words(iterations[-1])}. The table below has every value."


# --- tables -----


def _iteration_table(iterations: Sequence[Iteration]) -> Table:
    rows = []
    for iteration in reversed(iterations):
        firm = " (provisional)" if iteration.provisional and iteration.value is not None else ""
        about = [iteration.date or "–", iteration.task_id or "–", iteration.session_id or "–"]
        figures = [_number(iteration.value), iteration.band + firm, _percent(iteration.coverage)]
        facts = ", ".join(observed_signals(iteration.breakdown)) or "–"
        rows.append([str(iteration.iteration), *about, *figures, facts])
    names = ["iteration", "date", "task", "session", "value", "band", "evidence", "facts"]
    return _table("Every iteration, the newest first", names, rows, ["date", "task", "session", "band", "facts"])


def _session_table(sessions: Sequence[OutcomeSession]) -> Table:
    rows = []
    for session in sessions:
        little = session.n_scored and session.n_provisional == session.n_scored and session.band != BAND_PROVISIONAL
        firm = " (provisional)" if little else ""
        counts = [str(len(session.iterations)), str(session.n_scored), str(session.n_provisional)]
        sure = _interval(session.confidence_interval_95, session.ci_reason)
        rows.append([session.session_id, *counts, _number(session.value), sure, (session.band or "–") + firm])
    names = ["session", "iterations", "scored", "provisional", "mean", "interval", "band"]
    caption = "Mean of each session's scored iterations without the provisional ones, the newest session first"
    return _table(caption, names, rows, ["session", "interval", "band"])


def _honesty_table(honesty: Honesty) -> Table:
    rows = []
    for role in honesty.roles:
        counts = [str(role.n), str(role.n_claimed_only), str(role.n_observed_only)]
        sure = _interval(role.confidence_interval_95, role.ci_reason, signed=True)
        delta = sure if role.mean_delta is None else f"{role.mean_delta:+z.3f} ({sure})"
        share = _interval(role.overclaim_share_ci_95, "–")
        too_much = share if not role.n else f"{role.overclaimed} of {role.n}: {_number(role.overclaim_share)} ({share})"
        rows.append([role.role, role.signal, *counts, delta, too_much])
    names = ["role", "signal", "both known", "claim only", "fact only", "observed − claimed", "claimed too much"]
    caption = "By role and signal, means and shares with their intervals; below zero, more was claimed than is true"
    return _table(caption, names, rows, ["role", "signal", "observed − claimed", "claimed too much"])


def _table(caption: str, names: Sequence[str], rows: Sequence[Sequence[str]], text: Sequence[str]) -> Table:
    return Table(columns(*names, text=text), rows, label=caption, caption=caption)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(ends: tuple[float, float] | None, reason: str | None, signed: bool = False) -> str:
    if ends is None:
        return reason or "–"
    sign = "+" if signed else ""
    return f"{ends[0]:{sign}z.3f} to {ends[1]:{sign}z.3f}"
