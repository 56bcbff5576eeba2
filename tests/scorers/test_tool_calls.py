"""Tool calls against those that were hoped for: modes, arguments, shapes of outputs, and what cannot be measured."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.interop import taubench
from gnomon.model.transcript import Step, ToolCall, Transcript, Turn
from gnomon.scorers import Absent, Failed, Measurement, Sample, Scored, build, score_columns


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args}


def measured(output: Any, hoped: Any = None, **config: Any) -> Measurement:
    return build("tool_calls", config).score(Sample(output=output, expected_output=hoped))


def value(output: Any, hoped: Any = None, **config: Any) -> float | str:
    found = measured(output, hoped, **config)
    assert isinstance(found, Scored), found
    return found.value


A, B, C = call("a"), call("b"), call("c")


@pytest.mark.parametrize(
    ("mode", "made", "wanted", "whole", "share"),
    [
        ("superset", [A, B, C], [C, A], 1, 1),
        ("superset", [A, B], [A, C], 0, 1 / 2),
        ("superset", [A], [A, A], 0, 1 / 2),
        ("superset", [], [A], 0, 0),
        ("in_order", [A, C, B], [A, B], 1, 1),
        ("in_order", [B, A], [A, B], 0, 1 / 2),
        ("in_order", [B, C, A, B], [A, B, C], 0, 2 / 3),
        ("any_order", [B, A], [A, B], 1, 1),
        ("any_order", [B, A, C], [A, B], 0, 2 / 3),
        ("any_order", [], [], 1, 1),
        ("any_order", [A], [], 0, 0),
        ("exact", [A, B], [A, B], 1, 1),
        ("exact", [B, A], [A, B], 0, 1 / 2),
        ("exact", [A, B, C], [A, B], 0, 2 / 3),
        ("exact", [], [], 1, 1),
        ("forbidden", [A, B], [C], 1, 1),
        ("forbidden", [A, B], [C, B], 0, 1 / 2),
        ("forbidden", [], [A], 1, 1),
    ],
)
def test_a_mode_says_which_calls_must_may_or_must_not_be_there(
    mode: str, made: list[Any], wanted: list[Any], whole: float, share: float
) -> None:
    assert value(made, wanted, mode=mode) == whole
    assert value(made, wanted, mode=mode, partial=True) == pytest.approx(share)
    if wanted or mode in ("exact", "any_order"):
        assert value(made, None, mode=mode, expected=wanted) == whole


@pytest.mark.parametrize(
    ("args", "made", "wanted", "score"),
    [
        ("exact", {"x": 42.0}, {"x": 42}, 1),
        ("exact", {"x": 1e21}, {"x": 10**21}, 1),
        ("exact", {"x": "42"}, {"x": 42}, 0),
        ("exact", {"x": True}, {"x": 1}, 0),
        ("exact", {"b": 1, "a": [1, {"z": None}]}, {"a": [1.0, {"z": None}], "b": 1}, 1),
        ("exact", {"x": 1, "y": 2}, {"x": 1}, 0),
        ("exact", {}, {}, 1),
        ("subset", {"x": 1, "y": 2}, {"x": 1}, 1),
        ("subset", {"to": {"name": "Ann", "id": 7}}, {"to": {"id": 7}}, 1),
        ("subset", {"list": [1, 2]}, {"list": [1]}, 0),
        ("subset", {"x": 1}, {"x": 1, "y": 2}, 0),
        ("ignore", {"x": 1}, {"y": 2}, 1),
    ],
)
def test_arguments_agree_as_json_with_numbers_as_numbers(
    args: str, made: dict[str, Any], wanted: dict[str, Any], score: float
) -> None:
    assert value([call("f", **made)], [call("f", **wanted)], args=args) == score


def test_a_call_that_names_no_arguments_is_met_by_any_and_takes_nothing_from_a_pickier_one() -> None:
    made = [call("f", x=1), call("f", x=2)]
    assert value(made[:1], [{"name": "f"}]) == 1
    assert value(made[:1], [{"name": "f", "args": {}}]) == 0
    assert value(made, [{"name": "f"}, call("f", x=1)]) == 1
    assert value(made, None, expected=[{"name": "f"}, call("f", x=1)], mode="any_order") == 1
    assert value(made, None, expected=[{"name": "f"}, call("f", x=1), call("f", x=1)], partial=True) == pytest.approx(
        2 / 3
    )


OPENAI = [
    {"role": "system", "content": "s"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}]},
    {"role": "tool", "tool_call_id": "1", "name": "g", "content": "fine"},
    {"role": "assistant", "content": "done"},
]  # fmt: skip
TRANSCRIPT = Transcript(
    scenario_id="s", run_id="r",
    steps=[Step(step_id=0, turns=[
        Turn(agent_text=None, tool_calls=[ToolCall(tool="f", args={"x": 1}, result={}, routed_to="none")])])],
)  # fmt: skip


@pytest.mark.parametrize(
    "output",
    [
        [{"name": "f", "args": {"x": 1}}],
        [{"tool": "f", "arguments": {"x": 1}}],
        [{"name": "f", "arguments": '{"x": 1}'}],
        {"tool_calls": [{"name": "f", "args": {"x": 1}}]},
        {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {"x": 1}}}]},
        {"messages": OPENAI},
        OPENAI,
        json.dumps(OPENAI),
        [{"role": "assistant", "function_call": {"name": "f", "arguments": '{"x":1}'}}],
        [{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {"x": 1}}]}],
        [{"type": "reasoning"}, {"type": "function_call", "call_id": "1", "name": "f", "arguments": '{"x":1}'},
         {"type": "function_call_output", "call_id": "1", "output": "fine"}],
        [{"role": "assistant", "tool_calls": [{"id": "1", "function": "f", "arguments": {"x": 1}}]}],
        TRANSCRIPT,
        TRANSCRIPT.model_dump(mode="json"),
    ],
)  # fmt: skip
def test_an_output_may_be_written_in_any_of_these_shapes(output: Any) -> None:
    assert value(output, [call("f", x=1)], mode="exact") == 1
    assert value(output, output, mode="exact") == 1
    assert value(output, [call("g")]) == 0


def test_an_answer_without_calls_is_an_answer_without_calls() -> None:
    said = [{"role": "assistant", "content": "I did nothing"}]
    assert value(said, [A]) == 0
    assert value(said, [A], mode="forbidden") == 1
    assert value({"tool_calls": None}, [], mode="exact") == 1


@pytest.mark.parametrize("output", ["I called a", 5, [1], {"answer": 1}, [[A]], {"tool_calls": 3}, {"heartbeats": [1]}])
def test_an_output_that_can_hold_no_calls_is_no_evidence_that_none_was_made(output: Any) -> None:
    for mode in ("superset", "forbidden"):
        found = measured(output, [A], mode=mode)
        assert isinstance(found, Failed)
        assert found.reason == "the output holds no transcript, messages or tool calls"


def test_what_was_hoped_for_must_be_calls() -> None:
    assert measured([A]) == Absent("no expected_output")
    assert measured(None, [A]) == Absent("no output")
    assert measured([A], "call a") == Failed("expected_output is not a list of tool calls", "'call a'")
    unnamed = measured([A], {"role": "assistant", "tool_calls": [{"args": {}}]}, mode="exact")
    assert isinstance(unnamed, Failed)
    assert unnamed.reason == "expected_output has a call without a name"


@pytest.mark.parametrize("mode", ["superset", "in_order", "forbidden"])
@pytest.mark.parametrize("nothing", [[], "[]", {"tool_calls": []}])
def test_hoping_for_nothing_is_not_met_by_everything(mode: str, nothing: Any) -> None:
    assert measured([A], nothing, mode=mode) == Absent(
        "no tool calls are expected; only exact and any_order can ask for none"
    )


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"expected": []}, "config.expected: an empty list asks for nothing in mode superset; use exact for no calls"),
        ({"expected": [{"name": ""}]}, "config.expected.0.name"),
        ({"expected": [{"name": "a", "arg": {}}]}, "config.expected.0.arg: is not known; a call has name and args"),
        ({"expected": {"name": "a"}}, "config.expected should be a valid list"),
        ({"mode": "subset"}, "config.mode should be 'exact', 'in_order'"),
        ({"args": "some"}, "config.args should be"),
        ({"partial": 1}, "config.partial"),
    ],
)
def test_a_configuration_that_cannot_be_meant_is_refused_at_the_door(config: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        build("tool_calls", config)
    assert told in refused.value.message


def test_more_pairs_than_can_be_compared_in_reasonable_time_fail() -> None:
    found = measured([A] * 8000, [A] * 8000)
    assert isinstance(found, Failed)
    assert found.reason.startswith("too costly: ")
    assert value([A] * 600, [{"name": "a"}] * 600) == 1


def test_a_column_of_outputs_scores_as_its_samples_do() -> None:
    scores = score_columns(build("tool_calls"), [[A], None, "x", [B]], [[A], [A], [A], None])
    assert scores.values.to_pylist() == [1.0, None, None, None]
    assert scores.states.to_pylist() == ["scored", "absent", "failed", "absent"]


def test_the_expected_actions_of_a_published_trajectory_tell_the_failed_run_from_the_good_one(test_data: Path) -> None:
    runs = taubench.read(test_data / "bench" / "tau_bench_two_trajectories.json")
    scores = [value(run, run.metadata["expected_tool_calls"]) for run in runs]
    assert scores == [run.metadata["reported"]["reward"] for run in runs] == [0.0, 1.0]


# Laws

wanted_calls = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from("ab")}, optional={"args": st.dictionaries(st.sampled_from("xy"), st.integers(0, 1))}
    ),
    max_size=3,
)
made_calls = st.lists(st.builds(call, st.sampled_from("ab"), x=st.integers(0, 1)), max_size=4)


def fits(wanted: dict[str, Any], made: dict[str, Any]) -> bool:
    return wanted["name"] == made["name"] and ("args" not in wanted or wanted["args"] == made["args"])


@given(made_calls, wanted_calls.filter(bool))
@settings(max_examples=80)
def test_a_share_is_the_best_of_all_ways_to_pair_the_calls(made: list[Any], wanted: list[Any]) -> None:
    slots = [*range(len(made)), *[None] * len(wanted)]
    ways = itertools.permutations(slots, len(wanted))
    best = max(
        sum(slot is not None and fits(call, made[slot]) for call, slot in zip(wanted, way, strict=True))
        for way in set(ways)
    )
    assert value(made, wanted, partial=True) == best / len(wanted)
    assert value(made, wanted) == (best == len(wanted))


@given(made_calls, wanted_calls)
def test_stricter_modes_never_score_higher_and_a_share_is_whole_exactly_when_the_score_is(
    made: list[Any], wanted: list[Any]
) -> None:
    scores = {}
    for one in ("exact", "in_order", "any_order", "superset"):
        found = measured(made, wanted, mode=one)
        share = measured(made, wanted, mode=one, partial=True)
        if isinstance(found, Scored) and isinstance(share, Scored):
            assert 0 <= float(share.value) <= 1
            assert (share.value == 1) == (found.value == 1)
            scores[one] = found.value
    for low, high in [
        ("exact", "in_order"),
        ("exact", "any_order"),
        ("in_order", "superset"),
        ("any_order", "superset"),
    ]:
        assert low not in scores or high not in scores or scores[low] <= scores[high]  # type: ignore[operator]


keys = "name args arguments tool_calls messages role content type function heartbeats turns id"
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(keys.split()) | st.text(max_size=2), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(anything, anything, st.sampled_from(["exact", "forbidden", "superset"]))
@settings(max_examples=100)
def test_any_json_is_measured_or_the_reason_is_told(output: Any, expected: Any, mode: str) -> None:
    assert isinstance(measured(output, expected, mode=mode), Scored | Absent | Failed)
