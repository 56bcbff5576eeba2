"""A judge held against people over HTTP, on both databases."""

import json

import pytest

from contract.caller import Refusal, span

AGREEMENT = {
    "accuracy", "cohen_kappa", "weighted_kappa_linear", "weighted_kappa_quadratic", "gwet_ac1", "krippendorff_alpha",
    "spearman_rho",
}  # fmt: skip
ESTIMATES = AGREEMENT | {
    "judge_mean", "human_mean", "bias", "prediction_powered_mean", "rogan_gladen_mean", "corrected_mean",
}  # fmt: skip
HUMAN = [1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1]
JUDGE = [1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1]


def rated(api, judges, humans, **fields):
    """One run for each pair; None is a rating that was not given. Returns the run ids."""
    dataset = api.questions(len(judges))
    experiment = api.experiment(dataset.id, **fields)
    runs = [
        {
            "dataset_item_id": item,
            "output": "x",
            "scores": [
                {"scorer_name": name, "value": value, **({"source": "human"} if name == "people" else {})}
                for name, value in (("judge", judge), ("people", human))
                if value is not None
            ],
        }
        for item, judge, human in zip(dataset.item_ids, judges, humans, strict=True)
    ]
    return api.make(f"/experiments/{experiment}/runs", {"runs": runs})["run_ids"]


def calibration(api, **query):
    found = api.read("/calibration", **{"judge": "judge", "human": "people", **query})
    for name in ESTIMATES:
        assert set(found[name]) == {"value", "confidence_interval_95", "method", "reason"}
        low_high, value = found[name]["confidence_interval_95"], found[name]["value"]
        if low_high is None:
            assert found[name]["reason"], name
        else:
            assert low_high[0] <= value <= low_high[1]
            assert low_high[0] < low_high[1]
    return found


def test_a_judge_and_people_on_the_same_runs(api):
    rated(api, [*JUDGE, 1, 1, 0], [*HUMAN, None, None, None])
    found = calibration(api)
    assert (found["n_labelled"], found["n_judge_only"], found["n_human_only"]) == (12, 3, 0)
    assert found["scale"] == "binary"
    assert found["accuracy"]["value"] == 0.75
    assert found["confusion"] == {"ratings": ["0", "1"], "counts": [[2, 2], [1, 7]]}
    rate = found["base_rates"][1]
    assert (rate["rating"], rate["judge"], rate["human"]) == ("1", 0.75, pytest.approx(2 / 3))
    for who in ("judge", "human"):
        low, high = rate[f"{who}_ci_95"]
        assert low < rate[who] < high
    assert found["bias"]["value"] == pytest.approx(1 / 12)
    assert found["judge_mean"]["value"] == pytest.approx(11 / 15)
    assert found["human_mean"]["value"] == pytest.approx(2 / 3)
    assert found["corrected_mean"]["method"] == "double_sampling"
    assert found["corrected_mean"] == found["rogan_gladen_mean"]
    assert "few_labels" in found["flags"]
    assert any(note.startswith("12 targets are labelled") for note in found["notes"])


def test_spans_count_as_well_as_runs_and_the_same_span_id_in_two_traces_is_two_targets(api):
    for trace, judge, human in (("t1", 1, 1), ("t2", 0, 0), ("t3", 1, 0)):
        api.trace(span("answer", trace_id=trace))
        for name, value in (("judge", judge), ("people", human)):
            assert api.score("answer", name, "span", trace_id=trace, value=value).status_code == 201
    rated(api, [1, 0], [1, None])
    found = calibration(api)
    assert (found["n_labelled"], found["n_judge_only"]) == (4, 1)
    assert found["accuracy"]["value"] == 0.75


def test_labels_are_compared_as_labels(api):
    rated(api, ["good", "bad", "good", "poor"], ["good", "bad", "bad", "poor"])
    found = calibration(api)
    assert found["scale"] == "labels"
    assert found["confusion"]["ratings"] == ["bad", "good", "poor"]
    assert found["accuracy"]["value"] == 0.75
    assert found["spearman_rho"]["reason"] == "labels have no order"
    assert found["corrected_mean"]["value"] is None


def test_grades_get_weighted_kappa_and_numbers_get_ranks(api):
    rated(api, [0.0, 0.5, 1.0, 0.5], [0.0, 0.5, 0.5, 1.0])
    assert calibration(api)["weighted_kappa_quadratic"]["value"] is not None
    fine = [n / 40 for n in range(40)]
    rated(api, fine, [value * 0.9 for value in fine])
    found = calibration(api)
    assert found["scale"] == "numbers"
    assert found["confusion"] is None
    assert found["cohen_kappa"]["value"] is None
    assert found["spearman_rho"]["value"] > 0.9
    assert found["corrected_mean"] == found["prediction_powered_mean"]


def test_several_scores_on_one_target_count_as_their_mean_or_their_majority(api):
    runs = rated(api, [1, 0], [1, 0])
    assert api.score(runs[0], "people", value=0).status_code == 201
    found = calibration(api)
    assert found["n_labelled"] == 2
    assert found["human_mean"]["value"] == 0.25
    assert "repeated_scores" in found["flags"]
    for label in ("yes", "no", "no"):
        assert api.score(runs[0], "vote", value=label).status_code == 201
    assert api.score(runs[0], "tone", value="no").status_code == 201
    assert calibration(api, judge="vote", human="tone")["accuracy"]["value"] == 1


