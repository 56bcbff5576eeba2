"""A page of every list, from a thousand rows and from a million: it must cost the same.

Measured at the service, where the page is made: HTTP would add the same to both and hide growth.
Each list is asked for its first page and for one from the middle, on both sizes in turn; the
fastest of forty counts.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bench.speed import fill
from bench.speed.fill import PROJECT
from bench.speed.stand import Figure, at_most, databases, main, workplace

from gnomon.model.access import Principal
from gnomon.service.access import keys, projects
from gnomon.service.call import Call, Listing
from gnomon.service.clock import Clock
from gnomon.service.experiments import datasets, experiments, runs
from gnomon.service.jobs import jobs
from gnomon.service.review import annotations, queue
from gnomon.service.scoring import scoring
from gnomon.service.traces import traces
from gnomon.store import schema
from gnomon.store.engine import Store, Transaction, open_store
from gnomon.store.pages import Slice
from gnomon.store.reviews import AnnotationFilter
from gnomon.store.spanstore import TraceFilter

FEW = 1_000
MANY = {"small": 20_000, "medium": 100_000, "full": 1_000_000}
OLDEST = 60
TARGET = 1.5
TIMES = 40


@dataclass
class Full:
    """A database with so many rows in every list, and the keys that lie in the middle of each."""

    store: Store
    rows: int
    dataset: str = ""
    experiment: str = ""
    target: str = ""
    trace: str = ""
    middle: dict[str, tuple[Any, ...]] = field(default_factory=dict)


FAILED, QUEUED = TraceFilter(has_error=True), TraceFilter(in_queue=True)

Ask = Callable[[Full, Call, Slice], Listing[Any]]

LISTS: dict[str, tuple[str, Ask]] = {
    "projects": ("projects", lambda full, call, part: projects.all_of(call, part)),
    "keys": ("keys", lambda full, call, part: keys.all_of(call, part)),
    "datasets": ("datasets", lambda full, call, part: datasets.all_of(call, PROJECT, part)),
    "items": ("items", lambda full, call, part: datasets.items(call, full.dataset, None, part)),
    "experiments": ("experiments", lambda full, call, part: experiments.all_of(call, PROJECT, part)),
    "experiments of a dataset": (
        "experiments",
        lambda full, call, part: experiments.all_of(
            call, PROJECT, part, experiments.ExperimentFilter(dataset_id=full.dataset)
        ),
    ),
    "runs": ("runs", lambda full, call, part: runs.all_of(call, full.experiment, part)),
    "scores": ("scores", lambda full, call, part: scoring.of_target(call, full.target, "run", None, None, part)),
    "scoring states": (
        "states",
        lambda full, call, part: scoring.states(
            call, target_id=None, experiment_id=full.experiment, state=None, scorer_name=None, wanted=part
        ),
    ),
    "traces": ("traces", lambda full, call, part: traces.all_of(call, PROJECT, TraceFilter(), part)),
    "traces with an error": ("traces", lambda full, call, part: traces.all_of(call, PROJECT, FAILED, part)),
    "traces in the queue": ("traces", lambda full, call, part: traces.all_of(call, PROJECT, QUEUED, part)),
    "annotations": (
        "annotations",
        lambda full, call, part: annotations.page(call, AnnotationFilter(PROJECT, trace_id=full.trace), part),
    ),
    "queue": ("queue", lambda full, call, part: queue.page(call, PROJECT, part)),
    "queue, pending": ("queue", lambda full, call, part: queue.page(call, PROJECT, part, status="pending")),
    "jobs": ("jobs", lambda full, call, part: jobs.all_of(call, PROJECT, None, part)),
    "jobs that failed": ("jobs", lambda full, call, part: jobs.all_of(call, PROJECT, "failed", part)),
}  # fmt: skip


def measure(options: argparse.Namespace) -> list[Figure]:
    figures = []
    with workplace() as folder, databases(options.databases, folder) as makers:
        for name, new in makers.items():
            few, many = (_fill(new(), rows) for rows in (FEW, MANY[options.size]))
            figures += [_figure(name, words, few, many, *LISTS[words]) for words in LISTS]
            for full in (few, many):
                full.store.close()
    return figures


def _figure(database: str, words: str, few: Full, many: Full, place: str, ask: Ask) -> Figure:
    ratios, costs = [], []
    for after in (False, True):
        small, large = _in_turn(place, ask, few, many, after)
        ratios.append(min(large) / min(small))
        costs.append(min(large) * 1000)
    note = f"first page {costs[0]:.1f} ms, from the middle {costs[1]:.1f} ms"
    return at_most(f"{words}, {database}, {many.rows:,} rows against {FEW:,}", max(ratios), "×", TARGET, note)


def _in_turn(place: str, ask: Ask, few: Full, many: Full, after: bool) -> tuple[list[float], list[float]]:
    took: tuple[list[float], list[float]] = ([], [])
    clock, principal = Clock(), Principal("bench", "admin")
    for _ in range(TIMES):
        for full, found in zip((few, many), took, strict=True):
            part = Slice(50, full.middle[place] if after else None)
            began = time.perf_counter()
            page = full.store.read(partial(_asked, ask=ask, full=full, part=part, principal=principal, clock=clock))
            found.append(time.perf_counter() - began)
            if not page.items:
                raise SystemExit(f"the list {place} is empty; the benchmark measures nothing")
    return took


def _asked(db: Transaction, ask: Ask, full: Full, part: Slice, principal: Principal, clock: Clock) -> Listing[Any]:
    return ask(full, Call(db, principal, clock), part)


def _fill(url: str, rows: int) -> Full:
    store, clock = open_store(url), Clock()
    full = Full(store, rows)
    for put in (_put_projects, _put_datasets, _put_runs, _put_states, _put_traces, _put_jobs):
        put(full, clock)
    fill.settle(store)
    return full


def _ids(full: Full, clock: Clock, place: str) -> list[str]:
    """As many ids, in growing order, and the middle one remembered."""
    ids = clock.new_ids(full.rows)
    full.middle[place] = (ids[full.rows // 2],)
    return ids


def _put_projects(full: Full, clock: Clock) -> None:
    now = clock.now_ms()
    places = [(now + n, f"p{n}") for n in range(full.rows)]
    full.middle["projects"] = places[full.rows // 2]
    fill.insert(full.store, schema.projects, ({"name": "p", "id": id, "created_at": at} for at, id in places))
    ids = _ids(full, clock, "keys")
    fields = {"role": "read", "project_id": PROJECT, "created_at": now}
    fill.insert(full.store, schema.api_keys, ({**fields, "id": id, "secret_hash": id} for id in ids))


def _put_datasets(full: Full, clock: Clock) -> None:
    now = clock.now_ms()
    fields = {"project_id": PROJECT, "version": 1, "item_count": 0, "created_at": now, "updated_at": now}
    ids = _ids(full, clock, "datasets")
    fill.insert(full.store, schema.datasets, ({**fields, "id": id, "name": id} for id in ids))
    full.dataset, items = fill.dataset(full.store, clock, full.rows)
    full.middle["items"] = (items[full.rows // 2],)
    fields = {"project_id": PROJECT, "name": "e", "dataset_id": full.dataset, "created_at": now, "status": "created"}
    numbers = ("trials", "run_count", "failed_run_count", "pinned_run_count", "expected_run_count", "has_repeats")
    fields |= {**dict.fromkeys(numbers, 1), "auto_complete": 0, "dataset_version": 1}
    ids = _ids(full, clock, "experiments")
    fill.insert(full.store, schema.experiments, ({**fields, "id": id} for id in ids))
    full.experiment = ids[0]


def _put_runs(full: Full, clock: Clock) -> None:
    ids, now = _ids(full, clock, "runs"), clock.now_ms()
    fields = {"project_id": PROJECT, "experiment_id": full.experiment, "output": '"x"', "created_at": now, "trial": 0}
    fill.insert(full.store, schema.runs, ({**fields, "id": id, "dataset_item_id": id} for id in ids))
    full.target = "one-run"
    fields = {"project_id": PROJECT, "target_type": "run", "target_id": full.target, "source": "api", "value": 0.5}
    fields |= {"scorer_name": "s", "created_at": now}
    fill.insert(full.store, schema.scores, ({**fields, "id": id} for id in _ids(full, clock, "scores")))


def _put_states(full: Full, clock: Clock) -> None:
    now = clock.now_ms()
    fields = {"target_type": "run", "trace_id": "", "scorer_name": "s", "config_hash": "", "project_id": PROJECT}
    fields |= {"experiment_id": full.experiment, "state": "absent", "reason": "no expected output"}
    places = [(now + n, f"r{n:07}") for n in range(full.rows)]
    full.middle["states"] = (*places[full.rows // 2], "s", "")
    fill.insert(full.store, schema.scoring_states, ({**fields, "target_id": id, "updated_at": at} for at, id in places))


def _put_traces(full: Full, clock: Clock) -> None:
    now = clock.now_ms()
    middle = full.rows // 2
    full.trace = _trace(0)
    full.middle |= {"traces": (now + middle, _trace(middle)), "queue": (now + middle // 2, _trace(middle // 2))}
    fill.insert(full.store, schema.traces, _traces(full.rows, now))
    fields = {"id": "root", "project_id": PROJECT, "name": "agent", "start_time": now, "input": '"q"', "output": '"a"'}
    fill.insert(full.store, schema.spans, ({**fields, "trace_id": _trace(n)} for n in range(full.rows)))
    fields = {"project_id": PROJECT, "trace_id": full.trace, "annotator": "ada", "label": "good", "created_at": now}
    fill.insert(full.store, schema.annotations, ({**fields, "id": id} for id in _ids(full, clock, "annotations")))


def _trace(number: int) -> str:
    return f"trace-{number:07}"


def _traces(rows: int, now: int) -> Iterator[dict[str, Any]]:
    """The oldest half is in the queue and the oldest few have an error: the worst place for both."""
    fields = {"project_id": PROJECT, "root_span_id": "root", "span_count": 1, "tokens": 0, "annotation_count": 0}
    for n in range(rows):
        queued = now + n if n < rows // 2 else None
        yield {**fields, "id": _trace(n), "error_count": int(n < OLDEST), "queued_at": queued, "created_at": now + n}


def _put_jobs(full: Full, clock: Clock) -> None:
    ids, now = _ids(full, clock, "jobs"), clock.now_ms()
    fields = {
        "project_id": PROJECT,
        "kind": "score_experiment",
        "payload": "{}",
        "counts": "{}",
        "attempts": 1,
        "total": 1,
    }
    fields |= {"due_at": now, "created_at": now, "updated_at": now}
    rows = ({**fields, "id": id, "status": "failed" if n < OLDEST else "done"} for n, id in enumerate(ids))
    fill.insert(full.store, schema.jobs, rows)


if __name__ == "__main__":
    main(__doc__, measure)
