"""The only room that prints."""

import click


def line(text: str = "") -> None:
    click.echo(text)


def problem(text: str) -> None:
    """What went wrong, on one line of stderr."""
    click.echo(f"gnomon: {' '.join(text.split())}", err=True)
