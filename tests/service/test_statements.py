"""Pages read with a fixed number of statements, however many rows they show."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import ProjectDraft
from gnomon.service.analysis import itemwise
from gnomon.service.call import Call, Listing
from gnomon.service.embedded import Embedded
from gnomon.service.experiments import briefs, runs
from gnomon.service.experiments.experiments import ExperimentFilter
from gnomon.store.engine import open_store
from gnomon.store.pages import Slice
from gnomon.store.runpages import RunFilter

ITEMS = 12


class Filled:
    """Twelve experiments of two trials over twelve items, with numbers, labels, reasons and failures."""

    def __init__(self, url: str) -> None:
        open_store(url).close()
        self.embedded = Embedded(url)
        self.embedded.create_project(ProjectDraft(id="p", name="p"))
        dataset = self.embedded.create_dataset(DatasetDraft(project_id="p", name="d")).id
        self.items = [self.embedded.add_item(dataset, ItemDraft(input=f"q{n}")).id for n in range(ITEMS)]
        self.experiments = [self._experiment(dataset, number) for number in range(12)]

    def _experiment(self, dataset: str, number: int) -> str:
        draft = ExperimentDraft(project_id="p", name=f"e{number}", dataset_id=dataset, trials=2)
        id = self.embedded.create_experiment(draft).id
        self.embedded.add_runs(id, [_run(item, trial) for item in self.items for trial in range(2)])
        return id

    def statements(self, work: Callable[[Call], Listing[Any]], rows: int) -> int:
        """How many statements it takes to show so many rows."""
        asked: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            asked.append(statement)

        engine = self.embedded._store.engine
        sa.event.listen(engine, "before_cursor_execute", note)
        try:
            found = self.embedded._read(work)
        finally:
            sa.event.remove(engine, "before_cursor_execute", note)
        assert len(found.items) == rows
        return len(asked)


def _run(item: str, trial: int) -> RunDraft:
    if trial == 1 and item.endswith(("0", "1", "2", "3")):
        return RunDraft(dataset_item_id=item, trial=trial, error=RunError(message="broke"))
    scores = [
        InlineScoreDraft(scorer_name="quality", value=0.5),
        InlineScoreDraft(scorer_name="tone", value="kind"),
        InlineScoreDraft(scorer_name="safe", absent="no text"),
    ]
    return RunDraft(dataset_item_id=item, trial=trial, output="x", scores=scores)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    home: Path = tmp_path_factory.mktemp("statements")
    found = Filled(f"sqlite:///{home / 'gnomon.db'}")
    yield found
    found.embedded.close()


def test_a_page_of_experiments_with_their_means(filled):
    def asked(rows: int) -> int:
        return filled.statements(lambda call: briefs.rows(call, "p", Slice(rows), ExperimentFilter()), rows)

    assert asked(1) == asked(12) <= 12


def test_a_page_of_runs(filled):
    def asked(list_runs: Any, rows: int) -> int:
        work = lambda call: list_runs(call, filled.experiments[0], Slice(rows), RunFilter(), "item")  # noqa: E731
        return filled.statements(work, rows)

    for list_runs in (runs.all_of, runs.lean):
        assert asked(list_runs, 1) == asked(list_runs, 24) <= 10


def test_a_page_of_compared_items(filled):
    base, other = filled.experiments[:2]

    def asked(rows: int) -> int:
        options = itemwise.ItemQuery("quality")
        return filled.statements(lambda call: itemwise.items(call, base, other, Slice(rows), options), rows)

    assert asked(1) == asked(ITEMS) <= 12
