"""docs/RUBRIC.md and the rubrics that ship say the same; and what the page shows of a rubric of one's own works."""

import re
from pathlib import Path

import pytest

from gnomon.outcome import Rubric, load_rubric
from gnomon.outcome.rubric import SHIPPED
from outcome.conftest import Repo

PAGE = (Path(__file__).parents[2] / "docs" / "RUBRIC.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"the page has no section {title!r}"
    return found[1]


def tables(text: str) -> list[list[list[str]]]:
    """Each table as its rows, the heading first; the line below the heading is left out."""
    found = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    return [
        [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines() if "|---|" not in row]
        for table in found
    ]


def columns(version: str) -> list[tuple[str, str, str, str, str]]:
    """Of the page: id, label, weight, two-way and question of the signals that the version has."""
    heading, *rows = tables(section("Signals"))[0]
    weight = heading.index(version)
    return [(row[0].strip("`"), row[1], row[weight], row[4], row[5]) for row in rows if row[weight] != "–"]


@pytest.mark.parametrize("version", SHIPPED)
def test_the_page_lists_every_signal_of_a_rubric_in_its_order(version: str):
    rubric = load_rubric(version)
    assert columns(version) == [
        (one.id, one.label, f"{one.weight:.2f}", "yes" if one.two_way else "no", one.description)
        for one in rubric.signals
    ]


def test_the_page_has_no_column_of_a_rubric_that_does_not_ship():
    heading = tables(section("Signals"))[0][0]
    assert heading == ["signal", "label", *SHIPPED, "claim beside the fact", "question"]


def test_every_signal_is_said_to_be_worth_something():
    _, meaning = tables(section("Signals"))
    known = [one.id for one in load_rubric("3.0.0").signals]
    assert [row[0].strip("`") for row in meaning[1:]] == known


@pytest.mark.parametrize("version", SHIPPED)
def test_bands_and_combination_are_those_of_the_page(version: str):
    rubric = load_rubric(version)
    rows = tables(section("Bands"))[0][1:]
    assert [(name, float(start)) for name, start in rows] == [(band.name, band.min) for band in rubric.bands]
    assert section("Combination").strip().startswith(f"`{rubric.combination}`:")


@pytest.mark.parametrize("version", SHIPPED)
def test_a_rubric_that_ships_holds_together_and_is_named_by_its_file(version: str):
    rubric = load_rubric(version)
    rubric.validate()
    assert rubric.version == version


def test_more_than_half_of_the_default_weight_is_correctness_and_a_third_the_way_of_working():
    weight = {one.id: one.weight for one in load_rubric("2.1.0").signals}
    assert sum(weight[id] for id in ("landed", "verifier", "tests")) > 0.5
    ways = sum(weight[id] for id in ("correction_pressure", "scope", "hook_outcomes"))
    assert ways == pytest.approx(1 / 3, abs=0.05)


# ── a rubric of one's own, as the page shows it ─────────────────────────────────────────────────────────────────


def blocks() -> tuple[str, str]:
    rubric, signals = re.findall(r"^```yaml\n(.*?)^```", section("A rubric of your own"), re.MULTILINE | re.DOTALL)
    return rubric, signals


@pytest.fixture
def own(tmp_path: Path) -> Rubric:
    file = tmp_path / "team.yaml"
    file.write_text(blocks()[0], encoding="utf-8")
    return load_rubric(file)


def test_the_rubric_on_the_page_is_taken(own: Rubric):
    own.validate()
    assert own.version == "team-1"
    assert [(one.id, one.weight, one.two_way) for one in own.signals] == [
        ("landed", 0.5, True), ("coverage", 0.5, False),
    ]  # fmt: skip
    assert [band.name for band in own.bands] == ["ship", "look again"]


def test_an_iteration_is_scored_by_the_rubric_and_the_signals_on_the_page(own: Rubric, repo: Repo):
    sha = repo.commit("Work", {"a.py": "1\n"})
    repo.only_entry(commit=sha)
    repo.write({".agents/active/iteration-log/iter-1.signals.yaml": blocks()[1]})
    score = repo.one(rubric=own).score
    assert score.value == pytest.approx(0.5 * 1 + 0.5 * 0.82)
    assert score.band == "ship"
    assert (score.breakdown[1].sub_score, score.breakdown[1].detail) == (0.82, "lines covered by the suite")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (None, "no iter-1.signals.yaml"),
        ("signals: {}", "iter-1.signals.yaml says nothing of it"),
        ("signals: {coverage: 1.2}", "iter-1.signals.yaml, line 1: not a number from 0 to 1"),
        ("signals: {coverage: much}", "iter-1.signals.yaml, line 1: not a number from 0 to 1"),
        ("signals: {coverage: {value: null, detail: not measured here}}", "not measured here"),
        ("signals: [1]", "cannot read iter-1.signals.yaml"),
    ],
)
def test_a_signal_of_ones_own_that_is_not_measured_has_no_vote(own: Rubric, repo: Repo, given: str | None, reason: str):
    sha = repo.commit("Work", {"a.py": "1\n"})
    repo.only_entry(commit=sha)
    if given is not None:
        repo.write({".agents/active/iteration-log/iter-1.signals.yaml": given})
    score = repo.one(rubric=own).score
    assert (score.value, score.coverage) == (1.0, 0.5)
    assert not score.breakdown[1].present
    assert reason in score.breakdown[1].detail
