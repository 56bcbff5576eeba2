"""What an evaluation came to, as both the text and the HTML of it show."""

from collections.abc import Sequence
from dataclasses import dataclass

from gnomon.model.experiment import Summary


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """Failed runs that ended in an error of the same type."""

    type: str
    count: int
    example: str
    """The message of the first one."""

    @property
    def words(self) -> str:
        return f"{self.count:,} {'run' if self.count == 1 else 'runs'} failed with {self.type}"


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """An experiment's summary with what it leaves out."""

    summary: Summary
    errors: Sequence[ErrorGroup] = ()
    """The most frequent first."""
    notes: Sequence[str] = ()
    url: str | None = None
