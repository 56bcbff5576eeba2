"""A scripted model on 127.0.0.1, over real HTTP.

It speaks the part of OpenAI's protocol that Gnomon uses (`POST /v1/chat/completions` without streaming,
`POST /v1/embeddings` and `GET /v1/models`), so the real client libraries can be tested, retries and all.
It runs in a thread of its own on asyncio and the standard library: hundreds of requests may be in flight at once.
It checks no keys and keeps no conversation.
"""

import asyncio
import contextlib
import inspect
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self, cast

from pydantic import BaseModel

from gnomon.testing.replies import CREATED, Asked, ClientError, HttpReply, Reply, Script, Slow, sent

LONGEST_HEAD = 1 << 16
KEY = "loopback"


class LoopbackModel:
    """Answers every request by its script: one reply for all, a list used up in order, or a function of the request.

    The function may be `async`; it runs in the server's own loop, one request at a time until it awaits.
    A list that is used up refuses what comes after it (`itertools.cycle` never is), and a function that raises
    is reported where the `with` block ends, so that neither passes for a fault of the model.
    """

    def __init__(self, script: Script = "1", *, latency: float = 0.0, models: Sequence[str] = ("loopback",)) -> None:
        self._script = script
        self._replies = _in_order(script)
        self._latency = latency
        self._models = models
        self._lock = threading.Lock()
        self._requests: list[Asked] = []
        self._in_flight = 0
        self._peak = 0
        self._connections = 0
        self._script_failed: Exception | None = None
        self._started = threading.Event()
        self._trouble: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="loopback-model", daemon=True)
        self._loop: asyncio.AbstractEventLoop
        self._stop: asyncio.Event
        self._port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.wait()
        if self._trouble is not None:
            raise RuntimeError("the loopback model could not listen on 127.0.0.1") from self._trouble
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if self._script_failed is not None and error is None:
            raise RuntimeError("the script of the loopback model raised") from self._script_failed

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    def environment(self) -> dict[str, str]:
        """What a process must have in its environment to ask this model instead of a provider's."""
        direct = ",".join(filter(None, [os.environ.get("no_proxy") or os.environ.get("NO_PROXY"), "127.0.0.1"]))
        return {"OPENAI_BASE_URL": self.base_url, "OPENAI_API_KEY": KEY, "NO_PROXY": direct, "no_proxy": direct}

    @property
    def requests(self) -> list[Asked]:
        """Every request to the model so far, in the order in which they came."""
        with self._lock:
            return list(self._requests)

    @property
    def calls(self) -> int:
        return len(self._requests)

    @property
    def peak_concurrency(self) -> int:
        """The most requests that were waiting for their answer at the same moment."""
        return self._peak

    @property
    def connections(self) -> int:
        """How many connections were opened to it."""
        return self._connections

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as trouble:
            self._trouble = trouble
        finally:
            self._started.set()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._converse, "127.0.0.1", 0, limit=LONGEST_HEAD, backlog=1024)
        self._port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._stop.wait()
        server.close()
        # Leaving asyncio.run cancels the conversations that are still open.

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection: requests one after the other until either side has had enough."""
        self._connections += 1
        try:
            while (request := await _received(reader)) is not None:
                answer = await self._answered(*request)
                writer.write(answer.wire())
                await writer.drain()
                if answer.cut is not None:
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, ValueError):
            pass  # the other side is gone, or never spoke HTTP, or this one is stopping
        finally:
            writer.close()

    async def _answered(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> HttpReply:
        where = path.partition("?")[0].removeprefix("/v1")
        if (method, where) == ("GET", "/models"):
            return self._model_list()
        if method != "POST" or where not in ("/chat/completions", "/embeddings"):
            return sent(_NOBODY, ClientError(404, f"{method} {path} is not spoken here; POST /v1/chat/completions is"))
        try:
            value = json.loads(body)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            return sent(_NOBODY, ClientError(400, "the body is not a JSON object"))
        if value.get("stream"):
            return sent(_NOBODY, ClientError(400, "stream is true; the loopback model does not stream, leave it out"))
        with self._lock:
            request = Asked(len(self._requests) + 1, value, headers)
            self._requests.append(request)
        with self._flight():
            return await self._scripted(request)

    @contextlib.contextmanager
    def _flight(self) -> Iterator[None]:
        self._in_flight += 1
        self._peak = max(self._peak, self._in_flight)
        try:
            yield
        finally:
            self._in_flight -= 1

    async def _scripted(self, request: Asked) -> HttpReply:
        try:
            reply = await self._next(request)
            await asyncio.sleep(self._latency)
            while isinstance(reply, Slow):
                await asyncio.sleep(reply.seconds)
                reply = reply.then
            return sent(request, reply)
        except Exception as mistake:  # the script is the caller's code
            self._script_failed = self._script_failed or mistake
            return sent(request, ClientError(400, f"the script raised {type(mistake).__name__}: {mistake}"))

    async def _next(self, request: Asked) -> Reply:
        if callable(self._script):
            reply = self._script(request)
            return await reply if inspect.isawaitable(reply) else reply
        if self._replies is None:
            return cast(Reply, self._script)
        try:
            return next(self._replies)
        except StopIteration:
            return ClientError(400, f"the script is used up: this is request {request.number}")

    def _model_list(self) -> HttpReply:
        data = [{"id": name, "object": "model", "created": CREATED, "owned_by": "loopback"} for name in self._models]
        return HttpReply(200, json.dumps({"object": "list", "data": data}).encode())


_NOBODY = Asked(0, {}, {})


def _in_order(script: Script) -> Iterator[Reply] | None:
    """The replies one by one, when the script is a list of them. JSON objects and models are one reply."""
    if callable(script) or isinstance(script, str | Mapping | BaseModel) or not hasattr(script, "__iter__"):
        return None
    return iter(cast(Iterable[Reply], script))


async def _received(reader: asyncio.StreamReader) -> tuple[str, str, dict[str, str], bytes] | None:
    """Method, path, headers and body of the next request; None when there is no further one."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return None
    method, path, _ = head[0].split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    return method, path, headers, await reader.readexactly(int(headers.get("content-length", 0)))
