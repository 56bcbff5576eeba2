"""What is exported and imported into another project is there again: all of it, from every format that can be read."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from conftest import Server
from contract import otlp
from contract.caller import fresh_project
from gnomon.client import Client
from gnomon.interop.exports.columns import ExportKind
from gnomon.interop.exports.writers import FileFormat
from gnomon.model.backend import Backend
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError
from gnomon.model.importing import ImportReport
from gnomon.model.review import Annotation, AnnotationDraft, AnnotationScoreDraft
from gnomon.model.score import InlineScoreDraft, Score, ScoreDraft, ScoringState
from gnomon.model.trace import SpanDraft, SpanError
from gnomon.service.embedded import Embedded
from gnomon.service.exchange import exporting
from gnomon.service.exchange.exporting import Selection
from gnomon.service.exchange.importing_files import ImportOptions, import_files, prepare
from gnomon.service.exchange.otlpexport import write_json
from gnomon.store.engine import open_store

AT = datetime(2026, 2, 21, 22, tzinfo=UTC)
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")

# --- what there may be -----

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
names = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=8)
hostile = st.sampled_from(["=1+1", "'", "-5", "@x", "\t", "\r\n", "null", "[1]", '"q"', "a,b", "ü\n"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e6, 1e6) | texts | hostile,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
outputs = json_values.filter(lambda value: value is not None)
objects = st.none() | st.dictionaries(names, json_values, max_size=2)
# PostgreSQL refuses to square what is below 1e-154, which a summary does.
shares = st.just(0.0) | st.floats(1e-9, 1)
flat = st.none() | st.dictionaries(names, st.none() | st.booleans() | st.integers(-9, 9) | texts, max_size=2)


@st.composite
def scores(draw: st.DrawFn) -> list[InlineScoreDraft]:
    """Values, labels and reasons, each under a name of its own."""
    found = []
    for name in draw(st.lists(names, max_size=3, unique=True)):
        result = draw(
            st.sampled_from(["value", "label", "absent", "failed"]).flatmap(
                lambda kind: st.tuples(
                    st.just("value" if kind == "label" else kind),
                    shares if kind == "value" else names | hostile,
                )
            )
        )
        if result[0] in ("absent", "failed") and not result[1].strip():
            continue
        about: dict[str, Any] = {"scorer_name": name, result[0]: result[1]}
        if result[0] == "value":
            about |= {"rationale": draw(st.none() | texts), "metadata": draw(objects)}
            about |= {"source": draw(st.sampled_from([None, "human"]))}
        found.append(InlineScoreDraft(**about))
    return found


@dataclass
class World:
    """A project's datasets, experiments and traces, before they are stored."""

    items: list[ItemDraft]
    later: list[ItemDraft]
    """What the dataset becomes after the first experiment."""
    runs: list[list[tuple[int, int, dict[str, Any]]]]
    """Of each experiment: item, trial, and the rest of the run."""
    metadata: dict[str, Any] | None
    completed: bool
    spans: list[SpanDraft]
    annotations: list[dict[str, Any]]
    """Of the trace."""
    description: str | None = None
    extra_trials: int = 0
    names: list[str] = field(default_factory=lambda: ["first", "first"])
    of_runs: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """Annotations of the n-th run of each experiment that has so many."""


@st.composite
def items(draw: st.DrawFn) -> list[ItemDraft]:
    keys = draw(st.lists(st.none() | names, min_size=1, max_size=3))
    unique = [key for at, key in enumerate(keys) if key is None or key not in keys[:at]]
    return [
        ItemDraft(input=draw(outputs), expected_output=draw(json_values), metadata=draw(objects), key=key)
        for key in unique
    ]


