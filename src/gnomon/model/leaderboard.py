"""Leaderboards: agents over the same items (or compared pair by pair), with every number's interval.

One schema for all of them; a benchmark's adds what agents did on each scenario, what it cost, and which runs were
left out. A number that cannot be known is null, and `notes` or a `reason` says why.
"""

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from gnomon.model.aggregate import Interval, IntervalMethod, MissingPolicy
from gnomon.model.bench import AgentMetric, FamilyMetrics, JudgeOutput, MeanOverRuns, RunScore, ScenarioScore
from gnomon.model.experiment import Verdict
from gnomon.model.fields import Draft, FiniteNoun, Noun

Source = Literal["scores", "preferences", "bench"]


class LeaderboardOptions(Draft):
    """How to make one."""

    missing: MissingPolicy = "drop"
    k: Annotated[int, Field(ge=1)] | None = None
    pass_threshold: Annotated[float, Field(ge=0, le=1)] = 1.0
    min_effect: Annotated[float, Field(ge=0, le=1)] | None = None
    interval: IntervalMethod | None = None


class RunCost(FiniteNoun):
    """Cost, tokens and time of runs. Runs of unknown cost are left out, not counted as free."""

    run_count: int
    known_runs: int = Field(description="Runs whose cost is known; the amounts are of these")
    currency: Literal["USD"] = "USD"
    total: float | None
    per_run: float | None
    per_run_ci_95: Interval | None
    per_success: float | None = Field(description="Total by successes, over the runs whose cost is known")
    tokens_per_run: float | None = Field(description="In and out, over the runs that say both")
    seconds_per_run: float | None = Field(description="Waiting for the agent, over the runs that say it")
    reason: str | None = Field(default=None, description="Why an amount or its interval is missing")


class AgentExperiment(Noun):
    """An experiment that an agent's trials come from."""

    id: str
    name: str
    run_count: int


class ActionShare(MeanOverRuns):
    """How often an agent does something at least once in a run. Every scenario counts the same."""

    count: int = Field(description="Runs in which it does")


class LeaderboardAgent(Noun):
    """One agent: its score, its rank, and how far off both may be."""

    agent_id: str
    rank: int | None = Field(description="1 + how many agents are significantly better; null without a score")
    rank_interval: tuple[int, int] | None = Field(
        description="Ranks that are possible, for all agents at once (95 %): it ends where others differ significantly"
    )
    rank_interval_marginal: tuple[int, int] | None = Field(
        default=None, description="For this agent alone: 2.5 to 97.5 % of its ranks over resampled items"
    )
    group: str = Field(description="Letters: agents that share one cannot be told apart, those that share none are")
    overall_score: float | None = Field(
        description="Mean of the items' means; with preferences, the chance to beat the others"
    )
    confidence_interval: Interval | None = Field(description="95 %")
    ci_method: str | None
    standard_deviation: float | None = Field(description="Of the items' means; null for a single item")
    standard_error: float | None
    item_count: int
    run_count: int = Field(description="Trials with a value; with preferences, comparisons")
    n_missing: int = Field(description="Trials without a value")
    missing_bracket: Interval | None = Field(description="The score if every missing value were 0, and if it were 1")
    reasons: dict[str, int] = Field(default_factory=dict, description="Why trials have no value → how many")
    flags: list[str] = Field(description="What a reader should know before trusting the interval")
    pass_at_k: dict[str, float] | None = Field(
        description="By k, up to the k that was asked for, else to the fewest trials that an item has"
    )
    pass_at_k_ci: dict[str, Interval] | None
    pass_pow_k: dict[str, float] | None = Field(
        description="By k, up to the k that was asked for, else to the fewest trials that an item has"
    )
    pass_pow_k_ci: dict[str, Interval] | None
    pass_k_items: dict[str, int] | None = Field(
        default=None, description="k → the items with that many trials, where not all of them have"
    )
    elo: float | None = Field(default=None, description="Bradley–Terry strength around 0, in Elo points")
    elo_interval: Interval | None = None
    experiments: list[AgentExperiment] = Field(
        default_factory=list, description="That its trials come from, the oldest first; empty for files"
    )
    metrics: dict[str, AgentMetric] = Field(
        default_factory=dict, description="Of a benchmark: by metric; one that no run has a value for is not there"
    )
    actions: dict[str, ActionShare] = Field(
        default_factory=dict, description="Of a benchmark: what it did in its runs, the most frequent first"
    )
    cost: RunCost | None = Field(default=None, description="Of its runs; null where nothing is known of it")

    def passes(self) -> "dict[int, Passes]":
        """Both curves by k; empty where there are none."""
        some, every = self.pass_at_k or {}, self.pass_pow_k or {}
        some_ends, every_ends = self.pass_at_k_ci or {}, self.pass_pow_k_ci or {}
        return {int(k): Passes(some[k], some_ends[k], every[k], every_ends[k]) for k in sorted(some, key=int)}


