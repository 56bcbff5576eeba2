"""A database of this machine, as its administrator sees it: the client's methods without a server."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from gnomon.model.access import Key, KeyDraft, NewKey, Principal
from gnomon.model.experiment import Experiment, ExperimentComparison, Summary, ThresholdDraft, ThresholdResult
from gnomon.model.trace import Deleted, Project
from gnomon.service import compare, experiments, gate, health, keys, projects, summarize
from gnomon.service.call import Call, Listing
from gnomon.service.clock import Clock
from gnomon.service.maintenance import open_existing
from gnomon.store.pages import Slice

T = TypeVar("T")

_PAGE = 200


class Embedded:
    def __init__(self, database_url: str) -> None:
        self._clock, self._who = Clock(), Principal("cli", "admin")
        self._store = open_existing(database_url)
        try:
            self._store.read(health.check)
        except BaseException:
            self._store.close()
            raise

    def close(self) -> None:
        self._store.close()

    def projects(self) -> Iterator[Project]:
        return self._all(projects.all_of)

    def find_experiment(self, name_or_id: str, project_id: str | None = None) -> Experiment:
        return self._read(lambda call: experiments.named(call, project_id, name_or_id))

    def summary(self, experiment_id: str) -> Summary:
        return self._read(lambda call: summarize.summary(call, experiment_id))

    def compare(self, base_id: str, other_id: str, min_effect: float | None = None) -> ExperimentComparison:
        return self._read(lambda call: compare.compare(call, base_id, other_id, min_effect))

    def threshold(self, experiment_id: str, wanted: ThresholdDraft) -> ThresholdResult:
        return self._write(lambda call: gate.check(call, experiment_id, wanted))

    def keys(self) -> Iterator[Key]:
        return self._all(keys.all_of)

    def create_key(self, draft: KeyDraft) -> NewKey:
        return self._write(lambda call: keys.create(call, draft))

    def revoke_key(self, id: str) -> Deleted:
        return self._write(lambda call: keys.delete(call, id))

    def _read(self, work: Callable[[Call], T]) -> T:
        return self._store.read(lambda db: work(self._call(db)))

    def _write(self, work: Callable[[Call], T]) -> T:
        return self._store.write(lambda db: work(self._call(db)))

    def _call(self, db: Any) -> Call:
        return Call(db, self._who, self._clock)

    def _all(self, part: Callable[[Call, Slice], Listing[T]]) -> Iterator[T]:
        after: tuple[Any, ...] | None = None
        while True:
            wanted = Slice(_PAGE, after)
            listing = self._store.read(lambda db, wanted=wanted: part(self._call(db), wanted))  # type: ignore[misc]
            yield from listing.items
            after = listing.next_key
            if after is None:
                return
