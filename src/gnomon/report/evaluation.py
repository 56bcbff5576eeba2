"""What an evaluation came to, as both the text and the HTML of it show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from gnomon.model.comparison import ComparedItem
from gnomon.model.experiment import Experiment, ExperimentComparison, Summary
from gnomon.model.gates import GateResult
from gnomon.shorten import counted


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Failed runs that ended in an error of the same type."""

    type: str
    count: int
    example: str
    """The message of the first one."""

    @property
    def words(self) -> str:
        return f"{counted(self.count, 'run')} failed with {self.type}"


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """An experiment's summary with what it leaves out."""

    summary: Summary
    errors: Sequence[ErrorGroup] = ()
    """The most frequent first."""
    notes: Sequence[str] = ()
    url: str | None = None


@dataclass(frozen=True, slots=True)
class WorseItem:
    """An item whose score fell, with both outputs."""

    scorer_name: str
    item: ComparedItem


@dataclass(frozen=True, slots=True)
class SharedLink:
    """A read-only address of a report's page, which needs no key."""

    url: str
    expires_at: datetime

    @property
    def words(self) -> str:
        """How long the link works, in words."""
        return f"read only, until {self.expires_at:%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class EvalReport:
    """What `gnomon eval`, `compare` and `gate` say of an experiment: figures, what changed since a base, gates."""

    name: str
    evaluation: EvaluationReport | None = None
    experiment: Experiment | None = None
    gates: Sequence[GateResult] = ()
    base: Experiment | None = None
    comparison: ExperimentComparison | None = None
    worse: Sequence[WorseItem] = ()
    """The items that lost most, worst first."""
    no_base: str | None = None
    """Why there is nothing to compare with, where that was asked for."""
    problem: str | None = None
    """Why it could not be run, or decided."""
    link: SharedLink | None = None
    """Where it can be looked at, where that was asked for."""

    @property
    def worse_count(self) -> int:
        """How many items got worse, over all scorers: more than are listed, perhaps."""
        scorers = self.comparison.scorer_comparisons if self.comparison is not None else []
        return max(sum(scorer.regressed_count for scorer in scorers), len(self.worse))
