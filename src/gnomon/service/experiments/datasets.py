"""Datasets: make, read as they were, change. Every change makes one new version."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from gnomon.errors import Conflict, NotFound, Problem
from gnomon.model.cutting import as_text, size
from gnomon.model.dataset import (
    LEAN_CHARACTERS,
    Dataset,
    DatasetDraft,
    DatasetItem,
    DatasetRow,
    DatasetVersion,
    ItemDraft,
    LeanItem,
)
from gnomon.model.jsonvalue import JsonValue, canonical, dump
from gnomon.model.trace import Deleted
from gnomon.service.call import Call, Listing, just_written, listing, project_for_writing, project_in_scope, visible
from gnomon.service.clock import created_ms
from gnomon.service.traces.searching import Effort, says, search
from gnomon.store import datasets as store
from gnomon.store import removals
from gnomon.store.pages import PageKey, Slice
from gnomon.store.rows import DatasetItemRow, DatasetVersionRow, StoredDatasetItem
from gnomon.store.rows import DatasetTableRow as StoredDataset

T = TypeVar("T")
_CHUNK = 1000
_TEXT_PER_ITEM = 10_000  # bytes that count as one item looked through
_EFFORT = Effort(200, 5_000)
"""How many a search for a text looks through per page."""


def create(call: Call, draft: DatasetDraft) -> Dataset:
    project_id = project_for_writing(call, draft.project_id)
    if store.by_name(call.db, project_id, draft.name) is not None:
        raise Conflict(f"project {project_id!r} has a dataset named {draft.name!r} already; choose another name")
    id, now = call.clock.new_id(), call.clock.now()
    row = StoredDataset(
        id=id, project_id=project_id, name=draft.name, description=draft.description, version=1, item_count=0,
        created_at=now, updated_at=now,
    )  # fmt: skip
    store.add(call.db, row)
    return _noun(row)


def get(call: Call, id: str) -> Dataset:
    return _noun(visible(call.principal, store.get(call.db, id), f"dataset {id!r}"))


def all_of(call: Call, project_id: str | None, page: Slice, q: str | None = None) -> Listing[Dataset]:
    listing = _page(call, project_id, page, q)
    return Listing([_noun(row) for row in listing.items], listing.next_key)


def rows(call: Call, project_id: str | None, page: Slice, q: str | None = None) -> Listing[DatasetRow]:
    """The same, each with how many experiments are on it."""
    listing = _page(call, project_id, page, q)
    counts = store.experiment_counts(call.db, [row.id for row in listing.items])
    nouns = [DatasetRow(**vars(_noun(row)), experiment_count=counts.get(row.id, 0)) for row in listing.items]
    return Listing(nouns, listing.next_key)


def _page(call: Call, project_id: str | None, page: Slice, q: str | None) -> Listing[StoredDataset]:
    project = project_in_scope(call.principal, project_id)

    def read(part: Slice) -> list[StoredDataset]:
        return store.page(call.db, project, part)

    def key(row: StoredDataset) -> PageKey:
        return (row.id,)

    if q is None:
        return listing(read(page), page, lambda row: row, key)
    text = q.casefold()
    return search(page, read, key, lambda rows: [text in row.name.casefold() for row in rows], _EFFORT)


def last_changed(call: Call, project_id: str, most: int) -> list[Dataset]:
    """The datasets that changed last, the newest change first."""
    return [_noun(row) for row in store.last_changed(call.db, project_id, most)]


def delete(call: Call, id: str, cascade: bool | None = None) -> Deleted:
    """Delete a dataset with its items. With `cascade` experiments on it go too; without, there must be none."""
    visible(call.principal, store.get(call.db, id, lock=True), f"dataset {id!r}")
    using = store.experiment_ids(call.db, id)
    if cascade is False and using:
        count = f"{len(using):,} experiments use" if len(using) > 1 else "1 experiment uses"
        remedy = "delete those first, or delete them with it by cascade=true"
        raise Conflict(f"{count} dataset {id!r}; {remedy}", code="DATASET_IN_USE")
    now = call.clock.now()
    if cascade:
        removals.remove_experiments(call.db, using, now)
    removals.remove_datasets(call.db, [id], now)
    return Deleted(id=id)


def items(call: Call, id: str, version: int | None, page: Slice, q: str | None = None) -> Listing[DatasetItem]:
    return _items(call, id, version, page, q, item_noun)


def lean_items(call: Call, id: str, version: int | None, page: Slice, q: str | None = None) -> Listing[LeanItem]:
    """The same, each cut to what a row of a table shows."""
    return _items(call, id, version, page, q, _lean_noun)


def _items(
    call: Call, id: str, version: int | None, page: Slice, q: str | None, make: Callable[[DatasetItemRow], T]
) -> Listing[T]:
    pinned_at = pinned(call, id, version)

    def read(part: Slice) -> list[DatasetItemRow]:
        return store.items_page(call.db, *pinned_at, part)

    def key(row: DatasetItemRow) -> PageKey:
        return (row.id,)

    if q is None:
        return listing(read(page), page, make, key)
    text = q.casefold()
    matches = search(page, read, key, lambda rows: [says(_content(row), text) for row in rows], _EFFORT, _weight)
    return Listing([make(row) for row in matches.items], matches.next_key)


def _content(row: DatasetItemRow) -> JsonValue:
    return [row.key, row.input, row.expected_output, row.metadata]


def _weight(rows: Sequence[DatasetItemRow]) -> int:
    return sum(1 + size(dump(_content(row))) // _TEXT_PER_ITEM for row in rows)


def _lean_noun(row: DatasetItemRow) -> LeanItem:
    item_input, expected, metadata = (as_text(value) for value in (row.input, row.expected_output, row.metadata))
    return LeanItem(
        id=row.id, dataset_id=row.dataset_id, key=row.key, input=beginning(item_input) or "",
        input_size=size(item_input),
        expected_output=beginning(expected), expected_output_size=size(expected), metadata=beginning(metadata),
        metadata_size=size(metadata), created_at=row.created_at,
    )  # fmt: skip


def beginning(text: str | None) -> str | None:
    """What a row of a table shows of a text."""
    return None if text is None else text[:LEAN_CHARACTERS]


class Pinned(NamedTuple):
    """One version of a dataset, in which nothing changes any more."""

    dataset_id: str
    version: int


class ExportedPart(NamedTuple):
    """Some lines of an export, and where the next ones begin (None at the end)."""

    lines: bytes
    position: str | None


def pinned(call: Call, id: str, version: int | None) -> Pinned:
    """The version that is asked for, else the newest."""
    dataset = get(call, id)
    if version is not None and not 1 <= version <= dataset.version:
        raise NotFound(f"dataset {id!r} has the versions 1 to {dataset.version}, not {version}")
    return Pinned(id, version or dataset.version)


def piece(pinned: Pinned, position: str, call: Call) -> ExportedPart:
    """The next items of an export as lines, oldest first."""
    rows = store.items_after(call.db, *pinned, position, _CHUNK)
    return ExportedPart(b"".join(map(_line, rows)), rows[-1].id if len(rows) == _CHUNK else None)


def lines(piece: Callable[[str], ExportedPart]) -> Iterator[bytes]:
    """All pieces of an export. The first is read at once, so that nothing is sent of what cannot be read."""
    first = piece("")

    def pieces() -> Iterator[bytes]:
        current = first
        yield current.lines
        while current.position is not None:
            current = piece(current.position)
            yield current.lines

    return pieces()


def _line(row: DatasetItemRow) -> bytes:
    """What an import reads, and the id of the item."""
    parts = {
        "id": row.id, "key": row.key, "input": row.input, "expected_output": row.expected_output,
        "metadata": row.metadata,
    }  # fmt: skip
    return dump({name: value for name, value in parts.items() if value is not None}).encode() + b"\n"


def item(call: Call, dataset_id: str, item_id: str) -> DatasetItem:
    """One item, also one that has left."""
    visible(call.principal, store.get(call.db, dataset_id), f"dataset {dataset_id!r}")
    return item_noun(_item_row(call, dataset_id, item_id))


def _item_row(call: Call, dataset_id: str, item_id: str) -> DatasetItemRow:
    row = store.item(call.db, dataset_id, item_id)
    if row is None:
        raise NotFound(f"dataset {dataset_id!r} has no item {item_id!r}")
    return row


def versions(call: Call, id: str, page: Slice) -> Listing[DatasetVersion]:
    """Newest first."""
    visible(call.principal, store.get(call.db, id), f"dataset {id!r}")
    rows = store.versions_page(call.db, id, page)
    return listing(rows, page, _version_noun, lambda row: (row.version,))


def _version_noun(row: DatasetVersionRow) -> DatasetVersion:
    return DatasetVersion(
        version=row.version, created_at=row.created_at, item_count=row.item_count, added=row.added,
        removed=row.removed, changed=row.changed,
    )  # fmt: skip


def add_item(call: Call, dataset_id: str, draft: ItemDraft) -> DatasetItem:
    visible(call.principal, store.get(call.db, dataset_id, lock=True), f"dataset {dataset_id!r}")
    _refuse_taken_keys(call, dataset_id, [draft])
    version = store.change(call.db, dataset_id, added=1, now=call.clock.now())
    id = call.clock.new_id()
    store.add_items(call.db, [item_row(id, dataset_id, draft, version)])
    return item_noun(just_written(store.item(call.db, dataset_id, id)))


def import_items(call: Call, dataset_id: str, drafts: Iterable[ItemDraft], count: int) -> None:
    """Store `count` items as one new version. The drafts may come from a file: they are never all in memory."""
    visible(call.principal, store.get(call.db, dataset_id, lock=True), f"dataset {dataset_id!r}")
    if count == 0:
        return
    version = store.change(call.db, dataset_id, added=count, now=call.clock.now())
    for chunk in _chunks(drafts):
        _refuse_taken_keys(call, dataset_id, chunk)
        ids = call.clock.new_ids(len(chunk))
        rows = [item_row(id, dataset_id, draft, version) for id, draft in zip(ids, chunk, strict=True)]
        store.add_items(call.db, rows)


def delete_item(call: Call, dataset_id: str, item_id: str) -> Deleted:
    visible(call.principal, store.get(call.db, dataset_id, lock=True), f"dataset {dataset_id!r}")
    _newest(call, dataset_id, item_id)
    version = store.change(call.db, dataset_id, removed=1, now=call.clock.now())
    store.remove_items(call.db, [item_id], version)
    return Deleted(id=item_id)


def change_item(call: Call, dataset_id: str, item_id: str, draft: ItemDraft) -> DatasetItem:
    """Put a new item in the place of one: older versions keep that. Nothing changes where the content is the same."""
    visible(call.principal, store.get(call.db, dataset_id, lock=True), f"dataset {dataset_id!r}")
    row = _newest(call, dataset_id, item_id)
    if draft.key is None:
        draft = draft.model_copy(update={"key": row.key})
    elif draft.key != row.key:
        _refuse_taken_keys(call, dataset_id, [draft])
    if _same(row, draft):
        return item_noun(row)
    version = store.change(call.db, dataset_id, changed=1, now=call.clock.now())
    store.remove_items(call.db, [item_id], version)
    id = call.clock.new_id()
    store.add_items(call.db, [item_row(id, dataset_id, draft, version)])
    return item_noun(just_written(store.item(call.db, dataset_id, id)))


def _newest(call: Call, dataset_id: str, item_id: str) -> DatasetItemRow:
    """An item of the newest version."""
    row = _item_row(call, dataset_id, item_id)
    if row.removed_version is not None:
        raise NotFound(f"dataset {dataset_id!r} has no item {item_id!r}")
    return row


def _same(row: DatasetItemRow, draft: ItemDraft) -> bool:
    stored = (row.key, row.input, row.expected_output, row.metadata)
    return canonical(list(stored)) == canonical([draft.key, draft.input, draft.expected_output, draft.metadata])


def item_noun(row: DatasetItemRow) -> DatasetItem:
    return DatasetItem(
        id=row.id, dataset_id=row.dataset_id, key=row.key, input=row.input, expected_output=row.expected_output,
        metadata=row.metadata, created_at=row.created_at,
    )  # fmt: skip


def _noun(row: StoredDataset) -> Dataset:
    return Dataset(
        id=row.id, project_id=row.project_id, name=row.name, description=row.description, version=row.version,
        item_count=row.item_count, created_at=row.created_at, updated_at=row.updated_at,
    )  # fmt: skip


def item_row(id: str, dataset_id: str, draft: ItemDraft, version: int) -> StoredDatasetItem:
    return StoredDatasetItem(  # by position, which takes half the time of names
        id,
        dataset_id,
        dump(draft.input),
        None if draft.expected_output is None else dump(draft.expected_output),
        None if draft.metadata is None else dump(draft.metadata),
        version,
        None,
        created_ms(id),
        draft.key,
    )


def _refuse_taken_keys(call: Call, dataset_id: str, drafts: Sequence[ItemDraft]) -> None:
    keys = Counter(draft.key for draft in drafts if draft.key is not None)
    if not keys:
        return
    taken = store.keys_taken(call.db, dataset_id, keys)
    twice = next((key for key, times in keys.items() if times > 1 or key in taken), None)
    if twice is not None:
        message = (
            f"key {twice!r} belongs to another item of this dataset; choose another, or PUT all items to replace it"
        )
        raise Conflict(message, problems=[Problem("key", "CONFLICT", message)])


def _chunks(drafts: Iterable[ItemDraft]) -> Iterator[list[ItemDraft]]:
    chunk: list[ItemDraft] = []
    for draft in drafts:
        chunk.append(draft)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
