"""What was deleted and is large leaves the database in batches: by whoever deleted it, and by workers."""

import time
from contextlib import suppress

from gnomon.errors import GnomonError
from gnomon.store import removals
from gnomon.store.engine import Store

BATCHES_PER_REQUEST = 10
"""What a request removes itself; a worker removes the rest."""
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.01, 0.1


def work_off(store: Store, most: int | None = None) -> bool:
    """Remove what was deleted, so many batches at the most; whether nothing is left to do here."""
    done = 0
    while most is None or done < most:
        began = time.monotonic()
        if store.write(lambda db: removals.next_batch(db, store.spans)) is None:
            return True
        done += 1
        make_room(time.monotonic() - began)
    return False


def begin(store: Store) -> bool:
    """As much as a request removes. The deletion itself has happened: trouble now is a worker's to mend."""
    with suppress(GnomonError):
        return work_off(store, BATCHES_PER_REQUEST)
    return False


def make_room(seconds: float) -> None:
    """Wait a little after a batch that took so long: on SQLite others can only write between two batches."""
    time.sleep(min(max(seconds / 4, _SHORTEST_PAUSE), _LONGEST_PAUSE))
