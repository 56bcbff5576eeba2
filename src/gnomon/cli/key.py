"""`gnomon key`: who may use the server."""

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json
from gnomon.cli.place import Place, at_a_place
from gnomon.errors import InvalidInput


@click.group()
def key() -> None:
    """Make, list and revoke keys."""


@key.command()
@click.option("--role", type=click.Choice(["read", "write", "admin"]), required=True, help="What it may do.")
@click.option("--project", help="Bind it to this project (default: all projects).")
@click.option("--name", help="To tell it from others.")
@at_a_place
@as_json
def create(place: Place, role: str, project: str | None, name: str | None, as_json: bool) -> None:
    """Make a key. Its secret is shown once."""
    from pydantic import ValidationError

    from gnomon.model.access import KeyDraft

    try:
        draft = KeyDraft.model_validate({"role": role, "project_id": project, "name": name})
    except ValidationError as bad:
        flag = {"project_id": "--project"}.get(str(bad.errors()[0]["loc"][0]), "--name")
        raise InvalidInput(f"{flag}: {bad.errors()[0]['msg']}") from None
    made = place.create_key(draft)
    show.json(made) if as_json else show.new_key(made)


@key.command("list")
@at_a_place
@as_json
def list_keys(place: Place, as_json: bool) -> None:
    """All keys, newest first; never their secrets."""
    found = list(place.keys())
    show.json(found) if as_json else show.keys(found)


@key.command()
@click.argument("id")
@at_a_place
@as_json
def revoke(place: Place, id: str, as_json: bool) -> None:
    """Make the key with this ID useless."""
    gone = place.revoke_key(id)
    show.json(gone) if as_json else show.line(f"key {gone.id} is revoked; servers forget it within two seconds")
