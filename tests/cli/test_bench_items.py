"""`gnomon bench items`: tables and folders of runs, and one line for what cannot be done."""

import json
import random
from pathlib import Path

import pytest

from cli.conftest import Run


def table(folder: Path, agents: int, items: int = 20) -> Path:
    chance = random.Random(agents)
    rows = ["agent,item,value"]
    rows += [
        f"agent-{agent},task-{item},{int(chance.random() < 0.5 + (agent / agents - item / items))}"
        for agent in range(agents)
        for item in range(items)
    ]
    file = folder / f"{agents}.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def test_items_come_with_intervals_the_most_telling_first(gnomon: Run, tmp_path: Path):
    report = json.loads(gnomon("bench", "items", table(tmp_path, 12), "--json").out)
    assert (report["agent_count"], report["item_count"], len(report["items"])) == (12, 20, 20)
    shares = [item["information_share"] for item in report["items"]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)
    for item in report["items"]:
        low, high = item["discrimination_ci"]
        assert low < item["discrimination"] < high
    assert [size["size"] for size in report["subset_sizes"]] == [3, 5, 8, 12]


def test_what_takes_more_agents_says_so(gnomon: Run, tmp_path: Path):
    shown = gnomon("bench", "items", table(tmp_path, 3), "--limit", "2").out
    assert "20 items, 3 agents" in shown
    assert "takes at least 5 agents; 3 are here" in shown
    assert "that takes at least 10 agents" in shown
    assert "and 18 more items" in shown


def test_an_item_that_few_agents_have_tried_says_nothing_of_them(gnomon: Run, tmp_path: Path):
    file = table(tmp_path, 12)
    rows = [f"agent-{agent},rare,{agent % 2}" for agent in range(4)]
    file.write_text(file.read_text(encoding="utf-8") + "\n".join(rows), encoding="utf-8")
    report = json.loads(gnomon("bench", "items", file, "--json").out)
    [rare] = [item for item in report["items"] if item["item"] == "rare"]
    assert (rare["agents"], rare["solved"]) == (4, 2)
    assert {rare[name] for name in ("discrimination", "discrimination_ci", "difficulty", "information_share")} == {None}
    assert sum(item["information_share"] or 0 for item in report["items"]) == pytest.approx(1)
    assert any("fewer than 5 agents have tried 1 item of 21" in note for note in report["notes"])


def test_agents_that_share_no_item_are_on_no_common_scale(gnomon: Run, tmp_path: Path):
    file = table(tmp_path, 6)
    other = table(tmp_path, 5).read_text(encoding="utf-8").replace("agent-", "other-").replace("task-", "puzzle-")
    file.write_text(file.read_text(encoding="utf-8") + other.split("\n", 1)[1], encoding="utf-8")
    report = json.loads(gnomon("bench", "items", file, "--json").out)
    assert (report["effective_item_count"], report["subset_sizes"]) == (None, [])
    assert {item["discrimination"] for item in report["items"]} == {None}
    [note] = [note for note in report["notes"] if "share no item" in note]
    assert "2 groups" in note
    bridge = file.read_text(encoding="utf-8") + "other-0,task-0,1\n"
    file.write_text(bridge, encoding="utf-8")
    report = json.loads(gnomon("bench", "items", file, "--json").out)
    assert report["effective_item_count"] > 0


def test_items_that_all_solve_or_nobody_say_nothing_of_a_ranking(gnomon: Run, tmp_path: Path):
    file = tmp_path / "results.csv"
    rows = [f"agent-{agent},task-{item},{item % 2}" for agent in range(12) for item in range(12)]
    file.write_text("\n".join(["agent,item,value", *rows]), encoding="utf-8")
    report = json.loads(gnomon("bench", "items", file, "--json").out)
    assert (report["never_solved_count"], report["always_solved_count"]) == (6, 6)
    assert (report["effective_item_count"], report["subset_sizes"], report["smallest_subset"]) == (None, [], None)
    assert report["notes"] == ["every item is always solved or never: nothing here tells agents apart"]


def test_items_that_tell_the_same_are_listed_by_their_numbers(gnomon: Run, tmp_path: Path):
    file = tmp_path / "results.csv"
    file.write_text(
        "agent,item,value\n" + "".join(f"a,task-{item},1\n" for item in (10, 9, 2, 100, "x")), encoding="utf-8"
    )
    items = json.loads(gnomon("bench", "items", file, "--json").out)["items"]
    assert [item["item"] for item in items] == ["task-2", "task-9", "task-10", "task-100", "task-x"]


@pytest.mark.parametrize(("text", "message"), [
    ("agent,item,value\na,1,1\na,2,0\n", "1 agent with values on 2 items; at least 3 items are needed"),
    ("agent,item,value\na,1,1\n", "1 agent with values on 1 item; at least 3 items are needed"),
    ("a,b,item,winner\nx,y,1,a\n", "has no score per item; it needs the columns agent, item, value"),
])  # fmt: skip
def test_a_table_without_items_to_compare_is_refused_in_one_line(gnomon: Run, tmp_path: Path, text, message):
    file = tmp_path / "results.csv"
    file.write_text(text, encoding="utf-8")
    shown = gnomon("bench", "items", file)
    assert shown.code != 0
    assert message in shown.err
    assert shown.err.count("\n") == 1


def test_columns_of_other_names_are_named(gnomon: Run, tmp_path: Path):
    file = table(tmp_path, 6)
    other = tmp_path / "other.csv"
    other.write_text(file.read_text(encoding="utf-8").replace("agent,item,value", "who,what,how"), encoding="utf-8")
    named = gnomon("bench", "items", other, "--columns", "agent=who,item=what,value=how", "--json")
    shown, expected = json.loads(named.out), json.loads(gnomon("bench", "items", file, "--json").out)
    assert (shown["items"], shown["best_agent"]) == (expected["items"], expected["best_agent"])
    refused = gnomon("bench", "items", other)
    assert refused.err.strip().endswith("or say which is which: --columns item=NAME,value=NAME")
    assert "--columns is for tables" in gnomon("bench", "items", tmp_path, "--columns", "item=what").err