@st.composite
def spans(draw: st.DrawFn) -> list[SpanDraft]:
    found = []
    for at in range(draw(st.integers(0, 3))):
        start = AT + timedelta(milliseconds=draw(st.integers(0, 10**6)))
        about = {
            "input": draw(json_values), "output": draw(json_values), "metadata": draw(flat),
            "model": draw(st.none() | texts), "tokens_input": draw(st.none() | st.integers(0, 9)),
            "end_time": draw(st.none() | st.just(start + timedelta(milliseconds=at))),
            "error": draw(st.none() | st.builds(SpanError, message=texts, type=st.none() | texts)),
            "scores": draw(scores()) or None, "parent_span_id": f"s{at - 1}" if at else None,
        }  # fmt: skip
        given = {name: value for name, value in about.items() if value is not None}
        found.append(SpanDraft(id=f"s{at}", trace_id="t", name=draw(names), start_time=start, **given))
    return found


@st.composite
def opinions(draw: st.DrawFn) -> dict[str, Any]:
    """What somebody says of a run, with scores."""
    drafts = [
        AnnotationScoreDraft(
            scorer_name=name, rationale=draw(st.none() | texts),
            **draw(st.fixed_dictionaries({"value": shares}) | st.fixed_dictionaries({"label": names})),
        )
        for name in draw(st.lists(names, max_size=2, unique=True))
    ]  # fmt: skip
    return {
        "annotator": draw(st.sampled_from(["ana", "bo"])), "label": draw(st.sampled_from(["correct", "odd"])),
        "correction": draw(json_values), "notes": draw(st.none() | texts), "scores": drafts,
    }  # fmt: skip


@st.composite
def worlds(draw: st.DrawFn) -> World:
    first, later = draw(items()), draw(items())
    runs = []
    for _ in range(2):
        places = st.tuples(st.integers(0, 2), st.integers(0, 1))
        rest = []
        for item, trial in draw(st.lists(places, unique=True, max_size=4)):
            failed = draw(st.booleans())
            about: dict[str, Any] = {"scores": draw(scores()) or None}
            if failed:
                about["error"] = RunError(message=draw(texts), type=draw(st.none() | texts.filter(bool)))
            else:
                about |= {"output": draw(outputs), "trace_id": draw(st.sampled_from([None, "t"]))}
            rest.append((item, trial, {name: value for name, value in about.items() if value is not None}))
        runs.append(rest)
    own_spans = draw(spans())
    said = [
        {
            "annotator": draw(names),
            "label": draw(names),
            "correction": draw(json_values),
            "notes": draw(st.none() | texts),
        }
        | ({"span_id": "s0"} if draw(st.booleans()) else {})
        for _ in range(draw(st.integers(0, 2)) if own_spans else 0)
    ]
    return World(
        first, later, runs, draw(objects), draw(st.booleans()), own_spans, said, draw(st.none() | names),
        draw(st.integers(0, 2)), of_runs=draw(st.lists(st.tuples(st.integers(0, 3), opinions()), max_size=3)),
    )  # fmt: skip


def store(backend: Backend, project: str, world: World) -> None:
    """Put it all there, with a score that a built-in scorer computes on every run."""
    dataset = backend.create_dataset(DatasetDraft(project_id=project, name="questions", description=world.description))
    trace_id = f"trace-{project}"
    if world.spans:
        backend.ingest([span.model_copy(update={"trace_id": trace_id}) for span in world.spans], project)
    for said in world.annotations:
        given = {name: value for name, value in said.items() if value is not None}
        backend.annotate(AnnotationDraft(project_id=project, trace_id=trace_id, **given))
    for name, runs, drafts in zip(world.names, world.runs, (world.items, world.later), strict=True):
        ids = backend.sync_items(dataset.id, drafts).item_ids
        experiment = backend.create_experiment(
            ExperimentDraft(
                project_id=project, name=name, dataset_id=dataset.id, trials=2 + world.extra_trials,
                **({} if world.metadata is None else {"metadata": world.metadata}),
            )
        )  # fmt: skip
        batch = []
        for item, trial, about in runs:
            computed = InlineScoreDraft(scorer_name="exact_match", config={"case_sensitive": False})
            kept = [score for score in about.get("scores") or () if score.scorer_name != "exact_match"]
            if item < len(ids):
                more = {**about, "scores": [*kept, computed]}
                more |= {"trace_id": trace_id} if "trace_id" in about else {}
                batch.append(RunDraft(dataset_item_id=ids[item], trial=trial, **more))
        if batch:
            backend.add_runs(experiment.id, batch)
        run_ids = [run.id for run in backend.runs(experiment.id)]
        for place, said in world.of_runs:
            if place < len(run_ids):
                annotate_run(backend, run_ids[place], said)
        if world.completed:
            backend.complete(experiment.id)


