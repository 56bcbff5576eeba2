"""Export files: what is written is read again, a spreadsheet runs none of it, and bad files are told in one line."""

import csv
import io
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.interop.exports.cells import FORMULA, guarded, json_cell, json_value, unguarded
from gnomon.interop.exports.columns import COLUMNS, ExportColumn, ExportKind
from gnomon.interop.exports.records import (
    DatasetRecord,
    ExperimentRecord,
    ItemRecord,
    Record,
    RunRecord,
    ScoreRecord,
    StateRecord,
    TraceRecord,
)
from gnomon.interop.exports.writers import FileFormat, open_writer
from gnomon.interop.foreign import gnomon_export
from gnomon.interop.foreign.formats import format_of
from gnomon.model.dataset import Dataset, DatasetItem
from gnomon.model.experiment import Experiment, Run, RunError
from gnomon.model.review import Annotation
from gnomon.model.score import Score, ScoringState
from gnomon.model.trace import Span, SpanDraft, SpanError, Trace

GOLDEN = Path(__file__).parents[1] / "golden" / "export"
AT = datetime(2026, 2, 21, 22, tzinfo=UTC)

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
hostile = st.sampled_from(FORMULA + "'").flatmap(lambda sign: texts.map(lambda text: sign + text))


# --- cells -----


@given(texts | hostile | st.from_regex(r'\s*("|\{|\[|-?\d|true|false|null).*', fullmatch=True))
def test_a_text_in_a_cell_of_json_is_the_same_text_afterwards(text: str) -> None:
    text = text.replace("\0", "")
    assert json_value(json_cell(text)) == text


@given(json_values)
def test_every_json_value_survives_a_cell_of_csv(value: Any) -> None:
    cell = json_cell(value)
    assert json_value(None if cell is None else unguarded(guarded(cell))) == value


@given(texts | hostile)
def test_a_guarded_text_is_no_formula_and_comes_back(text: str) -> None:
    cell = guarded(text)
    assert cell[0] not in FORMULA
    assert unguarded(cell) == text


def test_an_empty_cell_is_nothing_and_an_empty_text_is_something() -> None:
    assert unguarded("") is None
    assert guarded("") == "'"


# --- files -----

DATASET = Dataset(
    id="d1", project_id="p", name="capitals", description="=cmd()", version=2, item_count=2, created_at=AT,
    updated_at=AT,
)  # fmt: skip
ITEMS = [
    DatasetItem(
        id="i1", dataset_id="d1", key="fr", input="=1+1", expected_output="Paris", metadata={"a": [1]}, created_at=AT
    ),
    DatasetItem(
        id="i2", dataset_id="d1", key=None, input={"q": "é\n,\""}, expected_output=None, metadata=None, created_at=AT
    ),
]  # fmt: skip
EXPERIMENT = Experiment(
    id="e1", project_id="p", name="first", dataset_id="d1", dataset_version=2, trials=2, auto_complete=False,
    status="completed", run_count=2, metadata={"temperature": 0.5}, created_at=AT, completed_at=AT,
)  # fmt: skip


def score(target_id: str, name: str, value: float | str, **more: Any) -> Score:
    about: dict[str, Any] = {
        "id": f"s-{target_id}-{name}", "project_id": "p", "target_id": target_id, "target_type": "run",
        "trace_id": None, "scorer_name": name, "value": value, "rationale": None, "source": "api", "scorer": None,
        "config": None, "config_hash": None, "metadata": None, "created_at": AT,
    }  # fmt: skip
    return Score(**(about | more))


