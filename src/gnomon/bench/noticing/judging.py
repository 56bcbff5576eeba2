"""A day as a judge reads it: what was seen and done around the onset, and the rest of the day in a few lines."""

from collections.abc import Sequence

from gnomon.bench.family import JudgeMaterial
from gnomon.bench.noticing.actions import role_of
from gnomon.bench.noticing.result import ScoringResult
from gnomon.bench.noticing.scenario import AnswerKey
from gnomon.bench.story import findings, story
from gnomon.model.bench import RunScore
from gnomon.model.transcript import Step, Transcript
from gnomon.scorers.protocol import Sample
from gnomon.scorers.rubric import Finding

WORD = "update"
"""What a beat is called to agents and judges."""
_BEFORE = 2
"""Beats before the onset that are told in full, for what normal looks like."""
_MOST_TOLD = 16
"""Beats in full, unless the window alone has more: what happened at the onset must not drown."""


def judge_material(transcript: Transcript, key: AnswerKey, score: RunScore) -> JudgeMaterial:
    onset, window = key.onset_heartbeat_id, score.settings.get("window", 0)
    about = {
        "what happened": "nothing that called for action" if onset is None else key.kind.replace("_", " "),
        "begins at update": onset,
        "updates that count after it": window,
    }
    alarms = [evidence.step_id for evidence in score.evidence if evidence.claim == "false_alarm"]
    return JudgeMaterial(Sample(about, day_story(transcript, onset, window, alarms)), run_findings(score))


def day_story(transcript: Transcript, onset: int | None, window: int, alarms: Sequence[int] = ()) -> str:
    """The beats that matter in full: around the onset, those in `told`, then those in which somebody was spoken to."""
    ids = [step.step_id for step in transcript.steps]
    around = [] if onset is None else [id for id in ids if onset - _BEFORE <= id <= onset + window]
    spoke = [step.step_id for step in transcript.steps if _spoke(step)]
    wanted = list(dict.fromkeys([*around, *alarms, *spoke]))
    marks = {} if onset is None else {onset: "here it begins"}
    return story(transcript, set(wanted[: max(_MOST_TOLD, len(around))]), marks, WORD)


def _spoke(step: Step) -> bool:
    return any(role_of(call.tool) in ("call", "message") for turn in step.turns for call in turn.tool_calls)


def run_findings(score: RunScore) -> list[Finding]:
    """What rules established of a run."""
    if score.result is None:
        return []
    result = ScoringResult.model_validate(score.result)
    quiet = score.metrics["detection"].is_absent
    facts: dict[str, tuple[bool | float | str, str]] = {
        "quiet_day": (quiet, "Nothing on this day called for action"),
        "false_alarms": (float(score.value("false_alarms")), "Alarms that it raised without a reason"),
    }
    if not quiet:
        kind, time = result.action_type, result.time_to_action
        acted = "it never acted" if time is None else f"it acted {time} updates later"
        facts |= {
            "emergency_call": (kind in ("called_911", "both"), "It called an emergency number in time"),
            "contact_about_it": (kind in ("contacted_someone", "both"), "It told somebody of it in time"),
            "weak_contact": (
                "contacted_weak" in score.flags,
                "It reached somebody in a way that leaves open whether it was about this",
            ),
            "noted_in_memory": (result.detection_in_memory, "It kept a note of it"),
            "time_to_action": (acted, "Counted in updates from the onset"),
        }
    return findings(facts)
