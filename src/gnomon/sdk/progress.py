"""How far an evaluation is: a bar in a terminal, a line per tenth elsewhere, or nothing."""

import sys
import threading
import time
from abc import ABC, abstractmethod
from typing import Any

from gnomon.shorten import counted


class Silent:
    """Shows nothing."""

    def begin(self, name: str, total: int, done: int) -> None: ...
    def ran(self, runs: int, failed: int, cost_usd: float | None) -> None: ...
    def judged(self, done: int, total: int) -> None: ...
    def note(self, text: str) -> None: ...
    def end(self) -> None: ...


class _Counting(ABC):
    """Keeps count; shows it as a subclass does."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._name, self._total, self._done, self._at_start, self._failed = "", 0, 0, 0, 0
        self._cost: float | None = None
        self._began = time.monotonic()

    def begin(self, name: str, total: int, done: int) -> None:
        with self._lock:
            self._name, self._total, self._done, self._at_start = name, total, done, done
            self._failed, self._began = 0, time.monotonic()

    def ran(self, runs: int, failed: int, cost_usd: float | None) -> None:
        with self._lock:
            self._done += runs
            self._failed += failed
            self._cost = cost_usd
            self.show()

    @abstractmethod
    def show(self) -> None:
        """What has changed; the count is locked meanwhile."""

    def _words(self) -> str:
        """Rate, errors and cost so far."""
        seconds = time.monotonic() - self._began
        rate = (self._done - self._at_start) / seconds if seconds > 0 else 0.0
        words = [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"]
        if self._failed:
            words.append(f"{self._failed:,} failed")
        if self._cost is not None:
            words.append(f"${self._cost:.4f}")
        return ", ".join(words)


class Lines(_Counting):
    """For logs: one line when it begins and at every tenth."""

    def __init__(self) -> None:
        super().__init__()
        self._tenths = 0
        self._tenths_judged = 0

    def begin(self, name: str, total: int, done: int) -> None:
        super().begin(name, total, done)
        self._tenths = _tenths(done, total)

    def show(self) -> None:
        reached = _tenths(self._done, self._total)
        if reached > self._tenths:
            self._tenths = reached
            _say(f"{self._name}: {self._done:,} of {counted(self._total, 'run')} ({reached * 10} %), {self._words()}")

    def judged(self, done: int, total: int) -> None:
        reached = _tenths(done, total)
        if reached > self._tenths_judged:
            self._tenths_judged = reached
            _say(f"{self._name}: judges said {done:,} of {counted(total, 'score')} ({reached * 10} %)")

    def note(self, text: str) -> None:
        _say(f"{self._name}: {text}" if self._name else text)

    def end(self) -> None: ...


class ProgressBars(_Counting):
    """For people: a bar for runs, and one for judges, with the time that is left."""

    def __init__(self) -> None:
        super().__init__()
        self._bars: Any = None
        self._runs: Any = None
        self._judges: Any = None

    def begin(self, name: str, total: int, done: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        super().begin(name, total, done)
        columns = (
            TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
            TextColumn("{task.fields[words]}", markup=False),
        )  # fmt: skip
        self._bars = Progress(*columns, console=Console(stderr=True), transient=True)
        self._runs = self._bars.add_task(name, total=total, completed=done, words="")
        self._bars.start()

    def show(self) -> None:
        self._bars.update(self._runs, completed=self._done, words=self._words())

    def judged(self, done: int, total: int) -> None:
        with self._lock:
            if self._bars is None:
                return
            if self._judges is None:
                self._judges = self._bars.add_task("judges", total=total, words="")
            self._bars.update(self._judges, completed=done, total=total)

    def note(self, text: str) -> None:
        _say(text)

    def end(self) -> None:
        if self._bars is not None:
            self._bars.stop()
            self._bars = None


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _tenths(done: int, total: int) -> int:
    return 10 * done // total if total else 0


def chosen(progress: bool | None) -> Silent | Lines | ProgressBars:
    """What `progress=` asks for: a bar where a person watches, else lines; False for nothing."""
    if progress is False:
        return Silent()
    return ProgressBars() if sys.stderr.isatty() else Lines()
