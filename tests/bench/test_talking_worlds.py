"""Worlds whose steps are one conversation and depend on what the agent says: the runner plays them as it plays days."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from gnomon.bench.family import RunSetup, StepInput, StepRecord
from gnomon.bench.handling import answered
from gnomon.bench.protocol import AskedCall, Message, Reply, Tool
from gnomon.bench.runner import run
from gnomon.bench.toolbox import Toolbox
from gnomon.bench.transcripts import NAME, read_transcript
from gnomon.bench.usersim import UserSimFailed
from gnomon.model.tools import ToolDefinition
from gnomon.model.transcript import RunConfig, RunEnd, Step, ToolCall

CONFIG = RunConfig(agent_model="test", user_sim_model="none", judge_model="none")
COUNT = ToolDefinition(name="shop.count", description="Count one more", parameters=[])


class NoSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TalkingFamily:
    name = "talking"
    settings = NoSettings


@dataclass
class Talk:
    """The user goes on until the agent says goodbye; a tool counts, and the count is the world."""

    fails_at: int | None = None
    keeps_context = True
    last_round = "No more calls."
    system_prompt = "You keep a shop."
    planned_steps = None
    toolbox: Toolbox = field(default_factory=lambda: Toolbox([COUNT]))
    counted: int = 0

    async def begin(self, done: Sequence[Step]) -> StepInput | None:
        if len(done) == self.fails_at:
            raise UserSimFailed("the user hung up")
        if not done:
            return StepInput(0, "One, please.")
        said = done[-1].turns[-1].agent_text or ""
        return None if said == "Goodbye." else StepInput(len(done), f"You said: {said}")

    async def call(self, asked: AskedCall, refusal: str | None = None) -> ToolCall:
        async def respond(tool: str, args: dict[str, Any], fault: str | None) -> tuple[dict[str, Any], str]:
            self.counted += 1
            return {"status": "ok", "count": self.counted}, "shop"

        return await answered(asked, self.toolbox.name(asked.name), respond, refusal)

    def end(self) -> StepRecord:
        return StepRecord()

    def replay(self, step: Step) -> None:
        self.counted += sum(len(turn.tool_calls) for turn in step.turns)

    def memory(self) -> dict[str, str]:
        return {}

    def remarks(self) -> list[str]:
        return []

    def state(self) -> dict[str, int]:
        return {"count": self.counted}


@dataclass
class TalkingScenario:
    fails_at: int | None = None
    family = TalkingFamily()
    scenario_id = "talk"
    path = None
    content_hash = "0" * 64
    package_hash = ""
    fingerprint: Mapping[str, Any] = field(default_factory=dict)

    def open(self, setup: RunSetup) -> Talk:
        return Talk(self.fails_at)


class Keeper:
    """Counts once per step, says a number, and takes its leave after three steps."""

    def __init__(self, dies_in: int | None = None) -> None:
        self.heard: list[list[Message]] = []
        self._dies_in = dies_in

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        self.heard.append(list(messages))
        steps = sum(message["role"] == "user" for message in messages)
        if messages[-1]["role"] == "user":
            if steps == self._dies_in:
                raise KeyboardInterrupt
            return Reply(tool_calls=(AskedCall("shop__count", {}, "same-id"),))
        return Reply("Goodbye." if steps == 3 else f"That makes {steps}.")

    async def close(self) -> None: ...


def play(folder: Path, agent: Keeper, fails_at: int | None = None, **more: Any) -> RunEnd:
    scenario: Any = TalkingScenario(fails_at)
    given = {"agent_id": "keeper", "run_number": 1, "now": lambda: "2027-01-01T00:00:00Z", **more}
    return asyncio.run(run(scenario, agent, CONFIG, folder, **given))


def test_steps_share_one_conversation_until_the_user_has_no_more_to_say(tmp_path: Path):
    agent = Keeper()
    end = play(tmp_path, agent)
    assert (end.status, end.steps, end.state) == ("ok", 3, {"count": 3})
    last = agent.heard[-1]
    assert [message["role"] for message in last] == ["system", *["user", "assistant", "tool", "assistant"] * 2,
                                                     "user", "assistant", "tool"]  # fmt: skip
    assert [message["content"] for message in last if message["role"] == "user"] == [
        "One, please.", "You said: That makes 1.", "You said: That makes 2.",
    ]  # fmt: skip
    ids = [call["id"] for message in last for call in message.get("tool_calls", ())]
    assert len(set(ids)) == len(ids) == 3, "messages refer to calls by their ids"
    names = {call["function"]["name"] for message in last for call in message.get("tool_calls", ())}
    assert names == {"shop__count"}
    assert {call.tool for call in read_transcript(tmp_path / NAME).calls()} == {"shop.count"}


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_conversation_that_was_cut_goes_on_with_the_same_words(tmp_path: Path, step: int):
    whole = Keeper()
    play(tmp_path / "whole", whole)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "cut", Keeper(dies_in=step))
    later = Keeper()
    end = play(tmp_path / "cut", later, resume=True)
    assert (end.steps, end.state) == (3, {"count": 3})
    assert later.heard == whole.heard[2 * (step - 1) :]


def test_a_user_who_cannot_be_asked_ends_the_run_as_failed(tmp_path: Path):
    end = play(tmp_path, Keeper(), fails_at=1)
    assert (end.status, end.steps) == ("error", 2)
    assert "the user hung up" in (end.reason or "")


def test_a_number_of_steps_can_be_tried_out(tmp_path: Path):
    assert play(tmp_path, Keeper(), max_steps=2).steps == 2
