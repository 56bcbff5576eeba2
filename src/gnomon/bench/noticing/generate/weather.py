"""The weather of the person's town: by the month, warmer until mid-afternoon, and never in jumps."""

from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.generate.fields import Row, tidy
from gnomon.bench.noticing.generate.schedule import Day
from gnomon.bench.noticing.generate.worlds import Climate

_POINTS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
# Per mille of the day's rise in temperature, and of its highest UV index, by the hour of the day.
_WARMTH = (
    60,
    40,
    25,
    10,
    0,
    0,
    30,
    110,
    230,
    370,
    520,
    670,
    800,
    900,
    970,
    1000,
    985,
    930,
    830,
    700,
    560,
    430,
    300,
    170,
    60,
)
_SUN = (0, 0, 0, 0, 0, 0, 20, 90, 220, 420, 650, 860, 980, 1000, 900, 720, 500, 300, 140, 50, 10, 0, 0, 0, 0)


def rows(seed: int, day: Day, climate: Climate) -> list[Row]:
    draw = Stream(seed, "weather")
    month = day.midnight.month - 1
    coldest = climate.lows[month] + draw.real(-2.5, 2.5)
    rise = (climate.highs[month] - climate.lows[month]) * draw.real(0.85, 1.15)
    sun = 2 + 6 * (climate.highs[month] > 15) + draw.whole(0, 2)
    prevailing = direction = draw.whole(0, 7)
    wind, pressure, air, pollen = (
        draw.real(3, 9),
        draw.real(29.8, 30.2),
        draw.real(28, 55),
        draw.pick(("Low", "Medium", "High")),
    )
    usual_wind, usual_air, clouds, usual_clouds = wind, air, draw.real(15, 60), draw.real(15, 60)
    stray = damp = 0.0
    readings = []
    for time in day.times:
        stray = 0.85 * stray + draw.bell(0.12)
        damp = 0.85 * damp + draw.bell(0.7)
        wind += 0.1 * (usual_wind - wind) + draw.bell(0.35)
        air += 0.1 * (usual_air - air) + draw.bell(0.9)
        pressure += 0.05 * (30 - pressure) + draw.bell(0.005)
        clouds += 0.08 * (usual_clouds - clouds) + draw.bell(2.0)
        direction = _turned(draw, direction, prevailing)
        hour, part = time.hour, time.minute / 60
        temp = coldest + rise * _between(_WARMTH, hour, part) / 1000 + stray
        humidity = min(max(78 - 2.4 * (temp - coldest) + damp, 22), 97)
        readings.append(
            {
                "temp": temp,
                "feels_like": temp - 0.08 * max(wind, 0) + (0.04 * (humidity - 40) if temp > 22 else -0.2),
                "humidity": humidity,
                "wind_speed": max(wind, 0.4),
                "wind_dir": _POINTS[direction],
                "uv_index": sun * _between(_SUN, hour, part) / 1000 * (1 - min(max(clouds, 0), 100) / 250),
                "aqi": max(air, 12),
                "pollen_level": pollen,
                "pressure": pressure,
                # A rule of thumb that is good to a degree, in place of Magnus' logarithm.
                "dew_point": temp - (100 - humidity) / 5,
                "cloud_cover": clouds,
            }
        )
    return [tidy("weather", row) for row in readings]


def _between(table: tuple[int, ...], hour: int, part: float) -> float:
    return table[hour] + part * (table[hour + 1] - table[hour])


def _turned(draw: Stream, direction: int, prevailing: int) -> int:
    roll = draw.whole(0, 999)
    if roll < 40:
        return (direction + 1) % 8
    if roll < 80:
        return (direction - 1) % 8
    if roll < 180 and direction != prevailing:
        clockwise = (prevailing - direction) % 8 <= 4
        return (direction + (1 if clockwise else -1)) % 8
    return direction
