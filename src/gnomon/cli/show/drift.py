"""Drift in words, and a small plot: each stretch of days beside where the mean of the reference lies."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import draw, line
from gnomon.report.text.drawing import axis, clean, interval, number, table, whisker
from gnomon.shorten import counted

if TYPE_CHECKING:
    from gnomon.model.drift import Drift, DriftDay, DriftSeries, DriftWindow

_MOST_ROWS = 12
_MOVED = {"down": "fell", "up": "rose"}


def drift(report: "Drift") -> None:
    if not report.series:
        line(f"{clean(report.project_id)} has no numbers on spans yet: too few to tell")
    for series in report.series:
        line(_headline(series))
        for words in _details(series):
            line(f"  {words}")
        if series.by_value is None or series.status == "alarm":
            _plot(series)
    for note in report.notes:
        line(f"note: {clean(note)}")


def _headline(series: "DriftSeries") -> str:
    name = clean(series.scorer_name) + ("" if series.by_value is None else f" [{clean(series.by_value)}]")
    if series.status == "too_few":
        return f"{name}: too few scores to tell: {clean(series.reason or '')}"
    if series.status == "quiet":
        return f"{name}: quiet, no change that can be told from chance"
    moved = _MOVED[series.direction or "down"]
    return f"{name}: ALARM on {series.alarm_day}: the mean {moved}, from about {series.began_day} on"


def _details(series: "DriftSeries") -> list[str]:
    if series.status == "too_few" or series.reference is None or series.since is None:
        return []
    ends = (
        ""
        if series.effect_interval is None
        else f" ({series.effect_interval[0]:+z.3f} to {series.effect_interval[1]:+z.3f})"
    )
    words = [
        f"reference {_window_text(series.reference)}; its mean lies in {interval(series.reference_interval)}",
        f"since     {_window_text(series.since)}",
        f"change {number(series.effect, '+')}{ends}, at every look at once; "
        f"false alarms ever: {100 * series.false_alarm_rate:.2g} %",
    ]
    if series.recovered:
        words.append("the mean may be back by now: the change since then is no longer clear of 0")
    return words


def _window_text(window: "DriftWindow") -> str:
    return f"{window.first_day} to {window.last_day}: mean {window.mean:.3f} of {counted(window.n, 'score')}"


def _plot(series: "DriftSeries") -> None:
    """A row per stretch of days: ● is its mean, ├──┤ where the mean of the reference lies."""
    if series.reference_interval is None or series.reference is None:
        return
    size = math.ceil(len(series.days) / _MOST_ROWS)
    parts = [series.days[at : at + size] for at in range(0, len(series.days), size)]
    means = [_mean(part) for part in parts]
    low, high = min(*means, series.reference_interval[0]), max(*means, series.reference_interval[1])
    start, end = math.floor(low * 10) / 10, max(math.ceil(high * 10) / 10, math.floor(low * 10) / 10 + 0.1)
    rows = table("from", "scores", "mean", axis(f"{start:.1f}", f"{end:.1f}"), right=("scores", "mean"))
    for part, mean in zip(parts, means, strict=True):
        drawn = whisker(mean, series.reference_interval, start, end)
        rows.add_row(str(part[0].day), f"{sum(day.n for day in part):,}", number(mean), drawn)
    draw(rows)
    line("● mean of these days, ├──┤ where the mean of the reference lies")


def _mean(part: "Sequence[DriftDay]") -> float:
    return math.fsum(day.n * day.mean for day in part) / sum(day.n for day in part)
