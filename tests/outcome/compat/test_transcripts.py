"""Tokens, tool errors and the three facts about the way of working, from session files and commit times."""

from pathlib import Path

import pytest

from gnomon.agentlogs import instant
from gnomon.errors import Refused
from gnomon.outcome import IterationRecord, IterationWindow, TokenUsage
from gnomon.outcome.compat.git import CompatGit
from gnomon.outcome.compat.sessions import compat_events
from gnomon.outcome.compat.transcripts import CompatScan
from gnomon.outcome.compat.windows import compat_windows
from gnomon.outcome.gitfacts import Repository
from outcome.compat.building import (
    NO_SUCH_COMMIT,
    Repo,
    backfill_iterations,
    extract_iteration_objectives,
    found,
    micros,
    near,
    record,
    results,
    rollout,
    turn,
    use,
    utc,
    window,
    write_session,
)

DAY = "2026-05-17T"
WINDOW = window(DAY + "03:30:00Z", DAY + "05:00:00Z")


def totals(folder: Path, within: IterationWindow = WINDOW) -> dict[str, int]:
    lines = CompatScan([folder]).within(within)
    turns = [line.usage for line in lines if line.usage]
    return {
        "input": sum(use.input for use in turns),
        "output": sum(use.output for use in turns),
        "read": sum(use.cache_read for use in turns),
        "creation": sum(use.cache_creation for use in turns),
        "turns": len(turns),
        "calls": sum(line.tool_calls for line in lines),
        "errors": sum(line.tool_errors for line in lines),
    }


def native(cache_hit_rate: float) -> IterationRecord:
    return IterationRecord(iteration=1, session_tokens=TokenUsage(cache_hit_rate=cache_hit_rate))


