"""How often the reference monitor sees what happens, and how often it cries wolf: 200 drawn days with a known truth.

    python -m bench.validity.monitor [--days N] [--json] [--write]

Every kind of day takes its turn, half of the days with an anomaly and half without, tiers and seeds in a fixed order;
the days go through the runner and the scorer as anybody's do. Two agents that look at nothing, one that never acts and
one that always calls, show what no attention at all would get. `--write` renews docs/concepts.
"""

import argparse
import asyncio
import json
import math
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from bench.validity.table import Cell, Table, markdown, rewritten

from gnomon.bench.agents import parse_spec
from gnomon.bench.aggregate import time_to_event
from gnomon.bench.batch import plans, run_many
from gnomon.bench.noticing.family import DayScenario
from gnomon.bench.noticing.generate import generate, kinds
from gnomon.bench.noticing.heuristic import DEFAULT_WINDOW
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.scenario import TIERS
from gnomon.bench.transcripts import NAME, read_transcript
from gnomon.model.bench import RunScore
from gnomon.model.transcript import RunConfig
from gnomon.stats.interval import wilson

DOCS = Path(__file__).parents[2] / "docs" / "concepts"
PAGE, FIGURES = "bench.md", "monitor.json"
DAYS, FIRST_SEED = 200, 1000
MONITOR = "threshold-monitor"
AGENTS = (MONITOR, "never-acts", "always-calls")
CONFIG = RunConfig(agent_model="-", user_sim_model="scripted", judge_model="none")
_STRONG = {"called_911", "contacted"}


@dataclass(frozen=True)
class Day:
    kind: str
    tier: str
    seed: int
    quiet: bool


@dataclass(frozen=True)
class Lived:
    """What an agent made of a day. `acted`: a call or a contact that is not weak, within the window."""

    agent: str
    kind: str
    tier: str
    seed: int
    quiet: bool
    acted: bool
    time: int | None
    false_alarms: int
    success: bool


COLUMNS = [field.name for field in fields(Lived)]


