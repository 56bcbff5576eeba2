"""Killed in the middle of load, again and again: what was acknowledged is there, and nothing is there by half."""

import random
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx2
import pytest

from contract.caller import Api, expect
from faults.victim import PATIENCE, Victim

ROUNDS = {"sqlite": 20, "postgresql": 5}
ITEMS, SPANS = 8, 12
WRITERS_OF_EACH_KIND = 2


@dataclass
class Ledger:
    """What the writers asked for, and what they were told is stored. Numbers are never used twice."""

    experiment: str
    items: list[str]
    scored_run: str
    numbers: Iterator[int] = field(default_factory=count)
    traces: dict[str, bool] = field(default_factory=dict)
    """Trace id → acknowledged. One batch is one trace."""
    batches: dict[int, list[str]] = field(default_factory=dict)
    """Trial → the run ids we were told, none when we were told nothing. One batch is one trial of every item."""
    scores: set[str] = field(default_factory=set)
    acknowledged: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def told(self) -> None:
        with self._changed:
            self.acknowledged += 1
            self._changed.notify_all()

    def wait_for(self, more: int) -> None:
        """Until so many more writes are acknowledged."""
        with self._changed:
            wanted = self.acknowledged + more
            assert self._changed.wait_for(lambda: self.acknowledged >= wanted, PATIENCE), "the writers are stuck"


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_and_nothing_is_there_by_half(database, new_url, victim):
    server: Victim = victim(new_url, "--no-worker").start()
    with server.api() as api:
        ledger = _prepare(api)
    chance = random.Random(2026)
    for _ in range(ROUNDS[database]):
        with ThreadPoolExecutor() as threads:
            writers = [
                threads.submit(_until_it_dies, server, ledger, write)
                for write in (_write_spans, _write_runs, _write_score)
                for _ in range(WRITERS_OF_EACH_KIND)
            ]
            ledger.wait_for(chance.randint(3, 40))
            server.kill()
            for writer in writers:
                writer.result(PATIENCE)
        server.start()
    with server.api() as api:
        _check_spans(api, ledger)
        _check_runs(api, ledger)
        _check_scores(api, ledger)
    assert server.stop() == 0
    if database == "sqlite":
        _check_file(new_url.removeprefix("sqlite:///"))


def _prepare(api: Api) -> Ledger:
    dataset = api.questions(ITEMS)
    experiment = api.experiment(dataset.id, trials=100_000)
    (run,) = [api.run(experiment, dataset.item_ids[0], trial=99_999)]
    return Ledger(experiment, dataset.item_ids, run)


def _until_it_dies(server: Victim, ledger: Ledger, write: Callable[[Api, Ledger], None]) -> None:
    with server.api() as api:
        try:
            while True:
                write(api, ledger)
                ledger.told()
        except httpx2.TransportError:
            return


def _write_spans(api: Api, ledger: Ledger) -> None:
    trace = f"t{next(ledger.numbers)}"
    ledger.traces[trace] = False
    spans = [_span(trace, number) for number in range(SPANS)]
    expect(201, api.post("/traces/ingest", {"project_id": api.project, "spans": spans}))
    ledger.traces[trace] = True


def _span(trace: str, number: int) -> dict[str, Any]:
    parent = {"parent_span_id": f"{trace}-0"} if number else {}
    scores = [{"scorer_name": "tone", "value": 0.5}]
    about = {"name": "step", "start_time": "2026-02-21T22:00:00.000Z", "tokens_input": 1, "scores": scores}
    return {"id": f"{trace}-{number}", "trace_id": trace, **about, **parent}


def _write_runs(api: Api, ledger: Ledger) -> None:
    trial = next(ledger.numbers)
    ledger.batches[trial] = []
    scores = [{"scorer_name": "tone", "value": 0.5}, {"scorer_name": "exact_match"}]
    runs = [{"dataset_item_id": item, "trial": trial, "output": "a0", "scores": scores} for item in ledger.items]
    told = expect(201, api.post(f"/experiments/{ledger.experiment}/runs", {"runs": runs}))
    ledger.batches[trial] = told["run_ids"]


def _write_score(api: Api, ledger: Ledger) -> None:
    name = f"scorer-{next(ledger.numbers)}"
    ledger.scores.add(expect(201, api.score(ledger.scored_run, name, value=1))["id"])


def _check_spans(api: Api, ledger: Ledger) -> None:
    assert any(ledger.traces.values())
    for trace, acknowledged in ledger.traces.items():
        answer = api.get(f"/traces/{trace}", project_id=api.project)
        if answer.status_code == 404 and not acknowledged:
            continue
        found = expect(200, answer)
        assert (found["span_count"], found["tokens"], len(found["spans"])) == (SPANS, SPANS, SPANS)
        assert len(api.scores(f"{trace}-0", "span", trace_id=trace)) == 1


def _check_runs(api: Api, ledger: Ledger) -> None:
    runs = [run for run in api.items(f"/experiments/{ledger.experiment}/runs") if run["id"] != ledger.scored_run]
    assert {len(run["scores"]) for run in runs} == {2}, "a run without its scores"
    sizes = Counter(run["trial"] for run in runs)
    assert set(sizes.values()) == {ITEMS}, "a batch of which a part is there"
    assert set(sizes) <= set(ledger.batches)
    told = {id for ids in ledger.batches.values() for id in ids}
    assert told
    assert told <= {run["id"] for run in runs}
    summary = api.read(f"/experiments/{ledger.experiment}/summary")
    assert summary["run_count"] == len(runs) + 1
    assert summary["scores_by_scorer"]["tone"]["score_count"] == len(runs)


def _check_scores(api: Api, ledger: Ledger) -> None:
    assert ledger.scores
    assert ledger.scores <= {score["id"] for score in api.scores(ledger.scored_run)}


def _check_file(path: str) -> None:
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
