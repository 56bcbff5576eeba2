"""Which experiment a name means: the newest with runs, one before it, or that of a commit."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gnomon import errors
from gnomon.model.backend import find_dataset, find_experiment
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.trace import ProjectDraft
from gnomon.service.embedded import Embedded
from gnomon.store.engine import open_store

COMMIT = "1a2b3c4d5e6f" + "0" * 28


class Lab:
    """Experiments in a database, each made in a line."""

    def __init__(self, backend: Embedded) -> None:
        self.backend = backend
        self._datasets: dict[str, tuple[str, str]] = {}

    def experiment(self, name: str, *, runs: int = 1, project: str = "p", **fields: Any) -> str:
        dataset_id, item_id = self._dataset(project)
        draft = ExperimentDraft(project_id=project, name=name, dataset_id=dataset_id, trials=3, **fields)
        made = self.backend.create_experiment(draft)
        if runs:
            batch = [RunDraft(dataset_item_id=item_id, output="x", trial=trial) for trial in range(runs)]
            self.backend.add_runs(made.id, batch)
        return made.id

    def at_commit(self, name: str, commit: object, **fields: Any) -> str:
        return self.experiment(name, metadata={"gnomon": {"git": {"commit": commit}}}, **fields)

    def find(self, name: str, at: str | None = None, project: str | None = "p") -> str:
        return find_experiment(self.backend, name, project, at=at).id

    def refused(self, name: str, at: str | None = None, project: str | None = "p") -> errors.GnomonError:
        with pytest.raises(errors.GnomonError) as told:
            self.find(name, at, project)
        return told.value

    def _dataset(self, project: str) -> tuple[str, str]:
        if project not in self._datasets:
            dataset = self.backend.create_dataset(DatasetDraft(project_id=project, name="d"))
            self._datasets[project] = dataset.id, self.backend.add_item(dataset.id, ItemDraft(input="q")).id
        return self._datasets[project]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    open_store(url).close()
    with Embedded(url) as backend:
        yield Lab(backend)


def test_a_name_means_the_newest_with_runs_and_steps_count_those_with_runs(lab):
    """An experiment by name is the newest of its project with at least one run; `~1` is the one before."""
    first = lab.experiment("nightly")
    lab.experiment("nightly", runs=0)
    third = lab.experiment("nightly", runs=2)
    lab.backend.complete(lab.experiment("nightly", runs=0))
    lab.experiment("another")
    assert lab.find("nightly") == lab.find("nightly", "~0") == third
    assert lab.find("nightly", "~1") == lab.find("nightly", "1") == first
    refused = lab.refused("nightly", "~2")
    assert (type(refused), refused.message) == (
        errors.NotFound, "2 experiments named 'nightly' have runs, so there is none at ~2")  # fmt: skip


def test_without_any_runs_a_name_means_the_newest(lab):
    lab.experiment("new", runs=0)
    second = lab.experiment("new", runs=0)
    assert lab.find("new") == second
    assert isinstance(lab.refused("new", "~1"), errors.NotFound)


def test_an_id_always_wins(lab):
    first = lab.experiment("nightly", runs=0)
    lab.experiment(first)
    assert lab.find(first) == first
    refused = lab.refused(first, "~1")
    assert isinstance(refused, errors.InvalidInput)
    assert "leave out at '~1'" in refused.message


def test_hex_digits_are_a_commit(lab):
    old = lab.at_commit("nightly", COMMIT)
    newer = lab.at_commit("nightly", COMMIT)
    lab.at_commit("nightly", COMMIT, runs=0)
    lab.at_commit("nightly", "f" * 40)
    for odd in (None, 7, ["1a2b3c4"], ""):
        lab.at_commit("nightly", odd)
    lab.experiment("nightly", metadata={"gnomon": "1a2b3c4"})
    assert lab.find("nightly", COMMIT) == lab.find("nightly", COMMIT[:7]) == lab.find("nightly", "1A2B3C4D") == newer
    assert newer != old
    assert "commit 7654321" in lab.refused("nightly", "7654321").message
    lab.at_commit("only begun", COMMIT, runs=0)
    assert lab.find("only begun", COMMIT[:9])


def test_digits_of_two_commits_are_ambiguous(lab):
    lab.at_commit("nightly", COMMIT)
    lab.at_commit("nightly", COMMIT[:10] + "f" * 30)
    refused = lab.refused("nightly", COMMIT[:8])
    assert (refused.code, COMMIT in refused.message) == ("AMBIGUOUS_TARGET", True)
    assert lab.find("nightly", COMMIT[:12])


def test_a_name_that_is_not_there_is_answered_with_the_nearest(lab):
    lab.experiment("nightly-main")
    lab.experiment("release", project="other")
    assert lab.refused("nigthly-main").message.endswith("does not exist in project 'p'; did you mean 'nightly-main'?")
    assert lab.refused("NIGHTLY", project=None).message == (
        "experiment 'NIGHTLY' does not exist; did you mean 'nightly-main'?"
    )
    assert "there are release, nightly-main" in lab.refused("zzz", project=None).message
    assert lab.refused("release", project="othr").message == "project 'othr' does not exist; did you mean 'other'?"
    for project, words in (("p", "in project 'p'; did you mean 'd'?"), ("q", "project 'q' does not exist; there are")):
        with pytest.raises(errors.NotFound, match=re.escape(words)):
            find_dataset(lab.backend, "D", project)


@pytest.mark.parametrize("at", ["", "~", "~-1", "~x", "1a2b3c", "main", "~1 ", "1a2b3c4g", "~1234567890"])
def test_an_at_that_means_nothing_is_refused_before_anything_is_looked_up(lab, at):
    refused = lab.refused("nobody", at)
    assert (refused.code, refused.problems[0].field) == ("INVALID_REQUEST", "at")
    assert repr(at) in refused.message


def test_a_name_is_looked_for_in_every_project_and_ambiguous_in_several(lab):
    here = lab.experiment("nightly", project="here")
    lab.experiment("another", project="there")
    assert lab.find("nightly", project=None) == here
    lab.experiment("nightly", project="there", runs=0)
    refused = lab.refused("nightly", project=None)
    assert refused.code == "AMBIGUOUS_TARGET"
    assert "(there, here)" in refused.message
    assert lab.find("nightly", project="here") == here
    assert isinstance(lab.refused("nobody", project=None), errors.NotFound)


def test_among_very_many_projects_the_project_must_be_named(lab):
    for number in range(51):
        lab.backend.create_project(ProjectDraft(id=f"p{number}"))
    assert lab.refused("nightly", project=None).code == "PROJECT_REQUIRED"


def test_a_dataset_is_found_by_id_or_by_a_name_that_one_project_has(lab):
    mine, theirs = (
        lab.backend.create_dataset(DatasetDraft(project_id=project, name="capitals")).id for project in ("p", "q")
    )
    lab.backend.create_dataset(DatasetDraft(project_id="q", name=mine))
    assert find_dataset(lab.backend, mine).id == mine  # an id always wins
    assert find_dataset(lab.backend, "capitals", "q").id == theirs
    with pytest.raises(
        errors.Conflict, match=r"several datasets are named 'capitals' \(in q and p\); name the project"
    ):
        find_dataset(lab.backend, "capitals")
    with pytest.raises(errors.NotFound, match="dataset 'capitels' does not exist in project 'q'"):
        find_dataset(lab.backend, "capitels", "q")


def test_compared_with_its_own_name_an_experiment_meets_the_newest_other_one(lab):
    """Spec: `against` the own name means the newest other one; an id always wins."""
    first, second = lab.experiment("nightly"), lab.experiment("nightly")
    lab.experiment("nightly", runs=0)

    def other(name: str, than: str, **options: Any) -> str:
        return find_experiment(lab.backend, name, "p", other_than=than, **options).id

    assert (other("nightly", second), other("nightly", first)) == (first, second)
    assert other(first, first) == first
    assert other("nightly", second, at="~0") == second, "what is chosen by hand is meant"
    alone = lab.experiment("alone")
    with pytest.raises(errors.NotFound, match="no other experiment named 'alone'"):
        other("alone", alone)
    waiting = lab.experiment("alone", runs=0)
    assert other("alone", alone) == waiting
