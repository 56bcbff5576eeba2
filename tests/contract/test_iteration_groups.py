"""Groups of iterations: facets, summary, bars, and two groups compared with a verdict."""

from typing import Any

import pytest

from contract.caller import Api, Refusal, fresh_project
from contract.test_outcomes import COMPAT, OURS, iteration, push

LOW, HIGH = (0.1, 0.2, 0.3), (0.8, 0.9, 1.0)


def sessions(first: int, count: int, values: tuple[float, ...], **fields: Any) -> list[dict[str, Any]]:
    """Two iterations in each of so many sessions."""
    return [
        iteration(first + number, values[number % 3], session_id=f"s{first + number // 2}", **fields)
        for number in range(2 * count)
    ]


def compared(api: Api, by: str, **query: Any) -> Any:
    return api.read("/iterations/compare", by=by, **query)


def total(found: Any) -> Any:
    first = found["scorer_comparisons"][0]
    assert first["scorer_name"] == "outcome"
    return first


# --- two groups -----


def test_a_large_difference_between_two_models_is_decided(api: Api):
    push(api, *sessions(0, 20, LOW, model="small"), *sessions(100, 20, HIGH, model="large"))
    found = compared(api, "model", a="small", b="large")
    assert (found["by"], found["cluster_by"], found["rubric_version"]) == ("model", "session", OURS)
    assert found["base"] == {"name": "small", "n_iterations": 40, "n_provisional": 0, "n_clusters": 20}
    one = total(found)
    assert one["base"]["mean"] == pytest.approx(sum((LOW * 14)[:40]) / 40)
    assert (one["base"]["n"], one["base"]["n_absent"], one["base"]["clusters"]) == (40, 0, 20)
    low, high = one["delta_ci_95"]
    assert 0 < low < one["delta"] < high < 1
    assert (one["verdict"], one["ci_method"], one["more_clusters"], one["flags"]) == ("improved", "mover", None, [])
    assert one["words"].startswith("better, by ")
    assert one["p_value"] == one["p_value_adjusted"] < 0.001
    assert [other["scorer_name"] for other in found["scorer_comparisons"]] == ["outcome", "outcome.landed"]


def test_swapping_the_groups_turns_the_answer_round(api: Api):
    push(api, *sessions(0, 6, LOW, agent="codex"), *sessions(100, 6, HIGH, agent="claude-code"))
    there = total(compared(api, "agent", a="codex", b="claude-code"))
    back = total(compared(api, "agent", a="claude-code", b="codex"))
    assert (there["verdict"], back["verdict"]) == ("improved", "regressed")
    assert back["delta"] == -there["delta"]
    assert back["delta_ci_95"] == [-end for end in reversed(there["delta_ci_95"])]
    assert back["base"] == there["compare"]


def test_few_sessions_cannot_tell_and_say_how_many_more_would(api: Api):
    push(api, *sessions(0, 3, (0.4, 0.5, 0.6), model="small"), *sessions(100, 3, (0.5, 0.6, 0.7), model="large"))
    one = total(compared(api, "model"))
    assert one["verdict"] == "inconclusive"
    assert one["more_clusters"] > 0
    assert f"about {one['more_clusters']:,} more sessions in each group would probably decide it" in one["words"]
    assert one["words"].startswith("cannot tell: ")
    assert one["flags"] == ["few_clusters"]


def test_a_difference_that_is_too_small_to_matter_is_equivalent(api: Api):
    same = (0.5, 0.5, 0.5)
    push(api, *sessions(0, 40, same, model="small"), *sessions(100, 40, same, model="large"))
    assert total(compared(api, "model"))["verdict"] == "inconclusive"
    assert total(compared(api, "model", min_effect=0.2))["verdict"] == "equivalent"


def test_one_session_on_a_side_shows_no_spread(api: Api):
    push(api, *(iteration(n, 0.1, session_id="a", model="small") for n in range(30)))
    push(api, *sessions(100, 20, HIGH, model="large"))
    one = total(compared(api, "model"))
    assert (one["verdict"], one["delta_ci_95"], one["p_value"], one["more_clusters"]) == ("inconclusive", *[None] * 3)
    assert one["delta"] > 0.5
    assert "single cluster" in one["words"]


def test_provisional_iterations_are_counted_and_in_no_mean(api: Api):
    push(api, *sessions(0, 3, LOW, model="small"), *sessions(100, 3, HIGH, model="large"))
    push(api, *(iteration(200 + n, 1.0, weight=0.2, model="small", session_id="s0") for n in range(4)))
    found = compared(api, "model", a="small", b="large")
    assert (found["base"]["n_iterations"], found["base"]["n_provisional"]) == (6, 4)
    assert (total(found)["base"]["n"], total(found)["base"]["mean"]) == (6, pytest.approx(0.2))


