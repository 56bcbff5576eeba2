"""Report cards of judges that were really asked, over HTTP."""

import pytest

from contract.caller import Api
from judge.conftest import Model, judge


def asked_all(api: Api, outputs: list[str], name: str = "tone", **config: object) -> list[str]:
    """An experiment with these outputs, each put before the judge, and all of its jobs ended; the runs' ids."""
    dataset = api.questions(len(outputs))
    experiment = api.experiment(dataset.id)
    scorer = {**judge(**config), "scorer": "llm_judge", "scorer_name": name}
    runs = [
        {"dataset_item_id": item, "output": output, "scores": [scorer]}
        for item, output in zip(dataset.item_ids, outputs, strict=True)
    ]
    made = api.make(f"/experiments/{experiment}/runs", {"runs": runs})
    for job in made["job_ids"]:
        api.finished(job)
    return list(made["run_ids"])


def test_a_judge_that_was_asked_is_listed_and_has_a_card(api: Api, model: Model):
    model.script = lambda seen: "well" if "odd" in seen.prompt else "1" if "plain" in seen.prompt else "0"
    asked_all(api, ["odd", "plain", "wrong", "poor"])
    (listed,) = api.items("/judges")
    assert (listed["scorer_name"], listed["model"], listed["scores"]) == ("tone", "judge-1", 3)
    found = api.read("/judges/tone/card", config_hash=listed["config_hash"])
    assert (found["config_hash"], found["last_used"]) == (listed["config_hash"], listed["last_used"])
    assert (found["parse_failures"]["value"], found["parse_failures"]["n"]) == (0.25, 4)
    assert found["failure_reasons"] == {"unparsable": 1}
    assert found["mean"]["value"] == pytest.approx(1 / 3)
    assert found["tokens_input"]["value"] > 0


def test_judges_are_listed_page_by_page_the_last_used_first(api: Api, model: Model):
    for name in ("first", "second", "third"):
        asked_all(api, ["a"], name)
    asked_all(api, ["b"], "third", temperature=0.5)
    listed = [(one["scorer_name"], one["config_hash"]) for one in api.items("/judges", limit=1)]
    assert [name for name, _ in listed] == ["third", "third", "second", "first"]
    assert len(set(listed)) == 4


def test_votes_of_one_question_are_repeats(api: Api, model: Model):
    votes = iter(["1", "1", "0"])
    model.script = lambda seen: next(votes)
    asked_all(api, ["a"], samples=3)
    found = api.read("/judges/tone/card")
    assert found["repeat_agreement"]["value"] == pytest.approx(1 / 3)
    assert found["repeat_difference"]["value"] == pytest.approx(2 / 3)


def test_the_card_in_short_stands_beside_the_judges_mean(api: Api, model: Model):
    model.script = lambda seen: "well" if "odd" in seen.prompt else "1"
    runs = asked_all(api, ["odd", "plain", "wrong", "poor"])
    for run, value in zip(runs[1:], [1, 1, 0], strict=True):
        api.score(run, "person", value=value, source="human")
    (experiment,) = api.ids("/experiments")
    told = api.read(f"/experiments/{experiment}/summary")["scores_by_scorer"]
    brief = told["tone"]["judge"]
    assert (brief["model"], brief["parse_failure_rate"], brief["answered"]) == ("judge-1", 0.25, 4)
    assert (brief["human"], brief["labelled"], brief["agreement"]) == ("person", 3, pytest.approx(2 / 3))
    assert brief["agreement_ci_95"][0] < 2 / 3 < brief["agreement_ci_95"][1]
    assert told["person"]["judge"] is None
