"""Groups of commands, and the messages about misspelt commands and options."""

import click

from gnomon.model.nearest import did_you_mean

_TYPES = {
    "integer range": "a whole number", "integer": "a whole number", "float range": "a number", "float": "a number",
}  # fmt: skip


class CommandGroup(click.Group):
    """Names the nearest command where the one that was typed does not exist."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name.startswith("-") or ctx.resilient_parsing or self.get_command(ctx, name) is not None:
            return super().resolve_command(ctx, args)
        raise _no_such("command", name, self.list_commands(ctx), ctx)


def usage_problem(refusal: click.UsageError) -> str:
    """The refusal on one line that ends with where to read more."""
    if isinstance(refusal, click.NoSuchOption) and refusal.ctx is not None:
        options = [option for parameter in refusal.ctx.command.get_params(refusal.ctx) for option in parameter.opts]
        long_options = [option for option in options if option.startswith("--")]
        refusal = _no_such("option", refusal.option_name, long_options, refusal.ctx)
    command = refusal.ctx.command_path if refusal.ctx else "gnomon"
    words = _plain(refusal.format_message().rstrip("."))
    return f"{words} See `{command} --help`" if words.endswith("?") else f"{words}; see `{command} --help`"


def _plain(message: str) -> str:
    """Click's words for a type, as people would say them."""
    for words, plain in _TYPES.items():
        message = message.replace(f"is not a valid {words}", f"is not {plain}")
    return message


def _no_such(noun: str, name: str, known: list[str], ctx: click.Context) -> click.UsageError:
    near = did_you_mean(name, known)
    return click.UsageError(f"there is no {noun} {name!r}{f'; {near}' if near else ''}", ctx)
