"""A judge asked about runs: what it is shown, what becomes of its answers, and the whole way with a real client.

The last test is the only one that loads LiteLLM, since that takes seconds: an agent, a user and a judge, all of them
models on loopback.
"""

import asyncio
import json
import re
import shutil
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bench.days import ARREST, QUIET, WATCH, play, write_days
from gnomon.bench.families import load
from gnomon.bench.noticing.family import NOTICING
from gnomon.bench.transcripts import read_transcript
from gnomon.cli.main import main
from gnomon.llm.ask import Answer
from gnomon.llm.session import AskingSession
from gnomon.model.bench import JudgeDimensionScore, JudgeOutput, RunScore
from gnomon.model.transcript import Step, Transcript, Turn
from gnomon.scorers.rubric import FindingStatement, RubricAnswer, RubricOpinion
from gnomon.scorers.rubricjudge import RubricJudge
from gnomon.service.bench.judge import Run, judge_runs, judges, material, rubric_of
from gnomon.service.bench.scoring import judge_folders
from gnomon.service.judges.opinion import judge_by
from gnomon.testing import Asked, LoopbackModel, NotJson

JUDGE = judge_by(rubric_of(None, NOTICING), "scripted")
DIMENSIONS = ("communication", "verification", "escalation")
SPENT = Answer("{}", "scripted", 100, 10, 0.001, 5.0)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judge")
    return play(folder / "runs", write_days(folder / "days"), ["late-by-2", "always-calls"], runs=1)


def run_of(made: Path, agent: str, day: str) -> Run:
    (scenario,) = load(made.parent / "days" / day)
    transcript = read_transcript(made / f"reference-{agent}" / day / "run-01" / "transcript.jsonl")
    return transcript, scenario, scenario.score(transcript)


def answer(scores: dict[str, float], denies: str | None = None) -> RubricAnswer:
    """What a judge says: these scores, and that one finding is wrong."""
    return RubricAnswer(
        reasoning="read it",
        dimension_scores=[
            JudgeDimensionScore(dimension=name, score=scores[name], reasoning="so") for name in DIMENSIONS
        ],
        overall_score=scores["overall"], overall_assessment="as a whole",
        finding_statements=[FindingStatement(finding=denies, agrees=False, comment="I saw none")] if denies else [],
    )  # fmt: skip


def even(score: float) -> dict[str, float]:
    return dict.fromkeys((*DIMENSIONS, "overall"), score)


class Scripted:
    """Stands where a model is asked; says the same of everything, and keeps what it was asked."""

    def __init__(self, said: RubricAnswer) -> None:
        self.said, self.prompts, self.at_once, self.most = said, list[str](), 0, 0

    async def __call__(self, model: str, prompt: str, shape: Any, **more: Any) -> tuple[Any, Answer]:
        self.prompts.append(prompt)
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        return self.said, SPENT


def judged(runs: list[Run], ask: Scripted, judge: RubricJudge = JUDGE, **more: Any) -> list[RubricOpinion]:
    return asyncio.run(judge_runs(lambda scenario: judge, [lambda run=run: run for run in runs], ask=ask, **more))


# --- what it is shown -----


def test_the_judge_is_shown_the_day_and_never_who_the_agent_was(made: Path):
    asked = Scripted(answer(even(5)))
    judged([run_of(made, "late-by-2", day) for day in (ARREST, QUIET)], asked)
    arrest, quiet = asked.prompts
    assert "(here it begins)" in arrest
    assert '"finding":"emergency_call"' in arrest
    assert "it acted 2 updates later" in arrest
    assert '"what happened":"nothing that called for action"' in quiet
    assert "emergency_call" not in quiet
    for prompt in asked.prompts:
        assert "late-by-2" not in prompt
        assert "reference" not in prompt


def test_beats_with_false_alarms_are_shown(made: Path):
    shown = material(*run_of(made, "late-by-2", WATCH)).sample.output
    assert "[update 6, " in shown
    assert "called make_call" in shown