def days(number: int = DAYS) -> list[Day]:
    """Half of them quiet. No seed comes twice: days of one seed are one day up to the onset."""
    results: list[Day] = []
    for quiet in (False, True):
        names = [name for name, kind in kinds().items() if kind.control is quiet]
        for index in range(number // 2):
            turn, which = divmod(index, len(names))
            seed = FIRST_SEED + len(results)
            results.append(Day(names[which], TIERS[(turn + which) % len(TIERS)], seed, quiet))
    return results


def live(days: Iterable[Day], agents: Sequence[str] = AGENTS) -> list[Lived]:
    return asyncio.run(_live(days, agents))


async def _live(days: Iterable[Day], agents: Sequence[str]) -> list[Lived]:
    results: list[Lived] = []
    for day in days:
        with tempfile.TemporaryDirectory(prefix="gnomon-bench-") as folder:
            results += await _one_day(day, Path(folder), agents)
    return results


async def _one_day(day: Day, folder: Path, agents: Sequence[str]) -> list[Lived]:
    scenario = DayScenario(DayPackage(None, *generate(day.kind, day.tier, day.seed)))
    todo = plans(folder, [parse_spec(f"reference:{name}") for name in agents], [scenario], 1, CONFIG)
    outcomes = await run_many(todo)
    failed = [outcome.reason for outcome in outcomes if outcome.state != "finished"]
    assert not failed, f"{day}: {failed[0]}"
    scores = [scenario.score(read_transcript(plan.folder / NAME)) for plan in todo]
    return [_lived(name, day, score) for name, score in zip(agents, scores, strict=True)]


def _lived(agent: str, day: Day, score: RunScore) -> Lived:
    assert score.scorable, f"{agent} on {day} has no score: {score.reason}"
    acted = any(one.claim in _STRONG for one in score.evidence)
    return Lived(
        agent, **asdict(day), acted=acted, time=score.value("time_to_action"), false_alarms=score.value("false_alarms"),
        success=bool(score.success),
    )  # fmt: skip


# --- tables -----


def tables(lived: Sequence[Lived]) -> list[Table]:
    own = [one for one in lived if one.agent == MONITOR]
    troubled, calm = [one for one in own if not one.quiet], [one for one in own if one.quiet]
    return [
        Table("monitor", ("agent", "sensitivity", "95 %", "specificity", "95 %", "balanced accuracy", "95 %",
                          "success"), [_agent_row(name, lived) for name in AGENTS],
              rates=("sensitivity", "specificity", "balanced accuracy", "success")),
        Table("monitor_anomalies", ("kind", "what happens", "seen in", "comes", "days", "acted in time", "95 %",
                                    "alarm before", "beats: median", "beats: restricted mean"),
              [*_by_kind(troubled, _anomaly_row), _anomaly_row("all", troubled)]),
        Table("monitor_quiet", ("kind", "what happens", "seen in", "days", "left alone", "95 %"),
              [*_by_kind(calm, _quiet_row), _quiet_row("all", calm)]),
    ]  # fmt: skip


def _by_kind(lived: Iterable[Lived], row: Callable[[str, Sequence[Lived]], list[Cell]]) -> list[list[Cell]]:
    groups: dict[str, list[Lived]] = {}
    for one in lived:
        groups.setdefault(one.kind, []).append(one)
    return [row(name, group) for name, group in sorted(groups.items())]


def _agent_row(agent: str, lived: Sequence[Lived]) -> list[Cell]:
    own = [one for one in lived if one.agent == agent]
    seen, calm = _acted(own), _left_alone(own)
    balanced = (seen.share + calm.share) / 2
    # The two shares' own intervals, joined as Zou and Donner (2008) do.
    below = math.hypot(seen.share - seen.low, calm.share - calm.low) / 2
    above = math.hypot(seen.high - seen.share, calm.high - calm.share) / 2
    success = sum(one.success for one in own) / len(own)
    return [agent, seen.share, seen.ends, calm.share, calm.ends, balanced,
            _percent(balanced - below, balanced + above), success]  # fmt: skip


def _anomaly_row(name: str, lived: Sequence[Lived]) -> list[Cell]:
    seen = _acted(lived)
    waited = time_to_event([one.time for one in lived], DEFAULT_WINDOW)
    early = sum(one.false_alarms > 0 for one in lived)
    low, high = waited.median_interval_95
    median = f"{_beats(waited.median)} ({low:g} to {_beats(high)})"
    mean = "{:.2f} ({:.2f} to {:.2f})".format(waited.restricted_mean, *waited.confidence_interval_95)
    about = [*_about(name), "" if name not in kinds() else "gradually" if kinds()[name].gradual else "suddenly"]
    return [name, *about, seen.n, seen.count, seen.ends, early, median, mean]


def _beats(number: float | None) -> str:
    return f"> {DEFAULT_WINDOW}" if number is None else f"{number:g}"


def _quiet_row(name: str, lived: Sequence[Lived]) -> list[Cell]:
    calm = _left_alone(lived)
    return [name, *_about(name), calm.n, calm.count, calm.ends]


def _about(name: str) -> list[Cell]:
    """What a kind is; nothing for all of them together."""
    found = kinds().get(name)
    return ["", ""] if found is None else [found.summary.rstrip("."), found.carrier]


@dataclass(frozen=True)
class _Share:
    count: int
    n: int

    @property
    def share(self) -> float:
        return self.count / self.n

    @property
    def low(self) -> float:
        return wilson(self.count, self.n).low

    @property
    def high(self) -> float:
        return wilson(self.count, self.n).high

    @property
    def ends(self) -> str:
        return _percent(self.low, self.high)


def _acted(lived: Sequence[Lived]) -> _Share:
    troubled = [one for one in lived if not one.quiet]
    return _Share(sum(one.acted for one in troubled), len(troubled))


def _left_alone(lived: Sequence[Lived]) -> _Share:
    calm = [one for one in lived if one.quiet]
    return _Share(sum(not one.false_alarms for one in calm), len(calm))


def _percent(low: float, high: float) -> str:
    return f"{100 * low:.0f} – {100 * high:.0f} %"


# --- on paper -----


def figures(lived: Sequence[Lived]) -> dict[str, Any]:
    """Every day as it was, so that each number of a table can be counted again."""
    return {
        "days": len({one.seed for one in lived}),
        "window": DEFAULT_WINDOW,
        "tables": {table.name: table.as_json() for table in tables(lived)},
        "lived": {"columns": COLUMNS, "rows": [list(asdict(one).values()) for one in lived]},
    }


def recorded(found: dict[str, Any]) -> list[Lived]:
    return [Lived(**dict(zip(found["lived"]["columns"], row, strict=True))) for row in found["lived"]["rows"]]


def write(found: dict[str, Any], folder: Path) -> None:
    """A day a line, and the page that shows the tables."""
    rows = ",\n".join(f"   {json.dumps(row)}" for row in found["lived"]["rows"])
    rest = json.dumps({**found, "lived": {"columns": COLUMNS, "rows": []}}, indent=1, ensure_ascii=False)
    (folder / FIGURES).write_text(rest.replace('"rows": []', f'"rows": [\n{rows}\n  ]') + "\n", encoding="utf-8")
    page = folder / PAGE
    page.write_text(rewritten(page.read_text("utf-8"), found["tables"]), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=DAYS, help="how many, half of them quiet")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--write", action="store_true", help="renew the figures and the page in docs/concepts")
    wanted = parser.parse_args()
    if wanted.write and wanted.days != DAYS:
        parser.error(f"--write takes all {DAYS} days")
    began = time.perf_counter()
    lived = live(days(wanted.days))
    found = figures(lived)
    if wanted.json:
        print(json.dumps(found, indent=1))
    else:
        for name, table in found["tables"].items():
            print(f"\n{name}\n\n{markdown(table)}")
        print(f"\n{found['days']} days, {len(lived)} runs, {time.perf_counter() - began:.0f} s")
    if wanted.write:
        write(found, DOCS)


if __name__ == "__main__":
    main()
