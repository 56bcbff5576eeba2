"""Drift in words, and a small plot: each stretch of days beside where the mean of the reference lies."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import draw, line
from gnomon.report.text.drawing import axis, clean, interval, number, table, whisker

if TYPE_CHECKING:
    from gnomon.model.drift import Drift, DriftDay, DriftSeries, DriftWindow

_MOST_ROWS = 12
_MOVED = {"down": "fell", "up": "rose"}


def drift(found: "Drift") -> None:
    if not found.series:
        line(f"{clean(found.project_id)} has no numbers on spans yet: too few to tell")
    for one in found.series:
        line(_headline(one))
        for words in _details(one):
            line(f"  {words}")
        if one.by_value is None or one.status == "alarm":
            _plot(one)
    for note in found.notes:
        line(f"note: {clean(note)}")


def _headline(one: "DriftSeries") -> str:
    name = clean(one.scorer_name) + ("" if one.by_value is None else f" [{clean(one.by_value)}]")
    if one.status == "too_few":
        return f"{name}: too few scores to tell: {clean(one.reason or '')}"
    if one.status == "quiet":
        return f"{name}: quiet, no change that can be told from chance"
    return (
        f"{name}: ALARM on {one.alarm_day}: the mean {_MOVED[one.direction or 'down']}, from about {one.began_day} on"
    )


def _details(one: "DriftSeries") -> list[str]:
    if one.status == "too_few" or one.reference is None or one.since is None:
        return []
    ends = "" if one.effect_interval is None else f" ({one.effect_interval[0]:+.3f} to {one.effect_interval[1]:+.3f})"
    words = [
        f"reference {_told(one.reference)}; its mean lies in {interval(one.reference_interval)}",
        f"since     {_told(one.since)}",
        f"change {number(one.effect, '+')}{ends}, at every look at once; "
        f"false alarms ever: {100 * one.false_alarm_rate:.2g} %",
    ]
    if one.recovered:
        words.append("the mean may be back by now: the change since then is no longer clear of 0")
    return words


def _told(window: "DriftWindow") -> str:
    return f"{window.first_day} to {window.last_day}: mean {window.mean:.3f} of {window.n:,} scores"


def _plot(one: "DriftSeries") -> None:
    """A row per stretch of days: ● is its mean, ├──┤ where the mean of the reference lies."""
    if one.reference_interval is None or one.reference is None:
        return
    size = math.ceil(len(one.days) / _MOST_ROWS)
    parts = [one.days[at : at + size] for at in range(0, len(one.days), size)]
    means = [_mean(part) for part in parts]
    low, high = min(*means, one.reference_interval[0]), max(*means, one.reference_interval[1])
    start, end = math.floor(low * 10) / 10, max(math.ceil(high * 10) / 10, math.floor(low * 10) / 10 + 0.1)
    rows = table("from", "scores", "mean", axis(f"{start:.1f}", f"{end:.1f}"), right=("scores", "mean"))
    for part, mean in zip(parts, means, strict=True):
        drawn = whisker(mean, one.reference_interval, start, end)
        rows.add_row(str(part[0].day), f"{sum(day.n for day in part):,}", number(mean), drawn)
    draw(rows)
    line("● mean of these days, ├──┤ where the mean of the reference lies")


def _mean(part: "Sequence[DriftDay]") -> float:
    return math.fsum(day.n * day.mean for day in part) / sum(day.n for day in part)
