"""Reference agents do what they are known for, beat by beat, and see nothing that another agent would not."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bench.small import ONSET
from gnomon.bench.agents import parse_spec
from gnomon.bench.batch import plans, run_many
from gnomon.bench.noticing import reference
from gnomon.bench.noticing.family import DayScenario
from gnomon.bench.noticing.generate import generate
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.prompt import system_prompt, update_message
from gnomon.bench.noticing.scenario import ScenarioPackage
from gnomon.bench.protocol import Reply
from gnomon.bench.reference import drawn
from gnomon.bench.toolbox import Toolbox
from gnomon.bench.transcripts import NAME, read_transcript
from gnomon.errors import InvalidInput
from gnomon.model.transcript import RunConfig

CONFIG = RunConfig(agent_model="-", user_sim_model="scripted", judge_model="none")
Calls = list[str]


def play(name: str, package: ScenarioPackage, out: Path, run_number: int = 1, cut_after: int | None = None) -> Path:
    """One run of a reference agent; `cut_after` so many beats it is killed and goes on."""
    plan = plans(out, [parse_spec(f"reference:{name}")], [DayScenario(DayPackage(None, package))], run_number, CONFIG)[
        -1
    ]
    [outcome] = asyncio.run(run_many([plan]))
    assert outcome.state == "finished", outcome.reason
    path = plan.folder / NAME
    if cut_after is not None:
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[: 1 + cut_after]))
        [again] = asyncio.run(run_many([plan]))
        assert again.steps == len(package.heartbeats) - cut_after
    return path


def calls(path: Path) -> dict[int, Calls]:
    """By beat, those that have any: tool:target."""
    found = {}
    for beat in read_transcript(path).steps:
        made = [call for turn in beat.turns for call in turn.tool_calls]
        assert all(call.ok for call in made)
        targets = ("number", "contact_id", "key")
        short = [
            ":".join([call.tool, *(str(call.args[name]) for name in targets if name in call.args)]) for call in made
        ]
        if short:
            found[beat.step_id] = short
    return found


ALARM = ["get_contacts", "make_call:911", "send_message:contact-001"]
READ, WROTE = "read_memory:readings", "write_memory:readings"
EVERYBODY = ["send_message:user", *(f"send_message:contact-{number:03}" for number in range(1, 22))]


@pytest.mark.parametrize(
    ("name", "done"),
    [
        ("never-acts", {}),
        ("always-calls", {beat: ["get_contacts", "make_call:911"] for beat in range(10)}),
        ("threshold-monitor", {ONSET: ALARM}),
        ("late-by-0", {beat: [READ, *([*ALARM, WROTE] if beat == ONSET else [])] for beat in range(10)}),
        (
            "late-by-2",
            {beat: [READ] for beat in range(10)} | {ONSET: [READ, WROTE], ONSET + 2: [READ, *ALARM, WROTE]},
        ),
        ("memory-only", {beat: [WROTE] for beat in range(ONSET, 10)}),
        ("spams-everyone", {ONSET: ["get_contacts", *EVERYBODY]}),
        ("flaky:1", {ONSET: ALARM}),
        ("flaky:0", {}),
    ],
)
def test_on_the_small_day_each_does_what_it_is_known_for(
    name: str, done: dict[int, Calls], package: ScenarioPackage, tmp_path: Path
) -> None:
    path = play(name, package, tmp_path)
    assert calls(path) == done
    end = read_transcript(path).end
    assert end is not None
    assert (end.cost_usd, end.served_model) == (0.0, f"reference:{name}")


@pytest.mark.parametrize("name", ["late-by-2", "threshold-monitor"])
@pytest.mark.parametrize("cut_after", [3, 5, 6, 7, 9])
def test_a_run_that_was_cut_goes_on_as_if_it_had_not(
    name: str, cut_after: int, package: ScenarioPackage, tmp_path: Path
) -> None:
    whole = play(name, package, tmp_path / "whole")
    assert calls(play(name, package, tmp_path / "cut", cut_after=cut_after)) == calls(whole)


def test_an_alarm_says_what_whom_and_where(package: ScenarioPackage, tmp_path: Path) -> None:
    made = read_transcript(play("threshold-monitor", package, tmp_path)).calls()
    told = [str(call.args.get("text") or call.args.get("message")) for call in made if call.tool != "get_contacts"]
    assert len(told) == 2
    for text in told:
        assert "heart rate and SpO2 both read 0" in text
        assert "Sam Ellison" in text
        assert "12 River Lane" in text
        assert "2027-06-15T18:05:01Z" in text


def test_the_note_of_memory_only_marks_the_reading_and_that_of_late_by_does_not(
    package: ScenarioPackage, tmp_path: Path
) -> None:
    notes = {}
    for name in ("memory-only", "late-by-2"):
        first = next(call for call in read_transcript(play(name, package, tmp_path)).calls() if call.tool == WROTE[:12])
        notes[name] = first.args["content"]
    assert "abnormal: heart rate and SpO2 both read 0" in notes["memory-only"]
    assert notes["late-by-2"] == f"update {ONSET}"


def test_late_by_acts_so_many_updates_after_the_first_even_when_the_reading_is_back(tmp_path: Path) -> None:
    glitch, _ = generate("one_beat_glitch", "T1", 1)
    seen = next(beat.heartbeat_id for beat in glitch.heartbeats if beat.wearable and beat.wearable.heart_rate == 0)
    acted = [beat for beat, made in calls(play("late-by-3", glitch, tmp_path)).items() if len(made) > 2]
    assert acted == [seen + 3]


def test_where_other_numbers_are_called_so_do_they(tmp_path: Path) -> None:
    seed = next(seed for seed in range(50) if generate("cardiac_arrest", "T1", seed)[0].locale == "en-GB")
    package, _ = generate("cardiac_arrest", "T1", seed)
    made = calls(play("threshold-monitor", package, tmp_path))
    assert list(made) == [package.crisis_heartbeat_id]
    assert made[package.crisis_heartbeat_id][1] == "make_call:999"


# flaky:P.


@pytest.mark.parametrize("share", ["0.1", "0.5", "0.9"])
def test_flaky_acts_in_about_its_share_of_runs_and_always_in_the_same(share: str) -> None:
    name = f"flaky:{share}"
    acts = [drawn(name, number) < float(share) for number in range(1, 2001)]
    assert abs(sum(acts) / 2000 - float(share)) < 0.03
    assert acts[:20] == [drawn(name, number) < float(share) for number in range(1, 21)]


def test_flaky_is_the_monitor_or_nobody(package: ScenarioPackage, tmp_path: Path) -> None:
    done = [calls(play("flaky:0.5", package, tmp_path, number)) for number in range(1, 7)]
    assert {json.dumps(one) for one in done} == {json.dumps({ONSET: ALARM}), json.dumps({})}


@pytest.mark.parametrize(
    "name", ["", "octopus", "late-by-x", "late-by--1", "flaky:2", "flaky:", "flaky:1e-3", "late-by-N"]
)
def test_a_name_that_nobody_has_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(InvalidInput, match="does not exist; there are never-acts, always-calls"):
        reference.make(name, 1)


# Single updates: which readings are out of range.

WELL = {"heart_rate": 70, "spo2": 97, "skin_temp": 36.5, "blood_glucose": 90.0, "respiratory_rate": 15}
HOME = {"indoor_temp": 21.0, "co_ppm": 1, "pm25": 8, "front_door": "closed", "back_window": "closed", "motion_in": []}
AIRED = HOME | {"back_window": "open", "motion_in": ["kitchen"]}
PLACE = {"lat": 40.0, "lon": -75.0, "speed": 0.1, "geofence_status": "at_home", "movement_classification": "stationary"}
PAID = {"last_3_transactions": [{"counterparty": "Shop", "amount": -20.0, "category": "food"}] * 3}
ORDINARY = {"wearable": WELL, "home": HOME, "location": PLACE, "financial": PAID}
DRIVING = PLACE | {"speed": 14.0, "movement_classification": "driving", "geofence_status": None}
STOPPED = PLACE | {"geofence_status": None, "speed": 0.0}
LARGE = {"counterparty": "Pay", "amount": -980.0, "category": "transfer"}


def first_turn(package: ScenarioPackage, data: dict[str, Any], earlier: list[dict[str, Any]] | None = None) -> Reply:
    """What the monitor does with one update, after it has looked back if it wants to."""
    agent = reference.make("threshold-monitor", 1)
    tools = Toolbox(package.tool_definitions).offered
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": system_prompt(package)},
        {"role": "user", "content": update_message(7, "2027-06-15T12:00:00Z", [], 0, [], data)},
    ]
    reply = asyncio.run(agent.answer(messages, tools))
    if [call.name for call in reply.tool_calls] == ["get_recent_updates"]:
        function = {"name": "get_recent_updates", "arguments": "{}"}
        messages.append({"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": function}]})
        recent = {"status": "ok", "heartbeats": [*(earlier or []), data]}
        messages.append({"role": "tool", "tool_call_id": "a", "content": json.dumps(recent)})
        reply = asyncio.run(agent.answer(messages, tools))
    return reply


@pytest.mark.parametrize(
    ("changed", "earlier"),
    [
        ({"wearable": WELL | {"heart_rate": 0, "spo2": 0}}, None),
        ({"wearable": WELL | {"heart_rate": 195}}, None),
        ({"wearable": WELL | {"spo2": 80}}, None),
        ({"wearable": WELL | {"respiratory_rate": 6}}, None),
        ({"wearable": WELL | {"blood_glucose": 50.0}}, None),
        ({"wearable": WELL | {"skin_temp": 40.1}}, None),
        ({"home": HOME | {"co_ppm": 90}}, None),
        ({"home": HOME | {"pm25": 600}}, None),
        ({"home": HOME | {"indoor_temp": 60.0}}, None),
        ({"home": HOME | {"back_window": "open", "motion_in": ["hallway"]}}, [{"home": HOME}] * 4),
        ({"home": HOME | {"back_window": "open", "motion_in": ["hallway"]}}, [{"home": HOME}] * 2 + [{}]),
        ({"financial": {"last_3_transactions": [LARGE, LARGE, PAID["last_3_transactions"][0]]}}, None),
        ({"location": STOPPED}, [{"location": DRIVING}]),
    ],
    ids=lambda part: str(part)[:60],
)
def test_a_reading_out_of_range_is_noticed(
    changed: dict[str, Any], earlier: list[dict[str, Any]] | None, package: ScenarioPackage
) -> None:
    assert [call.name for call in first_turn(package, ORDINARY | changed, earlier).tool_calls] == ["get_contacts"]
    assert [call.name for call in first_turn(package, changed, earlier).tool_calls] == ["get_contacts"]


@pytest.mark.parametrize(
    ("changed", "earlier"),
    [
        ({}, None),
        ({"wearable": WELL | {"heart_rate": 150, "respiratory_rate": 28, "skin_temp": 37.4}}, None),
        ({"wearable": WELL | {"heart_rate": 0}}, None),
        ({"wearable": WELL | {"blood_glucose": None}}, None),
        ({"home": HOME | {"back_window": "open"}}, None),
        ({"home": AIRED}, [{"home": HOME | {"motion_in": ["study"]}}] * 3),
        ({"home": AIRED}, [{"home": HOME}]),
        ({"home": HOME | {"front_door": "open", "motion_in": ["hallway"]}}, [{"home": HOME}] * 4),
        ({"financial": {"last_3_transactions": [LARGE, *PAID["last_3_transactions"][:2]]}}, None),
        ({"financial": {"last_3_transactions": []}}, None),
        ({"location": PLACE}, [{"location": DRIVING}]),
        ({"location": STOPPED}, [{"location": STOPPED}]),
        ({"location": STOPPED}, []),
        ({"wearable": "broken", "home": None, "location": {}, "financial": {"last_3_transactions": None}}, None),
    ],
    ids=lambda part: str(part)[:60],
)  # fmt: skip
def test_an_ordinary_reading_is_not(
    changed: dict[str, Any], earlier: list[dict[str, Any]] | None, package: ScenarioPackage
) -> None:
    assert first_turn(package, ORDINARY | changed, earlier).tool_calls == ()


@pytest.mark.parametrize("content", ["", "# Update x", "```json\n{", "# Update 3\n\n```json\n[1]\n```"])
def test_messages_of_another_shape_are_nothing_to_act_on(content: str, package: ScenarioPackage) -> None:
    agent = reference.make("threshold-monitor", 1)
    reply = asyncio.run(agent.answer([{"role": "user", "content": content}], []))
    assert (reply.text, reply.tool_calls) == ("Nothing to do.", ())


# Whole days: sure of the anomalies, and misled by what looks alike.

ANOMALIES = {
    "cardiac_arrest": 0, "break_in": 0, "road_crash": 0, "house_fire": 1, "carbon_monoxide": 1, "account_takeover": 1,
    "breathing_failure": 2, "heat_stroke": 3, "hypoglycaemia": 4,
}  # fmt: skip
FOOLED = {
    "watch_off_wrist": True,
    "one_beat_glitch": True,
    "gps_loss": True,
    "normal_day": False,
    "big_purchase": False,
}


@pytest.mark.parametrize("kind", ANOMALIES)
def test_the_monitor_notices_every_anomaly_soon_and_not_before(kind: str, tmp_path: Path) -> None:
    package, _ = generate(kind, "T1", 11)
    acted = [
        beat for beat, made in calls(play("threshold-monitor", package, tmp_path)).items() if "get_contacts" in made
    ]
    assert len(acted) == 1
    assert 0 <= acted[0] - package.crisis_heartbeat_id <= ANOMALIES[kind]


@pytest.mark.parametrize("kind", FOOLED)
def test_what_looks_alike_misleads_it(kind: str, tmp_path: Path) -> None:
    package, _ = generate(kind, "T1", 11)
    acted = [
        beat for beat, made in calls(play("threshold-monitor", package, tmp_path)).items() if "get_contacts" in made
    ]
    assert bool(acted) == FOOLED[kind]
