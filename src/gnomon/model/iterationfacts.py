"""Who did an iteration, with what, and for how much: beside the score, and never part of it."""

from dataclasses import asdict, dataclass, field
from typing import Any

_SHOWN_DIGITS = 12


@dataclass(frozen=True, slots=True)
class RulesFile:
    """A file of rules for agents, such as CLAUDE.md, as it was: two with the same digest say the same."""

    path: str
    sha256: str

    @property
    def name(self) -> str:
        """Short, to compare by: `AGENTS.md@1f0c3a9d2b4e`."""
        return f"{self.path}@{self.sha256[:_SHOWN_DIGITS]}"


@dataclass(frozen=True, slots=True)
class ModelTokens:
    """What one model took. `cost_usd` is None where no price is known."""

    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_creation_tokens: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class PullRequest:
    number: int
    url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class IterationFacts:
    """What is known of an iteration besides its score. An empty text, None and an absent source all mean: not known.

    `rules_files` is None where nobody looked, and empty where there were none. `sources` says for each fact that is
    known where it came from.
    """

    agent: str = ""
    agent_version: str = ""
    model: str = ""
    models: tuple[ModelTokens, ...] = ()
    cost_usd: float | None = None
    why_no_cost: str = ""
    co_authors: tuple[str, ...] = ()
    branch: str = ""
    commits: tuple[str, ...] = ()
    pull_requests: tuple[PullRequest, ...] = ()
    rules_files: tuple[RulesFile, ...] | None = None
    skills: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)

    @property
    def tokens(self) -> int | None:
        """All tokens of all models; None where none were counted."""
        if not self.models:
            return None
        return sum(
            used.input_tokens + used.output_tokens + used.cache_read_tokens + used.cache_creation_tokens
            for used in self.models
        )

    def as_json(self) -> dict[str, Any]:
        shown = asdict(self)
        return {**shown, "tokens": self.tokens}


@dataclass(frozen=True, slots=True)
class TrendPeriod:
    """A day, week or month of a log. `mean` is over the `scored` ones, which are those that are no longer provisional;
    `undecided`: git does not say yet what became of them. `cost_usd` is the sum of those costs that are known."""

    start: str
    step: str
    iterations: int
    scored: int
    mean: float | None
    landed: int
    undecided: int
    tokens: int | None
    cost_usd: float | None
    cost_unknown: int
