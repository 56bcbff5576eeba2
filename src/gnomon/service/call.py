"""What every service function is handed, and the questions each of them asks first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from gnomon.errors import InvalidInput, NotFound
from gnomon.model.access import Principal
from gnomon.service.clock import Clock
from gnomon.service.scoring.measuring import KnownMeasurements
from gnomon.store import projects, sqlspans
from gnomon.store.engine import Transaction
from gnomon.store.pages import PageKey, Slice
from gnomon.store.spanstore import SpanStore

T = TypeVar("T")
Row = TypeVar("Row")


class OfProject(Protocol):
    @property
    def project_id(self) -> str: ...


Owned = TypeVar("Owned", bound=OfProject)


@dataclass(frozen=True, slots=True)
class Call:
    """One transaction, the caller's principal, and the clock that gives time and ids."""

    db: Transaction
    principal: Principal
    clock: Clock
    measured: KnownMeasurements = field(default_factory=KnownMeasurements)
    """What scorers found before this transaction began."""
    spans: SpanStore = sqlspans
    """Where spans are kept."""


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """Part of a list, and the key after which the rest begins (None at the end)."""

    items: list[T]
    next_key: PageKey | None
    beside: Mapping[str, object] = field(default_factory=dict)
    """What a page says besides its items."""


def listing(rows: Sequence[Row], page: Slice, make: Callable[[Row], T], key: Callable[[Row], PageKey]) -> Listing[T]:
    """Cut the one row too many that tells whether there is a next page."""
    shown = rows[: page.limit]
    more = len(rows) > page.limit
    return Listing([make(row) for row in shown], key(shown[-1]) if more else None)


def project_in_scope(principal: Principal, project_id: str | None) -> str:
    """The project that a list or a new thing belongs to."""
    if principal.project_id is not None:
        if project_id is not None and project_id != principal.project_id:
            raise NotFound(f"project {project_id!r} does not exist")
        return principal.project_id
    if project_id is None:
        raise InvalidInput.of(
            "project_id", "project_id is missing and this key is bound to no project; name one", code="PROJECT_REQUIRED"
        )
    return project_id


def project_for_writing(call: Call, requested_id: str | None) -> str:
    """Like `project_in_scope`; a new project is made on the way."""
    project_id = project_in_scope(call.principal, requested_id)
    projects.ensure(call.db, project_id, call.clock.now())
    return project_id


def visible(principal: Principal, row: Owned | None, noun: str) -> Owned:
    """The row, when it exists and this key may see it. Otherwise there is no hint that it exists."""
    if row is None or not principal.sees(row.project_id):
        raise NotFound(f"{noun} does not exist")
    return row


def just_written(row: Row | None) -> Row:
    """A row that this transaction wrote before, read back as others will read it."""
    assert row is not None, "a row is gone that this transaction wrote"
    return row
