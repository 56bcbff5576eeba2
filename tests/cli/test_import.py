"""`gnomon import`: what it says, stores and refuses."""

import json
import shutil
from pathlib import Path

import pytest

from .conftest import Run

FILES = Path(__file__).parents[1] / "golden" / "foreign"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Not there yet: the first import makes it."""
    return tmp_path / "gnomon.db"


def test_a_file_is_imported_once_and_can_be_summarised(gnomon: Run, db: Path) -> None:
    file = FILES / "inspect" / "capitals.eval"
    planned = gnomon("import", file, "--db", db, "--dry-run")
    assert planned.out.startswith("Would import into default: 1 experiment, 6 runs, 12 scores, 4 scores without")
    done = gnomon("import", file, "--db", db)
    assert (done.code, done.out) == (0, planned.out.replace("Would import", "Imported"))
    again = gnomon("import", file, "--db", db)
    assert again.out.startswith("Imported into default: nothing new\nThere already: 1 experiment, 6 runs")
    assert "match" in gnomon("summary", "capitals@mockllm/model", "--db", db).out


def test_a_file_that_was_evaluated_is_not_imported_as_other_items(
    gnomon: Run, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evaluation names its dataset after the file, as an import does: the same items, and the same version."""
    monkeypatch.chdir(tmp_path)
    capitals = Path("capitals.jsonl")
    capitals.write_text('{"input": "France", "expected_output": "Paris"}\n' * 2 + '{"input": "Italy"}\n')
    Path("suite.yaml").write_text("name: capitals\ndata: capitals.jsonl\ntask: app.py:answer\nscorers: [exact_match]\n")
    Path("app.py").write_text("def answer(input): return input\n")
    for command in (["eval", "suite.yaml"], ["import", capitals], ["eval", "suite.yaml"], ["import", capitals]):
        assert gnomon(*command, "--db", db, "--project", "p").code == 0
    (dataset,) = json.loads(gnomon("list", "datasets", "--db", db, "--json").out)
    assert (dataset["item_count"], dataset["version"], dataset["experiment_count"]) == (3, 2, 2)
    with capitals.open("a") as file:
        file.write('{"input": "Spain"}\n')
    done = gnomon("eval", "suite.yaml", "--db", db, "--project", "p")
    assert "the data of dataset 'capitals' has changed (1 added), so it has a new version, 3" in done.out
    earlier = gnomon("summary", "capitals", "--at", "~1", "--db", db).out
    assert earlier.startswith("capitals (completed): 3 runs; 3 items (the dataset has 4 now)")


def test_a_folder_is_imported_and_what_is_not_known_is_listed(gnomon: Run, db: Path) -> None:
    done = gnomon("import", FILES, "--project", "others", "--db", db, "--json")
    assert done.code == 0
    report = json.loads(done.out)
    assert report["project_id"] == "others"
    assert report["experiments"]["added"] == 24
    assert [Path(file["path"]).name for file in report["files"] if file["status"] == "unknown"] == ["README.md"]
    assert {one["what"]: one["count"] for one in report["not_understood"]}["event of the type extra"] == 2
    words = gnomon("import", FILES, "--project", "others", "--db", db).out
    assert "nothing new" in words
    assert "no reader knows: " in words


def test_a_file_that_cannot_be_read_does_not_hold_up_the_others(gnomon: Run, db: Path, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    shutil.copytree(FILES / "inspect", folder)
    whole = (folder / "capitals.json").read_bytes()
    (folder / "capitals.json").write_bytes(whole[: len(whole) // 2])
    done = gnomon("import", folder, "--db", db)
    assert done.code == 0
    assert "1 experiment, 6 runs" in done.out
    assert "cannot be read: " in done.out
    alone = gnomon("import", folder / "capitals.json", "--db", db)
    assert (alone.code, alone.out) == (3, "")
    assert alone.err.count("\n") == 1
    assert "is not JSON, or cut" in alone.err


def test_a_format_that_is_named_leaves_other_files_of_a_folder_alone(gnomon: Run, db: Path) -> None:
    done = gnomon("import", FILES, "--format", "deepeval", "--db", db, "--json")
    files = json.loads(done.out)["files"]
    assert [file["format"] for file in files if file["status"] == "imported"] == ["deepeval"]
    assert {file["status"] for file in files} == {"imported", "unknown"}


def test_columns_are_mapped_and_the_experiment_named(gnomon: Run, db: Path, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("n,q,a,g,hits\n1,Capital of France?,Paris,Paris,9\n2,Capital of Italy?,Milan,Rome,3\n")
    columns = "id=n,input=q,output=a,expected_output=g,score.hits=hits"
    done = gnomon("import", file, "--columns", columns, "--range", "hits=0..10", "--name", "mine", "--db", db)
    assert done.code == 0, done.err
    found = json.loads(gnomon("summary", "mine", "--db", db, "--json").out)
    assert found["scores_by_scorer"]["hits"]["mean"] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.json"], "nowhere.json does not exist; name a file or a folder"),
        (["notes.txt"], "notes.txt has no known format; name it with --format (inspect, "),
        (["empty"], "has no file of a known format"),
        (["notes.txt", "--format", "inspekt"], "format 'inspekt' is not known; use auto, inspect"),
        (["notes.txt", "--columns", "in=x"], "--columns names the field 'in'"),
        (["notes.txt", "--columns", "input=x", "--format", "inspect"], "--columns is for tables"),
        (["notes.txt", "--range", "x"], "--range 'x' is not NAME=WORST..BEST"),
        (["notes.txt", "--name", " "], "--name is empty"),
    ],
)
def test_bad_input_is_one_line(
    gnomon: Run, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "empty").mkdir()
    done = gnomon("import", *arguments, "--db", db)
    assert done.code == 2
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert said in done.err


def test_with_several_projects_one_is_to_be_named(gnomon: Run, db: Path) -> None:
    file = FILES / "deepeval" / "capitals.json"
    for project in ("one", "two"):
        assert gnomon("import", file, "--project", project, "--db", db).code == 0
    done = gnomon("import", file, "--db", db)
    assert done.code == 2
    assert "there are several projects (two, one); name one with --project" in done.err
