"""What an agent's tools answer, and what lasts from beat to beat: memory, actions, conversations.

Nothing here asks an agent. Everything that lasts follows from what a transcript records, so `replay` brings a world
back to where a killed run left it. Whatever an agent asks for gets a response; nothing raises to it.
"""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from gnomon.bench.family import StepInput, StepRecord
from gnomon.bench.handling import NOBODY, Router, answered, readable
from gnomon.bench.memory import Memory, MemoryHandler
from gnomon.bench.noticing.actionlog import ActionLog
from gnomon.bench.noticing.answer_key import key_of
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.people import Conversations, UserSimHandler
from gnomon.bench.noticing.prompt import LAST_ROUND, USER_ID, News, system_prompt, update_message
from gnomon.bench.noticing.scenario import HeartbeatPayload, ScenarioPackage
from gnomon.bench.protocol import AskedCall
from gnomon.bench.toolbox import Args, BadArgument, Response, Toolbox, error, text_of, whole_of
from gnomon.bench.usersim import UserSim
from gnomon.model.transcript import Step, ToolCall

MOST_UPDATES = 5
_MODULE_OF = {
    "query_wearable": "wearable",
    "query_home": "home",
    "query_location": "location",
    "query_accounts": "financial",
}


class ScenarioDataHandler:
    """Answers from the scenario itself, up to the current beat and never beyond."""

    def __init__(self, package: ScenarioPackage, conversations: Conversations) -> None:
        self._package = package
        self._conversations = conversations
        self._index = 0
        self._answers: dict[str, Callable[[Args], Response]] = {
            "get_recent_updates": self._recent_updates,
            "get_contacts": self._contacts,
            "get_conversations": self._threads,
            "get_forecast": self._forecast,
            "list_events": self._events,
            "get_balance": self._balance,
            "get_transactions": self._transactions,
        }

    def begin(self, index: int) -> None:
        self._index = index

    def can_handle(self, tool: str) -> bool:
        return tool in self._answers or tool in _MODULE_OF

    async def handle(self, tool: str, args: Args) -> Response:
        if tool in _MODULE_OF:
            return {"status": "ok", "data": self._module(_MODULE_OF[tool])}
        return self._answers[tool](args)

    @property
    def _beat(self) -> HeartbeatPayload:
        return self._package.heartbeats[self._index]

    def _module(self, name: str) -> dict[str, Any]:
        """A module of the current beat; empty when it has none."""
        reading: dict[str, Any] = self._beat.shown().get(name, {})
        return reading

    def _recent_updates(self, args: Args) -> Response:
        count = min(max(whole_of(args, "count"), 0), MOST_UPDATES)
        end = self._index + 1
        recent = self._package.heartbeats[max(end - count, 0) : end]
        updates = [{"heartbeat_id": beat.heartbeat_id, "timestamp": beat.timestamp, **beat.shown()} for beat in recent]
        return {"status": "ok", "heartbeats": updates}

    def _contacts(self, args: Args) -> Response:
        person = self._package.person
        you = {"id": USER_ID, "name": person.name, "relationship": "you", "phone": person.phone}
        shown = {"id", "name", "relationship", "phone"}
        contacts = [contact.model_dump(include=shown) for contact in self._package.contacts]
        return {"status": "ok", "contacts": [you, *contacts]}

    def _threads(self, args: Args) -> Response:
        count = whole_of(args, "count") if "count" in args else None
        return {"status": "ok", "conversations": self._conversations.threads(count)}

    def _forecast(self, args: Args) -> Response:
        # There is weather for one place only; the answer says which, whatever was asked.
        return {"status": "ok", "location": "current position", "forecast": self._module("weather")}

    def _balance(self, args: Args) -> Response:
        kept = ("account_balance", "pending_charges")
        data = {key: value for key, value in self._module("financial").items() if key in kept}
        return {"status": "ok", "account": "all accounts", "data": data}

    def _events(self, args: Args) -> Response:
        wanted = _day(text_of(args, "date"), self._beat.timestamp)
        events = self._module("calendar").get("next_3_events", [])
        return {"status": "ok", "events": [event for event in events if _falls_on(event["time"], wanted)]}

    def _transactions(self, args: Args) -> Response:
        count = max(whole_of(args, "count"), 0)
        if self._beat.financial is not None:
            listed = self._module("financial")["last_3_transactions"]
            return {"status": "ok", "transactions": listed[len(listed) - min(count, len(listed)) :]}
        if any(beat.financial is not None for beat in self._package.heartbeats):
            return error("Financial data not available in this update")
        return error("Financial data not available at this tier")


