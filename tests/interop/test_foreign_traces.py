"""Traces as other tools export them, read from files of theirs: the same conversation shows the same."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from agentlogs.sessions import bash, came_back, codex, said, shell, shell_output, tokens, write
from gnomon.interop.foreign import braintrustspans, codingagents, langfuse, langsmithruns, mlflow, otlpjson, phoenix
from gnomon.interop.foreign.bundle import Bundle, ForeignScore
from gnomon.interop.foreign.formats import READERS, format_of, read_any
from gnomon.interop.foreign.scores import score_of
from gnomon.interop.otlp.decoding import decode_traces
from gnomon.model.moment import from_ms
from gnomon.model.trace import SpanDraft
from gnomon.service.traces.otlp import metadata_of, prepare_traces

GOLDEN = Path(__file__).parents[1] / "golden" / "foreign_traces"
QUESTION = "What is the capital of France?"
ASKED = [{"role": "system", "content": "Answer in one word."}, {"role": "user", "content": QUESTION}]
CALLED = {
    "role": "assistant",
    "tool_calls": [{"id": "call_1", "name": "lookup", "arguments": {"country": "France"}}],
}
TRACES = {
    "phoenix/folder": phoenix,
    "phoenix/spans.csv": phoenix,
    "phoenix/spans.parquet": phoenix,
    "phoenix/rest_spans.json": phoenix,
    "phoenix/rest_otlp.json": phoenix,
    "mlflow/traces.jsonl": mlflow,
    "mlflow/search.jsonl": mlflow,
    "mlflow/search.csv": mlflow,
    "langfuse/trace.json": langfuse,
    "langfuse/blob": langfuse,
    "langfuse/enriched": langfuse,
    "langsmith/runs.jsonl": langsmithruns,
    "braintrust/logs.jsonl": braintrustspans,
    "otlp/traces.jsonl": otlpjson,
}
"""Files that hold the conversation about France, with the module that reads them."""


def spans(bundle: Bundle) -> Iterator[SpanDraft]:
    for trace in traces(bundle):
        yield from trace


def traces(bundle: Bundle) -> Iterator[Sequence[SpanDraft]]:
    """Each trace's spans; those of OpenTelemetry as they will be shown."""
    yield from bundle.traces
    arriving: dict[str, list[SpanDraft]] = {}
    for request in bundle.otlp:
        for span, seen, error, _ in prepare_traces(decode_traces(request, "protobuf")).spans:
            arriving.setdefault(span.trace_id, []).append(
                SpanDraft(
                    id=span.span_id, trace_id=span.trace_id, parent_span_id=span.parent_id, name=span.name,
                    input=seen.input, output=seen.output, model=seen.model, tokens_input=seen.tokens.input,
                    tokens_output=seen.tokens.output, metadata=metadata_of(seen), error=error,
                    start_time=from_ms(span.start_ns // 1_000_000),
                )
            )  # fmt: skip
    yield from (
        sorted(spans, key=lambda span: (span.start_time, span.parent_span_id is not None))
        for spans in arriving.values()
    )


def named(bundle: Bundle, name: str) -> SpanDraft:
    return next(span for span in spans(bundle) if span.name == name)


def about(span: SpanDraft) -> dict[str, Any]:
    return span.metadata or {}


def scores(bundle: Bundle) -> dict[str, ForeignScore]:
    return {one.score.name: one.score for one in bundle.span_scores}


def the_conversation(bundle: Bundle) -> list[SpanDraft]:
    return next(list(trace) for trace in traces(bundle) if len(trace) > 1)


def model_calls(trace: list[SpanDraft]) -> list[SpanDraft]:
    return [span for span in trace if span.model is not None]


@pytest.mark.parametrize("file", TRACES)
def test_a_file_is_known_as_its_tools_and_read_by_the_same_reader(file: str) -> None:
    path = GOLDEN / file
    name = format_of(path)
    assert name is not None
    assert READERS[name].read is TRACES[file].read


@pytest.mark.parametrize("file", TRACES)
def test_every_tool_shows_the_same_question_answer_and_tool(file: str) -> None:
    trace = the_conversation(read_any(GOLDEN / file))
    assert len([span for span in trace if span.parent_span_id is None]) == 1
    ids = {span.id for span in trace}
    assert {span.parent_span_id for span in trace} <= {None, *ids}
    root = next(span for span in trace if span.parent_span_id is None)
    assert QUESTION in str(root.input)
    assert root.output == "Paris"
    tool = next(span for span in trace if span.name in ("lookup", "execute_tool lookup"))
    assert (tool.input, tool.output) == ({"country": "France"}, {"capital": "Paris"})
    assert about(tool)["gen_ai.tool.name"] == "lookup"


@pytest.mark.parametrize("file", TRACES)
def test_every_tool_shows_the_same_model_call(file: str) -> None:
    first, *more = model_calls(the_conversation(read_any(GOLDEN / file)))
    assert first.input == ASKED
    assert first.output == ("Paris" if file.startswith("mlflow") else CALLED)
    assert (first.model, first.tokens_input, first.tokens_output) == ("gpt-4o-mini", 25, 7)
    for second in more:
        assert (second.input, second.output) == ([{"role": "user", "content": QUESTION}], "Paris")
        assert (second.tokens_input, second.tokens_output) == (40, 1)


@pytest.mark.parametrize("file", TRACES)
def test_tokens_add_up_to_those_of_the_model_calls(file: str) -> None:
    trace = the_conversation(read_any(GOLDEN / file))
    total = sum((span.tokens_input or 0) + (span.tokens_output or 0) for span in trace)
    assert total == (32 if file.startswith(("mlflow", "braintrust")) else 73)


@pytest.mark.parametrize("file", TRACES)
def test_a_file_that_is_read_twice_says_the_same_twice(file: str) -> None:
    assert read_any(GOLDEN / file) == read_any(GOLDEN / file)


@pytest.mark.parametrize("file", [file for file in TRACES if not file.startswith("langfuse")])
def test_what_failed_says_what_was_thrown(file: str) -> None:
    bundle = read_any(GOLDEN / file)
    (failed,) = [span for span in spans(bundle) if span.error is not None]
    assert failed.error is not None
    assert failed.error.message.removeprefix("ValueError: ") == "no such country"
    assert failed.error.type == "ValueError"


@pytest.mark.parametrize("file", [file for file in TRACES if not file.startswith("otlp")])
def test_users_sessions_and_tags_are_on_the_root(file: str) -> None:
    trace = the_conversation(read_any(GOLDEN / file))
    root = next(span for span in trace if span.parent_span_id is None)
    assert (about(root)["user.id"], about(root)["session.id"]) == ("u-1", "s-1")
    if not file.startswith("mlflow"):
        assert about(root)["tags"] == '["demo","geo"]'
    assert about(root)["import.source"] == file.split("/")[0]


# --- Phoenix -----


def test_annotations_of_phoenix_find_their_spans() -> None:
    found = scores(phoenix.read(GOLDEN / "phoenix" / "folder"))
    correct, toxicity, stars, topic = (found[name] for name in ("correct", "toxicity", "stars", "topic"))
    assert (correct.value, correct.source, correct.rationale) == (1.0, "human", "It is Paris.")
    assert (correct.metadata or {})["label"] == "yes"
    assert (toxicity.value, toxicity.source) == (0.0, None)
    assert (stars.value, stars.raw) == (None, 4.0)
    assert "--range stars=WORST..BEST" in str(stars.absent)
    assert topic.value == "geography"


@pytest.mark.parametrize("file", ["annotations.csv", "rest_annotations.json"])
def test_annotations_without_their_spans_are_counted(file: str) -> None:
    bundle = phoenix.read(GOLDEN / "phoenix" / file)
    assert bundle.not_understood == {"score of a span that is not in the file; import them together": 4}


@pytest.mark.parametrize("file", ["experiment.json", "experiment.csv"])
def test_an_experiment_of_phoenix_has_its_runs_trials_and_scores(file: str) -> None:
    (experiment,) = phoenix.read(GOLDEN / "phoenix" / file).experiments
    assert experiment.name == "experiment"
    assert [run.trial for run in experiment.runs] == [1, 2, 1, 2]
    assert len({run.item_key for run in experiment.runs}) == 2
    spain = experiment.runs[2]
    assert (spain.input, spain.output, spain.expected_output) == (
        {"question": "Capital of Spain?"}, {"answer": "Paris"}, {"answer": "Madrid"},
    )  # fmt: skip
    assert [(score.name, score.value) for score in spain.scores] == [("exact", 0.0), ("label", 0.5)]
    assert spain.scores[1].rationale == "few letters"


@pytest.mark.parametrize(
    ("file", "name"),
    [("dataset.csv", "dataset"), ("dataset.json", "capitals-2"), ("dataset_examples.json", "dataset_examples")],
)
def test_a_dataset_of_phoenix_has_its_items(file: str, name: str) -> None:
    (dataset,) = phoenix.read(GOLDEN / "phoenix" / file).datasets
    assert dataset.name == name
    first = dataset.items[0]
    assert (first.input, first.expected_output, first.metadata) == (
        {"question": "Capital of France?"}, {"answer": "Paris"}, {"region": "west"},
    )  # fmt: skip


# --- MLflow -----


def test_feedback_of_mlflow_is_scores_and_an_expectation_is_none() -> None:
    bundle = mlflow.read(GOLDEN / "mlflow" / "trace.json")
    found = scores(bundle)
    assert found.keys() == {"correct", "relevance", "length"}
    assert (found["correct"].value, found["correct"].raw, found["correct"].source) == (1.0, True, "human")
    assert (found["relevance"].value, found["relevance"].source) == ("yes", None)
    assert (found["relevance"].metadata or {})["source_type"] == "LLM_JUDGE"
    assert found["length"].raw == 5.0
    assert about(named(bundle, "answer"))["expected.expected_response"] == "Paris"


def test_a_judge_of_mlflow_that_failed_is_a_failed_score() -> None:
    bundle = mlflow.read(GOLDEN / "mlflow" / "traces.jsonl")
    (failed,) = [one.score for one in bundle.span_scores if one.score.failed]
    assert (failed.name, failed.failed, failed.value) == ("relevance", "judge timed out", None)


def test_ids_of_mlflow_are_those_that_its_application_shows() -> None:
    (trace,) = mlflow.read(GOLDEN / "mlflow" / "trace.json").traces
    assert trace[0].trace_id == "tr-c03bef46c157520f6708d5ed2dbcd8b3"
    assert trace[0].id == "c54d1cb052c34819"


def test_a_cost_that_the_tool_tells_is_kept_and_none_is_made_up() -> None:
    call = named(mlflow.read(GOLDEN / "mlflow" / "trace.json"), "ChatCompletion")
    assert about(call)["reported_cost_usd"] == 7.95e-06
    first, second = model_calls(the_conversation(langfuse.read(GOLDEN / "langfuse" / "trace.json")))
    assert about(first)["reported_cost_usd"] == 8e-06
    assert "reported_cost_usd" not in about(second)


# --- Langfuse -----


@pytest.mark.parametrize("file", ["trace.json", "blob"])
def test_a_trace_of_langfuse_is_the_root_of_its_observations(file: str) -> None:
    (trace,) = langfuse.read(GOLDEN / "langfuse" / file).traces
    root = trace[0]
    assert (root.name, root.parent_span_id, root.trace_id) == ("answer", None, "trace-1")
    below = [span.id for span in trace if span.parent_span_id == root.id]
    assert below == ["obs-agent", "obs-event"]
    event = next(span for span in trace if span.id == "obs-event")
    assert (event.end_time, about(event)["level"], about(event)["status_message"]) == (None, "WARNING", "no entry")


def test_observations_without_their_trace_keep_their_own_root() -> None:
    (trace,) = langfuse.read(GOLDEN / "langfuse" / "enriched").traces
    assert trace[0].id == "obs-agent"
    assert (about(trace[0])["trace_name"], about(trace[0])["release"]) == ("answer", "1.2")


@pytest.mark.parametrize("file", ["trace.json", "blob", "enriched"])
def test_scores_of_langfuse_are_numbers_labels_and_booleans(file: str) -> None:
    bundle = langfuse.read(GOLDEN / "langfuse" / file)
    found = scores(bundle)
    assert (found["correct"].value, found["correct"].source, found["correct"].rationale) == (
        1.0, "human", "It is Paris.",
    )  # fmt: skip
    assert (found["helpful"].value, found["helpful"].source) == (0.75, None)
    assert found["topic"].value == "geography"
    assert (found["length"].value, found["length"].raw) == (None, 5.0)
    root = next(span for span in spans(bundle) if span.parent_span_id is None)
    places = {one.score.name: one.span_id for one in bundle.span_scores}
    assert (places["correct"], places["helpful"]) == (root.id, "obs-llm-2")


def test_a_range_of_langfuse_turns_stars_into_a_share(tmp_path: Path) -> None:
    text = (GOLDEN / "langfuse" / "trace.json").read_text()
    config = '{"id": "cfg-1", "name": "stars", "dataType": "NUMERIC", "minValue": 1, "maxValue": 5}'
    (tmp_path / "trace.json").write_text(text)
    (tmp_path / "configs.json").write_text(f'{{"data": [{config}]}}')
    assert langfuse.detect(tmp_path)
    stars = scores(langfuse.read(tmp_path))["stars"]
    assert (stars.value, stars.raw, stars.low, stars.high) == (0.75, 4.0, 1.0, 5.0)


def test_a_text_of_langfuse_is_no_label() -> None:
    note = scores(langfuse.read(GOLDEN / "langfuse" / "blob"))["note"]
    assert (note.value, note.absent, note.rationale) == (None, "a text, not a score", "answers too briefly")


def test_a_run_of_a_langfuse_dataset_is_an_experiment_with_its_traces() -> None:
    bundle = langfuse.read(GOLDEN / "langfuse" / "dataset_run")
    (experiment,) = bundle.experiments
    assert (experiment.name, experiment.dataset) == ("always-paris", "capitals")
    france, spain = experiment.runs
    assert (france.item_key, france.expected_output, france.output) == ("item-1", "Paris", "Paris")
    assert [(score.name, score.value) for score in (*france.scores, *spain.scores)] == [("exact", 1.0), ("exact", 0.0)]
    assert [len(run.spans) for run in experiment.runs] == [2, 2]
    assert (bundle.traces, bundle.span_scores, bundle.not_understood.total()) == ([], [], 0)


def test_scores_of_langfuse_alone_name_the_spans_that_came_before() -> None:
    whole = langfuse.read(GOLDEN / "langfuse" / "blob")
    alone = langfuse.read(GOLDEN / "langfuse" / "blob" / "scores")
    assert alone.span_scores == whole.span_scores


# --- LangSmith -----


def test_feedback_of_langsmith_is_scores_of_its_runs() -> None:
    bundle = langsmithruns.read(GOLDEN / "langsmith")
    found = scores(bundle)
    assert (found["correct"].value, found["correct"].source) == (1.0, "human")
    assert (found["helpful"].value, found["helpful"].source) == (0.75, None)
    assert (found["topic"].value, found["polite"].value, found["stars"].raw) == ("geography", 1.0, 4.0)
    averaged = [one.score for one in bundle.span_scores if one.score.metadata == {"n": 3}]
    assert [(score.name, score.value) for score in averaged] == [("helpful", 0.66)]


def test_an_average_of_one_piece_of_feedback_is_that_piece() -> None:
    found = scores(langsmithruns.read(GOLDEN / "langsmith" / "runs.jsonl"))
    assert found["correct"] == score_of("correct", 1.0, metadata={"n": 1})


def test_tokens_of_a_chain_of_langsmith_stay_beside_it() -> None:
    trace = the_conversation(langsmithruns.read(GOLDEN / "langsmith" / "runs.jsonl"))
    assert trace[0].tokens_input is None
    assert about(trace[0])["reported.prompt_tokens"] == 65


def test_runs_of_examples_are_an_experiment_of_langsmith() -> None:
    bundle = langsmithruns.read(GOLDEN / "langsmith" / "experiment")
    (experiment,), (dataset,) = bundle.experiments, bundle.datasets
    assert experiment.dataset == dataset.name
    assert [(run.trial, run.output, run.expected_output, run.error) for run in experiment.runs] == [
        (1, "Paris", "Paris", None),
        (1, "Paris", "Madrid", None),
        (2, "Paris", "Paris", None),
        (2, None, "Madrid", "TimeoutError()"),
    ]
    assert [[score.value for score in run.scores] for run in experiment.runs] == [[1.0], [0.0], [1.0], []]
    assert [len(run.spans) for run in experiment.runs] == [1, 1, 1, 1]


# --- Braintrust -----


def test_scores_of_braintrust_stand_on_their_spans() -> None:
    bundle = braintrustspans.read(GOLDEN / "braintrust" / "logs.jsonl")
    assert {name: score.value for name, score in scores(bundle).items()} == {"exact": 1.0, "helpful": 0.75}
    assert about(the_conversation(bundle)[0])["expected"] == "Paris"


def test_roots_of_an_experiment_of_braintrust_are_its_runs() -> None:
    (experiment,) = braintrustspans.read(GOLDEN / "braintrust" / "experiment.jsonl").experiments
    (dataset,) = braintrustspans.read(GOLDEN / "braintrust" / "dataset.json").datasets
    assert (experiment.name, experiment.dataset) == ("experiment", dataset.name)
    assert {run.item_key for run in experiment.runs} == {item.key for item in dataset.items}
    assert [(run.item_key, run.trial) for run in experiment.runs] == [
        ("rec-F", 1), ("rec-S", 1), ("rec-F", 2), ("rec-S", 2),
    ]  # fmt: skip
    assert [[score.value for score in run.scores] for run in experiment.runs] == [[1.0], [0.0], [1.0], [0.0]]
    assert [len(run.spans) for run in experiment.runs] == [3, 3, 3, 3]


# --- OpenTelemetry -----


def test_evaluation_results_on_a_span_are_its_scores() -> None:
    bundle = otlpjson.read(GOLDEN / "otlp" / "traces.jsonl")
    told = [one for request in bundle.otlp for one in prepare_traces(decode_traces(request, "protobuf")).spans]
    ((id, one),) = [(span.span.span_id, score) for span in told for score in span.scores]
    assert (one.scorer_name, one.value, one.rationale) == ("helpful", 0.75, "Short and right.")
    assert id == model_calls(the_conversation(bundle))[1].id
    assert not bundle.span_scores  # they come with the span, and once


def test_an_agent_that_repeats_the_tokens_of_its_calls_has_them_as_metadata() -> None:
    root = the_conversation(otlpjson.read(GOLDEN / "otlp" / "traces.jsonl"))[0]
    assert (root.tokens_input, about(root)["gen_ai.usage.input_tokens"]) == (None, 65)
    assert about(root)["gen_ai.conversation.id"] == "c-1"


# --- coding agents -----


def test_a_session_of_claude_code_is_a_trace_with_its_session(tmp_path: Path) -> None:
    prompt = {"role": "user", "content": "run the tests"}
    path = write(
        tmp_path / "s1.jsonl",
        {"type": "user", "timestamp": "2026-05-17T04:00:00.000Z", "sessionId": "s1", "message": prompt},
        said(1, bash("pytest", "t1"), id="m1", usage=(10, 5, 300, 100)),
        came_back(5, "t1", "Exit code 1", error=True),
        said(6, {"type": "text", "text": "They fail."}, id="m2", usage=(20, 7, 0, 0)),
    )
    assert format_of(path) == "coding-agents"
    bundle = codingagents.read(path)
    ((root, beat, call),) = bundle.traces
    assert bundle.source == "claude-code"
    assert (about(root)["session.id"], about(root)["import.source"]) == ("s1", "claude-code")
    assert (root.output, beat.tokens_input, beat.tokens_output) == ("They fail.", 430, 12)
    assert (call.name, call.input, call.error is not None) == ("Bash", {"command": "pytest"}, True)
    assert codingagents.read(path) == bundle


def test_a_session_of_codex_is_a_trace_with_its_session(tmp_path: Path) -> None:
    path = write(
        tmp_path / "rollout.jsonl",
        codex(0, "session_meta", id="c1", cwd="/repo"),
        codex(1, "response_item", type="message", role="user", content=[{"type": "input_text", "text": "go"}]),
        shell(2, ["ls"]),
        shell_output(3, "fine"),
        tokens(4, (100, 20, 7), (100, 20, 7)),
        codex(5, "response_item", type="message", role="assistant", content=[{"type": "output_text", "text": "Done."}]),
    )
    assert format_of(path) == "coding-agents"
    ((root, *below),) = codingagents.read(path).traces
    assert (about(root)["session.id"], root.output) == ("c1", "Done.")
    assert len(below) == 2
