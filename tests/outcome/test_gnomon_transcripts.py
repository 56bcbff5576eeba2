"""What session files, CI results and logged counters add in the gnomon profile."""

import json
from pathlib import Path

import pytest

from gnomon.outcome import SignalSet
from outcome.conftest import Claude, Codex, MakeRepo, Repo, moment, written

JUNIT = '<testsuites><testsuite name="s">{}</testsuite></testsuites>'
PASSED = '<testcase name="a"/>'
FAILED = '<testcase name="b"><failure message="no"/></testcase>'
BROKEN = '<testcase name="c"><error/></testcase>'
SKIPPED = '<testcase name="d"><skipped/></testcase>'


@pytest.fixture
def two(made: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return made.copied(tmp_path_factory.mktemp("two") / "repo")


@pytest.fixture(scope="module")
def made(make_repo: MakeRepo) -> Repo:
    """Two iterations that ended with commits at minutes 10 and 20."""
    repo = make_repo()
    for number in (1, 2):
        repo.minutes = 10 * number - 1
        repo.entry(number, commit=repo.commit(f"Work {number}", {f"{number}.py": "1\n"}))
    return repo


def signals(repo: Repo, folder: Path, iteration: int = 2, **more) -> SignalSet:
    return repo.one(iteration, transcripts=(folder,), **more).signals


# ── tokens ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_cache_rate_is_over_all_input_and_over_the_iteration_s_window(two: Repo, tmp_path: Path):
    session = Claude(cwd=str(two.root))
    session.answer(5, "a", read=0, made=100)
    session.answer(12, "b", read=60, made=20, fresh=20)
    session.answer(15, "c", read=20, made=0, fresh=80)
    session.answer(25, "d", read=1000)
    folder = written(tmp_path, session)
    found = signals(two, folder).token_efficiency
    assert (found.sub_score, found.detail) == (0.4, "cache reads of all input, 2 transcript turns")
    assert signals(two, folder, 1).token_efficiency.sub_score == 0.0


def test_an_answer_over_several_lines_and_in_a_resumed_copy_counts_once(two: Repo, tmp_path: Path):
    session = Claude(cwd=str(two.root))
    session.answer(12, "a", read=90, fresh=10, lines=5)
    session.answer(13, "b", read=0, fresh=100)
    resumed = Claude("s-2", cwd=str(two.root), lines=[{**line, "sessionId": "s-2"} for line in session.lines])
    folder = written(tmp_path, session, resumed)
    found = two.one(2, transcripts=(folder,))
    assert found.inputs["transcripts"]["turns"] == 2
    assert found.signals.token_efficiency.sub_score == 0.45


def test_codex_counts_cached_input_inside_input_and_repeated_totals_once(two: Repo, tmp_path: Path):
    session = Codex(cwd=str(two.root))
    session.answer(12, given=100, cached=80)
    session.lines.append({**session.lines[-1], "timestamp": moment(12.5)})
    session.answer(13, given=100, cached=20)
    found = two.one(2, transcripts=(written(tmp_path, session),))
    assert found.inputs["transcripts"]["tokens"] == [100, 10, 100, 0]
    assert found.signals.token_efficiency.sub_score == 0.5


def test_the_session_that_the_entry_names_counts_alone(two: Repo, tmp_path: Path):
    mine, other = Claude("mine", cwd=str(two.root)), Claude("other", cwd=str(two.root))
    mine.answer(12, "a", read=75, fresh=25)
    other.answer(12, "b", read=0, fresh=300)
    folder = written(tmp_path, mine, other)
    assert signals(two, folder).token_efficiency.sub_score == 0.1875
    entry = {"commit": two.one(2).record.commit}
    two.entry(2, **entry, agent={"session_id": "mine"})
    assert signals(two, folder).token_efficiency.sub_score == 0.75
    two.entry(2, **entry, agent={"session_id": "unknown"})
    found = signals(two, folder).token_efficiency
    assert not found.present
    assert found.detail == "no transcript of session unknown covers the iteration"


def test_sessions_of_other_projects_count_for_nothing(two: Repo, tmp_path: Path):
    mine, other = Claude("mine", cwd=str(two.root / "deep")), Codex("other", cwd=str(tmp_path / "elsewhere"))
    mine.answer(12, "a", read=75, fresh=25)
    other.answer(12, given=300, cached=0)
    other.shell(13, "x", "pytest", code=1)
    found = two.one(2, transcripts=(written(tmp_path, mine, other),))
    assert found.signals.token_efficiency.sub_score == 0.75
    assert found.inputs["transcripts"]["sessions"] == ["mine"]
    assert not found.signals.tests.present


def test_a_session_in_a_linked_worktree_is_the_project_s(two: Repo, tmp_path: Path):
    two.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "linked"))
    mine, other = Claude("mine", cwd=str(tmp_path / "linked")), Claude("other", cwd=str(tmp_path / "elsewhere"))
    mine.answer(12, "a", read=75, fresh=25)
    other.answer(12, "b", fresh=300)
    assert signals(two, written(tmp_path / "t", mine, other)).token_efficiency.sub_score == 0.75


