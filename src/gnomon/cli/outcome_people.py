"""`gnomon outcome label` and `gnomon outcome hook-outcome write`: what people and gates say of an iteration."""

from datetime import UTC, datetime
from pathlib import Path

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json
from gnomon.cli.groups import CommandGroup
from gnomon.cli.outcome_evidence import log_flag
from gnomon.errors import InvalidInput, NotFound


@click.command()
@click.argument("iteration", type=click.IntRange(min=1))
@click.option(
    "--correctness", type=click.IntRange(0, 3), required=True, help="0 wrong, 1 mostly wrong, 2 mostly right, 3 right."
)
@click.option(
    "--scope",
    type=click.Choice(["on-target", "partial", "breach"]),
    required=True,
    help="Did the work keep to its task?",
)
@click.option(
    "--hallucination",
    type=click.Choice(["none", "minor", "major"]),
    required=True,
    help="Did the agent make things up?",
)
@click.option("--actor", required=True, help="Name of the labeller; only the latest label of each counts.")
@click.option(
    "--role",
    type=click.Choice(["reviewer", "admin"]),
    default="reviewer",
    show_default=True,
    help="Role of the labeller; only an admin may override.",
)
@click.option("--note", default="", help="Note to store with the label; never scored.")
@click.option("--override", is_flag=True, help="Use this label instead of all others (admins only).")
@click.option("--edit", "edited", help="Change the label with this id instead of adding one; its history is kept.")
@log_flag
@as_json
def label(
    iteration: int, correctness: int, scope: str, hallucination: str, actor: str, role: str, note: str, override: bool,
    edited: str | None, log: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Add a human label to an ITERATION. Rubric 3.0.0 counts labels; 2.1.0 ignores them.

    \b
    gnomon outcome label 12 --correctness 3 --scope on-target --hallucination none --actor a-new-user
    """
    from gnomon.cli.show.outcome import labelled
    from gnomon.outcome.labels import Judgement, add_label, edit_label, labels_path, now_text
    from gnomon.outcome.scorelog import log_around

    log = log or log_around(Path.cwd())
    if edited is not None and override:
        raise InvalidInput.of("override", "--override needs a new label; leave it out with --edit")
    if not (log / f"iter-{iteration}.yaml").is_file():
        raise NotFound(f"{log} has no iter-{iteration}.yaml; name another log with --log")
    judgement = Judgement(actor, role, now_text(), correctness, scope, hallucination, note)
    if edited is None:
        kept = add_label(log, iteration, judgement, admin_override=override)
    else:
        kept = edit_label(log, iteration, edited, judgement)
    path = labels_path(log, iteration)
    result = {"iteration": iteration, "id": kept.id, "value": judgement.value, "path": str(path)}
    show.json(result) if as_json else labelled(kept.id, path, judgement.value, changed=edited is not None)


@click.group("hook-outcome", cls=CommandGroup)
def hook_outcome() -> None:
    """Record what gates in an agent's hooks decided."""


@hook_outcome.command()
@click.option("--sentinel-id", required=True, help="Id of the gate's run: <skill>-<run id>.")
@click.option("--skill", required=True, help="Skill that the gate belongs to: iteration-close, isp, loop-worker, …")
@click.option("--lifecycle-point", required=True, help="When the gate ran: pre_tool_use, stop, subagent_stop, …")
@click.option("--intervention-class", required=True, help="What it may do: prevent_before_action, remediate_at_stop, …")
@click.option("--result", required=True, help="The decision: allow, advise or remediate.")
@click.option("--rule-id", required=True, help="Id of the rule, such as iteration-close.R1.1.")
@click.option("--platform", required=True, help="The agent: claude, codex, copilot or cursor.")
@click.option("--ts", help="Time of the decision (default: now).")
@click.option("--archived-sentinel-path", default="", help="Where the sentinel is kept, inside the repository.")
@click.option("--correlation-id", default="", help="Id shared by related decisions (default: the sentinel's id).")
@click.option(
    "--iteration",
    type=click.IntRange(min=1),
    help="Iteration that the decision belongs to (default: the newest entry's).",
)
@log_flag
@as_json
def write(log: Path | None, iteration: int | None, ts: str | None, as_json: bool, **fields: str) -> None:
    """Append a decision to the iteration's sidecar. The same decision twice is written once."""
    from gnomon.cli.show.outcome import decided
    from gnomon.outcome.hooks import HookRecord, hook_path, newest_iteration, write_hook_record
    from gnomon.outcome.labels import now_text
    from gnomon.outcome.scorelog import log_around

    log = log or log_around(Path.cwd())
    number = iteration or newest_iteration(log)
    record = HookRecord(ts=ts or now_text(datetime.now(UTC)), **fields)
    if number is None:
        show.problem(f"{log} has no entry yet, so the decision belongs to no iteration; nothing is written")
        status, path = "no-active-iteration", None
    else:
        status, path = write_hook_record(log, number, record), hook_path(log, number)
    result = {"status": status, "iteration": number, "path": None if path is None else str(path)}
    show.json(result) if as_json else decided(status, path)
