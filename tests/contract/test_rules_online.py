"""Rules: new spans are scored as they come in, in a job, all that match or always the same sample of them."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.caller import Api, Refusal, expect, fresh_project, span
from contract.routes import ON_RULES, name
from gnomon.model.rule import SpanFilter, is_sampled, matcher
from gnomon.model.trace import SpanDraft

FIELDS = {
    "id", "project_id", "name", "filter", "scorer", "sampling_rate", "enabled", "created_at", "updated_at", "target",
}  # fmt: skip
SHOUTS = {"scorer_name": "shouts", "scorer": "regex", "config": {"pattern": "[A-Z]"}}


def rule(api: Api, **fields: Any) -> dict[str, Any]:
    body = {"project_id": api.project, "name": "a rule", "scorer": SHOUTS, **fields}
    made: dict[str, Any] = api.make("/rules", body)
    return made


def ingest(api: Api, *spans: dict[str, Any]) -> list[str]:
    """The jobs that a batch started."""
    jobs: list[str] = api.make("/traces/ingest", {"project_id": api.project, "spans": spans})["job_ids"]
    return jobs


def values(api: Api, *ids: str, trace_id: str = "trace-1") -> list[Any]:
    """The spans' scores by their first scorer; None where there is none."""
    found = [api.scores(id, "span", trace_id=trace_id) for id in ids]
    return [one[0]["value"] if one else None for one in found]


# --- the rule itself ---


def test_a_rule_is_made_shown_and_listed(api):
    made = rule(api, filter={"name": "llm", "metadata": {"tier": "gold"}}, sampling_rate=0.5)
    assert set(made) == FIELDS
    assert (made["sampling_rate"], made["enabled"], made["scorer"]) == (0.5, True, SHOUTS)
    assert (made["filter"]["name"], made["filter"]["metadata"]) == ("llm", {"tier": "gold"})
    assert api.read(f"/rules/{made['id']}") == made
    other = rule(api, name="another")
    assert api.ids("/rules") == [other["id"], made["id"]]


def test_a_rule_scores_everything_unless_said_otherwise(api):
    made = rule(api)
    assert (made["sampling_rate"], made["enabled"]) == (1, True)
    assert made["filter"] == {"name": None, "model": None, "has_error": None, "root_only": False, "metadata": None}


def test_two_rules_of_a_project_have_different_names(api):
    first = rule(api)
    assert Refusal.of(api.post("/rules", {"name": "a rule", "scorer": SHOUTS})).said == (409, "CONFLICT")
    other = rule(api, name="another")
    renamed = api.call("PATCH", f"/rules/{other['id']}", {"name": "a rule"})
    assert Refusal.of(renamed).said == (409, "CONFLICT")
    assert api.ids("/rules") == [other["id"], first["id"]]


def test_a_retried_rule_is_made_once(api):
    body = {"name": "a rule", "scorer": SHOUTS}
    first = api.post("/rules", body, idempotency_key="k")
    again = api.post("/rules", body, idempotency_key="k")
    assert expect(201, again) == expect(201, first)
    assert len(api.ids("/rules")) == 1


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"scorer": SHOUTS}, "INVALID_REQUEST", "name"),
        ({"name": "r"}, "INVALID_REQUEST", "scorer"),
        ({"name": "r", "scorer": SHOUTS, "sampling_rate": 1.5}, "INVALID_REQUEST", "sampling_rate"),
        ({"name": "r", "scorer": SHOUTS, "filter": {"colour": "x"}}, "INVALID_REQUEST", "filter.colour"),
        ({"name": "r", "scorer": SHOUTS, "filter": {"metadata": {"a": [1]}}}, "INVALID_REQUEST", "filter.metadata.a"),
        ({"name": "r", "scorer": {"scorer_name": "mine"}}, "INVALID_REQUEST", "scorer_name"),
        ({"name": "r", "scorer": {"scorer_name": "regex"}}, "INVALID_SCORER_CONFIG", "config.pattern"),
    ],
    ids=str,
)
def test_a_malformed_rule_is_refused_by_its_field(api, body, code, field):
    refused = Refusal.of(api.post("/rules", body))
    assert refused.said == (400, code)
    assert {error["field"] for error in refused.errors} == {field}
    assert api.ids("/rules") == []