NATIVE = {"input_tokens": 10, "cache_read_tokens": 80, "cache_creation_tokens": 10, "cache_hit_rate": 0.5}


@pytest.mark.parametrize(
    ("tokens", "harness", "rate", "words"),
    [
        (NATIVE, "claude-code", 0.8, "from the logged counters"),
        ({**NATIVE, "input_tokens": 100}, "codex", 0.8, "from the logged counters"),
        ({"cache_hit_rate": 0.42}, "", 0.42, "cache_hit_rate as logged"),
        ({"input_tokens": 10, "cache_hit_rate": 0.42}, "", 0.0, "from the logged counters"),
        ({}, "", None, "session_tokens holds no numbers"),
        ({"cache_hit_rate": 0}, "", None, "session_tokens holds no numbers"),
    ],
)
def test_logged_counters_go_before_a_logged_rate_and_count_when_the_commit_is_gone(
    repo: Repo, tokens, harness, rate, words
):
    repo.entry(1, commit="0123456789", session_tokens=tokens, agent={"harness": harness})
    found = repo.one().signals.token_efficiency
    assert (found.sub_score if found.present else None) == rate
    assert words in found.detail


def test_an_empty_block_of_counters_leaves_the_word_to_the_transcript(two: Repo, tmp_path: Path):
    session = Claude(cwd=str(two.root))
    session.answer(12, "a", read=75, fresh=25)
    two.entry(2, commit=two.one(2).record.commit, session_tokens={})
    assert signals(two, written(tmp_path, session)).token_efficiency.sub_score == 0.75


def test_no_transcripts_no_coverage_and_no_input_are_three_reasons(two: Repo, tmp_path: Path):
    assert two.one(2).signals.token_efficiency.detail == "no transcripts"
    early, empty = Claude(cwd=str(two.root)), Claude(cwd=str(two.root))
    early.answer(5, "a", read=1)
    assert "no transcript covers" in signals(two, written(tmp_path / "a", early)).token_efficiency.detail
    empty.answer(12, "a")
    assert "counts no input tokens" in signals(two, written(tmp_path / "b", empty)).token_efficiency.detail


# ── tests ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_observed_tests_vote_and_the_claim_stands_beside_them(two: Repo, tmp_path: Path):
    session = Claude(cwd=str(two.root))
    session.bash(11, "a", "pytest -q", failed=True)
    session.bash(12, "b", "pytest -q")
    session.bash(13, "c", "cd web && npm test", failed=True)
    session.bash(14, "d", 'echo "go test ./..."')
    two.entry(2, commit=two.one(2).record.commit, impl={"focused_tests_pass": True})
    found = signals(two, written(tmp_path, session))
    assert (found.tests.sub_score, found.tests.detail) == (0.5, "1/2 test commands passed when they last ran")
    (pair,) = [pair for pair in found.integrity if pair.signal == "tests"]
    assert (pair.claimed.sub_score, pair.observed.sub_score, pair.delta) == (1.0, 0.5, -0.5)


def test_a_claim_votes_where_nothing_was_observed_and_says_so(two: Repo, tmp_path: Path):
    session = Claude(cwd=str(two.root))
    session.bash(11, "a", "ls")
    two.entry(2, commit=two.one(2).record.commit, impl={"focused_tests_pass": True})
    found = signals(two, written(tmp_path, session))
    assert found.tests.sub_score == 1.0
    assert "self-reported; no test ran in the transcript" in found.tests.detail
    (pair,) = [pair for pair in found.integrity if pair.signal == "tests"]
    assert not pair.comparable


