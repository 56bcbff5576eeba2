"""Files of results as experiments that are stored for a moment, so that all that can be asked of stored ones holds."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.records import cell
from gnomon.interop.resulttables import MISSING, LongTable
from gnomon.model.trace import ProjectDraft
from gnomon.service.embedded import Embedded
from gnomon.service.exchange.importing import Importer, Origin
from gnomon.service.upkeep.maintenance import make_ready

_PROJECT = _DATASET = "files"
_NO_VALUE = "the file has no value"
_SCORE = "score"


@dataclass(frozen=True, slots=True)
class ResultFile:
    """A table of scores. With a name it is one experiment, else each of its agents is one."""

    table: LongTable
    name: str | None = None


@contextmanager
def stored_for_a_moment(
    files: Sequence[ResultFile], on_run: Callable[[int], None] = lambda count: None
) -> Iterator[Embedded]:
    """A backend that knows nothing but these files; its database is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="gnomon-") as folder:
        url = f"sqlite:///{folder}/files.db"
        make_ready(url)
        with Embedded(url) as backend:
            backend.create_project(ProjectDraft(id=_PROJECT))
            Importer(backend, _PROJECT, on_run=on_run).store(_bundle(files), Origin("files", ""))
            yield backend


def _bundle(files: Sequence[ResultFile]) -> Bundle:
    names = {file.table.value_name for file in files if not file.table.scorers}
    scorer_name = names.pop() if len(names) == 1 else _SCORE  # files that call it otherwise mean the same
    bundle = Bundle("table")
    for file in files:
        by_experiment: dict[str, list[int]] = {}
        for row, agent in enumerate(file.table.agents):
            by_experiment.setdefault(file.name or agent, []).append(row)
        for name, rows in by_experiment.items():
            runs = list(_runs(file.table, rows, scorer_name))
            bundle.experiments.append(ForeignExperiment(name, _DATASET, runs, {"file": file.table.source}))
    return bundle


def _runs(table: LongTable, rows: Sequence[int], scorer_name: str) -> Iterator[ForeignRun]:
    """Rows of one item and trial are one run with several scores."""
    together: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        together.setdefault((table.items[row], table.trials[row]), []).append(row)
    counts: dict[str, int] = {}
    for (item, _), members in together.items():
        counts[item] = trial = counts.get(item, 0) + 1
        first = members[0]
        error = _text(table, "error", first)
        scores = [_score(table, row, scorer_name) for row in members]
        yield ForeignRun(
            item_key=item,
            input=_text(table, "input", first),
            output=_text(table, "output", first),
            expected_output=_text(table, "expected_output", first),
            trial=trial,
            error=None if error is None else str(error),
            scores=scores if error is None else [score for score in scores if score.value is not None],
        )


def _score(table: LongTable, row: int, scorer_name: str) -> ForeignScore:
    """The value, else the label, else why there is neither."""
    name = table.scorers[row] if table.scorers else scorer_name
    value = table.values[row]
    if value is not None:
        return ForeignScore(name, value)
    label, reason = _text(table, "label", row), _text(table, "reason", row)
    if label is not None:
        return ForeignScore(name, str(label))
    if str(_text(table, "state", row)).lower() == "failed":
        return ForeignScore(name, failed=str(reason or "failed"))
    return ForeignScore(name, absent=str(reason or _NO_VALUE))


def _text(table: LongTable, meaning: str, row: int) -> Any:
    """What the cell holds; nothing where it is empty, except for an output."""
    value = table.texts[meaning][row] if meaning in table.texts else None
    if meaning == "output" and value == "":
        return value
    if meaning != "output" and isinstance(value, str) and value.strip().lower() in MISSING:
        return None
    return cell(value)
