"""Traces as pages show them: skeleton, one span, scores, sorted and filtered lists, facets, trends, find."""

from datetime import UTC, datetime, timedelta

import pytest

from contract import otlp
from contract.caller import Refusal, expect, span

AT = "2026-02-21T22:00:0{}.000Z".format


def child(id, parent="root", trace_id="trace-1", **fields):
    return span(id, trace_id, parent_span_id=parent, **fields)


def refused(api, path, **query):
    return Refusal.of(api.get(path, **query))


# --- skeleton ---


def test_a_skeleton_has_every_span_by_start_time_without_its_content(api):
    api.trace(
        span("root", start_time=AT(0), end_time=AT(5), input={"q": "Grüße"}, name="answer", metadata={"a": 1}),
        child("b", start_time=AT(2), end_time=AT(3), model="gpt-4o", tokens_input=3, tokens_output=4, name="call"),
        child("a", start_time=AT(1), name="call", error={"message": "broke"}, output="no",
              scores=[{"scorer_name": "s", "value": 0.5}, {"scorer_name": "s", "value": "good"}]),
    )  # fmt: skip
    found = api.read("/traces/trace-1", spans="skeleton")
    spans = found["spans"]
    assert found["trace"]["id"] == "trace-1"
    assert found["trace"]["span_count"] == 3
    assert found["start_time_unix_nano"] == "1771711200000000000"
    assert spans["id"] == ["root", "a", "b"]
    assert spans["parent"] == [None, 0, 0]
    assert spans["orphans"] == {}
    assert [spans["names"][at] for at in spans["name"]] == ["answer", "call", "call"]
    assert spans["start_ms"] == [0, 1000, 2000]
    assert spans["duration_ms"] == [5000, None, 1000]
    assert (spans["models"], spans["model"]) == (["gpt-4o"], [None, None, 0])
    assert (spans["tokens_input"], spans["tokens_output"]) == ([None, None, 3], [None, None, 4])
    assert spans["has_error"] == [False, True, False]
    assert spans["score_count"] == [0, 2, 0]
    assert spans["input_size"] == [len('{"q":"Grüße"}'.encode()), 0, 0]
    assert spans["output_size"] == [0, 4, 0]
    assert {
        len(column) for name, column in spans.items() if name not in ("names", "models", "operations", "orphans")
    } == {3}


def test_a_span_whose_parent_is_not_stored_is_an_orphan(api):
    api.trace(child("a", "not yet here"), child("b", "a"))
    spans = api.read("/traces/trace-1", spans="skeleton")["spans"]
    assert (spans["id"], spans["parent"], spans["orphans"]) == (["a", "b"], [None, 0], {"0": "not yet here"})


def test_a_trace_is_whole_unless_a_skeleton_is_asked_for(api):
    api.trace()
    assert api.read("/traces/trace-1", spans="full") == api.read("/traces/trace-1")
    bad = refused(api, "/traces/trace-1", spans="bones")
    assert (bad.said[0], [error["field"] for error in bad.errors]) == (400, ["spans"])
    assert "skeleton" in bad.message


# --- one span ---


def test_one_span_is_as_in_its_trace_with_its_sizes(api):
    api.trace(span("root"), child("a", input={"q": "é" * 10}, output="x" * 20, metadata={"k": 1}))
    whole = api.read("/traces/trace-1/spans/a")
    (in_trace,) = [one for one in api.read("/traces/trace-1")["spans"] if one["id"] == "a"]
    assert {name: whole[name] for name in in_trace} == in_trace
    assert (whole["input_size"], whole["output_size"], whole["truncated"]) == (len('{"q":""}') + 20, 22, [])


def test_a_span_is_cut_on_a_character(api):
    api.trace(span(input={"q": "é" * 10}, output="short"))
    cut = api.read("/traces/trace-1/spans/root", max_bytes=10)
    assert (cut["input"], cut["output"], cut["truncated"]) == ('{"q":"éé', "short", ["input"])
    assert cut["input_size"] == 28
    assert api.read("/traces/trace-1/spans/root", max_bytes=28)["input"] == {"q": "é" * 10}
    both = api.read("/traces/trace-1/spans/root", max_bytes=1)
    assert (both["input"], both["output"], both["truncated"]) == ("{", "s", ["input", "output"])


