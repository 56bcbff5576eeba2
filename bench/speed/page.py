"""The web page in a real browser: what it loads, what it computes, and how soon there is something to read.

A server with the demo in it, some hundred traces more and traces of 2,000 and 10,000 spans is opened in a headless
Chromium. Each visit has a fresh profile, so nothing is in a cache. The visits take turns, for so many rounds; reported
are medians:

- bytes of scripts and styles as they travel, without headers, and how many requests there are, until two seconds after
  the first content;
- CPU time of the page's main thread until the first content, which depends little on who else computes;
- the clock's time until the first content, which does.

First content is a row of a list, or of the tree of spans. `--rivals FOLDER` also opens the pages of Phoenix and MLflow,
installed from the package index below that folder, with the same traces sent by OTLP, in turns with Gnomon's. What
their pages ask other hosts for is counted and fails: the browser has no network but loopback.
"""

import argparse
import contextlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.speed import otlp_rivals, rivals
from bench.speed.otlp_rivals import RECEIVERS, Receiver
from bench.speed.otlp_spans import PROJECT, PROTOBUF
from bench.speed.page_spans import Sent, large_trace, small_traces
from bench.speed.rivals import CannotRunError
from bench.speed.stand import KEY, Caller, Figure, RefusedError, at_most, main, serving, workplace

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import hatch_build  # noqa: E402

from web import browser  # noqa: E402

ROUNDS = {"small": 3, "medium": 5, "full": 11}
TRACES, SPANS, MANY_SPANS = 300, 2_000, 10_000
STORED_SECONDS, PATIENCE_SECONDS, AFTER_SECONDS = 600, 60, 2
FIRST_LOAD_KB = 155.0
"""130 KB, and 25 KB for the view: what the browser tests hold too."""
DEMO = "support-demo"
ROW, LEAF = "role=grid >> role=row >> nth=1", "text=execute_tool find_order"
"""A row of one of Gnomon's lists, and of anyone's tree: no list shows that span, only the trace with it."""
LIST, TRACE = f"list of {TRACES} traces", f"trace of {SPANS:,} spans"


@dataclass(frozen=True)
class View:
    """An address of a tool's page, and the selector of its first content."""

    tool: str
    name: str
    origin: str
    blank: str
    path: str
    ready: str
    key: str | None = None

    def visit(self) -> dict[str, str]:
        fields = {
            "name": self.title,
            "origin": self.origin,
            "blank": self.blank,
            "path": self.path,
            "ready": self.ready,
        }
        return fields if self.key is None else {**fields, "key": self.key}

    @property
    def title(self) -> str:
        return f"{self.tool}, {self.name}"


@dataclass
class Costs:
    """What the visits of one view cost, and why some failed."""

    visits: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def median(self, name: str) -> float:
        return float(statistics.median(visit[name] for visit in self.visits))


def measure(options: argparse.Namespace) -> list[Figure]:
    hatch_build.main(["build"])
    browser.install_packages()
    folder: Path | None = getattr(options, "rivals", None)
    with workplace() as data, contextlib.ExitStack() as stack:
        now_ms = time.time_ns() // 1_000_000
        sent = {"small": small_traces(TRACES, now_ms), "large": large_trace(SPANS, now_ms)}
        views = stack.enter_context(_gnomon(data, sent, now_ms))
        missing: list[Figure] = []
        for receiver, where in [] if folder is None else [(receiver, Path(folder)) for receiver in RECEIVERS]:
            try:
                views += stack.enter_context(_rival(receiver, where, data, sent))
            except (CannotRunError, OSError, SystemExit) as why:
                missing.append(Figure(f"{receiver.tool.name}, pages", None, "", note=str(why)[:300]))
        costs = _visited(views, ROUNDS[options.size], getattr(options, "pictures", None))
    figures = [figure for view in views for figure in _figures(view, costs[view.title])]
    return [*figures, *missing, *_ratios(views, costs)]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rivals", nargs="?", const=str(rivals.usual_folder()), metavar="FOLDER",
        help="also open other tools' pages, installed from the package index into environments below this folder",
    )  # fmt: skip
    parser.add_argument("--pictures", metavar="FOLDER", help="keep a picture of what each visit saw")


