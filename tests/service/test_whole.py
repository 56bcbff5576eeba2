"""Whole traces and conversations are scored once nothing has come to them for a while."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from gnomon.model.rule import RuleDraft, SpanFilter
from gnomon.model.score import Score, ScoreDraft, ScorerSpec
from gnomon.model.trace import ProjectDraft, SpanDraft
from gnomon.service.clock import Clock
from gnomon.service.embedded import Embedded
from gnomon.service.jobs.jobs import Worker, work_is_open
from gnomon.store.engine import open_store

BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Ahead(Clock):
    """The time, moved forward by hand."""

    by = timedelta()

    def now_ms(self) -> int:
        return super().now_ms() + int(self.by.total_seconds() * 1000)


class World:
    """A database with a backend, and a worker whose clock can be put forward."""

    def __init__(self, url: str) -> None:
        self.store = open_store(url)
        self.backend = Embedded(url)
        self.backend.create_project(ProjectDraft(id="p"))
        self.clock = Ahead()
        self.worker = Worker(self.store, self.clock)

    def work(self, **later: float) -> None:
        self.clock.by = timedelta(**later)
        while self.worker.run_one():
            pass

    def turn(self, trace_id: str, asked: str, answer: str | None, *, session: str | None = "s", at: int = 0) -> None:
        start = BEGAN + timedelta(minutes=at)
        metadata = {"session.id": session} if session else None
        root = SpanDraft(
            id=f"{trace_id}-root", trace_id=trace_id, name="turn", start_time=start, input=asked, output=answer,
            metadata=metadata,
        )  # fmt: skip
        tool = SpanDraft(
            id=f"{trace_id}-tool", trace_id=trace_id, parent_span_id=root.id, name="search", start_time=start,
            input={"q": asked}, output="found",
        )  # fmt: skip
        self.backend.ingest([root, tool], "p")

    def scores(self, id: str, **options: str) -> list[Score]:
        return list(self.backend.scores(id, **options))  # type: ignore[arg-type]


@pytest.fixture
def world(database: str, tmp_path, new_postgresql) -> Iterator[World]:
    url = new_postgresql() if database == "postgresql" else f"sqlite:///{tmp_path}/gnomon.db"
    open_store(url).close()
    made = World(url)
    yield made
    made.backend.close()
    made.store.close()


def contains(text: str, name: str = "says") -> ScorerSpec:
    return ScorerSpec(scorer_name=name, scorer="contains", config={"expected_output": text})


def test_a_trace_is_scored_on_its_root_after_a_minute_of_quiet_and_only_once(world: World):
    rule = RuleDraft(project_id="p", name="r", target="trace", scorer=contains("Paris"))
    assert world.backend.create_rule(rule).target == "trace"
    world.turn("t", "capital of France?", "It is Paris.")
    assert work_is_open(world.store)
    world.work(seconds=59)
    assert world.scores("t-root") == []
    world.work(seconds=61)
    (score,) = world.scores("t-root")
    assert (score.value, score.trace_id, score.stale) == (1.0, "t", False)
    assert score.metadata is not None
    assert score.metadata["target"] == "trace"
    world.work(seconds=300)
    assert len(world.scores("t-root")) == 1
    assert not work_is_open(world.store)


def test_what_comes_later_makes_the_score_stale_and_asks_for_no_second(world: World):
    world.backend.create_rule(RuleDraft(project_id="p", name="r", target="trace", scorer=contains("Paris")))
    world.turn("t", "capital?", "Paris")
    world.work(seconds=61)
    late = SpanDraft(id="late", trace_id="t", parent_span_id="t-root", name="late", start_time=BEGAN)
    world.backend.ingest([late], "p")
    (score,) = world.scores("t-root")
    assert score.stale is (score.created_at < world.backend.trace("t", "p").updated_at)  # type: ignore[operator]
    world.work(seconds=400)
    assert len(world.scores("t-root")) == 1


def test_a_span_that_comes_meanwhile_puts_the_scoring_off(world: World):
    world.backend.create_rule(RuleDraft(project_id="p", name="r", target="trace", scorer=contains("Paris")))
    world.turn("t", "capital?", "Paris")
    before = datetime.now(UTC)
    world.backend.ingest(
        [SpanDraft(id="more", trace_id="t", parent_span_id="t-root", name="more", start_time=BEGAN)], "p"
    )
    with world.store.engine.connect() as db:
        (due,) = db.exec_driver_sql("SELECT due_at FROM quiet_targets").scalars()
    assert due >= (before + timedelta(seconds=59)).timestamp() * 1000


def test_a_trace_without_a_root_has_no_score_and_the_reason(world: World):
    world.backend.create_rule(RuleDraft(project_id="p", name="r", target="trace", scorer=contains("Paris")))
    world.backend.ingest([SpanDraft(id="orphan", trace_id="t", parent_span_id="gone", name="x", start_time=BEGAN)], "p")
    world.work(seconds=61)
    (state,) = world.backend.scoring_states(target_id="t")
    assert (state.state, state.reason) == ("absent", "the trace has no root span, on which its score would sit")


def test_only_traces_in_which_some_span_matches_are_scored(world: World):
    only = SpanFilter(metadata={"session.id": "yes"})
    world.backend.create_rule(RuleDraft(project_id="p", name="r", target="trace", filter=only, scorer=contains("a")))
    world.turn("t1", "a", "a", session="yes")
    world.turn("t2", "a", "a", session="no")
    world.work(seconds=61)
    assert len(world.scores("t1-root")) == 1
    assert world.scores("t2-root") == []


def test_a_conversation_is_scored_by_its_last_answer_after_half_an_hour_of_quiet(world: World):
    world.backend.create_rule(RuleDraft(project_id="p", name="r", target="conversation", scorer=contains("Bern")))
    world.turn("t2", "and of Switzerland?", "Bern", at=5)
    world.turn("t1", "capital of France?", "Paris", at=1)
    world.work(minutes=29)
    assert world.scores("s") == []
    world.work(minutes=31)
    (score,) = world.scores("s", target_type="conversation")
    assert (score.value, score.target_type, score.trace_id) == (1.0, "conversation", None)


def test_the_tools_of_a_whole_trace_are_what_tool_calls_looks_at(world: World):
    expected = {"expected": [{"name": "search", "args": {"q": "capital?"}}]}
    spec = ScorerSpec(scorer_name="calls", scorer="tool_calls", config=expected)
    world.backend.create_rule(RuleDraft(project_id="p", name="r", target="trace", scorer=spec))
    world.turn("t", "capital?", "Paris")
    world.store.write(lambda db: db.exec_driver_sql("UPDATE spans SET operation = 'tool' WHERE name = 'search'"))
    world.work(seconds=61)
    (score,) = world.scores("t-root")
    assert score.value == 1.0


def test_a_conversation_can_be_given_a_score_and_have_one_computed(world: World):
    world.turn("t1", "capital of France?", "Paris")
    given = world.backend.add_score(
        ScoreDraft(target_type="conversation", target_id="s", scorer_name="liked", value=0.5, project_id="p")
    )
    computed = world.backend.add_score(
        ScoreDraft(
            target_type="conversation", target_id="s", scorer_name="says", scorer="contains",
            config={"expected_output": "Paris"},
        )
    )  # fmt: skip
    assert isinstance(given, Score)
    assert isinstance(computed, Score)
    assert (given.value, computed.value) == (0.5, 1.0)
    assert {score.scorer_name for score in world.scores("s")} == {"liked", "says"}


def test_conversations_are_listed_with_sums_and_their_turns_in_order(world: World):
    world.turn("t2", "b", "B", at=5)
    world.turn("t1", "a", "A", at=1)
    world.turn("t3", "c", "C", session="other")
    found = {one.id: one for one in world.backend.conversations("p")}
    assert {id: one.trace_count for id, one in found.items()} == {"s": 2, "other": 1}
    assert found["s"].span_count == 4
    assert [(turn.id, turn.input, turn.output) for turn in world.backend.turns("s", "p")] == [
        ("t1", "a", "A"), ("t2", "b", "B")
    ]  # fmt: skip
    assert [row.id for row in world.backend.traces("p", conversation_id="other")] == ["t3"]


def test_a_conversation_goes_with_its_last_trace_and_so_do_its_scores(world: World):
    world.turn("t1", "a", "A")
    world.turn("t2", "b", "B")
    world.backend.add_score(ScoreDraft(target_type="conversation", target_id="s", scorer_name="liked", value=0.5))
    world.backend.delete_trace("t1", "p")
    assert [one.trace_count for one in world.backend.conversations("p")] == [1]
    world.backend.delete_trace("t2", "p")
    assert list(world.backend.conversations("p")) == []
    assert world.scores("s") == []
