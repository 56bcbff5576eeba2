"""Points in time as other tools write them."""

import math
from datetime import UTC, datetime, timedelta
from typing import Any

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS, _MILLISECONDS, _MICROSECONDS, _NANOSECONDS = 1.0, 1e3, 1e6, 1e9
# Today in seconds has ten digits, and each finer unit three more: no two units share a number of digits.
_UNITS = ((1e11, _SECONDS), (1e14, _MILLISECONDS), (1e17, _MICROSECONDS), (math.inf, _NANOSECONDS))


def instant(value: Any) -> datetime | None:
    """An ISO 8601 text (without an offset it is UTC), a datetime, or a number since 1970 whose size tells its unit."""
    if isinstance(value, str):
        text = value.strip()
        if text.isascii() and text.replace(".", "", 1).isdigit():
            return _since_1970(float(text))
        try:
            value = datetime.fromisoformat(text.removesuffix(" UTC"))
        except ValueError:
            return None
    if isinstance(value, datetime):
        try:
            return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC)
        except (OverflowError, ValueError):
            return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _since_1970(value)
    return None


def nanoseconds(value: Any) -> datetime | None:
    """Nanoseconds since 1970, as OpenTelemetry writes them: a number, or its digits as text. 0 is none."""
    try:
        count = int(value) if not isinstance(value, bool) else 0
        return _EPOCH + timedelta(microseconds=count // 1000) if count > 0 else None
    except (TypeError, ValueError, OverflowError):
        return None


def _since_1970(number: float) -> datetime | None:
    try:
        unit = next(unit for limit, unit in _UNITS if abs(number) < limit)
        return _EPOCH + timedelta(seconds=number / unit)
    except (StopIteration, OverflowError, ValueError):
        return None
