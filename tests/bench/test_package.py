"""Packages on disk: what is written is read back, what is damaged is refused in one line, hashes are the published."""

import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.small import CONTENT_HASH, ONSET, SCENARIO_ID, core_tools, small_beats, small_package, write_small
from gnomon.bench import packagefiles
from gnomon.bench.noticing.generate import generate
from gnomon.bench.noticing.package import DayPackage, content_hash, load, verify, write
from gnomon.bench.noticing.scenario import (
    TIERS,
    AnswerKey,
    HeartbeatPayload,
    HomeData,
    LocationData,
    ScenarioPackage,
    Tier,
    WearableData,
)
from gnomon.bench.packagefiles import package_hash
from gnomon.errors import InvalidInput, Refused
from gnomon.model.tools import MemoryFile

KEY = AnswerKey(kind="cardiac_arrest", onset_heartbeat_id=ONSET)
HOME = HomeData(
    indoor_temp=20.5, humidity=40, co_ppm=0, pm25=4, front_door="closed", back_window="open", motion_in=["hall"],
    power_draw=300,
)  # fmt: skip


def bare(*times: str) -> list[HeartbeatPayload]:
    return [HeartbeatPayload(heartbeat_id=number, timestamp=time) for number, time in enumerate(times)]


def changed(**values: Any) -> ScenarioPackage:
    return small_package().model_copy(update=values)


def without_package_hash(folder: Path) -> Path:
    """As the first published packages are."""
    return edit(folder, "manifest.json", lambda it: [it.pop("package_hash"), it.pop("files")])


