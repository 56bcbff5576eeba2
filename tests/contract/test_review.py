"""Review: annotations, the queue, items made from corrections, and a project at a glance."""

import pytest

from contract.caller import Refusal, expect, span

ANNOTATION_FIELDS = {
    "id", "project_id", "trace_id", "span_id", "annotator", "label", "correction", "notes", "created_at",
}  # fmt: skip


# --- annotations ---


def test_an_annotation_comes_back_with_every_field(api):
    api.trace(span(), span("b", parent_span_id="root"))
    sent = {
        "trace_id": "trace-1",
        "span_id": "b",
        "annotator": "a new user",
        "label": "wrong",
        "correction": {"city": ["Paris"]},
        "notes": "off by one",
    }
    made = api.make("/annotations", sent)
    assert set(made) >= ANNOTATION_FIELDS
    assert {name: made[name] for name in sent} == sent
    assert made["project_id"] == api.project
    assert api.read(f"/annotations/{made['id']}") == made
    assert api.items("/annotations", trace_id="trace-1") == [made]


@pytest.mark.parametrize(
    "said",
    [
        {"label": "x"},
        {"notes": "x"},
        {"correction": "x"},
        {"correction": False},
        {"correction": 0},
        {"correction": ""},
    ],
    ids=str,
)
def test_one_thing_said_is_enough(api, said):
    made = api.make("/annotations", {"trace_id": api.trace(), "annotator": "a new user", **said})
    assert {name: made[name] for name in said} == said


