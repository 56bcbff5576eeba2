"""The playground: prompts and models on some items, stored as experiments. The model is asked over real HTTP."""

import threading
from typing import Any

import pytest

from contract.caller import Api, Made, Refusal, expect
from gnomon.testing import ClientError
from judge.conftest import TEMPLATE, Model

CITIES = ["Paris", "Rome", "Oslo", "Bern", "Kyiv", "Lima", "Cairo", "Quito", "Delhi", "Tokyo", "Accra", "Dakar"]
EXACT = {"scorer_name": "exact_match"}


@pytest.fixture
def cities(api: Api) -> Made:
    items = [{"input": {"city": city, "n": at}, "expected_output": city} for at, city in enumerate(CITIES)]
    return api.dataset(items)


def candidate(content: str = "{{input.city}}", model: str = "played-1", **fields: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content}], "model": model, **fields}


def play(api: Api, dataset: Made, *candidates: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"dataset_id": dataset.id, "candidates": list(candidates) or [candidate()], **fields}
    accepted: dict[str, Any] = expect(202, api.post("/playground", body))
    return accepted


def runs_of(api: Api, accepted: dict[str, Any], at: int = 0) -> list[dict[str, Any]]:
    return api.items(f"/experiments/{accepted['experiments'][at]['experiment_id']}/runs", sort="item")


def test_ten_items_are_asked_and_stored_as_an_experiment(api: Api, model: Model, cities: Made):
    model.script = lambda asked: asked.prompt
    accepted = play(api, cities, candidate(params={"temperature": 0}), scorers=[EXACT])
    job = api.finished(accepted["job_id"])
    assert (job["kind"], job["status"], job["counts"], job["total"]) == ("playground", "done", {"answered": 10}, 10)
    assert accepted["answers"] == 10 == len(accepted["item_ids"])
    runs = runs_of(api, accepted)
    assert [run["output"] for run in runs] == CITIES[:10]
    assert all(run["scores"][0]["value"] == 1 for run in runs)
    experiment = api.read(f"/experiments/{accepted['experiments'][0]['experiment_id']}")
    assert experiment["status"] == "completed"
    assert experiment["metadata"]["config"] == {
        "model": "played-1", "messages": [{"role": "user", "content": "{{input.city}}"}], "params": {"temperature": 0},
    }  # fmt: skip
    assert experiment["metadata"]["playground"]["job_id"] == accepted["job_id"]
    assert {asked.body["temperature"] for asked in model.server.requests[model.seen :]} == {0}


def test_every_answer_has_a_trace_with_what_was_asked_and_what_it_took(api: Api, model: Model, cities: Made):
    expect(200, api.call("PUT", f"/projects/{api.project}/prices", {"prices": [
        {"model": "played-1", "input_usd_per_million": 1e6, "output_usd_per_million": 0}]}))  # fmt: skip
    accepted = play(api, cities, first_items=1)
    job = api.finished(accepted["job_id"])
    (run,) = runs_of(api, accepted)
    (span,) = api.read(f"/traces/{run['trace_id']}")["spans"]
    assert span["input"] == [{"role": "user", "content": "Paris"}]
    assert (span["output"], span["model"]) == (run["output"], "played-1")
    spent = api.read(f"/projects/{api.project}/budget")
    assert span["tokens_input"] > 0
    assert spent["spent_usd"] == pytest.approx(span["tokens_input"]) == pytest.approx(job["cost_usd"])
    assert [row["model"] for row in spent["by_model"]] == ["played-1"]
    summary = api.read(f"/experiments/{accepted['experiments'][0]['experiment_id']}/summary")
    assert summary["cost"]["usd"] == pytest.approx(span["tokens_input"])


def test_two_candidates_are_compared_on_the_chosen_items(api: Api, model: Model, cities: Made):
    model.script = lambda asked: asked.prompt.removeprefix("Say: ")
    chosen = [cities.item_ids[3], cities.item_ids[1]]
    accepted = play(
        api, cities, candidate(), candidate("no {{input.city}}", model="played-2"), item_ids=chosen, scorers=[EXACT],
        trials=2,
    )  # fmt: skip
    assert api.finished(accepted["job_id"])["counts"] == {"answered": 8}
    first, second = (each["experiment_id"] for each in accepted["experiments"])
    assert [each["model"] for each in accepted["experiments"]] == ["played-1", "played-2"]
    comparison = api.read(f"/experiments/{first}/compare/{second}")["scorer_comparisons"][0]
    assert (comparison["delta"], comparison["paired_count"]) == (-1, 2)
    assert {run["dataset_item_id"] for run in runs_of(api, accepted)} == set(chosen)


