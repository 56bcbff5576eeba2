"""`gnomon judge card` and `judge label`: how far a judge can be trusted, and whose rating would tell more."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.backend import one_project, with_backend
from gnomon.cli.flags import as_json, in_project
from gnomon.errors import InvalidInput
from gnomon.settings import from_environment

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.model.card import LabelMode
    from gnomon.service.judges.probing import Probed, Questions

SEED = 0


def _of_a_judge(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that choose the judge and the human labels."""
    which = click.option("--config-hash", help="Configuration of the judge (default: the last used).")
    whose = click.option("--human", help="Scorer name of the human labels (default: the one that covers most targets).")
    return click.argument("scorer")(in_project(which(whose(command))))


@click.command()
@_of_a_judge
@click.option(
    "--probe", type=click.IntRange(1, 1000), metavar="N",
    help="First probe the model with N stored targets, three or four calls each. This costs money.",
)  # fmt: skip
@with_backend
@as_json
def card(
    backend: "Backend", scorer: str, project: str | None, config_hash: str | None, human: str | None, probe: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Show the report card of the judge SCORER, made from its stored scores and the newest probe.

    \b
    gnomon judge card helpfulness --project support
    gnomon judge card helpfulness --db gnomon.db --probe 50
    """
    from gnomon.cli.show.card import card as show_card

    project = _project(backend, project, scorer)
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
    """List what to label next to correct the judge SCORER, and how many labels that takes.

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
    """Ask from this process, and store what was found."""
    import asyncio
    import os

    from gnomon.llm.ask import silence, why_not
    from gnomon.service.embedded import Embedded

    if not isinstance(backend, Embedded):
        raise InvalidInput("--probe asks the model from here and stores what it finds; name the database with --db")
    questions = backend.probe_questions(scorer, project, config_hash, n, SEED)
    if refused := why_not(questions.judge.model, os.environ):
        raise InvalidInput(f"--probe: {refused}")
    silence()
    backend.keep_probe(questions, asyncio.run(_ask_questions(questions, quiet)))


async def _ask_questions(questions: "Questions", quiet: bool) -> "Probed":
    from datetime import UTC, datetime

    from gnomon.cli.show.card import calls_done
    from gnomon.llm.ask import close
    from gnomon.llm.session import AskingSession
    from gnomon.service.jobs.worker import ask_judge
    from gnomon.service.judges.opinion import CONCURRENCY
    from gnomon.service.judges.probing import probe

    with calls_done(quiet=quiet) as progress:
        try:
            now = datetime.now(UTC)
            ask = partial(ask_judge, timeout=from_environment().judge_timeout)
            session = AskingSession(concurrency=CONCURRENCY, budget=questions.budget)
            return await probe(
                questions.judge, questions.samples, ask, now=now, seed=SEED, session=session, own=questions.prices,
                progress=progress,
            )  # fmt: skip
        finally:
            await close()
