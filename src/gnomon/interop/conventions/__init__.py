"""How programs name what a span says, and what of it is which field of ours.

There are many conventions. Each is a table in a file of its own (`genai.py`, `openinference.py`, …); `reading.py`
reads a span by all of them, in an order of preference, since a span may follow several. `chat.py` and `bodies.py` read
messages, `signals.py` errors and scores.
"""

from gnomon.interop.conventions.events import Event, log_event
from gnomon.interop.conventions.reading import CONVENTIONS, SpanView, view
from gnomon.interop.conventions.signals import Scores, error_of, scores_of
from gnomon.interop.conventions.usage import TokenCounts

__all__ = [
    "CONVENTIONS",
    "Event",
    "Scores",
    "SpanView",
    "TokenCounts",
    "error_of",
    "log_event",
    "scores_of",
    "view",
]
