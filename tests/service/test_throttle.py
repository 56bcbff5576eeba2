"""A log line that is due too often is written once per second, and nothing goes uncounted."""

import math
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gnomon.throttle import ThrottledLine


def test_the_first_event_is_written_at_once_and_the_next_one_waits_for_its_second() -> None:
    lines: list[dict[str, Any]] = []
    line = ThrottledLine(lines.append)
    line.note({"job": 1}, 10.0)
    assert lines == [{"job": 1, "held_back": 0}]
    line.note({"job": 2}, 10.1)
    line.note({"job": 3}, 10.9)
    line.flush(10.95)
    assert len(lines) == 1
    line.flush(11.0)
    line.flush(12.0)
    assert lines[1:] == [{"job": 3, "held_back": 1}]


@given(st.lists(st.floats(0, 5), max_size=50).map(sorted), st.lists(st.floats(0, 5), max_size=10))
def test_lines_are_a_second_apart_and_every_event_is_counted(events: list[float], flushes: list[float]) -> None:
    """At most one line per second, with a count of those held back."""
    written: list[tuple[float, int]] = []
    now = 0.0
    line = ThrottledLine(lambda told: written.append((now, told["held_back"])))
    for now, is_event in sorted([*((at, True) for at in events), *((at, False) for at in flushes)]):
        if is_event:
            line.note({}, now)
        else:
            line.flush(now)
    assert all(later >= earlier + 1.0 for (earlier, _), (later, _) in pairwise(written))
    line.flush(math.inf)
    assert sum(1 + held_back for _, held_back in written) == len(events)
