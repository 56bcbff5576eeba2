"""One run: the task is called with an item, in a trace of its own. Whatever it does is a result, and not raised."""

import asyncio
import inspect
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol, TypeVar

from gnomon.errors import GnomonError, InvalidInput
from gnomon.model.experiment import RunError
from gnomon.model.jsonvalue import dump
from gnomon.service.evaluation.binding import BoundTask, joined
from gnomon.service.evaluation.measured import shown_by, storable
from gnomon.service.evaluation.plain import is_plain_text, plain_json
from gnomon.service.evaluation.scoring import Finished, ItemTrial, Scoring
from gnomon.service.evaluation.traced import Tracing
from gnomon.shorten import shorten

T = TypeVar("T")

LARGEST_OUTPUT = 16_000_000
"""Of one run, in characters of JSON. A request holds twice as much."""
_LONGEST_MESSAGE = 4_000
_SURELY_SMALL = 1_000


class OutputCache(Protocol):
    def get(self, pair: ItemTrial) -> Any: ...
    def keep(self, pair: ItemTrial, output: Any) -> None: ...


class _Untraced:
    """Stands for the span of a run that is not traced."""

    trace_id: str | None = None

    def set_output(self, output: Any) -> None:
        pass

    def set_error(self, error: BaseException) -> None:
        pass

    def trace(self) -> None:
        return None


_UNTRACED = _Untraced()
_NOT_TRACED = nullcontext(_UNTRACED)


class Work:
    """What is done with every pair."""

    def __init__(
        self,
        task: BoundTask,
        scoring: Scoring,
        *,
        experiment: str = "",
        tracing: Tracing | None = None,
        cache: OutputCache | None = None,
        timeout: float | None = None,
    ) -> None:
        self.task, self.scoring, self.timeout = task, scoring, timeout
        self._experiment, self._tracing, self._cache = experiment, tracing, cache

    @property
    def is_async(self) -> bool:
        return self.task.kind in ("async", "async_generator")

    def call(self, pair: ItemTrial) -> Finished:
        """Run a task that is not a coroutine, and score."""
        if (known := self._remembered(pair)) is not None:
            return self.scoring.scored(known, _UNTRACED)
        finished, span = Finished(pair), _UNTRACED
        try:
            with self._span(pair) as span:
                try:
                    self._keep(finished, self._settled(self.task.call(pair.item)))
                    span.set_output(finished.output)
                except BaseException as bad:  # also SystemExit: a task does not end the evaluation
                    span.set_error(bad)
                    _fail(finished, bad)
        except Exception as bad:  # tracing itself
            _fail(finished, bad)
        finished.trace_id = span.trace_id
        return self.scoring.scored(finished, span)

    async def acall(self, pair: ItemTrial) -> tuple[Finished, Any]:
        """Run a coroutine; scoring, which may take its time, is left to a thread (`scoring.scored`)."""
        if (known := self._remembered(pair)) is not None:
            return known, _UNTRACED
        finished, span = Finished(pair), _UNTRACED
        try:
            with self._span(pair) as span:
                try:
                    async with asyncio.timeout(self.timeout):
                        self._keep(finished, await _asettled(self.task.call(pair.item)))
                    span.set_output(finished.output)
                except BaseException as bad:
                    span.set_error(bad)
                    self._fail_or_cancel(finished, bad)
        except Exception as bad:  # tracing itself
            _fail(finished, bad)
        finished.trace_id = span.trace_id
        return finished, span

    def _fail_or_cancel(self, finished: Finished, bad: BaseException) -> None:
        current = asyncio.current_task()
        if isinstance(bad, asyncio.CancelledError) and current is not None and current.cancelling():
            raise bad  # the evaluation is being stopped, and not the task by itself
        if isinstance(bad, TimeoutError) and self.timeout is not None:
            fail_late(finished, self.timeout)
        else:
            _fail(finished, bad)

    def _span(self, pair: ItemTrial) -> AbstractContextManager[Any]:
        if self._tracing is None:
            return _NOT_TRACED
        ids: dict[str, str | int] = {"dataset_item_id": pair.item_id, "trial": pair.trial}
        metadata = {"experiment": self._experiment, **ids}
        return self._tracing.run(self.task.name, pair.item.input, metadata, keep=self.scoring.wants_trace)

    def _settled(self, returned: Any) -> Any:
        if type(returned) is str:
            return returned
        if self.task.kind == "generator":
            return joined(list(returned))
        if inspect.isawaitable(returned):
            return self.scoring.loop.run(returned, self.timeout)
        return returned

    def _remembered(self, pair: ItemTrial) -> Finished | None:
        output = self._cache.get(pair) if self._cache is not None else None
        return None if output is None else Finished(pair, output, cached=True, size=_size(output))

    def _keep(self, finished: Finished, returned: Any) -> None:
        if is_plain_text(returned):
            finished.output, finished.size = returned, len(returned)
        elif returned is None:
            raise InvalidInput('the task returned None; return its output, an empty text "" is fine')
        else:
            finished.output = plain_json(returned, "the output")
            finished.size = _size(finished.output)
        if finished.size > LARGEST_OUTPUT:
            finished.output = None
            words = f"the output has {finished.size:,} characters; {LARGEST_OUTPUT:,} are the most, so return less"
            raise InvalidInput(words)
        if self._cache is not None:
            self._cache.keep(finished.pair, finished.output)


async def _asettled(returned: Any) -> Any:
    if inspect.isasyncgen(returned):
        return joined([chunk async for chunk in returned])
    return await returned if inspect.isawaitable(returned) else returned


def _size(output: Any) -> int:
    if type(output) in (int, float, bool):
        return _SURELY_SMALL
    return len(output) if type(output) is str else len(dump(output))


def _fail(finished: Finished, bad: BaseException) -> None:
    message = storable(bad.message if isinstance(bad, GnomonError) else shown_by(str, bad))
    message = shorten(message, _LONGEST_MESSAGE)
    finished.output, finished.exception = None, bad
    finished.error = RunError(message=message or type(bad).__name__, type=type(bad).__name__)


def fail_late(finished: Finished, timeout: float) -> None:
    _fail(finished, TimeoutError(f"it took longer than {timeout:g} s"))
