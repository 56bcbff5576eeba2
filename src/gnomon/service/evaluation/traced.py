"""What an evaluation needs of tracing: a trace of its own for each run. The SDK has the implementation."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from gnomon.model.trace import Trace


class RunSpan(Protocol):
    """One run's root span."""

    trace_id: str

    def set_output(self, output: Any) -> None: ...
    def set_error(self, error: BaseException) -> None: ...
    def trace(self) -> Trace:
        """The spans that have ended so far, for scorers that want `trace`."""


class Tracing(Protocol):
    def run(
        self, name: str, item_input: Any, metadata: Mapping[str, str | int | float | bool], *, keep: bool
    ) -> AbstractContextManager[RunSpan]:
        """A new trace, never a child of a surrounding span; `keep`: whether `.trace()` will be asked for."""

    def flush(self) -> None:
        """Everything that has ended is stored, or there is one warning."""
