"""A run as a judge reads it: what mattered is told, what was left out says so, and nobody's name is in it."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.bench.noticing.judging import day_story, run_findings
from gnomon.bench.noticing.result import ActionType, ScoringResult
from gnomon.bench.story import LONGEST_STORY, LONGEST_TEXT, whole_story
from gnomon.model.bench import MetricValue, RunScore
from gnomon.model.transcript import RecordedConfig, RunHeader, Step, ToolCall, Transcript, Turn

NAME = "acme/oracle-9"
CONFIG = RecordedConfig(agent_model=NAME, user_sim_model="none", judge_model="none")


def beat(number: int, text: str | None = None, *calls: tuple[str, dict[str, Any]], given: str = "") -> Step:
    made = [ToolCall(tool=tool, args=args, result={"status": "ok"}, routed_to="x") for tool, args in calls]
    message = given or f"# Update {number}: readings {number * 7}"
    turns = [Turn(agent_text=text, tool_calls=made)]
    return Step(step_id=number, timestamp=f"T{number}", user_message=message, turns=turns, served_model=NAME)


def transcript(*beats: Step) -> Transcript:
    header = RunHeader(scenario_id="s", run_id="r", run_config=CONFIG, agent_id=NAME)
    return Transcript(scenario_id="s", run_id="r", run_config=CONFIG, steps=list(beats), header=header)


def quiet(count: int) -> list[Step]:
    return [beat(number, "Nothing to do.") for number in range(count)]


def in_full(told: str) -> list[int]:
    """Which beats are told in full."""
    return [int(number) for number in re.findall(r"^\[update (\d+), T\d+", told, re.MULTILINE)]


def test_the_beats_around_the_onset_are_told_in_full_and_the_onset_is_marked():
    told = day_story(transcript(*quiet(30)), onset=20, window=5)
    assert in_full(told) == list(range(18, 26))
    assert told.count("(here it begins)") == 1
    assert "[update 20, T20 (here it begins)]\ngiven: # Update 20: readings 140\nwrote: Nothing to do." in told
    assert told.startswith("[updates 0 to 17: no tool was called]")
    assert told.endswith("[updates 26 to 29: no tool was called]")


def test_calls_are_told_with_what_they_brought_and_counted_where_the_beat_is_not():
    beats = [beat(n, None, ("get_contacts", {})) for n in range(10)] + [
        beat(10, None, ("make_call", {"number": "911"}))
    ]
    told = day_story(transcript(*beats), onset=10, window=0)
    assert "[updates 0 to 7: get_contacts 8 times]" in told
    assert 'called make_call {"number": "911"} and got {"status": "ok"}' in told


def test_beats_with_false_alarms_are_told_and_so_is_whom_the_agent_spoke_to():
    beats = quiet(40)
    beats[3] = beat(3, None, ("make_call", {"number": "911"}))
    beats[7] = beat(7, None, ("send_message", {"contact_id": "user", "text": "All well?"}))
    assert in_full(day_story(transcript(*beats), onset=30, window=5, alarms=[3])) == [3, 7, *range(28, 36)]
    assert in_full(day_story(transcript(*beats), onset=None, window=0, alarms=[3])) == [3, 7]


def test_a_day_of_alarms_does_not_drown_the_onset():
    beats = [beat(n, None, ("make_call", {"number": "911"}), given="x" * 1500) for n in range(200)]
    told = day_story(transcript(*beats), onset=150, window=5, alarms=list(range(150)))
    assert set(range(148, 156)) <= set(in_full(told))
    assert len(told) <= LONGEST_STORY
    assert "characters left out" not in told
    assert "make_call 140 times" in told, "what is not told is counted"


def test_a_conversation_of_which_nobody_knows_what_matters_is_told_whole():
    assert in_full(whole_story(transcript(*quiet(25)), "update")) == list(range(25))


def test_what_broke_off_is_told():
    broken = beat(0).model_copy(update={"error": "the lamp went out"})
    assert "broke off: the lamp went out" in whole_story(transcript(broken))


@pytest.mark.parametrize("longer", [1, 999, 100_000])
def test_a_text_that_was_shortened_says_so(longer: int):
    text = "a" * 1000 + "b" * longer + "c" * 1000
    for one in (beat(0, text), beat(0, given=text), beat(0, None, ("note", {"text": text}))):
        told = whole_story(transcript(one))
        assert re.search(r"\[…[\d,]+ characters left out…\]", told)
        assert len(told) < 2 * LONGEST_TEXT + 500


@given(
    texts=st.lists(st.none() | st.text(max_size=30) | st.just("x" * 5000), max_size=60),
    onset=st.none() | st.integers(0, 60), window=st.integers(0, 60), alarms=st.lists(st.integers(0, 60), max_size=5),
)  # fmt: skip
def test_every_beat_is_told_or_counted_and_no_agent_is_named(
    texts: list[str | None], onset: int | None, window: int, alarms: list[int]
):
    whole = transcript(*(beat(number, text) for number, text in enumerate(texts)))
    told = day_story(whole, onset, window, alarms)
    assert told == day_story(whole, onset, window, alarms)
    assert NAME not in told
    assert len(told) <= LONGEST_STORY + 50
    if "characters left out" in told:
        return
    counted = {
        number
        for first, last in re.findall(r"^\[updates (\d+) to (\d+): ", told, re.MULTILINE)
        for number in range(int(first), int(last) + 1)
    }
    assert counted | set(in_full(told)) >= set(range(len(texts)))
    assert {number for number in alarms if number < len(texts)} <= set(in_full(told)) or onset is not None


# --- what rules found -----


def score(
    kind: ActionType,
    *,
    control: bool = False,
    time: int | None = None,
    false_alarms: int = 0,
    flags: Sequence[str] = (),
) -> RunScore:
    result = ScoringResult(
        scenario_id="s", run_id="r", detection=kind != "neither", detection_in_memory=False, action_type=kind,
        time_to_action=time,
    )  # fmt: skip
    noticed = MetricValue(value=None, reason="quiet") if control else MetricValue(value=result.detection)
    return RunScore(
        family="noticing", scenario_id="s", run_id="r", scorable=True, result=result.model_dump(), success=True,
        metrics={"detection": noticed, "false_alarms": MetricValue(value=false_alarms)}, flags=list(flags),
        scorer_version=1,
    )  # fmt: skip


def said(of: RunScore) -> dict[str, Any]:
    return {one.name: one.value for one in run_findings(of)}


def test_findings_of_a_day_with_an_anomaly_say_what_was_done_and_when():
    assert said(score("both", time=2, false_alarms=3)) == {
        "quiet_day": False, "false_alarms": 3.0, "emergency_call": True, "contact_about_it": True,
        "weak_contact": False, "noted_in_memory": False, "time_to_action": "it acted 2 updates later",
    }  # fmt: skip
    never = said(score("neither", flags=["contacted_weak"]))
    assert (never["weak_contact"], never["time_to_action"]) == (True, "it never acted")


def test_findings_of_a_quiet_day_speak_of_alarms_alone():
    found = run_findings(score("neither", control=True, false_alarms=2))
    assert [one.statement for one in found] == [
        "Nothing on this day called for action: yes.",
        "Alarms that it raised without a reason: 2.",
    ]


def test_of_a_run_that_was_not_scored_nothing_is_established():
    unknown = score("neither").model_copy(update={"result": None, "scorable": False})
    assert run_findings(unknown) == []
