"""Traces: what ingest keeps, what it refuses, and how traces are read, filtered and deleted."""

import itertools
import time

import pytest

from contract.caller import Refusal, expect, fresh_project, span

SPAN_FIELDS = {
    "id", "trace_id", "parent_span_id", "name", "input", "output", "start_time", "end_time", "duration_ms",
    "tokens_input", "tokens_output", "model", "metadata", "error",
}  # fmt: skip
ROW_FIELDS = {
    "id", "project_id", "root_span_id", "span_count", "created_at", "metadata",
    "name", "duration_ms", "model", "tokens", "has_error", "in_queue",
}  # fmt: skip
TEN, TEN_LATER = "2026-02-21T22:00:00.000Z", "2026-02-21T22:00:00.010Z"


def ingest(api, *spans):
    return api.post("/traces/ingest", {"spans": spans})


def refused_spans(api, *spans):
    return api.refusal("POST", "/traces/ingest", {"spans": spans})


def child(id, parent="root", trace_id="trace-1", **fields):
    return span(id, trace_id, parent_span_id=parent, **fields)


# --- what is kept ---


def test_ingest_answers_with_the_traces_in_order_of_appearance(api):
    made = expect(201, ingest(api, span("1", "b"), span("2", "a"), child("3", "1", "b"), span("4", "c")))
    assert (made["accepted"], made["trace_ids"]) == (4, ["b", "a", "c"])


def test_a_span_comes_back_with_every_field(api):
    sent = span(
        input={"q": [1, None]},
        output=["a", {"b": 2.5}],
        end_time=TEN_LATER,
        duration_ms=10,
        tokens_input=12,
        tokens_output=34,
        model="gpt-4o",
        metadata={"env": "prod", "n": 1.5, "on": True, "none": None},
        error={"message": "broke", "type": "ValueError", "stack": "line 1"},
    )
    api.trace(sent)
    (kept,) = api.read("/traces/trace-1")["spans"]
    assert set(kept) >= SPAN_FIELDS
    assert {name: kept[name] for name in sent} == sent
    assert kept["parent_span_id"] is None


def test_a_bare_span_has_null_for_what_it_did_not_say(api):
    api.trace(span())
    (kept,) = api.read("/traces/trace-1")["spans"]
    told = {"id", "trace_id", "name", "start_time"}
    assert {kept[name] for name in SPAN_FIELDS - told} == {None}


@pytest.mark.parametrize(
    ("times", "kept"),
    [
        ({"end_time": TEN_LATER}, 10),
        ({"end_time": TEN}, 0),
        ({"end_time": TEN_LATER, "duration_ms": 11}, 11),
        ({"end_time": TEN_LATER, "duration_ms": 9.5}, 9.5),
        ({"end_time": TEN_LATER, "duration_ms": 11.5}, 10),
        ({"end_time": TEN_LATER, "duration_ms": 5000}, 10),
        ({"duration_ms": 77}, 77),
        ({}, None),
    ],
)
def test_a_duration_is_kept_or_made_from_the_two_times(api, times, kept):
    api.trace(span(start_time=TEN, **times))
    assert api.read("/traces/trace-1")["spans"][0]["duration_ms"] == kept


def test_a_trace_reads_with_its_spans_by_start_time(api):
    at = "2026-02-21T22:00:0{}.000Z".format
    api.trace(child("late", start_time=at(3)), span("root", start_time=at(1)), child("mid", start_time=at(2)))
    trace = api.read("/traces/trace-1")
    assert [kept["id"] for kept in trace["spans"]] == ["root", "mid", "late"]
    assert (trace["span_count"], trace["root_span_id"], trace["project_id"]) == (3, "root", api.project)


@pytest.mark.parametrize("order", list(itertools.permutations(["root", "child", "grandchild"])), ids="-".join)
def test_spans_come_in_any_order_over_many_batches(api, order):
    family = {"root": span("root"), "child": child("child"), "grandchild": child("grandchild", "child")}
    for name in order:
        api.trace(family[name])
    trace = api.read("/traces/trace-1")
    assert (trace["root_span_id"], trace["span_count"]) == ("root", 3)


