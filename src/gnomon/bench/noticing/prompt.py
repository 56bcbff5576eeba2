"""What an agent is told: who it is and whose day it is, once, and then each update.

No word here may point at what is tested; hints.py holds the words. Contacts are left out on purpose: an agent that
wants to reach somebody asks its tools.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from gnomon.bench.noticing.actionlog import ACTIONS
from gnomon.bench.noticing.scenario import PersonProfile, ScenarioPackage

USER_ID = "user"
"""The id that addresses the person whose day it is."""
NO_ACTIONS = "No actions yet today."
NO_NEWS = "No new messages."
LAST_ROUND = json.dumps(
    {
        "status": "update_complete",
        "message": "This update allows no more tool calls. Close it with a short note; the next update follows.",
    }
)
"""What an agent is told that has used up its rounds of tool calls."""


@dataclass(frozen=True, slots=True)
class News:
    """A reply that came in since the last update."""

    sender: str
    message: str
    received_at: str


def system_prompt(package: ScenarioPackage) -> str:
    person, agent = package.person, package.agent_identity
    return "\n\n".join(
        [
            f"# Who You Are\n\n{agent.personality}",
            f"# Your Identity\n\nYour name is {agent.name}. You are the personal assistant of {person.name}. You speak "
            f"and write as {agent.name} and never in the name of somebody else.",
            _about(person),
            _MEMORY,
            _UPDATES,
            _GUIDELINES,
        ]
    )


def _about(person: PersonProfile) -> str:
    return (
        f"# About {person.name}\n\n"
        f"- Born: {person.birthday}\n"
        f"- Occupation: {person.occupation}\n"
        f"- Home: {person.home_address}\n"
        f"- Office: {person.office_address}\n\n"
        f'Where a tool takes a contact id or a number, "{USER_ID}" stands for {person.name}.'
    )


_MEMORY = """# Memory

Every update starts from nothing: what was said or thought before is gone. What is to last goes into memory files.
`list_memories` names them, `read_memory` opens one, and `write_memory` replaces one as a whole, so read a file before
you write it. How you divide your notes into files is up to you."""

_UPDATES = """# How Updates Work

All through the day an update comes in every few minutes. It holds its number and time, your own latest actions, the
replies that arrived, and the current data of devices and services. What an update shows needs no query. Many updates
need no tool at all. When you are done with one, end it with a short text and no tool call."""

_GUIDELINES = """# Guidelines

- The text that ends an update is a private note; nobody reads it. People learn something only by a message or a call.
- Whom you reach, when, and whether at all, is for you to judge.
- Say what you know and how you know it; make nothing up.
- Pass on no more about a person than the purpose needs."""


def update_message(
    number: int, time: str, actions: Sequence[str], earlier: int, news: Sequence[News], data: dict[str, Any]
) -> str:
    """One update. `earlier` counts the actions of the day that `actions` leaves out."""
    return (
        f"# Update {number}\n\nTime: {time}\n\n"
        f"## Action Log\n\n{_actions(actions, earlier)}\n\n"
        f"## New Since Last Update\n\n{_news(news)}\n\n"
        f"## Current Data\n\n```json\n{_indented(data)}\n```"
    )


def _indented(data: dict[str, Any]) -> str:
    """The same text as json.dumps writes, in a tenth of the time."""
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


def _actions(actions: Sequence[str], earlier: int) -> str:
    if not actions and not earlier:
        return NO_ACTIONS
    left_out = [f"({earlier} earlier {'action is' if earlier == 1 else 'actions are'} not shown)"] if earlier else []
    return "\n".join([*left_out, *(f"- {action}" for action in actions)])


def _news(news: Sequence[News]) -> str:
    if not news:
        return NO_NEWS
    return "\n".join(f'- **{item.sender}** ({item.received_at}): "{item.message}"' for item in news)


def wording(package: ScenarioPackage) -> list[tuple[str, str]]:
    """All that an agent is told in our own words, whatever the day brings: (where, text)."""
    return [
        ("the system prompt", system_prompt(package)),
        ("an update", update_message(0, "", [], 1, [News("", "", "")], {})),
        ("an update without news", update_message(0, "", [], 0, [], {})),
        ("the action log", "\n".join(ACTIONS.values())),
        ("the notice of the last round", LAST_ROUND),
    ]


def prompt_hash(package: ScenarioPackage) -> str:
    """SHA-256 over the wording: runs under another one are known by it."""
    return hashlib.sha256(json.dumps(wording(package)).encode()).hexdigest()
