"""Files of rows: CSV, TSV, JSONL, JSON and Parquet, read row by row, with the place of each row for messages.

What the columns mean is for tables.py and for whoever scores a file.
"""

import codecs
import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from gnomon.errors import InvalidInput, NotAvailable
from gnomon.extras import install_command
from gnomon.model.jsonvalue import why_not_json
from gnomon.shorten import count_more, counted, shorten_repr

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


@dataclass(slots=True)
class BadLines:
    """Lines that cannot be read: refused, or skipped and counted. `remedy` is for readers that cannot skip."""

    path: Path
    skip: bool = False
    remedy: str | None = "fix it, or leave such lines out with --skip-bad-lines"
    lines: dict[int, str] = field(default_factory=dict)
    """What is wrong, by line: a file may be read twice."""

    def add(self, line: int, problem: str, remedy: str | None = None) -> None:
        if not self.skip:
            raise InvalidInput(f"{self.path.name}, line {line} {problem}; {self.remedy or remedy or 'fix it'}")
        self.lines.setdefault(line, f"{self.path.name}, line {line} {problem}")

    @property
    def note(self) -> str | None:
        """How many were skipped, and what was wrong with the first; None where there was none."""
        if not self.lines:
            return None
        first = next(iter(self.lines.values()))
        return count_more(f"skipped {counted(len(self.lines), 'line')}: {first}", len(self.lines))


def refuse_unreadable(path: Path) -> None:
    """Refuse what holds nothing: a folder, and a file without content. Raises `OSError` where there is no file."""
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder; name a file in it")
    with path.open("rb") as file:
        if not file.read(1 << 20).strip() and not file.read(1):
            raise InvalidInput(f"{path.name} is empty; name a file with rows in it")


def delimiter_of(path: Path) -> str:
    """What separates the cells of a CSV file: a comma, or where its first line has none, a semicolon or a tab."""
    if path.suffix.lower() == ".tsv":
        return "\t"
    with path.open("rb") as file:
        return first_delimiter(file.readline(LONGEST_LINE))


def first_delimiter(line: bytes) -> str:
    """The delimiter of a CSV file, by its first line."""
    return next((mark for mark in ",;\t" if mark.encode() in line), ",")


def open_table(path: Path, bad_lines: BadLines | None = None) -> TableFile:
    """A file with columns. Without `bad_lines`, a line that cannot be read is refused."""
    refuse_unreadable(path)
    bad = bad_lines or BadLines(path, remedy=None)
    kind = path.suffix.lower()
    if kind in (".csv", ".tsv"):
        return _csv_file(path, delimiter_of(path), bad)
    if kind in (".jsonl", ".ndjson"):
        return _json_file(path, "line", lambda: _json_lines(path, bad))
    if kind == ".json":
        records = _json_list(path)
        return _json_file(path, "row", lambda: iter(records))
    if kind == ".parquet":
        return _parquet_file(path)
    raise InvalidInput(f"{path.name} is not .csv, .tsv, .jsonl, .json or .parquet; convert it to one of them")


def _csv_file(path: Path, delimiter: str, bad: BadLines) -> TableFile:
    with path.open("rb") as file:
        header = next((cells for _, cells in _csv_cells(path, file, delimiter)), None)
    if header is None:
        raise InvalidInput(f"{path.name} is empty; its first line must name the columns")

    def rows(columns: list[str]) -> Iterator[tuple[int, Cells]]:
        indexes = [header.index(column) for column in columns]
        chosen: Callable[[list[str]], Cells] = itemgetter(*indexes) if len(indexes) > 1 else lambda c: [c[indexes[0]]]
        with path.open("rb") as file:
            numbered = _csv_cells(path, file, delimiter)
            next(numbered)
            for line, cells in numbered:
                if len(cells) == len(header):
                    yield line, chosen(cells)
                else:
                    problem = f"has {counted(len(cells), 'cell')} where the first has {len(header)}"
                    bad.add(line, problem, "quote cells that hold a separator")

    return TableFile(path, "line", header, rows)


def _csv_cells(path: Path, file: BinaryIO, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    reader = csv.reader(text_lines(path, file), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            if cells and cells != [""]:
                yield reader.line_num, cells
    except csv.Error as bad:
        message = f"{path.name}, line {reader.line_num} is not CSV ({bad})"
        raise InvalidInput(f"{message}; quote cells that hold quotes or line ends") from None


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
        raise InvalidInput(f"{path.name} holds no object with keys; write one JSON object per row")

    def rows(wanted: list[str]) -> Iterator[tuple[int, Cells]]:
        for number, record in records():
            yield number, [record.get(column) for column in wanted]

    return TableFile(path, unit, list(columns), rows)


def _json_lines(path: Path, bad: BadLines) -> Iterator[tuple[int, dict[str, Any]]]:
    decode = msgspec.json.Decoder(float_hook=str).decode  # text keeps the digits that were written
    with path.open("rb") as file:
        for number, line in lines(path, file):
            if not line.strip():
                continue
            try:
                record = decode(line)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
                bad.add(number, f"is not JSON ({why_not_json(line, fault)})", "write one object per line")
                continue
            if isinstance(record, dict):
                yield number, record
            else:
                bad.add(number, f"is {short(record)}, not an object", "write one with keys")


def _json_list(path: Path) -> list[tuple[int, dict[str, Any]]]:
    with path.open("rb") as file:
        content = file.read(LONGEST_LINE + 1)
    if len(content) > LONGEST_LINE:
        message = f"{path.name} is longer than {LONGEST_LINE >> 20} MiB"
        raise InvalidInput(f"{message}; write one object per line into a .jsonl file")
    try:
        value = msgspec.json.Decoder(float_hook=str).decode(content.removeprefix(codecs.BOM_UTF8))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as bad:
        why = why_not_json(content, bad)
        raise InvalidInput(f"{path.name} is not JSON ({why}); write a list of objects") from None
    if not isinstance(value, list):
        raise InvalidInput(f"{path.name} holds no list; write a list of objects, one per row")
    return [(number, _as_object(path, "row", number, record)) for number, record in enumerate(value, 1)]


def _as_object(path: Path, unit: str, number: int, record: Any) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise InvalidInput(f"{path.name}, {unit} {number} is {short(record)}, not an object; write one with keys")
    return record


def _parquet_file(path: Path) -> TableFile:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise NotAvailable(f"reading {path.name} needs pyarrow; run: {install_command('analytics')}") from None

    def unreadable(bad: Exception) -> InvalidInput:
        return InvalidInput(f"{path.name} cannot be read as Parquet ({str(bad).splitlines()[0]}); write it again")

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
    return shorten_repr(cell, 60)
