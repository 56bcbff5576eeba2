"""Scores that files of other tools carry: per agent and score, how many runs have one, the mean and pass^k."""

from pydantic import Field

from gnomon.model.fields import Noun
from gnomon.model.leaderboard import LeaderboardAgent


class CarriedScore(Noun):
    """One score over all runs of each agent."""

    scorer_name: str
    agents: list[LeaderboardAgent] = Field(description="As in a leaderboard: mean with interval, pass@k and pass^k")


class CarriedScores(Noun):
    """Scores that files of other tools contain."""

    formats: list[str]
    file_count: int
    item_count: int
    run_count: int
    scores: list[CarriedScore] = Field(description="The one that ranks first; empty where no score is a number")
    labels: dict[str, dict[str, dict[str, int]]] = Field(description="Label score → agent → label → runs")
    notes: list[str]
