"""Files of other tools in `gnomon bench`: shown, scored, ranked and checked by the scores that they carry.

The files follow what each tool publishes of its formats; those that are made here hold our own tiny tasks. Where the
test data are there, real files of Inspect and tau-bench and the published table of tau-bench are read as well.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run

FILES = Path(__file__).parents[1] / "golden" / "foreign"


def tau2(file: Path, model: str, rewards: dict[str, list[float | None]], domain: str = "airline") -> Path:
    """Results of tau2, made from its published schema; a reward of None is a simulation that broke down."""
    simulations = [
        {
            "id": f"{model}-{task}-{trial}", "task_id": task, "trial": trial, "messages": [
                {"role": "user", "content": "Cancel my order, please."},
                {"role": "assistant", "content": None, "tool_calls": [
                    {"id": "c1", "name": "cancel", "arguments": {"order": task}}]},
                {"role": "tool", "id": "c1", "content": "cancelled"},
                {"role": "assistant", "content": "Done."},
            ],
            "termination_reason": "infrastructure_error" if reward is None else "user_stop",
            "reward_info": None if reward is None else {"reward": reward, "reward_breakdown": {"DB": reward}},
        }
        for task, trials in rewards.items() for trial, reward in enumerate(trials)
    ]  # fmt: skip
    tasks = [
        {"id": task, "user_scenario": {"instructions": f"order {task}"}, "evaluation_criteria": {"actions": [
            {"action_id": "a", "requestor": "assistant", "name": "cancel", "arguments": {"order": task}},
            {"action_id": "b", "requestor": "user", "name": "reboot", "arguments": {}}]}}
        for task in rewards
    ]  # fmt: skip
    info = {"agent_info": {"implementation": "llm_agent", "llm": model}, "environment_info": {"domain_name": domain},
            "user_info": {"llm": "u"}, "num_trials": 2}  # fmt: skip
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"timestamp": "2026-01-01T00:00:00", "info": info, "tasks": tasks,
                                "simulations": simulations}))  # fmt: skip
    return file


def terminal_bench(folder: Path, solved: dict[str, bool | None], model: str | None = None) -> Path:
    """A run's folder of Terminal-Bench, made from its published schema: a result per task."""
    results = [
        {
            "trial_name": f"{task}.1-of-1.{folder.name}", "task_id": task, "instruction": f"do {task}",
            "is_resolved": is_solved, "failure_mode": "test_timeout" if is_solved is None else "unset",
            "parser_results": None,
        }
        for task, is_solved in solved.items()
    ]  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps({"id": folder.name, "results": results, "accuracy": 0.5}))
    if model is not None:
        about = {"run_id": folder.name, "agent_name": "terminus", "model_name": model, "dataset_name": "core"}
        (folder / "run_metadata.json").write_text(json.dumps(about))
    return folder


def rows(board: dict[str, Any]) -> dict[str, tuple[float | None, int, int]]:
    return {agent["agent_id"]: (agent["overall_score"], agent["run_count"], agent["n_missing"])
            for agent in board["agents"]}  # fmt: skip


def test_inspect_logs_show_and_rank_the_scores_that_they_carry_and_expect_no_calls(gnomon: Run):
    shown = gnomon("bench", "score", "--transcript", FILES / "inspect" / "capitals.eval")
    assert shown.code == 0, shown.err
    assert "6 transcripts" in shown.out
    assert "of 6 shown" in shown.out
    board = json.loads(gnomon("bench", "leaderboard", FILES / "inspect", "--scorer", "match", "--json").out)
    assert board["scorer_name"] == "match"
    assert all(agent["confidence_interval"] for agent in board["agents"])


def test_real_logs_and_trajectories_are_ranked_each_by_its_score(gnomon: Run, test_data: Path):
    for name, score in (("inspect_choices.eval", "choice"), ("inspect_log_formats.eval", "match")):
        carried = json.loads(gnomon("bench", "show", test_data / "bench" / name, "--json").out)
        assert [found["scorer_name"] for found in carried["scores"]] == [score]
    shown = gnomon("bench", "score", "--transcript", test_data / "bench" / "tau_bench_two_trajectories.json").out
    assert "reward  tau_bench_two_trajectories  2 of 2  0.500" in shown
    assert "pass^k" in shown


