"""A score draft that says why there is no score: `absent` or `failed` with a reason, in place of a value."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.caller import expect, span
from gnomon.errors import InvalidInput
from gnomon.model.score import InlineScoreDraft

WHY = "the reviewer skipped it"
REASONS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=1000)


def states(api, **query):
    """(scorer, state, reason, configuration) of what is known."""
    rows = api.items("/scoring-states", **query)
    return [(row["scorer_name"], row["state"], row["reason"], row["config_hash"]) for row in rows]


@pytest.mark.parametrize("state", ["absent", "failed"])
def test_a_reason_is_kept_as_a_state_and_the_answer_is_that_of_a_built_in_without_a_score(api, state):
    run = api.answer("x")
    answer = api.score(run.id, "kindness", **{state: WHY})
    assert (answer.status_code, answer.json()) == (200, None)
    assert api.scores(run.id) == []
    assert states(api, target_id=run.id) == [("kindness", state, WHY, None)]
    assert states(api, experiment_id=run.experiment_id, state=state) == [("kindness", state, WHY, None)]


@pytest.mark.parametrize("state", ["absent", "failed"])
def test_a_summary_counts_a_stated_reason_as_that_of_a_built_in(api, state):
    run = api.answer("x")
    expect(200, api.score(run.id, "kindness", **{state: WHY}))
    expect(200, api.score(run.id, "exact_match"))  # the item has no expected output
    scorers = api.read(f"/experiments/{run.experiment_id}/summary")["scores_by_scorer"]
    told = scorers["kindness"]
    counts = {name: told[name] for name in ("n_total", "n_scored", "n_absent", "n_failed", "n_pending")}
    assert counts == {"n_total": 1, "n_scored": 0, "n_pending": 0, "n_absent": 0, "n_failed": 0} | {f"n_{state}": 1}
    assert told["reasons"] == {WHY: 1}
    assert told["mean"] is None
    assert set(told) == set(scorers["exact_match"])
    (listed,) = api.items(f"/experiments/{run.experiment_id}/runs")
    assert listed["scores"] == []


@pytest.mark.parametrize("state", ["absent", "failed"])
def test_a_run_with_several_states_of_one_scorer_is_counted_once_by_the_newest(api, state):
    """Every run is scored, absent, failed or pending: the four add up to all runs."""
    run = api.answer("x")
    expect(200, api.score(run.id, "contains"))  # the item has no expected output
    expect(200, api.score(run.id, "contains", **{state: WHY}))
    told = api.read(f"/experiments/{run.experiment_id}/summary")["scores_by_scorer"]["contains"]
    assert told["n_total"] == sum(told[f"n_{name}"] for name in ("scored", "absent", "failed", "pending")) == 1
    assert told["reasons"] == {WHY: 1}


def test_a_built_in_s_name_with_a_reason_is_not_computed(api):
    run = api.answer("Paris", expected_output="Paris")
    expect(200, api.score(run.id, "exact_match", failed="the checker was away", config={"not": "validated"}))
    assert api.scores(run.id) == []
    assert states(api, target_id=run.id) == [("exact_match", "failed", "the checker was away", None)]


def test_a_batch_mixes_values_reasons_and_computed_scores(api):
    run = api.answer("Paris", expected_output="Paris")
    of_run = {"target_id": run.id, "target_type": "run"}
    drafts = [
        {**of_run, "scorer_name": "tone", "value": 0.5},
        {**of_run, "scorer_name": "kindness", "absent": WHY},
        {**of_run, "scorer_name": "exact_match"},
        {**of_run, "scorer_name": "safety", "failed": "timed out"},
    ]
    told = api.make("/scores/batch", {"scores": drafts})
    assert told["accepted"] == 2
    assert [id is None for id in told["score_ids"]] == [False, True, False, True]
    found = {(name, state, reason) for name, state, reason, _ in states(api, target_id=run.id)}
    assert found == {("tone", "scored", None), ("exact_match", "scored", None), ("kindness", "absent", WHY),
                     ("safety", "failed", "timed out")}  # fmt: skip


def test_reasons_inline_in_runs_are_kept_with_the_run(api):
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id)
    inline = [{"scorer_name": "kindness", "absent": WHY}, {"scorer_name": "safety", "failed": "timed out"}]
    run_id = api.run(experiment_id, dataset.item_ids[0], scores=inline)
    assert sorted(states(api, target_id=run_id)) == [
        ("kindness", "absent", WHY, None),
        ("safety", "failed", "timed out", None),
    ]


def test_reasons_inline_in_spans_are_kept_with_the_span(api):
    inline = [{"scorer_name": "kindness", "absent": WHY}, {"scorer_name": "tone", "value": 1}]
    api.trace(span(scores=inline))
    found = {(name, state, reason) for name, state, reason, _ in states(api, target_id="root")}
    assert found == {("kindness", "absent", WHY), ("tone", "scored", None)}
    expect(200, api.score("root", "safety", "span", failed="timed out"))
    assert ("safety", "failed", "timed out", None) in states(api, target_id="root")


@pytest.mark.parametrize(
    ("stated", "named"),
    [
        ({"value": 1, "absent": WHY}, ["`value`", "`absent`"]),
        ({"value": 0.0, "failed": WHY}, ["`value`", "`failed`"]),
        ({"absent": WHY, "failed": WHY}, ["`absent`", "`failed`"]),
        ({"value": "good", "absent": WHY, "failed": WHY}, ["`value`", "`absent`", "`failed`"]),
    ],
)
def test_two_results_at_once_are_refused_and_both_are_named(api, stated, named):
    run = api.answer("x")
    one = {"target_id": run.id, "target_type": "run", "scorer_name": "kindness", **stated}
    for path, body in (("/scores", one), ("/scores/batch", {"scores": [one]})):
        refused = api.refusal("POST", path, body)
        assert refused.said == (400, "INVALID_REQUEST")
        assert refused.message.count("contradict each other") == 1
        assert all(name in refused.message for name in named)
    inline = {"scorer_name": "kindness", **stated}
    runs = {"runs": [{"dataset_item_id": run.item_ids[0], "output": "x", "scores": [inline]}]}
    assert api.refusal("POST", f"/experiments/{run.experiment_id}/runs", runs).said == (400, "INVALID_REQUEST")
    spans = {"spans": [span(scores=[inline])]}
    refused = api.refusal("POST", "/traces/ingest", spans)
    assert (refused.said[0], all(name in refused.message for name in named)) == (400, True)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 1001, 1, True, ["x"]])
@pytest.mark.parametrize("state", ["absent", "failed"])
def test_a_reason_is_a_text_of_1_to_1000_characters(api, state, reason):
    run = api.answer("x")
    body = {"target_id": run.id, "target_type": "run", "scorer_name": "kindness", state: reason}
    refused = api.refusal("POST", "/scores", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert [error["field"] for error in refused.errors] == [state]
    assert "1 to 1000 characters" in refused.message


def test_a_reason_of_1000_characters_is_kept_whole(api):
    run = api.answer("x")
    expect(200, api.score(run.id, "kindness", absent="é" * 1000))
    assert states(api, target_id=run.id) == [("kindness", "absent", "é" * 1000, None)]


def test_null_is_as_absent_beside_a_reason(api):
    run = api.answer("x")
    expect(200, api.score(run.id, "kindness", value=None, absent=WHY, failed=None))
    assert states(api, target_id=run.id) == [("kindness", "absent", WHY, None)]


def test_a_name_that_is_no_built_in_needs_a_value_or_a_reason(api):
    run = api.answer("x")
    body = {"target_id": run.id, "target_type": "run", "scorer_name": "kindness"}
    refused = api.refusal("POST", "/scores", body)
    assert refused.said == (400, "INVALID_REQUEST")
    assert all(f"`{name}`" in refused.message for name in ("value", "absent", "failed"))


def test_a_later_value_replaces_the_state(api):
    run = api.answer("x")
    expect(200, api.score(run.id, "kindness", absent=WHY))
    expect(201, api.score(run.id, "kindness", value=0.5))
    assert states(api, target_id=run.id) == [("kindness", "scored", None, None)]
    assert states(api, experiment_id=run.experiment_id) == []
    told = api.read(f"/experiments/{run.experiment_id}/summary")["scores_by_scorer"]["kindness"]
    assert (told["n_scored"], told["n_absent"], told["reasons"]) == (1, 0, {})


def test_a_later_value_in_a_batch_replaces_the_states_of_its_targets_only(api):
    dataset = api.questions(3)
    experiment_id = api.experiment(dataset.id)
    runs = [api.run(experiment_id, item, scores=[{"scorer_name": "k", "absent": WHY}]) for item in dataset.item_ids]
    drafts = [{"target_id": run, "target_type": "run", "scorer_name": "k", "value": 1} for run in runs[:2]]
    api.make("/scores/batch", {"scores": drafts})
    left = api.items("/scoring-states", experiment_id=experiment_id)
    assert [(row["target_id"], row["state"]) for row in left] == [(runs[2], "absent")]


def test_a_later_reason_replaces_the_reason(api):
    run = api.answer("x")
    expect(200, api.score(run.id, "kindness", absent=WHY))
    expect(200, api.score(run.id, "kindness", failed="timed out"))
    assert states(api, target_id=run.id) == [("kindness", "failed", "timed out", None)]


def test_a_later_state_leaves_the_score_which_counts(api):
    """As when a built-in is computed again and is absent: the score stays, and the state stands beside it."""
    run = api.answer("x")
    made = expect(201, api.score(run.id, "kindness", value=0.5))
    expect(200, api.score(run.id, "kindness", failed="timed out"))
    assert api.scores(run.id) == [made]
    assert sorted(states(api, target_id=run.id)) == [
        ("kindness", "failed", "timed out", None),
        ("kindness", "scored", None, None),
    ]
    told = api.read(f"/experiments/{run.experiment_id}/summary")["scores_by_scorer"]["kindness"]
    assert (told["n_scored"], told["n_failed"], told["mean"], told["reasons"]) == (1, 0, 0.5, {})


@pytest.mark.parametrize("reason_first", [True, False])
def test_within_a_batch_the_order_is_that_of_the_drafts(api, reason_first):
    run = api.answer("x")
    of_run = {"target_id": run.id, "target_type": "run", "scorer_name": "kindness"}
    drafts = [{**of_run, "absent": WHY}, {**of_run, "value": 0.5}]
    api.make("/scores/batch", {"scores": drafts if reason_first else drafts[::-1]})
    assert [state for _, state, _, _ in states(api, experiment_id=run.experiment_id)] == ["absent"] * (not reason_first)
    assert [score["value"] for score in api.scores(run.id)] == [0.5]


def test_a_reason_on_a_run_that_failed_leaves_the_count_of_failed_runs(api):
    dataset = api.questions(1)
    experiment_id = api.experiment(dataset.id)
    run = api.run(experiment_id, dataset.item_ids[0], error={"message": "broke"})
    expect(200, api.score(run, "kindness", absent=WHY))
    assert states(api, target_id=run) == [("kindness", "absent", WHY, None)]
    assert api.read(f"/experiments/{experiment_id}/summary")["failed_run_count"] == 1


@given(
    value=st.none() | st.floats(0, 1) | st.text(st.characters(codec="utf-8"), min_size=1),
    absent=st.none() | REASONS,
    failed=st.none() | REASONS,
)
@settings(max_examples=200)
def test_a_draft_has_at_most_one_result(value, absent, failed):
    """Exactly one of value, absent and failed, or none of them (then it is computed)."""
    results = [one for one in (value, absent, failed) if one is not None]
    fields = {"scorer_name": "s", "value": value, "absent": absent, "failed": failed}
    if len(results) > 1:
        with pytest.raises(InvalidInput, match="contradict each other"):
            InlineScoreDraft(**fields)
    else:
        assert InlineScoreDraft(**fields).is_computed == (not results)
