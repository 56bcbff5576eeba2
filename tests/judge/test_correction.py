"""A judge with known faults, asked through everything, and put right by people: the truth is in the corrected interval.

How often it is, over many judges and samples, is counted without a server further down, and in bench/validity.
"""

import random

import pytest

from contract.caller import Api
from gnomon.stats.correct import corrected_share
from gnomon.stats.interval import wilson
from gnomon.testing import SimulatedJudge, marked_items
from judge.conftest import Model
from judge.test_card import asked_all

LABELS, OTHERS = 200, 200


def test_people_put_a_biased_judge_right(api: Api, model: Model, database: str):
    good = {"sqlite": 0.5, "postgresql": 0.8}[database]
    items = marked_items(LABELS + OTHERS, good=good, seed=7)
    model.script = SimulatedJudge(sensitivity=0.95, specificity=0.6, seed=7)
    runs = asked_all(api, [item.output for item in items])
    labels = [
        {"target_id": runs[n], "target_type": "run", "scorer_name": "person", "value": float(items[n].good)}
        for n in random.Random(7).sample(range(len(items)), LABELS)
    ]
    api.make("/scores/batch", {"scores": labels})
    told = api.read("/calibration", judge="tone", human="person")
    truth = sum(item.good for item in items) / len(items)
    low, high = told["corrected_mean"]["confidence_interval_95"]
    assert low <= truth <= high
    raw_low, raw_high = told["judge_mean"]["confidence_interval_95"]
    assert not raw_low <= truth <= raw_high
    assert told["n_labelled"] == LABELS


@pytest.mark.parametrize("good", [0.5, 0.8])
def test_the_corrected_interval_holds_the_truth_as_often_as_it_says_and_the_raw_one_does_not(good: float):
    repeats, corrected, raw = 1000, 0, 0
    for seed in range(repeats):
        items = marked_items(LABELS + OTHERS, good=good, seed=seed)
        judge = SimulatedJudge(sensitivity=0.9, specificity=0.8, seed=seed)
        said = [float(judge.answer(item.output)) for item in items]
        labelled = [(said[n], float(items[n].good)) for n in range(LABELS)]  # the items come in no order
        found = corrected_share(labelled, said[LABELS:]).interval
        corrected += found is not None and found[0] <= good <= found[1]
        alone = wilson(int(sum(said)), len(said))
        raw += alone.low <= good <= alone.high
    assert 0.93 <= corrected / repeats <= 0.98
    assert raw / repeats < 0.85
