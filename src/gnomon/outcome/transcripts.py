"""What agents' session files add: tokens, tool errors, test runs, and facts about the way of working.

`CompatScan` follows the original's rules, `GnomonScan` asks a timeline of whole sessions. Both read files once.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gnomon.agentlogs import CompatLine, Timeline, WindowFacts, compat_events, compat_files
from gnomon.errors import Refused
from gnomon.model.outcome import SignalValue, absent_signal, present_signal
from gnomon.outcome.ciresults import CiResults
from gnomon.outcome.record import IterationRecord, TokenUsage
from gnomon.outcome.signals import BackfillSignals, IterationObjectives, no_objectives
from gnomon.outcome.windows import IterationWindow

LOOP_STATE = "loop-state.md"
_TEST_WORDS = ("go test", "pytest", "npm test", "yarn test", "make test", "cargo test", "rspec", "phpunit")
_A_SECOND = 1_000_000  # git keeps no fractions of one
NO_WINDOW = "the commit's time is not known"
_NO_TRANSCRIPT = "no transcript covers the iteration"

# ── as the original ─────────────────────────────────────────────────────────────────────────────────────────────


class CompatScan:
    """Every line of the folders, by time. `strict`: a file that cannot be read ends it, as in the original."""

    def __init__(self, directories: Sequence[str | Path], *, strict: bool = True) -> None:
        self.lines: list[CompatLine] = []
        try:
            files = compat_files(directories)
        except OSError as bad:
            if strict:
                raise Refused(f"token backfill: cannot list transcripts: {bad}") from None
            files = []
        for path in files:
            self._read(path, strict)
        self.lines.sort(key=lambda line: line.at)
        self.at = [line.at for line in self.lines]

    def _read(self, path: Path, strict: bool) -> None:
        try:
            for line in compat_events(path):
                self.lines.append(line)
        except (OSError, ValueError) as bad:
            if strict:
                raise Refused(f"token backfill: {bad}") from None

    def within(self, window: IterationWindow) -> list[CompatLine]:
        first = 0 if window.start is None else bisect_right(self.at, window.start)
        return self.lines[first : bisect_right(self.at, window.end)]

    def backfill(self, record: IterationRecord, window: IterationWindow | None) -> BackfillSignals:
        if window is None:
            return BackfillSignals(record.iteration, absent_signal(NO_WINDOW))
        lines = self.within(window)
        turns = [line.usage for line in lines if line.usage is not None]
        if record.session_tokens is not None:
            tokens = present_signal(record.session_tokens.cache_hit_rate, "native session_tokens.cache_hit_rate")
        elif turns:
            read, made = sum(use.cache_read for use in turns), sum(use.cache_creation for use in turns)
            tokens = present_signal(read / (read + made) if read + made else 0.0, f"{len(turns)} transcript turns")
        else:
            tokens = absent_signal(_NO_TRANSCRIPT)
        calls = sum(line.tool_calls for line in lines)
        errors = sum(line.tool_errors for line in lines)
        return BackfillSignals(record.iteration, tokens, errors / calls if calls else 0.0, calls > 0)

    def objectives(self, window: IterationWindow | None) -> IterationObjectives:
        if window is None:
            return no_objectives(NO_WINDOW)
        lines = [line for line in self.within(window) if line.covers]
        if not lines:
            return no_objectives(_NO_TRANSCRIPT)
        tested = any(word in command for line in lines for command in line.commands for word in _TEST_WORDS)
        read = any(path.endswith(LOOP_STATE) for line in lines for path in line.read_paths)
        return IterationObjectives(
            ran_cli_command=_checked(any(line.bash for line in lines), "a Bash command"),
            committed_after_tests=_checked(tested, "a test command before the commit"),
            read_loop_state=_checked(read, f"{LOOP_STATE} read"),
        )


def _checked(true: bool, what: str) -> SignalValue:
    return present_signal(1.0 if true else 0.0, what if true else f"not seen: {what}")


# ── with better evidence ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class GnomonScan:
    """Signals from a timeline of sessions, and from CI's result files where there are any."""

    timeline: Timeline | None
    files: int
    results: CiResults

    def facts(self, record: IterationRecord, window: IterationWindow | str) -> WindowFacts | str:
        """What happened in the iteration, or why that is not known."""
        if not self.files:
            return "no transcripts"
        if isinstance(window, str):
            return window
        session = record.agent.session_id
        facts = self.timeline.window(window.start, window.end, session_id=session or None) if self.timeline else None
        if facts is None or not facts.covered:
            return f"no transcript of session {session[:60]} covers the iteration" if session else _NO_TRANSCRIPT
        return facts

    def backfill(self, record: IterationRecord, facts: WindowFacts | str, commits: Sequence[str]) -> BackfillSignals:
        known = facts if isinstance(facts, WindowFacts) else None
        calls = known.tool_calls if known else 0
        return BackfillSignals(
            record.iteration,
            token_efficiency(record, facts),
            tool_error_rate=known.tool_errors / calls if known and calls else 0.0,
            tool_error_rate_present=calls > 0,
            tests_observed=self._tests(facts, commits),
        )

    def _tests(self, facts: WindowFacts | str, commits: Sequence[str]) -> SignalValue:
        """CI's verdict on the commits, else each test command by the last time it ran."""
        from_ci = self.results.of(commits)
        if from_ci is not None:
            return from_ci
        if isinstance(facts, str):
            return absent_signal(facts)
        last = {run.command: run.passed for run in facts.test_runs if run.passed is not None}
        if not last:
            seen = f"{len(facts.test_runs)} test runs, none with a known result" if facts.test_runs else "no test ran"
            return absent_signal(f"{seen} in the transcript")
        passed = sum(last.values())
        return present_signal(passed / len(last), f"{passed}/{len(last)} test commands passed when they last ran")

    def objectives(self, window: IterationWindow | str, facts: WindowFacts | str) -> IterationObjectives:
        if isinstance(facts, str):
            return no_objectives(facts)
        committed = None if isinstance(window, str) else window.committed
        runs = [run for run in facts.test_runs if committed is None or run.at <= committed + _A_SECOND]
        passed = sum(run.passed is True for run in runs)
        tested = _checked(bool(runs), "a test command before the commit")
        return IterationObjectives(
            ran_cli_command=_checked(facts.ran_command, "a shell command"),
            committed_after_tests=present_signal(1.0, f"{len(runs)} test runs, {passed} passed") if runs else tested,
            read_loop_state=_checked(LOOP_STATE in facts.read_paths, f"{LOOP_STATE} read"),
        )


