"""What people asked of an agent in one session file: skills and slash commands, and the beginnings of prompts.

Only a line, at most 200 characters, is kept of a prompt, with what looks like a secret masked; whether even that is
stored is the caller's to decide. Nothing of this goes into the cache of facts.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gnomon.agentlogs.lines import lines
from gnomon.shorten import shorten

LONGEST_PROMPT = 200
_MOST = 50
_COMMAND = re.compile(r"<command-name>\s*/?([^<\s]+)\s*</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]*)</command-args>")
_CODEX_SKILL = re.compile(r"<skill>\s*<name>([^<]+)</name>")
_SLASH = re.compile(r"/([\w:-]+)")
_NO_PROMPT = (
    "<", "Caveat: The messages below", "[Request interrupted", "# AGENTS.md instructions",
    "This session is being continued from a previous conversation",
)  # fmt: skip
"""How texts begin that the harness sends in the user's name."""
_BUILT_IN = frozenset(
    re.split(
        r"\s+",
        """add-dir agents bashes bug clear color compact config context copy cost doctor effort exit export extra-usage
        fast feedback help hooks ide init install-github-app login logout mcp memory model new output-style permissions
        plan plugin privacy-settings quit release-notes rename resume rewind sandbox skills stats status statusline
        tasks terminal-setup theme todos undo upgrade usage vim""",
    )
)
"""Commands of the harness itself, which say nothing about a way of working."""
_SECRET = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abps]|AKIA|ASIA|AIza|hf|npm|pypi)[-_A-Za-z0-9]{12,}"
    r"|(?i:\b(?:bearer|password|passwd|secret|token|api[-_ ]?key)\b\s*[:= ]\s*)\S+"
    r"|\b(?=[A-Za-z_+-]*\d)[A-Za-z0-9_+-]{32,}={0,2}"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)


@dataclass(frozen=True, slots=True)
class SessionWords:
    """`version` is that of the agent's program."""

    skills: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    version: str = ""


def words_of(path: Path) -> SessionWords:
    """The words of one file. Lines that cannot be read say nothing."""
    skills: dict[str, None] = {}
    prompts: dict[str, None] = {}
    version = ""
    for record in _records(path):
        version = version or _version(record)
        for text in _user_texts(record):
            skills.update(dict.fromkeys(_skills_in(text)))
            if prompt := _prompt(text):
                prompts[prompt] = None
        skills.update(dict.fromkeys(_skills_called(record)))
    return SessionWords(tuple(list(skills)[:_MOST]), tuple(list(prompts)[:_MOST]), version)


def first_line(text: str) -> str:
    """The first line of a prompt that says something, shortened, with what looks like a secret masked."""
    line = next((stripped for line in text.splitlines() if (stripped := " ".join(line.split()))), "")
    return shorten(_SECRET.sub("[masked]", line), LONGEST_PROMPT)


def _records(path: Path) -> Iterator[dict[str, Any]]:
    """The lines that may matter, decoded. Most of a file are results of tools, which are left as bytes."""
    versioned = False
    for _, line in lines(path, lambda number: None):
        wanted = b'"user' in line and b'"tool_use_id"' not in line and b'"function_call_output"' not in line
        wanted = wanted or b'"Skill"' in line or b'"SlashCommand"' in line or b'"session_meta"' in line
        if wanted or (not versioned and b'"version"' in line):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                versioned = versioned or bool(_version(record))
                yield record


def _version(record: dict[str, Any]) -> str:
    payload = record.get("payload")
    version = payload.get("cli_version") if isinstance(payload, dict) else record.get("version")
    return version[:40] if isinstance(version, str) else ""


def _user_texts(record: dict[str, Any]) -> list[str]:
    """What came in the user's name. Codex writes a message twice; its event is the one for people."""
    payload = record.get("payload")
    if isinstance(payload, dict):
        if payload.get("type") == "user_message":
            return [text for text in [payload.get("message")] if isinstance(text, str)]
        if payload.get("type") == "message" and payload.get("role") == "user":
            return [text for text in _texts(payload.get("content")) if "<skill>" in text]
        return []
    message = record.get("message")
    if record.get("type") != "user" or record.get("isMeta") is True or record.get("isSidechain") is True:
        return []
    return _texts(message.get("content")) if isinstance(message, dict) else []


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return [text for text in texts if isinstance(text, str)]


def _skills_in(text: str) -> list[str]:
    names = [name for name in _COMMAND.findall(text) if name not in _BUILT_IN]
    typed = _SLASH.match(text) if not names and "\n" not in text[:80] else None
    if typed and typed[1] not in _BUILT_IN and not text[typed.end() : typed.end() + 1].strip("\n "):
        names.append(typed[1])
    return [*(f"/{name[:100]}" for name in names), *(name.strip()[:100] for name in _CODEX_SKILL.findall(text))]


def _skills_called(record: dict[str, Any]) -> list[str]:
    """Skills that the model called by itself."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    names = []
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("name") in ("Skill", "SlashCommand"):
            arguments = block.get("input")
            called = arguments.get("skill") or arguments.get("command") if isinstance(arguments, dict) else None
            if isinstance(called, str) and (name := called.strip().lstrip("/").partition(" ")[0]):
                names.append(f"/{name[:100]}")
    return names


def _prompt(text: str) -> str:
    command = _COMMAND.search(text)
    if command:
        if command[1] in _BUILT_IN:
            return ""
        arguments = _ARGUMENTS.search(text)
        return first_line(f"/{command[1]} {arguments[1] if arguments else ''}")
    return "" if text.lstrip().startswith(_NO_PROMPT) else first_line(text)
