"""Flags and exit codes that commands share."""

import click

OK, GATE_FAILED, USAGE, CANNOT_RUN = 0, 1, 2, 3
"""4 is kept for a gate that cannot decide."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of words.")
of_database = click.option("--db", help="Database file or URL (default: GNOMON_DATABASE_URL).")
in_project = click.option("--project", help="Where to look for a name (not needed when there is one project only).")
on_host = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