def edit(folder: Path, name: str, change: Callable[[Any], object]) -> Path:
    value = json.loads((folder / name).read_text(encoding="utf-8"))
    change(value)
    (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return folder


def rehash(folder: Path) -> Path:
    beats = [HeartbeatPayload.model_validate(beat) for beat in json.loads((folder / "heartbeats.json").read_bytes())]
    return edit(folder, "manifest.json", lambda it: it.update(content_hash=content_hash(beats)))


def refusal(folder: Path) -> str:
    with pytest.raises(Refused) as bad:
        load(folder)
    assert bad.value.code == "INVALID_PACKAGE"
    assert "\n" not in bad.value.message
    return bad.value.message


# Hashes


TEN = "2027-06-15T10:0{}:00Z"


@pytest.mark.parametrize(
    ("beats", "expected"),
    [
        pytest.param([], "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945", id="row-29"),
        pytest.param(
            bare(TEN.format(0)), "b85b6f4e29ee89d1465d35323b9dff47f2ede2e6a43d7744046421c2cafcfac6", id="row-30"
        ),
        pytest.param(
            bare(*(TEN.format(minute) for minute in range(5))),
            "a62875c6491f90e9d0aefaf7cae7dbf9ac569fbde6b776fd263dc3b295fc28dd",
            id="row-31",
        ),
        pytest.param(
            bare("1999-01-01T00:00:00Z", *(TEN.format(minute) for minute in range(1, 5))),
            "f5f206b6a5ad258b78b0bb2fcde9096800a36dbe638e2d14c86adb411c461bb2",
            id="row-32",
        ),
        pytest.param(small_beats(), CONTENT_HASH, id="the small package"),
    ],
)
def test_the_content_hash_is_the_published_one(beats: list[HeartbeatPayload], expected: str) -> None:
    assert content_hash(beats) == expected


@pytest.mark.parametrize("row", [pytest.param(33, id="row-33")])
def test_the_first_published_package_loads_and_verifies(row: int, test_data: Path) -> None:
    folder = test_data / "bench" / "cardiac_arrest_T4_s42"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there: it is the package that was published first")
    found = verify(folder)
    assert found.content_hash == "f8fa48ae94066ebb1c16e18f3f5dbbf9ae92987e5f2678cb8c76be56fba9fa5c"
    assert (found.beats, found.tools, found.contacts) == (160, 18, 21)
    assert found.notes == ["manifest.json has no package_hash: changes outside of heartbeats.json would go unseen"]


def test_a_whole_number_counts_as_the_fraction_that_it_stands_for(own_small: Path) -> None:
    def to_int(beats: Any) -> None:
        assert beats[0]["wearable"]["blood_glucose"] == 85.0
        beats[0]["wearable"]["blood_glucose"] = 85

    assert load(edit(without_package_hash(own_small), "heartbeats.json", to_int)).package.heartbeats == small_beats()


def test_keys_that_nobody_knows_are_outside_of_the_content_hash() -> None:
    beats = [beat.model_dump() for beat in small_beats()]
    beats[0]["tides"] = 3
    beats[1]["wearable"]["hydration"] = 60
    assert content_hash([HeartbeatPayload.model_validate(beat) for beat in beats]) == CONTENT_HASH


def test_a_home_counts_where_there_is_one() -> None:
    first, *rest = small_beats()
    assert content_hash([first.model_copy(update={"home": HOME}), *rest]) != CONTENT_HASH


@given(seed=st.integers(0, 2**32), indent=st.sampled_from([None, 0, 1, 4]))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@pytest.mark.parametrize("row", [pytest.param(34, id="row-34")])
def test_layout_and_order_of_keys_do_not_count(row: int, own_small: Path, seed: int, indent: int | None) -> None:
    draw = random.Random(seed)

    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            items = [(key, shuffled(inner)) for key, inner in value.items()]
            draw.shuffle(items)
            return dict(items)
        return [shuffled(item) for item in value] if isinstance(value, list) else value

    if "files" in json.loads((own_small / "manifest.json").read_bytes()):
        without_package_hash(own_small)
    beats = json.loads((own_small / "heartbeats.json").read_bytes())
    (own_small / "heartbeats.json").write_text(json.dumps(shuffled(beats), indent=indent), encoding="utf-8")
    assert load(own_small).package.manifest.content_hash == CONTENT_HASH


def test_the_package_hash_is_what_a_shell_computes(small: Path) -> None:
    command = "find * -type f ! -path manifest.json | LC_ALL=C sort | xargs sha256sum | sha256sum"
    told = subprocess.run(["bash", "-c", command], cwd=small, capture_output=True, text=True, check=True).stdout
    assert package_hash(small) == told.split()[0] == load(small).package.manifest.package_hash


# What is written is read back


def test_the_small_package_is_read_as_it_was_written(small: Path) -> None:
    found = load(small)
    assert found.package.model_copy(update={"manifest": small_package().manifest}) == small_package()
    assert (found.path, found.key, found.notes) == (small, None, [])


def test_a_package_with_a_key_and_a_home_is_read_as_it_was_written(tmp_path: Path) -> None:
    first, *rest = small_beats()
    given = changed(heartbeats=[first.model_copy(update={"home": HOME}), *rest], locale="de-AT")
    found = load(write(given, KEY, tmp_path / "it"))
    assert found.package.heartbeats == given.heartbeats
    assert (found.key, found.package.locale) == (KEY, "de-AT")
    text = (tmp_path / "it" / "heartbeats.json").read_text(encoding="utf-8")
    assert text.count('"home"') == 1


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
numbers = st.floats(allow_nan=False, allow_infinity=False)
wearables = st.builds(
    WearableData, heart_rate=st.integers(), spo2=st.integers(), steps=st.integers(), skin_temp=numbers,
    ecg_summary=words, blood_glucose=numbers | st.integers(-10, 10), calories_burned=st.integers(),
    sleep_stage=words, respiratory_rate=st.integers(), body_battery=st.integers(),
)  # fmt: skip
locations = st.builds(
    LocationData, lat=numbers, lon=numbers, altitude=numbers, speed=numbers, heading=st.integers(0, 360),
    accuracy=numbers, geofence_status=st.none() | words, movement_classification=words,
)  # fmt: skip
modules = st.tuples(st.none() | wearables, st.none() | locations)


@st.composite
def any_package(draw: st.DrawFn) -> ScenarioPackage:
    beats = [
        HeartbeatPayload(heartbeat_id=number, timestamp=f"2027-01-01T00:{number:02}:00+01:00", wearable=w, location=p)
        for number, (w, p) in enumerate(draw(st.lists(modules, min_size=1, max_size=3)))
    ]
    keys = draw(st.lists(st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True), min_size=1, max_size=3, unique=True))
    memories = [MemoryFile(key=key, content=draw(words)) for key in sorted(keys, key=lambda key: f"{key}.md")]
    control = draw(st.booleans())
    return changed(
        crisis_type="none" if control else draw(words.filter(lambda word: word != "none")),
        crisis_heartbeat_id=len(beats) if control else draw(st.integers(0, len(beats) - 1)),
        heartbeats=beats, memory_files=memories, persona=draw(words), seed=draw(st.integers()), scenario_id=draw(words),
    )  # fmt: skip


