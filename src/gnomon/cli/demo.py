"""`gnomon demo`: something to look at, in a minute and without any setup."""

import shlex
import time
from contextlib import closing
from typing import Any

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json, on_host
from gnomon.cli.serve import at_port, run
from gnomon.settings import from_environment


@click.command()
@on_host
@at_port
@click.option("--db", help="Database file or URL (default: demo.db in GNOMON_HOME).")
@click.option("--no-serve", is_flag=True, help="Fill the database and stop.")
@as_json
def demo(host: str, port: int, db: str | None, no_serve: bool, as_json: bool) -> None:
    """Make a small project with data in it, once, and start a server on it."""
    settings = from_environment()
    settings = settings.with_database(db or str(settings.home / "demo.db"))
    notes = _fill(settings.database_url)

    def tell(url: str | None = None, key: str | None = None, _is_new: bool = False) -> None:
        found = {"url": url, "key": key, **notes}
        show.json_line(found) if as_json else show.demo(found)

    if no_serve:
        tell()
    else:
        run(settings, host, port, tell)


def _fill(database_url: str) -> dict[str, Any]:
    """Make the demo unless it is there; say where, and what to try."""
    from gnomon.service.demo import fill
    from gnomon.service.maintenance import sqlite_file
    from gnomon.store.engine import open_store

    with closing(open_store(database_url)) as store:
        found = fill(store, time.time_ns() // 1_000_000)
    database = str(sqlite_file(database_url) or database_url)
    here = f"--db {shlex.quote(database)}"
    return {
        "database": database,
        "project_id": found.project_id,
        "made": found.made,
        "commands": [
            f"gnomon summary {found.other_id} {here}",
            f"gnomon compare {found.base_id} {found.other_id} {here}",
            f"gnomon gate {found.other_id} --scorer contains --threshold 0.6 {here}",
        ],
    }
