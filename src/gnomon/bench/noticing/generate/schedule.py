"""A day in blocks: what the person does at each beat, and when the beats are.

Every plan of a day has, between the earliest and the latest onset, hours alone at home, a drive, sport, cooking
and time away from home, so that every kind finds its beat on the day of every seed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone

from gnomon.bench.noticing.generate.chance import Stream

BEATS = 160
EARLIEST_ONSET = 60
LATEST_ONSET = BEATS - 21
"""Twenty beats follow the latest onset."""
MINUTES = 5
_START = (6, 30)


@dataclass(frozen=True, slots=True)
class ScheduleBlock:
    """One thing that the person does: where (`goes_to` on a drive), from which beat to before which."""

    activity: str
    place: str
    start: int
    end: int
    goes_to: str | None = None


ACTIVITIES = (
    "waking", "breakfast", "drive", "working", "meeting", "lunch", "working_home", "at_home", "exercise", "cooking",
    "lunch_home", "shopping", "evening",
)  # fmt: skip

# activity, place (for a drive: where to), shortest and longest in beats. The last block goes on to the end.
_Plan = tuple[tuple[str, str, int, int], ...]
_PLANS: tuple[_Plan, ...] = (
    (
        ("waking", "home", 3, 4), ("breakfast", "home", 3, 5), ("drive", "office", 6, 8), ("working", "office", 22, 24),
        ("meeting", "office", 8, 9), ("working", "office", 16, 19), ("lunch", "restaurant", 8, 9),
        ("working", "office", 18, 22), ("drive", "home", 6, 8), ("at_home", "home", 6, 8), ("exercise", "park", 9, 11),
        ("at_home", "home", 3, 5), ("cooking", "home", 6, 8), ("evening", "home", 1, 1),
    ),
    (
        ("waking", "home", 3, 5), ("breakfast", "home", 3, 5), ("working_home", "home", 30, 34),
        ("meeting", "home", 6, 8), ("working_home", "home", 14, 19), ("exercise", "park", 9, 11),
        ("cooking", "home", 5, 6), ("lunch_home", "home", 4, 5), ("working_home", "home", 18, 24),
        ("drive", "shop", 5, 7), ("shopping", "shop", 8, 10), ("drive", "home", 5, 7), ("at_home", "home", 6, 9),
        ("cooking", "home", 6, 8), ("evening", "home", 1, 1),
    ),
    (
        ("waking", "home", 3, 4), ("breakfast", "home", 3, 4), ("drive", "office", 6, 8), ("working", "office", 20, 24),
        ("meeting", "office", 7, 9), ("working", "office", 15, 18), ("drive", "home", 6, 8), ("cooking", "home", 5, 6),
        ("lunch_home", "home", 4, 5), ("working_home", "home", 20, 26), ("at_home", "home", 3, 4),
        ("exercise", "park", 9, 11), ("at_home", "home", 4, 6), ("drive", "shop", 5, 6), ("shopping", "shop", 6, 8),
        ("drive", "home", 5, 6), ("evening", "home", 1, 1),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Day:
    """Blocks, the block of each beat, and the local time of each beat."""

    blocks: tuple[ScheduleBlock, ...]
    block_of: tuple[ScheduleBlock, ...]
    times: tuple[datetime, ...]

    @property
    def midnight(self) -> datetime:
        return self.times[0].replace(hour=0, minute=0, second=0)

    def at(self, minute: int) -> datetime:
        """A time of this day, by the minute since midnight."""
        return self.midnight + timedelta(minutes=minute)

    def starts_of(self, activity: str) -> list[int]:
        return [block.start for block in self.blocks if block.activity == activity]


def day_of(seed: int, when: date, offset: timedelta) -> Day:
    blocks = _blocks(Stream(seed, "schedule"))
    clock = Stream(seed, "clock")
    first = datetime(when.year, when.month, when.day, *_START, tzinfo=timezone(offset))
    times = tuple(first + timedelta(minutes=MINUTES * beat, seconds=clock.whole(0, 30)) for beat in range(BEATS))
    block_of = tuple(block for block in blocks for _ in range(block.start, block.end))
    return Day(blocks, block_of, times)


def possible_onsets(day: Day, activities: Sequence[str], settled: int, clear: int) -> list[int]:
    """Beats of these activities that have `settled` such beats before them, and `clear` counting themselves."""
    fits = [block.activity in activities for block in day.block_of]
    return [
        beat for beat in range(EARLIEST_ONSET, LATEST_ONSET + 1) if all(fits[beat - settled : beat + max(clear, 1)])
    ]


def _blocks(draw: Stream) -> tuple[ScheduleBlock, ...]:
    plan = draw.pick(_PLANS)
    blocks: list[ScheduleBlock] = []
    start, place = 0, "home"
    for number, (activity, where, shortest, longest) in enumerate(plan, start=1):
        length = draw.whole(shortest, longest)
        end = BEATS if number == len(plan) else start + length
        if activity == "drive":
            blocks.append(ScheduleBlock(activity, place, start, end, goes_to=where))
        else:
            blocks.append(ScheduleBlock(activity, where, start, end))
        start, place = end, where
    return tuple(blocks)
