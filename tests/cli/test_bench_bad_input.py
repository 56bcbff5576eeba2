"""What people get wrong with `gnomon bench`, and what agents do: one line, the right exit code, and nothing broken."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench.days import ARREST, QUIET, quiet_day
from bench.small import write_small
from cli.conftest import Done, Run
from gnomon.bench.noticing.package import write
from gnomon.bench.transcripts import read_transcript
from gnomon.cli.main import main

AGENTS = """
import asyncio, json, pathlib, re

def calling(*calls):
    '''Calls these tools in every update, once.'''
    def answer(messages, tools):
        if any(message["role"] == "tool" for message in messages):
            return {"text": "Done."}
        return {"tool_calls": [{"name": name, "args": args} for name, args in calls]}
    return answer

unknown_tool = calling(("fly_to_the_moon", {"speed": 5}))
wrong_arguments = calling(("make_call", {"number": 911}), ("send_message", {"contact_id": ["x"], "text": None}))
KEYS = ("../escaped", str(pathlib.Path("escaped").resolve()), "a/../../escaped", "..", "")
leaves_its_folder = calling(*(("write_memory", {"key": key, "content": "gone"}) for key in KEYS))

def crashes(messages, tools):
    raise RuntimeError("the lamp\\nwent out")

async def hangs(messages, tools):
    await asyncio.Event().wait()

def endless(messages, tools):
    return {"tool_calls": [{"name": "get_contacts", "args": {}}]}

def megabytes(messages, tools):
    return {"text": "A" * 5_000_000}

def nonsense(messages, tools):
    return 42
"""


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small(tmp_path_factory.mktemp("days"))


@pytest.fixture
def here(day: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a package `day`, a run in `runs`, and agents that misbehave."""
    folder = tmp_path / "here"
    folder.mkdir()
    shutil.copytree(day, folder / "day")
    shutil.copytree(_a_run(day), folder / "runs")
    (folder / "empty").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])  # agents are looked for here, and in no later test
    return folder


_made: dict[Path, Path] = {}


def _a_run(day: Path) -> Path:
    """One run of the monitor, made once."""
    if day not in _made:
        _made[day] = day.parent.parent / f"{day.parent.name}-runs"
        asked = ["--scenario", str(day), "--agent", "reference:threshold-monitor", "--runs", "1"]
        with pytest.raises(SystemExit):
            main(["bench", "run", *asked, "--out", str(_made[day])])
    return _made[day]


