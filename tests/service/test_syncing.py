"""A dataset that is synchronised holds what was sent, and items that stayed the same keep their ids."""

import secrets
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.errors import Conflict, InvalidInput
from gnomon.model.access import Principal
from gnomon.model.dataset import DatasetDraft, DatasetItem, ItemDraft, ItemsSynced
from gnomon.model.jsonvalue import canonical
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.experiments import datasets, syncing
from gnomon.service.experiments.syncing import Entry, match
from gnomon.store.engine import Store
from gnomon.store.pages import Slice

CLOCK = Clock()


class Place:
    """One dataset of its own in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        draft = DatasetDraft(project_id="p", name=secrets.token_hex(8))
        self.dataset_id = self.write(lambda call: datasets.create(call, draft)).id

    def write(self, work: Any) -> Any:
        return self._store.write(lambda db: work(Call(db, Principal("test", "admin"), CLOCK)))

    def read(self, work: Any) -> Any:
        return self._store.read(lambda db: work(Call(db, Principal("test", "admin"), CLOCK)))

    def sync(self, drafts: Sequence[ItemDraft]) -> ItemsSynced:
        entries = syncing.entries_of(drafts)
        answer: ItemsSynced = self.write(lambda call: syncing.sync(call, self.dataset_id, drafts, entries))
        return answer

    def items(self, version: int | None = None) -> list[DatasetItem]:
        """Oldest first."""
        page = self.read(lambda call: datasets.items(call, self.dataset_id, version, Slice(10_000)))
        return list(reversed(page.items))

    def state(self) -> tuple[int, int]:
        dataset = self.read(lambda call: datasets.get(call, self.dataset_id))
        return dataset.version, dataset.item_count


@pytest.fixture
def place(store: Store) -> Place:
    return Place(store)


def counts(answer: ItemsSynced) -> dict[str, int]:
    named = {name: getattr(answer, name) for name in ("added", "changed", "removed", "kept")}
    return {name: count for name, count in named.items() if count}


def plain(*inputs: Any) -> list[ItemDraft]:
    return [ItemDraft(input=input) for input in inputs]


def keyed(**inputs: Any) -> list[ItemDraft]:
    return [ItemDraft(key=key, input=input) for key, input in inputs.items()]


# --- laws -----

values = st.sampled_from(["a", "b", 1, 1.0, {"x": 1, "y": [2]}, {"y": [2], "x": 1.0}])
keys = st.none() | st.sampled_from(["k1", "k2", "k3", "k4"])
an_item = st.builds(
    ItemDraft, input=values, expected_output=st.none() | values, metadata=st.sampled_from([None, {}, {"level": 1}]),
    key=keys,
)  # fmt: skip


def each_key_once(made: list[ItemDraft]) -> bool:
    given_keys = [draft.key for draft in made if draft.key is not None]
    return len(set(given_keys)) == len(given_keys)


drafts = st.lists(an_item, max_size=8).filter(each_key_once)


def said(item: ItemDraft | DatasetItem) -> tuple[str | None, str]:
    return item.key, content(item)


def content(item: ItemDraft | DatasetItem) -> str:
    return canonical([item.input, item.expected_output, item.metadata])


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(history=st.lists(drafts, min_size=1, max_size=4))
def test_after_every_sync_the_items_are_the_drafts_and_a_second_one_changes_nothing(store, history):
    place = Place(store)
    versions: dict[int, Counter[str]] = {}
    for wanted in history:
        before = {item.id: item for item in place.items()}
        answer = place.sync(wanted)
        after = {item.id: item for item in place.items()}
        assert [said(after[id]) for id in answer.item_ids] == [said(draft) for draft in wanted]
        assert sorted(after) == sorted(answer.item_ids)
        assert place.state() == (answer.version, len(wanted))
        assert answer.added + answer.changed + answer.kept == len(wanted)
        assert answer.removed + answer.changed + answer.kept == len(before)
        assert answer.kept == len(before.keys() & after.keys())
        assert all(content(before[id]) == content(after[id]) for id in before.keys() & after.keys())
        again = place.sync(wanted)
        assert (again.item_ids, again.version, again.kept) == (answer.item_ids, answer.version, len(wanted))
        versions[answer.version] = Counter(map(content, after.values()))
    for version, contents in versions.items():
        assert Counter(content(item) for item in place.items(version)) == contents, "older versions stay as they were"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(first=drafts, second=drafts)
def test_equal_content_keeps_its_ids_where_no_keys_say_otherwise(store, first, second):
    first, second = ([draft.model_copy(update={"key": None}) for draft in made] for made in (first, second))
    place = Place(store)
    before = place.sync(first)
    after = place.sync(second)
    shared = Counter(map(content, first)) & Counter(map(content, second))
    assert after.kept == len(set(before.item_ids) & set(after.item_ids)) == shared.total()
    assert after.changed == 0


entries = st.lists(
    st.builds(Entry, st.none() | st.sampled_from("abc"), st.sampled_from([b"x", b"y", b"z"])), max_size=7
)


@given(stored=entries, wanted=entries)
def test_an_item_stays_for_one_draft_of_equal_content_and_never_changes_one_key_for_another(stored, wanted):
    unique = {(entry.key or number): entry for number, entry in enumerate(stored)}.values()
    items = {f"id{number}": entry for number, entry in enumerate(unique)}
    wanted = list({(entry.key or number): entry for number, entry in enumerate(wanted)}.values())
    ids = match(items, wanted)
    staying = [id for id in ids if id is not None]
    assert len(set(staying)) == len(staying)
    for id, entry in zip(ids, wanted, strict=True):
        if id is not None:
            assert items[id].content == entry.content
            assert None in (items[id].key, entry.key) or items[id].key == entry.key


# --- examples -----


def test_the_first_sync_stores_items_in_the_order_of_the_drafts(place):
    answer = place.sync(plain("c", "a", "b"))
    assert [item.input for item in place.items()] == ["c", "a", "b"]
    assert answer.item_ids == [item.id for item in place.items()]
    assert (answer.version, counts(answer)) == (2, {"added": 3})


def test_another_order_is_no_change(place):
    first = place.sync(plain("a", "b", "c"))
    again = place.sync(plain("c", "a", "b"))
    assert (again.version, counts(again)) == (first.version, {"kept": 3})
    assert again.item_ids == [first.item_ids[2], first.item_ids[0], first.item_ids[1]]


def test_other_content_under_the_same_key_is_a_new_item_and_the_old_version_keeps_the_old_one(place):
    first = place.sync(keyed(a="one", b="two"))
    second = place.sync(keyed(a="uno", b="two"))
    assert (second.version, counts(second)) == (3, {"changed": 1, "kept": 1})
    assert second.item_ids[0] not in first.item_ids
    assert second.item_ids[1] == first.item_ids[1]
    assert [(item.key, item.input) for item in place.items(first.version)] == [("a", "one"), ("b", "two")]


def test_contents_that_change_keys_are_two_changes(place):
    place.sync(keyed(a="one", b="two"))
    assert counts(place.sync(keyed(a="two", b="one"))) == {"changed": 2}


def test_an_item_without_a_key_gets_one_and_stays_the_same_item(place):
    first = place.sync(plain("a", "b"))
    second = place.sync(keyed(k="b", j="a"))
    assert (second.version, counts(second)) == (first.version, {"kept": 2})
    assert second.item_ids == first.item_ids[::-1]
    assert [item.key for item in place.items()] == ["j", "k"]
    third = place.sync(plain("a", "b"))
    assert (third.item_ids, [item.key for item in place.items()]) == (first.item_ids, [None, None])


def test_the_same_content_several_times_is_counted(place):
    first = place.sync(plain("a", "a", "b"))
    assert len(set(first.item_ids)) == 3
    second = place.sync(plain("a", "a", "a"))
    assert counts(second) == {"added": 1, "removed": 1, "kept": 2}
    assert second.item_ids[:2] == first.item_ids[:2]


def test_nothing_at_all_removes_everything(place):
    place.sync(plain("a"))
    assert counts(place.sync([])) == {"removed": 1}
    assert place.state() == (3, 0)


def test_a_key_that_left_is_free_again(place):
    place.sync(keyed(a="one"))
    place.sync([])
    assert counts(place.sync(keyed(a="one"))) == {"added": 1}


def test_a_key_twice_is_refused_with_both_positions():
    twice = [*keyed(a=1, b=2), *plain("x"), ItemDraft(key="b", input=3), ItemDraft(key="a", input=1)]
    with pytest.raises(InvalidInput, match=r"^items\[3\] has the key 'b' of items\[1\]; .* \(and 1 more\)$") as refused:
        syncing.entries_of(twice)
    assert [problem.index for problem in refused.value.problems] == [3, 4]


def test_a_key_that_is_there_is_not_added_again(place):
    place.sync(keyed(a="one"))
    with pytest.raises(Conflict, match="key 'a' belongs to another item"):
        place.write(lambda call: datasets.add_item(call, place.dataset_id, ItemDraft(key="a", input="other")))
    for lines in (keyed(b=1, a=2), [*keyed(c=1), *keyed(c=2)], [*keyed(c=1), *plain(*range(1500)), *keyed(c=2)]):
        with pytest.raises(Conflict, match="belongs to another item"):
            place.write(lambda call, lines=lines: datasets.import_items(call, place.dataset_id, lines, len(lines)))
    assert place.state() == (2, 1)
    (item,) = place.items()
    place.write(lambda call: datasets.delete_item(call, place.dataset_id, item.id))
    place.write(lambda call: datasets.add_item(call, place.dataset_id, ItemDraft(key="a", input="other")))
    assert [item.key for item in place.items()] == ["a"]


def test_many_items_are_read_in_parts(place):
    many = plain(*range(5001))
    first = place.sync(many)
    again = place.sync([*many, *plain("new")])
    assert (again.item_ids[:-1], counts(again)) == (first.item_ids, {"added": 1, "kept": 5001})


def test_callers_at_once_leave_one_whole_list(place):
    lists = [keyed(**{f"k{n}": f"{caller} {n}" for n in range(20)}) for caller in range(4)]
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(place.sync, lists))
    assert sorted(answer.version for answer in answers) == [2, 3, 4, 5]
    last = max(answers, key=lambda answer: answer.version)
    assert [item.id for item in place.items()] == last.item_ids
    assert len({str(item.input).split()[0] for item in place.items()}) == 1
