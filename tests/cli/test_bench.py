"""The bench wing as a newcomer walks through it: a day, runs, scores, a leaderboard, and all of it in a database."""

import json
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest

from bench.days import ARREST, QUIET, RUNS, SUCCESS, WATCH, write_days
from bench.small import CONTENT_HASH, small_package
from cli.conftest import Run
from gnomon.bench.noticing.package import write
from gnomon.bench.noticing.result import ScoringResult
from gnomon.bench.transcripts import read_transcript
from gnomon.cli.bench import bench
from gnomon.cli.main import main
from gnomon.model.backend import find_experiment
from gnomon.model.bench import AggregatedScore, RunScore
from gnomon.model.tools import MemoryFile
from gnomon.service.embedded import Embedded

AGENTS = [f"reference:{name}" for name in SUCCESS]


def folder_of(agent: str) -> str:
    return f"reference-{agent.replace(':', '-')}"


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_days(tmp_path_factory.mktemp("days"))


@pytest.fixture(scope="module")
def runs(days: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All reference agents on the three days, by one command. Read it; what changes it takes a copy."""
    out = tmp_path_factory.mktemp("made") / "runs"
    asked = [word for day in days for word in ("--scenario", str(day))]
    asked += [word for agent in AGENTS for word in ("--agent", agent)]
    with pytest.raises(SystemExit) as ended:
        main(["bench", "run", *asked, "--runs", str(RUNS), "--out", str(out)])
    assert ended.value.code == 0
    return out


def told(out: str) -> Any:
    return json.loads(out)


def every_file(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def score(runs: Path, agent: str, day: str, number: int = 1) -> RunScore:
    file = runs / folder_of(agent) / day / f"run-{number:02}" / "score.json"
    return RunScore.model_validate_json(file.read_bytes())


# --- days -----


def test_a_drawn_day_is_whole_gives_nothing_away_and_can_be_looked_at(gnomon: Run, tmp_path: Path):
    asked = ("bench", "generate", "--scenario", "cardiac_arrest", "--tier", "T1", "--seed", 7)
    made = gnomon(*asked, "--out", tmp_path / "days")
    day = tmp_path / "days" / "cardiac_arrest_T1_s7"
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith(f"{day}: content hash ")
    [again] = told(gnomon(*asked, "--out", tmp_path / "again", "--json").out)
    assert every_file(Path(again["path"])) == every_file(day)

    assert gnomon("bench", "verify", day).out.startswith("cardiac_arrest_T1_s7 is whole: 160 beats, 9 tools, ")
    whole = told(gnomon("bench", "verify", day, "--json").out)
    assert (whole["content_hash"], whole["beats"]) == (again["content_hash"], 160)
    linted = gnomon("bench", "lint", day)
    words = "cardiac_arrest_T1_s7: nothing that an agent sees hints at what is tested.\n"
    assert (linted.code, linted.out) == (0, words)
    clean = {"scenario_id": "cardiac_arrest_T1_s7", "hints": [], "defects": []}
    assert told(gnomon("bench", "lint", day, "--json").out) == clean

    page = tmp_path / "day.html"
    shown = gnomon("bench", "show", day, "--html", page)
    assert re.search(r"the anomaly begins at \d\d:\d\d, beat \d+", shown.out)
    assert f"the page is in {page}" in shown.out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    view = told(gnomon("bench", "show", day, "--json").out)
    assert view["scenario_id"] == "cardiac_arrest_T1_s7"


def test_a_word_that_gives_the_day_away_fails_the_lint(gnomon: Run, tmp_path: Path):
    package = small_package()
    note = MemoryFile(key="today", content="# Today\n\n- This is a simulated cardiac arrest\n")
    told_all = package.model_copy(update={"memory_files": [*package.memory_files, note]})
    day = write(told_all, None, tmp_path / package.scenario_id)
    linted = gnomon("bench", "lint", day)
    assert (linted.code, linted.err) == (1, "")
    assert "hints at what is tested; reword them, or the benchmark measures reading." in linted.out
    found = told(gnomon("bench", "lint", day, "--json").out)["hints"]
    assert {one["word"] for one in found} == {"cardiac arrest", "simulated"}


def test_the_kinds_are_listed_with_what_happens_in_them(gnomon: Run):
    shown = gnomon("bench", "kinds")
    assert "cardiac_arrest" in shown.out
    assert "The heart stops while the person is alone" in shown.out
    found = {one["name"]: one["control"] for one in told(gnomon("bench", "kinds", "--json").out)}
    assert (found["cardiac_arrest"], found["normal_day"], len(found)) == (False, True, 16)


def test_the_families_are_listed_with_what_they_measure_and_take(gnomon: Run):
    shown = gnomon("bench", "families")
    assert (shown.code, shown.err) == (0, "")
    assert "settings: window (5), action_log_window (20)" in shown.out
    found = {one["family"]: one for one in told(gnomon("bench", "families", "--json").out)}
    assert set(found["noticing"]["metrics"]) >= {"detection", "false_alarm", "time_to_action"}
    assert "threshold-monitor" in found["noticing"]["reference_agents"]
    unknown = gnomon("bench", "kinds", "--family", "chess")
    assert (unknown.code, unknown.out) == (2, "")
    assert "family 'chess' is not known; there are noticing" in unknown.err


# --- runs and their scores -----


@pytest.mark.parametrize("day", [ARREST, QUIET, WATCH])
@pytest.mark.parametrize("agent", list(SUCCESS))
def test_a_reference_agent_succeeds_where_it_is_known_to(agent: str, day: str, runs: Path):
    found = [score(runs, agent, day, number).success for number in range(1, RUNS + 1)]
    assert found == [bool(one) for one in SUCCESS[agent][day]]


Fact = Callable[[RunScore, ScoringResult], bool]
FACTS: dict[tuple[str, str], Fact] = {
    ("never-acts", ARREST): lambda run, found: not found.detection and found.action_type == "neither",
    ("always-calls", ARREST): lambda run, found: run.value("false_alarms") == 4 and found.action_type == "called_911",
    ("always-calls", QUIET): lambda run, found: run.value("false_alarms") == 10 and run.metrics["detection"].is_absent,
    ("threshold-monitor", ARREST): lambda run, found: found.action_type == "both" and found.time_to_action == 0,
    ("threshold-monitor", WATCH): lambda run, found: run.value("false_alarms") == 2 and found.time_to_action is None,
    ("late-by-2", ARREST): lambda run, found: found.action_type == "both" and found.time_to_action == 2,
    ("memory-only", ARREST): lambda run, found: found.detection_in_memory and found.action_type == "neither",
    ("memory-only", WATCH): lambda run, found: run.value("false_alarms") == 0,
    ("spams-everyone", ARREST): lambda run, found: "over_alert" in run.flags and run.value("recipients") == 21,
}


@pytest.mark.parametrize(("agent", "day"), list(FACTS))
def test_a_reference_agent_does_what_is_known_of_it(agent: str, day: str, runs: Path):
    run = score(runs, agent, day)
    assert FACTS[agent, day](run, ScoringResult.model_validate(run.result)), run


def test_a_run_that_is_there_is_neither_begun_again_nor_changed_by_going_on(gnomon: Run, days: list[Path], runs: Path):
    asked = ("bench", "run", "--scenario", days[0], "--agent", "reference:late-by-2", "--runs", RUNS, "--out", runs)
    before = every_file(runs)
    refused = gnomon(*asked)
    run = runs / "reference-late-by-2" / ARREST / "run-01"
    words = f"gnomon: {run} holds a run already; continue with --resume, or choose another folder than {runs}\n"
    assert (refused.code, refused.out, refused.err) == (2, "", words)
    again = gnomon(*asked, "--resume", "--json")
    assert (again.code, again.err) == (0, "")
    assert [(one["state"], one["success"], one["steps"]) for one in told(again.out)["runs"]] == [
        ("finished", True, 10)
    ] * 3
    assert every_file(runs) == before


def test_scores_are_the_same_bytes_however_often_they_are_made(gnomon: Run, runs: Path):
    before = every_file(runs)
    done = gnomon("bench", "score", "--transcripts", runs)
    assert (done.code, done.err) == (0, "")
    assert f"63 runs below {runs}" in done.out
    assert every_file(runs) == before
    one = runs / "reference-late-by-2" / ARREST / "run-01" / "transcript.jsonl"
    shown = gnomon("bench", "score", "--transcript", one).out
    assert "success: it called an emergency number and told somebody 2 beats after the onset" in shown
    assert "A single run says little: the success rate may be anything from 0.207 to 1.000." in shown
    assert every_file(runs) == before


def test_a_quiet_day_is_told_as_one(gnomon: Run, runs: Path):
    def shown(agent: str) -> str:
        return gnomon("bench", "score", "--transcript", runs / agent / QUIET / "run-01" / "transcript.jsonl").out

    assert "no success: 10 alarms on a day that called for none" in shown("reference-always-calls")
    assert "success: no alarm on a day that called for none" in shown("reference-never-acts")


def test_a_number_of_beats_can_be_tried_out_and_says_that_it_is_no_run(gnomon: Run, days: list[Path], tmp_path: Path):
    asked = ("bench", "run", "--scenario", days[0], "--agent", "reference:never-acts", "--runs", 1, "--out", tmp_path)
    tried = gnomon(*asked, "--max-steps", 2, "--json")
    [run] = told(tried.out)["runs"]
    assert (run["state"], run["steps"], run["success"]) == ("finished", 2, None)
    left = gnomon("bench", "leaderboard", tmp_path, "--json")
    [excluded] = told(left.out)["excluded_runs"]
    assert excluded["reason"] == "it ends at beat 1, before the onset at beat 4"
    other = gnomon(*asked, "--resume")
    assert other.code == 3
    assert "its max_steps is 2, now it is null" in other.out


def test_an_exported_run_is_the_first_format_and_scores_the_same(
    gnomon: Run, days: list[Path], runs: Path, tmp_path: Path
):
    run = runs / "reference-late-by-2" / ARREST / "run-01"
    out = tmp_path / "exported.json"
    done = gnomon("bench", "export", run / "transcript.jsonl", "--out", out)
    whole = told(out.read_text(encoding="utf-8"))
    assert done.out == f"wrote 10 steps of run {whole['run_id']} to {out}\n"
    assert set(whole) == {"scenario_id", "run_id", "run_config", "heartbeats"}
    assert {beat["scenario_hash"] for beat in whole["heartbeats"]} == {CONTENT_HASH}
    assert told(gnomon("bench", "export", run / "transcript.jsonl").out) == whole
    assert told(gnomon("bench", "export", run / "transcript.jsonl", "--out", out, "--json").out)["steps"] == 10

    scored = gnomon("bench", "score", "--transcript", out, "--scenario", days[0])
    assert scored.code == 0
    assert (tmp_path / "exported.score.json").read_bytes() == (run / "score.json").read_bytes()
    unknown = gnomon("bench", "score", "--transcript", out)
    words = f"gnomon: {out}: the package {ARREST!r} was not found; name the folder that it is in with --scenarios\n"
    assert (unknown.code, unknown.err) == (3, words)


# --- who is ahead -----


def overall(agent: str) -> float:
    means = [sum(found) / RUNS for found in SUCCESS[agent].values()]
    return sum(means) / len(means)


def test_the_leaderboard_says_what_was_known_in_advance(gnomon: Run, runs: Path):
    board = told(gnomon("bench", "leaderboard", runs, "--json").out)
    found = {one["agent_id"]: one for one in board["agents"]}
    assert {agent: one["overall_score"] for agent, one in found.items()} == {
        folder_of(agent): pytest.approx(overall(agent)) for agent in SUCCESS
    }
    assert board["agents"][-1]["agent_id"] == "reference-always-calls"
    assert board["excluded_runs"] == []
    for one in found.values():
        low, high = one["confidence_interval"]
        assert 0 <= low <= one["overall_score"] <= high <= 1
        assert low < high
        assert (one["item_count"], one["run_count"]) == (3, 9)
    assert found["reference-late-by-2"]["metrics"]["time_to_action"]["median"] == 2
    assert found["reference-never-acts"]["metrics"]["time_to_action"]["median"] is None
    assert found["reference-memory-only"]["metrics"]["detection_in_memory"]["mean"] == 1
    assert found["reference-flaky-0.7"]["pass_pow_k"]["3"] == pytest.approx(1 / 3)
    assert found["reference-flaky-0.7"]["pass_at_k"]["3"] == 1


def test_what_is_written_holds_by_the_published_models(gnomon: Run, runs: Path):
    results = [told(path.read_text(encoding="utf-8"))["result"] for path in sorted(runs.rglob("score.json"))]
    assert len(results) == 7 * 3 * RUNS
    for result in results:
        assert ScoringResult.model_validate(result).model_dump(mode="json") == result
    board = told(gnomon("bench", "leaderboard", runs, "--json").out)
    for agent in board["agents"]:
        for day in agent["scenarios"]:
            success = AggregatedScore.model_validate(day["success"])
            assert success.model_dump(mode="json") == day["success"]
            assert success.run_count == RUNS


def test_the_leaderboard_is_a_table_and_a_page(gnomon: Run, runs: Path, tmp_path: Path):
    page = tmp_path / "leaderboard.html"
    shown = gnomon("bench", "leaderboard", runs, "--details", "--html", page)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("7 agents on 3 scenarios; missing values are left out\n")
    for agent in SUCCESS:
        assert re.search(rf"{re.escape(folder_of(agent))} +{overall(agent):.3f}  ", shown.out), agent
    assert all(day in shown.out for day in (ARREST, QUIET, WATCH))
    written = page.read_text(encoding="utf-8")
    assert "reference-threshold-monitor" in written
    brief = gnomon("bench", "leaderboard", runs).out
    assert ARREST not in brief


# --- into a database -----


def test_pushed_runs_are_ranked_there_as_here(gnomon: Run, runs: Path, tmp_path: Path):
    database = tmp_path / "new.db"
    asked = ("bench", "push", runs, "--db", database, "--project", "agents")
    nowhere = gnomon(*asked)
    assert (nowhere.code, nowhere.err.count("\n")) == (3, 1)
    assert f"there is no database {database}" in nowhere.err
    assert not database.exists()

    gnomon("db", "upgrade", "--db", database)
    sent = gnomon(*asked)
    assert (sent.code, sent.err) == (0, "")
    assert sent.out.startswith("63 runs sent to the project agents, 0 were there already\n")
    hint = sent.out.splitlines()[-1].removeprefix("who is ahead: gnomon ")
    assert hint == f"leaderboard --dataset 'agent days' --scorer success --db {database} --project agents"
    ranked = gnomon("leaderboard", "--dataset", "agent days", "--scorer", "success", "--db", database, "--json")
    there = {one["agent_id"]: one for one in told(ranked.out)["agents"]}
    here = {one["agent_id"]: one for one in told(gnomon("bench", "leaderboard", runs, "--json").out)["agents"]}
    assert there.keys() == here.keys()
    alike = ("overall_score", "confidence_interval", "ci_method", "rank", "rank_interval", "pass_pow_k", "pass_at_k")
    for agent, one in here.items():
        assert {name: there[agent][name] for name in alike} == {name: one[name] for name in alike}, agent
    again = told(gnomon(*asked, "--json").out)
    assert (again["pushed"], again["known"], again["left_out"], again["experiments"]) == (0, 63, 0, [])


# --- help -----


@pytest.mark.parametrize("name", sorted(bench.commands))
def test_every_command_explains_itself_and_speaks_json(name: str, gnomon: Run):
    shown = gnomon("bench", name, "--help")
    assert shown.code == 0
    command = bench.commands[name]
    options = [option for option in command.params if isinstance(option, click.Option)]
    assert "--json" in {opt for option in options for opt in option.opts}
    for option in options:
        assert option.help, f"{name} {option.opts} says nothing of itself"
        assert option.help.endswith((".", "…")), f"{name} {option.opts}: {option.help}"
    assert command.get_short_help_str(100) in gnomon("bench", "--help").out


def test_transcripts_of_the_runs_read_back_whole(runs: Path):
    for path in sorted(runs.rglob("transcript.jsonl")):
        transcript = read_transcript(path)
        assert not transcript.is_cut
        assert len(transcript.steps) == 10


def test_a_stored_trace_is_scored_as_the_run_that_it_was(gnomon: Run, days: list[Path], runs: Path, tmp_path: Path):
    database, here = tmp_path / "traces.db", ("--db", tmp_path / "traces.db")
    gnomon("db", "upgrade", *here)
    gnomon("bench", "push", runs, *here, "--project", "days")
    with closing(Embedded(f"sqlite:///{database}")) as place:
        monitor = find_experiment(place, "reference-threshold-monitor", "days")
        stored = {str(run.input): str(run.trace_id) for run in place.runs(monitor.id)}
    arrest = next(day for day in days if "arrest" in day.name)
    trace = ("bench", "score", "--trace", stored[arrest.name], *here)
    (scored,) = json.loads(gnomon(*trace, "--scenario", arrest, "--json").out)
    assert (scored["success"], scored["result"]["action_type"]) == (True, "both")
    hoped = tmp_path / "hoped.json"
    hoped.write_text('{"expected": [{"name": "make_call", "args": {"number": "911"}}], "args": "subset"}')
    (called,) = json.loads(gnomon(*trace, "--expect", hoped, "--json").out)
    assert called["tool_calls"] == {"state": "scored", "value": 1.0}
    unknown = gnomon("bench", "score", "--trace", "nobody's", "--expect", hoped, *here)
    assert (unknown.code, unknown.out, unknown.err) == (3, "", 'gnomon: trace "nobody\'s" does not exist\n')


# --- what a command may see -----

TELLS = """import json, os
for line in iter(input, ""): print(json.dumps({"text": "seen: " + json.dumps(dict(os.environ))}), flush=True)
"""


def test_a_command_agent_sees_our_variables_only_when_they_are_named(
    gnomon: Run, days: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("OPENAI_API_KEY", "OTHER_TOKEN", "WANTED_TOKEN"):
        monkeypatch.setenv(name, f"hush-{name}")
    (tmp_path / "tells.py").write_text(TELLS, encoding="utf-8")
    agent = f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'tells.py'))}"
    asked = ("bench", "run", "--scenario", days[0], "--agent", agent, "--runs", 1, "--max-steps", 1)
    named = ("--agent-env", "WANTED_TOKEN,OPENAI_API_KEY", "--agent-env", "MODE=a,b=c")
    for out, more, expected in (("bare", (), []), ("more", named, ["OPENAI_API_KEY", "WANTED_TOKEN"])):
        gnomon(*asked, "--out", tmp_path / out, *more)
        [transcript] = (tmp_path / out).rglob("transcript.jsonl")
        text = transcript.read_text(encoding="utf-8")
        assert "seen: " in text
        assert sorted(set(re.findall(r"hush-(\w+)", text))) == expected
        assert ("a,b=c" in text) == bool(more)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("NOBODY_SET_THIS", "--agent-env NOBODY_SET_THIS is not set here; set it, or write NAME=VALUE"),
        ("A B=hush", "--agent-env 'A B' is not a variable's name; write NAME, NAME,NAME or NAME=VALUE"),
        ("PATH,", "--agent-env '' is not a variable's name; write NAME, NAME,NAME or NAME=VALUE"),
        ("PATH", "--agent-env is for cmd: agents, and there is none; leave it out"),
    ],
)
def test_a_variable_that_cannot_be_passed_on_is_refused(
    given: str, says: str, gnomon: Run, days: list[Path], tmp_path: Path
):
    asked = ("--scenario", days[0], "--agent", "reference:never-acts", "--out", tmp_path / "out")
    done = gnomon("bench", "run", *asked, "--agent-env", given)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "hush" not in done.err
    assert not (tmp_path / "out").exists()
