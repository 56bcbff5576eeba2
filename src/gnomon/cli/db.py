"""`gnomon db`: care of the database itself."""

from contextlib import closing
from pathlib import Path

import click

from gnomon.cli import show
from gnomon.cli.asking import confirm
from gnomon.cli.flags import CANNOT_RUN, OK, as_json, of_database
from gnomon.cli.groups import CommandGroup
from gnomon.settings import from_environment


@click.group(cls=CommandGroup)
def db() -> None:
    """Upgrade, back up, check and prune the database."""


@db.command()
@of_database
@as_json
def upgrade(db: str | None, as_json: bool) -> None:
    """Upgrade the schema; create the database where there is none."""
    from gnomon.service.upkeep import maintenance
    from gnomon.store.engine import public_name

    url = _url(db)
    with show.progress("upgrading", quiet=as_json) as progress:
        done = maintenance.upgrade(url, progress)
    changed = f"upgraded from step {done.before} to {done.after}" if done.before < done.after else "up to date"
    show.json(done) if as_json else show.line(f"{public_name(url)} is {changed} (step {done.after})")


@db.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--overwrite", is_flag=True, help="Replace FILE if it exists.")
@of_database
@as_json
def backup(file: Path, overwrite: bool, db: str | None, as_json: bool) -> None:
    """Copy the database to FILE, also while a server writes to it."""
    from gnomon.service.upkeep import maintenance

    with show.progress("backing up", in_bytes=True, quiet=as_json) as progress:
        done = maintenance.backup(_url(db), file.absolute(), progress, overwrite=overwrite)
    show.json(done) if as_json else show.line(f"{done.file}: {done.bytes:,} bytes")


@db.command()
@of_database
@as_json
@click.pass_context
def check(ctx: click.Context, db: str | None, as_json: bool) -> None:
    """Check the whole database for damage, and count what is in it."""
    from gnomon.service.upkeep import maintenance

    with show.progress("checking", quiet=as_json):
        report = maintenance.check(_url(db))
    show.json(report) if as_json else show.checked(report)
    ctx.exit(CANNOT_RUN if report.problems else OK)


@db.command()
@click.option("--older-than", required=True, metavar="AGE", help="Age of traces to delete, such as 90d, 12w or 36h.")
@click.option("--keep-scored", is_flag=True, help="Keep every trace that has a score.")
@click.option("--project", help="Prune this project only.")
@click.option("--dry-run", is_flag=True, help="Show what would be deleted, and stop.")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@click.option("--compact", is_flag=True, help="Rewrite tables to return all free space; other writers wait meanwhile.")
@of_database
@as_json
def prune(
    older_than: str,
    keep_scored: bool,
    project: str | None,
    dry_run: bool,
    yes: bool,
    compact: bool,
    db: str | None,
    as_json: bool,
) -> None:
    """Delete old traces, and free their space.

    A trace is old when it received no span for a while.

    Traces that runs, dataset items, annotations, human scores or the review queue refer to stay, and so do daily sums
    of scores. Works while a server runs.
    """
    from gnomon.service.upkeep import retention

    old = retention.age(older_than)
    with closing(retention.open_for_pruning(_url(db))) as database:
        preview = retention.find_old(database, old, project_id=project, keep_scored=keep_scored)
        if not as_json:
            show.prune_preview(preview)
        if dry_run or not (preview.traces or compact):
            if as_json:
                show.json(preview)
            return
        confirm(f"Delete {preview.traces:,} traces?", yes=yes)
        with show.progress("deleting spans", preview.spans, quiet=as_json) as progress:
            done = retention.prune(database, preview, progress, compact=compact)
    show.json(done) if as_json else show.pruned(done)


def _url(db: str | None) -> str:
    return from_environment().with_database(db).database_url
