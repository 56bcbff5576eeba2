"""A benchmark's leaderboard as a page: curves, what agents did, scenario by scenario, cost, excluded runs."""

import itertools
import random
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from gnomon.model.bench import MetricValue
from gnomon.model.leaderboard import BenchLeaderboard
from gnomon.report.leaderboard import page
from gnomon.service.bench.leaderboard import Ran, leaderboard
from report.pages import HOSTILE, SCRIPT, check_harmless, check_self_contained
from service.benchboard import opinion, runs


def board(*agents: str) -> BenchLeaderboard:
    found = []
    for agent in agents:
        found += runs(agent, fire="both nothing called", office="quiet alarm quiet", gas="noticed unscored called")
    return leaderboard(found)


def plots(text: str) -> dict[str, ET.Element]:
    found = [ET.fromstring(plot) for plot in re.findall(r"<svg[^>]*role=.*?</svg>", text, flags=re.DOTALL)]
    return {plot.attrib["aria-label"]: plot for plot in found}


def test_the_page_has_every_plot_and_fetches_nothing():
    text = page(board("a", "b"))
    assert list(plots(text)) == [
        "Scores with their intervals, and the ranks that are possible", "pass@k and pass^k of a",
        "pass@k and pass^k of b", "Verdict on every pair", "How often: actions", "Score against cost per run",
        "Success by agent and scenario",
    ]  # fmt: skip
    check_self_contained(text)
    assert not re.search(r"https?:", text)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_names_actions_and_reasons_stay_text_wherever_they_stand(hostile: str):
    given = runs(hostile, **{hostile: "called unscored"})
    metrics = {**given[0].run_score.metrics, "actions": MetricValue(value=[hostile])}
    given[0] = replace(given[0], run_score=given[0].run_score.model_copy(update={"metrics": metrics}))
    broken = given[1].run_score.model_copy(update={"reason": hostile})
    text = page(leaderboard([given[0], replace(given[1], run_score=broken)], notes=[hostile]))
    check_harmless(text, hostile)
    assert hostile != SCRIPT or text.count("&lt;script&gt;") > 10


def test_a_square_is_the_darker_the_more_often_it_was_done():
    drawn = plots(page(board("a")))["Success by agent and scenario"]
    squares = {square[0].text: square[1].attrib["style"] for square in drawn.iter("g")}
    shades = {words.split(":")[0]: float(style.split(":")[1]) for words, style in squares.items()}
    assert shades["a, fire"] == shades["a, office"] > shades["a, gas"]
    assert [square[2].text for square in drawn.iter("g")] == ["67", "50", "67"]


def test_an_agent_that_ran_no_scenario_of_a_family_has_no_square_for_its_actions():
    elsewhere = [
        replace(run, run_score=run.run_score.model_copy(update={
            "family": "tasks", "metrics": {"tools": MetricValue(value=["refund"])}, "result": None,
        }))
        for run in runs("other", desk="called called")
    ]  # fmt: skip
    drawn = plots(page(leaderboard([*runs("a", fire="both nothing"), *elsewhere])))["How often: actions"]
    squares = {square[0].text.split(":")[0] for square in drawn.iter("g")}
    assert "other, refund" in squares
    assert {words.split(", ")[0] for words in squares if not words.endswith("refund")} == {"a"}
    assert "a, refund" not in squares


def test_scenario_cost_and_excluded_runs_are_in_tables():
    found = board("a", "b")
    text = page(found)
    for words in ("a/gas/run-02", "cut before the onset", "0.0200", "none T1", "What the numbers mean"):
        assert words in text
    scenario = found.agents[0].scenarios[0]
    low, high = scenario.success.confidence_interval_95
    assert f"{low:.3f}\u00a0to\u00a0{high:.3f}" in text


def test_what_a_judge_said_has_a_table_only_where_there_is_one():
    judged = [replace(run, judge=opinion(7.5)) for run in runs("a", fire="called called")]
    assert "What a judge said" in page(leaderboard(judged))
    assert "What a judge said" not in page(board("a"))


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


def test_a_score_stands_over_its_cost_and_the_step_joins_those_that_no_other_beats():
    dear = [replace(run, cost_usd=0.5) for run in runs("dear", fire="called called", office="quiet quiet")]
    cheap = [replace(run, cost_usd=0.1) for run in runs("cheap", fire="nothing called", office="quiet quiet")]
    worse = [replace(run, cost_usd=0.3) for run in runs("worse", fire="nothing nothing", office="alarm quiet")]
    found = leaderboard([*dear, *cheap, *worse])
    assert found.cost_front == ["cheap", "dear"]
    assert (
        found.words.cost == "No other agent is both as cheap and better: cheap and dear, from the cheapest to the best."
    )
    drawn = plots(page(found))["Score against cost per run"]
    dots = {name.text: float(dot.attrib["cx"]) for dot, name in zip(
        list(drawn.iter("circle")),
        [text for text in drawn.iter("text") if text.text in ("dear", "cheap", "worse")], strict=True)}  # fmt: skip
    assert dots["cheap"] < dots["worse"] < dots["dear"]
    assert dots["dear"] - dots["worse"] == pytest.approx(dots["worse"] - dots["cheap"], abs=0.3)
    assert [path.attrib["class"] for path in drawn.iter("path")].count("front") == 1


def test_runs_that_cost_nothing_have_no_plot_of_cost():
    found = leaderboard([replace(run, cost_usd=0.0) for agent in "ab" for run in runs(agent, fire="called nothing")])
    text = page(found)
    assert "Score against cost per run" not in plots(text)
    assert "No run of these agents cost anything" in text


def test_ranks_groups_and_words_never_contradict_each_other():
    chances = random.Random(7)
    outcomes = ["called", "nothing", "told", "unscored"]
    for days in [3, 9, 20] * 8:
        each: list[Ran] = []
        for agent in "abcde":
            weights = [1 + ord(agent) % 5, 2, 1, 0.3]
            each += runs(agent, **{f"s{n}": " ".join(chances.choices(outcomes, weights, k=2)) for n in range(days)})
        found = leaderboard(each)
        ranges = {agent.agent_id: agent.rank_interval for agent in found.agents}
        for group in found.groups:
            for one, other in itertools.combinations(group, 2):
                assert max(ranges[one][0], ranges[other][0]) <= min(ranges[one][1], ranges[other][1])
        top = [agent.agent_id for agent in found.agents if agent.rank == 1]
        for one, other in itertools.combinations(top, 2):
            assert next(pair for pair in found.comparisons if {pair.a, pair.b} == {one, other}).uncertain
        assert all(name in found.words.headline for name in top[:4])


def test_long_names_may_break_so_that_no_table_is_wider_than_the_page():
    text = page(leaderboard(runs("a/b", **{"returns_desk.blanket_after_six_weeks": "called nothing"})))
    assert "returns_<wbr>desk.<wbr>blanket_<wbr>after_<wbr>six_<wbr>weeks</td>" in text
    assert ">a/b</th>" in text  # a short name stays in one line


def test_a_long_name_is_escaped_piece_by_piece():
    name = "<b>returns_desk</b>.blanket_after_six_weeks"
    text = page(leaderboard(runs("a", **{name: "called nothing"})))
    assert "&lt;b&gt;returns_<wbr>desk&lt;/<wbr>b&gt;.<wbr>blanket_" in text
    assert "<b>" not in text
