"""The command `gnomon`. Each group of commands is a file, loaded only when it is used."""

import errno
import importlib
import os
import sys
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.flags import CANNOT_RUN, COMPLETION_VARIABLE, OK, USAGE
from gnomon.cli.groups import CommandGroup, usage_problem
from gnomon.errors import GnomonError, InvalidInput

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "demo": ("gnomon.cli.demo", "Start a server on a project with demo data."),
    "serve": ("gnomon.cli.serve", "Start the server."),
    "worker": ("gnomon.cli.worker", "Run scoring jobs in a separate process."),
    "eval": ("gnomon.cli.eval", "Run evaluations declared in files and check their gates."),
    "score": ("gnomon.cli.score", "Score a file of outputs."),
    "summary": ("gnomon.cli.experiment", "Summarise an experiment's scores."),
    "compare": ("gnomon.cli.experiment", "Compare two experiments item by item."),
    "gate": ("gnomon.cli.experiment", "Check whether an experiment passes its gates."),
    "list": ("gnomon.cli.listing", "List projects, datasets, experiments, scorers, judges and more."),
    "show": ("gnomon.cli.showing", "Show an experiment, dataset, run, trace, judge or project."),
    "leaderboard": ("gnomon.cli.leaderboard", "Rank agents, and show how certain each rank is."),
    "judge": ("gnomon.cli.judge", "Judge outputs with a model and a rubric."),
    "outcome": ("gnomon.cli.outcome", "Score the iterations of a coding agent."),
    "bench": ("gnomon.cli.bench", "Run agent benchmarks and rank the agents."),
    "import": ("gnomon.cli.importing", "Import results of other evaluation and tracing tools."),
    "drift": ("gnomon.cli.drift", "Test whether an online scorer's mean has drifted."),
    "mcp": ("gnomon.cli.mcp", "Serve results to a coding agent (Model Context Protocol)."),
    "lint": ("gnomon.cli.lint", "Check a results table for impossible figures."),
    "plan": ("gnomon.cli.plan", "Plan how many items and trials a comparison needs."),
    "calibrate": ("gnomon.cli.calibrate", "Measure a judge's agreement with human labels."),
    "export": ("gnomon.cli.export", "Write results to files, or send traces and scores by OTLP."),
    "rm": ("gnomon.cli.rm", "Delete an experiment, dataset, project or trace."),
    "key": ("gnomon.cli.key", "Create, list and revoke API keys."),
    "db": ("gnomon.cli.db", "Upgrade, back up, check and prune the database."),
    "doctor": ("gnomon.cli.doctor", "Check whether Gnomon can run on this machine."),
    "completion": ("gnomon.cli.completion", "Print the script that completes commands in your shell."),
}


_TAKEN_NAMES = {"eval", "list", "show"}
"""Commands whose function is called NAME_, since Python has a function of that name, or commands print with `show`."""


class LazyGroup(CommandGroup):
    """Knows its commands by name and one line; imports a command's file when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _ = COMMANDS[name]
        loaded = importlib.import_module(module)
        command: click.Command = getattr(loaded, f"{name}_" if iskeyword(name) or name in _TAKEN_NAMES else name)
        if COMPLETION_VARIABLE in os.environ:
            from gnomon.cli.completion import complete_names

            complete_names(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        named = [CompletionItem(name, help=words) for name, (_, words) in COMMANDS.items()]
        return [item for item in named if item.value.startswith(incomplete)] + click.Command.shell_complete(
            self, ctx, incomplete
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True,
    no_args_is_help=True,
)  # fmt: skip
@click.option("--version", is_flag=True, help="Show the version and what is installed, and exit.")
@click.option("--json", "as_json", is_flag=True, help="With --version: print JSON instead of text.")
@click.pass_context
def gnomon(ctx: click.Context, version: bool, as_json: bool) -> None:
    """Turn what AI applications and agents did into measurements that can be trusted."""
    if version:
        from gnomon.service.upkeep.installed import installed

        report = installed()
        show.json(report) if as_json else show.version(report)
        ctx.exit()
    if as_json or ctx.invoked_subcommand is None:
        raise click.UsageError("--json goes behind the command, as in `gnomon summary NAME --json`", ctx)


def main(arguments: list[str] | None = None) -> Any:
    """Run a command. Errors are one line; exit codes: 0 ok, 1 gate failed, 2 bad usage, 3 cannot run, 4 undecided."""
    show.prepare()
    try:
        code = gnomon.main(arguments, prog_name="gnomon", standalone_mode=False)
    except click.exceptions.Exit as ended:
        code = ended.exit_code
    except SystemExit as ended:  # completion ends so; and click, with 1, where nobody reads its help any more
        code = ended.code if COMPLETION_VARIABLE in os.environ else OK
    except click.exceptions.NoArgsIsHelpError as error:
        show.line(error.format_message())
        code = USAGE
    except click.UsageError as bad:
        show.problem(usage_problem(bad))
        code = USAGE
    except InvalidInput as bad:
        show.problem(bad.message)
        code = USAGE
    except Exception as fault:
        code = _cannot_run(fault)
    sys.exit(code if isinstance(code, int) else 0)


def _cannot_run(fault: Exception) -> int:
    """Handle every other exception: print one line, never a stack trace."""
    if isinstance(fault, click.Abort):
        show.problem("interrupted")
    elif isinstance(fault, click.ClickException):
        show.problem(fault.format_message())
    elif isinstance(fault, GnomonError):
        show.problem(fault.message)
    else:
        if os.environ.get("GNOMON_LOG_LEVEL", "").lower() == "debug":
            raise fault
        if isinstance(fault, OSError) and fault.errno in (errno.ENOSPC, errno.EDQUOT):
            file = "" if fault.filename is None else f" {fault.filename}"
            show.problem(f"cannot write{file}: {fault.strerror}; free some space and run the command again")
            return CANNOT_RUN
        words = f"something broke here ({type(fault).__name__}: {fault}); GNOMON_LOG_LEVEL=debug shows where"
        show.problem(words)
    return CANNOT_RUN
