"""Records written as JSONL, CSV or Parquet, one after the other: a file may be longer than memory."""

import csv
import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any, BinaryIO, Literal, Protocol

import msgspec

from gnomon.errors import NotAvailable
from gnomon.extras import install_command
from gnomon.interop.exports.cells import guarded, json_cell
from gnomon.interop.exports.columns import ExportColumn, ExportKind, Type
from gnomon.interop.exports.records import VERSION, ExportRow, Record, heading
from gnomon.model.moment import iso

FileFormat = Literal["jsonl", "csv", "parquet"]
_GROUP_ROWS = 10_000
_GROUP_CHARACTERS = 32 << 20
"""A group of rows of Parquet is written when it has so many rows or so much text."""


class ExportWriter(Protocol):
    rows: int
    """Lines or rows that were written, without a heading."""

    def write(self, record: Record) -> None: ...

    def finish(self) -> None:
        """Write what is still held back."""


def open_writer(format: FileFormat, file: BinaryIO, kind: ExportKind, columns: Sequence[ExportColumn]) -> ExportWriter:
    """Begin to write. `columns` are those of a table."""
    if format == "jsonl":
        return _JsonLines(file, kind)
    if format == "csv":
        return _Csv(file, columns)
    return _Parquet(file, kind, columns)


class _JsonLines:
    def __init__(self, file: BinaryIO, kind: ExportKind) -> None:
        self.rows = 0
        self._file, self._encode = file, msgspec.json.Encoder().encode
        self._add(heading(kind))

    def write(self, record: Record) -> None:
        self._add(record.line())
        self.rows += 1

    def finish(self) -> None:
        """Do nothing: every line is written at once."""

    def _add(self, line: dict[str, Any]) -> None:
        self._file.write(self._encode(line) + b"\n")


class _Csv:
    """RFC 4180, UTF-8. Texts are guarded against spreadsheets; numbers are left as they are."""

    def __init__(self, file: BinaryIO, columns: Sequence[ExportColumn]) -> None:
        self.rows = 0
        self._file, self._columns = file, columns
        self._text = io.StringIO(newline="")
        self._writer = csv.writer(self._text, lineterminator="\r\n")
        self._add([guarded(column.name) for column in columns])

    def write(self, record: Record) -> None:
        for row in record.rows():
            self._add([_csv_cell(row.get(column.name), column.type) for column in self._columns])
            self.rows += 1

    def finish(self) -> None:
        """Do nothing: every line is written at once."""

    def _add(self, cells: list[str]) -> None:
        self._writer.writerow(cells)
        self._file.write(self._text.getvalue().encode())
        self._text.seek(0)
        self._text.truncate()


def _csv_cell(value: Any, type: Type) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, datetime):
        return iso(value)
    return guarded(_text(value, type) or "")


def _text(value: Any, type: Type) -> str | None:
    return json_cell(value) if type == "json" else value


class _Parquet:
    """Typed columns; JSON as text, in the same cells as in CSV but for the guard."""

    def __init__(self, file: BinaryIO, kind: ExportKind, columns: Sequence[ExportColumn]) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise NotAvailable(f"writing Parquet needs pyarrow; run: {install_command('analytics')}") from None
        self.rows = 0
        self._pa, self._columns = pa, columns
        types: dict[Type, Any] = {
            "text": pa.string(), "json": pa.string(), "integer": pa.int64(), "number": pa.float64(),
            "flag": pa.bool_(), "moment": pa.timestamp("ms", "UTC"),
        }  # fmt: skip
        about = {"gnomon_export": str(VERSION), "kind": kind}
        self._schema = pa.schema([(column.name, types[column.type]) for column in columns], about)
        self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._held: list[ExportRow] = []
        self._characters = 0

    def write(self, record: Record) -> None:
        for row in record.rows():
            cells = {column.name: _parquet_cell(row.get(column.name), column.type) for column in self._columns}
            self._held.append(cells)
            self._characters += sum(len(cell) for cell in cells.values() if isinstance(cell, str))
            self.rows += 1
        if len(self._held) >= _GROUP_ROWS or self._characters >= _GROUP_CHARACTERS:
            self._write_group()

    def finish(self) -> None:
        self._write_group()
        self._writer.close()

    def _write_group(self) -> None:
        if self._held:
            self._writer.write_batch(self._pa.RecordBatch.from_pylist(self._held, self._schema))
            self._held, self._characters = [], 0


def _parquet_cell(value: Any, type: Type) -> Any:
    if type == "json":
        return json_cell(value)
    return float(value) if type == "number" and value is not None else value
