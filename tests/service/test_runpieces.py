"""A job scores runs piece by piece: with what each holds when its piece is stored, and as a scorer alone would."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.model.access import Principal
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError, ScoreExperimentDraft
from gnomon.model.score import ScoreDraft, ScorerSpec
from gnomon.scorers import Absent, RuleScorer, Sample, build
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.experiments import datasets, experiments
from gnomon.service.jobs import jobs, runpieces
from gnomon.service.scoring import attach, measuring
from gnomon.service.scoring.measuring import Measured, ScoreToCompute
from gnomon.store import experiments as rows
from gnomon.store.engine import Store
from gnomon.store.rows import StoredRun
from gnomon.store.schema import scores, scoring_states

Work = Callable[[Call], Any]
BROKE = RunError(message="broke")


@pytest.fixture
def clock() -> Clock:
    return Clock()


def call(store: Store, clock: Clock, work: Work) -> Any:
    return store.write(lambda db: work(Call(db, Principal("test", "admin"), clock)))


def filled(at: Call, runs: Sequence[tuple[Any, Any]], name: str = "d") -> tuple[str, list[str]]:
    """An experiment with a run of each (output, expected output); an output of None is a failed run."""
    dataset = datasets.create(at, DatasetDraft(project_id="p", name=name))
    items = [datasets.add_item(at, dataset.id, ItemDraft(input="q", expected_output=wanted)).id for _, wanted in runs]
    id = experiments.create(at, ExperimentDraft(project_id="p", name="e", dataset_id=dataset.id, trials=2)).id
    drafts = [
        RunDraft(dataset_item_id=item, error=BROKE) if output is None else RunDraft(dataset_item_id=item, output=output)
        for item, (output, _) in zip(items, runs, strict=True)
    ]
    return id, experiments.add_runs(at, id, drafts).run_ids


def queue(at: Call, id: str, *scorers: ScorerSpec, only_missing: bool = True) -> str:
    draft = ScoreExperimentDraft(scorers=list(scorers), only_missing=only_missing)
    return jobs.score_experiment(at, id, draft).job_id


def exact(name: str = "exact_match") -> ScorerSpec:
    return ScorerSpec(scorer_name=name, scorer="exact_match")


class Interrupted(jobs.Worker):
    """A worker while whose scorers run something else is written, once."""

    def __init__(self, store: Store, clock: Clock, meanwhile: Work) -> None:
        super().__init__(store, clock)
        self._waiting: list[Callable[[], Any]] = [lambda: call(store, clock, meanwhile)]

    def _measure(self, questions: Sequence[ScoreToCompute]) -> list[Measured]:
        found = super()._measure(questions)
        while self._waiting:
            self._waiting.pop()()
        return found


def values(store: Store) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for id, value in store.read(lambda db: db.execute(sa.select(scores.c.target_id, scores.c.value)).all()):
        found.setdefault(id, []).append(value)
    return found


def states(store: Store) -> dict[str, str]:
    columns = sa.select(scoring_states.c.target_id, scoring_states.c.reason)
    return {row.target_id: row.reason for row in store.read(lambda db: db.execute(columns).all())}


def counts(store: Store, clock: Clock, job_id: str) -> dict[str, int]:
    found: dict[str, int] = call(store, clock, lambda at: jobs.get(at, job_id)).counts
    return found


def test_a_failed_run_that_is_replaced_while_scorers_run_is_scored_by_its_new_output(store: Store, clock: Clock):
    id, (run,) = call(store, clock, lambda at: filled(at, [(None, "a")]))
    job = call(store, clock, lambda at: queue(at, id, exact()))

    def replace(at: Call) -> None:
        (row,) = rows.runs_by_id(at.db, [run])
        draft = RunDraft(dataset_item_id=row.dataset_item_id, output="a")
        experiments.add_runs(at, id, [draft], replace_failed=True)

    assert Interrupted(store, clock, replace).run_one()
    assert (values(store), states(store)) == ({run: [1.0]}, {})
    assert counts(store, clock, job) == {"scored": 1, "skipped": 0}


def test_a_run_that_is_stored_among_others_while_scorers_run_is_scored_too(store: Store, clock: Clock):
    """Another process's id may be older than one that was stored before it."""
    id, runs = call(store, clock, lambda at: filled(at, [("a", "a"), ("b", "b")]))
    call(store, clock, lambda at: queue(at, id, exact()))
    late = runs[0][:-1] + ("0" if runs[0][-1] != "0" else "1")
    between = sorted([*runs, late])

    def store_late(at: Call) -> None:
        (row,) = rows.runs_by_id(at.db, [runs[0]])
        again = StoredRun(late, "p", id, row.dataset_item_id, 1, '"a"', None, None, 0, 1)
        rows.add_runs(at.db, [again])

    assert Interrupted(store, clock, store_late).run_one()
    assert values(store) == {run: [1.0] for run in between}


def test_a_run_that_is_scored_by_another_while_scorers_run_is_left_out(store: Store, clock: Clock):
    id, runs = call(store, clock, lambda at: filled(at, [("a", "a"), ("b", "b")]))
    job = call(store, clock, lambda at: queue(at, id, exact()))
    theirs = ScoreDraft(target_id=runs[1], target_type="run", scorer_name="exact_match", value=0.5)
    assert Interrupted(store, clock, lambda at: attach.attach_one(at, theirs)).run_one()
    assert values(store) == {runs[0]: [1.0], runs[1]: [0.5]}
    assert counts(store, clock, job) == {"scored": 1, "skipped": 1}


