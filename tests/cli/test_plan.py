"""`gnomon plan`, with nothing, with a file, with a database and with a server."""

import json
from pathlib import Path

import pytest

from cli.conftest import running

TABLE = "agent,item,trial,value\nx,1,1,1\nx,1,2,0\nx,2,1,1\nx,2,2,1\ny,1,1,0\ny,1,2,0\ny,2,1,1\ny,2,2,0\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_it_needs_no_database_when_nothing_is_measured(gnomon, home):
    done = gnomon("plan", "--effect", 0.05)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("To see a difference of 0.05 (power 0.8, level 0.05): 1,570 items × 1 trial\n")
    assert not home.exists()


def test_an_experiment_is_measured(gnomon, demo_db):
    arguments = ("plan", "--effect", 0.05, "--from", "answers-v1", "--scorer", "contains", "--db", demo_db)
    told = json.loads(gnomon(*arguments, "--json").out)
    done = gnomon(*arguments)
    assert done.code == 0
    assert f"{told['items']:,} items × 5 trials" in done.out
    assert f"{told['variance']['base']['within_items']:.3f}" in done.out
    pair = json.loads(gnomon(*arguments, "--against", "answers-v2", "--json").out)
    assert pair["variance"]["paired_items"] > 30
    assert pair["items"] < told["items"], "what two agents share helps"


def test_a_server_gives_the_same_answer(gnomon, demo_db):
    asked = (
        "plan",
        "--effect",
        0.05,
        "--from",
        "answers-v1",
        "--scorer",
        "contains",
        "--against",
        "answers-v2",
        "--json",
    )
    here = gnomon(*asked, "--db", demo_db)
    with running("serve", "--db", str(demo_db), GNOMON_ADMIN_KEY="a-key-of-the-test") as server:
        there = gnomon(*asked, "--url", server.url, "--key", "a-key-of-the-test")
    assert json.loads(there.out) == json.loads(here.out)


def test_a_table_is_measured(gnomon, table):
    done = gnomon("plan", "--effect", 0.1, "--file", table, "--agent", "x", "--against", "y")
    assert done.code == 0
    assert "The next dollar helps most as more" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing option '--effect'"),
        (["--effect", "2"], "effect is 2.0; it must be between 0 and 1"),
        (["--effect", "0.1", "--power", "1"], "power is 1.0"),
        (["--effect", "0.1", "--within", "0.1"], "between is not given"),
        (["--effect", "0.1", "--between", "2"], "between is 2.0"),
        (["--effect", "0.1", "--between", "0.1", "--from", "x"], "give one of them"),
        (["--effect", "0.1", "--from", "x", "--file", "y"], "give one of them"),
        (["--effect", "0.1", "--against", "x"], "--against needs --from or --file"),
        (["--effect", "0.1", "--file", "gone.csv"], "No such file"),
        (["--effect", "0.1", "--file", "scores.csv"], "has 2 agents; name one"),
        (["--effect", "0.1", "--trials", "0"], "trials is 0"),
        (["--effect", "0.1", "--trial-cost", "0"], "trial_cost is 0.0"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(gnomon, table, monkeypatch, arguments, said):
    monkeypatch.chdir(table.parent)
    done = gnomon("plan", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_scorer_that_is_not_there_is_exit_code_three(gnomon, demo_db):
    done = gnomon("plan", "--effect", 0.1, "--from", "answers-v1", "--scorer", "contain", "--db", demo_db)
    assert done.code == 3
    assert "did you mean 'contains'?" in done.err


def test_variances_that_are_known_can_be_given(gnomon):
    done = gnomon("plan", "--effect", 0.03, "--between", 1 / 9)
    assert "969 items × 1 trial" in done.out
    done = gnomon("plan", "--effect", 0.03, "--between", 1 / 9, "--within", 1 / 6, "--trials", 10)
    assert "1,260 items × 10 trials" in done.out


def test_a_scorer_need_not_be_named_where_there_is_one(gnomon, demo_db):
    done = gnomon("plan", "--effect", 0.05, "--from", "answers-v2", "--db", demo_db)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "contains, helpfulness" in done.err
