"""Scores that files of other tools carry, as figures: means with intervals, pass^k, and a leaderboard."""

from collections import Counter

from gnomon.model.carriedscores import CarriedScore, CarriedScores
from gnomon.model.leaderboard import Leaderboard, LeaderboardOptions
from gnomon.service.analysis.leaderboard import PLAIN, LeaderboardNouns, of_scores
from gnomon.service.bench.foreignresults import ForeignResults

_NOUNS = LeaderboardNouns("task", "run")


def carried_scores(results: ForeignResults, options: LeaderboardOptions = PLAIN) -> CarriedScores:
    """Every score of these files, agent by agent."""
    names = results.numeric_scores()
    return CarriedScores(
        formats=results.formats(), file_count=results.files, item_count=len({run.item for run in results.runs}),
        run_count=len(results.runs),
        scores=[CarriedScore(scorer_name=name, agents=list(_board(results, name, options).agents)) for name in names],
        labels={name: _labels(results, name) for name in results.labels()},
        notes=[*results.notes, *results.unusable()],
    )  # fmt: skip


def _labels(results: ForeignResults, name: str) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for run in results.runs:
        value = run.scores.get(name)
        if isinstance(value, str):
            counts.setdefault(run.agent, Counter())[value] += 1
    return {agent: dict(labels.most_common()) for agent, labels in counts.items()}


def foreign_leaderboard(results: ForeignResults, scorer_name: str | None, options: LeaderboardOptions) -> Leaderboard:
    """Rank the agents of these files by a score that they carry."""
    name = results.ranking_score(scorer_name)
    return _board(results, name, options, list(results.notes_on(name)))


def _board(
    results: ForeignResults, name: str, options: LeaderboardOptions, notes: list[str] | None = None
) -> Leaderboard:
    return of_scores(results.trials(name), options, notes or [], _NOUNS, scorer_name=name)
