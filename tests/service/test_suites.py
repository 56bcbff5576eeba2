"""Suites as text: whatever is in a file, it is a suite or a refusal in one line; filters and first suites."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.model.suite import Suite
from gnomon.service.evaluation.data import EvaluationItem, read_data
from gnomon.service.evaluation.selecting import ItemFilter, ItemSelection
from gnomon.service.evaluation.suites.reading import read_suite
from gnomon.service.evaluation.suites.starting import first_suite
from gnomon.service.evaluation.suites.watching import changed_files

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from([*Suite.model_fields, "tasks", "gate", "scorer"])


def refusal_of(content: bytes) -> str | None:
    """None for a suite."""
    try:
        read_suite(content, "suite.yaml")
    except InvalidInput as bad:
        return bad.message
    return None


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_a_suite_or_refused_in_a_line(content: bytes) -> None:
    refusal = refusal_of(content)
    assert refusal is None or (refusal.startswith("suite.yaml") and "\n" not in refusal)


@given(st.dictionaries(KEYS, JSON, max_size=5))
def test_any_values_are_a_suite_or_refused_with_their_line(keys: dict) -> None:
    refusal = refusal_of(json.dumps(keys, indent=1).encode())
    assert refusal is None or (refusal.startswith("suite.yaml") and "\n" not in refusal)


@given(st.dictionaries(st.sampled_from(["input", "expected_output", "topic"]), st.text(min_size=1, max_size=6)))
def test_a_filter_and_its_opposite_take_every_item_once(values: dict[str, str]) -> None:
    metadata = {"topic": values["topic"]} if "topic" in values else None
    item = EvaluationItem("1", values.get("input", ""), values.get("expected_output"), metadata)
    for field in ("input", "expected_output", "topic", "metadata.topic"):
        equal, other = ItemFilter.parse(f"{field}=a"), ItemFilter.parse(f"{field}!=a")
        assert equal.holds(item) != other.holds(item)


def test_a_selection_keeps_the_order_and_the_limit() -> None:
    items = [EvaluationItem(str(n), {"n": n}, None, {"even": n % 2 == 0}) for n in range(10)]
    selection = ItemSelection(3, (ItemFilter.parse("even=true"), ItemFilter.parse("input.n!=0")))
    assert selection.positions(items) == [2, 4, 6]
    assert not ItemSelection()


@pytest.mark.parametrize("name", ["a", "1 2", "weird: name", "- x", "übung", "true", 'q"uote'])
def test_a_first_suite_reads_back_as_it_was_meant(tmp_path: Path, name: str) -> None:
    data = tmp_path / f"{name.replace('/', '-')}.jsonl"
    data.write_text('{"Question": "a", "Answer": "b"}\n')
    written = first_suite(data, tmp_path)
    suite = read_suite(written.text.encode(), "suite.yaml")
    assert suite.data == data.name
    assert suite.name == data.stem
    assert yaml.safe_load(written.text)["columns"] == {"input": "Question", "expected_output": "Answer"}
    assert read_data(data, columns_as={"input": "Question", "expected_output": "Answer"}).items[0].input == "a"


def test_new_changed_and_removed_files_have_changed(tmp_path: Path) -> None:
    a, b, c = (tmp_path / name for name in "abc")
    assert changed_files({a: (1, 1), b: (1, 1)}, {a: (1, 1), b: (2, 1), c: (1, 1)}) == [b, c]
    assert changed_files({a: (1, 1)}, {}) == [a]
