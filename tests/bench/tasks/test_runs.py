"""Tasks as they are run: reference agents get what is known in advance, and a killed run goes on as if never killed."""

import asyncio
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.tasks.shop import EXAMPLE_NAMES, EXAMPLES, two_apples
from gnomon.bench.families import FAMILIES, family_of
from gnomon.bench.protocol import Agent, AskedCall, Message, Reply, Tool
from gnomon.bench.runner import run
from gnomon.bench.tasks.family import TASKS, TaskScenario
from gnomon.bench.tasks.reference import NOTHING
from gnomon.bench.transcripts import NAME, read_transcript
from gnomon.bench.usersim import UserSim
from gnomon.errors import InvalidInput
from gnomon.model.bench import RunScore
from gnomon.model.transcript import RunConfig, Step

ORDER_DOES_NOT_MATTER = {
    "returns_desk.blanket_after_six_weeks", "returns_desk.grey_for_blue", "returns_desk.stop_the_tablecloth",
    "returns_desk.what_would_i_get", "calendar.double_booking", "calendar.first_hour_for_three",
    "calendar.four_for_the_launch", "calendar.minutes_of_tuesday", "calendar.not_hers_to_move",
    "calendar.stand_ups_half_past", "calendar.which_one_to_one",
}  # fmt: skip
GOLDEN = Path(__file__).parents[2] / "golden" / "bench" / "task_scores.json"
ALL = [scenario for name in EXAMPLE_NAMES for scenario in TASKS.load(EXAMPLES / name)]


def config(user_sim: str = "scripted", **changes: Any) -> RunConfig:
    return RunConfig(agent_model="test", user_sim_model=user_sim, judge_model="none", **changes)


def play(
    scenario: TaskScenario, agent: Agent, folder: Path, *, user_sim: UserSim | None = None, resume: bool = False,
    stop_after: int | None = None, settings: RunConfig | None = None,
) -> RunScore:  # fmt: skip
    """Run a task and score it. `stop_after` kills the run after so many steps."""

    def on_step(step: Step) -> None:
        if stop_after is not None and step.step_id + 1 >= stop_after:
            raise KeyboardInterrupt

    try:
        asyncio.run(
            run(
                scenario, agent, settings or config(), folder, agent_id="test", run_number=1, now=lambda: "now",
                user_sim=user_sim, resume=resume, on_step=on_step,
            )
        )  # fmt: skip
    except KeyboardInterrupt:
        assert stop_after is not None
    return scenario.score(read_transcript(folder / NAME))


