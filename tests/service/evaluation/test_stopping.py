"""An evaluation ends when its question is decided: what is looked at, in which order, and what is stored of it."""

import doctest
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput, NotFound
from gnomon.model import gates
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.gates import BarGate, NotWorseGate
from gnomon.model.score import InlineScoreDraft
from gnomon.service.embedded import Embedded
from gnomon.service.evaluation import stopping
from gnomon.service.evaluation.stopping import Decided, Looks, in_run_order, item_means, looks_for
from gnomon.store.engine import open_store

ITEMS = [f"item-{n}" for n in range(100)]


# --- what is asked for -----


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "either a gate"),
        ({"gate": "a >= 0.5", "against": "main"}, "either a gate"),
        ({"gate": "a >= 0.5", "scorer": "a"}, "leave them out"),
        ({"gate": "a >= 0.5", "margin": 0.1}, "leave them out"),
        ({"gate": "a == 0.5"}, "'==' is not a comparison"),
        ({"gate": "a.ci_low >= 0.5"}, "stop by the mean, as in 'a >= 0.5'"),
        ({"gate": "a.pass_at_k(3) >= 0.5"}, "pass_at_k(3) cannot be decided while scores come in"),
        ({"gate": "a.point >= 0.5"}, "stop by the mean"),
        ({"against": "main", "margin": 1.0}, "margin is 1.0"),
        ({"against": "main", "margin": -0.1}, "margin is -0.1"),
        ({"gate": "a >= 0.5", "max_items": 0}, "max_items is 0"),
    ],
    ids=str,
)
def test_a_question_that_cannot_be_asked_is_refused_before_anything_runs(fields, words):
    with pytest.raises(InvalidInput) as refused:
        Decided(**fields)
    assert words in refused.value.message


def test_a_comparison_takes_the_only_scorer_or_the_one_that_is_named():
    assert Decided(against="main").question(["a"]) == NotWorseGate("a", "main")
    assert Decided(against="main", scorer="b", margin=0.1).question(["a", "b"]) == NotWorseGate("b", "main", 0.1)
    for decided, words in [
        (Decided(against="main"), "there are several scorers; name one of a, b"),
        (Decided(against="main", scorer="c"), "there is no scorer 'c'; name one of a, b"),
        (Decided("c >= 0.5"), "there is no scorer 'c'"),
    ]:
        with pytest.raises(InvalidInput) as refused:
            decided.question(["a", "b"])
        assert words in refused.value.message


# --- looks -----


