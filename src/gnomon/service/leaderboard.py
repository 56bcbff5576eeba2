"""Leaderboards: of tables that people bring, of preferences, and of the experiments over one dataset.

Who is ahead and how surely is worked out in stats; here trials are gathered, what is missing is named, and
whatever a reader must know before believing the order is said in plain sentences.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from string import ascii_lowercase
from typing import Any, NamedTuple

from gnomon.errors import InvalidInput, Refused
from gnomon.interop.tables import LongTable, Preferences
from gnomon.model.aggregate import MissingPolicy
from gnomon.model.leaderboard import Leaderboard, LeaderboardAgent, LeaderboardComparison, LeaderboardWish
from gnomon.service import experiments
from gnomon.service.call import Call, visible
from gnomon.service.standing import NEVER_ASKED, RUN_FAILED
from gnomon.stats.describe import round_shown
from gnomon.stats.ends import Interval, MeanMethod
from gnomon.stats.interval import SMALL_N
from gnomon.stats.paired import more_items
from gnomon.stats.pairwise import ELO, Contest, contest
from gnomon.stats.passk import PassCurves, pass_curves
from gnomon.stats.rank import RESAMPLES, Pair, Ranking, Standing, filled, rank
from gnomon.store import aggregates, datasets, trials
from gnomon.store.rows import ExperimentRow

LABEL_ONLY = "a label instead of a number"
PLAIN = LeaderboardWish()
_NAMED = 5
_FAR_OFF = 1_000_000
_HOW_MISSING: dict[MissingPolicy, str] = {
    "drop": "they are left out",
    "zero": "they count as 0",
    "bracket": "intervals and ranks allow for anything from 0 to 1 in their place",
}


class Words(NamedTuple):
    """What an item and a trial are called where people read of them."""

    item: str = "item"
    trial: str = "trial"


@dataclass
class Trials:
    """One agent's values, item by item, and why some are missing."""

    values: dict[str, list[float | None]] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    experiments: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    """Whether some of them come from an experiment that could stop early: intervals must then hold at every look."""

    def add(self, item: str, value: float | None) -> None:
        self.values.setdefault(item, []).append(value)


_PLAIN_WORDS = Words()


def from_table(tables: Sequence[LongTable], wish: LeaderboardWish = PLAIN) -> Leaderboard:
    """Rank the agents of one table or several."""
    agents: dict[str, Trials] = {}
    seen: dict[tuple[str, str, str], int] = {}
    for place, table in enumerate(tables):
        for agent, item, trial, value in zip(table.agents, table.items, table.trials, table.values, strict=True):
            before = seen.setdefault((agent, item, trial), place)
            if before != place:
                files = f"{tables[before].source} and {table.source}"
                said = f"{files} both score agent {agent!r}, item {item!r}, trial {trial!r}"
                raise InvalidInput(f"{said}; keep one of them, or name the agents apart")
            agents.setdefault(agent, Trials()).add(item, value)
    if not agents:
        raise InvalidInput("the table has no row; a leaderboard needs an agent with a value on an item")
    return of_scores(agents, wish, [f"{table.source}: {note}" for table in tables for note in table.notes])


def from_preferences(tables: Sequence[Preferences], wish: LeaderboardWish = PLAIN) -> Leaderboard:
    """Rank candidates by whom they were preferred to. Rows that name no item are an item each."""
    games = [
        (a, b, f"{table.source} {line}" if item is None else item, winner)
        for table in tables
        for a, b, item, winner, line in zip(
            table.a, table.b, table.items, table.winners, table.lines, strict=True
        )
    ]  # fmt: skip
    if not games:
        raise InvalidInput("no row names a winner; a leaderboard needs one comparison at least")
    found = contest(games, wish.min_effect)
    notes = [f"{table.source}: {note}" for table in tables for note in table.notes]
    return Leaderboard(
        source="preferences", missing_policy="drop", pass_threshold=None, min_effect=wish.min_effect,
        resamples=RESAMPLES, item_count=len({item for _, _, item, _ in games}),
        agents=[_candidate(one, found) for one in found.standings],
        comparisons=_comparisons(found.standings, found.pairs), groups=found.groups,
        notes=[*notes, *_about_contest(found, len({item for _, _, item, _ in games}))],
    )  # fmt: skip


