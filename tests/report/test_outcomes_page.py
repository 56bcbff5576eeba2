"""The outcome page: values where they belong, little evidence seen as little, and every picture also as a table."""

import re
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from typing import Any

import pytest

from gnomon.model.outcome import Honesty, Iteration, OutcomeSession, SessionIteration
from gnomon.outcome.integrity import honesty
from gnomon.report.outcomes import page
from report.pages import HOSTILE, Tags, check_harmless, check_self_contained

NOW = datetime(2026, 2, 21, 22, 0, tzinfo=UTC)
NOBODY = honesty([])


def iteration(number: int, value: float | None = 0.9, **fields: Any) -> Iteration:
    about = {
        "id": f"i{number}", "project_id": "p", "source": "repo", "rubric_version": "2.1.0", "profile": "compat",
        "scored": value is not None, "band": "unscored" if value is None else "excellent", "coverage": 0.8,
        "provisional": False, "breakdown": [], "integrity": [], "objectives": {}, "session_id": None, "date": None,
        "task_id": None, "commit": None, "created_at": NOW, "updated_at": NOW,
    }  # fmt: skip
    return Iteration(**{**about, "iteration": number, "value": value, **fields})


def session(**fields: Any) -> OutcomeSession:
    ref = SessionIteration(iteration=1, value=0.5, band="fair", coverage=0.5, provisional=False)
    about = {
        "source": "repo", "session_id": "s", "rubric_version": "2.1.0", "iterations": [1, 2, 3], "n_scored": 3,
        "n_provisional": 0, "value": 0.5, "confidence_interval_95": (0.25, 0.75), "ci_method": "t_clipped",
        "ci_reason": None, "flags": ["small_n"], "band": "fair", "per_iteration": [ref],
    }  # fmt: skip
    return OutcomeSession(**{**about, **fields})


def profile(**fields: Any) -> Honesty:
    about = {
        "role": "impl", "signal": "tests", "n": 4, "n_claimed_only": 1, "n_observed_only": 2, "mean_delta": -0.25,
        "confidence_interval_95": (-0.5, 0.125), "ci_method": "t_clipped", "ci_reason": None, "overclaimed": 2,
        "overclaim_share": 0.5, "overclaim_share_ci_95": (0.15, 0.85), "flags": [],
    }  # fmt: skip
    return Honesty(n_iterations=7, roles=[{**about, **fields}])


def plot(text: str) -> ET.Element:
    """The picture, without those of the legend."""
    return ET.fromstring(re.search(r'<svg[^>]*role="img".*?</svg>', text, flags=re.DOTALL).group())


def whole(**names: str) -> str:
    about = {"session": "s", "signal": "tests", "source": "repo", "date": "2026-02-21", "task": "t", "band": "good"}
    told = {**about, **names}
    some = [
        iteration(1, None, source=told["source"]), iteration(2, 0.4, provisional=True, coverage=0.1),
        iteration(3, date=told["date"], task_id=told["task"], session_id=told["session"], band=told["band"]),
    ]  # fmt: skip
    return page(some, [session(session_id=told["session"])], profile(signal=told["signal"]), [told.get("note", "n")])


def test_the_page_fetches_nothing_and_runs_nothing():
    text = whole()
    check_self_contained(text)
    assert not re.search(r"https?:", text)


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("where", ["source", "session", "signal", "date", "task", "band", "note"])
def test_names_stay_text_wherever_they_stand(where: str, hostile: str):
    text = whole(**{where: hostile})
    check_harmless(text, hostile)
    plot(text)


def test_a_dot_stands_where_its_value_is():
    text = page([iteration(10 + n, n / 4) for n in range(5)], [], NOBODY)
    levels = {mark.text: float(mark.attrib["y"]) - 4 for mark in plot(text).iter("text") if mark.text in ("0", "1")}
    dots = [float(dot.attrib["cy"]) for dot in plot(text).iter("circle")]
    assert dots == pytest.approx([levels["0"] + n / 4 * (levels["1"] - levels["0"]) for n in range(5)], abs=0.11)


def test_little_evidence_is_a_ring_and_never_looks_like_the_same_value_on_much():
    text = page([iteration(1, 1.0, coverage=0.13, provisional=True), iteration(2, 1.0)], [], NOBODY)
    ring, disc = plot(text).iter("circle")
    assert (ring.attrib["class"], disc.attrib["class"]) == ("provisional", "firm")
    assert "fill:var(--paper);stroke:var(--good)" in ring.attrib["style"]
    assert "fill:var(--good)" in disc.attrib["style"]
    assert "Iteration 1: 1.000, excellent, provisional, on 13 % of the evidence" in text
    assert "excellent (provisional)" in text


