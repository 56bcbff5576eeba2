"""Days drawn from a seed: the same bytes everywhere, tiers that are parts of each other, and signals that can be seen.

Renew the hashes with GNOMON_RENEW_GOLDEN=1 after a change of the generator, and raise GENERATOR_VERSION with them.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.bench.noticing.generate import GENERATOR_VERSION, Kind, comms, generate, kinds
from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.generate.evolution import changed_values
from gnomon.bench.noticing.generate.fields import NUMBERS
from gnomon.bench.noticing.generate.kind import Phase
from gnomon.bench.noticing.generate.location import heading_of
from gnomon.bench.noticing.generate.schedule import day_of, possible_onsets
from gnomon.bench.noticing.generate.worlds import setting_of, worlds
from gnomon.bench.noticing.hints import find_hints
from gnomon.bench.noticing.package import DayPackage, content_hash, load, write
from gnomon.bench.noticing.scenario import TIERS, AnswerKey, ScenarioPackage
from gnomon.errors import InvalidInput

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parents[1] / "golden" / "bench" / "hashes.json"
BEATS = 160
ALL = sorted(kinds())
ANOMALIES = sorted(name for name, kind in kinds().items() if not kind.control)
LOOKALIKES = sorted(name for name, kind in kinds().items() if kind.control and kind.lasts)
COUNTERS = {name.partition(".")[2] for name, number in NUMBERS.items() if number.counts_up}
TODAY = datetime(2027, 6, 15).date()
seeds = st.integers(0, 10_000)
few = settings(max_examples=8)
some = settings(max_examples=25)


@lru_cache(maxsize=200)
def drawn(kind: str, tier: str = "T1", seed: int = 0, date: str | None = None) -> tuple[ScenarioPackage, AnswerKey]:
    return generate(kind, tier, seed, date)


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str, int], ScenarioPackage]:
    """An ordinary day with any carrier: kinds of one's own on which nothing happens."""
    folder = tmp_path_factory.mktemp("kinds")
    for carrier in ("wearable", "home", "financial", "location"):
        text = f"summary: Nothing.\ndomain: body\ncarrier: {carrier}\ncontrol: true\n"
        (folder / f"quiet_{carrier}.yaml").write_text(text, encoding="utf-8")
    return lambda carrier, tier, seed: generate(f"quiet_{carrier}", tier, seed, kinds_folder=folder)[0]


def column(package: ScenarioPackage, name: str) -> list[Any]:
    module, _, field = name.partition(".")
    return [getattr(getattr(beat, module), field) for beat in package.heartbeats if getattr(beat, module) is not None]


def whole_hash(package: ScenarioPackage) -> str:
    return hashlib.sha256(json.dumps(package.model_dump(), sort_keys=True).encode()).hexdigest()


# The same bytes


GOLDEN_DAYS = [(kind, TIERS[place % 4], place) for place, kind in enumerate(ALL)]
GOLDEN_DAYS += [
    ("cardiac_arrest", "T4", 42),
    ("house_fire", "T4", 1),
    ("normal_day", "T3", -5),
    ("gps_loss", "T4", 10**20),
]


