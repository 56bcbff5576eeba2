"""What the page about items says of coverage is what the simulation counted."""

import json

import pytest
from bench.validity import items
from bench.validity.command import DOCS
from bench.validity.table import markdown, marks

PAGE = (DOCS / items.PAGE).read_text("utf-8")
FIGURES = json.loads((DOCS / items.FIGURES).read_text("utf-8"))


@pytest.mark.parametrize("name", FIGURES["tables"])
def test_a_table_of_the_page_is_what_the_figures_say(name):
    shown = marks(name).search(PAGE)
    assert shown, f"the table {name} lacks its marks"
    assert shown[2] == markdown(FIGURES["tables"][name]), "run: python -m bench.validity.items --write"


def test_intervals_cover_and_nothing_is_called_mislabelled_that_is_not():
    assert FIGURES["repeats"] >= items.REPEATS
    assert f"{FIGURES['repeats']:,} data sets" in PAGE
    rows = [
        dict(zip(FIGURES["tables"]["items"]["columns"], row, strict=True)) for row in FIGURES["tables"]["items"]["rows"]
    ]
    assert min(row["discrimination"] for row in rows) >= 0.93
    assert min(row["difficulty"] for row in rows) >= 0.9
    assert max(row["wrongly called mislabelled"] for row in rows) <= 0.01
