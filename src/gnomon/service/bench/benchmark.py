"""A benchmark from Python in three calls: run it, score it, rank the agents.

    ran = gn.run_benchmark(["scenarios/house_fire_T2_s1"], ["reference:flaky:0.7", "gpt-4o"], "runs", runs=10)
    scored = gn.score_runs("runs")      # anew: runs are scored as they end, but rules may have changed since
    board = gn.rank_runs("runs")

`gnomon bench run`, `score` and `leaderboard` are these calls and what they print.
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gnomon.bench import batch
from gnomon.bench.agents import TIMEOUT, AgentSpec, parse_spec
from gnomon.bench.batch import Outcome, Progress, RunPlan
from gnomon.bench.families import load
from gnomon.bench.transcripts import NAME, read_transcript
from gnomon.bench.usermodel import model_user
from gnomon.bench.usersim import SCRIPTED, UserSim
from gnomon.errors import GnomonError, InvalidInput, Refused
from gnomon.llm.ask import silence, why_not
from gnomon.model.leaderboard import BenchLeaderboard, LeaderboardOptions
from gnomon.model.transcript import NO_MODEL, RunConfig
from gnomon.service.bench.gathering import Settings, read_runs, unscorable
from gnomon.service.bench.leaderboard import leaderboard
from gnomon.service.bench.scoring import ScoredRun, ScoredRuns, score_below, write_score

__all__ = ["BenchmarkRuns", "ScoredRun", "ScoredRuns", "default_config", "rank_runs", "run_benchmark", "score_runs"]


@dataclass(frozen=True)
class BenchmarkRuns:
    """What became of every requested run, the scores of those that ended, and notes.

    >>> from pathlib import Path
    >>> from gnomon.bench.families import copy_examples
    >>> packages = {path.name: path for _, path in copy_examples(Path("packages"))}
    >>> ran = gn.run_benchmark([packages["calendar"]], ["reference:oracle", "reference:does-nothing"], "runs", runs=1)
    >>> ran.finished, len(ran.scored)
    (True, 20)
    """

    out: Path
    outcomes: list[Outcome]
    scored: list[ScoredRun]
    notes: list[str]

    @property
    def finished(self) -> bool:
        """Whether every run ended well."""
        return all(outcome.state == "finished" for outcome in self.outcomes)


def default_config() -> RunConfig:
    """The default configuration of a run: a scripted user and no judge. The agent is named per run."""
    return RunConfig(agent_model=NO_MODEL, user_sim_model=SCRIPTED, judge_model=NO_MODEL)


def run_benchmark(
    scenarios: Sequence[Path | str],
    agents: Sequence[str],
    out: Path | str,
    *,
    runs: int = 5,
    config: RunConfig | None = None,
    resume: bool = False,
    retry_failed: bool = False,
    concurrency: int = 8,
    per_minute: int | None = None,
    budget_usd: float | None = None,
    timeout: float = TIMEOUT,
    max_steps: int | None = None,
    agent_env: Mapping[str, str] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_begin: Callable[[int], None] | None = None,
) -> BenchmarkRuns:
    """Run every agent on every scenario of the packages, `runs` times, each in OUT/AGENT/SCENARIO/run-KK.

    A run is scored as it ends, into score.json beside its transcript. With `resume`, finished runs stay and cut ones go
    on; `retry_failed` also begins those again that ended badly. `on_begin` is called with the number of runs.

    >>> from pathlib import Path
    >>> from gnomon.bench.families import copy_examples
    >>> packages = {path.name: path for _, path in copy_examples(Path("packages"))}
    >>> ran = gn.run_benchmark([packages["calendar"]], ["reference:oracle", "reference:does-nothing"], "runs", runs=1)
    >>> sum(run.score.success for run in ran.scored)
    10
    """
    silence()
    if not scenarios or not agents:
        raise InvalidInput(
            f"there is nothing to run: no {'agent' if scenarios else 'scenario'} was named; name at least one"
        )
    out = Path(out)
    config = config or default_config()
    specs = [parse_spec(agent) for agent in agents]
    _check_environment(specs, agent_env)
    loaded = [scenario for package in scenarios for scenario in load(Path(package))]
    plans = batch.plans(out, specs, loaded, runs, config)
    user = _user(config)
    batch.check(plans)
    _check_room(plans, out, resume or retry_failed)
    retried = batch.set_aside_failed(plans) if retry_failed else 0
    if on_begin is not None:
        on_begin(len(plans))
    scoring = _ScoringAsRunsEnd(on_progress)
    outcomes = asyncio.run(batch.run_many(
        plans, concurrency=concurrency, per_minute=per_minute, budget_usd=budget_usd, on_progress=scoring,
        timeout=timeout, user_sim=user, max_steps=max_steps, agent_env=agent_env,
    ))  # fmt: skip
    notes = [*batch.notes(outcomes, budget_usd), *scoring.troubles]
    if retried:
        notes.append(f"{retried} failed runs were begun again; a table of retried runs should say so")
    scored = [scoring.scored[plan.folder] for plan in plans if plan.folder in scoring.scored]
    return BenchmarkRuns(out, outcomes, scored, notes)


def score_runs(
    out: Path | str,
    scenarios: Sequence[Path | str] = (),
    *,
    settings: Settings | None = None,
    write: bool = True,
    on_done: Callable[[int], None] | None = None,
) -> ScoredRuns:
    """Score every run below a folder anew, into score.json beside its transcript unless `write` is false.

    `scenarios` are packages, or folders of packages; without them a run's package is where the run had it from.
    `settings` take the place of those that runs were made with; `on_done` is called with how many runs are scored.

    >>> from pathlib import Path
    >>> from gnomon.bench.families import copy_examples
    >>> packages = {path.name: path for _, path in copy_examples(Path("packages"))}
    >>> ran = gn.run_benchmark([packages["calendar"]], ["reference:oracle", "reference:does-nothing"], "runs", runs=1)
    >>> len(gn.score_runs("runs").runs)
    20
    """
    folders = [Path(folder) for folder in scenarios]
    count = on_done or (lambda done: None)
    return score_below(Path(out), folders, settings=settings, write=write, on_done=count)


def rank_runs(
    out: Path | str,
    scenarios: Sequence[Path | str] = (),
    *,
    settings: Settings | None = None,
    options: LeaderboardOptions | None = None,
) -> BenchLeaderboard:
    """Rank the agents of the runs below a folder by how often they succeed. Runs without a fresh score are scored.

    >>> from pathlib import Path
    >>> from gnomon.bench.families import copy_examples
    >>> packages = {path.name: path for _, path in copy_examples(Path("packages"))}
    >>> ran = gn.run_benchmark([packages["calendar"]], ["reference:oracle", "reference:does-nothing"], "runs", runs=1)
    >>> [(agent.agent_id, agent.overall_score) for agent in gn.rank_runs("runs").agents]
    [('reference-oracle', 1.0), ('reference-does-nothing', 0.0)]
    """
    gathered = read_runs(Path(out), [Path(folder) for folder in scenarios], settings)
    return leaderboard(gathered.runs, options or LeaderboardOptions(), gathered.notes)


@dataclass
class _ScoringAsRunsEnd:
    """Hands progress on, and scores each run that has ended."""

    on_progress: Callable[[Progress], None] | None
    scored: dict[Path, ScoredRun] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)

    def __call__(self, progress: Progress) -> None:
        outcome = progress.outcome
        if outcome is not None and outcome.end is not None:
            self._score(outcome)
        if self.on_progress is not None:
            self.on_progress(progress)

    def _score(self, outcome: Outcome) -> None:
        plan = outcome.plan
        try:
            score = plan.scenario.score(read_transcript(plan.folder / NAME))
        except GnomonError as bad:
            score = unscorable(plan.scenario.scenario_id, plan.folder.name, bad.message, plan.scenario.family.name)
        self.scored[plan.folder] = ScoredRun(plan.folder, score)
        try:
            write_score(plan.folder, score)
        except Refused as bad:
            self.troubles.append(bad.message)


def _check_environment(specs: Sequence[AgentSpec], agent_env: Mapping[str, str] | None) -> None:
    if agent_env and not any(spec.kind == "cmd" for spec in specs):
        raise InvalidInput.of("agent_env", "--agent-env is for cmd: agents, and there is none; leave it out")


def _user(config: RunConfig) -> UserSim | None:
    """The model that answers for the user, if one does."""
    if config.user_sim_model in (NO_MODEL, SCRIPTED):
        return None
    if refused := why_not(config.user_sim_model, os.environ):
        raise InvalidInput.of("user_sim", f"--user-sim: {refused}")
    return model_user(config.user_sim_model)


def _check_room(plans: Sequence[RunPlan], out: Path, resume: bool) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as bad:
        raise Refused(f"--out {out}: {bad.strerror or bad}; choose a folder that can be written to") from None
    begun = [plan.folder for plan in plans if plan.begun]
    if begun and not resume:
        words = f"{begun[0]} holds a run already; continue with --resume, or choose another folder than {out}"
        raise InvalidInput.of("out", words)
