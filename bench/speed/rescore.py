"""Storing an evaluation in this process, and scoring its runs again: how many items, runs and spans a second?

Everything goes through the embedded backend, as an evaluation without a server does: a dataset is synchronised, runs
are stored with two rule scores each in batches of 1,000, and one-span traces in batches of 512. Then a job scores all
runs by a rule, as a worker takes it. Beside the rate by the clock stands the one by CPU time, which depends less on
what else the machine does.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TypeVar

from bench.speed.stand import Figure, at_least, databases, main, workplace

from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft, ScoreExperimentDraft
from gnomon.model.score import InlineScoreDraft, ScorerSpec
from gnomon.model.trace import ProjectDraft, SpanDraft
from gnomon.service.clock import Clock
from gnomon.service.embedded import Embedded
from gnomon.service.jobs.jobs import Worker
from gnomon.store.engine import open_store

ROWS = {"small": 10_000, "medium": 50_000, "full": 100_000}
RUNS_TOGETHER, SPANS_TOGETHER = 1000, 512
ITEMS, RUNS, SPANS, RESCORED = 80_000, 17_000, 12_000, 50_000
T = TypeVar("T")
INLINE = [InlineScoreDraft(scorer_name="exact_match"), InlineScoreDraft(scorer_name="contains")]


def measure(options: argparse.Namespace) -> list[Figure]:
    rows = ROWS[options.size]
    with workplace() as folder, databases(options.databases, folder) as makers:
        return [figure for name, new in makers.items() for figure in _database(name, new(), rows)]


def _database(name: str, url: str, rows: int) -> Iterator[Figure]:
    open_store(url).close()
    with Embedded(url) as backend:
        backend.create_project(ProjectDraft(id="p"))
        dataset = backend.create_dataset(DatasetDraft(name="d", project_id="p"))
        items = [ItemDraft(input=f"q{n}", expected_output=f"a{n}") for n in range(rows)]
        yield _rate(
            f"a dataset synchronised, {name}", rows, "items/s", ITEMS, lambda: backend.sync_items(dataset.id, items)
        )
        ids = backend.sync_items(dataset.id, items).item_ids
        made = backend.create_experiment(ExperimentDraft(name="e", dataset_id=dataset.id, project_id="p"))
        runs = [RunDraft(dataset_item_id=id, output=f"a{n}", scores=INLINE) for n, id in enumerate(ids)]
        yield _rate(
            f"runs with two rule scores, {name}", rows, "runs/s", RUNS,
            lambda: [backend.add_runs(made.id, part) for part in _parts(runs, RUNS_TOGETHER)],
        )  # fmt: skip
        spans = [_span(n) for n in range(rows)]
        yield _rate(
            f"traces of one span, {name}", rows, "spans/s", SPANS,
            lambda: [backend.ingest(part, "p") for part in _parts(spans, SPANS_TOGETHER)],
        )  # fmt: skip
        rule = ScorerSpec(scorer_name="again", scorer="exact_match", config={"case_sensitive": False})
        job = backend.score_experiment(made.id, ScoreExperimentDraft(scorers=[rule])).job_id
        with _worker(url) as worker:
            yield _rate(f"runs scored again by a rule, {name}", rows, "runs/s", RESCORED, worker.run_one)
        assert backend.job(job).counts["scored"] == rows


def _span(n: int) -> SpanDraft:
    now = datetime.now(UTC)
    return SpanDraft(
        id=f"s{n}", trace_id=f"t{n}", name="task", input={"question": f"q{n}"}, output=f"a{n}", start_time=now,
        end_time=now, metadata={"experiment_id": "e", "trial": 0},
    )  # fmt: skip


def _parts(whole: list[T], size: int) -> Iterator[list[T]]:
    for start in range(0, len(whole), size):
        yield whole[start : start + size]


@contextmanager
def _worker(url: str) -> Iterator[Worker]:
    store = open_store(url)
    try:
        yield Worker(store, Clock())
    finally:
        store.close()


def _rate(what: str, rows: int, unit: str, least: int, work: Callable[[], object]) -> Figure:
    began, computed = time.perf_counter(), time.process_time()
    work()
    seconds, computed = time.perf_counter() - began, time.process_time() - computed
    note = f"{rows / computed:,.0f} {unit} of CPU time; load {os.getloadavg()[0]:.1f}"
    return at_least(what, rows / seconds, unit, least, note)


if __name__ == "__main__":
    main(__doc__, measure)
