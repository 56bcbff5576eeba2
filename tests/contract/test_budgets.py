"""Budgets: what a project's judges may spend in a day, and what they have spent."""

import pytest

from contract.caller import Refusal, expect

FIELDS = {
    "project_id", "usd_per_day", "tokens_per_day", "day", "spent_usd", "spent_tokens", "left_usd", "left_tokens",
    "by_model",
}  # fmt: skip


def put(api, body):
    return api.call("PUT", f"/projects/{api.project}/budget", body)


def test_a_project_has_no_budget_until_one_is_set(api):
    told = api.read(f"/projects/{api.project}/budget")
    assert set(told) == FIELDS
    assert (told["usd_per_day"], told["tokens_per_day"], told["left_usd"], told["left_tokens"]) == (None,) * 4
    assert (told["spent_usd"], told["spent_tokens"], told["by_model"]) == (0, 0, [])


def test_a_budget_is_set_and_shown_with_what_is_left(api):
    told = expect(200, put(api, {"usd_per_day": 2.5, "tokens_per_day": 1000}))
    assert (told["usd_per_day"], told["tokens_per_day"], told["left_usd"], told["left_tokens"]) == (
        2.5,
        1000,
        2.5,
        1000,
    )
    assert api.read(f"/projects/{api.project}/budget") == told


def test_a_limit_that_is_left_out_is_taken_away(api):
    expect(200, put(api, {"usd_per_day": 2.5, "tokens_per_day": 1000}))
    told = expect(200, put(api, {"tokens_per_day": 0}))
    assert (told["usd_per_day"], told["tokens_per_day"], told["left_tokens"]) == (None, 0, 0)
    told = expect(200, put(api, {"usd_per_day": None, "tokens_per_day": None}))
    assert (told["usd_per_day"], told["tokens_per_day"]) == (None, None)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"usd_per_day": -1}, "usd_per_day"),
        ({"usd_per_day": "5"}, "usd_per_day"),
        ({"usd_per_day": True}, "usd_per_day"),
        ({"tokens_per_day": 1.5}, "tokens_per_day"),
        ({"tokens_per_day": -1}, "tokens_per_day"),
    ],
    ids=str,
)
def test_a_malformed_budget_is_refused_and_the_old_one_stands(api, body, field):
    before = expect(200, put(api, {"usd_per_day": 1}))
    refused = Refusal.of(put(api, body))
    assert refused.said == (400, "INVALID_REQUEST")
    assert {error["field"] for error in refused.errors} == {field}
    assert api.read(f"/projects/{api.project}/budget") == before


def test_a_writer_may_set_it_and_a_reader_may_look(writer, reader):
    expect(200, put(writer, {"usd_per_day": 1}))
    assert reader.read(f"/projects/{reader.project}/budget")["usd_per_day"] == 1
    assert Refusal.of(put(reader, {"usd_per_day": 2})).said == (403, "FORBIDDEN")


def test_a_project_that_is_not_there_has_no_budget(root):
    assert Refusal.of(root.get("/projects/nobody/budget")).said == (404, "NOT_FOUND")
    assert Refusal.of(root.call("PUT", "/projects/nobody/budget", {})).said == (404, "NOT_FOUND")


def test_budgets_of_two_projects_are_apart(api, stranger):
    stranger.dataset()
    expect(200, put(stranger, {"usd_per_day": 7}))
    assert api.read(f"/projects/{api.project}/budget")["usd_per_day"] is None
