"""Experiments for people: summaries, comparisons, gates. A mean never stands without its interval."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.pen import axis, clean, draw, interval, line, number, table, whisker

if TYPE_CHECKING:
    from gnomon.model.experiment import (
        ExperimentComparison,
        ScorerComparison,
        ScorerSummary,
        Summary,
        ThresholdResult,
    )

_SHOWN_SKIPS = 5
_SIDES = {"gte": "at least", "gt": "above", "lte": "at most", "lt": "below"}
FLAGS = {
    "small_n": "fewer than 15 items, so the interval may be too narrow",
    "one_item": "one item only, so this says little about others",
    "single_run": "one run only",
}


def summary(found: "Summary") -> None:
    failed = f", {found.failed_run_count} failed" if found.failed_run_count else ""
    trials = f" × {found.trials} trials" if found.trials > 1 else ""
    size = f"{found.run_count} runs{failed}; {found.dataset_item_count} items{trials}"
    line(f"{clean(found.name)} ({found.status}): {size}")
    if found.scores_by_scorer:
        _scorers(list(found.scores_by_scorer.values()))
    else:
        line("There are no scores yet.")
    if found.threshold_result is not None:
        line(f"last gate {_passed(found.threshold_result)}: {_decided(found.threshold_result)}")


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
    if one.distribution:
        total = sum(one.distribution.values())
        ranked = sorted(one.distribution.items(), key=lambda found: (-found[1], found[0]))
        yield "labels " + ", ".join(f"{clean(label)} {count} ({100 * count / total:.0f} %)" for label, count in ranked)
    if one.pass_at_k and one.pass_pow_k and one.ci_method in ("wilson", "cluster_wilson"):
        k = max(one.pass_at_k, key=int)
        yield f"pass@{k} {one.pass_at_k[k]:.3f}, pass^{k} {one.pass_pow_k[k]:.3f}"
    missing = one.n_total - one.n_scored
    if missing:
        reasons = [f"{count} {clean(reason)}" for reason, count in sorted(one.reasons.items(), key=lambda r: -r[1])]
        reasons += [f"{one.n_pending} pending"] if one.n_pending else []
        yield f"{missing} without a score ({', '.join(reasons)})"
    for flag in one.flags:
        yield FLAGS.get(flag, flag)


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
        line(f"{clean(one.scorer_name)}: {verdict(one)} (items: {_counts(one)})")
    line("Differences are over the items scored in both, with 95 % intervals.")


def verdict(one: "ScorerComparison") -> str:
    """What the comparison of one scorer says, in words."""
    if one.base_mean is None and one.compare_mean is None:
        return f"{one.changed_count} of {one.paired_count} labels changed" if one.paired_count else "no item in both"
    if one.delta_ci_95 is None:
        return "cannot tell: too few items in both"
    low, high = one.delta_ci_95
    if one.verdict == "improved":
        return f"better, by {_span(low, high)}"
    if one.verdict == "regressed":
        return f"worse, by {_span(-high, -low)}"
    if one.verdict == "equivalent":
        return "no difference" if low == high == 0 else f"as good: {low:+.3f} to {high:+.3f}"
    return f"cannot tell: {low:+.3f} to {high:+.3f}"


def decision(found: "ThresholdResult", name: str, no_value: str | None) -> None:
    line(f"{_passed(found)}: {clean(name)}, {_decided(found, no_value)}")


def _reach(found: "Sequence[ScorerComparison]") -> float:
    """How far an axis must go to both sides of zero."""
    farthest = max((abs(end) for one in found for end in one.delta_ci_95 or ()), default=0)
    return next(reach for reach in (0.05, 0.1, 0.2, 0.5, 1.0) if farthest <= reach)


def _span(low: float, high: float) -> str:
    # The test and the interval are two methods; at the edge the interval may just reach beyond zero.
    return f"{low:.3f} to {high:.3f}" if low > 0 else f"up to {high:.3f}"


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


def _passed(found: "ThresholdResult") -> str:
    return "passed" if found.passed else "FAILED"


def _decided(found: "ThresholdResult", no_value: str | None = None) -> str:
    metric = found.metric if found.k is None else f"{found.metric.removesuffix('_k')}_{found.k}"
    wanted = f"{_SIDES[found.comparison]} {found.threshold:g} is wanted"
    if found.actual_value is None:
        return f"{clean(found.scorer_name)} has no {metric}, {wanted}" + (f": {clean(no_value)}" if no_value else "")
    value = f"{clean(found.scorer_name)} has {metric} {found.actual_value:.3f}, {wanted} ({found.gap:+.3f})"
    return f"{value}; 95 % interval of the mean {interval(found.confidence_interval_95)}"
