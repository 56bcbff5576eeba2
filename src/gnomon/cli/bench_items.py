"""`gnomon bench items`: whether a benchmark is any good."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.service.analysis.leaderboard import Trials


@click.command(short_help="Check what each item of a benchmark tells.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--pass-threshold", type=click.FloatRange(0, 1), default=1.0, show_default=True,
              help="Lowest value that solves an item.")  # fmt: skip
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Items to show, best first.")
@as_json
def items(paths: Sequence[Path], pass_threshold: float, limit: int, as_json: bool) -> None:
    """Check what each item of a benchmark tells: how hard it is, whether it tells good agents from weak ones,
    whether it ranks against the rest, and how few items would keep the ranking.

    PATHS are result tables as `gnomon leaderboard` reads them, or a folder of runs.

    \b
    gnomon bench items results.csv
    gnomon bench items runs --json
    """
    from gnomon.cli.show.bench import benchmark_items as show_items
    from gnomon.service.analysis.benchitems import benchmark_items

    agents, notes = _agents(paths)
    report = benchmark_items(agents, pass_threshold, notes)
    show.json(report) if as_json else show_items(report, limit)


def _agents(paths: Sequence[Path]) -> "tuple[dict[str, Trials], list[str]]":
    if not paths:
        raise InvalidInput("there is nothing to check; name a table of results or a folder of runs")
    folders = [path for path in paths if path.is_dir()]
    if folders and len(paths) > 1:
        raise InvalidInput(f"{folders[0]} is a folder of runs; give it alone, or give tables only")
    if folders:
        from gnomon.service.bench.gathering import read_runs
        from gnomon.service.bench.leaderboard import trials_by_agent

        gathered = read_runs(folders[0])
        return trials_by_agent(gathered.runs), gathered.notes
    from gnomon.interop.resulttables import LongTable, read_table
    from gnomon.service.analysis.leaderboard import agents_in

    tables = [read_table(path, None) for path in paths]
    for table in tables:
        if not isinstance(table, LongTable):
            raise InvalidInput(f"{table.source} has no score per item; it needs the columns agent, item, value")
    scores = [table for table in tables if isinstance(table, LongTable)]
    return agents_in(scores), [f"{table.source}: {note}" for table in scores for note in table.notes]
