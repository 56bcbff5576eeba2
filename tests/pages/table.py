"""What each page needs before its commands, and which commands cannot run here.

A page that is not named here runs as it is: on a store of its own, or with a server where it speaks of one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gnomon.testing import Asked, Reply
from pages import prepared
from pages.walk import Walk

Role = Literal["read", "write", "admin"]


@dataclass(frozen=True)
class Needs:
    """What is there before the first command of a page."""

    demo: bool = False
    """The file demo.db, which the page tells the reader to make with `gnomon demo --no-serve --db demo.db`; and what
    `gnomon demo` would make in the reader's home, since making it takes some seconds."""
    key: tuple[Role, str | None] | None = None
    """GNOMON_URL names a fresh server, and GNOMON_API_KEY a key with this role, for this project or all."""
    model: Callable[[Asked], Reply] | None = None
    """OPENAI_BASE_URL names a model on loopback that answers so."""
    postgresql: str | None = None
    """The address by which the page calls a PostgreSQL; an empty database stands for it."""
    receivers: tuple[str, ...] = ()
    """Addresses of receivers of OpenTelemetry's protocol; one that takes everything stands for them."""
    prepare: Callable[[Walk], None] | None = None
    """Files and variables that the page tells its reader to have."""


ADMIN: tuple[Role, None] = ("admin", None)
NEEDS: dict[str, Needs] = {
    "README.md": Needs(key=ADMIN, prepare=prepared.server_of_its_own),
    "docs/benchmarks/bench.md": Needs(key=ADMIN, model=prepared.judge, prepare=prepared.own_rubric),
    "docs/coding-agents/compare.md": Needs(key=("write", "shop")),
    "docs/coding-agents/outcome.md": Needs(key=("write", "shop"), prepare=prepared.repository_of_an_agent),
    "docs/compare/leaderboard.md": Needs(demo=True),
    "docs/compare/plan.md": Needs(demo=True),
    "docs/compare/regressions.md": Needs(demo=True),
    "docs/deploy/keep-and-delete.md": Needs(demo=True, key=("write", "support"), prepare=prepared.a_run),
    "docs/deploy/servers.md": Needs(postgresql="postgresql://gnomon@db/gnomon"),
    "docs/experiments/export.md": Needs(
        demo=True, receivers=("http://127.0.0.1:4318", "https://collector.example.org")
    ),
    "docs/get-started/command-line.md": Needs(demo=True, model=prepared.judge, prepare=prepared.example_rubric),
    "docs/get-started/quickstart.md": Needs(demo=True),
    "docs/get-started/web/README.md": Needs(demo=True),
    "docs/integrations/claude-code.md": Needs(key=("write", "coding"), prepare=prepared.sessions_of_coding_agents),
    "docs/integrations/codex.md": Needs(key=("write", "coding"), prepare=prepared.sessions_of_coding_agents),
    "docs/review/annotate.md": Needs(key=("admin", "support")),
    "docs/review/judges-and-people.md": Needs(demo=True),
    "docs/scorers/online.md": Needs(
        key=("write", "support"), model=prepared.judge, prepare=prepared.scores_of_some_days
    ),
    "docs/scorers/report-card.md": Needs(demo=True, model=prepared.grade),
    "docs/scorers/rubrics.md": Needs(key=("write", "support"), model=prepared.support_judge, prepare=prepared.a_run),
    "docs/tracing/conversations.md": Needs(key=("write", "shop"), model=prepared.judge),
    "docs/tracing/import-traces.md": Needs(key=("write", "support"), prepare=prepared.export_of_another_tool),
    "web/README.md": Needs(demo=True),
}

REGISTRY = "installs packages from a registry"
MAKE = "builds, measures or tests the whole repository"
FRAMEWORK = "a program of the reader's, and packages that are not installed here"
NOT_RUN: dict[str, dict[str, str]] = {
    "CONTRIBUTING.md": {"make ": MAKE},
    "README.md": {"make ": MAKE},
    "docs/benchmarks/bench.md": {"gnomon bench run $(printf": "asks two providers some 48,000 times"},
    "docs/benchmarks/foreign.md": {"gnomon bench leaderboard trajectories/": "reads the reader's own trajectories"},
    "docs/concepts/items.md": {"gnomon bench items": "reads published results, which are no part of Gnomon"},
    "docs/coding-agents/mcp.md": {"pip install": REGISTRY, "claude mcp add": "Claude Code is not installed here"},
    "docs/concepts/intervals.md": {"python -m bench.validity": "minutes of simulation"},
    "docs/deploy/performance.md": {"make ": MAKE, "python -m bench.speed": MAKE},
    "docs/get-started/web/README.md": {"make ": MAKE},
    "docs/integrations/README.md": {"from opentelemetry import trace": "a part of the reader's program"},
    "docs/integrations/anthropic.md": {"pip install": REGISTRY, "opentelemetry-instrument": FRAMEWORK},
    "docs/integrations/claude-code.md": {"claude -p": "Claude Code is not installed here"},
    "docs/integrations/langchain.md": {
        "pip install": REGISTRY,
        "opentelemetry-instrument": FRAMEWORK,
        "from langchain.agents import": FRAMEWORK,
    },
    "docs/integrations/litellm-proxy.md": {"pip install": REGISTRY, "litellm --config": "the proxy asks OpenAI"},
    "docs/integrations/llama-index.md": {
        "pip install": REGISTRY,
        "opentelemetry-instrument": FRAMEWORK,
        "from openinference.instrumentation.llama_index": FRAMEWORK,
    },
    "docs/integrations/openai-agents.md": {"pip install": REGISTRY, "opentelemetry-instrument": FRAMEWORK},
    "docs/integrations/openai.md": {"pip install": REGISTRY, "opentelemetry-instrument": FRAMEWORK},
    "docs/integrations/pydantic-ai.md": {
        "pip install": REGISTRY,
        "opentelemetry-instrument": FRAMEWORK,
        "from pydantic_ai import Agent\n\nAgent.instrument_all()": "asks OpenAI",
    },
    "docs/integrations/vercel-ai-sdk.md": {"npm install": REGISTRY, "node --import": FRAMEWORK},
    "docs/scorers/rubrics.md": {"found = await opinion": "one line of an async program"},
    "web/README.md": {"node ": "needs the packages of the page", "VITE_DEV_KEY": "needs the packages of the page"},
}
"""Page → beginning of a command (or of a block of Python) → why it cannot run here."""

ENDS: dict[str, dict[str, int]] = {
    "docs/compare/regressions.md": {"gnomon compare main.csv branch.csv --fail-on": 1},
    "docs/coding-agents/outcome.md": {"gnomon outcome gate": 4},
    "docs/get-started/quickstart.md": {"gnomon drift": 1},
    "docs/scorers/online.md": {"gnomon drift": 1},
}
"""Page → beginning of a command → the exit code that the page speaks of, where it is not 0."""
