"""What `data=` may be: files, lists, frames and tables give the same items, and what is wrong is named."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.model.dataset import ItemDraft
from gnomon.service.evaluation.data import EvaluationItem, content_hash, names_file, read_data
from gnomon.service.evaluation.plain import is_plain_text, plain_json

ROWS = [
    {"id": "fr", "input": "France", "expected_output": "Paris", "metadata": {"part": "west"}, "hard": True},
    {"id": "it", "input": "Italy", "expected_output": "Rome", "metadata": {"part": "south"}, "hard": False},
]
ITEMS = [
    EvaluationItem("fr", "France", "Paris", {"part": "west", "hard": True}),
    EvaluationItem("it", "Italy", "Rome", {"part": "south", "hard": False}),
]


def jsonl(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def refusal(data: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as refused:
        read_data(data, **options)
    assert "\n" not in refused.value.message
    return refused.value.message


def test_a_list_a_frame_a_table_and_files_give_the_same_items(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "a.parquet")
    (tmp_path / "a.json").write_text(json.dumps(ROWS), encoding="utf-8")
    for data in [
        ROWS,
        pl.DataFrame(ROWS),
        pl.LazyFrame(ROWS),
        pa.Table.from_pylist(ROWS),
        jsonl(tmp_path / "a.jsonl", *ROWS),
        str(tmp_path / "a.parquet"),
        tmp_path / "a.json",
    ]:
        assert read_data(data).items == ITEMS


def test_a_pandas_frame_gives_the_same_items_and_its_missing_cells_are_absent() -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    assert read_data(pd.DataFrame(ROWS)).items == ITEMS
    frame = pd.DataFrame({"input": ["a", "b"], "expected_output": ["x", None], "n": [1.5, float("nan")]})
    frame["day"] = pd.to_datetime(["2026-01-02", None])
    assert read_data(frame).items == [
        EvaluationItem(None, "a", "x", {"n": 1.5, "day": "2026-01-02T00:00:00"}),
        EvaluationItem(None, "b"),
    ]


def test_drafts_of_items_are_items() -> None:
    draft = ItemDraft(input={"question": "?"}, expected_output=1, metadata={"a": 1})
    assert read_data([draft]).items == [EvaluationItem(None, {"question": "?"}, 1, {"a": 1})]


def test_cells_of_csv_stay_text_and_empty_ones_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "sums.csv"
    path.write_text('id,input,expected_output,metadata,level\n1,007,7,"{""a"": 1.5}",low\n2,,,,\n', encoding="utf-8")
    assert read_data(path).items == [
        EvaluationItem("1", "007", "7", {"a": 1.5, "level": "low"}),
        EvaluationItem("2", ""),
    ]


def test_numbers_of_json_stay_numbers(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "n.jsonl", {"input": 1.5, "expected_output": 2})
    assert read_data(path).items == [EvaluationItem(None, 1.5, 2)]


def test_the_dataset_is_named_by_the_caller_else_by_the_file_else_by_its_content(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "capitals.v2.jsonl", *ROWS)
    assert read_data(path, dataset="mine").name == "mine"
    assert read_data(path).name == "capitals.v2"
    inline = read_data(ROWS).name
    assert inline.startswith("inline-")
    assert inline == read_data(pl.DataFrame(ROWS)).name != read_data(ROWS[:1]).name


def test_other_columns_are_said_to_be_in_the_metadata() -> None:
    assert read_data(ROWS).notes == ["other columns are kept in each item's metadata: hard"]
    assert read_data([{"input": "a"}]).notes == []


def test_a_missing_input_names_the_columns_and_the_nearest() -> None:
    assert refusal([{"inputs": "a", "answer": "b"}]) == (
        "the list has no column 'input', only inputs, answer; rename 'inputs' to 'input'"
    )
    assert "only question, context; name one of them input" in refusal([{"question": "a", "context": "b"}])


def test_equal_ids_name_both_rows_and_equal_content_is_fine(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", {"id": 1, "input": "a"}, {"input": "b"}, {"id": "1", "input": "c"})
    assert refusal(path) == "a.jsonl, line 1 and a.jsonl, line 3 have the same id '1'; ids are unique"
    assert len(read_data([{"input": "a"}, {"input": "a"}]).items) == 2


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "a.jsonl, line 2: this is not JSON"),
        ("[1]", "a.jsonl, line 2 is [1], not an object"),
        ('{"output": 1}', "a.jsonl, line 2 has no input"),
        ('{"input": null}', "a.jsonl, line 2 has no input"),
        ('{"input": 1, "metadata": "x"}', "a.jsonl, line 2: metadata is 'x', not an object"),
        ('{"input": 1, "id": ""}', "a.jsonl, line 2: id is ''"),
        ('{"input": 1, "id": 1.5}', "a.jsonl, line 2: id is 1.5"),
        ('{"input": 1, "k": 1, "metadata": {"k": 2}}', "a.jsonl, line 2: 'k' is a column and also a key of metadata"),
        ('{"input": "\\u0000"}', "a.jsonl, line 2: a string holds the character NUL"),
        ('{"input": 1e999}', "a.jsonl, line 2: this is not JSON"),
        ("[" * 500 + "]" * 500, "a.jsonl, line 2 is"),
        ('{"input": ' + "[" * 101 + "]" * 101 + "}", "nested deeper than 100 levels"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "a.jsonl").write_text(f'{{"input": 1}}\n{line}\n', encoding="utf-8")
    assert words in refusal(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "the list has no rows"),
        (["a"], "row 1 is 'a', not a dict"),
        ({"input": ["a"]}, "data is {'input': ['a']}; give a path"),
        (3, "data is 3; give a path"),
        (None, "data is None; give a path"),
        ("capitals", "data is 'capitals'; give a path"),
        ([{"input": float("nan")}], "row 1: input holds nan, which JSON cannot represent"),
        ([{"input": object}], "of type type, which JSON cannot represent; convert it to text first"),
        ([{"input": {1: 2}}], "row 1: input has the key 1, which is not text"),
        ([{1: 2}], "row 1 has the key 1, which is not text"),
        ([{"input": "\ud800"}], "row 1: input holds half a character"),
        ([{"input": 2**1024}], "row 1: input holds a number beyond the range of a double"),
    ],
)
def test_what_is_no_data_is_refused_with_its_value(data: Any, words: str) -> None:
    assert words in refusal(data)


def test_a_file_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    jsonl(tmp_path / "capitals.jsonl", *ROWS)
    assert "does not exist; did you mean capitals.jsonl?" in refusal(str(tmp_path / "capital.jsonl"))
    assert "nor does the folder" in refusal(str(tmp_path / "none" / "capital.jsonl"))
    (tmp_path / "folder.jsonl").mkdir()
    assert "is a folder" in refusal(tmp_path / "folder.jsonl")


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("input,input\n1,2\n", encoding="utf-8")
    assert "a.csv has 2 columns named 'input'" in refusal(tmp_path / "a.csv")


def test_a_blank_name_of_a_dataset_is_refused() -> None:
    assert "dataset is ' '; give a name" in refusal(ROWS, dataset=" ")


def test_a_text_is_a_file_by_its_suffix_or_its_slash_and_else_a_dataset() -> None:
    assert names_file("a.jsonl")
    assert names_file("data/a")
    assert names_file(Path("a"))
    assert not names_file("capitals")
    assert not names_file(ROWS)


def test_values_of_numpy_and_dates_become_plain_json() -> None:
    row = {"input": (np.int64(3), np.float32(0.5)), "vector": np.array([1.0, 2.0]), "day": date(2026, 1, 2)}
    assert read_data([row]).items == [EvaluationItem(None, [3, 0.5], None, {"vector": [1.0, 2.0], "day": "2026-01-02"})]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(st.lists(json_values.filter(lambda value: value is not None), min_size=1, max_size=5))
def test_json_values_come_through_unchanged_and_name_their_content(inputs: list[Any]) -> None:
    first = read_data([{"input": value} for value in inputs])
    assert [item.input for item in first.items] == inputs
    assert first.name == read_data([{"input": value} for value in json.loads(json.dumps(inputs))]).name
    assert content_hash(first.items) == content_hash(read_data(first_rows(first.items)).items)


def first_rows(items: list[EvaluationItem]) -> list[dict[str, Any]]:
    return [{key: value for key, value in item.as_json().items() if value is not None} for item in items]


@given(st.text(st.characters(exclude_categories=())) | st.text("ab\0é\ud800", max_size=4))
def test_text_that_needs_no_look_would_have_passed_one(text: str) -> None:
    """The quick way for ordinary text takes nothing that the full check refuses or changes."""
    if is_plain_text(text):
        assert plain_json(text, "it") == text
    assert not is_plain_text(text + "\0")


@pytest.mark.parametrize("id", ["x" * 257, "", " ", True, 1.5])
def test_an_id_that_no_item_can_have_is_refused_with_its_row(id: Any) -> None:
    message = refusal([{"id": "fine", "input": "q"}, {"id": id, "input": "q"}])
    assert message.startswith("row 2: id is ")
    assert "256" in message
