"""Who did an iteration and with what, put together from an entry, its sessions and its commits.

What was recorded at the time comes first, then what session files show, then what commits say. Each fact carries the
place that it came from.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache

from gnomon.agentlogs import WindowFacts
from gnomon.model.iterationfacts import IterationFacts, ModelTokens, RulesFile
from gnomon.outcome import costs
from gnomon.outcome.agentnames import agents_in_trailers
from gnomon.outcome.gitfacts import Commit
from gnomon.outcome.moments import epoch_seconds
from gnomon.outcome.pullrequests import PullRequestFile, pull_requests_of
from gnomon.outcome.record import IterationRecord

_NO_FILE = PullRequestFile()


@dataclass(frozen=True, slots=True)
class CommitEvidence:
    """What git has of an iteration: its commits, the merges that brought them, and the rules in force at the newest."""

    commits: Sequence[Commit] = ()
    merges: Sequence[Commit] = ()
    rules_files: tuple[RulesFile, ...] | None = None
    pull_requests: PullRequestFile = field(default=_NO_FILE)


def facts_of(record: IterationRecord, session: WindowFacts | None, git: CommitEvidence) -> IterationFacts:
    """Everything that is known of an iteration besides its score."""
    facts = record.recorded or IterationFacts()
    spent = () if session is None else costs.spent(session.answers)
    facts = _with_agent(facts, record, session, spent, git.commits)
    facts = _with_cost(facts, record, spent)
    facts = _with_pull_requests(facts, git)
    if facts.rules_files is None and git.rules_files is not None:
        facts = _with(facts, "rules_files", git.rules_files, "the tree of the commit")
    return facts


def _with(facts: IterationFacts, name: str, value: object, source: str) -> IterationFacts:
    sources = _shared(tuple({**facts.sources, name: source}.items()))
    return replace(facts, **{name: value}, sources=sources)  # type: ignore[arg-type]


@lru_cache(maxsize=1024)
def _shared(sources: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Thousands of iterations know the same from the same places, and share one mapping, which nobody changes."""
    return dict(sources)


def _with_agent(
    facts: IterationFacts,
    record: IterationRecord,
    session: WindowFacts | None,
    spent: Sequence[ModelTokens],
    commits: Sequence[Commit],
) -> IterationFacts:
    named = agents_in_trailers(commit.message for commit in commits)
    if named and not facts.co_authors:
        facts = _with(facts, "co_authors", tuple(dict.fromkeys(agent.agent for agent in named)), "Co-Authored-By")
    from_session = "" if session is None else next(iter(sorted(session.harnesses)), "")
    written = [(record.agent.harness, "the entry"), (from_session, "session file")]
    facts = _first(facts, "agent", [*written, *((agent.agent, "Co-Authored-By") for agent in named)])
    models = [(record.agent.model, "the entry"), *((used.model, "session file") for used in spent)]
    return _first(facts, "model", [*models, *((agent.model, "Co-Authored-By") for agent in named)])


def _first(facts: IterationFacts, name: str, choices: Sequence[tuple[str, str]]) -> IterationFacts:
    """The first of the values that says something, where nothing is recorded."""
    if getattr(facts, name):
        return facts
    value, source = next(((value, source) for value, source in choices if value), ("", ""))
    return _with(facts, name, value, source) if value else facts


def _with_cost(facts: IterationFacts, record: IterationRecord, spent: Sequence[ModelTokens]) -> IterationFacts:
    """Tokens and dollars: as recorded, else of the session's answers, else of the entry's counters."""
    if facts.models:
        return facts
    if spent:
        facts = _with(facts, "models", tuple(spent), "session file")
    elif record.session_tokens is not None and any(_counters(record)):
        at = epoch_seconds(record.checkpoint_at)
        moment = None if at is None else datetime.fromtimestamp(at, UTC)
        inside = "codex" in record.agent.harness.lower()
        used = costs.of_entry(record.agent.model, record.session_tokens, inside, moment)
        facts = _with(facts, "models", (used,), "session_tokens of the entry")
    cost, why = costs.total(facts.models)
    facts = replace(facts, why_no_cost=why)
    return facts if cost is None else _with(facts, "cost_usd", cost, f"list prices, {facts.sources['models']}")


def _counters(record: IterationRecord) -> tuple[int, ...]:
    tokens = record.session_tokens
    assert tokens is not None
    return (tokens.input_tokens, tokens.output_tokens, tokens.cache_read_tokens, tokens.cache_creation_tokens)


def _with_pull_requests(facts: IterationFacts, git: CommitEvidence) -> IterationFacts:
    requests = pull_requests_of([*git.commits, *git.merges], git.pull_requests)
    known = {request.number: request for request in facts.pull_requests}
    merged = {**known, **{request.number: request for request in requests}}
    return _with(facts, "pull_requests", tuple(merged.values()), "merge message") if requests else facts
