"""What the page about stopping says of errors and saved runs is what the simulation counted."""

import json

import numpy as np
import pytest
from bench.validity import stopping
from bench.validity.command import DOCS
from bench.validity.draw import seeded
from bench.validity.table import markdown, marks

from gnomon.stats.sequence import beta_mixture, betting_mixture, log_stakes
from gnomon.stats.stopping import decide_difference, decide_gate

PAGE = (DOCS / stopping.PAGE).read_text("utf-8")
FOUND = json.loads((DOCS / stopping.FIGURES).read_text("utf-8"))


@pytest.mark.parametrize("name", FOUND["tables"])
def test_a_table_of_the_page_is_what_the_figures_say(name):
    shown = marks(name).search(PAGE)
    assert shown, f"the table {name} lacks its marks"
    assert shown[2] == markdown(FOUND["tables"][name]), "run: python -m bench.validity.stopping --write"


def test_no_case_is_decided_wrongly_more_often_than_is_said():
    """Error rate ≤ 5 % over all looks."""
    assert FOUND["repeats"] >= stopping.REPEATS
    rows = FOUND["tables"]["stopping_errors"]["rows"]
    assert max(share for row in rows for share in row[1:]) <= 0.05


def test_the_page_names_the_repeats():
    for share, what in ((1, "2,000 evaluations"), (2, "1,000 evaluations"), (4, "500 evaluations")):
        assert f"{FOUND['repeats'] // share:,} evaluations" == what
        assert what in PAGE


@pytest.mark.parametrize("effect", [0.0, 0.1, 0.2])
def test_the_simulation_ends_where_the_product_does(effect):
    """It adds up stakes for many streams at once; the product is asked look by look."""
    difference = stopping.pairs(effect)[3]
    for source, mean, gate in ((stopping.GATES[2], stopping.GATES[2].mean - effect, True), (difference, 0.5, False)):
        up, down = log_stakes(np.array([1.0, 0.0]), mean)
        for row in source.draw(seeded(0, 1, effect), (4, 100)):
            stakes = stopping.stakes_at_looks(source, row, mean, 10)
            expected = stopping.ended(stakes, up, down, 10, 100)
            values = source.values[row].tolist()
            assert _by_the_product(values, mean if gate else None) == expected


def _by_the_product(values: list[float], threshold: float | None) -> stopping.Ended:
    for n in range(10, 101, 10):
        if threshold is None:
            look = decide_difference([2 * value - 1 for value in values[:n]], remaining=100 - n)
        else:
            look = decide_gate(values[:n], "gte", threshold, remaining=100 - n)
        if look.should_stop:
            break
    return stopping.Ended(n, "cannot_be_decided" if look.outcome == "cannot_be_decided" else "decided")


def test_what_the_page_says_of_ten_thousand_scores_is_so():
    wide, exact = betting_mixture([1.0] * 9_000 + [0.0] * 1_000), beta_mixture(9_000, 10_000)
    assert (
        f"({100 * ((wide.high - wide.low) / (exact.high - exact.low) - 1):.1f} % at 10,000 scores of mean 0.9)" in PAGE
    )


def test_what_the_page_says_of_the_three_sequences_is_so():
    saved = [[int(cell.split(" ")[0]) for cell in row[1:]] for row in FOUND["tables"]["stopping_methods"]["rows"]]
    behind = [
        (hedged - ours, bernstein - ours) for ours, hedged, bernstein in saved if max(hedged, bernstein) > ours + 1
    ]
    assert (len(saved), len(behind)) == (11, 3)
    assert (min(behind)[0], max(behind)[0], max(by for _, by in behind)) == (4, 9, 5)
    assert "eight of the eleven" in PAGE
    assert "4 to 9 points more and empirical Bernstein up to 5" in PAGE


def test_a_cell_that_is_drawn_again_is_what_is_written():
    ends = stopping._ends(stopping.GATES[0], 0.5 - 0.2, FOUND["repeats"] // 2, (FOUND["seed"], 32, 0, 0.2))
    rows = FOUND["tables"]["stopping_saved_gate"]["rows"][: len(stopping.MOST)]
    assert [row[-1] for row in rows] == [stopping._saved(ends[most], most) for most in stopping.MOST]


def test_intervals_of_scorers_that_were_not_looked_at_are_right_too():
    """All intervals of an experiment that could stop early are valid under stopping."""
    rows = FOUND["tables"]["stopping_others"]["rows"]
    assert max(row[-1] for row in rows) <= 0.05
    assert max(row[-2] for row in rows) > 0.08, "the page says that the ordinary interval is not"
