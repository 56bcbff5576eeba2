"""Durable answers: one score a POST, by one client and by eight; and runs with inline scores in batches.

An answer means that the score is on the disk, so one client cannot get more answers a second
than the disk gives flushes: that is the floor beside it. Eight clients share flushes.
"""

import argparse
import json
import statistics
import threading
import time
from itertools import islice, product
from pathlib import Path

from bench.speed.stand import Caller, Figure, Server, at_least, databases, flush_ms, main, serving, workplace

SECONDS = {"small": 2.0, "medium": 5.0, "full": 15.0}
BATCHES = {"small": 13, "medium": 38, "full": 118}
BATCH, CLIENTS = 500, 8
TARGET = 10_000


def measure(options: argparse.Namespace) -> list[Figure]:
    figures: list[Figure] = []
    with workplace() as folder, databases(options.databases, folder) as makers:
        for name, new in makers.items():
            with serving(new(), folder / f"home-{name}") as server:
                for trials in (1, 5):
                    figures.append(_runs(name, server, BATCHES[options.size], trials))
                figures += _scores(name, server, SECONDS[options.size], folder)
    return figures


def _runs(name: str, server: Server, batches: int, trials: int) -> Figure:
    with server.caller() as caller:
        experiment, items = new_experiment(caller, (batches + 2) * BATCH // trials, trials)
        places = ((trial, item) for trial, item in product(range(trials), items))
        path = f"/experiments/{experiment}/runs"
        requests = [_runs_request(path, list(islice(places, BATCH))) for _ in range(batches + 2)]
        for request in requests[:2]:
            caller.send(request)
        computed, rates = server.cpu_seconds(), []
        for request in requests[2:]:
            began = time.perf_counter()
            caller.send(request)
            rates.append(BATCH / (time.perf_counter() - began))
        computed = server.cpu_seconds() - computed
    label = f"runs with three inline scores, {name}, {trials} of an item"
    rate, best = statistics.harmonic_mean(rates), statistics.quantiles(rates, n=10)[-1]
    note = f"best tenth {best:,.0f}; by the server's CPU alone {batches * BATCH / computed:,.0f}"
    if name == "sqlite":
        return at_least(label, rate, "runs/s", TARGET, note)
    return Figure(label, rate, "runs/s", note=note)


def new_experiment(caller: Caller, item_count: int, trials: int) -> tuple[str, list[str]]:
    dataset = caller.post("/datasets", {"project_id": "bench", "name": f"d{time.time_ns()}"})["id"]
    lines = "".join(json.dumps({"input": f"q{n}", "expected_output": f"a{n}"}) + "\n" for n in range(item_count))
    caller.send(Caller.request("POST", f"/datasets/{dataset}/items/import", lines.encode(), "application/x-ndjson"))
    items: list[str] = []
    cursor = ""
    while len(items) < item_count:
        page = caller.get(f"/datasets/{dataset}/items?limit=200{cursor}")
        items += [item["id"] for item in page["items"]]
        cursor = f"&cursor={page['next_cursor']}"
    wanted = {"project_id": "bench", "name": "bench", "dataset_id": dataset, "trials": trials}
    return caller.post("/experiments", wanted)["id"], items


def _runs_request(path: str, places: list[tuple[int, str]]) -> bytes:
    runs = [
        {
            "dataset_item_id": item,
            "trial": trial,
            "output": f"the answer of trial {trial}",
            "scores": [
                {"scorer_name": "correct", "value": number % 2},
                {"scorer_name": "tone", "value": number % 100 / 100},
                {"scorer_name": "kind", "value": "a" if number % 3 else "b"},
            ],
        }
        for number, (trial, item) in enumerate(places)
    ]
    return Caller.request("POST", path, json.dumps({"runs": runs}).encode())


def _scores(name: str, server: Server, seconds: float, folder: Path) -> list[Figure]:
    with server.caller() as caller:
        experiment, items = new_experiment(caller, BATCH, 1)
        runs = [{"dataset_item_id": item, "output": "x"} for item in items]
        targets = caller.post(f"/experiments/{experiment}/runs", {"runs": runs})["run_ids"]
    requests = [_score_request(target, number) for number in range(200) for target in targets]
    flush = flush_ms(folder)
    one, one_cpu = _rate(server, requests[: len(requests) // 2], 1, seconds)
    eight, eight_cpu = _rate(server, requests[len(requests) // 2 :], CLIENTS, seconds)
    floor = 1000 / flush
    alone = f"{one / floor:.0%} of the flushes, {one_cpu:.2f} ms of the server's CPU each"
    shared = f"{eight / one:.1f} × one client, {eight_cpu:.2f} ms of the server's CPU each"
    return [
        Figure(f"one score a POST, {name}, one client", one, "scores/s", note=alone),
        Figure(f"one score a POST, {name}, {CLIENTS} clients", eight, "scores/s", note=shared),
        Figure(f"flushes of the disk beside {name}", floor, "/s", note=f"{flush:.2f} ms each"),
    ]


def _score_request(target: str, number: int) -> bytes:
    body = {"target_id": target, "target_type": "run", "scorer_name": f"scorer {number}", "value": 0.5}
    return Caller.request("POST", "/scores", json.dumps(body).encode())


def _rate(server: Server, requests: list[bytes], clients: int, seconds: float) -> tuple[float, float]:
    """Answers a second, and the milliseconds that the server computed for each."""
    answered = [0] * clients
    callers = [Caller(server.port) for _ in range(clients)]
    deadline = time.perf_counter() + seconds

    def ask(number: int) -> None:
        for request in requests[number::clients]:
            if time.perf_counter() > deadline:
                break
            callers[number].send(request)
            answered[number] += 1

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(clients)]
    began, computed = time.perf_counter(), server.cpu_seconds()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent, computed = time.perf_counter() - began, server.cpu_seconds() - computed
    for caller in callers:
        caller.close()
    return sum(answered) / spent, computed / sum(answered) * 1000


if __name__ == "__main__":
    main(__doc__, measure)
