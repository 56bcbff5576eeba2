"""Many files as one line of time: each thing once, by windows."""

import os
import random
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentlogs.sessions import (
    EVER,
    Line,
    at,
    bash,
    came_back,
    codex,
    read,
    said,
    shell,
    shell_output,
    stamp,
    tokens,
    told,
    write,
)
from gnomon.agentlogs import AnswerTokens, TestRun, WindowFacts, session_files, timeline

CHILD, PARENT = "0199aaaa-bbbb-7ccc-8ddd-00000000000c", "0199aaaa-bbbb-7ccc-8ddd-00000000000a"


def test_an_answer_over_several_lines_counts_once_with_its_largest_usage(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s1.jsonl",
        said(1, {"type": "text", "text": "a"}, usage=(10, 1, 300, 100)),
        said(2, bash("ls"), usage=(10, 9, 300, 100)),
        said(3, bash("ls", "t2"), usage=(10, 5, 300, 100)),
        said(4, id="msg_2", usage=(1, 1, 1, 1)),
    )
    facts = told(path).window(None, EVER)
    assert (facts.turns, facts.usage) == (2, AnswerTokens(11, 10, 301, 101))
    assert told(path).window(at(1), EVER).turns == 1, "an answer is placed where it began"


def test_a_resumed_session_that_copies_history_adds_only_what_is_new(tmp_path: Path) -> None:
    history = [said(1, bash("pytest -q")), came_back(2, error=True, output="Exit code 1")]
    copied = [line | {"sessionId": "s2"} for line in history]
    old = write(tmp_path / "s1.jsonl", *history)
    new = write(tmp_path / "s2.jsonl", *copied, said(9, id="msg_9", session="s2"))
    found = told(old, new)
    facts = found.window(None, EVER)
    assert (facts.turns, facts.tool_calls, facts.tool_errors) == (2, 1, 1)
    assert facts.test_runs == (TestRun(at(1), "pytest -q", False),)
    assert facts.sessions == {"s1", "s2"} == found.sessions
    assert found.window(None, EVER, session_id="s1").turns == 1
    assert found.window(None, EVER, session_id="s2").turns == 2
    assert found.window(None, EVER, session_id="other") == WindowFacts()


def test_the_same_call_id_in_two_sessions_is_two_calls(tmp_path: Path) -> None:
    lines = [came_back(1, "t1"), came_back(2, "t1", session="s2"), came_back(3, "t1", session=None)]
    files = [
        write(tmp_path / f"{number}.jsonl", line) for number, line in enumerate([*lines, came_back(4, session=None)])
    ]
    assert told(*files).window(None, EVER).tool_calls == 4


def test_a_codex_fork_repeats_its_parent_with_new_dates_and_adds_only_its_own(tmp_path: Path) -> None:
    work = [shell(1, ["bash", "-lc", "pytest"], "call_1"), shell_output(2, "Exit code: 0\nOutput:\n", "call_1")]
    parent = write(
        tmp_path / f"rollout-{PARENT}.jsonl",
        codex(0, "session_meta", id=PARENT, cwd="/repo"),
        *work,
        tokens(3, (500, 400, 50), (500, 400, 50)),
        tokens(4, (500, 400, 50), (500, 400, 50)),
    )
    day = 86_400 * 9
    fork = write(
        tmp_path / f"rollout-{CHILD}.jsonl",
        codex(day, "session_meta", id=CHILD, forked_from_id=PARENT, cwd="/repo"),
        codex(day, "session_meta", id=PARENT, cwd="/repo"),
        *(line | {"timestamp": codex(day, "x")["timestamp"]} for line in work),
        tokens(day, (500, 400, 50), (500, 400, 50)),
        tokens(day + 5, (100, 0, 7), (600, 400, 57)),
    )
    stranger = write(tmp_path / "rollout-x.jsonl", tokens(day + 6, (500, 400, 50), (500, 400, 50)))
    for path in (parent, fork, stranger):
        os.utime(path, (1, 1))
    whole = told(parent, fork, stranger)
    assert whole.window(None, EVER).turns == 3
    since = whole.window(at(day - 1), at(day + 5))
    assert (since.turns, since.usage, since.ran_command, since.test_runs) == (1, AnswerTokens(100, 7, 0, 0), False, ())
    asked = told(parent, fork, stranger, window=(at(day - 1), at(day + 5)))
    assert asked.window(at(day - 1), at(day + 5)) == since
    assert (asked.files, asked.not_needed) == (3, 0), "the parent tells what the fork repeats"