def test_trials_of_one_item_are_told(api):
    dataset = api.questions(2)
    experiment = api.experiment(dataset.id, trials=2)
    both = [{"scorer_name": "judge", "value": 1}, {"scorer_name": "people", "value": 1}]
    for trial in (0, 1):
        api.run(experiment, dataset.item_ids[0], trial=trial, scores=both)
    assert "repeated_items" in calibration(api)["flags"]


def test_one_configuration_of_a_judge_can_be_asked_for(api):
    made = [api.answer("Paris", expected_output=expected) for expected in ("paris", "Paris", "Rome")]
    hashes = {}
    for run in made:
        api.make("/scores", {"target_id": run.id, "target_type": "run", "scorer_name": "people", "value": 1})
        for loose in (True, False):
            config = {"case_sensitive": not loose}
            body = {"target_id": run.id, "target_type": "run", "scorer_name": "exact_match", "config": config}
            hashes[loose] = api.make("/scores", body)["config_hash"]
    both = calibration(api, judge="exact_match")
    assert "mixed_configs" in both["flags"]
    assert hashes[True] in json.dumps(both["notes"])
    assert calibration(api, judge="exact_match", config_hash=hashes[True])["accuracy"]["value"] == pytest.approx(2 / 3)
    assert calibration(api, judge="exact_match", config_hash=hashes[False])["accuracy"]["value"] == pytest.approx(1 / 3)
    refused = Refusal.of(api.get("/calibration", judge="exact_match", human="people", config_hash="0" * 16))
    assert refused.said == (404, "NOT_FOUND")
    assert hashes[True] in refused.message


def test_labels_that_were_picked_are_noticed(api):
    rated(api, [0] * 20 + [1] * 40, [0, 1] * 10 + [None] * 40)
    found = calibration(api)
    assert "labels_not_random" in found["flags"]
    assert any("Mann–Whitney" in note for note in found["notes"])


def test_a_judge_no_better_than_chance_is_corrected_by_the_labels_and_told(api):
    rated(api, [1, 0] * 6 + [1, 0], [0, 1] * 6 + [None, None])
    found = calibration(api)
    assert found["corrected_mean"] == found["rogan_gladen_mean"]
    assert found["corrected_mean"]["value"] == pytest.approx(0.5)
    assert "no_better_than_chance" in found["flags"]
    assert any("it finds 0% of the ones and 0% of the zeros" in note for note in found["notes"])


def test_labels_of_one_class_have_an_answer_and_say_how_many_more_to_label(api):
    """Where 95 % are good, twenty labels often show nothing bad: the corrected mean is wide, never missing."""
    rated(api, [1] * 30, [1] * 20 + [None] * 10)
    found = calibration(api)
    assert found["corrected_mean"]["value"] == 1
    assert found["corrected_mean"]["confidence_interval_95"][0] < 0.9
    assert any("label about 420 more, chosen at random" in note for note in found["notes"])


def test_without_a_common_target_there_are_reasons_instead_of_numbers(api):
    rated(api, [1, 0, None], [None, None, 1])
    found = calibration(api)
    assert (found["n_labelled"], found["n_judge_only"], found["n_human_only"]) == (0, 2, 1)
    assert all(found[name]["value"] is None for name in AGREEMENT)
    assert found["judge_mean"]["value"] == 0.5
    assert found["corrected_mean"]["reason"] == "no target is rated by both"


# --- refusals ---


def test_an_unknown_scorer_is_refused_with_those_that_exist(api):
    rated(api, [1], [1])
    refused = Refusal.of(api.get("/calibration", judge="jugde", human="people"))
    assert refused.said == (404, "NOT_FOUND")
    assert "'jugde'" in refused.message
    assert "did you mean 'judge'?" in refused.message
    assert "\n" not in refused.message


def test_numbers_and_labels_cannot_be_compared(api):
    rated(api, [1, 0], ["good", "bad"])
    refused = Refusal.of(api.get("/calibration", judge="judge", human="people"))
    assert refused.said == (422, "INCOMPATIBLE_SCORES")
    assert "'judge' gave numbers and 'people' gave labels" in refused.message


def test_a_scorer_of_numbers_and_labels_cannot_be_compared(api):
    rated(api, [1, "good"], [1, 0])
    assert Refusal.of(api.get("/calibration", judge="judge", human="people")).said == (422, "INCOMPATIBLE_SCORES")


def test_a_judge_is_not_held_against_itself(api):
    assert Refusal.of(api.get("/calibration", judge="judge", human="judge")).said == (400, "INVALID_REQUEST")


@pytest.mark.parametrize("given", [{}, {"judge": "a"}, {"human": "a"}])
def test_both_names_are_needed(api, given):
    assert Refusal.of(api.get("/calibration", **given)).said[0] == 400


def test_another_projects_scores_are_not_seen(api, stranger):
    rated(api, [1, 0], [1, 0])
    assert Refusal.of(stranger.get("/calibration", judge="judge", human="people")).said[0] == 404
    asked = stranger.get("/calibration", judge="judge", human="people", project_id=api.project)
    assert Refusal.of(asked).said[0] == 404


def test_a_reader_may_ask_and_an_unbound_key_must_name_the_project(api, reader, root):
    rated(api, [1, 0], [1, 0])
    assert calibration(reader)["n_labelled"] == 2
    asked = {"judge": "judge", "human": "people"}
    assert Refusal.of(root.get("/calibration", **asked)).said == (400, "PROJECT_REQUIRED")
    assert root.read("/calibration", **asked, project_id=root.project)["n_labelled"] == 2