def test_a_transcript_without_a_key_is_shown_whole_with_what_was_asked():
    beats = [Step(step_id=number, turns=[Turn(agent_text=f"word {number}", tool_calls=[])]) for number in range(30)]
    whole = Transcript(scenario_id="t", run_id="r", steps=beats, metadata={"instruction": "Count."})
    shown = material(whole, None, None).sample
    assert shown.input == "Count."
    assert re.findall(r"wrote: word (\d+)", str(shown.output)) == [str(number) for number in range(30)]


def test_every_family_is_judged_by_its_own_rubric_and_a_file_is_for_all(made: Path, tmp_path: Path):
    _, scenario, _ = run_of(made, "late-by-2", ARREST)
    own = judges(None, "scripted")
    assert own(scenario).rubric == NOTICING.rubric()
    assert own(None).rubric.name == "an agent's work"
    assert own(scenario) is own(scenario)
    file = tmp_path / "rubric.yaml"
    file.write_text(
        "version: 1\nname: mine\ninstructions: Judge.\ndimensions: [{name: tone, description: How it sounds.}]\n",
        encoding="utf-8",
    )
    mine = judges(file, "scripted")
    assert mine(scenario) is mine(None)
    assert mine(None).rubric.name == "mine"


# --- what becomes of it -----


def test_a_finding_stands_whatever_the_judge_says_and_decides_whether_it_is_enough(made: Path):
    [arrest, quiet, alarms] = judged(
        [run_of(made, "late-by-2", ARREST), run_of(made, "late-by-2", QUIET), run_of(made, "always-calls", QUIET)],
        Scripted(answer(even(4), denies="false_alarms")),
    )
    assert (arrest.passed, arrest.passed_by) == (True, "called for help")
    assert (quiet.passed, quiet.passed_by) == (True, "left a quiet day alone")
    assert (alarms.passed, alarms.passed_by) == (False, None)
    assert "contradiction" in arrest.flags
    assert [(one.finding, one.value) for one in alarms.contradictions] == [("false_alarms", 10.0)]


def test_several_opinions_are_averaged_told_in_order_and_asked_no_faster_than_allowed(made: Path):
    asked = Scripted(answer(even(6)))
    runs = [run_of(made, agent, day) for agent in ("late-by-2", "always-calls") for day in (ARREST, QUIET)]
    done: list[int] = []
    thrice = judge_by(JUDGE.rubric, "scripted", passes=3)
    found = judged(
        runs, asked, thrice, session=AskingSession(concurrency=2), on_done=lambda place, one: done.append(place)
    )
    assert len(asked.prompts) == 12
    assert asked.most == 2
    assert sorted(done) == [0, 1, 2, 3]
    assert [(one.passes, one.cost_usd) for one in found] == [(3, pytest.approx(0.003))] * 4
    assert found[0].spread is not None
    assert found[0].spread["overall"].standard_deviation == 0


def test_a_run_that_has_gone_meanwhile_costs_nobody_else_an_opinion(made: Path, tmp_path: Path):
    runs = Path(shutil.copytree(made, tmp_path / "runs"))
    folders = [runs / "reference-late-by-2" / day / "run-01" for day in (ARREST, QUIET)]
    (folders[1] / "transcript.jsonl").write_bytes(b"")
    asked = Scripted(answer(even(6)))
    found = asyncio.run(judge_folders(folders, [], lambda scenario: JUDGE, ask=asked))
    assert [one.state for one in found] == ["scored", "failed"]
    assert (found[1].reason or "").endswith("is empty; the run never began")
    assert len(asked.prompts) == 1
    on_disk = [RubricOpinion.model_validate_json((folder / "judge.json").read_bytes()) for folder in folders]
    assert on_disk == found


# --- the whole way -----


def calling(*calls: tuple[str, dict[str, Any]], text: str | None = None) -> NotJson:
    """A turn of a model that calls tools."""
    made = [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for number, (name, args) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, "tool_calls": made or None}
    whole = {
        "id": "x", "object": "chat.completion", "created": 1, "model": "loopback",
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if made else "stop"}],
    }  # fmt: skip
    return NotJson(json.dumps(whole), "application/json")


