"""What a log entry says of itself, and the verdicts that its artefacts hold.

Claims never become facts here: they vote only where no fact exists, and stand beside the facts otherwise.
"""

from collections.abc import Iterable
from pathlib import Path

from gnomon.model.outcome import DEFAULT_PROFILE, Profile, SignalValue, absent_signal, present_signal
from gnomon.outcome.artefacts import Artefacts, corrections_in, text_of
from gnomon.outcome.profiles import reading_of
from gnomon.outcome.reading import EvidenceReading
from gnomon.outcome.record import (
    NOTHING_SAID,
    ImplBlock,
    IterationRecord,
    VerifierRecord,
    derive_linked_traces_to_outcomes,
)
from gnomon.outcome.signals import IterlogSignals

_STATUS = {"pass": 1.0, "partial": 0.5, "fail": 0.0}
_SCOPE_NOTE = {"on-target": 1.0, "partial": 0.5, "scope-breach": 0.0}
_DECISION = {"accept": 1.0, "reject": 0.0, "escalate": 0.5}


def extract_iterlog_signals(
    record: IterationRecord,
    repo_root: str | Path = "",
    *,
    profile: Profile = DEFAULT_PROFILE,
    artefacts: Artefacts | None = None,
) -> IterlogSignals:
    """Everything that the entry, and the artefacts it names, can say. Nothing that is missing raises."""
    reading, root = reading_of(profile), Path(repo_root) if str(repo_root) else None
    artefacts = artefacts or Artefacts(root, profile)
    corrections = corrections_in(artefacts.mapping(record.review.decision_artifact))
    blocks: list[ImplBlock | VerifierRecord] = [record.impl, *record.verifiers]
    blocks = [block for block in blocks if reading.counts(block.retries)]
    return IterlogSignals(
        scope_claimed=scope_claim(record.impl.scope_note),
        tests_claimed=tests_claim(record),
        verifier=verifier_result(record, artefacts, reading),
        verifier_claimed=verifier_claim(record, profile),
        landed_claimed=landed_claim(record, reading),
        retries=sum(block.retries for block in blocks),
        user_corrections=corrections or 0,
        retries_known=any(block.retries or block.retries_reported for block in blocks),
        corrections_known=corrections is not None,
    )


def scope_claim(scope_note: str) -> SignalValue:
    note = scope_note.strip().lower()
    if not note:
        return absent_signal("no scope_note")
    if note in _SCOPE_NOTE:
        return present_signal(_SCOPE_NOTE[note], f"scope_note says {note}")
    if note.startswith("on-target"):
        return present_signal(1.0, "scope_note begins with on-target")
    return absent_signal("scope_note is free text that says neither on-target, partial nor scope-breach")


def tests_claim(record: IterationRecord) -> SignalValue:
    """The share of the reported test flags that are positive."""
    flags = [record.impl.focused_tests_pass, record.impl.tests_total_pass]
    flags += [verifier.tests_total_pass for verifier in record.verifiers]
    reported = [flag for flag in flags if flag is not None]
    if not reported:
        return absent_signal("no test flag was reported")
    return present_signal(sum(reported) / len(reported), f"{sum(reported)}/{len(reported)} test flags say passed")


def verifier_result(record: IterationRecord, artefacts: Artefacts, reading: EvidenceReading) -> SignalValue:
    """The mean over the verifiers that decided. An artefact's status wins over the one in the entry."""
    if not record.verifiers:
        return _without_verifiers(record, reading)
    statuses = [_status(verifier, artefacts) for verifier in record.verifiers]
    counted = [_STATUS[status] for status, _ in statuses if status in _STATUS]
    if not counted:
        return absent_signal(f"0/{len(statuses)} verifiers say pass, partial or fail")
    overriding = sum(from_artefact for _, from_artefact in statuses)
    detail = f"{len(counted)}/{len(statuses)} verifiers decided"
    detail += f", {overriding} by artefact" if overriding else ""
    return present_signal(sum(counted) / len(counted), detail)


def _without_verifiers(record: IterationRecord, reading: EvidenceReading) -> SignalValue:
    passed = record.impl.tests_total_pass
    return absent_signal("no verifier records") if passed is None else reading.without_verifiers(passed)


def _status(verifier: VerifierRecord, artefacts: Artefacts) -> tuple[str, bool]:
    from_artefact = text_of(artefacts.mapping(verifier.result_artifact), "status").strip()
    return (from_artefact or verifier.status.strip()).lower(), bool(from_artefact)


def verifier_claim(record: IterationRecord, profile: Profile) -> SignalValue:
    assessment = record.impl.self_assessment
    linked = (
        assessment.linked_traces_to_outcomes
        or any(verifier.self_assessment.linked_traces_to_outcomes for verifier in record.verifiers)
        or derive_linked_traces_to_outcomes(record, profile=profile)
    )
    if linked:
        return present_signal(1.0, "traces are linked to outcomes")
    structured = any(verifier.tests_added_by_kind or verifier.linked_traces for verifier in record.verifiers)
    if assessment == NOTHING_SAID and not structured:
        return absent_signal("no self-assessment was reported")
    return present_signal(0.0, "reported, but no trace is linked to an outcome")


def landed_claim(record: IterationRecord, reading: EvidenceReading) -> SignalValue:
    """What the implementer wrote about persisting the work, and what the review decided."""
    numbers, words = [], []
    persisted = record.impl.self_assessment.persisted_via_workflow_commands.strip().lower()
    if persisted:
        yes = reading.says_yes(persisted)
        numbers.append(1.0 if yes else 0.0)
        words.append(f"persisted: {'yes' if yes else 'no'}")
    decision = reading.decision(record.review.overall_decision)
    if decision in _DECISION:
        numbers.append(_DECISION[decision])
        words.append(f"review: {decision}")
    return _mean(numbers, ", ".join(words), "neither the entry nor its review claims that it landed")


def _mean(numbers: Iterable[float], detail: str, otherwise: str) -> SignalValue:
    known = list(numbers)
    return present_signal(sum(known) / len(known), detail) if known else absent_signal(otherwise)
