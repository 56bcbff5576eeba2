"""One seam: whatever a caller can do, it answers and refuses the same over HTTP (sync and async) and embedded.

Each scenario is played to all three implementations of the protocol, on SQLite and on PostgreSQL. Everything they
answer is written down, with ids and times taken out, and the three accounts must be the same to the letter.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from pydantic import BaseModel

from awaited import awaited
from conftest import Server, start_server
from contract.caller import Api, fresh_project
from gnomon.client import Client
from gnomon.errors import GnomonError
from gnomon.model.access import KeyDraft, ReviewLinkDraft
from gnomon.model.backend import Backend
from gnomon.model.budget import BudgetDraft
from gnomon.model.card import ProbeDraft
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.drift import DriftOptions
from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError, ScoreExperimentDraft, ThresholdDraft
from gnomon.model.hold import HoldDraft
from gnomon.model.iterationgroups import (
    IterationComparisonOptions,
    IterationOptions,
    IterationSummaryOptions,
    IterationThresholdOptions,
)
from gnomon.model.iterationviews import IterationTrendOptions
from gnomon.model.leaderboard import LeaderboardOptions
from gnomon.model.metadata import MetadataKeysDraft
from gnomon.model.metrics import MetricDraft, MetricsDraft
from gnomon.model.otlp import OtlpReceived
from gnomon.model.outcome import IterationBatchDraft
from gnomon.model.playground import CandidateDraft, PlaygroundDraft, PromptMessage
from gnomon.model.prices import ModelPriceDraft, PricesDraft
from gnomon.model.retention import RetentionDraft
from gnomon.model.review import (
    AnnotationChange,
    AnnotationDraft,
    ClaimDraft,
    NextClaimDraft,
    QueueDraft,
    QueueReasonDraft,
    QueueTarget,
    ReviewSettingsDraft,
    ToItemDraft,
)
from gnomon.model.rule import RuleChange, RuleDraft, ScoreSpansDraft
from gnomon.model.score import InlineScoreDraft, ScoreDraft, ScorerSpec
from gnomon.model.share import ShareDraft
from gnomon.model.stopping import StoppingDraft
from gnomon.model.trace import ProjectDraft, SpanDraft, SpanError
from gnomon.model.traceviews import TextSearchDraft
from gnomon.service.embedded import Embedded
from gnomon.store.engine import open_store

METHODS = {name for name, _ in inspect.getmembers(Backend, inspect.isfunction) if not name.startswith("_")} - {"close"}
IMPLEMENTATIONS = ["client", "async client", "embedded"]

A_PROVIDER = {"OPENAI_API_KEY": "never used: nothing takes the jobs"}
GIVEN = datetime(2026, 2, 21, 22, tzinfo=UTC)
"""The time of all spans that a scenario makes; other times are those of the moment, and differ."""
_TIME = re.compile(r"(?!2026-02-21)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b")
"""Ours, and those of OpenTelemetry's traces."""
_GOT = re.compile(r"\(got '([^']*)'\)")
"""A number in an address is text to a server."""
_SECRET = re.compile(r'"key": "[^"]+"|"url_path": "[^"]+"|"code": "[\w-]{43}"|"key_id": "[^"]+"')
"""And whose key it is: that of a server's caller, and that of whoever uses the database."""


# --- the three implementations -----


@pytest.fixture(scope="module")
def served_on(tmp_path_factory: pytest.TempPathFactory, new_postgresql: Callable[[], str]) -> Iterator[Any]:
    """A server that leaves jobs alone, on the database of that name: what is queued stays so, as it does embedded."""
    running: dict[str, Server] = {}

    def serve(database: str) -> Server:
        if database not in running:
            own = new_database(database, tmp_path_factory, new_postgresql)
            running[database] = start_server(*own, "--no-worker", **A_PROVIDER)
        return running[database]

    yield serve
    for server in running.values():
        server.stop()


@pytest.fixture(scope="module")
def embedded_on(tmp_path_factory: pytest.TempPathFactory, new_postgresql: Callable[[], str]) -> Iterator[Any]:
    opened: dict[str, Embedded] = {}

    def embedded(database: str) -> Embedded:
        if database not in opened:
            url, _ = new_database(database, tmp_path_factory, new_postgresql)
            open_store(url).close()
            opened[database] = Embedded(url)
        return opened[database]

    yield embedded
    for backend in opened.values():
        backend.close()


def new_database(database: str, folders: pytest.TempPathFactory, new_postgresql: Any) -> tuple[str, Path]:
    home = folders.mktemp(f"backend-{database}")
    return (new_postgresql() if database == "postgresql" else f"sqlite:///{home / 'gnomon.db'}"), home


@pytest.fixture
def opened(
    database: str, served_on: Any, embedded_on: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, Any]]:
    """Each implementation by its name."""
    server = served_on(database)
    for name, value in A_PROVIDER.items():
        monkeypatch.setenv(name, value)
    with Client(server.url, server.admin_key) as client, awaited(server.url, server.admin_key) as waited:
        yield dict(zip(IMPLEMENTATIONS, (client, waited, embedded_on(database)), strict=True))


# --- what they answer -----


@dataclass
class Account:
    """A backend that writes down what it was asked and what it answered."""

    _backend: Any
    _project: str = field(default_factory=fresh_project)
    _lines: list[tuple[str, Any]] = field(default_factory=list)

    @classmethod
    def of(cls, scenario: Callable[[Any, str], None], backend: Any) -> "Account":
        account = cls(backend)
        scenario(account, account._project)
        return account

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._backend, name)

        def call(*given: Any, **named: Any) -> Any:
            try:
                answer = method(*given, **named)
                answer = list(answer) if isinstance(answer, Iterator) else answer
            except GnomonError as refusal:
                self._lines.append((name, f"{type(refusal).__name__} {refusal.code}: {refusal.message}"))
                raise
            if name in ("projects", "keys"):  # other tests have theirs beside
                answer = [row for row in answer if self._project in (row.id, getattr(row, "project_id", None))]
            self._lines.append((name, as_json(answer)))
            return answer

        return call

    def refuses(self, name: str, *given: Any, **named: Any) -> str:
        """The refusal of a call, in a word."""
        with pytest.raises(GnomonError) as refused:
            getattr(self, name)(*given, **named)
        return refused.value.code

    def called(self) -> set[str]:
        return {name for name, _ in self._lines}

    def text(self) -> list[str]:
        """Every line, with ids numbered as they appear."""
        known: dict[str, str] = {}
        lines = []
        for name, answer in self._lines:
            line = _SECRET.sub('"…"', json.dumps(answer, indent=0).replace(self._project, "PROJECT"))
            line = _TIME.sub("NOW", _GOT.sub(r"(got \1)", line))
            line = _ID.sub(lambda made: known.setdefault(made[0], f"ID-{len(known)}"), line)
            lines.append(f"{name}: {line}")
        return lines


def as_json(answer: Any) -> Any:
    if isinstance(answer, OtlpReceived):  # the rest of it is not told over HTTP
        return {"rejected": answer.rejected, "message": answer.message}
    if isinstance(answer, list):
        return [as_json(item) for item in answer]
    return answer.model_dump(mode="json") if isinstance(answer, BaseModel) else answer


# --- the scenarios -----


def span(id: str, trace_id: str, **fields: Any) -> SpanDraft:
    return SpanDraft.model_validate({"id": id, "trace_id": trace_id, "name": "step", "start_time": GIVEN, **fields})


def questions(backend: Any, project: str, count: int = 3, name: str = "questions") -> tuple[str, list[str]]:
    """A dataset with the items q0 … and their answers a0 …, and the items' ids in this order."""
    dataset = backend.create_dataset(DatasetDraft(project_id=project, name=name))
    ids = [
        backend.add_item(dataset.id, ItemDraft(input=f"q{n}", expected_output=f"a{n}", metadata={"topic": n % 2})).id
        for n in range(count)
    ]
    return dataset.id, ids


def measured(backend: Any, project: str, dataset_id: str, items: list[str], values: list[float], **about: Any) -> str:
    draft = ExperimentDraft(project_id=project, dataset_id=dataset_id, **{"name": "trial", **about})
    experiment = backend.create_experiment(draft)
    runs = [
        RunDraft(dataset_item_id=item, output=f"a{n}", scores=[InlineScoreDraft(scorer_name="quality", value=value)])
        for n, (item, value) in enumerate(zip(items, values, strict=True))
    ]
    backend.add_runs(experiment.id, runs)
    return str(experiment.id)


