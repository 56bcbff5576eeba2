"""Where a phone would have been: at a place, on the way between two, or round a park."""

from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.generate.fields import Row, tidy
from gnomon.bench.noticing.generate.schedule import Day, ScheduleBlock
from gnomon.bench.noticing.generate.worlds import NamedPlace

# Round a park of about 700 metres: eight points, in 1/100000 of a degree.
_LOOP = ((0, 0), (180, 140), (320, 60), (350, -160), (240, -330), (60, -380), (-110, -270), (-130, -80))
_KEEPS_FENCE = {"home": "at_home", "office": "at_office"}


def rows(seed: int, day: Day, places: dict[str, NamedPlace]) -> list[Row]:
    draw = Stream(seed, "location")
    readings: list[Row] = []
    position, heading = (places["home"].lat, places["home"].lon), draw.whole(0, 359)
    for beat, block in enumerate(day.block_of):
        row, position, heading = _row(draw, block, beat, places, position, heading)
        readings.append(tidy("location", row))
    return readings


def heading_of(north: float, east: float) -> int:
    """Degrees clockwise from north. Straight in each eighth of the circle: up to 4 degrees off, no arctangent."""
    along, across = abs(north), abs(east)
    if along + across == 0:
        return 0
    angle = 45 * across / along if along >= across else 90 - 45 * along / across
    if north < 0:
        angle = 180 - angle
    return round(360 - angle if east < 0 else angle) % 360


def _row(
    draw: Stream,
    block: ScheduleBlock,
    beat: int,
    places: dict[str, NamedPlace],
    before: tuple[float, float],
    heading: int,
) -> tuple[Row, tuple[float, float], int]:
    north, east = draw.real(-1, 1), draw.real(-1, 1)
    pace, turn, height, fix = draw.real(0, 1), draw.whole(-10, 10), draw.real(0, 1), draw.real(0, 1)
    place = places[block.place]
    fence, kind = _KEEPS_FENCE.get(block.place), "stationary"
    position = (place.lat + 0.00006 * north, place.lon + 0.00006 * east)
    altitude, speed, accuracy = place.altitude + 2 * height, 0.2 * pace, 3 + 6 * fix
    if block.activity == "drive" and block.goes_to is not None:
        goal = places[block.goes_to]
        share = (beat - block.start + 0.5) / (block.end - block.start)
        position = (
            place.lat + share * (goal.lat - place.lat) + 0.0004 * north,
            place.lon + share * (goal.lon - place.lon) + 0.0004 * east,
        )
        altitude = place.altitude + share * (goal.altitude - place.altitude) + 3 * height
        fence, kind, speed, accuracy = None, "driving", 7 + 11 * pace, 4 + 7 * fix
    elif block.activity == "exercise":
        point = _LOOP[(beat - block.start) % len(_LOOP)]
        position = (place.lat + (point[0] + 20 * north) / 100_000, place.lon + (point[1] + 20 * east) / 100_000)
        fence, kind, speed = None, "running", 2.4 + 0.9 * pace
    elif block.activity == "shopping":
        position = (place.lat + 0.0003 * north, place.lon + 0.0003 * east)
        kind, speed, accuracy = "walking", 0.3 + 0.9 * pace, 6 + 14 * fix
    if kind in ("driving", "running"):
        heading = heading_of(position[0] - before[0], position[1] - before[1])
    heading = (heading + turn) % 360
    row = {
        "lat": position[0],
        "lon": position[1],
        "altitude": altitude,
        "speed": speed,
        "heading": heading,
        "accuracy": accuracy,
        "geofence_status": fence,
        "movement_classification": kind,
    }
    return row, position, heading
