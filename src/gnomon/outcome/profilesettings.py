"""What a team may set about the `gnomon` profile: days, half-lives, and which paths are bookkeeping.

None of it belongs to a rubric: rubric 2.1.0 stays what it is. The settings stand in `.agents/outcome.yaml` at the top
of the repository, where everybody who scores it has the same ones.
"""

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.model.yamltree import BadYaml, read
from gnomon.outcome.fields import Block
from gnomon.outcome.regular import read_regular

SETTINGS_FILE = ".agents/outcome.yaml"
BOOKKEEPING = (
    # the log, plans, delegation bundles and everything else that the loop itself writes
    ".agents",
    ".agentsrc.json",
    # agents' settings, rules and memory
    ".aider*",
    ".claude",
    ".clinerules",
    ".codex",
    ".continue",
    ".cursor",
    ".cursorrules",
    ".gemini",
    ".github/copilot-instructions.md",
    ".github/instructions",
    ".github/prompts",
    ".mcp.json",
    ".opencode",
    ".roo",
    ".windsurf",
    ".windsurfrules",
    "**/AGENTS.md",
    "**/CLAUDE.md",
    "**/CLAUDE.local.md",
    "**/GEMINI.md",
)
"""Paths that no task has to declare, as `write_scope` writes them."""

_LARGEST_FILE = 2**20
_DAYS = ("abandoned_after_days", "superseded_after_days", "superseded_half_life_days")


@dataclass(frozen=True, slots=True)
class ProfileSettings:
    abandoned_after_days: float = 30.0
    """Open work counts as abandoned so long after its branch's last commit."""
    superseded_after_days: float = 90.0
    """Work that is undone later than this was superseded, not reverted."""
    superseded_half_life_days: float = 90.0
    """Superseded work is worth 1 − ½^(days that it stood / this)."""
    bookkeeping: tuple[str, ...] = BOOKKEEPING

    def worth_after(self, days: float) -> float:
        """What superseded work is worth that stood for so many days."""
        return 1.0 - math.exp2(-max(0.0, days) / self.superseded_half_life_days)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "bookkeeping": list(self.bookkeeping)}


def repository_settings(top: Path) -> ProfileSettings:
    """The settings of a repository; the defaults where it has none. Raises InvalidInput for a file that is none."""
    path = top / SETTINGS_FILE
    try:
        data = read_regular(path, _LARGEST_FILE, within=top)
    except FileNotFoundError:
        return ProfileSettings()
    except OSError as bad:
        raise InvalidInput.of("settings", f"{SETTINGS_FILE}: {bad.strerror or bad}") from None
    return parse_settings(data, SETTINGS_FILE)


def parse_settings(data: bytes, source: str) -> ProfileSettings:
    try:
        root = Block.of(read(data), "the document")
        root.only(*_DAYS, "bookkeeping")
        days = {name: _days(root, name) for name in _DAYS if root.has(name)}
        listed = {"bookkeeping": root.texts("bookkeeping")} if "bookkeeping" in root.items else {}
    except BadYaml as bad:
        raise InvalidInput.of("settings", f"{source}: {bad}") from None
    return ProfileSettings(**days, **listed)  # type: ignore[arg-type]


def _days(root: Block, name: str) -> float:
    days = root.number(name)
    if not 0 < days < 1e6:
        raise BadYaml(f"{name} is {days:g}; give a number of days above 0")
    return days