def projects_and_keys(backend: Any, project: str) -> None:
    made = backend.create_project(ProjectDraft(id=project, name="a name"))
    assert made == backend.project(project)
    assert backend.refuses("create_project", ProjectDraft(id=project)) == "CONFLICT"
    assert [row.id for row in backend.projects()] == [project]
    assert backend.project_summary(project).traces.last_24h.count == 0
    assert backend.budget(project).usd_per_day is None
    assert backend.set_budget(project, BudgetDraft(usd_per_day=2.5)).usd_per_day == 2.5
    assert backend.set_budget(project, BudgetDraft()).usd_per_day is None
    assert backend.retention(project).retention_days is None
    assert backend.set_retention(project, RetentionDraft(retention_days=9, keep_scored=True)).retention_days == 9
    assert backend.retention(project).keep_scored
    assert backend.set_retention(project, RetentionDraft()).retention_days is None
    assert backend.refuses("retention", "nobody") == "NOT_FOUND"
    assert backend.project_contents(project).traces == 0
    assert backend.refuses("project_contents", "nobody") == "NOT_FOUND"
    assert backend.refuses("delete_project", project) == "INVALID_REQUEST"
    assert backend.refuses("delete_project", "nobody", "nobody") == "NOT_FOUND"
    assert backend.prices(project).prices == []
    price = ModelPriceDraft(model="openai/llama-3", input_usd_per_million=0.2, output_usd_per_million=0.6)
    assert backend.set_prices(project, PricesDraft(prices=[price])).prices[0].model == "openai/llama-3"
    assert len(backend.prices(project).prices) == 1
    key = backend.create_key(KeyDraft(role="read", project_id=project, name="for a test"))
    assert key.key
    (listed,) = backend.keys()
    assert listed.id == key.id
    assert backend.revoke_key(key.id).id == key.id
    assert list(backend.keys()) == []
    for name in ("project", "project_summary", "budget", "drift"):
        assert backend.refuses(name, "nobody-has-this") == "NOT_FOUND"
    assert backend.refuses("revoke_key", key.id) == "NOT_FOUND"


def logging_in(backend: Any, project: str) -> None:
    who = backend.whoami()
    assert (who.role, who.project_id, who.expires_at) == ("admin", None, None)
    key = backend.create_key(KeyDraft(role="admin"))
    assert len(backend.create_login_code().code) == 43
    assert backend.create_review_link(ReviewLinkDraft(project_id=project, name="ann")).url_path.startswith("/login#")
    assert backend.refuses("create_review_link", ReviewLinkDraft(name="ann")) == "PROJECT_REQUIRED"
    backend.revoke_key(key.id)


def shares(backend: Any, project: str) -> None:
    backend.ingest([span("root", "t1")], project)
    share = backend.create_share(ShareDraft(path=f"/projects/{project}/traces/t1"))
    assert share.url_path.startswith("/share#token=")
    assert [one.id for one in backend.shares(project)] == [share.id]
    assert backend.refuses("create_share", ShareDraft(path=f"/projects/{project}/traces/none")) == "NOT_FOUND"
    backend.revoke_share(share.id)
    assert backend.refuses("revoke_share", share.id) == "NOT_FOUND"
    assert list(backend.shares(project)) == []


def conversations(backend: Any, project: str) -> None:
    for trace, session, user in (("t1", "s/1", "u1"), ("t2", "s/1", "u2"), ("t3", "other", "u1")):
        about = {"session.id": session, "user.id": user, "plan": trace}
        backend.ingest([span("root", trace, input=f"ask {trace}", output="x", metadata=about, model=trace)], project)
    assert {one.id: one.trace_count for one in backend.conversations(project)} == {"s/1": 2, "other": 1}
    assert [one.id for one in backend.conversations(project, user_id="u2")] == ["s/1"]
    assert [one.id for one in backend.conversations(project, q="ask t3", has_error=False)] == ["other"]
    assert [one.id for one in backend.conversations(project, has_error=True)] == []
    assert [one.id for one in backend.conversations(project, before=datetime(2000, 1, 1, tzinfo=UTC))] == []
    assert backend.refuses("conversations", project, q="?!") == "INVALID_REQUEST"
    assert backend.refuses("turns", "s/1", project, content="pretty") == "INVALID_REQUEST"
    assert backend.conversation("s/1", project).span_count == 2
    assert [turn.question.text for turn in backend.turns("s/1", project, content="readable")] == ["ask t1", "ask t2"]
    assert [turn.input for turn in backend.turns("s/1", project)] == ["ask t1", "ask t2"]
    assert [row.id for row in backend.traces(project, conversation_id="other")] == ["t3"]
    assert [row.id for row in backend.traces(project, model="t2")] == ["t2"]
    assert [row.id for row in backend.traces(project, metadata={"user.id": "u1", "plan": "t1"})] == ["t1"]
    score = ScoreDraft(target_type="conversation", target_id="s/1", scorer_name="liked", value=0.5, project_id=project)
    assert backend.add_score(score).target_type == "conversation"
    assert [found.value for found in backend.scores("s/1", "conversation", project_id=project)] == [0.5]
    assert backend.refuses("conversation", "nobody", project) == "NOT_FOUND"
    assert backend.refuses("turns", "nobody", project) == "NOT_FOUND"
    assert backend.refuses("conversations") == "PROJECT_REQUIRED"
    assert [one.key for one in backend.metadata_keys(project).keys if not one.always] == []
    declared = backend.set_metadata_keys(project, MetadataKeysDraft(keys=["plan"]))
    assert [one.key for one in declared.keys if not one.always] == ["plan"]
    assert backend.set_metadata_keys(project, MetadataKeysDraft(keys=["plan"])).job_id is None
    assert [row.id for row in backend.traces(project, metadata={"plan": "t3"})] == ["t3"]
    assert backend.refuses("metadata_keys", "nobody-has-this") == "NOT_FOUND"


def traces(backend: Any, project: str) -> None:
    first = backend.ingest(
        [
            span("root", "t1", input="hi", output="ho", metadata={"user": "u1", "n": 1}, model="m", tokens_input=3),
            span("call", "t1", parent_span_id="root", scores=[InlineScoreDraft(scorer_name="tone", value=0.5)]),
        ],
        project,
    )
    assert (first.accepted, first.trace_ids) == (2, ["t1"])
    backend.ingest([span("root", "t2", error=SpanError(message="broke"))], project)
    assert [row.id for row in backend.traces(project)] == ["t2", "t1"]
    assert [row.id for row in backend.traces(project, has_error=True)] == ["t2"]
    assert [row.id for row in backend.traces(project, has_error=False, in_queue=False)] == ["t1"]
    assert [row.id for row in backend.traces(project, metadata={"user": "u1", "n": "1"})] == ["t1"]
    assert [row.id for row in backend.traces(project, metadata={"user": "u2"})] == []
    assert [row.id for row in backend.traces(project, before=GIVEN)] == []
    assert [row.id for row in backend.traces(project, after=GIVEN)] == ["t2", "t1"]
    assert [found.id for found in backend.trace("t1", project).spans] == ["call", "root"]
    assert backend.project_summary(project).traces.last_24h.error_count == 1
    assert backend.delete_trace("t2", project).id == "t2"
    for name in ("trace", "delete_trace"):
        assert backend.refuses(name, "t2", project) == "NOT_FOUND"
        assert backend.refuses(name, "..", project) == "NOT_FOUND"
        assert backend.refuses(name, "a\0b", project) == "INVALID_REQUEST"
    assert backend.refuses("ingest", [span("root", "t1")], project) == "DUPLICATE_SPAN"
    assert backend.refuses("ingest", [span("late", "t3", parent_span_id="call")], project)
    assert backend.refuses("ingest", [], project) == "INVALID_REQUEST"
    assert backend.refuses("ingest", [span(str(n), "long") for n in range(1001)], project) == "INVALID_REQUEST"
    assert backend.refuses("ingest", [span("root", "t4")], "not a project's name") == "INVALID_REQUEST"
    assert backend.refuses("ingest", [span("root", "t4")]) == "PROJECT_REQUIRED"
    assert backend.refuses("traces") == "PROJECT_REQUIRED"
    assert backend.refuses("traces", project, metadata={",": "x"}) == "INVALID_REQUEST"
    assert backend.refuses("traces", project, metadata={"": "x"}) == "INVALID_REQUEST"
    assert backend.refuses("traces", project, after=datetime(2026, 1, 1)) == "INVALID_REQUEST"


