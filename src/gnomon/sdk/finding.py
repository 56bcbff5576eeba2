"""Which stored experiment is meant, by whatever names it: a name, an id, a result."""

from typing import Protocol

from gnomon.errors import InvalidInput
from gnomon.model.backend import find_experiment
from gnomon.model.experiment import Experiment
from gnomon.sdk.connection import SdkConnection


class Identified(Protocol):
    """A result, or an experiment itself."""

    @property
    def id(self) -> str: ...


def find(
    connection: SdkConnection,
    name_or_result: str | Identified,
    *,
    at: str | None = None,
    other_than: Experiment | None = None,
) -> Experiment:
    """The experiment. The name of `other_than` means, unless `at` chooses, the newest other one of that name."""
    if not isinstance(name_or_result, str):
        if at is not None:
            words = f"at {at!r} goes with a name, which may stand for several experiments; leave it out"
            raise InvalidInput.of("at", words)
        return connection.opened().experiment(name_or_result.id)
    than = None if other_than is None else other_than.id
    return find_experiment(connection.opened(), name_or_result, connection.project_id, at=at, other_than=than)
