"""`gnomon rm`: delete an experiment, a dataset, a project or a trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import show
from gnomon.cli.asking import confirm
from gnomon.cli.backend import find, with_backend
from gnomon.cli.flags import as_json, at, in_project
from gnomon.errors import Conflict, InvalidInput
from gnomon.shorten import list_some

if TYPE_CHECKING:
    from gnomon.model.backend import Backend

_LISTED = 3


@dataclass(frozen=True, slots=True)
class _Doomed:
    """What would be deleted, with how much of what hangs on it."""

    kind: str
    id: str
    title: str
    counts: dict[str, int]
    stays: str | None
    """What a user may think goes too."""
    delete: Callable[[], Any]


@click.command()
@click.argument("kind", type=click.Choice(["experiment", "dataset", "project", "trace"]))
@click.argument("name_or_id")
@in_project
@at
@click.option("--cascade", is_flag=True, help="Delete the experiments on the dataset too.")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@with_backend
@as_json
def rm(
    backend: Backend,
    kind: str,
    name_or_id: str,
    project: str | None,
    at: str | None,
    cascade: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Delete an experiment, dataset, project or trace with everything that belongs to it.

    Shows how much that is and asks first. This cannot be undone.
    """
    _refuse_flags(kind, project, at, cascade)
    look: dict[str, Callable[[], _Doomed]] = {
        "experiment": lambda: _experiment(backend, name_or_id, project, at),
        "dataset": lambda: _dataset(backend, name_or_id, project, cascade),
        "project": lambda: _project(backend, name_or_id),
        "trace": lambda: _trace(backend, name_or_id, project),
    }
    doomed = look[kind]()
    if not as_json:
        show.deletion(doomed.title, doomed.counts, doomed.stays)
    confirm(f"Delete {kind} {name_or_id}?", yes=yes)
    doomed.delete()
    if as_json:
        show.json({"deleted": True, "kind": kind, "id": doomed.id, "counts": doomed.counts})
    else:
        show.line(f"{kind} {name_or_id} is deleted.")


def _refuse_flags(kind: str, project: str | None, at: str | None, cascade: bool) -> None:
    if at is not None and kind != "experiment":
        raise InvalidInput(f"--at chooses among experiments of one name; leave it out for a {kind}")
    if cascade and kind != "dataset":
        raise InvalidInput(f"--cascade is for datasets; leave it out for {'an' if kind[0] == 'e' else 'a'} {kind}")
    if project is not None and kind == "project":
        raise InvalidInput("--project does not apply to a project; leave it out")


def _experiment(backend: Backend, name: str, project: str | None, at: str | None) -> _Doomed:
    experiment = find(backend, name, project, at)
    scored = backend.summary(experiment.id).scores_by_scorer.values()
    counts = {"runs": experiment.run_count, "scores": sum(scorer.score_count for scorer in scored)}
    title = f"experiment {experiment.name} ({experiment.id}, of {experiment.created_at:%Y-%m-%d %H:%M} UTC)"
    delete = partial(backend.delete_experiment, experiment.id)
    return _Doomed("experiment", experiment.id, title, counts, "traces of its runs", delete)


def _dataset(backend: Backend, name: str, project: str | None, cascade: bool) -> _Doomed:
    from gnomon.model.backend import find_dataset

    dataset = find_dataset(backend, name, project)
    using = list(backend.experiments(dataset.project_id, dataset.id))
    if using and not cascade:
        names = list_some([experiment.name for experiment in using], _LISTED)
        count = f"{len(using):,} experiments use" if len(using) > 1 else "1 experiment uses"
        remedy = "delete those first, or add --cascade to delete them too"
        raise Conflict(f"{count} dataset {name!r} ({names}); {remedy}", code="DATASET_IN_USE")
    counts = {
        "items": dataset.item_count,
        "experiments": len(using),
        "runs": sum(experiment.run_count for experiment in using),
    }
    title = f"dataset {dataset.name} ({dataset.id}, version {dataset.version})"
    return _Doomed(
        "dataset", dataset.id, title, counts, None, partial(backend.delete_dataset, dataset.id, cascade=cascade)
    )


def _project(backend: Backend, id: str) -> _Doomed:
    counts = backend.project_contents(id).model_dump(exclude={"project_id"})
    named = {name.replace("_", " "): count for name, count in counts.items()}
    return _Doomed("project", id, f"project {id}", named, None, partial(backend.delete_project, id, id))


def _trace(backend: Backend, id: str, project: str | None) -> _Doomed:
    trace = backend.trace_skeleton(id, project).trace
    scores = backend.trace_scores(id, trace.project_id).scores
    counts = {"spans": trace.span_count, "scores": len(scores), "annotations": trace.annotation_count}
    title = f"trace {id} ({trace.name or 'no root span'})"
    return _Doomed("trace", id, title, counts, "runs that name it", partial(backend.delete_trace, id, trace.project_id))
