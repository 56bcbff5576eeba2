"""The review queue: a card per trace or run that waits for people, who holds it, and how a project reviews.

How many annotations and different annotators a card has stands on it, so that the queue is one walk over one index.
A trace says itself too since when it is queued, for lists of traces.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as lite_insert
from sqlalchemy.engine import Connection

from gnomon.model.jsonvalue import JsonValue
from gnomon.model.moment import to_ms
from gnomon.model.review import CardType
from gnomon.model.score import JsonObject
from gnomon.store.changes import note
from gnomon.store.fetch import fetch_all, fetch_first, fetch_one
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import ReviewCardRow, ReviewSettingsRow
from gnomon.store.schema import (
    annotations,
    dataset_items,
    experiments,
    for_update,
    is_any_of,
    review_cards,
    review_settings,
    runs,
    traces,
)
from gnomon.store.spanstore import TraceWithRoot
from gnomon.store.sqlspans.listing import with_root

CardKey = tuple[CardType, str]
"""A card of a project: what it is about."""
_KEYS = [sa.type_coerce(review_cards.c.queued_at, sa.BigInteger), review_cards.c.target_type, review_cards.c.target_id]


class CardFilter(NamedTuple):
    """Which cards are wanted; None: all."""

    reviews_wanted: int = 1
    annotated: bool | None = None
    by: str | None = None
    """Only those that this person annotated."""
    not_by: str | None = None
    target_type: CardType | None = None


class CardCounts(NamedTuple):
    pending: int
    annotated: int
    mine: int
    left: int


class QueuedRunRow(NamedTuple):
    """A run with what its item asks and expects."""

    id: str
    experiment_name: str
    trace_id: str | None
    output: JsonValue
    error: JsonObject | None
    input: JsonValue
    expected_output: JsonValue


# --- in and out -----


class NewCard(NamedTuple):
    target_type: CardType
    target_id: str
    experiment_id: str | None = None


def enqueue(
    db: Connection, project_id: str, cards: Collection[NewCard], reason: str | None, now: datetime
) -> set[CardKey]:
    """Put these in the queue; those that are new there. What waits already keeps its place and its reason."""
    waiting = {(row.target_type, row.target_id) for row in _rows(db, project_id, cards)}
    new = [card for card in cards if (card.target_type, card.target_id) not in waiting]
    if not new:
        return set()
    insert = pg_insert if db.dialect.name == "postgresql" else lite_insert
    beside = {"annotation_count": 0, "reviewer_count": 0, "claimed_by": None, "claimed_until": None}
    values = [
        {"project_id": project_id, **card._asdict(), "queued_at": now, "reason": reason, **beside} for card in new
    ]
    added = db.execute(
        insert(review_cards).on_conflict_do_nothing().returning(review_cards.c.target_type, review_cards.c.target_id),
        values,
    )
    keys: set[CardKey] = {(row.target_type, row.target_id) for row in added}
    trace_ids = [id for kind, id in keys if kind == "trace"]
    if trace_ids:
        these = (traces.c.project_id == project_id) & is_any_of(db, traces.c.id, trace_ids)
        db.execute(sa.update(traces).where(these).values(queued_at=now))
    for kind, id in sorted(keys):
        count_again(db, project_id, kind, id)
    _note(db, project_id, {card.target_type for card in new})
    return keys


def _note(db: Connection, project_id: str, target_types: Collection[CardType]) -> None:
    """A list of traces says which of them are in the queue."""
    note(db, project_id, "review")
    if "trace" in target_types:
        note(db, project_id, "trace")


def _rows(db: Connection, project_id: str, cards: Collection[NewCard]) -> list[ReviewCardRow]:
    query = sa.select(review_cards).where(
        review_cards.c.project_id == project_id,
        is_any_of(db, review_cards.c.target_id, {card.target_id for card in cards}),
    )
    return fetch_all(db, ReviewCardRow, query)


def dequeue(db: Connection, project_id: str, target_type: CardType, target_id: str) -> None:
    db.execute(sa.delete(review_cards).where(_is(project_id, target_type, target_id)))
    if target_type == "trace":
        same = (traces.c.id == target_id) & (traces.c.project_id == project_id)
        db.execute(sa.update(traces).where(same).values(queued_at=None))
    _note(db, project_id, {target_type})


def count_again(db: Connection, project_id: str, target_type: CardType, target_id: str) -> None:
    """How many annotations the card has, and of how many people; there may be no such card."""
    own = annotations.c.trace_id if target_type == "trace" else annotations.c.run_id
    about = (own == target_id) & (annotations.c.project_id == project_id)

    def counted(column: Any) -> sa.ScalarSelect[int]:
        return sa.select(sa.func.count(column)).where(about).scalar_subquery()

    changed = sa.update(review_cards).where(_is(project_id, target_type, target_id))
    db.execute(
        changed.values(
            annotation_count=counted(annotations.c.id), reviewer_count=counted(annotations.c.annotator.distinct())
        )
    )


# --- looked at -----


def card(db: Connection, project_id: str, target_type: CardType, target_id: str) -> ReviewCardRow | None:
    return fetch_first(db, ReviewCardRow, sa.select(review_cards).where(_is(project_id, target_type, target_id)))


def projects_of(db: Connection, target_type: CardType, target_id: str) -> list[str]:
    """The projects whose queue has the target; ids of traces are the clients'."""
    same = (review_cards.c.target_type == target_type) & (review_cards.c.target_id == target_id)
    return sorted(db.execute(sa.select(review_cards.c.project_id).where(same)).scalars())


