"""One run: which beats, what is recorded, what agents may do to it, and that a killed run goes on as if nothing was."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.small import ONSET, small_package
from gnomon.bench.noticing.family import NOTICING, DayScenario, planned_beats
from gnomon.bench.noticing.package import DayPackage, content_hash
from gnomon.bench.noticing.scenario import HeartbeatPayload
from gnomon.bench.protocol import AgentFailed, AskedCall, Message, Reply, Tool
from gnomon.bench.runner import CONFIG, Limits, run
from gnomon.bench.transcripts import NAME, read_transcript
from gnomon.errors import InvalidInput, Refused
from gnomon.model.firstformat import first_format
from gnomon.model.transcript import RunConfig, RunEnd, Step, Transcript

LEFT_OUT = {"duration_ms", "latency_ms", "run_id", "started_at", "finished_at", "cost_usd"}


class Agent:
    """Answers with a function of the messages and of whether there are tools."""

    def __init__(self, answer: Callable[[Sequence[Message], Sequence[Tool]], Any]) -> None:
        self._answer = answer
        self.asked: list[list[Message]] = []

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        self.asked.append(list(messages))
        found = self._answer(messages, tools)
        return await found if asyncio.iscoroutine(found) else found

    async def close(self) -> None: ...


def quiet() -> Agent:
    return Agent(lambda messages, tools: Reply(text="nothing to do"))


def calls(*names: str, **args: Any) -> Reply:
    return Reply(text="on it", tool_calls=tuple(AskedCall(name, args) for name in names))


def update_of(messages: Sequence[Message]) -> int:
    found = re.match(r"# Update (\d+)", messages[1]["content"])
    assert found
    return int(found[1])


def busy() -> Agent:
    """Uses all that lasts from beat to beat: memory, messages, calls; and fails with some."""

    def answer(messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        number, turn = update_of(messages), len(messages)
        if turn == 2:
            return Reply(tool_calls=(AskedCall("read_memory", {"key": "log"}), AskedCall("get_conversations", {})))
        if turn == 5:
            before = json.loads(messages[3]["content"]).get("content") or ""
            return Reply(
                text="noted",
                tool_calls=(
                    AskedCall("write_memory", {"key": "log", "content": f"{before}{number};"}),
                    AskedCall("write_memory", {"key": f"day/{number % 3}:x", "content": messages[4]["content"]}),
                    AskedCall("send_message", {"contact_id": "user", "text": f"Update {number}?"}),
                    AskedCall("make_call", {"number": "911" if number > ONSET else "user"}),
                    AskedCall("write_memory", {"key": "../x", "content": ""}),
                ),
                tokens_input=100,
                tokens_output=number,
                cost_usd=0.001,
                model="model-a" if number < 5 else "model-b",
            )
        return Reply(text=f"done with {number}")

    return Agent(answer)


def config(**more: Any) -> RunConfig:
    return RunConfig(agent_model="test", user_sim_model="scripted", judge_model="none", **more)


def play(
    folder: Path, agent: Any, scenario: DayScenario | None = None, conf: RunConfig | None = None, **more: Any
) -> RunEnd:
    more = {"agent_id": "tester", "run_number": 1, "now": lambda: "2027-01-01T00:00:00Z", **more}
    return asyncio.run(
        run(scenario or DayScenario(DayPackage(None, small_package())), agent, conf or config(), folder, **more)
    )


def played(folder: Path) -> Transcript:
    return read_transcript(folder / NAME)


def bare_day(beats: int, onset: int) -> DayScenario:
    day = [HeartbeatPayload(heartbeat_id=number, timestamp=f"t{number}") for number in range(beats)]
    package = small_package()
    manifest = package.manifest.model_copy(update={"content_hash": content_hash(day)})
    changes = {"heartbeats": day, "crisis_heartbeat_id": onset, "manifest": manifest}
    return DayScenario(DayPackage(None, package.model_copy(update=changes)))


def essence(value: Any) -> Any:
    """A transcript without what two runs need not share."""
    if isinstance(value, dict):
        return {key: essence(inner) for key, inner in value.items() if key not in LEFT_OUT}
    return [essence(inner) for inner in value] if isinstance(value, list) else value


def told(folder: Path) -> Any:
    return essence(played(folder).model_dump(mode="json"))


# Which beats


@pytest.mark.parametrize(
    ("beats", "onset", "window", "limit", "start", "expected"),
    [
        pytest.param(5, 3, 1, None, 0, [0, 1, 2, 3, 4], id="row-64"),
        pytest.param(5, 3, 0, None, 0, [0, 1, 2, 3], id="row-65"),
        pytest.param(160, 139, 5, None, 0, list(range(145)), id="row-66-5"),
        pytest.param(160, 139, 10, None, 0, list(range(150)), id="row-66-10"),
        pytest.param(160, 139, 20, None, 0, list(range(160)), id="row-66-20"),
        pytest.param(160, 139, 50, None, 0, list(range(160)), id="row-66-50"),
        pytest.param(160, 139, 5, 3, 0, [0, 1, 2], id="row-67"),
        pytest.param(160, 139, 1, None, 137, [137, 138, 139, 140], id="row-68"),
        pytest.param(160, 139, 2, None, 150, [], id="start-beyond-the-window"),
    ],
)
def test_a_run_has_the_beats_up_to_the_window(
    beats: int, onset: int, window: int, limit: int | None, start: int, expected: list[int]
) -> None:
    day = bare_day(beats, onset).day
    if expected:
        assert planned_beats(day, window, limit, start) == expected
    else:
        with pytest.raises(InvalidInput, match="start_step 150 leaves nothing to run"):
            planned_beats(day, window, limit, start)


def test_a_day_that_calls_for_nothing_is_run_whole() -> None:
    day = bare_day(12, 12).day
    control = DayPackage(None, day.package.model_copy(update={"crisis_type": "none"}))
    assert planned_beats(control, 0) == list(range(12))


def test_no_steps_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="max_steps 0 leaves nothing to run"):
        play(tmp_path, quiet(), max_steps=0)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"window": -1}, "setting window -1: input should be greater than or equal to 0"),
        ({"widow": 3}, "setting widow 3: extra inputs are not permitted; the family noticing takes window, action_log"),
    ],
)
def test_settings_that_the_family_does_not_take_are_refused_in_one_line(
    tmp_path: Path, settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        play(tmp_path, quiet(), conf=config(settings=settings))
    assert words in refused.value.message
    assert not list(tmp_path.iterdir())


def test_a_window_that_the_day_cuts_short_is_told(tmp_path: Path) -> None:
    end = play(tmp_path, quiet(), conf=config(settings={"window": 50}))
    assert (end.status, end.steps) == ("ok", 10)
    assert end.reason == "the day has 5 beats after the onset, 50 were asked for"


def test_the_beats_of_the_plan_are_the_beats_of_the_transcript(tmp_path: Path) -> None:
    play(tmp_path, quiet(), conf=config(settings={"window": 1}), start_step=2)
    transcript = played(tmp_path)
    assert [beat.step_id for beat in transcript.steps] == [2, 3, 4, 5]
    assert transcript.header
    assert (transcript.header.start_step, transcript.header.planned_steps) == (2, 4)


# The conversation of a beat


@pytest.mark.parametrize("row", [69], ids=["row-69"])
def test_an_agent_that_never_stops_has_its_rounds_and_a_last_word(tmp_path: Path, row: int) -> None:
    agent = Agent(lambda messages, tools: calls("query_wearable"))
    end = play(tmp_path, agent, conf=config(max_tool_turns=2), max_steps=2)
    assert (end.status, end.steps) == ("ok", 2)
    for beat in played(tmp_path).steps:
        assert [len(turn.tool_calls) for turn in beat.turns] == [1, 1, 0]
        assert beat.stop_reason == "max_turns"
        assert beat.truncated_calls == ["query_wearable"]
    assert len(agent.asked) == 6
    assert json.loads(agent.asked[2][-1]["content"])["status"] == "update_complete"


@pytest.mark.parametrize("row", [70], ids=["row-70"])
def test_the_calls_of_the_last_permitted_round_are_done(tmp_path: Path, row: int) -> None:
    agent = Agent(lambda messages, tools: calls("make_call", number="911") if tools else Reply(text="called"))
    play(tmp_path, agent, conf=config(max_tool_turns=1), max_steps=1)
    (beat,) = played(tmp_path).steps
    assert [call.result["status"] for call in beat.turns[0].tool_calls] == ["connected"]
    assert beat.turns[1].agent_text == "called"


@pytest.mark.parametrize("row", [71], ids=["row-71"])
def test_the_next_beat_tells_of_the_actions_of_the_one_before(tmp_path: Path, row: int) -> None:
    agent = Agent(lambda messages, tools: calls("get_contacts") if len(messages) == 2 else Reply(text="ok"))
    play(tmp_path, agent, max_steps=2)
    first, second = (beat.user_message or "" for beat in played(tmp_path).steps)
    assert "No actions yet today." in first
    assert "- 2027-06-15T17:45:05Z — Looked at the contacts" in second


def test_each_beat_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    agent = busy()
    play(tmp_path, agent, max_steps=3)
    firsts = [messages for messages in agent.asked if len(messages) == 2]
    assert [update_of(messages) for messages in firsts] == [0, 1, 2]
    assert all([message["role"] for message in messages] == ["system", "user"] for messages in firsts)


def test_results_go_back_to_the_calls_that_asked_for_them(tmp_path: Path) -> None:
    def answer(messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        if len(messages) > 2:
            return Reply(text="ok")
        return Reply(tool_calls=tuple(AskedCall("query_wearable", {}, id) for id in ("same", "same", None)))

    agent = Agent(answer)
    play(tmp_path, agent, max_steps=1)
    assistant, *results = agent.asked[1][2:]
    ids = [call["id"] for call in assistant["tool_calls"]]
    assert len(set(ids)) == 3
    assert [result["tool_call_id"] for result in results] == ids
    assert [call.id for call in played(tmp_path).calls()] == ids


def test_calls_beyond_the_limit_of_a_round_are_told_as_not_done(tmp_path: Path) -> None:
    agent = Agent(lambda messages, tools: calls(*["get_contacts"] * 5) if len(messages) == 2 else Reply(text="ok"))
    play(tmp_path, agent, max_steps=1, limits=Limits(calls_in_round=3))
    assert [call.ok for call in played(tmp_path).calls()] == [True, True, True, False, False]
    assert played(tmp_path).calls()[4].result["message"] == "Not done: at most 3 calls at a time"


def priced(silent_at: int | None = None) -> Agent:
    """Says what each turn took, but for one update."""

    def answer(messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        number = update_of(messages)
        model = "model-a" if number < 5 else "model-b"
        return Reply("ok", (), 100, number, None if number == silent_at else 0.001, model)

    return Agent(answer)


def test_usage_cost_and_models_add_up(tmp_path: Path) -> None:
    end = play(tmp_path, priced())
    assert end.usage
    assert (end.usage.input, end.usage.output) == (1000, sum(range(10)))
    assert end.cost_usd == pytest.approx(0.01)
    assert end.served_model == "model-a, model-b"
    assert played(tmp_path).steps[0].latency_ms is not None
    assert play(tmp_path / "other", quiet()).usage is None


def test_a_turn_of_unknown_cost_makes_the_cost_of_the_run_unknown_and_not_lower(tmp_path: Path) -> None:
    end = play(tmp_path, priced(silent_at=3))
    assert end.cost_usd is None
    assert [beat.cost_usd for beat in played(tmp_path).steps[2:5]] == [0.001, None, 0.001]
    assert end.usage is not None
    assert end.usage.input == 1000


# Agents that fail


async def never() -> Reply:
    await asyncio.sleep(60)
    return Reply()


def boom(bad: BaseException) -> Callable[..., Any]:
    def answer(messages: Sequence[Message], tools: Sequence[Tool]) -> Any:
        raise bad

    return answer


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (boom(AgentFailed("no quota\nleft")), "no quota left"),
        (boom(ValueError("bad \0 \ud800")), "the agent raised ValueError: bad \ufffd ?"),
        (boom(TimeoutError("own")), "the agent raised TimeoutError: own"),
        (boom(SystemExit(3)), "the agent raised SystemExit: 3"),
        (boom(asyncio.CancelledError()), "the agent cancelled itself"),
        (lambda messages, tools: None, "the agent's answer is NoneType, not a Reply: None"),
        (lambda messages, tools: Reply(text=5), "the agent's text is int, not a string: 5"),
        (lambda messages, tools: Reply(tool_calls=7), "the agent's tool_calls is int, not a tuple: 7"),
        (lambda messages, tools: Reply(tool_calls=("x",)), "the agent's tool call is str, not an AskedCall"),
        (lambda messages, tools: never(), "the turn took longer than 0.05 s"),
        (
            lambda messages, tools: Reply(text="x" * 3_000_000),
            "the agent answered with 3000000 characters",
        ),
        (
            lambda messages, tools: calls("write_memory", key="k" * 3_000_000),
            "the agent answered with 30000",
        ),
    ],
)
def test_an_agent_that_gives_no_turn_ends_the_run_with_the_reason(
    tmp_path: Path, answer: Callable[..., Any], words: str
) -> None:
    end = play(tmp_path, Agent(answer), limits=Limits(turn_seconds=0.05))
    assert (end.status, end.steps) == ("error", 1)
    transcript = played(tmp_path)
    (beat,) = transcript.steps
    assert (beat.error or "").startswith(words)
    assert beat.stop_reason == "error"
    assert end.reason
    assert beat.error in end.reason
    assert transcript.end == end
    assert (tmp_path / NAME).stat().st_size < 20_000


def test_a_beat_has_a_limit_too_and_keeps_what_was_done(tmp_path: Path) -> None:
    agent = Agent(lambda messages, tools: calls("make_call", number="911") if len(messages) == 2 else never())
    play(tmp_path, agent, limits=Limits(step_seconds=0.05))
    (beat,) = played(tmp_path).steps
    assert beat.error == "the step took longer than 0.05 s"
    assert [call.tool for call in beat.turns[0].tool_calls] == ["make_call"]


def test_a_run_may_be_allowed_more_failures_and_tells_of_them(tmp_path: Path) -> None:
    def answer(messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        if update_of(messages) in (1, 3):
            raise AgentFailed("gone")
        return Reply(text="ok")

    end = play(tmp_path, Agent(answer), limits=Limits(failed_steps=2))
    assert (end.status, end.steps, end.reason) == ("ok", 10, "2 of 10 steps failed, the last with: gone")
    end = play(tmp_path / "all", Agent(boom(AgentFailed("gone"))), limits=Limits(failed_steps=2))
    assert (end.status, end.steps, end.reason) == ("error", 2, "2 of 2 steps failed, the last with: gone")


def test_a_simulated_user_that_fails_ends_the_run_as_an_error(tmp_path: Path) -> None:
    async def say(persona: str, messages: Sequence[Message]) -> str:
        raise ConnectionError("down")

    conf = config().model_copy(update={"user_sim_model": "some/model"})
    end = play(tmp_path, busy(), conf=conf, user_sim=say)
    assert end.status == "error"
    assert "the simulated user gave no answer: ConnectionError: down" in (end.reason or "")


def test_a_model_for_the_user_has_to_be_handed_in(tmp_path: Path) -> None:
    conf = config().model_copy(update={"user_sim_model": "some/model"})
    with pytest.raises(InvalidInput, match="user_sim_model 'some/model'"):
        play(tmp_path, quiet(), conf=conf)


def test_strange_words_of_an_agent_can_be_read_back(tmp_path: Path) -> None:
    def answer(messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        if len(messages) > 2:
            return Reply(text="\ud800 \0 ok", tokens_input="many", cost_usd=float("nan"), model=7)
        odd: list[Any] = [{"key": "\ud800"}, {"key": "\0"}, {"key": float("inf")}, {"key": {1, 2}}, [], None]
        return Reply(tool_calls=(*(AskedCall("read_memory", args) for args in odd), AskedCall("\0 x", {}, id="\ud800")))

    assert play(tmp_path, Agent(answer), max_steps=1).status == "ok"
    transcript = played(tmp_path)
    assert [call.ok for call in transcript.calls()] == [False] * 7
    assert transcript.steps[0].turns[1].agent_text == "? \ufffd ok"
    assert transcript.steps[0].usage is None


# What is on disk


def test_a_run_tells_all_that_is_needed_to_repeat_it(small: Path, tmp_path: Path) -> None:
    (scenario,) = NOTICING.load(small)
    end = play(tmp_path, busy(), scenario, config(model_params={"temperature": 0.5}))
    about = json.loads((tmp_path / CONFIG).read_text())
    header = played(tmp_path).header
    assert header
    assert about["run_config"]["model_params"] == {"temperature": 0.5}
    assert about["limits"]["calls_in_round"] == 100
    assert about["seeds"]["scenario"] == 0
    assert about["content_hash"] == scenario.content_hash
    assert {"python_version", "harness_version", "run_number", "agent_id"} <= about.keys()
    for name in ("run_id", "package_hash", "tools_hash", "prompt_hash", "content_hash", "scenario_id"):
        assert about[name] == getattr(header, name) != ""
    assert {path.stem for path in (tmp_path / "memory").iterdir()} >= {"preferences", "log"}
    assert end.memory["log"] == "0;1;2;3;4;5;6;7;8;9;"


def test_the_transcript_can_be_written_in_the_first_published_format(tmp_path: Path) -> None:
    play(tmp_path / "run", busy())
    (tmp_path / "single.json").write_text(json.dumps(first_format(played(tmp_path / "run"))))
    assert len(read_transcript(tmp_path / "single.json").steps) == 10


def test_two_runs_with_the_same_number_are_alike(tmp_path: Path) -> None:
    play(tmp_path / "a", busy())
    play(tmp_path / "b", busy())
    assert told(tmp_path / "a") == told(tmp_path / "b")


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused, match="fix that and resume the run"):
        play(tmp_path / "file", quiet())


# Killed and resumed


class Killed(BaseException):
    pass


def killed_at(number: int, *, early: bool) -> Agent:
    """Dies before it says anything in a beat, or after it has called its tools."""
    whole = busy()

    def answer(messages: Sequence[Message], tools: Sequence[Tool]) -> Any:
        if update_of(messages) == number and (early or len(messages) > 5):
            raise Killed
        return whole.answer(messages, tools)

    return Agent(answer)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("whole")
    play(folder, busy())
    return told(folder)


@pytest.mark.parametrize("early", [True, False], ids=["before", "after its calls"])
@pytest.mark.parametrize("number", range(10))
def test_a_run_killed_in_any_beat_goes_on_as_if_nothing_was(
    tmp_path: Path, uninterrupted: Any, number: int, early: bool
) -> None:
    with pytest.raises(Killed):
        play(tmp_path, killed_at(number, early=early))
    assert played(tmp_path).is_cut
    (tmp_path / "memory/left-behind.md").write_text("half a beat")
    play(tmp_path, busy(), resume=True)
    assert told(tmp_path) == uninterrupted
    archived = {path.relative_to(tmp_path / "memory").as_posix()[:-3] for path in (tmp_path / "memory").rglob("*.md")}
    assert archived == uninterrupted["end"]["memory"].keys()


def test_a_run_that_is_cut_anywhere_goes_on_as_if_nothing_was(tmp_path: Path, uninterrupted: Any) -> None:
    play(tmp_path, busy())
    content = (tmp_path / NAME).read_bytes()
    for share in range(95, -1, -19):
        (tmp_path / NAME).write_bytes(content[: len(content) * share // 100])
        play(tmp_path, busy(), resume=True)
        assert told(tmp_path) == uninterrupted


def test_cancelling_leaves_a_run_that_can_be_resumed(tmp_path: Path, uninterrupted: Any) -> None:
    def stop(beat: Step) -> None:
        if beat.step_id == 3:
            task = asyncio.current_task()
            assert task
            task.cancel()

    with pytest.raises(asyncio.CancelledError):
        play(tmp_path, Agent(lambda messages, tools: slowly(busy(), messages, tools)), on_step=stop)
    assert len(played(tmp_path).steps) == 4
    play(tmp_path, busy(), resume=True)
    assert told(tmp_path) == uninterrupted


async def slowly(agent: Agent, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
    await asyncio.sleep(0)
    return await agent.answer(messages, tools)


def test_a_run_that_has_ended_is_not_run_again(tmp_path: Path) -> None:
    end = play(tmp_path, busy())
    content = (tmp_path / NAME).read_bytes()
    assert play(tmp_path, Agent(boom(Killed())), resume=True) == end
    assert (tmp_path / NAME).read_bytes() == content


def test_a_run_that_failed_before_its_end_line_is_not_tried_again(tmp_path: Path) -> None:
    end = play(tmp_path, Agent(boom(AgentFailed("gone"))))
    lines = (tmp_path / NAME).read_bytes().splitlines(keepends=True)
    (tmp_path / NAME).write_bytes(b"".join(lines[:-1]))
    assert play(tmp_path, Agent(boom(Killed())), resume=True) == end


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    play(tmp_path, quiet())
    with pytest.raises(Refused, match="holds a run already; resume it"):
        play(tmp_path, quiet())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"agent_id": "somebody else"}, 'its agent_id is "tester", now it is "somebody else"'),
        ({"run_number": 2}, "its run_number is 1, now it is 2"),
        ({"conf": config(max_tool_turns=3)}, "its run_config is"),
        ({"limits": Limits(calls_in_round=5)}, "its limits is"),
        ({"max_steps": 5}, "its max_steps is null, now it is 5"),
        ({"scenario": bare_day(10, 4)}, "holds a different run: its content_hash is"),
    ],
)
def test_another_run_is_not_resumed(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    play(tmp_path, quiet())
    with pytest.raises(Refused) as refused:
        play(tmp_path, quiet(), **{"resume": True, **change})
    assert words in refused.value.message


def test_a_transcript_of_another_run_is_not_resumed(tmp_path: Path) -> None:
    play(tmp_path / "a", quiet())
    play(tmp_path / "b", quiet())
    before = (tmp_path / "b" / NAME).read_bytes()[:-5]
    (tmp_path / "a" / NAME).write_bytes(before)
    with pytest.raises(Refused, match="are not of one run"):
        play(tmp_path / "a", quiet(), resume=True)
    assert (tmp_path / "a" / NAME).read_bytes() == before


CHILD = """
import sys
from pathlib import Path
from bench.test_runner import busy, play
print("started", flush=True)
play(Path(sys.argv[1]), busy(), on_step=lambda beat: (print(beat.step_id, flush=True), sys.stdin.readline()))
"""


def test_a_run_killed_by_the_system_goes_on_as_if_nothing_was(tmp_path: Path, uninterrupted: Any) -> None:
    tests = Path(__file__).parents[1]
    own = {**os.environ, "PYTHONPATH": f"{tests}{os.pathsep}{tests.parent / 'src'}"}
    command = [sys.executable, "-c", CHILD, str(tmp_path)]
    with subprocess.Popen(command, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin
        assert child.stdout
        for line in child.stdout:
            if line.strip() == "4":
                os.kill(child.pid, signal.SIGKILL)
                break
            if line.strip() != "started":  # one line a beat: with one more the child would be a beat ahead
                child.stdin.write("\n")
                child.stdin.flush()
    assert child.returncode == -signal.SIGKILL
    assert [beat.step_id for beat in played(tmp_path).steps] == [0, 1, 2, 3, 4]
    play(tmp_path, busy(), resume=True)
    assert told(tmp_path) == uninterrupted
