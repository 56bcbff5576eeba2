"""Imported traces and their scores. A span that is there already stays as it is: sent twice, it is stored once."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from gnomon.errors import Conflict, GnomonError, InvalidInput, NotFound, Problem, Refused, TooLarge
from gnomon.interop.foreign.bundle import ForeignScore, SpanScore
from gnomon.model.backend import Backend
from gnomon.model.score import MAX_SCORES, ScoreDraft
from gnomon.model.trace import SpanDraft
from gnomon.service.exchange.importing_otlp import OtlpSpans
from gnomon.service.exchange.importing_scores import CountsLike, TargetAddress, kind_of, score_draft, score_fields

_SPANS_AT_ONCE = 500
_DUPLICATE = "DUPLICATE_SPAN"


class SpanImporter:
    """Stores traces in batches."""

    def __init__(self, backend: Backend, project_id: str, counts: CountsLike, *, dry_run: bool = False) -> None:
        self._backend, self._project_id, self._counts, self._dry_run = backend, project_id, counts, dry_run
        self._stored_before: set[TargetAddress] = set()
        self._otlp = OtlpSpans(backend, project_id, counts, dry_run=dry_run)

    def store_otlp(self, requests: Iterable[bytes]) -> None:
        """Spans of OpenTelemetry: they come before the scores that the file has beside them."""
        self._otlp.store(requests)

    def store_traces(self, traces: Iterable[Sequence[SpanDraft]], scores: Sequence[SpanScore]) -> None:
        """Spans with their scores inside; scores of spans that are stored already come after."""
        by_span: dict[TargetAddress, list[ForeignScore]] = {}
        for score in scores:
            by_span.setdefault((score.trace_id, score.span_id), []).append(score.score)
        waiting: list[SpanDraft] = []
        sent: set[TargetAddress] = set()
        for trace in traces:
            for span in trace:
                sent.add((span.trace_id, span.id))
                span_scores = by_span.get((span.trace_id, span.id), ())
                waiting.append(_scored(span, span_scores) if span_scores else span)
                if len(waiting) == _SPANS_AT_ONCE:
                    self._send(waiting)
                    waiting = []
        self._send(waiting)
        later = by_span.keys() - (sent - self._stored_before)
        self._send_scores({address: scores for address, scores in by_span.items() if address in later})

    # --- spans -----

    def _send(self, spans: Sequence[SpanDraft]) -> None:
        if self._dry_run:
            self._count(self._counts.added, spans)
            return
        while spans:
            try:
                self._backend.ingest(spans, self._project_id)
            except (InvalidInput, Conflict, Refused, TooLarge) as refusal:
                wrong = {
                    problem.index: problem
                    for problem in refusal.problems
                    if problem.index is not None and problem.index < len(spans)
                }
                if wrong:
                    spans = self._without(spans, wrong)
                    continue
                if len(spans) > 1:  # nobody says which one is meant
                    half = len(spans) // 2
                    self._send(spans[:half])
                    spans = spans[half:]
                    continue
                self._counts.not_understood[f"span that is refused: {_first_words(refusal)}"] += 1
                return
            self._count(self._counts.added, spans)
            return

    def _without(self, spans: Sequence[SpanDraft], wrong: dict[int, Problem]) -> list[SpanDraft]:
        duplicates = [spans[index] for index, problem in wrong.items() if problem.code == _DUPLICATE]
        self._stored_before |= {(span.trace_id, span.id) for span in duplicates}
        # Their scores may be new: they are looked for, and counted, with those that come later.
        self._count(self._counts.there, [span.model_copy(update={"scores": None}) for span in duplicates])
        for problem in wrong.values():
            if problem.code != _DUPLICATE:
                self._counts.not_understood[f"span that is refused: {problem.message[:100]}"] += 1
        return [span for index, span in enumerate(spans) if index not in wrong]

    def _count(self, counts: Counter[str], spans: Sequence[SpanDraft]) -> None:
        counts["spans"] += len(spans)
        counts["traces"] += sum(
            span.parent_span_id is None and span.trace_id not in self._otlp.counted for span in spans
        )
        for span in spans:
            for score in span.scores or ():
                counts[kind_of(score)] += 1

    # --- scores of spans that came before -----

    def _send_scores(self, by_span: dict[TargetAddress, list[ForeignScore]]) -> None:
        drafts: list[ScoreDraft] = []
        for (trace_id, span_id), scores in by_span.items():
            stored_names = self._names(trace_id, span_id)
            for score in self._otlp.not_yet_there((trace_id, span_id), scores):
                kind = kind_of(score)
                if stored_names is None:
                    self._counts.not_understood["score of a span that is not there"] += 1
                elif score.name in stored_names:
                    self._counts.there[kind] += 1
                else:
                    fields = score_fields(score)
                    where: dict[str, Any] = {"target_id": span_id, "trace_id": trace_id, "project_id": self._project_id}
                    drafts.append(ScoreDraft(target_type="span", **where, **fields))
                    self._counts.added[kind] += 1
        if not self._dry_run:
            for start in range(0, len(drafts), MAX_SCORES):
                self._add_scores(drafts[start : start + MAX_SCORES])

    def _add_scores(self, drafts: Sequence[ScoreDraft]) -> None:
        """All of them; of those that are refused only these, such as of a trace that two projects have."""
        try:
            self._backend.add_scores(drafts)
        except (InvalidInput, Conflict, Refused, NotFound) as refusal:
            if len(drafts) > 1:
                for draft in drafts:
                    self._add_scores([draft])
                return
            self._counts.added[kind_of(drafts[0])] -= 1
            self._counts.not_understood[f"score that is refused: {_first_words(refusal)}"] += 1

    def _names(self, trace_id: str, span_id: str) -> set[str] | None:
        """The scorers that scored a span already, or said why not; None where there is no such span."""
        address = trace_id, span_id
        if self._dry_run or address in self._otlp.new:
            return set()
        if address not in self._stored_before and not self._otlp.has(address):
            try:
                spans = self._backend.trace(trace_id, self._project_id).spans
            except NotFound:
                return None
            if not any(span.id == span_id for span in spans):
                return None
        scores = self._backend.scores(span_id, "span", trace_id=trace_id)
        states = self._backend.scoring_states(target_id=span_id)
        return {score.scorer_name for score in scores if score.project_id == self._project_id} | {
            state.scorer_name for state in states if state.trace_id in (None, trace_id)
        }


def _scored(span: SpanDraft, scores: Sequence[ForeignScore]) -> SpanDraft:
    return span.model_copy(update={"scores": [*(span.scores or ()), *map(score_draft, scores)]})


def _first_words(refusal: GnomonError) -> str:
    return refusal.message[:100]
