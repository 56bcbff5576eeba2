"""`gnomon show`: show one experiment, run, trace or other stored noun, by its name or its id."""

import shlex
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.backend import server_of, with_backend
from gnomon.cli.flags import as_json, at, at_most, in_project
from gnomon.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.report.text.drawing import Part
    from gnomon.service.lookup import StoredKind, StoredNoun

_VERSIONS = 5
_EXPERIMENTS = 5
_COUNTED = 1_000


@click.command("show")
@click.argument("words", metavar="[KIND] NAME_OR_ID", nargs=-1, required=True)
@in_project
@at
@at_most(20, "Most items, spans or turns to show.")
@with_backend
@as_json
def show_(
    backend: "Backend", words: tuple[str, ...], project: str | None, at: str | None, limit: int, as_json: bool
) -> None:
    """Show the object with this name or id. Ids come before names, and experiments before datasets.

    KIND is experiment, dataset, run, trace, conversation, iteration, judge or project.

    \b
    gnomon show nightly
    gnomon show nightly --at ~1
    gnomon show dataset capitals --json
    """
    from gnomon.service.lookup import look_up

    kind, name_or_id = _read(words)
    stored = look_up(backend, name_or_id, kind, project, at=at)
    fields, parts = _VIEWS[stored.kind](backend, stored, limit)
    if as_json:
        show.json({"kind": stored.kind, **{name: _plain(value) for name, value in fields.items()}})
        return
    show.parts(parts)
    for other in stored.also:
        show.line(f"also of this name: gnomon show {other} {shlex.quote(name_or_id)}")


def _read(words: tuple[str, ...]) -> "tuple[StoredKind | None, str]":
    from gnomon.model.nearest import did_you_mean
    from gnomon.service.lookup import KINDS

    if len(words) == 1:
        return None, words[0]
    kind = next((known for known in KINDS if words[0] in (known, f"{known}s")), None)
    if kind is None:
        near = did_you_mean(words[0], KINDS, f"it is one of {', '.join(KINDS)}")
        raise InvalidInput.of("kind", f"{words[0]!r} is not a kind of object; {near}")
    if len(words) > 2:
        raise InvalidInput.of(
            "name", f"there are {len(words) - 1} names; show one at a time, in quotes if it has spaces"
        )
    return kind, words[1]


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(element) for element in value]
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


View = tuple[dict[str, Any], "Iterable[Part]"]
"""Nouns for JSON, by name; and the same as text."""


def _experiment(backend: "Backend", stored: "StoredNoun", limit: int) -> View:
    from gnomon.model.weblinks import experiment_page
    from gnomon.report.text import details

    shown, summary = stored.noun, backend.summary(stored.noun.id)
    same_name = islice(backend.experiments(shown.project_id, name=shown.name), _COUNTED)
    with_runs = [other.id for other in same_name if other.run_count or other.id == shown.id]
    newer = with_runs.index(shown.id) if shown.id in with_runs else len(with_runs)
    earlier = max(0, len(with_runs) - newer - 1)
    try:
        dataset_name = backend.dataset(shown.dataset_id).name
    except NotFound:
        dataset_name = None
    url = experiment_page(server_of(backend), shown.project_id, shown.id)
    fields = {"experiment": shown, "summary": summary, **({} if url is None else {"url": url})}
    return fields, [*details.experiment(shown, dataset_name, summary, newer, earlier), *([] if url is None else [url])]


def _dataset(backend: "Backend", stored: "StoredNoun", limit: int) -> View:
    from gnomon.report.text import details

    shown = stored.noun
    versions = list(islice(backend.dataset_versions(shown.id), _VERSIONS))
    items = list(islice(backend.items(shown.id, shown.version), limit))
    over_it = list(islice(backend.experiments(shown.project_id, shown.id), _EXPERIMENTS))
    fields = {"dataset": shown, "versions": versions, "items": items, "experiments": over_it}
    return fields, details.dataset(shown, versions, items, over_it)


def _run(backend: "Backend", stored: "StoredNoun", limit: int) -> View:
    from gnomon.report.text import details

    experiment = backend.experiment(stored.noun.experiment_id)
    return {"run": stored.noun, "experiment": experiment}, details.run(stored.noun, experiment.name)


def _trace(backend: "Backend", stored: "StoredNoun", limit: int) -> View:
    from gnomon.report.text import details

    shown = stored.noun
    scores = backend.trace_scores(shown.id, stored.project_id).scores
    return {"trace": shown, "scores": scores}, details.trace(shown, scores, limit)


def _conversation(backend: "Backend", stored: "StoredNoun", limit: int) -> View:
    from gnomon.report.text import details

    turns = list(islice(backend.turns(stored.noun.id, stored.project_id), limit))
    return {"conversation": stored.noun, "turns": turns}, details.conversation(stored.noun, turns)


def _iteration(backend: "Backend", stored: "StoredNoun", limit: int) -> View:
    from gnomon.report.text import details

    return {"iteration": stored.noun}, details.iteration(stored.noun)


def _judge(backend: "Backend", stored: "StoredNoun", limit: int) -> View:
    from gnomon.report.text import card

    name = stored.noun.scorer_name
    report = backend.judge_card(name, stored.project_id, stored.noun.config_hash)
    label_next = backend.to_label(name, stored.project_id, stored.noun.config_hash, limit=1).words
    return {"judge": stored.noun, "card": report}, card.card(report, label_next)


def _project(backend: "Backend", stored: "StoredNoun", limit: int) -> View:
    from gnomon.report.text import details

    summary = backend.project_summary(stored.noun.id)
    return {"project": stored.noun, "summary": summary}, details.project(stored.noun, summary)


_VIEWS = {
    "experiment": _experiment,
    "dataset": _dataset,
    "run": _run,
    "trace": _trace,
    "conversation": _conversation,
    "iteration": _iteration,
    "judge": _judge,
    "project": _project,
}
