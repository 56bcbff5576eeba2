"""Python's garbage collector, held back for a moment.

A batch of a thousand runs makes some forty thousand objects. All are gone when it is stored, without the collector's
help, but while they are there it looks through everything that the process has, again and again: a third of the time.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_counting = threading.Lock()
_pauses = 0
_was_on = False


@contextmanager
def paused() -> Iterator[None]:
    """Collect no garbage while this block runs. Blocks of several threads may overlap; the last one switches it on."""
    global _pauses, _was_on
    with _counting:
        if _pauses == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _counting:
            _pauses -= 1
            if _pauses == 0 and _was_on:
                gc.enable()
