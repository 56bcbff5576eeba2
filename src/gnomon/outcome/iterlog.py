"""The iteration log: `iter-N.yaml` files of two schemas and an archive, read into records.

A strict reading stops at the first bad file. The usual one tells each bad file in one diagnostic and reads the rest.
"""

import json
import re
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from gnomon.errors import Refused
from gnomon.model.iterationfacts import IterationFacts
from gnomon.model.outcome import DEFAULT_PROFILE, Profile
from gnomon.model.yamltree import BadYaml, read
from gnomon.outcome.diagnostics import Diagnostic
from gnomon.outcome.fields import Block, optional_bool
from gnomon.outcome.logcache import Remembered
from gnomon.outcome.profiles import reading_of
from gnomon.outcome.record import (
    AgentInfo,
    ImplBlock,
    IterationRecord,
    LinkedTrace,
    OptionalBool,
    ReviewBlock,
    SelfAssessment,
    TestAdded,
    TokenUsage,
    VerifierRecord,
)
from gnomon.outcome.recorded import KEY, read_recorded
from gnomon.outcome.regular import lies_inside

DEFAULT_LOG = ".agents/active/iteration-log"
_ENTRY = re.compile(r"iter-(\d+)\.yaml")
_LARGEST_FILE = 8 * 2**20


