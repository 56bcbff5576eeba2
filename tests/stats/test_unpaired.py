"""Two groups of clustered scores: laws of the difference, its interval and its forecast."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.stats.describe import ClusterTotals
from gnomon.stats.interval import interval_over
from gnomon.stats.paired import evidence_of_regression, verdict
from gnomon.stats.unpaired import (
    NO_SCORES,
    ONE_CLUSTER,
    Clusters,
    UnpairedDifference,
    more_clusters,
    unpaired_difference,
)

score = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))
cluster = st.lists(score, min_size=1, max_size=5)


def groups(least: int = 2, name: str = "a") -> st.SearchStrategy[dict[str, list[float]]]:
    """Clusters by name; those of groups with another name are others."""
    return st.lists(cluster, min_size=least, max_size=12).map(
        lambda found: {f"{name}{at}": scores for at, scores in enumerate(found)}
    )


def alike(clusters: int, scores: list[float], name: str = "a") -> dict[str, list[float]]:
    return {f"{name}{at}": scores for at in range(clusters)}


def ends(found: UnpairedDifference) -> tuple[float, float]:
    assert found.interval is not None
    return found.interval.low, found.interval.high


@given(groups(), groups(name="b"))
def test_the_interval_lies_inside_and_around_the_difference_and_has_a_width(a: Clusters, b: Clusters):
    found = unpaired_difference(a, b)
    low, high = ends(found)
    assert found.delta is not None
    assert -1 <= low <= found.delta <= high <= 1
    assert high - low > 0.01
    plain = [score for scores in b.values() for score in scores], [score for scores in a.values() for score in scores]
    assert found.delta == pytest.approx(math.fsum(plain[0]) / len(plain[0]) - math.fsum(plain[1]) / len(plain[1]))


@given(groups(1), groups(1, "b"))
def test_swapping_the_groups_turns_everything_round(a: Clusters, b: Clusters):
    there, back = unpaired_difference(a, b), unpaired_difference(b, a)
    assert there.delta is not None
    assert back.delta == -there.delta
    assert back.p_value == there.p_value
    assert back.reason == there.reason
    if there.interval is not None:
        assert ends(back) == tuple(-end for end in reversed(ends(there)))
    mirrored = {"improved": "regressed", "regressed": "improved"}
    words = verdict(there, there.p_value)
    assert verdict(back, back.p_value) == mirrored.get(words, words)
    assert more_clusters(there, there.p_value) == more_clusters(back, back.p_value)


@given(groups(), groups(), st.randoms())
def test_the_order_of_clusters_and_scores_does_not_matter(a: Clusters, b: Clusters, shuffle: random.Random):
    def mixed(group: Clusters) -> Clusters:
        names = list(group)
        shuffle.shuffle(names)
        return {name: shuffle.sample(group[name], len(group[name])) for name in names}

    assert unpaired_difference(mixed(a), mixed(b)) == unpaired_difference(a, b)


@given(groups(), groups(name="b"))
def test_the_p_value_is_below_a_twentieth_just_where_zero_is_outside(a: Clusters, b: Clusters):
    found = unpaired_difference(a, b)
    low, high = ends(found)
    assert found.p_value is not None
    assert 0 <= found.p_value <= 1
    if abs(found.p_value - 0.05) > 1e-9:
        assert (found.p_value < 0.05) == (low > 0 or high < 0)
    assert evidence_of_regression(found) <= 1


@given(groups(), groups(name="b"))
def test_a_cluster_whose_scores_are_repeated_is_no_more_evidence(a: Clusters, b: Clusters):
    thrice = unpaired_difference(
        {name: list(scores) * 3 for name, scores in a.items()}, {name: list(scores) * 3 for name, scores in b.items()}
    )
    assert ends(thrice) == pytest.approx(ends(unpaired_difference(a, b)), abs=1e-7)


@given(groups(), groups(name="b"), st.integers(1, 4))
def test_more_clusters_of_the_same_kind_never_widen_it(a: Clusters, b: Clusters, times: int):
    def more(group: Clusters) -> Clusters:
        return {f"{name} {copy}": scores for name, scores in group.items() for copy in range(times + 1)}

    few, many = ends(unpaired_difference(a, b)), ends(unpaired_difference(more(a), more(b)))
    assert many[1] - many[0] <= few[1] - few[0] + 1e-9


@given(groups(), groups())
def test_clusters_in_both_groups_never_narrow_it(a: Clusters, b: Clusters):
    apart = {f"other {name}": scores for name, scores in b.items()}
    shared, separate = unpaired_difference(a, b), unpaired_difference(a, apart)
    assert shared.interval is not None
    assert separate.interval is not None
    assert "shared_clusters" in shared.interval.flags
    assert "shared_clusters" not in separate.interval.flags
    assert shared.interval.low <= separate.interval.low + 1e-12
    assert shared.interval.high >= separate.interval.high - 1e-12


def test_groups_that_move_against_each_other_are_less_sure():
    up, down = [0.1, 0.3, 0.5, 0.7, 0.9], [0.9, 0.7, 0.5, 0.3, 0.1]
    a = {at: [score] for at, score in enumerate(up)}
    together, against = (
        ends(unpaired_difference(a, {at: [score] for at, score in enumerate(other)})) for other in (up, down)
    )
    assert against[0] < together[0]
    assert against[1] > together[1]


@pytest.mark.parametrize(("a", "b"), [({}, {"b": [1.0]}), ({"a": [1.0]}, {}), ({"a": []}, {"b": [0.5], "c": [0.5]})])
def test_without_scores_there_is_a_reason(a: Clusters, b: Clusters):
    found = unpaired_difference(a, b)
    assert (found.delta, found.interval, found.p_value, found.reason) == (None, None, None, NO_SCORES)
    assert verdict(found, None) == "inconclusive"


def test_one_cluster_shows_no_spread_however_many_scores_it_has():
    found = unpaired_difference({"a": [0.0] * 50}, alike(50, [1.0], "b"))
    assert (found.delta, found.interval, found.reason) == (1.0, None, ONE_CLUSTER)
    assert verdict(found, found.p_value) == "inconclusive"
    assert more_clusters(found, found.p_value) is None


def test_equal_scores_of_few_clusters_are_not_certain():
    found = unpaired_difference(alike(2, [0.9]), alike(2, [0.9], "b"))
    assert found.delta == 0
    assert found.p_value == 1
    low, high = ends(found)
    assert low < -0.3
    assert high > 0.3


def test_a_large_difference_of_many_clusters_is_decided():
    a = {at: [0.2 + at % 3 / 10] for at in range(30)}
    b = {-at: [0.6 + at % 3 / 10] for at in range(1, 31)}
    better, worse = unpaired_difference(a, b), unpaired_difference(b, a)
    assert verdict(better, better.p_value) == "improved"
    assert verdict(worse, worse.p_value) == "regressed"
    assert evidence_of_regression(worse) < 0.05 < evidence_of_regression(better)


def test_a_small_difference_is_equivalent_only_by_what_matters():
    found = unpaired_difference(alike(100, [0.5, 0.6]), alike(100, [0.5, 0.6], "b"))
    assert verdict(found, found.p_value) == "inconclusive"
    assert verdict(found, found.p_value, 0.1) == "equivalent"


@pytest.mark.parametrize("effect", [None, 0.3])
@given(a=groups(3), b=groups(3, "b"))
def test_a_forecast_is_kept_by_clusters_like_those_seen(effect: float | None, a: Clusters, b: Clusters):
    found = unpaired_difference(a, b)
    if verdict(found, found.p_value, effect) != "inconclusive":
        return
    more = more_clusters(found, found.p_value, effect)
    if more is None or more > 500:
        return
    times = math.ceil(1 + more / min(len(a), len(b)))
    grown = unpaired_difference(
        {(name, copy): scores for name, scores in a.items() for copy in range(times)},
        {(name, copy): scores for name, scores in b.items() for copy in range(times)},
    )
    assert verdict(grown, grown.p_value, effect) != "inconclusive"


def test_several_questions_take_more_clusters():
    a = {at: [0.3 + at % 4 / 10] for at in range(8)}
    b = {-at: [0.4 + at % 4 / 10] for at in range(1, 9)}
    found = unpaired_difference(a, b)
    assert found.p_value is not None
    alone, among = more_clusters(found, found.p_value), more_clusters(found, min(1.0, found.p_value * 5))
    assert alone is not None
    assert among is not None
    assert alone < among


def test_the_groups_are_told_by_their_sums():
    found = unpaired_difference({"a": [0.0, 1.0], "b": [1.0]}, alike(3, [0.5], "c"))
    assert isinstance(found.first, ClusterTotals)
    assert (found.first.clusters, found.first.scores) == (2, 3)
    assert found.first.mean == pytest.approx(2 / 3)
    assert interval_over([[0.0, 1.0], [1.0]]).low < 2 / 3