def trace_views(backend: Any, project: str) -> None:
    """What pages show of traces: skeleton, span, scores, facets, trends, search."""
    backend.ingest(
        [
            span("root", "t1", input="Which lamp?", output="x" * 30, metadata={"user": "u1"}, duration_ms=20),
            span("call", "t1", parent_span_id="root", model="m", scores=[InlineScoreDraft(scorer_name="s", value=0.5)]),
        ],
        project,
    )
    backend.ingest([span("root", "t2", input="a kettle", duration_ms=10, metadata={"user": "u2"})], project)
    assert backend.trace_skeleton("t1", project).spans.id == ["call", "root"]
    assert backend.span("t1", "root", project).truncated == []
    assert backend.span("t1", "root", project, max_bytes=10).truncated == ["input", "output"]
    assert [score.value for score in backend.trace_scores("t1", project).scores] == [0.5]
    assert backend.find_spans("t1", "LAMP", project).span_ids == ["root"]
    assert [row.id for row in backend.traces(project, sort="-duration")] == ["t1", "t2"]
    assert [row.id for row in backend.traces(project, min_duration_ms=15)] == ["t1"]
    assert [row.id for row in backend.traces(project, max_duration_ms=15)] == ["t2"]
    assert [row.id for row in backend.traces(project, scorer_name="s", min=0.25, max=0.75)] == ["t1"]
    assert [row.id for row in backend.traces(project, q="kett*")] == ["t2"]
    facets = backend.trace_facets(project, metadata={"user": "u1"}, q="lamp")
    assert (facets.total, facets.metadata[0].values[0].value) == (1, "u1")
    day = backend.trace_trends(project, after=GIVEN, before=datetime(2026, 2, 23, tzinfo=UTC))
    assert [bucket.count for bucket in day.buckets] == [0, 0]
    assert (
        len(backend.trace_trends(project, "hour", after=GIVEN, before=datetime(2026, 2, 22, tzinfo=UTC)).buckets) == 2
    )
    assert backend.text_search(project).enabled
    assert not backend.set_text_search(project, TextSearchDraft(enabled=False)).enabled
    assert backend.refuses("traces", project, q="lamp") == "INVALID_REQUEST"
    assert backend.refuses("traces", project, q="?") == "INVALID_REQUEST"
    assert backend.refuses("traces", project, sort="name") == "INVALID_REQUEST"
    assert backend.refuses("traces", project, min=0.5) == "INVALID_REQUEST"
    assert backend.refuses("trace_facets", project, min_duration_ms=-1) == "INVALID_REQUEST"
    assert backend.refuses("span", "t1", "nobody", project) == "NOT_FOUND"
    assert backend.refuses("span", "t1", "root", project, max_bytes=0) == "INVALID_REQUEST"
    assert backend.refuses("find_spans", "t1", "", project) == "INVALID_REQUEST"
    assert backend.refuses("trace_trends", project, "week") == "INVALID_REQUEST"
    for name in ("trace_skeleton", "trace_scores"):
        assert backend.refuses(name, "nowhere", project) == "NOT_FOUND"
    for name in ("trace_trends", "text_search"):
        assert backend.refuses(name, "nobody-has-this") == "NOT_FOUND"


def pairs(**attributes: str | float) -> list[KeyValue]:
    def value(told: str | float) -> AnyValue:
        return AnyValue(string_value=told) if isinstance(told, str) else AnyValue(double_value=told)

    return [KeyValue(key=key.replace("__", "."), value=value(told)) for key, told in attributes.items()]


def opentelemetry(backend: Any, project: str) -> None:
    """Spans and log records of OpenTelemetry, as protobuf."""
    resource = {"attributes": pairs(service__name="shop", gnomon__project=project)}
    at = int(GIVEN.timestamp() * 1e9)
    trace_id = sha256(project.encode()).digest()[:16]  # an unbound key sees the spans of all projects
    ids = {"trace_id": trace_id, "span_id": b"s" * 8}
    good = {**ids, "name": "chat", "start_time_unix_nano": at, "end_time_unix_nano": at + 1_500_000}
    said = pairs(gnomon__input='"hi"', gnomon__output='"ho"', gen_ai__request__model="m", long="x" * 5_000)
    spans = [{**good, "attributes": said}, {**good, "span_id": b"", "name": "nameless"}]
    request = ExportTraceServiceRequest(resource_spans=[{"resource": resource, "scope_spans": [{"spans": spans}]}])
    sent = request.SerializeToString()
    for _ in range(2):  # the second time they are there
        received = backend.send_traces(sent)
        assert received.rejected == 1
        assert "span_id is empty" in received.message
    (found,) = backend.trace(trace_id.hex(), project).spans
    assert (found.input, found.output, found.model, found.duration_ms) == ("hi", "ho", "m", 1.5)
    assert found.resource == {"service.name": "shop", "gnomon.project": project}
    record = {**ids, "time_unix_nano": at, "event_name": "gen_ai.evaluation.result"}
    score = pairs(gen_ai__evaluation__name="kind", gen_ai__evaluation__score__value=0.25)
    records = [{**record, "attributes": score}, {**record, "event_name": "other"}]
    told = ExportLogsServiceRequest(resource_logs=[{"resource": resource, "scope_logs": [{"log_records": records}]}])
    assert backend.send_logs(told.SerializeToString()).rejected == 1
    (scored,) = backend.scores(found.id, "span", trace_id=found.trace_id)
    assert (scored.scorer_name, scored.value) == ("kind", 0.25)
    assert backend.send_traces(b"").message is None
    elsewhere = f"{project}-other"
    assert backend.send_traces(sent, elsewhere).rejected == 1  # named, it wins over the resource
    assert [span.resource for span in backend.trace(trace_id.hex(), elsewhere).spans] == [found.resource]
    assert backend.send_logs(told.SerializeToString(), elsewhere).rejected == 1
    assert [one.project_id for one in backend.scores(found.id, "span", trace_id=found.trace_id)].count(elsewhere) == 1
    assert backend.refuses("send_traces", sent, "no project") == "INVALID_REQUEST"
    for name, cut in (("send_traces", sent), ("send_logs", told.SerializeToString())):
        assert backend.refuses(name, cut[:-1]) == "INVALID_REQUEST"


def scores(backend: Any, project: str) -> None:
    dataset_id, items = questions(backend, project)
    experiment = backend.create_experiment(ExperimentDraft(project_id=project, name="trial", dataset_id=dataset_id))
    accepted = backend.add_runs(
        experiment.id,
        [
            RunDraft(dataset_item_id=items[0], output="the answer a0 it is"),
            RunDraft(dataset_item_id=items[1], error=RunError(message="broke")),
        ],
    )
    run, broken = accepted.run_ids
    computed = backend.add_score(score(run, "contains"))
    assert (computed.value, computed.source) == (1.0, "builtin")
    given = backend.add_score(score(run, "people", value="good", source="human", rationale="why not"))
    assert (given.value, given.source) == ("good", "human")
    assert backend.add_score(score(broken, "contains")) is None
    many = backend.add_scores([score(run, "exact_match"), score(broken, "exact_match"), score(run, "tone", value=0.25)])
    assert [id is None for id in many.score_ids] == [False, True, False]
    listed = {row.scorer_name: row.value for row in backend.scores(run, "run")}
    assert listed == {"contains": 1.0, "people": "good", "exact_match": 0.0, "tone": 0.25}
    assert [row.value for row in backend.scores(run, scorer_name="tone")] == [0.25]
    states = list(backend.scoring_states(experiment_id=experiment.id))
    assert {(row.target_id, row.scorer_name, row.state) for row in states} == {
        (broken, "contains", "failed"),
        (broken, "exact_match", "failed"),
    }
    assert len(list(backend.scoring_states(target_id=broken, state="failed", scorer_name="contains"))) == 1
    trace = f"{project}-trace"  # an unbound key sees the spans of all projects
    backend.ingest([span("root", trace, output="[1, 2]")], project)
    pattern = score("root", "digits", "span", trace_id=trace, scorer="regex", config={"pattern": r"^\[\d"})
    assert backend.add_score(pattern).value == 1.0
    assert [row.scorer_name for row in backend.scores("root", "span", trace_id=trace)] == ["digits"]
    assert backend.refuses("add_score", score("nobody", "tone", value=1.0)) == "NOT_FOUND"
    assert backend.refuses("add_score", score(run, "no such scorer")) == "INVALID_REQUEST"
    assert backend.refuses("add_score", score(run, "regex", config={"pattern": "("})) == "INVALID_SCORER_CONFIG"
    asked = score(run, "llm_judge", config={"model": "nobody"})
    assert backend.refuses("add_score", asked) == "INVALID_SCORER_CONFIG"
    assert backend.refuses("add_scores", []) == "INVALID_REQUEST"
    assert backend.refuses("add_scores", [score(run, "tone", value=0.5), score("nobody", "tone", value=1.0)])
    assert list(backend.scores("nobody", "run")) == []
    assert backend.refuses("scores", run, "planet") == "INVALID_REQUEST"
    assert backend.refuses("scoring_states") == "INVALID_REQUEST"
    assert backend.refuses("scoring_states", experiment_id=experiment.id, state="lost") == "INVALID_REQUEST"


def stated_reasons(backend: Any, project: str) -> None:
    """A draft may say why there is no score, wherever a score may be given."""
    dataset_id, items = questions(backend, project, 1)
    experiment = backend.create_experiment(ExperimentDraft(project_id=project, name="trial", dataset_id=dataset_id))
    inline = InlineScoreDraft(scorer_name="kind", absent="nobody asked")
    (run,) = backend.add_runs(experiment.id, [RunDraft(dataset_item_id=items[0], output="x", scores=[inline])]).run_ids
    assert backend.add_score(score(run, "safe", failed="timed out")) is None
    many = backend.add_scores([score(run, "tone", absent="no text"), score(run, "size", value=0.5)])
    assert [id is None for id in many.score_ids] == [True, False]
    root = f"{project}-root"  # an unbound key sees the spans of all projects
    backend.ingest([span(root, "t1", scores=[InlineScoreDraft(scorer_name="kind", failed="timed out")])], project)
    assert [row.reason for row in backend.scoring_states(target_id=root)] == ["timed out"]
    told = backend.summary(experiment.id).scores_by_scorer
    assert {name: (row.n_absent, row.n_failed, row.reasons) for name, row in told.items()} == {
        "kind": (1, 0, {"nobody asked": 1}),
        "safe": (0, 1, {"timed out": 1}),
        "size": (0, 0, {}),
        "tone": (1, 0, {"no text": 1}),
    }
    assert backend.add_score(score(run, "kind", value=1.0)).value == 1.0
    backend.add_score(score(run, "size", failed="timed out"))
    states = {(row.scorer_name, row.state) for row in backend.scoring_states(target_id=run)}
    assert states == {("kind", "scored"), ("safe", "failed"), ("tone", "absent"), ("size", "scored"),
                      ("size", "failed")}  # fmt: skip
    both = ScoreDraft.model_construct(
        target_id=run, target_type="run", scorer_name="kind", value=1.0, absent="nobody asked"
    )
    assert backend.refuses("add_score", both) == "INVALID_REQUEST"


