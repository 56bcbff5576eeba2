"""Entries that are written by themselves: one per session, brought up to date, with what people wrote left in place."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from gnomon.agentlogs.words import first_line, words_of
from gnomon.outcome import load_iteration_log
from gnomon.outcome.entries import Recording, number_of
from gnomon.outcome.recording import Recorder, RecordingPlan
from outcome.conftest import DAWN, Claude, Codex, MakeRepo, Repo, moment

SONNET = "claude-sonnet-4-5-20250929"
BY_CLAUDE = "\n\nCo-Authored-By: Claude Opus 4.8 <noreply@anthropic.com>"
Homes = Callable[..., Path]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the agents of this test keep their sessions; none of the tests' own environment names one."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    for name in ("CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID", "CODEX_THREAD_ID", "CODEX_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def kept(home: Path, session: Claude | Codex, folder: Path) -> Path:
    """The session's file, where its agent would keep it."""
    slug = "".join(letter if letter.isalnum() else "-" for letter in str(folder))
    place = home / "codex/sessions/2026/05/04" if isinstance(session, Codex) else home / "claude/projects" / slug
    name = f"rollout-2026-05-04T08-00-00-{session.session}" if isinstance(session, Codex) else session.session
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{name}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in session.lines))
    return path


def claude(repo: Repo, session: str = "5e55-1", start: float = 1.5) -> Claude:
    made = Claude(session, str(repo.root))
    made.answer(start, f"{session}-a", read=800, made=150, fresh=50)
    for line in made.lines:
        line["message"]["model"] = SONNET
        line["version"] = "2.1.9"
    return made


def recorder(repo: Repo, **options: Any) -> Recorder:
    environ = options.pop("environ", None)
    plan = RecordingPlan(repo.root, repo.log, **options)
    return Recorder(plan) if environ is None else Recorder(plan, environ)


def entry(recording: Recording) -> dict[str, Any]:
    assert recording.path is not None, recording.words
    content = yaml.safe_load(recording.path.read_text())
    assert isinstance(content, dict)
    return content


# ── sessions ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_session_is_one_entry_that_is_brought_up_to_date(repo: Repo, home: Path):
    session = claude(repo)
    path = kept(home, session, repo.root)
    first = recorder(repo).session(path)
    assert (first.state, entry(first)["commit"]) == ("written", "")
    sha = repo.commit(f"Add a cart{BY_CLAUDE}", {"cart.py": "1\n2\n", "CLAUDE.md": "Be brief.\n"})
    session.answer(2, "later", fresh=10)
    second = recorder(repo).session(kept(home, session, repo.root))
    assert (second.state, second.path) == ("updated", first.path)
    assert recorder(repo).session(path).state == "unchanged"
    assert len(list(repo.log.iterdir())) == 1
    content = entry(second)
    assert (content["commit"], content["files_changed"], content["lines_added"]) == (sha, 2, 3)
    assert content["impl"]["summary"] == "Add a cart"
    assert content["agent"] == {"session_id": "5e55-1", "harness": "claude-code", "model": SONNET}
    assert content["session_tokens"]["cache_read_tokens"] == 800
    recorded = content["recorded"]
    assert recorded["agent_version"] == "2.1.9"
    assert recorded["co_authors"] == ["claude-code"]
    assert recorded["commits"] == [sha]
    assert [file["path"] for file in recorded["rules_files"]] == ["CLAUDE.md"]
    assert set(recorded["sources"]) >= {"agent", "model", "models", "commits", "rules_files"}


def test_the_number_is_the_moment_at_which_the_session_began(repo: Repo, home: Path):
    recording = recorder(repo).session(kept(home, claude(repo), repo.root))
    assert recording.path is not None
    assert recording.path.name == "iter-260504080130.yaml"
    assert number_of(int(DAWN.timestamp())) == 260504080000


def test_two_branches_that_record_merge_without_a_conflict(repo: Repo, home: Path):
    """Each session has a file of its own, and the same one on every branch."""
    for branch, name, start in (("one", "aaaa-1", 1.2), ("two", "bbbb-2", 1.4)):
        repo.switch(branch, "main")
        recorder(repo).session(kept(home, claude(repo, name, start), repo.root))
        repo.git("add", "--all")
        repo.commit(f"The log of {branch}")
    repo.switch("main")
    repo.merge("one")
    repo.merge("two")
    assert [record.agent.session_id for record in load_iteration_log(repo.log)] == ["aaaa-1", "bbbb-2"]


