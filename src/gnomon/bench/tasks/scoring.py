"""A run of a task to success and metrics, by rules: the same every time, with evidence for every claim.

state_match      of the values that had to change or did change, the share that is as expected at the end
required_calls   share of the required calls that were made
forbidden_calls  forbidden calls that were made
required_words   share of the required phrases that the agent said to the user
forbidden_words  forbidden phrases that it said
tool_errors      calls that came back as an error
tool_calls       calls in all
steps            messages to the agent until the end

Success is all of the expected world, all that is required and nothing that is forbidden. What the agent said to the
user is what ended its steps; words beside a tool call are its own affair.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gnomon.bench.tasks import expressions
from gnomon.bench.tasks.comparing import PathResult, compare
from gnomon.bench.tasks.expressions import ExpressionError, equal
from gnomon.bench.tasks.nouns import CallPattern
from gnomon.bench.tasks.package import Task
from gnomon.bench.tasks.phrases import first_said, says
from gnomon.bench.tasks.world import World, replayed
from gnomon.model import jsonvalue
from gnomon.shorten import excerpt

_AROUND = 80
"""Characters of an answer that evidence shows before and after a phrase."""
SCORER_VERSION = 1
MOST_EVIDENCE = 50
"""Pointers kept for one metric."""


def call_in_words(tool: str, args: Mapping[str, Any]) -> str:
    """A call as people write one: `sell(fruit="apple", pieces=2)`."""
    return f"{tool}({', '.join(f'{name}={jsonvalue.canonical(value)}' for name, value in args.items())})"


class CallPosition(NamedTuple):
    """Where in a run something is to be seen; None where it is nowhere in particular."""

    step: int | None = None
    turn: int | None = None
    call: int | None = None


@dataclass(frozen=True, slots=True)
class MadeCall:
    position: CallPosition
    tool: str
    args: Mapping[str, Any]
    ok: bool

    def in_words(self) -> str:
        return call_in_words(self.tool, self.args)


@dataclass(frozen=True, slots=True)
class AgentMessage:
    """What an agent said to the user."""

    position: CallPosition
    text: str


@dataclass(frozen=True, slots=True)
class Episode:
    """A run as rules look at it."""

    calls: Sequence[MadeCall] = ()
    answers: Sequence[AgentMessage] = ()
    steps: int = 0


class Proof(NamedTuple):
    """What a metric stands on."""

    position: CallPosition
    excerpt: str


@dataclass(frozen=True, slots=True)
class TaskMetric:
    name: str
    value: float
    proofs: tuple[Proof, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskScore:
    success: bool
    metrics: tuple[TaskMetric, ...]
    failures: tuple[str, ...]
    """Why it is not a success, one line per reason."""


def score(task: Task, episode: Episode) -> TaskScore:
    """What a whole run is worth. Whether it is whole, the caller knows."""
    final = final_world(task, episode)
    state = compare(task, final)
    required, missing = _required_calls(task, episode)
    forbidden = [proof for pattern in task.file.forbidden_calls for proof in _forbidden(pattern, episode)]
    words, unsaid = _required_words(task, episode)
    slips = list(_forbidden_words(task, episode))
    errors = [Proof(call.position, call.in_words()) for call in episode.calls if not call.ok]
    metrics = (
        TaskMetric("state_match", _share(state), _proofs(_state_proofs(state))),
        required,
        TaskMetric("forbidden_calls", len(forbidden), _proofs(forbidden)),
        words,
        TaskMetric("forbidden_words", len(slips), _proofs(slips)),
        TaskMetric("tool_errors", len(errors), _proofs(errors)),
        TaskMetric("tool_calls", len(episode.calls)),
        TaskMetric("steps", episode.steps),
    )
    failures = (
        *(result.in_words() for result in state if not result.matches),
        *(f"not called: {pattern}" for pattern in missing),
        *(f"forbidden call: {proof.excerpt}" for proof in forbidden),
        *(f"not said: {phrase}" for phrase in unsaid),
        *(f"forbidden words: {proof.excerpt}" for proof in slips),
    )
    return TaskScore(not failures, metrics, failures)


def final_world(task: Task, episode: Episode) -> World:
    """The world at the end: the calls that succeeded, applied once more. Others changed nothing."""
    return replayed(task.tools, task.world, ((call.tool, call.args) for call in episode.calls if call.ok))


def _share(state: Sequence[PathResult]) -> float:
    return sum(result.matches for result in state) / len(state) if state else 1.0


def _state_proofs(state: Sequence[PathResult]) -> Iterator[Proof]:
    # What is wrong comes first: it is what a reader looks for.
    for result in sorted(state, key=lambda result: result.matches):
        yield Proof(CallPosition(), result.in_words())


def _proofs(proofs: Any) -> tuple[Proof, ...]:
    return tuple(proofs)[:MOST_EVIDENCE]


# --- calls -----


def _required_calls(task: Task, episode: Episode) -> tuple[TaskMetric, list[str]]:
    patterns = task.file.required_calls
    proofs: list[Proof] = []
    missing: list[str] = []
    start = 0
    for pattern in patterns:
        matching = [at for at, call in enumerate(episode.calls) if at >= start and call.ok and matches(pattern, call)][
            : pattern.times
        ]
        if len(matching) < pattern.times:
            missing.append(pattern_in_words(pattern))
            continue
        proofs += [Proof(episode.calls[at].position, episode.calls[at].in_words()) for at in matching]
        if task.file.in_order:
            start = matching[-1] + 1
    share = 1 - len(missing) / len(patterns) if patterns else 1.0
    return TaskMetric("required_calls", share, _proofs(proofs)), missing


def _forbidden(pattern: Any, episode: Episode) -> Iterator[Proof]:
    for call in episode.calls:
        if (call.ok or pattern.attempts) and matches(pattern, call):
            yield Proof(call.position, call.in_words())


def matches(pattern: CallPattern, call: MadeCall) -> bool:
    """Whether a call is one of those that are meant. A condition that cannot be computed does not hold."""
    if call.tool != pattern.tool:
        return False
    if any(key not in call.args or not equal(call.args[key], value) for key, value in pattern.args.items()):
        return False
    if pattern.where is None:
        return True
    condition = expressions.parse(pattern.where)
    try:
        return condition.holds({**dict.fromkeys(condition.names), **call.args})
    except ExpressionError:
        return False


def pattern_in_words(pattern: CallPattern) -> str:
    condition = f" where {pattern.where}" if pattern.where else ""
    times = getattr(pattern, "times", 1)
    return f"{call_in_words(pattern.tool, pattern.args)}{condition}{f' {times} times' if times > 1 else ''}"


# --- words -----


def _required_words(task: Task, episode: Episode) -> tuple[TaskMetric, list[str]]:
    proofs: list[Proof] = []
    unsaid: list[str] = []
    wanted = task.file.required_words
    for phrase in wanted:
        choices = [phrase] if isinstance(phrase, str) else phrase
        answer = next((answer for answer in episode.answers if first_said(answer.text, choices)), None)
        if answer is None:
            unsaid.append(" or ".join(map(repr, choices)))
        else:
            proofs.append(Proof(answer.position, _excerpt(answer.text, first_said(answer.text, choices) or "")))
    share = 1 - len(unsaid) / len(wanted) if wanted else 1.0
    return TaskMetric("required_words", share, _proofs(proofs)), unsaid


def _forbidden_words(task: Task, episode: Episode) -> Iterator[Proof]:
    for phrase in task.file.forbidden_words:
        for answer in episode.answers:
            if says(answer.text, phrase):
                yield Proof(answer.position, _excerpt(answer.text, phrase))


def _excerpt(text: str, phrase: str) -> str:
    at = max(text.lower().find(phrase.lower()), 0)
    return excerpt(text, at, at + len(phrase), _AROUND)
