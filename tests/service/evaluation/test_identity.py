"""Hashes of tasks, data and scorers: the same in every process, another one for another behaviour."""

import functools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gnomon.model.score import ScorerSpec
from gnomon.service.evaluation.binding import FunctionScorer
from gnomon.service.evaluation.data import EvaluationItem
from gnomon.service.evaluation.identity import Identity, data_identity, scorer_identity, task_identity

PROGRAM = '''
import functools
import re

PROMPT = "Answer in one word."
WORDS = {"b", "a", ("c", "d"), ("e", "f")}
PATTERN = re.compile("x")

def tidy(text):
    return text.strip()

def answer(question, k=3):
    """Answers."""
    # a comment
    return tidy(PROMPT + question), WORDS, PATTERN

class Agent:
    limit = 3

    def __init__(self, model):
        self.model = model

    def __call__(self, question):
        return tidy(question), self.model, self.limit

    def ask(self, question):
        return question

def closing_over(value):
    def inner(question):
        return question + value
    return inner

@functools.lru_cache
def remembered(question):
    return tidy(question)

def mutual(n):
    return other(n)

def other(n):
    return mutual(n)

TASKS = {
    "function": answer, "object": Agent("m"), "method": Agent("m").ask, "closure": closing_over("v"),
    "partial": functools.partial(answer, k=4), "lambda": lambda question: tidy(question), "cached": remembered,
    "mutual": mutual, "class": Agent, "builtin": len,
}
'''
SHOW = "\nfrom gnomon.service.evaluation.identity import task_identity\n" + (
    "if __name__ == '__main__':\n    print(*(task_identity(task).hash for task in TASKS.values()))\n"
)


