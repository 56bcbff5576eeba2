"""A hold runs out by itself, by the service's clock."""

from datetime import timedelta

import pytest

from gnomon.errors import Conflict
from gnomon.model.access import Principal
from gnomon.model.dataset import DatasetDraft
from gnomon.model.experiment import ExperimentDraft
from gnomon.model.hold import Hold, HoldDraft
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.experiments import datasets, experiments
from gnomon.store.engine import open_store


class SetClock(Clock):
    """A clock that a test moves."""

    later = timedelta()

    def now(self):
        return super().now() + self.later


@pytest.fixture
def held(tmp_path):
    """A function that holds one experiment, with the clock so many seconds ahead."""
    store, clock, who = open_store(f"sqlite:///{tmp_path / 'gnomon.db'}"), SetClock(), Principal("test", "admin")

    def write(work):
        return store.write(lambda db: work(Call(db, who, clock)))

    dataset = write(lambda call: datasets.create(call, DatasetDraft(project_id="p", name="d")))
    draft = ExperimentDraft(project_id="p", name="e", dataset_id=dataset.id)
    experiment = write(lambda call: experiments.create(call, draft))

    def hold(holder: str, seconds: float, at: float) -> Hold:
        clock.later = timedelta(seconds=at)
        return write(lambda call: experiments.hold(call, experiment.id, HoldDraft(holder=holder, seconds=seconds)))

    yield hold
    store.close()


def test_a_hold_that_ran_out_is_free_for_another(held):
    held("one", 60, at=0)
    with pytest.raises(Conflict) as refused:
        held("two", 60, at=50)
    assert refused.value.code == "HELD"
    assert held("two", 60, at=61).holder == "two"


def test_a_hold_that_is_renewed_lasts_from_then_on(held):
    held("one", 60, at=0)
    held("one", 60, at=50)
    with pytest.raises(Conflict):
        held("two", 60, at=100)
