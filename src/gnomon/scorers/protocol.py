"""What a scorer is: one sample in, one measurement out.

A measurement is a score, or the absence of one with its reason, or a failure with its reason.
The scorers themselves live beside this file by subject; columns of samples in `columns.py`.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from gnomon.model.jsonvalue import AnyJson, as_text
from gnomon.scorers.cost import TooCostlyError, rounded, spend
from gnomon.shorten import shorten_repr

ValueKind = Literal["numeric", "categorical"]


@dataclass(frozen=True, slots=True)
class Sample:
    """The values of one run or span for a scorer; None means not given.

    >>> gn.Sample(input="France", output="Paris", expected_output="Paris").output
    'Paris'
    """

    input: Any = None
    output: Any = None
    expected_output: Any = None
    trace: Any = None
    """The steps of a whole trace, where that is what is scored."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A number in [0, 1], or a label; a scorer of your own may say why.

    >>> def brief(output):
    ...     return gn.Scored(min(1, 10 / len(output.split())), rationale=f"{len(output.split())} words")
    >>> brief("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen")
    Scored(value=0.625, rationale='16 words')
    """

    value: float | str
    rationale: str | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """There was nothing to score: no score, no vote in any aggregate.

    >>> def names_a_source(output, metadata):
    ...     return metadata["url"] in output if "url" in metadata else gn.Absent("the item has no url")
    >>> names_a_source("See the manual.", {})
    Absent(reason='the item has no url')
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """There was something to score, but scoring failed."""

    reason: str
    evidence: str | None = None


Measurement = Scored | Absent | Failed

_SHORT = 10_000

NO_OUTPUT = Absent("no output")
NO_EXPECTED = Absent("no expected_output")


class UnmeasurableError(ValueError):
    """Raised inside a scorer when a value cannot be measured; `measure` turns it into `Failed`."""

    def __init__(self, reason: str, evidence: str | None = None) -> None:
        super().__init__(reason)
        self.failed = Failed(reason, evidence)


class WrongKeyError(ValueError):
    """A configuration that is wrong as a whole, and the key that the caller should change."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class RuleScorer(BaseModel):
    """A scorer that needs nothing but the sample. Its fields are its configuration."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    version: ClassVar[int] = 1
    """Raised by every change that moves a score; part of the configuration's hash."""
    kind: ClassVar[ValueKind] = "numeric"
    name: str

    def score(self, sample: Sample) -> Measurement:
        return self.measure(sample.output, sample.expected_output)

    def measure(self, output: Any, expected: Any) -> Measurement:
        """Like `score`, for callers that have the two values and no sample."""
        if output is None:
            return NO_OUTPUT
        try:
            return Scored(self._value(output, expected))
        except UnmeasurableError as why:
            return why.failed
        except TooCostlyError as why:
            return Failed(str(why))

    @abstractmethod
    def _value(self, output: Any, expected: Any) -> float:
        """The score; raises `UnmeasurableError` where there is none."""


class Comparison(RuleScorer):
    """A rule that compares with an expected output: the configuration's, else the sample's."""

    expected_output: AnyJson = None

    def measure(self, output: Any, expected: Any) -> Measurement:
        if output is None:
            return NO_OUTPUT
        if self.expected_output is not None:
            expected = self.expected_output
        return NO_EXPECTED if expected is None else super().measure(output, expected)


def _not_null(value: Any) -> Any:
    if value is None:
        raise ValueError("must not be null")
    return value


Values = Annotated[list[Annotated[AnyJson, AfterValidator(_not_null)]], Field(min_length=1)]
"""What an output may be or hold: at least one JSON value, none of them null."""


def text(value: Any) -> str:
    """What a scorer compares: a string as it is, any other JSON value as its one canonical text."""
    if isinstance(value, str):
        return _counted(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise UnmeasurableError(f"{value} is not a JSON value")
    try:
        written = as_text(value)
    except (TypeError, ValueError, RecursionError, OverflowError) as bad:
        raise UnmeasurableError(f"a value of type {type(value).__name__} is not a JSON value", str(bad)) from None
    return _counted(written)


def _counted(value: str) -> str:
    if len(value) > _SHORT:  # a thousand short ones do not matter
        spend(len(value), f"{rounded(len(value))} characters")
    return value


def shortened(value: Any) -> str:
    """A value as evidence: enough to recognise it. Reasons are counted, so they hold no values."""
    return shorten_repr(value, 80)
