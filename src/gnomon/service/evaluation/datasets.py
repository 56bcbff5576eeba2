"""The dataset of an evaluation: made when it is new, and brought in line with the data."""

from gnomon.errors import Conflict, NotFound
from gnomon.model.backend import Backend
from gnomon.model.checks import build
from gnomon.model.dataset import Dataset, DatasetDraft, ItemDraft, ItemsSynced
from gnomon.service.evaluation.data import EvaluationData


def synchronise(backend: Backend, project_id: str, data: EvaluationData) -> ItemsSynced:
    """Make the project's dataset of that name hold exactly these items, in one new version unless it does already."""
    drafts = [
        build(ItemDraft, input=item.input, expected_output=item.expected_output, metadata=item.metadata, key=item.id)
        for item in data.items
    ]
    return backend.sync_items(_dataset(backend, project_id, data.name).id, drafts)


def change_note(name: str, synced: ItemsSynced) -> str | None:
    """That the data is not what it was, where the dataset had items before and they changed."""
    changes = {"added": synced.added, "changed": synced.changed, "removed": synced.removed}
    if not any(changes.values()) or not (synced.kept or synced.changed or synced.removed):
        return None
    counts = ", ".join(f"{count:,} {word}" for word, count in changes.items() if count)
    return f"the data of dataset {name!r} has changed ({counts}), so it has a new version, {synced.version}"


def _dataset(backend: Backend, project_id: str, name: str) -> Dataset:
    """Made first and looked for second: so two processes that begin at once end with one dataset."""
    try:
        return backend.create_dataset(DatasetDraft(project_id=project_id, name=name))
    except Conflict:
        return _named(backend, project_id, name)


def _named(backend: Backend, project_id: str, name: str) -> Dataset:
    named = [dataset for dataset in backend.datasets(project_id) if dataset.name == name.strip()]
    if not named:
        raise NotFound(f"dataset {name!r} was deleted during the evaluation; try again")
    return named[0]
