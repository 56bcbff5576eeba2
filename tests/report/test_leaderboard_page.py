"""The leaderboard's page: everything in one file, nothing fetched, nothing that a name could break."""

import random
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from gnomon.interop.tables import LongTable, Preferences
from gnomon.model.leaderboard import Leaderboard
from gnomon.report.leaderboard import page
from gnomon.service.leaderboard import from_preferences, from_table

NASTY = '<script>alert("1")</script>&\'"'
VOID = {"meta", "circle", "path", "rect", "polygon", "polyline", "br"}


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


class Tags(HTMLParser):
    """The tags in order, with their attributes; every one that opens must close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag


def test_the_page_fetches_nothing_and_runs_nothing():
    text = page(board(["a", "b", "c"], trials=3))
    tags = Tags(text)
    assert not {tag for tag, _ in tags.found} & {"script", "link", "img", "iframe", "object"}
    assert not [name for _, attributes in tags.found for name in attributes if name in ("src", "href", "onload")]
    assert not re.search(r"url\(|@import|https?:", text)


def test_names_are_escaped_wherever_they_stand():
    text = page(board([NASTY, "b"], trials=2), title=NASTY)
    assert "<script" not in text
    assert text.count("&lt;script&gt;") > 5
    Tags(text)


def test_every_plot_is_well_formed_and_described():
    text = page(board(["a", "b", "c"], trials=3))
    plots = re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)
    described = [ET.fromstring(plot).attrib["aria-label"] for plot in plots]
    assert described == [
        "Scores with their intervals", "Ranks and their ranges", "pass@k: at least one of k trials passes",
        "pass^k: all of k trials pass", "Verdict on every pair",
    ]  # fmt: skip


def test_numbers_on_the_page_are_those_of_the_leaderboard():
    found = board(["a", "b"])
    text = page(found)
    for one in found.agents:
        low, high = one.confidence_interval
        assert f"{one.overall_score:.3f}  ({low:.3f} to {high:.3f})" in text


def test_a_dot_stands_where_its_score_is():
    found = board(["a", "b"])
    plot = ET.fromstring(re.search(r"<svg.*?</svg>", page(found), flags=re.DOTALL).group())
    ticks = {text.text: float(text.attrib["x"]) for text in plot.iter("text") if text.text in ("0", "1")}
    dots = [float(dot.attrib["cx"]) for dot in plot.iter("circle")]
    for one, dot in zip(found.agents, dots, strict=True):
        assert dot == pytest.approx(ticks["0"] + one.overall_score * (ticks["1"] - ticks["0"]), abs=0.2)


def test_a_pair_is_seen_from_both_sides():
    found = board(["bad", "middle", "good"], items=80)
    assert page(found).count('class="better"') == page(found).count('class="worse"') >= 1


def test_both_colour_schemes_have_every_colour():
    text = page(board(["a", "b"]))
    light, dark = text.split("prefers-color-scheme: dark", 1)
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", text))
    for scheme in (light, dark.split("}", 1)[0]):
        assert used <= set(re.findall(r"(--[a-z0-9-]+):", scheme))


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
