"""What all ways of scoring a log share: the plan, the score with its inputs, and the sidecars."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gnomon.errors import GnomonError, Refused
from gnomon.model.iterationfacts import IterationFacts
from gnomon.model.outcome import DEFAULT_PROFILE, OutcomeScore, Profile, SignalValue, observed_signals
from gnomon.outcome.diagnostics import Diagnostic
from gnomon.outcome.evidence import FORMAT, digest
from gnomon.outcome.gitrun import GitFailed
from gnomon.outcome.hooks import extract_hook_outcomes_signal
from gnomon.outcome.iterlog import IterationLog
from gnomon.outcome.labels import extract_human_label_signal
from gnomon.outcome.ownsignals import extract_own_signals
from gnomon.outcome.profilesettings import ProfileSettings
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.rubric import RUBRIC_VERSION, Rubric, load_rubric
from gnomon.outcome.signals import KNOWN_SIGNALS, SignalSet


@dataclass(frozen=True, slots=True)
class ScorePlan:
    """What to score, and on which evidence.

    `with_session`, for a single iteration: the session that it belongs to as well, for which the session's other
    iterations are scored too. `settings`: the repository's own unless given. `as_of`: the moment at which open work is
    looked at; unless given, that of the last commit that git has. `paths`: only commits that touch one of these count,
    for a part of a repository that holds many. `pull_requests`: a JSON file that lists them.
    `since`: of a plain history, only what landed since then. `fates`: tell what became of each iteration's work, and
    with `authors` who wrote it.
    """

    log: Path
    repo: Path
    transcripts: tuple[Path, ...] = ()
    profile: Profile = DEFAULT_PROFILE
    rubric: Rubric | str | Path | None = None
    trunk: str | None = None
    iteration: int | None = None
    with_session: bool = False
    cache: Path | None = None
    ci: tuple[Path, ...] = ()
    runners: tuple[str, ...] = ()
    settings: ProfileSettings | None = None
    as_of: datetime | None = None
    paths: tuple[str, ...] = ()
    pull_requests: Path | None = None
    since: datetime | None = None
    fates: bool = False
    authors: bool = False

    def loaded_rubric(self) -> Rubric:
        rubric = self.rubric if isinstance(self.rubric, Rubric) else load_rubric(self.rubric or RUBRIC_VERSION)
        rubric.validate()
        return rubric.under(self.profile)


@dataclass(frozen=True, slots=True)
class ScoredIteration:
    record: IterationRecord
    score: OutcomeScore
    signals: SignalSet
    inputs: Mapping[str, Any] = field(default_factory=dict)
    facts: IterationFacts = field(default_factory=IterationFacts)
    """Who did it, with what and for how much; never part of the score."""

    @property
    def iteration(self) -> int:
        return self.record.iteration

    @property
    def objectives(self) -> dict[str, SignalValue]:
        return self.signals.objective.as_map()

    def evidence(self, now: datetime) -> dict[str, Any]:
        """What is written beside the score."""
        return {
            "format": FORMAT,
            "iteration": self.iteration,
            **self.inputs,
            "facts": self.facts.as_json(),
            "coverage": self.score.coverage,
            "provisional": self.score.provisional,
            "why_provisional": self.score.why_provisional,
            "observed": observed_signals(self.score.breakdown),
            "integrity": [pair.model_dump(mode="json") for pair in self.signals.integrity],
            "objectives": {name: value.model_dump(mode="json") for name, value in self.objectives.items()},
            "computed_at": now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        }


class Walk(ABC):
    """What profiles share: sidecars, rubric, and putting the parts together."""

    def __init__(self, plan: ScorePlan, log: IterationLog, rubric: Rubric) -> None:
        self.plan = plan
        self.log = log
        self.rubric = rubric
        self.diagnostics: list[Diagnostic] = []
        self.rubric_digest = digest(repr(rubric).encode())
        self.own = [spec.id for spec in rubric.signals if spec.id not in KNOWN_SIGNALS]

    @abstractmethod
    def scored(self, record: IterationRecord) -> ScoredIteration:
        """One iteration, as the profile reads it."""

    def sidecar_signals(self, n: int) -> tuple[SignalValue, SignalValue, dict[str, SignalValue]]:
        log = self.plan.log
        own = extract_own_signals(log, n, self.own) if self.own else {}
        return extract_hook_outcomes_signal(log, n), extract_human_label_signal(log, n), own


@contextmanager
def step(words: str) -> Iterator[None]:
    """Say at which step of the walk it went wrong."""
    try:
        yield
    except GnomonError as bad:
        raise Refused(f"{words}: {bad.message}") from None
    except GitFailed as bad:
        raise Refused(f"{words}: {bad}") from None
