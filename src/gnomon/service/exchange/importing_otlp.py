"""Imported spans of OpenTelemetry. They are sent as they came, so that they say here what they said there."""

from collections import Counter
from collections.abc import Iterable, Sequence

from gnomon.errors import Conflict, InvalidInput, NotFound, Refused, TooLarge
from gnomon.interop.conventions import scores_of
from gnomon.interop.foreign.bundle import ForeignScore
from gnomon.interop.otlp.decoding import ReceivedSpan, decode_traces
from gnomon.interop.otlp.encoding import request_of
from gnomon.model.backend import Backend
from gnomon.model.score import InlineScoreDraft
from gnomon.service.exchange.importing_scores import CountsLike, TargetAddress, kind_of, score_draft


class OtlpSpans:
    """Stores requests of spans, and remembers which scores came with them."""

    def __init__(self, backend: Backend, project_id: str, counts: CountsLike, *, dry_run: bool = False) -> None:
        self._backend, self._project_id, self._counts, self._dry_run = backend, project_id, counts, dry_run
        self._there: dict[str, set[str]] = {}
        """Trace → its spans that are stored, of the traces that requests are about."""
        self._is_new: dict[str, bool] = {}
        """Trace → whether it had no span here before."""
        self.counted: set[str] = set()
        """Traces that are in the counts."""
        self._scored: dict[TargetAddress, list[InlineScoreDraft]] = {}
        self.new: set[TargetAddress] = set()
        """Spans that were not there before. Nothing has scored them but what came with them."""

    def store(self, requests: Iterable[bytes]) -> None:
        """Spans that are there already stay as they are."""
        for request in requests:
            new = []
            for span in decode_traces(request, "protobuf").spans:
                known = self._spans_of(span.trace_id)
                if span.span_id in known:
                    self._count(self._counts.there, span)
                else:
                    new.append(span)
                    known.add(span.span_id)
            for span in self._sent(new):
                self.new.add((span.trace_id, span.span_id))
                self._count(self._counts.added, span)

    def has(self, address: TargetAddress) -> bool:
        return address[1] in self._there.get(address[0], ())

    def not_yet_there(self, address: TargetAddress, scores: Sequence[ForeignScore]) -> list[ForeignScore]:
        """The scores of a span that did not arrive as events of the span. An export has them in both forms."""
        inside = list(self._scored.get(address, ()))
        foreign_scores = []
        for score in scores:
            draft = score_draft(score)
            if draft in inside:
                inside.remove(draft)
            else:
                foreign_scores.append(score)
        return foreign_scores

    def _spans_of(self, trace_id: str) -> set[str]:
        if trace_id not in self._there:
            self._there[trace_id] = set() if self._dry_run else self._stored(trace_id)
            self._is_new[trace_id] = not self._there[trace_id]
        return self._there[trace_id]

    def _stored(self, trace_id: str) -> set[str]:
        try:
            return {span.id for span in self._backend.trace(trace_id, self._project_id).spans}
        except NotFound:
            return set()

    def _sent(self, spans: Sequence[ReceivedSpan]) -> Sequence[ReceivedSpan]:
        """Send them; those that were taken. Too many at once go in halves."""
        if self._dry_run or not spans:
            return spans
        request = request_of((span.body, span.source.body) for span in spans)
        try:
            received = self._backend.send_traces(request, self._project_id)
        except (InvalidInput, Conflict, Refused, TooLarge) as refusal:
            if len(spans) > 1:
                half = len(spans) // 2
                return [*self._sent(spans[:half]), *self._sent(spans[half:])]
            self._refuse(spans[0], refusal.message)
            return ()
        if received.rejected and len(spans) > 1:  # which of them, only each by itself can tell
            return [received_span for span in spans for received_span in self._sent([span])]
        if received.rejected:
            self._refuse(spans[0], received.message or "the server gives no reason")
            return ()
        return spans

    def _refuse(self, span: ReceivedSpan, why: str) -> None:
        self._there[span.trace_id].discard(span.span_id)
        self._counts.not_understood[f"span that is refused: {why[:100]}"] += 1

    def _count(self, counts: Counter[str], span: ReceivedSpan) -> None:
        counts["spans"] += 1
        if span.trace_id not in self.counted:
            self.counted.add(span.trace_id)
            (self._counts.added if self._is_new[span.trace_id] else self._counts.there)["traces"] += 1
        address = span.trace_id, span.span_id
        if address not in self._scored:  # of a span that is in the file twice the first one counts
            self._scored[address] = list(scores_of(span.events).taken)
            for score in self._scored[address]:
                counts[kind_of(score)] += 1
