"""The command `gnomon`. Each group of commands is a file, loaded only when it is used."""

import importlib
import os
import sys
from keyword import iskeyword
from typing import Any

import click

from gnomon._version import __version__
from gnomon.cli import show
from gnomon.cli.flags import CANNOT_RUN, USAGE
from gnomon.errors import GnomonError, InvalidInput

COMMANDS = {
    "demo": ("gnomon.cli.demo", "Start a server with something in it to look at."),
    "serve": ("gnomon.cli.serve", "Start the server."),
    "worker": ("gnomon.cli.worker", "Take jobs, besides those of a server."),
    "score": ("gnomon.cli.score", "Score a file of outputs."),
    "summary": ("gnomon.cli.experiment", "What an experiment's scores say."),
    "compare": ("gnomon.cli.experiment", "Two experiments, item by item."),
    "gate": ("gnomon.cli.experiment", "Check gates of an experiment: passed, failed or undecided."),
    "leaderboard": ("gnomon.cli.leaderboard", "Who is ahead, how surely, and which ranks are possible."),
    "judge": ("gnomon.cli.judge", "Ask a model for its opinion, by a rubric."),
    "outcome": ("gnomon.cli.outcome", "What a coding agent's iterations were worth, and why."),
    "bench": ("gnomon.cli.bench", "Benchmarks of agents, from a scenario to a leaderboard."),
    "import": ("gnomon.cli.importing", "Import results of other evaluation and tracing tools."),
    "drift": ("gnomon.cli.drift", "Test whether an online scorer's mean has moved."),
    "mcp": ("gnomon.cli.mcp", "Serve results to a coding agent (Model Context Protocol)."),
    "lint": ("gnomon.cli.lint", "What cannot be in a table of results."),
    "plan": ("gnomon.cli.plan", "How many items and trials a difference takes."),
    "calibrate": ("gnomon.cli.calibrate", "A judge held against people."),
    "export": ("gnomon.cli.export", "Write results to files, or send traces and scores by OTLP."),
    "key": ("gnomon.cli.key", "Make, list and revoke keys."),
    "db": ("gnomon.cli.db", "Upgrade, back up and check the database."),
    "doctor": ("gnomon.cli.doctor", "Would Gnomon run here?"),
}


class LazyGroup(click.Group):
    """Knows its commands by name and one line; imports a command's file when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _ = COMMANDS[name]
        found = importlib.import_module(module)
        command: click.Command = getattr(found, f"{name}_" if iskeyword(name) else name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gnomon")
def gnomon() -> None:
    """Turn what AI applications and agents did into measurements that can be trusted."""


def main(arguments: list[str] | None = None) -> Any:
    """Run a command. Errors are one line; exit codes: 0 ok, 1 gate failed, 2 bad usage, 3 cannot run."""
    show.prepare()
    try:
        code = gnomon.main(arguments, prog_name="gnomon", standalone_mode=False)
    except click.exceptions.Exit as ended:
        code = ended.exit_code
    except SystemExit:  # click's way when whoever read our output has gone; its 1 would pass for a failed gate
        code = CANNOT_RUN
    except click.exceptions.NoArgsIsHelpError as asked:
        show.line(asked.format_message())
        code = USAGE
    except click.UsageError as bad:
        command = bad.ctx.command_path if bad.ctx else "gnomon"
        show.problem(f"{bad.format_message().rstrip('.')}; see `{command} --help`")
        code = USAGE
    except InvalidInput as bad:
        show.problem(bad.message)
        code = USAGE
    except Exception as fault:
        code = _cannot_run(fault)
    sys.exit(code if isinstance(code, int) else 0)


def _cannot_run(fault: Exception) -> int:
    """The last catch: whatever happened, people get one line."""
    if isinstance(fault, click.Abort):
        show.problem("interrupted")
    elif isinstance(fault, click.ClickException):
        show.problem(fault.format_message())
    elif isinstance(fault, GnomonError):
        show.problem(fault.message)
    else:
        if os.environ.get("GNOMON_LOG_LEVEL", "").lower() == "debug":
            raise fault
        words = f"something broke here ({type(fault).__name__}: {fault}); GNOMON_LOG_LEVEL=debug shows where"
        show.problem(words)
    return CANNOT_RUN
