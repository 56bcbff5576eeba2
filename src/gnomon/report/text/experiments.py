"""Experiments for people: summaries, comparisons, gates. A mean never stands without its interval."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gnomon.model.aggregate import LabelShare
from gnomon.model.card import JudgeBrief
from gnomon.model.experiment import (
    ExperimentComparison,
    ExperimentCost,
    ScorerComparison,
    ScorerSummary,
    Summary,
    ThresholdResult,
)
from gnomon.model.gates import GateResult
from gnomon.model.metrics import ExperimentMetric
from gnomon.model.stopping import Stopping
from gnomon.model.wording import DECISIONS, FLAGS, MISSING_POLICIES
from gnomon.report.evaluation import EvaluationReport
from gnomon.report.gate import Gate
from gnomon.report.text.drawing import Part, axis, clean, fitting_table, interval, number, shortened, table, whisker

if TYPE_CHECKING:
    from rich.table import Table

_SHOWN_ERRORS = 5
_SHOWN_REASONS = 5
METRIC_COLUMNS = ("metric", "value", "95 % interval", "runs", "remark")
NO_SCORES = "There are no scores yet."
NEITHER = "Neither has scores."
_SIDES = {"gte": "at least", "gt": "above", "lte": "at most", "lt": "below"}


def evaluation(report: EvaluationReport) -> Iterator[Part]:
    """The summary, what failed and why, and what else a reader should know."""
    yield _headline(report.summary)
    yield from _scores(report.summary)
    yield from metrics(report.summary)
    yield from evaluation_remarks(report)
    if report.url is not None:
        yield report.url


def evaluation_remarks(report: EvaluationReport) -> Iterator[str]:
    """What stands below the scores."""
    for group in report.errors[:_SHOWN_ERRORS]:
        yield f"{clean(group.words)}: {clean(shortened(group.example))}"
    if len(report.errors) > _SHOWN_ERRORS:
        yield f"… and {len(report.errors) - _SHOWN_ERRORS} more types of errors; `failures` has all of them"
    yield from summary_remarks(report.summary)
    yield from (f"note: {clean(note)}" for note in report.notes)


def summary(found: Summary) -> Iterator[Part]:
    yield _headline(found)
    yield from _scores(found)
    yield from metrics(found)
    yield from summary_remarks(found)


def summary_remarks(found: Summary) -> Iterator[str]:
    yield f"Missing scores are {MISSING_POLICIES[found.missing_policy]}."
    if found.cost is not None:
        yield cost(found.cost, found.run_count)
    if found.threshold_result is not None:
        yield f"last gate {_last_gate(found.name, found.threshold_result)}"


def cost(found: ExperimentCost, run_count: int) -> str:
    """What the runs cost, and what of it is not known."""
    traced = f"the traces of {found.traced_run_count:,} of {run_count:,} runs"
    if found.usd is not None:
        return f"Cost: ${found.usd:.4g}, by {traced}."
    known = f" beyond ${found.known_usd:.4g}" if found.known_usd else ""
    return f"Cost is not known{known}: {found.unpriced_span_count:,} model calls in {traced} have no known price."


def metrics(found: Summary) -> Iterator[Part]:
    """Numbers about the whole experiment; what has no value or no interval says why."""
    if found.metrics:
        rows = table(*METRIC_COLUMNS, right=("value", "runs"))
        for name, one in found.metrics.items():
            rows.add_row(*metric_cells(name, one))
        yield rows


def metric_cells(name: str, one: ExperimentMetric) -> list[str]:
    value = clean(one.value) if isinstance(one.value, str) else "–" if one.value is None else f"{one.value:.6g}"
    ends = one.confidence_interval_95
    around = "–" if ends is None else f"{ends[0]:.6g} to {ends[1]:.6g}"
    return [clean(name), value, around, "–" if one.n is None else f"{one.n:,}", clean(one.reason or "")]


def stopping(found: Stopping, trials: int) -> str:
    """The question that could end the evaluation, and how it ended."""
    outcome = f"{clean(found.text)}: {found.outcome.replace('_', ' ')}"
    after = f"after {found.items:,} of {found.max_items:,} items"
    if found.items >= found.max_items:
        return f"ran to its end, and could stop early: {outcome} {after}"
    return f"stopped early: {outcome} {after} ({(found.max_items - found.items) * trials:,} runs saved)"


def _headline(found: Summary) -> str:
    return f"{clean(found.name)} ({found.status}): {size(found)}"


def _scores(found: Summary) -> Iterator[Part]:
    if found.stopping is not None:
        yield stopping(found.stopping, found.trials)
    if found.scores_by_scorer:
        yield from scorers(list(found.scores_by_scorer.values()))
    else:
        yield NO_SCORES


def size(found: Summary) -> str:
    """How many runs and items there are, and how many there should be."""
    failed = f", {found.failed_run_count:,} failed" if found.failed_run_count else ""
    trials = f" × {found.trials:,} trials" if found.trials > 1 else ""
    expected = f" of {found.expected_run_count:,}" if found.run_count < found.expected_run_count else ""
    runs = "run" if max(found.run_count, found.expected_run_count) == 1 else "runs"
    items = "item" if found.expected_item_count == 1 else "items"
    words = f"{found.run_count:,}{expected} {runs}{failed}; {found.expected_item_count:,} {items}{trials}"
    if found.dataset_item_count != found.expected_item_count:
        words += f" (the dataset has {found.dataset_item_count:,} now)"
    return words


def scorers(found: Sequence[ScorerSummary]) -> Iterator[Part]:
    """A row per scorer, and below the table what the figures alone do not say."""
    yield fitting_table(lambda drawn: _scorer_table(found, drawn))
    for one in found:
        yield from (f"{clean(one.scorer_name)}: {words}" for words in remarks(one))


def _scorer_table(found: Sequence[ScorerSummary], drawn: bool) -> "Table":
    more = further_columns(found)
    columns = ["scorer", "mean", "95 % interval", *[axis("0", "1")] * drawn, *more]
    rows = table(*columns, right=("mean", *more))
    for one in found:
        ends = one.confidence_interval_95
        drawing = [whisker(one.mean, ends, 0, 1)] * drawn
        rows.add_row(clean(one.scorer_name), number(one.mean), interval(ends), *drawing, *further_cells(one, more))
    return rows


def further_columns(found: Sequence[ScorerSummary]) -> list[str]:
    """Columns beside the mean and its interval. Those without any figure are left out, but for `scored`."""
    ks = [int(k) for one in found if _passes(one) for k in one.pass_pow_k or ()]
    passes = ["pass@1", f"pass^{max(ks)}"] if max(ks, default=1) > 1 else []
    gaps = [name for name in ("failed", "absent", "pending") if any(getattr(one, f"n_{name}") for one in found)]
    return [*passes, "scored", *gaps]


def further_cells(one: ScorerSummary, columns: Sequence[str]) -> list[str]:
    cells = {"scored": f"{one.n_scored:,} of {one.n_total:,}"}
    cells |= {name: f"{getattr(one, f'n_{name}'):,}" for name in ("failed", "absent", "pending")}
    if _passes(one):
        cells |= {f"pass@{k}": number(value) for k, value in (one.pass_at_k or {}).items()}
        cells |= {f"pass^{k}": number(value) for k, value in (one.pass_pow_k or {}).items()}
    return [cells.get(name, "–") for name in columns]


def _passes(one: ScorerSummary) -> bool:
    """Whether pass@k and pass^k say something: in scores that are all 0 or 1."""
    return bool(one.pass_at_k and one.pass_pow_k and _yes_or_no(one))


def remarks(one: ScorerSummary) -> Iterator[str]:
    if one.label_shares:
        ranked = sorted(one.label_shares.items(), key=lambda found: (-found[1].count, found[0]))
        yield "labels " + ", ".join(_share(label, share) for label, share in ranked)
    if one.pass_at_k and one.pass_pow_k and _passes(one):
        k = max(one.pass_at_k, key=int)
        at, all_of = (one.pass_at_k_ci_95 or {})[k], (one.pass_pow_k_ci_95 or {})[k]
        yield f"pass@{k} {one.pass_at_k[k]:.3f} ({interval(at)}), pass^{k} {one.pass_pow_k[k]:.3f} ({interval(all_of)})"
    missing = one.n_total - one.n_scored
    if missing:
        reasons = [f"{count} {clean(reason)}" for reason, count in sorted(one.reasons.items(), key=lambda r: -r[1])]
        if len(reasons) > _SHOWN_REASONS:
            reasons[_SHOWN_REASONS:] = [f"{len(reasons) - _SHOWN_REASONS} more reasons"]
        reasons += [f"{one.n_pending} pending"] if one.n_pending else []
        yield f"{missing} without a score ({', '.join(reasons)}){_if_known(one)}"
    if one.judge is not None:
        yield _judged(one.judge)
    for flag in one.flags:
        yield FLAGS.get(flag, flag)


def _yes_or_no(scores: ScorerSummary) -> bool:
    """Every score is 0 or 1: no other scores in [0, 1] are spread as widely around their mean."""
    mean, deviation = scores.mean, scores.standard_deviation
    return mean is not None and deviation is not None and deviation**2 >= mean * (1 - mean) - 1e-9


def _judged(found: JudgeBrief) -> str:
    """The report card in a line."""
    told = f"judged by {clean(found.model or 'a model')}"
    if found.parse_failure_rate is not None:
        told += f", {found.parse_failure_rate:.1%} of its answers unreadable ({interval(found.parse_failure_ci_95)})"
    if found.human is None:
        return f"{told}; no person has rated these runs, so nobody knows whether it is right"
    if found.agreement is None:
        return f"{told}; {clean(found.human)} rated {found.labelled:,} of these runs"
    ends = interval(found.agreement_ci_95)
    return f"{told}; says what {clean(found.human)} says on {found.agreement:.1%} of {found.labelled:,} runs ({ends})"


def _if_known(one: ScorerSummary) -> str:
    if one.missing_bracket is None or one.mean is None:
        return ""
    low, high = one.missing_bracket
    return f"; the mean would be {low:.3f} were they all 0, {high:.3f} were they all 1"


def _share(label: str, found: LabelShare) -> str:
    low, high = found.confidence_interval_95
    return f"{clean(label)} {found.count} ({100 * found.share:.0f} %, {100 * low:.0f} to {100 * high:.0f})"


def comparison(found: ExperimentComparison, base_name: str, other_name: str) -> Iterator[Part]:
    yield f"{clean(base_name)} → {clean(other_name)}"
    if not found.scorer_comparisons:
        yield NEITHER
        return
    yield fitting_table(lambda drawn: _comparison_table(found.scorer_comparisons, drawn))
    for one in found.scorer_comparisons:
        yield from (f"{clean(one.scorer_name)}: {words}" for words in verdict_remarks(one))
    yield from comparison_basis(found)


def comparison_basis(found: ExperimentComparison) -> Iterator[str]:
    yield "Differences are over the items scored in both, with 95 % intervals."
    yield f"Missing scores are {MISSING_POLICIES[found.missing_policy]}."


def _comparison_table(found: Sequence[ScorerComparison], drawn: bool) -> "Table":
    end = reach(found)
    scale = axis(f"-{end:g}", f"+{end:g}")
    rows = table("scorer", "base", "other", "difference", *[scale] * drawn, right=("base", "other", "difference"))
    for one in found:
        cells = [number(one.base_mean), number(one.compare_mean), number(one.paired_delta, "+")]
        cells += [whisker(one.paired_delta, one.delta_ci_95, -end, end)] * drawn
        rows.add_row(clean(one.scorer_name), *cells)
    return rows


def verdict_remarks(one: ScorerComparison) -> Iterator[str]:
    """The verdict in words, and what a reader should know before trusting it."""
    yield f"{clean(one.words)} ({_means(one)}items: {_counts(one)})"
    yield from (FLAGS.get(flag, flag) for flag in one.flags)


def _last_gate(name: str, found: ThresholdResult) -> str:
    return decision(Gate.of(name, found, found.reason))


def decision(found: Gate) -> str:
    return f"{DECISIONS[found.decision]}: {_gate(found)}"


def gate(found: GateResult) -> str:
    """A gate in words, in a line: the decision, the gate, what was seen, and why."""
    seen, told = Gate.of_result(found), ""
    if seen.actual_value is not None:
        ends = f", 95 % interval {seen.interval_shown}" if seen.interval else ""
        early = ", stopped early" if "stopped_early" in found.flags else ""
        told = f" ({seen.metric_name} {seen.shown(seen.actual_value)}{ends}{early})"
    return clean(f"{DECISIONS[found.decision]}: {found.text}{told}: {found.words}")


def _gate(found: Gate) -> str:
    around = f" (95 % interval {found.interval_shown})" if found.interval else ""
    value = f"{found.metric_name} {found.shown(found.actual_value)}{around}" if found.actual_value is not None else (
        f"has no {found.metric_name}")  # fmt: skip
    what = f"{clean(found.experiment)}, {clean(found.scorer_name)}"
    return f"{what} {value}, {_SIDES[found.comparison]} {found.threshold:g} is wanted: {clean(found.words)}"


def reach(found: Sequence[ScorerComparison]) -> float:
    """How far an axis must go to both sides of zero."""
    farthest = max((abs(end) for one in found for end in one.delta_ci_95 or ()), default=0)
    return next(reach for reach in (0.05, 0.1, 0.2, 0.5, 1.0) if farthest <= reach)


def _means(one: ScorerComparison) -> str:
    """The intervals of the two means in the table, which has no room for them."""
    ends = {"base": one.base_ci_95, "other": one.compare_ci_95}
    return "".join(f"{side} {interval(found)}; " for side, found in ends.items() if found is not None)


def _counts(one: ScorerComparison) -> str:
    counted = {
        "better": one.improved_count,
        "worse": one.regressed_count,
        "changed": one.changed_count,
        "same": one.unchanged_count,
        "only before": one.only_in_base,
        "only after": one.only_in_compare,
    }
    return ", ".join(f"{count} {words}" for words, count in counted.items() if count)
