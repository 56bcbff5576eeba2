"""Which stretch of time is an iteration's, as the original has it."""

from collections.abc import Sequence

from gnomon.outcome.record import IterationRecord
from gnomon.outcome.windows import CommitTime, IterationWindow


def compat_windows(records: Sequence[IterationRecord], commit_time: CommitTime) -> dict[int, IterationWindow]:
    """Windows from one commit's time to the next one's, in the order of iterations; none without a time."""
    windows: dict[int, IterationWindow] = {}
    start: int | None = None
    for record in sorted(records, key=lambda record: record.iteration):
        seconds = commit_time(record)
        if seconds is not None:
            end = seconds * 1_000_000
            windows[record.iteration] = IterationWindow(record.iteration, start, end)
            start = end
    return windows
