"""What an agent's tools answer. Whatever is asked, there is a response, and nothing leaves the run's folder."""

import asyncio
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.small import ONSET, small_package
from gnomon.bench.handling import Router
from gnomon.bench.memory import LARGEST_MEMORY, LONGEST_FILE, Memory
from gnomon.bench.noticing.hints import find_hints
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.people import RANG_OUT, TAKEN
from gnomon.bench.noticing.scenario import (
    CalendarData,
    CalendarEvent,
    FinancialData,
    HomeData,
    LocationData,
    PendingCharge,
    ScenarioPackage,
    Transaction,
    WeatherData,
)
from gnomon.bench.noticing.world import DayWorld
from gnomon.bench.protocol import AskedCall, Message
from gnomon.bench.toolbox import Args, BadArgument, Response, Toolbox, error
from gnomon.bench.usersim import TO_A_QUESTION, TO_A_REMARK, UserSim, UserSimFailed, scripted
from gnomon.errors import Refused
from gnomon.model.tools import MemoryFile, ToolDefinition, ToolParameter
from gnomon.model.transcript import Step, ToolCall, Turn

SPOUSE = "+1-555-0101"


def tool(name: str, **parameters: tuple[str, bool]) -> ToolDefinition:
    listed = [
        ToolParameter(name=key, type=kind, description="", required=required)
        for key, (kind, required) in parameters.items()
    ]
    return ToolDefinition(name=name, description=f"About {name}", parameters=listed)


MORE_TOOLS = [
    tool("query_home"),
    tool("query_location"),
    tool("query_accounts"),
    tool("get_forecast", location=("string", True)),
    tool("list_events", date=("string", True)),
    tool("get_balance", account=("string", True)),
    tool("get_transactions", count=("integer", True)),
    tool("spotify.search", query=("string", True), type=("string", False), limit=("integer", False)),
]
FINANCIAL = FinancialData(
    last_3_transactions=[Transaction(counterparty=name, amount=-1, category="shop") for name in ("old", "mid", "new")],
    account_balance=1200.5, pending_charges=[PendingCharge(merchant="Bakery", amount=3.0)], stock_watchlist=[],
    crypto_prices=[], spending_vs_budget="on track",
)  # fmt: skip
WEATHER = WeatherData(
    temp=20.0, feels_like=20.0, humidity=50, wind_speed=3.0, wind_dir="N", uv_index=3, aqi=20, pollen_level="Low",
    pressure=30.0, dew_point=10.0, cloud_cover=10,
)  # fmt: skip
CALENDAR = CalendarData(
    next_3_events=[
        CalendarEvent(title="Review", time="2027-06-15T18:30:00Z", location="Office", attendees=[]),
        CalendarEvent(title="Dinner", time="19:00", location="Home", attendees=[]),
        CalendarEvent(title="Dentist", time="2027-06-16T09:00:00Z", location="Town", attendees=[]),
    ],
    reminders=[], today_summary="2 events",
)  # fmt: skip
HOME = HomeData(
    indoor_temp=21.0,
    humidity=40,
    co_ppm=0,
    pm25=4,
    front_door="closed",
    back_window="closed",
    motion_in=[],
    power_draw=200,
)
PLACE = LocationData(
    lat=1.0, lon=2.0, altitude=3.0, speed=0.0, heading=0, accuracy=5.0, movement_classification="stationary"
)


def rich(**modules: Any) -> ScenarioPackage:
    """The small package with all tools; the modules are given to every beat but the second."""
    package = small_package()
    beats = [beat if beat.heartbeat_id == 1 else beat.model_copy(update=modules) for beat in package.heartbeats]
    tools = sorted([*package.tool_definitions, *MORE_TOOLS], key=lambda tool: tool.name)
    return package.model_copy(update={"heartbeats": beats, "tool_definitions": tools})


