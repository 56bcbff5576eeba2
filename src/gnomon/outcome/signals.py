"""What is known of one iteration, signal by signal: the seam between evidence and score. Pure, no files.

The four extractors (log entry, git, transcripts, sidecars) hand in what they found; `assemble_signal_set` says
which of it votes, and pairs what was claimed with what was observed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from gnomon.model.outcome import (
    DEFAULT_PROFILE,
    AgentRole,
    IntegrityObservation,
    Profile,
    SignalValue,
    absent_signal,
    present_signal,
)
from gnomon.outcome.profiles import reading_of
from gnomon.outcome.record import IterationRecord

SignalID = str
SIGNAL_LANDED: SignalID = "landed"
SIGNAL_VERIFIER: SignalID = "verifier"
SIGNAL_TESTS: SignalID = "tests"
SIGNAL_CORRECTION_PRESSURE: SignalID = "correction_pressure"
SIGNAL_SCOPE: SignalID = "scope"
SIGNAL_HOOK_OUTCOMES: SignalID = "hook_outcomes"
SIGNAL_HUMAN_LABEL: SignalID = "human_label"
SIGNAL_TOKEN_EFFICIENCY: SignalID = "token_efficiency"

TOOL_ERROR_WEIGHT = 2.0  # a tool error rate of 1 weighs as much as two retries

_PAIR_FIELDS = set(IntegrityObservation.model_fields)
_NOT_LOOKED_FOR = absent_signal("not looked for")


@dataclass(frozen=True, slots=True)
class IterlogSignals:
    """What the entry itself says. `retries_known` is whether anybody wrote a number of retries down."""

    scope_claimed: SignalValue
    tests_claimed: SignalValue
    verifier: SignalValue
    verifier_claimed: SignalValue
    landed_claimed: SignalValue
    retries: int = 0
    user_corrections: int = 0
    retries_known: bool = False
    corrections_known: bool = False


@dataclass(frozen=True, slots=True)
class GitSignals:
    landed_observed: SignalValue
    scope_observed: SignalValue


@dataclass(frozen=True, slots=True)
class BackfillSignals:
    """What transcripts add. Whoever reads `tool_error_rate` asks `tool_error_rate_present` first."""

    iteration: int
    token_efficiency: SignalValue
    tool_error_rate: float = 0.0
    tool_error_rate_present: bool = False
    tokens_logged: bool = False
    """Whether the tokens are those that the entry itself names."""
    tests_observed: SignalValue = _NOT_LOOKED_FOR


@dataclass(frozen=True, slots=True)
class IterationObjectives:
    """Facts about the way of working. They are shown beside the score and never change it."""

    ran_cli_command: SignalValue
    committed_after_tests: SignalValue
    read_loop_state: SignalValue

    def as_map(self) -> dict[str, SignalValue]:
        return {
            "ran_cli_command": self.ran_cli_command,
            "committed_after_tests": self.committed_after_tests,
            "read_loop_state": self.read_loop_state,
        }


def no_objectives(reason: str) -> IterationObjectives:
    return IterationObjectives(absent_signal(reason), absent_signal(reason), absent_signal(reason))


@dataclass(frozen=True, slots=True)
class SignalSet:
    """Every signal of one iteration, as one profile reads them. `more` holds those of a rubric of your own."""

    iteration: int
    landed: SignalValue = _NOT_LOOKED_FOR
    verifier: SignalValue = _NOT_LOOKED_FOR
    tests: SignalValue = _NOT_LOOKED_FOR
    correction_pressure: SignalValue = _NOT_LOOKED_FOR
    scope: SignalValue = _NOT_LOOKED_FOR
    hook_outcomes: SignalValue = _NOT_LOOKED_FOR
    token_efficiency: SignalValue = _NOT_LOOKED_FOR
    human_label: SignalValue = _NOT_LOOKED_FOR
    integrity: tuple[IntegrityObservation, ...] = ()
    objective: IterationObjectives = field(default_factory=lambda: no_objectives("not looked for"))
    more: Mapping[str, SignalValue] = field(default_factory=dict)
    profile: Profile = DEFAULT_PROFILE
    self_reported: frozenset[str] = frozenset()
    """Signals that stand on the entry and the artefacts it names, with no fact behind them."""

    def value(self, id: str) -> SignalValue:
        """A signal by its id. One that was not measured is absent."""
        if id in KNOWN_SIGNALS:
            signal: SignalValue = getattr(self, id)
            return signal
        return self.more.get(id) or absent_signal(f"nothing measures the signal {id!r}")


KNOWN_SIGNALS = frozenset(
    {
        SIGNAL_LANDED,
        SIGNAL_VERIFIER,
        SIGNAL_TESTS,
        SIGNAL_CORRECTION_PRESSURE,
        SIGNAL_SCOPE,
        SIGNAL_HOOK_OUTCOMES,
        SIGNAL_HUMAN_LABEL,
        SIGNAL_TOKEN_EFFICIENCY,
    }
)


def assemble_signal_set(
    record: IterationRecord,
    entry: IterlogSignals,
    git: GitSignals,
    backfill: BackfillSignals,
    objectives: IterationObjectives,
    hook_outcomes: SignalValue,
    human_label: SignalValue = _NOT_LOOKED_FOR,
    *,
    profile: Profile = DEFAULT_PROFILE,
    more: Mapping[str, SignalValue] | None = None,
) -> SignalSet:
    """Join what the extractors found. Facts vote before claims wherever both exist."""
    reading = reading_of(profile)
    tests_observed = reading.tests_observed(entry.verifier, backfill.tests_observed)
    known = entry.retries_known or entry.corrections_known or backfill.tool_error_rate_present
    return SignalSet(
        iteration=record.iteration,
        landed=git.landed_observed,
        verifier=entry.verifier,
        tests=reading.tests(tests_observed, entry.tests_claimed),
        correction_pressure=correction_pressure(
            entry.retries,
            entry.user_corrections,
            backfill.tool_error_rate if backfill.tool_error_rate_present else None,
            known=reading.knows_pressure(known),
        ),
        scope=reading.scope(git.scope_observed, entry.scope_claimed),
        hook_outcomes=hook_outcomes,
        token_efficiency=backfill.token_efficiency,
        human_label=human_label,
        integrity=_integrity(record, entry, git, tests_observed),
        objective=objectives,
        more=more or {},
        profile=profile,
        self_reported=_self_reported(git, backfill, tests_observed) if reading.tells_claims else frozenset(),
    )


def _self_reported(git: GitSignals, backfill: BackfillSignals, tests_observed: SignalValue) -> frozenset[str]:
    """What is a claim where it is present at all. A verifier's result is written by the loop that it verifies."""
    facts = {
        SIGNAL_TESTS: tests_observed.present,
        SIGNAL_SCOPE: git.scope_observed.present,
        SIGNAL_CORRECTION_PRESSURE: backfill.tool_error_rate_present,
        SIGNAL_TOKEN_EFFICIENCY: not backfill.tokens_logged,
        SIGNAL_VERIFIER: False,
    }
    return _shared_set(tuple(signal for signal, is_fact in facts.items() if not is_fact))


