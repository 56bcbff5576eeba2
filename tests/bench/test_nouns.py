"""The nouns of scenarios, transcripts and results keep their contract, row by row."""

import asyncio
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from bench.small import small_beats, small_package
from gnomon.bench.noticing import result, scenario
from gnomon.bench.noticing.family import NoticingSettings
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.scenario import (
    HeartbeatPayload,
    HomeData,
    LocationData,
    ScenarioManifest,
    ScenarioPackage,
    WearableData,
)
from gnomon.bench.noticing.world import DayWorld
from gnomon.bench.protocol import AskedCall
from gnomon.model import bench, tools, transcript
from gnomon.model.bench import AggregatedScore
from gnomon.model.transcript import MemoryOp, RunConfig, UserSimInteraction

HEX = "0123456789abcdef" * 4
MODELS = {"agent_model": "m", "user_sim_model": "none", "judge_model": "none"}
LOCATION = {
    "lat": 1.0, "lon": 2.0, "altitude": 3.0, "speed": 0.0, "heading": 0, "accuracy": 5.0,
    "movement_classification": "stationary",
}  # fmt: skip


def nouns_of(module: ModuleType) -> list[type[BaseModel]]:
    return [
        found
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, BaseModel) and found.__module__ == module.__name__ and found.model_fields
    ]


NOUNS = [*nouns_of(scenario), *nouns_of(tools), *nouns_of(transcript), *nouns_of(bench), *nouns_of(result)]


def manifest(content_hash: str) -> ScenarioManifest:
    return ScenarioManifest(content_hash=content_hash, generator_version="1")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("A" * 64, id="row-1 upper case"),
        pytest.param(HEX[:63], id="row-2 63 digits"),
        pytest.param(HEX + "0", id="row-2 65 digits"),
        pytest.param("g" + HEX[1:], id="row-2 no hexadecimal digit"),
        pytest.param(HEX + "\n", id="row-3 a newline at the end"),
        pytest.param("sha256:" + HEX, id="a prefix"),
    ],
)
def test_a_hash_is_64_small_hexadecimal_digits_and_nothing_else(text: str) -> None:
    with pytest.raises(ValidationError):
        manifest(text)


@pytest.mark.parametrize("text", [pytest.param(HEX, id="row-3")])
def test_a_good_hash_is_kept(text: str) -> None:
    assert manifest(text).content_hash == text


