"""A file of outputs scored by judges: an evaluation whose outputs are known already.

So judges have the cache, the budget, the limits and the retries that they have everywhere, and what was paid for is
stored as an experiment: scoring the same file again asks nothing twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.interop.columns import listed
from gnomon.interop.foreign.records import cell, records_of
from gnomon.model.budget import Budget
from gnomon.model.experiment import Experiment, Run
from gnomon.model.jsonvalue import canonical
from gnomon.model.nearest import nearest
from gnomon.model.score import InlineScoreDraft, ScorerSpec
from gnomon.service.evaluation import engine
from gnomon.service.evaluation.judges import models_of
from gnomon.service.evaluation.preparing import EvaluationRequest, Surroundings
from gnomon.service.scoring import scoring
from gnomon.service.scoring.bulk import Chunk, FileScores, MeasuredChunk, ScorerTally, score_rows, scores_file

_NO_OUTPUT = ("absent", "no output")
_NO_STATE = ("absent", "no score was submitted")


@dataclass(frozen=True, slots=True)
class JudgedColumns:
    """What the columns of the file are called."""

    input: str = "input"
    output: str = "output"
    expected_output: str = "expected_output"
    id: str = "id"


@dataclass(frozen=True, slots=True)
class JudgeCalls:
    """What judges were asked now, as the project's books have it."""

    calls: int
    tokens: int
    usd: float | None
    """None where the price of a model is not known."""


@dataclass(frozen=True, slots=True)
class JudgedFileScores:
    scores: FileScores
    experiment: Experiment
    spent: JudgeCalls


@dataclass(frozen=True, slots=True)
class _JudgedRow:
    key: str
    id: Any
    input: Any
    output: Any
    expected_output: Any


def score_with_judges(
    path: Path, specs: Sequence[ScorerSpec], out: Path | None, columns: JudgedColumns, around: Surroundings,
    concurrency: int = 16,
) -> JudgedFileScores:  # fmt: skip
    """Score every row of a file by judges, and by rules if asked; with `out`, also write each score."""
    with scores_file(path, out) as write:
        rows = _read(path, columns)
        before = around.backend.budget(around.project_id)
        experiment, runs = _evaluated(path, rows, specs, around, concurrency)
        after = around.backend.budget(around.project_id)
        chunk = Chunk([], [], [row.id for row in rows], 0)
        tallies, measured = _measured(rows, specs, runs)
        if write is not None:
            write(score_rows(0, chunk, tallies, measured))
    scores = FileScores(path, len(rows), tuple(tallies), out, 0, ())
    return JudgedFileScores(scores, experiment, _spent(before, after, specs))


def _read(path: Path, columns: JudgedColumns) -> list[_JudgedRow]:
    try:
        records = list(records_of(path))
    except OSError as bad:
        raise InvalidInput(f"{path}: {bad.strerror or bad}; name a file that can be read") from None
    known = dict.fromkeys(key for _, record in records for key in record)
    if not records:
        raise InvalidInput(f"{path.name} has no rows; there is nothing to score")
    for field, column in (("output", columns.output), ("input", columns.input)):
        if column not in known:
            near = nearest(column, known)
            hint = f"did you mean --{field}-column {near}?" if near else f"say which it is with --{field}-column"
            raise InvalidInput.of("columns", f"{path.name} has no column {column!r}, it has {listed(known)}; {hint}")
    text = path.suffix.lower() in (".csv", ".tsv")
    return [_row(number, record, columns, in_text=text) for number, record in enumerate((r for _, r in records), 1)]


def _row(number: int, record: Mapping[str, Any], columns: JudgedColumns, *, in_text: bool) -> _JudgedRow:
    """An empty cell of CSV is an empty output, and no input or expected output."""
    output, expected = record.get(columns.output), record.get(columns.expected_output)
    id = record.get(columns.id)
    input = record.get(columns.input)
    if in_text:
        input, expected = (cell(value) for value in (input, expected))
    return _JudgedRow(f"row {number}" if id in (None, "") else str(id), id, input, output, expected)


