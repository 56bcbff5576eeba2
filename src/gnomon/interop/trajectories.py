"""Read any file of agent runs as transcripts; the format is recognised by its content.

Our own transcripts and the first published format of them are the bench's to read; they are named here only to say so.
"""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from gnomon.agentlogs.lines import decode, lines
from gnomon.agentlogs.reading import WHOLE
from gnomon.errors import InvalidInput, Refused
from gnomon.interop import agentsessions, inspect, messages, taubench
from gnomon.interop.conversation import CODE, refused
from gnomon.interop.foreign import minisweagent, sweagent
from gnomon.interop.foreign import taubench as foreign_taubench
from gnomon.model.firstformat import is_first_format
from gnomon.model.transcript import Transcript

TranscriptReader = Callable[[Path], list[Transcript]]
READERS: dict[str, TranscriptReader] = {
    inspect.SOURCE: inspect.read,
    taubench.SOURCE: taubench.read,
    foreign_taubench.SOURCE_2: foreign_taubench.transcripts_2,
    sweagent.SOURCE: sweagent.transcripts,
    minisweagent.SOURCE: minisweagent.transcripts,
    messages.SOURCE: messages.read,
    agentsessions.CLAUDE: agentsessions.read,
    agentsessions.CODEX: agentsessions.read,
}
_KNOWN = (
    "an Inspect log (.eval, .json), tau-bench or tau2 results, a trajectory of SWE-agent or mini-swe-agent, "
    "lists of messages (.json, .jsonl), or a session of Claude Code or Codex (.jsonl)"
)
_LINES_LOOKED_AT = 200
_BY_FIRST_LOOK: list[tuple[Callable[[Path], bool], TranscriptReader]] = [
    (foreign_taubench.detect_2, foreign_taubench.transcripts_2),
    (sweagent.detect, sweagent.transcripts),
    (minisweagent.detect, minisweagent.transcripts),
]


def read_any(path: Path, kind: str | None = None) -> list[Transcript]:
    """The runs in a file. `kind` is one of `READERS`; without it the file's content decides."""
    if kind is not None:
        if kind not in READERS:
            raise InvalidInput.of("kind", f"{kind!r} is not a known format; known are {', '.join(READERS)}")
        return READERS[kind](path)
    if path.is_dir():
        raise Refused(f"{path} is a folder; name a file in it", code=CODE)
    if inspect.is_zip(path):
        return inspect.read(path)
    for detect, reader in _BY_FIRST_LOOK:
        if detect(path):
            return reader(path)
    if _is_session(path):
        return agentsessions.read(path)
    content = messages.content_of(path)
    if not content.strip():
        raise refused(path, f"is empty; it should be {_KNOWN}")
    try:
        value = messages.parsed(path, content)
    except Refused:
        return messages.read(path)  # perhaps one conversation per line; else it says what is wrong
    return _from_value(value, path)


def _from_value(value: Any, path: Path) -> list[Transcript]:
    if inspect.is_log(value):
        return inspect.from_value(value, path)
    if taubench.is_trajectories(value):
        return taubench.from_value(value, path)
    if is_first_format(value):
        raise refused(
            path,
            "is a transcript of a benchmark run; give it to a command that takes runs, such as `gnomon bench score`",
        )
    try:
        return messages.from_value(value, path)
    except Refused:
        raise refused(path, f"is none of the formats that are read; it should be {_KNOWN}") from None


def _is_session(path: Path) -> bool:
    """Whether one of the first lines is as a coding agent writes it."""
    try:
        first = (decode(WHOLE, line) for _, line in islice(lines(path, lambda _: None), _LINES_LOOKED_AT))
        return any(map(agentsessions.kind_of, first))
    except OSError as bad:
        raise Refused(f"{path}: {bad.strerror or bad}; name a file that can be read", code=CODE) from None