def test_a_judge_that_nobody_can_ask_is_refused_with_the_remedy(api):
    config = {"model": "nobody/model", "prompt_template": "{{input}} {{output}}"}
    refused = Refusal.of(api.post("/rules", {"name": "r", "scorer": {"scorer_name": "llm_judge", "config": config}}))
    assert refused.said == (400, "INVALID_SCORER_CONFIG")
    assert "GNOMON_JUDGE_PROVIDERS" in refused.message


def test_a_rule_is_switched_off_renamed_and_sampled_otherwise(api):
    made = rule(api)
    changed = expect(200, api.call("PATCH", f"/rules/{made['id']}", {"enabled": False, "sampling_rate": 0.25}))
    assert (changed["enabled"], changed["sampling_rate"], changed["name"]) == (False, 0.25, "a rule")
    assert changed["updated_at"] >= made["updated_at"]
    renamed = expect(200, api.call("PATCH", f"/rules/{made['id']}", {"name": "another"}))
    assert api.read(f"/rules/{made['id']}") == renamed
    assert (renamed["name"], renamed["enabled"]) == ("another", False)


@pytest.mark.parametrize(
    "body", [{}, {"filter": {}}, {"scorer": SHOUTS}, {"enabled": 1}, {"sampling_rate": -1}], ids=str
)
def test_what_a_rule_is_about_does_not_change(api, body):
    made = rule(api)
    assert Refusal.of(api.call("PATCH", f"/rules/{made['id']}", body)).said == (400, "INVALID_REQUEST")
    assert api.read(f"/rules/{made['id']}") == made


def test_a_deleted_rule_is_gone_and_its_scores_stay(api):
    made = rule(api)
    (job,) = ingest(api, span("a", output="HI"))
    api.finished(job)
    assert expect(200, api.delete(f"/rules/{made['id']}")) == {"deleted": True, "id": made["id"]}
    assert Refusal.of(api.get(f"/rules/{made['id']}")).said == (404, "NOT_FOUND")
    assert values(api, "a") == [1.0]
    assert ingest(api, span("b", "trace-2", output="HI")) == []


def test_rules_of_another_project_are_not_listed(api, stranger):
    rule(stranger)
    assert api.ids("/rules") == []
    assert Refusal.of(api.get("/rules", project_id=stranger.project)).said == (404, "NOT_FOUND")
    foreign = {"project_id": stranger.project, "name": "r", "scorer": SHOUTS}
    assert Refusal.of(api.post("/rules", foreign)).said == (404, "NOT_FOUND")
    assert len(stranger.ids("/rules")) == 1


@pytest.mark.parametrize("route", ON_RULES, ids=name)
def test_another_projects_rule_is_not_found_like_one_that_does_not_exist(api, stranger, route):
    theirs = rule(stranger)
    foreign, missing = (api.call(**route.about({"rule": id})) for id in (theirs["id"], "nobody"))
    assert Refusal.of(foreign).said == Refusal.of(missing).said == (404, "NOT_FOUND")
    assert Refusal.of(foreign).message.replace(theirs["id"], "nobody") == Refusal.of(missing).message
    assert stranger.read(f"/rules/{theirs['id']}") == theirs


def test_an_unbound_key_names_the_project_of_a_rule(root):
    assert Refusal.of(root.post("/rules", {"name": "r", "scorer": SHOUTS})).said == (400, "PROJECT_REQUIRED")
    assert rule(root)["project_id"] == root.project


# --- spans come in ---


def test_a_new_span_is_scored_by_the_rule_and_says_by_which(api):
    made = rule(api)
    (job_id,) = ingest(api, span("a", output="HELLO"), span("b", parent_span_id="a", output="hello"))
    job = api.finished(job_id)
    assert (job["kind"], job["status"], job["scorer_name"]) == ("score_spans", "done", "shouts")
    assert (job["total"], job["counts"]) == (2, {"scored": 2})
    (score,) = api.scores("a", "span")
    assert (score["value"], score["source"], score["scorer"]) == (1.0, "builtin", "regex")
    assert score["metadata"] == {"rule_id": made["id"]}
    assert values(api, "a", "b") == [1.0, 0.0]


