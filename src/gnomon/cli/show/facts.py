"""Who did an iteration, with what, and for how much, as lines of text."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gnomon.report.text.drawing import clean

if TYPE_CHECKING:
    from gnomon.model.iterationfacts import IterationFacts

_MOST_LISTED = 12
"""Names of a list that are shown; the rest is counted. JSON has them all."""


def fact_lines(facts: "IterationFacts") -> Iterator[str]:
    """A line per fact that is known, and one that names those that are not."""
    unknown = []
    for name, words in _facts(facts):
        if words:
            yield f"{name}: {clean(words)}"
        else:
            unknown.append(name)
    if unknown:
        yield f"not known: {', '.join(unknown)}"


def _facts(facts: "IterationFacts") -> Iterator[tuple[str, str]]:
    yield "agent", f"{facts.agent} {facts.agent_version}".strip()
    yield "model", facts.model
    yield "tokens", _tokens(facts)
    yield "cost", _cost(facts)
    yield "rules files", _rules(facts)
    yield (
        "pull requests",
        _listed([f"#{request.number} {request.title or request.url}" for request in facts.pull_requests]),
    )


def _tokens(facts: "IterationFacts") -> str:
    if facts.tokens is None:
        return ""
    fresh = sum(used.input_tokens + used.output_tokens for used in facts.models)
    cached = f", of them {facts.tokens - fresh:,} read from the cache or written to it" if facts.tokens > fresh else ""
    return f"{facts.tokens:,}{cached}"


def _cost(facts: "IterationFacts") -> str:
    if facts.cost_usd is not None:
        return f"${facts.cost_usd:,.2f}" if facts.cost_usd >= 0.1 else f"${facts.cost_usd:.4f}"
    return f"unknown, {facts.why_no_cost}" if facts.models and facts.why_no_cost else ""


def _rules(facts: "IterationFacts") -> str:
    if facts.rules_files is None:
        return ""
    return _listed([file.name for file in facts.rules_files]) or "none"


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_LISTED
    return ", ".join([*(name.strip() for name in names[:_MOST_LISTED]), *([f"{more} more"] if more > 0 else [])])