RUNS = [
    Run(
        id="r1", experiment_id="e1", dataset_item_id="i1", trial=0, output="Paris", error=None, trace_id="t1",
        input="=1+1", expected_output="Paris", created_at=AT,
        scores=[
            score("r1", "exact_match", 1.0, source="builtin", scorer="exact_match", config={}, config_hash="abc"),
            score("r1", "tone", "-rude", rationale="", source="human"),
        ],
    ),
    Run(
        id="r2", experiment_id="e1", dataset_item_id="i2", trial=1, output=None,
        error=RunError(message="too slow", type="TimeoutError"), trace_id=None, input={"q": "é\n,\""},
        expected_output=None, scores=[], created_at=AT,
    ),
]  # fmt: skip
STATES = [
    ScoringState(
        target_id="r2", target_type="run", trace_id=None, scorer_name="exact_match", config_hash=None, state=state,
        reason=reason, job_id=None, updated_at=AT,
    )
    for state, reason in (("failed", "the run failed"), ("absent", None), ("sampled_out", None))
]  # fmt: skip
SPANS = [
    Span(
        id="a", trace_id="t1", parent_span_id=None, name="@root", input={"x": 1}, output="+1", start_time=AT,
        end_time=AT, duration_ms=0.0, tokens_input=3, tokens_output=None, model="m", metadata={"k": "v", "n": -1.5},
        error=SpanError(message="bad", type="ValueError"),
    ),
    Span(
        id="b", trace_id="t1", parent_span_id="a", name="step", input=None, output=None, start_time=AT, end_time=None,
        duration_ms=None, tokens_input=None, tokens_output=None, model=None, metadata=None, error=None,
    ),
]  # fmt: skip
TRACE = Trace(
    id="t1", project_id="p", root_span_id="a", span_count=2, created_at=AT, metadata={"k": "v"}, name="@root",
    duration_ms=0.0, model="m", tokens=3, has_error=True, in_queue=False, spans=SPANS,
)  # fmt: skip
ON_SPAN = score("b", "helpful", 0.25, target_type="span", trace_id="t1", rationale="=why", metadata={"m": None})
SPAN_STATE = STATES[0].model_copy(update={"target_id": "a", "target_type": "span", "trace_id": "t1"})
SAID = [
    Annotation(
        id=f"n{at}", project_id="p", trace_id="t1", span_id=span_id, annotator="a new user", label="bad",
        correction={"better": 1}, notes=None, created_at=AT,
    )
    for at, span_id in enumerate((None, "b"))
]  # fmt: skip

RECORDS: dict[ExportKind, list[Record]] = {
    "datasets": [DatasetRecord(DATASET), *(ItemRecord(DATASET, item) for item in ITEMS)],
    "experiments": [
        DatasetRecord(DATASET), *(ItemRecord(DATASET, item) for item in ITEMS), ExperimentRecord(EXPERIMENT),
        *(RunRecord(run, EXPERIMENT, DATASET) for run in RUNS), *(StateRecord(state, EXPERIMENT) for state in STATES),
    ],
    "traces": [TraceRecord(TRACE, [ON_SPAN], [SPAN_STATE], SAID)],
    "scores": [ScoreRecord(RUNS[0].scores[0], EXPERIMENT, RUNS[0]), ScoreRecord(ON_SPAN), StateRecord(SPAN_STATE)],
}  # fmt: skip
JOINED: dict[ExportKind, list[Record]] = RECORDS | {
    "experiments": [
        RunRecord(run, EXPERIMENT, DATASET, item, [state for state in STATES if state.target_id == run.id])
        for run, item in zip(RUNS, ITEMS, strict=True)
    ]
}
KINDS: list[ExportKind] = ["datasets", "experiments", "traces", "scores"]
FORMATS: list[FileFormat] = ["jsonl", "csv", "parquet"]


