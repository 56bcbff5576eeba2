"""A log by days, weeks or months: how much was done, what it was worth, what landed, what it cost."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

from gnomon.model.iterationfacts import TrendPeriod
from gnomon.outcome.walk import ScoredIteration

Step = Literal["day", "week", "month"]
_DAYS, _WEEKS = 14, 26 * 7
"""A log of at most so many days is shown by days; one of at most half a year by weeks."""


def periods_of(iterations: Sequence[ScoredIteration]) -> list[TrendPeriod]:
    """The periods in which something was done, the oldest first. Iterations without a date are in none."""
    dated = [(day, iteration) for iteration in iterations if (day := _day(iteration.record.date))]
    if not dated:
        return []
    days = [day for day, _ in dated]
    step = _step(max(days) - min(days))
    groups: dict[date, list[ScoredIteration]] = {}
    for day, iteration in sorted(dated, key=lambda pair: pair[0]):
        groups.setdefault(_start(day, step), []).append(iteration)
    return [_period(start, step, members) for start, members in groups.items()]


def _step(span: timedelta) -> Step:
    return "day" if span.days < _DAYS else "week" if span.days < _WEEKS else "month"


def _start(day: date, step: Step) -> date:
    if step == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if step == "week" else day


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None


def _period(start: date, step: Step, members: Sequence[ScoredIteration]) -> TrendPeriod:
    firm = [
        iteration.score.value for iteration in members if iteration.score.scored and not iteration.score.provisional
    ]
    decided = [iteration.signals.landed.sub_score for iteration in members if iteration.signals.landed.present]
    costs = [iteration.facts.cost_usd for iteration in members]
    tokens = [iteration.facts.tokens for iteration in members]
    return TrendPeriod(
        start=start.isoformat(),
        step=step,
        iterations=len(members),
        scored=len(firm),
        mean=sum(firm) / len(firm) if firm else None,
        landed=sum(share > 0 for share in decided),
        undecided=len(members) - len(decided),
        tokens=sum(count for count in tokens if count is not None) if any(tokens) else None,
        cost_usd=round(sum(cost for cost in costs if cost is not None), 6) if set(costs) != {None} else None,
        cost_unknown=sum(cost is None for cost in costs),
    )