class Played:
    """A world at a beat, asked without ceremony."""

    def __init__(self, folder: Path, package: ScenarioPackage | None = None, say: UserSim | None = None) -> None:
        self.package = package or small_package()
        self.folder = folder
        self.world = DayWorld(DayPackage(None, self.package), folder / "memory", say or scripted("seed"), 20)
        self.at(0)

    def at(self, place: int) -> "Played":
        self.message = self.world.update(place)
        return self

    def next(self, place: int) -> "Played":
        self.world.end()
        return self.at(place)

    def call(self, name: str, args: Any = None, fault: str | None = None) -> ToolCall:
        return asyncio.run(self.world.call(AskedCall(name, {} if args is None else args, "id", fault)))

    def ask(self, name: str, **args: Any) -> Response:
        return self.call(name, args).result


@pytest.fixture
def played(tmp_path: Path) -> Played:
    return Played(tmp_path)


def row(number: int) -> Any:
    return pytest.mark.parametrize("row", [number], ids=[f"row-{number}"])


# Routing and names


class Left:
    def can_handle(self, tool: str) -> bool:
        return tool == "both"

    async def handle(self, tool: str, args: Args) -> Response:
        return {"status": "ok", "from": type(self).__name__}


class Right(Left):
    pass


@row(77)
def test_the_first_handler_that_can_answers(row: int) -> None:
    assert asyncio.run(Router([Right(), Left()]).route("both", {})) == ({"status": "ok", "from": "Right"}, "Right")


@row(78)
def test_an_unknown_tool_is_told_as_unknown(played: Played, row: int) -> None:
    assert asyncio.run(Router([Left()]).route("other", {})) == (error("Unknown tool"), "none")
    call = played.call("open_pod_bay_doors", {"now": True})
    assert (call.result, call.routed_to, call.ok) == (error("Unknown tool"), "none", False)


def test_a_tool_that_the_scenario_does_not_offer_is_unknown(played: Played) -> None:
    assert played.ask("get_balance", account="main") == error("Unknown tool")


@row(79)
def test_dotted_names_go_over_the_wire_and_back(row: int) -> None:
    box = Toolbox([tool("a.b.c")])
    assert box.wire("a.b.c") == "a__b__c"
    assert box.name("a__b__c") == "a.b.c"


def test_a_flat_name_with_two_underscores_survives_beside_its_dotted_twin() -> None:
    box = Toolbox([tool("a.b"), tool("a__b")])
    assert box.name("a__b") == "a__b"
    assert box.name(box.wire("a.b")) == "a.b"


@given(st.lists(st.text(alphabet="ab._-é ", min_size=1, max_size=80), unique=True, max_size=6))
def test_every_name_has_a_wire_name_of_its_own_that_leads_back(names: list[str]) -> None:
    box = Toolbox([tool(name) for name in names])
    wires = [offer["function"]["name"] for offer in box.offered]
    assert [box.name(wire) for wire in wires] == names
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", wire) for wire in wires)


@row(80)
def test_an_argument_that_is_not_required_is_optional_in_the_schema(row: int) -> None:
    (offer,) = Toolbox([tool("t", count=("integer", False), key=("string", True), odd=("json", True))]).offered
    schema = offer["function"]["parameters"]
    assert schema["required"] == ["key", "odd"]
    assert [schema["properties"][name]["type"] for name in ("count", "odd")] == ["integer", "string"]


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("get_recent_updates", {}, "Missing argument: count"),
        ("get_recent_updates", {"count": None}, "Missing argument: count"),
        ("get_recent_updates", {"count": "two"}, "Argument count must be an integer, not 'two'"),
        ("get_recent_updates", {"count": True}, "Argument count must be an integer, not 'True'"),
        ("get_recent_updates", {"count": 1.5}, "Argument count must be an integer, not '1.5'"),
        ("get_contacts", {"sort": "name"}, "Unknown argument: sort; get_contacts takes no arguments"),
        ("read_memory", {"key": 7}, "Argument key must be a string, not '7'"),
        ("write_memory", {"key": "k"}, "Missing argument: content"),
        ("send_message", {"contact_id": "user", "text": ["hi"]}, "Argument text must be a string, not \"['hi']\""),
        ("send_message", {"contact_id": "contact-999", "text": "hi"}, "Argument contact_id: no contact 'contact-999'"),
        ("send_message", {"contact_id": "user", "text": " "}, "Argument text is empty"),
        ("make_call", {"number": "mum"}, "Argument number has no digits: 'mum'"),
    ],
)
def test_a_wrong_argument_is_named(played: Played, name: str, args: Any, words: str) -> None:
    call = played.call(name, args)
    assert call.result["status"] == "error"
    assert call.result["message"].startswith(words)
    assert call.ok is False


