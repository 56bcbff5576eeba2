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
from gnomon.model.reasons import counted_reasons
from gnomon.model.stopping import Stopping
from gnomon.model.wording import DECISIONS, FLAGS, MISSING_POLICIES
from gnomon.report.evaluation import EvaluationReport
from gnomon.report.gate import Gate
from gnomon.report.text.drawing import (
    Part,
    axis,
    clean,
    fitting_table,
    interval,
    number,
    reach,
    shortened,
    table,
    whisker,
)
from gnomon.shorten import counted

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


def summary(summary: Summary) -> Iterator[Part]:
    yield _headline(summary)
    yield from _scores(summary)
    yield from metrics(summary)
    yield from summary_remarks(summary)


def summary_remarks(summary: Summary) -> Iterator[str]:
    yield f"Missing scores are {MISSING_POLICIES[summary.missing_policy]}."
    if summary.cost is not None:
        yield cost(summary.cost, summary.run_count)
    if summary.threshold_result is not None:
        yield f"last gate {_last_gate(summary.name, summary.threshold_result)}"


def cost(cost: ExperimentCost, run_count: int) -> str:
    """What the runs cost, and what of it is not known."""
    traced = f"the traces of {cost.traced_run_count:,} of {counted(run_count, 'run')}"
    if cost.usd is not None:
        return f"Cost: ${cost.usd:.4g}, by {traced}."
    known = f" beyond ${cost.known_usd:.4g}" if cost.known_usd else ""
    return f"Cost is not known{known}: {cost.unpriced_span_count:,} model calls in {traced} have no known price."


def metrics(summary: Summary) -> Iterator[Part]:
    """Numbers about the whole experiment; what has no value or no interval says why."""
    if summary.metrics:
        rows = table(*METRIC_COLUMNS, right=("value", "runs"))
        for name, metric in summary.metrics.items():
            rows.add_row(*metric_cells(name, metric))
        yield rows


def metric_cells(name: str, metric: ExperimentMetric) -> list[str]:
    value = (
        clean(metric.value)
        if isinstance(metric.value, str)
        else "–"
        if metric.value is None
        else f"{metric.value:z.6g}"
    )
    ends = metric.confidence_interval_95
    around = "–" if ends is None else f"{ends[0]:z.6g} to {ends[1]:z.6g}"
    return [clean(name), value, around, "–" if metric.n is None else f"{metric.n:,}", clean(metric.reason or "")]


def stopping(stopping: Stopping, trials: int) -> str:
    """The question that could end the evaluation, and how it ended."""
    outcome = f"{clean(stopping.text)}: {stopping.outcome.replace('_', ' ')}"
    after = f"after {stopping.items:,} of {counted(stopping.max_items, 'item')}"
    if stopping.items >= stopping.max_items:
        return f"ran to its end, and could stop early: {outcome} {after}"
    return f"stopped early: {outcome} {after} ({counted((stopping.max_items - stopping.items) * trials, 'run')} saved)"


def _headline(summary: Summary) -> str:
    return f"{clean(summary.name)} ({summary.status}): {size(summary)}"


def _scores(summary: Summary) -> Iterator[Part]:
    if summary.stopping is not None:
        yield stopping(summary.stopping, summary.trials)
    if summary.scores_by_scorer:
        yield from scorers(list(summary.scores_by_scorer.values()))
    else:
        yield NO_SCORES


def size(summary: Summary) -> str:
    """How many runs and items there are, and how many there should be."""
    failed = f", {summary.failed_run_count:,} failed" if summary.failed_run_count else ""
    trials = f" × {summary.trials:,} trials" if summary.trials > 1 else ""
    expected = f" of {summary.expected_run_count:,}" if summary.run_count < summary.expected_run_count else ""
    runs = "run" if max(summary.run_count, summary.expected_run_count) == 1 else "runs"
    items = "item" if summary.expected_item_count == 1 else "items"
    words = f"{summary.run_count:,}{expected} {runs}{failed}; {summary.expected_item_count:,} {items}{trials}"
    if summary.run_count > summary.expected_run_count:
        words += ", and runs of items that came later"
    if summary.dataset_item_count != summary.expected_item_count:
        words += f" (the dataset has {summary.dataset_item_count:,} now)"
    return words


def scorers(summaries: Sequence[ScorerSummary]) -> Iterator[Part]:
    """A row per scorer, and below the table what the figures alone do not say."""
    yield fitting_table(lambda drawn: _scorer_table(summaries, drawn))
    for scorer in summaries:
        yield from (f"{clean(scorer.scorer_name)}: {words}" for words in remarks(scorer))