def test_days_have_the_hashes_that_they_always_had() -> None:
    found = {"generator_version": GENERATOR_VERSION}
    for kind, tier, seed in GOLDEN_DAYS:
        package, _ = drawn(kind, tier, seed)
        found[package.scenario_id] = f"{package.manifest.content_hash} {whole_hash(package)}"
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        GOLDEN.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("how", [("-I",), ("-W", "ignore")], ids=["isolated", "hash seed 1"])
def test_another_process_draws_the_same_day(how: tuple[str, ...]) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2] / 'src')!r})\n"
        "from gnomon.bench.noticing.generate import generate\n"
        "print(generate('account_takeover', 'T4', 3)[0].model_dump_json())"
    )
    surroundings = {**os.environ, "PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    done = subprocess.run([sys.executable, *how, "-c", code], capture_output=True, check=True, env=surroundings)
    assert whole_hash(ScenarioPackage.model_validate_json(done.stdout)) == whole_hash(
        drawn("account_takeover", "T4", 3)[0]
    )


def test_the_manifest_holds_the_hash_of_the_beats_and_no_clock() -> None:
    package, _ = drawn("heat_stroke", "T2", 5)
    assert package.manifest.content_hash == content_hash(package.heartbeats)
    assert package.manifest.generated_at == ""


def test_a_written_day_is_read_back_the_same_with_its_key(tmp_path: Path) -> None:
    package, key = drawn("road_crash", "T3", 4)
    found = load(write(package, key, tmp_path / package.scenario_id))
    assert found.package.model_copy(update={"manifest": package.manifest}) == package
    assert found.key == key


# Tiers, worlds, pairs


@pytest.mark.parametrize("kind", ALL)
def test_a_tier_is_the_next_one_with_modules_taken_away(kind: str) -> None:
    full = drawn(kind, "T4", 11)[0]
    carrier = kinds()[kind].carrier
    before: set[str] = set()
    for tier in TIERS:
        package = drawn(kind, tier, 11)[0]
        shown = [beat.shown() for beat in package.heartbeats]
        modules = {module for beat in shown for module in beat}
        assert before <= modules
        assert carrier in modules
        before = modules
        for part, all_of_it in zip(shown, full.heartbeats, strict=True):
            assert part == {name: value for name, value in all_of_it.shown().items() if name in modules}
        assert [b.timestamp for b in package.heartbeats] == [b.timestamp for b in full.heartbeats]
        assert package.persona == full.persona
        assert package.memory_files == full.memory_files


@pytest.mark.parametrize(
    ("kind", "modules"),
    [
        ("cardiac_arrest", [1, 3, 5, 6]),
        ("house_fire", [1, 4, 6, 7]),
        ("road_crash", [1, 3, 5, 6]),
        ("account_takeover", [1, 4, 6, 6]),
    ],
)
def test_each_tier_has_its_modules(kind: str, modules: list[int]) -> None:
    shown = [{name for beat in drawn(kind, tier)[0].heartbeats for name in beat.shown()} for tier in TIERS]
    assert [len(found) for found in shown] == modules


@pytest.mark.parametrize(
    ("kind", "query", "counts"),
    [
        ("cardiac_arrest", "query_wearable", [9, 10, 16, 18]),
        ("normal_day", "query_wearable", [9, 10, 16, 18]),
        ("carbon_monoxide", "query_home", [9, 11, 17, 19]),
        ("gps_loss", "query_location", [9, 11, 17, 19]),
        ("big_purchase", "query_accounts", [9, 11, 17, 19]),
    ],
)
def test_each_tier_has_its_tools(kind: str, query: str, counts: list[int]) -> None:
    names = [[tool.name for tool in drawn(kind, tier)[0].tool_definitions] for tier in TIERS]
    assert [len(found) for found in names] == counts
    assert all(found == sorted(set(found)) and query in found for found in names)
    assert all(("query_wearable" in found) == (query == "query_wearable" or tier != "T1")
               for tier, found in zip(TIERS, names, strict=True))  # fmt: skip
    assert not any("." in name for name in names[1])
    assert sum("." in name for name in names[2]) == 5


@few
@given(seeds, st.sampled_from([name for name in ALL if name != "normal_day"]))
def test_up_to_the_onset_a_day_is_the_ordinary_day_of_its_seed(
    quiet: Callable[[str, str, int], ScenarioPackage], seed: int, kind: str
) -> None:
    tier = "T4" if seed % 4 == 0 else "T1"
    package, key = generate(kind, tier, seed)
    ordinary = quiet(kinds()[kind].carrier, tier, seed)
    first = next(
        n for n, pair in enumerate(zip(package.heartbeats, ordinary.heartbeats, strict=True)) if pair[0] != pair[1]
    )
    assert 60 <= first <= 144
    if key.onset_heartbeat_id is not None:
        assert first >= key.onset_heartbeat_id
    assert package.memory_files == ordinary.memory_files
    assert package.contacts == ordinary.contacts


def test_a_crash_and_a_lost_position_begin_at_the_same_beat() -> None:
    crash = drawn("road_crash", "T1", 8)[1].onset_heartbeat_id
    lost = drawn("gps_loss", "T1", 8)[0]
    assert crash is not None
    assert lost.heartbeats[crash].location.accuracy > 500  # type: ignore[union-attr]
    assert lost.heartbeats[crash - 1].location.accuracy < 50  # type: ignore[union-attr]


def test_seeds_meet_different_people_in_different_countries() -> None:
    packages = [drawn("normal_day", "T1", seed)[0] for seed in range(12)]
    assert len({package.person.name for package in packages}) >= 3
    assert len({package.locale for package in packages}) >= 2


# The frame of a day


@few
@given(seeds, st.sampled_from(ALL))
def test_beats_are_numbered_and_five_minutes_apart(seed: int, kind: str) -> None:
    package, key = generate(kind, "T1", seed)
    times = [datetime.fromisoformat(beat.timestamp) for beat in package.heartbeats]
    assert [beat.heartbeat_id for beat in package.heartbeats] == list(range(BEATS))
    assert all(270 <= (late - early).total_seconds() <= 330 for early, late in pairwise(times))
    assert times[0].strftime("%H:%M") == "06:30"
    assert times[0].utcoffset() is not None
    assert package.scenario_id == f"{kind}_T1_s{seed}"
    if kinds()[kind].control:
        assert (package.crisis_type, package.crisis_heartbeat_id, key.onset_heartbeat_id) == ("none", BEATS, None)
    else:
        assert package.crisis_type == kind == key.kind
        assert 60 <= package.crisis_heartbeat_id == key.onset_heartbeat_id <= 139  # type: ignore[operator]


@pytest.mark.parametrize("kind", [name for name in ALL if kinds()[name].onset])
def test_onsets_are_spread_over_the_day_and_every_seed_has_one(kind: str) -> None:
    when = kinds()[kind].onset
    assert when is not None
    found = []
    for seed in range(60):
        setting = setting_of(seed, TODAY)
        possible = possible_onsets(day_of(seed, setting.when, setting.offset), when.blocks, when.settled, when.clear)
        assert possible
        found.append(Stream(seed, "onset").pick(possible))
    assert len(set(found)) >= 15
    assert max(found) - min(found) >= 30


@pytest.mark.parametrize(
    ("hours", "date", "offset"),
    [
        (-5, "2027-03-13", "-05:00"), (-5, "2027-03-14", "-04:00"), (-5, "2027-11-06", "-04:00"),
        (-5, "2027-11-07", "-05:00"), (0, "2027-03-27", "+00:00"), (0, "2027-03-28", "+01:00"),
        (0, "2027-10-31", "+00:00"), (0, "2028-02-29", "+00:00"),
    ],
)  # fmt: skip
def test_times_are_local_and_know_summer_time(hours: int, date: str, offset: str) -> None:
    seed = next(seed for seed in range(99) if setting_of(seed, TODAY).world.hours_from_utc == hours)
    first = drawn("normal_day", "T1", seed, date)[0].heartbeats[0].timestamp
    assert first.startswith(f"{date}T06:30:")
    assert first.endswith(offset)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("earthquake", "T1", 0), "'earthquake' is not known; there are account_takeover, big_purchase"),
        (("normal_day", "T5", 0), "'T5' is not known; there are T1, T2, T3, T4"),
        (("normal_day", "T1", 0, "2026-12-31"), "2026-12-31 is not in 2027 to"),
        (("normal_day", "T1", 0, "yesterday"), "'yesterday' is not a date; write it as 2027-06-15"),
        (("normal_day", "T1", 0, ""), "'' is not a date"),
        (("normal_day", "T1", 0, "9999-12-31"), "is not in 2027 to 2999"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(arguments: Any, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        generate(*arguments)
    assert words in refused.value.message
    assert "\n" not in refused.value.message


def test_days_of_2027_are_drawn() -> None:
    assert generate("normal_day", "T1", 0, "2027-03-15")[0].heartbeats[0].timestamp.startswith("2027-03-15T06:30:")


# An ordinary day


@few
@given(seeds)
def test_an_ordinary_body_stays_in_its_ranges_and_does_not_jump(seed: int) -> None:
    package, _ = generate("normal_day", "T1", seed)
    pulse, steps = column(package, "wearable.heart_rate"), column(package, "wearable.steps")
    assert 45 <= min(pulse) <= 75
    assert 125 <= max(pulse) <= 165
    assert max(abs(b - a) for a, b in pairwise(pulse)) <= 62
    assert all(93 <= value <= 100 for value in column(package, "wearable.spo2"))
    assert all(35.6 <= value <= 37.6 for value in column(package, "wearable.skin_temp"))
    assert all(10 <= value <= 32 for value in column(package, "wearable.respiratory_rate"))
    sugar = column(package, "wearable.blood_glucose")
    assert min(sugar) >= 72
    assert max(sugar) <= 190
    assert max(sugar) - sugar[0] > 15
    assert steps[0] == 0
    moves = [late - early for early, late in pairwise(steps)]
    assert min(moves) >= 0
    assert 0.3 < sum(move == 0 for move in moves) / len(moves) < 0.9
    artefacts = sum(trace != "normal sinus rhythm" for trace in column(package, "wearable.ecg_summary"))
    assert artefacts <= 20


@few
@given(seeds)
def test_an_ordinary_world_stays_in_its_ranges_and_does_not_jump(
    quiet: Callable[[str, str, int], ScenarioPackage], seed: int
) -> None:
    package = quiet("home", "T4", seed)
    temps = column(package, "weather.temp")
    assert max(abs(b - a) for a, b in pairwise(temps)) < 2
    winds = column(package, "weather.wind_dir")
    assert sum(a != b for a, b in pairwise(winds)) < 0.3 * BEATS
    assert max(column(package, "home.co_ppm")) <= 5
    assert max(column(package, "home.pm25")) <= 60
    assert 18 <= min(column(package, "home.indoor_temp")) <= max(column(package, "home.indoor_temp")) <= 26
    assert min(column(package, "financial.account_balance")) > 3000
    for beat in package.heartbeats:
        place, inside = beat.location, beat.home
        assert inside is not None
        if place is not None and place.movement_classification == "driving":
            assert 5 <= place.speed <= 20
            assert inside.motion_in == []
        if place is not None and place.movement_classification == "running":
            assert 2 <= place.speed <= 4
    for module in ("wearable", "location", "weather", "calendar", "comms", "financial"):
        assert sum(getattr(beat, module) is None for beat in package.heartbeats) <= 6


def _calls(package: ScenarioPackage) -> int:
    return sum(beat.comms.new_missed_calls for beat in package.heartbeats if beat.comms)


def test_messages_come_once_go_on_to_the_evening_and_survive_a_missing_beat() -> None:
    missing = 0
    for seed in range(8):
        package, key = drawn("cardiac_arrest", "T3", seed)
        setting = setting_of(seed, TODAY)
        sent = comms.rows(seed, day_of(seed, setting.when, setting.offset), setting)
        for name in ("new_emails", "new_slack_messages", "new_sms", "new_notifications"):
            arrived = [item.model_dump() for items in column(package, f"comms.{name}") for item in items]
            assert arrived == [item for row in sent for item in row[name]]
            assert len({json.dumps(item) for item in arrived}) == len(arrived)
        assert _calls(package) == sum(row["new_missed_calls"] for row in sent) >= 1
        onset = key.onset_heartbeat_id
        assert onset is not None
        later = [beat.comms for beat in package.heartbeats[onset:] if beat.comms]
        assert sum(len(one.new_emails) + len(one.new_slack_messages) + len(one.new_sms) for one in later) >= 3
        missing += sum(beat.comms is None for beat in package.heartbeats)
    assert missing > 0


def test_the_calendar_looks_ahead_and_never_back() -> None:
    package, _ = drawn("normal_day", "T3", 2)
    for beat in package.heartbeats:
        if beat.calendar:
            assert 2 <= len(beat.calendar.next_3_events) <= 3
            assert all(event.time > beat.timestamp for event in beat.calendar.next_3_events)
            assert all(reminder.time > beat.timestamp for reminder in beat.calendar.reminders)


def test_shares_move_only_while_the_market_is_open_and_coins_always() -> None:
    package, _ = drawn("normal_day", "T4", 9)
    early = [beat.financial for beat in package.heartbeats if beat.financial and beat.timestamp[11:16] < "09:29"]
    assert len({json.dumps([price.price for price in one.stock_watchlist]) for one in early}) == 1
    assert len({json.dumps([price.price for price in one.crypto_prices]) for one in early}) > 10


@pytest.mark.parametrize("world", worlds(), ids=lambda world: world.person.name)
def test_a_world_has_people_with_numbers_of_their_own_and_notes(world: Any) -> None:
    numbers = [one.phone for one in world.contacts.values()] + [world.person.phone]
    assert len(world.contacts) >= 21
    assert len(set(numbers)) == len(numbers)
    assert {"partner", "mother", "neighbour_1", "building_manager", "bank", "manager"} <= set(world.contacts)
    assert len(world.memories) >= 4


@few
@given(seeds, st.sampled_from(ALL))
def test_nothing_that_an_agent_sees_hints_at_what_is_tested(seed: int, kind: str) -> None:
    package, key = generate(kind, "T4", seed)
    assert find_hints(DayPackage(None, package, key)) == []


@few
@given(seeds, st.sampled_from(ALL))
def test_numbers_are_written_with_their_decimals(seed: int, kind: str) -> None:
    package, _ = generate(kind, "T2", seed)
    for beat in package.heartbeats:
        for module, row in beat.shown().items():
            for field, value in row.items():
                if number := NUMBERS.get(f"{module}.{field}"):
                    assert isinstance(value, float if number.decimals else int)
                    assert number.low <= value <= number.high
                    assert value == round(value, number.decimals)
                    assert repr(value) != "-0.0"


# What happens can be seen


def _large(beat: Any) -> int:
    return sum(one.amount <= -500 for one in beat.financial.last_3_transactions)


def _outside(beat: Any) -> bool:
    return beat.location.speed == 0 and beat.location.geofence_status is None


CLEAR: dict[str, Callable[[Any], bool]] = {
    "cardiac_arrest": lambda beat: beat.wearable.heart_rate == 0 == beat.wearable.spo2,
    "breathing_failure": lambda beat: beat.wearable.spo2 < 85 and beat.wearable.respiratory_rate < 8,
    "hypoglycaemia": lambda beat: beat.wearable.blood_glucose < 50,
    "heat_stroke": lambda beat: beat.wearable.skin_temp > 39.8,
    "carbon_monoxide": lambda beat: beat.home.co_ppm > 150,
    "house_fire": lambda beat: beat.home.pm25 > 700 and beat.home.indoor_temp > 40,
    "break_in": lambda beat: beat.home.back_window == "open" and bool(beat.home.motion_in),
    "account_takeover": lambda beat: _large(beat) >= 2,
    "road_crash": lambda beat: beat.location.movement_classification == "stationary" and _outside(beat),
}


@pytest.mark.parametrize("kind", ANOMALIES)
def test_an_anomaly_is_clear_within_the_window_and_never_before(kind: str) -> None:
    for seed in range(6):
        package, key = drawn(kind, "T1", seed)
        onset = key.onset_heartbeat_id
        assert onset is not None
        clear = [CLEAR[kind](beat) for beat in package.heartbeats]
        # In the morning the window is opened for a while by those who are at home.
        assert not any(clear[10:onset])
        assert all(clear[onset + 3 : onset + 6])


@pytest.mark.parametrize("kind", ANOMALIES)
def test_every_affected_field_of_the_carrier_leaves_the_ordinary_day_within_the_window(
    kind: str, quiet: Callable[[str, str, int], ScenarioPackage]
) -> None:
    carrier = kinds()[kind].carrier
    package, key = drawn(kind, "T1", 5)
    ordinary = quiet(carrier, "T1", 5)
    onset = key.onset_heartbeat_id
    assert onset is not None
    assert key.affected_fields
    for name in key.affected_fields:
        if name.startswith(carrier):
            assert column(package, name)[onset : onset + 6] != column(ordinary, name)[onset : onset + 6]


@pytest.mark.parametrize("kind", [name for name in ANOMALIES if kinds()[name].domain == "body"])
def test_a_body_that_fails_stays_where_it_is_while_its_sensors_go_on(kind: str) -> None:
    package, key = drawn(kind, "T4", 13)
    onset = key.onset_heartbeat_id
    assert onset is not None
    lies = package.heartbeats[onset + 3 :]
    assert len({beat.wearable.steps for beat in lies if beat.wearable}) == 1
    places = [beat.location for beat in lies if beat.location]
    assert {place.speed for place in places} == {0.0}
    assert max(place.lat for place in places) - min(place.lat for place in places) < 0.0005
    assert len({place.lat for place in places}) > 5
    assert len({beat.wearable.skin_temp for beat in lies if beat.wearable}) > 3
    assert len({beat.financial.account_balance for beat in lies if beat.financial}) == 1


def test_skin_cools_fast_at_first_and_then_slowly() -> None:
    package, key = drawn("cardiac_arrest", "T1", 42)
    onset = key.onset_heartbeat_id
    assert onset is not None
    skin = column(package, "wearable.skin_temp")[onset - 1 : onset + 20]
    assert skin[0] - skin[10] > skin[10] - skin[20] > 0


def test_an_emptied_account_says_the_same_in_its_balance_and_its_list() -> None:
    package, key = drawn("account_takeover", "T1", 6)
    onset = key.onset_heartbeat_id
    assert onset is not None
    before, after = package.heartbeats[onset - 1].financial, package.heartbeats[onset].financial
    assert before is not None
    assert after is not None
    assert round(before.account_balance - after.account_balance, 2) >= 981
    assert [one.amount for one in after.last_3_transactions][-2:] == [-1.0, -980.0]
    assert min(column(package, "financial.account_balance")) > 0


def test_a_purchase_that_was_planned_is_in_the_notes() -> None:
    package, _ = drawn("big_purchase", "T4", 3)
    notes = " ".join(memory.content for memory in package.memory_files)
    large = {one.counterparty for beat in package.heartbeats if beat.financial
             for one in beat.financial.last_3_transactions if one.amount < -1000}  # fmt: skip
    assert len(large) == 1
    assert large.pop() in notes


@few
@given(seeds, st.sampled_from(LOOKALIKES))
def test_a_look_alike_passes_and_the_day_is_ordinary_again(
    quiet: Callable[[str, str, int], ScenarioPackage], seed: int, name: str
) -> None:
    kind = kinds()[name]
    lasts = kind.lasts[1] if isinstance(kind.lasts, tuple) else kind.lasts
    ordinary, package = quiet(kind.carrier, "T1", seed), generate(name, "T1", seed)[0]
    pairs = [(a.shown(), b.shown()) for a, b in zip(ordinary.heartbeats, package.heartbeats, strict=True)]
    first = next(beat for beat, (usual, odd) in enumerate(pairs) if usual != odd)
    end = first + (lasts or 0) + kind.recovers
    for usual, odd in pairs[end:]:
        same = {key: value for key, value in usual[kind.carrier].items() if key not in COUNTERS}
        assert {key: value for key, value in odd[kind.carrier].items() if key not in COUNTERS} == same
    if kind.carrier == "wearable":
        steps = column(package, "wearable.steps")
        assert all(0 <= late - early < 1000 for early, late in pairwise(steps))


def test_what_a_watch_reads_off_the_wrist_is_not_what_it_reads_on_one() -> None:
    package, _ = drawn("watch_off_wrist", "T1", 21)
    off = [beat.wearable for beat in package.heartbeats if beat.wearable and beat.wearable.heart_rate == 0]
    assert len(off) == 3
    assert {one.ecg_summary for one in off} == {"no skin contact"}
    assert off[-1].skin_temp < 26
    assert sum(beat.wearable is None for beat in package.heartbeats) >= 3


def test_the_answer_key_knows_whom_to_tell() -> None:
    body, key = drawn("cardiac_arrest", "T1", 7)
    by_id = {contact.id: contact.relationship for contact in body.contacts}
    told = {by_id[contact] for contact in key.acceptable_recipients or []}
    assert {"wife", "mother", "next-door neighbour"} <= told
    assert not {"dentist office", "accountant"} & told
    assert key.emergency_numbers[0] == "999"
    assert not key.user_counts
    money, other = drawn("account_takeover", "T1", 7)
    assert other.user_counts
    assert len(other.acceptable_recipients or []) == 2
    assert money.locale == "en-GB"


# Evolution, operation by operation

Values = st.lists(st.integers(40, 120), min_size=30, max_size=30)


def evolved(
    values: list[Any], *phases: dict[str, Any], name: str = "wearable.heart_rate", onset: int = 10
) -> list[Any]:
    made = [Phase.model_validate(phase) for phase in phases]
    return changed_values(name, values, made, range(onset, len(values)), Stream(1, "test"), lambda value: value)


@some
@given(Values, st.integers(0, 200))
def test_set_gives_the_value_and_freeze_the_one_before(values: list[int], value: int) -> None:
    assert evolved(values, {"set": value}) == [value] * 20
    assert evolved(values, {"freeze": True}) == [values[9]] * 20


@some
@given(Values, st.integers(0, 200), st.integers(1, 8))
def test_a_ramp_arrives_after_its_beats_and_stays(values: list[int], to: int, over: int) -> None:
    found = evolved(values, {"ramp": {"to": to, "over": over}})
    assert found[over - 1 :] == [to] * (21 - over)
    steps = [b - a for a, b in zip([values[9], *found], found, strict=False)]
    assert all(step >= 0 for step in steps) or all(step <= 0 for step in steps)


@some
@given(Values, st.integers(0, 200), st.floats(0.05, 1))
def test_a_decay_comes_closer_and_never_goes_past(values: list[int], towards: int, rate: float) -> None:
    gaps = [abs(value - towards) for value in evolved(values, {"decay": {"towards": towards, "rate": rate}})]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] <= abs(values[9] - towards)


@some
@given(Values, st.integers(0, 5))
def test_a_drift_takes_no_step_that_is_longer_than_allowed(values: list[int], step: int) -> None:
    found = evolved(values, {"drift": {"step": step}})
    assert all(abs(b - a) <= step + 1 for a, b in zip([values[9], *found], found, strict=False))


@some
@given(Values, st.integers(-20, 20))
def test_a_shift_follows_the_ordinary_day(values: list[int], by: int) -> None:
    assert evolved(values, {"shift": by}) == [value + by for value in values[10:]]


@some
@given(Values, st.integers(1, 15))
def test_a_later_phase_takes_over_from_where_the_reading_is(values: list[int], after: int) -> None:
    found = evolved(values, {"set": 7}, {"after": after, "freeze": True})
    assert found == [7] * 20
    late = evolved(values, {"after": after, "set": 7})
    assert late == values[10 : 10 + after] + [7] * (20 - after)


def test_play_goes_through_its_values_and_stays_at_the_last() -> None:
    found = evolved([[]] * 15, {"play": [["hall"], ["study"], []]}, name="home.motion_in")
    assert found == [["hall"], ["study"], [], [], []]


def test_append_adds_to_a_beat_and_with_keep_to_a_list_that_goes_on() -> None:
    fresh = [["x"] if beat == 12 else [] for beat in range(14)]
    phase = {"append": [{"item": "a"}, {"after": 2, "item": "b"}]}
    assert evolved(fresh, phase, name="comms.new_sms") == [["a"], [], ["x", "b"], []]
    going_on = [["p", "q", "r"]] * 12 + [["q", "r", "s"]] * 2
    found = evolved(going_on, {**phase, "keep": 3}, name="financial.last_3_transactions")
    assert found == [["q", "r", "a"], ["q", "r", "a"], ["a", "s", "b"], ["a", "s", "b"]]


@some
@given(Values, st.integers(40, 100))
def test_a_range_is_drawn_once_and_noise_in_every_beat(values: list[int], low: int) -> None:
    found = evolved(values, {"set": [low, low + 50]})
    assert len(set(found)) == 1
    assert low <= found[0] <= low + 50
    noisy = evolved(values, {"set": 100, "noise": 20})
    assert len(set(noisy)) > 3
    assert all(80 <= value <= 120 for value in noisy)


# Kinds of one's own

OWN = """
summary: The pulse races for no reason.
domain: body
carrier: wearable
control: false
onset: {blocks: [at_home, working_home]}
affected: [wearable.heart_rate]
recipients: [partner]
key: {subject_terms: [pulse], alarm_terms: [racing]}
evolution:
  wearable:
    heart_rate: {ramp: {to: [190, 200], over: 2}}
"""


def own_kind(folder: Path, text: str, name: str = "racing_pulse") -> Path:
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_a_kind_of_ones_own_is_a_file_in_a_folder(tmp_path: Path) -> None:
    folder = own_kind(tmp_path, OWN)
    package, key = generate("racing_pulse", "T1", 3, kinds_folder=folder)
    assert package.scenario_id == "racing_pulse_T1_s3"
    assert package.crisis_type == key.kind == "racing_pulse"
    assert max(column(package, "wearable.heart_rate")[key.onset_heartbeat_id :]) >= 190
    assert key.alarm_terms == ["racing"]
    assert key.acceptable_recipients == ["contact-001"]
    assert set(kinds(folder)) == {*ALL, "racing_pulse"}


@pytest.mark.parametrize(
    ("was", "wrong", "words"),
    [
        ("carrier: wearable", "carrier: watch", "carrier: Input should be 'wearable', 'home'"),
        ("carrier: wearable", "carrier: home", "says nothing of the carrier 'home'"),
        ("blocks: [at_home", "blocks: [asleep", "onset.blocks has 'asleep'; a day has waking"),
        ("heart_rate: {ramp", "pulse: {ramp", "evolution.wearable.pulse is not a field; wearable has heart_rate"),
        ("  wearable:\n", "  watch:\n", "evolution has module 'watch'"),
        ("ramp: {to: [190, 200], over: 2}", "set: high", "set needs numbers"),
        ("ramp: {to: [190, 200], over: 2}", "set: 1, freeze: true", "has freeze and set; give it one of"),
        ("ramp: {to: [190, 200], over: 2}", "after: 1", "has no operation; give it one of set, play"),
        ("ramp: {to: [190, 200], over: 2}", "jump: 4", "jump: Extra inputs are not permitted"),
        ("ramp: {to: [190, 200], over: 2}", "ramp: {to: 190}", "over: Field required"),
        ("ramp: {to: [190, 200], over: 2}", "drop_out: true", "drop_out goes with 'whole'"),
        ("{ramp: {to: [190, 200], over: 2}}", "[{set: 1}, {set: 2}]", "needs a later `after`"),
        ("heart_rate: {ramp: {to: [190, 200], over: 2}}", "ecg_summary: {shift: 3}", "shift is for numbers"),
        ("affected: [wearable.heart_rate]", "affected: [wearable.spo2]", "affected has 'wearable.spo2', of which"),
        ("affected: [wearable.heart_rate]", "affected: []", "affected names no field of the carrier"),
        ("control: false", "control: false\nlasts: 3", "lasts is for days that call for nothing"),
        ("onset: {blocks: [at_home, working_home]}", "", "onset and evolution go together"),
        ("recipients: [partner]", "recipients: [plumber]", "recipients has 'plumber'; people are partner"),
        ("subject_terms: [pulse]", "subject_words: [pulse]", "key.subject_words: Extra inputs"),
        ("heart_rate: {ramp", "ecg_summary: {set: '{nobody}'}\n    heart_rate: {ramp", "has a slot that nothing fills"),
        ("heart_rate: {ramp", "ecg_summary: {set: 5}\n    heart_rate: {ramp", "wearable.ecg_summary: Input should be"),
        ("summary: The", "summary: [The", "not YAML"),
    ],
)  # fmt: skip
def test_a_wrong_kind_is_told_in_one_line(tmp_path: Path, was: str, wrong: str, words: str) -> None:
    assert was in OWN
    folder = own_kind(tmp_path, OWN.replace(was, wrong, 1))
    with pytest.raises(InvalidInput) as refused:
        generate("racing_pulse", "T1", 3, kinds_folder=folder)
    assert words in refused.value.message
    assert "racing_pulse" in refused.value.message or "recipients" in words or "slot" in words
    assert "\n" not in refused.value.message


def test_names_of_kinds_are_taken_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="ships with Gnomon"):
        kinds(own_kind(tmp_path, OWN, "house_fire"))
    with pytest.raises(InvalidInput, match="is not a folder"):
        kinds(tmp_path / "missing")