def asked_judges(backend: Any, project: str) -> None:
    """A judge's score is a job, wherever it was asked for."""
    dataset_id, items = questions(backend, project, 1)
    experiment = backend.create_experiment(ExperimentDraft(project_id=project, name="trial", dataset_id=dataset_id))
    judge = {"model": "openai/gpt-4o", "prompt_template": "Is this kind? {{input}} {{output}}"}
    asked = InlineScoreDraft(scorer_name="kind", scorer="llm_judge", config=judge)
    accepted = backend.add_runs(experiment.id, [RunDraft(dataset_item_id=items[0], output="x", scores=[asked])])
    (run,) = accepted.run_ids
    (job,) = accepted.job_ids
    assert (backend.job(job).kind, backend.job(job).status) == ("judge", "queued")
    other = backend.add_score(score(run, "llm_judge", config={**judge, "temperature": 0.5}))
    assert backend.cancel_job(other.job_id).scorer_name == "llm_judge"
    assert {row.state for row in backend.scoring_states(target_id=run)} == {"queued", "cancelled"}
    states = {state.scorer_name: (state.state, state.reason) for state in backend.run(run).score_states}
    assert states == {"kind": ("pending", None), "llm_judge": ("absent", "cancelled")}
    assert [row.id for row in backend.runs(experiment.id, scorer_name="kind", state="pending")] == [run]
    assert [row.id for row in backend.runs(experiment.id, scorer_name="llm_judge", reason="cancelled")] == [run]
    (about,) = backend.histogram(experiment.id, "kind").missing
    assert (about.state, about.reason, about.count) == ("pending", None, 1)
    (row,) = backend.experiment_rows(project)
    assert [(scorer.kind, scorer.n_pending, scorer.n_absent) for scorer in row.summary.scorers] == [
        (None, 1, 0),
        (None, 0, 1),
    ]


def hostile_values(backend: Any, project: str) -> None:
    """What Python can hold and JSON or a database cannot is taken, or refused, the same everywhere."""
    dataset = backend.create_dataset(DatasetDraft(project_id=project, name="odd"))
    item = backend.add_item(dataset.id, ItemDraft(input=(1, (2.0, "x"), {3: None})))
    assert item.input == [1, [2.0, "x"], {"3": None}]
    for wrong in ("a\0b", ["\ud800"], {"deep": object()}, 10**400, [float("nan")], {"x": float("-inf")}):
        assert backend.refuses("add_item", dataset.id, ItemDraft(input=wrong)) == "INVALID_REQUEST"
    lines = [ItemDraft(input="kept"), ItemDraft(input="a\0b"), ItemDraft(input="x" * 1_000_001), ItemDraft(input=0)]
    imported = backend.import_items(dataset.id, lines)
    assert (imported.imported_count, [row.line for row in imported.skipped]) == (2, [2, 3])
    assert backend.refuses("import_items", dataset.id, [ItemDraft(input=object())]) == "INVALID_REQUEST"
    assert len(list(backend.items(dataset.id))) == 3
    for id in ("a\0b", "half \ud800"):
        assert backend.refuses("dataset", id) == "INVALID_REQUEST"
        assert backend.refuses("datasets", id) == "INVALID_REQUEST"
        assert backend.refuses("traces", project, metadata={"user": id}) == "INVALID_REQUEST"
        assert backend.refuses("traces", project, metadata={id: "u1"}) == "INVALID_REQUEST"
        assert backend.refuses("drift", project, DriftOptions.model_construct(by=id)) == "INVALID_REQUEST"


def costly_scores(backend: Any, project: str) -> None:
    """What a request may spend on a score, an embedded one may: beyond it there is no score, but the same reason."""
    dataset_id, items = questions(backend, project, 1)
    experiment = backend.create_experiment(ExperimentDraft(project_id=project, name="trial", dataset_id=dataset_id))
    long = "ab" * 40_000
    (run,) = backend.add_runs(experiment.id, [RunDraft(dataset_item_id=items[0], output=long)]).run_ids
    assert backend.add_score(score(run, "similarity", config={"expected_output": "ba" * 40_000})) is None
    (state,) = backend.scoring_states(target_id=run)
    assert state.state == "failed"
    assert "a request may take" in state.reason


def score(target_id: str, scorer_name: str, target_type: str = "run", **fields: Any) -> ScoreDraft:
    about = {"target_id": target_id, "target_type": target_type, "scorer_name": scorer_name}
    return ScoreDraft.model_validate({**about, **fields})


def rules(backend: Any, project: str) -> None:
    scorer = {"scorer_name": "contains", "config": {"expected_output": "x"}}
    draft = RuleDraft.model_validate({"project_id": project, "name": "tidy", "scorer": scorer})
    assert backend.preview_rule(draft).targets == 0
    rule = backend.create_rule(draft)
    assert backend.rule(rule.id) == rule
    assert [row.name for row in backend.rules(project)] == ["tidy"]
    assert len(backend.ingest([span("root", "t1", output="x")], project).job_ids) == 1
    assert backend.change_rule(rule.id, RuleChange(enabled=False, sampling_rate=0.5)).enabled is False
    assert backend.refuses("create_rule", draft) == "CONFLICT"
    assert backend.delete_rule(rule.id).id == rule.id
    for name, *more in (("rule",), ("change_rule", RuleChange(name="other")), ("delete_rule",)):
        assert backend.refuses(name, rule.id, *more) == "NOT_FOUND"
    assert backend.refuses("rules") == "PROJECT_REQUIRED"


def datasets(backend: Any, project: str) -> None:
    dataset_id, items = questions(backend, project, 2)
    assert backend.dataset(dataset_id).name == "questions"
    imported = backend.import_items(dataset_id, [ItemDraft(input=n) for n in range(450)])
    assert (imported.imported_count, imported.skipped_count) == (450, 0)
    assert backend.import_items(dataset_id, []).imported_count == 0
    assert len(list(backend.items(dataset_id))) == 452
    assert [row.input for row in backend.items(dataset_id, 2)] == ["q0"]
    assert backend.delete_item(dataset_id, items[0]).id == items[0]
    assert len(list(backend.items(dataset_id))) == 451
    assert [row.id for row in backend.datasets(project)] == [dataset_id]
    assert backend.refuses("create_dataset", DatasetDraft(project_id=project, name="questions")) == "CONFLICT"
    assert backend.refuses("create_dataset", DatasetDraft(name="whose?")) == "PROJECT_REQUIRED"
    assert backend.refuses("delete_item", dataset_id, items[0]) == "NOT_FOUND"
    assert backend.refuses("delete_item", dataset_id, "..") == "NOT_FOUND"
    assert backend.refuses("items", dataset_id, 0) == "INVALID_REQUEST"
    assert backend.refuses("items", dataset_id, 99) == "NOT_FOUND"
    first = backend.sync_items(
        dataset_id, [ItemDraft(key="a", input="q1"), ItemDraft(input=(1, 2)), ItemDraft(input=7)]
    )
    assert (first.added, first.changed, first.removed, first.kept) == (2, 0, 450, 1)
    second = backend.sync_items(
        dataset_id, [ItemDraft(input=7.0), ItemDraft(input=[1, 2]), ItemDraft(key="a", input=3)]
    )
    assert (second.version, second.changed, second.item_ids[:2]) == (first.version + 1, 1, first.item_ids[:0:-1])
    assert backend.sync_items(dataset_id, (row for row in [])).removed == 3
    twice = [ItemDraft(key="a", input=1), ItemDraft(key="a", input=2)]
    assert backend.refuses("sync_items", dataset_id, twice) == "INVALID_REQUEST"
    assert backend.refuses("import_items", dataset_id, twice) == "CONFLICT"
    assert backend.refuses("sync_items", dataset_id, [ItemDraft(input="a\0b")]) == "INVALID_REQUEST"
    assert backend.refuses("sync_items", dataset_id, [ItemDraft(input=1)] * 100_001) == "INVALID_REQUEST"
    assert backend.add_item(dataset_id, ItemDraft(key="a", input=1)).key == "a"
    assert backend.refuses("add_item", dataset_id, ItemDraft(key="a", input=1)) == "CONFLICT"
    assert backend.delete_dataset(dataset_id).id == dataset_id
    for name, *more in (("dataset",), ("items",), ("delete_dataset",), ("add_item", ItemDraft(input=1)),
                        ("import_items", [ItemDraft(input=1)]), ("sync_items", [ItemDraft(input=1)])):  # fmt: skip
        assert backend.refuses(name, dataset_id, *more) == "NOT_FOUND"