def test_a_runner_of_one_s_own_is_recognised_when_it_is_named(two: Repo, tmp_path: Path):
    session = Codex(cwd=str(two.root))
    session.shell(11, "a", "./scripts/proof --all")
    folder = written(tmp_path, session)
    assert not signals(two, folder).tests.present
    assert signals(two, folder, runners=("proof",)).tests.sub_score == 1.0


@pytest.mark.parametrize("code", [0, 1])
def test_codex_commands_and_their_ends_are_understood(two: Repo, tmp_path: Path, code: int):
    session = Codex(cwd=str(two.root))
    session.shell(11, "a", "cargo test", code=code)
    session.shell(12, "b", "cat .agents/loop-state.md")
    found = signals(two, written(tmp_path, session))
    assert found.tests.sub_score == 1 - code
    assert found.correction_pressure.sub_score == pytest.approx(1 / (1 + 2 * code / 2))
    assert {name: value.sub_score for name, value in found.objective.as_map().items()} == {
        "ran_cli_command": 1.0,
        "committed_after_tests": 1.0,
        "read_loop_state": 1.0,
    }


def ci_file(folder: Path, name: str, *cases: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(JUNIT.format("".join(cases)))
    return path


def test_ci_results_go_before_transcripts_and_claims(two: Repo, tmp_path: Path):
    session = Claude(cwd=str(two.root))
    session.bash(11, "a", "pytest -q")
    folder = written(tmp_path / "t", session)
    sha = two.one(2).record.commit
    ci_file(tmp_path / "ci", f"{sha[:8]}/unit.xml", PASSED, PASSED, FAILED, SKIPPED)
    ci_file(tmp_path / "ci", f"run-{sha}/more/e2e.xml", BROKEN)
    ci_file(tmp_path / "ci", "0123456789/unit.xml", FAILED)
    two.entry(2, commit=sha, impl={"focused_tests_pass": True})
    found = two.one(2, transcripts=(folder,), ci=(tmp_path / "ci",))
    assert found.signals.tests.sub_score == 0.5
    assert found.signals.tests.detail == f"CI: 2/4 tests passed on {sha[:12]}"
    assert [pair.delta for pair in found.signals.integrity if pair.signal == "tests"] == [-0.5]
    assert {name for name in found.inputs["files"] if name.startswith("ci: ")} == {
        f"ci: {sha[:8]}/unit.xml",
        f"ci: run-{sha}/more/e2e.xml",
    }


def test_the_newest_commit_of_an_iteration_that_ci_saw_decides(repo: Repo, tmp_path: Path):
    repo.entry(1, commit=repo.commit("One", {"1": "1"}))
    older, newer = repo.commit("Two", {"2": "1"}), repo.commit("Three", {"3": "1"})
    repo.entry(2, commit=newer)
    ci_file(tmp_path, f"{older[:10]}.xml", FAILED)
    assert repo.one(2, ci=(tmp_path,)).signals.tests.sub_score == 0.0
    ci_file(tmp_path, f"{newer[:10]}.xml", PASSED)
    assert repo.one(2, ci=(tmp_path,)).signals.tests.sub_score == 1.0


# ── correction pressure ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({}, None),
        ({"impl": {}}, None),
        ({"impl": {"retries": None}}, None),
        ({"impl": {"retries": 0}}, 1.0),
        ({"impl": {"retries": 1}}, 0.5),
        ({"verifiers": [{"type": "t", "retries": 0}]}, 1.0),
        ({"impl": {"retries": 1}, "verifiers": [{"type": "t", "retries": 2}]}, 0.25),
    ],
)
def test_only_what_was_written_down_is_evidence_of_corrections(repo: Repo, entry, expected):
    repo.entry(1, **entry)
    found = repo.one().signals.correction_pressure
    assert (found.sub_score if found.present else None) == expected
    if expected is None:
        assert "nobody wrote down" in found.detail


def test_an_iteration_without_any_evidence_is_unscored(repo: Repo):
    repo.entry(1)
    score = repo.one().score
    assert (score.scored, score.value, score.band, score.coverage, score.provisional) == (False, 0, "unscored", 0, True)