def _scorer_table(summaries: Sequence[ScorerSummary], drawn: bool) -> "Table":
    more = further_columns(summaries)
    columns = ["scorer", "mean", "95 % interval", *[axis("0", "1")] * drawn, *more]
    rows = table(*columns, right=("mean", *more))
    for scorer in summaries:
        ends = scorer.confidence_interval_95
        drawing = [whisker(scorer.mean, ends, 0, 1)] * drawn
        rows.add_row(
            clean(scorer.scorer_name), number(scorer.mean), interval(ends), *drawing, *further_cells(scorer, more)
        )
    return rows


def further_columns(summaries: Sequence[ScorerSummary]) -> list[str]:
    """Columns beside the mean and its interval. Those without any figure are left out, but for `scored`."""
    ks = [int(k) for scorer in summaries if _passes(scorer) for k in scorer.pass_pow_k or ()]
    passes = ["pass@1", f"pass^{max(ks)}"] if max(ks, default=1) > 1 else []
    gaps = [
        name for name in ("failed", "absent", "pending") if any(getattr(scorer, f"n_{name}") for scorer in summaries)
    ]
    return [*passes, "scored", *gaps]


def further_cells(scorer: ScorerSummary, columns: Sequence[str]) -> list[str]:
    cells = {"scored": f"{scorer.n_scored:,} of {scorer.n_total:,}"}
    cells |= {name: f"{getattr(scorer, f'n_{name}'):,}" for name in ("failed", "absent", "pending")}
    if _passes(scorer):
        cells |= {f"pass@{k}": number(value) for k, value in (scorer.pass_at_k or {}).items()}
        cells |= {f"pass^{k}": number(value) for k, value in (scorer.pass_pow_k or {}).items()}
    return [cells.get(name, "–") for name in columns]


def _passes(scorer: ScorerSummary) -> bool:
    """Whether pass@k and pass^k say something: in scores that are all 0 or 1."""
    return bool(scorer.pass_at_k and scorer.pass_pow_k and _yes_or_no(scorer))


def remarks(scorer: ScorerSummary) -> Iterator[str]:
    if scorer.label_shares:
        ranked = sorted(scorer.label_shares.items(), key=lambda entry: (-entry[1].count, entry[0]))
        yield "labels " + ", ".join(_share(label, share) for label, share in ranked)
    if scorer.pass_at_k and scorer.pass_pow_k and _passes(scorer):
        k = max(scorer.pass_at_k, key=int)
        at, all_of = (scorer.pass_at_k_ci_95 or {})[k], (scorer.pass_pow_k_ci_95 or {})[k]
        some = f"pass@{k} {scorer.pass_at_k[k]:.3f} ({interval(at)})"
        yield f"{some}, pass^{k} {scorer.pass_pow_k[k]:.3f} ({interval(all_of)})"
    missing = scorer.n_total - scorer.n_scored
    if missing:
        reasons = [clean(counted_reasons(scorer.reasons, _SHOWN_REASONS))] if scorer.reasons else []
        reasons += [f"{scorer.n_pending} pending"] if scorer.n_pending else []
        yield f"{missing} without a score ({', '.join(reasons)}){_if_known(scorer)}"
    if scorer.judge is not None:
        yield _judged(scorer.judge)
    for flag in scorer.flags:
        yield FLAGS.get(flag, flag)


def _yes_or_no(scores: ScorerSummary) -> bool:
    """Every score is 0 or 1: no other scores in [0, 1] are spread as widely around their mean."""
    mean, deviation = scores.mean, scores.standard_deviation
    return mean is not None and deviation is not None and deviation**2 >= mean * (1 - mean) - 1e-9


def _judged(judge: JudgeBrief) -> str:
    """The report card in a line."""
    sentence = f"judged by {clean(judge.model or 'a model')}"
    if judge.parse_failure_rate is not None:
        sentence += (
            f", {judge.parse_failure_rate:.1%} of its answers unreadable ({interval(judge.parse_failure_ci_95)})"
        )
    if judge.human is None:
        return f"{sentence}; no person has rated these runs, so nobody knows whether it is right"
    if judge.agreement is None:
        return f"{sentence}; {clean(judge.human)} rated {judge.labelled:,} of these runs"
    ends = interval(judge.agreement_ci_95)
    runs = f"{judge.agreement:.1%} of {counted(judge.labelled, 'run')}"
    return f"{sentence}; says what {clean(judge.human)} says on {runs} ({ends})"