def of_dataset(call: Call, dataset_id: str, scorer_name: str, wish: LeaderboardWish = PLAIN) -> Leaderboard:
    """Rank the agents whose experiments run over one dataset, by one scorer."""
    visible(call.who, datasets.get(call.db, dataset_id), f"dataset {dataset_id!r}")
    agents: dict[str, Trials] = {}
    left_out: list[str] = []
    for row in trials.experiments_on(call.db, dataset_id):
        found = _trials_of(call, row, scorer_name)
        if found is None:
            left_out.append(row.name)
            continue
        agent = agents.setdefault(_agent(row), Trials())
        for item, values in found.values.items():
            agent.values.setdefault(item, []).extend(values)
        agent.reasons += found.reasons
        agent.experiments.append(row.name)
        if (stopping := experiments.stopping(row)) is not None:
            agent.flags.add(stopping.flag)
    _refuse_without_numbers(agents, dataset_id, scorer_name)
    notes = [
        f"{agent!r} has its trials from {len(one.experiments)} experiments ({_listed(sorted(one.experiments))})"
        for agent, one in sorted(agents.items())
        if len(one.experiments) > 1
    ]
    if left_out:
        notes.append(f"left out, for {scorer_name!r} was never asked there: {_listed(sorted(left_out))}")
    return of_scores(agents, wish, notes, dataset_id=dataset_id, scorer_name=scorer_name)


# --- stored experiments -----


def _agent(row: ExperimentRow) -> str:
    named = (row.metadata or {}).get("agent")
    return named if isinstance(named, str) and named.strip() else str(row.name)


def _trials_of(call: Call, row: ExperimentRow, scorer_name: str) -> Trials | None:
    """An experiment's trials by this scorer; None where the scorer has nothing to do with it."""
    found = Trials()
    for item, value in trials.scored(call.db, row.id, scorer_name):
        found.add(item, value)
        if value is None:
            found.reasons[LABEL_ONLY] += 1
    scored = sum(map(len, found.values.values()))
    if scored == row.run_count:
        return found if scored else None
    gaps = [gap for gap in aggregates.gaps(call.db, [row.id]) if gap.scorer_name == scorer_name]
    for item, failed in trials.unscored(call.db, row.id, scorer_name):
        found.add(item, None)
        found.reasons[RUN_FAILED if failed else NEVER_ASKED] += 1
    for _, _, state, reason, runs in gaps:
        found.reasons[reason or state] += runs
        found.reasons[NEVER_ASKED] -= runs
    found.reasons = +found.reasons
    return found if scored or gaps or row.run_count == row.failed_run_count else None


def _refuse_without_numbers(agents: Mapping[str, Trials], dataset_id: str, scorer_name: str) -> None:
    if any(value is not None for one in agents.values() for values in one.values.values() for value in values):
        return
    if any(one.reasons[LABEL_ONLY] for one in agents.values()):
        message = f"{scorer_name!r} gives labels; a leaderboard needs numbers"
        raise Refused(message, code="UNSUPPORTED_SCORE_TYPE")
    message = f"no experiment over dataset {dataset_id!r} has a number of {scorer_name!r}; score one first"
    raise Refused(message, code="NO_SCORES")


# --- scores -----