def test_tool_errors_of_either_agent_press(two: Repo, tmp_path: Path):
    claude, codex = Claude(cwd=str(two.root)), Codex(cwd=str(two.root))
    claude.bash(11, "a", "ls", failed=True)
    claude.tool(12, "b", "Read", {"file_path": "/x/y.py"})
    codex.shell(13, "c", "ls", code=2)
    codex.shell(14, "d", "ls")
    found = signals(two, written(tmp_path, claude, codex)).correction_pressure
    assert found.sub_score == 0.5
    assert "tool errors=50%" in found.detail


def test_corrections_are_found_where_close_out_moved_them(repo: Repo):
    decision = ".agents/active/verification/t1/review-decision.yaml"
    moved = ".agents/history/p/delegate-merge-back-archive/2026-05-04/t1/verification/review-decision.yaml"
    repo.entry(1, review={"decision_artifact": decision})
    assert not repo.one().signals.correction_pressure.present
    repo.write({moved: "post_invocation:\n  user_corrections: [one, two]\n  retries_in_loop: 1\n"})
    found = repo.one()
    assert found.signals.correction_pressure.sub_score == 0.25
    assert moved in found.inputs["files"]


# ── objectives ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_objectives_are_seen_within_the_window_only(two: Repo, tmp_path: Path):
    session = Claude(cwd=str(two.root))
    session.bash(5, "a", "pytest")
    session.tool(6, "b", "Read", {"file_path": "/x/.agents/loop-state.md"})
    session.answer(12, "c", read=1)
    folder = written(tmp_path, session)
    first, second = two.one(1, transcripts=(folder,)).objectives, two.one(2, transcripts=(folder,)).objectives
    assert [value.sub_score for value in first.values()] == [1.0, 1.0, 1.0]
    assert [(value.present, value.sub_score) for value in second.values()] == [(True, 0.0)] * 3


def test_tests_after_the_commit_are_not_before_it(two: Repo, tmp_path: Path):
    session = Claude(cwd=str(two.root))
    session.bash(22, "a", "pytest")
    two.entry(2, commit=two.one(2).record.commit, checkpoint_at=moment(25))
    found = signals(two, written(tmp_path, session))
    assert found.objective.committed_after_tests.sub_score == 0.0
    assert found.tests.sub_score == 1.0


# ── files that are not as they should be ────────────────────────────────────────────────────────────────────────


def test_bad_lines_and_folders_cost_themselves_and_are_told(two: Repo, tmp_path: Path):
    session = Claude(cwd=str(two.root))
    session.answer(12, "a", read=75, fresh=25)
    folder = written(tmp_path / "t", session)
    (folder / "project" / "odd.jsonl").write_bytes(
        b'{"timestamp": 5\n\0\0\n\xff\xfe\n' + b"[" * 100_000 + b"\n" + json.dumps(session.lines[0]).encode() + b"\n"
    )
    (folder / "folder.jsonl").mkdir()
    report = two.score(transcripts=(folder, tmp_path / "nowhere"))
    assert report.iterations[1].signals.token_efficiency.sub_score == 0.75
    told = {Path(one.where).name: one.message for one in report.diagnostics}
    assert set(told) == {"nowhere", "odd.jsonl", "folder.jsonl"}
    assert told["nowhere"] == "there is no such folder"


def test_bad_ci_files_are_told_once_each_and_the_good_ones_count(two: Repo, tmp_path: Path):
    sha = two.one(2).record.commit
    two.entry(3, commit=sha)
    ci_file(tmp_path, f"{sha[:9]}/good.xml", PASSED)
    for name, content in {
        "cut": b"<testsuite><testcase>",
        "encoding": b'<?xml version="1.0" encoding="nonsense"?><a/>',
        "binary": b"\0\xff",
        "empty": b"",
        "laughs": b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
        + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 100) for n in range(8))
        + b"]><a>&i;</a>",
    }.items():
        (tmp_path / f"{sha[:9]}/{name}.xml").write_bytes(content)
    (tmp_path / f"{sha[:9]}/folder.xml").mkdir()
    report = two.score(ci=(tmp_path, tmp_path / "nowhere"))
    assert report.iterations[1].signals.tests.sub_score == 1.0
    told = [(one.code, Path(one.where).stem) for one in report.diagnostics if one.code == "ci"]
    assert sorted(told) == [
        ("ci", name) for name in ("binary", "cut", "empty", "encoding", "folder", "laughs", "nowhere")
    ]
