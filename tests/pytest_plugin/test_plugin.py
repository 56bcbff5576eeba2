"""Evaluations as tests: one item per data item and trial, the gate as the last one, three outcomes."""

import subprocess
import sys
from pathlib import Path

import pytest

import gnomon as gn
from gnomon.sdk.connection import configure
from pytest_plugin.conftest import RunPytest, write_test
from test_weight import HEAVY


def stored(folder: Path, name: str = "test_app.py::test_answers") -> gn.EvaluationResult:
    configure(database=str(folder / "home" / "gnomon.db"))
    return gn.experiment(name)


@pytest.fixture(autouse=True)
def _own_connection():
    yield
    configure()


def test_every_item_is_a_test_and_the_gate_is_the_last_one(project: Path, run_pytest: RunPytest) -> None:
    done = run_pytest("-v")
    assert done.code == 0, done.out
    assert done.last == "25 passed"
    assert "test_app.py::test_answers[n0] PASSED" in done.out
    lines = [line for line in done.out.splitlines() if line.startswith("test_app.py::test_answers[")]
    assert lines[-1].startswith("test_app.py::test_answers[gate] PASSED")
    assert "├" in done.out
    assert "passed: exact_match >= 0.7 (mean 0.958" in done.out
    result = stored(project)
    assert (result.summary.run_count, result.score("exact_match").mean) == (24, pytest.approx(23 / 24))
    assert result.experiment.metadata["pytest"]["test"] == "test_app.py::test_answers"
    assert result.experiment.metadata["gnomon"]["suite"] == "test_app.py::test_answers"


@pytest.mark.parametrize(
    ("gate", "options", "code", "last"),
    [
        ("exact_match >= 0.99", [], 0, "24 passed, 1 undecided"),
        ("exact_match >= 0.99", ["--gnomon-strict"], 1, "1 failed, 24 passed"),
        ("exact_match.point >= 0.99", [], 1, "1 failed, 24 passed"),
        ("exact_match not worse than git:main", [], 0, "24 passed, 1 undecided"),
    ],
)
def test_a_gate_passes_fails_or_is_undecided(
    project: Path, run_pytest: RunPytest, gate: str, options: list[str], code: int, last: str
) -> None:
    write_test(project, f'data="cases.jsonl", scorers=["exact_match"], gate="{gate}"')
    done = run_pytest("-q", *options)
    assert (done.code, done.last) == (code, last), done.out
    assert "Traceback" not in done.out
    assert "gates.py" not in done.out


def test_trials_are_tests_of_their_own(project: Path, run_pytest: RunPytest) -> None:
    write_test(project, 'data="cases.jsonl", scorers=["exact_match"], trials=2')
    done = run_pytest("-v")
    assert done.last == "49 passed"
    assert "test_answers[n3#2] PASSED" in done.out
    experiment = stored(project).experiment
    assert (experiment.trials, experiment.run_count) == (2, 48)


def test_tests_are_selected_by_name_and_a_part_decides_nothing(project: Path, run_pytest: RunPytest) -> None:
    done = run_pytest("-q", "-k", "n1")
    assert (done.code, done.last) == (0, "11 passed, 14 deselected")
    done = run_pytest("-v", "test_app.py::test_answers[n3]", "test_app.py::test_answers[gate]", "-rs")
    assert done.last == "1 passed, 1 skipped"
    assert "1 of 24 cases ran here, so nothing is decided or stored" in done.out
    assert not (project / "home" / "gnomon.db").exists()


def test_a_task_that_fails_is_a_failed_test_and_a_failed_run(project: Path, run_pytest: RunPytest) -> None:
    body = 'def test_answers(item):\n    assert item["input"] != "7", "seven"\n    return item["input"]\n'
    write_test(project, body=body)
    done = run_pytest("-q", cache=True)
    assert (done.code, done.last) == (1, "1 failed, 24 passed")
    assert "AssertionError: seven" in done.out
    (failure,) = stored(project).failures
    assert (failure.input, failure.error_type) == ("7", "AssertionError")
    configure()
    first = run_pytest("-q", "-x", cache=True)
    assert first.last == "1 failed, 7 passed"
    again = run_pytest("-q", "--lf", cache=True)
    assert again.last.startswith("1 failed")
    assert "passed" not in again.last


def test_when_all_of_them_fail_the_gate_fails_too(project: Path, run_pytest: RunPytest) -> None:
    write_test(project, body="def test_answers(item):\n    raise RuntimeError('down')\n")
    done = run_pytest("-q")
    assert done.last == "25 failed"
    assert "all 24 runs failed" in done.out


@pytest.mark.parametrize("gate", ["exact_match >= 0.7", "exact_match.point >= 0.99"])
def test_workers_of_xdist_share_the_items_and_the_gate_sees_all(
    project: Path, run_pytest: RunPytest, gate: str
) -> None:
    write_test(project, f'data="cases.jsonl", scorers=["exact_match"], trials=2, gate="{gate}"')
    done = run_pytest("-n", "2")
    failed = "0.99" in gate
    assert done.last == ("1 failed, 48 passed" if failed else "49 passed"), done.out
    assert "95 % interval" in done.out
    assert stored(project).summary.run_count == 48


def test_with_xdist_a_failure_that_stops_the_run_stops_the_gate(project: Path, run_pytest: RunPytest) -> None:
    write_test(project, body="def test_answers(item):\n    raise RuntimeError('down')\n")
    done = run_pytest("-n", "2", "-x")
    assert done.code != 0
    assert "1 failed" in done.out or "2 failed" in done.out


