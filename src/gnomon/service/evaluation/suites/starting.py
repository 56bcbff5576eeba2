"""A first suite for a data file: which column is the input, which the expected output, and what to score by.

Everything is guessed from names and values, said, and written such that it runs as it is.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.service.evaluation.data import COLUMNS, columns_of, read_data

_INPUTS = ("input", "question", "prompt", "query", "text", "instruction", "message", "sentence", "problem")
_EXPECTED = (
    "expected_output", "expected", "answer", "reference", "target", "label", "gold", "ground_truth", "ideal",
    "solution", "output", "completion", "response",
)  # fmt: skip
_IDS = ("id", "item_id", "uid", "key")
_SHORT = 40
_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class FirstSuite:
    """The text of the file, and what was guessed, for people."""

    text: str
    guesses: list[str]
    items: int


def first_suite(data: Path, suite_folder: Path, *, task: str | None = None, name: str | None = None) -> FirstSuite:
    """A suite for this file, to be written into that folder."""
    columns = columns_of(data)
    meanings = _meanings(data.name, columns)
    renamed = {meaning: column for meaning, column in meanings.items() if meaning != column}
    items = read_data(data, columns_as=renamed).items
    scorer, why = _scorer([item.expected_output for item in items[:_LOOKED_AT] if item.expected_output is not None])
    guesses = [f"{meaning} is the column {column!r}" for meaning, column in meanings.items()]
    if others := [column for column in columns if column not in meanings.values() and column not in COLUMNS]:
        guesses.append(f"other columns are kept in each item's metadata: {', '.join(others)}")
    guesses.append(f"scored by {scorer}, since {why}")
    task_guess = "task echoes the input, so that the suite runs; put your own in its place"
    guesses += [] if task else [task_guess]
    text = _text(name or data.stem, _path(data, suite_folder), renamed, task, scorer)
    return FirstSuite(text, guesses, len(items))


def _meanings(source: str, columns: Sequence[str]) -> dict[str, str]:
    """Column of the item → column of the file."""
    folded = {column.strip().casefold().replace(" ", "_"): column for column in reversed(columns)}

    def first(names: Sequence[str]) -> str | None:
        return next((folded[name] for name in names if name in folded), None)

    input = first(_INPUTS)
    if input is None and len(columns) <= 2 and columns:
        input = columns[0]
    if input is None:
        known = ", ".join(columns[:12]) or "none"
        words = f"{source}: no column is called as an input is ({', '.join(_INPUTS[:5])}, …); the columns are {known}"
        raise InvalidInput.of("data", f"{words}. Rename one to input")
    expected = first([name for name in _EXPECTED if folded.get(name) != input])
    if expected is None and len(columns) == 2:
        expected = next(column for column in columns if column != input)
    meanings = {"id": first(_IDS), "input": input, "expected_output": expected}
    return {meaning: column for meaning, column in meanings.items() if column is not None}


def _scorer(expected: Sequence[Any]) -> tuple[str, str]:
    """A scorer for these expected outputs, and why."""
    checks: list[tuple[Callable[[Any], bool], str, str]] = [
        (_is_number, "numeric", "expected outputs are numbers"),
        (lambda value: isinstance(value, dict | list), "json_match", "expected outputs are JSON"),
        (lambda value: isinstance(value, str) and len(value) <= _SHORT, "exact_match", "expected outputs are short"),
    ]
    if not expected:
        return "regex", "there are no expected outputs: any output that is not blank passes"
    for holds, scorer, why in checks:
        if all(map(holds, expected)):
            return scorer, why
    return "f1", "expected outputs are longer texts: overlap of words"


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return False
        return True
    return isinstance(value, int | float) and not isinstance(value, bool)


def _path(data: Path, folder: Path) -> str:
    try:
        return data.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        return str(data.resolve())


def _text(name: str, data: str, columns: Mapping[str, str], task: str | None, scorer: str) -> str:
    lines = [f"name: {_quoted(name)}", f"data: {_quoted(data)}"]
    if columns:
        pairs = ", ".join(f"{meaning}: {_quoted(column)}" for meaning, column in columns.items())
        lines.append(f"columns: {{{pairs}}}")
    if task is None:
        lines += [
            "# module:function, file.py:function, {http: URL}, {command: [./app]} or {model: NAME, prompt: ...}",
            "task: {command: [cat]}",
        ]
    else:
        lines.append(f"task: {_quoted(task)}")
    entry = "regex: {pattern: '\\S'}" if scorer == "regex" else scorer
    bar = f"{scorer} >= 0.8"
    lines += ["scorers:", f"  - {entry}", "trials: 1", "gates:", f"  - {_quoted(bar)}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """The text quoted for YAML: a JSON string is a YAML string."""
    simple = text and text.replace("_", "").replace("-", "").replace(".", "").replace("/", "").isalnum()
    is_word = text.lower() in ("true", "false", "null", "yes", "no", "on", "off")
    return (
        text
        if simple and not is_word and not text[0].isdigit() and text[0] not in "-."
        else json.dumps(text, ensure_ascii=False)
    )
