"""Doing something once, however often it is asked for with the same Idempotency-Key."""

from collections.abc import Callable
from dataclasses import dataclass

from gnomon.errors import Refused
from gnomon.service.call import Call
from gnomon.store import idempotency as store
from gnomon.store.locks import lock
from gnomon.store.rows import RememberedAnswerRow


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """What was answered: as text, because a retry gets exactly this."""

    status: int
    body: str
    replayed: bool = False
    kept: str | None = None
    """What a retry gets instead, where the answer holds a secret that must not be stored."""


def once(call: Call, path: str, key: str, body_hash: str, make: Callable[[], StoredResponse]) -> StoredResponse:
    """The first answer to this key, or a new one. Effect and memory are one transaction."""
    # The same request twice at the same moment: the second waits here, and then finds the first one's answer.
    lock(call.db, "\n".join(("answer", call.principal.key_id, path, key)))
    now = call.clock.now()
    known = store.recall(call.db, call.principal.key_id, path, key, now)
    if known is None:
        answer = make()
        row = RememberedAnswerRow(
            key_id=call.principal.key_id, path=path, idempotency_key=key, body_hash=body_hash, status=answer.status,
            answer=answer.body if answer.kept is None else answer.kept, created_at=now,
        )  # fmt: skip
        store.remember(call.db, row)
        return answer
    if known.body_hash != body_hash:
        raise Refused(
            "this Idempotency-Key was used with another body or query; use a new key for a new request",
            code="IDEMPOTENCY_MISMATCH",
        )
    return StoredResponse(known.status, known.answer, replayed=True)
