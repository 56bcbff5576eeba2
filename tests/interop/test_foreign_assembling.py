"""Spans that native ingest would refuse are kept in another way, and what is done is said."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gnomon.interop.foreign.assembling import Assembler, ForeignSpan, count_of, error_of, flat, legal_id
from gnomon.interop.foreign.bundle import Bundle
from gnomon.interop.foreign.scores import score_of
from gnomon.interop.foreign.times import instant, nanoseconds
from gnomon.model.trace import SpanDraft

START = datetime(2026, 2, 21, 22, tzinfo=UTC)


def told(id: str, parent: str | None = None, at: float | None = 0, trace: str = "t", **more: Any) -> ForeignSpan:
    start = None if at is None else START + timedelta(seconds=at)
    return ForeignSpan(trace, id, parent, f"span {id}", start, **more)


def assembled(*spans: ForeignSpan) -> Bundle:
    bundle = Bundle("tool")
    assembler = Assembler(bundle)
    for span in spans:
        assembler.add(span)
    assembler.assemble()
    assembler.finish()
    return bundle


def tree(bundle: Bundle) -> dict[str, dict[str, str | None]]:
    return {trace[0].trace_id: {span.id: span.parent_span_id for span in trace} for trace in bundle.traces}


def only(bundle: Bundle) -> SpanDraft:
    ((span,),) = bundle.traces
    return span


def test_each_root_of_a_trace_is_a_trace_that_names_the_first() -> None:
    bundle = assembled(told("b", at=2), told("c", "b", 3), told("a", at=1), told("d", "a", 4))
    first, second = bundle.traces
    found = tree(bundle)
    assert found["t"] == {"a": None, "d": "a"}
    (other,) = found.keys() - {"t"}
    assert found[other] == {"b": None, "c": "b"}
    roots = {span.id: span.metadata for trace in (first, second) for span in trace if span.parent_span_id is None}
    assert (roots["b"] or {})["import.trace_id"] == "t"
    assert "import.trace_id" not in (roots["a"] or {})
    assert bundle.notes == ["trace t has 2 roots: each is a trace"]
    assert tree(assembled(told("b", at=2), told("c", "b", 3), told("a", at=1), told("d", "a", 4))) == found


def test_a_span_whose_parent_is_not_in_the_file_keeps_it() -> None:
    assert tree(assembled(told("a"), told("b", "elsewhere"))) == {"t": {"a": None, "b": "elsewhere"}}


def test_a_parent_in_another_trace_is_kept_as_metadata() -> None:
    bundle = assembled(told("a", trace="one"), told("b", "a", trace="two"))
    assert tree(bundle) == {"one": {"a": None}, "two": {"b": None}}
    assert (bundle.traces[1][0].metadata or {})["import.parent_span_id"] == "a"
    assert bundle.not_understood == {"parent in another trace; kept as import.parent_span_id": 1}


def test_a_ring_of_parents_is_opened_at_its_first_span() -> None:
    bundle = assembled(told("a", "c", 1), told("b", "a", 2), told("c", "b", 3), told("d", "c", 4))
    assert tree(bundle) == {"t": {"a": None, "b": "a", "c": "b", "d": "c"}}
    assert bundle.not_understood == {"ring of parents; opened at its first span": 1}
    assert tree(assembled(told("a", "a"))) == {"t": {"a": None}}


def test_an_end_before_the_start_is_kept_as_metadata() -> None:
    bundle = assembled(told("a", at=5, end=START))
    span = only(bundle)
    assert span.end_time == span.start_time
    assert (span.metadata or {})["import.end_time"] == "2026-02-21T22:00:00+00:00"
    assert bundle.not_understood == {"end before the start; kept as import.end_time": 1}


def test_a_span_without_a_start_begins_with_its_trace() -> None:
    bundle = assembled(told("a", at=3), told("b", "a", None))
    spans = {span.id: span for span in bundle.traces[0]}
    assert spans["b"].start_time == spans["a"].start_time
    assert (spans["b"].metadata or {})["import.start_time"] == "unknown"
    assert only(assembled(told("a", at=None))).start_time == datetime(1970, 1, 1, tzinfo=UTC)


def test_of_a_span_that_is_told_twice_the_later_one_counts() -> None:
    bundle = assembled(told("a", output="cut"), told("a", output="whole"))
    assert only(bundle).output == "whole"
    assert bundle.not_understood == {"span exported twice; the later one is kept": 1}
    assert assembled(told("a"), told("a")).not_understood.total() == 0


def test_ids_that_are_none_here_become_the_same_ones_each_time() -> None:
    assert legal_id("tool", "a b.c:d-e") == "a b.c:d-e"
    for bad in ("a/b", "a\x00b", "a\nb", "x" * 129, "\ud800"):
        made = legal_id("tool", bad)
        assert made == legal_id("tool", bad) != legal_id("other", bad)
        assert len(made) == 32
    bundle = assembled(told("a/1"), told("b", "a/1"))
    root, child = bundle.traces[0]
    assert child.parent_span_id == root.id


def test_scores_find_spans_that_were_moved_and_wait_for_those_of_other_files() -> None:
    bundle = Bundle("tool")
    assembler = Assembler(bundle)
    assembler.score("t", "b", score_of("moved", 1))
    assembler.score(None, "b", score_of("by span", 1))
    assembler.score("t", None, score_of("whole", 1))
    assembler.score("elsewhere", "x", score_of("later", 1))
    assembler.score(None, "nowhere", score_of("lost", 1))
    for span in (told("a", at=1), told("b", at=2)):
        assembler.add(span)
    assembler.assemble()
    assembler.finish()
    (moved,) = tree(bundle).keys() - {"t"}
    assert {one.score.name: (one.trace_id, one.span_id) for one in bundle.span_scores} == {
        "moved": (moved, "b"), "by span": (moved, "b"), "whole": ("t", "a"), "later": ("elsewhere", "x"),
    }  # fmt: skip
    assert bundle.not_understood == {"score of a span that is not in the file; import them together": 1}


def test_what_no_store_takes_is_cleaned() -> None:
    deep: Any = []
    for _ in range(200):
        deep = [deep]
    span = only(assembled(told("a", input="a\0b", output=deep, metadata={"k\0": {"x": float("nan")}, "none": None})))
    assert span.input == "a\ufffdb"
    assert span.output == "nested deeper than 100 levels"
    assert span.metadata == {"k\ufffd": '{"x":"nan"}', "import.source": "tool"}


@given(st.lists(st.tuples(st.integers(0, 8), st.none() | st.integers(0, 9), st.integers(-3, 3)), max_size=12))
def test_whatever_the_tree_is_every_span_is_in_one_trace_with_one_root_and_no_ring(
    rows: list[tuple[int, int | None, int]],
) -> None:
    spans = [told(str(id), None if parent is None else str(parent), at) for id, parent, at in rows]
    bundle = assembled(*spans)
    assert sorted(span.id for trace in bundle.traces for span in trace) == sorted({str(id) for id, _, _ in rows})
    for trace in bundle.traces:
        assert sum(span.parent_span_id is None for span in trace) <= 1
        above = {span.id: span.parent_span_id for span in trace}
        for id in above:
            steps, at = 0, above.get(id)
            while at is not None and steps <= len(above):
                steps, at = steps + 1, above.get(at)
            assert steps <= len(above), "the parents lead back to the span"


def test_times_are_read_in_every_unit() -> None:
    moment = datetime(2026, 2, 21, 22, 0, 0, 123000, tzinfo=UTC)
    seconds = moment.timestamp()
    for written in (
        "2026-02-21T22:00:00.123Z", "2026-02-21 22:00:00.123000", "2026-02-21T23:00:00.123+01:00", moment,
        moment.replace(tzinfo=None), seconds, round(seconds * 1e3), round(seconds * 1e6), round(seconds * 1e3) * 10**6,
        str(round(seconds * 1e3)),
    ):  # fmt: skip
        assert instant(written) == moment, written
    for wrong in ("yesterday", "", None, True, [], {}, float("nan"), float("inf"), 10**400, "9" * 400):
        assert instant(wrong) is None
    assert nanoseconds("5000000000") == datetime(1970, 1, 1, 0, 0, 5, tzinfo=UTC)
    assert nanoseconds(0) is nanoseconds("x") is nanoseconds(None) is nanoseconds(10**30) is None


def test_counts_errors_and_metadata_take_what_tools_write() -> None:
    assert [count_of(value) for value in (3, 3.0, "3", "3.0", 0)] == [3, 3, 3, 3, 0]
    for wrong in (-1, 1.5, "x", None, True, float("nan"), float("inf"), 10**400):
        assert count_of(wrong) is None
    thrown = error_of("Traceback (most recent call last):\n  File x\nValueError: bad\n")
    assert thrown is not None
    assert (thrown.message, thrown.type) == ("ValueError: bad", "ValueError")
    assert error_of({"message": "bad", "name": "E"}) == error_of({"error": "bad", "type": "E"})
    assert error_of("") is error_of(None) is error_of(False) is None
    assert flat({"a": [1], "b": None, "c": START}) == {"a": "[1]", "c": "2026-02-21T22:00:00+00:00"}