@given(given_package=any_package())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_written_is_read_back_and_written_to_the_same_bytes(
    given_package: ScenarioPackage, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("round")
    found = load(write(given_package, None, home / "a")).package
    assert found.model_copy(update={"manifest": given_package.manifest}) == given_package
    assert found.manifest.content_hash == content_hash(given_package.heartbeats)
    again = write(found, None, home / "b")
    for path in (home / "a").rglob("*.*"):
        assert path.read_bytes() == (again / path.relative_to(home / "a")).read_bytes()
    shutil.rmtree(home)


def test_two_writings_have_the_same_bytes_and_say_no_time(tmp_path: Path) -> None:
    one, two = write_small(tmp_path / "one"), write_small(tmp_path / "two")
    names = sorted(str(path.relative_to(one)) for path in one.rglob("*") if path.is_file())
    assert names == [
        "heartbeats.json", "manifest.json", "memories/preferences.md", "memories/recurring_notes.md",
        "memories/user_profile.md", "memories/work_context.md", "persona.md", "scenario.json", "tools.json",
    ]  # fmt: skip
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in names)
    manifest = json.loads((one / "manifest.json").read_bytes())
    assert manifest["generated_at"] == ""
    assert (one / "scenario.json").read_text(encoding="utf-8").endswith("}\n")


def test_writing_the_same_package_again_changes_nothing(own_small: Path) -> None:
    before = (own_small / "manifest.json").stat().st_mtime_ns
    later = small_package().manifest.model_copy(update={"generated_at": "2027-01-01T00:00:00Z"})
    assert write(changed(manifest=later), None, own_small) == own_small
    assert (own_small / "manifest.json").stat().st_mtime_ns == before


@pytest.mark.parametrize("other", [{"seed": 1}, {"persona": "Somebody else.\n"}], ids=["seed", "persona"])
def test_a_folder_that_holds_something_else_is_left_alone(own_small: Path, other: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="holds something else already"):
        write(changed(**other), None, own_small)
    assert load(own_small).package.seed == 0


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "it").mkdir()
    assert load(write(small_package(), None, tmp_path / "it")).package.scenario_id == SCENARIO_ID


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "it").write_text("a file")
    with pytest.raises(Refused, match="cannot write"):
        write(small_package(), None, tmp_path / "it")
    assert [path.name for path in tmp_path.iterdir()] == ["it"]


def with_beat(**values: Any) -> ScenarioPackage:
    first, *rest = small_beats()
    return changed(heartbeats=[first.model_copy(update=values), *rest])


