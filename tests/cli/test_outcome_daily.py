"""The first day of a new user: install, work with two agents, look at the trend, uninstall. Hooks are run by git, and
by a command line as the agents run it."""

import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from gnomon.errors import Busy
from gnomon.outcome import load_iteration_log
from gnomon.outcome.loglock import writing_alone

SONNET = "claude-sonnet-4-5-20250929"
CLAUDE_SESSION = "0f9e8d7c-1111-4222-8333-444455556666"
CODEX_SESSION = "0199aaaa-2222-7333-8444-555566667777"


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home with both agents, and a repository with settings and hooks of its own."""
    home = tmp_path / "person"
    monkeypatch.setenv("HOME", str(home))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID", "CODEX_THREAD_ID"):
        monkeypatch.delenv(name, raising=False)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    (home / ".claude").mkdir(parents=True)
    (home / ".codex").mkdir()
    shop = home / "shop"
    shop.mkdir()
    monkeypatch.chdir(shop)
    git("init", "--quiet", "--template=", "--initial-branch=main")
    git("config", "user.name", "A. Person")
    git("config", "user.email", "a.person@example.com")
    (shop / "CLAUDE.md").write_text("Be brief.\n")
    (shop / ".claude").mkdir()
    (shop / ".claude/settings.json").write_bytes(b'{\r\n  "permissions": {"allow": ["Bash(ls:*)"]}\r\n}\r\n')
    git("add", "--all")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-05-04T08:00:00Z")
    git("commit", "--quiet", "-m", "Begin a shop")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    (shop / ".git/hooks").mkdir()
    (shop / ".git/hooks/post-commit").write_text("#!/bin/sh\necho mine >> .git/journal\n")
    (shop / ".git/hooks/post-commit").chmod(0o755)
    return home


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Session:
    """A session that an agent writes line by line while it works."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)

    def line(self, **content: Any) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps({"timestamp": now(), **content}) + "\n")


class ClaudeSession(Session):
    def __init__(self, person: Path) -> None:
        slug = "".join(letter if letter.isalnum() else "-" for letter in str(person / "shop"))
        super().__init__(person / f".claude/projects/{slug}/{CLAUDE_SESSION}.jsonl")
        self.about = {"sessionId": CLAUDE_SESSION, "cwd": str(person / "shop"), "version": "2.1.9"}

    def asked(self, text: str) -> None:
        self.line(**self.about, type="user", message={"role": "user", "content": text})

    def ran(self, id: str, command: str, output: str) -> None:
        usage = {"input_tokens": 40, "output_tokens": 200}
        usage |= {"cache_read_input_tokens": 9000, "cache_creation_input_tokens": 960}
        call = {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}
        message = {"id": f"m-{id}", "role": "assistant", "model": SONNET, "usage": usage, "content": [call]}
        self.line(**self.about, type="assistant", requestId=f"r-{id}", message=message)
        result = {"type": "tool_result", "tool_use_id": id, "content": output, "is_error": False}
        self.line(**self.about, type="user", message={"role": "user", "content": [result]})


class CodexSession(Session):
    def __init__(self, person: Path) -> None:
        super().__init__(person / f".codex/sessions/2026/05/04/rollout-2026-05-04T08-00-00-{CODEX_SESSION}.jsonl")
        meta = {"id": CODEX_SESSION, "cwd": str(person / "shop"), "cli_version": "0.160.0"}
        self.line(type="session_meta", payload=meta)
        self.line(type="turn_context", payload={"cwd": str(person / "shop"), "model": "gpt-5-codex"})

    def answered(self) -> None:
        used = {"input_tokens": 5000, "cached_input_tokens": 4000, "output_tokens": 300}
        info = {"last_token_usage": used, "total_token_usage": used}
        self.line(type="event_msg", payload={"type": "token_count", "info": info})


