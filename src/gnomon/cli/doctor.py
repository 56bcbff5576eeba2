"""`gnomon doctor`: would Gnomon run here?"""

import click

from gnomon.cli import show
from gnomon.cli.flags import CANNOT_RUN, OK, as_json, of_database
from gnomon.settings import DEFAULT_PORT, from_environment


@click.command()
@click.option("--port", default=DEFAULT_PORT, show_default=True, type=click.IntRange(1, 65535), help="Port to check.")
@of_database
@as_json
@click.pass_context
def doctor(ctx: click.Context, port: int, db: str | None, as_json: bool) -> None:
    """Check Python, packages, folders, database and port, and suggest repairs."""
    from gnomon.service.upkeep.doctor import examine

    settings = from_environment().with_database(db)
    findings = examine(settings.home, settings.database_url, port, settings.database_prepare)
    show.json(findings) if as_json else show.findings(findings)
    ctx.exit(CANNOT_RUN if any(finding.state == "fail" for finding in findings) else OK)
