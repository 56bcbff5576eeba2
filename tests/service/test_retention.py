"""Old traces leave, and whatever is referred to stays; what was deleted leaves in batches that may be interrupted."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.errors import InvalidInput, NotFound
from gnomon.model.access import Principal
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.retention import RetentionDraft
from gnomon.model.review import AnnotationDraft
from gnomon.model.score import ScoreDraft
from gnomon.model.trace import SpanDraft
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.embedded import Embedded
from gnomon.service.experiments import experiments
from gnomon.service.jobs.jobs import Worker, work_is_open
from gnomon.service.upkeep import removing, retention
from gnomon.store import removals, schema
from gnomon.store import retention as retention_store

NOW = datetime(2026, 9, 1, tzinfo=UTC)
OLD = NOW - timedelta(days=100)
_numbers = count()


class SetClock(Clock):
    """It is whenever a test says."""

    def __init__(self) -> None:
        super().__init__()
        self.time = NOW

    def now_ms(self) -> int:
        return round(self.time.timestamp() * 1000)


class Shop:
    """A project in which time can be set."""

    def __init__(self, url: str) -> None:
        self.clock, self.project = SetClock(), "shop"
        self.backend = Embedded(url, self.clock)
        self.store = self.backend.store
        self.dataset, self.item, self.experiment = "", "", ""

    def begin(self) -> None:
        """A new project with a dataset of one item and an experiment."""
        self.project, self.clock.time = f"shop-{next(_numbers)}", NOW
        self.dataset = self.backend.create_dataset(DatasetDraft(project_id=self.project, name="d")).id
        self.item = self.backend.add_item(self.dataset, ItemDraft(input="q")).id
        draft = ExperimentDraft(project_id=self.project, name="e", dataset_id=self.dataset, trials=1000)
        self.experiment = self.backend.create_experiment(draft).id

    def trace(self, id: str, at: datetime = OLD, spans: int = 2, **fields: Any) -> None:
        self.clock.time = at
        drafts = [
            SpanDraft(id=f"{id}-{n}", trace_id=id, name="step", start_time=at, input=f"words {id}", model="m",
                      parent_span_id=None if n == 0 else f"{id}-0", metadata={"session.id": f"of-{id}"}, **fields)
            for n in range(spans)
        ]  # fmt: skip
        self.backend.ingest(drafts, self.project)

    def score(self, trace: str, source: str | None = None) -> None:
        about = {"target_id": f"{trace}-0", "target_type": "span", "trace_id": trace, "project_id": self.project}
        self.backend.add_score(ScoreDraft(**about, scorer_name="tidy", value=0.5, source=source))

    def refer(self, trace: str, how: str, trial: int) -> None:
        if how == "run":
            run = RunDraft(dataset_item_id=self.item, output="x", trial=trial, trace_id=trace)
            self.backend.add_runs(self.experiment, [run])
        elif how == "item":
            self.backend.add_item(self.dataset, ItemDraft(input=trace, metadata={"source_trace_id": trace, "n": 1}))
        elif how == "annotation":
            draft = AnnotationDraft(trace_id=trace, project_id=self.project, annotator="a new user", label="good")
            self.backend.annotate(draft)
        elif how == "queue":
            self.backend.queue_trace(trace, self.project)
        elif how == "human score":
            self.score(trace, "human")
        elif how == "score":
            self.score(trace)

    def ids(self) -> set[str]:
        return {trace.id for trace in self.backend.traces(self.project)}

    def prune(self, days: int = 90, keep_scored: bool = False) -> retention.Pruned:
        self.clock.time = NOW
        found = retention.find_old(
            self.store, timedelta(days=days), project_id=self.project, keep_scored=keep_scored, clock=self.clock
        )
        done = retention.prune(self.store, found, lambda _: None)
        assert (done.traces, done.spans) == (found.traces, found.spans), "the preview said what was removed"
        return done

    def rows(self, name: str, **where: str) -> int:
        table = schema.metadata.tables[name]
        same = [table.c[column] == value for column, value in where.items()]
        query = sa.select(sa.func.count()).select_from(table).where(*same)
        return int(self.store.read(lambda db: db.execute(query).scalar_one()))


@pytest.fixture
def shop(url_with_schema: str) -> Iterator[Shop]:
    opened = Shop(url_with_schema)
    opened.begin()
    yield opened
    opened.backend.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared_shop(request, tmp_path_factory, new_postgresql) -> Iterator[Shop]:
    from databases import new_sqlite_with_schema

    if request.param == "sqlite":
        url = new_sqlite_with_schema(tmp_path_factory.mktemp("retention") / "gnomon.db")
    else:
        from gnomon.store.engine import open_store

        url = new_postgresql()
        open_store(url).close()
    opened = Shop(url)
    yield opened
    opened.backend.close()


REFERENCES = ["run", "item", "annotation", "queue", "human score"]


@settings(max_examples=25)
@given(
    traces=st.lists(
        st.tuples(st.booleans(), st.sets(st.sampled_from([*REFERENCES, "score"]), max_size=2)), min_size=1, max_size=6
    ),
    keep_scored=st.booleans(),
)
def test_whatever_is_referred_to_stays_and_whatever_else_is_older_goes(shared_shop, traces, keep_scored):
    shop = shared_shop
    shop.begin()
    expected = set()
    for number, (is_old, references) in enumerate(traces):
        trace = f"t{number}"
        shop.trace(trace, OLD if is_old else NOW)
        for how in sorted(references):
            shop.refer(trace, how, number)
        is_kept = references & {*REFERENCES, *({"score"} if keep_scored else ())}
        if not is_old or is_kept:
            expected.add(trace)
    shop.prune(keep_scored=keep_scored)
    assert shop.ids() == expected
    for trace in {f"t{number}" for number in range(len(traces))} - expected:
        for table in ("spans", "span_ids", "scores", "trace_values", "annotations", "scoring_states"):
            assert shop.rows(table, project_id=shop.project, trace_id=trace) == 0, table
    found = {trace.id for trace in shop.backend.traces(shop.project, q="words")}
    assert found == expected, "the text search knows what is there"


def test_a_trace_is_as_old_as_its_last_span(shop):
    shop.trace("t")
    shop.clock.time = NOW
    late = SpanDraft(id="late", trace_id="t", name="step", start_time=OLD, parent_span_id="t-0")
    shop.backend.ingest([late], shop.project)
    assert shop.prune().traces == 0
    assert shop.ids() == {"t"}


def test_daily_sums_outlive_the_traces(shop):
    shop.trace("t")
    shop.score("t")
    shop.clock.time = NOW
    before = shop.backend.score_trends(shop.project)
    shop.prune()
    assert shop.ids() == set()
    assert shop.backend.score_trends(shop.project) == before
    assert shop.rows("score_days", project_id=shop.project) == 1


def test_a_scored_conversation_keeps_its_traces_with_keep_scored(shop):
    shop.trace("t")
    about = {"target_id": "of-t", "target_type": "conversation", "project_id": shop.project}
    shop.backend.add_score(ScoreDraft(**about, scorer_name="kind", value=1.0))
    shop.prune(keep_scored=True)
    assert shop.ids() == {"t"}
    shop.prune()
    assert shop.ids() == set()
    assert shop.rows("conversations", project_id=shop.project) == 0
    assert shop.rows("scores", project_id=shop.project) == 0


def test_other_projects_are_left_alone(shop):
    other = shop.project
    shop.trace("t")
    shop.begin()
    shop.trace("t")
    shop.prune()
    assert (shop.ids(), shop.rows("traces", project_id=other)) == (set(), 1)


def test_small_batches_remove_the_same(shop, monkeypatch):
    monkeypatch.setattr(retention_store, "BATCH", 3)
    for number in range(11):
        shop.trace(f"t{number}")
    for number in (0, 4, 5, 10):
        shop.refer(f"t{number}", "queue", 0)
    assert shop.prune().traces == 7
    assert shop.ids() == {"t0", "t4", "t5", "t10"}


def test_an_unknown_project_is_not_pruned(shop):
    with pytest.raises(NotFound, match="nobody"):
        retention.find_old(shop.store, timedelta(days=1), project_id="nobody", keep_scored=False)


@pytest.mark.parametrize("text", ["", "90", "d", "0d", "-1d", "1.5d", "90 days", "3m", "40000d", "１d"])
def test_an_age_is_a_number_with_a_unit(text):
    with pytest.raises(InvalidInput, match="not an age") as refused:
        retention.age(text)
    assert "\n" not in refused.value.message


# --- space -----


def test_space_is_given_back_to_the_system(shop, database):
    for number in range(30):
        shop.trace(f"t{number}", spans=20, output="x" * 4000)
    done = shop.prune()
    assert done.spans == 600
    if database == "sqlite":
        assert done.space.free_inside == 0
        assert done.space.note is None
        assert done.space.returned > 2_000_000
    else:
        assert "--compact" in (done.space.note or "")
        found = retention.find_old(shop.store, timedelta(days=90), project_id=None, keep_scored=False)
        compacted = retention.prune(shop.store, found, lambda _: None, compact=True)
        assert done.space.before - compacted.space.after > 300_000


@pytest.mark.parametrize("free", [10**15, 0])
def test_a_file_of_an_earlier_version_is_rewritten_where_the_disk_has_room(tmp_path: Path, monkeypatch, free):
    import shutil
    import sqlite3
    from contextlib import closing

    from databases import new_sqlite_with_schema

    file = tmp_path / "old.db"
    url = new_sqlite_with_schema(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.executescript("PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA journal_mode = WAL")
        assert db.execute("PRAGMA auto_vacuum").fetchone() == (0,)
    shop = Shop(url)
    shop.begin()
    for number in range(10):
        shop.trace(f"t{number}", spans=20, output="x" * 4000)
    usage = shutil.disk_usage(tmp_path)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    space = shop.prune().space
    shop.backend.close()
    if free:
        assert (space.note, space.free_inside) == (None, 0)
        assert file.stat().st_size < 800_000
    else:
        assert "free some space" in (space.note or "")
        assert (space.free_inside or 0) > 500_000


# --- a worker -----


def test_a_worker_removes_what_a_projects_setting_says_and_again_an_hour_later(shop, monkeypatch):
    monkeypatch.setattr(retention_store, "BATCH", 2)
    for number in range(5):
        shop.trace(f"t{number}")
    shop.trace("new", NOW)
    shop.clock.time = NOW
    worker = Worker(shop.store, shop.clock)
    worker.run_one()
    assert len(shop.ids()) == 6, "nothing is said of this project"
    shop.backend.set_retention(shop.project, RetentionDraft(retention_days=90))
    assert work_is_open(shop.store)
    while shop.store.read(lambda db: retention_store.any_due(db, NOW)):
        worker.run_one()
    assert shop.ids() == {"new"}
    shop.trace("late")
    shop.clock.time = NOW
    worker.run_one()
    assert shop.ids() == {"new", "late"}
    shop.clock.time = NOW + retention.EVERY
    worker.run_one()
    assert shop.ids() == {"new"}


def test_a_deletion_that_was_interrupted_is_finished_by_a_worker(shop, monkeypatch):
    monkeypatch.setattr(removals, "BATCH", 3)
    runs = [RunDraft(dataset_item_id=shop.item, output="x", trial=n, scores=[{"scorer_name": "s", "value": 1}])
            for n in range(10)]  # fmt: skip
    shop.backend.add_runs(shop.experiment, runs)

    def delete(db: Any) -> None:
        experiments.delete(Call(db, Principal("t", "admin"), shop.clock), shop.experiment)

    shop.store.write(delete)  # and then the process dies
    with pytest.raises(NotFound):
        shop.backend.experiment(shop.experiment)
    assert removing.work_off(shop.store, 1) is False
    assert shop.rows("runs") == 7
    assert work_is_open(shop.store)
    while shop.store.read(removals.any_left):
        Worker(shop.store, shop.clock).run_one()
    for table in ("runs", "scores", "removals"):
        assert shop.rows(table) == 0


def test_what_came_after_a_project_was_deleted_is_not_removed_with_it(shop):
    """Its application may go on sending, which makes the project again."""
    shop.trace("before")
    shop.clock.time = NOW
    shop.store.write(lambda db: removals.remove_project(db, shop.project, NOW))
    shop.trace("after", NOW + timedelta(seconds=1))
    assert removing.work_off(shop.store)
    assert shop.ids() == {"after"}
    assert shop.rows("removals") == 0


def test_a_deleted_project_leaves_no_row_behind(shop):
    shop.trace("t")
    for number, how in enumerate([*REFERENCES, "score"]):
        shop.refer("t", how, number)
    shop.backend.set_retention(shop.project, RetentionDraft(retention_days=5))
    shop.backend.delete_project(shop.project, shop.project)
    left = {name: shop.rows(name) for name in schema.metadata.tables}
    assert {name for name, rows in left.items() if rows} == set()
