"""Experiments for people: summaries, comparisons, gates. A mean never stands without its interval."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.pen import axis, clean, draw, interval, line, number, table, whisker

if TYPE_CHECKING:
    from gnomon.model.aggregate import LabelShare
    from gnomon.model.card import JudgeBrief
    from gnomon.model.experiment import ExperimentComparison, ScorerComparison, ScorerSummary, Summary
    from gnomon.model.metrics import ExperimentMetric
    from gnomon.model.stopping import Stopping
    from gnomon.report.gate import Gate
    from gnomon.service.gates import GateResults

_SHOWN_SKIPS = 5
_DECIDED = {"pass": "passed", "fail": "FAILED", "undecided": "UNDECIDED"}
_MISSING = {
    "drop": "left out of the means",
    "zero": "counted as 0",
    "bracket": "taken as anything from 0 to 1: the intervals reach over all of it",
}
_SIDES = {"gte": "at least", "gt": "above", "lte": "at most", "lt": "below"}
FLAGS = {
    "small_n": "fewer than 15 items, so the interval stands on little",
    "other_method": "the interval that was asked for does not fit these scores; the default was used",
    "one_item": "one item only, so this says little about others",
    "single_run": "one run only",
    "bracketed": "the interval holds whatever the missing scores would have been",
    "equal_differences": "every item moved by the same amount, so the interval comes from counting them",
    "drifting": "scores changed while they came in, so earlier looks no longer fit; start anew",
    "stopped_early": "stopped early, so the interval is one that holds at every look",
    "could_stop_early": "could stop early, so the interval is one that holds at every look",
    "tests_disagree": "the t test and flipping signs disagree about this few items; do not lean on either",
}


def summary(found: "Summary") -> None:
    failed = f", {found.failed_run_count} failed" if found.failed_run_count else ""
    trials = f" × {found.trials} trials" if found.trials > 1 else ""
    expected = f" of {found.expected_run_count}" if found.run_count < found.expected_run_count else ""
    size = f"{found.run_count}{expected} runs{failed}; {found.expected_item_count} items{trials}"
    if found.dataset_item_count != found.expected_item_count:
        size += f" (the dataset has {found.dataset_item_count} now)"
    line(f"{clean(found.name)} ({found.status}): {size}")
    if found.stopping is not None:
        line(_stopping(found.stopping))
    if found.scores_by_scorer:
        _scorers(list(found.scores_by_scorer.values()))
    else:
        line("There are no scores yet.")
    line(f"Missing scores are {_MISSING[found.missing_policy]}.")
    if found.metrics:
        _metrics(found.metrics)
    if found.threshold_result is not None:
        from gnomon.report.gate import Gate

        last = Gate.of(found.name, found.threshold_result, found.threshold_result.reason)
        line(f"last gate {_DECIDED[last.decision]}: {_gate(last)}")


def _stopping(found: "Stopping") -> str:
    """The question that could end the evaluation, and how it ended."""
    early = "stopped early" if found.items < found.max_items else "ran to its end, and could stop early"
    outcome = found.outcome.replace("_", " ")
    return f"{early}: {clean(found.text)}: {outcome} after {found.items:,} of {found.max_items:,} items"


def _metrics(metrics: "Mapping[str, ExperimentMetric]") -> None:
    """Numbers about the whole experiment; what has no value or no interval says why."""
    rows = table("metric", "value", "95 % interval", "runs", "remark", right=("value", "runs"))
    for name, one in metrics.items():
        value = clean(one.value) if isinstance(one.value, str) else "–" if one.value is None else f"{one.value:.6g}"
        ends = (
            "–" if one.confidence_interval_95 is None else " to ".join(f"{e:.6g}" for e in one.confidence_interval_95)
        )
        rows.add_row(clean(name), value, ends, "–" if one.n is None else f"{one.n:,}", clean(one.reason or ""))
    draw(rows)


def file_scores(told: Mapping[str, Any], scorers: "Sequence[ScorerSummary]") -> None:
    """What a file's scores say, and which lines could not be read."""
    skipped = f", {told['skipped']} lines skipped" if told["skipped"] else ""
    line(f"{clean(told['file'])}: {told['rows']:,} rows{skipped}")
    _scorers(scorers)
    for why in told["skips"][:_SHOWN_SKIPS]:
        line(f"skipped: {clean(why)}")
    if len(told["skips"]) > _SHOWN_SKIPS:
        line(f"… and {told['skipped'] - _SHOWN_SKIPS:,} more")
    if told["out"]:
        line(f"scores are in {clean(told['out'])}")


def _scorers(scorers: "Sequence[ScorerSummary]") -> None:
    rows = table("scorer", "mean", "95 % interval", axis("0", "1"), "scored", right=("mean", "scored"))
    for one in scorers:
        rows.add_row(
            clean(one.scorer_name), number(one.mean), interval(one.confidence_interval_95),
            whisker(one.mean, one.confidence_interval_95, 0, 1), f"{one.n_scored:,} of {one.n_total:,}",
        )  # fmt: skip
    draw(rows)
    for one in scorers:
        for words in _remarks(one):
            line(f"{clean(one.scorer_name)}: {words}")


