"""Review, traces and projects on a real store: what holds when several work at once, and over time."""

import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gnomon.errors import Conflict, GnomonError, NotFound
from gnomon.model.access import Principal
from gnomon.model.jsonvalue import dump
from gnomon.model.review import AnnotationChange, AnnotationDraft, AnnotationScoreDraft
from gnomon.model.trace import ProjectDraft, SpanDraft
from gnomon.service.access import projects
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.review import annotations as review
from gnomon.service.review import queue
from gnomon.service.traces import ingest, traces
from gnomon.store import score_days
from gnomon.store.engine import Store, open_store
from gnomon.store.pages import Slice
from gnomon.store.schema import annotations
from gnomon.store.schema import scores as scores_table
from gnomon.store.spanstore import TraceFilter

ANYBODY = Principal("key", "admin")


class SetClock(Clock):
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        super().__init__()
        self.ms = 1_771_711_200_000

    def now_ms(self) -> int:
        return self.ms

    def goes_on(self, step: timedelta) -> None:
        self.ms += step // timedelta(milliseconds=1)


class Place:
    """A store with one project of its own, and a clock to set."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = SetClock()
        self.project = "project-" + secrets.token_hex(8)

    def write(self, work: Callable[..., Any], *rest: Any, principal: Principal = ANYBODY) -> Any:
        return self.store.write(lambda db: work(Call(db, principal, self.clock), *rest))

    def read(self, work: Callable[..., Any], *rest: Any, principal: Principal = ANYBODY) -> Any:
        return self.store.read(lambda db: work(Call(db, principal, self.clock), *rest))

    def trace(self, trace_id: str, *spans: dict[str, Any]) -> None:
        sent = [
            SpanDraft.model_validate(
                {"id": f"s{n}", "trace_id": trace_id, "name": "n", "start_time": "2026-02-21T22:00:00Z", **fields}
            )
            for n, fields in enumerate(spans or [{}])
        ]
        self.write(ingest.ingest, self.project, dict(enumerate(sent)))

    def annotate(self, trace_id: str) -> Any:
        said = AnnotationDraft(project_id=self.project, trace_id=trace_id, annotator="a new user", label="good")
        return self.write(review.annotate, said)

    def queue(self, trace_id: str) -> Any:
        return self.write(queue.enqueue_trace, trace_id, self.project)

    def found(self, **only: Any) -> list[str]:
        page = self.read(traces.all_of, self.project, TraceFilter(**only), Slice(200))
        return [row.id for row in page.items]


@pytest.fixture(scope="module")
def store_on(
    tmp_path_factory: pytest.TempPathFactory, new_postgresql: Callable[[], str]
) -> Iterator[Callable[[str], Store]]:
    opened: dict[str, Store] = {}

    def store(database: str) -> Store:
        if database not in opened:
            file: Path = tmp_path_factory.mktemp("store") / "gnomon.db"
            opened[database] = open_store(new_postgresql() if database == "postgresql" else f"sqlite:///{file}")
        return opened[database]

    yield store
    for one in opened.values():
        one.close()


@pytest.fixture
def place(database: str, store_on: Callable[[str], Store]) -> Place:
    return Place(store_on(database))


# --- several at once ---


def test_annotations_made_at_once_are_all_counted(place):
    place.trace("t")
    place.queue("t")
    with ThreadPoolExecutor(8) as people:
        made = list(people.map(lambda _: place.annotate("t").id, range(40)))
    (waiting,) = place.read(queue.page, place.project, Slice()).items
    assert len(set(made)) == waiting.annotation_count == 40


def test_a_trace_deleted_while_it_is_annotated_leaves_no_annotation_behind(place):
    place.trace("t")

    def work(number: int) -> str:
        try:
            if number == 12:
                return type(place.write(traces.delete, "t", place.project)).__name__
            return type(place.annotate("t")).__name__
        except GnomonError as refused:
            return type(refused).__name__

    with ThreadPoolExecutor(8) as people:
        told = list(people.map(work, range(40)))
    of_project = sa.select(sa.func.count()).where(annotations.c.project_id == place.project)
    assert place.store.read(lambda db: db.execute(of_project).scalar()) == 0
    assert set(told) <= {"Annotation", "NotFound", "Deleted"}
    assert told.count("Deleted") == 1


def test_a_trace_queued_by_many_at_once_has_one_place(place):
    place.clock = Clock()  # real time, so that each of them has another moment in mind
    place.trace("t")
    with ThreadPoolExecutor(8) as people:
        places = set(people.map(lambda _: place.queue("t").queued_at, range(20)))
    assert len(places) == 1


# --- the queue ---


def test_walking_the_queue_while_it_changes_shows_every_old_trace_once_and_the_oldest_first(place):
    old = [f"t{n}" for n in (3, 1, 2, 5, 4)]
    for trace_id in [*old, "late"]:
        place.trace(trace_id)
    for trace_id in old:
        place.queue(trace_id)
        place.clock.goes_on(timedelta(milliseconds=1))
    seen: list[str] = []
    part: Slice | None = Slice(2)
    while part is not None:
        page = place.read(queue.page, place.project, part)
        seen += [item.trace_id for item in page.items]
        place.queue("late")
        part = Slice(2, page.next_key) if page.next_key else None
    assert seen == [*old, "late"]


def test_traces_queued_in_one_moment_are_ordered_by_id(place):
    for trace_id in "cab":
        place.trace(trace_id)
        place.queue(trace_id)
    page = place.read(queue.page, place.project, Slice())
    assert [item.trace_id for item in page.items] == ["a", "b", "c"]


# --- finding ---


def test_a_trace_in_several_projects_is_ambiguous_to_an_unbound_key_only(place):
    other = Place(place.store)
    trace_id = "t-" + place.project
    for one in (place, other):
        one.trace(trace_id)
    with pytest.raises(Conflict) as refused:
        place.read(traces.get, trace_id, None)
    assert refused.value.code == "AMBIGUOUS_TARGET"
    assert place.read(traces.get, trace_id, other.project).project_id == other.project
    bound = Principal("key", "read", place.project)
    assert place.read(traces.get, trace_id, None, principal=bound).project_id == place.project
    with pytest.raises(NotFound):
        place.read(traces.get, trace_id, other.project, principal=bound)


SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
TRICKY = st.text(st.sampled_from('",:{}[]\\ a1'), max_size=8)
KEYS = (TEXTS | TRICKY).filter(lambda key: key and key[0] not in ",:")


@given(st.dictionaries(KEYS, SCALARS | TEXTS | TRICKY, max_size=4), KEYS, TEXTS | TRICKY | SCALARS.map(dump))
@example({"a": "x"}, "a", '"x"')
@example({"a": 1, "b": 2}, "a", '1,"b":2')
@example({"a": 'x","b":"y'}, "b", "y")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_metadata_filter_compares_each_value_as_text(place, metadata, key, text):
    here = Place(place.store)
    here.trace("t", {"metadata": metadata})
    as_text = {name: value if isinstance(value, str) else dump(value) for name, value in metadata.items()}
    for name, value in [*as_text.items(), (key, text), *((name, text) for name in metadata)]:
        expected = ["t"] if as_text.get(name) == value else []
        assert here.found(metadata=((name, value),)) == expected, (name, value)


def test_each_metadata_filter_may_be_met_by_another_span(place):
    place.trace("t", {"metadata": {"a": 1}}, {"parent_span_id": "s0", "metadata": {"b": 2}})
    assert place.found(metadata=(("a", "1"), ("b", "2"))) == ["t"]
    assert place.found(metadata=(("a", "1"), ("b", "3"))) == []


# --- projects ---


def test_a_projects_windows_count_traces_by_the_time_they_came_in(place):
    took = {"start_time": "2026-02-21T22:00:00Z", "end_time": "2026-02-21T22:00:01Z"}
    place.trace("eight days old", took)
    place.clock.goes_on(timedelta(days=6))
    place.trace("two days old", took, {"parent_span_id": "s0", "error": {"message": "broke"}})
    place.clock.goes_on(timedelta(days=2))
    place.trace("new", {}, {"parent_span_id": "s0", **took})
    place.trace("newer", {**took, "end_time": "2026-02-21T22:00:00.002Z"})
    found = place.read(projects.summary, place.project).traces
    day, week = found.last_24h, found.last_7d
    assert (day.count, day.error_count, day.error_rate, day.avg_duration_ms) == (2, 0, 0.0, 2.0)
    assert day.avg_duration_ci_95_ms is None
    assert (week.count, week.error_count, week.error_rate, week.avg_duration_ms) == (3, 1, 0.333, 501.0)
    assert week.error_rate_ci_95[0] < 1 / 3 < week.error_rate_ci_95[1]


def test_equal_durations_have_no_interval_rather_than_one_of_no_width():
    for duration in (0.0, 3.0, 0.1, 86_400_000.1):
        assert projects.duration_interval(20, duration, duration * duration * (1 + 1e-15)) is None
    low, high = projects.duration_interval(2, 15.0, (10.0**2 + 20.0**2) / 2)
    assert (low, high) == (0.0, pytest.approx(15 + 12.706 * 5, abs=0.01))


def test_the_pages_of_the_projects_join_newest_first(place):
    made = [f"{place.project}-{n}" for n in range(5)]
    for project_id in made:
        place.clock.goes_on(timedelta(days=1))
        place.write(projects.create, ProjectDraft(id=project_id))
    seen: list[Any] = []
    part: Slice | None = Slice(2)
    while part is not None:
        page = place.read(projects.all_of, part)
        seen += page.items
        part = Slice(2, page.next_key) if page.next_key else None
    assert [one.id for one in seen if one.id in made] == made[::-1]


# --- scores that come with annotations ---


PEOPLE, LABELS = ("ana", "bo"), ("correct", "harmful", "other", "free")
VALUES = {"correct": 1.0, "harmful": 0.0}


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["annotate", "correct", "undo"]), st.sampled_from(PEOPLE), st.sampled_from(LABELS),
        st.none() | st.sampled_from([0.25, 0.5, 1.0]), st.integers(0, 9),
    ),
    max_size=12,
)  # fmt: skip


@given(STEPS)
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_scores_are_what_the_annotations_that_are_left_say(place: Place, steps: list[Any]) -> None:
    here = Place(place.store)
    here.trace("t", {"model": "m"})
    left: dict[str, tuple[str, str, float | None]] = {}
    for kind, annotator, label, tone, which in steps:
        here.clock.goes_on(timedelta(milliseconds=1))
        said = {
            "label": label,
            "scores": [] if tone is None else [AnnotationScoreDraft(scorer_name="tone", value=tone)],
        }
        id = sorted(left)[which % len(left)] if left else None
        if kind == "annotate" or id is None:
            about = {"project_id": here.project, "trace_id": "t", "annotator": annotator}
            left[here.write(review.annotate, AnnotationDraft(**about, **said)).id] = (annotator, label, tone)
        elif kind == "correct":
            here.write(review.correct, id, AnnotationChange(**said))
            left[id] = (left[id][0], label, tone)
        else:
            here.write(review.undo, id)
            del left[id]
    expected: dict[tuple[str, str], float] = {}
    for id in sorted(left):
        annotator, label, tone = left[id]
        if label in VALUES:
            expected["human_label", annotator] = VALUES[label]
        if tone is not None:
            expected["tone", annotator] = tone
    assert stored(here) == expected
    assert daily(here) == {
        name: (len(values), sum(values))
        for name in ("human_label", "tone")
        if (values := [value for (scorer, _), value in expected.items() if scorer == name])
    }


def stored(here: Place) -> dict[tuple[str, str], float]:
    rows = here.store.read(
        lambda db: db.execute(scores_table.select().where(scores_table.c.project_id == here.project)).all()
    )
    assert len({(row.scorer_name, row.author) for row in rows}) == len(rows)
    return {(row.scorer_name, row.author): row.value for row in rows}


def daily(here: Place) -> dict[str, tuple[int, float]]:
    rows = here.store.read(lambda db: score_days.of_project(db, here.project, None))
    return {row.scorer_name: (row.n, row.total) for row in rows}
