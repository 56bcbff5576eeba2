"""Leaderboards: of tables that people bring, of preferences, and of the experiments over one dataset.

Who is ahead and how surely is worked out in stats; here trials are gathered, what is missing is named, and
notes say in plain sentences what a reader must know before believing the order.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from gnomon.errors import InvalidInput, Refused
from gnomon.interop.resulttables import LongTable, Preferences
from gnomon.model.aggregate import MissingPolicy
from gnomon.model.leaderboard import (
    AgentExperiment,
    Leaderboard,
    LeaderboardAgent,
    LeaderboardComparison,
    LeaderboardOptions,
    group_name,
)
from gnomon.model.nearest import did_you_mean
from gnomon.report.leaderboardwords import with_words
from gnomon.service.call import Call, visible
from gnomon.service.experiments import experiments
from gnomon.service.scoring.standing import NEVER_ASKED, RUN_FAILED
from gnomon.shorten import counted, list_some, there_are
from gnomon.stats.describe import round_shown
from gnomon.stats.ends import Interval, MeanMethod
from gnomon.stats.interval import SMALL_N
from gnomon.stats.paired import more_items
from gnomon.stats.pairwise import ELO, Contest, contest
from gnomon.stats.passk import PassCurves, pass_curves
from gnomon.stats.rank import RESAMPLES, AgentPair, Ranking, Standing, filled, rank
from gnomon.store import aggregates, datasets, scorerlist, trials
from gnomon.store.rows import DatasetTableRow, ExperimentTableRow

LABEL_ONLY = "a label instead of a number"
PLAIN = LeaderboardOptions()
_NAMED = 5
_FAR_OFF = 1_000_000
_HOW_MISSING: dict[MissingPolicy, str] = {
    "drop": "they are left out",
    "zero": "they count as 0",
    "bracket": "intervals and ranks allow for anything from 0 to 1 in their place",
}


class LeaderboardNouns(NamedTuple):
    """What an item and a trial are called where people read of them."""

    item: str = "item"
    trial: str = "trial"


@dataclass
class Trials:
    """One agent's values, item by item, and why some are missing."""

    values: dict[str, list[float | None]] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    experiments: list[AgentExperiment] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    """Whether some of them come from an experiment that could stop early: intervals must then hold at every look."""

    def add(self, item: str, value: float | None) -> None:
        self.values.setdefault(item, []).append(value)


_PLAIN_WORDS = LeaderboardNouns()


def from_table(tables: Sequence[LongTable], options: LeaderboardOptions = PLAIN) -> Leaderboard:
    """Rank the agents of one table or several."""
    agents = agents_in(tables)
    return of_scores(agents, options, [f"{table.source}: {note}" for table in tables for note in table.notes])


def agents_in(tables: Sequence[LongTable]) -> dict[str, Trials]:
    """Agent → its trials, of one table or several."""
    agents: dict[str, Trials] = {}
    seen: dict[tuple[str, str, str], int] = {}
    for index, table in enumerate(tables):
        for agent, item, trial, value in zip(table.agents, table.items, table.trials, table.values, strict=True):
            before = seen.setdefault((agent, item, trial), index)
            if before != index:
                files = f"{tables[before].source} and {table.source}"
                message = f"{files} both score agent {agent!r}, item {item!r}, trial {trial!r}"
                raise InvalidInput(f"{message}; keep one of them, or name the agents apart")
            agents.setdefault(agent, Trials()).add(item, value)
    if not agents:
        raise InvalidInput("the table has no row; a leaderboard needs an agent with a value on an item")
    return agents


def from_preferences(tables: Sequence[Preferences], options: LeaderboardOptions = PLAIN) -> Leaderboard:
    """Rank candidates from pairwise preferences. Rows that name no item count as an item each."""
    games = [
        (a, b, f"{table.source} {line}" if item is None else item, winner)
        for table in tables
        for a, b, item, winner, line in zip(
            table.a, table.b, table.items, table.winners, table.lines, strict=True
        )
    ]  # fmt: skip
    if not games:
        raise InvalidInput("no row names a winner; a leaderboard needs one comparison at least")
    result = contest(games, options.min_effect)
    notes = [f"{table.source}: {note}" for table in tables for note in table.notes]
    board = Leaderboard(
        source="preferences", missing_policy="drop", pass_threshold=None, min_effect=options.min_effect,
        resamples=RESAMPLES, item_count=len({item for _, _, item, _ in games}),
        agents=[_candidate(standing, result) for standing in result.standings],
        comparisons=_comparisons(result.standings, result.pairs), groups=result.groups,
        notes=[*notes, *_about_contest(result, len({item for _, _, item, _ in games}))],
    )  # fmt: skip
    return with_words(board)


