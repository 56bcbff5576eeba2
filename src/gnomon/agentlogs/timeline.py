"""Many session files as one timeline: what did agents do between two points in time?

Files are read once and reduced to facts. What several lines or files repeat counts once: the lines of one
answer, the history that a resumed or forked session copies, a tool's result and the event that reports its end.
"""

import os
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TypeVar

from gnomon.agentlogs.events import AnswerTokens
from gnomon.agentlogs.facts import (
    ENDED_BADLY,
    ENDED_WELL,
    ERROR,
    REFUSED,
    SIDECHAIN,
    SUMMARY_FAILED,
    SUMMARY_PASSED,
    FileFacts,
    ModelAnswer,
    Result,
    TestCall,
    TimedAction,
    Who,
    larger,
    reduce,
)
from gnomon.agentlogs.factscache import FactsCache, KnownEnds
from gnomon.agentlogs.files import ByteWindow
from gnomon.agentlogs.lines import shown
from gnomon.agentlogs.reading import OnProblem, read_events, session_in_name
from gnomon.agentlogs.shell import DEFAULT_RUNNERS

NO_USAGE = AnswerTokens()
OnProgress = Callable[[int, int], None]  # bytes done, bytes in all
FactRow = TypeVar("FactRow", Result, TimedAction)


@dataclass(frozen=True, slots=True)
class TestRun:
    """A command that ran tests. `passed` is None if it is unknown."""

    __test__ = False

    at: int
    command: str
    passed: bool | None


@dataclass(frozen=True, slots=True)
class WindowFacts:
    """What happened in a window. Side-chains (sub-agents) are in all counts and also counted apart."""

    covered: bool = False
    turns: int = 0
    usage: AnswerTokens = NO_USAGE
    tool_calls: int = 0
    tool_errors: int = 0
    ran_command: bool = False
    read_paths: frozenset[str] = frozenset()
    test_runs: tuple[TestRun, ...] = ()
    harnesses: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    answers: tuple[ModelAnswer, ...] = field(default=(), compare=False)
    began: int | None = field(default=None, compare=False)
    ended: int | None = field(default=None, compare=False)
    sidechain_turns: int = 0
    sidechain_tool_calls: int = 0


@dataclass(slots=True)
class _Rows:
    """Facts of several files, with one numbering of who wrote them, copies still among them."""

    seen: list[tuple[int, bytes]] = field(default_factory=list)
    turns: list[ModelAnswer] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    calls: list[TimedAction] = field(default_factory=list)


class Timeline:
    """`files` were read; of these `other_projects` belong elsewhere and count for nothing; `not_needed` lie outside
    the window asked for and were not read."""

    def __init__(
        self, writers: list[Who], rows: _Rows, *, files: int, other_projects: int, not_needed: int, problems: list[str]
    ) -> None:
        self.sessions = frozenset(participant.session_id for participant in writers if participant.session_id)
        self.files = files
        self.other_projects = other_projects
        self.not_needed = not_needed
        self.problems = problems
        self._who = writers
        self._rows = rows
        self._whole = _Index(writers, rows)
        self._by_session: dict[str, _Rows] | None = None
        self._sessions: dict[str, _Index] = {}

    def window(self, start: int | None, end: int, *, session_id: str | None = None) -> WindowFacts:
        """What happened after `start` (None: since ever) and not after `end`; of one session when it is named.

        A session that repeats another's history has that history too, each answer once.
        """
        index = self._whole if session_id is None else self._session(session_id)
        return index.between(start, end)

    def _session(self, session_id: str) -> "_Index":
        if self._by_session is None:
            self._by_session = _split_by_session(self._who, self._rows)
        if session_id not in self._sessions:
            self._sessions[session_id] = _Index(self._who, self._by_session.get(session_id, _Rows()))
        return self._sessions[session_id]


