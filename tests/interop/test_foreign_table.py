"""Tables of results: named columns, usual names, and what is refused."""

import json
from pathlib import Path

import pytest

from gnomon.errors import InvalidInput
from gnomon.interop.foreign.formats import format_of, read_any
from gnomon.interop.foreign.table import guessed, parse_table_columns

MAPPING = "input=question,output=answer,expected_output=gold,score.accuracy=acc,id=qid,trial=epoch"


def test_a_mapping_names_fields_and_columns() -> None:
    assert parse_table_columns(MAPPING) == {
        "input": "question", "output": "answer", "expected_output": "gold", "score.accuracy": "acc", "id": "qid",
        "trial": "epoch",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("question", "is not FIELD=COLUMN"),
        ("inptu=question", "did you mean input?"),
        ("zzz=question", "fields are input, output"),
        ("score.=acc", "is not known"),
        ("input=a,input=b", "twice"),
    ],
)
def test_a_mapping_that_is_wrong_is_refused_with_the_remedy(text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_table_columns(text)
    assert said in refused.value.message


def test_usual_names_are_guessed_and_named_columns_win() -> None:
    columns = ["qid", "question", "answer", "gold", "model", "is_correct", "tone_score", "seconds"]
    found = guessed(columns, {})
    assert found["output"] == "answer"
    assert found["expected_output"] == "gold"
    assert found["score.tone"] == "tone_score"
    assert "seconds" not in found.values()
    assert guessed(columns, {"input": "gold"})["input"] == "gold"
    assert guessed(["question", "answer"], {})["expected_output"] == "answer"


def test_a_column_that_is_not_there_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("question,answer\nx,y\n")
    with pytest.raises(InvalidInput, match=r"a\.csv has no column 'quest' \(for input\); did you mean question\?"):
        read_any(file, "table", {"input": "quest"})


def test_the_same_table_as_csv_jsonl_json_and_parquet_gives_the_same_runs(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [
        {"qid": "1", "question": "a", "answer": "b", "gold": "b", "acc": 1.0, "epoch": 0},
        {"qid": "1", "question": "a", "answer": "c", "gold": "b", "acc": 0.25, "epoch": 1},
    ]
    (tmp_path / "t.csv").write_text("qid,question,answer,gold,acc,epoch\n1,a,b,b,1.0,0\n1,a,c,b,0.25,1\n")
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "t.json").write_text(json.dumps(rows))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet")
    found = []
    for suffix in ("csv", "jsonl", "json", "parquet"):
        assert format_of(tmp_path / f"t.{suffix}") == "table"
        (experiment,) = read_any(tmp_path / f"t.{suffix}", "table", parse_table_columns(MAPPING)).experiments
        found.append(experiment)
    assert found[1:] == found[:-1]
    assert [(run.item_key, run.trial, run.output) for run in found[0].runs] == [("1", 1, "b"), ("1", 2, "c")]
    assert [run.scores[0].value for run in found[0].runs] == [1.0, 0.25]


def test_a_rating_outside_the_unit_interval_makes_no_full_mark_of_a_one(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text("id,rating\na,5\nb,1\n")
    (experiment,) = read_any(file).experiments
    scores = [run.scores[0] for run in experiment.runs]
    assert [score.value for score in scores] == [None, None]
    assert [score.raw for score in scores] == [5.0, 1.0]
    assert "`gnomon import --range rating=WORST..BEST` says it" in (scores[1].absent or "")


@pytest.mark.parametrize(
    ("content", "notes"),
    [
        ("id,input,output\n1,a,x\n1,a,y\n2,b,z\n", []),
        ("id,input,output\n1,a,x\n1,b,y\n2,b,z\n1,c,z\n", ["2 rows (", "id '1' in lines 2 and 3"]),
        ("id,input,expected_output\n1,a,x\n1,a,y\n", ["1 row (", "id '1' in lines 2 and 3"]),
    ],
)
def test_ids_that_are_not_unique_are_said(content: str, notes: list[str], tmp_path: Path) -> None:
    file = tmp_path / "ids.csv"
    file.write_text(content)
    said = [note for note in read_any(file, "table").notes if "ids are not unique" in note]
    assert len(said) == bool(notes)
    assert all(words in said[0] for words in notes)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty; name a file with rows in it"),
        ("id,score\n1\n", "line 2 has 1 cell where the first has 2"),
        ('id,score\n"1,2\n', "is not CSV"),
    ],
)
def test_broken_tables_are_refused_in_one_line(content: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.csv"
    file.write_text(content)
    with pytest.raises(InvalidInput) as refused:
        read_any(file, "table")
    assert said in refused.value.message
    assert "\n" not in refused.value.message