def of_scores(
    agents: Mapping[str, Trials],
    wish: LeaderboardWish,
    notes: Iterable[str],
    words: Words = _PLAIN_WORDS,
    **about: object,
) -> Leaderboard:
    """Rank agents by the mean of their items' means. `about` are fields of the leaderboard that are known already."""
    curves = {name: _curves(one, wish) for name, one in agents.items()}
    _refuse_large_k(agents, curves, wish.k, words)
    notes = [*notes, *_about_k(curves, words)]
    stopped = [name for name, one in agents.items() if one.flags]
    values = {name: one.values for name, one in agents.items()}
    found = rank(values, wish.missing, wish.min_effect, wish.interval, stopped=stopped)
    letters = _letters(found.groups)
    item_count = len({item for one in agents.values() for item in one.values})
    return Leaderboard(
        source="scores", missing_policy=wish.missing, pass_threshold=wish.pass_threshold, min_effect=wish.min_effect,
        resamples=RESAMPLES, item_count=item_count, groups=found.groups,
        agents=[
            LeaderboardAgent(
                **_shared(one, letters, agents[one.agent].flags), **curves[one.agent],
                reasons=dict(agents[one.agent].reasons),
            )
            for one in found.standings
        ],
        comparisons=_comparisons(found.standings, found.pairs),
        notes=[*notes, *_about_scores(agents, found, wish, item_count, words)],
        **about,
    )  # fmt: skip


def _curves(one: Trials, wish: LeaderboardWish) -> dict[str, Any]:
    """pass@k and pass^k with intervals; under `bracket` those reach from all missing failed to all passed."""
    method: MeanMethod | None = "betting_mixture" if one.flags else wish.interval
    point = _passed(filled(one.values, 0.0 if wish.missing == "zero" else None), wish, method)
    low = high = point
    if wish.missing == "bracket" and any(None in values for values in one.values.values()):
        low, high = (_passed(filled(one.values, fill), wish, method) for fill in (0.0, 1.0))
    ks = list(point.pass_at_k)
    if not ks:
        return dict.fromkeys(("pass_at_k", "pass_at_k_ci", "pass_pow_k", "pass_pow_k_ci", "pass_k_items"))
    fewer = any(items < point.items[1] for items in point.items.values())
    return {
        "pass_at_k": {str(k): round_shown(point.pass_at_k[k]) for k in ks},
        "pass_at_k_ci": _ends(ks, low.pass_at_k_intervals, high.pass_at_k_intervals),
        "pass_pow_k": {str(k): round_shown(point.pass_pow_k[k]) for k in ks},
        "pass_pow_k_ci": _ends(ks, low.pass_pow_k_intervals, high.pass_pow_k_intervals),
        "pass_k_items": {str(k): point.items[k] for k in ks} if fewer else None,
    }


def _passed(items: Mapping[str, Sequence[float]], wish: LeaderboardWish, method: MeanMethod | None) -> PassCurves:
    bar = wish.pass_threshold
    kinds = Counter((len(values), sum(value >= bar for value in values)) for values in items.values())
    return pass_curves(kinds, method, wish.k)


def _ends(
    ks: Iterable[int], low: Mapping[int, Interval], high: Mapping[int, Interval]
) -> dict[str, tuple[float, float]]:
    return {str(k): (round_shown(low[k].low), round_shown(high[k].high)) for k in ks}


def _refuse_large_k(
    agents: Mapping[str, Trials], curves: Mapping[str, dict[str, Any]], k: int | None, words: Words
) -> None:
    """A k for which nobody's item has trials enough is a mistake; one for which some items have is told."""
    if k is None:
        return
    for name, one in sorted(agents.items()):
        most = max(map(int, curves[name]["pass_at_k"] or {"0": 0}))
        if most < k and any(value is not None for values in one.values.values() for value in values):
            many = f"{most} {words.trial}" if most == 1 else f"{most} {words.trial}s"
            message = f"k is {k}, but no {words.item} of {name!r} has more than {many}; ask for k up to {most}"
            raise Refused(message, code="K_TOO_LARGE")


