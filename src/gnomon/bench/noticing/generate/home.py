"""The sensors of a home whose one inhabitant comes and goes."""

from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.generate.fields import Row, tidy
from gnomon.bench.noticing.generate.schedule import Day, ScheduleBlock

# Rooms where somebody doing this moves.
_ROOMS = {
    "waking": ("bedroom", "bathroom"),
    "breakfast": ("kitchen", "hallway"),
    "working_home": ("study", "kitchen"),
    "meeting": ("study",),
    "lunch_home": ("kitchen", "living_room"),
    "cooking": ("kitchen",),
    "at_home": ("living_room", "kitchen", "hallway", "bathroom"),
    "evening": ("living_room", "kitchen", "bathroom"),
}
_SITS = ("working_home", "meeting", "at_home", "evening")
_POWER = {"cooking": 1500, "breakfast": 700, "lunch_home": 350, "working_home": 220, "evening": 320}


def rows(seed: int, day: Day) -> list[Row]:
    draw = Stream(seed, "home")
    warmth, usual = draw.real(20.5, 22.5), draw.real(5, 10)
    temp, dust, damp = warmth, usual, draw.real(40, 50)
    airs = draw.whole(3, 5)
    readings = []
    for beat, block in enumerate(day.block_of):
        inside = block.place == "home" and block.activity != "drive"
        cooking = block.activity == "cooking"
        temp += 0.15 * (warmth + (0.8 if cooking else 0.0) - temp) + draw.bell(0.06)
        dust += 0.35 * (usual + (22 if cooking else 0) - dust) + draw.bell(0.8)
        damp += 0.15 * (45 + (8 if cooking else 0) - damp) + draw.bell(0.4)
        readings.append(
            {
                "indoor_temp": temp,
                "humidity": damp,
                "co_ppm": draw.whole(0, 2) + (1 if cooking else 0),
                "pm25": max(dust, 2),
                "front_door": "open" if _passes_door(day, beat) else "closed",
                "back_window": "open" if inside and airs <= beat < airs + 4 else "closed",
                "motion_in": _moving(draw, block) if inside else [],
                "power_draw": _power(draw, block, beat, inside),
            }
        )
    return [tidy("home", row) for row in readings]


def _passes_door(day: Day, beat: int) -> bool:
    """The door is seen open in the first beat after leaving or coming home."""
    return beat > 0 and _away(day.block_of[beat]) != _away(day.block_of[beat - 1])


def _away(block: ScheduleBlock) -> bool:
    return block.place != "home" or block.activity == "drive"


def _moving(draw: Stream, block: ScheduleBlock) -> list[str]:
    rooms = _ROOMS[block.activity]
    count, still = draw.whole(1, min(2, len(rooms))), draw.chance(100)
    return [] if still and block.activity in _SITS else draw.some(rooms, count)


def _power(draw: Stream, block: ScheduleBlock, beat: int, inside: bool) -> int:
    fridge = 90 if beat % 6 < 2 else 0
    used = _POWER.get(block.activity, 130) if inside else 0
    return 75 + fridge + used + draw.whole(-15, 25) + (draw.whole(0, used // 3) if used else 0)
