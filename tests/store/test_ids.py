"""Ids that sort by age: what pages, jobs and "newest first" stand on."""

import uuid
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from gnomon.service.clock import Clock, created_ms


class Told(Clock):
    """A clock that says what it is told to say, one reading after the other."""

    def __init__(self, readings: list[int]) -> None:
        super().__init__()
        self._readings = iter(readings)

    def now_ms(self) -> int:
        return next(self._readings)


moments = st.integers(0, 2**48 - 1)
near = st.integers(1_700_000_000_000, 1_700_000_000_005)


@given(st.lists(moments | near, min_size=1, max_size=50))
def test_ids_only_grow_whatever_the_clock_says(readings):
    clock = Told(readings)
    ids = [clock.new_id() for _ in readings]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)


@given(st.lists(st.tuples(near, st.integers(1, 300)), min_size=1, max_size=20))
def test_ids_made_together_and_one_by_one_are_one_growing_row(calls):
    clock = Told([reading for reading, _ in calls])
    ids = [id for _, count in calls for id in clock.new_ids(count)]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)


def test_ids_only_grow_when_one_millisecond_is_used_up():
    clock = Told([5] * 4)
    first = clock.new_id()
    clock._counter = 2**42 - 1
    ids = [first, *(id for _ in range(3) for id in clock.new_ids(2))]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)


@given(moments)
def test_an_id_is_a_uuid_of_version_7_and_tells_its_millisecond(now):
    id = Told([now]).new_id()
    told = uuid.UUID(id)
    assert (str(told), told.version, told.variant) == (id, 7, uuid.RFC_4122)
    assert created_ms(id) == now


def test_ids_of_many_threads_are_all_different_and_each_thread_sees_its_own_grow():
    clock = Clock()
    with ThreadPoolExecutor(8) as threads:
        of_threads = list(threads.map(lambda _: [clock.new_id() for _ in range(2000)], range(8)))
    everything = [id for ids in of_threads for id in ids]
    assert len(set(everything)) == len(everything)
    for ids in of_threads:
        assert ids == sorted(ids)


def test_ids_of_two_processes_in_one_millisecond_do_not_meet():
    """Each begins somewhere else and adds noise of its own."""
    one, other = Told([7]), Told([7])
    assert not set(one.new_ids(1000)) & set(other.new_ids(1000))


def test_no_ids_are_no_trouble():
    assert Clock().new_ids(0) == []
