"""The `recorded` block of an entry: what `gnomon outcome install` had written down besides the log's own fields.

Reading and writing are here side by side, so that what is written is what is read.
"""

from typing import Any

from gnomon.model.iterationfacts import IterationFacts, ModelTokens, PullRequest, RulesFile
from gnomon.outcome.fields import Block

KEY = "recorded"


def read_recorded(block: Block | None) -> IterationFacts | None:
    """The facts of an entry; None where none were recorded."""
    if block is None:
        return None
    rules = [RulesFile(file.text("path"), file.text("sha256")) for file in block.blocks("rules_files")]
    sources = block.block("sources")
    return IterationFacts(
        agent=block.text("agent"),
        agent_version=block.text("agent_version"),
        model=block.text("model"),
        models=tuple(_model(used) for used in block.blocks("models")),
        cost_usd=block.number("cost_usd") if block.has("cost_usd") else None,
        why_no_cost=block.text("why_no_cost"),
        co_authors=block.texts("co_authors"),
        branch=block.text("branch"),
        commits=block.texts("commits"),
        pull_requests=tuple(_pull_request(request) for request in block.blocks("pull_requests")),
        rules_files=tuple(rules) if block.has("rules_files") else None,
        skills=block.texts("skills"),
        prompts=block.texts("prompts"),
        sources={name: sources.text(name) for name in sources.items},
    )


def _model(used: Block) -> ModelTokens:
    return ModelTokens(
        used.text("model"),
        used.integer("input_tokens"),
        used.integer("output_tokens"),
        used.integer("cache_read_tokens"),
        used.integer("cache_creation_tokens"),
        used.number("cost_usd") if used.has("cost_usd") else None,
    )


def _pull_request(request: Block) -> PullRequest:
    return PullRequest(request.integer("number"), request.text("url"), request.text("title"))


def recorded_block(facts: IterationFacts) -> dict[str, Any]:
    """The facts as they are written. What is not known is left out, but for the cost, whose absence has a reason."""
    block: dict[str, Any] = {
        "agent": facts.agent,
        "agent_version": facts.agent_version,
        "model": facts.model,
        "models": [_shown_model(used) for used in facts.models],
    }
    kept = {name: value for name, value in block.items() if value}
    kept["cost_usd"] = facts.cost_usd
    lists = {name: list(getattr(facts, name)) for name in ("co_authors", "commits", "skills", "prompts")}
    requests = [{"number": pull.number, "url": pull.url, "title": pull.title} for pull in facts.pull_requests]
    more = {"why_no_cost": facts.why_no_cost, "branch": facts.branch, **lists, "pull_requests": requests}
    kept |= {name: value for name, value in more.items() if value}
    if facts.rules_files is not None:
        kept["rules_files"] = [{"path": file.path, "sha256": file.sha256} for file in facts.rules_files]
    return {**kept, **({"sources": dict(facts.sources)} if facts.sources else {})}


def _shown_model(used: ModelTokens) -> dict[str, Any]:
    counts = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_creation_tokens")
    return {"model": used.model, **{name: getattr(used, name) for name in counts}, "cost_usd": used.cost_usd}
