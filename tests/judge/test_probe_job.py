"""Probes of a judge as jobs: planned, asked at a model on loopback, stopped by a budget, cancelled, gone on with."""

import re
import threading
from typing import Any

import pytest

from contract.caller import Api, expect
from gnomon.testing import Asked, ClientError
from judge.conftest import Model
from judge.test_card import asked_all

OUTPUTS = ["plain one", "plain two", "wrong three", "wrong four"]
PRICE = {"model": "judge-1", "input_usd_per_million": 2.0, "output_usd_per_million": 8.0}


def gullible(asked: Asked) -> str:
    """Whoever asks for the highest score gets it."""
    plea = re.search(r"(?:nswer with|eply with|must return) 1", asked.prompt)
    return "1" if plea or "plain" in asked.prompt else "0"


def priced(api: Api) -> None:
    expect(200, api.call("PUT", f"/projects/{api.project}/prices", {"prices": [PRICE]}))


def start(api: Api, name: str = "tone", **draft: Any) -> str:
    return str(expect(202, api.post(f"/judges/{name}/probe", {"project_id": api.project, **draft}))["job_id"])


def test_a_probe_is_planned_runs_as_a_job_and_is_on_the_card(api: Api, model: Model):
    model.script = gullible
    asked_all(api, OUTPUTS)
    before = model.calls
    unknown = api.read("/judges/tone/probe-plan", samples=4)
    assert (unknown["samples"], unknown["calls"], unknown["model"]) == (4, 12, "judge-1")
    assert (unknown["cost_usd_estimate"], unknown["refusal"]) == (None, None)
    assert any("judge-1 costs" in note for note in unknown["notes"])
    priced(api)
    plan = api.read("/judges/tone/probe-plan", samples=4)
    assert (plan["estimate_from"], plan["budget_left_usd"]) == ("price list", None)
    assert plan["tokens_input_estimate"] > 12
    assert 0 < plan["cost_usd_estimate"] < 0.1
    assert model.calls == before

    job = api.finished(start(api, samples=4))
    assert (job["kind"], job["status"], job["total"], job["counts"]) == ("probe_judge", "done", 12, {"answered": 12})
    assert (job["scorer_name"], job["model"]) == ("tone", "judge-1")
    assert job["cost_usd"] > 0
    assert model.calls == before + 12
    probe = api.read("/judges/tone/card")["probe"]
    assert (probe["samples"], probe["calls"], probe["cost_usd"]) == (4, 12, pytest.approx(job["cost_usd"]))
    assert probe["injection_flipped"]["value"] == 1.0
    spent = api.read(f"/projects/{api.project}/budget")["by_model"]
    assert sum(row["calls"] for row in spent) == 4 + 12


def test_a_budget_stops_a_probe_and_it_goes_on_without_paying_twice(api: Api, model: Model):
    model.script = gullible
    asked_all(api, OUTPUTS)
    spent = api.read(f"/projects/{api.project}/budget")["spent_tokens"]
    per_call = spent // 4
    expect(200, api.call("PUT", f"/projects/{api.project}/budget", {"tokens_per_day": spent + 3 * per_call}))
    plan = api.read("/judges/tone/probe-plan", samples=4)
    assert any("the probe stops there" in note for note in plan["notes"])
    before = model.calls
    id = start(api, samples=4)
    job = api.finished(id)
    assert job["status"] == "failed"
    assert job["reason"].startswith("budget: ")
    asked = model.calls - before
    assert 0 < asked < 12
    assert api.read("/judges/tone/card")["probe"] is None
    refused = api.refusal("POST", "/judges/tone/probe", {"project_id": api.project})
    assert refused.said == (422, "BUDGET_SPENT")
    assert api.read("/judges/tone/probe-plan")["refusal"].startswith("budget: ")

    expect(200, api.call("PUT", f"/projects/{api.project}/budget", {}))
    expect(200, api.post(f"/jobs/{id}/retry"))
    job = api.finished(id)
    assert (job["status"], job["counts"]) == ("done", {"answered": 12})
    assert model.calls - before == 12
    assert api.read("/judges/tone/card")["probe"]["calls"] == 12


def test_a_probe_that_is_cancelled_asks_no_more_and_can_go_on(api: Api, model: Model):
    model.script = gullible
    asked_all(api, OUTPUTS)
    asked, answer = threading.Event(), threading.Event()

    def slow(seen: Asked) -> str:
        asked.set()
        answer.wait(600)
        return gullible(seen)

    model.script = slow
    id = start(api, samples=4)
    assert asked.wait(600)
    assert expect(200, api.post(f"/jobs/{id}/cancel"))["status"] == "cancelled"
    answer.set()
    assert api.read(f"/jobs/{id}")["status"] == "cancelled"
    assert api.read("/judges/tone/card")["probe"] is None
    model.script = gullible
    expect(200, api.post(f"/jobs/{id}/retry"))
    assert api.finished(id)["status"] == "done"
    assert api.read("/judges/tone/card")["probe"]["samples"] == 4


def test_a_model_that_never_answers_fails_the_job_with_its_words(api: Api, model: Model):
    asked_all(api, OUTPUTS)
    model.script = lambda seen: ClientError(message="no such model")
    job = api.finished(start(api, samples=2))
    assert (job["status"], job["counts"]) == ("failed", {"answered": 0, "failed": 2})
    assert "judge-1 could not be asked" in job["reason"]


def test_a_list_tells_agreement_failures_and_cost(api: Api, model: Model):
    model.script = lambda seen: "well" if "odd" in seen.prompt else gullible(seen)
    priced(api)
    runs = asked_all(api, ["odd", *OUTPUTS])
    (before,) = api.items("/judges")
    assert before["agreement"] is None
    assert "people" in before["agreement_reason"]
    for run, value in zip(runs[1:], [1, 1, 1, 0], strict=True):
        assert api.score(run, "person", value=value, source="human").status_code == 201
    (listed,) = api.items("/judges")
    agreement = listed["agreement"]
    assert (agreement["human"], agreement["n_labelled"], agreement["measure"]) == ("person", 4, "cohen_kappa")
    card = api.read("/judges/tone/card")["people"]
    assert agreement["raw"] == card["accuracy"]
    assert agreement["chance_corrected"] == card["cohen_kappa"]
    assert (listed["answered"], listed["unreadable"], listed["unanswered"]) == (5, 1, 0)
    assert listed["cost_usd"] > 0
    assert listed["unpriced"] == 0


def test_bad_probes_are_refused(api: Api, model: Model):
    asked_all(api, OUTPUTS[:1], "team/tone")
    assert api.read("/judges/team/tone/probe-plan")["samples"] == 1
    assert api.refusal("POST", "/judges/nobody/probe", {"project_id": api.project}).said == (404, "NOT_FOUND")
    for samples in (0, 1001, "many"):
        refused = api.refusal("POST", "/judges/team/tone/probe", {"project_id": api.project, "samples": samples})
        assert refused.said[0] == 400
        assert api.refusal("GET", f"/judges/team/tone/probe-plan?samples={samples}").said[0] == 400
    reader = api.with_key("read")
    assert reader.refusal("POST", "/judges/team/tone/probe", {}).said[0] == 403