def stop(settings: Path, event: str, session: Session, session_id: str, **more: Any) -> None:
    """The hook of a settings file, as the agent runs it: by a shell, with a JSON object on its standard input."""
    (matcher,) = json.loads(settings.read_text())["hooks"][event]
    (hook,) = matcher["hooks"]
    payload = {"session_id": session_id, "transcript_path": str(session.path), "cwd": str(Path.cwd())}
    payload |= {"hook_event_name": event, "permission_mode": "default", **more}
    done = subprocess.run(
        ["sh", "-c", hook["command"]], input=json.dumps(payload), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "agents read what a hook prints"


def committed(name: str, message: str) -> str:
    Path(name).write_text(f"{name}\n")
    git("add", name)
    git("commit", "--quiet", "-m", message)
    return git("rev-parse", "HEAD")


def everything(root: Path) -> dict[str, bytes]:
    """All files but git's own database, and git's hooks among them."""
    left_out = (".git/objects", ".git/logs", ".git/refs", ".git/index", ".git/COMMIT_EDITMSG", ".git/journal")
    return {
        name: path.read_bytes() if path.is_file() else b""
        for path in sorted(root.rglob("*"))
        if not (name := path.relative_to(root).as_posix()).startswith(left_out)
    }


def test_from_install_to_a_report_and_back(gnomon: Run, person: Path):
    shop = person / "shop"
    before = everything(shop)
    installed = gnomon("outcome", "install")
    assert installed.code == 0, installed.err
    for words in ("claude-code: put a hook into .claude/settings.json", "codex: put", "git: put"):
        assert words in installed.out

    claude = ClaudeSession(person)
    claude.asked("Add a cart\nwith all that belongs to it")
    claude.ran("t1", "pytest -q", "3 passed in 0.1s")
    cart = committed("cart.py", "Add a cart\n\nCo-Authored-By: Claude Sonnet 4.5 <noreply@anthropic.com>")
    claude.ran("t2", "git commit -m …", "1 file changed")
    stop(shop / ".claude/settings.json", "Stop", claude, CLAUDE_SESSION, stop_hook_active=False)
    stop(shop / ".claude/settings.json", "SessionEnd", claude, CLAUDE_SESSION, reason="prompt_input_exit")

    codex = CodexSession(person)
    codex.answered()
    till = committed("till.py", "Add a till")
    stop(shop / ".codex/hooks.json", "Stop", codex, CODEX_SESSION, turn_id="1", model="gpt-5-codex")

    records = {record.agent.session_id: record for record in load_iteration_log(shop / ".agents/active/iteration-log")}
    assert {id: record.commit for id, record in records.items()} == {CLAUDE_SESSION: cart, CODEX_SESSION: till}
    recorded = records[CLAUDE_SESSION].recorded
    assert recorded is not None
    assert recorded.cost_usd is not None
    assert recorded.cost_usd > 0
    assert (recorded.agent, recorded.model, recorded.co_authors) == ("claude-code", SONNET, ("claude-code",))
    assert (shop / ".git/journal").read_text() == "mine\n" * 2, "the hook that was there ran after each commit"
    assert not (person.parent / "home/outcome-hooks.log").exists()

    trend = gnomon("outcome", "trend")
    assert trend.code == 0, trend.err
    assert trend.out.startswith("2 iterations of shop by rubric ")
    answer = json.loads(gnomon("outcome", "trend", "--json").out)
    sums = {name: sum(period[name] for period in answer["periods"]) for name in ("iterations", "landed", "tokens")}
    assert sums == {"iterations": 2, "landed": 2, "tokens": 25_700}
    assert "that landed (list prices per token)" in trend.out

    report = gnomon("outcome", "report", "--since", "7d")
    assert report.code == 0, report.err
    assert "2 landed, 0 undone since" in report.out
    assert all(what in report.out for what in (cart[:10], till[:10], "claude-code", "codex", "COST PER LANDED CHANGE"))

    uninstalled = gnomon("outcome", "uninstall", "--remove-log")
    assert uninstalled.code == 0, uninstalled.err
    assert {name: content for name, content in everything(shop).items() if name not in ("cart.py", "till.py")} == before


def test_what_goes_wrong_is_one_line_of_one_file_and_stops_nobody(gnomon: Run, person: Path, home: Path):
    for payload in ("no JSON", "[]", '{"transcript_path": "/nowhere/x.jsonl"}'):
        done = subprocess.run(
            [str(Path(sys.executable).with_name("gnomon")), "outcome", "record", "claude-code"],
            input=payload, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    lines = (home / "outcome-hooks.log").read_text().splitlines()
    assert len(lines) == 2
    assert all(" claude-code in " in line for line in lines)


def test_the_trend_says_that_hooks_fail_until_an_entry_is_written_again(gnomon: Run, person: Path):
    session = ClaudeSession(person)
    session.ran("t1", "pytest -q", "3 passed in 0.1s")
    assert gnomon("outcome", "add").code == 0
    assert json.loads(gnomon("outcome", "trend", "--json").out)["hook_errors"] == []
    hook = [str(Path(sys.executable).with_name("gnomon")), "outcome", "record", "claude-code"]
    for folder in (person / "shop", person):
        subprocess.run(hook, input="no JSON", text=True, cwd=folder, check=True)
    trend = gnomon("outcome", "trend").out
    assert "note: since the newest entry a hook failed once here: " in trend
    assert " claude-code in " in trend
    assert "outcome-hooks.log" in trend
    assert gnomon("outcome", "add", "--task", "cart").code == 0
    assert "a hook failed" not in gnomon("outcome", "trend").out


def test_an_entry_by_hand_says_what_is_given_and_looks_up_the_rest(gnomon: Run, person: Path):
    claude = ClaudeSession(person)
    claude.ran("t1", "pytest -q", "3 passed in 0.1s")
    sha = committed("cart.py", "Add a cart")
    done = gnomon(
        "outcome", "add", "--task", "cart", "--scope-note", "on-target", "--tests-pass", "--retries", 0, "--json"
    )
    answer = json.loads(done.out)
    assert (answer["status"], answer["facts"]["commits"]) == ("written", [sha])
    (record,) = load_iteration_log(".agents/active/iteration-log")
    assert (record.task_id, record.impl.scope_note, record.impl.focused_tests_pass) == ("cart", "on-target", True)
    assert record.impl.retries_reported
    again = gnomon("outcome", "add", "--decision", "accept")
    assert "brought iter-" in again.out
    (rules,) = answer["facts"]["rules_files"]
    assert f"rules CLAUDE.md@{rules['sha256'][:12]}" in again.out, "the name that `compare --by rules-file` takes"
    (record,) = load_iteration_log(".agents/active/iteration-log")
    assert (record.task_id, record.review.overall_decision) == ("cart", "accept")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add", "--past", "soon"], "--past 'soon' is neither an age nor a date; write 7d"),
        (["add", "--commit", "--past", "1d"], "exclude each other"),
        (["add"], "no session of"),
        (["add", "--session", "nowhere.jsonl"], "--session nowhere.jsonl: there is no such file"),
        (
            ["add", "--session", "CLAUDE.md"],
            "--session CLAUDE.md: no line of CLAUDE.md is an agent's; nothing is written",
        ),
        (["install", "--folder", "nowhere"], "--folder 'nowhere' is not a folder of this repository"),
        (["install", "--folder", "../.."], "is not a folder of this repository"),
    ],
)
def test_bad_input_gets_one_line(gnomon: Run, person: Path, arguments: list[str], words: str):
    done = gnomon("outcome", *arguments)
    assert done.code != 0
    assert words in done.err
    assert "Traceback" not in done.err
    assert not Path(".agents").exists()


