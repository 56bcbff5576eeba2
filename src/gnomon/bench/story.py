"""A run as text, for a judge: steps in full where they matter, the others summed up in a line.

The agent's name is not in it, so that nobody's reputation is judged. Long texts are shortened in the middle and
say so. Which steps matter is for the family to say.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from gnomon.model.transcript import Step, ToolCall, Transcript
from gnomon.scorers.rubric import Finding

LONGEST_TEXT = 2_000
LONGEST_STORY = 60_000


def story(
    transcript: Transcript, in_full: Collection[int], marks: Mapping[int, str] | None = None, word: str = "step"
) -> str:
    """The run, with the steps whose ids are `in_full` in full; `marks` stand in their headings, which say `word`."""
    parts = []
    quiet: list[Step] = []
    for step in transcript.steps:
        if step.step_id in in_full:
            parts += [*_summed(quiet, word), "\n".join(_step_lines(step, (marks or {}).get(step.step_id), word))]
            quiet = []
        else:
            quiet.append(step)
    return _cut("\n\n".join([*parts, *_summed(quiet, word)]), LONGEST_STORY)


def whole_story(transcript: Transcript, word: str = "step") -> str:
    """Every step in full, where nobody knows which of them matter."""
    return story(transcript, {step.step_id for step in transcript.steps}, word=word)


def _summed(quiet: Sequence[Step], word: str) -> Iterator[str]:
    if not quiet:
        return
    first, last = quiet[0].step_id, quiet[-1].step_id
    calls = Counter(call.tool for step in quiet for turn in step.turns for call in turn.tool_calls)
    calls_text = ", ".join(f"{tool} {count} times" for tool, count in sorted(calls.items())) or "no tool was called"
    yield f"[{word}s {first} to {last}: {calls_text}]"


def _step_lines(step: Step, mark: str | None, word: str) -> Iterator[str]:
    time = f", {step.timestamp}" if step.timestamp else ""
    yield f"[{word} {step.step_id}{time}{f' ({mark})' if mark else ''}]"
    if step.user_message:
        yield f"given: {_cut(step.user_message, LONGEST_TEXT)}"
    for turn in step.turns:
        if turn.agent_text:
            yield f"wrote: {_cut(turn.agent_text, LONGEST_TEXT)}"
        yield from (_called(call) for call in turn.tool_calls)
    if step.error:
        yield f"broke off: {_cut(step.error, LONGEST_TEXT)}"


def _called(call: ToolCall) -> str:
    args = json.dumps(call.args, ensure_ascii=False, sort_keys=True, default=str)
    result = json.dumps(call.result, ensure_ascii=False, sort_keys=True, default=str)
    return f"called {call.tool} {_cut(args, LONGEST_TEXT)} and got {_cut(result, LONGEST_TEXT)}"


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} […{len(text) - longest:,} characters left out…] {text[-half:]}"


def findings(facts: Mapping[str, tuple[bool | float | str, str]]) -> list[Finding]:
    """Facts that a judge is told and cannot change: name → value, and what it means."""
    return [
        Finding(name=name, value=value, statement=f"{words}: {_value_text(value)}.")
        for name, (value, words) in facts.items()
    ]


def _value_text(value: bool | float | str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else value
