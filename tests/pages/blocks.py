"""The fenced blocks of a page, the commands in them, and what the page shows as their output."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHELL = frozenset({"sh", "bash", "shell"})
PYTHON = frozenset({"python", "py"})
RUN = SHELL | PYTHON | {"console"}
"""Languages whose blocks are run. `py` is Python that nobody could run as it stands, so it has to be listed."""
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
BETWEEN = re.compile(r"\s*(<!-- fmt: on -->\s*)?")
PROGRAMS = ("gnomon", "make", "python", "python3", "pip", "curl", "git", "node", "npm", "pytest", "docker", "kubectl")
COMMAND = re.compile(rf"^ *(\$ |([A-Z_]+=\S+ )*({'|'.join(PROGRAMS)}) [\w'\"~./$-])", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    page: str
    """Its path from the root of the repository."""
    number: int
    """Among all blocks of the page, from 1."""
    line: int
    language: str
    text: str
    start: int
    """Where its text begins in the page."""
    is_output: bool
    """It stands right below a block that is run, so it shows what that one prints."""

    @property
    def name(self) -> str:
        return f"{self.page} block {self.number} (line {self.line})"


@dataclass(frozen=True)
class Step:
    """One command, and what a console shows below it."""

    typed: str
    shown: str | None = None


def pages() -> list[Path]:
    """Every page that people read: of the repository, the documentation, the examples and the web application."""
    folders = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md"), ROOT / "web" / "README.md"]
    return sorted([*ROOT.glob("*.md"), *folders])


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@cache
def blocks_of(page: Path) -> tuple[Block, ...]:
    return tuple(_blocks(page))


def _blocks(page: Path) -> Iterator[Block]:
    text, end, was_run = page.read_text("utf-8"), 0, False
    for number, match in enumerate(FENCE.finditer(text), 1):
        language = match[2]
        is_output = was_run and language == "text" and BETWEEN.fullmatch(text, end, match.start()) is not None
        line = text.count("\n", 0, match.start()) + 1
        yield Block(name_of(page), number, line, language, match[3], match.start(3), is_output)
        end, was_run = match.end(), language in RUN


@cache
def steps_of(block: Block) -> tuple[Step, ...]:
    """The commands of a block, in the order in which they stand."""
    if block.language in SHELL:
        return tuple(Step(command) for command in _commands(block.text))
    steps = []
    for part in re.split(r"^(?=\$ )", block.text, flags=re.MULTILINE)[1:]:
        typed, _, shown = part.removeprefix("$ ").partition("\n")
        while shown.startswith("> "):  # a command that goes on in the next line
            line, _, shown = shown.removeprefix("> ").partition("\n")
            typed += f"\n{line}"
        steps.append(Step(typed, shown))
    return tuple(steps)


def _commands(text: str) -> Iterator[str]:
    """A line, or as many as bash needs: quotes, loops and lines that end in a backslash."""
    waiting = ""
    for line in text.splitlines():
        waiting += f"{line}\n"
        if _is_whole(waiting):
            if re.sub(r"#.*", "", waiting).strip():
                yield waiting.strip()
            waiting = ""
    if waiting.strip():
        yield waiting.strip()


def _is_whole(command: str) -> bool:
    if not re.search(r"[\\'\"{(`]|\b(for|while|if|case)\b|<<|^\s*#", command):
        return True  # spares a process for most lines
    if command.endswith("\\\n"):
        return False
    return subprocess.run(["bash", "-n", "-c", command], capture_output=True).returncode == 0


def hides_commands(block: Block) -> bool:
    """A block that says nothing of commands, and holds some."""
    return block.language in ("", "text") and not block.is_output and COMMAND.search(block.text) is not None
