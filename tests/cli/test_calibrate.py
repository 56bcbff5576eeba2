"""`gnomon calibrate`, over a file of ratings, a database and a server."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run, running
from gnomon.client import Client
from gnomon.model.access import KeyDraft
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.score import InlineScoreDraft

RATINGS = "target,judge,human\na,1,1\nb,1,0\nc,0,0\nd,1,1\ne,0,\nf,1,\ng,1,1\n"


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS, encoding="utf-8")
    return file


# --- files -----


def test_a_file_is_told_in_words(gnomon: Run, ratings: Path):
    done = gnomon("calibrate", "--file", ratings)
    assert (done.code, done.err) == (0, "")
    told = json.loads(gnomon("calibrate", "--file", ratings, "--json").out)
    assert "5 targets rated by both, 2 by the judge only" in done.out
    low, high = told["cohen_kappa"]["confidence_interval_95"]
    assert f"{told['cohen_kappa']['value']:.3f}  {low:.3f} to {high:.3f}" in done.out
    assert "├" in done.out
    assert "judge: 1" in done.out
    fixed = told["corrected_mean"]
    assert f"{told['judge_mean']['value']:.3f} → {fixed['value']:.3f}" in done.out
    assert "by double sampling" in done.out
    for note in told["notes"]:
        assert note in done.out


def test_lines_of_json_say_the_same(gnomon: Run, ratings: Path, tmp_path: Path):
    lines = tmp_path / "ratings.jsonl"
    rows = [dict(zip(("target", "judge", "human"), row.split(","), strict=True)) for row in RATINGS.split()[1:]]
    typed = [{"target": r["target"], "judge": int(r["judge"]), "human": r["human"] and int(r["human"])} for r in rows]
    lines.write_text("".join(json.dumps(row) + "\n" for row in typed), encoding="utf-8")
    assert gnomon("calibrate", "--file", lines, "--json").out == gnomon("calibrate", "--file", ratings, "--json").out


def test_the_order_of_the_lines_does_not_matter(gnomon: Run, ratings: Path, tmp_path: Path):
    head, *rows = RATINGS.splitlines()
    turned = tmp_path / "turned.csv"
    turned.write_text("\n".join([head, *reversed(rows)]), encoding="utf-8")
    assert gnomon("calibrate", "--file", turned, "--json").out == gnomon("calibrate", "--file", ratings, "--json").out


def test_a_file_needs_no_targets_and_may_hold_labels(gnomon: Run, tmp_path: Path):
    file = tmp_path / "labels.csv"
    file.write_text("judge,human\ngood,good\nbad,good\nbad,bad\nbad,bad\n", encoding="utf-8")
    done = gnomon("calibrate", "--file", file)
    assert done.code == 0
    assert "judge: good" in done.out
    assert "Spearman's rho: labels have no order" in done.out


def test_lines_of_one_target_are_taken_together(gnomon: Run, tmp_path: Path):
    file = tmp_path / "votes.csv"
    file.write_text("target,judge,human\na,1,1\na,0,\nb,1,1\nb,1,\n", encoding="utf-8")
    told = json.loads(gnomon("calibrate", "--file", file, "--json").out)
    assert (told["n_labelled"], told["judge_mean"]["value"]) == (2, 0.75)
    assert "repeated_scores" in told["flags"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "judge,person\n1,1\n", "has no column human, it has judge, person"),
        ("a.csv", "judge,human\n8,1\n", "line 2: judge is 8, outside [0, 1]; divide by your scale first"),
        ("a.csv", "judge,human\nnan,1\n", "line 2: judge is nan, not a finite number"),
        ("a.csv", "judge,human\n,1\n", "has no rating of a judge"),
        ("a.csv", "judge,human,target\n,,x\n", "line 2: judge and human are both empty; fill one or remove the line"),
        ("a.csv", "judge,human\n1,good\n", "'judge' gave numbers and 'human' gave labels"),
        ("a.jsonl", '{"judge": [1]}\n', "line 1: judge is neither a number nor a label"),
        ("a.jsonl", '{"judge": 1}\n{oops\n', "line 2 is not JSON"),
        ("a.jsonl", "[1, 0]\n", "line 1 is not a JSON object"),
        ("a.txt", "judge,human\n1,1\n", "neither .csv nor .jsonl"),
        ("a.csv", "", "a.csv is empty"),
    ],
)
def test_what_cannot_be_read_is_one_line(gnomon: Run, tmp_path: Path, name, text, words):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    done = gnomon("calibrate", "--file", file)
    assert done.code in (2, 3)
    assert (done.out, done.err.count("\n")) == ("", 1)
    assert words in done.err


def test_a_file_that_is_not_there_is_one_line(gnomon: Run, tmp_path: Path):
    done = gnomon("calibrate", "--file", tmp_path / "nowhere.csv")
    assert (done.code, done.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("arguments", [[], ["judge"], ["judge", "human", "--file", "x.csv"]])
def test_either_two_names_or_a_file(gnomon: Run, arguments):
    done = gnomon("calibrate", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


# --- stored scores -----


def _fill(client: Client) -> None:
    dataset = client.create_dataset(DatasetDraft(name="d", project_id="support"))
    client.import_items(dataset.id, [ItemDraft(input=f"q{n}") for n in range(6)])
    experiment = client.create_experiment(ExperimentDraft(name="e", dataset_id=dataset.id, project_id="support"))
    given = [(1, 1), (0, 0), (1, 0), (1, 1), (0, None), (1, None)]
    runs = [
        RunDraft(
            dataset_item_id=item.id,
            output="x",
            scores=[
                InlineScoreDraft(scorer_name=name, value=value)
                for name, value in (("helpful", judge), ("people", human))
                if value is not None
            ],
        )
        for item, (judge, human) in zip(client.items(dataset.id), given, strict=True)
    ]
    client.add_runs(experiment.id, runs)


def test_a_server_and_its_file_give_the_same_answer_and_several_projects_must_be_told_apart(
    gnomon: Run, tmp_path: Path, monkeypatch
):
    file = tmp_path / "gnomon.db"
    with running("serve", "--db", str(file), GNOMON_ADMIN_KEY="admin-" + "0" * 32) as server:
        monkeypatch.setenv("GNOMON_API_KEY", "admin-" + "0" * 32)
        with Client(server.url, "admin-" + "0" * 32) as client:
            _fill(client)
            key = client.create_key(KeyDraft(role="read", project_id="support")).key
            assert client.calibration("helpful", "people", "support").n_labelled == 4
        asked = gnomon("calibrate", "helpful", "people", "--url", server.url, "--json")
        bound = gnomon("calibrate", "helpful", "people", "--url", server.url, "--key", key, "--json")
        unknown = gnomon("calibrate", "helpfulnes", "people", "--url", server.url)
        with Client(server.url, "admin-" + "0" * 32) as client:
            client.create_dataset(DatasetDraft(name="d", project_id="sales"))
        unnamed = gnomon("calibrate", "helpful", "people", "--url", server.url)
        named = gnomon("calibrate", "helpful", "people", "--url", server.url, "--project", "support", "--json")
    assert asked.code == 0
    assert json.loads(asked.out)["n_judge_only"] == 2
    assert bound.out == asked.out
    assert (unknown.code, unknown.err.count("\n")) == (3, 1)
    assert "did you mean 'helpful'?" in unknown.err
    assert (unnamed.code, unnamed.err.count("\n")) == (2, 1)
    assert "name its project with --project" in unnamed.err
    assert "sales" in unnamed.err
    assert named.out == asked.out
    here = ("calibrate", "helpful", "people", "--db", file, "--project", "support")
    assert gnomon(*here, "--json").out == asked.out
    assert "4 targets rated by both" in gnomon(*here).out


def test_numbers_against_labels_are_one_line(gnomon: Run, demo_db: Path):
    done = gnomon("calibrate", "contains", "tone", "--db", demo_db)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "'contains' gave numbers and 'tone' gave labels" in done.err


def test_a_scorer_that_nobody_has_is_one_line_with_those_that_exist(gnomon: Run, demo_db: Path):
    done = gnomon("calibrate", "contains", "people", "--db", demo_db)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert "no scores of 'people'; the scorers there are " in done.err
    assert ", contains, " in done.err