def test_a_trace_without_a_root_is_valid_until_the_root_comes(api):
    api.trace(child("a", "not yet here"))
    before = api.read("/traces/trace-1")
    assert (before["root_span_id"], before["name"], before["span_count"]) == (None, None, 1)
    api.trace(span("not yet here", name="the root"))
    after = api.read("/traces/trace-1")
    assert (after["root_span_id"], after["name"]) == ("not yet here", "the root")
    assert after["created_at"] == before["created_at"]


def test_the_same_span_id_may_live_in_two_traces(api):
    api.trace(span("root", "one"))
    api.trace(span("root", "two"))
    assert {row["id"]: row["root_span_id"] for row in api.items("/traces")} == {"one": "root", "two": "root"}


def test_a_parent_in_its_own_trace_is_right_even_if_another_trace_has_that_id_too(api):
    api.trace(span("root", "one"), span("root", "two"))
    api.trace(child("a", "root", "one"))
    assert api.read("/traces/one")["span_count"] == 2


@pytest.mark.parametrize("id", ["x", "x" * 128, "Ünïcode", "with blank", "a:b.c-d_e", "100%", "?q=1&r#s"])
def test_an_id_is_the_clients(api, id):
    api.trace(span(id, "t" + id[:127]))
    (row,) = api.items("/traces")
    assert (row["id"], row["root_span_id"]) == ("t" + id[:127], id)


def test_a_thousand_spans_are_one_batch(api):
    made = expect(201, ingest(api, span("root"), *(child(f"s{n}") for n in range(999))))
    assert made["accepted"] == 1000
    assert api.read("/traces/trace-1")["span_count"] == 1000


# --- what is refused ---


@pytest.mark.parametrize("body", [{}, {"spans": []}, {"spans": None}, {"spans": "x"}, {"spans": span()}])
def test_a_batch_has_spans(api, body):
    assert api.refusal("POST", "/traces/ingest", body).said == (400, "INVALID_REQUEST")


def test_a_batch_of_1001_spans_is_too_long(api):
    assert refused_spans(api, *(child(f"s{n}") for n in range(1001))).said == (400, "INVALID_REQUEST")


@pytest.mark.parametrize("missing", ["id", "trace_id", "name", "start_time"])
def test_a_span_has_ids_a_name_and_a_start(api, missing):
    broken = span()
    del broken[missing]
    refused = refused_spans(api, span("fine", "other"), broken)
    assert refused.said == (400, "INVALID_SPAN")
    assert [(error["index"], error["field"]) for error in refused.errors] == [(1, missing)]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"id": ""}, "id"),
        ({"id": "x" * 129}, "id"),
        ({"id": 5}, "id"),
        ({"id": "a/b"}, "id"),
        ({"id": "a\nb"}, "id"),
        ({"trace_id": ""}, "trace_id"),
        ({"trace_id": "x" * 129}, "trace_id"),
        ({"trace_id": "a/b"}, "trace_id"),
        ({"trace_id": None}, "trace_id"),
        ({"name": ""}, "name"),
        ({"name": 5}, "name"),
        ({"parent_span_id": 5}, "parent_span_id"),
        ({"parent_span_id": ""}, "parent_span_id"),
        ({"end_time": "2026-02-21T22:00:00"}, "end_time"),
        ({"end_time": "2026-02-21T21:59:59.999Z"}, "end_time"),
        ({"duration_ms": -1}, "duration_ms"),
        ({"duration_ms": "5"}, "duration_ms"),
        ({"tokens_input": -1}, "tokens_input"),
        ({"tokens_input": 1.5}, "tokens_input"),
        ({"tokens_output": "5"}, "tokens_output"),
        ({"tokens_output": True}, "tokens_output"),
        ({"model": 5}, "model"),
        ({"metadata": {"nested": {"a": 1}}}, "metadata"),
        ({"metadata": {"list": [1]}}, "metadata"),
        ({"metadata": "text"}, "metadata"),
        ({"metadata": []}, "metadata"),
        ({"error": "text"}, "error"),
        ({"error": {"type": "ValueError"}}, "error"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, dict) else "",
)
def test_a_span_with_a_wrong_field_is_refused_by_its_name(api, fields, field):
    refused = refused_spans(api, span("fine", "other"), {**span(), **fields})
    assert refused.said == (400, "INVALID_SPAN")
    assert {error["index"] for error in refused.errors} == {1}
    assert all(error["field"].startswith(field) for error in refused.errors)