def test_what_opentelemetry_says_of_a_span_is_there_and_cut_too(api):
    otlp.send(api, otlp.span(attributes={"note": "n" * 3000, "gnomon.input": '"hi"'}))
    path = f"/traces/{otlp.TRACE}/spans/{otlp.span_id(1)}"
    whole = api.read(path)
    assert whole["attributes"]["note"] == "n" * 3000
    assert (whole["input"], whole["truncated"]) == ("hi", [])
    assert whole["start_time_unix_nano"]
    cut = api.read(path, max_bytes=2048)
    assert (cut["attributes"]["note"], cut["truncated"]) == ("n" * 2048, ["attributes"])


@pytest.mark.parametrize("max_bytes", ["0", "-1", "many", "1e9"])
def test_max_bytes_is_a_positive_number(api, max_bytes):
    api.trace()
    bad = refused(api, "/traces/trace-1/spans/root", max_bytes=max_bytes)
    assert (bad.said[0], [error["field"] for error in bad.errors]) == (400, ["max_bytes"])


# --- who may see it ---


@pytest.mark.parametrize("path", ["", "/spans/root", "/scores", "/find?q=x"])
def test_a_trace_that_is_not_there_or_of_another_project_is_not_found(api, stranger, path):
    api.trace()
    spans = {"spans": "skeleton"} if not path else {}
    assert refused(api, f"/traces/nowhere{path}", **spans).said == (404, "NOT_FOUND")
    assert refused(stranger, f"/traces/trace-1{path}", **spans).said[0] == 404
    assert refused(api, "/traces/trace-1/spans/nobody").said == (404, "NOT_FOUND")


@pytest.mark.parametrize("path", ["/projects/{}/trends/traces", "/projects/{}/text-search"])
def test_a_project_that_is_not_there_or_of_another_key_is_not_found(api, stranger, path):
    api.trace()
    assert refused(api, path.format("nowhere")).said == (404, "NOT_FOUND")
    assert refused(stranger, path.format(api.project)).said == (404, "NOT_FOUND")


# --- scores ---


def test_all_scores_of_a_trace_and_why_others_have_none(api):
    api.trace(
        span("root", scores=[{"scorer_name": "whole", "value": 1.0}]),
        child("a", scores=[{"scorer_name": "tone", "value": "kind"}, {"scorer_name": "safe", "failed": "timed out"}]),
        child("b", scores=[{"scorer_name": "tone", "absent": "no text"}]),
    )
    api.trace(span("root", "other", scores=[{"scorer_name": "whole", "value": 0.0}]))
    found = api.read("/traces/trace-1/scores")
    assert {(score["target_id"], score["scorer_name"], score["value"]) for score in found["scores"]} == {
        ("root", "whole", 1.0),
        ("a", "tone", "kind"),
    }
    assert {(row["target_id"], row["scorer_name"], row["state"], row["reason"]) for row in found["states"]} == {
        ("a", "safe", "failed", "timed out"),
        ("b", "tone", "absent", "no text"),
    }
    assert (found["trace_id"], found["capped"]) == ("trace-1", False)


# --- lists ---


@pytest.fixture
def four(api):
    """Traces with different durations, tokens and scores; `d` has no root."""
    for id, seconds, tokens, value in (("a", 3, 10, 0.2), ("b", 1, 30, 0.9), ("c", 2, 20, "good")):
        api.trace(
            span("root", id, start_time=AT(0), end_time=AT(seconds), input=f"ask {id}\n\"it\"", output={"n": tokens}),
            child("call", trace_id=id, tokens_input=tokens, model="gpt-4o" if id == "b" else None,
                  scores=[{"scorer_name": "quality", "value": value}]),
        )  # fmt: skip
    api.trace(child("call", "nobody", "d"))
    return api


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("-created_at", "dcba"),
        ("created_at", "abcd"),
        ("-duration", "acbd"),
        ("duration", "bcad"),
        ("-tokens", "bcad"),
        ("-cost", "bdca"),
    ],
)
def test_traces_are_sorted_page_by_page(four, sort, order):
    assert "".join(four.ids("/traces", sort=sort)) == order
    assert "".join(four.ids("/traces", sort=sort, limit=1)) == order