@pytest.mark.parametrize(
    ("given_package", "told"),
    [
        (with_beat(tides=3), "heartbeats.json: tides is not a known key"),
        (with_beat(wearable=small_beats()[0].wearable.model_copy(update={"skin_temp": float("nan")})), "cannot be"),
        (changed(scenario_id="half \ud800"), "half a character"),
        (changed(scenario_id="nul \0"), "NUL"),
        (changed(persona="nul \0"), "persona.md holds the character NUL"),
        (changed(memory_files=[]), "memories/ is empty"),
        (changed(memory_files=[MemoryFile(key="../../out", content="")]), r"'../../out' is not a safe file name"),
        (changed(memory_files=[MemoryFile(key="/etc/x", content="")]), "not a safe file name"),
        (changed(memory_files=[MemoryFile(key="a\\b", content="")]), "not a safe file name"),
        (changed(memory_files=[MemoryFile(key="", content="")]), "not a safe file name"),
        (changed(memory_files=[MemoryFile(key=".hidden", content="")]), "not a safe file name"),
        (changed(memory_files=[MemoryFile(key="x" * 300, content="")]), "not a safe file name"),
        (changed(memory_files=[MemoryFile(key="\ud800", content="")]), "not a safe file name"),
        (changed(memory_files=[MemoryFile(key=key, content="") for key in ("a", "A")]), "in another case"),
        (changed(crisis_heartbeat_id=10), "crisis_heartbeat_id 10: the beats are 0 to 9"),
    ],
)  # fmt: skip
def test_what_could_not_be_read_back_is_not_written(given_package: ScenarioPackage, told: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=told):
        write(given_package, None, tmp_path / "it")
    assert list(tmp_path.iterdir()) == []


# What is drawn is a package


@pytest.mark.parametrize("row", [pytest.param(42, id="row-42")])
def test_the_same_day_drawn_twice_is_the_same_package(row: int, tmp_path: Path) -> None:
    folders = [write(*generate("cardiac_arrest", "T1", 7), tmp_path / name) for name in ("a", "b")]
    assert len({(folder / "manifest.json").read_bytes() for folder in folders}) == 1
    assert load(folders[0]).notes == []


@pytest.mark.parametrize(
    ("tier", "count"),
    [pytest.param(tier, count, id=f"row-43 {tier}") for tier, count in zip(TIERS, (9, 10, 16, 18), strict=True)],
)
def test_a_tier_has_its_tools(tier: Tier, count: int) -> None:
    names = [tool.name for tool in generate("cardiac_arrest", tier, 0)[0].tool_definitions]
    assert (len(names), names) == (count, sorted(names))
    assert {tool.name for tool in core_tools()} <= set(names)
    assert any("." in name for name in names) == (tier in ("T3", "T4"))


@pytest.mark.parametrize(
    ("kind", "tier", "date"),
    [
        pytest.param("cardiac_arrest", "T5", None, id="row-44 tier"),
        pytest.param("earthquake", "T1", None, id="row-44 kind"),
        pytest.param("cardiac_arrest", "T1", "2026-01-01", id="row-45"),
    ],
)
def test_what_cannot_be_drawn_is_refused(kind: str, tier: Any, date: str | None) -> None:
    with pytest.raises(InvalidInput):
        generate(kind, tier, 0, date)


@pytest.mark.parametrize("row", [pytest.param(45, id="row-45")])
def test_a_later_day_can_be_drawn(row: int) -> None:
    package, _ = generate("cardiac_arrest", "T1", 0, "2027-03-15")
    assert package.heartbeats[0].timestamp.startswith("2027-03-15T06:30:")


@pytest.mark.parametrize("row", [pytest.param(63, id="row-63")])
def test_the_lowest_tier_is_the_highest_with_less_around_it(row: int) -> None:
    low, high = (generate("cardiac_arrest", tier, 3)[0].heartbeats for tier in ("T1", "T4"))
    assert [(beat.timestamp, beat.wearable) for beat in low] == [(beat.timestamp, beat.wearable) for beat in high]


# What is damaged is refused


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere").startswith(f"{tmp_path / 'nowhere'}: there is no such folder")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("heartbeats.json", id="row-36"), "manifest.json", "scenario.json", "tools.json", "persona.md",
        pytest.param("memories/", id="row-37"),
    ],
)  # fmt: skip
def test_a_file_that_is_missing_is_named(own_small: Path, name: str) -> None:
    shutil.rmtree(own_small / name) if name.endswith("/") else (own_small / name).unlink()
    assert refusal(own_small).endswith(f"Missing required file: {name}")