def test_runs_without_a_score_are_counted_with_their_reasons(gnomon: Run, tmp_path: Path):
    file = tau2(tmp_path / "a.json", "small", {"0": [1.0, None], "1": [1.0, 0.0], "2": [0.0, 0.0]})
    shown = gnomon("bench", "show", file).out
    assert "1 file of tau2: 3 tasks, 6 runs" in shown
    assert "5 of 6" in shown
    assert ("reward of llm_agent@small: 5 of 6 shown: 1 has no score, because ended by infrastructure_error, without a "
            "reward (1)") in shown  # fmt: skip
    [reward, _] = json.loads(gnomon("bench", "show", file, "--json").out)["scores"]
    [agent] = reward["agents"]
    # Means of tasks: 1, 0.5, 0. All of both trials: only task 0 might, and has one trial.
    assert agent["overall_score"] == 0.5
    assert agent["pass_pow_k"]["1"] == 0.5


def test_trials_of_a_task_give_pass_at_k_and_all_of_k(gnomon: Run, tmp_path: Path):
    first = tau2(tmp_path / "a.json", "small", {"0": [1.0, 1.0], "1": [1.0, 0.0]})
    second = tau2(tmp_path / "b.json", "large", {"0": [1.0, 1.0], "1": [1.0, 1.0]})
    board = json.loads(gnomon("bench", "leaderboard", first, second, "--k", 2, "--json").out)
    by_name = {agent["agent_id"]: agent for agent in board["agents"]}
    assert by_name["llm_agent@small"]["pass_at_k"] == {"1": 0.75, "2": 1.0}
    assert by_name["llm_agent@small"]["pass_pow_k"] == {"1": 0.75, "2": 0.5}
    assert by_name["llm_agent@large"]["pass_pow_k"] == {"1": 1.0, "2": 1.0}


def test_a_domain_of_tau2_does_not_hide_another_whose_tasks_have_the_same_ids(gnomon: Run, tmp_path: Path):
    tau2(tmp_path / "runs" / "a.json", "small", {"0": [1.0], "1": [0.0]})
    tau2(tmp_path / "runs" / "b.json", "small", {"0": [0.0], "1": [0.0]}, domain="retail")
    board = json.loads(gnomon("bench", "leaderboard", tmp_path / "runs", "--json").out)
    assert board["item_count"] == 4
    assert rows(board) == {"llm_agent@small": (0.25, 4, 0)}


def test_transcripts_of_tau2_are_scored_by_the_calls_that_the_agent_should_make(gnomon: Run, tmp_path: Path):
    file = tau2(tmp_path / "a.json", "small", {"0": [1.0], "1": [0.0]})
    scores = json.loads(gnomon("bench", "score", "--transcript", file, "--json").out)
    assert [score["tool_calls"] for score in scores] == [{"state": "scored", "value": 1.0}] * 2
    assert [score["reported"]["reward"] for score in scores] == [1.0, 0.0]


def test_no_calls_is_an_expectation(gnomon: Run, tmp_path: Path):
    record = {"task_id": 3, "trial": 0, "reward": 1.0, "info": {"task": {"instruction": "ask", "actions": []}}}
    call = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "look_up", "arguments": "{}"}}]}
    talks = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "No."}]
    file = tmp_path / "trajectories.json"
    file.write_text(json.dumps([{**record, "traj": talks}, {**record, "trial": 1, "traj": [talks[0], call, talks[1]]}]))
    scores = json.loads(gnomon("bench", "score", "--transcript", file, "--json").out)
    assert [score["tool_calls"]["value"] for score in scores] == [1.0, 0.0]
    expected = tmp_path / "none.json"
    expected.write_text("[]")
    again = json.loads(gnomon("bench", "score", "--transcript", file, "--expect", expected, "--json").out)
    assert [score["tool_calls"]["value"] for score in again] == [1.0, 0.0]


