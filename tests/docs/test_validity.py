"""The page about intervals says what the simulation found, and the simulation runs."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from bench.validity import report
from bench.validity.table import markdown, marks

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "concepts"
PAGE = (FOLDER / report.PAGE).read_text("utf-8")
FOUND = json.loads((FOLDER / report.FIGURES).read_text("utf-8"))


def test_every_table_of_the_figures_is_in_the_page_once_and_no_other():
    assert sorted(re.findall(r"<!-- table (\w+) -->", PAGE)) == sorted(FOUND["tables"])


@pytest.mark.parametrize("name", FOUND["tables"])
def test_a_table_of_the_page_is_what_the_figures_say(name):
    shown = marks(name).search(PAGE)
    assert shown, f"the table {name} lacks its marks"
    assert shown[2] == markdown(FOUND["tables"][name]), "run: python -m bench.validity"


@pytest.mark.parametrize(("name", "drawing"), report.plots(FOUND).items())
def test_a_plot_is_drawn_from_the_figures_and_shown(name, drawing):
    assert (FOLDER / report.PLOTS / name).read_text("utf-8") == drawing
    assert f"({report.PLOTS}/{name})" in PAGE
    assert ElementTree.fromstring(drawing).tag.endswith("svg")


def test_the_figures_are_not_those_of_a_quick_run():
    assert not FOUND["quick"]
    assert FOUND["repeats"] >= 4000


@pytest.mark.parametrize("name", ["shares", "clusters", "clusters_means", "ranks"])
def test_what_the_page_promises_of_shares_clusters_and_ranks_holds(name):
    """Scores of 0 and 1, with and without trials, and ranks of all agents at once: at least 93 % everywhere."""
    assert min(ours(name)) >= 0.93


def test_real_scores_are_covered_from_five_on_in_every_case():
    """Bounded real scores: at least 93 % from n = 5 on, for constants, two-point, skewed, mixed and uniform scores."""
    table = FOUND["tables"]["real_families"]
    from_five = table["columns"].index("n = 5")
    assert min(cell for row in table["rows"] for cell in row[from_five:]) >= 0.93


def rows_of(name: str) -> list[dict[str, Any]]:
    table = FOUND["tables"][name]
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def test_no_method_that_covers_as_much_is_narrower():
    """Of all that are never below 93 %, also on the cases that had no say in the choice, none is narrower than the
    default, up to what rounding in a column shows."""
    rows = rows_of("real_methods")
    assert rows[0]["method"] == "default"
    missing = {row["method"] for name in ("real_methods", "unseen_fresh") for row in rows_of(name) if row["below 93 %"]}
    assert min(row["width ÷ default"] for row in rows if row["method"] not in missing) >= 0.999


def ours(name: str) -> list[float]:
    """The cells of our own methods."""
    table = FOUND["tables"][name]
    places = [table["columns"].index(column) for column in table["ours"]]
    assert places
    return [row[place] for row in table["rows"] for place in places]


def test_a_quick_run_prints_every_table_and_writes_figures_and_plots(tmp_path):
    (tmp_path / report.PAGE).write_text("<!-- table shares -->\n\nold\n\n<!-- end -->\n", encoding="utf-8")
    command = [sys.executable, "-m", "bench.validity", "--quick", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads((tmp_path / report.FIGURES).read_text("utf-8"))
    assert found["quick"]
    assert set(found["tables"]) == set(FOUND["tables"])
    for table in found["tables"].values():
        assert markdown(table) in done.stdout
    assert sorted(file.name for file in (tmp_path / report.PLOTS).iterdir()) == sorted(report.plots(found))
    # Nothing is drawn for these, so even a quick run must say the same.
    assert found["tables"]["shares"] == FOUND["tables"]["shares"]
    assert markdown(FOUND["tables"]["shares"]) in (tmp_path / report.PAGE).read_text("utf-8")
