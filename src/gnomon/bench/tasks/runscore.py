"""From a transcript to a run's score: which runs can be scored, and the metrics with their evidence."""

from collections.abc import Sequence

from gnomon.bench.tasks.nouns import FAMILY
from gnomon.bench.tasks.package import Task
from gnomon.bench.tasks.playing import answer_in, exchanges, succeeded
from gnomon.bench.tasks.scoring import (
    SCORER_VERSION,
    AgentMessage,
    CallPosition,
    Episode,
    MadeCall,
    TaskMetric,
    TaskScore,
    score,
)
from gnomon.bench.tasks.user import scripted_reply
from gnomon.bench.usersim import SCRIPTED
from gnomon.model.bench import Evidence, MetricValue, RunScore
from gnomon.model.transcript import Step, Transcript
from gnomon.shorten import counted

_SHARES = {"required_calls": "the task requires no call", "required_words": "the task requires no words"}
_LONGEST_EXCERPT = 400
MOST_FAILURES = 50


def score_run(task: Task, transcript: Transcript) -> RunScore:
    """What a run came to. One that is not whole is not scored: it would speak for or against its agent by chance."""
    reason = why_not(task, transcript)
    if reason is not None:
        return RunScore(
            family=FAMILY, scenario_id=transcript.scenario_id, run_id=transcript.run_id, scorable=False, reason=reason,
            success=None, scorer_version=SCORER_VERSION,
        )  # fmt: skip
    return _scored(task, transcript, score(task, episode_of(transcript.steps)))


def why_not(task: Task, transcript: Transcript) -> str | None:
    """Why a run cannot be scored; None when it can."""
    header, end, steps = transcript.header, transcript.end, transcript.steps
    if not steps:
        return "it has no steps"
    if end is not None and end.status != "ok":
        return f"the run ended with status {end.status}" + (f": {end.reason}" if end.reason else "")
    if transcript.is_cut:
        return f"it was cut after step {steps[-1].step_id}"
    failed = next((step for step in steps if step.error is not None), None)
    if failed is not None:
        return f"step {failed.step_id} failed: {failed.error}"
    if [step.step_id for step in steps] != list(range(len(steps))):
        return f"its steps are not 0 to {len(steps) - 1}; what an agent does without those before says nothing"
    if header is not None and header.content_hash not in ("", task.content_hash):
        return f"it is a run of another version of the task (content hash {header.content_hash[:12]}…)"
    return _unfinished(task, transcript)


def _unfinished(task: Task, transcript: Transcript) -> str | None:
    """A limit of steps may have ended the run while the user had more to say."""
    config = transcript.run_config
    if config is not None and config.user_sim_model == SCRIPTED:
        reply = scripted_reply(task, exchanges(transcript.steps))
        if reply is not None:
            return f"it was stopped after {counted(len(transcript.steps), 'step')}, when the user had more to say"
    return None


def episode_of(steps: Sequence[Step]) -> Episode:
    """A run as rules look at it."""
    calls = [
        MadeCall(CallPosition(step.step_id, number_of_turn, number), call.tool, call.args, succeeded(call))
        for step in steps
        for number_of_turn, turn in enumerate(step.turns)
        for number, call in enumerate(turn.tool_calls)
    ]
    answers = [
        AgentMessage(CallPosition(step.step_id, len(step.turns) - 1), text)
        for step in steps
        if (text := answer_in(step))
    ]
    return Episode(calls, answers, len(steps))


def _scored(task: Task, transcript: Transcript, scored: TaskScore) -> RunScore:
    evidence: list[Evidence] = []
    metrics: dict[str, MetricValue] = {}
    last = transcript.steps[-1].step_id
    for metric in scored.metrics:
        claims = range(len(evidence), len(evidence) + len(metric.proofs))
        evidence += [_evidence(metric.name, proof.position, proof.excerpt, last) for proof in metric.proofs]
        metrics[metric.name] = _value(task, metric, list(claims))
    metrics["tools"] = MetricValue(value=_tools(transcript.steps))
    return RunScore(
        family=FAMILY, scenario_id=transcript.scenario_id, run_id=transcript.run_id, scorable=True,
        success=scored.success, metrics=metrics, result={"failures": list(scored.failures[:MOST_FAILURES])},
        flags=_flags(transcript.steps), evidence=evidence, scorer_version=SCORER_VERSION,
    )  # fmt: skip


def _tools(steps: Sequence[Step]) -> list[str]:
    """The tools that were called, each once, in the order of their first calls."""
    return list(dict.fromkeys(call.tool for step in steps for turn in step.turns for call in turn.tool_calls))


def _value(task: Task, metric: TaskMetric, evidence: list[int]) -> MetricValue:
    if metric.name in _SHARES and not getattr(task.file, metric.name):
        return MetricValue(value=None, reason=_SHARES[metric.name])
    return MetricValue(value=metric.value, evidence=evidence)


def _evidence(claim: str, position: CallPosition, excerpt: str, last: int) -> Evidence:
    """The state of the world is seen at the end."""
    step = last if position.step is None else position.step
    return Evidence(
        claim=claim,
        step_id=step,
        turn=position.turn,
        call=position.call,
        excerpt=" ".join(excerpt.split())[:_LONGEST_EXCERPT],
    )


def _flags(steps: Sequence[Step]) -> list[str]:
    """`tool_limit`: the agent was stopped while it still called tools."""
    return ["tool_limit"] if any(step.stop_reason == "max_turns" for step in steps) else []
