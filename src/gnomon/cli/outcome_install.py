"""`gnomon outcome install` and `uninstall`: hooks that write an entry for each session, and take them out again."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json
from gnomon.cli.outcome_evidence import log_flag
from gnomon.cli.outcome_record import EVERY_COMMIT, PROMPTS, hooks_log, log_of, moment_before, recorder_for
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.outcome.installing.installer import Installer
    from gnomon.outcome.installing.targets import Target

_TARGETS = click.argument("targets", nargs=-1, type=click.Choice(["claude-code", "codex", "git", "ci"]))
_FOLDER = click.option("--folder", default="", help="Folder that the agent starts in, relative to the root.")
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Show what would be done, and do nothing.")


@click.command(short_help="Install hooks that write an entry per agent session.")
@_TARGETS
@click.option("--local", is_flag=True, help="Write your own .claude/settings.local.json, not settings.json.")
@_FOLDER
@PROMPTS
@EVERY_COMMIT
@click.option("--past", help="Also write entries of all sessions since then: 30d, 12h or a date.")
@_DRY_RUN
@as_json
def install(
    targets: tuple[str, ...], local: bool, folder: str, prompts: bool, every_commit: bool, past: str | None,
    dry_run: bool, as_json: bool,
) -> None:  # fmt: skip
    """Install hooks in TARGETS that write an entry at the end of each session and after each commit.

    Without TARGETS: git, and the agents that are used here. Hooks that are there already stay and run as before.

    \b
    claude-code  .claude/settings.json: Stop and SessionEnd
    codex        .codex/hooks.json: Stop (Codex asks once whether to trust it)
    git          post-commit, also with husky, pre-commit and core.hooksPath
    ci           .github/workflows/gnomon-outcome.yml

    \b
    gnomon outcome install --past 30d && gnomon outcome trend
    """
    from gnomon.outcome.installing.installer import InstallPlan

    since = None if past is None else moment_before("past", past)
    installer = _installer(folder)
    chosen = _targets(targets) or installer.detected()
    plan = InstallPlan(chosen, folder.strip("/"), local, prompts, every_commit)
    changes = installer.install(plan, write=not dry_run)
    top = installer.tree.top
    recordings = []
    if since is not None and not dry_run:
        own_log = log_of(top, plan.folder or None)
        recordings = recorder_for(top / plan.folder, own_log, prompts=prompts, every_commit=every_commit).past(since)
    left_out = None if targets else installer.why_no_git()
    if as_json:
        rows: dict[str, Any] = {"written": not dry_run, "files": [change.as_json(top) for change in changes]}
        more = {"left_out": left_out, "hooks_log": str(hooks_log())}
        show.json({**rows, **more, "entries": [recording.as_json() for recording in recordings]})
    else:
        from gnomon.cli.show.recordings import installed

        installed(changes, top, installer.program, left_out, recordings if since is not None else None, dry_run=dry_run)


@click.command(short_help="Remove the hooks again.")
@_TARGETS
@_FOLDER
@click.option("--remove-log", is_flag=True, help="Also remove the entries that hooks wrote, with their scores.")
@log_flag
@_DRY_RUN
@as_json
def uninstall(
    targets: tuple[str, ...], folder: str, remove_log: bool, log: Path | None, dry_run: bool, as_json: bool
) -> None:
    """Remove the hooks. Each file is restored byte for byte; one that was changed since only loses the hook.

    Entries stay, unless you say --remove-log.
    """
    from gnomon.outcome.entries import remove_recorded
    from gnomon.outcome.scorelog import log_around

    installer = _installer(folder)
    top = installer.tree.top
    changes = installer.uninstall(_targets(targets), folder.strip("/"), write=not dry_run)
    removed = []
    if remove_log:
        removed = remove_recorded(log or log_of(top, folder.strip("/")) or log_around(top), top, write=not dry_run)
    if as_json:
        files = [change.as_json(top) for change in changes]
        show.json({"written": not dry_run, "files": files, "removed": [str(path) for path in removed]})
    else:
        from gnomon.cli.show.recordings import uninstalled

        uninstalled(changes, top, len(removed) if remove_log else None, dry_run=dry_run)


def _installer(folder: str) -> "Installer":
    from gnomon.outcome.installing.installer import Installer
    from gnomon.outcome.installing.program import this_program
    from gnomon.outcome.plans import leaves_repository
    from gnomon.outcome.worktree import WorkTree

    tree = WorkTree(Path.cwd())
    if folder and (leaves_repository(folder) or not (tree.top / folder).is_dir()):
        words = f"--folder {folder!r} is not a folder of this repository; give it from the top, such as services/api"
        raise InvalidInput.of("folder", words)
    return Installer(tree, this_program())


def _targets(names: tuple[str, ...]) -> "tuple[Target, ...]":
    return cast("tuple[Target, ...]", tuple(dict.fromkeys(names)))
