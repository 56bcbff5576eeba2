"""`gnomon summary`, `compare` and `gate`, over a file and over HTTP."""

import contextlib
import fcntl
import json
import os
import re
import secrets
import struct
import subprocess
import termios
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import preloaded
from cli.conftest import Run, running
from gnomon.cli import show
from gnomon.model.backend import find_experiment
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError
from gnomon.model.metrics import MetricDraft, MetricsDraft
from gnomon.model.score import ScoreDraft
from gnomon.model.stopping import StoppingDraft
from gnomon.model.trace import ProjectDraft
from gnomon.report.gate import Gate
from gnomon.service.embedded import Embedded

# --- what people see -----


def test_a_summary_shows_every_mean_with_its_interval_and_every_gap_with_its_reason(gnomon: Run, demo_db: Path):
    done = gnomon("summary", "answers-v2", "--db", demo_db)
    assert (done.code, done.err) == (0, "")
    told = json.loads(gnomon("summary", "answers-v2", "--db", demo_db, "--json").out)["scores_by_scorer"]["contains"]
    low, high = told["confidence_interval_95"]
    assert f"{told['mean']:.3f}  {low:.3f} to {high:.3f}" in done.out
    assert "├" in done.out
    for reason, count in told["reasons"].items():
        assert f"{count} {reason}" in done.out
    assert "labels friendly" in done.out


def test_a_summary_shows_pass_at_k_of_scores_of_0_and_1_whatever_the_interval_is_called(gnomon: Run, demo_db: Path):
    """Several trials of 0 or 1 per item: what k tries are worth is shown, by every method; not for real scores."""
    for method in ("beta_moments", "cluster_wilson"):
        shown = gnomon("summary", "answers-v2", "--db", demo_db, "--interval", method).out
        assert "contains: pass@4" in shown
        assert "helpfulness: pass@" not in shown


def test_a_comparison_says_in_words_what_is_better_and_by_how_much(gnomon: Run, demo_db: Path):
    done = gnomon("compare", "answers-v1", "answers-v2", "--db", demo_db)
    assert done.code == 0
    told = json.loads(gnomon("compare", "answers-v1", "answers-v2", "--db", demo_db, "--json").out)
    contains = next(one for one in told["scorer_comparisons"] if one["scorer_name"] == "contains")
    low, high = contains["delta_ci_95"]
    assert f"better, by {low:.3f} to {high:.3f}" in done.out
    assert f"items: {contains['improved_count']} better, {contains['regressed_count']} worse" in done.out
    for side, ends in (("base", contains["base_ci_95"]), ("other", contains["compare_ci_95"])):
        assert f"{side} {ends[0]:.3f} to {ends[1]:.3f}" in done.out


def test_the_other_way_round_it_is_worse(gnomon: Run, demo_db: Path):
    assert "worse, by" in gnomon("compare", "answers-v2", "answers-v1", "--db", demo_db).out


def test_an_experiment_does_not_differ_from_itself_which_proves_nothing_about_other_items(gnomon: Run, demo_db: Path):
    with opened(demo_db) as backend:
        id = find_experiment(backend, "answers-v1").id
    out = gnomon("compare", id, id, "--db", demo_db).out
    assert re.search(r"contains: no difference on these \d+ items; over others -0\.\d+ to \+0\.\d+ is possible", out)


def test_piped_tables_have_no_colors_no_trailing_blanks_and_no_broken_lines(gnomon: Run, demo_db: Path):
    out = gnomon("compare", "answers-v1", "answers-v2", "--db", demo_db).out
    assert "\x1b" not in out
    assert all(line == line.rstrip() for line in out.splitlines())
    assert len([line for line in out.splitlines() if line.startswith("contains  ")]) == 1


def test_a_terminal_of_80_columns_shows_whole_tables(demo_db: Path):
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = preloaded.command("-m", "gnomon", "compare", "answers-v1", "answers-v2", "--show", "0", "--db", demo_db)
    with subprocess.Popen(command, stdout=theirs, env={**os.environ, "TERM": "xterm"}) as process:
        os.close(theirs)
        out = b""
        with contextlib.suppress(OSError):  # how Linux says that the other end is closed
            while more := os.read(ours, 65536):
                out += more
    os.close(ours)
    assert process.returncode == 0
    shown = re.sub(r"\x1b\[[0-9;]*m", "", out.decode())
    assert "…" not in shown
    assert re.search(r"^helpfulness .*├.*●.*┤", shown, re.MULTILINE)


