"""Many runs at once: agents × scenarios × K, each in a folder of its own, OUT/AGENT/SCENARIO/run-KK.

What has ended is left as it is, and what was cut goes on where it was, so the same call again finishes what an
earlier one began. A run that fails is told and stops no other. Two processes may work on one folder: a run is held by
one of them. Playing a single run is the runner's work, reading its score the scorer's.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from gnomon.bench import agents
from gnomon.bench.agents import AgentSpec, agent_id
from gnomon.bench.conversation import Limits
from gnomon.bench.family import Scenario, read_settings
from gnomon.bench.runner import run
from gnomon.bench.transcripts import NAME, read_transcript
from gnomon.bench.usersim import UserSim
from gnomon.errors import GnomonError, InvalidInput
from gnomon.llm.answer import one_line
from gnomon.llm.ask import close as close_models
from gnomon.llm.limits import MemoryLimits
from gnomon.llm.prices import price_of
from gnomon.llm.session import AskingSession
from gnomon.model.transcript import RunConfig, RunEnd, Step
from gnomon.shorten import counted

log = logging.getLogger("gnomon.bench")

State = Literal["finished", "failed", "stopped", "busy"]

LOCK = "lock"
# Agents bound their own turns. Here waiting for one's turn counts too, and a slow pace is no fault of an agent.
_PATIENT = Limits(turn_seconds=86_400.0, step_seconds=864_000.0)


@dataclass(frozen=True)
class RunPlan:
    """One run to be made."""

    spec: AgentSpec
    scenario: Scenario
    config: RunConfig
    run_number: int
    folder: Path

    @property
    def begun(self) -> bool:
        """Whether its folder holds a run already, ended or not."""
        return (self.folder / NAME).exists()


@dataclass(frozen=True)
class Outcome:
    """The result of a plan. `steps` and `cost_usd` are of this call alone; `unpriced` steps have no known cost."""

    plan: RunPlan
    state: State
    reason: str | None = None
    end: RunEnd | None = None
    steps: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0


@dataclass(frozen=True)
class Progress:
    """How far it is; `outcome` is the run that has just ended, if one has."""

    done: int
    runs: int
    steps: int
    cost_usd: float
    outcome: Outcome | None = None


def plans(
    out: Path, specs: Sequence[AgentSpec], scenarios: Sequence[Scenario], runs: int, config: RunConfig
) -> list[RunPlan]:
    """Every agent on every scenario, `runs` times; all agents' first runs come before any second run."""
    if runs < 1:
        raise InvalidInput.of("runs", f"runs {runs} is too few; give 1 or more")
    names = [scenario.scenario_id for scenario in scenarios]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput.of("scenario", f"scenario {name!r} was given twice; runs of both would share folders")
    return [
        RunPlan(
            spec, scenario, config.model_copy(update={"agent_model": spec.text}), number,
            out / agent_id(spec) / scenario.scenario_id / f"run-{number:02}",
        )
        for number in range(1, runs + 1)
        for scenario in scenarios
        for spec in dict.fromkeys(specs)
    ]  # fmt: skip


def set_aside_failed(plans: Sequence[RunPlan]) -> int:
    """Move runs that ended badly into a hidden folder beside them, so that they can be run again."""
    moved = 0
    for plan in plans:
        if plan.begun and (end := read_transcript(plan.folder / NAME).end) is not None and end.status != "ok":
            number = 1
            while (aside := plan.folder.with_name(f".{plan.folder.name}.failed-{number}")).exists():
                number += 1
            plan.folder.rename(aside)
            moved += 1
    return moved


async def run_many(
    plans: Sequence[RunPlan],
    *,
    concurrency: int = 8,
    per_minute: int | None = None,
    budget_usd: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    timeout: float = agents.TIMEOUT,
    user_sim: UserSim | None = None,
    max_steps: int | None = None,
    agent_env: Mapping[str, str] | None = None,
) -> list[Outcome]:
    """Make all runs, `concurrency` at a time, and return the result of each, in the order of the plans.

    `per_minute` limits the turns of all runs together, `max_steps` the steps of each. When `budget_usd` is used
    up no further step begins: the runs stop after the one that they are at, and are resumed by the same call with
    another budget. `agent_env` are variables that command agents see besides the harmless ones.
    """
    for name, value in (("concurrency", concurrency), ("per_minute", per_minute), ("budget_usd", budget_usd)):
        if value is not None and not value > 0:
            raise InvalidInput.of(name, f"{name} {value} has to be above 0")
    check(plans)
    if budget_usd is not None:
        _check_prices(plans)
    batch = _Batch(
        plans,
        AskingSession(agents.RETRY, limits=MemoryLimits(per_minute=per_minute)),
        budget_usd,
        on_progress,
        timeout,
        user_sim,
        max_steps,
        agent_env,
    )
    waiting = iter(plans)

    async def one_after_the_other() -> None:
        for plan in waiting:
            await batch.take(plan)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(plans))):
                group.create_task(one_after_the_other())
    finally:
        if user_sim is not None or any(plan.spec.kind == "model" for plan in plans):
            await close_models()
    return [batch.outcomes[plan.folder] for plan in plans]


def check(plans: Sequence[RunPlan]) -> None:
    """Report anything that would fail every run before the first one starts."""
    if len({plan.folder for plan in plans}) < len(plans):
        raise InvalidInput.of("plans", "two runs have the same folder; give each its own")
    for spec, params in {plan.spec: plan.config.model_params for plan in plans}.items():
        agents.check(spec, params)
    for plan in plans:
        if plan.spec.kind == "reference":
            plan.scenario.reference_agent(plan.spec.target, plan.run_number)
        read_settings(plan.scenario.family, plan.config.settings)


