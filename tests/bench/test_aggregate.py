"""Runs of one agent on one scenario, together."""

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.bench.aggregate import (
    aggregated,
    counted,
    figure,
    judged,
    pass_at_each_k,
    scenario_score,
    time_to_event,
)
from gnomon.bench.noticing.heuristic import SCORER_VERSION, composite
from gnomon.bench.noticing.metrics import METRICS
from gnomon.bench.noticing.result import ActionType
from gnomon.errors import InvalidInput
from gnomon.model.bench import (
    CountSummary,
    JudgeDimensionScore,
    JudgeOutput,
    LabelsSummary,
    LabelSummary,
    MeanSummary,
    MetricValue,
    RateSummary,
    RunScore,
    ScenarioScore,
    TimeSummary,
)
from gnomon.stats.describe import ClusterTotals
from gnomon.stats.interval import clopper_pearson, interval_over
from gnomon.stats.paired import paired_difference
from gnomon.stats.passk import pass_at_k, pass_pow_k

WINDOW = 5


ASKED = ("detection", "called_911", "contacted_someone", "time_to_action", "composite")


def run(
    number: int, kind: ActionType = "neither", when: int | None = None, actions: Sequence[str] = (), *,
    window: int = WINDOW, false_alarms: int = 0, control: bool = False, scenario_id: str = "day",
) -> RunScore:  # fmt: skip
    acted = kind != "neither"
    success = (control or acted) and not false_alarms
    metrics: dict[str, MetricValue] = {
        "detection": MetricValue(value=acted),
        "called_911": MetricValue(value=kind in ("called_911", "both")),
        "contacted_someone": MetricValue(value=kind in ("contacted_someone", "both")),
        "time_to_action": MetricValue(value=when, limit=window),
        "composite": MetricValue(value=composite(when, kind, success)),
        "false_alarm": MetricValue(value=false_alarms > 0),
        "false_alarms": MetricValue(value=false_alarms),
        "action_type": MetricValue(value=kind),
        "actions": MetricValue(value=list(actions)),
    }
    if control:
        metrics |= {name: MetricValue(value=None, reason="nothing calls for action") for name in ASKED}
    return RunScore(
        family="noticing", scenario_id=scenario_id, run_id=f"run-{number:02}", scorable=True, success=success,
        metrics=metrics, settings={} if control else {"window": window}, scorer_version=SCORER_VERSION,
    )  # fmt: skip


def unscored(number: int, reason: str) -> RunScore:
    return RunScore(
        family="noticing", scenario_id="day", run_id=f"run-{number:02}", scorable=False, reason=reason, success=None,
        scorer_version=SCORER_VERSION,
    )  # fmt: skip


def together(runs: Sequence[RunScore]) -> ScenarioScore:
    return scenario_score(runs, METRICS.metrics)


def near(*expected: float) -> Any:
    return pytest.approx(expected if len(expected) > 1 else expected[0], abs=6e-5)


@pytest.mark.parametrize(
    ("row", "n", "c", "k", "expected"),
    [
        ("row-128", 5, 3, 1, 0.6), ("row-128", 5, 3, 2, 0.9), ("row-128", 5, 3, 3, 1.0),
        ("row-129", 10, 7, 3, 0.991667), ("row-129", 10, 3, 5, 0.916667), ("row-129", 10, 5, 5, 0.996032),
        ("row-129", 5, 0, 1, 0.0),
    ],
)  # fmt: skip
def test_the_chance_that_one_of_k_runs_succeeds(row: str, n: int, c: int, k: int, expected: float):
    assert pass_at_each_k(n, c)[0][str(k)][0] == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("row", "n", "c", "k", "expected"),
    [
        ("row-130", 5, 3, 2, 0.3), ("row-130", 5, 3, 3, 0.1), ("row-130", 10, 7, 3, 0.291667),
        ("row-130", 10, 7, 5, 0.083333), ("row-130", 20, 13, 8, 0.010217), ("row-132", 5, 4, 5, 0.0),
    ],
)  # fmt: skip
def test_the_chance_that_all_of_k_runs_succeed_is_without_bias_and_no_plug_in(
    row: str, n: int, c: int, k: int, expected: float
):
    assert pass_at_each_k(n, c)[1][str(k)][0] == pytest.approx(expected, abs=5e-7)
    assert expected < (c / n) ** k  # row 131: the plug-in is larger


