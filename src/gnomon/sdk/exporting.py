"""Spans that have ended are stored where the SDK works, in the background (`outbox.py`).

One span that is refused never costs the others of its batch. The embedded store and a server take the same path:
native ingest. What was stored already, because an answer got lost, counts as stored.
"""

import logging
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from opentelemetry import context as otel_context
from opentelemetry.context import _SUPPRESS_INSTRUMENTATION_KEY  # where instrumentations look, and under no other name

from gnomon.errors import Conflict, GnomonError, InvalidInput, Problem, Refused, TooLarge
from gnomon.interop.conventions.own import INPUT, OUTPUT
from gnomon.interop.otel import span_draft
from gnomon.model.trace import SpanDraft
from gnomon.sdk.connection import Connection, before_change, connection
from gnomon.sdk.outbox import Outbox

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

log = logging.getLogger("gnomon.tracing")

EXIT_SECONDS = 5.0
_SMALL_SPAN = 1_000
"""What a span takes besides input and output, at a guess."""
_DUPLICATE = "DUPLICATE_SPAN"
_said: set[str] = set()
"""Kinds of refusals that were warned of."""
_is_prepared = False
_forked_at = 0
"""Nanoseconds; spans that began before belong to the process that was forked."""


def add(span: "ReadableSpan") -> None:
    """Store this span soon."""
    if _forked_at and (span.start_time or 0) < _forked_at:
        return
    if not _is_prepared:
        _prepare()
    attributes = span.attributes or {}
    outbox.add(span, _SMALL_SPAN + _length(attributes.get(INPUT)) + _length(attributes.get(OUTPUT)))


def _length(value: object) -> int:
    return len(value) if isinstance(value, str) else 0


def flush(timeout: float = 10.0) -> bool:
    """Store everything that has ended by now; whether all of it was stored within `timeout` seconds.

    Programs that end need not call it: what waits then is stored, for up to five seconds. The call waits; inside of an
    event loop write `await asyncio.to_thread(gnomon.flush)`.

    >>> gn.flush()
    True
    """
    return outbox.flush(timeout)


def _deliver(spans: Sequence["ReadableSpan"]) -> int:
    token = otel_context.attach(otel_context.set_value(_SUPPRESS_INSTRUMENTATION_KEY, True))
    try:
        return _deliver_quietly(spans)
    finally:
        otel_context.detach(token)


def _deliver_quietly(spans: Sequence["ReadableSpan"]) -> int:
    """Where instrumentations of HTTP and of databases keep still: storing spans must not make more of them."""
    drafts: list[SpanDraft] = []
    problems: list[Problem] = []
    for span in spans:
        try:
            drafts.append(span_draft(span))
        except Exception as bad:  # whatever an instrumentation made
            problems.append(_problem(bad))
    problems += _store(connection(), drafts)
    for problem in problems:
        _warn_once(problem, len(problems))
    return len(problems)


def _store(place: Connection, drafts: Sequence[SpanDraft]) -> list[Problem]:
    """Why some were not stored, one problem each. Raises what may be over later: no server, no database."""
    problems: list[Problem] = []
    while drafts:
        try:
            place.backend.ingest(drafts, place.project_id)
            break
        except (InvalidInput, Conflict, Refused, TooLarge) as refusal:
            wrong = {one.index: one for one in refusal.problems if one.index is not None and one.index < len(drafts)}
            if not wrong:
                return problems + _store_parts(place, drafts, refusal)
            problems += [one for one in wrong.values() if one.code != _DUPLICATE]
            drafts = _without(drafts, wrong)
    return problems


def _store_parts(place: Connection, drafts: Sequence[SpanDraft], refusal: GnomonError) -> list[Problem]:
    """Nobody says which span is meant, so that halves are tried."""
    if len(drafts) == 1:
        return [_problem(refusal)]
    half = len(drafts) // 2
    return _store(place, drafts[:half]) + _store(place, drafts[half:])


def _without(drafts: Sequence[SpanDraft], wrong: dict[int, Problem]) -> list[SpanDraft]:
    """The drafts that are left; of one whose scores are wrong only they go."""
    left: list[SpanDraft] = []
    for index, draft in enumerate(drafts):
        problem = wrong.get(index)
        if problem is None:
            left.append(draft)
        elif problem.field.startswith("scores") and draft.scores:
            left.append(draft.model_copy(update={"scores": None}))
    return left


def _problem(bad: Exception) -> Problem:
    code = bad.code if isinstance(bad, GnomonError) else type(bad).__name__
    return Problem("", code, " ".join(str(bad).split()) or type(bad).__name__)


def _warn_once(problem: Problem, count: int) -> None:
    if problem.code not in _said:
        _said.add(problem.code)
        field = f"{problem.field}: " if problem.field else ""
        log.warning("Gnomon refused %d of the spans that ended last: %s%s", count, field, problem.message)


outbox: Outbox["ReadableSpan"] = Outbox(_deliver, "spans")


# When a place is left, a process is forked, or ends


def drain() -> None:
    """Before the place changes and at the end: what cannot be stored in time is given up."""
    if not outbox.flush(EXIT_SECONDS):
        outbox.discard()


def _prepare() -> None:
    """Processes of `multiprocessing` end without the functions that others run at their end."""
    global _is_prepared
    _is_prepared = True
    util, process = sys.modules.get("multiprocessing.util"), sys.modules.get("multiprocessing.process")
    if util is not None and process is not None and process.parent_process() is not None:
        util.Finalize(None, drain, exitpriority=10)


def _in_child() -> None:
    global _forked_at, _is_prepared
    _forked_at, _is_prepared = time.time_ns(), False
    outbox.start_anew()


before_change(drain)
if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_in_child)
