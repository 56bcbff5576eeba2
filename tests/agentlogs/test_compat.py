"""The strict rules: what counts for tokens, what for the objective checks."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import pytest

from agentlogs.sessions import at, bash, came_back, codex, read, said, tokens, write
from gnomon.agentlogs import AnswerTokens
from gnomon.outcome.compat.sessions import CompatLine, compat_events, compat_files

Totals = tuple[int, int, int, int, int, int, int]


def moment(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1_000_000)


def totals(lines: Iterable[CompatLine], start: int | None, end: int) -> Totals:
    """input, output, cache read, cache creation, turns, tool calls, tool errors."""
    inside = [line for line in lines if (start is None or line.at > start) and line.at <= end]
    used = [line.usage for line in inside if line.usage]
    return (
        sum(usage.input for usage in used),
        sum(usage.output for usage in used),
        sum(usage.cache_read for usage in used),
        sum(usage.cache_creation for usage in used),
        len(used),
        sum(line.tool_calls for line in inside),
        sum(line.tool_errors for line in inside),
    )


@pytest.mark.parametrize(
    ("folder", "start", "end", "wanted"),
    [
        ("backfill_claude", "2026-05-17T03:30:00Z", "2026-05-17T05:00:00Z", (20, 8, 300, 100, 1, 3, 1)),
        ("backfill_claude", None, "2026-05-17T05:00:00Z", (30, 13, 300, 200, 2, 3, 1)),
        ("backfill_codex", "2026-05-17T03:30:00Z", "2026-05-17T05:00:00Z", (700, 60, 600, 100, 2, 0, 0)),
        ("backfill_mixed", "2026-05-17T03:30:00Z", "2026-05-17T05:00:00Z", (110, 25, 200, 100, 2, 1, 1)),
        ("backfill_claude", "2026-05-18T03:30:00Z", "2026-05-18T05:00:00Z", (0, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_published_sessions_give_the_published_totals(
    test_data: Path, folder: str, start: str | None, end: str, wanted: Totals
) -> None:
    files = compat_files([test_data / "outcome" / "fixtures" / folder])
    lines = [line for path in files for line in compat_events(path)]
    assert lines
    assert totals(lines, moment(start) if start else None, moment(end)) == wanted


def only(tmp_path: Path, *lines: object) -> CompatLine:
    (line,) = compat_events(write(tmp_path / "s.jsonl", *lines))  # type: ignore[arg-type]
    return line


def test_usage_counts_once_a_line_and_results_by_their_flag(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", said(0), said(1), came_back(2, error=True), came_back(3))
    assert totals(compat_events(path), None, at(9)) == (20, 10, 600, 200, 2, 2, 1)


@pytest.mark.parametrize("usage", [(1.0, 2), ("1", 2), (True, 2)])
def test_a_token_count_that_is_no_whole_number_drops_the_line_for_tokens_only(
    tmp_path: Path, usage: tuple[object]
) -> None:
    line = only(tmp_path, said(0, bash("ls"), usage=usage))
    assert line.usage is None
    assert (line.covers, line.bash) == (True, True)


def test_plain_text_content_drops_the_line_for_both(tmp_path: Path) -> None:
    assert only(tmp_path, said(0, content="hello")) == CompatLine(at(0))


def test_lines_without_json_or_a_time_count_for_nothing(tmp_path: Path) -> None:
    undated = said(0) | {"timestamp": "not-a-time"}
    assert list(compat_events(write(tmp_path / "s.jsonl", b"no json", undated, said(1) | {"timestamp": 5}, b""))) == []


def test_a_system_line_and_a_codex_line_cover_and_their_tools_are_not_seen(tmp_path: Path) -> None:
    lines = [{"type": "system", "timestamp": "2026-05-17T04:00:00Z"}, codex(0, "response_item", type="function_call")]
    found = list(compat_events(write(tmp_path / "s.jsonl", *lines)))
    assert found == [CompatLine(at(0), covers=True)] * 2


def test_a_payload_makes_the_line_codex_whatever_its_type(tmp_path: Path) -> None:
    assert only(tmp_path, tokens(0, (500, 400, 50)) | {"type": "assistant"}).usage == AnswerTokens(500, 50, 400, 100)
    assert only(tmp_path, tokens(0, (5, 9, 1))).usage == AnswerTokens(5, 1, 9, 0)
    assert only(tmp_path, said(0) | {"payload": None}).usage is None


def test_commands_and_read_paths_are_those_of_the_named_tools(tmp_path: Path) -> None:
    line = only(
        tmp_path, said(0, bash("go test ./..."), read("/x/loop-state.md"), {"type": "tool_use", "name": "Write"})
    )
    assert (line.bash, line.commands, line.read_paths) == (True, ("go test ./...",), ("/x/loop-state.md",))


def test_an_input_that_is_no_object_matches_nothing_but_covers(tmp_path: Path) -> None:
    block = {"type": "tool_use", "name": "Read", "input": "loop-state.md"}
    line = only(tmp_path, said(0, block, {"type": "tool_use", "name": "Bash", "input": {"command": 5}}))
    assert (line.covers, line.bash, line.commands, line.read_paths) == (True, True, (), ())


def test_a_file_that_cannot_be_opened_raises(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"gone\.jsonl"):
        list(compat_events(tmp_path / "gone.jsonl"))
