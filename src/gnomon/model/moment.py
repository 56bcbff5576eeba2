"""Points in time: UTC with milliseconds, inside, on the wire and in the store."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def parse(value: Any) -> datetime:
    """An ISO 8601 text with an offset, or a datetime with one, cut to the millisecond, in UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError("not an ISO 8601 time; write it like 2026-02-21T22:00:00.000Z") from None
    if not isinstance(value, datetime):
        raise ValueError("a time is an ISO 8601 string like 2026-02-21T22:00:00.000Z")
    if value.tzinfo is None:
        raise ValueError("the time has no offset; add Z or +00:00")
    if value.tzinfo is UTC and value.microsecond % 1000 == 0:
        return value  # as most clients send it
    try:
        utc: datetime = value.astimezone(UTC)
    except OverflowError:
        raise ValueError("the time is outside the years 1 to 9999") from None
    return utc.replace(microsecond=utc.microsecond // 1000 * 1000)


def iso(value: datetime) -> str:
    return value.strftime("%Y-%m-%dT%H:%M:%S.").rjust(20, "0") + f"{value.microsecond // 1000:03d}Z"


def to_ms(value: datetime) -> int:
    return (value - _EPOCH) // _MILLISECOND


def from_ms(value: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=value)


Moment = Annotated[
    datetime,
    BeforeValidator(parse),
    PlainSerializer(iso, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-02-21T22:00:00.000Z"]}),
]


def nanoseconds(ms: int) -> int:
    """The same moment in nanoseconds, as near as 64 bits can say it: they end in the year 2262."""
    return max(-_LAST_NS, min(ms * 1_000_000, _LAST_NS))


_LAST_NS = 2**63 - 1
