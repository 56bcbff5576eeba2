"""The quick way and the drafts give the same answers: what the quick way takes, the drafts take as the same."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.model import quickspan
from gnomon.model.reading import NotADraft, read_draft
from gnomon.model.trace import IngestDraft

PLAIN: dict[str, Any] = {"id": "s", "trace_id": "t", "name": "n", "start_time": "2026-02-21T22:00:00.000Z"}

odd = st.sampled_from(
    [None, "", " ", "a/b", "a\nb", "x" * 129, "é", 0, -1, 1, 1.0, 1.5, -0.5, 2**53, 10**30, True, False, [], {}, [1],
     {"a": 1}, {"a": [1]}, {"a": None, "b": True, "c": 1.5, "d": 10**30}, "2026-02-21T22:00:00Z",
     "2026-02-21 22:00:01+02:00",
     "2026-02-21T22:00:00.1239999Z", "2026-02-21T22:00:00", "2026-02-21", "20260221T220001Z", "2026-02-21T22:00:60Z",
     "0001-01-01T00:00:00+05:00", {"message": "m"}, {"message": 1}, {"message": "m", "type": None, "extra": 1},
     [{"scorer_name": "x", "value": 1}], [{"scorer_name": "regex", "pattern": "x"}]]
)  # fmt: skip
fields = st.sampled_from(
    ["id", "trace_id", "parent_span_id", "name", "input", "output", "start_time", "end_time", "duration_ms",
     "tokens_input", "tokens_output", "model", "metadata", "error", "scores", "unknown", "expected_output", "pattern"]
)  # fmt: skip
spans = st.dictionaries(fields, odd, max_size=4).map(lambda changed: {**PLAIN, **changed})
bodies = st.fixed_dictionaries(
    {"spans": st.lists(spans, min_size=1, max_size=3)}, optional={"project_id": odd | st.just("p.1"), "else": odd}
)


def shown(span: Any) -> dict[str, Any]:
    names = [*PLAIN, "parent_span_id", "input", "output", "end_time", "duration", "tokens_input", "tokens_output",
             "model", "metadata", "error", "scores"]  # fmt: skip
    return {name: getattr(span, name) for name in names}


@given(bodies)
def test_what_the_quick_way_takes_the_drafts_take_as_the_same(body: dict[str, Any]) -> None:
    quick = quickspan.decode(json.dumps(body).encode())
    if quick is not None:
        draft, unknown = read_draft(IngestDraft, body)
        assert quick.project_id == draft.project_id
        assert [shown(span) for span in quick.spans] == [shown(span) for span in draft.spans]
        assert quick.has_unknown is (unknown.count > 0)


@given(bodies)
def test_what_the_drafts_refuse_the_quick_way_leaves_to_them(body: dict[str, Any]) -> None:
    try:
        read_draft(IngestDraft, body)
    except NotADraft:
        assert quickspan.decode(json.dumps(body).encode()) is None


def test_a_plain_batch_goes_the_quick_way() -> None:
    full = {
        **PLAIN, "parent_span_id": "r", "input": {"messages": [{"role": "user"}]}, "output": "text", "tokens_input": 3,
        "end_time": "2026-02-21T22:00:01Z", "duration_ms": 1000, "model": "m", "metadata": {"a": 1, "b": True},
        "error": {"message": "late"},
    }  # fmt: skip
    assert quickspan.decode(json.dumps({"spans": [PLAIN, full], "project_id": "p"}).encode()) is not None


def test_a_batch_with_an_unknown_field_goes_the_quick_way_and_says_so() -> None:
    for body in ({"spans": [{**PLAIN, "colour": 1}]}, {"spans": [PLAIN], "colour": 1}):
        quick = quickspan.decode(json.dumps(body).encode())
        assert quick is not None
        assert quick.has_unknown


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"spans": []}', b'{"spans": [{"id": "\\u0000"}]}', b"\xff"])
def test_what_is_no_batch_is_left_to_the_drafts(body: bytes) -> None:
    assert quickspan.decode(body) is None


def test_more_spans_than_a_batch_holds_are_left_to_the_drafts() -> None:
    assert quickspan.decode(json.dumps({"spans": [PLAIN] * 1001}).encode()) is None


def test_a_value_nested_too_deep_is_left_to_the_drafts() -> None:
    deep = '{"spans": [' + json.dumps(PLAIN)[:-1] + ', "input": ' + "[" * 101 + "]" * 101 + "}]}"
    assert quickspan.decode(deep.encode()) is None
