"""What others wait while one client sends what is made to stop a server.

For each bomb: it is sent on a connection of its own, and until it is answered (15 seconds at the most) another client
asks for /healthz and a third one makes datasets in another project, one request after the other.
"""

import argparse
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

from bench.speed.stand import Caller, Figure, Server, at_most, databases, main, serving, workplace

LONGEST = 15.0
ASKED = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def references(levels: int) -> dict[str, Any]:
    """Each part of the schema refers twice to the next one."""
    parts = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(levels)}
    return {"$defs": {**parts, f"a{levels}": {}}, "$ref": "#/$defs/a0"}


def alternatives(levels: int) -> dict[str, Any]:
    return {"anyOf": [alternatives(levels - 1)] * 2} if levels else {"type": "string"}


def bombs() -> Iterator[tuple[str, str, Any, Any, dict[str, Any], int]]:
    """Name, scorer, output, expected output, configuration, and how many of them in one batch."""
    objects = [{"a": n} for n in range(20_000)]
    numbers = list(range(3000))
    yield "unique items of 20,000 objects", "json_schema", objects, None, {"schema": {"uniqueItems": True}}, 20
    yield "references that multiply", "json_schema", {"x": 1}, None, {"schema": references(40)}, 20
    constants = {"items": {"oneOf": [{"const": n} for n in numbers]}}
    yield "one of 3,000 constants", "json_schema", numbers, None, {"schema": constants}, 20
    nested = {"items": {"not": alternatives(8)}}
    yield "nested alternatives", "json_schema", numbers, None, {"schema": nested}, 20
    left, right = "ab" * 49_999 + "c", "ba" * 49_999 + "d"
    yield "similarity of 99,999 characters", "similarity", left, right, {}, 1000
    yield "similarity of 11,000 characters", "similarity", left[:11_000], right[:11_000], {}, 1000
    keys = {f"key {n}": n for n in range(200_000)}
    yield "200,000 keys, 1,000 ignored paths", "json_match", keys, keys, {"ignore": [f"k{n}" for n in range(1000)]}, 5
    values = ["x" * 599 + "y"] * 1000
    yield "1,000 values in 4 million characters", "contains_any", "x" * 4_000_000, None, {"values": values}, 5
    noise = "".join("ab"[(n * n >> 7) & 1] for n in range(1_000_000))
    yield "a pattern with wide repetition", "regex", noise, None, {"pattern": "a[ab]{900}c"}, 5


def measure(options: argparse.Namespace) -> list[Figure]:
    figures: list[Figure] = []
    with workplace() as folder, databases(options.databases, folder) as makers:
        for database, new in makers.items():
            for name, *bomb in bombs():
                with serving(new(), folder / f"{database}-{len(figures)}", "--no-worker") as server:
                    figures += during(server, f"{database}, {name}", *bomb)
    return figures


def during(
    server: Server, name: str, scorer: str, output: Any, expected: Any, config: dict[str, Any], times: int
) -> list[Figure]:
    with server.caller() as caller:
        run = a_run(caller, output, expected)
    score = {"target_id": run, "target_type": "run", "scorer_name": scorer, "config": config}
    request = Caller.request("POST", "/scores/batch", json.dumps({"scores": [score] * times}).encode())
    answered = threading.Event()
    took: list[float] = []

    def send() -> None:
        began = time.perf_counter()
        try:
            with server.caller() as caller:
                caller.send(request)
        except (SystemExit, OSError):
            pass
        took.append(time.perf_counter() - began)
        answered.set()

    health = Waits(server, lambda _: ASKED)
    write = Waits(server, lambda n: Caller.request("POST", "/datasets", b'{"project_id":"other","name":"d%d"}' % n))
    bomb = threading.Thread(target=send, daemon=True)
    watchers = [threading.Thread(target=one.until, args=(answered,), daemon=True) for one in (health, write)]
    for thread in (bomb, *watchers):
        thread.start()
    answered.wait(LONGEST)
    answered.set()
    for thread in watchers:
        thread.join(LONGEST)
    note = f"answered after {took[0]:.1f} s" if took else f"not answered after {LONGEST:g} s"
    if not took:
        server.process.kill()
    return [
        at_most(f"{name}: /healthz p99", health.p99_ms(), "ms", 250, note),
        at_most(f"{name}: write p99", write.p99_ms(), "ms", 250, f"{len(write.seconds)} writes"),
    ]


class Waits:
    """One client that asks again and again, and how long it waits each time."""

    def __init__(self, server: Server, request: Any) -> None:
        self._server, self._request = server, request
        self.seconds: list[float] = []
        self._began: float | None = None

    def until(self, end: threading.Event) -> None:
        with self._server.caller() as caller:
            while not end.is_set() or not self.seconds:
                self._began = time.perf_counter()
                try:
                    caller.send(self._request(len(self.seconds)))
                except (SystemExit, OSError):
                    return
                self.seconds.append(time.perf_counter() - self._began)
                self._began = None
                time.sleep(0.005)

    def p99_ms(self) -> float:
        unanswered = [] if self._began is None else [time.perf_counter() - self._began]
        ordered = sorted([*self.seconds, *unanswered])
        return ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1000


def a_run(caller: Caller, output: Any, expected: Any) -> str:
    dataset = caller.post("/datasets", {"project_id": "p", "name": "d"})["id"]
    item = json.dumps({"input": "q", "expected_output": expected}).encode() + b"\n"
    kind = "application/x-ndjson"
    if len(item) < 1_000_000:
        caller.send(Caller.request("POST", f"/datasets/{dataset}/items/import", item, kind))
    else:
        caller.post(f"/datasets/{dataset}/items", {"input": "q", "expected_output": expected})
    (stored,) = caller.get(f"/datasets/{dataset}/items")["items"]
    fields = {"project_id": "p", "name": "e", "dataset_id": dataset}
    experiment = caller.post("/experiments", fields)["id"]
    runs = {"runs": [{"dataset_item_id": stored["id"], "output": output}]}
    return str(caller.post(f"/experiments/{experiment}/runs", runs)["run_ids"][0])


if __name__ == "__main__":
    main(__doc__, measure)
