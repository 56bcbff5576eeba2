"""An agent's memory: small Markdown files by key, in the run's own folder.

What counts is what is held here; the files are its archive, written with each change. So a run reads what it wrote on
every file system alike, and a folder that a killed run left half-done is simply written anew.
"""

import re
import shutil
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from gnomon.bench.toolbox import Args, BadArgument, Response, text_of
from gnomon.errors import Refused
from gnomon.model.tools import MemoryFile
from gnomon.model.transcript import MemoryOp

LONGEST_KEY = 200
"""Bytes of a key: with its ending it fits into a file name everywhere."""
LONGEST_FILE = 100_000
LARGEST_MEMORY = 1_000_000
"""Characters, in one file and in all."""
MOST_FILES = 1_000
_UNSAFE = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f]')


class Memory:
    def __init__(self, folder: Path, seeds: Iterable[MemoryFile] = ()) -> None:
        self._folder = folder
        self._files: dict[str, str] = {}
        self._asked: dict[str, str] = {}  # file name without case → the key it was made with
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        for seed in seeds:
            try:
                self._put(self._file_name(seed.key), seed.key, seed.content)
            except BadArgument as bad:
                raise Refused(f"memory file {seed.key!r}: {bad}; rename it", code="INVALID_PACKAGE") from None

    def keys(self) -> list[str]:
        return sorted(self._files)

    def contents(self) -> dict[str, str]:
        return {key: self._files[key] for key in self.keys()}

    def read(self, key: str) -> str | None:
        """None when there is no such file."""
        return self._files.get(self._file_name(key))

    def write(self, key: str, content: str) -> None:
        file_name = self._file_name(key)
        if len(content) > LONGEST_FILE:
            raise BadArgument(f"Argument content is longer than {LONGEST_FILE} characters; shorten it")
        if file_name not in self._files and len(self._files) >= MOST_FILES:
            raise BadArgument(f"Memory is full: {MOST_FILES} files; write into one of them")
        before = len(self._files.get(file_name, ""))
        if sum(map(len, self._files.values())) - before + len(content) > LARGEST_MEMORY:
            raise BadArgument(f"Memory is full: {LARGEST_MEMORY} characters; shorten a file")
        self._put(file_name, key, content)

    def _put(self, file_name: str, key: str, content: str) -> None:
        path = self._folder / f"{file_name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written over and then cut to length: emptying a file first costs some file systems milliseconds.
        with path.open("r+b" if path.exists() else "wb") as file:
            file.write(content.encode())
            file.truncate()
        self._files[file_name] = content
        self._asked.setdefault(_folded(file_name), key)

    def _file_name(self, key: str) -> str:
        """The name of a key's file, as `keys` lists it; it is good as a key itself."""
        file_name = _safe(key)
        first = self._asked.get(_folded(file_name), key)
        if key != first and not key == file_name == _safe(first):
            raise BadArgument(f"Invalid memory key: {key[:60]!r} is the same file as {first[:60]!r}; use that key")
        return file_name


def _safe(key: str) -> str:
    file_name = _UNSAFE.sub("_", key)
    *folders, _ = parts = file_name.split("/")
    # A folder x.md would stand where the file of key x belongs.
    clash = any(folder.lower().endswith(".md") for folder in folders)
    if clash or any(not part.strip() or part.strip(". ") == "" for part in parts):
        raise BadArgument(f"Invalid memory key: {key[:60]!r}")
    if len(file_name.encode()) > LONGEST_KEY:
        raise BadArgument(f"Invalid memory key: longer than {LONGEST_KEY} bytes")
    return file_name


def _folded(file_name: str) -> str:
    """Some file systems know neither case nor how an accent is composed."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", file_name).casefold())


class MemoryHandler:
    """Answers the memory tools and notes what was done. What failed was not done."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.ops: list[MemoryOp] = []

    def can_handle(self, tool: str) -> bool:
        return tool in ("list_memories", "read_memory", "write_memory")

    async def handle(self, tool: str, args: Args) -> Response:
        if tool == "list_memories":
            self.ops.append(MemoryOp(op="list"))
            return {"status": "ok", "keys": self.memory.keys()}
        key = text_of(args, "key")
        if tool == "read_memory":
            content = self.memory.read(key)
            self.ops.append(MemoryOp(op="read", key=key))
            return {"status": "ok", "content": content}
        content = text_of(args, "content")
        self.memory.write(key, content)
        self.ops.append(MemoryOp(op="write", key=key, content=content))
        return {"status": "written"}
