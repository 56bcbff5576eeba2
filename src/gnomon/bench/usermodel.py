"""A model that answers for the user. What it may not do, it cannot: silence after the onset is the world's business."""

from collections.abc import Sequence

from gnomon.bench.protocol import Message
from gnomon.bench.usersim import UserSim, UserSimFailed
from gnomon.llm.answer import Trouble
from gnomon.llm.chat import chat

TIMEOUT = 60.0
_ROLE = (
    "You are the person described below, and your assistant writes to you or calls you. Answer as that person would: "
    "briefly, casually, in one or two sentences, and only as that person.\n\n"
)


def asked(model: str) -> UserSim:
    async def say(persona: str, messages: Sequence[Message]) -> str:
        told = [{"role": "system", "content": _ROLE + persona}, *messages]
        try:
            said = await chat(model, told, [], params={}, timeout=TIMEOUT)
        except Trouble as trouble:
            raise UserSimFailed(f"the model {model} that answers for the user: {trouble.message}") from None
        return said.text or ""

    return say
