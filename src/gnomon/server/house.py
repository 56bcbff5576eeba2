"""What one server process is made of. Created in `create_app`, handed to every request."""

import hmac
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from gnomon.model.access import Principal
from gnomon.server.pages import Cursors
from gnomon.service import keys, measuring
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.measuring import Lane, Question
from gnomon.settings import Settings
from gnomon.store import projects
from gnomon.store.engine import Store, Transaction

T = TypeVar("T")

KEY_MEMORY_SECONDS = 2.0
_KEY_MEMORY_SIZE = 10_000


class Bell(Protocol):
    def set(self) -> None: ...


@dataclass
class House:
    settings: Settings
    store: Store
    clock: Clock
    cursors: Cursors
    admin_hash: str | None = None
    """Of the key that this server's environment names; all others are the database's."""
    work_arrived: Bell = field(default_factory=threading.Event)
    """Rung when there is a new job."""
    lane: Lane = field(default_factory=Lane)
    _known_keys: dict[str, tuple[float, Principal | None]] = field(default_factory=dict)

    def identify(self, token: str) -> Principal | None:
        """Who holds this key. An answer is remembered for two seconds, so a revoked key dies by then."""
        hashed = keys.hash_secret(token)
        found = self.store.read(lambda db: keys.identify(db, hashed))
        if found is not None:
            if len(self._known_keys) >= _KEY_MEMORY_SIZE:
                self._known_keys.clear()
            self._known_keys[hashed] = (time.monotonic() + KEY_MEMORY_SECONDS, found)
        return found

    def recall(self, token: str) -> Principal | None:
        """The same, from memory alone."""
        hashed = keys.hash_secret(token)
        if self.admin_hash is not None and hmac.compare_digest(hashed, self.admin_hash):
            return Principal("admin", "admin")
        until, known = self._known_keys.get(hashed, (0.0, None))
        return known if until > time.monotonic() else None

    def forget_keys(self) -> None:
        self._known_keys.clear()

    def call(self, db: Transaction, who: Principal) -> Call:
        """What a service function works with, in a transaction that reads."""
        return Call(db, who, self.clock, spans=self.store.spans)

    def written(
        self,
        who: Principal,
        work: Callable[[Call], T],
        ahead: Callable[[Call], Sequence[Question]] | None = None,
    ) -> T:
        """Run the work durably. What it asks of scorers is computed before, within the bounds of a request."""
        return measuring.write(
            self.store,
            lambda db, measured: work(Call(db, who, self.clock, measured, self.store.spans)),
            self.lane.answer,
            None if ahead is None else lambda db: ahead(self.call(db, who)),
        )


def build(settings: Settings, store: Store) -> House:
    secret = store.write(lambda db: projects.setting(db, "cursor_secret", secrets.token_hex(32)))
    admin_hash = None if settings.admin_key is None else keys.hash_secret(settings.admin_key)
    return House(settings, store, Clock(), Cursors(bytes.fromhex(secret)), admin_hash)
