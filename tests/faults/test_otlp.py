"""Requests of OpenTelemetry's protocol that are made to hurt, by accident or on purpose.

What is wrong with one span costs that span: the good ones of the same request are kept, memory stays bounded, and the
server goes on.
"""

import json
import socket
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
import sqlalchemy as sa
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from contract import otlp
from contract.caller import Api, fresh_project
from contract.otlp import JSON, SCORE, START, TRACE, evaluation, framed, span, span_id, trace_id
from faults.victim import KEY, Victim
from gnomon.store import schema
from gnomon.store.engine import open_store

MOST_MB = 600
EVENTS, LINKS, ATTRIBUTES = 11, 13, 9
"""Numbers of fields of a span."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, tmp_path_factory, new_postgresql) -> Iterator[Victim]:
    home = tmp_path_factory.mktemp("otlp")
    url = new_postgresql() if request.param == "postgresql" else f"sqlite:///{home}/gnomon.db"
    server = Victim(url, home, ("--no-worker",)).start()
    yield server
    server.clear_away()


@pytest.fixture
def api(server: Victim) -> Iterator[Api]:
    """Afterwards the server is alive, has used no more memory than it may, and has logged no crash."""
    before = server.log.read_text(errors="replace").count("crashed")
    with server.api() as api:
        yield replace(api, project=fresh_project()).with_key("admin")
        assert api.http.get("/healthz").status_code == 200
    assert _peak_mb(server.pid) < MOST_MB
    assert server.log.read_text(errors="replace").count("crashed") == before


def _peak_mb(pid: int) -> float:
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1000


# --- one bad span among good ones -----


def bare(**fields: Any) -> bytes:
    return Span(
        **{"trace_id": bytes.fromhex(TRACE), "span_id": b"\x07" * 8, "name": "bad", **fields}
    ).SerializeToString()


def nested(levels: int) -> bytes:
    """A list in a list in a list: written by hand, since no library writes so many."""
    value = framed(1, b"deep")
    for _ in range(levels):
        value = framed(5, framed(1, value))
    return value


BAD: dict[str, tuple[bytes, str]] = {
    "no trace id": (bare(trace_id=b""), "trace_id is empty; send 16 bytes"),
    "a trace id of zeros": (bare(trace_id=bytes(16)), "trace_id is 0000"),
    "a short trace id": (bare(trace_id=b"\x01" * 8), "trace_id is 0101010101010101; send 16 bytes"),
    "a long trace id": (bare(trace_id=b"\x01" * 3000), "trace_id is 0101"),
    "a span id of zeros": (bare(span_id=bytes(8)), "span_id is 0000000000000000; send 8 bytes"),
    "a long span id": (bare(span_id=b"\x01" * 16), "span_id is 0101"),
    "a short parent": (bare(parent_span_id=b"\x01"), "parent_span_id is 01; send 8 bytes"),
    "a start beyond time": (bare(start_time_unix_nano=2**64 - 1), "start_time_unix_nano is 18446744073709551615"),
    "an end beyond time": (bare(end_time_unix_nano=2**63), "end_time_unix_nano is 9223372036854775808, after"),
    "a name that is not UTF-8": (bare() + framed(5, b"\xff\xfe"), "a text in it is not UTF-8"),
    "a value that is not UTF-8": (
        bare() + framed(ATTRIBUTES, framed(1, b"k") + framed(2, framed(1, b"\xc3\x28"))), "a text in it is not UTF-8",
    ),
    "a span cut off": (bare() + b"\x4a\xff\x01", "it is not a whole protobuf message"),
    "a million attributes": (bare() + framed(ATTRIBUTES, b"") * 1_000_000, "1,000,000 attributes in one place"),
    "two million events": (bare() + framed(EVENTS, b"") * 1_900_000, "1,900,000 events are more than 10,000"),
    "many links": (bare() + framed(LINKS, b"") * 1_001, "1,001 links are more than 1,000"),
    "an attribute of five megabytes": (
        bare(attributes=otlp.pairs({"k": "x" * 5_000_000})), "bytes, more than 4,000,000; shorten its largest part",
    ),
    "a value nested a thousand times": (
        bare() + framed(ATTRIBUTES, framed(1, b"k") + framed(2, nested(1_000))), "is nested deeper than 30 levels",
    ),
    "a value nested forty times": (
        bare() + framed(ATTRIBUTES, framed(1, b"k") + framed(2, nested(40))), "is nested deeper than 30 levels",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_span_costs_only_itself(api, case):
    bad, words = BAD[case]
    good = [span(1).SerializeToString(), span(2, parent=1).SerializeToString()]
    told = otlp.taken(otlp.post(api, "/traces", otlp.enveloped(good[0], bad, good[1])))
    assert told.rejected == 1
    assert told.message.startswith("[1] span ")
    assert words in told.message
    assert len(told.message) < 1000
    assert set(otlp.spans_of(api)) == {1, 2}


def in_json(*spans: str) -> bytes:
    return f'{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{",".join(spans)}]}}]}}]}}'.encode()


def json_span(number: int, attributes: str = "[]", more: str = "") -> str:
    ids = f'"traceId":"{TRACE}","spanId":"{span_id(number)}","name":"step","startTimeUnixNano":"{START}"'
    return f'{{{ids},"attributes":{attributes}{more}}}'


def json_nested(levels: int) -> str:
    value = '{"arrayValue":{"values":[' * levels + '{"intValue":1}' + "]}}" * levels
    return f'[{{"key":"k","value":{value}}}]'


BAD_JSON = {
    "nested forty times": json_span(7, json_nested(40)),
    "nested three hundred times": json_span(7, json_nested(300)),
    "a hundred thousand attributes": json_span(7, "[" + ",".join(['{"key":"k"}'] * 100_000) + "]"),
    "half a million events": json_span(7, more=',"events":[' + ",".join(["{}"] * 500_000) + "]"),
    "no hexadecimal id": json_span(7).replace(TRACE, "xyz"),
    "a number for a name": json_span(7).replace('"step"', "7"),
    "no number": json_span(7, '[{"key":"k","value":{"intValue":"seven"}}]'),
    "a number of a million digits": json_span(7, '[{"key":"k","value":{"intValue":"' + "7" * 1_000_000 + '"}}]'),
    "no base64": json_span(7, '[{"key":"k","value":{"bytesValue":"~"}}]'),
    "no span": "7",
}


@pytest.mark.parametrize("case", BAD_JSON)
def test_a_bad_span_of_json_costs_only_itself(api, case):
    answer = otlp.post(api, "/traces", in_json(json_span(1), BAD_JSON[case], json_span(2)), JSON)
    told = otlp.taken(answer)
    assert told.rejected == 1
    assert told.message.startswith("[1] span ")
    assert len(told.message) < 1000
    assert set(otlp.spans_of(api)) == {1, 2}


def test_json_that_is_nested_thousands_of_times_is_refused_whole(api):
    """No reader gets through it, so nobody knows where the next span begins."""
    answer = otlp.post(api, "/traces", in_json(json_span(1), json_span(7, json_nested(1_000))), JSON)
    refused = otlp.refused(answer)
    assert (refused.status, refused.message.endswith("nested too deeply; flatten it")) == (400, True)
    assert api.ids("/traces") == []


# --- spans that are odd, and kept -----

YEAR_2200 = 7_258_118_400 * otlp.SECOND


def test_clocks_of_1970_and_2200_are_shown_as_told(api):
    spans = [span(1, start=1, end=2), span(2, parent=1, start=YEAR_2200, end=YEAR_2200 + 1)]
    assert otlp.send(api, *spans, span(3, parent=1, start=START, end=1)) == otlp.ALL_TAKEN
    kept = otlp.spans_of(api)
    assert (kept[1]["start_time_unix_nano"], kept[1]["start_time"][:4]) == ("1", "1970")
    assert (kept[2]["end_time_unix_nano"], kept[2]["start_time"][:4]) == (str(YEAR_2200 + 1), "2200")
    assert (kept[3]["end_time_unix_nano"], kept[3]["duration_ms"]) == ("1", None)
    assert otlp.trace_of(api)["started_at"][:4] == "1970"


NUL = "a\0b"


def test_nul_is_kept_as_told_and_replaced_where_no_database_keeps_it(api):
    """In names, keys, values, ids, errors, events, links, scores, scopes and resources."""
    attributes = {
        NUL: NUL, "list": [NUL], "map": {NUL: NUL}, "session.id": NUL, "user.id": NUL, "gen_ai.request.model": NUL,
        "gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps([{"role": "user", "content": NUL}]),
        "gnomon.output": json.dumps({NUL: NUL}),
    }  # fmt: skip
    scores = [evaluation(NUL, 0.5), evaluation("label", NUL), evaluation("why", 0.5, **{
        "gen_ai.evaluation.explanation": NUL, "gnomon.metadata": json.dumps({NUL: NUL})})]  # fmt: skip
    thrown = {"exception.message": NUL, "exception.type": NUL, "exception.stacktrace": NUL}
    told = span(
        name=NUL, attributes=attributes, trace_state=NUL,
        status=Status(code=Status.STATUS_CODE_ERROR, message=NUL), links=[Span.Link(trace_state=NUL)],
        events=[otlp.event("exception", thrown), otlp.event(NUL, {NUL: NUL}), *(otlp.event(SCORE, s) for s in scores)],
    )  # fmt: skip
    answer = otlp.send(api, told, span(2, parent=1), resource={NUL: NUL, "service.name": NUL}, scope=NUL)
    assert answer.rejected == 0
    kept = otlp.spans_of(api)
    assert set(kept) == {1, 2}
    assert (kept[1]["name"], kept[1]["model"], kept[1]["error"]["message"]) == ("a\ufffdb",) * 3
    assert kept[1]["attributes"][NUL] == kept[1]["resource"][NUL] == kept[1]["scope"]["name"] == NUL
    assert ("why", 0.5) in otlp.values_of(otlp.scores_of(api))
    assert api.ids("/traces", **{"metadata.session.id": "a\ufffdb"}) == [TRACE]


def test_nul_in_a_log_record_is_no_trouble(api):
    """Also where the record waits for its span."""
    records = [
        otlp.log(SCORE, evaluation("label", NUL)), otlp.log(SCORE, evaluation(NUL, 0.5), time=START + 1),
        otlp.log("gen_ai.user.message", {NUL: NUL}, body={"content": NUL, NUL: NUL}), otlp.log(NUL),
    ]  # fmt: skip
    otlp.send_logs(api, *records)
    otlp.send(api, span(attributes={"gen_ai.request.model": "m"}))
    otlp.send_logs(api, otlp.log("gen_ai.choice", body={"message": {"content": NUL}}))
    kept = otlp.spans_of(api)[1]
    assert (kept["input"][0]["content"], kept["output"]) == ("a\ufffdb", "a\ufffdb")


def test_huge_events_are_kept(api):
    events = [otlp.event(f"e{n}", {"text": "x" * 300_000}) for n in range(10)]
    many = [otlp.event("e", {}) for _ in range(10_000)]
    assert otlp.send(api, span(1, events=events), span(2, parent=1, events=many)) == otlp.ALL_TAKEN
    kept = otlp.spans_of(api)
    assert (len(kept[1]["events"]), len(kept[2]["events"])) == (10, 10_000)
    assert kept[1]["events"][9]["attributes"]["text"] == "x" * 300_000


def test_texts_that_look_like_deep_json_are_kept(api):
    deep = "[" * 5_000 + "]" * 5_000
    keys = dict.fromkeys(("gnomon.input", "gen_ai.input.messages", "input.value", "gen_ai.tool.call.result"), deep)
    assert otlp.send(api, span(attributes=keys), span(2, parent=1)) == otlp.ALL_TAKEN
    assert otlp.spans_of(api)[1]["attributes"] == keys


# --- whole requests -----


@pytest.mark.parametrize("kind", [otlp.PROTOBUF, JSON])
def test_an_attribute_of_fifty_megabytes_is_too_large(api, kind):
    content = json_span(1, '[{"key":"k","value":{"stringValue":"' + "x" * 50_000_000 + '"}}]')
    body = (
        in_json(content) if kind == JSON else otlp.traces(span(attributes={"k": "x" * 50_000_000})).SerializeToString()
    )
    refused = otlp.refused(otlp.post(api, "/traces", body, kind))
    assert refused.status == 413
    assert api.ids("/traces") == []


@pytest.mark.parametrize("path", ["/traces", "/logs"])
def test_gzip_that_inflates_to_gigabytes_is_refused(api, path):
    hundred = zlib.compressobj(9, wbits=31)
    member = hundred.compress(bytes(100_000_000)) + hundred.flush()
    refused = otlp.refused(otlp.post(api, path, member * 20, content_encoding="gzip"))
    assert refused.status == 413


@pytest.mark.parametrize("fill", [framed(1, b""), framed(1, framed(2, b"")), framed(1, framed(2, framed(2, b"")))],
                         ids=["resources", "scopes", "spans"])  # fmt: skip
def test_thirty_megabytes_of_empty_messages_are_refused_or_taken_in_bounded_memory(api, fill):
    answer = otlp.post(api, "/traces", fill * (30_000_000 // len(fill)))
    assert otlp.refused(answer).status == 413


def test_thirty_megabytes_of_empty_objects_are_refused_in_bounded_memory(api):
    answer = otlp.post(api, "/traces", in_json(",".join(["{}"] * 9_000_000)), JSON)
    assert otlp.refused(answer).status == 413


def test_a_request_cut_off_anywhere_is_refused_and_stores_nothing(api):
    whole = otlp.traces(span(1), span(2, parent=1)).SerializeToString()
    for end in range(1, len(whole), 7):
        assert otlp.refused(otlp.post(api, "/traces", whole[:end])).status == 400
    assert api.ids("/traces") == []


def tiny(count: int) -> list[Span]:
    """Two spans a trace."""
    return [span(1 + n % 2, trace=trace_id(1 + n // 2), start=START, end=START) for n in range(count)]


@pytest.mark.slow
def test_nearly_a_hundred_thousand_tiny_spans_in_one_request_are_kept(api):
    """Of more traces than PostgreSQL has room for locks."""
    assert otlp.send(api, *tiny(90_000)) == otlp.ALL_TAKEN
    assert otlp.trace_of(api, trace_id(45_000))["span_count"] == 2
    records = [otlp.log(SCORE, evaluation("tone", 0.5), trace=trace_id(1 + n)) for n in range(10_000)]
    assert otlp.send_logs(api, *records) == otlp.ALL_TAKEN
    assert len(otlp.scores_of(api, 1, trace_id(10_000))) == 1


def test_more_tiny_spans_than_a_request_may_hold_are_refused(api):
    refused = otlp.refused(otlp.post(api, "/traces", otlp.traces(*tiny(110_000)).SerializeToString()))
    assert (refused.status, "send smaller batches" in refused.message) == (413, True)


# --- exporters that send again -----


def row_counts(url: str) -> dict[str, int]:
    store = open_store(url, upgrade=False)
    try:
        tables = schema.metadata.sorted_tables
        return store.read(
            lambda db: {
                one.name: db.execute(sa.select(sa.func.count()).select_from(one)).scalar_one() for one in tables
            }
        )
    finally:
        store.close()


def test_an_exporter_that_retries_for_ever_makes_nothing_grow(server, api):
    scored = otlp.event(SCORE, evaluation("tone", 0.5))
    content = otlp.traces(
        *(span(n, parent=n - 1 or None, attributes={"session.id": "s"}, events=[scored]) for n in range(1, 51))
    ).SerializeToString()
    records = otlp.logs(*(otlp.log(SCORE, evaluation("late", 0.5), of=n) for n in range(1, 51))).SerializeToString()
    otlp.taken(otlp.post(api, "/traces", content))
    otlp.taken(otlp.post(api, "/logs", records))
    before = row_counts(server.database_url)
    for _ in range(200):
        assert otlp.taken(otlp.post(api, "/traces", content)) == otlp.ALL_TAKEN
    for _ in range(50):
        assert otlp.taken(otlp.post(api, "/logs", records)) == otlp.ALL_TAKEN
    assert row_counts(server.database_url) == before


def at_once(*calls: Callable[[], Any]) -> None:
    """All of them, begun together."""
    gate = Barrier(len(calls))
    with ThreadPoolExecutor(len(calls)) as threads:
        for done in [threads.submit(lambda call=call: (gate.wait(), call())) for call in calls]:
            done.result()


def test_a_span_and_its_log_records_that_come_at_once_find_each_other(api):
    for number in range(1, 21):
        trace = trace_id(number)
        call = span(trace=trace, attributes={"gen_ai.request.model": "m"})
        scored = otlp.log(SCORE, evaluation("tone", 0.5), trace=trace)
        said = otlp.log("gen_ai.choice", body={"message": {"content": "Paris"}}, trace=trace)
        at_once(
            lambda call=call: otlp.send(api, call), lambda scored=scored: otlp.send_logs(api, scored),
            lambda said=said: otlp.send_logs(api, said),
        )  # fmt: skip
        assert otlp.spans_of(api, trace)[1]["output"] == "Paris"
        assert len(otlp.scores_of(api, 1, trace)) == 1


def test_the_same_spans_from_several_exporters_at_once_are_there_once(api):
    scored = [otlp.event(SCORE, evaluation("tone", 0.5))]
    for number in range(1, 11):
        spans = [span(n, trace=trace_id(number), events=scored, attributes={"session.id": "s"}) for n in range(1, 6)]
        at_once(*[lambda spans=spans: otlp.send(api, *spans), lambda spans=spans: otlp.send(api, *reversed(spans))] * 2)
        assert otlp.trace_of(api, trace_id(number))["span_count"] == 5
        assert len(otlp.scores_of(api, 5, trace_id(number))) == 1


def test_while_the_database_cannot_be_used_exporters_are_told_to_come_again(tmp_path, victim):
    file = tmp_path / "gnomon.db"
    server: Victim = victim(f"sqlite:///{file}", "--no-worker").start()
    with server.api() as api:
        otlp.send(api, span(1))
        file.rename(tmp_path / "kept.db")
        for path, kind in (("/traces", otlp.PROTOBUF), ("/logs", otlp.PROTOBUF), ("/traces", JSON)):
            body = in_json(json_span(2)) if kind == JSON else otlp.traces(span(2)).SerializeToString()
            content = (
                otlp.logs(otlp.log(SCORE, evaluation("tone", 0.5))).SerializeToString() if path == "/logs" else body
            )
            answer = otlp.post(api, path, content, kind)
            refused = otlp.refused(answer)
            assert (refused.status, refused.code) == (503, 14)
            assert answer.headers["retry-after"].isdigit()


_CUT_DURING_THE_COMMIT = """
CREATE FUNCTION cut() RETURNS trigger AS $$ BEGIN
    PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$ LANGUAGE plpgsql;
CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON spans DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION cut();
"""


def test_a_commit_whose_outcome_is_unknown_may_be_repeated(new_postgresql, victim):
    """Exporters give up at 500 and come again at 503; here nothing is stored twice, so they may."""
    url = new_postgresql()
    server: Victim = victim(url, "--no-worker").start()
    engine = sa.create_engine(sa.make_url(url).set(drivername="postgresql+psycopg"))
    try:
        with server.api() as api:
            with engine.begin() as db:
                db.exec_driver_sql(_CUT_DURING_THE_COMMIT)
            answer = otlp.post(api, "/traces", otlp.traces(span(1)).SerializeToString())
            assert otlp.refused(answer).status == 503
            assert answer.headers["retry-after"].isdigit()
            with engine.begin() as db:
                db.exec_driver_sql("DROP TRIGGER cut ON spans")
            assert otlp.send(api, span(1)) == otlp.ALL_TAKEN
            assert otlp.trace_of(api)["span_count"] == 1
    finally:
        engine.dispose()


# --- kill -9 -----

KILLS = {"sqlite": 3, "postgresql": 2}
SPANS = 10


def test_what_was_acknowledged_survives_kill_9_and_what_is_sent_again_is_there_once(database, new_url, victim):
    server: Victim = victim(new_url, "--no-worker").start()
    acknowledged: list[int] = []
    unsure: list[int] = []
    numbers = iter(range(1, 1_000_000))
    for _ in range(KILLS[database]):
        with server.api() as api:
            for number in unsure:  # as an exporter does that heard nothing
                _export(api, number)
            acknowledged += unsure
            unsure = [_until_killed(server, api, numbers, acknowledged)]
        server.start()
    with server.api() as api:
        for number in [*acknowledged, *unsure]:
            if number in acknowledged:
                _check(api, number)
            _export(api, number)
            _check(api, number)
    assert server.stop() == 0


def _until_killed(server: Victim, api: Api, numbers: Iterator[int], acknowledged: list[int]) -> int:
    """Send batches, and cut the power while one is under way: the number of that one."""
    for _ in range(5):
        acknowledged.append(number := next(numbers))
        _export(api, number)
    number = next(numbers)
    _raw_request(server, _content(number), server.kill)
    return number


def _raw_request(server: Victim, content: bytes, then: Callable[[], None]) -> None:
    """Send a request without waiting for the answer."""
    head = (
        f"POST /v1/traces HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {KEY}\r\nContent-Type: {otlp.PROTOBUF}\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(head.encode() + content)
        then()


def _content(number: int) -> bytes:
    call = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 1}
    scored = [otlp.event(SCORE, evaluation("tone", 0.5))]
    spans = [span(n, trace=trace_id(number), attributes=call, events=scored) for n in range(1, SPANS + 1)]
    return otlp.traces(*spans).SerializeToString()


def _export(api: Api, number: int) -> None:
    assert otlp.taken(otlp.post(api, "/traces", _content(number))) == otlp.ALL_TAKEN


def _check(api: Api, number: int) -> None:
    trace = otlp.trace_of(api, trace_id(number))
    assert (trace["span_count"], trace["tokens"], len(trace["spans"])) == (SPANS, SPANS, SPANS)
    assert len(otlp.scores_of(api, SPANS, trace_id(number))) == 1
