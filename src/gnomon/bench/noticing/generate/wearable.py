"""What a watch and a glucose patch would have read on an ordinary day.

Readings follow what the person does with a lag, so nothing jumps; now and then a sensor is wrong for a beat.
"""

from typing import NamedTuple

from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.generate.fields import Row, tidy
from gnomon.bench.noticing.generate.schedule import Day

# Share of a meal's rise in blood sugar, per mille, by beats since its start: up within 45 minutes, gone after 4 hours.
_MEAL_CURVE = (
    0, 270, 480, 650, 780, 880, 940, 980, 998, 1000, 990, 970, 945, 915, 880, 845, 810, 770, 730, 690, 650, 610, 575,
    540, 505, 470, 440, 410, 380, 350, 325, 300, 275, 255, 235, 215, 195, 180, 165, 150, 135, 120, 110, 100, 90, 75, 60,
    45, 30, 15,
)  # fmt: skip


class _Effort(NamedTuple):
    """What an activity does to the body: pulse above rest, steps and calories a beat, loss of charge a beat."""

    pulse: int
    steps: tuple[int, int]
    calories: tuple[int, int]
    drain: tuple[int, int]
    sitting: bool = False


_EFFORTS = {
    "waking": _Effort(3, (10, 60), (5, 9), (-1, 1), sitting=True),
    "breakfast": _Effort(8, (10, 60), (5, 9), (-1, 1), sitting=True),
    "drive": _Effort(12, (2, 20), (6, 10), (0, 1), sitting=True),
    "working": _Effort(8, (15, 80), (6, 10), (-1, 2), sitting=True),
    "working_home": _Effort(6, (10, 60), (6, 9), (-1, 2), sitting=True),
    "meeting": _Effort(11, (10, 40), (6, 10), (-1, 2), sitting=True),
    "lunch": _Effort(14, (10, 60), (7, 11), (0, 1)),
    "lunch_home": _Effort(10, (5, 40), (6, 10), (-1, 1), sitting=True),
    "at_home": _Effort(8, (10, 70), (6, 10), (-1, 1), sitting=True),
    "evening": _Effort(6, (10, 60), (5, 9), (-1, 1), sitting=True),
    "cooking": _Effort(16, (20, 90), (8, 13), (0, 1)),
    "shopping": _Effort(24, (120, 320), (12, 20), (0, 2)),
    "exercise": _Effort(80, (620, 840), (42, 62), (3, 5)),
}


def rows(seed: int, day: Day) -> list[Row]:
    draw = Stream(seed, "wearable")
    resting = draw.whole(54, 64)
    meals = [
        (start, draw.whole(28, 46)) for name in ("breakfast", "lunch", "lunch_home") for start in day.starts_of(name)
    ]
    fasting, warmth = draw.real(86, 94), draw.real(36.2, 36.5)
    pulse, skin, charge, floor = float(resting), warmth, float(draw.whole(86, 96)), draw.whole(8, 16)
    steps = calories = 0
    readings = []
    for beat, block in enumerate(day.block_of):
        effort = _EFFORTS[block.activity]
        running = block.activity == "exercise"
        pulse += 0.6 * (resting + effort.pulse - pulse) + draw.bell(2.0)
        skin += 0.25 * (warmth + (0.5 if running else 0.0) - skin) + draw.bell(0.05)
        steps += _steps(draw, effort, beat)
        calories += draw.whole(*effort.calories)
        charge = max(charge - draw.whole(*effort.drain), floor + draw.whole(-2, 2))
        risen = sum(_share(beat - start) * height for start, height in meals) / 1000
        readings.append(
            {
                "heart_rate": pulse + _spike(draw, effort),
                "spo2": _saturation(draw),
                "steps": steps,
                "skin_temp": skin,
                "ecg_summary": _trace(draw),
                "blood_glucose": fasting + risen - (5 if running else 0) + draw.bell(1.3),
                "calories_burned": calories,
                "sleep_stage": "awake",
                "respiratory_rate": draw.whole(23, 30) if running else draw.whole(13, 18),
                "body_battery": min(charge, 100),
            }
        )
    return [tidy("wearable", row) for row in readings]


def _share(beats: int) -> int:
    return _MEAL_CURVE[beats] if 0 <= beats < len(_MEAL_CURVE) else 0


def _steps(draw: Stream, effort: _Effort, beat: int) -> int:
    """Steps per beat: none, most of the time, while the person sits."""
    roll, steps = draw.whole(0, 999), draw.whole(*effort.steps)
    if beat == 0:
        return 0
    if not effort.sitting or roll < 330:
        return steps
    return 1 if roll < 400 else 0


def _spike(draw: Stream, effort: _Effort) -> int:
    """Stairs, a laugh, a bad seat of the watch: one beat, then gone."""
    height, happens = draw.whole(9, 20), draw.chance(70)
    return height if happens and effort.sitting else 0


def _saturation(draw: Stream) -> int:
    roll, usual, odd = draw.whole(0, 999), draw.whole(95, 99), draw.whole(93, 94)
    if roll < 50:
        return 100
    return odd if roll < 80 else usual


def _trace(draw: Stream) -> str:
    roll = draw.whole(0, 999)
    if roll < 25:
        return "motion artifact"
    return "poor signal quality" if roll < 45 else "normal sinus rhythm"
