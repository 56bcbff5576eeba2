"""The rule that compares the tool calls of an agent with the expected ones.

The output is a transcript, a list of messages, or a list of calls; how others write a call is for model/toolcalls.py.
Numbers are compared as numbers (42 is 42.0), everything else as JSON: "42" is not 42, true is not 1.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from gnomon.model.firstformat import recorded_steps
from gnomon.model.jsonvalue import AnyJson, count
from gnomon.model.toolcalls import AskedCall, asked_in, is_call, read_call
from gnomon.model.transcript import Transcript
from gnomon.scorers.cost import TooCostlyError, rounded, spend
from gnomon.scorers.protocol import (
    Absent,
    Comparison,
    Failed,
    Measurement,
    Sample,
    UnmeasurableError,
    WrongKeyError,
    shortened,
)
from gnomon.scorers.structured import as_json

_SPEAKS_OF_NO_CALLS = Absent("no tool calls are expected; only exact and any_order can ask for none")


class ExpectedCall(BaseModel):
    """An expected call; without `args`, whatever its arguments."""

    model_config = ConfigDict(frozen=True, strict=True)

    name: Annotated[str, Field(min_length=1)]
    args: dict[str, AnyJson] | None = None

    @model_validator(mode="before")
    @classmethod
    def _has_no_other_key(cls, fields: Any) -> Any:
        other = next((key for key in fields if key not in cls.model_fields), None) if isinstance(fields, dict) else None
        if other is not None:
            raise WrongKeyError(str(other), "is not known; a call has name and args")
        return fields


class ToolCalls(Comparison):
    """1.0 when the expected tool calls were made, else 0.0; with `partial`, the share of them."""

    name: Literal["tool_calls"] = "tool_calls"
    expected_output: Annotated[list[ExpectedCall] | None, Field(alias="expected")] = None
    mode: Literal["exact", "in_order", "any_order", "superset", "forbidden"] = "superset"
    args: Literal["exact", "subset", "ignore"] = "exact"
    partial: bool = False

    @model_validator(mode="after")
    def _says_something(self) -> "ToolCalls":
        if self.expected_output == [] and not self._may_ask_for_none:
            raise WrongKeyError(
                "expected", f"an empty list asks for nothing in mode {self.mode}; use exact for no calls"
            )
        return self

    def score(self, sample: Sample) -> Measurement:
        """Score tool calls: the tools' spans of a whole trace, or the calls that an answer asks for."""
        if sample.trace is None:
            return super().score(sample)
        return self.measure(calls_in_trace(sample.trace), sample.expected_output)

    def measure(self, output: Any, expected: Any) -> Measurement:
        wanted_calls = expected if self.expected_output is None else None
        if output is not None and wanted_calls is not None and not self._may_ask_for_none:
            try:
                if not _expected_calls(wanted_calls):
                    return _SPEAKS_OF_NO_CALLS
            except UnmeasurableError as why:
                return why.failed
            except TooCostlyError as why:
                return Failed(str(why))
        return super().measure(output, expected)

    def _value(self, output: Any, expected: Any) -> float:
        calls = expected if self.expected_output is not None else _expected_calls(expected)
        asked_calls = calls_made(output)
        if asked_calls is None:
            raise UnmeasurableError("the output holds no transcript, messages or tool calls", shortened(output))
        self._spend(calls, asked_calls)
        try:
            matched, most = self._count_matches(calls, asked_calls)
        except RecursionError:
            raise UnmeasurableError("the arguments of a call are nested too deep") from None
        return matched / most if self.partial and most else float(matched == most)

    def _spend(self, calls: Sequence[ExpectedCall], asked_calls: Sequence[AskedCall]) -> None:
        """Every wanted call is compared with every made one; finding each its own may look at all pairs per call."""
        values = sum(count(call.args) for call in calls)
        searches = 0 if self.mode in ("exact", "in_order", "forbidden") else len(calls)
        sizes = f"{len(calls):,} × {len(asked_calls):,} calls with {rounded(values)} values in their arguments"
        spend(len(asked_calls) * (50 * (values + len(calls)) + len(calls) * searches), sizes)

    @property
    def _may_ask_for_none(self) -> bool:
        return self.mode in ("exact", "any_order")

    def _count_matches(self, calls: Sequence[ExpectedCall], asked_calls: Sequence[AskedCall]) -> tuple[int, int]:
        """How many count, of how many. Calls beyond the expected ones count against, where the mode allows none."""
        if self.mode == "forbidden":
            return sum(not any(self._is(call, asked_call) for asked_call in asked_calls) for call in calls), len(calls)
        match = _longest_in_order if self.mode in ("exact", "in_order") else _most_pairs
        matched = match(calls, asked_calls, self._is)
        return matched, max(len(calls), len(asked_calls)) if self._may_ask_for_none else len(calls)

    def _is(self, call: ExpectedCall, asked_call: AskedCall) -> bool:
        if asked_call.name != call.name:
            return False
        if self.args == "ignore" or call.args is None:
            return True
        return _agree(asked_call.args, call.args, may_hold_more=self.args == "subset")


