"""`gnomon drift`: has the mean of an online scorer moved since its first days?"""

from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.backend import one_project, with_backend
from gnomon.cli.flags import GATE_FAILED, OK, UNDECIDED, as_json, in_project
from gnomon.model.drift import DriftOptions, DriftStatus

if TYPE_CHECKING:
    from gnomon.model.backend import Backend

_EXIT: dict[DriftStatus, int] = {"quiet": OK, "alarm": GATE_FAILED, "too_few": UNDECIDED}


@click.command()
@click.argument("scorer", required=False)
@in_project
@click.option("--reference", metavar="FROM..TO", help="Days to compare with (default: the first 7 days with scores).")
@click.option("--by", help="Also test each value of `model`, or of this span metadata key.")
@click.option("--config-hash", help="Use scores with this configuration (default: the newest).")
@click.option("--until", metavar="DAY", help="Last day to include.")
@with_backend
@as_json
def drift(
    backend: "Backend", scorer: str | None, project: str | None, reference: str | None, by: str | None,
    config_hash: str | None, until: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Test whether the mean of SCORER on spans (default: every scorer) has moved since a reference window.

    An unchanged stream raises an alarm with a chance of at most 5 %, however often you look.
    Exit codes: 0 quiet, 1 alarm, 4 too few scores to tell.

    \b
    gnomon drift helpful --project support
    gnomon drift helpful --by model --reference 2026-01-01..2026-01-28
    """
    options = DriftOptions(scorer_name=scorer, config_hash=config_hash, reference=reference, by=by, until=until)
    report = backend.drift(one_project(backend, project, "drift is about one project"), options)
    show.json(report) if as_json else show.drift(report)
    return _EXIT[report.status]
