"""Conversations of any origin as one `Transcript`: steps, turns, and tool results joined to their calls.

A reader says what it finds in the order in which it finds it; who answered what is worked out once, at the end.
A result belongs to the call with its id, or, where one of them has no id, to the next call in order. What does not
fit is kept and noted in `metadata["notes"]`.
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
from gnomon.model.transcript import NO_MODEL, RecordedConfig, RunEnd, Step, ToolCall, Transcript, Turn, Usage
from gnomon.shorten import counted, list_some

CODE = "INVALID_TRANSCRIPT"
ANSWERED = "environment"
"""What answered a call in an imported run: nothing more is known."""
UNANSWERED = "none"
_SHOWN = 5


@dataclass(slots=True)
class _OpenCall:
    request: AskedCall
    step: int
    turn: int
    at: int | None
    result: "_ToolResult | None" = None


@dataclass(slots=True)
class _ToolResult:
    content: Any
    id: str | None
    name: str | None
    ok: bool | None
    at: int | None
    known: int
    """How many calls there were when it came."""
    step: int
    duration_ms: float | None


@dataclass(slots=True)
class _Turn:
    texts: list[str] = field(default_factory=list)
    calls: list[_OpenCall] = field(default_factory=list)


@dataclass(slots=True)
class _OpenStep:
    message: str | None
    timestamp: str
    turns: list[_Turn] = field(default_factory=list)
    answers: dict[str, _Turn] = field(default_factory=dict)
    times: list[int] = field(default_factory=list)
    input: int | None = None
    output: int | None = None
    error: str | None = None


class ConversationBuilder:
    """Collects what was said and done; `transcript` makes the noun of it."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.left_out: Counter[str] = Counter()
        """Kinds of content that a transcript has no place for."""
        self._system: list[str] = []
        self._steps: list[_OpenStep] = []
        self._calls: list[_OpenCall] = []
        self._results: list[_ToolResult] = []

    @property
    def has_begun(self) -> bool:
        return bool(self._steps)

    @property
    def step(self) -> int:
        """The step that is running, or the first one that will."""
        return max(0, len(self._steps) - 1)

    def instructed(self, text: str | None) -> None:
        """A part of the system prompt."""
        if text and text not in self._system:
            self._system.append(text)

    def user_message(self, text: str | None, at: str | None = None) -> None:
        """Begin a step with a message of the user or of the environment."""
        self._steps.append(_OpenStep(text, at or ""))
        self._timed(at)

    def agent_turn(
        self, text: str | None, calls: Sequence[AskedCall] = (), *, at: str | None = None, answer: str | None = None
    ) -> None:
        """A turn of the agent. Pieces that name the same answer are one turn."""
        step = self._current()
        turn = step.answers.get(answer) if answer is not None else None
        if turn is None:
            turn = _Turn()
            step.turns.append(turn)
            if answer is not None:
                step.answers[answer] = turn
        if text is not None:
            turn.texts.append(text)
        when = self._timed(at)
        for call in calls:
            if call.fault:
                self.notes.append(f"a call of {call.name or 'no tool'} in step {self.step} {call.fault}")
            turn.calls.append(_OpenCall(call, self.step, id(turn), when))
        self._calls += turn.calls[len(turn.calls) - len(calls) :]

    def returned(
        self, content: Any, *, id: str | None = None, name: str | None = None, ok: bool | None = None,
        at: str | None = None, duration_ms: float | None = None,
    ) -> None:  # fmt: skip
        """What a tool gave back."""
        when = self._timed(at)
        self._results.append(_ToolResult(content, id, name, ok, when, len(self._calls), self.step, duration_ms))

    def broke(self, reason: str) -> None:
        """The step ended without the agent's last word."""
        self._current().error = reason

    def used(self, step: int, input: int | None, output: int | None) -> None:
        """Tokens of one answer in that step."""
        current = self._steps[step] if self._steps else self._current()
        if input is not None:
            current.input = (current.input or 0) + input
        if output is not None:
            current.output = (current.output or 0) + output

    def transcript(
        self, scenario_id: str, run_id: str, source: str,
        *, model: str | None = None, end: RunEnd | None = None, metadata: dict[str, Any] | None = None,
    ) -> Transcript:  # fmt: skip
        strays = self._join()
        if end is not None:
            end = end.model_copy(update={"steps": len(self._steps)})
        fields = {
            "system_prompt": "\n\n".join(self._system),
            "model": model,
            "unmatched_results": [{"id": stray.id, "name": stray.name, "content": stray.content} for stray in strays],
            "notes": [*self.notes, *self._gaps(strays)],
        }
        config = None
        if model:
            config = RecordedConfig(agent_model=model, user_sim_model=NO_MODEL, judge_model=NO_MODEL)
        return Transcript(
            scenario_id=scenario_id, run_id=run_id, run_config=config, source=source, end=end,
            steps=[_step(number, step) for number, step in enumerate(self._steps)],
            metadata={**(metadata or {}), **{key: value for key, value in fields.items() if value}},
        )  # fmt: skip

    def _current(self) -> _OpenStep:
        if not self._steps:
            self._steps.append(_OpenStep(None, ""))
        return self._steps[-1]

    def _timed(self, at: str | None) -> int | None:
        when = instant(at)
        if when is not None and self._steps:
            self._steps[-1].times.append(when)
        return when

    def _join(self) -> list[_ToolResult]:
        """Give each result to its call; those that are left have none."""
        by_id: dict[str, list[int]] = {}
        for number, call in enumerate(self._calls):
            if call.request.id is not None:
                by_id.setdefault(call.request.id, []).append(number)
        rest: list[_ToolResult] = []
        for result in self._results:
            numbers = by_id.get(result.id or "", [])
            if numbers:
                self._calls[numbers.pop(self._nearest(numbers, result.known))].result = result
            else:
                rest.append(result)
        return self._join_by_order(rest)

    def _nearest(self, numbers: list[int], known: int) -> int:
        """Which of the calls with one id a result means: ids may be used again, turn after turn."""
        index = max(0, bisect_left(numbers, known) - 1)
        while index and self._calls[numbers[index - 1]].turn == self._calls[numbers[index]].turn:
            index -= 1
        return index

    def _join_by_order(self, results: list[_ToolResult]) -> list[_ToolResult]:
        """A result with an id goes only to a call without one: two ids that differ say that they are strangers."""
        queues: dict[tuple[bool, str | None], deque[int]] = {}
        for number, call in enumerate(self._calls):
            if call.result is None:
                for without_id in {False, call.request.id is None}:
                    for name in (call.request.name, None):
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

    def _gaps(self, strays: list[_ToolResult]) -> Iterable[str]:
        silent = [f"{call.request.name} (step {call.step})" for call in self._calls if call.result is None]
        if silent:
            yield f"{counted(len(silent), 'call has', 'calls have')} no result: {list_some(silent, _SHOWN)}"
        if strays:
            names = [f"{stray.name or stray.id or 'unnamed'} (step {stray.step})" for stray in strays]
            yield f"{counted(len(names), 'result has', 'results have')} no call: {list_some(names, _SHOWN)}"
        if self.left_out:
            yield "left out: " + ", ".join(f"{kind} × {count}" for kind, count in sorted(self.left_out.items()))