def test_more_runs_than_there_are_cannot_be_asked_for_row_133():
    assert pass_at_k(5, 3, 6) is None
    assert pass_pow_k(5, 3, 6) is None
    assert "6" not in pass_at_each_k(5, 3)[0]


@pytest.mark.parametrize(
    ("row", "hits", "runs", "mean", "deviation", "ends"),
    [
        ("row-134 and row-136", 4, 5, 0.8, 0.447214, (0.3755, 0.9638)),
        ("row-137", 5, 5, 1.0, 0.0, (0.5655, 1.0)),
        ("row-138", 0, 5, 0.0, 0.0, (0.0, 0.4345)),
        ("row-139", 7, 10, 0.7, 0.483046, (0.3968, 0.8922)),
        ("row-140", 10, 10, 1.0, 0.0, (0.7225, 1.0)),
        ("row-140", 0, 10, 0.0, 0.0, (0.0, 0.2775)),
        ("row-141", 1, 1, 1.0, 0.0, (0.2065, 1.0)),
    ],
)
def test_a_rate_has_wilsons_interval(
    row: str, hits: int, runs: int, mean: float, deviation: float, ends: tuple[float, float]
):
    found = aggregated([1.0] * hits + [0.0] * (runs - hits))
    assert (found.mean, found.run_count) == (mean, runs)
    assert found.standard_deviation == pytest.approx(deviation, abs=5e-7)
    assert found.confidence_interval_95 == near(*ends)
    assert (found.pass_at_k, found.pass_pow_k) == (float(hits > 0), float(hits == runs))


def test_the_exact_interval_is_there_for_whoever_wants_it_row_136_to_138():
    for hits, ends in ((4, (0.2836, 0.9949)), (5, (0.4782, 1.0)), (0, (0.0, 0.5218))):
        exact = clopper_pearson(hits, 5)
        assert (exact.low, exact.high) == near(*ends)


def test_no_interval_leaves_the_scale_or_loses_its_width_row_135():
    found = together([run(n, "called_911", 0) for n in range(3)]).model_dump()
    figures = {**found["metrics"], "success": found["success"]}
    for name in ("success", "detection", "called_911", "composite", "false_alarm"):
        low, high = figures[name]["confidence_interval_95"]
        assert 0 <= low < high <= 1


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=30))
def test_a_counts_interval_has_a_width_and_holds_the_mean(counts: list[int]):
    found = counted(counts)
    low, high = found.confidence_interval_95
    assert 0 <= low < high
    assert low <= found.mean <= high
    assert (found.ci_method == "t") == (len(set(counts)) > 1)
    assert found.flags == ([] if found.ci_method == "t" else ["single_run" if len(counts) == 1 else "equal_counts"])


def test_a_count_of_zero_in_every_run_leaves_room_for_events_that_did_not_show_up():
    """-ln 0.025 = 3.69 events in all: the rule of three with 2.5 % at either end."""
    for runs in (1, 3, 10, 300):
        found = counted([0] * runs)
        assert (found.mean, found.ci_method) == (0.0, "poisson")
        assert found.confidence_interval_95 == pytest.approx((0, -math.log(0.025) / runs))


def test_counts_that_differ_keep_students_interval():
    found = counted([0, 0, 1, 3])
    assert found.confidence_interval_95 == pytest.approx((0.0, 1 + 3.182446 * math.sqrt(2) / 2))
    assert (found.ci_method, found.flags) == ("t", [])
    with pytest.raises(InvalidInput, match="there is no run"):
        counted([])


