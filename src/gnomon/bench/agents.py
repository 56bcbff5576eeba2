"""Kinds of agents: a model, a reference agent, a Python object, an HTTP endpoint, or a command.

A specification is a line of text: `openai/gpt-4o`, `reference:threshold-monitor`, `python:module:attribute`,
`http://…`, `cmd:…`. Here it is read and made into an agent, models among them; the agents of other people's making
are in foreign.py, those whose results are known in advance belong to the family of what is run.
"""

import hashlib
import importlib
import inspect
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gnomon.bench.family import Scenario
from gnomon.bench.foreign import CommandAgent, HttpAgent, PythonAgent, command_environment
from gnomon.bench.protocol import Agent, AgentFailed, Message, Reply, Tool
from gnomon.calling.command import split, why_not_runnable
from gnomon.calling.endpoint import has_password, is_address, without_password
from gnomon.errors import InvalidInput
from gnomon.llm.answer import one_line
from gnomon.llm.chat import ChatAnswer, chat, why_not_params
from gnomon.llm.limits import RateLimits
from gnomon.llm.providers import why_not
from gnomon.llm.retry import AskingPolicy
from gnomon.llm.session import AskingSession
from gnomon.llm.spent import Spent
from gnomon.shorten import shorten

Kind = Literal["model", "reference", "python", "http", "cmd"]

TIMEOUT = 120.0
"""Seconds for one turn, one try of a model."""
RETRY = AskingPolicy(waits_for=900.0, counts_rate_limits=False)
"""A model that has too much to do is waited for: its turn is no worse for it."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """A parsed agent specification: its text and the kind of agent. `target` is the part after the kind."""

    text: str
    kind: Kind
    target: str


def parse_spec(spec: str) -> AgentSpec:
    """Read a specification; anything else is refused with a clear message."""
    spec = spec.strip()
    head, _, rest = spec.partition(":")
    if head in ("http", "https"):
        return AgentSpec(spec, "http", _checked_url(spec))
    if head == "reference":
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*(:[a-z0-9._-]+)?", rest):
            raise _wrong(spec, "names no reference agent; write reference:NAME")
        return AgentSpec(spec, "reference", rest)
    if head == "python":
        if not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*", rest):
            raise _wrong(spec, "does not say what to import; write python:module:attribute")
        return AgentSpec(spec, "python", rest)
    if head == "cmd":
        _words(spec, rest)
        return AgentSpec(spec, "cmd", rest)
    if not spec or len(spec) > 200 or not spec.isprintable() or " " in spec:
        raise _wrong(
            spec, "is not an agent; write a model's name, reference:NAME, python:module:attr, http://… or cmd:…"
        )
    return AgentSpec(spec, "model", spec)


def _checked_url(spec: str) -> str:
    if not is_address(spec):
        raise _wrong(spec, "is not an address; write it like http://127.0.0.1:9000/turn")
    if has_password(spec):
        words = "has a password, which would be written to transcripts; use an endpoint without one"
        raise _wrong(without_password(spec), words)
    return spec


def _words(spec: str, command: str) -> list[str]:
    try:
        words = split(command)
    except ValueError as bad:
        raise _wrong(spec, f"cannot be split into words: {bad}") from None
    if not words:
        raise _wrong(spec, "names no command; write cmd:PROGRAM ARGUMENTS")
    return words


def _wrong(spec: str, words: str) -> InvalidInput:
    return InvalidInput.of("agent", f"agent {shorten(spec, 80)!r} {words}", code="INVALID_AGENT")


def agent_id(spec: AgentSpec | str) -> str:
    """A name for folders and tables, unique per specification: a hash is added if characters had to be replaced."""
    parsed = spec if isinstance(spec, AgentSpec) else parse_spec(spec)
    if parsed.kind == "reference":
        return f"reference-{parsed.target.replace(':', '-')}"
    safe = re.sub(r"[^a-z0-9._-]+", "-", parsed.text.lower()).strip(".-")
    as_it_is = safe == parsed.text and not re.search(r"^reference-|-[0-9a-f]{8}$", safe) and len(safe) <= 80
    if as_it_is:
        return safe
    return f"{safe[:60].strip('.-') or 'agent'}-{hashlib.sha256(parsed.text.encode()).hexdigest()[:8]}"


def check(spec: AgentSpec, params: Mapping[str, Any]) -> None:
    """Refuse an agent that cannot be made, before the first run and without starting anything."""
    if spec.kind == "model":
        if reason := why_not(spec.target, os.environ):
            raise InvalidInput.of("agent", reason, code="INVALID_AGENT")
        if reason := why_not_params(params):
            raise InvalidInput.of("model_params", reason)
    elif spec.kind == "python":
        _imported(spec)
    elif spec.kind == "cmd" and (reason := why_not_runnable(_words(spec.text, spec.target)[0])):
        raise _wrong(spec.text, f"cannot be run: {reason}")


def make(
    spec: AgentSpec,
    run_number: int,
    scenario: Scenario | None = None,
    *,
    params: Mapping[str, Any] | None = None,
    timeout: float = TIMEOUT,
    session: AskingSession | None = None,
    agent_env: Mapping[str, str] | None = None,
) -> Agent:
    """An agent for one run. A reference agent is the scenario's, so it needs one.

    `params` are a model's sampling settings. Callers that make runs together give them one `session`.
    `agent_env` are variables that a command sees besides the harmless ones of this process (`foreign.PASSED_ON`).
    """
    session = session or AskingSession(RETRY)
    if spec.kind == "model":
        check(spec, params or {})
        return ModelAgent(spec.target, params or {}, timeout, session, spec.text)
    if spec.kind == "reference":
        if scenario is None:
            raise _wrong(spec.text, "belongs to a scenario; name the one that is run")
        return _Paced(scenario.reference_agent(spec.target, run_number), spec.text, session.limits)
    if spec.kind == "python":
        return _Paced(PythonAgent(_make_agent(spec, run_number), spec.text, timeout), spec.text, session.limits)
    if spec.kind == "http":
        return _Paced(HttpAgent(spec.target, timeout), spec.text, session.limits)
    environment = command_environment(os.environ, agent_env or {})
    return _Paced(CommandAgent(_words(spec.text, spec.target), timeout, environment), spec.text, session.limits)


@dataclass(frozen=True, slots=True)
class _Paced:
    """Any agent, within the limits that all runs share. A model's tries each wait for their turn."""

    agent: Agent
    name: str
    limits: RateLimits

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        await self.limits.turn(self.name)
        return await self.agent.answer(messages, tools)

    async def close(self) -> None:
        await self.agent.close()