def _check_prices(plans: Sequence[RunPlan]) -> None:
    """A budget in US dollars could never stop a model whose price is not known."""
    for model in dict.fromkeys(plan.spec.target for plan in plans if plan.spec.kind == "model"):
        if price_of(model) is None:
            words = f"the price of {model} is not known, so a budget in USD cannot hold it; leave the budget out"
            raise InvalidInput.of("budget_usd", f"{words}, and limit the runs with --runs or --max-steps instead")


class _BudgetUsed(Exception):
    """Ends a run between two steps; it can be resumed."""


class _Batch:
    """What all runs of a call share: their limits, their money, and what became of them."""

    def __init__(
        self,
        plans: Sequence[RunPlan],
        session: AskingSession,
        budget_usd: float | None,
        on_progress: Callable[[Progress], None] | None,
        timeout: float,
        user_sim: UserSim | None,
        max_steps: int | None,
        agent_env: Mapping[str, str] | None,
    ) -> None:
        self.outcomes: dict[Path, Outcome] = {}
        self._runs, self._budget, self._on_progress = len(plans), budget_usd, on_progress
        self._timeout, self._user_sim, self._max_steps = timeout, user_sim, max_steps
        self._agent_env = agent_env
        self._session = session
        self._steps, self._cost = 0, 0.0

    async def take(self, plan: RunPlan) -> None:
        tally = _Tally()
        state: State = "finished"
        reason, end = None, None
        try:
            self._check_budget()
            with held(plan.folder):
                end = await self._play(plan, tally)
            if end.status != "ok":
                state, reason = "failed", end.reason or end.status
        except AgentBusy as busy:
            state, reason = "busy", str(busy)
        except _BudgetUsed as used:
            state, reason = "stopped", str(used)
        except GnomonError as refused:
            state, reason = "failed", refused.message
        except OSError as bad:
            state, reason = (
                "failed",
                f"{bad.filename or plan.folder}: {bad.strerror or bad}; free or allow it and resume",
            )
        except Exception as fault:  # one odd run must not take the others with it
            log.exception("the run in %s crashed", plan.folder)
            state, reason = "failed", f"crashed: {type(fault).__name__}: {one_line(str(fault))}"
        outcome = Outcome(plan, state, reason, end, tally.steps, tally.cost, tally.unpriced)
        self.outcomes[plan.folder] = outcome
        self._tell(outcome)

    async def _play(self, plan: RunPlan, tally: "_Tally") -> RunEnd:
        params = plan.config.model_params
        agent = agents.make(
            plan.spec, plan.run_number, plan.scenario, params=params, timeout=self._timeout, session=self._session,
            agent_env=self._agent_env,
        )  # fmt: skip

        def on_step(step: Step) -> None:
            tally.add(step)
            self._steps += 1
            self._cost += step.cost_usd or 0.0
            self._tell(None)
            self._check_budget()

        try:
            return await run(
                plan.scenario, agent, plan.config, plan.folder, agent_id=agent_id(plan.spec),
                run_number=plan.run_number, now=_now, user_sim=self._user_sim, limits=_PATIENT, resume=True,
                on_step=on_step, max_steps=self._max_steps,
            )  # fmt: skip
        finally:
            await agent.close()

    def _check_budget(self) -> None:
        if self._budget is not None and self._cost >= self._budget:
            raise _BudgetUsed(
                f"the budget of {self._budget:g} USD is used up ({self._cost:.4f} USD); resume with another"
            )

    def _tell(self, outcome: Outcome | None) -> None:
        if self._on_progress is not None:
            self._on_progress(Progress(len(self.outcomes), self._runs, self._steps, self._cost, outcome))


class _Tally:
    """What one run has taken in this call."""

    def __init__(self) -> None:
        self.steps, self.cost, self.unpriced = 0, 0.0, 0

    def add(self, step: Step) -> None:
        self.steps += 1
        self.cost += step.cost_usd or 0.0
        self.unpriced += step.cost_usd is None


def notes(outcomes: Sequence[Outcome], budget_usd: float | None = None) -> list[str]:
    """Notes about the runs for the user, in sentences, besides the results."""
    sentences = []
    stopped = [outcome for outcome in outcomes if outcome.state == "stopped"]
    if stopped:
        sentences.append(f"{len(stopped)} of {counted(len(outcomes), 'run')} wait: {stopped[0].reason}")
    unpriced = sum(outcome.unpriced for outcome in outcomes)
    if unpriced and budget_usd is not None:
        sentences.append(
            f"the cost of {counted(unpriced, 'step')} is not known; the budget of {budget_usd:g} USD leaves it out"
        )
    if busy := [outcome for outcome in outcomes if outcome.state == "busy"]:
        sentences.append(f"{len(busy)} of {counted(len(outcomes), 'run')} are another process's: {busy[0].reason}")
    if failed := [outcome for outcome in outcomes if outcome.state == "failed"]:
        sentences.append(f"{len(failed)} of {counted(len(outcomes), 'run')} failed, the first: {failed[0].reason}")
    return sentences


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# --- one process a run -----


class AgentBusy(Exception):
    """Another process, or another call in this one, is at this run."""


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Lock a run's folder. The system releases the lock when the process ends, so nothing has to be cleaned up."""
    import fcntl

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LOCK
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = os.read(file, 100).decode("utf-8", "replace").strip() or "another process"
            os.close(file)
            raise AgentBusy(f"{folder} is held by {owner}") from None
        if _is_still(file, path):
            break
        os.close(file)  # whoever held it has removed it meanwhile: hold the new one
    try:
        os.truncate(file, 0)
        os.write(file, f"process {os.getpid()}\n".encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


def _is_still(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
