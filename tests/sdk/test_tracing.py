"""Traced functions and blocks become spans that are stored, in this process and over HTTP alike."""

import asyncio
import contextvars
import gc
import inspect
import logging
import re
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace as otel
from opentelemetry.context import attach, detach
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanContext, TraceFlags

import gnomon as gn
from contract.caller import fresh_project
from gnomon.errors import InvalidInput, NotFound
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft
from gnomon.model.trace import Span
from gnomon.sdk import connection, exporting, provider
from gnomon.sdk.runtraces import RunTraces
from gnomon.service.evaluation.traced import Tracing

Stored = Callable[[], dict[str, Span]]


@pytest.fixture(params=["embedded", "http"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The SDK works with a database of its own, or with a server; the project is a new one."""
    project = fresh_project()
    if request.param == "embedded":
        gn.configure(database=str(tmp_path / "gnomon.db"), project=project)
    else:
        server = request.getfixturevalue("server_on")("sqlite")
        gn.configure(url=server.url, api_key=server.admin_key, project=project)
    yield project
    gn.configure()


@pytest.fixture
def stored(place: str) -> Stored:
    """All spans of the project, by name."""

    def read() -> dict[str, Span]:
        assert gn.flush(30)
        backend = connection.connection().backend
        rows = list(backend.traces(place))
        return {span.name: span for row in rows for span in backend.trace(row.id, place).spans}

    return read


# --- functions -----


@gn.trace
def shout(text: str, *more: str, mark: str = "!") -> str:
    return text.upper() + mark


@gn.trace(name="ask")
def ask(question: str) -> str:
    return shout(question, "and", "more", mark="?")


def test_nested_calls_become_child_spans_with_arguments_by_name_and_results(stored: Stored) -> None:
    assert ask("where") == "WHERE?"
    outer, inner = stored()["ask"], stored()["shout"]
    assert inner.parent_span_id == outer.id
    assert inner.trace_id == outer.trace_id
    assert outer.parent_span_id is None
    assert (outer.input, outer.output) == ({"question": "where"}, "WHERE?")
    assert inner.input == {"text": "where", "more": ["and", "more"], "mark": "?"}
    assert inner.duration_ms is not None
    assert outer.duration_ms is not None
    assert outer.duration_ms >= inner.duration_ms


def test_tasks_that_run_at_the_same_time_are_children_of_the_one_that_started_them(stored: Stored) -> None:
    @gn.trace
    async def part(number: int) -> int:
        await asyncio.sleep(0)
        with gn.span(f"below {number}"):
            await asyncio.sleep(0)
        return number

    @gn.trace
    async def whole() -> list[int]:
        return list(await asyncio.gather(*(part(number) for number in range(3))))

    assert asyncio.run(whole()) == [0, 1, 2]
    found = stored()
    root = next(span for span in found.values() if span.parent_span_id is None)
    assert root.output == [0, 1, 2]
    for number in range(3):
        below = found[f"below {number}"]
        (above,) = [one for one in all_spans(root.trace_id) if one.id == below.parent_span_id]
        assert above.output == number
        assert above.parent_span_id == root.id


def all_spans(trace_id: str) -> list[Span]:
    place = connection.connection()
    return place.backend.trace(trace_id, place.project_id).spans


def test_threads_with_a_copied_context_stay_in_the_trace_and_others_begin_their_own(stored: Stored) -> None:
    def run(target: Callable[[], object]) -> None:
        thread = threading.Thread(target=target)
        thread.start()
        thread.join()

    async def elsewhere() -> None:
        with gn.span("root"):
            await asyncio.to_thread(shout, "to_thread")
            context = contextvars.copy_context()
            run(lambda: context.run(copied))
            run(alone)

    @gn.trace(name="copied")
    def copied() -> None:
        return

    @gn.trace(name="alone")
    def alone() -> None:
        return

    asyncio.run(elsewhere())
    found = stored()
    assert found["shout"].parent_span_id == found["root"].id
    assert found["copied"].parent_span_id == found["root"].id
    assert found["alone"].parent_span_id is None
    assert found["alone"].trace_id != found["root"].trace_id


def test_methods_of_every_kind_are_traced_without_their_object(stored: Stored) -> None:
    class Agent:
        @gn.trace
        def run(self, goal: str) -> str:
            return goal

        @gn.trace
        @staticmethod
        def above_static(goal: str) -> str:
            return goal

        @staticmethod
        @gn.trace
        def below_static(goal: str) -> str:
            return goal

        @gn.trace
        @classmethod
        def above_class(cls, goal: str) -> str:
            return f"{cls.__name__} {goal}"

        @classmethod
        @gn.trace
        def below_class(cls, goal: str) -> str:
            return f"{cls.__name__} {goal}"

    agent = Agent()
    assert [agent.run("a"), agent.above_static("b"), Agent.below_static("c")] == ["a", "b", "c"]
    assert [agent.above_class("d"), Agent.below_class("e")] == ["Agent d", "Agent e"]
    found = stored()
    names = ["run", "above_static", "below_static", "above_class", "below_class"]
    assert [found[f"Agent.{name}"].input for name in names] == [{"goal": letter} for letter in "abcde"]


def test_a_traced_function_looks_like_the_one_it_wraps() -> None:
    @gn.trace
    async def one(a: int, b: str = "x") -> None:
        """What it does."""

    @gn.trace
    def some(a: int) -> Iterator[int]:
        yield a

    @gn.trace
    async def many(a: int) -> AsyncIterator[int]:
        yield a

    assert (one.__name__, one.__doc__) == ("one", "What it does.")
    assert list(inspect.signature(one).parameters) == ["a", "b"]
    assert inspect.iscoroutinefunction(one)
    assert inspect.isgeneratorfunction(some)
    assert inspect.isasyncgenfunction(many)


@pytest.mark.parametrize("thing", [3, dict])
def test_only_functions_can_be_traced(thing: Any) -> None:
    with pytest.raises(InvalidInput, match="put @trace above a function or a method"):
        gn.trace(thing)


def test_an_exception_is_the_span_s_error_and_goes_on_unchanged(stored: Stored) -> None:
    thrown = KeyError("no such city")

    @gn.trace
    def fails() -> None:
        raise thrown

    with pytest.raises(KeyError) as caught:
        fails()
    assert caught.value is thrown
    error = stored()["fails"].error
    assert error is not None
    assert (error.type, error.message) == ("KeyError", "'no such city'")
    assert "raise thrown" in (error.stack or "")


def test_an_exception_that_cannot_be_shown_goes_on_unchanged_too(stored: Stored) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    thrown = Mute()

    async def fails() -> None:
        async with gn.span("block"):
            raise thrown

    with pytest.raises(Mute) as caught:
        asyncio.run(fails())
    assert caught.value is thrown
    assert stored()["block"].error is not None


def test_a_call_with_wrong_arguments_is_refused_by_python_as_ever(place: str) -> None:
    with pytest.raises(TypeError, match=r"shout\(\) missing 1 required positional argument"):
        shout()  # type: ignore[call-arg]


# --- generators -----


@gn.trace
def letters(text: str) -> Iterator[str]:
    for letter in text:
        with gn.span(f"letter {letter}"):
            yield letter


def test_what_a_generator_yields_is_its_output(stored: Stored) -> None:
    @gn.trace
    def numbers() -> Iterator[dict[str, int]]:
        reused = {"n": 0}
        for number in range(3):
            reused["n"] = number
            yield reused

    assert "".join(letters("abc")) == "abc"
    assert len(list(numbers())) == 3
    found = stored()
    assert (found["letters"].input, found["letters"].output) == ({"text": "abc"}, "abc")
    assert found["numbers"].output == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert found["letter b"].parent_span_id == found["letters"].id


def test_between_two_steps_a_generator_s_span_is_not_the_caller_s(stored: Stored) -> None:
    with gn.span("caller") as caller:
        for _ in letters("ab"):
            assert gn.current_span().span_id == caller.span_id
            with gn.span("between"):
                pass
    found = stored()
    assert found["between"].parent_span_id == found["caller"].id
    assert found["letters"].parent_span_id == found["caller"].id
    assert found["letter a"].parent_span_id == found["letters"].id


def test_spans_that_a_generator_keeps_open_between_steps_have_their_own_children(stored: Stored) -> None:
    @gn.trace
    def steps() -> Iterator[int]:
        with gn.span("open"):
            yield 1
            with gn.span("below"):
                yield 2

    assert list(steps()) == [1, 2]
    found = stored()
    assert found["below"].parent_span_id == found["open"].id
    assert gn.current_span().span_id == ""


@pytest.mark.parametrize("leave", ["close", "forget"])
def test_a_generator_that_is_left_half_way_ends_its_span_without_an_error(stored: Stored, leave: str) -> None:
    generator: Any = letters("abc")
    assert next(generator) == "a"
    if leave == "close":
        generator.close()
    del generator
    gc.collect()
    left = stored()["letters"]
    assert (left.output, left.error, left.end_time is None) == ("a", None, False)


def test_a_generator_that_never_began_leaves_no_span(stored: Stored) -> None:
    letters("abc")
    assert stored() == {}


def test_values_exceptions_and_results_go_through_a_traced_generator(stored: Stored) -> None:
    @gn.trace
    def echo() -> Iterator[Any]:
        heard = yield "ready"
        try:
            yield heard
        except ValueError as thrown:
            yield str(thrown)
        return "result"

    generator: Any = echo()
    assert [next(generator), generator.send("hello"), generator.throw(ValueError("stop"))] == ["ready", "hello", "stop"]
    with pytest.raises(StopIteration) as stopped:
        next(generator)
    assert stopped.value.value == "result"
    assert stored()["echo"].output == "readyhellostop"


@gn.trace
async def words(text: str) -> AsyncIterator[str]:
    try:
        for word in text.split():
            with gn.span(f"word {word}"):
                await asyncio.sleep(0)
            yield word
    finally:
        await asyncio.sleep(0)


@pytest.mark.parametrize("leave", ["never", "aclose", "forget"])
def test_async_generators_end_their_span_however_they_are_left(stored: Stored, leave: str) -> None:
    async def read() -> list[str]:
        heard = []
        with gn.span("reader") as reader:
            generator: Any = words("one two three")
            async for word in generator:
                assert gn.current_span().span_id == reader.span_id
                heard.append(word)
                if leave != "never":
                    break
            if leave == "aclose":
                await generator.aclose()
            del generator
            gc.collect()
            for _ in range(5):
                await asyncio.sleep(0)
        return heard

    heard = asyncio.run(read())
    found = stored()
    assert found["words"].output == "".join(heard)
    assert found["words"].error is None
    assert found["words"].parent_span_id == found["reader"].id
    assert found["word one"].parent_span_id == found["words"].id


def test_an_async_generator_s_exception_is_its_error(stored: Stored) -> None:
    @gn.trace
    async def breaks() -> AsyncIterator[int]:
        yield 1
        raise OSError("cut off")

    async def read() -> None:
        async for _ in breaks():
            pass

    with pytest.raises(OSError, match="cut off"):
        asyncio.run(read())
    error = stored()["breaks"].error
    assert error is not None
    assert error.message == "cut off"


# --- what is kept -----


def test_what_is_not_to_be_kept_is_not(stored: Stored) -> None:
    @gn.trace(capture_input=False, metadata={"version": 3, "beta": True})
    def secret(password: str) -> str:
        return "in"

    @gn.trace(capture_output=False)
    def quiet(text: str) -> str:
        return "out"

    secret("hunter2"), quiet("a")
    found = stored()
    assert (found["secret"].input, found["secret"].output) == (None, "in")
    assert found["secret"].metadata == {"version": 3, "beta": True}
    assert (found["quiet"].input, found["quiet"].output) == ({"text": "a"}, None)


def test_redaction_changes_what_is_kept_and_not_what_the_program_has(stored: Stored) -> None:
    def hide(value: Any) -> Any:
        if isinstance(value, dict):
            value["user"]["name"] = "***"
            return value
        return "hidden"

    @gn.trace(redact=hide)
    def greet(user: dict[str, str]) -> str:
        return f"Hello {user['name']}"

    user = {"name": "Ada"}
    assert greet(user) == "Hello Ada"
    assert user == {"name": "Ada"}
    assert (stored()["greet"].input, stored()["greet"].output) == ({"user": {"name": "***"}}, "hidden")


def test_where_redaction_fails_the_value_is_not_kept(stored: Stored) -> None:
    def broken(value: Any) -> Any:
        return value + 1

    @gn.trace(redact=broken)
    def greet(name: str) -> str:
        return f"Hello {name}"

    assert greet("Ada") == "Hello Ada"
    kept = stored()["greet"]
    assert (kept.input, kept.output) == ("redaction failed: TypeError", "redaction failed: TypeError")


def test_values_beyond_a_million_characters_are_cut_with_a_mark(stored: Stored) -> None:
    @gn.trace
    def long(text: str) -> list[str]:
        return [text]

    long("x" * 1_200_000)
    kept = stored()["long"]
    for value in (kept.input, kept.output):
        assert isinstance(value, str)
        assert value.endswith("… cut at 1000000 characters")
        assert len(value) < 1_000_100


def test_what_json_cannot_say_is_kept_as_python_shows_it(stored: Stored) -> None:
    class Session:
        def __repr__(self) -> str:
            return "<session " + "x" * 20_000

    circular: list[Any] = []
    circular.append(circular)

    @gn.trace
    def odd(session: Session, ring: list[Any], share: float, raw: bytes, text: str) -> set[int]:
        return {1}

    odd(Session(), circular, float("nan"), b"\xff", "half \ud800 and \0")
    kept = stored()["odd"]
    assert kept.output == [1]
    assert isinstance(kept.input, dict)
    assert kept.input["session"].endswith("… cut at 10000 characters")
    assert (kept.input["ring"], kept.input["share"], kept.input["raw"]) == ("[[...]]", "nan", "b'\\xff'")
    assert kept.input["text"] == "half ? and \ufffd"


# --- spans by hand -----


def test_a_block_says_what_it_wants_of_itself(stored: Stored) -> None:
    with gn.span("call", input={"q": 1}, metadata={"k": 3}) as span:
        span.set_input({"q": 2})
        span.set_output(["a"])
        span.set_model("openai/model")
        span.set_tokens(input=12, output=5)
        span.set_metadata("tags", ["x", "y"])
        assert gn.current_span().span_id == span.span_id
    kept = stored()["call"]
    assert (kept.id, kept.trace_id) == (span.span_id, span.trace_id)
    assert (kept.input, kept.output) == ({"q": 2}, ["a"])
    assert (kept.model, kept.tokens_input, kept.tokens_output) == ("openai/model", 12, 5)
    assert kept.metadata == {"k": 3, "tags": '["x","y"]'}


def test_outside_of_a_span_the_current_one_does_nothing() -> None:
    span = gn.current_span()
    span.set_output("nowhere")
    span.set_metadata("key", "value")
    span.score("helpful", 1)
    assert (span.trace_id, span.span_id) == ("", "")


def test_spans_of_other_instrumentations_stand_in_the_same_trace(stored: Stored) -> None:
    foreign = otel.get_tracer("some.instrumentation")
    with gn.span("ours") as ours, foreign.start_as_current_span("chat") as theirs:
        theirs.set_attributes({"gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 7, "stop": ["a", "b"]})
        theirs.set_attribute("gen_ai.usage.output_tokens", -1)
        gn.current_span().set_output("said")
        theirs.set_status(otel.StatusCode.ERROR, "rate limit")
    found = stored()["chat"]
    assert found.parent_span_id == ours.span_id
    assert (found.model, found.tokens_input, found.tokens_output, found.output) == ("m", 7, None, "said")
    assert found.metadata == {"stop": '["a","b"]', "gen_ai.usage.output_tokens": -1}
    assert found.error is not None
    assert found.error.message == "rate limit"


def test_a_span_whose_parent_is_in_another_process_is_kept(stored: Stored) -> None:
    away = SpanContext(0xABC, 0xDEF, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    context = otel.set_span_in_context(otel.NonRecordingSpan(away))
    with otel.get_tracer("server").start_as_current_span("request", context=context):
        shout("a")
    token = attach(context)
    with pytest.raises(InvalidInput, match="there is no span here"):
        gn.score("helpful", 1)
    detach(token)
    found = stored()
    assert found["request"].parent_span_id == format(0xDEF, "016x")
    assert found["shout"].parent_span_id == found["request"].id


@pytest.mark.usefixtures("not_forked")
def test_a_clock_that_was_set_back_loses_no_span(stored: Stored) -> None:
    exporting.add(ended(1, new_trace(), start=2_000_000_000, end=1_000_000_000))
    kept = stored()["span 1"]
    assert kept.duration_ms is None
    assert (kept.start_time_unix_nano, kept.end_time_unix_nano) == ("2000000000", "1000000000")


def new_trace() -> int:
    return int(fresh_project().encode().hex()[-30:], 16)


@pytest.fixture
def not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of the test may be a forked one, and a span that began before the fork is its parent's."""
    monkeypatch.setattr(exporting, "_forked_at", 0)


def ended(id: int, trace: int = 1, start: int = 10**18, end: int = 10**18, **fields: Any) -> ReadableSpan:
    """A span as an instrumentation might make it."""
    context = SpanContext(trace, id, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    return ReadableSpan(f"span {id}", context, start_time=start, end_time=end, **fields)


@pytest.mark.usefixtures("not_forked")
def test_a_span_that_is_refused_costs_no_other_of_its_batch(
    place: str, stored: Stored, caplog: pytest.LogCaptureFixture
) -> None:
    """Two spans of one id are one that was sent twice. An id of zeros is none; one before 1970 cannot be said."""
    exporting._reported.clear()
    trace = new_trace()
    with caplog.at_level(logging.WARNING, "gnomon.tracing"):
        for id in (1, 0, 2, 2, 0):
            exporting.add(ended(id, trace))
        exporting.add(ended(3, trace, start=-1))
        exporting.add(ended(4, trace, attributes={"gnomon.input": "[" * 150 + "]" * 150}))
        assert not exporting.flush(30), "something was refused"
        assert exporting.flush(30), "what was refused is over"
        exporting.add(ended(0, trace))
        assert not exporting.flush(30)
    assert sorted(stored()) == ["span 1", "span 2", "span 4"]
    unsaid, refused = caplog.messages  # of each kind once
    begins = r"Gnomon refused \d of the spans that ended last: \[\d\] "
    assert re.match(begins + r"span 'span 3': OTLP has no way to say it \(Value out of range: -1\)", unsaid)
    assert re.match(begins + "span 0000000000000000 'span 0': span_id is 0000000000000000; send 8 bytes", refused)


def test_what_opentelemetry_says_of_a_span_is_kept(place: str, stored: Stored) -> None:
    before = time.time_ns()
    client = otel.get_tracer("shop", "1.2")
    with gn.span("own"), client.start_as_current_span("call", kind=otel.SpanKind.CLIENT) as span:
        span.add_event("retry", {"attempt": 2})
        span.set_status(otel.StatusCode.ERROR, "timed out")
    found = stored()["own"]
    assert found.kind == "internal"
    assert before < int(found.start_time_unix_nano or 0) <= int(found.end_time_unix_nano or 0) < time.time_ns()
    assert found.scope is not None
    assert found.scope.name == "gnomon"
    assert found.resource is not None
    assert found.resource["gnomon.project"] == place
    call = stored()["call"]
    assert (call.kind, call.status and call.status.message) == ("client", "timed out")
    assert [(event.name, event.attributes) for event in call.events or ()] == [("retry", {"attempt": 2})]


# --- scores -----


def scores_of(span: Any) -> dict[str, Any]:
    backend = connection.connection().backend
    return {one.scorer_name: one for one in backend.scores(span.span_id, "span", trace_id=span.trace_id)}


def states_of(span: Any) -> dict[str, tuple[str, str | None]]:
    states = connection.connection().backend.scoring_states(target_id=span.span_id)
    return {one.scorer_name: (one.state, one.reason) for one in states}


def test_scores_of_the_current_span_travel_with_it(stored: Stored) -> None:
    with gn.span("answer") as span:
        gn.score("helpful", 0.25)
        gn.score("helpful", 0.75, rationale="names the city", metadata={"by": "rule"})
        gn.score("tone", "friendly")
        gn.score("style", {"short": True, "date": gn.Absent("no date"), "kind": gn.Scored(0.5, "half")})
        gn.score("wrong scale", 7)
        gn.score("nothing", None)
    stored()
    kept = scores_of(span)
    assert {name: one.value for name, one in kept.items()} == {
        "helpful": 0.75, "tone": "friendly", "style.short": 1.0, "style.kind": 0.5,
    }  # fmt: skip
    assert (kept["helpful"].rationale, kept["helpful"].metadata) == ("names the city", {"by": "rule"})
    assert kept["style.kind"].rationale == "half"
    states = states_of(span)
    assert states["style.date"] == ("absent", "no date")
    assert states["nothing"][0] == "absent"
    assert states["wrong scale"][0] == "failed"
    assert "outside [0, 1]" in str(states["wrong scale"][1])


def test_a_score_by_id_is_stored_at_once(place: str) -> None:
    with gn.span("root") as root, gn.span("below") as below:
        pass
    gn.score("late", 0.5, span_id=below.span_id)
    gn.score("parts", {"a": 0.1, "b": "yes"}, span_id=below.span_id, trace_id=below.trace_id)
    gn.score("whole", 0.75, trace_id=root.trace_id, rationale="all of it")
    below.score("held", 1)
    assert {name: one.value for name, one in scores_of(below).items()} == {
        "late": 0.5, "parts.a": 0.1, "parts.b": "yes", "held": 1.0,
    }  # fmt: skip
    assert scores_of(root)["whole"].rationale == "all of it"


@pytest.mark.parametrize("id", ["00000000000000ab", "no such id"])
def test_a_span_of_another_process_needs_its_trace_to_be_scored(place: str, id: str) -> None:
    with pytest.raises(NotFound, match="does not exist; a span of another process is found with its trace_id"):
        gn.score("late", 0.5, span_id=id)


def test_a_run_is_scored_by_its_id(place: str) -> None:
    backend = connection.connection().backend
    dataset = backend.create_dataset(DatasetDraft(name=place, project_id=place))
    item = backend.add_item(dataset.id, ItemDraft(input="a"))
    experiment = backend.create_experiment(ExperimentDraft(name="one", dataset_id=dataset.id, project_id=place))
    (run_id,) = backend.add_runs(experiment.id, [RunDraft(dataset_item_id=item.id, output="b")]).run_ids
    gn.score("checked", True, run_id=run_id)
    assert [one.value for one in backend.scores(run_id, "run")] == [1.0]


def test_a_score_without_a_target_is_refused_with_the_remedy() -> None:
    with pytest.raises(InvalidInput, match="there is no span here; score inside of @trace or span"):
        gn.score("helpful", 1)
    with pytest.raises(InvalidInput, match="name two targets"):
        gn.score("helpful", 1, run_id="a", span_id="b")
    with gn.span("here"), pytest.raises(InvalidInput, match="a scorer is named"):
        gn.score("", 1)


# --- places, runs -----


def test_what_waits_is_stored_before_the_place_changes(tmp_path: Path) -> None:
    for name in ("old", "new"):
        gn.configure(database=str(tmp_path / f"{name}.db"), project="p")
        shout(name)
    for name in ("old", "new"):
        gn.configure(database=str(tmp_path / f"{name}.db"), project="p")
        backend = connection.connection().backend
        (row,) = backend.traces("p")
        assert [span.input for span in backend.trace(row.id).spans] == [{"text": name}]
    gn.configure()


def test_each_run_of_an_evaluation_is_a_trace_of_its_own(place: str, stored: Stored) -> None:
    traces: Tracing = RunTraces()
    with gn.span("around") as around, traces.run("task", {"q": 1}, {"trial": 2}, keep=True) as run:
        shout("a")
        with gn.span("call") as call:
            call.set_model("m")
            call.set_tokens(input=3, output=4)
        run.set_output("A!")
        assert run.trace_id != around.trace_id
        open_trace = run.trace()
    trace = run.trace()
    traces.flush()
    assert [span.name for span in trace.spans] == ["task", "shout", "call"]
    assert len(open_trace.spans) == 3
    assert open_trace.spans[0].end_time is None
    read = connection.connection().backend.trace(run.trace_id, place)
    same = {"created_at", "updated_at", "spans"}
    assert trace.model_dump(exclude=same) == read.model_dump(exclude=same)
    assert {one.id: one for one in trace.spans} == {one.id: one for one in read.spans}
    (root,) = [span for span in read.spans if span.id == read.root_span_id]
    assert (root.input, root.output, read.metadata) == ({"q": 1}, "A!", {"trial": 2})
    assert not provider.kept


def test_runs_that_end_while_traces_are_stored_do_not_make_that_late(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As after Ctrl-C, when calls in threads go on: what ended before is stored, so there is nothing to warn of."""
    traces, ended = RunTraces(), threading.Semaphore(0)

    def keep_running() -> None:
        for _ in range(2000):
            with traces.run("task", "input", {}, keep=False):
                pass
            ended.release()

    thread = threading.Thread(target=keep_running)
    thread.start()
    for _ in range(5):
        ended.acquire()
        traces.flush()
    thread.join()
    traces.flush()
    assert caplog.messages == []


def test_a_run_that_fails_has_the_error_on_its_root(stored: Stored) -> None:
    with RunTraces().run("told", None, {}, keep=False) as run:
        run.set_error(ValueError("of the task"))
    with pytest.raises(ZeroDivisionError), RunTraces().run("left", None, {}, keep=False):
        raise ZeroDivisionError
    errors = {name: span.error.type for name, span in stored().items() if span.error}
    assert errors == {"told": "ValueError", "left": "ZeroDivisionError"}


# --- instrumentors, documents -----

INSTRUMENTORS = """
class Works:
    is_instrumented_by_opentelemetry = False
    def instrument(self):
        type(self).is_instrumented_by_opentelemetry = True
class Off:
    is_instrumented_by_opentelemetry = False
    def instrument(self):
        pass
class Breaks(Off):
    def instrument(self):
        raise RuntimeError("of another version")
"""


def without_packages(monkeypatch: pytest.MonkeyPatch, instead: Path) -> None:
    """Only what this folder holds is installed: the instrumentors that other tests need would be found as well."""
    monkeypatch.setattr(sys, "path", [str(instead), *(path for path in sys.path if "site-packages" not in path)])


def test_every_installed_instrumentor_is_turned_on_and_one_that_fails_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "some_instrumentors.py").write_text(INSTRUMENTORS)
    info = tmp_path / "some_instrumentors-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-instrumentors\nVersion: 1.0\n")
    entries = ["broken = some_instrumentors:Breaks", "gone = nowhere:At", "off = some_instrumentors:Off"]
    entries.append("works = some_instrumentors:Works")
    (info / "entry_points.txt").write_text("\n".join(["[opentelemetry_instrumentor]", *entries]))
    without_packages(monkeypatch, tmp_path)
    assert gn.instrument() == ["works"]
    assert gn.instrument() == ["works"]
    assert "the instrumentor broken could not be turned on: RuntimeError: of another version" in caplog.messages
    assert any("the instrumentor gone could not be turned on" in line for line in caplog.messages)


def test_without_an_instrumentor_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    without_packages(monkeypatch, tmp_path)
    assert gn.instrument() == []
    assert "pip install openinference-instrumentation-openai" in caplog.text