@pytest.mark.parametrize("row", [pytest.param(38, id="row-38")])
def test_memories_without_a_file_are_said_to_be_empty(row: int, own_small: Path) -> None:
    for path in (own_small / "memories").iterdir():
        path.unlink()
    assert "The directory memories/ is empty" in refusal(own_small)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(b"{ not json", "malformed", id="row-39"),
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b'{"a": NaN}', "NaN is not JSON; write null", id="NaN"),
        pytest.param(b'{"a": 1e999}', "out of range", id="beyond a double"),
        pytest.param(b'{"a": "\xff"}', "is not UTF-8; save it as UTF-8", id="not UTF-8"),
        pytest.param(b'{"a": "\\u0000"}', "NUL", id="NUL"),
        pytest.param(b'{"a": "\\ud800"}', "", id="half a character"),
        pytest.param(b'{"a":' * 150 + b"1" + b"}" * 150, "deeper", id="deep"),
        pytest.param(b"[" * 100_000, "deeper", id="bottomless"),
        pytest.param(b'{"a": 1' + b"0" * 5_000 + b"}", "", id="endless number"),
    ],
)
@pytest.mark.parametrize("name", ["manifest.json", "scenario.json", "heartbeats.json", "tools.json", "answer_key.json"])
def test_a_file_that_is_no_json_is_named(own_small: Path, name: str, content: bytes, told: str) -> None:
    (own_small / name).write_bytes(content)
    message = refusal(own_small)
    assert f"{name} is not JSON that can be read" in message
    assert told in message


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("manifest.json", lambda it: it.update(content_hash="A" * 64), r"manifest.json: content_hash 'AAA"),
        ("scenario.json", lambda it: it.update(noise_tier="T5"), "scenario.json: noise_tier 'T5': input should"),
        ("scenario.json", lambda it: it["contacts"][2].pop("id"), "scenario.json: contacts[2].id: field required"),
        ("heartbeats.json", lambda it: it[3]["wearable"].pop("heart_rate"),
         "heartbeats.json: [3].wearable.heart_rate: field required"),
        ("heartbeats.json", lambda it: it.__setitem__(2, 5), "heartbeats.json: [2] '5': input should be"),
        ("tools.json", lambda it: it[0].update(parameters=3), "tools.json: [0].parameters '3'"),
    ],
)  # fmt: skip
def test_a_field_that_is_wrong_is_named(own_small: Path, name: str, change: Callable[[Any], object], told: str) -> None:
    assert told in refusal(edit(own_small, name, change))


@pytest.mark.parametrize("name", ["heartbeats.json", "tools.json"])
def test_an_object_where_a_list_belongs_is_named(own_small: Path, name: str) -> None:
    (own_small / name).write_text("{}")
    assert f"{name} holds no JSON array" in refusal(own_small)


@pytest.mark.parametrize("row", [pytest.param(35, id="row-35")])
def test_a_changed_value_is_a_content_hash_mismatch(row: int, own_small: Path) -> None:
    edit(own_small, "heartbeats.json", lambda beats: beats[7]["wearable"].update(heart_rate=1))
    message = refusal(own_small)
    assert f"heartbeats.json: Content hash mismatch: expected {CONTENT_HASH} computed " in message


@pytest.mark.parametrize("row", [pytest.param(40, id="row-40")])
def test_a_moved_onset_is_a_package_hash_mismatch_that_names_the_file(row: int, own_small: Path) -> None:
    edit(own_small, "scenario.json", lambda it: it.update(crisis_heartbeat_id=5))
    assert "scenario.json has changed: Package hash mismatch: expected " in refusal(own_small)


def test_files_that_come_and_go_are_named(own_small: Path) -> None:
    (own_small / "memories" / "preferences.md").rename(own_small / "memories" / "other.md")
    message = refusal(own_small)
    assert "memories/other.md was added; 'memories/preferences.md' is gone: Package hash mismatch" in message


def test_a_package_hash_that_was_taken_away_is_missed(own_small: Path) -> None:
    edit(own_small, "manifest.json", lambda it: it.pop("package_hash"))
    assert "package_hash is missing although files is there" in refusal(own_small)


