"""`--processes N`: runs the collected tests in N processes, file by file.

Collecting takes twenty seconds of CPU: it imports four hundred files of tests and all that they test. So one process
collects, and is then forked. A forked process takes one file after the other from a queue. What it reports goes to the
process that was forked, which counts and prints as if it had run the tests itself.
"""

import os
import signal
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, NoReturn

import pytest
from _pytest.capture import FDCapture

from preloaded import RUN_FOLDER

NUMBER_BYTES = 4
"""Of the number of a file in the queue."""
ONLY_IN_FIRST = ("terminalreporter", "lfplugin", "nfplugin", "stepwiseplugin")
"""Plugins that print or keep what all processes together have found."""

Files = list[list[pytest.Item]]
Message = tuple[str, Any]
"""A method of `Relay`, and what it is called with."""


def take_home() -> None:
    """A home of this process's own: no test touches the store of whoever runs it."""
    home = RUN_FOLDER / f"home-{os.getpid()}"
    home.mkdir(exist_ok=True)
    os.environ["GNOMON_HOME"] = str(home)


def pytest_addoption(parser: pytest.Parser) -> None:
    words = "run the tests in that many processes, forked after all tests were collected"
    parser.addoption("--processes", type=int, metavar="N", help=words)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    count = session.config.getoption("processes")
    if count is None or session.config.option.collectonly or session.testsfailed:
        return None
    run_collected(session, count)
    return True


def run_collected(session: pytest.Session, count: int) -> None:
    files: dict[str, list[pytest.Item]] = {}
    for item in session.items:
        files.setdefault(str(item.path), []).append(item)
    processes = Processes(session, list(files.values()), count)
    try:
        for process, (kind, what) in processes.messages():
            getattr(Relay(session, process), kind)(what)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
            if session.shouldstop:
                raise session.Interrupted(session.shouldstop)
    finally:
        processes.end()


class Queue:
    """The numbers of the files that no process has taken yet: a pipe of whose end all of them read."""

    def __init__(self, length: int) -> None:
        self._end, begin = os.pipe()
        with open(begin, "wb") as numbers:  # a pipe holds sixteen thousand
            for number in range(length):
                numbers.write(number.to_bytes(NUMBER_BYTES, "big"))

    def take(self) -> int | None:
        taken = os.read(self._end, NUMBER_BYTES)
        return int.from_bytes(taken, "big") if taken else None


class Process:
    """A forked process as the first one sees it: its id, what it says, and the test that it is at."""

    def __init__(self, pid: int, connection: Connection) -> None:
        self.pid, self.connection = pid, connection
        self.test = ""
        self.has_ended = False
        self._exit_code: int | None = None

    def wait(self) -> int:
        if self._exit_code is None:
            self._exit_code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self._exit_code


class Processes:
    """The forked processes. Each ends when there are no more files."""

    def __init__(self, session: pytest.Session, files: Files, count: int) -> None:
        self._processes: list[Process] = []
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        queue = Queue(len(files))
        for number in range(count):
            reading, writing = Pipe(duplex=False)
            pid = os.fork()
            if pid == 0:
                for connection in [reading, *(process.connection for process in self._processes)]:
                    connection.close()
                Forked(session, number, writing).run(files, queue)
            writing.close()
            self._processes.append(Process(pid, reading))

    def messages(self) -> Iterator[tuple[Process, Message]]:
        said_by = {process.connection: process for process in self._processes}
        while said_by:
            for connection in wait(list(said_by)):
                assert isinstance(connection, Connection)
                process = said_by[connection]
                try:
                    yield process, connection.recv()
                except EOFError:
                    del said_by[connection]
                    if not process.has_ended:
                        process.has_ended = True
                        yield process, ("died", process.wait())

    def end(self) -> None:
        """Interrupt those that have not ended, so that they take down their fixtures, and wait for them."""
        for process in self._processes:
            if not process.has_ended:
                os.kill(process.pid, signal.SIGTERM)
            process.connection.close()
        for process in self._processes:
            process.wait()


