"""Judges behind rules, over past spans, and under a budget: with the real LiteLLM and a model on loopback."""

from typing import Any

import pytest

from contract.caller import Api, expect, span
from gnomon.testing import FullAnswer
from judge.conftest import Model, judge


def fill(api: Api, count: int) -> list[str]:
    """So many answered spans under one root without output; the jobs that rules started."""
    spans = [span("root", input="q")]
    spans += [
        span(f"s{n}", parent_span_id="root", input=f"q{n}", output=f"answer {n}", name="llm") for n in range(count)
    ]
    jobs: list[str] = api.make("/traces/ingest", {"project_id": api.project, "spans": spans})["job_ids"]
    return jobs


def budget(api: Api, **limits: Any) -> None:
    expect(200, api.call("PUT", f"/projects/{api.project}/budget", limits))


def values(api: Api, count: int) -> list[Any]:
    return [one["value"] for n in range(count) for one in api.scores(f"s{n}", "span", trace_id="trace-1")]


def test_a_rules_judge_scores_new_spans_in_jobs_of_their_own(api: Api, model: Model):
    model.script = lambda asked: "0.9" if "answer 1" in asked.prompt else "0.1"
    made = api.make("/rules", {"name": "quality", "filter": {"name": "llm"}, "scorer": judge()})
    (job_id,) = fill(api, 3)
    job = api.finished(job_id)
    assert (job["kind"], job["status"], job["total"], job["counts"]) == ("score_spans", "done", 3, {"scored": 3})
    assert values(api, 3) == [0.1, 0.9, 0.1]
    (score,) = api.scores("s1", "span", trace_id="trace-1")
    assert (score["source"], score["metadata"]["rule_id"]) == ("judge", made["id"])
    parts = [one for one in api.items("/jobs") if one["parent_id"] == job_id]
    assert {(one["kind"], one["status"], one["trace_id"]) for one in parts} == {("judge", "done", "trace-1")}
    assert model.calls == 3
    (stream,) = api.read(f"/projects/{api.project}/drift")["series"]
    assert [(one["n"], one["mean"]) for one in stream["days"]] == [(3, pytest.approx(1.1 / 3))]


def test_a_spent_budget_asks_nobody_and_says_why(api: Api, model: Model):
    api.make("/rules", {"name": "quality", "filter": {"name": "llm"}, "scorer": judge()})
    budget(api, tokens_per_day=0)
    (job_id,) = fill(api, 2)
    assert api.finished(job_id)["counts"] == {"failed": 2}
    (state,) = api.items("/scoring-states", target_id="s0")
    assert state["state"] == "failed"
    assert state["reason"].startswith("budget: 0 of 0 tokens per day are used; raise it")
    assert (model.calls, values(api, 2)) == (0, [])


def test_what_was_spent_is_told_by_model_and_stops_the_next_scoring(api: Api, model: Model):
    fill(api, 2)
    body = {"scorers": [judge()], "filter": {"name": "llm"}}
    job = api.finished(expect(202, api.post("/traces/score", body))["job_id"])
    assert job["counts"] == {"scored": 2, "filtered_out": 1}
    told = api.read(f"/projects/{api.project}/budget")
    (spent,) = told["by_model"]
    assert (spent["model"], spent["calls"]) == ("judge-1", 2)
    assert told["spent_tokens"] == spent["tokens"] > 0
    budget(api, tokens_per_day=told["spent_tokens"])
    again = {**body, "only_missing": False, "no_cache": True}
    assert api.finished(expect(202, api.post("/traces/score", again))["job_id"])["counts"]["failed"] == 2
    assert model.calls == 2
    budget(api)
    third = expect(202, api.post("/traces/score", again))["job_id"]
    assert api.finished(third)["counts"]["scored"] == 2
    assert model.calls == 4


