"""`gnomon leaderboard`: files of every shape, stored experiments, a page, and one line for what cannot be done."""

import json
from pathlib import Path

import pytest

from cli.conftest import Run, running


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    """Three agents on 20 items: one right everywhere, two that take turns."""
    rows = ["agent,item,trial,value"]
    for item in range(20):
        for trial in range(2):
            rows += [
                f"best,{item},{trial},1",
                f"left,{item},{trial},{item % 2}",
                f"right,{item},{trial},{1 - item % 2}",
            ]
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def test_the_published_table_of_an_airline_benchmark_is_reproduced(gnomon: Run, test_data: Path):
    """Yao et al. 2024: gpt-4o, 50 tasks × 4 trials, pass^1 to pass^4."""
    file = test_data / "tau_bench_gpt4o_airline_50x4.csv"
    shown = gnomon("leaderboard", file, "--agent", "gpt-4o")
    assert shown.code == 0
    printed = [row.split()[-4] for row in shown.out.splitlines()[4:8]]
    assert printed == ["0.420", "0.273", "0.220", "0.200"]
    found = json.loads(gnomon("leaderboard", file, "--json").out)["agents"][0]
    assert found["agent_id"] == "tau_bench_gpt4o_airline_50x4"
    assert (found["item_count"], found["run_count"]) == (50, 200)
    assert {k: round(value, 3) for k, value in found["pass_pow_k"].items()} == {
        "1": 0.42, "2": 0.273, "3": 0.22, "4": 0.2,
    }  # fmt: skip


def test_a_table_shows_ranks_ranges_whiskers_and_who_cannot_be_told_apart(gnomon: Run, scores: Path):
    shown = gnomon("leaderboard", scores)
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert lines[0] == "3 agents on 20 items; missing values are left out"
    assert lines[2].split()[:4] == ["1", "1", "best", "1.000"]
    assert lines[3].startswith("   2  2 to 3  left   0.500")
    assert "●" in lines[3]
    assert any(line.startswith("left and right cannot be told apart: +0.000") for line in lines)
    assert not any(line.startswith("best and left") for line in lines)
    assert "pass^k" in shown.out


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_the_same_rows_in_another_format_give_the_same_answer(gnomon: Run, scores: Path, tmp_path: Path, kind: str):
    import polars

    other = tmp_path / f"scores.{kind}"
    frame = polars.read_csv(scores)
    frame.write_ndjson(other) if kind == "jsonl" else frame.write_parquet(other)
    assert gnomon("leaderboard", other, "--json").out == gnomon("leaderboard", scores, "--json").out


def test_wide_files_are_an_agent_each(gnomon: Run, tmp_path: Path):
    for agent, value in (("one", 1), ("two", 0)):
        rows = "".join(f"{item},{value},{value}\n" for item in range(12))
        (tmp_path / f"{agent}.csv").write_text(f"task_id,trial0,trial1\n{rows}", encoding="utf-8")
    found = json.loads(gnomon("leaderboard", tmp_path / "one.csv", tmp_path / "two.csv", "--json").out)
    assert [(one["agent_id"], one["rank"], one["overall_score"]) for one in found["agents"]] == [
        ("one", 1, 1.0), ("two", 2, 0.0),
    ]  # fmt: skip


def test_preferences_show_strengths(gnomon: Run, tmp_path: Path):
    file = tmp_path / "battles.csv"
    rows = "".join(f"x,y,{n},{'x' if n % 4 else 'y'}\n" for n in range(40))
    file.write_text(f"a,b,item,winner\n{rows}", encoding="utf-8")
    shown = gnomon("leaderboard", file)
    assert shown.code == 0
    assert "Elo" in shown.out
    assert "0.750" in shown.out
    assert "Bradley–Terry" in shown.out


def test_missing_values_are_told_and_the_policy_is_named(gnomon: Run, tmp_path: Path):
    file = tmp_path / "gaps.csv"
    file.write_text("agent,item,value\na,1,1\na,2,\na,3,0\n", encoding="utf-8")
    shown = gnomon("leaderboard", file, "--missing", "zero")
    assert "missing values are counted as 0" in shown.out
    assert "note: 1 of 3 trials have no value; they count as 0 (missing: zero)" in shown.out
    assert "0.333" in shown.out


