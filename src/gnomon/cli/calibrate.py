"""`gnomon calibrate`: a judge held against people, from scores that are stored or from a file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags, only_project, open_backend
from gnomon.cli.flags import as_json, in_project
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.model.calibration import Calibration


@click.command()
@click.argument("judge", required=False)
@click.argument("human", required=False)
@click.option("--file", type=click.Path(path_type=Path), help="Read ratings here: columns judge, human and target.")
@in_project
@click.option("--config-hash", help="Only the judge's scores of this configuration.")
@backend_flags
@as_json
def calibrate(
    judge: str | None, human: str | None, file: Path | None, project: str | None, config_hash: str | None,
    url: str | None, key: str | None, db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """How well the scorer JUDGE agrees with the scorer HUMAN, and the judge's mean corrected by people.

    \b
    gnomon calibrate helpfulness human --project support
    gnomon calibrate --file ratings.csv
    """
    if file is not None:
        if judge or project or config_hash or url or db:
            raise InvalidInput("--file is all there is to read; leave out JUDGE, HUMAN and where they are stored")
        from gnomon.service.calibration import calibrate_file

        found = calibrate_file(file)
    else:
        if not judge or not human:
            raise InvalidInput("name two scorers, as in: gnomon calibrate helpfulness human; or give a --file")
        with open_backend(url, key, db) as backend:
            found = _asked(backend, judge, human, project, config_hash)
    show.json(found) if as_json else show.calibration(found)


def _asked(backend: "Backend", judge: str, human: str, project: str | None, config_hash: str | None) -> "Calibration":
    try:
        return backend.calibration(judge, human, project, config_hash)
    except InvalidInput as bad:
        if bad.code != "PROJECT_REQUIRED":
            raise
    only = only_project(backend, f"{judge!r} may be a scorer of several projects")
    return backend.calibration(judge, human, only, config_hash)
