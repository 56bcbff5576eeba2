"""Writes step8.sql: a small database as Gnomon made it at schema step 8, before spans had OpenTelemetry's fields.

It was run once, with the code of that time, and is kept to show how the file beside it was made. Tests make the tables
by the first eight steps, which never change, and fill them with the statements of that file.
"""

import sqlite3
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.review import AnnotationDraft
from gnomon.model.rule import RuleDraft, ScoreSpansDraft, SpanFilter
from gnomon.model.score import InlineScoreDraft, ScoreDraft, ScorerSpec
from gnomon.model.trace import ProjectDraft, SpanDraft, SpanError
from gnomon.service.embedded import Embedded
from gnomon.store.engine import open_store

BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def spans(trace: int) -> list[SpanDraft]:
    """A root with three children. Every second trace names a session and a user, every third one fails."""
    trace_id, start = f"trace-{trace}", BEGAN + timedelta(hours=trace)
    about = {"session.id": f"session-{trace // 4}", "user.id": f"user-{trace % 3}"} if trace % 2 else {}
    root = SpanDraft(
        id="root", trace_id=trace_id, name="answer", start_time=start, end_time=start + timedelta(seconds=2),
        input={"question": f"What is {trace} + 1?"}, output=str(trace + 1), metadata={"version": trace % 5, **about},
        error=SpanError(message="timed out", type="TimeoutError") if trace % 3 == 0 else None,
        scores=[InlineScoreDraft(scorer_name="exact_match", config={"expected_output": str(trace + 1)})],
    )  # fmt: skip
    children = [
        SpanDraft(
            id=f"call-{at}", trace_id=trace_id, parent_span_id="root", name="model call", model="gpt-4o",
            start_time=start + timedelta(milliseconds=100 * at), tokens_input=10 * at + 1, tokens_output=at,
            metadata={"step": at, **about},
        )
        for at in range(3)
    ]  # fmt: skip
    return [*children, root]


def fill(backend: Embedded) -> None:
    backend.create_project(ProjectDraft(id="shop"))
    backend.create_rule(RuleDraft(
        project_id="shop", name="has digits", filter=SpanFilter(root_only=True),
        scorer=ScorerSpec(scorer_name="digits", scorer="regex", config={"pattern": r"\d+"}),
    ))  # fmt: skip
    for trace in range(12):
        backend.ingest(spans(trace), "shop")
    backend.ingest(
        [SpanDraft(id="orphan", trace_id="no-root", parent_span_id="gone", name="late", start_time=BEGAN)], "shop"
    )
    backend.ingest(spans(0), "other")
    backend.add_score(
        ScoreDraft(target_type="span", target_id="call-1", trace_id="trace-3", scorer_name="liked", value=0.5)
    )
    backend.annotate(AnnotationDraft(trace_id="trace-1", project_id="shop", annotator="a new user", label="correct"))
    backend.queue_trace("trace-2", "shop")
    backend.score_spans(
        ScoreSpansDraft(
            project_id="shop", scorers=[ScorerSpec(scorer_name="contains", config={"expected_output": "1"})]
        )
    )
    dataset = backend.create_dataset(DatasetDraft(project_id="shop", name="sums"))
    item = backend.add_item(dataset.id, ItemDraft(input="What is 3 + 1?", expected_output="4"))
    experiment = backend.create_experiment(ExperimentDraft(project_id="shop", name="first", dataset_id=dataset.id))
    backend.add_runs(experiment.id, [RunDraft(dataset_item_id=item.id, output="4", trace_id="trace-3")])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gnomon.db"
        open_store(f"sqlite:///{path}").close()
        with Embedded(f"sqlite:///{path}") as backend:
            fill(backend)
        with sqlite3.connect(path) as database:
            lines = [line for line in database.iterdump() if line.startswith("INSERT") and "gnomon_schema" not in line]
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
