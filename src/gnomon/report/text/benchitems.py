"""A benchmark's items for people: what is wrong with the benchmark first, then the items that tell most."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gnomon.model.aggregate import Interval
from gnomon.model.benchitems import BenchmarkItem, BenchmarkItems
from gnomon.report.text.drawing import Part, clean, interval, number, table
from gnomon.shorten import and_more, list_some, shorten

if TYPE_CHECKING:
    from rich.table import Table

_NAME = 50
_NAMED = 20


def benchmark_items(report: BenchmarkItems, most: int) -> Iterator[Part]:
    """`most` items are shown one by one."""
    agents = "1 agent" if report.agent_count == 1 else f"{report.agent_count:,} agents"
    yield f"{report.item_count:,} items, {agents}; a value of {report.pass_threshold:g} or more solves an item"
    yield f"never solved: {report.never_solved_count:,}; always solved: {report.always_solved_count:,}"
    if report.effective_item_count is not None:
        count = f"{report.effective_item_count:,.0f} equally informative items"
        yield f"the ranking rests on as much information as {count} would give"
    best = f"{number(report.best_score)} ({interval(report.best_score_ci)})"
    yield f"best agent: {clean(report.best_agent)}, {best}{'; the benchmark is nearly solved' * report.saturated}"
    yield ""
    yield _items(report.items[:most])
    if len(report.items) > most:
        yield and_more(len(report.items) - most, "items").strip()
    if report.subset_sizes:
        yield ""
        yield _sizes(report)
    if report.smallest_subset is not None:
        names = list_some((clean(name) for name in report.smallest_subset), _NAMED)
        yield f"{len(report.smallest_subset)} items keep the order of held-out agents: {names}"
    yield from (f"note: {clean(note)}" for note in report.notes)


def _items(items: list[BenchmarkItem]) -> "Table":
    rows = table("item", "solved", "discrimination", "difficulty", "information", right=("information",))
    for item in items:
        rows.add_row(
            clean(shorten(item.item, _NAME)), _figure(item.solved_share, item.solved_share_ci),
            _figure(item.discrimination, item.discrimination_ci), _figure(item.difficulty, item.difficulty_ci),
            _remark(item),
        )  # fmt: skip
    return rows


def _figure(value: float | None, ends: Interval | None) -> str:
    return number(value) if ends is None else f"{number(value)} ({interval(ends)})"


def _remark(item: BenchmarkItem) -> str:
    if item.ranks_against:
        return "ranks against the rest"
    if item.never_solved:
        return "never solved"
    if item.always_solved:
        return "always solved"
    return "" if item.information_share is None else f"{100 * item.information_share:.1f} %"


def _sizes(report: BenchmarkItems) -> "Table":
    rows = table("items", "rank correlation", "95 % interval", "as many at random", right=("items", "rank correlation"))
    for size in report.subset_sizes:
        rows.add_row(
            f"{size.size:,}", number(size.rank_correlation), interval(size.rank_correlation_ci), number(size.at_random)
        )
    return rows
