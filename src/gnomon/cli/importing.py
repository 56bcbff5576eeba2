"""`gnomon import`: results of other evaluation and tracing tools, into datasets, experiments and traces."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags, open_backend
from gnomon.cli.flags import CANNOT_RUN, as_json, skip_bad_lines
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.model.backend import Backend

_DEFAULT_PROJECT = "default"


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--format", "format_", default="auto", show_default=True, help="Format of the file; see the guide.")
@click.option("--project", help="The project to import into (default: the only one there is).")
@click.option("--name", help="Name of the experiment (default: what the file says).")
@click.option(
    "--columns", help="Columns of a table: input=question,output=answer,score.accuracy=acc,id=qid,trial=epoch."
)
@click.option(
    "--range", "ranges", multiple=True,
    help="Range of a score that the file does not say: rating=1..5, or seconds=60..0 where lower is better.",
)  # fmt: skip
@skip_bad_lines
@click.option("--dry-run", is_flag=True, help="Show what would be imported, and store nothing.")
@backend_flags
@as_json
@click.pass_context
def import_(
    ctx: click.Context, path: Path, format_: str, project: str | None, name: str | None, columns: str | None,
    ranges: tuple[str, ...], skip_bad_lines: bool, dry_run: bool, url: str | None, key: str | None,
    db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Import the results in PATH, a file or a folder of another evaluation or tracing tool.

    Importing the same file again adds nothing. Files of a folder that no reader knows are listed.
    """
    from gnomon.service.exchange.importing_files import ImportOptions, import_files, prepare

    options = ImportOptions.of(format_, columns, ranges, name, skip_bad_lines)
    files = prepare(path, options)
    with open_backend(url, key, db, make=True) as backend:
        into = _project(backend, project)
        with show.progress(f"importing into {into}", in_bytes=True, quiet=as_json) as progress:
            report = import_files(backend, into, files, options, dry_run=dry_run, on_progress=progress)
    show.json(report) if as_json else show.imported(report)
    if report.files and all(file.status == "unreadable" for file in report.files):
        ctx.exit(CANNOT_RUN)


def _project(backend: "Backend", name_or_id: str | None) -> str:
    """The project that is named, else the only one; in an empty database `default`."""
    from itertools import islice

    from gnomon.settings import from_environment

    if named := name_or_id or from_environment().project:
        return named
    known = [project.id for project in islice(backend.projects(), 11)]
    if len(known) > 1:
        raise InvalidInput.of(
            "project", f"there are several projects ({', '.join(known[:10])}); name one with --project"
        )
    return known[0] if known else _DEFAULT_PROJECT
