"""What the page about groups of iterations says of coverage is what the simulation counted."""

import json

import pytest
from bench.validity import groups
from bench.validity.command import DOCS
from bench.validity.table import TARGET, markdown, marks

PAGE = (DOCS / groups.PAGE).read_text("utf-8")
FOUND = json.loads((DOCS / groups.FIGURES).read_text("utf-8"))


@pytest.mark.parametrize("name", FOUND["tables"])
def test_a_table_of_the_page_is_what_the_figures_say(name):
    shown = marks(name).search(PAGE)
    assert shown, f"the table {name} lacks its marks"
    assert shown[2] == markdown(FOUND["tables"][name]), "run: python -m bench.validity.groups --write"


def test_the_interval_covers_in_every_case_and_size():
    assert FOUND["repeats"] >= groups.REPEATS
    assert f"{FOUND['repeats']:,} data sets" in PAGE
    assert f"{len(groups.CASES)} kinds of scores" in PAGE
    assert min(row[1] for row in FOUND["tables"]["groups"]["rows"]) >= TARGET


def test_equal_groups_are_seldom_called_different():
    assert max(row[1] for row in FOUND["tables"]["groups_decided"]["rows"]) <= 0.026


def test_the_simulation_uses_the_products_interval():
    """It compares the first rows of every case with the package, and raises where they differ."""
    assert len(list(groups.tables(5, 1))) == 2
