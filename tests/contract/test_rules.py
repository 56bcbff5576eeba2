"""The rules that hold everywhere: keys, errors and their order, pages, times, ids, projects, bodies, retries."""

import json
import re

import pytest

from contract.caller import Api, Refusal, expect, fresh_project, span
from contract.routes import NDJSON, NOBODY, ROUTES, name

MEGABYTE = 1024 * 1024
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


# --- keys ---


@pytest.mark.parametrize("route", ROUTES, ids=name)
def test_every_call_needs_a_key(server, route):
    call = route.about(NOBODY)
    answer = server.http.request(call["method"], f"/v1{call['path']}", json=call["body"])
    assert Refusal.of(answer).said == (401, "UNAUTHORIZED")


@pytest.mark.parametrize(
    "given",
    ["", "Bearer", "Bearer wrong", "Basic {key}", "{key}", "Bearer {key}x", "Bearer {key} x"],
)
def test_a_wrong_key_is_as_none(server, given):
    header = {"Authorization": given.format(key=server.admin_key)}
    assert Refusal.of(server.http.get("/v1/projects", headers=header)).said == (401, "UNAUTHORIZED")


def test_a_key_that_is_not_even_text_is_refused(server):
    header = {b"Authorization": b"Bearer \xff\xfe\x80"}
    assert Refusal.of(server.http.get("/v1/projects", headers=header)).said == (401, "UNAUTHORIZED")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/openapi.json", "/docs"])
def test_health_and_documentation_need_no_key(server, path):
    assert server.http.get(path).status_code == 200


@pytest.mark.parametrize("route", [route for route in ROUTES if route.role != "read"], ids=name)
def test_a_reading_key_may_not_write(api, reader, route):
    assert api.refusal(**route.about(NOBODY), by=reader).said == (403, "FORBIDDEN")


# --- the order of refusals ---


def too_large():
    return b" " * (33 * MEGABYTE)


def test_no_key_goes_before_a_body_that_is_too_large(server):
    answer = server.http.post("/v1/datasets", content=too_large())
    assert Refusal.of(answer).said == (401, "UNAUTHORIZED")


def test_no_key_goes_before_an_unknown_route(server):
    assert Refusal.of(server.http.get("/v1/nowhere")).said == (401, "UNAUTHORIZED")


def test_no_key_goes_before_a_wrong_method(server):
    assert Refusal.of(server.http.put("/v1/datasets")).said == (401, "UNAUTHORIZED")


def test_a_body_too_large_goes_before_an_unknown_route(api):
    assert Refusal.of(api.call("POST", "/nowhere", content=too_large())).said == (413, "PAYLOAD_TOO_LARGE")


def test_an_unknown_route_goes_before_the_role(reader):
    assert Refusal.of(reader.post("/nowhere", {})).said == (404, "NOT_FOUND")


def test_a_wrong_method_goes_before_the_role(reader):
    assert Refusal.of(reader.call("PATCH", "/datasets", {})).said == (405, "METHOD_NOT_ALLOWED")


def test_the_role_goes_before_a_malformed_body(reader):
    assert Refusal.of(reader.call("POST", "/datasets", content=b"{")).said == (403, "FORBIDDEN")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/experiments/nobody/runs", {"runs": []}),
        ("/experiments/nobody/threshold", {}),
        ("/datasets/nobody/items", {}),
        ("/scores", {"target_id": "nobody", "target_type": "run", "scorer_name": "q", "value": 2}),
        ("/annotations", {"trace_id": "nobody", "annotator": "a new user"}),
    ],
)
def test_a_malformed_body_goes_before_an_unknown_object(api, path, body):
    assert api.refusal("POST", path, body).said[0] == 400


def test_a_malformed_query_goes_before_an_unknown_object(api):
    assert Refusal.of(api.get("/experiments/nobody/runs", limit=0)).said == (400, "INVALID_REQUEST")


def test_a_duplicate_goes_before_an_experiment_that_is_over(api):
    run = api.answer("x")
    expect(200, api.post(f"/experiments/{run.experiment_id}/complete"))
    again = {"runs": [{"dataset_item_id": run.item_ids[0], "output": "x"}]}
    refused = api.refusal("POST", f"/experiments/{run.experiment_id}/runs", again)
    assert refused.said == (409, "DUPLICATE_RUN")


