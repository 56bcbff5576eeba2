"""What agents' session files add: tokens, tool errors, test runs, and facts about the way of working.

`GnomonScan` asks a timeline of whole sessions, which reads each file once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gnomon.agentlogs import Timeline, WindowFacts
from gnomon.model.outcome import SignalValue, absent_signal, present_signal
from gnomon.outcome.ciresults import CiResults
from gnomon.outcome.record import IterationRecord, TokenUsage
from gnomon.outcome.signals import BackfillSignals, IterationObjectives, no_objectives
from gnomon.outcome.windows import IterationWindow

LOOP_STATE = "loop-state.md"
_A_SECOND = 1_000_000  # git keeps no fractions of one
NO_WINDOW = "the commit's time is not known"
NO_TRANSCRIPT = "no transcript covers the iteration"


def checked(true: bool, words: str) -> SignalValue:
    return present_signal(1.0 if true else 0.0, words if true else f"not seen: {words}")


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
            return f"no transcript of session {session[:60]} covers the iteration" if session else NO_TRANSCRIPT
        return facts

    def backfill(self, record: IterationRecord, facts: WindowFacts | str, commits: Sequence[str]) -> BackfillSignals:
        known = facts if isinstance(facts, WindowFacts) else None
        calls = known.tool_calls if known else 0
        return BackfillSignals(
            record.iteration,
            token_efficiency(record, facts),
            tokens_logged=logged_share(record) is not None,
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
        tested = checked(bool(runs), "a test command before the commit")
        return IterationObjectives(
            ran_cli_command=checked(facts.ran_command, "a shell command"),
            committed_after_tests=present_signal(1.0, f"{len(runs)} test runs, {passed} passed") if runs else tested,
            read_loop_state=checked(LOOP_STATE in facts.read_paths, f"{LOOP_STATE} read"),
        )


def token_efficiency(record: IterationRecord, facts: WindowFacts | str) -> SignalValue:
    """The share of all input that came from the cache: logged counters, else a logged rate, else transcripts."""
    logged_tokens = logged_share(record)
    if logged_tokens is not None:
        return logged_tokens
    if isinstance(facts, str):
        logged = "session_tokens holds no numbers; " if record.session_tokens is not None else ""
        return absent_signal(logged + facts)
    whole = facts.usage.input + facts.usage.cache_read + facts.usage.cache_creation
    if not whole:
        return absent_signal("the transcript counts no input tokens")
    return present_signal(facts.usage.cache_read / whole, f"cache reads of all input, {facts.turns} transcript turns")


def logged_share(record: IterationRecord) -> SignalValue | None:
    """What the entry itself says of its tokens: counters, else a rate; None where it says nothing."""
    tokens = record.session_tokens
    if tokens is None:
        return None
    share = _cached_share(tokens, record.agent.harness)
    if share is not None:
        return present_signal(share, "cache reads of all input, from the logged counters")
    return (
        present_signal(tokens.cache_hit_rate, "cache_hit_rate as logged; no counters")
        if (tokens.cache_hit_rate > 0)
        else None
    )


def _cached_share(tokens: TokenUsage, harness: str) -> float | None:
    """Codex counts cached input inside input_tokens, others beside it."""
    uncached = tokens.input_tokens + tokens.cache_creation_tokens
    if "codex" in harness.lower() and tokens.input_tokens >= tokens.cache_read_tokens:
        uncached = tokens.input_tokens - tokens.cache_read_tokens
    whole = uncached + tokens.cache_read_tokens
    return tokens.cache_read_tokens / whole if whole > 0 and tokens.cache_read_tokens >= 0 else None
