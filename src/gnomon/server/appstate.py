"""The state of one server process: settings, store, clock and caches, handed to every request."""

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from gnomon.model.access import Principal
from gnomon.server.authentication import ADMIN
from gnomon.server.changefeed import ChangeFeed
from gnomon.server.cursors import Cursors
from gnomon.server.origins import Origins
from gnomon.server.sessions import Attempts
from gnomon.service.access import keys, shares, websessions
from gnomon.service.access.websessions import Held, ServerKey
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.scoring import measuring
from gnomon.service.scoring.measuring import Lane, ScoreToCompute
from gnomon.settings import Settings
from gnomon.store import projects
from gnomon.store.engine import Store, Transaction

T = TypeVar("T")

KEY_MEMORY_SECONDS = 2.0
_KEY_MEMORY_SIZE = 10_000
_MARK_ROUNDS = 200_000


class WorkSignal(Protocol):
    def set(self) -> None: ...


@dataclass
class AppState:
    settings: Settings
    store: Store
    clock: Clock
    cursors: Cursors
    admin_hash: str | None = None
    """Of the key that this server's environment names; all others are the database's."""
    work_arrived: WorkSignal = field(default_factory=threading.Event)
    """Set when there is a new job."""
    lane: Lane = field(default_factory=Lane)
    origins: Origins = field(default_factory=Origins)
    attempts: Attempts = field(default_factory=Attempts)
    server_key: ServerKey | None = None
    """What stands for that key in the sessions of browsers."""
    feed: ChangeFeed = field(init=False)
    _known_keys: dict[str, tuple[float, Principal | None]] = field(default_factory=dict)
    _known_sessions: dict[str, tuple[float, Held]] = field(default_factory=dict)
    _known_shares: dict[str, tuple[float, Held]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.feed = ChangeFeed(self.store, self.clock)

    def identify(self, token: str) -> Principal | None:
        """Find who holds this key. The answer is cached for two seconds, so a revoked key stops working by then."""
        hashed, now = keys.hash_secret(token), self.clock.now()
        principal = self.store.read(lambda db: keys.identify(db, hashed, now))
        if principal is not None:
            if len(self._known_keys) >= _KEY_MEMORY_SIZE:
                self._known_keys.clear()
            self._known_keys[hashed] = (time.monotonic() + KEY_MEMORY_SECONDS, principal)
        return principal

    def recall(self, token: str) -> Principal | None:
        """The same, from memory alone."""
        hashed = keys.hash_secret(token)
        if self.admin_hash is not None and hmac.compare_digest(hashed, self.admin_hash):
            return ADMIN
        until, known = self._known_keys.get(hashed, (0.0, None))
        return known if until > time.monotonic() else None

    def is_own_key(self, token: str) -> bool:
        """Whether it is the key that this server's environment names."""
        return self.admin_hash is not None and hmac.compare_digest(keys.hash_secret(token), self.admin_hash)

    def find_session(self, token: str) -> Held | None:
        """The session of a cookie, remembered as keys are."""
        hashed, now = keys.hash_secret(token), self.clock.now()
        held = self.store.read(lambda db: websessions.find(db, hashed, now, self.server_key))
        if held is not None:
            if len(self._known_sessions) >= _KEY_MEMORY_SIZE:
                self._known_sessions.clear()
            self._known_sessions[hashed] = (time.monotonic() + KEY_MEMORY_SECONDS, held)
        return held

    def recall_session(self, token: str) -> Held | None:
        """The same, from memory alone."""
        until, held = self._known_sessions.get(keys.hash_secret(token), (0.0, None))
        return held if until > time.monotonic() else None

    def find_share(self, token: str) -> Held | None:
        """Find who opened the share with this token; cached as keys are."""
        hashed, now = keys.hash_secret(token), self.clock.now()
        held = self.store.read(lambda db: shares.find(db, self.store.spans, hashed, now))
        if held is not None:
            if len(self._known_shares) >= _KEY_MEMORY_SIZE:
                self._known_shares.clear()
            self._known_shares[hashed] = (time.monotonic() + KEY_MEMORY_SECONDS, held)
        return held

    def recall_share(self, token: str) -> Held | None:
        """The same, from memory alone."""
        until, held = self._known_shares.get(keys.hash_secret(token), (0.0, None))
        return held if until > time.monotonic() else None

    def forget_keys(self) -> None:
        self._known_keys.clear()
        self._known_sessions.clear()
        self._known_shares.clear()

    def call(self, db: Transaction, principal: Principal) -> Call:
        """What a service function works with, in a transaction that reads."""
        return Call(db, principal, self.clock, spans=self.store.spans)

    def written(
        self,
        principal: Principal,
        work: Callable[[Call], T],
        ahead: Callable[[Call], Sequence[ScoreToCompute]] | None = None,
    ) -> T:
        """Run the work durably. What it asks of scorers is computed before, within the bounds of a request."""
        return measuring.write(
            self.store,
            lambda db, measured: work(Call(db, principal, self.clock, measured, self.store.spans)),
            self.lane.answer,
            None if ahead is None else lambda db: ahead(self.call(db, principal)),
        )


def build(settings: Settings, store: Store, host: str = "127.0.0.1") -> AppState:
    """`host` is the address that the server listens on."""
    secret = store.write(lambda db: projects.setting(db, "cursor_secret", secrets.token_hex(32)))
    admin_key = settings.admin_key
    return AppState(
        settings, store, Clock(), Cursors(bytes.fromhex(secret)),
        None if admin_key is None else keys.hash_secret(admin_key),
        origins=Origins(host, settings.public_url, settings.allowed_hosts or ()),
        server_key=None if admin_key is None else ServerKey(_mark(admin_key, secret), ADMIN),
    )  # fmt: skip


def _mark(own_key: str, salt: str) -> str:
    """Slow on purpose, and so computed once: the key must not be guessable from a stolen database."""
    return "server-" + hashlib.pbkdf2_hmac("sha256", own_key.encode(), salt.encode(), _MARK_ROUNDS).hex()
