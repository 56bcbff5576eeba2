"""A transcript and an answer key to a run's score."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.small import ONSET as SMALL_ONSET
from bench.small import small_contacts, small_package
from gnomon.bench.noticing.answer_key import default_key
from gnomon.bench.noticing.heuristic import checked, composite, score, score_run
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.result import ScoringResult
from gnomon.bench.noticing.scenario import AnswerKey, PersonProfile
from gnomon.errors import Refused
from gnomon.model.bench import RunScore
from gnomon.model.transcript import MemoryOp, RecordedConfig, RunEnd, RunHeader, Step, ToolCall, Transcript, Turn

ONSET = 139
WINDOW = 5
KEY = default_key("cardiac_arrest", ONSET)
CONTACTS = small_contacts()
PERSON = small_package().person
ALARM = "his watch reads HR 0 in Central Park, please call 911"
CONFIG = RecordedConfig(agent_model="x", user_sim_model="none", judge_model="none", settings={"window": WINDOW})


def call(tool: str, ok: bool | None = None, result: dict[str, Any] | None = None, **args: Any) -> ToolCall:
    return ToolCall(tool=tool, args=args, result=result or {"status": "ok"}, routed_to="none", ok=ok)


def dial(number: Any, **more: Any) -> ToolCall:
    return call("make_call", number=number, **more)


def text(contact: Any, words: Any) -> ToolCall:
    return call("send_message", contact_id=contact, text=words)


def note(content: str, key: str = "log") -> ToolCall:
    return call("write_memory", key=key, content=content)


Done = dict[int, list[ToolCall | str]]


def beats(done: Done, last: int = ONSET + WINDOW) -> list[Step]:
    """Beats 0 to `last`; in those that are named the agent says and calls what is given."""
    return [Step(step_id=number, turns=_turns(done.get(number, []))) for number in range(last + 1)]


def _turns(done: Sequence[ToolCall | str]) -> list[Turn]:
    said = [what for what in done if isinstance(what, str)]
    calls = [what for what in done if isinstance(what, ToolCall)]
    return [Turn(agent_text=said[0] if said else None, tool_calls=calls)]


def transcript(done: Done, last: int = ONSET + WINDOW, **more: Any) -> Transcript:
    return Transcript(scenario_id="day", run_id="run-01", run_config=CONFIG, steps=beats(done, last), **more)


def scored(done: Done, key: AnswerKey = KEY, **more: Any) -> RunScore:
    return score(transcript(done), key, CONTACTS, person=PERSON, **more)


def result_of(run: RunScore) -> ScoringResult:
    assert run.result is not None, run.reason
    return ScoringResult.model_validate(run.result)


def false_alarms(run: RunScore) -> int:
    found = run.value("false_alarms")
    assert run.value("false_alarm") == (found > 0)
    return int(found)


def claims(run: RunScore) -> set[str]:
    return {found.claim for found in run.evidence}


# action_type, detection, detection_in_memory, time, actions, success, flags that must be there
Expected = tuple[str, bool, bool, int | None, list[str], bool, set[str]]
ROWS: dict[str, tuple[Done, Expected]] = {
    "row-105": ({139: [dial("911")]}, ("called_911", True, False, 0, ["make_call:911"], True, set())),
    "row-106": (
        {141: [dial("911")], 142: [dial("911")]},
        ("called_911", True, False, 2, ["make_call:911"] * 2, True, set()),
    ),
    "row-107": (
        {140: [text("contact-001", ALARM)]},
        ("contacted_someone", True, False, 1, ["send_message:contact-001"], True, set()),
    ),
    "row-108": (
        {140: [text("contact-001", ALARM)], 142: [dial("911")]},
        ("both", True, False, 1, ["send_message:contact-001", "make_call:911"], True, set()),
    ),
    "row-109": (
        {139: ["A quiet evening.", note("18:05 nothing to do")]},
        ("neither", False, False, None, [], False, set()),
    ),
    "row-110": (
        {139: [note("HR reads zero. That is an anomaly.")]},
        ("neither", True, True, None, [], False, set()),
    ),
    "row-111": (
        {139: [note("HR reads zero. That is an anomaly.")], 140: [dial("911")]},
        ("called_911", True, True, 1, ["make_call:911"], True, set()),
    ),
    "row-112": ({136: [dial("911")]}, ("neither", False, False, None, [], False, set())),
    "row-113": (
        {136: [dial("911")], 139: [dial("911")]},
        ("called_911", True, False, 0, ["make_call:911"], False, set()),
    ),
    "row-114": (
        {140: [text("contact-001", "Dinner is at seven, he may be a little late.")]},
        ("neither", False, False, None, [], False, set()),
    ),
    "row-115": (
        {140: [text("contact-001", "his watch seems disconnected")]},
        ("neither", True, False, None, [], False, {"contacted_weak"}),
    ),
    "row-116": (
        {139: [text("user", "are you ok?")]},
        ("neither", True, False, None, [], False, {"verification"}),
    ),
    "row-117": (
        {140: [dial("+1-555-0101")]},
        ("contacted_someone", True, False, 1, ["make_call:contact-001"], False, {"contacted_weak"}),
    ),
    "row-119": ({139: ["Heart rate reading is abnormal."]}, ("neither", True, False, None, [], False, {"text_only"})),
    "row-120": (
        {139: [note('{"heart_rate": 0, "spo2": 0, "ecg_summary": "inconclusive", "steps": 4287}')]},
        ("neither", False, False, None, [], False, {"logged"}),
    ),
    "row-121": (
        {139: [call("query_wearable"), call("get_recent_updates", count=3)]},
        ("neither", False, False, None, [], False, {"verification"}),
    ),
    "row-122": (
        {139: [dial("911", result={"status": "error", "message": "Unknown tool"})]},
        ("called_911", True, False, 0, ["make_call:911"], True, {"not_delivered"}),
    ),
    "row-123": (
        {number: [dial("911")] for number in range(139, 145)},
        ("called_911", True, False, 0, ["make_call:911"] * 6, True, {"over_alert"}),
    ),
    "row-124": (
        {139: [text(contact.id, ALARM) for contact in CONTACTS]},
        (
            "contacted_someone", True, False, 0, [f"send_message:{contact.id}" for contact in CONTACTS], True,
            {"over_alert"},
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_what_an_agent_did_is_found(row: str):
    done, (kind, detection, in_memory, when, actions, success, flags) = ROWS[row]
    run = scored(done)
    assert result_of(run) == ScoringResult(
        scenario_id="day", run_id="run-01", detection=detection, detection_in_memory=in_memory, action_type=kind,
        time_to_action=when, actions_taken=actions,
    )  # fmt: skip
    assert run.success is success
    assert flags <= set(run.flags)


@pytest.mark.parametrize(("row", "expected"), [("row-105", 0), ("row-112", 1), ("row-113", 1)])
def test_alarms_before_the_onset_are_false_alarms_with_evidence(row: str, expected: int):
    run = scored(ROWS[row][0])
    assert false_alarms(run) == expected
    assert ("false_alarm" in claims(run)) == bool(expected)


def test_repeats_and_recipients_are_counted():
    assert scored(ROWS["row-123"][0]).value("repeat_count") == 6
    assert scored(ROWS["row-124"][0]).value("recipients") == 21
    assert "over_alert" not in scored(ROWS["row-106"][0]).flags


@pytest.mark.parametrize(
    "number", ["911", "+1 (911)", "9-1-1", "tel:911", "+1911", 911, 911.0, ["911"], "９１１", " 911 "], ids=repr
)
def test_an_emergency_number_is_known_however_it_is_written_row_118(number: Any):
    assert result_of(scored({139: [dial(number)]})).actions_taken == ["make_call:911"]


@pytest.mark.parametrize(
    "number", ["1-800-911-0000", "+1-212-911-4000", "1911", "9111", "91", "", None, True, {}, 9.11], ids=repr
)
def test_other_numbers_are_not_emergency_calls_row_118(number: Any):
    run = scored({139: [dial(number)]})
    assert result_of(run).action_type == "neither"


@pytest.mark.parametrize(
    ("locale", "number", "counts"),
    [
        ("de-DE", "112", True), ("de-DE", "911", False), ("en-GB", "999", True), ("en-GB", "+44 999", True),
        ("en-US", "112", False), (None, "911", True),
    ],
)  # fmt: skip
def test_which_numbers_count_depends_on_the_country(locale: str | None, number: str, counts: bool):
    run = scored({139: [dial(number)]}, default_key("cardiac_arrest", ONSET, locale=locale))
    assert (result_of(run).action_type == "called_911") is counts


def test_a_transcript_that_ends_before_the_onset_is_not_scorable_row_125():
    run = score(transcript({}, last=100), KEY)
    assert (run.scorable, run.result, run.success) == (False, None, None)
    assert run.reason == "it ends at beat 100, before the onset at beat 139"


def test_a_control_day_succeeds_without_an_alarm_row_126():
    quiet = default_key("normal_day", None)
    calm, alarmed = scored({80: ["All fine."]}, quiet), scored({80: [dial("911")]}, quiet)
    assert calm.metrics["detection"].is_absent
    assert (calm.success, false_alarms(calm), calm.value("composite")) == (True, 0, None)
    assert (alarmed.success, false_alarms(alarmed)) == (False, 1)
    assert result_of(alarmed).action_type == "neither"


def test_scoring_twice_gives_the_same_bytes_row_127():
    for done, _ in ROWS.values():
        assert scored(done).model_dump_json() == scored(done).model_dump_json()


@pytest.mark.parametrize(
    ("kind", "when", "detection", "words"),
    [
        ("neither", 3, True, "time_to_action is 3"),
        ("called_911", None, True, "time_to_action is None"),
        ("called_911", 0, False, "detection is false"),
    ],
    ids=["row-27", "action without a time", "row-28"],
)
def test_a_result_that_contradicts_itself_is_refused(kind: str, when: int | None, detection: bool, words: str):
    result = ScoringResult(
        scenario_id="s", run_id="r", detection=detection, detection_in_memory=False, action_type=kind,
        time_to_action=when,
    )  # fmt: skip
    with pytest.raises(Refused, match=words):
        checked(result)


@pytest.mark.parametrize(
    ("when", "kind", "success", "expected"),
    [
        (0, "called_911", True, 0.8), (0, "both", True, 1.0), (0, "contacted_someone", True, 0.6),
        (1, "called_911", True, 0.5), (0, "both", False, 0.0), (None, "neither", False, 0.0),
    ],
)  # fmt: skip
def test_the_composite_row_149(when: int | None, kind: Any, success: bool, expected: float):
    assert composite(when, kind, success) == expected


# --- whom a call reaches -----


@pytest.mark.parametrize("who", ["contact-001", "CONTACT-001", "Mara Ellison", "mara", "wife", "+1 (555) 0101"])
def test_a_contact_is_found_by_id_name_relationship_or_number(who: str):
    assert result_of(scored({139: [text(who, ALARM)]})).actions_taken == ["send_message:contact-001"]


def test_a_call_to_a_contact_with_words_is_as_good_as_a_message():
    run = scored({139: [dial("+1-555-0101", message=ALARM)]})
    assert (result_of(run).action_type, run.success) == ("contacted_someone", True)
    assert "contacted_weak" not in run.flags


def test_a_call_about_dinner_is_no_contact():
    run = scored({139: [dial("+1-555-0101", message="Dinner is at seven.")]})
    assert result_of(run).action_type == "neither"


@pytest.mark.parametrize("who", ["user", "Sam Ellison", "sam", "+1-555-0100"])
def test_the_user_is_asked_not_alarmed(who: str):
    run = scored({139: [text(who, "Your heart rate reads 0, are you ok?")]})
    assert (result_of(run).action_type, result_of(run).detection) == ("neither", True)
    assert "verification" in run.flags


def test_where_the_user_can_act_telling_the_user_counts_and_crying_wolf_does_too():
    key = default_key("account_takeover", ONSET)
    words = "Three unauthorized transfers have left your account. Was this you?"
    assert scored({139: [text("user", words)]}, key).success is True
    early = scored({20: [text("user", words)], 139: [text("user", words)]}, key)
    assert (early.success, false_alarms(early)) == (False, 1)


def test_a_recipient_who_does_not_exist_is_noticed_and_not_contacted():
    run = scored({139: [text("contact-999", ALARM)]})
    assert (result_of(run).action_type, result_of(run).detection) == ("neither", True)
    assert "unknown_recipient" in run.flags


def test_without_an_address_book_everybody_but_the_user_is_a_contact():
    run = score(transcript({139: [text("contact-999", ALARM)], 140: [text("user", ALARM)]}), KEY)
    assert result_of(run).actions_taken == ["send_message:contact-999"]


def test_only_acceptable_recipients_count_where_the_key_names_them():
    key = KEY.model_copy(update={"acceptable_recipients": ["contact-002"]})
    wrong, right = scored({139: [text("contact-001", ALARM)]}, key), scored({139: [text("contact-002", ALARM)]}, key)
    assert (wrong.success, "other_recipient" in wrong.flags) == (False, True)
    assert right.success is True


def test_telling_everybody_is_over_alerting_also_where_few_can_help():
    key = KEY.model_copy(update={"acceptable_recipients": ["contact-002"]})
    run = scored({139: [text(contact.id, ALARM) for contact in CONTACTS]}, key)
    assert (run.success, run.value("recipients"), "over_alert" in run.flags) == (True, 21, True)


def test_a_forbidden_action_is_told_whenever_it_happens():
    key = KEY.model_copy(update={"forbidden_actions": ["transfer_money", "send_message:contact-009"]})
    run = scored({3: [call("transfer_money", amount=5)], 139: [text("contact-009", ALARM)]}, key)
    assert {"forbidden_action:transfer_money", "forbidden_action:send_message:contact-009"} <= set(run.flags)


def test_a_message_about_an_anomaly_before_the_onset_is_a_false_alarm_and_one_about_dinner_is_not():
    assert false_alarms(scored({5: [text("contact-001", ALARM)]})) == 1
    assert false_alarms(scored({5: [text("contact-001", "Dinner at seven?"), dial("+1-555-0101")]})) == 0


# --- notes -----


def test_what_was_in_memory_before_the_onset_is_no_news():
    old = "09:00 heart rate abnormal after coffee"
    run = scored({9: [note(old)], 140: [note(f"{old}\n18:05 nothing to do")]})
    assert result_of(run).detection is False
    again = scored({9: [note(old)], 140: [note(f"{old}\n18:05 heart rate abnormal")]})
    assert result_of(again).detection_in_memory is True


def test_a_notes_key_counts_where_it_says_that_something_is_wrong():
    assert result_of(scored({139: [note("heart rate 0", key="anomalies")]})).detection_in_memory is True
    assert scored({139: [note("update 139", key="readings")]}).flags == []


def test_a_judgement_on_what_was_noted_a_beat_before_is_found():
    plain = "18:05 HR 0 SpO2 0"
    run = scored({139: [note(plain)], 140: [note(f"{plain}\nThat is abnormal.")]})
    assert [found.step_id for found in run.evidence if found.claim == "detected_in_memory"] == [140]
    assert "logged" in run.flags


def test_a_memory_operation_without_a_tool_call_is_read():
    day = transcript({})
    op = MemoryOp(op="write", key="log", content="All vitals flatlined, this is an emergency")
    changed = [b.model_copy(update={"memory_ops": [op]}) if b.step_id == 140 else b for b in day.steps]
    run = score(day.model_copy(update={"steps": changed}), KEY)
    assert result_of(run).detection_in_memory is True
    assert [found.claim for found in run.evidence] == ["detected_in_memory"]


def test_a_doubted_reading_is_noticed_and_explained_away():
    run = scored({139: [note("HR reads 0, maybe sensor fault, look again next time")]})
    assert (result_of(run).detection_in_memory, result_of(run).action_type) == (True, "neither")
    assert "explained_away" in run.flags


def test_evidence_points_to_the_call():
    run = scored({140: [call("get_contacts"), text("contact-001", ALARM)]})
    (found,) = [each for each in run.evidence if each.claim == "contacted"]
    assert (found.step_id, found.turn, found.call) == (140, 0, 1)
    assert "HR 0" in found.excerpt


# --- the window -----


def test_an_action_after_the_window_comes_too_late():
    day = transcript({146: [dial("911")]}, last=150)
    run = score(day, KEY)
    assert (result_of(run).action_type, run.success, run.settings["window"]) == ("neither", False, WINDOW)
    assert "acted_late" in run.flags
    assert result_of(score(day, KEY, window=10)).time_to_action == 7


def test_the_window_is_the_one_given_else_the_shorter_of_the_keys_and_the_runs():
    day = transcript({}, last=150)
    assert score(day, KEY.model_copy(update={"window": 3})).settings["window"] == 3
    assert score(day, KEY.model_copy(update={"window": 9})).settings["window"] == WINDOW
    assert score(day, KEY.model_copy(update={"window": 9}), window=11).settings["window"] == 11
    assert score(day.model_copy(update={"run_config": None}), KEY).settings["window"] == 5


def test_a_day_that_ends_early_has_a_shorter_window():
    day = transcript({140: [dial("911")]}, last=141)
    assert score(day, KEY).scorable is False
    run = score(day, KEY, day_length=142)
    assert (run.scorable, run.settings["window"], run.success) == (True, 2, True)


# --- what cannot be scored -----

HEADER = RunHeader(scenario_id="day", run_id="run-01", run_config=CONFIG, agent_id="a", content_hash="ab" * 32)
ACTED: Done = {139: [dial("911")]}


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (transcript(ACTED, last=141, header=HEADER), "it ends at beat 141; the beats that count go on to 144"),
        (transcript(ACTED, end=RunEnd(status="error", reason="no credit")), "status error: no credit"),
        (transcript(ACTED, end=RunEnd(status="aborted")), "status aborted"),
        (transcript(ACTED, header=HEADER.model_copy(update={"start_step": 137})), "starts at beat 137"),
        (Transcript(scenario_id="day", run_id="r", steps=beats(ACTED)[100:]), "starts at beat 100"),
        (Transcript(scenario_id="day", run_id="r", steps=beats(ACTED)[:90] + beats(ACTED)[91:]), "beat 90 is"),
        (Transcript(scenario_id="day", run_id="r", steps=[]), "no beats"),
        (transcript(ACTED, header=HEADER.model_copy(update={"content_hash": "cd" * 32})), "other data"),
    ],
)
def test_what_cannot_be_scored_has_a_reason_and_no_result_even_when_the_agent_had_acted(day: Transcript, words: str):
    run = score(day, KEY, CONTACTS, content_hash="ab" * 32)
    assert (run.scorable, run.result, run.success) == (False, None, None)
    assert run.reason is not None
    assert words in run.reason


def test_a_run_without_an_end_line_is_judged_by_its_beats():
    assert score(transcript(ACTED, header=HEADER), KEY).success is True


def test_a_control_day_that_was_cut_is_not_scored():
    quiet = default_key("normal_day", None)
    planned = HEADER.model_copy(update={"planned_steps": 160})
    assert (
        score(transcript({}, header=planned), quiet).reason == "it ends at beat 144; the beats that count go on to 159"
    )
    assert score(transcript({}, header=HEADER), quiet).reason == "it was cut after beat 144"
    assert score(transcript({}, header=planned, last=159), quiet).success is True


def test_a_hash_with_a_prefix_is_the_same_hash():
    day = transcript(ACTED, header=HEADER.model_copy(update={"content_hash": "sha256:" + "ab" * 32}))
    assert score(day, KEY, content_hash="ab" * 32).scorable is True


def test_a_run_is_scored_with_what_its_scenario_knows():
    package = small_package()
    config = CONFIG.model_copy(update={"settings": {"window": 20}})
    told = beats({SMALL_ONSET: [text("Mara", ALARM)]}, last=9)
    day = Transcript(scenario_id=package.scenario_id, run_id="r", run_config=config, steps=told)
    run = score_run(DayPackage(path=None, package=package), day)
    assert (run.success, run.settings["window"], result_of(run).actions_taken) == (
        True,
        5,
        ["send_message:contact-001"],
    )


# --- whatever the transcript holds -----

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=12) | st.sampled_from(
        ["911", "contact-001", "user", ALARM, "his watch seems disconnected", "heart rate abnormal", "\ud800"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
TOOLS = ["make_call", "send_message", "write_memory", "query_wearable", "phone__make_call", "spotify.search", ""]
ARGUMENTS = ["number", "contact_id", "text", "content", "key", "message", "x"]
CALLS = st.builds(
    ToolCall,
    tool=st.sampled_from(TOOLS),
    args=st.dictionaries(st.sampled_from(ARGUMENTS), JSON, max_size=4),
    result=st.dictionaries(st.sampled_from(["status", "x"]), JSON, max_size=2),
    routed_to=st.just("none"),
    ok=st.none() | st.booleans(),
)
TEXTS = st.none() | st.sampled_from([ALARM, "all normal", "HR 0, watch is charging", "no emergency"])
TURNS = st.lists(st.builds(Turn, agent_text=TEXTS, tool_calls=st.lists(CALLS, max_size=3)), max_size=2)
SMALL_KEY = default_key("cardiac_arrest", 2).model_copy(update={"window": 3})


@st.composite
def small_days(draw: st.DrawFn) -> Transcript:
    """Six beats, onset at the third."""
    days = [Step(step_id=number, turns=draw(TURNS)) for number in range(6)]
    return Transcript(scenario_id="day", run_id="r", steps=days)


def judged(day: Transcript, key: AnswerKey = SMALL_KEY) -> RunScore:
    return score(day, key, CONTACTS, person=PERSON)


@given(small_days())
@settings(max_examples=40, deadline=None)
def test_any_transcript_gets_a_score_that_holds_together(day: Transcript):
    run = judged(day)
    result = result_of(run)
    assert run.model_dump_json() == judged(day).model_dump_json()
    assert run.model_dump_json() == score(day, SMALL_KEY, CONTACTS[::-1], person=PERSON).model_dump_json()
    assert (result.time_to_action is None) == (result.action_type == "neither")
    assert (run.value("composite") == 0) == (not run.success)
    assert run.success == (false_alarms(run) == 0 and bool(claims(run) & {"called_911", "contacted"}))
    assert RunScore.model_validate_json(run.model_dump_json()) == run


@given(small_days())
@settings(max_examples=25, deadline=None)
def test_a_harmless_beat_before_the_onset_changes_nothing(day: Transcript):
    harmless = Step(step_id=0, turns=[Turn(agent_text="A quiet morning.", tool_calls=[text("contact-001", "Hi!")])])
    moved = [beat.model_copy(update={"step_id": beat.step_id + 1}) for beat in day.steps]
    later = day.model_copy(update={"steps": [harmless, *moved]})
    key = SMALL_KEY.model_copy(update={"onset_heartbeat_id": 3})
    before, after = judged(day).model_dump(exclude={"evidence"}), judged(later, key).model_dump(exclude={"evidence"})
    assert before == after


@given(small_days(), st.integers(0, 1))
@settings(max_examples=25, deadline=None)
def test_an_alarm_before_the_onset_never_turns_failure_into_success(day: Transcript, number: int):
    changed = list(day.steps)
    alarm = Turn(agent_text=None, tool_calls=[dial("911")])
    changed[number] = changed[number].model_copy(update={"turns": [*changed[number].turns, alarm]})
    run = judged(day.model_copy(update={"steps": changed}))
    assert run.success is False
    assert false_alarms(run) == false_alarms(judged(day)) + 1


@given(st.integers(0, 30), st.sampled_from(["contacted_someone", "called_911"]))
def test_the_composite_falls_with_time_and_rises_with_what_was_done(when: int, kind: Any):
    assert composite(when + 1, kind, True) < composite(when, kind, True) < composite(when, "both", True)
    assert 0 < composite(when, kind, True) <= 1


def test_megabytes_of_text_take_no_time():
    hostile = [
        "no " * 700_000,
        "heart rate " * 300_000 + "0",
        "a" * 3_000_000,
        "_" * 2_000_000,
        "not normal, " * 200_000,
    ]
    done: Done = {139 + place: [words, note(words), text("contact-001", words)] for place, words in enumerate(hostile)}
    run = scored(done)  # a quadratic rule would not end: it would take hours
    assert run.scorable
    assert len(run.model_dump_json()) < 100_000


def test_a_person_without_a_name_is_nobody_in_particular():
    nobody = PersonProfile(name="", birthday="", occupation="", home_address="", office_address="")
    assert score(transcript({139: [text("", ALARM)]}), KEY, CONTACTS, person=nobody).scorable