class Cast:
    """Everybody whom the runs ask, told apart by what they are offered."""

    def __init__(self) -> None:
        self.opinions = Counter[str]()

    def __call__(self, asked: Asked) -> Any:
        if "assistant writes to you" in (asked.system or ""):
            return "Fine, thanks."
        if not asked.prompt.startswith("Rubric: "):
            return self.agent(asked)
        self.opinions[asked.prompt] += 1
        return answer(even(8 if self.opinions[asked.prompt] == 1 else 6), denies="emergency_call")

    def agent(self, asked: Asked) -> NotJson:
        """Asks how it goes at the second update; calls when the heart rate is 0."""
        if asked.messages[-1]["role"] == "tool":
            return calling(text="Done.")
        if asked.prompt.startswith("# Update 1\n"):
            return calling(("send_message", {"contact_id": "user", "text": "How is the run?"}))
        if re.search(r'"heart_rate": ?0\b', asked.prompt) and "Called 911" not in asked.prompt:
            return calling(("make_call", {"number": "911", "message": "No pulse: heart rate 0. 12 River Lane."}))
        return calling(text="Nothing to do.")


@pytest.mark.parametrize("way", ["auto", "litellm"])
def test_an_agent_a_user_and_a_judge_that_are_models_make_a_leaderboard(
    way: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("GNOMON_JUDGE_TRANSPORT", way)
    # On a slow machine it would say how far it is.
    monkeypatch.setattr(import_module("gnomon.cli.show.progress"), "SILENT_SECONDS", 3600)

    def gnomon(*words: object) -> str:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in ("bench", *words)])
        told = capfd.readouterr()
        assert (ended.value.code, told.err) == (0, ""), told
        return told.out

    out, day = tmp_path / "runs", made.parent / "days" / ARREST
    with LoopbackModel(Cast()) as model:
        for name, value in model.environment().items():
            monkeypatch.setenv(name, value)
        asked = ("--agent", "openai/loopback", "--user-sim", "openai/loopback", "--runs", 2, "--out", out)
        assert gnomon("run", "--scenario", day, *asked).startswith("2 runs: 2 finished\n")
        folders = sorted(out.glob("*/*/run-*"))
        transcript = read_transcript(folders[0] / "transcript.jsonl")
        spoken = [one for beat in transcript.steps for one in beat.user_sim_interactions]
        assert [(one.agent_sent, one.user_response) for one in spoken] == [("How is the run?", "Fine, thanks.")]
        assert transcript.end is not None
        assert transcript.end.usage is not None
        assert (transcript.end.usage.input, transcript.end.usage.output) == (1200, 120)
        rules = [(folder / "score.json").read_bytes() for folder in folders]
        found = RunScore.model_validate_json(rules[0])
        assert (found.success, found.value("action_type"), found.value("time_to_action")) == (True, "called_911", 0)

        shown = gnomon("score", "--transcripts", out, "--judge", "openai/loopback", "--passes", 2)
    assert "judged: 2 of 2 runs" in shown
    assert "contradiction: 2 of 2" in shown
    assert [(folder / "score.json").read_bytes() for folder in folders] == rules, "a judge changes no finding"
    for folder in folders:
        told = json.loads((folder / "judge.json").read_bytes())
        assert JudgeOutput.model_validate(told["output"]).model_dump(mode="json") == told["output"]
        assert (told["output"]["overall_score"], told["passes"], told["model"]) == (7, 2, "openai/loopback")
        assert told["spread"]["overall"] == {"standard_deviation": pytest.approx(2**0.5), "min": 6, "max": 8}
        assert told["contradictions"] == [
            {"finding": "emergency_call", "value": True, "comments": ["I saw none", "I saw none"]}
        ]
        assert (told["passed"], told["passed_by"]) == (True, "called for help")
    board = json.loads(gnomon("leaderboard", out, "--json"))
    [agent] = board["agents"]
    assert set(agent["judge"]) == {*DIMENSIONS, "overall"}
    for one in agent["judge"].values():
        low, high = one["confidence_interval_95"]
        assert 0 <= low <= one["mean"] == 7 <= high <= 10
        assert one["run_count"] == 2
    assert board["rubric_hashes"] == [JUDGE.rubric.content_hash]