def test_a_cursor_holds_for_its_order_only(four):
    page = four.read("/traces", sort="-duration", limit=1)
    bad = refused(four, "/traces", sort="-tokens", limit=1, cursor=page["next_cursor"])
    assert bad.said[0] == 400


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ({"min_duration_ms": 2000}, "ca"),
        ({"max_duration_ms": 2000}, "cb"),
        ({"min_duration_ms": 1500, "max_duration_ms": 2500}, "c"),
        ({"scorer_name": "quality"}, "cba"),
        ({"scorer_name": "quality", "min": 0.5}, "b"),
        ({"scorer_name": "quality", "max": 0.5}, "a"),
        ({"scorer_name": "quality", "max": 0.5, "sort": "-duration"}, "a"),
        ({"scorer_name": "nobody"}, ""),
        ({"model": "gpt-4o", "sort": "-tokens"}, "b"),
        ({"min_duration_ms": 1000, "sort": "duration"}, "bca"),
    ],
)
def test_traces_are_filtered_by_length_and_score(four, query, order):
    assert "".join(four.ids("/traces", limit=1, **query)) == order


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"sort": "name"}, "sort"),
        ({"min": 0.5}, "min"),
        ({"max": 0.5}, "max"),
        ({"scorer_name": "s", "min": "high"}, "min"),
        ({"min_duration_ms": -1}, "min_duration_ms"),
        ({"max_duration_ms": "nan"}, "max_duration_ms"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(api, query, field):
    for path in ("/traces", "/traces/facets"):
        bad = refused(api, path, project_id=api.project, **query)
        assert (bad.said[0], [error["field"] for error in bad.errors]) == (400, [field])


def test_a_row_has_scores_and_the_beginning_of_input_and_output(four):
    rows = {row["id"]: row for row in four.items("/traces")}
    assert rows["a"]["scores"] == [{"scorer_name": "quality", "count": 1, "mean": 0.2, "labels": {}}]
    assert rows["c"]["scores"] == [{"scorer_name": "quality", "count": 1, "mean": None, "labels": {"good": 1}}]
    assert rows["d"]["scores"] == []
    assert (rows["a"]["input_preview"], rows["a"]["output_preview"]) == ('ask a\n"it"', '{"n":10}')
    assert (rows["d"]["input_preview"], rows["d"]["output_preview"]) == (None, None)


@pytest.mark.parametrize(
    "text", ["x" * 500, "\n" * 500, '"' * 399, "é\\" * 300, "a" * 397 + "\x01", "a" * 398, "a" * 399]
)
def test_a_preview_is_the_beginning_of_what_a_string_says(api, text):
    api.trace(span(input=text))
    (row,) = api.items("/traces")
    assert row["input_preview"] == text[:200][: len(row["input_preview"])]
    assert len(row["input_preview"]) >= min(len(text), 190)


# --- facets ---


def test_facets_count_what_a_filter_leaves(api):
    for number in range(5):
        api.trace(
            span("root", f"t{number}", metadata={"env": "prod" if number else "dev", "n": number},
                 model="gpt-4o" if number % 2 else "o3", **({"error": {"message": "x"}} if number == 3 else {}))
        )  # fmt: skip
    expect(200, api.post("/traces/t0/queue"))
    found = api.read("/traces/facets")
    assert (found["total"], found["total_capped"], found["error_count"], found["queued_count"]) == (5, False, 1, 1)
    assert found["models"] == [{"value": "o3", "count": 3}, {"value": "gpt-4o", "count": 2}]
    env, number = found["metadata"]
    assert env == {"key": "env", "count": 5, "indexed": False, "distinct": 2,
                   "values": [{"value": "prod", "count": 4}, {"value": "dev", "count": 1}]}  # fmt: skip
    assert (number["key"], number["distinct"]) == ("n", 5)
    narrowed = api.read("/traces/facets", **{"metadata.env": "prod", "has_error": "false"})
    assert (narrowed["total"], narrowed["error_count"]) == (3, 0)
    assert api.read("/traces/facets", model="o3")["total"] == 3


def test_facets_need_a_project_and_tell_nothing_of_others(api, root, stranger):
    api.trace()
    assert refused(root, "/traces/facets").said == (400, "PROJECT_REQUIRED")
    assert refused(stranger, "/traces/facets", project_id=api.project).said == (404, "NOT_FOUND")


# --- trends ---


def test_trends_have_a_bucket_for_every_hour(api):
    for number in range(4):
        error = {"error": {"message": "x"}} if number == 0 else {}
        api.trace(span("root", f"t{number}", start_time=AT(0), end_time=AT(number), **error))
    api.trace(child("a", "nobody", "rootless"))
    now = datetime.now(UTC)
    path = f"/projects/{api.project}/trends/traces"
    found = api.read(path, bucket="hour", after=(now - timedelta(hours=3)).isoformat())
    assert len(found["buckets"]) in (4, 5)
    assert found["buckets"][0]["count"] == 0
    assert found["buckets"][0]["error_rate"] is None
    counts = [bucket["count"] for bucket in found["buckets"]]
    assert sum(counts) == 5
    (bucket,) = [bucket for bucket in found["buckets"] if bucket["count"]]
    assert (bucket["error_count"], bucket["error_rate"], bucket["avg_duration_ms"]) == (1, 0.2, 1500)
    low, high = bucket["error_rate_ci_95"]
    assert 0 < low < 0.2 < high < 1
    low, high = bucket["avg_duration_ci_95_ms"]
    assert 0 <= low < 1500 < high
    assert (found["bucket"], found["after"], found["before"]) == ("hour", found["buckets"][0]["start"], found["before"])
    days = api.read(path)
    assert len(days["buckets"]) == 31
    assert sum(bucket["count"] for bucket in days["buckets"]) == 5


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"bucket": "week"}, "bucket"),
        ({"after": "2026-01-02T00:00:00Z", "before": "2026-01-01T00:00:00Z"}, "after"),
        ({"bucket": "hour", "after": "2020-01-01T00:00:00Z", "before": "2026-01-01T00:00:00Z"}, "after"),
        ({"after": "yesterday"}, "after"),
    ],
)
def test_trends_that_make_no_sense_are_refused(api, query, field):
    api.trace()
    bad = refused(api, f"/projects/{api.project}/trends/traces", **query)
    assert (bad.said[0], [error["field"] for error in bad.errors]) == (400, [field])


