"""Runs the blocks of one page from top to bottom in one folder, and says what is not as the page shows it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import preloaded
from pages.blocks import PYTHON, RUN, Block, Step, blocks_of, name_of, steps_of
from pages.python_session import END

SECONDS = 600
"""Until a command is given up. It is long, so that a busy machine fails no test."""
STOP_SECONDS = 60
LISTENS = re.compile(r"http://127\.0\.0\.1:(\d+)")
PAGE_PORT = "127.0.0.1:8321"
"""Where a server listens unless told otherwise. Here it picks a free port, and pages mean that one."""
STAYING = {
    r"gnomon( --\S+)* serve\b": "Log in from a browser",
    r"gnomon demo\b(?!.*--no-serve)": "gnomon bench leaderboard",
    r"gnomon worker\b": "takes jobs",
    r"gnomon eval\b.* --watch\b": "watching ",
}
"""Commands that run until they are stopped, and the words after which they are ready."""
NAMED = {"NAME": "a new user", "EMAIL": "user@example.org"}
FOREIGN = ("GNOMON_", "OPENAI_", "ANTHROPIC_", "OTEL_", "GIT_", "GITHUB_", "CI")
OF_PYTEST = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "gnomon.pytest_plugin", "COLUMNS": "100"}
"""pytest with the one plugin that a page is about."""


@dataclass(frozen=True)
class Running:
    """A command that stays, such as a server."""

    process: subprocess.Popen[str]
    printed: str


@dataclass
class Walk:
    """One page, its folder and its environment. `faults` are lines that name page, block and command."""

    page: Path
    folder: Path
    environment: dict[str, str]
    not_run: Mapping[str, str] = field(default_factory=dict)
    """Beginnings of commands that are left out."""
    ends: Mapping[str, int] = field(default_factory=dict)
    """Beginnings of commands → the exit code that the page expects of them."""
    stands_for: dict[str, str] = field(default_factory=dict)
    """What a reader replaces, or has at another address → what it is here."""
    faults: list[str] = field(default_factory=list)
    renewed: dict[int, str] = field(default_factory=dict)
    """Block number → its text as it should read."""
    _hour: int = 0
    _python: subprocess.Popen[str] | None = None
    _running: list[Running] = field(default_factory=list)
    _cwd: Path | None = None

    def run(self) -> None:
        printed: str | None = None
        try:
            for block in blocks_of(self.page):
                if block.is_output and printed is not None:
                    self._compare_output(block, printed)
                elif block.language in PYTHON:
                    printed = None if self._is_left_out(block.text) else self._run_python(block)
                elif block.language in RUN:
                    printed = self._run_commands(block)
        finally:
            self._stop_all()

    def _is_left_out(self, command: str) -> bool:
        return any(command.startswith(beginning) for beginning in self.not_run)

    # -- Python

    def _run_python(self, block: Block) -> str:
        if self._python is not None and self._python.poll() is not None:
            return ""  # an earlier block has failed, and was reported
        if self._python is None:
            script = str(Path(__file__).with_name("python_session.py"))
            self._python = subprocess.Popen(
                preloaded.command(script, self.folder / "page.py"), cwd=self.folder, env=self.environment, text=True,
                encoding="utf-8", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors.open("w"),
            )  # fmt: skip
        assert self._python.stdin is not None
        assert self._python.stdout is not None
        print(json.dumps({"code": block.text, "environment": self.environment}), file=self._python.stdin, flush=True)
        printed = ""
        for line in self._python.stdout:
            if line.endswith(END):
                return self._as_on_page(printed + line.removesuffix(END))
            printed += line
        self._python.wait(SECONDS)
        self.faults.append(f"{block.name} does not run:\n{self._errors.read_text('utf-8')[-2000:]}")
        return printed

    @property
    def _errors(self) -> Path:
        return self.folder.parent / "python.err"

    # -- commands

    def _run_commands(self, block: Block) -> str | None:
        """What they print; None where the last one is left out, so that nobody knows what is shown below the block."""
        printed: str | None = None
        now = ""
        for step in steps_of(block):
            before = f"$ {step.typed}\n".replace("\n", "\n> ", step.typed.count("\n"))
            if self._is_left_out(step.typed):
                printed = None
                now += before + (step.shown or "")
                continue
            output = self._run_step(block, step)
            printed = (printed or "") + output
            now += before + (_kept(step.shown, output) if step.shown is not None else "")
            if step.shown is not None and not matches(step.shown, output):
                self.faults.append(f"{block.name}: `{step.typed}` prints\n{output}\nand the page shows\n{step.shown}")
        if block.language == "console":
            self.renewed[block.number] = now
        return printed

    def _run_step(self, block: Block, step: Step) -> str:
        program, _, name = step.typed.partition(" ")
        if program == "cat" and step.shown is not None:  # the page shows a file for the reader to write
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(step.shown, encoding="utf-8")
            return step.shown
        command = step.typed
        for words, real in self.stands_for.items():
            command = command.replace(words, real)
        if ready := stays(command):
            return self._start(block, re.sub(r"\s*&?\s*(#.*)?$", "", command), ready)
        code, printed = self._bash(command)
        self._hour += program == "git"
        expected = next((number for text, number in self.ends.items() if step.typed.startswith(text)), 0)
        is_refused = step.shown is None and program == "curl" and '{"error":' in printed
        if (step.shown is None and code != expected) or is_refused or "Traceback (most recent call last)" in printed:
            self.faults.append(f"{block.name}: `{step.typed}` ends with exit code {code}, not {expected}:\n{printed}")
        return printed

    def _bash(self, command: str) -> tuple[int, str]:
        state = self.folder.parent / "state"
        script = f'set -a\n{command}\ncode=$?\n{{ pwd; env -0; }} > "{state}"\nexit $code'
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", script], cwd=self._cwd or self.folder, env=self._at_this_hour(),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", timeout=SECONDS,
        )  # fmt: skip
        self._remember(state)
        return done.returncode, self._as_on_page(done.stdout + done.stderr)

    def _remember(self, state: Path) -> None:
        """What a command exported, and where it went, holds for the next one."""
        with suppress(FileNotFoundError):
            folder, _, variables = state.read_text("utf-8").partition("\n")
            self._cwd = Path(folder)
            known = dict(line.partition("=")[::2] for line in variables.split("\0") if line)
            self.environment |= {name: value for name, value in known.items() if not name.startswith(("GIT_", "_"))}
            state.unlink()

    def _at_this_hour(self) -> dict[str, str]:
        return self.environment | at_the(self._hour)

    def _start(self, block: Block, command: str, ready: str) -> str:
        command = command.replace("--port 8321", "")
        if re.search(r"gnomon\b.*\b(serve|demo)\b", command):
            command += " --port 0"
        log = (self.folder.parent / f"stays-{len(self._running)}.log").open("w")
        process = subprocess.Popen(
            ["bash", "-c", f"exec {_with_assignments(command)}"], cwd=self._cwd or self.folder, text=True,
            env=self._at_this_hour(), encoding="utf-8", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
        )  # fmt: skip
        assert process.stdout is not None
        printed = ""
        for line in process.stdout:
            printed += line
            if ready in line:
                break
        else:
            said = Path(log.name).read_text("utf-8")
            self.faults.append(f"{block.name}: `{command}` ended before it said {ready!r}:\n{printed}{said}")
        self._running.append(Running(process, printed))
        if found := LISTENS.search(printed):
            self.stands_for[PAGE_PORT] = f"127.0.0.1:{found[1]}"
        return self._as_on_page(printed)

    def _stop_all(self) -> None:
        if self._python is not None:
            assert self._python.stdin is not None
            self._python.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                if self._python.wait(SECONDS) and not self.faults:
                    self.faults.append(
                        f"{name_of(self.page)}: its Python fails at its end:\n{self._errors.read_text()}"
                    )
        for running in self._running:
            running.process.terminate()
            try:
                running.process.communicate(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                running.process.send_signal(preloaded.KILL)
                running.process.communicate()

    # -- what is printed, and what is shown

    def _as_on_page(self, printed: str) -> str:
        """With the names that the page uses for what is at another address here."""
        for words, real in self.stands_for.items():
            printed = printed.replace(real, words)
        printed = printed.replace(f"{sys.executable} -m gnomon", "gnomon")
        return printed.replace(f"{self.folder}/", "").replace(str(self.folder), ".")

    def _compare_output(self, block: Block, printed: str) -> None:
        if matches(block.text, printed, part=True):
            return
        self.renewed[block.number] = printed
        self.faults.append(f"{block.name} shows another output than what is printed:\n{printed}")


def stays(command: str) -> str | None:
    """The words after which a command that runs until it is stopped is ready; None for other commands."""
    typed = re.sub(r"\s#.*", "", command)
    return next((ready for pattern, ready in STAYING.items() if re.search(pattern, typed)), None)


def _with_assignments(command: str) -> str:
    """`A=b program` as something that `exec` takes."""
    return f"env {command}" if re.match(r"[A-Z_]+=", command) else command


def at_the(hour: int) -> dict[str, str]:
    """A repository in which the same commands make the same commits, whoever runs them."""
    when = f"{1_780_300_800 + 3600 * hour} +0000"
    who = {f"GIT_{role}_{what}": words for role in ("AUTHOR", "COMMITTER") for what, words in NAMED.items()}
    return {**who, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "GIT_CONFIG_GLOBAL": os.devnull}


def matches(shown: str, printed: str, *, part: bool = False) -> bool:
    """Durations aside. `…` on a page stands for any text in that line, a line of its own for any lines."""
    shown, printed = _steady(shown), _steady(printed)
    if shown == printed or (part and shown in printed):
        return True
    if "…" not in shown:
        return False
    return (re.search if part else re.fullmatch)(_pattern(shown), printed) is not None


def _pattern(shown: str) -> str:
    lines = shown.splitlines(keepends=True)
    return "".join(
        r"(?:.*\n)*?" if line.strip() == "…" else ".*?".join(re.escape(part) for part in line.split("…"))
        for line in lines
    )


def _steady(text: str) -> str:
    return re.sub(r"\bin [\d.,]+ ?s\b", "in … s", text).rstrip("\n")


def _kept(shown: str, printed: str) -> str:
    return shown if matches(shown, printed) else printed.rstrip("\n") + "\n" * bool(printed)


def programs(folder: Path) -> Path:
    """A folder for PATH in which `gnomon`, `python` and `pytest` are processes that have imported everything."""
    folder.mkdir(exist_ok=True)
    for name, arguments in {
        "gnomon": ["-m", "gnomon"],
        "pytest": ["-m", "pytest"],
        "python": [],
        "python3": [],
    }.items():
        words = " ".join(f"'{word}'" for word in preloaded.command(*arguments))
        file = folder / name
        file.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        file.chmod(0o755)
    return folder


def environment_for(home: Path, programs: Path) -> dict[str, str]:
    """Nothing of whoever runs the tests, but for the PATH behind our own programs."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return environment | OF_PYTEST | {"PATH": path, "HOME": str(home)}
