"""`gnomon key`: who may use the server."""

from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.backend import backend_flags, open_backend, with_backend
from gnomon.cli.flags import as_json, at_public_url, in_browser
from gnomon.cli.groups import CommandGroup
from gnomon.cli.serve import login_link as link_to
from gnomon.errors import InvalidInput
from gnomon.settings import DEFAULT_PORT, from_environment

if TYPE_CHECKING:
    from gnomon.model.backend import Backend


@click.group(cls=CommandGroup)
def key() -> None:
    """Create, list and revoke API keys, and print login links."""


@key.command()
@click.option(
    "--role", type=click.Choice(["reviewer", "read", "write", "admin"]), required=True, help="Role of the key."
)
@click.option("--project", help="Bind the key to this project (default: all projects).")
@click.option("--name", help="Name of the key.")
@click.option("--days", type=click.IntRange(1, 3650), help="Let the key expire after this many days (default: never).")
@click.option("--quiet", is_flag=True, help="Print the secret alone, for scripts.")
@with_backend
@as_json
def create(
    backend: "Backend",
    role: str,
    project: str | None,
    name: str | None,
    days: int | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Create a key. Its secret is shown once."""
    from datetime import UTC, datetime, timedelta

    from pydantic import ValidationError

    from gnomon.model.access import KeyDraft

    until = None if days is None else datetime.now(UTC) + timedelta(days=days)
    try:
        draft = KeyDraft.model_validate({"role": role, "project_id": project, "name": name, "expires_at": until})
    except ValidationError as bad:
        flag = {"project_id": "--project"}.get(str(next(iter(bad.errors()[0]["loc"]), "name")), "--name")
        raise InvalidInput(f"{flag}: {bad.errors()[0]['msg']}") from None
    new_key = backend.create_key(draft)
    if quiet and not as_json and new_key.key is not None:
        show.line(new_key.key)
    else:
        show.json(new_key) if as_json else show.new_key(new_key)


@key.command("list")
@with_backend
@as_json
def list_keys(backend: "Backend", as_json: bool) -> None:
    """List all keys, newest first, without their secrets."""
    keys = list(backend.keys())
    show.json(keys) if as_json else show.keys(keys)


@key.command()
@click.argument("id")
@with_backend
@as_json
def revoke(backend: "Backend", id: str, as_json: bool) -> None:
    """Revoke the key with this ID."""
    revoked = backend.revoke_key(id)
    show.json(revoked) if as_json else show.line(f"key {revoked.id} is revoked; servers forget it within two seconds")


@key.command("login-link")
@at_public_url
@in_browser
@backend_flags
@as_json
def login_link(
    url: str | None, key: str | None, db: str | None, public_url: str | None, open_browser: bool, as_json: bool
) -> None:
    """Print a link that logs a browser in once, within ten minutes.

    With a server, the link belongs to the key in use (--key); with a database, to its admin key.
    """
    import webbrowser

    from gnomon.model.moment import iso

    with open_backend(url, key, db) as backend:
        login_code = backend.create_login_code()
    link = link_to(_server(url, db, public_url), login_code.code)
    if as_json:
        show.json_line({"login_url": link, "key_id": login_code.key_id, "expires_at": iso(login_code.expires_at)})
    else:
        show.login_link(link)
    if open_browser:
        webbrowser.open(link)


@key.command("review-link")
@click.option("--project", required=True, help="Project whose review queue the link opens.")
@click.option("--name", required=True, help="Who the link is for; annotations are stored under this name.")
@click.option("--days", type=click.IntRange(1, 365), default=7, show_default=True, help="How long it is valid.")
@at_public_url
@backend_flags
@as_json
def review_link(
    project: str,
    name: str,
    days: int,
    url: str | None,
    key: str | None,
    db: str | None,
    public_url: str | None,
    as_json: bool,
) -> None:
    """Print a login link for a reviewer.

    The link works once, in one browser, and shows only the review queue.
    """
    from gnomon.model.access import ReviewLinkDraft
    from gnomon.model.checks import build
    from gnomon.model.moment import iso

    with open_backend(url, key, db) as backend:
        new_link = backend.create_review_link(build(ReviewLinkDraft, project_id=project, name=name, days=days))
    link = f"{_server(url, db, public_url).rstrip('/')}{new_link.url_path}"
    if as_json:
        show.json_line({"review_url": link, "key_id": new_link.key_id, "expires_at": iso(new_link.expires_at)})
    else:
        show.review_link(link, name, new_link)


def _server(url: str | None, db: str | None, public_url: str | None) -> str:
    """Where browsers find the server."""
    settings = from_environment().with_public_url(public_url)
    elsewhere = None if db else settings.url
    return public_url or url or settings.public_url or elsewhere or f"http://127.0.0.1:{DEFAULT_PORT}"