# --- find ---


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("LAMP", ["a", "c"]),
        ("gpt", ["b"]),
        ("line\nbreak", ["b"]),
        ("straße", ["c"]),
        ("strasse", ["c"]),
        ("step", ["root"]),
        ("%", []),
    ],
)
def test_spans_are_found_by_a_part_of_their_text(api, text, ids):
    api.trace(
        span("root", start_time=AT(0)),
        child("a", start_time=AT(1), name="x", input={"q": "Which lamps?"}),
        child("b", start_time=AT(2), name="x", output="a line\nbreak", model="GPT-4o"),
        child("c", start_time=AT(3), name="lampyris", output="Straße"),
    )
    found = api.read("/traces/trace-1/find", q=text)
    assert (found["span_ids"], found["searched"], found["capped"]) == (ids, 4, False)


@pytest.mark.parametrize("query", [{}, {"q": ""}, {"q": "x" * 201}])
def test_find_needs_a_text(api, query):
    api.trace()
    bad = refused(api, "/traces/trace-1/find", **query)
    assert (bad.said[0], [error["field"] for error in bad.errors]) == (400, ["q"])


# --- text search ---


def test_traces_are_searched_by_the_words_of_their_root_spans(api):
    api.trace(span("root", "a", name="answer", input={"q": "Which LAMPS glow?"}, output="None"))
    api.trace(span("root", "b", input="lamp oil"), child("x", trace_id="b", input="kettle"))
    otlp.send(api, otlp.span(name="chat gpt-4o", attributes={"gnomon.output": '"a kettle glows"'}))
    assert api.ids("/traces", q="lamps") == ["a"]
    assert api.ids("/traces", q="lamp*") == ["b", "a"]
    assert api.ids("/traces", q="LAMP* which") == ["a"]
    assert api.ids("/traces", q="kettle gpt-4o") == [otlp.TRACE]
    assert api.ids("/traces", q="lamp kettle") == []
    assert api.ids("/traces", q="lamp*", sort="created_at", limit=1) == ["a", "b"]
    assert api.ids("/traces", q="lamp*", sort="-duration", limit=1) == ["b", "a"]
    assert api.read("/traces/facets", q="lamp*")["total"] == 2
    expect(200, api.delete("/traces/b"))
    assert api.ids("/traces", q="lamp*") == ["a"]