def test_two_rubric_versions_are_never_mixed(api: Api):
    push(api, *sessions(0, 3, LOW, model="small"), *sessions(100, 3, HIGH, model="large"))
    push(api, *sessions(0, 3, HIGH, model="small", rubric_version=COMPAT, profile="compat"))
    found = compared(api, "model")
    assert (found["rubric_version"], found["rubric_versions"]) == (OURS, [COMPAT, OURS])
    assert total(found)["base"]["n"] == 6
    refusal = Refusal.of(api.get("/iterations/compare", by="model", rubric_version=COMPAT))
    assert refusal.said == (422, "GROUPS_UNCLEAR")
    by_rubric = compared(api, "rubric", a=OURS, b=COMPAT, model="small")
    assert (by_rubric["rubric_version"], total(by_rubric)["verdict"]) == (None, "improved")
    assert "shared_clusters" in total(by_rubric)["flags"]


def test_sessions_are_compared_by_task(api: Api):
    tasks = [iteration(n, 0.3 + 0.05 * (n % 3), session_id="a", task_id=f"t{n % 4}") for n in range(8)]
    tasks += [iteration(20 + n, 0.6 + 0.05 * (n % 3), session_id="b", task_id=f"u{n % 4}") for n in range(8)]
    push(api, *tasks)
    found = compared(api, "session", a="a", b="b")
    assert (found["cluster_by"], found["base"]["n_clusters"]) == ("task", 4)
    assert total(found)["delta_ci_95"] is not None
    assert total(compared(api, "session", a="a", b="b", cluster_by="session"))["delta_ci_95"] is None


def test_labels_may_overlap_and_what_is_in_both_is_in_neither(api: Api):
    push(
        api, *sessions(0, 2, LOW, labels=["old"]), *sessions(100, 2, HIGH, labels=["new", "other"]),
        iteration(300, 0.5, labels=["old", "new"]),
    )  # fmt: skip
    found = compared(api, "label", a="old", b="new")
    assert (found["base"]["n_iterations"], found["compare"]["n_iterations"]) == (4, 4)
    assert found["notes"] == ["1 iteration is in both groups, and left out of both"]


def test_periods_have_both_days_and_open_ends(api: Api):
    dates = ["2026-01-31", "2026-02-01T23:59:00Z", "2026-02-02", None, "soon"]
    push(api, *(iteration(n, 0.5, date=date, session_id=f"s{n}") for n, date in enumerate(dates)))
    found = compared(api, "period", a="..2026-01-31", b="2026-02-01..2026-02-02")
    assert (found["base"]["n_iterations"], found["compare"]["n_iterations"]) == (1, 2)
    assert "2 iterations are without a date, and in neither group" in found["notes"]


def test_iterations_without_a_session_are_told(api: Api):
    push(api, *(iteration(n, 0.5, model=f"m{n % 2}") for n in range(6)))
    found = compared(api, "model")
    assert found["base"]["n_clusters"] == 3
    assert found["notes"] == ["6 iterations are without a session, of 6; each counts as one of its own"]


def test_posted_scores_are_compared_under_their_own_names(api: Api):
    push(api, *sessions(0, 3, LOW, model="small"), *sessions(100, 3, HIGH, model="large"))
    drafts = [
        {"target_id": one["id"], "target_type": "iteration", "scorer_name": "human_label", "value": value,
         "source": "human"} for one in api.items("/iterations") for value in (one["value"], 0.5)
    ]  # fmt: skip
    api.make("/scores/batch", {"scores": drafts})
    found = compared(api, "model", a="small", b="large", scorer_name="human_label")
    (one,) = found["scorer_comparisons"]
    assert (one["scorer_name"], one["base"]["n"], one["base"]["mean"]) == ("human_label", 6, pytest.approx(0.35))
    everything = compared(api, "model", a="small", b="large")["scorer_comparisons"]
    assert everything[0]["scorer_name"] == "outcome"
    assert {other["scorer_name"] for other in everything} == {"outcome", "outcome.landed", "human_label"}
    by_name = {other["scorer_name"]: other for other in everything}
    assert by_name["human_label"]["p_value_adjusted"] >= by_name["human_label"]["p_value"]


