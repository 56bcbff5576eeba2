"""`gnomon drift`: has the mean of an online scorer moved since its first days?"""

from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.backend import only_project, with_backend
from gnomon.cli.flags import GATE_FAILED, OK, UNDECIDED, as_json, in_project
from gnomon.model.drift import DriftStatus, DriftWish

if TYPE_CHECKING:
    from gnomon.model.backend import Backend

_EXIT: dict[DriftStatus, int] = {"quiet": OK, "alarm": GATE_FAILED, "too_few": UNDECIDED}


@click.command()
@click.argument("scorer", required=False)
@in_project
@click.option("--reference", metavar="FROM..TO", help="Days to compare with (default: the first 7 days with scores).")
@click.option("--by", help="Also look at each value of `model`, or of this metadata key of the spans.")
@click.option("--config-hash", help="Scores of this configuration (default: the newest).")
@click.option("--until", metavar="DAY", help="Leave out later days.")
@with_backend
@as_json
def drift(
    backend: "Backend", scorer: str | None, project: str | None, reference: str | None, by: str | None,
    config_hash: str | None, until: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Test whether the mean of SCORER (all scorers when left out) on spans has moved since a reference window.

    An unchanged stream raises an alarm with a chance of at most 5 %, however often you look.
    Exit codes: 0 quiet, 1 alarm, 4 too few scores to tell.

    \b
    gnomon drift helpful --project support
    gnomon drift helpful --by model --reference 2026-01-01..2026-01-28
    """
    wish = DriftWish(scorer_name=scorer, config_hash=config_hash, reference=reference, by=by, until=until)
    found = backend.drift(project or only_project(backend, "drift is about one project"), wish)
    show.json(found) if as_json else show.drift(found)
    return _EXIT[found.status]
