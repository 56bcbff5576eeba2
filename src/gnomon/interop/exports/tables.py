"""The tables of an export, read again: cells as the values they were written from."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from gnomon.interop.exports.cells import json_value, unguarded
from gnomon.interop.exports.columns import ExportColumn, Type
from gnomon.interop.rows import TableFile, short

_WORDS: dict[Type, str] = {"integer": "a whole number", "number": "a number", "flag": "true or false"}


def read_cells(table: TableFile, columns: Sequence[ExportColumn]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Row by row, by the names of the columns that are there."""
    present = [column for column in columns if column.name in table.columns]
    readers = [_reader(column.type, table.path.suffix.lower() == ".csv") for column in present]
    for number, cells in table.rows([column.name for column in present]):
        row = {}
        for column, read, cell in zip(present, readers, cells, strict=True):
            try:
                row[column.name] = read(cell)
            except (ValueError, TypeError, AttributeError):
                words = f"{column.name} {short(cell)} is not {_WORDS.get(column.type, 'a text')}; export it again"
                raise table.wrong(number, words) from None
        yield number, row


def kind_of_parquet(path: Path) -> str | None:
    """What the file says that it holds; None for a file that is not ours, or not Parquet."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return None
    try:
        about = pq.read_schema(path).metadata or {}
    except (pa.ArrowException, OSError, UnicodeError):
        return None
    kind = about.get(b"kind") if b"gnomon_export" in about else None
    return None if kind is None else str(kind.decode("utf-8", "replace"))


def _reader(type: Type, is_csv: bool) -> Callable[[Any], Any]:
    if not is_csv:
        return json_value if type == "json" else _as_it_is
    return {"json": _csv_json, "integer": _whole, "number": _number, "flag": _flag}.get(type, unguarded)


def _as_it_is(cell: Any) -> Any:
    return cell


def _csv_json(cell: str) -> Any:
    return json_value(unguarded(cell))


def _whole(cell: str) -> int | None:
    return int(cell) if cell else None


def _number(cell: str) -> float | None:
    return float(cell) if cell else None


def _flag(cell: str) -> bool | None:
    if cell not in ("", "true", "false"):
        raise ValueError(cell)
    return cell == "true" if cell else None