def annotate_run(backend: Backend, run_id: str, said: dict[str, Any]) -> None:
    given = {name: value for name, value in said.items() if value is not None}
    backend.annotate(AnnotationDraft(run_id=run_id, **given))


# --- what is there, without what cannot come back -----


def account(backend: Backend, project: str, *, whole: bool) -> dict[str, Any]:
    """Everything of a project. Tables have only the items that were run, so that datasets are then left out."""
    experiments = sorted(backend.experiments(project), key=lambda one: one.id)
    datasets = {one.id: one for one in backend.datasets(project)}
    told: dict[str, Any] = {
        "experiments": [
            {
                "name": one.name, "dataset": datasets[one.dataset_id].name, "trials": one.trials,
                "completed": one.status == "completed",
                "metadata": without(one.metadata, "gnomon_export", "imported"),
                "runs": sorted(runs_of(backend, one.id), key=repr),
            }
            for one in experiments
            if whole or one.run_count
        ],
        "traces": {row.id: trace_of(backend, row.id, project) for row in backend.traces(project)},
    }  # fmt: skip
    if whole:
        told["datasets"] = {one.name: one.description for one in datasets.values()}
    return told


def items_of(backend: Backend, project: str) -> Counter[tuple[str, str]]:
    """Key and content of the newest versions of all datasets."""
    return Counter(item_of(item) for one in backend.datasets(project) for item in backend.items(one.id))


def left_but_run(backend: Backend, project: str) -> Counter[str]:
    """What items of older versions that have runs say: after an import they are in the dataset still."""
    now = {item.id for one in backend.datasets(project) for item in backend.items(one.id)}
    found = {}
    for one in backend.experiments(project):
        old = {item.id: item for item in backend.items(one.dataset_id, one.dataset_version)}
        for run in backend.runs(one.id):
            if run.dataset_item_id not in now:
                found[run.dataset_item_id] = old[run.dataset_item_id]
    return Counter(item_of(item)[1] for item in found.values())


def runs_of(backend: Backend, experiment_id: str) -> Iterator[Any]:
    unscored: dict[str, list[Any]] = {}
    for state in backend.scoring_states(experiment_id=experiment_id):
        unscored.setdefault(state.target_id, []).append(state_of(state))
    annotations: dict[str | None, list[Any]] = {}
    for annotation in backend.annotations(experiment_id=experiment_id):
        annotations.setdefault(annotation.run_id, []).append(annotation_of(annotation))
    for run in backend.runs(experiment_id):
        told = run.model_dump(mode="json", include={"trial", "input", "expected_output", "output", "error", "trace_id"})
        yield told | {
            "scores": sorted(map(score_of, run.scores), key=repr),
            "unscored": sorted(unscored.get(run.id, []), key=repr),
            "annotations": annotations.get(run.id, []),
        }


def trace_of(backend: Backend, id: str, project: str) -> Any:
    found = exporting.trace_record(backend, backend.trace(id, project))
    return {
        "spans": [span.model_dump(mode="json") for span in found.trace.spans],
        "scores": sorted(((one.target_id, *score_of(one)) for one in found.scores), key=repr),
        "unscored": sorted(((one.target_id, *state_of(one)) for one in found.states), key=repr),
        "annotations": sorted(
            repr(one.model_dump(mode="json", exclude={"id", "created_at", "project_id"})) for one in found.annotations
        ),
    }


