"""The iteration log: `iter-N.yaml` files of two schemas and an archive, read into records.

`compat` reads as the original does, and stops at the first bad file. `gnomon` tells each bad file in one
diagnostic and reads the rest.
"""

import re
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from gnomon.errors import Refused
from gnomon.model.outcome import Profile
from gnomon.model.yamltree import BadYaml, read
from gnomon.outcome.diagnostics import Diagnostic
from gnomon.outcome.fields import Block
from gnomon.outcome.logcache import Remembered
from gnomon.outcome.record import (
    AgentInfo,
    ImplBlock,
    IterationRecord,
    LinkedTrace,
    ReviewBlock,
    SelfAssessment,
    TestAdded,
    TokenUsage,
    VerifierRecord,
)
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


def load_iteration_log(directory: str | Path, *, profile: Profile = "compat") -> list[IterationRecord]:
    """The records of a log directory, in the order of their numbers. An entry of its own wins over the archive."""
    return list(load_log(directory, profile).records)


def load_log(directory: str | Path, profile: Profile, *, cache: Path | None = None) -> IterationLog:
    """The log with its diagnostics. With a cache (a folder), files that are as they were are not parsed again."""
    remembered = Remembered(cache, Path(directory), profile)
    reader = _Reader(Path(directory), profile, remembered)
    for path in reader.candidates():
        reader.take(path, lambda data: [parse_iteration_record(data, profile=profile)])
    archive = Path(directory) / "historical.yaml"
    if archive.is_symlink() or archive.exists():
        reader.take(archive, lambda data: _archived(data, profile))
    remembered.keep()
    records = tuple(record for _, (record, _) in sorted(reader.found.items()))
    return IterationLog(records, tuple(reader.diagnostics), {n: path for n, (_, path) in reader.found.items()})


class _Reader:
    def __init__(self, directory: Path, profile: Profile, remembered: "Remembered") -> None:
        self.directory = directory
        self.remembered = remembered
        self.compat = profile == "compat"
        self.found: dict[int, tuple[IterationRecord, Path]] = {}
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
            if self.compat:
                raise Refused(f"load iteration log: {path.name}: {words}") from None
            self.diagnostics.append(Diagnostic(path.name, "unreadable", f"{words}; left out"))
            return
        for record in records:
            self._keep(record, path)

    def _bytes(self, path: Path) -> bytes:
        if not self.compat and path.is_symlink() and not lies_inside(path, self.directory):
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
        if not self.compat:
            if number < 1:
                self._tell(path, "number", f"iteration {number} is not a number from 1 on; left out")
                return
            if not archived:
                self._compare_with_name(record, path)
        if number in self.found:
            _, other = self.found[number]
            if archived and other.name != path.name:
                return
            if not self.compat and archived:
                self._tell(path, "duplicate", f"iteration {number} is there twice; the later one counts")
            elif not self.compat:
                kept, dropped = (other, path) if other.name == f"iter-{number}.yaml" else (path, other)
                self._tell(path, "duplicate", f"iteration {number} is also in {other.name}; {dropped.name} is left out")
                if kept == other:
                    return
        self.found[number] = (record, path)

    def _compare_with_name(self, record: IterationRecord, path: Path) -> None:
        named = int(_ENTRY.fullmatch(path.name)[1])  # type: ignore[index]
        if record.iteration != named:
            self._tell(path, "number", f"its content says iteration {record.iteration}; counted as that")

    def _tell(self, path: Path, code: str, words: str) -> None:
        self.diagnostics.append(Diagnostic(path.name, code, words))


# ── one document ────────────────────────────────────────────────────────────────────────────────────────────────


class BadEntry(Refused):
    """An entry that cannot be read; the message says which part and why."""


def parse_iteration_record(data: bytes | str, *, profile: Profile = "compat") -> IterationRecord:
    """One entry of the log, by its schema_version."""
    try:
        root = read(data.encode(errors="surrogatepass") if isinstance(data, str) else data)
        entry = Block.of(root, "the document", strict=profile == "compat")
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


def _archived(data: bytes, profile: Profile) -> list[IterationRecord]:
    try:
        archive = Block.of(read(data), "the document", strict=profile == "compat")
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
        retries_reported=entry.said("retries"),
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
    )


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
        first_commit=entry.flag("first_commit"),
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
    stray = [name for name in ("tests_total_pass", "tests_added") if block.said(name)]
    if stray:
        block.notes.append(f"impl has {' and '.join(stray)} of schema 1; not read")
    return ImplBlock(
        summary=block.text("summary"),
        scope_note=block.text("scope_note"),
        retries=block.integer("retries"),
        focused_tests_added=block.integer("focused_tests_added"),
        focused_tests_pass=block.tri_state("focused_tests_pass"),
        self_assessment=_self_assessment(block.block("self_assessment")),
        retries_reported=block.said("retries"),
    )


def _verifier(block: Block) -> VerifierRecord:
    added = tuple(TestAdded(test.text("name"), test.text("kind")) for test in block.blocks("tests_added_by_kind"))
    traces = block.blocks("linked_traces")
    return VerifierRecord(
        type=block.text("type"),
        status=block.text("status"),
        gate_passed=block.flag("gate_passed"),
        tests_added=block.integer("tests_added"),
        tests_added_by_kind=added,
        linked_traces=tuple(LinkedTrace(trace.text("trace_ref"), trace.text("outcome_ref")) for trace in traces),
        tests_total_pass=block.tri_state("tests_total_pass"),
        retries=block.integer("retries"),
        result_artifact=block.text("result_artifact"),
        self_assessment=_self_assessment(block.block("self_assessment")),
        retries_reported=block.said("retries"),
    )


def _self_assessment(block: Block) -> SelfAssessment:
    return SelfAssessment(
        read_loop_state=block.flag("read_loop_state"),
        one_item_only=block.tri_state("one_item_only"),
        committed_after_tests=block.flag("committed_after_tests"),
        aligned_with_canonical_tasks=block.tri_state("aligned_with_canonical_tasks"),
        persisted_via_workflow_commands=block.text("persisted_via_workflow_commands"),
        ran_cli_command=block.flag("ran_cli_command"),
        exercised_new_scenario=block.flag("exercised_new_scenario"),
        tests_positive_and_negative=block.flag("tests_positive_and_negative"),
        tests_used_sandbox=block.flag("tests_used_sandbox"),
        cli_produced_actionable_feedback=block.text("cli_produced_actionable_feedback"),
        linked_traces_to_outcomes=block.flag("linked_traces_to_outcomes"),
        stayed_under_10_files=block.flag("stayed_under_10_files"),
        no_destructive_commands=block.tri_state("no_destructive_commands"),
        scoped_tests_to_write_scope=block.tri_state("scoped_tests_to_write_scope"),
        tdd_refresh_performed=block.flag("tdd_refresh_performed"),
    )
