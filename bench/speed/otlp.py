"""OTLP over HTTP: how fast spans come in as protobuf beside native JSON, in how much memory, and what a crash leaves.

One sender on one connection sends batches of 512 spans of 1 KB, one after the other; each answer means that the batch
is on the disk, with session, user, conversation and model in the index. Four questions:

- how many spans per second, in turns with the same spans through native ingest?
- how long does a batch take, and does the server's memory stay flat (`--spans` sets how many are sent)?
- is everything that was acknowledged there after `kill -9`, at the end and in the middle of sending?
- `--rivals FOLDER`: what do Phoenix and MLflow make of the same bytes, and what have they kept after `kill -9`?
"""

import argparse
import contextlib
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.speed import otlp_rivals, rivals
from bench.speed.otlp_spans import BATCH, PROTOBUF, Batches, spans_kept
from bench.speed.stand import Caller, Figure, Server, at_least, at_most, databases, flush_ms, main, serving, workplace

ROUNDS = {"small": 3, "medium": 6, "full": 12}
BATCHES = 8
SPANS = {"small": 20_000, "medium": 200_000, "full": 5_000_000}
EVERY = 100_000
"""Spans between two looks at the server's memory."""
KILLED_AFTER = {"small": 20, "medium": 40, "full": 200}
PER_SECOND, SHARE, P99_MS, MB_PER_MILLION = 20_000.0, 50.0, 250.0, 10.0


def otlp_request(body: bytes) -> bytes:
    return Caller.request("POST", "/traces", body, PROTOBUF)


def native_request(body: bytes) -> bytes:
    return Caller.request("POST", "/traces/ingest", body)


def measure(options: argparse.Namespace) -> list[Figure]:
    figures = []
    spans = getattr(options, "spans", None) or SPANS[options.size]
    with workplace() as folder, databases(options.databases, folder) as makers:
        for name, new in makers.items():
            bench = _Bench(name, new, folder)
            figures += bench.beside_native(ROUNDS[options.size])
            figures += bench.steady(spans)
            figures += bench.killed(KILLED_AFTER[options.size])
        figures.append(Figure("flush of the disk, median", flush_ms(folder), "ms"))
    if getattr(options, "rivals", None):
        figures += otlp_rivals.measure(Path(options.rivals), options.size)
    return figures


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--spans", type=int, help="how many are sent while memory is looked at (full: 5 million)")
    parser.add_argument(
        "--rivals", nargs="?", const=str(rivals.usual_folder()), metavar="FOLDER",
        help="also send them to other tools, installed from the package index into environments below this folder",
    )  # fmt: skip


