"""What model calls cost: per span, trace, conversation and experiment. What is not known is never 0."""

from contract import otlp
from contract.caller import expect


def call(id: str, trace: str = "t", model: str = "gpt-4o", **more: object) -> dict[str, object]:
    return {
        "id": id, "trace_id": trace, "parent_span_id": f"{trace}-root", "name": "chat", "model": model,
        "start_time": "2026-05-01T12:00:00Z", "tokens_input": 1_000_000, "tokens_output": 0, **more,
    }  # fmt: skip


def root(trace: str = "t", **more: object) -> dict[str, object]:
    return {"id": f"{trace}-root", "trace_id": trace, "name": "turn", "start_time": "2026-05-01T12:00:00Z", **more}


def ingest(api, *spans: dict[str, object]) -> None:
    expect(201, api.post("/traces/ingest", {"spans": list(spans)}))


def set_prices(api, *prices: dict[str, object]) -> None:
    expect(200, api.call("PUT", f"/projects/{api.project}/prices", {"prices": list(prices)}))


def price(model: str, usd: float, **more: object) -> dict[str, object]:
    return {"model": model, "input_usd_per_million": usd, "output_usd_per_million": usd, **more}


def test_a_call_costs_its_tokens_times_the_listed_price_and_a_trace_the_sum(api):
    ingest(api, root(), call("a"), call("b"))
    found = api.read("/traces/t")
    (span, _) = [one for one in found["spans"] if one["id"] in "ab"]
    assert span["cost_usd"] > 0
    assert found["cost_usd"] == 2 * span["cost_usd"]
    assert found["unpriced_span_count"] == 0


def test_one_call_without_a_known_price_makes_the_sum_unknown_and_says_so(api):
    ingest(api, root(), call("a"), call("b", model="house-model"))
    found = api.read("/traces/t")
    assert found["cost_usd"] is None
    assert found["known_cost_usd"] > 0
    assert found["unpriced_span_count"] == 1


def test_a_trace_without_model_calls_has_no_cost_rather_than_none_of_it(api):
    ingest(api, root())
    found = api.read("/traces/t")
    assert (found["cost_usd"], found["known_cost_usd"], found["unpriced_span_count"]) == (None, None, 0)


def test_a_project_prices_its_own_models_by_the_day_on_which_they_were_called(api):
    ingest(api, root("other"))
    set_prices(api, price("house-model", 2.0), price("house-model", 3.0, since="2026-06-01"))
    ingest(
        api, root(), call("a", model="house-model"),
        call("b", model="house-model", start_time="2026-06-01T00:00:00Z"),
    )  # fmt: skip
    costs = {span["id"]: span["cost_usd"] for span in api.read("/traces/t")["spans"]}
    assert costs == {"t-root": None, "a": 2.0, "b": 3.0}
    listed = api.read(f"/projects/{api.project}/prices")["prices"]
    assert [(one["since"], one["input_usd_per_million"]) for one in listed] == [(None, 2.0), ("2026-06-01", 3.0)]


def test_the_same_model_twice_at_one_time_is_refused(api):
    ingest(api, root())
    twice = {"prices": [price("m", 1.0), price("m", 2.0)]}
    assert api.call("PUT", f"/projects/{api.project}/prices", twice).status_code == 400


def test_a_conversation_costs_what_its_traces_cost(api):
    ingest(api, root("seed"))
    set_prices(api, price("house-model", 1.0))
    session = {"metadata": {"session.id": "s"}}
    ingest(api, root("one", **session), call("a", "one", "house-model"))
    ingest(api, root("two", **session), call("b", "two", "house-model"))
    found = api.read("/conversations/s")
    assert (found["cost_usd"], found["trace_count"]) == (2.0, 2)
    ingest(api, root("three", **session), call("c", "three", "unheard-of"))
    found = api.read("/conversations/s")
    assert (found["cost_usd"], found["known_cost_usd"], found["unpriced_span_count"]) == (None, 2.0, 1)


def test_an_experiment_costs_what_the_traces_of_its_runs_cost(api):
    ingest(api, root("seed"))
    set_prices(api, price("house-model", 1.0))
    ingest(api, root("one"), call("a", "one", "house-model"))
    dataset = api.make("/datasets", {"name": "d"})
    items = [api.make(f"/datasets/{dataset['id']}/items", {"input": str(n)}) for n in range(2)]
    experiment = api.make("/experiments", {"name": "e", "dataset_id": dataset["id"]})
    runs = [{"dataset_item_id": items[0]["id"], "output": "x", "trace_id": "one"},
            {"dataset_item_id": items[1]["id"], "output": "x"}]  # fmt: skip
    expect(201, api.post(f"/experiments/{experiment['id']}/runs", {"runs": runs}))
    found = api.read(f"/experiments/{experiment['id']}/summary")
    assert found["cost"] == {"usd": 1.0, "known_usd": 1.0, "unpriced_span_count": 0, "traced_run_count": 1}


def asked(number: int, **usage: int) -> object:
    about = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-4o"}
    told = {f"gen_ai.usage.{name}": count for name, count in usage.items()}
    return otlp.span(number, attributes={**about, **told})


def test_a_model_call_that_says_nothing_of_its_tokens_makes_the_sum_unknown(api):
    otlp.send(api, asked(1, input_tokens=1000, output_tokens=10), asked(2))
    found = api.read(f"/traces/{otlp.TRACE}")
    assert found["cost_usd"] is None
    assert found["known_cost_usd"] > 0
    assert found["unpriced_span_count"] == 1
