"""An Idempotency-Key is remembered for a day, with its effect, in one transaction."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gnomon.errors import Refused
from gnomon.model.access import Principal
from gnomon.service.access import idempotency as answers
from gnomon.service.access.idempotency import StoredResponse
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.store.engine import Store, open_store

HOUR = 3_600_000


class SetClock(Clock):
    """Stands where it is put."""

    at = 1_770_000_000_000

    def now_ms(self) -> int:
        return self.at


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path / 'g.db'}")
    yield store
    store.close()


def ask(store: Store, clock: Clock, says: str, *, body: str = "b", key: str = "k", who: str = "w") -> StoredResponse:
    caller = Principal(who, "write")
    return store.write(
        lambda db: answers.once(Call(db, caller, clock), "/v1/x", key, body, lambda: StoredResponse(201, says))
    )


def test_the_first_answer_is_given_again_for_a_day_and_then_forgotten(store: Store) -> None:
    clock = SetClock()
    assert ask(store, clock, "first") == StoredResponse(201, "first")
    clock.at += 24 * HOUR - 1
    assert ask(store, clock, "second") == StoredResponse(201, "first", replayed=True)
    clock.at += 2
    assert ask(store, clock, "third") == StoredResponse(201, "third")


def test_the_same_key_with_another_body_is_refused(store: Store) -> None:
    clock = SetClock()
    ask(store, clock, "first")
    with pytest.raises(Refused, match="another body"):
        ask(store, clock, "second", body="other")


def test_a_key_belongs_to_who_used_it(store: Store) -> None:
    clock = SetClock()
    ask(store, clock, "first")
    assert ask(store, clock, "second", who="someone else") == StoredResponse(201, "second")


def test_a_refusal_is_not_remembered(store: Store) -> None:
    clock = SetClock()

    def refuse() -> StoredResponse:
        raise Refused("no")

    with pytest.raises(Refused):
        store.write(lambda db: answers.once(Call(db, Principal("w", "write"), clock), "/v1/x", "k", "b", refuse))
    assert ask(store, clock, "now") == StoredResponse(201, "now")