def test_judges_are_parts_of_the_job(api: Api, model: Model, cities: Made):
    judge = {"scorer_name": "good", "scorer": "llm_judge", "config": {"model": "judge-1", "prompt_template": TEMPLATE}}
    accepted = play(api, cities, first_items=3, scorers=[judge, EXACT])
    job = api.finished(accepted["job_id"])
    assert (job["status"], job["counts"]) == ("done", {"answered": 3, "scored": 3})
    assert all({score["scorer_name"] for score in run["scores"]} == {"good", "exact_match"}
               for run in runs_of(api, accepted))  # fmt: skip


def test_what_goes_wrong_with_one_item_is_that_runs_error(api: Api, model: Model):
    model.script = lambda asked: ClientError(message="no such thing") if "b" in asked.prompt else "fine"
    dataset = api.dataset([{"input": {"q": "a"}}, {"input": {"q": "b"}}, {"input": "no object"}])
    accepted = play(api, dataset, candidate("{{input.q}}"))
    assert api.finished(accepted["job_id"])["counts"] == {"answered": 1, "failed": 2}
    fine, refused, unfilled = runs_of(api, accepted)
    assert fine["output"] == "fine"
    assert refused["error"]["type"] == "refused"
    assert "no such thing" in refused["error"]["message"]
    assert unfilled["error"]["type"] == "prompt"
    assert "{{input.q}} cannot be filled" in unfilled["error"]["message"]


def test_a_budget_stops_it_and_a_retry_goes_on(api: Api, model: Model, cities: Made):
    budget = f"/projects/{api.project}/budget"
    expect(200, api.call("PUT", budget, {"tokens_per_day": 1}))
    first = play(api, cities, first_items=1)
    assert api.finished(first["job_id"])["status"] == "done"
    accepted = play(api, cities, first_items=5)
    job = api.finished(accepted["job_id"])
    assert job["status"] == "failed"
    assert job["reason"].startswith("budget: ")
    assert runs_of(api, accepted) == []
    expect(200, api.call("PUT", budget, {}))
    expect(200, api.post(f"/jobs/{job['id']}/retry"))
    assert api.finished(job["id"])["status"] == "done"
    assert len(runs_of(api, accepted)) == 5


def test_a_cancelled_one_asks_no_more(api: Api, model: Model, cities: Made):
    held, came = threading.Event(), threading.Event()

    def hold(asked: Any) -> str:
        came.set()
        assert held.wait(600)
        return "late"

    model.script = hold
    accepted = play(api, cities)
    assert came.wait(600)
    expect(200, api.post(f"/jobs/{accepted['job_id']}/cancel"))
    held.set()
    assert api.finished(accepted["job_id"])["status"] == "cancelled"
    model.script = lambda asked: "1"
    again = play(api, cities, first_items=1)
    assert api.finished(again["job_id"])["status"] == "done"
    assert runs_of(api, accepted) == []


def test_a_preview_tells_calls_tokens_and_cost_and_asks_nobody(api: Api, model: Model, cities: Made):
    judge = {"scorer_name": "good", "scorer": "llm_judge", "config": {"model": "judge-1", "prompt_template": TEMPLATE}}
    body = {
        "dataset_id": cities.id, "first_items": 4, "trials": 2, "scorers": [judge, EXACT],
        "candidates": [candidate("x" * 394 + "{{input.n}}", "openai/gpt-4o-mini", params={"max_tokens": 10}),
                       candidate("{{input.capital}}"), candidate(model="groq/llama-3")],
    }  # fmt: skip
    before = api.stored()
    preview = expect(200, api.post("/playground/preview", body))
    assert api.stored() == before
    assert model.calls == 0
    priced, unfilled, unknown = preview["candidates"]
    assert (priced["calls"], priced["tokens_input_estimate"], priced["tokens_output_estimate"]) == (8, 8 * 99, 80)
    assert priced["cost_usd_estimate"] == pytest.approx((8 * 99 * 0.15 + 80 * 0.6) / 1e6)
    assert (unfilled["calls"], unfilled["cost_usd_estimate"], unfilled["cannot_ask"]) == (0, None, None)
    assert "GROQ_API_KEY" in unknown["cannot_ask"]
    assert (preview["items"], preview["trials"], preview["calls"], preview["cost_usd_estimate"]) == (4, 2, 16, None)
    by_name = {scorer["scorer_name"]: scorer for scorer in preview["by_scorer"]}
    assert (by_name["good"]["calls"], by_name["exact_match"]["calls"]) == (16, 0)
    notes = "\n".join(preview["notes"])
    assert "B: 4 of 4 items will fail: {{input.capital}} cannot be filled" in notes
    assert "nothing here says what played-1 costs" in notes