def test_all_kinds_that_are_promised_ship() -> None:
    promised = {
        "cardiac_arrest", "hypoglycaemia", "heat_stroke", "breathing_failure", "carbon_monoxide", "house_fire",
        "break_in", "account_takeover", "road_crash", "normal_day", "watch_off_wrist", "one_beat_glitch",
        "hard_workout", "gps_loss", "cooking_smoke", "big_purchase",
    }  # fmt: skip
    assert promised == set(ALL)
    assert all(isinstance(kind, Kind) and kind.summary for kind in kinds().values())
    assert {kind.gradual for kind in kinds().values() if not kind.control} == {True, False}


# Numbers


@some
@given(st.integers(), st.integers(-1000, 1000), st.integers(0, 1000))
def test_a_stream_draws_inside_its_limits_and_the_same_again(seed: int, low: int, width: int) -> None:
    one, other = Stream(seed, "a", "b"), Stream(seed, "a", "b")
    for _ in range(5):
        value = one.whole(low, low + width)
        assert low <= value <= low + width
        assert value == other.whole(low, low + width)
        assert abs(one.bell(1.0)) < 3.5
        other.bell(1.0)
    assert Stream(seed, "a").whole(0, 2**60) != Stream(seed, "b").whole(0, 2**60)


def test_a_stream_is_even_and_its_bell_has_the_spread_that_it_says() -> None:
    draw = Stream(1, "moments")
    flat = [draw.real(0, 1) for _ in range(4000)]
    bell = [draw.bell(2.0) for _ in range(4000)]
    assert abs(sum(flat) / 4000 - 0.5) < 0.02
    assert abs(sum(bell) / 4000) < 0.15
    assert abs(sum(value * value for value in bell) / 4000 - 4) < 0.3


@pytest.mark.parametrize(
    ("north", "east", "degrees"), [(1, 0, 0), (1, 1, 45), (0, 1, 90), (-1, 0, 180), (0, -1, 270), (1, -1, 315)]
)
def test_headings_are_clockwise_from_north(north: int, east: int, degrees: int) -> None:
    assert heading_of(north, east) == degrees
