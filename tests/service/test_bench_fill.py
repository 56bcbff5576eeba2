"""The benchmarks fill tables by themselves, past the checks of the services: what they write has to fit the schema."""

from bench.speed import fill
from bench.speed.fill import Shape

from gnomon.model.access import Principal
from gnomon.service.analysis import summarize
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.store.engine import Store


def test_what_benchmarks_fill_in_can_be_summarised(store: Store) -> None:
    clock = Clock()
    dataset, items = fill.dataset(store, clock, 3)
    id = fill.experiment(store, clock, dataset, items, Shape(3))
    found = store.read(lambda db: summarize.summary(Call(db, Principal("test", "admin"), clock), id))
    assert {one.n_scored for one in found.scores_by_scorer.values()} == {3}
