"""A simulated user: a function from a persona and a conversation to words.

What a user may not say, and when, is the world's business; here is only how the words are made. A model that answers
for the user is in usermodel.py.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence

from gnomon.bench.protocol import Message

UserSim = Callable[[str, Sequence[Message]], Awaitable[str]]
"""(persona, messages) → what the user says. The assistant speaks as `user`, the person as `assistant`."""
SCRIPTED = "scripted"
LONGEST_REPLY = 2_000

TO_A_QUESTION = [
    "Yes, all good.", "Yep, fine here. Bit busy.", "All fine, thanks for asking.", "yes", "Sure, go ahead.",
    "Everything's normal here. Talk later?",
]  # fmt: skip
TO_A_REMARK = [
    "Ok, thanks!", "Got it.", "thanks", "Noted, thx.", "Ok 👍", "Cool, I'll look at it later.",
    "In the middle of something, later.",
]  # fmt: skip


class UserSimFailed(Exception):
    """The simulated user could not be asked. That is no fault of the agent."""


def scripted(seed: str) -> UserSim:
    """Short casual words. The same seed and conversation always get the same ones."""

    async def say(persona: str, messages: Sequence[Message]) -> str:
        seed_bytes = json.dumps([seed, persona, list(messages)], sort_keys=True).encode()
        choices = TO_A_QUESTION if "?" in messages[-1]["content"] else TO_A_REMARK
        return choices[int.from_bytes(hashlib.sha256(seed_bytes).digest()[:8]) % len(choices)]

    return say