# --- a model -----


class ModelAgent:
    """A model, asked again if that may help. Failed attempts are part of the turn's cost."""

    def __init__(
        self, model: str, params: Mapping[str, Any], timeout: float, session: AskingSession, name: str | None = None
    ) -> None:
        """`name` is what its limits go by: two agents of one model are slowed down one by one."""
        self._model, self._params, self._timeout, self._session = model, dict(params), timeout, session
        self._name = name or model

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        async def call() -> tuple[ChatAnswer, ChatAnswer]:
            chat_answer = await chat(self._model, messages, tools, params=self._params, timeout=self._timeout)
            return chat_answer, chat_answer

        outcome = await self._session.ask(self._name, call)
        if outcome.answer is None:
            raise AgentFailed(outcome.gave_up)
        spent = Spent.of(outcome.took)
        reply = outcome.answer
        return Reply(reply.text, reply.tool_calls, spent.tokens_input, spent.tokens_output, spent.cost_usd, reply.model)

    async def close(self) -> None:
        """Connections are shared by all models of the process."""


# --- somebody's Python -----


def _imported(spec: AgentSpec) -> Any:
    """What a `python:` specification names: an agent, a function of messages and tools, or what makes one of them."""
    module, _, attribute = spec.target.partition(":")
    if (working_folder := os.getcwd()) not in sys.path:
        sys.path.insert(0, working_folder)
    try:
        target: Any = importlib.import_module(module)
        for part in attribute.split("."):
            target = getattr(target, part)
    except Exception as bad:
        raise _wrong(spec.text, f"cannot be imported: {type(bad).__name__}: {one_line(str(bad))}") from None
    if not (_answers(target) or _takes(target) or _takes(target, run_number=1)):
        raise _wrong(
            spec.text, "is not an agent; write a function of (messages, tools), or a class with such an answer"
        )
    return target


def _make_agent(spec: AgentSpec, run_number: int) -> Any:
    target = _imported(spec)
    if _answers(target):
        return target
    try:
        agent = target(run_number=run_number) if _takes(target, run_number=run_number) else target()
    except Exception as bad:
        raise _wrong(spec.text, f"could not be made: {type(bad).__name__}: {one_line(str(bad))}") from None
    if not _answers(agent):
        raise _wrong(spec.text, f"makes a {type(agent).__name__}, which has no answer(messages, tools)")
    return agent


def _answers(candidate: Any) -> bool:
    """Whether it is an agent as it stands. A class is not one: it makes one."""
    if isinstance(candidate, type):
        return False
    return callable(getattr(candidate, "answer", None)) or _takes(candidate, None, None)


def _takes(function: Any, *positional: Any, **named: Any) -> bool:
    try:
        inspect.signature(function).bind(*positional, **named)
    except (TypeError, ValueError):
        return False
    return True
