"""`gn.gate`: an experiment's gates in words, on the embedded store and over HTTP alike.

Spec: `gate --against` with margin m passes if the low end > −m, fails if the high end < −m, else it is undecided;
without a margin it fails only on a regression. Several gates: 3 beats 1 beats 4 beats 0. All runs, or all scores of a
gated scorer, failed: 3. Against the own name means the newest other one.
"""

from collections.abc import Sequence

import pytest

import gnomon as gn
from gnomon.errors import InvalidInput, NotFound
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError
from gnomon.model.gates import BarGate
from gnomon.model.score import InlineScoreDraft
from gnomon.sdk.connection import connection
from gnomon.service.analysis.gates import check

Values = Sequence[float | str | None]


class Lab:
    """Experiments over one dataset, each made in a line."""

    def __init__(self, items: int = 40) -> None:
        self.backend, self.project = connection().backend, connection().project_id
        self.dataset = self.backend.create_dataset(DatasetDraft(project_id=self.project, name="questions")).id
        self.backend.import_items(self.dataset, [ItemDraft(input=n) for n in range(items)])
        self.items = [item.id for item in self.backend.items(self.dataset)]

    def experiment(self, name: str, quality: Values, *, trials: int = 1, **other: Values) -> str:
        """Numbers of `quality` and of other scorers, item by item (each trial the same); None: scoring failed."""
        draft = ExperimentDraft(project_id=self.project, name=name, dataset_id=self.dataset, trials=trials)
        made = self.backend.create_experiment(draft)
        columns = {"quality": quality, **other}
        runs = [
            RunDraft(dataset_item_id=item, output="x", trial=trial, scores=[
                InlineScoreDraft(scorer_name=scorer, failed="the judge was away") if values[at] is None
                else InlineScoreDraft(scorer_name=scorer, value=values[at])
                for scorer, values in columns.items()
            ])
            for at, item in enumerate(self.items[: len(quality)]) for trial in range(trials)
        ]  # fmt: skip
        if runs:
            self.backend.add_runs(made.id, runs)
        return made.id

    def broken(self, name: str) -> str:
        draft = ExperimentDraft(project_id=self.project, name=name, dataset_id=self.dataset)
        made = self.backend.create_experiment(draft)
        error = RunError(message="no route")
        self.backend.add_runs(made.id, [RunDraft(dataset_item_id=item, error=error) for item in self.items[:3]])
        return made.id


@pytest.fixture
def lab(place: str) -> Lab:
    return Lab()


def test_a_mean_is_decided_by_its_interval_and_a_point_by_itself(lab):
    lab.experiment("v1", [1.0] * 33 + [0.0] * 7)
    for text, decision in [
        ("quality >= 0.6", "pass"),
        ("quality >= 0.8", "undecided"),
        ("quality >= 0.99", "fail"),
        ("quality < 0.99", "pass"),
        ("quality.point >= 0.8", "pass"),
        ("quality.ci_low >= 0.8", "fail"),
        ("quality.min >= 0.1", "fail"),
        ("quality.max >= 1", "pass"),
    ]:
        (found,) = gn.gate("v1", text)
        assert (found.decision, found.text) == (decision, text)
        assert found.words
    (mean,) = gn.gate("v1", "quality >= 0.8")
    assert mean.value == 0.825
    assert mean.confidence_interval_95 is not None
    assert (mean.n, mean.metric, mean.threshold, mean.experiment) == (40, "mean", 0.8, "v1")


def test_chances_of_several_trials_are_metrics_too(lab):
    lab.experiment("v1", [1.0, 1.0, 0.0, 1.0] * 10, trials=3)
    found = gn.gate("v1", "quality.pass_at_k(3) >= 0.5", "quality.pass_pow_k(2) >= 0.95", "quality.pass_at_k(4) >= 0.5")
    assert [one.decision for one in found] == ["pass", "fail", "undecided"]
    assert "up to k = 3" in found[2].words


def test_several_gates_are_printed_a_line_each_and_true_when_all_passed(lab):
    lab.experiment("v1", [1.0] * 33 + [0.0] * 7)
    good = gn.gate("v1", "quality >= 0.6", "quality.max >= 1")
    assert good
    assert (good.exit_code, len(good), good.assert_passed()) == (0, 2, None)
    assert str(good).splitlines()[0] == (
        "passed: quality >= 0.6 (mean 0.825, 95 % interval 0.681 to 0.913): the whole interval is at least 0.6"
    )
    mixed = gn.gate("v1", "quality >= 0.8", "quality >= 0.6", "quality >= 0.99")
    assert not mixed
    assert mixed.exit_code == 1
    with pytest.raises(AssertionError) as told:
        mixed.assert_passed()
    lines = str(told.value).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["UNDECIDED", "FAILED"]