def test_sessions_of_the_same_second_have_a_file_each(repo: Repo, home: Path):
    names = {recorder(repo).session(kept(home, claude(repo, name), repo.root)).path for name in ("aaaa-1", "bbbb-2")}
    assert sorted(path.name for path in names if path) == ["iter-260504080130.yaml", "iter-260504080131.yaml"]


def test_what_somebody_wrote_into_the_entry_stays(repo: Repo, home: Path):
    session = claude(repo)
    recording = recorder(repo).session(kept(home, session, repo.root))
    assert recording.path is not None
    content = entry(recording)
    content["task_id"], content["impl"]["scope_note"], content["impl"]["retries"] = "cart", "on-target", 2
    content["impl"]["summary"] = "My own words"
    content["verifiers"] = [{"type": "unit", "status": "pass", "tests_total_pass": True}]
    content["note"] = "0123"
    recording.path.write_text(yaml.safe_dump(content))
    repo.commit("Add a cart", {"a": "1"})
    session.answer(2, "later", fresh=10)
    updated = entry(recorder(repo).session(kept(home, session, repo.root)))
    for name in ("task_id", "impl", "verifiers", "note"):
        assert updated[name] == content[name]


def test_an_entry_that_an_agent_wrote_itself_is_left_as_it_is(repo: Repo, home: Path):
    own = repo.entry(1, agent={"session_id": "5e55-1"}, impl={"retries": 1})
    before = own.read_bytes()
    recording = recorder(repo).session(kept(home, claude(repo), repo.root))
    assert (recording.state, own.read_bytes()) == ("kept", before)
    assert len(list(repo.log.iterdir())) == 1


def test_a_session_without_an_answer_is_no_work(repo: Repo, home: Path):
    session = Claude("5e55-1", str(repo.root))
    session._line(1.5, "user", {"role": "user", "content": "hello"})
    assert recorder(repo).session(kept(home, session, repo.root)).state == "nothing"
    assert not repo.log.exists()