@dataclass(frozen=True, slots=True)
class IterationLog:
    """All records, by iteration; what was odd; and the bytes of each file that was read, for their digests."""

    records: tuple[IterationRecord, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    read: dict[int, Path] = field(default_factory=dict)


def load_iteration_log(directory: str | Path, *, profile: Profile = DEFAULT_PROFILE) -> list[IterationRecord]:
    """The records of a log directory, in the order of their numbers. An entry of its own wins over the archive."""
    return list(load_log(directory, profile).records)


def load_log(directory: str | Path, profile: Profile, *, cache: Path | None = None) -> IterationLog:
    """The log with its diagnostics. With a cache (a folder), files that are as they were are not parsed again."""
    remembered = Remembered(cache, Path(directory), profile)
    reader = _LogReader(Path(directory), profile, remembered)
    for path in reader.candidates():
        reader.take(path, lambda data: [parse_iteration_record(data, profile=profile)])
    archive = Path(directory) / "historical.yaml"
    if archive.is_symlink() or archive.exists():
        reader.take(archive, lambda data: _archived(data, profile))
    remembered.keep()
    records = tuple(record for _, (record, _) in sorted(reader.records.items()))
    return IterationLog(records, tuple(reader.diagnostics), {n: path for n, (_, path) in reader.records.items()})


class _LogReader:
    def __init__(self, directory: Path, profile: Profile, remembered: "Remembered") -> None:
        self.directory = directory
        self.remembered = remembered
        self.strict, self.careful = reading_of(profile).strict, reading_of(profile).careful
        self.records: dict[int, tuple[IterationRecord, Path]] = {}
        self.left_out: dict[int, str] = {}  # number → the file of that name, which gave no record
        self.diagnostics: list[Diagnostic] = []

    def candidates(self) -> list[Path]:
        try:
            names = [entry.name for entry in self.directory.iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as bad:
            raise Refused(f"cannot list the iteration log {self.directory}: {bad.strerror or bad}") from None
        return [self.directory / name for name in sorted(names) if _ENTRY.fullmatch(name)]

    def take(self, path: Path, parse: Callable[[bytes], Iterable[IterationRecord]]) -> None:
        try:
            records = self.remembered.records(path, lambda: list(parse(self._bytes(path))))
        except (BadEntry, OSError) as bad:
            words = bad.strerror or str(bad) if isinstance(bad, OSError) else str(bad)
            if self.strict:
                raise Refused(f"load iteration log: {path.name}: {words}") from None
            self._leave_out(path, "unreadable", words)
            return
        for record in records:
            self._keep(record, path)

    def _bytes(self, path: Path) -> bytes:
        if self.careful and path.is_symlink() and not lies_inside(path, self.directory):
            raise BadEntry("is a symbolic link that leaves the log's directory")
        kind = path.stat()
        if stat.S_ISDIR(kind.st_mode):
            raise BadEntry("is a directory, not a file")
        if not stat.S_ISREG(kind.st_mode):
            raise BadEntry("is not a regular file")
        if kind.st_size > _LARGEST_FILE:
            raise BadEntry(f"has {kind.st_size} bytes, more than {_LARGEST_FILE}")
        return path.read_bytes()

    def _keep(self, record: IterationRecord, path: Path) -> None:
        archived = path.name == "historical.yaml"
        number = record.iteration
        if not self.strict:
            if number < 1:
                self._leave_out(path, "number", f"iteration {number} is not a number from 1 on")
                return
            if not archived:
                self._compare_with_name(record, path)
        if number in self.records:
            _, other = self.records[number]
            if archived and other.name != path.name:
                return
            if not self.strict and archived:
                self._tell(path, "duplicate", f"iteration {number} is there twice; the later one counts")
            elif not self.strict:
                kept, dropped = (other, path) if other.name == f"iter-{number}.yaml" else (path, other)
                self._tell(path, "duplicate", f"iteration {number} is also in {other.name}; {dropped.name} is left out")
                if kept == other:
                    return
        elif archived and number in self.left_out:
            own = f"it has a file of its own, {self.left_out[number]}, which is left out"
            self._tell(path, "archive", f"iteration {number} is not taken from the archive: {own}")
            return
        self.records[number] = (record, path)

    def _leave_out(self, path: Path, code: str, words: str) -> None:
        """The archive does not stand in for a file that is left out: it may say something else."""
        self._tell(path, code, f"{words}; left out")
        if named := _ENTRY.fullmatch(path.name):
            self.left_out[int(named[1])] = path.name

    def _compare_with_name(self, record: IterationRecord, path: Path) -> None:
        named = int(_ENTRY.fullmatch(path.name)[1])  # type: ignore[index]
        if record.iteration != named:
            self._tell(path, "number", f"its content says iteration {record.iteration}; counted as that")

    def _tell(self, path: Path, code: str, words: str) -> None:
        self.diagnostics.append(Diagnostic(path.name, code, words))


# ── one document ────────────────────────────────────────────────────────────────────────────────────────────────


class BadEntry(Refused):
    """An entry that cannot be read; the message says which part and why."""


def parse_iteration_record(data: bytes | str, *, profile: Profile = DEFAULT_PROFILE) -> IterationRecord:
    """One entry of the log, by its schema_version."""
    try:
        root = read(_encoded(data))
        entry = Block.of(root, "the document", strict=reading_of(profile).strict)
        version = entry.integer("schema_version")
    except BadYaml as bad:
        raise BadEntry(f"probe iteration-log schema: {bad}") from None
    parse = {1: _flat, 2: _nested}.get(version)
    if parse is None:
        raise BadEntry(f"unsupported iteration-log schema_version {version}; 1 and 2 are known")
    try:
        record = parse(entry)
    except BadYaml as bad:
        raise BadEntry(f"parse v{version} iteration entry: {bad}") from None
    return replace(record, notes=tuple(entry.notes)) if entry.notes else record


def parse_optional_bool(value: str | bytes | float | None, *, profile: Profile = DEFAULT_PROFILE) -> OptionalBool:
    """A flag of the log from its YAML text, or from what a YAML reader made of it: true, false, or None for unset.

    Null and blank are unset, a whole number is whether it is not 0, and a text such as "t" or "False" is what it
    says. Anything else is unset too; a strict reading refuses it.
    """
    text = value if isinstance(value, str | bytes) else json.dumps(value)
    try:
        return optional_bool("the flag", read(_encoded(text)), strict=reading_of(profile).strict)
    except BadYaml as bad:
        if reading_of(profile).strict:
            raise BadEntry(str(bad)) from None
        return None


def _encoded(text: bytes | str) -> bytes:
    return text.encode(errors="surrogatepass") if isinstance(text, str) else text


def _archived(data: bytes, profile: Profile) -> list[IterationRecord]:
    try:
        archive = Block.of(read(data), "the document", strict=reading_of(profile).strict)
        return [_with_notes(entry) for entry in archive.blocks("iterations")]
    except BadYaml as bad:
        raise BadEntry(f"parse archived iterations: {bad}") from None


def _with_notes(entry: Block) -> IterationRecord:
    """An entry of the archive, with what was noted of itself: all of them write into one list."""
    before = len(entry.notes)
    record = _flat(entry)
    return replace(record, notes=tuple(entry.notes[before:]))


def _flat(entry: Block) -> IterationRecord:
    """Schema 1: everything at the top level."""
    impl = ImplBlock(
        summary=entry.text("summary"),
        scope_note=entry.text("scope_note"),
        retries=entry.integer("retries"),
        focused_tests_added=entry.integer("tests_added"),
        tests_total_pass=entry.tri_state("tests_total_pass"),
        self_assessment=_self_assessment(entry.block("self_assessment")),
        retries_reported=entry.has("retries"),
    )
    return replace(_common(entry, 1), impl=impl)


def _nested(entry: Block) -> IterationRecord:
    """Schema 2: each role owns a block."""
    agent, tokens, review = entry.block("agent"), entry.optional_block("session_tokens"), entry.block("review")
    return replace(
        _common(entry, 2),
        checkpoint_at=entry.text("checkpoint_at"),
        agent=AgentInfo(agent.text("session_id"), agent.text("harness"), agent.text("model")),
        session_tokens=None if tokens is None else _tokens(tokens),
        impl=_impl(entry.block("impl")),
        verifiers=tuple(_verifier(verifier) for verifier in entry.blocks("verifiers")),
        review=ReviewBlock(
            phase_1_decision=review.text("phase_1_decision"),
            phase_2_decision=review.text("phase_2_decision"),
            overall_decision=review.text("overall_decision"),
            failed_gates=review.texts("failed_gates"),
            decision_artifact=review.text("decision_artifact"),
        ),
        recorded=None if entry.strict else _recorded(entry),
    )


def _recorded(entry: Block) -> IterationFacts | None:
    """Facts beside the score. They are read leniently: without them the entry is still worth what it was."""
    try:
        return read_recorded(entry.optional_block(KEY))
    except BadYaml as bad:
        entry.notes.append(f"{KEY}: {bad}; not read")
        return None


def _common(entry: Block, version: int) -> IterationRecord:
    return IterationRecord(
        schema_version=version,
        iteration=entry.integer("iteration"),
        date=entry.text("date"),
        wave=entry.text("wave"),
        task_id=entry.text("task_id"),
        commit=entry.text("commit"),
        files_changed=entry.integer("files_changed"),
        lines_added=entry.integer("lines_added"),
        lines_removed=entry.integer("lines_removed"),
        first_commit=entry.reported("first_commit"),
    )


def _tokens(block: Block) -> TokenUsage:
    return TokenUsage(
        input_tokens=block.integer("input_tokens"),
        output_tokens=block.integer("output_tokens"),
        cache_read_tokens=block.integer("cache_read_tokens"),
        cache_creation_tokens=block.integer("cache_creation_tokens"),
        cache_hit_rate=block.number("cache_hit_rate"),
    )


def _impl(block: Block) -> ImplBlock:
    stray = [name for name in ("tests_total_pass", "tests_added") if block.has(name)]
    if stray:
        block.notes.append(f"impl has {' and '.join(stray)} of schema 1; not read")
    return ImplBlock(
        summary=block.text("summary"),
        scope_note=block.text("scope_note"),
        retries=block.integer("retries"),
        focused_tests_added=block.integer("focused_tests_added"),
        focused_tests_pass=block.tri_state("focused_tests_pass"),
        self_assessment=_self_assessment(block.block("self_assessment")),
        retries_reported=block.has("retries"),
    )


def _verifier(block: Block) -> VerifierRecord:
    added = tuple(TestAdded(test.text("name"), test.text("kind")) for test in block.blocks("tests_added_by_kind"))
    named = block.blocks("linked_traces")
    traces = tuple(LinkedTrace(trace.text("trace_ref"), trace.text("outcome_ref")) for trace in named)
    if halves := sum(not trace.is_pair for trace in traces):
        block.notes.append(f"{halves} of {len(traces)} linked_traces lack trace_ref or outcome_ref; not counted")
    return VerifierRecord(
        type=block.text("type"),
        status=block.text("status"),
        gate_passed=block.reported("gate_passed"),
        tests_added=block.integer("tests_added"),
        tests_added_by_kind=added,
        linked_traces=traces,
        tests_total_pass=block.tri_state("tests_total_pass"),
        retries=block.integer("retries"),
        result_artifact=block.text("result_artifact"),
        self_assessment=_self_assessment(block.block("self_assessment")),
        retries_reported=block.has("retries"),
    )


def _self_assessment(block: Block) -> SelfAssessment:
    return SelfAssessment(
        read_loop_state=block.reported("read_loop_state"),
        one_item_only=block.tri_state("one_item_only"),
        committed_after_tests=block.reported("committed_after_tests"),
        aligned_with_canonical_tasks=block.tri_state("aligned_with_canonical_tasks"),
        persisted_via_workflow_commands=block.text("persisted_via_workflow_commands"),
        ran_cli_command=block.reported("ran_cli_command"),
        exercised_new_scenario=block.reported("exercised_new_scenario"),
        tests_positive_and_negative=block.reported("tests_positive_and_negative"),
        tests_used_sandbox=block.reported("tests_used_sandbox"),
        cli_produced_actionable_feedback=block.text("cli_produced_actionable_feedback"),
        linked_traces_to_outcomes=block.reported("linked_traces_to_outcomes"),
        stayed_under_10_files=block.reported("stayed_under_10_files"),
        no_destructive_commands=block.tri_state("no_destructive_commands"),
        scoped_tests_to_write_scope=block.tri_state("scoped_tests_to_write_scope"),
        tdd_refresh_performed=block.reported("tdd_refresh_performed"),
    )
