"""Annotations of traces and runs: stored with their scores, corrected, undone, and made into dataset items."""

from collections.abc import Collection, Sequence

from gnomon.errors import InvalidInput, NotFound, Problem, Refused
from gnomon.model.dataset import DatasetItem, ItemDraft
from gnomon.model.review import (
    Annotation,
    AnnotationChange,
    AnnotationDraft,
    AnnotationScore,
    AnnotationScoreDraft,
    CardType,
    ReviewSettings,
    ToItemDraft,
)
from gnomon.model.score import JsonObject
from gnomon.model.trace import Deleted
from gnomon.service.call import Call, Listing, listing, project_in_scope, visible
from gnomon.service.experiments import datasets, experiments
from gnomon.service.review import reviewers, settings
from gnomon.service.scoring import authored
from gnomon.service.scoring.authored import AuthoredScore
from gnomon.service.scoring.targets import NO_ROOT, Target, bare_target, span_target
from gnomon.service.traces.traces import find_trace, hold_trace
from gnomon.store import reviewcards, reviews
from gnomon.store.experiments import runs_held
from gnomon.store.pages import Slice
from gnomon.store.reviews import AnnotationFilter
from gnomon.store.rows import AnnotationRow
from gnomon.store.scorerlist import is_of_scorers


def annotate(call: Call, draft: AnnotationDraft) -> Annotation:
    annotator = reviewers.needed(call, draft.annotator)
    _refuse_unqueued(call, draft)
    if draft.trace_id is not None:
        trace = hold_trace(call, draft.trace_id, draft.project_id)
        project_id, scored_span = trace.project_id, draft.span_id or trace.root_span_id
        if draft.span_id is not None and not call.spans.find_span(call.db, draft.span_id, project_id, trace.id):
            message = f"trace {trace.id!r} has no span {draft.span_id!r}; name one of its spans, or none"
            raise _refused("INVALID_ANNOTATION_SCOPE", "span_id", message)
    else:
        project_id, scored_span = _hold_run(call, draft.run_id or "", draft.project_id), None
    row = AnnotationRow(
        id=call.clock.new_id(), project_id=project_id, trace_id=draft.trace_id, run_id=draft.run_id,
        span_id=draft.span_id, annotator=annotator, label=draft.label, correction=draft.correction, notes=draft.notes,
        created_at=call.clock.now(), updated_at=None, scores=None, score_target_id=draft.run_id or scored_span,
    )  # fmt: skip
    drafts = _score_drafts(call, row, draft)
    row = row._replace(scores=_stored_scores(call, row, drafts))
    reviews.annotate(call.db, row)
    _settle(call, row)
    reviewcards.end_claim(call.db, project_id, *reviews.card_of(row), annotator)
    return _stored(row, drafts)


def correct(call: Call, id: str, draft: AnnotationChange) -> Annotation:
    """Replace the content of an annotation, scores included; annotator and target stay."""
    row = _held(call, id)
    new = row._replace(label=draft.label, correction=draft.correction, notes=draft.notes, updated_at=call.clock.now())
    drafts = _score_drafts(call, new, draft)
    new = new._replace(scores=_stored_scores(call, new, drafts))
    reviews.change_annotation(call.db, new)
    _settle(call, new, gone=_score_ids(row))
    return _stored(new, drafts)


def undo(call: Call, id: str) -> Deleted:
    """Delete an annotation with its scores. The same person's previous one on that target counts again."""
    row = _held(call, id)
    reviews.delete_annotation(call.db, row)
    _settle(call, row, gone=_score_ids(row))
    return Deleted(id=id)


def get(call: Call, id: str) -> Annotation:
    return noun(_visible(call, id))