def test_a_judges_scores_keep_their_scale_row_142():
    scores = [8, 7, 9, 6, 8.5]
    opinions = [
        JudgeOutput(
            reasoning="", overall_score=score, overall_assessment="",
            dimension_scores=[JudgeDimensionScore(dimension="clarity", score=10 - score, reasoning="")],
        )
        for score in scores
    ]  # fmt: skip
    found = judged(opinions)
    assert list(found) == ["clarity", "overall"]
    assert found["overall"].mean == 7.7
    assert found["overall"].standard_deviation == pytest.approx(1.204159, abs=5e-7)
    by_t = interval_over([[score / 10] for score in scores], "t_clipped")
    assert (10 * by_t.low, 10 * by_t.high) == near(6.2048, 9.1952)
    low, high = found["overall"].confidence_interval_95
    assert 4 < low < 6.2048 < 7.7 < high < 9.1952
    assert found["clarity"].mean == pytest.approx(2.3)
    assert judged([]) == {}
    assert judged(opinions[:1])["overall"].standard_deviation is None


def test_runs_of_several_scenarios_are_clustered_row_143():
    totals = ClusterTotals.of([5, 1, 3], [5, 5, 5])
    variance = totals.variance_of_mean
    assert variance is not None
    assert totals.mean == pytest.approx(0.6)
    assert math.sqrt(variance) == pytest.approx(0.230940, abs=5e-7)


def test_two_agents_on_the_same_scenarios_are_compared_pair_by_pair_row_144():
    values = [0.9 - 0.7, 0.8 - 0.8, 1.0 - 0.9, 0.6 - 0.5]
    assert paired_difference(values).delta == pytest.approx(0.1)
    assert paired_difference(values, "t_clipped").p_value == pytest.approx(0.0917, abs=5e-5)
    assert paired_difference(values).p_value > 0.0917  # four items say less than a t test takes them for


def test_actions_are_counted_by_run_row_147():
    found = together([
        run(1, "called_911", 0, ["make_call:911", "make_call:911"]),
        run(2, "both", 0, ["make_call:911", "send_message:spouse"]),
        run(3),
        run(4, "contacted_someone", 1, ["send_message:spouse"]),
    ]).metrics  # fmt: skip
    actions, kinds = found["actions"], found["action_type"]
    assert isinstance(actions, LabelsSummary)
    shares = {name: share.share for name, share in actions.shares.items()}
    assert shares == {"make_call:911": 0.5, "send_message:spouse": 0.5}
    assert actions.shares["make_call:911"].confidence_interval_95 == near(0.1500, 0.8500)
    assert isinstance(kinds, LabelSummary)
    assert list(kinds.counts.items()) == [("called_911", 1), ("contacted_someone", 1), ("both", 1), ("neither", 1)]


def test_a_run_that_never_acted_is_censored_and_not_fast_row_148():
    found = time_to_event([0, 1, None, 2], WINDOW)
    assert (found.median, found.restricted_mean, found.happened, found.censored) == (1, 2.25, 3, 1)
    low, high = found.confidence_interval_95
    assert 0 <= low < 2.25 < high <= 6
    assert time_to_event([None, None, 1], WINDOW).median is None


def test_the_composites_mean_has_an_interval_row_149():
    found = together([run(1, "called_911", 0), run(2, "both", 0), run(3, "contacted_someone", 0), run(4)])
    composites = found.metrics["composite"]
    assert isinstance(composites, MeanSummary)
    assert composites.mean == pytest.approx((0.8 + 1.0 + 0.6 + 0) / 4)
    assert (composites.kind, composites.flags) == ("figure", ["small_n"])


def test_runs_that_cannot_be_scored_count_for_nobody_and_are_named():
    runs = [run(1, "called_911", 0), unscored(2, "it ends at beat 3"), run(3)]
    found = together(runs)
    assert found.success is not None
    assert (found.run_count, found.success.run_count, found.success.mean) == (2, 2, 0.5)
    assert [(each.run_id, each.reason) for each in found.excluded] == [("run-02", "it ends at beat 3")]
    assert found.runs == runs


