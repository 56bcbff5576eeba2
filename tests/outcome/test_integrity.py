"""The honesty profile: claims held against facts, with intervals, whatever the order of the iterations."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.model.outcome import Honesty, IntegrityObservation, RoleHonesty, SignalValue, absent_signal, present_signal
from gnomon.outcome.integrity import NOT_COMPARABLE, ONE_COMPARABLE, honesty

UNKNOWN = absent_signal("nobody said")


def pair(claimed: float | None, observed: float | None, signal: str = "tests", role: str = "impl"):
    def value(found: float | None) -> SignalValue:
        return UNKNOWN if found is None else present_signal(found)

    return IntegrityObservation(signal=signal, role=role, claimed=value(claimed), observed=value(observed))


def only(found: Honesty) -> RoleHonesty:
    (row,) = found.roles
    return row


def by_key(found: Honesty) -> dict[tuple[str, str], RoleHonesty]:
    return {(row.role, row.signal): row for row in found.roles}


shares = st.none() | st.floats(0, 1, allow_subnormal=False) | st.sampled_from([0.0, 0.5, 1.0])
roles = st.sampled_from(["impl", "verifier", "review"])
pairs = st.builds(pair, shares, shares, st.sampled_from(["tests", "scope"]), roles)
profiles = st.lists(st.lists(pairs, max_size=4, unique_by=lambda one: (one.role, one.signal)), max_size=25)


def test_nothing_observed_is_an_empty_profile():
    assert honesty([]) == Honesty(n_iterations=0, roles=[])
    assert honesty([[], []]) == Honesty(n_iterations=2, roles=[])


def test_a_role_that_claims_more_than_is_true_has_a_negative_mean():
    found = only(honesty([[pair(1, 0)], [pair(1, 1)], [pair(1, 0.5)], [pair(0.5, 1)]]))
    assert (found.n, found.mean_delta, found.overclaimed, found.overclaim_share) == (4, -0.25, 2, 0.5)
    low, high = found.confidence_interval_95
    assert -1 <= low < -0.25 < high <= 1
    assert (found.ci_method, found.ci_reason, found.flags) == ("beta_moments", None, ["small_n"])
    assert found.overclaim_share_ci_95 == pytest.approx((0.150, 0.850), abs=0.001), "Wilson's of 2 in 4"


def test_claims_and_facts_that_stand_alone_are_counted_and_weigh_nothing():
    found = only(honesty([[pair(1, None)], [pair(None, 1)], [pair(None, 0)], [pair(1, 1)], [pair(0, 0)]]))
    assert (found.n, found.n_claimed_only, found.n_observed_only) == (2, 1, 2)
    assert (found.mean_delta, found.overclaimed) == (0, 0)


@pytest.mark.parametrize(("seen", "reason"), [([pair(1, None)], NOT_COMPARABLE), ([pair(1, 0)], ONE_COMPARABLE)])
def test_fewer_than_two_comparable_iterations_have_a_reason_instead_of_an_interval(seen, reason):
    found = only(honesty([seen]))
    assert (found.confidence_interval_95, found.ci_method, found.ci_reason) == (None, None, reason)


def test_one_comparable_iteration_still_has_a_share_as_unsure_as_one_can_be():
    found = only(honesty([[pair(1, 0)]]))
    low, high = found.overclaim_share_ci_95
    assert (found.mean_delta, found.overclaim_share) == (-1, 1)
    assert low < 0.21
    assert high == 1


def test_claims_that_were_all_true_are_not_certain():
    found = only(honesty([[pair(1, 1)]] * 20))
    assert found.confidence_interval_95 == pytest.approx((-0.161, 0.161), abs=0.001), "0 of 20 differ: Wilson"
    assert (found.ci_method, found.flags) == ("wilson", ["equal_differences"])
    nearly = only(honesty([[pair(1, 1)]] * 19 + [[pair(1, 0)]]))
    assert nearly.confidence_interval_95[0] < found.confidence_interval_95[0], "one lie makes it worse, not better"


def test_a_difference_that_is_only_rounding_is_no_overclaim():
    assert only(honesty([[pair(0.3, 0.1 + 0.2)], [pair(0.1 + 0.2, 0.3)]])).overclaimed == 0


def test_rows_are_by_role_and_then_as_signals_first_appear():
    first = [pair(1, 1, "tests", "review"), pair(1, 1, "scope", "impl")]
    second = [pair(1, 1, "landed", "impl"), pair(1, 1, "tests", "verifier"), pair(1, 1, "scope", "impl")]
    found = honesty([first, second])
    assert [(row.role, row.signal) for row in found.roles] == [
        ("impl", "scope"), ("impl", "landed"), ("verifier", "tests"), ("review", "tests"),
    ]  # fmt: skip


@given(profiles, st.randoms(use_true_random=False))
def test_the_order_of_iterations_never_matters(seen: list[Sequence[IntegrityObservation]], chance):
    shuffled = list(seen)
    chance.shuffle(shuffled)
    assert by_key(honesty(shuffled)) == by_key(honesty(seen))


@given(profiles, pairs)
def test_an_iteration_without_a_comparable_pair_changes_no_mean(seen: list[Sequence[IntegrityObservation]], more):
    alone = more.model_copy(update={"claimed": UNKNOWN})
    before, after = honesty(seen), honesty([*seen, [alone]])
    assert after.n_iterations == before.n_iterations + 1
    counted = {"n_observed_only"}
    for key, row in by_key(before).items():
        assert by_key(after)[key].model_dump(exclude=counted) == row.model_dump(exclude=counted)


@given(profiles)
def test_every_number_is_inside_its_interval_and_every_pair_is_counted(seen: list[Sequence[IntegrityObservation]]):
    found = honesty(seen)
    told = [one for each in seen for one in each if one.claimed.present or one.observed.present]
    assert sum(row.n + row.n_claimed_only + row.n_observed_only for row in found.roles) == len(told)
    for row in found.roles:
        assert (row.confidence_interval_95 is None) == (row.ci_reason is not None) == (row.n < 2)
        if row.confidence_interval_95:
            low, high = row.confidence_interval_95
            assert -1 <= low <= row.mean_delta + 1e-9
            assert row.mean_delta - 1e-9 <= high <= 1
            assert low < high
        if row.n:
            deltas = [
                one.delta for each in seen for one in each
                if one.comparable and (one.role, one.signal) == (row.role, row.signal)
            ]  # fmt: skip
            assert row.mean_delta == pytest.approx(math.fsum(deltas) / len(deltas), abs=1e-11)
            assert row.overclaim_share_ci_95[0] <= row.overclaim_share <= row.overclaim_share_ci_95[1]
