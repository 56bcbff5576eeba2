"""The scorer `rubric` with the network left out: what it asks, and which scores its answers make."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.model.score import InlineScoreDraft
from gnomon.scorers import Absent, Failed, ModelScorer, RubricJudge, Sample, Scored, build, config_hash
from gnomon.scorers.asking import JudgedValue, Prompt
from gnomon.scorers.rubric import Finding, RubricAnswer, ScoringRubric, read_rubric, render
from gnomon.service.scoring.scoring import Planned, doubled_name

RUBRIC: dict[str, Any] = {
    "version": 1,
    "name": "answers",
    "instructions": "Judge the answer.",
    "dimensions": [
        {"name": "truth", "description": "Is it true?", "weight": 3, "scale": {"0": "false", "10": "true"}},
        {"name": "tone", "description": "Is it polite?"},
    ],
    "paths_to_pass": {"handed over": {"minimum": {"tone": 5}, "findings": {"escalated": True}}},
}
SAMPLE = Sample("Capital of France?", "Paris, of course.")


def judge(**config: Any) -> RubricJudge:
    made = build("rubric", {"model": "gpt-4o", "rubric": RUBRIC, **config})
    assert isinstance(made, RubricJudge)
    return made


def said(truth: float = 8, tone: float = 6, overall: float = 7, **more: Any) -> str:
    scores = [("truth", truth), ("tone", tone)]
    answer = {
        "reasoning": "I looked.",
        "dimension_scores": [{"dimension": name, "score": score, "reasoning": f"{name}."} for name, score in scores],
        "overall_score": overall,
        "overall_assessment": "Fine.",
    }
    return json.dumps({**answer, **more})


def change(**keys: Any) -> dict[str, Any]:
    return {**copy.deepcopy(RUBRIC), **keys}


# --- configuration -----


def test_a_rubric_inside_a_configuration_is_the_rubric_of_a_file() -> None:
    """The same keys as a rubric file: numbers and booleans that a file has as text are taken as that text."""
    file = read_rubric(json.dumps(RUBRIC).encode(), "rubric.json")
    assert judge().rubric == file
    assert judge().rubric.content_hash == file.content_hash
    assert judge(rubric=file).rubric is file


def test_null_inside_a_rubric_is_as_absent() -> None:
    nulls = change(overall=None)
    nulls["dimensions"][1] |= {"weight": None, "scale": None}
    assert config_hash(judge(rubric=nulls)) == config_hash(judge())


def test_the_hash_is_of_the_whole_configuration_without_what_is_compared_with() -> None:
    whole = {config_hash(judge(**config)) for config in (
        {}, {"samples": 2}, {"temperature": 0.5}, {"fence": False}, {"model": "gpt-4o-mini"},
        {"rubric": change(version=2)}, {"rubric": change(overall="Be strict.")},
    )}  # fmt: skip
    assert len(whole) == 7
    assert config_hash(judge(expected_output="Paris")) == config_hash(judge())


@pytest.mark.parametrize(
    ("rubric", "field", "words"),
    [
        ([], "config.rubric", "should be a valid dictionary"),
        (change(dimensions={"truth": {}}), "config.rubric.dimensions", "valid tuple"),
        (change(dimensions=[{"name": "a"}]), "config.rubric.dimensions.0.description", "is required"),
        (
            change(dimensions=[{"name": "a", "description": "d", "max": 5}]),
            "config.rubric.dimensions.0.max",
            "is not known; config.rubric.dimensions.0 takes description, name, scale, weight",
        ),
        (
            change(paths_to_pass={"any": {"minimum": {"truth": 7}, "bar": 1}}),
            "config.rubric.paths_to_pass.any.bar",
            "is not known; config.rubric.paths_to_pass.any takes findings, minimum",
        ),
        (change(instructions=[[[[[[[[[[[]]]]]]]]]]]), "config.rubric", "nested too deep"),
        (change(instructions=object()), "config.rubric", "a value of type object cannot be part of a rubric"),
    ],
)
def test_what_is_wrong_inside_a_rubric_is_named_by_its_path(rubric: Any, field: str, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        judge(rubric=rubric)
    assert refused.value.code == "INVALID_SCORER_CONFIG"
    assert field in [problem.field for problem in refused.value.problems]
    assert words in refused.value.message


def test_an_unknown_key_inside_another_scorers_object_names_the_keys_there() -> None:
    config = {"model": "m", "prompt_template": "{{input}}{{output}}", "score_range": {"min": 0, "max": 1, "mid": 0.5}}
    with pytest.raises(InvalidInput, match=r"config\.score_range\.mid is not known; did you mean 'min'"):
        build("llm_judge", config)


# --- what is asked -----


def test_it_asks_what_the_rubric_asks() -> None:
    assert judge().render(SAMPLE, "mark") == render(judge().rubric, SAMPLE, (), "mark")
    finding = Finding(name="escalated", value=True, statement="A person was called.")
    assert judge().render(SAMPLE, "mark", [finding]) == render(judge().rubric, SAMPLE, [finding], "mark")


def test_an_expected_output_of_the_configuration_goes_before_the_samples() -> None:
    prompt = judge(expected_output="Lutetia").render(Sample("q", "a", "Paris"), "mark")
    assert isinstance(prompt, Prompt)
    assert "Lutetia" in prompt.text
    assert "Paris" not in prompt.text


def test_without_a_fence_it_is_another_question() -> None:
    fenced, bare = judge().render(SAMPLE, "mark"), judge(fence=False).render(SAMPLE, "mark")
    assert isinstance(fenced, Prompt)
    assert isinstance(bare, Prompt)
    assert fenced.fingerprint != bare.fingerprint
    assert "mark" not in bare.text + (bare.system or "")


values = st.none() | st.text() | st.floats() | st.lists(st.text(), max_size=2)


@given(st.builds(Sample, values, values, values), st.booleans())
def test_that_there_is_nothing_to_ask_is_known_before_it_is_rendered(sample: Sample, fence: bool) -> None:
    for scorer in (judge(fence=fence), build("llm_judge", {"model": "m", "prompt_template": "{{input}} {{output}}"})):
        assert isinstance(scorer, ModelScorer)
        prompt = scorer.render(sample, "mark")
        assert scorer.nothing_to_ask(sample) == (prompt if isinstance(prompt, Absent) else None)


def test_an_answer_is_kept_under_what_was_asked_and_the_shape() -> None:
    prompt = judge().render(SAMPLE, "mark")
    assert isinstance(prompt, Prompt)
    keys = {judge(**config).cache_key(prompt, vote) for config in ({}, {"model": "n"}, {"temperature": 0}) for vote in
            (0, 1)}  # fmt: skip
    assert len(keys) == 6
    assert judge(samples=3).cache_key(prompt, 0) == judge().cache_key(prompt, 0)
    assert judge().shape is RubricAnswer


# --- what the answers make -----


@given(*[st.floats(0, 10)] * 3)
def test_scores_from_0_to_10_become_shares(truth: float, tone: float, overall: float) -> None:
    verdict = judge().conclude(SAMPLE, [said(truth, tone, overall)], {})
    assert isinstance(verdict.overall, JudgedValue)
    found = [verdict.overall.value, *(score.value for score in verdict.parts.values())]
    assert found == [overall / 10, truth / 10, tone / 10]
    assert list(verdict.parts) == ["truth", "tone"]
    assert judge().read(SAMPLE, said(truth, tone, overall)) == Scored(overall / 10)


def test_parts_are_named_behind_the_name_of_the_whole() -> None:
    assert judge().part_names("quality") == {"truth": "quality.truth", "tone": "quality.tone"}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "empty"),
        ("I liked it.", "unparsable"),
        (said(overall=11), "unparsable"),
        (said(dimension_scores=[]), "dimensions"),
    ],
)
def test_an_answer_that_cannot_be_used_fails_with_itself_as_evidence(answer: str, reason: str) -> None:
    verdict = judge().conclude(SAMPLE, [answer], {})
    assert isinstance(verdict.overall, Failed)
    assert verdict.overall.reason == reason
    assert answer in (verdict.overall.evidence or "")
    assert (verdict.parts, verdict.unread) == ({}, {0})
    assert judge().read(SAMPLE, answer) == verdict.overall


def test_an_answer_in_a_code_block_is_read() -> None:
    assert judge().read(SAMPLE, f"```json\n{said()}\n```") == Scored(0.7)


def test_votes_that_are_lost_drop_out_and_are_named() -> None:
    lost = {1: Failed("unreadable: no shape", "hm")}
    verdict = judge(samples=3).conclude(SAMPLE, [said(overall=4), "hm", said(overall=8)], lost)
    assert isinstance(verdict.overall, JudgedValue)
    assert verdict.overall.value == pytest.approx(0.6)
    assert verdict.overall.metadata["vote_values"] == [0.4, 0.8]
    assert (verdict.overall.metadata["votes"], verdict.overall.metadata["valid_votes"]) == (3, 2)
    assert verdict.parts["tone"].metadata["spread"] == {"sd": 0.0, "min": 0.6, "max": 0.6, "n": 2}
    assert verdict.unread == {1}
    few = judge(samples=3).conclude(SAMPLE, [said(), "hm", "hm"], {1: lost[1], 2: lost[1]})
    assert few.overall == Failed("unreadable: no shape", "hm")


def test_a_path_that_needs_a_finding_stays_undecided_where_no_rule_finds_anything() -> None:
    overall = judge().conclude(SAMPLE, [said()], {}).overall
    assert isinstance(overall, JudgedValue)
    assert overall.metadata["passed"] is None
    assert overall.metadata["undecided"] == "path handed over needs the finding escalated, which was not given"


def test_what_no_database_takes_is_replaced_wherever_a_model_writes_it() -> None:
    answer = said(quotes=["a\0b"], reasoning="c\0d", overall_assessment="e\0f")
    overall = judge().conclude(SAMPLE, [answer], {}).overall
    assert isinstance(overall, JudgedValue)
    assert "\0" not in overall.rationale + str(overall.metadata["quotes_not_found"])
    assert overall.metadata["quotes_not_found"] == ["a\N{REPLACEMENT CHARACTER}b"]


def test_a_judge_that_makes_up_many_quotes_fills_no_database() -> None:
    answer = said(quotes=[f"{n} {'x' * 1_000}" for n in range(10_000)])
    overall = judge().conclude(SAMPLE, [answer], {}).overall
    assert isinstance(overall, JudgedValue)
    assert [len(quote) for quote in overall.metadata["quotes_not_found"]] == [300] * 10
    assert overall.metadata["flags"] == ["quote_not_found"]


# --- names -----


def planned(name: str, *dimensions: str) -> Planned:
    if not dimensions:
        return Planned(InlineScoreDraft(scorer_name=name), build("exact_match"))
    rubric = ScoringRubric.model_validate(
        {**RUBRIC, "version": "1", "paths_to_pass": {}, "dimensions": [{"name": one, "description": "d"} for one in
         dimensions]}
    )  # fmt: skip
    return Planned(InlineScoreDraft(scorer_name=name), judge(rubric=rubric))


@pytest.mark.parametrize(
    ("plans", "clash"),
    [
        ([planned("q", "tone"), planned("tone")], None),
        ([planned("q", "tone"), planned("q")], None),
        ([planned("q", "tone"), planned("q", "tone")], None),
        ([planned("q", "tone"), planned("q.tone")], "'q.tone' is a dimension of 'q' and a score of 'q.tone' too"),
        ([planned("q.tone"), planned("q", "tone")], "'q.tone' is a dimension of 'q' and a score of 'q.tone' too"),
        ([planned("a", "b.c"), planned("a.b", "c")], "'a.b.c' is a dimension of 'a.b' and a score of 'a' too"),
    ],
)
def test_a_name_that_two_scorers_would_use_is_found(plans: list[Planned], clash: str | None) -> None:
    found = doubled_name(plans)
    assert (found is None) == (clash is None)
    assert clash is None or (found or "").startswith(clash)