def tasks(folder: Path, program: str) -> dict[str, Callable[..., Any]]:
    """The tasks of a program that lies in a file, as Python loads it."""
    import importlib.util

    folder.mkdir()
    path = folder / "app.py"
    path.write_text(program, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("app", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["app"] = module  # inspect looks for the source of classes there
    try:
        spec.loader.exec_module(module)
        return dict(module.TASKS)
    finally:
        module.IDENTITIES = {name: task_identity(task) for name, task in module.TASKS.items()}
        del sys.modules["app"]


def identities(folder: Path, program: str) -> dict[str, Identity]:
    found = tasks(folder, program)
    return dict(found["function"].__globals__["IDENTITIES"])


def test_hashes_are_the_same_in_every_process(tmp_path: Path) -> None:
    path = tmp_path / "app.py"
    path.write_text(PROGRAM + SHOW, encoding="utf-8")
    printed = {
        subprocess.run(
            [sys.executable, str(path)], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(printed) == 1
    (hashes,) = printed
    assert len(set(hashes.split())) == 10


EVERYTHING_THAT_TIDIES = {"function", "object", "closure", "partial", "lambda", "cached", "method", "class"}


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("# a comment", "# another one", set()),
        ("return tidy(PROMPT + question), ", "return tidy(PROMPT  +  question),", set()),
        ('"Answer in one word."', '"Answer at length."', {"function", "partial"}),
        ('("c", "d")', '("c", "e")', {"function", "partial"}),
        ('re.compile("x")', 're.compile("y")', {"function", "partial"}),
        ("k=3", "k=5", {"function", "partial"}),
        ("k=4", "k=5", {"partial"}),
        ("text.strip()", "text.lower()", EVERYTHING_THAT_TIDIES - {"closure"}),
        ('Agent("m"), ', 'Agent("n"), ', {"object"}),
        ('Agent("m").ask', 'Agent("n").ask', {"method"}),
        ("limit = 3", "limit = 4", {"object", "method", "class"}),
        ('closing_over("v")', 'closing_over("w")', {"closure"}),
        ("question + value", "value + question", {"closure"}),
        ("lambda question: tidy(question)", "lambda question: tidy(question + '!')", {"lambda"}),
        ("return mutual(n)", "return mutual(n + 1)", {"mutual"}),
    ],
)
def test_a_change_moves_the_hashes_of_what_it_changes_and_no_others(
    tmp_path: Path, before: str, after: str, changed: set[str]
) -> None:
    """Data, task source hash or scorers decide whether an evaluation is resumed, so none may be missed."""
    assert before in PROGRAM
    old = identities(tmp_path / "old", PROGRAM)
    new = identities(tmp_path / "new", PROGRAM.replace(before, after))
    assert {name for name in old if old[name] != new[name]} == changed


def test_whatever_can_be_hashed_has_no_notes(tmp_path: Path) -> None:
    assert {name: one.notes for name, one in identities(tmp_path / "app", PROGRAM).items() if one.notes} == {}


def test_without_source_the_bytecode_counts_and_a_note_says_so() -> None:
    """As in an interactive session, or in code that was made by exec."""

    def made(body: str) -> Identity:
        space: dict[str, Any] = {"__name__": "made"}
        exec(f"def answer(question):\n    return {body}", space)
        return task_identity(space["answer"])

    assert made("question") == made("question") != made("question + '!'")
    assert made("[x for x in question if x in {'a', 'b'}]") != made("[x for x in question if x in {'a', 'c'}]")
    (note,) = made("question").notes
    assert note == (
        "task answer: the source of answer is not available, so its bytecode counts, "
        "which changes with the version of Python"
    )


def test_two_lambdas_of_one_line_are_told_apart() -> None:
    first, second = [lambda question: question, lambda question: question * 2]
    assert task_identity(first).hash != task_identity(second).hash
    assert task_identity(first).notes == task_identity(second).notes == ()


def test_what_cannot_be_hashed_is_noted() -> None:
    with open(os.devnull, encoding="utf-8") as file:
        task = functools.partial(lambda file, input: input, file)  # noqa: A006
        (note,) = task_identity(task).notes
    assert note == (
        "task lambda: lambda is a TextIOWrapper, whose content is not part of the hash; give version= to tell changes"
    )


def test_an_object_that_raises_when_it_is_looked_at_is_known_by_its_name() -> None:
    class Hostile(dict[str, Any]):
        def items(self) -> Any:
            raise RuntimeError("no")

        def __call__(self, input: str) -> str:
            return input

    identity = task_identity(Hostile())
    assert identity.notes == (
        "task Hostile is identified by its name only (RuntimeError); give version= to tell changes",
    )


def test_a_version_stands_for_the_source() -> None:
    def answer(question: str) -> str:
        return question

    one = answer

    def answer(question: str) -> str:  # type: ignore[no-redef]
        return question.upper()

    assert task_identity(one) != task_identity(answer)
    assert task_identity(one, "2") == task_identity(answer, "2") != task_identity(answer, "3")


def test_a_large_constant_is_cut_off_with_a_note() -> None:
    values = [[number] for number in range(30_000)]
    (note,) = task_identity(lambda question: values).notes
    assert "the variable values holds more than 20,000 objects, and not all of them count" in note


def test_the_data_is_known_by_content_and_order() -> None:
    first, second = EvaluationItem(None, {"a": 1, "b": 2.0}), EvaluationItem("x", "?")
    same = EvaluationItem(None, {"b": 2, "a": 1})
    assert data_identity([first, second]) == data_identity([same, second])
    assert data_identity([first, second]) != data_identity([second, first])
    assert data_identity([first]) != data_identity([EvaluationItem(None, {"a": 1, "b": 2}, "expected")])


def test_a_built_in_scorer_is_known_by_its_whole_configuration() -> None:
    def hashed(**config: Any) -> str:
        return scorer_identity(ScorerSpec(scorer_name="exact_match", config=config)).hash

    assert hashed() == hashed(case_sensitive=True)
    assert len({hashed(), hashed(case_sensitive=False), hashed(expected_output="Paris")}) == 3
    elsewhere = ScorerSpec(scorer_name="mine", config={"a": 1})
    assert scorer_identity(elsewhere) != scorer_identity(ScorerSpec(scorer_name="mine", config={"a": 2}))


def test_a_function_scorer_is_known_by_its_source_or_its_version() -> None:
    def short(output: str) -> bool:
        return len(output) < 10

    assert scorer_identity(short) == scorer_identity(FunctionScorer(short, "other name"))
    assert scorer_identity(FunctionScorer(short, "short", "1")) != scorer_identity(FunctionScorer(short, "short", "2"))
