"""Scorer functions are called with what a run returned. Nothing that they do ends an evaluation."""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from gnomon.model.experiment import RunError
from gnomon.model.score import InlineScoreDraft
from gnomon.scorers.protocol import Absent, Failed, Measurement, Sample, Scored
from gnomon.service.evaluation.binding import BoundScorer
from gnomon.service.evaluation.data import EvaluationItem
from gnomon.service.evaluation.measured import measured, raised

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ItemTrial:
    """One item, to be run for one trial."""

    item: EvaluationItem
    item_id: str
    trial: int


@dataclass(slots=True)
class Finished:
    """A run that has ended, in an output or in an error."""

    pair: ItemTrial
    output: Any = None
    error: RunError | None = None
    exception: BaseException | None = None
    scores: list[InlineScoreDraft] = field(default_factory=list)
    trace_id: str | None = None
    cached: bool = False
    size: int = 0
    """Of the output as JSON, roughly."""


class Loop:
    """Where what has to be awaited is awaited: the caller's event loop, or one in a thread of its own."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._given_loop, self._own = loop, None if loop is not None else asyncio.new_event_loop()
        if self._own is not None:
            self._thread = threading.Thread(target=_serve, args=(self._own,), name="gnomon-loop", daemon=True)
            self._thread.start()

    def start(self, awaitable: Awaitable[T]) -> Future[T]:
        loop = self._given_loop or self._own
        assert loop is not None
        return asyncio.run_coroutine_threadsafe(_awaited(awaitable), loop)

    def run(self, awaitable: Awaitable[T], timeout: float | None = None) -> T:
        """Wait for it, in a thread that is not the loop's."""
        future = self.start(awaitable)
        try:
            return future.result(timeout)
        except TimeoutError:
            future.cancel()
            raise

    def close(self) -> None:
        if self._own is not None:
            self._own.call_soon_threadsafe(self._own.stop)
            self._thread.join(1.0)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop until it is stopped, and close what was opened in it."""
    try:
        loop.run_forever()
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


async def _awaited(awaitable: Awaitable[T]) -> T:
    return await awaitable


class Scoring:
    """The scorers of an evaluation, ready for any run."""

    def __init__(
        self,
        scorers: Sequence[BoundScorer],
        specs: Sequence[InlineScoreDraft] = (),
        *,
        names_of_specs: Sequence[str] = (),
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.scorers = scorers
        self.wants_trace = any("trace" in scorer.wants for scorer in scorers)
        self._specs = list(specs)
        self._taken_names = frozenset(names_of_specs)
        self._given_loop = loop
        self._loop: Loop | None = None
        self._making_loop = threading.Lock()

    @property
    def loop(self) -> Loop:
        with self._making_loop:
            self._loop = self._loop or Loop(self._given_loop)
            return self._loop

    def close(self) -> None:
        if self._loop is not None:
            self._loop.close()

    def scored(self, finished: Finished, span: Any) -> Finished:
        """The run with its scores; those of built-in scorers are computed where the run is stored."""
        if not self.scorers:
            finished.scores = self._specs
            return finished
        taken = set(self._taken_names)
        finished.scores = [*self._specs]
        for scorer in self.scorers:
            for name, result in self._measured(scorer, finished, span):
                finished.scores.append(_draft(name, result, scorer.name, taken))
        return finished

    def _measured(self, scorer: BoundScorer, finished: Finished, span: Any) -> list[tuple[str, Measurement]]:
        if finished.error is not None:
            return [(scorer.name, Failed(f"the run failed: {finished.error.message}"))]
        try:
            returned = scorer.call(_known(scorer, finished, span))
            if inspect.isawaitable(returned):
                returned = self.loop.run(returned)
        except BaseException as bad:  # whatever a scorer does, the evaluation goes on
            return [(scorer.name, raised(bad))]
        return measured(scorer.name, returned)


def _known(scorer: BoundScorer, finished: Finished, span: Any) -> Mapping[str, Any]:
    item = finished.pair.item
    known: dict[str, Any] = {
        "input": item.input,
        "output": finished.output,
        "expected_output": item.expected_output,
        "metadata": item.metadata,
    }
    if "trace" in scorer.wants:
        known["trace"] = span.trace()
    if "sample" in scorer.wants:
        known["sample"] = Sample(item.input, finished.output, item.expected_output)
    return known


def _draft(name: str, measurement: Measurement, scorer_name: str, taken: set[str]) -> InlineScoreDraft:
    if name in taken:  # a key of a dict can only be known now
        words = f"its score {name!r} has the name of another scorer's; rename the key, or one of the scorers"
        name, measurement = scorer_name, Failed(words)
        while name in taken:
            name += " (again)"
    taken.add(name)
    if isinstance(measurement, Scored):
        return InlineScoreDraft(scorer_name=name, value=measurement.value, rationale=measurement.rationale)
    if isinstance(measurement, Absent):
        return InlineScoreDraft(scorer_name=name, absent=measurement.reason)
    return InlineScoreDraft(scorer_name=name, failed=measurement.reason)