# --- gates -----


@pytest.mark.parametrize(
    ("bar", "code"),
    [
        (["--threshold", 0.5], 0),
        (["--threshold", 0.99], 1),
        (["--threshold", 0.99, "--comparison", "lte", "--metric", "mean"], 0),
        (["--threshold", 0.1, "--metric", "pass_pow_k", "--k", 2], 0),
        (["--threshold", 0.1, "--metric", "pass_pow_k", "--k", 99], 4),
        (["--threshold", 0.75], 4),
        (["--threshold", 0.75, "--bound", "point"], 1),
        (["--threshold", 0.75, "--bound", "point", "--min-n", 1000], 4),
        (["--threshold", 0.5, "--sequential"], 0),
        (["--threshold", 0.5, "--metric", "ci_low"], 0),
        (["--threshold", 0.5, "--metric", "pass_at_k"], 2),
        (["--threshold", 0.5, "--metric", "ci_low", "--bound", "ci"], 2),
        (["--threshold", 0.5, "--metric", "pass_at_k", "--k", 1, "--sequential"], 2),
        (["--threshold", 0.5, "--comparison", "lte"], 1),
        (["--threshold", "nan"], 2),
        (["--threshold", 70, "--comparison", "lte"], 2),
        (["--threshold", "high"], 2),
        (["--metric", "median", "--threshold", 0.5], 2),
        ([], 2),
    ],
)
def test_a_gate_ends_with_0_when_cleared_1_when_not_4_when_open_and_2_when_misused(
    gnomon: Run, demo_db: Path, bar, code
):
    done = gnomon("gate", "answers-v2", "--scorer", "contains", *bar, "--db", demo_db)
    assert done.code == code
    if code == 2:
        assert (done.out, done.err.count("\n")) == ("", 1)
    else:
        assert done.out.startswith({0: "passed: ", 1: "FAILED: ", 4: "UNDECIDED: "}[code])
        assert done.out.count("\n") == 1


def test_a_gates_json_is_the_contracts_answer_and_the_exit_code_stays(gnomon: Run, demo_db: Path):
    done = gnomon("gate", "answers-v2", "--scorer", "contains", "--threshold", 0.99, "--db", demo_db, "--json")
    told = json.loads(done.out)
    assert done.code == 1
    assert (told["passed"], told["metric"], told["threshold"], told["comparison"]) == (False, "mean", 0.99, "gte")


def test_a_gate_on_a_misspelt_scorer_is_open_and_names_those_that_there_are(gnomon: Run, demo_db: Path):
    done = gnomon("gate", "answers-v2", "--scorer", "containz", "--threshold", 0.5, "--db", demo_db)
    assert done.code == 4
    assert "did you mean 'contains'?" in done.out
    done = gnomon("gate", "answers-v2", "--scorer", "zzz", "--threshold", 0.5, "--db", demo_db)
    assert "the scorers here are contains, helpfulness, tone" in done.out


def test_a_gate_on_labels_cannot_run(gnomon: Run, demo_db: Path):
    done = gnomon("gate", "answers-v2", "--scorer", "tone", "--threshold", 0.5, "--db", demo_db)
    assert (done.code, done.out) == (3, "")
    assert "labels" in done.err