def test_what_cannot_be_decided_beats_failed_beats_undecided_beats_passed(lab):
    lab.experiment("v1", [1.0] * 33 + [0.0] * 7, judged=[None] * 40)
    codes = {
        3: ["quality >= 0.6", "quality >= 0.8", "quality >= 0.99", "judged >= 0.5"],
        1: ["quality >= 0.6", "quality >= 0.8", "quality >= 0.99"],
        4: ["quality >= 0.6", "quality >= 0.8"],
        0: ["quality >= 0.6"],
    }
    for code, texts in codes.items():
        for order in (texts, texts[::-1]):
            assert gn.gate("v1", *order).exit_code == code


def test_where_everything_failed_nothing_can_be_decided(lab):
    lab.broken("broken")
    lab.experiment("empty", [])
    lab.experiment("judged", [None] * 40)
    lab.experiment("labels", ["good"] * 40)
    for name, text, words in [
        ("broken", "quality >= 0.5", "all 3 runs failed"),
        ("broken", "quality not worse than judged", "all 3 runs failed"),
        ("empty", "quality >= 0.5", "has no runs"),
        ("judged", "quality >= 0.5", "all 40 scores failed: 40 the judge was away"),
        ("labels", "quality >= 0.5", "gives labels"),
    ]:
        (found,) = gn.gate(name, text)
        assert found.decision == "cannot", name
        assert words in found.words
    assert gn.gate("broken", "quality >= 0.5").exit_code == 3


def test_without_a_margin_only_a_regression_fails(lab):
    lab.experiment("main", [1.0] * 30 + [0.0] * 10)
    lab.experiment("same", [1.0] * 29 + [0.0] * 11)
    lab.experiment("worse", [1.0] * 10 + [0.0] * 30)
    (same,) = gn.gate("same", "quality not worse than main")
    assert same.decision == "pass"
    low = same.confidence_interval_95[0]
    assert same.words == f"not shown to be worse; a drop of up to {-low:.3f} is not ruled out"
    (worse,) = gn.gate("worse", "quality not worse than main")
    assert (worse.decision, worse.value, worse.n, worse.metric) == ("fail", -0.5, 40, "difference")
    assert worse.words.startswith("worse, by")


def test_with_a_margin_the_interval_decides(lab):
    lab.experiment("main", [1.0] * 30 + [0.0] * 10)
    lab.experiment("next", [1.0] * 29 + [0.0] * 11)
    low, high = gn.gate("next", "quality not worse than main")[0].confidence_interval_95
    for margin, decision in [(-low + 0.01, "pass"), (-low - 0.01, "undecided"), (0.0, "undecided")]:
        (found,) = gn.gate("next", f"quality not worse than main by {margin:.6f}")
        assert (found.decision, found.margin) == (decision, pytest.approx(margin, abs=1e-6))
    lab.experiment("worse", [1.0] * 10 + [0.0] * 30)
    assert gn.gate("worse", "quality not worse than main by 0.05")[0].decision == "fail"
    assert high > 0


def test_its_own_name_means_the_newest_other_one(lab):
    old = lab.experiment("nightly", [1.0] * 30 + [0.0] * 10)
    new = lab.experiment("nightly", [1.0] * 10 + [0.0] * 30)
    (found,) = gn.gate("nightly", "quality not worse than nightly")
    assert (found.experiment_id, found.against_id, found.decision) == (new, old, "fail")
    (back,) = gn.gate("nightly", "quality not worse than nightly", at="~1")
    assert (back.experiment_id, back.against_id) == (old, new)


def test_with_nothing_to_compare_with_it_is_undecided_and_says_what_to_do(lab):
    lab.experiment("first", [1.0] * 40)
    lab.experiment("other scorer", [], style=[])
    for against, words in [
        ("first", "no other experiment named 'first'"),
        ("nobody", "'nobody' does not exist"),
        ("other scorer", "no item has a number of 'quality' in both"),
    ]:
        (found,) = gn.gate("first", f"quality not worse than {against}")
        assert found.decision == "undecided"
        assert words in found.words


def test_a_misspelt_gate_is_refused_before_any_is_checked(lab):
    id = lab.experiment("v1", [1.0] * 40)
    with pytest.raises(InvalidInput, match="did you mean 'quality'"):
        gn.gate("v1", "quality >= 0.5", "qualty >= 0.5")
    assert lab.backend.summary(id).threshold_result is None
    with pytest.raises(InvalidInput, match="no gate to check"):
        gn.gate("v1")
    with pytest.raises(NotFound):
        gn.gate("nobody", "quality >= 0.5")


def test_an_experiment_and_a_gate_may_be_given_as_they_are(lab):
    id = lab.experiment("v1", [1.0] * 40)
    experiment = lab.backend.experiment(id)
    assert check(lab.backend, experiment, BarGate("quality", "gte", 0.5)).decision == "pass"
    assert gn.gate(experiment, "quality >= 0.5")
    assert gn.gate(id, "quality >= 0.5")