def _if_known(scorer: ScorerSummary) -> str:
    if scorer.missing_bracket is None or scorer.mean is None:
        return ""
    low, high = scorer.missing_bracket
    return f"; the mean would be {low:.3f} were they all 0, {high:.3f} were they all 1"


def _share(label: str, share: LabelShare) -> str:
    low, high = share.confidence_interval_95
    return f"{clean(label)} {share.count} ({100 * share.share:.0f} %, {100 * low:.0f} to {100 * high:.0f})"


def comparison(comparison: ExperimentComparison, base_name: str, other_name: str) -> Iterator[Part]:
    yield f"{clean(base_name)} → {clean(other_name)}"
    if not comparison.scorer_comparisons:
        yield NEITHER
        return
    yield fitting_table(lambda drawn: _comparison_table(comparison.scorer_comparisons, drawn))
    for scorer in comparison.scorer_comparisons:
        yield from (f"{clean(scorer.scorer_name)}: {words}" for words in verdict_remarks(scorer))
    yield from comparison_basis(comparison)


def comparison_basis(comparison: ExperimentComparison) -> Iterator[str]:
    yield "Differences are over the items scored in both, with 95 % intervals."
    yield f"Missing scores are {MISSING_POLICIES[comparison.missing_policy]}."


def _comparison_table(comparisons: Sequence[ScorerComparison], drawn: bool) -> "Table":
    end = reach(scorer.delta_ci_95 for scorer in comparisons)
    scale = axis(f"-{end:g}", f"+{end:g}")
    rows = table("scorer", "base", "other", "difference", *[scale] * drawn, right=("base", "other", "difference"))
    for scorer in comparisons:
        cells = [number(scorer.base_mean), number(scorer.compare_mean), number(scorer.paired_delta, "+")]
        cells += [whisker(scorer.paired_delta, scorer.delta_ci_95, -end, end)] * drawn
        rows.add_row(clean(scorer.scorer_name), *cells)
    return rows


def verdict_remarks(scorer: ScorerComparison) -> Iterator[str]:
    """The verdict in words, and what a reader should know before trusting it."""
    yield f"{clean(scorer.words)} ({_means(scorer)}items: {_counts(scorer)})"
    yield from (FLAGS.get(flag, flag) for flag in scorer.flags)


def _last_gate(name: str, result: ThresholdResult) -> str:
    return decision(Gate.of(name, result, result.reason))


def decision(gate: Gate) -> str:
    return f"{DECISIONS[gate.decision]}: {_gate(gate)}"


def gate(result: GateResult) -> str:
    """A gate in words, in a line: the decision, the gate, what was seen, and why."""
    seen, details = Gate.of_result(result), ""
    if seen.actual_value is not None:
        ends = f", 95 % interval {seen.interval_shown}" if seen.interval else ""
        early = ", stopped early" if "stopped_early" in result.flags else ""
        details = f" ({seen.metric_name} {seen.shown(seen.actual_value)}{ends}{early})"
    return clean(f"{DECISIONS[result.decision]}: {result.text}{details}: {result.words}")


def _gate(gate: Gate) -> str:
    around = f" (95 % interval {gate.interval_shown})" if gate.interval else ""
    value = f"{gate.metric_name} {gate.shown(gate.actual_value)}{around}" if gate.actual_value is not None else (
        f"has no {gate.metric_name}")  # fmt: skip
    subject = f"{clean(gate.experiment)}, {clean(gate.scorer_name)}"
    return f"{subject} {value}, must be {_SIDES[gate.comparison]} {gate.threshold:g}: {clean(gate.words)}"


def _means(scorer: ScorerComparison) -> str:
    """The intervals of the two means in the table, which has no room for them."""
    ends = {"base": scorer.base_ci_95, "other": scorer.compare_ci_95}
    return "".join(f"{side} {interval(mean_ends)}; " for side, mean_ends in ends.items() if mean_ends is not None)


def _counts(scorer: ScorerComparison) -> str:
    counted = {
        "better": scorer.improved_count,
        "worse": scorer.regressed_count,
        "changed": scorer.changed_count,
        "same": scorer.unchanged_count,
        "only before": scorer.only_in_base,
        "only after": scorer.only_in_compare,
    }
    return ", ".join(f"{count} {words}" for words, count in counted.items() if count)
