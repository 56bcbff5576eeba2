"""A scenario's day, ready to be looked at: what each sensor said beat by beat, what came in, and what is missing.

For people who make or check scenarios, not for agents: it says when the anomaly begins and what it changes.
"""

from pydantic import Field

from gnomon.model.fields import Noun


class DaySeries(Noun):
    """One field over the day: numbers, or words where the sensor speaks in words."""

    field: str = Field(description="module.field, as in the beats")
    affected: bool = Field(description="Whether the anomaly changes it, as the answer key says")
    numeric: bool
    values: list[float | str | None] = Field(description="One a beat; null where the beat does not have it")
    low: float | None = Field(default=None, description="The least number")
    high: float | None = Field(default=None, description="The greatest number")

    def numbers(self) -> list[float | None]:
        return [value if isinstance(value, float) else None for value in self.values]


class DayEvent(Noun):
    """Something that came in or was planned: a message, a call, a transaction, an appointment."""

    beat: int = Field(description="Place among the beats, from 0")
    kind: str
    words: str


class DayGap(Noun):
    """A stretch of beats without a module that the day otherwise has."""

    module: str
    first: int = Field(description="Place of the first beat without it")
    last: int


class DayView(Noun):
    scenario_id: str
    kind: str = Field(description="Anomaly or look-alike")
    control: bool = Field(description="Whether it is a day on which nothing calls for action")
    noise_tier: str
    person: str
    beats: list[int] = Field(description="The beats' ids, in order")
    times: list[str] = Field(description="The beats' times, in order")
    onset: int | None = Field(description="Place of the first anomalous beat; null where there is none")
    affected: list[str] = Field(description="Fields that the anomaly changes")
    series: list[DaySeries] = Field(description="Affected ones first, then by module")
    events: list[DayEvent] = Field(description="In order of time")
    gaps: list[DayGap]
    notes: list[str]

    def clock(self, index: int) -> str:
        """The time of a beat within the day: 18:05."""
        time = self.times[index]
        return time[11:16] if time[10:11] == "T" else time
