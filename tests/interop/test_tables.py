"""Result tables of other people: what each shape is read as, and what is refused in one line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.interop import rows as files
from gnomon.interop.resulttables import LongTable, Preferences, Reported, duplicates, parse_table, read_table


@pytest.fixture
def file(tmp_path: Path):
    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def rows(table):
    return list(zip(table.agents, table.items, table.trials, table.values, strict=True))


LONG = [("x", "1", "1", 1.0), ("x", "1", "2", 0.0), ("y", "1", "1", 0.5)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.csv", "agent,item,trial,value\nx,1,1,1\nx,1,2,0\ny,1,1,0.5\n"),
        ("r.csv", "\ufeffModel, Task_ID ,SEED,Reward\r\nx,1,1,true\r\nx,1,2,FALSE\r\n\r\ny,1,1,5e-1\r\n"),
        ("r.csv", 'value,item,agent\n1,1,"x"\n0, 1 ,x\n.5,1,y\n'),
        ("r.tsv", "system\tquestion_id\trun\tscore\nx\t1\t1\t1.0\nx\t1\t2\t0.0\ny\t1\t1\t.50\n"),
        (
            "r.jsonl",
            '{"agent":"x","item":1,"value":true}\n\n'
            '{"agent":"x","item":1,"value":0}\n{"agent":"y","item":"1","value":0.5}',
        ),
        (
            "r.json",
            '[{"agent":"x","item":1,"trial":1,"value":1},{"agent":"x","item":1,"trial":2,"value":false},'
            '{"value":0.50,"trial":1,"item":1,"agent":"y"}]',
        ),
    ],
)  # fmt: skip
def test_a_long_table_is_read_the_same_from_every_format(file, name, content):
    table = read_table(file(name, content))
    assert isinstance(table, LongTable)
    assert rows(table) == LONG


def test_parquet_is_read_with_nulls_as_missing(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "r.parquet"
    pq.write_table(pa.table({"agent": ["x", "x"], "item": [1, 2], "trial": [1.0, 1.0], "value": [True, None]}), path)
    table = read_table(path)
    assert rows(table) == [("x", "1", "1", 1.0), ("x", "2", "1", None)]
    assert table.lines == [1, 2]
    assert table.unit == "row"


@pytest.mark.parametrize("blank", ["", "NA", "n/a", "null", "None", "  "])
def test_a_blank_value_is_missing(file, blank):
    assert read_table(file("r.csv", f"item,value\n1,{blank}\n2,1\n")).values == [None, 1.0]


def test_a_wide_table_gives_one_score_a_trial(file):
    table = read_table(file("gpt.csv", "task_id,trial0,trial_1,note\na,0,1,fine\nb,1,,late\n"))
    assert rows(table) == [
        ("gpt", "a", "0", 0.0),
        ("gpt", "a", "1", 1.0),
        ("gpt", "b", "0", 1.0),
        ("gpt", "b", "1", None),
    ]
    assert table.lines == [2, 2, 3, 3]
    assert table.notes == ("columns taken by their usual names: item=task_id", "columns not used: note")


def test_the_agent_is_the_argument_or_the_name_of_the_file(file):
    path = file("gpt.csv", "item,value\n1,1\n")
    assert read_table(path).agents == ["gpt"]
    assert read_table(path, "mine").agents == ["mine"]


def test_an_agent_given_beside_a_column_of_agents_is_refused(file):
    with pytest.raises(InvalidInput, match="--agent 'mine' is for tables that name none"):
        read_table(file("r.csv", "model,item,value\nx,1,1\n"), "mine")


@pytest.mark.parametrize(
    ("winner", "expected"),
    [("x", "a"), ("y", "b"), ("a", "a"), ("B", "b"), ("tie", "tie"), ("Draw", "tie"), ("model_b", "b")],
)
def test_a_winner_is_a_name_or_a_side(file, winner, expected):
    table = read_table(file("p.csv", f"model_a,model_b,item,winner\nx,y,1,{winner}\n"))
    assert isinstance(table, Preferences)
    assert (table.a, table.b, table.items, table.winners) == (["x"], ["y"], ["1"], [expected])


def test_an_agent_called_b_wins_under_its_name(file):
    assert read_table(file("p.csv", "a,b,winner\nb,c,b\n")).winners == ["a"]


def test_a_preference_without_a_winner_is_left_out_with_a_note(file):
    table = read_table(file("p.csv", "a,b,winner\nx,y,x\nx,y,\n"))
    assert table.winners == ["a"]
    assert table.items == [None]
    assert table.notes == ("no winner, left out: line 3",)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "agent,n,mean,stderr,ci_lower,ci_upper\nx,20,0.850,.08,0.6,1.0\n"),
        ("t.jsonl", '{"agent":"x","n":20,"mean":0.850,"se":".08","ci_low":0.6,"ci_high":1.0}'),
    ],
)
def test_reported_numbers_keep_the_digits_that_were_printed(file, name, content):
    table = read_table(file(name, content))
    assert isinstance(table, Reported)
    (row,) = table.rows
    assert (row.agent, row.n, row.mean, row.se, row.sd) == ("x", 20, "0.850", ".08", None)
    assert (row.ci_low, row.ci_high) == ("0.6", "1.0")


def test_a_score_given_twice_is_refused_with_both_lines_and_left_in_by_the_lower_reader(file):
    path = file("r.csv", "agent,item,trial,value\nx,1,1,1\nx,2,1,1\nx,1,1,0\n")
    with pytest.raises(InvalidInput, match=r"r.csv, lines 2 and 4 both score agent 'x', item '1', trial '1'"):
        read_table(path)
    table = parse_table(path)
    assert isinstance(table, LongTable)
    assert duplicates(table) == {("x", "1", "1"): [2, 4]}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("item,value\n1,1\n2,nan\n", "r.csv, line 3: value 'nan' is not a finite number; leave the cell empty"),
        ("item,value\n1,-inf\n", "line 2: value '-inf' is not a finite number"),
        ("item,score\n1,85\n", "line 2: score '85' is outside [0, 1]; divide by your scale first"),
        ("item,value\n1,pass\n", "line 2: value 'pass' is not a number; write 0 to 1"),
        ("item,trial1\n1,-0.1\n", "line 2: trial1 '-0.1' is outside [0, 1]"),
        ("item,value\n,1\n", "line 2: item is empty"),
        ("agent,item,value\n  ,1,1\n", "line 2: agent is empty"),
        ("item,value\n1\n", "line 2 has 1 cell where the first has 2"),
        ("item,value\n1,\"1\n", "is not CSV"),
        ("item,value\n", "has columns but no row"),
        ("", "is empty; name a file with rows in it"),
        ("item|value\n1|1\n", "has one column, 'item|value'; separate columns by commas"),
        ("name,result\n1,1\n", "has the columns name, result; name them agent,item,trial,value or"),
        ("item,score,passed\n1,1,1\n", "has the columns score and passed; say which one is the value, as in"),
        ("item,Item,value\n1,1,1\n", "names the column 'Item' twice"),
        ("a,b,winner\nx,x,x\n", "line 2: a and b are both 'x'"),
        ("a,b,winner\nx,y,z\n", "line 2: winner 'z' is neither 'x' nor 'y'"),
        ("agent,n,mean\nx,1.5,0.5\n", "line 2: n '1.5' is not a whole number from 1 up"),
        ("agent,n,mean\nx,0,0.5\n", "line 2: n '0' is not a whole number from 1 up"),
        ("agent,n,mean\nx,10,nan\n", "line 2: mean 'nan' is not a finite number"),
        ("agent,n,mean\nx,10,\n", "line 2: mean is missing"),
        ("agent,n,mean,se\nx,10,0.5,±0.1\n", "line 2: se '±0.1' is not a finite number"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_one_line(file, content, said):
    with pytest.raises(InvalidInput) as refused:
        read_table(file("r.csv", content))
    assert said in refused.value.message
    assert "\n" not in refused.value.message


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("r.csv", "item,value\nä,1\n".encode("latin-1"), "line 2 is not UTF-8"),
        ("r.csv", "item,value\n1,1\n".encode("utf-16"), "line 1 is not UTF-8"),
        ("r.jsonl", b'{"item": 1, "value": NaN}', "line 1 is not JSON"),
        ("r.jsonl", b"[1]\n", "line 1 is [1], not an object"),
        ("r.jsonl", b'{"item": {"a": 1}, "value": 1}', "line 1: item is {'a': 1}; a name is text or a number"),
        ("r.jsonl", b'{"item": 1, "value": [1]}', "line 1: value [1] is not a number"),
        ("r.jsonl", b'{"item": 1, "value": 1' + b"0" * 400 + b"}", "is not a finite number"),
        ("r.jsonl", b"{" * 100_000, "line 1 is not JSON"),
        ("r.jsonl", b'{"item": 1, "value": NaN}', "line 1 is not JSON (NaN is not JSON; write null)"),
        ("r.json", b'[{"item": 1, "value": -Infinity}]', "r.json is not JSON (-Infinity is not JSON; write null)"),
        ("r.jsonl", '{"item": 1}'.encode("utf-16"), "line 1 is not JSON (it is not UTF-8; save it as UTF-8)"),
        ("r.jsonl", b"{}\n", "holds no object with keys"),
        ("r.json", b'{"item": 1}', "holds no list"),
        ("r.json", b"[1]", "row 1 is 1, not an object"),
        ("r.parquet", b"item,value", "cannot be read as Parquet"),
        ("r.xlsx", b"PK", "is not .csv, .tsv, .jsonl, .json or .parquet"),
    ],
)
def test_files_that_are_not_what_they_say_are_refused_in_one_line(file, name, content, said):
    with pytest.raises(InvalidInput) as refused:
        read_table(file(name, content))
    assert said in refused.value.message
    assert "\n" not in refused.value.message


def test_a_folder_and_a_file_that_is_not_there_are_named(tmp_path):
    with pytest.raises(InvalidInput, match="is a folder"):
        read_table(tmp_path)
    with pytest.raises(InvalidInput, match=r"gone\.csv: No such file"):
        read_table(tmp_path / "gone.csv")


def test_a_line_longer_than_the_limit_is_refused(file, monkeypatch):
    monkeypatch.setattr(files, "LONGEST_LINE", 100)
    with pytest.raises(InvalidInput, match="line 2 is longer"):
        read_table(file("r.csv", f"item,value\n{'x' * 200},1\n"))


def test_parquet_without_pyarrow_names_the_extra(tmp_path):
    (tmp_path / "r.parquet").write_bytes(b"PAR1")
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from pathlib import Path\nfrom gnomon.errors import NotAvailable\n"
        "from gnomon.interop.resulttables import read_table\n"
        "try:\n    read_table(Path('r.parquet'))\nexcept NotAvailable as said:\n    print(said)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "[analytics]" in done.stdout


scores = st.none() | st.booleans() | st.floats(0, 1)
names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1).filter(lambda s: s.strip())


@given(st.lists(st.tuples(names, names, scores), min_size=1, max_size=30))
def test_every_row_of_a_jsonl_file_comes_back_once(tmp_path_factory, given_rows):
    path = tmp_path_factory.mktemp("any") / "r.jsonl"
    lines = [json.dumps({"agent": a, "item": i, "value": v}) for a, i, v in given_rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    table = read_table(path)
    found = list(zip(table.agents, table.items, table.values, strict=True))
    assert found == [(a.strip(), i.strip(), None if v is None else float(v)) for a, i, v in given_rows]