def every_file(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def one_line(done: Done, code: int) -> str:
    """The only line that was said; nothing was shown."""
    assert (done.code, done.out) == (code, ""), done
    assert done.err.startswith("gnomon: "), done.err
    assert done.err.count("\n") == 1, done.err
    assert "Traceback" not in done.err
    assert "something broke here" not in done.err
    return done.err.removeprefix("gnomon: ").removesuffix("\n")


# --- what people get wrong -----

RUN = ("run", "--scenario", "day", "--out", "new", "--agent", "reference:never-acts")
CASES: dict[str, tuple[tuple[Any, ...], int, str]] = {
    "no package": (("verify", "empty"), 3, "Missing required file"),
    "no folder": (("verify", "nowhere"), 3, "nowhere: there is no such folder"),
    "lint of no package": (("lint", "empty"), 3, "Missing required file"),
    "show of no package": (("show", "empty"), 3, "Missing required file"),
    "show into nowhere": (("show", "day", "--html", "nowhere/day.html"), 2, "--html nowhere/day.html: No such file"),
    "unknown kind": (("generate", "--scenario", "flood", "--tier", "T1", "--seed", 1), 2, "kind 'flood' is not known"),
    "unknown tier": (
        ("generate", "--scenario", "house_fire", "--tier", "T9", "--seed", 1), 2, "tier 'T9' is not known; there are",
    ),
    "a seed that is no number": (("generate", "--scenario", "house_fire", "--tier", "T1", "--seed", "x"), 2, "--seed"),
    "run of no package": ((*RUN, "--scenario", "empty"), 3, "empty: Missing required file"),
    "run of a day twice": ((*RUN, "--scenario", "day"), 2, "was given twice"),
    "unknown reference agent": ((*RUN, "--agent", "reference:x"), 2, "agent 'reference:x' does not exist; there are"),
    "an agent that is none": ((*RUN, "--agent", "two words"), 2, "agent 'two words' is not an agent; write a model's"),
    "an agent without a module": ((*RUN, "--agent", "python:not_there:x"), 2, "cannot be imported"),
    "an agent without a program": ((*RUN, "--agent", "cmd:not-there"), 2, "there is no program 'not-there'"),
    "a model without a key": ((*RUN, "--agent", "openai/gpt-4o"), 2, "OPENAI_API_KEY"),
    "a user without a key": ((*RUN, "--user-sim", "openai/gpt-4o"), 2, "--user-sim: model 'openai/gpt-4o'"),
    "no run": ((*RUN, "--runs", 0), 2, "'--runs': 0 is not in the range"),
    "no time": ((*RUN, "--timeout", 0), 2, "'--timeout'"),
    "no budget": ((*RUN, "--budget", 0), 2, "'--budget'"),
    "a setting without a value": ((*RUN, "--param", "hot"), 2, "--param 'hot' is not NAME=VALUE; write it like"),
    "no config": ((*RUN, "--config", "nowhere.json"), 2, "--config nowhere.json: No such file"),
    "a config that is not JSON": ((*RUN, "--config", "binary.json"), 2, "--config binary.json is not JSON"),
    "a config that is not an object": ((*RUN, "--config", "list.json"), 2, "list.json is not a JSON object"),
    "a config with an unknown key": (
        (*RUN, "--config", "hot.json"), 2,
        "hot.json: temperature is not known here; sampling settings such as temperature belong into model_params",
    ),
    "a config with a wrong value": ((*RUN, "--config", "five.json", "--param", "a=1"), 2, "five.json: model_params: "),
    "nothing to score": (("score",), 2, "give one of --transcript FILE, --transcripts DIR and --trace ID"),
    "two things to score": (("score", "--transcript", "x", "--transcripts", "y"), 2, "give one of --transcript"),
    "no transcript": (("score", "--transcript", "nowhere"), 3, "nowhere: No such file or directory; name a transcript"),
    "an empty transcript": (("score", "--transcript", "empty.jsonl"), 3, "empty.jsonl: is empty"),
    "a binary transcript": (("score", "--transcript", "binary.json"), 3, "binary.json"),
    "a folder as transcript": (("score", "--transcript", "runs"), 3, "runs: Is a directory"),
    "an unknown format": (("score", "--transcript", "list.json", "--format", "x"), 2, "'x' is not a known format"),
    "transcripts of nowhere": (("score", "--transcripts", "nowhere"), 2, "nowhere is not a folder"),
    "transcripts of an empty folder": (("score", "--transcripts", "empty"), 3, "there is no run below empty; make one"),
    "expectations for a folder": (("score", "--transcripts", "runs", "--expect", "x"), 2, "--expect goes with"),
    "a format for a folder": (("score", "--transcripts", "runs", "--format", "x"), 2, "--format goes with"),
    "a rubric without a judge": (("score", "--transcripts", "runs", "--rubric", "x"), 2, "--rubric goes with --judge"),
    "a judge without a key": (("score", "--transcripts", "runs", "--judge", "openai/gpt-4o"), 2, "OPENAI_API_KEY"),
    "a leaderboard of an empty folder": (("leaderboard", "empty"), 3, "there is no run below empty; make one"),
    "a leaderboard of nowhere": (("leaderboard", "nowhere"), 2, "nowhere is not a folder; name the one"),
    "a page into nowhere": (("leaderboard", "runs", "--html", "nowhere/x.html"), 2, "--html nowhere/x.html: No such"),
    "export of nothing": (("export", "empty.jsonl"), 3, "empty.jsonl is empty; the run never began"),
    "export of a binary file": (("export", "binary.json"), 3, "binary.json is not JSON"),
    "export of something else": (("export", "list.json"), 3, "list.json is not a JSON object"),
    "push of an empty folder": (("push", "empty", "--db", "x.db"), 3, "there is no run below empty"),
    "push to no database": (("push", "runs", "--db", "x.db", "--project", "p"), 3, "there is no database"),
    "push without a key": (("push", "runs", "--url", "http://127.0.0.1:9"), 2, "there is no key for http://127.0.0.1:9"),
    "push to two places": (("push", "runs", "--url", "http://x", "--db", "y"), 2, "--url and --db name two stores"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_be_is_one_line_and_nothing_is_written(
    case: str, gnomon: Run, here: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (here / "empty.jsonl").touch()
    (here / "binary.json").write_bytes(bytes(range(256)))
    (here / "list.json").write_text("[1, 2]", encoding="utf-8")
    (here / "hot.json").write_text('{"temperature": 1}', encoding="utf-8")
    (here / "five.json").write_text('{"model_params": 5}', encoding="utf-8")
    before = every_file(here)
    words, code, said = CASES[case]
    assert said in one_line(gnomon("bench", *words), code)
    assert every_file(here) == before
    assert not (here / "new").exists()


def test_runs_are_not_pushed_without_a_project(gnomon: Run, here: Path):
    gnomon("db", "upgrade", "--db", "x.db")
    words = "runs belong to a project; name it with --project"
    assert one_line(gnomon("bench", "push", "runs", "--db", "x.db"), 2) == words
    assert "--project 'a b'" in one_line(gnomon("bench", "push", "runs", "--db", "x.db", "--project", "a b"), 2)
    assert "--dataset ''" in one_line(
        gnomon("bench", "push", "runs", "--db", "x.db", "--project", "p", "--dataset", ""), 2
    )


# --- packages that were touched -----


def change(name: str, old: str, new: str) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return changed


SPOILT: dict[str, tuple[Callable[[Path], Any], str]] = {
    "a reading was changed": (change("heartbeats.json", "153", "154"), "Content hash mismatch: expected 3c6dbf05"),
    "the hash was changed": (
        change("manifest.json", "3c6dbf05", "00000000"),
        "mismatch: expected 00000000",
    ),
    "the persona was changed": (change("persona.md", "friendly", "angry"), "hash"),
    "a file is missing": (lambda folder: (folder / "tools.json").unlink(), "Missing required file: tools.json"),
    "a file is empty": (lambda folder: (folder / "heartbeats.json").write_bytes(b""), "heartbeats.json"),
    "a file is binary": (lambda folder: (folder / "scenario.json").write_bytes(bytes(range(256))), "scenario.json"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_package_that_was_touched_is_neither_whole_nor_run(what: str, gnomon: Run, here: Path):
    spoil, said = SPOILT[what]
    spoil(here / "day")
    assert said in one_line(gnomon("bench", "verify", "day"), 3)
    one_line(gnomon("bench", *RUN), 3)
    assert not (here / "new").exists()


# --- transcripts that are not whole -----


def spoilt_run(here: Path, keep: Callable[[list[bytes]], bytes]) -> Path:
    """The run's transcript with only part of its lines; its score is gone."""
    [file] = here.glob("runs/*/*/run-01/transcript.jsonl")
    file.write_bytes(keep(file.read_bytes().splitlines(keepends=True)))
    (file.parent / "score.json").unlink()
    return file


CUT: dict[str, tuple[Callable[[list[bytes]], bytes], str]] = {
    "before the onset": (lambda lines: b"".join(lines[:3]), "it ends at beat 1, before the onset at beat 4"),
    "in its window": (lambda lines: b"".join(lines[:8]), "it ends at beat 6; the beats that count go on to 9"),
    "in a line": (lambda lines: b"".join(lines[:8])[:-40], "it ends at beat 5; the beats that count go on to 9"),
    "in its header": (lambda lines: lines[0][:40], "is not JSON"),
    "to nothing": (lambda lines: b"", "is empty; the run never began"),
    "in the middle": (lambda lines: b"".join([*lines[:5], b"{oops}\n", *lines[5:]]), "line 6: is not JSON"),
    "into binary": (lambda lines: bytes(range(256)) * 10, "is not JSON"),
}


@pytest.mark.parametrize("where", CUT)
def test_a_transcript_that_was_cut_is_not_scored_and_says_why(where: str, gnomon: Run, here: Path):
    keep, said = CUT[where]
    spoilt_run(here, keep)
    done = gnomon("bench", "score", "--transcripts", "runs")
    assert (done.code, done.err) == (3, "")
    assert "not scored: 1 (" in done.out
    assert said in " ".join(done.out.split())
    board = json.loads(gnomon("bench", "leaderboard", "runs", "--json").out)
    [excluded] = board["excluded_runs"]
    assert said in excluded["reason"]
    [agent] = board["agents"]
    assert (agent["overall_score"], agent["run_count"], agent["n_missing"]) == (None, 0, 1)


def test_one_transcript_that_was_cut_is_shown_as_not_scored(gnomon: Run, here: Path):
    file = spoilt_run(here, CUT["in its window"][0])
    done = gnomon("bench", "score", "--transcript", file)
    assert done.code == 3
    assert "not scored: it ends at beat 6; the beats that count go on to 9" in done.out


def test_a_transcript_of_another_day_is_refused(gnomon: Run, here: Path):
    [file] = here.glob("runs/*/*/run-01/transcript.jsonl")
    write(quiet_day(QUIET), None, here / QUIET)
    said = one_line(gnomon("bench", "score", "--transcript", file, "--scenario", QUIET), 2)
    assert said == f"{file} is a run of {ARREST!r}, and --scenario is {QUIET!r}; name the package that was run"
    assert "--expect is for transcripts of other tools" in one_line(
        gnomon("bench", "score", "--transcript", file, "--expect", file), 2
    )


def test_a_run_on_other_data_of_the_same_name_is_not_scored(gnomon: Run, here: Path):
    shutil.rmtree(here / "day")
    write(quiet_day(ARREST), None, here / "other" / ARREST)
    done = gnomon("bench", "score", "--transcripts", "runs", "--scenarios", "other")
    assert done.code == 3
    assert "it was run on other data: its scenario hash is 3c6dbf05" in done.out


# --- what agents do -----


@pytest.fixture
def play(gnomon: Run, here: Path) -> Callable[..., tuple[Done, Path]]:
    """`play("crashes")`: one run of that agent; what was said, and the run's folder."""
    (here / "odd_agents.py").write_text(AGENTS, encoding="utf-8")

    def played(agent: str, *flags: object) -> tuple[Done, Path]:
        asked = ("--scenario", "day", "--agent", f"python:odd_agents:{agent}", "--runs", 1, "--out", "new")
        done = gnomon("bench", "run", *asked, *flags)
        [folder] = (here / "new").glob("*/*/run-01")
        return done, folder

    return played


Play = Callable[..., tuple[Done, Path]]


def board(gnomon: Run) -> Any:
    return json.loads(gnomon("bench", "leaderboard", "new", "--json").out)


def test_tools_that_do_not_exist_and_wrong_arguments_are_recorded_and_the_day_goes_on(gnomon: Run, play: Play):
    for agent, calls in (("unknown_tool", 1), ("wrong_arguments", 2)):
        done, folder = play(agent)
        assert done.code == 0
        shutil.move(folder.parent.parent, f"done-{agent}")
        transcript = read_transcript(Path(f"done-{agent}", ARREST, "run-01", "transcript.jsonl"))
        assert len(transcript.steps) == 10
        assert transcript.end is not None
        assert transcript.end.status == "ok"
        assert [call.result["status"] for call in transcript.calls()] == ["error"] * 10 * calls
        assert all(call.result["message"] for call in transcript.calls())


def test_memory_keys_do_not_lead_out_of_their_folder(play: Play, here: Path):
    done, folder = play("leaves_its_folder")
    assert done.code == 0
    assert not [path for path in here.parent.rglob("*") if "escaped" in path.name]
    transcript = read_transcript(folder / "transcript.jsonl")
    assert [call.result["status"] for call in transcript.calls()] == ["error"] * 50


def test_an_agent_that_never_stops_calling_is_stopped_beat_by_beat(play: Play):
    done, folder = play("endless", "--max-tool-turns", 2)
    assert done.code == 0
    beats = read_transcript(folder / "transcript.jsonl").steps
    assert {beat.stop_reason for beat in beats} == {"max_turns"}
    assert {len([call for turn in beat.turns for call in turn.tool_calls]) for beat in beats} == {2}
    assert {tuple(beat.truncated_calls or ()) for beat in beats} == {("get_contacts",)}


@pytest.mark.parametrize(
    ("agent", "flags", "said"),
    [
        ("crashes", (), "python:odd_agents:crashes raised RuntimeError: the lamp went out"),
        ("hangs", ("--timeout", 0.2), "python:odd_agents:hangs did not answer within 0.2 s"),
        ("megabytes", (), "the agent answered with 5000000 characters, at most 200000 are taken"),
        ("nonsense", (), "42"),
    ],
)
def test_an_agent_that_fails_is_an_error_with_a_reason_and_never_a_score(
    agent: str, flags: tuple[Any, ...], said: str, gnomon: Run, play: Play
):
    done, folder = play(agent, *flags)
    assert (done.code, done.err) == (3, "")
    assert done.out.startswith("1 run: 1 failed\n")
    assert said in " ".join(done.out.split())
    end = read_transcript(folder / "transcript.jsonl").end
    assert end is not None
    assert (end.status, end.steps) == ("error", 1)
    found = board(gnomon)
    [excluded] = found["excluded_runs"]
    assert said in excluded["reason"]
    assert found["agents"][0]["overall_score"] is None
    assert (folder / "transcript.jsonl").stat().st_size < 100_000
    again, _ = play(agent, *flags, "--resume")
    assert again.out == done.out, "a run that has failed has ended, and stays as it is"


def test_a_budget_without_prices_says_that_it_cannot_hold(play: Play):
    done, _ = play("unknown_tool", "--budget", 1)
    assert done.code == 0
    assert "note: the cost of 10 steps is not known; the budget of 1 USD leaves it out" in done.out


# --- other people's transcripts -----

MESSAGES = [
    {"role": "user", "content": "Book a flight to Oslo."},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "book", "arguments": '{"to": "Oslo"}'}},
    ]},
    {"role": "tool", "tool_call_id": "1", "content": "booked"},
    {"role": "assistant", "content": "It is booked."},
]  # fmt: skip


@pytest.fixture
def messages(here: Path) -> Path:
    file = here / "messages.json"
    file.write_text(json.dumps(MESSAGES), encoding="utf-8")
    return file


@pytest.mark.parametrize(("to", "value"), [("Oslo", 1.0), ("Rome", 0.0)])
def test_a_list_of_messages_is_scored_by_the_calls_that_were_hoped_for(
    to: str, value: float, gnomon: Run, messages: Path
):
    expect = messages.with_name("calls.json")
    expect.write_text(json.dumps([{"name": "book", "args": {"to": to}}]), encoding="utf-8")
    done = gnomon("bench", "score", "--transcript", messages, "--expect", expect)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("messages.json: 1 transcript\n")
    [found] = json.loads(gnomon("bench", "score", "--transcript", messages, "--expect", expect, "--json").out)
    assert found["tool_calls"] == {"state": "scored", "value": value}
    assert not (messages.parent / "score.json").exists()


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ('[{"tool": "book"}]', "--expect calls.json: "),
        ("[", "--expect calls.json: is not JSON"),
        ('"book"', "--expect calls.json: "),
        (None, "--expect calls.json: No such file or directory; name a JSON file with a list of calls"),
    ],
)
def test_hopes_that_cannot_be_read_are_one_line(expected: str | None, said: str, gnomon: Run, messages: Path):
    if expected is not None:
        messages.with_name("calls.json").write_text(expected, encoding="utf-8")
    assert said in one_line(gnomon("bench", "score", "--transcript", messages, "--expect", "calls.json"), 2)


