"""The first entry of a log: what it is made from, that it explains itself, and that it can be scored as it stands."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from gnomon.agentlogs import session_files
from gnomon.errors import Conflict, Refused
from gnomon.outcome import parse_iteration_record
from gnomon.outcome.starter import Starter, first_entry
from outcome.conftest import Claude, Codex, MakeRepo, Repo, written

NOW = datetime(2026, 5, 4, 12, 30, 15, 999, tzinfo=UTC)


def begun(repo: Repo, *folders: Path) -> Starter:
    return first_entry(repo.log, repo.root, session_files(folders, on_problem=pytest.fail), NOW)


def test_the_newest_commit_is_what_the_entry_is_about(repo: Repo):
    sha = repo.commit("Add two\n\nWith words.", {"a": "1\n2\n", "b": "1\n", "README.md": None, "c.bin": b"\0\1"})
    starter = begun(repo)
    assert starter.path == repo.log / "iter-1.yaml"
    assert starter.made_from == [f"commit {sha[:12]}"]
    record = parse_iteration_record(starter.text)
    assert (record.schema_version, record.iteration, record.commit) == (2, 1, sha)
    assert (record.date, record.checkpoint_at) == ("2026-05-04", "2026-05-04T12:30:15Z")
    assert (record.files_changed, record.lines_added, record.lines_removed) == (4, 3, 1)
    assert record.impl.summary == "Add two"


def test_what_nobody_said_stays_unsaid(repo: Repo):
    record = parse_iteration_record(begun(repo).text)
    assert record.impl.focused_tests_pass is None
    assert not record.impl.retries_reported
    assert (record.verifiers, record.review.overall_decision, record.session_tokens) == ((), "", None)


def test_every_field_that_a_person_fills_in_is_explained(repo: Repo):
    starter = begun(repo)
    told = "\n".join(line for line in starter.text.splitlines() if line.startswith("#"))
    for field in ("wave", "task_id", "commit", "checkpoint_at", "scope_note", "write_scope", "status", "accept"):
        assert field in told


def test_a_name_in_a_merges_subject_is_left_out(repo: Repo):
    repo.commit("Merge branch 'zelda/cart' of https://example.com/zelda/fork", {"a": "1\n"})
    assert yaml.safe_load(begun(repo).text)["impl"]["summary"] == "Merge branch 'cart'"


def test_the_newest_session_says_which_one_it_was_and_how_many_tokens_it_took(repo: Repo, tmp_path: Path):
    old, new = Claude("old", str(repo.root)), Claude("new", str(repo.root / "src"))
    old.answer(1, "a", fresh=1)
    new.answer(2, "b", read=80, made=15, fresh=5)
    folder = written(tmp_path, new, old)
    os.utime(folder / "project" / "old.jsonl", (1, 1))
    starter = begun(repo, folder)
    assert starter.made_from[1:] == ["session new.jsonl"]
    entry = yaml.safe_load(starter.text)
    assert entry["agent"] == {"session_id": "new", "harness": "claude-code", "model": "m"}
    assert entry["session_tokens"] == {
        "input_tokens": 5, "output_tokens": 5, "cache_read_tokens": 80, "cache_creation_tokens": 15,
    }  # fmt: skip


def test_a_session_of_another_project_is_not_taken_for_this_ones(repo: Repo, tmp_path: Path):
    """Codex keeps the sessions of all projects in one folder."""
    mine, other = Codex("mine", str(repo.root)), Codex("other", "/somewhere/else")
    for session in (mine, other):
        session.answer(1, given=10, cached=5)
    folder = written(tmp_path, mine, other)
    os.utime(folder / "project" / "mine.jsonl", (1, 1))
    assert begun(repo, folder).made_from[1:] == ["session mine.jsonl"]
    (folder / "project" / "mine.jsonl").unlink()
    starter = begun(repo, folder)
    assert starter.made_from[1:] == []
    assert "agent" not in yaml.safe_load(starter.text)


def test_a_session_file_that_says_nothing_is_passed_over(repo: Repo, tmp_path: Path):
    session = Claude("real", str(repo.root))
    session.answer(1, "a", fresh=1)
    folder = written(tmp_path, session)
    os.utime(folder / "project" / "real.jsonl", (1, 1))
    (folder / "empty.jsonl").write_text("")
    (folder / "noise.jsonl").write_bytes(b"\xff\x00 not JSON\n{}\n")
    assert begun(repo, folder).made_from[1:] == ["session real.jsonl"]


def test_the_entry_can_be_scored_as_it_stands(repo: Repo):
    begun(repo).write()
    assert repo.one().signals.landed.sub_score == 1.0


@pytest.mark.parametrize("number", [1, 7])
def test_a_log_that_exists_goes_on_by_itself(repo: Repo, number: int):
    repo.entry(number)
    with pytest.raises(Conflict, match=f"up to iter-{number}; score them"):
        begun(repo)


def test_where_there_is_nothing_to_begin_with_the_reason_is_told(make_repo: MakeRepo, tmp_path: Path):
    with pytest.raises(Refused, match="has no commits yet; commit something first"):
        begun(make_repo(first=None))
    with pytest.raises(Refused, match="not a git repository"):
        first_entry(tmp_path / "log", tmp_path, [], NOW)


def test_a_log_that_cannot_be_made_is_refused_and_names_the_flag(repo: Repo):
    with pytest.raises(Refused, match=r"README\.md is a file, and a log is a folder; name another with --log"):
        first_entry(repo.root / "README.md", repo.root, [], NOW)
    with pytest.raises(Refused, match=r"cannot make the log .*--log"):
        first_entry(repo.root / "README.md" / "log", repo.root, [], NOW).write()