def test_a_preview_tells_the_calls_that_are_then_made(api: Api, model: Model):
    fill(api, 4)
    expect(202, api.score("s0", "llm_judge", "span", config=judge()["config"]))
    (first,) = api.ids("/jobs")
    api.finished(first)
    body = {"scorers": [judge()], "only_missing": False}
    told = expect(200, api.post("/traces/score?dry_run=1", body))
    (one,) = told["by_scorer"]
    assert (told["targets"], one["to_score"], one["cached"], one["calls"]) == (5, 5, 1, 3)
    assert "llm_judge: 1 of 5 targets are not asked about: no output" in told["notes"]
    assert model.calls == 1
    api.finished(expect(202, api.post("/traces/score", body))["job_id"])
    assert model.calls == 1 + one["calls"]


def test_a_budget_in_usd_refuses_a_model_without_a_price_and_counts_by_the_projects_own(api: Api, model: Model):
    """A USD budget must stop a model whose price is not known, say how to set one, and count by the project's price."""
    fill(api, 2)
    budget(api, usd_per_day=1)
    body = {"scorers": [judge()], "filter": {"name": "llm"}}
    told = expect(200, api.post("/traces/score?dry_run=1", body))
    assert any(f"PUT /v1/projects/{api.project}/prices" in note for note in told["notes"]), told["notes"]
    job = api.finished(expect(202, api.post("/traces/score", body))["job_id"])
    assert (job["counts"], model.calls) == ({"failed": 2, "filtered_out": 1}, 0)
    (state,) = api.items("/scoring-states", target_id="s0")
    assert state["reason"].startswith("budget: the price of judge-1 is not known, so a budget in USD cannot hold it")
    price = {"model": "judge-1", "input_usd_per_million": 1000, "output_usd_per_million": 250_000}
    expect(200, api.call("PUT", f"/projects/{api.project}/prices", {"prices": [price]}))
    assert not any("prices" in note for note in expect(200, api.post("/traces/score?dry_run=1", body))["notes"])
    model.script = lambda asked: FullAnswer(
        "0.5", usage={"prompt_tokens": 250, "completion_tokens": 1, "total_tokens": 251}
    )
    assert api.finished(expect(202, api.post("/traces/score", body))["job_id"])["counts"]["scored"] == 2
    (score,) = api.scores("s0", "span", trace_id="trace-1")
    assert score["metadata"]["cost_usd"] == pytest.approx(0.5)
    assert api.read(f"/projects/{api.project}/budget")["spent_usd"] == pytest.approx(1.0)
    again = {**body, "only_missing": False, "no_cache": True}
    job = api.finished(expect(202, api.post("/traces/score", again))["job_id"])
    assert (job["counts"]["failed"], model.calls) == (2, 2), "the budget is spent now"


def test_an_answer_without_a_known_cost_makes_the_cost_of_its_score_unknown(api: Api, model: Model):
    usage = {"prompt_tokens": 250, "completion_tokens": 1, "total_tokens": 251}
    price = {"model": "judge-1", "input_usd_per_million": 1000, "output_usd_per_million": 250_000}
    expect(201, api.post("/datasets", {"project_id": api.project, "name": "makes the project"}))
    expect(200, api.call("PUT", f"/projects/{api.project}/prices", {"prices": [price]}))
    said = iter([FullAnswer("0", usage=usage), FullAnswer("1", usage=None)])
    model.script = lambda asked: next(said)
    run = api.answer("Paris", input="unknown")
    body = {"target_id": run.id, "target_type": "run", **judge(samples=2)}
    job = api.finished(expect(202, api.post("/scores", body))["job_id"])
    (score,) = api.scores(run.id)
    assert (job["cost_usd"], score["metadata"]["cost_usd"], score["metadata"]["tokens_input"]) == (None, None, None)
    spent = api.read(f"/projects/{api.project}/budget")
    assert (spent["spent_usd"], spent["spent_tokens"]) == (pytest.approx(0.5), 251), "what is known is booked"
