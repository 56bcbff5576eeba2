"""Is a gate or a comparison decided by the scores so far? It may be asked after every block of runs.

Items are run in random order and each has one number, the mean of its trials. `decide_gate` holds their mean against a
threshold, `decide_difference` the mean difference from a baseline against 0 or a margin. Both go by the betting mixture
(sequence.py), whose interval is wrong at any of all looks with a chance of at most 5 %: the evaluation may end at the
first decision, and the interval it ends with is right under that rule.

`cannot_be_decided` is exact, no forecast. The evidence against a mean is linear in every single score, so the items
still to come can drive it highest by all scoring 1 or all scoring 0; and on the way there it is convex, so if the last
item of such a row cannot decide, none before it can.

What is assumed: the items are a random sample in random order. Several gates of one evaluation have 5 % each.
"""

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from gnomon.errors import InvalidInput
from gnomon.stats.ends import Interval
from gnomon.stats.sequence import REJECTED, CountedScores, betting_mixture

Relation = Literal["gte", "gt", "lte", "lt"]
Open = Literal["undecided", "cannot_be_decided"]
GateOutcome = Literal["passed", "failed"] | Open
DifferenceOutcome = Literal["better", "worse", "not_worse"] | Open
"""`not_worse` needs a margin: worse by less than the margin, if at all."""
DecidedOutcome = TypeVar("DecidedOutcome", GateOutcome, DifferenceOutcome)

_HOLDS: dict[Relation, Callable[[float, float], bool]] = {
    "gte": operator.ge,
    "gt": operator.gt,
    "lte": operator.le,
    "lt": operator.lt,
}


@dataclass(frozen=True, slots=True)
class StoppingDecision(Generic[DecidedOutcome]):
    """What one look says. Give its interval to the next look, which is then cut with it."""

    outcome: DecidedOutcome
    items: int
    mean: float | None
    """None before the first score."""
    interval: Interval

    @property
    def should_stop(self) -> bool:
        """Whether there is no reason to run further items."""
        return self.outcome != "undecided"


def decide_gate(
    scores: Sequence[float], relation: Relation, threshold: float, *, remaining: int, before: Interval | None = None
) -> StoppingDecision[GateOutcome]:
    """Does the mean stand in this relation to the threshold? `remaining` is how many items may still be run.

    >>> decide_gate([1.0] * 20, "gte", 0.8, remaining=80).outcome
    'undecided'
    >>> decide_gate([1.0] * 30, "gte", 0.8, remaining=70).outcome
    'passed'
    """
    if not 0 <= threshold <= 1:
        raise InvalidInput.of("threshold", f"threshold is {threshold}; a mean of scores lies between 0 and 1")
    _check_remaining(remaining)
    interval = _look(scores, before)
    sides = {_HOLDS[relation](end, threshold) for end in (interval.low, interval.high)}
    outcome: GateOutcome = _open(scores, threshold, remaining)
    if len(sides) == 1:
        outcome = "passed" if sides.pop() else "failed"
    return StoppingDecision(outcome, len(scores), _mean(scores), interval)


def decide_difference(
    differences: Sequence[float], *, remaining: int, margin: float = 0.0, before: Interval | None = None
) -> StoppingDecision[DifferenceOutcome]:
    """Is it better than the baseline, or worse by more than the margin?

    A difference is an item's mean minus its mean in the baseline. Without a margin, better or worse than 0 decides.

    >>> decide_difference([1, 0, 0, 1, 0] * 5, remaining=75).outcome
    'better'
    """
    if not 0 <= margin < 1:
        raise InvalidInput.of("margin", f"margin is {margin}; give a difference of means from 0 to below 1")
    for difference in differences:
        if not -1 <= difference <= 1:
            message = f"difference {difference} is outside [-1, 1], where those of scores in [0, 1] are"
            raise InvalidInput.of("differences", message)
    _check_remaining(remaining)
    shares = [(1 + difference) / 2 for difference in differences]
    as_shares = None if before is None else replace(before, low=(1 + before.low) / 2, high=(1 + before.high) / 2)
    share = _look(shares, as_shares)
    interval = replace(share, low=2 * share.low - 1, high=2 * share.high - 1)
    outcome: DifferenceOutcome = _open(shares, (1 - margin) / 2, remaining)
    if interval.low > -margin:
        outcome = "better" if interval.low > 0 else "not_worse"
    elif interval.high < -margin:
        outcome = "worse"
    return StoppingDecision(outcome, len(differences), _mean(differences), interval)


def _look(values: Sequence[float], before: Interval | None) -> Interval:
    """Cut with the look before, unless that leaves out the mean: then the mean moved on the way, and it is flagged."""
    look = betting_mixture(values) if values else Interval(0.0, 1.0, "betting_mixture")
    if before is None:
        return look
    low, high = max(look.low, before.low), min(look.high, before.high)
    mean = _mean(values)
    if mean is not None and not low <= mean <= high:
        return replace(look, flags=("drifting",))
    return replace(look, low=low, high=high, flags=before.flags)


def _open(values: Sequence[float], mean: float, remaining: int) -> Open:
    """The outcome while nothing is decided: can the items still to come decide at all?"""
    if not remaining:
        return "cannot_be_decided"
    scores = CountedScores(values)
    strongest = max(scores.log_evidence(mean, ones=remaining), scores.log_evidence(mean, zeros=remaining))
    return "undecided" if strongest >= math.log(REJECTED) else "cannot_be_decided"


def _mean(values: Sequence[float]) -> float | None:
    return min(max(math.fsum(values) / len(values), min(values)), max(values)) if values else None


def _check_remaining(remaining: int) -> None:
    if remaining < 0:
        raise InvalidInput.of("remaining", f"remaining is {remaining}; give how many items may still be run, 0 or more")
