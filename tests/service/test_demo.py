"""The demo's data: the same every time, and as uneven as real data is."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from gnomon.model.access import Principal
from gnomon.model.drift import DriftOptions
from gnomon.model.moment import to_ms
from gnomon.service import demo
from gnomon.service.access import projects
from gnomon.service.analysis import compare, drift, summarize
from gnomon.service.call import Call
from gnomon.service.clock import Clock, created_ms
from gnomon.service.experiments import datasets, experiments, runs
from gnomon.service.jobs import jobs
from gnomon.service.judges import budgets, cards, judgelist, labelling
from gnomon.service.review import annotations
from gnomon.service.scoring import scoring
from gnomon.service.traces import conversations, rules, traces
from gnomon.store.engine import Store, open_store
from gnomon.store.pages import Slice
from gnomon.store.reviews import AnnotationFilter
from gnomon.store.spanstore import TraceFilter

NOW = time.time_ns() // 1_000_000
HOUR = 3_600_000
DAY = 24 * HOUR
ALL = Slice(1000)


class Filled:
    """A database with the demo in it, and a way to ask its services."""

    def __init__(self, store: Store, seed: int = demo.SEED) -> None:
        self.store = store
        self.statements = 0
        event.listen(Engine, "before_cursor_execute", self._count)
        self.demo = demo.fill(store, NOW, seed)
        event.remove(Engine, "before_cursor_execute", self._count)

    def _count(self, *_: Any) -> None:
        self.statements += 1

    def ask(self, question: Callable[[Call], Any]) -> Any:
        return self.store.read(lambda db: question(Call(db, Principal("test", "admin"), Clock())))

    def runs(self, id: str) -> list[Any]:
        return list(self.ask(lambda call: runs.all_of(call, id, ALL)).items)

    def traces(self) -> list[Any]:
        return list(self.ask(lambda call: traces.all_of(call, demo.PROJECT, TraceFilter(), ALL)).items)

    def experiments(self) -> list[Any]:
        return list(self.ask(lambda call: experiments.all_of(call, demo.PROJECT, ALL)).items)

    def jobs(self) -> list[Any]:
        return list(self.ask(lambda call: jobs.all_of(call, demo.PROJECT, None, ALL)).items)

    def content(self) -> Any:
        """All that does not hang on ids and the clock's small change."""
        runs = [
            (run.input, run.trial, run.output, run.error, sorted((s.scorer_name, s.value) for s in run.scores))
            for experiment in self.experiments()
            for run in self.runs(experiment.id)
        ]
        seen = [
            (t.id, t.name, t.duration_ms, t.tokens, t.cost_usd, t.has_error, t.in_queue, t.created_at)
            for t in self.traces()
        ]
        done = [(job.kind, job.status, job.reason, job.cost_usd, job.updated_at) for job in self.jobs()]
        return sorted(runs, key=repr), sorted(seen, key=repr), sorted(done, key=repr)


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


def test_gates_passed_failed_and_were_not_decided(filled: Filled):
    decided = {}
    for one in filled.experiments():
        result = filled.ask(lambda call, of=one.id: summarize.summary(call, of)).threshold_result
        if result is not None:
            decided[result.decision] = (one.name, result.bound)
    assert decided == {
        "pass": ("answers-v2", "point"), "fail": ("answers-nightly", "ci"), "undecided": ("answers-nightly", "ci"),
    }  # fmt: skip


def test_experiments_of_two_weeks_and_one_that_is_running(filled: Filled):
    by_name = Counter((one.name, one.status) for one in filled.experiments())
    assert by_name["answers-nightly", "completed"] == 7
    assert by_name["answers-short", "running"] == 1
    (running,) = (one for one in filled.experiments() if one.status == "running")
    shown = filled.ask(lambda call: summarize.summary(call, running.id))
    assert (shown.run_count, shown.expected_run_count) == (30, 80)
    newest = filled.ask(lambda call: projects.summary(call, demo.PROJECT)).experiments.most_recent_completed
    assert newest.name == "answers-v2"


def test_jobs_are_done_failed_with_reasons_and_cancelled_and_none_is_left_open(filled: Filled):
    found = filled.jobs()
    assert {(job.kind, job.status) for job in found} == {
        ("score_experiment", "done"), ("score_experiment", "cancelled"), ("score_spans", "done"), ("judge", "done"),
        ("judge", "failed"),
    }  # fmt: skip
    (scored,) = (job for job in found if (job.kind, job.status) == ("score_experiment", "done"))
    assert (scored.experiment_id, sum(scored.counts.values())) == (filled.demo.base_id, 200)
    why = {str(job.reason).partition(":")[0] for job in found if job.status == "failed"}
    assert why == {"unparsable", "ambiguous_label", "budget", "timeout"}


