"""What pages show of iterations: values over time in brief, and the context of one of them."""

from typing import Any

import pytest

from contract.caller import Api, Refusal, expect
from contract.test_outcomes import COMPAT, OURS, claim, iteration, push, row

SESSION_ID = "0f8c-session"


def numbers(shown: Any) -> list[int]:
    return [point["iteration"] for point in shown["iterations"]]


def lost(landed: float, scope: float, *, self_reported: bool = False, **fields: Any) -> dict[str, Any]:
    """An iteration on two signals of weights 0.5 and 0.25 of the rubric."""
    rows = [row("landed", 0.5, landed, 0.75), row("scope", 0.25, scope, 0.75), row("tests", 0.25, None)]
    rows[1]["self_reported"] = self_reported
    value = sum(signal.get("contribution", 0.0) for signal in rows)
    return iteration(1, value) | {"breakdown": rows, "band": "good", **fields}


def test_values_over_time_are_ascending_and_whole_sessions_come_with_them(api: Api):
    push(
        api, *(iteration(n, 0.1 * n, session_id=f"s{n // 3}", model="large" if n % 2 else "small") for n in range(1, 7))
    )
    shown = api.read("/iterations/trend")
    assert numbers(shown) == [1, 2, 3, 4, 5, 6]
    assert (shown["source"], shown["sources"], shown["rubric_version"]) == ("repo", ["repo"], OURS)
    assert (shown["total"], shown["has_older"]) == (6, False)
    assert [session["session_id"] for session in shown["sessions"]] == ["s0", "s1", "s2"]
    odd = api.read("/iterations/trend", model="large", session_id="s1")
    assert numbers(odd) == [3, 5]
    assert odd["sessions"][0]["iterations"] == [3, 4, 5]


def test_the_newest_come_first_and_older_ones_are_asked_for_by_number(api: Api):
    push(api, *(iteration(n, 0.5) for n in range(1, 8)))
    newest = api.read("/iterations/trend", limit=3)
    assert (numbers(newest), newest["has_older"], newest["total"]) == ([5, 6, 7], True, 7)
    older = api.read("/iterations/trend", limit=4, before=5)
    assert (numbers(older), older["has_older"]) == ([1, 2, 3, 4], False)
    assert numbers(api.read("/iterations/trend", before=1)) == []


def test_a_point_says_what_kept_it_down_and_what_it_stands_on(api: Api):
    push(api, lost(0.25, 0.5, self_reported=True, commit="29d3a29", task_id="discount", labels=["new"]))
    (point,) = api.read("/iterations/trend")["iterations"]
    assert point["largest_loss"] == {"signal": "landed", "label": "Landed", "lost": 0.5, "detail": "seen"}
    assert point["observed"] == ["landed"]
    assert (point["commit"], point["task_id"], point["labels"]) == ("29d3a29", "discount", ["new"])
    assert (point["provisional"], point["why_provisional"]) == (False, None)


def test_nothing_is_lost_where_all_was_reached_or_nothing_scored(api: Api):
    push(api, iteration(1, 1.0), iteration(2, None), iteration(3, 1.0, weight=0.2))
    best, unscored, little = api.read("/iterations/trend")["iterations"]
    assert (best["largest_loss"], unscored["largest_loss"]) == (None, None)
    assert (unscored["value"], unscored["why_provisional"]) == (None, "on 0% of the evidence, 35% are needed")
    assert little["why_provisional"] == "on 20% of the evidence, 35% are needed"


def test_one_source_by_one_rubric_is_shown_and_the_others_are_named(api: Api):
    push(api, iteration(1), source="first")
    push(api, iteration(2), iteration(3, 0.5), source="second")
    push(api, iteration(2, 0.25, rubric_version=COMPAT, profile="compat"), source="second")
    shown = api.read("/iterations/trend")
    assert (shown["source"], shown["sources"]) == ("second", ["second", "first"])
    assert (shown["rubric_version"], shown["rubric_versions"], numbers(shown)) == (OURS, [COMPAT, OURS], [2, 3])
    assert numbers(api.read("/iterations/trend", source="first")) == [1]
    assert numbers(api.read("/iterations/trend", rubric_version=COMPAT)) == [2]
    nothing = api.read("/iterations/trend", source="third")
    assert (nothing["source"], nothing["iterations"], nothing["sources"]) == (None, [], ["second", "first"])


