"""Score a file of outputs chunk by chunk: Parquet, JSONL or CSV in, Parquet or JSONL out.

Memory holds one chunk, however long the file is. What comes back are tallies that can be merged; the
interval around a mean is the caller's to add. Nothing is stored, and a run that breaks off leaves no file
behind. JSONL and CSV need no extra: without it the rules run row by row, with the same answers.
"""

import csv
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from gnomon.atomicfile import open_atomically
from gnomon.errors import InvalidInput, NotAvailable
from gnomon.extras import install_command
from gnomon.interop.rows import LONGEST_LINE, BadLines, delimiter_of, lines, refuse_unreadable, text_lines
from gnomon.model.jsonvalue import as_text, why_not_json
from gnomon.model.nearest import did_you_mean
from gnomon.scorers import Absent, Comparison, RuleScorer, Scored, Scorer, ValueKind, config_hash, score_columns
from gnomon.shorten import counted
from gnomon.stats.describe import ItemSums, ScoreSums
from gnomon.stats.resample import RESAMPLED_UP_TO

CHUNK_ROWS = 10_000
CHUNK_BYTES = 8 << 20
SHOWN_SKIPS = 100
SHOWN_KEYS = 30
SCORE_COLUMNS = ("row", "id", "scorer_name", "value", "label", "state", "reason", "config_hash")
ROW_GROUP = 100_000

BulkProgress = Callable[[int, int, int], None]
"""Called after each chunk with the bytes read, the bytes there are, and the rows scored so far."""


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns (CSV, Parquet) or keys (JSONL) are called in the file."""

    output: str = "output"
    expected_output: str = "expected_output"
    id: str = "id"


AS_NAMED = Columns()


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a file. Outputs and expected outputs are lists, or Arrow arrays as they were read."""

    outputs: Any
    expected: Any
    ids: Sequence[Any]
    bytes_read: int


@dataclass(frozen=True, slots=True)
class MeasuredChunk:
    """What one scorer said of a chunk, row by row: a value, or a state (absent, failed) with its reason."""

    values: list[float | str | None]
    states: list[str]
    reasons: list[str | None]