def _about_scores(
    agents: Mapping[str, Trials], found: Ranking, wish: LeaderboardWish, item_count: int, words: Words
) -> Iterator[str]:
    missing = sum(one.missing for one in found.standings)
    if missing:
        total = missing + sum(one.scored for one in found.standings)
        how = f"{_HOW_MISSING[wish.missing]} (missing: {wish.missing})"
        yield f"{missing:,} of {total:,} {words.trial}s have no value; {how}"
    for one in found.standings:
        if one.mean is None:
            yield f"{one.agent!r} has no value at all, so it has no score and no rank"
    yield from _about_items(found, item_count, words.item)
    yield from _about_stopping(agents)
    yield from _about_trials(agents, wish.pass_threshold, words)
    yield from _about_order(found.standings, found.pairs, f"share no {words.item}")


def _about_k(curves: Mapping[str, dict[str, Any]], words: Words) -> Iterator[str]:
    """Where pass@k could use some of the items only."""
    fewer = {name: found["pass_k_items"] for name, found in sorted(curves.items()) if found["pass_k_items"]}
    if not fewer:
        return
    counts = []
    for name, items in fewer.items():
        k = max(items, key=int)
        counts.append(f"{name!r} {items[k]} of {items['1']} at k = {k}")
    more = f" and {len(counts) - _NAMED} more agents" if len(counts) > _NAMED else ""
    yield f"pass@k and pass^k are over the {words.item}s with k {words.trial}s: {'; '.join(counts[:_NAMED])}{more}"


def _about_items(found: Ranking, item_count: int, item: str) -> Iterator[str]:
    ranked = [one for one in found.standings if one.mean is not None]
    if item_count == 1:
        yield f"there is one {item} only: nothing here says how the agents do on others"
    elif item_count < SMALL_N:
        yield f"there are {item_count} {item}s, fewer than {SMALL_N}: intervals and rank ranges stand on little"
    if any(one.items < item_count for one in ranked):
        counts = ", ".join(f"{one.agent!r} {one.items}" for one in ranked[:_NAMED])
        more = f" and {len(ranked) - _NAMED} more" if len(ranked) > _NAMED else ""
        shared = min((pair.difference.items for pair in found.pairs), default=None)
        pairs = "" if shared is None else f"; each pair is compared on the {item}s that both have ({shared} at least)"
        yield f"not every agent has a value on each of the {item_count} {item}s: {counts}{more}{pairs}"


def _about_stopping(agents: Mapping[str, Trials]) -> Iterator[str]:
    stopped = [repr(name) for name, one in sorted(agents.items()) if one.flags]
    if stopped:
        yield (f"the evaluation of {_listed(stopped)} could stop early: such intervals and comparisons hold at "
               "every look; there are no resampled ranges of ranks (rank_interval_marginal), which do not")  # fmt: skip


def _about_trials(agents: Mapping[str, Trials], threshold: float, words: Words) -> Iterator[str]:
    counts = {len(values) for one in agents.values() for values in one.values.values()}
    if len(counts) > 1:
        yield (f"{words.item}s have between {min(counts)} and {max(counts)} {words.trial}s; every {words.item} counts "
               "the same, and pass@k goes up to an agent's fewest unless --k asks for more")  # fmt: skip
    if any(value not in (0, 1, None) for one in agents.values() for values in one.values.values() for value in values):
        yield f"for pass@k and pass^k a {words.trial} passes when its value is at least {threshold:g}"


# --- preferences -----


def _candidate(one: Standing, found: Contest) -> LeaderboardAgent:
    strength, ends = found.strengths.get(one.agent), found.strength_intervals.get(one.agent)
    return LeaderboardAgent(
        **_shared(one, _letters(found.groups)),
        **dict.fromkeys(("pass_at_k", "pass_at_k_ci", "pass_pow_k", "pass_pow_k_ci", "pass_k_items")),
        elo=None if strength is None else round_shown(ELO * strength),
        elo_interval=None if ends is None else (round_shown(ELO * ends[0]), round_shown(ELO * ends[1])),
    )