def test_around_an_iteration_are_its_neighbours_its_session_and_other_rubrics(api: Api):
    push(api, iteration(1), iteration(3, 0.5, session_id="s"), iteration(4, 0.7, session_id="s"), iteration(9))
    push(api, iteration(3, 0.25, rubric_version=COMPAT, profile="compat"))
    push(api, iteration(2), source="other")
    third = next(
        one["id"] for one in api.read("/iterations/trend", source="repo")["iterations"] if one["iteration"] == 3
    )
    around = api.read(f"/iterations/{third}/context")
    assert (around["previous"]["iteration"], around["next"]["iteration"]) == (1, 4)
    assert around["session"]["iterations"] == [3, 4]
    assert [(one["rubric_version"], one["value"]) for one in around["other_rubrics"]] == [(COMPAT, 0.25)]
    first = api.read(f"/iterations/{around['previous']['id']}/context")
    assert (first["previous"], first["session"], first["trace_count"]) == (None, None, 0)


def test_traces_that_name_the_session_are_counted(api: Api):
    times = {"start_time": "2026-06-01T10:00:00Z", "end_time": "2026-06-01T10:00:01Z"}
    for trace in ("t1", "t2", "t3"):
        session = SESSION_ID if trace != "t3" else "another"
        span = {"id": "a", "trace_id": trace, "name": "turn", "metadata": {"session.id": session}, **times}
        expect(201, api.post("/traces/ingest", {"project_id": api.project, "spans": [span]}))
    push(api, iteration(1, session_id=SESSION_ID))
    (id,) = api.ids("/iterations")
    around = api.read(f"/iterations/{id}/context")
    assert (around["trace_count"], around["trace_count_capped"]) == (2, False)


def test_claims_against_facts_of_one_agent(api: Api):
    push(
        api,
        iteration(1, agent="codex", integrity=[claim(1, 0)]),
        iteration(2, agent="claude-code", integrity=[claim(1, 1)]),
    )
    of_one = api.read("/integrity", agent="codex")
    assert (of_one["n_iterations"], of_one["roles"][0]["overclaimed"]) == (1, 1)
    assert api.read("/integrity", agent="claude-code")["roles"][0]["overclaimed"] == 0
    assert api.read("/integrity", model="nobody")["n_iterations"] == 0


def test_a_rules_file_chooses_iterations(api: Api):
    old, new = "AGENTS.md@1f0c3a9d2b4e", "AGENTS.md@77aa01c4e9d2"
    push(api, iteration(1, rules_files=[old]), iteration(2, rules_files=[new, "CLAUDE.md@0a0a0a0a0a0a"]), iteration(3))
    push(api, iteration(4, rules_files=[]))
    assert numbers(api.read("/iterations/trend", rules_file="no rules file")) == [4]
    assert numbers(api.read("/iterations/trend", rules_file=new)) == [2]
    assert [one["iteration"] for one in api.items("/iterations", rules_file=old)] == [1]
    assert api.read("/iterations/facets", rules_file="AGENTS.md")["total"] == 0
    assert api.read("/iterations/trend")["iterations"][2]["rules_files"] is None


@pytest.mark.parametrize("query", [{"limit": 0}, {"limit": 1001}, {"before": -1}, {"before": "last"}])
def test_a_window_that_makes_no_sense_is_refused(api: Api, query: dict[str, Any]):
    refusal = Refusal.of(api.get("/iterations/trend", **query))
    assert refusal.said == (400, "INVALID_REQUEST")
    assert next(iter(query)) in refusal.message


def test_nothing_of_another_project_is_seen(api: Api, stranger: Api):
    push(api, iteration(1))
    assert stranger.read("/iterations/trend")["sources"] == []
    assert Refusal.of(stranger.get("/iterations/trend", project_id=api.project)).said == (404, "NOT_FOUND")
