"""Hours and days of UTC that a trend is drawn over, numbered from 1970."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from gnomon.errors import InvalidInput
from gnomon.model.moment import from_ms, iso, to_ms
from gnomon.model.trends import Bucket
from gnomon.service.call import Call

MOST_BUCKETS = 1_000
_WIDTH_MS: dict[Bucket, int] = {"hour": 3_600_000, "day": 86_400_000}


class Buckets(NamedTuple):
    """The buckets from `first` to before `end`."""

    width_ms: int
    first: int
    end: int

    def start_of(self, number: int) -> datetime:
        return from_ms(number * self.width_ms)

    @property
    def after(self) -> datetime:
        return self.start_of(self.first)

    @property
    def before(self) -> datetime:
        return self.start_of(self.end)


def between(
    call: Call, bucket: Bucket, after: datetime | None, before: datetime | None, usual: Mapping[Bucket, timedelta]
) -> Buckets:
    """The buckets between two moments, in whole or in part; by default those of the `usual` length up to now."""
    end = before or call.clock.now()
    begin = after or end - usual[bucket]
    if begin >= end:
        raise InvalidInput.of("after", f"after is {iso(begin)}, which is not before {iso(end)}; swap the two")
    width = _WIDTH_MS[bucket]
    buckets = Buckets(width, to_ms(begin) // width, (to_ms(end) - 1) // width + 1)
    count = buckets.end - buckets.first
    if count > MOST_BUCKETS:
        remedy = "use bucket day" if bucket == "hour" else "ask for less at a time"
        words = f"there are {count:,} {bucket}s from {iso(begin)} to {iso(end)}, over {MOST_BUCKETS:,}"
        raise InvalidInput.of("after", f"{words}; {remedy}")
    return buckets
