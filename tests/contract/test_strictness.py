"""What is not known is never dropped in silence: fields of a body, query parameters, encodings.

Unknown fields of a body are ignored, as the contract says, and named in the answer; on request they are refused.
Unknown query parameters are always refused. Null for an optional field is as absent.
"""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import httpx2
import pytest

from contract.caller import LOOPBACK, Api, Made, Refusal, expect, span
from contract.document import Document
from contract.routes import NDJSON, NOBODY, ROUTES
from contract.test_outcomes import iteration
from gnomon.server.app import openapi

STRICT = {"Prefer": "handling=strict"}
EXACT = {"scorer_name": "exact_match"}


def send(api: Api, path: str, body: Any, method: str = "POST", **headers: str) -> Any:
    return api.call(method, path, body, headers={name.replace("_", "-"): text for name, text in headers.items()})


class Things:
    """One of everything that a body may be about."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.run: Made = api.answer("x", expected_output="x")
        self.trace = api.trace(span("root", "t", input="q", output="x"))
        self.annotation = api.annotation("t")["id"]
        self.rule = api.make("/rules", {"name": "first", "scorer": EXACT})["id"]
        self.open_experiment, self.failing = (api.experiment(self.run.dataset_id, trials=1000) for _ in range(2))
        self.synchronised = api.dataset().id
        expect(200, api.post(f"/runs/{self.run.id}/queue", {}))
        self._made = 0

    def bodies(self) -> dict[str, tuple[str, str, dict[str, Any]]]:
        """By draft: a call that is accepted. Each time other ones, so that it may be made again and again."""
        self._made += 1
        n, run, exact = self._made, self.run, dict(EXACT)
        item = {"dataset_item_id": run.item_ids[0], "output": "x", "trial": n}
        score = {"target_id": run.id, "target_type": "run", "scorer_name": "exact_match"}
        given = {"scorer_name": "given", "value": 1}
        failed = {**span(f"e{n}", f"e{n}"), "error": {"message": "late"}}
        return {
            "DatasetDraft": ("POST", "/datasets", {"name": f"d{n}"}),
            "ItemDraft": ("POST", f"/datasets/{run.dataset_id}/items", {"input": "q"}),
            "ItemsDraft": ("PUT", f"/datasets/{self.synchronised}/items", {"items": [{"input": n}]}),
            "ExperimentDraft": ("POST", "/experiments", {"name": "e", "dataset_id": run.dataset_id}),
            "RunsDraft": ("POST", f"/experiments/{self.open_experiment}/runs", {"runs": [{**item, "scores": [given]}]}),
            "RunError": (
                "POST", f"/experiments/{self.failing}/runs",
                {"runs": [{"dataset_item_id": run.item_ids[0], "trial": n, "error": {"message": "late"}}]},
            ),
            "ThresholdDraft": (
                "POST", f"/experiments/{run.experiment_id}/threshold",
                {"scorer_name": "exact_match", "metric": "mean", "threshold": 0.5},
            ),
            "CompleteDraft": ("POST", f"/experiments/{self.api.experiment(run.dataset_id)}/complete", {}),
            "StoppingDraft": (
                "POST", f"/experiments/{self.api.experiment(run.dataset_id)}/complete",
                {"stopping": {"scorer_name": "s", "kind": "gate", "text": "s >= 0.5", "outcome": "passed", "items": 1,
                              "max_items": 2}},
            ),
            "MetricsDraft": (
                "PUT", f"/experiments/{run.experiment_id}/metrics", {"metrics": {"bleu": {"value": 27.5}}}
            ),
            "HoldDraft": ("POST", f"/experiments/{run.experiment_id}/hold", {"holder": "a process", "seconds": 1}),
            "ScoreExperimentDraft": ("POST", f"/experiments/{run.experiment_id}/score", {"scorers": [exact]}),
            "IngestDraft": ("POST", "/traces/ingest", {"spans": [span(f"s{n}", f"t{n}")]}),
            "IngestDraft with scores": (
                "POST", "/traces/ingest", {"spans": [span(f"x{n}", f"x{n}", scores=[given])]}
            ),
            "SpanError": ("POST", "/traces/ingest", {"spans": [failed]}),
            "ScoreDraft": ("POST", "/scores", score),
            "ScoreBatchDraft": ("POST", "/scores/batch", {"scores": [score]}),
            "AnnotationDraft": ("POST", "/annotations", {"trace_id": "t", "annotator": "a new user", "label": "good"}),
            "ToItemDraft": (
                "POST", f"/annotations/{self.annotation}/to-dataset-item", {"dataset_id": run.dataset_id}
            ),
            "AnnotationChange": ("PUT", f"/annotations/{self.annotation}", {"label": "good"}),
            "QueueDraft": ("POST", "/queue", {"targets": [{"target_type": "run", "target_id": run.id}]}),
            "QueueReasonDraft": ("POST", f"/runs/{run.id}/queue", {"reason": "look"}),
            "ClaimDraft": ("POST", f"/queue/run/{run.id}/claim", {"annotator": "a new user"}),
            "NextClaimDraft": ("POST", "/queue/next", {"annotator": "a new user"}),
            "ReviewLinkDraft": ("POST", "/review-links", {"name": "a new user"}),
            "ReviewSettingsDraft": ("PUT", f"/projects/{self.api.project}/review-settings", {"reviews_wanted": 1}),
            "ShareDraft": (
                "POST", "/shares", {"path": f"/projects/{self.api.project}/experiments/{run.experiment_id}"}
            ),
            "MetadataKeysDraft": ("PUT", f"/projects/{self.api.project}/metadata-keys", {"keys": ["tier"]}),
            "TextSearchDraft": ("PUT", f"/projects/{self.api.project}/text-search", {"enabled": True}),
            "RuleDraft": ("POST", "/rules", {"name": f"r{n}", "scorer": exact, "filter": {"name": "nothing"}}),
            "RuleChange": ("PATCH", f"/rules/{self.rule}", {"enabled": False}),
            "ScoreSpansDraft": ("POST", "/traces/score", {"scorers": [exact], "filter": {"name": "nothing"}}),
            "RetentionDraft": ("PUT", f"/projects/{self.api.project}/retention", {"retention_days": 30}),
            "BudgetDraft": ("PUT", f"/projects/{self.api.project}/budget", {"usd_per_day": 1}),
            "PricesDraft": (
                "PUT", f"/projects/{self.api.project}/prices",
                {"prices": [{"model": "openai/m", "input_usd_per_million": 1, "output_usd_per_million": 2}]},
            ),
            "PlaygroundDraft": (
                "POST", "/playground/preview",
                {"dataset_id": run.dataset_id, "candidates": [
                    {"messages": [{"role": "user", "content": "{{input}}"}], "model": "openai/m"}]},
            ),
            "KeyDraft": ("POST", "/keys", {"role": "read"}),
            "IterationBatchDraft": ("POST", "/iterations", {"source": f"repo{n}", "iterations": [iteration(1)]}),
        }  # fmt: skip


@pytest.fixture
def things(api: Api) -> Things:
    return Things(api)


NOT_BODIES = {
    "RunError": "RunsDraft",
    "StoppingDraft": "CompleteDraft",
    "SpanError": "IngestDraft",
    "IngestDraft with scores": "IngestDraft",
}
"""Calls that are there for what lies inside of these bodies."""


def bodies_of(document: dict[str, Any]) -> dict[str, Any]:
    """The schemas of all JSON bodies by name."""
    return {
        content["schema"]["title"]: content["schema"]
        for operations in document["paths"].values()
        for operation in operations.values()
        for media, content in operation.get("requestBody", {}).get("content", {}).items()
        if media == "application/json" and "title" in content["schema"]  # OTLP is OpenTelemetry's to describe
    }


def test_every_operation_with_a_body_is_tried_here(things):
    """The calls below are all calls of the document that take a JSON body."""
    others = {"ProjectDraft", "SessionDraft", "ProbeDraft"}  # of no use to a bound key, or to a project without judges
    assert bodies_of(openapi()).keys() - things.bodies().keys() == others, "see below"


def test_a_probe_of_a_strict_caller_has_known_fields_only(api):
    refused = api.refusal("POST", "/judges/tone/probe", {"sample": 5}, headers=STRICT)
    assert [(error["field"], error["message"]) for error in refused.errors] == [
        ("sample", "is not a field here; did you mean 'samples'?")
    ]


# --- unknown fields of a body ---


def test_an_unknown_field_is_ignored_and_named_on_every_call_with_a_body(things):
    for draft, (method, path, body) in things.bodies().items():
        answer = things.api.call(method, path, {**body, "surprise": 1})
        assert answer.status_code < 300, (draft, answer.text)
        assert answer.headers["gnomon-ignored"] == "surprise", draft
        assert "preference-applied" not in answer.headers


def test_an_answer_to_a_body_without_unknown_fields_names_none(things):
    for draft, (method, path, body) in things.bodies().items():
        answer = things.api.call(method, path, body)
        assert answer.status_code < 300, (draft, answer.text)
        assert "gnomon-ignored" not in answer.headers, draft


def test_a_strict_caller_is_refused_and_nothing_is_stored(things):
    api = things.api
    for draft, (method, path, body) in things.bodies().items():
        before = api.stored()
        answer = api.call(method, path, {**body, "surprise": 1}, headers=STRICT)
        refused = Refusal.of(answer)
        assert refused.said == (400, "INVALID_REQUEST"), draft
        assert [error["field"] for error in refused.errors] == ["surprise"], draft
        assert answer.headers["preference-applied"] == "handling=strict"
        assert "gnomon-ignored" not in answer.headers
        assert api.stored() == before, draft


def test_a_strict_caller_without_unknown_fields_is_served(things):
    for draft, (method, path, body) in things.bodies().items():
        answer = things.api.call(method, path, body, headers=STRICT)
        assert answer.status_code < 300, (draft, answer.text)
        assert answer.headers["preference-applied"] == "handling=strict", draft


def test_a_project_of_a_strict_caller_has_known_fields_only(root):
    refused = Refusal.of(root.post("/projects", {"id": root.project, "title": "x"}, prefer="handling=strict"))
    assert [error["field"] for error in refused.errors] == ["title"]
    assert root.project not in root.ids("/projects")
    made = root.post("/projects", {"id": root.project, "title": "x"})
    assert made.headers["gnomon-ignored"] == "title"


def test_a_login_of_a_strict_caller_has_known_fields_only(server, api):
    with httpx2.Client(base_url=server.url, timeout=600, **LOOPBACK) as http:  # a cookie is for this test only
        sent = {"key": api.key, "name": "x"}
        refused = Refusal.of(http.post("/v1/session", json=sent, headers=STRICT))
        assert [error["field"] for error in refused.errors] == ["name"]
        assert http.post("/v1/session", json=sent).headers["gnomon-ignored"] == "name"


@pytest.mark.parametrize(
    ("draft", "change", "path", "index", "field"),
    [
        ("RunsDraft", lambda body: body["runs"][0].update(outputs=1), "runs.0.outputs", 0, "outputs"),
        ("RunsDraft", lambda body: body["runs"][0]["scores"][0].update(remark=1), "runs.0.scores.0.remark", 0,
         "scores[0].remark"),
        ("RunError", lambda body: body["runs"][0]["error"].update(stack="s"), "runs.0.error.stack", 0, "error.stack"),
        ("IngestDraft", lambda body: body["spans"][0].update(colour=1), "spans.0.colour", 0, "colour"),
        ("IngestDraft with scores", lambda body: body["spans"][0]["scores"][0].update(remark=1),
         "spans.0.scores.0.remark", 0, "scores[0].remark"),
        ("SpanError", lambda body: body["spans"][0]["error"].update(code=1), "spans.0.error.code", 0, "error.code"),
        ("RuleDraft", lambda body: body["scorer"].update(weight=1), "scorer.weight", None, "scorer.weight"),
        ("IterationBatchDraft", lambda body: body["iterations"][0]["breakdown"][0].update(weight=1),
         "iterations.0.breakdown.0.weight", 0, "breakdown[0].weight"),
        ("IterationBatchDraft",
         lambda body: body["iterations"][0].update(objectives={"a.b": {"present": True, "x": 1}}),
         "iterations.0.objectives.a%2Eb.x", 0, "objectives.a.b.x"),
    ],
)  # fmt: skip
def test_a_nested_field_is_named_by_its_path(things, draft, change, path, index, field):
    method, address, body = things.bodies()[draft]
    change(body)
    strict = Refusal.of(things.api.call(method, address, body, headers=STRICT))
    assert [(error.get("index"), error["field"]) for error in strict.errors] == [(index, field)]
    answer = things.api.call(method, address, body)
    assert (answer.status_code < 300, answer.headers["gnomon-ignored"]) == (True, path), answer.text


def test_a_span_with_an_unknown_field_has_the_code_of_other_bad_spans(api):
    refused = api.refusal("POST", "/traces/ingest", {"spans": [span(), span("b", colour=1)]}, headers=STRICT)
    assert refused.said == (400, "INVALID_SPAN")
    assert [(error["index"], error["field"]) for error in refused.errors] == [(1, "colour")]


def test_a_strict_caller_hears_of_malformed_and_of_unknown_fields_together(api):
    sent = {"name": 5, "dataset_id": "d", "trails": 3}
    refused = api.refusal("POST", "/experiments", sent, headers=STRICT)
    assert {error["field"] for error in refused.errors} == {"name", "trails"}
    spans = {"spans": [span(), span("b", start_time="never"), span("c", colour=1)]}
    refused = api.refusal("POST", "/traces/ingest", spans, headers=STRICT)
    assert [(error["index"], error["field"]) for error in refused.errors] == [(1, "start_time"), (2, "colour")]


def test_the_nearest_known_field_is_named(api):
    refused = api.refusal(
        "POST", f"/datasets/{api.dataset().id}/items", {"input": "q", "expected": "a"}, headers=STRICT
    )
    assert refused.errors[0]["message"] == "is not a field here; did you mean 'expected_output'?"
    refused = api.refusal("POST", "/datasets", {"name": "d", "zzz": 1}, headers=STRICT)
    assert refused.errors[0]["message"] == "is not a field here; known are description, name, project_id"


def test_at_most_twenty_paths_are_named_and_the_rest_counted(api):
    spans = [span(f"s{n}", "t", parent_span_id=None if n == 0 else "s0", colour=n) for n in range(25)]
    answer = api.post("/traces/ingest", {"spans": spans, "more": 1})
    paths = answer.headers["gnomon-ignored"].split(", ")
    assert (len(paths), paths[-1]) == (21, "+6")
    assert paths[0] == "spans.0.colour"
    refused = Refusal.of(
        api.post("/datasets", {"name": "d", **{f"x{n}": n for n in range(30)}}, prefer="handling=strict")
    )
    assert len(refused.errors) == 20


def test_a_path_is_percent_encoded_and_never_long(api):
    for name in ("naïve, or\r\nSet-Cookie: a=b", "a.b", "é" * 1000, "x" * 100_000, "", "%41"):
        answer = api.post("/datasets", {"name": f"d{len(name)}{name[:2]}", name: 1})
        expect(201, answer)
        named = answer.headers["gnomon-ignored"]
        assert named.isascii()
        assert len(named) < 220
        assert "set-cookie" not in answer.headers
        assert unquote(named).rstrip("…")[:60] == name[: len(unquote(named).rstrip("…"))][:60]


def test_a_replayed_answer_names_the_ignored_fields_too(api):
    first, again = (api.post("/datasets", {"name": "d", "x": 1}, idempotency_key="k") for _ in range(2))
    assert again.headers["idempotency-replayed"] == "true"
    assert first.headers["gnomon-ignored"] == again.headers["gnomon-ignored"] == "x"


@pytest.mark.parametrize(
    "prefer",
    [["handling=strict"], ["Handling=STRICT"], ['handling="strict"'], ["respond-async, handling=strict; why=x"],
     ["return=minimal", "handling = strict"], ['foo="a, handling=lenient"; bar, handling=strict'],
     ["handling=strict, handling=lenient"]],
)  # fmt: skip
def test_a_preference_is_read_as_rfc_7240_writes_it(api, prefer):
    headers = [("Authorization", f"Bearer {api.key}"), *(("Prefer", line) for line in prefer)]
    answer = api.http.post("/v1/datasets", json={"name": "d", "x": 1}, headers=headers)
    assert Refusal.of(answer).said == (400, "INVALID_REQUEST")


@pytest.mark.parametrize(
    "prefer", ["handling=lenient", "handling", 'foo="handling=strict"', "strict", "handling=lenient, handling=strict",
               "xhandling=strict", 'a="', "respond-async; handling=strict", "", '"' * 3000]
)  # fmt: skip
def test_other_preferences_do_not_make_it_strict(api, prefer):
    answer = api.post("/datasets", {"name": "d", "x": 1}, prefer=prefer)
    expect(201, answer)
    assert "preference-applied" not in answer.headers


def test_a_filter_with_an_unknown_key_is_always_refused(api):
    """Without the key it would match other spans than were meant."""
    rule = {"name": "r", "scorer": EXACT, "filter": {"nme": "x"}}
    for headers in ({}, STRICT):
        refused = api.refusal("POST", "/rules", rule, headers=headers)
        assert [error["field"] for error in refused.errors] == ["filter.nme"]


def test_a_key_of_a_configuration_beside_it_is_refused_whatever_is_preferred(api):
    run = api.answer("x", expected_output="x")
    for headers in ({}, STRICT):
        refused = Refusal.of(
            api.call("POST", "/scores", {"target_id": run.id, "target_type": "run", "scorer_name": "regex",
                                         "pattern": "x"}, headers=headers)
        )  # fmt: skip
        assert refused.said == (400, "INVALID_REQUEST")
        assert "belongs in `config`" in refused.message


# --- lines ---


def lines(*items: Any) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in items)


def test_an_import_names_unknown_fields_by_line(api):
    path = f"/datasets/{api.dataset().id}/items/import"
    content = lines({"input": 1}, {"input": 2, "expected": 1}, {"no": "input"}, {"input": 4, "a": 1, "b": 2})
    answer = api.call("POST", path, content=content, headers=NDJSON)
    assert expect(200, answer)["imported_count"] == 3
    assert answer.headers["gnomon-ignored"] == "lines.2.expected, lines.4.a, lines.4.b"


def test_a_strict_import_with_unknown_fields_stores_nothing(api):
    path = f"/datasets/{api.dataset().id}/items/import"
    content = lines({"input": 1}, {"input": 2, "expected": 1})
    refused = api.refusal("POST", path, content=content, headers={**NDJSON, **STRICT})
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == ["lines[2].expected"]
    assert "did you mean 'expected_output'?" in refused.errors[0]["message"]
    answer = api.call("POST", path, content=lines({"input": 1}), headers={**NDJSON, **STRICT})
    assert (expect(200, answer)["imported_count"], answer.headers["preference-applied"]) == (1, "handling=strict")


def test_an_import_takes_null_as_absent(api):
    dataset = api.dataset().id
    content = lines({"input": 1, "expected_output": None, "metadata": None}, {"input": None})
    answer = api.call("POST", f"/datasets/{dataset}/items/import", content=content, headers=NDJSON)
    assert (expect(200, answer)["imported_count"], answer.json()["skipped_count"]) == (1, 1)


# --- query parameters ---


def test_an_unknown_query_parameter_is_refused_with_the_nearest_known_one(api):
    refused = Refusal.of(api.get("/datasets", limits=5))
    assert refused.said == (400, "INVALID_REQUEST")
    assert refused.message == "query parameter 'limits' is not known here; did you mean 'limit'?"
    assert [error["field"] for error in refused.errors] == ["limits"]
    refused = Refusal.of(api.get("/datasets/x", zzz=1, version=2))
    assert [error["field"] for error in refused.errors] == ["zzz", "version"]
    assert refused.message == "query parameter 'zzz' is not known here; known are none (and 1 more)"


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_every_call_refuses_an_unknown_query_parameter_and_knows_its_own(api, database):
    document = openapi()
    known = Document.of(document)
    for route in ROUTES:
        about = route.about(NOBODY)
        if route.path == "/projects" and route.method == "POST":
            continue  # a bound key may not, whatever it asks
        address = about["path"] + ("&" if "?" in about["path"] else "?") + "unknown_thing=1"
        refused = Refusal.of(api.call(about["method"], address, about["body"], headers=about["headers"]))
        assert refused.said == (400, "INVALID_REQUEST"), address
        assert "'unknown_thing' is not known here" in refused.message
        operation = known.operation(about["method"], "/v1" + about["path"].partition("?")[0])
        assert operation is not None
        declared = document["paths"][operation.path][route.method.lower()].get("parameters", [])
        for parameter in (one["name"] for one in declared if one["in"] == "query"):
            asked = f"{address.partition('?')[0]}?{parameter}=x"
            answer = api.call(about["method"], asked, about["body"], headers=about["headers"])
            assert "is not known here" not in answer.text, (address, parameter)


def test_free_filters_stay_known_where_they_are_and_only_there(api):
    api.trace(span("a", "t", metadata={"limits": "x"}))
    assert [row["id"] for row in api.items("/traces", **{"metadata.limits": "x"})] == ["t"]
    assert Refusal.of(api.get("/traces", **{"meta.limits": "x"})).said == (400, "INVALID_REQUEST")
    assert Refusal.of(api.get("/datasets", **{"metadata.limits": "x"})).said == (400, "INVALID_REQUEST")


def test_an_unknown_query_parameter_comes_after_all_that_goes_before_a_400(api, reader, server):
    assert server.http.get("/v1/datasets?x=1").status_code == 401
    large = b" " * 33_000_000
    assert Refusal.of(api.call("POST", "/datasets?x=1", content=large)).said == (413, "PAYLOAD_TOO_LARGE")
    assert Refusal.of(api.get("/nowhere?x=1")).said == (404, "NOT_FOUND")
    assert Refusal.of(api.call("PUT", "/datasets?x=1")).said == (405, "METHOD_NOT_ALLOWED")
    assert Refusal.of(reader.post("/datasets?x=1", {})).said == (403, "FORBIDDEN")
    assert Refusal.of(api.post("/projects?x=1", {"id": "p"})).said == (403, "FORBIDDEN")
    assert Refusal.of(api.get("/datasets/nobody?x=1")).said == (400, "INVALID_REQUEST")


def test_a_query_parameter_that_is_given_twice_counts_once_as_before(api):
    for n in range(3):
        api.dataset(name=f"d{n}")
    assert api.read("/datasets?limit=1&limit=2")["limit"] == 2


def test_pages_beside_the_api_take_any_query(server):
    assert server.http.get("/healthz?probe=1").status_code == 200


# --- null ---


KEPT_AS_A_VALUE = {"input", "output", "expected_output", "correction", "value"}


Schema = dict[str, Any]


def nullable(schemas: Schema, schema: Schema, value: Any) -> Iterator[tuple[list[Any], bool]]:
    """By the document: the place of every field of a body, nested ones too, and whether it is required."""
    for name, field in schema["properties"].items():
        yield [name], name in schema.get("required", ())
        for key, inside, entry in nested(field, value.get(name)):
            for place, required in nullable(schemas, schemas[inside.rpartition("/")[2]], entry):
                yield [name, *key, *place], required


def nested(field: Schema, value: Any) -> Iterator[tuple[list[Any], str, Any]]:
    """The objects in a value: where they are, and what they are in the document."""
    for option in field.get("anyOf", [field]):
        if "$ref" in option and isinstance(value, dict):
            yield [], option["$ref"], value
        elif "$ref" in option.get("items", {}) and isinstance(value, list):
            yield from (([at], option["items"]["$ref"], entry) for at, entry in enumerate(value))
        elif isinstance(option.get("additionalProperties"), dict) and isinstance(value, dict):
            yield from (
                ([key], option["additionalProperties"]["$ref"], entry)
                for key, entry in value.items()
                if "$ref" in option["additionalProperties"]
            )


def with_null(body: Schema, place: list[Any]) -> Schema:
    changed, last = _opened(body, place)
    last[place[-1]] = None
    return changed


def without(body: Schema, place: list[Any]) -> Schema:
    changed, last = _opened(body, place)
    last.pop(place[-1], None)
    return changed


def _opened(body: Schema, place: list[Any]) -> tuple[Schema, Any]:
    """A copy of the body, and the object in it that holds the field."""
    changed = json.loads(json.dumps(body))
    holder = changed
    for part in place[:-1]:
        holder = holder[part]
    return changed, holder


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # drafts are read before there is a database
def test_null_for_an_optional_field_is_as_absent_and_for_a_required_one_as_missing(things):
    """Absent optional = null: every field of every draft, nested ones too, over HTTP."""
    api, tried, document = things.api, 0, openapi()
    schemas = {**document["components"]["schemas"], **bodies_of(document)}
    for draft, (_, _, example) in things.bodies().items():
        for place, required in list(nullable(schemas, schemas[NOT_BODIES.get(draft, draft)], example)):
            method, path, body = things.bodies()[draft]
            answer = api.call(method, path, with_null(body, place))
            tried += 1
            if required:
                refused = Refusal.of(answer)
                assert refused.said[0] == 400, (draft, place)
                if place[-1] not in KEPT_AS_A_VALUE:
                    assert refused.errors[0]["message"] == "is required", (draft, place, answer.text)
            elif answer.status_code >= 300:
                method, path, body = things.bodies()[draft]
                absent = Refusal.of(api.call(method, path, without(body, place)))
                assert Refusal.of(answer).said == absent.said, (draft, place)
    assert tried > 120


def test_a_null_says_the_default(api):
    dataset = api.questions(1)
    body = {"name": "e", "dataset_id": dataset.id, "trials": None, "auto_complete": None}
    made = api.make("/experiments", body)
    assert (made["trials"], made["auto_complete"]) == (1, False)
    run = {"dataset_item_id": dataset.item_ids[0], "output": "x", "trial": None, "error": None, "scores": None}
    api.make(f"/experiments/{made['id']}/runs", {"runs": [run]})
    assert [run["trial"] for run in api.items(f"/experiments/{made['id']}/runs")] == [0]
    rule = api.make("/rules", {"name": "r", "scorer": EXACT, "filter": None, "sampling_rate": None, "enabled": None})
    assert (rule["filter"]["name"], rule["sampling_rate"], rule["enabled"]) == (None, 1.0, True)


def test_a_null_that_is_a_value_is_kept(api):
    """Input, output and expected output are any JSON value, so their null is one."""
    dataset = api.dataset([{"input": [None], "expected_output": None}])
    (item,) = api.items(f"/datasets/{dataset.id}/items")
    assert (item["input"], item["expected_output"]) == ([None], None)
    assert Refusal.of(api.post(f"/datasets/{dataset.id}/items", {"input": None})).said == (400, "INVALID_REQUEST")
    api.trace(span("a", "t", input=None, output=None, metadata={"k": None}))
    (kept,) = api.read("/traces/t")["spans"]
    assert (kept["input"], kept["output"], kept["metadata"]) == (None, None, {"k": None})


def test_null_in_a_change_changes_nothing_and_in_a_budget_removes_the_limit(api):
    rule = api.make("/rules", {"name": "r", "scorer": EXACT, "sampling_rate": 0.5})
    changed = expect(
        200, api.call("PATCH", f"/rules/{rule['id']}", {"enabled": False, "sampling_rate": None, "filter": None})
    )
    assert (changed["enabled"], changed["sampling_rate"]) == (False, 0.5)
    path = f"/projects/{api.project}/budget"
    expect(200, api.call("PUT", path, {"usd_per_day": 1, "tokens_per_day": 5}))
    kept = expect(200, api.call("PUT", path, {"usd_per_day": None, "tokens_per_day": 5}))
    assert (kept["usd_per_day"], kept["tokens_per_day"]) == (None, 5)


# --- idempotency ---


def test_the_same_key_with_another_query_is_refused(api):
    run = api.answer("x", expected_output="x")
    path, body = f"/experiments/{run.experiment_id}/score", {"scorers": [EXACT]}
    expect(202, api.post(f"{path}?dry_run=false", body, idempotency_key="k"))
    refused = Refusal.of(api.post(path, body, idempotency_key="k"))
    assert refused.said == (422, "IDEMPOTENCY_MISMATCH")
    again = expect(202, api.post(f"{path}?dry_run=false", body, idempotency_key="k"))
    assert api.ids("/jobs") == [again["job_id"]]


def test_a_key_is_of_one_method(api):
    """Only POST remembers answers; the same key on another method of the same path does not meet them."""
    path = f"/projects/{api.project}/budget"
    for limit in (1, 2):
        answer = api.call("PUT", path, {"usd_per_day": limit}, headers={"Idempotency-Key": "k"})
        assert expect(200, answer)["usd_per_day"] == limit
    api.trace(span("a", "t"))
    expect(200, api.post("/traces/t/queue", idempotency_key="k"))
    expect(200, api.call("DELETE", "/traces/t/queue", headers={"Idempotency-Key": "k"}))
    assert api.items("/queue") == []


# --- the document ---


def test_the_document_says_what_holds_for_bodies():
    """Unknown fields are accepted, optional fields may be null, and the two headers are described."""
    document = openapi()
    schemas = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for operation in operations.values():
            if "requestBody" not in operation:
                continue
            assert "Prefer" in {parameter["name"] for parameter in operation["parameters"]}, path
            for status, answer in operation["responses"].items():
                assert ("Gnomon-Ignored" in answer.get("headers", {})) is (int(status) < 300), path
    closed = {name for name, schema in schemas.items() if schema.get("additionalProperties") is False}
    assert closed == {"CandidateDraft", "PastSpanFilter", "SpanFilter"}
    assert {"type": "null"} in schemas["RunDraft"]["properties"]["trial"]["anyOf"]
