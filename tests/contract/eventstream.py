"""A client of `GET /v1/events`, which reads one event after the other."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2

from contract.caller import Api


@dataclass(frozen=True)
class Event:
    name: str
    data: dict[str, Any]
    id: str | None


class Stream:
    """An open stream. Reading waits for as long as the client's own time limit lets it."""

    def __init__(self, answer: httpx2.Response) -> None:
        self.answer = answer
        self._lines = answer.iter_lines()

    def next(self) -> Event:
        """The next event; comments are left out. Fails when the stream ends."""
        fields: dict[str, str] = {}
        for line in self._lines:
            name, _, text = line.partition(":")
            if line == "" and "event" in fields:
                return Event(fields["event"], json.loads(fields["data"]), fields.get("id"))
            if name in ("event", "data", "id"):
                fields[name] = text.removeprefix(" ")
        raise EOFError("the stream has ended")

    def until(self, kind: str) -> list[Event]:
        """The events up to the first one of this kind."""
        events = [self.next()]
        while events[-1].data.get("kind") != kind:
            events.append(self.next())
        return events

    def is_at_end(self) -> bool:
        return all(line == "" for line in self._lines)


@contextlib.contextmanager
def streaming(api: Api, after: str | None = None, **query: str) -> Iterator[Stream]:
    """A stream of the caller's project, from now on or after an event's id."""
    headers = {"Authorization": f"Bearer {api.key}", **({} if after is None else {"Last-Event-ID": after})}
    fields = {"project_id": api.project, **query}
    with api.http.stream("GET", "/v1/events", params=fields, headers=headers) as answer:
        assert answer.status_code == 200, answer.read()
        yield Stream(answer)


def now(api: Api) -> str:
    """The id from which on a stream leaves out nothing that comes after this call."""
    with streaming(api) as stream:
        first = stream.next()
    assert (first.name, first.data) == ("ready", {"project_id": api.project})
    assert first.id is not None
    return first.id
