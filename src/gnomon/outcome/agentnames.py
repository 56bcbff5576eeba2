"""The coding agents that a commit names in its `Co-Authored-By` trailers, or as its author if that is a bot.

Only agents are looked for. The names and addresses of people are read past, and leave this file nowhere.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_TRAILER = re.compile(r"^co-authored-by:[ \t]*([^<>\n]*?)[ \t]*(?:<([^<>\n]*)>)?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_AGENTS: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (agent, re.compile(name, re.IGNORECASE), re.compile(address, re.IGNORECASE))
    for agent, name, address in (
        ("claude-code", r"claude( (code|opus|sonnet|haiku)\b.*)?( \(1M context\))?|claude\[bot\]",
         r"noreply@anthropic\.com|.*\+claude\[bot\]@.*"),
        ("codex", r"(openai )?codex\b.*|chatgpt-codex-connector\[bot\]", r"(noreply|codex)@openai\.com"),
        ("cursor", r"cursor( agent)?", r"cursoragent@cursor\.com"),
        ("copilot", r"(github )?copilot|copilot-swe-agent\[bot\]", r".*\+copilot@users\.noreply\.github\.com"),
        ("aider", r"aider\b.*|.* \(aider\)", r".*@aider\.chat"),
        ("gemini-cli", r"gemini( cli)?\b.*|gemini-code-assist\[bot\]", r".*gemini-cli.*@google\.com"),
        ("jules", r"google-labs-jules\[bot\]", r".*google-labs-jules\[bot\]@.*"),
        ("devin", r"devin ai|devin-ai-integration\[bot\]", r".*devin-ai-integration\[bot\]@.*"),
        ("opencode", r"opencode", r"noreply@opencode\.ai"),
        ("amp", r"amp", r"amp@ampcode\.com"),
        ("windsurf", r"windsurf|cascade", r".*@(codeium|windsurf)\.com"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class NamedAgent:
    """An agent as a commit names it. `model` where the name says which: "Claude Opus 4.8" is claude-opus-4-8."""

    agent: str
    model: str = ""


def agents_in_trailers(messages: Iterable[str]) -> list[NamedAgent]:
    """The agents that the messages name as co-authors, each once, in their order."""
    named: dict[NamedAgent, None] = {}
    for message in messages:
        for name, address in _TRAILER.findall(message):
            if agent := agent_called(name, address):
                named[agent] = None
    return list(named)


def agent_called(name: str, address: str = "") -> NamedAgent | None:
    """The agent that such a name or address belongs to; None for a person's, and for a name nobody knows."""
    for agent, names, addresses in _AGENTS:
        if addresses.fullmatch(address.strip()) or (names.fullmatch(name.strip()) and _no_persons(address)):
            return NamedAgent(agent, _model(name) if agent == "claude-code" else "")
    return None


def _no_persons(address: str) -> bool:
    """A person may be called Claude, or write with Cursor as a nickname: a name alone counts for robots' addresses."""
    return not address or re.search(r"no-?reply|bot|agent", address, re.IGNORECASE) is not None


def _model(name: str) -> str:
    plain = re.sub(r" \(.*\)$", "", name.strip())
    return re.sub(r"[ .]+", "-", plain.lower()) if re.search(r"\d", plain) else ""