def written(kind: ExportKind, format: FileFormat, folder: Path) -> Path:
    path = folder / f"{kind}.{format}"
    columns = [*COLUMNS[kind], *([ExportColumn("score.exact_match", "number")] if kind == "experiments" else [])]
    with path.open("wb") as file:
        writer = open_writer(format, file, kind, columns)
        for record in (RECORDS if format == "jsonl" else JOINED)[kind]:
            writer.write(record)
        writer.finish()
    return path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_the_files_are_those_that_were_agreed_on(kind: ExportKind, format: FileFormat, tmp_path: Path) -> None:
    path, golden = written(kind, format, tmp_path), GOLDEN / f"{kind}.{format}"
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        golden.write_bytes(path.read_bytes())
    assert path.read_bytes() == golden.read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_parquet_has_the_columns_of_csv_with_their_types(kind: ExportKind, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    table = pq.read_table(written(kind, "parquet", tmp_path))
    [header, *rows] = csv.reader(io.StringIO(written(kind, "csv", tmp_path).read_text("utf-8"), newline=""))
    assert table.column_names == header
    assert table.num_rows == len(rows)
    assert str(table.schema.field("created_at" if kind != "traces" else "start_time").type) == "timestamp[ms, tz=UTC]"
    assert table.schema.metadata[b"kind"].decode() == kind


@pytest.mark.parametrize("kind", KINDS)
def test_no_cell_of_a_csv_file_is_a_formula(kind: ExportKind, tmp_path: Path) -> None:
    text = written(kind, "csv", tmp_path).read_text("utf-8")
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    assert not [cell for cell in cells if cell and cell[0] in FORMULA and not cell[1:2].isdigit()]
    assert any(cell.startswith("'") for cell in cells)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", FORMATS)
def test_an_export_is_recognised_whatever_it_holds(kind: ExportKind, format: FileFormat, tmp_path: Path) -> None:
    assert format_of(written(kind, format, tmp_path)) == "gnomon"


@pytest.mark.parametrize("format", FORMATS)
def test_datasets_come_back_with_their_items(format: FileFormat, tmp_path: Path) -> None:
    [dataset] = gnomon_export.read(written("datasets", format, tmp_path)).datasets
    assert (dataset.name, dataset.description) == ("capitals", "=cmd()")
    assert [(item.key, item.input, item.expected_output, item.metadata) for item in dataset.items] == [
        ("fr", "=1+1", "Paris", {"a": [1]}),
        ("i2", {"q": 'é\n,"'}, None, None),
    ]


@pytest.mark.parametrize("format", FORMATS)
def test_experiments_come_back_with_runs_errors_trials_scores_and_reasons(format: FileFormat, tmp_path: Path) -> None:
    found = gnomon_export.read(written("experiments", format, tmp_path))
    [experiment] = found.experiments
    assert (experiment.name, experiment.dataset, experiment.trials, experiment.completed) == (
        "first", "capitals", 2, True
    )  # fmt: skip
    assert experiment.metadata == {
        "temperature": 0.5,
        "gnomon_export": {"project_id": "p", "experiment_id": "e1"},
    }
    first, second = experiment.runs
    assert (first.item_key, first.trial, first.input, first.output, first.trace_id) == (
        "fr", 1, "=1+1", "Paris", "t1"
    )  # fmt: skip
    exact, tone = first.scores
    assert (exact.name, exact.value, exact.metadata) == (
        "exact_match",
        1.0,
        {"gnomon_export": {"source": "builtin", "scorer": "exact_match", "config": {}, "config_hash": "abc"}},
    )
    assert (tone.value, tone.rationale, tone.source, tone.metadata) == ("-rude", "", "human", None)
    assert (second.item_key, second.error, second.error_type, second.output) == (
        "i2", "too slow", "TimeoutError", None
    )  # fmt: skip
    assert [(score.failed, score.absent) for score in second.scores] == [
        ("the run failed", None),
        (None, "the export gives no reason"),
    ]
    assert found.not_understood == {"scoring state sampled_out": 1}
    assert [len(dataset.items) for dataset in found.datasets] == ([2] if format == "jsonl" else [])


@pytest.mark.parametrize("format", FORMATS)
def test_traces_come_back_with_spans_scores_and_annotations(format: FileFormat, tmp_path: Path) -> None:
    found = gnomon_export.read(written("traces", format, tmp_path))
    [[root, step]] = found.traces
    told = SPANS[0].model_dump(include=SpanDraft.model_fields.keys() - {"scores"})
    assert root.model_dump(exclude={"scores"}) == told
    assert (step.id, step.parent_span_id, step.end_time, step.metadata) == ("b", "a", None, None)
    assert {(one.span_id, one.score.name, one.score.value, one.score.failed) for one in found.span_scores} == {
        ("b", "helpful", 0.25, None),
        ("a", "exact_match", None, "the run failed"),
    }
    by_span = {said.span_id: (said.label, said.correction, said.score) for said in found.annotations}
    assert by_span == dict.fromkeys([None, "b"], ("bad", {"better": 1}, False))


@pytest.mark.parametrize("format", FORMATS)
def test_scores_alone_come_back_where_they_have_a_span(format: FileFormat, tmp_path: Path) -> None:
    found = gnomon_export.read(written("scores", format, tmp_path))
    assert [(one.span_id, one.score.value, one.score.failed) for one in found.span_scores] == [
        ("b", 0.25, None),
        ("a", None, "the run failed"),
    ]
    assert found.not_understood == {"score of a run without its experiment": 1}


def test_items_of_an_older_version_keep_apart_from_those_that_took_their_keys(tmp_path: Path) -> None:
    old = ITEMS[0].model_copy(update={"id": "i0", "input": "what was asked before"})
    before, after = DATASET.model_copy(update={"version": 1}), DATASET
    lines: list[Record] = [
        DatasetRecord(after), ItemRecord(after, ITEMS[0]), ExperimentRecord(EXPERIMENT),
        RunRecord(RUNS[0], EXPERIMENT, DATASET), DatasetRecord(before), ItemRecord(before, old),
        ExperimentRecord(EXPERIMENT.model_copy(update={"id": "e0", "dataset_version": 1})),
        RunRecord(
            RUNS[0].model_copy(update={"experiment_id": "e0", "dataset_item_id": "i0"}), EXPERIMENT, DATASET
        ),
    ]  # fmt: skip
    path = tmp_path / "two.jsonl"
    with path.open("wb") as file:
        writer = open_writer("jsonl", file, "experiments", [])
        for record in lines:
            writer.write(record)
    found = gnomon_export.read(path)
    assert [run.item_key for experiment in found.experiments for run in experiment.runs] == ["i0", "fr"]
    assert [[item.key for item in dataset.items] for dataset in found.datasets] == [["fr"]]


# --- files that are not whole, not ours, or hostile -----


def otlp_line(**about: Any) -> str:
    """A trace of one span that came by OpenTelemetry."""
    fields = {name: None for name, field in Span.model_fields.items() if field.is_required()}
    own = {"id": "a", "trace_id": "t", "name": "n", "start_time": "2026-02-21T22:00:00Z", "attributes": {}}
    return json.dumps({"type": "trace", "id": "t", "spans": [{**fields, **own, **about}]})


def refusal(path: Path) -> str:
    with pytest.raises(InvalidInput) as refused:
        gnomon_export.read(path)
    assert "\n" not in refused.value.message
    return refused.value.message


def test_a_file_that_was_cut_names_its_line(tmp_path: Path) -> None:
    path = written("experiments", "jsonl", tmp_path)
    path.write_bytes(path.read_bytes()[:-40])
    assert refusal(path).startswith("experiments.jsonl, line 10 is not an object of JSON")


def test_a_file_of_a_later_format_asks_for_a_newer_gnomon(tmp_path: Path) -> None:
    path = tmp_path / "later.jsonl"
    path.write_text('{"gnomon_export": 2, "kind": "traces"}\n')
    assert refusal(path) == (
        "later.jsonl is of version 2 of the export format, and 1 is known here; upgrade Gnomon"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"type": "run", "id": 7}', "hostile.jsonl, line 2, id: Input should be a valid string"),
        ('{"type": "trace", "id": "t", "spans": [{"id": "a"}]}', "hostile.jsonl, line 2: SpanDraft: "),
        ('{"type": "trace", "id": "t", "spans": "all"}', "hostile.jsonl, line 2, spans: Input should be a valid list"),
        (otlp_line(start_time_unix_nano="soon"), "hostile.jsonl, line 2: span 'a' is not an OpenTelemetry span"),
        (otlp_line(end_time_unix_nano="-5"), "hostile.jsonl, line 2: span 'a' is not an OpenTelemetry span"),
        (otlp_line(flags=2**40), "hostile.jsonl, line 2: span 'a' is not an OpenTelemetry span"),
        (otlp_line(kind=7), "hostile.jsonl, line 2, kind: Input should be a valid string"),
        (
            otlp_line(status={"code": "odd", "message": None}),
            "hostile.jsonl, line 2, status.code: Input should be 'unset'",
        ),
        ("[1]", "hostile.jsonl, line 2 is not an object of JSON"),
        (
            '{"type": "item", "id": "i", "dataset_id": "d", "input": ' + "[" * 5000 + "]" * 5000 + "}",
            "hostile.jsonl, l",
        ),
    ],
)
def test_a_line_that_is_wrong_is_named_with_its_field(line: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.jsonl"
    path.write_text(f'{{"gnomon_export": 1, "kind": "traces"}}\n{line}\n')
    assert refusal(path).startswith(words)


def test_a_score_outside_its_range_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hostile.jsonl"
    wrong = RUNS[0].scores[0].model_dump(mode="json") | {"type": "score", "value": 7}
    path.write_text(f'{{"gnomon_export": 1, "kind": "scores"}}\n{json.dumps(wrong)}\n')
    assert "score 7 is outside [0, 1]" in refusal(path)


def test_an_experiment_without_its_dataset_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "half.jsonl"
    with path.open("wb") as file:
        open_writer("jsonl", file, "experiments", []).write(ExperimentRecord(EXPERIMENT))
    assert refusal(path) == (
        "experiment 'first' refers to a dataset that is not in the file; export it again"
    )  # fmt: skip


def test_a_cell_of_the_wrong_type_is_named(tmp_path: Path) -> None:
    path = written("experiments", "csv", tmp_path)
    path.write_text(path.read_text("utf-8").replace(",0,'=1+1", ",none,'=1+1"), encoding="utf-8")
    assert refusal(path) == (
        "experiments.csv, line 2: trial 'none' is not a whole number; export it again"
    )  # fmt: skip


def test_what_others_wrote_is_not_ours(tmp_path: Path) -> None:
    for name, text in {"a.csv": "input,output\n1,2\n", "b.jsonl": '{"input": 1}\n', "c.parquet": "PAR1"}.items():
        (tmp_path / name).write_text(text)
        assert not gnomon_export.detect(tmp_path / name)
