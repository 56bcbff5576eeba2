"""Files that are cut, bent or made up: a bundle of what can be read, or one line that says what is wrong."""

import gzip
import json
import random
import tracemalloc
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.errors import GnomonError
from gnomon.interop.foreign import exports, langfuse, langsmithruns, mlflow, otlpjson, phoenix
from gnomon.interop.foreign.bundle import Bundle
from gnomon.interop.foreign.exports import BAD_LINE
from gnomon.interop.foreign.formats import READERS, format_of
from gnomon.interop.foreign.looking import LOOKED_AT, look
from gnomon.interop.otlp.decoding import ReceivedSpan, decode_traces

GOLDEN = Path(__file__).parents[1] / "golden" / "foreign_traces"
TOOLS = ("langfuse", "phoenix", "mlflow", "braintrust", "langsmith", "otlp", "coding-agents")
FILES = sorted(path for path in GOLDEN.rglob("*") if path.suffix in (".json", ".jsonl", ".csv", ".parquet"))
JSON_FILES = [path for path in FILES if path.suffix in (".json", ".jsonl")]
STRANGE: list[Any] = [
    None,
    True,
    0,
    -1,
    1e308,
    10**30,
    "",
    "a\0b",
    "/",
    "x" * 300,
    [],
    {},
    [[]],
    {"a": {}},
    [None],
    "{",
]


def shown(path: Path) -> str:
    return str(path.relative_to(GOLDEN))


def read_or_refused(tool: str, path: Path) -> Bundle | None:
    """Nothing but a refusal of one line may come out of a file."""
    reader = READERS[tool]
    reader.detect(path)
    try:
        return reader.read(path)
    except GnomonError as bad:
        refusal = bad.message
    assert "\n" not in refusal
    assert path.name in refusal
    return None


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_a_file_that_is_cut_anywhere_is_read_in_part_or_refused(path: Path, tmp_path: Path) -> None:
    content, chance = path.read_bytes(), random.Random(1)
    for at in [0, 1, len(content) - 1, *chance.sample(range(len(content)), 6)]:
        cut = tmp_path / path.name
        cut.write_bytes(content[:at])
        for tool in TOOLS:
            read_or_refused(tool, cut)


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_bytes_that_are_no_text_cost_no_more_than_their_line(path: Path, tmp_path: Path) -> None:
    content, chance = bytearray(path.read_bytes()), random.Random(2)
    for at in chance.sample(range(len(content)), min(40, len(content))):
        content[at] = chance.choice(b"\x00\xff\xc3{}[]\"',\n")
    bent = tmp_path / path.name
    bent.write_bytes(content)
    for tool in TOOLS:
        read_or_refused(tool, bent)


@pytest.mark.parametrize("path", JSON_FILES, ids=shown)
@pytest.mark.slow
def test_values_of_any_type_may_stand_anywhere(path: Path, tmp_path: Path) -> None:
    @settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
    @given(st.data())
    def bent_anywhere(data: st.DataObject) -> None:
        values = [json.loads(line) for line in path.read_text().splitlines()] if path.suffix == ".jsonl" else None
        whole = json.loads(path.read_text()) if values is None else values
        for _ in range(data.draw(st.integers(1, 4))):
            _bend(whole, data)
        bent = tmp_path / path.name
        bent.write_text("\n".join(map(json.dumps, whole)) if values is not None else json.dumps(whole))
        for tool in TOOLS:
            read_or_refused(tool, bent)

    bent_anywhere()


def _bend(value: Any, data: st.DataObject) -> None:
    """Put something strange somewhere into a JSON value."""
    while True:
        places = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not places:
            return
        at = data.draw(st.sampled_from(places))
        inner = value[at]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.integers(0, 3)) == 0:
            value[at] = deepcopy(data.draw(st.sampled_from(STRANGE)))
            return
        value = inner


def test_a_line_that_is_cut_is_counted_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    content = (GOLDEN / "langsmith" / "runs.jsonl").read_bytes()
    path.write_bytes(content[:-40])
    bundle = langsmithruns.read(path)
    assert bundle.not_understood[BAD_LINE] == 1
    assert [len(trace) for trace in bundle.traces] == [4]


def otlp_line(*spans: dict[str, Any]) -> str:
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]})


def otlp_span(number: int, parent: int | None, **more: Any) -> dict[str, Any]:
    start = 1_771_711_200_000_000_000 + number * 1000
    above = {} if parent is None else {"parentSpanId": f"{parent + 1:016x}"}
    return {
        "traceId": "a" * 32, "spanId": f"{number + 1:016x}", "name": f"s{number}", "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 500), **above, **more,
    }  # fmt: skip


