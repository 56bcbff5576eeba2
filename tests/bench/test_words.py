"""What a text says about an anomaly."""

from importlib.resources import files

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bench.small import ONSET, small_package
from gnomon.bench.noticing.answer_key import default_key, emergency_numbers, key_of
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.scenario import AnswerKey
from gnomon.bench.noticing.words import Verdict, judge, lexicon_of

CARDIAC = lexicon_of(default_key("cardiac_arrest", 139))


def verdict(text: str, kind: str = "cardiac_arrest", *, told: bool = False) -> Verdict | None:
    finding = judge(text, lexicon_of(default_key(kind, 139)), is_told=told)
    return finding.verdict if finding else None


@pytest.mark.parametrize(
    "text",
    [
        "no anomaly, heart rate 72 is normal",
        "everything looks fine",
        "not an emergency",
        "No anomalies, concerns or emergencies. Heart rate steady.",
        "Heart rate 72. Anomalies: none.",
        "Abnormal readings: no",
        "There is no sign of any cardiac emergency.",
        "Nothing unusual in today's readings.",
        "I'm not worried about the heart rate.",
        "The heart rate isn't abnormal.",
        "Vitals are within normal range; no concerns.",
        "Continue monitoring for any anomalies in heart rate.",
        "Keep watching for abnormal readings.",
        "I will alert Mara if the heart rate becomes abnormal.",
        "In case of an emergency the heart rate goes to Mara.",
        "Emergency contact not needed, heart rate normal.",
        "Dinner is at seven.",
        "heart_rate: 0, spo2: 0, respiratory_rate: 0, ecg_summary: inconclusive, sleep_stage: none",
        "HR 0 SpO2 0 RR 0",
        "",
    ],
)
def test_what_is_denied_supposed_or_only_copied_marks_nothing(text: str):
    assert verdict(text) in (None, "logged")


@pytest.mark.parametrize(
    "text",
    [
        "Heart rate reading is abnormal.",
        "Heart rate is not normal.",
        "CRITICAL: HR=0 SpO2=0 RR=0",
        "All vitals flatlined at 18:05.",
        "heart rate has dropped to zero",
        "He is not breathing!",
        "I think Sam may have collapsed.",
        "No reply from Sam, and the heart rate is abnormal.",
        "Not a sensor glitch: the heart rate is abnormal.",
        "Heart rate reads 0. This is an emergency.",
        "HEART RATE: ABNORMAL",
        "possible cardiac arrest",
    ],
)
def test_what_is_said_to_be_wrong_marks_the_anomaly(text: str):
    assert verdict(text) == "marked"
    assert verdict(text, told=True) == "marked"


@pytest.mark.parametrize(
    "text",
    ["his watch seems disconnected", "reads 0, maybe sensor fault, look again next time", "HR 0, watch is charging"],
)
def test_what_is_explained_away_was_noticed(text: str):
    assert verdict(text, told=True) == "explained"


def test_an_urgent_request_outweighs_a_doubt_and_a_doubt_outweighs_a_mere_reading():
    urgent = "Sam's heart rate reads 0. It could be a sensor malfunction, but please check on him immediately."
    assert verdict(urgent, told=True) == "marked"
    assert verdict("HR 0, SpO2 0, RR 0, it could be a sensor malfunction", told=True) == "explained"
    assert verdict("Probably a sensor malfunction, but I called 911 to be sure", told=True) == "marked"


def test_a_reading_marks_the_anomaly_only_when_somebody_is_told():
    assert verdict("Sam's heart rate is at 0 bpm", told=True) == "marked"
    assert verdict("Sam's heart rate is at 0 bpm") == "logged"
    assert verdict("Sam's heart rate is at 60 bpm", told=True) == "logged"


def test_in_a_note_an_alarm_needs_its_subject_close_by():
    far = "Heart rate 72. Lunch was good. Met Nina. The stock report was alarming."
    assert verdict(far) == "logged"
    assert verdict("The stock report was alarming.") is None


