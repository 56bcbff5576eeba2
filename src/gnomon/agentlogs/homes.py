"""Where coding agents keep the session files of a repository."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from gnomon.agentlogs.files import SAMPLE, SUFFIX
from gnomon.agentlogs.reading import first_cwd


def claude_home(environ: Mapping[str, str] = os.environ) -> Path:
    return Path(environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")


def codex_home(environ: Mapping[str, str] = os.environ) -> Path:
    return Path(environ.get("CODEX_HOME") or Path.home() / ".codex")


def session_folders(work_trees: Sequence[Path], environ: Mapping[str, str] = os.environ) -> list[Path]:
    """The folders with the sessions of these work trees: Claude Code has one per folder in which it was started, also
    below the top; Codex has one for everything."""
    projects = claude_home(environ) / "projects"
    folders: dict[Path, None] = {}
    for tree in work_trees:
        slug = re.sub(r"[^A-Za-z0-9]", "-", str(tree))
        folders[projects / slug] = None
        below = sorted(projects.glob(f"{slug}-*")) if projects.is_dir() else []
        folders.update(dict.fromkeys(folder for folder in below if _began_inside(folder, tree)))
    folders[codex_home(environ) / "sessions"] = None
    return [folder for folder in folders if folder.is_dir()]


def began_in(path: Path) -> Path | None:
    """The folder in which a session began; None where its file does not say."""
    try:
        with path.open("rb") as file:
            folder = first_cwd(path, file.read(SAMPLE))
    except OSError:
        return None
    return Path(folder) if folder else None


def is_inside(folder: Path | None, trees: Iterable[Path]) -> bool:
    if folder is None:
        return False
    paths = {folder, Path(os.path.realpath(folder))}
    return any(path.is_relative_to(root) for tree in trees for root in (tree, tree.resolve()) for path in paths)


def _began_inside(folder: Path, tree: Path) -> bool:
    """A slug does not tell `shop-old` from the folder `old` in `shop`: the first session of a folder does."""
    first = next((path for path in sorted(folder.glob(f"*{SUFFIX}"))), None)
    return first is not None and is_inside(began_in(first), [tree])
