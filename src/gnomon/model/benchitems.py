"""Whether a benchmark is any good: what each of its items tells, and how many of them are needed."""

from pydantic import Field

from gnomon.model.aggregate import Interval
from gnomon.model.fields import Noun


class BenchmarkItem(Noun):
    """One item over all agents."""

    item: str
    agents: int = Field(description="Agents that tried it")
    trials: int
    solved: int = Field(description="Trials that reached the pass threshold")
    solved_share: float = Field(description="Mean over the agents of their share of solved trials")
    solved_share_ci: Interval
    never_solved: bool
    always_solved: bool
    discrimination: float | None = Field(
        description="How steeply the chance to solve it rises with ability: 0 tells nothing, 1 is usual, below 0 weak "
        "agents do better on it. None with fewer than five agents"
    )
    discrimination_ci: Interval | None
    difficulty: float | None = Field(
        description="The ability at which half of the agents solve it, in standard deviations from the mean agent; "
        "None where the item may not discriminate at all"
    )
    difficulty_ci: Interval | None
    ranks_against: bool = Field(
        description="Weak agents solve it and strong ones miss it, with a probability of at least 95 %: it may be "
        "mislabelled"
    )
    information_share: float | None = Field(description="Its share in what all items tell of the agents' abilities")


class SubsetSize(Noun):
    """How well this many items keep the order of agents that had no part in choosing them."""

    size: int
    rank_correlation: float = Field(description="Spearman's, of predicted and whole scores")
    rank_correlation_ci: Interval = Field(description="Over resampled agents")
    at_random: float = Field(description="The same for as many items drawn at random, mean over draws")


class BenchmarkItems(Noun):
    agent_count: int
    item_count: int
    pass_threshold: float
    never_solved_count: int
    always_solved_count: int
    ranks_against_count: int
    effective_item_count: float | None = Field(
        description="How many items carry the ranking: as many equally informative ones would tell as much"
    )
    best_agent: str
    best_score: float
    best_score_ci: Interval
    saturated: bool = Field(description="Whether the best agent solves 0.95 or more: little room is left")
    subset_sizes: list[SubsetSize] = Field(
        description="Empty with fewer than ten agents, and where no item tells them apart"
    )
    smallest_subset: list[str] | None = Field(
        description="The fewest items tried that keep a rank correlation of 0.95 or more on held-out agents"
    )
    items: list[BenchmarkItem] = Field(description="The most informative first")
    notes: list[str]
