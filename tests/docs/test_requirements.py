"""The page of requirements is current, and every test that it names exists."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "make_requirements.py"
MAKER = runpy.run_path(str(SCRIPT))
DOCUMENTS = MAKER["load"]()


def test_the_page_is_what_the_data_says():
    written = MAKER["PAGE"].read_text("utf-8")
    assert written == MAKER["page"](DOCUMENTS), "run: python docs/make_requirements.py"


def test_every_row_names_tests_that_exist_or_says_why_there_is_none():
    assert list(MAKER["faults"](DOCUMENTS)) == []


def test_no_row_waits_for_its_test():
    assert [row.id for document in DOCUMENTS for row in document.rows if row.pending] == []


def test_the_check_of_the_script_says_the_same():
    done = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


# --- the check can fail -----

GOOD = {
    "id": "X-001",
    "says": "It works.",
    "tests": ["tests/docs/test_requirements.py::test_the_page_is_what_the_data_says"],
}
HERE = "tests/docs/test_requirements.py"


def faults(*rows: dict[str, Any]) -> list[str]:
    sections = [{"title": "t", "rows": list(rows)}]
    return list(MAKER["faults"]([MAKER["_document"]("X", "Some document", "", sections)]))


def test_a_good_row_has_no_fault():
    assert faults(GOOD, {"id": "X-002", "says": "A rule for people.", "untested": "nothing runs"}) == []
    assert faults({"id": "X-001", "says": "Later.", "tests": "pending"}) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "Y-001"}, "ids of Some document are X-001 and so on"),
        ({"id": "X-1"}, "ids of Some document are X-001 and so on"),
        ({"tests": []}, "name its tests, or say in `untested`"),
        ({"untested": "why not"}, "name its tests, or say in `untested`"),
        ({"tests": GOOD["tests"] * 2}, "a test is named twice"),
        ({"tests": ["test_somewhere"]}, "is not like tests/file.py::test_name"),
        ({"tests": ["tests/nowhere.py::test_x"]}, "there is no file tests/nowhere.py"),
        ({"tests": [f"{HERE}::test_nothing_of_the_kind"]}, "has no test test_nothing_of_the_kind"),
        ({"tests": [f"{HERE}::test_a_broken_row_is_told[no such case]"]}, "has no case 'no such case'"),
    ],
    ids=["foreign", "short", "nothing", "both", "twice", "bare", "no file", "no test", "no case"],
)
def test_a_broken_row_is_told(change: dict[str, Any], words: str):
    (fault,) = faults(GOOD | change)
    assert words in fault


def test_ids_go_upwards_and_a_case_may_be_named():
    assert faults(GOOD, GOOD) == ["X-001: ids of Some document are X-001 and so on, each once, upwards"]
    assert faults(GOOD | {"tests": [f"{HERE}::test_a_broken_row_is_told[no case]"]}) == []


@pytest.mark.parametrize("row", [{**GOOD, "tset": "x"}, {**GOOD, "tests": "soon"}, {"id": "X-001"}])
def test_a_row_with_a_key_that_nobody_reads_cannot_be_loaded(row: dict[str, Any]):
    with pytest.raises((TypeError, ValueError)):
        faults(row)