@pytest.mark.parametrize("args", [["a"], "text", 5, {"key": object()}, {"key": "\ud800"}, {"key": "a\0b"}, {1: "x"}])
def test_arguments_that_are_no_json_object_get_an_error(played: Played, args: Any) -> None:
    assert played.call("read_memory", args).result["status"] == "error"


def test_arguments_that_could_not_be_read_say_why(played: Played) -> None:
    call = played.call("get_contacts", fault="not JSON")
    assert call.result == error("The arguments could not be read: not JSON")
    assert call.routed_to == "ScenarioDataHandler"


def test_a_tool_that_a_package_defines_oddly_still_answers(tmp_path: Path) -> None:
    package = small_package()
    odd = [tool("write_memory", key=("number", False)), tool("get_recent_updates", count=("number", True))]
    world = Played(tmp_path, package.model_copy(update={"tool_definitions": odd}))
    assert world.ask("write_memory") == error("Missing argument: key")
    assert world.ask("write_memory", key=5)["status"] == "error"
    assert world.ask("get_recent_updates", count=1.5)["status"] == "error"


# The scenario's data


@row(81)
def test_query_wearable_gives_the_readings_of_the_beat(tmp_path: Path, row: int) -> None:
    package = small_package()
    bare = package.heartbeats[1].model_copy(update={"wearable": None})
    package = package.model_copy(update={"heartbeats": [package.heartbeats[0], bare]})
    world = Played(tmp_path, package)
    found = world.ask("query_wearable")
    assert (found["status"], found["data"]["heart_rate"], len(found["data"])) == ("ok", 109, 10)
    assert world.at(1).ask("query_wearable") == {"status": "ok", "data": {}}


@row(82)
def test_recent_updates_end_with_the_current_one(played: Played, row: int) -> None:
    found = played.at(3).ask("get_recent_updates", count=2)
    assert [beat["heartbeat_id"] for beat in found["heartbeats"]] == [2, 3]


@row(83)
def test_no_updates_or_fewer_are_none(played: Played, row: int) -> None:
    for count in (0, -1, -1000):
        assert played.at(3).ask("get_recent_updates", count=count) == {"status": "ok", "heartbeats": []}


@row(84)
def test_recent_updates_are_capped_and_never_of_the_future(played: Played, row: int) -> None:
    seen = [beat["heartbeat_id"] for beat in played.at(8).ask("get_recent_updates", count=1000)["heartbeats"]]
    assert seen == [4, 5, 6, 7, 8]
    assert len(played.at(1).ask("get_recent_updates", count=1000)["heartbeats"]) == 2


@row(85)
def test_a_forecast_without_weather_is_empty(tmp_path: Path, row: int) -> None:
    world = Played(tmp_path, rich(weather=WEATHER))
    assert world.ask("get_forecast", location="Oslo")["forecast"] == WEATHER.model_dump()
    assert world.at(1).ask("get_forecast", location="Oslo")["forecast"] == {}


@row(86)
def test_no_calendar_has_no_events(tmp_path: Path, row: int) -> None:
    assert Played(tmp_path, rich()).ask("list_events", date="2027-06-15") == {"status": "ok", "events": []}


