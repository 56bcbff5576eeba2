"""Datasets and their items. An item belongs to the versions from `added_version` until `removed_version`."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.jsonvalue import JsonValue
from gnomon.model.score import JsonObject
from gnomon.store.changes import note
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import DatasetItemRow, DatasetTableRow, DatasetVersionRow, StoredDatasetItem
from gnomon.store.schema import dataset_items as items
from gnomon.store.schema import dataset_versions as versions
from gnomon.store.schema import datasets, experiments, for_update, insert_rows, is_any_of

_WALK = 5000


def add(db: Connection, row: DatasetTableRow) -> None:
    """Make a dataset, which has its first version at once."""
    db.execute(sa.insert(datasets).values(row._asdict()))
    note(db, row.project_id, "dataset")
    first = DatasetVersionRow(
        dataset_id=row.id, version=row.version, created_at=row.created_at, item_count=row.item_count,
        added=row.item_count, removed=0, changed=0,
    )  # fmt: skip
    db.execute(sa.insert(versions).values(first._asdict()))


def get(db: Connection, id: str, *, lock: bool = False) -> DatasetTableRow | None:
    query = sa.select(datasets).where(datasets.c.id == id)
    return fetch_first(db, DatasetTableRow, for_update(db, query) if lock else query)


def by_name(db: Connection, project_id: str, name: str) -> DatasetTableRow | None:
    named = sa.select(datasets).where(datasets.c.project_id == project_id, datasets.c.name == name)
    return fetch_first(db, DatasetTableRow, named)


def page(db: Connection, project_id: str, part: Slice) -> list[DatasetTableRow]:
    query = sa.select(datasets).where(datasets.c.project_id == project_id)
    return fetch_all(db, DatasetTableRow, keyset(query, [datasets.c.id], part))


def experiment_counts(db: Connection, ids: Collection[str]) -> dict[str, int]:
    """Dataset id → how many experiments are on it, for those that have some."""
    query = sa.select(experiments.c.dataset_id, sa.func.count()).where(is_any_of(db, experiments.c.dataset_id, ids))
    return {id: int(count) for id, count in db.execute(query.group_by(experiments.c.dataset_id)).all()}


def experiment_ids(db: Connection, id: str) -> list[str]:
    """The experiments on a dataset."""
    return list(db.execute(sa.select(experiments.c.id).where(experiments.c.dataset_id == id)).scalars())


def last_changed(db: Connection, project_id: str, most: int) -> list[DatasetTableRow]:
    query = sa.select(datasets).where(datasets.c.project_id == project_id)
    return fetch_all(
        db, DatasetTableRow, query.order_by(datasets.c.updated_at.desc(), datasets.c.id.desc()).limit(most)
    )


def change(db: Connection, id: str, *, now: datetime, added: int = 0, removed: int = 0, changed: int = 0) -> int:
    """Make a new version in which so many items came, left and were replaced; return its number."""
    new_version = (
        sa.update(datasets)
        .where(datasets.c.id == id)
        .values(version=datasets.c.version + 1, item_count=datasets.c.item_count + added - removed, updated_at=now)
        .returning(datasets.c.version, datasets.c.item_count, datasets.c.project_id)
    )
    version, item_count, project_id = db.execute(new_version).one()
    note(db, project_id, "dataset")
    row = DatasetVersionRow(
        dataset_id=id, version=version, created_at=now, item_count=item_count, added=added, removed=removed,
        changed=changed,
    )  # fmt: skip
    db.execute(sa.insert(versions).values(row._asdict()))
    return int(version)


def versions_page(db: Connection, id: str, wanted: Slice) -> list[DatasetVersionRow]:
    query = sa.select(versions).where(versions.c.dataset_id == id)
    return fetch_all(db, DatasetVersionRow, keyset(query, [versions.c.version], wanted))


def add_items(db: Connection, rows: Sequence[StoredDatasetItem]) -> None:
    insert_rows(db, items, rows)


def item(db: Connection, dataset_id: str, id: str) -> DatasetItemRow | None:
    return fetch_first(db, DatasetItemRow, sa.select(items).where(items.c.id == id, items.c.dataset_id == dataset_id))


def items_page(db: Connection, dataset_id: str, version: int, wanted: Slice) -> list[DatasetItemRow]:
    """The dataset's items as they were at that version."""
    query = sa.select(items).where(items.c.dataset_id == dataset_id, _in_version(version))
    return fetch_all(db, DatasetItemRow, keyset(query, [items.c.id], wanted))


