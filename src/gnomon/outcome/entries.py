"""Entries that Gnomon writes by itself: how they are numbered, composed, and brought up to date.

An entry's number is the moment at which its session began, or its commit was made: 260601093012 is 1 June 2026,
09:30:12 UTC. So the same session has the same file on every branch and in every clone, and two sessions have two:
logs merge without a conflict, and nobody counts.

What people and agents write into such an entry stays. Only what was recorded is replaced.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from gnomon.atomicfile import write_atomically
from gnomon.errors import Refused
from gnomon.model.iterationfacts import IterationFacts
from gnomon.model.yamltree import BadYaml, as_json, read
from gnomon.model.yamltree import Mapping as YamlMapping
from gnomon.outcome.iterlog import BadEntry, parse_iteration_record
from gnomon.outcome.moments import moment_of
from gnomon.outcome.record import IterationRecord, TokenUsage
from gnomon.outcome.recorded import KEY, recorded_block
from gnomon.outcome.regular import read_regular
from gnomon.outcome.sidecar import read_session_score
from gnomon.outcome.worktree import ChangeCounts
from gnomon.outcome.yamlout import flow_free

State = Literal["written", "updated", "unchanged", "kept", "nothing"]
_ENTRY = re.compile(r"iter-(\d+)\.yaml")
_LARGEST_FILE = 8 * 2**20
_HEADER = (
    "# Written by gnomon outcome. Fill in what a person or an agent knows: wave, task_id, impl, verifiers, review.\n"
    "# What git and the session say is brought up to date, and what you write is left as it is.\n"
)
_PEOPLES = ("wave", "task_id", "impl", "verifiers", "review")
"""What is never replaced once it is there."""
_REPLACED = ("agent", "session_tokens", KEY)


@dataclass(frozen=True, slots=True)
class EntryDraft:
    """What an entry is to say. `began` is in seconds, and makes its number."""

    began: int
    checkpoint: int
    facts: IterationFacts
    session_id: str = ""
    tokens: TokenUsage | None = None
    changes: ChangeCounts = field(default_factory=ChangeCounts)
    subjects: tuple[str, ...] = ()
    """Those of the commits, the newest first."""
    impl: Mapping[str, Any] | None = None
    more: Mapping[str, Any] | None = None
    """What somebody gave by hand: wave, task_id, verifiers, review."""

    @property
    def commit(self) -> str:
        return self.facts.commits[0] if self.facts.commits else ""

    @property
    def summary(self) -> str:
        return self.subjects[0] if self.subjects else ""


@dataclass(frozen=True, slots=True)
class Recording:
    """What became of a draft, and why."""

    state: State
    words: str
    path: Path | None = None
    facts: IterationFacts | None = None

    def as_json(self) -> dict[str, Any]:
        iteration = number_in(self.path) if self.path else None
        facts = self.facts.as_json() if self.facts else None
        path = None if self.path is None else str(self.path)
        return {"status": self.state, "message": self.words, "iteration": iteration, "path": path, "facts": facts}


def number_of(began: int) -> int:
    return int(datetime.fromtimestamp(began, UTC).strftime("%y%m%d%H%M%S"))


def number_in(path: Path) -> int | None:
    match = _ENTRY.fullmatch(path.name)
    return int(match[1]) if match else None


@dataclass(frozen=True, slots=True)
class KeptEntry:
    """An entry on disk."""

    path: Path
    text: bytes
    record: IterationRecord

    @property
    def is_ours(self) -> bool:
        return self.record.recorded is not None


class EntryFolder:
    """The entries of a log, looked through by what they mention: parsing a thousand to find one would take too long."""

    def __init__(self, log: Path) -> None:
        self.log = log

    def mentioning(self, *words: str) -> list[KeptEntry]:
        """The entries that hold one of the words, the newest number first. What cannot be read is passed over."""
        needles = [word.encode() for word in words if word]
        entries = []
        for path in sorted(self._paths(), key=lambda path: -(number_in(path) or 0)):
            try:
                text = read_regular(path, _LARGEST_FILE, within=self.log)
                if any(needle in text for needle in needles):
                    entries.append(KeptEntry(path, text, parse_iteration_record(text)))
            except (OSError, BadEntry):
                continue
        return entries

    def _paths(self) -> list[Path]:
        try:
            return [path for path in self.log.iterdir() if _ENTRY.fullmatch(path.name)]
        except OSError:
            return []

    def write(self, draft: EntryDraft, instead: "KeptEntry | None" = None) -> Recording:
        """Write the draft as a new entry, or bring the entry of its session or commit up to date; or that of the
        commit that it amended (`instead`)."""
        words = [draft.session_id] if draft.session_id else [draft.commit]
        known = [entry for entry in self.mentioning(*words) if _same(entry.record, draft)]
        own_entry = instead or next((entry for entry in known if entry.is_ours), None)
        if own_entry is None and known:
            return Recording("kept", f"{known[0].path.name} was written by hand; it is left as it is", known[0].path)
        if own_entry is None:
            path = self._free_path(draft)
            self._write(path, _new_text(number_in(path) or 0, draft))
            return Recording("written", f"wrote {path.name}", path, draft.facts)
        text = _updated_text(own_entry, draft)
        if text.encode() == own_entry.text:
            return Recording("unchanged", f"{own_entry.path.name} says so already", own_entry.path, draft.facts)
        self._write(own_entry.path, text)
        return Recording("updated", f"brought {own_entry.path.name} up to date", own_entry.path, draft.facts)

    def _free_path(self, draft: EntryDraft) -> Path:
        """The file of that second, or of the next one that nobody has."""
        taken = {path.name for path in self._paths()}
        began = draft.began
        while (name := f"iter-{number_of(began)}.yaml") in taken:
            began += 1
        return self.log / name

    def _write(self, path: Path, text: str) -> None:
        try:
            self.log.mkdir(parents=True, exist_ok=True)
        except OSError as bad:
            raise Refused(f"cannot make the log {self.log}: {bad.strerror or bad}; name one with --log") from None
        write_atomically(path, text)


def _same(record: IterationRecord, draft: EntryDraft) -> bool:
    """Whether an entry is the draft's: of its session, or of its commit where no session is known."""
    if draft.session_id:
        return record.agent.session_id == draft.session_id
    return not record.agent.session_id and bool(draft.commit) and record.commit == draft.commit


