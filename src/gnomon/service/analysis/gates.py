"""Are an experiment's gates passed? Asked of any backend, in the words of `model/gates.py`.

A gate on a mean is decided by its interval (`threshold`), one on a difference by the paired one (`compare`). Where
everything failed it cannot be decided. Several gates have one exit code: cannot (3) beats failed (1) beats undecided
(4) beats passed (0).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gnomon.errors import Conflict, InvalidInput, NotFound, Refused
from gnomon.model.backend import Backend, find_experiment
from gnomon.model.experiment import (
    Bound,
    Experiment,
    ExperimentComparison,
    Metric,
    ScorerComparison,
    ScorerSummary,
    Summary,
    ThresholdDraft,
)
from gnomon.model.gates import (
    BarGate,
    BetterGate,
    DifferenceGate,
    GateDecision,
    GateResult,
    ParsedGate,
    parse_gate,
)
from gnomon.model.reasons import counted_reasons
from gnomon.report.gate import Gate
from gnomon.report.text import experiments as text
from gnomon.shorten import all_of

EXIT_CODES: dict[GateDecision, int] = {"cannot": 3, "fail": 1, "undecided": 4, "pass": 0}
"""By what they are worth together: the first that is there counts."""

FindBase = Callable[[str], Experiment]
"""The experiment that a gate compares with, by what the gate calls it. `NotFound` leaves the gate undecided."""
Compare = Callable[[Experiment], ExperimentComparison]
"""The comparison of a base with the experiment whose gates are checked."""


@dataclass(frozen=True, slots=True)
class GateResults:
    """What came of an experiment's gates: true only when all passed, printed a line per gate."""

    results: tuple[GateResult, ...]

    def __getitem__(self, at: int) -> GateResult:
        return self.results[at]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[GateResult]:
        return iter(self.results)

    def __bool__(self) -> bool:
        return self.exit_code == 0

    def __str__(self) -> str:
        return "\n".join(map(text.gate, self.results))

    @property
    def exit_code(self) -> int:
        """3 when one cannot be decided at all, else 1 when one failed, else 4 when one is undecided, else 0."""
        decisions = {result.decision for result in self.results}
        return next(code for decision, code in EXIT_CODES.items() if decision in decisions)

    def assert_passed(self) -> None:
        """Raise an AssertionError that says what did not pass."""
        missed = [text.gate(result) for result in self.results if result.decision != "pass"]
        if missed:
            raise AssertionError("\n".join(missed))


def check(
    backend: Backend, experiment: str | Experiment, gate: str | ParsedGate, *, project_id: str | None = None
) -> GateResult:
    """One gate of one experiment, which is named or given."""
    return check_all(backend, experiment, [gate], project_id=project_id)[0]


def check_all(
    backend: Backend,
    experiment: str | Experiment,
    gates: Sequence[str | ParsedGate | BetterGate],
    *,
    project_id: str | None = None,
    at: str | None = None,
    find_base: FindBase | None = None,
    compare: Compare | None = None,
) -> GateResults:
    """Every gate of one experiment. All are read before the first is checked, so that a misspelt one costs nothing.

    `find_base` says which experiment a `not worse than NAME` means; by default the newest other one of that name.
    `compare` compares the two, where not in the default way.
    """
    if not gates:
        raise InvalidInput.of("gate", "there is no gate to check; give one, as in 'exact_match >= 0.8'")
    if isinstance(experiment, str):
        experiment = find_experiment(backend, experiment, project_id, at=at)
    summary = backend.summary(experiment.id)
    known = None if _nothing_ran(summary) else summary.scores_by_scorer or None
    parsed = [parse_gate(gate, known) if isinstance(gate, str) else gate for gate in gates]
    find, compared = find_base or newest_other(backend, experiment), compare or compared_once(backend, experiment)
    return GateResults(tuple(_Check(backend, experiment, summary, gate, find, compared).result() for gate in parsed))


def compared_once(backend: Backend, experiment: Experiment, **reading: Any) -> Compare:
    """Compare with a base once, however many gates need it. `reading` is the argument of `Backend.compare`."""
    known: dict[str, ExperimentComparison] = {}

    def compare(base: Experiment) -> ExperimentComparison:
        if base.id not in known:
            known[base.id] = backend.compare(base.id, experiment.id, items="none", **reading)
        return known[base.id]

    return compare


def newest_other(backend: Backend, experiment: Experiment) -> FindBase:
    """Finds the newest experiment of a name that is not this one."""

    def find(name: str) -> Experiment:
        try:
            return find_experiment(backend, name, experiment.project_id, other_than=experiment.id)
        except NotFound as missing:
            raise NotFound(f"{missing.message} (evaluate it first, or name another one)") from None

    return find


def why_nothing(summary: Summary, scorer_name: str) -> str | None:
    """Why nothing can be decided of this scorer, where everything failed."""
    return _nothing_ran(summary) or _nothing_scored(summary.scores_by_scorer.get(scorer_name))


