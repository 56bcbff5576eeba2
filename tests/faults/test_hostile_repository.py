"""A repository from a stranger: whatever its settings and attributes would run, `gnomon outcome` runs none of it.

Each trap touches a file when git springs it. One test springs them with git itself, so that a trap which no longer
works cannot pass for safety.
"""

import ast
import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import gnomon
from cli.test_outcome import GATE, LABEL
from gnomon.cli.main import main
from gnomon.cli.outcome import outcome
from gnomon.errors import Refused
from gnomon.outcome.gitfacts import Repository
from gnomon.outcome.gitrun import READING, GitFailed, run_git
from outcome.conftest import Repo, git_environment

MISSING = "deadbeef" * 5
Done = tuple[int, str]


@dataclass
class Stranger:
    """A repository that is set up against whoever reads it."""

    repo: Repo
    marks: Path
    port: int
    calls: list[object]
    environment: dict[str, str] = field(default_factory=dict)

    def touch(self, name: str, last: str = "") -> str:
        """A shell's line that leaves a mark."""
        return f"touch {self.marks}/{name}; {last or 'false #'}"

    def sprung(self) -> set[str]:
        return {path.name for path in self.marks.iterdir()}

    def set(self, **settings: str) -> None:
        """`core__pager` is core.pager, `diff__evil__command` is diff.evil.command."""
        for name, value in settings.items():
            section, _, key = name.rpartition("__")
            self._write(section.replace("__", "."), {key: value})

    def promisor(self, name: str, url: str, **more: str) -> None:
        self._write(f"remote.{name}", {"url": url, "promisor": "true", "partialclonefilter": "blob:none", **more})

    def _write(self, section: str, settings: Mapping[str, str]) -> None:
        kind, _, name = section.partition(".")
        lines = [f'[{kind} "{name}"]' if name else f"[{kind}]"]
        for key, value in settings.items():
            text = value.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'\t{key} = "{text}"')
        with (self.repo.root / ".git" / "config").open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


