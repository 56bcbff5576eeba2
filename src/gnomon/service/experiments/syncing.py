"""A dataset brought in line with a list of items, as one new version.

An item keeps its id while its content stays the same, so that runs of different days compare item by item. Items that
left stay in the versions that had them: experiments that are pinned to one lose nothing.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from gnomon.errors import InvalidInput, Problem
from gnomon.model.dataset import MAX_LISTED, ItemDraft, ItemsSynced
from gnomon.model.jsonvalue import JsonValue, canonical
from gnomon.service.call import Call, visible
from gnomon.service.experiments.datasets import item_row
from gnomon.shorten import count_more
from gnomon.store import datasets as store


class Entry(NamedTuple):
    """What an item is known by: the caller's key, where there is one, and a hash of its content."""

    key: str | None
    content: bytes


def entries_of(drafts: Sequence[ItemDraft]) -> list[Entry]:
    """The drafts as `sync` compares them; made before its transaction, because hashing many takes a while."""
    first: dict[str, int] = {}
    problems = []
    for index, draft in enumerate(drafts):
        if draft.key is not None and (before := first.setdefault(draft.key, index)) != index:
            message = f"items[{index}] has the key {draft.key!r} of items[{before}]; give each item its own key"
            problems.append(Problem("key", "INVALID_REQUEST", message, index))
    if problems:
        raise InvalidInput(count_more(problems[0].message, len(problems)), problems=problems[:MAX_LISTED])
    return [Entry(draft.key, _content(draft.input, draft.expected_output, draft.metadata)) for draft in drafts]


def sync(call: Call, dataset_id: str, drafts: Sequence[ItemDraft], entries: Sequence[Entry]) -> ItemsSynced:
    """Make the newest version hold exactly these items; no new version when it does already."""
    dataset = visible(call.principal, store.get(call.db, dataset_id, lock=True), f"dataset {dataset_id!r}")
    stored = {
        row.id: Entry(row.key, _content(row.input, row.expected_output, row.metadata))
        for row in store.walk(call.db, dataset_id, dataset.version)
    }
    ids = match(stored, entries)
    new = [index for index, id in enumerate(ids) if id is None]
    removed_ids = stored.keys() - set(ids)
    known_keys = {entry.key for entry in stored.values()} - {None}
    changed = sum(entries[index].key in known_keys for index in new)
    version = dataset.version
    if new or removed_ids:
        added, removed = len(new) - changed, len(removed_ids) - changed
        version = store.change(call.db, dataset_id, added=added, removed=removed, changed=changed, now=call.clock.now())
        store.remove_items(call.db, removed_ids, version)
    store.set_keys(call.db, _new_keys(stored, ids, entries))
    new_ids = dict(zip(new, call.clock.new_ids(len(new)), strict=True))
    store.add_items(call.db, [item_row(id, dataset_id, drafts[index], version) for index, id in new_ids.items()])
    return ItemsSynced(
        dataset_id=dataset_id, version=version, added=len(new) - changed, changed=changed,
        removed=len(removed_ids) - changed, kept=len(ids) - len(new),
        item_ids=[new_ids[index] if id is None else id for index, id in enumerate(ids)],
    )  # fmt: skip


def match(stored: Mapping[str, Entry], entries: Sequence[Entry]) -> list[str | None]:
    """The id of the stored item that stays for each entry; None where a new item is needed.

    A key that both sides have decides alone. Where it does not, equal content does, the first occurrence with the
    first: an item may get a key, or lose one, and stay the same item, but it never changes one key for another.
    """
    by_key = {entry.key: id for id, entry in stored.items() if entry.key is not None}
    keys = {entry.key for entry in entries}
    without_key = _by_content(stored, (id for id, entry in stored.items() if entry.key is None))
    unwanted_key = _by_content(stored, (id for key, id in by_key.items() if key not in keys))
    ids: list[str | None] = [None] * len(entries)
    # Entries with a key choose first: those without can still take items whose key nobody wants any more.
    for index, entry in sorted(enumerate(entries), key=lambda numbered: numbered[1].key is None):
        if entry.key in by_key:
            id = by_key[entry.key]
            ids[index] = id if stored[id].content == entry.content else None
        elif equal := without_key.get(entry.content) or (entry.key is None and unwanted_key.get(entry.content)):
            ids[index] = equal.popleft()
    return ids


def _by_content(stored: Mapping[str, Entry], ids: Iterable[str]) -> Mapping[bytes, deque[str]]:
    ids_of: defaultdict[bytes, deque[str]] = defaultdict(deque)
    for id in ids:
        ids_of[stored[id].content].append(id)
    return ids_of


def _new_keys(
    stored: Mapping[str, Entry], ids: Sequence[str | None], entries: Sequence[Entry]
) -> dict[str, str | None]:
    """Items that stay and get a key, or lose theirs."""
    return {
        id: entry.key for id, entry in zip(ids, entries, strict=True) if id is not None and stored[id].key != entry.key
    }


def _content(input: JsonValue, expected_output: JsonValue, metadata: JsonValue) -> bytes:
    return sha256(canonical([input, expected_output, metadata]).encode()).digest()