@dataclass(slots=True)
class ScorerTally:
    """What one scorer said of all rows so far. Tallies of one scorer over several files can be merged."""

    scorer_name: str
    config_hash: str
    kind: ValueKind
    n_total: int = 0
    n_scored: int = 0
    n_absent: int = 0
    n_failed: int = 0
    n_ones: int = 0
    n_zeros: int = 0
    total: float = 0.0
    squares: float = 0.0
    cubes: float = 0.0
    first_numbers: list[float] = field(default_factory=list)
    """All of them, as long as they are few enough to resample."""
    minimum: float | None = None
    maximum: float | None = None
    labels: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def all_binary(self) -> bool:
        return self.n_scored > 0 and self.n_ones + self.n_zeros == self.n_scored

    @property
    def mean(self) -> float | None:
        sums = self.sums()
        return None if sums is None else sums.mean

    def sums(self) -> ScoreSums | None:
        """All that an interval needs, with each row as its own item. None when there is no number."""
        if self.minimum is None or self.maximum is None:
            return None
        n, total, squares = self.n_scored, self.total, self.squares
        return ScoreSums(
            clusters=n, scores=n, count_squares=n, count_cubes=n, singles=n, within=0.0,
            total=total, total_by_count=total, total_by_square=total,
            total_squares=squares, squares_by_count=squares, value_squares=squares, total_cubes=self.cubes,
            lowest_cluster_mean=self.minimum, highest_cluster_mean=self.maximum,
            minimum=self.minimum, maximum=self.maximum,
        )  # fmt: skip

    def items(self) -> list[tuple[ItemSums, int]]:
        """Each row as an item that lacks no score; only where there are few enough to resample."""
        return [(ItemSums.of([value]), 0) for value in self.first_numbers]

    def add(self, chunk: MeasuredChunk) -> None:
        numbers = [value for value in chunk.values if isinstance(value, float)]
        self.n_total += len(chunk.values)
        self.n_scored += chunk.states.count("scored")
        self.n_absent += chunk.states.count("absent")
        self.n_failed += chunk.states.count("failed")
        self.n_ones += numbers.count(1.0)
        self.n_zeros += numbers.count(0.0)
        self.total += math.fsum(numbers)
        self.squares += math.fsum(value * value for value in numbers)
        self.cubes += math.fsum(value * value * value for value in numbers)
        self._keep(numbers)
        self.labels.update(value for value in chunk.values if isinstance(value, str))
        self.reasons.update(reason for reason in chunk.reasons if reason is not None)
        if numbers:
            self._widen(min(numbers), max(numbers))

    def merge(self, other: "ScorerTally") -> None:
        if (self.scorer_name, self.config_hash) != (other.scorer_name, other.config_hash):
            raise InvalidInput(
                f"{self.scorer_name} and {other.scorer_name} are two scorers; merge the scores of one scorer at a time"
            )
        for name in ("n_total", "n_scored", "n_absent", "n_failed", "n_ones", "n_zeros", "total", "squares", "cubes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self._keep(other.first_numbers)
        self.labels.update(other.labels)
        self.reasons.update(other.reasons)
        if other.minimum is not None and other.maximum is not None:
            self._widen(other.minimum, other.maximum)

    def _keep(self, numbers: Sequence[float]) -> None:
        self.first_numbers.extend(numbers[: RESAMPLED_UP_TO - len(self.first_numbers)])

    def _widen(self, low: float, high: float) -> None:
        self.minimum = low if self.minimum is None else min(self.minimum, low)
        self.maximum = high if self.maximum is None else max(self.maximum, high)


@dataclass(frozen=True, slots=True)
class FileScores:
    path: Path
    rows: int
    tallies: tuple[ScorerTally, ...]
    """One a scorer, in the order asked for."""
    out: Path | None
    skipped: int
    """Lines that could not be read, when the caller said to go on without them."""
    skips: tuple[str, ...]
    """What was wrong with the first hundred of them."""


def score_file(
    path: Path,
    scorers: Sequence[tuple[str, Scorer]],
    out: Path | None = None,
    on_progress: BulkProgress | None = None,
    *,
    columns: Columns = AS_NAMED,
    skip_bad_lines: bool = False,
) -> FileScores:
    """Score every row of a file; with `out`, also write each score, or why there is none."""
    rules = [_rule(scorer) for _, scorer in scorers]
    tallies = tuple(ScorerTally(name, config_hash(scorer), scorer.kind) for name, scorer in scorers)
    if len({tally.scorer_name for tally in tallies}) < len(tallies):
        raise InvalidInput("two scorers have the same name; give them different names")
    skips, rows = BadLines(path, skip_bad_lines), 0
    compares = any(isinstance(rule, Comparison) and rule.expected_output is None for rule in rules)
    try:
        refuse_unreadable(path)
        size = path.stat().st_size
        with scores_file(path, out) as write:
            for chunk in _chunks(path, columns, compares, skips):
                chunks = [_measure(rule, chunk) for rule in rules]
                for tally, measured in zip(tallies, chunks, strict=True):
                    tally.add(measured)
                if write is not None:
                    write(score_rows(rows, chunk, tallies, chunks))
                rows += len(chunk.ids)
                if on_progress is not None:
                    on_progress(chunk.bytes_read, size, rows)
            if not rows:
                raise InvalidInput(f"{path.name} has no row that could be scored; name a file with rows in it")
    except OSError as bad:
        raise InvalidInput(f"{path}: {bad.strerror or bad}; name a file that can be read") from None
    return FileScores(path, rows, tallies, out, len(skips.lines), tuple(islice(skips.lines.values(), SHOWN_SKIPS)))


def _rule(scorer: Scorer) -> RuleScorer:
    if not isinstance(scorer, RuleScorer):
        raise NotAvailable(f"{scorer.name} asks a model, so it scores files as an evaluation: gnomon score --model")
    return scorer


def _measure(rule: RuleScorer, chunk: Chunk) -> MeasuredChunk:
    if _has_analytics():
        scores = score_columns(rule, chunk.outputs, chunk.expected)
        return MeasuredChunk(*map(_listed, (scores.values, scores.states, scores.reasons)))
    results = list(map(rule.measure, chunk.outputs, chunk.expected))
    return MeasuredChunk(
        [result.value if isinstance(result, Scored) else None for result in results],
        [
            "scored" if isinstance(result, Scored) else "absent" if isinstance(result, Absent) else "failed"
            for result in results
        ],
        [None if isinstance(result, Scored) else result.reason for result in results],
    )


def _listed(column: Any) -> list[Any]:
    import polars as pl

    values: list[Any] = pl.Series(column).to_list()  # many times as fast as Arrow's own `to_pylist`
    return values


def _has_analytics() -> bool:
    try:
        import polars  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def _chunks(path: Path, columns: Columns, compares: bool, skips: BadLines) -> Iterator[Chunk]:
    match path.suffix.lower():
        case ".parquet":
            return _parquet_chunks(path, columns, compares)
        case ".csv" | ".tsv":
            return _gathered(_csv_records(path, columns, compares, skips), path, columns, compares)
        case ".jsonl" | ".ndjson":
            return _gathered(_jsonl_records(path, skips), path, columns, compares)
    raise InvalidInput.of("path", f"{path.name} is not .parquet, .jsonl, .ndjson, .csv or .tsv; convert it to one")


def _gathered(
    records: Iterable[tuple[int, dict[str, Any]]], path: Path, columns: Columns, compares: bool
) -> Iterator[Chunk]:
    """Records, each with the number of bytes read so far, as chunks of so many rows or bytes."""
    outputs: list[Any] = []
    expected: list[Any] = []
    ids: list[Any] = []
    unseen, seen = _needed(columns, compares), dict[str, None]()
    started = done = 0
    for done, record in records:
        if unseen:
            unseen -= record.keys()
            seen.update(dict.fromkeys(record) if len(seen) < SHOWN_KEYS else {})
        outputs.append(record.get(columns.output))
        expected.append(record.get(columns.expected_output))
        ids.append(record.get(columns.id))
        if len(ids) == CHUNK_ROWS or done - started > CHUNK_BYTES:
            yield Chunk(outputs, expected, ids, done)
            outputs, expected, ids, started = [], [], [], done
    if ids:
        yield Chunk(outputs, expected, ids, done)
    if seen:
        _refuse_missing(path, unseen, seen)


def _needed(columns: Columns, compares: bool) -> set[str]:
    return {columns.output, columns.expected_output} if compares else {columns.output}


def _refuse_missing(path: Path, missing: set[str], columns: Iterable[str]) -> None:
    if missing:
        known = list(columns)
        missing_names, names = " and no ".join(sorted(missing)), ", ".join(known)
        remedy = "name them with --output-column and --expected-column"
        if len(missing) == 1:
            remedy = did_you_mean(next(iter(missing)), known, remedy)
        raise InvalidInput.of("columns", f"{path.name} has no {missing_names}, it has {names}; {remedy}")


def _jsonl_records(path: Path, skips: BadLines) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open("rb") as file:
        for number, line in lines(path, file):
            if not line.strip():
                continue
            try:
                record = msgspec.json.decode(line)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as bad:
                skips.add(number, f"is not JSON ({why_not_json(line, bad)})")
                continue
            if isinstance(record, dict):
                yield file.tell(), record
            else:
                skips.add(number, "is not a JSON object")


def _csv_records(path: Path, columns: Columns, compares: bool, skips: BadLines) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read rows of CSV. An empty cell is an empty output, but an absent expected output: CSV cannot say otherwise."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    with path.open("rb") as file:
        reader = csv.reader(text_lines(path, file), delimiter=delimiter_of(path), strict=True)
        try:
            header = next(reader, [])
            if len(set(header)) < len(header):
                raise InvalidInput(f"{path.name} names a column twice in its first line; give them different names")
            _refuse_missing(path, _needed(columns, compares) - set(header), header)
            for cells in reader:
                if len(cells) == len(header):
                    named = zip(header, cells, strict=True)
                    yield file.tell(), {name: cell if cell or name == columns.output else None for name, cell in named}
                elif cells:
                    skips.add(
                        reader.line_num, f"has {counted(len(cells), 'cell')} where the first line has {len(header)}"
                    )
        except csv.Error as bad:
            message = (
                f"{path.name}, line {reader.line_num} is not CSV ({bad}); quote cells that hold quotes or line ends"
            )
            raise InvalidInput(message) from None


def _parquet_chunks(path: Path, columns: Columns, compares: bool) -> Iterator[Chunk]:
    if not _has_analytics():
        raise NotAvailable(f"reading {path.name} needs pyarrow and polars; run: {install_command('analytics')}")
    import pyarrow as pa
    import pyarrow.parquet as pq

    size, rows = path.stat().st_size, 0
    try:
        with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
            columns_there = file.schema_arrow.names
            _refuse_missing(path, _needed(columns, compares) - set(columns_there), columns_there)
            used = [name for name in (columns.output, columns.expected_output, columns.id) if name in columns_there]
            for batch in file.iter_batches(batch_size=_batch_rows(file.metadata), columns=used):
                batch.validate(full=True)  # Polars trusts that a text is UTF-8; a file need not be
                rows += batch.num_rows
                nothing = pa.nulls(batch.num_rows)
                outputs, expected, ids = (
                    batch[name] if name in used else nothing
                    for name in (columns.output, columns.expected_output, columns.id)
                )
                yield Chunk(outputs, expected, ids.to_pylist(), size * rows // file.metadata.num_rows)
    except pa.ArrowException as bad:
        why = str(bad).splitlines()[0].rstrip(".")
        raise InvalidInput(f"{path.name} cannot be read as Parquet ({why}); write it again") from None


def _batch_rows(metadata: Any) -> int:
    held: int = sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))
    a_row = held // max(int(metadata.num_rows), 1) + 1
    return max(1, min(CHUNK_ROWS, CHUNK_BYTES // a_row))


WrittenColumns = dict[str, list[Any]]
"""Scores as they are written: columns of the same length."""


def score_rows(
    first: int, chunk: Chunk, tallies: Sequence[ScorerTally], chunks: Sequence[MeasuredChunk]
) -> WrittenColumns:
    """Row after row, and within a row the scorers in the order asked for."""
    many = range(len(chunks))
    ids = [None if id is None else as_text(id) for id in chunk.ids]
    values = _interleaved([measured_chunk.values for measured_chunk in chunks])
    return {
        "row": [row for row in range(first + 1, first + len(ids) + 1) for _ in many],
        "id": [id for id in ids for _ in many],
        "scorer_name": [tally.scorer_name for tally in tallies] * len(ids),
        "value": [None if isinstance(value, str) else value for value in values],
        "label": [value if isinstance(value, str) else None for value in values],
        "state": _interleaved([measured_chunk.states for measured_chunk in chunks]),
        "reason": _interleaved([measured_chunk.reasons for measured_chunk in chunks]),
        "config_hash": [tally.config_hash for tally in tallies] * len(ids),
    }


def _interleaved(columns: Sequence[Sequence[Any]]) -> list[Any]:
    return [value for row in zip(*columns, strict=True) for value in row]


@contextmanager
def scores_file(path: Path, out: Path | None) -> Iterator[Callable[[WrittenColumns], None] | None]:
    """A way to write scores to `out`: it appears whole when all went well, and not at all otherwise."""
    if out is None:
        yield None
        return
    if out.suffix.lower() not in (".jsonl", ".parquet"):
        raise InvalidInput.of("out", f"{out.name} is not .jsonl or .parquet; scores are written as one of them")
    if out.resolve() == path.resolve():
        raise InvalidInput.of("out", f"{out.name} is the file that is read; write to another")
    if not out.parent.is_dir():
        raise InvalidInput.of("out", f"the folder {out.parent} does not exist; make it first, or name another file")
    try:
        writer = _parquet_lines if out.suffix.lower() == ".parquet" else _json_lines
        with open_atomically(out) as file, writer(file) as write:
            yield write
    except OSError as bad:
        if bad.filename == str(path):
            raise
        raise InvalidInput.of("out", f"cannot write {out}: {bad.strerror or bad}; name another file") from None


@contextmanager
def _json_lines(file: BinaryIO) -> Iterator[Callable[[WrittenColumns], None]]:
    encode_lines = msgspec.json.Encoder().encode_lines

    def write(scores: WrittenColumns) -> None:
        file.write(encode_lines([dict(zip(scores, row, strict=True)) for row in zip(*scores.values(), strict=True)]))

    yield write


@contextmanager
def _parquet_lines(file: BinaryIO) -> Iterator[Callable[[WrittenColumns], None]]:
    if not _has_analytics():
        raise NotAvailable(
            f"writing Parquet needs pyarrow and polars; write .jsonl, or run: {install_command('analytics')}"
        )
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"row": pa.int64(), "value": pa.float64()}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in SCORE_COLUMNS])
    waiting: list[Any] = []

    def write(scores: WrittenColumns) -> None:
        waiting.append(pa.table(scores, schema))
        if sum(table.num_rows for table in waiting) >= ROW_GROUP:
            flush()

    def flush() -> None:
        if waiting:
            writer.write_table(pa.concat_tables(waiting))
            waiting.clear()

    with pq.ParquetWriter(file, schema) as writer:
        yield write
        flush()
