"""Old traces leave: by each project's own setting, in a worker, and by hand with `gnomon db prune`."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import msgspec

from gnomon.errors import InvalidInput, NotFound
from gnomon.model.jsonvalue import dump
from gnomon.model.moment import iso
from gnomon.model.retention import LONGEST_DAYS, ProjectContents, Retention, RetentionDraft
from gnomon.service.access import projects
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.upkeep import health, removing
from gnomon.service.upkeep.maintenance import open_existing
from gnomon.store import projects as project_store
from gnomon.store import retention as store
from gnomon.store import upkeep
from gnomon.store.engine import Store, Transaction
from gnomon.store.retention import AgeKey, OldTraces, PrunedBatch
from gnomon.store.rows import RetentionRow
from gnomon.store.upkeep import Space

EVERY = timedelta(hours=1)
"""How often a project's traces are looked through."""
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_DURATION = re.compile(r"([0-9]{1,6})([hdw])")


# --- the setting of a project -----


def get(call: Call, project_id: str) -> Retention:
    projects.get(call, project_id)
    return _noun(project_id, store.get(call.db, project_id))


def put(call: Call, project_id: str, draft: RetentionDraft) -> Retention:
    """Old traces are removed soon after, and every hour from then on."""
    projects.get(call, project_id)
    row = RetentionRow(project_id, draft.retention_days, int(draft.keep_scored), call.clock.now(), "")
    store.put(call.db, row)
    return _noun(project_id, row)


def contents(call: Call, project_id: str) -> ProjectContents:
    projects.get(call, project_id)
    return ProjectContents(project_id=project_id, **store.contents(call.db, project_id)._asdict())


def _noun(project_id: str, row: RetentionRow | None) -> Retention:
    days, keep_scored = (None, 0) if row is None else (row.days, row.keep_scored)
    return Retention(project_id=project_id, retention_days=days, keep_scored=bool(keep_scored))


# --- in a worker -----


def next_piece(call: Call) -> bool:
    """Remove some old traces of a project that keeps its traces for a time; False when none is due."""
    now = call.clock.now()
    row = store.next_due(call.db, now)
    if row is None or row.days is None:
        return False
    after = msgspec.json.decode(row.position, type=AgeKey) if row.position else None
    old = OldTraces(row.project_id, now - timedelta(days=row.days), bool(row.keep_scored))
    position = store.prune_batch(call.db, call.spans, old, after).position
    if position is None:
        store.change(call.db, row.project_id, due_at=now + EVERY, position="")
    else:
        store.change(call.db, row.project_id, due_at=row.due_at, position=dump(list(position)))
    return True


# --- by hand -----


@dataclass(frozen=True, slots=True)
class ProjectPreview:
    """What a prune would remove of a project."""

    project_id: str
    traces: int
    spans: int
    bytes: int
    """Estimated from a sample."""
    kept: int
    """Old traces that stay because something refers to them."""


@dataclass(frozen=True, slots=True)
class PrunePreview:
    """What a prune would remove; `before` is the moment since which nothing came to these traces."""

    before: str
    keep_scored: bool
    traces: int
    spans: int
    bytes: int
    projects: list[ProjectPreview]


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was removed, and what that came to on the disk."""

    traces: int
    spans: int
    space: Space


def age(text: str) -> timedelta:
    """90d, 12w or 36h.

    >>> age("2w")
    datetime.timedelta(days=14)
    """
    match = _DURATION.fullmatch(text.strip().lower())
    length = int(match[1]) * _UNITS[match[2]] if match else timedelta()
    if not timedelta() < length <= timedelta(days=LONGEST_DAYS):
        words = "write a whole number above 0 and h, d or w for hours, days or weeks, such as 90d"
        raise InvalidInput.of("older-than", f"--older-than {text!r} is not an age; {words}")
    return length


def open_for_pruning(url: str) -> Store:
    """A database that must be there, with the newest schema."""
    database = open_existing(url)
    try:
        database.read(health.check)
    except BaseException:
        database.close()
        raise
    return database


def find_old(
    database: Store, older_than: timedelta, *, project_id: str | None, keep_scored: bool, clock: Clock | None = None
) -> PrunePreview:
    """Count the traces that are older than this, by project, and estimate the space that they take."""
    before = (clock or Clock()).now() - older_than

    def look(id: str, db: Transaction) -> ProjectPreview:
        old = OldTraces(id, before, keep_scored)
        counts = store.count_old(db, old)
        size = store.estimate_bytes(db, old, counts.spans) if counts.spans else 0
        return ProjectPreview(id, counts.traces, counts.spans, size, counts.kept)

    ids = database.read(lambda db: _project_ids(db, project_id))
    looked = [database.read(partial(look, id)) for id in ids]
    some = [preview for preview in looked if preview.traces or preview.kept]
    sums = {name: sum(getattr(preview, name) for preview in some) for name in ("traces", "spans", "bytes")}
    return PrunePreview(before=iso(before), keep_scored=keep_scored, projects=some, **sums)


def _project_ids(db: Transaction, project_id: str | None) -> list[str]:
    if project_id is None:
        return sorted(project_store.all_ids(db))
    if project_store.get(db, project_id) is None:
        raise NotFound(f"project {project_id!r} does not exist")
    return [project_id]


def prune(database: Store, planned: PrunePreview, progress: Callable[[int], None], *, compact: bool = False) -> Pruned:
    """Remove old traces in batches, each a transaction, and give back the space; told how many spans are gone."""
    size = upkeep.size_on_disk(database)
    before = datetime.fromisoformat(planned.before)
    traces = spans = 0
    for old in [OldTraces(preview.project_id, before, planned.keep_scored) for preview in planned.projects]:
        for batch in _batches(database, old):
            traces, spans = traces + batch.traces, spans + batch.spans
            progress(spans)
    return Pruned(traces, spans, upkeep.give_back(database, size, compact=compact))


def _batches(database: Store, old: OldTraces) -> Iterator[PrunedBatch]:
    position: AgeKey | None = None
    while True:
        began = time.monotonic()
        batch = database.write(partial(_prune_batch, database, old, position))
        yield batch
        position = batch.position
        if position is None:
            return
        removing.make_room(time.monotonic() - began)


def _prune_batch(database: Store, old: OldTraces, position: AgeKey | None, db: Transaction) -> PrunedBatch:
    return store.prune_batch(db, database.spans, old, position)
