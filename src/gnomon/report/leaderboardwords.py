"""The findings of a leaderboard in sentences: the same words on the page, in the exported file and in the terminal."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from gnomon.model.leaderboard import Leaderboard, LeaderboardAgent, LeaderboardWords
from gnomon.shorten import counted, list_some, shorten_middle

Board = TypeVar("Board", bound=Leaderboard)
_NAMED = 4
_NAME_LENGTH = 60
"""Longer names keep their beginning and their end in a sentence."""
_VERDICTS = {"improved": "settled", "regressed": "settled", "equivalent": "too close to matter"}
_UNSETTLED = "not settled"


def with_words(board: Board) -> Board:
    """The leaderboard with its cheapest good agents named and its findings in sentences."""
    front = cost_front(board.agents)
    marked = board.model_copy(update={"cost_front": front})
    words = LeaderboardWords(
        headline=_headline(marked), scores=_scores(marked), passes=_passes(marked), pairs=_pairs(marked),
        actions=_actions(marked), cost=_cost(marked),
    )  # fmt: skip
    return marked.model_copy(update={"words": words})


def cost_front(agents: Sequence[LeaderboardAgent]) -> list[str]:
    """Agents that no other is both as cheap as and better than: each costs more than the one before and is better."""
    priced = sorted((cost, -score, agent.agent_id) for agent in agents if (cost := cost_of(agent)) is not None
                    and (score := agent.overall_score) is not None)  # fmt: skip
    front: list[str] = []
    best = -1.0
    for _, negative, name in priced:
        if -negative > best:
            front.append(name)
            best = -negative
    return front


def cost_of(agent: LeaderboardAgent) -> float | None:
    """Dollars per run; None where that is not known."""
    return None if agent.cost is None else agent.cost.per_run


def _ranked(board: Leaderboard) -> list[LeaderboardAgent]:
    return [agent for agent in board.agents if agent.rank is not None]


def _names(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`, or the first few and how many more."""
    short = [shorten_middle(name, _NAME_LENGTH) for name in names]
    if len(short) > _NAMED:
        return list_some(short, _NAMED)
    return " and ".join([", ".join(short[:-1]), short[-1]] if len(short) > 1 else short)


def _headline(board: Leaderboard) -> str:
    ranked = _ranked(board)
    if not ranked:
        return "No agent has a score."
    if len(ranked) == 1:
        return f"{ranked[0].agent_id} is the only agent with a score."
    top = [agent for agent in ranked if agent.rank == 1]
    if len(top) > 1:
        subject, where = f"{len(top)} agents", " at the top"
        if len(top) == len(ranked):
            subject, where = "Both agents" if len(top) == 2 else f"All {len(top)} agents", ""
        return f"{subject} cannot be told apart{where}: {_names([agent.agent_id for agent in top])}."
    [first] = top
    if first.rank_interval == (1, 1):
        others = f"all {len(ranked) - 1} others" if len(ranked) > 2 else "the other"
        return f"{first.agent_id} is ahead of {others}."
    beside = [agent.agent_id for agent in ranked if agent is not first and _unsettled(board, first, agent)]
    return f"{first.agent_id} is at the top, and not told apart from {_names(beside)}."


def _unsettled(board: Leaderboard, a: LeaderboardAgent, b: LeaderboardAgent) -> bool:
    names = {a.agent_id, b.agent_id}
    return any(pair.uncertain for pair in board.comparisons if {pair.a, pair.b} == names)


def _scores(board: Leaderboard) -> str:
    item = "scenario" if board.source == "bench" else "item"
    over = f"Each score is the mean over its {item}s with its 95 % interval"
    if board.source == "preferences":
        over = "Each score is the chance to beat the others with its 95 % interval"
    hatched = " Hatching: where the mean could lie if all missing scores were 0, or all were 1." * any(
        agent.n_missing for agent in board.agents
    )
    if len(_ranked(board)) < 2:
        return f"{over}.{hatched}"
    return (
        f"{over}, and at its left the ranks that are possible. Agents that share a letter cannot be told apart; those "
        "that share none are. Intervals may overlap where an order is settled, because pairs are compared "
        f"{item} by {item}.{hatched}"
    )


def _passes(board: Leaderboard) -> str | None:
    trial = "run" if board.source == "bench" else "trial"
    agents = [agent for agent in board.agents if len(agent.passes()) > 1]
    if not agents:
        return None
    best = max(agents, key=lambda agent: (agent.passes()[max(agent.passes())].every, agent.overall_score or 0.0))
    k = max(best.passes())
    both = best.passes()[k]
    return (
        f"pass@k: at least one of k {trial}s passes; pass^k: all of them do. The highest pass^{k} is that of "
        f"{best.agent_id}: {both.every:.3f} ({both.every_ends[0]:.3f} to {both.every_ends[1]:.3f})."
    )


def _pairs(board: Leaderboard) -> str | None:
    if not board.comparisons:
        return None
    counts = Counter(_VERDICTS.get(pair.verdict, _UNSETTLED) for pair in board.comparisons)
    parts = [f"{counts[words]} {words}" for words in ("settled", "too close to matter", _UNSETTLED) if counts[words]]
    item = "scenario" if board.source == "bench" else "item"
    return (
        f"{counted(len(board.comparisons), 'pair')}: {', '.join(parts)}. Compared over the {item}s that both have, "
        "adjusted for the number of pairs (Holm)."
    )


def _actions(board: Leaderboard) -> str | None:
    agents = [agent for agent in board.agents if agent.actions]
    if not agents:
        return None
    names = {action for agent in agents for action in agent.actions}
    return (
        f"In how many percent of its runs each agent did what at least once: {counted(len(names), 'kind')} of action."
    )


def _cost(board: Leaderboard) -> str | None:
    known = [agent for agent in board.agents if cost_of(agent) is not None]
    if not known:
        return None
    if not any(cost_of(agent) for agent in known):
        return "No run of these agents cost anything: they called no model that has a price."
    front = board.cost_front
    unknown = len(board.agents) - len(known)
    tail = f" The cost of {counted(unknown, 'agent')} is not known." if unknown else ""
    if len(front) == 1:
        return f"{front[0]} is both the cheapest and the best of those whose cost is known.{tail}"
    return f"No other agent is both as cheap and better: {_names(front)}, from the cheapest to the best.{tail}"
