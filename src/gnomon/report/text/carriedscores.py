"""Scores that files of other tools carry, as text: how many runs have one, the mean, pass^k, and why some have none."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gnomon.model.carriedscores import CarriedScore, CarriedScores
from gnomon.report.text.drawing import Part, axis, clean, fitting_table, interval, number, table, whisker
from gnomon.report.text.leaderboard import curves
from gnomon.shorten import counted, list_some, shorten

if TYPE_CHECKING:
    from rich.table import Table

_NAME, _REASON = 50, 120
_REASONS = 4


def carried_scores(carried: CarriedScores) -> Iterator[Part]:
    tools = ", ".join(carried.formats)
    counts = f"{counted(carried.item_count, 'task')}, {counted(carried.run_count, 'run')}"
    yield f"{counted(carried.file_count, 'file')} of {tools}: {counts}"
    if carried.scores:
        yield fitting_table(lambda drawn: _means(carried, drawn))
    else:
        yield "no score is a number"
    for score in carried.scores:
        if any(len(agent.pass_pow_k or ()) > 1 for agent in score.agents):
            yield f"{clean(score.scorer_name)}:"
            yield curves(score.agents)
    for score in carried.scores:
        yield from _gaps(score)
    for name, agents in carried.labels.items():
        for agent, labels in agents.items():
            listed = list_some((f"{clean(label)} {count:,}" for label, count in labels.items()), _REASONS * 2)
            yield f"{clean(name)} of {clean(shorten(agent, _NAME))}: {listed}"
    yield from (f"note: {clean(note)}" for note in carried.notes)


def _means(carried: CarriedScores, drawn: bool) -> "Table":
    rows = table("score", "agent", "shown", "mean", "95 % interval", *[axis("0", "1")] * drawn, right=("shown", "mean"))
    for score in carried.scores:
        for agent in score.agents:
            if not agent.run_count:
                continue
            cells = [clean(score.scorer_name), clean(shorten(agent.agent_id, _NAME))]
            cells.append(f"{agent.run_count:,} of {agent.run_count + agent.n_missing:,}")
            cells += [number(agent.overall_score), interval(agent.confidence_interval)]
            cells += [whisker(agent.overall_score, agent.confidence_interval, 0, 1)] * drawn
            rows.add_row(*cells)
    return rows


def _gaps(score: CarriedScore) -> Iterator[str]:
    """`412 of 500 shown: 88 have no score, because …`, for agents that have the score at all."""
    for agent in score.agents:
        if agent.run_count and agent.n_missing:
            reasons = sorted(agent.reasons.items(), key=lambda pair: -pair[1])
            counts = (f"{clean(shorten(reason, _REASON))} ({count:,})" for reason, count in reasons)
            shown = f"{agent.run_count:,} of {agent.run_count + agent.n_missing:,} shown"
            missing = f"{agent.n_missing:,} {'has' if agent.n_missing == 1 else 'have'} no score"
            name = f"{clean(score.scorer_name)} of {clean(shorten(agent.agent_id, _NAME))}"
            yield f"{name}: {shown}: {missing}, because {list_some(counts, _REASONS)}"