def test_sub_agents_in_files_of_their_own_count_with_their_session(repo: Repo, home: Path):
    path = kept(home, claude(repo), repo.root)
    side = claude(repo, start=1.7)
    for line in side.lines:
        line["isSidechain"], line["message"]["id"], line["requestId"] = True, "side", "r-side"
    below = path.with_suffix("") / "subagents"
    below.mkdir(parents=True)
    (below / "agent-1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in side.lines))
    assert entry(recorder(repo).session(path))["session_tokens"]["cache_read_tokens"] == 1600


def test_a_codex_session_is_recorded_as_codex_counts(repo: Repo, home: Path):
    codex = Codex("0199-c0de", str(repo.root))
    codex._line(0.1, "turn_context", {"cwd": str(repo.root), "model": "gpt-5-codex"})
    codex.answer(1.5, given=1000, cached=400)
    sha = repo.commit("Add a cart", {"a": "1"})
    content = entry(recorder(repo).session(kept(home, codex, repo.root)))
    assert content["agent"] == {"session_id": "0199-c0de", "harness": "codex", "model": "gpt-5-codex"}
    assert content["session_tokens"]["input_tokens"] == 1000
    assert content["recorded"]["models"][0]["input_tokens"] == 600
    assert content["recorded"]["commits"] == [sha]
    assert repo.one(content["iteration"]).signals.token_efficiency.sub_score == pytest.approx(0.4)


def test_commits_that_were_fetched_are_nobodys_work_here(repo: Repo, home: Path, make_repo: MakeRepo):
    other = make_repo("other")
    foreign = other.commit("Somebody else's", {"b": "1"})
    repo.git("fetch", "--quiet", str(other.root), "main")
    repo.git("merge", "--quiet", "--ff-only", "FETCH_HEAD")
    assert repo.head() == foreign
    assert entry(recorder(repo).session(kept(home, claude(repo), repo.root)))["commit"] == ""


def test_a_commit_belongs_to_one_entry(repo: Repo, home: Path):
    sha = repo.commit("Add a cart", {"a": "1"})
    first = recorder(repo).session(kept(home, claude(repo, "aaaa-1"), repo.root))
    second = recorder(repo).session(kept(home, claude(repo, "bbbb-2"), repo.root))
    assert [entry(recording)["commit"] for recording in (first, second)] == [sha, ""]


def test_an_amended_commit_is_recorded_as_it_became(repo: Repo, home: Path):
    repo.commit("Add a cart", {"a": "1"})
    path = kept(home, claude(repo), repo.root)
    recorder(repo).session(path)
    amended = repo.later("commit", "--quiet", "--amend", "-m", "Add a better cart")
    content = entry(recorder(repo).session(path))
    assert content["recorded"]["commits"] == [amended]
    assert content["impl"]["summary"] in ("Add a cart", "Add a better cart")


def test_past_sessions_of_this_repository_and_no_other_are_recorded(repo: Repo, home: Path, tmp_path: Path):
    kept(home, claude(repo, "aaaa-1"), repo.root)
    elsewhere = Codex("0199-c0de", "/somewhere/else")
    elsewhere.answer(1, given=10, cached=5)
    kept(home, elsewhere, repo.root)
    recordings = recorder(repo).past(0)
    assert [recording.state for recording in recordings] == ["written"]
    assert [recording.state for recording in recorder(repo).past(0)] == ["unchanged"]


# ── commits ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_commit_is_work_of_the_session_that_is_at_work_here(repo: Repo, home: Path):
    kept(home, claude(repo), repo.root)
    sha = repo.commit("Add a cart", {"a": "1"})
    recording = recorder(repo).commit()
    assert (recording.state, entry(recording)["agent"]["session_id"]) == ("written", "5e55-1")
    assert entry(recording)["commit"] == sha


def test_the_session_that_the_environment_names_comes_first(repo: Repo, home: Path):
    kept(home, claude(repo, "aaaa-1"), repo.root)
    kept(home, claude(repo, "bbbb-2"), repo.root)
    repo.commit("Add a cart", {"a": "1"})
    environ = {"CLAUDE_CONFIG_DIR": str(home / "claude"), "CODEX_HOME": "/none", "CLAUDE_CODE_SESSION_ID": "aaaa-1"}
    assert entry(recorder(repo, environ=environ).commit())["agent"]["session_id"] == "aaaa-1"


def test_a_commit_that_names_its_agent_is_an_entry_of_its_own(repo: Repo, home: Path):
    sha = repo.commit(f"Add a cart{BY_CLAUDE}", {"cart.py": "1\n"})
    recording = recorder(repo).commit()
    content = entry(recording)
    assert recording.path is not None
    assert recording.path.name == "iter-260504080200.yaml"
    assert (content["commit"], content["agent"]["harness"], content["agent"]["model"]) == (
        sha, "claude-code", "claude-opus-4-8",
    )  # fmt: skip
    assert "session_tokens" not in content
    assert content["recorded"]["cost_usd"] is None
    assert repo.one(content["iteration"]).signals.landed.sub_score == 1.0
    amended = repo.later("commit", "--quiet", "--amend", "-m", f"Better{BY_CLAUDE}")
    again = recorder(repo).commit()
    assert (again.state, again.path, entry(again)["commit"]) == ("updated", recording.path, amended)


def test_a_commit_is_recorded_beside_one_that_is_dated_1970(repo: Repo, home: Path, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patched:
        patched.setenv("GIT_COMMITTER_DATE", "1970-01-01T00:00:00Z")
        git = ["git", "-C", str(repo.root), "-c", "user.name=A", "-c", "user.email=a@example.com"]
        subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "Of no date"], check=True)
    repo.commit(f"Add a cart{BY_CLAUDE}", {"cart.py": "1\n"})
    assert recorder(repo).commit().state == "written"


def test_a_persons_commit_is_recorded_where_every_commit_is(repo: Repo, home: Path):
    repo.commit("Mine", {"a": "1"})
    assert recorder(repo).commit().state == "nothing"
    assert recorder(repo, every_commit=True).commit().state == "written"
    text = "".join(path.read_text() for path in repo.log.iterdir())
    assert "a@example.com" not in text
    assert "c@example.com" not in text


def test_a_commit_of_the_log_alone_is_no_iteration(repo: Repo, home: Path):
    recorder(repo).session(kept(home, claude(repo), repo.root))
    repo.git("add", "--all")
    repo.commit(f"The log{BY_CLAUDE}")
    assert recorder(repo, every_commit=True).commit().state == "nothing"


def test_a_part_of_a_repository_has_its_own_log(repo: Repo, home: Path):
    (repo.root / "api").mkdir()
    plan = RecordingPlan(repo.root / "api", repo.root / "api/log", every_commit=True)
    repo.commit("Elsewhere", {"web/a": "1"})
    assert Recorder(plan).commit().state == "nothing"
    repo.commit("Here", {"api/a": "1"})
    assert Recorder(plan).commit().state == "written"


