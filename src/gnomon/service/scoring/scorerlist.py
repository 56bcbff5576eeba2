"""Which scorers have scores in a project, so that a page can offer them."""

from collections.abc import Iterable
from typing import get_args

from gnomon.errors import NotFound
from gnomon.model.score import TargetType
from gnomon.model.scorerlist import ScoreKind, ScorerInUse
from gnomon.service.call import Call, Listing, listing, project_in_scope
from gnomon.store import datasets
from gnomon.store import scorerlist as store
from gnomon.store.pages import Slice

_ORDER: tuple[TargetType, ...] = get_args(TargetType)


def all_of(call: Call, project_id: str | None, dataset_id: str | None, page: Slice) -> Listing[ScorerInUse]:
    """All scorers by name. With a dataset, only those of the experiments on it."""
    project_id = project_in_scope(call.principal, project_id)
    if dataset_id is not None:
        dataset = datasets.get(call.db, dataset_id)
        if dataset is None or dataset.project_id != project_id:
            raise NotFound(f"dataset {dataset_id!r} does not exist in project {project_id!r}")
    rows = store.of_runs(call.db, project_id, dataset_id)
    if dataset_id is None:
        rows += store.of_spans(call.db, project_id) + store.of_others(call.db, project_id)
    by_name: dict[str, list[store.ScoresOfName]] = {}
    for row in rows:
        by_name.setdefault(row.scorer_name, []).append(row)
    judges, people = (store.names_by_source(call.db, project_id, source) for source in ("judge", "human"))
    after = "" if page.after is None else str(page.after[0])
    names = sorted(name for name in by_name if name > after)[: page.limit + 1]
    return listing(
        names, page, lambda name: _noun(name, by_name[name], name in judges, name in people), lambda name: (name,)
    )


def _noun(name: str, rows: Iterable[store.ScoresOfName], is_judge: bool, is_human: bool) -> ScorerInUse:
    rows = list(rows)
    types = {row.target_type for row in rows}
    n, in_numbers = sum(int(row.n) for row in rows), sum(int(row.numbers) for row in rows)
    gives: ScoreKind = "numbers" if in_numbers == n else "mixed" if in_numbers else "labels"
    return ScorerInUse(
        name=name, target_types=[kind for kind in _ORDER if kind in types], gives=gives, n=n,
        last_used=max(row.last_used for row in rows), is_judge=is_judge, is_human=is_human,
    )  # fmt: skip
