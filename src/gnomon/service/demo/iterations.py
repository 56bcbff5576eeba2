"""The demo's coding agent: two dozen iterations on the support desk's own code, over six sessions.

It gets better, claims a little more than it holds, and in its first days left little evidence.
"""

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
ITERATIONS = 24
_A_SESSION = 4
_FIRST_DAYS = 2
_TASKS = ("refunds", "opening-hours", "languages", "hand-over", "search", "templates")


def outcomes(project_id: str, now_ms: int, random: Random) -> IterationBatchDraft:
    """What `gnomon outcome push` would send for it."""
    rubric = load_rubric().under("gnomon")
    ended = datetime.fromtimestamp(now_ms / 1000, UTC)
    drafts = [_draft(number, rubric, ended, random) for number in range(1, ITERATIONS + 1)]
    return IterationBatchDraft(project_id=project_id, source=SOURCE, iterations=drafts)


def _draft(number: int, rubric: Rubric, ended: datetime, random: Random) -> IterationDraft:
    at = ended - timedelta(hours=14 * (ITERATIONS - number))
    session = (number - 1) // _A_SESSION
    record = IterationRecord(
        iteration=number,
        date=at.date().isoformat(),
        task_id=f"{_TASKS[session]}-{(number - 1) % _A_SESSION + 1}",
        commit=f"{random.getrandbits(160):040x}",
        agent=AgentInfo(f"session-{session + 1}", "claude-code"),
    )
    signals = _signals(number, record.commit[:12], random)
    iteration = ScoredIteration(record, rubric.score(signals), signals, {"rubric_version": rubric.version})
    return draft(iteration.score, record, iteration.evidence(at))


def _signals(number: int, commit: str, random: Random) -> SignalSet:
    chance = 0.55 + 0.4 * number / ITERATIONS
    landed = random.random() < chance
    tests, files = random.choice([1.0, 1.0, 0.9, 0.6]) if number > _A_SESSION else None, random.randint(3, 9)
    inside = files - (random.random() > chance)
    fact = present_signal(float(landed), f"{commit} {'is reachable from' if landed else 'was reverted on'} main")
    scope = present_signal(inside / files, f"{inside}/{files} changed files in the scope of the plan")
    if number <= _FIRST_DAYS:
        scope = absent_signal("no write_scope declared")
    seen = cached = absent_signal("no transcripts")
    if tests is not None:
        seen = present_signal(tests, f"{tests:.0%} of the test commands passed")
        cached = present_signal(random.uniform(0.7, 0.97), "cache reads of all input")
    verdict = absent_signal("no verifier records")
    if number % 3 and number > _FIRST_DAYS:
        verdict = present_signal(float(landed), "1/1 verifiers decided")
    return SignalSet(
        iteration=number,
        landed=fact,
        verifier=verdict,
        tests=seen,
        correction_pressure=correction_pressure(random.randint(0, 2), 0, None),
        scope=scope,
        token_efficiency=cached,
        hook_outcomes=absent_signal("no hook-outcomes sidecar"),
        integrity=(_claim("landed", 1.0, fact), _claim("tests", 1.0, seen), _claim("scope", 1.0, scope)),
        objective=_objectives(tests is not None, random),
    )


def _claim(signal: str, claimed: float, observed: SignalValue) -> IntegrityObservation:
    signal_value = present_signal(claimed, "as the entry says")
    return IntegrityObservation(signal=signal, role="impl", claimed=signal_value, observed=observed)


def _objectives(recorded: bool, random: Random) -> IterationObjectives:
    def seen(chance: float) -> SignalValue:
        return present_signal(float(random.random() < chance)) if recorded else absent_signal("no transcripts")

    return IterationObjectives(seen(1.0), seen(0.8), seen(0.9))