def experiments(backend: Any, project: str) -> None:
    dataset_id, items = questions(backend, project, 6)
    base = measured(backend, project, dataset_id, items, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], name="before")
    other = measured(backend, project, dataset_id, items, [0.5, 0.6, 0.7, 0.8, 0.9, 1.0], name="after")
    assert backend.experiment(base).name == "before"
    assert [row.name for row in backend.experiments(project)] == ["after", "before"]
    assert [row.name for row in backend.experiments(project, dataset_id)] == ["after", "before"]
    assert [row.name for row in backend.experiments(project, name="before")] == ["before"]
    assert list(backend.experiments(project, name="Before")) == []
    assert [row.name for row in backend.experiments(project, q="BEF")] == ["before"]
    assert backend.complete(base).status == "completed"
    assert backend.summary(base).scores_by_scorer["quality"].mean == 0.35
    options = {"missing": "zero", "pass_threshold": 0.5, "cluster_by": "topic", "interval": "t_clipped"}
    assert backend.summary(base, **options).scores_by_scorer["quality"].mean == 0.35
    (found,) = backend.compare(base, other, 0.01, "drop", "t_clipped").scorer_comparisons
    assert found.verdict == "improved"
    backend.compare(other, base)
    bar = ThresholdDraft(scorer_name="quality", metric="mean", threshold=0.7)
    assert backend.threshold(other, bar).passed
    assert not backend.threshold(base, bar).passed
    assert backend.variance(base, "quality", other).paired_items == 6
    backend.variance(base, "quality")
    board = backend.leaderboard(dataset_id, "quality")
    assert [row.agent_id for row in board.agents] == ["after", "before"]
    assert board.words is not None
    assert board.words.headline in backend.leaderboard_page(dataset_id, "quality")
    backend.leaderboard(
        dataset_id, "quality", LeaderboardOptions(missing="zero", k=1, pass_threshold=0.5, min_effect=0.1)
    )
    assert [row.scores[0].value for row in backend.runs(base)] == [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
    chosen = backend.runs(base, scorer_name="quality", min=0.2, max=0.5, sort="score")
    assert [row.scores[0].value for row in chosen] == [0.2, 0.3, 0.4, 0.5]
    again = RunDraft(dataset_item_id=items[0], output="x")
    assert backend.refuses("add_runs", other, [again]) == "DUPLICATE_RUN"
    assert backend.refuses("add_runs", base, [again.model_copy(update={"trial": 1})])
    assert backend.refuses("add_runs", other, []) == "INVALID_REQUEST"
    assert backend.refuses("complete", base) == "EXPERIMENT_COMPLETED"
    for name, *more in (("experiment",), ("summary",), ("runs",), ("complete",), ("compare", base),
                        ("threshold", bar), ("variance", "quality"), ("add_runs", [again])):  # fmt: skip
        assert backend.refuses(name, "nobody", *more) == "NOT_FOUND"
    for options in ({"missing": "guess"}, {"pass_threshold": 1.5}, {"cluster_by": ""}, {"interval": "wild"}):
        assert backend.refuses("summary", base, **options) == "INVALID_REQUEST"
    for options in ({"missing": "guess"}, {"min_effect": -1.0}, {"min_effect": float("nan")}, {"interval": "wild"}):
        assert backend.refuses("compare", base, other, **options) == "INVALID_REQUEST"
    for options in ({"min": 0.5}, {"sort": "score"}, {"sort": "size"}, {"scorer_name": "quality", "max": float("inf")}):
        assert backend.refuses("runs", base, **options) == "INVALID_REQUEST"
    assert backend.refuses("leaderboard", "nobody", "quality") == "NOT_FOUND"
    assert backend.refuses("leaderboard_page", "nobody", "quality") == "NOT_FOUND"
    assert backend.refuses("transcript", next(iter(backend.runs(base))).id) == "NOT_FOUND"
    assert backend.refuses("experiments") == "PROJECT_REQUIRED"
    assert backend.refuses("delete_dataset", dataset_id, cascade=False) == "DATASET_IN_USE"
    assert backend.delete_experiment(base).id == base
    assert backend.refuses("delete_experiment", base) == "NOT_FOUND"
    assert [row.name for row in backend.experiments(project)] == ["after"]
    assert backend.delete_dataset(dataset_id, cascade=True).id == dataset_id
    assert list(backend.experiments(project)) == []
    assert backend.delete_project(project, project).id == project
    assert backend.refuses("project", project) == "NOT_FOUND"


def looked_at(backend: Any, project: str) -> None:
    """What pages show: rows with means, lean runs, one run, a histogram, and a comparison item by item."""
    dataset_id, items = questions(backend, project, 6)
    base = measured(backend, project, dataset_id, items, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], name="before")
    other = measured(backend, project, dataset_id, items, [0.5, 0.1, 0.7, 0.8, 0.9, 1.0], name="after")
    row, *_ = backend.experiment_rows(project, dataset_id, status="running", q="BEFORE")
    assert (row.id, row.summary.scorers[0].mean, row.summary.scorers[0].kind) == (base, 0.35, "numeric")
    assert list(backend.experiment_rows(project, name="before", metadata={"model": "none"})) == []
    assert list(backend.experiments(project, status="completed", metadata={"a": "b"})) == []
    (asked,) = backend.lean_items(dataset_id, q="Q3")
    assert (asked.id, asked.input, asked.input_size) == (items[3], "q3", 2)
    assert [item.id for item in backend.items(dataset_id, q="Q3")] == [items[3]]
    assert [(row.id, row.experiment_count) for row in backend.dataset_rows(project)][:1] == [(dataset_id, 2)]
    assert list(backend.datasets(project, q="no such name")) == []
    assert backend.item_quality(dataset_id, "quality", solved="never").items[0].input == "q1"
    assert backend.refuses("item_quality", dataset_id, "quality", solved="once") == "INVALID_REQUEST"
    assert backend.refuses("lean_items", dataset_id, q="") == "INVALID_REQUEST"
    lean = list(backend.lean_runs(base, sort="item"))
    assert [(run.input, run.scores[0].value) for run in lean[:2]] == [("q0", 0.1), ("q1", 0.2)]
    about = {"scorer_name": "quality", "state": "scored", "trial": 0, "has_error": False, "q": "Q3"}
    (found,) = backend.runs(base, dataset_item_id=items[3], **about)
    assert backend.run(found.id).input == "q3"
    assert backend.run(found.id, 1).truncated == ["input", "output", "expected_output"]
    assert list(backend.lean_runs(base, scorer_name="quality", state="absent", reason="why", label="good")) == []
    assert backend.histogram(base, "quality", 2).counts == [4, 2]
    backend.histogram(base, "nobody")
    assert backend.compare(base, other, items="none").per_item_results == []
    (worse,) = backend.compared_items(base, other, "quality", show="regressed")
    assert (worse.dataset_item_id, worse.delta, worse.base[0].score) == (items[1], -0.1, 0.2)
    every = backend.compared_items(base, other, "quality", missing="zero", sort="-delta", q="q")
    assert [item.change for item in every] == ["improved"] * 5 + ["regressed"]
    assert backend.comparison_points(base, other, "quality", "zero").counts.improved == 5
    for name, *more in (("run",), ("lean_runs",), ("histogram", "q"), ("compared_items", base, "quality"),
                        ("comparison_points", base, "quality")):  # fmt: skip
        assert backend.refuses(name, "nobody", *more) == "NOT_FOUND"
    for options in ({"state": "queued"}, {"scorer_name": "q", "state": "queued"}, {"state": "absent"}, {"trial": -1},
                    {"q": ""}, {"reason": "x"}, {"scorer_name": "q", "state": "absent", "sort": "score"}):  # fmt: skip
        assert backend.refuses("runs", base, **options) == "INVALID_REQUEST"
        assert backend.refuses("lean_runs", base, **options) == "INVALID_REQUEST"
    for options in ({"show": "better"}, {"sort": "size"}, {"q": "x" * 201}, {"missing": "guess"}):
        assert backend.refuses("compared_items", base, other, "quality", **options) == "INVALID_REQUEST"
    assert backend.refuses("compare", base, other, items="some") == "INVALID_REQUEST"
    assert backend.refuses("comparison_points", base, other, "quality", "guess") == "INVALID_REQUEST"
    assert backend.refuses("histogram", base, "quality", 0) == "INVALID_REQUEST"
    assert backend.refuses("run", found.id, 0) == "INVALID_REQUEST"
    for name in ("experiments", "experiment_rows"):
        assert backend.refuses(name, project, status="done") == "INVALID_REQUEST"
    assert backend.refuses("experiment_rows") == "PROJECT_REQUIRED"


