"""`gnomon db`: care of the database itself."""

from pathlib import Path

import click

from gnomon.cli import show
from gnomon.cli.flags import CANNOT_RUN, OK, as_json, of_database
from gnomon.settings import from_environment


@click.group()
def db() -> None:
    """Upgrade, back up and check the database."""


@db.command()
@of_database
@as_json
def upgrade(db: str | None, as_json: bool) -> None:
    """Bring the schema up to date; make the database when there is none."""
    from gnomon.service import maintenance
    from gnomon.store.engine import public_name

    url = _url(db)
    done = maintenance.upgrade(url)
    changed = f"upgraded from step {done.before} to {done.after}" if done.before < done.after else "up to date"
    show.json(done) if as_json else show.line(f"{public_name(url)} is {changed} (step {done.after})")


@db.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--overwrite", is_flag=True, help="Replace FILE when it is there.")
@of_database
@as_json
def backup(file: Path, overwrite: bool, db: str | None, as_json: bool) -> None:
    """Copy the database to FILE, also while a server writes to it."""
    from gnomon.service import maintenance

    with show.progress("backing up", quiet=as_json) as progress:
        done = maintenance.backup(_url(db), file.absolute(), progress, overwrite=overwrite)
    show.json(done) if as_json else show.line(f"{done.file}: {done.bytes:,} bytes")


@db.command()
@of_database
@as_json
@click.pass_context
def check(ctx: click.Context, db: str | None, as_json: bool) -> None:
    """Look at the whole database: is it sound, and what is in it?"""
    from gnomon.service import maintenance

    found = maintenance.check(_url(db))
    show.json(found) if as_json else show.checked(found)
    ctx.exit(CANNOT_RUN if found.problems else OK)


def _url(db: str | None) -> str:
    return from_environment().with_database(db).database_url
