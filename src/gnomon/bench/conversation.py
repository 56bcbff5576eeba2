"""The conversation of one step: the agent speaks, its tools answer, until it has no more to call.

The calls of every permitted round are done, those of the last one too; then the agent is told so and has one last
word. Whatever an agent does instead of giving a turn ends the conversation with a reason, and what was said and done
until then is kept. An agent in this process that blocks without awaiting cannot be interrupted by the limits.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec

from gnomon.bench.family import World
from gnomon.bench.handling import readable
from gnomon.bench.protocol import Agent, AgentFailed, AskedCall, Message, Reply, Tool
from gnomon.bench.usersim import UserSimFailed
from gnomon.errors import InvalidInput
from gnomon.llm import spent
from gnomon.model.transcript import Step, StopReason, ToolCall

_EXCERPT = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an agent's run. One failed step ends a run by default, because a run with a gap is not comparable."""

    turn_seconds: float = 300.0
    step_seconds: float = 900.0
    answer_characters: int = 200_000
    calls_in_round: int = 100
    failed_steps: int = 1

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not value > 0:
                raise InvalidInput.of(name, f"{name} {value} is not a limit; it has to be above 0")


@dataclass
class StepConversation:
    """The messages and calls of a step, also of one that ended badly."""

    agent: Agent
    world: World
    limits: Limits
    turns: list[tuple[str | None, list[ToolCall]]] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    not_done: list[str] = field(default_factory=list)
    """Tools that were called with the last word, when none were offered."""
    agent_seconds: float = 0.0
    stop_reason: StopReason = "error"
    error: str | None = None
    ids: set[str] = field(default_factory=set)
    """Ids of calls that are taken."""

    async def hold(self, messages: list[Message], rounds: int) -> None:
        """Go on after these messages, and add to them."""
        try:
            async with _at_most(self.limits.step_seconds, "the step"):
                self.stop_reason = await self._converse(messages, rounds)
        except (AgentFailed, UserSimFailed) as failed:
            self.error = " ".join(readable(str(failed)).split())[: 5 * _EXCERPT]

    async def _converse(self, messages: list[Message], rounds: int) -> StopReason:
        for _ in range(rounds):
            reply = await self._answer(messages, self.world.toolbox.offered)
            if not reply.tool_calls:
                self.turns.append((reply.text, []))
                return "final_text"
            await self._round(messages, reply)
        messages.append({"role": "user", "content": self.world.last_round})
        reply = await self._answer(messages, [])
        self.turns.append((reply.text, []))
        self.not_done = [self._tool(call) for call in reply.tool_calls]
        return "max_turns"

    async def _round(self, messages: list[Message], reply: Reply) -> None:
        done: list[ToolCall] = []
        self.turns.append((reply.text, done))
        calls = [self._with_id(call) for call in reply.tool_calls]
        messages_of_calls = [self._call_as_message(call) for call in calls]
        messages.append({"role": "assistant", "content": reply.text, "tool_calls": messages_of_calls})
        for number, call in enumerate(calls, 1):
            done.append(await self.world.call(call, self._one_too_many(number)))
            messages.append(_result(done[-1]))

    async def _answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        """The agent's next turn and nothing else: whatever it does instead is an `AgentFailed`."""
        started = time.perf_counter()
        try:
            async with _at_most(self.limits.turn_seconds, "the turn"):
                reply = await self.agent.answer(list(messages), list(tools))
        except AgentFailed:
            raise
        except (Exception, SystemExit) as bad:
            raise AgentFailed(f"the agent raised {type(bad).__name__}: {bad}") from bad
        except asyncio.CancelledError as bad:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            raise AgentFailed("the agent cancelled itself") from bad
        finally:
            self.agent_seconds += time.perf_counter() - started
        self.replies.append(checked(reply, self.limits.answer_characters))
        return self.replies[-1]

    def _one_too_many(self, number: int) -> str | None:
        most = self.limits.calls_in_round
        return None if number <= most else f"Not done: at most {most} calls at a time"

    def _with_id(self, call: AskedCall) -> AskedCall:
        """Every call of a conversation has an id of its own: messages refer to it."""
        id_of_agent: Any = call.id
        id = readable(id_of_agent) if isinstance(id_of_agent, str) else ""
        while not id or id in self.ids:
            id += f"call_{len(self.ids) + 1}"
        self.ids.add(id)
        return AskedCall(name=call.name, args=call.args, id=id, fault=call.fault)

    def _tool(self, call: AskedCall) -> str:
        return self.world.toolbox.name(readable(call.name))

    def _call_as_message(self, call: AskedCall) -> dict[str, Any]:
        return _call_message(call.id, self.world.toolbox.wire(self._tool(call)), _arguments(call))