def page(db: Connection, project_id: str, only: CardFilter, part: Slice) -> list[ReviewCardRow]:
    """The longest waiting first."""
    return fetch_all(db, ReviewCardRow, keyset(_filtered(project_id, only), _KEYS, part, newest_first=False))


def key_of(row: ReviewCardRow) -> tuple[str | float | None, ...]:
    return to_ms(row.queued_at), row.target_type, row.target_id


def next_card(
    db: Connection, project_id: str, only: CardFilter, after: ReviewCardRow | None, now: datetime,
    *, holder: str | None, backwards: bool, lock: bool = False,
) -> ReviewCardRow | None:  # fmt: skip
    """The first card of these behind (or before) another that nobody but `holder` holds.

    With `lock` it is locked until the end of the transaction, and one that somebody else is locking is passed over.
    """
    free = sa.or_(review_cards.c.claimed_until.is_(None), review_cards.c.claimed_until <= now)
    if holder is not None:
        free = sa.or_(free, review_cards.c.claimed_by == holder)
    part = Slice(1, None if after is None else key_of(after))
    query = keyset(_filtered(project_id, only).where(free), _KEYS, part, newest_first=backwards)
    return fetch_first(db, ReviewCardRow, for_update(db, query, skip_locked=True) if lock else query)


def _filtered(project_id: str, only: CardFilter) -> sa.Select[Any]:
    query = sa.select(review_cards).where(review_cards.c.project_id == project_id)
    if only.annotated is not None:
        enough = review_cards.c.reviewer_count >= only.reviews_wanted
        query = query.where(enough if only.annotated else sa.not_(enough))
    if only.target_type is not None:
        query = query.where(review_cards.c.target_type == only.target_type)
    if only.by is not None:
        query = query.where(_annotated_by(only.by))
    if only.not_by is not None:
        query = query.where(sa.not_(_annotated_by(only.not_by)))
    return query


def _annotated_by(annotator: str) -> sa.ColumnElement[bool]:
    """Looked up by the card. Without `coalesce`, SQLite goes through all that this person annotated, once per card."""
    by_them = sa.func.coalesce(annotations.c.annotator, "") == annotator
    of_trace = (review_cards.c.target_type == "trace") & (annotations.c.trace_id == review_cards.c.target_id)
    same_project = annotations.c.project_id == review_cards.c.project_id
    of_run = (review_cards.c.target_type == "run") & (annotations.c.run_id == review_cards.c.target_id)
    each = [(by_them, of_trace, same_project), (by_them, of_run)]
    return sa.or_(*(sa.select(sa.literal(1)).where(*wanted).correlate(review_cards).exists() for wanted in each))


class _CountedCards(NamedTuple):
    pending: int
    annotated: int
    mine: int
    own_pending: int


def counts(db: Connection, project_id: str, reviews_wanted: int, annotator: str | None) -> CardCounts:
    enough = review_cards.c.reviewer_count >= reviews_wanted
    query = sa.select(
        sa.func.count(sa.case((sa.not_(enough), 1))).label("pending"),
        sa.func.count(sa.case((enough, 1))).label("annotated"),
    ).where(review_cards.c.project_id == project_id)
    if annotator is None:
        query = query.add_columns(sa.literal(0).label("mine"), sa.literal(0).label("own_pending"))
    else:
        query = query.add_columns(*_own_counts(project_id, reviews_wanted, annotator))
    row = fetch_one(db, _CountedCards, query)
    return CardCounts(row.pending, row.annotated, row.mine, row.pending - row.own_pending)