def of_dataset(call: Call, dataset_id: str, scorer_name: str, options: LeaderboardOptions = PLAIN) -> Leaderboard:
    """Rank the agents whose experiments run over one dataset, by one scorer."""
    dataset = visible(call.principal, datasets.get(call.db, dataset_id), f"dataset {dataset_id!r}")
    agents: dict[str, Trials] = {}
    left_out: list[str] = []
    for row in trials.experiments_on(call.db, dataset_id):
        agent_trials = _trials_of(call, row, scorer_name)
        if agent_trials is None:
            left_out.append(row.name)
            continue
        agent = agents.setdefault(agent_of(row), Trials())
        for item, values in agent_trials.values.items():
            agent.values.setdefault(item, []).extend(values)
        agent.reasons += agent_trials.reasons
        agent.experiments.append(AgentExperiment(id=row.id, name=row.name, run_count=row.run_count))
        if (stopping := experiments.stopping(row)) is not None:
            agent.flags.add(stopping.flag)
    _refuse_without_numbers(call, agents, dataset, scorer_name)
    notes = [
        f"{agent!r} has its trials from {counted(len(those.experiments), 'experiment')} "
        f"({list_some(sorted(experiment.name for experiment in those.experiments), _NAMED)})"
        for agent, those in sorted(agents.items())
        if len(those.experiments) > 1
    ]
    if left_out:
        notes.append(f"left out, for {scorer_name!r} was never asked there: {list_some(sorted(left_out), _NAMED)}")
    return of_scores(agents, options, notes, dataset_id=dataset_id, dataset_name=dataset.name, scorer_name=scorer_name)


# --- stored experiments -----


def agent_of(row: ExperimentTableRow) -> str:
    """Which agent an experiment is of."""
    named = (row.metadata or {}).get("agent")
    return named if isinstance(named, str) and named.strip() else str(row.name)


def _trials_of(call: Call, row: ExperimentTableRow, scorer_name: str) -> Trials | None:
    """An experiment's trials by this scorer; None where the scorer has nothing to do with it."""
    agent_trials = Trials()
    for item, value in trials.scored(call.db, row.id, scorer_name):
        agent_trials.add(item, value)
        if value is None:
            agent_trials.reasons[LABEL_ONLY] += 1
    scored = sum(map(len, agent_trials.values.values()))
    if scored == row.run_count:
        return agent_trials if scored else None
    gaps = [gap for gap in aggregates.gaps(call.db, [row.id]) if gap.scorer_name == scorer_name]
    for item, failed in trials.unscored(call.db, row.id, scorer_name):
        agent_trials.add(item, None)
        agent_trials.reasons[RUN_FAILED if failed else NEVER_ASKED] += 1
    for _, _, state, reason, runs in gaps:
        agent_trials.reasons[reason or state] += runs
        agent_trials.reasons[NEVER_ASKED] -= runs
    agent_trials.reasons = +agent_trials.reasons
    return agent_trials if scored or gaps or row.run_count == row.failed_run_count else None


def _refuse_without_numbers(
    call: Call, agents: Mapping[str, Trials], dataset: DatasetTableRow, scorer_name: str
) -> None:
    if any(value is not None for agent in agents.values() for values in agent.values.values() for value in values):
        return
    if any(agent.reasons[LABEL_ONLY] for agent in agents.values()):
        message = f"{scorer_name!r} gives labels; a leaderboard needs numbers"
        raise Refused(message, code="UNSUPPORTED_SCORE_TYPE")
    known = {row.scorer_name for row in scorerlist.of_runs(call.db, dataset.project_id, dataset.id)} - {scorer_name}
    near = did_you_mean(scorer_name, known, "score one first")
    words = f"no experiment over dataset {dataset.name!r} has a number of {scorer_name!r}; {near}"
    raise Refused(words, code="NO_SCORES")


# --- scores -----


