"""`gnomon judge card`: how far a judge can be trusted, and with --probe, how it bears being asked on purpose."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json, in_project
from gnomon.cli.place import only_project, opened, place_flags
from gnomon.errors import InvalidInput
from gnomon.settings import from_environment

if TYPE_CHECKING:
    from gnomon.cli.judges import LocalJudges
    from gnomon.client import Client
    from gnomon.model.card import JudgeCard, Probe
    from gnomon.service.probing import Questions

SEED = 0


@click.command()
@click.argument("scorer")
@in_project
@click.option("--config-hash", help="Which configuration (default: the last used).")
@click.option("--human", help="The scorer that people's scores have (default: the one with most of the targets).")
@click.option(
    "--probe", type=click.IntRange(1, 1000), metavar="N",
    help="First ask the model on purpose about N stored targets, three or four times each. This costs money.",
)  # fmt: skip
@place_flags
@as_json
def card(
    scorer: str, project: str | None, config_hash: str | None, human: str | None, probe: int | None,
    url: str | None, key: str | None, db: str | None, as_json: bool,
) -> None:  # fmt: skip
    """The report card of the judge SCORER, from its stored scores and the newest probe.

    \b
    gnomon judge card helpfulness --project support
    gnomon judge card helpfulness --db gnomon.db --probe 50
    """
    from gnomon.cli.show.card import card as show_card

    with _judges(url, key, db) as place:
        project = project or only_project(place, f"{scorer!r} may be a scorer of several projects")
        if probe is not None:
            _probe(place, scorer, project, config_hash, probe, quiet=as_json)
        found = _card(place, scorer, project, config_hash, human)
    show.json(found) if as_json else show_card(found)


@contextmanager
def _judges(url: str | None, key: str | None, db: str | None) -> "Iterator[Client | LocalJudges]":
    """The server, or the database of this machine with what probing needs."""
    settings = from_environment()
    if url or (settings.url and not db):
        from gnomon.client import Client

        with opened(url, key, db) as place:
            assert isinstance(place, Client)
            yield place
    else:
        from gnomon.cli.judges import LocalJudges

        with closing(LocalJudges(settings.with_database(db).database_url)) as local:
            yield local


def _card(
    place: "Client | LocalJudges", scorer: str, project: str, config_hash: str | None, human: str | None
) -> "JudgeCard":
    from urllib.parse import quote

    from gnomon.client import Client, get
    from gnomon.model.card import JudgeCard

    if isinstance(place, Client):
        asked = {"project_id": project, "config_hash": config_hash, "human": human}
        return place.send(get(f"/judges/{quote(scorer)}/card", JudgeCard, **asked))
    return place.judge_card(scorer, project, config_hash, human)


def _probe(
    place: "Client | LocalJudges", scorer: str, project: str, config_hash: str | None, n: int, *, quiet: bool
) -> None:
    """Ask from this process, and store what was found."""
    import asyncio
    import os

    from gnomon.client import Client
    from gnomon.llm.ask import why_not

    if isinstance(place, Client):
        raise InvalidInput("--probe asks the model from here and stores what it finds; name the database with --db")
    asked = place.questions(scorer, project, config_hash, n, SEED)
    if refused := why_not(asked.judge.model, os.environ):
        raise InvalidInput(f"--probe: {refused}")
    place.keep(asked, asyncio.run(_asked(asked, quiet)))


async def _asked(asked: "Questions", quiet: bool) -> "Probe":
    from datetime import UTC, datetime

    from gnomon.cli.show.card import calls_done
    from gnomon.llm.ask import close
    from gnomon.service.probing import probe
    from gnomon.service.worker import ask_judge

    with calls_done(quiet=quiet) as progress:
        try:
            now = datetime.now(UTC)
            return await probe(asked.judge, asked.samples, ask_judge, now=now, seed=SEED, progress=progress)
        finally:
            await close()