@pytest.mark.parametrize("noun", [pytest.param(noun, id=f"row-4 {noun.__name__}") for noun in NOUNS])
def test_every_noun_is_frozen(noun: type[BaseModel]) -> None:
    value = noun.model_construct()
    field = next(iter(noun.model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(value, field, None)


@pytest.mark.parametrize("noun", [pytest.param(noun, id=f"row-24 {noun.__name__}") for noun in NOUNS])
def test_fields_are_written_in_snake_case(noun: type[BaseModel]) -> None:
    for name, field in noun.model_fields.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
        assert field.alias is field.serialization_alias is None


@pytest.mark.parametrize(
    "noun", [*nouns_of(scenario), *nouns_of(tools), *nouns_of(result)], ids=lambda noun: noun.__name__
)
def test_every_field_of_a_scenario_is_described(noun: type[BaseModel]) -> None:
    assert all(field.description for name, field in noun.model_fields.items() if name != "schema_version")


@pytest.mark.parametrize("row", [pytest.param(5, id="row-5")])
def test_a_beat_needs_a_number_and_a_time_only(row: int) -> None:
    beat = HeartbeatPayload(heartbeat_id=0, timestamp="2027-06-15T10:00:00Z")
    assert [getattr(beat, name) for name in scenario.MODULES] == [None] * 6
    assert beat.shown() == {}


@pytest.mark.parametrize("field", [pytest.param(name, id=f"row-6 {name}") for name in WearableData.model_fields])
def test_a_wearable_has_all_of_its_readings(field: str) -> None:
    wearable = small_beats()[0].wearable
    assert wearable is not None
    whole = wearable.model_dump()
    del whole[field]
    with pytest.raises(ValidationError, match=field):
        WearableData.model_validate(whole)


@pytest.mark.parametrize("row", [pytest.param(7, id="row-7")])
def test_a_place_need_not_have_a_name(row: int) -> None:
    assert LocationData.model_validate(LOCATION).geofence_status is None


@pytest.mark.parametrize("tier", [pytest.param("T5", id="row-8 T5"), pytest.param("t4", id="row-8 t4"), "", "T0"])
def test_there_are_four_tiers(tier: str) -> None:
    with pytest.raises(ValidationError, match="noise_tier"):
        ScenarioPackage.model_validate({**small_package().model_dump(), "noise_tier": tier})


@pytest.mark.parametrize(
    ("noun", "given"),
    [
        pytest.param(MemoryOp, {"op": "delete"}, id="row-9"),
        pytest.param(UserSimInteraction, {"type": "email", "agent_sent": "x"}, id="row-10"),
        pytest.param(RunConfig, {"agent_model": "m", "user_sim_model": "none"}, id="row-11"),
        pytest.param(RunConfig, {**MODELS, "max_tool_turns": -4}, id="row-14"),
        pytest.param(RunConfig, {**MODELS, "max_tool_turns": 0}, id="row-14 none"),
    ],
)
def test_what_is_missing_or_out_of_range_is_refused(noun: type[BaseModel], given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        noun.model_validate(given)


@pytest.mark.parametrize("row", [pytest.param(12, id="row-12")])
def test_three_models_are_enough_to_configure_a_run(row: int) -> None:
    config = RunConfig.model_validate(MODELS)
    own = NoticingSettings.model_validate(config.settings)
    assert (config.max_tool_turns, own.window, own.action_log_window, config.model_params) == (10, 5, 20, {})


def test_a_window_may_have_its_first_published_name() -> None:
    assert NoticingSettings.model_validate({"max_post_crisis_heartbeats": 7}).window == 7


@pytest.mark.parametrize("row", [pytest.param(13, id="row-13")])
def test_a_sampling_setting_in_the_wrong_place_is_sent_to_the_right_one(row: int) -> None:
    with pytest.raises(ValidationError, match=r"temperature .* model_params"):
        RunConfig.model_validate({**MODELS, "temperature": 0.7})


@pytest.mark.parametrize("row", [pytest.param(23, id="row-23")])
def test_an_interval_is_a_json_array_of_two(row: int) -> None:
    score = AggregatedScore(
        mean=0.5, standard_deviation=0.1, confidence_interval_95=(0.4, 0.6), run_count=5, pass_at_k=1, pass_pow_k=0
    )
    assert score.model_dump(mode="json")["confidence_interval_95"] == [0.4, 0.6]


@pytest.mark.parametrize("row", [pytest.param(24, id="row-24")])
def test_a_package_survives_a_round_trip_through_json(row: int) -> None:
    package = small_package()
    assert ScenarioPackage.model_validate(package.model_dump()) == package
    assert ScenarioPackage.model_validate_json(package.model_dump_json()) == package


@pytest.mark.parametrize(
    ("tool", "args", "status"),
    [
        pytest.param("send_message", {"contact_id": "contact-001", "text": "Hi"}, "delivered", id="row-25 message"),
        pytest.param("write_memory", {"key": "log", "content": "Hi"}, "written", id="row-25 memory"),
    ],
)
def test_what_is_sent_or_written_is_confirmed_and_nothing_more(
    tool: str, args: dict[str, Any], status: str, tmp_path: Path
) -> None:
    world = DayWorld(DayPackage(None, small_package()), tmp_path, None, 20)
    world.update(0)
    assert asyncio.run(world.call(AskedCall(tool, args))).result == {"status": status}


def test_a_key_that_nobody_knows_is_kept_in_data() -> None:
    beat = TypeAdapter(HeartbeatPayload).validate_python({"heartbeat_id": 0, "timestamp": "", "tides": {"level": 3}})
    assert beat.model_dump()["tides"] == {"level": 3}
    assert beat.shown() == {"tides": {"level": 3}}


def test_a_home_is_shown_where_there_is_one() -> None:
    home = HomeData(
        indoor_temp=20.5, humidity=40, co_ppm=0, pm25=4, front_door="closed", back_window="closed", motion_in=[],
        power_draw=300,
    )  # fmt: skip
    beat = HeartbeatPayload(heartbeat_id=0, timestamp="", home=home)
    assert list(beat.shown()) == ["home"]
