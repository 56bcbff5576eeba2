"""The demo's data: the same every time, and as uneven as real data is."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gnomon.model.access import Principal
from gnomon.model.moment import to_ms
from gnomon.service import compare, demo, jobs, projects, review, runs, scoring, summarize, traces
from gnomon.service.call import Call
from gnomon.service.clock import Clock, created_ms
from gnomon.store.engine import Store, open_store
from gnomon.store.pages import Slice
from gnomon.store.spanstore import Filter

NOW = time.time_ns() // 1_000_000
HOUR = 3_600_000
ALL = Slice(1000)


class Filled:
    """A database with the demo in it, and a way to ask its services."""

    def __init__(self, store: Store, seed: int = demo.SEED) -> None:
        self.store = store
        self.demo = demo.fill(store, NOW, seed)

    def ask(self, question: Callable[[Call], Any]) -> Any:
        return self.store.read(lambda db: question(Call(db, Principal("test", "admin"), Clock())))

    def runs(self, id: str) -> list[Any]:
        return list(self.ask(lambda call: runs.all_of(call, id, ALL)).items)

    def traces(self) -> list[Any]:
        return list(self.ask(lambda call: traces.all_of(call, demo.PROJECT, Filter(), ALL)).items)

    def content(self) -> Any:
        """All that does not hang on ids and the clock's small change."""
        runs = [
            (run.input, run.trial, run.output, run.error, sorted((s.scorer_name, s.value) for s in run.scores))
            for id in (self.demo.base_id, self.demo.other_id)
            for run in self.runs(id)
        ]
        seen = [(t.id, t.name, t.duration_ms, t.tokens, t.has_error, t.in_queue, t.created_at) for t in self.traces()]
        return sorted(runs, key=repr), sorted(seen, key=repr)


def fresh(folder: Path, name: str, seed: int = demo.SEED) -> Filled:
    return Filled(open_store(f"sqlite:///{folder / name}"), seed)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    found = fresh(tmp_path_factory.mktemp("demo"), "demo.db")
    with closing(found.store):
        yield found


def test_the_same_seed_gives_the_same_content_and_another_seed_another(filled: Filled, tmp_path: Path):
    again, other = fresh(tmp_path, "again.db"), fresh(tmp_path, "other.db", seed=8)
    with closing(again.store), closing(other.store):
        assert again.content() == filled.content()
        assert other.content() != filled.content()


def test_a_second_time_nothing_is_added(filled: Filled):
    before = filled.content()
    again = demo.fill(filled.store, NOW)
    assert (again.made, again.base_id, again.other_id) == (False, filled.demo.base_id, filled.demo.other_id)
    assert filled.content() == before


def test_no_wrong_answer_holds_the_right_fact():
    asked = list(demo.questions())
    assert len(asked) == 40
    assert len({question.asked for question in asked}) == 40
    for question in asked:
        if question.right is not None:
            assert question.right in question.answer(question.right)
            assert question.right not in question.answer(question.wrong)


def test_the_second_version_is_better_but_not_everywhere(filled: Filled):
    found = filled.ask(lambda call: compare.compare(call, filled.demo.base_id, filled.demo.other_id))
    by_name = {one.scorer_name: one for one in found.scorer_comparisons}
    assert set(by_name) == {"contains", "helpfulness", "tone"}
    assert by_name["contains"].verdict == "improved"
    assert by_name["contains"].regressed_count >= 3
    assert by_name["tone"].changed_count > 0


@pytest.mark.parametrize("version", ["base_id", "other_id"])
def test_runs_fail_and_scores_are_missing_with_reasons(filled: Filled, version):
    found = filled.ask(lambda call: summarize.summary(call, getattr(filled.demo, version)))
    assert (found.run_count, found.trials, found.status) == (200, 5, "completed")
    assert 0 < found.failed_run_count < 10
    contains, helpfulness = found.scores_by_scorer["contains"], found.scores_by_scorer["helpfulness"]
    assert contains.reasons["no expected_output"] > 0
    assert helpfulness.reasons["no score was submitted"] > 0
    assert contains.n_pending == 0
    assert contains.n_scored + contains.n_absent + contains.n_failed == 200


def test_one_gate_was_evaluated_and_one_job_is_done(filled: Filled):
    found = filled.ask(lambda call: summarize.summary(call, filled.demo.other_id))
    assert found.threshold_result.scorer_name == "contains"
    (job,) = filled.ask(lambda call: jobs.all_of(call, demo.PROJECT, None, ALL)).items
    assert (job.status, job.experiment_id, sum(job.counts.values())) == ("done", filled.demo.base_id, 200)


def test_sixty_traces_of_the_last_week_some_of_today_and_some_with_errors(filled: Filled):
    found = filled.ask(lambda call: projects.summary(call, demo.PROJECT))
    assert found.traces.last_7d.count == len(filled.traces()) == 60
    assert found.traces.last_24h.count >= 10
    assert 0 < found.traces.last_7d.error_count < 15
    assert found.queue.pending_count > found.queue.annotated_count > 0
    assert {trace.model for trace in filled.traces()} == {"demo-model-a", "demo-model-b"}


def test_a_trace_is_a_root_with_a_search_and_an_answer_and_has_scores(filled: Filled):
    row = next(trace for trace in filled.traces() if not trace.has_error)
    trace = filled.ask(lambda call: traces.get(call, row.id, demo.PROJECT))
    root, search, answer = trace.spans
    assert (root.id, search.parent_span_id, answer.parent_span_id) == (trace.root_span_id, root.id, root.id)
    assert root.start_time <= search.start_time
    assert answer.end_time <= root.end_time
    scored = filled.ask(lambda call: scoring.of_target(call, answer.id, "span", trace.id, None, ALL)).items
    assert [score.scorer_name for score in scored] == ["grounded"]


def test_some_runs_lead_to_their_trace(filled: Filled):
    known = {trace.id for trace in filled.traces()}
    linked = [run.trace_id for run in filled.runs(filled.demo.other_id) if run.trace_id is not None]
    assert len(linked) >= 10
    assert set(linked) <= known


def test_nothing_happens_in_the_future_and_ids_tell_their_time(filled: Filled):
    for id in (filled.demo.base_id, filled.demo.other_id):
        for run in filled.runs(id):
            assert created_ms(run.id) == to_ms(run.created_at) < NOW
    for trace in filled.traces():
        assert NOW - 7 * 24 * HOUR <= to_ms(trace.created_at) < NOW
        for said in filled.ask(lambda call, of=trace.id: review.of_trace(call, of, None, demo.PROJECT, ALL)).items:
            assert to_ms(trace.created_at) <= to_ms(said.created_at) < NOW
            assert said.annotator in {"a new user", "reviewer-1"}


def test_it_is_made_in_less_than_three_seconds(tmp_path: Path):
    """Processor time, so that a busy machine does not matter."""
    began = time.process_time()
    with closing(fresh(tmp_path, "timed.db").store):
        assert time.process_time() - began < 3
