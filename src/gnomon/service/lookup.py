"""Find what a name or an id means: an experiment, a dataset, a run or a trace."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, get_args

from gnomon.errors import InvalidInput, NotFound
from gnomon.model.backend import Backend, find_dataset, find_experiment, find_project
from gnomon.model.card import Judge
from gnomon.model.nearest import nearest

StoredKind = Literal["experiment", "dataset", "run", "trace", "conversation", "iteration", "judge", "project"]
KINDS: tuple[StoredKind, ...] = get_args(StoredKind)

_NAMES_READ = 200
"""Of each kind and project, so many names are read to find one near a name that is not there."""
_MOST_PROJECTS = 50


@dataclass(frozen=True, slots=True)
class StoredNoun:
    """What is stored under a name or an id."""

    kind: StoredKind
    noun: Any
    project_id: str
    also: tuple[StoredKind, ...] = ()
    """Other kinds of which something has the same name."""


_Get = Callable[[Backend, str, str | None], Any]
_BY_ID: Mapping[StoredKind, _Get] = {
    "experiment": lambda backend, key, _: backend.experiment(key),
    "dataset": lambda backend, key, _: backend.dataset(key),
    "run": lambda backend, key, _: backend.run(key),
    "iteration": lambda backend, key, _: backend.iteration(key),
    "trace": lambda backend, key, project: backend.trace(key, project),
    "conversation": lambda backend, key, project: backend.conversation(key, project),
}
_BY_NAME: Mapping[StoredKind, _Get] = {
    "experiment": find_experiment,
    "dataset": find_dataset,
    "judge": lambda backend, name, project: _judge(backend, name, project),
    "project": lambda backend, key, _: find_project(backend, key),
}


def look_up(
    backend: Backend,
    name_or_id: str,
    kind: StoredKind | None = None,
    project_id: str | None = None,
    *,
    at: str | None = None,
) -> StoredNoun:
    """What has this id; else what has this name, an experiment before a dataset, a judge and a project."""
    if at is not None and kind not in (None, "experiment"):
        raise InvalidInput.of("at", f"at {at!r} chooses among experiments of one name; leave it out for a {kind}")
    if project_id is not None:
        find_project(backend, project_id)
    if at is not None:
        return _stored_noun(backend, "experiment", find_experiment(backend, name_or_id, project_id, at=at))
    if kind is not None:
        get = _BY_NAME.get(kind) or _BY_ID[kind]
        return _stored_noun(backend, kind, get(backend, name_or_id, project_id))
    with_id = next(_having(backend, _BY_ID, name_or_id, project_id), None)
    if with_id is not None:
        return with_id
    named = list(_having(backend, _BY_NAME, name_or_id, project_id))
    if not named:
        raise _nothing(backend, name_or_id, project_id)
    first, *others = named
    return StoredNoun(first.kind, first.noun, first.project_id, tuple(other.kind for other in others))


def _having(
    backend: Backend, getters: Mapping[StoredKind, _Get], name_or_id: str, project_id: str | None
) -> Iterator[StoredNoun]:
    for kind, get in getters.items():
        try:
            noun = get(backend, name_or_id, project_id)
        except NotFound:
            continue
        yield _stored_noun(backend, kind, noun)


def _stored_noun(backend: Backend, kind: StoredKind, noun: Any) -> StoredNoun:
    if isinstance(noun, _ProjectJudge):
        return StoredNoun(kind, noun.judge, noun.project_id)
    if kind == "run":
        return StoredNoun(kind, noun, backend.experiment(noun.experiment_id).project_id)
    return StoredNoun(kind, noun, noun.id if kind == "project" else noun.project_id)


@dataclass(frozen=True, slots=True)
class _ProjectJudge:
    judge: Judge
    project_id: str


def _judge(backend: Backend, name: str, project_id: str | None) -> _ProjectJudge:
    """The configuration of that judge which was used last."""
    configurations = [
        _ProjectJudge(judge, project)
        for project in _projects(backend, project_id)
        for judge in backend.judges(project)
        if judge.scorer_name == name
    ]
    if not configurations:
        raise NotFound(f"judge {name!r} does not exist")
    return max(configurations, key=lambda candidate: candidate.judge.last_used)


def _projects(backend: Backend, project_id: str | None) -> list[str]:
    return [project_id] if project_id else [project.id for project in islice(backend.projects(), _MOST_PROJECTS)]


def _nothing(backend: Backend, name: str, project_id: str | None) -> NotFound:
    kinds: dict[str, StoredKind] = {}
    for project in _projects(backend, project_id):
        kinds.setdefault(project, "project")
        for judge in backend.judges(project):
            kinds.setdefault(judge.scorer_name, "judge")
        for dataset in islice(backend.datasets(project), _NAMES_READ):
            kinds.setdefault(dataset.name, "dataset")
        for experiment in islice(backend.experiments(project), _NAMES_READ):
            kinds[experiment.name] = "experiment"
    near = nearest(name, kinds)
    hint = "`gnomon list` shows what there is" if near is None else f"did you mean the {kinds[near]} {near!r}?"
    return NotFound(f"nothing has the name or the id {name!r}; {hint}")
