"""Flags and exit codes that commands share."""

import click

OK, GATE_FAILED, USAGE, CANNOT_RUN, UNDECIDED = 0, 1, 2, 3, 4

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of words.")
of_database = click.option("--db", help="Database file or URL (default: GNOMON_DATABASE_URL).")
in_project = click.option("--project", help="Where to look for a name (not needed when there is one project only).")
at = click.option(
    "--at",
    help="Among experiments of one name: ~1 for the one before the newest, or 7 or more hex digits of a commit.",
)
missing = click.option(
    "--missing",
    type=click.Choice(["drop", "zero", "bracket"]),
    default="drop",
    show_default=True,
    help="Runs without a score: left out, counted as 0, or anything between 0 and 1.",
)
pass_threshold = click.option(
    "--pass-threshold", type=click.FloatRange(0, 1), default=1.0, show_default=True,
    help="From which score on a run passed, for pass@k and pass^k.",
)  # fmt: skip
cluster_by = click.option("--cluster-by", help="Key of the items' metadata that says what belongs together.")
interval = click.option(
    "--interval",
    type=click.Choice(["wilson", "beta_moments", "cluster_wilson", "clopper_pearson", "jeffreys", "t_clipped", "bca"]),
    help="Make intervals by this method where it fits (default: chosen by the data).",
)
at_public_url = click.option(
    "--public-url", metavar="URL",
    help="The server's address as browsers know it, such as https://gnomon.example.org (default: GNOMON_PUBLIC_URL).",
)  # fmt: skip
in_browser = click.option("--open", "open_browser", is_flag=True, help="Open the login link in a browser.")
on_host = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
