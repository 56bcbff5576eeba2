"""Experiments that are files of results: `gnomon compare base.csv other.csv`, `gnomon gate a --file results.csv`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.backend import open_backend
from gnomon.errors import InvalidInput
from gnomon.shorten import list_some

if TYPE_CHECKING:
    from gnomon.interop.columns import ColumnNames
    from gnomon.interop.resulttables import LongTable
    from gnomon.model.backend import Backend

SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
_SHOWN = 10

columns_flag = click.option(
    "--columns", metavar="FIELD=COLUMN,…",
    help="Column names, where they differ from the usual ones: agent=model,item=question,value=score.",
)  # fmt: skip


def file_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags of a command whose experiments may be in files."""
    file = click.option(
        "--file", "files", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
        help="Take the experiments from this file, where a column names them (agent, model, experiment, …).",
    )  # fmt: skip
    return file(columns_flag(command))


def read_columns(text: str | None) -> "ColumnNames":
    """What `--columns` says."""
    if text is None:
        return {}
    from gnomon.interop.columns import parse_columns
    from gnomon.interop.resulttables import FIELDS

    return parse_columns(text, FIELDS)


def is_file(name: str) -> bool:
    return name.lower().endswith(SUFFIXES)


@contextmanager
def open_experiments(
    names: Sequence[str], files: Sequence[Path], columns: str | None, *, quiet: bool, url: str | None,
    key: str | None, db: str | None, **stored: str | None,
) -> Iterator["Backend"]:  # fmt: skip
    """The backend that knows the experiments of these names: a server, a database, or one made of files.

    `stored` are the flags that have a meaning for stored experiments only.
    """
    named_files = [name for name in names if is_file(name)]
    if not (named_files or files):
        if columns is not None:
            raise InvalidInput("--columns is for files of results; name a file, or leave it out")
        with open_backend(url, key, db) as backend:
            yield backend
        return
    for flag, value in {"url": url, "db": db, **stored}.items():
        if value is not None:
            raise InvalidInput(f"--{flag} is for stored experiments, not for files; leave it out")
    _refuse_mixture(names, named_files, files)
    from gnomon.service.exchange.resultfiles import ResultFile, stored_for_a_moment

    mapping = read_columns(columns)
    tables = [_scores(path, mapping) for path in files or map(Path, dict.fromkeys(named_files))]
    if files:
        _refuse_unknown(names, tables)
        results = [ResultFile(table) for table in tables]
    else:
        by_name = zip(dict.fromkeys(named_files), tables, strict=True)
        results = [ResultFile(_of_one(table), name) for name, table in by_name]
    if not quiet:
        show.file_notes({table.source: table.notes for table in tables})
    rows = 0

    def on_run(count: int) -> None:
        nonlocal rows
        rows += count
        progress(rows)

    with show.progress("reading", quiet=quiet) as progress, stored_for_a_moment(results, on_run) as backend:
        yield backend


def two_of_one_file(path: Path, columns: str | None) -> tuple[str, str]:
    """The two experiments of a file, in the order in which it has them."""
    table = _scores(path, read_columns(columns))
    agents = list(dict.fromkeys(table.agents))
    if len(agents) != 2:
        counted_names = f"{path.name} has {len(agents)} experiments: {list_some(agents, _SHOWN)}"
        if len(agents) == 1:
            raise InvalidInput(f"{counted_names}; name the file of the other one too: gnomon compare BASE {path.name}")
        raise InvalidInput(f"{counted_names}; name two: gnomon compare {agents[0]} {agents[1]} --file {path.name}")
    return agents[0], agents[1]


def _scores(path: Path, columns: "ColumnNames") -> "LongTable":
    from gnomon.interop.resulttables import LongTable, read_table

    table = read_table(path, columns=columns, with_texts=True)
    if not isinstance(table, LongTable):
        raise InvalidInput(f"{table.source} has no scores of items; columns are item and value, one score per row")
    return table


def _of_one(table: "LongTable") -> "LongTable":
    agents = list(dict.fromkeys(table.agents))
    if len(agents) > 1:
        words = f"{table.source} has several experiments: {list_some(agents, _SHOWN)}"
        raise InvalidInput(f"{words}; name one of them and give --file {table.source}")
    return table


def _refuse_mixture(names: Sequence[str], named_files: Sequence[str], files: Sequence[Path]) -> None:
    if files and named_files:
        raise InvalidInput(f"{named_files[0]} and --file both name files; with --file, name experiments that are in it")
    if len(named_files) > len(set(named_files)):
        raise InvalidInput(f"{named_files[0]} is named twice; a file cannot be compared with itself; name another one")
    others = [name for name in names if not is_file(name)]
    if named_files and others:
        words = f"{named_files[0]} is a file and {others[0]} a stored experiment"
        raise InvalidInput(f"{words}; import the file first: gnomon import {named_files[0]}")


def _refuse_unknown(names: Sequence[str], tables: "Sequence[LongTable]") -> None:
    from gnomon.model.nearest import nearest

    known = list(dict.fromkeys(agent for table in tables for agent in table.agents))
    sources = " and ".join(table.source for table in tables)
    for name in names:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {near!r}?" if near else f"there are {list_some(known, _SHOWN)}"
            raise InvalidInput(f"{sources} has no experiment {name!r}; {hint}")
