"""How a hook calls this program: by name where a shell finds it, else by its path on this machine."""

import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

NAME = "gnomon"


@dataclass(frozen=True, slots=True)
class HookProgram:
    """`path` is this program's own; `on_path`: a shell that is asked for `gnomon` gets this one."""

    path: Path
    on_path: bool

    def call(self, event: str, flags: str, *, shared: bool) -> str:
        """A shell command that never fails. In a file that others share it is called by name where that works."""
        words = f"outcome record {event}{flags}"
        by_name = f"{NAME} {words} 2>/dev/null || true"
        if shared and self.on_path:
            return by_name
        return f"{shlex.quote(self.path.as_posix())} {words} 2>/dev/null || {by_name}"


def this_program() -> HookProgram:
    """The command that is running, or the one beside this Python."""
    started = Path(sys.argv[0])
    beside = Path(sys.executable).with_name(NAME + (".exe" if os.name == "nt" else ""))
    path = started.absolute() if started.stem == NAME and started.exists() else beside
    known = shutil.which(NAME)
    return HookProgram(path, known is not None and Path(known).resolve() == path.resolve())
