"""The demo's benchmark: reference agents live through a few days, for real, and are pushed into the demo's database.

Made once: what is there stays, and what was cut is finished the next time.
"""

import asyncio
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from gnomon.bench import batch
from gnomon.bench.agents import parse_spec
from gnomon.bench.generate import generate
from gnomon.bench.package import Scenario, load, write
from gnomon.model.leaderboard import Leaderboard, LeaderboardWish
from gnomon.model.transcript import NO_MODEL, RunConfig
from gnomon.service import benchpush, benchruns, benchscore
from gnomon.service.demo.context import DAY, HOUR, LateClock
from gnomon.service.embedded import Embedded

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
        dataset = next((one for one in backend.datasets(project_id) if one.name == DATASET), None)
        there = [] if dataset is None else [one.status for one in backend.experiments(project_id, dataset.id)]
        if dataset is None or there.count("completed") < len(AGENTS):
            scenarios = [_day(folder / "scenarios", kind, seed) for kind, seed in DAYS]
            config = RunConfig(agent_model=NO_MODEL, user_sim_model="scripted", judge_model=NO_MODEL)
            specs = [parse_spec(f"reference:{name}") for name in AGENTS]
            plans = batch.plans(runs, specs, scenarios, RUNS, config)
            asyncio.run(batch.run_many(plans))
            list(benchscore.score_folders([plan.folder for plan in plans]))
            gathered = benchruns.read_runs(runs)
            dataset_id = benchpush.push(
                backend, runs, gathered.runs, project_id, DATASET, started=clock.now()
            ).dataset_id
        else:
            dataset_id = dataset.id
        return DemoBench(runs, backend.leaderboard(dataset_id, benchpush.SUCCESS, LeaderboardWish()))


def _day(folder: Path, kind: str, seed: int) -> Scenario:
    package, key = generate(kind, "T1", seed)
    return load(write(package, key, folder / package.scenario_id))
