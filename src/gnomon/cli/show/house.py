"""The server, its keys and this machine, for people."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.pen import draw, line
from gnomon.report.text.drawing import axis, clean, interval, number, table, whisker

if TYPE_CHECKING:
    from datetime import datetime

    from gnomon.model.access import Key, NewKey
    from gnomon.service.doctor import Finding
    from gnomon.service.keys import AdminKey
    from gnomon.service.maintenance import Checked

_ANOTHER = "make another with: gnomon key create --role admin"
_COLORS = {"ok": "green", "warn": "yellow", "fail": "red"}


def listening(url: str, admin: "AdminKey", key_file: Path, grpc: str | None = None) -> None:
    line(f"Gnomon listens on {url}")
    if grpc is not None:
        line(f"OTLP over gRPC: {grpc} (plain text; OTEL_EXPORTER_OTLP_ENDPOINT={grpc})")
    if admin.is_new:
        line(f"admin key (shown once, kept in {key_file}): {admin.secret}")
    elif admin.made_at is not None:
        line(f"{_made_elsewhere(admin.made_at)}; use it, or {_ANOTHER}")
    elif admin.revoked:
        line(f"The admin key in {key_file} was revoked; use another, or {_ANOTHER}")


def login_link(url: str | None) -> None:
    if url is not None:
        line(f"Log in from a browser (works once, for ten minutes): {url}")


def _made_elsewhere(at: "datetime") -> str:
    return f"The admin key of this database was made at {at:%Y-%m-%d %H:%M} UTC by another server"


def demo(notes: Mapping[str, Any]) -> None:
    line(f"The project {notes['project_id']} is {'made' if notes['made'] else 'there'}, in {notes['database']}")
    if notes["url"]:
        line(f"Gnomon listens on {notes['url']} (the API, call by call: {notes['url']}/docs)")
        login_link(notes["login_url"])
        line(f"key: {notes['key']}" if notes["key"] else f"A key is needed to call it; {_ANOTHER}")
    line("Reference agents on three days of the demo's benchmark (no model was asked):")
    rows = table("agent", "success", "95 % interval", axis("0", "1"), right=("success",))
    for one in notes["leaderboard"]:
        mean, ends = one["success"], one["confidence_interval"]
        rows.add_row(clean(one["agent_id"]), number(mean), interval(ends), whisker(mean, ends, 0, 1))
    draw(rows)
    line("Try, in another terminal:" if notes["url"] else "Try:")
    for command in notes["commands"]:
        line(f"  {command}")


def new_key(made: "NewKey") -> None:
    line(f"key (shown once): {made.key}")
    line(f"id {made.id}, role {made.role}, {_scope(made)}")


def keys(found: "Sequence[Key]") -> None:
    if not found:
        line("There are no keys in this database; make one with `gnomon key create`.")
        return
    rows = table("id", "role", "for", "name", "made")
    for key in found:
        rows.add_row(key.id, key.role, _scope(key), clean(key.name or ""), f"{key.created_at:%Y-%m-%d %H:%M} UTC")
    draw(rows)


def checked(found: "Checked") -> None:
    line(f"{found.database}: schema version {found.schema_version} of {found.newest_version}")
    if found.rows:
        rows = table("table", "rows", right=("rows",))
        for name, count in found.rows.items():
            rows.add_row(name, f"{count:,}")
        draw(rows)
    for one in found.problems:
        line(f"problem: {clean(one)}")
    if not found.problems:
        line("No problems found.")


def findings(found: "Sequence[Finding]") -> None:
    from rich.text import Text

    rows = table("", "", "", headed=False)
    for one in found:
        remedy = f"; {one.remedy}" if one.remedy else ""
        rows.add_row(Text(one.state, style=_COLORS[one.state]), one.about, clean(one.found + remedy))
    draw(rows)


def _scope(key: "Key") -> str:
    return f"project {key.project_id}" if key.project_id else "all projects"