def of_scores(
    agents: Mapping[str, Trials],
    options: LeaderboardOptions,
    notes: Iterable[str],
    words: LeaderboardNouns = _PLAIN_WORDS,
    **about: object,
) -> Leaderboard:
    """Rank agents by the mean of their items' means. `about` are fields of the leaderboard that are known already."""
    curves = {name: _curves(agent_trials, options) for name, agent_trials in agents.items()}
    _refuse_large_k(agents, curves, options.k, words)
    notes = [*notes, *_about_k(curves, words)]
    stopped = [name for name, agent_trials in agents.items() if agent_trials.flags]
    values = {name: agent_trials.values for name, agent_trials in agents.items()}
    ranking = rank(values, options.missing, options.min_effect, options.interval, stopped=stopped)
    letters = _letters(ranking.groups)
    item_count = len({item for agent_trials in agents.values() for item in agent_trials.values})
    board = Leaderboard(
        source="scores", missing_policy=options.missing, pass_threshold=options.pass_threshold,
        min_effect=options.min_effect,
        resamples=RESAMPLES, item_count=item_count, groups=ranking.groups,
        agents=[
            LeaderboardAgent(
                **_shared(agent_trials, letters, agents[agent_trials.agent].flags), **curves[agent_trials.agent],
                reasons=dict(agents[agent_trials.agent].reasons), experiments=agents[agent_trials.agent].experiments,
            )
            for agent_trials in ranking.standings
        ],
        comparisons=_comparisons(ranking.standings, ranking.pairs),
        notes=[*notes, *_about_scores(agents, ranking, options, item_count, words)],
        **about,
    )  # fmt: skip
    return with_words(board)


def _curves(agent_trials: Trials, options: LeaderboardOptions) -> dict[str, Any]:
    """pass@k and pass^k with intervals; under `bracket` those reach from all missing failed to all passed."""
    method: MeanMethod | None = "betting_mixture" if agent_trials.flags else options.interval
    point = _passed(filled(agent_trials.values, 0.0 if options.missing == "zero" else None), options.pass_threshold,
                    method, options.k)  # fmt: skip
    ks = list(point.pass_at_k)
    if not ks:
        return dict.fromkeys(("pass_at_k", "pass_at_k_ci", "pass_pow_k", "pass_pow_k_ci", "pass_k_items"))
    readings = [point]
    if options.missing == "bracket" and any(None in values for values in agent_trials.values.values()):
        readings += [_passed(filled(agent_trials.values, fill), options.pass_threshold, method, ks[-1])
                     for fill in (0.0, 1.0)]  # fmt: skip
    fewer = any(items < point.items[1] for items in point.items.values())
    return {
        "pass_at_k": {str(k): round_shown(point.pass_at_k[k]) for k in ks},
        "pass_at_k_ci": _ends(ks, [reading.pass_at_k_intervals for reading in readings]),
        "pass_pow_k": {str(k): round_shown(point.pass_pow_k[k]) for k in ks},
        "pass_pow_k_ci": _ends(ks, [reading.pass_pow_k_intervals for reading in readings]),
        "pass_k_items": {str(k): point.items[k] for k in ks} if fewer else None,
    }


def _passed(
    items: Mapping[str, Sequence[float]], threshold: float, method: MeanMethod | None, up_to: int | None
) -> PassCurves:
    kinds = Counter((len(values), sum(value >= threshold for value in values)) for values in items.values())
    return pass_curves(kinds, method, up_to)


def _ends(ks: Iterable[int], readings: Sequence[Mapping[int, Interval]]) -> dict[str, tuple[float, float]]:
    """For each k the interval that holds those of all readings."""
    return {
        str(k): (
            round_shown(min(intervals[k].low for intervals in readings)),
            round_shown(max(intervals[k].high for intervals in readings)),
        )
        for k in ks
    }


def _refuse_large_k(
    agents: Mapping[str, Trials], curves: Mapping[str, dict[str, Any]], k: int | None, words: LeaderboardNouns
) -> None:
    """Refuse a k for which no item has enough trials; note one for which only some have."""
    if k is None:
        return
    for name, agent_trials in sorted(agents.items()):
        most = max(map(int, curves[name]["pass_at_k"] or {"0": 0}))
        if most < k and any(value is not None for values in agent_trials.values.values() for value in values):
            many = f"{most} {words.trial}" if most == 1 else f"{most} {words.trial}s"
            message = f"k is {k}, but no {words.item} of {name!r} has more than {many}; ask for k up to {most}"
            raise Refused(message, code="K_TOO_LARGE")