def test_a_score_that_is_missing_says_why(filled: Filled):
    (candidate,) = (one for one in filled.experiments() if one.name == "answers-concise")
    shown = filled.ask(lambda call: summarize.summary(call, candidate.id)).scores_by_scorer["fact_verdict"]
    assert {reason.partition(":")[0] for reason in shown.reasons} == {
        "the run failed", "no expected_output", "ambiguous_label", "budget",
    }  # fmt: skip
    assert shown.n_pending == 0


def test_two_judges_have_cards_with_people_and_one_was_probed(filled: Filled):
    listed = filled.ask(lambda call: judgelist.all_of(call, demo.PROJECT, ALL)).items
    assert [judge.scorer_name for judge in listed] == ["answers_question", "fact_verdict"]
    grades, classes = (
        filled.ask(lambda call, name=judge.scorer_name: cards.card(call, demo.PROJECT, name)) for judge in listed
    )
    assert (grades.people.human, classes.people.human) == ("human_quality", "human_verdict")
    assert grades.people.n_labelled >= 35
    assert (grades.people.scale, classes.people.scale) == ("grades", "labels")
    assert grades.failure_reasons["unparsable"] > 0
    assert grades.unanswered["timeout"] > 0
    assert grades.cost_usd.value > 0
    assert grades.probe.samples == 30
    assert classes.probe is None
    wanted = filled.ask(lambda call: labelling.to_label(call, demo.PROJECT, "answers_question"))
    assert len(wanted.targets) == 20


def test_grounded_has_drifted(filled: Filled):
    found = filled.ask(lambda call: drift.drift(call, demo.PROJECT, DriftOptions(scorer_name="grounded")))
    assert (found.status, found.series[0].direction) == ("alarm", "down")
    assert len(found.series[0].days) >= 14


def test_rules_and_a_budget_are_set(filled: Filled):
    found = filled.ask(lambda call: rules.all_of(call, demo.PROJECT, ALL)).items
    assert {rule.name: rule.enabled for rule in found} == {"answers name a figure": True, "answers have a link": False}
    assert filled.ask(lambda call: budgets.get(call, demo.PROJECT)).usd_per_day == 0.1