def test_without_hopes_and_without_a_judge_nothing_can_be_said(gnomon: Run, messages: Path):
    said = one_line(gnomon("bench", "score", "--transcript", messages), 2)
    words = f"{messages} carries no scores and no expected tool calls; give --expect FILE, or ask a --judge"
    assert said == words
    said = one_line(gnomon("bench", "score", "--transcript", messages, "--scenario", "day"), 2)
    assert said.endswith("is not a transcript of a scenario, so --scenario does not help; give --expect or --judge")


def test_published_trajectories_are_scored_by_their_own_hopes(gnomon: Run, test_data: Path):
    file = test_data / "bench" / "tau_bench_two_trajectories.json"
    if not file.exists():
        pytest.skip(f"{file} is not there")
    found = json.loads(gnomon("bench", "score", "--transcript", file, "--json").out)
    assert [(one["tool_calls"]["value"], one["reported"]["reward"]) for one in found] == [(0.0, 0.0), (1.0, 1.0)]
    assert "reward 1.0" in gnomon("bench", "score", "--transcript", file).out


def test_logs_with_expected_calls_are_scored_by_them_too(gnomon: Run, test_data: Path, here: Path):
    (here / "calls.json").write_text('[{"name": "anything"}]', encoding="utf-8")
    for file in sorted((test_data / "bench").glob("*.eval")) or pytest.skip("there are no logs of Inspect"):
        assert gnomon("bench", "score", "--transcript", file).code == 0
        done = gnomon("bench", "score", "--transcript", file, "--expect", "calls.json", "--json")
        assert done.code == 0
        assert {one["tool_calls"]["value"] for one in json.loads(done.out)} == {0.0}


def test_a_run_that_failed_is_begun_again_when_that_is_asked_for(
    gnomon: Run, day: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    broken = tmp_path / "later.py"
    asked = ("bench", "run", "--scenario", day, "--agent", f"cmd:{sys.executable} later.py", "--runs", 1)
    asked += ("--out", tmp_path / "runs", "--json")
    assert gnomon(*asked).code == 3
    broken.write_text('import sys\nfor line in sys.stdin: print(\'{"text": "ok"}\', flush=True)\n', encoding="utf-8")
    assert json.loads(gnomon(*asked, "--resume").out)["runs"][0]["state"] == "failed"
    told = json.loads(gnomon(*asked, "--retry-failed").out)
    assert (told["runs"][0]["state"], len(told["notes"])) == ("finished", 1)
    (kept,) = (tmp_path / "runs").glob("*/*/.run-01.failed-1/transcript.jsonl")
    assert '"status":"error"' in kept.read_text("utf-8")
    assert json.loads(gnomon("bench", "leaderboard", tmp_path / "runs", "--json").out)["excluded_runs"] == []
