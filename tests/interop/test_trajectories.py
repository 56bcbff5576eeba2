"""Files of runs are told apart by what is in them, and every unknown one is refused in one line."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentlogs.sessions import bash, codex, said, write
from gnomon.errors import GnomonError, InvalidInput, Refused
from gnomon.interop.trajectories import READERS, read_any

TALK = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
ITEM = codex(0, "response_item", type="message", role="user", content="hi")


@pytest.mark.parametrize(
    ("name", "source", "runs"),
    [
        ("bench/inspect_choices.eval", "inspect", 1),
        ("bench/inspect_log_formats.eval", "inspect", 1),
        ("bench/tau_bench_two_trajectories.json", "tau-bench", 2),
        ("outcome/fixtures/backfill_claude/session.jsonl", "claude-code", 1),
    ],
)
def test_published_files_are_recognised(test_data: Path, name: str, source: str, runs: int) -> None:
    found = read_any(test_data / name)
    assert [one.source for one in found] == [source] * runs
    assert found == read_any(test_data / name, source)


@pytest.mark.parametrize(
    ("lines", "source"),
    [
        ([json.dumps(TALK)], "messages"),
        ([json.dumps({"messages": TALK})] * 2, "messages"),
        ([json.dumps(one) for one in TALK], "messages"),
        ([json.dumps({"eval": {"task": "t"}, "samples": [{"messages": TALK}]})], "inspect"),
        ([json.dumps([{"task_id": 1, "traj": TALK}])], "tau-bench"),
        ([json.dumps({"type": "summary"}), json.dumps(said(0, bash("ls")))], "claude-code"),
        ([json.dumps(ITEM)], "codex"),
    ],
)
def test_a_format_is_known_by_its_content_whatever_the_file_is_called(
    tmp_path: Path, lines: list[str], source: str
) -> None:
    for name in ("runs.json", "runs.jsonl", "runs"):
        path = tmp_path / name
        path.write_text("\n".join(lines), encoding="utf-8")
        assert {one.source for one in read_any(path)} == {source}


@pytest.mark.parametrize(
    ("content", "said_"),
    [
        (b"", "is empty; it should be an Inspect log"),
        (b"{}", "is none of the formats that are read; it should be an Inspect log (.eval, .json), tau-bench"),
        (b"[1, 2]", "is none of the formats"),
        (b"hello", "is not JSON, or cut"),
        (b"a,b\n1,2\n", "is not JSON, or cut"),
        (b"PK\x03\x04 and no more", "cannot be read as a zip"),
        (b'{"scenario_id": "s", "run_id": "r", "heartbeats": []}', "is a transcript of a benchmark run"),
        (json.dumps([{"task_id": 1, "traj": TALK}]).encode()[:30], "is not JSON, or cut"),
    ],
)
def test_an_unknown_format_is_refused_in_one_line(tmp_path: Path, content: bytes, said_: str) -> None:
    path = tmp_path / "runs.json"
    path.write_bytes(content)
    with pytest.raises(Refused) as refused:
        read_any(path)
    assert refused.value.message.startswith(f"runs.json: {said_}")
    assert "\n" not in refused.value.message


def test_a_kind_that_is_not_known_and_files_that_are_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="'otel' is not a known format; known are inspect, tau-bench, tau2, "):
        read_any(tmp_path / "x", "otel")
    with pytest.raises(Refused, match="is a folder; name a file in it"):
        read_any(tmp_path)
    for kind in (None, *READERS):
        with pytest.raises(Refused, match="No such file or directory; name a file that can be read"):
            read_any(tmp_path / "gone.json", kind)


def test_a_wrong_kind_is_refused_by_its_reader(tmp_path: Path) -> None:
    path = write(tmp_path / "x.jsonl", TALK[0])
    for kind in ("inspect", "tau-bench", "claude-code", "codex"):
        with pytest.raises(Refused, match=r"x\.jsonl: "):
            read_any(path, kind)


KEYS = "messages role content traj task_id eval task samples type message payload heartbeats id scores reward info"
words = st.sampled_from(["user", "assistant"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=5),
    max_leaves=15,
)


def outcome(path: Path, kind: str | None) -> list[Any] | str:
    try:
        return read_any(path, kind)
    except GnomonError as bad:
        return bad.message


@given(st.lists(anything, min_size=1, max_size=3), st.sampled_from([None, *READERS]), st.integers(0, 40))
@settings(max_examples=80)
def test_any_json_whole_or_cut_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], kind: str | None, cut: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "any-runs.json"
    content = "\n".join(map(json.dumps, rows)).encode()
    for piece in (content, content[:-cut] if cut else content):
        path.write_bytes(piece)
        found = outcome(path, kind)
        assert "\n" not in found if isinstance(found, str) else found
