"""A log over time, for people: a row per day, week or month."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gnomon.cli.show.outcome import mean_lines
from gnomon.cli.show.pen import draw, line
from gnomon.cli.show.recordings import dollars
from gnomon.report.text.drawing import any_letter, axis, clean, number, table
from gnomon.shorten import counted

if TYPE_CHECKING:
    from gnomon.model.iterationfacts import TrendPeriod
    from gnomon.model.outcome import EvidenceChange
    from gnomon.outcome import OutcomeReport

_BAR = 20
_NEWEST = 26
_CHANGES = 3


def trended(
    report: "OutcomeReport", periods: "Sequence[TrendPeriod]", changes: "Sequence[EvidenceChange]", source: str,
    html: Path | None,
) -> None:  # fmt: skip
    line(f"{counted(len(report.iterations), 'iteration')} of {clean(source)} by rubric {clean(report.rubric.version)}")
    if periods:
        _table(periods[-_NEWEST:])
        mean_lines(report)
        _evidence(changes)
        _cost(report)
    undated = len(report.iterations) - sum(period.iterations for period in periods)
    if undated:
        line(f"{counted(undated, 'iteration')} without a date")
    if html is not None:
        line(f"drawn in {clean(str(html))}")


def _table(periods: "Sequence[TrendPeriod]") -> None:
    step = periods[0].step
    bar = axis("0", "1").ljust(_BAR)
    rows = table(
        step, "iterations", "mean", bar, "landed", "undecided", "tokens", "cost",
        right=("iterations", "mean", "landed", "undecided", "tokens", "cost"),
    )  # fmt: skip
    for period in periods:
        unknown = f" + {period.cost_unknown} unknown" if period.cost_unknown and period.cost_usd is not None else ""
        cost = dollars(period.cost_usd) + unknown
        tokens = "–" if period.tokens is None else f"{period.tokens:,}"
        rows.add_row(
            period.start[:7] if step == "month" else period.start, str(period.iterations), number(period.mean),
            _bar(period.mean), str(period.landed), str(period.undecided), tokens, cost,
        )  # fmt: skip
    draw(rows)


def _bar(mean: float | None) -> str:
    if mean is None:
        return ""
    full, empty = ("█", "·") if any_letter() else ("#", ".")
    length = round(min(1.0, mean) * _BAR)
    return full * length + empty * (_BAR - length)


def _evidence(changes: "Sequence[EvidenceChange]") -> None:
    """Where means on both sides are not alike."""
    for change in changes[-_CHANGES:]:
        line(change.words)
    if len(changes) > _CHANGES:
        line(f"It changes at {counted(len(changes) - _CHANGES, 'earlier iteration')} too; --html draws all of them")


def _cost(report: "OutcomeReport") -> None:
    """What was spent on what landed, and on everything else."""
    known = [(iteration.facts.cost_usd, iteration.signals.landed) for iteration in report.iterations]
    costs = [cost for cost, _ in known if cost is not None]
    if not costs:
        line("no cost is known: no session shows tokens of a model whose price is known")
        return
    unknown = len(known) - len(costs)
    landed = [cost for cost, signal in known if cost is not None and signal.present and signal.sub_score > 0]
    of_landed = f"{dollars(sum(landed))} of it for {counted(len(landed), 'iteration')} that landed"
    words = f"{dollars(sum(costs))} in all, {of_landed}"
    line(f"{words}{f'; of {unknown} the cost is unknown' if unknown else ''} (list prices per token)")


def troubled(errors: "Sequence[str]", log: Path) -> None:
    """Hooks fail without a word, so that it is said here."""
    if errors:
        times = "once" if len(errors) == 1 else f"{len(errors):,} times"
        line(f"note: since the newest entry a hook failed {times} here: {clean(errors[-1])}")
        line(f"all of it is in {clean(str(log))}")
