"""The rubric: what it holds, what it refuses, which band a value has, and how signals become a value."""

from dataclasses import replace

import pytest

from gnomon.errors import InvalidInput
from gnomon.outcome import (
    BAND_UNSCORED,
    COMBINE_WEIGHTED_MEAN_RENORMALIZED,
    RUBRIC_VERSION,
    Rubric,
    ScoreBand,
    SignalSet,
    SignalSpec,
    default_rubric,
    load_rubric,
    present_signal,
)
from outcome.compat.building import near, rubric_2_0, signals

V2 = load_rubric("2.1.0")
V3 = load_rubric("3.0.0")
STRUGGLING = {
    "landed": 0, "verifier": 0, "tests": 0, "correction_pressure": 0.25, "scope": 0.5, "hook_outcomes": 0,
    "token_efficiency": 0.6,
}  # fmt: skip


@pytest.mark.parametrize("rubric", [pytest.param(default_rubric(), id="row-1"), pytest.param(V3, id="row-1-3.0.0")])
def test_a_shipped_rubric_holds_together(rubric: Rubric):
    rubric.validate()
    assert sum(spec.weight for spec in rubric.signals) == near(1)
    assert rubric.combination == COMBINE_WEIGHTED_MEAN_RENORMALIZED == "weighted_mean_renormalized"


@pytest.mark.parametrize("wanted", [pytest.param("2.1.0", id="row-1")])
def test_the_default_rubric_has_the_version_of_the_constant(wanted: str):
    assert default_rubric().version == RUBRIC_VERSION == wanted


@pytest.mark.parametrize(
    ("rubric", "ids"),
    [
        pytest.param(
            V3, "landed verifier tests human_label correction_pressure scope hook_outcomes token_efficiency", id="row-2"
        ),
        pytest.param(V2, "landed verifier tests correction_pressure scope hook_outcomes token_efficiency", id="row-3"),
    ],
)
def test_a_rubric_declares_its_signals_in_order_with_label_and_description(rubric: Rubric, ids: str):
    assert [spec.id for spec in rubric.signals] == ids.split()
    assert all(spec.label and spec.description for spec in rubric.signals)


@pytest.mark.parametrize(
    ("rubric", "weight"),
    [
        pytest.param(rubric_2_0(), 0.22, id="row-4-2.0.x"),
        pytest.param(V2, 0.20, id="row-4-2.1.0"),
        pytest.param(V3, 0.17, id="row-4-3.0.0"),
    ],
)
def test_landing_weighs_less_with_every_signal_that_joined(rubric: Rubric, weight: float):
    spec = rubric.signal("landed")
    assert spec is not None
    assert spec.weight == weight


def test_the_default_weights_are_these_and_correctness_comes_first():
    """Correctness holds 0.55 of the weight, the way of working 0.36, efficiency the remaining 0.09."""
    weights = {spec.id: spec.weight for spec in default_rubric().signals}
    assert weights == {
        "landed": 0.20, "verifier": 0.18, "tests": 0.17, "correction_pressure": 0.13, "scope": 0.13,
        "hook_outcomes": 0.10, "token_efficiency": 0.09,
    }  # fmt: skip
    assert weights["landed"] + weights["verifier"] + weights["tests"] == near(0.55)
    assert weights["correction_pressure"] + weights["scope"] + weights["hook_outcomes"] == near(0.36)


@pytest.mark.parametrize("id", [pytest.param("merge_back", id="row-5")])
def test_a_signal_that_is_not_in_the_rubric_is_not_found(id: str):
    assert V2.signal(id) is None
    assert V3.signal(id) is None


@pytest.mark.parametrize("rubric", [pytest.param(V2, id="row-6"), pytest.param(V3, id="row-6-3.0.0")])
def test_four_signals_have_a_claim_beside_the_fact(rubric: Rubric):
    assert [spec.id for spec in rubric.two_way_signals()] == ["landed", "verifier", "tests", "scope"]


@pytest.mark.parametrize(
    ("value", "band"),
    [
        pytest.param(1.00, "excellent", id="row-7"),
        pytest.param(0.85, "excellent", id="row-8"),
        pytest.param(0.849, "good", id="row-9"),
        pytest.param(0.70, "good", id="row-10"),
        pytest.param(0.69, "fair", id="row-11"),
        pytest.param(0.50, "fair", id="row-12"),
        pytest.param(0.49, "poor", id="row-13"),
        pytest.param(0.00, "poor", id="row-14"),
        pytest.param(1.50, "excellent", id="row-15"),
        pytest.param(-0.5, "poor", id="row-16"),
    ],
)
def test_a_value_is_in_the_first_band_that_it_reaches(value: float, band: str):
    assert V2.band(value) == V3.band(value) == band


@pytest.mark.parametrize("value", [pytest.param(0.5, id="row-17")])
def test_without_bands_a_value_has_no_name(value: float):
    assert replace(V2, bands=()).band(value) == ""