@pytest.mark.parametrize(
    ("change", "status", "field", "words"),
    [
        ({"candidates": []}, 400, "candidates", ""),
        ({"candidates": [candidate()] * 5}, 400, "candidates", ""),
        ({"candidates": [candidate(base_url="http://127.0.0.1:1")]}, 400, "candidates[0].base_url", "the server's own"),
        ({"candidates": [candidate(api_key="sk-x")]}, 400, "candidates[0].api_key", "the server's own"),
        (
            {"candidates": [candidate(params={"base_url": "http://127.0.0.1:1"})]},
            400,
            "candidates[0].params",
            "base_url",
        ),
        ({"candidates": [candidate(params={"api_base": "x"})]}, 400, "candidates[0].params", "api_base"),
        ({"candidates": [candidate(model="http://127.0.0.1:1/x")]}, 400, "candidates[0].model", "no address"),
        ({"candidates": [candidate(model="groq/llama-3")]}, 400, "candidates[0].model", "GROQ_API_KEY"),
        ({"candidates": [candidate("{{expected_output}}")]}, 400, "candidates[0].messages[0].content", "the answer"),
        ({"candidates": [candidate("{{inputs}}")]}, 400, "candidates[0].messages[0].content", "{{input}}"),
        ({"first_items": 101}, 400, "first_items", ""),
        ({"first_items": 0}, 400, "first_items", ""),
        ({"trials": 11}, 400, "trials", ""),
        ({"item_ids": []}, 400, "item_ids", ""),
        ({"item_ids": ["x", "x"]}, 400, "item_ids", "twice"),
        ({"item_ids": ["x"]}, 422, "item_ids[0]", "not in dataset"),
        ({"scorers": [{"scorer_name": "exact_mach"}]}, 400, "scorers[0].scorer_name", "exact_match"),
    ],
    ids=str,
)
def test_a_bad_request_is_refused_and_stores_nothing(
    api: Api, model: Model, cities: Made, change: dict[str, Any], status: int, field: str, words: str
):
    body = {"dataset_id": cities.id, "candidates": [candidate()], **change}
    before = api.stored()
    refused = Refusal.of(api.post("/playground", body))
    assert refused.said[0] == status
    assert field in {error["field"] for error in refused.errors}
    assert words in refused.message
    assert api.stored() == before
    assert model.calls == 0


def test_more_answers_than_a_thousand_are_refused(api: Api):
    dataset = api.questions(60)
    body = {"dataset_id": dataset.id, "candidates": [candidate("x")] * 2, "first_items": 60, "trials": 10}
    refused = Refusal.of(api.post("/playground", body))
    assert refused.said[0] == 400
    assert "2 candidates × 60 items × 10 trials are 1,200 answers; 1,000 is the limit" in refused.message


def test_an_empty_dataset_and_another_projects_are_refused(api: Api):
    for path in ("/playground", "/playground/preview"):
        empty = Refusal.of(api.post(path, {"dataset_id": api.dataset().id, "candidates": [candidate()]}))
        assert empty.said == (422, "EMPTY_DATASET")
        gone = Refusal.of(api.post(path, {"dataset_id": "elsewhere", "candidates": [candidate()]}))
        assert gone.said == (404, "NOT_FOUND")


def test_readers_see_the_models_and_may_not_ask(root: Api, api: Api, cities: Made):
    reader = root.with_key("read")
    told = reader.read("/playground/models", model="groq/llama-3")
    assert told["providers"][0]["provider"] == "openai"
    assert told["providers"][0]["can_ask"]
    assert "openai/gpt-4o-mini" in told["providers"][0]["models"]
    groq = next(each for each in told["providers"] if each["provider"] == "groq")
    assert (groq["can_ask"], groq["models"]) == (False, [])
    assert "GROQ_API_KEY" in groq["reason"]
    assert "GROQ_API_KEY" in told["cannot_ask"]
    assert reader.read("/playground/models", model="played-1")["cannot_ask"] is None
    for path in ("/playground", "/playground/preview"):
        refused = Refusal.of(reader.post(path, {"dataset_id": cities.id, "candidates": [candidate()]}))
        assert refused.said[0] == 403


def test_no_key_and_no_address_leaves_the_server(api: Api, model: Model, cities: Made):
    api.finished(play(api, cities, first_items=1)["job_id"])
    seen = str(api.read("/playground/models")) + str(api.everything())
    environment = model.server.environment()
    assert environment
    assert all(value not in seen for value in environment.values())


def test_the_same_idempotency_key_asks_once(api: Api, model: Model, cities: Made):
    body = {"dataset_id": cities.id, "candidates": [candidate()], "first_items": 2}
    first, second = (expect(202, api.post("/playground", body, **{"Idempotency-Key": "k"})) for _ in range(2))
    assert first == second
    api.finished(first["job_id"])
    assert model.calls == 2
