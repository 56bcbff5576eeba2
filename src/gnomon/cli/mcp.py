"""`gnomon mcp`: tools for a coding agent, over stdin and stdout."""

import logging
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags, open_backend
from gnomon.errors import NotAvailable
from gnomon.extras import install_command

if TYPE_CHECKING:
    from gnomon.model.backend import Backend


@click.command()
@click.option("--write", is_flag=True, help="Also offer the tools that change something.")
@click.option("--project", help="The project to use where a call names none.")
@click.option("--max-rows", type=click.IntRange(1, 1000), default=50, show_default=True, help="Most rows per answer.")
@click.option(
    "--max-bytes",
    type=click.IntRange(2_000, 1_000_000),
    default=24_000,
    show_default=True,
    help="Most bytes per answer.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the tools and their parameters as JSON, and exit.")
@backend_flags
def mcp(
    write: bool, project: str | None, max_rows: int, max_bytes: int, as_json: bool, url: str | None, key: str | None,
    db: str | None,
) -> None:  # fmt: skip
    """Serve Gnomon's results to a coding agent over the Model Context Protocol on stdin and stdout.

    \b
    claude mcp add gnomon -- gnomon mcp
    claude mcp add gnomon -- gnomon mcp --project support --write
    """
    try:
        import mcp.server  # noqa: F401  the official SDK, not this command
    except ImportError:
        raise NotAvailable(f"`gnomon mcp` needs the extra `mcp`; run: {install_command('mcp')}") from None
    from gnomon.mcp.context import AnswerLimits
    from gnomon.mcp.server import listed, serve

    if as_json:
        show.json(listed(write=write))
        return
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    with open_backend(url, key, db) as backend, _scoring(backend) if write else nullcontext():
        serve(backend, write=write, project=project, limits=AnswerLimits(max_rows, max_bytes))


def _scoring(backend: "Backend") -> AbstractContextManager[object]:
    """Run jobs of built-in scorers here, where no server does. Asking judges is left to `gnomon worker`."""
    from gnomon.service.evaluation.judges import working
    from gnomon.settings import from_environment

    return working(backend, from_environment(), set())