def _day(date_text: str, timestamp: str) -> str | None:
    """The date that an agent means, as YYYY-MM-DD; None when the scenario's own time is not a date to count from."""
    word = date_text.strip().lower()
    try:
        today = date.fromisoformat(timestamp[:10])
    except ValueError:
        return None
    nearby = {"today": 0, "tomorrow": 1, "yesterday": -1}
    if word in nearby:
        return (today + timedelta(days=nearby[word])).isoformat()
    try:
        return date.fromisoformat(word[:10]).isoformat()
    except ValueError:
        raise BadArgument(f"Argument date {date_text[:60]!r} is not a date; write it as {today.isoformat()}") from None


def _falls_on(event_time: str, wanted: str | None) -> bool:
    """An event that says no date is always listed."""
    try:
        return wanted is None or date.fromisoformat(event_time[:10]).isoformat() == wanted
    except ValueError:
        return True


class McpHandler:
    """Stands for servers that cannot be reached: their tools are offered and never work."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    def can_handle(self, tool: str) -> bool:
        return "." in tool and tool in self._toolbox

    async def handle(self, tool: str, args: Args) -> Response:
        return error("Service unavailable")


class DayWorld:
    """One run's surroundings: the beats in `planned`, by their places in the day."""

    keeps_context = False
    last_round = LAST_ROUND

    def __init__(
        self, day: DayPackage, memory: Path, say: UserSim | None, action_log_window: int, planned: Sequence[int] = (),
        remarks: Sequence[str] = (),
    ) -> None:  # fmt: skip
        package = day.package
        self._package = package
        self._planned = planned
        self._remarks = list(remarks)
        self.planned_steps = len(planned)
        self.system_prompt = system_prompt(package)
        self.toolbox = Toolbox(package.tool_definitions)
        self._people = UserSimHandler(package, key_of(day).emergency_numbers, say)
        self._data = ScenarioDataHandler(package, self._people.conversations)
        self._files = MemoryHandler(Memory(memory, package.memory_files))
        self._router = Router([self._data, self._files, self._people, McpHandler(self.toolbox)])
        self._log = ActionLog(action_log_window)
        self._time = ""

    async def begin(self, done: Sequence[Step]) -> StepInput | None:
        if len(done) >= len(self._planned):
            return None
        index = self._planned[len(done)]
        beat = self._package.heartbeats[index]
        return StepInput(beat.heartbeat_id, self.update(index), beat.timestamp)

    def update(self, index: int) -> str:
        """Move to a beat, by its place in the day. Returns the message that tells the agent of it."""
        beat, news = self._move(index)
        actions, earlier = self._log.shown()
        return update_message(beat.heartbeat_id, beat.timestamp, actions, earlier, news, beat.shown())

    def _move(self, index: int) -> tuple[HeartbeatPayload, list[News]]:
        beat = self._package.heartbeats[index]
        self._time = beat.timestamp
        self._files.ops = []
        self._data.begin(index)
        return beat, self._people.begin(beat)

    async def call(self, asked_call: AskedCall, refusal: str | None = None) -> ToolCall:
        call = await answered(asked_call, self.toolbox.name(readable(asked_call.name)), self._respond, refusal)
        self._note(call)
        return call

    async def _respond(self, tool: str, args: Args, fault: str | None) -> tuple[Response, str]:
        handler = self._router.handler_of(tool) if tool in self.toolbox else None
        if handler is None:
            return error("Unknown tool"), NOBODY
        if fault is not None:
            return error(fault), type(handler).__name__
        try:
            fitting = self.toolbox.checked(tool, args)
        except BadArgument as bad:
            return error(str(bad)), type(handler).__name__
        return await self._router.route(tool, fitting)

    def _note(self, call: ToolCall) -> None:
        self._log.record(self._time, call)
        if call.tool == "send_message" and call.result.get("status") == "delivered":
            self._people.delivered(call.args)

    def end(self) -> StepRecord:
        self._people.end(self._people.interactions)
        return StepRecord(self._files.ops, self._people.interactions)

    def replay(self, step: Step) -> None:
        ids = [beat.heartbeat_id for beat in self._package.heartbeats]
        self._move(ids.index(step.step_id))
        for turn in step.turns:
            for call in turn.tool_calls:
                self._note(call)
        for op in step.memory_ops:
            if op.op == "write" and op.key is not None:
                self._files.memory.write(op.key, op.content or "")
        self._people.end(step.user_sim_interactions)

    def memory(self) -> dict[str, str]:
        return self._files.memory.contents()

    def remarks(self) -> list[str]:
        return self._remarks

    def state(self) -> None:
        """There is no state to keep: only the memory lasts."""
