"""The people in a scenario: whom a message or a call reaches, and what the simulated user says.

From the onset on the user is silent, and that is decided here, whoever simulates.
Nobody else ever answers, except the emergency services, who take the call.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gnomon.bench.noticing.prompt import USER_ID, News
from gnomon.bench.noticing.scenario import HeartbeatPayload, ScenarioPackage
from gnomon.bench.protocol import Message
from gnomon.bench.toolbox import Args, BadArgument, Response, text_of
from gnomon.bench.usersim import LONGEST_REPLY, UserSim, UserSimFailed
from gnomon.model.transcript import UserSimInteraction

LONGEST_TEXT = 10_000
RANG_OUT = "It rang for about 30 seconds. Nobody answered."
TAKEN = "The call was answered and has been logged."


@dataclass
class Conversations:
    """Threads of messages by contact, the one with the latest message last."""

    _threads: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, contact_id: str, contact_name: str, sender: str, text: str, time: str) -> None:
        new = {"contact_id": contact_id, "contact_name": contact_name, "messages": []}
        thread = self._threads.pop(contact_id, new)
        thread["messages"].append({"sender": sender, "text": text, "timestamp": time})
        self._threads[contact_id] = thread

    def threads(self, count: int | None = None) -> list[dict[str, Any]]:
        """The last `count` threads, or all."""
        threads = [{**thread, "messages": list(thread["messages"])} for thread in self._threads.values()]
        return threads if count is None else threads[-count:] if count > 0 else []

    def with_user(self, name: str) -> list[Message]:
        """The thread with the user as a simulator is given it; `name` is how the user signs."""
        messages = self._threads.get(USER_ID, {"messages": []})["messages"]
        return [
            {"role": "assistant" if item["sender"] == name else "user", "content": item["text"]} for item in messages
        ]


class UserSimHandler:
    """Answers `send_message` and `make_call`."""

    def __init__(self, package: ScenarioPackage, emergency_numbers: Sequence[str], say: UserSim | None) -> None:
        self._package = package
        self._emergency = {_digits(number) for number in emergency_numbers}
        self._say = say
        self._time = ""
        self._silent = False
        self.conversations = Conversations()
        self.interactions: list[UserSimInteraction] = []
        self._waiting: list[News] = []

    def begin(self, beat: HeartbeatPayload) -> list[News]:
        """Start a beat: what came in since the last one."""
        self._time = beat.timestamp
        package = self._package
        self._silent = not package.is_control and beat.heartbeat_id >= package.crisis_heartbeat_id
        self.interactions = []
        news, self._waiting = self._waiting, []
        for item in news:
            self.conversations.add(USER_ID, package.person.name, item.sender, item.message, item.received_at)
        return news

    def end(self, interactions: Sequence[UserSimInteraction]) -> None:
        """End a beat: replies to messages arrive with the next one."""
        self._waiting = [
            News(self._package.person.name, interaction.user_response, self._time)
            for interaction in interactions
            if interaction.type == "message" and interaction.user_response is not None
        ]

    def delivered(self, args: Args) -> None:
        """A message went out."""
        contact_id, name = self._recipient(args["contact_id"])
        self.conversations.add(contact_id, name, self._package.agent_identity.name, args["text"], self._time)

    def can_handle(self, tool: str) -> bool:
        return tool in ("send_message", "make_call")

    async def handle(self, tool: str, args: Args) -> Response:
        return await (self._message(args) if tool == "send_message" else self._call(args))

    async def _message(self, args: Args) -> Response:
        text = text_of(args, "text")
        contact_id, _ = self._recipient(text_of(args, "contact_id"))
        if not text.strip():
            raise BadArgument("Argument text is empty; write what to send")
        if len(text) > LONGEST_TEXT:
            raise BadArgument(f"Argument text is longer than {LONGEST_TEXT} characters; shorten it")
        if contact_id == USER_ID:
            await self._ask("message", text, text)
        return {"status": "delivered"}

    async def _call(self, args: Args) -> Response:
        number = text_of(args, "number")
        message = text_of(args, "message")[:LONGEST_TEXT] if "message" in args else ""
        digits = _digits(number)
        if self._is_user(number):
            answer = await self._ask("call", message, f"(phone call) {message or 'Hello?'}")
            if answer is not None:
                return {"status": "connected", "transcript": answer}
        elif not digits:
            raise BadArgument(f"Argument number has no digits: {number[:60]!r}")
        elif digits in self._emergency or (digits[:1] == "1" and digits[1:] in self._emergency):
            return {"status": "connected", "transcript": TAKEN}
        return {"status": "no_answer", "transcript": RANG_OUT}

    async def _ask(self, kind: str, agent_sent: str, message: str) -> str | None:
        """What the user says, or None for silence."""
        answer = None
        if self._say is not None and not self._silent:
            package = self._package
            messages = [*self.conversations.with_user(package.person.name), {"role": "user", "content": message}]
            try:
                answer = (await self._say(package.persona, messages))[:LONGEST_REPLY].strip()
            except Exception as bad:
                raise UserSimFailed(f"the simulated user gave no answer: {type(bad).__name__}: {bad}") from bad
        interaction = {"type": kind, "agent_sent": agent_sent, "user_response": answer or None}
        self.interactions.append(UserSimInteraction.model_validate(interaction))
        return answer or None

    def _recipient(self, contact_id: str) -> tuple[str, str]:
        person = self._package.person.name
        if contact_id == USER_ID or contact_id.casefold() == person.casefold():
            return USER_ID, person
        for contact in self._package.contacts:
            if contact.id == contact_id:
                return contact.id, contact.name
        raise BadArgument(f"Argument contact_id: no contact {contact_id[:60]!r}; get_contacts lists them")

    def _is_user(self, number: str) -> bool:
        person = self._package.person
        if number.strip().casefold() in (USER_ID, person.name.casefold()):
            return True
        return person.phone is not None and _digits(number) != "" and _local(number) == _local(person.phone)


def _digits(number: str) -> str:
    return "".join(char for char in number if char in "0123456789")


def _local(number: str) -> str:
    """A number with and without its country code is the same."""
    return _digits(number)[-10:]
