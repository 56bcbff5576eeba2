"""An entry, its artefacts and what was found, as the original reads them."""

from collections.abc import Sequence
from dataclasses import dataclass

from gnomon.model.outcome import Profile, SignalValue, present_signal
from gnomon.outcome.reading import EvidenceReading, fact_or_claim

COMPAT: Profile = "compat"


@dataclass(frozen=True, slots=True)
class CompatReading(EvidenceReading):
    profile: Profile = COMPAT
    strict: bool = True
    careful: bool = False
    tagged: bool = False
    tells_claims: bool = False

    def links_outcomes(self, pairs: Sequence[bool]) -> bool:
        """The original counts whatever the list holds, even an empty mapping."""
        return bool(pairs)

    def counts(self, retries: int) -> bool:
        return True

    def without_verifiers(self, tests_passed: bool) -> SignalValue:
        return present_signal(1.0 if tests_passed else 0.0, "no verifier records; tests_total_pass stands in")

    def says_yes(self, text: str) -> bool:
        """The three letters anywhere."""
        return "yes" in text

    def decision(self, text: str) -> str:
        return text

    def tests_observed(self, verified: SignalValue, seen: SignalValue) -> SignalValue:
        return verified

    def tests(self, fact: SignalValue, claim: SignalValue) -> SignalValue:
        return claim

    def scope(self, fact: SignalValue, claim: SignalValue) -> SignalValue:
        return fact_or_claim(fact, claim, explained=False)

    def knows_pressure(self, known: bool) -> bool:
        return True
