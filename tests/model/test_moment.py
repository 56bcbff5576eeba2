"""Times come in with any offset and leave as UTC with milliseconds."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.model import moment


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("2026-02-21T22:00:00Z", "2026-02-21T22:00:00.000Z"),
        ("2026-02-21T22:00:00.1239Z", "2026-02-21T22:00:00.123Z"),
        ("2026-02-22T00:30:00+02:30", "2026-02-21T22:00:00.000Z"),
        ("0999-01-01T00:00:00Z", "0999-01-01T00:00:00.000Z"),
    ],
)
def test_any_offset_is_kept_as_utc_cut_to_the_millisecond(told: str, kept: str) -> None:
    assert moment.iso(moment.parse(told)) == kept


@pytest.mark.parametrize(
    "told",
    ["2026-02-21T22:00:00", "2026-02-21", "yesterday", "", 1_700_000_000, None, True, "0001-01-01T00:00:00+05:00"],
)
def test_a_time_without_an_offset_or_sense_is_refused(told: object) -> None:
    with pytest.raises(ValueError):
        moment.parse(told)


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.just(UTC)))
def test_milliseconds_and_text_are_the_same_time(when: datetime) -> None:
    cut = moment.parse(when)
    assert moment.from_ms(moment.to_ms(cut)) == cut
    assert moment.parse(moment.iso(cut)) == cut
