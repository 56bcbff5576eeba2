"""The queue to the background: bounded, in batches, in order, with one warning for all trouble."""

import logging
import threading
from collections.abc import Sequence

import pytest

from gnomon.sdk import outbox
from gnomon.sdk.outbox import BATCH, BATCH_BYTES, MOST_WAITING, MOST_WAITING_BYTES, Outbox

SECONDS = 600.0


class Sink:
    """Takes batches when it is let, and writes down what it got."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.open = threading.Event()
        self.asked = threading.Event()
        self.trouble: Exception | None = None
        self.refuses = 0

    def __call__(self, batch: Sequence[int]) -> int:
        let = self.open
        self.asked.set()
        assert let.wait(SECONDS)
        if self.trouble is not None:
            raise self.trouble
        self.batches.append(list(batch))
        return self.refuses


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def box(sink: Sink) -> Outbox[int]:
    return Outbox(sink, "numbers")


def test_everything_arrives_once_and_in_order_in_batches(sink: Sink, box: Outbox[int]) -> None:
    for number in range(2 * BATCH + 5):
        box.add(number, 1)
    sink.open.set()
    assert box.flush(SECONDS)
    assert [number for batch in sink.batches for number in batch] == list(range(2 * BATCH + 5))
    assert max(map(len, sink.batches)) <= BATCH


def test_large_things_make_small_batches(sink: Sink, box: Outbox[int]) -> None:
    sink.open.set()
    for number in range(4):
        box.add(number, BATCH_BYTES)
    assert box.flush(SECONDS)
    assert sink.batches == [[0], [1], [2], [3]]


def test_nothing_to_deliver_is_delivered_at_once(sink: Sink, box: Outbox[int]) -> None:
    assert box.flush(0)
    assert sink.batches == []


@pytest.mark.parametrize(("size", "fit"), [(1, MOST_WAITING), (MOST_WAITING_BYTES // 4, 4)])
def test_what_does_not_fit_is_dropped_counted_and_warned_of_once(
    sink: Sink, box: Outbox[int], caplog: pytest.LogCaptureFixture, size: int, fit: int
) -> None:
    box.add(-1, 1)
    with caplog.at_level(logging.WARNING):
        assert not box.flush(0)
        assert sink.asked.wait(SECONDS)  # from here on the thread holds the first one
        for number in range(fit + 7):
            box.add(number, size)
        sink.open.set()
        assert not box.flush(SECONDS), "some were dropped"
    assert [number for batch in sink.batches for number in batch] == [-1, *range(fit)]
    assert caplog.messages == ["Gnomon dropped 7 numbers: they came faster than they could be stored"]
    assert box.flush(SECONDS)


def test_a_flush_ends_with_a_failure_and_not_with_its_time(
    sink: Sink, box: Outbox[int], caplog: pytest.LogCaptureFixture
) -> None:
    sink.open.set()
    sink.trouble = OSError("no disk")
    box.add(1, 1)
    with caplog.at_level(logging.WARNING):
        assert not box.flush(SECONDS)
        assert not box.flush(SECONDS)
        sink.trouble = None
        assert box.flush(SECONDS)
    assert sink.batches == [[1]]
    failure, recovery = caplog.messages
    assert failure.startswith("Gnomon cannot store numbers: no disk. ")
    assert recovery == "Gnomon can store numbers again"


def test_a_flush_without_an_answer_ends_with_its_time(sink: Sink, box: Outbox[int]) -> None:
    box.add(1, 1)
    assert not box.flush(0.01)
    sink.open.set()
    assert box.flush(SECONDS)


def test_what_is_refused_for_good_is_told_by_the_next_flush_only(sink: Sink, box: Outbox[int]) -> None:
    sink.open.set()
    sink.refuses = 1
    box.add(1, 1)
    assert not box.flush(SECONDS)
    sink.refuses = 0
    box.add(2, 1)
    assert box.flush(SECONDS)


def test_what_is_given_up_is_delivered_no_more(sink: Sink, box: Outbox[int]) -> None:
    sink.open.set()
    sink.trouble = OSError("gone")
    box.add(1, 1)
    assert not box.flush(SECONDS)
    box.add(2, 1)
    assert box.discard() == 2
    sink.trouble = None
    box.add(3, 1)
    assert box.flush(SECONDS)
    assert sink.batches == [[3]]


def test_a_delivery_that_never_ends_holds_up_nothing_once_it_is_given_up(
    sink: Sink, box: Outbox[int], caplog: pytest.LogCaptureFixture
) -> None:
    box.add(1, 1)
    assert not box.flush(0)
    assert sink.asked.wait(SECONDS)
    stuck, sink.open = sink.open, threading.Event()
    assert box.discard() == 1
    assert caplog.messages == ["Gnomon gave up 1 numbers: they could not be stored in time"]
    sink.open.set()
    box.add(2, 1)
    assert box.flush(SECONDS)
    stuck.set()
    box.add(3, 1)
    assert box.flush(SECONDS)
    assert sorted(number for batch in sink.batches for number in batch if number > 1) == [2, 3]


def test_who_waits_for_room_gets_it_when_something_is_delivered(sink: Sink, box: Outbox[int]) -> None:
    for number in range(MOST_WAITING // 2 + 2 * BATCH):
        box.add(number, 1)
    waiting = threading.Thread(target=box.wait_for_room, args=(SECONDS,))
    waiting.start()
    sink.open.set()
    waiting.join(SECONDS)
    assert not waiting.is_alive()
    assert box.flush(SECONDS)


def test_adding_from_many_threads_loses_nothing(sink: Sink, box: Outbox[int]) -> None:
    sink.open.set()

    def add(first: int) -> None:
        for number in range(first, first + 1000):
            box.add(number, 1)

    threads = [threading.Thread(target=add, args=(1000 * n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert box.flush(SECONDS)
    assert sorted(number for batch in sink.batches for number in batch) == list(range(8000))


def test_a_few_are_delivered_soon_without_a_flush(
    sink: Sink, box: Outbox[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "_BATCH_SECONDS", 0.0)
    sink.open.set()
    box.add(1, 1)
    assert sink.asked.wait(SECONDS)
