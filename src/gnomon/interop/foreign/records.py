"""Rows of exports, as objects: CSV and TSV with JSON in their cells, JSON lines, a list, or Parquet."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from gnomon.interop.conversation import refused
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import json_records
from gnomon.interop.rows import BadLines, first_delimiter, open_table

_TABLES = (".csv", ".tsv", ".parquet")
_JSON = (".json", ".jsonl", ".ndjson")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def columns_of(path: Path) -> frozenset[str]:
    """The names of columns, or of the keys of the first objects; nothing where it is not a table."""
    seen = look(path)
    if seen.suffix == ".parquet":
        return frozenset(open_table(path).columns) if seen.head.startswith(b"PAR1") else frozenset()
    if seen.suffix in (".csv", ".tsv"):
        line = seen.first_line.decode("utf-8", "replace")
        cells = line.split("\t" if seen.suffix == ".tsv" else first_delimiter(seen.first_line))
        return frozenset(cell.strip().strip('"') for cell in cells)
    if seen.suffix not in _JSON:
        return frozenset()
    prefix = "[]." if seen.head.lstrip()[:1] == b"[" else ""
    names = (key.removeprefix(prefix) for key in seen.keys if key.startswith(prefix))
    return frozenset(name for name in names if "[]" not in name)


def records_of(path: Path, bad_lines: BadLines | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows with their numbers."""
    if path.suffix.lower() in _TABLES:
        table = open_table(path, bad_lines)
        for number, cells in table.rows(table.columns):
            yield number, dict(zip(table.columns, cells, strict=True))
        return
    for number, record in json_records(path, bad_lines):
        if not isinstance(record, dict):
            raise refused(path, f"row {number} is not an object; write one object per row")
        yield number, record


def cell(value: Any) -> Any:
    """A cell's value: JSON where it plainly is, and nothing where it is empty."""
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    if value.lstrip()[0] in '{["':
        try:
            return msgspec.json.decode(value)
        except (ValueError, RecursionError):
            return value
    return value


def scalar(value: Any) -> Any:
    """A score's cell: a number, a boolean or a label, also where all of them are written as text."""
    value = cell(value)
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text.lower() in ("nan", "none", "null", "n/a", "na"):
        return None
    if _NUMBER.fullmatch(text) and len(text) < 40:
        return float(text)
    return text
