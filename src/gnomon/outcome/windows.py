"""Which stretch of time is an iteration's: (start, end], in microseconds. A start of None is open."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gnomon.outcome.moments import epoch_micros
from gnomon.outcome.record import IterationRecord

_A_DAY = 86_400_000_000
CommitTime = Callable[[IterationRecord], int | None]  # seconds


@dataclass(frozen=True, slots=True)
class IterationWindow:
    """An iteration's time, and how its end is known. Its commit (asked for by `gnomon` only) may be made before."""

    iteration: int
    start: int | None
    end: int
    how: str = ""
    committed: int | None = None

    def holds(self, at: int) -> bool:
        return (self.start is None or at > self.start) and at <= self.end


def gnomon_windows(records: Sequence[IterationRecord], commit_time: CommitTime) -> dict[int, "IterationWindow | str"]:
    """The window from the end of the iteration that ended before to its own end, or why there is none.

    An end is the checkpoint's time where the entry has one. Nothing counts for two iterations, and time that runs
    backwards in the log counts once.
    """
    ends = {record.iteration: _end(record, commit_time) for record in records}
    ended = Counter(end for end, _ in ends.values())
    alone = Counter((ends[record.iteration][0], record.agent.session_id) for record in records)
    limits: dict[str | None, list[int]] = {None: sorted(end for end, _ in ends.values() if end is not None)}
    for record in records:
        if (end := ends[record.iteration][0]) is not None:
            insort(limits.setdefault(record.agent.session_id, []), end)
    windows: dict[int, IterationWindow | str] = {}
    for record in records:
        end, how = ends[record.iteration]
        if end is None:
            windows[record.iteration] = "neither checkpoint_at nor a commit in this repository says when it ended"
        elif (ended[end] if not record.agent.session_id else alone[end, record.agent.session_id]) > 1:
            windows[record.iteration] = "other iterations ended at the same moment, and cannot be told apart"
        else:
            start = _start(end, record.agent.session_id, limits)
            if start is None and not record.agent.session_id:
                start, how = end - _A_DAY, f"the day before {how}"
            seconds = commit_time(record)
            committed = None if seconds is None else seconds * 1_000_000
            windows[record.iteration] = IterationWindow(record.iteration, start, end, how, committed)
    return windows


def _start(end: int, session: str, limits: dict[str | None, list[int]]) -> int | None:
    """The last end before this one: of any iteration, or for a session that is known of those that may count its work:
    its own, and those that name no session. Agents at work side by side do not cut each other's time."""
    groups = [limits[session], limits.get("", [])] if session else [limits[None]]
    earlier = [ends[index - 1] for ends in groups if (index := bisect_left(ends, end))]
    return max(earlier, default=None)


def _end(record: IterationRecord, commit_time: CommitTime) -> tuple[int | None, str]:
    checkpoint = epoch_micros(record.checkpoint_at)
    if checkpoint is not None:
        return checkpoint, "the checkpoint"
    seconds = commit_time(record)
    return (None, "") if seconds is None else (seconds * 1_000_000, "the commit")