def test_a_gate_writes_what_build_servers_read(gnomon: Run, demo_db: Path, tmp_path: Path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    here = {"markdown": tmp_path / "gate.md", "junit": tmp_path / "gate.xml"}
    files = [part for name, path in here.items() for part in (f"--{name}", path)]
    for bar, code, mark in ((0.5, 0, ""), (0.99, 1, "failure"), (0.75, 4, "skipped")):
        done = gnomon("gate", "answers-v2", "--scorer", "contains", "--threshold", bar, "--db", demo_db, *files)
        assert done.code == code
        case = ElementTree.parse(here["junit"]).getroot().find(".//testcase")
        assert [child.tag for child in case if child.tag != "system-out"] == ([mark] if mark else [])
        assert "answers-v2" in here["markdown"].read_text()
    assert page.read_text().startswith("before\n")
    assert page.read_text().count("answers-v2") == 3


def test_a_report_that_cannot_be_written_is_one_line(gnomon: Run, demo_db: Path, tmp_path: Path):
    done = gnomon(
        "gate", "answers-v2", "--scorer", "contains", "--threshold", 0.5, "--db", demo_db, "--junit", tmp_path
    )
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert str(tmp_path) in done.err


def test_what_is_missing_can_be_read_in_three_ways(gnomon: Run, demo_db: Path):
    told = {
        missing: json.loads(gnomon("summary", "answers-v2", "--db", demo_db, "--missing", missing, "--json").out)
        for missing in ("drop", "zero", "bracket")
    }
    scorers = {missing: one["scores_by_scorer"]["contains"] for missing, one in told.items()}
    lowest, highest = scorers["drop"]["missing_bracket"]
    assert scorers["zero"]["mean"] == lowest < scorers["drop"]["mean"] == scorers["bracket"]["mean"] < highest
    low, high = scorers["bracket"]["confidence_interval_95"]
    assert low < lowest < highest < high
    for missing, words in (("drop", "left out"), ("zero", "counted as 0"), ("bracket", "anything from 0 to 1")):
        assert words in gnomon("summary", "answers-v2", "--db", demo_db, "--missing", missing).out


# --- gates in words -----


@pytest.mark.parametrize(
    ("gates", "code", "starts"),
    [
        (["contains >= 0.5"], 0, ["passed: contains >= 0.5 (mean 0."]),
        (["contains >= 0.99"], 1, ["FAILED: contains >= 0.99 (mean 0."]),
        (["contains >= 0.75"], 4, ["UNDECIDED: contains >= 0.75 (mean 0."]),
        (["contains.point >= 0.5", "contains.pass_pow_k(2) >= 0.1"], 0, ["passed: ", "passed: contains.pass_pow_k(2)"]),
        (["contains >= 0.75", "contains >= 0.99", "contains >= 0.5"], 1, ["UNDECIDED: ", "FAILED: ", "passed: "]),
        (["tone >= 0.5", "contains >= 0.99"], 3, ["CANNOT BE DECIDED: tone >= 0.5: 'tone' gives labels", "FAILED: "]),
        (["contains not worse than answers-v1"], 0, ["passed: contains not worse than answers-v1 (difference "]),
        (["contains not worse than nobody"], 4, ["UNDECIDED: contains not worse than nobody: experiment 'nobody'"]),
        (["--scorer", "contains", "--against", "answers-v1"], 0, ["passed: contains not worse than answers-v1 ("]),
        (["--scorer", "contains", "--against", "answers-v1", "--margin", 0.9], 0, ["passed: contains not worse than"]),
    ],
)
def test_gates_are_named_in_words_and_end_with_one_code(gnomon: Run, demo_db: Path, gates, code, starts):
    """Spec: 3 beats 1 beats 4 beats 0."""
    done = gnomon("gate", "answers-v2", *gates, "--db", demo_db)
    assert done.code == code
    lines = done.out.splitlines()
    assert [told.startswith(start) for told, start in zip(lines, starts, strict=True)] == [True] * len(starts), lines


@pytest.mark.parametrize(
    ("gates", "words"),
    [
        (["contain >= 0.5"], "did you mean 'contains'?"),
        (["contains >= high"], "'high' is not a number"),
        (["contains >= 0.5", "--scorer", "contains"], "leave out --scorer"),
        (["contains >= 0.5", "--against", "answers-v1", "--missing", "zero"], "leave out --missing, --against"),
        (["--margin", 0.1], "--margin goes with --against"),
        (["--against", "answers-v1", "--scorer", "contain"], "did you mean 'contains'?"),
        (["--against", "answers-v1", "--scorer", "contains", "--threshold", 0.5], "--against goes with --scorer"),
        ([], "name a gate, as in 'exact_match >= 0.8'"),
    ],
)
def test_a_gate_that_cannot_be_read_is_one_line_and_exit_code_2(gnomon: Run, demo_db: Path, gates, words):
    done = gnomon("gate", "answers-v2", *gates, "--db", demo_db)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert words in done.err


def test_gates_in_words_go_into_reports_and_json(gnomon: Run, demo_db: Path, tmp_path: Path):
    page, suite = tmp_path / "gate.md", tmp_path / "gate.xml"
    texts = ["contains >= 0.5", "contains not worse than answers-v1 by 0.9", "tone >= 0.5"]
    done = gnomon("gate", "answers-v2", *texts, "--db", demo_db, "--markdown", page, "--junit", suite, "--json")
    told = json.loads(done.out)
    assert (done.code, told["exit_code"]) == (3, 3)
    assert [(one["text"], one["decision"]) for one in told["results"]] == [
        (texts[0], "pass"), (texts[1], "pass"), (texts[2], "cannot"),
    ]  # fmt: skip
    assert page.read_text().startswith("### answers-v2: ! cannot be decided\n")
    assert "**Gates**: 2 passed, 1 impossible to decide.\n" in page.read_text()
    assert "**Compared with answers-v1**" in page.read_text()
    assert "| not worse than answers-v1 by 0.9 |" in page.read_text()
    root = ElementTree.parse(suite).getroot()
    assert (root.get("tests"), root.get("errors"), root.get("failures")) == ("3", "1", "0")


def test_where_every_run_failed_a_gate_by_flags_cannot_be_decided_either(gnomon: Run, demo_db: Path):
    """Spec: all runs, or all scores of a gated scorer, failed: 3."""
    with opened(demo_db) as backend:
        broken = another(backend, "broken", runs=0)
        dataset = backend.experiment(broken).dataset_id
        error = RunError(message="no route")
        items = [item.id for item in backend.items(dataset)]
        backend.add_runs(broken, [RunDraft(dataset_item_id=item, error=error) for item in items])
    flags, words = ["--scorer", "contains", "--threshold", 0.5], ["contains >= 0.5"]
    for gate in (flags, words):
        done = gnomon("gate", "broken", *gate, "--db", demo_db)
        assert (done.code, "all 3 runs failed" in done.out) == (3, True)


def test_a_summary_shows_why_it_stopped_and_metrics(gnomon: Run, demo_db: Path):
    with opened(demo_db) as backend:
        made = another(backend, "early")
        run = next(iter(backend.runs(made)))
        backend.add_score(ScoreDraft(target_id=run.id, target_type="run", scorer_name="s", value=1.0))
        backend.set_metrics(made, MetricsDraft(metrics={
            "bleu": MetricDraft(value=27.25, confidence_interval_95=(25.5, 30.0), n=1200),
            "ece": MetricDraft(reason="no confidence was given"),
        }))  # fmt: skip
        backend.complete(made, StoppingDraft(
            scorer_name="s", kind="gate", text="s >= 0.5", outcome="cannot_be_decided", items=1, max_items=3
        ))  # fmt: skip
    shown = " ".join(gnomon("summary", "early", "--db", demo_db).out.split())
    assert "stopped early: s >= 0.5: cannot be decided after 1 of 3 items" in shown
    assert "bleu 27.25 25.5 to 30 1,200" in shown
    assert "ece – – – no confidence was given" in shown
    assert "s: stopped early, so the interval is one that holds at every look" in shown


def test_a_gate_is_remembered_by_the_experiment(gnomon: Run, demo_db: Path):
    gnomon("gate", "answers-v1", "--scorer", "contains", "--threshold", 0.25, "--db", demo_db)
    told = json.loads(gnomon("summary", "answers-v1", "--db", demo_db, "--json").out)
    assert told["threshold_result"]["threshold"] == 0.25


# --- where things are -----


@pytest.fixture
def served(demo_db: Path) -> Iterator[tuple[str, ...]]:
    """The flags that reach a server on the demo's database."""
    with running("serve", "--db", str(demo_db), GNOMON_ADMIN_KEY="admin-key") as server:
        yield ("--url", server.url, "--key", "admin-key")


def test_a_server_and_a_file_give_the_same_answers(gnomon: Run, demo_db: Path, served):
    for command in (
        ["summary", "answers-v2", "--project", "support-demo"],
        ["summary", "answers-v1"],
        ["compare", "answers-v1", "answers-v2"],
        ["compare", "answers-v1", "answers-v2", "--min-effect", 0.5, "--json"],
        ["gate", "answers-v2", "--scorer", "contains", "--threshold", 0.5, "--json"],
        ["gate", "answers-v2", "--scorer", "nobody", "--threshold", 0.5],
    ):
        here, there = gnomon(*command, "--db", demo_db), gnomon(*command, *served)
        assert (here.code, here.err) == (there.code, there.err)
        assert here.out
        if "--json" in command:
            told = json.loads(there.out)
            url = told.pop("url")
            assert told == json.loads(here.out)
        else:
            assert there.out.startswith(here.out)
            url = there.out[len(here.out) :].strip()
        assert url.startswith(
            f"{served[1]}/projects/support-demo/{'compare' if 'compare' in command else 'experiments'}/"
        )
        assert "/projects/" not in here.out


def test_a_pages_address_names_the_experiments_by_id(gnomon: Run, demo_db: Path, served):
    with Embedded(f"sqlite:///{demo_db}") as here:
        ids = {row.name: row.id for row in here.experiments("support-demo")}
    base, other = ids["answers-v1"], ids["answers-v2"]
    pages = f"{served[1]}/projects/support-demo"
    assert gnomon("summary", "answers-v2", *served).out.splitlines()[-1] == f"{pages}/experiments/{other}"
    assert (
        gnomon("compare", "answers-v1", "answers-v2", *served).out.splitlines()[-1] == f"{pages}/compare/{base}/{other}"
    )
    gates = gnomon("gate", "answers-v2", "contains >= 0.5", "contains >= 0.6", *served)
    assert gates.out.splitlines()[-1] == f"{pages}/experiments/{other}"
    told = json.loads(gnomon("gate", "answers-v2", "contains >= 0.5", "--json", *served).out)
    assert told["url"] == f"{pages}/experiments/{other}"


def test_a_server_is_found_through_the_environment_and_a_file_named_by_flag_comes_first(
    gnomon: Run, demo_db: Path, served, monkeypatch
):
    monkeypatch.setenv("GNOMON_URL", served[1])
    monkeypatch.setenv("GNOMON_API_KEY", "admin-key")
    assert gnomon("summary", "answers-v1").code == 0
    monkeypatch.setenv("GNOMON_API_KEY", "wrong")
    assert "not valid" in gnomon("summary", "answers-v1").err
    assert gnomon("summary", "answers-v1", "--db", demo_db).code == 0


@contextlib.contextmanager
def opened(demo_db: Path) -> Iterator[Embedded]:
    with Embedded(f"sqlite:///{demo_db}") as backend:
        yield backend


def another(backend: Embedded, name: str, project: str = "support-demo", runs: int = 1, **fields: Any) -> str:
    """One more experiment, over a dataset of three items."""
    dataset = backend.create_dataset(DatasetDraft(project_id=project, name=secrets.token_hex(4)))
    items = backend.sync_items(dataset.id, [ItemDraft(input=n) for n in range(3)]).item_ids
    draft = ExperimentDraft(project_id=project, name=name, dataset_id=dataset.id, trials=2, **fields)
    made = backend.create_experiment(draft).id
    if runs:
        backend.add_runs(made, [RunDraft(dataset_item_id=items[0], output="x", trial=trial) for trial in range(runs)])
    return made


def test_a_name_that_several_projects_have_needs_its_project(gnomon: Run, demo_db: Path):
    gnomon("key", "create", "--role", "read", "--project", "another", "--db", demo_db)
    assert gnomon("summary", "answers-v1", "--db", demo_db).code == 0
    with opened(demo_db) as backend:
        another(backend, "answers-v1", "another")
    done = gnomon("summary", "answers-v1", "--db", demo_db)
    assert done.code == 3
    assert "(another, support-demo)" in done.err
    assert gnomon("summary", "answers-v1", "--project", "support-demo", "--db", demo_db).code == 0


def test_among_very_many_projects_a_name_needs_its_project(gnomon: Run, demo_db: Path):
    with opened(demo_db) as backend:
        for number in range(50):
            backend.create_project(ProjectDraft(id=f"p{number}"))
    done = gnomon("summary", "answers-v1", "--db", demo_db)
    assert (done.code, "name its project with --project" in done.err) == (2, True)
    assert gnomon("summary", "answers-v1", "--project", "support-demo", "--db", demo_db).code == 0


def test_a_summary_says_how_many_runs_are_missing_and_that_the_dataset_moved_on(gnomon: Run, demo_db: Path):
    with opened(demo_db) as backend:
        made = another(backend, "half", runs=2)
        assert "half (running): 2 of 6 runs; 3 items × 2 trials\n" in gnomon("summary", "half", "--db", demo_db).out
        backend.add_item(backend.experiment(made).dataset_id, ItemDraft(input="new"))
    shown = gnomon("summary", "half", "--db", demo_db).out
    assert "2 of 6 runs; 3 items × 2 trials (the dataset has 4 now)\n" in shown
    assert " of " not in gnomon("summary", "answers-v2", "--db", demo_db).out.splitlines()[0]


def test_a_name_is_the_newest_with_runs_and_at_chooses_another(gnomon: Run, demo_db: Path):
    commit = {"gnomon": {"git": {"commit": "1a2b3c4d" * 5}}}
    with opened(demo_db) as backend:
        first = another(backend, "nightly", metadata=commit)
        second = another(backend, "nightly")
        another(backend, "nightly", runs=0)

    def asked(*arguments: str) -> str:
        shown = gnomon("summary", "nightly", *arguments, "--db", demo_db, "--json").out
        return str(json.loads(shown)["experiment_id"])

    assert asked() == second
    assert asked("--at", "~1") == asked("--at", "1a2b3c4") == first
    gate = gnomon("gate", "nightly", "--at", "~2", "--scorer", "s", "--threshold", 0.5, "--db", demo_db)
    assert (gate.code, "2 experiments named 'nightly' have runs" in gate.err) == (3, True)
    done = gnomon("summary", "nightly", "--at", "yesterday", "--db", demo_db)
    assert (done.code, "at 'yesterday' is neither ~1" in done.err) == (2, True)


def test_a_name_is_compared_with_the_one_before(gnomon: Run, demo_db: Path):
    with opened(demo_db) as backend:
        old = find_experiment(backend, "answers-v1")
        draft = ExperimentDraft(project_id="support-demo", name="answers-v1", dataset_id=old.dataset_id)
        new = backend.create_experiment(draft).id
        item = next(backend.items(old.dataset_id)).id
        backend.add_runs(new, [RunDraft(dataset_item_id=item, output="x")])
    told = json.loads(gnomon("compare", "answers-v1", "answers-v1", "--at", "~1", "--db", demo_db, "--json").out)
    assert (told["base_experiment_id"], told["compare_experiment_id"]) == (old.id, new)
    plain = json.loads(gnomon("compare", "answers-v1", "answers-v1", "--db", demo_db, "--json").out)
    assert plain == told, "its own name means the newest other one"
    shown = gnomon("compare", "answers-v1", "answers-v1", "--at", "~1", "--db", demo_db).out
    assert shown.startswith("answers-v1 at ~1 → answers-v1\n")
    assert gnomon("plan", "--effect", 0.1, "--at", "~1", "--db", demo_db).code == 2
    planned = ["plan", "--effect", 0.1, "--from", "answers-v1", "--scorer", "contains", "--db", demo_db]
    assert gnomon(*planned, "--at", "~1").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["summary"], 2, "EXPERIMENT"),
        (["summary", "x", "--url", "localhost:1", "--key", "k"], 2, "write it like http"),
        (["summary", "x", "--url", "http://127.0.0.1:1"], 2, "GNOMON_API_KEY"),
        (["summary", "x", "--url", "http://127.0.0.1:1", "--db", "y"], 2, "give one of them"),
        (["summary", "x", "--db", "/nowhere/x.db"], 3, "there is no database /nowhere/x.db"),
        (["summary", "x"], 3, "gnomon serve"),
        (["compare", "x"], 2, "name two experiments, or a file that has two"),
        (["compare", "x", "y", "--min-effect", "2"], 2, "--min-effect"),
    ],
)
def test_what_cannot_be_done_is_one_line(gnomon: Run, arguments, code, words):
    done = gnomon(*arguments)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert words in done.err


