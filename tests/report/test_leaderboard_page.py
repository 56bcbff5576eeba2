"""The leaderboard's page: everything in one file, nothing fetched, nothing that a name could break."""

import random
import re
import xml.etree.ElementTree as ET

import pytest

from gnomon.interop.resulttables import LongTable, Preferences
from gnomon.model.leaderboard import Leaderboard
from gnomon.report.leaderboard import page
from gnomon.service.analysis.leaderboard import from_preferences, from_table
from report.pages import HOSTILE, SCRIPT, Tags, check_harmless, check_self_contained


def table(agents: list[str], items: int, trials: int = 1) -> LongTable:
    chance = random.Random(5)
    rows = [
        (agent, f"item {item}", str(trial), float(chance.random() < (place + 1) / (len(agents) + 1)))
        for place, agent in enumerate(agents)
        for item in range(items)
        for trial in range(trials)
    ]
    columns = [list(column) for column in zip(*rows, strict=True)]
    return LongTable(
        agents=columns[0], items=columns[1], trials=columns[2], values=columns[3], lines=list(range(len(rows))),
        source="t.csv",
    )  # fmt: skip


def board(agents: list[str], items: int = 30, trials: int = 1) -> Leaderboard:
    return from_table([table(agents, items, trials)])


def test_the_page_fetches_nothing_and_runs_nothing():
    text = page(board(["a", "b", "c"], trials=3))
    check_self_contained(text)
    assert not re.search(r"https?:", text)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_names_stay_text_wherever_they_stand(hostile: str):
    text = page(board([hostile, "b"], trials=2), title=hostile)
    check_harmless(text, hostile)
    assert hostile != SCRIPT or text.count("&lt;script&gt;") > 5


def test_every_plot_is_well_formed_and_described():
    text = page(board(["a", "b", "c"], trials=3))
    plots = re.findall(r"<svg[^>]*role=.*?</svg>", text, flags=re.DOTALL)
    described = [ET.fromstring(plot).attrib["aria-label"] for plot in plots]
    assert described == [
        "Scores with their intervals, and the ranks that are possible", "pass@k and pass^k of c",
        "pass@k and pass^k of b", "pass@k and pass^k of a", "Verdict on every pair",
    ]  # fmt: skip


def test_numbers_on_the_page_are_those_of_the_leaderboard():
    found = board(["a", "b"])
    text = page(found)
    for one in found.agents:
        low, high = one.confidence_interval
        assert f"{one.overall_score:.3f} ({low:.3f} to {high:.3f})" in text


def test_a_dot_stands_where_its_score_is():
    found = board(["a", "b"])
    plot = ET.fromstring(re.search(r"<svg.*?</svg>", page(found), flags=re.DOTALL).group())
    ticks = {text.text: float(text.attrib["x"]) for text in plot.iter("text") if text.text in ("0", "1")}  # scores last
    dots = [float(dot.attrib["cx"]) for dot in plot.iter("circle")][1::2]  # after each one of its ranks
    for one, dot in zip(found.agents, dots, strict=True):
        assert dot == pytest.approx(ticks["0"] + one.overall_score * (ticks["1"] - ticks["0"]), abs=0.2)


def test_a_pair_is_seen_from_both_sides():
    found = board(["bad", "middle", "good"], items=80)
    assert page(found).count('class="better"') == page(found).count('class="worse"') >= 1


@pytest.mark.parametrize(
    "found",
    [
        board(["only"]),
        board(["a", "b"], items=1),
        board([f"agent {n}" for n in range(40)], items=5, trials=2),
        from_preferences([Preferences(a=["a"], b=["b"], items=["x"], winners=["a"], lines=[2], source="p.csv")]),
    ],
    ids=["one agent", "one item", "many agents", "one preference"],
)
def test_odd_leaderboards_are_pages_too(found: Leaderboard):
    text = page(found)
    Tags(text)
    assert not re.search(r"\bnan\b|\binf\b|None", text)
    for note in found.notes:
        assert note.split("'")[0] in text
