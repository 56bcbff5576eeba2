"""Metrics of a benchmark as cells of a table: which columns a definition has, and the values in them."""

from collections.abc import Iterable, Sequence

from gnomon.model.bench import (
    AgentMetric,
    CountSummary,
    FamilyMetrics,
    LabelMeansSummary,
    LabelsSummary,
    LabelSummary,
    MeanOverRuns,
    MeanSummary,
    MetricDefinition,
    RateSummary,
    ScenarioMetric,
    TimeSummary,
)

NONE = "–"
_MOST_DIGITS = 4


def columns(metric: MetricDefinition) -> list[str]:
    """Headings: two for a time, its median and its mean, and one for everything else."""
    return [f"median {metric.unit}", f"mean {metric.unit}"] if metric.kind == "time" else [metric.label]


def cells(metric: MetricDefinition, value: AgentMetric | ScenarioMetric | None, sign: str = "") -> list[str]:
    """One text per heading. `sign` follows a percentage."""
    if isinstance(value, TimeSummary):
        low, high = value.confidence_interval_95
        return [value.median_in_words(), _with_ends(value.restricted_mean, (low, high), 1)]
    return [NONE] * len(columns(metric)) if value is None else [cell(metric, value, sign)]


def cell(metric: MetricDefinition, value: AgentMetric | ScenarioMetric | None, sign: str = "") -> str:
    """The one text that says most."""
    match value:
        case None:
            return NONE
        case TimeSummary():
            return value.median_in_words()
        case CountSummary():
            return _with_ends(value.mean, value.confidence_interval_95, 1)
        case LabelSummary():
            counts = [f"{label} {count}" for label, count in value.counts.items() if count]
            return ", ".join(counts) or NONE
        case LabelsSummary():
            return _mostly([(label, share.share) for label, share in value.shares.items()])
        case LabelMeansSummary():
            return _mostly([(label, mean.mean) for label, mean in value.means.items()])
        case RateSummary():
            return percent(value.mean, value.confidence_interval_95, sign)
        case MeanSummary():
            if value.kind == "rate":
                return percent(value.mean, value.confidence_interval_95, sign)
            return figure(value, 2 if metric.maximum <= 1 else 1)


def percent(share: float, ends: tuple[float, float], sign: str = "") -> str:
    return _with_ends(100 * share, (100 * ends[0], 100 * ends[1]), 0, sign)


def figure(mean: MeanOverRuns | None, digits: int) -> str:
    return NONE if mean is None else _with_ends(mean.mean, mean.confidence_interval_95, digits)


def _with_ends(value: float, ends: tuple[float, float], digits: int, sign: str = "") -> str:
    """A value with its interval, with more digits where the interval would seem to have no width."""
    low, high = ends
    while digits < _MOST_DIGITS and f"{low:z.{digits}f}" == f"{high:z.{digits}f}":
        digits += 1
    return f"{value:z.{digits}f}{sign} ({low:z.{digits}f} to {high:z.{digits}f})"


def _mostly(shares: Sequence[tuple[str, float]]) -> str:
    if not shares:
        return "nothing"
    (label, share), *others = shares
    return f"{label} {100 * share:.0f} %" + (f" (+{len(others)})" if others else "")


def headlines(families: Iterable[FamilyMetrics]) -> list[MetricDefinition]:
    """What a short table shows."""
    return [metric for family in families for metric in family.metrics if metric.headline]
