"""`instrument`: spans of the libraries that a program uses, made by the instrumentors that are installed."""

import logging
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from gnomon.sdk.provider import tracer

log = logging.getLogger("gnomon.tracing")

_GROUP = "opentelemetry_instrumentor"
"""Also OpenInference's and OpenLLMetry's are in it."""


def instrument() -> list[str]:
    """Turn on every OpenTelemetry instrumentor that is installed, and return the names of those that are on.

    Install one per library, for example `openinference-instrumentation-openai`. One that fails is warned of and does
    not stop the others.

    >>> names = gn.instrument()
    """
    tracer()
    points = {entry_point.name: entry_point for entry_point in entry_points(group=_GROUP)}
    if not points:
        log.warning("no instrumentor is installed; for OpenAI, say: pip install openinference-instrumentation-openai")
    return [name for name, entry in sorted(points.items()) if _turn_on(entry)]


def _turn_on(entry: EntryPoint) -> bool:
    """Whether it is on: an instrumentor stays off by itself where its library is not installed."""
    try:
        instrumentor: Any = entry.load()()
        if not getattr(instrumentor, "is_instrumented_by_opentelemetry", False):
            instrumentor.instrument()
        return bool(getattr(instrumentor, "is_instrumented_by_opentelemetry", True))
    except Exception as bad:  # other people's code
        log.warning("the instrumentor %s could not be turned on: %s: %s", entry.name, type(bad).__name__, bad)
        return False