@pytest.mark.parametrize(
    ("query", "says"),
    [("?!", "letters or digits"), ("a*", "at least 2"), ("w " * 4 + "1*", "2")],
)
def test_a_search_for_nothing_is_refused(api, query, says):
    for path in ("/traces", "/traces/facets"):
        bad = refused(api, path, q=query)
        assert (bad.said[0], [error["field"] for error in bad.errors]) == (400, ["q"])
        assert says in bad.message


def test_a_project_switches_its_text_search_off_and_on(api, reader):
    api.trace(span("root", "a", input="lamp"))
    path = f"/projects/{api.project}/text-search"
    assert api.read(path) == {"project_id": api.project, "enabled": True, "ready": True, "job_id": None}
    off = expect(200, api.call("PUT", path, {"enabled": False}))
    assert (off["enabled"], off["ready"]) == (False, False)
    assert api.finished(off["job_id"])["counts"] == {"removed": 1}
    bad = refused(api, "/traces", q="lamp")
    assert (bad.said[0], "text-search" in bad.message) == (400, True)
    api.trace(span("root", "b", input="lamp"))
    on = expect(200, api.call("PUT", path, {"enabled": True}))
    job = api.finished(on["job_id"])
    assert (job["kind"], job["status"], job["counts"]) == ("index_text", "done", {"indexed": 2})
    assert api.ids("/traces", q="lamp") == ["b", "a"]
    assert api.read(path)["ready"] is True
    assert expect(200, api.call("PUT", path, {"enabled": True}))["job_id"] is None
    assert api.refusal("PUT", path, {"enabled": "yes"}).said[0] == 400
    assert api.refusal("PUT", path, {"enabled": False}, by=reader).said[0] == 403


@pytest.mark.parametrize(
    ("text", "inputs"), [("LAMP", ["a lamp", "b"]), ("straße", ["c"]), ("42", ["c"]), ("%", []), ("kind", ["c"])]
)
def test_items_are_searched_by_a_part_of_their_text(api, text, inputs):
    items = [
        {"input": "a lamp"},
        {"input": "b", "expected_output": {"answer": "Lampyris"}},
        {"input": "c", "metadata": {"kind": "STRASSE", "n": 42}},
    ]
    path = f"/datasets/{api.dataset(items).id}/items"
    assert sorted(item["input"] for item in api.items(path, q=text)) == inputs
    assert sorted(item["input"] for item in api.items(path, q=text, limit=1)) == inputs
    assert refused(api, path, q="").errors[0]["field"] == "q"


def test_the_queue_is_searched_by_a_part_of_its_root_spans(api):
    api.trace(span("root", "a", name="answer", input="Which LAMP?"))
    api.trace(span("root", "b", output={"text": "no lamps"}))
    api.trace(span("root", "c", input="kettle"), child("x", trace_id="c", input="lamp"))
    api.trace(child("x", "nobody", "d"))
    for id in "abcd":
        expect(200, api.post(f"/traces/{id}/queue"))
    found = {
        text: [row["trace_id"] for row in api.items("/queue", q=text, limit=1)] for text in ("lamp", "answer", "x")
    }
    assert found == {"lamp": ["a", "b"], "answer": ["a"], "x": ["b"]}
    assert refused(api, "/queue", q="x" * 201).errors[0]["field"] == "q"