def with_signal(place: int, **changes: object) -> tuple[SignalSpec, ...]:
    specs = list(V2.signals)
    specs[place] = replace(specs[place], **changes)
    return tuple(specs)


def with_band(place: int, **changes: object) -> tuple[ScoreBand, ...]:
    bands = list(V2.bands)
    bands[place] = replace(bands[place], **changes)
    return tuple(bands)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        pytest.param({"version": ""}, "version is empty", id="row-18"),
        pytest.param({"combination": ""}, "combination method is empty", id="row-19"),
        pytest.param({"signals": ()}, "no signals", id="row-20"),
        pytest.param({"signals": with_signal(1, id="landed")}, "duplicate signal ID", id="row-21"),
        pytest.param({"signals": with_signal(0, weight=0.0)}, "non-positive weight", id="row-22"),
        pytest.param({"signals": with_signal(0, weight=0.70)}, "weights sum to", id="row-23"),
        pytest.param({"bands": ()}, "no score bands", id="row-24"),
        pytest.param({"bands": with_band(0, name="")}, "has no name", id="row-25"),
        pytest.param({"bands": with_band(0, min=0.1)}, "not sorted descending", id="row-26"),
        pytest.param({"bands": with_band(-1, min=0.2)}, "want 0", id="row-27"),
    ],
)
def test_a_rubric_that_does_not_hold_together_is_refused_with_its_fault(changes: dict[str, object], words: str):
    with pytest.raises(InvalidInput, match=words):
        replace(V2, **changes).validate()


def test_of_several_faults_the_first_is_told():
    with pytest.raises(InvalidInput, match="version is empty"):
        replace(V2, version="", combination="", signals=(), bands=()).validate()


@pytest.mark.parametrize("rubric", [pytest.param(V2, id="row-28"), pytest.param(V3, id="row-28-3.0.0")])
def test_everything_at_its_best_is_one_and_every_weight_is_as_declared(rubric: Rubric):
    score = rubric.score(signals(5, **{spec.id: 1.0 for spec in rubric.signals}))
    assert (score.iteration, score.scored, score.value, score.band) == (5, True, near(1), "excellent")
    assert [row.effective_weight for row in score.breakdown] == [near(row.nominal_weight) for row in score.breakdown]
    assert sum(row.contribution for row in score.breakdown) == near(score.value)


@pytest.mark.parametrize(
    ("rubric", "value", "band"),
    [
        pytest.param(rubric_2_0(), (0.20 + 0.075) / 0.35, "good", id="row-29"),
        pytest.param(V2, (0.18 + 0.065) / 0.31, "good", id="row-30"),
        pytest.param(V3, (0.15 + 0.055) / 0.26, "good", id="row-31"),
    ],
)
def test_weights_are_shared_out_among_the_signals_that_are_present(rubric: Rubric, value: float, band: str):
    score = rubric.score(signals(verifier=1.0, scope=0.5))
    assert (score.value, score.band) == (near(value), band)


@pytest.mark.parametrize(
    "rubric",
    [
        pytest.param(rubric_2_0(), id="row-32-2.0.2"),
        pytest.param(V2, id="row-32-2.1.0"),
        pytest.param(V3, id="row-32-3.0.0"),
    ],
)
def test_an_absent_signal_keeps_its_declared_weight_and_adds_nothing(rubric: Rubric):
    rows = rubric.score(signals(verifier=1.0, scope=0.5)).breakdown
    absent = [(row.effective_weight, row.contribution, row.nominal_weight) for row in rows if not row.present]
    declared = [spec.weight for spec in rubric.signals if spec.id not in ("verifier", "scope")]
    assert absent == [(0, 0, weight) for weight in declared]


@pytest.mark.parametrize("rubric", [pytest.param(V2, id="row-33"), pytest.param(V3, id="row-33-3.0.0")])
def test_an_iteration_without_a_signal_is_unscored_and_still_shows_every_row(rubric: Rubric):
    score = rubric.score(signals(9))
    assert (score.iteration, score.scored, score.value, score.band) == (9, False, 0, BAND_UNSCORED)
    assert len(score.breakdown) == len(rubric.signals)
    assert all(row.nominal_weight > 0 for row in score.breakdown)


@pytest.mark.parametrize("rubric", [pytest.param(V2, id="row-34"), pytest.param(V3, id="row-34-3.0.0")])
def test_a_breakdown_follows_the_rubric_row_by_row(rubric: Rubric):
    rows = rubric.score(signals(scope=0.5)).breakdown
    assert [(row.signal, row.label) for row in rows] == [(spec.id, spec.label) for spec in rubric.signals]


@pytest.mark.parametrize("detail", [pytest.param("7/10 verifiers", id="row-35")])
def test_a_row_carries_the_sub_score_and_the_detail_of_its_signal(detail: str):
    score = V2.score(SignalSet(1, verifier=present_signal(0.7, detail), profile="compat"))
    row = next(row for row in score.breakdown if row.signal == "verifier")
    assert (row.sub_score, row.detail) == (0.7, detail)