def _about_scores(
    agents: Mapping[str, Trials],
    ranking: Ranking,
    options: LeaderboardOptions,
    item_count: int,
    words: LeaderboardNouns,
) -> Iterator[str]:
    missing = sum(agent_standing.missing for agent_standing in ranking.standings)
    if missing:
        total = missing + sum(agent_standing.scored for agent_standing in ranking.standings)
        how = f"{_HOW_MISSING[options.missing]} (missing: {options.missing})"
        yield f"{missing:,} of {total:,} {words.trial}s have no value; {how}"
    for standing in ranking.standings:
        if standing.mean is None:
            yield f"{standing.agent!r} has no value at all, so it has no score and no rank"
    yield from _about_items(ranking, item_count, words.item)
    yield from _about_stopping(agents)
    yield from _about_trials(agents, options.pass_threshold, words)
    yield from _about_order(ranking.standings, ranking.pairs, f"share no {words.item}")


def _about_k(curves: Mapping[str, dict[str, Any]], words: LeaderboardNouns) -> Iterator[str]:
    """Where pass@k could use some of the items only."""
    fewer = {name: curve["pass_k_items"] for name, curve in sorted(curves.items()) if curve["pass_k_items"]}
    if not fewer:
        return
    counts = []
    for name, items in fewer.items():
        k = max(items, key=int)
        counts.append(f"{name!r} {items[k]} of {items['1']} at k = {k}")
    listed = list_some(counts, _NAMED, noun="agents", separator="; ")
    yield f"pass@k and pass^k are over the {words.item}s with k {words.trial}s: {listed}"


def _about_items(ranking: Ranking, item_count: int, item: str) -> Iterator[str]:
    ranked = [standing for standing in ranking.standings if standing.mean is not None]
    if item_count == 1:
        yield f"there is one {item} only: nothing here says how the agents do on others"
    elif item_count < SMALL_N:
        yield f"{there_are(item_count, item)}, fewer than {SMALL_N}: intervals and rank ranges stand on little"
    if any(standing.items < item_count for standing in ranked):
        counts = list_some((f"{standing.agent!r} {standing.items}" for standing in ranked), _NAMED)
        shared = min((pair.difference.items for pair in ranking.pairs), default=None)
        pairs = "" if shared is None else f"; each pair is compared on the {item}s that both have ({shared} at least)"
        yield f"not every agent has a value on each of the {item_count} {item}s: {counts}{pairs}"


def _about_stopping(agents: Mapping[str, Trials]) -> Iterator[str]:
    stopped = [repr(name) for name, agent_trials in sorted(agents.items()) if agent_trials.flags]
    if stopped:
        yield (
            f"the evaluation of {list_some(stopped, _NAMED)} could stop early: such intervals and comparisons hold at "
            "every look; there are no resampled ranges of ranks (rank_interval_marginal), which do not"
        )


def _about_trials(agents: Mapping[str, Trials], threshold: float, words: LeaderboardNouns) -> Iterator[str]:
    counts = {len(values) for agent in agents.values() for values in agent.values.values()}
    if len(counts) > 1:
        yield (f"{words.item}s have between {min(counts)} and {max(counts)} {words.trial}s; every {words.item} counts "
               "the same, and pass@k goes up to an agent's fewest unless a larger k is asked for")  # fmt: skip
    if any(
        value not in (0, 1, None) for agent in agents.values() for values in agent.values.values() for value in values
    ):
        yield f"for pass@k and pass^k a {words.trial} passes when its value is at least {threshold:g}"


# --- preferences -----


def _candidate(standing: Standing, result: Contest) -> LeaderboardAgent:
    strength, ends = result.strengths.get(standing.agent), result.strength_intervals.get(standing.agent)
    return LeaderboardAgent(
        **_shared(standing, _letters(result.groups)),
        **dict.fromkeys(("pass_at_k", "pass_at_k_ci", "pass_pow_k", "pass_pow_k_ci", "pass_k_items")),
        elo=None if strength is None else round_shown(ELO * strength),
        elo_interval=None if ends is None else (round_shown(ELO * ends[0]), round_shown(ELO * ends[1])),
    )


def _about_contest(result: Contest, item_count: int) -> Iterator[str]:
    if result.why_no_strengths:
        yield from result.why_no_strengths
        yield "so there are no strengths: scores are shares of comparisons won, differences those of direct meetings"
    else:
        yield "a score is the chance to beat another candidate, averaged over the others (Bradley–Terry)"
    if item_count < SMALL_N:
        yield f"{there_are(item_count, 'item')}, fewer than {SMALL_N}: intervals and rank ranges stand on little"
    yield from _about_order(result.standings, result.pairs, "never met", result.why_no_strengths)