# --- errors ---


@pytest.mark.parametrize("path", ["/v1/nowhere", "/v1/datasets/x/nowhere", "/v1", "/nowhere", "/v2/datasets"])
def test_an_unknown_route_is_not_found(server, path):
    header = {"Authorization": f"Bearer {server.admin_key}"}
    assert Refusal.of(server.http.get(path, headers=header)).said == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/datasets", {"GET", "POST"}),
        ("DELETE", "/traces", {"GET", "POST"}),
        ("PATCH", "/traces/x", {"GET", "DELETE"}),
        ("GET", "/scores/batch", {"POST"}),
        ("POST", "/experiments/x", {"GET"}),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(api, method, path, allowed):
    answer = api.call(method, path)
    assert Refusal.of(answer).said == (405, "METHOD_NOT_ALLOWED")
    assert allowed <= {word.strip() for word in answer.headers["allow"].split(",")}


def test_several_wrong_fields_are_all_named(api):
    refused = api.refusal("POST", "/experiments", {"name": 5, "dataset_id": None, "trials": "x"})
    assert refused.said == (400, "INVALID_REQUEST")
    assert {error["field"] for error in refused.errors} == {"name", "dataset_id", "trials"}


def test_an_error_in_a_batch_names_its_index(api):
    dataset = api.questions(1)
    path = f"/experiments/{api.experiment(dataset.id)}/runs"
    runs = [{"dataset_item_id": dataset.item_ids[0], "output": "x"}, {"output": "x"}]
    refused = api.refusal("POST", path, {"runs": runs})
    assert refused.said == (400, "INVALID_REQUEST")
    assert [(error["index"], error["field"]) for error in refused.errors] == [(1, "dataset_item_id")]


def test_unknown_fields_are_passed_over(api):
    made = api.make("/datasets", {"project_id": api.project, "name": "d", "surprise": {"nested": [1]}})
    assert "surprise" not in made


def test_an_absent_field_is_as_null(api):
    made = api.make("/datasets", {"project_id": api.project, "name": "d"})
    also = api.make("/datasets", {"project_id": api.project, "name": "e", "description": None})
    assert made["description"] is None
    assert also["description"] is None


# --- request ids ---


def test_every_answer_has_a_request_id_of_its_own(api):
    answers = [api.get("/datasets"), api.get("/datasets"), api.get("/nowhere"), api.post("/datasets", {})]
    ids = [answer.headers["x-request-id"] for answer in answers]
    assert all(ids)
    assert len(set(ids)) == len(ids)


def test_a_request_id_that_was_given_comes_back(api):
    answer = api.call("GET", "/datasets", headers={"X-Request-Id": "req-2026.11_a"})
    assert answer.headers["x-request-id"] == "req-2026.11_a"


@pytest.mark.parametrize("given", ["x" * 5000, "a b\tc", 'quo"te<script>'])
def test_a_request_id_that_makes_no_sense_is_replaced(api, given):
    answer = api.call("GET", "/datasets", headers={"X-Request-Id": given})
    assert answer.status_code == 200
    assert answer.headers["x-request-id"] not in ("", given)


def test_an_answer_without_a_key_has_a_request_id_too(server):
    assert server.http.get("/v1/datasets").headers["x-request-id"]
    assert server.http.get("/healthz").headers["x-request-id"]


# --- pages ---


def traces(api):
    numbers = iter(range(1000))
    return "/traces", {}, lambda: api.trace(span(trace_id=f"t{next(numbers)}"))


def datasets(api):
    return "/datasets", {}, lambda: api.dataset().id


def dataset_items(api):
    dataset = api.dataset()
    return (
        f"/datasets/{dataset.id}/items",
        {},
        lambda: api.make(f"/datasets/{dataset.id}/items", {"input": "q"})["id"],
    )


def experiments(api):
    dataset = api.dataset()
    return "/experiments", {}, lambda: api.experiment(dataset.id)


def runs(api):
    dataset, trials = api.questions(1), iter(range(1000))
    experiment_id = api.experiment(dataset.id, trials=1000)
    return (
        f"/experiments/{experiment_id}/runs",
        {},
        lambda: api.run(experiment_id, dataset.item_ids[0], trial=next(trials)),
    )