@dataclass(frozen=True)
class _Bench:
    """What is measured on one database."""

    name: str
    new: Callable[[], str]
    folder: Path

    def beside_native(self, rounds: int) -> list[Figure]:
        rates: dict[str, list[float]] = {"OTLP": [], "native": []}
        computed: dict[str, list[float]] = {"OTLP": [], "native": []}
        mine, theirs = Batches(1), Batches(2)
        with self._serving("turns") as server, server.caller() as caller:
            for round in range(rounds + 1):
                numbers = range(round * BATCHES, (round + 1) * BATCHES)
                sent = {
                    "OTLP": [otlp_request(mine.otlp(number)) for number in numbers],
                    "native": [native_request(theirs.native(number)) for number in numbers],
                }
                for way, requests in sent.items():
                    cpu, took = server.cpu_seconds(), sum(_timed(caller, requests))
                    if round:  # the first one warms both up
                        rates[way].append(BATCH * BATCHES / took)
                        computed[way].append((server.cpu_seconds() - cpu) / (BATCH * BATCHES) * 1e6)
        share = statistics.median(one / other for one, other in zip(rates["OTLP"], rates["native"], strict=True)) * 100
        by_cpu = statistics.median(computed["native"]) / statistics.median(computed["OTLP"]) * 100
        notes = {
            way: f"{statistics.median(each):.0f} µs of the server's CPU per span" for way, each in computed.items()
        }
        size = len(mine.otlp(0)) / BATCH
        return [
            at_least(
                f"{self.name}, OTLP", statistics.median(rates["OTLP"]), "spans/s", PER_SECOND,
                f"{size:.0f} bytes per span; {notes['OTLP']}",
            ),
            Figure(f"{self.name}, native ingest", statistics.median(rates["native"]), "spans/s", note=notes["native"]),
            at_least(f"{self.name}, OTLP against native ingest", share, "%", SHARE, f"{by_cpu:.0f} % by CPU time"),
        ]  # fmt: skip

    def steady(self, spans: int) -> list[Figure]:
        """Many batches in one go: how long each takes, and how much memory the server has after every 100,000 spans."""
        batches, took, memory = Batches(3), [], []
        with self._serving("steady") as server, server.caller() as caller:
            began_with = server.resident_mb()
            for number in range(max(1, spans // BATCH)):
                took += _timed(caller, [otlp_request(batches.otlp(number))])
                if (number + 1) * BATCH % EVERY < BATCH:
                    memory.append(((number + 1) * BATCH, server.resident_mb()))
            ended_with = server.resident_mb()
        sent = len(took) * BATCH
        words = f"{self.name}, {sent:,} spans"
        return [
            Figure(f"{words}, a batch of {BATCH}, median", statistics.median(took) * 1000, "ms"),
            at_most(f"{words}, a batch of {BATCH}, 99th percentile", percentile(took, 99) * 1000, "ms", P99_MS),
            Figure(f"{words}, rate of the whole", sent / sum(took), "spans/s"),
            Figure(f"{words}, memory at the end", ended_with, "MB", note=_told(began_with, memory)),
            _slope(words, memory),
        ]

    def killed(self, batches: int) -> list[Figure]:
        return [self._killed(when, batches) for when in ("at the end", "in the middle")]

    def _killed(self, when: str, batches: int) -> Figure:
        """Acknowledged spans that are gone. One batch may be there that nobody acknowledged, but only as a whole."""
        url, made = self.new(), Batches(4)
        with self._serving("killed", url) as server, server.caller() as caller:
            took = _timed(caller, [otlp_request(made.otlp(number)) for number in range(batches)])
            acknowledged = batches
            if when == "in the middle":  # while the next batches are under way
                threading.Timer(statistics.median(took) * 2.5, server.process.kill).start()
                with contextlib.suppress(OSError, SystemExit):  # the connection ends with the server
                    while True:
                        caller.send(otlp_request(made.otlp(acknowledged)))
                        acknowledged += 1
            server.process.kill()
            server.process.wait(60)
        kept = spans_kept(url)
        lost = max(0, acknowledged * BATCH - kept)
        whole = kept % BATCH == 0 and kept <= (acknowledged + 1) * BATCH
        note = f"{acknowledged * BATCH:,} acknowledged, {kept:,} kept{'' if whole else '; A BATCH IS THERE IN PART'}"
        name = f"{self.name}, kill -9 {when}, acknowledged and gone"
        return Figure(name, lost, "spans", "0 spans", whole and not lost, note)

    @contextlib.contextmanager
    def _serving(self, home: str, url: str | None = None) -> Iterator[Server]:
        with serving(url or self.new(), self.folder / f"home-{self.name}-{home}") as server:
            yield server


def _timed(caller: Caller, requests: Sequence[bytes]) -> list[float]:
    """Seconds that each took. A batch that is not wholly taken ends the benchmark."""
    took = []
    for request in requests:
        began = time.perf_counter()
        answer = caller.send(request)
        took.append(time.perf_counter() - began)
        if b"accepted" not in answer and len(answer) > 2:  # OTLP answers with nothing, or says what it did not take
            raise SystemExit(f"spans were not taken: {answer[:300]!r}")
    return took


def percentile(values: Sequence[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def _told(began_with: float, memory: Sequence[tuple[int, float]]) -> str:
    points = memory[:: max(1, len(memory) // 6)]
    later = ", ".join(f"{megabytes:.0f} after {spans / 1e6:.1f} M" for spans, megabytes in points)
    return f"{began_with:.0f} MB at the start{'; ' if later else ''}{later}"


def _slope(words: str, memory: Sequence[tuple[int, float]]) -> Figure:
    """How fast memory grows once the server is warm: a line through the later half of the looks."""
    name, later = f"{words}, growth of memory", memory[len(memory) // 2 :]
    if len(later) < 3:
        return Figure(name, None, "MB/M", note="too few spans; a million at least say something")
    slope = statistics.linear_regression([spans / 1e6 for spans, _ in later], [mb for _, mb in later]).slope
    return at_most(name, slope, "MB/M", MB_PER_MILLION, "per million spans, over the later half")


if __name__ == "__main__":
    main(__doc__, measure, add_options)
