"""`gnomon lint`: check a results table that was made elsewhere."""

from pathlib import Path

import click

from gnomon.cli import show
from gnomon.cli.flags import GATE_FAILED, OK, as_json, skip_bad_lines
from gnomon.cli.resultfiles import columns_flag, read_columns


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--binary", is_flag=True, help="Scores are 0 or 1, so only some means are possible.")
@click.option("--trials", type=int, default=1, help="Each of the n values is the mean of this many scores of 0 or 1.")
@click.option("--scale", type=int, help="Scores are whole marks from 0 to this, and means are on that scale.")
@click.option("--percent", is_flag=True, help="Means and spreads are percent (recognised when most means are above 1).")
@columns_flag
@skip_bad_lines
@as_json
@click.pass_context
def lint(
    ctx: click.Context, file: Path, binary: bool, trials: int, scale: int | None, percent: bool, columns: str | None,
    skip_bad_lines: bool, as_json: bool,
) -> None:  # fmt: skip
    """Check a results FILE (.csv, .jsonl, .json or .parquet) for impossible figures.

    \b
    Columns agent,n,mean[,se,sd,ci_low,ci_high] or agent,item,trial,value.
    Exit code 1 when there are errors.
    """
    from gnomon.service.analysis.lint import KnownScores, lint_file

    known = KnownScores(binary, trials, scale, percent)
    report = lint_file(file, known, read_columns(columns), skip_bad_lines=skip_bad_lines)
    show.json(report) if as_json else show.linted(report)
    ctx.exit(GATE_FAILED if report.errors else OK)
