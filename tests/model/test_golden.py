"""The nouns' JSON, as files. A change here is a change of the contract: look at the diff, then renew
the files with GNOMON_RENEW_GOLDEN=1."""

import json
import os
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from pydantic import BaseModel

from gnomon.bench.noticing.result import ScoringResult
from gnomon.model import access, aggregate, bench, dataset, drift, experiment, job, outcome, page, review, score, trace

GOLDEN = Path(__file__).parents[1] / "golden" / "nouns"
NOW = datetime(2026, 2, 21, 22, 0, 0, 5_000, tzinfo=UTC)

SCORE = score.Score(
    id="0195-score", project_id="p", target_id="0195-run", target_type="run", trace_id=None, scorer_name="exact_match",
    value=1.0, rationale=None, source="builtin", scorer="exact_match", config={"case_sensitive": False},
    config_hash="0123456789abcdef", metadata=None, created_at=NOW,
)  # fmt: skip
SPAN = trace.Span(
    id="span-A", trace_id="trace-1", parent_span_id=None, name="answer", input={"question": "capital?"}, output="Paris",
    start_time=NOW, end_time=NOW, duration_ms=340.0, tokens_input=12, tokens_output=3, model="demo-model",
    metadata={"env": "test", "beta": True, "none": None}, error=trace.SpanError(message="late", type="Timeout"),
)  # fmt: skip
TRACE_FIELDS = {
    "id": "trace-1", "project_id": "p", "root_span_id": "span-A", "span_count": 1, "created_at": NOW,
    "metadata": {"env": "test"}, "name": "answer", "duration_ms": 12.5, "model": None, "tokens": 15, "has_error": True,
    "in_queue": False,
}  # fmt: skip
THRESHOLD = experiment.ThresholdResult(
    passed=False, decision="fail", n=4, ci_method="wilson",
    actual_value=0.75, threshold=0.8, scorer_name="exact_match", metric="mean", comparison="gte", k=None,
    gap=-0.05, confidence_interval_95=(0.5, 0.9),
)  # fmt: skip
SCORER_SUMMARY = experiment.ScorerSummary(
    scorer_name="exact_match", scored_run_count=4, score_count=4, mean=0.75, min=0.0, max=1.0, standard_deviation=0.5,
    standard_error=0.25, confidence_interval_95=(0.3, 0.95), ci_method="wilson", clusters=None, flags=[],
    distribution=None, mixed=False, n_total=5, n_scored=4, n_absent=1, n_failed=0, n_pending=0,
    reasons={"no expected_output": 1}, missing_policy="drop", missing_bracket=(0.6, 0.8), pass_at_k={"1": 0.75},
    pass_pow_k={"1": 0.75}, pass_at_k_ci_95={"1": (0.3, 0.95)}, pass_pow_k_ci_95={"1": (0.3, 0.95)},
    label_shares={"good": aggregate.LabelShare(count=1, share=1.0, confidence_interval_95=(0.2, 1.0))},
)  # fmt: skip

