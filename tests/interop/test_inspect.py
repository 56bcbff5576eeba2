"""Logs of Inspect, published ones and hostile ones."""

import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.errors import GnomonError, Refused
from gnomon.interop import inspect
from gnomon.interop.inspect import read

HEADER = {"version": 2, "status": "success", "eval": {"task": "arith", "model": "m", "eval_id": "E", "run_id": "R"}}
ATTACHED = "0123456789abcdef" * 2
SAMPLE: dict[str, Any] = {
    "id": "add", "epoch": 2, "target": "4",
    "messages": [
        {"role": "system", "content": "Use tools."},
        {"role": "user", "content": f"attachment://{ATTACHED}"},
        {"role": "assistant",
         "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Adding."}],
         "tool_calls": [{"id": "c1", "function": "add", "arguments": {"x": 2}, "type": "function"},
                        {"id": "c2", "function": "sub", "arguments": {}, "type": "function"}]},
        {"id": "m2", "role": "tool", "tool_call_id": "c2", "function": "sub", "content": "",
         "error": {"type": "parsing", "message": "no x"}},
        {"id": "m1", "role": "tool", "tool_call_id": "c1", "function": "add", "content": "4"},
        {"role": "assistant", "content": "4"},
    ],
    "attachments": {ATTACHED: "2 + 2?"},
    "scores": {"match": {"value": "C", "answer": "4"}, "many": {"value": {"a": 1, "b": 0.5}},
               "words": {"value": "good"}},
    "model_usage": {"m": {"input_tokens": 10, "output_tokens": 2}, "n": {"input_tokens": 1}},
}  # fmt: skip


def problem_with(path: Path) -> str:
    try:
        read(path)
    except GnomonError as bad:
        return bad.message
    return ""


def log(path: Path, *members: tuple[str, Any], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, value in members:
            file.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


def test_a_multiple_choice_log_says_what_was_asked_answered_and_scored(test_data: Path) -> None:
    (found,) = read(test_data / "bench" / "inspect_choices.eval")
    assert (found.scenario_id, found.run_id) == ("inspect_evals/mmlu_0_shot/1", "Dj4Li7NchTfQSiX7eKXLLN.1.epoch-1")
    assert found.run_config is not None
    assert found.run_config.agent_model == "openai/gpt-4o"
    (beat,) = found.steps
    assert beat.user_message is not None
    assert beat.user_message.startswith("Answer the following multiple choice question.")
    assert [turn.agent_text for turn in beat.turns] == ["ANSWER: C"]
    assert found.metadata["reported"] == {"choice": 0.0}
    assert found.metadata["scores"]["choice"]["value"] == "I"
    assert (found.metadata["target"], found.metadata["log_status"]) == ("A", "success")
    assert found.end is not None
    assert (found.end.status, found.end.usage and found.end.usage.input) == ("ok", 153)


def test_an_older_log_says_the_same_things(test_data: Path) -> None:
    (found,) = read(test_data / "bench" / "inspect_log_formats.eval")
    assert (found.scenario_id, found.final_text()) == ("popularity/1", "No")
    assert found.metadata["system_prompt"].strip().startswith("Please note: In the following EXERCISE")
    assert (found.metadata["reported"], found.metadata["model"]) == ({"match": 0.0}, "ollama/llama3.1")


def test_calls_errors_attachments_and_scores_of_every_kind_are_read(tmp_path: Path) -> None:
    (found,) = read(log(tmp_path / "x.eval", ("header.json", HEADER), ("samples/add_epoch_2.json", SAMPLE)))
    assert (found.scenario_id, found.run_id, found.source) == ("arith/add", "E.add.epoch-2", "inspect")
    add, sub = found.calls()
    assert (add.args, add.result, add.ok) == ({"x": 2}, {"text": "4"}, True)
    assert (sub.result, sub.ok) == ({"type": "parsing", "message": "no x"}, False)
    assert found.steps[0].user_message == "2 + 2?"
    assert found.metadata["reported"] == {"match": 1.0, "many.a": 1, "many.b": 0.5, "words": "good"}
    assert found.metadata["notes"] == ["left out: reasoning × 1"]
    assert found.end is not None
    assert found.end.usage is not None
    assert (found.end.usage.input, found.end.usage.output, found.end.steps) == (11, 2, 1)


def test_a_json_log_reads_as_the_zip_does(tmp_path: Path) -> None:
    plain = tmp_path / "x.json"
    plain.write_text(json.dumps({**HEADER, "samples": [SAMPLE]}), encoding="utf-8")
    assert read(plain) == read(log(tmp_path / "x.eval", ("header.json", HEADER), ("samples/a.json", SAMPLE)))


def test_a_log_that_was_cut_short_has_its_start_and_the_samples_that_ended(tmp_path: Path) -> None:
    broken = {"id": 1, "epoch": 1, "messages": [], "error": {"message": "boom", "traceback": "…"}}
    limited = {**SAMPLE, "limit": {"type": "token", "limit": 5}}
    path = log(
        tmp_path / "x.eval", ("_journal/start.json", HEADER), ("samples/1.json", broken), ("samples/2.json", limited)
    )
    first, second = read(path)
    assert first.end is not None
    assert (first.end.status, first.end.reason, first.metadata["notes"]) == (
        "error",
        "boom",
        ["the sample has no messages"],
    )
    assert second.end is not None
    assert (second.end.status, second.end.reason) == ("aborted", "limit reached: token")


def test_nan_for_a_missing_score_reports_nothing(tmp_path: Path) -> None:
    sample = json.dumps({**SAMPLE, "scores": {"match": {"value": float("nan")}}}).encode()
    (found,) = read(log(tmp_path / "x.eval", ("header.json", HEADER), ("samples/1.json", sample)))
    assert "reported" not in found.metadata
    assert found.metadata["scores"] == {"match": {"value": None}}


def zstandard(path: Path) -> Path:
    """The same log, but with members that say they are compressed with Zstandard."""
    content = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = content.find(signature)
        while at >= 0:
            content[at + offset : at + offset + 2] = (93).to_bytes(2, "little")
            at = content.find(signature, at + 4)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ([("a.txt", b"x")], "is a zip without header.json"),
        ([("header.json", {"eval": {}})], "header.json has no eval with a task"),
        ([("header.json", HEADER)], "has no samples; the log was cut"),
        ([("header.json", b"{"), ("samples/1.json", SAMPLE)], "header.json is not JSON, or cut"),
        ([("header.json", HEADER), ("samples/1.json", b"[1")], "samples/1.json is not JSON, or cut"),
        ([("header.json", HEADER), ("samples/1.json", [1])], "samples/1.json is not an object"),
        ([("header.json", HEADER), ("samples/../../etc/passwd.json", SAMPLE)], "has no samples"),
        ([("../header.json", HEADER), ("samples/1.json", SAMPLE)], "is a zip without header.json"),
    ],
)
def test_a_zip_that_is_no_log_is_refused_in_one_line(tmp_path: Path, members: list[Any], said: str) -> None:
    with pytest.raises(Refused) as refused:
        read(log(tmp_path / "x.eval", *members))
    assert refused.value.message.startswith(f"x.eval: {said}")
    assert "\n" not in refused.value.message


