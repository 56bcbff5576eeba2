"""The trend page marks where the facts behind scores change."""

from gnomon.model.outcome import SignalContribution, evidence_changes, observed_signals, why_provisional


def row(signal: str, weight: float, *, claimed: bool = False, present: bool = True) -> SignalContribution:
    return SignalContribution(
        signal=signal, label=signal, present=present, sub_score=1.0, nominal_weight=weight, effective_weight=weight,
        contribution=weight, self_reported=claimed,
    )  # fmt: skip


def test_the_words_at_a_change_name_what_came_and_what_went():
    before, after = [row("landed", 0.2), row("scope", 0.1)], [row("landed", 0.2), row("tests", 0.2)]
    (change,) = evidence_changes([(5, before), (6, before), (7, after), (8, after)])
    assert change.words == "The evidence changes at iteration 7: now also tests; no longer scope"


def test_facts_are_what_is_present_and_not_only_claimed():
    rows = [row("landed", 0.2), row("tests", 0.2, claimed=True), row("scope", 0.2, present=False)]
    assert observed_signals(rows) == ["landed"]


def test_why_a_score_is_provisional_depends_on_the_profile():
    claims = [row("landed", 0.2, present=False), row("tests", 0.5, claimed=True)]
    assert why_provisional(claims, "2.1.0+gnomon.3") == "self-reported only"
    assert why_provisional(claims, "2.1.0") is None
    seen = [row("landed", 0.2, present=False), row("tests", 0.5)]
    assert why_provisional(seen, "2.1.0+gnomon.3") == "git does not say what became of the work"
    assert why_provisional([row("coverage", 0.5)], "team-1+gnomon.3") is None
