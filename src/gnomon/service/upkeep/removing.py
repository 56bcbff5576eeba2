"""Delete large data in batches: in the process that deletes it, and in workers."""

import time
from contextlib import suppress

from gnomon.errors import GnomonError
from gnomon.service.call import Call
from gnomon.store import removals
from gnomon.store.engine import Store

BATCHES_PER_REQUEST = 10
"""What a request removes itself; a worker removes the rest."""
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.01, 0.1


def work_off(store: Store, most: int | None = None, project_id: str | None = None) -> bool:
    """Remove what was deleted, in one project or in all, so many batches at the most; whether nothing is left to do."""
    done = 0
    while most is None or done < most:
        began = time.monotonic()
        removed = store.write(lambda db: removals.next_batch(db, store.spans, project_id))
        # A note that another removed while we waited for it looks like no note at all: look once more.
        if removed is None and (project_id is None or not store.read(lambda db: removals.any_left(db, project_id))):
            return True
        done += 1
        make_room(time.monotonic() - began)
    return False


def project_of(call: Call, id: str) -> str | None:
    """The project of what this very transaction has deleted."""
    return removals.project_of(call.db, id)


def begin(store: Store, project_id: str | None) -> bool:
    """Remove as much as a request may: what it deleted itself comes first, and is gone when it is answered.

    The deletion itself has happened: trouble now is a worker's to mend.
    """
    with suppress(GnomonError):
        own = project_id is None or work_off(store, BATCHES_PER_REQUEST, project_id)
        return own and not store.read(removals.any_left)
    return False


def make_room(seconds: float) -> None:
    """Wait a little after a batch that took so long: on SQLite others can only write between two batches."""
    time.sleep(min(max(seconds / 4, _SHORTEST_PAUSE), _LONGEST_PAUSE))
