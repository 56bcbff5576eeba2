"""A stored run as a transcript, with the evidence of its score in the places where it is to be seen."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from gnomon.bench.families import by_name
from gnomon.errors import InvalidInput, NotFound
from gnomon.interop.spans import from_trace, is_own_run, step_span_id
from gnomon.model.bench import RunScore
from gnomon.model.cutting import StringCutter
from gnomon.model.runtranscript import (
    MOST_STEPS,
    TEXT_BYTES,
    RunTranscript,
    TranscriptCall,
    TranscriptClaim,
    TranscriptMetric,
    TranscriptStep,
    TranscriptTurn,
)
from gnomon.model.transcript import Step, Transcript
from gnomon.service.analysis.leaderboard import agent_of
from gnomon.service.bench.records import BenchRecord, records_of
from gnomon.service.call import Call, just_written, visible
from gnomon.service.traces import traces
from gnomon.store import experiments, runpages

ClaimPosition = tuple[int | None, int | None, int | None]
"""Step, turn and call."""
_NO_RECORD = "its trace has no score with evidence; push the run again into a new dataset to have it"


def get(call: Call, run_id: str) -> RunTranscript:
    run = visible(call.principal, runpages.get(call.db, run_id), f"run {run_id!r}")
    experiment = just_written(experiments.get(call.db, run.experiment_id))
    if run.trace_id is None:
        raise NotFound(f"run {run_id!r} has no trace, so there is no transcript of it")
    trace = traces.get(call, run.trace_id, run.project_id)
    transcript = from_trace(trace)
    record = records_of(call, run.project_id, [run.trace_id]).get(run.trace_id)
    score = None if record is None else record.run_score
    claims = [] if score is None else _claims(score, transcript.steps)
    cutter = StringCutter(TEXT_BYTES)
    steps = _steps(transcript, claims, cutter, run.trace_id if is_own_run(trace) else None)
    return RunTranscript(
        run_id=run.id, experiment_id=run.experiment_id, dataset_id=experiment.dataset_id,
        dataset_item_id=run.dataset_item_id, trial=run.trial,
        trace_id=run.trace_id, agent_id=agent_of(experiment), scenario_id=transcript.scenario_id,
        family=None if score is None else score.family, success=None if score is None else score.success,
        reason=None if score is None else score.reason,
        metrics=[] if score is None else _metrics(score), claims=claims, steps=steps,
        step_count=len(transcript.steps), truncated=cutter.count, notes=_notes(experiment.metadata, record),
    )  # fmt: skip


def _notes(metadata: Mapping[str, object] | None, record: BenchRecord | None) -> list[str]:
    return [_NO_RECORD] if record is None and (metadata or {}).get("benchmark") is True else []


def _labels(family: str) -> dict[str, str]:
    try:
        return {metric.name: metric.label for metric in by_name(family).metrics.metrics}
    except InvalidInput:  # a family that this Gnomon does not know
        return {}


def _metrics(score: RunScore) -> list[TranscriptMetric]:
    labels = _labels(score.family)
    return [
        TranscriptMetric(
            name=name, label=labels.get(name, name), value=metric.value, reason=metric.reason,
            claims=[index for index in metric.evidence if 0 <= index < len(score.evidence)],
        )
        for name, metric in score.metrics.items()
    ]  # fmt: skip


def _claims(score: RunScore, steps: Sequence[Step]) -> list[TranscriptClaim]:
    labels = _labels(score.family)
    index_of = {step.step_id: index for index, step in enumerate(steps)}
    claims = []
    for evidence in score.evidence:
        step, turn, call = _there(steps, index_of.get(evidence.step_id), evidence.turn, evidence.call)
        label = labels.get(evidence.claim, evidence.claim.replace("_", " "))
        claims.append(TranscriptClaim(
            claim=evidence.claim, label=label, excerpt=evidence.excerpt, step=step, turn=turn, call=call,
        ))  # fmt: skip
    return claims


def _there(steps: Sequence[Step], step: int | None, turn: int | None, call: int | None) -> ClaimPosition:
    """The claim's position, as exactly as the transcript has it."""
    if step is None or step >= MOST_STEPS:
        return None, None, None
    turns = steps[step].turns
    if turn is None or not 0 <= turn < len(turns):
        return step, None, None
    return step, turn, call if call is not None and 0 <= call < len(turns[turn].tool_calls) else None


def _steps(
    transcript: Transcript, claims: Sequence[TranscriptClaim], cutter: StringCutter, trace_id: str | None
) -> list[TranscriptStep]:
    at: dict[ClaimPosition, list[int]] = defaultdict(list)
    for number, claim in enumerate(claims):
        at[claim.step, claim.turn, claim.call].append(number)
    return [
        TranscriptStep(
            step_id=step.step_id, span_id=None if trace_id is None else step_span_id(trace_id, index),
            timestamp=step.timestamp, message=_text(step.user_message, cutter),
            turns=_turns(step, index, at, cutter), error=_text(step.error, cutter), claims=at[index, None, None],
        )
        for index, step in enumerate(transcript.steps[:MOST_STEPS])
    ]  # fmt: skip


def _turns(step: Step, index: int, at: Mapping[ClaimPosition, list[int]], cutter: StringCutter) -> list[TranscriptTurn]:
    return [
        TranscriptTurn(
            text=_text(turn.agent_text, cutter), claims=at.get((index, number, None), []),
            calls=[
                TranscriptCall(
                    tool=called.tool, arguments=cutter.inside(called.args), result=cutter.inside(called.result),
                    ok=called.ok, claims=at.get((index, number, order), []),
                )
                for order, called in enumerate(turn.tool_calls)
            ],
        )
        for number, turn in enumerate(step.turns)
    ]  # fmt: skip


def _text(text: str | None, cutter: StringCutter) -> str | None:
    shown = cutter.inside(text)
    return shown if isinstance(shown, str) else None