@pytest.mark.parametrize(
    ("asked", "titles"),
    [("2027-06-15", ["Review", "Dinner"]), ("tomorrow", ["Dinner", "Dentist"]), ("2027-06-20", ["Dinner"])],
)
def test_events_are_those_of_the_date(tmp_path: Path, asked: str, titles: list[str]) -> None:
    found = Played(tmp_path, rich(calendar=CALENDAR)).ask("list_events", date=asked)
    assert [event["title"] for event in found["events"]] == titles


def test_a_date_that_is_none_is_named(tmp_path: Path) -> None:
    found = Played(tmp_path, rich(calendar=CALENDAR)).ask("list_events", date="soon")
    assert found == error("Argument date 'soon' is not a date; write it as 2027-06-15")


@row(87)
def test_the_balance_is_balance_and_pending_charges(tmp_path: Path, row: int) -> None:
    world = Played(tmp_path, rich(financial=FINANCIAL))
    expected = {"account_balance": 1200.5, "pending_charges": [{"merchant": "Bakery", "amount": 3.0}]}
    assert world.ask("get_balance", account="main")["data"] == expected
    assert world.at(1).ask("get_balance", account="main")["data"] == {}


@row(88)
def test_transactions_are_the_latest_ones(tmp_path: Path, row: int) -> None:
    world = Played(tmp_path, rich(financial=FINANCIAL))
    names = [
        [found["counterparty"] for found in world.ask("get_transactions", count=count)["transactions"]]
        for count in (2, 9, 0, -2)
    ]
    assert names == [["mid", "new"], ["old", "mid", "new"], [], []]
    assert "tier" in Played(tmp_path, rich()).ask("get_transactions", count=2)["message"]


def test_money_that_is_missing_for_a_beat_is_not_told_as_a_matter_of_tier(tmp_path: Path) -> None:
    found = Played(tmp_path, rich(financial=FINANCIAL)).at(1).ask("get_transactions", count=2)
    assert found == error("Financial data not available in this update")


@pytest.mark.parametrize(
    ("name", "module", "value"),
    [("query_home", "home", HOME), ("query_location", "location", PLACE), ("query_accounts", "financial", FINANCIAL)],
)
def test_the_other_query_tools_give_their_module(tmp_path: Path, name: str, module: str, value: Any) -> None:
    world = Played(tmp_path, rich(**{module: value}))
    call = world.call(name)
    assert (call.result, call.routed_to) == ({"status": "ok", "data": value.model_dump()}, "ScenarioDataHandler")
    assert world.at(1).ask(name) == {"status": "ok", "data": {}}


def test_contacts_list_the_person_first(played: Played) -> None:
    contacts = played.ask("get_contacts")["contacts"]
    assert contacts[0] == {"id": "user", "name": "Sam Ellison", "relationship": "you", "phone": "+1-555-0100"}
    assert [contact["id"] for contact in contacts[1:]] == [contact.id for contact in played.package.contacts]


@row(103)
def test_a_dotted_tool_is_unavailable(tmp_path: Path, row: int) -> None:
    call = Played(tmp_path, rich()).call("spotify__search", {"query": "jazz"})
    assert (call.tool, call.routed_to) == ("spotify.search", "McpHandler")
    assert call.result == {"status": "error", "message": "Service unavailable"}


# Memory


@row(90)
def test_what_is_written_is_read_in_the_same_beat(played: Played, row: int) -> None:
    assert played.ask("write_memory", key="k", content="x") == {"status": "written"}
    assert played.ask("read_memory", key="k") == {"status": "ok", "content": "x"}
    assert (played.folder / "memory/k.md").read_text() == "x"


@row(91)
def test_a_missing_key_reads_as_null(played: Played, row: int) -> None:
    assert played.ask("read_memory", key="nothing") == {"status": "ok", "content": None}


@row(92)
def test_keys_are_listed_in_order_with_sub_paths(tmp_path: Path, row: int) -> None:
    seeds = [MemoryFile(key=key, content="") for key in ("seed-b", "seed-a")]
    world = Played(tmp_path, small_package().model_copy(update={"memory_files": seeds}))
    world.ask("write_memory", key="sub/x", content="1")
    assert world.ask("list_memories") == {"status": "ok", "keys": ["seed-a", "seed-b", "sub/x"]}