def page(call: Call, only: AnnotationFilter, part: Slice) -> Listing[Annotation]:
    """Newest first. A reviewer sees only what it said itself."""
    if (only.trace_id, only.run_id, only.experiment_id, only.annotator, only.label) == (None,) * 5:
        words = "name a trace_id, a run_id, an experiment_id, an annotator or a label whose annotations you want"
        raise InvalidInput.of("trace_id", words)
    if call.principal.is_reviewer:
        only = only._replace(annotator=reviewers.needed(call, only.annotator))
    if only.trace_id is not None and not call.principal.is_reviewer:  # whom nothing tells whether a trace exists
        only = only._replace(project_id=find_trace(call, only.trace_id, only.project_id).project_id)
    elif only.experiment_id is not None and not call.principal.is_reviewer:
        only = only._replace(project_id=_project_of_experiment(call, only.experiment_id, only.project_id))
    elif only.run_id is None or call.principal.project_id is not None:
        only = only._replace(project_id=project_in_scope(call.principal, only.project_id))
    rows = reviews.annotations_page(call.db, only, part)
    return listing(rows, part, noun, lambda row: (row.id,))


def _project_of_experiment(call: Call, id: str, project_id: str | None) -> str:
    project = experiments.row(call, id).project_id
    if project_id not in (None, project):
        raise NotFound(f"experiment {id!r} does not exist in project {project_id!r}")
    return project


def to_dataset_item(call: Call, id: str, draft: ToItemDraft) -> DatasetItem:
    """What the trace or run was asked, with the correction as expected output. Each time a new item."""
    annotation = get(call, id)
    dataset = datasets.get(call, draft.dataset_id)
    if dataset.project_id != annotation.project_id:
        raise NotFound(f"dataset {dataset.id!r} does not exist in the annotation's project")
    if annotation.run_id is not None:
        run = reviewcards.queued_runs(call.db, [annotation.run_id]).get(annotation.run_id)
        if run is None:
            raise NotFound(f"run {annotation.run_id!r} does not exist")
        about, question = ("source_run_id", annotation.run_id), run.input
    else:
        about, question = ("source_trace_id", annotation.trace_id or ""), _root_input(call, annotation)
    origin = dict([("source", "annotation"), about, ("source_annotation_id", annotation.id)])
    origin["annotator"] = annotation.annotator
    return datasets.add_item(
        call, dataset.id, ItemDraft(input=question, expected_output=annotation.correction, metadata=origin)
    )


def _root_input(call: Call, annotation: Annotation) -> object:
    trace = find_trace(call, annotation.trace_id or "", annotation.project_id)
    if trace.root_span_id is None:
        message = f"trace {trace.id!r} has no root span, so there is no input to take"
        raise _refused("NO_ROOT_SPAN", "trace_id", message)
    if trace.root_input is None:
        message = f"the root span of trace {trace.id!r} has no input, and a dataset item needs one"
        raise _refused("NO_ROOT_INPUT", "input", message)
    return trace.root_input


# --- what an annotation is about -----


def _hold_run(call: Call, id: str, project_id: str | None) -> str:
    """The run's project. The run is locked until the end of the transaction."""
    rows = runs_held(call.db, [id])
    if not rows or not call.principal.sees(rows[0].project_id) or project_id not in (None, rows[0].project_id):
        raise NotFound(f"run {id!r} does not exist")
    return rows[0].project_id


def _refuse_unqueued(call: Call, draft: AnnotationDraft) -> None:
    """A reviewer annotates what is in the queue; of anything else it is not told whether it exists."""
    if not call.principal.is_reviewer:
        return
    kind: CardType = "run" if draft.trace_id is None else "trace"
    id = draft.trace_id or draft.run_id or ""
    if reviewcards.card(call.db, project_in_scope(call.principal, draft.project_id), kind, id) is None:
        raise NotFound(f"{kind} {id!r} is not in the review queue")


def _visible(call: Call, id: str) -> AnnotationRow:
    row = visible(call.principal, reviews.annotation(call.db, id), f"annotation {id!r}")
    reviewers.refuse_others(call, row.annotator)
    return row


def _held(call: Call, id: str) -> AnnotationRow:
    """The annotation, read again after its target is locked: others may have changed it meanwhile."""
    row = _visible(call, id)
    if row.trace_id is not None:
        hold_trace(call, row.trace_id, row.project_id)
    else:
        _hold_run(call, row.run_id or "", row.project_id)
    return _visible(call, id)


# --- its scores -----


