"""Agents that users bring: a Python object, an HTTP endpoint, a command.

Each is given {"messages", "tools"} and gives a turn (`replies.py`), within this many seconds. Whatever else they do
becomes `AgentFailed` with one line: code that raises, blocks or never returns, an endpoint that sends megabytes, a
process that dies. None of them holds up another run.
"""

import asyncio
import contextlib
import copy
import inspect
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from gnomon.bench.protocol import AgentFailed, Message, Reply, Tool
from gnomon.bench.replies import parse_reply, read_reply
from gnomon.calling import CallFailed
from gnomon.calling.command import LONGEST_ERRORS, end_group, ending, last_words
from gnomon.calling.endpoint import exchange, new_client, without_query
from gnomon.llm.answer import one_line, without_keys

LARGEST_ANSWER = 4 << 20
_GRACE = 1.0


def _asking(messages: Sequence[Message], tools: Sequence[Tool]) -> bytes:
    return msgspec.json.encode({"messages": list(messages), "tools": list(tools)})


class PythonAgent:
    """A user's object or function, in this process. Plain functions run in a thread, so they block nothing else."""

    def __init__(self, target: Any, spec: str, timeout: float) -> None:
        self._owner = target
        self._answer: Callable[..., Any] = getattr(target, "answer", target)
        self._spec, self._timeout = spec, timeout

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        copies = copy.deepcopy(list(messages)), copy.deepcopy(list(tools))
        try:
            async with asyncio.timeout(self._timeout):
                answer = await _called(self._answer, *copies)
        except AgentFailed as failed:
            raise AgentFailed(one_line(failed.reason)) from None
        except TimeoutError:
            raise AgentFailed(f"{self._spec} did not answer within {self._timeout:g} s") from None
        except (Exception, SystemExit) as bad:
            raise AgentFailed(f"{self._spec} raised {type(bad).__name__}: {one_line(str(bad))}") from None
        return read_reply(answer)

    async def close(self) -> None:
        close = getattr(self._owner, "close", None)
        if callable(close):
            with contextlib.suppress(Exception, SystemExit):  # the run is over, and its transcript written
                async with asyncio.timeout(self._timeout):
                    await _called(close)


async def _called(function: Callable[..., Any], *arguments: Any) -> Any:
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    result = await _in_thread(function, *arguments)
    return await result if inspect.isawaitable(result) else result


async def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call in a new thread, so that nothing waits at the end for a call that never returns."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, fault: BaseException | None) -> None:
        if future.done():
            return
        if fault is not None:
            future.set_exception(fault)
        else:
            future.set_result(result)

    def work() -> None:
        result: Any = None
        fault: BaseException | None = None
        try:
            result = function(*arguments)
        except BaseException as raised:  # SystemExit too: it is the agent's
            fault = raised if not isinstance(raised, StopIteration) else RuntimeError("StopIteration")
        with contextlib.suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(settle, result, fault)

    threading.Thread(target=work, name="gnomon-agent", daemon=True).start()
    return await future


# --- an endpoint -----


_HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


class HttpAgent:
    """One POST a turn. Redirects are not followed: the user named this address."""

    def __init__(self, url: str, timeout: float) -> None:
        self._url, self._timeout = url, timeout
        self._http = new_client(url)

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        try:
            answer = await exchange(
                self._http, "POST", self._url, content=_asking(messages, tools), headers=_HEADERS,
                timeout=self._timeout, most_bytes=LARGEST_ANSWER,
            )  # fmt: skip
        except CallFailed as failed:
            raise AgentFailed(one_line(str(failed))) from None
        if answer.status != 200:
            raise AgentFailed(f"{without_query(self._url)} answered {answer.status}: {one_line(answer.start(200))}")
        return parse_reply(answer.body)

    async def close(self) -> None:
        await self._http.aclose()


# --- a command -----

PASSED_ON = frozenset(
    {
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "NO_COLOR", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP",
        "TEMP", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "SYSTEMROOT",
        "COMSPEC", "PATHEXT",
    }
)  # fmt: skip
"""Variables that a program needs to start and to speak the user's language, besides LC_… and the interpreter's own."""
_ALSO_PASSED_ON = re.compile("LC_[A-Z]+|PYTHON[A-Z]+")


def command_environment(environ: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """The environment variables for a command: no possible secrets, except those that the user names."""
    passed = {name for name in environ if name in PASSED_ON or _ALSO_PASSED_ON.fullmatch(name)}
    return {**{name: environ[name] for name in passed}, **more}


class CommandAgent:
    """A process for each run: a line of JSON to its input, a line of JSON from its output. No shell reads the command.

    After a fault the process is ended, and the next turn starts another one.
    """

    def __init__(self, words: Sequence[str], timeout: float, environment: Mapping[str, str]) -> None:
        self._words, self._timeout, self._environment = words, timeout, environment
        self._child: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None
        self._errors = b""

    async def answer(self, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        try:
            async with asyncio.timeout(self._timeout):
                line = await self._exchanged(_asking(messages, tools) + b"\n")
            return parse_reply(line)
        except TimeoutError:
            failed = AgentFailed(f"{self._words[0]} did not answer within {self._timeout:g} s")
        except AgentFailed as failure:
            failed = failure
        except OSError as bad:
            failed = AgentFailed(f"{self._words[0]} cannot be run: {bad.strerror or bad}")
        await self._end()
        raise AgentFailed(failed.reason + self._last_words()) from None

    async def _exchanged(self, line: bytes) -> bytes:
        child = self._child or await self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        with contextlib.suppress(ConnectionError):  # it may have answered and gone without reading to the end
            child.stdin.write(line)
            await child.stdin.drain()
        try:
            answer_line = await child.stdout.readuntil(b"\n")
        except (ConnectionError, asyncio.IncompleteReadError):
            code = await child.wait()
            raise AgentFailed(f"{self._words[0]} ended ({ending(code)}) without an answer") from None
        except asyncio.LimitOverrunError:
            raise AgentFailed(f"{self._words[0]} answered with more than {LARGEST_ANSWER >> 20} MiB") from None
        return answer_line

    async def _start(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        child = await asyncio.create_subprocess_exec(
            *self._words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, limit=LARGEST_ANSWER,
            env=self._environment,
        )  # fmt: skip
        self._child, self._errors = child, b""
        self._listening = asyncio.create_task(self._listen(child))
        return child

    async def _listen(self, child: asyncio.subprocess.Process) -> None:
        """Keep the end of what it writes to its stderr: nobody else empties that pipe."""
        assert child.stderr is not None
        while part := await child.stderr.read(1 << 16):
            self._errors = (self._errors + part)[-LONGEST_ERRORS:]

    def _last_words(self) -> str:
        return without_keys(last_words(self._errors))

    async def _end(self, grace: float = 0.0) -> None:
        """End the process and all that it started; one that ends by itself when its input does may do so."""
        child, self._child = self._child, None
        if child is None:
            return
        assert child.stdin is not None
        child.stdin.close()
        if grace:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(child.wait(), grace)
        end_group(child.pid)
        await child.wait()
        if self._listening is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._listening, _GRACE)

    async def close(self) -> None:
        await self._end(_GRACE)
