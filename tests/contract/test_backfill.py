"""Spans that are there already are scored by a job: those that a filter means, once each, with progress."""

import pytest

from contract.caller import Refusal, expect, span
from gnomon.model.rule import is_sampled

SHOUTS = {"scorer_name": "shouts", "scorer": "regex", "config": {"pattern": "[A-Z]"}}
ASKS = {"scorer_name": "asks", "scorer": "contains", "config": {"expected_output": "?"}}


def score(api, **body):
    """Start a scoring of past spans and wait for it."""
    asked = {"project_id": api.project, "scorers": [SHOUTS], **body}
    return api.finished(expect(202, api.post("/traces/score", asked))["job_id"])


def preview(api, **body):
    return expect(200, api.post("/traces/score?dry_run=1", {"project_id": api.project, "scorers": [SHOUTS], **body}))


def fill(api, count, trace_id="trace-1", **fields):
    """A trace of so many spans: s0, s1, … of which every second one shouts."""
    spans = [
        span(f"s{n}", trace_id, parent_span_id="s0" if n else None, output="HI" if n % 2 else "hi", **fields)
        for n in range(count)
    ]
    expect(201, api.post("/traces/ingest", {"project_id": api.project, "spans": spans}))


def scored(api, count, trace_id="trace-1"):
    return {f"s{n}" for n in range(count) if api.scores(f"s{n}", "span", trace_id=trace_id)}


def test_past_spans_are_scored_by_every_scorer(api):
    fill(api, 3)
    fill(api, 2, "trace-2")
    job = score(api, scorers=[SHOUTS, ASKS])
    assert (job["kind"], job["status"], job["total"], job["counts"]) == ("score_spans", "done", 10, {"scored": 10})
    assert [one["value"] for n in range(3) for one in api.scores(f"s{n}", "span", trace_id="trace-1")] == [
        0, 0, 0, 1, 0, 0,
    ]  # fmt: skip
    assert scored(api, 2, "trace-2") == {"s0", "s1"}


def test_what_has_a_score_of_that_name_is_skipped_unless_asked_for(api):
    fill(api, 3)
    expect(201, api.score("s1", "shouts", "span", value=0.5))
    assert score(api)["counts"] == {"scored": 2, "skipped": 1}
    assert score(api)["counts"] == {"skipped": 3}
    assert score(api, only_missing=False)["counts"] == {"scored": 3}
    assert [one["value"] for one in api.scores("s1", "span")] == [1.0, 0.5]


@pytest.mark.parametrize(
    ("only", "meant"),
    [
        ({"name": "llm"}, ["s1", "s2"]),
        ({"root_only": True}, ["s0"]),
        ({"has_error": True}, ["s3"]),
        ({"model": "m"}, ["s2", "s3"]),
        ({"metadata": {"tier": 1}}, ["s1"]),
        ({"since": "2026-02-21T22:00:02Z"}, ["s2", "s3"]),
        ({"until": "2026-02-21T22:00:02Z"}, ["s0", "s1"]),
        ({"since": "2026-02-21T22:00:01Z", "until": "2026-02-21T22:00:03Z", "name": "llm"}, ["s1", "s2"]),
        ({"name": "nobody"}, []),
    ],
    ids=str,
)
def test_a_filter_says_which_spans_and_the_rest_is_accounted_for(api, only, meant):
    fields = [
        {"name": "agent"},
        {"name": "llm", "metadata": {"tier": 1}},
        {"name": "llm", "model": "m", "metadata": {"tier": "1"}},
        {"name": "tool", "model": "m", "error": {"message": "no"}},
    ]
    spans = [
        span(
            f"s{n}",
            parent_span_id="s0" if n else None,
            output="HI",
            **{"start_time": f"2026-02-21T22:00:0{n}.000Z", **more},
        )
        for n, more in enumerate(fields)
    ]
    expect(201, api.post("/traces/ingest", {"spans": spans}))
    assert preview(api, filter=only)["targets"] == len(meant)
    counts = score(api, filter=only)["counts"]
    assert counts == {name: n for name, n in [("scored", len(meant)), ("filtered_out", 4 - len(meant))] if n}
    assert scored(api, 4) == set(meant)


def test_a_sample_is_the_same_for_every_scorer_and_as_previewed(api):
    fill(api, 40)
    drawn = {f"s{n}" for n in range(40) if is_sampled("", "trace-1", f"s{n}", 0.4)}
    assert preview(api, sampling_rate=0.4)["targets"] == len(drawn)
    assert score(api, sampling_rate=0.4)["counts"] == {"scored": len(drawn), "sampled_out": 40 - len(drawn)}
    assert scored(api, 40) == drawn
    score(api, scorers=[ASKS], sampling_rate=0.4)
    assert {f"s{n}" for n in range(40) if len(api.scores(f"s{n}", "span")) == 2} == drawn