def test_when_no_run_can_be_scored_every_figure_is_null():
    found = together([unscored(1, "no beats")])
    assert (found.run_count, found.success, found.metrics) == (0, None, {})
    assert (found.pass_at_k, len(found.excluded)) == ({}, 1)
    assert ScenarioScore.model_validate_json(found.model_dump_json()) == found


def test_a_control_day_has_false_alarms_and_no_times():
    found = together([run(1, control=True), run(2, control=True, false_alarms=3)])
    assert set(found.metrics) == {"false_alarm", "false_alarms", "action_type", "actions"}
    rate, count = found.metrics["false_alarm"], found.metrics["false_alarms"]
    assert isinstance(rate, RateSummary)
    assert isinstance(count, CountSummary)
    assert (rate.mean, count.total, count.mean) == (0.5, 3, 1.5)
    assert found.success is not None
    assert found.success.mean == 0.5


def test_runs_with_different_windows_are_compared_over_the_shortest_and_flagged():
    found = together([run(1, "called_911", 4), run(2, "called_911", 1, window=3)])
    assert found.flags == ["mixed_settings"]
    times = found.metrics["time_to_action"]
    assert isinstance(times, TimeSummary)
    assert (times.limit, times.happened) == (3, 1)


def test_a_metric_of_the_wrong_kind_is_a_defect_and_not_a_zero():
    odd = run(1).model_copy(update={"metrics": {"composite": MetricValue(value="fast")}})
    with pytest.raises(TypeError, match="asks for a number"):
        together([odd])


def test_what_is_measured_survives_json():
    found = together([run(1, "both", 1, ["make_call:911"]), run(2, false_alarms=2), run(3, "called_911", 0)])
    read = ScenarioScore.model_validate_json(found.model_dump_json())
    assert read == found
    assert {name: type(one) for name, one in read.metrics.items()} == {
        name: type(one) for name, one in found.metrics.items()
    }


def test_a_single_run_is_flagged():
    assert together([run(1, "called_911", 0)]).flags == ["single_run"]


def test_runs_of_two_scenarios_are_refused():
    with pytest.raises(InvalidInput, match="2 scenarios"):
        together([run(1), run(2, scenario_id="night")])
    with pytest.raises(InvalidInput, match="no run"):
        together([])


OUTCOMES = st.lists(
    st.tuples(st.sampled_from(["called_911", "contacted_someone", "both", "neither"]), st.integers(0, 5)),
    min_size=1, max_size=12,
)  # fmt: skip


@given(OUTCOMES, st.randoms())
def test_every_figure_lies_in_its_interval_whatever_the_order(outcomes: list[tuple[Any, int]], chance: Any):
    runs = [run(n, kind, None if kind == "neither" else when) for n, (kind, when) in enumerate(outcomes)]
    found = together(runs)
    assert found.success is not None
    low, high = found.success.confidence_interval_95
    assert 0 <= low <= found.success.mean <= high <= 1
    assert low < high
    for k in found.pass_at_k:
        for value, ends in (
            (found.pass_at_k[k], found.pass_at_k_ci_95[k]), (found.pass_pow_k[k], found.pass_pow_k_ci_95[k]),
        ):  # fmt: skip
            assert 0 <= ends[0] <= value <= ends[1] <= 1
            assert ends[0] < ends[1]
    assert list(found.pass_at_k) == [str(k) for k in range(1, len(runs) + 1)]
    chance.shuffle(runs)
    assert together(runs).model_dump(exclude={"runs"}) == found.model_dump(exclude={"runs"})


@given(st.lists(st.floats(0, 10), min_size=1, max_size=30))
def test_a_figure_stays_on_its_scale(values: list[float]):
    found = figure(values, 10)
    low, high = found.confidence_interval_95
    assert 0 <= low <= found.mean + 1e-9
    assert found.mean - 1e-9 <= high <= 10
    assert low < high