def replaced_runs(backend: Any, project: str) -> None:
    """A run that ended in an error may be attempted again, also when the experiment is completed."""
    dataset_id, items = questions(backend, project, 2)
    draft = ExperimentDraft(project_id=project, name="trial", dataset_id=dataset_id)
    experiment = backend.create_experiment(draft).id
    broken = [RunDraft(dataset_item_id=item, error=RunError(message="broke")) for item in items]
    ids = backend.add_runs(experiment, broken).run_ids
    assert backend.refuses("add_runs", experiment, broken) == "DUPLICATE_RUN"
    backend.complete(experiment)
    inline = [InlineScoreDraft(scorer_name="exact_match")]
    good = RunDraft(dataset_item_id=items[0], output="a0", scores=inline, trace_id="t1")
    accepted = backend.add_runs(experiment, [good, broken[1]], replace_failed=True)
    assert accepted.run_ids == ids
    found = {run.id: run for run in backend.runs(experiment)}
    assert [(found[id].output, found[id].attempts) for id in ids] == [("a0", 2), (None, 2)]
    assert [row.value for row in found[ids[0]].scores] == [1.0]
    summary = backend.summary(experiment)
    assert (summary.run_count, summary.failed_run_count, summary.status) == (2, 1, "completed")
    assert backend.refuses("add_runs", experiment, [good], replace_failed=True) == "DUPLICATE_RUN"
    new = good.model_copy(update={"trial": 1})
    assert backend.refuses("add_runs", experiment, [new], replace_failed=True) == "EXPERIMENT_COMPLETED"
    assert backend.refuses("add_runs", "nobody", [good], replace_failed=True) == "NOT_FOUND"


def evaluations(backend: Any, project: str) -> None:
    """An evaluation holds its experiment, may stop early, and says what is no mean of scores."""
    dataset_id, items = questions(backend, project, 6)
    base = measured(backend, project, dataset_id, items, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], name="before")
    other = measured(backend, project, dataset_id, items, [0.5, 0.6, 0.7, 0.8, 0.9, 1.0], name="after")
    mine = HoldDraft(holder="mine", seconds=60)
    assert backend.hold(other, mine).holder == "mine"
    assert backend.hold(other, mine).held_until is not None
    assert backend.refuses("hold", other, HoldDraft(holder="yours", seconds=0)) == "HELD"
    assert backend.hold(other, HoldDraft(holder="yours", seconds=1, instead_of="mine")).holder == "yours"
    assert backend.hold(other, HoldDraft(holder="yours", seconds=0)).holder is None
    bleu = MetricDraft(value=27, confidence_interval_95=(25.0, 30.0), ci_method="bootstrap", n=6)
    metrics = MetricsDraft(metrics={"bleu": bleu, "ece": MetricDraft(reason="no confidence was given")})
    told = backend.set_metrics(other, metrics)
    assert backend.summary(other).metrics == told.metrics
    stopping = StoppingDraft(
        scorer_name="quality", kind="difference", text="quality not worse than before", outcome="better", items=6,
        max_items=10, against=base, mean=0.4, confidence_interval_95=(0.01, 0.8), ci_method="betting_mixture",
    )  # fmt: skip
    unknown = stopping.model_copy(update={"against": "nobody"})
    assert backend.refuses("complete", other, unknown) == "NOT_FOUND"
    wrong = stopping.model_copy(update={"outcome": "passed"})
    assert backend.refuses("complete", other, wrong) == "INVALID_REQUEST"
    assert backend.complete(other, stopping).stopping.outcome == "better"
    assert backend.summary(other).scores_by_scorer["quality"].ci_method == "betting_mixture"
    assert backend.refuses("summary", other, cluster_by="topic") == "INVALID_REQUEST"
    (found,) = backend.compare(base, other).scorer_comparisons
    assert found.flags == ["stopped_early"]
    bar = ThresholdDraft(scorer_name="quality", metric="mean", threshold=0.7, bound="ci")
    assert backend.threshold(other, bar).flags == ["stopped_early"]
    assert backend.leaderboard(dataset_id, "quality").agents[0].flags == ["stopped_early"]
    for name, draft in (("hold", mine), ("set_metrics", metrics), ("complete", stopping)):
        assert backend.refuses(name, "nobody", draft) == "NOT_FOUND"


def jobs(backend: Any, project: str) -> None:
    dataset_id, items = questions(backend, project)
    experiment = measured(backend, project, dataset_id, items, [0.1, 0.2, 0.3])
    backend.ingest([span("root", "t1", output="x")], project)
    by_rules = [ScorerSpec(scorer_name="exact_match")]
    whole = ScoreExperimentDraft(scorers=by_rules)
    past = ScoreSpansDraft.model_validate({"project_id": project, "scorers": [{"scorer_name": "exact_match"}]})
    assert backend.preview_experiment(experiment, whole).targets == 3
    assert backend.preview_spans(past).targets == 1
    assert list(backend.jobs(project)) == []
    first, second = backend.score_experiment(experiment, whole).job_id, backend.score_spans(past).job_id
    assert backend.job(first).status == "queued"
    assert [row.id for row in backend.jobs(project)] == [second, first]
    assert backend.cancel_job(first).status == "cancelled"
    assert [row.id for row in backend.jobs(project, status="cancelled")] == [first]
    assert backend.refuses("cancel_job", first)
    assert backend.retry_job(first).status == "queued"
    assert backend.refuses("retry_job", second)
    assert backend.refuses("jobs", project, status="lost")
    bad = ScoreExperimentDraft(scorers=[ScorerSpec(scorer_name="no such scorer")])
    for name in ("score_experiment", "preview_experiment"):
        assert backend.refuses(name, "nobody", whole) == "NOT_FOUND"
        assert backend.refuses(name, experiment, bad) == "INVALID_REQUEST"
    for name in ("job", "retry_job", "cancel_job"):
        assert backend.refuses(name, "nobody") == "NOT_FOUND"


def played(backend: Any, project: str) -> None:
    dataset_id, items = questions(backend, project)
    candidate = CandidateDraft(messages=[PromptMessage(role="user", content="{{input}}")], model="openai/gpt-4o-mini")
    draft = PlaygroundDraft(project_id=project, candidates=[candidate], dataset_id=dataset_id, item_ids=items[:2])
    preview = backend.preview_playground(draft)
    assert (preview.calls, preview.candidates[0].cannot_ask) == (2, None)
    accepted = backend.run_playground(draft)
    assert (accepted.answers, accepted.item_ids) == (2, items[:2])
    assert backend.job(accepted.job_id).kind == "playground"
    assert backend.experiment(accepted.experiments[0].experiment_id).name == accepted.experiments[0].name
    assert backend.askable_models(project, model="groq/llama-3").cannot_ask
    assert backend.refuses("askable_models") == "PROJECT_REQUIRED"
    elsewhere = draft.model_copy(update={"dataset_id": "nobody"})
    unasked = draft.model_copy(update={"candidates": [candidate.model_copy(update={"model": "groq/llama-3"})]})
    for name in ("preview_playground", "run_playground"):
        assert backend.refuses(name, elsewhere) == "NOT_FOUND"
    assert backend.refuses("run_playground", unasked) == "INVALID_REQUEST"


def reviews(backend: Any, project: str) -> None:
    backend.ingest([span("root", "t1", input="q", output="a"), span("call", "t1", parent_span_id="root")], project)
    backend.ingest([span("root", "t2")], project)
    said = AnnotationDraft(project_id=project, trace_id="t1", annotator="ann", label="bad", correction="b")
    annotation = backend.annotate(said)
    backend.annotate(said.model_copy(update={"span_id": "call", "notes": "here"}))
    assert backend.annotation(annotation.id) == annotation
    assert len(list(backend.annotations("t1", project_id=project))) == 2
    assert len(list(backend.annotations("t1", span_id="call", project_id=project))) == 1
    assert backend.queue_trace("t1", project).queued
    assert backend.queue_trace("t2", project).queued
    assert [row.trace_id for row in backend.review_queue(project)] == ["t1", "t2"]
    assert [row.trace_id for row in backend.review_queue(project, status="pending")] == ["t2"]
    assert [row.trace_id for row in backend.review_queue(project, status="annotated", annotator="ann")] == ["t1"]
    assert not backend.unqueue_trace("t1", project).queued
    dataset = backend.create_dataset(DatasetDraft(project_id=project, name="mended"))
    item = backend.annotation_to_item(annotation.id, ToItemDraft(dataset_id=dataset.id))
    assert (item.input, item.expected_output) == ("q", "b")
    assert backend.refuses("review_queue", project, status="lost") == "INVALID_QUEUE_STATUS"
    assert backend.refuses("review_queue") == "PROJECT_REQUIRED"
    assert backend.refuses("annotate", said.model_copy(update={"trace_id": "t9"})) == "NOT_FOUND"
    assert backend.refuses("annotate", said.model_copy(update={"span_id": "x"})) == "INVALID_ANNOTATION_SCOPE"
    assert backend.refuses("annotation", "nobody") == "NOT_FOUND"
    assert backend.refuses("annotations", "t9", project_id=project) == "NOT_FOUND"
    assert backend.refuses("annotation_to_item", annotation.id, ToItemDraft(dataset_id="nobody")) == "NOT_FOUND"
    for name in ("queue_trace", "unqueue_trace"):
        assert backend.refuses(name, "t9", project) == "NOT_FOUND"
        assert backend.refuses(name, "..", project) == "NOT_FOUND"


