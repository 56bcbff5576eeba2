"""Results of other tools in `gnomon bench`: whether paths hold some, and what is shown of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.model.carriedscores import CarriedScores
    from gnomon.service.bench.foreignresults import ForeignResults

by_folder_flag = click.option(
    "--by-folder", is_flag=True,
    help="With files of other tools: name agents by the first folder below PATH, not by the model in the files.",
)  # fmt: skip
scorer_flag = click.option(
    "--scorer", "scorer_name",
    help="With files of other tools: score to use (default: the one that says whether a task was solved).",
)  # fmt: skip


def are_foreign(paths: Sequence[Path]) -> bool:
    """Whether these paths hold other tools' results. A mixture with our own runs is refused."""
    from gnomon.bench.families import is_package
    from gnomon.service.bench.foreignresults import is_foreign
    from gnomon.service.bench.gathering import holds_runs
    from gnomon.service.bench.scoring import is_run

    own_paths = [path for path in paths if (is_run(path) if path.is_file() else is_package(path) or holds_runs(path))]
    if own_paths and len(paths) > 1:
        words = f"{own_paths[0]} holds runs of `gnomon bench run`; give it alone, or only files of other tools"
        raise InvalidInput.of("paths", words)
    return not own_paths and any(is_foreign(path) for path in paths if path.exists())


def refuse_files(paths: Sequence[Path]) -> None:
    """What is not a folder, and no file of another tool, is refused by what it is: the first of these paths decides."""
    from gnomon.interop.foreign import table
    from gnomon.interop.rows import open_table
    from gnomon.service.bench.foreignresults import BENCHMARKS
    from gnomon.service.bench.scoring import is_run

    for path in paths:
        if not path.is_file():
            continue
        if is_run(path):
            words = f"{path} is one run; name its folder, or see it with `gnomon bench score --transcript {path}`"
            raise InvalidInput.of("paths", words)
        if path.suffix.lower() in table.SUFFIXES:
            open_table(path)  # says what is wrong, if it is not a table either
        known = ", ".join(BENCHMARKS)
        words = f"{path} has no known format ({known}); tables of results: `gnomon leaderboard {path}`"
        raise InvalidInput.of("paths", words)


def read_foreign(paths: Sequence[Path], *, by_folder: bool, quiet: bool) -> "ForeignResults":
    from gnomon.service.bench.foreignresults import read_results

    with show.progress("reading", quiet=quiet):
        return read_results(paths, by_folder=by_folder)


def show_carried(paths: Sequence[Path], *, by_folder: bool = False, as_json: bool = False) -> "CarriedScores":
    """Show what files carry: means, pass^k, and why some runs have no score."""
    from gnomon.report.text.carriedscores import carried_scores as text
    from gnomon.service.bench.carriedscores import carried_scores

    carried = carried_scores(read_foreign(paths, by_folder=by_folder, quiet=as_json))
    show.json(carried) if as_json else show.parts(text(carried))
    return carried