def test_stored_experiments_are_ranked_the_same_here_and_on_a_server(gnomon: Run, demo_db: Path):
    from gnomon.service.demo import PROJECT

    arguments = ("leaderboard", "--scorer", "contains", "--json")
    names = _the_dataset(demo_db)
    here = gnomon(*arguments, "--dataset", names["name"], "--db", demo_db)
    assert here.code == 0, here.err
    found = json.loads(here.out)
    assert {one["agent_id"] for one in found["agents"]} >= {"answers-v1", "answers-v2", "answers-nightly"}
    assert found["dataset_id"] == names["id"]
    assert gnomon(*arguments, "--dataset", names["id"], "--project", PROJECT, "--db", demo_db).out == here.out
    with running("serve", "--db", str(demo_db), GNOMON_ADMIN_KEY="a-key-of-twenty-letters") as server:
        place = ("--url", server.url, "--key", "a-key-of-twenty-letters")
        assert gnomon(*arguments, "--dataset", names["name"], *place).out == here.out


def _the_dataset(database: Path) -> dict[str, str]:
    from gnomon.service.embedded import Embedded

    place = Embedded(f"sqlite:///{database}")
    try:
        (one,) = (one for one in place.datasets(next(place.projects()).id) if one.name == "support-questions")
        return {"id": one.id, "name": one.name}
    finally:
        place.close()


def test_a_page_is_written_beside_the_table(gnomon: Run, scores: Path, tmp_path: Path):
    page = tmp_path / "board.html"
    shown = gnomon("leaderboard", scores, "--html", page)
    assert shown.out.splitlines()[-1] == f"the page is in {page}"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


REFUSALS = [
    (["--k", "3"], 3, "ask for k up to 2"),
    (["--agent", "me"], 2, "--agent 'me' is for tables that name none"),
    (["--scorer", "quality"], 2, "--scorer goes with --dataset"),
    (["--db", "x.db"], 2, "--db goes with --dataset"),
    (["--dataset", "d", "--scorer", "quality"], 2, "leave out files"),
    (["--pass-threshold", "2"], 2, "pass-threshold"),
    (["--missing", "guess"], 2, "guess"),
    (["--html", "no/such/folder/x.html"], 2, "--html no/such/folder/x.html: No such file"),
]


@pytest.mark.parametrize(("flags", "code", "words"), REFUSALS, ids=[" ".join(flags) for flags, _, _ in REFUSALS])
def test_what_cannot_be_done_is_one_line(gnomon: Run, scores: Path, flags: list[str], code: int, words: str):
    done = gnomon("leaderboard", scores, *flags)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert done.err.count("\n") == 1


def test_nothing_to_rank_is_one_line(gnomon: Run):
    assert gnomon("leaderboard").err == ("gnomon: nothing to rank; name a file, or a --dataset with its --scorer\n")
    assert "needs a --scorer" in gnomon("leaderboard", "--dataset", "d").err


def test_other_kinds_of_tables_are_one_line(gnomon: Run, scores: Path, tmp_path: Path):
    battles, reported = tmp_path / "battles.csv", tmp_path / "reported.csv"
    battles.write_text("a,b,item,winner\nx,y,1,x\n", encoding="utf-8")
    reported.write_text("agent,n,mean\nx,100,0.5\n", encoding="utf-8")
    assert "battles.csv is another kind of table than scores.csv" in gnomon("leaderboard", scores, battles).err
    assert "reported.csv has reported means" in gnomon("leaderboard", reported).err
    assert "scores.csv and scores.csv both score agent 'best'" in gnomon("leaderboard", scores, scores).err


def test_an_unknown_dataset_is_one_line(gnomon: Run, demo_db: Path):
    done = gnomon("leaderboard", "--dataset", "nothing", "--scorer", "contains", "--db", demo_db)
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert done.err.startswith(
        "gnomon: dataset 'nothing' does not exist; there are agent tasks, agent days, chat-turns, hard-"
    )
