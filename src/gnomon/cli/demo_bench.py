"""The demo's benchmarks, one per family: reference agents are run, for real, and pushed into the demo's database.

Made once: what is there stays, and what was cut is finished the next time.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from gnomon.bench.families import by_name, copy_examples
from gnomon.model.leaderboard import Leaderboard, LeaderboardOptions
from gnomon.service.bench import push as benchpush
from gnomon.service.bench.benchmark import run_benchmark
from gnomon.service.bench.gathering import read_runs
from gnomon.service.demo.context import DAY, HOUR, LateClock
from gnomon.service.embedded import Embedded

DATASET = "agent days"
_DAYS = (("cardiac_arrest", 1), ("carbon_monoxide", 2), ("watch_off_wrist", 3))
_AGE = 3 * DAY + 4 * HOUR
"""How long ago it was, as the database has it: the rest of the demo is older than its making, too."""


@dataclass(frozen=True, slots=True)
class DemoBench:
    runs: Path
    leaderboard: Leaderboard


@dataclass(frozen=True, slots=True)
class _Benchmark:
    """One of the demo's benchmarks: where its packages come from, and who takes part."""

    dataset: str
    folder: str
    """Of its runs."""
    agents: Sequence[str]
    packages: Callable[[Path], Sequence[Path]]


def _days(folder: Path) -> list[Path]:
    return [_day(folder, kind, seed) for kind, seed in _DAYS]


def _day(folder: Path, kind: str, seed: int) -> Path:
    generator = by_name("noticing").generator
    assert generator is not None  # this family generates
    path = generator.generate(kind, seed, folder, {"tier": "T1"}).path
    assert path is not None  # it was written
    return path


def _tasks(folder: Path) -> list[Path]:
    package = folder / "tasks" / "returns_desk"
    if not package.is_dir():
        copy_examples(package.parent)
    return [package]


_NOTICING = _Benchmark(
    DATASET, "runs", ("threshold-monitor", "flaky:0.5", "late-by-2", "never-acts", "always-calls"), _days
)
_TASKS = _Benchmark(
    "agent tasks", "task-runs", ("oracle", "flaky:0.9", "flaky:0.7", "flaky:0.5", "wrong-order", "does-nothing"), _tasks
)
RUNS = 2


def make_runs(folder: Path, database_url: str, project_id: str) -> DemoBench:
    """Make the runs, on disk and in the database; the leaderboard is that of the noticing family."""
    with closing(Embedded(database_url, LateClock(_AGE))) as backend:
        first, _ = [_make_dataset(backend, folder, benchmark, project_id) for benchmark in (_NOTICING, _TASKS)]
        board = backend.leaderboard(first, benchpush.SUCCESS, LeaderboardOptions())
        return DemoBench(folder / _NOTICING.folder, board)


def _make_dataset(backend: Embedded, folder: Path, benchmark: _Benchmark, project_id: str) -> str:
    """The dataset with its runs."""
    datasets = backend.datasets(project_id)
    dataset = next((entry for entry in datasets if entry.name == benchmark.dataset), None)
    statuses = [] if dataset is None else [entry.status for entry in backend.experiments(project_id, dataset.id)]
    if dataset is not None and statuses.count("completed") >= len(benchmark.agents):
        return dataset.id
    runs = folder / benchmark.folder
    agents = [f"reference:{name}" for name in benchmark.agents]
    run_benchmark(benchmark.packages(folder / "scenarios"), agents, runs, runs=RUNS, resume=True)
    gathered = read_runs(runs)
    started = LateClock(_AGE).now()
    return benchpush.push(backend, runs, gathered.runs, project_id, benchmark.dataset, started=started).dataset_id
