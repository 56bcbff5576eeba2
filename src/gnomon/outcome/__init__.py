"""The outcome wing: from what a coding agent left behind to a score that explains itself.

iteration log + git + transcripts + sidecars → signals → rubric → value, band, breakdown. `score_log` walks the
whole way; every stage can be called by itself.
"""

from gnomon.model.outcome import (
    BAND_UNSCORED,
    AgentRole,
    IntegrityObservation,
    SessionIterRef,
    SessionScore,
    SignalContribution,
    SignalValue,
    absent_signal,
    present_signal,
)
from gnomon.model.outcome import OutcomeScore as Score
from gnomon.outcome.claims import extract_iterlog_signals
from gnomon.outcome.diagnostics import Diagnostic
from gnomon.outcome.hooks import HookRecord, extract_hook_outcomes_signal, write_hook_record
from gnomon.outcome.iterlog import load_iteration_log, parse_iteration_record
from gnomon.outcome.labels import Judgement, add_label, edit_label, extract_human_label_signal
from gnomon.outcome.landing import extract_git_signals
from gnomon.outcome.pipeline import (
    OutcomeReport,
    ScoredIteration,
    ScorePlan,
    build_signal_sets,
    score_iteration,
    score_log,
)
from gnomon.outcome.record import (
    AgentInfo,
    ImplBlock,
    IterationRecord,
    LinkedTrace,
    OptionalBool,
    ReviewBlock,
    SelfAssessment,
    TestAdded,
    TokenUsage,
    VerifierRecord,
    derive_linked_traces_to_outcomes,
)
from gnomon.outcome.rubric import (
    COMBINE_WEIGHTED_MEAN_RENORMALIZED,
    RUBRIC_VERSION,
    CombinationMethod,
    Rubric,
    ScoreBand,
    SignalSpec,
    default_rubric,
    load_rubric,
)
from gnomon.outcome.sessions import aggregate_sessions
from gnomon.outcome.sidecar import (
    PersistedContribution,
    PersistedScore,
    build_persisted_score,
    iteration_score_path,
    session_score_path,
    write_iteration_score,
    write_iteration_score_with_record,
    write_iteration_scores,
    write_session_score,
    write_session_scores,
)
from gnomon.outcome.signals import (
    BackfillSignals,
    GitSignals,
    IterationObjectives,
    IterlogSignals,
    SignalSet,
    assemble_signal_set,
)
from gnomon.outcome.transcripts import backfill_iterations, extract_iteration_objectives
from gnomon.outcome.windows import IterationWindow

SignalID = str

__all__ = [
    "BAND_UNSCORED",
    "COMBINE_WEIGHTED_MEAN_RENORMALIZED",
    "RUBRIC_VERSION",
    "AgentInfo",
    "AgentRole",
    "BackfillSignals",
    "CombinationMethod",
    "Diagnostic",
    "GitSignals",
    "HookRecord",
    "ImplBlock",
    "IntegrityObservation",
    "IterationObjectives",
    "IterationRecord",
    "IterationWindow",
    "IterlogSignals",
    "Judgement",
    "LinkedTrace",
    "OptionalBool",
    "OutcomeReport",
    "PersistedContribution",
    "PersistedScore",
    "ReviewBlock",
    "Rubric",
    "Score",
    "ScoreBand",
    "ScorePlan",
    "ScoredIteration",
    "SelfAssessment",
    "SessionIterRef",
    "SessionScore",
    "SignalContribution",
    "SignalID",
    "SignalSet",
    "SignalSpec",
    "SignalValue",
    "TestAdded",
    "TokenUsage",
    "VerifierRecord",
    "absent_signal",
    "add_label",
    "aggregate_sessions",
    "assemble_signal_set",
    "backfill_iterations",
    "build_persisted_score",
    "build_signal_sets",
    "default_rubric",
    "derive_linked_traces_to_outcomes",
    "edit_label",
    "extract_git_signals",
    "extract_hook_outcomes_signal",
    "extract_human_label_signal",
    "extract_iteration_objectives",
    "extract_iterlog_signals",
    "iteration_score_path",
    "load_iteration_log",
    "load_rubric",
    "parse_iteration_record",
    "present_signal",
    "score_iteration",
    "score_log",
    "session_score_path",
    "write_hook_record",
    "write_iteration_score",
    "write_iteration_score_with_record",
    "write_iteration_scores",
    "write_session_score",
    "write_session_scores",
]
