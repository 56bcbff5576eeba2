"""`gnomon bench items`: whether a benchmark is any good."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags
from gnomon.cli.bench_foreign import are_foreign, by_folder_flag, read_foreign
from gnomon.cli.flags import as_json
from gnomon.cli.resultfiles import columns_flag, read_columns
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.service.analysis.leaderboard import Trials

    AgentTrials = tuple[dict[str, Trials], list[str]]


@click.command(short_help="Analyse the items of a benchmark.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--dataset", help="Instead of files: the experiments over this dataset (a name or an id).")
@click.option("--scorer", "scorer_name", help="Score to use, with --dataset or files of other tools.")
@click.option("--pass-threshold", type=click.FloatRange(0, 1), default=1.0, show_default=True,
              help="Lowest value that solves an item.")  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, help="Number of items to show, best first."
)
@click.option("--missing", type=click.Choice(["drop", "zero"]), default="drop", show_default=True,
              help="How to count a trial without a value.")  # fmt: skip
@by_folder_flag
@columns_flag
@click.option("--project", help="With --dataset: its project, when several have one of that name.")
@backend_flags
@as_json
def items(
    paths: Sequence[Path], dataset: str | None, scorer_name: str | None, pass_threshold: float, limit: int,
    missing: str, by_folder: bool, columns: str | None, project: str | None, url: str | None, key: str | None,
    db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Analyse each item of a benchmark: its difficulty, whether it separates good agents from weak ones, whether it
    contradicts the ranking of the others, and how few items would keep the ranking.

    PATHS are result tables as `gnomon leaderboard` reads them, a folder of runs, or files and folders of other tools.

    \b
    gnomon bench items results.csv
    gnomon bench items runs --json
    gnomon bench items terminal-bench-runs/ --by-folder
    gnomon bench items --dataset support-questions --scorer correct
    """
    # Its matrix products are too small for several threads, which would only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from gnomon.cli.show.bench import benchmark_items as show_items
    from gnomon.service.analysis.benchitems import benchmark_items

    if dataset is None:
        agents, notes = _in_files(paths, scorer_name, by_folder, columns, as_json)
    else:
        _refuse_columns(columns)
        agents, notes = _stored(paths, dataset, scorer_name, project, url, key, db)
    if missing == "zero":
        for trials in agents.values():
            trials.values = {item: [value or 0.0 for value in values] for item, values in trials.values.items()}
    report = benchmark_items(agents, pass_threshold, notes)
    show.json(report) if as_json else show_items(report, limit)


def _refuse_columns(columns: str | None) -> None:
    if columns is not None:
        raise InvalidInput.of("columns", "--columns is for tables of results; leave it out")


def _in_files(
    paths: Sequence[Path], scorer_name: str | None, by_folder: bool, columns: str | None, quiet: bool
) -> "AgentTrials":
    if not paths:
        raise InvalidInput("nothing to check; name a table of results, a folder of runs, or a --dataset")
    if are_foreign(paths) and not _are_tables(paths):
        _refuse_columns(columns)
        results = read_foreign(paths, by_folder=by_folder, quiet=quiet)
        name = results.ranking_score(scorer_name)
        return results.trials(name), list(results.notes_on(name))
    if scorer_name is not None or by_folder:
        flag = "--by-folder" if scorer_name is None else "--scorer"
        raise InvalidInput(f"{flag} is for files of other tools and for --dataset; leave it out")
    folders = [path for path in paths if path.is_dir()]
    if folders and len(paths) > 1:
        raise InvalidInput(f"{folders[0]} is a folder of runs; give it alone, or give tables only")
    if folders:
        _refuse_columns(columns)
        from gnomon.service.bench.gathering import read_runs
        from gnomon.service.bench.leaderboard import trials_by_agent

        gathered = read_runs(folders[0])
        return trials_by_agent(gathered.runs), gathered.notes
    return _in_tables(paths, columns)


def _are_tables(paths: Sequence[Path]) -> bool:
    """Plain tables are read by their columns, as everywhere else."""
    from gnomon.interop.foreign import table
    from gnomon.interop.foreign.formats import format_of

    return all(path.is_file() and format_of(path) in (None, table.SOURCE) for path in paths)


def _in_tables(paths: Sequence[Path], columns: str | None) -> "AgentTrials":
    from gnomon.interop.resulttables import LongTable, read_table
    from gnomon.service.analysis.leaderboard import agents_in

    tables = [read_table(path, columns=read_columns(columns)) for path in paths]
    for table in tables:
        if not isinstance(table, LongTable):
            raise InvalidInput(f"{table.source} has no score per item; it needs the columns agent, item, value")
    scores = [table for table in tables if isinstance(table, LongTable)]
    return agents_in(scores), [f"{table.source}: {note}" for table in scores for note in table.notes]


def _stored(
    paths: Sequence[Path], dataset: str, scorer_name: str | None, project: str | None, url: str | None,
    key: str | None, db: str | None,
) -> "AgentTrials":  # fmt: skip
    from gnomon.cli.backend import open_backend
    from gnomon.model.backend import find_dataset
    from gnomon.service.bench.storedtrials import stored_trials

    if paths:
        raise InvalidInput("--dataset looks at stored experiments; leave the files out")
    if not scorer_name:
        raise InvalidInput("--dataset needs a --scorer: whose scores decide whether an item is solved")
    with open_backend(url, key, db) as backend:
        return stored_trials(backend, find_dataset(backend, dataset, project), scorer_name)