@given(st.lists(st.text(min_size=1), unique=True, max_size=30), st.randoms())
def test_the_order_of_items_depends_on_nothing_but_the_items(items, chance: random.Random):
    shuffled = items[:]
    chance.shuffle(shuffled)
    assert in_run_order(shuffled) == in_run_order(items)
    assert sorted(in_run_order(items)) == sorted(items)
    some = items[: len(items) // 2]
    assert in_run_order(some) == [item for item in in_run_order(items) if item in set(some)]


def test_a_gate_is_looked_at_until_it_is_decided():
    looks = Looks(BarGate("a", "gte", 0.8), ITEMS, trials=3)
    assert sorted(looks.order) == sorted(ITEMS)
    assert str(looks) == "a >= 0.8: no score yet, 100 items to run"
    seen = {}
    for item in looks.order:
        seen[item] = 1.0
        if looks.look(seen).should_stop:
            break
    assert looks.last.outcome == "passed"
    ran = len(seen)
    assert 20 < ran < 40
    assert looks.saved_runs == (100 - ran) * 3
    assert str(looks).startswith(f"a >= 0.8: passed after {ran} of 100 items (mean 1.000, 95 % interval 0.8")
    assert str(looks).endswith(f"right at every look); {looks.saved_runs} runs saved")
    draft = looks.draft()
    assert (draft.kind, draft.text, draft.outcome, draft.items, draft.max_items) == (
        "gate", "a >= 0.8", "passed", ran, 100,
    )  # fmt: skip
    assert draft.confidence_interval_95 == (looks.last.interval.low, looks.last.interval.high)
    assert (draft.mean, draft.ci_method, draft.against) == (1.0, "betting_mixture", None)


def test_a_look_is_cut_with_those_before():
    looks = Looks(BarGate("a", "gte", 0.5), ITEMS)
    means = {item: float(at % 3 > 0) for at, item in enumerate(looks.order)}
    widths = []
    for many in range(10, 60, 10):
        interval = looks.look({item: means[item] for item in looks.order[:many]}).interval
        widths.append((interval.low, interval.high))
    assert [low for low, _ in widths] == sorted(low for low, _ in widths)
    assert [high for _, high in widths] == sorted((high for _, high in widths), reverse=True)


def test_items_without_a_number_are_run_all_the_same():
    """With none left to run the question is as decided as it will be."""
    looks = Looks(BarGate("a", "gte", 0.8), ITEMS[:10], max_items=8)
    assert len(looks.order) == 8
    some = dict.fromkeys(looks.order[:4], 1.0)
    assert looks.look(some).outcome == "cannot_be_decided", "not even four more ones would decide"
    looks = Looks(BarGate("a", "gte", 0.5), ITEMS[:10], max_items=8)
    assert looks.look(some).outcome == "undecided"
    assert looks.look(some, finished=8).outcome == "cannot_be_decided"
    assert (looks.draft().items, looks.saved_runs) == (8, 0)


def test_an_evaluation_that_was_never_looked_at_says_so():
    draft = Looks(BarGate("a", "gte", 0.8), ITEMS).draft()
    assert (draft.outcome, draft.items, draft.mean, draft.confidence_interval_95) == ("undecided", 0, None, None)


def test_a_comparison_runs_only_items_that_the_other_has():
    baseline = dict.fromkeys(ITEMS[:50], 0.0)
    gate = NotWorseGate("a", "main", 0.1)
    looks = Looks(gate, ITEMS[20:], baseline=baseline, against_id="id-of-main")
    assert sorted(looks.order) == sorted(ITEMS[20:50])
    assert looks.look(dict.fromkeys(ITEMS, 1.0)).outcome == "better"
    draft = looks.draft()
    assert (draft.kind, draft.against, draft.text) == ("difference", "id-of-main", "a not worse than main by 0.1")
    assert "better after 30 of 30 items (difference +1.000, 95 % interval +" in str(looks)
    with pytest.raises(InvalidInput, match="no item has a number of 'a' in 'main'"):
        Looks(gate, ITEMS[60:], baseline=baseline, against_id="id-of-main")


# --- with a backend -----


@pytest.fixture
def backend(tmp_path):
    url = f"sqlite:///{tmp_path / 'gnomon.db'}"
    open_store(url).close()
    with Embedded(url) as backend:
        yield backend


def experiment(backend, dataset_id, items, values, name="main", trials=2):
    draft = ExperimentDraft(project_id="p", name=name, dataset_id=dataset_id, trials=trials)
    made = backend.create_experiment(draft)
    runs = [
        RunDraft(dataset_item_id=item, trial=trial, output="x", scores=[
            InlineScoreDraft(scorer_name="a", value=value), InlineScoreDraft(scorer_name="kind", value="good"),
        ])
        for item, row in zip(items, values, strict=False) for trial, value in enumerate(row)
    ]  # fmt: skip
    backend.add_runs(made.id, runs)
    return made


def test_the_baseline_is_each_items_mean_of_trials(backend):
    dataset = backend.create_dataset(DatasetDraft(project_id="p", name="d")).id
    items = [backend.add_item(dataset, ItemDraft(input=n)).id for n in range(3)]
    old = experiment(backend, dataset, items, [[0.0, 1.0], [0.5, 0.25]])
    assert item_means(backend, old, "a") == {items[0]: 0.5, items[1]: 0.375}
    assert item_means(backend, old, "kind") == item_means(backend, old, "nobody") == {}
    new = experiment(backend, dataset, items, [[1.0, 1.0]])
    options = {"scorers": ["a"], "item_ids": items, "project_id": "p", "trials": 2}
    looks = looks_for(Decided(against="main"), backend, **options, experiment_id=new.id)
    assert (sorted(looks.order), looks.draft().against) == (sorted(items[:2]), old.id)
    assert looks.look({items[0]: 1.0}).mean == 0.5
    gate = looks_for(Decided("a >= 0.5", max_items=2), backend, **options)
    assert (gate.gate, gate.draft().max_items, gate.trials) == (BarGate("a", "gte", 0.5), 2, 2)
    with pytest.raises(NotFound):
        looks_for(Decided(against="nobody"), backend, **options)


def test_what_the_looks_say_is_stored_and_summed_up_with_the_same_interval(backend):
    dataset = backend.create_dataset(DatasetDraft(project_id="p", name="d")).id
    backend.import_items(dataset, [ItemDraft(input=n) for n in range(60)])
    items = [item.id for item in backend.items(dataset)]
    looks = looks_for(Decided("a >= 0.5"), backend, scorers=["a"], item_ids=items, project_id="p")
    ran = looks.order[:20]
    made = experiment(backend, dataset, ran, [[1.0]] * 20, trials=1)
    assert looks.look(dict.fromkeys(ran, 1.0)).outcome == "passed"
    stored = backend.complete(made.id, looks.draft()).stopping
    summary = backend.summary(made.id).scores_by_scorer["a"]
    assert summary.confidence_interval_95 == pytest.approx(stored.confidence_interval_95)
    assert (summary.ci_method, summary.flags) == (stored.ci_method, ["stopped_early"])


def test_the_examples_of_the_docstrings_run():
    assert doctest.testmod(stopping).failed == 0
    assert doctest.testmod(gates).failed == 0