@pytest.mark.parametrize("said", [{}, {"label": None, "correction": None, "notes": None}, {"notes": ""}], ids=str)
def test_nothing_said_is_no_annotation(api, said):
    refused = api.refusal("POST", "/annotations", {"trace_id": api.trace(), "annotator": "a new user", **said})
    assert refused.said == (400, "EMPTY_ANNOTATION")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"annotator": ""}, "annotator"),
        ({"annotator": None}, "annotator"),
        ({"annotator": 5}, "annotator"),
        ({"label": ""}, "label"),
        ({"label": 5}, "label"),
        ({"notes": 5}, "notes"),
        ({"trace_id": None}, "trace_id"),
        ({"trace_id": 5}, "trace_id"),
    ],
    ids=str,
)
def test_a_malformed_annotation_is_refused_by_its_field(api, fields, field):
    body = {"trace_id": api.trace(), "annotator": "a new user", "label": "good", "notes": "n", **fields}
    refused = api.refusal("POST", "/annotations", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert {error["field"] for error in refused.errors} == {field}


def test_an_unknown_trace_is_not_annotated(api):
    body = {"trace_id": "nobody", "annotator": "a new user", "label": "good"}
    assert api.refusal("POST", "/annotations", body).said == (404, "NOT_FOUND")


def test_a_span_of_another_trace_is_out_of_scope(api):
    api.trace(span("a", "one"), span("b", "two"))
    for span_id in ("b", "nobody"):
        body = {"trace_id": "one", "span_id": span_id, "annotator": "a new user", "label": "good"}
        assert api.refusal("POST", "/annotations", body).said == (422, "INVALID_ANNOTATION_SCOPE")


def test_the_same_thing_may_be_said_twice(api):
    trace_id = api.trace()
    assert len({api.annotation(trace_id)["id"] for _ in range(2)}) == 2
    assert len(api.items("/annotations", trace_id=trace_id)) == 2


def test_annotations_are_listed_by_span(api):
    api.trace(span(), span("b", parent_span_id="root"))
    whole = api.annotation("trace-1")
    part = api.annotation("trace-1", span_id="b")
    assert api.items("/annotations", trace_id="trace-1") == [part, whole]
    assert api.items("/annotations", trace_id="trace-1", span_id="b") == [part]


def test_a_list_of_annotations_needs_a_trace(api):
    for query in ({}, {"span_id": "b"}):
        assert Refusal.of(api.get("/annotations", **query)).said == (400, "INVALID_REQUEST")


def test_an_unknown_annotation_is_not_found(api):
    assert Refusal.of(api.get("/annotations/nobody")).said == (404, "NOT_FOUND")


# --- items from annotations ---


def test_a_correction_becomes_a_dataset_item(api):
    api.trace(span(input={"q": "capital?"}, output="Rome"))
    annotation, dataset = api.annotation("trace-1", correction={"a": "Paris"}), api.dataset()
    item = api.make(f"/annotations/{annotation['id']}/to-dataset-item", {"dataset_id": dataset.id})
    assert (item["input"], item["expected_output"], item["dataset_id"]) == (
        {"q": "capital?"},
        {"a": "Paris"},
        dataset.id,
    )
    assert item["metadata"] == {
        "source_trace_id": "trace-1",
        "source_annotation_id": annotation["id"],
        "annotator": "a new user",
        "source": "annotation",
    }
    assert api.items(f"/datasets/{dataset.id}/items") == [item]
    assert api.read(f"/datasets/{dataset.id}")["version"] == 2


def test_without_a_correction_nothing_is_expected(api):
    api.trace(span(input="q"))
    path = f"/annotations/{api.annotation('trace-1')['id']}/to-dataset-item"
    assert api.make(path, {"dataset_id": api.dataset().id})["expected_output"] is None


def test_every_time_makes_a_new_item(api):
    api.trace(span(input="q"))
    dataset, path = api.dataset(), f"/annotations/{api.annotation('trace-1')['id']}/to-dataset-item"
    assert len({api.make(path, {"dataset_id": dataset.id})["id"] for _ in range(2)}) == 2
    assert api.read(f"/datasets/{dataset.id}")["version"] == 3


def test_a_trace_without_a_root_makes_no_item(api):
    api.trace(span(parent_span_id="elsewhere", input="q"))
    path = f"/annotations/{api.annotation('trace-1')['id']}/to-dataset-item"
    assert api.refusal("POST", path, {"dataset_id": api.dataset().id}).said == (422, "NO_ROOT_SPAN")


def test_a_root_without_an_input_makes_no_item(api):
    api.trace(span())
    path = f"/annotations/{api.annotation('trace-1')['id']}/to-dataset-item"
    assert api.refusal("POST", path, {"dataset_id": api.dataset().id}).said == (422, "NO_ROOT_INPUT")


def test_an_item_needs_a_dataset_that_exists(api):
    api.trace(span(input="q"))
    path = f"/annotations/{api.annotation('trace-1')['id']}/to-dataset-item"
    assert api.refusal("POST", path, {"dataset_id": "nobody"}).said == (404, "NOT_FOUND")
    assert api.refusal("POST", path, {}).said == (400, "INVALID_REQUEST")


def test_a_deleted_trace_makes_no_item(api):
    api.trace(span(input="q"))
    path = f"/annotations/{api.annotation('trace-1')['id']}/to-dataset-item"
    dataset = api.dataset()
    expect(200, api.delete("/traces/trace-1"))
    assert api.refusal("POST", path, {"dataset_id": dataset.id}).said == (404, "NOT_FOUND")


# --- the queue ---


def test_queueing_twice_keeps_the_first_moment(api):
    trace_id = api.trace()
    first = expect(200, api.post(f"/traces/{trace_id}/queue"))
    again = expect(200, api.post(f"/traces/{trace_id}/queue"))
    assert (first["trace_id"], first["queued"], bool(first["queued_at"])) == (trace_id, True, True)
    assert again == first
    assert len(api.items("/queue")) == 1


def test_leaving_the_queue_twice_is_fine(api):
    trace_id = api.trace()
    expect(200, api.post(f"/traces/{trace_id}/queue"))
    for _ in range(2):
        left = expect(200, api.delete(f"/traces/{trace_id}/queue"))
        assert (left["trace_id"], left["queued"]) == (trace_id, False)
    assert api.items("/queue") == []


def test_a_trace_queued_again_starts_anew_at_the_end(api):
    for trace_id in ("one", "two"):
        api.trace(span(trace_id=trace_id))
        expect(200, api.post(f"/traces/{trace_id}/queue"))
    expect(200, api.delete("/traces/one/queue"))
    expect(200, api.post("/traces/one/queue"))
    assert [item["trace_id"] for item in api.items("/queue", limit=1)] == ["two", "one"]


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_an_unknown_trace_is_not_queued(api, method):
    assert api.refusal(method, "/traces/nobody/queue").said == (404, "NOT_FOUND")


def test_a_queue_item_shows_a_light_root_span(api):
    root = span(name="answer", input={"q": 1}, output="a", end_time="2026-02-21T22:00:00.010Z", model="gpt-4o")
    api.trace(root, span("b", parent_span_id="root"))
    api.annotation("trace-1")
    queued_at = expect(200, api.post("/traces/trace-1/queue"))["queued_at"]
    (item,) = api.items("/queue")
    shown = {"trace_id": "trace-1", "queued_at": queued_at, "status": "annotated", "annotation_count": 1}
    assert {name: item[name] for name in shown} == shown
    root = {"id": "root", "name": "answer", "input": {"q": 1}, "output": "a", "duration_ms": 10}
    assert item["root_span"] == {**root, "input_size": 7, "output_size": 1, "truncated": []}


def test_a_trace_without_a_root_is_queued_without_one(api):
    api.trace(span(parent_span_id="elsewhere"))
    expect(200, api.post("/traces/trace-1/queue"))
    (item,) = api.items("/queue")
    assert (item["root_span"], item["status"], item["annotation_count"]) == (None, "pending", 0)


def queue(api, **query):
    return [item["trace_id"] for item in api.items("/queue", limit=1, **query)]


def test_the_queue_is_oldest_first_and_filtered_by_status_and_annotator(api):
    for trace_id in ("one", "two", "three"):
        api.trace(span(trace_id=trace_id))
        expect(200, api.post(f"/traces/{trace_id}/queue"))
    api.annotation("one", annotator="a new user")
    api.annotation("three", annotator="a new user")
    api.annotation("three", annotator="another user")
    assert queue(api) == ["one", "two", "three"]
    assert queue(api, status="pending") == ["two"]
    assert queue(api, status="annotated") == ["one", "three"]
    assert queue(api, annotator="another user") == ["three"]
    assert queue(api, status="annotated", annotator="a new user") == ["one", "three"]
    assert queue(api, annotator="eve") == []


def test_walking_the_queue_while_it_grows_shows_every_old_trace_once(api):
    old = [f"t{n}" for n in range(5)]
    for trace_id in old:
        api.trace(span(trace_id=trace_id))
        expect(200, api.post(f"/traces/{trace_id}/queue"))
    seen, cursor, more = [], {}, 0
    while cursor is not None and more < 5:
        page = api.read("/queue", limit=2, **cursor)
        seen += [item["trace_id"] for item in page["items"]]
        api.trace(span(trace_id=f"new{more}"))
        expect(200, api.post(f"/traces/new{more}/queue"))
        more += 1
        cursor = {"cursor": page["next_cursor"]} if page["next_cursor"] else None
    assert [trace_id for trace_id in seen if trace_id in old] == old
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("status", ["done", "Pending", ""])
def test_the_queue_knows_two_statuses(api, status):
    assert Refusal.of(api.get("/queue", status=status)).said == (400, "INVALID_QUEUE_STATUS")


# --- a project at a glance ---


def test_an_empty_project_has_zeros(api):
    told = api.read(f"/projects/{api.project}/summary")
    nothing = {"count": 0, "error_count": 0, "error_rate": 0, "error_rate_ci_95": None, "avg_duration_ms": None,
               "avg_duration_ci_95_ms": None}  # fmt: skip
    assert told["traces"] == {"last_24h": nothing, "last_7d": nothing}
    assert told["experiments"] == {
        "created_count": 0,
        "running_count": 0,
        "completed_count": 0,
        "most_recent_completed": None,
    }
    assert told["queue"] == {"pending_count": 0, "annotated_count": 0}


def test_traces_are_counted_with_their_errors_and_durations(api):
    api.trace(span(trace_id="one", end_time="2026-02-21T22:00:00.010Z"))
    api.trace(span(trace_id="two", duration_ms=20), span("b", "two", parent_span_id="root", duration_ms=9000))
    api.trace(span(trace_id="three", error={"message": "broke"}))
    told = api.read(f"/projects/{api.project}/summary")["traces"]
    expected = {"count": 3, "error_count": 1, "error_rate": 0.333, "avg_duration_ms": 15}
    for window in (told["last_24h"], told["last_7d"]):
        assert {name: window[name] for name in expected} == expected
        low, high = window["error_rate_ci_95"]
        assert 0 < low < 1 / 3 < high < 1
        # Two root spans of 10 and 20 ms: 15 ± 12.7 · 5, and no span takes less than nothing.
        assert window["avg_duration_ci_95_ms"] == [0, pytest.approx(15 + 12.706 * 5, abs=0.01)]


def test_experiments_are_counted_by_status_and_the_last_completed_is_shown(api):
    dataset = api.questions(2)
    first = api.measured(dataset, [0, 0])
    last = api.measured(dataset, [1, 0.5])
    api.measured(dataset, [1, 1])
    api.experiment(dataset.id)
    for experiment_id in (first, last):
        expect(200, api.post(f"/experiments/{experiment_id}/complete"))
    told = api.read(f"/projects/{api.project}/summary")["experiments"]
    assert (told["created_count"], told["running_count"], told["completed_count"]) == (1, 1, 2)
    assert told["most_recent_completed"]["id"] == last
    (name,) = told["most_recent_completed"]["mean_by_scorer"]
    assert told["most_recent_completed"]["mean_by_scorer"][name] == 0.75
    low, high = told["most_recent_completed"]["ci_95_by_scorer"][name]
    assert low < 0.75 < high


def test_the_queue_is_counted_by_status(api):
    for trace_id in ("one", "two", "three"):
        api.trace(span(trace_id=trace_id))
        expect(200, api.post(f"/traces/{trace_id}/queue"))
    api.annotation("two")
    told = api.read(f"/projects/{api.project}/summary")["queue"]
    assert told == {"pending_count": 2, "annotated_count": 1}