def scores(api):
    run = api.answer("x")
    query = {"target_id": run.id, "target_type": "run"}
    return "/scores", query, lambda: expect(201, api.score(run.id, "quality", value=0.5))["id"]


def annotations(api):
    trace_id = api.trace()
    return "/annotations", {"trace_id": trace_id}, lambda: api.annotation(trace_id)["id"]


def jobs(api):
    run = api.answer("x")
    path = f"/experiments/{run.experiment_id}/score"
    wanted = {"scorers": [{"scorer_name": "exact_match"}]}
    return "/jobs", {}, lambda: expect(202, api.post(path, wanted))["job_id"]


def keys(api):
    return "/keys", {}, lambda: api.make("/keys", {"role": "read"})["id"]


LISTS = [traces, datasets, dataset_items, experiments, runs, scores, annotations, jobs, keys]
every_list = pytest.mark.parametrize("listed", LISTS, ids=lambda listed: listed.__name__)


@every_list
def test_a_list_is_newest_first_and_its_pages_join(api, listed):
    path, query, make_one = listed(api)
    made = [make_one() for _ in range(5)]
    first = api.read(path, limit=2, **query)
    assert set(first) == {"items", "next_cursor", "limit"}
    assert (len(first["items"]), first["limit"]) == (2, 2)
    assert first["next_cursor"] is not None
    assert api.ids(path, limit=2, **query)[:5] == made[::-1]


@every_list
def test_walking_the_pages_while_rows_come_in_shows_every_old_row_once(api, listed):
    path, query, make_one = listed(api)
    old = [make_one() for _ in range(5)]
    seen, cursor = [], {}
    while cursor is not None:
        page = api.read(path, limit=2, **query, **cursor)
        seen += [item["id"] for item in page["items"]]
        make_one()
        cursor = {"cursor": page["next_cursor"]} if page["next_cursor"] else None
    assert len(seen) == len(set(seen))
    assert set(old) <= set(seen)


@every_list
def test_a_page_has_50_rows_unless_said_otherwise(api, listed):
    path, query, make_one = listed(api)
    make_one()
    page = api.read(path, **query)
    assert page["limit"] == 50
    assert page["next_cursor"] is None


@pytest.mark.parametrize("count", [50, 51])
def test_the_last_full_page_says_that_it_is_the_last(api, count):
    lines = "\n".join(['{"input": "q"}'] * count)
    dataset = api.dataset()
    expect(200, api.call("POST", f"/datasets/{dataset.id}/items/import", content=lines, headers=NDJSON))
    page = api.read(f"/datasets/{dataset.id}/items")
    assert (len(page["items"]), page["next_cursor"] is None) == (50, count == 50)
    assert len(api.ids(f"/datasets/{dataset.id}/items")) == count


@every_list
@pytest.mark.parametrize("limit", ["0", "201", "-1", "many", "1.5", ""])
def test_a_limit_outside_1_to_200_is_refused(api, listed, limit):
    path, query, _ = listed(api)
    refused = Refusal.of(api.get(path, limit=limit, **query))
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["limit"]


@every_list
def test_a_cursor_that_was_not_issued_here_is_refused(api, listed):
    path, query, make_one = listed(api)
    for _ in range(2):
        make_one()
    issued = api.read(path, limit=1, **query)["next_cursor"]
    middle = len(issued) // 2
    bent = issued[:middle] + ("A" if issued[middle] != "A" else "B") + issued[middle + 1 :]
    for cursor in ("made-up", "", "AAAA", "💥", bent, issued[:-4], issued + "AAAA"):
        answer = api.get(path, limit=1, **query, cursor=cursor)
        assert Refusal.of(answer).said == (400, "INVALID_REQUEST"), cursor


def test_a_cursor_belongs_to_one_list(api):
    for _ in range(2):
        api.experiment(api.dataset().id)
    cursor = api.read("/datasets", limit=1)["next_cursor"]
    assert Refusal.of(api.get("/experiments", limit=1, cursor=cursor)).said == (400, "INVALID_REQUEST")


def test_a_cursor_belongs_to_one_object(api):
    one, other = api.questions(2), api.questions(2)
    cursor = api.read(f"/datasets/{one.id}/items", limit=1)["next_cursor"]
    answer = api.get(f"/datasets/{other.id}/items", limit=1, cursor=cursor)
    assert Refusal.of(answer).said == (400, "INVALID_REQUEST")


