"""Paths into a world, and changes along them."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.bench.tasks import paths
from gnomon.bench.tasks.paths import MISSING, PathError

WORLD: dict[str, Any] = {"orders": {"W1": {"lines": [{"n": 1}, {"n": 2}]}, "a.b": None}, "log": []}

keys = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters='"'), max_size=4)
worlds = st.recursive(
    st.none() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=10,
)


@given(st.lists(keys, min_size=1, max_size=4))
def test_a_path_is_read_back_as_it_was_written(path: list[str]) -> None:
    assert paths.parse(paths.written(path)) == tuple(path)


@pytest.mark.parametrize("text", ["", ".", "a.", ".a", "a..b", "a[0]", 'a."b', 'a"b"', "x" * 501])
def test_a_text_that_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(PathError):
        paths.parse(text)


def test_what_is_not_there_is_missing_and_null_is_a_value() -> None:
    assert paths.value_at(WORLD, paths.parse('orders."a.b"')) is None
    assert paths.value_at(WORLD, paths.parse("orders.W1.lines.1.n")) == 2
    for text in ("orders.W2", "orders.W1.lines.2", "orders.W1.lines.-1", "log.0", "log.0.a"):
        assert paths.value_at(WORLD, paths.parse(text)) is MISSING


def test_a_change_leaves_the_old_world_and_shares_the_rest() -> None:
    before = copy.deepcopy(WORLD)
    changed = paths.with_value(WORLD, paths.parse("orders.W1.lines.0.n"), 9)
    assert before == WORLD
    assert changed["orders"]["W1"]["lines"] == [{"n": 9}, {"n": 2}]
    assert changed["log"] is WORLD["log"]


@pytest.mark.parametrize("path", ["orders.W2.lines", "log.0", "nowhere.at.all"])
def test_a_value_has_to_have_something_to_stand_in(path: str) -> None:
    with pytest.raises(PathError):
        paths.with_value(WORLD, paths.parse(path), 1)


@given(worlds.filter(lambda world: isinstance(world, dict)), st.data())
def test_setting_then_reading_gives_the_value_and_removing_takes_it_away(world: dict[str, Any], data: Any) -> None:
    key = data.draw(keys)
    changed = paths.with_value(world, (key,), [1])
    assert paths.value_at(changed, (key,)) == [1]
    assert paths.value_at(paths.with_appended(changed, (key,), 2), (key,)) == [1, 2]
    removed = paths.without(changed, (key,))
    assert paths.value_at(removed, (key,)) is MISSING
    assert removed == {name: value for name, value in world.items() if name != key}


def test_a_pattern_stands_for_every_key_and_index() -> None:
    assert list(paths.matching(WORLD, paths.parse("orders.*.lines.*.n"))) == [
        ("orders", "W1", "lines", "0", "n"),
        ("orders", "W1", "lines", "1", "n"),
    ]
    assert paths.pruned(WORLD, [paths.parse("orders.*.lines.*"), ("log",)]) == {
        "orders": {"W1": {"lines": []}, "a.b": None}
    }