@pytest.mark.parametrize("arguments", [["install"], ["uninstall"], ["add", "--commit"]])
def test_in_a_bare_repository_nobody_works(
    gnomon: Run, person: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
):
    git("clone", "--quiet", "--bare", "--template=", ".", str(person / "bare.git"))
    monkeypatch.chdir(person / "bare.git")
    before = everything(Path.cwd())
    done = gnomon("outcome", *arguments)
    assert (done.code, done.out) == (3, "")
    assert "bare.git is a bare repository, in which nobody works; go to a clone of it" in done.err
    assert everything(Path.cwd()) == before


def test_nothing_is_done_in_a_dry_run(gnomon: Run, person: Path):
    before = everything(person / "shop")
    assert "would put a hook into .claude/settings.json" in gnomon("outcome", "install", "--dry-run").out
    assert everything(person / "shop") == before
    gnomon("outcome", "install")
    installed = everything(person / "shop")
    assert "would restore .claude/settings.json" in gnomon("outcome", "uninstall", "--dry-run").out
    assert everything(person / "shop") == installed


def test_where_there_is_nothing_to_install_no_entry_is_promised(
    gnomon: Run, person: Path, monkeypatch: pytest.MonkeyPatch
):
    tools = person / "tools"
    tools.mkdir()
    (tools / "git").symlink_to(shutil.which("git") or "git")
    monkeypatch.setenv("PATH", str(tools))
    for name in (".claude", ".codex"):
        (person / name).rmdir()
    Path(".claude/settings.json").unlink()
    Path(".claude").rmdir()
    git("config", "core.hooksPath", str(person / "shared-hooks"))
    done = gnomon("outcome", "install")
    assert done.code == 0, done.err
    assert "left git out: core.hooksPath is " in done.out
    assert "no hook is installed, since no agent is used here" in done.out
    assert "entry is written" not in done.out


