"""Report cards and what to label next over HTTP, on both databases: with scores that were sent, as by a judge of one's
own. Judges that are asked here have their cards in tests/judge."""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from contract.caller import Api, span

FIGURES = {
    "mean", "parse_failures", "failed_votes", "repeat_agreement", "repeat_difference", "length_slope",
    "length_slope_beyond_people", "self_preference", "self_preference_beyond_people", "cost_usd", "tokens_input",
    "tokens_output", "latency_ms",
}  # fmt: skip


def judged(api: Api, values: list[Any], humans: Sequence[Any] = (), name: str = "tone", **about: Any) -> list[str]:
    """A run for each value with a score of a judge, and with people's where they gave one. The run ids."""
    dataset = api.questions(len(values))
    experiment = api.experiment(dataset.id, **about)
    runs = []
    for n, (item, value) in enumerate(zip(dataset.item_ids, values, strict=True)):
        told = {"model": "claude-sonnet-4", "cost_usd": 0.002, "tokens_input": 50, "latency_ms": 100 + n}
        scores = [{"scorer_name": name, "value": value, "metadata": told}]
        if n < len(humans) and humans[n] is not None:
            scores.append({"scorer_name": "people", "value": humans[n], "source": "human"})
        runs.append({"dataset_item_id": item, "output": "x" * 2 ** (n % 5 + 1), "scores": scores})
    return list(api.make(f"/experiments/{experiment}/runs", {"runs": runs})["run_ids"])


