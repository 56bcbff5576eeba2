"""A benchmark's leaderboard as a page: curves, what agents did, scenario by scenario, cost, excluded runs."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from gnomon.model.leaderboard import BenchLeaderboard
from gnomon.report.leaderboard import page
from gnomon.service.benches import leaderboard
from service.benchboard import opinion, runs

NASTY = '<script>alert("1")</script>&\'"'


def board(*agents: str) -> BenchLeaderboard:
    found = []
    for agent in agents:
        found += runs(agent, fire="both nothing called", office="quiet alarm quiet", gas="noticed unscored called")
    return leaderboard(found)


def plots(text: str) -> dict[str, ET.Element]:
    found = [ET.fromstring(plot) for plot in re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)]
    return {plot.attrib["aria-label"]: plot for plot in found}


def test_the_page_has_every_plot_and_fetches_nothing():
    text = page(board("a", "b"))
    assert list(plots(text)) == [
        "Scores with their intervals", "Ranks and their ranges", "pass@k: at least one of k runs passes",
        "pass^k: all of k runs pass", "Verdict on every pair", "How often agents did what",
        "Success by agent and scenario",
    ]  # fmt: skip
    assert not re.search(r"<script|<link|<img|url\(|@import|https?:|\bsrc=|\bhref=", text)


def test_names_actions_and_reasons_are_escaped_wherever_they_stand():
    given = runs(NASTY, **{NASTY: "called unscored"})
    result = given[0].run_score.result.model_copy(update={"actions_taken": [NASTY]})
    given[0] = replace(given[0], run_score=given[0].run_score.model_copy(update={"result": result}))
    broken = given[1].run_score.model_copy(update={"reason": NASTY})
    text = page(leaderboard([given[0], replace(given[1], run_score=broken)], notes=[NASTY]))
    assert "<script" not in text
    assert text.count("&lt;script&gt;") > 10


def test_a_square_is_the_darker_the_more_often_it_was_done():
    drawn = plots(page(board("a")))["Success by agent and scenario"]
    squares = {square[0].text: square[1].attrib["style"] for square in drawn.iter("g")}
    shades = {words.split(":")[0]: float(style.split(":")[1]) for words, style in squares.items()}
    assert shades["a, fire"] == shades["a, office"] > shades["a, gas"]
    assert [square[2].text for square in drawn.iter("g")] == ["67", "50", "67"]


def test_scenario_cost_and_excluded_runs_are_in_tables():
    found = board("a", "b")
    text = page(found)
    for words in ("a/gas/run-02", "cut before the onset", "0.0200", "quiet day T1", "What the numbers mean"):
        assert words in text
    scenario = found.agents[0].scenarios[0]
    low, high = scenario.success.confidence_interval_95
    assert f"{low:.3f} to {high:.3f}" in text


def test_what_a_judge_said_has_a_table_only_where_there_is_one():
    judged = [replace(run, judge=opinion(7.5)) for run in runs("a", fire="called called")]
    assert "What a judge said" in page(leaderboard(judged))
    assert "What a judge said" not in page(board("a"))


def test_both_colour_schemes_have_every_colour():
    text = page(board("a", "b"))
    light, dark = text.split("prefers-color-scheme: dark", 1)
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", text))
    for scheme in (light, dark.split("}", 1)[0]):
        assert used <= set(re.findall(r"(--[a-z0-9-]+):", scheme))


@pytest.mark.parametrize(
    "found",
    [
        leaderboard(runs("only", fire="called")),
        leaderboard(runs("only", fire="unscored")),
        leaderboard([replace(run, cost_usd=None, tokens=None, latency_ms=None) for run in runs("a", office="quiet")]),
        leaderboard([run for n in range(12) for run in runs(f"agent-{n}-" + "x" * 60, a="called", b="alarm")]),
    ],
    ids=["one run", "nothing scored", "nothing known of cost", "many agents with long names"],
)
def test_odd_leaderboards_are_pages_too(found: BenchLeaderboard):
    text = page(found)
    plots(text)
    assert not re.search(r"\bnan\b|\binf\b|None", text)
