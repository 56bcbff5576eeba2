"""What session files add, by the original's rules: every dated line in a window counts."""

from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from gnomon.errors import Refused
from gnomon.model.outcome import absent_signal, present_signal
from gnomon.outcome.compat.sessions import CompatLine, compat_events, compat_files
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.signals import BackfillSignals, IterationObjectives, no_objectives
from gnomon.outcome.transcripts import LOOP_STATE, NO_TRANSCRIPT, NO_WINDOW, checked
from gnomon.outcome.windows import IterationWindow

_TEST_WORDS = ("go test", "pytest", "npm test", "yarn test", "make test", "cargo test", "rspec", "phpunit")


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
            read, created = sum(use.cache_read for use in turns), sum(use.cache_creation for use in turns)
            tokens = present_signal(
                read / (read + created) if read + created else 0.0, f"{len(turns)} transcript turns"
            )
        else:
            tokens = absent_signal(NO_TRANSCRIPT)
        calls = sum(line.tool_calls for line in lines)
        errors = sum(line.tool_errors for line in lines)
        return BackfillSignals(record.iteration, tokens, errors / calls if calls else 0.0, calls > 0)

    def objectives(self, window: IterationWindow | None) -> IterationObjectives:
        if window is None:
            return no_objectives(NO_WINDOW)
        lines = [line for line in self.within(window) if line.covers]
        if not lines:
            return no_objectives(NO_TRANSCRIPT)
        tested = any(word in command for line in lines for command in line.commands for word in _TEST_WORDS)
        read = any(path.endswith(LOOP_STATE) for line in lines for path in line.read_paths)
        return IterationObjectives(
            ran_cli_command=checked(any(line.bash for line in lines), "a Bash command"),
            committed_after_tests=checked(tested, "a test command before the commit"),
            read_loop_state=checked(read, f"{LOOP_STATE} read"),
        )
