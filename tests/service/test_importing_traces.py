"""Traces of other tools are stored as their files say, and once."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gnomon.interop.foreign.formats import read_any
from gnomon.interop.otlp.decoding import decode_traces
from gnomon.interop.otlp.encoding import request_of
from gnomon.model.importing import ImportReport
from gnomon.model.score import Score
from gnomon.model.trace import Span, SpanDraft, Trace
from gnomon.service.embedded import Embedded
from gnomon.service.exchange.importing_files import ImportOptions, import_files, prepare
from gnomon.store.engine import open_store

GOLDEN = Path(__file__).parents[1] / "golden" / "foreign_traces"
SOURCES = [
    "phoenix/folder", "phoenix/spans.parquet", "mlflow/traces.jsonl", "langfuse/blob", "langfuse/enriched",
    "langfuse/dataset_run", "langsmith", "braintrust/logs.jsonl", "braintrust/experiment.jsonl", "otlp/traces.jsonl",
]  # fmt: skip
KINDS = ("datasets", "items", "experiments", "runs", "scores", "absent_scores", "traces", "spans")


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[Embedded]:
    url = f"sqlite:///{tmp_path}/gnomon.db"
    open_store(url).close()
    opened = Embedded(url)
    yield opened
    opened.close()


def imported(backend: Embedded, path: Path, *ranges: str) -> ImportReport:
    options = ImportOptions.of("auto", None, ranges, None)
    return import_files(backend, "p", prepare(path, options), options)


def stored(backend: Embedded) -> dict[str, Trace]:
    return {row.id: backend.trace(row.id, "p") for row in backend.traces("p")}


def shown(spans: Sequence[Span | SpanDraft]) -> dict[str, tuple[Any, ...]]:
    return {
        span.id: (span.parent_span_id, span.name, span.input, span.output, span.model, span.metadata) for span in spans
    }


@pytest.mark.parametrize("source", [source for source in SOURCES if not source.startswith("otlp")])
def test_what_is_stored_is_what_the_file_says(source: str, backend: Embedded) -> None:
    bundle = read_any(GOLDEN / source)
    drafts = [list(trace) for trace in bundle.traces]
    drafts += [list(run.spans) for experiment in bundle.experiments for run in experiment.runs if run.spans]
    report = imported(backend, GOLDEN / source)
    assert (report.traces.added, report.spans.added) == (len(drafts), sum(map(len, drafts)))
    traces = stored(backend)
    assert traces.keys() == {draft[0].trace_id for draft in drafts}
    for draft in drafts:
        trace = traces[draft[0].trace_id]
        assert shown(trace.spans) == shown(draft)
        assert trace.tokens == sum((span.tokens_input or 0) + (span.tokens_output or 0) for span in draft)
        assert trace.has_error == any(span.error for span in draft)
    for one in bundle.span_scores:
        if one.score.value is not None:
            (score,) = backend.scores(one.span_id, "span", scorer_name=one.score.name, trace_id=one.trace_id)
            assert (score.value, score.source) == (one.score.value, one.score.source or "api")


def spans_in(traces: dict[str, Trace]) -> Iterator[Span]:
    for trace in traces.values():
        yield from trace.spans


def scores_of(backend: Embedded, span: Span) -> list[Score]:
    return [one for one in backend.scores(span.id, "span", trace_id=span.trace_id) if one.project_id == "p"]


def otlp_span(number: int, parent: int | None, **more: Any) -> dict[str, Any]:
    start = 1_771_711_200_000_000_001 + number * 1_000_000
    above = {} if parent is None else {"parentSpanId": f"{parent + 1:016x}"}
    times = {"startTimeUnixNano": str(start), "endTimeUnixNano": str(start + 500)}
    return {"traceId": "b" * 32, "spanId": f"{number + 1:016x}", "name": f"s{number}", **times, **above, **more}


def otlp_line(*spans: dict[str, Any]) -> str:
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]})


@pytest.mark.parametrize("source", SOURCES)
def test_importing_twice_adds_nothing(source: str, backend: Embedded) -> None:
    first, before = imported(backend, GOLDEN / source), stored(backend)
    second = imported(backend, GOLDEN / source)
    for kind in KINDS:
        assert getattr(second, kind).added == 0, kind
        if kind != "datasets":
            assert getattr(second, kind).there_already == getattr(first, kind).added, kind
    assert stored(backend) == before
    assert {file.status for file in second.files} == {"there already"}


def test_a_run_of_an_experiment_names_its_trace_and_has_its_scores(backend: Embedded) -> None:
    imported(backend, GOLDEN / "langfuse" / "dataset_run")
    (experiment,) = backend.experiments("p")
    runs = sorted(backend.runs(experiment.id), key=lambda run: str(run.trace_id))
    assert [run.trace_id for run in runs] == ["run-trace-1", "run-trace-2"]
    assert [[score.value for score in backend.scores(run.id, "run")] for run in runs] == [[1.0], [0.0]]


def test_a_range_that_the_user_says_turns_stars_into_a_share(backend: Embedded) -> None:
    imported(backend, GOLDEN / "phoenix" / "folder", "stars=1..5")
    (span,) = [span for trace in stored(backend).values() for span in trace.spans if span.error is not None]
    (score,) = backend.scores(span.id, "span", scorer_name="stars", trace_id=span.trace_id)
    assert (score.value, score.source) == (0.75, "human")
    assert (score.metadata or {})["raw"] == 4.0


def test_feedback_that_comes_in_a_later_file_finds_its_runs(backend: Embedded) -> None:
    imported(backend, GOLDEN / "langsmith" / "runs.jsonl")
    report = imported(backend, GOLDEN / "langsmith" / "feedback.jsonl")
    assert (report.scores.added, report.absent_scores.added) == (3, 1)
    assert report.scores.there_already == 1  # `correct` came with the runs' own statistics


def test_annotations_of_spans_that_were_imported_before_are_added_once(backend: Embedded) -> None:
    imported(backend, GOLDEN / "phoenix" / "spans.parquet")
    later, again = (imported(backend, GOLDEN / "phoenix" / "folder") for _ in range(2))
    assert (later.spans.added, later.scores.added, later.absent_scores.added) == (0, 3, 1)
    assert (again.scores.added, again.scores.there_already, again.absent_scores.there_already) == (0, 3, 1)
    spans = [span for trace in stored(backend).values() for span in trace.spans]
    (root,) = [span for span in spans if span.output == "Paris" and span.parent_span_id is None]
    (score,) = backend.scores(root.id, "span", trace_id=root.trace_id)
    assert (score.scorer_name, score.value, score.source) == ("correct", 1.0, "human")


def test_spans_of_opentelemetry_are_stored_as_if_they_were_sent(backend: Embedded) -> None:
    path = GOLDEN / "otlp" / "traces.jsonl"
    report = imported(backend, path)
    found = stored(backend)
    assert (report.traces.added, report.spans.added, report.scores.added) == (2, 5, 1)
    for line in path.read_bytes().splitlines():
        backend.send_traces(request_of((one.body, one.source.body) for one in decode_traces(line, "json").spans), "q")
    for trace in found.values():
        assert trace.spans == backend.trace(trace.id, "q").spans
    ((span, scores),) = [(span, told) for span in spans_in(found) if (told := scores_of(backend, span))]
    assert [(one.scorer_name, one.value, one.rationale) for one in scores] == [("helpful", 0.75, "Short and right.")]
    assert "gen_ai.evaluation.result" in [event.name for event in span.events or ()]


def test_a_dry_run_counts_the_spans_of_opentelemetry_and_stores_none(backend: Embedded) -> None:
    options = ImportOptions()
    files = prepare(GOLDEN / "otlp" / "traces.jsonl", options)
    planned = import_files(backend, "p", files, options, dry_run=True)
    assert not list(backend.projects())
    done = import_files(backend, "p", files, options)
    for kind in KINDS:
        assert getattr(planned, kind) == getattr(done, kind), kind


def test_spans_of_opentelemetry_that_are_there_in_part_are_counted_one_by_one(
    backend: Embedded, tmp_path: Path
) -> None:
    spans = [otlp_span(at, 0 if at else None) for at in range(3)]
    part, whole = tmp_path / "part.jsonl", tmp_path / "whole.jsonl"
    part.write_text(otlp_line(*spans[:2]))
    whole.write_text(otlp_line(*spans, otlp_span(0, None)))
    imported(backend, part)
    report = imported(backend, whole)
    assert (report.spans.added, report.spans.there_already) == (1, 3)
    assert (report.traces.added, report.traces.there_already) == (0, 1)


def test_results_that_are_on_another_scale_or_beside_their_spans_are_scores_too(
    backend: Embedded, tmp_path: Path
) -> None:
    def result(name: str, value: float) -> dict[str, Any]:
        told = {"name": {"stringValue": name}, "score.value": {"doubleValue": value}}
        listed = [{"key": f"gen_ai.evaluation.{key}", "value": one} for key, one in told.items()]
        return {"attributes": listed}

    event = "gen_ai.evaluation.result"
    scored = {"events": [{"name": event, **result("stars", 4)}, {"name": event, **result("tone", 0.5)}]}
    logs = [{"traceId": "b" * 32, "eventName": event, **result("whole", 1.0)}]
    path = tmp_path / "t.jsonl"
    log_line = json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": logs}]}]})
    path.write_text("\n".join([log_line, otlp_line(otlp_span(0, None, **scored), otlp_span(1, 0))]))
    for added in (3, 0):
        assert imported(backend, path, "stars=1..5").scores.added == added
        root = stored(backend)["b" * 32].spans[0]
        assert sorted((one.scorer_name, one.value) for one in scores_of(backend, root)) == [
            ("stars", 0.75), ("tone", 0.5), ("whole", 1.0),
        ]  # fmt: skip


def test_ten_thousand_spans_of_several_roots_are_stored_with_one_root_per_trace(
    backend: Embedded, tmp_path: Path
) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w") as file:
        for at in range(10_000):
            start = (datetime(2026, 2, 21, 22, tzinfo=UTC) + timedelta(milliseconds=at)).isoformat()
            ids = {"context": {"trace_id": "t", "span_id": f"s{at}"}, "parent_id": f"s{at - 1}" if at % 1000 else None}
            file.write(json.dumps({**ids, "name": "s", "span_kind": "CHAIN", "start_time": start}) + "\n")
    report = imported(backend, path)
    assert (report.traces.added, report.spans.added, report.not_understood) == (10, 10_000, [])
    assert sorted(row.span_count for row in backend.traces("p")) == [1000] * 10