def annotation_of(annotation: Annotation) -> Any:
    told = annotation.model_dump(mode="json", include={"annotator", "label", "correction", "notes"})
    return told, [score.model_dump(exclude={"score_id"}) for score in annotation.scores]


def item_of(item: Any) -> tuple[str, str]:
    """An item without a key of its own gets its old id for one."""
    key = None if item.key is None or _ID.fullmatch(item.key) else item.key
    return repr(key), repr((item.input, item.expected_output, item.metadata))


def score_of(score: Score) -> Any:
    """What computed a score is in its metadata afterwards."""
    made = {"source": score.source, "scorer": score.scorer, "config": score.config, "config_hash": score.config_hash}
    told = (score.metadata or {}).get("gnomon_export") or {
        name: value for name, value in made.items() if value is not None
    }
    metadata = score.metadata if "gnomon_export" not in (score.metadata or {}) else without(
        score.metadata, "gnomon_export"
    )  # fmt: skip
    return score.scorer_name, score.value, score.rationale, score.author, told, metadata


def state_of(state: ScoringState) -> Any:
    return state.scorer_name, state.state, state.reason


def without(metadata: dict[str, Any] | None, *names: str) -> dict[str, Any] | None:
    return {name: value for name, value in (metadata or {}).items() if name not in names} or None


# --- the law -----

KINDS: list[ExportKind] = ["datasets", "traces", "experiments"]


def carried_over(source: Backend, project: str, target: Backend, other: str, folder: Path, format: FileFormat) -> None:
    """Export everything of one project and import it into another, twice."""
    for kind in KINDS:
        if kind == "datasets" and format != "jsonl":
            continue  # the experiments' tables make the dataset of the items that were run
        path = folder / f"{kind}.{format}"
        with path.open("wb") as file:
            exporting.write(source, Selection(kind, project_id=project), format, file)
        if path.stat().st_size > (100 if format == "jsonl" else 0) or kind == "datasets":
            first = imported(target, other, path)
            assert not first.not_understood
            again = imported(target, other, path)
            assert {tally.added for _, tally in again if hasattr(tally, "added")} == {0}


def imported(backend: Backend, project: str, path: Path) -> ImportReport:
    options = ImportOptions()
    return import_files(backend, project, prepare(path, options), options)


@pytest.fixture(scope="module")
def two_databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Embedded, Embedded]]:
    folder = tmp_path_factory.mktemp("round-trip")
    for name in ("one", "two"):
        open_store(f"sqlite:///{folder}/{name}.db").close()
    with Embedded(f"sqlite:///{folder}/one.db") as one, Embedded(f"sqlite:///{folder}/two.db") as two:
        yield one, two


@pytest.fixture(scope="module")
def sqlite_and_postgresql(
    tmp_path_factory: pytest.TempPathFactory, new_postgresql: Callable[[], str]
) -> Iterator[tuple[Embedded, Embedded]]:
    urls = f"sqlite:///{tmp_path_factory.mktemp('round-trip')}/one.db", new_postgresql()
    for url in urls:
        open_store(url).close()
    with Embedded(urls[0]) as lite, Embedded(urls[1]) as postgresql:
        yield lite, postgresql


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(world=worlds())
def test_a_round_trip_loses_nothing(
    two_databases: tuple[Embedded, Embedded], tmp_path: Path, format: FileFormat, world: World
) -> None:
    source, target = two_databases
    project, other = fresh_project(), fresh_project()
    store(source, project, world)
    carried_over(source, project, target, other, tmp_path, format)
    whole = format == "jsonl"
    assert account(target, other, whole=whole) == account(source, project, whole=whole)
    if whole:
        there, here = items_of(target, other), items_of(source, project)
        assert not here - there
        assert Counter(content for _, content in (there - here).elements()) == left_but_run(source, project)


