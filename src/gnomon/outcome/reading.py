"""How evidence is read wherever profiles differ in a detail: an entry's words, its artefacts, facts beside claims.

`EvidenceReading` is how Gnomon reads. Whole steps that a profile does in another way (git, windows, transcripts) are in
that profile's package; `profiles.py` chooses by name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gnomon.model.outcome import DEFAULT_PROFILE, Profile, SignalValue, absent_signal, present_signal


@dataclass(frozen=True, slots=True)
class EvidenceReading:
    profile: Profile = DEFAULT_PROFILE
    strict: bool = False
    """Odd spellings are refused, and the first file that cannot be read ends the run."""
    careful: bool = True
    """Links that leave the repository are not followed, and artefacts that close-out moved are looked up."""
    tagged: bool = True
    """Scores carry the build in their rubric version."""
    tells_claims: bool = True
    """Signals that are only claimed are marked, and carry no verdict alone."""

    def links_outcomes(self, pairs: Sequence[bool]) -> bool:
        """Whether traces are linked to outcomes, from whether each of them names both."""
        return any(pairs)

    def counts(self, retries: int) -> bool:
        """Whether the number is a count: retries cannot be negative."""
        return retries >= 0

    def without_verifiers(self, tests_passed: bool) -> SignalValue:
        """What tests that passed say of verification. One claim would otherwise hold a third of the weight."""
        return absent_signal("no verifier records (tests_total_pass counts once, as tests)")

    def says_yes(self, text: str) -> bool:
        """Whether the lower-case text says yes; "yesterday" does not."""
        return re.search(r"\byes\b", text) is not None

    def decision(self, text: str) -> str:
        return text.strip().lower()

    def tests_observed(self, verified: SignalValue, seen: SignalValue) -> SignalValue:
        """The fact about tests: what sessions and CI show."""
        return seen

    def tests(self, fact: SignalValue, claim: SignalValue) -> SignalValue:
        return fact_or_claim(fact, claim, explained=True)

    def scope(self, fact: SignalValue, claim: SignalValue) -> SignalValue:
        return fact_or_claim(fact, claim, explained=True)

    def knows_pressure(self, known: bool) -> bool:
        """Whether there is evidence of how often something had to be done again."""
        return known


def fact_or_claim(fact: SignalValue, claim: SignalValue, *, explained: bool) -> SignalValue:
    """The fact, else the claim. `explained`: the detail says that it is a claim only, and why there is no fact."""
    if fact.present:
        return fact
    if not claim.present:
        return absent_signal(f"{fact.detail}; {claim.detail}") if explained else claim
    return present_signal(claim.sub_score, f"{claim.detail} (self-reported; {fact.detail})") if explained else claim
