"""Tasks that are not Python functions: a model with a prompt, an HTTP endpoint, a command.

Each checks its configuration when it is made. What goes wrong with one item is that run's error, in one line without
secrets. How long it is waited for is no part of what a task is, nor is a renewed key.
"""

import hashlib
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urldefrag, urlencode, urlsplit

from gnomon.calling import CallFailed, CallTimedOut, command, in_one_line
from gnomon.calling.endpoint import EndpointAnswer, exchange, shared_client, without_query
from gnomon.errors import InvalidInput
from gnomon.llm.answer import is_secret_name
from gnomon.llm.chat import ChatAnswer, chat
from gnomon.llm.retry import AskingPolicy
from gnomon.llm.session import PATIENT, AskingSession
from gnomon.llm.spent import Spent
from gnomon.loops import PerLoop
from gnomon.model import jsonvalue
from gnomon.service.evaluation.configured import ConfiguredTask
from gnomon.service.evaluation.templates import as_text, fill, fill_text, pick

LARGEST_ANSWER = 16 << 20
SHOWN_BODY = 300

CommandInput = Literal["stdin-text", "stdin-json", "argument", "none"]
CommandOutput = Literal["text", "json", "last-line"]

TaskItem = Mapping[str, Any]


class ModelTask(ConfiguredTask):
    """A model that is asked a prompt per item, again when that may help."""

    def __init__(
        self,
        model: str,
        prompt: str,
        system: str | None,
        settings: Mapping[str, Any],
        timeout: float,
        policy: AskingPolicy = PATIENT,
    ) -> None:
        super().__init__(model)
        self.model, self.prompt, self.system, self.settings = model, prompt, system, dict(settings)
        self.timeout = timeout
        self.spent = Spent()
        """The usage of all calls so far, for the progress display."""
        self._lock = threading.Lock()
        self._sessions = PerLoop(lambda: AskingSession(policy), _nothing_to_close)

    async def answer(self, item: TaskItem) -> str:
        messages = [{"role": "user", "content": fill_text(self.prompt, item)}]
        if self.system is not None:
            messages.insert(0, {"role": "system", "content": fill_text(self.system, item)})

        async def call() -> tuple[ChatAnswer, ChatAnswer]:
            with self._lock:
                self.spent.calls += 1
            turn = await chat(self.model, messages, [], params=self.settings, timeout=self.timeout)
            return turn, turn

        result = await (await self._sessions.get()).ask(self.model, call)
        with self._lock:
            for took in result.took:
                self.spent.add(took)
        if result.trouble is not None:
            raise (CallTimedOut if result.trouble.kind == "timeout" else CallFailed)(result.gave_up)
        if result.answer is None or result.answer.text is None:
            raise CallFailed(f"{self.model} answered without a text")
        return result.answer.text

    def configuration(self) -> dict[str, Any]:
        return {"model": self.model, "prompt": self.prompt, "system": self.system, "settings": self.settings}


async def _nothing_to_close(session: AskingSession) -> None:
    """A session's connections are those of the transports."""


class HttpTask(ConfiguredTask):
    """One request per item to an endpoint."""

    def __init__(
        self, url: str, method: str, headers: Mapping[str, str], body: Any, output: str | None, timeout: float
    ) -> None:
        parts = urlsplit(url)
        super().__init__(parts.netloc + parts.path.rstrip("/"))
        self.url, self.method, self.headers, self.body = urldefrag(url).url, method, dict(headers), body
        self.output, self.timeout = output, timeout

    async def answer(self, item: TaskItem) -> Any:
        url, content = self._request(fill(self.body, item))
        answer = await exchange(
            await shared_client(url), self.method, url, content=content, headers=self._headers(content is not None),
            timeout=self.timeout, most_bytes=LARGEST_ANSWER,
        )  # fmt: skip
        if not 200 <= answer.status < 300:
            raise CallFailed(f"{without_query(url)} answered {answer.status}: {answer.start(SHOWN_BODY)}")
        return self._read(answer)

    def _request(self, body: Any) -> tuple[str, bytes | None]:
        """GET has no body: its fields go into the query."""
        if self.method != "GET":
            return self.url, jsonvalue.dump(body).encode()
        fields = urlencode({name: as_text(value) for name, value in body.items()})
        return f"{self.url}{'&' if '?' in self.url else '?'}{fields}", None

    def _headers(self, has_content: bool) -> dict[str, str]:
        """The user's, and those that they left to us."""
        default_headers = {"Accept": "application/json, text/*;q=0.9, */*;q=0.5"}
        if has_content:
            default_headers["Content-Type"] = "application/json"
        names = {name.lower() for name in self.headers}
        return {name: value for name, value in default_headers.items() if name.lower() not in names} | self.headers

    def _read(self, answer: EndpointAnswer) -> Any:
        kind = answer.content_type.partition(";")[0].strip().lower()
        shown = without_query(self.url)
        if self.output is None and kind != "application/json" and not kind.endswith("+json"):
            return _decoded(answer)
        value = _json(answer.body, f"{shown} answered")
        if self.output is None:
            return value
        try:
            return pick(value, self.output.split("."), "the answer")
        except LookupError as bad:
            raise CallFailed(f"{shown} answered without {self.output}: {bad.args[0]}") from None

    def configuration(self) -> dict[str, Any]:
        return {
            "url": self.url, "method": self.method, "headers": _shared(self.headers, str.lower), "body": self.body,
            "output": self.output,
        }  # fmt: skip

    def secrets(self) -> list[str]:
        return _secrets(self.headers)