def _step(number: int, step: _OpenStep) -> Step:
    spent = step.input is not None or step.output is not None
    return Step(
        step_id=number,
        timestamp=step.timestamp,
        turns=[_turn(turn) for turn in step.turns],
        user_message=step.message,
        usage=Usage(input=step.input, output=step.output) if spent else None,
        latency_ms=(max(step.times) - min(step.times)) / 1000 if len(step.times) > 1 else None,
        stop_reason="error" if step.error else None,
        error=step.error,
    )


def _turn(turn: _Turn) -> Turn:
    return Turn(agent_text="\n".join(turn.texts) if turn.texts else None, tool_calls=list(map(_call, turn.calls)))


def _call(call: _OpenCall) -> ToolCall:
    asked_call, result = call.request, call.result
    if result is None:
        return ToolCall(tool=asked_call.name, args=asked_call.args, result={}, routed_to=UNANSWERED, id=asked_call.id)
    lasted = result.duration_ms
    if lasted is None and call.at is not None and result.at is not None and result.at >= call.at:
        lasted = (result.at - call.at) / 1000
    return ToolCall(
        tool=asked_call.name, args=asked_call.args, result=as_object(result.content), routed_to=ANSWERED,
        id=asked_call.id, ok=result.ok, duration_ms=lasted,
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
    for transcript in transcripts:
        seen[transcript.scenario_id, transcript.run_id] += 1
        times = seen[transcript.scenario_id, transcript.run_id]
        if times > 1:
            notes = [
                *transcript.metadata.get("notes", ()),
                f"run {transcript.run_id} is there {times} times; this one was renamed",
            ]
            transcript = transcript.model_copy(
                update={"run_id": f"{transcript.run_id} ({times})", "metadata": {**transcript.metadata, "notes": notes}}
            )
        kept.append(transcript)
    return kept


def refused(path: Path, problem: str) -> Refused:
    return Refused(f"{path.name}: {problem}", code=CODE)


def name_of(value: Any) -> str | None:
    """An id as others write it: text or a whole number."""
    if isinstance(value, str):
        return value.strip() or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None
