"""`gnomon rm` and `gnomon db prune`: a preview, a question, and nothing else than what was asked for."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cli.conftest import Run


def rows(db: Path, table: str) -> int:
    with closing(sqlite3.connect(db)) as opened:
        return int(opened.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def make_old(db: Path) -> None:
    """As if all traces had come a year ago, and nobody had looked at any."""
    with closing(sqlite3.connect(db)) as opened, opened:
        for table in ("trace_texts", "pending_texts"):
            opened.execute(f"DELETE FROM {table}")
        opened.execute("UPDATE traces SET created_at = created_at - 31536000000, updated_at = updated_at - 31536000000")


def test_without_a_terminal_it_shows_what_would_go_and_wants_yes(gnomon: Run, demo_db: Path):
    before = rows(demo_db, "runs")
    done = gnomon("rm", "experiment", "answers-v1", "--db", demo_db)
    assert done.code == 2
    assert "deletes" in done.out
    assert "runs" in done.out
    assert done.err == (
        "gnomon: nothing was deleted: stdin is not a terminal to confirm in; add --yes to delete without asking\n"
    )
    assert rows(demo_db, "runs") == before


def test_an_experiment_is_deleted_by_its_name(gnomon: Run, demo_db: Path):
    counted = json.loads(gnomon("rm", "experiment", "answers-v1", "--yes", "--json", "--db", demo_db).out)
    assert (counted["deleted"], counted["kind"]) == (True, "experiment")
    assert counted["counts"]["runs"] > 0
    assert counted["counts"]["scores"] > 0
    again = gnomon("rm", "experiment", counted["id"], "--yes", "--db", demo_db)
    assert (again.code, again.err.count("\n")) == (3, 1)
    assert "does not exist" in again.err


def test_a_dataset_in_use_needs_cascade(gnomon: Run, demo_db: Path):
    with closing(sqlite3.connect(demo_db)) as db:
        query = "SELECT datasets.name FROM datasets JOIN experiments ON dataset_id = datasets.id LIMIT 1"
        (name,) = db.execute(query).fetchone()
    before = rows(demo_db, "dataset_items")
    refused = gnomon("rm", "dataset", name, "--yes", "--db", demo_db)
    assert (refused.code, refused.err.count("\n")) == (3, 1)
    assert "--cascade" in refused.err
    assert "dataset" in refused.err
    assert rows(demo_db, "dataset_items") == before
    done = gnomon("rm", "dataset", name, "--cascade", "--yes", "--db", demo_db)
    assert (done.code, done.err) == (0, "")
    assert f"dataset {name} is deleted." in done.out
    assert rows(demo_db, "dataset_items") < before


def test_a_project_is_deleted_with_all_it_holds(gnomon: Run, demo_db: Path):
    with closing(sqlite3.connect(demo_db)) as db:
        projects = [id for (id,) in db.execute("SELECT id FROM projects")]
    for project in projects:
        assert gnomon("rm", "project", project, "--yes", "--db", demo_db).code == 0
    left = {table: rows(demo_db, table) for table in ("traces", "spans", "runs", "scores", "iterations", "removals")}
    assert not any(left.values()), left


def test_a_trace_is_deleted(gnomon: Run, demo_db: Path):
    with closing(sqlite3.connect(demo_db)) as db:
        id, project, spans = db.execute("SELECT id, project_id, span_count FROM traces LIMIT 1").fetchone()
    done = json.loads(gnomon("rm", "trace", id, "--project", project, "--yes", "--json", "--db", demo_db).out)
    assert done["counts"]["spans"] == spans
    assert gnomon("rm", "trace", id, "--project", project, "--yes", "--db", demo_db).code == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["dataset", "d", "--at", "~1"], "--at"),
        (["experiment", "e", "--cascade"], "--cascade"),
        (["project", "p", "--project", "p"], "--project"),
        (["scorer", "s"], "scorer"),
        (["experiment"], "NAME_OR_ID"),
    ],
    ids=str,
)
def test_flags_that_make_no_sense_are_refused_in_one_line(gnomon: Run, demo_db: Path, arguments, words):
    done = gnomon("rm", *arguments, "--yes", "--db", demo_db)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert words in done.err


# --- prune ---


def test_a_dry_run_counts_and_deletes_nothing(gnomon: Run, demo_db: Path):
    make_old(demo_db)
    before = rows(demo_db, "spans")
    done = gnomon("db", "prune", "--older-than", "90d", "--dry-run", "--db", demo_db)
    assert done.code == 0
    assert "Kept: old traces that runs" in done.out
    preview = json.loads(gnomon("db", "prune", "--older-than", "90d", "--dry-run", "--json", "--db", demo_db).out)
    assert preview["traces"] > 0
    assert preview["bytes"] > 0
    assert sum(project["kept"] for project in preview["projects"]) > 0, "the demo has annotated traces"
    assert rows(demo_db, "spans") == before


def test_it_deletes_what_it_showed_and_says_what_that_gave(gnomon: Run, demo_db: Path):
    make_old(demo_db)
    command = ["db", "prune", "--older-than", "12w", "--keep-scored", "--db", demo_db]
    assert gnomon(*command).code == 2, "without a terminal --yes is needed"
    preview = json.loads(gnomon(*command, "--dry-run", "--json").out)
    done = gnomon(*command, "--yes")
    assert (done.code, done.err) == (0, "")
    assert f"Deleted {preview['traces']:,} traces with {preview['spans']:,} spans." in done.out
    assert json.loads(gnomon(*command, "--dry-run", "--json").out)["traces"] == 0
    assert json.loads(gnomon("db", "check", "--json", "--db", demo_db).out)["problems"] == []


def test_nothing_old_is_said_so(gnomon: Run, demo_db: Path):
    done = gnomon("db", "prune", "--older-than", "4000w", "--yes", "--db", demo_db)
    assert done.code == 0
    assert "No trace is older than" in done.out


@pytest.mark.parametrize("age", ["", "90", "soon", "0d", "-3d", "1y", "1.5d"])
def test_an_age_that_is_none_is_refused_in_one_line(gnomon: Run, demo_db: Path, age):
    done = gnomon("db", "prune", f"--older-than={age}", "--yes", "--db", demo_db)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "such as 90d" in done.err


def test_an_unknown_project_and_a_missing_database_are_named(gnomon: Run, demo_db: Path, tmp_path: Path):
    unknown = gnomon("db", "prune", "--older-than", "90d", "--project", "nobody", "--db", demo_db)
    assert (unknown.code, unknown.err) == (3, "gnomon: project 'nobody' does not exist\n")
    missing = gnomon("db", "prune", "--older-than", "90d", "--db", tmp_path / "typo.db")
    assert missing.code == 3
    assert "typo.db" in missing.err
