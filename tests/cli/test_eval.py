"""`gnomon eval`: suites in YAML and Python, what they print, write and store, and how they end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import yaml

import gnomon as gn
from cli.conftest import Run
from conftest import Server
from contract.caller import fresh_project
from gnomon.model.suite import suite_schema
from gnomon.sdk.connection import connection
from gnomon.testing import LoopbackModel


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with data of 40 items, a task that is right about three quarters of them, and it is the current one."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    items = [{"id": f"n{n}", "input": str(n), "expected_output": str(n), "parity": ["even", "odd"][n % 2]}
             for n in range(40)]  # fmt: skip
    (folder / "numbers.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    (folder / "app.py").write_text(
        "def answer(input):\n    return 'wrong' if int(input) % 4 == 0 else input\n\n"
        "def broken(input):\n    raise ValueError('no ' + input)\n\n"
        "def brief(output):\n    return len(output) < 5\n\nLIMIT = 3\n"
    )
    return folder


def suite(folder: Path, file: str = "suite.yaml", **changed: Any) -> Path:
    """A suite that passes; None removes a key."""
    keys = {
        "name": "numbers", "data": "numbers.jsonl", "task": "app.py:answer", "scorers": ["exact_match"],
        "gates": ["exact_match.point >= 0.7"],
    }  # fmt: skip
    given = {key: value for key, value in (keys | changed).items() if value is not None}
    (folder / file).write_text(yaml.safe_dump(given, sort_keys=False))
    return folder / file


def stored_experiments() -> list[Any]:
    place = connection()
    return list(place.backend.experiments(place.project_id))


def test_a_suite_is_run_stored_and_gated(folder: Path, gnomon: Run) -> None:
    done = gnomon("eval", suite(folder), "--quiet")
    assert done.code == 0, done.err
    assert "numbers (completed): 40 runs; 40 items" in done.out
    assert "passed: exact_match.point >= 0.7 (mean 0.750" in done.out
    result = gn.experiment("numbers")
    origin = result.experiment.metadata["gnomon"]
    assert (origin["suite"], origin["version"]) == ("numbers", gn.__version__)
    assert next(result.runs).trace_id is not None


@pytest.mark.parametrize(
    ("gates", "code", "words"),
    [
        (["exact_match.point >= 0.9"], 1, "FAILED: exact_match.point >= 0.9"),
        (["exact_match >= 0.75"], 4, "UNDECIDED: exact_match >= 0.75"),
        (["exact_match >= 0.75", "exact_match.point >= 0.9"], 1, "UNDECIDED"),
        (["exact_match.point >= 0.7", "exact_match >= 0.75"], 4, "passed"),
        (["exact_match not worse than main by 0.02"], 4, "(evaluate it first, or name another one)"),
        (None, 0, "40 runs"),
    ],
)
def test_gates_decide_the_exit_code(folder: Path, gnomon: Run, gates: list[str] | None, code: int, words: str) -> None:
    done = gnomon("eval", suite(folder, gates=gates), "--quiet")
    assert done.code == code
    assert words in done.out


@pytest.mark.parametrize("gates", [["exact_match >= 0.7"], None])
def test_when_every_run_failed_nothing_can_be_decided(folder: Path, gnomon: Run, gates: list[str] | None) -> None:
    done = gnomon("eval", suite(folder, task="app.py:broken", gates=gates), "--quiet")
    assert done.code == 3
    assert "40 runs failed with ValueError: no " in done.out
    assert "all 40 runs failed" in done.out


def test_a_folder_is_run_file_by_file_and_the_worst_counts(folder: Path, gnomon: Run) -> None:
    suite(folder, "a.yaml", name="a")
    suite(folder, "b.yaml", name="b", gates=["exact_match.point >= 0.9"])
    suite(folder, "c.yaml", name="c", data="gone.jsonl")
    (folder / "d_eval.py").write_text(
        "import gnomon as gn\n"
        "d = gn.Eval(task=lambda input: input, data='numbers.jsonl', scorers=[gn.exact_match()],\n"
        "            gates=['exact_match >= 0.8'])\n"
    )
    (folder / "compose.yaml").write_text("services: {}\n")
    done = gnomon("eval", folder, "--quiet", "--json")
    told = json.loads(done.out)
    assert (done.code, told["exit_code"]) == (3, 3)
    problems = {one["name"]: one["problem"] for one in told["evaluations"]}
    assert list(problems) == ["a", "b", "c", "d"]
    assert "gone.jsonl, which does not exist" in problems["c"]
    assert [one["gates"][0]["decision"] for one in told["evaluations"] if one["gates"]] == ["pass", "fail", "pass"]
    assert "skipped" in done.err
    assert "compose.yaml: it has no task" in done.err


def test_python_files_have_any_number_of_evaluations(folder: Path, gnomon: Run) -> None:
    (folder / "evals.py").write_text(
        "import gnomon as gn\nfrom app import answer\n"
        "first = gn.Eval(task=answer, data='numbers.jsonl', scorers=[gn.exact_match()], trials=2)\n"
        "second = gn.Eval('another', task=str.upper, data=[{'input': 'a', 'expected_output': 'A'}],\n"
        "                 scorers=[gn.exact_match()], gates=['exact_match.point >= 1'])\n"
        "again = second\n"
    )
    done = gnomon("eval", "evals.py", "--quiet")
    assert done.code == 0, done.err
    assert gn.experiment("first").summary.run_count == 80
    assert gn.experiment("another").summary.run_count == 1


def test_tasks_may_be_commands_and_models(folder: Path, gnomon: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    done = gnomon("eval", suite(folder, task={"command": ["cat"]}), "--quiet")
    assert "passed: exact_match.point >= 0.7 (mean 1.000" in done.out
    with LoopbackModel(lambda asked: "7") as model:
        for name, value in model.environment().items():
            monkeypatch.setenv(name, value)
        task = {"model": "openai/small", "prompt": "Say {{input}}."}
        done = gnomon("eval", suite(folder, task=task, gates=["exact_match.max >= 1"]), "--quiet", "--limit", 8)
    assert done.code == 0, done.out + done.err


def test_judges_of_a_suite_are_asked_and_cost_is_expected_from_then_on(
    folder: Path, gnomon: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = {"llm_judge": {"name": "good", "model": "openai/judge", "prompt": "Is {{output}} fine for {{input}}?"}}
    path = suite(folder, scorers=[judge], gates=["good.point >= 0.9"])
    with LoopbackModel(lambda asked: "1") as model:
        for name, value in model.environment().items():
            monkeypatch.setenv(name, value)
        done = gnomon("eval", path, "--quiet", "--limit", 6)
        assert done.code == 0, done.out + done.err
        assert "scored" in gnomon("eval", path, "--quiet", "--rescore").out
        assert model.calls == 6
        preview = gnomon("eval", path, "--dry-run").out
    assert "model calls by Gnomon: 40 of openai/judge" in preview
    assert "expected cost: not known, since a price is missing" in preview


def test_scorers_take_settings_and_may_be_functions(folder: Path, gnomon: Run) -> None:
    scorers = [{"regex": {"pattern": r"^\d+$", "name": "digits"}}, "app.py:brief", {"app.py:brief": {"name": "brief2"}}]
    done = gnomon("eval", suite(folder, scorers=scorers, gates=["digits.point >= 0.7"]), "--quiet")
    assert done.code == 0, done.err
    assert set(gn.experiment("numbers").summary.scores_by_scorer) == {"digits", "brief", "brief2"}


def test_some_items_are_run_and_the_dataset_keeps_all(folder: Path, gnomon: Run) -> None:
    path = suite(folder, gates=None)
    assert gnomon("eval", path, "--quiet", "--limit", 3, "--filter", "parity=odd").code == 0
    result = gn.experiment("numbers")
    assert sorted(run.input for run in result.runs) == ["1", "3", "5"]  # in the order in which they ended
    assert result.summary.dataset_item_count == 40
    assert result.experiment.metadata["gnomon"]["selection"] == {"limit": 3, "filters": ["metadata.parity=odd"]}
    assert gnomon("eval", path, "--quiet", "--filter", "input~3", "--filter", "id!=n3").code == 0
    assert sorted(run.input for run in gn.experiment("numbers").runs) == sorted(
        [str(n) for n in range(40) if "3" in str(n) and n != 3]
    )


def test_options_change_a_run_and_a_name_too(folder: Path, gnomon: Run) -> None:
    assert gnomon("eval", suite(folder), "--quiet", "--name", "trial", "--trials", 2, "--concurrency", 3).code == 0
    experiment = gn.experiment("trial").experiment
    assert (experiment.trials, experiment.run_count) == (2, 80)


def test_an_unfinished_experiment_is_continued_only_when_asked(folder: Path, gnomon: Run) -> None:
    (folder / "slow.py").write_text(
        "import signal, time\nfrom pathlib import Path\n\nHERE = Path(__file__).parent\n"
        "stop = signal.getsignal(signal.SIGINT)\n\n"
        "def stopping(*signalled):\n    (HERE / 'go').touch()\n    stop(*signalled)\n\n"
        "signal.signal(signal.SIGINT, stopping)  # the task goes on once the program knows that it is to stop\n\n"
        "def answer(input):\n"
        "    if input == '20':\n"
        "        (HERE / 'reached').touch()\n"
        "        while not (HERE / 'go').exists():\n            time.sleep(0.2)\n"
        "    return input\n"
    )
    path = suite(folder, task="slow.py:answer", concurrency=1)
    command = [sys.executable, "-m", "gnomon", "eval", str(path), "--quiet"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ)
    while not (folder / "reached").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=600)
    assert process.returncode == 3
    assert said.endswith("of 40 runs of 'numbers' are stored; --resume goes on\n")
    unfinished = gn.experiment("numbers").experiment
    assert 20 <= unfinished.run_count < 40
    assert gnomon("eval", path, "--quiet", "--resume").code == 0
    assert gn.experiment("numbers").id == unfinished.id
    assert gn.experiment("numbers").experiment.run_count == 40
    assert gnomon("eval", path, "--quiet").code == 0
    assert gn.experiment("numbers").id != unfinished.id


def test_stored_outputs_are_scored_again_without_running(folder: Path, gnomon: Run) -> None:
    gnomon("eval", suite(folder), "--quiet")
    path = suite(folder, task="app.py:broken", scorers=["exact_match", "similarity"], gates=["similarity.max >= 1"])
    done = gnomon("eval", path, "--quiet", "--rescore")
    assert done.code == 0, done.err
    result = gn.experiment("numbers")
    assert result.summary.failed_run_count == 0
    assert set(result.summary.scores_by_scorer) == {"exact_match", "similarity"}


def test_a_dry_run_says_what_would_run_and_stores_nothing(
    folder: Path, gnomon: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    judge = {"llm_judge": {"name": "good", "model": "openai/judge", "prompt": "{{input}} {{output}}", "samples": 2}}
    path = suite(folder, scorers=["exact_match", judge], trials=3, against="git:main")
    done = gnomon("eval", path, "--dry-run", "--limit", 10)
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        f"numbers ({path})",
        "  data: 10 of 40 items of numbers × 3 trials = 30 runs",
        "  task: answer",
        "  scorers: exact_match, good",
        "  model calls by Gnomon: 60 of openai/judge",
        "  expected cost: not known, since no earlier experiment tells it",
        "  gates: exact_match.point >= 0.7",
        "  against: git:main",
        "  note: other columns are kept in each item's metadata: parity",
    ]
    told = json.loads(gnomon("eval", path, "--dry-run", "--json").out)
    assert told[0]["calls_by_model"] == {"openai/judge": 240}
    assert not stored_experiments()


def test_reports_are_written_for_people_build_servers_and_browsers(folder: Path, gnomon: Run) -> None:
    gnomon("eval", suite(folder, gates=None), "--quiet")
    path = suite(folder, task="app.py:broken_half", against="numbers", gates=["exact_match.point >= 0.7"])
    with (folder / "app.py").open("a") as file:
        file.write("\n\ndef broken_half(input):\n    return 'it is `wrong`' if int(input) % 2 else input\n")
    done = gnomon("eval", path, "--quiet", "--markdown", "pr.md", "--junit", "junit.xml", "--html", "page.html")
    assert done.code == 1
    comment = (folder / "pr.md").read_text()
    assert comment.startswith("### numbers: ✗ failed\n")
    assert "**Worse**: exact_match 0.750 → 0.500" in comment or "**Cannot be told**: exact_match" in comment
    assert comment.count("#### exact_match 1.000 → 0.000") == 5
    assert "output:\n-1\n+it is `wrong`\n" in comment
    cases = ElementTree.parse(folder / "junit.xml").getroot()
    assert [case.get("name") for case in cases] == [
        "exact_match mean >= 0.7", "exact_match difference not worse than numbers",
    ]  # fmt: skip
    assert cases.get("failures") == "1" or cases.get("failures") == "2"
    assert "<!doctype html>" in (folder / "page.html").read_text()


def test_a_github_job_gets_the_comment_on_its_page(folder: Path, gnomon: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    gnomon("eval", suite(folder), "--quiet")
    assert (folder / "summary.md").read_text().startswith("### numbers: ✓ passed")


def test_hostile_outputs_cannot_leave_their_code_block(folder: Path, gnomon: Run) -> None:
    (folder / "evil.py").write_text(
        "def good(input):\n    return input\n\n"
        "def evil(input):\n    return '```\\n</details>\\n# @everyone <img src=x onerror=alert(1)> \\x1b[31m\\u202e'\n"
    )
    gnomon("eval", suite(folder, task="evil.py:good", gates=None), "--quiet")
    path = suite(folder, task="evil.py:evil", gates=None, against="numbers")
    assert gnomon("eval", path, "--quiet", "--markdown", "pr.md").code == 1
    outside, inside = [], False
    for line in (folder / "pr.md").read_text().splitlines():
        if line.startswith("````"):
            inside = not inside
        elif not inside:
            outside.append(line)
    assert not any("@everyone" in line or "<img" in line for line in outside)
    assert outside.count("</details>") == 1
    assert "\x1b" not in (folder / "pr.md").read_text()


def test_the_schema_is_printed_and_takes_the_suites_that_run(folder: Path, gnomon: Run) -> None:
    done = gnomon("eval", "--schema")
    assert json.loads(done.out) == suite_schema()
    jsonschema.Draft202012Validator.check_schema(suite_schema())
    validator = jsonschema.Draft202012Validator(suite_schema())
    validator.validate(yaml.safe_load(suite(folder).read_text()))
    assert not validator.is_valid({"data": "x.jsonl", "task": "a:b", "scorer": []})
    assert not validator.is_valid({"data": "x.jsonl", "task": {"http": "http://x", "model": 1}})


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "numbers.jsonl",
            None,
            ["input is the column 'input'", "scored by numeric, since expected outputs are numbers"],
        ),
        (
            "qa.csv",
            "Question,Answer,topic\nCapital of France?,Paris,geo\n",
            ["input is the column 'Question'", "expected_output is the column 'Answer'", "scored by exact_match"],
        ),
        ("essays.csv", "prompt,reference\nWrite,%s\n" % ("word " * 30), ["scored by f1"]),
        ("bare.csv", "text\nhello\n", ["there are no expected outputs"]),
    ],
)
def test_a_first_suite_is_written_for_a_data_file_and_runs(
    folder: Path, gnomon: Run, name: str, content: str | None, expected: list[str]
) -> None:
    if content is not None:
        (folder / name).write_text(content)
    done = gnomon("eval", "init", name)
    assert done.code == 0, done.err
    for words in expected:
        assert words in done.out
    path = folder / f"{Path(name).stem}.suite.yaml"
    assert gnomon("eval", path, "--quiet").code in (0, 1, 4)
    again = gnomon("eval", "init", name)
    assert (again.code, "--force" in again.err) == (2, True)
    assert gnomon("eval", "init", name, "--force", "--task", "app.py:answer").code == 0
    assert 'task: "app.py:answer"' in path.read_text()


def test_a_suite_is_run_again_when_a_file_changes(folder: Path, home: Path) -> None:
    path = suite(folder)
    command = [sys.executable, "-m", "gnomon", "eval", str(path), "--quiet", "--watch"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ, cwd=folder)
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    try:
        assert "mean 0.750" in "".join(_until(lines, "watching"))
        (folder / "app.py").write_text("def answer(input):\n    return input\n")
        assert "mean 1.000" in "".join(_until(lines, "watching"))
        process.send_signal(signal.SIGINT)
        assert process.wait(600) == 0
    finally:
        process.kill()
        process.stdout.close()


def _until(lines: Any, start: str) -> list[str]:
    read = []
    for line in lines:
        read.append(line)
        if line.startswith(start):
            return read
    raise AssertionError(f"it ended before {start!r}: {''.join(read)}")


def _yaml(text: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / "suite.yaml").write_text(text)
        return folder / "suite.yaml"

    return write


GOOD = "data: numbers.jsonl\ntask: app.py:answer\nscorers: [exact_match]\n"

MISTAKES: list[tuple[str, str | None, list[str], str]] = [
    (
        "key",
        GOOD + "gate: [exact_match >= 0.8]\n",
        [],
        "suite.yaml, line 4: gate is not a field here; did you mean 'gates'?",
    ),
    (
        "key of a task",
        "data: numbers.jsonl\ntask:\n  http: http://127.0.0.1:1/ask\n  tmeout: 3\n",
        [],
        "suite.yaml, line 4: task.tmeout is not a field here; did you mean 'timeout'?",
    ),
    (
        "no task",
        "data: numbers.jsonl\nscorers: [exact_match]\n",
        [],
        "line 1: task is missing; add task: module:function",
    ),
    ("no data", "task: app.py:answer\n", [], "the suite names no data; add data: FILE, or dataset: NAME"),
    (
        "kind of task",
        "data: numbers.jsonl\ntask: {url: x}\n",
        [],
        "line 2: task is not module:function, file.py:function",
    ),
    (
        "scorer",
        GOOD.replace("exact_match", "exct_match"),
        [],
        "line 3: there is no scorer 'exct_match'; did you mean 'exact_match'?",
    ),
    (
        "scorer's setting",
        GOOD.replace("[exact_match]", "\n  - regex: {patterns: x}"),
        [],
        "line 4: regex: patterns is not a field here; did you mean 'pattern'?",
    ),
    ("scorer without its setting", GOOD.replace("exact_match", "regex"), [], "line 3: regex needs pattern"),
    (
        "two scorers in one",
        GOOD.replace("[exact_match]", "\n  - exact_match:\n    regex:"),
        [],
        "line 4: a scorer has 2 keys",
    ),
    ("gate", GOOD + "gates:\n  - exact_match = 0.8\n", [], "line 5: gate 'exact_match = 0.8': '=' is not a comparison"),
    ("bar", GOOD + "gates: ['exact_match >= 80']\n", [], "line 4: gate 'exact_match >= 80': 80 is outside [0, 1]"),
    (
        "scorer of a gate",
        GOOD + "gates: ['exact >= 0.8']\n",
        [],
        "there is no scorer 'exact'; did you mean 'exact_match'?",
    ),
    ("trials", GOOD + "trials: three\n", [], "line 4: trials is 'three'"),
    ("trials", GOOD + "trials: 0\n", [], "line 4: trials is 0"),
    (
        "file of the data",
        GOOD.replace("numbers.jsonl", "number.jsonl"),
        [],
        "which does not exist; did you mean numbers.jsonl?",
    ),
    (
        "data without an ending",
        GOOD.replace("numbers.jsonl", "numbers"),
        [],
        "line 1: data is 'numbers', which is not a file; a stored dataset",
    ),
    (
        "stored dataset",
        GOOD.replace("data: numbers.jsonl", "dataset: nothing"),
        [],
        "no dataset of project 'default' has that name",
    ),
    ("column", GOOD + "columns: {input: question}\n", [], "numbers.jsonl has no column 'question' for input"),
    (
        "function",
        GOOD.replace("app.py:answer", "app.py:answr"),
        [],
        "line 2: task 'app.py:answr': app.py has no answr; did you mean answer?",
    ),
    ("file of the task", GOOD.replace("app.py", "ap.py"), [], "there is no file"),
    ("module", GOOD.replace("app.py:answer", "nowhere:answer"), [], "there is no module 'nowhere'"),
    ("no function", GOOD.replace("app.py:answer", "app.py:LIMIT"), [], "is int, which cannot be called"),
    (
        "not a reference",
        GOOD.replace("app.py:answer", "answer"),
        [],
        "'answer' is neither module:function nor file.py:function",
    ),
    ("broken file", GOOD.replace("app.py", "broken.py"), [], "broken.py, line 2 cannot be imported: ZeroDivisionError"),
    ("syntax", GOOD.replace("app.py", "syntax.py"), [], "syntax.py, line 1 cannot be imported: SyntaxError"),
    ("command", "data: numbers.jsonl\ntask: {command: [./nothing]}\n", [], "line 2: command './nothing' cannot be run"),
    ("address", "data: numbers.jsonl\ntask: {http: localhost}\n", [], "line 2: url 'localhost' is not an address"),
    ("YAML", "data: [\n", [], "suite.yaml: not YAML at line"),
    ("key twice", GOOD + "task: app.py:answer\n", [], "key 'task' appears twice (again at line 4)"),
    ("a list", "- data\n", [], "is not a suite; write keys such as data, task and scorers"),
    ("file of the suite", None, ["suit.yaml"], "suit.yaml does not exist"),
    ("ending of the suite", None, ["numbers.jsonl"], "numbers.jsonl is not a suite; name a .yaml or .py file"),
    ("nothing named", None, [], "name a suite: a .yaml or .py file, or a folder of them"),
    ("file without evaluations", None, ["app.py"], "app.py declares no evaluation; write"),
    ("folder without suites", None, ["empty"], "`gnomon eval init DATA` writes a first suite"),
    ("filter", GOOD, ["--filter", "parity"], "filter 'parity' has no comparison; write FIELD=VALUE"),
    ("field of a filter", GOOD, ["--filter", "metadata.party=odd"], "did you mean metadata.parity?"),
    (
        "filter that takes nothing",
        GOOD,
        ["--filter", "parity=none"],
        "no item of 40 has metadata.parity=none; loosen the filter",
    ),
    ("option", GOOD, ["--trails", "3"], "there is no option '--trails'; did you mean '--trials'?"),
    ("limit", GOOD, ["--limit", "0"], "'--limit': 0 is not in the range"),
    ("folder of a report", GOOD, ["--markdown", "gone/pr.md"], "there is no folder gone; make it first"),
    ("rescore of nothing", GOOD, ["--rescore"], "there is no experiment 'suite' to score again; run it first"),
    ("rescore and limit", GOOD, ["--rescore", "--limit", "3"], "--rescore runs nothing, so --limit has no use"),
    ("two places", GOOD, ["--db", "x.db", "--url", "http://127.0.0.1:1"], "url and database name two stores"),
    ("init of nothing", None, ["init", "gone.csv"], "which does not exist"),
    ("init without an input", None, ["init", "odd.csv"], "no column is called as an input is"),
]


@pytest.mark.parametrize(
    ("content", "arguments", "words"), [mistake[1:] for mistake in MISTAKES],
    ids=[f"{number}-{mistake[0]}" for number, mistake in enumerate(MISTAKES)],
)  # fmt: skip
def test_a_mistake_gets_one_line_and_stores_nothing(
    folder: Path, gnomon: Run, content: str | None, arguments: list[str], words: str
) -> None:
    (folder / "broken.py").write_text("x = 1\ny = x / 0\n\ndef answer(input):\n    return input\n")
    (folder / "syntax.py").write_text("def answer(input:\n    return input\n")
    (folder / "odd.csv").write_text("a,b,c\n1,2,3\n")
    (folder / "empty").mkdir()
    target = [] if content is None else [_yaml(content)(folder)]
    done = gnomon("eval", *target, *arguments)
    assert done.code == 2, done.out + done.err
    assert done.err.count("\n") == 1, done.err
    assert done.err.startswith("gnomon: ")
    assert words in done.err
    assert done.out == ""
    assert not stored_experiments()


def test_a_suite_is_stored_on_a_server_and_its_page_is_named(
    folder: Path, gnomon: Run, server_on: Callable[[str], Server], database: str
) -> None:
    server = server_on(database)
    flags = ["--url", server.url, "--key", server.admin_key, "--project", fresh_project()]
    done = gnomon("eval", suite(folder), "--quiet", *flags)
    assert done.code == 0, done.err
    assert done.out.splitlines()[-1].startswith(f"{server.url}/projects/")
    done = gnomon("eval", suite(folder, task={"command": ["cat"]}), "--quiet", "--against", "numbers", *flags)
    assert done.code == 0, done.out
    assert "exact_match: better" in done.out