def test_install_as_json_says_which_files(gnomon: Run, person: Path):
    answer = json.loads(gnomon("outcome", "install", "claude-code", "--local", "--json").out)
    assert answer["files"] == [
        {"target": "claude-code", "path": ".claude/settings.local.json", "action": "install", "note": ""}
    ]
    answer = json.loads(gnomon("outcome", "uninstall", "--json").out)
    assert [(file["path"], file["action"]) for file in answer["files"]] == [(".claude/settings.local.json", "remove")]


def test_sessions_of_before_are_recorded_when_hooks_are_installed(gnomon: Run, person: Path):
    claude = ClaudeSession(person)
    claude.ran("t1", "pytest -q", "3 passed in 0.1s")
    sha = committed("cart.py", "Add a cart")
    done = gnomon("outcome", "install", "--past", "30d")
    assert "wrote iter-" in done.out
    (record,) = load_iteration_log(".agents/active/iteration-log")
    assert record.commit == sha


def test_the_trend_says_where_the_evidence_changes_and_what_is_in_no_mean(gnomon: Run, person: Path):
    trailer = "Co-Authored-By: Claude Sonnet 4.5 <noreply@anthropic.com>"
    committed("first.py", f"Before any session was read\n\n{trailer}")
    gnomon("outcome", "add", "--commit")
    claude = ClaudeSession(person)
    claude.ran("t1", "pytest -q", "3 passed in 0.1s")
    committed("cart.py", "Add a cart")
    gnomon("outcome", "add")
    lines = gnomon("outcome", "trend").out.splitlines()
    (provisional,) = [line for line in lines if "provisional" in line]
    assert provisional == "no mean: 1 provisional, 1.000 on average; 1 on too little of the evidence, 35% are needed"
    (change,) = [line for line in lines if line.startswith("The evidence changes")]
    assert change.endswith("now also correction_pressure, tests")
    (as_json,) = json.loads(gnomon("outcome", "trend", "--json").out)["evidence_changes"]
    assert as_json["more"] == ["correction_pressure", "tests"]


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        (["git"], "after each commit of an agent;"),
        (["ci"], "after each commit of an agent, once it is pushed to the trunk;"),
        (["git", "codex"], "at the end of each session;"),
    ],
)
def test_install_says_when_entries_are_written(gnomon: Run, person: Path, targets: list[str], words: str):
    assert f"an entry is written {words}" in gnomon("outcome", "install", *targets).out


