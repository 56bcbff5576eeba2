"""Cards of iterations as Markdown for a pull request: the score, where it comes from, claims beside facts, the cost.

The comment begins with a marker that readers do not see, by which the next run finds it and brings it up to date.
"""

from collections.abc import Iterator, Sequence

from gnomon.model.iterationcard import IterationCard
from gnomon.model.outcome import IntegrityObservation, OutcomeScore, SignalContribution
from gnomon.report.gate import plain
from gnomon.report.text.drawing import clean, number, shortened
from gnomon.report.worksections import dollars
from gnomon.shorten import counted
from gnomon.stats.describe import SAME

MARKER = "<!-- gnomon outcome card -->"
_MOST_CARDS = 10
_LONGEST = 300


def markdown(cards: Sequence[IterationCard], missing: str = "") -> str:
    """The comment. `missing` says why there is no card, where there is none."""
    lines = [MARKER]
    for card in cards[:_MOST_CARDS]:
        lines += [*_card(card), ""]
    if len(cards) > _MOST_CARDS:
        lines += [f"And {counted(len(cards) - _MOST_CARDS, 'more iteration')}.", ""]
    if not cards:
        lines += ["### No iteration", "", _text(missing), ""]
    lines.append("<sub>What an iteration is worth, by `gnomon outcome`. An absent signal has no vote.</sub>")
    return "\n".join(lines) + "\n"


def _card(card: IterationCard) -> Iterator[str]:
    head = "These commits" if card.iteration is None else f"Iteration {card.iteration}"
    yield f"### {head}: {_text(card.title)}"
    yield ""
    yield _verdict(card.score)
    yield ""
    yield from _breakdown(card.score)
    yield ""
    broken = [pair for pair in card.integrity if pair.comparable and pair.delta < -SAME]
    if broken:
        yield "**Claims that did not hold**"
        yield ""
        yield from (_claim(pair) for pair in broken)
        yield ""
    yield " · ".join(_made_with(card))


def _verdict(score: OutcomeScore) -> str:
    if not score.scored:
        return "**No score**: no signal has evidence."
    band = f"provisional ({plain(score.band)})" if score.provisional else plain(score.band)
    evidence = f"on {score.coverage:.0%} of the evidence, by rubric {plain(score.rubric_version)}"
    words = f"**{score.value:.3f}, {band}**, {evidence}."
    return f"{words} Provisional: {plain(score.why_provisional)}." if score.why_provisional else words


def _breakdown(score: OutcomeScore) -> Iterator[str]:
    yield "| signal | sub-score | weight | adds | evidence |"
    yield "|---|---:|---:|---:|---|"
    yield from (_row(row) for row in score.breakdown)
    if score.scored:
        yield f"| **sum** | | | **{number(score.value)}** | |"


def _row(row: SignalContribution) -> str:
    figures = (number(row.sub_score), f"{row.effective_weight:.3f}", number(row.contribution))
    cells = figures if row.present else ("–", f"({row.nominal_weight:.2f})", "–")
    return f"| {_text(row.label)} | {' | '.join(cells)} | {_text(row.detail)} |"


def _claim(pair: IntegrityObservation) -> str:
    figures = f"claimed {pair.claimed.sub_score:.2f}, observed {pair.observed.sub_score:.2f}"
    return f"- {pair.role}: {_text(pair.signal)} {figures} ({_text(pair.observed.detail)})"


def _made_with(card: IterationCard) -> Iterator[str]:
    facts = card.facts
    yield counted(len(card.commits), "commit")
    if facts.agent or facts.model:
        yield " ".join(plain(clean(name)) for name in (facts.agent, facts.model) if name)
    if facts.tokens is not None:
        yield f"{facts.tokens:,} tokens"
    yield dollars(facts.cost_usd) if facts.cost_usd is not None else "cost not known"
    if facts.rules_files:
        yield ", ".join(plain(clean(file.name)) for file in facts.rules_files)


def _text(text: str) -> str:
    """Words from outside, on one line and without markup."""
    return plain(shortened(clean(text), _LONGEST))
