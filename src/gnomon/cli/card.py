"""`gnomon judge card` and `judge label`: how far a judge can be trusted, and whose rating would tell more."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.backend import one_project, with_backend
from gnomon.cli.flags import as_json, in_project
from gnomon.errors import InvalidInput, Refused
from gnomon.settings import from_environment

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.model.card import LabelMode
    from gnomon.model.job import Job

SEED = 0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0


def _of_a_judge(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that choose the judge and the human labels."""
    which = click.option("--config-hash", help="Configuration of the judge (default: the last used).")
    whose = click.option("--human", help="Scorer name of the human labels (default: the one that covers most targets).")
    return click.argument("scorer")(in_project(which(whose(command))))


@click.command()
@_of_a_judge
@click.option(
    "--probe", type=click.IntRange(1, 1000), metavar="N",
    help="First probe the model with N stored targets, three or four calls each. This costs money: try --dry-run.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="With --probe: show its calls and their cost, without asking the model.")
@with_backend
@as_json
def card(
    backend: "Backend", scorer: str, project: str | None, config_hash: str | None, human: str | None, probe: int | None,
    dry_run: bool, as_json: bool,
) -> None:  # fmt: skip
    """Show the report card of the judge SCORER.

    It is made from the stored scores and the newest probe.

    \b
    gnomon judge card helpfulness --project support
    gnomon judge card helpfulness --project support --probe 50 --dry-run
    """
    from gnomon.cli.show.card import card as show_card
    from gnomon.cli.show.card import probe_plan

    if dry_run and probe is None:
        raise InvalidInput("--dry-run shows what a probe would take; give --probe N too")
    project = _project(backend, project, scorer)
    if dry_run:
        plan = backend.probe_plan(scorer, project, config_hash, samples=probe, seed=SEED)
        show.json(plan) if as_json else probe_plan(plan)
        return
    if probe is not None:
        _probe(backend, scorer, project, config_hash, probe, quiet=as_json)
    judge_card = backend.judge_card(scorer, project, config_hash, human)
    if as_json:
        show.json(judge_card)
    else:
        show_card(judge_card, backend.to_label(scorer, project, config_hash, human, limit=1).words)


@click.command()
@_of_a_judge
@click.option(
    "--width", type=click.FloatRange(0, 0.5, min_open=True), default=0.05, show_default=True,
    help="Half width that the interval of the corrected mean should reach.",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(["random", "informative"]), default="random", show_default=True,
    help="Choose targets at random, or where a label tells most.",
)  # fmt: skip
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="Number of targets to list.")
@with_backend
@as_json
def label(
    backend: "Backend", scorer: str, project: str | None, config_hash: str | None, human: str | None, width: float,
    mode: "LabelMode", limit: int, as_json: bool,
) -> None:  # fmt: skip
    """List what to label next for the judge SCORER.

    Says how many labels it takes to correct the judge's mean.

    \b
    gnomon judge label helpfulness --width 0.03
    """
    from gnomon.cli.show.card import to_label

    project = _project(backend, project, scorer)
    labelling = backend.to_label(scorer, project, config_hash, human, mode=mode, limit=limit, target_width=width)
    show.json(labelling) if as_json else to_label(labelling)


def _project(backend: "Backend", project: str | None, scorer: str) -> str:
    return one_project(backend, project, f"{scorer!r} may be a scorer of several projects")


def _probe(backend: "Backend", scorer: str, project: str, config_hash: str | None, n: int, *, quiet: bool) -> None:
    """Run a probe as a job: by the server's worker, or by one in this process where there is no server."""
    import os

    from gnomon.cli.show.card import probe_plan, probing
    from gnomon.llm.ask import silence, why_not
    from gnomon.model.card import ProbeDraft
    from gnomon.service.embedded import Embedded
    from gnomon.service.evaluation.judges import working

    plan = backend.probe_plan(scorer, project, config_hash, samples=n, seed=SEED)
    refused = plan.refusal or (why_not(plan.model, os.environ) if isinstance(backend, Embedded) else None)
    if refused:
        raise InvalidInput(f"--probe: {refused}")
    if not quiet:
        probe_plan(plan)
    silence()
    draft = ProbeDraft(project_id=project, config_hash=plan.config_hash, samples=n, seed=SEED)
    job_id = backend.probe_judge(scorer, draft).job_id
    try:
        with working(backend, from_environment(), {plan.model}), probing(plan.calls, quiet=quiet) as progress:
            job = _ended(backend, job_id, progress)
    except KeyboardInterrupt:
        backend.cancel_job(job_id)
        raise
    if job.status != "done":
        raise Refused(f"--probe: {job.reason or job.status} (job {job_id})")


def _ended(backend: "Backend", job_id: str, progress: Callable[[int], None]) -> "Job":
    pause = _FIRST_PAUSE
    while (job := backend.job(job_id)).status in ("queued", "running"):
        progress(sum(job.counts.values()))
        time.sleep(pause)
        pause = min(_LONGEST_PAUSE, pause * 1.5)
    return job
