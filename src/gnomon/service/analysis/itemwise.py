"""One scorer in two experiments, item by item: pages of items with both outputs, and all items as points."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

from gnomon.model.aggregate import MissingPolicy
from gnomon.model.comparison import (
    MOST_POINTS,
    MOST_TRIALS,
    SHOWN_BYTES,
    Change,
    ComparedItem,
    ComparedTrial,
    ComparisonPoints,
    ItemCounts,
    ItemOrder,
)
from gnomon.model.cutting import cut
from gnomon.model.experiment import ItemComparison, RunError
from gnomon.model.jsonvalue import JsonValue
from gnomon.service.analysis import compare
from gnomon.service.call import Call, Listing, listing
from gnomon.service.traces.searching import Effort, says, search
from gnomon.store import datasets
from gnomon.store import runpages as store
from gnomon.store.pages import PageKey, Slice
from gnomon.store.runpages import RunOfItem

_EFFORT = Effort(rows=100, most=1_000)
_WITHOUT_DELTA: dict[Change, int] = {"changed": 1, "unchanged": 2, "only_base": 3, "only_other": 4}
"""Items without a delta come after those with one, in this order."""


@dataclass(frozen=True, slots=True)
class ItemQuery:
    """Which items of a comparison are wanted, and in which order."""

    scorer_name: str
    missing: MissingPolicy = "drop"
    show: Change | None = None
    sort: ItemOrder = "delta"
    q: str | None = None


class _Line(NamedTuple):
    """An item in its place of the order."""

    key: PageKey
    change: Change
    item: ItemComparison


def items(call: Call, base_id: str, other_id: str, wanted: Slice, query: ItemQuery) -> Listing[ComparedItem]:
    pair = compare.one_scorer(call, base_id, other_id, query.scorer_name, query.missing)
    lines = _ordered(pair, query)

    def read(part: Slice) -> list[_Line]:
        start = 0 if part.after is None else bisect_right(lines, tuple(part.after), key=lambda line: tuple(line.key))
        return lines[start : start + part.limit + 1]

    def key(line: _Line) -> PageKey:
        return line.key

    if query.q is None:
        page = listing(read(wanted), wanted, lambda line: line, key)
    else:
        text = query.q.casefold()
        matches = lambda lines: _ItemParts.of(call, base_id, other_id, query.scorer_name, lines).matching(lines, text)  # noqa: E731
        page = search(wanted, read, key, matches, _EFFORT)
    parts = _ItemParts.of(call, base_id, other_id, query.scorer_name, page.items)
    beside = {"scorer_name": query.scorer_name, "missing_policy": query.missing, "counts": _counts(pair.changes)}
    return Listing([parts.noun(line) for line in page.items], page.next_key, beside)


def points(call: Call, base_id: str, other_id: str, scorer_name: str, missing: MissingPolicy) -> ComparisonPoints:
    """The first items of a comparison as columns."""
    pair = compare.one_scorer(call, base_id, other_id, scorer_name, missing)
    first = pair.items[:MOST_POINTS]
    return ComparisonPoints(
        scorer_name=scorer_name,
        missing_policy=missing,
        counts=_counts(pair.changes),
        total=len(pair.items),
        truncated=len(pair.items) > MOST_POINTS,
        dataset_item_ids=[item["dataset_item_id"] for item in first],
        base_scores=[item["base_score"] for item in first],
        other_scores=[item["compare_score"] for item in first],
        changes=pair.changes[:MOST_POINTS],
    )


def _counts(changes: Iterable[Change]) -> ItemCounts:
    counts = Counter(changes)
    return ItemCounts(
        regressed=counts["regressed"], improved=counts["improved"], unchanged=counts["unchanged"],
        changed=counts["changed"], only_base=counts["only_base"], only_other=counts["only_other"],
    )  # fmt: skip


def _ordered(pair: compare.PairedScorer, query: ItemQuery) -> list[_Line]:
    sign = -1.0 if query.sort == "-delta" else 1.0
    lines = []
    for item, change in zip(pair.items, pair.changes, strict=True):
        if query.show not in (None, change):
            continue
        id, delta = item["dataset_item_id"], item["delta"]
        order = (0, sign * delta) if delta is not None else (_WITHOUT_DELTA[change], 0.0)
        lines.append(_Line((id,) if query.sort == "item" else (*order, id), change, item))
    return sorted(lines, key=lambda line: line.key)


@dataclass(frozen=True, slots=True)
class _ItemParts:
    """What belongs to the items of a page."""

    base_id: str
    other_id: str
    contents: Mapping[str, tuple[JsonValue, JsonValue]]
    runs: Mapping[tuple[str, str], Sequence[RunOfItem]]
    """(experiment id, item id) → its runs by trial."""
    run_counts: Mapping[tuple[str, str], int]
    numbers: Mapping[str, Sequence[float]]
    labels: Mapping[str, str]
    """Run id → its newest label."""

    @classmethod
    def of(cls, call: Call, base_id: str, other_id: str, scorer_name: str, lines: Sequence[_Line]) -> "_ItemParts":
        ids, both = [line.item["dataset_item_id"] for line in lines], {base_id, other_id}
        runs: dict[tuple[str, str], list[RunOfItem]] = {}
        for run in store.of_items(call.db, both, ids, trials=MOST_TRIALS):
            runs.setdefault((run.experiment_id, run.dataset_item_id), []).append(run)
        numbers: dict[str, list[float]] = {}
        labels: dict[str, str] = {}
        for run_id, value, label in store.scores_of_items(call.db, both, scorer_name, ids):
            if value is not None:
                numbers.setdefault(run_id, []).append(value)
            elif label is not None:
                labels[run_id] = label
        run_counts = store.counts_of_items(call.db, both, ids)
        contents = datasets.expected_outputs(call.db, ids)
        return cls(base_id, other_id, contents, runs, run_counts, numbers, labels)

    def matching(self, lines: Sequence[_Line], text: str) -> list[bool]:
        return [self._says(line.item["dataset_item_id"], text) for line in lines]

    def _says(self, item_id: str, text: str) -> bool:
        outputs = [run.output for side in (self.base_id, self.other_id) for run in self.runs.get((side, item_id), ())]
        return any(says(value, text) for value in (*self.contents.get(item_id, ()), *outputs))

    def noun(self, line: _Line) -> ComparedItem:
        item = line.item
        id, was, became = item["dataset_item_id"], item["base_score"], item["compare_score"]
        item_input, expected = (cut(value, SHOWN_BYTES) for value in self.contents.get(id, (None, None)))
        return ComparedItem(
            dataset_item_id=id,
            change=line.change,
            base_score=was if isinstance(was, float) else None,
            other_score=became if isinstance(became, float) else None,
            delta=item["delta"],
            base_label=was if isinstance(was, str) else None,
            other_label=became if isinstance(became, str) else None,
            input=item_input.value,
            input_size=item_input.size,
            input_truncated=item_input.truncated,
            expected_output=expected.value,
            expected_output_size=expected.size,
            expected_output_truncated=expected.truncated,
            base=self._trials(self.base_id, id),
            other=self._trials(self.other_id, id),
            base_run_count=self.run_counts.get((self.base_id, id), 0),
            other_run_count=self.run_counts.get((self.other_id, id), 0),
        )

    def _trials(self, experiment_id: str, item_id: str) -> list[ComparedTrial]:
        return [self._trial(run) for run in self.runs.get((experiment_id, item_id), ())]

    def _trial(self, run: RunOfItem) -> ComparedTrial:
        values, output = self.numbers.get(run.id), cut(run.output, SHOWN_BYTES)
        return ComparedTrial(
            run_id=run.id,
            trial=run.trial,
            score=fsum(values) / len(values) if values else None,
            label=self.labels.get(run.id),
            output=output.value,
            output_size=output.size,
            output_truncated=output.truncated,
            error=None if run.error is None else RunError(**run.error),
        )
