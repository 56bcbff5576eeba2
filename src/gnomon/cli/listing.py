"""`gnomon list`: what is stored, on a server or in a database of this machine."""

import heapq
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gnomon.cli import show
from gnomon.cli.backend import chosen_projects, with_backend
from gnomon.cli.flags import as_json, at_most, in_project
from gnomon.cli.groups import CommandGroup

if TYPE_CHECKING:
    from rich.table import Table

    from gnomon.model.backend import Backend

Row = TypeVar("Row")


@click.group("list", cls=CommandGroup)
def list_() -> None:
    """List stored objects, newest first. Without --project, those of all projects.

    \b
    gnomon list experiments
    gnomon list datasets --project support --json
    """


def _listing(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every list."""
    return in_project(at_most(20)(with_backend(as_json(command))))


@list_.command()
@at_most(20)
@with_backend
@as_json
def projects(backend: "Backend", limit: int, as_json: bool) -> None:
    """List the projects, with how much is in each."""

    def draw(rows: Sequence[Any]) -> "Table":
        from gnomon.report.text import inventory

        return inventory.projects(rows, {row.id: backend.project_summary(row.id) for row in rows})

    _show(backend.projects(), limit, as_json, draw, "no projects yet; evaluate or trace something first")


@list_.command()
@_listing
def datasets(backend: "Backend", project: str | None, limit: int, as_json: bool) -> None:
    """List datasets, with their items, versions and experiments."""
    from gnomon.report.text import inventory

    rows = _newest_first(backend, project, backend.dataset_rows)
    nothing = "no datasets yet; `gn.dataset` and `gnomon import` make one"
    _show(rows, limit, as_json, inventory.datasets, nothing, spare=("id", "description"))


@list_.command()
@click.option("--name", help="List only experiments of exactly this name.")
@click.option("--dataset", help="List only experiments over this dataset (a name or an id).")
@_listing
def experiments(
    backend: "Backend", project: str | None, limit: int, name: str | None, dataset: str | None, as_json: bool
) -> None:
    """List experiments, with their runs and their commit."""
    from gnomon.model.backend import find_dataset
    from gnomon.report.text import inventory

    over = None if dataset is None else find_dataset(backend, dataset, project)
    rows = _newest_first(
        backend,
        project if over is None else over.project_id,
        lambda where: backend.experiment_rows(where, None if over is None else over.id, name),
    )
    _show(
        rows, limit, as_json, lambda shown: inventory.experiments(shown, from_newest=over is None),
        "no such experiments; `gnomon list experiments` shows all" if name or dataset
        else "no experiments yet; `gnomon eval` and `gn.evaluate` make one",
    )  # fmt: skip


@list_.command()
@_listing
def scorers(backend: "Backend", project: str | None, limit: int, as_json: bool) -> None:
    """List the scorers that have scores, and the built-in ones."""
    from gnomon.report.text import inventory
    from gnomon.scorers import BUILTINS

    _show(_with_project(backend, project, backend.scorers), limit, as_json, inventory.scorers, "no scores yet")
    if not as_json:
        show.line(f"built-in scorers: {', '.join(BUILTINS)}")


@list_.command()
@_listing
def judges(backend: "Backend", project: str | None, limit: int, as_json: bool) -> None:
    """List the judges: scorers that ask a model.

    `gnomon judge card` says how far one can be trusted.
    """
    from gnomon.report.text import inventory

    nothing = "no judges yet; llm_judge and rubric are the scorers that ask a model"
    _show(_with_project(backend, project, backend.judges), limit, as_json, inventory.judges, nothing)


@list_.command()
@_listing
def traces(backend: "Backend", project: str | None, limit: int, as_json: bool) -> None:
    """List traces, with their duration, tokens and spans."""
    from gnomon.report.text import inventory

    nothing = "no traces yet; `gn.trace` and OpenTelemetry exporters send them"
    rows = _newest_first(backend, project, backend.traces)
    _show(rows, limit, as_json, inventory.traces, nothing, spare=("received", "tokens", "spans"))


@list_.command()
@_listing
def conversations(backend: "Backend", project: str | None, limit: int, as_json: bool) -> None:
    """List conversations, with their traces.

    A conversation is all traces that name the same conversation or session.
    """
    from gnomon.report.text import inventory

    nothing = "no conversations yet; spans name theirs with gen_ai.conversation.id or session.id"
    _show(_newest_first(backend, project, backend.conversations), limit, as_json, inventory.conversations, nothing)


@list_.command()
@_listing
def iterations(backend: "Backend", project: str | None, limit: int, as_json: bool) -> None:
    """List iterations of coding agents, with what each was worth."""
    from gnomon.report.text import inventory

    nothing = "no iterations yet; `gnomon outcome push` sends them"
    rows = _newest_first(backend, project, backend.iterations)
    _show(rows, limit, as_json, inventory.iterations, nothing, spare=("claimed too much", "task", "commit", "source"))


def _newest_first(backend: "Backend", project: str | None, rows_of: Callable[[str], Iterator[Row]]) -> Iterator[Row]:
    """The rows of all chosen projects. Each project's come newest first, and are read as far as they are shown."""
    return heapq.merge(*map(rows_of, chosen_projects(backend, project)), key=attrgetter("created_at"), reverse=True)


def _with_project(
    backend: "Backend", project: str | None, rows_of: Callable[[str], Iterator[Row]]
) -> Iterator[tuple[str, Row]]:
    """The rows of all chosen projects, by name, each with its project, which the noun itself does not have."""
    return chain.from_iterable(((id, row) for row in rows_of(id)) for id in chosen_projects(backend, project))


def _show(
    rows: Iterator[Row], limit: int, as_json: bool, draw: "Callable[[list[Row]], Table]", nothing: str,
    spare: Collection[str] = ("id",),
) -> None:  # fmt: skip
    """Show at most `limit` rows as a table and whether there are more, or as JSON the rows alone.

    `spare` are the columns that a narrow terminal does not show.
    """
    from gnomon.report.text.drawing import fitting_table
    from gnomon.report.text.inventory import without

    shown = list(islice(rows, limit))
    if as_json:
        show.json([_noun(row) for row in shown])
    elif shown:
        table = draw(shown)
        show.parts([fitting_table(lambda wide: table if wide else without(table, spare))])
        if any(True for _ in rows):
            show.line(f"… and more; --limit {2 * limit} shows them")
    else:
        show.line(f"there are {nothing}")


def _noun(row: Any) -> dict[str, Any]:
    """The noun as the HTTP API writes it, with its project where it has none itself."""
    if isinstance(row, tuple):
        project, noun = row
        return {**noun.model_dump(mode="json"), "project_id": project}
    written: dict[str, Any] = row.model_dump(mode="json")
    return written