# fmt: off
NOUNS: list[BaseModel] = [
    SCORE,
    SPAN,
    THRESHOLD,
    trace.TraceRow(**TRACE_FIELDS),
    trace.Trace(**TRACE_FIELDS, spans=[SPAN]),
    trace.Project(id="p", name="Support", created_at=NOW),
    trace.Deleted(id="x"),
    trace.Ingested(accepted=2, trace_ids=["trace-1"]),
    dataset.Dataset(
        id="d", project_id="p", name="capitals", description=None, version=2, item_count=1, created_at=NOW,
        updated_at=NOW,
    ),
    dataset.DatasetItem(
        id="i", dataset_id="d", key="q1", input="", expected_output={"answer": 42}, metadata={"level": [1, 2]},
        created_at=NOW,
    ),
    dataset.Imported(imported_count=1, skipped_count=1, skipped=[dataset.SkippedLine(line=2, reason="not JSON")]),
    dataset.ItemsSynced(dataset_id="d", version=3, added=1, changed=0, removed=2, kept=0, item_ids=["i"]),
    experiment.Experiment(
        id="e", project_id="p", name="v1", dataset_id="d", dataset_version=2, trials=5, auto_complete=False,
        status="running", run_count=3, metadata={"model": "demo-model"}, created_at=NOW, completed_at=None,
    ),
    experiment.Run(
        id="r", experiment_id="e", dataset_item_id="i", trial=0, output="Paris", error=None, trace_id=None, input="q",
        expected_output="Paris", scores=[SCORE], created_at=NOW,
    ),
    experiment.Summary(
        experiment_id="e", name="v1", status="completed", dataset_id="d", dataset_version=2, created_at=NOW,
        completed_at=NOW, metadata=None, run_count=5, failed_run_count=0, dataset_item_count=1,
        expected_item_count=1, expected_run_count=5, trials=5, missing_policy="drop", pass_threshold=1.0,
        threshold_result=THRESHOLD, scores_by_scorer={"exact_match": SCORER_SUMMARY},
    ),
    experiment.ExperimentComparison(
        base_experiment_id="e", base_name="v1", compare_experiment_id="f", compare_name="v2", missing_policy="drop",
        scorer_comparisons=[
            experiment.ScorerComparison(
                scorer_name="s", base_mean=0.5, compare_mean=1.0, delta=0.5, paired_delta=0.5, delta_ci_95=(0.1, 0.9),
                base_ci_95=(0.1, 0.9), compare_ci_95=(0.5, 1.0), ci_method="tango", permutation_p_value=0.5,
                words="cannot tell", more_items=3, flags=[], p_value=0.04,
                p_value_adjusted=0.08, verdict="inconclusive", improved_count=1, regressed_count=0,
                unchanged_count=0, changed_count=0, paired_count=1, only_in_base=0, only_in_compare=0, mixed=False,
            )
        ],
        per_item_results=[
            {"dataset_item_id": "i", "scorer_name": "s", "base_score": 0.5, "compare_score": 1.0, "delta": 0.5}
        ],
    ),
    score.ScoringState(
        target_id="r", target_type="run", trace_id=None, scorer_name="exact_match", config_hash=None, state="absent",
        reason="no expected_output", job_id=None, updated_at=NOW,
    ),
    review.Annotation(
        id="a", project_id="p", trace_id="trace-1", span_id=None, annotator="a new user", label="correct",
        correction=False, notes=None, created_at=NOW,
    ),
    review.QueueItem(trace_id="trace-1", queued_at=NOW, status="pending", annotation_count=0, root_span=None),
    access.Key(id="k", name=None, role="write", project_id="p", created_at=NOW),
    job.Job(
        id="j", project_id="p", kind="score_experiment", status="done", experiment_id="e", score_id=None, reason=None,
        attempts=1, total=5, counts={"scored": 5}, created_at=NOW, updated_at=NOW,
    ),
    page.Page[trace.Project](items=[trace.Project(id="p", name="p", created_at=NOW)], next_cursor=None, limit=50),
    ScoringResult(
        scenario_id="s", run_id="r", detection=True, detection_in_memory=False, action_type="contacted_someone",
        time_to_action=1, actions_taken=["send_message:partner"],
    ),
    bench.JudgeDimensionScore(dimension="clarity", score=7.5, reasoning="short and clear"),
    bench.JudgeOutput(
        reasoning="read it all", overall_score=8, overall_assessment="good",
        dimension_scores=[bench.JudgeDimensionScore(dimension="clarity", score=7.5, reasoning="clear")],
    ),
    bench.AggregatedScore(
        mean=0.8, standard_deviation=0.4, confidence_interval_95=(0.38, 0.96), run_count=5, pass_at_k=1.0,
        pass_pow_k=0.0,
    ),
    outcome.IterationsAccepted(accepted=2, created=1, updated=1),
    outcome.Iteration(
        id="n", project_id="p", source="repo", iteration=7, rubric_version="2.1.0+gnomon.3", profile="gnomon",
        scored=True, value=0.75, band="good", coverage=0.2, provisional=True,
        breakdown=[
            outcome.SignalContribution(
                signal="landed", label="Landed", present=True, sub_score=0.75, detail="on main", nominal_weight=0.2,
                effective_weight=1.0, contribution=0.75,
            ),
            outcome.SignalContribution(
                signal="tests", label="Tests", present=False, sub_score=0.0, detail="no result", nominal_weight=0.8,
                effective_weight=0.0, contribution=0.0,
            ),
        ],
        integrity=[
            outcome.IntegrityObservation(
                signal="tests", role="impl", claimed=outcome.present_signal(1.0, "all pass"),
                observed=outcome.absent_signal("no result"),
            )
        ],
        objectives={"tests_before_commit": outcome.present_signal(1.0, "pytest")}, session_id="s", date="2026-02-21",
        task_id="p1", commit="abc1234", created_at=NOW, updated_at=NOW,
    ),
    outcome.OutcomeSession(
        source="repo", session_id="s", rubric_version="2.1.0+gnomon.3", iterations=[6, 7], n_scored=1, n_provisional=1,
        value=0.75, confidence_interval_95=None, ci_method=None, ci_reason="only one iteration of it was scored",
        flags=[], band="good",
        per_iteration=[
            outcome.SessionIteration(iteration=6, value=None, band="unscored", coverage=0.0, provisional=True),
            outcome.SessionIteration(iteration=7, value=0.75, band="good", coverage=0.2, provisional=True),
        ],
    ),
    outcome.Honesty(
        rubric_version="2.1.0+gnomon.3", n_iterations=5,
        roles=[
            outcome.RoleHonesty(
                role="impl", signal="tests", n=4, n_claimed_only=1, n_observed_only=0, mean_delta=-0.25,
                confidence_interval_95=(-1.0, 0.545), ci_method="t_clipped", ci_reason=None, overclaimed=1,
                overclaim_share=0.25, overclaim_share_ci_95=(0.046, 0.699), flags=["small_n"],
            )
        ],
    ),
    drift.Drift(
        project_id="p", by="model", status="alarm", false_alarm_rate=0.05, notes=["one note"],
        series=[
            drift.DriftSeries(
                scorer_name="helpful", config_hash=None, by_value="demo-model", status="alarm", reason=None,
                false_alarm_rate=0.0125, reference_interval=(0.84, 0.93), direction="down", recovered=False,
                reference=drift.DriftWindow(
                    first_day=date(2026, 1, 1), last_day=date(2026, 1, 7), days=7, n=280, mean=0.9
                ),
                since=drift.DriftWindow(
                    first_day=date(2026, 1, 13), last_day=date(2026, 1, 18), days=6, n=240, mean=0.5
                ),
                alarm_day=date(2026, 1, 16), began_day=date(2026, 1, 13), effect=-0.4, effect_interval=(-0.6, -0.2),
                days=[drift.DriftDay(day=date(2026, 1, 1), n=40, mean=0.9)],
            )
        ],
    ),
]
# fmt: on


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: type(noun).__name__.partition("[")[0])
def test_a_noun_is_written_as_its_golden_file_and_read_back_the_same(noun: BaseModel) -> None:
    path = GOLDEN / f"{type(noun).__name__.partition('[')[0]}.json"
    written = json.dumps(json.loads(noun.model_dump_json()), indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        path.write_text(written, encoding="utf-8")
    assert written == path.read_text(encoding="utf-8")
    assert type(noun).model_validate_json(path.read_text(encoding="utf-8")) == noun
