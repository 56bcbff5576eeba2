"""What `gnomon.outcome` offers under the names that the log's format gave it: every function, record and field."""

import dataclasses
import inspect
from typing import Any

import pytest
from pydantic import BaseModel

from gnomon import outcome

SIGNALS = ["landed", "verifier", "tests", "correction_pressure", "scope", "hook_outcomes", "token_efficiency"]
ROW = ["signal", "label", "present", "sub_score", "detail", "nominal_weight", "effective_weight", "contribution"]
SCORE = ["iteration", "rubric_version", "scored", "value", "band", "breakdown"]
RECORDS: dict[str, list[str]] = {
    "AgentInfo": ["session_id", "harness"],
    "BackfillSignals": ["iteration", "token_efficiency", "tool_error_rate", "tool_error_rate_present"],
    "GitSignals": ["landed_observed", "scope_observed"],
    "ImplBlock": ["summary", "scope_note", "retries", "focused_tests_added", "focused_tests_pass", "tests_total_pass",
                  "self_assessment"],
    "IntegrityObservation": ["signal", "role", "claimed", "observed"],
    "IterationObjectives": ["ran_cli_command", "committed_after_tests", "read_loop_state"],
    "IterationRecord": ["schema_version", "iteration", "date", "wave", "task_id", "commit", "files_changed",
                        "lines_added", "lines_removed", "first_commit", "checkpoint_at", "agent", "session_tokens",
                        "impl", "verifiers", "review"],
    "IterationWindow": ["iteration", "start", "end"],
    "IterlogSignals": ["scope_claimed", "tests_claimed", "verifier", "verifier_claimed", "landed_claimed", "retries",
                       "user_corrections"],
    "LinkedTrace": ["trace_ref", "outcome_ref"],
    "PersistedContribution": ROW,
    "PersistedScore": [*SCORE, "linked_traces_to_outcomes"],
    "ReviewBlock": ["phase_1_decision", "phase_2_decision", "overall_decision", "failed_gates", "decision_artifact"],
    "Rubric": ["version", "combination", "signals", "bands"],
    "Score": SCORE,
    "ScoreBand": ["name", "min"],
    "SelfAssessment": ["read_loop_state", "one_item_only", "committed_after_tests", "aligned_with_canonical_tasks",
                       "persisted_via_workflow_commands", "ran_cli_command", "exercised_new_scenario",
                       "tests_positive_and_negative", "tests_used_sandbox", "cli_produced_actionable_feedback",
                       "linked_traces_to_outcomes", "stayed_under_10_files", "no_destructive_commands",
                       "scoped_tests_to_write_scope", "tdd_refresh_performed"],
    "SessionIterRef": ["iteration", "scored", "value", "band"],
    "SessionScore": ["session_id", "rubric_version", "iterations", "scored", "value", "band", "per_iteration"],
    "SignalContribution": ROW,
    "SignalSet": ["iteration", *SIGNALS, "integrity", "objective"],
    "SignalSpec": ["id", "label", "weight", "description", "two_way"],
    "SignalValue": ["present", "sub_score", "detail"],
    "TestAdded": ["name", "kind"],
    "TokenUsage": ["input_tokens", "output_tokens", "cache_read_tokens", "cache_creation_tokens", "cache_hit_rate"],
    "VerifierRecord": ["type", "status", "gate_passed", "tests_added", "tests_added_by_kind", "linked_traces",
                       "tests_total_pass", "retries", "result_artifact", "self_assessment"],
}  # fmt: skip
FUNCTIONS = [
    "absent_signal", "aggregate_sessions", "assemble_signal_set", "backfill_iterations", "build_persisted_score",
    "build_signal_sets", "default_rubric", "derive_linked_traces_to_outcomes", "extract_git_signals",
    "extract_hook_outcomes_signal", "extract_iteration_objectives", "extract_iterlog_signals", "iteration_score_path",
    "load_iteration_log", "parse_iteration_record", "present_signal", "score_iteration", "session_score_path",
    "write_iteration_score", "write_iteration_score_with_record", "write_iteration_scores", "write_session_score",
    "write_session_scores",
]  # fmt: skip
METHODS = {
    "Rubric": ["band", "score", "score_all", "signal", "two_way_signals", "validate"],
    "SignalSet": ["value"],
    "IntegrityObservation": ["comparable", "delta"],
}


def fields(record: Any) -> list[str]:
    if issubclass(record, BaseModel):
        return list(record.model_fields)
    return [field.name for field in dataclasses.fields(record)]


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_has_its_fields(name: str):
    """Every record of the outcome document is importable from `gnomon.outcome`, with every field that it names."""
    assert [field for field in RECORDS[name] if field not in fields(getattr(outcome, name))] == []


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_cannot_be_changed(name: str):
    record = getattr(outcome, name)
    one = record.model_construct() if issubclass(record, BaseModel) else object.__new__(record)
    with pytest.raises((dataclasses.FrozenInstanceError, ValueError), match=r"frozen|cannot assign"):
        setattr(one, fields(record)[0], None)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_there_and_says_what_it_takes(name: str):
    """Every function of the outcome document is importable from `gnomon.outcome`, in snake_case and typed."""
    signature = inspect.signature(getattr(outcome, name))
    assert signature.return_annotation is not inspect.Signature.empty
    assert all(one.annotation is not inspect.Parameter.empty for one in signature.parameters.values())


@pytest.mark.parametrize("name", METHODS)
def test_a_record_has_its_methods(name: str):
    assert [method for method in METHODS[name] if not hasattr(getattr(outcome, name), method)] == []


def test_the_seven_signals_and_the_two_other_constants_have_their_texts():
    """Signal ids, the method of combination and the band of an unscored iteration are these texts, also on disk."""
    assert [getattr(outcome, f"SIGNAL_{id.upper()}") for id in SIGNALS] == SIGNALS
    assert outcome.COMBINE_WEIGHTED_MEAN_RENORMALIZED == "weighted_mean_renormalized"
    assert outcome.BAND_UNSCORED == "unscored"