class Scripted:
    """An agent that gives fixed replies, one after the other, counted in the messages."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = replies
        self.seen: list[list[Message]] = []

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        self.seen.append(list(messages))
        done = sum(message["role"] == "assistant" for message in messages)
        return self._replies[min(done, len(self._replies) - 1)]

    async def close(self) -> None:
        """It holds nothing."""


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.scenario_id)
def test_reference_agents_get_what_is_known_in_advance(scenario: TaskScenario, tmp_path: Path) -> None:
    results = {
        name: play(scenario, scenario.reference_agent(name, 1), tmp_path / name.replace(":", "-")).success
        for name in ("oracle", "does-nothing", "wrong-order", "flaky:0", "flaky:1")
    }
    assert results == {
        "oracle": True,
        "does-nothing": False,
        "wrong-order": scenario.scenario_id in ORDER_DOES_NOT_MATTER,
        "flaky:0": False,
        "flaky:1": True,
    }


def test_flaky_is_drawn_for_each_task_and_run() -> None:
    acts = [
        asyncio.run(scenario.reference_agent("flaky:0.5", number).answer([], [{}])).text != NOTHING
        for scenario in ALL
        for number in range(1, 11)
    ]
    assert 70 < sum(acts) < 130


def test_a_name_that_no_reference_agent_has_is_refused() -> None:
    with pytest.raises(InvalidInput, match="there are oracle, does-nothing, wrong-order, flaky:P"):
        ALL[0].reference_agent("orakel", 1)


def test_the_transcript_has_the_conversation_and_the_world_at_the_end(tmp_path: Path) -> None:
    scenario = TaskScenario(two_apples(tmp_path))
    score = play(scenario, scenario.reference_agent("oracle", 1), tmp_path / "run")
    transcript = read_transcript(tmp_path / "run" / NAME)
    assert [step.user_message for step in transcript.steps] == [
        "I would like two of the red ones.", "And how many are left?",
    ]  # fmt: skip
    assert transcript.end is not None
    assert transcript.end.state["stock"] == {"apple": 3, "pear": 2}
    assert score.success
    assert score.value("steps") == 2
    assert [
        (score.evidence[place].step_id, score.evidence[place].turn, score.evidence[place].call)
        for place in score.metrics["required_calls"].evidence
    ] == [(0, 1, 0)]


def replies() -> list[Reply]:
    """Asks which, sells, and counts: three steps with the user of the tiny package."""
    return [
        Reply("Which ones?"),
        Reply("Let me see.", (AskedCall("sell", {"fruit": "apple", "pieces": 2}),)),
        Reply("Here you are."),
        Reply(None, (AskedCall("count_stock", {"fruit": "apple"}),)),
        Reply("There are three."),
    ]


def test_a_step_goes_on_with_the_conversation_before(tmp_path: Path) -> None:
    agent = Scripted(*replies())
    assert play(TaskScenario(two_apples(tmp_path)), agent, tmp_path / "run").success
    last = agent.seen[-1]
    assert [message["role"] for message in last] == [
        "system", "user", "assistant", "user", "assistant", "tool", "assistant", "user", "assistant", "tool",
    ]  # fmt: skip
    assert last[0]["content"] == "You sell apples. Be brief."
    assert json.loads(last[-1]["content"]) == {"status": "ok", "result": {"left": 3}}


@pytest.mark.parametrize("killed_after", [1, 2])
def test_a_killed_run_goes_on_at_the_next_step(tmp_path: Path, killed_after: int) -> None:
    scenario = TaskScenario(two_apples(tmp_path))
    whole = Scripted(*replies())
    assert play(scenario, whole, tmp_path / "whole").success
    cut = play(scenario, Scripted(*replies()), tmp_path / "cut", stop_after=killed_after)
    assert (cut.scorable, cut.reason) == (False, f"it was cut after step {killed_after - 1}")
    resumed = Scripted(*replies())
    assert play(scenario, resumed, tmp_path / "cut", resume=True).success
    assert resumed.seen == whole.seen[-len(resumed.seen) :], "the agent is told the same as without the interruption"
    states = [read_transcript(tmp_path / name / NAME).end.state for name in ("whole", "cut")]  # type: ignore[union-attr]
    assert states[0] == states[1]


def test_an_agent_that_breaks_is_not_scored(tmp_path: Path) -> None:
    class Broken(Scripted):
        async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
            raise RuntimeError("no more")

    score = play(TaskScenario(two_apples(tmp_path)), Broken(), tmp_path / "run")
    assert not score.scorable
    assert "no more" in (score.reason or "")


def test_a_limit_of_steps_that_leaves_the_user_speaking_is_not_scored(tmp_path: Path) -> None:
    scenario = TaskScenario(two_apples(tmp_path))
    folder = tmp_path / "run"
    asyncio.run(
        run(
            scenario, Scripted(*replies()), config(), folder, agent_id="test", run_number=1, now=lambda: "now",
            max_steps=1,
        )
    )  # fmt: skip
    score = scenario.score(read_transcript(folder / NAME))
    assert score.reason == "it was stopped after 1 step, when the user had more to say"


def test_a_run_of_another_version_of_the_task_is_not_scored(tmp_path: Path) -> None:
    before = TaskScenario(two_apples(tmp_path / "before"))
    play(before, before.reference_agent("oracle", 1), tmp_path / "run")
    after = TaskScenario(two_apples(tmp_path / "after", required_words=["none"]))
    assert "another version of the task" in (after.score(read_transcript(tmp_path / "run" / NAME)).reason or "")


def test_a_model_can_play_the_user(tmp_path: Path) -> None:
    asked: list[tuple[str, list[Message]]] = []

    async def say(persona: str, messages: Sequence[Message]) -> str:
        asked.append((persona, list(messages)))
        return "Apples!" if len(asked) == 1 else "###END###"

    score = play(
        TaskScenario(two_apples(tmp_path)), Scripted(*replies()), tmp_path / "run", user_sim=say,
        settings=config("a-model"),
    )  # fmt: skip
    assert score.value("steps") == 2
    assert asked[0][1] == [
        {"role": "assistant", "content": "I would like two of the red ones."},
        {"role": "user", "content": "Which ones?"},
    ]


def test_calls_that_make_no_sense_are_answered_and_counted(tmp_path: Path) -> None:
    agent = Scripted(
        Reply(None, (AskedCall("sell", {"fruit": "apple"}), AskedCall("fly", {}), AskedCall("sell", {}, fault="torn"))),
        Reply("3 left."),
    )
    score = play(TaskScenario(two_apples(tmp_path)), agent, tmp_path / "run")
    assert score.value("tool_errors") == 3
    answers = [json.loads(message["content"])["message"] for message in agent.seen[1] if message["role"] == "tool"]
    assert answers == [
        "Missing argument: pieces", "Unknown tool: fly", "The arguments could not be read: torn",
    ]  # fmt: skip


def test_a_package_is_recognised_as_one_of_this_family() -> None:
    assert family_of(EXAMPLES / "calendar") is TASKS
    assert TASKS in FAMILIES


def test_a_score_as_json_is_the_golden_one(tmp_path: Path) -> None:
    """Look at the difference, then renew the file with GNOMON_RENEW_GOLDEN=1; figures that move need a new version."""
    scenario = next(one for one in ALL if one.scenario_id == "returns_desk.broken_lamp")
    scored = {}
    for name in ("oracle", "wrong-order"):
        score = play(scenario, scenario.reference_agent(name, 1), tmp_path / name)
        scored[name] = {**score.model_dump(mode="json"), "run_id": name}
    text = json.dumps(scored, indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_a_judge_is_told_the_rules_the_story_and_what_is_certain(tmp_path: Path) -> None:
    scenario = TaskScenario(two_apples(tmp_path))
    score = play(scenario, scenario.reference_agent("oracle", 1), tmp_path / "run")
    material = scenario.judge_material(read_transcript(tmp_path / "run" / NAME), score)
    assert "called sell" in material.sample.output
    assert {finding.name: finding.value for finding in material.findings} == {
        "success": True, "state_match": 1.0, "forbidden_calls": 0.0, "tool_errors": 0.0,
    }  # fmt: skip
    used = {name for path in TASKS.rubric().paths_to_pass.values() for name in path.findings}
    assert used <= {finding.name for finding in material.findings}
