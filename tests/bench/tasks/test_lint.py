"""Whether the tasks of a package measure anything."""

import copy
from pathlib import Path
from typing import Any

import pytest

from bench.tasks.shop import EXAMPLE_NAMES, EXAMPLES, FILES, files, two_apples, write_files
from gnomon.bench.tasks.lint import find_defects, find_hints
from gnomon.bench.tasks.package import load


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_the_examples_are_free_of_defects(name: str) -> None:
    for task in load(EXAMPLES / name).all_tasks():
        assert (find_defects(task), find_hints(task)) == ([], [])


def test_the_tiny_package_is_free_of_defects(tmp_path: Path) -> None:
    task = two_apples(tmp_path)
    assert (find_defects(task), find_hints(task)) == ([], [])


def expected(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(FILES["tasks/two_apples.json"]["expected"]), **changes}


def test_a_task_that_its_reference_calls_do_not_solve_is_told(tmp_path: Path) -> None:
    task = two_apples(tmp_path, expected=expected(world={"till": 0.9}))
    assert [(defect.rule, defect.message) for defect in find_defects(task)] == [
        ("unsolved", "the reference calls do not solve it: till is 0.5, expected 0.9")
    ]


def test_a_reference_call_that_fails_is_told_with_its_place(tmp_path: Path) -> None:
    calls = [
        {"tool": "sell", "args": {"fruit": "apple", "pieces": 9}},
        *FILES["tasks/two_apples.json"]["expected"]["calls"],
    ]
    defects = find_defects(two_apples(tmp_path, expected=expected(calls=calls)))
    assert [(defect.where, defect.message) for defect in defects] == [
        ("tasks/two_apples: expected.calls[0]", "the reference call fails: There are only 5.")
    ]


def test_a_task_without_reference_calls_is_told(tmp_path: Path) -> None:
    defects = find_defects(two_apples(tmp_path, expected={"world": {"stock.apple": 3}}))
    assert [defect.rule for defect in defects] == ["unsolved"]


def test_an_answer_that_lacks_the_required_words_is_told(tmp_path: Path) -> None:
    defects = find_defects(two_apples(tmp_path, expected=expected(answer="Here you are.")))
    assert [defect.message for defect in defects] == ["the reference calls do not solve it: not said: '3' or 'three'"]


def test_doing_nothing_must_not_succeed_unless_the_task_says_so(tmp_path: Path) -> None:
    idle = {"expected": {"calls": []}, "required_calls": [], "required_words": []}
    assert [defect.rule for defect in find_defects(two_apples(tmp_path / "a", **idle))] == ["idle"]
    assert find_defects(two_apples(tmp_path / "b", **idle, nothing_to_do=True)) == []
    assert [defect.rule for defect in find_defects(two_apples(tmp_path / "c", nothing_to_do=True))] == ["idle"]


def test_paths_that_are_nowhere_are_told(tmp_path: Path) -> None:
    changes = {"ignore": ["stock.*.note"], "any_order": ["sales"], "compare": ["stock", "shelf"], "absent": ["bag"]}
    defects = find_defects(two_apples(tmp_path, expected=expected(**changes)))
    assert [(defect.rule, defect.where.partition(": ")[2]) for defect in defects] == [
        ("path", "expected.compare"), ("path", "expected.ignore"), ("path", "expected.absent"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"package": {**FILES["package.json"], "policy": "In two_apples, be quick."}}, "package: policy"),
        ({"world": {**FILES["world.json"], "note": "Here you are; 3 are left."}}, "world: note"),
        ({"instruction": "Please sell me two apples, three would be too many."}, "tasks/two_apples: instruction"),
        ({"instruction": "Use count_stock first."}, "tasks/two_apples: instruction"),
        ({"instruction": "Sell two apples."}, "tasks/two_apples: instruction"),
    ],
)
def test_what_gives_the_answer_away_is_a_hint_with_its_place(
    tmp_path: Path, change: dict[str, Any], where: str
) -> None:
    task = copy.deepcopy(FILES["tasks/two_apples.json"])
    if "instruction" in change:
        made = files(two_apples={**task, **change})
    else:
        made = files(**change)
    package = load(write_files(tmp_path, made))
    hints = find_hints(package.task("two_apples"))
    assert [hint.where for hint in hints] == [where]
    assert hints[0].word.lower() in hints[0].excerpt.lower()