def test_a_run_in_a_later_piece_that_has_a_score_keeps_it_though_no_run_before_had_one(store: Store, clock: Clock):
    """A score that stands is not given twice, wherever in the job its run comes."""
    id, runs = call(store, clock, lambda at: filled(at, [("a", "a")] * (jobs.LEAST_TOGETHER * 3)))
    theirs = ScoreDraft(target_id=runs[-2], target_type="run", scorer_name="exact_match", value=0.5)
    call(store, clock, lambda at: attach.attach_one(at, theirs))
    job = call(store, clock, lambda at: queue(at, id, exact()))
    assert jobs.Worker(store, clock).run_one()
    assert values(store) == {run: [0.5 if run == runs[-2] else 1.0] for run in runs}
    assert counts(store, clock, job) == {"scored": len(runs) - 1, "skipped": 1}


def test_a_worker_says_when_it_has_nothing_to_do(store: Store, clock: Clock):
    id, runs = call(store, clock, lambda at: filled(at, [("a", "a")]))
    job = call(store, clock, lambda at: queue(at, id, exact()))
    seen: list[str] = []

    def on_idle() -> None:
        seen.append(call(store, clock, lambda at: jobs.get(at, job)).status)
        worker.stop()

    worker = jobs.Worker(store, clock, on_idle=on_idle)
    worker.serve()
    assert seen == ["done"]
    assert values(store) == {runs[0]: [1.0]}


def test_two_scorers_of_one_name_score_a_run_once_unless_asked_to_score_again(store: Store, clock: Clock):
    id, (run,) = call(store, clock, lambda at: filled(at, [("a", "a")]))
    job = call(store, clock, lambda at: queue(at, id, exact("s"), exact("s")))
    assert jobs.Worker(store, clock).run_one()
    assert values(store) == {run: [1.0]}
    assert counts(store, clock, job) == {"scored": 1, "skipped": 1}
    call(store, clock, lambda at: queue(at, id, exact("s"), only_missing=False))
    assert jobs.Worker(store, clock).run_one()
    assert values(store) == {run: [1.0, 1.0]}
    assert call(store, clock, lambda at: experiments.row(at, id)).repeated_scorers == ["s"]


def test_a_score_that_comes_later_clears_why_there_was_none(store: Store, clock: Clock):
    id, (run, other) = call(store, clock, lambda at: filled(at, [("a", None), ("b", None)]))
    call(store, clock, lambda at: queue(at, id, exact()))
    assert jobs.Worker(store, clock).run_one()
    assert states(store).keys() == {run, other}
    wanted = ScorerSpec(scorer_name="exact_match", config={"expected_output": "a"})
    call(store, clock, lambda at: queue(at, id, wanted))
    assert jobs.Worker(store, clock).run_one()
    assert (values(store), states(store)) == ({run: [1.0], other: [0.0]}, {})


@pytest.mark.parametrize("most", [2, 3])
def test_pieces_that_hold_too_much_text_are_cut_and_every_run_is_scored(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, most: int
):
    monkeypatch.setattr(runpieces, "MOST_CHARACTERS", 10)
    monkeypatch.setattr(runpieces, "_READ_TOGETHER", most)
    id, runs = call(store, clock, lambda at: filled(at, [("x" * 20, "x" * 20)] * 7))
    job = call(store, clock, lambda at: queue(at, id, exact()))
    assert jobs.Worker(store, clock).run_one()
    assert values(store) == {run: [1.0] for run in runs}
    assert counts(store, clock, job) == {"scored": 7, "skipped": 0}


outputs = st.sampled_from([None, "a", "A", "b", "", 1, 1.0, ["a"], {"a": 1}, True, "é" * 3])
SCORERS = (("exact_match", {}), ("contains", {"case_sensitive": False}), ("numeric", {"abs_tol": 0.5}))


@given(st.lists(st.tuples(outputs, outputs), min_size=1, max_size=6))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@pytest.mark.parametrize("database", ["sqlite"])
def test_a_job_finds_what_the_scorers_find_alone(store: Store, clock: Clock, runs: list[tuple[Any, Any]]):
    id, ids = call(store, clock, lambda at: filled(at, runs, name=clock.new_id()))
    specs = [ScorerSpec(scorer_name=name, config=config or None) for name, config in SCORERS]
    call(store, clock, lambda at: queue(at, id, *specs))
    assert jobs.Worker(store, clock).run_one()
    for name, config in SCORERS:
        rule = build(name, config)
        assert isinstance(rule, RuleScorer)
        for run, (output, wanted) in zip(ids, runs, strict=True):
            error = "broke" if output is None else None
            (alone,) = measuring.at_once([ScoreToCompute(rule, Sample("q", output, wanted), error)])
            assert _stored(store, run, name) == (alone if isinstance(alone, float) else _reason(alone))


def _reason(found: Any) -> tuple[str, str]:
    return ("absent" if isinstance(found, Absent) else "failed", found.reason)


def _stored(store: Store, run: str, name: str) -> Any:
    value = sa.select(scores.c.value).where(scores.c.target_id == run, scores.c.scorer_name == name)
    state = sa.select(scoring_states.c.state, scoring_states.c.reason).where(
        scoring_states.c.target_id == run, scoring_states.c.scorer_name == name
    )
    scored = store.read(lambda db: db.execute(value).scalars().all())
    stated = store.read(lambda db: db.execute(state).all())
    assert len(scored) + len(stated) == 1
    return scored[0] if scored else tuple(stated[0])