def test_a_cursor_belongs_to_one_set_of_filters(api):
    run = api.answer("x")
    for _ in range(2):
        expect(201, api.score(run.id, "tone", value=1))
    query = {"target_id": run.id, "target_type": "run", "limit": 1}
    cursor = api.read("/scores", **query)["next_cursor"]
    answer = api.get("/scores", **query, scorer_name="tone", cursor=cursor)
    assert Refusal.of(answer).said == (400, "INVALID_REQUEST")


def test_a_cursor_belongs_to_one_project(root):
    for _ in range(2):
        root.dataset()
    cursor = root.read("/datasets", limit=1, project_id=root.project)["next_cursor"]
    answer = root.get("/datasets", limit=1, project_id=fresh_project(), cursor=cursor)
    assert Refusal.of(answer).said == (400, "INVALID_REQUEST")


def test_rows_of_one_moment_are_listed_in_the_lists_direction(api):
    dataset = api.questions(3)
    experiment_id = api.experiment(dataset.id)
    sent = {"runs": [{"dataset_item_id": item_id, "output": "x"} for item_id in dataset.item_ids]}
    run_ids = api.make(f"/experiments/{experiment_id}/runs", sent)["run_ids"]
    assert api.ids(f"/experiments/{experiment_id}/runs", limit=2) == run_ids[::-1]
    assert api.ids(f"/experiments/{experiment_id}/runs", limit=2, sort="created_at") == run_ids


def test_traces_of_one_moment_are_listed_by_id(api):
    api.trace(span(trace_id="b"), span(trace_id="c"), span(trace_id="a"))
    rows = api.items("/traces", limit=2)
    assert rows == sorted(rows, key=lambda row: (row["created_at"], row["id"]), reverse=True)


# --- times and ids ---


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("2026-02-21T22:00:00.000Z", "2026-02-21T22:00:00.000Z"),
        ("2026-02-22T00:00:00+02:00", "2026-02-21T22:00:00.000Z"),
        ("2026-02-21T16:30:00.5-05:30", "2026-02-21T22:00:00.500Z"),
        ("2026-02-21T22:00:00.123999Z", "2026-02-21T22:00:00.123Z"),
        ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ],
)
def test_a_time_is_kept_in_utc_to_the_millisecond(api, sent, kept):
    trace_id = api.trace(span(start_time=sent))
    assert api.read(f"/traces/{trace_id}")["spans"][0]["start_time"] == kept


@pytest.mark.parametrize(
    "sent",
    [
        "2026-02-21T22:00:00",
        "2026-02-21",
        "yesterday",
        "",
        1771711200,
        None,
        "2026-02-30T00:00:00Z",
        "0001-01-01T00:00:00+05:00",
    ],
)
def test_a_time_without_an_offset_or_without_sense_is_refused(api, sent):
    refused = api.refusal("POST", "/traces/ingest", {"spans": [span(start_time=sent)]})
    assert refused.said == (400, "INVALID_SPAN")
    assert [(error["index"], error["field"]) for error in refused.errors] == [(0, "start_time")]


def test_times_of_the_server_have_milliseconds_and_z(api):
    run = api.answer("x")
    experiment = expect(200, api.post(f"/experiments/{run.experiment_id}/complete"))
    dataset = api.read(f"/datasets/{run.dataset_id}")
    times = [
        dataset["created_at"],
        dataset["updated_at"],
        experiment["created_at"],
        experiment["completed_at"],
    ]
    assert all(TIME.fullmatch(time) for time in times)


def test_ids_of_the_server_sort_by_age(api):
    made = [api.dataset().id for _ in range(5)]
    assert made == sorted(made)
    assert all(UUID7.fullmatch(dataset_id) for dataset_id in made)


def test_ids_are_case_sensitive(api):
    assert Refusal.of(api.get(f"/datasets/{api.dataset().id.upper()}")).said == (404, "NOT_FOUND")


# --- projects ---


