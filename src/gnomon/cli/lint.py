"""`gnomon lint`: a table of results that somebody else made, before anybody believes it."""

from pathlib import Path

import click

from gnomon.cli import show
from gnomon.cli.flags import GATE_FAILED, OK, as_json


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--binary", is_flag=True, help="Scores are 0 or 1, so only some means are possible.")
@click.option("--trials", type=int, default=1, help="Each of the n is the mean of so many scores of 0 or 1.")
@click.option("--scale", type=int, help="Scores are whole marks from 0 to this, and means are on that scale.")
@click.option("--percent", is_flag=True, help="Means and spreads are percent (recognised when most means are above 1).")
@as_json
@click.pass_context
def lint(
    ctx: click.Context, file: Path, binary: bool, trials: int, scale: int | None, percent: bool, as_json: bool
) -> None:
    """Look for what cannot be in a FILE of results (.csv, .jsonl, .json or .parquet).

    \b
    Columns agent,n,mean[,se,sd,ci_low,ci_high] or agent,item,trial,value.
    Exit code 1 when there are errors.
    """
    from gnomon.service.lint import Declared, lint_file

    found = lint_file(file, Declared(binary, trials, scale, percent))
    show.json(found) if as_json else show.linted(found)
    ctx.exit(GATE_FAILED if found.errors else OK)