A_WORLD = World(
    items=[
        ItemDraft(input="=1+1", expected_output="2", metadata={"topic": "sums"}, key="sum"),
        ItemDraft(input={"q": ["ü", None]}, expected_output=None, key=None),
    ],
    later=[ItemDraft(input="=1+2", expected_output="3", key="sum"), ItemDraft(input=0, key="zero")],
    runs=[
        [
            (0, 0, {"output": "2", "trace_id": "t", "scores": [InlineScoreDraft(scorer_name="tone", value="@calm")]}),
            (0, 1, {"error": RunError(message="too slow\n", type="TimeoutError")}),
            (1, 0, {"output": [1, {"a": -0.5}], "scores": [InlineScoreDraft(scorer_name="helpful", absent="none")]}),
        ],
        [
            (0, 1, {"output": "3", "scores": [
                InlineScoreDraft(scorer_name="helpful", value=0.25, rationale="-", source="human", metadata={"n": 1}),
                InlineScoreDraft(scorer_name="tone", failed="the judge said nothing"),
            ]}),
        ],
    ],
    metadata={"temperature": 0.7, "stop": None},
    completed=True,
    spans=[
        SpanDraft(
            id="root", trace_id="t", name="answer", start_time=AT, end_time=AT + timedelta(milliseconds=7),
            input={"question": "'quoted'"}, output="\tindented", model="m", tokens_input=3, metadata={"k": True},
            scores=[InlineScoreDraft(scorer_name="helpful", value=1.0), InlineScoreDraft(scorer_name="x", failed="?")],
        ),
        SpanDraft(
            id="step", trace_id="t", parent_span_id="root", name="step", start_time=AT,
            error=SpanError(message="bad", type="ValueError", stack="line 1\nline 2"),
        ),
    ],
    annotations=[
        {"annotator": "a new user", "label": "wrong", "correction": {"answer": 3}, "notes": None},
        {"annotator": "a new user", "label": None, "correction": None, "notes": "=see", "span_id": "step"},
    ],
    description="Sums",
    extra_trials=1,
    of_runs=[
        (0, {"annotator": "ana", "label": "correct", "correction": None, "notes": "=1+1"}),
        (0, {"annotator": "bo", "label": "harmful", "correction": {"answer": 3}, "notes": None}),
        (0, {"annotator": "ana", "label": "incomplete", "correction": None, "notes": None, "scores": [
            AnnotationScoreDraft(scorer_name="tone", value=0.5, rationale="calm enough"),
        ]}),
    ],
)  # fmt: skip


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_a_round_trip_over_http_loses_nothing(
    server: Server, two_databases: tuple[Embedded, Embedded], tmp_path: Path, format: FileFormat
) -> None:
    """From a server into a database of this machine, and from there back into another project of the server."""
    here, _ = two_databases
    whole = format == "jsonl"
    first, second, third = fresh_project(), fresh_project(), fresh_project()
    with Client(server.url, server.admin_key) as there:
        store(there, first, A_WORLD)
        carried_over(there, first, here, second, tmp_path, format)
        carried_over(here, second, there, third, tmp_path, format)
        began = account(there, first, whole=whole)
        assert account(here, second, whole=whole) == began
        assert account(there, third, whole=whole) == began


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(world=worlds(), format=st.sampled_from(["jsonl", "csv", "parquet"]))
def test_a_round_trip_between_both_kinds_of_database_loses_nothing(
    sqlite_and_postgresql: tuple[Embedded, Embedded], tmp_path: Path, format: FileFormat, world: World
) -> None:
    """Annotations of runs among it: each is there once, and its scores name their author."""
    lite, postgresql = sqlite_and_postgresql
    whole = format == "jsonl"
    first, second, third = fresh_project(), fresh_project(), fresh_project()
    store(lite, first, world)
    began = account(lite, first, whole=whole)
    carried_over(lite, first, postgresql, second, tmp_path, format)
    assert account(postgresql, second, whole=whole) == began
    carried_over(postgresql, second, lite, third, tmp_path, format)
    assert account(lite, third, whole=whole) == began


