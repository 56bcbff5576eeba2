"""The demo's coding agents: iterations on the support desk's own code, over four weeks.

In the first days they left little evidence. Then transcripts were read, later verifiers and hooks came. In the middle
the rules for the agents were rewritten, and work is taken back less often since. Claims are better than the facts.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from gnomon.model.outcome import (
    IntegrityObservation,
    IterationBatchDraft,
    IterationDraft,
    SignalValue,
    absent_signal,
    present_signal,
)
from gnomon.outcome.record import AgentInfo, IterationRecord
from gnomon.outcome.rubric import Rubric, load_rubric
from gnomon.outcome.scorelog import draft
from gnomon.outcome.signals import IterationObjectives, SignalSet, correction_pressure
from gnomon.outcome.walk import ScoredIteration

SOURCE = "support-desk"
ITERATIONS = 78
OLD_RULES, NEW_RULES = "AGENTS.md@4be21c07d95a", "AGENTS.md@c1907fe3a826"
_LABELS = {"claude-code": "pairing", "codex": "alone"}
_PER_SESSION = 3
_OPEN = 2
"""The newest iterations, whose work waits on a branch."""
_NOTHING_KNOWN = 5
"""An iteration of which nothing was kept."""
_TASKS = ("refunds", "opening-hours", "languages", "hand-over", "search", "templates")
_AGENTS = (("claude-code", "demo-large"), ("claude-code", "demo-small"), ("codex", "demo-large"))
_RETRIES = ((0, 1, 1, 2), (0, 0, 0, 1))
_NO_TRANSCRIPTS = absent_signal("no transcripts")


@dataclass(frozen=True, slots=True)
class _Moment:
    """What was in use when an iteration ran."""

    number: int

    @property
    def session(self) -> int:
        return (self.number - 1) // _PER_SESSION

    @property
    def transcripts_read(self) -> bool:
        return self.session >= 2

    @property
    def verifiers_in_use(self) -> bool:
        return self.session >= 4

    @property
    def hooks_in_use(self) -> bool:
        return self.session >= 23

    @property
    def new_rules(self) -> bool:
        return self.session >= 13

    @property
    def is_open(self) -> bool:
        return self.number > ITERATIONS - _OPEN


def outcomes(project_id: str, now_ms: int, random: Random) -> IterationBatchDraft:
    """What `gnomon outcome push` would send for them."""
    rubric = load_rubric().under("gnomon")
    ended = datetime.fromtimestamp(now_ms / 1000, UTC)
    drafts = [_draft(_Moment(number), rubric, ended, random) for number in range(1, ITERATIONS + 1)]
    return IterationBatchDraft(project_id=project_id, source=SOURCE, iterations=drafts)


def _draft(moment: _Moment, rubric: Rubric, ended: datetime, random: Random) -> IterationDraft:
    at = ended - timedelta(hours=8 * (ITERATIONS - moment.number))
    commit = f"{random.getrandbits(160):040x}"
    agent, model = _AGENTS[moment.session % len(_AGENTS)]
    record = IterationRecord(
        iteration=moment.number,
        date=at.date().isoformat(),
        task_id=f"{_TASKS[moment.session % len(_TASKS)]}-{moment.number}",
        commit="" if moment.number == _NOTHING_KNOWN else commit,
        agent=AgentInfo(f"session-{moment.session + 1}", agent, model),
    )
    signals = _signals(moment, record.commit[:12], random)
    iteration = ScoredIteration(record, rubric.score(signals), signals, {"rubric_version": rubric.version})
    pushed = draft(iteration.score, record, iteration.evidence(at))
    rules = NEW_RULES if moment.new_rules else OLD_RULES
    known = {"agent": agent, "model": model, "rules_files": [rules], "labels": [_LABELS[agent]]}
    return pushed.model_copy(update=known)


def _signals(moment: _Moment, commit: str, random: Random) -> SignalSet:
    if moment.number == _NOTHING_KNOWN:
        lost = absent_signal("the entry names no commit, and nothing else was kept")
        return SignalSet(
            moment.number, landed=lost, verifier=lost, tests=lost, correction_pressure=lost, scope=lost,
            hook_outcomes=lost, token_efficiency=lost,
        )  # fmt: skip
    holds = random.random() < (0.94 if moment.new_rules else 0.55)
    landed, scope, tests = _landed(moment, commit, holds), _scope(moment, random), _tests(moment, holds, random)
    cache = present_signal(random.uniform(0.7, 0.97), "cache reads of all input")
    return SignalSet(
        iteration=moment.number,
        landed=landed,
        verifier=_verifier(moment, holds),
        tests=tests,
        correction_pressure=_corrections(moment, random),
        scope=scope,
        token_efficiency=cache if moment.transcripts_read else _NO_TRANSCRIPTS,
        hook_outcomes=_hooks(moment, holds),
        integrity=(
            _claim("impl", "landed", 1.0, landed),
            _claim("impl", "tests", 1.0, tests),
            _claim("impl", "scope", 1.0, scope),
            _claim("review", "landed", 1.0 if moment.number % 4 else 0.0, landed),
        ),
        objective=_objectives(moment.transcripts_read, random),
        self_reported=frozenset() if moment.transcripts_read else frozenset({"correction_pressure", "scope"}),
    )


def _landed(moment: _Moment, commit: str, holds: bool) -> SignalValue:
    if moment.is_open:
        return absent_signal(f"not landed yet (branch search-{moment.number}, 1 day)")
    words = "is reachable from main" if holds else "was reverted on main"
    return present_signal(float(holds), f"{commit} {words}; the recorded commit")


def _verifier(moment: _Moment, holds: bool) -> SignalValue:
    if not moment.verifiers_in_use:
        return absent_signal("no verifier records")
    return present_signal(float(holds), "2/2 verifiers passed" if holds else "0/2 verifiers passed")


def _tests(moment: _Moment, holds: bool, random: Random) -> SignalValue:
    if not moment.transcripts_read:
        return _NO_TRANSCRIPTS
    passed = random.choice([1.0, 1.0, 0.9] if holds else [0.9, 0.6, 0.4])
    return present_signal(passed, f"{passed:.0%} of the test commands passed in the session")


def _corrections(moment: _Moment, random: Random) -> SignalValue:
    return correction_pressure(random.choice(_RETRIES[moment.new_rules]), 0, 0.0 if moment.transcripts_read else None)


def _scope(moment: _Moment, random: Random) -> SignalValue:
    files = random.randint(3, 9)
    outside = int(random.random() < (0.1 if moment.new_rules else 0.4))
    words = f"{files - outside}/{files} changed files in the scope of the plan"
    return present_signal((files - outside) / files, f"{words}; outside: settings.py" if outside else words)


def _hooks(moment: _Moment, holds: bool) -> SignalValue:
    if not moment.hooks_in_use:
        return absent_signal("no hook-outcomes sidecar (absent, no vote)")
    return present_signal(1.0 if holds else 0.5, "3 gates passed" if holds else "2 gates passed, 1 gave advice")


def _claim(role: str, signal: str, claimed: float, observed: SignalValue) -> IntegrityObservation:
    signal_value = present_signal(claimed, "as the entry says")
    return IntegrityObservation(signal=signal, role=role, claimed=signal_value, observed=observed)


def _objectives(recorded: bool, random: Random) -> IterationObjectives:
    def seen(chance: float) -> SignalValue:
        return present_signal(float(random.random() < chance)) if recorded else _NO_TRANSCRIPTS

    return IterationObjectives(seen(1.0), seen(0.8), seen(0.9))
