"""A task as it is played: the user's messages, the tools, and the world that they change.

Everything that lasts follows from the steps of the transcript: the world from the calls that succeeded, the user's next
words from what was said. So a run that was killed is resumed by replaying its steps.
"""

from collections.abc import Sequence

from gnomon.bench.family import StepInput, StepRecord
from gnomon.bench.handling import NOBODY, answered, readable
from gnomon.bench.protocol import AskedCall, Message
from gnomon.bench.tasks.package import Task
from gnomon.bench.tasks.user import END, Exchange, persona_of, scripted_reply
from gnomon.bench.tasks.world import World, apply
from gnomon.bench.toolbox import Args, Response, ToolNames, error
from gnomon.bench.usersim import LONGEST_REPLY, SCRIPTED, UserSim, UserSimFailed
from gnomon.model.transcript import NO_MODEL, Step, ToolCall

LAST_ROUND = "No more tool calls are possible now. Tell the user in a few words how things stand."


class TaskTools(ToolNames):
    """The tools of a task as they are offered."""

    def __init__(self, task: Task) -> None:
        super().__init__(task.tools)
        self.offered = [tool.offered() for tool in task.tools.values()]


class TaskWorld:
    """One run's surroundings."""

    keeps_context = True
    last_round = LAST_ROUND

    def __init__(self, task: Task, user_sim_model: str, say: UserSim | None) -> None:
        """`say` speaks for the user where `user_sim_model` is a model; else the task's own script does, or nobody."""
        self._task = task
        self._user_sim_model = user_sim_model
        self._say = say
        self._world: World = task.world
        self.toolbox = TaskTools(task)
        self.system_prompt = task.package.about.policy
        self.planned_steps = 1 if task.file.user is None or user_sim_model == NO_MODEL else None

    async def begin(self, done: Sequence[Step]) -> StepInput | None:
        if not done:
            return StepInput(0, self._task.file.instruction)
        reply = await self._reply(exchanges(done))
        return None if reply is None else StepInput(done[-1].step_id + 1, reply)

    async def _reply(self, conversation: Sequence[Exchange]) -> str | None:
        """What the user says next; None ends the run."""
        task = self._task
        if self._user_sim_model == NO_MODEL or task.file.user is None or len(conversation) >= task.file.max_steps:
            return None
        if self._user_sim_model == SCRIPTED:
            return scripted_reply(task, conversation)
        if self._say is None:
            raise UserSimFailed(f"no model answers for the user model {self._user_sim_model}")
        try:
            reply = (await self._say(persona_of(task), _as_messages(conversation)))[:LONGEST_REPLY].strip()
        except Exception as bad:
            raise UserSimFailed(f"the simulated user gave no answer: {type(bad).__name__}: {bad}") from bad
        return None if not reply or END in reply else reply

    async def call(self, asked_call: AskedCall, refusal: str | None = None) -> ToolCall:
        return await answered(asked_call, self.toolbox.name(readable(asked_call.name)), self._respond, refusal)

    async def _respond(self, tool: str, args: Args, fault: str | None) -> tuple[Response, str]:
        if fault is not None:
            return error(fault), FAMILY_HANDLER if tool in self.toolbox else NOBODY
        applied = apply(self._task.tools, self._world, tool, args)
        self._world = applied.world
        return applied.result, FAMILY_HANDLER if tool in self.toolbox else NOBODY

    def end(self) -> StepRecord:
        return StepRecord()

    def replay(self, step: Step) -> None:
        for turn in step.turns:
            for call in turn.tool_calls:
                if succeeded(call):
                    self._world = apply(self._task.tools, self._world, call.tool, call.args).world

    def memory(self) -> dict[str, str]:
        return {}

    def remarks(self) -> list[str]:
        return []

    def state(self) -> World:
        return self._world


FAMILY_HANDLER = "TaskWorld"
"""What answers the calls, as transcripts record it."""


def succeeded(call: ToolCall) -> bool:
    """Whether a recorded call did something: one that was refused for any reason changed nothing."""
    return call.ok if call.ok is not None else call.result.get("status") != "error"


def exchanges(steps: Sequence[Step]) -> list[Exchange]:
    """What the user said in each step, and what the agent answered at its end."""
    return [(step.user_message or "", answer_in(step)) for step in steps]


def answer_in(step: Step) -> str:
    """What the agent said to the user: the text of the turn that calls no tool."""
    last = step.turns[-1] if step.turns else None
    return "" if last is None or last.tool_calls else last.agent_text or ""


def _as_messages(conversation: Sequence[Exchange]) -> list[Message]:
    """The conversation as a model that plays the user is given it: its own words are the assistant's."""
    return [
        {"role": role, "content": text}
        for user, agent in conversation
        for role, text in (("assistant", user), ("user", agent or "(no words)"))
    ]
