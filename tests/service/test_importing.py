"""Other tools' results are stored once, embedded and over HTTP, and their means are what the tool itself reports."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.caller import fresh_project
from gnomon.client import Client
from gnomon.errors import InvalidInput, StoreTrouble
from gnomon.interop.foreign.bundle import (
    Bundle,
    ForeignDataset,
    ForeignExperiment,
    ForeignItem,
    ForeignRun,
    ForeignScore,
    SpanScore,
)
from gnomon.interop.foreign.formats import read_any
from gnomon.model.backend import Backend, find_experiment
from gnomon.model.importing import ImportReport, Tally
from gnomon.model.trace import SpanDraft
from gnomon.service.embedded import Embedded
from gnomon.service.exchange.importing import NO_OUTPUT, Importer, Origin
from gnomon.service.exchange.importing_files import ImportOptions, import_files, parse_range, prepare
from gnomon.service.upkeep.maintenance import make_ready

FILES = Path(__file__).parents[1] / "golden" / "foreign"
NOTHING = Tally()


@pytest.fixture(params=["embedded", "http"])
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    if request.param == "http":
        server = request.getfixturevalue("server_on")("sqlite")
        client = Client(server.url, server.admin_key)
        yield client
        client.close()
        return
    yield request.getfixturevalue("embedded")


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Backend]:
    address = f"sqlite:///{tmp_path / 'gnomon.db'}"
    make_ready(address)
    backend = Embedded(address)
    yield backend
    backend.close()


@pytest.fixture
def project() -> str:
    return fresh_project()


def imported(
    backend: Backend, project: str, name: str | Path, *, dry_run: bool = False, **options: Any
) -> ImportReport:
    chosen = ImportOptions(**options)
    return import_files(backend, project, prepare(FILES / name, chosen), chosen, dry_run=dry_run)


def mean(backend: Backend, project: str, experiment: str, scorer: str, missing: Any = "drop") -> float | None:
    summary = backend.summary(find_experiment(backend, experiment, project).id, missing)
    return summary.scores_by_scorer[scorer].mean


def own_figure(name: str, *path: Any) -> Any:
    """What the tool wrote into its own file as a result over all runs."""
    text = (FILES / name).read_text(encoding="utf-8")
    found = json.loads(text.splitlines()[-1] if name.endswith(".jsonl") else text)
    for key in path:
        found = found[key]
    return found


def inspect_figure(metric: str) -> float:
    (experiment,) = read_any(FILES / "inspect/capitals.eval").experiments
    return float((experiment.metadata or {})["reported"][metric])


def mean_of(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


REPORTED = [
    ("inspect/capitals.eval", "capitals@mockllm/model", "match", inspect_figure("match.accuracy"), "drop"),
    ("inspect/capitals.eval", "capitals@mockllm/model", "parts.brief", inspect_figure("brief.mean"), "drop"),
    # promptfoo adds up scores over all 6 results, with 0 for those that ended in an error
    ("promptfoo/capitals.json", "capitals@lookup", "score",
     own_figure("promptfoo/capitals.json", "results", "prompts", 0, "metrics", "score") / 6, "zero"),
    ("deepeval/capitals.json", "capitals", "Exact",
     mean_of(own_figure("deepeval/capitals.json", "metricsScores", 0, "scores")), "drop"),
    ("deepeval/capitals.json", "capitals", "Share",
     mean_of(own_figure("deepeval/capitals.json", "metricsScores", 1, "scores")), "drop"),
    # not in the file: what report.averages() gave when it was made
    ("pydantic-evals/capitals.json", "capitals-v1", "share", 0.5, "drop"),
    ("openai-evals/capitals.jsonl", "capitals.dev.v0@dummy", "match",
     own_figure("openai-evals/capitals.jsonl", "final_report", "accuracy"), "drop"),
    # terminal-bench counts a trial without a result as not resolved
    ("terminal-bench/run1", "tiny@0.1@terminus@openai/small", "resolved",
     own_figure("terminal-bench/run1/results.json", "accuracy"), "zero"),
    # SWE-bench counts; of those that were submitted, also those that it could not evaluate
    ("swe-bench/tiny__agent.first.json", "tiny__agent.first", "resolved",
     own_figure("swe-bench/tiny__agent.first.json", "resolved_instances")
     / own_figure("swe-bench/tiny__agent.first.json", "submitted_instances"), "zero"),
]  # fmt: skip
"""Figures that the tools themselves computed."""

COUNTED = [
    # promptfoo itself would weigh these by their assertions: 2 of 6, see the guide
    ("promptfoo/capitals.json", "capitals@lookup", "names_it", 0.5, "drop"),
    ("pydantic-evals/repeated.json", "capitals-v1", "share", 0.5, "drop"),
    ("tau-bench/made-from-schema.json", "made-from-schema", "reward", 0.5, "drop"),
    ("tau2/made-from-schema.json", "tau2@orders@small-model", "reward", 1 / 3, "drop"),
    ("swe-bench/first/tiny__agent", "first@tiny__agent", "fail_to_pass", 0.75, "drop"),
    ("langsmith/capitals.csv", "capitals", "correct", 1 / 3, "drop"),
    ("braintrust/made-from-schema.csv", "made-from-schema", "brief", 0.5, "drop"),
    ("table/wide.csv", "wide", "score", 1 / 3, "drop"),
]
"""Means of the scores in files that say nothing over all runs, worked out by hand."""


@pytest.mark.parametrize(("name", "experiment", "scorer", "value", "missing"), [*REPORTED, *COUNTED])
def test_the_mean_is_what_the_tool_reports_or_its_scores_come_to(
    backend: Backend, project: str, name: str, experiment: str, scorer: str, value: float, missing: str
) -> None:
    imported(backend, project, name)
    found = backend.summary(find_experiment(backend, experiment, project).id, missing)  # type: ignore[arg-type]
    runs = list(backend.runs(find_experiment(backend, experiment, project).id))
    own = [score.value for run in runs for score in run.scores if score.scorer_name == scorer]
    numbers = [one for one in own if isinstance(one, float)]
    divisor = len(runs) if missing == "zero" else len(numbers)
    assert sum(numbers) / divisor == pytest.approx(value)
    assert found.scores_by_scorer[scorer].n_scored == len(numbers)
    if len({run.dataset_item_id for run in runs}) * found.trials == len(runs):
        assert found.scores_by_scorer[scorer].mean == pytest.approx(value)


@pytest.mark.parametrize("name", sorted({row[0] for row in [*REPORTED, *COUNTED]}))
def test_a_dry_run_tells_what_an_import_does_and_a_second_import_adds_nothing(
    backend: Backend, project: str, name: str
) -> None:
    planned = imported(backend, project, name, dry_run=True)
    assert list(backend.datasets(project)) == []
    first = imported(backend, project, name)
    kinds = ("datasets", "items", "experiments", "runs", "scores", "absent_scores", "traces", "spans")
    assert {kind: getattr(planned, kind) for kind in kinds} == {kind: getattr(first, kind) for kind in kinds}
    assert first.runs.added > 0
    assert {file.status for file in first.files} == {"imported"}
    second = imported(backend, project, name)
    assert {kind: getattr(second, kind).added for kind in kinds} == dict.fromkeys(kinds, 0)
    assert {kind: getattr(second, kind).there_already for kind in kinds} == {
        kind: getattr(first, kind).added for kind in kinds
    }
    assert {file.status for file in second.files} == {"there already"}


def test_what_belongs_to_a_run_comes_along(backend: Backend, project: str) -> None:
    imported(backend, project, "inspect/capitals.eval")
    experiment = find_experiment(backend, "capitals@mockllm/model", project)
    assert experiment.status == "completed"
    about = (experiment.metadata or {})["imported"]
    assert (about["tool"], about["file"]) == ("inspect", "capitals.eval")
    runs = {(run.input, run.trial): run for run in backend.runs(experiment.id)}
    assert len(runs) == 6
    france = runs["Capital of France?", 0]
    assert (france.output, france.expected_output) == ("Paris", "Paris")
    match = next(score for score in france.scores if score.scorer_name == "match")
    assert (match.value, match.metadata) == (1.0, {"answer": "Paris", "raw": "C"})
    trace = backend.trace(france.trace_id or "", project)
    assert trace.spans[0].output == "Paris"
    failed = runs["Capital of Italy?", 1]
    assert failed.error is not None
    assert "no capital of that country" in failed.error.message
    states = {state.reason for state in backend.scoring_states(experiment_id=experiment.id, scorer_name="length")}
    assert "5 is on a scale that the file does not say; `gnomon import --range length=WORST..BEST` says it" in states


def test_a_range_that_is_given_makes_numbers_of_raw_values(backend: Backend, project: str) -> None:
    ranges = dict([parse_range("length=0..10")])
    imported(backend, project, "inspect/capitals.eval", ranges=ranges)
    experiment = find_experiment(backend, "capitals@mockllm/model", project)
    scores = [score for run in backend.runs(experiment.id) for score in run.scores if score.scorer_name == "length"]
    assert sorted(score.value for score in scores) == [0.4, 0.5, 0.5, 0.6]  # type: ignore[type-var]
    assert scores[0].metadata is not None
    assert {"low", "high", "direction", "raw"} <= scores[0].metadata.keys()
    lower = ImportOptions(ranges=dict([parse_range("length=10..0")]))
    import_files(backend, project, prepare(FILES / "inspect/capitals.eval", lower), lower)
    assert mean(backend, project, "capitals@mockllm/model", "length") == pytest.approx(0.5)


def test_experiments_of_one_dataset_share_its_items(backend: Backend, project: str) -> None:
    report = imported(backend, project, "table/capitals.csv")
    assert (report.experiments.added, report.datasets.added, report.items.added) == (2, 1, 2)
    small, large = (find_experiment(backend, f"capitals@{name}", project) for name in ("small", "large"))
    compared = backend.compare(small.id, large.id)
    assert [one.scorer_name for one in compared.scorer_comparisons] == ["acc"]


class CutShort:
    """A backend that fails after some batches of runs."""

    def __init__(self, backend: Backend, batches: int) -> None:
        self._backend, self._left = backend, batches

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def add_runs(self, *arguments: Any, **options: Any) -> Any:
        if self._left == 0:
            raise StoreTrouble("the power went")
        self._left -= 1
        return self._backend.add_runs(*arguments, **options)


def test_an_import_that_was_cut_goes_on_where_it_stopped(
    backend: Backend, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gnomon.service.exchange.importing._RUNS_AT_ONCE", 2)
    name = "inspect/capitals.eval"
    with pytest.raises(StoreTrouble):
        imported(CutShort(backend, 1), project, name)  # type: ignore[arg-type]
    (half,) = backend.experiments(project)
    assert (half.status, half.run_count) == ("running", 2)
    report = imported(backend, project, name)
    assert report.runs == Tally(added=4, there_already=2)
    (whole,) = backend.experiments(project)
    assert (whole.id, whole.status, whole.run_count) == (half.id, "completed", 6)
    assert len(list(backend.traces(project))) == 6


def stored(backend: Backend, project: str, bundle: Bundle, hash: str = "1") -> Importer:
    importer = Importer(backend, project)
    importer.store(bundle, Origin("file.json", hash))
    return importer


def one_run(key: str, **fields: Any) -> ForeignExperiment:
    return ForeignExperiment("e", "d", [ForeignRun(key, fields.pop("input", "question"), **fields)])


def test_an_item_that_changed_does_not_disturb_what_was_imported_before(backend: Backend, project: str) -> None:
    first, second = (Bundle("t", experiments=[one_run("a", input=input, output="x")]) for input in ("one", "two"))
    stored(backend, project, first)
    stored(backend, project, second, "2")
    again = stored(backend, project, first)
    assert again.counts.added.total() == 0
    assert len(list(backend.experiments(project))) == 2


def test_items_that_are_in_the_dataset_already_stay(backend: Backend, project: str) -> None:
    for number, key in enumerate("abc"):
        stored(backend, project, Bundle("t", experiments=[one_run(key, input=key, output="x")]), str(number))
    (dataset,) = backend.datasets(project)
    assert sorted(item.key or "" for item in backend.items(dataset.id)) == ["a", "b", "c"]


def test_runs_without_an_output_say_so_and_failed_ones_keep_their_error(backend: Backend, project: str) -> None:
    runs = [
        ForeignRun("a", "q"),
        ForeignRun("b", "q", output="half", error="it broke"),
        ForeignRun("b", "q", output="taken", trial=1),
        ForeignRun("c" * 400, None, output="x\0y"),
    ]
    importer = stored(backend, project, Bundle("t", experiments=[ForeignExperiment("e", "d", runs)]))
    found = list(backend.runs(find_experiment(backend, "e", project).id))
    outputs = sorted(json.dumps(run.output) for run in found)
    assert outputs == sorted(map(json.dumps, [NO_OUTPUT, None, "taken", "x\ufffdy"]))
    assert importer.counts.not_understood == {"output of a run that failed": 1}


def test_trials_that_are_seeds_are_numbered_anew(backend: Backend, project: str) -> None:
    runs = [
        ForeignRun(key, key, output=str(seed), trial=seed) for key in "ab" for seed in (1_700_000_002, 1_700_000_001)
    ]
    stored(backend, project, Bundle("t", experiments=[ForeignExperiment("e", "d", runs)]))
    experiment = find_experiment(backend, "e", project)
    assert experiment.trials == 2
    found = {(run.input, run.trial): run.output for run in backend.runs(experiment.id)}
    assert found["a", 0] == found["b", 0] == "1700000001"


def test_scores_of_spans_come_with_their_spans_and_later_ones_once(backend: Backend, project: str) -> None:
    def span(id: str) -> SpanDraft:
        return SpanDraft(id=id, trace_id="t1", name="work", start_time="2026-02-01T10:00:00Z")  # type: ignore[arg-type]

    root = span("s1")
    child = span("s2").model_copy(update={"parent_span_id": "s1"})
    good, late = ForeignScore("good", 1.0), ForeignScore("late", "fine", source="human")
    first = Bundle("t", traces=[[root, child]], span_scores=[SpanScore("t1", "s2", good)])
    assert stored(backend, project, first).counts.added == {"spans": 2, "traces": 1, "scores": 1}
    second = Bundle("t", span_scores=[SpanScore("t1", "s1", late), SpanScore("t1", "nowhere", late)])
    again = stored(backend, project, second)
    assert again.counts.added == {"scores": 1}
    assert again.counts.not_understood == {"score of a span that is not there": 1}
    both = Bundle("t", traces=[[root, child]], span_scores=[*first.span_scores, *second.span_scores[:1]])
    assert stored(backend, project, both).counts.added.total() == 0
    scores = [score for score in backend.scores("s1", "span", trace_id="t1") if score.project_id == project]
    assert {score.scorer_name: score.source for score in scores} == {"late": "human"}


def test_datasets_alone_are_imported_once(backend: Backend, project: str) -> None:
    bundle = Bundle("t", datasets=[ForeignDataset("d", [ForeignItem("a", "q", "r"), ForeignItem(None, "q2")])])
    assert stored(backend, project, bundle).counts.added == {"datasets": 1, "items": 2}
    assert stored(backend, project, bundle).counts.added.total() == 0


foreign_runs = st.lists(
    st.builds(
        ForeignRun,
        item_key=st.sampled_from(["a", "b", "c"]),
        input=st.sampled_from(["a", None, {"q": 1}]),
        output=st.sampled_from(["x", None, "", [1]]),
        trial=st.integers(0, 5) | st.just(10**12),
        error=st.none() | st.just("it broke"),
        scores=st.lists(
            st.sampled_from([ForeignScore("s", 0.5), ForeignScore("t", "good"), ForeignScore("u", absent="no reason")]),
            max_size=3,
        ),
    ),
    max_size=8,
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(foreign_runs, st.integers(0, 4))
def test_whatever_was_cut_where_an_import_repeated_is_the_import_once(
    embedded: Backend, runs: list[ForeignRun], batches: int
) -> None:
    project, bundle = fresh_project(), Bundle("t", experiments=[ForeignExperiment("e", "d", runs)])
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(StoreTrouble):
        patch.setattr("gnomon.service.exchange.importing._RUNS_AT_ONCE", 2)
        stored(CutShort(embedded, batches), project, bundle)  # type: ignore[arg-type]
    stored(embedded, project, bundle)
    (experiment,) = embedded.experiments(project)
    assert (experiment.run_count, experiment.status) == (len(runs), "completed")
    assert stored(embedded, project, bundle).counts.added.total() == 0
    found = sorted(score.scorer_name for run in embedded.runs(experiment.id) for score in run.scores)
    assert found == sorted(score.name for run in runs for score in run.scores if score.value is not None)


@pytest.mark.parametrize("text", ["rating", "rating=1", "rating=a..b", "rating=5..5", "=1..5"])
def test_a_range_that_is_wrong_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="--range"):
        parse_range(text)