def test_hundreds_of_traces_of_two_weeks_some_of_today_and_some_with_errors(filled: Filled):
    found, seen = filled.ask(lambda call: projects.summary(call, demo.PROJECT)), filled.traces()
    assert 400 <= len(seen) <= 600
    assert found.traces.last_7d.count > 150
    assert found.traces.last_24h.count >= 15
    assert 0 < found.traces.last_7d.error_count < 40
    assert found.queue.pending_count > found.queue.annotated_count > 0
    by_model = {trace.model: trace.cost_usd for trace in seen if not trace.has_error}
    assert by_model["desk-llm-7b"] is None
    assert {"gpt-4o-mini", "claude-haiku-4-5", "gemini-2.5-flash"} <= {name for name in by_model if by_model[name]}
    asked = [trace for trace in seen if (trace.metadata or {}).get("source") == "production"]
    hours_ago = Counter((NOW - to_ms(trace.created_at)) // HOUR % 24 for trace in asked)
    busy, quiet = (sum(hours_ago[hour] for hour in part) for part in (range(10), range(11, 21)))
    assert busy > 3 * quiet > 0


def test_a_trace_is_a_root_with_a_search_and_an_answer_and_has_scores(filled: Filled):
    production = [trace for trace in filled.traces() if (trace.metadata or {}).get("source") == "production"]
    row = next(trace for trace in production if trace.name == "answer" and not trace.has_error)
    trace = filled.ask(lambda call: traces.get(call, row.id, demo.PROJECT))
    root, search, answer = trace.spans
    assert (root.id, search.parent_span_id, answer.parent_span_id) == (trace.root_span_id, root.id, root.id)
    assert root.start_time <= search.start_time
    assert answer.end_time <= root.end_time
    scored = filled.ask(lambda call: scoring.of_target(call, answer.id, "span", trace.id, None, ALL)).items
    assert [score.scorer_name for score in scored] == ["grounded"]


def test_traces_that_are_hard_to_show(filled: Filled):
    seen = filled.traces()
    (wide,) = (trace for trace in seen if trace.span_count == 2_000)
    assert wide.has_error
    (rootless,) = (trace for trace in seen if trace.root_span_id is None)
    assert rootless.span_count == 6
    (deep,) = (trace for trace in seen if trace.name == "plan a refund")
    spans = filled.ask(lambda call: traces.get(call, deep.id, demo.PROJECT)).spans
    parents, depth, at = {span.id: span.parent_span_id for span in spans}, 0, spans[-1].id
    while at is not None:
        at, depth = parents[at], depth + 1
    assert depth == len(spans) > 30
    assert "Traceback" in spans[-1].error.stack


def test_chat_turns_came_by_opentelemetry_with_messages_tools_and_events(filled: Filled):
    row = next(trace for trace in filled.traces() if trace.name == "invoke_agent support-desk" and not trace.has_error)
    root, deciding, tool, answer = filled.ask(lambda call: traces.get(call, row.id, demo.PROJECT)).spans
    assert root.input[-1]["role"] == "user"
    assert deciding.output["tool_calls"][0]["name"] == "search_help_pages"
    assert tool.operation == "tool"
    assert [message["role"] for message in answer.input[-3:]] == ["user", "assistant", "tool"]
    broken = next(trace for trace in filled.traces() if trace.name == "invoke_agent support-desk" and trace.has_error)
    spans = filled.ask(lambda call: traces.get(call, broken.id, demo.PROJECT)).spans
    assert "IndexLockedError" in spans[-1].error.stack


def test_conversations_have_several_turns_and_one_went_badly(filled: Filled):
    found = filled.ask(lambda call: conversations.all_of(call, demo.PROJECT, ALL)).items
    talks = {one.id: one.trace_count for one in found if one.id.startswith("talk-")}
    assert sorted(talks.values()) == [3, 3, 3, 4, 4, 5, 5, 6, 8]
    scores = {
        id: filled.ask(lambda call, of=id: scoring.of_target(call, of, "conversation", None, None, ALL)).items[0].value
        for id in talks
    }
    assert [id for id in scores if scores[id] < 0.5] == ["talk-07"]


def test_datasets_have_versions_in_which_items_came_changed_and_went(filled: Filled):
    found = {one.name: one for one in filled.ask(lambda call: datasets.all_of(call, demo.PROJECT, ALL)).items}
    assert {name: one.version > 4 for name, one in found.items()} == dict.fromkeys(
        ["support-questions", "hard-questions", "chat-turns"], True
    )
    versions = [
        {
            item.key: item.expected_output
            for item in filled.ask(
                lambda call, v=version: datasets.items(call, found["support-questions"].id, v, ALL)
            ).items
        }
        for version in range(1, 6)
    ]
    assert [len(items) for items in versions] == [0, 38, 42, 42, 40]
    assert found["chat-turns"].item_count == 8
    assert (versions[2]["returns-01"], versions[3]["returns-01"]) == ("28 days", "30 days")


def test_some_items_are_never_solved_and_some_always(filled: Filled):
    solved: dict[Any, list[float]] = {}
    for one in filled.experiments():
        for run in filled.runs(one.id) if one.name.startswith("hard-") else ():
            solved.setdefault(run.dataset_item_id, []).extend(float(score.value) for score in run.scores)
    means = [sum(values) / len(values) for values in solved.values()]
    assert means.count(0) >= 2
    assert means.count(1) >= 3
    assert any(0 < mean < 1 for mean in means)


def test_some_runs_lead_to_their_trace(filled: Filled):
    known = {trace.id for trace in filled.traces()}
    linked = [run.trace_id for run in filled.runs(filled.demo.other_id) if run.trace_id is not None]
    assert len(linked) >= 10
    assert set(linked) <= known


def test_nothing_happens_in_the_future_and_ids_tell_their_time(filled: Filled):
    for experiment in filled.experiments():
        for run in filled.runs(experiment.id):
            assert created_ms(run.id) == to_ms(run.created_at) < NOW
    reviewers = set()
    for trace in filled.traces():
        assert NOW - 14 * DAY <= to_ms(trace.created_at) < NOW
        for said in filled.ask(
            lambda call, of=trace.id: annotations.page(call, AnnotationFilter(demo.PROJECT, of), ALL)
        ).items:
            assert to_ms(trace.created_at) <= to_ms(said.created_at) < NOW
            reviewers.add(said.annotator)
    assert reviewers == {"reviewer-a", "reviewer-b"}
    assert all(to_ms(job.updated_at) < NOW for job in filled.jobs())


def test_it_is_made_with_a_bounded_number_of_statements(filled: Filled):
    """Somebody waits for it. Statements are counted, since seconds would tell more about the machine."""
    assert filled.statements < 15_000
