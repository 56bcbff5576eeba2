"""Metadata that is indexed: which keys a project has an index of, and the values that spans give to them."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gnomon.model.metadata import MetadataKey, MetadataKeys, MetadataKeysDraft
from gnomon.service.access import projects
from gnomon.service.call import Call
from gnomon.service.jobs.pieces import Piece, position, span_key_of
from gnomon.store import jobs
from gnomon.store.jobs import NewJob
from gnomon.store.rows import JobRow
from gnomon.store.spanstore import ALWAYS_INDEXED, MODEL, Indexed, indexed_values


class MetadataIndex:
    """What spans give to the indexed keys of their project."""

    def __init__(self, call: Call, project_id: str) -> None:
        self._keys = [key for key in call.spans.indexed_keys(call.db, project_id) if key != MODEL]

    def values(self, trace_id: str, model: str | None, metadata: Mapping[str, Any] | None) -> list[Indexed]:
        return indexed_values(self._keys, trace_id, model, metadata)


# --- which keys -----

KIND = "index_metadata"


def get(call: Call, project_id: str) -> MetadataKeys:
    projects.get(call, project_id)
    return _noun(call, project_id)


def put(call: Call, project_id: str, draft: MetadataKeysDraft) -> MetadataKeys:
    """Declare the project's keys. What comes in from now on is indexed at once, what is there by a job."""
    projects.get(call, project_id)
    now = call.clock.now()
    new = call.spans.declare_keys(call.db, project_id, set(draft.keys), now)
    if not new:
        return _noun(call, project_id)
    job = NewJob(
        id=call.clock.new_id(), project_id=project_id, kind=KIND, payload={"keys": new, "scorers": []},
        total=call.spans.count(call.db, project_id), created_at=now,
    )  # fmt: skip
    jobs.add(call.db, [job])
    return _noun(call, project_id).model_copy(update={"job_id": job.id})


def index_next(call: Call, job: JobRow, most: int) -> Piece:
    """Index the next spans of a project; the keys are ready with the last."""
    keys: list[str] = job.payload["keys"]
    rows = call.spans.walk(call.db, job.project_id, span_key_of(job.position), most)
    values = {value for row in rows for value in indexed_values(keys, row.trace_id, None, row.metadata)}
    call.spans.index_values(call.db, job.project_id, values)
    is_last = len(rows) < most
    if is_last:
        call.spans.keys_ready(call.db, job.project_id, keys)
    return Piece(Counter(indexed=len(rows)), position(rows[-1]) if rows else job.position or "", is_last)


def _noun(call: Call, project_id: str) -> MetadataKeys:
    known = call.spans.indexed_keys(call.db, project_id)
    keys = [
        MetadataKey(key=key, ready=ready, always=key in ALWAYS_INDEXED) for key, ready in known.items() if key != MODEL
    ]
    return MetadataKeys(project_id=project_id, keys=sorted(keys, key=lambda value: (not value.always, value.key)))
