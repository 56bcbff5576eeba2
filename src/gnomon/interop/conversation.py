"""Conversations of any origin as one `Transcript`: beats, turns, and tool results joined to their calls.

A reader says what it finds in the order in which it finds it; who answered what is worked out once, at the end.
A result belongs to the call with its id, or, where one of them has no id, to the next call in order. What does not
fit is kept and told in `metadata["notes"]`.
"""

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from gnomon.agentlogs.events import instant
from gnomon.errors import Refused
from gnomon.model.toolcalls import AskedCall
from gnomon.model.transcript import NO_MODEL, Beat, RecordedConfig, RunEnd, ToolCall, Transcript, Turn, Usage

CODE = "INVALID_TRANSCRIPT"
ANSWERED = "environment"
"""What answered a call in somebody else's run: nobody says more."""
UNANSWERED = "none"
_SHOWN = 5


@dataclass(slots=True)
class _Call:
    asked: AskedCall
    beat: int
    turn: int
    at: int | None
    result: "_Result | None" = None


@dataclass(slots=True)
class _Result:
    content: Any
    id: str | None
    name: str | None
    ok: bool | None
    at: int | None
    known: int
    """How many calls there were when it came."""
    beat: int
    duration_ms: float | None


@dataclass(slots=True)
class _Turn:
    texts: list[str] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)


@dataclass(slots=True)
class _Beat:
    message: str | None
    timestamp: str
    turns: list[_Turn] = field(default_factory=list)
    answers: dict[str, _Turn] = field(default_factory=dict)
    times: list[int] = field(default_factory=list)
    input: int | None = None
    output: int | None = None
    error: str | None = None


class Conversation:
    """Collects what was said and done; `transcript` makes the noun of it."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.left_out: Counter[str] = Counter()
        """Kinds of content that a transcript has no place for."""
        self._system: list[str] = []
        self._beats: list[_Beat] = []
        self._calls: list[_Call] = []
        self._results: list[_Result] = []

    @property
    def has_begun(self) -> bool:
        return bool(self._beats)

    @property
    def beat(self) -> int:
        """The beat that is running, or the first one that will."""
        return max(0, len(self._beats) - 1)

    def instructed(self, text: str | None) -> None:
        """A part of the system prompt."""
        if text and text not in self._system:
            self._system.append(text)

    def heard(self, text: str | None, at: str | None = None) -> None:
        """A message of the user, or of the environment: a beat begins."""
        self._beats.append(_Beat(text, at or ""))
        self._timed(at)

    def said(
        self, text: str | None, calls: Sequence[AskedCall] = (), *, at: str | None = None, answer: str | None = None
    ) -> None:
        """A turn of the agent. Pieces that name the same answer are one turn."""
        beat = self._current()
        turn = beat.answers.get(answer) if answer is not None else None
        if turn is None:
            turn = _Turn()
            beat.turns.append(turn)
            if answer is not None:
                beat.answers[answer] = turn
        if text is not None:
            turn.texts.append(text)
        when = self._timed(at)
        for call in calls:
            if call.fault:
                self.notes.append(f"a call of {call.name or 'no tool'} in beat {self.beat} {call.fault}")
            turn.calls.append(_Call(call, self.beat, id(turn), when))
        self._calls += turn.calls[len(turn.calls) - len(calls) :]

    def returned(
        self, content: Any, *, id: str | None = None, name: str | None = None, ok: bool | None = None,
        at: str | None = None, duration_ms: float | None = None,
    ) -> None:  # fmt: skip
        """What a tool gave back."""
        when = self._timed(at)
        self._results.append(_Result(content, id, name, ok, when, len(self._calls), self.beat, duration_ms))

    def broke(self, reason: str) -> None:
        """The beat ended without the agent's last word."""
        self._current().error = reason

    def used(self, beat: int, input: int | None, output: int | None) -> None:
        """Tokens of one answer in that beat."""
        found = self._beats[beat] if self._beats else self._current()
        if input is not None:
            found.input = (found.input or 0) + input
        if output is not None:
            found.output = (found.output or 0) + output

    def transcript(
        self, scenario_id: str, run_id: str, source: str,
        *, model: str | None = None, end: RunEnd | None = None, metadata: dict[str, Any] | None = None,
    ) -> Transcript:  # fmt: skip
        strays = self._join()
        if end is not None:
            end = end.model_copy(update={"beats": len(self._beats)})
        found = {
            "system_prompt": "\n\n".join(self._system),
            "model": model,
            "unmatched_results": [{"id": one.id, "name": one.name, "content": one.content} for one in strays],
            "notes": [*self.notes, *self._told(strays)],
        }
        config = None
        if model:
            config = RecordedConfig(agent_model=model, user_sim_model=NO_MODEL, judge_model=NO_MODEL)
        return Transcript(
            scenario_id=scenario_id, run_id=run_id, run_config=config, source=source, end=end,
            heartbeats=[_beat(number, beat) for number, beat in enumerate(self._beats)],
            metadata={**(metadata or {}), **{key: value for key, value in found.items() if value}},
        )  # fmt: skip

    def _current(self) -> _Beat:
        if not self._beats:
            self._beats.append(_Beat(None, ""))
        return self._beats[-1]

    def _timed(self, at: str | None) -> int | None:
        when = instant(at)
        if when is not None and self._beats:
            self._beats[-1].times.append(when)
        return when

    def _join(self) -> list[_Result]:
        """Give each result to its call; those that are left have none."""
        by_id: dict[str, list[int]] = {}
        for number, call in enumerate(self._calls):
            if call.asked.id is not None:
                by_id.setdefault(call.asked.id, []).append(number)
        rest: list[_Result] = []
        for result in self._results:
            numbers = by_id.get(result.id or "", [])
            if numbers:
                self._calls[numbers.pop(self._nearest(numbers, result.known))].result = result
            else:
                rest.append(result)
        return self._join_by_order(rest)

    def _nearest(self, numbers: list[int], known: int) -> int:
        """Which of the calls with one id a result means: ids may be used again, turn after turn."""
        place = max(0, bisect_left(numbers, known) - 1)
        while place and self._calls[numbers[place - 1]].turn == self._calls[numbers[place]].turn:
            place -= 1
        return place

    def _join_by_order(self, results: list[_Result]) -> list[_Result]:
        """A result with an id goes only to a call without one: two ids that differ say that they are strangers."""
        queues: dict[tuple[bool, str | None], deque[int]] = {}
        for number, call in enumerate(self._calls):
            if call.result is None:
                for without_id in {False, call.asked.id is None}:
                    for name in (call.asked.name, None):
                        queues.setdefault((without_id, name), deque()).append(number)
        strays = []
        for result in results:
            queue = queues.get((result.id is not None, result.name or None), deque())
            while queue and self._calls[queue[0]].result is not None:
                queue.popleft()
            if queue and queue[0] < result.known:
                self._calls[queue.popleft()].result = result
            else:
                strays.append(result)
        return strays

    def _told(self, strays: list[_Result]) -> Iterable[str]:
        silent = [f"{call.asked.name} (beat {call.beat})" for call in self._calls if call.result is None]
        if silent:
            yield f"{_many(silent, 'call has', 'calls have')} no result: {_few(silent)}"
        if strays:
            names = [f"{one.name or one.id or 'unnamed'} (beat {one.beat})" for one in strays]
            yield f"{_many(names, 'result has', 'results have')} no call: {_few(names)}"
        if self.left_out:
            yield "left out: " + ", ".join(f"{kind} × {count}" for kind, count in sorted(self.left_out.items()))