@pytest.mark.parametrize(
    ("landed", "band"),
    [
        pytest.param(0.00, "poor", id="row-36"),
        pytest.param(0.20, "poor", id="row-37-poor"),
        pytest.param(0.50, "fair", id="row-37-fair"),
        pytest.param(0.70, "good", id="row-37-good"),
        pytest.param(0.85, "excellent", id="row-37-excellent"),
    ],
)
def test_one_signal_alone_is_the_whole_value(landed: float, band: str):
    score = V2.score(signals(landed=landed))
    assert (score.scored, score.value, score.band) == (True, landed, band)


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        pytest.param(
            [signals(1, verifier=1.0), signals(2, verifier=0.0), signals(3)],
            [(1, True, 1.0), (2, True, 0.0), (3, False, 0.0)],
            id="row-38",
        ),
        pytest.param([], [], id="row-39"),
    ],
)
def test_many_sets_are_scored_one_by_one_in_their_order(sets: list[SignalSet], expected: list[tuple[int, bool, float]]):
    assert [(score.iteration, score.scored, score.value) for score in V2.score_all(sets)] == expected


@pytest.mark.parametrize(
    ("rubric", "nominal"), [pytest.param(V2, 0.10, id="row-40"), pytest.param(V3, 0.09, id="row-40-3.0.0")]
)
def test_hooks_alone_are_exactly_what_they_say(rubric: Rubric, nominal: float):
    score = rubric.score(signals(hook_outcomes=0.6))
    assert score.value == 0.6
    assert [row.nominal_weight for row in score.breakdown if row.present] == [nominal]


@pytest.mark.parametrize("effective", [pytest.param([0.2469, 0.2222, 0.2099, 0.1605, 0.1605], id="row-41")])
def test_a_clean_iteration_without_hooks_and_tokens_is_one(effective: list[float]):
    score = V2.score(signals(landed=1, verifier=1, tests=1, correction_pressure=1, scope=1))
    assert score.coverage == near(0.81)
    shares = [row.effective_weight for row in score.breakdown if row.present]
    assert shares == [pytest.approx(share, abs=5e-5) for share in effective]
    assert (score.value, score.band) == (near(1), "excellent")


@pytest.mark.parametrize(
    ("rubric", "label", "coverage", "value"),
    [
        pytest.param(V2, None, 1.0, 0.1515, id="row-42"),
        pytest.param(V3, None, 0.85, 0.1535294118, id="row-43"),
        pytest.param(V3, 0.0, 1.0, 0.1305, id="row-44"),
        pytest.param(V3, 0.75, 1.0, 0.2430, id="row-45"),
    ],
)
def test_a_struggling_iteration_is_poor_by_every_rubric(
    rubric: Rubric, label: float | None, coverage: float, value: float
):
    score = rubric.score(signals(**STRUGGLING, **({} if label is None else {"human_label": label})))
    assert (score.coverage, score.value, score.band) == (near(coverage), near(value), "poor")


@pytest.mark.parametrize("contributions", [pytest.param([0.0325, 0.065, 0.054], id="row-42")])
def test_a_breakdown_shows_what_a_struggling_iteration_still_earned(contributions: list[float]):
    rows = V2.score(signals(**STRUGGLING)).breakdown
    assert [row.contribution for row in rows if row.contribution] == [near(number) for number in contributions]


@pytest.mark.parametrize("value", [pytest.param((0.85 - 0.07) / 0.85, id="row-46")])
def test_an_unlabelled_iteration_shares_the_weight_of_people_among_the_rest(value: float):
    every = {spec.id: 1.0 for spec in V3.signals if spec.id != "human_label"}
    score = V3.score(signals(**every | {"tests": 0.5}))
    row = next(row for row in score.breakdown if row.signal == "human_label")
    assert score.value == near(value)
    assert (row.present, row.effective_weight, row.contribution) == (False, 0, 0)


@pytest.mark.parametrize(
    ("given", "kept"), [pytest.param(1.7, 1.0, id="row-47-above"), pytest.param(-0.3, 0.0, id="row-47-below")]
)
def test_a_sub_score_outside_its_range_is_brought_to_the_nearer_end(given: float, kept: float):
    assert present_signal(given).sub_score == kept


@pytest.mark.parametrize("id", [pytest.param("merge_back", id="row-48")])
def test_a_signal_that_nobody_measures_is_absent_and_named(id: str):
    value = SignalSet(1).value(id)
    assert not value.present
    assert id in value.detail


@pytest.mark.parametrize(
    ("rubric", "value"),
    [pytest.param(V3, 0.8500000000000001, id="row-71"), pytest.param(V2, 0.8591549295774648, id="row-72")],
)
def test_on_the_edge_of_a_band_the_last_digit_is_the_original_s(rubric: Rubric, value: float):
    score = rubric.score(signals(verifier=1, tests=1, correction_pressure=1, scope=1, hook_outcomes=0))
    assert (score.value, score.band) == (value, "excellent")
