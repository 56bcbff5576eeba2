"""An iteration is a target of scores like any other: derived ones follow it, posted ones stay."""

from typing import Any

from contract.caller import Api, Refusal
from contract.test_outcomes import COMPAT, OURS, claim, iteration, push, row

FIVE = (1.0, 0.8, 0.6, 0.4, 0.2)


def scores(api: Api, id: str, **query: Any) -> dict[str, Any]:
    return {one["scorer_name"]: one for one in api.items("/scores", target_id=id, target_type="iteration", **query)}


def states(api: Api, id: str) -> dict[str, tuple[str, str]]:
    found = api.items("/scoring-states", target_id=id)
    return {one["scorer_name"]: (one["state"], one["reason"]) for one in found if one["state"] != "scored"}


def ids(api: Api) -> list[str]:
    """By number."""
    return [one["id"] for one in reversed(api.items("/iterations"))]


def post(api: Api, id: str, **fields: Any) -> Any:
    return api.make("/scores", {"target_id": id, "target_type": "iteration", **fields})


def test_total_and_signals_are_scores_and_absences_have_reasons(api: Api):
    push(api, iteration(1, 0.75))
    (id,) = ids(api)
    found = scores(api, id)
    assert {name: one["value"] for name, one in found.items()} == {"outcome": 0.75, "outcome.landed": 0.75}
    assert states(api, id) == {"outcome.scope": ("absent", "no evidence")}
    total, signal = found["outcome"], found["outcome.landed"]
    assert total["metadata"] == {"band": "good", "coverage": 0.6, "provisional": False}
    assert (signal["rationale"], signal["source"], signal["scorer"]) == ("seen", "builtin", "outcome")
    assert total["config"] == {"rubric_version": OURS, "profile": "gnomon"}
    assert total["config_hash"] == signal["config_hash"]


def test_an_iteration_without_evidence_has_only_states(api: Api):
    push(api, iteration(1, None))
    (id,) = ids(api)
    assert scores(api, id) == {}
    assert states(api, id)["outcome"] == ("absent", "no signal is present")


def test_a_sum_above_one_by_rounding_is_a_score_of_one(api: Api):
    push(api, iteration(1) | {"value": 1.0 + 5e-10})
    assert scores(api, ids(api)[0])["outcome"]["value"] == 1


def test_configurations_tell_rubrics_and_profiles_apart(api: Api):
    push(api, iteration(1), iteration(1, rubric_version=COMPAT, profile="compat"), iteration(1, rubric_version="own"))
    assert len({scores(api, id)["outcome"]["config_hash"] for id in ids(api)}) == 3


def test_pushing_the_same_again_changes_no_score(api: Api):
    same = [iteration(1, 0.5), iteration(2, None)]
    push(api, *same)
    before = [(scores(api, id), api.items("/scoring-states", target_id=id)) for id in ids(api)]
    push(api, *same)
    assert [(scores(api, id), api.items("/scoring-states", target_id=id)) for id in ids(api)] == before


def test_derived_scores_are_replaced_and_posted_ones_stay(api: Api):
    push(api, iteration(1, 0.5))
    (id,) = ids(api)
    label = post(api, id, scorer_name="human_label", value=1, source="human")
    own = post(api, id, scorer_name="outcome", value=0.25)
    for name, why in (("security", "nobody looked yet"), ("outcome.speed", "nobody measured it")):
        draft = {"target_id": id, "target_type": "iteration", "scorer_name": name, "absent": why}
        assert api.post("/scores", draft).json() is None
    changed = [row("scope", 0.5, 0.5, 0.5), row("landed", 0.5, None)]
    push(api, iteration(1, 0.5) | {"breakdown": changed})
    found = api.items("/scores", target_id=id, target_type="iteration")
    derived = {one["scorer_name"]: one["value"] for one in found if one["scorer"] == "outcome"}
    assert derived == {"outcome": 0.5, "outcome.scope": 0.5}
    assert {one["id"] for one in found if one["scorer"] is None} == {label["id"], own["id"]}
    assert states(api, id) == {
        "outcome.landed": ("absent", "no evidence"), "security": ("absent", "nobody looked yet"),
        "outcome.speed": ("absent", "nobody measured it"),
    }  # fmt: skip
    push(api, iteration(1, None))
    assert {one["id"] for one in api.items("/scores", target_id=id)} == {label["id"], own["id"]}
    push(api, iteration(1, 0.5))
    assert "outcome" not in states(api, id)