def test_the_event_that_reports_a_commands_end_is_the_same_result(tmp_path: Path) -> None:
    path = write(
        tmp_path / "rollout.jsonl",
        codex(0, "session_meta", id="c1"),
        shell(1, ["bash", "-lc", "pytest | tail"]),
        codex(2, "event_msg", type="exec_command_end", call_id="call_1", exit_code=1),
        shell_output(3, "Exit code: 1\nOutput:\nno"),
    )
    facts = told(path).window(None, EVER)
    assert (facts.tool_calls, facts.tool_errors) == (1, 1)


def test_sidechains_count_and_are_counted_apart(tmp_path: Path) -> None:
    main = write(tmp_path / "s1.jsonl", said(1))
    agent = write(tmp_path / "s1" / "subagents" / "agent-1.jsonl", said(2, id="msg_2", sidechain=True))
    facts = told(main, agent).window(None, EVER, session_id="s1")
    assert (facts.turns, facts.sidechain_turns) == (2, 1)


def test_a_line_that_the_harness_wrote_itself_is_no_turn(tmp_path: Path) -> None:
    path = write(tmp_path / "s1.jsonl", said(1, model="<synthetic>", usage=(0, 0, 0, 0)))
    facts = told(path).window(None, EVER)
    assert (facts.covered, facts.turns, facts.models) == (True, 0, frozenset())


def test_a_window_is_open_on_the_left_and_closed_on_the_right(tmp_path: Path) -> None:
    found = told(write(tmp_path / "s1.jsonl", *(said(n, id=f"m{n}", model=f"model-{n}") for n in range(5))))
    facts = found.window(at(1), at(3))
    assert facts.models == {"model-2", "model-3"}
    assert found.window(at(4), EVER) == found.window(at(3), at(2)) == WindowFacts()
    assert found.window(None, at(0)).turns == 1


def test_reads_are_known_by_name_also_those_made_by_the_shell(tmp_path: Path) -> None:
    claude = write(tmp_path / "s1.jsonl", said(1, read("/repo/.agents/loop-state.md")), came_back(2))
    codex_file = write(tmp_path / "rollout.jsonl", shell(3, ["bash", "-lc", "cat docs/plan.md | head"]))
    facts = told(claude, codex_file).window(None, EVER)
    assert facts.read_paths == {"loop-state.md", "plan.md"}
    assert facts.harnesses == {"claude-code", "codex"}
    assert not told(claude).window(None, EVER).ran_command
    assert told(codex_file).window(None, EVER).ran_command


@pytest.mark.parametrize(
    ("command", "output", "error", "passed"),
    [
        ("pytest -q", "3 passed", False, True),
        ("pytest -q", "Exit code 1\n1 failed", True, False),
        ("pytest -q | tail", "....", False, None),
        ("pytest -q | tail", "== 3 passed in 0.1s ==", False, True),
        ("pytest -q | tail", "== 1 failed, 3 passed in 0.1s ==", False, False),
        ("pytest -q && git commit", "Exit code 1\nnothing to commit", True, None),
        ("go test ./... ; true", "ok  \tx/y\t0.1s\n", False, True),
        ("go test ./... ; true", "--- FAIL: TestX\nFAIL", False, False),
        ("cargo test | tail", "test result: ok. 3 passed; 0 failed", False, True),
        ("pytest | tail; npm test | tail", "3 passed", False, None),
        ("pytest", "Command running in background with ID: b1", False, None),
    ],
)
def test_whether_tests_passed_is_known_only_where_something_tells(
    tmp_path: Path, command: str, output: str, error: bool, passed: bool | None
) -> None:
    path = write(tmp_path / "s1.jsonl", said(1, bash(command)), came_back(2, output=output, error=error))
    assert {run.passed for run in told(path).window(None, EVER).test_runs} == {passed}


def test_tests_started_in_the_background_are_unknown_refused_ones_did_not_run_unanswered_ones_are_unknown(
    tmp_path: Path,
) -> None:
    path = write(
        tmp_path / "s1.jsonl",
        said(1, bash("pytest a", "t1", run_in_background=True)),
        came_back(2, "t1"),
        said(3, bash("pytest b", "t2")),
        came_back(4, "t2", "The user doesn't want to proceed with this tool use.", error=True),
        said(5, bash("pytest c", "t3")),
    )
    runs = told(path).window(None, EVER).test_runs
    assert [(run.command, run.passed) for run in runs] == [("pytest a", None), ("pytest c", None)]


def test_own_runners_are_known_beside_the_usual_ones(tmp_path: Path) -> None:
    path = write(tmp_path / "s1.jsonl", said(1, bash("./check.sh", "t1"), bash("pytest", "t2")))
    facts = told(path, runners=["check.sh"], cache=tmp_path / "kept").window(None, EVER)
    assert [run.command for run in facts.test_runs] == ["./check.sh", "pytest"]
    assert len(told(path, cache=tmp_path / "kept").window(None, EVER).test_runs) == 1