def timeline(
    files: Iterable[Path],
    *,
    roots: Sequence[Path] = (),
    window: ByteWindow | None = None,
    cache: Path | None = None,
    runners: Sequence[str] = (),
    on_problem: OnProblem,
    on_progress: OnProgress | None = None,
) -> Timeline:
    """Read the files into a timeline.

    roots    folders of the project: once one file's agent worked inside them, files whose agents worked only
             elsewhere are left out. When none did, all count: the files may come from another machine.
    window   what will be asked: files that cannot touch it are not read. Answers within it are the same.
    cache    a folder for the facts of files, so that each is read once.
    runners  patterns of test commands beside those known (see shell.py).
    """
    problems: list[str] = []

    def tell(problem: str) -> None:
        problems.append(problem)
        on_problem(problem)

    loader = _Loader(FactsCache(cache, (*DEFAULT_RUNNERS, *runners), tell), tell, on_progress)
    ends = KnownEnds(cache)
    stats, others = _selected(list(dict.fromkeys(files)), window, ends, tell)
    loaded = loader.load(stats)
    loaded |= _forked_from(loader, loaded, others)
    folders = _Folders(roots)
    inside = {path for path, facts in loaded.items() if folders.hold(facts)}
    not_needed = {path: stat for path, stat in others.items() if path not in loaded}
    # Whether another project's files count must not depend on the window that is asked for.
    all_count = not inside and not any(folders.holds(ends.of(path, stat).cwd) for path, stat in not_needed.items())
    ends.keep()
    project_files = {path: facts for path, facts in loaded.items() if all_count or path in inside or not facts.cwds}
    writers, rows = _joined(project_files)
    return Timeline(
        writers,
        rows,
        files=len(loaded),
        other_projects=len(loaded) - len(project_files),
        not_needed=len(not_needed),
        problems=problems,
    )


class _Loader:
    def __init__(self, cache: FactsCache, tell: OnProblem, on_progress: OnProgress | None) -> None:
        self.cache = cache
        self.tell = tell
        self.on_progress = on_progress

    def load(self, stats: dict[Path, os.stat_result]) -> dict[Path, FileFacts]:
        total, done = sum(stat.st_size for stat in stats.values()), 0
        loaded = {}
        for path, stat in stats.items():
            loaded[path] = self.facts(path, stat)
            done += stat.st_size
            if self.on_progress:
                self.on_progress(done, total)
        return loaded

    def facts(self, path: Path, stat: os.stat_result) -> FileFacts:
        facts = self.cache.get(path, stat)
        if facts is None:
            problems: list[str] = []
            facts = reduce(read_events(path, on_problem=problems.append), self.cache.runners)
            facts.problems = problems
            self.cache.put(path, stat, facts)
        for problem in facts.problems:
            self.tell(problem)
        return facts


Stats = dict[Path, os.stat_result]


def _selected(files: list[Path], window: ByteWindow | None, ends: KnownEnds, tell: OnProblem) -> tuple[Stats, Stats]:
    """The files that can touch the window, and those that cannot."""
    stats: Stats = {}
    others: Stats = {}
    for path in files:
        try:
            stat = path.stat()
            touches = window is None or ends.of(path, stat).may_touch(window)
        except OSError as why:
            tell(f"{shown(path)}: cannot be read ({why.strerror or why}); its events are missing")
            continue
        (stats if touches else others)[path] = stat
    return stats, others


def _forked_from(loader: _Loader, loaded: dict[Path, FileFacts], others: Stats) -> dict[Path, FileFacts]:
    """Files that a fork repeats with new dates: only beside them can its own work be told from what it repeats."""
    by_session = {name: path for path in others if (name := session_in_name(path))}
    parents: dict[Path, FileFacts] = {}
    ahead = [id for facts in loaded.values() for id in facts.origins]
    while ahead:
        path = by_session.pop(ahead.pop(), None)
        if path is not None:
            parents |= loader.load({path: others[path]})
            ahead += parents[path].origins
    return parents


class _Folders:
    """The project's folders, as they are named and as they are after links."""

    def __init__(self, roots: Sequence[Path]) -> None:
        named = [str(root) for root in roots] + [os.path.realpath(root) for root in roots]
        self.roots = [_parts(name) for name in dict.fromkeys(named)]

    def hold(self, facts: FileFacts) -> bool:
        """A session belongs where it began; agents step into other folders on the way."""
        return self.holds(facts.cwds[0] if facts.cwds else None)

    def holds(self, cwd: str | None) -> bool:
        if cwd is None:
            return False
        parts = _parts(cwd)
        return any(parts[: len(root)] == root for root in self.roots)


