"""Plain tables of results: CSV, TSV, JSONL, JSON or Parquet, with columns that are named, or have a usual name.

A column mapping says what a column is: `input`, `output`, `expected_output`, `id`, `trial`, `error`, `experiment`,
`score.NAME` and `metadata.NAME`. What is not mapped is guessed by its name; what is left is listed.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from gnomon.errors import GnomonError, InvalidInput
from gnomon.interop.columns import TEXTS, ColumnNames, parse_columns, refuse_missing
from gnomon.interop.foreign.bundle import Bundle, ForeignDataset, ForeignExperiment, ForeignItem, ForeignRun
from gnomon.interop.foreign.reading import as_text, digest, joined, numbered
from gnomon.interop.foreign.records import cell, columns_of, records_of, scalar
from gnomon.interop.foreign.scores import score_of
from gnomon.interop.rows import BadLines
from gnomon.shorten import counted, shorten

SOURCE = "table"
SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
FIELDS = ("input", "output", "expected_output", "id", "trial", "error", "experiment")
_PREFIXES = ("score.", "metadata.")
_USUAL = {
    **TEXTS,
    "id": ("id", "item_id", "qid", "example_id", "sample_id", "question_id", "task_id", "case_id", "key", "item"),
    "trial": ("trial", "epoch", "attempt", "repetition", "repeat", "run"),
    "experiment": ("experiment", "model", "agent", "system"),
}
_SCORES = frozenset(
    {"score", "accuracy", "acc", "correct", "is_correct", "passed", "pass", "success", "reward", "exact_match", "f1",
     "resolved", "rating", "grade"}
)  # fmt: skip
_SCORE_COLUMN = re.compile(r"(?:scores?[._](?P<after>.+)|(?P<before>.+)_score)", re.IGNORECASE)
_TRIAL_COLUMN = re.compile(r"(?:trial|epoch|attempt|run)[ _-]?(\d{1,5})", re.IGNORECASE)


def detect(path: Path) -> bool:
    """Whether there are columns that say what was asked, and others that say what came of it."""
    if path.is_dir():
        return False
    try:
        known = columns_of(path)
    except GnomonError:
        return False
    columns = guessed(known, {})
    if "id" not in columns and "input" not in columns:
        return False
    has_result = bool(columns.keys() & {"output", "expected_output"}) or any(map(_is_score, columns))
    return has_result or bool(_trial_columns(known, columns))


def parse_table_columns(text: str) -> dict[str, str]:
    """`input=question,score.accuracy=acc` as field → column."""
    return parse_columns(text, FIELDS, _PREFIXES)


def guessed(columns: Collection[str], named: ColumnNames) -> dict[str, str]:
    """The mapping with the columns that have a usual name, and that nothing else takes."""
    mapping, taken = dict(named), set(named.values())
    by_name = {column.strip().lower(): column for column in sorted(columns)}
    for field, names in _USUAL.items():
        column = next((by_name[name] for name in names if name in by_name and by_name[name] not in taken), None)
        if field not in mapping and column is not None:
            mapping[field] = column
            taken.add(column)
    if "output" not in mapping and "answer" in by_name and by_name["answer"] not in taken:
        mapping["output"] = by_name["answer"]  # beside another column that says what was expected
        taken.add(by_name["answer"])
    for column in sorted(set(columns) - taken):
        if name := _score_name(column):
            mapping.setdefault(f"score.{name}", column)
    return mapping


def _score_name(column: str) -> str | None:
    if column.strip().lower() in _SCORES:
        return column.strip()
    match = _SCORE_COLUMN.fullmatch(column.strip())
    return (match["after"] or match["before"]) if match else None


def _is_score(field: str) -> bool:
    return field.startswith("score.")


def read(path: Path, columns: ColumnNames | None = None, bad_lines: BadLines | None = None) -> Bundle:
    rows = list(records_of(path, bad_lines or BadLines(path)))
    if not rows:
        raise InvalidInput.of("path", f"{path.name} has no row that can be read; name a file with rows in it")
    known: dict[str, None] = {}
    for _, row in rows:
        known.update(dict.fromkeys(row))
    refuse_missing(path.name, columns or {}, known)
    mapping = guessed(known, columns or {})
    bundle = Bundle(SOURCE)
    wide = {} if any(map(_is_score, mapping)) else _trial_columns(known, mapping)
    left = [column for column in known if column not in mapping.values() and column not in wide.values()]
    bundle.not_understood.update(Counter({f"column {column[:60]}": len(rows) for column in left}))
    if bad_lines is not None and bad_lines.note:
        bundle.notes.append(bad_lines.note)
    bundle.notes.append("columns read: " + ", ".join(f"{field}={column}" for field, column in sorted(mapping.items())))
    keys = _keys(rows, mapping)
    bundle.notes += _shared_ids(rows, keys, mapping)
    if not wide and "output" not in mapping and not any(map(_is_score, mapping)):
        items = [ForeignItem(key, *_content(row, mapping, key)) for (_, row), key in zip(rows, keys, strict=True)]
        unique = {item.key: item for item in items}
        bundle.datasets.append(ForeignDataset(path.stem, list(unique.values())))
        return bundle
    by_experiment: dict[str | None, list[tuple[str, dict[str, Any]]]] = {}
    for (_, row), key in zip(rows, keys, strict=True):
        name = as_text(row.get(mapping["experiment"])) if "experiment" in mapping else None
        by_experiment.setdefault(name, []).append((key, row))
    for name, its in by_experiment.items():
        runs = list(_wide_runs(its, mapping, wide) if wide else _runs(its, mapping))
        metadata = {"source": SOURCE, **({"experiment": name} if name else {})}
        bundle.experiments.append(ForeignExperiment(joined(path.stem, name), path.stem, runs, metadata))
    return bundle


def _keys(rows: list[tuple[int, dict[str, Any]]], mapping: ColumnNames) -> list[str]:
    """An item's id, else a hash of what was asked, so that the same question is the same item."""
    keys = []
    for number, row in rows:
        key = as_text(row.get(mapping["id"])) if "id" in mapping else None
        if key is None and "input" in mapping:
            question = row.get(mapping["input"]), row.get(mapping.get("expected_output", ""))
            key = digest(*map(cell, question))[:16]
        keys.append(key or f"row {number}")
    return keys