def _new_text(number: int, draft: EntryDraft) -> str:
    fields = {"wave": "", "task_id": "", "verifiers": [], "review": {"overall_decision": ""}, **(draft.more or {})}
    impl = {"summary": draft.summary, "scope_note": "", "retries": None, "focused_tests_pass": None}
    fields["impl"] = {**impl, **(draft.impl or {})}
    return _HEADER + flow_free(_content(number, draft, fields))


def _updated_text(entry: KeptEntry, draft: EntryDraft) -> str:
    try:
        root = read(entry.text)
    except BadYaml as bad:
        raise Refused(f"{entry.path.name}: {bad}") from None
    kept = as_json(root) if isinstance(root, YamlMapping) else {}
    fields = {name: kept[name] for name in _PEOPLES if name in kept}
    fields |= dict(draft.more or {})
    impl = fields["impl"] if isinstance(fields.get("impl"), dict) else {}
    written = impl.get("summary")
    if not written or written in draft.subjects:  # a summary of somebody's own stays
        impl = {**impl, "summary": draft.summary}
    fields["impl"] = {**impl, **(draft.impl or {})}
    content = _content(entry.record.iteration, draft, fields)
    unknown = {name: value for name, value in kept.items() if name not in (*content, *_REPLACED)}
    return _HEADER + flow_free({**content, **unknown})


def _content(number: int, draft: EntryDraft, fields: Mapping[str, Any]) -> dict[str, Any]:
    changes, facts = draft.changes, draft.facts
    checkpoint = moment_of(draft.checkpoint)
    content: dict[str, Any] = {
        "schema_version": 2,
        "iteration": number,
        "date": checkpoint[:10],
        "wave": fields.get("wave", ""),
        "task_id": fields.get("task_id", ""),
        "commit": draft.commit,
        "checkpoint_at": checkpoint,
        "files_changed": changes.files,
        "lines_added": changes.lines_added,
        "lines_removed": changes.lines_removed,
    }
    if draft.session_id or facts.agent:
        content["agent"] = {"session_id": draft.session_id, "harness": facts.agent, "model": facts.model}
    if draft.tokens is not None:
        content["session_tokens"] = {
            "input_tokens": draft.tokens.input_tokens,
            "output_tokens": draft.tokens.output_tokens,
            "cache_read_tokens": draft.tokens.cache_read_tokens,
            "cache_creation_tokens": draft.tokens.cache_creation_tokens,
        }
    content |= {name: fields[name] for name in ("impl", "verifiers", "review") if name in fields}
    return {**content, KEY: recorded_block(facts)}


def remove_recorded(log: Path, top: Path, *, write: bool) -> list[Path]:
    """Remove the entries that were recorded, with what was scored of them, and the folders that are empty then."""
    entries = [entry.path for entry in EntryFolder(log).mentioning(f"{KEY}:") if entry.is_ours]
    beside = [path for entry in entries for path in log.glob(f"{entry.stem}.*") if path != entry]
    own_numbers = {number_in(path) for path in entries}
    sessions = [path for path in log.glob("session-*.score.yaml") if _only_of(path, own_numbers)]
    removed = [*entries, *beside, *sessions]
    if not write:
        return removed
    for path in removed:
        path.unlink(missing_ok=True)
    for folder in (log, *log.parents):
        if folder == top or not folder.is_relative_to(top) or any(folder.iterdir()):
            break
        folder.rmdir()
    return removed


def _only_of(path: Path, numbers: set[int | None]) -> bool:
    """Whether a session's score is about no other iterations than these."""
    try:
        return set(read_session_score(path).iterations) <= numbers
    except Refused:
        return False
