"""Runs as columns, and columns as the frame of a library. The libraries are loaded when they are asked for."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from gnomon.errors import NotAvailable
from gnomon.extras import install_command
from gnomon.model.experiment import Run

if TYPE_CHECKING:
    import polars

ColumnKind = Literal["text", "whole", "real", "bool"]

_LARGEST_WHOLE = 2**63


@dataclass(frozen=True, slots=True)
class FrameColumn:
    """Values of one kind; None where there is none."""

    name: str
    kind: ColumnKind
    values: list[Any]


def columns_of(runs: Iterable[Run]) -> list[FrameColumn]:
    """A row per run. What is not a scalar, or differs in kind from its column, is JSON text."""
    rows = list(runs)
    columns = [
        FrameColumn("item_id", "text", [run.dataset_item_id for run in rows]),
        FrameColumn("trial", "whole", [run.trial for run in rows]),
        _column("input", [run.input for run in rows]),
        _column("output", [run.output for run in rows]),
        _column("expected_output", [run.expected_output for run in rows]),
        FrameColumn("error", "text", [_error(run) for run in rows]),
        FrameColumn("trace_id", "text", [run.trace_id for run in rows]),
    ]
    taken = {column.name for column in columns}
    for name, values, rationales in _scores(rows):
        columns.append(_column(_unused(name, taken), values))
        if any(text is not None for text in rationales):
            columns.append(FrameColumn(_unused(f"{name}.rationale", taken), "text", rationales))
    return columns


def as_polars(columns: Sequence[FrameColumn]) -> "polars.DataFrame":
    pl = _library("polars", install_command("analytics"))
    types = {"text": pl.String, "whole": pl.Int64, "real": pl.Float64, "bool": pl.Boolean}
    frame: polars.DataFrame = pl.DataFrame(
        [pl.Series(column.name, column.values, dtype=types[column.kind]) for column in columns]
    )
    return frame


def as_arrow(columns: Sequence[FrameColumn]) -> Any:
    pa = _library("pyarrow", install_command("analytics"))
    types = {"text": pa.string(), "whole": pa.int64(), "real": pa.float64(), "bool": pa.bool_()}
    return pa.table({column.name: pa.array(column.values, types[column.kind]) for column in columns})


def as_pandas(columns: Sequence[FrameColumn]) -> Any:
    pd = _library("pandas", "pip install pandas")
    return pd.DataFrame({column.name: _pandas_values(pd, column) for column in columns})


def _pandas_values(pd: Any, column: FrameColumn) -> Any:
    """Plain NumPy types, as most code expects them; whole numbers and bools with gaps keep their type beside NA."""
    gaps = any(value is None for value in column.values)
    types = {"text": object, "real": "float64", "whole": "Int64" if gaps else "int64", "bool": "boolean"}
    return pd.Series(column.values, dtype="bool" if column.kind == "bool" and not gaps else types[column.kind])


def _library(name: str, remedy: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        words = f"to_{name.removeprefix('py')} needs {name}, which is not installed; install it with: {remedy}"
        raise NotAvailable(words) from None


def _scores(runs: Sequence[Run]) -> list[tuple[str, list[Any], list[str | None]]]:
    """Each scorer's values and rationales, row by row. Of several scores of one scorer the newest counts."""
    newest = [{score.scorer_name: score for score in reversed(run.scores)} for run in runs]  # newest first in a run
    names = sorted({name for row in newest for name in row})
    return [
        (
            name,
            [row[name].value if name in row else None for row in newest],
            [row[name].rationale if name in row else None for row in newest],
        )
        for name in names
    ]


def _unused(name: str, taken: set[str]) -> str:
    """The name, with `score.` before it where a scorer is named like another column."""
    while name in taken:
        name = f"score.{name}"
    taken.add(name)
    return name


def _error(run: Run) -> str | None:
    if run.error is None:
        return None
    return f"{run.error.type}: {run.error.message}" if run.error.type else run.error.message


def _column(name: str, values: list[Any]) -> FrameColumn:
    kinds = {_kind(value) for value in values if value is not None}
    if kinds == {"whole", "real"}:
        return FrameColumn(name, "real", [None if value is None else float(value) for value in values])
    if len(kinds) == 1 and (kind := kinds.pop()) is not None:
        return FrameColumn(name, kind, values)
    return FrameColumn(name, "text", [_as_text(value) for value in values])


def _kind(value: Any) -> ColumnKind | None:
    """None for what no column of scalars can hold."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "whole" if -_LARGEST_WHOLE <= value < _LARGEST_WHOLE else None
    return "real" if isinstance(value, float) else None


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
