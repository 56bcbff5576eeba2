"""What the `gnomon` profile makes of an entry's own words where `compat` reads them as the original does."""

import pytest

from gnomon.outcome import IterlogSignals, ReviewBlock, SelfAssessment, VerifierRecord, extract_iterlog_signals
from outcome.compat.building import found, record


def said(*verifiers: VerifierRecord, **fields: object) -> IterlogSignals:
    return extract_iterlog_signals(record(*verifiers, **fields), profile="gnomon")


@pytest.mark.parametrize("passed", [True, False])
def test_one_flag_for_all_tests_counts_once(passed: bool):
    """Without verifiers the flag stands for `tests` alone: as `verifier` too it would hold a third of the weight."""
    signals = said(tests_total_pass=passed)
    assert found(signals.tests_claimed) == float(passed)
    assert found(signals.verifier) is None
    assert "counts once" in signals.verifier.detail


@pytest.mark.parametrize(
    ("persisted", "expected"),
    [("yes", 1.0), ("Yes, by checkpoint", 1.0), ("yesterday", 0.0), ("no", 0.0), ("eyes only", 0.0), ("", None)],
)
def test_a_yes_is_a_word(persisted: str, expected: float | None):
    signals = said(said=SelfAssessment(persisted_via_workflow_commands=persisted))
    assert found(signals.landed_claimed) == expected


@pytest.mark.parametrize("decision", ["accept", "Accept", " ACCEPT "])
def test_a_decision_counts_however_it_is_spelled(decision: str):
    assert found(said(review=ReviewBlock(overall_decision=decision)).landed_claimed) == 1.0


def test_nothing_is_tried_again_less_than_no_times():
    signals = said(VerifierRecord(retries=2, retries_reported=True), retries=-3, retries_reported=True)
    assert (signals.retries, signals.retries_known) == (2, True)
    assert not said(retries=-3, retries_reported=True).retries_known
