"""Counts of changes: part of the commit that they count, whatever the order of commits."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from gnomon.model.change import ChangeKind
from gnomon.service.clock import Clock
from gnomon.store import changes, projects
from gnomon.store import removals as removing
from gnomon.store.engine import Store

AWAITED = 600


@pytest.fixture
def project(store: Store) -> str:
    store.write(lambda db: projects.ensure(db, "p", Clock().now()))
    return "p"


def counted(store: Store, *project_ids: str) -> dict[tuple[str, ChangeKind], int]:
    rows = store.read(lambda db: changes.counts(db, project_ids or ("p",)))
    return {(row.project_id, row.kind): row.changes for row in rows}


def test_a_commit_counts_once_per_kind(store, project):
    def work(db):
        changes.note(db, project, "run")
        changes.note(db, project, "run")
        changes.note(db, project, "job")

    store.write(work)
    store.write(work)
    assert counted(store) == {(project, "run"): 2, (project, "job"): 2}


def test_what_is_undone_is_not_counted(store, project):
    def work(db):
        changes.note(db, project, "run")
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            store.write(work)
    store.write(lambda db: changes.note(db, project, "job"))
    assert counted(store) == {(project, "job"): 1}


def test_a_project_that_is_gone_is_not_counted(store, project):
    store.write(lambda db: changes.note(db, project, "run"))
    store.write(lambda db: removing.remove_project(db, project, Clock().now()))
    store.write(lambda db: changes.note(db, project, "trace"))  # a worker removes the rest
    assert counted(store) == {}


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_transaction_that_commits_late_is_not_skipped(store, project):
    """It began and wrote first. A reader that remembers the newest time or id would never see it."""
    has_written, may_commit = threading.Event(), threading.Event()

    def slow(db):
        changes.note(db, project, "run")
        has_written.set()
        assert may_commit.wait(AWAITED)

    with ThreadPoolExecutor() as pool:
        late = pool.submit(store.write, slow)
        assert has_written.wait(AWAITED)
        store.write(lambda db: changes.note(db, project, "run"))  # waits for nobody
        seen = counted(store)
        may_commit.set()
        late.result(AWAITED)
    assert (seen, counted(store)) == ({(project, "run"): 1}, {(project, "run"): 2})


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_many_at_once_are_all_counted(store, project):
    """SQLite counts once what it commits together."""

    def work(kinds):
        def noted(db):
            for kind in kinds:
                changes.note(db, project, kind)

        store.write(noted)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(work, [("run", "job"), ("job", "run"), ("trace", "run", "job")] * 40))
    assert counted(store) == {(project, "run"): 120, (project, "job"): 120, (project, "trace"): 40}