def test_runs_of_terminal_bench_in_several_folders_are_trials_of_their_agent(gnomon: Run, tmp_path: Path):
    tasks = [f"t{number}" for number in range(4)]
    for number, results in enumerate(([True, True, False, None], [True, False, False, True]), 1):
        terminal_bench(tmp_path / "all" / "first-agent" / f"run{number}", dict(zip(tasks, results, strict=True)))
    terminal_bench(tmp_path / "all" / "second-agent" / "run1", dict.fromkeys(tasks, True), model="large")
    board = json.loads(gnomon("bench", "leaderboard", tmp_path / "all", "--missing", "zero", "--json").out)
    assert rows(board) == {"terminus@large": (1.0, 4, 0), "first-agent": (0.5, 7, 1)}
    by_folder = json.loads(gnomon("bench", "leaderboard", tmp_path / "all", "--by-folder", "--json").out)
    assert set(rows(by_folder)) == {"first-agent", "second-agent"}
    shown = gnomon("bench", "score", "--transcripts", tmp_path / "all").out
    assert "resolved of first-agent: 7 of 8 shown: 1 has no score, because no result: test_timeout (1)" in shown


def test_trajectories_take_their_scores_from_the_report_of_swe_bench(gnomon: Run, tmp_path: Path):
    trajectories, report = FILES / "mini-swe-agent", FILES / "swe-bench" / "tiny__agent.first.json"
    alone = json.loads(gnomon("bench", "leaderboard", trajectories, "--json").out)
    assert (alone["scorer_name"], rows(alone)) == ("submitted", {"tiny/agent": (0.666666666667, 3, 0)})
    assert any("give the report of SWE-bench" in note for note in alone["notes"])
    both = json.loads(gnomon("bench", "leaderboard", trajectories, report, "--json").out)
    assert (both["scorer_name"], rows(both)) == ("resolved", {"tiny/agent": (0.333333333333, 3, 1)})


def test_a_trajectory_that_the_report_does_not_name_says_so(gnomon: Run, tmp_path: Path):
    report = tmp_path / "tiny__agent.run.json"
    report.write_text(json.dumps({"total_instances": 1, "resolved_instances": 1, "resolved_ids": ["ours__tiny-1"],
                                  "completed_ids": ["ours__tiny-1"]}))  # fmt: skip
    shown = gnomon("bench", "show", FILES / "mini-swe-agent", report).out
    assert (
        "resolved of tiny/agent: 1 of 3 shown: 2 have no score, because the report of SWE-bench does not name it (2)"
        in shown
    )


@pytest.mark.parametrize("name", ["swe-agent", "mini-swe-agent"])
def test_conversations_of_coding_agents_are_read(name: str, gnomon: Run):
    for file in (FILES / name).rglob("*.traj*"):
        [score] = json.loads(gnomon("bench", "score", "--transcript", file, "--json").out)
        assert score["scenario_id"] == file.name.partition(".")[0]
        assert set(score["reported"]) == {"submitted", "exit_status"}


def test_a_copy_of_a_file_is_no_second_trial(gnomon: Run, tmp_path: Path):
    file = tau2(tmp_path / "runs" / "a.json", "small", {"0": [1.0], "1": [0.0]})
    (tmp_path / "runs" / "b.json").write_bytes(file.read_bytes())
    board = json.loads(gnomon("bench", "leaderboard", tmp_path / "runs", "--json").out)
    assert rows(board) == {"llm_agent@small": (0.5, 2, 0)}
    assert any("b.json is left out: it is a copy of" in note for note in board["notes"])


