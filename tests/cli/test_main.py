"""The command as a whole: help, usage, and how it ends."""

import json
import platform
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import click
import pytest

import preloaded
from cli.conftest import Run
from gnomon._version import __version__
from gnomon.cli.main import COMMANDS
from gnomon.cli.main import gnomon as the_group


def commands() -> list[list[str]]:
    """Every command that does something, as one types it."""
    found: list[list[str]] = []
    context = click.Context(the_group)
    for name in COMMANDS:
        command = the_group.get_command(context, name)
        found += [[name, *inner] for inner in inside(command)]
    return found


def inside(command: click.Command | None) -> list[list[str]]:
    """The ways to a command of a group, and of groups in it; one empty way where it is no group."""
    if not isinstance(command, click.Group):
        return [[]]
    return [[name, *more] for name, one in command.commands.items() for more in inside(one)]


def test_help_names_every_command_in_one_line(gnomon: Run):
    done = gnomon("--help")
    assert done.code == 0
    for name, (_, words) in COMMANDS.items():
        assert f"{name} " in done.out
        assert words in done.out


VERBS = """
Add Analyse Append Back Benchmark Check Compare Copy Create Delete Explain Export Generate Import Install Judge List
Measure Plan Print Push Rank Record Remove Report Revoke Run Score Send Serve Show Start Summarise Test Upgrade Write
"""


def listed(group: click.Group, *path: str) -> list[tuple[str, str]]:
    """Each command below a group with its line in the group's list, on a terminal of 80 columns."""
    context = click.Context(group)
    names = [name for name in group.list_commands(context) if path or name in COMMANDS]
    lines: list[tuple[str, str]] = []
    for name in names:
        command = group.get_command(context, name)
        assert command is not None
        if command.hidden:
            continue
        room = 80 - 6 - max(map(len, names))
        words = command.get_short_help_str(room) if path else COMMANDS[name][1]
        lines.append((" ".join([*path, name]), words if len(words) <= room else f"{words[: room - 3]}..."))
        lines += listed(command, *path, name) if isinstance(command, click.Group) else []
    return lines


def test_every_line_of_a_list_of_commands_is_whole_and_begins_with_a_verb():
    assert [line for line in listed(the_group) if line[1].endswith("...")] == []
    assert [line for line in listed(the_group) if re.split(r"\W", line[1])[0] not in VERBS.split()] == []


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_has_help_and_json(gnomon: Run, command):
    done = gnomon(*command, "--help")
    assert done.code == 0
    assert "--json" in done.out


def test_the_version_is_told(gnomon: Run):
    lines = gnomon("--version").out.splitlines()
    assert lines[0] == f"gnomon {__version__}"
    assert f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}" in lines
    assert any(line.startswith("extras: server, analytics, judge") for line in lines)
    assert lines[-1].startswith("web page: ")


def test_the_version_is_told_to_programs(gnomon: Run):
    found = json.loads(gnomon("--version", "--json").out)
    assert (found["version"], found["missing_extras"]) == (__version__, [])
    assert re.fullmatch("[0-9a-f]{40}|None", str(found["commit"]))


@pytest.mark.parametrize(
    "arguments", [["nope"], ["--nope"], ["db", "nope"], ["serve", "--port", "x"], ["key", "create"], ["gate", "x"]]
)
def test_bad_usage_is_one_line_that_points_to_help_and_ends_with_2(gnomon: Run, arguments):
    done = gnomon(*arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "--help" in done.err


def test_nothing_to_do_shows_the_help_and_ends_with_2(gnomon: Run):
    done = gnomon()
    assert done.code == 2
    assert "Commands:" in done.out


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [("GNOMON_DATABASE_URL", "mysql://x", "mysql://"), ("GNOMON_MAX_BODY_MB", "much", "much")],
)
def test_a_setting_that_makes_no_sense_is_named(gnomon: Run, monkeypatch, name, value, shown):
    """Of a database's address only the beginning is shown: the rest may hold a password."""
    monkeypatch.setenv(name, value)
    done = gnomon("db", "check")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert name in done.err
    assert shown in done.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--help"], 0), (["summary", "--help"], 0), (["--version"], 0), (["db", "check", "--db", "DB"], 0),
        (["summary", "answers-v1", "--db", "DB"], 0), (["summary", "answers-v1", "--json", "--db", "DB"], 0),
        (["export", "traces", "--out", "-", "--db", "DB"], 0),
        (["gate", "answers-v1", "contains >= 0.999", "--db", "DB"], 1), (["nope"], 2),
    ],
)  # fmt: skip
def test_a_reader_that_goes_away_is_no_error_and_changes_no_exit_code(demo_db: Path, arguments, code: int):
    """As after `| head`: what nobody reads is dropped, and a gate that fails still fails."""
    command = preloaded.command("-m", "gnomon", *(str(demo_db) if word == "DB" else word for word in arguments))
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    errors = process.stderr.read().decode()
    assert process.wait() == code, errors
    assert errors.count("\n") == (code == 2)


@pytest.mark.parametrize("closed", ["stdout", "stderr", "stdin"])
def test_a_closed_stream_is_no_error(demo_db: Path, closed: str):
    """As after `>&-`: the command does its work and prints to nobody."""
    number = {"stdin": 0, "stdout": 1, "stderr": 2}[closed]
    command = [sys.executable, "-m", "gnomon", "summary", "answers-v1", "--json", "--db", str(demo_db)]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {number}>&-', "sh", *command], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == (closed != "stdout")


@pytest.mark.parametrize("arguments", [["summary", "answers-v1"], ["export", "traces", "--out", "-"], ["--help"]])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here that is always full")
def test_a_stdout_that_takes_nothing_is_said_in_one_line(demo_db: Path, arguments: list[str]):
    db = [] if arguments == ["--help"] else ["--db", str(demo_db)]
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "gnomon", *arguments, *db]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1), done.stderr
    assert "cannot write" in done.stderr
    assert "No space left on device" in done.stderr