def _visited(views: Sequence[View], rounds: int, pictures: str | None) -> dict[str, Costs]:
    settings: dict[str, Any] = {
        "browser": browser.find_browser(), "rounds": rounds, "visits": [view.visit() for view in views],
        "patience": PATIENCE_SECONDS * 1000, "after": AFTER_SECONDS * 1000,
    }  # fmt: skip
    if pictures:
        settings["pictures"] = str(Path(pictures).absolute())
        Path(pictures).mkdir(parents=True, exist_ok=True)
    command = [*hatch_build.node(), "test/browser/visit.ts", json.dumps(settings)]
    done = subprocess.run(command, cwd=browser.WEB, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the browser could not be driven: {done.stderr[-2000:]}")
    costs = {view.title: Costs() for view in views}
    for line in map(json.loads, done.stdout.splitlines()):
        if "problem" in line:
            costs[line["name"]].problems.append(line["problem"])
        else:
            costs[line["name"]].visits.append(line["cost"])
    return costs


# --- the servers -----


@contextlib.contextmanager
def _gnomon(data: Path, sent: Mapping[str, Sent], now_ms: int) -> Iterator[list[View]]:
    url = f"sqlite:///{data}/gnomon/demo.db"
    (data / "gnomon").mkdir()
    demo = [sys.executable, "-m", "gnomon", "demo", "--no-serve", "--db", url]
    subprocess.run(demo, check=True, capture_output=True)
    many = large_trace(MANY_SPANS, now_ms)
    with serving(url, data / "gnomon") as server:
        for each in (*sent.values(), many):
            _send(server.port, each, {})
        origin = f"http://127.0.0.1:{server.port}"
        yield [
            View("Gnomon", name, origin, "/healthz", f"/projects/{path}", ready, KEY)
            for name, path, ready in (
                (LIST, f"{PROJECT}/traces", ROW),
                (TRACE, f"{PROJECT}/traces/{sent['large'].trace_id}", LEAF),
                (f"trace of {MANY_SPANS:,} spans", f"{PROJECT}/traces/{many.trace_id}", LEAF),
                ("list of the demo's traces", f"{DEMO}/traces", ROW),
                ("list of experiments", f"{DEMO}/experiments", ROW),
            )
        ]


@contextlib.contextmanager
def _rival(receiver: Receiver, folder: Path, data: Path, sent: Mapping[str, Sent]) -> Iterator[list[View]]:
    python = rivals.python_or_reason(receiver.tool, folder)
    if isinstance(python, str):
        raise CannotRunError(python)
    home = data / receiver.tool.name
    home.mkdir()
    with otlp_rivals.running(receiver, python.parent, home) as served:
        stored = 0
        for each in sent.values():
            _send(served.port, each, receiver.headers)
            stored += each.spans
        deadline = time.monotonic() + STORED_SECONDS
        while served.kept() < stored:
            if time.monotonic() > deadline:
                raise CannotRunError(f"{served.kept()} of {stored} spans were stored within {STORED_SECONDS} s")
            time.sleep(0.5)
        tool = f"{receiver.tool.name} {otlp_rivals.version_of(receiver, python)}"
        origin = f"http://127.0.0.1:{served.port}"
        yield [
            View(tool, name, origin, receiver.ready, path, ready)
            for name, path, ready in _PATHS[receiver.tool.name](sent["large"].trace_id)
        ]


def _send(port: int, sent: Sent, headers: Mapping[str, str]) -> None:
    with contextlib.closing(Caller(port)) as caller:
        for body in sent.bodies:
            request = Caller.request("POST", "/traces", body, PROTOBUF, headers)
            while True:
                try:
                    caller.send(request)
                    break
                except RefusedError as refused:
                    if refused.status != 503:
                        raise
                    time.sleep(0.1)


def _phoenix(trace_id: str) -> list[tuple[str, str, str]]:
    """The first project, as its API names it."""
    project = "/projects/UHJvamVjdDox"
    return [
        (LIST, f"{project}/traces", "table tbody tr:has-text('invoke_agent')"),
        (TRACE, f"{project}/traces/{trace_id}", LEAF),
    ]


def _mlflow(trace_id: str) -> list[tuple[str, str, str]]:
    """The experiment that is there from the start."""
    traces = "/#/experiments/0/traces"
    return [
        (LIST, traces, "text=What is the state of order"),
        (TRACE, f"{traces}?selectedEvaluationId=tr-{trace_id}", LEAF),
    ]


_PATHS = {"Phoenix": _phoenix, "MLflow": _mlflow}


# --- figures -----


def _figures(view: View, costs: Costs) -> Iterator[Figure]:
    if not costs.visits:
        yield Figure(f"{view.title}, CPU to first content", None, "ms", note="; ".join(costs.problems[:1]))
        return
    code = costs.median("code") / 1000
    foreign = sorted({host for visit in costs.visits for host in visit["foreign"]})
    note = f"{costs.median('requests'):.0f} requests, {costs.median('bytes') / 1000:,.0f} KB in all; "
    note += f"scripts and styles as gzip {costs.median('codeCompressed') / 1000:,.0f} KB"
    note += f"; asks {', '.join(foreign)}" if foreign else ""
    if view.tool == "Gnomon":
        yield at_most(f"{view.title}, scripts and styles", code, "KB", FIRST_LOAD_KB, note)
    else:
        yield Figure(f"{view.title}, scripts and styles", code, "KB", note=note)
    spread = [visit["cpu"] * 1000 for visit in costs.visits]
    note = f"{min(spread):.0f} to {max(spread):.0f}; {costs.median('cpuAfter') * 1000:.0f} two seconds later; "
    note += f"heap {costs.median('heap') / 1e6:.0f} MB"
    note += f"; {len(costs.problems)} visits failed: {costs.problems[0]}" if costs.problems else ""
    yield Figure(f"{view.title}, CPU to first content", costs.median("cpu") * 1000, "ms", note=note)
    seconds = [visit["seconds"] for visit in costs.visits]
    note = f"{min(seconds):.2f} to {max(seconds):.2f}"
    yield Figure(f"{view.title}, time to first content", statistics.median(seconds), "s", note=note)


def _ratios(views: Sequence[View], costs: Mapping[str, Costs]) -> Iterator[Figure]:
    """Each rival's view against Gnomon's of the same traces."""
    own = {view.name: costs[view.title] for view in views if view.tool == "Gnomon"}
    for view in views:
        theirs = costs[view.title]
        if view.tool != "Gnomon" and theirs.visits and own[view.name].visits:
            for what, name in (("scripts and styles", "code"), ("CPU", "cpu"), ("time", "seconds")):
                ratio = theirs.median(name) / own[view.name].median(name)
                yield Figure(f"{view.title}, {what} against Gnomon's", ratio, "×")


if __name__ == "__main__":
    main(__doc__, measure, add_options)