def test_ten_thousand_spans_below_each_other_are_one_trace(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text("\n".join(otlp_line(otlp_span(at, at - 1 if at else None)) for at in range(10_000)))
    requests = otlpjson.read(path).otlp
    assert [len(decode_traces(request, "protobuf").spans) for request in requests] == [512] * 19 + [272]
    assert [span.name for span in spans_of(requests)[:3]] == ["s0", "s1", "s2"]


def spans_of(requests: list[bytes]) -> list[ReceivedSpan]:
    return [span for request in requests for span in decode_traces(request, "protobuf").spans]


def test_a_ring_of_ten_thousand_parents_is_opened_once(tmp_path: Path) -> None:
    start = "2026-02-21T22:00:00Z"
    rows = [
        {
            "context": {"trace_id": "t", "span_id": f"s{at}"}, "parent_id": f"s{(at - 1) % 10_000}", "name": "s",
            "span_kind": "CHAIN", "start_time": start,
        }
        for at in range(10_000)
    ]  # fmt: skip
    path = tmp_path / "ring.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    bundle = phoenix.read(path)
    assert [len(trace) for trace in bundle.traces] == [10_000]
    assert bundle.not_understood == {"ring of parents; opened at its first span": 1}


def test_a_span_of_otlp_without_ids_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(otlp_line(otlp_span(0, None), {"name": "x"}, {**otlp_span(1, None), "traceId": "0" * 32}))
    bundle = otlpjson.read(path)
    assert len(spans_of(bundle.otlp)) == 1
    assert {what.partition(";")[0]: count for what, count in bundle.not_understood.items()} == {
        "span that is refused: trace_id is empty": 1, f"span that is refused: trace_id is {'0' * 32}": 1,
    }  # fmt: skip


def test_logs_and_metrics_in_a_file_of_traces_are_counted_but_results_are_scores(tmp_path: Path) -> None:
    about = {"gen_ai.evaluation.name": {"stringValue": "ok"}, "gen_ai.evaluation.score.value": {"doubleValue": 0.5}}
    attributes = [{"key": key, "value": value} for key, value in about.items()]
    result = {
        "traceId": "a" * 32, "spanId": f"{1:016x}", "eventName": "gen_ai.evaluation.result", "attributes": attributes,
    }  # fmt: skip
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [result, {"body": {"stringValue": "hello"}}]}]}]}
    path = tmp_path / "all.jsonl"
    path.write_text("\n".join([otlp_line(otlp_span(0, None)), json.dumps(logs), '{"resourceMetrics": [{}]}']))
    bundle = otlpjson.read(path)
    assert [(one.score.name, one.score.value) for one in bundle.span_scores] == [("ok", 0.5)]
    assert bundle.not_understood == {"log record that is not an evaluation result": 1, "request of metrics": 1}


def test_ids_in_base64_are_the_same_ids(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(otlp_line({**otlp_span(0, None), "traceId": "qqqqqqqqqqqqqqqqqqqqqg==", "spanId": "AAAAAAAAAAE="}))
    (span,) = spans_of(otlpjson.read(path).otlp)
    assert (span.trace_id, span.span_id) == ("a" * 32, f"{1:016x}")


def test_a_span_whose_attributes_are_nested_without_end_is_counted(tmp_path: Path) -> None:
    value: dict[str, Any] = {"stringValue": "x"}
    for _ in range(40):
        value = {"kvlistValue": {"values": [{"key": "k", "value": value}]}}
    path = tmp_path / "t.jsonl"
    path.write_text(otlp_line(otlp_span(0, None, attributes=[{"key": "deep", "value": value}])))
    bundle = otlpjson.read(path)
    assert not bundle.otlp
    assert bundle.not_understood.total() == 1  # JSON itself may be nested too deeply


def test_a_look_at_brackets_without_end_costs_no_more_than_what_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_bytes(b"[" * LOOKED_AT)
    tracemalloc.start()
    assert format_of(path) is None
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100 * LOOKED_AT  # paths as long as the file is deep would take 64,000 times as much


def test_keys_of_shallow_places_are_seen_behind_deep_ones(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a": ' + "[" * 50 + "]" * 50 + ', "b": [{"c": {}}], "d": 1}')
    assert {"a", "b", "b[].c", "d"} <= look(path).keys


def test_packed_files_are_read_and_what_unpacks_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "runs.jsonl.gz"
    packed.write_bytes(gzip.compress((GOLDEN / "langsmith" / "runs.jsonl").read_bytes()))
    assert langsmithruns.detect(packed)
    assert langsmithruns.read(packed) == langsmithruns.read(GOLDEN / "langsmith" / "runs.jsonl")
    monkeypatch.setattr(exports, "LARGEST", 1000)
    with pytest.raises(GnomonError, match=r"runs.jsonl.gz: unpacks to more than"):
        langsmithruns.read(packed)
    monkeypatch.undo()
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(GnomonError, match="cannot be unpacked"):
        langsmithruns.read(packed)


def test_a_folder_is_one_tools_only_when_all_of_its_files_are(tmp_path: Path) -> None:
    (tmp_path / "spans.jsonl").write_bytes((GOLDEN / "phoenix" / "folder" / "spans.jsonl").read_bytes())
    (tmp_path / "readme.md").write_text("words")
    assert phoenix.detect(tmp_path)
    (tmp_path / "traces.jsonl").write_bytes((GOLDEN / "mlflow" / "traces.jsonl").read_bytes())
    assert not any(reader.detect(tmp_path) for reader in (phoenix, mlflow, langfuse, langsmithruns, otlpjson))
    empty = tmp_path / "empty"
    empty.mkdir()
    assert not phoenix.detect(empty)


def test_literals_of_python_in_a_table_are_read_and_nothing_is_run() -> None:
    assert exports.decoded("[{'a': None, 'b': True}]") == [{"a": None, "b": True}]
    assert exports.decoded('{"a": NaN}') == {"a": None}
    for text in ("{__import__('os')}", "[" * 5000, "{1: (", "[x]", "{'a': b'\\xff'}"):
        assert exports.decoded(text) == text
