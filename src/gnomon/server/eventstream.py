"""Server-sent events as bytes, and the cursor in their `id:` lines.

A cursor is the counts of changes that a listener has seen (`store/changes.py`). They are the database's, so that any
server goes on where another one stopped, also after a restart, and nothing is kept for a listener that is away.
"""

import re
from collections.abc import Mapping

import msgspec

from gnomon.model.change import CHANGE_KINDS, ChangeEvent, ChangeKind
from gnomon.service.changes import ProjectCounts

KEEP_ALIVE = b": still here\n\n"
RETRY = b"retry: 2000\n\n"
"""How many milliseconds a browser waits before it connects again by itself."""
_VERSION = "1"
_LONGEST = 400
_COUNT = re.compile(r"([a-z]+)=(\d{1,18})")


def cursor(counts: ProjectCounts) -> str:
    return ",".join([_VERSION, *(f"{kind}={count}" for kind, count in sorted(counts.items()) if count)])


def read_cursor(text: str) -> ProjectCounts | None:
    """What a listener has seen; None for a text that is not a cursor of this version."""
    version, *parts = text[:_LONGEST].split(",")
    if version != _VERSION or len(text) > _LONGEST:
        return None
    counts: ProjectCounts = {}
    for part in parts:
        match = _COUNT.fullmatch(part)
        if match is None:
            return None
        if match[1] in CHANGE_KINDS:
            counts[match[1]] = int(match[2])
    return counts


def event(name: str, data: Mapping[str, object] | ChangeEvent, id: str | None = None) -> bytes:
    text = data.model_dump_json() if isinstance(data, ChangeEvent) else msgspec.json.encode(data).decode()
    lines = [f"event: {name}", f"data: {text}", *([] if id is None else [f"id: {id}"])]
    return ("\n".join(lines) + "\n\n").encode()


def changed(project_id: str, seen: ProjectCounts, now: ProjectCounts) -> tuple[bytes, ProjectCounts]:
    """One event per kind that has changed, and what is seen after them.

    Each carries the cursor up to itself: a connection that breaks between two of them loses none. A count that is
    lower than before is a project that was deleted and made again, or an older copy of the database.
    """
    events = []
    for kind in CHANGE_KINDS:
        before, after = seen.get(kind, 0), now.get(kind, 0)
        if before != after:
            seen = _with(seen, kind, after)
            news = ChangeEvent(kind=kind, project_id=project_id, changes=max(1, after - before))
            events.append(event("changed", news, cursor(seen)))
    return b"".join(events), seen


def _with(counts: ProjectCounts, kind: ChangeKind, count: int) -> ProjectCounts:
    return {**counts, kind: count}