@given(data=st.data())
@settings(max_examples=90, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_one_wrong_byte_anywhere_is_found(data: st.DataObject, own_small: Path) -> None:
    names = sorted(path for path in own_small.rglob("*.*") if path.is_file())
    path = data.draw(st.sampled_from(names))
    good = path.read_bytes()
    place = data.draw(st.integers(0, len(good) - 1))
    wrong = data.draw(st.integers(0, 255).filter(lambda byte: byte != good[place]))
    try:
        path.write_bytes(good[:place] + bytes([wrong]) + good[place + 1 :])
        if path.name == "manifest.json":
            _assert_refused_or_only_about_the_making(own_small)
        else:
            refusal(own_small)
    finally:
        path.write_bytes(good)


def _assert_refused_or_only_about_the_making(folder: Path) -> None:
    """The manifest cannot vouch for itself: who made the package, when, and the list of files may read otherwise."""
    try:
        found = load(folder).package
    except Refused:
        return
    known = small_package()
    assert found.model_copy(update={"manifest": known.manifest}) == known
    assert (found.manifest.content_hash, found.manifest.package_hash) == (CONTENT_HASH, package_hash(folder))


# Days that do not hold together


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("heartbeats.json", lambda it: it[3].update(heartbeat_id=7), "heartbeats.json: [3].heartbeat_id 7: ids go"),
        ("heartbeats.json", lambda it: it.pop(0), "heartbeats.json: [0].heartbeat_id 1: ids go 0, 1, 2, …; write 0"),
        ("heartbeats.json", lambda it: it.clear(), "heartbeats.json holds no beat"),
        ("heartbeats.json", lambda it: it[1].update(timestamp=it[0]["timestamp"]),
         "[1].timestamp '2027-06-15T17:45:05Z': not"),
        ("heartbeats.json", lambda it: it[1].update(timestamp="noon"), "[1].timestamp 'noon': not an ISO 8601 time"),
        ("heartbeats.json", lambda it: it[1].update(timestamp="2027-06-15T17:50:00"), "some have none"),
        ("scenario.json", lambda it: it.update(crisis_heartbeat_id=10), "crisis_heartbeat_id 10: the beats are 0 to 9"),
        ("scenario.json", lambda it: it.update(crisis_heartbeat_id=-1), "crisis_heartbeat_id -1"),
        ("scenario.json", lambda it: it.update(crisis_type="none"), "it is the number of beats, 10"),
        ("scenario.json", lambda it: it["contacts"][1].update(id="contact-001"), "contacts.id 'contact-001': stands 2"),
        ("tools.json", lambda it: it.append(it[0]), "tools.json: name 'get_contacts': stands 2 times"),
    ],
)  # fmt: skip
def test_a_day_that_does_not_hold_together_is_refused(
    own_small: Path, name: str, change: Callable[[Any], object], told: str
) -> None:
    assert told in refusal(rehash(edit(without_package_hash(own_small), name, change)))


def test_all_problems_are_told_to_programs_and_the_first_to_people(own_small: Path) -> None:
    edit(without_package_hash(own_small), "heartbeats.json", lambda it: [beat.update(heartbeat_id=5) for beat in it])
    with pytest.raises(Refused, match=r"\(and 8 more\)") as bad:
        load(rehash(own_small))
    assert [problem.field for problem in bad.value.problems][:2] == [
        "heartbeats.json: [0].heartbeat_id", "heartbeats.json: [1].heartbeat_id",
    ]  # fmt: skip


def test_a_control_day_has_its_onset_after_the_last_beat(tmp_path: Path) -> None:
    key = AnswerKey(kind="hard_workout", onset_heartbeat_id=None)
    folder = write(changed(crisis_type="none", crisis_heartbeat_id=10), key, tmp_path / "it")
    found = verify(folder)
    assert (found.kind, found.has_answer_key, found.notes) == ("hard_workout", True, [])


@pytest.mark.parametrize("onset", [None, 3])
def test_an_answer_key_that_contradicts_the_scenario_is_refused(tmp_path: Path, onset: int | None) -> None:
    with pytest.raises(Refused, match=r"answer_key.json: onset_heartbeat_id .*scenario.json says 4"):
        write(small_package(), KEY.model_copy(update={"onset_heartbeat_id": onset}), tmp_path / "it")


