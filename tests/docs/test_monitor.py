"""What the page about benchmarks says of the reference monitor is what came out, and comes out again."""

import json

import pytest
from bench.validity import monitor
from bench.validity.table import markdown, marks

from gnomon.bench.noticing.generate import kinds
from gnomon.bench.noticing.scenario import TIERS

PAGE = (monitor.DOCS / monitor.PAGE).read_text("utf-8")
FOUND = json.loads((monitor.DOCS / monitor.FIGURES).read_text("utf-8"))
LIVED = monitor.recorded(FOUND)
OWN = [one for one in LIVED if one.agent == monitor.MONITOR]


@pytest.mark.parametrize("name", FOUND["tables"])
def test_a_table_of_the_page_is_what_the_figures_say(name):
    shown = marks(name).search(PAGE)
    assert shown, f"the table {name} lacks its marks"
    assert shown[2] == markdown(FOUND["tables"][name]), "run: python -m bench.validity.monitor --write"


def test_the_tables_can_be_counted_again_from_the_days():
    assert json.loads(json.dumps(monitor.figures(LIVED))) == FOUND


def test_the_days_are_the_ones_that_would_be_drawn_today():
    assert [monitor.Day(one.kind, one.tier, one.seed, one.quiet) for one in OWN] == monitor.days()


def test_half_of_the_days_are_quiet_and_every_kind_and_tier_has_its_turn():
    days = monitor.days()
    assert sum(day.quiet for day in days) == len(days) / 2 == 100
    assert len({day.seed for day in days}) == len(days)
    for name in kinds():
        own = [day for day in days if day.kind == name]
        assert len(own) >= 11
        assert {day.tier for day in own} == set(TIERS)


@pytest.mark.parametrize("place", [8, 106, 199])
def test_a_day_that_is_lived_again_ends_as_it_is_written(place):
    again = monitor.live([monitor.days()[place]], (monitor.MONITOR,))
    assert again == [OWN[place]], "run: python -m bench.validity.monitor --write"


def test_what_the_page_says_in_words_is_so():
    assert all(one.acted for one in OWN if not one.quiet)
    for kind in ("cooking_smoke", "gps_loss", "one_beat_glitch", "watch_off_wrist"):
        assert all(one.false_alarms for one in OWN if one.kind == kind)
    looking = {row[0]: row[5] for row in FOUND["tables"]["monitor"]["rows"]}
    assert looking["never-acts"] == looking["always-calls"] == 0.5