def token_efficiency(record: IterationRecord, facts: WindowFacts | str) -> SignalValue:
    """The share of all input that came from the cache: logged counters, else a logged rate, else transcripts."""
    tokens = record.session_tokens
    if tokens is not None:
        share = _cached_share(tokens, record.agent.harness)
        if share is not None:
            return present_signal(share, "cache reads of all input, from the logged counters")
        if tokens.cache_hit_rate > 0:
            return present_signal(tokens.cache_hit_rate, "cache_hit_rate as logged; no counters")
    if isinstance(facts, str):
        logged = "session_tokens holds no numbers; " if tokens is not None else ""
        return absent_signal(logged + facts)
    whole = facts.usage.input + facts.usage.cache_read + facts.usage.cache_creation
    if not whole:
        return absent_signal("the transcript counts no input tokens")
    return present_signal(facts.usage.cache_read / whole, f"cache reads of all input, {facts.turns} transcript turns")


def _cached_share(tokens: TokenUsage, harness: str) -> float | None:
    """Codex counts cached input inside input_tokens, others beside it."""
    uncached = tokens.input_tokens + tokens.cache_creation_tokens
    if "codex" in harness.lower() and tokens.input_tokens >= tokens.cache_read_tokens:
        uncached = tokens.input_tokens - tokens.cache_read_tokens
    whole = uncached + tokens.cache_read_tokens
    return tokens.cache_read_tokens / whole if whole > 0 and tokens.cache_read_tokens >= 0 else None