def test_an_annotation_that_came_later_is_added_to_a_completed_import(
    two_databases: tuple[Embedded, Embedded], tmp_path: Path
) -> None:
    source, target = two_databases
    project, other = fresh_project(), fresh_project()
    store(source, project, A_WORLD)
    path = tmp_path / "experiments.jsonl"
    with path.open("wb") as file:
        exporting.write(source, Selection("experiments", project_id=project), "jsonl", file)
    before = imported(target, other, path).annotations
    (experiment, *_) = target.experiments(other)
    gone = next(target.annotations(experiment_id=experiment.id))
    target.undo_annotation(gone.id)
    again = imported(target, other, path).annotations
    assert (before.added, before.there_already) == (6, 0)
    assert (again.added, again.there_already) == (1, 5)


# --- what came in by OpenTelemetry -----

ATTRIBUTES = {
    "text": "Grüße", "empty": "", "whole": 2**62, "share": 1.0, "no": False, "zero": 0, "nothing": None,
    "bytes": b"\x00\xff", "list": [1, "a", [True]], "map": {"a": {"b": -0.5}}, "no list": [], "no map": {},
    "odd": "=1+1", "openinference.project.name": "another project",
}  # fmt: skip


def opentelemetry_trace(project: str) -> tuple[str, bytes, bytes]:
    """A trace with everything that OTLP can say, and log records of it: its id, and the two requests."""
    id = sha256(project.encode()).hexdigest()[:32]
    link = Span.Link(
        trace_id=b"l" * 16, span_id=b"k" * 8, trace_state="a=b", flags=1, attributes=otlp.pairs(ATTRIBUTES),
        dropped_attributes_count=1,
    )  # fmt: skip
    events = [
        otlp.event("seen", ATTRIBUTES, otlp.START + 7),
        otlp.event(otlp.SCORE, otlp.evaluation("tone", 0.25, **{"gen_ai.evaluation.explanation": "rude"})),
        otlp.event(otlp.SCORE, otlp.evaluation("style", **{"gnomon.absent": "too short"})),
    ]
    root = otlp.span(
        1, trace=id, name="=answer", kind=Span.SPAN_KIND_SERVER, attributes=ATTRIBUTES, events=events, links=[link],
        trace_state="vendor=1", flags=257, dropped_attributes_count=2, dropped_events_count=3, dropped_links_count=4,
        status=Status(code=Status.STATUS_CODE_ERROR, message="no answer"),
    )  # fmt: skip
    call = otlp.span(
        2, trace=id, parent=1, name="chat", kind=Span.SPAN_KIND_CLIENT, status=Status(code=Status.STATUS_CODE_OK),
        attributes={"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o", "session.id": "s-1"},
    )  # fmt: skip
    bare = otlp.span(3, trace=id, parent=9, end=0)
    request = otlp.traces(root, call, bare, resource={"service.name": "shop", **ATTRIBUTES})
    scope = request.resource_spans[0].scope_spans[0].scope
    scope.version, scope.dropped_attributes_count = "1.2", 1
    scope.attributes.extend(otlp.pairs(ATTRIBUTES))
    records = [
        otlp.log("gen_ai.user.message", body={"content": "Capital of France?"}, of=2, trace=id),
        otlp.log(
            "gen_ai.choice", body={"index": 0, "message": {"content": "Paris"}}, of=2, trace=id, time=otlp.START + 9
        ),
        otlp.log(otlp.SCORE, otlp.evaluation("tone", 0.75), of=1, trace=id),
    ]
    return id, request.SerializeToString(), otlp.logs(*records).SerializeToString()


