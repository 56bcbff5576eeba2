"""Agents whose results on a task are known in advance: the ceiling, the floor, and two between them.

oracle        makes the reference calls of the task, one at a time, and then says what is to be said
does-nothing  says that there is nothing to do
wrong-order   makes the reference calls from the last to the first; it succeeds where their order does not matter
flaky:P       the oracle in a share P of its runs, drawn from task and run number; else does-nothing

Unlike other agents they know the task. They keep nothing: what was called so far, they see in the messages, so one that
is made anew in the middle of a run goes on as the one before.
"""

from collections.abc import Sequence

from gnomon.bench.protocol import Agent, AskedCall, Message, Reply, Tool
from gnomon.bench.reference import drawn, flaky_share, unknown_reference
from gnomon.bench.tasks.nouns import ReferenceCall
from gnomon.bench.tasks.package import Task

NAMES = ("oracle", "does-nothing", "wrong-order", "flaky:P")
NOTHING = "There is nothing to do."


def answer_of(task: Task) -> str:
    """What somebody who solved the task says: as the task has it, else the words that are required."""
    if task.file.expected.answer is not None:
        return task.file.expected.answer
    phrases = [phrase if isinstance(phrase, str) else phrase[0] for phrase in task.file.required_words]
    return " ".join(["Done.", *(f"{phrase}." for phrase in phrases)])


class TaskReferenceAgent:
    """Makes calls that are fixed in advance, then says one thing."""

    def __init__(self, name: str, calls: Sequence[ReferenceCall], answer: str) -> None:
        self._name, self._calls, self._answer = name, calls, answer

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        calls_made = sum(len(message.get("tool_calls") or ()) for message in messages)
        calls: tuple[AskedCall, ...] = ()
        if calls_made < len(self._calls) and tools:
            call = self._calls[calls_made]
            calls = (AskedCall(call.tool, dict(call.args)),)
        return Reply(None if calls else self._answer, calls, 0, 0, 0.0, f"reference:{self._name}")

    async def close(self) -> None:
        """It holds nothing."""


def check(name: str) -> None:
    """Refuse a name that no reference agent of tasks has."""
    if name not in NAMES[:3] and flaky_share(name) is None:
        raise unknown_reference(name, NAMES)


def make(name: str, task: Task, run_number: int) -> Agent:
    check(name)
    acts = name
    share = flaky_share(name)
    if share is not None:
        acts = "oracle" if drawn(f"{name}/{task.scenario_id}", run_number) < share else "does-nothing"
    calls = list(task.file.expected.calls or ())
    if acts == "does-nothing":
        return TaskReferenceAgent(name, [], NOTHING)
    return TaskReferenceAgent(name, calls if acts == "oracle" else calls[::-1], answer_of(task))