def card(api: Api, name: str = "tone", **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = api.read(f"/judges/{name}/card", **query)
    for figure in FIGURES:
        one = found[figure]
        assert set(one) == {"value", "confidence_interval_95", "method", "reason", "n"}
        if one["confidence_interval_95"] is None:
            assert one["reason"], figure
        else:
            low, high = one["confidence_interval_95"]
            assert low <= one["value"] <= high
    return found


def test_scores_that_were_sent_have_a_card_as_far_as_they_tell(api: Api):
    values = [0.5 + 0.08 * (n % 5) + 0.01 * (n % 3) for n in range(30)]
    judged(api, values, metadata={"model": "gpt-4o"})
    judged(api, [0.9] * 6, metadata={"model": "claude-haiku-4"})
    found = card(api)
    assert (found["scores"], found["read"], found["config_hash"]) == (36, 36, None)
    assert (found["model"], found["family"]) == ("claude-sonnet-4", "anthropic")
    assert found["mean"]["value"] == pytest.approx((math.fsum(values) + 5.4) / 36)
    assert found["families"] == {"openai": 30, "anthropic": 6}
    assert found["self_preference"]["value"] == pytest.approx(0.9 - math.fsum(values) / 30)
    assert found["self_preference"]["n"] == 36
    assert found["cost_usd"]["value"] == pytest.approx(0.002)
    assert found["tokens_output"]["reason"] == "no score tells it"
    assert found["latency_ms"]["method"] == "order_statistics"
    assert "were sent" in found["parse_failures"]["reason"]
    assert found["probe"] is None
    assert "were sent" in found["probe_reason"]


def test_twice_as_long_is_told_with_its_interval(api: Api):
    judged(api, [0.3 + 0.1 * (n % 5) + 0.02 * (n % 3) for n in range(30)])
    slope = card(api)["length_slope"]
    assert slope["value"] == pytest.approx(0.1, abs=0.005)
    assert slope["method"] == "jackknife"


def test_a_traces_model_says_whose_output_it_is(api: Api):
    for n in range(12):
        model, value = ("gpt-4o", 0.4) if n % 2 else ("claude-haiku-4", 0.8)
        api.trace(span("answer", trace_id=f"t{n}", output="x" * (n + 1), model=model))
        told = {"model": "anthropic/claude-sonnet-4"}
        assert api.score("answer", "tone", "span", trace_id=f"t{n}", value=value, metadata=told).status_code == 201
    found = card(api)
    assert found["families"] == {"anthropic": 6, "openai": 6}
    assert found["self_preference"]["value"] == pytest.approx(0.4)


def test_several_scores_of_one_target_are_repeats(api: Api):
    runs = judged(api, [1, 0, 1])
    for run, value in zip(runs, [1, 1, 1], strict=True):
        assert api.score(run, "tone", value=value).status_code == 201
    found = card(api)
    assert found["repeat_agreement"]["value"] == pytest.approx(2 / 3)
    assert found["repeat_agreement"]["n"] == 3
    assert found["repeat_difference"]["value"] == pytest.approx(1 / 3)


def test_metadata_that_says_nonsense_is_passed_over(api: Api):
    (run, _) = judged(api, [1, 0])
    nonsense = {"model": 4, "cost_usd": "dear", "votes": -1, "valid_votes": True, "latency_ms": None,
                "spread": {"min": 7, "max": "x", "n": 2}, "vote_values": ["good", 3]}  # fmt: skip
    assert api.score(run, "tone", value=0.5, metadata=nonsense).status_code == 201
    found = card(api)
    assert found["cost_usd"]["n"] == 2
    assert found["failed_votes"]["value"] is None
    assert any("only the spread" in note for note in found["notes"])


def test_people_are_found_by_themselves_or_by_name(api: Api):
    humans = [1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1]
    judged(api, [1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1], humans)
    for query in ({}, {"human": "people"}):
        held = card(api, **query)["people"]
        assert (held["human"], held["n_labelled"], held["accuracy"]["value"]) == ("people", 12, 0.75)
    assert api.refusal("GET", "/judges/tone/card?human=nobody").said == (404, "NOT_FOUND")


def test_a_scorer_with_a_slash_in_its_name_has_a_card(api: Api):
    judged(api, [1, 0], name="team/tone")
    assert card(api, "team/tone")["scores"] == 2
    assert api.read("/judges/team/tone/to-label")["scorer_name"] == "team/tone"


def test_nobody_has_no_card_and_says_who_is_there(api: Api, stranger: Api):
    judged(api, [1, 0])
    refused = api.refusal("GET", "/judges/nobody/card")
    assert refused.said == (404, "NOT_FOUND")
    assert "the scorers there are tone" in refused.message
    assert api.refusal("GET", "/judges/tone/card?config_hash=beef").said == (404, "NOT_FOUND")
    assert stranger.refusal("GET", "/judges/tone/card").said == (404, "NOT_FOUND")
    assert stranger.refusal("GET", "/judges/tone/to-label").said == (404, "NOT_FOUND")


def test_an_unbound_key_names_the_project(root: Api):
    judged(root, [1, 0])
    for path in ("/judges", "/judges/tone/card", "/judges/tone/to-label"):
        assert root.refusal("GET", path).said == (400, "PROJECT_REQUIRED")
    assert card(root, project_id=root.project)["scores"] == 2
    assert root.read("/judges", project_id=root.project)["items"] == []  # sent, not asked here


def test_a_reader_may_look(api: Api, reader: Api):
    judged(api, [1, 0])
    assert reader.read("/judges")["items"] == []
    assert reader.read("/judges/tone/card")["scores"] == 2


# --- what to label next -----


def test_targets_without_a_label_are_named_with_the_rule_in_words(api: Api):
    values = [n % 2 for n in range(120)]
    runs = judged(api, values, [1 if n % 2 or n % 8 == 0 else 0 for n in range(60)])
    found = api.read("/judges/tone/to-label", limit=200, target_width=0.09)
    assert (found["mode"], found["human"], found["n_labelled"], found["n_unlabelled"]) == ("random", "people", 60, 60)
    assert found["words"] == f"label {found['more_needed']} more for ± 9 points"
    assert {one["target_id"] for one in found["targets"]} == set(runs[60:])
    assert {one["judge"] for one in found["targets"]} == {0.0, 1.0}
    few = api.read("/judges/tone/to-label", limit=7, target_width=0.09)
    assert few["targets"] == found["targets"][:7]
    sure = api.read("/judges/tone/to-label", mode="informative", limit=5)
    assert {one["stratum"] for one in sure["targets"]} == {"0"}  # every 1 of the judge was right so far
    assert sure["estimate"]["method"] == "stratified"


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "target_width=0", "target_width=0.6", "mode=clever"])
def test_a_wish_that_makes_no_sense_is_refused_by_name(api: Api, query: str):
    refused = api.refusal("GET", f"/judges/tone/to-label?{query}")
    assert refused.said == (400, "INVALID_REQUEST")
    assert query.split("=")[0] in refused.errors[0]["field"]
