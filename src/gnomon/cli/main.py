"""The command `gnomon`. Each group of commands is a file, loaded only when it is used."""

import importlib
import sys
from typing import Any

import click

from gnomon._version import __version__
from gnomon.cli import show
from gnomon.errors import GnomonError, InvalidInput

COMMANDS = {
    "serve": ("gnomon.cli.serve", "Start the server."),
}

USAGE, CANNOT_RUN = 2, 3


class LazyGroup(click.Group):
    """Knows its commands by name and one line; imports a command's file when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _ = COMMANDS[name]
        command: click.Command = getattr(importlib.import_module(module), name)
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
    try:
        code = gnomon.main(arguments, prog_name="gnomon", standalone_mode=False)
    except click.exceptions.Exit as ended:
        code = ended.exit_code
    except click.Abort:
        show.problem("interrupted")
        code = CANNOT_RUN
    except click.ClickException as bad:
        bad.show()
        code = USAGE
    except InvalidInput as bad:
        show.problem(bad.message)
        code = USAGE
    except GnomonError as bad:
        show.problem(bad.message)
        code = CANNOT_RUN
    sys.exit(code if isinstance(code, int) else 0)