def _parts(folder: str) -> tuple[str, ...]:
    windows = "\\" in folder or folder[1:2] == ":"
    return (PureWindowsPath(folder) if windows else PurePosixPath(folder)).parts


# ── joining files ───────────────────────────────────────────────────────────────────────────────────────────────


def _joined(files: dict[Path, FileFacts]) -> tuple[list[Who], _Rows]:
    numbers: dict[Who, int] = {}
    rows = _Rows()
    families = _families(files)
    for path, facts in files.items():
        renumbered = [numbers.setdefault(writer, len(numbers)) for writer in facts.who]
        scopes = [
            families[path] if writer.harness == "codex" else _scope(writer, number, families[path])
            for writer, number in zip(facts.who, renumbered, strict=True)
        ]
        rows.seen += [(number, times) for number, times in zip(renumbered, facts.seen, strict=True)]
        for group in (facts.turns, facts.results, facts.calls):
            for row in group:
                row.who, row.scope = renumbered[row.who], scopes[row.who]
        rows.turns += facts.turns
        rows.results += facts.results
        rows.calls += facts.calls
    return list(numbers), rows


def _scope(writer: Who, number: int, file: int) -> int:
    """Where ids of tool calls are unique: a session, or the file when the session is not known. Below 0, so that
    it is no family's number."""
    return -1 - 2 * number if writer.session_id else -2 - 2 * file


def _families(files: dict[Path, FileFacts]) -> dict[Path, int]:
    """A number for each file, the same for files whose sessions were forked from each other."""
    parent = list(range(len(files)))

    def head(number: int) -> int:
        while parent[number] != number:
            number = parent[number] = parent[parent[number]]
        return number

    owner: dict[str, int] = {}
    for number, facts in enumerate(files.values()):
        session_ids = [writer.session_id for writer in facts.who if writer.harness == "codex" and writer.session_id]
        for id in (*session_ids, *facts.origins):
            parent[head(number)] = head(owner.setdefault(id, number))
    return {path: head(number) for number, path in enumerate(files)}


def _split_by_session(writers: list[Who], rows: _Rows) -> dict[str, _Rows]:
    rows_of: dict[str, _Rows] = {participant.session_id: _Rows() for participant in writers if participant.session_id}
    of = [rows_of.get(participant.session_id or "", _Rows()) for participant in writers]
    for number, times in rows.seen:
        of[number].seen.append((number, times))
    for turn in rows.turns:
        of[turn.who].turns.append(turn)
    for result in rows.results:
        of[result.who].results.append(result)
    for call in rows.calls:
        of[call.who].calls.append(call)
    return rows_of


# ── asking ──────────────────────────────────────────────────────────────────────────────────────────────────────


class _Index:
    """Rows without copies, in the order of time."""

    def __init__(self, writers: list[Who], rows: _Rows) -> None:
        self.who = writers
        self.seen_at, self.seen_who = _sorted_times(rows.seen)
        self.turns = _turns_once(rows.turns)
        self.results = _results_once(rows.results, writers)
        self.calls, self.call_flags = _calls_once(rows, writers)
        self.turn_at = array("q", (turn.at for turn in self.turns))
        self.result_at = array("q", (result.at for result in self.results))
        self.call_at = array("q", (call.at for call in self.calls))

    def between(self, start: int | None, end: int) -> WindowFacts:
        seen = _span(self.seen_at, start, end)
        writers = {self.who[number] for number in set(self.seen_who[seen])}
        turns = self.turns[_span(self.turn_at, start, end)]
        results = self.results[_span(self.result_at, start, end)]
        span = _span(self.call_at, start, end)
        calls = self.calls[span]
        return WindowFacts(
            covered=bool(writers),
            turns=len(turns),
            usage=AnswerTokens(
                sum(turn.input for turn in turns),
                sum(turn.output for turn in turns),
                sum(turn.cache_read for turn in turns),
                sum(turn.cache_creation for turn in turns),
            ),
            tool_calls=len(results),
            tool_errors=sum(1 for result in results if result.flags & ERROR),
            ran_command=any(call.is_command for call in calls),
            read_paths=frozenset(name for call in calls for name in call.reads),
            test_runs=_test_runs(calls, self.call_flags[span]),
            harnesses=frozenset(writer.harness for writer in writers),
            models=frozenset(turn.model for turn in turns if turn.model),
            sessions=frozenset(writer.session_id for writer in writers if writer.session_id),
            answers=tuple(turns),
            began=self.seen_at[seen.start] if writers else None,
            ended=self.seen_at[seen.stop - 1] if writers else None,
            sidechain_turns=sum(turn.sidechain for turn in turns),
            sidechain_tool_calls=sum(1 for result in results if result.flags & SIDECHAIN),
        )