def _own_counts(project_id: str, reviews_wanted: int, annotator: str) -> tuple[sa.Label[int], sa.Label[int]]:
    """How many cards this person annotated, and how many of those wait for others: by what they said, not by card."""
    said = (annotations.c.project_id == project_id) & (annotations.c.annotator == annotator)
    own = sa.union(
        *(
            sa.select(sa.literal_column(f"'{kind}'").label("target_type"), column.label("target_id")).where(
                said, column.is_not(None)
            )
            for kind, column in (("trace", annotations.c.trace_id), ("run", annotations.c.run_id))
        )
    ).subquery("own")
    cards = review_cards.alias("own_cards")
    is_own = sa.and_(
        cards.c.project_id == project_id,
        cards.c.target_type == own.c.target_type,
        cards.c.target_id == own.c.target_id,
    )
    counted = sa.select(sa.func.count()).select_from(own.join(cards, is_own))
    pending = counted.where(cards.c.reviewer_count < reviews_wanted)
    return counted.scalar_subquery().label("mine"), pending.scalar_subquery().label("own_pending")


def queued_traces(db: Connection, project_id: str, ids: Collection[str]) -> dict[str, TraceWithRoot]:
    """Trace id → the trace with its whole root span."""
    these = (traces.c.project_id == project_id) & is_any_of(db, traces.c.id, ids)
    return {row.id: row for row in fetch_all(db, TraceWithRoot, with_root(content=True).where(these))}


def queued_runs(db: Connection, ids: Collection[str]) -> dict[str, QueuedRunRow]:
    """Run id → the run with its item."""
    query = (
        sa.select(
            runs.c.id, experiments.c.name.label("experiment_name"), runs.c.trace_id, runs.c.output, runs.c.error,
            dataset_items.c.input, dataset_items.c.expected_output,
        )
        .select_from(
            runs.join(experiments, experiments.c.id == runs.c.experiment_id).outerjoin(
                dataset_items, dataset_items.c.id == runs.c.dataset_item_id
            )
        )
        .where(is_any_of(db, runs.c.id, ids))
    )  # fmt: skip
    return {row.id: row for row in fetch_all(db, QueuedRunRow, query)}


# --- who holds a card -----


def hold_card(db: Connection, project_id: str, target_type: CardType, target_id: str) -> ReviewCardRow | None:
    """The card, locked until the end of the transaction."""
    query = sa.select(review_cards).where(_is(project_id, target_type, target_id))
    return fetch_first(db, ReviewCardRow, for_update(db, query))


def claim(db: Connection, row: ReviewCardRow, claimed_by: str | None, claimed_until: datetime | None) -> None:
    same = _is(row.project_id, row.target_type, row.target_id)
    db.execute(sa.update(review_cards).where(same).values(claimed_by=claimed_by, claimed_until=claimed_until))
    note(db, row.project_id, "review")


def end_claim(db: Connection, project_id: str, target_type: CardType, target_id: str, claimed_by: str) -> None:
    """If this person holds the card."""
    same = _is(project_id, target_type, target_id) & (review_cards.c.claimed_by == claimed_by)
    db.execute(sa.update(review_cards).where(same).values(claimed_by=None, claimed_until=None))
    note(db, project_id, "review")


# --- how a project reviews -----


def get_settings(db: Connection, project_id: str) -> ReviewSettingsRow | None:
    of_project = review_settings.c.project_id == project_id
    return fetch_first(db, ReviewSettingsRow, sa.select(review_settings).where(of_project))


def put_settings(db: Connection, row: ReviewSettingsRow) -> None:
    db.execute(sa.delete(review_settings).where(review_settings.c.project_id == row.project_id))
    db.execute(sa.insert(review_settings).values(row._asdict()))
    note(db, row.project_id, "review")


def reviews_wanted(db: Connection, project_id: str) -> int:
    """How many different people are to annotate each card."""
    of_project = review_settings.c.project_id == project_id
    return int(db.execute(sa.select(review_settings.c.reviews_wanted).where(of_project)).scalar() or 1)


def _is(project_id: str, target_type: CardType, target_id: str) -> sa.ColumnElement[bool]:
    return (
        (review_cards.c.project_id == project_id)
        & (review_cards.c.target_type == target_type)
        & (review_cards.c.target_id == target_id)
    )
