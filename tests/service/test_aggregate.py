"""Scores at hand: the same numbers as a summary's, without a store."""

import math
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gnomon
from gnomon import aggregate
from gnomon.bench.aggregate import aggregated
from gnomon.errors import InvalidInput

scores = st.one_of(st.none(), st.floats(0, 1), st.sampled_from([0.0, 1.0]))


def test_five_runs_of_which_three_passed():
    found = aggregate([1, 0, 1, 1, 0])
    assert (found.mean, found.n_total, found.n_scored, found.ci_method) == (0.6, 5, 5, "wilson")
    assert found.standard_deviation == pytest.approx(0.5477225575051662, abs=1e-9)
    assert found.confidence_interval_95 == pytest.approx((0.2307242812760129, 0.8823792257673522), abs=1e-9)
    assert found.pass_at_k is None


def test_twelve_runs_of_four_items():
    found = aggregate([1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0], [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    assert (found.mean, found.clusters, found.ci_method) == (0.5, 4, "beta_moments")
    assert found.standard_error == pytest.approx(0.2151657414559676, abs=1e-9)
    assert found.pass_at_k_ci_95["1"] == found.pass_pow_k_ci_95["1"] == found.confidence_interval_95
    named = aggregate(
        [1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0], [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], interval="cluster_wilson"
    )
    assert named.confidence_interval_95 == pytest.approx((0.0961930171884191, 0.9038069828115809), abs=1e-9)
    assert named.pass_pow_k_ci_95["1"] == named.confidence_interval_95
    assert found.pass_pow_k == {"1": 0.5, "2": pytest.approx((1 / 3 + 0 + 1 + 0) / 4), "3": 0.25}


def test_the_same_five_runs_as_a_benchmark_writes_them():
    found = aggregated([1, 0, 1, 1, 0])
    assert (found.mean, found.run_count, found.pass_at_k, found.pass_pow_k) == (0.6, 5, 1, 0)
    assert found.standard_deviation == pytest.approx(0.5477225575051662, abs=1e-9)
    assert found.confidence_interval_95 == pytest.approx((0.2307242812760129, 0.8823792257673522), abs=1e-9)


def test_a_benchmarks_lone_run_has_a_deviation_of_0_and_an_interval():
    found = aggregated([1.0])
    assert (found.standard_deviation, found.pass_at_k, found.pass_pow_k) == (0.0, 1.0, 1.0)
    assert found.confidence_interval_95[0] < 0.5
    with pytest.raises(InvalidInput, match="no run"):
        aggregated([])


def test_a_lone_run_has_no_spread_and_says_so():
    found = aggregate([0.7])
    assert (found.standard_deviation, found.standard_error, found.flags) == (None, None, ["single_run"])
    assert found.confidence_interval_95 is not None


def test_nothing_is_nothing_with_a_reason():
    assert aggregate([]).mean is None
    found = aggregate([None, None])
    assert (found.mean, found.confidence_interval_95, found.missing_bracket) == (None, None, (0, 1))
    assert found.reasons == {"the value is missing": 2}


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.1, 1.5])
def test_what_is_no_score_is_refused_with_its_value(value):
    with pytest.raises(InvalidInput, match=str(value)):
        aggregate([0.5, value])


def test_an_item_for_every_value():
    with pytest.raises(InvalidInput, match="2 values and 1 item"):
        aggregate([1, 0], ["a"])


@settings(max_examples=60)
@given(st.lists(st.tuples(scores, st.integers(0, 5)), max_size=40), st.randoms(use_true_random=False))
def test_the_order_of_the_values_never_matters(pairs, rng):
    shuffled = rng.sample(pairs, len(pairs))
    for missing in ("drop", "zero", "bracket"):
        one = aggregate([v for v, _ in pairs], [i for _, i in pairs], missing=missing).model_dump()
        other = aggregate([v for v, _ in shuffled], [i for _, i in shuffled], missing=missing).model_dump()
        assert one.keys() == other.keys()
        for name, value in one.items():
            assert _near(value, other[name]), name


def _near(one, other) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_near(value, other[key]) for key, value in one.items())
    if isinstance(one, (float, tuple)):
        return one == pytest.approx(other, abs=1e-9)
    return one == other


@settings(max_examples=60)
@given(st.lists(scores, max_size=40))
def test_dropping_absent_ones_equals_never_having_had_them(values):
    found, clean = aggregate(values), aggregate([value for value in values if value is not None])
    for name in ("mean", "standard_deviation", "standard_error", "confidence_interval_95", "ci_method", "flags"):
        assert getattr(found, name) == getattr(clean, name)


@settings(max_examples=100)
@given(st.lists(scores, min_size=1, max_size=40), st.sampled_from(["drop", "zero", "bracket"]))
def test_an_interval_is_inside_has_a_width_and_the_mean(values, missing):
    found = aggregate(values, missing=missing)
    if found.mean is None:
        assert found.confidence_interval_95 is None
        return
    low, high = found.confidence_interval_95
    assert 0 <= low < high <= 1
    assert low - 1e-9 <= found.mean <= high + 1e-9


def test_more_data_never_widens_in_expectation():
    import random

    numbers = random.Random(11)

    def mean_width(n: int, kind) -> float:
        widths = []
        for _ in range(60):
            low, high = aggregate([kind() for _ in range(n)]).confidence_interval_95
            widths.append(high - low)
        return sum(widths) / len(widths)

    for kind in (lambda: float(numbers.random() < 0.7), lambda: numbers.betavariate(4, 2)):
        widths = [mean_width(n, kind) for n in (5, 12, 30, 120, 480)]
        assert widths == sorted(widths, reverse=True)


def test_asking_for_it_is_what_loads_it():
    code = (
        "import gnomon, sys; assert 'pydantic' not in sys.modules; gnomon.aggregate; assert 'pydantic' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        gnomon.nothing_like_it  # noqa: B018
