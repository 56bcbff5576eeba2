"""Hand-made runs of a benchmark: what a leaderboard is made of, without playing any day."""

from pathlib import Path
from typing import Any

from gnomon.model.bench import JudgeDimensionScore, JudgeOutput, RunScore, ScoringResult
from gnomon.model.transcript import RunConfig, Usage
from gnomon.service.benches import Ran

WINDOW = 5


def ran(agent: str, scenario: str, number: int, outcome: str = "called", **changes: Any) -> Ran:
    """One run. `outcome`: called, told, both, noticed, nothing, quiet (a control day), alarm (there), unscored."""
    control = outcome in ("quiet", "alarm")
    run_id = f"{agent} {scenario} {number}"
    known = {
        "agent_id": agent, "scenario_id": scenario, "run_number": number,
        "path": Path(agent.replace("/", "_"), scenario, f"run-{number:02}"), "cost_usd": 0.01 * number,
        "tokens": Usage(input=1000, output=50 * number), "latency_ms": 1500.0, "content_hash": f"{scenario:0<64}",
        "noise_tier": "T1", "crisis_type": "none" if control else "cardiac_arrest",
        "config": RunConfig(agent_model=agent, user_sim_model="scripted", judge_model="none"),
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
    scorable = outcome != "unscored"
    success = outcome in ("called", "told", "both", "quiet")
    return RunScore(
        scenario_id=scenario, run_id=run_id, scorable=scorable, reason=None if scorable else "cut before the onset",
        result=result if scorable else None, success=success if scorable else None,
        composite=None if control or not scorable else 0.5 * success, control=control, window=0 if control else WINDOW,
        false_alarms=int(outcome == "alarm"), flags=[], evidence=[], scorer_version=1,
    )  # fmt: skip


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
