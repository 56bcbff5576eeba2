"""Which stored experiment is meant, by whatever names it: a name, an id, a result."""

from itertools import filterfalse
from typing import Protocol

from gnomon.errors import InvalidInput
from gnomon.model.backend import find_experiment
from gnomon.model.experiment import Experiment
from gnomon.model.naming import check_at, choose
from gnomon.sdk.connection import Connection


class Identified(Protocol):
    """A result, or an experiment itself."""

    @property
    def id(self) -> str: ...


def find(
    connection: Connection, wanted: str | Identified, *, at: str | None = None, other_than: Experiment | None = None
) -> Experiment:
    """The experiment. The name of `other_than` means the newest other one of that name."""
    if not isinstance(wanted, str):
        if at is not None:
            words = f"at {at!r} goes with a name, which may stand for several experiments; leave it out"
            raise InvalidInput.of("at", words)
        return connection.backend.experiment(wanted.id)
    if other_than is not None and wanted == other_than.name:
        check_at(at)
        named = connection.backend.experiments(connection.project_id, name=wanted)
        return choose(filterfalse(lambda one: one.id == other_than.id, named), wanted, at)
    return find_experiment(connection.backend, wanted, connection.project_id, at=at)