def _evaluated(
    path: Path, rows: Sequence[_JudgedRow], specs: Sequence[ScorerSpec], around: Surroundings, concurrency: int
) -> tuple[Experiment, dict[str, Run]]:
    """The experiment of those rows that have an output, and its runs by the rows' keys."""
    outputs = {row.key: row.output for row in rows if row.output is not None}
    if not outputs:
        raise InvalidInput(f"no row of {path.name} has an output; there is nothing to score")
    items = [
        {"id": row.key, "input": row.input if row.input is not None else "", "expected_output": row.expected_output}
        for row in rows
        if row.output is not None
    ]
    name = f"scored-{path.stem}"
    request = EvaluationRequest(
        _KnownOutputs(outputs), items, list(specs), name=name, dataset=name, concurrency=concurrency,
        version=sha256(canonical(outputs).encode()).hexdigest(), recorded={"file": path.name},
    )  # fmt: skip
    experiment = engine.evaluate(request, around).experiment
    items_of = around.backend.items(experiment.dataset_id, experiment.dataset_version)
    keys = {item.id: item.key or "" for item in items_of}
    return experiment, {keys[run.dataset_item_id]: run for run in around.backend.runs(experiment.id)}


class _KnownOutputs:
    """The task whose outputs are in the file."""

    __name__ = "known_outputs"

    def __init__(self, outputs: Mapping[str, Any]) -> None:
        self._outputs = outputs

    def __call__(self, item: Mapping[str, Any]) -> Any:
        return self._outputs[item["id"]]


def _measured(
    rows: Sequence[_JudgedRow], specs: Sequence[ScorerSpec], runs: Mapping[str, Run]
) -> tuple[list[ScorerTally], list[MeasuredChunk]]:
    tallies, chunks = [], []
    for name, config_hash in _names(specs):
        cells = [_score(runs.get(row.key), name) for row in rows]
        chunk = MeasuredChunk(
            [value for value, _, _ in cells], [state for _, state, _ in cells], [reason for _, _, reason in cells]
        )
        tally = ScorerTally(name, config_hash, "numeric")
        tally.add(chunk)
        tallies.append(tally)
        chunks.append(chunk)
    return tallies, chunks


def _names(specs: Sequence[ScorerSpec]) -> Iterator[tuple[str, str]]:
    """Each score's name with its configuration's hash; a rubric makes several."""
    for spec in specs:
        planned = scoring.plan(InlineScoreDraft.model_validate(spec.model_dump(exclude_unset=True)))
        for name in planned.score_names:
            yield name, planned.config_hash or ""


def _score(run: Run | None, name: str) -> tuple[float | str | None, str, str | None]:
    """The value, the state, and the reason where there is no value."""
    if run is None:
        return None, *_NO_OUTPUT
    for score in run.scores:
        if score.scorer_name == name:
            return score.value, "scored", None
    for state in run.score_states:
        if state.scorer_name == name:
            return None, "failed" if state.state == "failed" else "absent", state.reason or state.state
    return None, *_NO_STATE


def _spent(before: Budget, after: Budget, specs: Sequence[ScorerSpec]) -> JudgeCalls:
    """What the day's books gained. Others of the project that ask meanwhile are in it too."""
    models = models_of(specs)
    gained = [(row.calls, row.tokens, row.usd) for row in after.by_model if row.model in models]
    known = [(row.calls, row.tokens, row.usd) for row in before.by_model if row.model in models]
    calls, tokens = (sum(row[at] for row in gained) - sum(row[at] for row in known) for at in (0, 1))
    usd = sum(row[2] for row in gained) - sum(row[2] for row in known)
    return JudgeCalls(int(calls), int(tokens), usd if usd or not calls else None)