def test_ci_records_what_was_pushed_and_nothing_twice(repo: Repo, home: Path):
    start = repo.head()
    repo.switch("cart", "main")
    branch = repo.commit(f"Add a cart{BY_CLAUDE}", {"cart.py": "1\n"})
    repo.switch("main")
    merge = repo.later("merge", "--quiet", "--no-ff", "-m", "Merge pull request #7 from owner/cart", "cart")
    repo.commit("A person's", {"b": "1"})
    recordings = recorder(repo).since(start)
    assert [recording.state for recording in recordings] == ["written", "nothing"]
    assert entry(recordings[0])["recorded"]["commits"] == [merge, branch]
    assert repo.one(entry(recordings[0])["iteration"]).facts.pull_requests[0].number == 7
    assert [recording.state for recording in recorder(repo).since(start)] == ["unchanged", "nothing"]
    assert [recording.state for recording in recorder(repo).since("0" * 40)] == ["nothing"], "a new branch: the newest"


# ── words ───────────────────────────────────────────────────────────────────────────────────────────────────────


def spoken(*texts: str, **more: Any) -> list[dict[str, Any]]:
    about = {"type": "user", "timestamp": moment(1), "sessionId": "s"}
    return [{**about, "message": {"role": "user", "content": text}, **more} for text in texts]


def file_of(tmp_path: Path, lines: list[dict[str, Any]]) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_skills_and_slash_commands_are_known_by_what_the_harness_writes(tmp_path: Path):
    skill = {"type": "tool_use", "id": "t", "name": "Skill", "input": {"skill": "pdf", "args": "x"}}
    lines = [
        *spoken("<command-message>review</command-message>\n<command-name>/review</command-name>"),
        *spoken("<command-name>/clear</command-name>", "look at /etc/hosts"),
        {"type": "assistant", "timestamp": moment(2), "message": {"content": [skill]}},
    ]
    assert words_of(file_of(tmp_path, lines)).skills == ("/review", "/pdf")


def test_prompts_are_their_first_lines_without_what_the_harness_adds(tmp_path: Path):
    lines = [
        *spoken("\n  Add a   cart\nwith details", "<system-reminder>x</system-reminder>", "x" * 500),
        *spoken("Caveat: The messages below were generated", "[Request interrupted by user]"),
        *spoken("not mine", isMeta=True),
        *spoken("<command-name>/review</command-name>\n<command-args>the cart</command-args>"),
    ]
    prompts = words_of(file_of(tmp_path, lines)).prompts
    assert (prompts[0], prompts[2]) == ("Add a cart", "/review the cart")
    assert len(prompts[1]) == 200


def test_codexs_words_are_read_from_its_events(tmp_path: Path):
    lines = [
        {"timestamp": moment(0), "type": "session_meta", "payload": {"id": "c", "cli_version": "0.160.0"}},
        {"timestamp": moment(1), "type": "event_msg", "payload": {"type": "user_message", "message": "Add a cart"}},
    ]
    words = words_of(file_of(tmp_path, lines))
    assert (words.prompts, words.version) == (("Add a cart",), "0.160.0")


@pytest.mark.parametrize(
    "secret",
    ["sk-proj-abcdefghijklmnop1234", "ghp_abcdefghijklmnop1234567890abcdef", "password: hunter2", "Bearer abc.def.ghi"],
)
def test_what_looks_like_a_secret_is_masked(secret: str):
    line = first_line(f"use {secret} for it")
    assert secret.split()[-1] not in line
    assert "[masked]" in line


def test_ordinary_words_are_not_masked():
    line = "Rename src/shop/checkout/very/long/path/to/the_file_of_carts.py and mend the tests of checkout_and_payment"
    assert first_line(line) == line


def test_prompts_are_stored_only_where_they_are_asked_for(repo: Repo, home: Path):
    session = claude(repo)
    session.lines += spoken("Add a cart for A. Person")
    for line in session.lines:
        line["sessionId"] = session.session
    path = kept(home, session, repo.root)
    recording = recorder(repo).session(path)
    assert recording.path is not None
    assert "Person" not in recording.path.read_text()
    assert entry(recorder(repo, prompts=True).session(path))["recorded"]["prompts"] == ["Add a cart for A. Person"]