def test_a_worker_that_dies_leaves_the_gate_undecided_and_not_waiting(project: Path, run_pytest: RunPytest) -> None:
    body = (
        "def test_answers(item):\n    import os\n\n    if item['input'] == '7':\n        os._exit(3)\n"
        "    return item['input']\n"
    )
    write_test(project, body=body)
    done = run_pytest("-n", "2", "-rs")
    assert done.code == 1
    assert "crashed while running" in done.out
    assert "cases ran here, so nothing is decided or stored" in done.out


def test_functions_take_parts_of_an_item_and_fixtures_and_may_be_async(project: Path, run_pytest: RunPytest) -> None:
    body = (
        "async def test_answers(input, expected_output, tmp_path):\n"
        "    assert tmp_path.exists()\n    return {'answer': input, 'wanted': expected_output}\n\n\n"
        "@pytest.mark.gnomon(data=[{'question': 'a', 'expected_output': 'A'}], columns={'input': 'question'},\n"
        "                    scorers=[lambda output: output == 'A'], name='upper')\n"
        "def test_list(input):\n    return input.upper()\n"
    )
    write_test(project, 'data="cases.jsonl", scorers=[{"regex": {"pattern": "wanted"}}], gate="regex >= 0.8"', body)
    done = run_pytest("-q")
    assert done.last == "27 passed", done.out
    assert stored(project, "upper").summary.run_count == 1


def test_the_fixture_scores_single_outputs(project: Path, run_pytest: RunPytest) -> None:
    (project / "test_app.py").write_text(
        "def test_close(gnomon):\n"
        "    assert gnomon.score('similarity', 'Pari', expected_output='Paris') == 0.8\n\n"
        "def test_own(gnomon):\n"
        "    assert gnomon.score(lambda output: 'good', 'x') == 'good'\n\n"
        "def test_absent(gnomon):\n"
        "    gnomon.score('exact_match', 'x')\n"
    )
    done = run_pytest("-q")
    assert done.last == "1 failed, 2 passed"
    assert "test_app.py::test_close: similarity 0.800" in done.out
    assert "exact_match has no score: no expected_output" in done.out


MISTAKES = {
    "file": ('data="case.jsonl"', "which does not exist; did you mean cases.jsonl?"),
    "no ending": ('data="cases"', "data is 'cases', which is not a file; give a path, a list or a table"),
    "no data": ('scorers=["exact_match"]', 'has no data; write @pytest.mark.gnomon(data="cases.jsonl")'),
    "argument": ('data="cases.jsonl", scorer=["exact_match"]', "scorer is not a field here; did you mean 'scorers'?"),
    "position": ('"cases.jsonl", ["exact_match"]', "takes data alone without a name"),
    "trials": ('data="cases.jsonl", trials=0', "trials is 0; give a whole number from 1"),
    "column": (
        'data="cases.jsonl", columns={"input": "inputs"}',
        "has no column 'inputs' for input; did you mean 'input'?",
    ),
    "broken line": ('data="broken.jsonl"', "broken.jsonl, line 2"),
    "empty": ('data="empty.jsonl"', "empty.jsonl is empty; name a file with rows in it"),
    "list": ('data=["a"]', "row 1 is 'a', not a dict"),
    "parameter": ('data="cases.jsonl"', "it takes none of input, expected_output, metadata, item"),
    "parametrize": ('data="cases.jsonl"', "parametrize and gnomon do not go together"),
    "scorer": (
        'data="cases.jsonl", scorers=["exct_match"]',
        "there is no scorer 'exct_match'; did you mean 'exact_match'?",
    ),
    "gate": ('data="cases.jsonl", scorers=["exact_match"], gate="exact_match is 1"', "it compares with nothing"),
    "scorer of the gate": (
        'data="cases.jsonl", scorers=["exact_match"], gate="exact >= 1"',
        "there is no scorer 'exact'",
    ),
    "nothing returned": ('data="cases.jsonl"', "returned None; return the output that is to be scored"),
    "no JSON": ('data="cases.jsonl"', "which JSON cannot represent"),
}
BODIES = {
    "parameter": "def test_answers():\n    return 1\n",
    "parametrize": '@pytest.mark.parametrize("a", [1])\ndef test_answers(item, a):\n    return 1\n',
    "nothing returned": "def test_answers(item):\n    item\n",
    "no JSON": "def test_answers(item):\n    return object()\n",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_a_line(project: Path, run_pytest: RunPytest, mistake: str) -> None:
    (project / "broken.jsonl").write_text('{"input": 1}\n{"input": \n')
    (project / "empty.jsonl").write_text("")
    arguments, words = MISTAKES[mistake]
    write_test(project, arguments, BODIES.get(mistake, "def test_answers(item):\n    return answer(item['input'])\n"))
    done = run_pytest("-q", "--tb=short")
    assert done.code in (1, 2), done.out
    assert words in done.out
    assert "INTERNALERROR" not in done.out


def test_the_plugin_costs_nothing_when_it_is_not_used() -> None:
    script = (
        "import sys, pytest\nbefore = set(sys.modules)\nimport gnomon.pytest_plugin\n"
        "print(*sorted({name for name in set(sys.modules) - before}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {name for name in loaded if name.startswith("gnomon")} == {
        "gnomon", "gnomon._version", "gnomon.pytest_plugin",
    }  # fmt: skip
    assert not {name.partition(".")[0] for name in loaded} & (HEAVY | {"pydantic", "click", "yaml"})


def test_an_unmarked_run_loads_nothing_of_gnomon(project: Path, run_pytest: RunPytest) -> None:
    (project / "test_app.py").write_text(
        "import sys\n\ndef test_nothing():\n"
        "    assert not [name for name in sys.modules if name.startswith('gnomon.pytest_plugin.')]\n"
        "    assert 'gnomon.service' not in sys.modules\n"
    )
    assert run_pytest("-q", from_nothing=True).last == "1 passed"
