"""Times as logs write them."""

from datetime import UTC, datetime


def epoch_micros(text: str) -> int | None:
    """Microseconds since 1970 of an RFC 3339 time; None when it is none."""
    try:
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is None or len(text.strip()) < 11:
            return None
        delta = moment.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def epoch_seconds(text: str) -> int | None:
    micros = epoch_micros(text)
    return None if micros is None else micros // 1_000_000


def moment_of(seconds: int) -> str:
    """An RFC 3339 time from seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