class Passes(NamedTuple):
    """What k trials are worth: at least one passes, all pass."""

    some: float
    some_ends: Interval
    every: float
    every_ends: Interval


class LeaderboardComparison(Noun):
    """Two agents, `a` listed above `b`, over the items that both have. `improved`: a is better than b."""

    a: str
    b: str
    adjacent: bool = Field(description="They are neighbours in the list")
    delta: float | None = Field(description="a − b; with preferences, the chance that a wins less that b does")
    delta_ci_95: Interval | None
    p_value: float | None
    p_value_adjusted: float | None = Field(description="Holm, over all pairs")
    verdict: Verdict
    uncertain: bool = Field(description="Their order is not settled")
    common_items: int
    reason: str | None = Field(default=None, description="Why there is no difference or no interval")


class LeaderboardWords(Noun):
    """The findings in sentences, as the page, the exported file and the terminal have them."""

    headline: str = Field(description="Who is ahead, and how surely")
    scores: str = Field(description="Of the scores and ranks")
    passes: str | None = Field(description="Of pass@k and pass^k; null with one trial per item")
    pairs: str | None = Field(description="Of the pairs; null with fewer than two agents that have a score")
    actions: str | None = Field(description="Of what agents did; null where that is not known")
    cost: str | None = Field(description="Of score against cost; null where no cost is known")


class Leaderboard(Noun):
    schema_version: Literal[1] = 1
    source: Source
    dataset_id: str | None = None
    dataset_name: str | None = None
    scorer_name: str | None = None
    missing_policy: MissingPolicy
    pass_threshold: float | None = Field(description="A trial passes when its value is at least this")
    min_effect: float | None = Field(description="The smallest difference that matters, when one was stated")
    resamples: int
    item_count: int
    agents: Sequence[LeaderboardAgent] = Field(description="By score")
    comparisons: list[LeaderboardComparison] = Field(description="Every pair of agents that have a score")
    groups: list[list[str]] = Field(
        description="Groups of agents of which no two can be told apart; any two who cannot share a group"
    )
    notes: list[str]
    families: list[FamilyMetrics] = Field(
        default_factory=list,
        description="Of a benchmark, what each family measures: names, kinds and columns of metrics",
    )
    cost_front: list[str] = Field(
        default_factory=list, description="Agents that no other is both as cheap as and better than, the cheapest first"
    )
    words: LeaderboardWords | None = Field(default=None, description="The findings in sentences")


# --- of a benchmark -----


class LeaderboardRun(RunScore):
    """One run as it was scored. Its evidence is left to its own score.json."""

    run_number: int
    path: str = Field(description="Where it lies, from where the search began")
    cost_usd: float | None
    judge: JudgeOutput | None = None


class LeaderboardScenario(ScenarioScore):
    """One agent's runs of one scenario. Runs vary and the scenario is fixed: it says nothing about other scenarios."""

    content_hash: str = Field(description="Of the scenario; empty where the runs do not say")
    tags: dict[str, str] = Field(description="What the package says of itself; empty where it was not found")
    judge: dict[str, MeanOverRuns] = Field(description="Dimension → mean from 0 to 10; empty without a judge")
    cost: RunCost
    runs: Sequence[LeaderboardRun]


class BenchAgent(LeaderboardAgent):
    """An agent over scenarios. Every scenario counts the same, whatever its number of runs."""

    models: list[str] = Field(description="What its runs were configured with")
    judge: dict[str, MeanOverRuns] = Field(description="Dimension → mean from 0 to 10; empty without a judge")
    cost: RunCost
    scenarios: list[LeaderboardScenario]


class LeaderboardExclusion(Noun):
    """A run that was left out of the scores, and why."""

    agent_id: str
    scenario_id: str
    run_number: int
    run_id: str
    path: str
    reason: str


class BenchLeaderboard(Leaderboard):
    """Agents over the scenarios of one family of benchmarks, or of several."""

    schema_version: Literal[2] = 2  # type: ignore[assignment]  # leaderboards of scores are at 1
    generated_at: str | None = Field(default=None, description="Null where the same bytes matter more")
    scorer_versions: dict[str, list[int]] = Field(description="Family → versions of the rules that runs were scored by")
    rubric_hashes: list[str] = Field(description="Of the judges' rubrics, if there were any")
    metric_definitions: dict[str, str] = Field(description="What the figures of every benchmark mean")
    agents: Sequence[BenchAgent]
    excluded_runs: list[LeaderboardExclusion]


def group_name(at: int, groups: int) -> str:
    """The name of a group by its place among all: a letter, or a number where letters do not suffice."""
    return ascii_lowercase[at] if groups <= len(ascii_lowercase) else str(at + 1)