def test_other_projects_files_are_left_out_once_one_file_is_of_this_project(tmp_path: Path) -> None:
    ours = write(tmp_path / "a.jsonl", said(1, cwd="/repo/web", id="a"))
    tree = write(tmp_path / "b.jsonl", said(2, cwd="/worktrees/x", id="b"))
    other = write(tmp_path / "c.jsonl", said(3, cwd="/repository", id="c"))
    unknown = write(tmp_path / "d.jsonl", said(4, cwd=None, id="d"))
    files, roots = [ours, tree, other, unknown], [Path("/repo"), Path("/worktrees/x")]
    found = told(*files, roots=roots)
    assert (found.window(None, EVER).turns, found.other_projects, found.files) == (3, 1, 4)
    elsewhere = told(*files, roots=[Path("/home/me/repo")])
    assert (elsewhere.window(None, EVER).turns, elsewhere.other_projects) == (4, 0)


def test_which_project_a_file_is_of_does_not_depend_on_the_window(tmp_path: Path) -> None:
    ours = write(tmp_path / "a.jsonl", said(0, cwd="/repo", id="a"))
    other = write(tmp_path / "b.jsonl", said(86_400 * 9, cwd="/other", id="b"))
    for path in (ours, other):
        os.utime(path, (1, 1))
    window = (at(86_400 * 8), at(86_400 * 10))
    for asked in (None, window):
        found = told(ours, other, roots=[Path("/repo")], window=asked)
        assert found.window(*window) == WindowFacts()
        assert found.other_projects == 1


def test_files_that_cannot_touch_the_window_are_not_read(tmp_path: Path) -> None:
    files = [
        write(tmp_path / f"{n}.jsonl", said(n * 86_400, id=f"m{n}"), said(n * 86_400 + 1, id=f"n{n}")) for n in range(9)
    ]
    for path in files:
        os.utime(path, (1, 1))
    found = told(*files, window=(at(4 * 86_400), at(4 * 86_400 + 60)))
    assert found.files < 5
    assert found.files + found.not_needed == 9
    assert found.window(at(4 * 86_400), at(4 * 86_400 + 60)).turns == 1


def test_a_file_that_cannot_be_read_is_told_and_the_rest_counts(tmp_path: Path) -> None:
    problems: list[str] = []
    good = write(tmp_path / "a.jsonl", said(1), b"{")
    found = told(good, tmp_path / "gone.jsonl", problems=problems)
    assert found.window(None, EVER).turns == 1
    assert len(problems) == 2
    assert found.problems == problems


def test_progress_counts_bytes_up_to_all_of_them(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{n}.jsonl", said(n)) for n in range(3)]
    steps: list[tuple[int, int]] = []
    told(*files, on_progress=lambda done, total: steps.append((done, total)))
    whole = sum(path.stat().st_size for path in files)
    assert steps[-1] == (whole, whole)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)


def test_an_unknown_cache_entry_is_ignored_and_replaced(tmp_path: Path) -> None:
    path, kept = write(tmp_path / "s1.jsonl", said(1), b"{"), tmp_path / "kept"
    problems: list[str] = []
    first = told(path, cache=kept, problems=problems).window(None, EVER)
    (entry,) = kept.iterdir()
    good = entry.read_bytes()
    for broken in (b"", b"\xff\xff", good[:-3], good.replace(b"agentlogs/1", b"agentlogs/0"), b"\x91" * 5000):
        entry.write_bytes(broken)
        assert told(path, cache=kept, problems=[]).window(None, EVER) == first
        assert entry.read_bytes() == good
    again: list[str] = []
    told(path, cache=kept, problems=again)
    assert again == problems, "what is wrong with a file is told also when it is not read again"
    assert list(kept.iterdir()) == [entry]


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path, kept = write(tmp_path / "s1.jsonl", said(1)), tmp_path / "kept"
    assert told(path, cache=kept).window(None, EVER).turns == 1
    write(path, said(1), said(2, id="msg_2"))
    assert told(path, cache=kept).window(None, EVER).turns == 2