def _shared_ids(rows: list[tuple[int, dict[str, Any]]], keys: list[str], mapping: ColumnNames) -> Iterator[str]:
    """A note if rows of one id are of different items: only one input per id is stored."""
    first: dict[str, tuple[int, Any]] = {}
    shared = []
    for (line, row), key in zip(rows, keys, strict=True):
        asked = _content(row, mapping, key)[:2]
        earlier, known = first.setdefault(key, (line, asked))
        if asked != known:
            shared.append((key, earlier, line))
    if shared:
        key, earlier, line = shared[0]
        yield (
            f"ids are not unique: repeated with another input or expected output in {counted(len(shared), 'row')}"
            f" (first: id {shorten(key, 60)!r} in lines {earlier} and {line}). One item is stored per id, with one"
            " input; name the column of the ids with --columns id=COLUMN, or give every item its own id"
        )


def _content(row: dict[str, Any], mapping: ColumnNames, key: str) -> tuple[Any, Any, dict[str, Any] | None]:
    """An item's input, expected output and metadata."""
    input = cell(row.get(mapping["input"])) if "input" in mapping else None
    expected = cell(row.get(mapping["expected_output"])) if "expected_output" in mapping else None
    metadata = {
        field.removeprefix("metadata."): scalar(row.get(column))
        for field, column in mapping.items()
        if field.startswith("metadata.") and row.get(column) not in (None, "")
    }
    return key if input is None else input, expected, metadata or None


def _runs(rows: list[tuple[str, dict[str, Any]]], mapping: ColumnNames) -> Iterator[ForeignRun]:
    numbers = numbered([key for key, _ in rows])
    trials = [scalar(row.get(mapping["trial"])) if "trial" in mapping else None for _, row in rows]
    whole = [
        int(trial_number)
        if isinstance(trial_number, int | float) and trial_number >= 0 and int(trial_number) == trial_number
        else None
        for trial_number in trials
    ]
    first = min((trial_number for trial_number in whole if trial_number is not None), default=0)
    for (key, row), number, trial in zip(rows, numbers, whole, strict=True):
        input, expected, metadata = _content(row, mapping, key)
        yield ForeignRun(
            item_key=key,
            input=input,
            output=cell(row.get(mapping["output"])) if "output" in mapping else None,
            expected_output=expected,
            item_metadata=metadata,
            trial=number if trial is None else trial - first + 1,
            error=as_text(cell(row.get(mapping["error"]))) if "error" in mapping else None,
            scores=[
                score_of(field.removeprefix("score."), scalar(row.get(column)))
                for field, column in mapping.items()
                if _is_score(field)
            ],
        )


def _trial_columns(known: Collection[str], mapping: ColumnNames) -> dict[int, str]:
    """Trial → column, for tables with one column of scores per trial (`trial0`, `trial1`, …)."""
    free = [column for column in known if column not in mapping.values()]
    columns = {int(match[1]): column for column in free if (match := _TRIAL_COLUMN.fullmatch(column.strip()))}
    return {number: columns[at] for number, at in enumerate(sorted(columns), 1)}


def _wide_runs(
    rows: list[tuple[str, dict[str, Any]]], mapping: ColumnNames, wide: Mapping[int, str]
) -> Iterator[ForeignRun]:
    for key, row in rows:
        input, expected, metadata = _content(row, mapping, key)
        for trial, column in wide.items():
            yield ForeignRun(
                item_key=key, input=input, expected_output=expected, item_metadata=metadata, trial=trial,
                scores=[score_of("score", scalar(row.get(column)))],
            )  # fmt: skip