def test_a_cut_file_in_a_folder_is_told_and_a_cut_file_alone_is_refused(gnomon: Run, tmp_path: Path):
    file = tau2(tmp_path / "runs" / "a.json", "small", {"0": [1.0], "1": [0.0]})
    (tmp_path / "runs" / "cut.json").write_bytes(file.read_bytes()[:-40])
    board = json.loads(gnomon("bench", "leaderboard", tmp_path / "runs", "--json").out)
    assert rows(board) == {"llm_agent@small": (0.5, 2, 0)}
    assert any("cut.json is left out: " in note for note in board["notes"])
    alone = gnomon("bench", "leaderboard", tmp_path / "runs" / "cut.json")
    assert alone.code != 0
    assert alone.err.startswith("gnomon: cut.json")
    assert len(alone.err.splitlines()) == 1


def test_items_are_checked_over_files_of_other_tools_and_over_stored_experiments(gnomon: Run, tmp_path: Path):
    tasks = [f"t{number}" for number in range(6)]
    for agent in range(5):
        terminal_bench(tmp_path / "all" / f"agent{agent}" / "run", {task: at <= agent for at, task in enumerate(tasks)})
    report = json.loads(gnomon("bench", "items", tmp_path / "all", "--json").out)
    assert (report["agent_count"], report["item_count"]) == (5, 6)
    assert (report["never_solved_count"], report["always_solved_count"]) == (1, 1)
    table = tmp_path / "stored.csv"
    table.write_text("id,input,output,match_score\n" + "".join(f"{n},question {n},x,{int(n < 2)}\n" for n in range(4)))
    database = tmp_path / "gnomon.db"
    assert gnomon("import", table, "--project", "p", "--db", database).code == 0
    dataset = json.loads(gnomon("list", "datasets", "--db", database, "--json").out)[0]["name"]
    stored = gnomon("bench", "items", "--dataset", dataset, "--scorer", "match", "--db", database, "--json")
    assert stored.code == 0, stored.err
    items = json.loads(stored.out)["items"]
    assert {item["item"]: item["always_solved"] for item in items} == {f"question {n}": n < 2 for n in range(4)}