def _remarks(one: "ScorerSummary") -> Iterator[str]:
    if one.label_shares:
        ranked = sorted(one.label_shares.items(), key=lambda found: (-found[1].count, found[0]))
        yield "labels " + ", ".join(_share(label, share) for label, share in ranked)
    if one.pass_at_k and one.pass_pow_k and _yes_or_no(one):
        k = max(one.pass_at_k, key=int)
        at, all_of = (one.pass_at_k_ci_95 or {})[k], (one.pass_pow_k_ci_95 or {})[k]
        yield f"pass@{k} {one.pass_at_k[k]:.3f} ({interval(at)}), pass^{k} {one.pass_pow_k[k]:.3f} ({interval(all_of)})"
    missing = one.n_total - one.n_scored
    if missing:
        reasons = [f"{count} {clean(reason)}" for reason, count in sorted(one.reasons.items(), key=lambda r: -r[1])]
        reasons += [f"{one.n_pending} pending"] if one.n_pending else []
        yield f"{missing} without a score ({', '.join(reasons)}){_if_known(one)}"
    if one.judge is not None:
        yield _judged(one.judge)
    for flag in one.flags:
        yield FLAGS.get(flag, flag)


def _yes_or_no(scores: "ScorerSummary") -> bool:
    """Every score is 0 or 1: no other scores in [0, 1] are spread as widely around their mean."""
    mean, deviation = scores.mean, scores.standard_deviation
    return mean is not None and deviation is not None and deviation**2 >= mean * (1 - mean) - 1e-9


def _judged(found: "JudgeBrief") -> str:
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


def _if_known(one: "ScorerSummary") -> str:
    if one.missing_bracket is None or one.mean is None:
        return ""
    low, high = one.missing_bracket
    return f"; the mean would be {low:.3f} were they all 0, {high:.3f} were they all 1"


def _share(label: str, found: "LabelShare") -> str:
    low, high = found.confidence_interval_95
    return f"{clean(label)} {found.count} ({100 * found.share:.0f} %, {100 * low:.0f} to {100 * high:.0f})"


def comparison(found: "ExperimentComparison", base_name: str, other_name: str) -> None:
    line(f"{clean(base_name)} → {clean(other_name)}")
    if not found.scorer_comparisons:
        line("Neither has scores.")
        return
    reach = _reach(found.scorer_comparisons)
    scale = axis(f"-{reach:g}", f"+{reach:g}")
    rows = table("scorer", "base", "other", "difference", scale, right=("base", "other", "difference"))
    for one in found.scorer_comparisons:
        rows.add_row(
            clean(one.scorer_name), number(one.base_mean), number(one.compare_mean), number(one.paired_delta, "+"),
            whisker(one.paired_delta, one.delta_ci_95, -reach, reach),
        )  # fmt: skip
    draw(rows)
    for one in found.scorer_comparisons:
        line(f"{clean(one.scorer_name)}: {clean(one.words)} ({_means(one)}items: {_counts(one)})")
        for flag in one.flags:
            line(f"{clean(one.scorer_name)}: {FLAGS.get(flag, flag)}")
    line("Differences are over the items scored in both, with 95 % intervals.")
    line(f"Missing scores are {_MISSING[found.missing_policy]}.")


def gates(found: "GateResults") -> None:
    """A line per gate."""
    from gnomon.service.gates import line as in_words

    for result in found:
        line(clean(in_words(result)))


def decision(found: "Gate") -> None:
    line(f"{_DECIDED[found.decision]}: {_gate(found)}")


def _gate(found: "Gate") -> str:
    around = f" (95 % interval {found.interval_shown})" if found.interval else ""
    value = f"{found.metric_name} {found.shown(found.actual_value)}{around}" if found.actual_value is not None else (
        f"has no {found.metric_name}")  # fmt: skip
    what = f"{clean(found.experiment)}, {clean(found.scorer_name)}"
    return f"{what} {value}, {_SIDES[found.comparison]} {found.threshold:g} is wanted: {clean(found.words)}"


def _reach(found: "Sequence[ScorerComparison]") -> float:
    """How far an axis must go to both sides of zero."""
    farthest = max((abs(end) for one in found for end in one.delta_ci_95 or ()), default=0)
    return next(reach for reach in (0.05, 0.1, 0.2, 0.5, 1.0) if farthest <= reach)


def _means(one: "ScorerComparison") -> str:
    """The intervals of the two means in the table, which has no room for them."""
    ends = {"base": one.base_ci_95, "other": one.compare_ci_95}
    return "".join(f"{side} {interval(found)}; " for side, found in ends.items() if found is not None)


def _counts(one: "ScorerComparison") -> str:
    counted = {
        "better": one.improved_count,
        "worse": one.regressed_count,
        "changed": one.changed_count,
        "same": one.unchanged_count,
        "only before": one.only_in_base,
        "only after": one.only_in_compare,
    }
    return ", ".join(f"{count} {words}" for words, count in counted.items() if count)
