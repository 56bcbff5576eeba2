"""The server, its keys and this machine, for people."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.pen import draw, line
from gnomon.report.text.drawing import axis, clean, interval, number, table, whisker

if TYPE_CHECKING:
    from datetime import datetime

    from gnomon.model.access import Key, NewKey, ReviewLink
    from gnomon.service.access.keys import AdminKey
    from gnomon.service.upkeep.doctor import DoctorFinding
    from gnomon.service.upkeep.installed import Installed
    from gnomon.service.upkeep.maintenance import Checked
    from gnomon.service.upkeep.retention import Pruned, PrunePreview

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
    for agent in notes["leaderboard"]:
        mean, ends = agent["success"], agent["confidence_interval"]
        rows.add_row(clean(agent["agent_id"]), number(mean), interval(ends), whisker(mean, ends, 0, 1))
    draw(rows)
    line("Try, in another terminal:" if notes["url"] else "Try:")
    for command in notes["commands"]:
        line(f"  {command}")


def new_key(new_key: "NewKey") -> None:
    line(f"key (shown once): {new_key.key}")
    line(f"id {new_key.id}, role {new_key.role}, {_scope(new_key)}")


def review_link(link: str, name: str, new_link: "ReviewLink") -> None:
    line(f"Link for {clean(name)} (works once, until {new_link.expires_at:%Y-%m-%d %H:%M} UTC): {link}")
    line(f"It shows the review queue alone; to end it: gnomon key revoke {new_link.key_id}")


def keys(listed: "Sequence[Key]") -> None:
    if not listed:
        line("There are no keys in this database; make one with `gnomon key create`.")
        return
    rows = table("id", "role", "for", "name", "made")
    for key in listed:
        rows.add_row(key.id, key.role, _scope(key), clean(key.name or ""), f"{key.created_at:%Y-%m-%d %H:%M} UTC")
    draw(rows)


def checked(report: "Checked") -> None:
    line(f"{report.database}: schema version {report.schema_version} of {report.newest_version}")
    if report.rows:
        rows = table("table", "rows", right=("rows",))
        for name, count in report.rows.items():
            rows.add_row(name, f"{count:,}")
        draw(rows)
    for problem in report.problems:
        line(f"problem: {clean(problem)}")
    if not report.problems:
        line("No problems found.")


def deletion(title: str, counts: Mapping[str, int], stays: str | None) -> None:
    """What is about to be deleted."""
    line(clean(title))
    parts = [f"{count:,} {name if count != 1 else name.removesuffix('s')}" for name, count in counts.items() if count]
    line(f"  deletes {', '.join(parts) if parts else 'nothing else'}" + (f"; {stays} stay" if stays else ""))


def prune_preview(preview: "PrunePreview") -> None:
    since = f"{preview.before[:16].replace('T', ' ')} UTC"
    if not preview.projects:
        line(f"No trace is older than {since}.")
        return
    line(f"Traces to which no span came since {since}:")
    rows = table("project", "traces", "spans", "about", "kept", right=("traces", "spans", "about", "kept"))
    for project in preview.projects:
        size = f"{project.bytes / 1e6:,.1f} MB"
        rows.add_row(clean(project.project_id), f"{project.traces:,}", f"{project.spans:,}", size, f"{project.kept:,}")
    draw(rows)
    scored = ", scores" if preview.keep_scored else ""
    line(f"Kept: old traces that runs, dataset items, annotations, human scores{scored} or the review queue refer to.")


def pruned(done: "Pruned") -> None:
    space = done.space
    line(f"Deleted {done.traces:,} traces with {done.spans:,} spans.")
    line(f"The database took {space.before / 1e6:,.1f} MB and takes {space.after / 1e6:,.1f} MB now.")
    if space.free_inside:
        line(f"{space.free_inside / 1e6:,.1f} MB within the file are free for new data.")
    if space.note:
        line(f"Note: {space.note}.")


def version(report: "Installed") -> None:
    line(f"gnomon {report.version}")
    if report.commit is not None:
        changed = ", with changes" if report.changed else ""
        line(f"commit {report.commit[:12]}{changed}, in {clean(report.folder)}")
    line(f"Python {report.python}, SQLite {report.sqlite}")
    missing = f"; not installed: {', '.join(report.missing_extras)}" if report.missing_extras else ""
    line(f"extras: {', '.join(report.extras) or 'none'}{missing}")
    line("web page: built" if report.web_page else "web page: not built; in a clone, `make web` builds it")


def findings(doctor_findings: "Sequence[DoctorFinding]") -> None:
    from rich.text import Text

    rows = table("", "", "", headed=False)
    for finding in doctor_findings:
        remedy = f"; {finding.remedy}" if finding.remedy else ""
        rows.add_row(Text(finding.state, style=_COLORS[finding.state]), finding.about, clean(finding.found + remedy))
    draw(rows)


def _scope(key: "Key") -> str:
    return f"project {key.project_id}" if key.project_id else "all projects"
