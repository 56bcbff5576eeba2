"""What a server looks at for all of its event streams together: what has changed, and who may not listen any more."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from gnomon.model.change import ChangeKind
from gnomon.store import changes, projects, websessions
from gnomon.store.engine import Transaction

ProjectCounts = dict[ChangeKind, int]


@dataclass(frozen=True, slots=True)
class StreamHolder:
    """Who listens: a key of the database, a session of a browser, or both. The key that a server's environment names is
    in no database and needs no look."""

    key_id: str | None
    session_id: str | None


class SeenChanges(NamedTuple):
    counts: dict[str, ProjectCounts]
    """By project, for each project that was asked for."""
    ended: set[StreamHolder]
    """Whose key was revoked or has expired, or whose session has ended."""


def look(
    db: Transaction, project_ids: Collection[str], holders: Collection[StreamHolder], now: datetime
) -> SeenChanges:
    counts: dict[str, ProjectCounts] = {id: {} for id in project_ids}
    for row in changes.counts(db, project_ids):
        counts[row.project_id][row.kind] = row.changes
    return SeenChanges(counts, _ended(db, holders, now))


def _ended(db: Transaction, holders: Collection[StreamHolder], now: datetime) -> set[StreamHolder]:
    key_ids = {holder.key_id for holder in holders if holder.key_id is not None}
    session_ids = {holder.session_id for holder in holders if holder.session_id is not None}
    keys = projects.valid_keys(db, key_ids, now) if key_ids else set()
    sessions = websessions.valid_sessions(db, session_ids, now) if session_ids else set()
    return {
        holder
        for holder in holders
        if (holder.key_id is not None and holder.key_id not in keys)
        or (holder.session_id is not None and holder.session_id not in sessions)
    }