def _nothing_ran(summary: Summary) -> str | None:
    """Why there is nothing to decide on, for any scorer."""
    if not summary.run_count:
        return "the experiment has no runs"
    return f"{all_of(summary.run_count, 'run')} failed" if summary.failed_run_count == summary.run_count else None


def _nothing_scored(scorer: ScorerSummary | None) -> str | None:
    """Why there is nothing to decide on, for this scorer."""
    if scorer is None or not scorer.n_total or scorer.n_failed < scorer.n_total:
        return None
    words = f"{all_of(scorer.n_total, 'score')} failed"
    return f"{words}: {counted_reasons(scorer.reasons)}" if scorer.reasons else words


@dataclass(frozen=True, slots=True)
class _Check:
    """One gate against one experiment."""

    backend: Backend
    experiment: Experiment
    summary: Summary
    gate: ParsedGate | BetterGate
    find_base: FindBase
    compare: Compare

    def result(self) -> GateResult:
        nothing = why_nothing(self.summary, self.gate.scorer_name)
        if nothing is not None:
            return self._decided("cannot", nothing)
        return self._bar(self.gate) if isinstance(self.gate, BarGate) else self._difference(self.gate)

    def _decided(self, decision: GateDecision, words: str, **seen: Any) -> GateResult:
        gate = self.gate
        fields: dict[str, Any]
        if isinstance(gate, BarGate):
            fields = {"metric": gate.metric, "k": gate.k, "comparison": gate.comparison, "threshold": gate.threshold}
        elif isinstance(gate, BetterGate):
            fields = {"metric": "difference", "comparison": "gt", "threshold": 0.0, "against": gate.experiment}
        else:
            threshold = None if gate.margin is None else -gate.margin
            fields = {"metric": "difference", "margin": gate.margin, "threshold": threshold, "against": gate.experiment}
        return GateResult(
            text=str(gate), decision=decision, words=words, experiment_id=self.experiment.id,
            experiment=self.experiment.name, scorer_name=gate.scorer_name, **{**fields, **seen},
        )  # fmt: skip

    def _bar(self, gate: BarGate) -> GateResult:
        metric: Metric = "mean" if gate.metric == "point" else gate.metric
        bound: Bound = "ci" if gate.metric in ("mean", "pass_at_k", "pass_pow_k") else "point"
        draft = ThresholdDraft(
            scorer_name=gate.scorer_name, metric=metric, threshold=gate.threshold, comparison=gate.comparison, k=gate.k,
            bound=bound,
        )  # fmt: skip
        try:
            result = self.backend.threshold(self.experiment.id, draft)
        except Refused as refusal:
            return self._decided("cannot", refusal.message)
        return self._decided(
            result.decision, Gate.of(self.experiment.name, result, result.reason).words, value=result.actual_value,
            confidence_interval_95=result.confidence_interval_95, ci_method=result.ci_method, n=result.n,
            flags=result.flags,
        )  # fmt: skip

    def _difference(self, gate: DifferenceGate) -> GateResult:
        try:
            against = self.find_base(gate.experiment)
            compared = self.compare(against)
        except NotFound as missing:
            return self._decided("undecided", missing.message)
        except (Conflict, Refused) as refusal:
            return self._decided("cannot", refusal.message)
        scorers = {row.scorer_name: row for row in compared.scorer_comparisons}
        comparison = scorers.get(gate.scorer_name)
        about = {"against_id": against.id, "against": against.name}
        if comparison is None or comparison.delta_ci_95 is None:
            base = self.backend.summary(against.id)
            nothing = why_nothing(base, gate.scorer_name)
            if nothing is not None and base.run_count:
                return self._decided("cannot", f"of {against.name}: {nothing}", **about)
            return self._decided("undecided", f"no item has a number of {gate.scorer_name!r} in both", **about)
        if isinstance(gate, BetterGate):
            decision, words = _by_improvement(comparison)
        else:
            decision, words = _by_margin(comparison, comparison.delta_ci_95, gate.margin)
        return self._decided(
            decision, words, **about, value=comparison.paired_delta, confidence_interval_95=comparison.delta_ci_95,
            ci_method=comparison.ci_method, n=comparison.paired_count, flags=comparison.flags,
        )  # fmt: skip


def _by_improvement(comparison: ScorerComparison) -> tuple[GateDecision, str]:
    if comparison.verdict == "improved":
        return "pass", comparison.words
    return "fail", f"not shown to be better: {comparison.words}"


def _by_margin(
    comparison: ScorerComparison, ends: tuple[float, float], margin: float | None
) -> tuple[GateDecision, str]:
    low, high = ends
    if margin is None:
        if comparison.verdict == "regressed":
            return "fail", comparison.words
        if low >= 0:
            return "pass", f"not worse: {comparison.words}"
        return "pass", f"not shown to be worse; a drop of up to {-low:z.3f} is not ruled out"
    if low > -margin:
        return "pass", f"worse by less than {margin:g}, if at all"
    if high < -margin:
        return "fail", f"worse by more than {margin:g}"
    return "undecided", f"the interval has a drop of {margin:g} inside; more items would narrow it"
