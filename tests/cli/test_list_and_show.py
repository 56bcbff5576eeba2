"""`gnomon list` and `gnomon show`, over a file and over HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.conftest import Run, running
from gnomon.model.backend import find_dataset, find_experiment
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.service.embedded import Embedded
from gnomon.store.engine import open_store

LISTS = ("projects", "datasets", "experiments", "scorers", "judges", "traces", "conversations", "iterations")
COMMIT = "1a2b3c4d5e6f" + "0" * 28


@pytest.fixture
def demo(demo_db: Path) -> Iterator[Embedded]:
    with Embedded(f"sqlite:///{demo_db}") as backend:
        yield backend


@pytest.fixture
def served(demo_db: Path) -> Iterator[tuple[str, ...]]:
    with running("serve", "--db", str(demo_db), GNOMON_ADMIN_KEY="admin-key") as server:
        yield ("--url", server.url, "--key", "admin-key")


@pytest.fixture
def empty_db(tmp_path: Path) -> Path:
    file = tmp_path / "empty.db"
    open_store(f"sqlite:///{file}").close()
    return file


def test_a_server_and_a_file_list_and_show_the_same(gnomon: Run, demo: Embedded, demo_db: Path, served):
    nightly = find_experiment(demo, "answers-nightly")
    run = next(demo.runs(nightly.id))
    commands = [["list", noun, "--limit", 3, *json_flag] for noun in LISTS for json_flag in ([], ["--json"])]
    commands += [["show", name] for name in (
        "support-questions", "answers_question", "support-demo", run.id, next(demo.traces("support-demo")).id,
        next(demo.conversations("support-demo")).id, next(demo.iterations("support-demo")).id, "nobody",
    )]  # fmt: skip
    for command in commands:
        here, there = gnomon(*command, "--db", demo_db), gnomon(*command, *served)
        assert here == there, command
        assert here.code == (3 if "nobody" in command else 0), command
    shown = gnomon("show", "answers-nightly", "--at", "~2", *served).out.splitlines()
    assert shown[:-1] == gnomon("show", "answers-nightly", "--at", "~2", "--db", demo_db).out.splitlines()
    assert shown[-1].endswith(find_experiment(demo, "answers-nightly", at="~2").id)


def test_lists_say_that_there_is_more_and_how_to_see_it(gnomon: Run, demo_db: Path):
    done = gnomon("list", "experiments", "--limit", 2, "--db", demo_db)
    assert done.out.splitlines()[-1] == "… and more; --limit 4 shows them"
    assert len(json.loads(gnomon("list", "experiments", "--limit", 2, "--db", demo_db, "--json").out)) == 2
    assert "more" not in gnomon("list", "experiments", "--limit", 100, "--db", demo_db).out


def test_a_list_of_experiments_says_how_at_names_the_earlier_ones(gnomon: Run, demo: Embedded, demo_db: Path):
    done = gnomon("list", "experiments", "--name", "answers-nightly", "--db", demo_db)
    rows = [line.split() for line in done.out.splitlines()[1:]]
    assert [row[1] for row in rows[1:]] == [f"~{n}" for n in range(1, len(rows))]
    for row in rows[1:]:
        assert find_experiment(demo, "answers-nightly", at=row[1]).id == row[-1]


def test_an_experiment_that_lacks_runs_is_listed_with_how_many_there_should_be(gnomon: Run, demo_db: Path):
    (row,) = (one for one in gnomon("list", "experiments", "--db", demo_db).out.splitlines() if "running" in one)
    assert row.split()[:5] == ["answers-short", "running", "30", "of", "80"]


def test_everything_of_all_projects_is_listed_newest_first(gnomon: Run, empty_db: Path):
    with Embedded(f"sqlite:///{empty_db}") as backend:
        for project in ("a", "b", "a"):
            experiment(backend, project, "same")
    done = gnomon("list", "experiments", "--db", empty_db)
    assert [row.split()[0:2] for row in done.out.splitlines()] == [
        ["experiment", "at"], ["same", "completed"], ["same", "completed"], ["same", "~1"],
    ]  # fmt: skip
    assert "project" in done.out.splitlines()[0]
    only = gnomon("list", "experiments", "--project", "a", "--db", empty_db).out
    assert "project" not in only
    assert only.count("same") == 2
    assert "there are no datasets" not in gnomon("list", "datasets", "--db", empty_db).out


@pytest.mark.parametrize("noun", LISTS)
def test_an_empty_database_says_what_would_fill_it(gnomon: Run, empty_db: Path, noun):
    done = gnomon("list", noun, "--db", empty_db)
    assert (done.code, done.out.splitlines()[0].startswith("there are no ")) == (0, True)
    assert json.loads(gnomon("list", noun, "--db", empty_db, "--json").out) == []


def test_a_list_of_a_dataset_or_project_that_is_not_there_names_the_nearest(gnomon: Run, demo_db: Path):
    for flags, words in (
        (["--dataset", "hard-question"], "dataset 'hard-question' does not exist; did you mean 'hard-questions'?"),
        (["--project", "suport-demo"], "project 'suport-demo' does not exist; did you mean 'support-demo'?"),
    ):
        done = gnomon("list", "experiments", *flags, "--db", demo_db)
        assert (done.code, done.out, done.err) == (3, "", f"gnomon: {words}\n")


# --- show -----


def experiment(backend: Embedded, project: str, name: str, dataset: str = "questions", **fields: object) -> str:
    """Another experiment of that name, with one run."""
    known = [one for one in backend.datasets(project) if one.name == dataset] if name_known(backend, project) else []
    stored = known[0] if known else backend.create_dataset(DatasetDraft(project_id=project, name=dataset))
    (item,) = backend.sync_items(stored.id, [ItemDraft(input="q", expected_output="a")]).item_ids
    draft = ExperimentDraft(project_id=project, name=name, dataset_id=stored.id, **fields)
    made = backend.create_experiment(draft)
    backend.add_runs(made.id, [RunDraft(dataset_item_id=item, output="x", trial=0)])
    return backend.complete(made.id).id


def name_known(backend: Embedded, project: str) -> bool:
    return any(one.id == project for one in backend.projects())


def test_an_id_wins_and_of_one_name_the_experiment_comes_first(gnomon: Run, empty_db: Path):
    with Embedded(f"sqlite:///{empty_db}") as backend:
        first = experiment(backend, "p", "capitals", "capitals")
        odd = experiment(backend, "p", first, "capitals")  # an experiment that is named as another one's id
        dataset = find_dataset(backend, "capitals").id
    done = gnomon("show", "capitals", "--db", empty_db)
    assert done.out.startswith("experiment capitals of project p")
    assert done.out.splitlines()[-1] == "also of this name: gnomon show dataset capitals"
    assert gnomon("show", "dataset", "capitals", "--db", empty_db).out.startswith("dataset capitals of project p")
    assert gnomon("show", dataset, "--db", empty_db).out.startswith("dataset capitals of project p")
    assert gnomon("show", first, "--db", empty_db).out.startswith("experiment capitals")
    assert odd not in gnomon("show", first, "--db", empty_db).out


def test_json_is_the_nouns_of_the_contract_with_their_kind(gnomon: Run, demo: Embedded, demo_db: Path):
    shown = json.loads(gnomon("show", "support-questions", "--limit", 2, "--db", demo_db, "--json").out)
    assert shown["kind"] == "dataset"
    assert shown["dataset"] == find_dataset(demo, "support-questions").model_dump(mode="json")
    assert len(shown["items"]) == 2
    shown = json.loads(gnomon("show", "experiment", "answers-v2", "--db", demo_db, "--json").out)
    assert shown["summary"] == demo.summary(shown["experiment"]["id"]).model_dump(mode="json")


def test_an_experiment_of_a_commit_is_shown_with_its_place_among_those_of_its_name(gnomon: Run, empty_db: Path):
    git = {"gnomon": {"git": {"commit": COMMIT, "branch": "main", "dirty": True}}}
    with Embedded(f"sqlite:///{empty_db}") as backend:
        experiment(backend, "p", "nightly")
        second = experiment(backend, "p", "nightly", metadata=git)
        experiment(backend, "p", "nightly")
    done = gnomon("show", "nightly", "--at", COMMIT[:7], "--db", empty_db)
    assert done.out.splitlines()[0] == f"experiment nightly of project p, id {second}"
    assert "at commit 1a2b3c4d5e+ on main" in done.out
    assert "~1 of 3 with this name; --at ~2 shows the one before" in done.out
    assert gnomon("show", "nightly", "--at", "1", "--db", empty_db) == done


def test_a_name_in_several_projects_is_ambiguous_and_says_in_which(gnomon: Run, empty_db: Path):
    with Embedded(f"sqlite:///{empty_db}") as backend:
        for project in ("a", "b"):
            experiment(backend, project, "same")
    done = gnomon("show", "same", "--db", empty_db)
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert "2 projects have an experiment named 'same' (b, a)" in done.err
    assert gnomon("show", "same", "--project", "a", "--db", empty_db).code == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["answers-v3"], 3, "nothing has the name or the id 'answers-v3'; did you mean the experiment 'answers-v2'?"),
        (["support-question"], 3, "did you mean the dataset 'support-questions'?"),
        (["zzzzzz"], 3, "`gnomon list` shows what there is"),
        (["datasett", "support-questions"], 2, "'datasett' is not a kind of object; did you mean 'dataset'?"),
        (["dataset", "support-question"], 3, "did you mean 'support-questions'?"),
        (["run", "x"], 3, "run 'x' does not exist"),
        (["judge", "x"], 3, "judge 'x' does not exist"),
        (["dataset", "a", "b"], 2, "there are 2 names; show one at a time"),
        (
            ["dataset", "support-questions", "--at", "~1"],
            2,
            "chooses among experiments of one name; leave it out for a dataset",
        ),
        (["answers-v2", "--at", "yesterday"], 2, "at 'yesterday' is neither"),
        (["answers-v2", "--project", "supxport"], 3, "project 'supxport' does not exist; did you mean 'support-demo'?"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(gnomon: Run, demo_db: Path, words, code, said):
    done = gnomon("show", *words, "--db", demo_db)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert said in done.err
