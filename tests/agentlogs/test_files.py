"""Which files are found."""

import os
from pathlib import Path

import pytest

from agentlogs.sessions import said, write
from gnomon.agentlogs import session_files
from gnomon.outcome.compat.sessions import compat_files


def test_session_files_are_found_at_any_depth_and_sorted(tmp_path: Path) -> None:
    wanted = [
        write(tmp_path / "claude" / "-repo" / "s1.jsonl", said(0)),
        write(tmp_path / "claude" / "-repo" / "s1" / "subagents" / "agent-1.jsonl", said(1)),
        write(tmp_path / "codex" / "2026" / "05" / "17" / "rollout-1.jsonl", said(2)),
    ]
    write(tmp_path / "codex" / "notes.json", said(3))
    folders = [tmp_path / "codex", tmp_path / "claude", tmp_path / "gone", ""]
    assert session_files(folders, on_problem=pytest.fail) == sorted(wanted)
    assert session_files([tmp_path / "claude" / "-repo"], recursive=False, on_problem=pytest.fail) == [wanted[0]]
    assert compat_files([tmp_path / "claude" / "-repo", tmp_path / "gone", ""]) == [wanted[0]]


def test_a_file_that_is_reached_twice_is_read_once_and_loops_end(tmp_path: Path) -> None:
    real = write(tmp_path / "a" / "s.jsonl", said(0))
    (tmp_path / "a" / "again").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "z.jsonl").symlink_to(real)
    assert session_files([tmp_path, tmp_path / "a"], on_problem=pytest.fail) == [real]


def test_what_cannot_be_a_session_file_is_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    inside = write(tmp_path / "folder.jsonl" / "s.jsonl", said(0))
    (tmp_path / "broken.jsonl").symlink_to(tmp_path / "gone")
    os.mkfifo(tmp_path / "pipe.jsonl")
    problems: list[str] = []
    assert session_files([tmp_path], on_problem=problems.append) == [inside]
    assert sorted(Path(problem.partition(": ")[0]).name for problem in problems) == [
        "broken.jsonl",
        "folder.jsonl",
        "pipe.jsonl",
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_unreadable_files_and_folders_are_told(tmp_path: Path) -> None:
    write(tmp_path / "secret.jsonl", said(0)).chmod(0)
    (tmp_path / "locked").mkdir(mode=0)
    problems: list[str] = []
    assert session_files([tmp_path], on_problem=problems.append) == []
    assert len(problems) == 2
