"""The text search of a project: whether its root spans are searched by their words, and the jobs that see to it."""

from collections import Counter

import msgspec

from gnomon.errors import InvalidInput
from gnomon.model.jsonvalue import dump
from gnomon.model.traceviews import TextSearch, TextSearchDraft
from gnomon.service.access import projects
from gnomon.service.call import Call
from gnomon.service.jobs.pieces import Piece
from gnomon.shorten import shorten
from gnomon.store import jobs
from gnomon.store.jobs import NewJob
from gnomon.store.rows import JobRow, TextSearchRow
from gnomon.store.searchwords import NotSearchable, terms

KIND = "index_text"
TOGETHER = 300
"""Traces that are indexed in one transaction."""
PENDING_TOGETHER = 2_000
"""The same of those that arrived: the more together, the less each takes."""
WORTH_A_WORKER = 500
"""Traces that wait to be indexed before a server starts a worker for them alone."""


def check(query: str) -> None:
    """Refuse a query that no text can be searched by."""
    try:
        terms(query)
    except NotSearchable as bad:
        raise InvalidInput.of("q", f"q is {shorten(query, 60)!r}: {bad}") from None


def need(call: Call, project_id: str) -> None:
    """Refuse to search a project that is not searched."""
    row = call.spans.text_search_of(call.db, project_id)
    if row is not None and not row.enabled:
        words = f"the text search of project {project_id!r} is off"
        raise InvalidInput.of("q", f"{words}; switch it on with PUT /v1/projects/{project_id}/text-search")


def get(call: Call, project_id: str) -> TextSearch:
    projects.get(call, project_id)
    return _noun(call, project_id)


def put(call: Call, project_id: str, draft: TextSearchDraft) -> TextSearch:
    """Switch the index on or off. New traces follow at once; a job indexes or removes stored ones."""
    projects.get(call, project_id)
    current = _noun(call, project_id)
    if current.enabled == draft.enabled:
        return current
    job = NewJob(
        id=call.clock.new_id(), project_id=project_id, kind=KIND, payload={"scorers": []},
        total=call.spans.count_traces(call.db, project_id), created_at=call.clock.now(),
    )  # fmt: skip
    jobs.add(call.db, [job])
    call.spans.set_text_search(call.db, TextSearchRow(project_id, int(draft.enabled), 0, job.id))
    return _noun(call, project_id)


def next_piece(call: Call, job: JobRow) -> Piece:
    """Index the next traces of a project, or empty its part of the index, as it is wanted by now."""
    row = call.spans.text_search_of(call.db, job.project_id)
    if row is None or row.job_id != job.id:  # it was switched again, and another job goes on
        return Piece(Counter(), job.position or "", is_last=True)
    if not row.enabled:
        removed = call.spans.forget_some(call.db, job.project_id, TOGETHER)
        return _done(call, row, Counter(removed=removed), job.position or "", is_last=removed < TOGETHER)
    after = msgspec.json.decode(job.position, type=tuple[int, str]) if job.position else None
    traces = call.spans.traces_to_index(call.db, job.project_id, after, TOGETHER)
    call.spans.index_traces(call.db, job.project_id, traces)
    position = dump([traces[-1].created_at, traces[-1].id]) if traces else job.position or ""
    return _done(call, row, Counter(indexed=len(traces)), position, is_last=len(traces) < TOGETHER)


def _done(call: Call, row: TextSearchRow, counts: Counter[str], position: str, *, is_last: bool) -> Piece:
    if is_last:
        call.spans.set_text_search(call.db, row._replace(ready=1))
    return Piece(counts, position, is_last)


def _noun(call: Call, project_id: str) -> TextSearch:
    row = call.spans.text_search_of(call.db, project_id)
    if row is None:
        return TextSearch(project_id=project_id, enabled=True, ready=True)
    job_id = None if row.ready else row.job_id
    return TextSearch(project_id=project_id, enabled=bool(row.enabled), ready=bool(row.ready), job_id=job_id)
