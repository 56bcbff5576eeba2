"""How the items of a dataset were used, and what they are worth: hard, easy, telling."""

from collections.abc import Callable, Mapping, Sequence

from gnomon.errors import NotFound
from gnomon.model.cutting import as_text
from gnomon.model.dataset import ItemRun
from gnomon.model.quality import DatasetQuality, ItemQuality, QualityOrder, Solved
from gnomon.service.analysis.aggregate import shown
from gnomon.service.call import Call, Listing, listing
from gnomon.service.experiments import datasets
from gnomon.service.scoring import scoring
from gnomon.shorten import counted
from gnomon.stats.describe import round_shown
from gnomon.stats.items import FEWEST_EXPERIMENTS, ItemFigures, item_figures
from gnomon.store import datasets as stored_items
from gnomon.store import itemuse as store
from gnomon.store import scores
from gnomon.store.pages import Slice

Rank = tuple[float, float]


def runs(call: Call, dataset_id: str, item_id: str, page: Slice) -> Listing[ItemRun]:
    """The runs on an item with their scores, newest first."""
    datasets.item(call, dataset_id, item_id)
    rows = store.runs_page(call.db, dataset_id, item_id, page)
    scores_of = scores.of_runs(call.db, [row.id for row in rows])

    def noun(row: store.ItemRunRow) -> ItemRun:
        return ItemRun(
            run_id=row.id, experiment_id=row.experiment_id, experiment_name=row.experiment_name, trial=row.trial,
            output=row.output, error=row.error, trace_id=row.trace_id, created_at=row.created_at,
            scores=[scoring.noun(score) for score in scores_of[row.id]],
        )  # fmt: skip

    return listing(rows, page, noun, lambda row: (row.id,))


def quality(
    call: Call,
    dataset_id: str,
    scorer_name: str,
    pass_threshold: float,
    sort: QualityOrder,
    most: int,
    solved: Solved | None = None,
) -> DatasetQuality:
    """Every item of the newest version over all experiments on the dataset, by one scorer's numbers."""
    dataset = datasets.get(call, dataset_id)
    keys = {row.id: row.key for row in store.keys(call.db, dataset_id)}
    by_item: dict[str, list[store.ItemNumbers]] = {}
    for row in store.numbers(call.db, dataset_id, scorer_name):
        if row.dataset_item_id in keys:
            by_item.setdefault(row.dataset_item_id, []).append(row)
    if not by_item:
        words = f"no experiment on dataset {dataset_id!r} has numbers of {scorer_name!r} on its items"
        raise NotFound(f"{words}; GET /v1/scorers?dataset_id={dataset_id} lists the scorers there are")
    means = {item: {row.experiment_id: row.total / row.n for row in rows} for item, rows in by_item.items()}
    figures = item_figures(means)
    items = [_item(item, keys, by_item[item], figures[item], pass_threshold) for item in sorted(by_item)]
    experiments = {experiment for by_experiment in means.values() for experiment in by_experiment}
    return DatasetQuality(
        dataset_id=dataset_id,
        version=dataset.version,
        scorer_name=scorer_name,
        pass_threshold=pass_threshold,
        experiments=len(experiments),
        item_count=dataset.item_count,
        scored_item_count=len(items),
        never_solved_count=sum(item.never_solved for item in items),
        always_solved_count=sum(item.always_solved for item in items),
        sort=sort,
        items=_with_input(call, sorted((item for item in items if _is(item, solved)), key=_RANKS[sort])[:most]),
        notes=_notes(len(experiments)),
    )


def _item(
    id: str, keys: Mapping[str, str | None], rows: list[store.ItemNumbers], figures: ItemFigures, bar: float
) -> ItemQuality:  # fmt: skip
    return ItemQuality(
        item_id=id,
        key=keys[id],
        experiments=figures.experiments,
        n=sum(row.n for row in rows),
        mean=round_shown(figures.mean),
        confidence_interval_95=shown(figures.interval),
        never_solved=all(row.highest < bar for row in rows),
        always_solved=all(row.lowest >= bar for row in rows),
        discrimination=round_shown(figures.discrimination),
        discrimination_reason=figures.reason,
    )


def _is(item: ItemQuality, solved: Solved | None) -> bool:
    return solved is None or (item.never_solved if solved == "never" else item.always_solved)


def _with_input(call: Call, items: Sequence[ItemQuality]) -> list[ItemQuality]:
    content = stored_items.expected_outputs(call.db, [item.item_id for item in items])
    return [
        item.model_copy(update={"input": datasets.beginning(as_text(content[item.item_id][0]))}) for item in items
    ]  # fmt: skip


def _telling(item: ItemQuality) -> float:
    return -2.0 if item.discrimination is None else item.discrimination


def _misleading(item: ItemQuality) -> float:
    return 2.0 if item.discrimination is None else item.discrimination


_RANKS: dict[QualityOrder, Callable[[ItemQuality], Rank]] = {
    "hardest": lambda item: (item.mean, -_telling(item)),
    "easiest": lambda item: (-item.mean, -_telling(item)),
    "telling": lambda item: (-_telling(item), item.mean),
    "misleading": lambda item: (_misleading(item), item.mean),
}


def _notes(experiments: int) -> list[str]:
    if experiments >= FEWEST_EXPERIMENTS:
        return []
    uses = f"there are numbers of this scorer in {counted(experiments, 'experiment')}"
    return [f"{uses}; how telling an item is takes {FEWEST_EXPERIMENTS}"]
