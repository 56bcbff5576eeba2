"""The demo's benchmark: reference agents live through a few days, for real, and are pushed into the demo's database.

Made once: what is there stays, and what was cut is finished the next time.
"""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from gnomon.bench.families import by_name
from gnomon.model.leaderboard import Leaderboard, LeaderboardOptions
from gnomon.service.bench import push as benchpush
from gnomon.service.bench.benchmark import run_benchmark
from gnomon.service.bench.gathering import read_runs
from gnomon.service.demo.context import DAY, HOUR, LateClock
from gnomon.service.embedded import Embedded

FAMILY = "noticing"
DATASET = "agent days"
AGENTS = ("threshold-monitor", "flaky:0.5", "late-by-2", "never-acts", "always-calls")
DAYS = (("cardiac_arrest", 1), ("carbon_monoxide", 2), ("watch_off_wrist", 3))
RUNS = 2
_AGE = 3 * DAY + 4 * HOUR
"""How long ago it was, as the database has it: the rest of the demo is older than its making, too."""


@dataclass(frozen=True, slots=True)
class DemoBench:
    runs: Path
    leaderboard: Leaderboard


def made(folder: Path, database_url: str, project_id: str) -> DemoBench:
    """The runs, on disk and in the database, and who is ahead there."""
    runs = folder / "runs"
    clock = LateClock(_AGE)
    with closing(Embedded(database_url, clock)) as backend:
        dataset = next((entry for entry in backend.datasets(project_id) if entry.name == DATASET), None)
        there = [] if dataset is None else [entry.status for entry in backend.experiments(project_id, dataset.id)]
        if dataset is None or there.count("completed") < len(AGENTS):
            scenarios = [_day(folder / "scenarios", kind, seed) for kind, seed in DAYS]
            run_benchmark(scenarios, [f"reference:{name}" for name in AGENTS], runs, runs=RUNS, resume=True)
            gathered = read_runs(runs)
            dataset_id = benchpush.push(
                backend, runs, gathered.runs, project_id, DATASET, started=clock.now()
            ).dataset_id
        else:
            dataset_id = dataset.id
        return DemoBench(runs, backend.leaderboard(dataset_id, benchpush.SUCCESS, LeaderboardOptions()))


def _day(folder: Path, kind: str, seed: int) -> Path:
    generator = by_name(FAMILY).generator
    assert generator is not None  # this family generates
    path = generator.generate(kind, seed, folder, {"tier": "T1"}).path
    assert path is not None  # it was written
    return path
