"""What the page about drift says of false alarms and delays is what the simulation found."""

import json

import pytest
from bench.validity import drift
from bench.validity.command import DOCS
from bench.validity.draw import seeded
from bench.validity.table import markdown, marks

PAGE = (DOCS / drift.PAGE).read_text("utf-8")
FOUND = json.loads((DOCS / drift.FIGURES).read_text("utf-8"))


@pytest.mark.parametrize("name", FOUND["tables"])
def test_a_table_of_the_page_is_what_the_figures_say(name):
    shown = marks(name).search(PAGE)
    assert shown, f"the table {name} lacks its marks"
    assert shown[2] == markdown(FOUND["tables"][name]), "run: python -m bench.validity.drift --write"


def test_independent_scores_raise_no_more_false_alarms_than_is_said():
    """At most 5 % over a year of daily looks."""
    table = FOUND["tables"]["drift_false_alarms"]
    assert FOUND["repeats"] >= drift.REPEATS
    place = table["columns"].index("independent")
    assert max(row[place] for row in table["rows"]) <= 0.05


def test_a_stream_that_is_drawn_again_ends_the_same():
    source = drift.SOURCES[1]
    one, again = (drift.stream(source, 50, seeded(0, 1), shift=0.2) for _ in range(2))
    assert one == again
    assert (one.status, one.direction) == ("alarm", "down")
    assert abs(one.began_at - drift.CHANGE_AFTER) <= 3
