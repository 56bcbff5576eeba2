"""What makes a task package unfit to measure anything, though its files are in order.

Each task is solved by its reference calls, and not by doing nothing (unless it says so). Nothing that an agent can see
(policy, tools, instruction, what the user says, the world) gives away what is expected.
"""

from collections.abc import Iterator
from typing import Any

from gnomon.bench.family import Defect, Hint
from gnomon.bench.tasks import paths
from gnomon.bench.tasks.comparing import expected_world
from gnomon.bench.tasks.package import Task
from gnomon.bench.tasks.paths import MISSING
from gnomon.bench.tasks.phrases import says
from gnomon.bench.tasks.reference import NOTHING, answer_of
from gnomon.bench.tasks.scoring import AgentMessage, CallPosition, Episode, MadeCall, score
from gnomon.bench.tasks.world import apply
from gnomon.shorten import excerpt

_LEAST_GIVEN_AWAY = 12
"""Characters from which on a text that is found again elsewhere is no coincidence."""
_AROUND = 30


def find_defects(task: Task) -> list[Defect]:
    """Everything that makes a task unfit to measure, apart from what gives it away."""
    return [*_unsolved(task), *_idle(task), *_dangling_paths(task)]


def reference_episode(task: Task) -> Episode:
    """The run of somebody who makes the reference calls and says the reference answer."""
    calls, world = [], task.world
    for number, call in enumerate(task.file.expected.calls or ()):
        applied = apply(task.tools, world, call.tool, call.args)
        calls.append(MadeCall(CallPosition(0, number, 0), call.tool, call.args, applied.ok))
        world = applied.world
    return Episode(calls, [AgentMessage(CallPosition(0, len(calls)), answer_of(task))], 1)


def _unsolved(task: Task) -> Iterator[Defect]:
    """The oracle has to succeed: else the task is labelled wrong."""
    where = f"tasks/{task.task_id}: expected.calls"
    if task.file.expected.calls is None:
        text = "there are no reference calls to show that it can be solved; add expected.calls"
        yield Defect("unsolved", where, text)
        return
    world = task.world
    for number, call in enumerate(task.file.expected.calls):
        applied = apply(task.tools, world, call.tool, call.args)
        if not applied.ok:
            text = f"the reference call fails: {applied.result['message']}"
            yield Defect("unsolved", f"{where}[{number}]", text)
        world = applied.world
    for failure in score(task, reference_episode(task)).failures:
        yield Defect("unsolved", where, f"the reference calls do not solve it: {failure}")


def _idle(task: Task) -> Iterator[Defect]:
    """Doing nothing must not succeed, or a mute agent would look good."""
    where = f"tasks/{task.task_id}"
    idle = score(task, Episode((), [AgentMessage(CallPosition(0, 0), NOTHING)], 1)).success
    if idle and not task.file.nothing_to_do:
        text = "an agent that does nothing succeeds; require a call or words, or set nothing_to_do: true"
        yield Defect("idle", where, text)
    if not idle and task.file.nothing_to_do:
        text = "nothing_to_do is true, but an agent that does nothing fails; remove it"
        yield Defect("idle", where, text)


def _dangling_paths(task: Task) -> Iterator[Defect]:
    """A path that is nowhere compares nothing."""
    expected = task.file.expected
    worlds = (task.world, expected_world(task))
    for field in ("compare", "ignore", "any_order"):
        for text in getattr(expected, field) or ():
            if not any(any(True for _ in paths.matching(world, paths.parse(text))) for world in worlds):
                message = f"{text!r} is nowhere in the world, before or after; check the path"
                yield Defect("path", f"tasks/{task.task_id}: expected.{field}", message)
    for text in expected.absent:
        if paths.value_at(task.world, paths.parse(text)) is MISSING:
            message = f"{text!r} is not in the world at the beginning, so its absence shows nothing"
            yield Defect("path", f"tasks/{task.task_id}: expected.absent", message)


# --- what an agent can see -----


def find_hints(task: Task) -> list[Hint]:
    """Everything that an agent can see and that gives away what is expected."""
    secrets = [task.task_id, task.file.summary, task.file.expected.answer or ""]
    telling = [secret for secret in secrets if len(secret) >= _LEAST_GIVEN_AWAY or "_" in secret]
    hints = [_hint(*seen, secret) for seen in _seen(task) for secret in telling if says(seen[2], secret)]
    # What the user says must not have the words that the agent is to find, nor name the tools that it is to call.
    tools = sorted({call.tool for call in task.file.expected.calls or () if "_" in call.tool})
    words = [word for phrase in task.file.required_words for word in ([phrase] if isinstance(phrase, str) else phrase)]
    return hints + [_hint(*seen, word) for seen in _spoken(task) for word in (*words, *tools) if says(seen[2], word)]


def _hint(surface: str, where: str, text: str, word: str) -> Hint:
    at = max(text.lower().find(word.lower()), 0)
    return Hint(surface, where, word, excerpt(text, at, at + len(word), _AROUND))


Seen = tuple[str, str, str]
"""The surface on which an agent sees a text, where it stands, and the text."""


def _spoken(task: Task) -> Iterator[Seen]:
    where = f"tasks/{task.task_id}"
    yield "instruction", f"{where}: instruction", task.file.instruction
    user = task.file.user
    if user is not None:
        for number, fact in enumerate(user.facts):
            yield "user", f"{where}: user.facts[{number}].say", fact.say
        for number, line in enumerate(user.says):
            yield "user", f"{where}: user.says[{number}]", line
        yield "user", f"{where}: user.otherwise", user.otherwise or ""


def _seen(task: Task) -> Iterator[Seen]:
    """Every text that can reach an agent."""
    yield "prompt", "package: policy", task.package.about.policy
    for tool in task.tools.values():
        for path, text in _texts(tool.offered()["function"]):
            yield "tool", f"tools: {tool.name}{path}", text
    yield from _spoken(task)
    for path, text in _texts(task.world):
        yield "world", f"world: {path.lstrip('.')}", text


def _texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text inside a value, keys included, with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield f"{path}.{key}", key
            yield from _texts(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _texts(inner, f"{path}.{number}")