def calls_made(output: Any) -> list[AskedCall] | None:
    """The calls in an output, in order; None when it is nothing that could hold calls."""
    if isinstance(output, Transcript):
        return [AskedCall(call.tool, call.args, call.id) for call in output.calls()]
    value = as_json(output)
    if not isinstance(value, dict):
        return _calls_of(value)
    steps = recorded_steps(value)
    if steps is not None:
        return _calls_of(_turns(steps))
    if "messages" in value:
        return _calls_of(value["messages"])
    if "tool_calls" in value and "role" not in value:
        return _calls_of(value["tool_calls"] or [])
    return _calls_of([value])


def calls_in_trace(steps: Any) -> list[dict[str, Any]] | None:
    """The tools that a trace called, as calls. Where its tools have no spans, those that its models asked for."""
    if not isinstance(steps, list):
        return None
    steps = [step for step in steps if isinstance(step, dict)]
    called = [{"name": str(step.get("name")), "arguments": step.get("input")} for step in steps
              if step.get("operation") == "tool"]  # fmt: skip
    if called:
        return called
    answers = [step["output"] for step in steps if isinstance(step.get("output"), dict)]
    return [answer for answer in answers if "role" in answer]


def _calls_of(listed: Any) -> list[AskedCall] | None:
    """The calls of a list of messages, items or calls."""
    if not isinstance(listed, list):
        return None
    asked_calls: list[AskedCall] = []
    for value in listed:
        if not isinstance(value, dict):
            return None
        if "role" in value or is_call(value):
            asked_calls += asked_in(value)
        elif (call := read_call(value)).name:
            asked_calls.append(call)
        elif not isinstance(value.get("type"), str):  # with a type it is an item beside the calls
            return None
    return asked_calls


def _turns(beats: Any) -> Any:
    """The turns of a transcript written as JSON; a turn holds its calls as a message does."""
    turns_by_beat = (
        [beat.get("turns") if isinstance(beat, dict) else None for beat in beats] if isinstance(beats, list) else [None]
    )
    if not all(isinstance(turns, list) and all(isinstance(turn, dict) for turn in turns) for turns in turns_by_beat):
        return None
    return [
        {"role": "assistant", "tool_calls": turn.get("tool_calls")} for turns in turns_by_beat for turn in turns or ()
    ]


def _expected_calls(expected: Any) -> list[ExpectedCall]:
    """The calls that the sample expects, in any of the shapes that an output may have."""
    calls = calls_made(expected)
    if calls is None:
        raise UnmeasurableError("expected_output is not a list of tool calls", shortened(expected))
    if not all(call.name for call in calls):
        raise UnmeasurableError("expected_output has a call without a name", shortened(expected))
    return [
        ExpectedCall.model_construct(name=call.name, args=call.args if call.names_arguments else None) for call in calls
    ]


def _agree(actual: Any, expected: Any, *, may_hold_more: bool) -> bool:
    if isinstance(actual, dict) and isinstance(expected, dict):
        fits = expected.keys() <= actual.keys() if may_hold_more else expected.keys() == actual.keys()
        return fits and all(_agree(actual[key], value, may_hold_more=may_hold_more) for key, value in expected.items())
    if isinstance(actual, list | tuple) and isinstance(expected, list | tuple):
        pairs = zip(actual, expected, strict=False)
        return len(actual) == len(expected) and all(_agree(a, b, may_hold_more=may_hold_more) for a, b in pairs)
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    if isinstance(actual, int | float) and isinstance(expected, int | float):
        return actual == expected
    return type(actual) is type(expected) and bool(actual == expected)


Fits = Callable[[ExpectedCall, AskedCall], bool]


def _longest_in_order(calls: Sequence[ExpectedCall], asked_calls: Sequence[AskedCall], fits: Fits) -> int:
    """The most of the wanted calls that were made in this order: the longest common subsequence."""
    best = [0] * (len(calls) + 1)
    for asked_call in asked_calls:
        before = 0
        for index, call in enumerate(calls, 1):
            above = best[index]
            best[index] = before + 1 if fits(call, asked_call) else max(above, best[index - 1])
            before = above
    return best[-1]


def _most_pairs(calls: Sequence[ExpectedCall], asked_calls: Sequence[AskedCall], fits: Fits) -> int:
    """The most wanted calls that can each have a made one of their own: augmenting paths, breadth first.

    Taking the first that fits would be wrong: a call with open arguments may take what another needs.
    """
    choices = [[number for number, asked_call in enumerate(asked_calls) if fits(call, asked_call)] for call in calls]
    pairs: dict[int, int] = {}
    dead: set[int] = set()
    return sum(_augment(start, choices, pairs, dead) for start in range(len(calls)))


def _augment(start: int, choices: list[list[int]], pairs: dict[int, int], dead: set[int]) -> bool:
    """Find a made call for one more wanted call. `pairs` is made → wanted; what a vain search saw stays vain."""
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        call = waiting.popleft()
        for number in choices[call]:
            if number in came_from or number in dead:
                continue
            came_from[number] = call
            if number not in pairs:
                _hand_over(number, start, came_from, pairs)
                return True
            waiting.append(pairs[number])
    dead |= came_from.keys()
    return False


def _hand_over(number: int, start: int, came_from: dict[int, int], pairs: dict[int, int]) -> None:
    """Walk the path back: each call on it leaves what it had to the one before."""
    had = {call: expected for expected, call in pairs.items()}
    while (call := came_from[number]) != start:
        pairs[number] = call
        number = had[call]
    pairs[number] = start
