"""What an agent is to the runner: it gets messages and tools, and gives words and tool calls.

Messages and tools are written as OpenAI's chat protocol has them, because that is what everybody's adapters
speak. Whether a conversation lasts for one step or for the
whole run is its world's decision; an agent is given all of it each time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gnomon.model.toolcalls import AskedCall

__all__ = ["Agent", "AgentFailed", "AskedCall", "Message", "Reply", "Tool"]

Message = dict[str, Any]
"""{role: system|user|assistant|tool, content, tool_calls?, tool_call_id?}"""
Tool = dict[str, Any]
"""{type: function, function: {name, description, parameters: JSON schema}}"""


@dataclass(frozen=True, slots=True)
class Reply:
    """One turn of an agent. Tokens and cost are None where nobody says them."""

    text: str | None = None
    tool_calls: tuple[AskedCall, ...] = ()
    tokens_input: int | None = None
    tokens_output: int | None = None
    cost_usd: float | None = None
    model: str | None = None


class AgentFailed(Exception):
    """The agent gave no turn: it crashed, never answered, or answered with something that is not a turn. One line."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Agent(Protocol):
    """Whoever can take part. A new one is made for each run."""

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        """The next turn; raises `AgentFailed` when there is none."""

    async def close(self) -> None:
        """Let go of processes and connections."""
