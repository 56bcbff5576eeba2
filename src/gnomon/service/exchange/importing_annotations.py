"""Import annotations of traces and runs. An annotation that is stored already is skipped."""

from collections.abc import Iterable, Sequence

from gnomon.errors import NotFound
from gnomon.model.backend import Backend
from gnomon.model.review import Annotation, AnnotationDraft, AnnotationScoreDraft
from gnomon.service.exchange.importing_scores import CountsLike

_KIND = "annotations"


class AnnotationImporter:
    """Stores annotations, the oldest first, with the scores that they bring."""

    def __init__(self, backend: Backend, project_id: str, counts: CountsLike, *, dry_run: bool = False) -> None:
        self._backend, self._project_id, self._counts, self._dry_run = backend, project_id, counts, dry_run

    def of_traces(self, drafts: Iterable[AnnotationDraft]) -> None:
        by_trace: dict[str, list[AnnotationDraft]] = {}
        for draft in drafts:
            by_trace.setdefault(draft.trace_id or "", []).append(draft)
        for trace_id, annotations in by_trace.items():
            self._store(annotations, self._stored_of_trace(trace_id))

    def of_runs(self, experiment_id: str, by_run: Iterable[tuple[str | None, Sequence[AnnotationDraft]]]) -> None:
        """Import annotations of this experiment's runs, by the run's id; None where it is not stored."""
        drafts: list[AnnotationDraft] = []
        for run_id, annotations in by_run:
            if run_id is not None:
                drafts += (draft.model_copy(update={"run_id": run_id}) for draft in annotations)
            elif self._dry_run:
                self.count_new([len(annotations)])
            else:
                self._counts.not_understood["annotation of a run that is not stored"] += len(annotations)
        self._store(drafts, self._backend.annotations(experiment_id=experiment_id))

    def count_new(self, numbers: Iterable[int]) -> None:
        """Annotations of runs that a dry run does not store."""
        self._counts.added[_KIND] += sum(numbers)

    def _stored_of_trace(self, trace_id: str) -> list[Annotation]:
        try:
            return list(self._backend.annotations(trace_id, project_id=self._project_id))
        except NotFound:  # a dry run stores no trace
            return []

    def _store(self, drafts: Iterable[AnnotationDraft], stored: Iterable[Annotation]) -> None:
        stored_before: dict[tuple[str | None, ...], list[AnnotationDraft]] = {}
        for annotation in stored:
            before = _as_draft(annotation)
            stored_before.setdefault(_key(before), []).append(before)
        for draft in drafts:
            own = draft.model_copy(update={"project_id": self._project_id})
            alike = stored_before.get(_key(own), [])
            if own in alike:
                alike.remove(own)  # said twice, it is stored twice
                self._counts.there[_KIND] += 1
                continue
            self._counts.added[_KIND] += 1
            if not self._dry_run:
                self._backend.annotate(own)


def _key(draft: AnnotationDraft) -> tuple[str | None, ...]:
    return draft.trace_id, draft.run_id, draft.span_id, draft.annotator, draft.label, draft.notes


def _as_draft(annotation: Annotation) -> AnnotationDraft:
    """The annotation as a draft, with its scores and without another one for its label."""
    fields = annotation.model_dump(exclude={"id", "created_at", "updated_at", "scores", "score_ids", "no_score"})
    scores = [AnnotationScoreDraft(**score.model_dump(exclude={"score_id"})) for score in annotation.scores]
    return AnnotationDraft(**fields, scores=scores, score=False)