def test_a_span_is_an_object(api):
    assert refused_spans(api, "text").said == (400, "INVALID_SPAN")


def test_a_second_root_in_one_batch_is_refused(api):
    refused = refused_spans(api, span("one"), span("two"))
    assert refused.said == (400, "INVALID_SPAN")
    assert {error["index"] for error in refused.errors} == {1}


def test_a_second_root_in_a_later_batch_is_refused(api):
    api.trace(span("one"))
    assert refused_spans(api, span("two"), child("three", "one")).said == (400, "INVALID_SPAN")
    assert api.read("/traces/trace-1")["span_count"] == 1


def test_a_span_twice_in_one_batch_is_a_duplicate(api):
    refused = refused_spans(api, span(), child("a"), child("a"))
    assert refused.said == (409, "DUPLICATE_SPAN")
    assert [(error["index"], error["field"]) for error in refused.errors] == [(2, "id")]


def test_a_span_that_is_stored_already_is_a_duplicate(api):
    api.trace(span(name="first"))
    assert refused_spans(api, child("b"), {**span(name="second")}).said == (409, "DUPLICATE_SPAN")
    assert [kept["name"] for kept in api.read("/traces/trace-1")["spans"]] == ["first"]


def test_a_parent_that_lives_only_in_another_trace_is_refused(api):
    api.trace(span("elsewhere", "one"))
    refused = refused_spans(api, child("a", "elsewhere", "two"))
    assert refused.said == (400, "INVALID_SPAN_PARENT")
    assert [(error["index"], error["field"]) for error in refused.errors] == [(0, "parent_span_id")]


@pytest.mark.parametrize("parent_first", [True, False])
def test_a_parent_in_another_trace_of_the_same_batch_is_refused(api, parent_first):
    spans = [span("elsewhere", "one"), child("a", "elsewhere", "two")]
    refused = refused_spans(api, *(spans if parent_first else spans[::-1]))
    assert refused.said == (400, "INVALID_SPAN_PARENT")


def test_another_projects_spans_are_no_foreign_parents(api, stranger):
    stranger.trace(span("elsewhere", "one"))
    api.trace(child("a", "elsewhere", "two"))
    assert api.read("/traces/two")["root_span_id"] is None


def test_a_span_is_not_its_own_parent(api):
    assert refused_spans(api, child("a", "a")).said == (400, "CIRCULAR_SPAN_REFERENCE")


def test_a_circle_in_one_batch_is_refused(api):
    circle = [child("a", "c"), child("b", "a"), child("c", "b")]
    assert refused_spans(api, span(), *circle).said == (400, "CIRCULAR_SPAN_REFERENCE")


def test_a_circle_that_closes_over_several_batches_is_refused(api):
    api.trace(child("a", "b"))
    api.trace(child("b", "c"))
    refused = refused_spans(api, child("x", "a"), child("c", "a"))
    assert refused.said == (400, "CIRCULAR_SPAN_REFERENCE")
    assert {error["index"] for error in refused.errors} == {1}
    api.trace(span("c"))
    assert api.read("/traces/trace-1")["root_span_id"] == "c"


def test_a_long_chain_is_no_circle(api):
    api.trace(*(child(f"s{n}", f"s{n + 1}") for n in range(999)))
    api.trace(span("s999"))
    trace = api.read("/traces/trace-1")
    assert (trace["root_span_id"], trace["span_count"]) == ("s999", 1000)


def test_a_long_chain_that_bites_its_tail_is_a_circle(api):
    api.trace(*(child(f"s{n}", f"s{n + 1}") for n in range(999)))
    refused = Refusal.of(ingest(api, child("s999", "s0")))
    assert refused.said == (400, "CIRCULAR_SPAN_REFERENCE")
    assert api.read("/traces/trace-1")["span_count"] == 999


def test_every_failing_span_is_told_with_its_index_and_field(api):
    nameless = span("b", "t2")
    del nameless["name"]
    spans = [
        span("a", "t1"),
        nameless,
        span("c", "t3", metadata={"x": []}),
        span("d", "t4", start_time="soon"),
    ]
    refused = refused_spans(api, *spans)
    assert refused.said == (400, "INVALID_SPAN")
    assert [(error["index"], error["field"].split(".")[0]) for error in refused.errors] == [
        (1, "name"),
        (2, "metadata"),
        (3, "start_time"),
    ]


