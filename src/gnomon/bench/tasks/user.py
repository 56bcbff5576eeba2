"""The simulated user: what is said after the agent has spoken, or that the conversation is over.

The scripted user is a function of the conversation alone, so a run that was killed goes on as if nothing had happened.
A fact is told when the agent's message has one of the words that ask for it: once, and again when the message is a
question. Else the user says the next of its own lines, then answers questions with `otherwise`, and then has no more to
say.
"""

from collections.abc import Sequence

from gnomon.bench.tasks.nouns import SimulatedUser
from gnomon.bench.tasks.package import Task
from gnomon.bench.tasks.phrases import first_said

MOST_OTHERWISE = 3
"""Questions that get the answer `otherwise`; an agent that only asks must come to an end."""
END = "###END###"
"""What a model that plays the user says when it has nothing more to say."""

Exchange = tuple[str, str]
"""What the user said, and what the agent answered."""


def scripted_reply(task: Task, exchanges: Sequence[Exchange]) -> str | None:
    """What the user says next; None ends the conversation."""
    user = task.file.user
    if user is None or len(exchanges) >= task.file.max_steps:
        return None
    state = _Script(user)
    reply: str | None = None
    for _, answer in exchanges:
        reply = state.reply(answer)
        if reply is None:
            return None
    return reply


class _Script:
    """What the user has said so far, as far as it decides what comes next."""

    def __init__(self, user: SimulatedUser) -> None:
        self._user = user
        self._facts_said: set[int] = set()
        self._lines = list(user.says)
        self._otherwise = MOST_OTHERWISE

    def reply(self, answer: str) -> str | None:
        asks = "?" in answer
        facts = [
            number
            for number, fact in enumerate(self._user.facts)
            if first_said(answer, fact.asked) and (asks or number not in self._facts_said)
        ]
        if facts:
            self._facts_said.update(facts)
            return " ".join(self._user.facts[number].say for number in facts)
        if self._lines:
            return self._lines.pop(0)
        if asks and self._user.otherwise is not None and self._otherwise > 0:
            self._otherwise -= 1
            return self._user.otherwise
        return None


def persona_of(task: Task) -> str:
    """What a model is told that plays the user of a task."""
    user = task.file.user or SimulatedUser()
    known = [f"- {fact.say} (say it when asked about: {', '.join(fact.asked)})" for fact in user.facts]
    wishes = [f"- {line}" for line in user.says]
    parts = [
        user.persona or "You are a customer.",
        f'You began the conversation with: "{task.file.instruction}"',
        *(["What you know, and tell only when you are asked for it:", *known] if known else []),
        *(["What you bring up afterwards, one after the other:", *wishes] if wishes else []),
        f"Invent nothing beyond this. When there is nothing more to say, answer with {END} and nothing else.",
    ]
    return "\n".join(parts)