REFUSED: dict[str, tuple[dict[str, Any], tuple[int, str], str]] = {
    "too many to guess": ({"by": "model"}, (422, "GROUPS_UNCLEAR"), "have 3 models (small, large, huge); name two"),
    "only one": ({"by": "agent"}, (422, "GROUPS_UNCLEAR"), "have one agent (codex); a comparison takes two"),
    "an unknown value": ({"by": "model", "a": "tiny", "b": "huge"}, (404, "NOT_FOUND"), "there are small, large, huge"),
    "the same twice": ({"by": "model", "a": "huge", "b": "huge"}, (400, "INVALID_REQUEST"), "name two groups"),
    "no period": ({"by": "period"}, (400, "INVALID_REQUEST"), "like 2026-01-01..2026-01-31"),
    "a bad period": ({"by": "period", "a": "may", "b": "..2026-01-01"}, (400, "INVALID_REQUEST"), "is not a period"),
    "a period turned round": (
        {"by": "period", "a": "2026-02-01..2026-01-01", "b": ".."}, (400, "INVALID_REQUEST"), "ends before it begins",
    ),
    "an unknown scorer": (
        {"by": "model", "a": "small", "b": "huge", "scorer_name": "x"}, (404, "NOT_FOUND"), "no numbers of 'x'",
    ),
    "an unknown way": ({"by": "weather"}, (400, "INVALID_REQUEST"), "by"),
    "an effect beyond the scale": ({"by": "model", "min_effect": 2}, (400, "INVALID_REQUEST"), "min_effect"),
}  # fmt: skip


@pytest.mark.parametrize("why", REFUSED)
def test_a_question_that_has_no_answer_is_refused_in_a_sentence(api: Api, why: str):
    query, said, words = REFUSED[why]
    push(api, *(iteration(n, model=model, agent="codex") for n, model in enumerate(("small", "large", "huge"))))
    refusal = Refusal.of(api.get("/iterations/compare", **query))
    assert refusal.said == said
    assert words in refusal.message


# --- one group -----


def test_a_summary_has_means_by_session_and_reasons(api: Api):
    push(api, *sessions(0, 4, (0.4, 0.6, 0.8)), iteration(50, None, session_id="s0"), iteration(51, weight=0.1))
    found = api.read("/iterations/summary")
    assert (found["n_iterations"], found["n_provisional"], found["rubric_version"]) == (8, 2, OURS)
    one = found["scores_by_scorer"]["outcome"]
    assert (one["mean"], one["n_scored"], one["clusters"]) == (pytest.approx(0.575), 8, 4)
    low, high = one["confidence_interval_95"]
    assert low < 0.575 < high
    scope = found["scores_by_scorer"]["outcome.scope"]
    assert (scope["mean"], scope["n_absent"], scope["reasons"]) == (None, 8, {"no evidence": 8})
    zero = api.read("/iterations/summary", missing="zero")["scores_by_scorer"]["outcome.scope"]
    assert zero["missing_policy"] == "zero"


def test_a_summary_of_labels_has_their_shares(api: Api):
    push(api, iteration(1, session_id="a"), iteration(2, session_id="b"))
    for id, label in zip(api.ids("/iterations"), ("merge", "reject"), strict=True):
        api.make("/scores", {"target_id": id, "target_type": "iteration", "scorer_name": "review", "value": label})
    found = api.read("/iterations/summary")["scores_by_scorer"]["review"]
    assert (found["mean"], found["distribution"], found["n_scored"]) == (None, {"merge": 1, "reject": 1}, 2)


def test_a_bar_is_decided_as_for_an_experiment(api: Api):
    push(api, *sessions(0, 20, (0.7, 0.8, 0.9)))
    bar = {"scorer_name": "outcome", "metric": "mean", "threshold": 0.5}
    found = api.read("/iterations/threshold", **bar, bound="ci")
    assert (found["decision"], found["n"], found["gap"]) == ("pass", 20, pytest.approx(0.2975))
    assert api.read("/iterations/threshold", **{**bar, "threshold": 0.8}, bound="ci")["decision"] == "undecided"
    assert api.read("/iterations/threshold", **{**bar, "threshold": 0.9}, bound="point")["decision"] == "fail"
    none = api.read("/iterations/threshold", **{**bar, "scorer_name": "nobody"})
    assert (none["decision"], none["reason"]) == ("undecided", "there are no scores of 'nobody'")
    refusal = Refusal.of(api.get("/iterations/threshold", **{**bar, "metric": "pass_at_k"}))
    assert refusal.said == (400, "INVALID_REQUEST")


def test_a_bar_over_provisional_iterations_alone_says_that_they_are_left_out(api: Api):
    push(api, iteration(1, 1.0, weight=0.2), iteration(2, 1.0, weight=0.2))
    result = api.read("/iterations/threshold", scorer_name="outcome", metric="mean", threshold=0.4)
    assert (result["decision"], result["actual_value"]) == ("undecided", None)
    assert result["reason"] == "there are no scores of 'outcome'; 2 provisional iterations left out, as in every mean"