@pytest.mark.parametrize(
    ("order", "said"), [([0, 1], (409, "DUPLICATE_SPAN")), ([1, 0], (400, "CIRCULAR_SPAN_REFERENCE"))]
)
def test_the_first_failing_span_gives_the_code(api, order, said):
    api.trace(span("kept"))
    failing = [span("kept"), child("loop", "loop")]
    refused = refused_spans(api, *(failing[n] for n in order))
    assert refused.said == said
    assert {error["code"] for error in refused.errors} == {"DUPLICATE_SPAN", "CIRCULAR_SPAN_REFERENCE"}
    assert [error["index"] for error in refused.errors] == [0, 1]


def test_shape_and_sense_are_told_together(api):
    nameless = span("a", "t1")
    del nameless["name"]
    refused = refused_spans(api, nameless, child("loop", "loop", "t2"))
    assert refused.said == (400, "INVALID_SPAN")
    assert {(error["index"], error["code"]) for error in refused.errors} == {
        (0, "INVALID_SPAN"),
        (1, "CIRCULAR_SPAN_REFERENCE"),
    }


# --- lists and filters ---


def test_a_trace_in_a_list_says_what_its_spans_add_up_to(api):
    root = span(
        name="answer",
        end_time=TEN_LATER,
        model="gpt-4o",
        tokens_input=3,
        tokens_output=4,
        metadata={"env": "prod"},
    )
    api.trace(root, child("b", tokens_input=10, metadata={"env": "test"}, error={"message": "broke"}))
    expect(200, api.post("/traces/trace-1/queue"))
    (row,) = api.items("/traces")
    assert set(row) >= ROW_FIELDS
    assert "spans" not in row
    told = {name: row[name] for name in ROW_FIELDS - {"created_at"}}
    assert told == {
        "id": "trace-1",
        "project_id": api.project,
        "root_span_id": "root",
        "span_count": 2,
        "metadata": {"env": "prod"},
        "name": "answer",
        "duration_ms": 10,
        "model": "gpt-4o",
        "tokens": 17,
        "has_error": True,
        "in_queue": True,
    }


def test_traces_are_found_by_error_and_queue(api):
    api.trace(span(trace_id="good"))
    api.trace(span(trace_id="bad"), child("b", "root", "bad", error={"message": "broke"}))
    expect(200, api.post("/traces/good/queue"))
    assert api.ids("/traces", has_error=True) == ["bad"]
    assert api.ids("/traces", has_error=False) == ["good"]
    assert api.ids("/traces", in_queue=True) == ["good"]
    assert api.ids("/traces", in_queue=False) == ["bad"]
    assert api.ids("/traces", in_queue=True, has_error=True) == []


def test_traces_are_found_by_the_metadata_of_any_span_as_text(api):
    api.trace(span(trace_id="one", metadata={"env": "prod", "n": 42, "on": True}))
    api.trace(span(trace_id="two"), child("b", "root", "two", metadata={"env": "test", "n": "42", "half": 0.5}))

    def found(**wanted):
        return sorted(api.ids("/traces", **{f"metadata.{key}": value for key, value in wanted.items()}))

    assert found(env="prod") == ["one"]
    assert found(env="test") == ["two"]
    assert found(n="42") == ["one", "two"]
    assert found(on="true") == ["one"]
    assert found(half="0.5") == ["two"]
    assert found(env="prod", n="42") == ["one"]
    assert found(env="pro") == []
    assert found(nothing="x") == []


@pytest.mark.parametrize("key", ["a.b", "a b", 'a"b', "ключ", "a'b", "$x", "a[0]", "%", "_"])
def test_a_metadata_key_may_have_any_name(api, key):
    api.trace(span(trace_id="one", metadata={key: "v"}))
    api.trace(span(trace_id="two", metadata={"other": "v"}))
    assert api.ids("/traces", **{f"metadata.{key}": "v"}) == ["one"]


def test_after_and_before_leave_their_own_moment_out(api):
    moments = []
    for trace_id in ("one", "two", "three"):
        api.trace(span(trace_id=trace_id))
        moments.append(api.read(f"/traces/{trace_id}")["created_at"])
        while later(api, moments[-1]):
            pass
    assert api.ids("/traces", after=moments[0]) == ["three", "two"]
    assert api.ids("/traces", before=moments[2]) == ["two", "one"]
    assert api.ids("/traces", after=moments[0], before=moments[2]) == ["two"]
    assert api.ids("/traces", after=moments[1].replace("Z", "+00:00"), before="2999-01-01T00:00:00+01:00") == ["three"]


