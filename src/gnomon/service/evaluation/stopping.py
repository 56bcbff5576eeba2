"""When an evaluation may end before all of its items were run: when a gate, or a comparison, is decided.

`Decided` is what a caller asks for. `looks_for` makes `Looks` of it, once scorers and items are known: items are run in
the order of `Looks.order`, `look` is asked after every block, and `draft` is stored with the experiment. The decisions
themselves are those of `stats/stopping.py`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from gnomon.errors import InvalidInput
from gnomon.model.backend import Backend, find_experiment
from gnomon.model.experiment import Experiment
from gnomon.model.gates import BarGate, NotWorseGate, ParsedGate, parse_gate
from gnomon.model.stopping import StoppingDraft
from gnomon.shorten import counted
from gnomon.stats.stopping import DifferenceOutcome, GateOutcome, StoppingDecision, decide_difference, decide_gate

StoppingLook = StoppingDecision[GateOutcome] | StoppingDecision[DifferenceOutcome]


@dataclass(frozen=True, slots=True)
class Decided:
    """The question that ends an evaluation once it is answered: a gate, or a comparison with another experiment.

    >>> Decided(gate="exact_match >= 0.8", max_items=500).max_items
    500
    """

    gate: str | None = None
    against: str | None = None
    scorer: str | None = None
    margin: float = 0.0
    max_items: int | None = None

    def __post_init__(self) -> None:
        if (self.gate is None) == (self.against is None):
            words = "name what is to be decided: either a gate, as in 'exact_match >= 0.8', or against, an experiment"
            raise InvalidInput.of("gate", words)
        if self.max_items is not None and self.max_items < 1:
            raise InvalidInput.of("max_items", f"max_items is {self.max_items}; run at least one item")
        if not 0 <= self.margin < 1:
            raise InvalidInput.of("margin", f"margin is {self.margin}; give a difference of means from 0 to below 1")
        if self.gate is not None:
            if self.scorer is not None or self.margin:
                raise InvalidInput.of("scorer", f"gate {self.gate!r} says its scorer and its margin; leave them out")
            _refuse_open(parse_gate(self.gate))

    def question(self, scorers: Collection[str]) -> ParsedGate:
        """What is to be decided, among these scorers."""
        if self.gate is not None:
            gate = parse_gate(self.gate, scorers)
            _refuse_open(gate)
            return gate
        assert self.against is not None  # the one or the other, as was checked when this was made
        return NotWorseGate(self._one_of(scorers), self.against, self.margin or None)

    def _one_of(self, scorers: Collection[str]) -> str:
        name = self.scorer if self.scorer is not None else next(iter(scorers)) if len(scorers) == 1 else None
        if name is None or name not in scorers:
            problem = "there are several scorers" if name is None else f"there is no scorer {name!r}"
            raise InvalidInput.of("scorer", f"{problem}; name one of {', '.join(sorted(scorers)) or 'none'}")
        return name


def _refuse_open(gate: ParsedGate) -> None:
    if isinstance(gate, BarGate) and gate.metric != "mean":
        mean = BarGate(gate.scorer_name, gate.comparison, gate.threshold)
        words = f"{gate.metric_words} cannot be decided while scores come in; stop by the mean, as in '{mean}'"
        raise InvalidInput.of("gate", f"gate '{gate}': {words}, and check this one afterwards")


def looks_for(
    decided: Decided,
    backend: Backend,
    *,
    scorers: Collection[str],
    item_ids: Sequence[str],
    project_id: str,
    experiment_id: str | None = None,
    trials: int = 1,
) -> "Looks":
    """What to look at, for an evaluation with these scorers over these items.

    `experiment_id` is the evaluation's own: compared with its own name it is held against the newest other one.
    """
    gate = decided.question(scorers)
    if isinstance(gate, BarGate):
        return Looks(gate, item_ids, max_items=decided.max_items, trials=trials)
    against = find_experiment(backend, gate.experiment, project_id, other_than=experiment_id)
    baseline = item_means(backend, against, gate.scorer_name)
    return Looks(gate, item_ids, max_items=decided.max_items, trials=trials, baseline=baseline, against_id=against.id)


def item_means(backend: Backend, experiment: Experiment, scorer_name: str) -> dict[str, float]:
    """Item → the mean of its trials by this scorer."""
    # Compared with itself: one request, where runs would come page by page with everything that they put out.
    compared = backend.compare(experiment.id, experiment.id)
    means = ((row["dataset_item_id"], row["base_score"]) for row in compared.per_item_results
             if row["scorer_name"] == scorer_name)  # fmt: skip
    return {item: mean for item, mean in means if isinstance(mean, float)}


def in_run_order(item_ids: Iterable[str]) -> list[str]:
    """The items in an order that has nothing to do with what they are, and is the same for every evaluation.

    So two evaluations that both stop early share as many items as they can, and their comparison holds at every look.
    """
    return sorted(item_ids, key=lambda item: sha256(f"run order {item}".encode()).digest())


class Looks:
    """The looks at one evaluation. Each is cut with those before."""

    def __init__(
        self,
        gate: ParsedGate,
        item_ids: Iterable[str],
        *,
        max_items: int | None = None,
        trials: int = 1,
        baseline: Mapping[str, float] | None = None,
        against_id: str | None = None,
    ) -> None:
        _refuse_open(gate)
        self.gate, self.trials = gate, trials
        self._baseline, self._against_id = baseline or {}, against_id
        known = set(item_ids)
        if isinstance(gate, NotWorseGate):
            known &= self._baseline.keys()
            if not known:
                words = f"no item has a number of {gate.scorer_name!r} in {gate.experiment!r}; name another experiment"
                raise InvalidInput.of("against", words)
        self.order: list[str] = in_run_order(known)[:max_items]
        """The items to run, in this order: of a comparison, those that the other experiment has."""
        self.last: StoppingLook | None = None
        self._finished = 0

    def look(self, means: Mapping[str, float], *, finished: int | None = None) -> StoppingLook:
        """How it stands, by each item's mean of trials. `finished` counts items without a number too."""
        ordered = [(item, means[item]) for item in self.order if item in means]
        self._finished = len(ordered) if finished is None else finished
        remaining = max(0, len(self.order) - self._finished)
        before = None if self.last is None else self.last.interval
        gate = self.gate
        if isinstance(gate, BarGate):
            values = [mean for _, mean in ordered]
            self.last = decide_gate(values, gate.comparison, gate.threshold, remaining=remaining, before=before)
        else:
            values = [mean - self._baseline[item] for item, mean in ordered]
            self.last = decide_difference(values, margin=gate.margin or 0.0, remaining=remaining, before=before)
        return self.last

    @property
    def saved_runs(self) -> int:
        """Runs that need not be made."""
        return (len(self.order) - self._finished) * self.trials

    def draft(self) -> StoppingDraft:
        """The stopping rule as the experiment stores it, even if it never stopped: its intervals allow for that."""
        last = self.last
        ends = None if last is None or last.mean is None else (last.interval.low, last.interval.high)
        return StoppingDraft(
            scorer_name=self.gate.scorer_name,
            kind="gate" if isinstance(self.gate, BarGate) else "difference",
            text=str(self.gate),
            outcome="undecided" if last is None else last.outcome,
            items=min(self._finished, len(self.order)),
            max_items=len(self.order),
            against=self._against_id,
            mean=None if last is None else last.mean,
            confidence_interval_95=ends,
            ci_method=None if ends is None or last is None else last.interval.method,
        )

    def __str__(self) -> str:
        """Where it stands, in a line."""
        last, total = self.last, len(self.order)
        if last is None or last.mean is None:
            return f"{self.gate}: no score yet, {counted(total, 'item')} to run"
        sign, quantity = ("", "mean") if isinstance(self.gate, BarGate) else ("+", "difference")
        ends = f"{last.interval.low:{sign}z.3f} to {last.interval.high:{sign}z.3f}"
        seen = f"{quantity} {last.mean:{sign}z.3f}, 95 % interval {ends}, right at every look"
        saved = f"; {counted(self.saved_runs, 'run')} saved" if last.should_stop and self.saved_runs else ""
        after = f"{self._finished:,} of {counted(total, 'item')}"
        return f"{self.gate}: {_OUTCOMES[last.outcome]} after {after} ({seen}){saved}"


_OUTCOMES: dict[GateOutcome | DifferenceOutcome, str] = {
    "passed": "passed",
    "failed": "failed",
    "better": "better",
    "worse": "worse",
    "not_worse": "not worse",
    "undecided": "open",
    "cannot_be_decided": "cannot be decided by the items that are left,",
}
