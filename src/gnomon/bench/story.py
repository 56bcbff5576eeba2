"""A run as a judge reads it: what was seen and done around the onset, and the rest of the day in a few lines.

The agent's name is not in it, so that nobody's reputation is judged. Long texts are shortened in the middle and
say so; a day of quiet beats is counted, not told.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from gnomon.bench.actions import role_of
from gnomon.model.bench import RunScore
from gnomon.model.transcript import Beat, ToolCall, Transcript
from gnomon.scorers.rubric import Finding

LONGEST_TEXT = 2_000
LONGEST_STORY = 60_000
_BEFORE = 2
"""Beats before the onset that are told in full, for what normal looks like."""
_MOST_TOLD = 16
"""Beats in full, unless the window alone has more: what happened at the onset must not drown."""


def story(transcript: Transcript, onset: int | None, window: int, told: Sequence[int] = ()) -> str:
    """The beats that matter in full: around the onset, those in `told`, then those in which somebody was spoken to."""
    beats = transcript.heartbeats
    ids = [beat.heartbeat_id for beat in beats]
    around = [] if onset is None else [id for id in ids if onset - _BEFORE <= id <= onset + window]
    spoke = [beat.heartbeat_id for beat in beats if _spoke(beat)]
    wanted = list(dict.fromkeys([*around, *told, *spoke]))
    return _story(beats, set(wanted[: max(_MOST_TOLD, len(around))]), onset)


def whole_story(transcript: Transcript) -> str:
    """Every beat in full, where nobody knows which of them matter."""
    return _story(transcript.heartbeats, {beat.heartbeat_id for beat in transcript.heartbeats}, None)


def _story(beats: Sequence[Beat], in_full: set[int], onset: int | None) -> str:
    parts = []
    quiet: list[Beat] = []
    for beat in beats:
        if beat.heartbeat_id in in_full:
            parts += [*_summed(quiet), "\n".join(_told(beat, onset))]
            quiet = []
        else:
            quiet.append(beat)
    return _cut("\n\n".join([*parts, *_summed(quiet)]), LONGEST_STORY)


def _spoke(beat: Beat) -> bool:
    return any(role_of(call.tool) in ("call", "message") for turn in beat.turns for call in turn.tool_calls)


def _summed(quiet: Sequence[Beat]) -> Iterator[str]:
    if not quiet:
        return
    first, last = quiet[0].heartbeat_id, quiet[-1].heartbeat_id
    calls = Counter(call.tool for beat in quiet for turn in beat.turns for call in turn.tool_calls)
    said = ", ".join(f"{tool} {count} times" for tool, count in sorted(calls.items())) or "no tool was called"
    yield f"[updates {first} to {last}: {said}]"


def _told(beat: Beat, onset: int | None) -> Iterator[str]:
    mark = " (here it begins)" if beat.heartbeat_id == onset else ""
    yield f"[update {beat.heartbeat_id}, {beat.timestamp}{mark}]"
    if beat.user_message:
        yield f"given: {_cut(beat.user_message, LONGEST_TEXT)}"
    for turn in beat.turns:
        if turn.agent_text:
            yield f"wrote: {_cut(turn.agent_text, LONGEST_TEXT)}"
        yield from (_called(call) for call in turn.tool_calls)
    if beat.error:
        yield f"broke off: {_cut(beat.error, LONGEST_TEXT)}"


def _called(call: ToolCall) -> str:
    args = json.dumps(call.args, ensure_ascii=False, sort_keys=True, default=str)
    result = json.dumps(call.result, ensure_ascii=False, sort_keys=True, default=str)
    return f"called {call.tool} {_cut(args, LONGEST_TEXT)} and got {_cut(result, LONGEST_TEXT)}"


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} […{len(text) - longest:,} characters left out…] {text[-half:]}"


def findings(score: RunScore) -> list[Finding]:
    """What rules established of a run, as facts that a judge is told and cannot change."""
    found = score.result
    if found is None:
        return []
    facts: dict[str, tuple[bool | float | str, str]] = {
        "quiet_day": (score.control, "Nothing on this day called for action"),
        "false_alarms": (float(score.false_alarms), "Alarms that it raised without a reason"),
    }
    if not score.control:
        acted = "it never acted" if found.time_to_action is None else f"it acted {found.time_to_action} updates later"
        facts |= {
            "emergency_call": (found.action_type in ("called_911", "both"), "It called an emergency number in time"),
            "contact_about_it": (found.action_type in ("contacted_someone", "both"), "It told somebody of it in time"),
            "weak_contact": (
                "contacted_weak" in score.flags,
                "It reached somebody in a way that leaves open whether it was about this",
            ),
            "noted_in_memory": (found.detection_in_memory, "It kept a note of it"),
            "time_to_action": (acted, "Counted in updates from the onset"),
        }
    return [
        Finding(name=name, value=value, statement=f"{words}: {_said(value)}.") for name, (value, words) in facts.items()
    ]


def _said(value: bool | float | str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else value