class CommandTask(ConfiguredTask):
    """One process per item. `env` is added to the environment of this process."""

    def __init__(
        self,
        words: Sequence[str],
        input: CommandInput,
        output: CommandOutput,
        timeout: float | None,
        folder: Path | None,
        env: Mapping[str, str],
    ) -> None:
        super().__init__(Path(words[0]).name)
        self.words, self.input, self.output = list(words), input, output
        self.timeout, self.folder, self.env = timeout, folder, dict(env)

    async def answer(self, item: TaskItem) -> Any:
        words = [fill_text(word, item) for word in self.words]
        written = as_text(item["input"])
        if self.input == "argument":
            words.append(written)
        stdin = {"stdin-text": written, "stdin-json": jsonvalue.dump(item["input"])}.get(self.input, "")
        stdout = await command.run(
            words, stdin.encode(), most_bytes=LARGEST_ANSWER, timeout=self.timeout, folder=self.folder,
            environment={**os.environ, **self.env},
        )  # fmt: skip
        return self._read(stdout)

    def _read(self, stdout: bytes) -> Any:
        if self.output == "json":
            return _json(stdout, f"{self.words[0]} wrote")
        text = stdout.decode("utf-8", "replace")
        if self.output == "text":
            return text.removesuffix("\n").removesuffix("\r")
        lines = [line for line in text.splitlines() if line.strip()]
        if not lines:
            raise CallFailed(f"{self.words[0]} wrote no line to its stdout")
        return lines[-1]

    def configuration(self) -> dict[str, Any]:
        """The configuration, with the content of the files that it names: a changed script is another task."""
        files = {word: _file_hash((self.folder or Path()) / word) for word in self.words}
        return {
            "words": self.words, "files": files, "input": self.input, "output": self.output,
            "folder": None if self.folder is None else str(self.folder), "env": _shared(self.env, str),
        }  # fmt: skip

    def secrets(self) -> list[str]:
        return _secrets(self.env)


# What they have in common


def _json(body: bytes, subject: str) -> Any:
    try:
        return jsonvalue.read(body)
    except InvalidInput as bad:
        start = in_one_line(body[:200].decode("utf-8", "replace"))[:80]
        why = bad.message.removeprefix("the body is not JSON that Gnomon can take: ")
        raise CallFailed(f"{subject} what is not JSON ({why}): {start or 'nothing'}") from None


def _decoded(answer: EndpointAnswer) -> str:
    try:
        return answer.body.decode(answer.charset or "utf-8", "replace")
    except LookupError:  # a charset that Python does not know
        return answer.body.decode("utf-8", "replace")


def _shared(values: Mapping[str, str], name_of: Any) -> dict[str, str | None]:
    """The settings by name; a secret only as present."""
    return {name_of(name): None if is_secret_name(name) else value for name, value in values.items()}


def _secrets(values: Mapping[str, str]) -> list[str]:
    """Whole, and without the word before it, as in `Bearer …`."""
    whole = [value for name, value in values.items() if is_secret_name(name)]
    return [*whole, *(value.rpartition(" ")[2] for value in whole)]


def _file_hash(path: Path) -> str | None:
    """The hash of a file's content; None for what is not a file, or too large to be a program."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_ANSWER:
            return None
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):  # most words are not names of files
        return None