# --- both -----


def _shared(standing: Standing, letters: Mapping[str, str], flags: Collection[str] = ()) -> dict[str, object]:
    interval = standing.interval
    return {
        "agent_id": standing.agent,
        "rank": standing.rank,
        "rank_interval": standing.rank_interval,
        "rank_interval_marginal": standing.rank_interval_marginal,
        "group": letters.get(standing.agent, ""),
        "overall_score": round_shown(standing.mean),
        "confidence_interval": _shown(None if interval is None else (interval.low, interval.high)),
        "ci_method": None if interval is None else interval.method,
        "standard_deviation": round_shown(standing.standard_deviation),
        "standard_error": round_shown(standing.standard_error),
        "item_count": standing.items,
        "run_count": standing.scored,
        "n_missing": standing.missing,
        "missing_bracket": _shown(standing.missing_bracket),
        "flags": list(dict.fromkeys([*_flags(standing), *sorted(flags, reverse=True)])),
    }


def _flags(standing: Standing) -> Iterator[str]:
    """Those of the interval. A score over few items is marked whatever its scale, unless it was looked at while it
    came in: such an interval allows for that."""
    if standing.interval is not None:
        yield from standing.interval.flags
        if standing.items < SMALL_N and standing.interval.method != "betting_mixture":
            yield "small_n"


def _shown(ends: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if ends is None else (round_shown(ends[0]), round_shown(ends[1]))


def _comparisons(standings: Sequence[Standing], pairs: Iterable[AgentPair]) -> list[LeaderboardComparison]:
    position = {standing.agent: at for at, standing in enumerate(standings)}
    return [
        LeaderboardComparison(
            a=pair.a,
            b=pair.b,
            adjacent=position[pair.b] - position[pair.a] == 1,
            delta=round_shown(pair.difference.delta),
            delta_ci_95=_shown(
                None if pair.difference.interval is None
                else (pair.difference.interval.low, pair.difference.interval.high)
            ),
            p_value=round_shown(pair.difference.p_value), p_value_adjusted=round_shown(pair.adjusted_p),
            verdict=pair.verdict, uncertain=pair.uncertain, common_items=pair.difference.items,
            reason=pair.difference.reason,
        )
        for pair in pairs
    ]  # fmt: skip


def _letters(groups: Sequence[Sequence[str]]) -> dict[str, str]:
    """Agent → its groups' letters: a, ab, b. Past z, numbers."""
    letters_of: dict[str, list[str]] = {}
    for at, group in enumerate(groups):
        for agent in group:
            letters_of.setdefault(agent, []).append(group_name(at, len(groups)))
    return {agent: ("" if len(groups) <= 26 else " ").join(letters) for agent, letters in letters_of.items()}


def _about_order(
    standings: Sequence[Standing], pairs: Sequence[AgentPair], words: str, already_said: Sequence[str] = ()
) -> Iterator[str]:
    ranked = [standing for standing in standings if standing.rank is not None]
    if len(ranked) == 1:
        yield "there is one agent only, so there is nothing to compare it with"
    apart = [pair for pair in pairs if pair.difference.items == 0]
    if apart and not already_said:
        named = list_some((f"{pair.a!r} and {pair.b!r}" for pair in apart), _NAMED, noun="pairs", separator="; ")
        yield f"{named} {words}, so nothing can be said about their order"
    yield from _about_first(pairs)
    for upper, lower in pairwise(ranked):
        if (lower.rank or 0) < (upper.rank or 0):
            yield (f"{lower.agent!r} is listed below {upper.agent!r} and has the better rank: fewer agents are "
                   "significantly better than it")  # fmt: skip


def _about_first(pairs: Sequence[AgentPair]) -> Iterator[str]:
    """What it would take to tell the first two apart, where nobody can."""
    first = next(iter(pairs), None)
    if first is None or not first.uncertain:
        return
    more = more_items(first.difference, first.adjusted_p)
    if more is not None and more <= _FAR_OFF:
        yield (f"{first.a!r} and {first.b!r} cannot be told apart; about {more:,} more items would probably do it, "
               "if the difference seen is the true one")  # fmt: skip
