"""The page of one or two experiments: whatever people, models and errors wrote stays text."""

from pathlib import Path

import pytest

from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError
from gnomon.model.score import InlineScoreDraft
from gnomon.service.embedded import Embedded
from gnomon.service.exchange.experimentreport import experiments_page
from gnomon.service.exchange.exporting import Selection
from gnomon.store.engine import open_store
from report.pages import HOSTILE, check_harmless


def stored(backend: Embedded, hostile: str) -> list[str]:
    """Two experiments with hostile names, inputs, outputs, reasons, errors and scorers; the second is worse."""
    dataset = backend.create_dataset(DatasetDraft(project_id="p", name=hostile))
    items = [
        backend.add_item(dataset.id, ItemDraft(input=f"{place} {hostile}", expected_output={hostile: hostile}))
        for place in range(4)
    ]
    ids = []
    for name, value in (("base", 1.0), ("other", 0.25)):
        draft = ExperimentDraft(project_id="p", name=f"{name} {hostile}", dataset_id=dataset.id)
        experiment = backend.create_experiment(draft)
        score = InlineScoreDraft(scorer_name=hostile, value=value, rationale=hostile)
        runs = [RunDraft(dataset_item_id=item.id, output=hostile, scores=[score]) for item in items[:3]]
        failed = RunDraft(dataset_item_id=items[3].id, error=RunError(message=hostile, type=hostile))
        backend.add_runs(experiment.id, [*runs, failed])
        ids.append(experiment.id)
    return ids


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_was_written_elsewhere_stays_text(tmp_path: Path, hostile: str) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    open_store(url).close()
    with Embedded(url) as backend:
        ids = stored(backend, hostile)
        pages = [experiments_page(backend, Selection("experiments", names, "p")) for names in (ids[:1], ids)]
    for page in pages:
        check_harmless(page, hostile)
        assert "Failed runs (1)" in page
    assert "Lowest scores by" in pages[1]
    assert "Items that got worse (3)" in pages[1]
