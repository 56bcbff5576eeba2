"""Datasets and their items. An item belongs to the versions from `added_version` until `removed_version`."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.jsonvalue import JsonValue
from gnomon.model.score import JsonObject
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import DatasetItemRow, DatasetRow, DatasetVersionRow, StoredDatasetItem
from gnomon.store.schema import dataset_items as items
from gnomon.store.schema import dataset_versions as versions
from gnomon.store.schema import datasets, experiments, for_update, insert_rows, is_any_of

_WALK = 5000


def add(db: Connection, row: DatasetRow) -> None:
    """Make a dataset, which has its first version at once."""
    db.execute(sa.insert(datasets).values(row._asdict()))
    first = DatasetVersionRow(
        dataset_id=row.id, version=row.version, created_at=row.created_at, item_count=row.item_count,
        added=row.item_count, removed=0, changed=0,
    )  # fmt: skip
    db.execute(sa.insert(versions).values(first._asdict()))


def get(db: Connection, id: str, *, lock: bool = False) -> DatasetRow | None:
    found = sa.select(datasets).where(datasets.c.id == id)
    return fetch_first(db, DatasetRow, for_update(db, found) if lock else found)


def by_name(db: Connection, project_id: str, name: str) -> DatasetRow | None:
    named = sa.select(datasets).where(datasets.c.project_id == project_id, datasets.c.name == name)
    return fetch_first(db, DatasetRow, named)


def page(db: Connection, project_id: str, wanted: Slice) -> list[DatasetRow]:
    found = sa.select(datasets).where(datasets.c.project_id == project_id)
    return fetch_all(db, DatasetRow, keyset(found, [datasets.c.id], wanted))


def experiment_counts(db: Connection, ids: Collection[str]) -> dict[str, int]:
    """Dataset id → how many experiments are on it, for those that have some."""
    found = sa.select(experiments.c.dataset_id, sa.func.count()).where(is_any_of(db, experiments.c.dataset_id, ids))
    return {id: int(count) for id, count in db.execute(found.group_by(experiments.c.dataset_id)).all()}


def last_changed(db: Connection, project_id: str, most: int) -> list[DatasetRow]:
    found = sa.select(datasets).where(datasets.c.project_id == project_id)
    return fetch_all(db, DatasetRow, found.order_by(datasets.c.updated_at.desc(), datasets.c.id.desc()).limit(most))


def change(db: Connection, id: str, *, now: datetime, added: int = 0, removed: int = 0, changed: int = 0) -> int:
    """Make a new version in which so many items came, left and were replaced; return its number."""
    new_version = (
        sa.update(datasets)
        .where(datasets.c.id == id)
        .values(version=datasets.c.version + 1, item_count=datasets.c.item_count + added - removed, updated_at=now)
        .returning(datasets.c.version, datasets.c.item_count)
    )
    version, item_count = db.execute(new_version).one()
    row = DatasetVersionRow(
        dataset_id=id, version=version, created_at=now, item_count=item_count, added=added, removed=removed,
        changed=changed,
    )  # fmt: skip
    db.execute(sa.insert(versions).values(row._asdict()))
    return int(version)


def versions_page(db: Connection, id: str, wanted: Slice) -> list[DatasetVersionRow]:
    found = sa.select(versions).where(versions.c.dataset_id == id)
    return fetch_all(db, DatasetVersionRow, keyset(found, [versions.c.version], wanted))


def remove(db: Connection, id: str) -> None:
    db.execute(sa.delete(items).where(items.c.dataset_id == id))
    db.execute(sa.delete(versions).where(versions.c.dataset_id == id))
    db.execute(sa.delete(datasets).where(datasets.c.id == id))


def add_items(db: Connection, rows: Sequence[StoredDatasetItem]) -> None:
    insert_rows(db, items, rows)


def item(db: Connection, dataset_id: str, id: str) -> DatasetItemRow | None:
    return fetch_first(db, DatasetItemRow, sa.select(items).where(items.c.id == id, items.c.dataset_id == dataset_id))


def items_page(db: Connection, dataset_id: str, version: int, wanted: Slice) -> list[DatasetItemRow]:
    """The dataset's items as they were at that version."""
    found = sa.select(items).where(items.c.dataset_id == dataset_id, _in_version(version))
    return fetch_all(db, DatasetItemRow, keyset(found, [items.c.id], wanted))


def items_after(db: Connection, dataset_id: str, version: int, position: str, limit: int) -> list[DatasetItemRow]:
    """The items of a version from a position on, oldest first."""
    found = sa.select(items).where(items.c.dataset_id == dataset_id, _in_version(version), items.c.id > position)
    return fetch_all(db, DatasetItemRow, found.order_by(items.c.id).limit(limit))


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
    """Those of the ids that belong to the dataset; their content only on demand."""
    content = (items.c.input, items.c.expected_output) if with_content else (sa.null(), sa.null())
    found = sa.select(items.c.id, _in_version(version), *content).where(
        is_any_of(db, items.c.id, ids), items.c.dataset_id == dataset_id
    )
    return {row[0]: KnownItem(row[0], bool(row[1]), row[2], row[3]) for row in db.execute(found).all()}


def expected_outputs(db: Connection, ids: Iterable[str]) -> dict[str, tuple[JsonValue, JsonValue]]:
    """Item id → (input, expected output)."""
    found = sa.select(items.c.id, items.c.input, items.c.expected_output).where(is_any_of(db, items.c.id, ids))
    return {id: (asked, hoped) for id, asked, hoped in db.execute(found).all()}


def metadata(db: Connection, dataset_id: str) -> dict[str, JsonObject]:
    """Item id → its metadata, for the items that have some."""
    found = sa.select(items.c.id, items.c.metadata).where(
        items.c.dataset_id == dataset_id, items.c.metadata.is_not(None)
    )
    return {row.id: row.metadata for row in db.execute(found)}


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
    """Those of the keys that an item of the newest version has."""
    found = sa.select(items.c.key).where(
        items.c.dataset_id == dataset_id, items.c.removed_version.is_(None), is_any_of(db, items.c.key, keys)
    )
    return set(db.execute(found).scalars())


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
