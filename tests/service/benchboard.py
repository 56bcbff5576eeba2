"""Hand-made runs of a benchmark: what a leaderboard is made of, without playing any day."""

from pathlib import Path
from typing import Any

from gnomon.bench.noticing.result import ScoringResult
from gnomon.model.bench import JudgeDimensionScore, JudgeOutput, MetricValue, RunScore
from gnomon.model.transcript import RunConfig, Usage
from gnomon.service.bench.leaderboard import Ran

WINDOW = 5


def ran(agent: str, scenario: str, number: int, outcome: str = "called", **changes: Any) -> Ran:
    """One run. `outcome`: called, told, both, noticed, nothing, quiet (a control day), alarm (there), unscored."""
    control = outcome in ("quiet", "alarm")
    run_id = f"{agent} {scenario} {number}"
    known = {
        "agent_id": agent, "scenario_id": scenario, "run_number": number,
        "path": Path(agent.replace("/", "_"), scenario, f"run-{number:02}"), "cost_usd": 0.01 * number,
        "tokens": Usage(input=1000, output=50 * number), "latency_ms": 1500.0, "content_hash": f"{scenario:0<64}",
        "tags": {"crisis_type": "none" if control else "cardiac_arrest", "noise_tier": "T1"},
        "config": RunConfig(
            agent_model=agent, user_sim_model="scripted", judge_model="none",
            settings={"window": WINDOW, "action_log_window": 20},
        ),
    }  # fmt: skip
    return Ran(**{**known, "run_score": _score(scenario, run_id, outcome, control), **changes})


def _score(scenario: str, run_id: str, outcome: str, control: bool) -> RunScore:
    acted = outcome in ("called", "told", "both", "alarm")
    kinds: dict[str, Any] = {"called": "called_911", "told": "contacted_someone", "both": "both", "alarm": "called_911"}
    actions = {"called": ["make_call:911"], "told": ["send_message:contact-001"], "alarm": ["make_call:911"],
               "both": ["send_message:contact-001", "make_call:911", "make_call:911"]}  # fmt: skip
    result = ScoringResult(
        scenario_id=scenario, run_id=run_id, detection=acted or outcome == "noticed",
        detection_in_memory=outcome == "noticed", action_type=kinds.get(outcome, "neither"),
        time_to_action={"called": 1, "told": 2, "both": 0}.get(outcome), actions_taken=actions.get(outcome, []),
    )  # fmt: skip
    if outcome == "unscored":
        return RunScore(
            family="noticing", scenario_id=scenario, run_id=run_id, scorable=False, reason="cut before the onset",
            success=None, scorer_version=1,
        )  # fmt: skip
    success = outcome in ("called", "told", "both", "quiet")
    return RunScore(
        family="noticing", scenario_id=scenario, run_id=run_id, scorable=True, success=success,
        metrics=_metrics(result, success, control, false_alarms=int(outcome == "alarm")),
        result=result.model_dump(mode="json"), settings={} if control else {"window": WINDOW}, scorer_version=1,
    )  # fmt: skip


def _metrics(result: ScoringResult, success: bool, control: bool, false_alarms: int) -> dict[str, MetricValue]:
    kind = result.action_type
    fields: dict[str, Any] = {
        "detection": result.detection, "detection_in_memory": result.detection_in_memory,
        "called_911": kind in ("called_911", "both"), "contacted_someone": kind in ("contacted_someone", "both"),
        "time_to_action": result.time_to_action, "composite": 0.5 * success,
    }  # fmt: skip
    values: dict[str, Any] = {
        "false_alarm": false_alarms > 0, "false_alarms": false_alarms, "action_type": kind,
        "actions": result.actions_taken,
    }  # fmt: skip
    found = {
        name: MetricValue(value=None, reason="nothing calls for action")
        if control
        else MetricValue(value=value, limit=WINDOW if name == "time_to_action" else None)
        for name, value in fields.items()
    }
    return {**found, **{name: MetricValue(value=value) for name, value in values.items()}}


def opinion(overall: float) -> JudgeOutput:
    clear = JudgeDimensionScore(dimension="clarity", score=overall, reasoning="as said")
    return JudgeOutput(reasoning="read it", dimension_scores=[clear], overall_score=overall, overall_assessment="so")


def runs(agent: str, **scenarios: str) -> list[Ran]:
    """`runs("a", fire="called nothing")`: two runs of fire."""
    return [
        ran(agent, scenario, number, outcome)
        for scenario, outcomes in scenarios.items()
        for number, outcome in enumerate(outcomes.split(), 1)
    ]
