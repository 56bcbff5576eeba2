"""Ask before something is done that cannot be undone."""

import sys

import click

from gnomon.errors import InvalidInput


def confirm(question: str, *, yes: bool) -> None:
    """Go on only if the user says so, in the terminal or by --yes."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput(
            "nothing was deleted: stdin is not a terminal to confirm in; add --yes to delete without asking"
        )
    if not click.confirm(question, err=True):
        raise click.Abort
