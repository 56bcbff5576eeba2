"""What people say of traces: annotations, and the queue of traces that wait for them."""

from gnomon.errors import InvalidInput, NotFound, Problem, Refused
from gnomon.model.dataset import DatasetItem, ItemDraft
from gnomon.model.moment import to_ms
from gnomon.model.review import Annotation, AnnotationDraft, Queued, QueueItem, RootSpan, ToItemDraft
from gnomon.service.call import Call, Listing, listing, project_in_scope, visible
from gnomon.service.experiments import datasets
from gnomon.service.traces.searching import Effort, says, search
from gnomon.service.traces.traces import find_trace, hold_trace
from gnomon.store import reviews as store
from gnomon.store.pages import PageKey, Slice
from gnomon.store.rows import AnnotationRow
from gnomon.store.spanstore import TraceWithRoot

_EFFORT = Effort(200, 5_000)
"""How many a search for a text looks through per page."""


def annotate(call: Call, draft: AnnotationDraft) -> Annotation:
    trace = hold_trace(call, draft.trace_id, draft.project_id)
    if draft.span_id is not None and not call.spans.find_span(call.db, draft.span_id, trace.project_id, trace.id):
        message = f"trace {trace.id!r} has no span {draft.span_id!r}; name one of its spans, or none"
        raise _refused("INVALID_ANNOTATION_SCOPE", "span_id", message)
    row = AnnotationRow(
        id=call.clock.new_id(), project_id=trace.project_id, trace_id=draft.trace_id, span_id=draft.span_id,
        annotator=draft.annotator, label=draft.label, correction=draft.correction, notes=draft.notes,
        created_at=call.clock.now(),
    )  # fmt: skip
    store.annotate(call.db, row)
    return _noun(row)


def get(call: Call, id: str) -> Annotation:
    return _noun(visible(call.who, store.annotation(call.db, id), f"annotation {id!r}"))


def of_trace(
    call: Call, trace_id: str, span_id: str | None, project_id: str | None, page: Slice
) -> Listing[Annotation]:
    trace = find_trace(call, trace_id, project_id)
    rows = store.annotations_page(call.db, trace.project_id, trace_id, span_id, page)
    return listing(rows, page, _noun, lambda row: (row.id,))


def to_dataset_item(call: Call, id: str, draft: ToItemDraft) -> DatasetItem:
    """What the trace was asked, with the correction as expected output. Each time a new item."""
    annotation = get(call, id)
    dataset = datasets.get(call, draft.dataset_id)
    if dataset.project_id != annotation.project_id:
        raise NotFound(f"dataset {dataset.id!r} does not exist in the annotation's project")
    trace = find_trace(call, annotation.trace_id, annotation.project_id)
    if trace.root_span_id is None:
        message = f"trace {trace.id!r} has no root span, so there is no input to take"
        raise _refused("NO_ROOT_SPAN", "trace_id", message)
    if trace.root_input is None:
        message = f"the root span of trace {trace.id!r} has no input, and a dataset item needs one"
        raise _refused("NO_ROOT_INPUT", "input", message)
    origin = {
        "source": "annotation",
        "source_trace_id": trace.id,
        "source_annotation_id": annotation.id,
        "annotator": annotation.annotator,
    }
    item = ItemDraft(input=trace.root_input, expected_output=annotation.correction, metadata=origin)
    return datasets.add_item(call, dataset.id, item)


def enqueue(call: Call, trace_id: str, project_id: str | None) -> Queued:
    """Put the trace in the queue; one that waits already keeps its place."""
    trace = hold_trace(call, trace_id, project_id)
    since = store.enqueue(call.db, trace.project_id, trace_id, call.clock.now())
    return Queued(trace_id=trace_id, queued=True, queued_at=since)


def dequeue(call: Call, trace_id: str, project_id: str | None) -> Queued:
    trace = hold_trace(call, trace_id, project_id)
    store.dequeue(call.db, trace.project_id, trace_id)
    return Queued(trace_id=trace_id, queued=False)


def queue(
    call: Call,
    project_id: str | None,
    status: str | None,
    annotator: str | None,
    page: Slice,
    text: str | None = None,
) -> Listing[QueueItem]:
    """Queued traces, the longest waiting first. `annotator` leaves those that this person annotated, `text` those
    whose root span holds it."""
    if status not in (None, "pending", "annotated"):
        message = f"status {status!r} is neither `pending` nor `annotated`"
        raise InvalidInput.of("status", message, code="INVALID_QUEUE_STATUS")
    annotated = None if status is None else status == "annotated"
    scope = project_in_scope(call.who, project_id)

    def read(part: Slice) -> list[TraceWithRoot]:
        return store.queue_page(call.db, scope, part, annotated=annotated, annotator=annotator)

    if text is None:
        return listing(read(page), page, _queue_item, _queue_key)
    folded = text.casefold()
    found = search(
        page, read, _queue_key,
        lambda rows: [says([row.root_name, row.root_input, row.root_output], folded) for row in rows], _EFFORT,
    )  # fmt: skip
    return Listing([_queue_item(row) for row in found.items], found.next_key)


def _refused(code: str, field: str, message: str) -> Refused:
    return Refused(message, code=code, problems=[Problem(field, code, message)])


def _noun(row: AnnotationRow) -> Annotation:
    return Annotation(
        id=row.id, project_id=row.project_id, trace_id=row.trace_id, span_id=row.span_id, annotator=row.annotator,
        label=row.label, correction=row.correction, notes=row.notes, created_at=row.created_at,
    )  # fmt: skip


def _queue_key(row: TraceWithRoot) -> PageKey:
    assert row.queued_at is not None, "only queued traces are asked for"
    return to_ms(row.queued_at), row.id


def _queue_item(row: TraceWithRoot) -> QueueItem:
    root = None
    if row.root_span_id is not None:
        root = RootSpan(
            id=row.root_span_id, name=row.root_name, input=row.root_input, output=row.root_output,
            duration_ms=row.root_duration_ms,
        )  # fmt: skip
    return QueueItem(
        trace_id=row.id, queued_at=row.queued_at, status="annotated" if row.annotation_count else "pending",
        annotation_count=row.annotation_count, root_span=root,
    )  # fmt: skip
