"""One iteration of a coding agent, whichever schema it was logged in. What was never said stays unset.

A flag that an agent did not report (None) is something else than one it reported as false.
"""

from dataclasses import dataclass, field

from gnomon.model.iterationfacts import IterationFacts
from gnomon.model.outcome import DEFAULT_PROFILE, Profile
from gnomon.outcome.profiles import reading_of

OptionalBool = bool | None


@dataclass(frozen=True, slots=True)
class AgentInfo:
    session_id: str = ""
    harness: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Token counters as the log has them. An empty block is not the same as none."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_creation_tokens: int = 0
    cache_hit_rate: float = 0.0


@dataclass(frozen=True, slots=True)
class SelfAssessment:
    """What the agent said of its own discipline: the superset of all places that carry such a block."""

    read_loop_state: bool = False
    one_item_only: OptionalBool = None
    committed_after_tests: bool = False
    aligned_with_canonical_tasks: OptionalBool = None
    persisted_via_workflow_commands: str = ""
    ran_cli_command: bool = False
    exercised_new_scenario: bool = False
    tests_positive_and_negative: bool = False
    tests_used_sandbox: bool = False
    cli_produced_actionable_feedback: str = ""
    linked_traces_to_outcomes: bool = False
    stayed_under_10_files: bool = False
    no_destructive_commands: OptionalBool = None
    scoped_tests_to_write_scope: OptionalBool = None
    tdd_refresh_performed: bool = False


NOTHING_SAID = SelfAssessment()


@dataclass(frozen=True, slots=True)
class TestAdded:
    __test__ = False  # the name is the log's; pytest would take it for a test

    name: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class LinkedTrace:
    """A trace and what came of it; half of a pair links nothing."""

    trace_ref: str = ""
    outcome_ref: str = ""

    @property
    def is_pair(self) -> bool:
        return bool(self.trace_ref.strip() and self.outcome_ref.strip())


@dataclass(frozen=True, slots=True)
class ImplBlock:
    summary: str = ""
    scope_note: str = ""
    retries: int = 0
    focused_tests_added: int = 0
    focused_tests_pass: OptionalBool = None
    tests_total_pass: OptionalBool = None
    self_assessment: SelfAssessment = NOTHING_SAID
    retries_reported: bool = False


@dataclass(frozen=True, slots=True)
class VerifierRecord:
    type: str = ""
    status: str = ""
    gate_passed: bool = False
    tests_added: int = 0
    tests_added_by_kind: tuple[TestAdded, ...] = ()
    linked_traces: tuple[LinkedTrace, ...] = ()
    tests_total_pass: OptionalBool = None
    retries: int = 0
    result_artifact: str = ""
    self_assessment: SelfAssessment = NOTHING_SAID
    retries_reported: bool = False


@dataclass(frozen=True, slots=True)
class ReviewBlock:
    phase_1_decision: str = ""
    phase_2_decision: str = ""
    overall_decision: str = ""
    failed_gates: tuple[str, ...] = ()
    decision_artifact: str = ""


@dataclass(frozen=True, slots=True)
class IterationRecord:
    schema_version: int = 2
    iteration: int = 0
    date: str = ""
    wave: str = ""
    task_id: str = ""
    commit: str = ""
    files_changed: int = 0
    lines_added: int = 0
    lines_removed: int = 0
    first_commit: bool = False
    checkpoint_at: str = ""
    agent: AgentInfo = field(default_factory=AgentInfo)
    session_tokens: TokenUsage | None = None
    impl: ImplBlock = field(default_factory=ImplBlock)
    verifiers: tuple[VerifierRecord, ...] = ()
    review: ReviewBlock = field(default_factory=ReviewBlock)
    recorded: IterationFacts | None = None
    notes: tuple[str, ...] = ()


def derive_linked_traces_to_outcomes(record: IterationRecord, *, profile: Profile = DEFAULT_PROFILE) -> bool:
    """Whether a verifier named at least one trace and what came of it. The agent's own yes is not asked."""
    traces = [trace for verifier in record.verifiers for trace in verifier.linked_traces]
    return reading_of(profile).links_outcomes([trace.is_pair for trace in traces])
