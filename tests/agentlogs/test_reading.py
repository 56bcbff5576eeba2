"""One file as events: what both agents write, and what must never stop the reading."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentlogs.sessions import at, bash, came_back, codex, read, said, shell, shell_output, stamp, tokens, write
from gnomon.agentlogs import AnswerTokens, Event, RequestedTool, read_events
from gnomon.agentlogs.events import instant
from gnomon.agentlogs.lines import LARGEST_LINE
from gnomon.outcome.compat.sessions import compat_events


def events(path: Path) -> list[Event]:
    return list(read_events(path, on_problem=pytest.fail))


def with_problems(path: Path) -> tuple[list[Event], list[str]]:
    problems: list[str] = []
    return list(read_events(path, on_problem=problems.append)), problems


def test_a_claude_line_says_who_when_where_and_what(tmp_path: Path) -> None:
    line = said(1.5, bash("pytest -q", "t1"), read("/repo/notes.md", "t2"), sidechain=True)
    (event,) = events(write(tmp_path / "s.jsonl", line))
    assert (event.at, event.session_id, event.cwd, event.harness) == (at(1.5), "s1", "/repo", "claude-code")
    assert (event.kind, event.message_id, event.request_id) == ("assistant", "msg_1", "req_1")
    assert event.usage == AnswerTokens(input=10, output=5, cache_read=300, cache_creation=100)
    assert [(call.id, call.name, call.command, call.path) for call in event.calls] == [
        ("t1", "Bash", "pytest -q", None),
        ("t2", "Read", None, "/repo/notes.md"),
    ]
    assert event.sidechain
    assert not event.loose


def test_content_may_be_plain_text_and_any_odd_value_costs_only_itself(tmp_path: Path) -> None:
    plain = said(0, content="hello", usage=(1, 2, 3, 4))
    odd = said(1, bash(["no", "text"]), usage=(1.5, "7", None, 4))
    strange = said(2, content=[None, "text", {"type": "tool_use", "input": "x", "name": 5}, bash("ls")], usage=None)
    first, second, third = events(write(tmp_path / "s.jsonl", plain, odd, strange))
    assert first.loose
    assert first.usage == AnswerTokens(1, 2, 3, 4)
    assert second.loose
    assert second.usage == AnswerTokens(0, 0, 0, 4)
    assert second.calls == (RequestedTool("t1", "Bash"),)
    assert third.loose
    assert [call.command for call in third.calls] == [None, "ls"]


@pytest.mark.parametrize(
    ("output", "error", "code", "state"),
    [
        ("3 passed", False, None, "done"),
        ("Exit code 2\nboom", True, 2, "done"),
        ([{"type": "text", "text": "Exit code 1\nboom"}], True, 1, "done"),
        ("The user doesn't want to proceed with this tool use.", True, None, "refused"),
        ("Command running in background with ID: b1", False, None, "unknown"),
    ],
)
def test_a_claude_result_says_how_the_tool_ended(
    tmp_path: Path, output: Any, error: bool, code: int | None, state: str
) -> None:
    (event,) = events(write(tmp_path / "s.jsonl", came_back(0, "t1", output, error=error)))
    (result,) = event.results
    assert (result.call_id, result.is_error, result.exit_code, result.state) == ("t1", error, code, state)


def test_codex_lines_belong_to_the_session_folder_and_model_named_before(tmp_path: Path) -> None:
    path = write(
        tmp_path / "rollout.jsonl",
        codex(0, "session_meta", id="c1", cwd="/repo", cli_version="0.9", git={"branch": "main"}),
        codex(1, "turn_context", cwd="/repo/web", model="gpt-5-codex"),
        tokens(2, (500, 400, 50), (500, 400, 50)),
        codex(3, "event_msg", type="token_count", info=None, rate_limits={}),
    )
    _, _, counted, empty = events(path)
    assert (counted.session_id, counted.cwd, counted.model) == ("c1", "/repo/web", "gpt-5-codex")
    assert counted.usage == AnswerTokens(input=100, output=50, cache_read=400, cache_creation=0)
    assert empty.usage is None


def test_a_running_total_that_is_written_again_is_no_new_usage(tmp_path: Path) -> None:
    path = write(
        tmp_path / "rollout.jsonl",
        tokens(0, (500, 400, 50), (500, 400, 50)),
        tokens(1, (500, 400, 50), (500, 400, 50)),
        tokens(2, (500, 400, 50), (1000, 800, 100)),
        tokens(3, (7, 0, 1)),
        tokens(4, (7, 0, 1)),
    )
    assert [event.usage is not None for event in events(path)] == [True, False, True, True, True]


def test_a_fork_is_its_own_session_and_names_the_one_it_repeats(tmp_path: Path) -> None:
    path = write(
        tmp_path / "rollout.jsonl",
        codex(0, "session_meta", id="child", forked_from_id="parent", cwd="/repo"),
        codex(0, "session_meta", id="parent", cwd="/elsewhere"),
        tokens(1, (5, 0, 1)),
    )
    found = events(path)
    assert {(event.session_id, event.cwd) for event in found} == {("child", "/repo")}
    assert [event.origins for event in found] == [("child", "parent"), ("parent",), ()]


def test_without_a_session_meta_codex_is_known_by_its_file_name(tmp_path: Path) -> None:
    uuid = "0199aaaa-bbbb-7ccc-8ddd-0123456789ab"
    (event,) = events(write(tmp_path / f"rollout-2026-05-17T04-00-00-{uuid}.jsonl", tokens(0, (5, 0, 1))))
    assert event.session_id == uuid


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (shell(0, ["bash", "-lc", "pytest -q"]), "pytest -q"),
        (shell(0, ["/bin/zsh", "-c", "ls | wc"]), "ls | wc"),
        (shell(0, ["rg", "two words"]), "rg 'two words'"),
        (shell(0, "go test ./...", name="shell_command"), "go test ./..."),
        (codex(0, "response_item", type="function_call", name="exec_command", arguments='{"cmd":"tox"}'), "tox"),
        (codex(0, "response_item", type="local_shell_call", action={"command": ["bash", "-lc", "tox"]}), "tox"),
        (codex(0, "response_item", type="function_call", name="exec_command", arguments="{broken"), None),
        (codex(0, "response_item", type="custom_tool_call", name="apply_patch", input="*** Begin"), None),
        (shell(0, "ls", name="update_plan"), None),
    ],
)
def test_codex_commands_are_shell_text_however_they_were_given(tmp_path: Path, line: Any, command: str | None) -> None:
    (event,) = events(write(tmp_path / "rollout.jsonl", line))
    assert [call.command for call in event.calls] == [command]


@pytest.mark.parametrize(
    ("output", "error", "code", "state"),
    [
        (json.dumps({"output": "ok", "metadata": {"exit_code": 0}}), False, 0, "done"),
        (json.dumps({"output": "no", "metadata": {"exit_code": 1}}), True, 1, "done"),
        ({"content": "no", "success": False}, True, None, "done"),
        ("Exit code: 3\nWall time: 0.1 seconds\nOutput:\nboom", True, 3, "done"),
        ("Chunk ID: a\nProcess exited with code 0\nOutput:\nProcess exited with code 9", False, 0, "done"),
        ("Process running with session ID 7\nOutput:\n...", False, None, "unknown"),
        ("failed to parse function arguments: missing field", True, None, "refused"),
        ([{"type": "input_text", "text": "plain"}], False, None, "unknown"),
        ("{not json", False, None, "unknown"),
        (None, False, None, "unknown"),
    ],
)
def test_codex_results_say_how_the_tool_ended(
    tmp_path: Path, output: Any, error: bool, code: int | None, state: str
) -> None:
    (event,) = events(write(tmp_path / "rollout.jsonl", shell_output(0, output)))
    (result,) = event.results
    assert (result.call_id, result.is_error, result.exit_code, result.state) == ("call_1", error, code, state)


def test_windows_line_ends_a_byte_order_mark_blank_lines_and_zero_bytes_are_tolerated(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    line = json.dumps(said(0)).encode()
    path.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n\r\n   \n\0\0\0" + line + b"\n" + line)
    assert len(events(path)) == 3


def test_half_an_emoji_in_an_output_does_not_cost_the_line(tmp_path: Path) -> None:
    whole = json.dumps(came_back(0, "t1", "HALF"))
    path = write(tmp_path / "s.jsonl", *(whole.replace("HALF", cut).encode() for cut in (r"\ud83d", r"x\udc00y")))
    assert [event.results[0].call_id for event in events(path)] == ["t1", "t1"]


def test_bad_lines_are_counted_and_told_once_a_file(tmp_path: Path) -> None:
    undated = {name: value for name, value in said(0).items() if name != "timestamp"}
    path = write(
        tmp_path / "s.jsonl", b"not json", said(0), b"[1]", b"\xff\xfe", undated, {"type": "summary"}, b'{"cut": "of'
    )
    found, problems = with_problems(path)
    assert len(found) == 1
    assert problems == [
        f"{path}: 4 lines are not a JSON object and left out (line 1 is the first)",
        f"{path}: 1 line is without a readable timestamp and left out (line 5)",
    ]


def test_a_line_beyond_the_limit_is_told_and_the_next_one_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", b'{"x":"' + b"a" * LARGEST_LINE + b'"}', said(1))
    found, problems = with_problems(path)
    assert [event.at for event in found] == [at(1)]
    assert problems == [f"{path}: 1 line is longer than 16 MiB and left out (line 1)"]
    with pytest.raises(ValueError, match=r"s\.jsonl: line 1 is longer than 16 MiB"):
        list(compat_events(path))


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    found, problems = with_problems(tmp_path / "gone.jsonl")
    assert found == []
    assert len(problems) == 1
    assert "cannot be read (No such file" in problems[0]


@pytest.mark.parametrize(
    ("timestamp", "wanted"),
    [
        (stamp(0), at(0)),
        ("2026-05-17T06:00:00+02:00", at(0)),
        ("2026-05-17T04:00:00.123456789Z", at(0) + 123456),
        ("2026-05-17T04:00:00", None),
        ("2026-05-17", None),
        ("2026-02-30T04:00:00Z", None),
        ("not-a-time", None),
        ("", None),
        (5, None),
    ],
)
def test_a_time_is_microseconds_of_an_rfc_3339_text(timestamp: Any, wanted: int | None) -> None:
    assert instant(timestamp) == wanted


plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
names = (
    "type timestamp message payload content usage input info id output action name sessionId source arguments command"
)
keys = st.sampled_from([*names.split(), "last_token_usage", "total_token_usage", "input_tokens", "metadata"])
words = st.sampled_from(
    [stamp(0), "assistant", "tool_use", "tool_result", "session_meta", "token_count", "shell", "Bash"]
)
objects = st.recursive(
    plain | words, lambda inner: st.dictionaries(keys, inner, max_size=6) | st.lists(inner, max_size=3)
)
bad_lines = st.binary(max_size=60) | objects.map(lambda value: json.dumps(value).encode())


@given(st.lists(bad_lines, max_size=6))
def test_no_bytes_make_reading_raise(tmp_path_factory: pytest.TempPathFactory, rows: list[bytes]) -> None:
    path = write(tmp_path_factory.getbasetemp() / "any.jsonl", *rows, said(9))
    found, _ = with_problems(path)
    assert found[-1].at == at(9)
    assert list(compat_events(path))[-1].at == at(9)