@row(93)
def test_an_existing_key_is_written_over(played: Played, row: int) -> None:
    played.ask("write_memory", key="preferences", content="a long text that goes")
    played.ask("write_memory", key="preferences", content="short")
    assert played.ask("read_memory", key="preferences")["content"] == "short"
    assert (played.folder / "memory/preferences.md").read_text() == "short"


@row(94)
def test_a_key_that_leads_outside_is_invalid(played: Played, row: int) -> None:
    for key in ("../evil", "../../etc/passwd", "/etc/passwd", "a/../../b", ".."):
        for name, more in (("read_memory", {}), ("write_memory", {"content": "x"})):
            assert played.ask(name, key=key, **more)["message"].startswith("Invalid memory key")
    assert sorted(path.name for path in played.folder.iterdir()) == ["memory"]


@row(95)
def test_characters_that_files_cannot_have_are_replaced(played: Played, row: int) -> None:
    played.ask("write_memory", key="a:b?", content="x")
    assert "a_b_" in played.ask("list_memories")["keys"]
    assert played.ask("read_memory", key="a:b?")["content"] == "x"
    assert played.ask("read_memory", key="a_b_")["content"] == "x"


@row(96)
def test_an_empty_key_and_a_missing_one_get_an_error(played: Played, row: int) -> None:
    for key in ("", " ", ".", "a//b", "a/"):
        assert played.ask("write_memory", key=key, content="x")["message"].startswith("Invalid memory key")
    assert played.ask("read_memory") == error("Missing argument: key")


def test_two_keys_never_share_a_file(played: Played) -> None:
    played.ask("write_memory", key="a:b", content="first")
    for key in ("a?b", "A_B"):
        assert "is the same file as 'a:b'" in played.ask("write_memory", key=key, content="second")["message"]
    assert played.ask("read_memory", key="a:b")["content"] == "first"