def test_an_answer_key_with_a_slip_of_the_pen_is_refused(tmp_path: Path) -> None:
    folder = without_package_hash(write(small_package(), KEY, tmp_path / "it"))
    assert "answer_key.json: forbiden_actions" in refusal(
        edit(folder, "answer_key.json", lambda it: it.update(forbiden_actions=[]))
    )


# What is merely unusual is told


def test_a_package_without_a_package_hash_loads_with_a_note(own_small: Path) -> None:
    found = load(without_package_hash(own_small))
    assert found.notes == ["manifest.json has no package_hash: changes outside of heartbeats.json would go unseen"]


def test_keys_and_files_that_nobody_knows_are_kept_and_told(own_small: Path) -> None:
    edit(own_small, "heartbeats.json", lambda it: [beat["wearable"].update(hydration=60) for beat in it])
    edit(own_small, "scenario.json", lambda it: it["person"].update(nickname="Sammy"))
    (own_small / "README.txt").write_text("hello")
    found = load(without_package_hash(own_small))
    assert found.notes[:2] == [
        "heartbeats.json: wearable.hydration is not a known key; it is kept (10 times)",
        "scenario.json: person.nickname is not a known key; it is kept",
    ]
    assert found.notes[-1] == "README.txt is not a file of a package; it is left aside"
    assert found.package.heartbeats[0].shown()["wearable"]["hydration"] == 60
    assert found.package.person.model_dump()["nickname"] == "Sammy"


def test_a_tier_that_promises_something_else_is_told(tmp_path: Path) -> None:
    found = load(write(changed(noise_tier="T3"), None, tmp_path / "it"))
    assert found.notes == [
        "heartbeats.json has modules wearable; tier T3 goes with 5",
        "tools.json has 9 tools; tier T3 goes with 16",
    ]


def test_a_recipient_who_is_no_contact_is_told(tmp_path: Path) -> None:
    key = KEY.model_copy(update={"acceptable_recipients": ["contact-001", "contact-099"]})
    found = load(write(small_package(), key, tmp_path / "it"))
    assert found.notes == ["answer_key.json: acceptable_recipients names 'contact-099', who is not a contact"]


def test_verify_says_what_a_package_is_and_not_where_its_anomaly_begins(small: Path) -> None:
    found = verify(small)
    assert (found.scenario_id, found.kind, found.tier, found.beats) == (SCENARIO_ID, "cardiac_arrest", "T1", 10)
    assert (found.contacts, found.tools, found.has_answer_key) == (21, 9, False)
    assert found.package_hash == package_hash(small)
    assert not any("onset" in name or "crisis" in name for name in found.model_dump())


def test_a_beat_may_lack_any_module(tmp_path: Path) -> None:
    found = load(write(with_beat(wearable=None), None, tmp_path / "it"))
    assert found.package.heartbeats[0].shown() == {}


# Folders that mean harm


