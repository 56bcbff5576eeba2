"""Facts of a session file: the few numbers and names that questions about a period of time need.

A gigabyte of session files leaves some megabytes of facts, small enough to keep beside the files (cache.py).
Nothing of prompts, answers or outputs is in them; of commands only the text of test runs, of files only names.
"""

import re
from array import array
from collections.abc import Iterable
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from gnomon.agentlogs.claude import SYNTHETIC
from gnomon.agentlogs.events import AnswerTokens, Event, Harness, RequestedTool, ToolResult
from gnomon.agentlogs.shell import read_command

LONGEST_COMMAND = 200
READ_TOOLS = {"Read", "read_file", "NotebookRead"}

# What a result can say, as bits: several lines may report the same result.
ERROR, ENDED_WELL, ENDED_BADLY, SUMMARY_PASSED, SUMMARY_FAILED, REFUSED, SIDECHAIN = (1 << bit for bit in range(7))

# The summaries that test runners end with, for commands whose exit status says nothing (`pytest | tail`).
FAILED_SUMMARY = re.compile(
    r"\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|(?:^|\n)(?:FAIL\b|FAILED \(|--- FAIL)|test result: FAILED"
    r"|\b(?:Failures|Errors|Failed):\s*[1-9]|BUILD FAIL"
)
PASSED_SUMMARY = re.compile(
    r"\b[1-9]\d* (?:passed|passing)\b|(?:^|\n)ok  ?\t?\s*\S+\s+(?:\d|\(cached\))|(?:^|\n)OK(?: \(|\s*$)"
    r"|test result: ok|Tests run: [1-9]\d*, Failures: 0, Errors: 0|\b[1-9]\d* (?:examples|tests|runs)\b.*\b0 failures"
)


class Who(Struct, frozen=True, array_like=True):
    harness: Harness
    session_id: str | None


class ModelAnswer(Struct, array_like=True, gc=False):
    """One answer of a model. `key` is 0 when nothing tells it from others."""

    at: int
    who: int
    key: int
    model: str
    input: int
    output: int
    cache_read: int
    cache_creation: int
    sidechain: bool
    scope: int = 0

    @property
    def usage(self) -> AnswerTokens:
        return AnswerTokens(self.input, self.output, self.cache_read, self.cache_creation)


class Result(Struct, array_like=True, gc=False):
    at: int
    who: int
    key: int
    flags: int
    scope: int = 0


class TestCall(Struct, frozen=True, array_like=True):
    __test__ = False

    command: str
    zero_means_passed: bool
    other_means_failed: bool


class TimedAction(Struct, array_like=True):
    """A command that was run or a file that was read."""

    at: int
    who: int
    key: int
    is_command: bool
    sidechain: bool
    tests: tuple[TestCall, ...] = ()
    reads: tuple[str, ...] = ()
    scope: int = 0


class FileFacts(Struct):
    """One file's. `seen` holds the times of all dated lines, for each of `who`, as packed 64-bit numbers."""

    who: list[Who]
    seen: list[bytes]
    cwds: list[str]
    origins: list[str]
    turns: list[ModelAnswer]
    results: list[Result]
    calls: list[TimedAction]
    problems: list[str]


def key_of(*names: str | None) -> int:
    """A number that stands for these names; 0 when there is none."""
    if not any(names):
        return 0
    joined = "\0".join(name or "" for name in names).encode("utf-8", "replace")
    return int.from_bytes(blake2b(joined, digest_size=7).digest(), "little") + 1


def reduce(events: Iterable[Event], runners: tuple[str, ...]) -> FileFacts:
    """The facts of one file's events. The caller adds problems, which are reported while the events are read."""
    numbers: dict[Who, int] = {}
    seen: list[array[int]] = []
    cwds: dict[str, None] = {}
    origins: dict[str, None] = {}
    facts = FileFacts([], [], [], [], [], [], [], [])
    turns: dict[tuple[int, int], ModelAnswer] = {}
    without_tests: set[str | None] = set()
    for event in events:
        writer = Who(event.harness, event.session_id)
        number = numbers.setdefault(writer, len(numbers))
        if number == len(seen):
            seen.append(array("q"))
        seen[number].append(event.at)
        if event.cwd:
            cwds[event.cwd] = None
        origins.update(dict.fromkeys(event.origins))
        _add_turn(event, number, turns, facts.turns)
        for call in event.calls:
            kept = _call(event, number, call, runners)
            if kept:
                facts.calls.append(kept)
            if kept is None or not kept.tests:
                without_tests.add(call.id)
        for result in event.results:
            facts.results.append(_result(event, number, result, of_tests=result.call_id not in without_tests))
    facts.turns += turns.values()
    facts.who, facts.cwds, facts.origins = list(numbers), list(cwds), list(origins)
    facts.seen = [array("q", sorted(set(times))).tobytes() for times in seen]
    return facts


def _add_turn(
    event: Event, writer: int, turns: dict[tuple[int, int], ModelAnswer], without_key: list[ModelAnswer]
) -> None:
    used = event.usage
    if used is None or event.model == SYNTHETIC:
        return
    key, model = key_of(event.message_id, event.request_id), event.model or ""
    turn = ModelAnswer(
        event.at, writer, key, model, used.input, used.output, used.cache_read, used.cache_creation, event.sidechain
    )
    if not key:
        without_key.append(turn)
    elif kept := turns.get((key, writer)):
        turns[key, writer] = larger(kept, turn)
    else:
        turns[key, writer] = turn


def larger(answer: ModelAnswer, other: ModelAnswer) -> ModelAnswer:
    """Merge two copies of an answer: the larger usage, at the earlier time. The order of the two does not matter."""
    kept = max(
        answer, other, key=lambda turn: (turn.usage.total, turn.output, turn.input, turn.model, not turn.sidechain)
    )
    return replace(kept, at=min(answer.at, other.at))


def _result(event: Event, writer: int, result: ToolResult, *, of_tests: bool) -> Result:
    flags = ERROR if result.is_error else 0
    if result.state == "refused":
        flags |= REFUSED
    elif result.state == "done":
        flags |= ENDED_BADLY if result.is_error else ENDED_WELL
    if of_tests:
        flags |= _summary_flag(result.tail)
    flags |= SIDECHAIN if event.sidechain else 0
    return Result(event.at, writer, key_of(result.call_id), flags)


def _summary_flag(tail: str) -> int:
    """What a test runner's summary at the end of an output says, if there is one."""
    # Looking for words first: the patterns are slow on the many outputs that have none of them.
    if any(word in tail for word in ("ail", "FAIL", "rror")) and FAILED_SUMMARY.search(tail):
        return SUMMARY_FAILED
    if any(word in tail for word in ("pass", "ok", "OK", "ailures")) and PASSED_SUMMARY.search(tail):
        return SUMMARY_PASSED
    return 0


def _call(event: Event, writer: int, call: RequestedTool, runners: tuple[str, ...]) -> TimedAction | None:
    tests: tuple[TestCall, ...] = ()
    reads: list[str] = [call.path] if call.path and call.name in READ_TOOLS else []
    if call.command is not None:
        found_tests, printed = read_command(call.command, runners)
        reads += printed
        tests = tuple(
            TestCall(
                test.text[:LONGEST_COMMAND],
                test.zero_means_passed and not call.background,
                test.other_means_failed and not call.background,
            )
            for test in found_tests
        )
    if call.command is None and not reads:
        return None
    names = tuple(sorted({re.split(r"[/\\]", path)[-1] for path in reads}))
    return TimedAction(event.at, writer, key_of(call.id), call.command is not None, event.sidechain, tests, names)
