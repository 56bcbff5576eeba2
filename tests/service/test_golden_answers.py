"""What the statistics say of three small tables, as files: every field and every digit that leaves the house.

A change here is a change of the contract or of a number. Look at the diff, then renew with GNOMON_RENEW_GOLDEN=1.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel

from gnomon import aggregate
from gnomon.interop.resulttables import LongTable, Preferences, read_table
from gnomon.service.analysis.leaderboard import from_preferences, from_table
from gnomon.service.analysis.lint import lint_file
from gnomon.service.experiments.plan import PlanOptions, plan, table_variance
from gnomon.service.judges.calibration import calibrate_file

GOLDEN = Path(__file__).parent.parent / "golden" / "answers"
SCORES = "agent,item,trial,value\n" + "".join(
    f"{agent},{item},{trial},{'' if (agent, item, trial) == ('ash', 3, 2) else int((item * skill + trial) % 5 > 1)}\n"
    for agent, skill in (("ash", 3), ("birch", 4), ("cedar", 5))
    for item in range(16)
    for trial in (1, 2)
)
PREFERRED = "a,b,item,winner\n" + "".join(
    f"{a},{b},{item},{(a, b, 'tie')[item % mix % 3]}\n"
    for a, b, mix in (("ash", "birch", 4), ("birch", "cedar", 5), ("ash", "cedar", 7))
    for item in range(12)
)
RATINGS = "judge,human\n" + "".join(
    f"{int(row % 3 > 0)},{'' if row >= 40 else int(row % 3 > 0 and row % 7 > 0)}\n" for row in range(120)
)


def _table(folder: Path) -> LongTable:
    (folder / "scores.csv").write_text(SCORES)
    found = read_table(folder / "scores.csv")
    assert isinstance(found, LongTable)
    return found


def _preferences(folder: Path) -> Preferences:
    (folder / "preferred.csv").write_text(PREFERRED)
    found = read_table(folder / "preferred.csv")
    assert isinstance(found, Preferences)
    return found


def _calibration(folder: Path) -> BaseModel:
    (folder / "ratings.csv").write_text(RATINGS)
    return calibrate_file(folder / "ratings.csv")


ANSWERS: dict[str, Callable[[Path], BaseModel]] = {
    "leaderboard": lambda folder: from_table([_table(folder)]),
    "preferences": lambda folder: from_preferences([_preferences(folder)]),
    "calibration": _calibration,
    "plan": lambda folder: plan(PlanOptions(0.1), table_variance(_table(folder), "ash", "birch")),
    "aggregate": lambda folder: aggregate([1, 0, None, 1, 0.5, 1], ["a", "a", "a", "b", "b", "c"], missing="bracket"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_what_its_golden_file_says(name: str, tmp_path: Path):
    found = json.loads(ANSWERS[name](tmp_path).model_dump_json())
    path = GOLDEN / f"{name}.json"
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        path.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    told = json.loads(path.read_text(encoding="utf-8"))
    assert _rounded(found) == _rounded(told)
    assert list(found) == list(told)


def test_what_was_linted_has_a_line_for_each_finding(tmp_path: Path):
    _table(tmp_path)
    found = lint_file(tmp_path / "scores.csv")
    assert [one.code for one in found.findings] == ["values_missing"]


def _rounded(value):
    """To ten digits: the last ones of a float may differ between machines, and mean nothing."""
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return float(f"{value:.10g}") if isinstance(value, float) else value
