"""Which stretch of time is an iteration's. Nothing that happened may count for two of them."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from gnomon.outcome import AgentInfo, IterationRecord, IterationWindow
from gnomon.outcome.compat.windows import compat_windows
from gnomon.outcome.windows import gnomon_windows

DAY = 86_400
MICRO = 1_000_000


def record(number: int, *, checkpoint_at: str = "", session: str = "") -> IterationRecord:
    return IterationRecord(iteration=number, checkpoint_at=checkpoint_at, agent=AgentInfo(session_id=session))


def windows(ends: dict[int, int | None], **sessions: str) -> dict[int, IterationWindow | str]:
    records = [record(number, session=sessions.get(f"s{number}", "")) for number in ends]
    return gnomon_windows(records, lambda one: ends[one.iteration])


def test_a_window_goes_from_the_end_before_to_its_own_end():
    found = windows({1: 1000, 2: 2000, 3: 5000})
    assert found[2] == IterationWindow(2, 1000 * MICRO, 2000 * MICRO, "the commit", 2000 * MICRO)
    assert found[3] == IterationWindow(3, 2000 * MICRO, 5000 * MICRO, "the commit", 5000 * MICRO)
    assert [found[2].holds(at * MICRO) for at in (1000, 1001, 2000, 2001)] == [False, True, True, False]


def test_the_first_window_is_a_day_or_all_of_its_session():
    found = windows({1: 10 * DAY})
    ends = 10 * DAY * MICRO
    assert found[1] == IterationWindow(1, 9 * DAY * MICRO, ends, "the day before the commit", ends)
    assert windows({1: 10 * DAY}, s1="a")[1].start is None


def test_iterations_that_ended_at_the_same_moment_have_no_window():
    found = windows({1: 1000, 2: 2000, 3: 2000, 4: 3000})
    assert found[2] == found[3] == "other iterations ended at the same moment, and cannot be told apart"
    assert found[4].start == 2000 * MICRO


def test_sessions_tell_iterations_apart_that_ended_at_the_same_moment():
    found = windows({1: 1000, 2: 2000, 3: 2000, 4: 2000}, s2="a", s3="b")
    assert (found[2].start, found[3].start) == (1000 * MICRO, 1000 * MICRO)
    assert isinstance(found[4], str), "without a session it would count theirs once more"
    assert isinstance(windows({1: 2000, 2: 2000}, s1="a", s2="a")[1], str)


def test_agents_at_work_side_by_side_do_not_cut_each_other_s_time():
    found = windows({1: 1000, 2: 2000, 3: 3000, 4: 4000, 5: 5000}, s1="a", s2="b", s3="a", s5="b")
    assert (found[1].start, found[2].start, found[3].start) == (None, None, 1000 * MICRO)
    assert found[4].start == 3000 * MICRO, "it names no session, and would count what the others did"
    assert found[5].start == 4000 * MICRO, "what came before may have counted there"


def test_time_that_runs_backwards_counts_once():
    found = windows({1: 3000, 2: 1000, 3: 4000})
    assert (found[1].start, found[1].end) == (1000 * MICRO, 3000 * MICRO)
    assert found[2].end == 1000 * MICRO
    assert found[3].start == 3000 * MICRO


def test_the_checkpoint_goes_before_the_commit():
    records = [record(1, checkpoint_at="1970-01-02T00:00:00.5Z"), record(2, checkpoint_at="1970-01-02T02:00:00+01:00")]
    found = gnomon_windows(records, lambda one: 5)
    assert (found[1].end, found[2].end) == (86_400_500_000, 90_000_000_000)
    assert (found[2].start, found[2].how, found[2].committed) == (86_400_500_000, "the checkpoint", 5 * MICRO)


def test_a_checkpoint_that_is_no_time_leaves_the_commit():
    for odd in (
        "",
        "yesterday",
        "2026-05-04",
        "2026-05-04T10:00:00",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
    ):
        assert gnomon_windows([record(1, checkpoint_at=odd)], lambda one: 1000)[1].end == 1000 * MICRO


def test_without_a_time_there_is_a_reason_and_nobody_else_s_window_moves():
    found = windows({1: 1000, 2: None, 3: 3000})
    assert found[2] == "neither checkpoint_at nor a commit in this repository says when it ended"
    assert found[3].start == 1000 * MICRO


ends = st.dictionaries(st.integers(1, 30), st.none() | st.integers(0, 12), max_size=12)
sessions = st.dictionaries(st.integers(1, 30).map("s{}".format), st.sampled_from(["", "a", "b"]))


@given(ends, sessions)
def test_nothing_counts_for_two_iterations(ends, sessions):
    found = {n: window for n, window in windows(ends, **sessions).items() if isinstance(window, IterationWindow)}
    for one, other in combinations(found.values(), 2):
        mine, theirs = sessions.get(f"s{one.iteration}", ""), sessions.get(f"s{other.iteration}", "")
        if mine and theirs and mine != theirs:
            continue
        assert one.end <= _start(other) or other.end <= _start(one)


def _start(window: IterationWindow) -> float:
    return float("-inf") if window.start is None else window.start


@given(ends, sessions)
def test_every_iteration_has_a_window_or_a_reason_whatever_the_order_of_the_log(ends, sessions):
    found = windows(ends, **sessions)
    assert set(found) == set(ends)
    assert all(window.end == ends[n] * MICRO for n, window in found.items() if isinstance(window, IterationWindow))
    assert windows(dict(reversed(ends.items())), **sessions) == found


@given(ends)
def test_the_compat_profile_chains_windows_in_the_order_of_iterations(ends):
    found = compat_windows([record(n) for n in ends], lambda one: ends[one.iteration])
    known = [n for n in sorted(ends) if ends[n] is not None]
    assert list(found) == known
    assert [window.end for window in found.values()] == [ends[n] * MICRO for n in known]
    assert [window.start for window in found.values()] == [None, *(ends[n] * MICRO for n in known)][: len(known)]