def test_memory_has_limits(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory")
    with pytest.raises(BadArgument, match="Argument content is longer"):
        memory.write("k", "x" * (LONGEST_FILE + 1))
    for number in range(LARGEST_MEMORY // LONGEST_FILE):
        memory.write(f"k{number}", "x" * LONGEST_FILE)
    with pytest.raises(BadArgument, match="Memory is full"):
        memory.write("one-more", "x")
    memory.write("k0", "smaller")
    with pytest.raises(BadArgument, match="longer than 200 bytes"):
        memory.write("é" * 101, "x")


def test_a_package_whose_memories_collide_is_refused(tmp_path: Path) -> None:
    seeds = [MemoryFile(key=key, content="") for key in ("Notes", "notes")]
    with pytest.raises(Refused, match="memory file 'notes'"):
        Memory(tmp_path / "memory", seeds)


def test_memory_starts_from_its_seeds_whatever_lies_there(tmp_path: Path) -> None:
    (tmp_path / "memory/old").mkdir(parents=True)
    (tmp_path / "memory/old/left.md").write_text("half-done")
    assert Memory(tmp_path / "memory", [MemoryFile(key="k", content="v")]).contents() == {"k": "v"}
    assert [path.name for path in (tmp_path / "memory").iterdir()] == ["k.md"]


KEYS = st.one_of(st.text(max_size=12), st.text(alphabet="aA./:?\\ ~\0md", max_size=8), st.just("é" * 150))


@settings(max_examples=60)
@given(st.lists(st.tuples(KEYS, st.text(max_size=20)), max_size=12))
def test_memory_keeps_what_it_takes_and_never_writes_outside(writes: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as outside:
        memory = Memory(Path(outside) / "run/memory")
        expected: dict[str, str] = {}
        for key, content in writes:
            try:
                memory.write(key, content)
            except BadArgument:
                continue
            assert memory.read(key) == content
            expected[key] = content
            for other, kept in expected.items():
                listed = not {key, other}.isdisjoint(memory.keys())  # the listed name is good as a key itself
                assert memory.read(other) == kept or (listed and memory.read(other) == content)
            expected = {other: memory.read(other) or "" for other in expected}
        files = [path for path in Path(outside).rglob("*") if path.is_file()]
        found = {path.relative_to(Path(outside) / "run/memory").as_posix()[:-3]: path for path in files}
        assert {name: path.read_bytes().decode() for name, path in found.items()} == memory.contents()


@row(104)
def test_memory_calls_are_mirrored(played: Played, row: int) -> None:
    played.ask("list_memories")
    played.ask("read_memory", key="preferences")
    played.ask("write_memory", key="log", content="x")
    played.ask("write_memory", key="../out", content="not done")
    ops, _ = played.world.end()
    assert [(op.op, op.key, op.content) for op in ops] == [
        ("list", None, None),
        ("read", "preferences", None),
        ("write", "log", "x"),
    ]


# People


@row(89)
def test_there_are_no_conversations_before_the_first_message(played: Played, row: int) -> None:
    assert played.ask("get_conversations") == {"status": "ok", "conversations": []}
    assert played.ask("get_conversations", count=3) == {"status": "ok", "conversations": []}


@row(97)
def test_the_users_reply_arrives_once_with_the_next_beat(played: Played, row: int) -> None:
    assert played.ask("send_message", contact_id="user", text="Lunch?") == {"status": "delivered"}
    (thread,) = played.ask("get_conversations")["conversations"]
    assert [item["text"] for item in thread["messages"]] == ["Lunch?"]
    _, (told,) = played.world.end()
    assert told.type == "message"
    assert told.agent_sent == "Lunch?"
    assert told.user_response
    assert f'**Sam Ellison** (2027-06-15T17:45:05Z): "{told.user_response}"' in played.at(1).message
    (thread,) = played.ask("get_conversations")["conversations"]
    assert [(item["sender"], item["text"]) for item in thread["messages"]] == [
        ("Atlas", "Lunch?"),
        ("Sam Ellison", told.user_response),
    ]
    assert "No new messages." in played.next(2).message


@row(98)
def test_from_the_onset_on_messages_to_the_user_get_no_reply(played: Played, row: int) -> None:
    for place in (ONSET, ONSET + 3):
        assert played.at(place).ask("send_message", contact_id="user", text="Ok?") == {"status": "delivered"}
        _, (told,) = played.world.end()
        assert told.user_response is None
        assert "No new messages." in played.at(place + 1).message


@row(99)
def test_from_the_onset_on_the_user_does_not_pick_up(played: Played, row: int) -> None:
    answered = played.ask("make_call", number="+1-555-0100", message="Are you free?")
    assert answered["status"] == "connected"
    assert answered["transcript"]
    for number in ("+1 (555) 0100", "user"):
        silent = played.at(ONSET).ask("make_call", number=number)
        assert silent["status"] == "no_answer"
        assert silent["transcript"]


@row(100)
def test_other_people_never_pick_up(played: Played, row: int) -> None:
    for place in (0, ONSET):
        for number in (SPOUSE, "+1-999-123-4567"):
            assert played.at(place).ask("make_call", number=number)["status"] == "no_answer"


@row(101)
def test_a_text_to_somebody_else_is_delivered_and_not_answered(played: Played, row: int) -> None:
    assert played.ask("send_message", contact_id="contact-001", text="Hello") == {"status": "delivered"}
    assert played.world.end()[1] == []
    assert "No new messages." in played.at(1).message
    (thread,) = played.ask("get_conversations")["conversations"]
    assert (thread["contact_id"], thread["contact_name"]) == ("contact-001", "Mara Ellison")


@row(102)
def test_the_emergency_call_is_taken_and_logged(played: Played, row: int) -> None:
    for number in ("911", "9-1-1", "tel:911", "+1 (911)"):
        call = played.at(ONSET).call("make_call", {"number": number, "message": "12 River Lane"})
        assert (call.result["status"], call.routed_to) == ("connected", "UserSimHandler")
        assert played.world.end()[1] == []
    assert played.ask("make_call", number="1-800-911-0000")["status"] == "no_answer"


def test_a_call_takes_a_message_only_where_its_definition_has_one(tmp_path: Path) -> None:
    package = small_package().model_copy(update={"tool_definitions": [tool("make_call", number=("string", True))]})
    world = Played(tmp_path, package)
    assert world.ask("make_call", number="911")["status"] == "connected"
    assert world.ask("make_call", number="911", message="x")["message"].startswith("Unknown argument: message")


def test_on_a_day_that_calls_for_nothing_the_user_always_answers(tmp_path: Path) -> None:
    package = small_package().model_copy(update={"crisis_type": "none", "crisis_heartbeat_id": 10})
    world = Played(tmp_path, package)
    for place in range(10):
        assert world.at(place).ask("make_call", number="user")["status"] == "connected"


def test_the_person_can_be_addressed_by_name(played: Played) -> None:
    played.ask("send_message", contact_id="sam ellison", text="Hi")
    assert len(played.world.end()[1]) == 1


def test_a_model_gets_persona_and_thread(tmp_path: Path) -> None:
    heard: list[tuple[str, list[Message]]] = []

    async def say(persona: str, messages: Sequence[Message]) -> str:
        heard.append((persona, list(messages)))
        return " sure "

    world = Played(tmp_path, say=say)
    world.ask("send_message", contact_id="user", text="One")
    world.next(1).ask("send_message", contact_id="user", text="Two")
    persona, messages = heard[-1]
    assert persona == world.package.persona
    assert [(item["role"], item["content"]) for item in messages] == [
        ("user", "One"),
        ("assistant", "sure"),
        ("user", "Two"),
    ]


def test_a_model_is_not_even_asked_from_the_onset_on(tmp_path: Path) -> None:
    async def say(persona: str, messages: Sequence[Message]) -> str:
        raise AssertionError("asked")

    world = Played(tmp_path, say=say).at(ONSET)
    assert world.ask("send_message", contact_id="user", text="Hi") == {"status": "delivered"}
    assert world.ask("make_call", number="user")["status"] == "no_answer"
    with pytest.raises(UserSimFailed, match="AssertionError: asked"):
        world.at(0).ask("send_message", contact_id="user", text="Hi")


def test_nothing_that_people_say_hints_at_what_is_tested() -> None:
    words = [("reply", reply) for reply in (*TO_A_QUESTION, *TO_A_REMARK, RANG_OUT, TAKEN)]
    assert find_hints(DayPackage(None, small_package()), words) == []


def test_scripted_replies_follow_from_seed_and_words() -> None:
    def say(seed: str, text: str) -> str:
        return asyncio.run(scripted(seed)("persona", [{"role": "user", "content": text}]))

    assert say("1", "Lunch?") == say("1", "Lunch?")
    assert len({say(str(seed), "Lunch?") for seed in range(30)}) > 1
    assert all(len(say(str(seed), "Done.")) < 60 for seed in range(30))


# What lasts


def test_a_replayed_world_is_the_world_that_was(tmp_path: Path) -> None:
    live, later = Played(tmp_path / "live"), Played(tmp_path / "later")
    steps: list[Callable[[], ToolCall]] = [
        lambda: live.call("write_memory", {"key": "a:b", "content": "x"}),
        lambda: live.call("send_message", {"contact_id": "user", "text": "Hi?"}),
        lambda: live.call("send_message", {"contact_id": "nobody", "text": "Hi?"}),
        lambda: live.call("unknown"),
    ]
    calls = [step() for step in steps]
    ops, told = live.world.end()
    beat = Step(step_id=0, turns=[Turn(tool_calls=calls)], memory_ops=ops, user_sim_interactions=told)
    later.world.replay(Step.model_validate_json(beat.model_dump_json()))
    assert live.at(1).message == later.at(1).message
    assert live.world.memory() == later.world.memory()
    assert live.ask("get_conversations") == later.ask("get_conversations")
