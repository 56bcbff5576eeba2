"""The leaderboard's page: everything in one file, nothing fetched, nothing that a name could break."""

import random
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from gnomon.interop.resulttables import LongTable, Preferences
from gnomon.model.leaderboard import Leaderboard, RunCost
from gnomon.report.leaderboard import page
from gnomon.report.leaderboardplots import cost_ticks, free_place
from gnomon.report.leaderboardwords import with_words
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


def test_a_bracket_leaves_out_who_is_not_in_its_group():
    """The middle agent is better than the last one, and was tried on other items than the first."""
    rows = [("first", f"item {at}", 1.0) for at in range(40)] + [("last", f"item {at}", 0.0) for at in range(40)]
    rows += [("apart", f"other {at}", float(at % 2)) for at in range(4)]
    rows += [("next", f"item {at}", float(at < 30)) for at in range(40)]
    agents, items, values = (list(column) for column in zip(*rows, strict=True))
    results = LongTable(agents=agents, items=items, trials=[""] * len(rows), values=values,
                        lines=list(range(len(rows))), source="t.csv")  # fmt: skip
    shown = from_table([results])
    assert [(agent.agent_id, agent.group) for agent in shown.agents] == [
        ("first", "a"), ("next", "b"), ("apart", "abc"), ("last", "c"),
    ]  # fmt: skip
    brackets = re.findall(r'class="(bracket[a-z ]*)" d=', page(shown))
    assert brackets == ["bracket", "bracket", "bracket skipped", "bracket", "bracket"]


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


def test_where_missing_scores_could_put_a_mean_is_hatched_and_said():
    gaps = table(["a", "b"], 30)
    gaps.values[:5] = [None] * 5
    text = page(from_table([gaps]))
    assert text.count('class="hatch"') == 1
    assert "Hatching: where the mean could lie" in text
    assert "atch" not in re.sub(r"<style>.*?</style>", "", page(board(["a", "b"])), flags=re.DOTALL)


def test_long_names_are_told_apart_wherever_they_are_cut():
    names = [
        f"an-agent-with-a-configuration-in-its-name-that-is-much-too-long-for-a-row-or-a-dot-{n}" for n in range(12)
    ]
    found = board(names)
    priced = [
        agent.model_copy(update={"cost": _cost(0.01 + 0.0001 * place)}) for place, agent in enumerate(found.agents)
    ]
    text = page(with_words(found.model_copy(update={"agents": priced})))
    for plot in re.findall(r"<svg[^>]*role=.*?</svg>", text, flags=re.DOTALL):
        shown = ["".join(node.itertext()) for node in ET.fromstring(plot).iter("text")]
        cut = [words for words in shown if "…" in words]
        assert len(set(cut)) == len(cut) > 0
    assert found.words is not None
    assert len(found.words.headline) < 400


def test_names_in_the_plot_of_costs_have_room_or_are_left_out():
    taken: list[Any] = []
    places = [free_place(taken, 0, 100, 80, 300) for _ in range(6)]
    assert places == [100, 113, 126, 139, None, None]
    assert free_place(taken, 500, 100, 80, 300) == 100
    assert free_place(taken, 500, 299, 80, 298) is None


@pytest.mark.parametrize(
    ("top", "last"), [(0.025, "$0.025"), (0.02, "$0.020"), (0.01, "$0.010"), (5, "$5.00"), (1e-5, "$0.000010")]
)
def test_ticks_of_costs_are_told_apart(top: float, last: str):
    ticks = [words for _, words in cost_ticks(top)]
    assert len(set(ticks)) == len(ticks) >= 5
    assert ticks[-1] == last


def _cost(per_run: float) -> RunCost:
    return RunCost(
        run_count=30, known_runs=30, total=30 * per_run, per_run=per_run, per_run_ci_95=None, per_success=None,
        tokens_per_run=None, seconds_per_run=None,
    )  # fmt: skip