def test_after_the_demo_it_is_told_which_database_to_name(gnomon: Run, home: Path, demo_db: Path):
    home.mkdir()
    demo_db.rename(home / "demo.db")
    done = gnomon("summary", "answers-v2")
    assert done.code == 3
    assert done.err == f"gnomon: there is no database {home / 'gnomon.db'}; --db {home / 'demo.db'} is the demo's\n"


def test_an_experiment_that_does_not_exist_is_one_line(gnomon: Run, demo_db: Path):
    done = gnomon("summary", "answers-v3", "--db", demo_db)
    assert (done.code, done.out) == (3, "")
    assert done.err == "gnomon: experiment 'answers-v3' does not exist; did you mean 'answers-v2'?\n"


def test_a_file_that_is_no_database_is_one_line_and_stays_as_it_is(gnomon: Run, tmp_path: Path):
    file = tmp_path / "letter.db"
    file.write_text("Dear reader, this is not a database.\n" * 100)
    before = file.read_bytes()
    done = gnomon("summary", "x", "--db", file)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "not a database" in done.err
    assert file.read_bytes() == before


def test_names_cannot_move_the_cursor(capfd):
    show.decision(Gate(
        experiment="name\nwith\tbreaks\x07", scorer_name="evil\x1b[2J", metric="mean", k=None, comparison="gte",
        threshold=0.5, actual_value=0.9, interval=(0.8, 0.95), bound="ci", decision="pass", reason=None, n=9, min_n=5,
    ))  # fmt: skip
    out = capfd.readouterr().out
    assert out.startswith("passed: name with breaks\ufffd, evil\ufffd[2J mean 0.900")
    assert out.count("\n") == 1