def items_after(db: Connection, dataset_id: str, version: int, position: str, limit: int) -> list[DatasetItemRow]:
    """The items of a version from a position on, oldest first."""
    query = sa.select(items).where(items.c.dataset_id == dataset_id, _in_version(version), items.c.id > position)
    return fetch_all(db, DatasetItemRow, query.order_by(items.c.id).limit(limit))


def items_of_version(db: Connection, dataset_id: str, version: int, ids: Collection[str]) -> dict[str, DatasetItemRow]:
    """The items of this version, by id."""
    query = sa.select(items).where(
        is_any_of(db, items.c.id, ids), items.c.dataset_id == dataset_id, _in_version(version)
    )
    return {row.id: row for row in fetch_all(db, DatasetItemRow, query)}


class KnownItem(NamedTuple):
    """What a run has to do with an item of its experiment's dataset."""

    id: str
    pinned: bool
    """Whether it is in the version that the experiment is pinned to."""
    input: JsonValue
    expected_output: JsonValue


def items_known(
    db: Connection, dataset_id: str, ids: Collection[str], version: int, *, with_content: bool
) -> dict[str, KnownItem]:
    """The items of the dataset that have these ids; their content only on demand."""
    content = (items.c.input, items.c.expected_output) if with_content else (sa.null(), sa.null())
    query = sa.select(items.c.id, _in_version(version), *content).where(
        is_any_of(db, items.c.id, ids), items.c.dataset_id == dataset_id
    )
    return {row[0]: KnownItem(row[0], bool(row[1]), row[2], row[3]) for row in db.execute(query).all()}


def expected_outputs(db: Connection, ids: Iterable[str]) -> dict[str, tuple[JsonValue, JsonValue]]:
    """Item id → (input, expected output)."""
    query = sa.select(items.c.id, items.c.input, items.c.expected_output).where(is_any_of(db, items.c.id, ids))
    return {id: (value, expected_output) for id, value, expected_output in db.execute(query).all()}


def metadata(db: Connection, dataset_id: str) -> dict[str, JsonObject]:
    """Item id → its metadata, for the items that have some."""
    query = sa.select(items.c.id, items.c.metadata).where(
        items.c.dataset_id == dataset_id, items.c.metadata.is_not(None)
    )
    return {row.id: row.metadata for row in db.execute(query)}


def walk(db: Connection, dataset_id: str, version: int) -> Iterator[DatasetItemRow]:
    """All items of that version, oldest first; a few thousand at a time are in memory."""
    position = ""
    while True:
        rows = items_after(db, dataset_id, version, position, _WALK)
        yield from rows
        if len(rows) < _WALK:
            return
        position = rows[-1].id


def keys_taken(db: Connection, dataset_id: str, keys: Collection[str]) -> set[str]:
    """The keys among these that an item of the newest version has."""
    query = sa.select(items.c.key).where(
        items.c.dataset_id == dataset_id, items.c.removed_version.is_(None), is_any_of(db, items.c.key, keys)
    )
    return set(db.execute(query).scalars())


def set_keys(db: Connection, keys: Mapping[str, str | None]) -> None:
    """Item id → its new key."""
    if keys:
        changed = sa.update(items).where(items.c.id == sa.bindparam("item_id")).values(key=sa.bindparam("new_key"))
        db.execute(changed, [{"item_id": id, "new_key": key} for id, key in keys.items()])


def remove_items(db: Connection, ids: Collection[str], version: int) -> None:
    db.execute(sa.update(items).where(is_any_of(db, items.c.id, ids)).values(removed_version=version))


def _in_version(version: int) -> sa.ColumnElement[bool]:
    still_there = sa.or_(items.c.removed_version.is_(None), items.c.removed_version > version)
    return sa.and_(items.c.added_version <= version, still_there)