def test_facets_count_what_can_be_chosen(api: Api):
    push(api, iteration(1, session_id="a", agent="codex", model="small", labels=["x", "y"]))
    push(api, iteration(2, 0.1, session_id="b", model="large", labels=["x"]), iteration(3, weight=0.2), source="other")
    found = api.read("/iterations/facets")
    assert (found["total"], found["provisional_count"]) == (3, 1)
    assert found["sources"] == [{"value": "other", "count": 2}, {"value": "repo", "count": 1}]
    assert [one["value"] for one in found["models"]] == ["large", "small"]
    assert found["agents"] == [{"value": "codex", "count": 1}]
    assert found["labels"] == [{"value": "x", "count": 2}, {"value": "y", "count": 1}]
    assert {one["value"] for one in found["bands"]} == {"excellent", "poor"}
    assert api.read("/iterations/facets", source="repo")["models"] == [{"value": "small", "count": 1}]


def test_nothing_of_another_project_is_seen(api: Api, stranger: Api, root: Api):
    push(api, *sessions(0, 2, LOW, model="a"), *sessions(100, 2, HIGH, model="b"))
    assert stranger.read("/iterations/facets")["total"] == 0
    assert stranger.read("/iterations/summary")["scores_by_scorer"] == {}
    assert Refusal.of(stranger.get("/iterations/compare", by="model")).said == (422, "GROUPS_UNCLEAR")
    refusal = Refusal.of(stranger.get("/iterations/compare", by="model", project_id=api.project))
    assert refusal.said == (404, "NOT_FOUND")
    assert root.read("/iterations/summary", project_id=fresh_project())["rubric_version"] is None


# --- by the files with rules for agents -----

OLD, NEW = "AGENTS.md@0123456789ab", "AGENTS.md@ba9876543210"


def test_two_versions_of_a_rules_file_are_compared_and_listed(api: Api):
    push(api, *sessions(0, 20, LOW, rules_files=[OLD]), *sessions(100, 20, HIGH, rules_files=[NEW]))
    push(api, iteration(200, 0.5))
    found = compared(api, "rules-file")
    assert (found["base"]["name"], found["compare"]["name"]) == (OLD, NEW)
    assert (found["base"]["n_iterations"], found["compare"]["n_iterations"]) == (40, 40)
    assert total(found)["verdict"] == "improved"
    assert compared(api, "rules-file", a="AGENTS.md@ba", b="AGENTS.md@01")["base"]["name"] == NEW
    facets = api.read("/iterations/facets")["rules_files"]
    assert facets == [{"value": NEW, "count": 40}, {"value": OLD, "count": 40}]
    listed = {one["iteration"]: one["rules_files"] for one in api.read("/iterations", limit=100)["items"]}
    assert (listed[0], listed[100], listed[200]) == ([OLD], [NEW], None)


def test_files_that_change_together_are_one_group_and_what_all_have_is_none(api: Api):
    twin = [name.replace("AGENTS", "CLAUDE") for name in (OLD, NEW)]
    same = "GEMINI.md@000000000000"
    push(api, *sessions(0, 3, LOW, rules_files=[OLD, twin[0], same]))
    push(api, *sessions(100, 3, HIGH, rules_files=[NEW, twin[1], same]))
    found = compared(api, "rules-file")
    assert (found["base"]["name"], found["compare"]["name"]) == (OLD, NEW)


def test_work_without_a_rules_file_is_a_group_of_its_own(api: Api):
    push(api, *sessions(0, 3, LOW, rules_files=[]), *sessions(100, 3, HIGH, rules_files=[NEW]))
    found = compared(api, "rules-file")
    assert (found["base"]["name"], found["compare"]["name"]) == ("no rules file", NEW)
    assert {one["value"] for one in api.read("/iterations/facets")["rules_files"]} == {"no rules file", NEW}


@pytest.mark.parametrize(
    ("query", "said", "words"),
    [
        ({"a": "AGENTS.md"}, (422, "GROUPS_UNCLEAR"), "2 rules files begin with 'AGENTS.md'"),
        ({"a": "CLAUDE.md"}, (404, "NOT_FOUND"), "no iteration here has the rules file 'CLAUDE.md'"),
        ({"a": OLD, "b": OLD[:-2]}, (400, "INVALID_REQUEST"), "a and b both mean"),
    ],
)
def test_a_rules_file_that_is_not_clear_is_refused(api: Api, query: dict[str, str], said: tuple[int, str], words: str):
    push(api, *sessions(0, 2, LOW, rules_files=[OLD]), *sessions(100, 2, HIGH, rules_files=[NEW]))
    refusal = Refusal.of(api.get("/iterations/compare", by="rules-file", **query))
    assert refusal.said == said
    assert words in refusal.message