@pytest.mark.parametrize(
    ("only", "matched"),
    [
        ({}, "abcd"),
        ({"name": "llm"}, "bd"),
        ({"model": "m-1"}, "bc"),
        ({"has_error": True}, "c"),
        ({"has_error": False}, "abd"),
        ({"root_only": True}, "a"),
        ({"metadata": {"tier": "gold"}}, "ab"),
        ({"metadata": {"n": 1}}, "b"),
        ({"metadata": {"n": True}}, "c"),
        ({"metadata": {"n": None}}, "d"),
        ({"metadata": {"tier": "gold", "n": 1}}, "b"),
        ({"name": "llm", "model": "m-1"}, "b"),
        ({"name": "nobody"}, ""),
    ],
    ids=str,
)
def test_a_rule_scores_the_spans_that_its_filter_means(api, only, matched):
    rule(api, filter=only)
    jobs = ingest(
        api,
        span("a", output="X", metadata={"tier": "gold"}),
        span("b", output="X", parent_span_id="a", name="llm", model="m-1", metadata={"tier": "gold", "n": 1.0}),
        span("c", output="X", parent_span_id="a", model="m-1", metadata={"n": True}, error={"message": "no"}),
        span("d", output="X", parent_span_id="a", name="llm", model="m-2", metadata={"n": None}),
    )
    assert len(jobs) == bool(matched)
    assert [api.finished(job)["total"] for job in jobs] == [len(matched)] * len(jobs)
    assert values(api, *"abcd") == [1.0 if id in matched else None for id in "abcd"]


def test_every_rule_that_matches_has_a_job_of_its_own(api):
    rule(api, name="shouts")
    rule(api, name="asks", scorer={"scorer_name": "asks", "scorer": "contains", "config": {"expected_output": "?"}})
    rule(api, name="never", filter={"name": "nobody"})
    jobs = [api.finished(job) for job in ingest(api, span("a", output="WHAT?"))]
    assert sorted(job["scorer_name"] for job in jobs) == ["asks", "shouts"]
    assert {score["scorer_name"]: score["value"] for score in api.scores("a", "span")} == {"asks": 1.0, "shouts": 1.0}


def test_a_rule_that_is_off_scores_nothing(api):
    made = rule(api, enabled=False)
    assert ingest(api, span("a", output="HI")) == []
    expect(200, api.call("PATCH", f"/rules/{made['id']}", {"enabled": True}))
    (job,) = ingest(api, span("b", "trace-2", output="HI"))
    api.finished(job)
    assert (values(api, "a"), values(api, "b", trace_id="trace-2")) == ([None], [1.0])


def test_a_span_without_output_is_absent_with_its_reason(api):
    rule(api)
    (job,) = ingest(api, span("a"))
    assert api.finished(job)["counts"] == {"absent": 1}
    (state,) = api.items("/scoring-states", target_id="a")
    assert (state["state"], state["reason"], state["job_id"]) == ("absent", "no output", job)


def test_a_span_that_brings_this_score_itself_is_not_scored_again(api):
    rule(api)
    inline = [{"scorer_name": "shouts", "value": 0.5}]
    (job,) = ingest(api, span("a", output="HI", scores=inline))
    assert api.finished(job)["counts"] == {"skipped": 1}
    assert values(api, "a") == [0.5]


def test_a_refused_batch_starts_no_job(api):
    rule(api)
    spans = [span("a", output="HI"), span("a", output="HI")]
    assert Refusal.of(api.post("/traces/ingest", {"spans": spans})).said == (409, "DUPLICATE_SPAN")
    assert api.ids("/jobs") == []


def test_a_retried_batch_starts_its_jobs_once(api):
    rule(api)
    body = {"spans": [span("a", output="HI")]}
    first = expect(201, api.post("/traces/ingest", body, idempotency_key="k"))
    assert expect(201, api.post("/traces/ingest", body, idempotency_key="k")) == first
    assert api.ids("/jobs") == first["job_ids"]


def test_a_rule_of_another_project_does_not_see_our_spans(api, stranger):
    rule(stranger)
    assert ingest(api, span("a", output="HI")) == []


def test_a_batch_larger_than_a_piece_of_work_is_scored_whole(api):
    rule(api, filter={"name": "llm"})
    spans = [span("root")] + [
        span(f"s{n}", parent_span_id="root", name="llm", output="X" * (n % 2)) for n in range(999)
    ]
    (job,) = ingest(api, *spans)
    assert api.finished(job)["counts"] == {"scored": 999}
    assert values(api, "s0", "s1", "s997", "s998") == [0.0, 1.0, 1.0, 0.0]