def store_opentelemetry(backend: Backend, project: str) -> str:
    """A trace that came by OpenTelemetry, but for one span, with scores that came with it or later."""
    id, spans, records = opentelemetry_trace(project)
    backend.send_traces(spans, project)
    backend.send_logs(records, project)
    backend.ingest(
        [SpanDraft(id="native", trace_id=id, parent_span_id=otlp.span_id(1), name="n", start_time=AT)], project
    )
    more = [
        ScoreDraft(
            target_id=otlp.span_id(1), target_type="span", trace_id=id, scorer_name="tone", value=0.25, source="human"
        ),
        ScoreDraft(target_id=otlp.span_id(2), target_type="span", trace_id=id, scorer_name="tone", value="calm"),
        ScoreDraft(target_id="native", target_type="span", trace_id=id, scorer_name="helpful", value=1.0),
    ]
    backend.add_scores(more)
    backend.annotate(AnnotationDraft(project_id=project, trace_id=id, annotator="a new user", notes="good"))
    return id


def told_by_opentelemetry(backend: Backend, id: str, project: str) -> None:
    """The trace says what the world above says, so that two of them are not equal for being empty."""
    root, call, *_ = sorted(backend.trace(id, project).spans, key=lambda span: span.id)
    assert (root.kind, root.start_time_unix_nano, root.trace_state) == (
        "server", str(otlp.START + otlp.SECOND), "vendor=1",
    )  # fmt: skip
    assert root.attributes == {**ATTRIBUTES, "bytes": {"bytes": "AP8="}}
    assert {name: type(value) for name, value in (root.attributes or {}).items()}["share"] is float
    assert (root.events or [])[0].attributes == (root.links or [])[0].attributes == root.attributes
    assert root.scope is not None
    assert root.scope.attributes == root.attributes
    assert (call.input, call.output) == ([{"role": "user", "content": "Capital of France?"}], "Paris")


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_a_round_trip_keeps_all_that_opentelemetry_says(
    server: Server, two_databases: tuple[Embedded, Embedded], tmp_path: Path, format: FileFormat
) -> None:
    """Between databases of this machine, and through a server and back."""
    here, elsewhere = two_databases
    first, second, third, fourth = (fresh_project() for _ in range(4))
    with Client(server.url, server.admin_key) as there:
        id = store_opentelemetry(here, first)
        told_by_opentelemetry(here, id, first)
        for source, project, target, other in (
            (here, first, elsewhere, second), (elsewhere, second, there, third), (there, third, here, fourth),
        ):  # fmt: skip
            path = tmp_path / f"{other}.{format}"
            with path.open("wb") as file:
                exporting.write(source, Selection("traces", project_id=project), format, file)
            report = imported(target, other, path)
            assert not report.not_understood
            assert (report.traces.added, report.spans.added, report.annotations.added) == (1, 4, 1)
            assert (report.scores.added, report.absent_scores.added) == (5, 1)
            again = imported(target, other, path)
            assert {tally.added for _, tally in again if hasattr(tally, "added")} == {0}
            assert (again.scores.there_already, again.absent_scores.there_already) == (5, 1)
            assert trace_of(target, id, other) == trace_of(here, id, first)


def test_a_round_trip_through_otlp_json_keeps_all_that_opentelemetry_says(
    two_databases: tuple[Embedded, Embedded], tmp_path: Path
) -> None:
    """Scores are events of their spans there."""
    source, target = two_databases
    project, other = fresh_project(), fresh_project()
    id, spans, _ = opentelemetry_trace(project)
    source.send_traces(spans, project)
    path = tmp_path / "traces.json"
    with path.open("wb") as file:
        write_json(source, Selection("traces", project_id=project), file)
    assert imported(target, other, path).spans.added == 3
    assert imported(target, other, path).spans.added == 0
    assert trace_of(target, id, other) == trace_of(source, id, project)