def test_a_symbolic_link_is_refused(own_small: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    (own_small / "memories" / "linked.md").symlink_to(secret)
    assert "memories/linked.md is a symbolic link" in refusal(own_small)


def test_a_linked_folder_is_refused(own_small: Path, tmp_path: Path) -> None:
    (own_small / "loop").symlink_to(own_small)
    assert "loop is a symbolic link" in refusal(own_small)


def test_a_pipe_is_refused_and_never_opened(own_small: Path) -> None:
    os.mkfifo(own_small / "pipe")
    assert "pipe is neither a file nor a folder" in refusal(own_small)


@pytest.mark.parametrize("name", ["heartbeats.json", "persona.md"])
def test_a_folder_in_the_place_of_a_file_is_named(own_small: Path, name: str) -> None:
    (own_small / name).unlink()
    (own_small / name).mkdir()
    assert f"{name} is a folder" in refusal(own_small)


def test_a_file_in_the_place_of_a_folder_is_named(own_small: Path) -> None:
    shutil.rmtree(own_small / "memories")
    (own_small / "memories").write_text("")
    assert "Missing required file: memories/" in refusal(own_small)


def test_a_huge_file_is_refused_before_it_is_read(own_small: Path) -> None:
    with (own_small / "heartbeats.json").open("wb") as file:
        file.truncate(1 << 40)
    assert "heartbeats.json is larger than 16 MiB" in refusal(own_small)


def test_many_large_files_are_refused(own_small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packagefiles, "LARGEST_PACKAGE", 5_000)
    assert "it is not a scenario package" in refusal(own_small)


def test_many_files_are_refused(own_small: Path) -> None:
    for number in range(1_000):
        (own_small / "memories" / f"{number}.md").touch()
    assert "holds more than 1000 files" in refusal(own_small)


def test_many_values_are_refused_before_they_are_built(own_small: Path) -> None:
    (own_small / "heartbeats.json").write_bytes(b"[" + b"[]," * 250_000 + b"[]]")
    assert "heartbeats.json holds more than 200,000 values" in refusal(own_small)


def test_folders_within_folders_have_an_end(own_small: Path) -> None:
    (own_small / "/".join("a" * 10)).mkdir(parents=True)
    assert "a package cannot have a file of this name" in refusal(own_small)


@pytest.mark.parametrize("name", [b"\xff.md", b"a\nb.md", b"..\\x.md"])
def test_names_that_are_not_safe_everywhere_are_refused(own_small: Path, name: bytes) -> None:
    (own_small / "memories" / os.fsdecode(name)).touch()
    assert "a package cannot have a file of this name" in refusal(own_small)


def test_text_that_is_not_utf8_is_named(own_small: Path) -> None:
    (own_small / "memories" / "preferences.md").write_bytes(b"ok \xff")
    assert "memories/preferences.md is not UTF-8 text: byte 3" in refusal(own_small)


def test_a_scenario_can_live_in_memory_only() -> None:
    assert DayPackage(None, small_package()).notes == []


# What a manifest may name


@pytest.mark.parametrize(
    "name",
    [
        "../secret.txt", "memories/../../secret.txt", "/etc/hostname", "..", ".", "", "memories//x.md", "./persona.md",
        "C:/secret.txt", "memories\\..\\..\\secret.txt", "~/secret.txt/..", "persona.md/", "out/secret.txt/../x",
    ],
)  # fmt: skip
def test_a_manifest_that_names_a_file_outside_the_package_is_refused(name: str, tmp_path: Path) -> None:
    """Whoever reads the list later, such as a tool that copies or deletes what it names, must not be led astray."""
    folder = write_small(tmp_path / "package")
    (tmp_path / "secret.txt").write_text("secret\n", encoding="utf-8")
    edit(folder, "manifest.json", lambda it: it["files"].update({name: "0" * 64}))
    assert f"files names {name!a}, which no file of a package is called" in refusal(folder)
    with pytest.raises(Refused, match="which no file of a package is called"):
        verify(folder)


def test_a_manifest_that_leads_out_through_a_link_is_refused(tmp_path: Path) -> None:
    folder = write_small(tmp_path / "package")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "secret.txt").write_text("secret\n", encoding="utf-8")
    (folder / "out").symlink_to(tmp_path / "out")
    edit(folder, "manifest.json", lambda it: it["files"].update({"out/secret.txt": "0" * 64}))
    assert "out is a symbolic link" in refusal(folder)


def test_a_manifest_lists_what_is_there_and_nothing_else(tmp_path: Path) -> None:
    folder = write_small(tmp_path / "package")
    edit(folder, "manifest.json", lambda it: it["files"].update({"notes.md": "0" * 64}))
    assert "'notes.md' is gone" in refusal(folder)
    edit(folder, "manifest.json", lambda it: [it["files"].pop("notes.md"), it["files"].pop("persona.md")])
    assert "persona.md was added" in refusal(folder)
    edit(folder, "manifest.json", lambda it: it["files"].update({"persona.md": "0" * 64}))
    assert "persona.md has changed" in refusal(folder)