def test_the_trend_of_a_log_is_a_page_too_and_needs_no_server(gnomon: Run, person: Path, home: Path):
    claude = ClaudeSession(person)
    claude.ran("t1", "pytest -q", "3 passed in 0.1s")
    committed("cart.py", "Add a cart")
    gnomon("outcome", "add")
    answer = json.loads(gnomon("outcome", "trend", "--html", "trend.html", "--json").out)
    (period,) = answer["periods"]
    assert (period["iterations"], period["landed"], period["tokens"]) == (1, 1, 10200)
    assert (answer["page"], answer["iterations"], answer["source"]) == ("trend.html", 1, "shop")
    text = Path("trend.html").read_text()
    assert CLAUDE_SESSION in text
    assert not list(Path(".agents/active/iteration-log").glob("*.score.yaml")), "nothing is written beside the log"
    assert not (home / "gnomon.db").exists()


def test_a_part_of_a_repository_has_hooks_and_a_log_of_its_own(gnomon: Run, person: Path):
    api = person / "shop/api"
    api.mkdir()
    assert gnomon("outcome", "install", "claude-code", "git", "--folder", "api", "--every-commit").code == 0
    committed("web.py", "Elsewhere")
    sha = committed("api/cart.py", "Add a cart")
    (record,) = load_iteration_log(api / ".agents/active/iteration-log")
    assert record.commit == sha
    assert not (person / "shop/.agents").exists()
    assert "--folder api" in (api / ".claude/settings.json").read_text()
    gnomon("outcome", "uninstall", "--folder", "api", "--remove-log")
    assert sorted(path.name for path in api.iterdir()) == ["cart.py"]


def at_once(*commands: tuple[list[str], str]) -> None:
    """Run these commands, each with its standard input, as processes that start together."""
    processes = [
        subprocess.Popen([sys.executable, "-m", "gnomon", "outcome", *arguments], stdin=subprocess.PIPE, text=True)
        for arguments, _ in commands
    ]
    for process, (_, text) in zip(processes, commands, strict=True):
        assert process.stdin is not None
        process.stdin.write(text)
        process.stdin.close()
    assert [process.wait(timeout=600) for process in processes] == [0] * len(processes)


def test_two_processes_that_write_the_same_entry_at_once_lose_nothing(person: Path):
    session = ClaudeSession(person)
    session.asked("Add a cart")
    session.ran("a", "ls", "cart.py")
    adding = ["add", "--session", str(session.path), "--log", ".agents/iteration-log"]
    log = Path(".agents/iteration-log")
    at_once(([*adding, "--task", "cart"], ""), ([*adding, "--retries", "2"], ""))
    at_once(([*adding, "--scope-note", "on-target"], ""), ([*adding, "--decision", "accept"], ""))
    Path("cart.py").write_text("1\n")
    git("add", "cart.py")
    git("commit", "--quiet", "-m", "Add a cart")
    session.ran("b", "git commit", "")
    payload = {"session_id": CLAUDE_SESSION, "transcript_path": str(session.path), "cwd": str(Path.cwd())}
    strict = ["--strict", "--log", str(log)]
    at_once((["record", "claude-code", *strict], json.dumps(payload)), (["record", "git", *strict], ""))
    (record,) = load_iteration_log(log)
    assert (record.task_id, record.impl.retries, record.impl.scope_note) == ("cart", 2, "on-target")
    assert record.review.overall_decision == "accept"
    assert (record.commit, record.agent.session_id) == (git("rev-parse", "HEAD"), CLAUDE_SESSION)


def test_a_hook_does_not_wait_for_ever_for_a_process_that_was_stopped(person: Path):
    log = Path(".agents/iteration-log")
    words = "another process has been writing into .*iteration-log for 0 seconds"
    with writing_alone(log), pytest.raises(Busy, match=words), writing_alone(log, seconds=0):
        raise AssertionError
    with writing_alone(log, seconds=0):
        pass