def test_the_key_shows_each_band_in_the_colour_of_its_dots():
    text = page([iteration(1, 1.0), iteration(2, 0.4, band="poor")], [], NOBODY)
    key = re.search(r'<ul class="key">.*?</ul>', text, flags=re.DOTALL).group()
    assert re.findall(r"fill:(var\(--\w+\))\"/></svg>(\w+)</li>", key) == [
        ("var(--good)", "excellent"), ("var(--bad)", "poor"),
    ]  # fmt: skip
    assert {dot.attrib["style"].split(";")[0] for dot in plot(text).iter("circle")} == {
        "fill:var(--good)", "fill:var(--bad)",
    }  # fmt: skip


def test_coverage_is_drawn_to_scale_below():
    bars = list(plot(page([iteration(1, coverage=1.0), iteration(2, coverage=0.25)], [], NOBODY)).iter("rect"))
    full, quarter = (float(bar.attrib["height"]) for bar in bars)
    assert quarter == pytest.approx(full / 4, abs=0.1)


def test_an_iteration_without_a_score_is_a_cross_and_breaks_the_line():
    drawn = plot(page([iteration(1), iteration(2, None), iteration(3), iteration(4)], [], NOBODY))
    paths = {kind: [path.attrib["d"] for path in drawn.iter("path") if path.attrib["class"] == kind]
             for kind in ("cross", "trend-line")}  # fmt: skip
    assert len(paths["cross"]) == 1
    assert re.sub(r"[\d. ]", "", paths["trend-line"][0]) == "MML"
    assert len(list(drawn.iter("circle"))) == 3


def test_the_picture_has_a_title_and_says_itself_in_words():
    drawn = plot(page([iteration(1, 0.25), iteration(2, 0.75), iteration(3, None)], [], NOBODY))
    named = {one.attrib["id"]: one.text for one in drawn if "id" in one.attrib}
    assert set(drawn.attrib["aria-labelledby"].split()) == set(named)
    assert named["trend-title"] == "Value by iteration"
    assert "3 iterations, 2 scored. Values reach from 0.250 to 0.750." in named["trend-words"]
    assert "The last is: Iteration 3: not scored" in named["trend-words"]


def test_every_drawn_value_is_in_a_table_that_can_be_reached_by_keyboard():
    text = page([iteration(n, n / 8) for n in range(1, 8)], [], NOBODY)
    table = text[text.index("Every iteration") :]
    for number in range(1, 8):
        assert f'<th scope="row">{number}</th>' in table
        assert f"<td>{number / 8:.3f}</td>" in table
    assert ("div", "0") in [(tag, attributes.get("tabindex")) for tag, attributes in Tags(text).found]


def test_sessions_and_claims_have_their_intervals_or_the_reason_why_not():
    alone = session(session_id="t", n_scored=1, confidence_interval_95=None, ci_reason="only one was scored")
    text = page([iteration(1)], [session(), alone], profile())
    assert "0.250 to 0.750" in text
    assert "only one was scored" in text
    for cell in ("-0.250 (-0.500 to +0.125)", "2 of 4: 0.500 (0.150 to 0.850)"):
        assert cell in text, cell


def test_a_session_on_little_evidence_alone_is_said_to_be_provisional():
    assert "fair (provisional)" in page([iteration(1)], [session(n_provisional=3)], NOBODY)
    assert "fair (provisional)" not in page([iteration(1)], [session(n_provisional=2)], NOBODY)


def test_nothing_yet_says_how_to_push():
    text = page([], [], NOBODY)
    Tags(text)
    assert "gnomon outcome push" in text
    assert "POST /v1/iterations" in text
    assert "<svg" not in text


def test_both_colour_schemes_have_every_colour():
    text = page([iteration(n, band=f"own {n}") for n in range(6)] + [iteration(7)], [], NOBODY)
    assert "var(--line-7)" in text
    check_self_contained(text)


@pytest.mark.parametrize("count", [1, 2, 300])
def test_any_number_of_iterations_fits_the_picture(count: int):
    some = [iteration(n * 1000, None if n % 7 == 3 else 1.0000000001, coverage=1.0000000001) for n in range(count)]
    text = page(some, [], NOBODY)
    Tags(text)
    assert not re.search(r"\bnan\b|\binf\b|None", text)
    for dot in plot(text).iter("circle"):
        assert 0 < float(dot.attrib["cx"]) < 900
        assert 10 < float(dot.attrib["cy"]) < 320
