"""Files that a log entry points to, read inside the repository and nowhere else.

Close-out moves a task's verification folder into the history; a careful reading looks there too.
"""

import os
import posixpath
from dataclasses import dataclass, field
from pathlib import Path

from gnomon.model.outcome import DEFAULT_PROFILE, Profile
from gnomon.model.yamltree import BadYaml, Mapping, Scalar, Series, read
from gnomon.outcome.profiles import reading_of
from gnomon.outcome.regular import lies_inside

ACTIVE = ".agents/active/verification/"
HISTORY = ".agents/history"
_LARGEST_FILE = 8 * 2**20


@dataclass(slots=True)
class Artefacts:
    """Reads artefacts under a root. What was read is remembered, for the evidence of a score."""

    root: Path | None
    profile: Profile = DEFAULT_PROFILE
    read: dict[str, bytes] = field(default_factory=dict)
    _archive: dict[str, list[Path]] | None = None

    def mapping(self, recorded: str) -> Mapping | None:
        """The artefact's content; None if it cannot be read or is no mapping."""
        data = self._bytes(recorded)
        if data is None:
            return None
        try:
            root = read(data)
        except BadYaml:
            return None
        return root if isinstance(root, Mapping) else None

    def _bytes(self, recorded: str) -> bytes | None:
        name = recorded.strip()
        if self.root is None or not str(self.root) or not name or posixpath.isabs(name):
            return None
        cleaned = posixpath.normpath(name)
        if cleaned == ".." or cleaned.startswith("../") or "\0" in cleaned:
            return None
        for path in [self.root / cleaned, *self._moved(cleaned)]:
            data = self._content(path)
            if data is not None:
                self.read[path.relative_to(self.root).as_posix()] = data
                return data
        return None

    def _content(self, path: Path) -> bytes | None:
        try:
            if reading_of(self.profile).careful and not lies_inside(path, self.root or Path()):
                return None  # a symbolic link that leaves the repository
            if not path.is_file() or path.stat().st_size > _LARGEST_FILE:
                return None
            return path.read_bytes()
        except (OSError, ValueError):
            return None

    def _moved(self, cleaned: str) -> list[Path]:
        """Where close-out puts it: history/<plan>/delegate-merge-back-archive/<date>/<task>/verification/<file>."""
        if not reading_of(self.profile).careful or not cleaned.startswith(ACTIVE):
            return []
        task, _, rest = cleaned.removeprefix(ACTIVE).partition("/")
        return [folder / rest for folder in self._archived_folders().get(task, [])]

    def _archived_folders(self) -> dict[str, list[Path]]:
        if self._archive is None:
            folders: dict[str, list[Path]] = {}
            pattern = "*/delegate-merge-back-archive/*/*/verification"
            history = (self.root or Path()) / HISTORY
            # The newest first: a task that was closed twice is judged by its last close-out.
            for folder in sorted(history.glob(pattern), key=os.fspath, reverse=True) if history.is_dir() else []:
                folders.setdefault(folder.parent.name, []).append(folder)
            self._archive = folders
        return self._archive


def text_of(mapping: Mapping | None, name: str) -> str:
    node = mapping.items.get(name) if mapping else None
    return node.text if isinstance(node, Scalar) and not node.null else ""


def corrections_in(decision: Mapping | None) -> int | None:
    """How often people had to correct after the agent was done; None when the decision does not say."""
    block = decision.items.get("post_invocation") if decision else None
    if not isinstance(block, Mapping):
        return None
    listed, again = block.items.get("user_corrections"), block.items.get("retries_in_loop")
    if listed is not None and not isinstance(listed, Series) and not (isinstance(listed, Scalar) and listed.null):
        return None
    count = len(listed.items) if isinstance(listed, Series) else 0
    if again is None or (isinstance(again, Scalar) and again.null):
        return count
    if not isinstance(again, Scalar) or not again.plain:
        return None
    try:
        return count + int(again.text)
    except ValueError:
        return None
