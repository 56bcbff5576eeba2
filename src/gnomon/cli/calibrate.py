"""`gnomon calibrate`: a judge's agreement with human labels, from stored scores or from a file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags, one_project, open_backend
from gnomon.cli.flags import as_json, in_project, skip_bad_lines
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.model.calibration import Calibration


@click.command()
@click.argument("judge", required=False)
@click.argument("human", required=False)
@click.option(
    "--file", type=click.Path(path_type=Path), help="Read ratings from this file: columns judge, human and target."
)
@in_project
@click.option("--config-hash", help="Use only the judge's scores with this configuration.")
@skip_bad_lines
@backend_flags
@as_json
def calibrate(
    judge: str | None, human: str | None, file: Path | None, project: str | None, config_hash: str | None,
    skip_bad_lines: bool, url: str | None, key: str | None, db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Measure how well the scorer JUDGE agrees with the scorer HUMAN, and correct the judge's mean.

    \b
    gnomon calibrate helpfulness human --project support
    gnomon calibrate --file ratings.csv
    """
    if file is not None:
        if judge or project or config_hash or url or db:
            raise InvalidInput("--file needs nothing else; leave out JUDGE, HUMAN, --url and --db")
        from gnomon.interop.rows import BadLines
        from gnomon.service.judges.calibration import calibrate_file

        calibration = calibrate_file(file, BadLines(file, skip_bad_lines))
    else:
        if not judge or not human:
            raise InvalidInput("name two scorers, as in: gnomon calibrate helpfulness human; or give a --file")
        with open_backend(url, key, db) as backend:
            calibration = _calibration(backend, judge, human, project, config_hash)
    show.json(calibration) if as_json else show.calibration(calibration)


def _calibration(
    backend: "Backend", judge: str, human: str, project: str | None, config_hash: str | None
) -> "Calibration":
    where = one_project(backend, project, f"{judge!r} may be a scorer of several projects")
    return backend.calibration(judge, human, where, config_hash)