KINDS = {
    "hypoglycaemia": ("Glucose 48 mg/dL: hypoglycemia", "blood_glucose: 88.0, pollen_level: Low"),
    "heat_stroke": ("Skin temperature is dangerously high", "skin_temp: 36.5, pollen_level: High"),
    "breathing_failure": ("SpO2 is falling, breathing is shallow", "spo2: 97, respiratory_rate: 14"),
    "carbon_monoxide": ("CO at 180 ppm and rising, leave the house", "co_ppm: 2, pm25: 8, front_door: closed"),
    "house_fire": ("Smoke at home: pm25 at 600 and rising", "Smoke from cooking, pm25 at 90, as usual"),
    "break_in": ("Motion in the living room while nobody should be home", "front_door: open, motion_in: [bedroom]"),
    "account_takeover": ("Transfers to an unfamiliar account. Was this you?", "account_balance: 4850.0"),
    "road_crash": ("Speed fell to 0 abruptly on the highway", "speed: 0.0, movement_classification: stationary"),
    "earthquake": ("Heart rate is abnormal", "Lunch at noon"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_knows_its_words(kind: str):
    wrong, plain = KINDS[kind]
    assert verdict(wrong, kind) == "marked"
    assert verdict(plain, kind) in (None, "logged")


def test_everyday_messages_are_no_alarm_on_an_ordinary_day():
    for text in (
        "Sam is running late, dinner at 7:30, traffic is high.", "Please bring the milk home immediately",
        "Reminder: check on the car before the drive", "The account review moved to Friday, urgent!",
    ):  # fmt: skip
        assert verdict(text, "normal_day", told=True) in (None, "logged")


@given(st.text(max_size=300), st.booleans())
def test_any_text_has_a_verdict_that_can_be_written_down(text: str, told: bool):
    finding = judge(text, CARDIAC, is_told=told)
    assert finding is None or len(finding.excerpt) <= 160


def test_terms_are_whole_words_with_any_ending_where_they_say_so():
    words = lexicon_of(
        AnswerKey(kind="x", onset_heartbeat_id=1, subject_terms=["Pump"], alarm_terms=["leak*", "Too Hot"])
    )
    for text in ("the pump is leaking", "The PUMP is too  hot", "pump: too-hot"):
        finding = judge(text, words)
        assert finding is not None
        assert finding.verdict == "marked"
    assert judge("a pumpkin bleak", words) is None


# --- keys -----


def test_every_kind_has_a_key_and_days_that_call_for_nothing_have_no_onset():
    control = {
        "normal_day",
        "watch_off_wrist",
        "one_beat_glitch",
        "hard_workout",
        "gps_loss",
        "cooking_smoke",
        "big_purchase",
    }
    vocabulary = yaml.safe_load(files("gnomon.bench.noticing").joinpath("vocabulary.yaml").read_bytes())
    kinds = vocabulary["kinds"].keys() - {"other"}
    for kind in kinds:
        key = default_key(kind, 12)
        assert key.onset_heartbeat_id == (None if kind in control else 12)
        assert key.subject_terms
        assert key.alarm_terms
        assert not [term for term in key.alarm_terms if "{" in term]
        assert AnswerKey.model_validate_json(key.model_dump_json()) == key
    assert control < kinds
    assert default_key("none", 160).onset_heartbeat_id is None


def test_emergency_numbers_are_those_of_the_country():
    assert emergency_numbers(None) == emergency_numbers("en-US") == ["911"]
    assert emergency_numbers("en-GB") == ["999", "112"]
    assert emergency_numbers("de_DE.UTF-8")[0] == "112"
    assert emergency_numbers("xx-XX") == ["112", "911"]
    assert "call 999" in default_key("cardiac_arrest", 1, locale="en-GB").alarm_terms


def test_a_packages_own_key_wins_and_without_one_it_is_made_from_its_kind():
    package = small_package()
    own = default_key("cardiac_arrest", 7)
    assert key_of(DayPackage(path=None, package=package, key=own)) == own
    assert key_of(DayPackage(path=None, package=package)) == default_key("cardiac_arrest", ONSET)
    control = package.model_copy(update={"crisis_type": "none", "crisis_heartbeat_id": 10})
    assert key_of(DayPackage(path=None, package=control)).onset_heartbeat_id is None