@pytest.mark.skipif(hasattr(zipfile, "ZIP_ZSTANDARD"), reason="this Python reads Zstandard")
def test_zstandard_without_its_package_is_refused_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zstandard(log(tmp_path / "x.eval", ("header.json", HEADER), ("samples/1.json", SAMPLE), method=0))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(Refused, match=r"compressed with Zstandard.*inspect log convert --to json"):
        read(path)


@pytest.mark.skipif(hasattr(zipfile, "ZIP_ZSTANDARD"), reason="this Python reads Zstandard")
def test_what_only_says_that_it_is_zstandard_is_refused(tmp_path: Path) -> None:
    path = zstandard(log(tmp_path / "x.eval", ("header.json", HEADER), ("samples/1.json", SAMPLE), method=0))
    with pytest.raises(Refused, match=r"header.json cannot be unpacked"):
        read(path)


def test_a_bomb_is_measured_while_it_unpacks_and_whatever_its_header_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspect, "LARGEST_MEMBER", 1 << 20)
    path = log(tmp_path / "x.eval", ("header.json", HEADER), ("samples/1.json", b" " * (4 << 20)))
    assert path.stat().st_size < 10_000
    with pytest.raises(Refused, match=r"samples/1\.json unpacks to more than 1,048,576 bytes"):
        read(path)
    content = path.read_bytes().replace((4 << 20).to_bytes(4, "little"), (9).to_bytes(4, "little"))
    path.write_bytes(content)  # a size that lies
    with pytest.raises(Refused):
        read(path)


def test_many_members_that_each_fit_do_not_fit_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect, "LARGEST_TOTAL", 8_000)
    path = log(tmp_path / "x.eval", ("header.json", HEADER), *((f"samples/{n}.json", SAMPLE) for n in range(20)))
    with pytest.raises(Refused, match="unpacks to more than"):
        read(path)
    monkeypatch.setattr(inspect, "MOST_MEMBERS", 20)
    with pytest.raises(Refused, match="more than 20 members"):
        read(path)


def test_of_two_members_with_one_name_the_last_is_meant(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = log(
            tmp_path / "x.eval", ("header.json", HEADER), ("samples/1.json", {**SAMPLE, "id": "old"}),
            ("samples/1.json", SAMPLE),
        )  # fmt: skip
    assert [one.scenario_id for one in read(path)] == ["arith/add"]


@pytest.mark.parametrize("value", [[], {}, {"eval": 1}, HEADER, {**HEADER, "samples": []}, {**HEADER, "samples": [3]}])
def test_json_that_is_no_log_is_refused(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(Refused):
        read(path)


@given(st.data())
@settings(max_examples=60)
def test_a_log_that_was_damaged_anywhere_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("header.json", json.dumps(HEADER))
        made.writestr("samples/1.json", json.dumps(SAMPLE))
    content = bytearray(file.getvalue())
    for _ in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.eval"
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    assert "\n" not in problem_with(path)