@pytest.fixture
def listener() -> Iterator[tuple[int, list[object]]]:
    """A port on which every call is counted and hung up on."""
    calls: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    line, caller = server.accept()
                except OSError:
                    return
                calls.append(caller)
                line.close()

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1], calls


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listener: tuple[int, list[object]]) -> Stranger:
    for name in ("marks", "work", "person", "bin"):
        (tmp_path / name).mkdir()
    for name in [name for name in os.environ if name.startswith(("GIT_", "GNOMON_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("GNOMON_HOME", str(tmp_path / "person" / ".gnomon"))
    monkeypatch.setenv("GNOMON_DATABASE_URL", f"sqlite:///{tmp_path}/gnomon.db")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    found = Stranger(_repository(tmp_path / "work"), tmp_path / "marks", *listener)
    _set_traps(found, tmp_path / "bin")
    _set_variables(found, monkeypatch)
    monkeypatch.chdir(found.repo.root)
    return found


def _repository(root: Path) -> Repo:
    """Two iterations, a revert, a merge, a plan, and an entry that names a commit which is not here."""
    repo = Repo(root)
    repo.git("init", "--quiet", "--template=", "--initial-branch=main")
    repo.commit("Start", {"README.md": "start\n", ".gitattributes": "* filter=evil diff=evil\n"})
    repo.planned("cart.py")
    first = repo.commit("Add a cart", {"cart.py": "1\n"})
    repo.switch("side", "main")
    second = repo.commit("Allow a discount", {"cart.py": "2\n"})
    repo.switch("main")
    repo.squash("side", "Squash the side")
    repo.revert("HEAD")
    repo.entry(1, commit=first, wave="p", task_id="t", impl={"summary": "Add a cart"})
    repo.entry(2, commit=second, wave="p", task_id="t", agent={"session_id": "s"})
    repo.entry(3, commit=MISSING, agent={"session_id": "s"})
    repo.entry(4, commit=MISSING[:12])
    _sign(repo)
    return repo


def _sign(repo: Repo) -> None:
    """A commit with a signature, which whoever shows signatures hands to a program."""
    head = repo.git("cat-file", "commit", "HEAD")
    about, _, words = head.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----"
    sha = repo.git("hash-object", "-t", "commit", "-w", "--stdin", feed=f"{about}\n{signature}\n\n{words}\n".encode())
    repo.git("update-ref", "HEAD", sha)


def _set_traps(found: Stranger, bin: Path) -> None:
    touch = found.touch
    hooks = found.repo.root / ".git" / "own-hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc", "fsmonitor-watchman"):
        _script(hooks / name, touch(f"hook-{name}"))
    _script(bin / "git-remote-evil", touch("vcs"))
    found.promisor("ssh", "ssh://127.0.0.1/x")
    found.promisor("ext", f"ext::{_script(bin / 'ext-helper', touch('ext'))} %S")
    found.promisor("local", str(found.repo.root), uploadpack=touch("uploadpack"))
    found.promisor("helper", "evil-address", vcs="evil")
    found.promisor("proxied", f"git://127.0.0.1:{found.port}/x")
    found.promisor("web", f"http://127.0.0.1:{found.port}/x")
    found.promisor("renamed", "short:x")
    found.set(
        extensions__partialClone="ssh", core__repositoryFormatVersion="1", protocol__allow="always",
        protocol__ext__allow="always", protocol__file__allow="always", core__sshCommand=touch("sshCommand"),
        ssh__variant="simple", core__gitProxy=_script(bin / "proxy", touch("gitProxy")),
        core__fsmonitor=_script(bin / "fsmonitor", touch("fsmonitor")), core__hooksPath=str(hooks),
        diff__external=_script(bin / "external", touch("diff-external", "true")), diff__submodule="log",
        diff__evil__textconv=touch("textconv", "cat"), diff__evil__command=_script(bin / "dc", touch("diff-command")),
        filter__evil__clean=touch("clean", "cat"), filter__evil__smudge=touch("smudge", "cat"),
        core__pager=touch("pager", "cat"), pager__log=touch("pager-log", "cat"), pager__show=touch("pager-show", "cat"),
        core__editor=touch("editor"), sequence__editor=touch("sequence-editor"), core__askPass=touch("askPass"),
        credential__helper=f"!{touch('credential')}", log__showSignature="true",
        gpg__program=_script(bin / "gpg", touch("gpg")), gpg__openpgp__program=_script(bin / "gpg2", touch("openpgp")),
        core__alternateRefsCommand=touch("alternateRefs"), alias__log=f"!{touch('alias-log')}",
        alias__show=f"!{touch('alias-show')}", uploadpack__packObjectsHook=touch("packObjects"),
        trailer__evil__command=touch("trailer"), trailer__evil__key="Evil", gc__auto="1", maintenance__auto="true",
        submodule__evil__update=f"!{touch('submodule')}", submodule__evil__url="ssh://127.0.0.1:1/y",
    )  # fmt: skip
    found.set(**{f"url__ext::{bin}/ext-helper __insteadOf": "short:"})
    included = found.repo.root / ".git" / "included"
    included.write_text(f'[diff "evil"]\n\ttextconv = "{touch("included", "cat")}"\n', encoding="utf-8")
    (found.repo.root / ".git" / "info").mkdir(exist_ok=True)
    (found.repo.root / ".git" / "info" / "attributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
    found.set(include__path="included")


def _script(path: Path, line: str) -> str:
    path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def _set_variables(found: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a hook, a terminal or a tool may have left in the environment."""
    given = {name: found.touch(f"env-{name}") for name in ENVIRONMENT}
    given |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor"}
    given |= {"GIT_CONFIG_VALUE_0": found.touch("env-config"), "GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere"}
    found.environment = {**os.environ}
    for name, value in given.items():
        monkeypatch.setenv(name, value)


ENVIRONMENT = (
    "GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_PAGER", "PAGER", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_EDITOR",
    "EDITOR", "VISUAL", "GIT_SEQUENCE_EDITOR", "GIT_PROXY_COMMAND", "GIT_EXEC_PATH", "GIT_CONFIG_PARAMETERS",
)  # fmt: skip

LIVE = {
    "sshCommand", "ext", "uploadpack", "vcs", "gitProxy", "fsmonitor", "diff-command", "included", "clean", "gpg",
    "openpgp", "hook-post-index-change",
}  # fmt: skip
"""Traps that everyday git commands spring. The others stand by for commands that Gnomon does not use."""


def test_the_traps_are_set(stranger: Stranger) -> None:
    for line in (
        f"cat-file -p {MISSING}",
        "status",
        "diff HEAD~1",
        "diff --no-ext-diff HEAD~2 HEAD~1",
        "log -1 --show-signature",
        "update-index --refresh",
    ):
        command = ["git", "-C", str(stranger.repo.root), *line.split()]
        (stranger.repo.root / "cart.py").write_text("changed\n", encoding="utf-8")
        subprocess.run(command, env=stranger.environment, capture_output=True, check=False)
    one_of_two = {"gpg", "openpgp"}
    assert stranger.sprung() >= LIVE - one_of_two
    assert stranger.sprung() & one_of_two
    assert stranger.calls, "http reached the listener"


COMMANDS: Mapping[str, list[tuple[object, ...]]] = {
    "score": [(), ("--profile", "compat"), ("--rubric", "3.0.0", "--no-cache"), ("--trunk", MISSING, "--no-write")],
    "show": [(1,), (3,)],
    "sessions": [()],
    "integrity": [()],
    "backfill": [("--rubric", "3.0.0")],
    "push": [("--project", "p")],
    "compare": [
        ("--project", "p", "--by", "period", "..2020-01-01", "2020-01-01.."),
        ("--by", "period", "..2020-01-01", "2020-01-01.."),
    ],
    "gate": [("outcome >= 0", "--project", "p", "--bound", "point")],
    "trend": [("--html", "trend.html", "--project", "p"), (), ("--html", "local.html")],
    "add": [("--commit",), ("--past", "30d")],
    "record": [("git", "--strict", "--every-commit"), ("ci", "--strict", "--every-commit")],
    "install": [("claude-code", "codex", "ci")],
    "uninstall": [()],
    "report": [(), ("--since", "all", "--by", "author", "--html", "report.html"), ("--from-git", "--by", "path")],
    "card": [(1,), ("--range", "main..HEAD")],
    "from-git": [(), ("--out", "history"), ("--only", "interesting", "--by", "author")],
    "init": [("--log", "new-log")],
    "label": [(1, *LABEL)],
    "hook-outcome": [("write", "--result", "allow", *GATE)],
}
"""Every command of `gnomon outcome`, as it is run on the stranger's repository."""


@pytest.fixture
def ran(capfd: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    def run(*words: object) -> Done:
        with pytest.raises(SystemExit) as ended:
            main(["outcome", *map(str, words)])
        return int(ended.value.code or 0), capfd.readouterr().err

    return run


def test_no_outcome_command_runs_what_a_repository_brings_along_nor_reaches_a_network(
    stranger: Stranger, ran: Callable[..., Done]
) -> None:
    assert set(COMMANDS) == set(outcome.commands)
    with pytest.raises(SystemExit):
        main(["db", "upgrade"])
    for command, lines in COMMANDS.items():
        for arguments in lines:
            undecided = 4 if command == "gate" else 0  # one session decides nothing
            assert ran(command, *arguments) == (undecided, ""), command
            assert stranger.sprung() == set(), f"gnomon outcome {command} {arguments}"
    assert stranger.calls == []


@pytest.mark.parametrize("subcommand", sorted(READING))
def test_each_git_command_that_gnomon_may_use_is_safe_by_itself(stranger: Stranger, subcommand: str) -> None:
    """With the arguments that are the most likely to spring a trap."""
    wide = {
        "cat-file": ["-p", MISSING],
        "config": ["--list"],
        "diff-index": ["-p", "--ext-diff", "--textconv", "HEAD"],
        "diff-tree": ["-p", "--ext-diff", "--textconv", "HEAD~1", "HEAD"],
        "for-each-ref": ["--format=%(refname) %(contents)"],
        "ls-files": ["--debug", "-z"],
        "log": ["-p", "--ext-diff", "--textconv", "--show-signature"],
        "patch-id": ["--stable"],
        "rev-list": ["--objects", "--all", MISSING],
        "rev-parse": ["--verify", f"{MISSING}^{{commit}}"],
        "show": ["-p", "--ext-diff", "--textconv", "--show-signature", "HEAD~1"],
        "worktree": ["list"],
    }
    with contextlib.suppress(GitFailed):
        run_git(stranger.repo.root, subcommand, *wide[subcommand])
    assert stranger.sprung() == set()
    assert stranger.calls == []


@pytest.mark.parametrize("subcommand", ["status", "fetch", "submodule", "-c", "diff", "help", "evil"])
def test_a_git_command_that_may_run_something_is_not_given_to_git(stranger: Stranger, subcommand: str) -> None:
    with pytest.raises(AssertionError, match="not one of those that only read"):
        run_git(stranger.repo.root, subcommand)


def test_git_is_called_in_one_file_only() -> None:
    """Whoever starts a process is known: the worker, a suite that is watched, a bench's command, and git."""
    source = Path(gnomon.__file__).parent
    starters = {
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if any(_starts_a_process(node) for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    }
    assert starters == {"cli/serve.py", "cli/eval.py", "bench/foreign.py", "outcome/gitrun.py"}


def _starts_a_process(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(name.name in ("subprocess", "pty", "multiprocessing") for name in node.names)
    if isinstance(node, ast.ImportFrom):
        return node.module in ("subprocess", "pty", "multiprocessing")
    if isinstance(node, ast.Attribute):
        return node.attr in ("create_subprocess_exec", "create_subprocess_shell", "popen", "posix_spawn", "spawnv")
    return False


def test_a_work_tree_that_lies_elsewhere_is_refused(stranger: Stranger, tmp_path: Path) -> None:
    """`core.worktree` may name any folder: scores would then be written into somebody else's log."""
    (tmp_path / "mine").mkdir()
    stranger.set(core__worktree=str(tmp_path / "mine"))
    with pytest.raises(Refused, match="work tree lies elsewhere"):
        Repository(stranger.repo.root)


def test_a_bare_repository_hidden_in_a_folder_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Committed as plain files, its settings would come with a clone."""
    monkeypatch.delenv("GIT_DIR", raising=False)
    hidden = tmp_path / "clone" / "hidden"
    hidden.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", str(hidden.parent)], env=git_environment(), check=True)
    subprocess.run(["git", "init", "--quiet", "--bare", str(hidden)], env=git_environment(), check=True)
    with pytest.raises(GitFailed, match="bare"):
        run_git(hidden, "rev-parse", "--git-dir")
