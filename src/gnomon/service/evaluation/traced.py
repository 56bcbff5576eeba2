"""What an evaluation asks of tracing: a trace of its own for every run. The SDK has it."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from gnomon.model.trace import Trace


class RunSpan(Protocol):
    """The root span of one run."""

    trace_id: str

    def set_output(self, output: Any) -> None: ...
    def set_error(self, error: BaseException) -> None: ...

    def trace(self) -> Trace:
        """The spans that have ended so far, for scorers that look at the trace."""


class Tracing(Protocol):
    def run(
        self, name: str, item_input: Any, metadata: Mapping[str, str | int | float | bool], *, keep: bool
    ) -> AbstractContextManager[RunSpan]:
        """Begin a new trace around one run. `keep`: whether `trace()` will be asked for."""

    def flush(self) -> None:
        """Everything that has ended is stored, or one warning says that it is not."""