def later(api, moment):
    """Whether the server's clock still stands at that millisecond."""
    time.sleep(0.001)
    return api.read(f"/datasets/{api.dataset().id}")["created_at"] <= moment


@pytest.mark.parametrize(
    "query",
    [
        {"after": "2026-02-21T22:00:00"},
        {"before": "soon"},
        {"after": ""},
        {"has_error": "maybe"},
        {"in_queue": "2"},
    ],
    ids=str,
)
def test_a_filter_that_makes_no_sense_is_refused(api, query):
    refused = Refusal.of(api.get("/traces", **query))
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == list(query)


# --- reading across projects, deleting ---


def test_an_unknown_trace_is_not_found(api):
    for call in (api.get("/traces/nobody"), api.delete("/traces/nobody")):
        assert Refusal.of(call).said == (404, "NOT_FOUND")


def test_a_trace_id_in_two_projects_needs_the_project(root, api, stranger):
    trace_id = "shared-" + root.project
    api.trace(span(trace_id=trace_id, name="mine"))
    stranger.trace(span(trace_id=trace_id, name="theirs"))
    assert Refusal.of(root.get(f"/traces/{trace_id}")).said == (409, "AMBIGUOUS_TARGET")
    assert api.refusal("DELETE", f"/traces/{trace_id}", by=root).said == (409, "AMBIGUOUS_TARGET")
    annotation = {"trace_id": trace_id, "annotator": "a new user", "label": "good"}
    assert api.refusal("POST", "/annotations", annotation, by=root).said == (409, "AMBIGUOUS_TARGET")
    assert api.refusal("POST", f"/traces/{trace_id}/queue", by=root).said == (409, "AMBIGUOUS_TARGET")
    assert root.make("/annotations", {**annotation, "project_id": api.project})["project_id"] == api.project
    assert root.read(f"/traces/{trace_id}", project_id=api.project)["name"] == "mine"
    assert api.read(f"/traces/{trace_id}")["name"] == "mine"
    assert stranger.read(f"/traces/{trace_id}")["name"] == "theirs"


def test_a_bound_key_does_not_ingest_into_another_project(api):
    body = {"project_id": fresh_project(), "spans": [span()]}
    assert api.refusal("POST", "/traces/ingest", body).said == (404, "NOT_FOUND")


def test_a_deleted_trace_takes_everything_of_its_own_with_it(api):
    api.trace(span(), child("b"))
    expect(201, api.score("b", "quality", "span", value=1))
    annotation = api.annotation("trace-1")
    expect(200, api.post("/traces/trace-1/queue"))
    assert expect(200, api.delete("/traces/trace-1")) == {"deleted": True, "id": "trace-1"}
    assert Refusal.of(api.get("/traces/trace-1")).said == (404, "NOT_FOUND")
    assert Refusal.of(api.get(f"/annotations/{annotation['id']}")).said == (404, "NOT_FOUND")
    assert (api.ids("/traces"), api.items("/queue")) == ([], [])
    assert Refusal.of(api.delete("/traces/trace-1")).said == (404, "NOT_FOUND")


def test_a_trace_that_comes_again_after_its_deletion_starts_empty(api):
    api.trace(span("a"))
    expect(201, api.score("a", "quality", "span", value=1))
    api.annotation("trace-1")
    expect(200, api.post("/traces/trace-1/queue"))
    expect(200, api.delete("/traces/trace-1"))
    api.trace(span("a"))
    assert api.scores("a", "span") == []
    assert api.items("/annotations", trace_id="trace-1") == []
    assert (api.items("/queue"), api.items("/traces")[0]["in_queue"]) == ([], False)


def test_deleting_one_trace_leaves_the_others(api):
    api.trace(span("a", "one"), span("a", "two"))
    expect(201, api.score("a", "quality", "span", value=1, trace_id="two"))
    expect(200, api.delete("/traces/one"))
    assert api.ids("/traces") == ["two"]
    assert len(api.scores("a", "span")) == 1