def test_a_change_of_profile_leaves_no_old_score_behind(api: Api):
    push(api, iteration(1, 0.5))
    push(api, iteration(1, 0.5, profile="compat"))
    (id,) = ids(api)
    assert {one["config"]["profile"] for one in scores(api, id).values()} == {"compat"}
    assert len(api.items("/scores", target_id=id)) == 2
    assert len(states(api, id)) == 1


def test_a_rule_sees_what_was_claimed_and_what_was_found(api: Api):
    push(api, iteration(1, 0.5, task_id="refunds", integrity=[claim(1, 0.5)]))
    (id,) = ids(api)
    for text, value in (("landed", 1.0), ("refunds", 0.0)):
        found = post(api, id, scorer_name=f"says {text}", scorer="contains", config={"expected_output": text})
        assert found["value"] == value, "only what was found is the output"


def test_a_score_is_refused_where_the_iteration_is_not(api: Api, stranger: Api):
    push(api, iteration(1))
    draft = {"target_type": "iteration", "scorer_name": "human_label", "value": 1}
    for caller, id in ((api, "nobody"), (stranger, ids(api)[0])):
        refusal = Refusal.of(caller.post("/scores", {"target_id": id, **draft}))
        assert refusal.said == (404, "NOT_FOUND")
        assert f"iteration {id!r} does not exist" in refusal.message
    refusal = Refusal.of(api.post("/scores", {"target_id": ids(api)[0], **draft, "target_type": "commit"}))
    assert refusal.said == (400, "INVALID_REQUEST")
    many = {"scores": [{"target_id": ids(api)[0], **draft}, {"target_id": "nobody", **draft}]}
    assert Refusal.of(api.post("/scores/batch", many)).said == (404, "NOT_FOUND")
    assert "human_label" not in scores(api, ids(api)[0])


def test_people_calibrate_the_outcome_score_by_session(api: Api):
    push(api, *(iteration(n, value, session_id=f"s{n // 2}") for n, value in enumerate(FIVE * 4)))
    batch = [
        {"target_id": id, "target_type": "iteration", "scorer_name": "human_label", "value": FIVE[n % 5],
         "source": "human"} for n, id in enumerate(ids(api))
    ]  # fmt: skip
    api.make("/scores/batch", {"scores": batch[:15]})
    found = api.read("/calibration", judge="outcome", human="human_label")
    assert (found["n_labelled"], found["n_judge_only"]) == (15, 5)
    assert (found["accuracy"]["value"], found["bias"]["value"]) == (1.0, 0.0)
    assert "repeated_items" in found["flags"], "iterations of one session are not independent"


def test_iterations_without_a_session_are_not_one_cluster(api: Api):
    push(api, *(iteration(n, value) for n, value in enumerate(FIVE)))
    for id in ids(api):
        post(api, id, scorer_name="human_label", value=1, source="human")
    assert "repeated_items" not in api.read("/calibration", judge="outcome", human="human_label")["flags"]


def test_the_scorers_of_a_project_name_those_of_iterations(api: Api):
    push(api, iteration(1), iteration(2, 0.5))
    found = {one["name"]: one for one in api.items("/scorers")}
    assert found["outcome"]["target_types"] == ["iteration"]
    assert (found["outcome"]["n"], found["outcome"]["gives"]) == (2, "numbers")
    assert "outcome.landed" in found
    assert "outcome.scope" not in found


def test_drift_of_iterations_is_a_comparison_of_periods(api: Api):
    push(api, iteration(1))
    refusal = Refusal.of(api.get(f"/projects/{api.project}/drift", scorer_name="outcome"))
    assert refusal.said == (404, "NOT_FOUND")
    assert "GET /v1/iterations/compare?by=period" in refusal.message


def test_a_thousand_iterations_are_scored_in_one_push(api: Api):
    push(api, *(iteration(number, 0.5) for number in range(1000)))
    found = {one["name"]: one["n"] for one in api.items("/scorers")}
    assert found["outcome"] == found["outcome.landed"] == 1000
