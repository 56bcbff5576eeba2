"""OpenTelemetry's log records come in, as far as they belong to spans.

An evaluation result is a score of its span. Prompts and completions that an instrumentation sends as log records are
part of their span's input and output. A record may come before its span: then it waits in the store, and the span finds
it.
Records of other kinds are not taken, and counted.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from gnomon.interop.conventions import scores_of, view
from gnomon.interop.conventions.events import NAMES as MESSAGE_EVENTS
from gnomon.interop.conventions.events import Event, log_event
from gnomon.interop.conventions.signals import SCORE
from gnomon.interop.otlp.answers import refusals_in_words
from gnomon.interop.otlp.decoding import DecodedLogs, ReceivedLog, Refusal
from gnomon.interop.otlp.stored import stored_span
from gnomon.model.otlp import OtlpReceived
from gnomon.service.call import Call, project_for_writing
from gnomon.service.scoring import attach
from gnomon.service.scoring.targets import span_target
from gnomon.service.traces.otlp import OFF_SCALE, add_sources, by_project, event_in, plan_scores
from gnomon.store.rows import SpanRow, StoredSpanLog
from gnomon.store.spanstore import SpanKey

_NOT_GENAI = "log records are no GenAI events; only evaluation results, prompts and completions are taken"
_NO_SPAN = "GenAI events name no span by trace id and span id"


class PreparedLogs(NamedTuple):
    logs: list[ReceivedLog]
    """Those that belong to spans."""
    refused: list[Refusal]
    other: int
    """Records of other kinds."""
    spanless: int
    left_out: int


def prepare_logs(decoded: DecodedLogs) -> PreparedLogs:
    """Sort out what can be taken."""
    taken, other, spanless, left_out = [], 0, 0, 0
    for log in decoded.logs:
        if log.name != SCORE and log.name not in MESSAGE_EVENTS:
            other += 1
        elif log.trace_id is None or log.span_id is None:
            spanless += 1
        elif log.name == SCORE and scores_of([_event(log)]).left_out:
            left_out += 1
        else:
            taken.append(log)
    return PreparedLogs(taken, decoded.refused, other, spanless, left_out)


def receive_logs(call: Call, prepared: PreparedLogs, project_id: str | None = None) -> OtlpReceived:
    """Store records, and let those whose spans are there change them."""
    job_ids: list[str] = []
    for project, logs in by_project(call, prepared.logs, lambda log: log.source, project_id).items():
        job_ids += _store(call, project_for_writing(call, project), logs)
    counts = {_NOT_GENAI: prepared.other, _NO_SPAN: prepared.spanless, OFF_SCALE: prepared.left_out}
    sentences = [refusals_in_words(prepared.refused)] if prepared.refused else []
    sentences += [f"{count} {words}" for words, count in counts.items() if count]
    rejected = len(prepared.refused) + sum(counts.values())
    return OtlpReceived(
        accepted=len(prepared.logs), rejected=rejected, message="; ".join(sentences) or None, job_ids=job_ids
    )


def _store(call: Call, project_id: str, logs: Sequence[ReceivedLog]) -> list[str]:
    stored_logs = call.spans.logs_of(call.db, project_id, {_key(log)[0] for log in logs}, lock=True)
    known = {(row.trace_id, row.span_id, row.id) for row in stored_logs}
    new = {(*_key(log), _id(log)): log for log in logs if (*_key(log), _id(log)) not in known}
    now = call.clock.now_ms()
    rows = [StoredSpanLog(project_id, *key, log.record, log.source.id, now) for key, log in sorted(new.items())]
    add_sources(call, project_id, {log.source.id: log.source for log in new.values()}.values())
    call.spans.add_logs(call.db, rows)
    stored = call.spans.by_id(call.db, {(project_id, *_key(log)) for log in new.values()})
    spans = {(row.trace_id, row.id): row for row in stored.values()}
    _show_messages(call, project_id, spans, {_key(log) for log in new.values() if log.name != SCORE})
    return _score(call, spans, [log for log in new.values() if log.name == SCORE])


def _show_messages(call: Call, project_id: str, spans: dict[SpanKey, SpanRow], keys: set[SpanKey]) -> None:
    """Read spans again whose messages came after them."""
    changed = [spans[key] for key in sorted(keys) if key in spans and spans[key].otlp is not None]
    if not changed:
        return
    events: dict[SpanKey, list[Event]] = {}
    for log in call.spans.logs_of(call.db, project_id, {row.trace_id for row in changed}):
        events.setdefault((log.trace_id, log.span_id), []).append(event_in(log))
    sources = call.spans.sources(call.db, project_id, {row.source_id for row in changed if row.source_id is not None})
    for row in changed:
        stored_view = stored_span(row.otlp or b"", sources.get(row.source_id or ""))
        messages = [*stored_view.events, *events.get((row.trace_id, row.id), ())]
        seen = view(stored_view.name, stored_view.scope_name, stored_view.attributes, messages)
        call.spans.change_view(call.db, row._replace(input=seen.input, output=seen.output))


def _score(call: Call, spans: dict[SpanKey, SpanRow], logs: Sequence[ReceivedLog]) -> list[str]:
    """Scores of spans that are there. The others' records wait."""
    work = [
        (span_target(spans[_key(log)]), plan)
        for log in logs
        if _key(log) in spans
        for plan in plan_scores(scores_of([_event(log)]).taken)
    ]
    return attach.job_ids(attach.carry_out(call, work)) if work else []


def _event(log: ReceivedLog) -> Event:
    return log_event(log.name, log.attributes, log.body)


def _key(log: ReceivedLog) -> SpanKey:
    return log.trace_id or "", log.span_id or ""


def _id(log: ReceivedLog) -> str:
    """An id in the order of time that is the same for the same record."""
    return f"{log.time_ns:019d}-{sha256(log.record).hexdigest()[:16]}"