def _about_contest(found: Contest, item_count: int) -> Iterator[str]:
    if found.why_no_strengths:
        yield from found.why_no_strengths
        yield "so there are no strengths: scores are shares of comparisons won, differences those of direct meetings"
    else:
        yield "a score is the chance to beat another candidate, averaged over the others (Bradley–Terry)"
    if item_count < SMALL_N:
        yield f"there are {item_count} items, fewer than {SMALL_N}: intervals and rank ranges stand on little"
    yield from _about_order(found.standings, found.pairs, "never met", found.why_no_strengths)


# --- both -----


def _shared(one: Standing, letters: Mapping[str, str], flags: Collection[str] = ()) -> dict[str, object]:
    interval = one.interval
    return {
        "agent_id": one.agent,
        "rank": one.rank,
        "rank_interval": one.rank_interval,
        "rank_interval_marginal": one.rank_interval_marginal,
        "group": letters.get(one.agent, ""),
        "overall_score": round_shown(one.mean),
        "confidence_interval": _shown(None if interval is None else (interval.low, interval.high)),
        "ci_method": None if interval is None else interval.method,
        "standard_deviation": round_shown(one.standard_deviation),
        "standard_error": round_shown(one.standard_error),
        "item_count": one.items,
        "run_count": one.scored,
        "n_missing": one.missing,
        "missing_bracket": _shown(one.missing_bracket),
        "flags": [*(interval.flags if interval else ()), *sorted(flags, reverse=True)],
    }


def _shown(ends: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if ends is None else (round_shown(ends[0]), round_shown(ends[1]))


def _comparisons(standings: Sequence[Standing], pairs: Iterable[Pair]) -> list[LeaderboardComparison]:
    place = {one.agent: at for at, one in enumerate(standings)}
    return [
        LeaderboardComparison(
            a=pair.a, b=pair.b, adjacent=place[pair.b] - place[pair.a] == 1, delta=round_shown(pair.difference.delta),
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
    names: Callable[[int], str] = (lambda at: ascii_lowercase[at]) if len(groups) <= 26 else (lambda at: f" {at + 1}")
    found: dict[str, str] = {}
    for at, group in enumerate(groups):
        for agent in group:
            found[agent] = found.get(agent, "") + names(at)
    return {agent: letters.strip() for agent, letters in found.items()}


def _about_order(
    standings: Sequence[Standing], pairs: Sequence[Pair], words: str, told_already: Sequence[str] = ()
) -> Iterator[str]:
    ranked = [one for one in standings if one.rank is not None]
    if len(ranked) == 1:
        yield "there is one agent only, so there is nothing to compare it with"
    apart = [pair for pair in pairs if pair.difference.items == 0]
    if apart and not told_already:
        named = "; ".join(f"{pair.a!r} and {pair.b!r}" for pair in apart[:_NAMED])
        more = f" and {len(apart) - _NAMED} more pairs" if len(apart) > _NAMED else ""
        yield f"{named}{more} {words}, so nothing can be said about their order"
    yield from _about_first(pairs)
    for upper, lower in pairwise(ranked):
        if (lower.rank or 0) < (upper.rank or 0):
            yield (f"{lower.agent!r} is listed below {upper.agent!r} and has the better rank: fewer agents are "
                   "significantly better than it")  # fmt: skip


def _about_first(pairs: Sequence[Pair]) -> Iterator[str]:
    """What it would take to tell the first two apart, where nobody can."""
    first = next(iter(pairs), None)
    if first is None or not first.uncertain:
        return
    more = more_items(first.difference, first.adjusted_p)
    if more is not None and more <= _FAR_OFF:
        yield (f"{first.a!r} and {first.b!r} cannot be told apart; about {more:,} more items would probably do it, "
               "if the difference seen is the true one")  # fmt: skip


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
