"""What one iteration's card shows, for a comment on a pull request."""

from collections.abc import Sequence
from dataclasses import dataclass

from gnomon.model.iterationfacts import IterationFacts
from gnomon.model.outcome import IntegrityObservation, OutcomeScore


@dataclass(frozen=True, slots=True)
class IterationCard:
    """An iteration with its score and facts. `iteration` is None if the commits are not in a log."""

    iteration: int | None
    title: str
    score: OutcomeScore
    integrity: Sequence[IntegrityObservation]
    facts: IterationFacts
    commits: Sequence[str]
