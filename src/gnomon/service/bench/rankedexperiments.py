"""The leaderboard of the experiments over a dataset, with what their runs' traces say besides scores.

Any run with a stored trace has a cost. A run that `gnomon bench push` sent also has its family's metrics and what the
agent did, read from the record in its trace.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

from gnomon.model.leaderboard import Leaderboard, LeaderboardAgent, LeaderboardOptions, RunCost
from gnomon.report.leaderboardwords import with_words
from gnomon.service.analysis import leaderboard
from gnomon.service.analysis.leaderboard import PLAIN
from gnomon.service.bench.leaderboard import Ran, families_of, of_runs
from gnomon.service.bench.records import BenchRecord, records_of
from gnomon.service.call import Call, visible
from gnomon.stats.card import mean_amount
from gnomon.stats.describe import round_shown
from gnomon.store import datasets
from gnomon.store.spanstore import RunTrace

UNPRICED = "some of their model calls have no price"


def of_dataset(call: Call, dataset_id: str, scorer_name: str, options: LeaderboardOptions = PLAIN) -> Leaderboard:
    """Rank the agents whose experiments run over one dataset, by one scorer."""
    board = leaderboard.of_dataset(call, dataset_id, scorer_name, options)
    project_id = visible(call.principal, datasets.get(call.db, dataset_id), f"dataset {dataset_id!r}").project_id
    agent_of = {experiment.id: agent.agent_id for agent in board.agents for experiment in agent.experiments}
    traces: dict[str, list[RunTrace]] = defaultdict(list)
    for trace in call.spans.traces_of_runs(call.db, project_id, list(agent_of)):
        traces[agent_of[trace.experiment_id]].append(trace)
    records = records_of(
        call, project_id, [trace.trace_id for agent_traces in traces.values() for trace in agent_traces]
    )
    runs = {agent: _runs(agent_traces, records) for agent, agent_traces in traces.items()}
    families = families_of(run for agent_runs in runs.values() for run in agent_runs)
    agents = [_told_more(agent, traces[agent.agent_id], runs.get(agent.agent_id, []), families)
              for agent in board.agents]  # fmt: skip
    notes = [*board.notes, *_about_records(records, traces)]
    return with_words(board.model_copy(update={"agents": agents, "families": families, "notes": notes}))


def _runs(traces: Sequence[RunTrace], records: Mapping[str, BenchRecord]) -> list[Ran]:
    return [records[trace.trace_id].as_run() for trace in traces if trace.trace_id in records]


def _told_more(
    agent: LeaderboardAgent, traces: Sequence[RunTrace], runs: Sequence[Ran], families: Any
) -> LeaderboardAgent:
    """The agent with the metrics, actions and cost of its runs."""
    if runs:
        return agent.model_copy(update=of_runs(runs, families))
    return agent.model_copy(update={"cost": _cost(traces)}) if traces else agent


def _cost(traces: Sequence[RunTrace]) -> RunCost | None:
    """The cost of model calls in the traces of runs that belong to no benchmark."""
    known = [trace for trace in traces if trace.cost_usd is not None and not trace.unpriced]
    if not any(trace.cost_usd is not None or trace.unpriced for trace in traces):
        return None  # no model was called
    amounts = sorted(trace.cost_usd for trace in known if trace.cost_usd is not None)
    mean = mean_amount(amounts, UNPRICED)
    lasted = sorted(trace.root_duration_ms / 1000 for trace in traces if trace.root_duration_ms is not None)
    return RunCost(
        run_count=len(traces), known_runs=len(known), total=round_shown(fsum(amounts)) if known else None,
        per_run=round_shown(mean.value),
        per_run_ci_95=mean.interval and (round_shown(mean.interval[0]), round_shown(mean.interval[1])),
        per_success=None,
        tokens_per_run=round_shown(sum(trace.tokens for trace in traces) / len(traces)),
        seconds_per_run=round_shown(fsum(lasted) / len(lasted)) if lasted else None,
        reason=mean.reason,
    )  # fmt: skip


def _about_records(records: Mapping[str, BenchRecord], traces: Mapping[str, Sequence[RunTrace]]) -> list[str]:
    count = sum(map(len, traces.values()))
    if records and len(records) < count:
        return [f"{len(records)} of {count} runs have their benchmark's metrics; metrics and actions are over these"]
    return []