def _span(times: "array[int]", start: int | None, end: int) -> slice:
    first = 0 if start is None else bisect_right(times, start)
    return slice(first, max(first, bisect_right(times, end)))


def _sorted_times(seen: list[tuple[int, bytes]]) -> "tuple[array[int], array[int]]":
    times, writers = array("q"), array("q")
    for number, packed in seen:
        times.frombytes(packed)
        writers.extend([number] * (len(packed) // 8))
    order = sorted(range(len(times)), key=times.__getitem__)
    return array("q", map(times.__getitem__, order)), array("q", map(writers.__getitem__, order))


def _turns_once(turns: list[ModelAnswer]) -> list[ModelAnswer]:
    kept: dict[tuple[int, int], ModelAnswer] = {}
    without_key: list[ModelAnswer] = []
    for turn in turns:
        # Message ids are unique in the world; Codex's running totals only among a session and its forks.
        turn_key = (max(turn.scope, -1), turn.key)
        if not turn.key:
            without_key.append(turn)
        elif turn_key in kept:
            kept[turn_key] = larger(kept[turn_key], turn)
        else:
            kept[turn_key] = turn
    return sorted([*kept.values(), *without_key], key=lambda turn: turn.at)


def _results_once(results: list[Result], writers: list[Who]) -> list[Result]:
    unique = []
    for first, *copies in _copies_together(results, writers):
        flags = first.flags
        for copy in copies:
            flags |= copy.flags
        unique.append(Result(first.at, first.who, first.key, flags))
    return unique


def _calls_once(rows: _Rows, writers: list[Who]) -> tuple[list[TimedAction], list[int]]:
    """Each call, and what its results said together."""
    flags_at: dict[tuple[int, int], int] = {}
    for result in rows.results:
        call_key = (result.scope, result.key)
        flags_at[call_key] = flags_at.get(call_key, 0) | result.flags
    calls, flags = [], []
    for group in _copies_together(rows.calls, writers):
        together = 0
        for call in group:
            together |= flags_at.get((call.scope, call.key), 0) if call.key else 0
        calls.append(group[0])
        flags.append(together)
    return calls, flags


def _copies_together(rows: list[FactRow], writers: list[Who]) -> list[list[FactRow]]:
    """Rows in the order of time, each with its copies: the same id in a session, or the same id at the same time
    (a resumed session's copy keeps the time, not the session)."""
    groups: list[list[FactRow]] = []
    group_of: dict[tuple[str, int, int], list[FactRow]] = {}
    for row in sorted(rows, key=lambda row: (row.at, writers[row.who].session_id or "", row.key)):
        in_session, at_time = ("in", row.scope, row.key), ("at", row.at, row.key)
        group = (group_of.get(in_session) or group_of.get(at_time)) if row.key else None
        if group is None:
            group = []
            groups.append(group)
        group.append(row)
        group_of[in_session] = group_of[at_time] = group
    return groups


def _test_runs(calls: list[TimedAction], flags: list[int]) -> tuple[TestRun, ...]:
    return tuple(
        TestRun(call.at, test.command, _passed(test, flag, alone=len(call.tests) == 1))
        for call, flag in zip(calls, flags, strict=True)
        for test in call.tests
        if not flag & REFUSED
    )


def _passed(test: TestCall, flags: int, *, alone: bool) -> bool | None:
    """Whether tests passed: by the exit status where it is the tests', else by the runner's summary, else unknown."""
    ended = flags & (ENDED_WELL | ENDED_BADLY)
    if ended == ENDED_WELL and test.zero_means_passed:
        return True
    if ended == ENDED_BADLY and test.other_means_failed:
        return False
    verdict = flags & (SUMMARY_PASSED | SUMMARY_FAILED) if alone else 0
    return {SUMMARY_PASSED: True, SUMMARY_FAILED: False}.get(verdict)