@pytest.fixture(scope="module")
def built_sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Claude session, a Codex session and a folder with both, on one morning."""
    root = tmp_path_factory.mktemp("sessions")
    write_session(
        root / "backfill_claude",
        turn(DAY + "03:00:00Z", read=0, created=100, given=10, answered=5),
        turn(DAY + "04:00:00Z", read=300, created=100, given=20, answered=8),
        results(DAY + "04:05:00Z", False, True),
        results(DAY + "04:10:00Z", None),
        turn(DAY + "09:00:00Z", read=999, created=999, given=999, answered=999),
        "not even json",
        {"type": "system", "timestamp": DAY + "04:00:00Z"},
        {"type": "assistant", "message": {"usage": {"input_tokens": 7}}},
        {"type": "user", "timestamp": DAY + "04:20:00Z", "message": {"content": "plain text", "usage": {}}},
        {"type": "user", "timestamp": DAY + "04:20:00Z", "message": {"usage": {"input_tokens": 1.5}}},
    )
    write_session(
        root / "backfill_codex",
        rollout(DAY + "04:00:00Z", 500, 400, 50),
        rollout(DAY + "04:30:00Z", 200, 200, 10),
        {"timestamp": DAY + "04:45:00Z", "payload": {"type": "token_count", "info": None}},
        {"timestamp": DAY + "04:50:00Z", "payload": {"type": "agent_message"}},
        rollout(DAY + "09:00:00Z", 9999, 1, 9999),
    )
    write_session(
        root / "backfill_mixed",
        turn(DAY + "04:00:00Z", read=150, created=50, given=10, answered=5),
        results(DAY + "04:02:00Z", True),
    )
    write_session(root / "backfill_mixed", rollout(DAY + "04:03:00Z", 100, 50, 20), name="codex.jsonl")
    return root


@pytest.fixture(params=["built", "published"])
def sessions(request: pytest.FixtureRequest) -> Path:
    if request.param == "built":
        return request.getfixturevalue("built_sessions")
    return request.getfixturevalue("published") / "fixtures"


# ── one scan ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "within", "expected"),
    [
        pytest.param(
            "backfill_claude",
            WINDOW,
            {"input": 20, "output": 8, "read": 300, "creation": 100, "turns": 1, "calls": 3, "errors": 1},
            id="row-154",
        ),
        pytest.param(
            "backfill_claude",
            window(None, DAY + "05:00:00Z"),
            {"turns": 2, "creation": 200, "read": 300},
            id="row-155",
        ),
        pytest.param(
            "backfill_codex",
            WINDOW,
            {"turns": 2, "input": 700, "output": 60, "read": 600, "creation": 100, "calls": 0},
            id="row-156",
        ),
        pytest.param(
            "backfill_mixed",
            WINDOW,
            {"turns": 2, "read": 200, "creation": 100, "calls": 1, "errors": 1},
            id="row-157",
        ),
        pytest.param(
            "backfill_claude",
            window("2026-05-18T00:00:00Z", "2026-05-18T23:00:00Z"),
            {"input": 0, "output": 0, "read": 0, "creation": 0, "turns": 0, "calls": 0, "errors": 0},
            id="row-158",
        ),
    ],
)
def test_counters_add_up_over_the_lines_of_a_window(
    sessions: Path, name: str, within: IterationWindow, expected: dict[str, int]
):
    assert totals(sessions / name, within) | expected == totals(sessions / name, within)


@pytest.mark.parametrize(
    ("name", "rate", "error_rate"),
    [
        pytest.param("backfill_claude", 0.75, 1 / 3, id="row-154"),
        pytest.param("backfill_codex", 600 / 700, None, id="row-156"),
        pytest.param("backfill_mixed", 200 / 300, 1.0, id="row-157"),
    ],
)
def test_rates_are_cache_reads_of_cached_tokens_and_errors_of_tool_calls(
    sessions: Path, name: str, rate: float, error_rate: float | None
):
    backfill = CompatScan([sessions / name]).backfill(record(), WINDOW)
    assert found(backfill.token_efficiency) == near(rate)
    assert (backfill.tool_error_rate if backfill.tool_error_rate_present else None) == near(error_rate)


@pytest.mark.parametrize("turns", [pytest.param(0, id="row-159")])
def test_a_directory_without_session_files_has_no_turns(tmp_path: Path, turns: int):
    write_session(tmp_path, turn(DAY + "04:00:00Z", 1, 1), name="session.json")
    write_session(tmp_path / "deeper", turn(DAY + "04:00:00Z", 1, 1))
    assert totals(tmp_path)["turns"] == turns


@pytest.mark.parametrize("name", [pytest.param("missing.jsonl", id="row-159-missing")])
def test_reading_a_session_file_that_is_not_there_is_an_error(tmp_path: Path, name: str):
    with pytest.raises(OSError):
        list(compat_events(tmp_path / name))


@pytest.mark.parametrize("rate", [pytest.param(0.0, id="row-160")])
def test_nothing_counted_is_a_rate_of_zero(tmp_path: Path, rate: float):
    write_session(tmp_path, turn(DAY + "04:00:00Z", read=0, created=0))
    backfill = CompatScan([tmp_path]).backfill(record(), WINDOW)
    assert (found(backfill.token_efficiency), backfill.tool_error_rate) == (rate, rate)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", None, id="row-161-empty"),
        pytest.param("not-a-time", None, id="row-161-words"),
        pytest.param(DAY + "03:50:55.399Z", "2026-05-17T03:50:55.399000+00:00", id="row-161-time"),
        pytest.param(DAY + "05:50:55.399+02:00", "2026-05-17T03:50:55.399000+00:00", id="another zone"),
    ],
)
def test_a_time_is_read_in_utc(text: str, expected: str | None):
    at = instant(text)
    assert (None if at is None else utc(at).isoformat()) == expected


@pytest.mark.parametrize(
    ("start", "time", "inside"),
    [
        pytest.param(DAY + "03:00:00Z", DAY + "02:00:00Z", False, id="row-162-before"),
        pytest.param(DAY + "03:00:00Z", DAY + "03:00:00Z", False, id="row-162-start"),
        pytest.param(DAY + "03:00:00Z", DAY + "04:00:00Z", True, id="row-162-between"),
        pytest.param(DAY + "03:00:00Z", DAY + "05:00:00Z", True, id="row-162-end"),
        pytest.param(DAY + "03:00:00Z", DAY + "06:00:00Z", False, id="row-162-after"),
        pytest.param(None, "2000-01-01T00:00:00Z", True, id="row-163"),
    ],
)
def test_a_window_excludes_its_start_and_includes_its_end(start: str | None, time: str, inside: bool, tmp_path: Path):
    within = window(start, DAY + "05:00:00Z")
    assert within.holds(micros(time)) is inside
    assert len(CompatScan([write_session(tmp_path, turn(time, 1, 1))]).within(within)) == inside


@pytest.mark.parametrize(
    ("given", "expected"),
    [pytest.param(native(0.42), 0.42, id="row-164"), pytest.param(record(), 0.75, id="row-165")],
)
def test_logged_tokens_come_before_those_of_the_transcript(sessions: Path, given: IterationRecord, expected: float):
    backfill = CompatScan([sessions / "backfill_claude"]).backfill(given, WINDOW)
    assert found(backfill.token_efficiency) == near(expected)
    assert (backfill.tool_error_rate, backfill.tool_error_rate_present) == (near(1 / 3), True)


@pytest.mark.parametrize("expected", [pytest.param(None, id="row-166")])
def test_without_logged_tokens_and_without_a_transcript_there_is_nothing(tmp_path: Path, expected: None):
    backfill = CompatScan([tmp_path]).backfill(record(), WINDOW)
    assert (found(backfill.token_efficiency), backfill.tool_error_rate_present) == (expected, False)


def test_logged_tokens_without_a_rate_count_as_zero():
    assert found(CompatScan([]).backfill(native(0.0), WINDOW).token_efficiency) == 0.0


# ── windows from commits ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """Two commits: at 04:00 and at 06:00 of the day."""
    made = Repo.new(tmp_path_factory.mktemp("windows"))
    first = made.commit("First", when=DAY + "04:00:00+00:00")
    return made.root, first, made.commit("Second", when=DAY + "08:00:00+02:00")


@pytest.mark.parametrize("reverse", [pytest.param(True, id="row-167"), pytest.param(False, id="row-167-in-order")])
def test_windows_are_chained_in_the_order_of_iterations(repo: tuple[Path, str, str], reverse: bool):
    root, first, second = repo
    records = [record(iteration=1, commit=first), record(iteration=2, commit=second)]
    records = records[::-1] if reverse else records
    windows = compat_windows(records, CompatGit(Repository(root), records).commit_time)
    end = micros(DAY + "04:00:00Z")
    assert windows == {1: IterationWindow(1, None, end), 2: IterationWindow(2, end, micros(DAY + "06:00:00Z"))}


@pytest.mark.parametrize("bogus", [pytest.param(NO_SUCH_COMMIT, id="row-168")])
def test_an_iteration_without_a_commit_time_has_no_window(repo: tuple[Path, str, str], bogus: str):
    root, first, _ = repo
    records = [record(iteration=n, commit=commit) for n, commit in enumerate([first, "", bogus], start=1)]
    assert list(compat_windows(records, CompatGit(Repository(root), records).commit_time)) == [1]


@pytest.mark.parametrize("expected", [pytest.param([(0.0, None), (0.7, 1.0)], id="row-169")])
def test_turns_belong_to_the_iteration_whose_commit_follows_them(
    repo: tuple[Path, str, str], tmp_path: Path, expected: list[tuple[float, float | None]]
):
    root, first, second = repo
    write_session(
        tmp_path,
        turn(DAY + "03:00:00Z", read=0, created=100),
        turn(DAY + "05:00:00Z", read=70, created=30),
        results(DAY + "05:30:00Z", True),
        turn(DAY + "07:00:00Z", read=1, created=0),
    )
    records = [record(iteration=1, commit=first), record(iteration=2, commit=second)]
    told = backfill_iterations(records, root, tmp_path)
    rates = [one.tool_error_rate if one.tool_error_rate_present else None for one in told]
    assert list(zip([found(one.token_efficiency) for one in told], rates, strict=True)) == [
        (near(rate), near(errors)) for rate, errors in expected
    ]


@pytest.mark.parametrize(
    ("rate", "known", "folders", "expected"),
    [
        pytest.param(0.9, True, [], 0.9, id="row-170"),
        pytest.param(None, False, [], None, id="row-171"),
        pytest.param(0.9, False, [], None, id="row-171-although-logged"),
        pytest.param(None, True, ["nowhere", ""], None, id="row-172"),
    ],
)
def test_tokens_are_absent_without_a_window_or_without_numbers(
    repo: tuple[Path, str, str], rate: float | None, known: bool, folders: list[str], expected: float | None
):
    root, first, _ = repo
    tokens = None if rate is None else TokenUsage(cache_hit_rate=rate)
    given = IterationRecord(iteration=1, commit=first if known else "deadbeef", session_tokens=tokens)
    (told,) = backfill_iterations([given], root, *[f"{root}/{name}" if name else "" for name in folders])
    assert found(told.token_efficiency) == expected


@pytest.mark.parametrize("expected", [pytest.param(0.5, id="row-173")])
def test_what_several_folders_hold_is_added(repo: tuple[Path, str, str], tmp_path: Path, expected: float):
    root, first, _ = repo
    one = write_session(tmp_path / "one", turn(DAY + "03:00:00Z", 60, 40), results(DAY + "03:01:00Z", True))
    two = write_session(tmp_path / "two", turn(DAY + "03:00:00Z", 40, 60), results(DAY + "03:01:00Z", False))
    (told,) = backfill_iterations([record(commit=first)], root, one, two)
    assert (found(told.token_efficiency), told.tool_error_rate) == (near(expected), near(expected))


@pytest.mark.parametrize("name", [pytest.param("broken.jsonl", id="row-174")])
def test_a_session_file_that_cannot_be_read_ends_it(repo: tuple[Path, str, str], tmp_path: Path, name: str):
    root, first, _ = repo
    (tmp_path / name).symlink_to(tmp_path / "nowhere")
    with pytest.raises(Refused, match=name):
        backfill_iterations([record(commit=first)], root, tmp_path)


def test_a_folder_that_cannot_be_listed_ends_it(repo: tuple[Path, str, str], tmp_path: Path):
    root, first, _ = repo
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(Refused, match="token backfill"):
        backfill_iterations([record(commit=first)], root, tmp_path / "file")


# ── facts about the way of working ──────────────────────────────────────────────────────────────────────────────

MAY = window("2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z")
NOON = "2026-05-01T12:00:00Z"
LATER = "2026-05-03T12:00:00Z"


def facts(*folders: str | Path, within: IterationWindow | None = MAY) -> dict[str, float | None]:
    objectives = extract_iteration_objectives(record(), within, *folders)
    return {name: found(value) for name, value in objectives.as_map().items()}


README = use(NOON, "Read", file_path="/repo/README.md")


@pytest.mark.parametrize(
    ("lines", "fact", "expected"),
    [
        pytest.param([use(NOON, "Bash", command="ls -la")], "ran_cli_command", 1.0, id="row-175"),
        pytest.param([README], "ran_cli_command", 0.0, id="row-176"),
        pytest.param([use(LATER, "Bash", command="ls")], "ran_cli_command", None, id="row-177-outside"),
        pytest.param(
            [use(NOON, "Read", file_path="/repo/.agents/loop-state.md"), README], "read_loop_state", 1.0, id="row-178"
        ),
        pytest.param([README], "read_loop_state", 0.0, id="row-179"),
        pytest.param(
            [use(NOON, "Bash", command="go test ./internal/scoring/ -cover")],
            "committed_after_tests",
            1.0,
            id="row-180",
        ),
        pytest.param([use(NOON, "Bash", command="echo hello")], "committed_after_tests", 0.0, id="row-181"),
        pytest.param(
            [
                "not json",
                {"type": "assistant", "message": {"content": []}},
                {"type": "assistant", "timestamp": NOON, "message": {"content": [{"type": "text", "text": "hi"}]}},
                use(NOON, "Bash", command="ls"),
            ],
            "ran_cli_command",
            1.0,
            id="row-182",
        ),
        pytest.param(
            [{"timestamp": NOON, "payload": {"type": "function_call"}}],
            "ran_cli_command",
            0.0,
            id="a line of Codex is coverage",
        ),
        pytest.param([use(NOON, "bash", command="ls")], "ran_cli_command", 0.0, id="another spelling"),
    ],
)
def test_a_fact_is_one_when_it_was_seen_and_zero_when_only_other_things_were(
    tmp_path: Path, lines: list[dict[str, object] | str], fact: str, expected: float | None
):
    assert facts(write_session(tmp_path, *lines))[fact] == expected


@pytest.mark.parametrize(
    "command", ["pytest -q", "npm test", "yarn test", "make test", "cargo test", "rspec", "phpunit"]
)
def test_a_test_command_is_known_by_its_words(tmp_path: Path, command: str):
    folder = write_session(tmp_path, use(NOON, "Bash", command=f"cd repo && {command}"))
    assert facts(folder)["committed_after_tests"] == 1.0


NOTHING = {"ran_cli_command": None, "committed_after_tests": None, "read_loop_state": None}


@pytest.mark.parametrize(
    "made",
    [
        pytest.param("nothing", id="row-177-no-directories"),
        pytest.param("missing", id="row-177-missing"),
        pytest.param("folder", id="row-177-a-directory-named-like-a-file"),
        pytest.param("link", id="a link to nowhere"),
    ],
)
def test_where_no_line_can_be_read_no_fact_is_known(tmp_path: Path, made: str):
    if made == "folder":
        (tmp_path / "x.jsonl").mkdir()
    if made == "link":
        (tmp_path / "x.jsonl").symlink_to(tmp_path / "nowhere")
    folders = {"nothing": [], "missing": [tmp_path / "nowhere"]}.get(made, [tmp_path])
    assert facts(*folders) == NOTHING


def test_without_a_window_no_fact_is_known(tmp_path: Path):
    assert facts(write_session(tmp_path, use(NOON, "Bash", command="ls")), within=None) == NOTHING


@pytest.mark.parametrize("tool", [pytest.param("Read", id="row-183"), pytest.param("Bash", id="row-183-bash")])
def test_a_tool_whose_input_is_no_object_was_seen_but_matches_nothing(tmp_path: Path, tool: str):
    content = [{"type": "tool_use", "name": tool, "input": "loop-state.md go test"}]
    told = facts(write_session(tmp_path, {"type": "assistant", "timestamp": NOON, "message": {"content": content}}))
    assert (told["read_loop_state"], told["committed_after_tests"]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([], None, id="row-184-nothing-seen"),
        pytest.param([README], 0.0, id="row-184-no-match"),
        pytest.param([README, use(NOON, "Bash", command="ls")], 1.0, id="row-184-match"),
    ],
)
def test_nothing_seen_is_something_else_than_not_done(
    tmp_path: Path, lines: list[dict[str, object]], expected: float | None
):
    assert facts(write_session(tmp_path, *lines))["ran_cli_command"] == expected