def review_cards(backend: Any, project: str) -> None:
    dataset_id, items = questions(backend, project, 2)
    first, second = sorted(row.id for row in backend.runs(measured(backend, project, dataset_id, items, [1, 0])))
    assert backend.review_settings(project).scorer_name == "human_label"
    assert backend.set_review_settings(project, ReviewSettingsDraft(reviews_wanted=2)).blind
    assert backend.queue_run(first, QueueReasonDraft(reason="look")).queued
    both = [QueueTarget(target_type="run", target_id=id) for id in (first, second)]
    queued = backend.queue_targets(QueueDraft(project_id=project, targets=both))
    assert (queued.queued, queued.already) == (1, 1)
    card = backend.next_card(project, annotator="ann").card
    assert (card.run_id, card.reason) == (first, "look")
    assert backend.next_card(project, after=f"run/{first}", direction="next", annotator="ann").card.run_id == second
    assert backend.claim_next_card(NextClaimDraft(project_id=project, annotator="ann")).card.run_id == first
    assert backend.claim_card("run", first, ClaimDraft(annotator="ann"), project).claimed_by == "ann"
    assert backend.refuses("claim_card", "run", first, ClaimDraft(annotator="bob"), project) == "CLAIMED"
    assert backend.release_card("run", first, "ann", project).claimed_by is None
    made = backend.annotate(AnnotationDraft(run_id=first, annotator="ann", label="correct"))
    assert backend.correct_annotation(made.id, AnnotationChange(label="harmful")).scores[0].value == 0
    assert backend.review_card("run", first).annotations[0].label == "harmful"
    assert backend.queue_counts(project, "ann").mine == 1
    assert len(list(backend.review_queue(project, mine=False, annotator="ann", target_type="run"))) == 1
    assert len(list(backend.annotations(run_id=first))) == 1
    of_experiment = backend.run(first).experiment_id
    assert [said.id for said in backend.annotations(experiment_id=of_experiment)] == [made.id]
    assert backend.refuses("annotations", experiment_id="nobody") == "NOT_FOUND"
    assert backend.review_agreement(project).labels.n == 0
    assert backend.undo_annotation(made.id).deleted
    assert not backend.unqueue_run(first).queued
    assert backend.refuses("annotations") == "INVALID_REQUEST"
    for name in ("queue_run", "unqueue_run", "undo_annotation", "review_settings"):
        assert backend.refuses(name, "nobody") == "NOT_FOUND"
    assert backend.refuses("review_card", "run", first) == "NOT_FOUND"


def judges(backend: Any, project: str) -> None:
    dataset_id, items = questions(backend, project, 12)
    experiment = backend.create_experiment(ExperimentDraft(project_id=project, name="trial", dataset_id=dataset_id))
    told = {"model": "claude-sonnet-4", "cost_usd": 0.002}
    backend.add_runs(
        experiment.id,
        [
            RunDraft(
                dataset_item_id=item,
                output="x" * (n + 1),
                scores=[
                    InlineScoreDraft(scorer_name="tone/v1", value=float(n % 3 > 0), metadata=told),
                    InlineScoreDraft(scorer_name="people", value=float(n % 2), source="human"),
                ],
            )
            for n, item in enumerate(items)
        ],
    )
    assert list(backend.judges(project)) == []  # these scores were sent: no judge was asked here
    assert backend.calibration("tone/v1", "people", project).n_labelled == 12
    assert backend.judge_card("tone/v1", project, human="people").scores == 12
    backend.to_label("tone/v1", project, human="people", mode="informative", limit=1, target_width=0.1)
    assert backend.refuses("probe_plan", "tone/v1", project, samples=5, seed=1)  # as no judge was asked here
    assert backend.refuses("probe_judge", "tone/v1", ProbeDraft(project_id=project, samples=5))
    assert backend.refuses("calibration", "nobody", "people", project)
    assert backend.refuses("judge_card", "nobody", project)
    for options in ({"limit": 0}, {"limit": 201}, {"target_width": 0.0}, {"target_width": 0.6}, {"mode": "wild"}):
        assert backend.refuses("to_label", "tone/v1", project, **options) == "INVALID_REQUEST"
    for name in ("judges", "judge_card", "calibration"):
        given = {"judges": (), "judge_card": ("tone/v1",), "calibration": ("tone/v1", "people")}[name]
        assert backend.refuses(name, *given) == "PROJECT_REQUIRED"


def drifts(backend: Any, project: str) -> None:
    for day in range(1, 11):
        backend.ingest(
            [
                span(f"{day}-{n}", f"{day}-{n}", start_time=GIVEN.replace(day=day), model="m",
                     scores=[InlineScoreDraft(scorer_name="helpful", value=float(n < (18 if day < 8 else 4)))])
                for n in range(20)
            ],
            project,
        )  # fmt: skip
    assert backend.drift(project).status == "alarm"
    options = DriftOptions(scorer_name="helpful", reference="2026-02-01..2026-02-05", by="model", until="2026-02-07")
    assert backend.drift(project, options).status == "quiet"
    assert backend.refuses("drift", project, DriftOptions(reference="yesterday"))
    assert backend.refuses("drift", project, DriftOptions(until="tomorrow"))


def outcomes(backend: Any, project: str) -> None:
    def iteration(number: int, version: str = "2.1.0+gnomon.3") -> dict[str, Any]:
        row = {"signal": "landed", "label": "Landed", "present": True, "sub_score": 1.0, "detail": "seen",
               "nominal_weight": 1.0, "effective_weight": 1.0, "contribution": 1.0}  # fmt: skip
        return {"iteration": number, "rubric_version": version, "profile": "gnomon", "scored": True, "value": 1.0,
                "band": "excellent", "breakdown": [row], "session_id": "s1"}  # fmt: skip

    def batch(*rows: dict[str, Any]) -> IterationBatchDraft:
        return IterationBatchDraft.model_validate({"project_id": project, "source": "repo", "iterations": list(rows)})

    accepted = backend.push_iterations(batch(iteration(1), iteration(2)))
    assert (accepted.created, accepted.updated) == (2, 0)
    assert backend.push_iterations(batch(iteration(2))).updated == 1
    newest, _ = backend.iterations(project)
    assert backend.iteration(newest.id) == newest
    everything = {"session_id": "s1", "band": "excellent", "provisional": newest.provisional}
    assert len(list(backend.iterations(project, "repo", newest.rubric_version, **everything))) == 2
    assert list(backend.iterations(project, "other")) == []
    assert len(list(backend.outcome_sessions(project, "repo", newest.rubric_version))) == 1
    assert backend.honesty(project, "repo", newest.rubric_version).rubric_version == newest.rubric_version
    page = backend.outcomes_page(project, "repo", newest.rubric_version)
    assert page.startswith("<!doctype html>")
    backend.push_iterations(batch(iteration(3, "2.1.0") | {"profile": "compat"}))
    assert backend.honesty(project, session_id="s1", agent="x", model="y", label="z").n_iterations == 0
    by_default = backend.honesty(project)
    assert by_default.rubric_version == newest.rubric_version
    assert by_default.rubric_versions == ["2.1.0", newest.rubric_version]
    of_iterations(backend, project, newest)
    assert backend.refuses("push_iterations", batch(iteration(4) | {"value": 0.25}))
    assert backend.refuses("iteration", "nobody") == "NOT_FOUND"
    for name in (
        "iterations",
        "outcome_sessions",
        "honesty",
        "outcomes_page",
        "iteration_facets",
        "iteration_summary",
        "iteration_trend",
    ):
        assert backend.refuses(name) == "PROJECT_REQUIRED"


def of_iterations(backend: Any, project: str, newest: Any) -> None:
    """Iterations as groups, and as targets of scores."""
    score = ScoreDraft(target_type="iteration", target_id=newest.id, scorer_name="human_label", value=1.0)
    assert backend.add_score(score).target_type == "iteration"
    assert {one.scorer_name for one in backend.scores(newest.id, "iteration")} == {
        "outcome", "outcome.landed", "human_label",
    }  # fmt: skip
    facets = backend.iteration_facets(project, IterationOptions(source="repo"))
    assert [(one.value, one.count) for one in facets.sessions] == [("s1", 3)]
    shown = backend.iteration_trend(project, IterationTrendOptions(session_id="s1", provisional=False, limit=1))
    assert ([point.iteration for point in shown.iterations], shown.total, shown.has_older) == ([2], 2, True)
    older = backend.iteration_trend(project, IterationTrendOptions(source="repo", before=2))
    assert ([point.iteration for point in older.iterations], older.has_older) == ([1], False)
    assert backend.iteration_trend(project).sessions[0].session_id == "s1"
    around = backend.iteration_context(newest.id)
    assert (around.previous.iteration, around.next, around.trace_count) == (1, None, 0)
    assert backend.refuses("iteration_context", "nobody") == "NOT_FOUND"
    options = IterationSummaryOptions(cluster_by="task", missing="zero", interval="t_clipped")
    assert backend.iteration_summary(project, options).scores_by_scorer["outcome"].mean == 1.0
    bar = IterationThresholdOptions(comparison="gt", bound="ci", min_n=1, cluster_by="task")
    assert backend.iteration_threshold("outcome", "mean", 0.5, project, bar).decision == "undecided"
    assert backend.iteration_threshold("outcome", "mean", 0.5, project).decision == "pass"
    both = IterationComparisonOptions(a="2.1.0", b=newest.rubric_version, cluster_by="task", min_effect=0.1)
    found = backend.compare_iterations("rubric", project, both)
    assert (found.base.n_iterations, found.compare.n_iterations) == (1, 2)
    assert found.scorer_comparisons[0].verdict == "inconclusive"
    assert backend.refuses("compare_iterations", "model", project) == "GROUPS_UNCLEAR"
    assert backend.refuses("compare_iterations", "weather", project) == "INVALID_REQUEST"
    assert backend.refuses("iteration_threshold", "outcome", "pass_at_k", 0.5, project) == "INVALID_REQUEST"