def test_a_cache_that_cannot_be_written_costs_no_answer(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{n}.jsonl", said(n, id=f"m{n}")) for n in range(2)]
    problems: list[str] = []
    assert told(*files, cache=files[0], problems=problems).window(None, EVER).turns == 2
    assert len(problems) == 1
    assert "cannot be kept" in problems[0]


def test_what_is_kept_is_small(tmp_path: Path) -> None:
    lines = [
        line for n in range(50) for line in (said(n, bash("x" * 9000, f"t{n}")), came_back(n, f"t{n}", "y" * 9000))
    ]
    path, kept = write(tmp_path / "s1.jsonl", *lines), tmp_path / "kept"
    told(path, cache=kept)
    assert sum(file.stat().st_size for file in kept.iterdir()) < path.stat().st_size / 100


# ── laws ────────────────────────────────────────────────────────────────────────────────────────────────────────

HOUR = 3600
moments = st.integers(0, 200).map(lambda n: n * HOUR)  # eight days
ids = st.integers(0, 9)
sessions = st.sampled_from(["s1", "s2"])
commands = st.sampled_from(["ls", "pytest", "pytest | tail", "cat notes.md", "npm test && ls"])
outputs = st.sampled_from(["fine", "2 passed", "1 failed", "Exit code 1"])


@st.composite
def claude_lines(draw: st.DrawFn) -> Line:
    """Lines in any order. An id stands for one answer and its tool, written within minutes; its usage may grow."""
    id, session, within = draw(ids), draw(sessions), draw(st.integers(0, 60))
    kind = draw(st.sampled_from(["answer", "result", "note"]))
    if kind == "note":
        return {"type": "system", "timestamp": stamp(draw(moments)), "sessionId": session, "cwd": "/repo"}
    if kind == "result":
        when = id * 20 * HOUR + 60 + within
        return came_back(when, f"t{id}", draw(outputs), error=draw(st.booleans()), session=session)
    block, usage = bash(draw(commands), f"t{id}"), (id, draw(st.integers(0, 9)), 5, 0)
    return said(id * 20 * HOUR + within, block, id=f"m{id}", session=session, usage=usage)


def cut(folder: Path, lines: list[Line], parts: int) -> list[Path]:
    size = max(1, -(-len(lines) // parts))
    files = [write(folder / f"{n}.jsonl", *lines[n * size : (n + 1) * size]) for n in range(parts)]
    for path in files:
        os.utime(path, (1, 1))
    return files


@settings(max_examples=40)
@given(
    st.lists(claude_lines(), min_size=1, max_size=25),
    st.integers(0, 200),
    st.integers(1, 60),
    st.randoms(use_true_random=False),
)
def test_order_cuts_cache_and_window_change_no_answer(
    tmp_path_factory: pytest.TempPathFactory, lines: list[Line], first: int, length: int, chance: random.Random
) -> None:
    folder = tmp_path_factory.mktemp("files")
    start, end = at(first * HOUR), at((first + length) * HOUR)
    whole = told(*cut(folder / "one", lines, 1))
    files = cut(folder / "three", lines, 3)
    shuffled = chance.sample(files, len(files))
    others = [
        told(*files),
        told(*shuffled),
        told(*shuffled, cache=folder / "kept"),
        told(*files, cache=folder / "kept"),
        told(*shuffled, window=(start, end)),
        told(*files, window=(start, end), cache=folder / "kept"),
    ]
    for session in (None, "s1"):
        wanted = whole.window(start, end, session_id=session)
        assert [other.window(start, end, session_id=session) for other in others] == [wanted] * len(others)


def added(one: WindowFacts, other: WindowFacts) -> WindowFacts:
    """Two neighbouring windows' facts as one window's: numbers add up, sets unite."""

    def sum_of(name: str) -> Any:
        left, right = getattr(one, name), getattr(other, name)
        return left | right if isinstance(left, bool | frozenset) else left + right

    names = [field.name for field in fields(WindowFacts) if field.compare and field.name != "usage"]
    usage = AnswerTokens(*(getattr(one.usage, n) + getattr(other.usage, n) for n in AnswerTokens.__struct_fields__))
    return replace(one, usage=usage, **{name: sum_of(name) for name in names})


@settings(max_examples=30)
@given(st.lists(claude_lines(), min_size=1, max_size=25), st.integers(0, 200), st.integers(0, 200))
def test_neighbouring_windows_add_up(
    tmp_path_factory: pytest.TempPathFactory, lines: list[Line], first: int, second: int
) -> None:
    found = told(write(tmp_path_factory.getbasetemp() / "sum.jsonl", *lines))
    middle, end = sorted([at(first * HOUR), at(second * HOUR)])
    assert added(found.window(None, middle), found.window(middle, end)) == found.window(None, end)


@settings(max_examples=40)
@given(st.lists(st.binary(max_size=80), max_size=5))
def test_no_bytes_make_a_timeline_raise(tmp_path_factory: pytest.TempPathFactory, rows: list[bytes]) -> None:
    folder = tmp_path_factory.mktemp("any")
    write(folder / "a.jsonl", *rows, said(1))
    files = session_files([folder], on_problem=pytest.fail)
    found = timeline(files, roots=[folder], window=(None, EVER), cache=folder / "kept", on_problem=lambda _: None)
    assert found.window(None, EVER).covered