@pytest.mark.parametrize("path", ["/traces", "/datasets", "/experiments", "/queue", "/jobs"])
def test_a_list_needs_a_project_unless_the_key_has_one(root, api, path):
    assert Refusal.of(root.get(path)).said == (400, "PROJECT_REQUIRED")
    assert root.read(path, project_id=root.project)["items"] == []
    assert api.read(path)["items"] == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/traces/ingest", {"spans": [span()]}),
        ("/datasets", {"name": "d"}),
        ("/experiments", {"name": "e", "dataset_id": "{dataset}"}),
    ],
)
def test_making_something_needs_a_project_unless_the_key_has_one(root, api, path, body):
    dataset_id = api.dataset().id
    body = json.loads(json.dumps(body).replace("{dataset}", dataset_id))
    assert api.refusal("POST", path, body, by=root).said == (400, "PROJECT_REQUIRED")
    expect(201, api.post(path, body))


def test_a_path_or_a_target_settles_the_project(root):
    run = root.answer("x")
    trace_id = "trace-" + root.project
    root.trace(span("s-" + root.project, trace_id))
    assert expect(201, root.score(run.id, "quality", value=1))["project_id"] == root.project
    assert expect(201, root.score("s-" + root.project, "quality", "span", value=1))["project_id"] == root.project
    assert root.annotation(trace_id)["project_id"] == root.project
    assert root.read(f"/traces/{trace_id}")["project_id"] == root.project
    assert len(root.scores(run.id)) == 1


def test_the_first_write_makes_the_project(root):
    assert root.project not in root.ids("/projects")
    root.dataset()
    assert root.project in root.ids("/projects")


def test_a_refused_write_makes_no_project(root):
    refused = Refusal.of(root.post("/datasets", {"project_id": root.project, "name": ""}))
    assert refused.said == (400, "INVALID_REQUEST")
    assert root.project not in root.ids("/projects")


def test_an_unknown_project_is_an_empty_page_to_an_unbound_key(root):
    assert root.read("/datasets", project_id=root.project) == {"items": [], "next_cursor": None, "limit": 50}


@pytest.mark.parametrize("project_id", ["", "a b", "a/b", "ä", "x" * 129, 5, "a\n"])
def test_a_project_id_is_1_to_128_plain_characters(root, project_id):
    answer = root.post("/datasets", {"project_id": project_id, "name": "d"})
    assert Refusal.of(answer).said[0] == 400


def test_a_project_is_made_once(root):
    made = root.make("/projects", {"id": root.project, "name": "Mine"})
    assert (made["id"], made["name"], bool(TIME.fullmatch(made["created_at"]))) == (
        root.project,
        "Mine",
        True,
    )
    refused = Refusal.of(root.post("/projects", {"id": root.project, "name": "Again"}))
    assert refused.said == (409, "CONFLICT")
    assert [row["name"] for row in root.items("/projects") if row["id"] == root.project] == ["Mine"]


# --- bodies ---


def nested(levels):
    return b'{"input": ' + b"[" * levels + b"]" * levels + b"}"


