"""`gnomon leaderboard`: who is ahead, from files or from the experiments over a dataset."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json, in_project, interval, skip_bad_lines
from gnomon.cli.resultfiles import columns_flag, read_columns
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.model.leaderboard import Leaderboard, LeaderboardOptions

_WISHES = ("missing", "k", "pass_threshold", "min_effect", "interval")


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--agent", help="Agent whose results these are, where no column says so (default: the file name).")
@columns_flag
@click.option("--dataset", help="Instead of files: the experiments over this dataset (a name or an id).")
@click.option("--scorer", "scorer_name", help="With --dataset: scorer to rank by.")
@click.option(
    "--missing",
    type=click.Choice(["drop", "zero", "bracket"]),
    default="drop",
    show_default=True,
    help="How to count a trial without a value.",
)
@click.option("--k", type=click.IntRange(1), help="Show pass@k and pass^k up to this k.")
@click.option(
    "--pass-threshold",
    type=click.FloatRange(0, 1),
    default=1.0,
    show_default=True,
    help="Lowest value that passes, for pass@k and pass^k.",
)
@click.option("--min-effect", type=click.FloatRange(0, 1), help="Smallest difference that matters.")
@interval
@click.option(
    "--html", type=click.Path(path_type=Path, dir_okay=False), help="Also write an HTML page with plots to this file."
)
@skip_bad_lines
@in_project
@click.option("--url", help="With --dataset: use this server (default: GNOMON_URL).")
@click.option("--key", help="API key for that server (default: GNOMON_API_KEY).")
@click.option("--db", help="With --dataset: use this database file or URL instead of a server.")
@as_json
def leaderboard(files: Sequence[Path], html: Path | None, as_json: bool, **flags: Any) -> None:
    """Rank the agents in FILES, or those with experiments over a dataset.

    \b
    A file (.csv, .jsonl, .json or .parquet) has the columns
      agent,item,trial,value     one score per row; `trial` may be left out
      item,trial0,trial1,…       one agent per file, named by the file or --agent
      a,b,item,winner            preferences; the winner is a, b or tie
    """
    from gnomon.model.leaderboard import LeaderboardOptions

    options = LeaderboardOptions(**{name: flags.pop(name) for name in _WISHES})
    with show.progress("ranking", quiet=as_json):
        ranking = _stored(files, options, **flags) if flags["dataset"] else _in_files(files, options, **flags)
    if html is not None:
        from gnomon.cli.files import write_text
        from gnomon.report.leaderboard import page

        write_text(html, page(ranking))
    show.json(ranking) if as_json else show.leaderboard(ranking, html)


def _in_files(
    files: Sequence[Path],
    options: "LeaderboardOptions",
    agent: str | None,
    scorer_name: str | None,
    columns: str | None,
    skip_bad_lines: bool,
    **connection: str | None,
) -> "Leaderboard":
    if not files:
        raise InvalidInput("nothing to rank; name a file, or a --dataset with its --scorer")
    for flag in ("scorer", "project", "url", "db"):
        if scorer_name if flag == "scorer" else connection[flag]:
            raise InvalidInput(f"--{flag} goes with --dataset, not with files; leave it out")
    if agent and len(files) > 1:
        raise InvalidInput(f"--agent names the agent of one file, and there are {len(files)}; rename the files instead")
    from gnomon.interop.resulttables import LongTable, Preferences, read_table
    from gnomon.service.analysis import leaderboard

    mapping = read_columns(columns)
    tables = [read_table(file, agent, mapping, skip_bad_lines=skip_bad_lines) for file in files]
    scores = [table for table in tables if isinstance(table, LongTable)]
    preferences = [table for table in tables if isinstance(table, Preferences)]
    if len(scores) == len(tables):
        return leaderboard.from_table(scores, options)
    if len(preferences) == len(tables):
        return leaderboard.from_preferences(preferences, options)
    other = next(table for table in tables if not isinstance(table, LongTable if scores else Preferences))
    if scores or preferences:
        raise InvalidInput(f"{other.source} is another kind of table than {tables[0].source}; give one kind at a time")
    raise InvalidInput(f"{other.source} has reported means, not scores; check them with: gnomon lint {other.source}")


def _stored(
    files: Sequence[Path], options: "LeaderboardOptions", dataset: str, scorer_name: str | None, project: str | None,
    agent: str | None, columns: str | None, url: str | None, key: str | None, db: str | None, skip_bad_lines: bool,
) -> "Leaderboard":  # fmt: skip
    from gnomon.cli.backend import open_backend
    from gnomon.model.backend import find_dataset

    if files or agent or columns or skip_bad_lines:
        for_files = "files, --agent, --columns and --skip-bad-lines"
        raise InvalidInput(f"--dataset ranks stored experiments; leave out {for_files}")
    if not scorer_name:
        raise InvalidInput("--dataset needs a --scorer to rank by; add one")
    with open_backend(url, key, db) as backend:
        return backend.leaderboard(find_dataset(backend, dataset, project).id, scorer_name, options)
