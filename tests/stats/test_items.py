"""How hard items are, and how well they tell experiments apart."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.stats.interval import wilson
from gnomon.stats.items import ALL_ALIKE, FEWEST_EXPERIMENTS, OTHERS_ALIKE, TOO_FEW, item_figures

EXPERIMENTS = ["a", "b", "c", "d", "e", "f"]


def over(*values: float) -> dict[str, float]:
    return dict(zip(EXPERIMENTS, values, strict=False))


def test_the_mean_counts_every_experiment_once_and_has_an_interval():
    found = item_figures({"item": over(1, 0, 1, 1, 0, 1)})["item"]
    assert (found.experiments, found.mean) == (6, pytest.approx(4 / 6))
    assert (found.interval.low, found.interval.high) == pytest.approx((wilson(4, 6).low, wilson(4, 6).high))


def test_discrimination_is_the_correlation_with_the_rest():
    """Point-biserial by hand: item 1 for the upper three of the others' means 0, .2, .4, .6, .8, 1."""
    rest = over(0, 0.2, 0.4, 0.6, 0.8, 1.0)
    found = item_figures({"item": over(0, 0, 0, 1, 1, 1), "other": rest})
    apart = (0.8 - 0.2) / math.sqrt(sum((value - 0.5) ** 2 for value in rest.values()) / 6) * math.sqrt(0.25)
    assert found["item"].discrimination == pytest.approx(apart)
    assert item_figures({"item": over(1, 1, 1, 0, 0, 0), "other": rest})["item"].discrimination == pytest.approx(-apart)


def test_the_item_itself_is_no_part_of_the_rest():
    """With it in the total, an item that goes against all others would seem to agree with itself."""
    found = item_figures({"odd": over(1, 0, 1, 0, 1, 0), "other": over(0, 1, 0, 1, 0, 1)})
    assert found["odd"].discrimination == pytest.approx(-1)


def test_what_cannot_be_said_has_its_reason():
    assert item_figures({"item": over(0, 1, 0, 1), "other": over(0, 1, 0, 1)})["item"].reason == TOO_FEW
    assert item_figures({"item": over(0, 1, 0, 1, 0, 1)})["item"].reason == TOO_FEW
    assert item_figures({"item": over(1, 1, 1, 1, 1), "other": over(0, 1, 0, 1, 0)})["item"].reason == ALL_ALIKE
    assert item_figures({"item": over(0, 1, 0, 1, 0), "other": over(1, 1, 1, 1, 1)})["item"].reason == OTHERS_ALIKE
    assert item_figures({}) == {}
    assert item_figures({"item": {}}) == {}


means = st.dictionaries(
    st.sampled_from("pqrst"), st.dictionaries(st.sampled_from(EXPERIMENTS), st.floats(0, 1)), max_size=5
)


@given(means)
def test_figures_are_in_their_ranges_and_the_order_does_not_matter(found):
    figures = item_figures(found)
    turned = {item: dict(reversed(own.items())) for item, own in reversed(found.items())}
    again = item_figures(turned)
    for item, one in figures.items():
        assert again[item].mean == pytest.approx(one.mean)
        assert again[item].discrimination == pytest.approx(one.discrimination, abs=1e-6)
        assert one.interval.low - 1e-9 <= one.mean <= one.interval.high + 1e-9
        assert (one.discrimination is None) == (one.reason is not None)
        assert one.discrimination is None or -1 <= one.discrimination <= 1
        if len(found[item]) < FEWEST_EXPERIMENTS:
            assert one.discrimination is None
