"""Outcome scores: pushed as an upsert, listed page by page, by session and by role, and shown as a page."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from contract.caller import Api, Refusal, expect, fresh_project
from contract.routes import ON_ITERATIONS, name
from gnomon.client import Client
from gnomon.model.outcome import IterationBatchDraft
from gnomon.service.embedded import Embedded
from gnomon.store.engine import open_store

FIELDS = {
    "id", "project_id", "source", "iteration", "rubric_version", "profile", "scored", "value", "band", "coverage",
    "provisional", "why_provisional", "breakdown", "integrity", "objectives", "session_id", "date", "task_id",
    "commit", "agent", "model", "labels", "rules_files", "created_at", "updated_at", "repository_url",
}  # fmt: skip
OURS = "2.1.0+gnomon.3"
COMPAT = "2.1.0"
BANDS = ((0.85, "excellent"), (0.7, "good"), (0.5, "fair"), (0.0, "poor"))


def row(signal: str, weight: float, value: float | None, of: float = 1.0) -> dict[str, Any]:
    """A row of a breakdown; `of` is the weight of all rows that are present."""
    if value is None:
        return {"signal": signal, "present": False, "nominal_weight": weight, "detail": "no evidence"}
    effective = weight / of
    return {
        "signal": signal, "label": signal.title(), "present": True, "sub_score": value, "detail": "seen",
        "nominal_weight": weight, "effective_weight": effective, "contribution": effective * value,
    }  # fmt: skip


def iteration(number: int, value: float | None = 1.0, *, weight: float = 0.6, **fields: Any) -> dict[str, Any]:
    """An iteration with this value, from one signal of this weight."""
    rows = [row("landed", weight, value, weight), row("scope", 1 - weight, None)]
    band = "unscored" if value is None else next(name for least, name in BANDS if value >= least)
    return {
        "iteration": number, "rubric_version": OURS, "profile": "gnomon", "scored": value is not None, "value": value,
        "band": band, "breakdown": rows, **fields,
    }  # fmt: skip


def claim(claimed: float | None, observed: float | None, role: str = "impl", signal: str = "tests") -> dict[str, Any]:
    def value(found: float | None) -> dict[str, Any]:
        return {"present": False, "detail": "no"} if found is None else {"present": True, "sub_score": found}

    return {"signal": signal, "role": role, "claimed": value(claimed), "observed": value(observed)}


def batch(api: Api, *iterations: dict[str, Any], source: str = "repo") -> dict[str, Any]:
    return {"project_id": api.project, "source": source, "iterations": list(iterations)}


def push(api: Api, *iterations: dict[str, Any], source: str = "repo") -> Any:
    answer = api.post("/iterations", batch(api, *iterations, source=source))
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def numbers(api: Api, **query: Any) -> list[int]:
    return [one["iteration"] for one in api.items("/iterations", **query)]


def refused(api: Api, *iterations: Any, by: Api | None = None) -> Refusal:
    """A batch that must be refused, and the proof that the partial file was removed."""
    before = api.items("/iterations", project_id=api.project)
    refusal = Refusal.of((by or api).post("/iterations", batch(api, *iterations)))
    assert api.items("/iterations", project_id=api.project) == before
    return refusal


# --- pushing -----


def test_an_iteration_is_kept_as_it_was_pushed(api: Api):
    whole = iteration(
        7, 0.75, session_id="s-1", date="2026-02-21", task_id="p1", commit="abc1234", integrity=[claim(1, 0.5)],
        objectives={"ran_tests": {"present": True, "sub_score": 1, "detail": "pytest"}},
    )  # fmt: skip
    assert expect(201, api.post("/iterations", batch(api, whole))) == {"accepted": 1, "created": 1, "updated": 0}
    (found,) = api.items("/iterations")
    assert set(found) == FIELDS
    for field in ("iteration", "value", "band", "scored", "profile", "rubric_version", "session_id", "date", "task_id"):
        assert found[field] == whole[field], field
    assert (found["commit"], found["source"], found["project_id"]) == ("abc1234", "repo", api.project)
    assert (found["coverage"], found["provisional"]) == (0.6, False)
    assert [one["signal"] for one in found["breakdown"]] == ["landed", "scope"]
    assert found["breakdown"][1] == {
        "signal": "scope", "label": "", "present": False, "sub_score": 0, "detail": "no evidence",
        "nominal_weight": 0.4, "effective_weight": 0, "contribution": 0, "self_reported": False,
    }  # fmt: skip
    assert found["integrity"][0]["observed"] == {"present": True, "sub_score": 0.5, "detail": ""}
    assert found["objectives"]["ran_tests"]["detail"] == "pytest"
    assert api.read(f"/iterations/{found['id']}") == found


def test_an_iteration_says_where_its_repository_is(api: Api):
    sent = batch(api, iteration(1))
    expect(201, api.post("/iterations", {**sent, "repository_url": "https://github.com/acme/shop"}))
    (iteration_with,) = api.items("/iterations")
    assert iteration_with["repository_url"] == "https://github.com/acme/shop"
    assert api.read(f"/iterations/{iteration_with['id']}") == iteration_with
    expect(200, api.post("/iterations", sent))
    assert api.items("/iterations")[0]["repository_url"] is None


@pytest.mark.parametrize(
    "address",
    [
        "", "github.com/acme/shop", "http://github.com/acme/shop", "javascript:alert(1)",
        "https://ana:secret@github.com/acme/shop", "https://github.com:8443/acme/shop", "https://github.com/acme/../shop",
        "https://github.com/acme/shop?x", "https://github.com/acme/shop\n", "https://github.com/acme/" + "a" * 300,
    ],
)  # fmt: skip
def test_an_address_that_no_page_may_link_is_refused(api: Api, address: str):
    body = {**batch(api, iteration(1)), "repository_url": address}
    refusal = Refusal.of(api.post("/iterations", body))
    assert (refusal.said, [error["field"] for error in refusal.errors]) == (
        (400, "INVALID_REQUEST"),
        ["repository_url"],
    )


def test_an_iteration_without_evidence_has_no_value(api: Api):
    push(api, iteration(1, None))
    (found,) = api.items("/iterations")
    assert (found["scored"], found["value"], found["band"], found["coverage"]) == (False, None, "unscored", 0)


@pytest.mark.parametrize(("weight", "provisional"), [(0.13, True), (0.34, True), (0.35, False), (1.0, False)])
def test_a_score_on_little_evidence_is_provisional(api: Api, weight: float, provisional: bool):
    push(api, iteration(1, 1.0, weight=weight))
    (found,) = api.items("/iterations")
    assert (found["coverage"], found["provisional"]) == (pytest.approx(weight), provisional)


def test_the_same_batch_twice_changes_nothing_but_when_it_was_updated(api: Api):
    same = batch(api, iteration(1), iteration(2, None))
    expect(201, api.post("/iterations", same))
    before = api.items("/iterations")
    assert expect(200, api.post("/iterations", same)) == {"accepted": 2, "created": 0, "updated": 2}
    after = api.items("/iterations")
    for old, new in zip(before, after, strict=True):
        assert new["updated_at"] >= old["updated_at"]
        assert {**new, "updated_at": None} == {**old, "updated_at": None}


def test_a_push_brings_what_is_there_up_to_date_and_adds_what_is_new(api: Api):
    push(api, iteration(1, 0.2, session_id="s"), iteration(2, 0.2))
    first = {one["iteration"]: one["id"] for one in api.items("/iterations")}
    assert push(api, iteration(3), iteration(1, 0.9)) == {"accepted": 2, "created": 1, "updated": 1}
    found = {one["iteration"]: one for one in api.items("/iterations")}
    assert {number: one["value"] for number, one in found.items()} == {1: 0.9, 2: 0.2, 3: 1.0}
    assert found[1]["id"] == first[1]
    assert found[1]["session_id"] is None, "the newest push says all"


def test_sources_and_rubric_versions_are_kept_apart(api: Api):
    push(api, iteration(1, 0.2), iteration(1, 0.4, rubric_version=COMPAT, profile="compat"))
    assert push(api, iteration(1, 0.6), source="other")["created"] == 1
    found = {(one["source"], one["rubric_version"]): one["value"] for one in api.items("/iterations")}
    assert found == {("repo", OURS): 0.2, ("repo", COMPAT): 0.4, ("other", OURS): 0.6}


def test_a_whole_batch_of_a_thousand_goes_in_at_once(api: Api):
    many = [iteration(number, session_id=f"s-{number // 10}") for number in range(1000)]
    assert push(api, *many) == {"accepted": 1000, "created": 1000, "updated": 0}
    assert push(api, *many) == {"accepted": 1000, "created": 0, "updated": 1000}
    assert numbers(api) == list(range(999, -1, -1))


def test_a_push_that_is_repeated_with_its_key_gets_the_first_answer(api: Api):
    body = batch(api, iteration(1))
    first = api.post("/iterations", body, idempotency_key="k")
    again = api.post("/iterations", body, idempotency_key="k")
    assert (again.status_code, again.json()) == (first.status_code, first.json()) == (201, again.json())
    assert again.headers["idempotency-replayed"] == "true"
    other = Refusal.of(api.post("/iterations", batch(api, iteration(2)), idempotency_key="k"))
    assert other.said == (422, "IDEMPOTENCY_MISMATCH")


def test_two_pushes_at_once_keep_every_iteration_once(api: Api):
    bodies = [batch(api, *(iteration(n, 0.5) for n in order)) for order in (range(60), range(59, -1, -1))] * 3
    with ThreadPoolExecutor(len(bodies)) as pool:
        told = [expect(answer.status_code, answer) for answer in pool.map(partial(api.post, "/iterations"), bodies)]
    assert sum(one["created"] for one in told) == 60
    assert numbers(api) == list(range(59, -1, -1))


# --- what is refused -----

CONTRADICTIONS = {
    "scored without a value": (iteration(2) | {"value": None}, "value", "send the value"),
    "a value that is not scored": (iteration(2, None) | {"value": 0.5}, "value", "leave the value out"),
    "rows that do not add up": (iteration(2, 0.5) | {"value": 0.6}, "value", "add up to 0.5, not to the value 0.6"),
    "a present row that is not scored": (
        iteration(2, None) | {"breakdown": [row("landed", 1.0, 0.0)]}, "breakdown", "'landed' is present",
    ),
    "scored without a present row": (
        iteration(2, 0.0) | {"breakdown": [row("landed", 1.0, None)]}, "breakdown", "no signal is present",
    ),
    "the same signal twice": (
        iteration(2, 1.0) | {"breakdown": [row("landed", 0.5, 1.0), row("landed", 0.5, 1.0)]}, "breakdown", "2 times",
    ),
    "a signal with an endless name": (
        iteration(2, 1.0) | {"breakdown": [row("s" * 249, 1.0, 1.0)]}, "breakdown", "248 are the most",
    ),
    "the same claim twice": (iteration(2, integrity=[claim(1, 1), claim(1, 0)]), "integrity", "more than once"),
}  # fmt: skip


@pytest.mark.parametrize("why", CONTRADICTIONS)
def test_a_contradiction_is_refused_by_index_and_field(api: Api, why: str):
    bad, field, words = CONTRADICTIONS[why]
    push(api, iteration(1, 0.1))
    refusal = refused(api, iteration(1), bad, iteration(3))
    assert refusal.said == (422, "INVALID_ITERATION")
    assert [(error["index"], error["field"]) for error in refusal.errors] == [(1, field)]
    assert words in refusal.message
    assert refusal.message.startswith(f"iterations[1].{field}: ")


def test_every_contradiction_of_a_batch_is_told(api: Api):
    refusal = refused(api, iteration(1) | {"value": None}, iteration(2), iteration(3, 0.5) | {"value": 0.4})
    assert [(error["index"], error["field"]) for error in refusal.errors] == [(0, "value"), (2, "value")]
    assert refusal.message.endswith("(and 1 more)")


def test_a_sum_that_is_off_by_rounding_is_taken(api: Api):
    push(api, iteration(1, 0.7) | {"value": 0.7 + 5e-10})
    refusal = refused(api, iteration(2, 0.7) | {"value": 0.7 + 5e-9})
    assert refusal.said == (422, "INVALID_ITERATION")


def test_the_same_iteration_twice_in_a_batch_is_refused(api: Api):
    other = iteration(4, rubric_version=COMPAT)
    refusal = refused(api, iteration(4), other, iteration(5), iteration(4, 0.5))
    assert refusal.said == (409, "DUPLICATE_ITERATION")
    assert [(error["index"], error["field"]) for error in refusal.errors] == [(3, "iteration")]
    assert "iteration 4 by rubric '2.1.0+gnomon.3' is in this batch twice, first at index 0" in refusal.message


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"iteration": -1}, "iteration"), ({"iteration": 1.5}, "iteration"), ({"iteration": "1"}, "iteration"),
        ({"iteration": True}, "iteration"), ({"value": 1.5}, "value"), ({"value": "0.5"}, "value"),
        ({"scored": 1}, "scored"), ({"band": ""}, "band"), ({"rubric_version": " "}, "rubric_version"),
        ({"profile": "other"}, "profile"), ({"breakdown": None}, "breakdown"),
        ({"session_id": "s" * 257}, "session_id"), ({"commit": 5}, "commit"),
        ({"breakdown": [row("landed", 1.0, 1.0) | {"sub_score": 2}]}, "breakdown[0].sub_score"),
        ({"integrity": [claim(1, 1, "boss")]}, "integrity[0].role"),
        ({"objectives": {"ran": {"present": "yes"}}}, "objectives.ran.present"),
    ],
    ids=lambda given: str(given)[:60],
)  # fmt: skip
def test_a_field_of_the_wrong_kind_is_refused_by_its_place(api: Api, change: dict[str, Any], place: str):
    refusal = refused(api, iteration(1), iteration(2) | change)
    assert refusal.said == (400, "INVALID_REQUEST")
    assert f"[1].{place}: " in refusal.message


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"source": "repo", "iterations": []}, "iterations"),
        ({"source": "repo", "iterations": [iteration(n) for n in range(1001)]}, "iterations"),
        ({"source": "repo"}, "iterations"),
        ({"source": "", "iterations": [iteration(1)]}, "source"),
        ({"iterations": [iteration(1)]}, "source"),
        ({"source": "repo", "iterations": [iteration(1)], "project_id": "a b"}, "project_id"),
    ],
    ids=["none", "too many", "missing", "blank source", "no source", "bad project"],
)
def test_a_malformed_batch_is_refused_by_its_field(api: Api, body: dict[str, Any], field: str):
    refusal = Refusal.of(api.post("/iterations", body))
    assert refusal.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refusal.errors] == [field]


def test_a_missing_project_is_asked_for_and_a_new_one_is_made(root: Api):
    body = {"source": "repo", "iterations": [iteration(1)]}
    assert Refusal.of(root.post("/iterations", body)).said == (400, "PROJECT_REQUIRED")
    for path in ("/iterations", "/sessions", "/integrity", "/outcomes/page"):
        assert Refusal.of(root.get(path)).said == (400, "PROJECT_REQUIRED"), path
    push(root, iteration(1))
    assert root.project in root.ids("/projects")
    assert numbers(root, project_id=root.project) == [1]


# --- who sees what -----


def test_a_reading_key_reads_and_does_not_push(api: Api, reader: Api):
    push(api, iteration(1))
    assert numbers(reader) == [1]
    assert refused(api, iteration(2), by=reader).said == (403, "FORBIDDEN")


@pytest.mark.parametrize("route", ON_ITERATIONS, ids=name)
def test_another_projects_iteration_is_as_if_it_were_not_there(api: Api, stranger: Api, route):
    push(api, iteration(1))
    call = route.about({"iteration": api.ids("/iterations")[0]})
    assert Refusal.of(stranger.call(**call)).said == (404, "NOT_FOUND")
    assert Refusal.of(stranger.call(**route.about({"iteration": "nobody"}))).said == (404, "NOT_FOUND")


def test_keys_of_other_projects_see_nothing(api: Api, stranger: Api):
    push(api, iteration(1, session_id="s", integrity=[claim(1, 1)]), iteration(2, session_id="s"))
    assert stranger.items("/iterations") == []
    assert stranger.items("/sessions") == []
    assert stranger.read("/integrity") == {
        "rubric_version": None, "rubric_versions": [], "n_iterations": 0, "roles": [],
    }  # fmt: skip
    assert "no iteration to show" in stranger.get("/outcomes/page").text
    for path in ("/iterations", "/sessions", "/integrity", "/outcomes/page"):
        assert Refusal.of(stranger.get(path, project_id=api.project)).said == (404, "NOT_FOUND"), path
    body = batch(api, iteration(1, 0.1))
    assert Refusal.of(stranger.post("/iterations", body)).said == (404, "NOT_FOUND")
    assert [one["value"] for one in api.items("/iterations")] == [1.0, 1.0]


def test_the_same_iterations_in_two_projects_are_two(api: Api, stranger: Api):
    push(api, iteration(1, 0.1))
    assert push(stranger, iteration(1, 0.9))["created"] == 1
    assert [one["value"] for one in api.items("/iterations")] == [0.1]


def test_an_unknown_project_is_an_empty_list(root: Api):
    nowhere = fresh_project()
    assert root.items("/iterations", project_id=nowhere) == root.items("/sessions", project_id=nowhere) == []
    assert root.read("/integrity", project_id=nowhere)["roles"] == []


# --- lists -----


def test_pages_show_the_highest_number_first_and_every_iteration_once(api: Api):
    push(api, *(iteration(number) for number in (4, 2, 9, 7, 1)))
    push(api, *(iteration(number) for number in (3, 9)), source="other")
    assert numbers(api, limit=2) == numbers(api) == [9, 9, 7, 4, 3, 2, 1]
    assert [one["source"] for one in api.items("/iterations", limit=1)][:2] == ["other", "repo"]


def test_iterations_that_come_in_meanwhile_hide_none_and_repeat_none(api: Api):
    push(api, *(iteration(number) for number in range(10, 20)))
    page = api.read("/iterations", limit=4)
    push(api, *(iteration(number) for number in (9, 12, 15, 30)))
    seen = [one["iteration"] for one in page["items"]]
    while page["next_cursor"]:
        page = api.read("/iterations", limit=4, cursor=page["next_cursor"])
        seen += [one["iteration"] for one in page["items"]]
    assert seen == [*range(19, 9, -1), 9]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"source": "repo"}, [4, 3, 2, 1]), ({"source": "none"}, []), ({"rubric_version": COMPAT}, [4]),
        ({"session_id": "s"}, [5, 2, 1]), ({"band": "poor"}, [3, 2]), ({"provisional": "true"}, [4, 3]),
        ({"provisional": "false"}, [5, 2, 1]), ({"agent": "codex"}, [2, 1]), ({"model": "small"}, [2]),
        ({"label": "new-rules"}, [1]), ({"label": "new"}, []),
        ({"source": "repo", "session_id": "s", "band": "poor"}, [2]),
    ],
    ids=str,
)  # fmt: skip
def test_filters_leave_what_is_asked_for(api: Api, query: dict[str, Any], found: list[int]):
    push(
        api, iteration(1, session_id="s", agent="codex", labels=["new-rules", "b"]),
        iteration(2, 0.1, session_id="s", agent="codex", model="small"), iteration(3, 0.2, weight=0.1),
        iteration(4, None, rubric_version=COMPAT),
    )  # fmt: skip
    push(api, iteration(5, session_id="s"), source="other")
    assert numbers(api, **query) == found
    assert numbers(api, limit=1, **query) == found


@pytest.mark.parametrize(("path", "query"), [("/iterations", {"provisional": "perhaps"}), ("/sessions", {"limit": 0})])
def test_a_malformed_filter_is_refused_by_its_name(api: Api, path: str, query: dict[str, Any]):
    refusal = Refusal.of(api.get(path, **query))
    assert refusal.said == (400, "INVALID_REQUEST")
    assert {error["field"] for error in refusal.errors} == set(query)


@pytest.mark.parametrize("path", ["/iterations", "/sessions"])
def test_a_cursor_holds_for_one_list_with_its_filters(api: Api, path: str):
    push(api, *(iteration(number, session_id=f"s{number}") for number in range(3)))
    cursor = api.read(path, limit=1)["next_cursor"]
    assert Refusal.of(api.get(path, limit=1, cursor=cursor, source="repo")).said == (400, "INVALID_REQUEST")


# --- sessions -----


def test_a_session_has_the_mean_of_its_scored_iterations_with_an_interval(api: Api):
    push(
        api, iteration(3, 0.9, session_id="a"), iteration(1, 0.5, session_id="a"), iteration(2, None, session_id="a"),
        iteration(4, 0.7, session_id="a", weight=0.2), iteration(5, 1.0),
    )  # fmt: skip
    (found,) = api.items("/sessions")
    assert (found["source"], found["session_id"], found["rubric_version"]) == ("repo", "a", OURS)
    assert (found["iterations"], found["n_scored"], found["n_provisional"]) == ([1, 2, 3, 4], 3, 1)
    assert (found["value"], found["band"]) == (0.7, "good")
    low, high = found["confidence_interval_95"]
    assert 0 <= low < 0.7 < high <= 1
    assert (found["ci_method"], found["ci_reason"], found["flags"]) == ("beta_moments", None, ["small_n"])
    assert found["per_iteration"][1] == {
        "iteration": 2, "value": None, "band": "unscored", "coverage": 0, "provisional": True,
    }  # fmt: skip
    assert [one["value"] for one in found["per_iteration"]] == [0.5, None, 0.9, 0.7]


def test_fewer_than_two_scored_iterations_have_a_reason_instead_of_an_interval(api: Api):
    push(api, iteration(1, 0.5, session_id="one"), iteration(2, None, session_id="none"))
    found = {one["session_id"]: one for one in api.items("/sessions")}
    assert (found["one"]["value"], found["one"]["confidence_interval_95"]) == (0.5, None)
    assert "a spread needs two" in found["one"]["ci_reason"]
    assert (found["none"]["value"], found["none"]["n_scored"], found["none"]["band"]) == (None, 0, "unscored")
    assert "no iteration of it was scored" in found["none"]["ci_reason"]


def test_values_that_rounding_carried_above_one_have_an_interval_too(api: Api):
    push(api, *(iteration(number, 1.0, session_id="s") | {"value": 1.0 + 5e-10} for number in range(20)))
    (found,) = api.items("/sessions")
    assert found["value"] == found["confidence_interval_95"][1] == 1


def test_two_rubric_versions_are_two_rows_and_never_mixed(api: Api):
    for version, value in ((OURS, 0.9), (COMPAT, 0.1), ("own-3", 0.5)):
        push(api, *(iteration(n, value, rubric_version=version, session_id="s") for n in (1, 2)))
    found = {one["rubric_version"]: (one["value"], one["iterations"]) for one in api.items("/sessions")}
    assert found == {OURS: (0.9, [1, 2]), COMPAT: (0.1, [1, 2]), "own-3": (0.5, [1, 2])}
    (only,) = api.items("/sessions", rubric_version="own-3")
    assert only["band"] is None, "only the rubric knows its bands"


def test_sessions_of_the_same_id_in_two_sources_are_two(api: Api):
    push(api, iteration(1, 0.1, session_id="s"))
    push(api, iteration(1, 0.9, session_id="s"), source="other")
    assert {one["source"]: one["value"] for one in api.items("/sessions")} == {"repo": 0.1, "other": 0.9}
    assert [one["value"] for one in api.items("/sessions", source="other")] == [0.9]


def test_sessions_are_the_newest_first_and_keep_their_place_while_iterations_come_in(api: Api):
    push(api, *(iteration(n, session_id=f"s{n // 2}") for n in range(9, -1, -1)))
    page = api.read("/sessions", limit=2)
    assert [one["session_id"] for one in page["items"]] == ["s4", "s3"]
    push(api, iteration(20, session_id="s0"), iteration(21, session_id="s9"))
    rest = api.items("/sessions", limit=2, cursor=page["next_cursor"])
    assert [one["session_id"] for one in rest] == ["s2", "s1", "s0"]
    assert rest[-1]["iterations"] == [0, 1, 20]


def test_an_empty_session_id_is_none(api: Api):
    push(api, iteration(1, session_id=""))
    assert api.items("/iterations")[0]["session_id"] is None
    assert api.items("/sessions") == []


# --- integrity -----


def test_claims_are_held_against_facts_by_role_and_signal(api: Api):
    push(
        api, iteration(1, integrity=[claim(1, 0), claim(1, 1, "verifier")]),
        iteration(2, integrity=[claim(1, 0.5), claim(1, None, "verifier")]), iteration(3),
    )  # fmt: skip
    found = api.read("/integrity")
    assert (found["rubric_version"], found["n_iterations"]) == (OURS, 3)
    impl, verifier = found["roles"]
    assert (impl["role"], impl["signal"], impl["n"], impl["mean_delta"]) == ("impl", "tests", 2, -0.75)
    assert (impl["overclaimed"], impl["overclaim_share"]) == (2, 1)
    assert impl["confidence_interval_95"][0] < -0.75 < impl["confidence_interval_95"][1]
    assert (verifier["n"], verifier["n_claimed_only"], verifier["confidence_interval_95"]) == (1, 1, None)
    assert "a spread needs two" in verifier["ci_reason"]


def test_claims_are_shown_by_the_last_pushed_rubric_of_the_default_profile(api: Api):
    older = "2.1.0+gnomon.1"
    push(api, iteration(1, rubric_version=older, integrity=[claim(1, 1)]))
    push(api, iteration(1, integrity=[claim(1, 0.25)]))
    push(api, iteration(1, rubric_version=COMPAT, profile="compat", integrity=[claim(1, 0)]))
    push(api, iteration(1, rubric_version=COMPAT, profile="compat", integrity=[claim(1, 1)]), source="other")
    found = api.read("/integrity")
    assert (found["rubric_version"], found["rubric_versions"]) == (OURS, [COMPAT, OURS, older])
    assert found["roles"][0]["mean_delta"] == -0.75
    assert api.read("/integrity", rubric_version=COMPAT)["roles"][0]["mean_delta"] == -0.5
    assert api.read("/integrity", rubric_version=COMPAT, source="repo")["roles"][0]["mean_delta"] == -1
    assert api.read("/integrity", source="other")["rubric_version"] == COMPAT, "there is only one there"


# --- the page -----


def test_the_page_shows_one_source_by_one_rubric_version_and_names_the_rest(api: Api):
    push(api, iteration(1, 0.25, rubric_version=COMPAT), source="old")
    push(api, iteration(1, 0.125, session_id="<b>s</b>"), iteration(2, 0.75, integrity=[claim(1, 1)]))
    answer = api.get("/outcomes/page")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "repo, rubric 2.1.0+gnomon.3: 2 iterations, 2 scored" in answer.text
    assert "<b>s</b>" not in answer.text
    assert "another source (old)" in answer.text
    other = api.get("/outcomes/page", source="old").text
    assert "old, rubric 2.1.0: 1 iteration, 1 scored" in other
    nothing = api.get("/outcomes/page", source="old", rubric_version=OURS).text
    assert "There is no iteration to show yet" in nothing
    assert "Nothing is stored under source &#39;old&#39; and rubric version &#39;2.1.0+gnomon.3&#39;" in nothing


def test_the_page_of_many_iterations_says_what_it_leaves_out(api: Api):
    push(api, *(iteration(n, 0.5, session_id=f"s{n // 4}") for n in range(310)))
    text = api.get("/outcomes/page").text
    assert "The newest 300 of 310 iterations are drawn" in text
    assert "The newest 50 sessions are listed" in text


# --- the client, the file, and a store that is built again -----


def drafts(api: Api, *iterations: dict[str, Any], source: str = "repo") -> IterationBatchDraft:
    return IterationBatchDraft.model_validate(batch(api, *iterations, source=source))


WORK = [
    iteration(n, None if n % 5 == 0 else (n % 7) / 7, weight=0.2 + n % 3 / 5, session_id=f"s{n // 6}",
              integrity=[claim(1, n % 2), claim(None if n % 3 else 0.5, 1, "review", "scope")])
    for n in range(1, 40)
]  # fmt: skip


def answers(place: Any, project: str) -> dict[str, Any]:
    """All that a place says of a project's iterations, but for ids and times."""
    own = {"id", "created_at", "updated_at", "project_id"}
    return {
        "iterations": [one.model_dump(exclude=own) for one in place.iterations(project)],
        "provisional": [one.iteration for one in place.iterations(project, "repo", OURS, provisional=True)],
        "one session": [one.iteration for one in place.iterations(project, session_id="s2", band="poor")],
        "sessions": [one.model_dump() for one in place.outcome_sessions(project, "repo")],
        "honesty": place.honesty(project, rubric_version=OURS).model_dump(),
    }


def test_client_and_embedded_file_give_the_same_answers_also_when_built_again(root: Api, server, tmp_path):
    with Client(server.url, server.admin_key) as client:
        accepted = client.push_iterations(drafts(root, *WORK))
        assert (accepted.created, accepted.updated) == (39, 0)
        assert client.push_iterations(drafts(root, *WORK)).updated == 39
        remote = answers(client, root.project)
    file = f"sqlite:///{tmp_path}/own.db"
    open_store(file).close()
    embedded = Embedded(file)
    for start in range(0, len(WORK), 10):
        embedded.push_iterations(drafts(root, *reversed(WORK[start : start + 10])))
    local = answers(embedded, root.project)
    embedded.close()
    assert local == remote
    assert len(remote["iterations"]) == 39
    assert [len(one["iterations"]) for one in remote["sessions"]] == [4, 6, 6, 6, 6, 6, 5]


def test_a_project_that_is_built_again_from_what_was_pushed_answers_the_same(root: Api, server):
    again = replace(root, project=fresh_project())
    with Client(server.url, server.admin_key) as client:
        client.push_iterations(drafts(root, *WORK))
        client.push_iterations(drafts(again, *WORK[::-1]))
        assert answers(client, again.project) == answers(client, root.project)
