"""Files of rows: CSV, TSV, JSONL, JSON and Parquet, read row by row, with the place of each row for messages.

What the columns mean is for tables.py and for whoever scores a file.
"""

import codecs
import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from gnomon.errors import InvalidInput, NotAvailable

LONGEST_LINE = 64 << 20

Cells = Sequence[Any]


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file whose columns are known. `rows` reads the columns asked for: (line, cells in that order)."""

    path: Path
    unit: str
    columns: list[str]
    rows: Callable[[list[str]], Iterator[tuple[int, Cells]]]

    def wrong(self, line: int, problem: str) -> InvalidInput:
        return InvalidInput(f"{self.path.name}, {self.unit} {line}: {problem}")


# What the columns mean


def open_table(path: Path) -> TableFile:
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder; name a file in it")
    kind = path.suffix.lower()
    if kind in (".csv", ".tsv"):
        return _csv_file(path, "\t" if kind == ".tsv" else ",")
    if kind in (".jsonl", ".ndjson"):
        return _json_file(path, "line", lambda: _json_lines(path))
    if kind == ".json":
        records = _json_list(path)
        return _json_file(path, "row", lambda: iter(records))
    if kind == ".parquet":
        return _parquet_file(path)
    raise InvalidInput(f"{path.name} is not .csv, .tsv, .jsonl, .json or .parquet; convert it to one of them")


def _csv_file(path: Path, delimiter: str) -> TableFile:
    with path.open("rb") as file:
        header = next((cells for _, cells in _csv_cells(path, file, delimiter)), None)
    if header is None:
        raise InvalidInput(f"{path.name} is empty; its first line must name the columns")

    def rows(columns: list[str]) -> Iterator[tuple[int, Cells]]:
        places = [header.index(column) for column in columns]
        chosen: Callable[[list[str]], Cells] = itemgetter(*places) if len(places) > 1 else lambda c: [c[places[0]]]
        with path.open("rb") as file:
            numbered = _csv_cells(path, file, delimiter)
            next(numbered)
            for line, cells in numbered:
                if len(cells) != len(header):
                    said = f"{path.name}, line {line} has {len(cells)} cells where the first has {len(header)}"
                    raise InvalidInput(f"{said}; quote cells that hold a separator")
                yield line, chosen(cells)

    return TableFile(path, "line", header, rows)


def _csv_cells(path: Path, file: BinaryIO, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    reader = csv.reader(text_lines(path, file), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            if cells and cells != [""]:
                yield reader.line_num, cells
    except csv.Error as bad:
        said = f"{path.name}, line {reader.line_num} is not CSV ({bad})"
        raise InvalidInput(f"{said}; quote cells that hold quotes or line ends") from None


def text_lines(path: Path, file: BinaryIO) -> Iterator[str]:
    for number, line in lines(path, file):
        try:
            yield line.decode()
        except UnicodeDecodeError:
            raise InvalidInput(f"{path.name}, line {number} is not UTF-8; save the file as UTF-8") from None


def lines(path: Path, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise InvalidInput(f"{path.name}, line {number} is longer than {LONGEST_LINE >> 20} MiB; split the file up")
        yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line


Records = Iterable[tuple[int, dict[str, Any]]]


def _json_file(path: Path, unit: str, records: Callable[[], Records]) -> TableFile:
    """Objects need not have the same keys, so one reading finds the keys and another the values."""
    columns: dict[str, None] = {}
    for _, record in records():
        if not record.keys() <= columns.keys():
            columns.update(dict.fromkeys(record))
    if not columns:
        raise InvalidInput(f"{path.name} holds no object with keys; write one JSON object a row")

    def rows(wanted: list[str]) -> Iterator[tuple[int, Cells]]:
        for number, record in records():
            yield number, [record.get(column) for column in wanted]

    return TableFile(path, unit, list(columns), rows)


def _json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    decode = msgspec.json.Decoder(float_hook=str).decode  # text keeps the digits that were written
    with path.open("rb") as file:
        for number, line in lines(path, file):
            if not line.strip():
                continue
            try:
                record = decode(line)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as bad:
                raise InvalidInput(f"{path.name}, line {number} is not JSON ({bad}); write one object a line") from None
            yield number, _as_object(path, "line", number, record)


def _json_list(path: Path) -> list[tuple[int, dict[str, Any]]]:
    with path.open("rb") as file:
        content = file.read(LONGEST_LINE + 1)
    if len(content) > LONGEST_LINE:
        said = f"{path.name} is longer than {LONGEST_LINE >> 20} MiB"
        raise InvalidInput(f"{said}; write one object a line into a .jsonl file")
    try:
        found = msgspec.json.Decoder(float_hook=str).decode(content.removeprefix(codecs.BOM_UTF8))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as bad:
        raise InvalidInput(f"{path.name} is not JSON ({bad}); write a list of objects") from None
    if not isinstance(found, list):
        raise InvalidInput(f"{path.name} holds no list; write a list of objects, one a row")
    return [(number, _as_object(path, "row", number, record)) for number, record in enumerate(found, 1)]


def _as_object(path: Path, unit: str, number: int, record: Any) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise InvalidInput(f"{path.name}, {unit} {number} is {short(record)}, not an object; write one with keys")
    return record


def _parquet_file(path: Path) -> TableFile:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise NotAvailable(f"reading {path.name} needs pyarrow; install gnomon[analytics]") from None

    def unreadable(bad: Exception) -> InvalidInput:
        return InvalidInput(f"{path.name} cannot be read as Parquet ({str(bad).splitlines()[0]}); write it anew")

    def rows(columns: list[str]) -> Iterator[tuple[int, Cells]]:
        number = 0
        try:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(batch_size=10_000, columns=columns):
                    cells = [batch[column].to_pylist() for column in columns]
                    yield from enumerate(zip(*cells, strict=True), number + 1)
                    number += batch.num_rows
        except (pa.ArrowException, UnicodeError) as bad:
            raise unreadable(bad) from None

    try:
        with pq.ParquetFile(path) as file:
            return TableFile(path, "row", file.schema_arrow.names, rows)
    except pa.ArrowException as bad:
        raise unreadable(bad) from None


def short(cell: Any) -> str:
    text = repr(cell)
    return text if len(text) <= 60 else f"{text[:57]}…"