@lru_cache(maxsize=64)
def _shared_set(signals: tuple[str, ...]) -> frozenset[str]:
    """One set shared by all iterations with the same claims, to save memory."""
    return frozenset(signals)


def correction_pressure(
    retries: int, user_corrections: int, tool_error_rate: float | None, *, known: bool = True
) -> SignalValue:
    """1 when nothing had to be done again, falling with every retry, correction and failed tool call."""
    if not known:
        return absent_signal("nobody wrote down retries or corrections, and no transcript shows tool calls")
    load = 1 + retries + user_corrections + TOOL_ERROR_WEIGHT * (tool_error_rate or 0.0)
    detail = f"retries={retries}, corrections={user_corrections}"
    if tool_error_rate is not None:
        detail += f", tool errors={tool_error_rate:.0%}"
    # Negative retries can be written down, and must not divide by zero.
    return present_signal(1 / load if load else 1.0, detail)


def plain_mean(values: Sequence[float]) -> float:
    """Added one after the other: `sum` rounds differently from one Python to the next, and bands have edges."""
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def _integrity(
    record: IterationRecord, entry: IterlogSignals, git: GitSignals, tests_observed: SignalValue
) -> tuple[IntegrityObservation, ...]:
    pairs: list[tuple[str, AgentRole, SignalValue, SignalValue]] = [
        (SIGNAL_LANDED, "impl", entry.landed_claimed, git.landed_observed),
        (SIGNAL_VERIFIER, "verifier", entry.verifier_claimed, entry.verifier),
        (SIGNAL_TESTS, "impl", entry.tests_claimed, tests_observed),
        (SIGNAL_SCOPE, "impl", entry.scope_claimed, git.scope_observed),
    ]
    return tuple(
        IntegrityObservation.model_construct(
            _PAIR_FIELDS,
            signal=signal,
            role=claiming_role(role, record.schema_version),
            claimed=claimed,
            observed=observed,
        )
        for signal, role, claimed, observed in pairs
        if claimed.present or observed.present
    )


def claiming_role(role: AgentRole, schema_version: int) -> AgentRole:
    """Schema 1 knows one role only: whoever implemented also claimed."""
    return "impl" if schema_version == 1 else role
