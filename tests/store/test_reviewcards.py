"""The review queue of a project with many cards: what a call costs grows with the queue, not with its square."""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from gnomon.model.moment import from_ms
from gnomon.store import reviewcards
from gnomon.store.engine import Store
from gnomon.store.pages import Slice
from gnomon.store.reviewcards import CardFilter
from gnomon.store.schema import annotations, review_cards

Read = Callable[[sa.Connection], object]


def fill(store: Store, project_id: str, cards: int) -> None:
    """Of every four cards two are annotated, one of them by ana."""
    row = {"project_id": project_id, "reason": None, "experiment_id": None, "claimed_by": None, "claimed_until": None}
    said = dict.fromkeys(column.name for column in annotations.c) | {"project_id": project_id, "label": "correct"}

    def write(db: sa.Connection) -> None:
        for at in range(cards):
            id, kind, done = f"{project_id}-{at:06d}", "run" if at % 3 == 0 else "trace", at % 2
            moment = from_ms(at + 1)
            own = {"queued_at": moment, "annotation_count": done, "reviewer_count": done}
            db.execute(sa.insert(review_cards).values({**row, **own, "target_type": kind, "target_id": id}))
            if done:
                by = {"id": f"{id}-said", f"{kind}_id": id, "annotator": "ana" if at % 4 == 1 else "bo"}
                db.execute(sa.insert(annotations).values({**said, **by, "created_at": moment}))

    store.write(write)


def steps(store: Store, read: Read) -> int:
    """How many hundreds of steps SQLite takes for it."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    def measured(db: sa.Connection) -> None:
        raw: Any = db.connection.driver_connection
        raw.set_progress_handler(count, 100)
        try:
            read(db)
        finally:
            raw.set_progress_handler(None, 0)

    store.read(measured)
    return taken


def test_calls_of_the_queue_grow_with_it_and_not_with_its_square(sqlite_store: Store) -> None:
    fill(sqlite_store, "small", 200)
    fill(sqlite_store, "large", 1600)
    done = CardFilter(reviews_wanted=2, annotated=False, not_by="ana")

    def calls(project_id: str) -> list[Read]:
        return [
            lambda db: reviewcards.counts(db, project_id, 1, "ana"),
            lambda db: reviewcards.counts(db, project_id, 2, "bo"),
            lambda db: reviewcards.page(db, project_id, done, Slice(5000)),
            lambda db: reviewcards.page(db, project_id, CardFilter(by="bo"), Slice(5000)),
        ]

    for small, large in zip(calls("small"), calls("large"), strict=True):
        few, many = steps(sqlite_store, small), steps(sqlite_store, large)
        assert many < 16 * max(few, 1), f"{few} hundred steps for 200 cards, {many} hundred for 1600"


def test_cards_are_counted_by_who_did_them(sqlite_store: Store) -> None:
    fill(sqlite_store, "p", 40)
    read = sqlite_store.read
    assert read(lambda db: reviewcards.counts(db, "p", 1, "ana")) == (20, 20, 10, 20)
    assert read(lambda db: reviewcards.counts(db, "p", 2, "ana")) == (40, 0, 10, 30)
    assert read(lambda db: reviewcards.counts(db, "p", 2, "cy")) == (40, 0, 0, 40)
    assert read(lambda db: reviewcards.counts(db, "p", 1, None)) == (20, 20, 0, 20)
    assert len(read(lambda db: reviewcards.page(db, "p", CardFilter(by="ana"), Slice(100)))) == 10
    assert len(read(lambda db: reviewcards.page(db, "p", CardFilter(not_by="ana"), Slice(100)))) == 30