HOSTILE = {
    "NUL": rb'{"input": "a\u0000b"}',
    "NUL in a key": rb'{"input": {"a\u0000": 1}}',
    "a raw NUL": b'{"input": "a\x00b"}',
    "NUL in an unknown field": rb'{"input": "q", "surprise": "\u0000"}',
    "a lone high surrogate": rb'{"input": "\ud800"}',
    "a lone low surrogate": rb'{"input": "\udc00 x"}',
    "a lone surrogate in a key": rb'{"input": {"\ud800": 1}}',
    "surrogates the wrong way round": rb'{"input": "\udc00\ud800"}',
    "bytes that are not UTF-8": b'{"input": "\xff\xfe"}',
    "101 levels": nested(101),
    "101 levels of objects": b'{"input": ' + b'{"a":' * 101 + b"1" + b"}" * 101 + b"}",
    "100,000 levels": nested(100_000),
    "1e400": b'{"input": 1e400}',
    "-1e400": b'{"input": -1e400}',
    "10**400": b'{"input": 1' + b"0" * 400 + b"}",
    "-10**400": b'{"input": {"a": [-1' + b"0" * 400 + b"]}}",
    "NaN": b'{"input": NaN}',
    "Infinity": b'{"input": Infinity}',
    "-Infinity": b'{"input": -Infinity}',
    "nothing": b"",
    "half an object": b'{"input": 1',
    "two objects": b'{"input": 1} {"input": 2}',
    "a trailing comma": b'{"input": 1,}',
    "single quotes": b"{'input': 1}",
    "a list": b'[{"input": 1}]',
    "a string": b'"input"',
    "a number": b"3",
    "null": b"null",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_body_that_cannot_be_kept_alike_everywhere_is_refused(api, body):
    path = f"/datasets/{api.dataset().id}/items"
    refused = api.refusal("POST", path, content=body, headers={"Content-Type": "application/json"})
    assert refused.said == (400, "INVALID_REQUEST")


@pytest.mark.parametrize(
    "value",
    [
        "",
        0,
        False,
        [],
        {},
        "emoji 🦉 and ﷽",
        {"": {"": ""}},
        [1, [2, [3]], None],
        1e308,
        5e-324,
        2**53 + 1,
        -1e300,
        0.1,
        "\u2028\u2029\u007f\ufffe",
        "' OR 1=1; --",
        {"$ref": "#/x", "__proto__": 1},
    ],
    ids=repr,
)
def test_any_json_value_comes_back_as_it_went_in(api, value):
    dataset = api.dataset([{"input": value, "expected_output": [value], "metadata": {"kept": value}}])
    (item,) = api.items(f"/datasets/{dataset.id}/items")
    assert (item["input"], item["expected_output"], item["metadata"]) == (value, [value], {"kept": value})


def test_a_hundred_levels_are_kept(api):
    dataset = api.dataset()
    made = expect(201, api.call("POST", f"/datasets/{dataset.id}/items", content=nested(100)))
    assert json.dumps(made["input"]) == "[" * 100 + "]" * 100


def test_ten_megabytes_in_one_string_are_kept(api):
    long = "0123456789abcdef" * (10 * MEGABYTE // 16)
    dataset = api.dataset([{"input": long}])
    (item,) = api.items(f"/datasets/{dataset.id}/items")
    assert item["input"] == long


def test_a_body_over_the_limit_is_too_large(api):
    body = b'{"input": "' + b"x" * (32 * MEGABYTE) + b'"}'
    refused = api.refusal("POST", f"/datasets/{api.dataset().id}/items", content=body)
    assert refused.said == (413, "PAYLOAD_TOO_LARGE")


def test_a_body_over_the_limit_is_too_large_also_when_it_does_not_say_its_length(api):
    chunks = (b" " * MEGABYTE for _ in range(33))
    refused = api.refusal("POST", f"/datasets/{api.dataset().id}/items", content=chunks)
    assert refused.said == (413, "PAYLOAD_TOO_LARGE")


@pytest.mark.parametrize("strange", ["%00", "%ED%A0%80", "%FF"], ids=["NUL", "surrogate", "no UTF-8"])
@pytest.mark.parametrize(
    "path",
    [
        "/datasets/{}",
        "/traces/{}",
        "/jobs/{}",
        "/scores?target_id={}&target_type=run",
        "/annotations?trace_id={}",
        "/traces?metadata.a={}",
        "/traces?metadata.{}=a",
        "/queue?annotator={}",
    ],
)
def test_strange_bytes_in_an_address_are_refused_or_not_found(api, path, strange):
    answer = api.get(path.format(strange))
    if answer.status_code != 200:
        assert Refusal.of(answer).said in [(400, "INVALID_REQUEST"), (404, "NOT_FOUND")]
    else:
        assert strange != "%00"
        assert answer.json()["items"] == []


# --- idempotency ---


def test_a_retry_returns_the_first_answer_and_does_nothing(api):
    body = {"project_id": api.project, "name": "d"}
    first = api.post("/datasets", body, idempotency_key="k1")
    second = api.post("/datasets", body, idempotency_key="k1")
    assert (first.status_code, first.json()) == (201, first.json()) == (second.status_code, second.json())
    assert api.ids("/datasets") == [first.json()["id"]]


def test_every_kind_of_post_may_be_retried(api):
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id, trials=5)
    run_id = api.run(experiment_id, dataset.item_ids[0], trial=1)
    trace_id = api.trace(span(input="q"))
    annotation = api.annotation(trace_id)
    calls = [
        ("/traces/ingest", {"spans": [span("b", trace_id, parent_span_id="root")]}),
        (f"/datasets/{dataset.id}/items", {"input": "q"}),
        (
            f"/experiments/{experiment_id}/runs",
            {"runs": [{"dataset_item_id": dataset.item_ids[0], "output": "x"}]},
        ),
        ("/scores", {"target_id": run_id, "target_type": "run", "scorer_name": "q", "value": 1}),
        (
            "/scores",
            {
                "target_id": run_id,
                "target_type": "run",
                "scorer_name": "contains",
                "config": {"expected_output": "a"},
            },
        ),
        ("/annotations", {"trace_id": trace_id, "annotator": "a new user", "label": "good"}),
        (f"/annotations/{annotation['id']}/to-dataset-item", {"dataset_id": dataset.id}),
        (f"/traces/{trace_id}/queue", None),
        (f"/experiments/{experiment_id}/threshold", {"scorer_name": "q", "metric": "mean", "threshold": 1}),
        (f"/experiments/{experiment_id}/complete", None),
    ]
    for number, (path, body) in enumerate(calls):
        first = api.post(path, body, idempotency_key=f"k{number}")
        assert first.status_code in (200, 201), (path, first.text)
        settled = api.stored()
        again = api.post(path, body, idempotency_key=f"k{number}")
        assert (again.status_code, again.json()) == (first.status_code, first.json()), path
        assert api.stored() == settled, path


def test_an_import_may_be_retried(api):
    path = f"/datasets/{api.dataset().id}/items/import"
    sent = {"content": b'{"input": 1}\n', "headers": {**NDJSON, "Idempotency-Key": "k"}}
    first, again = api.call("POST", path, **sent), api.call("POST", path, **sent)
    assert (again.status_code, again.json()) == (200, first.json())
    assert len(api.items(path.removesuffix("/import"))) == 1


def test_a_scoring_job_may_be_retried(api):
    run = api.answer("x", expected_output="x")
    path, body = f"/experiments/{run.experiment_id}/score", {"scorers": [{"scorer_name": "exact_match"}]}
    first, again = (api.post(path, body, idempotency_key="k") for _ in range(2))
    assert (first.status_code, again.json()) == (202, first.json())
    assert api.ids("/jobs") == [first.json()["job_id"]]


def test_the_same_key_with_another_body_is_refused(api):
    expect(201, api.post("/datasets", {"name": "one"}, idempotency_key="k"))
    refused = api.refusal("POST", "/datasets", {"name": "two"}, headers={"Idempotency-Key": "k"})
    assert refused.said == (422, "IDEMPOTENCY_MISMATCH")


def test_a_refused_call_is_not_remembered(api):
    refused = api.refusal("POST", "/datasets", {"name": ""}, headers={"Idempotency-Key": "k"})
    assert refused.said == (400, "INVALID_REQUEST")
    expect(201, api.post("/datasets", {"name": "d"}, idempotency_key="k"))


def test_the_same_key_on_another_path_is_another_key(api):
    dataset = api.dataset()
    other = api.dataset()
    for path in (f"/datasets/{dataset.id}/items", f"/datasets/{other.id}/items"):
        expect(201, api.post(path, {"input": "q"}, idempotency_key="k"))
    assert [len(api.items(f"/datasets/{made.id}/items")) for made in (dataset, other)] == [1, 1]


def test_the_same_key_from_another_caller_is_another_key(api, writer):
    for caller, dataset_name in ((api, "one"), (writer, "two")):
        expect(201, caller.post("/datasets", {"name": dataset_name}, idempotency_key="k"))
    assert len(api.ids("/datasets")) == 2


def test_without_a_key_every_post_counts(api):
    path = f"/datasets/{api.dataset().id}/items"
    first, second = (expect(201, api.post(path, {"input": "q"})) for _ in range(2))
    assert first["id"] != second["id"]


def test_a_key_does_not_outlive_the_right_to_use_it(api):
    made = api.make("/keys", {"role": "write"})
    leaver = Api(api.http, made["key"], api.project)
    expect(201, leaver.post("/datasets", {"name": "d"}, idempotency_key="k"))
    expect(200, api.delete(f"/keys/{made['id']}"))
    answer = leaver.post("/datasets", {"name": "d"}, idempotency_key="k")
    assert Refusal.of(answer).said == (401, "UNAUTHORIZED")
