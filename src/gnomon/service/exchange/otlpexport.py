"""Stored spans and scores leave as OTLP: sent to a receiver batch by batch, or written as lines of OTLP/JSON."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import BinaryIO

from gnomon.calling.otlp import OtlpReceiver, Stopped
from gnomon.errors import GnomonError
from gnomon.interop.exports.records import Record, ScoreRecord, StateRecord, TraceRecord
from gnomon.interop.otlp.encoding import request_of
from gnomon.interop.otlp.outgoing import (
    Evaluation,
    OutgoingSpan,
    json_line,
    log_record,
    logs_request,
    outgoing_span,
)
from gnomon.model.backend import Backend
from gnomon.model.moment import iso
from gnomon.model.score import Score, ScoringState
from gnomon.service.exchange.exporting import ExportProgress, Selection, records, trace_record, traces

BATCH = 512
"""Spans, or log records, in one request."""
_BATCH_BYTES = 4 << 20
"""A request is sent when it has so many bytes, however few spans: receivers have limits."""


@dataclass(slots=True)
class SentSpans:
    """What a receiver took."""

    counts: Counter[str] = field(default_factory=Counter)
    """Traces, spans and scores that were sent, with those that it did not take."""
    batches: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    """Spans and scores that it did not take."""
    messages: list[str] = field(default_factory=list)
    """What it said about them, each once."""

    def add(self, kind: str, count: int, rejected: int, message: str) -> None:
        self.batches += 1
        self.counts[kind] += count
        if rejected:
            self.rejected[kind] += rejected
        if message and message not in self.messages:
            self.messages.append(message)

    def in_words(self, kind: str) -> str:
        batches = "1 batch" if self.batches == 1 else f"{self.batches:,} batches"
        return f"it took {batches} with {self.counts[kind]:,} {kind} before"


def send_traces(
    backend: Backend, selection: Selection, receiver: OtlpReceiver, on_progress: ExportProgress | None = None
) -> SentSpans:
    """Send traces, and their scores after their spans."""
    sender = _Sender(receiver, named=bool(selection.names))
    for done, trace in enumerate(traces(backend, selection), 1):
        sender.add(trace_record(backend, trace, selection.scores))
        if on_progress is not None:
            on_progress(done)
    sender.flush()
    return sender.sent


def send_scores(
    backend: Backend, selection: Selection, receiver: OtlpReceiver, on_progress: ExportProgress | None = None
) -> SentSpans:
    """Send scores alone: of spans, and of runs with what they belong to."""
    sent = SentSpans()
    try:
        _send_records(receiver, records(backend, selection), selection.project_id, sent, on_progress)
    except Stopped as stopped:
        taken = sent.in_words("scores")
        words = f"{stopped.message}; {taken}; run it again, with names or times to leave out what it took"
        raise GnomonError(words, code=stopped.code) from None
    return sent


def _send_records(
    receiver: OtlpReceiver,
    every: Iterable[Record],
    project: str | None,
    sent: SentSpans,
    on_progress: ExportProgress | None,
) -> None:
    waiting: list[bytes] = []
    for done, record in enumerate(every, 1):
        evaluation = _evaluation(record) if isinstance(record, ScoreRecord | StateRecord) else None
        waiting += [] if evaluation is None else [log_record(evaluation)]
        if len(waiting) == BATCH:
            _send_logs(receiver, waiting, project, sent)
            waiting = []
        if on_progress is not None:
            on_progress(done)
    _send_logs(receiver, waiting, project, sent)


def write_json(
    backend: Backend, selection: Selection, file: BinaryIO, on_progress: ExportProgress | None = None
) -> Counter[str]:
    """A line of OTLP/JSON per batch, with scores as events of their spans."""
    counts: Counter[str] = Counter()
    waiting: list[OutgoingSpan] = []
    for done, trace in enumerate(traces(backend, selection), 1):
        record = trace_record(backend, trace, selection.scores)
        counts.update({"traces": 1, "spans": len(trace.spans)})
        by_span: dict[str | None, list[Evaluation]] = {}
        for evaluation in _evaluations(record.scores, record.states):
            counts["scores"] += 1
            by_span.setdefault(evaluation.span_id, []).append(evaluation)
        waiting += (outgoing_span(span, trace.project_id, by_span.get(span.id, ())) for span in trace.spans)
        while len(waiting) >= BATCH:
            file.write(json_line(_request(waiting[:BATCH])))
            waiting = waiting[BATCH:]
        if on_progress is not None:
            on_progress(done)
    if waiting:
        file.write(json_line(_request(waiting)))
    return counts


def _request(spans: Iterable[OutgoingSpan]) -> bytes:
    return request_of((span.body, span.source) for span in spans)


def _evaluations(scores: Iterable[Score], states: Iterable[ScoringState]) -> Iterator[Evaluation]:
    every: list[Score | ScoringState] = [*scores, *states]
    return (evaluation for evaluation in map(Evaluation.of, every) if evaluation is not None)


def _evaluation(record: ScoreRecord | StateRecord) -> Evaluation | None:
    experiment = record.experiment
    about = (
        {} if experiment is None else {"gnomon.experiment.name": experiment.name, "gnomon.experiment.id": experiment.id}
    )
    if isinstance(record, StateRecord):
        run_id = None if experiment is None else record.state.target_id
        return Evaluation.of(record.state, **about, **{"gnomon.run.id": run_id})
    run = record.run
    if run is None:
        return Evaluation.of(record.score, **about)
    ids: dict[str, str | int] = {
        "gnomon.run.id": run.id,
        "gnomon.dataset_item.id": run.dataset_item_id,
        "gnomon.trial": run.trial,
    }
    return Evaluation.of(record.score, run.trace_id, **about, **ids)


class _Sender:
    """Spans of one trace after the other, in full batches, and then the scores that are about them."""

    def __init__(self, receiver: OtlpReceiver, *, named: bool) -> None:
        self.sent = SentSpans()
        self._receiver, self._named = receiver, named
        self._spans: list[OutgoingSpan] = []
        self._logs: list[bytes] = []
        self._size = 0
        self._first: TraceRecord | None = None
        """The first trace that is not sent whole."""
        self._project: str | None = None

    def add(self, record: TraceRecord) -> None:
        trace = record.trace
        if self._project != trace.project_id:
            self.flush()
            self._project = trace.project_id
        self._first = self._first or record
        for span in trace.spans:
            outgoing = outgoing_span(span, trace.project_id)
            self._spans.append(outgoing)
            self._size += len(outgoing.body)
            if len(self._spans) >= BATCH or self._size >= _BATCH_BYTES:
                self._send_spans()
                self._first = record
        self._logs += map(log_record, _evaluations(record.scores, record.states))
        self.sent.counts["traces"] += 1
        if len(self._logs) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Scores come after their spans, so that a receiver knows what they are about."""
        self._send_spans()
        while self._logs:
            self._guarded(lambda: _send_logs(self._receiver, self._logs[:BATCH], self._project, self.sent))
            self._logs = self._logs[BATCH:]
        self._first = None

    def _send_spans(self) -> None:
        if self._spans:
            self._guarded(lambda: _send_spans(self._receiver, self._spans, self.sent))
            self._spans, self._size = [], 0

    def _guarded(self, send: Callable[[], None]) -> None:
        try:
            send()
        except Stopped as stopped:
            raise GnomonError(f"{stopped.message}; {self._so_far()}", code=stopped.code) from None

    def _so_far(self) -> str:
        taken = self.sent.in_words("spans")
        if self._first is None:
            return taken
        if self._named:
            return f"{taken}; go on with the traces from {self._first.trace.id} on"
        # Listed newest first: all that is left was received no later than this one.
        until = self._first.trace.created_at + timedelta(milliseconds=1)
        return f"{taken}; go on with --before {iso(until)}"


def _send_spans(receiver: OtlpReceiver, spans: Sequence[OutgoingSpan], sent: SentSpans) -> None:
    """A batch that is too large for the receiver goes in halves."""
    answer = receiver.send_spans(_request(spans))
    if answer is None and len(spans) > 1:
        half = len(spans) // 2
        _send_spans(receiver, spans[:half], sent)
        _send_spans(receiver, spans[half:], sent)
    elif answer is None:
        sent.add("spans", 1, 1, "a span is larger than the receiver takes")
    else:
        sent.add("spans", len(spans), answer.rejected, answer.message)


def _send_logs(receiver: OtlpReceiver, logs: Sequence[bytes], project: str | None, sent: SentSpans) -> None:
    if not logs:
        return
    answer = receiver.send_logs(logs_request(logs, project))
    if answer is None and len(logs) > 1:
        half = len(logs) // 2
        _send_logs(receiver, logs[:half], project, sent)
        _send_logs(receiver, logs[half:], project, sent)
    elif answer is None:
        sent.add("scores", 1, 1, "a score is larger than the receiver takes")
    else:
        sent.add("scores", len(logs), answer.rejected, answer.message)
