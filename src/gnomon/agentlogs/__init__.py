"""Session files of coding agents, read as they are on disk: Claude Code and Codex, one pass, each thing once.

events.py    what one line says, whichever agent wrote it
lines.py     lines as bytes, and JSON that tolerates what agents really write
claude.py    Claude Code's messages
codex.py     Codex's rollout lines
reading.py   one file as a stream of events
files.py     which files there are, and which can touch a stretch of time
shell.py     which tests a shell command runs
facts.py     what a file comes down to
factscache.py  facts, kept so that a file is read once
words.py     skills, slash commands and the beginnings of prompts
homes.py     where agents keep the files of a repository
timeline.py  many files as one line of time, asked by windows
"""

from gnomon.agentlogs.events import AnswerTokens, Event, Harness, RequestedTool, ToolResult, instant
from gnomon.agentlogs.facts import ModelAnswer
from gnomon.agentlogs.files import session_files
from gnomon.agentlogs.homes import session_folders
from gnomon.agentlogs.reading import read_events
from gnomon.agentlogs.shell import DEFAULT_RUNNERS, test_commands
from gnomon.agentlogs.timeline import TestRun, Timeline, WindowFacts, timeline

__all__ = [
    "DEFAULT_RUNNERS",
    "AnswerTokens",
    "Event",
    "Harness",
    "ModelAnswer",
    "RequestedTool",
    "TestRun",
    "Timeline",
    "ToolResult",
    "WindowFacts",
    "instant",
    "read_events",
    "session_files",
    "session_folders",
    "test_commands",
    "timeline",
]