def _call_message(id: str | None, name: str, arguments: str) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _result(call: ToolCall) -> Message:
    return {"role": "tool", "tool_call_id": call.id, "content": msgspec.json.encode(call.result).decode()}


def messages_of(step: Step, world: World) -> list[Message]:
    """The messages of a recorded step, in the form in which an agent continues the conversation."""
    messages: list[Message] = [{"role": "user", "content": step.user_message or ""}]
    for number, turn in enumerate(step.turns):
        if step.stop_reason == "max_turns" and number == len(step.turns) - 1:
            messages.append({"role": "user", "content": world.last_round})
        calls = [
            _call_message(call.id, world.toolbox.wire(call.tool), msgspec.json.encode(call.args).decode())
            for call in turn.tool_calls
        ]
        message = {"content": turn.agent_text, "tool_calls": calls} if calls else {"content": turn.agent_text or ""}
        messages.append({"role": "assistant", **message})
        messages += [_result(call) for call in turn.tool_calls]
    return messages


@asynccontextmanager
async def _at_most(seconds: float, activity: str) -> AsyncIterator[None]:
    """Like asyncio.timeout, but its own expiry is told apart from a TimeoutError that comes from inside."""
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError as bad:
        if limit.expired():
            raise AgentFailed(f"{activity} took longer than {seconds:g} s") from bad
        raise


def checked(reply: Any, longest: int) -> Reply:
    """The agent's reply, validated so that it can be acted on and recorded."""
    if not isinstance(reply, Reply):
        raise _no_turn("answer", reply, "a Reply")
    text: Any = reply.text
    calls: Any = reply.tool_calls
    if text is not None and not isinstance(text, str):
        raise _no_turn("text", text, "a string")
    if not isinstance(calls, list | tuple):
        raise _no_turn("tool_calls", calls, "a tuple")
    for call in calls:
        if not isinstance(call, AskedCall) or not isinstance(call.name, str):
            raise _no_turn("tool call", call, "an AskedCall with a name")
    size = len(text or "") + sum(len(call.name) + len(_arguments(call)) for call in calls)
    if size > longest:
        begin = repr(text[:_EXCERPT] if text else _shown(calls[0]))
        raise AgentFailed(f"the agent answered with {size} characters, at most {longest} are taken; it begins {begin}")
    return Reply(
        text=None if text is None else readable(text),
        tool_calls=tuple(calls),
        tokens_input=_count(reply.tokens_input),
        tokens_output=_count(reply.tokens_output),
        cost_usd=_amount(reply.cost_usd),
        model=_name(reply.model),
    )


def _no_turn(part: str, value: object, wanted: str) -> AgentFailed:
    return AgentFailed(f"the agent's {part} is {type(value).__name__}, not {wanted}: {_shown(value)}")


def _shown(value: object) -> str:
    try:
        return repr(value)[:_EXCERPT]
    except Exception as bad:  # an agent's object may do anything when it is asked how it looks
        return f"(cannot be shown: {type(bad).__name__})"


def _arguments(call: AskedCall) -> str:
    """The arguments as they stand in a message; what is not JSON stands there empty, and the tool's answer says why."""
    try:
        return msgspec.json.encode(call.args).decode()
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        return "{}"


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else None


def _amount(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 <= value < 1e12 else None


def _name(value: Any) -> str | None:
    return readable(value)[:_EXCERPT] if isinstance(value, str) else None


def total(values: Iterable[float | None]) -> float | None:
    """The sum; None if there is nothing to add or a part is unknown, which must not count as zero."""
    parts = list(values)
    return spent.total(parts) if parts else None