def _score_drafts(call: Call, row: AnnotationRow, draft: AnnotationChange) -> list[AnnotationScoreDraft]:
    """The scores that it says, with the one that its label gives."""
    rules = settings.of_project(call.db, row.project_id)
    _refuse_label(rules, draft.label)
    _refuse_names(call, row.project_id, rules, draft)
    value = _label_value(rules, draft)
    label_scores = [] if value is None else [AnnotationScoreDraft(scorer_name=rules.scorer_name, value=value)]
    return [*draft.scores, *label_scores]


def _stored_scores(call: Call, row: AnnotationRow, drafts: Sequence[AnnotationScoreDraft]) -> list[JsonObject] | None:
    """The scores stored with the annotation; a trace without a root has none."""
    if not drafts or row.score_target_id is None:
        return None
    ids = call.clock.new_ids(len(drafts))
    return [{"score_id": id, **score.model_dump()} for id, score in zip(ids, drafts, strict=True)]


def _label_value(rules: ReviewSettings, draft: AnnotationChange) -> float | None:
    """The score that the label gives, unless the annotation names that score itself."""
    if not draft.score or any(score.scorer_name == rules.scorer_name for score in draft.scores):
        return None
    return next((label.value for label in rules.labels if label.label == draft.label), None)


def _refuse_label(rules: ReviewSettings, label: str | None) -> None:
    known = [rule.label for rule in rules.labels]
    if label is not None and not rules.free_labels and label not in known:
        message = f"label {label!r} is not in the project's label set; use one of {', '.join(known)}"
        raise _refused("LABEL_NOT_IN_SET", "label", message)


def _refuse_names(call: Call, project_id: str, rules: ReviewSettings, draft: AnnotationChange) -> None:
    """A reviewer's scores have names of their own: under a scorer's name they would change its means, and gates."""
    if not call.principal.is_reviewer:
        return
    for score in draft.scores:
        if score.scorer_name != rules.scorer_name and is_of_scorers(call.db, project_id, score.scorer_name):
            message = f"{score.scorer_name!r} is the name of an automatic score; give yours another name"
            raise _refused("SCORE_NAME_TAKEN", "scores", message)


def _settle(call: Call, row: AnnotationRow, gone: Collection[str] = ()) -> None:
    """Make the annotator's scores of this target what their annotations say."""
    if row.score_target_id is None or (row.scores is None and not gone):
        return
    target = _target(call, row, row.score_target_id)
    if target is not None:
        rows = reviews.scoring_annotations(call.db, row)
        authored.settle(call, target, row.annotator, [_authored(annotation) for annotation in rows], gone)


def _target(call: Call, row: AnnotationRow, id: str) -> Target | None:
    if row.trace_id is not None:
        spans = call.spans.find_span(call.db, id, row.project_id, row.trace_id)
        return span_target(spans[0]) if spans else None
    runs = runs_held(call.db, [id])
    return bare_target(runs[0]) if runs else None


def _authored(row: AnnotationRow) -> Sequence[AuthoredScore]:
    return [AuthoredScore(**score) for score in row.scores or ()]


def _score_ids(row: AnnotationRow) -> list[str]:
    return [score.score_id for score in _authored(row)]


# --- nouns -----


def _refused(code: str, field: str, message: str) -> Refused:
    return Refused(message, code=code, problems=[Problem(field, code, message)])


def noun(row: AnnotationRow) -> Annotation:
    return Annotation(
        id=row.id, project_id=row.project_id, trace_id=row.trace_id, run_id=row.run_id, span_id=row.span_id,
        annotator=row.annotator, label=row.label, correction=row.correction, notes=row.notes,
        created_at=row.created_at, updated_at=row.updated_at,
        scores=[AnnotationScore(**score._asdict()) for score in _authored(row)], score_ids=_score_ids(row),
    )  # fmt: skip


def _stored(row: AnnotationRow, drafts: Sequence[AnnotationScoreDraft]) -> Annotation:
    is_unplaced = bool(drafts) and row.score_target_id is None
    return noun(row).model_copy(update={"no_score": NO_ROOT} if is_unplaced else {})
