"""What the numbers of a beat are: decimals, limits, and which of them only ever count up."""

from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import BaseModel

from gnomon.bench.noticing.scenario import (
    CalendarData,
    CommsData,
    FinancialData,
    HomeData,
    LocationData,
    WearableData,
    WeatherData,
)

Row = dict[str, Any]
"""A module's values in one beat."""

MODELS: dict[str, type[BaseModel]] = {
    "wearable": WearableData,
    "location": LocationData,
    "weather": WeatherData,
    "calendar": CalendarData,
    "comms": CommsData,
    "financial": FinancialData,
    "home": HomeData,
}


class Number(NamedTuple):
    decimals: int = 0
    low: float = 0
    high: float = 1_000_000
    counts_up: bool = False

    def tidy(self, value: float) -> float | int:
        """Inside the limits and with fixed decimals, so that nothing like 0.30000000000000004 is ever written."""
        inside = min(max(value, self.low), self.high)
        # 0.0 added: a rounded -0.01 would be written as -0.0.
        return round(inside, self.decimals) + 0.0 if self.decimals else round(inside)


NUMBERS = MappingProxyType(
    {
        "wearable.heart_rate": Number(0, 0, 220),
        "wearable.spo2": Number(0, 0, 100),
        "wearable.steps": Number(counts_up=True),
        "wearable.skin_temp": Number(1, 5, 43),
        "wearable.blood_glucose": Number(1, 20, 500),
        "wearable.calories_burned": Number(counts_up=True),
        "wearable.respiratory_rate": Number(0, 0, 60),
        "wearable.body_battery": Number(0, 0, 100),
        "location.lat": Number(6, -90, 90),
        "location.lon": Number(6, -180, 180),
        "location.altitude": Number(1, -400, 9000),
        "location.speed": Number(2, 0, 70),
        "location.heading": Number(0, 0, 359),
        "location.accuracy": Number(1, 1, 5000),
        "weather.temp": Number(1, -60, 60),
        "weather.feels_like": Number(1, -60, 60),
        "weather.humidity": Number(0, 0, 100),
        "weather.wind_speed": Number(1, 0, 150),
        "weather.uv_index": Number(0, 0, 15),
        "weather.aqi": Number(0, 0, 500),
        "weather.pressure": Number(2, 25, 32),
        "weather.dew_point": Number(1, -60, 40),
        "weather.cloud_cover": Number(0, 0, 100),
        "comms.new_missed_calls": Number(),
        "comms.new_voicemails": Number(),
        "financial.account_balance": Number(2, -1_000_000),
        "home.indoor_temp": Number(1, -20, 400),
        "home.humidity": Number(0, 0, 100),
        "home.co_ppm": Number(0, 0, 5000),
        "home.pm25": Number(0, 0, 5000),
        "home.power_draw": Number(0, 0, 20_000),
    }
)


def tidy(module: str, row: Row) -> Row:
    """A row whose numbers are as they are written."""
    return {
        name: NUMBERS[f"{module}.{name}"].tidy(value) if f"{module}.{name}" in NUMBERS else value
        for name, value in row.items()
    }
