"""Garbage is not collected while a batch is stored, and is again after it, whatever happens meanwhile."""

import gc
import threading

import pytest

from gnomon import collector
from gnomon.collector import collector_paused


def test_the_collector_is_off_in_the_block_and_on_after_it():
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_refusal_in_the_block_switches_it_on_again():
    with pytest.raises(ValueError, match="refused"), collector_paused():
        raise ValueError("refused")
    assert gc.isenabled()


def test_the_last_of_several_threads_switches_it_on():
    inside, leave = threading.Event(), threading.Event()

    def other():
        with collector_paused():
            inside.set()
            leave.wait()

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait()
    with collector_paused():
        pass
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_blocks_that_overlap_for_long_do_not_hold_it_back_for_ever(monkeypatch):
    monkeypatch.setattr(collector, "LONGEST_SECONDS", -1.0)  # whoever comes later comes too late
    first, second = collector_paused(), collector_paused()
    first.__enter__()
    second.__enter__()
    assert not gc.isenabled()
    first.__exit__(None, None, None)
    assert gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()
