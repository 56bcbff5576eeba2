"""Drift: has the mean of a scorer's numbers on spans moved since a reference window?"""

from datetime import date
from typing import Literal

from pydantic import Field

from gnomon.model.aggregate import Interval
from gnomon.model.fields import Draft, FiniteNoun

DriftStatus = Literal["alarm", "quiet", "too_few"]


class DriftOptions(Draft):
    """Which scores to test, and which reference to compare them with."""

    scorer_name: str | None = None
    config_hash: str | None = None
    reference: str | None = None
    """FROM..TO, two days; the first days with scores when left out."""
    by: str | None = None
    until: str | None = None


class DriftDay(FiniteNoun):
    """The scores of the spans that started on this day (UTC)."""

    day: date
    n: int
    mean: float


class DriftWindow(FiniteNoun):
    first_day: date
    last_day: date
    days: int = Field(description="Days with scores")
    n: int
    mean: float


class DriftSeries(FiniteNoun):
    """One stream of scores: a scorer in one configuration, on all spans or on those with one value of `by`."""

    scorer_name: str
    config_hash: str | None = Field(description="Null for scores that were sent as they are")
    by_value: str | None = Field(description="Null for all spans together")
    status: DriftStatus
    reason: str | None = Field(description="Why there are too few scores")
    false_alarm_rate: float = Field(
        description="Chance that this stream, unchanged, ever raises an alarm over all looks: its share of 0.05"
    )
    reference: DriftWindow | None
    reference_interval: Interval | None = Field(description="Where the mean of the reference lies")
    since: DriftWindow | None = Field(description="From the change on, after an alarm; else all after the reference")
    direction: Literal["down", "up"] | None
    alarm_day: date | None = Field(description="The first day at whose end the alarm stood")
    began_day: date | None = Field(description="When the change began, as far as the data shows")
    effect: float | None = Field(description="Mean of `since` minus mean of `reference`")
    effect_interval: Interval | None = Field(description="Holds at every look at once")
    recovered: bool = Field(description="After an alarm: the mean since may be that of the reference again")
    days: list[DriftDay]


class Drift(FiniteNoun):
    """All streams that were asked for. Alarms of any of them are wrong with a chance of at most `false_alarm_rate`."""

    project_id: str
    by: str | None
    status: DriftStatus = Field(description="`alarm` when any stream has one; `too_few` when all have")
    false_alarm_rate: float
    series: list[DriftSeries]
    notes: list[str]
