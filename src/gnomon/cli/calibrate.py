"""`gnomon calibrate`: a judge held against people, from scores that are stored or from a file."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json, in_project
from gnomon.cli.place import only_project, opened, place_flags
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.cli.place import Place
    from gnomon.model.calibration import Calibration


@click.command()
@click.argument("judge", required=False)
@click.argument("human", required=False)
@click.option("--file", type=click.Path(path_type=Path), help="Read ratings here: columns judge, human and target.")
@in_project
@click.option("--config-hash", help="Only the judge's scores of this configuration.")
@place_flags
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
        with opened(url, key, db) as place:
            found = _asked(place, judge, human, project, config_hash)
    show.json(found) if as_json else show.calibration(found)


def _asked(place: "Place", judge: str, human: str, project: str | None, config_hash: str | None) -> "Calibration":
    try:
        return place.calibration(judge, human, project, config_hash)
    except InvalidInput as bad:
        if bad.code != "PROJECT_REQUIRED":
            raise
    only = only_project(place, f"{judge!r} may be a scorer of several projects")
    return place.calibration(judge, human, only, config_hash)