def _beat(number: int, beat: _Beat) -> Beat:
    spent = beat.input is not None or beat.output is not None
    return Beat(
        heartbeat_id=number,
        timestamp=beat.timestamp,
        turns=[_turn(turn) for turn in beat.turns],
        user_message=beat.message,
        usage=Usage(input=beat.input, output=beat.output) if spent else None,
        latency_ms=(max(beat.times) - min(beat.times)) / 1000 if len(beat.times) > 1 else None,
        stop_reason="error" if beat.error else None,
        error=beat.error,
    )


def _turn(turn: _Turn) -> Turn:
    return Turn(agent_text="\n".join(turn.texts) if turn.texts else None, tool_calls=list(map(_call, turn.calls)))


def _call(call: _Call) -> ToolCall:
    asked, result = call.asked, call.result
    if result is None:
        return ToolCall(tool=asked.name, args=asked.args, result={}, routed_to=UNANSWERED, id=asked.id)
    lasted = result.duration_ms
    if lasted is None and call.at is not None and result.at is not None and result.at >= call.at:
        lasted = (result.at - call.at) / 1000
    return ToolCall(
        tool=asked.name, args=asked.args, result=as_object(result.content), routed_to=ANSWERED,
        id=asked.id, ok=result.ok, duration_ms=lasted,
    )  # fmt: skip


def as_object(content: Any) -> dict[str, Any]:
    """A result as an object: as it is, as the text says it, or under the key `text` or `content`."""
    if isinstance(content, dict):
        return content
    if content is None:
        return {}
    if not isinstance(content, str):
        return {"content": content}
    try:
        read = msgspec.json.decode(content) if content.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        read = None
    return read if isinstance(read, dict) else {"text": content}


def named_apart(transcripts: Sequence[Transcript]) -> list[Transcript]:
    """The same, with runs of one name numbered: two runs must not be taken for one."""
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for one in transcripts:
        seen[one.scenario_id, one.run_id] += 1
        times = seen[one.scenario_id, one.run_id]
        if times > 1:
            notes = [*one.metadata.get("notes", ()), f"run {one.run_id} is there {times} times; this one was renamed"]
            one = one.model_copy(
                update={"run_id": f"{one.run_id} ({times})", "metadata": {**one.metadata, "notes": notes}}
            )
        kept.append(one)
    return kept


def refused(path: Path, problem: str) -> Refused:
    return Refused(f"{path.name}: {problem}", code=CODE)


def name_of(value: Any) -> str | None:
    """An id as others write it: text or a whole number."""
    if isinstance(value, str):
        return value.strip() or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _many(found: Sequence[str], one: str, more: str) -> str:
    return f"{len(found)} {one if len(found) == 1 else more}"


def _few(found: Sequence[str]) -> str:
    shown = ", ".join(found[:_SHOWN])
    return shown if len(found) <= _SHOWN else f"{shown} and {len(found) - _SHOWN} more"
