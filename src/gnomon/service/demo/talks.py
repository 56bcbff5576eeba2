"""Conversations of several turns with the chat agent, each with a score of the whole; one went badly."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from gnomon.model.score import ScoreDraft
from gnomon.service.demo import agentturns
from gnomon.service.demo.agentturns import AgentTurn
from gnomon.service.demo.context import HOUR, MINUTE, PROJECT, Context
from gnomon.service.demo.questions import DODGE, V2, Answered, DemoQuestion, questions
from gnomon.service.scoring import attach

_LENGTHS = (3, 5, 4, 8, 3, 6, 4, 3, 5)
_BAD = 6
"""The place of the conversation that went badly."""
_MODELS = ("gpt-4o-mini", "claude-haiku-4-5", "gemini-2.5-flash")

Messages = list[dict[str, str]]


def make_talks(context: Context) -> list[tuple[Messages, str]]:
    """The conversations; what is returned are last turns, with all that was said before, and what was answered."""
    random, turns = context.random("talks"), []
    for index, length in enumerate(_LENGTHS):
        age = (len(_LENGTHS) - index) * 36 * HOUR - random.randrange(9 * HOUR)
        pairs = _bad_questions() if index == _BAD else _questions(random, length)
        turns.append(_talk(context, random, index, age, pairs))
        _score(context, random, index, age)
    return turns


def _questions(random: Random, length: int) -> list[tuple[DemoQuestion, Answered]]:
    """Questions of two topics, mostly answered rightly."""
    topics = random.sample(["returns", "delivery", "plans", "settings"], 2)
    known = [question for question in questions() if question.topic in topics]
    pairs = []
    for question in random.sample(known, length):
        right = random.random() < 0.85
        fact = (question.right if right else question.wrong) or question.wrong
        pairs.append((question, Answered(V2.opening + question.answer(fact), right)))
    return pairs


def _bad_questions() -> list[tuple[DemoQuestion, Answered]]:
    """One question asked four times, and never answered."""
    words = ("Where do I cancel my subscription?", "I asked where I cancel it. Where?", "So where do I cancel it?",
             "Nobody tells me where to cancel. Goodbye.")  # fmt: skip
    cancel = next(question for question in questions() if question.asked == words[0])
    return [(replace(cancel, asked=word), Answered(DODGE, False)) for word in words]


def _talk(
    context: Context, random: Random, index: int, age: int, pairs: Sequence[tuple[DemoQuestion, Answered]]
) -> tuple[Messages, str]:
    history: list[tuple[str, str]] = []
    at, model = context.now - age, random.choice(_MODELS)
    about = {
        "source": "chat", "tier": "team", "user.id": f"customer-{17 + 4 * index}",
        "session.id": f"chat-{index + 1:02}", "gen_ai.conversation.id": _id(index),
    }  # fmt: skip
    for number, (question, answered) in enumerate(pairs):
        turn = AgentTurn(at, question, answered, model, {**about, "turn": str(number + 1)}, tuple(history))
        agentturns.send(context.at(context.now - at), random, turn)
        history += [("user", question.asked), ("assistant", answered.text)]
        at += random.randrange(30_000, 3 * MINUTE)
    messages = [{"role": role, "content": text} for role, text in history]
    return messages[:-1], messages[-1]["content"]


def _id(index: int) -> str:
    return f"talk-{index + 1:02}"


def _score(context: Context, random: Random, index: int, age: int) -> None:
    """Said by a reviewer an hour later."""
    bad = index == _BAD
    value = 0.1 if bad else random.choice([0.7, 0.8, 0.9, 1.0])
    why = (
        "The customer asked three times where to cancel and was never told." if bad else "Every question was answered."
    )
    draft = ScoreDraft(
        target_id=_id(index), target_type="conversation", project_id=PROJECT, scorer_name="resolved", value=value,
        rationale=why, source="human", metadata={"annotator": "reviewer-b"},
    )  # fmt: skip
    attach.attach_one(context.at(max(age - HOUR, 10 * MINUTE)), draft)