@pytest.mark.parametrize(("words", "message"), [
    (["leaderboard", "inspect", "--scorer", "matsch"], "no run has a number of that name; did you mean 'match'?"),
    (["score", "--transcripts", "tau2", "--judge", "openai/x"], "and a judge is asked about one at a time"),
    (["show", "tau2", "--html", "page.html"], "of files of other tools `gnomon bench leaderboard` writes a page"),
    (["leaderboard", "braintrust"], "there is no run below"),
    (["items", "tau2", "table/usual.jsonl", "--dataset", "d"], "--dataset looks at stored experiments"),
    (["items", "--dataset", "d"], "--dataset needs a --scorer"),
])  # fmt: skip
def test_what_cannot_be_done_is_one_line(words: list[str], message: str, gnomon: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(FILES)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    refused = gnomon("bench", *words)
    assert refused.code != 0
    assert message in refused.err
    assert len(refused.err.splitlines()) == 1


def test_the_page_of_a_leaderboard_is_written_for_files_of_other_tools(gnomon: Run, tmp_path: Path):
    file = tau2(tmp_path / "a.json", "small", {"0": [1.0], "1": [0.0], "2": [1.0]})
    page = tmp_path / "board.html"
    assert gnomon("bench", "leaderboard", file, "--html", page).code == 0
    assert "llm_agent@small" in page.read_text(encoding="utf-8")


def test_the_published_table_of_tau_bench_gives_the_published_figures(gnomon: Run, test_data: Path):
    """tau-bench, gpt-4o on airline: pass^1 to pass^4 are 0.420, 0.273, 0.220, 0.200."""
    board = json.loads(gnomon("leaderboard", test_data / "tau_bench_gpt4o_airline_50x4.csv", "--json").out)
    [agent] = board["agents"]
    assert [round(value, 3) for value in agent["pass_pow_k"].values()] == [0.42, 0.273, 0.22, 0.2]


def swe_bench_summary(file: Path, resolved: list[str], unresolved: list[str]) -> Path:
    ids = {"resolved_ids": resolved, "unresolved_ids": unresolved, "completed_ids": [*resolved, *unresolved]}
    file.write_text(
        json.dumps({"total_instances": len(ids["completed_ids"]), "resolved_instances": len(resolved), **ids})
    )
    return file


def test_a_summary_of_swe_bench_is_no_second_trial_of_the_instances_that_it_sums_up(gnomon: Run):
    board = json.loads(gnomon("bench", "leaderboard", FILES / "swe-bench", "--json").out)
    assert rows(board) == {"tiny__agent": (0.333333333333, 3, 1)}
    assert any("tiny__agent.first.json sums up 2 runs whose own reports are there" in note for note in board["notes"])


def test_models_with_dots_in_their_names_are_different_agents(gnomon: Run, tmp_path: Path):
    swe_bench_summary(tmp_path / "claude-3.5-sonnet.run.json", ["a"], ["b"])
    swe_bench_summary(tmp_path / "claude-3.7-sonnet.run.json", ["a", "b"], [])
    board = json.loads(gnomon("bench", "leaderboard", tmp_path, "--json").out)
    assert rows(board) == {"claude-3.5-sonnet": (0.5, 2, 0), "claude-3.7-sonnet": (1.0, 2, 0)}


def rated(file: Path, reward: str) -> Path:
    """A trajectory of tau-bench with this text as its reward."""
    talk = json.dumps({"info": {"task": {"instruction": "x"}}, "traj": [{"role": "user", "content": "hi"}]})[1:-1]
    file.write_text('[{"task_id": 1, "trial": 0, "reward": ' + reward + ", " + talk + "}]")
    return file


def test_a_score_of_which_no_run_has_a_value_says_why(gnomon: Run, tmp_path: Path):
    file = rated(tmp_path / "rated.json", "7")
    why = "reward of rated: 0 of 1 shown: 7 is on a scale that the file does not say"
    assert why in gnomon("bench", "show", file).out
    refused = gnomon("bench", "leaderboard", file)
    assert (refused.code, why in refused.err) == (3, True)
    nothing = gnomon("bench", "leaderboard", rated(tmp_path / "nan.json", "NaN"))
    assert "reward of nan: 0 of 1 shown: the file has no value (1)" in nothing.err


@pytest.mark.parametrize("command", ["show", "leaderboard"])
@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("cut.json", '[{"a": ', "cut.json is not JSON"),
        ("cut.jsonl", '{"a": 1}\n{cut\n', "cut.jsonl, line 2 is not JSON"),
        ("empty.csv", "", "empty.csv is empty"),
        ("plain.eval", "hello", "plain.eval has no known format (inspect, "),
        ("results.csv", "agent,item,value\na,1,1\n", "tables of results: `gnomon leaderboard "),
    ],
)
def test_a_file_of_no_known_format_is_refused_by_what_it_is(
    command: str, name: str, text: str, told: str, gnomon: Run, tmp_path: Path
):
    file = tmp_path / name
    file.write_text(text)
    done = gnomon("bench", command, file)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert told in done.err


def test_a_folder_of_runs_is_no_package_and_a_run_is_no_folder(gnomon: Run, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert gnomon("bench", "examples", "--out", "packages").code == 0
    gnomon(
        "bench", "run", "--scenario", "packages/calendar", "--agent", "reference:oracle", "--runs", 1, "--out", "runs"
    )
    assert "rank them with `gnomon bench leaderboard runs`" in gnomon("bench", "show", "runs").err
    run = next(Path("runs").rglob("transcript.jsonl"))
    assert f"see it with `gnomon bench score --transcript {run}`" in gnomon("bench", "leaderboard", run).err


def test_a_trajectory_without_steps_is_refused_in_one_line(gnomon: Run, tmp_path: Path):
    file = tmp_path / "x__y-1.traj"
    file.write_text('{"trajectory": "none", "info": {}}', encoding="utf-8")
    for command in (["show"], ["leaderboard"], ["items"], ["score", "--transcript"]):
        shown = gnomon("bench", *command, file)
        assert shown.code != 0
        assert "x__y-1.traj: has no list trajectory; name a file as SWE-agent writes it" in shown.err
        assert shown.err.count("\n") == 1
