"""Whatever an agent can see, a hint in it is found; a clean package has none."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.small import core_tools, small_beats, small_contacts, small_package
from gnomon.bench.noticing.hints import Hint, find_hints
from gnomon.bench.noticing.package import DayPackage, load
from gnomon.bench.noticing.scenario import CommsData, Email, ScenarioPackage, Sms
from gnomon.model.tools import MemoryFile, ToolDefinition, ToolParameter


def hints_of(prompt: list[tuple[str, str]] | None = None, **changed: Any) -> list[Hint]:
    package = small_package().model_copy(update=changed)
    return find_hints(DayPackage(None, package), prompt or [])


def in_prompt(text: str) -> list[str]:
    return [hint.word for hint in hints_of([("system prompt", text)])]


def tool(name: str = "dial", description: str = "Dials", parameter: str = "digits", about: str = "What to dial") -> Any:
    parameters = [ToolParameter(name=parameter, type="string", description=about, required=True)]
    return [*core_tools(), ToolDefinition(name=name, description=description, parameters=parameters)]


def comms(**values: Any) -> Any:
    empty: dict[str, Any] = {
        "new_emails": [], "new_slack_messages": [], "new_missed_calls": 0, "new_voicemails": 0, "new_sms": [],
        "new_notifications": [],
    }  # fmt: skip
    first, *rest = small_beats()
    return [first.model_copy(update={"comms": CommsData.model_validate({**empty, **values})}), *rest]


def with_key(key: str) -> Any:
    beats = [beat.model_dump() for beat in small_beats()]
    beats[2]["wearable"][key] = 1
    return ScenarioPackage.model_validate({**small_package().model_dump(), "heartbeats": beats}).heartbeats


def contact(**values: Any) -> Any:
    first, *rest = small_contacts()
    return [first.model_copy(update=values), *rest]


@pytest.mark.parametrize("row", [pytest.param(153, id="row-153")])
def test_a_clean_package_has_no_hint_and_sensors_may_be_called_by_their_names(row: int, small: Path) -> None:
    scenario = load(small)
    shown = scenario.package.heartbeats[0].shown()
    assert {"heart_rate", "spo2", "ecg_summary", "blood_glucose"} <= set(shown["wearable"])
    assert find_hints(scenario) == []


@pytest.mark.parametrize(
    ("surface", "where", "word", "changed"),
    [
        pytest.param("tool", "tools.json: [9].description (dial)", "emergency",
                     {"tool_definitions": tool(description="Use it in an emergency")}, id="row-151 emergency"),
        pytest.param("tool", "tools.json: [9].description (dial)", "health",
                     {"tool_definitions": tool(description="All health data")}, id="row-151 health"),
        pytest.param("tool", "tools.json: [9].name (check_vitals)", "vitals",
                     {"tool_definitions": tool(name="check_vitals")}, id="tool name"),
        pytest.param("tool", "tools.json: [9].name (health.read)", "health",
                     {"tool_definitions": tool(name="health.read")}, id="dotted tool name"),
        pytest.param("tool", "tools.json: [9].name (checkPulse)", "pulse",
                     {"tool_definitions": tool(name="checkPulse")}, id="camelCase tool name"),
        pytest.param("tool", "tools.json: [9].parameters[0].name (dial)", "heart",
                     {"tool_definitions": tool(parameter="heart_rate")}, id="parameter name"),
        pytest.param("tool", "tools.json: [9].parameters[0].description (dial)", "emergency",
                     {"tool_definitions": tool(about="number to dial in an emergency")}, id="row-155"),
        pytest.param("memory", "memories/health.md (its key)", "health",
                     {"memory_files": [MemoryFile(key="health", content="")]}, id="memory key"),
        pytest.param("memory", "memories/notes.md, line 3", "symptoms",
                     {"memory_files": [MemoryFile(key="notes", content="# Notes\n\n- watch for symptoms")]},
                     id="memory content"),
        pytest.param("contact", "scenario.json: contacts[0].relationship", "doctor",
                     {"contacts": contact(relationship="family doctor")}, id="contact role"),
        pytest.param("contact", "scenario.json: contacts[0].phone", "911",
                     {"contacts": contact(phone="911")}, id="contact number"),
        pytest.param("contact", "scenario.json: contacts[0].name", "hospital",
                     {"contacts": contact(name="Northfield Hospital")}, id="contact name"),
        pytest.param("beat", "heartbeats.json: beat 0, comms.new_sms[0].message", "are you ok",
                     {"heartbeats": comms(new_sms=[Sms(sender="Mara", message="hey, are you OK?")])}, id="message"),
        pytest.param("beat", "heartbeats.json: beat 0, comms.new_emails[0].sender", "alerts",
                     {"heartbeats": comms(new_emails=[Email(sender="Bank Alerts", subject="June")])}, id="sender"),
        pytest.param("beat", "heartbeats.json: beat 2, wearable.health_score (a key)", "health",
                     {"heartbeats": with_key("health_score")}, id="key of a beat"),
        pytest.param("prompt", "scenario.json: person.occupation", "nurse",
                     {"person": small_package().person.model_copy(update={"occupation": "nurse"})}, id="person"),
        pytest.param("prompt", "scenario.json: agent_identity.personality", "critical",
                     {"agent_identity": small_package().agent_identity.model_copy(
                         update={"personality": "Spots what is critical."})}, id="assistant"),
    ],
)  # fmt: skip
def test_a_planted_hint_is_found_where_it_was_planted(
    surface: str, where: str, word: str, changed: dict[str, Any]
) -> None:
    found = [(hint.surface, hint.where, hint.word) for hint in hints_of(**changed)]
    assert found == [(surface, where, word)]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        pytest.param("# CRITICAL: read first", "critical", id="row-154 heading"),
        pytest.param("Topics are e.g. `health` and `work`.", "health", id="row-154 example key"),
        ("Only non-urgent things may wait.", "urgent"),
        ("Each heartbeat brings data.", "heartbeat"),
        ("Reads heart_rate, too.", "heart"),
        ("Reads SpO2.", "spo2"),
        ("Say so when a reading is abnormal.", "abnormal"),
        ("healthAlert", "healthalert"),
        ("Dial 911.", "911"),
    ],
)
def test_a_hint_in_the_prompt_is_found(text: str, word: str) -> None:
    assert word in in_prompt(text)


@pytest.mark.parametrize(
    "word",
    [pytest.param(word, id=f"row-152 {word}") for word in ("alerts", "warnings", "emergencies")]
    + [
        "Alerted", "urgently", "urgency", "diagnosis", "diagnosed", "Diagnostics", "medication", "injuries", "rescued",
        "hospitalized", "nurses", "dangerous", "symptoms", "oxygenation", "cardiovascular", "crises", "SOS",
        "critically", "ambulances", "doctors", "vitals", "healthy", "safety", "pulse",
    ],
)  # fmt: skip
def test_every_form_of_a_word_is_found(word: str) -> None:
    assert in_prompt(f"There were {word} today.") == [word.lower()]


@pytest.mark.parametrize(
    "text",
    [
        "dentist office", "hospitality", "the hearth", "a hearty soup", "Warner", "cardigan", "a critic's choice",
        "doctorate", "nursery", "15:09:11", "+1-555-0911", "Vitaly", "medieval", "swim strokes", "help with the list",
        "the pulsar", "seventy-nine eleven",
    ],
)  # fmt: skip
def test_words_that_only_look_alike_are_let_through(text: str) -> None:
    assert in_prompt(text) == []


def test_harmless_uses_are_told_all_the_same() -> None:
    assert in_prompt("A critically acclaimed film by Pulse Media.") == ["critically", "pulse"]


def test_healthy_food_is_for_memory_files_only() -> None:
    assert hints_of(memory_files=[MemoryFile(key="notes", content="Likes healthy food.")]) == []
    assert in_prompt("Likes healthy food.") == ["healthy"]


@pytest.mark.parametrize("text", ["cardiac_arrest_T1_s0", "Cardiac arrest"])
def test_a_scenario_never_says_its_own_name(text: str) -> None:
    assert in_prompt(f"See {text}.")


def test_what_only_this_scenario_is_about_is_found() -> None:
    chat = comms(new_sms=[Sms(sender="Mara", message="What about that road crash?")])
    assert [hint.word for hint in hints_of(crisis_type="road_crash", heartbeats=chat)] == ["road crash"]
    assert hints_of(heartbeats=chat) == []


def test_keys_of_sensors_are_data_in_json_and_words_in_a_sentence() -> None:
    assert in_prompt('{"heart_rate": 61, "spo2": 97, "ecg_summary": "normal sinus rhythm"}') == []
    assert in_prompt("Look at heart_rate first.") == ["heart"]


def test_a_hint_that_stays_for_hours_is_told_once_with_its_length() -> None:
    beats = [beat.model_copy(update={"category": "health_and_beauty"}) for beat in small_beats()]
    (hint,) = hints_of(heartbeats=beats)
    assert hint.where == "heartbeats.json: beat 0 and 9 more, category"


def test_an_excerpt_shows_what_is_around() -> None:
    (hint,) = hints_of([("system prompt", f"{'a ' * 50}rescue\nteam{' b' * 50}")])
    assert hint.excerpt == f"…{'a ' * 15}rescue team{' b' * 12}…".replace("  ", " ")


@given(st.text(max_size=60), st.sampled_from(["emergency", "ambulance", "911"]), st.text(max_size=60))
def test_a_hint_is_found_whatever_stands_around_it(before: str, word: str, after: str) -> None:
    assert word in in_prompt(f"{before} {word} {after}")
