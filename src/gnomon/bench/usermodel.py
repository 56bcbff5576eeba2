"""A model that answers for the user. When the user is silent is the world's business."""

from collections.abc import Sequence

from gnomon.bench.protocol import Message
from gnomon.bench.usersim import UserSim, UserSimFailed
from gnomon.llm.chat import ChatAnswer, chat
from gnomon.llm.session import AskingSession

TIMEOUT = 60.0
_ROLE = (
    "You are the person described below, and your assistant writes to you or calls you. Answer as that person would: "
    "briefly, casually, in one or two sentences, and only as that person.\n\n"
)


def model_user(model: str) -> UserSim:
    session = AskingSession()

    async def say(persona: str, messages: Sequence[Message]) -> str:
        messages_with_role = [{"role": "system", "content": _ROLE + persona}, *messages]

        async def call() -> tuple[str, ChatAnswer]:
            chat_answer = await chat(model, messages_with_role, [], params={}, timeout=TIMEOUT)
            return chat_answer.text or "", chat_answer

        outcome = await session.ask(model, call)
        if outcome.trouble is not None:
            raise UserSimFailed(f"the model {model} that answers for the user: {outcome.trouble.message}")
        return outcome.answer or ""

    return say
