"""The command as a whole: help, usage, and how it ends."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

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


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_has_help_and_json(gnomon: Run, command):
    done = gnomon(*command, "--help")
    assert done.code == 0
    assert "--json" in done.out


def test_the_version_is_told(gnomon: Run):
    assert gnomon("--version").out == f"gnomon, version {__version__}\n"


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


def test_a_reader_that_goes_away_gets_no_traceback(demo_db: Path):
    command = [sys.executable, "-m", "gnomon", "db", "check", "--db", str(demo_db)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait() == 3
