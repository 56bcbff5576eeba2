"""Flags and exit codes that commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

COMPLETION_VARIABLE = "_GNOMON_COMPLETE"
"""Set by a shell that asks what could be typed next."""
OK, GATE_FAILED, USAGE, CANNOT_RUN, UNDECIDED = 0, 1, 2, 3, 4

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
of_database = click.option("--db", help="Database file or URL (default: GNOMON_DATABASE_URL).")
in_project = click.option("--project", help="Project to look in (needed only where there are several).")
at = click.option(
    "--at",
    help="Which experiment of that name: ~1 for the one before the newest, or 7 or more hex digits of a commit.",
)


def at_most(default: int, words: str = "Most rows to list.") -> Callable[[Command], Command]:
    return click.option("--limit", type=click.IntRange(1, 100_000), default=default, show_default=True, help=words)


missing = click.option(
    "--missing",
    type=click.Choice(["drop", "zero", "bracket"]),
    default="drop",
    show_default=True,
    help="How to count runs without a score: leave out, as 0, or as anything between 0 and 1.",
)
pass_threshold = click.option(
    "--pass-threshold", type=click.FloatRange(0, 1), default=1.0, show_default=True,
    help="Lowest score that passes, for pass@k and pass^k.",
)  # fmt: skip
cluster_by = click.option("--cluster-by", help="Item metadata key to cluster by (e.g. conversation_id).")
interval = click.option(
    "--interval",
    type=click.Choice(["wilson", "beta_moments", "cluster_wilson", "clopper_pearson", "jeffreys", "t_clipped", "bca"]),
    help="Interval method to use where it fits (default: chosen by the data).",
)
skip_bad_lines = click.option("--skip-bad-lines", is_flag=True, help="Skip lines that cannot be read.")
at_public_url = click.option(
    "--public-url", metavar="URL",
    help="The server's address as browsers know it, such as https://example.org/gnomon (default: GNOMON_PUBLIC_URL).",
)  # fmt: skip
in_browser = click.option("--open", "open_browser", is_flag=True, help="Open the login link in a browser.")
on_host = click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
