"""What `data=` of an evaluation may be, read into items and the name of their dataset.

A file (.jsonl, .csv, .parquet, …), a list of dicts or of `ItemDraft`, a DataFrame of pandas or polars, an Arrow table.
The libraries of those frames are never imported here: whoever has such an object has loaded its library.
"""

import codecs
import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.interop.rows import lines, open_table, refuse_unreadable, short
from gnomon.model import jsonvalue
from gnomon.model.dataset import ItemDraft
from gnomon.model.fields import NAME_LIMIT
from gnomon.model.nearest import did_you_mean, nearest
from gnomon.service.evaluation.plain import is_plain_text, plain_json, refuse_odd_keys
from gnomon.shorten import list_some

COLUMNS = ("id", "input", "expected_output", "metadata")
"""What has a meaning of its own; other columns become keys of the metadata."""
SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")

_SHOWN_COLUMNS = 12
_PANDAS_MISSING = ("NAType", "NaTType")
_FIRST_REMEDY = 'name one of them input, or put several into one object: {"input": {"question": …, "context": …}}'

DataRecord = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EvaluationItem:
    """One example. Every value is plain JSON."""

    id: str | None
    input: Any
    expected_output: Any = None
    metadata: dict[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        """What a task gets as `item`."""
        return {
            "id": self.id,
            "input": self.input,
            "expected_output": self.expected_output,
            "metadata": self.metadata,
        }


@dataclass(frozen=True, slots=True)
class EvaluationData:
    """The items in their order, the name of their dataset, and what a user should know about the reading."""

    name: str
    items: list[EvaluationItem]
    notes: list[str]
    hash: str
    """Of the items in their order."""


@dataclass(frozen=True, slots=True)
class _NamedRows:
    """Rows under their names for messages, such as `capitals.csv, line 3`. CSV has only text in its cells."""

    source: str
    rows: list[tuple[str, DataRecord]]
    is_text: bool = False


def names_file(data: Any) -> bool:
    """Whether `data=` means a file; any other text is the name of a stored dataset."""
    if isinstance(data, Path):
        return True
    return isinstance(data, str) and (data.lower().endswith(SUFFIXES) or "/" in data or "\\" in data)


def read_data(data: Any, *, dataset: str | None = None, columns_as: Mapping[str, str] | None = None) -> EvaluationData:
    """The items of `data=`. The dataset is named by `dataset=`, else by the file's stem, else by its content.

    `columns_as` says which column of the data is `input`, `expected_output` and so on, where it is called otherwise.
    """
    if dataset is not None:
        _check_name(dataset)
    table = _table(data)
    if columns_as:
        table = _renamed(table, columns_as)
    if not table.rows:
        raise InvalidInput(f"{table.source} has no rows; an evaluation needs at least one item")
    columns = list(dict.fromkeys(key for _, record in table.rows for key in record))
    _require_input(table.source, columns)
    items = [_item(where, record, table.is_text) for where, record in table.rows]
    _refuse_equal_ids([where for where, _ in table.rows], items)
    hash = content_hash(items)
    stem = Path(data).stem if names_file(data) else f"inline-{hash[:12]}"
    return EvaluationData(dataset or stem, items, _notes(columns), hash)


def columns_of(data: Any) -> list[str]:
    """The columns of `data=`, in their order."""
    return list(dict.fromkeys(key for _, record in _table(data).rows for key in record))


def _renamed(table: _NamedRows, columns_as: Mapping[str, str]) -> _NamedRows:
    columns_there = list(dict.fromkeys(key for _, record in table.rows for key in record))
    for meaning, column in columns_as.items():
        if meaning not in COLUMNS:
            hint = nearest(meaning, COLUMNS) or ", ".join(COLUMNS)
            raise InvalidInput.of("columns", f"columns has {meaning!r}, which is not a field; did you mean {hint}?")
        if column not in columns_there:
            hint = did_you_mean(column, columns_there, f"there are {_listed(columns_there)}")
            raise InvalidInput.of("columns", f"{table.source} has no column {column!r} for {meaning}; {hint}")
        if meaning in columns_there and column != meaning:
            words = f"columns makes {column!r} the {meaning}, and {table.source} has a column {meaning!r} too"
            raise InvalidInput.of("columns", f"{words}; rename it")
    names = {column: meaning for meaning, column in columns_as.items()}
    rows: list[tuple[str, DataRecord]] = [
        (where, {names.get(key, key): cell for key, cell in record.items()}) for where, record in table.rows
    ]
    return _NamedRows(table.source, rows, table.is_text)


def content_hash(items: Iterable[EvaluationItem]) -> str:
    """Equal for equal items in the same order."""
    digest = hashlib.sha256()
    for item in items:
        digest.update(jsonvalue.canonical([item.id, item.input, item.expected_output, item.metadata]).encode() + b"\n")
    return digest.hexdigest()


def _check_name(dataset: Any) -> None:
    if not isinstance(dataset, str) or not dataset.strip() or len(dataset) > NAME_LIMIT:
        message = f"dataset is {short(dataset)}; give a name of 1 to {NAME_LIMIT} characters that are not all blank"
        raise InvalidInput.of("dataset", message)


def _notes(columns: Sequence[str]) -> list[str]:
    others = [column for column in columns if column not in COLUMNS]
    return [f"other columns are kept in each item's metadata: {_listed(others)}"] if others else []


# From whatever it is to rows


def _table(data: Any) -> _NamedRows:
    if names_file(data):
        return _file(Path(data))
    if isinstance(data, list | tuple):
        return _NamedRows("the list", [(f"row {at}", _record(at, row)) for at, row in enumerate(data, 1)])
    frame = _frame(data)
    if frame is not None:
        return _NamedRows("the table", [(f"row {at}", row) for at, row in enumerate(frame, 1)])
    kinds = f"a path ({', '.join(SUFFIXES)}), a list of dicts, a DataFrame or an Arrow table"
    raise InvalidInput.of("data", f"data is {short(data)}; give {kinds}")


def _record(at: int, row: Any) -> DataRecord:
    if isinstance(row, ItemDraft):
        return {key: value for key, value in row.model_dump().items() if key in COLUMNS}
    if not isinstance(row, Mapping):
        raise InvalidInput(f'row {at} is {short(row)}, not a dict; write {{"input": …, "expected_output": …}}')
    refuse_odd_keys(f"row {at}", row)
    return row


def _frame(data: Any) -> Iterable[DataRecord] | None:
    """The rows of a DataFrame or an Arrow table; None when it is neither."""
    library = type(data).__module__.partition(".")[0]
    if library == "pandas" and hasattr(data, "to_dict") and hasattr(data, "columns"):
        return _pandas_rows(data)
    if library == "polars" and hasattr(data, "collect") and not hasattr(data, "to_dicts"):
        data = data.collect()
    for method in ("to_dicts", "to_pylist"):  # polars, pyarrow
        if hasattr(data, method) and hasattr(data, "schema"):
            rows: list[DataRecord] = getattr(data, method)()
            return rows
    return None


def _pandas_rows(data: Any) -> Iterator[DataRecord]:
    """Rows of a pandas frame; a missing cell (NaN, NaT or NA) is absent."""
    columns = [str(column) for column in data.columns]
    _refuse_equal_columns("the table", columns)
    for cells in data.itertuples(index=False, name=None):
        yield {
            column: None if _is_missing(cell) else cell for column, cell in zip(columns, cells, strict=True)
        }  # fmt: skip


def _refuse_equal_columns(source: str, columns: Sequence[str]) -> None:
    for column, times in Counter(columns).items():
        if times > 1:
            raise InvalidInput.of("data", f"{source} has {times} columns named {column!r}; rename all but one")


def _is_missing(cell: Any) -> bool:
    if type(cell).__name__ in _PANDAS_MISSING:
        return True
    return isinstance(cell, float) and math.isnan(cell)


# Files


def _file(path: Path) -> _NamedRows:
    if not path.exists():
        raise InvalidInput.of("data", f"data names the file {path}, which does not exist{_beside(path)}")
    kind = path.suffix.lower()
    try:
        refuse_unreadable(path)
        if kind in (".jsonl", ".ndjson") and path.is_file():
            return _NamedRows(path.name, list(_json_lines(path)))
        if kind == ".json" and path.is_file():
            return _NamedRows(path.name, _json_list(path))
        table = open_table(path)
        _refuse_equal_columns(path.name, table.columns)
        rows: list[tuple[str, DataRecord]] = [
            (f"{path.name}, {table.unit} {number}", dict(zip(table.columns, cells, strict=True)))
            for number, cells in table.rows(table.columns)
        ]
    except OSError as bad:
        raise InvalidInput.of("data", f"{path} cannot be read: {bad.strerror or bad}") from None
    return _NamedRows(path.name, rows, is_text=kind in (".csv", ".tsv"))


def _beside(path: Path) -> str:
    try:
        names = [other.name for other in path.parent.iterdir() if other.exists() and other.suffix.lower() in SUFFIXES]
    except OSError:
        return f"; nor does the folder {path.parent}"
    near = nearest(path.name, names)
    return f"; did you mean {near}?" if near else "; check the path"


def _json_lines(path: Path) -> Iterator[tuple[str, DataRecord]]:
    with path.open("rb") as file:
        for number, line in lines(path, file):
            if line.strip():
                where = f"{path.name}, line {number}"
                yield where, _object(where, _read_json(where, line))


def _json_list(path: Path) -> list[tuple[str, DataRecord]]:
    content = _read_json(path.name, path.read_bytes().removeprefix(codecs.BOM_UTF8))
    if not isinstance(content, list):
        raise InvalidInput(f"{path.name} holds no list; write a list of objects, one per row")
    wheres = [f"{path.name}, row {number}" for number in range(1, len(content) + 1)]
    return [(where, _object(where, row)) for where, row in zip(wheres, content, strict=True)]


def _read_json(where: str, text: bytes) -> Any:
    try:
        return jsonvalue.read(text)
    except InvalidInput as bad:
        raise InvalidInput(f"{where}: {bad.message.replace('the body', 'this', 1)}; fix it") from None


def _object(where: str, row: Any) -> DataRecord:
    if not isinstance(row, dict):
        raise InvalidInput(f'{where} is {short(row)}, not an object; write {{"input": …, "expected_output": …}}')
    return row


# From a row to an item


def _require_input(source: str, columns: Sequence[str]) -> None:
    if "input" in columns:
        return
    near = nearest("input", columns)
    remedy = f"rename {near!r} to 'input'" if near else _FIRST_REMEDY
    raise InvalidInput.of("data", f"{source} has no column 'input', only {_listed(columns)}; {remedy}")


def _listed(columns: Sequence[str]) -> str:
    return list_some(columns, _SHOWN_COLUMNS) or "columns without a name"


def _item(where: str, record: DataRecord, is_text: bool) -> EvaluationItem:
    if is_text:  # an empty cell is the only way of CSV to leave something out
        record = {key: cell for key, cell in record.items() if cell or key == "input"}
    plain = {
        key: cell if is_plain_text(cell) else plain_json(cell, f"{where}: {key}")
        for key, cell in record.items()
        if cell is not None
    }
    if plain.get("input") is None:
        raise InvalidInput(f'{where} has no input; give one, an empty text "" is fine')
    return EvaluationItem(
        _id(where, plain.get("id")), plain["input"], plain.get("expected_output"), _metadata(where, plain, is_text)
    )


def _id(where: str, id: Any) -> str | None:
    if id is None:
        return None
    text = "" if isinstance(id, bool) or not isinstance(id, str | int) else str(id)
    if not text.strip() or len(text) > NAME_LIMIT:
        words = f"use a text of 1 to {NAME_LIMIT} characters that are not all blank, or a whole number"
        raise InvalidInput(f"{where}: id is {short(id)}; {words}")
    return text


def _metadata(where: str, plain: DataRecord, is_text: bool) -> dict[str, Any] | None:
    """The column `metadata`, merged with all columns that have no other meaning."""
    metadata = plain.get("metadata")
    if is_text and metadata is not None:
        metadata = _read_json(f"{where}: metadata", metadata.encode())
    if metadata is not None and not isinstance(metadata, dict):
        raise InvalidInput(f'{where}: metadata is {short(metadata)}, not an object; write {{"key": value}}')
    others = {key: value for key, value in plain.items() if key not in COLUMNS}
    if not others:
        return metadata or None
    for key in others.keys() & (metadata or {}).keys():
        raise InvalidInput(f"{where}: {key!r} is a column and also a key of metadata; rename one of them")
    return {**(metadata or {}), **others} or None


def _refuse_equal_ids(wheres: Sequence[str], items: Sequence[EvaluationItem]) -> None:
    first: dict[str, str] = {}
    for where, item in zip(wheres, items, strict=True):
        if item.id is None:
            continue
        if item.id in first:
            raise InvalidInput.of("data", f"{first[item.id]} and {where} have the same id {item.id!r}; ids are unique")
        first[item.id] = where