def _capture_apart(manager: Any) -> None:
    """Captured output goes to files of this process's own; the objects stay, since modules may hold them."""
    manager.suspend_global_capture()
    for capture in (manager._global_capturing.out, manager._global_capturing.err):
        if isinstance(capture, FDCapture):
            with tempfile.TemporaryFile(buffering=0) as own:
                os.dup2(own.fileno(), capture.tmpfile.fileno())


class AnotherFile:
    """Stands for the test after the last one of a file, so that fixtures of the session stay."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session

    def listchain(self) -> list[pytest.Session]:
        return [self._session]


class Forked:
    """In a forked process: runs files, and tells the first process what happens."""

    def __init__(self, session: pytest.Session, number: int, connection: Connection) -> None:
        self._session, self._config, self._connection = session, session.config, connection
        self._number = number

    def run(self, files: Files, queue: Queue) -> NoReturn:
        try:
            self._part()
            try:
                self._run(files, queue)
            finally:
                self._finish()
            self._say("ended", None)
        except (KeyboardInterrupt, BrokenPipeError):
            os._exit(1)
        except BaseException:
            self._say("broke", traceback.format_exc())
        os._exit(0)

    def _part(self) -> None:
        """Leave what processes cannot share: who prints, the files of captured output, and folders."""
        plugins = self._config.pluginmanager
        for name in filter(plugins.has_plugin, ONLY_IN_FIRST):
            plugins.unregister(name=name)
        _capture_apart(plugins.getplugin("capturemanager"))
        factory: Any = self._config._tmp_path_factory  # type: ignore[attr-defined]
        factory._basetemp = factory.getbasetemp() / f"process-{self._number}"
        factory._basetemp.mkdir()
        take_home()
        plugins.register(self)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGINT is ignored where a shell began this aside

    def _run(self, files: Files, queue: Queue) -> None:
        while (taken := queue.take()) is not None:
            items = files[taken]
            following = [*items[1:], AnotherFile(self._session)]
            for item, next_item in zip(items, following, strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=next_item)

    def _finish(self) -> None:
        self._session._setupstate.teardown_exact(None)
        status = pytest.ExitCode.TESTS_FAILED if self._session.testsfailed else pytest.ExitCode.OK
        self._config.hook.pytest_sessionfinish(session=self._session, exitstatus=status)

    def _say(self, kind: str, what: object) -> None:
        self._connection.send((kind, what))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._say("began", nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._say("reported", self._config.hook.pytest_report_to_serializable(config=self._config, report=report))

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: object
    ) -> None:
        words = f"{warning_message.category.__name__}: {warning_message.message}"
        self._say("warned", (words, warning_message.filename, warning_message.lineno, when, nodeid, location))


class Relay:
    """In the first process: does with what a forked one says what pytest would have done there."""

    def __init__(self, session: pytest.Session, process: Process) -> None:
        self._config, self._process = session.config, process

    def began(self, test: str) -> None:
        self._process.test = test

    def reported(self, told: dict[str, Any]) -> None:
        report = self._config.hook.pytest_report_from_serializable(config=self._config, data=told)
        self._config.hook.pytest_runtest_logreport(report=report)

    def warned(self, told: tuple[str, str, int, str, str, Any]) -> None:
        words, file, line, when, nodeid, location = told
        message = warnings.WarningMessage(words, UserWarning, file, line)
        named = {"when": when, "nodeid": nodeid, "location": location}
        self._config.hook.pytest_warning_recorded.call_historic(kwargs={"warning_message": message, **named})

    def ended(self, _: None) -> None:
        self._process.has_ended = True

    def broke(self, trace: str) -> None:
        pytest.exit(f"a process of the tests broke at {self._process.test}:\n{trace}", pytest.ExitCode.INTERNAL_ERROR)

    def died(self, code: int) -> None:
        words = f"a process of the tests ended with exit code {code} at {self._process.test}"
        pytest.exit(words, pytest.ExitCode.INTERNAL_ERROR)
