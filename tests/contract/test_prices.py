"""A project's own prices of models."""

import pytest

from contract.caller import Refusal, expect

LLAMA = {"model": "openai/llama-3", "input_usd_per_million": 0.2, "output_usd_per_million": 0.6}
CACHED = {**LLAMA, "model": "gpt-4o", "cached_input_usd_per_million": 0.05}


def put(api, prices):
    return api.call("PUT", f"/projects/{api.project}/prices", {"prices": prices})


def test_a_project_has_no_prices_of_its_own_until_they_are_set(api):
    assert api.read(f"/projects/{api.project}/prices") == {"project_id": api.project, "prices": []}


def test_prices_are_set_and_shown_by_the_name_of_the_model(api):
    shown = expect(200, put(api, [LLAMA, CACHED]))
    since = {"since": None}
    assert shown["prices"] == [{**CACHED, **since}, {**LLAMA, "cached_input_usd_per_million": None, **since}]
    assert api.read(f"/projects/{api.project}/prices") == shown


def test_a_list_replaces_the_one_before_it(api):
    expect(200, put(api, [LLAMA, CACHED]))
    assert [price["model"] for price in expect(200, put(api, [CACHED]))["prices"]] == ["gpt-4o"]
    assert expect(200, put(api, []))["prices"] == []


@pytest.mark.parametrize(
    ("prices", "field"),
    [
        (None, "prices"),
        ({}, "prices"),
        ([{"model": "m", "input_usd_per_million": 1}], "prices[0].output_usd_per_million"),
        ([LLAMA, {**LLAMA, "model": "m", "input_usd_per_million": -1}], "prices[1].input_usd_per_million"),
        ([{**LLAMA, "input_usd_per_million": "1"}], "prices[0].input_usd_per_million"),
        ([{**LLAMA, "output_usd_per_million": True}], "prices[0].output_usd_per_million"),
        ([{**LLAMA, "output_usd_per_million": 1e300}], "prices[0].output_usd_per_million"),
        ([{**CACHED, "cached_input_usd_per_million": -0.5}], "prices[0].cached_input_usd_per_million"),
        ([{**LLAMA, "model": "http://elsewhere/v1"}], "prices[0].model"),
        ([{**LLAMA, "model": ""}], "prices[0].model"),
        ([{**LLAMA, "model": "m" * 201}], "prices[0].model"),
        ([LLAMA, CACHED, LLAMA], "prices"),
        ([{**LLAMA, "model": f"m{n}"} for n in range(1001)], "prices"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_malformed_prices_are_refused_and_the_old_ones_stand(api, prices, field):
    before = expect(200, put(api, [CACHED]))
    refused = Refusal.of(put(api, prices))
    assert refused.said == (400, "INVALID_REQUEST")
    assert {error["field"] for error in refused.errors} == {field}
    assert api.read(f"/projects/{api.project}/prices") == before


def test_a_writer_may_set_them_and_a_reader_may_look(writer, reader):
    expect(200, put(writer, [LLAMA]))
    assert reader.read(f"/projects/{reader.project}/prices")["prices"][0]["model"] == "openai/llama-3"
    assert Refusal.of(put(reader, [])).said == (403, "FORBIDDEN")


def test_a_project_that_is_not_there_has_no_prices(root):
    assert Refusal.of(root.get("/projects/nobody/prices")).said == (404, "NOT_FOUND")
    assert Refusal.of(root.call("PUT", "/projects/nobody/prices", {"prices": []})).said == (404, "NOT_FOUND")


def test_prices_of_two_projects_are_apart(api, stranger):
    stranger.dataset()
    expect(200, put(stranger, [LLAMA]))
    assert api.read(f"/projects/{api.project}/prices")["prices"] == []