# --- samples ---


def test_a_sample_is_scored_and_the_rest_says_why_not(api):
    made = rule(api, sampling_rate=0.3)
    ids = [f"s{n}" for n in range(60)]
    spans = [span("root")] + [span(id, parent_span_id="root", output="HI") for id in ids]
    (job_id,) = ingest(api, *spans)
    job = api.finished(job_id)
    drawn = [id for id in ids if is_sampled(made["id"], "trace-1", id, 0.3)]
    assert job["counts"]["scored"] + job["counts"].get("absent", 0) + job["counts"]["sampled_out"] == 61
    assert values(api, *ids) == [1.0 if id in drawn else None for id in ids]
    left_out = next(id for id in ids if id not in drawn)
    (state,) = api.items("/scoring-states", target_id=left_out)
    assert (state["state"], state["job_id"], state["scorer_name"]) == ("sampled_out", job_id, "shouts")
    assert state["reason"] == "the rule scores 0.3 of the spans that it matches"


@pytest.mark.parametrize(("rate", "state"), [(0, "sampled_out"), (1, "scored")])
def test_none_and_all_are_samples_too(api, rate, state):
    rule(api, sampling_rate=rate)
    (job,) = ingest(api, span("a", output="HI"))
    assert api.finished(job)["counts"] == {state: 1}
    assert [one["state"] for one in api.items("/scoring-states", target_id="a")] == [state]


def test_which_spans_are_in_a_sample_never_changes():
    """The same on every machine and in every version: these were drawn once and for all."""
    drawn = [n for n in range(60) if is_sampled("rule", "trace", f"span-{n}", 0.25)]
    assert drawn == [20, 21, 33, 36, 37, 40, 43, 45, 46, 48, 49, 55, 57]


@given(st.text(), st.text(min_size=1), st.text(min_size=1), st.floats(0, 1), st.floats(0, 1))
def test_a_larger_sample_holds_the_smaller_one(seed, trace_id, span_id, one, other):
    small, large = sorted((one, other))
    if is_sampled(seed, trace_id, span_id, small):
        assert is_sampled(seed, trace_id, span_id, large)


@given(st.text(), st.text(min_size=1), st.text(min_size=1))
def test_rate_1_keeps_everything_and_rate_0_nothing(seed, trace_id, span_id):
    assert is_sampled(seed, trace_id, span_id, 1.0)
    assert not is_sampled(seed, trace_id, span_id, 0.0)


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5, 0.9])
def test_a_sample_is_as_large_as_its_rate_says(rate):
    n = 20_000
    drawn = sum(is_sampled("rule", f"trace-{number // 7}", f"span-{number}", rate) for number in range(n))
    assert abs(drawn - n * rate) < 5 * math.sqrt(n * rate * (1 - rate))


def test_two_rules_draw_their_samples_apart():
    ids = [f"span-{n}" for n in range(1000)]
    first, second = ({id for id in ids if is_sampled(rule, "t", id, 0.5)} for rule in ("one", "other"))
    assert 180 < len(first & second) < 320


# --- filters ---

VALUES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(-3, 3), st.text(max_size=2))


@given(st.dictionaries(st.sampled_from("abc"), VALUES), st.dictionaries(st.sampled_from("abc"), VALUES))
def test_metadata_matches_when_json_would_call_it_equal(wanted, said):
    drafted = SpanDraft(id="s", trace_id="t", name="n", start_time="2026-02-21T22:00:00Z", metadata=said)  # type: ignore[arg-type]

    def kind(value: Any) -> tuple[str, Any]:
        return (
            "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__,
            value,
        )

    expected = all(key in said and kind(said[key]) == kind(value) for key, value in wanted.items())
    assert matcher(SpanFilter(metadata=wanted))(drafted) is expected


def test_a_filter_of_nothing_means_every_span():
    drafted = SpanDraft(id="s", trace_id="t", name="n", start_time="2026-02-21T22:00:00Z")  # type: ignore[arg-type]
    assert matcher(SpanFilter())(drafted)


def test_a_project_is_made_by_its_first_rule(root):
    project = fresh_project()
    root.make("/rules", {"project_id": project, "name": "r", "scorer": SHOUTS})
    assert root.read(f"/projects/{project}")["id"] == project