def pages_of_the_web(backend: Any, project: str) -> None:
    """What the web application reads that nobody else does."""
    dataset_id, items = questions(backend, project, 6)
    for n in range(6):
        values = [min(1.0, 0.1 * at + 0.1 * n) for at in range(6)]
        backend.complete(measured(backend, project, dataset_id, items, values, name=f"e{n}"))
    backend.ingest([span("s", "t", scores=[InlineScoreDraft(scorer_name="helpful", value=0.5)])], project)
    assert backend.dashboard(project).experiments.completed_count == 6
    assert backend.dashboard(project, "30d").traces.count == 1
    assert [point.name for point in backend.trends(project)] == [f"e{n}" for n in range(6)]
    newest = backend.trends(project, scorer_name="quality", dataset_id=dataset_id, after=GIVEN, sort="-completed_at")
    assert next(iter(newest)).name == "e5"
    (series,) = backend.score_trends(project, after=GIVEN.replace(day=20), before=GIVEN.replace(day=23)).series
    assert [(point.n, point.mean) for point in series.points] == [(1, 0.5)]
    hours = {"after": GIVEN.replace(day=20), "before": GIVEN.replace(day=23)}
    assert len(backend.score_trends(project, scorer_name="helpful", bucket="hour", **hours).series) == 1
    assert [scorer.name for scorer in backend.scorers(project)] == ["helpful", "quality"]
    assert [scorer.name for scorer in backend.scorers(project, dataset_id)] == ["quality"]
    assert backend.words().verdicts["improved"].startswith("better")
    assert backend.jobs_summary(project).counts["done"] == 0
    for options in ({"sort": "name"}, {"after": "now"}):
        assert backend.refuses("trends", project, **options) == "INVALID_REQUEST"
    for options in ({"bucket": "week"}, {"after": GIVEN, "before": GIVEN}, {"bucket": "hour", "after": GIVEN}):
        assert backend.refuses("score_trends", project, **options) == "INVALID_REQUEST"
    assert backend.refuses("dashboard", project, "1y") == "INVALID_REQUEST"
    assert backend.refuses("scorers", project, "nobody") == "NOT_FOUND"
    for name in ("dashboard", "trends", "score_trends"):
        assert backend.refuses(name, "nobody") == "NOT_FOUND"
    for name in ("scorers", "jobs_summary"):
        assert backend.refuses(name) == "PROJECT_REQUIRED"


def gates_that_are_kept(backend: Any, project: str) -> None:
    dataset_id, items = questions(backend, project, 6)
    experiment = measured(backend, project, dataset_id, items, [0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    looked = backend.try_threshold(experiment, "quality", "mean", 0.7)
    assert list(backend.thresholds(experiment)) == []
    kept = backend.threshold(experiment, ThresholdDraft(scorer_name="quality", metric="mean", threshold=0.7))
    assert (kept, [record.result for record in backend.thresholds(experiment)]) == (looked, [kept])
    options = {"comparison": "gt", "bound": "ci", "min_n": 3, "missing": "zero", "interval": "t_clipped"}
    assert backend.try_threshold(experiment, "quality", "mean", 0.7, **options).more_items
    backend.try_threshold(experiment, "quality", "mean", 0.7, bound="ci", sequential=True)
    for options in ({"k": 0}, {"bound": "wild"}, {"comparison": "eq"}, {"min_n": 0}, {"cluster_by": "nobody"}):
        backend.refuses("try_threshold", experiment, "quality", "mean", 0.7, **options)
    assert backend.refuses("try_threshold", experiment, "quality", "median", 0.7) == "INVALID_REQUEST"
    assert backend.refuses("try_threshold", experiment, "quality", "pass_at_k", 0.7) == "INVALID_REQUEST"
    assert backend.refuses("try_threshold", experiment, "quality", "mean", float("inf")) == "INVALID_REQUEST"
    assert backend.refuses("try_threshold", "nobody", "quality", "mean", 0.7) == "NOT_FOUND"
    assert backend.refuses("thresholds", "nobody") == "NOT_FOUND"


def items_one_by_one(backend: Any, project: str) -> None:
    dataset_id, items = questions(backend, project, 2)
    measured(backend, project, dataset_id, items, [0.5, 1.0])
    assert backend.item(dataset_id, items[0]).input == "q0"
    assert [run.scores[0].value for run in backend.item_runs(dataset_id, items[0])] == [0.5]
    assert backend.item_quality(dataset_id, "quality", pass_threshold=0.5, sort="easiest", most=1).items[0].mean == 1.0
    edited = backend.change_item(dataset_id, items[0], ItemDraft(input="better"))
    assert backend.change_item(dataset_id, edited.id, ItemDraft(input="better")) == edited
    assert [row.changed for row in backend.dataset_versions(dataset_id)] == [1, 0, 0, 0]
    assert [json.loads(line)["input"] for line in backend.export_items(dataset_id).splitlines()] == ["q1", "better"]
    assert json.loads(backend.export_items(dataset_id, 2))["input"] == "q0"
    assert backend.export_items(dataset_id, 1) == ""
    assert backend.refuses("change_item", dataset_id, items[0], ItemDraft(input=1)) == "NOT_FOUND"
    assert backend.refuses("export_items", dataset_id, 99) == "NOT_FOUND"
    assert backend.refuses("item_quality", dataset_id, "nobody") == "NOT_FOUND"
    for options in ({"sort": "name"}, {"most": 0}, {"pass_threshold": 2.0}):
        assert backend.refuses("item_quality", dataset_id, "quality", **options) == "INVALID_REQUEST"
    for name in ("item", "item_runs"):
        assert backend.refuses(name, dataset_id, "nobody") == "NOT_FOUND"
    assert backend.refuses("dataset_versions", "nobody") == "NOT_FOUND"


SCENARIOS = [
    projects_and_keys, logging_in, shares, traces, trace_views, conversations, opentelemetry, scores, stated_reasons,
    asked_judges,
    costly_scores, hostile_values, rules, datasets, experiments, looked_at, replaced_runs, evaluations, jobs, played,
    reviews, review_cards, judges, drifts, outcomes, pages_of_the_web, gates_that_are_kept, items_one_by_one,
]  # fmt: skip


# --- the tests -----


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_every_implementation_gives_the_same_answers_and_refusals(scenario, opened):
    accounts = {name: Account.of(scenario, backend).text() for name, backend in opened.items()}
    for name in IMPLEMENTATIONS[1:]:
        assert accounts[name] == accounts[IMPLEMENTATIONS[0]], f"{name} answers otherwise than {IMPLEMENTATIONS[0]}"


def test_a_job_that_was_queued_embedded_is_run_by_a_worker(tmp_path):
    url, project = f"sqlite:///{tmp_path / 'own.db'}", fresh_project()
    open_store(url).close()
    with Embedded(url) as embedded:
        dataset_id, items = questions(embedded, project)
        experiment = measured(embedded, project, dataset_id, items, [0.1, 0.2, 0.3])
        wanted = ScoreExperimentDraft(scorers=[ScorerSpec(scorer_name="exact_match")])
        job = embedded.score_experiment(experiment, wanted).job_id
        assert embedded.job(job).status == "queued"
        server = start_server(url, tmp_path / "home")
        try:
            assert Api(server.http, server.admin_key, project).finished(job)["counts"]["scored"] == 3
        finally:
            server.stop()
        assert embedded.summary(experiment).scores_by_scorer["exact_match"].mean == 1.0


def test_the_scenarios_call_every_method_of_the_protocol(tmp_path, monkeypatch):
    """The whole protocol is run: a method that no scenario calls would be held by nothing."""
    monkeypatch.setenv("OPENAI_API_KEY", A_PROVIDER["OPENAI_API_KEY"])
    url = f"sqlite:///{tmp_path / 'own.db'}"
    open_store(url).close()
    with Embedded(url) as embedded:
        called = set[str]().union(*(Account.of(scenario, embedded).called() for scenario in SCENARIOS))
    assert called == METHODS
