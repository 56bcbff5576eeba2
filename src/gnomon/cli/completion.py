"""`gnomon completion`: completion of commands, flags and names in bash, zsh and fish.

The shell calls `gnomon` with a variable set at every press of the tab key, so that nothing heavy may be loaded here.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from gnomon.cli import show
from gnomon.cli.flags import COMPLETION_VARIABLE, as_json

if TYPE_CHECKING:
    from gnomon.store.names import NameKind

_START = {
    "bash": 'add to ~/.bashrc: eval "$(gnomon completion bash)"',
    "zsh": 'add to ~/.zshrc, after compinit: eval "$(gnomon completion zsh)"',
    "fish": "save as ~/.config/fish/completions/gnomon.fish",
}
_NAMED: "dict[str, NameKind]" = {
    "project": "projects", "dataset": "datasets", "experiment": "experiments", "base": "experiments",
    "other": "experiments", "scorer_name": "scorers", "judge": "scorers", "human": "scorers", "against": "experiments",
}  # fmt: skip
"""Parameter of a command → what it names."""


@click.command()
@click.argument("shell", type=click.Choice(list(_START)))
@as_json
def completion(shell: str, as_json: bool) -> None:
    """Print the script that completes commands, flags and names in SHELL.

    \b
    eval "$(gnomon completion bash)"                                    # in ~/.bashrc
    eval "$(gnomon completion zsh)"                                     # in ~/.zshrc, after compinit
    gnomon completion fish > ~/.config/fish/completions/gnomon.fish
    """
    from gnomon.cli.main import gnomon

    completer = get_completion_class(shell)
    assert completer is not None
    # The base class's `source`: that of bash would start a bash, to see whether it is old.
    script = ShellComplete.source(completer(gnomon, {}, "gnomon", COMPLETION_VARIABLE))
    if as_json:
        show.json({"shell": shell, "script": script, "use": _START[shell]})
    else:
        show.line(f"# {_START[shell]}")
        show.line(script)


def complete_names(command: click.Command) -> None:
    """Let the parameters of a command complete names of the local database."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            complete_names(inner)
    for parameter in command.params:
        complete = _completing(command.name, parameter)
        if complete is not None:
            # Where it is known which parameter names what, and not at each of them: that is one table.
            setattr(parameter, "shell_complete", complete)  # noqa: B010


def _completing(
    command: str | None, parameter: click.Parameter
) -> "Callable[[click.Context, str], list[CompletionItem]] | None":
    name = parameter.name or ""
    if command == "score" and name == "named":
        return _rule_scorers
    if command == "export" and name == "names":
        return _exported
    return partial(_stored, _NAMED[name]) if name in _NAMED else None


def _stored(kind: "NameKind", context: click.Context, begin: str) -> list[CompletionItem]:
    from gnomon.store.names import names_in

    file = _database(context.params.get("db"))
    return [] if file is None else [CompletionItem(name) for name in names_in(file, kind, begin)]


def _exported(context: click.Context, begin: str) -> list[CompletionItem]:
    kind: Any = context.params.get("kind")
    return _stored(kind, context, begin) if kind in ("datasets", "experiments") else []


def _rule_scorers(_context: click.Context, begin: str) -> list[CompletionItem]:
    from gnomon.scorers import BUILTINS

    return [CompletionItem(name) for name in sorted(BUILTINS) if name.startswith(begin)]


def _database(named: str | None) -> Path | None:
    """The SQLite file that the command would read; None for a server or another database."""
    from gnomon.errors import GnomonError
    from gnomon.settings import from_environment

    try:
        settings = from_environment().with_database(named)
    except GnomonError:
        return None
    if settings.url and not named:
        return None
    _, is_sqlite, path = settings.database_url.partition("sqlite:///")
    return Path(path) if is_sqlite and path else None