def test_a_span_that_was_sampled_out_by_a_rule_is_scored_when_asked_for(api):
    api.make("/rules", {"name": "none", "scorer": SHOUTS, "sampling_rate": 0})
    fill(api, 1)
    (job_id,) = api.ids("/jobs")
    api.finished(job_id)
    assert [one["state"] for one in api.items("/scoring-states", target_id="s0")] == ["sampled_out"]
    assert score(api)["counts"] == {"scored": 1}
    assert [one["state"] for one in api.items("/scoring-states", target_id="s0")] == ["scored"]


def test_more_spans_than_one_piece_of_work_are_all_scored_once(api):
    for number in range(3):
        fill(api, 700, f"trace-{number}")
    job = score(api, filter={"metadata": None})
    assert (job["total"], job["counts"]) == (2100, {"scored": 2100})
    assert score(api)["counts"] == {"skipped": 2100}


def test_spans_with_equal_ids_in_two_traces_are_told_apart(api):
    fill(api, 2, "trace-1", name="first")
    fill(api, 2, "trace-2", name="second")
    assert score(api, filter={"name": "second"})["counts"] == {"scored": 2, "filtered_out": 2}
    assert (scored(api, 2, "trace-1"), scored(api, 2, "trace-2")) == (set(), {"s0", "s1"})


def test_another_projects_spans_are_not_scored(api, stranger):
    fill(stranger, 2)
    assert score(api)["counts"] == {}
    assert scored(stranger, 2) == set()
    foreign = {"project_id": stranger.project, "scorers": [SHOUTS]}
    for path in ("/traces/score", "/traces/score?dry_run=1"):
        assert Refusal.of(api.post(path, foreign)).said == (404, "NOT_FOUND")


def test_a_retried_scoring_is_started_once(api):
    fill(api, 1)
    body = {"scorers": [SHOUTS]}
    first = expect(202, api.post("/traces/score", body, idempotency_key="k"))
    assert expect(202, api.post("/traces/score", body, idempotency_key="k")) == first
    assert api.ids("/jobs") == [first["job_id"]]


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "INVALID_REQUEST", "scorers"),
        ({"scorers": []}, "INVALID_REQUEST", "scorers"),
        ({"scorers": [{"scorer_name": "regex"}]}, "INVALID_SCORER_CONFIG", "config.pattern"),
        ({"scorers": [SHOUTS], "filter": {"colour": "x"}}, "INVALID_REQUEST", "filter.colour"),
        ({"scorers": [SHOUTS], "filter": {"since": "yesterday"}}, "INVALID_REQUEST", "filter.since"),
        (
            {"scorers": [SHOUTS], "filter": {"since": "2026-02-22T00:00:00Z", "until": "2026-02-21T00:00:00Z"}},
            "INVALID_REQUEST",
            "filter.until",
        ),
        ({"scorers": [SHOUTS], "sampling_rate": 2}, "INVALID_REQUEST", "sampling_rate"),
    ],
    ids=str,
)
def test_a_malformed_scoring_is_refused_by_its_field(api, body, code, field):
    for path in ("/traces/score", "/traces/score?dry_run=1"):
        refused = api.refusal("POST", path, body)
        assert refused.said == (400, code)
        assert {error["field"] for error in refused.errors} == {field}


def test_an_unbound_key_names_the_project(root):
    assert Refusal.of(root.post("/traces/score", {"scorers": [SHOUTS]})).said == (400, "PROJECT_REQUIRED")


# --- previews ---


def test_a_preview_of_rules_costs_nothing_and_stores_nothing(api):
    fill(api, 3)
    expect(201, api.score("s1", "shouts", "span", value=0.5))
    before = api.stored()
    told = preview(api, scorers=[SHOUTS, ASKS])
    assert (told["targets"], told["cost_usd_estimate"], told["notes"]) == (3, 0, [])
    assert [(one["to_score"], one["already_scored"], one["calls"]) for one in told["by_scorer"]] == [
        (2, 1, 0),
        (3, 0, 0),
    ]
    assert {one["model"] for one in told["by_scorer"]} == {None}
    assert api.stored() == before


def test_an_experiment_is_previewed_as_it_would_be_scored(api):
    experiment = api.measured(api.questions(4), [1, 1, 1, 1], scorer_name="shouts")
    body = {"scorers": [SHOUTS, ASKS]}
    told = expect(200, api.post(f"/experiments/{experiment}/score?dry_run=1", body))
    assert [(one["to_score"], one["already_scored"]) for one in told["by_scorer"]] == [(0, 4), (4, 0)]
    assert api.ids("/jobs") == []
    job = api.finished(expect(202, api.post(f"/experiments/{experiment}/score", body))["job_id"])
    assert (job["counts"]["scored"], job["counts"]["skipped"]) == (4, 4)
